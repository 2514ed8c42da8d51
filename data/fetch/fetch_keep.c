/* data/fetch/fetch_keep.c - see fetch_keep.h. */
#include "data/fetch/fetch_keep.h"

#include "data/intake.h"
#include "models/core/unit.h"

#include <math.h>

static int read_text(const struct fetch_file *f, struct source *src, struct intake *t,
                     struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    const struct format *format = format_find(f->format);
    struct sink sink = intake_sink(t);
    int rc = 0;
    for (size_t i = 0; !rc && i < f->n_records; i++)
        rc = sink.record(sink.ctx, &f->records[i], e);
    if (!rc)
        rc = format->read(src, &t->options->parse, &sink, a, rows, skipped, e);
    if (!rc)
        rc = source_drain(src, e);
    return rc ? rc : warning_list_count_rest(t->warnings, e);
}

static int commit(struct store *s, const struct intake *t, const struct source *src, int64_t rows,
                  int64_t skipped, bool *known, struct err *e)
{
    struct store_file_end end = { .rows = rows,
                                  .skipped = skipped,
                                  .bytes = source_bytes(src),
                                  .first_ms = t->first_ms,
                                  .last_ms = t->last_ms };
    int rc = 0;
    for (size_t i = 0; !rc && i < t->warnings->n; i++)
        rc = store_file_warning(s, t->warnings->item[i].line, t->warnings->item[i].text, e);
    source_hash(src, end.content_hash);
    return rc ? rc : store_file_commit(s, &end, known, e);
}

int fetch_keep(struct store *s, const struct fetch_file *f, int64_t *out_rows, struct err *e)
{
    struct arena a = { 0 };
    struct source *src = source_of_span(f->path, f->text);
    if (!src)
        return err_nomem(e);
    struct warning_list warnings = { .arena = &a, .most = INGEST_WARNINGS_MAX };
    struct ingest_files_options options = { .parse = { .date_ms = UNKNOWN, .interval_s = NAN },
                                            .system = f->system,
                                            .tap = f->tap };
    struct intake t = { .store = s,
                        .options = &options,
                        .arena = &a,
                        .warnings = &warnings,
                        .outer = src,
                        .path = f->path,
                        .format = f->format,
                        .first_ms = UNKNOWN,
                        .last_ms = UNKNOWN };
    int64_t rows = 0, skipped = 0;
    bool known = false;
    int rc = read_text(f, src, &t, &a, &rows, &skipped, e);
    if (!rc && t.system)
        rc = commit(s, &t, src, rows, skipped, &known, e);
    if (rc)
        store_file_rollback(s);
    source_close(src);
    arena_release(&a);
    if (!rc)
        *out_rows = known ? 0 : rows;
    return rc;
}
