/* tests/models/facts/test_facts_format.c - what is written of the catalogue is read back the same.
 */
#include "models/facts/catalogue.h"

#include "models/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_rate(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void read_back(struct span files[FACTS_FILE_COUNT], struct arena *a, struct catalogue *out)
{
    struct err e = { 0 };
    int rc = facts_parse(files, &builtin_catalogue, a, out, &e);
    assert_string_equal(rc ? e.text : "", "");
}

static void prices_come_back(void **state)
{
    const struct catalogue *b = &builtin_catalogue;
    struct span files[FACTS_FILE_COUNT] = { { NULL, 0 } };
    struct arena a = { 0 };
    struct catalogue c;
    (void)state;
    assert_int_equal(facts_format(FACTS_PRICES, b->prices, b->n_prices, &a, &files[FACTS_PRICES],
                                  NULL),
                     0);
    read_back(files, &a, &c);
    assert_int_equal(c.n_prices, b->n_prices);
    for (size_t i = 0; i < c.n_prices; i++) {
        const struct price *p = &c.prices[i], *q = &b->prices[i];
        assert_string_equal(p->region, q->region);
        assert_string_equal(p->source, q->source);
        assert_true(p->type == q->type && p->component == q->component &&
                    p->tier_from == q->tier_from && p->tier_to == q->tier_to &&
                    p->picousd == q->picousd && p->as_of_ms == q->as_of_ms);
    }
    arena_release(&a);
}

static void instances_come_back(void **state)
{
    const struct catalogue *b = &builtin_catalogue;
    struct span files[FACTS_FILE_COUNT] = { { NULL, 0 } };
    struct arena a = { 0 };
    struct catalogue c;
    (void)state;
    assert_int_equal(facts_format(FACTS_INSTANCES, b->instances, b->n_instances, &a,
                                  &files[FACTS_INSTANCES], NULL),
                     0);
    read_back(files, &a, &c);
    assert_int_equal(c.n_instances, b->n_instances);
    for (size_t i = 0; i < c.n_instances; i++) {
        const struct instance_type *p = &c.instances[i], *q = &b->instances[i];
        assert_string_equal(p->name, q->name);
        assert_true(same_text(p->hypervisor, q->hypervisor) && same_text(p->arch, q->arch) &&
                    same_text(p->ebs_optimized, q->ebs_optimized) &&
                    same_text(p->attachment_kind, q->attachment_kind) &&
                    same_text(p->source, q->source));
        assert_true(p->vcpu == q->vcpu && p->memory_mib == q->memory_mib &&
                    p->baseline_mbps == q->baseline_mbps && p->max_mbps == q->max_mbps &&
                    p->baseline_iops == q->baseline_iops && p->max_iops == q->max_iops &&
                    p->max_ebs_attachments == q->max_ebs_attachments &&
                    p->ebs_cards == q->ebs_cards && p->burst == q->burst &&
                    p->nitro_system == q->nitro_system && p->in_latest_api == q->in_latest_api &&
                    p->current_generation == q->current_generation &&
                    p->instance_store_volumes == q->instance_store_volumes &&
                    p->hourly_picousd == q->hourly_picousd && p->as_of_ms == q->as_of_ms);
        assert_true(same_rate(p->baseline_mb_s, q->baseline_mb_s) &&
                    same_rate(p->max_mb_s, q->max_mb_s));
    }
    arena_release(&a);
}

/* Quotes, commas; unknown and free. */
static void cells_are_quoted(void **state)
{
    const struct price rows[] = {
        { "x-1", VOL_GP3, PRICE_IOPS, 0, 3000, 0, 0, "a \"list\", of own" },
        { "x-1", VOL_STANDARD, PRICE_REQUESTS, 0, UNKNOWN, 50000, 86400000, "plain" },
    };
    struct arena a = { 0 };
    struct span out;
    (void)state;
    assert_int_equal(facts_format(FACTS_PRICES, rows, 2, &a, &out, NULL), 0);
    assert_true(span_is(out, "region,volume_type,component,tier_from,tier_to,usd,as_of,source\n"
                             "x-1,gp3,iops_month,0,3000,0,1970-01-01,\"a \"\"list\"\", of own\"\n"
                             "x-1,standard,request,0,,0.00000005,1970-01-02,plain\n"));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(prices_come_back),
        cmocka_unit_test(instances_come_back),
        cmocka_unit_test(cells_are_quoted),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
