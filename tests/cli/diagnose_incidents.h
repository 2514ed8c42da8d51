/* tests/cli/diagnose_incidents.h - published incidents with figures, as small inputs: K.. of the
 * cases, the source in each comment. */
#ifndef TESTS_CLI_DIAGNOSE_INCIDENTS_H
#define TESTS_CLI_DIAGNOSE_INCIDENTS_H

#include "tests/cli/diagnose_inputs.h"

#define GROUP(name, role, more, volumes)                                                           \
    "{\"name\":\"" name "\",\"role\":\"" role "\"," more "\"volumes\":[" volumes "]}"
#define LAYOUT(head, groups) "{\"system\":\"PRD1\"," head "\"groups\":[" groups "]}"
#define DEVICES(list)        "\"devices\":[" list "],"

/* --- the instance, and volumes of 2022 ---------------------------------------------------------
 */

/* One report of eight devices that share the load. */
static void eight_disks(FILE *f, int second, double mibps)
{
    double kib = mibps * 1024 / 8;
    iostat_stamp(f, second);
    for (int d = 1; d <= 8; d++) {
        char name[16];
        snprintf(name, sizeof name, "nvme%dn1", d);
        iostat_row(f, name, (struct io){ kib / 256, kib, 0, 5, 0, 0, 0 });
    }
    fputc('\n', f);
}

/* K01, database-investigator.com 2026-06-14: all disks together flat at 800 MiB/s (839 MB/s; an
 * r5.8xlarge passes 850), one sample of 1 600 MB/s that cannot have been. */
static void k01(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 30; i++)
        eight_disks(f, 60 * i, i == 20 ? 1525 : 800);
    fclose(f);
    input_text(in, "layout.json",
               LAYOUT("\"instance_type\":\"r5.8xlarge\",",
                      GROUP("DATA", "data", DEVICES("\"nvme*n1\""),
                            "{\"type\":\"io2\",\"count\":8,\"size_gib\":1024,\"iops\":4000,"
                            "\"since\":\"2022-03-01\"}")));
}

#define REDO_5K                                                                                    \
    LAYOUT("\"instance_type\":\"r5.12xlarge\",",                                                   \
           GROUP("REDO1", "redo", DEVICES("\"nvme8n1\""),                                          \
                 "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,"                   \
                 "\"since\":\"2022-03-01\"}"))

/* The same with the report of that hour: commits of 95.6 ms, log writes of 61. */
static void k01_report(struct inputs *in)
{
    FILE *f = awr_open(in);
    k01(in);
    awr_events(f);
    awr_event(f, "log file sync", "208,804", "20K", "95.59ms", "40.5", "Commit");
    awr_event(f, "log file parallel write", "85,000", "5185", "61.00ms", "10.5", "System I");
    awr_close(f);
}

/* K02, same: 14 minutes at 500 MiB/s with 417 requests/s of a volume of 5 000 IOPS. */
static void k02(struct inputs *in)
{
    iostat_constant(in, "nvme8n1", 14, (struct io){ 298, 391168, 0, 41, 119, 120832, 95 });
    input_text(in, "layout.json", REDO_5K);
}

/* K03, same: 64 000 IOPS for their 1 000 MiB/s; 900 of them used with 3 600 requests as EBS counts.
 */
static void k03(struct inputs *in)
{
    iostat_constant(in, "nvme8n1", 14, (struct io){ 2400, 614400, 0, 4, 1200, 307200, 3 });
    input_text(in, "layout.json",
               LAYOUT("\"instance_type\":\"r5.24xlarge\",",
                      GROUP("REDO1", "redo", DEVICES("\"nvme8n1\""),
                            "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":64000,"
                            "\"since\":\"2022-03-01\"}")));
}

/* K04, same: the disk group of the first members 37.32 + 11.56 MiB/s, of the second 11.56. */
static void k04(struct inputs *in)
{
    iostat_disks(in, 12,
                 DISKS({ "nvme8n1", { 37.9, 38218.75, 0, 2, 30.2, 11832.83, 1 } },
                       { "nvme9n1", { 0, 0, 0, 0, 30.2, 11832.83, 1 } }));
    input_text(
        in, "layout.json",
        LAYOUT(
            "",
            GROUP(
                "REDO1", "redo", "\"log_member\":1," DEVICES("\"nvme8n1\""),
                "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000}") "," GROUP("REDO2",
                                                                                           "redo",
                                                                                           "\"log_"
                                                                                           "member"
                                                                                           "\":"
                                                                                           "2"
                                                                                           "," DEVICES(
                                                                                               "\"n"
                                                                                               "vme"
                                                                                               "9n1"
                                                                                               "\""),
                                                                                           "{\"type"
                                                                                           "\":"
                                                                                           "\"io2\""
                                                                                           ",\"coun"
                                                                                           "t\":1,"
                                                                                           "\"size_"
                                                                                           "gib\":"
                                                                                           "500,"
                                                                                           "\"iops"
                                                                                           "\":"
                                                                                           "5000"
                                                                                           "}")));
}

