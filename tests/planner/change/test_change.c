/* tests/planner/change/test_change.c - ways and their calendars, by hand and at random.
 *
 * Loads are read in requests of 256 KiB, from 07:00 of 2022-05-18 on; r5.8xlarge passes 850 MB/s =
 * 810.62 MiB/s for long and 30 000 requests/s.  The worked example of the change plan, through the
 * command, is tests/cli/test_change_acceptance.c. */
#include "planner/change/change.h"

#include "models/core/mem.h"
#include "models/ebs/vol_modify.h"
#include "planner/change/change_script.h"
#include "tests/planner/plan_world.h"
#include "tests/seeded.h"

#include <stdio.h>
#include <stdlib.h>

#define HOUR_MS INT64_C(3600000)

static const struct layout_volumes io2_64000[] = { { { VOL_IO2, 1, 500, 64000, UNKNOWN },
                                                     UNKNOWN } };
static const struct volume_spec two_of_250 = { VOL_IO2, 2, 250, 5000, UNKNOWN };

struct way_world {
    struct world w;
    struct change_target targets[GROUPS_MAX];
    struct change_options options;
    struct change change;
    bool logs_on_files;
};

/* A group of one io2 of 64 000 IOPS that uses 200 GiB; reads so many MiB/s in [at_s, at_s + 3600);
 * NaN = was not measured. */
static struct layout_group *one_io2(struct way_world *x, const char *name, enum group_role role,
                                    double mibps, const struct volume_spec *to)
{
    size_t i = x->w.n;
    struct layout_group *g = add(&x->w, name, role, 0, 0, 200);
    if (!isnan(mibps))
        sample(&x->w.series[i], &x->w.room[i], 0, 3600, mibps * 4, 0, mibps, 0);
    g->used_gib = 200;
    g->volumes = io2_64000;
    g->n_volumes = 1;
    x->targets[i] = (struct change_target){ .kept = !to };
    if (to)
        x->targets[i].spec = *to;
    return g;
}

static int build_rc(struct way_world *x, const char *as_of, struct err *e)
{
    int rc = world_demand(&x->w, e);
    if (x->logs_on_files)
        x->w.layout.redo.filesystem_block_bytes = 4096;
    x->options.catalogue = &builtin_catalogue;
    x->options.region = "us-east-1";
    x->options.as_of_ms = day_ms(as_of);
    x->options.start_ms = day_ms(as_of);
    x->options.targets = x->targets;
    if (x->w.instance_type)
        x->options.instance = instance_find(&builtin_catalogue, span_of(x->w.instance_type));
    return rc ? rc : change_build(&x->w.demand, &x->options, &x->w.a, &x->change, e);
}

static void build(struct way_world *x, const char *as_of)
{
    struct err e = { 0 };
    if (build_rc(x, as_of, &e))
        fail_msg("%s", e.text);
}

static struct way_world *new_world(void)
{
    struct way_world *x = calloc(1, sizeof *x);
    assert_non_null(x);
    x->w.instance_type = "r5.8xlarge";
    return x;
}

static void free_world(struct way_world *x)
{
    arena_release(&x->w.a);
    free(x);
}

static const struct change_way *way(const struct way_world *x, enum change_kind k)
{
    for (size_t i = 0; i < x->change.n_ways; i++)
        if (x->change.ways[i].kind == k)
            return &x->change.ways[i];
    fail_msg("there is no way %s", change_kind_name(k));
    return NULL;
}

/* The step of a way that moves data. */
static const struct change_step *moving(const struct change_way *w)
{
    for (size_t i = 0; i < w->n_steps; i++)
        if (w->steps[i].moved_gib > 0)
            return &w->steps[i];
    fail_msg("nothing moves");
    return NULL;
}

static const struct change_refusal *refusal(const struct way_world *x, enum change_kind k)
{
    for (size_t i = 0; i < x->change.n_refused; i++)
        if (x->change.refused[i].kind == k)
            return &x->change.refused[i];
    return NULL;
}

