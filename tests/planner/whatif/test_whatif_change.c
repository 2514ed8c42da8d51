/* tests/planner/whatif/test_whatif_change.c - changes as they are typed, and who feeds whom after
 * them. */
#include "tests/planner/whatif/redo_system.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* --- one change ------------------------------------------------------------------------------- */

static const struct parse_case {
    const char *why, *name, *value;
    const char *wrong; /* part of the message; NULL = good */
} parses[] = {
    { "a name alone", "add-standby", "dr9", NULL },
    { "a link", "add-standby", "dr9:send=40,rtt=80,mode=async", NULL },
    { "other units", "add-standby", "dr9:send=0.5GB/s , window=16384", NULL },
    { "fed by another", "add-standby", "dr9:via=dr1", NULL },
    { "an empty name", "add-standby", "", "a name" },
    { "a name of blanks", "drop-standby", "  ", "a name" },
    { "a name with a sign that separates", "drop-standby", "a=b", "a name" },
    { "a name as long as a line", "drop-standby",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "a name" },
    { "nothing behind the colon", "add-standby", "dr9:", "NAME:send" },
    { "a key without value", "add-standby", "dr9:send", "NAME:send" },
    { "an unknown key", "add-standby", "dr9:speed=1", "NAME:send" },
    { "a rate of nothing", "add-standby", "dr9:send=0", "above 0" },
    { "a size for a rate", "add-standby", "dr9:send=4GiB", "does not fit" },
    { "a rate beyond any link", "add-standby", "dr9:send=1e9", "at most" },
    { "an unknown mode", "add-standby", "dr9:mode=lazy", "async" },
    { "a mode that is too long", "add-standby", "dr9:mode=asynchronously-and-more", "async" },
    { "a far sync has no send rate", "farsync", "fs1:send=3", "NAME:rtt" },
    { "far sync", "farsync", "fs1:rtt=2,via=dr1", NULL },
    { "cascade", "cascade", "a=b", NULL },
    { "cascade to nowhere", "cascade", "a=", "a name" },
    { "cascade of nothing", "cascade", "a", "NAME=VIA" },
    { "none", "standbys", "0", NULL },
    { "too many", "standbys", "121", "0 to 120" },
    { "half a standby", "standbys", "1.5", "0 to 120" },
    { "below none", "standbys", "-1", "0 to 120" },
    { "no member", "members", "0", "1 to 5" },
    { "a block size that Oracle has not", "redo-block", "2048", "512, 1024 or 4096" },
    { "growth", "growth", "12.5%", NULL },
    { "less load", "growth", "-50", NULL },
    { "no load left", "growth", "-100", "-100" },
    { "growth beyond measure", "growth", "1e9", "10 000" },
    { "mirrored", "redundancy", "FRA=high", NULL },
    { "mirrored oddly", "redundancy", "FRA=twice", "external, normal or high" },
    { "no such change", "shuffle", "FRA=3", "no change" },
    { "merges lost everywhere", "merge-loss", "", NULL },
    { "merges lost in a group", "merge-loss", "DATA", NULL },
    { "on one disk", "merge-loss", "DATA:1", NULL },
    { "on one disk of each group, some left", "merge-loss", ":1,merged=43.39%", NULL },
    { "on no disk", "merge-loss", "DATA:0", "1 to 1000" },
    { "on disks, twice", "merge-loss", "DATA:1,2", "GROUP:DISKS" },
    { "all merges left", "merge-loss", "DATA:merged=100", "less than 100" },
    { "merges in KiB", "merge-loss", "DATA:merged=3KiB", "does not fit" },
    { "split", "split", "512", NULL },
    { "split in MiB", "split", "1MiB", NULL },
    { "split below a page", "split", "2", "4 to 32 768" },
    { "split in time", "split", "3s", "does not fit" },
    { "a backup every day", "rman", "22:00,4,200", NULL },
    { "a backup once, to a group, in other units", "rman",
      "2026-03-01T22:00:00+01:00,0.5,1GB/s,FRA", NULL },
    { "a backup at no time", "rman", "24:00,4,200", "HH:MM" },
    { "a backup at half an hour", "rman", "1:5,4,200", "HH:MM" },
    { "a backup at a minute of nothing", "rman", ":30,4,200", "HH:MM" },
    { "a backup with words behind its time", "rman", "2026-03-01 later,4,200", "HH:MM" },
    { "a backup without rate", "rman", "22:00,4", "START,HOURS,MIB/S" },
    { "a backup of nothing", "rman", "22:00,4,0", "above 0" },
    { "a daily backup of more than a day", "rman", "22:00,25,200", "at most 24" },
    { "a backup of no time", "rman", "22:00,-1,200", "above 0" },
    { "a backup to nowhere", "rman", "22:00,4,200,", "a name" },
    { "a backup to two groups", "rman", "22:00,4,200,A,B", "START,HOURS,MIB/S" },
    { "a restore of a week", "restore", "2026-03-01,168,200", NULL },
    { "a restore of years", "restore", "2026-03-01,9000,200", "at most 8784" },
    { "a restore of words", "restore", "2026-03-01,long,200", "hours" },
    { "later", "shift", "DATA=3.5", NULL },
    { "earlier", "shift", "DATA=-3", NULL },
    { "moved by nothing that is a number", "shift", "DATA=x", "hours" },
    { "moved beyond a year", "shift", "DATA=1e9", "at most" },
    { "moved, nobody knows what", "shift", "3", "GROUP=HOURS" },
    { "a phase", "phase", "2026-03-01:--standbys 12 --cascade a=b", NULL },
    { "a phase that loses merges everywhere", "phase", "2026-03-01:--merge-loss --growth 3", NULL },
    { "a phase that ends so", "phase", "2026-03-01:--growth 3 --merge-loss", NULL },
    { "a phase with other spellings", "phase", "2026-03-01:standbys=12 growth 3%", NULL },
    { "a phase on no day", "phase", "2026-02-30:--standbys 12", "YYYY-MM-DD" },
    { "a phase without change", "phase", "2026-03-01: ", "YYYY-MM-DD" },
    { "a change without value", "phase", "2026-03-01:--standbys", "a value" },
    { "a phase in a phase", "phase", "2026-03-01:phase=2026-04-01:standbys=1", "no other phase" },
};

