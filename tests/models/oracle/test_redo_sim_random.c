/* tests/models/oracle/test_redo_sim_random.c - what holds for the redo simulation of any system:
 * random ones, seed printed, SEED= replays. */
#include "models/core/unit.h"
#include "models/oracle/redo_sim.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct seeded chance;

enum { STANDBYS_MAX = 12, RUNS_MAX = 64 };

struct trial {
    struct redo_sim_config config;
    struct redo_run runs[RUNS_MAX];
    struct redo_sim_standby standbys[STANDBYS_MAX];
    struct redo_outage outages[4];
    size_t n_runs, n_standbys, n_outages;
    struct redo_sim_sent sent[STANDBYS_MAX];
    struct redo_sim_result out;
};

static double random_ceiling(void)
{
    return seeded_int(&chance, 0, 2) ? seeded_between(&chance, 50, 1000) : INFINITY;
}

static void random_trial(struct trial *t)
{
    *t = (struct trial){ .config = redo_sim_defaults(seeded_between(&chance, 64, 4096),
                                                     seeded_between(&chance, 0, 128)) };
    t->config.log_groups = seeded_int(&chance, 0, 1) ? seeded_int(&chance, 2, 8) : UNKNOWN;
    t->config.online_keep_mib = seeded_between(&chance, 0, 8192);
    t->config.archive_copies = seeded_int(&chance, 1, 2);
    t->config.archiver_mibps = random_ceiling();
    t->config.redo_mirror = (int)seeded_int(&chance, 1, 3);
    t->config.archive_mirror = (int)seeded_int(&chance, 1, 2);
    t->config.redo_ceiling_mibps = random_ceiling();
    t->config.member_ceiling_mibps = random_ceiling();
    t->config.archive_ceiling_mibps = random_ceiling();
    t->config.other_online_readers = seeded_between(&chance, 0, 1);
    t->config.archive_free_mib =
        seeded_int(&chance, 0, 3) ? INFINITY : seeded_between(&chance, 0, 20000);
    t->n_runs = (size_t)seeded_int(&chance, 1, RUNS_MAX);
    for (size_t i = 0; i < t->n_runs; i++)
        t->runs[i] =
            (struct redo_run){ seeded_int(&chance, 0, 4) ? seeded_between(&chance, 0, 150) : 0,
                               seeded_int(&chance, 0, 60) };
    t->n_standbys = (size_t)seeded_int(&chance, 0, STANDBYS_MAX - 1);
    for (size_t i = 0; i < STANDBYS_MAX; i++)
        t->standbys[i] = (struct redo_sim_standby){
            .send_mibps = seeded_int(&chance, 0, 5) ? seeded_between(&chance, 1, 400) : INFINITY,
            .sync = !seeded_int(&chance, 0, 5),
        };
    t->n_outages = t->n_standbys ? (size_t)seeded_int(&chance, 0, 4) : 0;
    for (size_t i = 0; i < t->n_outages; i++) {
        int64_t begin = seeded_int(&chance, 0, 1500);
        t->outages[i] =
            (struct redo_outage){ (size_t)seeded_int(&chance, 0, (int64_t)t->n_standbys - 1), begin,
                                  begin + seeded_int(&chance, 0, 500) };
    }
}

static void run_trial(struct trial *t)
{
    struct err e = { 0 };
    int rc = redo_sim_run(&t->config, t->runs, t->n_runs, t->standbys, t->n_standbys, t->outages,
                          t->n_outages, t->sent, &t->out, &e);
    if (rc)
        fail_msg("%s", e.text);
}

static void same_bytes(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)))))
        fail_msg("bytes are lost: %.15g, %.15g", a, b);
}

static void conserves_bytes(void **state)
{
    (void)state;
    for (int k = 0; k < 300; k++) {
        struct trial t;
        random_trial(&t);
        run_trial(&t);
        const struct redo_sim_result *o = &t.out;
        double generated = 0;
        for (size_t i = 0; i < t.n_runs; i++)
            generated += t.runs[i].redo_mibps * (double)t.runs[i].duration_s;
        same_bytes(o->generated_mib, generated);
        same_bytes(o->written_mib + o->backlog_mib, generated);
        same_bytes(o->archived_mib + o->unarchived_mib + o->current_log_mib, o->written_mib);
        double sent = 0;
        for (size_t i = 0; i < t.n_standbys; i++) {
            const struct redo_sim_sent *s = &t.sent[i];
            double one = s->buffer_mib + s->online_mib + s->archived_mib;
            same_bytes(one + s->lag_mib, o->written_mib);
            assert_true(s->lag_mib >= -1e-9);
            sent += one;
        }
        same_bytes(o->buffer_mib + o->online_mib + o->archive_read_mib, sent);
        assert_true(o->redo_max_mibps <= t.config.redo_ceiling_mibps * (1 + 1e-12));
        assert_true(o->archive_max_mibps <= t.config.archive_ceiling_mibps * (1 + 1e-12));
        assert_true(o->backlog_mib >= 0 && o->unarchived_mib >= 0);
    }
}

/* Without ceilings one more standby changes nothing for the others, so no load falls. */
static void adding_a_standby_lowers_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 100; k++) {
        struct trial t;
        random_trial(&t);
        t.config.redo_ceiling_mibps = t.config.archive_ceiling_mibps = INFINITY;
        t.standbys[t.n_standbys].sync = false;
        run_trial(&t);
        struct redo_sim_result before = t.out;
        t.n_standbys++;
        run_trial(&t);
        assert_true(t.out.redo_max_mibps >= before.redo_max_mibps);
        assert_true(t.out.archive_max_mibps >= before.archive_max_mibps);
        assert_true(t.out.online_mib >= before.online_mib);
        assert_true(t.out.archive_read_mib >= before.archive_read_mib);
        same_bytes(t.out.written_mib, before.written_mib);
    }
}

static void constant_rate_reaches_everyone(void **state)
{
    (void)state;
    for (int k = 0; k < 100; k++) {
        double rate = seeded_between(&chance, 1, 150), log = seeded_between(&chance, 100, 1000);
        struct trial s = {
            .config = redo_sim_defaults(log, seeded_between(&chance, 1, 128)),
            .runs = { { rate, seeded_int(&chance, 100, 2000) } },
            .n_runs = 1,
            .n_standbys = (size_t)seeded_int(&chance, 0, 4),
        };
        for (size_t i = 0; i < s.n_standbys; i++)
            s.standbys[i].send_mibps = rate * seeded_between(&chance, 1, 5);
        run_trial(&s);
        double written = rate * (double)s.runs[0].duration_s;
        same_bytes(s.out.written_mib, written);
        same_bytes(s.out.buffer_mib, (double)s.n_standbys * written);
        same_bytes(s.out.archived_mib + s.out.unarchived_mib,
                   log * floor(written / log + 1e-9)); /* full logs only */
        assert_true(s.out.unarchived_mib == 0 || s.out.unarchived_mib <= log + rate);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(conserves_bytes),
        cmocka_unit_test(adding_a_standby_lowers_nothing),
        cmocka_unit_test(constant_rate_reaches_everyone),
    };
    chance.state = seed_of_run(20220601);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
