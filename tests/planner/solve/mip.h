/* tests/planner/solve/mip.h - a system as a mixed-integer program, in the LP format of CPLEX.
 *
 * Written from the rows of the catalogue (fact_rows.h), not from what the solver makes of them.
 * For every group, allowed type and count there is a choice y; with it come the integer size s,
 * IOPS i (and MiB/s t) of one volume, which are 0 without it:
 *
 *   one choice a group                   sum y = 1
 *   slots of the host                    sum count * y <= slots
 *   carries the need                     count * s >= GIB y,  count * i >= IOPS y,  count * t >=
 * MIBPS y within the type's least and most     least y <= s, i, t <= most y IOPS within the ratio
 * to GiB         i <= ratio s, though the included ones always: i <= ratio s + most f, i <=
 * included f + most (1 - f), f binary MiB/s within the ratio to IOPS       t <= ratio i MiB/s along
 * corners (io1, io2)       i = sum of pieces p between corners, in order by binaries; count * sum
 * slope p >= MIBPS y price of IOPS in tiers               i = sum of tiers q, in order by binaries,
 * each at its price sized types                          count * (what a GiB sustains) * s >= need,
 * and the caps
 *
 * Least: sum of count * price + charge * (count - 1), in micro-dollars. */
#ifndef TESTS_PLANNER_SOLVE_MIP_H
#define TESTS_PLANNER_SOLVE_MIP_H

#include "tests/planner/solve/enumeration.h"

struct mip_group {
    unsigned types;
    int64_t min_count, max_count;
    double iops, mibps; /* whole numbers, headroom included */
    int64_t gib;
};

struct mip_system {
    const struct fact_rows *facts;
    const char *region, *day;
    const struct mip_group *groups;
    size_t n_groups;
    int64_t slots, charge_microusd;
};

/* The text in its four sections. */
struct mip_text {
    FILE *objective, *rows, *bounds, *general, *binary;
};

/* A choice: group, type and count. */
struct mip_choice {
    const struct fact_rule *rule;
    char id[64]; /* "0_gp3_2" */
    double count;
};

/* Micro-dollars of one unit within a tier. */
static inline double tier_microusd(const struct fact_price *p)
{
    return (double)p->picousd / 1e6;
}

/* A row: least <= sum of terms written before. */
static inline void mip_within(struct mip_text *t, const struct mip_choice *c, char var,
                              double least, double most)
{
    fprintf(t->rows, " %c%s - %.0f y%s >= 0\n %c%s - %.0f y%s <= 0\n", var, c->id, least, c->id,
            var, c->id, most, c->id);
    fprintf(t->general, " %c%s\n", var, c->id);
}

/* The pieces of amount variable `var` named `piece`: each at most as long as it is, the next only
 * when it is full. */
static inline void mip_pieces(struct mip_text *t, const struct mip_choice *c, char var, char piece,
                              const double *ends, size_t n)
{
    fprintf(t->rows, " %c%s", var, c->id);
    for (size_t k = 0; k < n; k++)
        fprintf(t->rows, " - %c%s_%zu", piece, c->id, k);
    fprintf(t->rows, " = 0\n");
    for (size_t k = 0; k < n; k++) {
        double length = ends[k] - (k ? ends[k - 1] : 0);
        if (k == 0) {
            fprintf(t->rows, " %c%s_0 - %.9g y%s <= 0\n", piece, c->id, length, c->id);
            continue;
        }
        /* b: the piece before is full */
        double before = ends[k - 1] - (k > 1 ? ends[k - 2] : 0);
        fprintf(t->rows, " %c%s_%zu - %.9g b%c%s_%zu <= 0\n", piece, c->id, k, length, piece, c->id,
                k);
        fprintf(t->rows, " %c%s_%zu - %.9g b%c%s_%zu >= 0\n", piece, c->id, k - 1, before, piece,
                c->id, k);
        fprintf(t->binary, " b%c%s_%zu\n", piece, c->id, k);
    }
}