#define SIX_STANDBYS                                                                               \
    "\"redo\":{\"members\":2,\"archive_copies\":1},\"standbys\":[{\"name\":\"a\"},{\"name\":"      \
    "\"b\"},{\"name\":\"c\"},{\"name\":\"d\"},{\"name\":\"e\"},{\"name\":\"f\"}],"

/* K05, same: six standbys read 4.134 copies of the redo from files. */
static void k05(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_filetypes(f);
    awr_filetype(f, "Log File", "392.1G", "37.323M", "242.8G", "23.111M");
    awr_filetype(f, "Archive Log", "232.6G", "22.135M", "122.7G", "11.683M");
    awr_close(f);
    input_text(in, "layout.json",
               LAYOUT(SIX_STANDBYS, GROUP("REDO", "redo", "\"files\":[{\"name\":\"Log File\"}],",
                                          "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500}")));
}

/* K06, same: the waits for logs that are not archived yet. */
static void k06(struct inputs *in)
{
    awr_of_waits(
        in,
        WAITS({ "log file sync", "208,804", "20K", "95.59ms", "40.5", "Commit" },
              { "DB CPU", "", "7926.6", "", "16.1", "" },
              { "log buffer space", "31,430", "5459.1", "173.69ms", "11.1", "Configur" },
              { "log file switch (checkpoint in", "852", "1776", "2084.46ms", "3.6", "Configur" },
              { "log file switch (archiving nee", "373", "1532.6", "4108.76ms", "3.1", "Configur" },
              { "log file switch completion", "2,925", "1429.2", "488.63ms", "2.9", "Configur" }));
}

/* The same, and the log volume at its 500 MiB/s meanwhile. */
static void k06_at_ceiling(struct inputs *in)
{
    awr_of_waits(in, WAITS({ "log file parallel write", "85,000", "5185", "61.00ms", "10.5",
                             "System I" },
                           { "log file switch (archiving nee", "373", "1532.6", "4108.76ms", "3.1",
                             "Configur" }));
    k02(in);
}

/* --- one disk among equals ---------------------------------------------------------------------
 */

static const struct disk seven[] = {
    { "nvme11n1", { 129, 31546.4, 98.36, 1.43, 0, 0, 0 } },
    { "nvme12n1", { 169.8, 39241.6, 98.28, 1.39, 0, 0, 0 } },
    { "nvme1n1", { 139.4, 33780.8, 98.35, 1.43, 0, 0, 0 } },
    { "nvme3n1", { 154.2, 38496.8, 98.4, 1.46, 0, 0, 0 } },
    { "nvme4n1", { 155.4, 38460, 98.38, 1.44, 0, 0, 0 } },
    { "nvme8n1", { 4969.9, 35118.8, 43.39, 24.44, 0, 0, 0 } },
    { "nvme9n1", { 141.8, 35424, 98.4, 1.45, 0, 0, 0 } },
    { 0 },
};

/* The published rows of seven disks, one report of 5 s after the one since boot. */
static void seven_disks(struct inputs *in)
{
    FILE *f = iostat_open(in);
    iostat_report(f, 0, seven);
    iostat_report(f, 5, seven);
    fclose(f);
}

#define SEVEN_GP3(throughput)                                                                      \
    "{\"type\":\"gp3\",\"count\":7,\"size_gib\":1000,\"iops\":5000,\"throughput_"                  \
    "mibps\":" throughput "}"

/* K07, the io_uring incident: 4 970 reads/s of 7 KiB on one disk, 150 of 245 KiB on the others. */
static void k07(struct inputs *in)
{
    seven_disks(in);
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme*n1\""), SEVEN_GP3("250"))));
}

