/* tests/data/ingest/awr/test_awr_vectors.c - group AWR of the worked Oracle examples
 * (tests/vectors/oracle_awr.csv): what follows from figures of a report must follow from what the
 * parser reads of it.
 *
 * Rows with cells as inputs are put into a report of one table; the sums of rows are those of the
 * 19c fixture, which holds the same published table. */
#include "tests/data/ingest/awr/awr_fixture.h"
#include "tests/vectors/vector_rows.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#define VECTORS "tests/vectors/oracle_awr.csv"

static struct vector_rows *vectors;
static struct reading x;

static const char *text_of(size_t row, const char *head, char buf[400])
{
    struct span s = vector_text(vectors, row, head);
    snprintf(buf, 400, "%.*s", (int)s.len, s.ptr);
    return buf;
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(object, key);
    assert_true(cJSON_IsNumber(v));
    return v->valuedouble;
}

/* tol: "0.2%..." is relative, a bare number or "0.2 abs" absolute here. */
static void check(size_t row, const cJSON *expected, const char *key, double got)
{
    char tol[400];
    double want = number(expected, key);
    char *end;
    double bound = strtod(text_of(row, "tol", tol), &end);
    if (*end == '%')
        bound *= fabs(want) / 100;
    if (!(fabs(got - want) <= bound))
        fail_msg("%s: got %.6g, want %.6g within %.3g", key, got, want, bound);
}

#define HEAD                                                                                       \
    "WORKLOAD REPOSITORY report for\n\n"                                                           \
    "              Snap Id      Snap Time      Sessions Curs/Sess\n"                               \
    "            --------- ------------------- -------- ---------\n"                               \
    "Begin Snap:       812 18-May-22 07:00:00     1,095       2.6\n"                               \
    "  End Snap:       815 18-May-22 09:59:18     1,068       2.6\n\n"

/* A table by file type of one row, and the top events. */
static void read_report(const char *total, double rate, double requests, double waits,
                        const char *time, const char *avg, double pct)
{
    char report[2048];
    int n = snprintf(report, sizeof report,
                     HEAD "                Reads:  Reqs    Data    Writes:  Reqs    Data\n"
                          "Filetype Name   Data   per sec per sec   Data   per sec per sec\n"
                          "-------------- ------- ------- ------- ------- ------- -------\n"
                          "Log File       %7s %7.1f %6.3fM %7s %7.1f %6.3fM\n\n"
                          "                                           Total Wait       Avg   %% DB "
                          "Wait\n"
                          "Event                                Waits Time (sec)      Wait   time "
                          "Class\n"
                          "------------------------------ ----------- ---------- --------- ------ "
                          "----------\n"
                          "log file sync                  %11.0f %10s %9s %6.1f Commit\n\n"
                          "End of Report\n",
                     total, requests, rate, total, requests, rate, waits, time, avg, pct);
    assert_true(n > 0 && (size_t)n < sizeof report);
    read_bytes(&x, "vector", report, (size_t)n, NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.s.n_filetypes, 1);
}

static void elapsed_from_row(size_t row, const cJSON *in, const cJSON *expected)
{
    const cJSON *total = cJSON_GetObjectItem(in, "total");
    assert_true(cJSON_IsString(total));
    read_report(total->valuestring, number(in, "rate_MiBps"), 1, 1, "1", "", 1);
    check(row, expected, "elapsed_s",
          x.s.filetypes[0].read_bytes / x.s.filetypes[0].read_bytes_per_s);
}

static void request_size(size_t row, const cJSON *in, const cJSON *expected)
{
    read_report("1M", number(in, "rate_MiBps"), number(in, "reqs"), 1, "1", "", 1);
    const struct awr_io_row *r = &x.s.filetypes[0];
    check(row, expected, "KiB", r->read_bytes_per_s / r->read_requests_per_s / 1024);
    check(row, expected, "KiB", r->write_bytes_per_s / r->write_requests_per_s / 1024);
}

