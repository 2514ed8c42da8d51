/* tests/planner/solve/test_card_counts.c - numbers of volumes for several EBS cards, and the deal
 * of the odd ones, against trying all. */
#include "planner/solve/card_counts.h"

#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* --- the deal --------------------------------------------------------------------------------- */

/* Only what is beyond an even part, and that much even. */
#define ODD(mb_s, iops, volumes)                                                                   \
    {                                                                                              \
        { mb_s, iops, 0, 0 }, volumes                                                              \
    }
#define EVEN(mb_s, iops)                                                                           \
    {                                                                                              \
        mb_s, iops, INFINITY, INFINITY                                                             \
    }

static const struct deal_case {
    const char *why;
    struct card_odd odd[5];
    size_t n;
    struct card_load even;
    int64_t cards, steps;
    double use;
    bool proved;
} deals[] = {
    { "nothing odd", { ODD(0, 0, 0) }, 0, EVEN(0.7, 0.6), 2, 9, 0.7, true },
    { "one", { ODD(0.2, 0.4, 1) }, 1, EVEN(0.5, 0.5), 2, 9, 0.9, true },
    /* Largest first 3 3 | 2 2 2 makes 7 and 5 of ten; 3 3 against 2 2 2 makes 6 and 6. */
    { "largest first is not best",
      { ODD(0.2, 0, 1), ODD(0.3, 0, 1), ODD(0.2, 0, 1), ODD(0.3, 0, 1), ODD(0.2, 0, 1) },
      5,
      EVEN(0.4, 0),
      2,
      99,
      1.0,
      true },
    { "which is not found in no steps",
      { ODD(0.2, 0, 1), ODD(0.3, 0, 1), ODD(0.2, 0, 1), ODD(0.3, 0, 1), ODD(0.2, 0, 1) },
      5,
      EVEN(0.4, 0),
      2,
      0,
      1.1,
      false },
    /* MB/s 2 1 1 want the first alone, IOPS 1 1 2 the last: no deal has 2 and 2.  First alone: 2
     * and 3; last alone: 3 and 2. */
    { "MB/s and IOPS go together",
      { ODD(0.2, 0.1, 1), ODD(0.1, 0.1, 1), ODD(0.1, 0.2, 1) },
      3,
      EVEN(0.75, 0.75),
      2,
      99,
      1.05,
      true },
    { "no deal helps where the even part is too much",
      { ODD(0.3, 0, 1), ODD(0.3, 0, 1) },
      2,
      EVEN(1.1, 0),
      2,
      0,
      1.4,
      true },
    /* Of three cards two have one of the first, the third the only one of the second. */
    { "two of three cards", { ODD(0.3, 0, 2), ODD(0.3, 0, 1) }, 2, EVEN(0.5, 0), 3, 9, 0.8, true },
    /* Three groups of one volume, 0.5 of a card each, that peak together: 0.75 is even, and half of
     * each beyond makes 1.25 for two on a card; yet two peaks are 1.0. */
    { "no more than the peaks of what lies on it",
      { { { 0.25, 0, 0.5, 0 }, 1 }, { { 0.25, 0, 0.5, 0 }, 1 }, { { 0.25, 0, 0.5, 0 }, 1 } },
      3,
      { 0.75, 0, 0, 0 },
      2,
      99,
      1.0,
      true },
};

static void deal(void **state)
{
    const struct deal_case *c = *state;
    int64_t steps = c->steps;
    struct card_use use = card_deal(c->odd, c->n, c->even, c->cards, &steps);
    assert_near(use.use, c->use);
    assert_int_equal(use.proved, c->proved);
    assert_true(steps >= 0);
}

/* --- the counts ------------------------------------------------------------------------------- */

enum { FREE = 3, GROUPS = FREE + 1, COUNTS = 5 };

/* Three groups to choose for, whatever volumes they have today, and the second of four, which is
 * kept. */
struct random_system {
    int64_t cards, slots;
    double room_mb_s, room_iops; /* of a card */
    struct layout_volumes kept_volumes, replaced[FREE];
    struct layout_group layout[GROUPS];
    struct group_demand groups[GROUPS];
    struct system_demand demand;
    struct size_option options[FREE][COUNTS + 1];
    struct count_menu menus[FREE];
    size_t index[FREE];
    struct free_groups free_groups;
    struct instance_type type;
    struct instance_caps caps;
    struct host_need need;
};

