/* tests/planner/report/test_report_planner.c - the keys that scripts rely on, and the words.
 *
 * The emitter here writes "path=value" lines, and what is said for people behind '#'. */
#include "planner/report/report.h"
#include "planner/solve/plan_pareto.h"

#include "tests/planner/synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

struct recorder {
    struct emit emit;
    char out[200000];
    size_t n;
    char path[20][40];
    int index[20]; /* of the next element; -1 in an object */
    int depth;
};

static void put(struct recorder *r, const char *s)
{
    size_t len = strlen(s);
    assert_true(r->n + len + 1 < sizeof r->out);
    memcpy(r->out + r->n, s, len + 1);
    r->n += len;
}

static void put_path(struct recorder *r, const char *key)
{
    for (int i = 1; i <= r->depth; i++) {
        put(r, r->path[i]);
        put(r, ".");
    }
    char index[16];
    if (!key)
        snprintf(index, sizeof index, "%d", r->index[r->depth]++);
    put(r, key ? key : index);
}

static void rec_begin(struct emit *m, const char *key, enum emit_kind kind,
                      const struct emit_col *cols, size_t n_cols)
{
    struct recorder *r = (struct recorder *)m;
    (void)cols, (void)n_cols;
    /* A key in an object, none in a list. */
    assert_true(!key == (r->index[r->depth] >= 0));
    char index[16];
    if (!key)
        snprintf(index, sizeof index, "%d", r->index[r->depth]++);
    assert_true(++r->depth < 20);
    snprintf(r->path[r->depth], sizeof r->path[0], "%s", key ? key : index);
    r->index[r->depth] = kind == EMIT_LIST ? 0 : -1;
    put(r, kind == EMIT_LIST ? "[]" : "{}");
    put(r, r->path[r->depth]);
    put(r, "\n");
}

static void rec_end(struct emit *m)
{
    struct recorder *r = (struct recorder *)m;
    assert_true(r->depth > 0);
    r->depth--;
}

static void rec_value(struct emit *m, const char *key, const struct emit_value *v)
{
    struct recorder *r = (struct recorder *)m;
    char text[64] = "null";
    put_path(r, key);
    put(r, "=");
    switch (v->kind) {
    case EMIT_NULL:
        break;
    case EMIT_BOOL:
        snprintf(text, sizeof text, "%s", v->flag ? "true" : "false");
        break;
    case EMIT_INT:
    case EMIT_TIME:
        snprintf(text, sizeof text, "%lld", (long long)v->integer);
        break;
    case EMIT_USD:
        snprintf(text, sizeof text, "%.4f", (double)v->integer / 1e6);
        break;
    case EMIT_NUM:
        snprintf(text, sizeof text, "%.10g", v->num);
        break;
    case EMIT_DECIMAL:
    case EMIT_TEXT:
        put(r, v->text);
        put(r, "\n");
        return;
    }
    put(r, text);
    put(r, "\n");
}

static void rec_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    struct recorder *r = (struct recorder *)m;
    put(r, is_cell ? "#cell " : "#");
    put(r, label ? label : "");
    put(r, label ? ": " : "");
    put(r, text);
    put(r, "\n");
}

static struct recorder *recorder(void)
{
    static const struct emit_ops ops = { rec_begin, rec_end, rec_value, rec_words, NULL, NULL };
    static struct recorder r;
    memset(&r, 0, sizeof r);
    r.emit = (struct emit){ .ops = &ops, .people = true };
    r.index[0] = -1;
    return &r;
}

static void assert_says(const struct recorder *r, const char *line)
{
    if (!strstr(r->out, line))
        fail_msg("not said: %s\nin:\n%s", line, r->out);
}

