/* data/ingest/oraclecsv/spool_table.c - see spool_table.h. */
#include "data/ingest/oraclecsv/spool_table.h"

static int read_rows(struct spool_table *t, const struct spool_layout *layout, void *reader,
                     struct source *src, struct arena *a)
{
    int rc = csv_open(&t->csv, src, ',', a, t->err);
    if (rc >= 0)
        rc = layout->open(reader, rc > 0);
    while (!rc && (rc = csv_next(&t->csv, t->err)) > 0)
        rc = layout->row(reader);
    if (!rc)
        rc = metric_batch_flush(&t->batch, t->err);
    if (!rc)
        rc = snap_clock_end(&t->clock, t->sink, t->err);
    return rc ? rc : spool_warnings_end(&t->broken, t->sink, layout->left_out, t->err);
}

int spool_table_read(struct spool_table *t, const struct spool_layout *layout, void *reader,
                     struct source *src, struct arena *a, int64_t *rows, int64_t *skipped)
{
    int rc = read_rows(t, layout, reader, src, a);
    metric_batch_release(&t->batch);
    if (rc)
        return rc;
    *rows = t->n_rows + t->batch.n_handed_over;
    *skipped = t->n_skipped;
    return 0;
}

int spool_table_leave_out(struct spool_table *t, const char *why)
{
    t->n_skipped++;
    return spool_warn(&t->broken, t->sink, t->csv.line, why, t->err);
}
