/* data/ingest/plan/plan_format.c - see plan_format.h. */
#include "data/ingest/plan/plan_format.h"

#include "data/ingest/json/feed.h"
#include "data/ingest/json/json_scan.h"
#include "data/ingest/plan/plan_json.h"
#include "models/core/timestamp.h"

#include <math.h>

/* What the reader asks for, and no other answer has. */
int plan_detect(struct span head)
{
    return json_head_has(head, "system") && json_head_has(head, "as_of") &&
                   json_head_has(head, "region") && json_head_has(head, "groups")
               ? 90
               : 0;
}

/* Volumes that stay are those of the layout: the plan does not hold their figures. */
static double figure(const struct plan_file_group *g, int64_t v)
{
    return g->kept || v == UNKNOWN ? (double)NAN : (double)v;
}

static int hand_over_group(struct feed *f, const struct plan_file_group *g)
{
    struct fields r = { .n = 0 };
    const struct volume_spec *v = &g->spec;
    fields_text(&r, "name", span_of(g->name));
    fields_text(&r, "kept", g->kept ? SPAN_LIT("yes") : SPAN_LIT("no"));
    fields_text(&r, "volume_type", span_of(g->kept ? NULL : volume_type_name(v->type)));
    fields_num(&r, "count", UNIT_COUNT, figure(g, v->count));
    fields_num(&r, "size_gib", UNIT_GIB, figure(g, v->size_gib));
    fields_num(&r, "iops", UNIT_IOPS, figure(g, v->iops));
    fields_num(&r, "throughput_mibps", UNIT_MIBPS, figure(g, v->throughput_mibps));
    return feed_record(f, &(struct record){ "groups", UNKNOWN, r.at, r.n, 1 });
}

static int read_plan(struct feed *f)
{
    struct span all;
    struct plan_file p;
    struct fields r = { .n = 0 };
    char day[32];
    int rc = source_all(f->src, PLAN_BYTES_MAX, &all, f->err);
    if (rc)
        return rc;
    rc = plan_json_parse(all, f->arena, &p, f->err);
    if (rc)
        return rc == ERR_NOMEM ? rc : err_prefix(f->err, "%s", source_path(f->src));
    fields_text(&r, "system", span_of(p.system));
    fields_text(&r, "as_of", span_of(time_format_date(day, p.as_of_ms)));
    fields_text(&r, "region", span_of(p.region));
    fields_text(&r, "instance_type", span_of(p.instance_type));
    fields_text(&r, "weighting", span_of(p.weighting));
    fields_num(&r, "groups", UNIT_COUNT, (double)p.n_groups);
    rc = feed_record(f, &(struct record){ "plans", UNKNOWN, r.at, r.n, 1 });
    for (size_t i = 0; i < p.n_groups && !rc; i++)
        rc = hand_over_group(f, &p.groups[i]);
    return rc;
}

int plan_read(struct source *src, const struct ingest_options *o, struct sink *sink,
              struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_plan);
}
