/* planner/series/envelope.c - see envelope.h. */
#include "planner/series/envelope.h"

#include "models/core/unit.h"

#include <math.h>

enum { AVERAGED_S = 60 }; /* a longer interval is an average: models/vocab/demand.h */

/* --- one interval ------------------------------------------------------------------------------
 */

/* What a load would count alone; 0 where it is not known. */
static double counts_alone(double iops, double mibps, double requests_per_mib)
{
    double counted = fmax(iops, mibps * requests_per_mib);
    return isnan(counted) ? 0 : counted;
}

static struct envelope_load requests_of(const struct load_point *p, bool counts_mib)
{
    double per_mib = counts_mib ? 1 : 4;
    double total = counts_mib ? fmax(point_total_iops(p), point_total_mibps(p)) : p->counted_iops;
    double read = counts_alone(p->read_iops, p->read_mibps, per_mib),
           write = counts_alone(p->write_iops, p->write_mibps, per_mib),
           unsplit = counts_alone(p->unsplit_iops, p->unsplit_mibps, per_mib),
           sum = read + write + unsplit;
    struct envelope_load l = { NAN, NAN, NAN, total };
    if (isnan(total))
        return l;
    bool idle = !(total > 0);
    if (isnan(known_sum(p->read_iops, p->write_iops)) || (!idle && !(sum > 0))) {
        l.unsplit = total; /* nothing tells whose they are */
        return l;
    }
    sum = idle ? 1 : sum;
    l.read = total * read / sum;
    l.write = total * write / sum;
    if (unsplit > 0)
        l.unsplit = total * unsplit / sum;
    return l;
}

struct envelope_load envelope_load_of(const struct load_point *p, enum envelope_metric m,
                                      bool counts_mib)
{
    if (m == ENVELOPE_IOPS)
        return requests_of(p, counts_mib);
    return (struct envelope_load){ p->read_mibps, p->write_mibps, p->unsplit_mibps,
                                   point_total_mibps(p) };
}

static unsigned char grade_state(const struct load_point *p)
{
    return (unsigned char)((p->interval_s > AVERAGED_S ? ENVELOPE_AVERAGED : 0) |
                           (p->flags & POINT_ASSUMED ? ENVELOPE_ASSUMED : 0));
}

/* --- one bucket --------------------------------------------------------------------------------
 */

struct builder {
    const struct envelope_source *s;
    struct envelope *out;
    size_t room;
    double high_total[ENVELOPE_METRICS]; /* of the bucket in progress */
    bool any, real;                      /* it has an interval; one that is no artefact */
};

static void clear_values(struct builder *b)
{
    size_t i = b->out->n - 1;
    for (int m = 0; m < ENVELOPE_METRICS; m++) {
        struct envelope_values *v = &b->out->values[m];
        v->read[i] = v->write[i] = v->unsplit[i] = v->min[i] = NAN;
        b->high_total[m] = NAN;
    }
}

static void open_bucket(struct builder *b, int64_t begin_ms)
{
    if (b->out->n == b->room)
        BUG("an envelope has more buckets than were counted");
    size_t i = b->out->n++;
    b->out->edge_ms[i] = begin_ms;
    b->out->state[i] = ENVELOPE_HOLE;
    b->out->binding[i] = ENVELOPE_NO_BINDING;
    clear_values(b);
    b->any = b->real = false;
}

/* Puts an interval into the bucket in progress, in one metric; whether it is what stands there. */
static bool join_metric(struct builder *b, int m, const struct envelope_load *l)
{
    struct envelope_values *v = &b->out->values[m];
    size_t i = b->out->n - 1;
    if (isnan(l->total))
        return false;
    v->min[i] = isnan(v->min[i]) ? l->total : fmin(v->min[i], l->total);
    if (b->high_total[m] >= l->total)
        return false;
    b->high_total[m] = l->total;
    v->read[i] = l->read;
    v->write[i] = l->write;
    v->unsplit[i] = l->unsplit;
    b->out->unsplit |= !isnan(l->unsplit);
    return true;
}

static void take_binding(struct builder *b, size_t point, bool shown)
{
    size_t i = b->out->n - 1;
    if (!b->s->binding || b->s->binding[point] == ENVELOPE_NO_BINDING)
        return;
    if (shown || b->out->binding[i] == ENVELOPE_NO_BINDING)
        b->out->binding[i] = b->s->binding[point];
}

