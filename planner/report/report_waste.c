/* planner/report/report_waste.c - see report_waste.h. */
#include "planner/report/report_waste.h"

#include "planner/report/emit_option.h"

#include <stdio.h>

enum { VOLUMES_SHOWN = 12 }; /* to people */

static char *billed_spec(char buf[96], const struct volume_spec *v)
{
    char size[48], iops[48], mibps[48];
    unit_format(size, v->size_gib == UNKNOWN ? NAN : (double)v->size_gib, 0);
    unit_format(iops, v->iops == UNKNOWN ? NAN : (double)v->iops, 0);
    unit_format(mibps, v->throughput_mibps == UNKNOWN ? NAN : (double)v->throughput_mibps, 0);
    snprintf(buf, 96, "%s %.20sG%s%.20s%s%.20s", volume_type_name(v->type), size,
             v->iops == UNKNOWN ? "" : " ", v->iops == UNKNOWN ? "" : iops,
             v->throughput_mibps == UNKNOWN ? "" : "/",
             v->throughput_mibps == UNKNOWN ? "" : mibps);
    return buf;
}

static int64_t saving_of(const struct waste_volume *v)
{
    return v->needed.count ? v->saving_microusd : v->equal_gp3_saving_microusd;
}

/* measured: any volume was, so that the table has columns for it. */
static void put_volume_cells(struct emit *m, const struct waste_volume *v, bool measured)
{
    char spec[96], usd[48], mibps[48], p99[48], iops[48];
    const struct group_demand *d = v->demand;
    emit_cell(m, "was", "%s", billed_spec(spec, &v->billed->spec));
    emit_cell(m, "paid", "%s", unit_format_usd(usd, v->paid_microusd));
    if (measured && !d) {
        emit_cell(m, "mibps", "-");
        emit_cell(m, "p99", "-");
        emit_cell(m, "iops_used", "-");
    } else if (d) {
        emit_cell(m, "mibps", "%s %s", grade_glyph(d->demand.grade),
                  rate_words(mibps, d->demand.total_mibps));
        emit_cell(m, "p99", "%s", rate_words(p99, d->profile.metrics[METRIC_TOTAL_MIBPS].p99));
        emit_cell(m, "iops_used", "%s", unit_format(iops, d->demand.counted_iops, 0));
    }
    if (v->needed.count)
        emit_cell(m, "would", "%s%s%s", v->lower_bound ? ">= " : "", short_spec(spec, &v->needed),
                  v->n_in_group > 1 ? " (group)" : "");
    else if (v->equal_gp3.count)
        emit_cell(m, "would", "%s%s", v->equal_gp3_is_least ? ">= " : "",
                  short_spec(spec, &v->equal_gp3));
    else
        emit_cell(m, "would", "-");
    int64_t saving = saving_of(v);
    emit_cell(m, "month", "%s", unit_format_usd(usd, saving));
    emit_cell(m, "year", "%s", unit_format_usd(usd, saving == UNKNOWN ? UNKNOWN : 12 * saving));
}

static void emit_used(struct emit *m, const struct group_demand *d)
{
    emit_begin(m, "used", EMIT_OBJECT);
    emit_num(m, "max_mibps", UNIT_MIBPS, d ? d->demand.total_mibps : NAN);
    emit_num(m, "p99_mibps", UNIT_MIBPS, d ? d->profile.metrics[METRIC_TOTAL_MIBPS].p99 : NAN);
    emit_num(m, "max_iops", UNIT_IOPS, d ? d->total_iops : NAN);
    emit_num(m, "max_counted_iops", UNIT_IOPS, d ? d->demand.counted_iops : NAN);
    emit_num(m, "p99_counted_iops", UNIT_IOPS,
             d ? d->profile.metrics[METRIC_COUNTED_IOPS].p99 : NAN);
    emit_time(m, "time_of_max", d ? d->demand.time_of_max_ms : UNKNOWN);
    emit_end(m);
}

static void emit_needed(struct emit *m, const struct waste_volume *v)
{
    if (!v->needed.count) {
        emit_null(m, "needed");
        return;
    }
    emit_begin(m, "needed", EMIT_OBJECT);
    emit_spec_values(m, &v->needed);
    emit_usd(m, "total_usd", v->needed_microusd);
    emit_end(m);
}

