/* tests/data/ingest/archive/packer.h - makes archives in memory, by libarchive and zlib. */
#ifndef TESTS_DATA_INGEST_ARCHIVE_PACKER_H
#define TESTS_DATA_INGEST_ARCHIVE_PACKER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/archive/pack_kind.h"

/* Bytes of a test; the caller frees ptr. */
struct bytes {
    char *ptr;
    size_t len;
};

static inline struct bytes bytes_of(struct span s)
{
    struct bytes b = { malloc(s.len ? s.len : 1), s.len };
    assert_non_null(b.ptr);
    memcpy(b.ptr, s.ptr, s.len);
    return b;
}

static inline void bytes_add(struct bytes *b, struct span more)
{
    b->ptr = realloc(b->ptr, b->len + more.len + 1);
    assert_non_null(b->ptr);
    memcpy(b->ptr + b->len, more.ptr, more.len);
    b->len += more.len;
}

static inline struct span span_of_bytes(struct bytes b)
{
    return (struct span){ b.ptr, b.len };
}

struct packer {
    struct archive *a;
    char *buf;
    size_t used;
};

enum { PACKER_ROOM = 96 << 20 };

/* A tar or zip: add members, then pack_end.  options as libarchive takes them, or NULL. */
static inline struct packer pack_begin(enum pack_kind kind, const char *options,
                                       const char *password)
{
    struct packer p = { .a = archive_write_new(), .buf = malloc(PACKER_ROOM) };
    assert_non_null(p.a);
    assert_non_null(p.buf);
    int rc = kind == PACK_ZIP   ? archive_write_set_format_zip(p.a)
             : kind == PACK_TAR ? archive_write_set_format_pax_restricted(p.a)
                                : archive_write_set_format_raw(p.a);
    assert_int_equal(rc, ARCHIVE_OK);
    if (kind == PACK_BZIP2)
        assert_int_equal(archive_write_add_filter_bzip2(p.a), ARCHIVE_OK);
    if (kind == PACK_GZIP)
        assert_int_equal(archive_write_add_filter_gzip(p.a), ARCHIVE_OK);
    if (kind == PACK_XZ)
        assert_int_equal(archive_write_add_filter_xz(p.a), ARCHIVE_OK);
    if (kind == PACK_ZSTD)
        assert_int_equal(archive_write_add_filter_zstd(p.a), ARCHIVE_OK);
    if (options)
        assert_int_equal(archive_write_set_options(p.a, options), ARCHIVE_OK);
    if (password)
        assert_int_equal(archive_write_set_passphrase(p.a, password), ARCHIVE_OK);
    return p;
}

static inline void pack_open(struct packer *p)
{
    assert_int_equal(archive_write_set_bytes_in_last_block(p->a, 1), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(p->a, p->buf, PACKER_ROOM, &p->used), ARCHIVE_OK);
}

static inline void pack_entry(struct packer *p, const char *name, unsigned type, const char *link,
                              struct span content)
{
    struct archive_entry *e = archive_entry_new();
    assert_non_null(e);
    archive_entry_copy_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)content.len);
    if (link && type == AE_IFLNK)
        archive_entry_copy_symlink(e, link);
    else if (link)
        archive_entry_copy_hardlink(e, link);
    assert_true(archive_write_header(p->a, e) >= ARCHIVE_WARN);
    if (content.len)
        assert_int_equal(archive_write_data(p->a, content.ptr, content.len), content.len);
    archive_entry_free(e);
}

static inline void pack_file(struct packer *p, const char *name, struct span content)
{
    pack_entry(p, name, AE_IFREG, NULL, content);
}

static inline struct bytes pack_end(struct packer *p)
{
    assert_int_equal(archive_write_close(p->a), ARCHIVE_OK);
    archive_write_free(p->a);
    struct bytes b = { realloc(p->buf, p->used ? p->used : 1), p->used };
    assert_non_null(b.ptr);
    return b;
}

/* An archive with one member, or compressed data. */
static inline struct bytes pack_one(enum pack_kind kind, const char *name, struct span content)
{
    struct packer p = pack_begin(kind, NULL, NULL);
    pack_open(&p);
    pack_file(&p, name, content);
    return pack_end(&p);
}

/* The same, and the content is freed. */
static inline struct bytes pack_again(enum pack_kind kind, const char *name, struct bytes content)
{
    struct bytes b = pack_one(kind, name, span_of_bytes(content));
    free(content.ptr);
    return b;
}

#endif
