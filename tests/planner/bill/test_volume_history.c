/* tests/planner/bill/test_volume_history.c - what a description and a modification say of a volume
 * goes before what the bill shows. */
#include "tests/planner/bill/bill_lines.h"

#include <stdint.h>

static const struct past_case {
    const char *why;
    struct part part; /* of June 2026 */
    int64_t described_gib;
    int changed_min; /* of the month; 0 = never */
    int64_t from_gib;
    enum bill_verdict verdict;
    double unexplained;
    const char *cause;
} pasts[] = {
    { "as described",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      100,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "rounding" },
    { "grown since, and no modification tells",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      200,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "described as 200 GiB: changed since" },
    { "grown by a modification after the month",
      { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = TO_END },
      200,
      50000,
      100,
      BILL_EXPLAINED,
      0,
      "rounding" },
    /* 16.00 billed for 200 GiB, 8.00 for the 100 that it is: volumes do not shrink */
    { "billed for more than it ever was",
      { "vol-1", "EBS:VolumeUsage.gp3", 200, 0.08, 0, .to_h = TO_END },
      100,
      0,
      0,
      BILL_UNEXPLAINED,
      8,
      "sizes never shrink" },
    { "a whole month's line of half of it: 360 hours, to the 16th",
      { "vol-1", "EBS:VolumeUsage.gp3", 50, 0.08, 0, .to_h = TO_END, .whole = true },
      100,
      0,
      0,
      BILL_EXPLAINED,
      0,
      "100 GiB held for 360.0 of 720 hours: volume deleted on the 16th, 00:00" },
};

static void test_past(void **state)
{
    const struct past_case *c = *state;
    struct billed x = { .e = { 0 } };
    struct volume_histories h;
    int64_t june = month_ms("2026-06");
    struct stored_volume volume = { .config = { .volume_id = SPAN_LIT("vol-1"),
                                                .spec = { VOL_GP3, 1, c->described_gib, 3000, 125 },
                                                .created_ms = UNKNOWN,
                                                .attachments = 1 } };
    struct stored_modification change = { .change = {
                                              .volume_id = SPAN_LIT("vol-1"),
                                              .state = SPAN_LIT("completed"),
                                              .from = { VOL_GP3, 1, c->from_gib, 3000, 125 },
                                              .to = { VOL_GP3, 1, c->described_gib, 3000, 125 },
                                              .start_ms = june + c->changed_min * INT64_C(60000),
                                              .end_ms = UNKNOWN } };
    struct system_load load = { .volumes = &volume,
                                .n_volumes = 1,
                                .modifications = &change,
                                .n_modifications = c->changed_min != 0 };
    const struct system_load *loads[] = { &load };
    assert_int_equal(volume_histories_build(loads, 1, &x.a, &h, &x.e), 0);
    bill_parts(&x, &c->part, 1, "2026-06", 0, &h);
    assert_says(&x.r, &(struct saying){ "vol-1", "EBS:VolumeUsage.gp3", c->verdict, c->cause });
    assert_usd("unexplained", x.r.unexplained, c->unexplained);
    arena_release(&x.a);
}

/* Modifications at 07:20 and 15:20 of the 10th, the last told first, billed by the second: an hour
 * holds both sizes.  (100 * 223 1/3 + 200 * 8 + 300 * 488 2/3) / 720 = 236.85185 GB-Mo */
static void test_change_within_an_hour(void **state)
{
    (void)state;
    struct billed x = { .e = { 0 } };
    int64_t june = month_ms("2026-06");
    const struct part parts[] = {
        { "vol-1", "EBS:VolumeUsage.gp3", 100, 0.08, 0, .to_h = 223 },
        { "vol-1", "EBS:VolumeUsage.gp3", 100.0 / 3 + 400.0 / 3, 0.08, 223, .to_h = 224 },
        { "vol-1", "EBS:VolumeUsage.gp3", 200, 0.08, 224, .to_h = 231 },
        { "vol-1", "EBS:VolumeUsage.gp3", 200.0 / 3 + 600.0 / 3, 0.08, 231, .to_h = 232 },
        { "vol-1", "EBS:VolumeUsage.gp3", 300, 0.08, 232, .to_h = TO_END },
    };
    struct stored_modification changes[] = {
        { .change = { .volume_id = SPAN_LIT("vol-1"),
                      .from = { VOL_GP3, 1, 200, 3000, 125 },
                      .to = { VOL_GP3, 1, 300, 3000, 125 },
                      .start_ms = june + 231 * HOUR_MS + 20 * INT64_C(60000) } },
        { .change = { .volume_id = SPAN_LIT("vol-1"),
                      .from = { VOL_GP3, 1, 100, 3000, 125 },
                      .to = { VOL_GP3, 1, 200, 3000, 125 },
                      .start_ms = june + 223 * HOUR_MS + 20 * INT64_C(60000) } },
    };
    struct system_load load = { .modifications = changes, .n_modifications = N_OF(changes) };
    const struct system_load *loads[] = { &load };
    struct volume_histories h;
    assert_int_equal(volume_histories_build(loads, 1, &x.a, &h, &x.e), 0);
    bill_parts(&x, parts, N_OF(parts), "2026-06", 0, &h);
    const struct bill_entry *entry = entry_of(&x.r, "vol-1", "EBS:VolumeUsage.gp3");
    assert_true(entry->by_history);
    assert_int_equal(entry->verdict, BILL_EXPLAINED);
    assert_usd("amount", entry->expected_amount, 236.85185185);
    assert_usd("cost", entry->expected_cost, 18.94814815);
    arena_release(&x.a);
}

int main(void)
{
    enum { N = N_OF(pasts) };
    struct CMUnitTest t[N + 1];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ pasts[i].why, test_past, NULL, NULL,
                                    (void *)(uintptr_t)&pasts[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_change_within_an_hour);
    return cmocka_run_group_tests_name("volume histories", t, NULL, NULL);
}
