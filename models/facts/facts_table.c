/* models/facts/facts_table.c - see facts_table.h. */
#include "models/facts/facts_table.h"

#include "models/core/money.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Figures beyond this are mistakes, and below it products of two fit a double exactly enough. */
static const int64_t figure_max = 1000000000000000;
enum { TEXT_MAX = 1000 };

const char *const facts_file_names[FACTS_FILE_COUNT] = {
    [FACTS_VOLUME_RULES] = "volume_rules.csv",     [FACTS_PRICES] = "prices.csv",
    [FACTS_INSTANCES] = "instances.csv",           [FACTS_WEIGHTING] = "bandwidth_weighting.csv",
    [FACTS_BX_FAMILIES] = "io2_bx_families.csv",   [FACTS_REGION_QUOTAS] = "region_quotas.csv",
    [FACTS_SERVICE_PRICES] = "service_prices.csv", [FACTS_USAGE_TYPES] = "usage_types.csv",
    [FACTS_BILLING_CODES] = "billing_codes.csv",
};

/* --- columns -------------------------------------------------------------------------------- */

#define COL(row, kind_, head_, field_, ...)                                                        \
    {                                                                                              \
        .head = (head_), .field = #field_, .offset = offsetof(row, field_), .kind = (kind_),       \
        __VA_ARGS__                                                                                \
    }
#define BLANK .may_be_blank = true

/* What AWS sells beside volumes; the unit ends the name. */
#define SERVICE_WORDS                                                                              \
    "snapshot_gib_month|snapshot_archive_gib_month|snapshot_archive_retrieval_gib|"                \
    "fast_restore_dsu_hour|volume_initialization_gib|volume_clone_gib"

#define RULE(kind, head, field, ...) COL(struct vol_rule, kind, head, field, __VA_ARGS__)
static const struct facts_col rule_cols[] = {
    RULE(FACTS_VOLUME_TYPE, "volume_type", type, 0),
    RULE(FACTS_TEXT, "rule_pack", rule_pack, 0),
    RULE(FACTS_CONDITION, "applies_to", condition, 0),
    RULE(FACTS_DATE, "launched", launched_ms, BLANK),
    RULE(FACTS_DATE, "valid_from", valid_from_ms, BLANK),
    RULE(FACTS_DATE, "valid_to", valid_to_ms, BLANK),
    RULE(FACTS_POSITIVE, "min_gib", min_gib, 0),
    RULE(FACTS_POSITIVE, "max_gib", max_gib, 0),
    RULE(FACTS_POSITIVE, "min_iops", min_iops, BLANK),
    RULE(FACTS_POSITIVE, "max_iops", max_iops, 0),
    RULE(FACTS_POSITIVE, "iops_per_gib_max", iops_per_gib_max, BLANK),
    RULE(FACTS_POSITIVE, "included_iops", included_iops, BLANK),
    RULE(FACTS_POSITIVE, "included_mibps", included_mibps, BLANK),
    RULE(FACTS_POSITIVE, "max_mibps", max_mibps, 0),
    RULE(FACTS_RATE, "mibps_per_iops_max", mibps_per_iops_max, BLANK),
    RULE(FACTS_CORNERS, "mibps_by_iops", mibps_by_iops, BLANK),
    RULE(FACTS_RATE, "baseline_iops_per_gib", baseline_iops_per_gib, BLANK),
    RULE(FACTS_POSITIVE, "burst_iops", burst_iops, BLANK),
    RULE(FACTS_POSITIVE, "io_credits", io_credits, BLANK),
    RULE(FACTS_POSITIVE, "small_gib", small_gib, BLANK),
    RULE(FACTS_POSITIVE, "small_mibps", small_mibps, BLANK),
    RULE(FACTS_RATE, "sustained_iops", sustained_iops, BLANK),
    RULE(FACTS_RATE, "sustained_mibps", sustained_mibps, BLANK),
    RULE(FACTS_RATE, "base_mibps_per_tib", base_mibps_per_tib, BLANK),
    RULE(FACTS_RATE, "burst_mibps_per_tib", burst_mibps_per_tib, BLANK),
    RULE(FACTS_RATE, "max_base_mibps", max_base_mibps, BLANK),
    RULE(FACTS_POSITIVE, "io_cap_kib", io_cap_kib, BLANK),
    RULE(FACTS_RATE, "durability_pct", durability_pct, BLANK),
    RULE(FACTS_TEXT, "latency_class", latency_class, BLANK, .words = "sub-ms|single-digit ms|HDD"),
    RULE(FACTS_BOOL, "only_provisioned", only_provisioned, 0),
    RULE(FACTS_POSITIVE, "xen_max_iops", xen_max_iops, BLANK),
    RULE(FACTS_RATE, "xen_max_mibps", xen_max_mibps, BLANK),
    RULE(FACTS_DATE, "as_of", as_of_ms, 0),
    RULE(FACTS_TEXT, "source", source, 0),
};