/* --- moving beside the load ------------------------------------------------------------------- */

static void close_to(double got, double want)
{
    if (!(fabs(got - want) <= 1e-4 * fmax(1, fabs(want))))
        fail_msg("%.9g, expected %.9g", got, want);
}

/* 405.31 MiB/s when nothing else runs: 204 800 MiB in 505.29 s.  With 600 MiB/s read all day the
 * source leaves 400, the destination 400 and the instance (810.62 - 600) / 2 = 105.31 MiB/s:
 * 1 944.7 s. */
static void the_instance_binds(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 600, &two_of_250);
    build(x, "2022-06-01");
    const struct change_step *s = moving(way(x, CHANGE_ASM_REPLACE));
    close_to(s->alone_s, 204800 / (850 / 1.048576 / 2));
    close_to(s->seconds, 204800 / ((850 / 1.048576 - 600) / 2));
    assert_non_null(strstr(s->command, "REBALANCE POWER 9 WAIT")); /* 405.31 * 0.02 s = 8.1 */
    free_world(x);
}

/* 700 MiB/s from 07:00 to 08:00 and nothing until 09:00.  From 07:50 on: 600 s at
 * (810.62 - 700) / 2 = 55.31 MiB/s move 33 186 MiB, what is left of 204 800 goes at 405.31. */
static void by_the_hour(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 700, &two_of_250);
    sample(&x->w.series[0], &x->w.room[0], 3600, 3600 * 23, 0, 0, 0, 0);
    build(x, "2022-06-01");
    /* chosen by itself: any hour but the one at 07:00 will do; the first is taken */
    x->options.start_ms = UNKNOWN;
    struct err e;
    assert_int_equal(change_build(&x->w.demand, &x->options, &x->w.a, &x->change, &e), 0);
    assert_true(way(x, CHANGE_ASM_REPLACE)->begin_ms == day_ms("2022-06-01"));
    close_to(moving(way(x, CHANGE_ASM_REPLACE))->seconds, 204800 / (850 / 1.048576 / 2));

    x->options.start_ms = day_ms("2022-06-01") + 7 * HOUR_MS + 50 * 60000;
    assert_int_equal(change_build(&x->w.demand, &x->options, &x->w.a, &x->change, &e), 0);
    double host = 850 / 1.048576;
    close_to(moving(way(x, CHANGE_ASM_REPLACE))->seconds,
             600 + (204800 - 600 * (host - 700) / 2) / (host / 2));
    free_world(x);
}

/* 880 MiB/s asked of 810.62: nothing is left, whenever it begins. */
static void never_over(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 880, &two_of_250);
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_ASM_REPLACE);
    assert_true(isinf(moving(w)->seconds));
    assert_true(isinf(w->hours));
    assert_true(w->overlap_microusd == UNKNOWN);
    close_to(moving(w)->alone_s, 204800 / (850 / 1.048576 / 2));
    free_world(x);
}

/* 808 MiB/s from 07:00, 806 from 19:00 on: the instance leaves 1.31 and 2.31 MiB/s, 156 382 MiB a
 * day.  The rest of 204 800 goes in the first half of the second day. */
static void over_days(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 808, &two_of_250);
    sample(&x->w.series[0], &x->w.room[0], 3600, 3600 * 11, 808 * 4, 0, 808, 0);
    sample(&x->w.series[0], &x->w.room[0], 3600 * 12, 3600 * 12, 806 * 4, 0, 806, 0);
    build(x, "2022-06-01");
    x->options.start_ms = day_ms("2022-06-01") + 7 * HOUR_MS;
    struct err e;
    assert_int_equal(change_build(&x->w.demand, &x->options, &x->w.a, &x->change, &e), 0);
    double host = 850 / 1.048576, slow = (host - 808) / 2, fast = (host - 806) / 2;
    close_to(moving(way(x, CHANGE_ASM_REPLACE))->seconds,
             86400 + (204800 - 43200 * (slow + fast)) / slow);
    free_world(x);
}

