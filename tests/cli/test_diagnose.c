/* tests/cli/test_diagnose.c - published incidents as small inputs: the right finding comes first,
 * what a naive reader would conclude does not come at all, and every piece of evidence opens.
 *
 * The rows K.. are incidents with figures (sources in each row's comment).  Elsewhere: a change of
 * roles (K16 in tests of whatif, K37 also in those of replay), prices and sizes (K39, K47 in those
 * of plan), limits of modifications (K49 in test_vol_modify.c).  Nowhere, since their rules are not
 * those of EBS volumes or nothing was measured: RDS (K17, K40), fleets and exposure (K35). */
#include "tests/cli/diagnose_inputs.h"
#include "tests/cli/evidence.h"
#include "tests/cli/run_cli.h"

#include "planner/diagnose/diagnose.h"

#include <unistd.h>

static char dir[] = "/tmp/volplan-diagnose-XXXXXX";

#define GROUP(name, role, more, volumes)                                                           \
    "{\"name\":\"" name "\",\"role\":\"" role "\"," more "\"volumes\":[" volumes "]}"
#define LAYOUT(head, groups) "{\"system\":\"PRD1\"," head "\"groups\":[" groups "]}"
#define DEVICES(list)        "\"devices\":[" list "],"

/* --- the instance, and volumes of 2022 ---------------------------------------------------------
 */

/* K01, database-investigator.com 2026-06-14: all disks together flat at 800 MiB/s (839 MB/s; an
 * r5.8xlarge passes 850), one sample of 1 600 MB/s that cannot have been. */
static void k01(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 30; i++) {
        double kib = (i == 20 ? 1525 : 800) * 1024 / 8.0;
        iostat_stamp(f, 60 * i);
        for (int d = 1; d <= 8; d++) {
            char name[16];
            snprintf(name, sizeof name, "nvme%dn1", d);
            iostat_row(f, name, (struct io){ kib / 256, kib, 0, 5, 0, 0, 0 });
        }
        fputc('\n', f);
    }
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
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 12; i++) {
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme8n1", (struct io){ 37.9, 38218.75, 0, 2, 30.2, 11832.83, 1 });
        iostat_row(f, "nvme9n1", (struct io){ 0, 0, 0, 0, 30.2, 11832.83, 1 });
        fputc('\n', f);
    }
    fclose(f);
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
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "log file sync", "208,804", "20K", "95.59ms", "40.5", "Commit");
    awr_event(f, "DB CPU", "", "7926.6", "", "16.1", "");
    awr_event(f, "log buffer space", "31,430", "5459.1", "173.69ms", "11.1", "Configur");
    awr_event(f, "log file switch (checkpoint in", "852", "1776", "2084.46ms", "3.6", "Configur");
    awr_event(f, "log file switch (archiving nee", "373", "1532.6", "4108.76ms", "3.1", "Configur");
    awr_event(f, "log file switch completion", "2,925", "1429.2", "488.63ms", "2.9", "Configur");
    awr_close(f);
}

/* The same, and the log volume at its 500 MiB/s meanwhile. */
static void k06_at_ceiling(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "log file parallel write", "85,000", "5185", "61.00ms", "10.5", "System I");
    awr_event(f, "log file switch (archiving nee", "373", "1532.6", "4108.76ms", "3.1", "Configur");
    awr_close(f);
    k02(in);
}

/* --- one disk among equals ---------------------------------------------------------------------
 */

static const struct seven {
    const char *device;
    struct io io;
} seven[] = {
    { "nvme11n1", { 129, 31546.4, 98.36, 1.43, 0, 0, 0 } },
    { "nvme12n1", { 169.8, 39241.6, 98.28, 1.39, 0, 0, 0 } },
    { "nvme1n1", { 139.4, 33780.8, 98.35, 1.43, 0, 0, 0 } },
    { "nvme3n1", { 154.2, 38496.8, 98.4, 1.46, 0, 0, 0 } },
    { "nvme4n1", { 155.4, 38460, 98.38, 1.44, 0, 0, 0 } },
    { "nvme8n1", { 4969.9, 35118.8, 43.39, 24.44, 0, 0, 0 } },
    { "nvme9n1", { 141.8, 35424, 98.4, 1.45, 0, 0, 0 } },
};