#define PRICE(kind, head, field, ...) COL(struct price, kind, head, field, __VA_ARGS__)
static const struct facts_col price_cols[] = {
    PRICE(FACTS_TEXT, "region", region, 0),
    PRICE(FACTS_VOLUME_TYPE, "volume_type", type, 0),
    PRICE(FACTS_COMPONENT, "component", component, 0),
    PRICE(FACTS_COUNT, "tier_from", tier_from, 0),
    PRICE(FACTS_POSITIVE, "tier_to", tier_to, BLANK),
    PRICE(FACTS_USD, "usd", picousd, 0),
    PRICE(FACTS_DATE, "as_of", as_of_ms, 0),
    PRICE(FACTS_TEXT, "source", source, 0),
};

#define INST(kind, head, field, ...) COL(struct instance_type, kind, head, field, __VA_ARGS__)
static const struct facts_col instance_cols[] = {
    INST(FACTS_TEXT, "instance_type", name, 0),
    INST(FACTS_POSITIVE, "vcpu", vcpu, BLANK),
    INST(FACTS_POSITIVE, "memory_mib", memory_mib, BLANK),
    INST(FACTS_TEXT, "hypervisor", hypervisor, .words = "nitro|xen|metal"),
    INST(FACTS_TEXT, "arch", arch, .words = "x86_64|arm64"),
    INST(FACTS_TEXT, "ebs_optimized", ebs_optimized, .words = "default|supported|unsupported"),
    INST(FACTS_RATE, "baseline_mb_s", baseline_mb_s, BLANK),
    INST(FACTS_RATE, "max_mb_s", max_mb_s, BLANK),
    INST(FACTS_POSITIVE, "baseline_mbps", baseline_mbps, BLANK),
    INST(FACTS_POSITIVE, "max_mbps", max_mbps, BLANK),
    INST(FACTS_POSITIVE, "baseline_iops", baseline_iops, BLANK),
    INST(FACTS_POSITIVE, "max_iops", max_iops, BLANK),
    INST(FACTS_POSITIVE, "max_ebs_attachments", max_ebs_attachments, BLANK),
    INST(FACTS_TEXT, "attachment_kind", attachment_kind, BLANK, .words = "shared|dedicated"),
    INST(FACTS_POSITIVE, "ebs_cards", ebs_cards, 0),
    INST(FACTS_BOOL, "burst", burst, 0),
    INST(FACTS_BOOL, "nitro_system", nitro_system, 0),
    INST(FACTS_YES_NO, "current_generation", current_generation, BLANK),
    INST(FACTS_BOOL, "in_latest_api", in_latest_api, 0),
    INST(FACTS_STORE, "instance_store_volumes", instance_store_volumes, BLANK),
    INST(FACTS_USD, "hourly_usd", hourly_picousd, BLANK),
    INST(FACTS_DATE, "as_of", as_of_ms, 0),
    INST(FACTS_TEXT, "source", source, 0),
};

#define WEIGHT(kind, head, field) COL(struct bandwidth_weighting, kind, head, field, 0)
static const struct facts_col weighting_cols[] = {
    WEIGHT(FACTS_TEXT, "instance_type", instance_type),
    WEIGHT(FACTS_POSITIVE, "default_baseline_mbps", default_baseline_mbps),
    WEIGHT(FACTS_POSITIVE, "default_burst_mbps", default_burst_mbps),
    WEIGHT(FACTS_POSITIVE, "vpc1_baseline_mbps", vpc1_baseline_mbps),
    WEIGHT(FACTS_POSITIVE, "vpc1_burst_mbps", vpc1_burst_mbps),
    WEIGHT(FACTS_POSITIVE, "ebs1_baseline_mbps", ebs1_baseline_mbps),
    WEIGHT(FACTS_POSITIVE, "ebs1_burst_mbps", ebs1_burst_mbps),
    WEIGHT(FACTS_DATE, "as_of", as_of_ms),
    WEIGHT(FACTS_TEXT, "source", source),
};

