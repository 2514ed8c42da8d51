/* data/ingest/cloudwatch/cw_folder.c - see cw_folder.h. */
#include "data/ingest/cloudwatch/cw_folder.h"

#include <dirent.h>
#include <stdio.h>

static int add_file(const char *path, struct arena *a, struct cw_request *io, struct err *e)
{
    struct source *src;
    struct span head;
    struct err why = { 0 };
    int rc = source_open(path, &src, &why);
    if (rc)
        return rc == ERR_NOMEM ? err_nomem(e) : 0;
    rc = source_head(src, &head, &why);
    if (!rc && cw_request_detect(head))
        rc = cw_request_add(src, a, io, &why);
    source_close(src);
    return rc == ERR_NOMEM ? err_nomem(e) : 0;
}

int cw_request_add_folder(const char *folder, bool (*skip)(void *ctx, const struct stat *st),
                          void *ctx, struct arena *a, struct cw_request *io, struct err *e)
{
    DIR *dir = opendir(folder);
    int rc = 0;
    if (!dir)
        return 0;
    for (const struct dirent *d; !rc && (d = readdir(dir)) != NULL;) {
        char path[4096];
        struct stat st;
        int n = snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
        if (d->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path || stat(path, &st) ||
            !S_ISREG(st.st_mode) || st.st_size > CW_REQUEST_FILE_MAX || (skip && skip(ctx, &st)))
            continue;
        rc = add_file(path, a, io, e);
    }
    closedir(dir);
    return rc;
}
