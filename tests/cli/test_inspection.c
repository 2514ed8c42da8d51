/* tests/cli/test_inspection.c - what inspect makes of the things a parser hands over. */
#include "cli/cmd/inspection.h"
#include "cli/render/render.h"
#include "models/vocab/metric_sample.h"
#include "models/vocab/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    FILE *f;
    char *text;
    size_t len;
    struct inspection in;
    struct sink sink;
};

static void open_fixture(struct fixture *x, bool csv)
{
    *x = (struct fixture){ 0 };
    x->f = open_memstream(&x->text, &x->len);
    assert_non_null(x->f);
    x->in.m = csv ? render_csv(x->f) : render_json(x->f);
    x->in.flat = csv;
    assert_non_null(x->in.m);
    inspection_start(&x->in, "file");
    x->sink = inspection_sink(&x->in);
    if (csv)
        return;
    emit_begin(x->in.m, "file", EMIT_OBJECT);
}

static void expect(struct fixture *x, bool csv, const char *want)
{
    struct err e = { 0 };
    assert_int_equal(inspection_end(&x->in, &e), 0);
    if (!csv)
        emit_end(x->in.m);
    assert_int_equal(emit_close(x->in.m, &e), 0);
    inspection_release(&x->in);
    fclose(x->f);
    assert_string_equal(x->text, want);
    free(x->text);
}

static void add_record(struct fixture *x, const char *kind, const char *name, double num)
{
    struct err e = { 0 };
    char gone[32]; /* what a parser hands over is valid during the call only */
    snprintf(gone, sizeof gone, "%s", name);
    const struct record_field fields[] = { { "name", UNIT_NONE, NAN, span_of(gone) },
                                           { "total_mib", UNIT_MIB, num, { 0 } } };
    struct record r = {
        .kind = kind, .time_ms = UNKNOWN, .fields = fields, .n_fields = 2, .line = 1
    };
    assert_int_equal(x->sink.record(x->sink.ctx, &r, &e), 0);
    memset(gone, 'x', sizeof gone - 1);
}

/* A key stands once in an object: what comes in turns is gathered. */
static void records_of_two_kinds_in_turns(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, false);
    add_record(&x, "instances", "i-1", 1);
    add_record(&x, "disks", "d-1", NAN);
    add_record(&x, "instances", "i-2", 2);
    add_record(&x, "disks", "d-2", 4);
    expect(&x, false,
           "{\n  \"file\": {\"instances\": [{\"name\": \"i-1\", \"total_mib\": 1, \"line\": 1}, "
           "{\"name\": \"i-2\", \"total_mib\": 2, \"line\": 1}], \"disks\": [{\"name\": \"d-1\", "
           "\"total_mib\": null, \"line\": 1}, {\"name\": \"d-2\", \"total_mib\": 4, \"line\": "
           "1}]}\n}\n");
}

static void add_point(struct fixture *x, const char *metric, int64_t time_ms, double v)
{
    struct err e = { 0 };
    char gone[32];
    snprintf(gone, sizeof gone, "%s", metric);
    struct metric_sample s = { .metric = span_of(gone),
                               .instance_number = UNKNOWN,
                               .statistic = STATISTIC_SUM,
                               .period_s = 60,
                               .time_ms = time_ms,
                               .value = v,
                               .line = 7 };
    assert_int_equal(x->sink.metric(x->sink.ctx, &s, &e), 0);
    memset(gone, 'x', sizeof gone - 1);
}

#define SERIES_HEAD(metric)                                                                        \
    "{\"name\": \"" metric "\", \"account\": null, \"region\": null, \"namespace\": null, "        \
    "\"metric\": \"" metric                                                                        \
    "\", \"dimension\": null, \"system\": null, \"unit\": null, \"statistic\": \"Sum\", "          \
    "\"kind\": \"instance\", \"counts\": \"oracle\", \"instance_number\": null, "                  \
    "\"period_s\": 60, \"interval_s\": 60, \"points\": ["
#define READS  SERIES_HEAD("VolumeReadOps")
#define WRITES SERIES_HEAD("VolumeWriteOps")

static void points_become_series(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, false);
    add_point(&x, "VolumeReadOps", 0, 10);
    add_point(&x, "VolumeReadOps", 60000, NAN);
    add_point(&x, "VolumeWriteOps", 0, 5);
    expect(&x, false,
           "{\n  \"file\": {\"series\": [" READS
           "[\"1970-01-01T00:00:00Z\", 10], [\"1970-01-01T00:01:00Z\", null]]}, " WRITES
           "[\"1970-01-01T00:00:00Z\", 5]]}]}\n}\n");
}

