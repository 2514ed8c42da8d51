/* tests/planner/whatif/test_redo_series.c - redo over time: by the minute, or by archived log. */
#include "planner/whatif/redo_series.h"

#include "models/vocab/metric_series.h"
#include "tests/planner/whatif/redo_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LOGS_MAX = 4, THREADS_MAX = 4, RUNS_MAX = 6 };

/* Of one thread; time 0 is 07:00. */
struct thread_logs {
    const char *thread;
    enum metric_statistic statistic;
    size_t n;
    int64_t begin_s[LOGS_MAX];
    double period_s[LOGS_MAX], mib[LOGS_MAX];
};

struct expected_run {
    int64_t begin_s, duration_s;
    double mibps;
};

static const struct history_case {
    const char *why;
    struct thread_logs threads[THREADS_MAX];
    size_t n_threads;
    const char *change;
    struct expected_run runs[RUNS_MAX];
    size_t n_runs;
} cases[] = {
    { "bytes over the time of each log; 500 to 600 is a gap",
      { { "thread=1", STATISTIC_SUM, 3, { 0, 100, 600 }, { 100, 400, 50 }, { 4096, 4096, 1000 } } },
      1,
      "growth 0",
      { { 0, 100, 40.96 }, { 100, 400, 10.24 }, { 600, 50, 20 } },
      3 },
    { "growth multiplies it",
      { { "thread=1", STATISTIC_SUM, 1, { 0 }, { 100 }, { 4096 } } },
      1,
      "growth 50",
      { { 0, 100, 61.44 } },
      1 },
    /* 10 | 10 + 4 | 5 + 4 | 5 */
    { "threads are added up",
      { { "thread=1", STATISTIC_SUM, 2, { 0, 100 }, { 100, 200 }, { 1000, 1000 } },
        { "thread=2", STATISTIC_SUM, 1, { 50 }, { 100 }, { 400 } } },
      2,
      "growth 0",
      { { 0, 50, 10 }, { 50, 50, 14 }, { 100, 50, 9 }, { 150, 150, 5 } },
      4 },
    { "the same history from two hosts counts once",
      { { "thread=1", STATISTIC_SUM, 1, { 0 }, { 100 }, { 1000 } },
        { "thread=1", STATISTIC_SUM, 2, { 0, 100 }, { 100, 100 }, { 1000, 500 } } },
      2,
      "growth 0",
      { { 0, 100, 10 }, { 100, 100, 5 } },
      2 },
    { "the size of a file that was not archived is no redo",
      { { "thread=1", STATISTIC_OTHER, 1, { 0 }, { 100 }, { 4096 } } },
      1,
      "growth 0",
      { { 0, 0, 0 } },
      0 },
    { "what cannot be is left out",
      { { "thread=1",
          STATISTIC_SUM,
          4,
          { 0, 100, 200, 300 },
          { 100, NAN, 0, 1e300 },
          { 1000, 1000, 1000, 1000 } },
        { "thread=2", STATISTIC_SUM, 2, { 0, 100 }, { 100, 100 }, { -1, NAN } } },
      2,
      "growth 0",
      { { 0, 100, 10 } },
      1 },
    /* The first day begins 4 days before the hour at 50. */
    { "and no more than half a week before",
      { { "thread=1",
          STATISTIC_SUM,
          3,
          { 0, 86400, 345600 },
          { 86400, 259200, 3600 },
          { 86400, 518400, 180000 } } },
      1,
      "growth 0",
      { { 86400, 259200, 2 }, { 345600, 3600, 50 } },
      2 },
    /* A day at 1, three at 2 with an hour at 50 before them, and one more that ends 4 days after.
     */
    { "a week around the largest redo",
      { { "thread=1",
          STATISTIC_SUM,
          4,
          { 0, 86400, 90000, 349200 },
          { 86400, 3600, 259200, 86400 },
          { 86400, 180000, 518400, 86400 } } },
      1,
      "growth 0",
      { { 0, 86400, 1 }, { 86400, 3600, 50 }, { 90000, 259200, 2 } },
      3 },
};

struct history {
    struct metric_series series[THREADS_MAX];
    int64_t time_ms[THREADS_MAX][LOGS_MAX];
    double value[THREADS_MAX][LOGS_MAX];
};

static void give_history(struct redo_system *s, const struct thread_logs *threads, size_t n,
                         struct history *h)
{
    s->load.metrics = h->series;
    s->load.n_metrics = n;
    for (size_t i = 0; i < n; i++) {
        const struct thread_logs *t = &threads[i];
        for (size_t k = 0; k < t->n; k++) {
            h->time_ms[i][k] = morning_ms() + t->begin_s[k] * 1000;
            h->value[i][k] = t->mib[k] * MIB;
        }
        h->series[i] = (struct metric_series){ .metric = "redo_log",
                                               .dimension = t->thread,
                                               .statistic = t->statistic,
                                               .n = t->n,
                                               .time_ms = h->time_ms[i],
                                               .period_s = t->period_s,
                                               .value = h->value[i] };
    }
}

static void scenario_of(struct redo_system *s, const char *change, struct whatif *w)
{
    struct whatif_options o = plain_options();
    if (calibrate_system(s, 1) || whatif_of(s, &o, (const char *const[]){ change, NULL }, w))
        fail_msg("%s", s->err.text);
}

static void by_archived_log(void **state)
{
    const struct history_case *c = *state;
    struct redo_system s;
    struct whatif w;
    struct history h;
    struct redo_series r;
    incident(&s);
    give_history(&s, c->threads, c->n_threads, &h);
    scenario_of(&s, c->change, &w);
    assert_int_equal(redo_series_build(w.scenario, &s.arena, &r, &s.err), 0);
    assert_true(r.from_logs);
    assert_int_equal(r.n, c->n_runs);
    for (size_t i = 0; i < r.n; i++) {
        assert_int_equal(r.begin_ms[i], morning_ms() + c->runs[i].begin_s * 1000);
        assert_int_equal(r.runs[i].duration_s, c->runs[i].duration_s);
        assert_near(r.runs[i].redo_mibps, c->runs[i].mibps);
    }
    if (r.n) {
        const struct expected_run *last = &c->runs[r.n - 1];
        assert_int_equal(r.end_ms, morning_ms() + (last->begin_s + last->duration_s) * 1000);
        assert_null(w.planned.missing);
        assert_true(w.planned.from_logs);
    } else {
        assert_non_null(strstr(w.planned.missing, "archived logs"));
    }
    arena_release(&s.arena);
}

/* Both are there: devices by the minute say more. */
static void devices_come_first(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    struct history h;
    incident(&s);
    add_minutes(&s, 0, 20, 10, 10);
    give_history(&s, cases[0].threads, 1, &h);
    scenario_of(&s, "growth 0", &w);
    assert_false(w.planned.from_logs);
    assert_int_equal(w.planned.result.seconds, 1200);
    assert_near(w.planned.result.generated_mib, 12000);
    arena_release(&s.arena);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct redo_system s;
    struct whatif w;
    struct history h;
    struct redo_series r;
    incident(&s);
    give_history(&s, cases[2].threads, cases[2].n_threads, &h);
    scenario_of(&s, "growth 0", &w);
    struct each_allocation it = { 0 };
    while (each_allocation(&it))
        it.rc = redo_series_build(w.scenario, &it.a, &r, &it.e);
    arena_release(&s.arena);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, by_archived_log, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(devices_come_first);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(every_allocation_may_fail);
    return cmocka_run_group_tests_name("redo_series", t, NULL, NULL);
}
