/* tests/cli/diagnose_shapes.h - small inputs for the rules that no published incident shows, and
 * near misses. */
#ifndef TESTS_CLI_DIAGNOSE_SHAPES_H
#define TESTS_CLI_DIAGNOSE_SHAPES_H

#include "tests/cli/diagnose_incidents.h"

/* --- shapes and readings that are not among the incidents --------------------------------------
 */

/* An ASM rebalance under max_sectors_kb 512: requests of 510 to 512 KiB, asked for in 1 MiB. */
static void rebalance(struct inputs *in)
{
    iostat_disks(in, 4,
                 DISKS({ "sdak", { 0, 0, 0, 0, 13.65, 6959.58, 3.11 } },
                       { "sdcr", { 0, 0, 0, 0, 11.8, 6041.6, 2.71 } },
                       { "sdfi", { 0, 0, 0, 0, 12.35, 6323.2, 5.55 } }));
    input_text(
        in, "strace.txt",
        "io_getevents(139900000001024, 1, 128, {{0x7fa1c0dec960, 0x7fa1c0dec960, 1048576, 0}, "
        "{0x7fa1c0decbd0, 0x7fa1c0decbd0, 1048576, 0}}, {600, 0}) = 2\n");
}

/* A database that waits for its processor. */
static void not_storage(struct inputs *in)
{
    awr_of_waits(in,
                 WAITS({ "DB CPU", "", "39.2K", "", "79.6", "" },
                       { "library cache: mutex X", "1,200", "3100", "2583.33ms", "6.3",
                         "Concurre" },
                       { "db file sequential read", "900,000", "450", ".50ms", ".9", "User I/O" }));
}

/* Commits of 8 ms over log writes of half a millisecond. */
static void sync_cpu(struct inputs *in)
{
    awr_of_waits(in,
                 WAITS({ "DB CPU", "", "20.2K", "", "41.0", "" },
                       { "log file sync", "900,000", "7200", "8.00ms", "14.6", "Commit" },
                       { "log file parallel write", "400,000", "200", ".50ms", ".4", "System I" }));
}

/* iostat in local time, five hours before the report. */
static void clocks(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_filetypes(f);
    awr_filetype(f, "Data File", "70G", "20M", "35G", "10M");
    awr_close(f);
    FILE *g = iostat_open(in);
    for (int i = 0; i <= 60; i++)
        iostat_report(g, 5 * 3600 + 60 * i,
                      DISKS({ "nvme1n1", { 160, 20480, 0, 1, 80, 10240, 1 } }));
    fclose(g);
}

/* Hours 4 to 22; the busiest is 11. */
static double mibps_of_hour(int hour)
{
    static const double mibps[] = { 20, 15, 30, 25, 60, 10, 35, 80, 15, 50,
                                    25, 70, 40, 12, 55, 30, 18, 22, 26 };
    return mibps[hour - 4];
}

/* Reports of sixteen hours from 04:00 on, and a device whose clock is hours ahead, over fourteen of
 * them; share: of what the reports say. */
static void long_day(struct inputs *in, int ahead, double share)
{
    FILE *f = input_open(in, "export.csv");
    fputs("volplan_csv,1\n", f);
    for (int h = 4; h < 20; h++)
        fprintf(f,
                "filetype,1,2022-05-18T%02d:00:00Z,2022-05-18T%02d:00:00Z,Data File:read_bytes,"
                "%.0f,bytes\n",
                h, h + 1, mibps_of_hour(h) * 1048576 * 3600);
    fclose(f);
    FILE *g = iostat_open(in);
    for (int i = 0; i <= 14 * 12; i++) {
        double kib = mibps_of_hour(8 + (i > 0 ? i - 1 : 0) / 12 - ahead) * 1024 * share;
        iostat_report(g, 300 * i, DISKS({ "nvme1n1", { kib / 128, kib, 0, 1, 0, 0, 0 } }));
    }
    fclose(g);
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data",
                                "\"files\":[{\"name\":\"Data File\"}]," DEVICES("\"nvme1n1\""),
                                "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1000}")));
}

static void clocks_overlap(struct inputs *in)
{
    long_day(in, 2, 1);
}

static void clocks_right(struct inputs *in)
{
    long_day(in, 0, 0.95);
}

static void a_third_seen(struct inputs *in)
{
    long_day(in, 0, 0.33);
}

/* Logs of 4 GiB at 62.5 MiB/s last 65.5 s; in the hour after at half of it. */
static void switches(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_stats(f);
    awr_stat(f, "redo entries", "3,600", "1.0");
    awr_stat(f, "redo size", "235,929,600,000", "65,536,000.0");
    awr_close(f);
    f = awr_open_hour(in, "awr_09.txt", 9);
    awr_stats(f);
    awr_stat(f, "redo size", "117,964,800,000", "32,768,000.0");
    awr_close(f);
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"log_gib\":4},",
                      GROUP("REDO", "redo", "",
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":200}")));
}