/* As a stream gives them. */
static void points_by_turns_become_series(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, false);
    add_point(&x, "VolumeReadOps", 0, 10);
    add_point(&x, "VolumeWriteOps", 0, 5);
    add_point(&x, "VolumeReadOps", 60000, 20);
    add_point(&x, "VolumeWriteOps", 60000, 6);
    expect(&x, false,
           "{\n  \"file\": {\"series\": [" READS
           "[\"1970-01-01T00:00:00Z\", 10], [\"1970-01-01T00:01:00Z\", 20]]}, " WRITES
           "[\"1970-01-01T00:00:00Z\", 5], [\"1970-01-01T00:01:00Z\", 6]]}]}\n}\n");
}

/* strstr measures all that is left of the text under sanitizers, each time. */
static size_t count(const char *text, const char *word)
{
    size_t n = 0, len = strlen(word);
    for (; *text; text++)
        n += *text == *word && strncmp(text, word, len) == 0;
    return n;
}

/* What waits is bounded: beyond it the series come again, and no point is lost. */
static void points_beyond_the_bound(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = { 0 };
    open_fixture(&x, false);
    for (int i = 0; i < GROUP_POINTS_MAX + 3; i++)
        add_point(&x, i % 2 ? "VolumeWriteOps" : "VolumeReadOps", 0, 1);
    assert_int_equal(inspection_end(&x.in, &e), 0);
    emit_end(x.in.m);
    assert_int_equal(emit_close(x.in.m, &e), 0);
    inspection_release(&x.in);
    fclose(x.f);
    assert_int_equal(count(x.text, "\"series\": ["), 1);
    assert_int_equal(count(x.text, "\"name\": \"VolumeReadOps\""), 2);
    assert_int_equal(count(x.text, "[\"1970-01-01T00:00:00Z\", 1]"), GROUP_POINTS_MAX + 3);
    free(x.text);
}

static void points_are_rows_in_csv(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, true);
    add_point(&x, "VolumeReadOps", 0, 10);
    add_point(&x, "VolumeWriteOps", 60000, 5);
    expect(&x, true,
           "name,account,region,namespace,metric,dimension,system,unit,statistic,kind,counts,"
           "instance_number,period_s,interval_s,time,value,line\r\n"
           "VolumeReadOps,,,,VolumeReadOps,,,,Sum,instance,oracle,,60,60,1970-01-01T00:00:00Z,10,"
           "7\r\n"
           "VolumeWriteOps,,,,VolumeWriteOps,,,,Sum,instance,oracle,,60,60,1970-01-01T00:01:00Z,5,"
           "7\r\n");
}

/* --- for people ----------------------------------------------------------------------------------
 */

static void open_text(struct fixture *x)
{
    *x = (struct fixture){ 0 };
    x->f = open_memstream(&x->text, &x->len);
    assert_non_null(x->f);
    x->in.m = render_text(x->f, (struct text_page){ .columns = 100 });
    assert_non_null(x->in.m);
    inspection_start(&x->in, "file");
    x->sink = inspection_sink(&x->in);
}

static void close_text(struct fixture *x)
{
    struct err e = { 0 };
    assert_int_equal(inspection_end(&x->in, &e), 0);
    assert_int_equal(inspection_summary(&x->in, &e), 0);
    assert_int_equal(emit_close(x->in.m, &e), 0);
    inspection_release(&x->in);
    fclose(x->f);
}

/* A metric of many volumes is one line, which names the largest. */
static void series_are_summed_up(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = { 0 };
    open_text(&x);
    for (int i = 0; i < 600; i++) {
        char dimension[32];
        snprintf(dimension, sizeof dimension, "VolumeId=vol-%03d", i % 200);
        struct metric_sample s = { .metric = SPAN_LIT("VolumeReadOps"),
                                   .dimension = span_of(dimension),
                                   .instance_number = UNKNOWN,
                                   .period_s = i < 400 ? 60 : 300,
                                   .value = i == 77 ? 1234567 : i };
        assert_int_equal(x.sink.metric(x.sink.ctx, &s, &e), 0);
    }
    close_text(&x);
    assert_string_equal(x.text,
                        "\nmetric         statistic  period s  series  points        max  of\n"
                        "VolumeReadOps  Sum              60     200     400  1 234 567  vol-077\n"
                        "VolumeReadOps  Sum             300     200     200        599  vol-199\n");
    free(x.text);
}

