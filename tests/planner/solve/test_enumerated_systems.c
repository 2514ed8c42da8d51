/* tests/planner/solve/test_enumerated_systems.c - whole systems against a walk over all they could
 * be, and what must hold of their price.
 *
 * Two to four groups with policies on a host with few slots, given or to be chosen, under all rule
 * packs in small (scaled_pack.h).  The walk takes every spec of every allowed type for every count
 * of every group, every combination of counts, and every host: no bound, no knapsack.  Seed
 * printed; FULL=1 tries 4 000 systems, of which more than half have a plan. */
#include "planner/check/plan_check.h"
#include "planner/solve/plan.h"
#include "tests/planner/solve/enumeration.h"
#include "tests/planner/solve/scaled_pack.h"
#include "tests/planner/synthetic.h"
#include "tests/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { GROUPS_MAX = 4, COUNT_MAX = 4, HOSTS = 12, SPECS_MAX = 20000 };

static const char *const regions[] = { "us-east-1" };

static uint64_t seed;
static struct fact_rows rows;
static struct catalogue catalogue;
static struct arena facts;

/* --- hosts ------------------------------------------------------------------------------------ */

static struct host {
    char name[16];
    int64_t vcpu, memory_gib, mb_s, iops, slots, hourly_musd; /* thousandths of a USD */
    bool shared, xen, arm;
} hosts[HOSTS];

/* As an instances.csv; price has little to do with strength, so that no order gives it away. */
static const char *hosts_csv(struct arena *a)
{
    struct seeded s = seeded_case(seed, 1u << 30);
    struct csv_text t = { arena_alloc(a, 8192), 0, 8192 };
    csv_put(&t,
            "instance_type,vcpu,memory_mib,hypervisor,arch,ebs_optimized,baseline_mb_s,max_mb_s,"
            "baseline_mbps,max_mbps,baseline_iops,max_iops,max_ebs_attachments,"
            "attachment_kind,ebs_cards,burst,nitro_system,current_generation,in_latest_api,"
            "instance_store_volumes,hourly_usd,as_of,source\n");
    for (size_t i = 0; i < HOSTS; i++) {
        struct host *h = &hosts[i];
        *h = (struct host){ .vcpu = 2 * seeded_int(&s, 1, 16),
                            .memory_gib = 8 * seeded_int(&s, 1, 16),
                            .mb_s = seeded_int(&s, 20, 90),
                            .iops = seeded_int(&s, 200, 1600),
                            .slots = seeded_int(&s, 4, 14),
                            .hourly_musd = seeded_int(&s, 20, 900),
                            .shared = seeded_chance(&s, 50),
                            .xen = i >= HOSTS - 3,
                            .arm = i == 0 };
        snprintf(h->name, sizeof h->name, "h%02zu.large", i);
        csv_put(&t,
                "%s,%lld,%lld,%s,%s,default,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%s,1,no,%s,yes,"
                "yes,,0.%03lld,2026-11-30,made up\n",
                h->name, (long long)h->vcpu, (long long)h->memory_gib * 1024,
                h->xen ? "xen" : "nitro", h->arm ? "arm64" : "x86_64", (long long)h->mb_s,
                (long long)h->mb_s, (long long)h->mb_s * 8, (long long)h->mb_s * 8,
                (long long)h->iops, (long long)h->iops, (long long)h->slots,
                h->shared ? "shared" : "dedicated", h->xen ? "no" : "yes",
                (long long)h->hourly_musd);
    }
    return t.bytes;
}

static int64_t slots_of(const struct host *h, int64_t network_interfaces)
{
    int64_t taken = h->shared ? network_interfaces - 1 : 0;
    return h->slots > taken ? h->slots - taken : 0;
}

static const struct host *host_named(const char *name)
{
    size_t i = 0;
    while (strcmp(hosts[i].name, name) != 0)
        i++;
    return &hosts[i];
}

/* --- random systems --------------------------------------------------------------------------- */

struct system_case {
    struct layout_group groups[GROUPS_MAX];
    struct layout_volumes today[GROUPS_MAX];
    struct group_demand demands[GROUPS_MAX];
    struct layout layout;
    struct system_load load; /* nothing more was measured */
    struct system_demand demand;
    struct plan_options options;
    const char *day;
};

