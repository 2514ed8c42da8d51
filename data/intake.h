/* data/intake.h - what a parser finds in one file, on its way into the store.
 *
 * The first thing found decides whose file it is: the system that the user named, else the host of
 * the file; with it the file's transaction begins.  Everything is also handed to the tap.
 *
 * The samples of a large file are stored by a second thread, where the options allow it: it has
 * the store for itself until something else is to be stored, or the file ends. */
#ifndef DATA_INTAKE_H
#define DATA_INTAKE_H

#include "data/ingest_files.h"
#include "data/sample_queue.h"

/* What was said of a file; the last place counts what found none. */
struct warning_list {
    struct arena *arena;
    struct ingest_warning *item;
    size_t n, room, n_unlisted;
    size_t most; /* at most INGEST_WARNINGS_MAX */
};

int warning_list_add(struct warning_list *l, int64_t line, const char *text, struct err *e);
/* The last place tells how many had none; may be called again when there are more. */
int warning_list_count_rest(struct warning_list *l, struct err *e);

struct intake {
    struct store *store;        /* NULL = nothing is kept */
    struct sample_queue *queue; /* samples go to a second thread; NULL = into the store */
    const struct ingest_files_options *options;
    struct arena *arena;
    struct warning_list *warnings;
    const struct source *outer; /* the file on disk that is being read, for the progress */
    const char *path, *format;
    const char *system; /* NULL until it is known */
    int64_t first_ms, last_ms;
    int64_t n_timed, n_untimed; /* samples, without the averages since boot */
    int64_t n_rows;             /* of the other kinds, but for snapshots */
    int64_t n_not_ebs;          /* lines of a bill that were not kept */
    const char *said;           /* last warning of the parser about the whole file; NULL */
};

struct sink intake_sink(struct intake *t);
/* After the last of the file, whose reading ended with rc and its words in why: waits until all
 * samples are in the store; the first that could not be kept is what counts then, not rc. */
int intake_end(struct intake *t, int rc, struct err *why);
void intake_progress(const struct intake *t);

#endif
