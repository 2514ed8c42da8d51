/* tests/data/ingest/sar/test_sadf.c - sadf -d, -p and -j: the same samples from each. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/sar/sadf.h"
#include "tests/row_tests.h"

#define HEAD "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util"
#define VDA  "2022-05-18T07:00:10Z 10 db1 vda rk=64 wk=16 t=10 tk=80 s=8 a=0.2 q=0.1 u=2\n"

static const struct sadf_case {
    const char *why, *text, *want;
} sadf_cases[] = {
    { "-d in UTC; tables of other kinds are passed over",
      "# hostname;interval;timestamp;CPU;%usr\ndb1;10;2022-05-18 07:00:10 UTC;-1;2.15\n" HEAD
      "\ndb1;10;2022-05-18 07:00:10 UTC;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.00\n"
      "db1;-1;2022-05-18 07:00:20 UTC;LINUX-RESTART\t(9 CPU)\n"
      "# hostname;interval;timestamp;IFACE;rxpck/s\ndb1;10;2022-05-18 07:00:10 UTC;eth0;1.00\n",
      VDA },
    { "-U: seconds since the epoch", /* 1652857210 = 2022-05-18 07:00:10 UTC */
      HEAD "\ndb1;10;1652857210;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.00\n", VDA },
    { "-t: local time, of a zone that nobody told",
      HEAD "\ndb1;10;2022-05-18 07:00:10;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.00\n",
      "! 2: times without a zone are taken as UTC; --tz says otherwise\n" VDA },
    { "decimal commas",
      HEAD "\ndb1;10;2022-05-18 07:00:10 UTC;vda;10,00;64,00;16,00;0,00;8,00;0,10;0,20;2,00\n",
      VDA },
    { "sectors of old versions",
      "# "
      "hostname;interval;timestamp;DEV;tps;rd_sec/s;wr_sec/s;avgrq-sz;avgqu-sz;await;svctm;%util\n"
      "db1;10;2022-05-18 07:00:10 UTC;vda;10.00;128.00;32.00;16.00;0.10;0.20;9.99;2.00\n",
      VDA },
    { "-h: all devices on one line",
      HEAD "[...]\ndb1;10;2022-05-18 07:00:10 UTC;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.00;"
           "vdb;1.00;8.00;0.00;0.00;8.00;0.00;0.00;0.00\n",
      VDA "2022-05-18T07:00:10Z 10 db1 vdb rk=8 wk=0 t=1 tk=8 s=8 a=0 q=0 u=0\n" },
    { "a row that is cut",
      HEAD "\ndb1;10;2022-05-18 07:00:10 UTC;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.00\n"
           "db1;10;2022-05-18 07:00:20 UTC;vda;10.00;64.0",
      VDA "! 3: device 'vda' skipped: its 8 values are not there\n" },
    { "a row that is cut in its last value",
      HEAD "\ndb1;10;2022-05-18 07:00:10 UTC;vda;10.00;64.00;16.00;0.00;8.00;0.10;0.20;2.0",
      "! 2: device 'vda' skipped: its 8 values are not there\n" },
    { "no devices in it",
      "# hostname;interval;timestamp;CPU;%usr\ndb1;10;2022-05-18 07:00:10 UTC;-1;2.15\n",
      "ERROR f:1: no figures of devices in it; sadf -d FILE -- -d prints them\n" },
    { "-p: a sample is a run of lines; the host's total, filesystems and interfaces are none",
      "db1\t10\t2022-05-18 07:00:10 UTC\tall\t%usr\t2.15\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\t-\ttps\t20.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\ttps\t10.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\trkB/s\t64.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\twkB/s\t16.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\tareq-sz\t8.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\taqu-sz\t0.10\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\tawait\t0.20\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\tvda\t%util\t2.00\n"
      "db1\t10\t2022-05-18 07:00:10 UTC\t/dev/vda1\tMBfsfree\t705\n"
      "db1\t-1\t2022-05-18 07:00:10 UTC\tLINUX-RESTART\t(9 CPU)\n",
      VDA },
    { "-j: both units, both names of a size",
      "{\"sysstat\": {\"hosts\": [{\"nodename\": \"db1\", \"file-date\": \"2022-05-18\", "
      "\"statistics\": [{\"timestamp\": {\"date\": \"2022-05-18\", \"time\": \"07:00:10\", "
      "\"utc\": 1, \"interval\": 10}, \"cpu-load\": [{\"cpu\": \"all\", \"usr\": 2.15}],\n"
      "\"disk\": [{\"disk-device\": \"vda\", \"tps\": 10.00, \"rd_sec\": 128.00, \"wr_sec\": "
      "32.00, \"dc_sec\": 0.00, \"rkB\": 64.00, \"wkB\": 16.00, \"dkB\": 0.00, \"avgrq-sz\": "
      "16.00, \"areq-sz\": 8.00, \"avgqu-sz\": 0.10, \"aqu-sz\": 0.10, \"await\": 0.20, "
      "\"util-percent\": 2.00}]}]}]}}\n",
      VDA },
    { "-j of newer versions says tz",
      "{\"sysstat\": {\"hosts\": [{\"nodename\": \"db1\", \"file-date\": \"2022-05-18\", "
      "\"statistics\": [{\"timestamp\": {\"date\": \"2022-05-18\", \"time\": \"07:00:10\", "
      "\"tz\": \"UTC\", \"interval\": 10}, \"disk\": [{\"disk-device\": \"vda\", \"tps\": 10.00, "
      "\"rkB\": 64.00, \"wkB\": 16.00, \"areq-sz\": 8.00, \"aqu-sz\": 0.10, \"await\": 0.20, "
      "\"util-percent\": 2.00}]}]}]}}\n",
      VDA },
    { "-j without a time that can be read",
      "{\"sysstat\": {\"hosts\": [{\"file-date\": \"\", \"statistics\": [{\"timestamp\": {},\n"
      "\"disk\": [{\"disk-device\": \"vda\", \"tps\": 1.00}]}]}]}}",
      "! 2: samples without a time that can be read\n- - - vda t=1\n" },
    { "-j that ends early",
      "{\"sysstat\": {\"hosts\": [{\"nodename\": \"db1\", \"file-date\": \"2022-05-18\", "
      "\"statistics\": [{\"timestamp\": {\"date\": \"2022-05-18\", \"time\": \"07:00:10\", "
      "\"utc\": 1, \"interval\": 10}, \"disk\": [{\"disk-device\": \"vda\", \"tps\": 1.00}, {\"di",
      "2022-05-18T07:00:10Z 10 db1 vda t=1\n"
      "! 1: the input ends inside a text: what is before it was read\n" },
    { "-j of a version that printed decimal commas",
      "{\"sysstat\": {\"hosts\": [{\"file-date\": \"2022-05-18\",\n\"io\": 4,97}]}}",
      "ERROR f:2: column 9: not valid JSON: expected a key in '\"'\n" },
    { "-j without devices",
      "{\"sysstat\": {\"hosts\": [{\"file-date\": \"2022-05-18\", \"statistics\": []}]}}",
      "ERROR f:1: no figures of devices in it; sadf -j FILE -- -d prints them\n" },
    { "-x", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sysstat>\n",
      "ERROR f:1: the XML of sadf -x is not read; sadf -j or sadf -d print the same\n" },
    { "-r", "12:24:20 UTC; major; 254; minor; 0; DEV; vda; tps; 113982; 114961;\n",
      "ERROR f:1: the counters of sadf -r have no date; use sadf -d or sadf -j\n" },
    { "something else", "hello\n", "ERROR f:1: not what sadf -d, -p or -j print\n" },
};

