/* tests/cli/fake_account.h - an account with two volumes on one instance in eu-west-1, played by a
 * server of the test that checks every signature; and commands run against it, whose output is
 * searched for anything of the credentials. */
#ifndef TESTS_CLI_FAKE_ACCOUNT_H
#define TESTS_CLI_FAKE_ACCOUNT_H

#include "tests/cli/run_cli.h"

#include "data/store/store.h"
#include "tests/data/fetch/fake_aws.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>

static char folder[] = "/tmp/volplan-fetch-XXXXXX";
static char db[64];
static const int64_t now_ms = INT64_C(1796061600000); /* 2026-11-30T18:00:00Z */

/* Since when the instance has detailed monitoring. */
enum { NEVER = -1 };
static int64_t detailed_since_s = NEVER;

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

#define INSTANCES(monitoring)                                                                      \
    "<DescribeInstancesResponse><reservationSet><item><instancesSet><item>"                        \
    "<instanceId>i-0db1</instanceId><instanceType>r5.large</instanceType>"                         \
    "<privateIpAddress>10.0.0.1</privateIpAddress><monitoring><state>" monitoring                  \
    "</state></monitoring><instanceState><code>16</code><name>running</name></instanceState>"      \
    "<blockDeviceMapping><item><deviceName>/dev/sdf</deviceName><ebs><volumeId>vol-0aa1"           \
    "</volumeId><status>attached</status></ebs></item></blockDeviceMapping>"                       \
    "</item></instancesSet></item></reservationSet></DescribeInstancesResponse>"

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
    { "DescribeInstances", NULL, INSTANCES("disabled") },
    { "DescribeInstances of detailed monitoring", NULL, INSTANCES("enabled") },
    { "DescribeInstanceTypes", NULL,
      "<DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>r5.large</instanceType>"
      "<vCpuInfo><defaultVCpus>2</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>16384</sizeInMiB>"
      "</memoryInfo><ebsInfo><ebsOptimizedInfo><baselineBandwidthInMbps>651"
      "</baselineBandwidthInMbps></ebsOptimizedInfo></ebsInfo></item>"
      "<item><instanceType>z9.mega</instanceType><vCpuInfo><defaultVCpus>960</defaultVCpus>"
      "</vCpuInfo></item></instanceTypeSet></DescribeInstanceTypesResponse>" },
};

static inline void answer_ec2(struct fake_aws *f, const struct received *r, int conn)
{
    char action[64], token[64], body[512];
    snprintf(body, sizeof body, "%.*s", (int)r->body_n, r->body);
    const char *at = strstr(body, "Action="), *more = strstr(body, "NextToken=");
    snprintf(action, sizeof action, "%.*s", (int)(at ? strcspn(at + 7, "&") : 0), at ? at + 7 : "");
    snprintf(token, sizeof token, "%.*s", (int)(more ? strcspn(more + 10, "&") : 0),
             more ? more + 10 : "");
    if (detailed_since_s != NEVER && strcmp(action, "DescribeInstances") == 0)
        strcat(action, " of detailed monitoring");
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

static inline const char *text_in(const cJSON *o, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(o, key));
    return s ? s : "";
}

/* Volumes have requests and bytes every minute, the instance every five minutes until it has
 * detailed monitoring; nothing else has points.  A value tells its time. */
static inline void add_points(cJSON *result, const cJSON *stat, int64_t from_s, int64_t to_s)
{
    cJSON *times = cJSON_AddArrayToObject(result, "Timestamps");
    cJSON *values = cJSON_AddArrayToObject(result, "Values");
    const char *metric = text_in(cJSON_GetObjectItem(stat, "Metric"), "MetricName");
    int64_t period_s = (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(stat, "Period"));
    bool has = strstr(metric, "Ops") || strstr(metric, "Bytes");
    bool is_instance = strncmp(metric, "EBS", 3) == 0;
    for (int64_t t = from_s, step_s; has && t < to_s; t += step_s) {
        bool basic = is_instance && (detailed_since_s == NEVER || t < detailed_since_s);
        step_s = basic && period_s < 300 ? 300 : period_s;
        cJSON_AddItemToArray(times, cJSON_CreateNumber((double)t));
        cJSON_AddItemToArray(values, cJSON_CreateNumber((double)(t / 60 % 100000)));
    }
}

/* Two pages: the first has the first half of the first query as PartialData and half of the
 * other queries; the second has the rest. */
static inline void answer_metrics(struct fake_aws *f, const struct received *r, int conn)
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

static inline void answer(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    if (received_header(r, "x-amz-target"))
        answer_metrics(f, r, conn);
    else
        answer_ec2(f, r, conn);
}

/* --- running -----------------------------------------------------------------------------------
 */

static inline const char *variable(const char *name)
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

static inline struct cli_result run_fetch(const struct fake_aws *f, const char *line)
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

static inline void fresh(struct fake_aws *f)
{
    char journal[80];
    snprintf(journal, sizeof journal, "%s-journal", db);
    remove(db);
    remove(journal);
    atomic_store(&n_asked, 0);
    detailed_since_s = NEVER;
    *f = (struct fake_aws){
        .answer = answer, .token = FAKE_TOKEN, .region = "eu-west-1", .service = "*"
    };
    fake_start(f);
}

static inline double number_in(const char *json, const char *key)
{
    cJSON *tree = cJSON_Parse(json);
    double v = cJSON_GetNumberValue(cJSON_GetObjectItem(tree, key));
    cJSON_Delete(tree);
    return v;
}

static inline void stop(struct fake_aws *f)
{
    fake_stop(f);
    assert_string_equal(f->wrong, "");
}

static inline void load_volumes(struct fake_aws *f)
{
    struct cli_result r = run_fetch(f, "fetch volumes --system PRD1");
    assert_int_equal(r.status, 0);
    free_cli(&r);
}

static inline int64_t seconds_asked(int from)
{
    int64_t sum = 0;
    for (int i = from; i < atomic_load(&n_asked); i++)
        sum += asked[i].to_s - asked[i].from_s;
    return sum;
}

/* Seconds of all resources that the store says were fetched. */
static inline int64_t seconds_stored(void)
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

#endif
