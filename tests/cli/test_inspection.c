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
    "{\"account\": null, \"region\": null, \"namespace\": null, \"metric\": \"" metric             \
    "\", \"dimension\": null, \"system\": null, \"unit\": null, \"statistic\": \"Sum\", "          \
    "\"period_s\": 60, \"points\": ["

static void points_become_series(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, false);
    add_point(&x, "VolumeReadOps", 0, 10);
    add_point(&x, "VolumeReadOps", 60000, NAN);
    add_point(&x, "VolumeWriteOps", 0, 5);
    expect(&x, false,
           "{\n  \"file\": {\"series\": [" SERIES_HEAD(
               "VolumeReadOps") "[\"1970-01-01T00:00:00Z\", 10], [\"1970-01-01T00:01:00Z\", "
                                "null]]}, " SERIES_HEAD(
                                    "VolumeWriteOps") "[\"1970-01-01T00:00:00Z\", 5]]}]}\n}\n");
}

static void points_are_rows_in_csv(void **state)
{
    (void)state;
    struct fixture x;
    open_fixture(&x, true);
    add_point(&x, "VolumeReadOps", 0, 10);
    add_point(&x, "VolumeWriteOps", 60000, 5);
    expect(&x, true,
           "account,region,namespace,metric,dimension,system,unit,statistic,period_s,time,value,"
           "line\r\n"
           ",,,VolumeReadOps,,,,Sum,60,1970-01-01T00:00:00Z,10,7\r\n"
           ",,,VolumeWriteOps,,,,Sum,60,1970-01-01T00:01:00Z,5,7\r\n");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_two_kinds_in_turns),
        cmocka_unit_test(points_become_series),
        cmocka_unit_test(points_are_rows_in_csv),
    };
    return cmocka_run_group_tests_name("inspection", tests, NULL, NULL);
}
