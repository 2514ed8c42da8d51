/* data/ingest/awr/awr_check.c - the figures of one report against each other.
 *
 * Elapsed is end - begin: the printed minutes are rounded to 0.6 s.  A rate that cannot be
 * read, or that contradicts its total, is total / elapsed (the total carries its unit, a rate
 * may have lost its); when most rates contradict, the period is doubted and nothing changed.
 * Requests by function above those of the whole instance are counter faults seen on Exadata:
 * unknown.  Statistics appear up to twice ("Key ..." and the full list) and are kept once. */
#include "data/ingest/awr/awr_report.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 3 }; /* warnings of a kind, the rest is counted */

#define BIG_BYTES 1073741824.0 /* printed totals below have too few digits to compare with */

static const double CONTRADICTION = 0.10; /* relative; rounding explains up to 0.06 above 1 GiB */
static const double SUM_TOLERANCE = 0.06; /* relative; rows of two digits (7.1E+04) are 0.05 off */
static const double FAR_ABOVE = 3;        /* times the requests by file type */
static const double SUM_SLACK = 0.2;      /* MiB/s or requests/s */

/* --- period ----------------------------------------------------------------------------------- */

static int check_period(struct awr_report *r, struct awr_part *p)
{
    struct awr_snapshot *s = &p->now;
    if (s->begin_ms == UNKNOWN || s->end_ms == UNKNOWN)
        return err_set(r->err, ERR_PARSE,
                       "%s:%lld: no begin and end of the period: needed is a table with the "
                       "headings Snap Id | Snap Time; headings seen last: %s",
                       r->path, (long long)r->line,
                       r->headings_seen[0] ? r->headings_seen : "none");
    double between_s = (double)(s->end_ms - s->begin_ms) / 1000;
    double printed_s = p->elapsed_printed_s;
    double most_apart_s = 1 + p->times_step_s + p->elapsed_step_s + 0.001 * printed_s;
    /* clocks without seconds: the printed minutes, with two decimals, are finer */
    bool printed_is_finer = p->elapsed_step_s * 2 < p->times_step_s;
    bool agree = fabs(between_s - printed_s) <= most_apart_s;
    s->elapsed_s = between_s > 0 && !(printed_is_finer && agree) ? between_s : printed_s;
    if (!(s->elapsed_s > 0))
        return err_set(r->err, ERR_PARSE, "%s:%lld: the period ends before it begins", r->path,
                       (long long)r->line);
    int rc = 0;
    if (!agree && !isnan(printed_s))
        rc = awr_warn(r, 0,
                      "elapsed time is printed as %.2f min, but begin and end are %.2f min apart: "
                      "taken is %.2f min",
                      printed_s / 60, between_s / 60, s->elapsed_s / 60);
    if (!rc && p->first_snap != UNKNOWN && p->last_snap != UNKNOWN &&
        p->last_snap > p->first_snap && p->last_snap - 1 > p->first_snap)
        rc = awr_warn(r, 0,
                      "averages over snapshots %lld to %lld, %.1f h: peaks within are not seen",
                      (long long)p->first_snap, (long long)p->last_snap, s->elapsed_s / 3600);
    return rc;
}

/* --- statistics ------------------------------------------------------------------------------- */

