/* planner/diagnose/disk_frames.c - see disk_frames.h. */
#include "planner/diagnose/disk_frames.h"

#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_disk(const struct load_series *s)
{
    return s->kind == SERIES_DEVICE || s->kind == SERIES_VOLUME;
}

bool disk_frames_open(struct disk_frames *f, struct run *r, const struct group_demand *g)
{
    size_t n = g->n_members;
    *f = (struct disk_frames){ .group = g };
    if (n < 2 || !is_disk(g->members[0].series))
        return false;
    f->at = arena_array(r->arena, n, sizeof *f->at);
    f->disk = arena_array(r->arena, n, sizeof *f->disk);
    f->scratch = arena_array(r->arena, n, sizeof *f->scratch);
    if (!f->at || !f->disk || !f->scratch) {
        r->failed = true;
        return false;
    }
    for (size_t m = 1; m < n; m++)
        if (g->members[m].series->n > g->members[f->lead].series->n)
            f->lead = m;
    return true;
}

/* Known parts together; NaN when none is. */
static double sum_known(double a, double b)
{
    if (isnan(a))
        return b;
    return isnan(b) ? a : a + b;
}

static struct disk_at disk_at_sample(size_t member, const struct load_series *s, size_t i)
{
    struct disk_at d = { .member = member,
                         .series = s,
                         .i = i,
                         .read_iops = s->read_iops[i],
                         .read_mibps = s->read_mibps[i],
                         .total_iops = sum_known(s->read_iops[i], s->write_iops[i]),
                         .total_mibps = sum_known(s->read_mibps[i], s->write_mibps[i]) };
    if (s->unsplit_iops)
        d.total_iops = sum_known(d.total_iops, s->unsplit_iops[i]);
    if (s->unsplit_mibps)
        d.total_mibps = sum_known(d.total_mibps, s->unsplit_mibps[i]);
    d.read_kib = d.read_iops > 0 ? d.read_mibps * 1024 / d.read_iops : (double)NAN;
    return d;
}

bool disk_frames_next(struct disk_frames *f)
{
    const struct load_series *lead = f->group->members[f->lead].series;
    while (f->next < lead->n) {
        f->time_ms = lead->begin_ms[f->next++];
        f->n = 0;
        for (size_t m = 0; m < f->group->n_members; m++) {
            const struct load_series *s = f->group->members[m].series;
            size_t *at = &f->at[m];
            while (*at < s->n && s->end_ms[*at] <= f->time_ms)
                ++*at;
            if (*at < s->n && s->begin_ms[*at] <= f->time_ms)
                f->disk[f->n++] = disk_at_sample(m, s, *at);
        }
        if (f->n > 1)
            return true;
    }
    return false;
}

static double rate_of(const struct disk_at *d, size_t offset)
{
    double v;
    memcpy(&v, (const char *)d + offset, sizeof v);
    return v;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double disk_frames_median(struct disk_frames *f, size_t offset, size_t but)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        double v = rate_of(&f->disk[i], offset);
        if (i != but && !isnan(v))
            f->scratch[n++] = v;
    }
    if (!n)
        return NAN;
    qsort(f->scratch, n, sizeof *f->scratch, ascending);
    return n % 2 ? f->scratch[n / 2] : (f->scratch[n / 2 - 1] + f->scratch[n / 2]) / 2;
}

size_t disk_frames_most(const struct disk_frames *f, size_t offset)
{
    size_t most = f->n;
    for (size_t i = 0; i < f->n; i++) {
        double v = rate_of(&f->disk[i], offset);
        if (!isnan(v) && (most == f->n || v > rate_of(&f->disk[most], offset)))
            most = i;
    }
    return most;
}

/* --- evidence --------------------------------------------------------------------------------- */

struct line {
    char text[240];
    size_t at;
};

static void put(struct line *l, double v, const char *words)
{
    char buf[32];
    if (isnan(v) || l->at >= sizeof l->text)
        return;
    int n = snprintf(l->text + l->at, sizeof l->text - l->at, "%s%s %s", l->at ? ", " : "",
                     figure(buf, v), words);
    l->at += n > 0 ? (size_t)n : 0;
}

/* In the order in which the reader takes them for the line of a point. */
static void put_first(struct line *l, const struct load_series *s, size_t i)
{
    if (!isnan(s->read_mibps[i]))
        put(l, s->read_mibps[i] * 1024, "KiB/s read");
    else if (!isnan(s->write_mibps[i]))
        put(l, s->write_mibps[i] * 1024, "KiB/s written");
    else if (!isnan(s->read_iops[i]))
        put(l, s->read_iops[i], "reads/s");
    else
        put(l, s->write_iops[i], "writes/s");
}

static bool is_some(double rate)
{
    return rate > 0;
}

/* A direction without any load is left out where the other has some. */
void draft_see_sample(struct run *r, struct draft *d, const struct load_series *s, size_t i,
                      unsigned parts)
{
    struct line l = { .at = 0 };
    if (s->kind == SERIES_VOLUME) { /* each metric has a line of its own, and this is the first's */
        put_first(&l, s, i);
        parts = 0;
    }
    bool split = !isnan(s->read_iops[i]) || !isnan(s->write_iops[i]) || !isnan(s->read_mibps[i]) ||
                 !isnan(s->write_mibps[i]);
    bool oracle = s->kind == SERIES_FILETYPE; /* AWR prints M where iostat prints kB */
    double scale = oracle ? 1 : 1024;
    bool reads = is_some(s->read_iops[i]) || is_some(s->read_mibps[i]);
    bool writes = is_some(s->write_iops[i]) || is_some(s->write_mibps[i]);
    if (parts & SAMPLE_READS && (reads || !writes)) {
        put(&l, s->read_iops[i], "reads/s");
        put(&l, s->read_mibps[i] * scale, oracle ? "MiB/s read" : "KiB/s read");
        if (s->read_merge_pct && s->read_merge_pct[i] > 0)
            put(&l, s->read_merge_pct[i], "% merged");
    }
    if (parts & SAMPLE_WRITES && (writes || !reads)) {
        put(&l, s->write_iops[i], "writes/s");
        put(&l, s->write_mibps[i] * scale, oracle ? "MiB/s written" : "KiB/s written");
    }
    if (!split && s->unsplit_iops)
        put(&l, s->unsplit_iops[i], "requests/s");
    if (!split && s->unsplit_mibps)
        put(&l, s->unsplit_mibps[i] * 1024, "KiB/s");
    draft_see(r, d, s->file_id ? s->file_id[i] : 0, s->line ? s->line[i] : UNKNOWN, s->end_ms[i],
              "%s: %s", s->name, l.text);
}
