/* tests/data/ingest/statspack/test_statspack.c - Statspack reports against expectations worked out
 * from the cells as printed. */
#include "data/ingest/statspack/statspack.h"

#include "tests/data/ingest/awr/awr_fixture.h"

#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#define FOLDER "tests/data/ingest/statspack/"

static char input[FILE_MAX_BYTES], wanted[FILE_MAX_BYTES];
static struct reading x;

static const char no_filetypes[] =
    "0: Statspack has no table by file type: the load is known of the whole instance only\n";

static const struct golden {
    const char *why, *in, *out;
} goldens[] = {
    { "9i: DB Name, Cluster, two columns of Load Profile, Ela Time, no functions", "prd7_9i.in",
      "prd7_9i.out" },
    { "12c: wrapped host, blank database, idle events, an overflow, blanks within a row",
      "prd8_12c.in", "prd8_12c.out" },
};

static void whole_report(void **state)
{
    const struct golden *g = *state;
    size_t n = load_fixture(FOLDER, g->in, input);
    load_fixture(FOLDER, g->out, wanted);
    assert_int_equal(statspack_detect((struct span){ input, n }), 95);
    assert_int_equal(awr_detect((struct span){ input, n }), 0);
    read_bytes(&x, g->in, input, n, NULL);
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.rows, 1);
    assert_string_equal(x.dump, wanted);
    assert_string_equal(x.warnings, no_filetypes);
    arena_release(&x.arena);
}

/* The first `what` of the 12c report replaced by as many characters. */
static void read_changed(const char *what, const char *by)
{
    size_t n = load_fixture(FOLDER, "prd8_12c.in", input);
    ptrdiff_t at = span_find((struct span){ input, n }, what);
    assert_true(at >= 0 && strlen(what) == strlen(by));
    memcpy(input + at, by, strlen(by));
    read_bytes(&x, "sp", input, n, NULL);
}

static void garbled_event_is_left_out(void **state)
{
    (void)state;
    read_changed("5,188       6,885", "5,188       6x885");
    assert_string_equal(x.err.text, "");
    assert_int_equal(x.s.n_events, 2);
    assert_non_null(
        strstr(x.warnings,
               "35: Top 5 Timed Events, 'LGWR worker group idle': column 'time (s)': bad "
               "value '6x885', expected a number like 1,801.13; the row is left out\n"));
    arena_release(&x.arena);
}

static const struct refusal {
    const char *why, *what, *by, *error;
} refusals[] = {
    { "a load that cannot be read", "   66,701.6          152", "   66,7o1.6          152",
      "sp:27: Load Profile, 'Redo size:': column 'per second': bad value '66,7o1.6', expected a "
      "number like 1,801.13" },
    { "a size that cannot be read", "  155G ", "  155Q ",
      "sp:68: IO Stat by Function - summary, 'Direct Reads': column 'data volume': bad value "
      "'155Q', "
      "expected a size like 392.1G" },
    { "minutes that cannot be read", "60.00 (mins)", "6o.00 (mins)",
      "sp:17: Elapsed: bad value '6o.00 (mins) Av Act Sess:       0.3', expected minutes like "
      "60.08 "
      "(mins)" },
    { "a time that cannot be read", "14-Jan-24 00:37:42", "14-Jam-24 00:37:42",
      "sp:15: column 'Snap Time': bad value '14-Jam-24 00:37:42', expected a time like 18-May-22 "
      "07:00:00" },
    { "no end", "End of Report", "End of Repart",
      "sp:85: the report is cut short: no \"End of Report\" up to this line" },
};

static void refused(void **state)
{
    const struct refusal *c = *state;
    read_changed(c->what, c->by);
    assert_string_equal(x.err.text, c->error);
    assert_int_equal(x.rc, ERR_PARSE);
    assert_int_equal(x.n_snapshots, 0);
    arena_release(&x.arena);
}

/* Cut anywhere it is refused, never half read. */
static void cut_anywhere(void **state)
{
    (void)state;
    size_t n = load_fixture(FOLDER, "prd8_12c.in", input);
    for (size_t cut = 0; cut + 40 < n; cut += 7) {
        read_bytes(&x, "sp", input, cut, NULL);
        assert_int_equal(x.rc, ERR_PARSE);
        assert_int_equal(x.n_snapshots, 0);
        arena_release(&x.arena);
    }
}

static void torture(void **state)
{
    (void)state;
    size_t n = load_fixture(FOLDER, "prd8_12c.in", input);
    read_without_memory("sp", input, n);
}

int main(void)
{
    enum {
        N_GOLDENS = sizeof goldens / sizeof *goldens,
        N_REFUSALS = sizeof refusals / sizeof *refusals
    };
    struct CMUnitTest tests[N_GOLDENS + N_REFUSALS + 3] = {
        cmocka_unit_test(garbled_event_is_left_out),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(torture),
    };
    size_t n = 3;
    for (size_t i = 0; i < N_GOLDENS; i++)
        tests[n++] = (struct CMUnitTest){ goldens[i].why, whole_report, NULL, NULL,
                                          (void *)(uintptr_t)&goldens[i] };
    for (size_t i = 0; i < N_REFUSALS; i++)
        tests[n++] = (struct CMUnitTest){ refusals[i].why, refused, NULL, NULL,
                                          (void *)(uintptr_t)&refusals[i] };
    return _cmocka_run_group_tests("statspack", tests, n, NULL, NULL);
}