static void size(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct size_options o;
    struct size_result s;
    struct err e = { 0 };
    size_options_init(&o, &builtin_catalogue, day_ms("2022-06-01"));
    o.types = 1u << VOL_IO2;
    struct size_need n = { 417, 1000, NAN, NAN, NAN, 500, NAN };
    assert_int_equal(size_solve(&n, &o, &a, &s, &e), 0);
    struct recorder *r = recorder();
    report_size(&r->emit, &s);
    assert_int_equal(r->depth, 0);
    static const char *const want[] = {
        "need.iops=417\n",
        "need.throughput_mibps=1000\n",
        "need.counted_iops=4000\n",
        "need.counted_iops_high=4417\n", /* 417 + 4 * 1 000 */
        "need.size_gib=500\n",
        "need.headroom_pct=0\n",
        "\nstatus=best\n",
        "options.0.rank=1\n",
        "options.0.volume_type=io2\n",
        "options.0.count=2\n",
        "options.0.size_gib=250\n",
        "options.0.iops=2000\n",
        "options.0.throughput_mibps=null\n",
        "options.0.group_max_iops=4000\n",
        "options.0.group_max_throughput_mibps=1000\n",
        "options.0.binding=throughput\n",
        "options.0.total_usd=322.5000\n",
        "options.0.rank_usd=322.5000\n",
        "options.0.headroom_pct.throughput=0\n",
        "options.0.latency_class=single-digit ms\n",
        "options.0.durability_pct=99.999\n",
        "options.0.risk=",
        "[]notes\n",
        "rejected.0.spec=io2 500 GiB 417 IOPS\n", /* what the request rate alone asks for */
        "rejected.0.ceiling=throughput\n",
        "rejected.0.meets_at_usd=3598.5000\n",
        "#2 x io2 250 GiB 2 000 IOPS carry 1 000 MiB/s, 417 IOPS and 500 GiB for 322.50",
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_says(r, want[i]);

    /* Nothing carries it: said in the first words. */
    o.max_count = 1;
    n.throughput_mibps = 1001;
    assert_int_equal(size_solve(&n, &o, &a, &s, &e), 0);
    r = recorder();
    report_size(&r->emit, &s);
    assert_says(r, "status=none\n");
    assert_says(r, "#Nothing that is allowed carries 1 001 MiB/s, 417 IOPS and 500 GiB");
    assert_says(r, "rejected.0.meets_at_usd=null\n");
    arena_release(&a);
}

struct world {
    struct synthetic_series room;
    struct load_series series;
    struct layout_group group;
    struct system_load load;
    struct layout layout;
    struct arena a;
};

static const char *const redo_device[] = { "nvme8n1" };
static const struct layout_volumes one_io2_5000[] = { { { VOL_IO2, 1, 500, 5000, UNKNOWN },
                                                        UNKNOWN } };

static void make(struct world *w)
{
    memset(w, 0, sizeof *w);
    w->series = series_in(&w->room, SERIES_DEVICE, "nvme8n1");
    sample(&w->series, &w->room, 0, 60, 417, 0, 500, 0);
    w->group = group_named("REDO1", ROLE_REDO);
    w->group.devices = redo_device;
    w->group.n_devices = 1;
    w->group.volumes = one_io2_5000;
    w->group.n_volumes = 1;
    w->group.need_gib = 500;
    w->group.policy.types = 1u << VOL_IO2;
    w->load = (struct system_load){ .system = "PRD1", .series = &w->series, .n_series = 1 };
    w->layout = layout_of(&w->group, 1, "r5.8xlarge");
}

static void plan_of(struct world *w, const char *as_of, struct recorder *r)
{
    struct demand_options d;
    struct plan_options o;
    struct system_demand demand;
    struct plan p;
    struct err e = { 0 };
    demand_options_init(&d, &builtin_catalogue);
    plan_options_init(&o, &builtin_catalogue, day_ms("2026-06-01"));
    o.as_of_ms = day_ms(as_of);
    if (system_demand_build(&w->load, &w->layout, &d, &w->a, &demand, &e) ||
        plan_build(&demand, &o, &w->a, &p, &e) || plan_pareto_add(&p, &w->a, &e))
        fail_msg("%s", e.text);
    report_plan(&r->emit, &p);
}

static void plan(void **state)
{
    (void)state;
    static struct world w;
    make(&w);
    struct recorder *r = recorder();
    plan_of(&w, "2022-06-01", r);
    assert_int_equal(r->depth, 0);
    static const char *const want[] = {
        "system=PRD1\n",
        "\nas_of=2022-06-01\n",
        "\nprice_as_of=2025-10-28\n",
        "\nregion=us-east-1\n",
        "\nstatus=best\n",
        "groups.0.name=REDO1\n",
        "groups.0.role=redo\n",
        "groups.0.demand.total_mibps=500\n",
        "groups.0.demand.counted_iops=2000\n",
        "groups.0.demand.grade=censored\n",
        "groups.0.demand.high=null\n",
        "groups.0.lower_bound=true\n",
        "groups.0.steps_up.0.spec=2 x io2 250 GiB 2 000 IOPS\n",
        "groups.0.steps_up.0.total_usd=322.5000\n",
        "groups.0.steps_up.0.group_max_throughput_mibps=1000\n",
        "groups.0.steps_up.0.stop_when=",
        "groups.0.chosen.volume_type=io2\n",
        "groups.0.chosen.count=2\n",
        "groups.0.chosen.iops=1200\n",
        "groups.0.chosen.binding=throughput\n",
        "groups.0.chosen.total_usd=218.5000\n",
        "groups.0.chosen.rank_usd=223.5000\n",
        "groups.0.today.iops=5000\n",
        "groups.0.today.total_usd=387.5000\n",
        "groups.0.today.throttled_s=0\n", /* 500 MiB/s of 500 */
        "groups.0.alternatives.0.rank=2\n",
        "groups.0.rejected.0.ceiling=throughput\n",
        "groups.0.rejected.0.needed=600\n",
        "groups.0.rejected.0.offered=500\n",
        "[]others\n",
        "groups.0.log_switch=null\n",
        "certificate=null\n",
        "[]pareto\n",
        /* 500 GiB at 0.125 and 4 IOPS for each MiB/s, one volume flat at 500 MiB/s: 62.50 + 130 */
        "pareto.0.total_usd=192.5000\n",
        "pareto.0.headroom_pct=0\n",
        "pareto.0.count=1\n",
        "pareto.0.rank_usd=192.5000\n",
        "pareto.0.spec=io2 500 GiB 2 000 IOPS\n",
        "pareto.0.groups.0.spec=io2 500 GiB 2 000 IOPS\n",
        "instance.weighting=default\n",
        "instance.larger_of_family=null\n",
        "instance.auto=null\n",
        "groups.0.today.volumes.0.volume_type=io2\n",
        "#headroom: 0 %: 192.50 USD, 1 volume; 20 %: 218.50 USD, 2 volumes",
        "peak_price.percentile=99\n", /* of one sample: itself */
        "peak_price.saving_usd=0.0000\n",
        "instance.type=r5.8xlarge\n",
        "instance.verdict=fits\n",
        "instance.baseline_throughput_mb_s=850\n",
        "instance.demand_mb_s=524.288\n",
        "instance.demand_iops=2000\n",
        "instance.attachments=3\n",
        "instance.instance_usd=",
        "calibration=null\n",
        "\ntotal_usd=218.5000\n",
        "\ntoday_usd=387.5000\n",
        "pack_difference.0.today_spec=io2 500 GiB 2 400 IOPS\n",
        "findings.0.id=throughput_ceiling\n",
        "findings.0.severity=error\n",
        "findings.0.verdict=certain\n",
        "500 MiB/s, for 1 minute; the guest sends 417 requests/s, 8 % of its IOPS",
        "IOPS: EBS counts these requests as 2 000 of 5 000 (40 %)",
        "#PRD1 on r5.8xlarge: REDO1 is at its throughput ceiling in 1 of 1 minutes; ",
        "2 x io2 250 GiB 1 200 IOPS carry the 600 MiB/s that are certain",
        "#cell peak: >= 500\n",
        "#cell headroom: <= 20 %\n",
        "#at least: REDO1: 500 MiB/s",
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_says(r, want[i]);

    /* The same again, byte for byte. */
    static char first[sizeof r->out];
    memcpy(first, r->out, r->n + 1);
    r = recorder();
    plan_of(&w, "2022-06-01", r);
    assert_string_equal(first, r->out);
    arena_release(&w.a);
}

static void plan_none(void **state)
{
    (void)state;
    static struct world w;
    make(&w);
    w.group.policy.max_count = 1;
    w.group.policy.types = 1u << VOL_ST1;
    w.room.read_iops[0] = 900; /* st1: 500 requests of 1 MiB at most */
    struct recorder *r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "\nstatus=none\n");
    assert_says(r, "certificate.group=REDO1\n");
    assert_says(r, "certificate.ceiling=");
    assert_says(r, "groups.0.chosen=null\n");
    assert_says(r, "\ntotal_usd=null\n");
    assert_says(r, "#PRD1: nothing that is allowed carries REDO1");
    arena_release(&w.a);
}

/* The first words say what the plan is good for, and no more. */
static void plan_words(void **state)
{
    (void)state;
    static struct world w;
    make(&w);
    w.group.n_volumes = 0;
    struct recorder *r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "#PRD1 on r5.8xlarge: 1 group is carried at its peak with 20 % headroom; ");

    w.group.policy.types = 1u << VOL_GP2;
    r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "#cell headroom: by bursts\n");

    w.group.policy.types = 1u << VOL_GP3;
    w.group.policy.max_latency_class = "sub-ms";
    r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "#PRD1: nothing that is allowed carries REDO1: no allowed type has the latency");

    w.group.policy.max_latency_class = NULL;
    w.group.n_devices = 0;
    r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "#PRD1: no peak is known: ");

    struct layout_group both[] = { w.group, w.group };
    both[1].name = "REDO2";
    both[1].devices = redo_device;
    both[1].n_devices = 1;
    w.layout = layout_of(both, 2, NULL);
    r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "#PRD1: 1 of 2 groups are carried at their peaks with 20 % headroom, "
                   "1 has no known peak; ");

    both[0].volumes = one_io2_5000; /* 500 MiB/s until 2025-04-30, 600 are needed */
    both[0].n_volumes = 1;
    both[0].devices = redo_device;
    both[0].n_devices = 1;
    both[0].policy.keep = true;
    both[1].n_devices = 0;
    w.room.read_mibps[0] = 450;
    r = recorder();
    plan_of(&w, "2022-06-01", r);
    assert_says(r, "#PRD1: 0 of 2 groups are carried at their peaks with 20 % headroom, "
                   "1 is kept though too small, 1 has no known peak; ");
    arena_release(&w.a);
}