static void join(struct builder *b, size_t point)
{
    const struct load_point *p = &b->s->points->at[point];
    unsigned char *state = &b->out->state[b->out->n - 1];
    bool artefact = p->flags & POINT_ARTEFACT;
    if (artefact)
        *state |= ENVELOPE_ARTEFACT;
    if (p->flags & POINT_CENSORED & ~(unsigned)POINT_CENSORED_WAITS)
        *state |= ENVELOPE_CENSORED;
    if (p->flags & POINT_CENSORED_WAITS)
        *state |= ENVELOPE_REDO_WAITS;
    if (b->s->marks)
        *state |= b->s->marks[point];
    struct envelope_load mibps = envelope_load_of(p, ENVELOPE_MIBPS, b->s->counts_mib),
                         iops = envelope_load_of(p, ENVELOPE_IOPS, b->s->counts_mib);
    if (isnan(mibps.total) && isnan(iops.total))
        return;
    *state &= (unsigned char)~ENVELOPE_HOLE;
    if (artefact && b->real)
        return;
    if (!artefact && !b->real) /* what was shown was an artefact, if anything */
        clear_values(b);
    b->real = !artefact;
    bool shown = join_metric(b, ENVELOPE_MIBPS, &mibps);
    join_metric(b, ENVELOPE_IOPS, &iops);
    if (shown || !b->any)
        *state =
            (unsigned char)((*state & ~(ENVELOPE_AVERAGED | ENVELOPE_ASSUMED)) | grade_state(p));
    b->any = true;
    take_binding(b, point, shown);
}

/* --- all of them -------------------------------------------------------------------------------
 */

struct extent {
    size_t first, end; /* of the points */
    int64_t from_ms, to_ms;
};

/* The first point that ends after t. */
static size_t first_after(const struct load_points *p, int64_t t_ms)
{
    size_t low = 0, high = p->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->at[mid].end_ms > t_ms)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static struct extent extent_of(const struct load_points *p, int64_t from_ms, int64_t to_ms)
{
    struct extent x = { .first = from_ms == UNKNOWN ? 0 : first_after(p, from_ms), .end = p->n };
    while (to_ms != UNKNOWN && x.end > x.first && p->at[x.end - 1].begin_ms >= to_ms)
        x.end--;
    if (x.end > x.first) {
        x.from_ms = p->at[x.first].begin_ms;
        x.to_ms = p->at[x.end - 1].end_ms;
    }
    return x;
}

static bool is_hole(const struct load_point *before, const struct load_point *p, int64_t width_ms)
{
    int64_t gap = p->begin_ms - before->end_ms;
    return width_ms ? gap >= width_ms : gap > (before->end_ms - before->begin_ms) / 2;
}

static size_t count_exact(const struct load_points *p, const struct extent *x)
{
    size_t n = x->end - x->first;
    for (size_t i = x->first + 1; i < x->end; i++)
        n += is_hole(&p->at[i - 1], &p->at[i], 0);
    return n;
}

static int make_room(struct envelope *out, size_t room, struct arena *a, struct err *e)
{
    out->edge_ms = arena_array(a, room + 1, sizeof *out->edge_ms);
    out->state = arena_array(a, room + 1, 1);
    out->binding = arena_array(a, room + 1, 1);
    bool ok = out->edge_ms && out->state && out->binding;
    for (int m = 0; m < ENVELOPE_METRICS; m++) {
        struct envelope_values *v = &out->values[m];
        v->read = arena_array(a, room + 1, sizeof(double));
        v->write = arena_array(a, room + 1, sizeof(double));
        v->unsplit = arena_array(a, room + 1, sizeof(double));
        v->min = arena_array(a, room + 1, sizeof(double));
        ok &= v->read && v->write && v->unsplit && v->min;
    }
    return ok ? 0 : err_nomem(e);
}

/* width_ms 0: each interval is a bucket. */
static void fill(struct builder *b, const struct extent *x, int64_t width_ms)
{
    const struct load_points *p = b->s->points;
    int64_t bucket = -1;
    for (size_t i = x->first; i < x->end; i++) {
        const struct load_point *at = &p->at[i];
        bool hole = i > x->first && is_hole(&p->at[i - 1], at, width_ms);
        int64_t of = width_ms ? (at->begin_ms - x->from_ms) / width_ms : (int64_t)i;
        if (hole)
            open_bucket(b, p->at[i - 1].end_ms);
        if (hole || of != bucket)
            open_bucket(b, at->begin_ms);
        bucket = of;
        join(b, i);
    }
    b->out->edge_ms[b->out->n] = x->to_ms;
}

int envelope_build(const struct envelope_source *s, int64_t from_ms, int64_t to_ms, size_t n_wanted,
                   struct arena *a, struct envelope *out, struct err *e)
{
    struct extent x = extent_of(s->points, from_ms, to_ms);
    struct builder b = { .s = s, .out = out };
    *out = (struct envelope){ .exact = true };
    if (n_wanted < 1)
        n_wanted = 1;
    size_t n_exact = count_exact(s->points, &x);
    out->exact = n_exact <= n_wanted;
    b.room = out->exact ? n_exact : 2 * n_wanted + 1;
    int rc = make_room(out, b.room, a, e);
    if (rc || x.first == x.end)
        return rc;
    int64_t n = (int64_t)n_wanted;
    fill(&b, &x, out->exact ? 0 : (x.to_ms - x.from_ms + n - 1) / n);
    return 0;
}
