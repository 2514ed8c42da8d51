/* data/ingest/archive/expand.h - the files that a file holds: itself, or what is packed in it.
 *
 * Compressed data (gzip, bzip2, xz, zstd) and archives (tar, zip), inside each other as they come,
 * are told by their content and read from front to back; nothing is written to disk.  The path of a
 * member is that of its archive, a slash, and its name, which is a label and nothing more:
 * "logs.tar.xz/../etc/passwd" touches no file.  Compressed data keeps the path of its file.
 *
 * Left out: folders, names that begin with a dot (as in folders on disk) and, with a note, links
 * and devices.
 *
 * Limits of one file, against bombs:
 *   levels    archives inside each other; a compressed tar is one level
 *   members   of all archives together
 *   bytes     unpacked, counted at each depth for itself
 *   ratio     unpacked bytes over bytes read of the file, from EXPAND_FREE_BYTES on
 * A limit of the user's own for the bytes lifts the ratio, raises the members in proportion and the
 * levels to EXPAND_RAISED_LEVELS. */
#ifndef DATA_INGEST_ARCHIVE_EXPAND_H
#define DATA_INGEST_ARCHIVE_EXPAND_H

#include "data/ingest/source.h"

enum {
    EXPAND_LEVELS = 4,
    EXPAND_RAISED_LEVELS = 8,
    EXPAND_MEMBERS = 100000,
    EXPAND_RATIO = 1000,
    EXPAND_NAME_MAX = 1024 /* a longer name is cut */
};
#define EXPAND_FREE_BYTES (INT64_C(64) << 20)
#define EXPAND_BYTES      (INT64_C(64) << 30)

struct expand_options {
    int64_t max_bytes; /* the user's own; 0 = the limits above */
    /* Something was left out.  0, or a negative code that expand_next passes on. */
    int (*note)(void *ctx, const char *text, struct err *e);
    void *note_ctx;
};

struct expander;

/* outer must outlive it; nothing was read from it.  NULL when memory is out. */
struct expander *expand_open(struct source *outer, const struct expand_options *o);
void expand_close(struct expander *x); /* NULL does nothing */

/* The next file: 1 and a source that is valid until the next call (outer itself when it is not
 * packed), or 0 when there is none.  When the bytes of a member cannot be read on, the source says
 * so to its reader.  Anything else that is wrong with an archive is a negative code: ERR_NOMEM, or
 * one whose words begin with expand_path; what is left may then be had by further calls. */
int expand_next(struct expander *x, struct source **out, struct err *e);
/* What the last error of expand_next was about; valid until the next call. */
const char *expand_path(const struct expander *x);

#endif
