/* tests/data/ingest/nmon/test_nmon.c - snapshots joined from their lines, in any order. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/nmon/nmon.h"
#include "data/ingest/nmon/nmon_disks.h"
#include "tests/row_tests.h"

#define ABOUT                                                                                      \
    "AAA,progname,nmon\nAAA,host,db1\nAAA,time,07:00.00\nAAA,date,18-MAY-2022\nAAA,interval,10\n"
#define HEADS                                                                                      \
    "DISKBUSY,Disk %Busy db1,sda,sdb\nDISKREAD,Disk Read KB/s db1,sda,sdb\n"                       \
    "DISKWRITE,Disk Write KB/s db1,sda,sdb\nDISKXFER,Disk transfers per second db1,sda,sdb\n"      \
    "DISKBSIZE,Disk Block Size db1,sda,sdb\n"
#define T1                                                                                         \
    "DISKBUSY,T0001,2.0,0.0\nDISKREAD,T0001,64.0,0.0\nDISKWRITE,T0001,16.0,8.0\n"                  \
    "DISKXFER,T0001,10.0,2.0\nDISKBSIZE,T0001,8.0,4.0\n"
#define T2                                                                                         \
    "DISKBUSY,T0002,1.0,0.0\nDISKREAD,T0002,32.0,0.0\nDISKWRITE,T0002,0.0,0.0\n"                   \
    "DISKXFER,T0002,4.0,0.0\nDISKBSIZE,T0002,8.0,0.0\n"
#define Z1 "ZZZZ,T0001,07:00:10,18-MAY-2022\n"
#define Z2 "ZZZZ,T0002,07:00:21,18-MAY-2022\n"

#define S1                                                                                         \
    "2022-05-18T07:00:10Z 10 db1 sda rk=64 wk=16 t=10 tk=80 s=8 u=2\n"                             \
    "2022-05-18T07:00:10Z 10 db1 sdb rk=0 wk=8 t=2 tk=8 s=4 u=0\n"
#define S2                                                                                         \
    "2022-05-18T07:00:21Z 11 db1 sda rk=32 wk=0 t=4 tk=32 s=8 u=1\n"                               \
    "2022-05-18T07:00:21Z 11 db1 sdb rk=0 wk=0 t=0 tk=0 u=0\n"

static const struct nmon_case {
    const char *why, *text, *want;
} nmon_cases[] = {
    { "time before the figures; the first interval is what the head says", ABOUT HEADS Z1 T1 Z2 T2,
      S1 S2 },
    { "time after the figures", ABOUT HEADS T1 Z1 T2 Z2, S1 S2 },
    { "a sorted file",
      ABOUT
      "DISKBSIZE,Disk Block Size db1,sda,sdb\nDISKBSIZE,T0001,8.0,4.0\nDISKBSIZE,T0002,8.0,0.0\n"
      "DISKBUSY,Disk %Busy db1,sda,sdb\nDISKBUSY,T0001,2.0,0.0\nDISKBUSY,T0002,1.0,0.0\n"
      "DISKREAD,Disk Read KB/s db1,sda,sdb\nDISKREAD,T0001,64.0,0.0\nDISKREAD,T0002,32.0,0.0\n"
      "DISKWRITE,Disk Write db1,sda,sdb\nDISKWRITE,T0001,16.0,8.0\nDISKWRITE,T0002,0.0,0.0\n"
      "DISKXFER,Disk transfers db1,sda,sdb\nDISKXFER,T0001,10.0,2.0\nDISKXFER,T0002,4.0,0.0\n" Z1
          Z2,
      S1 S2 },
    { "other lines between are passed over",
      ABOUT "BBBP,000,/proc\n" HEADS Z1 "CPU_ALL,T0001,1.0\nDGREAD,Disk Group Read,x\n" T1
            "JFSFILE,T0001,1\n" Z2 T2,
      S1 S2 },
    { "more disks than one line has go on in the next kind",
      ABOUT "DISKREAD,Disk Read KB/s db1,sda\nDISKREAD1,Disk Read KB/s db1,sdb\n"
            "DISKXFER,Disk transfers db1,sda\nDISKXFER1,Disk transfers db1,sdb\n" Z1
            "DISKREAD,T0001,64.0\nDISKREAD1,T0001,8.0\nDISKXFER,T0001,8.0\nDISKXFER1,T0001,2.0\n",
      "2022-05-18T07:00:10Z 10 db1 sda rk=64 t=8\n2022-05-18T07:00:10Z 10 db1 sdb rk=8 t=2\n" },
    { "AIX: reads and writes apart, waits added to service",
      "AAA,progname,topas_nmon\nAAA,host,aix1\nAAA,time,17:23:01\nAAA,date,10-FEB-2016\n"
      "AAA,interval,300\nDISKBUSY,x,hdisk6\nDISKREAD,x,hdisk6\nDISKWRITE,x,hdisk6\n"
      "DISKXFER,x,hdisk6\nDISKRXFER,x,hdisk6\nDISKBSIZE,x,hdisk6\nDISKRIO,x,hdisk6\n"
      "DISKWIO,x,hdisk6\nDISKSERV,x,hdisk6\nDISKREADSERV,x,hdisk6\nDISKWAIT,x,hdisk6\n"
      "ZZZZ,T0001,17:28:10,10-FEB-2016\nDISKBUSY,T0001,0.9\nDISKREAD,T0001,2.1\n"
      "DISKWRITE,T0001,15.8\nDISKXFER,T0001,2.2\nDISKRXFER,T0001,0.4\nDISKBSIZE,T0001,8.3\n"
      "DISKRIO,T0001,0.4\nDISKWIO,T0001,1.7\nDISKSERV,T0001,8.0\nDISKREADSERV,T0001,1.3\n"
      "DISKWAIT,T0001,0.5\n",
      "2016-02-10T17:28:10Z 300 aix1 hdisk6 r=0.4 w=1.7 rk=2.1 wk=15.8 t=2.2 tk=17.9 rs=5.25 "
      "ws=9.29412 s=8.3 a=8.5 u=0.9\n" },
    { "AIX without DISKWIO: transfers less reads",
      ABOUT "DISKXFER,x,hdisk6\nDISKRXFER,x,hdisk6\n" Z1
            "DISKXFER,T0001,124.5\nDISKRXFER,T0001,74.5\n",
      "2022-05-18T07:00:10Z 10 db1 hdisk6 r=74.5 w=50 t=124.5\n" },
    { "over midnight and a year; a day without a date in ZZZZ",
      "AAA,progname,nmon\nAAA,date,31-DEC-2021\nDISKXFER,x,sda\nZZZZ,T0001,23:59:59\n"
      "DISKXFER,T0001,1.0\nZZZZ,T0002,00:00:01\nDISKXFER,T0002,2.0\n",
      "2021-12-31T23:59:59Z - - sda t=1\n2022-01-01T00:00:01Z 2 - sda t=2\n" },
    { "time that does not rise",
      ABOUT "DISKXFER,x,sda\n" Z1 "DISKXFER,T0001,1.0\nZZZZ,T0002,07:00:10,18-MAY-2022\n"
            "DISKXFER,T0002,2.0\n",
      "2022-05-18T07:00:10Z 10 db1 sda t=1\n"
      "! 10: T0002: time does not rise: length of the interval unknown\n"
      "2022-05-18T07:00:10Z - db1 sda t=2\n" },
    { "no time at all", ABOUT "DISKXFER,x,sda\nDISKXFER,T0001,1.0\n",
      "- 10 db1 sda t=1\n! 0: snapshots without a time (ZZZZ)\n" },
    { "a time that cannot be read",
      ABOUT "DISKXFER,x,sda\nZZZZ,T0001,7 o'clock,18-MAY-2022\nDISKXFER,T0001,1.0\n",
      "! 7: T0001: its time cannot be read\n- 10 db1 sda t=1\n" },
    { "the last value of the file may be cut",
      ABOUT "DISKXFER,x,sda,sdb\nDISKREAD,x,sda,sdb\n" Z1 "DISKXFER,T0001,1.0,2.0\n"
            "DISKREAD,T0001,64.0,128",
      "2022-05-18T07:00:10Z 10 db1 sda rk=64 t=1\n2022-05-18T07:00:10Z 10 db1 sdb t=2\n" },
    { "empty cells and nan are unknown",
      ABOUT "DISKXFER,x,sda,sdb,sdc\n" Z1 "DISKXFER,T0001,,nan,2.0\n",
      "! 8: a figure is 'nan': taken as unknown\n2022-05-18T07:00:10Z 10 db1 sdc t=2\n" },
    { "figures above their heading",
      ABOUT "DISKREAD,T0001,1.0\nDISKREAD,T0001,1.0\nDISKXFER,x,sda\n" Z1 "DISKXFER,T0001,1.0\n",
      "! 6: figures before the line that names their disks: skipped\n"
      "2022-05-18T07:00:10Z 10 db1 sda t=1\n" },
    { "a snapshot cut out of its file", Z1 "DISKREAD,T0001,1136.4,447.6\n",
      "! 2: figures before the line that names their disks: skipped\n"
      "ERROR f:1: no line names the disks (DISKREAD,...,sda,sdb): it was cut out\n" },
    { "no disks", ABOUT "CPU_ALL,x\n" Z1 "CPU_ALL,T0001,1.0\n",
      "ERROR f:1: no figures of disks in it (DISKREAD, DISKWRITE, DISKXFER ...)\n" },
};

static void texts(void **state)
{
    const struct nmon_case *c = *state;
    expect_lines(nmon_read, c->text, NULL, c->want);
    assert_true(nmon_detect(span_of(c->text)) > 0);
}

static void others(void **state)
{
    (void)state;
    enum nmon_kind kind;
    size_t part;
    assert_int_equal(nmon_detect(SPAN_LIT("AAB,1\n")), 0);
    assert_int_equal(nmon_detect(SPAN_LIT("")), 0);
    assert_false(nmon_kind_of(SPAN_LIT("DISKREADSERV"), &kind, &part));
    assert_false(nmon_kind_of(SPAN_LIT("DISKREAD64"), &kind, &part)); /* of 64 parts 0 to 63 */
    assert_true(nmon_kind_of(SPAN_LIT("DISKREAD63"), &kind, &part));
    assert_int_equal(part, 63);
}

