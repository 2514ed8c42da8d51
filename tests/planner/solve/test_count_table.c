/* tests/planner/solve/test_count_table.c - sharing volumes among groups, against trying all ways.
 */
#include "planner/solve/count_table.h"

#include "models/core/mem.h"
#include "models/core/unit.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GROUPS = 3, COUNTS = 5, SLOTS = 12 };

struct random_menus {
    struct size_option options[GROUPS][COUNTS + 1];
    struct count_menu menus[GROUPS];
};

/* A third of the counts cannot be had. */
static void make_menus(struct random_menus *m, struct seeded *random)
{
    for (int g = 0; g < GROUPS; g++) {
        for (int64_t c = 0; c <= COUNTS; c++) {
            bool had = c && seeded_int(random, 0, 2);
            m->options[g][c] = (struct size_option){ .spec.count = had ? c : 0,
                                                     .rank_microusd = seeded_int(random, 1, 50) };
        }
        m->menus[g] = (struct count_menu){ m->options[g], COUNTS };
    }
}

static int64_t least_by_trying(const struct random_menus *m, int64_t volumes)
{
    int64_t least = UNKNOWN;
    for (int64_t i = 1; i <= COUNTS; i++)
        for (int64_t j = 1; j <= COUNTS; j++)
            for (int64_t k = 1; k <= COUNTS; k++) {
                const struct size_option *o[] = { &m->options[0][i], &m->options[1][j],
                                                  &m->options[2][k] };
                if (i + j + k != volumes || !o[0]->spec.count || !o[1]->spec.count ||
                    !o[2]->spec.count)
                    continue;
                int64_t sum = o[0]->rank_microusd + o[1]->rank_microusd + o[2]->rank_microusd;
                if (least == UNKNOWN || sum < least)
                    least = sum;
            }
    return least;
}

static void all_ways(void **state)
{
    (void)state;
    uint64_t seed = seed_of_run(20260601);
    for (uint64_t round = 0; round < 200; round++) {
        struct seeded random = seeded_case(seed, round);
        struct random_menus m;
        struct arena a = { 0 };
        struct err e = { 0 };
        struct count_table t;
        make_menus(&m, &random);
        assert_int_equal(count_table_build(m.menus, GROUPS, SLOTS, &a, &t, &e), 0);
        int64_t best = UNKNOWN, fewest = UNKNOWN;
        for (int64_t s = 0; s <= SLOTS; s++) {
            int64_t want = least_by_trying(&m, s);
            assert_int_equal(count_table_rank(&t, s), want);
            if (want == UNKNOWN)
                continue;
            fewest = fewest == UNKNOWN ? s : fewest;
            if (best == UNKNOWN || want < count_table_rank(&t, best))
                best = s;
            const struct size_option *o[GROUPS];
            count_table_options(&t, s, o);
            assert_int_equal(o[0]->spec.count + o[1]->spec.count + o[2]->spec.count, s);
            assert_int_equal(o[0]->rank_microusd + o[1]->rank_microusd + o[2]->rank_microusd, want);
        }
        assert_int_equal(count_table_best(&t, SLOTS), best);
        /* beyond the slots there may be ways still */
        if (fewest != UNKNOWN)
            assert_int_equal(count_menus_fewest(m.menus, GROUPS), fewest);
        arena_release(&a);
    }
}

static void no_groups(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct count_table t;
    assert_int_equal(count_table_build(NULL, 0, 3, &a, &t, &e), 0);
    assert_int_equal(count_table_best(&t, 3), 0);
    assert_int_equal(count_table_rank(&t, 0), 0);
    assert_int_equal(count_table_rank(&t, 1), UNKNOWN);
    assert_int_equal(count_menus_fewest(NULL, 0), 0);
    mem_calls = 0;
    mem_fail_at = 1;
    arena_release(&a);
    assert_int_equal(count_table_build(NULL, 0, 3, &a, &t, &e), ERR_NOMEM);
    mem_fail_at = 0;
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways),
        cmocka_unit_test(no_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
