/* tests/cli/test_fetch.c - volplan fetch, whole, against a server of the test that checks every
 * signature: pages, what is stored, resuming, kills.  FULL=1 kills 100 times, else 10. */
#include "tests/cli/fake_account.h"
#include "tests/seeded.h"

#include "data/store/store.h"
#include "models/core/timestamp.h"

#include <sys/wait.h>
#include <time.h>

/* --- tests -------------------------------------------------------------------------------------
 */

static void volumes_of_all_pages(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    struct cli_result r = run_fetch(&f, "fetch volumes --system PRD1 --json");
    assert_int_equal(r.status, 0);
    assert_int_equal(number_in(r.out, "requests"), 4);     /* two pages, changes, instances */
    assert_int_equal(number_in(r.out, "rows"), 2 + 1 + 2); /* an instance and its block device */
    free_cli(&r);
    r = run_fetch(&f, "fetch volumes --json"); /* the only system; nothing is new */
    assert_int_equal(number_in(r.out, "rows"), 0);
    free_cli(&r);
    stop(&f);

    struct arena a = { 0 };
    struct store *s;
    struct err e = { 0 };
    const struct stored_volume *v;
    const struct stored_modification *m;
    size_t n;
    assert_int_equal(store_open(db, &(struct store_options){ .mode = STORE_READ }, &s, &e), 0);
    assert_int_equal(store_volumes(s, "PRD1", &a, &v, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_true(span_is(v[0].config.volume_id, "vol-0aa1"));
    assert_true(span_is(v[0].config.instance_id, "i-0db1"));
    assert_true(span_is(v[0].config.name, "012")); /* a tag stays a text */
    assert_int_equal(v[0].config.spec.iops, 5000);
    assert_int_equal(v[1].config.spec.size_gib, 1024);
    assert_int_equal(v[1].config.spec.type, VOL_IO2);
    assert_int_equal(store_modifications(s, "PRD1", &a, &m, &n, &e), 0);
    assert_int_equal(n, 1);
    assert_int_equal(m[0].change.from.iops, 3000);
    store_close(s);
    arena_release(&a);
}

static void types_are_held_against_the_catalogue(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    struct cli_result r = run_fetch(&f, "fetch instance-types --system PRD1 --json");
    assert_int_equal(r.status, 0);
    cJSON *tree = cJSON_Parse(r.out), *list = cJSON_GetObjectItem(tree, "differences");
    assert_int_equal(cJSON_GetArraySize(list), 2); /* r5.large is known with 650 Mbit/s */
    const cJSON *limit = cJSON_GetArrayItem(list, 0), *type = cJSON_GetArrayItem(list, 1);
    assert_string_equal(text_in(limit, "name"), "r5.large");
    assert_string_equal(text_in(limit, "what"), "baseline_mbps");
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(limit, "from")), 650);
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(limit, "to")), 651);
    assert_string_equal(text_in(type, "name"), "z9.mega");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(type, "from")));
    cJSON_Delete(tree);
    free_cli(&r);
    stop(&f);
}

static void a_folder_of_types(void **state)
{
    struct fake_aws f;
    char line[200], path[100];
    (void)state;
    fresh(&f);
    snprintf(line, sizeof line, "fetch instance-types --system PRD1 --out %s/pack", folder);
    struct cli_result r = run_fetch(&f, line);
    assert_non_null(strstr(r.out, "/pack has them for --facts"));
    free_cli(&r);
    stop(&f);
    snprintf(line, sizeof line, "instance r5.large --json --facts %s/pack", folder);
    r = run_cli_in(line, &env);
    assert_int_equal(r.status, 0);
    cJSON *tree = cJSON_Parse(r.out);
    const cJSON *t = cJSON_GetArrayItem(cJSON_GetObjectItem(tree, "instances"), 0);
    /* 651 Mbit/s / 8; the rest as built in */
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(t, "baseline_throughput_mb_s")) == 81.375);
    assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(t, "baseline_iops")), 3600);
    assert_string_equal(text_in(t, "source"), "EC2 DescribeInstanceTypes eu-west-1");
    cJSON_Delete(tree);
    free_cli(&r);
    snprintf(path, sizeof path, "%s/pack/instances.csv", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/pack", folder);
    remove(path);
}

/* Points of a metric in the store: their number, and how many moments are there twice. */
struct points {
    int64_t n, doubled, first_ms, last_ms, period_s;
};

