/* cli/cmd/emit_layout.c - see emit_layout.h. */
#include "cli/cmd/emit_layout.h"

#include <stdio.h>
#include <string.h>

static void put_text(struct emit *m, const char *key, const char *v)
{
    if (v)
        emit_text(m, key, v);
}

static void put_int(struct emit *m, const char *key, enum unit unit, int64_t v)
{
    if (v != UNKNOWN)
        emit_int(m, key, unit, v);
}

static void put_num(struct emit *m, const char *key, enum unit unit, double v)
{
    if (isfinite(v))
        emit_num(m, key, unit, v);
}

static void put_texts(struct emit *m, const char *key, const char *const *list, size_t n)
{
    if (!n)
        return;
    emit_begin(m, key, EMIT_LIST);
    for (size_t i = 0; i < n; i++)
        emit_text(m, NULL, list[i]);
    emit_end(m);
}

static void put_redo(struct emit *m, const struct layout_redo *r)
{
    emit_begin(m, "redo", EMIT_OBJECT);
    put_int(m, "members", UNIT_COUNT, r->members);
    put_int(m, "block_bytes", UNIT_BYTES, r->block_bytes);
    put_num(m, "log_gib", UNIT_GIB, r->log_gib);
    put_int(m, "groups", UNIT_COUNT, r->groups);
    put_num(m, "buffer_mib", UNIT_MIB, r->buffer_mib);
    put_int(m, "archive_copies", UNIT_COUNT, r->archive_copies);
    put_int(m, "read_member", UNIT_COUNT, r->read_member);
    put_int(m, "filesystem_block_bytes", UNIT_BYTES, r->filesystem_block_bytes);
    put_num(m, "other_archive_readers", UNIT_COUNT, r->other_archive_readers);
    put_num(m, "other_online_readers", UNIT_COUNT, r->other_online_readers);
    emit_end(m);
}

static void put_standbys(struct emit *m, const struct layout *l)
{
    if (!l->n_standbys)
        return;
    emit_begin(m, "standbys", EMIT_LIST);
    for (size_t i = 0; i < l->n_standbys; i++) {
        const struct layout_standby *s = &l->standbys[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        put_text(m, "name", s->name);
        put_text(m, "transport", s->transport);
        put_num(m, "send_mibps", UNIT_MIBPS, s->send_mibps);
        put_num(m, "rtt_ms", UNIT_MS, s->rtt_ms);
        put_num(m, "window_kib", UNIT_KIB, s->window_kib);
        put_num(m, "apply_mibps", UNIT_MIBPS, s->apply_mibps);
        put_text(m, "via", s->via);
        put_text(m, "site", s->site);
        emit_end(m);
    }
    emit_end(m);
}

static void put_files(struct emit *m, const struct layout_group *g)
{
    if (!g->n_files)
        return;
    emit_begin(m, "files", EMIT_LIST);
    for (size_t i = 0; i < g->n_files; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "name", g->files[i].name);
        emit_num(m, "share_pct", UNIT_PCT, g->files[i].share_pct);
        emit_end(m);
    }
    emit_end(m);
}

static void put_volumes(struct emit *m, const struct layout_group *g)
{
    if (!g->n_volumes)
        return;
    emit_begin(m, "volumes", EMIT_LIST);
    for (size_t i = 0; i < g->n_volumes; i++) {
        const struct volume_spec *v = &g->volumes[i].spec;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "type", volume_type_name(v->type));
        emit_int(m, "count", UNIT_COUNT, v->count);
        put_int(m, "size_gib", UNIT_GIB, v->size_gib);
        put_int(m, "iops", UNIT_IOPS, v->iops);
        put_int(m, "throughput_mibps", UNIT_MIBPS, v->throughput_mibps);
        if (g->volumes[i].since_ms != UNKNOWN)
            emit_date(m, "since", g->volumes[i].since_ms);
        emit_end(m);
    }
    emit_end(m);
}

