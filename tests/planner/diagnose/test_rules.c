/* tests/planner/diagnose/test_rules.c - the tables of rules: well formed, in step with
 * docs/findings.md; and what becomes of drafts. */
#include "planner/diagnose/diagnose.h"

#include "models/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rule *rule_of(const char *id, size_t *n_times)
{
    const struct rule *found = NULL;
    *n_times = 0;
    for (size_t t = 0; diagnose_tables[t]; t++)
        for (size_t i = 0; i < diagnose_tables[t]->n; i++)
            if (strcmp(diagnose_tables[t]->rules[i].id, id) == 0) {
                found = &diagnose_tables[t]->rules[i];
                ++*n_times;
            }
    return found;
}

static void well_formed(void **state)
{
    (void)state;
    size_t n;
    for (size_t t = 0; diagnose_tables[t]; t++)
        for (size_t i = 0; i < diagnose_tables[t]->n; i++) {
            const struct rule *r = &diagnose_tables[t]->rules[i];
            assert_int_equal(strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(r->id));
            rule_of(r->id, &n);
            if (n != 1)
                fail_msg("%s stands %zu times in the tables", r->id, n);
            assert_non_null(r->test);
            assert_true(*r->title && *r->advice);
            for (const char *const *id = r->yields_to; id && *id; id++) {
                rule_of(*id, &n);
                if (n != 1 || strcmp(*id, r->id) == 0)
                    fail_msg("%s yields to %s, which is no other rule", r->id, *id);
            }
        }
    for (size_t i = 0; i < rules_of_demand.n; i++)
        assert_non_null(rule_of(rules_of_demand.rules[i].id, &n));
}

/* The cell of a row "| a | b | ..." without its blanks; "" when there is none. */
static void cell_of(const char *row, int no, char *buf, size_t room)
{
    *buf = '\0';
    for (int i = 0; row && i <= no; i++) {
        row = strchr(row, '|');
        row = row ? row + 1 : NULL;
    }
    if (!row)
        return;
    row += strspn(row, " ");
    size_t len = strcspn(row, "|");
    while (len && row[len - 1] == ' ')
        len--;
    snprintf(buf, room, "%.*s", (int)len, row);
}

/* What a rule gives way to, as the page writes it. */
static void yields_of(const struct rule *r, char *buf, size_t room)
{
    *buf = '\0';
    for (const char *const *id = r->yields_to; id && *id; id++)
        snprintf(buf + strlen(buf), room - strlen(buf), "%s`%s`", *buf ? ", " : "", *id);
}

static void in_step_with_the_page(void **state)
{
    (void)state;
    static const struct {
        unsigned need;
        const char *word;
    } needs[] = { { NEED_SERIES, "series" },   { NEED_SNAPSHOTS, "reports" },
                  { NEED_METRICS, "metrics" }, { NEED_RECORDS, "records" },
                  { NEED_LAYOUT, "layout" },   { NEED_INSTANCE, "instance" } };
    char line[1000], id[64], cell[400], want[400];
    size_t n_rows = 0, n_rules = 0, n;
    FILE *f = fopen("docs/findings.md", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        cell_of(line, 0, cell, sizeof cell);
        if (cell[0] != '`' || line[0] != '|')
            continue;
        snprintf(id, sizeof id, "%.*s", (int)strcspn(cell + 1, "`"), cell + 1);
        const struct rule *r = rule_of(id, &n);
        if (!r)
            fail_msg("the page has %s, no table does", id);
        cell_of(line, 1, cell, sizeof cell);
        if (strncmp(cell, "error", 5) == 0)
            assert_int_equal(r->severity, SEVERITY_ERROR);
        cell_of(line, 2, cell, sizeof cell);
        for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
            if (!!(r->needs & needs[i].need) != !!strstr(cell, needs[i].word))
                fail_msg("%s: the page says that it needs '%s'", id, cell);
        cell_of(line, 4, cell, sizeof cell);
        if (!*cell)
            fail_msg("%s has no source", id);
        cell_of(line, 5, cell, sizeof cell);
        yields_of(r, want, sizeof want);
        assert_string_equal(cell, want);
        n_rows++;
    }
    fclose(f);
    for (size_t t = 0; diagnose_tables[t]; t++)
        n_rules += diagnose_tables[t]->n;
    assert_int_equal(n_rows, n_rules);
}

/* --- drafts ----------------------------------------------------------------------------------- */

static const char *const better[] = { "better", NULL };
static const struct rule lesser_rule = { "lesser",     0,        SEVERITY_ERROR, NULL,
                                         "{a} of {b}", "do {a}", better };
static const struct rule better_rule = { "better", 0, SEVERITY_WARNING, NULL, "why", "do", NULL };
static const char *const paths[] = { "iostat.txt" };
static const int64_t ids[] = { 7 };
static const struct system_load load = { .file_paths = paths, .file_ids = ids, .n_files = 1 };

static void drafts(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct err e = { 0 };
    static const struct rule_table table = { &lesser_rule, 1, RANK_WAITS };
    struct run r = { .load = &load, .arena = &a, .table = &table };
    const struct finding *f;
    size_t n;
    const char *const words[] = { "a", "one", "b", "two", NULL };

    struct draft *seen = draft_add(&r, &lesser_rule, VERDICT_LIKELY, "DATA", words);
    draft_see(&r, seen, 7, 12, 1000, "%d reads/s", 5);
    draft_see(&r, seen, 7, 12, 1000, "the same line again");
    draft_see(&r, seen, 8, 0, UNKNOWN, "of a file that is not there");
    draft_not(&r, seen, "%s", "that");
    draft_add(&r, &lesser_rule, VERDICT_LIKELY, "UNSEEN", words); /* no evidence: no finding */
    struct draft *other = draft_add(&r, &lesser_rule, VERDICT_CERTAIN, "REDO", words);
    draft_see_layout(&r, other, NULL, "REDO", "gp3");
    struct draft *best = draft_add(&r, &better_rule, VERDICT_CERTAIN, "REDO", NULL);
    draft_see_layout(&r, best, NULL, "REDO", "gp3");
    run_sort(&r);
    assert_int_equal(run_findings(&r, &f, &n, &e), 0);
    assert_int_equal(n, 2); /* that of REDO yields */
    assert_string_equal(f[0].title, "one of two");
    assert_string_equal(f[0].advice, "do one");
    assert_string_equal(f[0].subject, "DATA");
    assert_int_equal(f[0].n_evidence, 2);
    assert_string_equal(f[0].evidence[0].file, "iostat.txt");
    assert_int_equal(f[0].evidence[0].line, 12);
    assert_string_equal(f[0].evidence[0].value, "5 reads/s");
    assert_null(f[0].evidence[1].file);
    assert_int_equal(f[0].evidence[1].line, UNKNOWN);
    assert_string_equal(f[0].not_this[0], "that");
    assert_string_equal(f[1].id, "better"); /* a warning comes behind */
    assert_string_equal(f[1].evidence[0].row, "REDO");
    arena_release(&a);
}

static void figures(void **state)
{
    (void)state;
    char buf[32];
    assert_string_equal(figure(buf, 4969.9), "4969.9");
    assert_string_equal(figure(buf, 35118.8 / 1024 * 1024), "35118.8");
    assert_string_equal(figure(buf, 126244470000.0), "126244470000"); /* never 1.26e+11 */
    assert_string_equal(figure(buf, 0), "0");
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(well_formed),
        cmocka_unit_test(in_step_with_the_page),
        cmocka_unit_test(drafts),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests_name("rules", t, NULL, NULL);
}
