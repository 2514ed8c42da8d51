/* tests/cli/test_change_acceptance.c - the worked example of the change plan, through the command.
 *
 * One io2 of 500 GiB and 64 000 IOPS, 200 GiB used, on r5.8xlarge (850 MB/s) under the rules of
 * 2022-06-01, becomes 2 x io2 250 GiB 5 000.  By hand:
 *   price     2 x (250 * 0.125 + 5 000 * 0.065) = 712.50; kept 2 x (500 * 0.125 + 325) = 775.00;
 *             today 62.50 + 32 000 * 0.065 + 32 000 * 0.0455 = 3 598.50
 *   rate      min(1 000, 2 * 500, 850 / 1.048576 / 2 = 405.31 MiB/s): the instance, which counts
 *             both the read and the write
 *   replace   all of 200 GiB: 204 800 / 405.31 = 505.29 s
 *   keep      200 * 1 / (1 + 1) = 100 GiB: 252.65 s
 *   overlap   3 598.50 / 730 h * 505.29 s = 0.6919 USD
 * With 104.858 MB/s (100 MiB/s) of load the instance leaves 850 - 104.858 = 745.14 MB/s, half of
 * it 355.31 MiB/s: 576.40 s. */
#include "models/core/timestamp.h"
#include "tests/cli/json_expect.h"
#include "tests/cli/site.h"

enum { EXPECTS = 24 };

