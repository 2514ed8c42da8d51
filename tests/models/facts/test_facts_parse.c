/* tests/models/facts/test_facts_parse.c - CSV files to a catalogue: good ones, bad ones, no memory.
 */
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/facts/catalogue.h"
#include "tests/each_allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RULE_HEAD                                                                                  \
    "volume_type,rule_pack,applies_to,launched,valid_from,valid_to,min_gib,max_gib,min_iops,"      \
    "max_iops,iops_per_gib_max,included_iops,included_mibps,max_mibps,mibps_per_iops_max,"         \
    "mibps_by_iops,baseline_iops_per_gib,burst_iops,io_credits,small_gib,small_mibps,"             \
    "sustained_iops,sustained_mibps,base_mibps_per_tib,burst_mibps_per_tib,max_base_mibps,"        \
    "io_cap_kib,durability_pct,latency_class,only_provisioned,xen_max_iops,xen_max_mibps,as_of,"   \
    "source\n"
#define RULE_IO2                                                                                   \
    "io2,classic,all,2020-08-24,2020-08-24,2023-11-20,4,16384,100,64000,500,,,1000,,"              \
    "2000:500 32000:500 64000:1000,,,,,,,,,,,256,99.999,single-digit ms,yes,32000,500,"            \
    "2026-01-01,doc\n"
#define PRICE_HEAD   "region,volume_type,component,tier_from,tier_to,usd,as_of,source\n"
#define PRICE_IO2    "us-east-1,io2,iops_month,0,32000,0.065,2025-10-28,doc\n"
#define FAMILY_HEAD  "family,valid_from,valid_to,source\n"
#define FAMILY_R5B   "r5b,2021-07-19,2023-11-20,doc\n"
#define QUOTA_HEAD   "volume_type,max_iops,max_gib,as_of,source\n"
#define QUOTA_IO2    "io2,100000,20480,2026-11-30,doc\n"
#define SERVICE_HEAD "service,region,minimum,usd,as_of,source\n"
#define SERVICE_FSR  "fast_restore_dsu_hour,us-east-1,1,0.75,2025-10-28,doc\n"
#define USAGE_HEAD   "usage_type,what,volume_type,component,tier_from,service,unit,as_of,source\n"
#define USAGE_TIER2                                                                                \
    "EBS:VolumeP-IOPS.io2.tier2,io2 IOPS,io2,iops_month,32000,,IOPS-Mo,2026-11-30,doc\n"
#define USAGE_FSR                                                                                  \
    "EBS:FastSnapshotRestore,fast restore,,,,fast_restore_dsu_hour,hours,2026-11-30,doc\n"
#define CODE_HEAD "prefix,region,as_of,source\n"
#define CODE_EU   "EU,eu-west-1,2026-11-30,doc\n"
#define WEIGHT_HEAD                                                                                \
    "instance_type,default_baseline_mbps,default_burst_mbps,vpc1_baseline_mbps,vpc1_burst_mbps,"   \
    "ebs1_baseline_mbps,ebs1_burst_mbps,as_of,source\n"
#define WEIGHT_ROW "c8a.large,1,2,3,4,5,6,2026-01-01,doc\n"
#define INST_HEAD                                                                                  \
    "instance_type,vcpu,memory_mib,hypervisor,arch,ebs_optimized,baseline_mbps,max_mbps,"          \
    "baseline_mb_s,max_mb_s,baseline_iops,max_iops,max_ebs_attachments,attachment_kind,ebs_cards," \
    "burst,nitro_system,current_generation,in_latest_api,instance_store_volumes,hourly_usd,as_of," \
    "source\n"
#define INST_ROW                                                                                   \
    "r6i.large,2,16384,nitro,x86_64,default,650,10000,81.25,1250,3600,40000,27,shared,1,yes,yes,"  \
    "yes,yes,0,0.126,2026-08-02,doc\n"
