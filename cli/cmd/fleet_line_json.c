/* cli/cmd/fleet_line_json.c - see fleet_line_json.h. */
#include "cli/cmd/fleet_line_json.h"

#include "cli/render/buf.h"
#include "cli/render/render.h"
#include "data/ingest/json/json_small.h"
#include "models/core/timestamp.h"
#include "planner/report/plan_values.h"

#include <math.h>
#include <string.h>

int fleet_line_write(const struct fleet_line *l, struct arena *a, const char **out, struct err *e)
{
    struct buf text = { 0 };
    FILE *f = buf_stream(&text);
    struct emit *m = f ? render_json(f) : NULL;
    int rc = m ? 0 : err_nomem(e);
    if (m) {
        fleet_line_emit(m, l);
        rc = emit_close(m, e);
    }
    if (f)
        fclose(f);
    const char *copy = rc || text.failed ? NULL : arena_strndup(a, text.ptr, text.len);
    buf_release(&text);
    if (!copy)
        return err_nomem(e);
    *out = copy;
    return 0;
}

/* --- reading -----------------------------------------------------------------------------------
 */

enum { TEXT_MAX_BYTES = 1000, GROUPS_MAX = 4096 };
#define MICROUSD_MAX INT64_C(1000000000000000000)

/* The first thing that is wrong sticks. */
struct reading {
    struct arena *a;
    int rc;
};

static void is_wrong(struct reading *r, int rc)
{
    if (!r->rc)
        r->rc = rc;
}

static struct json_value member(struct reading *r, struct json_value object, const char *key)
{
    struct json_value v = { .text = SPAN_LIT("null") };
    if (!json_member(object, key, &v))
        is_wrong(r, ERR_PARSE);
    return v;
}

static bool is_null(struct json_value v)
{
    return span_is(v.text, "null");
}

static const char *read_text(struct reading *r, struct json_value object, const char *key)
{
    struct json_value v = member(r, object, key);
    const char *text = NULL;
    int rc = is_null(v) ? 0 : json_string_up_to(v, TEXT_MAX_BYTES, r->a, &text);
    if (rc)
        is_wrong(r, rc);
    return text;
}

static double read_num(struct reading *r, struct json_value object, const char *key)
{
    struct span rest = member(r, object, key).text;
    double v = NAN;
    if (!span_is(rest, "null") && (span_double(&rest, &v) || rest.len))
        is_wrong(r, ERR_PARSE);
    return v;
}

static int64_t read_int(struct reading *r, struct json_value object, const char *key)
{
    struct span rest = member(r, object, key).text;
    int64_t v = UNKNOWN;
    if (!span_is(rest, "null") && (span_int(&rest, &v) || rest.len || v < 0 || v > MICROUSD_MAX))
        is_wrong(r, ERR_PARSE);
    return v;
}

static bool read_flag(struct reading *r, struct json_value object, const char *key)
{
    return span_is(member(r, object, key).text, "true");
}

static int64_t read_date(struct reading *r, struct json_value object, const char *key)
{
    const char *text = read_text(r, object, key);
    struct span rest = span_of(text ? text : "");
    int64_t ms = UNKNOWN;
    if (text && (time_parse_date(&rest, &ms) || rest.len))
        is_wrong(r, ERR_PARSE);
    return ms;
}

/* 4 decimals at most: what is written again is the same. */
static int64_t read_usd(struct reading *r, struct json_value object, const char *key)
{
    double usd = read_num(r, object, key);
    if (fabs(usd) * 1e6 > (double)MICROUSD_MAX)
        is_wrong(r, ERR_PARSE);
    return isnan(usd) || r->rc ? UNKNOWN : (int64_t)llround(usd * 1e6);
}

/* The value that name() calls what the object says; 0 where it says nothing. */
#define READ_NAMED(r, object, key, name, last, out)                                                \
    do {                                                                                           \
        const char *word = read_text(r, object, key);                                              \
        unsigned at = 0;                                                                           \
        while (word && at <= (unsigned)(last) && !is_word(name(at), word))                         \
            at++;                                                                                  \
        if (at > (unsigned)(last))                                                                 \
            is_wrong(r, ERR_PARSE);                                                                \
        else                                                                                       \
            (out) = at;                                                                            \
    } while (0)

static bool is_word(const char *name, const char *word)
{
    return name && strcmp(name, word) == 0;
}