/* An AWR average of 49 MiB/s while the database waited: the evidence is what was seen, not the
 * assumed peak of ten times that. */
static void averaged_waits(void **state)
{
    (void)state;
    static struct world w;
    make(&w);
    struct awr_event wait = { "log buffer space", "Configuration", 100, 500, 5000, 10, 1 };
    struct awr_snapshot s = { .begin_ms = morning_ms(),
                              .end_ms = morning_ms() + INT64_C(10800000),
                              .events = &wait,
                              .n_events = 1 };
    const struct awr_snapshot *snapshots[] = { &s };
    static const struct layout_file log_files[] = { { "Log File", 100 } };
    w.series = series_in(&w.room, SERIES_FILETYPE, "Log File");
    sample(&w.series, &w.room, 0, 10800, 40, 0, 49, 0);
    w.group.n_devices = w.group.n_volumes = 0;
    w.group.files = log_files;
    w.group.n_files = 1;
    w.load.snapshots = snapshots;
    w.load.n_snapshots = 1;
    struct recorder *r = recorder();
    plan_of(&w, "2026-06-01", r);
    assert_says(r, "groups.0.demand.total_mibps=490\n");
    assert_says(r, "findings.0.id=redo_waits\n");
    assert_says(r, "while REDO1 was measured: at least 49 MiB/s on average");
    assert_says(r, "#assumed: REDO1: 490 MiB/s, or more: the database waited");
    assert_says(r, "1 group is carried at its peak, assumed from averages, with 20 % headroom");

    struct demand_options d;
    struct peaks p;
    struct err e = { 0 };
    demand_options_init(&d, &builtin_catalogue);
    assert_int_equal(peaks_build(&(struct demand_source){ &w.load, &w.layout }, 1, &d,
                                 PEAKS_BY_GROUP, NULL, &w.a, &p, &e),
                     0);
    r = recorder();
    report_peaks(&r->emit, &p);
    assert_says(r, "#PRD1: REDO1 peaks at 49 MiB/s, a lower bound: the database waited");
    assert_int_equal(peaks_build(&(struct demand_source){ &w.load, &w.layout }, 1, &d,
                                 PEAKS_BY_INSTANCE, NULL, &w.a, &p, &e),
                     0);
    r = recorder();
    report_peaks(&r->emit, &p);
    assert_says(
        r, "a lower bound: it or a group of it was at a ceiling or waited for redo in 180 of 180");
    arena_release(&w.a);
}