static void make_system(struct random_system *s, struct seeded *random)
{
    *s = (struct random_system){ .cards = seeded_int(random, 2, 3),
                                 .slots = seeded_int(random, 3, 12),
                                 .index = { 0, 2, 3 } };
    double mb_s = 0, iops = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        struct demand *d = &s->groups[g].demand;
        s->groups[g].group = &s->layout[g];
        d->total_mibps = (double)seeded_int(random, 0, 4) * 100;
        d->counted_iops = (double)seeded_int(random, 1, 40) * 100;
        mb_s += d->total_mibps * 1.048576;
        iops += d->counted_iops;
    }
    s->kept_volumes.spec.count = seeded_int(random, 1, 4);
    s->layout[1].volumes = &s->kept_volumes;
    s->layout[1].n_volumes = 1;
    /* Peaks that do not meet: the instance has less than their sum. */
    double together = 0.6 + seeded_real(random, 0.4);
    s->demand = (struct system_demand){ .groups = s->groups, .n_groups = GROUPS };
    s->demand.demand.total_mibps = mb_s * together / 1.048576;
    s->demand.demand.counted_iops = iops * together;
    s->need = (struct host_need){ .factor = 1, .mb_s = mb_s * together, .iops = iops * together };
    s->room_mb_s = s->need.mb_s / (double)s->cards * (1 + seeded_real(random, 0.5)) + 1;
    s->room_iops = s->need.iops / (double)s->cards * (1 + seeded_real(random, 0.5)) + 1;
    s->type.ebs_cards = s->cards;
    s->caps.baseline_mb_s = s->room_mb_s * (double)s->cards;
    s->caps.baseline_iops = s->room_iops * (double)s->cards;
    for (int g = 0; g < FREE; g++) {
        for (int64_t c = 0; c <= COUNTS; c++) {
            bool had = c && seeded_chance(random, 85);
            s->options[g][c] = (struct size_option){ .spec.count = had ? c : 0,
                                                     .rank_microusd = seeded_int(random, 1, 30) };
        }
        s->options[g][2].spec.count = 2;
        s->menus[g] = (struct count_menu){ s->options[g], COUNTS };
        s->replaced[g].spec.count = seeded_int(random, 1, 4);
        s->layout[s->index[g]].volumes = &s->replaced[g];
        s->layout[s->index[g]].n_volumes = 1;
    }
    s->free_groups = (struct free_groups){ s->menus,
                                           s->index,
                                           FREE,
                                           s->kept_volumes.spec.count,
                                           count_menus_fewest(s->menus, FREE),
                                           FREE * COUNTS };
}

/* On the cards, of MB/s and IOPS: beyond the even part, and peaks. */
struct laid {
    double beyond[2][3], peaks[2][3];
};

static bool within(const struct random_system *s, const struct laid *l)
{
    const double even[] = { s->need.mb_s / (double)s->cards, s->need.iops / (double)s->cards };
    const double room[] = { s->room_mb_s, s->room_iops };
    for (int of = 0; of < 2; of++)
        for (int64_t k = 0; k < s->cards; k++)
            if (fmin(even[of] + l->beyond[of][k], l->peaks[of][k]) > room[of] * (1 + 1e-9))
                return false;
    return true;
}

/* Whether some way to put the volumes of groups g and on is within every card. */
static bool some_way(const struct random_system *s, const int64_t *counts, size_t g,
                     const struct laid *before)
{
    if (g == GROUPS)
        return within(s, before);
    const double loads[] = { s->groups[g].demand.total_mibps * 1.048576,
                             s->groups[g].demand.counted_iops };
    for (unsigned set = 0; set < 1u << s->cards; set++) {
        struct laid l = *before;
        int64_t in_set = 0;
        for (int64_t k = 0; k < s->cards; k++) {
            int64_t more = set >> k & 1;
            double share = (double)(counts[g] / s->cards + more) / (double)counts[g];
            in_set += more;
            for (int of = 0; of < 2; of++) {
                l.beyond[of][k] += more ? loads[of] * (share - 1.0 / (double)s->cards) : 0;
                l.peaks[of][k] += loads[of] * share;
            }
        }
        if (in_set == counts[g] % s->cards && some_way(s, counts, g + 1, &l))
            return true;
    }
    return false;
}

