/* tests/models/facts/test_catalogue.c - every row of every built-in table: sane, sourced, dated, as
 * the CSV files say. */
#include "models/core/mem.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/facts/facts_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct catalogue *const c = &builtin_catalogue;

static int64_t day_ms(const char *day)
{
    struct span s = span_of(day);
    int64_t t;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return t;
}

static void assert_sourced(const char *source)
{
    assert_non_null(source);
    assert_true(strlen(source) > 10);
    assert_null(strstr(source, "fate-oracle")); /* a page of altered figures */
}

/* EBS exists since 2008-08-20; nothing here is of a day after this table was made. */
static void assert_dated(int64_t t)
{
    assert_true(t >= day_ms("2008-08-20") && t <= day_ms("2026-12-31"));
    assert_int_equal(t % DAY_MS, 0);
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(c->n_rules, 16);
    assert_int_equal(c->n_prices, 36 * 16);
    assert_int_equal(c->n_instances, 1420);
    assert_int_equal(c->n_weightings, 285);
    assert_int_equal(c->n_bx_families, 16);
    assert_int_equal(c->instances_as_of_ms, day_ms("2026-08-31"));
}

static void test_rules(void **state)
{
    (void)state;
    size_t n_of_type[VOL_TYPE_COUNT] = { 0 };
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct vol_rule *r = &c->rules[i];
        n_of_type[r->type]++;
        assert_sourced(r->source);
        assert_dated(r->as_of_ms);
        assert_true(strncmp(r->rule_pack, volume_type_name(r->type),
                            strlen(volume_type_name(r->type))) == 0);
        if (r->valid_from_ms != UNKNOWN)
            assert_dated(r->valid_from_ms);
        if (r->valid_to_ms != UNKNOWN)
            assert_dated(r->valid_to_ms);
        if (r->launched_ms != UNKNOWN)
            assert_true(r->valid_from_ms >= r->launched_ms);
        for (int f = 0; f < FIGURE_COUNT; f++)
            assert_true(r->since_ms[f] <= r->valid_from_ms);
        assert_true(r->max_gib <= 65536 && r->max_iops <= 256000 && r->max_mibps <= 4000);
        if (r->n_mibps_by_iops) /* the graph ends at the type's maximum */
            assert_true(r->mibps_by_iops[r->n_mibps_by_iops - 1].mibps == (double)r->max_mibps);
    }
    static const size_t want[VOL_TYPE_COUNT] = {
        [VOL_GP3] = 2, [VOL_GP2] = 2, [VOL_IO2] = 5,     [VOL_IO1] = 2,
        [VOL_ST1] = 2, [VOL_SC1] = 2, [VOL_STANDARD] = 1
    };
    for (int t = 0; t < VOL_TYPE_COUNT; t++)
        assert_int_equal(n_of_type[t], want[t]);
}

/* Of the rules for all volumes of a type exactly one holds on each day, from the first to ever. */
static void test_eras_do_not_overlap_nor_leave_gaps(void **state)
{
    (void)state;
    for (int type = 0; type < VOL_TYPE_COUNT; type++) {
        int64_t first = INT64_MAX;
        size_t n_open = 0;
        for (size_t i = 0; i < c->n_rules; i++) {
            const struct vol_rule *r = &c->rules[i];
            if (r->type != (enum volume_type)type || r->condition != RULE_ALL)
                continue;
            n_open += r->valid_to_ms == UNKNOWN;
            if (r->valid_from_ms < first)
                first = r->valid_from_ms;
        }
        assert_int_equal(n_open, 1);
        if (first == UNKNOWN)
            first = day_ms("2008-08-20");
        for (int64_t t = first; t <= day_ms("2027-01-01"); t += DAY_MS) {
            size_t n = 0;
            for (size_t i = 0; i < c->n_rules; i++) {
                const struct vol_rule *r = &c->rules[i];
                n += r->type == (enum volume_type)type && r->condition == RULE_ALL &&
                     (r->valid_from_ms == UNKNOWN || r->valid_from_ms <= t) &&
                     (r->valid_to_ms == UNKNOWN || r->valid_to_ms >= t);
            }
            assert_int_equal(n, 1);
        }
    }
}

