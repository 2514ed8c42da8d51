/* data/ingest/archive/expand.c - see expand.h.
 *
 * A stack of layers, each one decoder between two sources:
 *
 *   outer -> [gzip] -> member -> [tar] -> member -> [zip] -> member -> ...
 *
 * The member of the top layer is what the caller gets, unless it is packed itself: then it
 * becomes the input of a new layer.
 *
 *   expand_next
 *     recover          drops the layers that an error has made useless
 *     finish_member    reads the last member to its end
 *     next_member      of the top layer; none left: the layer goes
 *     enter            a packed member: one more layer
 *   read_layer         what a member's source calls; counts bytes and keeps the limits
 *
 * An error is told once, with the words of the layer where it arose (why); the layers
 * above it have only seen their input fail. */
#include "data/ingest/archive/expand.h"

#include "data/ingest/archive/gunzip.h"
#include "data/ingest/archive/unpack.h"
#include "models/core/mem.h"

#include <stdio.h>
#include <string.h>

/* Each level is an archive, or compressed data with a tar in it. */
enum { LAYERS_MAX = 2 * EXPAND_RAISED_LEVELS };

struct layer {
    struct expander *x;
    enum pack_kind kind;
    int level;
    struct source *in;
    struct gunzip *gunzip; /* of gzip data */
    struct unpack *unpack; /* of all others */
    struct source *member; /* NULL = none yet */
    bool began;            /* its first entry was seen */
    bool at_end;           /* the member gave all its bytes */
    bool ended_well;       /* the layer above found its own end in the member */
    bool is_empty;         /* a stream without a byte */
    bool left_out;         /* the member is passed over */
    bool said_encrypted;
    int64_t n_files; /* that were not passed over */
};

struct expander {
    struct source *outer;
    struct expand_options options;
    int max_levels;
    int64_t max_members, max_bytes;
    bool has_ratio;

    bool began, stopped;
    struct layer layers[LAYERS_MAX];
    size_t n;
    int64_t n_members;
    int64_t n_bytes[LAYERS_MAX]; /* unpacked by the layers of that depth */

    struct err why;   /* code 0 = all is well */
    size_t dead_from; /* layers from there on are useless */
    const char *path; /* that `why` is about */
};

struct expander *expand_open(struct source *outer, const struct expand_options *o)
{
    struct expander *x = mem_zalloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->outer = outer;
    x->options = *o;
    x->max_levels = EXPAND_LEVELS;
    x->max_members = EXPAND_MEMBERS;
    x->max_bytes = EXPAND_BYTES;
    x->has_ratio = o->max_bytes == 0;
    if (o->max_bytes) {
        int64_t members = o->max_bytes / (EXPAND_BYTES / EXPAND_MEMBERS);
        x->max_levels = EXPAND_RAISED_LEVELS;
        x->max_members = members > EXPAND_MEMBERS ? members : EXPAND_MEMBERS;
        x->max_bytes = o->max_bytes;
    }
    return x;
}

static void drop_layer(struct expander *x)
{
    struct layer *l = &x->layers[--x->n];
    source_close(l->member);
    gunzip_close(l->gunzip);
    unpack_close(l->unpack);
    *l = (struct layer){ 0 };
}

void expand_close(struct expander *x)
{
    if (!x)
        return;
    while (x->n)
        drop_layer(x);
    mem_free(x);
}

const char *expand_path(const struct expander *x)
{
    return x->path;
}

/* --- errors and limits --------------------------------------------------------------------------
 */

/* The first error is the reason for those that follow: it is kept, and put into e. */
static int spoil(struct expander *x, size_t dead_from, struct err *e)
{
    if (!x->why.code) {
        const char *path = source_path(x->outer);
        size_t n = strlen(path);
        x->why = *e;
        x->dead_from = dead_from;
        /* A file that cannot be read names itself; so will the member. */
        if (strncmp(e->text, path, n) == 0 && strncmp(e->text + n, ": ", 2) == 0)
            memmove(x->why.text, e->text + n + 2, strlen(e->text + n + 2) + 1);
    }
    *e = x->why;
    return e->code;
}

/* The same for an error that the caller of expand_next is told. */
static int spoil_path(struct expander *x, size_t dead_from, const char *path, struct err *e)
{
    int rc = spoil(x, dead_from, e);
    x->path = path;
    return rc == ERR_NOMEM ? rc : err_set(e, rc, "%s: %s", path, x->why.text);
}

/* n, or the refusal of bytes beyond a limit. */
static int64_t count_bytes(struct expander *x, size_t depth, int64_t n, struct err *e)
{
    int64_t sum = x->n_bytes[depth] += n;
    if (sum > x->max_bytes) {
        x->stopped = true;
        return err_set(e, ERR_LIMIT,
                       "unpacks to more than %lld MiB, the limit; --max-expand SIZE raises it",
                       (long long)(x->max_bytes >> 20));
    }
    if (x->has_ratio && sum > EXPAND_FREE_BYTES && sum / EXPAND_RATIO > source_skipped(x->outer)) {
        x->stopped = true;
        return err_set(
            e, ERR_LIMIT,
            "unpacks to more than 1 000 times what was read of it, the limit from 64 MiB "
            "on; --max-expand SIZE raises it");
    }
    return n;
}