/* Pointers into *c itself. */
static void link_case(struct system_case *c)
{
    for (size_t g = 0; g < c->layout.n_groups; g++) {
        if (c->groups[g].n_volumes)
            c->groups[g].volumes = &c->today[g];
        c->demands[g].group = &c->groups[g];
    }
    c->layout.groups = c->groups;
    c->demand.load = &c->load;
    c->demand.layout = &c->layout;
    c->demand.groups = c->demands;
}

static struct demand peak_of(double mibps, double iops)
{
    double counted = fmax(iops, mibps * 4);
    return (struct demand){ .read_mibps = mibps,
                            .write_mibps = 0,
                            .total_mibps = mibps,
                            .read_iops = iops,
                            .write_iops = 0,
                            .counted_iops = counted,
                            .counted_iops_high = iops + mibps * 4,
                            .grade = GRADE_ASSUMED, /* no load over time: baselines count */
                            .time_of_max_ms = 0,
                            .low_mibps = mibps,
                            .high_mibps = mibps };
}

/* The host's peak is the sum of the groups': they peak together. */
static void sum_demand(struct system_case *c)
{
    double mibps = 0, iops = 0;
    for (size_t g = 0; g < c->layout.n_groups; g++) {
        mibps += c->demands[g].demand.total_mibps;
        iops += c->demands[g].demand.counted_iops;
    }
    c->demand.demand = peak_of(mibps, iops);
}

static void random_group(struct seeded *s, struct system_case *c, size_t g)
{
    static const char *const names[] = { "DATA", "REDO", "FRA", "TEMP" };
    static const unsigned masks[] = { 1u << VOL_GP3 | 1u << VOL_IO2, 1u << VOL_IO2, 1u << VOL_GP3,
                                      1u << VOL_GP3 | 1u << VOL_IO1 | 1u << VOL_GP2,
                                      (1u << VOL_TYPE_COUNT) - 1 };
    struct layout_group *l = &c->groups[g];
    double mibps = seeded_real(s, seeded_chance(s, 95) ? 7 : 40);
    double iops = seeded_real(s, seeded_chance(s, 95) ? 80 : 400);
    *l = group_named(names[g], g == 1 ? ROLE_REDO : ROLE_DATA);
    l->need_gib = seeded_int(s, 1, seeded_chance(s, 90) ? 4 : 12);
    l->redundancy = seeded_chance(s, 15) ? REDUNDANCY_NORMAL : REDUNDANCY_EXTERNAL;
    l->skew = seeded_chance(s, 15) ? 1.25 : 1;
    l->policy.types = masks[seeded_int(s, 0, 4)];
    l->policy.max_count = seeded_int(s, 2, COUNT_MAX);
    l->policy.min_count = seeded_chance(s, 15) ? seeded_int(s, 1, l->policy.max_count) : 1;
    l->policy.min_iops = seeded_chance(s, 10) ? seeded_int(s, 1, 100) : 0;
    l->policy.size_step_gib = seeded_chance(s, 15) ? 2 : 1;
    l->policy.min_durability_pct = seeded_chance(s, 3) ? 99.9 : NAN;
    l->policy.max_latency_class = seeded_chance(s, 5) ? "single-digit ms" : NULL;
    c->demands[g] = (struct group_demand){
        .demand = peak_of(mibps, iops),
        .total_iops = iops,
        .hot = { .uneven_mibps = 1, .uneven_iops = 1, .uneven_counted = 1 }
    };
    if (!seeded_chance(s, 10))
        return;
    /* io1 of 2 GiB and 20 IOPS is legal in every era of the pack. */
    l->policy.keep = true;
    l->n_volumes = 1;
    c->today[g] =
        (struct layout_volumes){ { VOL_IO1, seeded_int(s, 1, 3), 2, 20, UNKNOWN }, UNKNOWN };
}

