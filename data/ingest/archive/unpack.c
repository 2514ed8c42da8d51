/* data/ingest/archive/unpack.c - see unpack.h.
 *
 * Of libarchive's formats only those that volplan promises are switched on.  A zip is read as a
 * stream: its directory stands at its end, where a cut archive has none and a hostile one has
 * millions of entries. */
#include "data/ingest/archive/unpack.h"

#include "models/core/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>

struct unpack {
    struct source *in;
    enum pack_kind kind;
    struct archive *a;
    locale_t utf8; /* 0 = the system has none */
    bool dead;
    int in_rc; /* why `in` could not be read, in in_err */
    struct err in_err;
};

static la_ssize_t read_block(struct archive *a, void *ctx, const void **out)
{
    struct unpack *u = ctx;
    struct span block;
    u->in_rc = source_peek(u->in, 1, &block, &u->in_err);
    if (u->in_rc) {
        archive_set_error(a, EIO, "read error");
        return -1;
    }
    source_skip(u->in, block.len);
    *out = block.ptr;
    return (la_ssize_t)block.len;
}

/* Words for what libarchive, or the source below it, has to say. */
static int complain(struct unpack *u, struct err *e)
{
    if (u->in_rc) {
        if (e)
            *e = u->in_err;
        return u->in_rc;
    }
    if (archive_errno(u->a) == ENOMEM)
        return err_nomem(e);
    struct span why = span_trim(span_of(archive_error_string(u->a)));
    return err_set(e, ERR_PARSE, "the %s is %s%s%.*s", pack_kind_name(u->kind),
                   span_starts(why, "Unsupported") ? "of a kind that cannot be unpacked"
                                                   : "damaged or cut short",
                   why.len ? ": " : "", SPAN_ARG(why));
}

static int choose_format(struct archive *a, enum pack_kind kind)
{
    switch (kind) {
    case PACK_BZIP2:
        return archive_read_support_filter_bzip2(a);
    case PACK_XZ:
        return archive_read_support_filter_xz(a);
    case PACK_ZSTD:
        return archive_read_support_filter_zstd(a);
    case PACK_ZIP:
        return archive_read_support_format_zip_streamable(a);
    default:
        return archive_read_support_format_tar(a);
    }
}

int unpack_open(struct source *in, enum pack_kind kind, struct unpack **out, struct err *e)
{
    struct unpack *u = mem_zalloc(1, sizeof *u);
    if (!u)
        return err_nomem(e);
    u->in = in;
    u->kind = kind;
    u->a = archive_read_new();
    int rc = u->a ? 0 : err_nomem(e);
    if (!rc && choose_format(u->a, kind) != ARCHIVE_OK)
        rc = complain(u, e);
    if (!rc && !pack_has_members(kind) &&
        (archive_read_support_format_raw(u->a) != ARCHIVE_OK ||
         archive_read_support_format_empty(u->a) != ARCHIVE_OK))
        rc = complain(u, e);
    if (!rc && archive_read_open(u->a, u, NULL, read_block, NULL) != ARCHIVE_OK)
        rc = complain(u, e);
    if (rc) {
        unpack_close(u);
        return rc;
    }
    u->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    *out = u;
    return 0;
}

void unpack_close(struct unpack *u)
{
    if (!u)
        return;
    archive_read_free(u->a);
    if (u->utf8)
        freelocale(u->utf8);
    mem_free(u);
}

bool unpack_is_dead(const struct unpack *u)
{
    return u->dead;
}

static enum member_kind kind_of(struct archive_entry *entry)
{
    mode_t type = archive_entry_filetype(entry);
    if (archive_entry_hardlink(entry) || type == AE_IFLNK)
        return MEMBER_LINK;
    if (type == AE_IFDIR)
        return MEMBER_FOLDER;
    return type == AE_IFREG || type == 0 ? MEMBER_FILE : MEMBER_DEVICE;
}

/* libarchive gives names in the character set of the thread's locale, and none at all when that
 * is ASCII and the name is not. */
static int next_header(struct unpack *u, struct pack_member *out)
{
    struct archive_entry *entry = NULL;
    locale_t before = u->utf8 ? uselocale(u->utf8) : (locale_t)0;
    int rc = archive_read_next_header(u->a, &entry);
    if (rc == ARCHIVE_OK || rc == ARCHIVE_WARN)
        *out = (struct pack_member){
            .name = pack_has_members(u->kind) ? archive_entry_pathname(entry) : NULL,
            .kind = kind_of(entry),
            .encrypted = archive_entry_is_encrypted(entry) > 0,
        };
    if (before)
        uselocale(before);
    return rc;
}

int unpack_next(struct unpack *u, struct pack_member *out, struct err *e)
{
    int rc = next_header(u, out);
    if (rc == ARCHIVE_OK || rc == ARCHIVE_WARN)
        return 1;
    if (rc == ARCHIVE_EOF)
        return 0;
    u->dead = true;
    return complain(u, e);
}

int64_t unpack_read(struct unpack *u, char *buf, size_t room, struct err *e)
{
    la_ssize_t n = archive_read_data(u->a, buf, room);
    if (n >= 0)
        return n;
    u->dead = n <= ARCHIVE_FATAL || !pack_has_members(u->kind);
    return complain(u, e);
}