static void peaks(void **state)
{
    (void)state;
    static struct world w;
    make(&w);
    struct demand_options d;
    struct peaks p;
    struct err e = { 0 };
    demand_options_init(&d, &builtin_catalogue);
    assert_int_equal(peaks_build(&(struct demand_source){ &w.load, &w.layout }, 1, &d,
                                 PEAKS_BY_GROUP, NULL, &w.a, &p, &e),
                     0);
    struct recorder *r = recorder();
    report_peaks(&r->emit, &p);
    assert_int_equal(r->depth, 0);
    static const char *const want[] = {
        "rows.0.name=REDO1\n",
        "rows.0.interval_s=60\n",
        "rows.0.samples=1\n",
        "rows.0.coverage_pct=100\n",
        "rows.0.grade=censored\n",
        "rows.0.time_of_max=",
        "rows.0.request_kib=1227.8", /* 500 * 1 024 / 417 */
        "rows.0.read_iops.avg=417\n",
        "rows.0.write_iops.p50=0\n",
        "rows.0.read_mibps.p95=500\n",
        "rows.0.write_mibps.p99=0\n",
        "rows.0.total_iops.p999=417\n",
        "rows.0.total_mibps.max=500\n",
        "rows.0.counted_iops.max=2000\n",
        "rows.0.by_hour.7=500\n",
        "rows.0.by_hour.23=null\n",
        "rows.0.by_weekday.2=500\n",
        "rows.0.peak_second.low=500\n",
        "rows.0.peak_second.high=500\n", /* the ceiling of the volumes */
        "rows.0.artefacts=0\n",
        "\nsum_of_peaks_mibps=500\n",
        "#cell peak: >= 500\n",
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_says(r, want[i]);
    arena_release(&w.a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(size),       cmocka_unit_test(plan),           cmocka_unit_test(plan_none),
        cmocka_unit_test(plan_words), cmocka_unit_test(averaged_waits), cmocka_unit_test(peaks),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
