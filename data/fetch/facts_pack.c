/* data/fetch/facts_pack.c - see facts_pack.h. */
#include "data/fetch/facts_pack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, struct span text)
{
    while (text.len) {
        ssize_t n = write(fd, text.ptr, text.len);
        if (n < 0 && errno != EINTR)
            return -1;
        if (n > 0)
            text = span_cut(text, (size_t)n, text.len);
    }
    return 0;
}

/* Whole or not at all: under another name first. */
static int write_file(const char *dir, enum facts_file file, struct span text, struct arena *a,
                      struct err *e)
{
    char *path = arena_printf(a, "%s/%s", dir, facts_file_names[file]);
    char *draft = arena_printf(a, "%s/.%s.tmp", dir, facts_file_names[file]);
    if (!path || !draft)
        return err_nomem(e);
    unlink(draft); /* of a run that was killed, or a link to another file */
    int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, ERR_IO, "%s: cannot be written: %m", draft);
    bool ok = write_all(fd, text) == 0 && fsync(fd) == 0;
    int why = errno;
    close(fd);
    if (ok && rename(draft, path) == 0)
        return 0;
    why = ok ? errno : why;
    unlink(draft);
    return err_set(e, ERR_IO, "%s: cannot be written: %s", path, strerror(why));
}

int facts_pack_write(const char *dir, enum facts_file file, const void *rows, size_t n,
                     struct arena *a, struct err *e)
{
    struct span text;
    if (mkdir(dir, 0777) && errno != EEXIST)
        return err_set(e, ERR_IO, "%s: cannot be made: %m", dir);
    int rc = facts_format(file, rows, n, a, &text, e);
    return rc ? rc : write_file(dir, file, text, a, e);
}
