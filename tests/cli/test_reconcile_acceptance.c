/* tests/cli/test_reconcile_acceptance.c - the figures that reconcile was ordered with, through the
 * command: volumes paid for far beyond what they carried, and the price of a type.
 *
 * Each row writes a bill of one volume for a month, an iostat recording and a layout. */
#include "models/core/timestamp.h"
#include "tests/cli/json_expect.h"
#include "tests/cli/site.h"

#define N_OF(a) (sizeof(a) / sizeof *(a))

enum { EXPECTS = 12, LINES = 3 };

#define EZID "--facts tests/cli/fixtures/facts_ezid --region us-west-2"

struct charge {
    const char *usage, *unit;
    double amount, usd;
};

/* 1 x io2 500 GiB 64 000: 500 * 0.125 = 62.50, 32 000 * 0.065 = 2 080, 32 000 * 0.0455 = 1 456:
 * 3 598.50 */
#define IO2_64000                                                                                  \
    {                                                                                              \
        { "EBS:VolumeUsage.io2", "GB-month", 500, 62.50 },                                         \
            { "EBS:VolumeP-IOPS.io2", "IOPS-Mo", 32000, 2080 },                                    \
        {                                                                                          \
            "EBS:VolumeP-IOPS.io2.tier2", "IOPS-Mo", 32000, 1456                                   \
        }                                                                                          \
    }

static const struct reconcile_case {
    const char *why, *from, *to;
    struct charge charges[LINES];
    double read_mibps, write_mibps,
        iops;            /* for ten minutes of ninety, a quarter of them else; 0 = not measured */
    const char *volumes; /* of the layout */
    const char *ids;     /* of the layout: "" = by what it looks like */
    const char *options;
    struct expect expects[EXPECTS];
} cases[] = {
    /* Block Express is not there: 500 MiB/s a volume to 32 000 IOPS; 1 000 MiB/s count as 4 000
     * requests, 2 000 on each: 2 * (250 * 0.125 + 2 000 * 0.065) = 322.50 */
    { "64 000 IOPS bought for throughput, in 2022: two volumes of 2 000 do",
      "2022-06-01",
      "2022-07-01",
      IO2_64000,
      24,
      976,
      417,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":64000}",
      "\"vol-0aa1\"",
      "",
      { NEAR("totals.billed_usd", 3598.50, 1e-6), NEAR("totals.unexplained_usd", 0, 1e-6),
        TEXT("volumes.0.needed_spec", "2 x io2 250 GiB 2 000 IOPS"),
        NEAR("volumes.0.needed_usd", 322.50, 1e-6), NEAR("volumes.0.saving_usd", 3276.00, 1e-6),
        NEAR("volumes.0.saving_year_usd", 39312.00, 1e-6), TEXT("volumes.0.lower_bound", "true"),
        TEXT("volumes.0.grade", "censored"), NEAR("volumes.0.used.max_iops", 417, 1e-6),
        NEAR("totals.needed_usd", 322.50, 1e-6),
        NEAR("totals.overprovisioned_usd", 3276.00, 1e-6) } },
    /* 500 * 0.125 + 4 000 * 0.065 = 322.50 */
    { "the same in 2026: one of 4 000 does, as the volume that looks like the layout's",
      "2026-02-01",
      "2026-03-01",
      IO2_64000,
      24,
      976,
      417,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":64000}",
      "",
      "",
      { TEXT("volumes.0.needed_spec", "io2 500 GiB 4 000 IOPS"),
        NEAR("volumes.0.needed_usd", 322.50, 1e-6), NEAR("volumes.0.saving_usd", 3276.00, 1e-6),
        /* All but the ten minutes of 9 h: 250 MiB/s, 1 000 counted: 62.50 + 65.00 = 127.50 */
        NEAR("volumes.0.peak_hour_usd", 195.00, 1e-6), TEXT("volumes.0.lower_bound", "true"),
        NEAR("month_hours", 672, 1e-9), NEAR("totals.overprovisioned_usd", 3276.00, 1e-6) } },
    /* With 20 % headroom 4 800 IOPS: 62.50 + 312.00 = 374.50 */
    { "the same with headroom, and what the headroom costs: 52.00",
      "2026-02-01",
      "2026-03-01",
      IO2_64000,
      24,
      976,
      417,
      "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":64000}",
      "\"vol-0aa1\"",
      "--headroom 20",
      { TEXT("volumes.0.needed_spec", "io2 500 GiB 4 800 IOPS"),
        NEAR("volumes.0.needed_usd", 374.50, 1e-6), NEAR("volumes.0.headroom_usd", 52, 1e-6) } },
    /* The prices of the report: 0.25 * 300 + 0.20 * 3 000 = 675; 0.23 * 300 = 69 */
    { "io1 of 300 GiB and 3 000 IOPS: gp3's baseline covers them, 606 less",
      "2023-07-01",
      "2023-08-01",
      { { "USW2-EBS:VolumeUsage.piops", "GB-Mo", 300, 75 },
        { "USW2-EBS:VolumeP-IOPS.piops", "IOPS-Mo", 3000, 600 } },
      0,
      0,
      0,
      NULL,
      "",
      EZID,
      { NEAR("totals.billed_usd", 675, 1e-6), NEAR("totals.unexplained_usd", 0, 1e-6),
        TEXT("volumes.0.spec", "io1 300 GiB 3 000 IOPS"),
        TEXT("volumes.0.equal_gp3_spec", "gp3 300 GiB 3 000 IOPS 125 MiB/s"),
        NEAR("volumes.0.equal_gp3_saving_usd", 606, 1e-6),
        /* 3 000 IOPS of io1 carry 500 MiB/s, and nobody measured how much they did */
        TEXT("volumes.0.equal_gp3_lower_bound", "true"), TEXT("volumes.0.needed_spec", "null"),
        TEXT("totals.needed_usd", "null") } },
    /* Measured at 40 MiB/s in 800 requests: sized as gp3 it is the baseline */
    { "the same measured, with gp3 allowed: needed is 69",
      "2023-07-01",
      "2023-08-01",
      { { "USW2-EBS:VolumeUsage.piops", "GB-Mo", 300, 75 },
        { "USW2-EBS:VolumeP-IOPS.piops", "IOPS-Mo", 3000, 600 } },
      0,
      40,
      800,
      "{\"type\":\"io1\",\"count\":1,\"size_gib\":300,\"iops\":3000}",
      "\"vol-0aa1\"",
      EZID " --types gp3",
      { TEXT("volumes.0.needed_spec", "gp3 300 GiB 3 000 IOPS 125 MiB/s"),
        NEAR("volumes.0.saving_usd", 606, 1e-6), TEXT("volumes.0.grade", "measured"),
        TEXT("volumes.0.lower_bound", "false"), NEAR("volumes.0.iops_used_pct", 800.0 / 30, 1e-6),
        TEXT("volumes.0.equal_gp3_lower_bound", "false") } },
    /* 1 000 GiB of gp2 reach 3 000 IOPS and 250 MiB/s: 100.00; gp3 80.00 + 125 * 0.04 = 85.00 */
    { "gp2 that gp3 beats at equal delivered performance",
      "2026-06-01",
      "2026-07-01",
      { { "EBS:VolumeUsage.gp2", "GB-Mo", 1000, 100 } },
      0,
      0,
      0,
      NULL,
      "",
      "",
      { TEXT("volumes.0.equal_gp3_spec", "gp3 1 000 GiB 3 000 IOPS 250 MiB/s"),
        NEAR("volumes.0.equal_gp3_saving_usd", 15, 1e-6),
        TEXT("volumes.0.equal_gp3_lower_bound", "false") } },
};