static void random_case(struct seeded *s, struct system_case *c)
{
    static const char *const days[] = { "2022-06-01", "2024-01-01", "2025-09-25", "2026-06-01" };
    *c = (struct system_case){ .day = days[seeded_int(s, 0, 3)] };
    const struct host *h = &hosts[seeded_int(s, 1, HOSTS - 1)];
    c->layout = layout_of(c->groups, (size_t)seeded_int(s, 2, GROUPS_MAX), h->name);
    c->layout.network_interfaces = seeded_int(s, 1, 3);
    for (size_t g = 0; g < c->layout.n_groups; g++)
        random_group(s, c, g);
    c->demand = (struct system_demand){ .n_groups = c->layout.n_groups };
    sum_demand(c);
    struct plan_options *o = &c->options;
    plan_options_init(o, &catalogue, day_ms(c->day));
    o->headroom_pct = (double)seeded_int(s, 0, 3) * 10;
    o->per_volume_microusd = seeded_int(s, 0, 2) * 5000000;
    o->figures_only = true;
    o->instance_auto = seeded_chance(s, 50);
    if (o->instance_auto) {
        o->vcpu = seeded_int(s, 1, 12);
        o->memory_mib = seeded_int(s, 1, 48) * 1024;
    }
}

/* --- the walk --------------------------------------------------------------------------------- */

/* All legal specs of a rule, walked once. */
static const struct legal_list *legal_specs(const struct fact_rule *r, bool xen)
{
    static struct legal_list lists[FACT_RULES][2];
    struct legal_list *l = &lists[r - rows.rule][xen];
    if (!l->at) {
        l->at = arena_array(&facts, SPECS_MAX, sizeof *l->at);
        l->room = SPECS_MAX;
        legal_walk(&rows, r, regions[0], xen, l);
    }
    return l;
}

static struct whole_need need_of(const struct system_case *c, size_t g, const struct fact_rule *r)
{
    const struct layout_group *l = &c->groups[g];
    const struct demand *d = &c->demands[g].demand;
    int64_t copies = l->redundancy == REDUNDANCY_NORMAL ? 2 : 1;
    return whole_need_of(r, c->demands[g].total_iops, d->counted_iops, d->total_mibps,
                         l->skew * (1 + c->options.headroom_pct / 100), (double)l->policy.min_iops,
                         l->need_gib * copies, l->policy.size_step_gib);
}

/* The cheapest rank of a group with each count; UNKNOWN = nothing. */
static void walk_group(const struct system_case *c, size_t g, bool xen, int64_t rank[COUNT_MAX + 1])
{
    const struct layout_group *l = &c->groups[g];
    for (int64_t count = 0; count <= COUNT_MAX; count++)
        rank[count] = UNKNOWN;
    for (int t = 0; t < VOL_TYPE_COUNT; t++) {
        const struct fact_rule *r =
            rule_on(&rows, volume_type_name((enum volume_type)t), c->day, NULL);
        if (!(l->policy.types & 1u << t) || !r ||
            !policy_allows(r, l->policy.min_durability_pct, l->policy.max_latency_class))
            continue;
        struct whole_need need = need_of(c, g, r);
        for (int64_t count = l->policy.min_count; count <= l->policy.max_count; count++) {
            const struct legal_spec *s = walk_cheapest(legal_specs(r, xen), count, &need);
            if (!s)
                continue;
            int64_t v = s->microusd * count + c->options.per_volume_microusd * (count - 1);
            if (rank[count] == UNKNOWN || v < rank[count])
                rank[count] = v;
        }
    }
}

/* Every combination of counts that leaves no slot too few. */
static void walk_counts(int64_t rank[GROUPS_MAX][COUNT_MAX + 1], size_t g, size_t n, int64_t slots,
                        int64_t sum, int64_t *best)
{
    if (g == n) {
        *best = *best == UNKNOWN || sum < *best ? sum : *best;
        return;
    }
    for (int64_t count = 1; count <= COUNT_MAX && count <= slots; count++)
        if (rank[g][count] != UNKNOWN)
            walk_counts(rank, g + 1, n, slots - count, sum + rank[g][count], best);
}

/* Least sum of ranks on a host; UNKNOWN = none. */
static int64_t walk_host(const struct system_case *c, const struct host *h)
{
    int64_t rank[GROUPS_MAX][COUNT_MAX + 1], best = UNKNOWN, kept = 0;
    int64_t slots = slots_of(h, c->layout.network_interfaces) - 1; /* the root volume */
    size_t n = 0;
    for (size_t g = 0; g < c->layout.n_groups; g++) {
        const struct volume_spec *v = &c->today[g].spec;
        if (!c->groups[g].policy.keep) {
            walk_group(c, g, h->xen, rank[n++]);
            continue;
        }
        struct legal_spec today = { .gib = v->size_gib, .iops = v->iops, .mibps = UNKNOWN };
        slots -= v->count;
        kept += what_it_costs(&rows, regions[0], "io1", &today) * v->count +
                c->options.per_volume_microusd * (v->count - 1);
    }
    walk_counts(rank, 0, n, slots, 0, &best);
    /* What is kept stays, though slots may be too few for it alone. */
    return best == UNKNOWN || slots < 0 ? UNKNOWN : best + kept;
}