static void many_metrics_are_no_wall(void **state)
{
    (void)state;
    struct fixture x;
    open_text(&x);
    for (int i = 0; i < GROUP_ROWS_SHOWN + 5; i++) {
        char metric[32];
        snprintf(metric, sizeof metric, "metric %d", i);
        add_point(&x, metric, 0, i);
    }
    close_text(&x);
    assert_int_equal(count(x.text, "\n"), 1 + 1 + GROUP_ROWS_SHOWN + 1);
    assert_non_null(strstr(x.text, "5 more metrics: --json"));
    free(x.text);
}

static void add_line(struct fixture *x, const char *usage_type, money cost)
{
    struct err e = { 0 };
    struct bill_line l = { .usage_type = span_of(usage_type),
                           .unit = SPAN_LIT("GB-Mo"),
                           .currency = SPAN_LIT("USD"),
                           .line_type = SPAN_LIT("Usage"),
                           .amount = MONEY_ONE / 2,
                           .cost = cost,
                           .has_amount = true,
                           .has_cost = true };
    assert_int_equal(x->sink.bill_line(x->sink.ctx, &l, &e), 0);
}

static void bills_are_summed_up(void **state)
{
    (void)state;
    struct fixture x;
    open_text(&x);
    for (int i = 0; i < 1000; i++)
        add_line(&x, "EBS:SnapshotUsage", MONEY_ONE / 1000);
    add_line(&x, "EBS:VolumeUsage.gp3", 40 * MONEY_ONE);
    add_line(&x, "EBS:VolumeUsage.gp3", 2 * MONEY_ONE);
    close_text(&x);
    assert_string_equal(x.text, "\nusage type           line type  lines   amount  unit     USD\n"
                                "EBS:VolumeUsage.gp3  Usage          2    1.000  GB-Mo  42.00\n"
                                "EBS:SnapshotUsage    Usage      1 000  500.000  GB-Mo   1.00\n"
                                "\n  total   43.00 USD\n");
    free(x.text);
}

/* A sum that no longer fits is unknown, not something else. */
static void a_bill_beyond_all_bounds(void **state)
{
    (void)state;
    struct fixture x;
    money huge = (money)1 << 126;
    open_text(&x);
    add_line(&x, "EBS:VolumeUsage.gp3", huge);
    add_line(&x, "EBS:VolumeUsage.gp3", huge);
    add_line(&x, "EBS:VolumeUsage.gp3", -huge);
    for (int i = 0; i < BILL_KINDS_MAX + 10; i++) {
        char usage_type[32];
        snprintf(usage_type, sizeof usage_type, "EBS:%d", i);
        add_line(&x, usage_type, 0);
    }
    close_text(&x);
    assert_non_null(strstr(x.text, "total   - USD"));
    assert_non_null(strstr(x.text, "more usage types: --json"));
    assert_true(count(x.text, "\n") < 45);
    free(x.text);
}

/* The first rows of each kind, the name in front, columns without any value left out. */
static void listings_show_their_first_rows(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = { 0 };
    open_text(&x);
    for (int i = 0; i < LISTING_ROWS + 3; i++) {
        const struct record_field fields[] = {
            { "state", UNIT_NONE, NAN, SPAN_LIT("MOUNTED") },
            { "rebal", UNIT_NONE, NAN, { NULL, 0 } },
            { "total_mib", UNIT_MIB, 1024 * i, { NULL, 0 } },
            { "name", UNIT_NONE, NAN, SPAN_LIT("DATA") },
        };
        const struct record r = { "disk_groups", UNKNOWN, fields, 4, i };
        assert_int_equal(x.sink.record(x.sink.ctx, &r, &e), 0);
    }
    close_text(&x);
    static const char want[] = "\nname  state    total MiB\n"
                               "DATA  MOUNTED          0\n"
                               "DATA  MOUNTED      1 024\n";
    assert_int_equal(strncmp(x.text, want, sizeof want - 1), 0);
    assert_int_equal(count(x.text, "\n"), 1 + 1 + LISTING_ROWS + 1);
    assert_non_null(strstr(x.text, "3 more disk_groups: --json"));
    free(x.text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_two_kinds_in_turns),
        cmocka_unit_test(points_become_series),
        cmocka_unit_test(points_by_turns_become_series),
        cmocka_unit_test(points_beyond_the_bound),
        cmocka_unit_test(points_are_rows_in_csv),
        cmocka_unit_test(series_are_summed_up),
        cmocka_unit_test(many_metrics_are_no_wall),
        cmocka_unit_test(bills_are_summed_up),
        cmocka_unit_test(a_bill_beyond_all_bounds),
        cmocka_unit_test(listings_show_their_first_rows),
    };
    return cmocka_run_group_tests_name("inspection", tests, NULL, NULL);
}