static int count_values(void *ctx, int64_t file_id, const struct store_metric_value *v, size_t n,
                        struct err *e)
{
    struct points *p = ctx;
    (void)file_id, (void)e;
    for (size_t i = 0; i < n; i++) {
        p->doubled += p->n && v[i].time_ms <= p->last_ms;
        p->n++;
        p->first_ms = p->first_ms && p->first_ms < v[i].time_ms ? p->first_ms : v[i].time_ms;
        p->last_ms = v[i].time_ms;
        p->period_s = (int64_t)v[i].period_s;
        assert_int_equal(v[i].value, v[i].time_ms / 60000 % 100000);
    }
    return 0;
}

static struct points points_of(const char *metric, const char *dimension)
{
    struct points p = { 0 };
    struct arena a = { 0 };
    struct store *s;
    struct err e = { 0 };
    struct store_metric *m;
    size_t n;
    assert_int_equal(store_open(db, &(struct store_options){ .mode = STORE_READ }, &s, &e), 0);
    assert_int_equal(store_metrics(s, "PRD1", &a, &m, &n, &e), 0);
    for (size_t i = 0; i < n; i++)
        if (strcmp(m[i].head.metric, metric) == 0 && strcmp(m[i].head.dimension, dimension) == 0)
            assert_int_equal(store_metric_values(s, &m[i], count_values, &p, &e), 0);
    store_close(s);
    arena_release(&a);
    return p;
}

/* 29 November to 17:45 of the 30th: 1 440 + 17 * 60 + 45 = 2 505 minutes. */
enum { MINUTES = 2505 };
#define CLOUDWATCH "fetch cloudwatch --system PRD1 --from 2026-11-29 --json"

static void expect_all_points(void)
{
    struct points p = points_of("VolumeReadOps", "VolumeId=vol-0aa1");
    assert_int_equal(p.n, MINUTES);
    assert_int_equal(p.doubled, 0);
    assert_int_equal(p.period_s, 60);
    assert_int_equal(p.last_ms, now_ms - 16 * 60000); /* the point of 17:44 */
    assert_int_equal(points_of("VolumeWriteBytes", "VolumeId=vol-0bb2").n, MINUTES);
    p = points_of("EBSWriteOps", "InstanceId=i-0db1");
    assert_int_equal(p.n, MINUTES / 5); /* basic monitoring */
    assert_int_equal(p.period_s, 300);
}

static void metrics_once(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    load_volumes(&f);
    struct cli_result r = run_fetch(&f, CLOUDWATCH);
    assert_int_equal(r.status, 0);
    /* Two days of the volumes and one stretch of the instance, two pages each. */
    assert_int_equal(number_in(r.out, "requests"), 6);
    assert_non_null(strstr(r.out, "\"resumed\": false"));
    free_cli(&r);
    expect_all_points();

    r = run_fetch(&f, CLOUDWATCH);
    assert_int_equal(number_in(r.out, "requests"), 0);
    assert_non_null(strstr(r.out, "\"resumed\": true"));
    free_cli(&r);
    atomic_store(&n_asked, 0);
    r = run_fetch(&f, "fetch cloudwatch --system PRD1 --from 2026-11-28T12:00:00Z --json");
    free_cli(&r);
    assert_int_equal(atomic_load(&n_asked), 3); /* two volumes and an instance, before the 29th */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(asked[i].from_s, now_ms / 1000 - 54 * 3600); /* 28th, 12:00 */
        assert_int_equal(asked[i].to_s, now_ms / 1000 - 42 * 3600);   /* 29th, 00:00 */
    }
    stop(&f);
}

/* A day of detailed monitoring: minutes for it, five minutes before, though AWS gives these as the
 * answer to a question of 60 s.  What was asked counts as asked. */
static void instances_by_the_minute(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    detailed_since_s = now_ms / 1000 - 18 * 3600; /* midnight before the 30th */
    load_volumes(&f);
    struct cli_result r = run_fetch(&f, CLOUDWATCH);
    free_cli(&r);
    struct points p = points_of("EBSWriteOps", "InstanceId=i-0db1");
    assert_int_equal(p.n, 1440 / 5 + (MINUTES - 1440));
    assert_int_equal(p.doubled, 0);
    assert_int_equal(p.period_s, 60); /* of the last one */
    assert_int_equal(points_of("VolumeReadOps", "VolumeId=vol-0aa1").n, MINUTES);
    r = run_fetch(&f, CLOUDWATCH);
    assert_int_equal(number_in(r.out, "requests"), 0);
    free_cli(&r);
    stop(&f);
}