/* The published rows of seven disks, one report of 5 s after the one since boot. */
static void seven_disks(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i < 2; i++) {
        iostat_stamp(f, 5 * i);
        for (size_t d = 0; d < sizeof seven / sizeof *seven; d++)
            iostat_row(f, seven[d].device, seven[d].io);
        fputc('\n', f);
    }
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
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "log file sync", "2,023", "335", "165.60ms", "25.5", "Commit");
    awr_event(f, "log file parallel write", "8,085", "253", "31.29ms", "19.3", "System I");
    awr_close(f);
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
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 20; i++) {
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme1n1", (struct io){ 0, 0, 0, 0, 300, 2400, i < 10 ? 40 : 4000 });
        fputc('\n', f);
    }
    fclose(f);
    input_text(in, "layout.json", ONE_GP3("", ""));
}

/* --- buckets -----------------------------------------------------------------------------------
 */

#define ONE_OF(head, volumes) LAYOUT(head, GROUP("DATA", "data", DEVICES("\"nvme1n1\""), volumes))
#define ONE_GP2(size)                                                                              \
    LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme1n1\""),                                       \
                     "{\"type\":\"gp2\",\"count\":1,\"size_gib\":" size "}"))

static void burst_then(struct inputs *in, int burst_minutes, double burst, double then)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= burst_minutes + 20; i++) {
        double iops = i <= burst_minutes ? burst : then;
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme1n1", (struct io){ iops / 2, iops * 8, 0, 5, iops / 2, iops * 8, 9 });
        fputc('\n', f);
    }
    fclose(f);
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

/* --- shapes and readings that are not among the incidents --------------------------------------
 */

/* An ASM rebalance under max_sectors_kb 512: requests of 510 to 512 KiB, asked for in 1 MiB. */
static void rebalance(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 4; i++) {
        iostat_stamp(f, 60 * i);
        iostat_row(f, "sdak", (struct io){ 0, 0, 0, 0, 13.65, 6959.58, 3.11 });
        iostat_row(f, "sdcr", (struct io){ 0, 0, 0, 0, 11.8, 6041.6, 2.71 });
        iostat_row(f, "sdfi", (struct io){ 0, 0, 0, 0, 12.35, 6323.2, 5.55 });
        fputc('\n', f);
    }
    fclose(f);
    input_text(
        in, "strace.txt",
        "io_getevents(140691479359488, 1, 128, {{0x7ff547f6c960, 0x7ff547f6c960, 1048576, 0}, "
        "{0x7ff547f6cbd0, 0x7ff547f6cbd0, 1048576, 0}}, {600, 0}) = 2\n");
}

/* A database that waits for its processor. */
static void not_storage(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "DB CPU", "", "39.2K", "", "79.6", "");
    awr_event(f, "library cache: mutex X", "1,200", "3100", "2583.33ms", "6.3", "Concurre");
    awr_event(f, "db file sequential read", "900,000", "450", ".50ms", ".9", "User I/O");
    awr_close(f);
}

/* Commits of 8 ms over log writes of half a millisecond. */
static void sync_cpu(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "DB CPU", "", "20.2K", "", "41.0", "");
    awr_event(f, "log file sync", "900,000", "7200", "8.00ms", "14.6", "Commit");
    awr_event(f, "log file parallel write", "400,000", "200", ".50ms", ".4", "System I");
    awr_close(f);
}

