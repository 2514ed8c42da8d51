/* data/ingest/awr/awr_rac.c - see awr_rac.h.
 *
 * The first part is the cluster, rows "*" and "Sum"; each instance number has one of its own, made
 * by the table of instances.  Rows of averages, minima and deviations say nothing new.  Times
 * have no seconds here, the printed minutes have two decimals: those are the elapsed time.
 *
 *   12c and later   IOStat: a row for each instance and name, groups Requests | MB | Service Time
 *   11.2            IOStat: a row for each instance, groups Reads MB/sec | Writes MB/sec |
 *                   Reads requests/sec | Writes requests/sec over a column for each name; a Total
 *                   is blank where one of its file types is absent: then it is unknown
 *
 * MB are MiB, Redo Size (k) is KiB. */
#include "data/ingest/awr/awr_rac.h"

#include "data/ingest/awr/awr_name.h"
#include "data/ingest/awr/awr_section.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* --- whose row -------------------------------------------------------------------------------- */

/* The part of an instance number; NULL when there is none. */
static struct awr_part *part_of(const struct awr_report *r, int64_t instance_number)
{
    for (size_t i = 1; i < awr_part_count(r); i++)
        if (awr_part_at(r, i)->now.instance_number == instance_number)
            return awr_part_at(r, i);
    return NULL;
}

/* The part that a cell "I#" names: "*" and "Sum" the cluster; NULL for averages and the like, and
 * for a number that the table of instances does not have. */
static struct awr_part *part_named(const struct awr_report *r, struct span cell)
{
    int64_t number;
    if (span_is(cell, "*") || span_eq_nocase(cell, SPAN_LIT("Sum")))
        return awr_part_at(r, 0);
    return span_int(&cell, &number) == 0 && !cell.len ? part_of(r, number) : NULL;
}

/* --- head ------------------------------------------------------------------------------------- */

enum { DB_ID, DB_NAME, DB_RAC, DB_BEGIN, DB_END, DB_TIME, DB_ELAPSED };
enum {
    IN_NUMBER,
    IN_NAME,
    IN_HOST,
    IN_BEGIN,
    IN_END,
    IN_RELEASE,
    IN_ELAPSED,
    IN_TIME,
    IN_PLATFORM
};
enum { OS_NUMBER, OS_CPUS };

static int database_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *cluster = awr_part_at(r, 0);
    int rc = awr_take_integer(r, t, DB_ID, "Database Id", &cluster->now.db_id);
    if (!rc)
        rc = awr_keep(r, t->text[DB_NAME], &cluster->now.db_name);
    if (!rc)
        rc = awr_take_integer(r, t, DB_BEGIN, "Snapshot Ids Begin", &cluster->first_snap);
    if (!rc)
        rc = awr_take_integer(r, t, DB_END, "Snapshot Ids End", &cluster->last_snap);
    if (t->text[DB_RAC].len)
        cluster->now.rac = span_eq_nocase(t->text[DB_RAC], SPAN_LIT("YES"));
    cluster->now.db_time_s = t->num[DB_TIME] * 60;
    cluster->elapsed_printed_s = t->num[DB_ELAPSED] * 60;
    cluster->times_step_s = 60;
    return rc;
}

static int instance_row(struct awr_report *r, const struct awr_taken *t)
{
    const struct awr_part *cluster = awr_part_at(r, 0);
    int64_t number = UNKNOWN;
    int rc = awr_take_integer(r, t, IN_NUMBER, "I#", &number);
    if (rc || number == UNKNOWN)
        return rc;
    if (part_of(r, number))
        return awr_warn(r, t->line, "instance %lld is listed twice: not added", (long long)number);
    struct awr_part *p = awr_part_add(r);
    if (!p)
        return r->err->code;
    struct awr_snapshot *s = &p->now;
    s->instance_number = number;
    s->db_id = cluster->now.db_id;
    s->db_name = cluster->now.db_name;
    s->rac = cluster->now.rac;
    s->db_time_s = t->num[IN_TIME] * 60;
    p->elapsed_printed_s = t->num[IN_ELAPSED] * 60;
    p->times_step_s = 60;
    rc = awr_take_time(r, t, IN_BEGIN, &s->begin_ms);
    if (!rc)
        rc = awr_take_time(r, t, IN_END, &s->end_ms);
    if (!rc)
        rc = awr_keep(r, t->text[IN_NAME], &s->instance);
    if (!rc)
        rc = awr_keep(r, t->text[IN_HOST], &s->host);
    if (!rc)
        rc = awr_keep(r, t->text[IN_RELEASE], &s->release);
    return rc ? rc : awr_keep(r, t->text[IN_PLATFORM], &s->platform);
}