static void emit_volume(struct emit *m, const struct waste_volume *v, bool measured)
{
    char spec[96], needed[96], equal[96];
    const struct bill_volume *b = v->billed;
    const struct group_demand *d = v->demand;
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "volume_id", b->resource);
    emit_text(m, "spec", b->spec.size_gib == UNKNOWN ? NULL : volume_spec_format(spec, &b->spec));
    emit_spec_values(m, &b->spec);
    emit_usd(m, "paid_usd", v->paid_microusd);
    emit_text(m, "needed_spec", v->needed.count ? volume_spec_format(needed, &v->needed) : NULL);
    emit_needed(m, v);
    emit_usd(m, "needed_usd", v->needed_microusd);
    emit_usd(m, "saving_usd", v->saving_microusd);
    emit_usd(m, "saving_year_usd",
             v->saving_microusd == UNKNOWN ? UNKNOWN : 12 * v->saving_microusd);
    emit_text(m, "grade", d ? grade_name(d->demand.grade) : NULL);
    emit_bool(m, "lower_bound", v->lower_bound);
    emit_text(m, "system", v->system);
    emit_text(m, "group", v->group);
    emit_used(m, d);
    emit_num(m, "iops_used_pct", UNIT_PCT, v->iops_used_pct);
    emit_usd(m, "headroom_usd", v->headroom_microusd);
    emit_usd(m, "peak_usd", v->peak_microusd);
    emit_usd(m, "peak_hour_usd", v->peak_hour_microusd);
    emit_text(m, "equal_gp3_spec",
              v->equal_gp3.count ? volume_spec_format(equal, &v->equal_gp3) : NULL);
    emit_usd(m, "equal_gp3_saving_usd", v->equal_gp3_saving_microusd);
    emit_bool(m, "equal_gp3_lower_bound", v->equal_gp3_is_least);
    emit_bool(m, "unattached", v->unattached);
    if (d)
        emit_bool(m, "never_read", v->never_read);
    else
        emit_null(m, "never_read");
    put_volume_cells(m, v, measured);
    emit_end(m);
}

/* The largest saving first. */
static int64_t weight_of(const struct waste_volume *v)
{
    int64_t saving = saving_of(v);
    return saving != UNKNOWN ? saving : -1;
}

/* Measured, or cheaper as gp3. */
static bool is_worth_a_row(const struct waste_volume *v)
{
    return v->demand || v->equal_gp3.count;
}

size_t waste_rows(const struct waste *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n_volumes; i++)
        n += is_worth_a_row(&w->volumes[i]);
    return n;
}

static void emit_volumes_for_people(struct emit *m, const struct waste *w, size_t n)
{
    int64_t below = INT64_MAX;
    size_t shown = 0;
    while (shown < VOLUMES_SHOWN && shown < n) {
        int64_t best = INT64_MIN;
        for (size_t i = 0; i < w->n_volumes; i++)
            if (is_worth_a_row(&w->volumes[i]) && weight_of(&w->volumes[i]) < below &&
                weight_of(&w->volumes[i]) > best)
                best = weight_of(&w->volumes[i]);
        if (best == INT64_MIN)
            return;
        for (size_t i = 0; i < w->n_volumes && shown < VOLUMES_SHOWN; i++)
            if (is_worth_a_row(&w->volumes[i]) && weight_of(&w->volumes[i]) == best) {
                emit_volume(m, &w->volumes[i], w->n_measured > 0);
                shown++;
            }
        below = best;
    }
}

void emit_waste_volumes(struct emit *m, const struct waste *w)
{
    static const struct emit_col cols[] = {
        { "volume_id", "volume", true },   { "was", "billed", true },
        { "paid", "USD/month", false },    { "mibps", "MiB/s used", false },
        { "would", "would do", true },     { "month", "saves a month", false },
        { "p99", "p99 MiB/s", false },     { "iops_used", "counted IOPS", false },
        { "year", "saves a year", false },
    };
    size_t rows = waste_rows(w);
    if (m->people && !w->n_measured) {
        /* Nothing of what was used: the columns would be dashes. */
        static const struct emit_col unmeasured[] = {
            { "volume_id", "volume", true },     { "was", "billed", true },
            { "paid", "USD/month", false },      { "would", "gp3 as fast", true },
            { "month", "saves a month", false }, { "year", "a year", false },
        };
        emit_table(m, "volumes", unmeasured, sizeof unmeasured / sizeof *unmeasured);
    } else
        emit_table(m, "volumes", cols, sizeof cols / sizeof *cols);
    if (m->people)
        emit_volumes_for_people(m, w, rows);
    else
        for (size_t i = 0; i < w->n_volumes; i++)
            emit_volume(m, &w->volumes[i], w->n_measured > 0);
    emit_end(m);
    if (rows > VOLUMES_SHOWN)
        emit_say(m, "%zu more volumes: --json", rows - VOLUMES_SHOWN);
}
