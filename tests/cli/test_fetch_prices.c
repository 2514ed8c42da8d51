/* tests/cli/test_fetch_prices.c - volplan fetch prices against a server of the test: what is taken
 * from a list, what differs, what is refused, and that memory stays small however long the list is.
 *
 * The lists are made here: rows of the real shape, own figures.  FULL=1 streams 500 MB, else 60. */
#include "models/core/sanitized.h"
#include "tests/cli/run_cli.h"

#include "tests/data/fetch/fake_aws.h"

#include <cjson/cJSON.h>
#include <sys/resource.h>
#include <sys/wait.h>

static char folder[] = "/tmp/volplan-prices-XXXXXX";

#define HEAD                                                                                       \
    "\"FormatVersion\",\"v1.0\"\n\"Disclaimer\",\"own figures, \"\"none\"\" of AWS\"\n"            \
    "\"Publication Date\",\"2026-11-20T20:48:02Z\"\n\"Version\",\"20261120204802\"\n"              \
    "\"OfferCode\",\"AmazonEC2\"\n"
#define HEADINGS                                                                                   \
    "\"SKU\",\"TermType\",\"PriceDescription\",\"EffectiveDate\",\"StartingRange\",\"Unit\","      \
    "\"PricePerUnit\",\"Currency\",\"Product Family\",\"Location Type\",\"Instance Type\","        \
    "\"vCPU\",\"Tenancy\",\"Operating System\",\"License Model\",\"usageType\","                   \
    "\"CapacityStatus\",\"Pre Installed S/W\",\"Region Code\"\n"
#define EBS(usage, unit, price)                                                                    \
    "\"S1\",\"OnDemand\",\"a \"\"price\"\", in words\",\"2026-11-01\",\"0\",\"" unit "\",\"" price \
    "\",\"USD\",\"Storage\",\"AWS Region\",\"\",\"\",\"\",\"\",\"\",\"" usage                      \
    "\",\"\",\"\",\"us-east-1\"\n"
#define INSTANCE(type, vcpu, tenancy, price)                                                       \
    "\"S2\",\"OnDemand\",\"x\",\"2026-11-01\",\"0\",\"Hrs\",\"" price                              \
    "\",\"USD\",\"Compute Instance\",\"AWS Region\",\"" type "\",\"" vcpu "\",\"" tenancy          \
    "\",\"Linux\",\"No License required\",\"BoxUsage:" type "\",\"Used\",\"NA\",\"us-east-1\"\n"
#define UNQUOTED                                                                                   \
    "S2,OnDemand,x,2026-11-01,0,\"Hrs\",99.0000000000,USD,\"Compute Instance\",AWS Region,"        \
    "z9.mega,960,Shared,Linux,No License required,BoxUsage:z9.mega,Used,NA,us-east-1\n"
#define RESERVED                                                                                   \
    "\"S3\",\"Reserved\",\"r5.large reserved instance applied, three years, no upfront, in "       \
    "words that nobody reads\",\"2026-11-01\",\"0\",\"Hrs\",\"0.0480000000\",\"USD\","             \
    "\"Compute Instance\",\"AWS Region\",\"r5.large\",\"2\",\"Shared\",\"Linux\","                 \
    "\"No License required\",\"BoxUsage:r5.large\",\"Used\",\"NA\",\"us-east-1\"\n"

#define GP3_REST                                                                                   \
    EBS("EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.0000000000")                                         \
    EBS("EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.0050000000")                                         \
    EBS("EBS:VolumeP-Throughput.gp3", "GiBps-mo", "40.9600000000")
#define OTHERS                                                                                     \
    EBS("EBS:VolumeUsage.gp2", "GB-Mo", "0.1000000000")                                            \
    EBS("EBS:VolumeUsage.io2", "GB-month", "0.1250000000")                                         \
    EBS("EBS:VolumeP-IOPS.io2", "IOPS-Mo", "0.0650000000")                                         \
    EBS("EBS:VolumeP-IOPS.io2.tier3", "IOPS-Mo", "0.0318500000")