static int64_t read_layer(void *ctx, char *buf, size_t room, struct err *e)
{
    struct layer *l = ctx;
    struct expander *x = l->x;
    size_t depth = (size_t)(l - x->layers);
    struct err why = { 0 };
    int64_t n = l->is_empty ? 0
                : l->gunzip ? gunzip_read(l->gunzip, buf, room, &why)
                            : unpack_read(l->unpack, buf, room, &why);
    if (n > 0)
        n = count_bytes(x, depth, n, &why);
    if (n < 0) {
        bool siblings_live = pack_has_members(l->kind) && !unpack_is_dead(l->unpack);
        spoil(x, x->stopped ? 0 : depth + siblings_live, &why);
        if (e)
            *e = why;
        return why.code;
    }
    l->at_end = n == 0;
    return n;
}

/* --- members ------------------------------------------------------------------------------------
 */

/* A part of the name begins with a dot, other than "." and "..". */
static bool is_hidden(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t n = strcspn(part, "/");
        if (part[0] == '.' && n > 1 && !(n == 2 && part[1] == '.'))
            return true;
    }
    return false;
}

/* What a zip is that a program made for itself; its first members tell. */
static const char *document_kind(const char *name)
{
    static const struct sign {
        const char *name, *kind;
    } signs[] = {
        { "[Content_Types].xml", "an Office document; save it as CSV or text" },
        { "_rels/.rels", "an Office document; save it as CSV or text" },
        { "docProps/app.xml", "an Office document; save it as CSV or text" },
        { "mimetype", "an OpenDocument file; save it as CSV or text" },
        { "META-INF/MANIFEST.MF", "a Java archive" },
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(name, signs[i].name) == 0)
            return signs[i].kind;
    return NULL;
}

static int note(struct expander *x, const struct layer *l, const char *name, const char *what,
                struct err *e)
{
    struct arena a = { 0 };
    char *text = arena_printf(&a, "%s%s%.300s%s", source_path(l->in), *name ? "/" : "", name, what);
    int rc = text ? x->options.note(x->options.note_ctx, text, e) : err_nomem(e);
    arena_release(&a);
    return rc;
}

static int make_member(struct layer *l, const char *name, struct err *e)
{
    struct source_input input = { l, read_layer };
    struct arena a = { 0 };
    const char *path = source_path(l->in);
    if (name)
        path = arena_printf(&a, "%s/%.*s", path, EXPAND_NAME_MAX, name);
    l->member = path ? source_of_input(path, input) : NULL;
    l->at_end = l->ended_well = false;
    arena_release(&a);
    return l->member ? 1 : err_nomem(e);
}

/* "./a" and "/a" are "a". */
static const char *plain_name(const struct expander *x, const char *name, char number[32])
{
    snprintf(number, 32, "member %lld", (long long)x->n_members);
    if (!name)
        return number;
    while (*name == '/' || strncmp(name, "./", 2) == 0)
        name += *name == '/' ? 1 : 2;
    return *name ? name : number;
}

/* An error in an archive: it goes no further, or only this entry is lost. */
static int lose_archive(struct expander *x, const struct layer *l, struct err *e)
{
    return spoil_path(x, x->stopped ? 0 : (size_t)(l - x->layers), source_path(l->in), e);
}

static int lose_entry(struct expander *x, const struct layer *l, struct err *e)
{
    return spoil_path(x, (size_t)(l - x->layers) + 1, source_path(l->in), e);
}

static int refuse_members(struct expander *x, const struct layer *l, struct err *e)
{
    x->stopped = true;
    err_set(e, ERR_LIMIT, "holds more than %lld members, the limit; --max-expand SIZE raises it",
            (long long)x->max_members);
    return lose_archive(x, l, e);
}

static int refuse_encrypted(struct expander *x, struct layer *l, const char *name, struct err *e)
{
    l->said_encrypted = true;
    l->n_files++;
    err_set(e, ERR_PARSE, "is encrypted (first '%.100s'); unpack it with its password", name);
    return lose_entry(x, l, e);
}

/* One entry of an archive: 1 = it became the member, 0 = it was left out. */
static int take_entry(struct expander *x, struct layer *l, const struct pack_member *m,
                      struct err *e)
{
    char number[32];
    if (++x->n_members > x->max_members)
        return refuse_members(x, l, e);
    const char *name = plain_name(x, m->name, number);
    const char *document = l->began ? NULL : document_kind(name);
    l->began = true;
    if (document && l->kind == PACK_ZIP) {
        err_set(e, ERR_PARSE, "is %s", document);
        return lose_archive(x, l, e);
    }
    if (m->kind == MEMBER_FOLDER)
        return 0;
    if (m->kind != MEMBER_FILE)
        return note(x, l, name,
                    m->kind == MEMBER_LINK ? " is a link: left out" : " is no file: left out", e);
    if (m->encrypted)
        return l->said_encrypted ? 0 : refuse_encrypted(x, l, name, e);
    l->left_out = is_hidden(name);
    l->n_files += !l->left_out;
    return make_member(l, name, e);
}