static int os_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = part_named(r, t->text[OS_NUMBER]);
    if (p && p != awr_part_at(r, 0))
        p->now.cpus = t->num[OS_CPUS];
    return 0;
}

/* --- load ------------------------------------------------------------------------------------- */

enum { LOAD_NUMBER, LOAD_REDO = 4 };
/* Columns of "System Statistics - Per Second" behind I#. */
static const char *const load_keys[] = { "logical_read_blocks_per_s",
                                         "physical_read_blocks_per_s",
                                         "physical_write_blocks_per_s",
                                         "redo_bytes_per_s",
                                         "block_changes_per_s",
                                         "user_calls_per_s",
                                         "executes_per_s",
                                         "parses_per_s",
                                         "logons_per_s",
                                         "transactions_per_s" };
enum { N_LOAD_KEYS = sizeof load_keys / sizeof *load_keys };

static int load_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = part_named(r, t->text[LOAD_NUMBER]);
    int rc = 0;
    for (int i = 1; i <= N_LOAD_KEYS && p && !rc; i++)
        if (!isnan(t->num[i]))
            rc = awr_add_load(r, p, load_keys[i - 1], t->num[i] * (i == LOAD_REDO ? 1024 : 1),
                              t->line);
    return rc;
}

/* --- events, statistics, IO Profile ----------------------------------------------------------- */

enum { EV_NUMBER, EV_CLASS, EV_NAME, EV_WAITS, EV_TIME, EV_AVG, EV_PCT };

static int event_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = part_named(r, t->text[EV_NUMBER]);
    struct awr_event v = { NULL,           NULL,           t->num[EV_WAITS], t->num[EV_TIME],
                           t->num[EV_AVG], t->num[EV_PCT], t->line };
    if (!p)
        return 0;
    int rc = awr_keep(r, t->text[EV_NAME], &v.name);
    if (!rc)
        rc = awr_keep(r, t->text[EV_CLASS], &v.wait_class);
    return rc || !v.name ? rc : awr_list_add(r, &p->events, &v, sizeof v, AWR_FEW_MAX);
}

/* --- tables by function and file type, 12c and later ------------------------------------------ */

enum { IO_NUMBER, IO_NAME, IO_READS, IO_WRITES, IO_READ_MIB, IO_WRITE_MIB, IO_8, IO_9 };

static int io_row(struct awr_report *r, const struct awr_taken *t, enum awr_name_kind kind)
{
    struct awr_part *p = part_named(r, t->text[IO_NUMBER]);
    if (!p || !t->text[IO_NAME].len)
        return 0;
    struct awr_list *list = kind == AWR_FUNCTION ? &p->functions : &p->filetypes;
    const char *name = span_eq_nocase(t->text[IO_NAME], SPAN_LIT("Total")) ? "TOTAL" : NULL;
    int rc = name ? 0 : awr_keep(r, t->text[IO_NAME], &name);
    if (rc)
        return rc;
    size_t n = list->n;
    struct awr_io_row *row = awr_io_row_of(r, list, name, t->line);
    if (!row)
        return r->err->code;
    if (list->n == n)
        return awr_warn(r, t->line, "'%.60s' is printed twice (first in line %lld): not added",
                        name, (long long)row->line);
    row->read_requests_per_s = t->num[IO_READS];
    row->write_requests_per_s = t->num[IO_WRITES];
    row->read_bytes_per_s = t->num[IO_READ_MIB] * MIB_BYTES;
    row->write_bytes_per_s = t->num[IO_WRITE_MIB] * MIB_BYTES;
    if (kind == AWR_FUNCTION) {
        row->waits = t->num[IO_8];
        row->wait_avg_ms = t->num[IO_9];
    } else {
        row->small_read_ms = t->num[IO_8];
        row->large_read_ms = t->num[IO_9];
    }
    return 0;
}