static bool host_holds(const struct system_case *c, const struct host *h)
{
    double factor = (1 + c->options.headroom_pct / 100) * (1 - 1e-9);
    return !h->arm && h->vcpu >= c->options.vcpu && h->memory_gib * 1024 >= c->options.memory_mib &&
           (double)h->mb_s >= c->demand.demand.total_mibps * 1.048576 * factor &&
           (double)h->iops >= c->demand.demand.counted_iops * factor;
}

static int64_t monthly_microusd(const struct host *h)
{
    return h->hourly_musd * 1000 * 730;
}

/* With a given host the least rank, with a host to choose the least rank and price of the host. */
static int64_t walk_system(const struct system_case *c)
{
    int64_t best = UNKNOWN;
    for (size_t i = 0; i < HOSTS; i++) {
        bool candidate = c->options.instance_auto ? host_holds(c, &hosts[i])
                                                  : !strcmp(hosts[i].name, c->layout.instance_type);
        int64_t sum = candidate ? walk_host(c, &hosts[i]) : UNKNOWN;
        if (sum == UNKNOWN)
            continue;
        sum += c->options.instance_auto ? monthly_microusd(&hosts[i]) : 0;
        best = best == UNKNOWN || sum < best ? sum : best;
    }
    return best;
}

/* --- the plan --------------------------------------------------------------------------------- */

static void fail_case(const struct system_case *c, uint64_t index, const char *what)
{
    print_error("seed %llu, system %llu: %s (%s, %s, %zu groups, headroom %g)\n",
                (unsigned long long)seed, (unsigned long long)index, what, c->day,
                c->options.instance_auto ? "auto" : c->layout.instance_type, c->layout.n_groups,
                c->options.headroom_pct);
    for (size_t g = 0; g < c->layout.n_groups; g++) {
        const struct layout_group *l = &c->groups[g];
        print_error("  %s types %x, %lld to %lld volumes%s, %lld GiB, %g MiB/s, %g IOPS\n", l->name,
                    l->policy.types, (long long)l->policy.min_count, (long long)l->policy.max_count,
                    l->policy.keep ? ", kept" : "", (long long)l->need_gib,
                    c->demands[g].demand.total_mibps, c->demands[g].total_iops);
    }
    fail();
}

/* What the plan ranks at, instance included when it was chosen; UNKNOWN = none.  *p lives in a. */
static int64_t plan_rank(const struct system_case *c, uint64_t index, struct arena *a,
                         struct plan *p)
{
    struct err e = { 0 };
    if (plan_build(&c->demand, &c->options, a, p, &e) || plan_check(p, &e))
        fail_case(c, index, e.text);
    if (p->status == PLAN_NONE)
        return UNKNOWN;
    int64_t sum = 0;
    for (size_t g = 0; g < p->n_groups; g++)
        sum += p->groups[g].chosen.rank_microusd;
    if (!c->options.instance_auto)
        return sum;
    for (size_t i = 0; i < HOSTS; i++)
        if (!strcmp(hosts[i].name, p->instance.type->name))
            sum += monthly_microusd(&hosts[i]);
    if (sum != p->instance.objective_microusd)
        fail_case(c, index, "the objective is not its parts");
    return sum;
}

/* The option that is said to come nearest to a group is legal, the group needs what is said, and
 * the option offers what is said. */