static void parsed(void **state)
{
    const struct parse_case *c = *state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct whatif_change out = { .whole = 77 };
    int rc = whatif_change_parse(span_of(c->name), span_of(c->value), &a, &out, &e);
    if (!c->wrong) {
        assert_int_equal(rc, 0);
    } else {
        assert_int_equal(rc, ERR_USAGE);
        if (!strstr(e.text, c->wrong))
            fail_msg("'%s' does not say '%s'", e.text, c->wrong);
        assert_true(out.whole == 77); /* written only on success */
    }
    arena_release(&a);
}

static void values_arrive(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct whatif_change c;
    assert_int_equal(whatif_change_parse(SPAN_LIT("add-standby"),
                                         SPAN_LIT("dr9:send=40,rtt=80,window=64,mode=fastsync,"
                                                  "via=dr1"),
                                         &a, &c, &e),
                     0);
    assert_string_equal(c.name, "dr9");
    assert_string_equal(c.via, "dr1");
    assert_near(c.send_mibps, 40);
    assert_near(c.rtt_ms, 80);
    assert_near(c.window_kib, 64);
    assert_int_equal(c.mode, REDO_FASTSYNC);
    assert_true(isnan(c.apply_mibps));
    assert_string_equal(c.text, "add-standby dr9:send=40,rtt=80,window=64,mode=fastsync,via=dr1");
    assert_int_equal(whatif_change_parse(SPAN_LIT("phase"),
                                         SPAN_LIT("2026-03-01:--standbys 12 growth=-5"), &a, &c,
                                         &e),
                     0);
    assert_true(c.from_ms == day_ms("2026-03-01"));
    assert_int_equal(c.n_changes, 2);
    assert_true(c.changes[0].whole == 12);
    assert_near(c.changes[1].pct, -5);
    arena_release(&a);
}

static void shapes_arrive(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    struct whatif_change c;
    assert_int_equal(whatif_change_parse(SPAN_LIT("merge-loss"), SPAN_LIT(""), &a, &c, &e), 0);
    assert_null(c.name);
    assert_true(c.whole == UNKNOWN && c.pct == 0);
    assert_string_equal(c.text, "merge-loss");
    assert_int_equal(whatif_change_parse(SPAN_LIT("merge-loss"), SPAN_LIT("DATA:2,merged=43.39"),
                                         &a, &c, &e),
                     0);
    assert_string_equal(c.name, "DATA");
    assert_true(c.whole == 2);
    assert_near(c.pct, 43.39);
    assert_int_equal(whatif_change_parse(SPAN_LIT("split"), SPAN_LIT("1MiB"), &a, &c, &e), 0);
    assert_near(c.request_kib, 1024);
    assert_int_equal(whatif_change_parse(SPAN_LIT("rman"), SPAN_LIT("22:30,4.5,200,FRA"), &a, &c,
                                         &e),
                     0);
    assert_true(c.daily && c.start_ms == 81000000); /* 22.5 h */
    assert_near(c.hours, 4.5);
    assert_near(c.window_mibps, 200);
    assert_string_equal(c.name, "FRA");
    assert_int_equal(whatif_change_parse(SPAN_LIT("restore"),
                                         SPAN_LIT("2022-05-18T09:00+02:00,1,200"), &a, &c, &e),
                     0);
    assert_true(!c.daily && c.start_ms == morning_ms());
    assert_null(c.name);
    assert_int_equal(whatif_change_parse(SPAN_LIT("shift"), SPAN_LIT("DATA=-3"), &a, &c, &e), 0);
    assert_near(c.hours, -3);
    assert_int_equal(whatif_change_parse(SPAN_LIT("phase"),
                                         SPAN_LIT("2026-03-01:--merge-loss --growth=5"), &a, &c,
                                         &e),
                     0);
    assert_int_equal(c.n_changes, 2);
    assert_null(c.changes[0].name);
    arena_release(&a);
}