#define FAMILY(kind, head, field) COL(struct bx_family, kind, head, field, 0)
static const struct facts_col family_cols[] = {
    FAMILY(FACTS_TEXT, "family", family),
    FAMILY(FACTS_DATE, "valid_from", valid_from_ms),
    FAMILY(FACTS_DATE, "valid_to", valid_to_ms),
    FAMILY(FACTS_TEXT, "source", source),
};

#define QUOTA(kind, head, field, ...) COL(struct region_quota, kind, head, field, __VA_ARGS__)
static const struct facts_col quota_cols[] = {
    QUOTA(FACTS_VOLUME_TYPE, "volume_type", type, 0),
    QUOTA(FACTS_POSITIVE, "max_iops", max_iops, BLANK),
    QUOTA(FACTS_POSITIVE, "max_gib", max_gib, BLANK),
    QUOTA(FACTS_DATE, "as_of", as_of_ms, 0),
    QUOTA(FACTS_TEXT, "source", source, 0),
};

#define SERVICE(kind, head, field, ...) COL(struct service_price, kind, head, field, __VA_ARGS__)
static const struct facts_col service_cols[] = {
    SERVICE(FACTS_TEXT, "service", service, .words = SERVICE_WORDS),
    SERVICE(FACTS_TEXT, "region", region, BLANK),
    SERVICE(FACTS_POSITIVE, "minimum", minimum, BLANK),
    SERVICE(FACTS_USD, "usd", picousd, 0),
    SERVICE(FACTS_DATE, "as_of", as_of_ms, 0),
    SERVICE(FACTS_TEXT, "source", source, 0),
};

#define USAGE(kind, head, field, ...) COL(struct usage_type, kind, head, field, __VA_ARGS__)
static const struct facts_col usage_cols[] = {
    USAGE(FACTS_TEXT, "usage_type", name, 0),
    USAGE(FACTS_TEXT, "what", what, 0),
    USAGE(FACTS_VOLUME_TYPE, "volume_type", type, BLANK),
    USAGE(FACTS_COMPONENT, "component", component, BLANK),
    USAGE(FACTS_COUNT, "tier_from", tier_from, BLANK),
    USAGE(FACTS_TEXT, "service", service, BLANK, .words = SERVICE_WORDS),
    USAGE(FACTS_TEXT, "unit", unit, BLANK),
    USAGE(FACTS_DATE, "as_of", as_of_ms, 0),
    USAGE(FACTS_TEXT, "source", source, 0),
};

#define CODE(kind, head, field) COL(struct billing_code, kind, head, field, 0)
static const struct facts_col code_cols[] = {
    CODE(FACTS_TEXT, "prefix", prefix),
    CODE(FACTS_TEXT, "region", region),
    CODE(FACTS_DATE, "as_of", as_of_ms),
    CODE(FACTS_TEXT, "source", source),
};

/* --- what a row must be as a whole ------------------------------------------------------------ */

/* The most IOPS that the ratio and the maximum leave at the largest size. */
static double iops_ceiling(const struct vol_rule *r)
{
    double by_ratio = r->iops_per_gib_max == UNKNOWN
                          ? INFINITY
                          : (double)r->iops_per_gib_max * (double)r->max_gib;
    if (r->included_iops != UNKNOWN)
        by_ratio = fmax(by_ratio, (double)r->included_iops);
    return fmin(by_ratio, (double)r->max_iops);
}