static void write_bill(const char *bill, const struct reconcile_case *c)
{
    FILE *f = site_file(bill);
    fputs("lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,"
          "lineItem/UsageEndDate,lineItem/UsageType,lineItem/ResourceId,lineItem/UsageAmount,"
          "lineItem/CurrencyCode,lineItem/UnblendedCost,pricing/unit\n",
          f);
    for (size_t i = 0; i < LINES && c->charges[i].usage; i++)
        fprintf(f, "111122223333,Usage,%sT00:00:00Z,%sT00:00:00Z,%s,vol-0aa1,%.10f,USD,%.10f,%s\n",
                c->from, c->to, c->charges[i].usage, c->charges[i].amount, c->charges[i].usd,
                c->charges[i].unit);
    fclose(f);
}

static void write_measured(const struct site *s, const struct reconcile_case *c)
{
    FILE *f = site_file(s->iostat);
    fputs("Linux 5.10.0 (prd1db) \t2022-05-18 \t_x86_64_\t(96 CPU)\n\n", f);
    for (int m = 0; m < 90; m++) {
        double part = m >= 5 && m < 15 ? 1 : 0.25;
        fprintf(f,
                "2022-05-18T%02d:%02d:00+0000\nDevice r/s w/s rkB/s wkB/s %%util\n"
                "nvme8n1 0 %.2f %.2f %.2f 50\n\n",
                9 + m / 60, m % 60, c->iops * part, c->read_mibps * 1024 * part,
                c->write_mibps * 1024 * part);
    }
    fclose(f);
    f = site_file(s->layout);
    fprintf(
        f,
        "{\"system\":\"PRD1\",\"instance_type\":\"r5.24xlarge\",\"groups\":[{\"name\":\"REDO1\","
        "\"role\":\"redo\",\"devices\":[\"nvme8n1\"],\"volume_ids\":[%s],\"volumes\":[%s]}]}\n",
        c->ids, c->volumes);
    fclose(f);
}

static void test_case(void **state)
{
    const struct reconcile_case *c = *state;
    struct site s;
    char line[500], bill[100];
    site_make(&s);
    snprintf(bill, sizeof bill, "%s/cur.csv", s.folder);
    write_bill(bill, c);
    if (c->volumes) {
        write_measured(&s, c);
        site_run(&s, "ingest --system PRD1", s.iostat);
        site_run(&s, "layout --set", s.layout);
    }
    snprintf(line, sizeof line, "reconcile --bill %s %s%s%s", bill, c->options,
             c->volumes ? " --db " : "", c->volumes ? s.db : "");
    cJSON *doc = run_json(line, 0);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
    site_remove(&s);
}

int main(void)
{
    struct CMUnitTest t[N_OF(cases)];
    for (size_t i = 0; i < N_OF(cases); i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("reconcile, acceptance", t, N_OF(cases), cli_start, cli_stop);
}
