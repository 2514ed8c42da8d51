/* tests/torture/torture_fetch.c - every allocation of fetch fails in turn, libcurl's too.
 *
 * As torture_commands.c, against a server of the test: each failure ends with status 5 and the
 * standard words, and leaves whole transactions.  FULL=1 counts every allocation; else the first
 * 100 and then ever wider steps, of a twentieth. */
#include "data/store/store.h"
#include "models/core/mem.h"
#include "tests/cli/run_cli.h"
#include "tests/data/fetch/fake_aws.h"

static char dir[] = "/tmp/volplan-torture-fetch-XXXXXX";
static char db[64], base[64], pack[64];

static const char volumes[] =
    "<DescribeVolumesResponse><volumeSet><item><volumeId>vol-0aa1</volumeId><size>500</size>"
    "<availabilityZone>us-east-1a</availabilityZone><volumeType>io2</volumeType><iops>5000</iops>"
    "<attachmentSet><item><instanceId>i-1</instanceId></item></attachmentSet></item></volumeSet></"
    "DescribeVolumesResponse>";
static const char modifications[] = "<DescribeVolumesModificationsResponse>"
                                    "<volumeModificationSet/>"
                                    "</DescribeVolumesModificationsResponse>";
static const char instances[] =
    "<DescribeInstancesResponse><reservationSet><item><instancesSet><item><instanceId>i-1"
    "</instanceId><monitoring><state>enabled</state></monitoring></item></instancesSet></item>"
    "</reservationSet></DescribeInstancesResponse>";
static const char types[] = "<DescribeInstanceTypesResponse><instanceTypeSet><item>"
                            "<instanceType>z9.mega</instanceType><vCpuInfo><defaultVCpus>960"
                            "</defaultVCpus></vCpuInfo></item></instanceTypeSet>"
                            "</DescribeInstanceTypesResponse>";
/* One point: of the instance too few to tell, so that it is asked again in 300 s. */
static const char metrics[] = "{\"MetricDataResults\":[{\"Id\":\"m0\",\"Label\":\"x\","
                              "\"StatusCode\":\"Complete\",\"Timestamps\":[1795996800],"
                              "\"Values\":[7]}]}";
static const char prices[] =
    "\"Publication Date\",\"2026-11-20T20:48:02Z\"\n"
    "\"SKU\",\"TermType\",\"Unit\",\"PricePerUnit\",\"Currency\",\"usageType\"\n"
    "\"S1\",\"OnDemand\",\"GB-Mo\",\"0.11\",\"USD\",\"EBS:VolumeUsage.gp2\"\n";

static void answer(struct fake_aws *f, const struct received *r, int n, int conn)
{
    (void)n;
    if (strcmp(r->method, "GET") == 0)
        fake_text(f, conn, 200, "", prices);
    else if (received_header(r, "x-amz-target"))
        fake_text(f, conn, 200, "", metrics);
    else if (strstr(r->body, "DescribeVolumesModifications"))
        fake_text(f, conn, 200, "", modifications);
    else if (strstr(r->body, "DescribeVolumes"))
        fake_text(f, conn, 200, "", volumes);
    else
        fake_text(f, conn, 200, "", strstr(r->body, "InstanceTypes") ? types : instances);
}

static bool by_process; /* keys from a credential_process, else from the environment */
static char config[64];

static const char *variable(const char *name)
{
    if (by_process)
        return strcmp(name, "AWS_CONFIG_FILE") == 0 ? config : NULL;
    if (strcmp(name, "AWS_ACCESS_KEY_ID") == 0)
        return FAKE_KEY;
    return strcmp(name, "AWS_SECRET_ACCESS_KEY") == 0 ? FAKE_SECRET : NULL;
}

static const struct cli_env env = { .now_ms = INT64_C(1796061600000),
                                    .db = db,
                                    .variable = variable };

static long next_allocation(long n)
{
    return n < 100 || getenv("FULL") ? n + 1 : n + n / 20;
}

static const struct torture_case {
    const char *why, *line;
    bool needs_volumes, into_pack; /* the line ends with a folder */
    bool by_process;
} cases[] = {
    { "fetch volumes", "fetch volumes --system PRD1 --json", false, false, false },
    { "fetch instance-types", "fetch instance-types --system PRD1", false, false, false },
    { "fetch cloudwatch",
      "fetch cloudwatch --system PRD1 --from 2026-11-30 --to 2026-11-30T01:00:00Z --json", true,
      false, false },
    { "fetch prices", "fetch prices --region us-east-1 --out", false, true, false },
    { "fetch instance-types by credential_process", "fetch instance-types --system PRD1", false,
      false, true },
};

/* The store opens, or was never made. */
static void expect_sound(void)
{
    struct store *s = NULL;
    struct err e = { 0 };
    if (access(db, F_OK) != 0)
        return;
    int rc = store_open(db, &(struct store_options){ .mode = STORE_WRITE }, &s, &e);
    assert_string_equal(rc ? e.text : "", "");
    store_close(s);
}

static void fails_everywhere(void **state)
{
    const struct torture_case *c = *state;
    char line[400];
    struct cli_result r;
    long n = 0;
    by_process = c->by_process;
    do {
        remove(db);
        if (c->needs_volumes) {
            snprintf(line, sizeof line, "%s --endpoint-url %s", cases[0].line, base);
            r = run_cli_in(line, &env);
            assert_int_equal(r.status, 0);
            free_cli(&r);
        }
        snprintf(line, sizeof line, "%s%s%s --endpoint-url %s", c->line, c->into_pack ? " " : "",
                 c->into_pack ? pack : "", base);
        n = next_allocation(n);
        atomic_store(&mem_calls, 0);
        atomic_store(&mem_fail_at, n);
        r = run_cli_in(line, &env);
        atomic_store(&mem_fail_at, 0);
        if (r.status && (r.status != 5 || strcmp(r.err, "volplan: out of memory\n") != 0))
            fail_msg("%s, allocation %ld: status %d, %s", c->why, n, r.status, r.err);
        free_cli(&r);
        expect_sound();
    } while (r.status);
    print_message("%s: %ld allocations\n", c->why, n);
    assert_true(n > 100);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct fake_aws f = { .answer = answer, .region = "us-east-1" };
    struct CMUnitTest t[N];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, fails_everywhere, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    if (!mkdtemp(dir) || cli_global_init(stderr))
        return 1;
    snprintf(db, sizeof db, "%s/v.db", dir);
    snprintf(pack, sizeof pack, "%s/pack", dir);
    snprintf(config, sizeof config, "%s/config", dir);
    FILE *profile = fopen(config, "w");
    if (!profile)
        return 1;
    fputs("[default]\ncredential_process = echo "
          "'{\"AccessKeyId\":\"a\",\"SecretAccessKey\":\"b\"}'\n",
          profile);
    fclose(profile);
    fake_start(&f);
    snprintf(base, sizeof base, "http://127.0.0.1:%d", f.port);
    int failed = cmocka_run_group_tests(t, NULL, NULL);
    fake_stop(&f);
    char path[100];
    const char *const left[] = { "v.db", "config", "pack/prices.csv", "pack/instances.csv",
                                 "pack", "" };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, left[i]);
        remove(path);
    }
    cli_global_release();
    return failed;
}
