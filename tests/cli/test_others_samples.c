/* tests/cli/test_others_samples.c - public answers of Compute Optimizer beside a plan, where the
 * samples are there: gp2 of 100 GiB, for which it wants gp3 of 3 000 IOPS and 125 MiB/s. */
#include "tests/cli/json_expect.h"
#include "tests/cli/site.h"

#include <unistd.h>

#define SAMPLES "../shared/samples/aws/"

/* The volume of 126 carried this many MiB/s in four times as many requests. */
static const struct others_case {
    const char *why;
    double mibps;
    const char *verdict, *words;
} cases[] = {
    /* 20 * 1.2 = 24 of 125 MiB/s, 96 of 3 000 IOPS */
    { "20 MiB/s: theirs carries it", 20, "carries", "the price decides" },
    /* 120 * 1.2 = 144 */
    { "120 MiB/s: theirs falls short of the headroom", 120, "falls_short",
      "needs 144 with headroom, theirs carries 125" },
};

static void write_files(const struct site *s, double mibps)
{
    FILE *f = site_file(s->iostat);
    fputs("Linux 5.10.0 (prd1db) \t2026-05-18 \t_x86_64_\t(8 CPU)\n\n", f);
    for (int m = 0; m < 10; m++)
        fprintf(f,
                "2026-05-18T09:%02d:00+0000\nDevice r/s w/s rkB/s wkB/s %%util\n"
                "nvme1n1 %.2f 0 %.2f 0 50\n\n",
                m, mibps * 4, mibps * 1024);
    fclose(f);
    f = site_file(s->layout);
    fputs("{\"system\":\"PRD1\",\"groups\":[{\"name\":\"DATA\",\"role\":\"data\",\"devices\":"
          "[\"nvme1n1\"],\"volume_ids\":[\"vol-0123456789abcdef0\"],\"volumes\":[{\"type\":\"gp2\","
          "\"count\":1,\"size_gib\":100}]}]}\n",
          f);
    fclose(f);
}

static void test_case(void **state)
{
    const struct others_case *c = *state;
    char line[200];
    const struct expect expects[] = {
        TEXT("groups.0.others.0.source", "compute_optimizer"),
        TEXT("groups.0.others.0.volume_id", "vol-0123456789abcdef0"),
        TEXT("groups.0.others.0.spec", "gp3 100 GiB 3 000 IOPS 125 MiB/s"),
        NUM("groups.0.others.0.total_usd", 8),
        TEXT("groups.0.others.0.finding", "NOT_OPTIMIZED"),
        TEXT("groups.0.others.0.verdict", c->verdict),
        /* 125: a finding without an option, for a volume that no group names */
        TEXT("others.0.volume_id", "vol-0abc123def456"),
        TEXT("others.0.spec", "null"),
        TEXT("others.0.finding", "OVER_PROVISIONED"),
        TEXT("others.0.verdict", "undecided"),
    };
    struct site s;
    site_make(&s);
    write_files(&s, c->mibps);
    site_run(&s, "ingest --system PRD1", s.iostat);
    site_run(&s, "ingest --system PRD1", SAMPLES "125_co_ebs_overprov.json");
    site_run(&s, "ingest --system PRD1", SAMPLES "126_co_ebs_notoptimized.json");
    site_run(&s, "layout --set", s.layout);
    snprintf(line, sizeof line, "--db %s plan", s.db);
    cJSON *doc = run_json(line, 0);
    for (size_t i = 0; i < sizeof expects / sizeof *expects; i++)
        expect(doc, &expects[i]);
    const cJSON *decides = find(doc, "groups.0.others.0.decides");
    assert_non_null(decides);
    assert_non_null(strstr(decides->valuestring, c->words));
    /* the adviser's own figure stands beside it: 150 reads and 100 writes */
    assert_non_null(strstr(decides->valuestring, "it saw 250 requests/s at most"));
    cJSON_Delete(doc);
    site_remove(&s);
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N];
    if (access(SAMPLES "126_co_ebs_notoptimized.json", R_OK) != 0) {
        printf("not run: " SAMPLES " is not there\n");
        return 0;
    }
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    return _cmocka_run_group_tests("others, samples", t, N, cli_start, cli_stop);
}