static void column_sums(size_t row, const cJSON *in, const cJSON *expected)
{
    static char input[FILE_MAX_BYTES];
    size_t n = load_fixture(FIXTURES, "prd1_19c.in", input);
    read_bytes(&x, "prd1_19c.in", input, n, NULL);
    double sum[4] = { 0 };
    size_t n_rows = x.s.n_filetypes - 1;
    assert_true((double)n_rows == number(in, "rows"));
    for (size_t i = 0; i < n_rows; i++) {
        sum[0] += x.s.filetypes[i].read_bytes_per_s / MIB_BYTES;
        sum[1] += x.s.filetypes[i].read_requests_per_s;
        sum[2] += x.s.filetypes[i].write_bytes_per_s / MIB_BYTES;
        sum[3] += x.s.filetypes[i].write_requests_per_s;
    }
    const struct awr_io_row *total = &x.s.filetypes[n_rows];
    check(row, expected, "read_MiBps", sum[0]);
    check(row, expected, "read_reqs", sum[1]);
    check(row, expected, "write_MiBps", sum[2]);
    check(row, expected, "write_reqs", sum[3]);
    check(row, expected, "total_line_read", total->read_bytes_per_s / MIB_BYTES);
    check(row, expected, "total_line_read_reqs", total->read_requests_per_s);
    check(row, expected, "total_line_write", total->write_bytes_per_s / MIB_BYTES);
    check(row, expected, "total_line_write_reqs", total->write_requests_per_s);
}

static void read_wait(const cJSON *in, double reported_ms, double pct)
{
    const cJSON *time = cJSON_GetObjectItem(in, "time_s");
    const cJSON *waits = cJSON_GetObjectItem(in, "waits");
    char time_text[32], avg_text[32];
    if (cJSON_IsString(time))
        snprintf(time_text, sizeof time_text, "%s", time->valuestring);
    else
        snprintf(time_text, sizeof time_text, "%.0f", time->valuedouble);
    snprintf(avg_text, sizeof avg_text, "%.2fms", reported_ms);
    read_report("1M", 1, 1, waits ? waits->valuedouble : 1, time_text, avg_text, pct);
    assert_int_equal(x.s.n_events, 1);
}

static void wait_avg(size_t row, const cJSON *in, const cJSON *expected)
{
    read_wait(in, number(expected, "reported_ms"), 1);
    const struct awr_event *v = &x.s.events[0];
    const char *key = cJSON_GetObjectItem(expected, "avg_ms") ? "avg_ms" : "avg_ms_from_rounded";
    check(row, expected, key, v->time_s / v->waits * 1000);
    check(row, expected, "reported_ms", v->avg_ms);
}

/* check_cpu_s is the same from another row of that table: the tolerance covers both. */
static void db_time(size_t row, const cJSON *in, const cJSON *expected)
{
    read_wait(in, 1, number(in, "pct"));
    const struct awr_event *v = &x.s.events[0];
    check(row, expected, "db_time_s", v->time_s / (v->pct_db_time / 100));
    check(row, expected, "check_cpu_s", v->time_s / (v->pct_db_time / 100));
}

static const struct formula {
    const char *name;
    void (*fn)(size_t row, const cJSON *in, const cJSON *expected);
} formulas[] = {
    { "awr_elapsed_from_row", elapsed_from_row },
    { "awr_read_req_size", request_size },
    { "awr_write_req_size", request_size },
    { "awr_column_sums", column_sums },
    { "wait_avg", wait_avg },
    { "db_time", db_time },
};

static void one_row(void **state)
{
    size_t row = *(const size_t *)*state;
    char name[400], inputs[400], wanted[400];
    const struct formula *f = NULL;
    text_of(row, "formula", name);
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strcmp(name, formulas[i].name) == 0)
            f = &formulas[i];
    assert_non_null(f);
    cJSON *in = cJSON_Parse(text_of(row, "inputs", inputs));
    cJSON *expected = cJSON_Parse(text_of(row, "expected", wanted));
    assert_non_null(in);
    assert_non_null(expected);
    f->fn(row, in, expected);
    cJSON_Delete(in);
    cJSON_Delete(expected);
    arena_release(&x.arena);
}

int main(void)
{
    enum { ROWS = 20 };
    static size_t numbers[ROWS];
    static char names[ROWS][400];
    struct CMUnitTest tests[ROWS];
    vectors = vector_rows_read(VECTORS);
    if (!vectors || vectors->n != ROWS) {
        fprintf(stderr, VECTORS ": not the %d rows that are wanted\n", ROWS);
        return 1;
    }
    for (size_t i = 0; i < ROWS; i++) {
        numbers[i] = i;
        text_of(i, "id", names[i]);
        tests[i] = (struct CMUnitTest){ names[i], one_row, NULL, NULL, &numbers[i] };
    }
    int failed = _cmocka_run_group_tests("awr_vectors", tests, ROWS, NULL, NULL);
    vector_rows_free(vectors);
    return failed;
}