static void read_chosen(struct reading *r, struct json_value v, struct fleet_group *g)
{
    const char *type = read_text(r, v, "volume_type");
    g->chosen.type = VOL_TYPE_COUNT;
    if (type && volume_type_parse(span_of(type), &g->chosen.type))
        is_wrong(r, ERR_PARSE);
    g->chosen.count = read_int(r, v, "count");
    g->chosen.size_gib = read_int(r, v, "size_gib");
    g->chosen.iops = read_int(r, v, "iops");
    g->chosen.throughput_mibps = read_int(r, v, "throughput_mibps");
    READ_NAMED(r, v, "binding", ceiling_name, CEILING_WAITS, g->binding);
    g->total_microusd = read_usd(r, v, "total_usd");
}

static struct fleet_group read_group(struct reading *r, struct json_value v)
{
    struct fleet_group g = { .name = read_text(r, v, "name"),
                             .total_mibps = read_num(r, v, "total_mibps"),
                             .counted_iops = read_num(r, v, "counted_iops"),
                             .lower_bound = read_flag(r, v, "lower_bound"),
                             .total_microusd = UNKNOWN };
    struct json_value chosen = member(r, v, "chosen");
    READ_NAMED(r, v, "role", group_role_name, ROLE_OTHER, g.role);
    READ_NAMED(r, v, "grade", grade_name, GRADE_ASSUMED, g.grade);
    if (!is_null(chosen))
        read_chosen(r, chosen, &g);
    return g;
}

static void read_groups(struct reading *r, struct json_value line, struct fleet_line *l)
{
    struct json_value list = member(r, line, "groups"), v;
    struct json_cursor c;
    bool first = true;
    size_t room = list.n_values < (size_t)GROUPS_MAX * 32 ? list.n_values + 1 : 0;
    struct fleet_group *groups = room ? arena_array(r->a, room, sizeof *groups) : NULL;
    if (!groups || !json_is_array(list)) {
        is_wrong(r, room && json_is_array(list) ? ERR_NOMEM : ERR_PARSE);
        return;
    }
    json_start(&c, list.text, list.line);
    json_enter(&c, '[');
    while (json_next_element(&c, &first) == 1 && json_skip(&c, &v) == 0)
        groups[l->n_groups++] = read_group(r, v);
    l->groups = groups;
}

static void read_instance(struct reading *r, struct json_value v, struct fleet_line *l)
{
    l->instance = read_text(r, v, "type");
    READ_NAMED(r, v, "verdict", instance_verdict_name, INSTANCE_BURST, l->verdict);
    READ_NAMED(r, v, "ceiling", ceiling_name, CEILING_WAITS, l->instance_ceiling);
}

static void read_certificate(struct reading *r, struct json_value v, struct fleet_line *l)
{
    if (is_null(v))
        return;
    l->none_group = read_text(r, v, "group");
    READ_NAMED(r, v, "ceiling", ceiling_name, CEILING_WAITS, l->none_ceiling);
    l->none_demand = read_num(r, v, "demand");
    l->none_offered = read_num(r, v, "offered");
}

int fleet_line_read(const char *json, const char *system, struct arena *a, struct fleet_line *out,
                    struct err *e)
{
    struct reading r = { a, 0 };
    struct json_value v;
    int rc = json_only_value(span_of(json), "a plan that was kept", &v, e);
    if (rc)
        return rc;
    struct fleet_line l = { .system = system,
                            .region = read_text(&r, v, "region"),
                            .redo_refused = read_text(&r, v, "redo_refused"),
                            .price_as_of_ms = read_date(&r, v, "price_as_of"),
                            .instance_microusd = read_int(&r, v, "instance_microusd"),
                            .demand_mb_s = read_num(&r, v, "exact_demand_mb_s"),
                            .lower_bound = read_flag(&r, v, "lower_bound"),
                            .volumes = read_int(&r, v, "volumes"),
                            .total_microusd = read_int(&r, v, "total_microusd"),
                            .today_microusd = read_int(&r, v, "today_microusd"),
                            .none_words = read_text(&r, v, "none_words") };
    READ_NAMED(&r, v, "status", plan_status_name, PLAN_NONE, l.status);
    READ_NAMED(&r, v, "grade", grade_name, GRADE_ASSUMED, l.grade);
    read_instance(&r, member(&r, v, "instance"), &l);
    read_certificate(&r, member(&r, v, "certificate"), &l);
    read_groups(&r, v, &l);
    if (r.rc == ERR_NOMEM)
        return err_nomem(e);
    bool whole = l.status == PLAN_NONE ? l.none_words != NULL : l.status && l.volumes != UNKNOWN;
    if (r.rc || !whole)
        return err_set(e, ERR_PARSE, "the plan of %.100s that is kept cannot be read", system);
    *out = l;
    return 0;
}
