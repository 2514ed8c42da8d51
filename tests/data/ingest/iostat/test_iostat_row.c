/* tests/data/ingest/iostat/test_iostat_row.c - a row read from the places of the row above it says
 * what it says when it is read word by word.
 *
 * Random rows, most of them as iostat prints them, some damaged.  Seed printed, SEED= replays;
 * FULL= runs many more. */
#include "tests/data/ingest/os_text.h"
#include "tests/seeded.h"

#include "data/ingest/iostat/iostat_columns.h"

static struct seeded chance;

static const char *const headings[] = {
    "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  "
    "%wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  "
    "aqu-sz  %util",
    "     r/s     rMB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wMB/s   wrqm/s  %wrqm w_await "
    "wareq-sz  aqu-sz  %util Device",
};

static size_t put_row(char *row, size_t room, const struct iostat_columns *c)
{
    static const char *const names[] = {
        "sda",    "nvme0n1",         "nvme12n1",
        "dm-101", "a-very-long-one", "longer-than-the-place-of-the-first-value"
    };
    const char *name = names[seeded_int(&chance, 0, N(names) - 1)];
    size_t n = c->name_last ? 0 : (size_t)snprintf(row, room, "%-13s", name);
    for (size_t i = 0; i < c->n; i++) {
        double most = seeded_int(&chance, 0, 9) ? 2000 : 3e6;
        double v = seeded_int(&chance, 0, 3) ? seeded_between(&chance, 0, most) : 0;
        n += (size_t)snprintf(row + n, room - n, " %*.*f", (int)seeded_int(&chance, 0, 9) ? 8 : 6,
                              seeded_int(&chance, 0, 99) ? 2 : 1, v);
    }
    if (c->name_last)
        n += (size_t)snprintf(row + n, room - n, " %s", name);
    return n;
}

/* A byte of it replaced, left out or doubled, or all that follows cut off. */
static size_t damage(char *row, size_t n)
{
    static const char bytes[] = " \t.,0189:/aMk%-\0\r\xB2!";
    size_t at = (size_t)seeded_int(&chance, 0, (int64_t)n - 1);
    switch (seeded_int(&chance, 0, 3)) {
    case 0:
        row[at] = bytes[seeded_int(&chance, 0, sizeof bytes - 2)];
        return n;
    case 1:
        memmove(row + at, row + at + 1, n - at - 1);
        return n - 1;
    case 2:
        memmove(row + at + 1, row + at, n - at);
        return n + 1;
    default:
        return at + 1;
    }
}

static bool same_row(enum row_verdict v, const struct iostat_row *a, const struct iostat_row *b)
{
    if (a->n != b->n)
        return false;
    if (v == ROW_BAD)
        return span_eq(a->bad, b->bad);
    if (v != ROW_OK)
        return true;
    for (size_t i = FIELD_SKIPPED + 1; i < FIELD_COUNT; i++)
        if (isnan(a->value[i]) ? !isnan(b->value[i]) : a->value[i] != b->value[i])
            return false;
    return span_eq(a->device, b->device) && a->decimals == b->decimals &&
           a->last_decimals == b->last_decimals && a->rounded == b->rounded;
}

static void places_and_words(void **state)
{
    (void)state;
    chance.state = seed_of_run(20220601);
    int64_t n_rows = getenv("FULL") ? 5000000 : 100000, n_ok = 0;
    for (size_t h = 0; h < N(headings); h++) {
        struct iostat_columns fresh, used;
        struct span unknown;
        assert_int_equal(iostat_heading(span_of(headings[h]), &fresh, &unknown), HEADING_OK);
        used = fresh;
        for (int64_t i = 0; i < n_rows; i++) {
            char room[1024];
            size_t n = put_row(room, sizeof room - 1, &fresh);
            if (seeded_int(&chance, 0, 9) == 0)
                n = damage(room, n);
            char *row = malloc(n); /* so that a sanitizer sees what is read behind it */
            assert_non_null(row);
            memcpy(row, room, n);
            struct iostat_columns words = fresh;
            struct iostat_row by_word, by_place;
            enum row_verdict want = iostat_row(&words, (struct span){ row, n }, &by_word);
            enum row_verdict got = iostat_row(&used, (struct span){ row, n }, &by_place);
            if (want != got || !same_row(want, &by_word, &by_place))
                fail_msg("row %lld: verdict %d for %d: '%.*s'", (long long)i, got, want, (int)n,
                         row);
            n_ok += want == ROW_OK;
            free(row);
        }
    }
    assert_true(n_ok > n_rows); /* of two headings: most rows are whole */
}

int main(void)
{
    const struct CMUnitTest t[] = { cmocka_unit_test(places_and_words) };
    return cmocka_run_group_tests_name("iostat_row", t, NULL, NULL);
}