/* Every type must have some legal spec, whatever is asked: vol_check promises the nearest. */
static const char *check_provisioned(const struct vol_rule *r)
{
    bool takes_iops = r->only_provisioned || r->included_iops != UNKNOWN;
    if (takes_iops && r->min_iops == UNKNOWN)
        return "a type that takes IOPS needs min_iops";
    if (takes_iops && (double)r->min_iops > iops_ceiling(r))
        return "no size allows min_iops";
    if (r->included_iops != UNKNOWN &&
        (r->included_iops < r->min_iops || r->included_iops > r->max_iops))
        return "included_iops is not between min_iops and max_iops";
    if (!takes_iops && (r->iops_per_gib_max != UNKNOWN || r->included_mibps != UNKNOWN))
        return "only a type that takes IOPS has iops_per_gib_max or included_mibps";
    if ((r->included_mibps == UNKNOWN) != isnan(r->mibps_per_iops_max))
        return "included_mibps and mibps_per_iops_max go together";
    if (r->included_mibps != UNKNOWN &&
        (r->included_mibps > r->max_mibps ||
         (double)r->included_mibps > floor(r->mibps_per_iops_max * iops_ceiling(r))))
        return "included_mibps is more than the type can have";
    return NULL;
}

static const char *check_rule(const void *row)
{
    const struct vol_rule *r = row;
    if (r->valid_from_ms != UNKNOWN && r->valid_to_ms != UNKNOWN &&
        r->valid_from_ms > r->valid_to_ms)
        return "valid_to is before valid_from";
    if (r->min_gib > r->max_gib)
        return "min_gib is above max_gib";
    if (r->min_iops != UNKNOWN && r->min_iops > r->max_iops)
        return "min_iops is above max_iops";
    if (!isnan(r->baseline_iops_per_gib) &&
        (r->min_iops == UNKNOWN || r->burst_iops == UNKNOWN || r->io_credits == UNKNOWN))
        return "baseline_iops_per_gib needs min_iops, burst_iops and io_credits";
    if (!isnan(r->base_mibps_per_tib) &&
        (isnan(r->burst_mibps_per_tib) || isnan(r->max_base_mibps)))
        return "base_mibps_per_tib needs burst_mibps_per_tib and max_base_mibps";
    if ((r->small_gib == UNKNOWN) != (r->small_mibps == UNKNOWN))
        return "small_gib and small_mibps go together";
    if (r->only_provisioned == (r->n_mibps_by_iops == 0))
        return "only_provisioned and mibps_by_iops go together";
    return check_provisioned(r);
}

static const char *check_price(const void *row)
{
    const struct price *p = row;
    return p->tier_to != UNKNOWN && p->tier_to <= p->tier_from ? "tier_to is not above tier_from"
                                                               : NULL;
}

static const char *check_instance(const void *row)
{
    const struct instance_type *t = row;
    if (isnan(t->baseline_mb_s) != isnan(t->max_mb_s) || t->baseline_mb_s > t->max_mb_s ||
        t->baseline_mbps > t->max_mbps || t->baseline_iops > t->max_iops)
        return "a baseline is above its maximum";
    return NULL;
}

static const char *check_usage(const void *row)
{
    const struct usage_type *u = row;
    bool volume = u->type != VOL_TYPE_COUNT;
    if (volume != (u->component != PRICE_COMPONENT_COUNT) || volume != (u->tier_from != UNKNOWN))
        return "volume_type, component and tier_from go together";
    return volume && u->service ? "a service is of no volume type" : NULL;
}

static const char *check_family(const void *row)
{
    const struct bx_family *f = row;
    return f->valid_from_ms > f->valid_to_ms ? "valid_to is before valid_from" : NULL;
}

#define TABLE(type, cols_, max, check_)                                                            \
    {                                                                                              \
        .c_type = #type, .cols = (cols_), .n_cols = sizeof(cols_) / sizeof(cols_)[0],              \
        .row_bytes = sizeof(type), .rows_max = (max), .check = (check_)                            \
    }
