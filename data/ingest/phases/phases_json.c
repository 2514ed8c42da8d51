/* data/ingest/phases/phases_json.c - see phases_json.h.
 *
 * Walked by json_scan, which neither recurses nor builds a tree. */
#include "data/ingest/phases/phases_json.h"

#include "data/ingest/json/json_small.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <stdio.h>
#include <string.h>

struct reading {
    struct arena *a;
    struct err *e;
    char where[64]; /* "[2].from" */
};

static int expected(const struct reading *r, struct span seen, const char *what)
{
    return err_set(r->e, ERR_PARSE, "%s: %.*s: expected %s", r->where, SPAN_ARG(seen), what);
}

static int read_text(const struct reading *r, struct json_value v, const char **out)
{
    int rc = json_string(v, r->a, out);
    return !rc               ? 0
           : rc == ERR_NOMEM ? err_nomem(r->e)
                             : expected(r, span_cut(v.text, 0, 40), JSON_STRING_WORDS);
}

static int read_date(const struct reading *r, struct json_value v, int64_t *out_ms)
{
    const char *text = NULL;
    int rc = read_text(r, v, &text);
    if (rc)
        return rc;
    struct span s = span_of(text);
    if (time_parse_date(&s, out_ms) || s.len)
        return expected(r, span_of(text), "a date, YYYY-MM-DD");
    return 0;
}

static int read_changes(struct reading *r, size_t i, struct json_value list, struct phase *p)
{
    struct json_cursor c;
    struct json_value v;
    bool first = true;
    size_t n = 0;
    if (!json_is_array(list))
        return expected(r, span_cut(list.text, 0, 40), "a list of changes like \"--standbys 12\"");
    const char **changes = arena_array(r->a, PHASE_CHANGES_MAX, sizeof *changes);
    if (!changes)
        return err_nomem(r->e);
    json_start(&c, list.text, list.line);
    json_enter(&c, '[');
    while (json_next_element(&c, &first) == 1 && json_skip(&c, &v) == 0) {
        snprintf(r->where, sizeof r->where, "[%zu].changes[%zu]", i, n);
        if (n == PHASE_CHANGES_MAX)
            return expected(r, span_cut(v.text, 0, 40), "no more than 64 changes");
        int rc = read_text(r, v, &changes[n]);
        if (rc)
            return rc;
        n++;
    }
    p->changes = changes;
    p->n_changes = n;
    return 0;
}

enum key { KEY_FROM, KEY_TO, KEY_CHANGES, KEYS };
static const char *const key_names[KEYS] = { "from", "to", "changes" };

static int read_key(struct reading *r, size_t i, struct span key, struct json_value v,
                    unsigned *seen, struct phase *p)
{
    int k = 0;
    snprintf(r->where, sizeof r->where, "[%zu].%.*s", i, (int)(key.len > 30 ? 30 : key.len),
             key.ptr);
    while (k < KEYS && !span_is(key, key_names[k]))
        k++;
    if (k == KEYS)
        return err_set(r->e, ERR_PARSE, "%s: unknown key; known here: from, to, changes", r->where);
    if (*seen & 1u << k)
        return expected(r, span_cut(v.text, 0, 40), "each key once");
    *seen |= 1u << k;
    if (k == KEY_CHANGES)
        return read_changes(r, i, v, p);
    return read_date(r, v, k == KEY_FROM ? &p->from_ms : &p->to_ms);
}

static int read_phase(struct reading *r, size_t i, struct json_value v, struct phase *out)
{
    struct json_cursor c;
    struct json_value member;
    struct span key;
    struct phase p = { .from_ms = UNKNOWN, .to_ms = UNKNOWN };
    bool first = true;
    unsigned seen = 0;
    snprintf(r->where, sizeof r->where, "[%zu]", i);
    if (!json_is_object(v))
        return expected(r, span_cut(v.text, 0, 40), "an object with \"from\" and \"changes\"");
    json_start(&c, v.text, v.line);
    json_enter(&c, '{');
    while (json_next_member(&c, &first, &key) == 1 && json_skip(&c, &member) == 0) {
        int rc = read_key(r, i, key, member, &seen, &p);
        if (rc)
            return rc;
    }
    if (p.from_ms == UNKNOWN)
        return err_set(r->e, ERR_PARSE, "[%zu].from: missing, but needed", i);
    if (p.to_ms != UNKNOWN && p.to_ms <= p.from_ms)
        return err_set(r->e, ERR_PARSE, "[%zu].to: expected a day after \"from\"", i);
    *out = p;
    return 0;
}

/* Each begins after the one before, which has no end of its own. */
static int check_order(const struct phase *phases, size_t i, struct err *e)
{
    if (!i)
        return 0;
    if (phases[i].from_ms <= phases[i - 1].from_ms)
        return err_set(e, ERR_PARSE, "[%zu].from: expected a day after that of [%zu]", i, i - 1);
    if (phases[i - 1].to_ms != UNKNOWN)
        return err_set(e, ERR_PARSE,
                       "[%zu].to: expected only in the last phase: the others end where the next "
                       "begins",
                       i - 1);
    return 0;
}

static int read_phases(struct reading *r, struct json_value list, struct phase_list *out)
{
    struct json_cursor c;
    struct json_value v;
    bool first = true;
    size_t n = 0;
    struct phase *phases = arena_array(r->a, PHASES_MAX, sizeof *phases);
    if (!phases)
        return err_nomem(r->e);
    json_start(&c, list.text, list.line);
    json_enter(&c, '[');
    while (json_next_element(&c, &first) == 1 && json_skip(&c, &v) == 0) {
        if (n == PHASES_MAX)
            return err_set(r->e, ERR_PARSE, "more than %d phases", PHASES_MAX);
        int rc = read_phase(r, n, v, &phases[n]);
        if (!rc)
            rc = check_order(phases, n, r->e);
        if (rc)
            return rc;
        n++;
    }
    if (!n)
        return err_set(r->e, ERR_PARSE, "an empty list: expected a phase");
    *out = (struct phase_list){ phases, n };
    return 0;
}

int phases_parse(struct span json, struct arena *a, struct phase_list *out, struct err *e)
{
    struct reading r = { a, e, "" };
    struct json_value v;
    int rc = json_only_value(json, "a list of phases", &v, e);
    if (rc)
        return rc;
    if (!json_is_array(v))
        return err_set(e, ERR_PARSE, "%.*s: expected a list of phases",
                       SPAN_ARG(span_cut(v.text, 0, 40)));
    return read_phases(&r, v, out);
}
