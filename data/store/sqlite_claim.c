/* data/store/sqlite_claim.c - who works on which system of a SQLite file.
 *
 * A claim is a lock on one byte, the system's number, of an empty file beside the store
 * (FILE-claims).  The kernel takes it back when the process ends, however it ends; it holds up
 * nobody who reads or writes the store. */
#include "data/store/sqlite_db.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct sqlite *backend(const struct store *s)
{
    return s->backend;
}

int sqlite_claims_open(struct store *s, struct err *e)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s-claims", s->path);
    if (len < 0 || (size_t)len >= sizeof path)
        return err_set(e, ERR_STORE, "%.200s...: the name is too long", s->path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, ERR_STORE, "%s: cannot be written: %s", path, strerror(errno));
    sqlite_claims_close(s);
    backend(s)->claims = fd;
    return 0;
}

void sqlite_claims_close(struct store *s)
{
    if (backend(s)->claims >= 0)
        close(backend(s)->claims);
    backend(s)->claims = -1;
}

/* 0, or errno.  system_id 0: all bytes. */
static int lock(struct store *s, short type, int64_t system_id)
{
    struct flock l = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = system_id, .l_len = system_id ? 1 : 0
    };
    return fcntl(backend(s)->claims, F_OFD_SETLK, &l) ? errno : 0;
}

int sqlite_claim(struct store *s, int64_t system_id, bool *out_mine, struct err *e)
{
    int why = lock(s, F_WRLCK, system_id);
    if (why && why != EAGAIN && why != EACCES)
        return err_set(e, ERR_STORE, "%s-claims: cannot be locked: %s", s->path, strerror(why));
    *out_mine = !why;
    return 0;
}

void sqlite_claim_end(struct store *s)
{
    if (backend(s)->claims >= 0)
        lock(s, F_UNLCK, 0);
}