static int next_entry(struct expander *x, struct layer *l, struct err *e)
{
    struct pack_member m;
    int rc;
    do {
        rc = unpack_next(l->unpack, &m, e);
        if (rc == ERR_PARSE && l->said_encrypted && !x->why.code)
            return 0; /* not even the way to the next entry is known: that was said */
        if (rc < 0)
            return lose_archive(x, l, e);
        if (rc == 0 && !l->n_files) {
            err_set(e, ERR_PARSE, "the %s holds no files", pack_kind_name(l->kind));
            return lose_archive(x, l, e);
        }
        if (rc)
            rc = take_entry(x, l, &m, e);
        else
            return 0;
    } while (rc == 0);
    return rc;
}

/* The one member of compressed data. */
static int start_stream(struct expander *x, struct layer *l, struct err *e)
{
    struct pack_member m;
    l->began = true;
    int rc = l->unpack ? unpack_next(l->unpack, &m, e) : 1;
    if (rc < 0)
        return lose_archive(x, l, e);
    l->is_empty = rc == 0;
    return make_member(l, NULL, e);
}

/* 1 = the layer's next member, 0 = there is none. */
static int next_member(struct expander *x, struct layer *l, struct err *e)
{
    if (pack_has_members(l->kind))
        return next_entry(x, l, e);
    return l->began ? 0 : start_stream(x, l, e);
}

/* Reads to the end what the caller left, where something comes behind it: other members, or
 * the checksum over an archive. */
static int finish_member(struct expander *x, struct layer *l, struct err *e)
{
    if (!l->member)
        return 0;
    if ((pack_has_members(l->kind) || l->ended_well) && source_drain(l->member, e))
        return lose_archive(x, l, e);
    source_close(l->member);
    l->member = NULL;
    if (l->gunzip && gunzip_left_bytes(l->gunzip))
        return note(x, l, "", " has more bytes behind its gzip data: left out", e);
    return 0;
}

/* A packed source becomes the input of a new layer: 0; 1 = it is not packed. */
static int enter(struct expander *x, struct source *src, struct err *e)
{
    const char *path = source_path(src);
    const struct layer *top = x->n ? &x->layers[x->n - 1] : NULL;
    struct span head;
    if (source_peek(src, PACK_HEAD, &head, e))
        return spoil_path(x, x->n, path, e);
    enum pack_kind kind = pack_kind_of(head);
    if (kind == PACK_NONE)
        return 1;
    bool is_compressed_tar = kind == PACK_TAR && top && !pack_has_members(top->kind);
    int level = (top ? top->level : 0) + !is_compressed_tar;
    if (level > x->max_levels) {
        err_set(e, ERR_LIMIT,
                "is packed more than %d times, the limit; --max-expand SIZE raises it",
                x->max_levels);
        return spoil_path(x, x->n, path, e);
    }
    struct layer *l = &x->layers[x->n];
    *l = (struct layer){ .x = x, .kind = kind, .level = level, .in = src };
    int rc = 0;
    if (kind != PACK_GZIP)
        rc = unpack_open(src, kind, &l->unpack, e);
    else if (!(l->gunzip = gunzip_open(src)))
        rc = err_nomem(e);
    if (rc)
        return spoil_path(x, x->n, path, e);
    x->n++;
    return 0;
}

/* After an error: without the layers that it made useless, and the member it happened in. */
static void recover(struct expander *x)
{
    if (!x->why.code)
        return;
    while (x->n > x->dead_from)
        drop_layer(x);
    if (x->n) {
        struct layer *top = &x->layers[x->n - 1];
        source_close(top->member);
        top->member = NULL;
    }
    x->why.code = 0;
}

/* The top layer has no more members. */
static void leave(struct expander *x)
{
    const struct layer *l = &x->layers[x->n - 1];
    bool ended_well = pack_has_members(l->kind) || l->at_end;
    drop_layer(x);
    if (x->n)
        x->layers[x->n - 1].ended_well = ended_well;
}

int expand_next(struct expander *x, struct source **out, struct err *e)
{
    recover(x);
    for (;;) {
        struct layer *top = x->n ? &x->layers[x->n - 1] : NULL;
        if (!top && x->began)
            return 0;
        x->began = true;
        int rc = top ? finish_member(x, top, e) : 1;
        if (top && !rc)
            rc = next_member(x, top, e);
        if (rc < 0)
            return rc;
        if (rc == 0) {
            leave(x);
            continue;
        }
        if (top && top->left_out)
            continue;
        struct source *src = top ? top->member : x->outer;
        rc = enter(x, src, e);
        if (rc == 1)
            *out = src;
        if (rc)
            return rc;
    }
}
