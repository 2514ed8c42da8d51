/* tests/cli/test_diagnose.c - published incidents as small inputs: the right finding comes first,
 * what a naive reader would conclude does not come at all, and every piece of evidence opens.
 *
 * The rows K.. are incidents with figures (sources in each row's comment).  Elsewhere: a change of
 * roles (K16 in tests of whatif, K37 also in those of replay), prices and sizes (K39, K47 in those
 * of plan), limits of modifications (K49 in test_vol_modify.c).  Nowhere, since their rules are not
 * those of EBS volumes or nothing was measured: RDS (K17, K40), fleets and exposure (K35). */
#include "tests/cli/diagnose_cases.h"
#include "tests/cli/evidence.h"
#include "tests/cli/run_cli.h"

#include "planner/diagnose/diagnose.h"

#include <unistd.h>

static char dir[] = "/tmp/volplan-diagnose-XXXXXX";

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* Ids that came in any case: no rule goes untried. */
static char seen[8000];

static bool was_seen(const char *id)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", id);
    return strstr(seen, word);
}

static void note_seen(const cJSON *findings)
{
    const cJSON *f;
    cJSON_ArrayForEach(f, findings) if (!was_seen(text_of(f, "id")))
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), " %s ", text_of(f, "id"));
}

static bool has_id(const cJSON *findings, const char *id)
{
    const cJSON *f;
    cJSON_ArrayForEach(f, findings) if (strcmp(text_of(f, "id"), id) == 0) return true;
    return false;
}

/* What a finding says, all of it in one text; "not " before each thing that it is not. */
static void words_of(const cJSON *f, char *buf, size_t room)
{
    const cJSON *n;
    int at = snprintf(buf, room, "%s. %s. %s. ", text_of(f, "title"), text_of(f, "advice"),
                      text_of(f, "missing"));
    cJSON_ArrayForEach(n, cJSON_GetObjectItem(f, "not_this")) at +=
        snprintf(buf + at, room - (size_t)at, "not %s. ", n->valuestring);
}

static void check(const struct diagnose_case *c, const cJSON *findings)
{
    const cJSON *f = cJSON_GetArrayItem(findings, 0);
    char words[4000];
    if (!f)
        fail_msg("nothing was found");
    if (strcmp(text_of(f, "id"), c->first) != 0)
        fail_msg("%s comes first: %s", text_of(f, "id"), text_of(f, "title"));
    assert_string_equal(text_of(f, "verdict"), c->verdict);
    if (c->severity)
        assert_string_equal(text_of(f, "severity"), c->severity);
    words_of(f, words, sizeof words);
    for (size_t i = 0; i < 4; i++) {
        if (c->says[i] && !strstr(words, c->says[i]))
            fail_msg("'%s' is not in: %s", c->says[i], words);
        if (c->also[i] && !has_id(findings, c->also[i]))
            fail_msg("%s is missing", c->also[i]);
        if (c->absent[i] && has_id(findings, c->absent[i]))
            fail_msg("%s should not be there", c->absent[i]);
    }
}

static void test_case(void **state)
{
    const struct diagnose_case *c = *state;
    struct inputs in = { .dir = dir };
    char line[900] = "diagnose --json";
    c->write(&in);
    for (size_t i = 0; i < in.n; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", in.paths[i]);
    struct cli_result r = run_cli(line);
    cJSON *json = cJSON_Parse(r.out);
    if (!json)
        fail_msg("status %d, %s", r.status, r.err);
    const cJSON *findings = cJSON_GetObjectItem(json, "findings"), *f;
    bool has_error = false;
    cJSON_ArrayForEach(f, findings) has_error |= strcmp(text_of(f, "severity"), "error") == 0;
    assert_int_equal(r.status, has_error ? 1 : 0);
    assert_string_equal(r.err, "");
    check(c, findings);
    note_seen(findings);
    expect_evidence_opens(findings);
    cJSON_Delete(json);
    free_cli(&r);
    for (size_t i = 0; i < in.n; i++)
        unlink(in.paths[i]);
}

/* A file that cannot be read is told, the others are diagnosed, and the status is that of bad
 * input. */
static void test_bad_file(void **state)
{
    (void)state;
    struct inputs in = { .dir = dir };
    k02(&in);
    input_text(&in, "bad.txt", "nothing that anybody knows\n");
    char line[600];
    snprintf(line, sizeof line, "diagnose --json %s %s %s", in.paths[0], in.paths[1], in.paths[2]);
    struct cli_result r = run_cli(line);
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.err, "bad.txt"));
    assert_non_null(strstr(r.out, "throughput_ceiling"));
    free_cli(&r);
    for (size_t i = 0; i < in.n; i++)
        unlink(in.paths[i]);
}

/* Runs last. */
static void test_all_rules_tried(void **state)
{
    (void)state;
    for (size_t t = 0; diagnose_tables[t]; t++)
        for (size_t i = 0; i < diagnose_tables[t]->n; i++)
            if (!was_seen(diagnose_tables[t]->rules[i].id))
                fail_msg("no case shows %s", diagnose_tables[t]->rules[i].id);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(dir) && !cli_global_init(stderr) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    rmdir(dir);
    cli_global_release();
    return 0;
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_bad_file);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_all_rules_tried);
    return _cmocka_run_group_tests("diagnose", t, N + 2, setup, teardown);
}
