/* planner/report/peaks_values.c - see peaks_values.h. */
#include "planner/report/peaks_values.h"

#include "planner/report/emit_option.h"

#include <math.h>
#include <string.h>

static void emit_metrics(struct emit *m, const struct load_profile *f)
{
    static const struct {
        const char *key;
        enum unit unit;
    } metrics[] = {
#define X(name, key, unit) [name] = { key, unit },
        METRIC_TABLE(X)
#undef X
    };
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_stats *s = &f->metrics[i];
        emit_begin(m, metrics[i].key, EMIT_OBJECT);
        emit_num(m, "avg", metrics[i].unit, s->avg);
        emit_num(m, "p50", metrics[i].unit, s->p50);
        emit_num(m, "p95", metrics[i].unit, s->p95);
        emit_num(m, "p99", metrics[i].unit, s->p99);
        emit_num(m, "p999", metrics[i].unit, s->p999);
        emit_num(m, "max", metrics[i].unit, s->max);
        emit_end(m);
    }
}

static void emit_list(struct emit *m, const char *key, const double *v, size_t n)
{
    emit_begin(m, key, EMIT_LIST);
    for (size_t i = 0; i < n; i++)
        emit_num(m, NULL, UNIT_MIBPS, v[i]);
    emit_end(m);
}

void say_joined(struct emit *m, const char *system, const struct joined_group *joined, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *g = &joined[i];
        if (g->by == JOIN_OWN)
            emit_label(m, "with", "%s of %s stays a group of its own, %s", g->group, g->system,
                       g->into);
        else
            emit_label(m, "with", "%s of %s goes into %s, the same %s", g->group, g->system,
                       g->into, join_by_name(g->by));
        if (i + 1 < n && strcmp(g->system, joined[i + 1].system) == 0)
            continue;
        if (!(g->together_pct > 0))
            emit_label(m, "with", "%s was never measured at the same time as %s: nothing adds up",
                       g->system, system);
        else if (g->together_pct < 99.5)
            emit_label(m, "with", "%s was measured for %.0f %% of the time of %s", g->system,
                       g->together_pct, system);
    }
}

static void emit_split(struct emit *m, const struct group_demand *g)
{
    emit_begin(m, "awr_split", EMIT_LIST);
    for (size_t i = 0; g && i < g->n_split; i++) {
        const struct demand_split *s = &g->split[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", s->name);
        emit_num(m, "read_mibps", UNIT_MIBPS, s->read_mibps);
        emit_num(m, "write_mibps", UNIT_MIBPS, s->write_mibps);
        emit_num(m, "read_iops", UNIT_IOPS, s->read_iops);
        emit_num(m, "write_iops", UNIT_IOPS, s->write_iops);
        emit_end(m);
    }
    emit_end(m);
    emit_num(m, "awr_difference_pct", UNIT_PCT, g ? g->awr_difference_pct : NAN);
}

static void emit_artefact(struct emit *m, const struct load_profile *f)
{
    emit_begin(m, "largest_artefact", EMIT_OBJECT);
    emit_num(m, "total_mibps", UNIT_MIBPS, f->artefact_max_mibps);
    emit_time(m, "at", f->artefact_ms);
    emit_text(m, "more_than", f->artefacts ? artefact_why_words(f->artefact_why) : NULL);
    emit_end(m);
}

static void emit_coverage(struct emit *m, const struct load_profile *f)
{
    const struct load_coverage *c = &f->coverage;
    emit_begin(m, "coverage", EMIT_OBJECT);
    emit_num(m, "covered_s", UNIT_S, f->covered_s);
    emit_int(m, "gaps", UNIT_COUNT, (int64_t)c->gaps);
    emit_num(m, "longest_gap_s", UNIT_S, c->gaps ? c->longest_gap_s : NAN);
    emit_time(m, "longest_gap_at", c->longest_gap_ms);
    emit_int(m, "overlaps", UNIT_COUNT, (int64_t)c->overlaps);
    emit_int(m, "duplicates", UNIT_COUNT, (int64_t)c->duplicates);
    emit_int(m, "resets", UNIT_COUNT, (int64_t)c->resets);
    emit_int(m, "folds", UNIT_COUNT, (int64_t)c->folds);
    emit_int(m, "since_boot", UNIT_COUNT, (int64_t)c->since_boot);
    emit_int(m, "untimed", UNIT_COUNT, (int64_t)c->untimed);
    emit_end(m);
}

void emit_hot_volume(struct emit *m, const struct group_demand *g)
{
    static const struct hot_volume not_seen = {
        .used_pct = NAN, .time_ms = UNKNOWN, .mibps = NAN, .counted_iops = NAN, .skew = NAN
    };
    const struct hot_volume *h = g ? &g->hot : &not_seen;
    emit_begin(m, "hot_volume", EMIT_OBJECT);
    emit_text(m, "name", h->name);
    emit_time(m, "at", h->time_ms);
    emit_num(m, "used_pct", UNIT_PCT, h->used_pct);
    emit_num(m, "total_mibps", UNIT_MIBPS, h->mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, h->counted_iops);
    emit_num(m, "skew", UNIT_RATIO, h->skew);
    emit_int(m, "volumes", UNIT_COUNT, (int64_t)h->n_volumes);
    emit_int(m, "volumes_at_ceiling", UNIT_COUNT, (int64_t)h->n_at_ceiling);
    emit_num(m, "ceiling_s", UNIT_S, h->ceiling_seconds);
    emit_end(m);
}

void emit_joined(struct emit *m, const struct joined_group *joined, size_t n)
{
    emit_begin(m, "with", EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        const struct joined_group *g = &joined[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "system", g->system);
        emit_text(m, "group", g->group);
        emit_text(m, "into", g->into);
        emit_text(m, "by", join_by_name(g->by));
        emit_bool(m, "size_known", g->size_known);
        emit_num(m, "together_pct", UNIT_PCT, g->together_pct);
        emit_end(m);
    }
    emit_end(m);
}

void emit_peaks_row(struct emit *m, const struct peaks_row *row)
{
    const struct load_profile *f = &row->profile;
    emit_num(m, "interval_s", UNIT_S, f->interval_s);
    emit_int(m, "samples", UNIT_COUNT, (int64_t)f->samples);
    emit_num(m, "coverage_pct", UNIT_PCT, f->coverage_pct);
    emit_text(m, "grade", grade_name(f->grade));
    emit_time(m, "time_of_max", f->time_of_max_ms);
    emit_rate(m, "request_kib", UNIT_KIB, f->request_kib);
    emit_metrics(m, f);
    emit_list(m, "by_hour", f->by_hour_mibps, 24);
    emit_list(m, "by_weekday", f->by_weekday_mibps, 7);
    emit_begin(m, "peak_second", EMIT_OBJECT);
    emit_num(m, "low", UNIT_MIBPS, f->peak_second.low_mibps);
    emit_num(m, "high", UNIT_MIBPS, f->peak_second.high_mibps);
    emit_num(m, "low_iops", UNIT_IOPS, f->peak_second.low_iops);
    emit_num(m, "high_iops", UNIT_IOPS, f->peak_second.high_iops);
    emit_text(m, "source", f->peak_second.source);
    emit_time(m, "at", f->peak_second.time_ms);
    emit_end(m);
    emit_int(m, "artefacts", UNIT_COUNT, (int64_t)f->artefacts);
    emit_artefact(m, f);
    emit_coverage(m, f);
    emit_hot_volume(m, row->group);
    emit_num(m, "censored_s", UNIT_S, f->censored_s);
    emit_split(m, row->group);
}
