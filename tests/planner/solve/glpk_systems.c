/* tests/planner/solve/glpk_systems.c - random systems for another solver.
 *
 *   glpk_systems FOLDER N GROUPS TYPES COUNTS
 *
 * Writes N systems of GROUPS groups, each with TYPES allowed types and up to COUNTS volumes, as
 * FOLDER/1.lp and so on (mip.h), under the real rules and prices, today's and those of 2022.
 * Prints a line for each: its number, what the plan ranks at in micro-dollars ("none" when nothing
 * carries it) and the seconds the plan took.  SEED= gives other systems; the seed goes to stderr.
 */
#include "planner/check/plan_check.h"
#include "planner/solve/plan.h"
#include "tests/planner/solve/mip.h"
#include "tests/planner/solve/scaled_pack.h"
#include "tests/planner/synthetic.h"
#include "tests/seeded.h"

#include <assert.h>
#include <time.h>

#define assert_true(x) assert(x)

enum { GROUPS_MAX = 20 };

static const char host_csv[] =
    "instance_type,vcpu,memory_mib,hypervisor,arch,ebs_optimized,baseline_mb_s,max_mb_s,"
    "baseline_mbps,max_mbps,baseline_iops,max_iops,max_ebs_attachments,attachment_kind,ebs_cards,"
    "burst,nitro_system,current_generation,in_latest_api,instance_store_volumes,hourly_usd,as_of,"
    "source\n"
    "host.large,64,524288,nitro,x86_64,default,100000,100000,800000,800000,4000000,4000000,%lld,"
    "dedicated,1,no,yes,yes,yes,,1.5,2026-11-30,made up\n";

struct shape {
    int64_t n_groups, n_types, n_counts;
};

struct random_system {
    struct mip_group needs[GROUPS_MAX];
    struct layout_group groups[GROUPS_MAX];
    struct group_demand demands[GROUPS_MAX];
    struct layout layout;
    struct system_load load; /* nothing more was measured */
    struct system_demand demand;
    struct mip_system mip;
};

static void random_group(struct seeded *s, const struct shape *shape, struct random_system *r,
                         size_t g)
{
    struct mip_group *n = &r->needs[g];
    *n =
        (struct mip_group){ .min_count = 1,
                            .max_count = shape->n_counts,
                            .mibps = (double)seeded_int(s, 1, seeded_chance(s, 80) ? 400 : 1500),
                            .iops = (double)seeded_int(s, 100, seeded_chance(s, 80) ? 8000 : 70000),
                            .gib = seeded_int(s, 10, 6000) };
    n->types = 1u << (seeded_chance(s, 50) ? VOL_GP3 : VOL_IO2);
    for (int64_t k = 1; k < shape->n_types;) {
        unsigned more = 1u << seeded_int(s, 0, VOL_TYPE_COUNT - 1);
        k += !(n->types & more);
        n->types |= more;
    }
    struct layout_group *l = &r->groups[g];
    *l = group_named("G", ROLE_DATA);
    l->need_gib = n->gib;
    l->policy.types = n->types;
    l->policy.max_count = n->max_count;
    r->demands[g] = (struct group_demand){
        .group = l,
        .demand = { .read_mibps = n->mibps,
                    .total_mibps = n->mibps,
                    .read_iops = n->iops,
                    .counted_iops = fmax(n->iops, 4 * n->mibps),
                    .counted_iops_high = n->iops + 4 * n->mibps,
                    .grade = GRADE_ASSUMED,
                    .low_mibps = n->mibps,
                    .high_mibps = n->mibps },
        .total_iops = n->iops,
        .hot = { .uneven_mibps = 1, .uneven_iops = 1, .uneven_counted = 1 }
    };
}

/* Slots are often fewer than what the groups would take alone, and now and then too few. */
static void random_system(struct seeded *s, const struct shape *shape,
                          const struct fact_rows *facts, struct random_system *r)
{
    *r = (struct random_system){ 0 };
    for (int64_t g = 0; g < shape->n_groups; g++)
        random_group(s, shape, r, (size_t)g);
    size_t n = (size_t)shape->n_groups;
    r->layout = layout_of(r->groups, n, "host.large");
    r->mip = (struct mip_system){ .facts = facts,
                                  .region = "us-east-1",
                                  .day = seeded_chance(s, 60) ? "2026-06-01" : "2022-06-01",
                                  .groups = r->needs,
                                  .n_groups = n,
                                  .slots = seeded_int(s, (int64_t)n - 1, 3 * (int64_t)n),
                                  .charge_microusd = seeded_int(s, 0, 1) * 5000000 };
    r->demand = (struct system_demand){
        .load = &r->load, .layout = &r->layout, .groups = r->demands, .n_groups = n
    };
    r->demand.demand =
        (struct demand){ .total_mibps = 1, .counted_iops = 1, .grade = GRADE_ASSUMED };
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Plans it and prints the line; the host has a slot more, for the root volume. */
static int plan_and_tell(const struct random_system *r, int64_t number)
{
    struct arena a = { 0 };
    char text[sizeof host_csv + 32];
    snprintf(text, sizeof text, host_csv, (long long)r->mip.slots + 1);
    struct catalogue c = catalogue_of_rows(r->mip.facts, text, &a);
    struct plan_options o;
    struct plan p;
    struct err e = { 0 };
    plan_options_init(&o, &c, day_ms(r->mip.day));
    o.headroom_pct = 0;
    o.per_volume_microusd = r->mip.charge_microusd;
    o.figures_only = true;
    double begin = now_s();
    int rc = plan_build(&r->demand, &o, &a, &p, &e);
    double took_s = now_s() - begin;
    if (!rc)
        rc = plan_check(&p, &e);
    if (rc)
        fprintf(stderr, "system %lld: %s\n", (long long)number, e.text);
    int64_t rank = 0;
    for (size_t g = 0; !rc && g < p.n_groups; g++)
        rank += p.groups[g].chosen.rank_microusd;
    if (!rc && p.status == PLAN_NONE)
        printf("%lld none %.6f\n", (long long)number, took_s);
    else if (!rc)
        printf("%lld %lld %.6f\n", (long long)number, (long long)rank, took_s);
    arena_release(&a);
    return rc;
}

static int write_lp(const struct random_system *r, const char *folder, int64_t number)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%lld.lp", folder, (long long)number);
    FILE *f = fopen(path, "w");
    if (!f)
        return 1;
    mip_write(&r->mip, f);
    return fclose(f);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: glpk_systems FOLDER N GROUPS TYPES COUNTS\n");
        return 2;
    }
    int64_t n = strtoll(argv[2], NULL, 10);
    struct shape shape = { strtoll(argv[3], NULL, 10), strtoll(argv[4], NULL, 10),
                           strtoll(argv[5], NULL, 10) };
    static struct fact_rows facts;
    static struct random_system r;
    fact_rows_read(&facts);
    if (!facts.n_rules || !facts.n_prices || shape.n_groups < 1 || shape.n_groups > GROUPS_MAX ||
        shape.n_types < 1 || shape.n_types > VOL_TYPE_COUNT || shape.n_counts < 1)
        return 2;
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 20260604;
    fprintf(stderr, "seed %llu (SEED= replays)\n", (unsigned long long)seed);
    for (int64_t i = 1; i <= n; i++) {
        struct seeded s = seeded_case(seed, (uint64_t)i);
        random_system(&s, &shape, &facts, &r);
        if (write_lp(&r, argv[1], i) || plan_and_tell(&r, i))
            return 1;
    }
    return 0;
}
