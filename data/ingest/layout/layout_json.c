/* data/ingest/layout/layout_json.c - see layout_json.h.
 *
 * The JSON goes through cJSON (its nesting limit bounds the recursion), then every object is
 * read by a table of keys: what the table does not name is refused, what is missing keeps the
 * default that stands in the structure.  Where in the document a value stands is a chain of
 * frames, written out only for a message. */
#include "data/ingest/layout/layout_json.h"

#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_MAX = 4096, TEXT_MAX_BYTES = 255 };

/* --- memory for cJSON --------------------------------------------------------------------------
 * cJSON answers NULL for bad JSON and for no memory alike; this tells them apart. */
static _Thread_local bool json_out_of_memory;

static void *json_alloc(size_t n_bytes)
{
    void *p = mem_alloc(n_bytes);
    if (!p)
        json_out_of_memory = true;
    return p;
}

void layout_init(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){ json_alloc, mem_free });
}

/* --- where and what -----------------------------------------------------------------------------
 */

struct frame {
    const struct frame *up;
    const char *key; /* NULL: an element of a list */
    size_t index;
};

struct reading {
    struct arena *a;
    struct err *e;
};

static size_t write_path(char *buf, size_t room, const struct frame *f)
{
    if (!f->up)
        return 0;
    size_t at = write_path(buf, room, f->up);
    int n = f->key ? snprintf(buf + at, room - at, "%s%.40s", at ? "." : "", f->key)
                   : snprintf(buf + at, room - at, "[%zu]", f->index);
    at += n > 0 ? (size_t)n : 0;
    return at < room ? at : room - 1;
}

static void show_value(char *buf, size_t room, const cJSON *v)
{
    if (cJSON_IsString(v))
        snprintf(buf, room, "'%.40s'", v->valuestring);
    else if (cJSON_IsNumber(v))
        snprintf(buf, room, "%.17g", v->valuedouble);
    else
        snprintf(buf, room, "%s",
                 cJSON_IsBool(v)    ? (cJSON_IsTrue(v) ? "true" : "false")
                 : cJSON_IsArray(v) ? "a list"
                 : cJSON_IsNull(v)  ? "null"
                                    : "an object");
}

static int expected(const struct reading *r, const struct frame *at, const cJSON *v,
                    const char *what)
{
    char path[160] = "", value[64];
    if (!write_path(path, sizeof path, at))
        snprintf(path, sizeof path, "layout");
    show_value(value, sizeof value, v);
    return err_set(r->e, ERR_PARSE, "%s: %s: expected %s", path, value, what);
}

/* --- values -------------------------------------------------------------------------------------
 */

enum kind {
    KIND_TEXT,
    KIND_INT,
    KIND_NUM,
    KIND_BOOL,
    KIND_DATE,
    KIND_ROLE,
    KIND_REDUNDANCY,
    KIND_TRANSPORT,
    KIND_VOLUME_TYPE,
    KIND_VOLUME_TYPES, /* a list, as bits */
    KIND_TEXTS,        /* a list; the number of elements goes to off_n */
    KIND_INTS,
    KIND_OBJECT, /* in place, read by the keys of sub */
    KIND_LIST,   /* of objects read by the keys of sub */
};

struct keys;
struct key {
    const char *name;
    size_t off, off_n;
    double min, max; /* of numbers */
    const struct keys *sub;
    enum kind kind;
    bool needed;
};

/* The keys of one kind of object, and what an element of a list of them starts as. */
struct keys {
    const struct key *key;
    size_t n, size;
    const void *fresh;
};

static int read_number(const struct reading *r, const struct frame *at, const cJSON *v,
                       const struct key *k, double *out)
{
    bool whole = k->kind == KIND_INT || k->kind == KIND_INTS;
    double d = v->valuedouble;
    if (!cJSON_IsNumber(v) || !(d >= k->min && d <= k->max) || (whole && d != floor(d))) {
        char what[96];
        snprintf(what, sizeof what, "a %snumber from %.15g to %.15g", whole ? "whole " : "", k->min,
                 k->max);
        return expected(r, at, v, what);
    }
    *out = d;
    return 0;
}

