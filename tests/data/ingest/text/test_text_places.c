/* tests/data/ingest/text/test_text_places.c - numbers read where those of the row above stood. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/text/text_number.h"
#include "data/ingest/text/text_places.h"

/* Behind "     3.50", in a place as wide as the text is. */
static const struct place_case {
    const char *why, *text;
    double value; /* NaN: left to the word reader */
} cases[] = {
    { "five wide", " 1.25", 1.25 },
    { "the eight bytes are full", " 9999.99", 9999.99 },
    { "nine wide", "     3.75", 3.75 },
    { "the most that is read", " 98765.43", 98765.43 },
    { "sixteen wide", "        12345.67", 12345.67 },
    { "zero", "    0.00", 0 },
    { "every digit", "  1234.56", 1234.56 },
    { "and the others", "  7089.99", 7089.99 },
    { "no blank before it", "1.25", (double)NAN },
    { "no blank before it, eight wide", "12345.67", (double)NAN },
    { "wider than two words", "         12345.67", (double)NAN },
    { "a longer number", " 123456.78", (double)NAN },
    { "nothing before the point", "     .25", (double)NAN },
    { "a sign", "   -1.25", (double)NAN },
    { "two values", " 1.00 2.25", (double)NAN },
    { "two values close by", " 1 2.25", (double)NAN },
    { "one decimal", "    12.5", (double)NAN },
    { "three decimals", "  12.345", (double)NAN },
    { "a comma", "   12,34", (double)NAN },
    { "a tab", "\t   12.25", (double)NAN },
    { "a tab in the first word", "   \t      12.25", (double)NAN },
    { "the character before 0", "    1/.25", (double)NAN },
    { "the character behind 9", "    1:.25", (double)NAN },
    { "a letter in the decimals", "   12.2a", (double)NAN },
    { "a letter for a blank", " 0  1.25", (double)NAN },
    { "no blank, but like one in its bits", " *1.25", (double)NAN },
    { "a byte that is no ASCII", "  1\xB2.25", (double)NAN },
    { "a value that was rounded", "   12.5M", (double)NAN },
    { "a blank for a digit behind the point", "    1. 5", (double)NAN },
    { "a blank for the point", "   12 25", (double)NAN },
};

static void place(void **state)
{
    static const char before[] = "     3.50";
    const struct place_case *c = *state;
    char line[64];
    size_t ends[] = { sizeof before - 1, sizeof before - 1 + strlen(c->text) };
    snprintf(line, sizeof line, "%s%s", before, c->text);
    struct text_places p = { 0 };
    text_places_set(&p, ends, 2);
    double value[TEXT_PLACES_MAX];
    uint64_t bad[TEXT_PLACES_MAX];
    bool is = p.n && text_places_read(&p, line, 0, value, bad);
    assert_int_equal(is, !isnan(c->value));
    if (is)
        assert_true(value[0] == 3.5 && value[1] == c->value);
    else if (p.n)
        assert_true(!bad[0] && bad[1]);
}

/* The first value stands behind a name, which may be of any length. */
static void first(void **state)
{
    (void)state;
    static const struct first_case {
        const char *line;
        size_t name;
        bool is;
    } lines[] = {
        { "sda                 1.25", 3, true },   { "nvme0n1             1.25", 7, true },
        { "a-longer-name       1.25", 13, true },  { "the-longest-of-all- 1.25", 19, true },
        { "the-longest-of-all  1.25", 18, true },  { "sda   7             1.25", 3, false },
        { "sda 7               1.25", 3, false },  { "longer-than-the-place 25", 21, false },
        { "longer-than-all-of-it-is", 24, false },
    };
    struct text_places p = { 0 };
    size_t end = strlen(lines[0].line), ends[] = { end, end + 5 };
    text_places_set(&p, ends, N(ends));
    assert_int_equal(p.n, N(ends));
    for (size_t i = 0; i < N(lines); i++) {
        double value[TEXT_PLACES_MAX];
        uint64_t bad[TEXT_PLACES_MAX];
        char line[64];
        snprintf(line, sizeof line, "%s 3.50", lines[i].line);
        bool is = text_places_read(&p, line, lines[i].name, value, bad);
        if (is != lines[i].is || (is && (value[0] != 1.25 || value[1] != 3.5)))
            fail_msg("%s: %d", line, is);
        assert_int_equal(!bad[0], lines[i].is);
        assert_true(!bad[1]);
    }
}

static void no_places(void **state)
{
    (void)state;
    struct text_places p = { .n = 1 };
    size_t near[] = { 4, 12 }, one[] = { 20 }, back[] = { 20, 10 },
           many[TEXT_PLACES_MAX + 1] = { 0 };
    text_places_set(&p, near, 2);
    assert_int_equal(p.n, 0);
    text_places_set(&p, one, 1);
    assert_int_equal(p.n, 0);
    text_places_set(&p, back, 2);
    assert_int_equal(p.n, 0);
    text_places_set(&p, near, 0);
    assert_int_equal(p.n, 0);
    for (size_t i = 0; i < N(many); i++)
        many[i] = 20 + 8 * i;
    text_places_set(&p, many, N(many));
    assert_int_equal(p.n, 0);
    text_places_set(&p, many, TEXT_PLACES_MAX);
    assert_int_equal(p.n, TEXT_PLACES_MAX);
}

int main(void)
{
    struct CMUnitTest t[N(cases) + 2];
    size_t n = 0;
    for (size_t i = 0; i < N(cases); i++)
        t[n++] =
            (struct CMUnitTest){ cases[i].why, place, NULL, NULL, (void *)(uintptr_t)&cases[i] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(first);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(no_places);
    return _cmocka_run_group_tests("text_places", t, n, NULL, NULL);
}