/* iostat in local time, five hours before the report. */
static void clocks(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_filetypes(f);
    awr_filetype(f, "Data File", "70G", "20M", "35G", "10M");
    awr_close(f);
    FILE *g = iostat_open(in);
    for (int i = 0; i <= 60; i++) {
        iostat_stamp(g, 5 * 3600 + 60 * i);
        iostat_row(g, "nvme1n1", (struct io){ 160, 20480, 0, 1, 80, 10240, 1 });
        fputc('\n', g);
    }
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
        iostat_stamp(g, 300 * i);
        iostat_row(g, "nvme1n1", (struct io){ kib / 128, kib, 0, 1, 0, 0, 0 });
        fputc('\n', g);
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

/* Logs of 4 GiB at 62.5 MiB/s last 65.5 s. */
static void switches(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_stats(f);
    awr_stat(f, "redo size", "235,929,600,000", "65,536,000.0");
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
    for (int i = 0; i <= minutes; i++) {
        double kib = (i <= minutes / 2 ? mib_before : mib) * 1024 / 8;
        iostat_stamp(f, 60 * i);
        for (int d = 1; d <= 8; d++) {
            char name[16];
            snprintf(name, sizeof name, "nvme%dn1", d);
            iostat_row(f, name, (struct io){ kib / 256, kib, 0, 5, 0, 0, 0 });
        }
        fputc('\n', f);
    }
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
        iostat_stamp(f, 300 * i);
        iostat_row(f, "nvme1n1", (struct io){ mib * 4, mib * 1024, 0, 5, 0, 0, 0 });
        fputc('\n', f);
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
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 40; i++) {
        double busy = 800, idle = 40;
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme1n1",
                   (struct io){ i > 20 ? busy : idle, i > 20 ? 6400 : 320, 0, 1, 0, 0, 0 });
        iostat_row(f, "nvme2n1",
                   (struct io){ i > 20 ? idle : busy, i > 20 ? 320 : 6400, 0, 1, 0, 0, 0 });
        fputc('\n', f);
    }
    fclose(f);
}

/* The bytes of two devices are the same in every minute, the requests are not. */
static void two_together(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 40; i++) {
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme1n1", (struct io){ i > 20 ? 800 : 100, 25600, 0, 1, 0, 0, 0 });
        iostat_row(f, "nvme2n1", (struct io){ i > 20 ? 100 : 800, 25600, 0, 1, 0, 0, 0 });
        fputc('\n', f);
    }
    fclose(f);
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
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "direct path read", "2,214,272", "3.9M", "1780.74ms", "90.6", "User I/O");
    awr_event(f, "direct path read temp", "1,203,973", "237.7K", "197.47ms", "5.5", "User I/O");
    awr_event(f, "DB CPU", "", "166.5K", "", "3.8", "");
    awr_close(f);
}

static void writers(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "free buffer waits", "2,800,812", "20.1K", "36.36ms", "40.3", "Configur");
    awr_event(f, "write complete waits", "449", "12.2K", "386.69ms", "24.8", "Configur");
    awr_event(f, "buffer busy waits", "12,015", "9800", "337.94ms", "19.9", "Concurre");
    awr_close(f);
}

/* REDO far below its ceiling, in an hour in which the database waited for its redo. */
static void held_up(struct inputs *in)
{
    FILE *f = awr_open(in);
    awr_events(f);
    awr_event(f, "log buffer space", "31,430", "800.1", "25.40ms", "1.6", "Configur");
    awr_close(f);
    iostat_constant(in, "nvme8n1", 30, (struct io){ 20, 20480, 0, 2, 60, 30720, 3 });
    input_text(in, "layout.json", REDO_5K);
}

/* Of two disks of 3 000 IOPS one is full while the sum is at 75 %. */
static void full_disk(struct inputs *in)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= 12; i++) {
        iostat_stamp(f, 60 * i);
        iostat_row(f, "nvme1n1", (struct io){ 3000, 24000, 0, 3, 0, 0, 0 });
        iostat_row(f, "nvme2n1", (struct io){ 1500, 12000, 0, 3, 0, 0, 0 });
        fputc('\n', f);
    }
    fclose(f);
    input_text(in, "layout.json",
               LAYOUT("", GROUP("DATA", "data", DEVICES("\"nvme*n1\""),
                                "{\"type\":\"gp3\",\"count\":2,\"size_gib\":1000}")));
}

/* --- the table ---------------------------------------------------------------------------------
 */

struct diagnose_case {
    const char *why;
    void (*write)(struct inputs *);
    const char *first, *verdict, *severity;
    const char *says[4];   /* in the first finding */
    const char *also[4];   /* ids that come too */
    const char *absent[4]; /* ids that must not come */
};

