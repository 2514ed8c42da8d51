/* tests/data/test_zone.c - offsets, TZif files made here, and names from zoneinfo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/zone.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))

static int64_t at(const char *text)
{
    struct span s = span_of(text);
    int64_t t_ms;
    bool zoned;
    assert_int_equal(time_parse_iso(&s, &t_ms, &zoned), 0);
    return t_ms;
}

static void assert_utc(const struct zone *z, const char *wall, const char *want)
{
    char got[32];
    assert_string_equal(time_format_iso(got, zone_to_utc(z, at(wall))), want);
}

static const struct name_case {
    const char *why, *name, *wall, *want; /* want NULL: refused */
} name_cases[] = {
    { "UTC", "UTC", "2022-05-18T07:00:00", "2022-05-18T07:00:00Z" },
    { "Z", "Z", "2022-05-18T07:00:00", "2022-05-18T07:00:00Z" },
    { "an offset east", "+02:00", "2022-05-18T07:00:00", "2022-05-18T05:00:00Z" },
    { "an offset west without colon", "-0330", "2022-05-18T23:00:00", "2022-05-19T02:30:00Z" },
    { "whole hours", "+02", "2022-05-18T01:00:00", "2022-05-17T23:00:00Z" },
    { "one digit", "+2", "2022-05-18T01:00:00", "2022-05-17T23:00:00Z" },
    { "an offset beyond the globe", "+15:00", NULL, NULL },
    { "half an offset", "+", NULL, NULL },
    { "60 minutes", "+01:60", NULL, NULL },
    { "more behind the offset", "+01:00x", NULL, NULL },
    { "nothing", "", NULL, NULL },
    { "a path from the root", "/etc/passwd", NULL, NULL },
    { "a path upwards", "../../../etc/passwd", NULL, NULL },
    { "a path upwards inside", "Europe/../../x", NULL, NULL },
    { "not a name's letters", "Europe/Ber lin", NULL, NULL },
    { "a name too long to be one",
      "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL, NULL },
    { "a name nobody knows", "Europe/Atlantis", NULL, NULL },
    { "a folder", "Europe", NULL, NULL },
};

static void names(void **state)
{
    const struct name_case *c = *state;
    struct arena a = { 0 };
    const struct zone *z = NULL;
    struct err e = { 0 };
    int rc = zone_open(span_of(c->name), &a, &z, &e);
    if (c->want) {
        assert_int_equal(rc, 0);
        assert_utc(z, c->wall, c->want);
    } else {
        assert_int_equal(rc, ERR_USAGE);
        assert_int_equal(e.code, ERR_USAGE);
        assert_non_null(strstr(e.text, "time zone '"));
    }
    arena_release(&a);
}

/* --- TZif made here --------------------------------------------------------------------------- */

struct tzif {
    unsigned char bytes[1024];
    size_t n;
};

static void put(struct tzif *t, uint64_t v, int n_bytes)
{
    for (int shift = 8 * (n_bytes - 1); shift >= 0; shift -= 8)
        t->bytes[t->n++] = (unsigned char)(v >> shift);
}

static void put_header(struct tzif *t, char version, uint32_t n_times, uint32_t n_types,
                       uint32_t n_chars)
{
    const uint32_t counts[6] = { 0, 0, 0, n_times, n_types, n_chars };
    memcpy(t->bytes + t->n, "TZif", 4);
    t->n += 4;
    put(t, (unsigned char)version, 1);
    t->n += 15;
    for (size_t i = 0; i < 6; i++)
        put(t, counts[i], 4);
}

/* Two transitions: to summer (+2 h) at 2022-03-27T01:00Z, back (+1 h) at 2022-10-30T01:00Z; a
 * version 2 file has them in 8 bytes and ends with a rule. */
static struct tzif central_europe(char version, const char *rule)
{
    struct tzif t = { { 0 }, 0 };
    const int64_t times[2] = { at("2022-03-27T01:00:00Z") / 1000,
                               at("2022-10-30T01:00:00Z") / 1000 };
    for (int pass = 0; pass < (version ? 2 : 1); pass++) {
        int n_bytes = pass ? 8 : 4;
        put_header(&t, version, 2, 2, 4);
        put(&t, (uint64_t)times[0], n_bytes);
        put(&t, (uint64_t)times[1], n_bytes);
        put(&t, 1, 1);
        put(&t, 0, 1);
        put(&t, 3600, 4); /* type 0: offset, summer, name */
        put(&t, 0, 2);
        put(&t, 7200, 4);
        put(&t, 0x0100, 2);
        put(&t, 0x43455400, 4); /* "CET" */
    }
    if (version) {
        size_t n = strlen(rule);
        t.bytes[t.n++] = '\n';
        memcpy(t.bytes + t.n, rule, n);
        t.n += n;
        t.bytes[t.n++] = '\n';
    }
    return t;
}

static const struct zone *parse(const struct tzif *t, struct arena *a)
{
    const struct zone *z = NULL;
    struct err e = { 0 };
    int rc = zone_parse_tzif("test", (struct span){ (const char *)t->bytes, t->n }, a, &z, &e);
    if (rc)
        fail_msg("%s", e.text);
    return z;
}

static const struct wall_case {
    const char *why, *wall, *want;
} wall_cases[] = {
    { "winter before everything", "2022-01-01T00:00:00", "2021-12-31T23:00:00Z" },
    { "the last second of winter", "2022-03-27T01:59:59", "2022-03-27T00:59:59Z" },
    { "skipped: read with winter's offset", "2022-03-27T02:30:00", "2022-03-27T01:30:00Z" },
    { "the first second of summer", "2022-03-27T03:00:00", "2022-03-27T01:00:00Z" },
    { "summer", "2022-05-18T07:00:00", "2022-05-18T05:00:00Z" },
    { "came twice: the first", "2022-10-30T02:30:00", "2022-10-30T00:30:00Z" },
    { "after the hour that came twice", "2022-10-30T03:00:00", "2022-10-30T02:00:00Z" },
};

static void walls(void **state)
{
    const struct wall_case *c = *state;
    struct arena a = { 0 };
    struct tzif v1 = central_europe('\0', ""),
                v2 = central_europe('2', "CET-1CEST,M3.5.0,M10.5.0/3");
    assert_utc(parse(&v1, &a), c->wall, c->want);
    assert_utc(parse(&v2, &a), c->wall, c->want);
    arena_release(&a);
}

static void a_clock_that_runs_through_the_fold(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct tzif t = central_europe('\0', "");
    const struct zone *z = parse(&t, &a);
    int64_t before = at("2022-10-30T00:59:58Z");
    int64_t wall = at("2022-10-30T02:00:00"); /* set back from 03:00 */
    assert_int_equal(zone_to_utc_after(z, wall, before), at("2022-10-30T01:00:00Z"));
    /* one that really went back is not moved into the fold's other hour in vain */
    assert_int_equal(zone_to_utc_after(z, wall, at("2022-10-30T05:00:00Z")),
                     at("2022-10-30T00:00:00Z"));
    assert_int_equal(zone_to_utc_after(NULL, 5, 7), 5);
    assert_int_equal(zone_to_utc(z, UNKNOWN), UNKNOWN);
    arena_release(&a);
}

static void folds_are_counted(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct tzif t = central_europe('\0', "");
    const struct zone *z = parse(&t, &a);
    /* clocks were set back at 01:00 UTC of that Sunday, and forward in March */
    assert_int_equal(zone_folds(z, at("2022-10-30T00:00:00Z"), at("2022-10-30T02:00:00Z")), 1);
    assert_int_equal(zone_folds(z, at("2022-10-30T01:30:00Z"), at("2022-10-30T02:00:00Z")), 0);
    assert_int_equal(zone_folds(z, at("2022-03-27T00:00:00Z"), at("2022-03-27T03:00:00Z")), 0);
    assert_int_equal(zone_folds(NULL, at("2022-10-30T00:00:00Z"), at("2022-10-30T02:00:00Z")), 0);
    arena_release(&a);
}

/* The rule of a version 2 file holds after its last transition.  Dates by hand: the last Sunday of
 * March 2040 is the 25th, of October the 28th; the second Sunday of March 2040 is the 11th, the
 * first of November the 4th; in Sydney the first Sundays of April and October 2040 are the 1st
 * and the 7th. */
static const struct rule_case {
    const char *why, *rule, *wall, *want;
} rule_cases[] = {
    { "Berlin, last second of winter", "CET-1CEST,M3.5.0,M10.5.0/3", "2040-03-25T01:59:59",
      "2040-03-25T00:59:59Z" },
    { "Berlin, summer", "CET-1CEST,M3.5.0,M10.5.0/3", "2040-03-25T03:00:00",
      "2040-03-25T01:00:00Z" },
    { "Berlin, last hour of summer", "CET-1CEST,M3.5.0,M10.5.0/3", "2040-10-28T01:59:59",
      "2040-10-27T23:59:59Z" },
    { "Berlin, winter again", "CET-1CEST,M3.5.0,M10.5.0/3", "2040-10-28T03:00:00",
      "2040-10-28T02:00:00Z" },
    { "New York, the default time of day", "EST5EDT,M3.2.0,M11.1.0", "2040-03-11T03:00:00",
      "2040-03-11T07:00:00Z" },
    { "New York, winter", "EST5EDT,M3.2.0,M11.1.0", "2040-11-04T02:00:00", "2040-11-04T07:00:00Z" },
    { "Sydney, summer at new year", "AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-01-01T00:00:00",
      "2039-12-31T13:00:00Z" },
    { "Sydney, winter", "AEST-10AEDT,M10.1.0,M4.1.0/3", "2040-07-01T00:00:00",
      "2040-06-30T14:00:00Z" },
    { "a quoted name; no summer: the last transition stays", "<+01>-1", "2040-07-01T00:00:00",
      "2040-06-30T23:00:00Z" },
    { "days of the year: 1 April (J91) to 30 October (J303), in leap years too",
      "AAA0BBB-1,J91/0,J303/0", "2040-04-01T12:00:00", "2040-04-01T11:00:00Z" },
    { "the day before J91", "AAA0BBB-1,J91/0,J303/0", "2040-03-31T12:00:00",
      "2040-03-31T12:00:00Z" },
    { "day 60 from 0 is 1 March 2041 + 1", "AAA0BBB-1,60/0,200/0", "2041-03-01T12:00:00",
      "2041-03-01T12:00:00Z" },
    { "and 2 March is summer", "AAA0BBB-1,60/0,200/0", "2041-03-02T12:00:00",
      "2041-03-02T11:00:00Z" },
};

static void rules(void **state)
{
    const struct rule_case *c = *state;
    struct arena a = { 0 };
    struct tzif t = central_europe('2', c->rule);
    assert_utc(parse(&t, &a), c->wall, c->want);
    arena_release(&a);
}

static const struct bad_case {
    const char *why, *rule;
    size_t offset, len; /* of one byte that is set to value; len = what is left of the file */
    unsigned char value;
    const char *want;
} bad_cases[] = {
    { "not TZif at all", NULL, 0, 0, 'X', "not a time zone file" },
    { "half a header", NULL, 0, 20, 'T', "not a time zone file" },
    { "cut in the second block", NULL, 0, 140, 'T', "not a time zone file" },
    { "more transitions than bytes", NULL, 32, 0, 0x7F, "not a time zone file" },
    { "leap seconds", NULL, 0, 0, 'T', "leap seconds" },
    { "a rule with a word too many", "CET-1CEST,M3.5.0,M10.5.0/3,M1.1.1", 0, 0, 'T', "rule" },
    { "a rule with month 13", "CET-1CEST,M13.5.0,M10.5.0/3", 0, 0, 'T', "rule" },
    { "a rule with half its dates", "CET-1CEST,M3.5.0", 0, 0, 'T', "rule" },
};

static void bad_files(void **state)
{
    const struct bad_case *c = *state;
    struct arena a = { 0 };
    struct tzif t = central_europe('2', c->rule ? c->rule : "CET-1");
    struct tzif leap = { { 0 }, 0 };
    if (strcmp(c->why, "leap seconds") == 0) { /* one type, one leap second, version 1 */
        put_header(&leap, '\0', 0, 1, 0);
        leap.bytes[31] = 1;
        leap.n += 6 + 8;
        t = leap;
    }
    t.bytes[c->offset] = c->value;
    const struct zone *z = NULL;
    struct err e = { 0 };
    struct span bytes = { (const char *)t.bytes, c->len ? c->len : t.n };
    assert_int_equal(zone_parse_tzif("test", bytes, &a, &z, &e), ERR_FILE);
    if (!strstr(e.text, c->want))
        fail_msg("'%s' does not say '%s'", e.text, c->want);
    arena_release(&a);
}

/* Every single wrong byte gives a zone or an error, and the zone gives some time. */
static void damaged_files(void **state)
{
    (void)state;
    struct tzif good = central_europe('2', "CET-1CEST,M3.5.0,M10.5.0/3");
    for (size_t i = 0; i < good.n; i++)
        for (unsigned v = 0; v < 256; v += 51) {
            struct arena a = { 0 };
            struct tzif t = good;
            t.bytes[i] = (unsigned char)v;
            const struct zone *z = NULL;
            struct err e;
            if (zone_parse_tzif("test", (struct span){ (const char *)t.bytes, t.n }, &a, &z, &e) ==
                0)
                assert_int_not_equal(zone_to_utc(z, at("2022-10-30T02:30:00")), UNKNOWN);
            arena_release(&a);
        }
}

/* From the tz database: Berlin is +01:00 in winter, +02:00 in summer; 1945-05-24 to 09-24 had
 * double summer time; New York -05:00, -04:00; Kolkata +05:30 all year. */
static const struct wall_case known_cases[] = {
    { "Europe/Berlin", "2022-05-18T07:00:00", "2022-05-18T05:00:00Z" },
    { "Europe/Berlin", "2022-10-30T02:30:00", "2022-10-30T00:30:00Z" },
    { "Europe/Berlin", "1945-06-01T12:00:00", "1945-06-01T09:00:00Z" },
    { "Europe/Berlin", "2060-07-01T12:00:00", "2060-07-01T10:00:00Z" },
    { "America/New_York", "2022-03-13T02:30:00", "2022-03-13T07:30:00Z" },
    { "America/New_York", "2060-01-01T00:00:00", "2060-01-01T05:00:00Z" },
    { "Asia/Kolkata", "2022-05-18T07:00:00", "2022-05-18T01:30:00Z" },
};

static void zoneinfo(void **state)
{
    (void)state;
    if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK)) {
        print_message("not run: zoneinfo is not installed\n");
        skip();
    }
    setenv("TZ", "Pacific/Auckland", 1); /* must not matter */
    for (size_t i = 0; i < N(known_cases); i++) {
        struct arena a = { 0 };
        const struct zone *z = NULL;
        struct err e;
        assert_int_equal(zone_open(span_of(known_cases[i].why), &a, &z, &e), 0);
        assert_utc(z, known_cases[i].wall, known_cases[i].want);
        arena_release(&a);
    }
}

static void without_memory(void **state)
{
    (void)state;
    struct tzif t = central_europe('2', "CET-1CEST,M3.5.0,M10.5.0/3");
    for (int fixed = 0; fixed < 2; fixed++) {
        struct each_allocation it = { 0 };
        const struct zone *z;
        while (each_allocation(&it))
            it.rc = fixed ? zone_open(SPAN_LIT("+1"), &it.a, &z, &it.e)
                          : zone_parse_tzif("test", (struct span){ (const char *)t.bytes, t.n },
                                            &it.a, &z, &it.e);
    }
}

int main(void)
{
    struct CMUnitTest t[N(name_cases) + N(wall_cases) + N(rule_cases) + N(bad_cases) + 5];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, name_cases, names);
    ADD_ROW_TESTS(t, n, wall_cases, walls);
    ADD_ROW_TESTS(t, n, rule_cases, rules);
    ADD_ROW_TESTS(t, n, bad_cases, bad_files);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(folds_are_counted);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(a_clock_that_runs_through_the_fold);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(damaged_files);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(zoneinfo);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    return _cmocka_run_group_tests("zone", t, n, NULL, NULL);
}