#define INST_BARE                                                                                  \
    "old.one,,,xen,x86_64,unsupported,,,,,,,,,1,no,no,,no,yes,,2023-02-26,\"a \"\"quoted\"\", "    \
    "source\"\n"

static const char *const good[FACTS_FILE_COUNT] = {
    [FACTS_VOLUME_RULES] = RULE_HEAD RULE_IO2,
    [FACTS_PRICES] = PRICE_HEAD PRICE_IO2,
    [FACTS_INSTANCES] = INST_HEAD INST_ROW INST_BARE,
    [FACTS_WEIGHTING] = WEIGHT_HEAD WEIGHT_ROW,
    [FACTS_BX_FAMILIES] = FAMILY_HEAD FAMILY_R5B,
    [FACTS_REGION_QUOTAS] = QUOTA_HEAD QUOTA_IO2,
    [FACTS_SERVICE_PRICES] = SERVICE_HEAD SERVICE_FSR,
    [FACTS_USAGE_TYPES] = USAGE_HEAD USAGE_TIER2 USAGE_FSR,
    [FACTS_BILLING_CODES] = CODE_HEAD CODE_EU,
};

static void good_files(struct span files[FACTS_FILE_COUNT])
{
    for (int i = 0; i < FACTS_FILE_COUNT; i++)
        files[i] = span_of(good[i]);
}