/* --- what else there is a rule for -------------------------------------------------------------
 */

static void too_many(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 40, 1280, 0, 1, 10, 320, 1 });
    input_text(in, "layout.json",
               ONE_OF("\"instance_type\":\"m5.large\",",
                      "{\"type\":\"gp3\",\"count\":30,\"size_gib\":100}"));
}

/* m4 is Xen: 32 000 of the 64 000 IOPS. */
static void xen(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 40, 1280, 0, 1, 10, 320, 1 });
    input_text(in, "layout.json",
               ONE_OF("\"instance_type\":\"m4.4xlarge\",",
                      "{\"type\":\"io1\",\"count\":1,\"size_gib\":2000,\"iops\":40000}"));
}

static void eight_devices(struct inputs *in, double mib_before, double mib, int minutes)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= minutes; i++)
        eight_disks(f, 60 * i, i <= minutes / 2 ? mib_before : mib);
    fclose(f);
}

#define NO_VOLUMES(instance)                                                                       \
    "{\"system\":\"PRD1\",\"instance_type\":\"" instance "\",\"groups\":[{\"name\":\"DATA\","      \
    "\"role\":\"data\",\"devices\":[\"nvme*n1\"]}]}"

/* r8gb.48xlarge has two cards of 18 750 MB/s: 17 881 MiB/s. */
static void one_card(struct inputs *in)
{
    eight_devices(in, 17800, 17800, 12);
    input_text(in, "layout.json", NO_VOLUMES("r8gb.48xlarge"));
}

/* m5.2xlarge: 593.75 MB/s for 30 minutes (566 MiB/s), then 287.5 (274). */
static void burst_ends(struct inputs *in)
{
    eight_devices(in, 520, 274, 60);
    input_text(in, "layout.json", NO_VOLUMES("m5.2xlarge"));
}

/* The same on three days: half an hour, then the baseline, and at night next to nothing. */
static void burst_of_each_day(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 2 * 24 * 12 + 18; i++) { /* five minutes each; 08:00 to 09:30 is busy */
        int of_day = i % (24 * 12);
        double mib = of_day > 18 ? 20 : of_day <= 6 ? 520 : 274;
        iostat_report(f, 300 * i, DISKS({ "nvme1n1", { mib * 4, mib * 1024, 0, 5, 0, 0, 0 } }));
    }
    fclose(f);
    input_text(in, "layout.json", NO_VOLUMES("m5.2xlarge"));
}

/* All day at the baseline of an m5.2xlarge: what was before it is not known. */
static void at_baseline(struct inputs *in)
{
    eight_devices(in, 274, 274, 60);
    input_text(in, "layout.json", NO_VOLUMES("m5.2xlarge"));
}

/* A tenth below it, and above it now and then: a load like another. */
static void near_baseline(struct inputs *in)
{
    eight_devices(in, 246, 300, 60);
    input_text(in, "layout.json", NO_VOLUMES("m5.2xlarge"));
}

/* Two devices with the same mean, of which each has its hour: no stripe. */
static void two_in_turn(struct inputs *in)
{
    const struct io busy = { 800, 6400, 0, 1, 0, 0, 0 }, idle = { 40, 320, 0, 1, 0, 0, 0 };
    iostat_turns(in, 20, 40, DISKS({ "nvme1n1", idle }, { "nvme2n1", busy }),
                 DISKS({ "nvme1n1", busy }, { "nvme2n1", idle }));
}

/* The bytes of two devices are the same in every minute, the requests are not. */
static void two_together(struct inputs *in)
{
    const struct io many = { 800, 25600, 0, 1, 0, 0, 0 }, few = { 100, 25600, 0, 1, 0, 0, 0 };
    iostat_turns(in, 20, 40, DISKS({ "nvme1n1", few }, { "nvme2n1", many }),
                 DISKS({ "nvme1n1", many }, { "nvme2n1", few }));
}

static void lives_on_bucket(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 300, 4800, 0, 1, 200, 3200, 1 });
    input_text(in, "layout.json", ONE_GP2("100"));
}

static void unequal(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 40, 1280, 0, 1, 10, 320, 1 });
    input_text(in, "layout.json",
               ONE_OF("", "{\"type\":\"gp3\",\"count\":1,\"size_gib\":100},{\"type\":\"gp3\","
                          "\"count\":1,\"size_gib\":200}"));
}

static void mixed(struct inputs *in)
{
    input_text(in, "lsblk.txt",
               "NAME    MAJ:MIN RM SIZE RO TYPE PHY-SEC LOG-SEC\n"
               "nvme1n1 259:1    0 500G  0 disk    4096     512\n"
               "nvme2n1 259:2    0 500G  0 disk     512     512\n");
}