static int filetype_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_row(r, t, AWR_FILETYPE);
}

static int function_row(struct awr_report *r, const struct awr_taken *t)
{
    return io_row(r, t, AWR_FUNCTION);
}

/* --- the same, 11.2 --------------------------------------------------------------------------- */

/* The names under the four groups, in the order of the sections' columns. */
static const char *const functions_read[] = { "TOTAL", "Buffer Cache Reads", "Direct Reads", NULL };
static const char *const functions_written[] = { "TOTAL", "DBWR", "Direct Writes", "LGWR", NULL };
static const char *const files_read[] = { "TOTAL", "Data File", "Temp File", NULL };
static const char *const files_written[] = { "TOTAL", "Data File", "Temp File", "Log File", NULL };

static int wide_row(struct awr_report *r, const struct awr_taken *t, struct awr_part *p,
                    struct awr_list *list, const char *const *read, const char *const *written)
{
    const struct {
        const char *const *names;
        size_t offset;
        double unit;
    } groups[] = {
        { read, offsetof(struct awr_io_row, read_bytes_per_s), MIB_BYTES },
        { written, offsetof(struct awr_io_row, write_bytes_per_s), MIB_BYTES },
        { read, offsetof(struct awr_io_row, read_requests_per_s), 1 },
        { written, offsetof(struct awr_io_row, write_requests_per_s), 1 },
    };
    int column = 1;
    p->some_rows = true;
    for (size_t g = 0; g < 4; g++)
        for (const char *const *name = groups[g].names; *name; name++) {
            struct awr_io_row *row = awr_io_row_of(r, list, *name, t->line);
            if (!row)
                return r->err->code;
            double v = t->num[column++] * groups[g].unit;
            memcpy((char *)row + groups[g].offset, &v, sizeof v);
        }
    return 0;
}

static int wide_function_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = part_named(r, t->text[IO_NUMBER]);
    return p ? wide_row(r, t, p, &p->functions, functions_read, functions_written) : 0;
}

static int wide_filetype_row(struct awr_report *r, const struct awr_taken *t)
{
    struct awr_part *p = part_named(r, t->text[IO_NUMBER]);
    return p ? wide_row(r, t, p, &p->filetypes, files_read, files_written) : 0;
}

/* --- the cluster ------------------------------------------------------------------------------ */

static void add_known(double *sum, double v)
{
    if (!isnan(v))
        *sum = isnan(*sum) ? v : *sum + v;
}

static int sum_load(struct awr_report *r, struct awr_part *cluster)
{
    for (int k = 0; k < N_LOAD_KEYS; k++) {
        double sum = NAN;
        int64_t line = 0;
        for (size_t i = 1; i < awr_part_count(r); i++) {
            const struct awr_list *list = &awr_part_at(r, i)->load_profile;
            const struct awr_stat *stats = list->items;
            for (size_t n = 0; n < list->n; n++)
                if (strcmp(stats[n].name, load_keys[k]) == 0) {
                    add_known(&sum, stats[n].per_s);
                    line = stats[n].line;
                }
        }
        int rc = isnan(sum) ? 0 : awr_add_load(r, cluster, load_keys[k], sum, line);
        if (rc)
            return rc;
    }
    return 0;
}

