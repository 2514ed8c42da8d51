/* planner/diagnose/group_words.c - see group_words.h. */
#include "planner/diagnose/group_words.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

double group_provisioned_iops(const struct group_demand *g)
{
    double sum = g->group->n_volumes ? 0 : (double)NAN;
    for (size_t i = 0; i < g->group->n_volumes; i++) {
        const struct volume_spec *v = &g->group->volumes[i].spec;
        int64_t iops = v->type == VOL_GP3 && v->iops == UNKNOWN ? 3000 : v->iops;
        sum += iops == UNKNOWN ? (double)NAN : (double)iops * (double)v->count;
    }
    return sum;
}

struct vol_limits volume_limits(const struct run *r, const struct volume_spec *v, int64_t time_ms,
                                int64_t since_ms)
{
    struct vol_limits unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    struct volume_spec spec = *v;
    const struct vol_rule *rule =
        spec.type < VOL_TYPE_COUNT
            ? vol_rule_at(r->catalogue, spec.type, time_ms, r->layout->instance_type, since_ms)
            : NULL;
    if (!rule || spec.size_gib <= 0)
        return unknown;
    vol_fill_defaults(rule, &spec);
    return vol_limits(rule, &spec, false);
}

struct group_ceiling group_carries(const struct run *r, const struct layout_group *g,
                                   int64_t time_ms)
{
    struct group_ceiling c = { g->n_volumes ? 0 : (double)NAN, g->n_volumes ? 0 : (double)NAN,
                               false };
    for (size_t i = 0; i < g->n_volumes; i++) {
        struct vol_limits l =
            volume_limits(r, &g->volumes[i].spec, time_ms, g->volumes[i].since_ms);
        c.max_iops += l.max_iops * (double)g->volumes[i].spec.count;
        c.max_throughput_mibps += l.max_throughput_mibps * (double)g->volumes[i].spec.count;
    }
    return c;
}

static double known(double v)
{
    return isnan(v) ? 0 : v;
}

static double mibps_of(const struct load_series *s, size_t i)
{
    return known(s->read_mibps[i]) + known(s->write_mibps[i]) +
           (s->unsplit_mibps ? known(s->unsplit_mibps[i]) : 0);
}

static void see_series(struct run *r, struct draft *d, const struct load_series *s, size_t i)
{
    draft_see_sample(r, d, s, i, SAMPLE_READS | SAMPLE_WRITES);
}

static double iops_of(const struct load_series *s, size_t i)
{
    return known(s->read_iops[i]) + known(s->write_iops[i]) +
           (s->unsplit_iops ? known(s->unsplit_iops[i]) : 0);
}

/* The member with most of a rate at that instant, and its sample; NULL when none was measured. */
static const struct load_series *busiest_member(const struct group_demand *g, int64_t time_ms,
                                                double (*rate)(const struct load_series *, size_t),
                                                size_t *out_i)
{
    const struct load_series *best = NULL;
    for (size_t m = 0; m < g->n_members; m++) {
        const struct load_series *s = g->members[m].series;
        size_t i = load_series_at(s, time_ms);
        if (i < s->n && (!best || rate(s, i) > rate(best, *out_i))) {
            best = s;
            *out_i = i;
        }
    }
    return best;
}

void see_group_requests(struct run *r, struct draft *d, const struct group_demand *g,
                        int64_t time_ms)
{
    size_t i = 0;
    const struct load_series *s = busiest_member(g, time_ms, iops_of, &i);
    if (s)
        see_series(r, d, s, i);
}

void see_group(struct run *r, struct draft *d, const struct group_demand *g, int64_t time_ms)
{
    size_t best_i = 0;
    const struct load_series *best = busiest_member(g, time_ms, mibps_of, &best_i);
    if (best) {
        see_series(r, d, best, best_i);
        return;
    }
    /* the instant is that of an AWR period which the devices do not cover */
    for (size_t k = 0; r->load && k < r->load->n_series; k++) {
        const struct load_series *s = &r->load->series[k];
        size_t i = s->kind == SERIES_FILETYPE ? load_series_at(s, time_ms) : s->n;
        for (size_t f = 0; i < s->n && f < g->n_split; f++)
            if (strcmp(g->split[f].name, s->name) == 0 &&
                (!best || mibps_of(s, i) > mibps_of(best, best_i))) {
                best = s;
                best_i = i;
            }
    }
    if (best)
        see_series(r, d, best, best_i);
}

