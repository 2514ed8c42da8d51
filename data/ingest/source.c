/* data/ingest/source.c - see source.h.
 *
 * Memory: the caller's bytes are the window, nothing is copied.  A file: a window that slides
 * over it, one read() at a time; it grows only for a long line or for source_all.  The
 * hash is fed as the bytes arrive, so that no file is read twice. */
#include "data/ingest/source.h"

#include "models/core/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_STATIC_LINKING_ONLY /* shows XXH3_state_t, so that it needs no malloc */
#include <xxhash.h>

enum { READ_CHUNK = 256 * 1024, HASH_ALIGN = 64 };

struct source {
    const char *window; /* bytes that are in memory */
    size_t len, at;     /* bytes in the window, and how many of them were handed out */
    bool at_end;        /* nothing comes after the window */
    bool line_is_open;
    int64_t line_no;
    int64_t n_read_bytes;

    int fd; /* -1: over memory */
    char *buf;
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
    s->window = bytes.ptr ? bytes.ptr : "";
    s->len = bytes.len;
    s->n_read_bytes = (int64_t)bytes.len;
    s->at_end = true;
    return s;
}

/* A file descriptor, or a negative code. */
static int open_regular(const char *path, struct err *e)
{
    /* O_NONBLOCK: a FIFO nobody writes to must not hang the open */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return err_set(e, ERR_FILE, "%s: cannot be opened: %m", path);
    struct stat st;
    int rc = 0;
    if (fstat(fd, &st))
        rc = err_set(e, ERR_FILE, "%s: cannot be read: %m", path);
    else if (S_ISDIR(st.st_mode))
        rc = err_set(e, ERR_FILE, "%s: is a directory", path);
    else if (!S_ISREG(st.st_mode))
        rc = err_set(e, ERR_FILE, "%s: is not a regular file", path);
    if (!rc)
        return fd;
    close(fd);
    return rc;
}

int source_open(const char *path, struct source **out, struct err *e)
{
    int fd = open_regular(path, e);
    if (fd < 0)
        return fd;
    struct source *s = source_new(path);
    char *buf = s ? mem_alloc(READ_CHUNK) : NULL;
    if (!buf) {
        mem_free(s);
        close(fd);
        return err_nomem(e);
    }
    s->fd = fd;
    s->buf = buf;
    s->window = buf;
    s->room = READ_CHUNK;
    XXH3_INITSTATE(hash_state(s));
    XXH3_128bits_reset(hash_state(s));
    *out = s;
    return 0;
}

void source_close(struct source *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    mem_free(s->buf);
    mem_free(s);
}

const char *source_path(const struct source *s)
{
    return s->path;
}

/* Makes room behind the window: what was handed out goes, else the window grows. */
static int make_room(struct source *s, struct err *e)
{
    if (s->at) {
        s->len -= s->at;
        memmove(s->buf, s->buf + s->at, s->len);
        s->at = 0;
    }
    if (s->len < s->room)
        return 0;
    char *grown = mem_realloc(s->buf, s->room * 2);
    if (!grown)
        return err_nomem(e);
    s->buf = grown;
    s->window = grown;
    s->room *= 2;
    return 0;
}

/* Reads once, or finds the end. */
static int fill(struct source *s, struct err *e)
{
    int rc = make_room(s, e);
    if (rc)
        return rc;
    ssize_t n;
    do
        n = read(s->fd, s->buf + s->len, s->room - s->len);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_set(e, ERR_FILE, "%s: cannot be read: %m", s->path);
    if (n == 0) {
        s->at_end = true;
        return 0;
    }
    XXH3_128bits_update(hash_state(s), s->buf + s->len, (size_t)n);
    s->len += (size_t)n;
    s->n_read_bytes += n;
    return 0;
}

static void skip_byte_order_mark(struct source *s)
{
    if (s->at == 0 && s->len >= 3 && memcmp(s->window, "\xEF\xBB\xBF", 3) == 0)
        s->at = 3;
}

int source_head(struct source *s, struct span *out, struct err *e)
{
    while (!s->at_end && s->len < SOURCE_HEAD) {
        int rc = fill(s, e);
        if (rc)
            return rc;
    }
    if (s->line_no == 0)
        skip_byte_order_mark(s);
    *out = span_cut((struct span){ s->window + s->at, s->len - s->at }, 0, SOURCE_HEAD);
    return 0;
}

static int start_of_text(struct source *s, struct err *e)
{
    while (!s->at_end && s->len < 3) {
        int rc = fill(s, e);
        if (rc)
            return rc;
    }
    skip_byte_order_mark(s);
    return 0;
}

int source_line(struct source *s, struct span *out, struct err *e)
{
    if (s->line_no == 0) {
        int rc = start_of_text(s, e);
        if (rc)
            return rc;
    }
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
        int rc = fill(s, e);
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
    if (s->line_no == 0) {
        int rc = start_of_text(s, e);
        if (rc)
            return rc;
    }
    while (!s->at_end && s->len - s->at <= limit) {
        int rc = fill(s, e);
        if (rc)
            return rc;
    }
    if (s->len - s->at > limit)
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
    XXH128_hash_t h = s->fd < 0 ? XXH3_128bits(s->window, s->len) : XXH3_128bits_digest(state);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, h);
    memcpy(out, canonical.digest, 16);
}

int source_drain(struct source *s, struct err *e)
{
    while (!s->at_end) {
        s->at = s->len;
        int rc = fill(s, e);
        if (rc)
            return rc;
    }
    s->at = s->len;
    return 0;
}