/* gp3 at 0.081 instead of 0.08; a Local Zone, a price in yuan and a reservation that must not
 * count; io2 without its second tier. */
static const char list[] = HEAD HEADINGS EBS("EBS:VolumeUsage.gp3", "GB-Mo", "0.0810000000")
    GP3_REST OTHERS INSTANCE("r5.large", "2", "Shared", "0.1300000000")
        INSTANCE("r5.large", "2", "Dedicated", "0.1400000000") UNQUOTED RESERVED
    "\"S4\",\"OnDemand\",\"x\",\"2026-11-01\",\"0\",\"GB-Mo\",\"0.5\",\"USD\",\"Storage\","
    "\"AWS Local Zone\",\"\",\"\",\"\",\"\",\"\",\"LAX1-EBS:VolumeUsage.gp3\",\"\",\"\",\"\"\n"
    "\"S5\",\"OnDemand\",\"x\",\"2026-11-01\",\"0\",\"GB-Mo\",\"0.6\",\"CNY\",\"Storage\","
    "\"AWS Region\",\"\",\"\",\"\",\"\",\"\",\"EBS:VolumeUsage.gp3\",\"\",\"\",\"us-east-1\"\n";

static const char *served;
static int cuts;      /* the first answers that end in the middle */
static size_t filler; /* reservations before the last rows */

static void answer(struct fake_aws *f, const struct received *r, int n, int conn)
{
    static char block[64 * (sizeof RESERVED - 1)];
    if (strcmp(r->path, "/offers/v1.0/aws/AmazonEC2/current/us-east-1/index.csv") != 0) {
        fake_text(f, conn, 403, "", "<Error><Code>AccessDenied</Code></Error>");
        return;
    }
    size_t head = strlen(HEAD HEADINGS), size = strlen(served), row = sizeof RESERVED - 1;
    if (!filler) {
        char text[200];
        snprintf(text, sizeof text,
                 "HTTP/1.1 200 X\r\nContent-Type: text/csv\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\n\r\n",
                 size);
        fake_send(f, conn, text, strlen(text));
        fake_send(f, conn, served, n < cuts ? size / 2 : size);
        return;
    }
    for (size_t i = 0; i < 64; i++)
        memcpy(block + i * row, RESERVED, row);
    fake_send(f, conn, "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n", 37);
    fake_send(f, conn, served, head);
    for (size_t sent = 0; sent < filler && fake_send(f, conn, block, sizeof block);)
        sent += sizeof block;
    fake_send(f, conn, served + head, size - head);
}

static const struct cli_env env = { .now_ms = INT64_C(1796061600000) };

/* fetch prices of the list; into FOLDER/pack. */
static struct cli_result fetch(const char *text, const char *more, int *requests)
{
    struct fake_aws f = { .answer = answer };
    char line[300];
    served = text;
    fake_start(&f);
    snprintf(line, sizeof line,
             "fetch prices --json --out %s/pack %s --endpoint-url http://127.0.0.1:%d", folder,
             more, f.port);
    struct cli_result r = run_cli_in(line, &env);
    fake_stop(&f);
    if (requests)
        *requests = atomic_load(&f.n_requests);
    return r;
}

static const char *text_of(const cJSON *o, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(o, key));
    return s ? s : "";
}

static double num_of(const cJSON *o, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(o, key));
}