void see_group_member(struct run *r, struct draft *d, const struct group_demand *g,
                      const char *name, int64_t time_ms)
{
    for (size_t m = 0; name && m < g->n_members; m++) {
        const struct load_series *s = g->members[m].series;
        size_t i = load_series_at(s, time_ms);
        if (i < s->n && strcmp(s->name, name) == 0)
            see_series(r, d, s, i);
    }
}

void see_host(struct run *r, struct draft *d, int64_t time_ms, int shown)
{
    double below = INFINITY;
    size_t last = 0; /* of equal ones the next */
    for (int n = 0; n < shown; n++) {
        const struct load_series *best = NULL;
        size_t best_i = 0, best_no = 0, no = 0;
        for (size_t g = 0; g < r->demand->n_groups; g++)
            for (size_t m = 0; m < r->demand->groups[g].n_members; m++) {
                const struct load_series *s = r->demand->groups[g].members[m].series;
                size_t i = load_series_at(s, time_ms);
                double v = i < s->n ? mibps_of(s, i) : (double)NAN;
                no++;
                if ((v < below || (v == below && no > last)) &&
                    (!best || v > mibps_of(best, best_i))) {
                    best = s;
                    best_i = i;
                    best_no = no;
                }
            }
        if (!best)
            break;
        below = mibps_of(best, best_i);
        last = best_no;
        see_series(r, d, best, best_i);
    }
    /* the instant is that of an AWR period */
    for (size_t g = 0; !last && g < r->demand->n_groups; g++)
        see_group(r, d, &r->demand->groups[g], time_ms);
}

/* Of a guessed layout: what the EC2 API said of them. */
static void see_described(struct run *r, struct draft *d, const struct layout_group *g)
{
    for (size_t k = 0; k < g->n_volume_ids; k++)
        for (size_t i = 0; i < r->load->n_volumes; i++) {
            const struct stored_volume *v = &r->load->volumes[i];
            char spec[96];
            if (span_is(v->config.volume_id, g->volume_ids[k]))
                draft_see(r, d, v->file_id, v->config.line, UNKNOWN, "%s: %s", g->volume_ids[k],
                          volume_spec_format(spec, &v->config.spec));
        }
}

void see_volumes(struct run *r, struct draft *d, const struct group_demand *g)
{
    if (!r->layout_given) {
        see_described(r, d, g->group);
        return;
    }
    for (size_t i = 0; i < g->group->n_volumes; i++) {
        char spec[96];
        draft_see_layout(r, d, r->layout_file, g->group->name, "%s",
                         volume_spec_format(spec, &g->group->volumes[i].spec));
    }
}

void see_left_out(struct run *r, struct draft *d, const struct group_demand *g)
{
    for (size_t m = 0; m < g->n_members; m++) {
        const struct load_series *s = g->members[m].series;
        if (s->n_artefacts && s->n) {
            see_series(r, d, s, 0);
            return;
        }
    }
}

const char *time_words(struct run *r, int64_t time_ms)
{
    char iso[32];
    time_format_iso(iso, time_ms);
    char *t = strchr(iso, 'T');
    if (t) {
        *t = ' ';
        t[sizeof "Thh:mm" - 1] = '\0';
    }
    return arena_strdup(r->arena, iso);
}

const char *minutes_words(struct run *r, double seconds)
{
    char words[48];
    double minutes = round(seconds / 60);
    const char *t = seconds < 60
                        ? arena_printf(r->arena, "%.0f seconds", seconds)
                        : arena_printf(r->arena, "%s minute%s", unit_format(words, minutes, 0),
                                       minutes > 1 ? "s" : "");
    r->failed |= !t;
    return t;
}
