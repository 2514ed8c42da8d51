/* cli/report/out_file.c - see out_file.h. */
#include "cli/report/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DRAFTS = 100 }; /* names to try, where others write the same file */

static int check_target(const char *path, struct err *e)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return err_set(e, ERR_USAGE, "%.200s is %s: give the name of a file, as in -o report.html",
                       path, S_ISDIR(s.st_mode) ? "a folder" : "no file");
    return 0;
}

static int cannot(const char *path, struct err *e)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return err_set(e, ERR_USAGE, "%.200s: its folder is not there: make it, or name another",
                       path);
    return err_set(e, ERR_IO, "%.200s: cannot be written: %s", path, strerror(errno));
}

int out_file_open(struct out_file *o, const char *path, struct arena *a, struct err *e)
{
    *o = (struct out_file){ .path = path };
    int rc = check_target(path, e), fd = -1;
    for (int i = 0; i < DRAFTS && fd < 0 && !rc; i++) {
        o->draft = arena_printf(a, "%s.part%d", path, i);
        if (!o->draft)
            return err_nomem(e);
        fd = open(o->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (rc)
        return rc;
    o->f = fd < 0 ? NULL : fdopen(fd, "wb");
    if (o->f)
        return 0;
    rc = cannot(path, e);
    if (fd >= 0) {
        close(fd);
        unlink(o->draft);
    }
    return rc;
}

int out_file_close(struct out_file *o, int rc, struct err *e)
{
    int failed = ferror(o->f);
    failed |= fclose(o->f);
    if (!rc && (failed || rename(o->draft, o->path) != 0))
        rc = err_set(e, ERR_IO, "%.200s: cannot be written: %s", o->path, strerror(errno));
    if (rc)
        unlink(o->draft);
    return rc;
}