static void what_differs_is_listed(void **state)
{
    (void)state;
    struct cli_result r = fetch(list, "", NULL);
    assert_string_equal(r.status ? r.err : "", "");
    assert_non_null(strstr(r.err, "1 times a volume type was left out")); /* io2, without tier 2 */
    cJSON *tree = cJSON_Parse(r.out), *all = cJSON_GetObjectItem(tree, "differences");
    assert_int_equal(cJSON_GetArraySize(all), 3);
    const cJSON *d = cJSON_GetArrayItem(all, 0);
    assert_string_equal(text_of(d, "name"), "gp3 in us-east-1");
    assert_string_equal(text_of(d, "what"), "storage_gib_month_usd");
    assert_true(num_of(d, "from") == 0.08 && num_of(d, "to") == 0.081);
    d = cJSON_GetArrayItem(all, 1);
    assert_string_equal(text_of(d, "name"), "r5.large"); /* built in: 0.126 */
    assert_true(num_of(d, "from") == 0.126 && num_of(d, "to") == 0.13);
    d = cJSON_GetArrayItem(all, 2);
    assert_string_equal(text_of(d, "name"), "z9.mega");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(d, "from")) && num_of(d, "to") == 960);
    /* gp3: storage, IOPS free and charged, throughput free and charged; gp2: storage; r5.large. */
    assert_int_equal(num_of(tree, "rows"), 5 + 1 + 1);
    assert_int_equal(num_of(tree, "bytes"), strlen(list));
    cJSON_Delete(tree);
    free_cli(&r);
}

static double total_usd(const char *line)
{
    char whole[300];
    snprintf(whole, sizeof whole, "%s --json --facts %s/pack", line, folder);
    struct cli_result r = run_cli_in(whole, &env);
    assert_string_equal(r.status ? r.err : "", "");
    cJSON *tree = cJSON_Parse(r.out);
    double usd = num_of(cJSON_GetObjectItem(tree, "price"), "total_usd");
    cJSON_Delete(tree);
    free_cli(&r);
    return usd;
}

static void facts_takes_it(void **state)
{
    (void)state;
    struct cli_result r = fetch(list, "", NULL);
    free_cli(&r);
    /* 1 000 GiB at 0.081, 1 000 IOPS above 3 000 at 0.005, 75 MiB/s above 125 at 40.96/1024 */
    assert_true(total_usd("vol gp3 --size 1000 --iops 4000 --throughput 200 --as-of 2026-11-30") ==
                81 + 5 + 3);
    /* The day before the list was published, another region, and io2: as built in. */
    assert_true(total_usd("vol gp3 --size 1000 --as-of 2026-11-19") == 80);
    assert_true(total_usd("vol gp3 --size 1000 --region eu-west-1 --as-of 2026-11-30") == 88);
    assert_true(total_usd("vol io2 --size 1000 --iops 1000 --as-of 2026-11-30") == 125 + 65);
    char line[200];
    snprintf(line, sizeof line, "catalog --json --facts %s/pack", folder);
    r = run_cli_in(line, &env);
    assert_non_null(strstr(r.out, "AWS price list AmazonEC2 us-east-1 version 20261120204802"));
    free_cli(&r);
}

/* What lies under the name of the draft is not written through. */
static void a_link_is_not_followed(void **state)
{
    char other[100], draft[120], line[8] = "";
    (void)state;
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(draft, sizeof draft, "%s/pack/.prices.csv.tmp", folder);
    FILE *f = fopen(other, "w");
    assert_non_null(f);
    fputs("mine\n", f);
    fclose(f);
    assert_int_equal(symlink(other, draft), 0);
    struct cli_result r = fetch(list, "", NULL);
    assert_int_equal(r.status, 0);
    free_cli(&r);
    f = fopen(other, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_string_equal(line, "mine\n");
    remove(other);
}

static void a_broken_transfer_begins_again(void **state)
{
    int requests;
    (void)state;
    cuts = 1;
    struct cli_result r = fetch(list, "", &requests);
    cuts = 0;
    assert_int_equal(r.status, 0);
    assert_int_equal(requests, 2);
    cJSON *tree = cJSON_Parse(r.out);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(tree, "differences")), 3);
    cJSON_Delete(tree);
    free_cli(&r);
}