static void not_measured(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, NAN, &two_of_250);
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_ASM_REPLACE);
    assert_true(isnan(moving(w)->seconds) && isnan(w->hours));
    close_to(moving(w)->alone_s, 204800 / (850 / 1.048576 / 2));
    free_world(x);
}

/* Normal redundancy: 200 GiB are 400 on the devices, of 500; more than 2 x 150 hold. */
static void mirrors_move_too(void **state)
{
    (void)state;
    static const struct volume_spec small = { VOL_IO2, 2, 150, 5000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 1, &two_of_250)->redundancy = REDUNDANCY_NORMAL;
    build(x, "2022-06-01");
    assert_near(way(x, CHANGE_ASM_REPLACE)->moved_gib, 400);
    free_world(x);

    x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 1, &small)->redundancy = REDUNDANCY_NORMAL;
    build(x, "2022-06-01");
    assert_string_equal(refusal(x, CHANGE_ASM_REPLACE)->why,
                        "300 GiB do not hold the 400 GiB that are used");
    free_world(x);
}

/* Of 200 GiB beside 600 MiB/s: read at 1 000 - 600 = 400 of the volume, 210.62 of the instance,
 * once: 972.36 s, alone at 810.62: 252.65 s; written to what passes 2 x 500 at 810.62 too. */
static void rman_times(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 600, &two_of_250);
    build(x, "2022-06-01");
    double host = 850 / 1.048576;
    const struct change_rman *r = &x->change.rman[0];
    assert_int_equal(x->change.n_rman, 1);
    close_to(r->backup_s, 204800 / (host - 600));
    close_to(r->backup_alone_s, 204800 / host);
    close_to(r->restore_s, 204800 / host);
    close_to(r->duplicate_s, r->backup_s);
    free_world(x);
}

/* --- calendars -------------------------------------------------------------------------------- */

/* Two groups one after the other, two that are modified at once. */
static void groups_in_turn(void **state)
{
    (void)state;
    static const struct volume_spec one = { VOL_IO2, 1, 500, 5000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "A", ROLE_DATA, 1, &two_of_250);
    one_io2(x, "B", ROLE_ARCHIVE, 1, &two_of_250);
    one_io2(x, "C", ROLE_BINARIES, 1, &one); /* cannot be replaced in ASM */
    one_io2(x, "D", ROLE_DATA, 1, NULL);
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_ASM_REPLACE);
    int64_t rebalance_ms[2] = { 0 }, modify_ms = UNKNOWN;
    size_t n = 0;
    for (size_t i = 0; i < w->n_steps; i++) {
        const struct change_step *s = &w->steps[i];
        assert_true(strcmp(s->group, "D") != 0); /* stays */
        if (s->by == BY_ASM && n < 2)
            rebalance_ms[n++] = s->at_ms;
        if (s->slots_left != UNKNOWN)
            modify_ms = s->at_ms;
    }
    assert_int_equal(n, 2);
    assert_true(rebalance_ms[0] == x->options.start_ms && modify_ms == x->options.start_ms);
    close_to((double)(rebalance_ms[1] - rebalance_ms[0]) / 1000, moving(w)->seconds);
    /* 712.50 + 712.50 + 387.50 + 3 598.50 that stays */
    assert_true(w->total_microusd == INT64_C(5411000000));
    assert_int_equal(x->change.n_changed, 3);
    free_world(x);
}

/* Both members of the logs: the second group of logs must not name the disk group that the first
 * has dropped. */
