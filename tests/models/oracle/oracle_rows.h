/* tests/models/oracle/oracle_rows.h - the rows of tests/vectors/oracle_redo.csv as named tests.
 *
 * Each row has JSON inputs and expected values.  A value matches within the row's tolerance, or
 * when it is the printed one after rounding to the printed digits.  'x%' is relative, a bare
 * number relative or, for IOS and RDO, absolute.  Every expected key must be asked for. */
#ifndef TESTS_MODELS_ORACLE_ORACLE_ROWS_H
#define TESTS_MODELS_ORACLE_ORACLE_ROWS_H

#include "tests/vectors/vector_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

enum { ROWS_MAX = 200 };

struct row {
    const char *id, *group, *formula, *expected_text;
    cJSON *inputs, *expected;
    double tolerance;
    bool relative;
    int matched;
};

static struct vector_rows *row_file;
static struct row rows[ROWS_MAX];

static const char *row_text(size_t i, const char *head)
{
    struct span cell = vector_text(row_file, i, head);
    return arena_strndup(&row_file->arena, cell.ptr, cell.len);
}

static void rows_load(void)
{
    row_file = vector_rows_read("tests/vectors/oracle_redo.csv");
    if (!row_file || row_file->n > ROWS_MAX) {
        fprintf(stderr, "tests/vectors/oracle_redo.csv: not readable from here, or too long\n");
        exit(1);
    }
    for (size_t i = 0; i < row_file->n; i++) {
        struct row *r = &rows[i];
        r->id = row_text(i, "id");
        r->group = row_text(i, "group");
        r->formula = row_text(i, "formula");
        r->inputs = cJSON_Parse(row_text(i, "inputs"));
        r->expected_text = row_text(i, "expected");
        r->expected = cJSON_Parse(r->expected_text);
        const char *tol = row_text(i, "tol");
        char *end = NULL;
        tol += strcspn(tol, "0123456789");
        r->tolerance = *tol ? strtod(tol, &end) : 0;
        r->relative = strcmp(r->group, "IOS") != 0 && strcmp(r->group, "RDO") != 0;
        if (end && *end == '%') {
            r->tolerance /= 100;
            r->relative = true;
        }
    }
}

static const cJSON *row_item(const struct row *r, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->inputs, key);
    if (!item)
        fail_msg("%s: no input %s", r->id, key);
    return item;
}

static double row_in(const struct row *r, const char *key)
{
    return cJSON_GetNumberValue(row_item(r, key));
}

static bool row_has(const struct row *r, const char *key)
{
    return cJSON_HasObjectItem(r->inputs, key);
}

static size_t row_array(const struct row *r, const char *key, double *out, size_t max)
{
    size_t n = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, row_item(r, key))
    {
        assert_true(n < max);
        out[n++] = cJSON_GetNumberValue(item);
    }
    return n;
}

/* Decimals of the index-th number after "key": in the expected cell. */
static int printed_decimals(const struct row *r, const char *key, int index)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *p = strstr(r->expected_text, quoted);
    assert_non_null(p);
    for (p += strlen(quoted); index > 0; index--)
        p = strchr(p, ',') + 1;
    p += strcspn(p, "0123456789");
    p += strspn(p, "0123456789");
    return *p == '.' ? (int)strspn(p + 1, "0123456789") : 0;
}

static double row_want(struct row *r, const char *key, int index)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->expected, key);
    if (!item)
        fail_msg("%s: no expected %s", r->id, key);
    if (index <= 0)
        r->matched++;
    if (cJSON_IsArray(item))
        item = cJSON_GetArrayItem(item, index);
    return cJSON_GetNumberValue(item);
}

static void row_expect_at(struct row *r, const char *key, int index, double got)
{
    double want = row_want(r, key, index);
    double off = fabs(got - want);
    double scale = pow(10, printed_decimals(r, key, index));
    bool near = off <= (r->relative ? r->tolerance * fabs(want) : r->tolerance);
    bool printed = fabs(round(got * scale) / scale - want) < 1e-9 * fmax(1, fabs(want));
    if (!near && !printed)
        fail_msg("%s: %s[%d] is %.9g, want %.9g", r->id, key, index, got, want);
}

static inline void row_expect(struct row *r, const char *key, double got)
{
    row_expect_at(r, key, 0, got);
}

/* A key that is checked in the test's own words. */
static inline double row_take(struct row *r, const char *key)
{
    return row_want(r, key, 0);
}

struct row_test {
    const char *formula;
    void (*run)(struct row *);
};

static const struct row_test *row_tests; /* ends with a NULL formula */

static void run_row(void **state)
{
    struct row *r = *state;
    assert_non_null(r->inputs);
    assert_non_null(r->expected);
    for (const struct row_test *t = row_tests; t->formula; t++)
        if (!strcmp(t->formula, r->formula)) {
            t->run(r);
            assert_int_equal(r->matched, cJSON_GetArraySize(r->expected));
            return;
        }
    fail_msg("%s: nobody tests formula %s", r->id, r->formula);
}

/* Appends a test for each row of a group; a group without rows fails the program. */
static size_t rows_of(const char *group, struct CMUnitTest *tests, size_t n)
{
    size_t before = n;
    for (size_t i = 0; i < row_file->n; i++)
        if (!strcmp(rows[i].group, group))
            tests[n++] = (struct CMUnitTest){ rows[i].id, run_row, NULL, NULL, &rows[i] };
    if (n == before) {
        fprintf(stderr, "no rows of group %s\n", group);
        exit(1);
    }
    return n;
}

static inline void rows_free(void)
{
    for (size_t i = 0; i < row_file->n; i++) {
        cJSON_Delete(rows[i].inputs);
        cJSON_Delete(rows[i].expected);
    }
    vector_rows_free(row_file);
}

/* Runs the rows of the groups, which end with NULL, by their formulas, and then the others. */
static int rows_run(const char *title, const struct row_test *by_formula, const char *const *groups,
                    const struct CMUnitTest *others, size_t n_others)
{
    static struct CMUnitTest tests[ROWS_MAX];
    size_t n = 0;
    row_tests = by_formula;
    rows_load();
    for (; *groups; groups++)
        n = rows_of(*groups, tests, n);
    for (size_t i = 0; i < n_others; i++)
        tests[n++] = others[i];
    int failed = _cmocka_run_group_tests(title, tests, n, NULL, NULL);
    rows_free();
    return failed;
}

#endif
