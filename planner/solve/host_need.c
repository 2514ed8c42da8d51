/* planner/solve/host_need.c - see host_need.h.
 *
 * A group of c volumes on k cards has floor(c / k) on each and one more on c mod k of them, so of
 * its load x a card gets at most
 *
 *     x / k + x * ((floor(c / k) + 1) / c - 1 / k)
 *
 * The first terms add up to the load of the instance / k; the second are dealt to the card that has
 * least of them so far. */
#include "planner/solve/host_need.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { CARDS_MAX = 16 };

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

/* What the odd volumes of all groups put on the fuller card. */
static double odd_part(const struct system_demand *d, const struct volume_spec *chosen,
                       int64_t cards, bool of_iops)
{
    double extra[CARDS_MAX] = { 0 }, most = 0;
    for (size_t g = 0; g < d->n_groups; g++) {
        const struct demand *load = &d->groups[g].demand;
        double peak = of_iops ? load->counted_iops : load->total_mibps * MB_PER_MIB;
        int64_t count = chosen[g].count, odd = count % cards, fuller = count / cards + 1;
        if (!(peak > 0) || count < 1)
            continue;
        double each = peak * ((double)fuller / (double)count - 1 / (double)cards);
        for (; odd > 0; odd--) {
            int64_t least = 0;
            for (int64_t k = 1; k < cards; k++)
                if (extra[k] < extra[least])
                    least = k;
            extra[least] += each;
            most = fmax(most, extra[least]);
        }
    }
    return most;
}

double host_card_use(const struct system_demand *d, const struct volume_spec *chosen,
                     const struct instance_type *t, const struct instance_caps *caps,
                     const struct host_need *n)
{
    if (t->ebs_cards < 2 || t->ebs_cards > CARDS_MAX)
        return NAN;
    double cards = (double)t->ebs_cards;
    double mb_s = n->mb_s / cards + n->factor * odd_part(d, chosen, t->ebs_cards, false);
    double iops = n->iops / cards + n->factor * odd_part(d, chosen, t->ebs_cards, true);
    return fmax(mb_s / (caps->baseline_mb_s / cards), iops / (caps->baseline_iops / cards));
}