static void texts(void **state)
{
    const struct sadf_case *c = *state;
    expect_lines(sadf_read, c->text, NULL, c->want);
}

static void detects(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(sadf_cases); i++) {
        bool want = strcmp(sadf_cases[i].why, "something else") != 0;
        if ((sadf_detect(span_of(sadf_cases[i].text)) > 0) != want)
            fail_msg("%s", sadf_cases[i].why);
    }
    assert_int_equal(sadf_detect(SPAN_LIT("{\"sysstat\": {\"hosts\": [{\"date\": \"x\", "
                                          "\"statistics\": [{\"disk\": [{\"disk_device\"")),
                     0); /* iostat's */
    assert_int_equal(sadf_detect(SPAN_LIT("a\tb\tc\td\te\tf\n")), 0);
    assert_int_equal(sadf_detect(SPAN_LIT("")), 0);
}

static void broken(void **state)
{
    (void)state;
    static const char *const whys[] = { "-d in UTC", "-p: a", "-j: both" };
    for (size_t w = 0; w < N(whys); w++)
        for (size_t i = 0; i < N(sadf_cases); i++) {
            if (strncmp(sadf_cases[i].why, whys[w], strlen(whys[w])) != 0)
                continue;
            struct span text = span_of(sadf_cases[i].text);
            if (w < 2) /* JSON reads the whole source, which needs no memory of its own here */
                expect_cuts(sadf_read, text);
            expect_nomem(sadf_read, text);
            expect_obeyed(sadf_read, text);
        }
}

int main(void)
{
    struct CMUnitTest t[N(sadf_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, sadf_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(detects);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("sadf", t, n, NULL, NULL);
}
