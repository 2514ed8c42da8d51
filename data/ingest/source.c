/* data/ingest/source.c - see source.h.
 *
 * Memory: the caller's bytes are the window, nothing is copied.  Anything else: a window that
 * slides over the input, one read at a time; it grows only for a long line or for source_all.
 * The hash is fed as the bytes arrive, so that no input is read twice.
 *
 *   source_line, source_head, source_all
 *     start_of_text     once: tells UTF-16 and lone CR
 *     fill              one read, made text within the window
 *     fill_from_ahead   what another thread has read, the rest of the window in front of it */
#include "data/ingest/source.h"

#include "data/ingest/read_ahead.h"
#include "data/ingest/utf16.h"
#include "models/core/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_STATIC_LINKING_ONLY /* shows XXH3_state_t, so that it needs no malloc */
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the same hash by the widest registers that the processor has */
#endif

/* READ_MOST: what is not read of a grown window takes no memory yet. */
enum { READ_CHUNK = 128 * 1024, READ_MOST = 64 * 1024, HASH_ALIGN = 64 };

/* TUNING: bytes of a file before a thread that reads it is worth its start. */
enum { READ_AHEAD_AFTER = 1024 * 1024 };

struct source {
    const char *window; /* bytes that are in memory */
    size_t len, at;     /* bytes in the window, and how many of them were handed out */
    bool at_end;        /* nothing comes after the window */
    bool line_is_open;
    bool is_text; /* what the bytes stand for is known */
    bool is_utf16, cr_ends;
    struct utf16 utf16;
    int64_t line_no;
    int64_t n_read_bytes;

    struct span memory; /* the caller's bytes; ptr NULL = there are none */
    size_t memory_at;   /* where read_memory goes on */
    struct source_input in;
    uint64_t identity; /* of what else than the bytes tells it from others; 0 = nothing */
    int fd;            /* -1: none */
    bool may_read_ahead;
    struct read_ahead *ahead; /* NULL: read here */
    int64_t size_bytes;       /* of the file when it was opened; 0 where it cannot be told */
    char *buf;                /* NULL: the window is the caller's */
    size_t room;
    unsigned char hash_room[sizeof(XXH3_state_t) + HASH_ALIGN];

    char path[];
};

/* Offset of the state in hash_room: mem_alloc promises less alignment than XXH3 wants. */
static size_t hash_offset(const struct source *s)
{
    return (HASH_ALIGN - (uintptr_t)s->hash_room % HASH_ALIGN) % HASH_ALIGN;
}

static XXH3_state_t *hash_state(struct source *s)
{
    return (XXH3_state_t *)(void *)(s->hash_room + hash_offset(s));
}

static struct source *source_new(const char *path)
{
    size_t n = strlen(path) + 1;
    struct source *s = mem_zalloc(1, sizeof *s + n);
    if (!s)
        return NULL;
    memcpy(s->path, path, n);
    s->fd = -1;
    return s;
}

struct source *source_of_span(const char *path, struct span bytes)
{
    struct source *s = source_new(path);
    if (!s)
        return NULL;
    s->memory = (struct span){ bytes.ptr ? bytes.ptr : "", bytes.len };
    s->window = s->memory.ptr;
    s->len = bytes.len;
    s->n_read_bytes = (int64_t)bytes.len;
    s->at_end = true;
    return s;
}

struct source *source_of_input(const char *path, struct source_input in)
{
    struct source *s = source_new(path);
    char *buf = s ? mem_alloc(READ_CHUNK) : NULL;
    if (!buf) {
        mem_free(s);
        return NULL;
    }
    s->in = in;
    s->buf = buf;
    s->window = buf;
    s->room = READ_CHUNK;
    XXH3_INITSTATE(hash_state(s));
    XXH3_128bits_reset(hash_state(s));
    return s;
}

/* A file descriptor, or a negative code. */
static int open_regular(const char *path, int64_t *out_bytes, struct err *e)
{
    /* O_NONBLOCK: a FIFO nobody writes to must not hang the open */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return err_set(e, ERR_FILE, "%s: cannot be opened: %m", path);
    struct stat st = { 0 };
    int rc = 0;
    if (fstat(fd, &st))
        rc = err_set(e, ERR_FILE, "%s: cannot be read: %m", path);
    else if (S_ISDIR(st.st_mode))
        rc = err_set(e, ERR_FILE, "%s: is a directory", path);
    else if (!S_ISREG(st.st_mode))
        rc = err_set(e, ERR_FILE, "%s: is not a regular file", path);
    *out_bytes = st.st_size;
    if (!rc)
        return fd;
    close(fd);
    return rc;
}

