/* tests/cli/test_fetch.c - volplan fetch, whole, against a server of the test that checks every
 * signature: pages, what is stored, resuming, kills, and that no credential is told.
 *
 * The server plays an account with two volumes on one instance in eu-west-1.  FULL=1 kills 100
 * times, else 10. */
#include "tests/cli/run_cli.h"

#include "data/store/store.h"
#include "models/core/timestamp.h"
#include "tests/data/fetch/fake_aws.h"

#include <cjson/cJSON.h>
#include <sys/wait.h>
#include <time.h>

static char folder[] = "/tmp/volplan-fetch-XXXXXX";
static char db[64];
static const int64_t now_ms = INT64_C(1796061600000); /* 2026-11-30T18:00:00Z */

/* --- EC2 ---------------------------------------------------------------------------------------
 */

static const char xml_type[] = "Content-Type: text/xml;charset=UTF-8\r\n";

#define VOLUME(id, size, iops)                                                                     \
    "<item><volumeId>" id "</volumeId><size>" size "</size><snapshotId/>"                          \
    "<availabilityZone>eu-west-1a</availabilityZone><status>in-use</status>"                       \
    "<createTime>2026-01-02T03:04:05.000Z</createTime><attachmentSet><item><volumeId>" id          \
    "</volumeId><instanceId>i-0db1</instanceId><device>/dev/sdf</device>"                          \
    "<status>attached</status><attachTime>2026-01-02T03:05:00.000Z</attachTime>"                   \
    "</item></attachmentSet><volumeType>io2</volumeType><iops>" iops                               \
    "</iops><tagSet><item><key>Name</key><value>012</value></item></tagSet>"                       \
    "<multiAttachEnabled>false</multiAttachEnabled></item>"

static const struct {
    const char *action, *token, *body;
} ec2_answers[] = {
    { "DescribeVolumes", NULL,
      "<?xml version=\"1.0\"?><DescribeVolumesResponse><requestId>1</requestId><volumeSet>" VOLUME(
          "vol-0aa1", "500", "5000") "</volumeSet><nextToken>a+b=</nextToken>"
                                     "</DescribeVolumesResponse>" },
    { "DescribeVolumes", "a%2Bb%3D",
      "<?xml version=\"1.0\"?><DescribeVolumesResponse><volumeSet>" VOLUME(
          "vol-0bb2", "1024", "4000") "</volumeSet></DescribeVolumesResponse>" },
    { "DescribeVolumesModifications", NULL,
      "<DescribeVolumesModificationsResponse><volumeModificationSet><item>"
      "<volumeId>vol-0aa1</volumeId><modificationState>completed</modificationState>"
      "<targetVolumeType>io2</targetVolumeType><targetIops>5000</targetIops><targetSize>500"
      "</targetSize><originalVolumeType>io2</originalVolumeType><originalIops>3000</originalIops>"
      "<originalSize>500</originalSize><progress>100</progress>"
      "<startTime>2026-11-20T10:00:00.000Z</startTime></item></volumeModificationSet>"
      "</DescribeVolumesModificationsResponse>" },
    { "DescribeInstances", NULL,
      "<DescribeInstancesResponse><reservationSet><item><instancesSet><item>"
      "<instanceId>i-0db1</instanceId><instanceType>r5.large</instanceType>"
      "<privateIpAddress>10.0.0.1</privateIpAddress>"
      "<instanceState><code>16</code><name>running</name></instanceState>"
      "<blockDeviceMapping><item><deviceName>/dev/sdf</deviceName><ebs><volumeId>vol-0aa1"
      "</volumeId><status>attached</status></ebs></item></blockDeviceMapping>"
      "</item></instancesSet></item></reservationSet></DescribeInstancesResponse>" },
    { "DescribeInstanceTypes", NULL,
      "<DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>r5.large</instanceType>"
      "<vCpuInfo><defaultVCpus>2</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>16384</sizeInMiB>"
      "</memoryInfo><ebsInfo><ebsOptimizedInfo><baselineBandwidthInMbps>651"
      "</baselineBandwidthInMbps></ebsOptimizedInfo></ebsInfo></item>"
      "<item><instanceType>z9.mega</instanceType><vCpuInfo><defaultVCpus>960</defaultVCpus>"
      "</vCpuInfo></item></instanceTypeSet></DescribeInstanceTypesResponse>" },
};

static void answer_ec2(struct fake_aws *f, const struct received *r, int conn)
{
    char action[64], token[64], body[512];
    snprintf(body, sizeof body, "%.*s", (int)r->body_n, r->body);
    const char *at = strstr(body, "Action="), *more = strstr(body, "NextToken=");
    snprintf(action, sizeof action, "%.*s", (int)(at ? strcspn(at + 7, "&") : 0), at ? at + 7 : "");
    snprintf(token, sizeof token, "%.*s", (int)(more ? strcspn(more + 10, "&") : 0),
             more ? more + 10 : "");
    for (size_t i = 0; i < sizeof ec2_answers / sizeof *ec2_answers; i++)
        if (strcmp(ec2_answers[i].action, action) == 0 &&
            strcmp(ec2_answers[i].token ? ec2_answers[i].token : "", token) == 0) {
            fake_text(f, conn, 200, xml_type, ec2_answers[i].body);
            return;
        }
    fake_text(f, conn, 400, xml_type,
              "<Response><Errors><Error><Code>InvalidAction</Code></Error>"
              "</Errors></Response>");
}