static const char *nearest_fault(const struct system_case *c, const struct plan *p, size_t g,
                                 bool xen)
{
    const struct volume_spec *v = &p->certificate.nearest;
    const struct fact_rule *r = rule_on(&rows, volume_type_name(v->type), c->day, NULL);
    if (!r)
        return "the nearest is of no type of that day";
    struct whole_need n = need_of(c, g, r);
    const struct legal_list *l = legal_specs(r, xen);
    for (size_t i = 0; i < l->n; i++) {
        const struct legal_spec *s = &l->at[i];
        if (s->gib != v->size_gib || s->iops != v->iops || s->mibps != v->throughput_mibps)
            continue;
        bool iops = p->certificate.ceiling == CEILING_IOPS;
        bool mibps = p->certificate.ceiling == CEILING_THROUGHPUT;
        double needed = iops ? n.iops : mibps ? n.mibps : (double)n.gib;
        double each = iops ? s->can_iops : mibps ? s->can_mibps : (double)s->gib;
        return !is_near(p->certificate.demand, needed)                     ? "another need"
               : !is_near(p->certificate.offered, each * (double)v->count) ? "another offer"
                                                                           : NULL;
    }
    /* A step above the largest size leaves none. */
    return v->size_gib ? "the nearest is no legal spec" : NULL;
}

/* A plan of none says of what there is too little: a host ceiling or one of a group, and the
 * figures where it has any. */
static const char *certificate_fault(const struct system_case *c, const struct plan *p)
{
    bool known = p->certificate.group && !strcmp(p->certificate.group, "host");
    for (size_t g = 0; g < c->layout.n_groups && p->certificate.group; g++)
        known |= !strcmp(c->groups[g].name, p->certificate.group);
    if (!known)
        return "a certificate without a group";
    switch (p->certificate.ceiling) {
    case CEILING_NONE:
        return "a certificate without a ceiling";
    case CEILING_LATENCY:
    case CEILING_DURABILITY:
    case CEILING_TYPES:
    case CEILING_LAUNCH:
    case CEILING_PRICE:
        return NULL;
    default:
        if (!(p->certificate.demand > p->certificate.offered))
            return "a certificate that proves nothing";
    }
    const char *fault = NULL;
    bool xen = p->instance.type && host_named(p->instance.type->name)->xen;
    for (size_t g = 0; g < c->layout.n_groups && p->certificate.nearest.count; g++)
        if (!strcmp(c->groups[g].name, p->certificate.group))
            fault = nearest_fault(c, p, g, xen);
    return fault;
}

static void test_systems(void **state)
{
    (void)state;
    int n_systems = getenv("FULL") ? 4000 : 400, n_none = 0, n_auto = 0;
    for (int i = 0; i < n_systems; i++) {
        struct seeded s = seeded_case(seed, (uint64_t)i);
        struct system_case c;
        struct arena a = { 0 };
        struct plan p;
        random_case(&s, &c);
        link_case(&c);
        int64_t want = walk_system(&c), got = plan_rank(&c, (uint64_t)i, &a, &p);
        char what[120];
        snprintf(what, sizeof what, "walked %lld, planned %lld", (long long)want, (long long)got);
        if (want != got)
            fail_case(&c, (uint64_t)i, what);
        const char *fault = got == UNKNOWN ? certificate_fault(&c, &p) : NULL;
        if (fault) {
            snprintf(what, sizeof what, "%s: %s of %s, needed %g, offered %g", fault,
                     ceiling_name(p.certificate.ceiling), p.certificate.group, p.certificate.demand,
                     p.certificate.offered);
            fail_case(&c, (uint64_t)i, what);
        }
        n_none += got == UNKNOWN;
        n_auto += got != UNKNOWN && c.options.instance_auto;
        arena_release(&a);
    }
    printf("%d systems equal, %d that nothing carries, %d with the host chosen\n", n_systems,
           n_none, n_auto);
    assert_in_range(n_none, 1, n_systems / 2);
}

/* --- properties ------------------------------------------------------------------------------- */

static bool dearer(int64_t a, int64_t than) /* none is dearer than any */
{
    return than != UNKNOWN && (a == UNKNOWN || a > than);
}

static int64_t rank_alone(const struct system_case *c, uint64_t index)
{
    struct arena a = { 0 };
    struct plan p;
    int64_t rank = plan_rank(c, index, &a, &p);
    arena_release(&a);
    return rank;
}