static int64_t read_file(void *ctx, char *buf, size_t room, struct err *e)
{
    const struct source *s = ctx;
    ssize_t n;
    do
        n = read(s->fd, buf, room);
    while (n < 0 && errno == EINTR);
    return n < 0 ? err_set(e, ERR_FILE, "cannot be read: %m") : n;
}

int source_open(const char *path, struct source **out, struct err *e)
{
    int64_t size_bytes = 0;
    int fd = open_regular(path, &size_bytes, e);
    if (fd < 0)
        return fd;
    struct source *s = source_of_input(path, (struct source_input){ .read = read_file });
    if (!s) {
        close(fd);
        return err_nomem(e);
    }
    s->in.ctx = s;
    s->fd = fd;
    s->size_bytes = size_bytes;
    *out = s;
    return 0;
}

void source_read_ahead(struct source *s)
{
    s->may_read_ahead = s->fd >= 0;
}

void source_close(struct source *s)
{
    if (!s)
        return;
    read_ahead_close(s->ahead);
    if (s->fd >= 0)
        close(s->fd);
    mem_free(s->buf);
    mem_free(s);
}

const char *source_path(const struct source *s)
{
    return s->path;
}

/* --- bytes into the window ----------------------------------------------------------------------
 */

/* Makes room behind the window: what was handed out goes, else the window grows. */
static int make_room(struct source *s, struct err *e)
{
    if (s->at) {
        s->len -= s->at;
        memmove(s->buf, s->buf + s->at, s->len);
        s->at = 0;
    }
    if (s->room - s->len >= (s->is_utf16 ? UTF16_ROOM(2) : 1))
        return 0;
    char *grown = mem_realloc(s->buf, s->room * 2);
    if (!grown)
        return err_nomem(e);
    s->buf = grown;
    s->window = grown;
    s->room *= 2;
    return 0;
}

/* LF for CR, up to the first LF: an input that has one ends its lines with it. */
static void end_lines_at_cr(struct source *s, char *text, size_t n)
{
    char *lf = memchr(text, '\n', n);
    char *end = !lf ? text + n : lf > text && lf[-1] == '\r' ? lf - 1 : lf;
    for (char *cr = text; (cr = memchr(cr, '\r', (size_t)(end - cr))) != NULL;)
        *cr++ = '\n';
    if (lf)
        s->cr_ends = false;
}

static int64_t read_memory(struct source *s, char *buf, size_t room)
{
    size_t left = s->memory.len - s->memory_at;
    size_t n = left < room ? left : room;
    memcpy(buf, s->memory.ptr + s->memory_at, n);
    s->memory_at += n;
    return (int64_t)n;
}

/* Of the input; may run in the thread that reads ahead. */
static int64_t read_and_hash(void *ctx, char *buf, size_t room, struct err *e)
{
    struct source *s = ctx;
    int64_t n_read = s->in.read(s->in.ctx, buf, room, e);
    if (n_read < 0)
        return err_prefix(e, "%s", s->path);
    XXH3_128bits_update(hash_state(s), buf, (size_t)n_read);
    return n_read;
}

/* The window as buf, with n bytes to come. */
static int take_into_buf(struct source *s, struct span rest, size_t n, struct err *e)
{
    size_t room = s->room;
    while (room < rest.len + n)
        room *= 2;
    bool is_inside = s->window == s->buf;
    if (is_inside)
        memmove(s->buf, rest.ptr, rest.len);
    if (room > s->room) {
        char *grown = mem_realloc(s->buf, room);
        if (!grown)
            return err_nomem(e);
        s->buf = grown;
        s->room = room;
    }
    if (!is_inside && rest.len)
        memcpy(s->buf, rest.ptr, rest.len);
    s->window = s->buf;
    return 0;
}

static int fill_from_ahead(struct source *s, struct err *e)
{
    struct span rest = { s->window + s->at, s->len - s->at };
    char *bytes;
    int64_t n_read = read_ahead_next(s->ahead, &bytes, e);
    if (n_read < 0)
        return (int)n_read;
    if (rest.len <= READ_AHEAD_ROOM) {
        s->window = memcpy(bytes - rest.len, rest.ptr, rest.len);
    } else {
        int rc = take_into_buf(s, rest, (size_t)n_read, e);
        if (rc)
            return rc;
        memcpy(s->buf + rest.len, bytes, (size_t)n_read);
    }
    s->at = 0;
    s->len = rest.len + (size_t)n_read;
    s->n_read_bytes += n_read;
    s->at_end = n_read == 0;
    return 0;
}