static void both_members(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "REDO1", ROLE_REDO, 1, &two_of_250)->log_member = 1;
    one_io2(x, "REDO2", ROLE_REDO, 1, &two_of_250)->log_member = 2;
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_NEW_LOGS);
    const char *logs[2] = { "", "" };
    size_t n = 0;
    for (size_t i = 0; i < w->n_steps; i++)
        if (strstr(w->steps[i].command, "ADD LOGFILE") && n < 2)
            logs[n++] = w->steps[i].command;
    assert_int_equal(n, 2);
    assert_non_null(strstr(logs[0], "(''+REDO1_N'', ''+REDO2'')"));
    assert_non_null(strstr(logs[1], "(''+REDO2_N'', ''+REDO1_N'')"));
    assert_near(w->moved_gib, 0);
    free_world(x);
}

/* Logs on a file system are no matter of ASM; data beside them are. */
static void logs_on_a_file_system(void **state)
{
    (void)state;
    for (int data = 0; data < 2; data++) {
        struct way_world *x = new_world();
        x->logs_on_files = true;
        one_io2(x, "G", data ? ROLE_DATA : ROLE_REDO, 1, &two_of_250);
        build(x, "2022-06-01");
        const struct change_refusal *no = refusal(x, CHANGE_ASM_REPLACE);
        if (data) {
            assert_null(no);
            assert_non_null(way(x, CHANGE_ASM_REPLACE));
        } else {
            assert_string_equal(no->why, "no disk group of ASM");
            assert_string_equal(refusal(x, CHANGE_NEW_LOGS)->why, "holds no online logs in ASM");
        }
        free_world(x);
    }
}

/* r5.8xlarge has 28 slots, one for its network: 1 + 1 of the root volume, and 26 more do not fit
 * beside them. */
static void too_many_beside(void **state)
{
    (void)state;
    static const struct volume_spec many = { VOL_IO2, 26, 20, 1000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 1, &many);
    build(x, "2022-06-01");
    assert_non_null(strstr(refusal(x, CHANGE_ASM_REPLACE)->why, "while both sets are attached"));
    assert_non_null(way(x, CHANGE_ASM_KEEP)); /* 25 are added */
    free_world(x);
}

/* Fewer volumes, of another size: none is large enough, a snapshot makes one of one. */
static void stuck(void **state)
{
    (void)state;
    static const struct volume_spec small = { VOL_IO2, 2, 50, 1000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "BIN", ROLE_BINARIES, 1, &small);
    build(x, "2022-06-01");
    assert_string_equal(x->change.stuck, "BIN");
    assert_int_equal(x->change.n_ways, 0);
    free_world(x);
}

static void unknown_today(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    struct err e;
    one_io2(x, "DATA", ROLE_DATA, 1, &two_of_250)->n_volumes = 0;
    assert_int_equal(build_rc(x, "2022-06-01", &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "which volumes DATA has today"));
    free_world(x);
}

/* A: kept in place it costs more (500 GiB), so two volumes of 250 in ASM are best; B: in place is
 * best.  Neither kind is best for both. */
static void each_its_best(void **state)
{
    (void)state;
    static const struct volume_spec small = { VOL_IO2, 1, 250, 5000, UNKNOWN },
                                    same = { VOL_IO2, 1, 500, 5000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "A", ROLE_DATA, 1, &small);
    one_io2(x, "B", ROLE_DATA, 1, &same);
    build(x, "2022-06-01");
    const struct change_way *w = &x->change.ways[0];
    assert_int_equal(w->kind, CHANGE_BEST);
    assert_int_equal(w->parts[0].kind, CHANGE_ASM_REPLACE);
    assert_int_equal(w->parts[1].kind, CHANGE_MODIFY);
    /* 31.25 + 325 and 62.50 + 325 */
    assert_true(w->total_microusd == INT64_C(743750000));
    free_world(x);
}

/* Today 64 000 IOPS, with another 2 x 20 000 beside them 104 000: beyond the 100 000 of a Region.
 */
