/* data/ingest/cloudwatch/cw_folder.h - finds the request files that lie beside an answer. */
#ifndef DATA_INGEST_CLOUDWATCH_CW_FOLDER_H
#define DATA_INGEST_CLOUDWATCH_CW_FOLDER_H

#include "data/ingest/cloudwatch/cloudwatch.h"

#include <sys/stat.h>

/* A request has 500 queries at most; what is larger than this is not opened. */
enum { CW_REQUEST_FILE_MAX = 4 * 1024 * 1024 };

/* Adds the request files among the regular files of a folder; a file of which `skip` (may be NULL)
 * says true is not opened, and one that cannot be read is passed over.  Negative: ERR_NOMEM only.
 */
int cw_request_add_folder(const char *folder, bool (*skip)(void *ctx, const struct stat *st),
                          void *ctx, struct arena *a, struct cw_request *io, struct err *e);

#endif
