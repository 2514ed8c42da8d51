/* tests/samples/test_samples_aws.c - public AWS exports against what was worked out from them by
 * hand.
 *
 * Every file of ../shared/samples/aws/MANIFEST.tsv must end as the table `outcomes` says: loaded as
 * that format, or refused with these words.  Every entry of TRUTH.json has a check in `entries`;
 * what it says of files that volplan does not read is in `not_ours`, with the reason. */
#include "data/ingest/csv/csv.h"
#include "data/ingest/layout/layout_json.h"
#include "tests/samples/aws_truth_bills.h"
#include "tests/samples/aws_truth_metrics.h"

/* --- every file ------------------------------------------------------------------------------- */

/* A name = loaded as that format; "!words" = refused with these words; "?" = a file of another
 * family: loaded by its own format or refused, but by none of those of AWS. */
static const struct outcome {
    const char *number, *want;
} outcomes[] = {
    { "001", "cw_stats" },
    { "002", "volumes" },
    { "003", "cw_stats" },
    { "004", "cw_stats" },
    { "005", "cw_stats" },
    { "006", "cw_data" },
    { "007", "cw_stats" },
    { "008", "cw_data" },
    { "010", "cw_data" },
    { "013", "cw_data" },
    { "014", "!series 'id_10_VolumeReadOps': 0 Timestamps, but 1 Values" },
    { "015", "cw_data" },
    { "017", "cw_stream" },
    { "018", "cw_stream" },
    { "019", "cw_stream" },
    { "022", "cw_stream" },
    { "023", "cw_stream" },
    { "025", "cw_stream" },
    { "027", "!an event of Metricbeat" },
    { "029", "cw_stats" },
    { "034", "?" }, /* nvme */
    { "035", "?" },
    { "037", "?" },
    { "039", "cw_stats" },
    { "041", "cw_stats" },
    { "042", "cw_stats" },
    { "046", "volumes" },
    { "048", "instances" },
    { "049", "modifications" },
    { "050", "modifications" },
    { "051", "volumes" },
    { "053", "volumes" },
    { "054", "volumes" },
    { "057", "volumes" },
    { "058", "volumes" },
    { "059", "volumes" },
    { "060", "volumes" },
    { "061", "!an error that AWS answered" }, /* InvalidVolume.NotFound */
    { "062", "!:16: column 25: not valid JSON" },
    { "063", "!neither sizes nor types" },
    { "065", "!describe-volume-status" },
    { "066", "instance_types" },
    { "067", "instances" },
    { "068", "volumes" },
    { "072", "instances" },
    { "073", "instance_types" },
    { "075", "instance_types" },
    { "076", "instance_types" },
    { "077", "instance_types" },
    { "078", "instance_types" },
    { "080", "!a Terraform plan" },
    { "081", "!a Terraform plan" },
    { "083", "!a Terraform plan" },
    { "085", "!a Terraform plan" },
    { "087", "!a Terraform state" },
    { "088", "!a Terraform state" },
    { "089", "!text of another kind" },
    { "090", "!text of another kind" },
    { "091", "!an AWS price list" },
    { "093", "!an AWS price list" },
    { "094", "!an AWS price list" },
    { "096", "!an AWS price list" },
    { "098", "!text of another kind" },
    { "099", "cur" },
    { "100", "cur" },
    { "101", "cur2" },
    { "103", "cur" },
    { "104", "cur" },
    { "105", "cur" },
    { "107", "cost_explorer" },
    { "108", "cur" },
    { "109", "cur" },
    { "110", "cur" },
    { "111", "cur" },
    { "113", "cost_explorer" },
    { "114", "cost_explorer" },
    { "116", "focus" },
    { "117", "focus" },
    { "119", "focus" },
    { "122", "cost_explorer" },
    { "124", "optimizer" },
    { "125", "optimizer" },
    { "126", "optimizer" },
    { "128", "!Trusted Advisor" },
    { "129", "!Trusted Advisor" },
};

static bool is_ours(const char *format)
{
    for (size_t i = 0; i < N(outcomes); i++)
        if (strcmp(outcomes[i].want, format) == 0)
            return true;
    return false;
}