static const struct bad {
    const char *why, *text, *more, *words;
    int status;
} bads[] = {
    { "a captive portal", "<!DOCTYPE html><h1>Welcome</h1>", "", "a web page came", 5 },
    { "no headings", HEAD, "", "the price list has no rows", 3 },
    { "no rows", HEAD HEADINGS, "", "the price list has no rows", 3 },
    { "a column is missing", HEAD "\"SKU\",\"TermType\",\"Unit\"\n\"1\",\"OnDemand\",\"x\"\n", "",
      "line 6: the price list has no column 'PricePerUnit'", 3 },
    { "a price that is none", HEAD HEADINGS EBS("EBS:VolumeUsage.gp3", "GB-Mo", "cheap"), "",
      "line 7: PricePerUnit 'cheap' is no price", 3 },
    { "a unit that cannot be", HEAD HEADINGS EBS("EBS:VolumeUsage.gp3", "TB-Yr", "1"), "",
      "line 7: EBS:VolumeUsage.gp3: a price per 'TB-Yr' cannot be used", 3 },
    { "not published", HEADINGS EBS("EBS:VolumeUsage.gp3", "GB-Mo", "1"), "",
      "does not say when it was published", 3 },
    { "ends in a cell", HEAD HEADINGS "\"S1\",\"OnDe", "",
      "line 7: the price list ends in the middle", 3 },
    { "ends between cells", HEAD HEADINGS "\"S1\",\"OnDemand\",", "",
      "line 7: the price list ends in the middle", 3 },
    { "nothing of EBS", HEAD HEADINGS RESERVED, "", "no whole set of prices of any volume type",
      3 },
    { "a region without a list", "", "--region eu-west-1", "no public price list of eu-west-1", 5 },
    { "a region that is none", "", "--region eu-west-9", "unknown region 'eu-west-9'", 2 },
};

static void is_refused(void **state)
{
    const struct bad *b = *state;
    struct cli_result r = fetch(b->text, b->more, NULL);
    if (!strstr(r.err, b->words))
        print_error("said: %s\n", r.err);
    assert_non_null(strstr(r.err, b->words));
    assert_int_equal(r.status, b->status);
    assert_string_equal(r.out, "");
    free_cli(&r);
}

static void regions_without_a_list_are_told(void **state)
{
    (void)state;
    struct cli_result r = fetch(list, "--region all", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "no public price list of eu-west-1: what is known of it stays"));
    free_cli(&r);
}

/* A program of its own, so that its peak is told apart from ours. */
static void memory_stays_small(void **state)
{
    struct fake_aws f = { .answer = answer };
    struct rusage used;
    char line[300];
    int status;
    (void)state;
    served = list;
    filler = (size_t)(getenv("FULL") ? 500 : 60) * 1000 * 1000;
    fake_start(&f);
    snprintf(line, sizeof line,
             "fetch prices --quiet --out %s/pack --endpoint-url http://127.0.0.1:%d", folder,
             f.port);
    pid_t child = fork();
    if (child == 0) {
        FILE *nowhere = fopen("/dev/null", "w");
        _exit(run_words(line, &env, nowhere, nowhere));
    }
    assert_int_equal(wait4(child, &status, 0, &used), child);
    fake_stop(&f);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true((size_t)atomic_load(&f.bytes_out) > filler);
    print_message("fetch prices: %lld MB, %ld MiB at most\n", atomic_load(&f.bytes_out) / 1000000,
                  used.ru_maxrss / 1024);
    filler = 0;
    if (!SANITIZED && !getenv("UNDER_VALGRIND")) /* whose shadow is many times that */
        assert_true(used.ru_maxrss < 64 * 1024);
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? cli_global_init(stderr) : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = { "pack/prices.csv", "pack/instances.csv", "pack", "" };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    cli_global_release();
    return 0;
}

int main(void)
{
    enum { B = sizeof bads / sizeof *bads, N = 6 };
    struct CMUnitTest t[N + B] = {
        cmocka_unit_test(what_differs_is_listed),
        cmocka_unit_test(facts_takes_it),
        cmocka_unit_test(a_link_is_not_followed),
        cmocka_unit_test(a_broken_transfer_begins_again),
        cmocka_unit_test(regions_without_a_list_are_told),
        cmocka_unit_test(memory_stays_small),
    };
    for (size_t i = 0; i < B; i++)
        t[N + i] =
            (struct CMUnitTest){ bads[i].why, is_refused, NULL, NULL, (void *)(uintptr_t)&bads[i] };
    return cmocka_run_group_tests(t, set_up, tear_down);
}