static int read_text(const struct reading *r, const struct frame *at, const cJSON *v,
                     const char **out)
{
    size_t n = cJSON_IsString(v) ? strlen(v->valuestring) : 0;
    if (n == 0 || n > TEXT_MAX_BYTES)
        return expected(r, at, v, "text of 1 to 255 bytes");
    *out = arena_strndup(r->a, v->valuestring, n);
    return *out ? 0 : err_nomem(r->e);
}

static int read_date(const struct reading *r, const struct frame *at, const cJSON *v, int64_t *out)
{
    struct span s = span_of(cJSON_GetStringValue(v));
    int64_t t_ms;
    if (time_parse_date(&s, &t_ms) || s.len)
        return expected(r, at, v, "a date, YYYY-MM-DD");
    *out = t_ms;
    return 0;
}

/* The place of a text among names, which end with NULL. */
static int read_choice(const struct reading *r, const struct frame *at, const cJSON *v,
                       const char *const *names, int *out)
{
    const char *text = cJSON_GetStringValue(v);
    for (int i = 0; text && names[i]; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = i;
            return 0;
        }
    char what[120] = "one of";
    for (size_t i = 0, at_byte = 6; names[i] && at_byte < sizeof what; i++)
        at_byte += (size_t)snprintf(what + at_byte, sizeof what - at_byte, "%s %s", i ? "," : "",
                                    names[i]);
    return expected(r, at, v, what);
}

static const char *const role_names[] = { "data",     "redo",  "archive", "temp",
                                          "binaries", "other", NULL };
static const char *const redundancy_names[] = { "external", "normal", "high", NULL };
static const char *const transports[] = { "async", "sync", "fastsync", NULL };
static const char *const volume_types[] = {
#define X(name, text) [name] = (text),
    VOLUME_TYPE_TABLE(X)
#undef X
        NULL
};

static int read_volume_types(const struct reading *r, const struct frame *at, const cJSON *v,
                             unsigned *out)
{
    if (!cJSON_IsArray(v))
        return expected(r, at, v, "a list of volume types");
    unsigned bits = 0;
    struct frame element = { at, NULL, 0 };
    const cJSON *item;
    cJSON_ArrayForEach(item, v)
    {
        int type = 0;
        int rc = read_choice(r, &element, item, volume_types, &type);
        if (rc)
            return rc;
        bits |= 1u << type;
        element.index++;
    }
    *out = bits;
    return 0;
}

/* --- lists and objects --------------------------------------------------------------------------
 */

static int read_object(const struct reading *r, const struct frame *at, const cJSON *v,
                       const struct keys *keys, void *out);

static int read_element(const struct reading *r, const struct frame *at, const cJSON *v,
                        const struct key *k, void *out)
{
    double d = 0;
    int rc;
    switch (k->kind) {
    case KIND_TEXTS:
        return read_text(r, at, v, out);
    case KIND_INTS:
        rc = read_number(r, at, v, k, &d);
        if (!rc)
            *(int64_t *)out = (int64_t)d;
        return rc;
    default:
        memcpy(out, k->sub->fresh, k->sub->size);
        return read_object(r, at, v, k->sub, out);
    }
}

/* Writes the elements' address and number to out + off and out + off_n. */
static int read_list(const struct reading *r, const struct frame *at, const cJSON *v,
                     const struct key *k, char *out)
{
    size_t size = k->kind == KIND_TEXTS  ? sizeof(const char *)
                  : k->kind == KIND_INTS ? sizeof(int64_t)
                                         : k->sub->size;
    int n = cJSON_GetArraySize(v);
    if (!cJSON_IsArray(v) || n > LIST_MAX)
        return expected(r, at, v, "a list of at most 4096 elements");
    char *elements = arena_array(r->a, (size_t)n, size);
    if (!elements)
        return err_nomem(r->e);
    struct frame element = { at, NULL, 0 };
    const cJSON *item;
    cJSON_ArrayForEach(item, v)
    {
        int rc = read_element(r, &element, item, k, elements + element.index * size);
        if (rc)
            return rc;
        element.index++;
    }
    memcpy(out + k->off, &elements, sizeof elements);
    memcpy(out + k->off_n, &element.index, sizeof element.index);
    return 0;
}