/* The same with what queued the requests. */
static void k07_traced(struct inputs *in)
{
    seven_disks(in);
    input_text(in, "trace.txt",
               "259,1    5    13089     9.997843175 179045  Q   R 13321051832 + 8 [iou-wrk-7818]\n"
               "259,1   27    12039     9.997844854 179633  G   R 13064067512 + 8 [iou-wrk-7793]\n"
               "259,1   27    12040     9.997845255 179633  D   R 13064067512 + 8 [iou-wrk-7793]\n"
               "259,1   27    12042     9.997848927 179633  Q   R 13064067656 + 8 [iou-wrk-7793]\n"
               "259,1   27    12044     9.997849769 179633  D   R 13064067656 + 8 [iou-wrk-7793]\n"
               "259,1   31    60728     9.998885279     0  C   R 13064067512 + 8 [0]\n");
}

/* K08, same: a volume at 5 000 reads a second (and 10 writes), another one later, the others at
 * 300; the instance's Maximum of EBSReadOps shows it. */
static void k08(struct inputs *in)
{
    FILE *f = input_open(in, "stream.jsonl");
    for (int i = 0; i < 20; i++)
        for (int v = 1; v <= 4; v++) {
            char volume[16];
            double rate = v == (i < 10 ? 2 : 3) ? 5000 : 300;
            snprintf(volume, sizeof volume, "vol-%d", v);
            stream_value(f, "AWS/EBS", "VolumeReadOps", "VolumeId", volume, i, rate * 60);
            stream_value(f, "AWS/EBS", "VolumeWriteOps", "VolumeId", volume, i, 600);
        }
    fclose(f);
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data",
                                "\"volume_ids\":[\"vol-1\",\"vol-2\",\"vol-3\",\"vol-4\"],",
                                "{\"type\":\"gp3\",\"count\":4,\"size_gib\":1000,\"iops\":5000,"
                                "\"throughput_mibps\":500}")));
    input_text(
        in, "maximum.json",
        "{\"Label\": \"EBSReadOps\", \"Datapoints\": [\n"
        "{\"Timestamp\": \"2022-05-18T07:00:00Z\", \"Maximum\": 300000.0, \"Unit\": \"Count\"},\n"
        "{\"Timestamp\": \"2022-05-18T07:05:00Z\", \"Maximum\": 290000.0, \"Unit\": "
        "\"Count\"}]}\n");
}

/* --- gp3 and its 125 MiB/s ---------------------------------------------------------------------
 */

#define ONE_GP3(instance, fields)                                                                  \
    LAYOUT(instance, GROUP("DATA", "data", DEVICES("\"nvme1n1\""),                                 \
                           "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1000" fields "}"))

/* K09, same: IOPS raised to 5 000, throughput forgotten. */
static void k09(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 200, 20480, 0, 1, 100, 1600, 1 });
    input_text(in, "layout.json", ONE_GP3("", ",\"iops\":5000,\"throughput_mibps\":125"));
}

/* K10, same: 700 requests of 256 KiB are 175 MiB/s, on a volume of 125. */
static void k10(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 12, (struct io){ 700, 179200, 0, 1, 0, 0, 0 });
    input_text(in, "layout.json", ONE_GP3("", ",\"iops\":5000,\"throughput_mibps\":125"));
}

/* K19, opensearch-ci pull request 704: 125 MiB/s on an m5.2xlarge. */
static void k19(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 500, 127900, 0, 9, 0, 0, 0 });
    input_text(in, "layout.json", ONE_GP3("\"instance_type\":\"m5.2xlarge\",", ""));
}

/* K20, cockroach issue 107609: reads and writes share the 125 MiB/s. */
static void k20(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 320, 81920, 0, 9, 180, 46000, 12 });
    input_text(in, "layout.json", ONE_GP3("", ""));
}

/* K48, folklore of a token bucket of gp3: 3 000 IOPS for hours are the ceiling, not a bucket. */
static void k48(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 60, (struct io){ 2000, 32000, 0, 3, 1000, 16000, 3 });
    input_text(in, "layout.json", ONE_GP3("", ""));
}

/* --- redo blocks and sectors -------------------------------------------------------------------
 */

