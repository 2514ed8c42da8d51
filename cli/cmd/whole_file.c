/* cli/cmd/whole_file.c - see whole_file.h. */
#include "cli/cmd/whole_file.h"

#include "data/ingest/source.h"

int whole_file(const char *path, size_t max_bytes, struct arena *a, struct span *out, struct err *e)
{
    struct source *src;
    struct span bytes = { 0 };
    int rc = source_open(path, &src, e);
    if (rc)
        return rc;
    rc = source_all(src, max_bytes, &bytes, e);
    if (!rc) {
        char *copy = arena_strndup(a, bytes.ptr, bytes.len);
        *out = (struct span){ copy, bytes.len };
        rc = copy ? 0 : err_nomem(e);
    }
    source_close(src);
    return rc;
}