/* Reads once, or finds the end. */
static int fill(struct source *s, struct err *e)
{
    if (s->ahead)
        return fill_from_ahead(s, e);
    int rc = make_room(s, e);
    if (rc)
        return rc;
    /* UTF-16 goes to the end of the room: its text, which may be longer, then never reaches
     * bytes that are still to be decoded. */
    size_t room = s->room - s->len < READ_MOST ? s->room - s->len : READ_MOST;
    size_t most = s->is_utf16 ? (room - 6) / 3 * 2 : room;
    char *text = s->buf + s->len, *to = text + (room - most);
    bool is_memory = s->memory.ptr != NULL;
    int64_t n_read = is_memory ? read_memory(s, to, most) : read_and_hash(s, to, most, e);
    if (n_read < 0)
        return (int)n_read;
    s->at_end = n_read == 0;
    size_t n = (size_t)n_read;
    if (!is_memory)
        s->n_read_bytes += n_read;
    if (s->is_utf16)
        n = s->at_end ? utf16_finish(&s->utf16, text)
                      : utf16_decode(&s->utf16, (struct span){ to, n }, text);
    if (s->cr_ends)
        end_lines_at_cr(s, text, n);
    s->len += n;
    return 0;
}

/* Fills until n bytes wait in the window, or the input ends. */
static int fill_to(struct source *s, size_t n, struct err *e)
{
    int rc = 0;
    while (!rc && !s->at_end && s->len - s->at < n)
        rc = fill(s, e);
    return rc;
}

int source_peek(struct source *s, size_t want, struct span *out, struct err *e)
{
    int rc = fill_to(s, want, e);
    if (!rc)
        *out = (struct span){ s->window + s->at, s->len - s->at };
    return rc;
}

void source_skip(struct source *s, size_t n)
{
    s->at += n;
}

int64_t source_skipped(const struct source *s)
{
    return s->n_read_bytes - (int64_t)(s->len - s->at);
}

/* --- what the bytes stand for --------------------------------------------------------------------
 */

/* The caller's bytes cannot be changed: they are read through a window like a file. */
static int own_the_window(struct source *s, struct err *e)
{
    if (s->buf)
        return 0;
    s->buf = mem_alloc(READ_CHUNK);
    if (!s->buf)
        return err_nomem(e);
    s->room = READ_CHUNK;
    s->memory_at = s->at;
    s->window = s->buf;
    s->len = s->at = 0;
    s->at_end = false;
    return 0;
}

/* Decodes what the window holds already; fill does so with the rest. */
static int start_utf16(struct source *s, bool big_endian, struct err *e)
{
    s->at += 2;
    int rc = own_the_window(s, e);
    if (rc)
        return rc;
    size_t n = s->len - s->at, room = UTF16_ROOM(n) > READ_CHUNK ? UTF16_ROOM(n) : READ_CHUNK;
    char *decoded = mem_alloc(room);
    if (!decoded)
        return err_nomem(e);
    s->is_utf16 = true;
    s->utf16 = (struct utf16){ .big_endian = big_endian };
    s->len = utf16_decode(&s->utf16, (struct span){ s->buf + s->at, n }, decoded);
    if (s->at_end)
        s->len += utf16_finish(&s->utf16, decoded + s->len);
    s->at = 0;
    mem_free(s->buf);
    s->buf = decoded;
    s->window = decoded;
    s->room = room;
    return 0;
}

/* A CR before the first LF, and no LF in reach, makes CR the line end.  One that stands
 * last may be half of a CRLF. */
static int find_line_end(struct source *s, struct err *e)
{
    size_t seen = 0, n;
    for (;;) {
        n = s->len - s->at < SOURCE_HEAD ? s->len - s->at : SOURCE_HEAD;
        if (n > seen && memchr(s->window + s->at + seen, '\n', n - seen))
            return 0;
        if (s->at_end || n == SOURCE_HEAD)
            break;
        seen = n;
        int rc = fill(s, e);
        if (rc)
            return rc;
    }
    bool is_all = s->at_end && s->at + n == s->len;
    n -= n > 0 && !is_all;
    if (!n || !memchr(s->window + s->at, '\r', n))
        return 0;
    s->cr_ends = true;
    int rc = own_the_window(s, e);
    if (!rc && s->len > s->at)
        end_lines_at_cr(s, s->buf + s->at, s->len - s->at);
    return rc;
}