static int by_name(const void *pa, const void *pb)
{
    const struct awr_stat *a = pa, *b = pb;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void fill_stat(struct awr_stat *s, double elapsed_s)
{
    if (isnan(s->per_s))
        s->per_s = s->total / elapsed_s;
    else if (isnan(s->total))
        s->total = s->per_s * elapsed_s;
}

/* Leaves one row of each name.  A name with different totals was clipped and stands for
 * several statistics: none is kept. */
static void check_stats(struct awr_report *r, struct awr_part *p)
{
    struct awr_stat *stats = p->stats.items;
    size_t n = p->stats.n, kept = 0;
    if (n)
        qsort(stats, n, sizeof *stats, by_name);
    for (size_t i = 0, next; i < n; i = next) {
        struct awr_stat one = stats[i];
        bool ambiguous = false;
        for (next = i + 1; next < n && strcmp(stats[next].name, one.name) == 0; next++) {
            ambiguous = ambiguous || (!isnan(one.total) && !isnan(stats[next].total) &&
                                      one.total != stats[next].total);
            if (isnan(one.total))
                one.total = stats[next].total;
            if (isnan(one.per_s))
                one.per_s = stats[next].per_s;
        }
        r->n_skipped += ambiguous;
        if (ambiguous)
            continue;
        fill_stat(&one, p->now.elapsed_s);
        stats[kept++] = one;
    }
    p->stats.n = kept;
}

/* --- tables by file type and by function ------------------------------------------------------ */

/* The four figures of a row that a TOTAL row sums up. */
enum { READ_RATE, WRITE_RATE, READ_REQUESTS, WRITE_REQUESTS, N_SUMS };
static const struct {
    const char *name;
    size_t offset;
    double unit; /* bytes/s are compared as MiB/s */
} sums[N_SUMS] = {
    [READ_RATE] = { "read MiB/s", offsetof(struct awr_io_row, read_bytes_per_s), MIB_BYTES },
    [WRITE_RATE] = { "write MiB/s", offsetof(struct awr_io_row, write_bytes_per_s), MIB_BYTES },
    [READ_REQUESTS] = { "read requests/s", offsetof(struct awr_io_row, read_requests_per_s), 1 },
    [WRITE_REQUESTS] = { "write requests/s", offsetof(struct awr_io_row, write_requests_per_s), 1 },
};

static double *figure(struct awr_io_row *row, size_t offset)
{
    return (double *)(void *)((char *)row + offset);
}

static bool is_total(const struct awr_io_row *row)
{
    return strcmp(row->name, "TOTAL") == 0;
}

static bool contradicts(const struct awr_report *r, double total_bytes, double bytes_per_s,
                        double elapsed_s)
{
    double expected = total_bytes / elapsed_s;
    return total_bytes >= BIG_BYTES &&
           fabs(expected - bytes_per_s) >
               CONTRADICTION * fmax(expected, bytes_per_s) + r->kind->rate_step_bytes_per_s;
}

static int settle_rate(struct awr_report *r, const struct awr_io_row *row, const char *which,
                       double total_bytes, double elapsed_s, bool replace, double *bytes_per_s)
{
    double by_total = total_bytes / elapsed_s;
    if (isnan(*bytes_per_s)) {
        *bytes_per_s = by_total;
        return 0;
    }
    if (!replace || !contradicts(r, total_bytes, *bytes_per_s, elapsed_s))
        return 0;
    int rc = awr_warn(r, row->line,
                      "'%.60s': %s is printed as %.3f MiB/s, but the total over the elapsed time "
                      "gives %.3f: taken is the latter",
                      row->name, which, *bytes_per_s / MIB_BYTES, by_total / MIB_BYTES);
    *bytes_per_s = by_total;
    return rc;
}

static int check_rates(struct awr_report *r, double elapsed_s, const struct awr_list *list)
{
    struct awr_io_row *rows = list->items;
    int n_big = 0, n_bad = 0;
    for (size_t i = 0; i < list->n; i++) {
        n_big += (rows[i].read_bytes >= BIG_BYTES) + (rows[i].write_bytes >= BIG_BYTES);
        n_bad += contradicts(r, rows[i].read_bytes, rows[i].read_bytes_per_s, elapsed_s);
        n_bad += contradicts(r, rows[i].write_bytes, rows[i].write_bytes_per_s, elapsed_s);
    }
    bool replace = n_bad * 2 <= n_big;
    int rc = replace ? 0
                     : awr_warn(r, rows[0].line,
                                "totals over the elapsed time contradict %d of %d rates: is the "
                                "period right?",
                                n_bad, n_big);
    for (size_t i = 0; i < list->n && !rc; i++) {
        struct awr_io_row *row = &rows[i];
        rc = settle_rate(r, row, "the read rate", row->read_bytes, elapsed_s, replace,
                         &row->read_bytes_per_s);
        if (!rc)
            rc = settle_rate(r, row, "the write rate", row->write_bytes, elapsed_s, replace,
                             &row->write_bytes_per_s);
    }
    return rc;
}

static int check_sums(struct awr_report *r, const struct awr_list *list)
{
    struct awr_io_row *rows = list->items, *total = NULL;
    double sum[N_SUMS] = { 0 };
    for (size_t i = 0; i < list->n; i++) {
        if (is_total(&rows[i]))
            total = &rows[i];
        for (int k = 0; k < N_SUMS && !is_total(&rows[i]); k++) {
            double v = *figure(&rows[i], sums[k].offset);
            sum[k] += isnan(v) ? 0 : v;
        }
    }
    int rc = 0;
    for (int k = 0; k < N_SUMS && total && !rc; k++) {
        double printed = *figure(total, sums[k].offset) / sums[k].unit;
        double added = sum[k] / sums[k].unit;
        if (fabs(printed - added) > SUM_SLACK + SUM_TOLERANCE * fmax(printed, added))
            rc = awr_warn(r, total->line, "%s: the rows add up to %.1f, but TOTAL is %.1f",
                          sums[k].name, added, printed);
    }
    return rc;
}

static double profile_figure(const struct awr_part *p, const char *name)
{
    const struct awr_stat *lines = p->io_profile.items;
    for (size_t i = 0; i < p->io_profile.n; i++)
        if (strcmp(lines[i].name, name) == 0)
            return lines[i].per_s;
    return NAN;
}

/* The requests of the whole instance, where they stand, and how far above them is impossible. */
struct most {
    const char *where;
    double read, write, factor;
};

/* Without IO Profile, of a part of a cluster, the table by file type: it leaves out what the flash
 * cache of the database takes, so that only several times its figure is impossible. */
static struct most most_requests(const struct awr_part *p)
{
    struct most m = { "IO Profile", profile_figure(p, "Total Requests read"),
                      profile_figure(p, "Total Requests write"), 1 + CONTRADICTION };
    const struct awr_io_row *rows = p->filetypes.items;
    for (size_t i = 0; i < p->filetypes.n && isnan(m.read); i++)
        if (is_total(&rows[i]))
            m = (struct most){ "the table by file type", rows[i].read_requests_per_s,
                               rows[i].write_requests_per_s, FAR_ABOVE };
    return m;
}

static int drop_impossible(struct awr_report *r, const struct awr_io_row *row, const char *which,
                           const struct most *m, int64_t *n_told, double *requests_per_s)
{
    double most = which[0] == 'r' ? m->read : m->write;
    int rc = 0;
    if (!(*requests_per_s > most * m->factor + 1))
        return 0;
    if ((*n_told)++ < MOST_TOLD)
        rc = awr_warn(r, row->line,
                      "'%.60s': %.1f %s requests/s are more than the %.1f of the whole instance in "
                      "%s: taken as unknown",
                      row->name, *requests_per_s, which, most, m->where);
    *requests_per_s = NAN;
    return rc;
}

static int check_function_requests(struct awr_report *r, struct awr_part *p)
{
    struct awr_io_row *rows = p->functions.items;
    const struct most m = most_requests(p);
    int64_t n_told = 0;
    int rc = 0;
    for (size_t i = 0; i < p->functions.n && !rc; i++) {
        rc = drop_impossible(r, &rows[i], "read", &m, &n_told, &rows[i].read_requests_per_s);
        if (!rc)
            rc = drop_impossible(r, &rows[i], "write", &m, &n_told, &rows[i].write_requests_per_s);
    }
    if (!rc && n_told > MOST_TOLD)
        rc = awr_warn(r, 0, "%lld more requests/s by function likewise",
                      (long long)(n_told - MOST_TOLD));
    return rc;
}

static int check_tables(struct awr_report *r, struct awr_part *p)
{
    if (!p->filetypes.n && p == awr_part_at(r, 0)) {
        int rc = awr_warn(r, 0, "%s: the load is known of the whole instance only",
                          r->kind->no_filetypes);
        if (rc)
            return rc;
    }
    int rc = check_function_requests(r, p);
    const struct awr_list *const tables[] = { &p->filetypes, &p->functions };
    for (size_t i = 0; i < 2 && !rc; i++) {
        rc = check_rates(r, p->now.elapsed_s, tables[i]);
        if (!rc && !p->some_rows)
            rc = check_sums(r, tables[i]);
    }
    return rc;
}

int awr_check(struct awr_report *r, struct awr_part *p)
{
    struct awr_snapshot *s = &p->now;
    int rc = check_period(r, p);
    if (rc)
        return rc;
    check_stats(r, p);
    rc = check_tables(r, p);
    if (!s->db_name)
        s->db_name = r->page_db;
    if (!s->instance)
        s->instance = r->page_instance;
    s->filetypes = p->filetypes.items;
    s->n_filetypes = p->filetypes.n;
    s->functions = p->functions.items;
    s->n_functions = p->functions.n;
    s->events = p->events.items;
    s->n_events = p->events.n;
    s->load_profile = p->load_profile.items;
    s->n_load_profile = p->load_profile.n;
    s->io_profile = p->io_profile.items;
    s->n_io_profile = p->io_profile.n;
    s->stats = p->stats.items;
    s->n_stats = p->stats.n;
    return rc;
}