static void says_it_to_people(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    struct cli_result r = run_fetch(&f, "fetch volumes --system PRD1");
    assert_non_null(strstr(r.out, "2 volumes, 1 modification and 2 instance rows of eu-west-1"));
    free_cli(&r);
    r = run_fetch(&f, "fetch instance-types");
    assert_non_null(
        strstr(r.out, "Nothing uses them: --out writes a folder for --facts. They differ:"));
    assert_non_null(strstr(r.out, "r5.large                    baseline_mbps    650       651\n"));
    assert_non_null(strstr(r.out, "z9.mega                     vcpu               -       960\n"));
    free_cli(&r);
    r = run_fetch(&f, "fetch cloudwatch --from 2026-11-30");
    assert_non_null(strstr(r.out, "points of eu-west-1 loaded into"));
    assert_non_null(strstr(r.out, "with 4 requests.")); /* volumes and instance, two pages each */
    free_cli(&r);
    r = run_fetch(&f, "fetch cloudwatch --from 2026-11-30");
    assert_non_null(strstr(r.out, "PRD1: nothing was left to ask of eu-west-1."));
    free_cli(&r);
    stop(&f);
}

static bool canary_in_store(void)
{
    FILE *file = fopen(db, "rb");
    static char bytes[8 * 1024 * 1024];
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    assert_true(n > 1000 && n < sizeof bytes);
    fclose(file);
    return memmem(bytes, n, "canary", 6) || memmem(bytes, n, FAKE_KEY, strlen(FAKE_KEY)) ||
           memmem(bytes, n, "Signature", 9);
}

static void no_credential_is_stored(void **state)
{
    struct fake_aws f;
    (void)state;
    fresh(&f);
    load_volumes(&f);
    struct cli_result r = run_fetch(&f, CLOUDWATCH);
    free_cli(&r);
    assert_false(canary_in_store());
    stop(&f);
}

static pid_t start_child(const char *line)
{
    pid_t child = fork();
    if (child == 0) {
        FILE *nowhere = fopen("/dev/null", "w");
        _exit(run_words(line, &env, nowhere, nowhere));
    }
    return child;
}

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* How long a child takes that nobody kills. */
static int64_t measure_us(const char *line)
{
    int status;
    int64_t began_us = now_us();
    assert_true(waitpid(start_child(line), &status, 0) > 0);
    assert_int_equal(status, 0);
    return now_us() - began_us;
}

/* A child that is killed at a random moment of its run; then the rest. */
static void killed_at_any_moment(void **state)
{
    struct fake_aws f;
    int runs = getenv("FULL") ? 100 : 10, caught = 0, part = 0;
    struct seeded chance = { seed_of_run((uint64_t)time(NULL)) };
    char line[300];
    (void)state;
    fresh(&f);
    snprintf(line, sizeof line, CLOUDWATCH " --quiet --endpoint-url http://127.0.0.1:%d", f.port);
    load_volumes(&f);
    int64_t whole_us = measure_us(line), all = 3 * MINUTES * 60;
    for (int i = 0; i < runs; i++) {
        remove(db);
        load_volumes(&f);
        pid_t child = start_child(line);
        usleep((useconds_t)seeded_int(&chance, 0, whole_us - 1));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        caught += WIFSIGNALED(status);
        fake_settle(&f); /* requests of the child that still wait count before */
        int64_t have = seconds_stored();
        part += have > 0 && have < all;
        int before = atomic_load(&n_asked) % 4000;
        atomic_store(&n_asked, before);
        struct cli_result r = run_fetch(&f, CLOUDWATCH);
        assert_int_equal(r.status, 0);
        free_cli(&r);
        assert_int_equal(seconds_asked(before), all - have); /* only what is missing */
        expect_all_points();
    }
    print_message("kill: %d of %d runs were still at work within %lld ms, %d had stored a part\n",
                  caught, runs, (long long)whole_us / 1000, part);
    assert_true(caught > 0);
    stop(&f);
}

static void credentials_go_nowhere_else(void **state)
{
    (void)state;
    struct cli_result r =
        run_cli_in("fetch volumes --system P --endpoint-url http://example.com", &env);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.err, "credentials go over https only"));
    free_cli(&r);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(db, sizeof db, "%s/v.db", folder);
    return cli_global_init(stderr);
}

static int tear_down(void **state)
{
    (void)state;
    remove(db);
    remove(folder);
    cli_global_release();
    return 0;
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(volumes_of_all_pages),
        cmocka_unit_test(types_are_held_against_the_catalogue),
        cmocka_unit_test(a_folder_of_types),
        cmocka_unit_test(metrics_once),
        cmocka_unit_test(instances_by_the_minute),
        cmocka_unit_test(says_it_to_people),
        cmocka_unit_test(no_credential_is_stored),
        cmocka_unit_test(killed_at_any_moment),
        cmocka_unit_test(credentials_go_nowhere_else),
    };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