static int read_value(const struct reading *r, const struct frame *at, const cJSON *v,
                      const struct key *k, char *out)
{
    void *field = out + k->off;
    double d = 0;
    int choice = 0, rc;
    switch (k->kind) {
    case KIND_TEXT:
        return read_text(r, at, v, field);
    case KIND_DATE:
        return read_date(r, at, v, field);
    case KIND_NUM:
        return read_number(r, at, v, k, field);
    case KIND_INT:
        rc = read_number(r, at, v, k, &d);
        if (!rc)
            *(int64_t *)field = (int64_t)d;
        return rc;
    case KIND_BOOL:
        if (!cJSON_IsBool(v))
            return expected(r, at, v, "true or false");
        *(bool *)field = cJSON_IsTrue(v);
        return 0;
    case KIND_ROLE:
        rc = read_choice(r, at, v, role_names, &choice);
        if (!rc)
            *(enum group_role *)field = (enum group_role)choice;
        return rc;
    case KIND_REDUNDANCY:
        rc = read_choice(r, at, v, redundancy_names, &choice);
        if (!rc)
            *(enum redundancy *)field = (enum redundancy)choice;
        return rc;
    case KIND_TRANSPORT:
        rc = read_choice(r, at, v, transports, &choice);
        if (!rc)
            *(const char **)field = transports[choice];
        return rc;
    case KIND_VOLUME_TYPE:
        rc = read_choice(r, at, v, volume_types, &choice);
        if (!rc)
            *(enum volume_type *)field = (enum volume_type)choice;
        return rc;
    case KIND_VOLUME_TYPES:
        return read_volume_types(r, at, v, field);
    case KIND_OBJECT:
        return read_object(r, at, v, k->sub, field);
    default:
        return read_list(r, at, v, k, out);
    }
}

static const struct key *find_key(const struct keys *keys, const char *name)
{
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->key[i].name, name) == 0)
            return &keys->key[i];
    return NULL;
}