static inline void mip_tiers(struct mip_text *t, const struct mip_system *s,
                             const struct mip_choice *c, const char *component, char var,
                             double most)
{
    double ends[8], prices[8];
    size_t n = 0;
    bool priced = false;
    for (double at = 0; at < most && n < 8;) {
        bool found = false;
        for (size_t i = 0; i < s->facts->n_prices && !found; i++) {
            const struct fact_price *p = &s->facts->price[i];
            if (strcmp(p->region, s->region) != 0 || strcmp(p->type, c->rule->type) != 0 ||
                strcmp(p->component, component) != 0 || (double)p->from > at ||
                (p->to != INT64_MAX && (double)p->to <= at))
                continue;
            found = true;
            ends[n] = at = p->to == INT64_MAX ? most : fmin((double)p->to, most);
            prices[n++] = tier_microusd(p);
            priced |= p->picousd > 0;
        }
        if (!found)
            break;
    }
    if (!priced)
        return;
    if (n == 1) {
        fprintf(t->objective, " + %.9g %c%s\n", c->count * prices[0], var, c->id);
        return;
    }
    char piece = var == 'i' ? 'q' : 'u';
    mip_pieces(t, c, var, piece, ends, n);
    for (size_t k = 0; k < n; k++)
        if (prices[k] > 0)
            fprintf(t->objective, " + %.9g %c%s_%zu\n", c->count * prices[k], piece, c->id, k);
}

static inline void mip_provisioned(struct mip_text *t, const struct mip_system *s,
                                   const struct mip_group *g, const struct mip_choice *c)
{
    const struct fact_rule *r = c->rule;
    const char *id = c->id;
    mip_within(t, c, 'i', r->min_iops, r->max_iops);
    fprintf(t->rows, " %.0f i%s - %.9g y%s >= 0\n", c->count, id, g->iops, id);
    if (isnan(r->included_iops)) {
        fprintf(t->rows, " i%s - %.9g s%s <= 0\n", id, r->iops_per_gib_max, id);
    } else {
        fprintf(t->rows, " i%s - %.9g s%s - %.9g f%s <= 0\n", id, r->iops_per_gib_max, id,
                r->max_iops, id);
        fprintf(t->rows, " i%s + %.9g f%s <= %.9g\n", id, r->max_iops - r->included_iops, id,
                r->max_iops);
        fprintf(t->binary, " f%s\n", id);
    }
    if (!isnan(r->included_mibps)) {
        mip_within(t, c, 't', r->included_mibps, r->max_mibps);
        fprintf(t->rows, " %.0f t%s - %.9g y%s >= 0\n", c->count, id, g->mibps, id);
        fprintf(t->rows, " t%s - %.9g i%s <= 0\n", id, r->mibps_per_iops_max, id);
        mip_tiers(t, s, c, "throughput_mibps_month", 't', r->max_mibps);
    } else {
        double ends[FACT_CORNERS + 1], slopes[FACT_CORNERS + 1];
        size_t n = 0;
        double x = 0, y = 0;
        for (; n < r->n_corners; n++) {
            ends[n] = r->corner[n].iops;
            slopes[n] = (r->corner[n].mibps - y) / (r->corner[n].iops - x);
            x = r->corner[n].iops;
            y = r->corner[n].mibps;
        }
        if (x < r->max_iops) {
            ends[n] = r->max_iops;
            slopes[n++] = 0;
        }
        mip_pieces(t, c, 'i', 'p', ends, n);
        for (size_t k = 0; k < n; k++)
            if (slopes[k] > 0)
                fprintf(t->rows, " + %.12g p%s_%zu", c->count * slopes[k], id, k);
        fprintf(t->rows, " - %.9g y%s >= 0\n", g->mibps, id);
    }
    mip_tiers(t, s, c, "iops_month", 'i', r->max_iops);
}

/* What a GiB sustains, and caps that no size lifts: of a choice that cannot be, y = 0. */
static inline void mip_sized(struct mip_text *t, const struct mip_group *g,
                             const struct mip_choice *c)
{
    const struct fact_rule *r = c->rule;
    double iops_cap = r->max_iops, mibps_cap = r->max_mibps;
    double iops_per_gib = 0, mibps_per_gib = 0, iops_floor = 0, mibps_floor = 0;
    if (!isnan(r->baseline_iops_per_gib)) {
        iops_per_gib = r->baseline_iops_per_gib;
        mibps_per_gib = iops_per_gib * r->io_cap_kib / 1024;
        iops_floor = r->min_iops;
        mibps_floor = iops_floor * r->io_cap_kib / 1024;
    } else if (!isnan(r->base_mibps_per_tib)) {
        mibps_per_gib = iops_per_gib = r->base_mibps_per_tib / 1024;
        mibps_cap = fmin(mibps_cap, r->max_base_mibps);
        iops_cap = fmin(iops_cap, mibps_cap);
    } else {
        iops_cap = iops_floor = r->sustained_iops;
        mibps_cap = mibps_floor = r->sustained_mibps;
    }
    if (g->iops > c->count * iops_cap || g->mibps > c->count * mibps_cap) {
        fprintf(t->rows, " y%s = 0\n", c->id);
        return;
    }
    if (g->iops > c->count * iops_floor)
        fprintf(t->rows, " %.12g s%s - %.9g y%s >= 0\n", c->count * iops_per_gib, c->id, g->iops,
                c->id);
    if (g->mibps > c->count * mibps_floor)
        fprintf(t->rows, " %.12g s%s - %.9g y%s >= 0\n", c->count * mibps_per_gib, c->id, g->mibps,
                c->id);
    /* up to small_gib at most small_mibps, whatever the rest allows */
    if (g->mibps > c->count * r->small_mibps)
        fprintf(t->rows, " s%s - %.0f y%s >= 0\n", c->id, r->small_gib + 1, c->id);
}