static void over_quota(void **state)
{
    (void)state;
    static const struct volume_spec two = { VOL_IO2, 2, 250, 20000, UNKNOWN };
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 1, &two);
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_ASM_REPLACE);
    assert_int_equal(w->n_over, 1);
    assert_true(w->over[0].needed == 104000 && w->over[0].allowed == 100000);
    assert_int_equal(way(x, CHANGE_ASM_KEEP)->n_over, 0); /* 84 000 */
    free_world(x);
}

static void the_instance_alone(void **state)
{
    (void)state;
    struct way_world *x = new_world();
    one_io2(x, "DATA", ROLE_DATA, 1, NULL);
    x->options.instance_to = instance_find(&builtin_catalogue, span_of("r5.12xlarge"));
    build(x, "2022-06-01");
    assert_int_equal(x->change.n_ways, 1);
    assert_false(x->change.ways[0].online);
    assert_int_equal(x->change.ways[0].n_steps, 1);
    assert_non_null(strstr(x->change.ways[0].steps[0].command, "Value=r5.12xlarge"));
    free_world(x);
}

/* Before 2025-05-06 nobody states how long it takes; since, 200 GiB at 300 MiB/s: 682.67 s. */
static void hydration(void **state)
{
    (void)state;
    static const struct volume_spec one = { VOL_IO2, 1, 500, 5000, UNKNOWN };
    static const struct {
        const char *day;
        double seconds;
    } rows[] = { { "2022-06-01", NAN }, { "2025-06-01", 200 * 1024 / 300.0 } };
    for (size_t i = 0; i < 2; i++) {
        struct way_world *x = new_world();
        one_io2(x, "DATA", ROLE_DATA, 1, &one);
        build(x, rows[i].day);
        const struct change_way *w = way(x, CHANGE_SNAPSHOT);
        const struct change_step *s = &w->steps[2]; /* stop, snapshot, create */
        assert_non_null(strstr(s->command, "--snapshot-id \"$SNAPSHOT_1\""));
        assert_true(isnan(rows[i].seconds) ? isnan(s->seconds) && isnan(w->hours)
                                           : is_near(s->seconds, rows[i].seconds));
        /* 200 GiB at 0.0036 */
        assert_true(isnan(rows[i].seconds) || strstr(s->risk, "0.72 USD for its initialization"));
        assert_false(w->online);
        free_world(x);
    }
}

/* --- what holds for every way ----------------------------------------------------------------- */

static struct seeded chance;

static uint64_t next(uint64_t n)
{
    return seeded_next(&chance) % n;
}

static void one_random(void)
{
    static const enum group_role roles[] = { ROLE_DATA, ROLE_REDO, ROLE_ARCHIVE, ROLE_TEMP,
                                             ROLE_BINARIES };
    static const char *const names[] = { "A", "B", "C", "D" };
    static const char *const days[] = { "2022-06-01", "2026-01-14", "2026-06-01" };
    struct way_world *x = new_world();
    size_t n = 1 + next(4);
    for (size_t i = 0; i < n; i++) {
        struct volume_spec to = { VOL_GP3, 1 + (int64_t)next(5), 100 + (int64_t)next(900), 3000,
                                  125 };
        one_io2(x, names[i], roles[next(5)], (double)next(300), next(4) ? &to : NULL);
    }
    build(x, days[next(3)]);
    for (size_t k = 0; k < x->change.n_ways; k++) {
        const struct change_way *w = &x->change.ways[k];
        int64_t last_ms = INT64_MIN;
        double moved_gib = 0;
        bool moved_of[GROUPS_MAX] = { false };
        for (size_t i = 0; i < w->n_steps; i++) {
            const struct change_step *s = &w->steps[i];
            assert_true(s->at_ms >= w->begin_ms && s->at_ms >= last_ms);
            last_ms = s->at_ms;
            assert_true(s->reversible == (s->back != NULL) || s->slots_left != UNKNOWN);
            if (s->moved_gib > 0) {
                moved_gib += s->moved_gib;
                assert_true(!(s->seconds < s->alone_s * (1 - 1e-9)));
                moved_of[s->group[0] - 'A'] = true;
            }
            /* nothing is deleted that still has to move */
            if (strstr(s->command, "delete-volume"))
                for (size_t later = i; later < w->n_steps; later++)
                    assert_true(!(w->steps[later].moved_gib > 0) ||
                                strcmp(w->steps[later].group, s->group) != 0);
            if (s->slots_left != UNKNOWN)
                assert_int_equal(s->slots_left, vol_modify_rule_at(s->at_ms)->wait_s ? 0 : 3);
        }
        assert_true(fabs(moved_gib - w->moved_gib) < 1e-6);
        for (size_t g = 0; g < n; g++)
            assert_true(w->parts[g].changes == !x->targets[g].kept &&
                        moved_of[g] == (w->parts[g].moved_gib > 0));
        if (k)
            assert_true(w->total_microusd >= x->change.ways[k - 1].total_microusd);
    }
    free_world(x);
}

