/* planner/report/emit_option.c - see emit_option.h. */
#include "planner/report/emit_option.h"

#include <stdio.h>
#include <string.h>

static int digits_of(double v)
{
    return fabs(v - round(v)) < 0.05 ? 0 : 1;
}

char *rate_words(char buf[48], double v)
{
    return unit_format(buf, v, digits_of(v));
}

char *short_spec(char buf[96], const struct volume_spec *v)
{
    char size[48], iops[48], mibps[48];
    unit_format(size, v->size_gib == UNKNOWN ? NAN : (double)v->size_gib, 0);
    unit_format(iops, v->iops == UNKNOWN ? NAN : (double)v->iops, 0);
    unit_format(mibps, v->throughput_mibps == UNKNOWN ? NAN : (double)v->throughput_mibps, 0);
    if (v->iops == UNKNOWN)
        snprintf(buf, 96, "%lld x %s %.20sG", (long long)v->count, volume_type_name(v->type), size);
    else if (v->throughput_mibps == UNKNOWN)
        snprintf(buf, 96, "%lld x %s %.20sG %.20s", (long long)v->count, volume_type_name(v->type),
                 size, iops);
    else
        snprintf(buf, 96, "%lld x %s %.20sG %.20s/%.20s", (long long)v->count,
                 volume_type_name(v->type), size, iops, mibps);
    return buf;
}

void emit_rate(struct emit *m, const char *key, enum unit unit, double v)
{
    emit_num_digits(m, key, unit, v, digits_of(v));
}

void emit_spec_values(struct emit *m, const struct volume_spec *v)
{
    emit_text(m, "volume_type", v->type < VOL_TYPE_COUNT ? volume_type_name(v->type) : NULL);
    emit_int(m, "count", UNIT_COUNT, v->count);
    emit_int(m, "size_gib", UNIT_GIB, v->size_gib);
    emit_int(m, "iops", UNIT_IOPS, v->iops);
    emit_int(m, "throughput_mibps", UNIT_MIBPS, v->throughput_mibps);
}

void emit_option_values(struct emit *m, const struct size_option *o)
{
    emit_spec_values(m, &o->spec);
    emit_rate(m, "group_max_iops", UNIT_IOPS, o->group_max_iops);
    emit_rate(m, "group_max_throughput_mibps", UNIT_MIBPS, o->group_max_throughput_mibps);
    emit_text(m, "binding", ceiling_name(o->binding));
    emit_usd(m, "total_usd", o->total_microusd);
    emit_usd(m, "rank_usd", o->rank_microusd);
    emit_begin(m, "headroom_pct", EMIT_OBJECT);
    emit_num(m, "iops", UNIT_PCT, o->iops_headroom_pct);
    emit_num(m, "throughput", UNIT_PCT, o->throughput_headroom_pct);
    emit_num(m, "size", UNIT_PCT, o->size_headroom_pct);
    emit_end(m);
    emit_text(m, "latency_class", o->latency_class);
    emit_num_digits(m, "durability_pct", UNIT_PCT, o->durability_pct, 3);
    emit_text(m, "risk", o->risk);
    emit_begin(m, "notes", EMIT_LIST);
    for (size_t i = 0; i < o->n_notes; i++)
        emit_text(m, NULL, o->notes[i]);
    emit_end(m);
}

static bool same_spec(const struct volume_spec *a, const struct volume_spec *b)
{
    return a->count == b->count && volume_spec_alike(a, b);
}

void emit_options(struct emit *m, const char *key, const struct size_option *options, size_t n,
                  const struct volume_spec *without)
{
    emit_begin(m, key, EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        if (without && same_spec(&options[i].spec, without))
            continue;
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_int(m, "rank", UNIT_COUNT, (int64_t)i + 1);
        emit_option_values(m, &options[i]);
        emit_end(m);
    }
    emit_end(m);
}

void emit_rejected(struct emit *m, const struct size_rejected *rejected, size_t n)
{
    emit_begin(m, "rejected", EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        const struct size_rejected *r = &rejected[i];
        char spec[96];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "spec", volume_spec_format(spec, &r->spec));
        emit_spec_values(m, &r->spec);
        emit_text(m, "ceiling", ceiling_name(r->ceiling));
        emit_num(m, "needed", UNIT_NONE, r->needed);
        emit_num(m, "offered", UNIT_NONE, r->offered);
        emit_usd(m, "meets_at_usd", r->meets_at_microusd);
        emit_end(m);
    }
    emit_end(m);
}

char *rejected_words(char buf[REJECTED_WORDS], const struct size_rejected *r)
{
    char spec[96], needed[48], offered[48], usd[48];
    volume_spec_format(spec, &r->spec);
    unit_format_usd(usd, r->meets_at_microusd);
    rate_words(needed, r->needed);
    rate_words(offered, r->offered);
    switch (r->ceiling) {
    case CEILING_TYPES:
        snprintf(buf, REJECTED_WORDS, "%s (%s USD; not an allowed type)", spec, usd);
        break;
    case CEILING_PRICE:
        if (r->meets_at_microusd == UNKNOWN)
            snprintf(buf, REJECTED_WORDS, "%s (no price in the region)", spec);
        else
            snprintf(buf, REJECTED_WORDS, "%s (%s USD)", spec, usd);
        break;
    case CEILING_LAUNCH:
        snprintf(buf, REJECTED_WORDS, "%s (did not exist on that day)",
                 volume_type_name(r->spec.type));
        break;
    case CEILING_LATENCY:
        snprintf(buf, REJECTED_WORDS, "%s (latency class)", volume_type_name(r->spec.type));
        break;
    case CEILING_DURABILITY:
        snprintf(buf, REJECTED_WORDS, "%s (durability)", volume_type_name(r->spec.type));
        break;
    default:
        if (r->meets_at_microusd == UNKNOWN)
            snprintf(buf, REJECTED_WORDS, "%s (%s %s < %s)", spec, ceiling_name(r->ceiling),
                     offered, needed);
        else
            snprintf(buf, REJECTED_WORDS, "%s (%s %s < %s; %s USD once it carries it)", spec,
                     ceiling_name(r->ceiling), offered, needed, usd);
    }
    return buf;
}

void say_why_not(struct emit *m, const char *of, const struct size_rejected *rejected, size_t n,
                 size_t n_said, const char *hint)
{
    char line[1200] = "", one[REJECTED_WORDS];
    size_t at = 0;
    size_t said = n < n_said ? n : n_said;
    for (size_t i = 0; i < said; i++) {
        int put = snprintf(line + at, sizeof line - at, "%s%s", i ? ", " : "",
                           rejected_words(one, &rejected[i]));
        at += put > 0 ? (size_t)put : 0;
        if (at >= sizeof line)
            break;
    }
    if (!said)
        return;
    if (n > said)
        emit_label(m, "why not", "%s%s%s ... %zu more: %s", of ? of : "", of ? ": " : "", line,
                   n - said, hint);
    else
        emit_label(m, "why not", "%s%s%s", of ? of : "", of ? ": " : "", line);
}