static int64_t day_ms(const char *day)
{
    struct span s = span_of(day);
    int64_t t;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static void test_good(void **state)
{
    (void)state;
    struct span files[FACTS_FILE_COUNT];
    good_files(files);
    struct arena a = { 0 };
    struct catalogue c;
    struct err e;
    assert_int_equal(facts_parse(files, NULL, &a, &c, &e), 0);

    assert_int_equal(c.n_rules, 1);
    const struct vol_rule *r = &c.rules[0];
    assert_int_equal(r->type, VOL_IO2);
    assert_int_equal(r->valid_from_ms, day_ms("2020-08-24"));
    assert_int_equal(r->included_iops, UNKNOWN);
    assert_true(isnan(r->mibps_per_iops_max));
    assert_int_equal(r->n_mibps_by_iops, 3);
    assert_true(r->mibps_by_iops[2].x == 64000 && r->mibps_by_iops[2].mibps == 1000);
    assert_true(r->durability_pct == 99.999);
    assert_true(r->only_provisioned);
    assert_int_equal(r->since_ms[FIGURE_MAX_IOPS], day_ms("2020-08-24"));

    assert_int_equal(c.prices[0].picousd, INT64_C(65000000000));
    assert_int_equal(c.prices[0].component, PRICE_IOPS);

    assert_int_equal(c.usage_types[0].type, VOL_IO2);
    assert_int_equal(c.usage_types[0].component, PRICE_IOPS);
    assert_int_equal(c.usage_types[0].tier_from, 32000);
    assert_null(c.usage_types[0].service);
    assert_int_equal(c.usage_types[1].type, VOL_TYPE_COUNT); /* blank cells of enumerations */
    assert_int_equal(c.usage_types[1].component, PRICE_COMPONENT_COUNT);
    assert_int_equal(c.usage_types[1].tier_from, UNKNOWN);
    assert_string_equal(c.usage_types[1].service, "fast_restore_dsu_hour");
    assert_int_equal(c.services[0].picousd, INT64_C(750000000000));
    assert_string_equal(c.billing_codes[0].region, "eu-west-1");

    assert_int_equal(c.n_instances, 2); /* sorted by name */
    assert_string_equal(c.instances[0].name, "old.one");
    assert_string_equal(c.instances[0].source, "a \"quoted\", source");
    assert_int_equal(c.instances[0].vcpu, UNKNOWN);
    assert_true(isnan(c.instances[0].max_mb_s));
    assert_null(c.instances[0].attachment_kind);
    assert_int_equal(c.instances[0].current_generation, -1);
    assert_int_equal(c.instances[0].instance_store_volumes, UNKNOWN);
    assert_int_equal(c.instances[0].hourly_picousd, UNKNOWN);
    assert_int_equal(c.instances[1].instance_store_volumes, 0);
    assert_int_equal(c.instances[1].hourly_picousd, INT64_C(126000000000));
    assert_int_equal(c.instances_as_of_ms, day_ms("2026-08-02"));
    assert_ptr_equal(instance_find(&c, SPAN_LIT("r6i.large")), &c.instances[1]);
    assert_null(instance_find(&c, SPAN_LIT("r6i.larg")));
    assert_null(instance_find(&c, SPAN_LIT("r6i.large2")));
    assert_null(instance_find(&c, SPAN_LIT("")));
    assert_true(region_known(&c, "us-east-1"));
    assert_false(region_known(&c, "us-east"));
    arena_release(&a);
}

/* The same rows however the file is laid out. */
static void test_layouts(void **state)
{
    (void)state;
    static const char *const layouts[] = {
        "\xEF\xBB\xBF" PRICE_HEAD PRICE_IO2, /* byte order mark */
        "region,volume_type,component,tier_from,tier_to,usd,as_of,source\r\n\r\n"
        "us-east-1,io2,iops_month,0,32000,0.065,2025-10-28,doc\r\n",
        "source,as_of,usd,note,tier_to,tier_from,component,volume_type,region\n"
        "doc,2025-10-28,0.0650,\"two\nlines, \"\"q\"\"\",32000,0,iops_month,io2,us-east-1",
        "region , volume_type,component,tier_from,tier_to,usd,as_of,source\n"
        "\"us-east-1\", io2 ,iops_month,0,32000,0.065,2025-10-28,doc",
    };
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        struct span files[FACTS_FILE_COUNT] = { [FACTS_PRICES] = span_of(layouts[i]) };
        struct arena a = { 0 };
        struct catalogue c;
        struct err e;
        assert_int_equal(facts_parse(files, &builtin_catalogue, &a, &c, &e), 0);
        assert_int_equal(c.n_prices, 1);
        assert_string_equal(c.prices[0].region, "us-east-1");
        assert_int_equal(c.prices[0].type, VOL_IO2);
        assert_int_equal(c.prices[0].tier_to, 32000);
        assert_int_equal(c.prices[0].picousd, INT64_C(65000000000));
        assert_ptr_equal(c.rules, builtin_catalogue.rules); /* what was not given */
        assert_int_equal(c.n_instances, builtin_catalogue.n_instances);
        assert_int_equal(c.instances_as_of_ms, builtin_catalogue.instances_as_of_ms);
        arena_release(&a);
    }
}

static void test_no_fallback(void **state)
{
    (void)state;
    struct span files[FACTS_FILE_COUNT];
    good_files(files);
    files[FACTS_WEIGHTING] = (struct span){ NULL, 0 };
    struct arena a = { 0 };
    struct catalogue c;
    struct err e;
    assert_int_equal(facts_parse(files, NULL, &a, &c, &e), ERR_PARSE);
    assert_string_equal(e.text, "bandwidth_weighting.csv: the file is not there");
    arena_release(&a);
}

/* --- bad files -------------------------------------------------------------------------------- */

#define PRICE(cells) PRICE_HEAD cells "\n"
#define IO2(from_to, sizes, rest)                                                                  \
    "io2,classic,all,2020-08-24," from_to "," sizes "," rest                                       \
    ",,,,,,,,,,,256,,,yes,,,2026-01-01,doc\n"
#define IO2_FIGURES "100,64000,500,,,1000,,2000:500"