static int unknown_key(const struct reading *r, const struct frame *at, const struct keys *keys)
{
    char path[160], known[240] = "";
    write_path(path, sizeof path, at);
    for (size_t i = 0, n = 0; i < keys->n && n < sizeof known; i++)
        n +=
            (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", keys->key[i].name);
    return err_set(r->e, ERR_PARSE, "%s: unknown key; known here: %s", path, known);
}

static int read_object(const struct reading *r, const struct frame *at, const cJSON *v,
                       const struct keys *keys, void *out)
{
    if (!cJSON_IsObject(v))
        return expected(r, at, v, "an object");
    unsigned seen = 0; /* bit of every key; no table has more than 32 */
    const cJSON *item;
    cJSON_ArrayForEach(item, v)
    {
        struct frame member = { at, item->string, 0 };
        const struct key *k = find_key(keys, item->string);
        if (!k)
            return unknown_key(r, &member, keys);
        unsigned bit = 1u << (unsigned)(k - keys->key);
        if (seen & bit)
            return expected(r, &member, item, "each key once");
        seen |= bit;
        if (cJSON_IsNull(item) && !k->needed)
            continue;
        int rc = read_value(r, &member, item, k, out);
        if (rc)
            return rc;
    }
    for (size_t i = 0; i < keys->n; i++)
        if (keys->key[i].needed && !(seen & 1u << i)) {
            struct frame member = { at, keys->key[i].name, 0 };
            char path[160];
            write_path(path, sizeof path, &member);
            return err_set(r->e, ERR_PARSE, "%s: missing, but needed", path);
        }
    return 0;
}

/* --- the tables ---------------------------------------------------------------------------------
 */

#define COUNT_MAX 1e9 /* of IOPS, GiB and the like: no real figure comes near */
#define RATE_MAX  1e9

/* clang-format off */
#define FIELD(s, field, k)     #field, offsetof(struct s, field), .kind = (k)
#define TEXT(s, field)         { FIELD(s, field, KIND_TEXT) }
#define NEEDED_TEXT(s, field)  { FIELD(s, field, KIND_TEXT), .needed = true }
#define FLAG(s, field)         { FIELD(s, field, KIND_BOOL) }
#define CHOICE(s, field, k)    { FIELD(s, field, k) }
#define INT(s, field, lo, hi)  { FIELD(s, field, KIND_INT), .min = (lo), .max = (hi) }
#define NUM(s, field, lo, hi)  { FIELD(s, field, KIND_NUM), .min = (lo), .max = (hi) }
#define OBJECT(s, field, keys) { FIELD(s, field, KIND_OBJECT), .sub = &(keys) }
/* The number of elements stands in n_FIELD. */
#define COUNTED(s, field, k)   FIELD(s, field, k), .off_n = offsetof(struct s, n_##field)
#define TEXTS(s, field)        { COUNTED(s, field, KIND_TEXTS) }
#define INTS(s, field, lo, hi) { COUNTED(s, field, KIND_INTS), .min = (lo), .max = (hi) }
#define LIST(s, field, keys)   { COUNTED(s, field, KIND_LIST), .sub = &(keys) }
#define SPEC(field, lo, hi) \
    { #field, offsetof(struct layout_volumes, spec.field), .kind = KIND_INT, .min = (lo), .max = (hi) }
/* clang-format on */
#define KEYS(s, table, fresh)                                                                      \
    static const struct keys s##_keys = { table, sizeof(table) / sizeof *(table),                  \
                                          sizeof(struct s), fresh }

static const struct key volumes_key[] = {
    { "type", offsetof(struct layout_volumes, spec.type), .kind = KIND_VOLUME_TYPE,
      .needed = true },
    SPEC(count, 1, 1000),
    SPEC(size_gib, 1, COUNT_MAX),
    SPEC(iops, 1, COUNT_MAX),
    SPEC(throughput_mibps, 1, COUNT_MAX),
    { "since", offsetof(struct layout_volumes, since_ms), .kind = KIND_DATE },
};
static const struct layout_volumes fresh_volumes = {
    { .count = 1, .size_gib = UNKNOWN, .iops = UNKNOWN, .throughput_mibps = UNKNOWN }, UNKNOWN
};
KEYS(layout_volumes, volumes_key, &fresh_volumes);

static const struct key file_key[] = {
    NEEDED_TEXT(layout_file, name),
    NUM(layout_file, share_pct, 0, 100),
};
static const struct layout_file fresh_file = { NULL, 100 };
KEYS(layout_file, file_key, &fresh_file);

static const struct key policy_key[] = {
    CHOICE(group_policy, types, KIND_VOLUME_TYPES),
    INT(group_policy, min_count, 1, 1000),
    INT(group_policy, max_count, 1, 1000),
    INT(group_policy, min_iops, 0, COUNT_MAX),
    TEXT(group_policy, max_latency_class),
    NUM(group_policy, min_durability_pct, 0, 100),
    FLAG(group_policy, equal_size),
    INT(group_policy, size_step_gib, 1, 65536),
    FLAG(group_policy, keep),
};
KEYS(group_policy, policy_key, NULL);

static const struct key group_key[] = {
    NEEDED_TEXT(layout_group, name),
    CHOICE(layout_group, role, KIND_ROLE),
    INT(layout_group, log_member, 1, 5),
    CHOICE(layout_group, redundancy, KIND_REDUNDANCY),
    NUM(layout_group, skew, 1, 1000),
    INT(layout_group, au_mib, 1, 64),
    TEXTS(layout_group, devices),
    TEXTS(layout_group, volume_ids),
    LIST(layout_group, files, layout_file_keys),
    INT(layout_group, need_gib, 0, COUNT_MAX),
    INT(layout_group, used_gib, 0, COUNT_MAX),
    LIST(layout_group, volumes, layout_volumes_keys),
    OBJECT(layout_group, policy, group_policy_keys),
};
KEYS(layout_group, group_key, &layout_group_unknown);

static const struct key redo_key[] = {
    INT(layout_redo, members, 1, 5),
    INT(layout_redo, block_bytes, 512, 4096),
    NUM(layout_redo, log_gib, 0, RATE_MAX),
    INT(layout_redo, groups, 1, 1000),
    NUM(layout_redo, buffer_mib, 0, RATE_MAX),
    INT(layout_redo, archive_copies, 0, 31),
    INT(layout_redo, read_member, 1, 5),
    INT(layout_redo, filesystem_block_bytes, 512, 1048576),
    NUM(layout_redo, other_archive_readers, 0, 1000),
    NUM(layout_redo, other_online_readers, 0, 1000),
};
KEYS(layout_redo, redo_key, NULL);

static const struct key standby_key[] = {
    NEEDED_TEXT(layout_standby, name),
    CHOICE(layout_standby, transport, KIND_TRANSPORT),
    NUM(layout_standby, send_mibps, 0, RATE_MAX),
    NUM(layout_standby, rtt_ms, 0, RATE_MAX),
    NUM(layout_standby, window_kib, 0, RATE_MAX),
    NUM(layout_standby, apply_mibps, 0, RATE_MAX),
    TEXT(layout_standby, via),
    TEXT(layout_standby, site),
};
static const struct layout_standby fresh_standby = {
    .send_mibps = NAN, .rtt_ms = NAN, .window_kib = NAN, .apply_mibps = NAN
};
KEYS(layout_standby, standby_key, &fresh_standby);

static const struct key layout_key[] = {
    NEEDED_TEXT(layout, system),
    TEXT(layout, region),
    TEXT(layout, instance_type),
    INTS(layout, instances, 1, 1000),
    INT(layout, network_interfaces, 0, 1000),
    OBJECT(layout, redo, layout_redo_keys),
    LIST(layout, standbys, layout_standby_keys),
    LIST(layout, groups, layout_group_keys),
};
KEYS(layout, layout_key, NULL);

/* --- the document -------------------------------------------------------------------------------
 */

static int check_sense(const struct layout *l, struct err *e)
{
    int64_t bs = l->redo.block_bytes;
    if (bs != UNKNOWN && bs != 512 && bs != 1024 && bs != 4096)
        return err_set(e, ERR_PARSE, "redo.block_bytes: %lld: expected 512, 1024 or 4096",
                       (long long)bs);
    for (size_t i = 0; i < l->n_groups; i++) {
        const struct layout_group *g = &l->groups[i];
        const struct group_policy *p = &g->policy;
        if (p->max_count != UNKNOWN && p->max_count < p->min_count)
            return err_set(e, ERR_PARSE,
                           "groups[%zu].policy.max_count: %lld: expected at least min_count, %lld",
                           i, (long long)p->max_count, (long long)p->min_count);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->groups[k].name, g->name) == 0)
                return err_set(e, ERR_PARSE,
                               "groups[%zu].name: '%.60s': expected another name than groups[%zu]",
                               i, g->name, k);
    }
    return 0;
}