static void test_more_is_never_cheaper(void **state)
{
    (void)state;
    int n_systems = getenv("FULL") ? 2000 : 100;
    for (int i = 0; i < n_systems; i++) {
        uint64_t index = (1u << 20) + (uint64_t)i;
        struct seeded s = seeded_case(seed, index);
        struct system_case c, other;
        random_case(&s, &c);
        link_case(&c);
        int64_t rank = rank_alone(&c, index);
        size_t g = (size_t)seeded_int(&s, 0, (int64_t)c.layout.n_groups - 1);

        other = c;
        other.demands[g].total_iops *= 1.3;
        other.demands[g].demand =
            peak_of(c.demands[g].demand.total_mibps * (seeded_chance(&s, 50) ? 1 : 1.2),
                    other.demands[g].total_iops);
        sum_demand(&other);
        link_case(&other);
        if (dearer(rank, rank_alone(&other, index)))
            fail_case(&c, index, "more demand is cheaper");

        other = c;
        other.groups[g].need_gib += 1 + (int64_t)g;
        link_case(&other);
        if (dearer(rank, rank_alone(&other, index)))
            fail_case(&c, index, "more GiB are cheaper");

        other = c;
        other.options.headroom_pct += 11;
        link_case(&other);
        if (dearer(rank, rank_alone(&other, index)))
            fail_case(&c, index, "more headroom is cheaper");

        other = c;
        other.groups[g].policy.types |= 1u << seeded_int(&s, 0, VOL_TYPE_COUNT - 1);
        link_case(&other);
        if (dearer(rank_alone(&other, index), rank))
            fail_case(&c, index, "one more allowed type is dearer");
    }
}

/* The best of everything but one (type, count), by asking three times. */
static int64_t best_without(const struct size_need *n, const struct size_options *o,
                            const struct volume_spec *gone)
{
    struct size_options parts[3] = { *o, *o, *o };
    int64_t best = UNKNOWN;
    parts[0].types &= ~(1u << gone->type);
    parts[1].types = parts[2].types = 1u << gone->type;
    parts[1].max_count = gone->count - 1;
    parts[2].min_count = gone->count + 1;
    for (size_t i = 0; i < 3; i++) {
        struct arena a = { 0 };
        struct size_result r;
        struct err e = { 0 };
        if (!parts[i].types || parts[i].max_count < parts[i].min_count)
            continue;
        assert_int_equal(size_solve(n, &parts[i], &a, &r, &e), 0);
        if (r.n_options && (best == UNKNOWN || r.options[0].rank_microusd < best))
            best = r.options[0].rank_microusd;
        arena_release(&a);
    }
    return best;
}

static void test_without_the_best_the_second(void **state)
{
    (void)state;
    int n_needs = getenv("FULL") ? 5000 : 500, n_seconds = 0;
    for (int i = 0; i < n_needs; i++) {
        struct seeded s = seeded_case(seed, (2u << 20) + (uint64_t)i);
        struct size_options o;
        struct size_need n = {
            seeded_real(&s, 300), seeded_real(&s, 20), NAN, NAN, NAN, seeded_int(&s, 1, 20), NAN
        };
        struct arena a = { 0 };
        struct size_result r;
        struct err e = { 0 };
        size_options_init(&o, &catalogue, day_ms("2026-06-01"));
        o.types = (unsigned)seeded_int(&s, 1, (1 << VOL_TYPE_COUNT) - 1);
        o.max_count = 6;
        o.per_volume_microusd = seeded_int(&s, 0, 1) * 5000000;
        assert_int_equal(size_solve(&n, &o, &a, &r, &e), 0);
        if (r.n_options) {
            int64_t second = r.n_options > 1 ? r.options[1].rank_microusd : UNKNOWN;
            assert_int_equal(best_without(&n, &o, &r.options[0].spec), second);
            n_seconds += second != UNKNOWN;
        }
        arena_release(&a);
    }
    assert_true(n_seconds > n_needs / 2);
}

int main(void)
{
    static struct fact_rows real;
    fact_rows_read(&real);
    if (!real.n_rules || !real.n_prices) {
        printf("not run: models/facts is not there\n");
        return 0;
    }
    seed = seed_of_run(20260602);
    packs_together(&rows, &real, regions, 1);
    catalogue = catalogue_of_rows(&rows, hosts_csv(&facts), &facts);
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_more_is_never_cheaper),
        cmocka_unit_test(test_without_the_best_the_second),
    };
    int failed = cmocka_run_group_tests(t, NULL, NULL);
    arena_release(&facts);
    return failed;
}