static void sections(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_functions(f);
    awr_function(f, "DBWR", "351.6G", "900.0", "100M", "1.00ms");
    awr_function(f, "TOTAL:", "351.6G", "900.0", "100M", "1.00ms");
    awr_filetypes(f);
    awr_filetype(f, "Data File", "0M", "0M", "175.8G", "50M");
    awr_filetype(f, "TOTAL:", "0M", "0M", "175.8G", "50M");
    awr_close(f);
}

/* The report of 08:00 to 09:00 has 30 MiB/s, the device 10 of them, for some minutes or for all. */
static void report_and_device(struct inputs *in, int minutes)
{
    FILE *f = awr_open(in);
    awr_filetypes(f);
    awr_filetype(f, "Data File", "70.3G", "20M", "35.2G", "10M");
    awr_close(f);
    iostat_constant(in, "nvme1n1", minutes, (struct io){ 80, 10240, 0, 1, 0, 0, 0 });
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data",
                                "\"files\":[{\"name\":\"Data File\"}]," DEVICES("\"nvme1n1\""),
                                "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1000}")));
}

static void missing_devices(struct inputs *in)
{
    report_and_device(in, 60);
}

static void gap(struct inputs *in)
{
    report_and_device(in, 20);
}

static void no_period(struct inputs *in)
{
    input_text(
        in, "answer.json",
        "{\"Label\": \"VolumeReadOps\", \"Datapoints\": [\n"
        "{\"Timestamp\": \"2022-05-18T08:00:00Z\", \"Sum\": 600.0, \"Unit\": \"Count\"},\n"
        "{\"Timestamp\": \"2022-05-18T08:05:00Z\", \"Sum\": 900.0, \"Unit\": \"Count\"}]}\n");
}

/* 100 MiB/s, as sums over a minute: 6 000. */
static void sums(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 48000, 6144000, 0, 1, 0, 0, 0 });
    input_text(in, "layout.json", ONE_GP3("", ""));
}

static void seconds(struct inputs *in)
{
    FILE *f = input_open(in, "stream.jsonl");
    for (int i = 0; i < 5; i++)
        stream_value(f, "AWS/EBS", "VolumeIOPSExceededCheck", "VolumeId", "vol-1", i, i == 3);
    fclose(f);
}

static void counters(struct inputs *in)
{
    input_text(in, "stats.json",
               "{\"total_read_ops\": 100, \"ebs_volume_performance_exceeded_iops\": 4200000, "
               "\"ebs_volume_performance_exceeded_tp\": 0, "
               "\"ec2_instance_ebs_performance_exceeded_iops\": 0, "
               "\"ec2_instance_ebs_performance_exceeded_tp\": 0, \"volume_queue_length\": 1}\n");
}

/* The database's view of the merge loss: 1.8 s a read, and no ceiling named. */
static void slow_reads(struct inputs *in)
{
    awr_of_waits(in,
                 WAITS({ "direct path read", "2,214,272", "3.9M", "1780.74ms", "90.6", "User I/O" },
                       { "direct path read temp", "1,203,973", "237.7K", "197.47ms", "5.5",
                         "User I/O" },
                       { "DB CPU", "", "166.5K", "", "3.8", "" }));
}

/* Above the 5 ms of a healthy read. */
static void reads_of_6_ms(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "db file sequential read", "2,000,000", "12.0K", "6.00ms", "24.4", "User I/O");
    awr_event(f, "DB CPU", "", "37.2K", "", "75.6", "");
    awr_close(f);
}

static void writers(struct inputs *in)
{
    awr_of_waits(in,
                 WAITS({ "free buffer waits", "2,800,812", "20.1K", "36.36ms", "40.3", "Configur" },
                       { "write complete waits", "449", "12.2K", "386.69ms", "24.8", "Configur" },
                       { "buffer busy waits", "12,015", "9800", "337.94ms", "19.9", "Concurre" }));
}

/* REDO far below its ceiling, in an hour in which the database waited for its redo. */
static void held_up(struct inputs *in)
{
    awr_of_waits(in,
                 WAITS({ "log buffer space", "31,430", "800.1", "25.40ms", "1.6", "Configur" }));
    iostat_constant(in, "nvme8n1", 30, (struct io){ 20, 20480, 0, 2, 60, 30720, 3 });
    input_text(in, "layout.json", REDO_5K);
}

/* Of two disks of 3 000 IOPS one is full while the sum is at 75 %. */
static void full_disk(struct inputs *in)
{
    iostat_disks(in, 12,
                 DISKS({ "nvme1n1", { 3000, 24000, 0, 3, 0, 0, 0 } },
                       { "nvme2n1", { 1500, 12000, 0, 3, 0, 0, 0 } }));
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme*n1\""),
                                "{\"type\":\"gp3\",\"count\":2,\"size_gib\":1000}")));
}

#endif
