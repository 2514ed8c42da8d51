/* tests/models/vocab/test_volume_text.c - specs as people type them. */
#include "models/core/unit.h"
#include "models/vocab/volume_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct accepted {
    const char *why, *text;
    struct volume_spec want;
} accepted[] = {
    { "fields with units", "2xio2:250GiB:5000IOPS", { VOL_IO2, 2, 250, 5000, UNKNOWN } },
    { "bare fields are GiB, IOPS, MiB/s", "gp3:500:4000:250", { VOL_GP3, 1, 500, 4000, 250 } },
    { "a field left out", "gp3:1TiB::250MiB/s", { VOL_GP3, 1, 1024, UNKNOWN, 250 } },
    { "size only", "st1:1TiB", { VOL_ST1, 1, 1024, UNKNOWN, UNKNOWN } },
    { "K is 1 000", "io2:500:64K", { VOL_IO2, 1, 500, 64000, UNKNOWN } },
    { "words with units", "2 x io2 250 GiB 5000 IOPS", { VOL_IO2, 2, 250, 5000, UNKNOWN } },
    { "thousands, as they are printed",
      "gp3 16 384 GiB 12 000 IOPS 1 000 MiB/s",
      { VOL_GP3, 1, 16384, 12000, 1000 } },
    { "bare words in order", "2 x io2 250 5000", { VOL_IO2, 2, 250, 5000, UNKNOWN } },
    { "a unit says which figure it is", "gp3 250MiB/s 500GiB", { VOL_GP3, 1, 500, UNKNOWN, 250 } },
    { "bare before one with a unit", "io2 250 5000 IOPS", { VOL_IO2, 1, 250, 5000, UNKNOWN } },
    { "blanks around", "  4x gp2  100  ", { VOL_GP2, 4, 100, UNKNOWN, UNKNOWN } },
};

static void takes(void **state)
{
    const struct accepted *c = *state;
    struct volume_spec got = { VOL_TYPE_COUNT, 0, 0, 0, 0 };
    struct err e = { 0 };
    if (volume_text_parse(span_of(c->text), &got, &e))
        fail_msg("%s: %s", c->text, e.text);
    assert_int_equal(got.type, c->want.type);
    assert_int_equal(got.count, c->want.count);
    assert_int_equal(got.size_gib, c->want.size_gib);
    assert_int_equal(got.iops, c->want.iops);
    assert_int_equal(got.throughput_mibps, c->want.throughput_mibps);
}

static const struct refused {
    const char *why, *text, *says;
} refused[] = {
    { "empty", "", "no volume type" },
    { "unknown type", "gp4:100", "no volume type" },
    { "no size", "gp3", "size of a volume is missing" },
    { "size of zero", "gp3:0", "size of a volume is missing" },
    { "no x behind the count", "2 io2 250 5000", "a count stands before an x" },
    { "no volume at all", "0xio2:250:5000", "a count stands before an x" },
    { "250 500 may be one figure or two", "io2 250 500", "between thousands or figures" },
    { "the table's short form may be one figure or two", "io2 250 1 200", "thousands or figures" },
    { "a unit of something else", "io2:250GiB:5000MiB/s", "another unit" },
    { "a unit of nothing here", "io2 250 GiB 5 ms", "no unit of GiB, IOPS or MiB/s" },
    { "twice", "io2 250 GiB 300 GiB", "twice" },
    { "four figures", "io2:1:2:3:4", "too many fields" },
    { "four words", "io2 1000 2000 3000 4000", "too many" },
    { "a part of a GiB", "gp3:10MiB", "figures are whole" },
    { "beyond any volume", "gp3:99999999999", "figures are whole" },
    { "words without end", "gp3 1 1 1 1 1 1 1 1 1 1 1", "too many figures" },
    { "what follows is not understood", "gp3 100 GiB please", "no unit" },
};

static void refuses(void **state)
{
    const struct refused *c = *state;
    struct volume_spec got = { VOL_TYPE_COUNT, 7, 0, 0, 0 };
    struct err e = { 0 };
    assert_int_equal(volume_text_parse(span_of(c->text), &got, &e), ERR_USAGE);
    if (!strstr(e.text, c->says))
        fail_msg("'%s' says: %s", c->text, e.text);
    assert_non_null(strstr(e.text, "2xio2:250GiB:5000")); /* what to write */
    assert_int_equal(got.count, 7);
}

/* Whatever volume_spec_format prints is read back. */
static void reads_what_is_printed(void **state)
{
    (void)state;
    static const int64_t figures[] = { 1, 20, 300, 999, 1000, 4000, 16384, 65536, 256000 };
    enum { N = sizeof figures / sizeof *figures };
    for (size_t s = 0; s < N; s++)
        for (size_t i = 0; i <= N; i++)
            for (size_t t = 0; t <= N; t++) {
                struct volume_spec want = { VOL_GP3, (int64_t)(s + i + 1), figures[s],
                                            i < N ? figures[i] : UNKNOWN,
                                            t < N ? figures[t] : UNKNOWN };
                struct volume_spec got;
                struct err e = { 0 };
                char printed[96];
                volume_spec_format(printed, &want);
                if (volume_text_parse(span_of(printed), &got, &e) || got.count != want.count ||
                    got.size_gib != want.size_gib || got.iops != want.iops ||
                    got.throughput_mibps != want.throughput_mibps)
                    fail_msg("%s is not read back: %s", printed, e.text);
            }
}

int main(void)
{
    enum { A = sizeof accepted / sizeof *accepted, R = sizeof refused / sizeof *refused };
    struct CMUnitTest t[A + R + 1];
    for (size_t i = 0; i < A; i++)
        t[i] =
            (struct CMUnitTest){ accepted[i].why, takes, NULL, NULL, (void *)(size_t)&accepted[i] };
    for (size_t i = 0; i < R; i++)
        t[A + i] =
            (struct CMUnitTest){ refused[i].why, refuses, NULL, NULL, (void *)(size_t)&refused[i] };
    t[A + R] = (struct CMUnitTest)cmocka_unit_test(reads_what_is_printed);
    return cmocka_run_group_tests_name("volume_text", t, NULL, NULL);
}