/* A figure that one instance does not tell is not known of the cluster. */
static int sum_io(struct awr_report *r, struct awr_list *into, size_t list_offset)
{
    for (size_t i = 1; i < awr_part_count(r); i++) {
        const struct awr_list *list = (const void *)((const char *)awr_part_at(r, i) + list_offset);
        const struct awr_io_row *rows = list->items;
        for (size_t n = 0; n < list->n; n++) {
            size_t n_before = into->n;
            struct awr_io_row *sum = awr_io_row_of(r, into, rows[n].name, rows[n].line);
            if (!sum)
                return r->err->code;
            bool first = into->n > n_before;
            sum->read_bytes_per_s = rows[n].read_bytes_per_s + (first ? 0 : sum->read_bytes_per_s);
            sum->write_bytes_per_s =
                rows[n].write_bytes_per_s + (first ? 0 : sum->write_bytes_per_s);
            sum->read_requests_per_s =
                rows[n].read_requests_per_s + (first ? 0 : sum->read_requests_per_s);
            sum->write_requests_per_s =
                rows[n].write_requests_per_s + (first ? 0 : sum->write_requests_per_s);
        }
    }
    return 0;
}

int awr_rac_finish(struct awr_report *r)
{
    struct awr_part *cluster = awr_part_at(r, 0);
    struct awr_snapshot *s = &cluster->now;
    for (size_t i = 1; i < awr_part_count(r); i++) {
        const struct awr_snapshot *one = &awr_part_at(r, i)->now;
        if (s->begin_ms == UNKNOWN || one->begin_ms < s->begin_ms)
            s->begin_ms = one->begin_ms;
        if (s->end_ms == UNKNOWN || one->end_ms > s->end_ms)
            s->end_ms = one->end_ms;
        s->release = s->release ? s->release : one->release;
        s->platform = s->platform ? s->platform : one->platform;
        cluster->some_rows = cluster->some_rows || awr_part_at(r, i)->some_rows;
    }
    r->part = cluster;
    int rc = cluster->load_profile.n ? 0 : sum_load(r, cluster);
    if (!rc && !cluster->filetypes.n)
        rc = sum_io(r, &cluster->filetypes, offsetof(struct awr_part, filetypes));
    if (!rc && !cluster->functions.n)
        rc = sum_io(r, &cluster->functions, offsetof(struct awr_part, functions));
    return rc;
}

/* --- sections --------------------------------------------------------------------------------- */

#define NUMBER_COLUMN AWR_NEEDED_TEXT("i#", "inst#")
#define IO_12C                                                                                     \
    AWR_NEEDED(awr_cell_count, "requests reads/s", "reads/s"),                                     \
        AWR_NEEDED(awr_cell_count, "requests writes/s", "writes/s"),                               \
        AWR_NEEDED(awr_cell_count, "mb read mb/s", "read mb/s"),                                   \
        AWR_NEEDED(awr_cell_count, "mb write mb/s", "write mb/s")