/* --- CloudWatch --------------------------------------------------------------------------------
 */

/* What was asked for: seconds of each resource's VolumeReadOps, or EBSReadOps. */
struct asked {
    char id[32];
    int64_t from_s, to_s, period_s;
};
static struct asked asked[5000];
static atomic_int n_asked;

static const char *text_in(const cJSON *o, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(o, key));
    return s ? s : "";
}

/* Volumes have requests and bytes every minute, the instance every five minutes; nothing else has
 * points.  A value tells its time. */
static void add_points(cJSON *result, const cJSON *stat, int64_t from_s, int64_t to_s)
{
    cJSON *times = cJSON_AddArrayToObject(result, "Timestamps");
    cJSON *values = cJSON_AddArrayToObject(result, "Values");
    const char *metric = text_in(cJSON_GetObjectItem(stat, "Metric"), "MetricName");
    int64_t period_s = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(stat, "Period"));
    bool has = strstr(metric, "Ops") || strstr(metric, "Bytes");
    for (int64_t t = from_s; has && t < to_s; t += period_s) {
        cJSON_AddItemToArray(times, cJSON_CreateNumber((double)t));
        cJSON_AddItemToArray(values, cJSON_CreateNumber((double)(t / 60 % 100000)));
    }
}

/* Two pages: the first has the first half of the first query as PartialData and half of the
 * other queries; the second has the rest. */
static void answer_metrics(struct fake_aws *f, const struct received *r, int conn)
{
    char *body = strndup(r->body, r->body_n);
    cJSON *q = cJSON_Parse(body), *answer = cJSON_CreateObject();
    cJSON *queries = cJSON_GetObjectItem(q, "MetricDataQueries");
    cJSON *results = cJSON_AddArrayToObject(answer, "MetricDataResults");
    int64_t from_s = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(q, "StartTime"));
    int64_t to_s = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(q, "EndTime"));
    int n = cJSON_GetArraySize(queries), second = *text_in(q, "NextToken") != '\0';
    int64_t middle_s = (from_s + (to_s - from_s) / 2) / 3600 * 3600;
    if (middle_s < from_s)
        middle_s = from_s;
    for (int i = second ? n / 2 : 0; i < (second ? n : n / 2); i++) {
        cJSON *one = cJSON_CreateObject(), *query = cJSON_GetArrayItem(queries, i);
        cJSON *stat = cJSON_GetObjectItem(query, "MetricStat");
        cJSON_AddStringToObject(one, "Id", text_in(query, "Id"));
        cJSON_AddStringToObject(one, "Label", "anything");
        cJSON_AddStringToObject(one, "StatusCode", i ? "Complete" : "PartialData");
        add_points(one, stat, from_s, i ? to_s : middle_s);
        cJSON_AddItemToArray(results, one);
    }
    for (int i = 0; second && i < 1; i++) {
        cJSON *one = cJSON_CreateObject(), *query = cJSON_GetArrayItem(queries, 0);
        cJSON_AddStringToObject(one, "Id", text_in(query, "Id"));
        cJSON_AddStringToObject(one, "Label", "anything");
        cJSON_AddStringToObject(one, "StatusCode", "Complete");
        add_points(one, cJSON_GetObjectItem(query, "MetricStat"), middle_s, to_s);
        cJSON_AddItemToArray(results, one);
    }
    if (!second)
        cJSON_AddStringToObject(answer, "NextToken", "second");
    for (int i = 0; !second && i < n; i++) {
        const cJSON *stat = cJSON_GetObjectItem(cJSON_GetArrayItem(queries, i), "MetricStat");
        const cJSON *metric = cJSON_GetObjectItem(stat, "Metric");
        const char *name = text_in(metric, "MetricName");
        if (strcmp(name, "VolumeReadOps") != 0 && strcmp(name, "EBSReadOps") != 0)
            continue;
        struct asked *k = &asked[atomic_fetch_add(&n_asked, 1) % 5000];
        snprintf(k->id, sizeof k->id, "%s",
                 text_in(cJSON_GetArrayItem(cJSON_GetObjectItem(metric, "Dimensions"), 0),
                         "Value"));
        k->from_s = from_s;
        k->to_s = to_s;
        k->period_s = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(stat, "Period"));
    }
    char *text = cJSON_PrintUnformatted(answer);
    fake_text(f, conn, 200, "Content-Type: application/x-amz-json-1.0\r\n", text);
    cJSON_free(text);
    cJSON_Delete(answer);
    cJSON_Delete(q);
    free(body);
}

static void answer(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    if (received_header(r, "x-amz-target"))
        answer_metrics(f, r, conn);
    else
        answer_ec2(f, r, conn);
}