static void broken(void **state)
{
    (void)state;
    struct span text = SPAN_LIT(ABOUT HEADS Z1 T1 Z2 T2);
    expect_cuts(nmon_read, text);
    expect_nomem(nmon_read, text);
    expect_obeyed(nmon_read, text);
}

/* A sorted file of so many snapshots and disks that their figures would not fit. */
static void too_much_to_sort(void **state)
{
    (void)state;
    enum { DISKS = 1000, SNAPSHOTS = 700 };
    size_t room = (size_t)DISKS * 8 + SNAPSHOTS * (20 + DISKS * 2), at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    at += (size_t)snprintf(text, room, "DISKBUSY,x");
    for (int i = 0; i < DISKS; i++)
        at += (size_t)snprintf(text + at, room - at, ",d%d", i);
    for (int t = 1; t <= SNAPSHOTS; t++) {
        at += (size_t)snprintf(text + at, room - at, "\nDISKBUSY,T%04d", t);
        for (int i = 0; i < DISKS; i++)
            at += (size_t)snprintf(text + at, room - at, ",1");
    }
    static struct lines l;
    int64_t skipped;
    l = (struct lines){ .at = 0 };
    assert_int_equal(read_span(nmon_read, (struct span){ text, at }, NULL, &l, &skipped),
                     ERR_LIMIT);
    /* 1 500 disks have room, 9 figures each: the 371st snapshot passes 5 000 000 */
    assert_string_equal(l.text,
                        "ERROR f:372: more than 5000000 figures wait for their time (ZZZZ): a "
                        "sorted file; the unsorted one is read at any size\n");
    free(text);
}

int main(void)
{
    struct CMUnitTest t[N(nmon_cases) + 3];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, nmon_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(others);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(too_much_to_sort);
    return _cmocka_run_group_tests("nmon", t, n, NULL, NULL);
}