const struct awr_section awr_rac_sections[] = {
    { .name = "Database Summary",
      .columns = { AWR_NEEDED_TEXT("database id", "id"), AWR_NEEDED_TEXT("database name", "name"),
                   AWR_TEXT("database rac", "rac"), AWR_TEXT("snapshot ids begin", "begin"),
                   AWR_TEXT("snapshot ids end", "end"),
                   AWR_FIGURE(awr_cell_number, "report total (minutes) db time", "db time"),
                   AWR_FIGURE(awr_cell_number, "report total (minutes) elapsed time",
                              "elapsed time") },
      .row = database_row,
      .once = true },
    { .name = "Database Instances Included In Report",
      .columns = { NUMBER_COLUMN, AWR_NEEDED_TEXT("instance"), AWR_TEXT("host"),
                   AWR_NEEDED_TEXT("begin snap time"), AWR_NEEDED_TEXT("end snap time"),
                   AWR_TEXT("release"),
                   AWR_FIGURE(awr_cell_number, "elapsed time(min)", "elapsed time (min)"),
                   AWR_FIGURE(awr_cell_number, "db time(min)", "db time (min)"),
                   AWR_TEXT("platform") },
      .row = instance_row,
      .once = true },
    { .name = "OS Statistics By Instance",
      .columns = { NUMBER_COLUMN, AWR_NEEDED(awr_cell_number, "cpu #cpus", "#cpus", "num cpus") },
      .row = os_row,
      .once = true,
      .minor = true },
    { .name = "System Statistics - Per Second",
      .columns = { NUMBER_COLUMN, AWR_NEEDED(awr_cell_number, "logical reads/s"),
                   AWR_NEEDED(awr_cell_number, "physical reads/s"),
                   AWR_NEEDED(awr_cell_number, "physical writes/s"),
                   AWR_NEEDED(awr_cell_number, "redo size (k)/s"),
                   AWR_FIGURE(awr_cell_number, "block changes/s"),
                   AWR_FIGURE(awr_cell_number, "user calls/s"),
                   AWR_FIGURE(awr_cell_number, "execs/s"), AWR_FIGURE(awr_cell_number, "parses/s"),
                   AWR_FIGURE(awr_cell_number, "logons/s"), AWR_FIGURE(awr_cell_number, "txns/s") },
      .row = load_row,
      .once = true },
    { .name = "Top Timed Events",
      .columns = { NUMBER_COLUMN, AWR_NEEDED_TEXT("wait class", "class"),
                   AWR_NEEDED_TEXT("wait event", "event"),
                   AWR_NEEDED(awr_cell_count, "event waits", "waits"),
                   AWR_NEEDED(awr_cell_number, "wait time total(s)", "total(s)"),
                   AWR_FIGURE(awr_cell_ms, "wait time avg wait", "wait time avg(ms)", "avg wait",
                              "avg(ms)"),
                   AWR_NEEDED(awr_cell_number, "wait time %db time", "%db time") },
      .row = event_row,
      .once = true,
      .minor = true },
    { .name = "System Statistics (Global)",
      .columns = { AWR_NEEDED_TEXT("statistic"), AWR_NEEDED(awr_cell_number, "total"),
                   AWR_NEEDED(awr_cell_number, "per second"), AWR_NEEDED_TEXT("per trans") },
      .row = awr_stat_row,
      .minor = true },
    { .name = "IO Profile (Global)",
      .columns = { AWR_NEEDED_TEXT("statistic"), AWR_NEEDED(awr_cell_number, "read+write/s"),
                   AWR_NEEDED(awr_cell_number, "reads/s"),
                   AWR_NEEDED(awr_cell_number, "writes/s") },
      .row = awr_io_profile_row,
      .once = true,
      .minor = true },
    { .name = "IOStat by Function",
      .columns = { NUMBER_COLUMN, AWR_NEEDED_TEXT("function name"), IO_12C,
                   AWR_FIGURE(awr_cell_count, "waits: count"),
                   AWR_FIGURE(awr_cell_ms, "avg time", "avg tm(ms)") },
      .row = function_row },
    { .name = "IOStat by File Type",
      .columns = { NUMBER_COLUMN, AWR_NEEDED_TEXT("filetype name"), IO_12C,
                   AWR_FIGURE(awr_cell_ms, "service time small read", "small read"),
                   AWR_FIGURE(awr_cell_ms, "service time large read", "large read") },
      .row = filetype_row },
    { .name = "IOStat by Function (per Second)",
      .columns = { NUMBER_COLUMN, AWR_NEEDED(awr_cell_count, "reads mb/sec total"),
                   AWR_NEEDED(awr_cell_count, "reads mb/sec buffer cache"),
                   AWR_NEEDED(awr_cell_count, "reads mb/sec direct reads"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec total"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec dbwr"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec direct writes"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec lgwr"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec total"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec buffer cache"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec direct reads"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec total"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec dbwr"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec direct writes"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec lgwr") },
      .row = wide_function_row },
    { .name = "IOStat by File Type (per Second)",
      .columns = { NUMBER_COLUMN, AWR_NEEDED(awr_cell_count, "reads mb/sec total"),
                   AWR_NEEDED(awr_cell_count, "reads mb/sec data file"),
                   AWR_NEEDED(awr_cell_count, "reads mb/sec temp file"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec total"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec data file"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec temp file"),
                   AWR_NEEDED(awr_cell_count, "writes mb/sec log file"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec total"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec data file"),
                   AWR_NEEDED(awr_cell_count, "reads requests/sec temp file"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec total"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec data file"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec temp file"),
                   AWR_NEEDED(awr_cell_count, "writes requests/sec log file") },
      .row = wide_filetype_row },
    { .name = NULL },
};