static const struct bad_case {
    const char *why;
    enum facts_file file;
    const char *text, *want;
} bad[] = {
    { "empty", FACTS_PRICES, "", "prices.csv:1: the file is empty, expected headings" },
    { "headings alone", FACTS_PRICES, PRICE_HEAD, "prices.csv:1: no rows below the headings" },
    { "binary", FACTS_PRICES,
      "\x7f"
      "ELF\x02\x01\n",
      "prices.csv:1: column 'region' is missing; the headings are: \x7f"
      "ELF\x02\x01" },
    { "a missing column", FACTS_BX_FAMILIES, "family,valid_from,source\nr5b,2021-07-19,doc\n",
      "io2_bx_families.csv:1: column 'valid_to' is missing; the headings are: family, valid_from, "
      "source" },
    { "a column twice", FACTS_BX_FAMILIES, "family,family,valid_from,valid_to,source\n",
      "io2_bx_families.csv:1: column 'family' is there twice; the headings are: family, family, "
      "valid_from, valid_to, source" },
    { "too few cells", FACTS_PRICES, PRICE("us-east-1,io2,iops_month,0,32000,0.065,2025-10-28"),
      "prices.csv:2: 7 cells, expected 8 as in the headings" },
    { "a quote that does not end", FACTS_PRICES, PRICE_HEAD PRICE_IO2 "\"us-east-1,io2\nmore\n",
      "prices.csv:3: a quoted cell does not end" },
    { "text behind a quote", FACTS_PRICES, PRICE("\"us-east-1\"x,io2"),
      "prices.csv:2: text behind the closing quote of cell 1" },
    { "an unknown volume type", FACTS_PRICES,
      PRICE("us-east-1,gp4,iops_month,0,,0.065,2025-10-28,doc"),
      "prices.csv:2: column 'volume_type': value 'gp4', expected gp3 gp2 io2 io1 st1 sc1 or "
      "standard" },
    { "an unknown component", FACTS_PRICES, PRICE("us-east-1,io2,iops,0,,0.065,2025-10-28,doc"),
      "prices.csv:2: column 'component': value 'iops', expected storage_gib_month, iops_month, "
      "throughput_mibps_month or request" },
    { "a word for a price", FACTS_PRICES, PRICE("us-east-1,io2,iops_month,0,,free,2025-10-28,doc"),
      "prices.csv:2: column 'usd': value 'free', expected an amount in USD as 0.08" },
    { "a negative price", FACTS_PRICES, PRICE("us-east-1,io2,iops_month,0,,-1,2025-10-28,doc"),
      "prices.csv:2: column 'usd': value '-1', expected an amount in USD as 0.08" },
    { "a price beyond reason", FACTS_PRICES,
      PRICE("us-east-1,io2,iops_month,0,,99999999999,2025-10-28,doc"),
      "prices.csv:2: column 'usd': value '99999999999', expected an amount in USD as 0.08" },
    { "no price", FACTS_PRICES, PRICE("us-east-1,io2,iops_month,0,,,2025-10-28,doc"),
      "prices.csv:2: column 'usd': value '', expected an amount in USD as 0.08" },
    { "a day that does not exist", FACTS_PRICES,
      PRICE("us-east-1,io2,iops_month,0,,0.065,2025-02-30,doc"),
      "prices.csv:2: column 'as_of': value '2025-02-30', expected a date as 2025-10-28" },
    { "no source", FACTS_PRICES, PRICE("us-east-1,io2,iops_month,0,,0.065,2025-10-28,"),
      "prices.csv:2: column 'source': value '', expected a text of at most 1000 printable "
      "characters" },
    { "a control character", FACTS_PRICES,
      PRICE("us\x01"
            "x,io2,iops_month,0,,0.065,2025-10-28,doc"),
      "prices.csv:2: column 'region': value 'us\x01"
      "x', expected a text of at most 1000 printable characters" },
    { "a number with a tail", FACTS_PRICES,
      PRICE("us-east-1,io2,iops_month,0,32K,0.065,2025-10-28,doc"),
      "prices.csv:2: column 'tier_to': value '32K', expected a whole number from 1 or nothing" },
    { "an empty tier", FACTS_PRICES,
      PRICE("us-east-1,io2,iops_month,32000,32000,0.065,2025-10-28,doc"),
      "prices.csv:2: tier_to is not above tier_from" },
    { "tiers that overlap", FACTS_PRICES,
      PRICE_HEAD PRICE_IO2 "us-east-1,io2,iops_month,31999,,0.05,2025-10-28,doc\n",
      "prices.csv: two prices for io2 in us-east-1 of 2025-10-28 above 31999" },
    { "a price twice", FACTS_PRICES, PRICE_HEAD PRICE_IO2 PRICE_IO2,
      "prices.csv: two prices for io2 in us-east-1 of 2025-10-28 above 0" },
    { "a hypervisor nobody knows", FACTS_INSTANCES,
      INST_HEAD "x.y,2,16384,kvm,x86_64,default,,,,,,,,,1,no,no,,no,,,2026-08-02,doc\n",
      "instances.csv:2: column 'hypervisor': value 'kvm', expected one of nitro|xen|metal" },
    { "half a word", FACTS_INSTANCES,
      INST_HEAD "x.y,2,16384,nitro|xen,x86_64,default,,,,,,,,,1,no,no,,no,,,2026-08-02,doc\n",
      "instances.csv:2: column 'hypervisor': value 'nitro|xen', expected one of nitro|xen|metal" },
    { "neither yes nor no", FACTS_INSTANCES,
      INST_HEAD "x.y,2,16384,nitro,x86_64,default,,,,,,,,,1,maybe,no,,no,,,2026-08-02,doc\n",
      "instances.csv:2: column 'burst': value 'maybe', expected yes or no" },
    { "a baseline above the maximum", FACTS_INSTANCES,
      INST_HEAD "x.y,2,16384,nitro,x86_64,default,8,8,2,1,5,5,,,1,no,no,,no,,,2026-08-02,doc\n",
      "instances.csv:2: a baseline is above its maximum" },
    { "an instance twice", FACTS_INSTANCES, INST_HEAD INST_ROW INST_ROW,
      "instances.csv: column 'instance_type': value 'r6i.large' is there twice" },
    { "a weighting twice", FACTS_WEIGHTING, WEIGHT_HEAD WEIGHT_ROW WEIGHT_ROW,
      "bandwidth_weighting.csv: column 'instance_type': value 'c8a.large' is there twice" },
    { "a zero bandwidth", FACTS_WEIGHTING, WEIGHT_HEAD "c8a.large,0,2,3,4,5,6,2026-01-01,doc\n",
      "bandwidth_weighting.csv:2: column 'default_baseline_mbps': value '0', expected a whole "
      "number from 1" },
    { "a quota of no IOPS", FACTS_REGION_QUOTAS, QUOTA_HEAD "io2,0,,2026-11-30,doc\n",
      "region_quotas.csv:2: column 'max_iops': value '0', expected a whole number from 1 or "
      "nothing" },
    { "a service twice", FACTS_SERVICE_PRICES, SERVICE_HEAD SERVICE_FSR SERVICE_FSR,
      "service_prices.csv: two prices for fast_restore_dsu_hour in us-east-1" },
    { "a tier of no volume", FACTS_USAGE_TYPES, USAGE_HEAD "EBS:X,x,,,5,,,2026-11-30,doc\n",
      "usage_types.csv:2: volume_type, component and tier_from go together" },
    { "a volume and a service", FACTS_USAGE_TYPES,
      USAGE_HEAD "EBS:X,x,gp3,iops_month,0,snapshot_gib_month,,2026-11-30,doc\n",
      "usage_types.csv:2: a service is of no volume type" },
    { "a usage type twice", FACTS_USAGE_TYPES, USAGE_HEAD USAGE_FSR USAGE_FSR,
      "usage_types.csv: EBS:FastSnapshotRestore is there twice" },
    { "a billing code twice", FACTS_BILLING_CODES, CODE_HEAD CODE_EU CODE_EU,
      "billing_codes.csv: EU is there twice" },
    { "a quota twice", FACTS_REGION_QUOTAS, QUOTA_HEAD QUOTA_IO2 QUOTA_IO2,
      "region_quotas.csv: io2 is there twice" },
    { "a family that leaves before it comes", FACTS_BX_FAMILIES,
      FAMILY_HEAD "r5b,2023-11-20,2021-07-19,doc\n",
      "io2_bx_families.csv:2: valid_to is before valid_from" },
    { "corners that fall", FACTS_VOLUME_RULES,
      RULE_HEAD IO2(",", "4,16384", "100,64000,500,,,1000,,2000:500 64000:400"),
      "volume_rules.csv:2: column 'mibps_by_iops': value '2000:500 64000:400', expected ascending "
      "corners IOPS:MIBPS as 2000:500 64000:1000 or nothing" },
    { "seven corners", FACTS_VOLUME_RULES,
      RULE_HEAD IO2(",", "4,16384", "100,64000,500,,,1000,,1:1 2:1 3:1 4:1 5:1 6:1 7:1"),
      "volume_rules.csv:2: column 'mibps_by_iops': value '1:1 2:1 3:1 4:1 5:1 6:1 7:1', expected "
      "ascending corners IOPS:MIBPS as 2000:500 64000:1000 or nothing" },
    { "sizes the wrong way round", FACTS_VOLUME_RULES, RULE_HEAD IO2(",", "16384,4", IO2_FIGURES),
      "volume_rules.csv:2: min_gib is above max_gib" },
    { "an era that ends before it begins", FACTS_VOLUME_RULES,
      RULE_HEAD IO2("2023-01-01,2022-01-01", "4,16384", IO2_FIGURES),
      "volume_rules.csv:2: valid_to is before valid_from" },
    { "no size allows the least IOPS", FACTS_VOLUME_RULES,
      RULE_HEAD IO2(",", "1,2", "100,64000,5,,,1000,,2000:500"),
      "volume_rules.csv:2: no size allows min_iops" },
    { "provisioned IOPS without a curve", FACTS_VOLUME_RULES,
      RULE_HEAD IO2(",", "4,16384", "100,64000,500,,,1000,,"),
      "volume_rules.csv:2: only_provisioned and mibps_by_iops go together" },
    { "two eras at once", FACTS_VOLUME_RULES,
      RULE_HEAD RULE_IO2 IO2("2023-11-20,", "4,16384", IO2_FIGURES),
      "volume_rules.csv: 'classic' and 'classic' hold on the same days" },
    { "two launches", FACTS_VOLUME_RULES,
      RULE_HEAD RULE_IO2 "io2,later,all,2020-01-01,2023-11-21,,4,16384," IO2_FIGURES
                         ",,,,,,,,,,,256,,,yes,,,2026-01-01,doc\n",
      "volume_rules.csv: rules of io2 give two launch dates" },
    { "included throughput that no IOPS carry", FACTS_VOLUME_RULES,
      RULE_HEAD "gp3,x,all,,,,1,16384,3000,16000,500,3000,125,1000,0.001,,,,,,,,,,,,256,,,no,,,"
                "2026-01-01,doc\n",
      "volume_rules.csv:2: included_mibps is more than the type can have" },
    { "half a bucket", FACTS_VOLUME_RULES,
      RULE_HEAD "gp2,x,all,,,,1,16384,100,16000,,,,250,,,3,3000,,,,,,,,,256,,,no,,,2026-01-01,"
                "doc\n",
      "volume_rules.csv:2: baseline_iops_per_gib needs min_iops, burst_iops and io_credits" },
};