static bool same_list(const struct price *a, const struct price *b)
{
    return !strcmp(a->region, b->region) && a->type == b->type && a->component == b->component &&
           a->as_of_ms == b->as_of_ms;
}

static void test_prices(void **state)
{
    (void)state;
    for (size_t i = 0; i < c->n_prices; i++) {
        const struct price *p = &c->prices[i];
        assert_sourced(p->source);
        assert_int_equal(p->as_of_ms, day_ms("2025-10-28"));
        assert_in_range(p->picousd, 0, INT64_C(500000000000)); /* half a dollar a unit */
        assert_true(p->picousd > 0 || p->type == VOL_GP3);     /* only gp3 has free tiers */
        /* tiers begin at 0 and each begins where another ends */
        bool begins = p->tier_from == 0, ends = p->tier_to == UNKNOWN;
        for (size_t k = 0; k < c->n_prices; k++)
            if (same_list(p, &c->prices[k])) {
                begins |= c->prices[k].tier_to == p->tier_from;
                ends |= c->prices[k].tier_from == p->tier_to;
            }
        assert_true(begins && ends);
    }
}

/* 16 prices: seven storages, IOPS of gp3 (2), io1 and io2 (3), throughput of gp3 (2), requests. */
static void test_every_region_sells_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < c->n_prices; i++) {
        size_t n[PRICE_COMPONENT_COUNT] = { 0 };
        unsigned types = 0;
        for (size_t k = 0; k < c->n_prices; k++)
            if (!strcmp(c->prices[i].region, c->prices[k].region)) {
                n[c->prices[k].component]++;
                types |= 1u << c->prices[k].type;
            }
        assert_int_equal(types, (1u << VOL_TYPE_COUNT) - 1);
        assert_int_equal(n[PRICE_STORAGE], 7);
        assert_int_equal(n[PRICE_IOPS], 6);
        assert_int_equal(n[PRICE_THROUGHPUT], 2);
        assert_int_equal(n[PRICE_REQUESTS], 1);
    }
}

static void test_instances(void **state)
{
    (void)state;
    size_t n_unpublished = 0, n_two_cards = 0;
    for (size_t i = 0; i < c->n_instances; i++) {
        const struct instance_type *t = &c->instances[i];
        assert_sourced(t->source);
        assert_dated(t->as_of_ms);
        assert_ptr_equal(instance_find(c, span_of(t->name)), t);
        assert_non_null(strchr(t->name, '.'));
        if (i)
            assert_true(strcmp(c->instances[i - 1].name, t->name) < 0);
        assert_int_equal(!strcmp(t->hypervisor, "xen"), !t->nitro_system);
        n_two_cards += t->ebs_cards == 2;

        /* all figures, or none where EBS optimization is not to be had */
        bool none = isnan(t->baseline_mb_s);
        n_unpublished += none;
        assert_int_equal(none, !strcmp(t->ebs_optimized, "unsupported"));
        assert_int_equal(t->baseline_mbps == UNKNOWN, none);
        assert_int_equal(t->max_iops == UNKNOWN, none);
        if (none)
            continue;
        assert_true(fabs(t->baseline_mb_s - (double)t->baseline_mbps / 8) < 0.1);
        assert_true(fabs(t->max_mb_s - (double)t->max_mbps / 8) < 0.1);
        assert_int_equal(t->burst, t->baseline_mbps < t->max_mbps);
        assert_true(t->max_iops <= 1440000 && t->max_ebs_attachments <= 128);
    }
    assert_int_equal(n_unpublished, 21);
    assert_int_equal(n_two_cards, 33);
}