/* K11, the restore of the same incident: ASMLib took the physical sector of 4 096 bytes. */
static void k11(struct inputs *in)
{
    input_text(in, "lsblk.txt",
               "NAME    MAJ:MIN RM SIZE RO TYPE PHY-SEC LOG-SEC\n"
               "nvme1n1 259:1    0 500G  0 disk    4096     512\n"
               "nvme2n1 259:2    0 500G  0 disk    4096     512\n");
    input_text(in, "lsdg.txt",
               "State    Type    Rebal  Sector  Block       AU  Total_MB  Free_MB  Req_mir_free_MB"
               "  Usable_file_MB  Offline_disks  Voting_files  Name\n"
               "MOUNTED  EXTERN  N        4096   4096  4194304   1024000   900000                0"
               "          900000              0             N  FRA/\n");
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"block_bytes\":512},",
                      GROUP("FRA", "archive", "",
                            "{\"type\":\"gp3\",\"count\":2,\"size_gib\":500}")));
}

/* The same disks, and the disk group made with sectors of 512 bytes: it works. */
static void emulated_512(struct inputs *in)
{
    input_text(in, "lsblk.txt",
               "NAME    MAJ:MIN RM SIZE RO TYPE PHY-SEC LOG-SEC\n"
               "nvme1n1 259:1    0 500G  0 disk    4096     512\n");
    input_text(in, "lsdg.txt",
               "State    Type    Rebal  Sector  Block       AU  Total_MB  Free_MB  Req_mir_free_MB"
               "  Usable_file_MB  Offline_disks  Voting_files  Name\n"
               "MOUNTED  EXTERN  N         512   4096  4194304   1024000   900000                0"
               "          900000              0             N  FRA/\n");
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"block_bytes\":512},",
                      GROUP("FRA", "archive", "",
                            "{\"type\":\"gp3\",\"count\":2,\"size_gib\":500}")));
}

/* K12, dbi-services, redo log block size on ODA: 4 263.5 writes/s, 81.689 MiB/s. */
static void k12(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_functions(f);
    awr_function(f, "LGWR", "24.1G", "4263.5", "81.689M", ".23ms");
    awr_close(f);
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"block_bytes\":4096},",
                      GROUP("REDO", "redo", "",
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":200}")));
}

/* K13, Stefan Koehler 2008: 512-byte redo on a file system of 4 096-byte blocks. */
static void k13(struct inputs *in)
{
    awr_of_waits(in, WAITS({ "log file sync", "2,023", "335", "165.60ms", "25.5", "Commit" },
                           { "log file parallel write", "8,085", "253", "31.29ms", "19.3",
                             "System I" }));
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"block_bytes\":512,\"filesystem_block_bytes\":4096},",
                      GROUP("REDO", "redo", "",
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":200}")));
}

/* --- averages, and logs without standbys -------------------------------------------------------
 */

/* K14, rmoff.net 2010-09-14: 46 minutes of one disk, 413.1 MB/s at most and 29.64 on average (13.9
 * times; AWR said 30.18 over 45 of them). */
static void k14(struct inputs *in)
{
    FILE *from = fopen("tests/vectors/minutes_behind_an_average.csv", "r");
    FILE *f = iostat_open(in);
    char line[600];
    int minute = 0;
    assert_non_null(from);
    iostat_stamp(f, 0);
    iostat_row(f, "nvme1n1", (struct io){ 0 });
    while (fgets(line, sizeof line, from)) {
        char *comma = strchr(line, ',');
        if (line[0] == '#' || line[0] == 'm' || !comma)
            continue;
        double kib = atof(comma + 1) * 1e6 / 1024;
        fputc('\n', f);
        iostat_stamp(f, 60 * ++minute);
        iostat_row(f, "nvme1n1", (struct io){ kib / 128, kib, 0, 1, 0, 0, 0 });
    }
    fputc('\n', f);
    fclose(f);
    fclose(from);
    assert_int_equal(minute, 46);
}

/* K15, hemantoracledba.blogspot.com 2022-03, AWR 2: 19.5 GB written to the logs, 10 read, 10
 * archived in 120.7 minutes; here the rates of the hour. */
static void k15(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_filetypes(f);
    awr_filetype(f, "Log File", "10G", "1.414M", "19.6G", "2.771M");
    awr_filetype(f, "Archive Log", "0M", "0M", "10G", "1.414M");
    awr_close(f);
    input_text(in, "layout.json",
               LAYOUT("\"redo\":{\"members\":2},",
                      GROUP("REDO", "redo", "\"files\":[{\"name\":\"Log File\"}],",
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":500}")));
}

/* --- what cannot be decided --------------------------------------------------------------------
 */

/* K19 in CloudWatch, without a layout: two volumes at 124 of the 125 MiB/s that describe-volumes
 * tells of. */