static void test_bad(void **state)
{
    const struct bad_case *c = *state;
    struct span files[FACTS_FILE_COUNT];
    good_files(files);
    files[c->file] = span_of(c->text);
    struct arena a = { 0 };
    struct catalogue out = { .n_rules = 77 };
    struct err e = { 0 };
    int rc = facts_parse(files, NULL, &a, &out, &e);
    assert_string_equal(e.text, c->want);
    assert_int_equal(rc, ERR_PARSE);
    assert_int_equal(out.n_rules, 77); /* written only on success */
    arena_release(&a);
}

static void test_limits(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct catalogue c;
    struct err e;
    struct span files[FACTS_FILE_COUNT];

    enum { ROWS = 1001 };
    const size_t head = strlen(RULE_HEAD), row = strlen(RULE_IO2);
    char *text = arena_alloc(&a, head + ROWS * row + 1);
    memcpy(text, RULE_HEAD, head);
    for (size_t i = 0; i < ROWS; i++)
        memcpy(text + head + i * row, RULE_IO2, row);
    good_files(files);
    files[FACTS_VOLUME_RULES] = span_of(text);
    assert_int_equal(facts_parse(files, NULL, &a, &c, &e), ERR_LIMIT);
    assert_string_equal(e.text, "volume_rules.csv:1002: more than 1000 rows");

    char commas[100];
    memset(commas, ',', sizeof commas);
    good_files(files);
    files[FACTS_PRICES] = (struct span){ commas, sizeof commas };
    assert_int_equal(facts_parse(files, NULL, &a, &c, &e), ERR_PARSE);
    assert_string_equal(e.text, "prices.csv:1: more than 64 cells");
    arena_release(&a);
}

