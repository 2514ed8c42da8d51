/* tests/planner/solve/test_enumeration.c - every (type, count) the solver prices, against a walk
 * over all specs.
 *
 * For each row of models/facts/volume_rules.csv one rule pack in small (scaled_pack.h), and all of
 * them together by date.  Random needs are solved, and walked by enumeration.h: the same counts
 * meet the need, at the same price, in the same order.  A need has under 20 000 specs.  Seed
 * printed; FULL=1 tries 10 000 needs. */
#include "models/core/timestamp.h"
#include "planner/check/plan_check.h"
#include "planner/solve/size.h"
#include "tests/planner/solve/enumeration.h"
#include "tests/planner/solve/scaled_pack.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNT_MAX = 8, SPECS_MAX = 20000, TOP = 1000 };

static const char *const regions[] = { "us-east-1", "af-south-1", "eu-central-1" };
enum { REGIONS = sizeof regions / sizeof *regions };

/* A Nitro type, one whose family had Block Express from 2021-07-19, a Xen type. */
static const char *const instance_names[] = { "m5.xlarge", "r5b.large", "r4.large" };

static struct fact_rows real;
static uint64_t seed;

struct pack {
    struct fact_rows rows;
    struct catalogue catalogue;
};
static struct pack packs[GRAINS * FACT_RULES + 1]; /* two a rule, then all together */
static size_t n_packs;

/* One random need and everything that its walk takes. */
struct trial {
    const struct pack *pack;
    struct size_need need;
    struct size_options options;
    const char *day;
    bool xen;
};

static enum volume_type type_of(const char *name)
{
    enum volume_type t;
    if (volume_type_parse(span_of(name), &t))
        fail_msg("%s is no type", name);
    return t;
}

/* --- random needs ----------------------------------------------------------------------------- */