/* Any value of any change is taken, or refused in words: pieces of good ones in any order. */
static void any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "DATA",       ":",       ",",     "=",     "1",          "22:00", "-3", "4.5",
        "200",        "merged=", "%",     "KiB",   "MiB/s",      " ",     "--", "99999",
        "2026-03-01", "T10:00Z", "shift", "1e308", "merge-loss", "rman"
    };
    struct seeded chance = seeded_case(20260301, 0);
    for (int i = 0; i < 20000; i++) {
        char value[200] = "";
        struct arena a = { 0 };
        struct err e = { 0 };
        struct whatif_change c = { .whole = 77 };
        for (int k = 0; k < 8; k++) {
            if (seeded_chance(&chance, 80))
                strcat(value, pieces[seeded_next(&chance) % (sizeof pieces / sizeof *pieces)]);
        }
        const char *name =
            whatif_kind_name((enum whatif_kind)(seeded_next(&chance) % WHATIF_KINDS));
        int rc = whatif_change_parse(span_of(name), span_of(value), &a, &c, &e);
        if (rc != 0 && (rc != ERR_USAGE || !e.text[0] || c.whole != 77))
            fail_msg("%s '%s': %d '%s'", name, value, rc, e.text);
        bool window = c.kind == WHATIF_RMAN || c.kind == WHATIF_RESTORE;
        if (!rc && window)
            assert_true(c.hours > 0 && c.hours <= 8784 && c.window_mibps > 0);
        arena_release(&a);
    }
}

static void too_many_changes_in_a_phase(void **state)
{
    (void)state;
    char text[1200] = "2026-03-01:";
    struct arena a = { 0 };
    struct err e = { 0 };
    struct whatif_change c;
    for (int i = 0; i < 65; i++)
        strcat(text, "growth 1 ");
    assert_int_equal(whatif_change_parse(SPAN_LIT("phase"), span_of(text), &a, &c, &e), ERR_USAGE);
    assert_non_null(strstr(e.text, "more than 64"));
    arena_release(&a);
}

/* --- who feeds whom --------------------------------------------------------------------------- */

static const struct topology_case {
    const char *why;
    const char *changes[4]; /* of six standbys dr1 ... dr6, all fed by the primary */
    const char *wrong;
    int64_t n, added, removed;
} topologies[] = {
    { "nothing", { NULL }, NULL, 6, 0, 0 },
    { "one more", { "add-standby dr7" }, NULL, 7, 1, 0 },
    { "one less", { "drop-standby dr3" }, NULL, 5, 0, 1 },
    { "one behind another", { "cascade dr3=dr1" }, NULL, 6, 0, 1 },
    { "and back", { "cascade dr3=dr1", "cascade dr3=PRD1" }, NULL, 6, 0, 0 },
    { "a new one behind another reads nothing here", { "add-standby dr7:via=dr1" }, NULL, 7, 0, 0 },
    { "a SYNC one reads the log buffer", { "add-standby dr7:mode=sync" }, NULL, 7, 0, 0 },
    { "eight in all", { "standbys 8" }, NULL, 8, 2, 0 },
    { "two in all", { "standbys 2" }, NULL, 2, 0, 4 },
    { "none", { "standbys 0" }, NULL, 0, 0, 6 },
    { "dropped by number: those that feed others stay",
      { "cascade dr1=dr6", "standbys 2" },
      NULL,
      2,
      0,
      5 },
    { "a far sync takes them all over", { "farsync fs1" }, NULL, 7, 0, 6 },
    { "or those that are named", { "farsync fs1", "cascade dr1=fs1" }, NULL, 7, 0, 1 },
    { "with far sync, two in all are standbys", { "farsync fs1", "standbys 2" }, NULL, 3, 0, 6 },
    /* dr1 feeds dr2 ... dr6 and PRD1: six as before. */
    { "a role swap of one that was fed directly", { "role-swap dr1" }, NULL, 6, 0, 0 },
    { "of one that was not: what it fed is direct, and the old primary in its place",
      { "cascade dr1=dr2", "cascade dr3=dr1", "role-swap dr1" },
      NULL,
      6,
      0,
      0 },
    { "the same name twice", { "add-standby dr1" }, "already", 0, 0, 0 },
    { "the primary's name", { "add-standby PRD1" }, "already", 0, 0, 0 },
    { "an unknown one", { "drop-standby dr9" }, "no standby is called dr9", 0, 0, 0 },
    { "fed by nobody", { "cascade dr1=dr9" }, "fed by dr9", 0, 0, 0 },
    { "fed by one that goes", { "cascade dr1=dr2", "drop-standby dr2" }, "fed by dr2", 0, 0, 0 },
    { "a circle", { "cascade dr1=dr2", "cascade dr2=dr1" }, "by itself", 0, 0, 0 },
    { "fed by itself", { "cascade dr1=dr1" }, "by itself", 0, 0, 0 },
    { "a far sync is no primary", { "farsync fs1", "role-swap fs1" }, "far sync", 0, 0, 0 },
};

