/* planner/report/report_plan_host.c - see report_plan_host.h. */
#include "planner/report/report_plan_host.h"

#include "planner/report/emit_option.h"
#include "planner/report/report_plan_replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *verdict_words(const struct plan_instance *i)
{
    switch (i->verdict) {
    case INSTANCE_FITS:
        return "fits";
    case INSTANCE_BURST:
        return "fits by its burst";
    case INSTANCE_TOO_SMALL:
        switch (i->ceiling) {
        case CEILING_INSTANCE_IOPS:
            return "is too small with headroom, in IOPS first";
        case CEILING_ATTACHMENTS:
            return "is too small, in attached volumes first";
        case CEILING_EBS_CARD:
            return "is too small with headroom, on one of its EBS cards first";
        default:
            return "is too small with headroom, in MB/s first";
        }
    case INSTANCE_UNKNOWN:
        break;
    }
    return "cannot be judged";
}

void say_plan_too_small(struct emit *m, const struct plan *p, bool also)
{
    const struct plan_instance *i = &p->instance;
    char used[48], most[48], asked[48], what[200], take[160] = "";
    if (i->ceiling == CEILING_ATTACHMENTS)
        snprintf(what, sizeof what, "it attaches %lld volumes, the plan has %lld",
                 (long long)i->caps.volumes, (long long)i->attachments);
    else if (i->ceiling == CEILING_EBS_CARD)
        snprintf(what, sizeof what, "one of its EBS cards is loaded to %.0f %%", i->card_use * 100);
    else {
        bool iops = i->ceiling == CEILING_INSTANCE_IOPS;
        double demand = iops ? i->demand_iops : i->demand_mb_s;
        snprintf(what, sizeof what, "%s of %s %s, %s with headroom", unit_format(used, demand, 0),
                 unit_format(most, iops ? i->caps.baseline_iops : i->caps.baseline_mb_s, 0),
                 iops ? "IOPS" : "MB/s",
                 unit_format(asked, demand * (1 + p->headroom_pct / 100), 0));
    }
    if (i->ebs_1_fits)
        snprintf(take, sizeof take, "; with bandwidth weighting ebs-1 it holds");
    else if (i->larger_of_family)
        snprintf(take, sizeof take, "; %s is the cheapest of its family that holds",
                 i->larger_of_family->name);
    else if (i->larger)
        snprintf(take, sizeof take, "; %s is the cheapest that holds", i->larger->name);
    emit_say(m, "The instance is %s: %s is too small, %s%s.",
             also ? "a ceiling too" : "the first ceiling", i->type->name, what, take);
}

static void say_larger(struct emit *m, const struct plan_instance *i)
{
    char most[48], iops[48];
    if (i->ebs_1_fits)
        emit_label(m, "or", "%s carries it with bandwidth weighting ebs-1, free, set while stopped",
                   i->type->name);
    if (i->larger_of_family)
        emit_label(m, "larger", "%s is the cheapest of its family that holds: %s MB/s, %s IOPS",
                   i->larger_of_family->name, rate_words(most, i->larger_of_family->baseline_mb_s),
                   unit_format(iops, (double)i->larger_of_family->baseline_iops, 0));
    if (i->larger && i->larger != i->larger_of_family)
        emit_label(m, i->larger_of_family ? "or" : "larger",
                   "%s, the cheapest of all with its CPU and memory: %s MB/s, %s IOPS",
                   i->larger->name, rate_words(most, i->larger->baseline_mb_s),
                   unit_format(iops, (double)i->larger->baseline_iops, 0));
}

void say_plan_chosen(struct emit *m, const struct plan *p)
{
    const struct plan_instance *i = &p->instance;
    const char *rank = p->status == PLAN_BEST ? "the cheapest instance" : "the cheapest found";
    char usd[48], sum[48];
    if (i->monthly_microusd == UNKNOWN)
        emit_say(m, "%s is %s for it by the prices of us-east-1; that of %s is not known.",
                 i->type->name, rank, p->region);
    else
        emit_say(m, "%s is %s for it: %s USD a month, %s with its volumes.", i->type->name, rank,
                 unit_format_usd(usd, i->monthly_microusd),
                 unit_format_usd(sum, i->monthly_microusd + p->total_microusd));
}

