/* data/ingest/plan/plan_json.c - see plan_json.h.
 *
 * A plan holds thousands of options that lost; json_scan walks over them, and only the few values
 * that are wanted become text or numbers. */
#include "data/ingest/plan/plan_json.h"

#include "data/ingest/json/json_small.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS_MAX = 4096 };
#define FIGURE_MAX 1e9

struct reading {
    struct arena *a;
    struct err *e;
    char where[64]; /* "groups[2].chosen." */
};

static int expected(const struct reading *r, const char *key, struct span seen, const char *what)
{
    return err_set(r->e, ERR_PARSE, "%s%s: %.*s: expected %s", r->where, key, SPAN_ARG(seen), what);
}

static int missing(const struct reading *r, const char *key)
{
    return err_set(r->e, ERR_PARSE,
                   "%s%s: missing: expected what volplan plan --json writes for one system",
                   r->where, key);
}

static bool is_null(struct json_value v)
{
    return span_is(v.text, "null");
}

/* A text; NULL for null where that may be. */
static int read_text(const struct reading *r, struct json_value object, const char *key,
                     bool may_be_null, const char **out)
{
    struct json_value v;
    if (!json_member(object, key, &v))
        return missing(r, key);
    if (may_be_null && is_null(v)) {
        *out = NULL;
        return 0;
    }
    int rc = json_string(v, r->a, out);
    return !rc               ? 0
           : rc == ERR_NOMEM ? err_nomem(r->e)
                             : expected(r, key, v.text, JSON_STRING_WORDS);
}

/* A whole number; UNKNOWN for null where that may be. */
static int read_whole(const struct reading *r, struct json_value object, const char *key,
                      double min, int64_t *out)
{
    struct json_value v;
    double d;
    if (!json_member(object, key, &v))
        return missing(r, key);
    *out = UNKNOWN;
    if (is_null(v))
        return 0;
    struct span rest = v.text;
    if (span_double(&rest, &d) || rest.len || d != floor(d) || d < min || d > FIGURE_MAX)
        return expected(r, key, v.text, "a whole number up to 1e9, or null");
    *out = (int64_t)d;
    return 0;
}

static int read_date(const struct reading *r, struct json_value plan, int64_t *out_ms)
{
    const char *text = "";
    int rc = read_text(r, plan, "as_of", false, &text);
    if (rc)
        return rc;
    struct span s = span_of(text);
    if (time_parse_date(&s, out_ms) || s.len)
        return expected(r, "as_of", span_of(text), "a date, YYYY-MM-DD");
    return 0;
}

static int read_instance(struct reading *r, struct json_value v, struct plan_file *p)
{
    struct json_value ignored;
    snprintf(r->where, sizeof r->where, "instance.");
    int rc = read_text(r, v, "type", true, &p->instance_type);
    if (!rc && json_member(v, "weighting", &ignored))
        rc = read_text(r, v, "weighting", true, &p->weighting);
    r->where[0] = '\0';
    return rc;
}

static int read_spec(struct reading *r, struct json_value chosen, struct plan_file_group *g)
{
    const char *type = "";
    struct json_value kept;
    int rc = read_text(r, chosen, "volume_type", false, &type);
    if (!rc)
        rc = read_whole(r, chosen, "count", 1, &g->spec.count);
    if (!rc)
        rc = read_whole(r, chosen, "size_gib", 1, &g->spec.size_gib);
    if (!rc)
        rc = read_whole(r, chosen, "iops", 0, &g->spec.iops);
    if (!rc)
        rc = read_whole(r, chosen, "throughput_mibps", 0, &g->spec.throughput_mibps);
    if (rc)
        return rc;
    g->kept = json_member(chosen, "kept", &kept) && span_is(kept.text, "true");
    if (g->kept) /* unequal volumes have no common spec */
        return 0;
    if (volume_type_parse(span_of(type), &g->spec.type))
        return expected(r, "volume_type", span_of(type), "gp3, gp2, io2, io1, st1, sc1, standard");
    if (g->spec.count == UNKNOWN)
        return expected(r, "count", SPAN_LIT("null"), "a whole number from 1");
    if (g->spec.size_gib == UNKNOWN)
        return expected(r, "size_gib", SPAN_LIT("null"), "a whole number from 1");
    return 0;
}

static int read_group(struct reading *r, struct json_value v, size_t i, struct plan_file_group *out)
{
    struct json_value chosen;
    struct plan_file_group g = { .name = "",
                                 .spec = { VOL_TYPE_COUNT, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN } };
    snprintf(r->where, sizeof r->where, "groups[%zu].", i);
    int rc = read_text(r, v, "name", false, &g.name);
    if (rc)
        return rc;
    if (!json_member(v, "chosen", &chosen))
        return missing(r, "chosen");
    if (is_null(chosen))
        return err_set(r->e, ERR_PARSE,
                       "groups[%zu].chosen: null: the plan found no volumes for %.60s: expected a "
                       "plan that has them",
                       i, g.name);
    snprintf(r->where, sizeof r->where, "groups[%zu].chosen.", i);
    rc = read_spec(r, chosen, &g);
    if (!rc)
        *out = g;
    return rc;
}

static int read_groups(struct reading *r, struct json_value list, struct plan_file *p)
{
    struct json_cursor c;
    struct json_value v;
    bool first = true;
    if (!json_is_array(list) || list.n_values < 2)
        return expected(r, "groups", span_cut(list.text, 0, 40), "a list of disk groups");
    struct plan_file_group *groups = NULL;
    size_t n = 0, room = 0;
    json_start(&c, list.text, list.line);
    json_enter(&c, '[');
    while (json_next_element(&c, &first) == 1 && json_skip(&c, &v) == 0) {
        if (n == GROUPS_MAX)
            return err_set(r->e, ERR_PARSE, "groups: more than %d", GROUPS_MAX);
        if (n == room) {
            struct plan_file_group *more = arena_array(r->a, room * 2 + 16, sizeof *more);
            if (!more)
                return err_nomem(r->e);
            if (n)
                memcpy(more, groups, n * sizeof *more);
            groups = more;
            room = room * 2 + 16;
        }
        int rc = read_group(r, v, n, &groups[n]);
        if (rc)
            return rc;
        for (size_t k = 0; k < n; k++)
            if (strcmp(groups[k].name, groups[n].name) == 0)
                return err_set(r->e, ERR_PARSE,
                               "groups[%zu].name: '%.60s': expected another name than groups[%zu]",
                               n, groups[n].name, k);
        n++;
    }
    p->groups = groups;
    p->n_groups = n;
    return 0;
}

int plan_json_parse(struct span json, struct arena *a, struct plan_file *out, struct err *e)
{
    struct reading r = { a, e, "" };
    struct plan_file p = { .as_of_ms = UNKNOWN };
    struct json_value plan, groups, instance;
    int rc = json_only_value(json, "what volplan plan --json writes", &plan, e);
    if (!rc)
        rc = read_text(&r, plan, "system", false, &p.system);
    if (!rc)
        rc = read_text(&r, plan, "region", true, &p.region);
    if (!rc)
        rc = read_date(&r, plan, &p.as_of_ms);
    if (!rc && !json_member(plan, "groups", &groups))
        rc = missing(&r, "groups");
    if (!rc && !json_member(plan, "instance", &instance))
        rc = missing(&r, "instance");
    if (!rc && !is_null(instance))
        rc = read_instance(&r, instance, &p);
    if (!rc)
        rc = read_groups(&r, groups, &p);
    if (!rc)
        *out = p;
    return rc;
}
