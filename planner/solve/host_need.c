/* planner/solve/host_need.c - see host_need.h.
 *
 * A group of c volumes on k cards has floor(c / k) on each and one more on c mod k of them, so of
 * its load x a card gets at most
 *
 *     x / k + x * ((floor(c / k) + 1) / c - 1 / k)
 *
 * The first terms add up to the load of the instance / k; the second are dealt (card_deal.h). */
#include "planner/solve/host_need.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

bool host_is_candidate(const struct instance_type *t, const struct host_need *n)
{
    if (!t->in_latest_api || t->hourly_picousd == UNKNOWN || instance_cpu_bursts(t))
        return false;
    if (n->arch && (!t->arch || strcmp(t->arch, n->arch) != 0))
        return false;
    /* UNKNOWN is below every number, so that an unknown offer meets no need. */
    return t->vcpu >= n->vcpu && t->memory_mib >= n->memory_mib;
}

bool host_carries(const struct instance_caps *caps, const struct host_need *n)
{
    const double slack = 1 - 1e-9;
    bool mb_s = isnan(n->mb_s) || caps->baseline_mb_s >= n->mb_s * slack;
    bool iops = isnan(n->iops) || caps->baseline_iops >= n->iops * slack;
    return mb_s && iops && !isnan(caps->baseline_mb_s);
}

/* What a volume more on count mod cards of the cards puts on each of those, in parts of the load.
 */
static double odd_part(int64_t count, int64_t cards)
{
    if (count < 1 || count % cards == 0)
        return 0;
    int64_t fuller = count / cards + 1;
    return (double)fuller / (double)count - 1 / (double)cards;
}

static double part_of(double load, double card)
{
    return load > 0 && !isnan(card) ? load / card : 0;
}

/* The peaks of the groups of d as parts of a card, and what the instance has beyond their sum. */
static struct card_load beyond_groups(const struct system_demand *d, const struct host_need *n,
                                      double mb_s, double iops)
{
    double rest_mb_s = n->mb_s, rest_iops = n->iops;
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct demand *load = &d->groups[g].demand;
        rest_mb_s -= load->total_mibps > 0 ? load->total_mibps * MB_PER_MIB * n->factor : 0;
        rest_iops -= load->counted_iops > 0 ? load->counted_iops * n->factor : 0;
    }
    return (struct card_load){ 0, 0, part_of(rest_mb_s, mb_s), part_of(rest_iops, iops) };
}

struct card_use host_card_use(const struct system_demand *d, const struct volume_spec *chosen,
                              const struct instance_type *t, const struct instance_caps *caps,
                              const struct host_need *n, int64_t *steps)
{
    struct card_odd odd[CARD_ODD_MAX];
    size_t n_odd = 0;
    int64_t cards = t->ebs_cards;
    bool figures = (!isnan(n->mb_s) || !isnan(n->iops)) && !isnan(caps->baseline_mb_s), all = true;
    if (cards < 2 || cards > EBS_CARDS_MAX || !figures)
        return (struct card_use){ NAN, true };
    double mb_s = caps->baseline_mb_s / (double)cards, iops = caps->baseline_iops / (double)cards;
    struct card_load even = beyond_groups(d, n, mb_s, iops);
    even.mb_s = part_of(n->mb_s / (double)cards, mb_s);
    even.iops = part_of(n->iops / (double)cards, iops);
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct demand *load = &d->groups[g].demand;
        int64_t count = chosen[g].count, each_card = count / cards;
        double peak_mb_s = part_of(load->total_mibps * MB_PER_MIB * n->factor, mb_s);
        double peak_iops = part_of(load->counted_iops * n->factor, iops);
        if (count < 1)
            continue;
        double beyond = odd_part(count, cards), of_one = 1 / (double)count;
        double of_all = (double)each_card * of_one;
        struct card_load each = { peak_mb_s * beyond, peak_iops * beyond, peak_mb_s * of_one,
                                  peak_iops * of_one };
        even.peaks_mb_s += peak_mb_s * of_all;
        even.peaks_iops += peak_iops * of_all;
        if (!(beyond > 0) || !(peak_mb_s > 0 || peak_iops > 0))
            continue;
        if (n_odd < CARD_ODD_MAX) {
            odd[n_odd++] = (struct card_odd){ each, count % cards };
            continue;
        }
        even.mb_s += each.mb_s; /* as if on every card */
        even.iops += each.iops;
        even.peaks_mb_s += each.peaks_mb_s;
        even.peaks_iops += each.peaks_iops;
        all = false;
    }
    struct card_use use = card_deal(odd, n_odd, even, cards, steps);
    use.proved = use.proved && (all || card_holds(use.use));
    return use;
}
