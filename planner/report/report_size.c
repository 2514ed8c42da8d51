/* planner/report/report_size.c - what is said of the ways to carry a need. */
#include "planner/report/report.h"

#include "models/core/timestamp.h"
#include "planner/check/plan_check.h"
#include "planner/report/emit_option.h"

#include <stdio.h>

/* "1 000 MiB/s, 417 IOPS and 500 GiB", only what was asked. */
static void need_words(char buf[200], const struct size_need *n)
{
    char mibps[48], iops[48], gib[48];
    unit_format(gib, (double)n->size_gib, 0);
    rate_words(mibps, n->throughput_mibps);
    rate_words(iops, n->iops);
    if (isnan(n->iops) && isnan(n->throughput_mibps))
        snprintf(buf, 200, "%s GiB", gib);
    else if (isnan(n->iops))
        snprintf(buf, 200, "%s MiB/s and %s GiB", mibps, gib);
    else if (isnan(n->throughput_mibps))
        snprintf(buf, 200, "%s IOPS and %s GiB", iops, gib);
    else
        snprintf(buf, 200, "%s MiB/s, %s IOPS and %s GiB", mibps, iops, gib);
}

static void say_answer(struct emit *m, const struct size_result *r)
{
    char need[200], spec[96], usd[48], day[32];
    need_words(need, &r->need);
    time_format_date(day, r->options_used.as_of_ms);
    if (!r->n_options) {
        char loser[REJECTED_WORDS];
        emit_say(m, "Nothing that is allowed carries %s under the rules of %s%s%s.", need, day,
                 r->n_rejected ? "; the first that fails: " : "",
                 r->n_rejected ? rejected_words(loser, &r->rejected[0]) : "");
        return;
    }
    const struct size_option *best = &r->options[0];
    emit_say(m, "%s carr%s %s for %s USD a month (%s, rules of %s), bound by %s.",
             volume_spec_format(spec, &best->spec), best->spec.count == 1 ? "ies" : "y", need,
             unit_format_usd(usd, best->total_microusd), r->options_used.region, day,
             best->binding == CEILING_IOPS ? "IOPS" : ceiling_name(best->binding));
}

static void emit_need(struct emit *m, const struct size_result *r)
{
    emit_begin(m, "need", EMIT_OBJECT);
    emit_num(m, "iops", UNIT_IOPS, r->need.iops);
    emit_num(m, "throughput_mibps", UNIT_MIBPS, r->need.throughput_mibps);
    emit_num(m, "counted_iops", UNIT_IOPS, r->counted_iops);
    emit_num(m, "counted_iops_high", UNIT_IOPS, r->counted_iops_high);
    emit_int(m, "size_gib", UNIT_GIB, r->need.size_gib);
    emit_num(m, "headroom_pct", UNIT_PCT, r->options_used.headroom_pct);
    emit_int(m, "device_size_gib", UNIT_GIB, r->need_gib);
    emit_end(m);
}

static void emit_table_of_options(struct emit *m, const struct size_result *r)
{
    static const struct emit_col cols[] = {
        { "rank", "rank", false },
        { "spec", "volumes", true },
        { "group_max_throughput_mibps", "MiB/s", false },
        { "group_max_iops", "IOPS", false },
        { "binding", "bound by", true },
        { "total_usd", "USD/month", false },
        { "rank_usd", "ranked at", false },
    };
    bool ranked_apart = r->options_used.per_volume_microusd != 0;
    emit_table(m, "options", cols, sizeof cols / sizeof *cols - !ranked_apart);
    for (size_t i = 0; i < r->n_options; i++) {
        char spec[96];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_int(m, "rank", UNIT_COUNT, (int64_t)i + 1);
        emit_cell(m, "spec", "%s", volume_spec_format(spec, &r->options[i].spec));
        emit_option_values(m, &r->options[i]);
        emit_end(m);
    }
    emit_end(m);
}

static void say_sure(struct emit *m, const struct size_result *r)
{
    char likely[48], high[48], pct[48], usd[48], day[32];
    if (r->counted_iops_high > r->counted_iops * 1.001)
        emit_label(m, "counted", "EBS counts %s requests/s of up to 256 KiB, %s at most",
                   rate_words(likely, r->counted_iops), rate_words(high, r->counted_iops_high));
    else if (!isnan(r->counted_iops))
        emit_label(m, "counted", "EBS counts %s requests/s of up to 256 KiB",
                   rate_words(likely, r->counted_iops));
    if (r->options_used.headroom_pct > 0)
        emit_label(m, "headroom", "%s %% above the need, for IOPS and MiB/s",
                   rate_words(pct, r->options_used.headroom_pct));
    if (r->options_used.per_volume_microusd)
        emit_label(m, "ranked", "with %s USD for every volume after the first",
                   unit_format_usd(usd, r->options_used.per_volume_microusd));
    if (r->n_options) {
        emit_label(m, "risk", "%s", r->options[0].risk);
        for (size_t i = 0; i < r->options[0].n_notes; i++)
            emit_label(m, "note", "%s", r->options[0].notes[i]);
    }
    if (r->price_as_of_ms != UNKNOWN)
        emit_label(m, "sure", "every count of the allowed types was tried; list prices of %s",
                   time_format_date(day, r->price_as_of_ms));
}

static void say_next(struct emit *m, const struct size_result *r)
{
    if (!r->n_options) {
        emit_label(m, "next", "other --types, or a larger --max-count");
        return;
    }
    const struct volume_spec *v = &r->options[0].spec;
    char day[32], iops[40] = "", mibps[40] = "";
    if (v->iops != UNKNOWN)
        snprintf(iops, sizeof iops, " --iops %lld", (long long)v->iops);
    if (v->throughput_mibps != UNKNOWN)
        snprintf(mibps, sizeof mibps, " --throughput %lld", (long long)v->throughput_mibps);
    emit_label(m, "next", "volplan vol %s --count %lld --size %lld%s%s --io-size 256 --as-of %s",
               volume_type_name(v->type), (long long)v->count, (long long)v->size_gib, iops, mibps,
               time_format_date(day, r->options_used.as_of_ms));
}

void report_size(struct emit *m, const struct size_result *r)
{
    struct err e = { 0 };
    if (size_check(r, &e))
        BUG(e.text);
    say_answer(m, r);
    if (r->n_options)
        emit_say(m, "%s", "");
    emit_need(m, r);
    emit_text(m, "status", plan_status_name(r->status));
    emit_date(m, "as_of", r->options_used.as_of_ms);
    emit_date(m, "price_as_of", r->price_as_of_ms);
    emit_text(m, "region", r->options_used.region);
    emit_table_of_options(m, r);
    emit_rejected(m, r->rejected, r->n_rejected);
    emit_say(m, "%s", "");
    say_why_not(m, NULL, r->rejected, r->n_rejected, 3, "--json, or a larger --top");
    say_sure(m, r);
    say_next(m, r);
}