static void test_weightings(void **state)
{
    (void)state;
    for (size_t i = 0; i < c->n_weightings; i++) {
        const struct bandwidth_weighting *w = &c->weightings[i];
        assert_sourced(w->source);
        assert_dated(w->as_of_ms);
        const struct instance_type *t = instance_find(c, span_of(w->instance_type));
        assert_non_null(t);
        assert_int_equal(w->default_baseline_mbps, t->baseline_mbps);
        assert_int_equal(w->default_burst_mbps, t->max_mbps);
        /* ebs-1 is the baseline times 1.25, cut to whole megabits */
        assert_true(fabs((double)w->ebs1_baseline_mbps - 1.25 * (double)w->default_baseline_mbps) <=
                    0.75);
        assert_true(w->vpc1_baseline_mbps < w->default_baseline_mbps);
        assert_true(w->vpc1_burst_mbps <= w->default_burst_mbps);
    }
}

static void test_bx_families(void **state)
{
    (void)state;
    for (size_t i = 0; i < c->n_bx_families; i++) {
        const struct bx_family *f = &c->bx_families[i];
        assert_sourced(f->source);
        assert_true(f->valid_from_ms >= day_ms("2021-07-19"));
        assert_int_equal(f->valid_to_ms, day_ms("2023-11-20"));
        size_t n_types = 0;
        for (size_t k = 0; k < c->n_instances; k++) {
            struct span name = span_of(c->instances[k].name), family;
            n_types += span_field(&name, '.', &family) == 0 && span_is(family, f->family);
        }
        assert_true(n_types > 0);
    }
}

/* The account defaults of the EBS User Guide: 100 000 IOPS and 20 TiB of io2, 300 000 IOPS of io1,
 * 50 TiB of each of the others. */
static void test_region_quotas(void **state)
{
    (void)state;
    assert_int_equal(c->n_quotas, VOL_TYPE_COUNT);
    for (size_t i = 0; i < c->n_quotas; i++) {
        const struct region_quota *q = &c->quotas[i];
        assert_sourced(q->source);
        assert_int_equal(q->max_iops, q->type == VOL_IO2   ? 100000
                                      : q->type == VOL_IO1 ? 300000
                                                           : UNKNOWN);
        assert_int_equal(q->max_gib, q->type == VOL_IO2   ? 20 * 1024
                                     : q->type == VOL_IO1 ? UNKNOWN
                                                          : 50 * 1024);
    }
}

/* Every Region of the price list has a billing code, and every volume type is billed for storage.
 */
static void test_bills(void **state)
{
    (void)state;
    size_t n_storage = 0, n_codes = 0;
    for (size_t i = 0; i < c->n_usage_types; i++) {
        assert_sourced(c->usage_types[i].source);
        n_storage += c->usage_types[i].component == PRICE_STORAGE;
    }
    assert_int_equal(n_storage, VOL_TYPE_COUNT);
    for (size_t i = 0; i < c->n_billing_codes; i++) {
        assert_sourced(c->billing_codes[i].source);
        n_codes += region_known(c, c->billing_codes[i].region);
    }
    assert_int_equal(n_codes, c->n_billing_codes); /* none for a Region without prices */
    for (size_t i = 0; i < c->n_services; i++)
        assert_sourced(c->services[i].source);
}

/* --- the built-in tables are the CSV files, to the last bit ------------------------------------
 */

static struct span file_read(struct arena *a, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "models/facts/%s", name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    enum { BYTES_MAX = 1 << 20 };
    char *bytes = arena_alloc(a, BYTES_MAX);
    size_t len = fread(bytes, 1, BYTES_MAX, f);
    fclose(f);
    assert_true(len < BYTES_MAX);
    return (struct span){ bytes, len };
}

