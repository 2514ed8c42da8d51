/* data/facts.c - see facts.h. */
#include "data/facts.h"

#include "data/ingest/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { FACTS_BYTES_MAX = 64 * 1024 * 1024 };

static int check_dir(const char *dir, struct err *e)
{
    struct stat st;
    if (stat(dir, &st))
        return err_set(e, ERR_FILE, "%s: cannot be opened: %m", dir);
    return S_ISDIR(st.st_mode) ? 0 : err_set(e, ERR_FILE, "%s: is not a directory", dir);
}

/* *out is NULL for a file that is not there. */
static int open_file(const char *dir, const char *name, struct arena *a, struct source **out,
                     struct err *e)
{
    struct stat st;
    const char *path = arena_printf(a, "%s/%s", dir, name);
    if (!path)
        return err_nomem(e);
    *out = NULL;
    if (stat(path, &st) && errno == ENOENT)
        return 0;
    return source_open(path, out, e);
}

static int parse_files(const char *dir, struct source *sources[FACTS_FILE_COUNT], struct arena *a,
                       struct catalogue *out, struct err *e)
{
    struct span files[FACTS_FILE_COUNT] = { { NULL, 0 } };
    size_t n = 0;
    for (int i = 0; i < FACTS_FILE_COUNT; i++) {
        int rc = open_file(dir, facts_file_names[i], a, &sources[i], e);
        if (!rc && sources[i])
            rc = source_all(sources[i], FACTS_BYTES_MAX, &files[i], e);
        if (rc)
            return rc;
        n += sources[i] != NULL;
    }
    if (!n)
        return err_set(e, ERR_FILE, "%s: none of the files of figures is there (%s, %s, ...)", dir,
                       facts_file_names[0], facts_file_names[1]);
    int rc = facts_parse(files, &builtin_catalogue, a, out, e);
    if ((rc == ERR_PARSE || rc == ERR_LIMIT) && e) {
        char was[sizeof e->text]; /* begins with the file's name */
        memcpy(was, e->text, sizeof was);
        err_set(e, rc, "%s/%s", dir, was);
    }
    return rc;
}

int facts_open(const char *dir, struct arena *a, struct catalogue *out, struct err *e)
{
    struct source *sources[FACTS_FILE_COUNT] = { NULL };
    int rc = check_dir(dir, e);
    if (!rc)
        rc = parse_files(dir, sources, a, out, e);
    for (int i = 0; i < FACTS_FILE_COUNT; i++)
        source_close(sources[i]);
    return rc;
}