static void write_file(const char *path, const char *text)
{
    FILE *f = site_file(path);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* Each minute of 2022-05-18: read_kib_s on nvme1n1, in requests of 256 KiB. */
static void write_iostat(const char *path, double read_kib_s)
{
    FILE *f = site_file(path);
    fprintf(f, "Linux 5.10.0 (db1) \t05/18/2022 \t_x86_64_\t(8 CPU)\n\n");
    for (int minute = 0; minute <= 24 * 60 - 1; minute++)
        fprintf(f,
                "2022-05-18T%02d:%02d:00+0000\nDevice            r/s     w/s     rkB/s     wkB/s   "
                "%%util\nnvme1n1 %.4f 0.0000 %.4f 0.0000 50.00\n\n",
                minute / 60, minute % 60, read_kib_s / 256, read_kib_s);
    assert_int_equal(fclose(f), 0);
}

static const struct change_case {
    const char *why, *role, *target;
    double read_mibps;
    const char *line; /* the store and the plan are added */
    int status;
    struct expect expects[EXPECTS];
} cases[] = {
    { "replaced in ASM, 505 s when nothing else runs; kept beside a second one, 253 s",
      "data",
      "\"volume_type\": \"io2\", \"count\": 2, \"size_gib\": 250, \"iops\": 5000",
      0.001,
      "change",
      0,
      { TEXT("ways.0.name", "asm_replace"),
        NUM("ways.0.total_usd", 712.5),
        NUM("ways.0.moved_gib", 200),
        TEXT("ways.0.steps.0.volume", "NEW_1"),
        TEXT("ways.0.steps.1.volume", "NEW_2"),
        TEXT("ways.0.steps.2.by", "asm"),
        NUM("ways.0.steps.2.moved_gib", 200),
        NEAR("ways.0.steps.2.alone_seconds", 505.29, 0.01),
        NEAR("ways.0.steps.2.seconds", 505.29, 0.01),
        TEXT("ways.0.steps.2.reversible", "true"),
        TEXT("ways.0.steps.3.reversible", "false"),
        TEXT("ways.0.steps.3.back", "null"),
        NEAR("ways.0.totals.hours", 505.29 / 3600, 1e-4),
        NEAR("ways.0.totals.overlap_usd", 0.6919, 1e-3),
        TEXT("ways.2.name", "asm_keep"),
        NUM("ways.2.total_usd", 775),
        NUM("ways.2.moved_gib", 100),
        NEAR("ways.2.steps.1.alone_seconds", 252.65, 0.01),
        TEXT("ways.2.steps.2.command",
             "aws ec2 modify-volume --region us-east-1 --volume-id vol-0abc --volume-type io2 "
             "--size 500 --iops 5000"),
        NUM("today_usd", 3598.5) } },
    { "under 100 MiB/s of load it takes 576 s",
      "data",
      "\"volume_type\": \"io2\", \"count\": 2, \"size_gib\": 250, \"iops\": 5000",
      100,
      "change",
      0,
      { NEAR("ways.0.steps.2.alone_seconds", 505.29, 0.01),
        NEAR("ways.0.steps.2.seconds", 576.40, 0.05) } },
    { "logs: new groups on the new volumes move nothing",
      "redo",
      "\"volume_type\": \"io2\", \"count\": 2, \"size_gib\": 250, \"iops\": 5000",
      100,
      "change",
      0,
      { TEXT("ways.0.name", "new_logs"), NUM("ways.0.total_usd", 712.5), NUM("ways.0.moved_gib", 0),
        TEXT("ways.1.name", "asm_replace"), NUM("ways.1.moved_gib", 200),
        NUM("ways.2.total_usd", 775) } },
    { "in place where that does it: one request, no more for 6 h, 2.93 h of optimizing",
      "data",
      "\"volume_type\": \"io2\", \"count\": 1, \"size_gib\": 500, \"iops\": 5000",
      100,
      "change",
      0,
      { TEXT("ways.0.name", "modify"), NUM("ways.0.total_usd", 387.5),
        NUM("ways.0.steps.0.modification_slots_left", 0),
        /* 6 h * 500 / 1 024 */
        NEAR("ways.0.totals.hours", 6 * 500 / 1024.0, 1e-4),
        TEXT("ways.0.steps.0.at", "2022-06-01T00:00:00Z"),
        TEXT("ways.0.steps.0.back_from", "2022-06-01T06:00:00Z"),
        NUM("ways.0.totals.overlap_usd", 0) } },
    { "nothing to change",
      "data",
      "\"volume_type\": \"io2\", \"count\": 1, \"size_gib\": 500, \"iops\": 64000",
      100,
      "change",
      0,
      { TEXT("status", "nothing to change"), TEXT("script", "null") } },
    { "too small for what is used",
      "data",
      "\"volume_type\": \"io2\", \"count\": 2, \"size_gib\": 90, \"iops\": 5000",
      100,
      "change",
      0,
      /* keeping 500 GiB holds it */
      { TEXT("ways.0.name", "asm_keep"), TEXT("refused.2.way", "asm_replace") } },
    { "files: neither ASM nor one snapshot for two volumes",
      "binaries",
      "\"volume_type\": \"io2\", \"count\": 2, \"size_gib\": 250, \"iops\": 5000",
      100,
      "change",
      0,
      { TEXT("ways.0.name", "copy"), NUM("ways.0.moved_gib", 200), TEXT("ways.0.online", "false"),
        TEXT("ways.1", "null") } },
};

static void write_layout(const struct site *s, const char *role, const char *volume)
{
    char text[800];
    snprintf(
        text, sizeof text,
        "{\"system\":\"DB1\",\"region\":\"us-east-1\",\"instance_type\":\"r5.8xlarge\","
        "\"groups\":[{\"name\":\"G1\",\"role\":\"%s\",\"devices\":[\"nvme1n1\"],"
        "\"volume_ids\":[\"vol-0abc\"],\"used_gib\":200,\"need_gib\":200,\"volumes\":[%s]}]}\n",
        role, volume);
    write_file(s->layout, text);
}

/* FOLDER/plan.json, whose path is left in buf. */
static void write_plan(const struct site *s, const char *as_of, const char *target, char buf[100])
{
    char text[800];
    snprintf(buf, 100, "%s/plan.json", s->folder);
    snprintf(text, sizeof text,
             "{\"system\": \"DB1\", \"as_of\": \"%s\", \"region\": \"us-east-1\", \"groups\": ["
             "{\"name\": \"G1\", \"chosen\": {%s, \"throughput_mibps\": null, \"kept\": false}}],"
             "\"instance\": {\"type\": \"r5.8xlarge\", \"weighting\": \"default\"}}",
             as_of, target);
    write_file(buf, text);
}

static void load_site(const struct site *s)
{
    site_run(s, "ingest --system DB1", s->iostat);
    site_run(s, "layout --set", s->layout);
}

#define IO2_64000                                                                                  \
    "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":64000,\"throughput_mibps\":null}"

static void changed(void **state)
{
    const struct change_case *c = *state;
    struct site s;
    char line[400], plan[100];
    site_make(&s);
    write_iostat(s.iostat, c->read_mibps * 1024);
    write_layout(&s, c->role, IO2_64000);
    write_plan(&s, "2022-06-01", c->target, plan);
    load_site(&s);
    snprintf(line, sizeof line, "%s --db %s --plan %s", c->line, s.db, plan);
    cJSON *doc = run_json(line, c->status);
    for (size_t i = 0; i < EXPECTS && c->expects[i].path; i++)
        if (strcmp(c->expects[i].path, "ways.1") == 0)
            assert_null(find(doc, "ways.1"));
        else
            expect(doc, &c->expects[i]);
    cJSON_Delete(doc);
    site_remove(&s);
}

/* The same change, of a volume that was modified an hour before it.  Under the rule of 6 h it waits
 * five more and takes no other afterwards; a day later it begins at once and two are left.  Going
 * back is possible 6 h after it began, or as soon as it is complete: 6 h * 500 / 1 024 = 2.93 h. */
static void either_side_of_the_rule(void **state)
{
    static const struct {
        const char *day;
        struct expect at, slots, back;
    } sides[] = {
        { "2026-01-13", TEXT("ways.0.steps.0.at", "2026-01-13T15:00:00Z"),
          NUM("ways.0.steps.0.modification_slots_left", 0),
          TEXT("ways.0.steps.0.back_from", "2026-01-13T21:00:00Z") },
        { "2026-01-15", TEXT("ways.0.steps.0.at", "2026-01-15T10:00:00Z"),
          NUM("ways.0.steps.0.modification_slots_left", 2),
          TEXT("ways.0.steps.0.back_from", "2026-01-15T12:55:46.875Z") },
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct site s;
        char text[600], line[400], plan[100], changes[100];
        site_make(&s);
        write_iostat(s.iostat, 1024);
        write_layout(&s, "data", IO2_64000);
        write_plan(&s, sides[i].day,
                   "\"volume_type\": \"io2\", \"count\": 1, \"size_gib\": 500, \"iops\": 5000",
                   plan);
        snprintf(text, sizeof text,
                 "{\"VolumesModifications\": [{\"VolumeId\": \"vol-0abc\", \"ModificationState\": "
                 "\"completed\", \"Progress\": 100, \"OriginalVolumeType\": \"io2\", "
                 "\"OriginalSize\": 500, \"OriginalIops\": 5000, \"TargetVolumeType\": \"io2\", "
                 "\"TargetSize\": 500, \"TargetIops\": 64000, \"StartTime\": "
                 "\"%sT09:00:00.000Z\", \"EndTime\": \"%sT09:30:00.000Z\"}]}\n",
                 sides[i].day, sides[i].day);
        snprintf(changes, sizeof changes, "%s/modifications.json", s.folder);
        write_file(changes, text);
        site_run(&s, "ingest --system DB1", changes);
        load_site(&s);
        snprintf(line, sizeof line, "change --db %s --plan %s --start %sT10:00:00Z", s.db, plan,
                 sides[i].day);
        cJSON *doc = run_json(line, 0);
        expect(doc, &sides[i].at);
        expect(doc, &sides[i].slots);
        expect(doc, &sides[i].back);
        cJSON_Delete(doc);
        site_remove(&s);
    }
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 1];
    size_t n = 0;
    for (; n < N; n++)
        t[n] = (struct CMUnitTest){ cases[n].why, changed, NULL, NULL, (void *)(size_t)&cases[n] };
    t[n++] = (struct CMUnitTest)cmocka_unit_test(either_side_of_the_rule);
    return cmocka_run_group_tests_name("change acceptance", t, cli_start, cli_stop);
}
