/* tests/data/ingest/iostat/test_iostat_layouts.c - tables of iostat without -x, stacked, rounded
 * for people, and its JSON. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/iostat/iostat.h"
#include "tests/row_tests.h"

#define UNTIMED "! 0: no time stamps (iostat -t): say --date and --interval to place the samples\n"
#define ROUNDED                                                                                    \
    "! 2: values are rounded for people (iostat -h or --human); iostat -x -t -k prints them "      \
    "whole\n"
#define JSON_HEAD                                                                                  \
    "{\"sysstat\": {\"hosts\": [{\"nodename\": \"db1\", \"date\": \"18/05/22\", \"statistics\": "  \
    "[\n"
#define JSON_DISKS                                                                                 \
    "\"disk\": [{\"disk_device\": \"cciss!c0d0\", \"r/s\": 2.00, \"w/s\": 1.00, \"rkB/s\": "       \
    "16.00, "                                                                                      \
    "\"wkB/s\": 4.00, \"rrqm\": 50.00, \"util\": 1.25},\n{\"disk_device\": \" GROUP\", \"r/s\": "  \
    "2.00}]}"
#define JSON_FIGURES "r=2 w=1 rk=16 wk=4 t=3 tk=20 rs=8 ws=4 s=6.66667 rm=50 u=1.25"
#define GROUP(line)  "! " line ": group 'GROUP' (iostat -g) is a sum of devices: skipped\n"

static const struct layout_case {
    const char *why, *text, *want;
} layout_cases[] = {
    { "without -x: requests of both directions; blocks of 512 bytes",
      "Device:            tps   Blk_read/s   Blk_wrtn/s   Blk_read   Blk_wrtn\n"
      "sda              10.00       160.00        80.00       1600        800\n",
      "- - - sda rk=80 wk=40 t=10 tk=120 s=12\n" UNTIMED },
    { "without -x, 12.x: tps counts discards, so the total does too",
      "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    "
      "kB_dscd\n"
      "sda              10.00       100.00        50.00        30.00       1000        500        "
      "300\n",
      "- - - sda rk=100 wk=50 t=10 tk=180 s=18\n" UNTIMED },
    { "-m", "Device: tps MB_read/s MB_wrtn/s MB_read MB_wrtn\nsda 8.00 0.50 0.25 5 2\n",
      "- - - sda rk=512 wk=256 t=8 tk=768 s=96\n" UNTIMED },
    { "-s: writes and discards are added, so writes are not known",
      "Device             tps    kB_read/s     kB_w+d/s    kB_read     kB_w+d\n"
      "sda               4.00        16.00        48.00        160        480\n",
      "- - - sda rk=16 t=4 tk=64 s=16\n" UNTIMED },
    { "-xs: one column of each",
      "Device             tps      kB/s    rqm/s   await  areq-sz  aqu-sz  %util\n"
      "sda               4.00     64.00     0.00    1.50    16.00    0.01   0.50\n",
      "- - - sda t=4 tk=64 s=16 a=1.5 q=0.01 u=0.5\n" UNTIMED },
    { "--human: powers of 1 024, whatever the heading",
      "Device r/s rkB/s %rrqm rareq-sz w/s wkB/s %util\n"
      "sda 64.00 6.5M 10.4% 104.0k 1.00 512.0k 0.5%\n",
      ROUNDED "- - - sda r=64 w=1 rk=6656 wk=512 t=65 tk=7168 rs=104 ws=512 s=110.277 rm=10.4 "
              "u=0.5\n" UNTIMED },
    { "-h: rounded, the name last",
      "      tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn Device\n"
      "     2.00         1.0M       512.0k       1.5G       6.4M sda\n",
      ROUNDED "- - - sda rk=1024 wk=512 t=2 tk=1536 s=768\n" UNTIMED },
    { "a suffix where none can be",
      "Device r/s rkB/s w/s wkB/s %util\nsda 64.0k 6.00 1.00 8.00 0.50\nsdb 6.00 5% 1.00 8.00 "
      "0.50\n",
      "! 2: row skipped: '64.0k' is not a number\n! 3: row skipped: '5%' is not a "
      "number\n" UNTIMED },
    { "somebody kept the reads only",
      "Device r/s rkB/s rrqm/s %rrqm r_await rareq-sz\nnvme1n1 100.00 800.00 0.00 0.00 1.50 8.00\n",
      "- - - nvme1n1 r=100 rk=800 rs=8 rm=0 ra=1.5\n" UNTIMED },
    { "-xh: four tables make a report, the next begins where the first comes again",
      "Linux 5.4 (db1) \t2022-05-18 \t_x86_64_\n\n"
      "     r/s     rkB/s Device\n 1.00 4.0k sda\n 2.00 8.0k sdb\n\n"
      "     w/s     wkB/s Device\n 3.00 12.0k sda\n 4.00 16.0k sdb\n\n"
      "     d/s     dkB/s Device\n 0.00 0.0k sda\n 0.00 0.0k sdb\n\n"
      "     f/s f_await  aqu-sz  %util Device\n 0.00 0.00 0.01 0.1% sda\n 0.00 0.00 0.02 0.2% "
      "sdb\n\n"
      "     r/s     rkB/s Device\n 5.00 20.0k sdb\n\n     w/s     wkB/s Device\n 6.00 24.0k sdb\n",
      "! 4: values are rounded for people (iostat -h or --human); iostat -x -t -k prints them "
      "whole\n"
      "- - db1 sda r=1 w=3 rk=4 wk=12 t=4 tk=16 rs=4 ws=4 s=4 q=0.01 u=0.1 boot\n"
      "- - db1 sdb r=2 w=4 rk=8 wk=16 t=6 tk=24 rs=4 ws=4 s=4 q=0.02 u=0.2 boot\n"
      /* cut before its last table */
      "- - db1 sdb r=5 w=6 rk=20 wk=24 t=11 tk=44 rs=4 ws=4 s=4\n" UNTIMED },
    { "stacked tables with times: each report has its own",
      "2022-05-18 07:00:00\n r/s rkB/s Device\n 1.00 4.00 sda\n\n w/s wkB/s Device\n 3.00 12.00 "
      "sda\n\n"
      "2022-05-18 07:00:10\n r/s rkB/s Device\n 2.00 8.00 sda\n\n w/s wkB/s Device\n 4.00 16.00 "
      "sda\n",
      "2022-05-18T07:00:00Z - - sda r=1 w=3 rk=4 wk=12 t=4 tk=16 rs=4 ws=4 s=4\n"
      "2022-05-18T07:00:10Z 10 - sda r=2 w=4 rk=8 wk=16 t=6 tk=24 rs=4 ws=4 s=4\n" },
    { "JSON: keys are headings, the first report is since boot, groups are sums",
      JSON_HEAD "{\"timestamp\": \"18/05/22 07:00:00\", " JSON_DISKS
                ", {\"timestamp\": \"18/05/22 07:00:10\", " JSON_DISKS "]}]}}",
      "2022-05-18T07:00:00Z - db1 cciss/c0d0 " JSON_FIGURES
      " boot\n" GROUP("3") "2022-05-18T07:00:10Z 10 db1 cciss/c0d0 " JSON_FIGURES "\n" GROUP("4") },
    { "JSON without times", JSON_HEAD "{" JSON_DISKS "]}]}}",
      "- - db1 cciss/c0d0 " JSON_FIGURES " boot\n" GROUP("3") UNTIMED },
    { "JSON of two hosts",
      "{\"sysstat\": {\"hosts\": [{\"nodename\": \"a\", \"statistics\": [{\"disk\": "
      "[{\"disk_device\": \"x\", \"tps\": 1.00}]}]}, {\"nodename\": \"b\", \"statistics\": "
      "[{\"disk\": [{\"disk_device\": \"y\", \"tps\": 2.00}]}]}]}}",
      "- - a x t=1 boot\n- - b y t=2 boot\n" UNTIMED },
    { "iostat was killed: what is before the end was read",
      JSON_HEAD "{\"timestamp\": \"18/05/22 07:00:00\", " JSON_DISKS,
      "2022-05-18T07:00:00Z - db1 cciss/c0d0 " JSON_FIGURES
      " boot\n" GROUP("3") "! 3: the input ends inside an array: what is before it was read\n" },
    { "JSON with decimal commas",
      JSON_HEAD "{\"disk\": [{\"disk_device\": \"sda\", \"r/s\": 4,97}]}]}]}}",
      "ERROR f:2: column 43: not valid JSON: expected a key in '\"'\n" },
    { "a device without a name",
      "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"disk\": [{\"disk_device\": \" \", \"tps\": "
      "1.00}]}]}]}}",
      "! 1: device skipped: a name of 0 bytes\n" UNTIMED },
};

