/* cli/progress.h - a bar on the terminal for long work: how far, how fast, how long yet. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/app.h"

struct progress {
    const struct app *app; /* NULL = not on a terminal, or quiet: nothing is shown */
    bool items;            /* items are counted, not bytes */
    int64_t total_bytes;   /* 0 = unknown; of items their number, as below */
    int64_t done_bytes;    /* of the files before the current one */
    int64_t file_bytes;    /* of the current one */
    char path[256];        /* of the current one */
    int64_t start_ms, shown_ms;
    bool on_screen;
};

/* The bytes of all paths, folders walked, are counted when there is a terminal to show them on. */
void progress_start(struct progress *p, const struct app *app, const char *const *paths, size_t n);
/* For ingest_files_options: ctx is the progress. */
void progress_step(void *ctx, const char *path, int64_t bytes);
/* The same for work of n_items instead of bytes: an item is done. */
void progress_start_items(struct progress *p, const struct app *app, size_t n_items);
void progress_item(struct progress *p, const char *name, size_t n_done);
/* Clears the line. */
void progress_stop(struct progress *p);

/* The line as it is shown, of at most `columns`; no rate before a second has passed. */
enum { PROGRESS_ROOM = 512 };
char *progress_line(char buf[PROGRESS_ROOM], const char *path, int64_t done_bytes,
                    int64_t total_bytes, int64_t elapsed_ms, int columns);
/* The same of items: "PRD1  ███░░░  12 of 300  4 s left". */
char *progress_items_line(char buf[PROGRESS_ROOM], const char *name, int64_t done, int64_t total,
                          int64_t elapsed_ms, int columns);

#endif