static const struct diagnose_case cases[] = {
    { "K01 instance cap at go-live",
      k01,
      "instance_ceiling",
      "certain",
      "error",
      { "850 MB/s" },
      { "artefact" },
      { "throughput_ceiling", "iops_ceiling" } },
    { "K01 with the report of that hour",
      k01_report,
      "instance_ceiling",
      "certain",
      "error",
      { "850 MB/s" },
      { "log_file_sync" },
      { "throughput_ceiling", "iops_ceiling", "sync_cpu" } },
    { "K02 throughput of an io2 of 5 000 IOPS",
      k02,
      "throughput_ceiling",
      "certain",
      "error",
      { "500 MiB/s", "the guest sends 417 requests/s, 8 % of its IOPS",
        "not IOPS: EBS counts these requests as 2 000 of 5 000 (40 %)" },
      { NULL },
      { "iops_ceiling", "bucket_empty" } },
    { "K03 64 000 IOPS bought for throughput",
      k03,
      "iops_for_throughput",
      "certain",
      "warning",
      { "two volumes of 4 000 IOPS", "88 %" },
      { NULL },
      { "iops_ceiling" } },
    { "K04 reads on the first member only",
      k04,
      "first_member_reads",
      "certain",
      "info",
      { "4.2 times" },
      { NULL },
      { "hot_disk", "iops_ceiling" } },
    { "K05 six standbys read files",
      k05,
      "standbys_read_files",
      "likely",
      "warning",
      { "4.13 copies", "cascading 3 of the 6", "1.1 to 3.0" },
      { NULL },
      { "archiver_alone" } },
    { "K06 log switches wait for archiving",
      k06,
      "archiver_behind",
      "certain",
      "error",
      { "lower bound" },
      { "log_buffer_space", "checkpoint_behind" },
      { "not_storage" } },
    { "K06 while the log volume is at its ceiling",
      k06_at_ceiling,
      "throughput_ceiling",
      "certain",
      "error",
      { NULL },
      { "archiver_behind" },
      { "redo_waits", "cannot_be_decided" } },
    { "K07 merge loss of one disk",
      k07,
      "merge_loss",
      "certain",
      "error",
      { "nvme8n1", "36 times", "137 IOPS", "other 6 disks: healthy" },
      { NULL },
      { "iops_ceiling", "hot_disk", "throughput_ceiling", "hot_volume" } },
    { "K07 without a layout",
      seven_disks,
      "merge_loss",
      "certain",
      "error",
      { "nvme8n1", "36 times", "137 IOPS", "4 KiB / (1 - 0.4339 merged) = 7.07 KiB" },
      { NULL },
      { "iops_ceiling", "hot_disk" } },
    { "K07 with a trace",
      k07_traced,
      "io_uring_workers",
      "certain",
      "error",
      { "iou-wrk" },
      { "merge_loss" },
      { "iops_ceiling" } },
    { "K08 one hot volume behind the mean",
      k08,
      "hot_disk",
      "certain",
      "error",
      { "5 010 IOPS", "moves between 2 disks" },
      { "ec2_maximum" },
      { "iops_ceiling", "cannot_be_decided" } },
    { "K09 gp3 left at 125 MiB/s",
      k09,
      "gp3_default_throughput",
      "likely",
      "warning",
      { "5000 carry up to 1250 MiB/s" },
      { NULL },
      { "iops_ceiling", "throughput_ceiling" } },
    { "K10 more than the volume can do",
      k10,
      "artefact",
      "likely",
      "warning",
      { "more than its volumes" },
      { "gp3_default_throughput" },
      { "throughput_ceiling" } },
    { "K11 512-byte redo, 4 096-byte sectors",
      k11,
      "sector_mismatch",
      "certain",
      "error",
      { "ORA-15347", "FRA" },
      { NULL },
      { "demoted_io" } },
    { "512e under 512-byte redo",
      emulated_512,
      "partial_sectors",
      "certain",
      "info",
      { "512e" },
      { NULL },
      { "sector_mismatch" } },
    { "K12 4K redo blocks on a gp3 as it comes",
      k12,
      "redo_write_rate",
      "certain",
      "error",
      { "4 264 IOPS but 82 MiB/s", "142 %", "82 of 125 MiB/s (65 %)" },
      { NULL },
      { "throughput_ceiling" } },
    { "K13 demoted I/O",
      k13,
      "demoted_io",
      "certain",
      "error",
      { "4096-byte blocks", "31.3 ms" },
      { NULL },
      { "log_file_sync", "throughput_ceiling" } },
    { "K14 an average hides minutes",
      k14,
      "average_hides",
      "certain",
      "warning",
      { "13.9 times" },
      { NULL },
      { "throughput_ceiling", "plateau_at_constant" } },
    { "K15 no standby reads the logs",
      k15,
      "archiver_alone",
      "certain",
      "info",
      { "2 members" },
      { NULL },
      { "standbys_read_files" } },
    { "K19 gp3 stands at 125",
      k19,
      "gp3_default_throughput",
      "certain",
      "error",
      { "up to what the instance passes" },
      { NULL },
      { "throughput_ceiling", "iops_ceiling" } },
    { "K19 with describe-volumes instead of a layout",
      described_volumes,
      "throughput_ceiling",
      "certain",
      "error",
      { "250 MiB/s" },
      { NULL },
      { "iops_ceiling", "cannot_be_decided" } },
    { "K20 reads and writes together",
      k20,
      "gp3_default_throughput",
      "certain",
      "error",
      { "reads and writes together" },
      { NULL },
      { "iops_ceiling" } },
    { "K22 a slow flush",
      k22,
      "cannot_be_decided",
      "undetermined",
      NULL,
      { "burst of 30 minutes" },
      { NULL },
      { "throughput_ceiling", "instance_ceiling", "bucket_empty" } },
    { "K25 gp2 of 35 GiB is out of credit",
      k25,
      "bucket_empty",
      "certain",
      "error",
      { "105 IOPS", "gp3 gives 3 000 IOPS" },
      { NULL },
      { "iops_ceiling" } },
    { "K27 gp2 of 100 GiB after 2 000 s",
      k27,
      "bucket_empty",
      "certain",
      "error",
      { "300 IOPS", "lasts 2000 s" },
      { NULL },
      { "iops_ceiling" } },
    { "K29 flat at 100 IOPS",
      k29,
      "bucket_empty",
      "likely",
      "error",
      { "100 IOPS" },
      { NULL },
      { "iops_ceiling" } },
    { "K29 of an unknown volume",
      k29_unknown,
      "plateau_at_constant",
      "likely",
      "warning",
      { "100 IOPS" },
      { NULL },
      { "bucket_empty" } },
    { "st1 at its burst",
      hdd_at_burst,
      "throughput_ceiling",
      "certain",
      "error",
      { "250 MiB/s" },
      { "burst_dependent" },
      { "iops_ceiling", "bucket_empty" } },
    { "K32 the instance's byte balance",
      k32,
      "balance_empty",
      "certain",
      "error",
      { "EBSByteBalance%" },
      { NULL },
      { "iops_ceiling" } },
    { "K33 a volume from a snapshot",
      k33,
      "uninitialised_volume",
      "likely",
      "warning",
      { "vol-0a" },
      { NULL },
      { "cannot_be_decided", "iops_ceiling" } },
    { "K37 the standby is too small",
      k37,
      "standby_too_small",
      "certain",
      "warning",
      { "DR1", "42 %" },
      { NULL },
      { "throughput_ceiling" } },
    { "K41 the same load under the rules of Block Express",
      k41,
      "cannot_be_decided",
      "undetermined",
      "info",
      { "no ceiling that is known was reached" },
      { NULL },
      { "throughput_ceiling", "iops_ceiling", "artefact" } },
    { "K43 slow writes without a ceiling",
      k43,
      "cannot_be_decided",
      "undetermined",
      NULL,
      { "45 ms" },
      { "beyond_instance" },
      { "throughput_ceiling", "iops_ceiling" } },
    { "K44 from 40 ms to 4 s",
      k44,
      "cannot_be_decided",
      "undetermined",
      NULL,
      { "4 000 ms" },
      { NULL },
      { "iops_ceiling" } },
    { "K48 gp3 has no bucket",
      k48,
      "iops_ceiling",
      "certain",
      "error",
      { "3 000" },
      { NULL },
      { "bucket_empty", "burst_dependent" } },
    { "gp2 to gp3 loses throughput",
      gp2_to_gp3,
      "gp2_to_gp3_slower",
      "certain",
      "warning",
      { "from 250 to 125 MiB/s" },
      { NULL },
      { "iops_ceiling" } },
    { "a rebalance split at 512 KiB",
      rebalance,
      "max_sectors_split",
      "certain",
      "info",
      { "max_sectors_kb", "1024 KiB" },
      { NULL },
      { "merge_loss" } },
    { "the processor, not storage",
      not_storage,
      "not_storage",
      "certain",
      "info",
      { "DB CPU" },
      { NULL },
      { "slow_reads", "cannot_be_decided" } },
    { "commits wait for the processor",
      sync_cpu,
      "sync_cpu",
      "likely",
      "warning",
      { "not the disk" },
      { NULL },
      { "log_file_sync" } },
    { "clocks five hours apart",
      clocks,
      "clocks_apart",
      "likely",
      "warning",
      { "5.0 hours" },
      { NULL },
      { "coverage_gap" } },
    { "clocks two hours apart within a day",
      clocks_overlap,
      "clocks_apart",
      "likely",
      "warning",
      { "2.0 hours apart", "about 2.0 hours ahead" },
      { NULL },
      { "coverage_gap", "devices_miss_database" } },
    { "clocks of the same day that are right",
      clocks_right,
      "cannot_be_decided",
      "undetermined",
      NULL,
      { NULL },
      { NULL },
      { "clocks_apart", "devices_miss_database" } },
    { "a third of the devices is no matter of clocks",
      a_third_seen,
      "devices_miss_database",
      "likely",
      "warning",
      { NULL },
      { NULL },
      { "clocks_apart" } },
    { "logs that last a minute",
      switches,
      "log_switches",
      "certain",
      "warning",
      { "66 s", "55 switches" },
      { NULL },
      { "checkpoint_behind" } },
    { "full buckets in a stream",
      full_balance,
      "cannot_be_decided",
      "undetermined",
      "info",
      { NULL },
      { NULL },
      { "balance_empty", "micro_burst", "ec2_maximum" } },
    { "more volumes than slots",
      too_many,
      "attachments",
      "certain",
      "error",
      { "27 volumes" },
      { NULL },
      { "iops_ceiling" } },
    { "Xen",
      xen,
      "xen_cap",
      "certain",
      "warning",
      { "40 000 IOPS" },
      { NULL },
      { "iops_ceiling" } },
    { "one card of two",
      one_card,
      "ebs_card",
      "likely",
      "warning",
      { "18 750 MB/s" },
      { NULL },
      { "instance_ceiling" } },
    { "the instance's burst ends",
      burst_ends,
      "instance_burst_empty",
      "certain",
      "error",
      { "baseline of 288 MB/s" },
      { "instance_burst_dependent" },
      { "instance_ceiling" } },
    { "the instance's burst ends every day",
      burst_of_each_day,
      "instance_burst_empty",
      "certain",
      "error",
      { "baseline of 288 MB/s at", "every 24 hours (3 times)" },
      { "instance_burst_dependent" },
      { "instance_ceiling" } },
    { "at the instance's baseline all day",
      at_baseline,
      "instance_burst_empty",
      "likely",
      "warning",
      { "stands at its baseline of 288 MB/s since" },
      { NULL },
      { "instance_ceiling", "cannot_be_decided" } },
    { "near the instance's baseline",
      near_baseline,
      "instance_burst_dependent",
      "certain",
      "warning",
      { "sustains 288" },
      { NULL },
      { "instance_burst_empty" } },
    { "devices busy in turn are no stripe",
      two_in_turn,
      "cannot_be_decided",
      "undetermined",
      NULL,
      { NULL },
      { NULL },
      { "hot_disk" } },
    { "devices of the same bytes are one",
      two_together,
      "hot_disk",
      "likely",
      "warning",
      { "moves between 2 disks", "data imbalance" },
      { NULL },
      { "merge_loss" } },
    { "living on gp2 credits",
      lives_on_bucket,
      "burst_dependent",
      "certain",
      "warning",
      { "500 IOPS", "sustains 300" },
      { NULL },
      { "bucket_empty" } },
    { "unequal volumes",
      unequal,
      "unequal_disks",
      "certain",
      "warning",
      { "not equal" },
      { NULL },
      { "hot_disk" } },
    { "mixed sectors",
      mixed,
      "mixed_sectors",
      "likely",
      "info",
      { "ORA-15038" },
      { NULL },
      { "sector_mismatch" } },
    { "sections that disagree",
      sections,
      "cannot_be_decided",
      "undetermined",
      "info",
      { "who waited" },
      { "awr_sections_disagree", "only_averages" },
      { "devices_miss_database" } },
    { "devices that miss the database",
      missing_devices,
      "devices_miss_database",
      "likely",
      "warning",
      { "200 %" },
      { NULL },
      { "coverage_gap", "clocks_apart" } },
    { "a gap over the busiest hour",
      gap,
      "coverage_gap",
      "certain",
      "warning",
      { "33 %" },
      { NULL },
      { "clocks_apart" } },
    { "no period",
      no_period,
      "period_assumed",
      "certain",
      "warning",
      { "--interval" },
      { NULL },
      { "sum_not_divided" } },
    { "sums read as rates",
      sums,
      "sum_not_divided",
      "likely",
      "warning",
      { "60 s" },
      { NULL },
      { "artefact", "throughput_ceiling" } },
    { "bursts of seconds",
      seconds,
      "micro_burst",
      "certain",
      "warning",
      { "VolumeIOPSExceededCheck" },
      { NULL },
      { "iops_ceiling" } },
    { "the volume's counters",
      counters,
      "exceeded",
      "certain",
      "warning",
      { "4.2 s" },
      { NULL },
      { "iops_ceiling" } },
    { "slow reads",
      slow_reads,
      "slow_reads",
      "likely",
      "error",
      { "1 780.7 ms", "one hot disk" },
      { NULL },
      { "not_storage", "iops_ceiling" } },
    { "database writers",
      writers,
      "free_buffer_waits",
      "certain",
      "error",
      { "40.3 %" },
      { "write_complete_waits", "buffer_busy_waits" },
      { "archiver_behind" } },
    { "redo held up below the ceiling",
      held_up,
      "log_buffer_space",
      "certain",
      "warning",
      { "1.6 %", "lower bound" },
      { "redo_waits" },
      { "throughput_ceiling", "cannot_be_decided" } },
    { "one full disk of two",
      full_disk,
      "hot_volume",
      "certain",
      "warning",
      { "nvme1n1" },
      { NULL },
      { "iops_ceiling", "merge_loss" } },
};