static int bad_json(struct span json, const char *at, struct err *e)
{
    size_t line = 1, column = 1;
    size_t n = at ? (size_t)(at - json.ptr) : json.len;
    for (size_t i = 0; i < n && i < json.len; i++) {
        column = json.ptr[i] == '\n' ? 1 : column + 1;
        line += json.ptr[i] == '\n';
    }
    return err_set(e, ERR_PARSE, "line %zu, column %zu: not JSON%s", line, column,
                   n >= json.len ? ": it ends too early" : "");
}

/* Nothing but blanks may follow the document. */
static bool is_whole(struct span json, const char *end)
{
    return span_trim(span_cut(json, (size_t)(end - json.ptr), json.len)).len == 0;
}

int layout_parse(struct span json, struct arena *a, struct layout *out, struct err *e)
{
    const char *end = NULL;
    json_out_of_memory = false;
    cJSON *root = json.len ? cJSON_ParseWithLengthOpts(json.ptr, json.len, &end, false) : NULL;
    if (!root)
        return json_out_of_memory ? err_nomem(e) : bad_json(json, end, e);

    struct reading r = { a, e };
    struct frame top = { NULL, NULL, 0 };
    struct layout l = layout_unknown;
    int rc = is_whole(json, end) ? read_object(&r, &top, root, &layout_keys, &l)
                                 : bad_json(json, end, e);
    if (!rc)
        rc = check_sense(&l, e);
    if (!rc)
        *out = l;
    cJSON_Delete(root);
    return rc;
}