static void topology_after(void **state)
{
    const struct topology_case *c = *state;
    struct redo_system s;
    struct whatif_change changes[4];
    struct topology t;
    size_t n;
    incident(&s);
    assert_int_equal(parse_changes(&s.arena, c->changes, changes, &n, &s.err), 0);
    assert_int_equal(topology_of_layout(&s.layout, UNKNOWN, &s.arena, &t, &s.err), 0);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = topology_change(&t, &changes[i], &s.arena, &s.err);
    if (!rc)
        rc = topology_check(&t, changes, n, &s.err);
    if (c->wrong) {
        assert_int_equal(rc, ERR_USAGE);
        if (!strstr(s.err.text, c->wrong))
            fail_msg("'%s' does not say '%s'", s.err.text, c->wrong);
    } else {
        assert_int_equal(rc, 0);
        struct redo_change r = topology_redo_change(&t);
        assert_int_equal(t.n, c->n);
        assert_int_equal(r.added, c->added);
        assert_int_equal(r.removed, c->removed);
    }
    arena_release(&s.arena);
}

static void standbys_that_only_statistics_count(void **state)
{
    (void)state;
    struct redo_system s;
    struct topology t;
    incident(&s);
    s.layout.n_standbys = 0;
    assert_int_equal(topology_of_layout(&s.layout, 2, &s.arena, &t, &s.err), 0);
    assert_int_equal(t.n, 2);
    assert_string_equal(t.at[1].name, "standby2");
    assert_int_equal(t.n_measured, 2);
    arena_release(&s.arena);
}

static void a_layout_names_via_and_mode(void **state)
{
    (void)state;
    struct redo_system s;
    struct topology t;
    incident(&s);
    s.standbys[1].via = "dr1";
    s.standbys[2].via = "PRD1"; /* the primary, by name */
    s.standbys[3].transport = "sync";
    assert_int_equal(topology_of_layout(&s.layout, UNKNOWN, &s.arena, &t, &s.err), 0);
    assert_int_equal(t.n_measured, 4);
    assert_int_equal(topology_fed_by(&t, "dr1"), 1);
    assert_true(topology_is_direct(&t.at[3]) && !topology_reads_files(&t.at[3]));
    arena_release(&s.arena);
}

int main(void)
{
    enum {
        P = sizeof parses / sizeof *parses,
        T = sizeof topologies / sizeof *topologies,
        OTHERS = 6
    };
    struct CMUnitTest t[P + T + OTHERS];
    for (size_t i = 0; i < P; i++)
        t[i] =
            (struct CMUnitTest){ parses[i].why, parsed, NULL, NULL, (void *)(uintptr_t)&parses[i] };
    for (size_t i = 0; i < T; i++)
        t[P + i] = (struct CMUnitTest){ topologies[i].why, topology_after, NULL, NULL,
                                        (void *)(uintptr_t)&topologies[i] };
    const struct CMUnitTest others[OTHERS] = {
        cmocka_unit_test(values_arrive),
        cmocka_unit_test(shapes_arrive),
        cmocka_unit_test(any_text),
        cmocka_unit_test(too_many_changes_in_a_phase),
        cmocka_unit_test(standbys_that_only_statistics_count),
        cmocka_unit_test(a_layout_names_via_and_mode),
    };
    memcpy(t + P + T, others, sizeof others);
    return cmocka_run_group_tests_name("whatif_change", t, NULL, NULL);
}
