/* planner/check/fluid_check.c - see fluid_check.h. */
#include "planner/check/fluid_check.h"

#include <math.h>

/* A load that equals a ceiling is not above it; less than this behind is not behind. */
static const double slack = 1 + 2e-9, behind_s = 1e-6;

struct flow {
    const struct size_load *load;
    double max_mibps, max_iops, earn_iops, capacity, per_mib;
    bool hdd, has_bucket, earns_while_bursting;
    double now_s, served_s; /* times of the load */
    size_t at;              /* the point that is served */
    double credits;
    struct fluid_answer answer;
};

struct rates {
    double mibps, iops;
};

static double or_zero(double v)
{
    return v > 0 ? v : 0;
}

static struct rates rates_of(const struct flow *f, const struct load_point *p)
{
    const struct size_load *l = f->load;
    double mibps = or_zero(p->read_mibps) + or_zero(p->write_mibps) + or_zero(p->unsplit_mibps);
    double counted = or_zero(p->counted_iops), part = 1;
    if (p->flags & POINT_ARTEFACT)
        return (struct rates){ 0, 0 };
    if (mibps > 0)
        part = fmin(part, l->cap_mibps / mibps);
    if (counted > 0)
        part = fmin(part, l->cap_iops / counted);
    if (f->hdd)
        counted = or_zero(p->read_iops) + or_zero(p->write_iops) + or_zero(p->unsplit_iops);
    part *= l->factor;
    double requests = fmax(counted, mibps * f->per_mib);
    return (struct rates){ mibps * part, requests * part };
}

static double time_s(const struct flow *f, int64_t t_ms)
{
    return (double)(t_ms - f->load->points->at[0].begin_ms) / 1000;
}

/* What is asked for where the load is served; time without any is passed over. */
static struct rates next_rates(struct flow *f)
{
    const struct load_points *p = f->load->points;
    for (; f->at < p->n; f->at++) {
        double begin_s = time_s(f, p->at[f->at].begin_ms), end_s = time_s(f, p->at[f->at].end_ms);
        if (end_s - f->served_s <= behind_s)
            continue;
        if (begin_s - f->now_s >= behind_s)
            break; /* yet to come */
        f->served_s = fmax(f->served_s, begin_s);
        struct rates r = rates_of(f, &p->at[f->at]);
        if (r.iops > 0)
            return r;
        if (end_s >= f->now_s)
            break;
        f->served_s = end_s;
    }
    f->served_s = f->now_s;
    return (struct rates){ 0, 0 };
}

static double credit_rate(const struct flow *f, double iops)
{
    return f->earns_while_bursting || iops <= f->earn_iops * slack ? f->earn_iops - iops : -iops;
}

/* As far as nothing changes, and no further than until. */
static void step(struct flow *f, double until_s)
{
    struct rates r = next_rates(f);
    bool behind = f->now_s - f->served_s > behind_s;
    bool empty = f->has_bucket && f->credits <= 0;
    double iops_max = empty ? f->earn_iops : f->max_iops;
    double speed = fmin(f->max_mibps / r.mibps, iops_max / r.iops) * slack;
    bool held = behind || speed < 1;
    if (!held)
        speed = 1;
    double moves = r.iops > 0 ? speed : 1, dt = until_s - f->now_s;
    if (behind && r.iops > 0) {
        double left_s = time_s(f, f->load->points->at[f->at].end_ms) - f->served_s;
        dt = fmin(dt, fmax(left_s, behind_s) / moves);
        if (moves > 1)
            dt = fmin(dt, (f->now_s - f->served_s) / (moves - 1));
    }
    double change = f->has_bucket ? credit_rate(f, r.iops > 0 ? moves * r.iops : 0) : 0;
    bool empties = !empty && change < 0 && f->credits / -change <= dt;
    if (empties)
        dt = f->credits / -change;
    f->credits = empties ? 0 : fmin(f->capacity, fmax(0, f->credits + change * dt));
    f->now_s += dt;
    f->served_s = fmin(f->now_s, f->served_s + moves * dt);
    if (f->now_s - f->served_s <= behind_s)
        f->served_s = f->now_s;
    f->answer.throttled_s += held ? dt : 0;
    f->answer.worst_delay_ms = fmax(f->answer.worst_delay_ms, (f->now_s - f->served_s) * 1000);
}

struct fluid_answer fluid_check(const struct size_load *load, const struct volume_facts *each,
                                double count, bool hdd)
{
    struct flow f = { .load = load,
                      .max_mibps = each->burst_mibps * count,
                      .max_iops = each->burst_iops * count,
                      .earn_iops = each->iops * count,
                      .capacity = each->credits * count,
                      .per_mib = hdd ? 1 : 4,
                      .hdd = hdd,
                      .has_bucket = each->credits > 0,
                      .earns_while_bursting = !hdd };
    f.credits = f.capacity;
    for (size_t i = 0; i < load->points->n; i++) {
        double ends[2] = { time_s(&f, load->points->at[i].begin_ms),
                           time_s(&f, load->points->at[i].end_ms) };
        for (int k = 0; k < 2; k++)
            while (ends[k] - f.now_s > behind_s)
                step(&f, ends[k]);
    }
    return f.answer;
}