static int64_t day_ms_of(const char *date)
{
    struct span s = span_of(date);
    int64_t t = UNKNOWN;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static double maybe(struct seeded *s, int pct, double v)
{
    return seeded_chance(s, pct) ? v : NAN;
}

static void random_trial(struct seeded *s, struct trial *t)
{
    static const char *const days[] = { "2016-01-01", "2018-12-01", "2019-06-01", "2021-01-01",
                                        "2021-07-19", "2022-06-01", "2023-11-20", "2023-11-21",
                                        "2025-04-30", "2025-09-25", "2025-09-26", "2026-06-01" };
    bool together = seeded_chance(s, 25);
    *t = (struct trial){
        .pack = &packs[together ? n_packs - 1 : (size_t)seeded_int(s, 0, (int64_t)n_packs - 2)],
        .day = days[seeded_int(s, 0, 11)]
    };
    struct size_options *o = &t->options;
    size_options_init(o, &t->pack->catalogue, day_ms_of(t->day));
    int64_t instance = seeded_int(s, -2, 2);
    o->instance_type = instance < 0 ? NULL : instance_names[instance];
    t->xen = instance == 2;
    o->region = regions[seeded_int(s, 0, REGIONS - 1)];
    const struct fact_rule *r = &t->pack->rows.rule[0];
    o->types =
        together ? (unsigned)seeded_int(s, 1, (1 << VOL_TYPE_COUNT) - 1) : 1u << type_of(r->type);
    o->max_count = seeded_int(s, 1, COUNT_MAX);
    o->min_count = seeded_chance(s, 30) ? seeded_int(s, 1, o->max_count) : 1;
    o->headroom_pct = seeded_chance(s, 50) ? (double)seeded_int(s, 0, 6) * 7.5 : 0;
    o->copies = seeded_chance(s, 20) ? (int)seeded_int(s, 2, 3) : 1;
    o->per_volume_microusd = seeded_int(s, 0, 2) * 5000000;
    o->size_step_gib = seeded_chance(s, 20) ? seeded_int(s, 2, 5) : 1;
    o->min_iops = seeded_chance(s, 15) ? seeded_int(s, 1, (int64_t)r->max_iops) : 0;
    o->min_durability_pct = maybe(s, 10, 99.9);
    o->max_latency_class = seeded_chance(s, 10) ? "single-digit ms" : NULL;
    o->top = TOP;

    /* Mostly within what the counts carry, now and then beyond. */
    if (together)
        r = &t->pack->rows.rule[seeded_int(s, 0, (int64_t)t->pack->rows.n_rules - 1)];
    double all = (double)o->max_count, reach = seeded_chance(s, 90) ? seeded_real(s, 0.7) : 1.3;
    double most_mibps = isnan(r->sustained_mibps) ? r->max_mibps : r->sustained_mibps;
    double most_iops = isnan(r->sustained_iops) ? r->max_iops : r->sustained_iops;
    double mibps = maybe(s, 75, seeded_real(s, fmin(most_mibps, most_iops / 4) * all * reach));
    double iops = maybe(s, 75, seeded_real(s, most_iops * all * reach));
    if (seeded_chance(s, 50)) { /* divides by the counts without a rest */
        mibps = floor(mibps);
        iops = floor(iops);
    }
    double counted = fmax(isnan(iops) ? 0 : iops, isnan(mibps) ? 0 : mibps * 4);
    t->need = (struct size_need){ .iops = iops,
                                  .throughput_mibps = mibps,
                                  .io_kib = NAN,
                                  .counted_iops = maybe(s, 25, counted * (1 + seeded_real(s, 0.3))),
                                  .counted_iops_high = NAN,
                                  .size_gib =
                                      seeded_int(s, 1, 1 + (int64_t)(r->max_gib * all * reach / 2)),
                                  .write_pct = (double)seeded_int(s, 0, 100) };
}

/* --- the walk --------------------------------------------------------------------------------- */

static struct whole_need need_on(const struct trial *t, const struct fact_rule *r)
{
    const struct size_options *o = &t->options;
    const struct size_need *n = &t->need;
    double factor = (1 + o->headroom_pct / 100) *
                    (o->copies == 1 ? 1 : 1 + (o->copies - 1) * n->write_pct / 100);
    return whole_need_of(r, n->iops, n->counted_iops, n->throughput_mibps, factor,
                         (double)o->min_iops, n->size_gib * o->copies, o->size_step_gib);
}

struct walked {
    struct legal_spec spec;
    const char *type;
    int64_t count, rank_microusd;
    int latency;
};

static int in_order(const void *va, const void *vb)
{
    const struct walked *a = va, *b = vb;
    if (a->rank_microusd != b->rank_microusd)
        return a->rank_microusd < b->rank_microusd ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    if (a->latency != b->latency)
        return a->latency - b->latency;
    int by_name = strcmp(a->type, b->type);
    return by_name ? by_name : (a->spec.gib < b->spec.gib) - (a->spec.gib > b->spec.gib);
}

/* Returns the number found; fewer counts are tried where specs would be too many. */
static size_t walk(struct trial *t, struct walked *out)
{
    static struct legal_spec room[VOL_TYPE_COUNT][SPECS_MAX];
    struct legal_list lists[VOL_TYPE_COUNT];
    const struct fact_rule *rules[VOL_TYPE_COUNT] = { NULL };
    size_t n_specs = 0, n = 0;
    struct size_options *o = &t->options;
    for (int k = 0; k < VOL_TYPE_COUNT; k++) {
        if (!(o->types & 1u << k))
            continue;
        rules[k] = rule_on(&t->pack->rows, volume_type_name((enum volume_type)k), t->day,
                           o->instance_type);
        if (!rules[k] || !policy_allows(rules[k], o->min_durability_pct, o->max_latency_class))
            continue;
        lists[k] = (struct legal_list){ room[k], 0, SPECS_MAX, false };
        legal_walk(&t->pack->rows, rules[k], o->region, t->xen, &lists[k]);
        n_specs += lists[k].n;
    }
    int64_t counts = n_specs ? SPECS_MAX / (int64_t)n_specs : COUNT_MAX;
    assert_true(counts > 0);
    if (o->max_count - o->min_count >= counts)
        o->max_count = o->min_count + counts - 1;
    for (int k = 0; k < VOL_TYPE_COUNT; k++) {
        if (!rules[k] || !policy_allows(rules[k], o->min_durability_pct, o->max_latency_class) ||
            !lists[k].sold)
            continue;
        struct whole_need need = need_on(t, rules[k]);
        for (int64_t count = o->min_count; count <= o->max_count; count++) {
            const struct legal_spec *s = walk_cheapest(&lists[k], count, &need);
            if (s)
                out[n++] =
                    (struct walked){ *s, rules[k]->type, count,
                                     s->microusd * count + o->per_volume_microusd * (count - 1),
                                     *rules[k]->latency ? latency_rank(rules[k]->latency) : 3 };
        }
    }
    qsort(out, n, sizeof *out, in_order);
    return n;
}

static void say_trial(const struct trial *t, const char *what, uint64_t index)
{
    const struct size_need *n = &t->need;
    const struct size_options *o = &t->options;
    print_error("seed %llu, need %llu: %s\n  %s, %s, types %x, %lld to %lld volumes, xen %d: "
                "%g IOPS (counted %g), %g MiB/s, %lld GiB in steps of %lld, headroom %g, copies %d "
                "of %g %%, at least %lld IOPS\n",
                (unsigned long long)seed, (unsigned long long)index, what,
                t->pack->rows.rule[0].pack, t->day, o->types, (long long)o->min_count,
                (long long)o->max_count, t->xen, n->iops, n->counted_iops, n->throughput_mibps,
                (long long)n->size_gib, (long long)o->size_step_gib, o->headroom_pct, o->copies,
                n->write_pct, (long long)o->min_iops);
}

/* NULL, or what differs. */
static const char *difference(const struct walked *w, size_t n, const struct size_result *r)
{
    if (r->n_options != n)
        return "other (type, count) meet it";
    if (r->status != (n ? PLAN_BEST : PLAN_NONE))
        return "another status";
    for (size_t i = 0; i < n; i++) {
        const struct size_option *o = &r->options[i];
        if (strcmp(volume_type_name(o->spec.type), w[i].type) != 0 || o->spec.count != w[i].count)
            return "another order";
        if (o->rank_microusd != w[i].rank_microusd)
            return "another price";
        if (o->spec.size_gib != w[i].spec.gib || o->spec.iops != w[i].spec.iops ||
            o->spec.throughput_mibps != w[i].spec.mibps)
            return "another spec";
    }
    return NULL;
}

static void test_needs(void **state)
{
    (void)state;
    int n_needs = getenv("FULL") ? 10000 : 1000, n_none = 0;
    size_t n_options = 0;
    for (int i = 0; i < n_needs; i++) {
        struct seeded s = seeded_case(seed, (uint64_t)i);
        struct trial t;
        struct walked w[VOL_TYPE_COUNT * COUNT_MAX];
        struct arena a = { 0 };
        struct size_result r;
        struct err e = { 0 };
        random_trial(&s, &t);
        size_t n = walk(&t, w);
        if (size_solve(&t.need, &t.options, &a, &r, &e) || size_check(&r, &e)) {
            say_trial(&t, e.text, (uint64_t)i);
            fail();
        }
        const char *differs = difference(w, n, &r);
        if (differs) {
            say_trial(&t, differs, (uint64_t)i);
            for (size_t k = 0; k < n || k < r.n_options; k++) {
                char spec[96] = "-";
                if (k < r.n_options)
                    volume_spec_format(spec, &r.options[k].spec);
                print_error("  solved %s %lld; walked %s x %lld %lld GiB %lld %lld: %lld\n", spec,
                            k < r.n_options ? (long long)r.options[k].rank_microusd : 0,
                            k < n ? w[k].type : "-", k < n ? (long long)w[k].count : 0,
                            k < n ? (long long)w[k].spec.gib : 0,
                            k < n ? (long long)w[k].spec.iops : 0,
                            k < n ? (long long)w[k].spec.mibps : 0,
                            k < n ? (long long)w[k].rank_microusd : 0);
            }
            fail();
        }
        n_none += n == 0;
        n_options += n;
        arena_release(&a);
    }
    printf("%d needs, %zu options equal, %d that nothing meets\n", n_needs, n_options, n_none);
    assert_true(n_none < n_needs / 2);
}

int main(void)
{
    fact_rows_read(&real);
    if (!real.n_rules || !real.n_prices) {
        printf("not run: models/facts is not there\n");
        return 0;
    }
    seed = seed_of_run(20260601);
    struct arena a = { 0 };
    for (size_t i = 0; i < real.n_rules; i++)
        for (enum grain g = 0; g < GRAINS; g++)
            pack_alone(&packs[n_packs++].rows, &real, i, g, regions, REGIONS);
    packs_together(&packs[n_packs++].rows, &real, regions, REGIONS);
    for (size_t i = 0; i < n_packs; i++)
        packs[i].catalogue = catalogue_of_rows(&packs[i].rows, NULL, &a);
    const struct CMUnitTest t[] = { cmocka_unit_test(test_needs) };
    int failed = cmocka_run_group_tests(t, NULL, NULL);
    arena_release(&a);
    return failed;
}
