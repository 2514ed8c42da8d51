/* data/ingest_files.h - the way of a file in: path -> format -> parser -> store.
 *
 * A packed file stands for the files in it (data/ingest/archive/expand.h): each is a file of its
 * own here, with its own result and its own transaction.
 *
 * A folder is walked in the order of names, down to INGEST_DEPTH_MAX levels; entries whose
 * name starts with a dot, what is neither file nor folder, the store itself and links that
 * lead back to a folder above are passed over.
 *
 * A bad file does not stop the others and leaves nothing in the store: its result says why.
 * Only what makes going on pointless (memory, the store) is returned as an error. */
#ifndef DATA_INGEST_FILES_H
#define DATA_INGEST_FILES_H

#include "data/ingest/format.h"
#include "data/store/store.h"

enum { INGEST_DEPTH_MAX = 32, INGEST_WARNINGS_MAX = 200 };

struct ingest_result;

struct ingest_files_options {
    struct ingest_options parse;
    const char *system;       /* NULL = the host that the file names */
    const char *zone_name;    /* of parse.zone as the user gave it; NULL = UTC */
    int64_t max_expand_bytes; /* what one packed file may unpack to; 0 = the limits of expand.h */
    int jobs; /* threads to use; from 2 on others read a large file ahead and store its samples */
    struct sink *tap; /* also gets all that is read; NULL = nobody */
    /* Told the bytes read of a file on disk after each block of work; NULL = nobody. */
    void (*progress)(void *ctx, const char *path, int64_t bytes);
    void *progress_ctx;
    /* Told that a file begins, and what became of it, 0 or a negative code that is passed on (no
     * end is told where ingest_path returns an error); NULL = nobody. */
    void (*begin)(void *ctx, const char *path);
    int (*end)(void *ctx, const struct ingest_result *r, struct err *e);
    void *file_ctx;
};

enum ingest_status { INGEST_NEW, INGEST_KNOWN, INGEST_FAILED };
const char *ingest_status_name(enum ingest_status s); /* "new" */

struct ingest_warning {
    int64_t line; /* 0 = the whole file */
    const char *text;
};

struct ingest_result {
    const char *path;
    const char *format; /* NULL = not recognised */
    const char *system; /* NULL = none found */
    enum ingest_status status;
    int64_t rows, skipped, bytes;
    int64_t first_ms, last_ms; /* UNKNOWN when nothing has a time */
    const struct ingest_warning
        *warnings; /* the first INGEST_WARNINGS_MAX; a last one counts the rest */
    size_t n_warnings;
    int code;          /* 0, or why it failed: a code of ERR_TABLE */
    const char *error; /* the words; NULL when it did not fail */
};

struct ingest_results {
    struct ingest_result *item;
    size_t n, room;
};

/* Reads a file or a folder and appends one result per file, member of an archive, and archive that
 * is damaged or beyond a limit, all in the arena.  Without a
 * store nothing is kept and no system is needed: status is INGEST_NEW or INGEST_FAILED. */
int ingest_path(struct store *s, const char *path, const struct ingest_files_options *o,
                struct arena *a, struct ingest_results *results, struct err *e);

#endif