static const char *text_of(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItem(o, key);
    return cJSON_IsString(v) ? v->valuestring : "";
}

/* Ids that came in any case: no rule goes untried. */
static char seen[8000];

static bool was_seen(const char *id)
{
    char word[80];
    snprintf(word, sizeof word, " %s ", id);
    return strstr(seen, word);
}

static void note_seen(const cJSON *findings)
{
    const cJSON *f;
    cJSON_ArrayForEach(f, findings) if (!was_seen(text_of(f, "id")))
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), " %s ", text_of(f, "id"));
}

static bool has_id(const cJSON *findings, const char *id)
{
    const cJSON *f;
    cJSON_ArrayForEach(f, findings) if (strcmp(text_of(f, "id"), id) == 0) return true;
    return false;
}

/* What a finding says, all of it in one text; "not " before each thing that it is not. */
static void words_of(const cJSON *f, char *buf, size_t room)
{
    const cJSON *n;
    int at = snprintf(buf, room, "%s. %s. %s. ", text_of(f, "title"), text_of(f, "advice"),
                      text_of(f, "missing"));
    cJSON_ArrayForEach(n, cJSON_GetObjectItem(f, "not_this")) at +=
        snprintf(buf + at, room - (size_t)at, "not %s. ", n->valuestring);
}