static void put_policy(struct emit *m, const struct group_policy *p)
{
    emit_begin(m, "policy", EMIT_OBJECT);
    if (p->types) {
        emit_begin(m, "types", EMIT_LIST);
        for (int t = 0; t < VOL_TYPE_COUNT; t++)
            if (p->types & 1u << t)
                emit_text(m, NULL, volume_type_name((enum volume_type)t));
        emit_end(m);
    }
    put_int(m, "min_count", UNIT_COUNT, p->min_count);
    put_int(m, "max_count", UNIT_COUNT, p->max_count);
    put_int(m, "min_iops", UNIT_IOPS, p->min_iops);
    put_text(m, "max_latency_class", p->max_latency_class);
    put_num(m, "min_durability_pct", UNIT_PCT, p->min_durability_pct);
    emit_bool(m, "equal_size", p->equal_size);
    put_int(m, "size_step_gib", UNIT_GIB, p->size_step_gib);
    emit_bool(m, "keep", p->keep);
    emit_end(m);
}

static const struct emit_col cols[] = {
    { "name", "group", true },        { "role", "role", true },
    { "redundancy", "mirror", true }, { "need_gib", "GiB", false },
    { "today", "today", true },       { "on", "devices and volumes", true },
    { "holds", "AWR files", true },
};

/* Names in a cell, blanks between. */
static void say_list(struct emit *m, const char *key, const char *const *a, size_t n_a,
                     const char *const *b, size_t n_b)
{
    char words[400];
    size_t at = 0;
    words[0] = '\0';
    for (size_t i = 0; i < n_a + n_b && at < sizeof words; i++) {
        int n = snprintf(words + at, sizeof words - at, "%s%s", i ? " " : "",
                         i < n_a ? a[i] : b[i - n_a]);
        at += n > 0 ? (size_t)n : 0;
    }
    emit_cell(m, key, "%s", words);
}

static void say_group(struct emit *m, const struct layout_group *g)
{
    char files[400] = "", today[400] = "", spec[96];
    size_t at = 0;
    for (size_t i = 0; i < g->n_files && at < sizeof files; i++) {
        int n = snprintf(files + at, sizeof files - at, "%s%s", i ? ", " : "", g->files[i].name);
        at += n > 0 ? (size_t)n : 0;
    }
    at = 0;
    for (size_t i = 0; i < g->n_volumes && at < sizeof today; i++) {
        int n = snprintf(today + at, sizeof today - at, "%s%s", i ? ", " : "",
                         volume_spec_format(spec, &g->volumes[i].spec));
        at += n > 0 ? (size_t)n : 0;
    }
    emit_cell(m, "today", "%s", today);
    emit_cell(m, "holds", "%s", files);
    say_list(m, "on", g->devices, g->n_devices, g->volume_ids, g->n_volume_ids);
}

static void put_group(struct emit *m, const struct layout_group *g)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "name", g->name);
    emit_text(m, "role", group_role_name(g->role));
    put_int(m, "log_member", UNIT_NONE, g->log_member);
    emit_text(m, "redundancy", redundancy_name(g->redundancy));
    put_num(m, "skew", UNIT_RATIO, g->skew);
    put_int(m, "au_mib", UNIT_MIB, g->au_mib);
    put_texts(m, "devices", g->devices, g->n_devices);
    put_texts(m, "volume_ids", g->volume_ids, g->n_volume_ids);
    put_files(m, g);
    if (g->need_gib != UNKNOWN || !g->n_volumes)
        emit_int(m, "need_gib", UNIT_GIB, g->need_gib);
    put_int(m, "used_gib", UNIT_GIB, g->used_gib);
    put_volumes(m, g);
    put_policy(m, &g->policy);
    if (m->people)
        say_group(m, g);
    emit_end(m);
}

void emit_layout(struct emit *m, const struct layout *l)
{
    emit_text(m, "system", l->system);
    put_text(m, "region", l->region);
    put_text(m, "instance_type", l->instance_type);
    if (l->n_instances) {
        emit_begin(m, "instances", EMIT_LIST);
        for (size_t i = 0; i < l->n_instances; i++)
            emit_int(m, NULL, UNIT_NONE, l->instances[i]);
        emit_end(m);
    }
    put_int(m, "network_interfaces", UNIT_COUNT, l->network_interfaces);
    put_redo(m, &l->redo);
    put_standbys(m, l);
    emit_table(m, "groups", cols, sizeof cols / sizeof *cols);
    for (size_t i = 0; i < l->n_groups; i++)
        put_group(m, &l->groups[i]);
    emit_end(m);
}