static int start_of_text(struct source *s, struct err *e)
{
    if (s->is_text)
        return 0;
    int rc = fill_to(s, 3, e);
    if (rc)
        return rc;
    s->is_text = true;
    struct span head = { s->window + s->at, s->len - s->at };
    if (span_starts(head, "\xEF\xBB\xBF"))
        s->at += 3;
    else if (span_starts(head, "\xFF\xFE"))
        rc = start_utf16(s, false, e);
    else if (span_starts(head, "\xFE\xFF"))
        rc = start_utf16(s, true, e);
    return rc ? rc : find_line_end(s, e);
}

/* --- text out of the window ----------------------------------------------------------------------
 */

int source_head(struct source *s, struct span *out, struct err *e)
{
    int rc = start_of_text(s, e);
    if (!rc)
        rc = fill_to(s, SOURCE_HEAD, e);
    if (!rc)
        *out = span_cut((struct span){ s->window + s->at, s->len - s->at }, 0, SOURCE_HEAD);
    return rc;
}

/* Once, where it is allowed and worth it; text that is made anew needs a window of its own. */
static int start_ahead(struct source *s, struct err *e)
{
    if (!s->may_read_ahead || s->n_read_bytes < READ_AHEAD_AFTER || s->is_utf16 || s->cr_ends)
        return 0;
    s->may_read_ahead = false;
    return read_ahead_open((struct source_input){ s, read_and_hash }, &s->ahead, e);
}

int source_line(struct source *s, struct span *out, struct err *e)
{
    int rc = start_of_text(s, e);
    if (rc)
        return rc;
    size_t scanned = 0;
    for (;;) {
        size_t left = s->len - s->at;
        const char *from = s->window + s->at;
        const char *nl = left > scanned ? memchr(from + scanned, '\n', left - scanned) : NULL;
        if (!nl && s->at_end && left == 0)
            return 0;
        size_t n = nl ? (size_t)(nl - from) : left;
        if (n > SOURCE_LINE_MAX)
            return err_set(e, ERR_LIMIT, "%s:%lld: line longer than %d bytes", s->path,
                           (long long)s->line_no + 1, SOURCE_LINE_MAX);
        if (nl || s->at_end) {
            s->at += n + (nl != NULL);
            s->line_no++;
            s->line_is_open = !nl;
            *out = (struct span){ from, n && from[n - 1] == '\r' ? n - 1 : n };
            return 1;
        }
        scanned = left;
        rc = start_ahead(s, e);
        if (!rc)
            rc = fill(s, e);
        if (rc)
            return rc;
    }
}

int64_t source_line_no(const struct source *s)
{
    return s->line_no;
}

bool source_line_is_open(const struct source *s)
{
    return s->line_is_open;
}

int source_all(struct source *s, size_t limit, struct span *out, struct err *e)
{
    int rc = start_of_text(s, e);
    if (rc)
        return rc;
    /* A file that is too large for sure need not be read. */
    int64_t ahead = s->is_utf16 ? 0 : s->size_bytes - source_skipped(s);
    bool too_large = ahead > 0 && (uint64_t)ahead > limit;
    if (!too_large)
        rc = fill_to(s, limit + 1, e);
    if (rc)
        return rc;
    if (too_large || s->len - s->at > limit)
        return err_set(e, ERR_LIMIT, "%s: larger than %zu bytes, the most this format may have",
                       s->path, limit);
    *out = (struct span){ s->window + s->at, s->len - s->at };
    s->at = s->len;
    return 0;
}

int64_t source_bytes(const struct source *s)
{
    return s->n_read_bytes;
}

void source_hash(const struct source *s, unsigned char out[16])
{
    const void *state = s->hash_room + hash_offset(s);
    XXH128_hash_t h =
        s->memory.ptr ? XXH3_128bits(s->memory.ptr, s->memory.len) : XXH3_128bits_digest(state);
    struct {
        XXH128_canonical_t bytes;
        XXH64_canonical_t identity;
    } both;
    XXH128_canonicalFromHash(&both.bytes, h);
    if (s->identity) {
        XXH64_canonicalFromHash(&both.identity, s->identity);
        XXH128_canonicalFromHash(&both.bytes, XXH3_128bits(&both, sizeof both));
    }
    memcpy(out, both.bytes.digest, 16);
}

void source_identify(struct source *s, struct span by)
{
    if (by.len)
        s->identity = XXH3_64bits_withSeed(by.ptr, by.len, s->identity);
}

int source_drain_some(struct source *s, int64_t bytes, struct err *e)
{
    int rc = 0;
    int64_t from = s->n_read_bytes;
    while (!rc && !s->at_end && s->n_read_bytes - from < bytes) {
        s->at = s->len;
        rc = fill(s, e);
    }
    s->at = s->len;
    return rc;
}

int source_drain(struct source *s, struct err *e)
{
    return source_drain_some(s, INT64_MAX, e);
}