static inline void mip_choice(struct mip_text *t, const struct mip_system *s, size_t group,
                              const struct fact_rule *r, int64_t count)
{
    const struct mip_group *g = &s->groups[group];
    struct mip_group need = *g;
    struct mip_choice c = { .rule = r, .count = (double)count };
    snprintf(c.id, sizeof c.id, "%zu_%s_%lld", group, r->type, (long long)count);
    need.iops = fmax(g->iops, r->io_cap_kib > 256 ? g->mibps : g->mibps * 4);
    fprintf(t->binary, " y%s\n", c.id);
    if (count > 1 && s->charge_microusd)
        fprintf(t->objective, " + %lld y%s\n", (long long)(s->charge_microusd * (count - 1)), c.id);
    mip_within(t, &c, 's', r->min_gib, r->max_gib);
    fprintf(t->rows, " %.0f s%s - %lld y%s >= 0\n", c.count, c.id, (long long)g->gib, c.id);
    mip_tiers(t, s, &c, "storage_gib_month", 's', r->max_gib);
    if (takes_iops(r))
        mip_provisioned(t, s, &need, &c);
    else
        mip_sized(t, &need, &c);
}

static inline bool mip_sold(const struct mip_system *s, const char *type)
{
    for (size_t i = 0; i < s->facts->n_prices; i++)
        if (!strcmp(s->facts->price[i].region, s->region) && !strcmp(s->facts->price[i].type, type))
            return true;
    return false;
}

static inline void mip_append(FILE *out, const char *head, char *text)
{
    fprintf(out, "%s\n%s", head, text);
    free(text);
}

static inline void mip_write(const struct mip_system *s, FILE *out)
{
    char *text[4];
    size_t size[4];
    struct mip_text t = { .objective = open_memstream(&text[0], &size[0]),
                          .rows = open_memstream(&text[1], &size[1]),
                          .general = open_memstream(&text[2], &size[2]),
                          .binary = open_memstream(&text[3], &size[3]) };
    char *slots = NULL;
    size_t slots_size;
    FILE *sum = open_memstream(&slots, &slots_size);
    for (size_t g = 0; g < s->n_groups; g++) {
        char *one = NULL;
        size_t one_size;
        FILE *choices = open_memstream(&one, &one_size);
        for (int k = 0; k < VOL_TYPE_COUNT; k++) {
            const struct fact_rule *r =
                rule_on(s->facts, volume_type_name((enum volume_type)k), s->day, NULL);
            if (!(s->groups[g].types & 1u << k) || !r || !mip_sold(s, r->type))
                continue;
            for (int64_t c = s->groups[g].min_count; c <= s->groups[g].max_count; c++) {
                mip_choice(&t, s, g, r, c);
                fprintf(choices, " + y%zu_%s_%lld\n", g, r->type, (long long)c);
                fprintf(sum, " + %lld y%zu_%s_%lld\n", (long long)c, g, r->type, (long long)c);
            }
        }
        fclose(choices);
        fprintf(t.rows, "%s = 1\n", one);
        free(one);
    }
    fclose(sum);
    fprintf(t.rows, "%s <= %lld\n", slots, (long long)s->slots);
    free(slots);
    fclose(t.objective);
    fclose(t.rows);
    fclose(t.general);
    fclose(t.binary);
    mip_append(out, "Minimize\n cost:", text[0]);
    mip_append(out, "Subject To", text[1]);
    mip_append(out, "General", text[2]);
    mip_append(out, "Binary", text[3]);
    fprintf(out, "End\n");
}

#endif
