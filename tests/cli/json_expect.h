/* tests/cli/json_expect.h - values of a command's JSON, by path, against what was expected. */
#ifndef TESTS_CLI_JSON_EXPECT_H
#define TESTS_CLI_JSON_EXPECT_H

#include "tests/cli/run_cli.h"

#include <cjson/cJSON.h>
#include <math.h>

struct expect {
    const char *path; /* keys and indices with points between */
    double number;    /* NaN: text is expected */
    double within;    /* absolute */
    const char *text; /* "null", "true", "false" stand for these */
};
#define NUM(path, number)                                                                          \
    {                                                                                              \
        path, number, 1e-9, NULL                                                                   \
    }
#define NEAR(path, number, within)                                                                 \
    {                                                                                              \
        path, number, within, NULL                                                                 \
    }
#define TEXT(path, text)                                                                           \
    {                                                                                              \
        path, NAN, 0, text                                                                         \
    }

static inline const cJSON *find(const cJSON *at, const char *path)
{
    while (at && *path) {
        char key[64];
        size_t len = strcspn(path, ".");
        assert_true(len < sizeof key);
        memcpy(key, path, len);
        key[len] = '\0';
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, (int)strtol(key, NULL, 10))
                               : cJSON_GetObjectItemCaseSensitive(at, key);
        path += len + (path[len] == '.');
    }
    return at;
}

static inline void expect(const cJSON *doc, const struct expect *x)
{
    const cJSON *v = find(doc, x->path);
    if (!v)
        print_error("there is no %s\n", x->path);
    assert_non_null(v);
    if (!x->text) {
        if (!cJSON_IsNumber(v) || fabs(v->valuedouble - x->number) > x->within)
            print_error("%s: %.9g, expected %.9g\n", x->path, v->valuedouble, x->number);
        assert_true(cJSON_IsNumber(v) && fabs(v->valuedouble - x->number) <= x->within);
    } else if (strcmp(x->text, "null") == 0)
        assert_true(cJSON_IsNull(v));
    else if (strcmp(x->text, "true") == 0 || strcmp(x->text, "false") == 0)
        assert_true(cJSON_IsBool(v) && cJSON_IsTrue(v) == (*x->text == 't'));
    else {
        assert_true(cJSON_IsString(v));
        assert_string_equal(v->valuestring, x->text);
    }
}

static inline cJSON *run_json(const char *line, int status)
{
    char with_json[600];
    snprintf(with_json, sizeof with_json, "%s --json", line);
    struct cli_result r = run_cli(with_json);
    if (r.status != status)
        print_error("%s: %s\n", line, r.err);
    assert_int_equal(r.status, status);
    cJSON *doc = cJSON_Parse(r.out);
    assert_non_null(doc);
    free_cli(&r);
    return doc;
}

#endif
