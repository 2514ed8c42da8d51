/* data/ingest/layout/layout_format.c - see layout_format.h. */
#include "data/ingest/layout/layout_format.h"

#include "data/ingest/json/feed.h"
#include "data/ingest/json/json_scan.h"
#include "data/ingest/layout/layout_json.h"

#include <math.h>
#include <string.h>

/* Answers of volplan have a system and groups too, and say what they are of. */
int layout_detect(struct span head)
{
    return json_head_has(head, "system") && json_head_has(head, "groups") &&
                   !json_head_has(head, "as_of") && !json_head_has(head, "changes")
               ? 90
               : 0;
}

static double known(int64_t v)
{
    return v == UNKNOWN ? (double)NAN : (double)v;
}

/* The words with blanks between them; empty for none. */
static int join(struct feed *f, const char *const *words, size_t n, struct span *out)
{
    size_t len = 0, at = 0;
    *out = (struct span){ 0 };
    for (size_t i = 0; i < n; i++)
        len += strlen(words[i]) + 1;
    if (!len)
        return 0;
    char *text = arena_alloc(f->arena, len);
    if (!text)
        return err_nomem(f->err);
    for (size_t i = 0; i < n; i++) {
        size_t word_len = strlen(words[i]);
        memcpy(text + at, words[i], word_len);
        at += word_len;
        text[at++] = ' ';
    }
    *out = (struct span){ text, len - 1 };
    return 0;
}

static int join_volumes(struct feed *f, const struct layout_group *g, struct span *out)
{
    const char **words = arena_array(f->arena, g->n_volumes + 1, sizeof *words);
    if (!words)
        return err_nomem(f->err);
    for (size_t i = 0; i < g->n_volumes; i++) {
        char spec[96];
        words[i] = arena_printf(f->arena, "%s%s", volume_spec_format(spec, &g->volumes[i].spec),
                                i + 1 < g->n_volumes ? "," : "");
        if (!words[i])
            return err_nomem(f->err);
    }
    return join(f, words, g->n_volumes, out);
}

static int join_files(struct feed *f, const struct layout_group *g, struct span *out)
{
    const char **words = arena_array(f->arena, g->n_files + 1, sizeof *words);
    if (!words)
        return err_nomem(f->err);
    for (size_t i = 0; i < g->n_files; i++) {
        words[i] = arena_printf(f->arena, "%s%s", g->files[i].name, i + 1 < g->n_files ? "," : "");
        if (!words[i])
            return err_nomem(f->err);
    }
    return join(f, words, g->n_files, out);
}

static int hand_over_group(struct feed *f, const struct layout_group *g)
{
    struct fields r = { .n = 0 };
    struct span volumes, devices, volume_ids, files;
    int rc = join_volumes(f, g, &volumes);
    if (!rc)
        rc = join(f, g->devices, g->n_devices, &devices);
    if (!rc)
        rc = join(f, g->volume_ids, g->n_volume_ids, &volume_ids);
    if (!rc)
        rc = join_files(f, g, &files);
    if (rc)
        return rc;
    fields_text(&r, "name", span_of(g->name));
    fields_text(&r, "role", span_of(group_role_name(g->role)));
    fields_num(&r, "log_member", UNIT_COUNT, known(g->log_member));
    fields_text(&r, "redundancy", span_of(redundancy_name(g->redundancy)));
    fields_num(&r, "need_gib", UNIT_GIB, known(g->need_gib));
    fields_num(&r, "used_gib", UNIT_GIB, known(g->used_gib));
    fields_text(&r, "volumes", volumes);
    fields_text(&r, "devices", devices);
    fields_text(&r, "volume_ids", volume_ids);
    fields_text(&r, "files", files);
    return feed_record(f, &(struct record){ "groups", UNKNOWN, r.at, r.n, 1 });
}

static int hand_over_standby(struct feed *f, const struct layout_standby *s)
{
    struct fields r = { .n = 0 };
    fields_text(&r, "name", span_of(s->name));
    fields_text(&r, "transport", span_of(s->transport));
    fields_text(&r, "via", span_of(s->via));
    fields_text(&r, "site", span_of(s->site));
    fields_num(&r, "send_mibps", UNIT_MIBPS, s->send_mibps);
    fields_num(&r, "rtt_ms", UNIT_MS, s->rtt_ms);
    return feed_record(f, &(struct record){ "standbys", UNKNOWN, r.at, r.n, 1 });
}

static int read_layout(struct feed *f)
{
    struct span all;
    struct layout l;
    struct fields r = { .n = 0 };
    int rc = source_all(f->src, LAYOUT_BYTES_MAX, &all, f->err);
    if (rc)
        return rc;
    rc = layout_parse(all, f->arena, &l, f->err);
    if (rc)
        return rc == ERR_NOMEM ? rc : err_prefix(f->err, "%s", source_path(f->src));
    fields_text(&r, "system", span_of(l.system));
    fields_text(&r, "region", span_of(l.region));
    fields_text(&r, "instance_type", span_of(l.instance_type));
    fields_num(&r, "groups", UNIT_COUNT, (double)l.n_groups);
    fields_num(&r, "standbys", UNIT_COUNT, (double)l.n_standbys);
    rc = feed_record(f, &(struct record){ "systems", UNKNOWN, r.at, r.n, 1 });
    for (size_t i = 0; i < l.n_groups && !rc; i++)
        rc = hand_over_group(f, &l.groups[i]);
    for (size_t i = 0; i < l.n_standbys && !rc; i++)
        rc = hand_over_standby(f, &l.standbys[i]);
    return rc;
}

int layout_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_layout);
}