static void check(const struct diagnose_case *c, const cJSON *findings)
{
    const cJSON *f = cJSON_GetArrayItem(findings, 0);
    char words[4000];
    if (!f)
        fail_msg("nothing was found");
    if (strcmp(text_of(f, "id"), c->first) != 0)
        fail_msg("%s comes first: %s", text_of(f, "id"), text_of(f, "title"));
    assert_string_equal(text_of(f, "verdict"), c->verdict);
    if (c->severity)
        assert_string_equal(text_of(f, "severity"), c->severity);
    words_of(f, words, sizeof words);
    for (size_t i = 0; i < 4; i++) {
        if (c->says[i] && !strstr(words, c->says[i]))
            fail_msg("'%s' is not in: %s", c->says[i], words);
        if (c->also[i] && !has_id(findings, c->also[i]))
            fail_msg("%s is missing", c->also[i]);
        if (c->absent[i] && has_id(findings, c->absent[i]))
            fail_msg("%s should not be there", c->absent[i]);
    }
}

static void test_case(void **state)
{
    const struct diagnose_case *c = *state;
    struct inputs in = { .dir = dir };
    char line[900] = "diagnose --json";
    c->write(&in);
    for (size_t i = 0; i < in.n; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", in.paths[i]);
    struct cli_result r = run_cli(line);
    cJSON *json = cJSON_Parse(r.out);
    if (!json)
        fail_msg("status %d, %s", r.status, r.err);
    const cJSON *findings = cJSON_GetObjectItem(json, "findings"), *f;
    bool has_error = false;
    cJSON_ArrayForEach(f, findings) has_error |= strcmp(text_of(f, "severity"), "error") == 0;
    assert_int_equal(r.status, has_error ? 1 : 0);
    assert_string_equal(r.err, "");
    check(c, findings);
    note_seen(findings);
    expect_evidence_opens(findings);
    cJSON_Delete(json);
    free_cli(&r);
    for (size_t i = 0; i < in.n; i++)
        unlink(in.paths[i]);
}

/* A file that cannot be read is told, the others are diagnosed, and the status is that of bad
 * input. */
static void test_bad_file(void **state)
{
    (void)state;
    struct inputs in = { .dir = dir };
    k02(&in);
    input_text(&in, "bad.txt", "nothing that anybody knows\n");
    char line[600];
    snprintf(line, sizeof line, "diagnose --json %s %s %s", in.paths[0], in.paths[1], in.paths[2]);
    struct cli_result r = run_cli(line);
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.err, "bad.txt"));
    assert_non_null(strstr(r.out, "throughput_ceiling"));
    free_cli(&r);
    for (size_t i = 0; i < in.n; i++)
        unlink(in.paths[i]);
}

/* Runs last. */
static void test_all_rules_tried(void **state)
{
    (void)state;
    for (size_t t = 0; diagnose_tables[t]; t++)
        for (size_t i = 0; i < diagnose_tables[t]->n; i++)
            if (!was_seen(diagnose_tables[t]->rules[i].id))
                fail_msg("no case shows %s", diagnose_tables[t]->rules[i].id);
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(dir) && !cli_global_init(stderr) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    rmdir(dir);
    cli_global_release();
    return 0;
}

int main(void)
{
    enum { N = sizeof cases / sizeof *cases };
    struct CMUnitTest t[N + 2];
    for (size_t i = 0; i < N; i++)
        t[i] = (struct CMUnitTest){ cases[i].why, test_case, NULL, NULL,
                                    (void *)(uintptr_t)&cases[i] };
    t[N] = (struct CMUnitTest)cmocka_unit_test(test_bad_file);
    t[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_all_rules_tried);
    return _cmocka_run_group_tests("diagnose", t, N + 2, setup, teardown);
}