const struct facts_table facts_tables[FACTS_FILE_COUNT] = {
    [FACTS_VOLUME_RULES] = TABLE(struct vol_rule, rule_cols, 1000, check_rule),
    [FACTS_PRICES] = TABLE(struct price, price_cols, 1000000, check_price),
    [FACTS_INSTANCES] = TABLE(struct instance_type, instance_cols, 100000, check_instance),
    [FACTS_WEIGHTING] = TABLE(struct bandwidth_weighting, weighting_cols, 100000, NULL),
    [FACTS_BX_FAMILIES] = TABLE(struct bx_family, family_cols, 10000, check_family),
    [FACTS_REGION_QUOTAS] = TABLE(struct region_quota, quota_cols, 100, NULL),
    [FACTS_SERVICE_PRICES] = TABLE(struct service_price, service_cols, 100000, NULL),
    [FACTS_USAGE_TYPES] = TABLE(struct usage_type, usage_cols, 10000, check_usage),
    [FACTS_BILLING_CODES] = TABLE(struct billing_code, code_cols, 10000, NULL),
};

/* --- cells ------------------------------------------------------------------------------------ */

static int parse_text(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    if (cell.len > TEXT_MAX)
        return ERR_PARSE;
    for (size_t i = 0; i < cell.len; i++)
        if ((unsigned char)cell.ptr[i] < ' ')
            return ERR_PARSE;
    if (c->words) {
        struct span left = span_of(c->words), word;
        do {
            if (span_field(&left, '|', &word))
                return ERR_PARSE;
        } while (!span_eq(word, cell));
    }
    const char *copy = arena_strndup(a, cell.ptr, cell.len);
    if (!copy)
        return ERR_NOMEM;
    memcpy(out, &copy, sizeof copy);
    return 0;
}