/* --- running -----------------------------------------------------------------------------------
 */

static const char *variable(const char *name)
{
    static const char *const set[][2] = { { "AWS_ACCESS_KEY_ID", FAKE_KEY },
                                          { "AWS_SECRET_ACCESS_KEY", FAKE_SECRET },
                                          { "AWS_SESSION_TOKEN", FAKE_TOKEN },
                                          { "AWS_REGION", "eu-west-1" } };
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (strcmp(set[i][0], name) == 0)
            return set[i][1];
    return NULL;
}

static const struct cli_env env = { .now_ms = now_ms, .db = db, .variable = variable };

static struct cli_result run_fetch(const struct fake_aws *f, const char *line)
{
    char whole[500];
    snprintf(whole, sizeof whole, "%s --verbose --endpoint-url http://127.0.0.1:%d", line, f->port);
    struct cli_result r = run_cli_in(whole, &env);
    if (r.status)
        print_error("%s: %s\n", line, r.err);
    const char *const secrets[] = { FAKE_KEY, FAKE_SECRET, FAKE_TOKEN, "Signature" };
    for (size_t i = 0; i < 4; i++) {
        assert_null(strstr(r.out, secrets[i]));
        assert_null(strstr(r.err, secrets[i]));
    }
    return r;
}

static void fresh(struct fake_aws *f)
{
    char journal[80];
    snprintf(journal, sizeof journal, "%s-journal", db);
    remove(db);
    remove(journal);
    atomic_store(&n_asked, 0);
    *f = (struct fake_aws){
        .answer = answer, .token = FAKE_TOKEN, .region = "eu-west-1", .service = "*"
    };
    fake_start(f);
}

static double number_in(const char *json, const char *key)
{
    cJSON *tree = cJSON_Parse(json);
    double v = cJSON_GetNumberValue(cJSON_GetObjectItem(tree, key));
    cJSON_Delete(tree);
    return v;
}

static void stop(struct fake_aws *f)
{
    fake_stop(f);
    assert_string_equal(f->wrong, "");
}

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

static void load_volumes(struct fake_aws *f)
{
    struct cli_result r = run_fetch(f, "fetch volumes --system PRD1");
    assert_int_equal(r.status, 0);
    free_cli(&r);
}

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

static int64_t seconds_asked(int from)
{
    int64_t sum = 0;
    for (int i = from; i < atomic_load(&n_asked); i++)
        sum += asked[i].to_s - asked[i].from_s;
    return sum;
}

/* Seconds of all resources that the store says were fetched. */
static int64_t seconds_stored(void)
{
    struct arena a = { 0 };
    struct store *s;
    struct err e = { 0 };
    const struct stored_record *r;
    size_t n;
    double sum = 0;
    assert_int_equal(store_open(db, &(struct store_options){ .mode = STORE_WRITE }, &s, &e), 0);
    assert_int_equal(store_records(s, "PRD1", &a, &r, &n, &e), 0);
    for (size_t i = 0; i < n; i++)
        if (strcmp(r[i].kind, "fetched_metrics") == 0)
            sum +=
                stored_record_num(&r[i], "to_epoch_s") - stored_record_num(&r[i], "from_epoch_s");
    store_close(s);
    arena_release(&a);
    return (int64_t)sum;
}

/* A child that is killed at a random moment; then the rest. */
static void killed_at_any_moment(void **state)
{
    struct fake_aws f;
    int runs = getenv("FULL") ? 100 : 10, caught = 0;
    unsigned seed =
        getenv("SEED") ? (unsigned)strtoul(getenv("SEED"), NULL, 10) : (unsigned)time(NULL);
    char line[300];
    (void)state;
    print_message("kill: SEED=%u\n", seed);
    fresh(&f);
    snprintf(line, sizeof line, CLOUDWATCH " --quiet --endpoint-url http://127.0.0.1:%d", f.port);
    for (int i = 0; i < runs; i++) {
        remove(db);
        load_volumes(&f);
        pid_t child = fork();
        if (child == 0) {
            FILE *nowhere = fopen("/dev/null", "w");
            _exit(run_words(line, &env, nowhere, nowhere));
        }
        seed = seed * 1103515245 + 12345;
        usleep(seed >> 8 & 0x1ffff); /* up to 131 ms */
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        caught += WIFSIGNALED(status);
        fake_settle(&f); /* requests of the child that still wait count before */
        int64_t have = seconds_stored(), all = 3 * MINUTES * 60;
        int before = atomic_load(&n_asked) % 4000;
        atomic_store(&n_asked, before);
        struct cli_result r = run_fetch(&f, CLOUDWATCH);
        assert_int_equal(r.status, 0);
        free_cli(&r);
        assert_int_equal(seconds_asked(before), all - have); /* only what is missing */
        expect_all_points();
    }
    print_message("kill: %d of %d runs were still at work\n", caught, runs);
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
        cmocka_unit_test(says_it_to_people),
        cmocka_unit_test(no_credential_is_stored),
        cmocka_unit_test(killed_at_any_moment),
        cmocka_unit_test(credentials_go_nowhere_else),
    };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