static void say_looked_at(struct emit *m, const struct plan_instance *i)
{
    emit_label(
        m, "looked at",
        "%zu types that carry it, cheapest first; after %zu the others cost more even with "
        "the cheapest volumes. Types whose CPU bursts (t, flex) are left out; when a type was "
        "launched is not known: --as-of does not filter them",
        i->n_tried + i->n_pruned, i->n_tried);
}

void say_plan_host(struct emit *m, const struct plan *p)
{
    static const char *const weightings[] = { "", " (ebs-1)", " (vpc-1)" };
    const struct plan_instance *i = &p->instance;
    char mb_s[48], most[48], iops[48], most_iops[48], slots[48];
    if (!i->type) {
        emit_label(m, "host",
                   i->automatic ? "none: a smaller need, or other --vcpu, --memory and --arch"
                                : "instance type not known: give --instance TYPE");
        return;
    }
    unit_format(slots, i->caps.volumes == UNKNOWN ? NAN : (double)i->caps.volumes, 0);
    emit_label(m, "host", "%s%s %s: %s %s of %s MB/s, %s of %s IOPS for long; %lld of %s volumes",
               i->type->name, weightings[i->weighting], verdict_words(i),
               grade_glyph(i->lower_bound ? GRADE_CENSORED : i->grade),
               unit_format(mb_s, i->demand_mb_s, 0), unit_format(most, i->caps.baseline_mb_s, 0),
               unit_format(iops, i->demand_iops, 0),
               unit_format(most_iops, i->caps.baseline_iops, 0), (long long)i->attachments, slots);
    if (!isnan(i->card_use))
        emit_label(m, "cards",
                   "%lld EBS cards of an equal part each; with every group spread over them the "
                   "fuller one is used to %.0f %% at most%s",
                   (long long)i->type->ebs_cards, i->card_use * 100,
                   i->spread ? ", for which the groups have other numbers of volumes than is "
                               "cheapest for each by itself"
                             : "");
    say_burst_of_host(m, p);
    say_larger(m, i);
    if (i->automatic)
        say_looked_at(m, i);
}

/* The point that ranks first among those with at least that headroom; NULL = none. */
static const struct plan_point *first_with(const struct plan *p, double headroom_pct)
{
    const struct plan_point *best = NULL;
    for (size_t i = 0; i < p->n_pareto; i++) {
        const struct plan_point *point = &p->pareto[i];
        bool first = !best || point->rank_microusd < best->rank_microusd ||
                     (point->rank_microusd == best->rank_microusd && point->count < best->count);
        if (point->headroom_pct >= headroom_pct * (1 - 1e-9) && first)
            best = point;
    }
    return best;
}

void say_plan_front(struct emit *m, const struct plan *p)
{
    static const double shown_pct[] = { 0, 20, 50, 100, 200 };
    const struct plan_point *last = NULL;
    char line[400] = "";
    size_t at = 0, n = 0;
    for (size_t i = 0; i < sizeof shown_pct / sizeof *shown_pct; i++) {
        const struct plan_point *point = first_with(p, shown_pct[i]);
        char usd[48];
        if (!point || point == last)
            continue;
        int put = snprintf(line + at, sizeof line - at, "%s%.0f %%: %s USD, %lld volume%s",
                           n ? "; " : "", floor(point->headroom_pct * (1 + 1e-9)),
                           unit_format_usd(usd, point->total_microusd), (long long)point->count,
                           point->count == 1 ? "" : "s");
        at += put > 0 && (size_t)put < sizeof line - at ? (size_t)put : 0;
        last = point;
        n++;
    }
    if (n > 1)
        emit_label(m, "headroom", "%s (all %zu choices: --json, pareto)", line, p->n_pareto);
}