static int parse_int(struct span cell, int64_t least, void *out)
{
    int64_t v;
    if (span_int(&cell, &v) || cell.len || v < least || v > figure_max)
        return ERR_PARSE;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_positive(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    return parse_int(cell, 1, out);
}

static int parse_count(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    return parse_int(cell, 0, out);
}

static int parse_rate(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    double v;
    if (span_double(&cell, &v) || cell.len || v < 1e-6 || v > (double)figure_max)
        return ERR_PARSE;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_date(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    int64_t v;
    if (time_parse_date(&cell, &v) || cell.len)
        return ERR_PARSE;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_yes_no(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    int v = span_is(cell, "yes");
    if (!v && !span_is(cell, "no"))
        return ERR_PARSE;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_bool(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    int v;
    int rc = parse_yes_no(c, cell, a, &v);
    if (rc)
        return rc;
    bool b = v;
    memcpy(out, &b, sizeof b);
    return 0;
}

/* Exact to 12 decimals; further ones round to the nearest. */
static int parse_usd(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    money m;
    if (money_parse(&cell, &m, NULL, NULL) || cell.len || m < 0 || m > 1000000 * MONEY_ONE)
        return ERR_PARSE;
    int64_t v = (int64_t)m;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_store(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    if (!span_is(cell, "yes"))
        return parse_count(c, cell, a, out);
    int64_t v = UNKNOWN;
    memcpy(out, &v, sizeof v);
    return 0;
}

static int parse_volume_type(const struct facts_col *c, struct span cell, struct arena *a,
                             void *out)
{
    (void)c, (void)a;
    enum volume_type v;
    if (volume_type_parse(cell, &v))
        return ERR_PARSE;
    memcpy(out, &v, sizeof v);
    return 0;
}

/* The place of cell among words. */
static int parse_word(struct span cell, const char *const *words, size_t n, size_t *out)
{
    for (size_t i = 0; i < n; i++)
        if (span_is(cell, words[i])) {
            *out = i;
            return 0;
        }
    return ERR_PARSE;
}

static int parse_condition(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    static const char *const words[] = {
        [RULE_ALL] = "all", [RULE_LISTED_FAMILY] = "listed_family", [RULE_UNMODIFIED] = "unmodified"
    };
    size_t i;
    if (parse_word(cell, words, sizeof words / sizeof words[0], &i))
        return ERR_PARSE;
    enum rule_condition v = (enum rule_condition)i;
    memcpy(out, &v, sizeof v);
    return 0;
}

const char *const price_component_words[PRICE_COMPONENT_COUNT] = {
    [PRICE_STORAGE] = "storage_gib_month",
    [PRICE_IOPS] = "iops_month",
    [PRICE_THROUGHPUT] = "throughput_mibps_month",
    [PRICE_REQUESTS] = "request",
};

static int parse_component(const struct facts_col *c, struct span cell, struct arena *a, void *out)
{
    (void)c, (void)a;
    size_t i;
    if (parse_word(cell, price_component_words, PRICE_COMPONENT_COUNT, &i))
        return ERR_PARSE;
    enum price_component v = (enum price_component)i;
    memcpy(out, &v, sizeof v);
    return 0;
}

/* Ascending in x and never falling in MiB/s. */
static int parse_corners(struct span cell, struct vol_rule *r)
{
    struct span word, x_text;
    struct vol_corner last = { 0, 0 };
    size_t n = 0;
    while (span_word(&cell, &word) == 0) {
        struct vol_corner v;
        if (n == VOL_CORNERS_MAX || span_field(&word, ':', &x_text) || !word.ptr ||
            parse_rate(NULL, x_text, NULL, &v.x) || parse_rate(NULL, word, NULL, &v.mibps) ||
            v.x <= last.x || v.mibps < last.mibps)
            return ERR_PARSE;
        r->mibps_by_iops[n++] = last = v;
    }
    r->n_mibps_by_iops = n;
    return n ? 0 : ERR_PARSE;
}

static int parse_corner_list(const struct facts_col *c, struct span cell, struct arena *a,
                             void *out)
{
    (void)a;
    return parse_corners(cell, (struct vol_rule *)(void *)((char *)out - c->offset));
}

static const struct kind {
    int (*parse)(const struct facts_col *, struct span, struct arena *, void *out);
    const char *expected;
} kinds[FACTS_KIND_COUNT] = {
    [FACTS_TEXT] = { parse_text, "a text of at most 1000 printable characters" },
    [FACTS_POSITIVE] = { parse_positive, "a whole number from 1" },
    [FACTS_COUNT] = { parse_count, "a whole number" },
    [FACTS_RATE] = { parse_rate, "a number above 0" },
    [FACTS_DATE] = { parse_date, "a date as 2025-10-28" },
    [FACTS_BOOL] = { parse_bool, "yes or no" },
    [FACTS_YES_NO] = { parse_yes_no, "yes or no" },
    [FACTS_USD] = { parse_usd, "an amount in USD as 0.08" },
    [FACTS_STORE] = { parse_store, "a whole number or yes" },
    [FACTS_VOLUME_TYPE] = { parse_volume_type, "gp3 gp2 io2 io1 st1 sc1 or standard" },
    [FACTS_CONDITION] = { parse_condition, "all, listed_family or unmodified" },
    [FACTS_COMPONENT] = { parse_component,
                          "storage_gib_month, iops_month, throughput_mibps_month or request" },
    [FACTS_CORNERS] = { parse_corner_list, "ascending corners IOPS:MIBPS as 2000:500 64000:1000" },
};

static void set_unknown(enum facts_kind kind, void *out)
{
    const char *none = NULL;
    double nan_value = NAN;
    int64_t unknown = UNKNOWN;
    int not_stated = -1, no_type = VOL_TYPE_COUNT, no_component = PRICE_COMPONENT_COUNT;
    switch (kind) {
    case FACTS_TEXT:
        memcpy(out, &none, sizeof none);
        break;
    case FACTS_RATE:
        memcpy(out, &nan_value, sizeof nan_value);
        break;
    case FACTS_YES_NO:
        memcpy(out, &not_stated, sizeof not_stated);
        break;
    case FACTS_VOLUME_TYPE:
        memcpy(out, &no_type, sizeof no_type);
        break;
    case FACTS_COMPONENT:
        memcpy(out, &no_component, sizeof no_component);
        break;
    case FACTS_CORNERS: /* none, as the zeroed row says */
        break;
    default:
        memcpy(out, &unknown, sizeof unknown);
        break;
    }
}

int facts_cell_parse(const struct facts_col *c, struct span cell, struct arena *a, void *row)
{
    void *out = (char *)row + c->offset;
    if (cell.len)
        return kinds[c->kind].parse(c, cell, a, out);
    if (!c->may_be_blank)
        return ERR_PARSE;
    set_unknown(c->kind, out);
    return 0;
}

const char *facts_cell_expected(const struct facts_col *c, char buf[120])
{
    snprintf(buf, 120, "%s%s%s", c->words ? "one of " : "",
             c->words ? c->words : kinds[c->kind].expected, c->may_be_blank ? " or nothing" : "");
    return buf;
}
