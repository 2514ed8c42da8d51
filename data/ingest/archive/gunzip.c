/* data/ingest/archive/gunzip.c - see gunzip.h. */
#include "data/ingest/archive/gunzip.h"

#include "models/core/mem.h"

#define ZLIB_CONST
#include <limits.h>
#include <string.h>
#include <zlib.h>

/* The largest window, and a gzip header and trailer that inflate checks itself (zlib.h). */
enum { WINDOW_BITS = 15 + 16 };

struct gunzip {
    struct source *in;
    z_stream z;
    bool in_member, at_end, left_bytes;
};

static void *take(void *opaque, unsigned n, unsigned size)
{
    (void)opaque;
    return mem_zalloc(n, size);
}

static void give_back(void *opaque, void *p)
{
    (void)opaque;
    mem_free(p);
}

struct gunzip *gunzip_open(struct source *in)
{
    struct gunzip *g = mem_zalloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->in = in;
    g->z.zalloc = take;
    g->z.zfree = give_back;
    if (inflateInit2(&g->z, WINDOW_BITS) == Z_OK)
        return g;
    mem_free(g);
    return NULL;
}

void gunzip_close(struct gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->z);
    mem_free(g);
}

bool gunzip_left_bytes(const struct gunzip *g)
{
    return g->left_bytes;
}

/* Behind a member: another one, or the end.  Zeros fill the last block of a tape. */
static int start_member(struct gunzip *g, struct err *e)
{
    struct span ahead;
    int rc = source_peek(g->in, 3, &ahead, e);
    if (rc)
        return rc;
    g->in_member = span_starts(ahead, "\x1F\x8B\x08");
    g->at_end = !g->in_member;
    g->left_bytes = g->at_end && ahead.len && ahead.ptr[0];
    return 0;
}

/* Some bytes of a member; *out may stay 0.  What comes out along with an error is not trusted. */
static int inflate_some(struct gunzip *g, char *buf, size_t room, size_t *out, struct err *e)
{
    struct span packed;
    int rc = source_peek(g->in, 1, &packed, e);
    if (rc)
        return rc;
    if (!packed.len)
        return err_set(e, ERR_PARSE, "the gzip data is cut short");
    g->z.next_in = (const unsigned char *)packed.ptr;
    g->z.avail_in = packed.len < UINT_MAX ? (unsigned)packed.len : UINT_MAX;
    g->z.next_out = (unsigned char *)buf;
    g->z.avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    unsigned had_in = g->z.avail_in, had_out = g->z.avail_out;
    int z = inflate(&g->z, Z_NO_FLUSH);
    source_skip(g->in, had_in - g->z.avail_in);
    *out = had_out - g->z.avail_out;
    if (z == Z_STREAM_END) {
        g->in_member = false;
        inflateReset(&g->z);
        return 0;
    }
    if (z == Z_MEM_ERROR)
        return err_nomem(e);
    if (z != Z_OK)
        return err_set(e, ERR_PARSE, "the gzip data is damaged: %s",
                       g->z.msg ? g->z.msg : "it asks for a dictionary");
    return 0;
}

int64_t gunzip_read(struct gunzip *g, char *buf, size_t room, struct err *e)
{
    size_t n = 0;
    int rc = 0;
    while (!rc && !n && !g->at_end)
        rc = g->in_member ? inflate_some(g, buf, room, &n, e) : start_member(g, e);
    return rc ? rc : (int64_t)n;
}