static void assert_same_field(const struct facts_col *col, const void *x, const void *y)
{
    const char *p = (const char *)x + col->offset, *q = (const char *)y + col->offset;
    const char *text_p, *text_q;
    double real_p, real_q;
    int64_t int_p, int_q;
    switch (col->kind) {
    case FACTS_TEXT:
        memcpy(&text_p, p, sizeof text_p);
        memcpy(&text_q, q, sizeof text_q);
        assert_int_equal(!text_p, !text_q);
        if (text_p)
            assert_string_equal(text_p, text_q);
        break;
    case FACTS_RATE:
        memcpy(&real_p, p, sizeof real_p);
        memcpy(&real_q, q, sizeof real_q);
        assert_true(real_p == real_q || (isnan(real_p) && isnan(real_q)));
        break;
    case FACTS_BOOL:
        assert_memory_equal(p, q, sizeof(bool));
        break;
    case FACTS_YES_NO:
    case FACTS_VOLUME_TYPE:
    case FACTS_CONDITION:
    case FACTS_COMPONENT:
        assert_memory_equal(p, q, sizeof(int));
        break;
    case FACTS_CORNERS: {
        const struct vol_rule *r = x, *s = y;
        assert_int_equal(r->n_mibps_by_iops, s->n_mibps_by_iops);
        for (size_t i = 0; i < r->n_mibps_by_iops; i++) {
            assert_true(r->mibps_by_iops[i].x == s->mibps_by_iops[i].x);
            assert_true(r->mibps_by_iops[i].mibps == s->mibps_by_iops[i].mibps);
        }
        assert_memory_equal(r->since_ms, s->since_ms, sizeof r->since_ms);
        break;
    }
    default:
        memcpy(&int_p, p, sizeof int_p);
        memcpy(&int_q, q, sizeof int_q);
        assert_int_equal(int_p, int_q);
        break;
    }
}

static void assert_same_rows(enum facts_file file, const void *x, size_t n_x, const void *y,
                             size_t n_y)
{
    const struct facts_table *t = &facts_tables[file];
    assert_int_equal(n_x, n_y);
    for (size_t i = 0; i < n_x; i++)
        for (size_t k = 0; k < t->n_cols; k++)
            assert_same_field(&t->cols[k], (const char *)x + i * t->row_bytes,
                              (const char *)y + i * t->row_bytes);
}

static void test_built_in_is_what_the_files_say(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct span files[FACTS_FILE_COUNT];
    for (int i = 0; i < FACTS_FILE_COUNT; i++)
        files[i] = file_read(&a, facts_file_names[i]);
    struct catalogue p;
    struct err e;
    assert_int_equal(facts_parse(files, NULL, &a, &p, &e), 0);
    assert_same_rows(FACTS_VOLUME_RULES, c->rules, c->n_rules, p.rules, p.n_rules);
    assert_same_rows(FACTS_PRICES, c->prices, c->n_prices, p.prices, p.n_prices);
    assert_same_rows(FACTS_INSTANCES, c->instances, c->n_instances, p.instances, p.n_instances);
    assert_same_rows(FACTS_WEIGHTING, c->weightings, c->n_weightings, p.weightings, p.n_weightings);
    assert_same_rows(FACTS_BX_FAMILIES, c->bx_families, c->n_bx_families, p.bx_families,
                     p.n_bx_families);
    assert_same_rows(FACTS_REGION_QUOTAS, c->quotas, c->n_quotas, p.quotas, p.n_quotas);
    assert_same_rows(FACTS_SERVICE_PRICES, c->services, c->n_services, p.services, p.n_services);
    assert_same_rows(FACTS_USAGE_TYPES, c->usage_types, c->n_usage_types, p.usage_types,
                     p.n_usage_types);
    assert_same_rows(FACTS_BILLING_CODES, c->billing_codes, c->n_billing_codes, p.billing_codes,
                     p.n_billing_codes);
    assert_int_equal(c->instances_as_of_ms, p.instances_as_of_ms);
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_eras_do_not_overlap_nor_leave_gaps),
        cmocka_unit_test(test_prices),
        cmocka_unit_test(test_every_region_sells_all),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_weightings),
        cmocka_unit_test(test_bx_families),
        cmocka_unit_test(test_region_quotas),
        cmocka_unit_test(test_bills),
        cmocka_unit_test(test_built_in_is_what_the_files_say),
    };
    return cmocka_run_group_tests_name("catalogue", tests, NULL, NULL);
}
