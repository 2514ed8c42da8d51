/* tests/cli/diagnose_inputs.h - small inputs of a diagnosis, written into a folder: iostat, AWR,
 * layouts, CloudWatch streams. */
#ifndef TESTS_CLI_DIAGNOSE_INPUTS_H
#define TESTS_CLI_DIAGNOSE_INPUTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INPUTS_MAX = 6 };

struct inputs {
    const char *dir;
    char paths[INPUTS_MAX][160];
    size_t n;
};

static inline FILE *input_open(struct inputs *in, const char *name)
{
    assert_true(in->n < INPUTS_MAX);
    char *path = in->paths[in->n++];
    snprintf(path, sizeof in->paths[0], "%s/%s", in->dir, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static inline void input_text(struct inputs *in, const char *name, const char *text)
{
    FILE *f = input_open(in, name);
    fputs(text, f);
    fclose(f);
}

/* --- iostat -xkt of 18 May 2022, 08:00 on ------------------------------------------------------
 */

static inline FILE *iostat_open(struct inputs *in)
{
    FILE *f = input_open(in, "iostat.txt");
    fputs("Linux 5.4.17-2136.el8uek.x86_64 (db1) \t05/18/22 \t_x86_64_\t(32 CPU)\n\n", f);
    return f;
}

/* second: since 08:00; the first report of a run is an average since boot and counts for nothing.
 */
static inline void iostat_stamp(FILE *f, int second)
{
    int h = 8 + second / 3600;
    fprintf(f, "05/%02d/2022 %02d:%02d:%02d %s\n", 18 + h / 24, (h + 11) % 12 + 1, second / 60 % 60,
            second % 60, h % 24 >= 12 ? "PM" : "AM");
    fputs("Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s"
          "   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n",
          f);
}

struct io {
    double reads, read_kib, merged_pct, read_ms, writes, write_kib, write_ms;
};

static inline void iostat_row(FILE *f, const char *device, struct io v)
{
    fprintf(f,
            "%-13s %7.2f %9.2f %8.2f  %5.2f %7.2f %8.2f %7.2f %9.2f     0.00   0.00 %7.2f"
            " %8.2f    1.00  50.00\n",
            device, v.reads, v.read_kib, v.reads * v.merged_pct / (100 - v.merged_pct),
            v.merged_pct, v.read_ms, v.reads > 0 ? v.read_kib / v.reads : 0, v.writes, v.write_kib,
            v.write_ms, v.writes > 0 ? v.write_kib / v.writes : 0);
}

struct disk {
    const char *device;
    struct io io;
};
#define DISKS(...) ((const struct disk[]){ __VA_ARGS__, { 0 } })

/* One report, of as many disks as there are. */
static inline void iostat_report(FILE *f, int second, const struct disk *d)
{
    iostat_stamp(f, second);
    for (; d->device; d++)
        iostat_row(f, d->device, d->io);
    fputc('\n', f);
}

/* A report a minute, the first of n since boot: `before` up to minute `until`, then `after`. */
static inline void iostat_turns(struct inputs *in, int until, int n, const struct disk *before,
                                const struct disk *after)
{
    FILE *f = iostat_open(in);
    for (int i = 0; i <= n; i++)
        iostat_report(f, 60 * i, i <= until ? before : after);
    fclose(f);
}

static inline void iostat_disks(struct inputs *in, int n, const struct disk *d)
{
    iostat_turns(in, n, n, d, d);
}

static inline void iostat_constant(struct inputs *in, const char *device, int n, struct io v)
{
    iostat_disks(in, n, DISKS({ device, v }));
}

/* --- AWR ---------------------------------------------------------------------------------------
 */

static inline FILE *awr_open_hour(struct inputs *in, const char *name, int hour)
{
    FILE *f = input_open(in, name);
    fprintf(f,
            "WORKLOAD REPOSITORY report for\n\n"
            "DB Name         DB Id    Unique Name DB Role          Edition Release    RAC CDB\n"
            "------------ ----------- ----------- ---------------- ------- ---------- --- ---\n"
            "PRD1          1184620317 PRD1_AWS    PRIMARY          EE      19.0.0.0.0 NO  NO\n\n"
            "Instance     Inst Num Startup Time    User Name    System Data Visible\n"
            "------------ -------- --------------- ------------ --------------------\n"
            "PRD1                1 02-Mar-22 21:04 PERFDBA      YES\n\n"
            "Host Name        Platform                         CPUs Cores Sockets Memory(GB)\n"
            "---------------- -------------------------------- ---- ----- ------- ----------\n"
            "db1              Linux x86 64-bit                   32    16       1     247.70\n\n"
            "              Snap Id      Snap Time      Sessions Curs/Sess\n"
            "            --------- ------------------- -------- ---------\n"
            "Begin Snap:      %d 18-May-22 %02d:00:00       812       3.1\n"
            "  End Snap:      %d 18-May-22 %02d:00:00       839       3.2\n"
            "   Elapsed:               60.00 (mins)\n"
            "   DB Time:              820.56 (mins)\n\n",
            3107 + 3 * (hour - 8), hour, 3110 + 3 * (hour - 8), hour + 1);
    return f;
}

static inline FILE *awr_open(struct inputs *in)
{
    return awr_open_hour(in, "awr.txt", 8);
}

static inline void awr_events(FILE *f)
{
    fputs("Top 10 Foreground Events by Total Wait Time\n"
          "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
          "                                           Total Wait       Avg   % DB Wait\n"
          "Event                                Waits Time (sec)      Wait   time Class\n"
          "------------------------------ ----------- ---------- --------- ------ --------\n",
          f);
}

static inline void awr_event(FILE *f, const char *name, const char *waits, const char *time,
                             const char *avg, const char *pct, const char *class)
{
    fprintf(f, "%-30s %11s %10s %9s %6s %-8s\n", name, waits, time, avg, pct, class);
}

static inline void awr_stats(FILE *f)
{
    fputs("\nInstance Activity Stats                      DB/Inst: PRD1/PRD1  Snaps: 3107-3110\n"
          "-> Ordered by statistic name\n\n"
          "Statistic                                     Total     per Second     per Trans\n"
          "-------------------------------- ------------------ -------------- -------------\n",
          f);
}

static inline void awr_stat(FILE *f, const char *name, const char *total, const char *per_s)
{
    fprintf(f, "%-32s %18s %14s %13s\n", name, total, per_s, "1.0");
}

static inline void awr_functions(FILE *f)
{
    fputs("\nIOStat by Function summary                   DB/Inst: PRD1/PRD1  Snaps: 3107-3110\n"
          "-> 'Data' columns suffixed with M,G,T,P are in multiples of 1024\n"
          "    other columns suffixed with K,M,G,T,P are in multiples of 1000\n\n"
          "                 Reads:  Reqs    Data   Writes:  Reqs    Data    Waits:    Avg\n"
          "Function Name      Data per sec per sec    Data per sec per sec   Count    Time\n"
          "--------------- ------- ------- ------- ------- ------- ------- ------- --------\n",
          f);
}

static inline void awr_function(FILE *f, const char *name, const char *written,
                                const char *requests, const char *written_per_s, const char *avg)
{
    fprintf(f, "%-15s %7s %7s %7s %7s %7s %7s %7s %8s\n", name, "0M", "0.0", "0M", written,
            requests, written_per_s, "1000", avg);
}

static inline void awr_filetypes(FILE *f)
{
    fputs("\nIOStat by Filetype summary                   DB/Inst: PRD1/PRD1  Snaps: 3107-3110\n"
          "-> 'Data' columns suffixed with M,G,T,P are in multiples of 1024\n"
          "    other columns suffixed with K,M,G,T,P are in multiples of 1000\n\n"
          "                Reads:  Reqs    Data   Writes:  Reqs    Data      Small    Large\n"
          "Filetype Name     Data per sec per sec    Data per sec per sec     Read     Read\n"
          "-------------- ------- ------- ------- ------- ------- ------- -------- --------\n",
          f);
}

static inline void awr_filetype(FILE *f, const char *name, const char *read, const char *read_per_s,
                                const char *written, const char *written_per_s)
{
    fprintf(f, "%-14s %7s %7s %7s %7s %7s %7s %8s %8s\n", name, read, "20.0", read_per_s, written,
            "20.0", written_per_s, "1.00ms", "2.00ms");
}

static inline void awr_close(FILE *f)
{
    fputs("                          ------------------------------------------------------\n\n"
          "End of Report\n",
          f);
    fclose(f);
}

struct awr_wait {
    const char *name, *waits, *time, *avg, *pct, *class;
};
#define WAITS(...) ((const struct awr_wait[]){ __VA_ARGS__, { 0 } })

/* A report of these events and nothing else. */
static inline void awr_of_waits(struct inputs *in, const struct awr_wait *w)
{
    FILE *f = awr_open(in);
    awr_events(f);
    for (; w->name; w++)
        awr_event(f, w->name, w->waits, w->time, w->avg, w->pct, w->class);
    awr_close(f);
}

/* --- CloudWatch metric stream, a value a minute from 07:00 on -----------------------------------
 */

static inline void stream_value(FILE *f, const char *namespace_name, const char *metric,
                                const char *dimension, const char *of, int minute, double sum)
{
    fprintf(
        f,
        "{\"metric_stream_name\":\"s\",\"account_id\":\"111122223333\",\"region\":\"us-east-1\","
        "\"namespace\":\"%s\",\"metric_name\":\"%s\",\"dimensions\":{\"%s\":\"%s\"},"
        "\"timestamp\":%lld,\"value\":{\"max\":%.1f,\"min\":%.1f,\"sum\":%.1f,\"count\":1.0},"
        "\"unit\":\"Count\"}\n",
        namespace_name, metric, dimension, of, 1652857200000LL + minute * 60000LL, sum, sum, sum);
}

#endif