/* Every prefix of a good file gives an answer; none reads beyond its end. */
static void test_cut_anywhere(void **state)
{
    (void)state;
    for (int f = 0; f < FACTS_FILE_COUNT; f++)
        for (size_t len = 0; len < strlen(good[f]); len++) {
            struct span files[FACTS_FILE_COUNT];
            good_files(files);
            char *copy = mem_alloc(len + 1); /* its own block, so that a sanitizer sees */
            memcpy(copy, good[f], len);
            files[f] = (struct span){ copy, len };
            struct arena a = { 0 };
            struct catalogue c;
            struct err e;
            int rc = facts_parse(files, NULL, &a, &c, &e);
            assert_true(rc == 0 || rc == ERR_PARSE);
            arena_release(&a);
            mem_free(copy);
        }
}

static void test_torture(void **state)
{
    (void)state;
    struct span files[FACTS_FILE_COUNT];
    good_files(files);
    /* enough rows that arrays and blocks grow on the way */
    struct arena text = { 0 };
    enum { ROWS = 9000 };
    char *families = arena_alloc(&text, 40 * ROWS + 100);
    size_t n = (size_t)sprintf(families, "%s", FAMILY_HEAD);
    for (int i = 0; i < ROWS; i++)
        n += (size_t)sprintf(families + n, "f%d,2021-07-19,2023-11-20,\"d\"\"oc\"\n", i);
    files[FACTS_BX_FAMILIES] = (struct span){ families, n };

    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        struct catalogue c = { .n_rules = 77 };
        it.rc = facts_parse(files, NULL, &it.a, &c, &it.e);
        if (it.rc) {
            assert_int_equal(c.n_rules, 77);
            assert_int_equal(it.e.code, ERR_NOMEM);
        }
    }
    assert_true(it.n - 1 > 5);
    arena_release(&text);
}

enum { N_BAD = sizeof bad / sizeof bad[0] };

int main(void)
{
    struct CMUnitTest t[N_BAD + 6];
    for (size_t i = 0; i < N_BAD; i++)
        t[i] = (struct CMUnitTest){ bad[i].why, test_bad, NULL, NULL, (void *)(uintptr_t)&bad[i] };
    size_t n = N_BAD;
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_good);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_layouts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_no_fallback);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_limits);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_cut_anywhere);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(test_torture);
    return _cmocka_run_group_tests("facts_parse", t, n, NULL, NULL);
}