static void described_volumes(struct inputs *in)
{
    FILE *f = input_open(in, "stream.jsonl");
    for (int i = 0; i < 20; i++)
        for (int v = 1; v <= 2; v++) {
            char volume[16];
            snprintf(volume, sizeof volume, "vol-%d", v);
            stream_value(f, "AWS/EBS", "VolumeReadOps", "VolumeId", volume, i, 600 * 60);
            stream_value(f, "AWS/EBS", "VolumeReadBytes", "VolumeId", volume, i,
                         124.0 * 60 * 1048576);
        }
    fclose(f);
    f = input_open(in, "volumes.json");
    fputs("{\"Volumes\":[\n", f);
    for (int v = 1; v <= 2; v++)
        fprintf(f,
                "{\"VolumeId\":\"vol-%d\",\"VolumeType\":\"gp3\",\"Size\":500,\"Iops\":3000,"
                "\"Throughput\":125,\"State\":\"in-use\",\"SnapshotId\":\"\",\"CreateTime\":"
                "\"2022-01-18T07:30:00.000Z\",\"Attachments\":[]}%s\n",
                v, v == 1 ? "," : "]}");
    fclose(f);
}

/* K22, scylladb issue 12674: a flush takes 40 minutes instead of 73 s, at 250 MB/s at most, on an
 * r5b.2xlarge, whose burst is suspected. */
static void k22(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 40, (struct io){ 100, 12800, 0, 2, 700, 179200, 8 });
    input_text(in, "layout.json",
               ONE_GP3("\"instance_type\":\"r5b.2xlarge\",", ",\"throughput_mibps\":250"));
}

/* K41, aws-support-tools issue 228: 5 000 IOPS of io2 Block Express (r5b had it in 2022) carry
 * 1 250 MiB/s and more, so the load of K02 is at no ceiling there. */
static void k41(struct inputs *in)
{
    iostat_constant(in, "nvme8n1", 14, (struct io){ 298, 391168, 0, 2, 119, 120832, 2 });
    input_text(in, "layout.json",
               LAYOUT("\"instance_type\":\"r5b.16xlarge\",",
                      GROUP("REDO1", "redo", DEVICES("\"nvme8n1\""),
                            "{\"type\":\"io2\",\"count\":1,\"size_gib\":500,\"iops\":5000,"
                            "\"since\":\"2022-03-01\"}")));
}

/* K43, etcd issue 22013: 40 ms and more a write, gp3 of 10 GiB with 4 000 IOPS and 750 MiB/s on an
 * m7g.xlarge, which sustains 156 MB/s. */
static void k43(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 0, 0, 0, 0, 120, 4800, 45 });
    input_text(in, "layout.json",
               LAYOUT("\"instance_type\":\"m7g.xlarge\",",
                      GROUP("ETCD", "other", DEVICES("\"nvme1n1\""),
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":10,\"iops\":4000,"
                            "\"throughput_mibps\":750}")));
}

/* K44, etcd issue 7970: from 40 ms to 4 s, with 3 000 IOPS there and hundreds used. */
static void k44(struct inputs *in)
{
    iostat_turns(in, 9, 20, DISKS({ "nvme1n1", { 0, 0, 0, 0, 300, 2400, 40 } }),
                 DISKS({ "nvme1n1", { 0, 0, 0, 0, 300, 2400, 4000 } }));
    input_text(in, "layout.json", ONE_GP3("", ""));
}

/* --- buckets -----------------------------------------------------------------------------------
 */

#define ONE_OF(head, volumes) LAYOUT(head, GROUP("DATA", "data", DEVICES("\"nvme1n1\""), volumes))
#define ONE_GP2(size)                                                                              \
    LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme1n1\""),                                       \
                     "{\"type\":\"gp2\",\"count\":1,\"size_gib\":" size "}"))

static struct io half_writes(double iops)
{
    return (struct io){ iops / 2, iops * 8, 0, 5, iops / 2, iops * 8, 9 };
}

static void burst_then(struct inputs *in, int burst_minutes, double burst, double then)
{
    iostat_turns(in, burst_minutes, burst_minutes + 20, DISKS({ "nvme1n1", half_writes(burst) }),
                 DISKS({ "nvme1n1", half_writes(then) }));
}

/* K25, terraform-provider-iterative issue 761: gp2 of 35 GiB, 105 IOPS. */
static void k25(struct inputs *in)
{
    burst_then(in, 31, 3000, 105);
    input_text(in, "layout.json", ONE_GP2("35"));
}