static bool as_expected(const char *want)
{
    if (want[0] == '!')
        return !got.format && strstr(got.err.text, want + 1) && !strchr(got.err.text, '\n');
    if (want[0] == '?')
        return got.format ? !is_ours(got.format) : !strchr(got.err.text, '\n');
    return got.format && strcmp(got.format, want) == 0;
}

static int n_files, n_loaded, n_refused;

static void check_outcome(const char *file)
{
    for (size_t i = 0; i < N(outcomes); i++) {
        if (strncmp(file, outcomes[i].number, 3) != 0)
            continue;
        read_file(file, NAN);
        if (!as_expected(outcomes[i].want))
            fail_msg("%s: expected %s, got %s (%s)", file, outcomes[i].want,
                     got.format ? got.format : "a refusal", got.format ? "" : got.err.text);
        if (!got.format)
            printf("  refused: %.160s\n", got.err.text);
        n_files++;
        n_loaded += got.format != NULL;
        n_refused += !got.format;
        return;
    }
    fail_msg("%s: not in the table of outcomes", file);
}

static void every_file(void **state)
{
    (void)state;
    struct source *src;
    struct arena a = { 0 };
    struct csv c;
    struct err e;
    assert_int_equal(source_open(FOLDER "MANIFEST.tsv", &src, &e), 0);
    assert_int_equal(csv_open(&c, src, '\t', &a, &e), 1);
    ptrdiff_t file = csv_column(&c, "file");
    while (csv_next(&c, &e) == 1) {
        char name[200];
        snprintf(name, sizeof name, "%.*s", SPAN_ARG(csv_field(&c, file)));
        check_outcome(name);
    }
    source_close(src);
    arena_release(&a);
    printf("  %d files: %d loaded, %d refused\n", n_files, n_loaded, n_refused);
    assert_int_equal(n_files, N(outcomes));
}

/* --- TRUTH.json ------------------------------------------------------------------------------- */

/* Files that volplan does not read, or that another family's test compares. */
static void not_ours(const char *file, const cJSON *v)
{
    (void)v;
    read_file(file, NAN);
    assert_true(!got.format || !is_ours(got.format));
}

static const struct entry {
    const char *number;
    void (*check)(const char *file, const cJSON *v);
} entries[] = {
    { "001", no_rate },        { "005", empty },       { "013", incomplete },
    { "014", reject },         { "022", cross_check }, { "023", rates },
    { "027", not_ours },                            /* Metricbeat: the truth itself says refuse */
    { "029", rates_already },  { "035", not_ours }, /* NVMe statistics */
    { "039", series },         { "046", volumes },     { "051", volumes },
    { "053", volumes },        { "062", reject },      { "068", volumes },
    { "078", instance_caps },  { "090", peer_prices }, { "091", list_price },
    { "094", list_price },     { "096", list_price },  { "098", not_ours },
    { "107", bill },           { "110", bill },        { "111", bill },
    { "113", bill_aggregate }, { "116", focus_bill },  { "122", no_ebs },
};

static void every_truth(void **state)
{
    (void)state;
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, truth)
    {
        size_t i = 0;
        now = v->string;
        while (i < N(entries) && strncmp(now, entries[i].number, 3) != 0)
            i++;
        if (i == N(entries))
            fail_msg("%s: no check for this entry", now);
        entries[i].check(now, v);
        n++;
    }
    assert_int_equal(n, N(entries));
    printf("  %d figures of %zu entries compared, none differs\n", n_figures, n);
}

int main(void)
{
    struct source *src;
    struct err e;
    struct span text;
    layout_init();
    if (source_open(FOLDER "TRUTH.json", &src, &e)) {
        printf("not run: " FOLDER " is not there\n");
        return 0;
    }
    if (source_all(src, 64 << 20, &text, &e)) {
        printf("%s\n", e.text);
        return 1;
    }
    truth = cJSON_ParseWithLength(text.ptr, text.len);
    source_close(src);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
        cmocka_unit_test(every_truth),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&got.arena);
    cJSON_Delete(truth);
    return failed;
}