/* The least rank, then the fewest volumes, as rank * 1 000 + volumes. */
static int64_t by_trying(const struct random_system *s)
{
    int64_t least = INT64_MAX;
    const struct laid nothing = { { { 0 } }, { { 0 } } };
    for (int64_t way = 0; way < COUNTS * COUNTS * COUNTS; way++) {
        const int64_t counts[GROUPS] = { way % COUNTS + 1, s->kept_volumes.spec.count,
                                         way / COUNTS % COUNTS + 1, way / COUNTS / COUNTS + 1 };
        const struct size_option *o[FREE] = { &s->options[0][counts[0]], &s->options[1][counts[2]],
                                              &s->options[2][counts[3]] };
        int64_t volumes = counts[0] + counts[2] + counts[3];
        int64_t rank = o[0]->rank_microusd + o[1]->rank_microusd + o[2]->rank_microusd;
        if (volumes <= s->slots && o[0]->spec.count && o[1]->spec.count && o[2]->spec.count &&
            rank * 1000 + volumes < least && some_way(s, counts, 0, &nothing))
            least = rank * 1000 + volumes;
    }
    return least;
}

static struct card_question question_of(const struct random_system *s, int64_t tried)
{
    return (struct card_question){ &s->demand,      &s->need, &s->type, &s->caps,
                                   &s->free_groups, s->slots, tried };
}

static void as_by_trying(void **state)
{
    (void)state;
    uint64_t seed = seed_of_run(20260601);
    int found = 0, none = 0, spread = 0;
    for (uint64_t round = 0; round < 2000; round++) {
        static struct random_system s;
        struct seeded random = seeded_case(seed, round);
        struct arena a = { 0 };
        struct card_counts c;
        struct err e = { 0 };
        make_system(&s, &random);
        if (s.free_groups.fewest > s.slots)
            continue;
        const struct card_question q = question_of(&s, CARD_COUNTS_TRIED);
        struct count_table table;
        assert_int_equal(card_counts_find(&q, &a, &c, &e), 0);
        assert_int_equal(count_table_build(s.menus, FREE, s.slots, &a, &table, &e), 0);
        int64_t without_cards = count_table_rank(&table, count_table_best(&table, s.slots));
        int64_t want = by_trying(&s), volumes = 0;
        assert_true(c.proved);
        for (int g = 0; g < FREE && c.chosen; g++)
            volumes += c.chosen[g]->spec.count;
        if (want != (c.chosen ? c.rank_microusd * 1000 + volumes : INT64_MAX))
            fail_msg("round %llu: %lld, trying all has %lld", (unsigned long long)round,
                     (long long)(c.rank_microusd * 1000 + volumes), (long long)want);
        found += c.chosen != NULL;
        none += !c.chosen;
        spread += c.chosen && c.rank_microusd > without_cards;
        arena_release(&a);
    }
    printf("%d found, %d of them dearer for the cards, %d have none\n", found, spread, none);
    assert_true(found > 200 && spread > 50 && none > 50);
}

/* Without tries nothing is found, and nothing said of it. */
static void cut_short(void **state)
{
    (void)state;
    static struct random_system s;
    struct seeded random = seeded_case(1, 1);
    struct arena a = { 0 };
    struct card_counts c;
    struct err e = { 0 };
    make_system(&s, &random);
    s.slots = FREE * COUNTS;
    s.type.ebs_cards = 2;
    s.caps.baseline_mb_s = s.caps.baseline_iops = 1e9;
    const struct card_question none = question_of(&s, 0), all = question_of(&s, CARD_COUNTS_TRIED);
    assert_int_equal(card_counts_find(&none, &a, &c, &e), 0);
    assert_null(c.chosen);
    assert_false(c.proved);
    assert_int_equal(card_counts_find(&all, &a, &c, &e), 0);
    assert_non_null(c.chosen);
    assert_true(c.proved);
    arena_release(&a);
}

static void torture(void **state)
{
    (void)state;
    static struct random_system s;
    struct seeded random = seeded_case(1, 1);
    make_system(&s, &random);
    s.slots = FREE * COUNTS;
    const struct card_question q = question_of(&s, CARD_COUNTS_TRIED);
    struct card_counts c;
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = card_counts_find(&q, &it.a, &c, &it.e);
}

int main(void)
{
    enum { N = sizeof deals / sizeof *deals };
    struct CMUnitTest t[N + 3];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ deals[i].why, deal, NULL, NULL, (void *)(uintptr_t)&deals[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(as_by_trying);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(cut_short);
    t[N + 2] = (struct CMUnitTest)cmocka_unit_test(torture);
    return cmocka_run_group_tests(t, NULL, NULL);
}
