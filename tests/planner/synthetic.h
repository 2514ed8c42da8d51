/* tests/planner/synthetic.h - small measured loads and layouts, made by hand. */
#ifndef TESTS_PLANNER_SYNTHETIC_H
#define TESTS_PLANNER_SYNTHETIC_H

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/vocab/layout.h"
#include "models/vocab/load_series.h"

#include <math.h>
#include <string.h>

/* Equal but for rounding. */
#define assert_near(got, want) assert_true(is_near((got), (want)))

static inline int is_near(double got, double want)
{
    return fabs(got - want) <= 1e-9 * fmax(1, fabs(want));
}

enum { SAMPLES_MAX = 64 };

/* A series with room of its own. */
struct synthetic_series {
    int64_t begin_ms[SAMPLES_MAX], end_ms[SAMPLES_MAX], file_id[SAMPLES_MAX], line[SAMPLES_MAX];
    double read_iops[SAMPLES_MAX], write_iops[SAMPLES_MAX];
    double read_mibps[SAMPLES_MAX], write_mibps[SAMPLES_MAX];
};

static inline int64_t day_ms(const char *date)
{
    struct span s = span_of(date);
    int64_t t = UNKNOWN;
    return time_parse_date(&s, &t) ? UNKNOWN : t;
}

/* 18 May 2022 07:00 UTC, a Wednesday. */
static inline int64_t morning_ms(void)
{
    return day_ms("2022-05-18") + 7 * INT64_C(3600000);
}

static inline struct load_series series_in(struct synthetic_series *room, enum series_kind kind,
                                           const char *name)
{
    return (struct load_series){ .kind = kind,
                                 .counts = kind == SERIES_FILETYPE ? COUNT_ORACLE : COUNT_BLOCK,
                                 .host = "db1",
                                 .name = name,
                                 .instance_number = kind == SERIES_FILETYPE ? 1 : UNKNOWN,
                                 .begin_ms = room->begin_ms,
                                 .end_ms = room->end_ms,
                                 .read_iops = room->read_iops,
                                 .write_iops = room->write_iops,
                                 .read_mibps = room->read_mibps,
                                 .write_mibps = room->write_mibps,
                                 .file_id = room->file_id,
                                 .line = room->line };
}

/* Appends [at_s, at_s + length_s) from 07:00. */
static inline void sample(struct load_series *s, struct synthetic_series *room, double at_s,
                          double length_s, double read_iops, double write_iops, double read_mibps,
                          double write_mibps)
{
    size_t i = s->n++;
    room->begin_ms[i] = morning_ms() + (int64_t)(at_s * 1e3);
    room->end_ms[i] = room->begin_ms[i] + (int64_t)(length_s * 1e3);
    room->read_iops[i] = read_iops;
    room->write_iops[i] = write_iops;
    room->read_mibps[i] = read_mibps;
    room->write_mibps[i] = write_mibps;
    room->file_id[i] = 7;
    room->line[i] = 100 + (int64_t)i;
}

static inline struct layout_group group_named(const char *name, enum group_role role)
{
    struct layout_group g = layout_group_unknown;
    g.name = name;
    g.role = role;
    return g;
}

static inline struct layout layout_of(const struct layout_group *groups, size_t n,
                                      const char *instance_type)
{
    struct layout l = layout_unknown;
    l.system = "PRD1";
    l.region = "us-east-1";
    l.instance_type = instance_type;
    l.groups = groups;
    l.n_groups = n;
    return l;
}

#endif