/* K27, jake-webber.com 2019: gp2 of 100 GiB, 2 000 s of 3 000 IOPS, then 300. */
static void k27(struct inputs *in)
{
    burst_then(in, 33, 3000, 300);
    input_text(in, "layout.json", ONE_GP2("100"));
}

/* st1 of 1 TiB at its burst of 250 MiB/s in requests of 1 MiB: one ceiling, told once. */
static void hdd_at_burst(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 250, 256000, 0, 9, 0, 0, 0 });
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme1n1\""),
                                "{\"type\":\"st1\",\"count\":1,\"size_gib\":1024}")));
}

/* K29, thwack.solarwinds.com: writes flat at 100 IOPS. */
static void k29(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 30, (struct io){ 0, 0, 0, 0, 100, 1600, 60 });
    input_text(in, "layout.json", ONE_GP2("20"));
}

/* K29 where nobody says what the volume is. */
static void k29_unknown(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 30, (struct io){ 0, 0, 0, 0, 100, 1600, 60 });
}

/* K32, repost.aws: the byte balance of an instance at 0. */
static void k32(struct inputs *in)
{
    FILE *f = input_open(in, "stream.jsonl");
    for (int i = 0; i < 20; i++) {
        stream_value(f, "AWS/EC2", "EBSByteBalance%", "InstanceId", "i-1", i, i < 10 ? 60 : 0);
        stream_value(f, "AWS/EC2", "EBSIOBalance%", "InstanceId", "i-1", i, 100);
    }
    fclose(f);
}

/* --- risks -------------------------------------------------------------------------------------
 */

/* A stream has the number of samples beside the values: 1 of it is no empty bucket. */
static void full_balance(struct inputs *in)
{
    FILE *f = input_open(in, "stream.jsonl");
    for (int i = 0; i < 5; i++) {
        stream_value(f, "AWS/EBS", "BurstBalance", "VolumeId", "vol-1", i, 100);
        stream_value(f, "AWS/EBS", "VolumeIOPSExceededCheck", "VolumeId", "vol-1", i, 0);
        stream_value(f, "AWS/EC2", "EBSReadOps", "InstanceId", "i-1", i, 500);
    }
    fclose(f);
}

/* K33, blog.bitfoo.de: 35 ms on a volume from a snapshot, nothing at its ceiling. */
static void k33(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 150, 2400, 0, 35, 5, 40, 1 });
    input_text(in, "volumes.json",
               "{\"Volumes\":[{\"VolumeId\":\"vol-0a\",\"VolumeType\":\"gp3\",\"Size\":500,"
               "\"Iops\":3000,\"Throughput\":125,\"State\":\"in-use\",\"SnapshotId\":\"snap-0b\","
               "\"CreateTime\":\"2022-05-18T07:30:00.000Z\",\"Attachments\":[]}]}\n");
}

/* K37, a production pair: the standby's volumes have 3 000 IOPS and 125 MiB/s, the load needs 300.
 */
static void k37(struct inputs *in)
{
    iostat_constant(in, "nvme1n1", 20, (struct io){ 800, 204800, 0, 2, 400, 102400, 2 });
    input_text(in, "layout.json",
               LAYOUT("\"standbys\":[{\"name\":\"DR1\"}],",
                      GROUP("DATA", "data", DEVICES("\"nvme1n1\""),
                            "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1000,\"iops\":9000,"
                            "\"throughput_mibps\":500}")));
    input_text(in, "layout_dr.json",
               "{\"system\":\"DR1\",\"groups\":[{\"name\":\"DATA\",\"role\":\"data\",\"volumes\":["
               "{\"type\":\"gp3\",\"count\":1,\"size_gib\":1000,\"iops\":3000,"
               "\"throughput_mibps\":125}]}]}");
}

/* gp2 of 500 GiB carries 250 MiB/s, gp3 as it comes 125. */
static void gp2_to_gp3(struct inputs *in)
{
    input_text(in, "changes.json",
               "{\"VolumesModifications\":[{\"VolumeId\":\"vol-0a\",\"ModificationState\":"
               "\"completed\",\"Progress\":100,\"OriginalVolumeType\":\"gp2\",\"OriginalSize\":500,"
               "\"OriginalIops\":1500,\"TargetVolumeType\":\"gp3\",\"TargetSize\":500,"
               "\"TargetIops\":3000,\"TargetThroughput\":125,\"StartTime\":"
               "\"2022-05-18T05:00:00.000Z\"}]}\n");
}

#endif