static void texts(void **state)
{
    const struct layout_case *c = *state;
    expect_lines(iostat_read, c->text, NULL, c->want);
    assert_int_equal(iostat_detect(span_of(c->text)), 100);
}

/* More devices than a report of stacked tables may have. */
static void too_many_parts(void **state)
{
    (void)state;
    enum { DEVICES = 16385 };
    size_t room = (size_t)DEVICES * 24 + 64, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    at += (size_t)snprintf(text, room, " r/s rkB/s Device\n");
    for (int i = 0; i < DEVICES; i++)
        at += (size_t)snprintf(text + at, room - at, " 1.00 1.00 d%d\n", i);
    static struct lines l;
    int64_t skipped;
    l = (struct lines){ .at = 0 };
    assert_int_equal(read_span(iostat_read, (struct span){ text, at }, NULL, &l, &skipped),
                     ERR_LIMIT);
    assert_string_equal(l.text, "ERROR f:16386: more than 16384 devices in one report\n");
    free(text);
}

static void broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(layout_cases); i++) {
        struct span text = span_of(layout_cases[i].text);
        if (!strstr(layout_cases[i].want, " t="))
            continue;
        if (layout_cases[i].text[0] != '{')
            expect_cuts(iostat_read, text);
        expect_nomem(iostat_read, text);
        expect_obeyed(iostat_read, text);
    }
}

int main(void)
{
    struct CMUnitTest t[N(layout_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, layout_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(too_many_parts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("iostat layouts", t, n, NULL, NULL);
}
