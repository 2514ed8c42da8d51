/* planner/diagnose/awr_find.c - see awr_find.h. */
#include "planner/diagnose/awr_find.h"

#include "models/core/unit.h"
#include "models/oracle/redo_block.h"

#include <string.h>

static bool begins(const char *name, const char *prefix)
{
    return name && strncmp(name, prefix, strlen(prefix)) == 0;
}

const struct awr_event *awr_event_find(const struct awr_snapshot *w, const char *prefix)
{
    for (size_t i = 0; i < w->n_events; i++)
        if (begins(w->events[i].name, prefix))
            return &w->events[i];
    return NULL;
}

const struct awr_stat *awr_stat_find(const struct awr_snapshot *w, const char *name)
{
    for (size_t i = 0; i < w->n_stats; i++)
        if (w->stats[i].name && strcmp(w->stats[i].name, name) == 0)
            return &w->stats[i];
    return NULL;
}

static const struct awr_io_row *io_find(const struct awr_io_row *rows, size_t n, const char *prefix)
{
    for (size_t i = 0; i < n; i++)
        if (begins(rows[i].name, prefix))
            return &rows[i];
    return NULL;
}

const struct awr_io_row *awr_function_find(const struct awr_snapshot *w, const char *prefix)
{
    return io_find(w->functions, w->n_functions, prefix);
}

const struct awr_io_row *awr_filetype_find(const struct awr_snapshot *w, const char *prefix)
{
    return io_find(w->filetypes, w->n_filetypes, prefix);
}

double awr_event_pct(const struct awr_snapshot *w, const struct awr_event *ev)
{
    if (!isnan(ev->pct_db_time))
        return ev->pct_db_time;
    return w->db_time_s > 0 ? 100 * ev->time_s / w->db_time_s : (double)NAN;
}

double awr_event_avg_ms(const struct awr_event *ev)
{
    return isnan(ev->avg_ms) ? redo_wait_avg_ms(ev->time_s, ev->waits) : ev->avg_ms;
}

const char *awr_name(const struct awr_snapshot *w)
{
    if (w->instance && *w->instance)
        return w->instance;
    return w->db_name && *w->db_name ? w->db_name : "the database";
}

void draft_see_event(struct run *r, struct draft *d, const struct awr_snapshot *w,
                     const struct awr_event *ev)
{
    char waits[32], time_s[32], pct[32];
    if (isnan(ev->waits))
        draft_see(r, d, w->file_id, ev->line, w->end_ms, "%s: %s s%s%s%s", ev->name,
                  figure(time_s, ev->time_s), isnan(ev->pct_db_time) ? "" : ", ",
                  isnan(ev->pct_db_time) ? "" : figure(pct, ev->pct_db_time),
                  isnan(ev->pct_db_time) ? "" : " % of DB time");
    else
        draft_see(r, d, w->file_id, ev->line, w->end_ms, "%s: %s waits, %s s%s%s%s", ev->name,
                  figure(waits, ev->waits), figure(time_s, ev->time_s),
                  isnan(ev->pct_db_time) ? "" : ", ",
                  isnan(ev->pct_db_time) ? "" : figure(pct, ev->pct_db_time),
                  isnan(ev->pct_db_time) ? "" : " % of DB time");
}

void draft_see_stat(struct run *r, struct draft *d, const struct awr_snapshot *w,
                    const struct awr_stat *s)
{
    char v[32];
    bool has_rate = !isnan(s->per_s);
    draft_see(r, d, w->file_id, s->line, w->end_ms, "%s: %s%s", s->name,
              figure(v, has_rate ? s->per_s : s->total), has_rate ? " a second" : " in all");
}

void draft_see_io(struct run *r, struct draft *d, const struct awr_snapshot *w,
                  const struct awr_io_row *row)
{
    char read[32], write[32], requests[32];
    draft_see(r, d, w->file_id, row->line, w->end_ms,
              "%s: %s MiB/s read, %s MiB/s written in %s requests/s", row->name,
              figure(read, row->read_bytes_per_s / MIB_BYTES),
              figure(write, row->write_bytes_per_s / MIB_BYTES),
              figure(requests, row->write_requests_per_s));
}
