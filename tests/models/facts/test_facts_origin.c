/* tests/models/facts/test_facts_origin.c - our tables against the collected figures they were made
 * from (../shared/facts), where that folder is there. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/vol_rule.h"
#include "tests/vectors/vector_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct catalogue *const c = &builtin_catalogue;

static struct vector_rows *facts(const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "../shared/facts/%s", name);
    return vector_rows_read(path);
}

/* A blank cell is unknown. */
static void assert_int_cell(const struct vector_rows *v, size_t row, const char *head, int64_t got)
{
    struct span text = vector_text(v, row, head);
    assert_true(got == (text.len ? (int64_t)vector_num(text) : UNKNOWN));
}

static void assert_num_cell(const struct vector_rows *v, size_t row, const char *head, double got)
{
    double want = vector_num(vector_text(v, row, head));
    assert_true(got == want || (isnan(got) && isnan(want)));
}

static void assert_word_cell(const struct vector_rows *v, size_t row, const char *head,
                             const char *got)
{
    assert_true(span_eq(span_of(got), vector_text(v, row, head)));
}

static double usd(int64_t picousd)
{
    return picousd == UNKNOWN ? NAN : (double)picousd / 1e12;
}

static void test_instances(void **state)
{
    (void)state;
    struct vector_rows *v = facts("ec2_instances.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_instances);
    for (size_t i = 0; i < v->n; i++) {
        const struct instance_type *t = instance_find(c, vector_text(v, i, "instance_type"));
        assert_non_null(t);
        assert_int_cell(v, i, "vcpu", t->vcpu);
        assert_int_cell(v, i, "memory_mib", t->memory_mib);
        assert_int_cell(v, i, "baseline_mbps", t->baseline_mbps);
        assert_int_cell(v, i, "max_mbps", t->max_mbps);
        assert_num_cell(v, i, "baseline_mb_s", t->baseline_mb_s);
        assert_num_cell(v, i, "max_mb_s", t->max_mb_s);
        assert_int_cell(v, i, "baseline_iops", t->baseline_iops);
        assert_int_cell(v, i, "max_iops", t->max_iops);
        assert_int_cell(v, i, "max_ebs_attachments", t->max_ebs_attachments);
        assert_int_cell(v, i, "ebs_cards", t->ebs_cards);
        assert_num_cell(v, i, "linux_ondemand_usd_hour_us_east_1", usd(t->hourly_picousd));
        assert_word_cell(v, i, "hypervisor", t->hypervisor);
        assert_word_cell(v, i, "arch", t->arch);
        assert_word_cell(v, i, "ebs_optimized", t->ebs_optimized);
        assert_word_cell(v, i, "attachment_kind", t->attachment_kind);
        assert_word_cell(v, i, "nitro_system", t->nitro_system ? "yes" : "no");
        assert_word_cell(v, i, "in_latest_api", t->in_latest_api ? "yes" : "no");
        static const char *const current[] = { "", "no", "yes" };
        assert_word_cell(v, i, "current_generation", current[t->current_generation + 1]);
        assert_word_cell(v, i, "source", t->source);
        bool no_store = span_is(vector_text(v, i, "instance_store"), "no");
        assert_true(t->instance_store_volumes == (no_store ? 0 : UNKNOWN));
    }
    vector_rows_free(v);
}

static void test_weightings(void **state)
{
    (void)state;
    struct vector_rows *v = facts("ec2_bandwidth_weighting.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_weightings);
    for (size_t i = 0; i < v->n; i++) {
        const struct bandwidth_weighting *w = NULL;
        for (size_t k = 0; k < c->n_weightings && !w; k++)
            if (span_is(vector_text(v, i, "instance_type"), c->weightings[k].instance_type))
                w = &c->weightings[k];
        assert_non_null(w);
        assert_int_cell(v, i, "default_baseline_mbps", w->default_baseline_mbps);
        assert_int_cell(v, i, "default_burst_mbps", w->default_burst_mbps);
        assert_int_cell(v, i, "vpc1_baseline_mbps", w->vpc1_baseline_mbps);
        assert_int_cell(v, i, "vpc1_burst_mbps", w->vpc1_burst_mbps);
        assert_int_cell(v, i, "ebs1_baseline_mbps", w->ebs1_baseline_mbps);
        assert_int_cell(v, i, "ebs1_burst_mbps", w->ebs1_burst_mbps);
    }
    vector_rows_free(v);
}

static void test_prices(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum price_component component;
        double units;
    } components[] = {
        { "storage_gb_month", PRICE_STORAGE, 1 },
        { "iops_month", PRICE_IOPS, 1 },
        { "throughput_mibps_month", PRICE_THROUGHPUT, 1 },
        { "io_million", PRICE_REQUESTS, 1e6 },
    };
    struct vector_rows *v = facts("prices.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_prices);
    for (size_t i = 0; i < v->n; i++) {
        const struct price *p = &c->prices[i]; /* in the same order */
        size_t k = 0;
        while (k < 3 && !span_is(vector_text(v, i, "component"), components[k].name))
            k++;
        assert_int_equal(p->component, components[k].component);
        assert_word_cell(v, i, "region", p->region);
        assert_word_cell(v, i, "volume_type", volume_type_name(p->type));
        assert_int_cell(v, i, "tier_from", p->tier_from);
        assert_int_cell(v, i, "tier_to", p->tier_to);
        /* within half of 10^-12 USD: one price of the list is finer */
        assert_true(fabs(usd(p->picousd) * components[k].units -
                         vector_num(vector_text(v, i, "usd"))) <= 0.5e-12 * components[k].units);
        char day[32];
        assert_word_cell(v, i, "as_of", time_format_date(day, p->as_of_ms));
    }
    vector_rows_free(v);
}

/* Each row of the collected rules is the rule in force on its first day (io2: Block Express is four
 * rows of ours, which test_vol_rule.c tells apart). */
static void test_rules(void **state)
{
    (void)state;
    struct vector_rows *v = facts("volume_types.csv");
    assert_non_null(v);
    for (size_t i = 0; i < v->n; i++) {
        enum volume_type type;
        assert_int_equal(volume_type_parse(vector_text(v, i, "volume_type"), &type), 0);
        struct span from = vector_text(v, i, "valid_from"), to = vector_text(v, i, "valid_to");
        int64_t day = 0;
        if (from.len)
            assert_int_equal(time_parse_date(&from, &day), 0);
        else if (to.len)
            assert_int_equal(time_parse_date(&to, &day), 0);
        const struct vol_rule *r = vol_rule_at(c, type, day, NULL, UNKNOWN);
        assert_non_null(r);
        assert_int_cell(v, i, "min_gib", r->min_gib);
        assert_int_cell(v, i, "max_gib", r->max_gib);
        assert_int_cell(v, i, "min_iops", r->min_iops);
        assert_int_cell(v, i, "max_iops", r->max_iops);
        assert_int_cell(v, i, "max_mibps", r->max_mibps);
        assert_int_cell(v, i, "max_io_kib_counted_as_one", r->io_cap_kib);
        if (type == VOL_GP2)
            assert_num_cell(v, i, "iops_per_gib_max", r->baseline_iops_per_gib);
        else
            assert_int_cell(v, i, "iops_per_gib_max", r->iops_per_gib_max);
        struct span durability = vector_text(v, i, "durability_pct"), low;
        if (durability.len) {
            span_field(&durability, '-', &low);
            assert_true(r->durability_pct == vector_num(low));
        } else {
            assert_true(isnan(r->durability_pct));
        }
    }
    vector_rows_free(v);
}

static void test_billing_codes(void **state)
{
    (void)state;
    struct vector_rows *v = facts("region_billing_codes.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_billing_codes);
    for (size_t i = 0; i < v->n; i++) {
        assert_word_cell(v, i, "prefix", c->billing_codes[i].prefix);
        assert_word_cell(v, i, "region", c->billing_codes[i].region);
    }
    vector_rows_free(v);
}

static void test_usage_types(void **state)
{
    (void)state;
    struct vector_rows *v = facts("usage_types.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_usage_types);
    for (size_t i = 0; i < v->n; i++)
        assert_word_cell(v, i, "usage_type_suffix", c->usage_types[i].name);
    vector_rows_free(v);
}

static void test_service_prices(void **state)
{
    (void)state;
    struct vector_rows *v = facts("misc_prices.csv");
    assert_non_null(v);
    assert_int_equal(v->n, c->n_services);
    for (size_t i = 0; i < v->n; i++)
        assert_num_cell(v, i, "price", usd(c->services[i].picousd));
    vector_rows_free(v);
}

int main(void)
{
    struct vector_rows *there = facts("volume_types.csv");
    if (!there) {
        printf("not run: ../shared/facts is not there: the origin of the tables is not compared\n");
        return 0;
    }
    vector_rows_free(there);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),          cmocka_unit_test(test_prices),
        cmocka_unit_test(test_instances),      cmocka_unit_test(test_weightings),
        cmocka_unit_test(test_billing_codes),  cmocka_unit_test(test_usage_types),
        cmocka_unit_test(test_service_prices),
    };
    return cmocka_run_group_tests_name("origin of the facts", tests, NULL, NULL);
}