static void random_ways(void **state)
{
    (void)state;
    chance.state = seed_of_run(20221);
    for (int i = getenv("FULL") ? 20000 : 300; i > 0; i--)
        one_random();
}

/* --- scripts ---------------------------------------------------------------------------------- */

/* A name that would like to be a command. */
static void hostile_name(void **state)
{
    (void)state;
    static const char name[] = "x'$(id)`id`\"\n; DROP\033[2J &v ${y} -- ";
    struct way_world *x = new_world();
    one_io2(x, name, ROLE_DATA, 1, &two_of_250);
    build(x, "2022-06-01");
    const struct change_way *w = way(x, CHANGE_ASM_REPLACE);
    for (int k = 0; k < SCRIPT_COUNT; k++) {
        const char *text;
        struct err e;
        assert_int_equal(change_script_build(&x->change, w, (enum change_script)k, &x->w.a, &text,
                                             &e),
                         0);
        assert_null(strchr(text, '\033'));
        bool in_comment = false;
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            in_comment = k == SCRIPT_ASM ? strncmp(line, "--", 2) == 0 : *line == '#';
            size_t n = strcspn(line, "\n");
            for (size_t i = 0; i + 4 <= n; i++) {
                bool shell = strncmp(line + i, "$(id", 4) == 0;
                assert_true(!shell || in_comment || k == SCRIPT_TERRAFORM);
                assert_true(strncmp(line + i, "; DROP", 6) != 0 || in_comment ||
                            k == SCRIPT_TERRAFORM);
                assert_true(k != SCRIPT_ASM || strncmp(line + i, "&v", 2) != 0);
            }
            if (!line[n])
                break;
        }
        if (k == SCRIPT_ASM) /* no disk group can have that name: ASM refuses the command */
            assert_non_null(strstr(text, "ALTER DISKGROUP \"?\" ADD DISK"));
        if (k == SCRIPT_TERRAFORM)
            assert_non_null(strstr(text, "x'$(id)`id`\\\"\\u000a; DROP\\u001b[2J &v $${y} -- \""));
    }
    free_world(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_instance_binds),
        cmocka_unit_test(by_the_hour),
        cmocka_unit_test(over_days),
        cmocka_unit_test(never_over),
        cmocka_unit_test(not_measured),
        cmocka_unit_test(mirrors_move_too),
        cmocka_unit_test(groups_in_turn),
        cmocka_unit_test(both_members),
        cmocka_unit_test(logs_on_a_file_system),
        cmocka_unit_test(too_many_beside),
        cmocka_unit_test(stuck),
        cmocka_unit_test(unknown_today),
        cmocka_unit_test(each_its_best),
        cmocka_unit_test(over_quota),
        cmocka_unit_test(rman_times),
        cmocka_unit_test(the_instance_alone),
        cmocka_unit_test(hydration),
        cmocka_unit_test(random_ways),
        cmocka_unit_test(hostile_name),
    };
    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
