/* planner/diagnose/rules_redo.c - the redo path: who reads it, how it is written, sector sizes.
 *
 * The copies that standbys read from files are those of models/oracle/redo_calibrate.h, sector
 * rules those of models/oracle/redo_sector.h, block sizes those of models/oracle/redo_block.h. Logs
 * should last 5 minutes or more (domain sheet on Oracle, section 4). */
#include "planner/diagnose/awr_find.h"
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/oracle/log_switch.h"
#include "models/oracle/redo_block.h"
#include "models/oracle/redo_sector.h"
#include "planner/whatif/redo_path.h"

#include <math.h>
#include <string.h>

/* TUNING: a tenth of a copy is what two counters of a report differ by; a log of five minutes is
 * short of the three to four switches an hour that Oracle advises. */
static const double COPIES_WORTH_TELLING = 0.1, LOG_LASTS_S = 300;

/* --- who reads the logs ----------------------------------------------------------------------- */

static bool path_of(struct run *r, struct redo_path *p)
{
    if (redo_path_build(r->demand, r->arena, p, NULL)) {
        r->failed = true;
        return false;
    }
    return p->calibrated;
}

/* The rows of the reports that the path was calibrated with. */
static void see_log_rows(struct run *r, struct draft *d, const struct redo_path *p)
{
    static const char *const names[] = { "Log File", "Archive Log" };
    static const char *const stats[] = { "redo KB read", "redo KB read for transport" };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        if (w->begin_ms != p->begin_ms)
            continue;
        for (size_t k = 0; k < 2; k++) {
            const struct awr_io_row *row = awr_filetype_find(w, names[k]);
            const struct awr_stat *s = awr_stat_find(w, stats[k]);
            if (row)
                draft_see_io(r, d, w, row);
            if (s && p->calibration.source == REDO_SOURCE_STATISTICS)
                draft_see_stat(r, d, w, s);
        }
    }
}

/* "; cascading 3 of 6 would save 1.1 to 3.0 of them", for half of the standbys. */
static const char *cascade_words(struct run *r, const struct redo_path *p)
{
    int64_t n = p->calibration.direct_standbys;
    if (n == UNKNOWN || n < 2)
        return "";
    struct redo_range save = redo_cascade_saving(&p->flow, n / 2);
    return arena_printf(r->arena,
                        "; cascading %lld of the %lld behind others would save %.1f to %.1f of "
                        "them, the slow ones most",
                        (long long)(n / 2), (long long)n, save.lower, save.upper);
}

static void test_standby_reads(struct run *r, const struct rule *rule)
{
    struct redo_path p;
    if (!path_of(r, &p) || !p.known)
        return;
    double online = p.calibration.copies.online, archived = p.calibration.copies.archived;
    double copies = (isnan(online) ? 0 : online) + (isnan(archived) ? 0 : archived);
    if (p.calibration.source == REDO_SOURCE_NONE || !(copies > COPIES_WORTH_TELLING) ||
        p.calibration.direct_standbys < 1)
        return;
    struct draft *d =
        draft_add(r, rule,
                  p.calibration.source == REDO_SOURCE_STATISTICS ? VERDICT_CERTAIN : VERDICT_LIKELY,
                  NULL,
                  (const char *const[]){ "copies", number_words(r, copies, 2), "mibps",
                                         number_words(r, copies * p.calibration.redo_mibps, 1),
                                         "cascade", cascade_words(r, &p), NULL });
    see_log_rows(r, d, &p);
    draft_not(r, d, "the archiver: its one copy is not counted in");
    if (p.calibration.source == REDO_SOURCE_IOSTAT)
        draft_missing(d, "the statistics 'redo KB read', '(memory)' and 'for transport': other "
                         "readers of the logs (RMAN, LogMiner, GoldenGate) look the same here");
}

static void test_archiver_alone(struct run *r, const struct rule *rule)
{
    struct redo_path p;
    if (!path_of(r, &p) || !p.known || p.calibration.source == REDO_SOURCE_NONE)
        return;
    struct redo_copies c = p.calibration.copies;
    double others = fmax(fabs(c.online), fabs(c.archived));
    double readers = (isnan(c.other_online_readers) ? 0 : c.other_online_readers) +
                     (isnan(c.other_archive_readers) ? 0 : c.other_archive_readers);
    if (!(others <= COPIES_WORTH_TELLING) || readers > COPIES_WORTH_TELLING)
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, NULL,
                  (const char *const[]){
                      "members",
                      arena_printf(r->arena, "%lld member%s", (long long)p.calibration.members,
                                   p.calibration.members == 1 ? "" : "s"),
                      "archives", number_words(r, p.calibration.archive_copies, 0), NULL });
    see_log_rows(r, d, &p);
    draft_not(r, d, "standbys: they read nothing from the log files");
}

/* --- how often logs switch -------------------------------------------------------------------- */

static void test_switches(struct run *r, const struct rule *rule)
{
    const struct awr_stat *worst = NULL;
    const struct awr_snapshot *at = NULL;
    double log_mib = r->layout->redo.log_gib * 1024;
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_stat *s = awr_stat_find(r->load->snapshots[i], "redo size");
        if (s && !isnan(s->per_s) && (!worst || s->per_s > worst->per_s)) {
            worst = s;
            at = r->load->snapshots[i];
        }
    }
    if (!worst || isnan(log_mib))
        return;
    struct log_switch s = log_switch_at(log_mib, worst->per_s / MIB_BYTES, NAN);
    if (!(s.fill_s < LOG_LASTS_S))
        return;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, NULL,
                  (const char *const[]){
                      "s", number_words(r, s.fill_s, 0), "hour",
                      number_words(r, 3600 / s.fill_s, 0), "gib",
                      number_words(r, ceil(log_mib / 1024 * LOG_LASTS_S / s.fill_s), 0), NULL });
    draft_see_stat(r, d, at, worst);
    draft_see_layout(r, d, r->layout_file, "redo", "log_gib %g", r->layout->redo.log_gib);
}

/* --- how it is written ------------------------------------------------------------------------ */

struct lgwr_row {
    const struct awr_snapshot *snapshot;
    const struct awr_io_row *row;
};

/* The largest rate of log writes that a report tells. */
static struct lgwr_row busiest_lgwr(const struct run *r)
{
    struct lgwr_row most = { NULL, NULL };
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_io_row *row = awr_function_find(r->load->snapshots[i], "LGWR");
        if (row && row->write_requests_per_s > 0 &&
            (!most.row || row->write_requests_per_s > most.row->write_requests_per_s))
            most = (struct lgwr_row){ r->load->snapshots[i], row };
    }
    return most;
}

/* What LGWR writes to one group that holds members of the log: its IOPS against the MiB/s. */
static void test_redo_write_rate(struct run *r, const struct rule *rule)
{
    struct lgwr_row most = busiest_lgwr(r);
    if (!most.row)
        return;
    double mibps = most.row->write_bytes_per_s / MIB_BYTES;
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        double have = group_provisioned_iops(gd);
        double iops = most.row->write_requests_per_s;
        if (gd->group->role != ROLE_REDO || !(iops > have))
            continue;
        const struct volume_spec *v = &gd->group->volumes[0].spec;
        double fits_mibps =
            v->type == VOL_GP3
                ? (double)(v->throughput_mibps == UNKNOWN ? 125 : v->throughput_mibps) *
                      (double)v->count
                : (double)NAN;
        struct draft *d =
            draft_add(r, rule, VERDICT_CERTAIN, gd->group->name,
                      (const char *const[]){ "iops", number_words(r, iops, 0), "mibps",
                                             number_words(r, mibps, 0), "group", gd->group->name,
                                             "have", number_words(r, have, 0), "pct",
                                             number_words(r, 100 * iops / have, 0), NULL });
        draft_see_io(r, d, most.snapshot, most.row);
        see_volumes(r, d, gd);
        draft_ceiling(d, ceiling_name(CEILING_IOPS));
        if (mibps < fits_mibps)
            draft_not(r, d, "throughput: %.0f of %.0f MiB/s (%.0f %%)", mibps, fits_mibps,
                      100 * mibps / fits_mibps);
    }
}

/* Redo blocks of the database: as the layout says, else inferred; UNKNOWN. */
static int64_t redo_block_bytes(struct run *r)
{
    if (r->layout->redo.block_bytes != UNKNOWN)
        return r->layout->redo.block_bytes;
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        const struct awr_stat *blocks = awr_stat_find(w, "redo blocks written");
        const struct awr_stat *size = awr_stat_find(w, "redo size");
        const struct awr_stat *wastage = awr_stat_find(w, "redo wastage");
        if (blocks && size && wastage && blocks->total > 0)
            return redo_block_infer(blocks->total, size->total, wastage->total);
    }
    return UNKNOWN;
}

static void see_redo_block(struct run *r, struct draft *d)
{
    if (r->layout->redo.block_bytes != UNKNOWN)
        draft_see_layout(r, d, r->layout_file, "redo", "block_bytes %lld",
                         (long long)r->layout->redo.block_bytes);
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_snapshot *w = r->load->snapshots[i];
        const struct awr_stat *blocks = awr_stat_find(w, "redo blocks written");
        if (blocks) {
            draft_see_stat(r, d, w, blocks);
            return;
        }
    }
}

/* The slowest mean log write that a report tells, with its row; NaN. */
static double slowest_log_write_ms(const struct run *r, const struct awr_snapshot **w,
                                   const struct awr_event **ev)
{
    double worst = NAN;
    for (size_t i = 0; i < r->load->n_snapshots; i++) {
        const struct awr_event *e =
            awr_event_find(r->load->snapshots[i], "log file parallel write");
        double ms = e ? awr_event_avg_ms(e) : (double)NAN;
        if (!isnan(ms) && !(ms <= worst)) {
            worst = ms;
            *w = r->load->snapshots[i];
            *ev = e;
        }
    }
    return worst;
}

static void test_demoted(struct run *r, const struct rule *rule)
{
    int64_t redo = redo_block_bytes(r), fs = r->layout->redo.filesystem_block_bytes;
    const struct awr_snapshot *w = NULL;
    const struct awr_event *ev = NULL;
    if (redo == UNKNOWN || fs < 1 || redo_block_fits_filesystem(redo, fs))
        return;
    double ms = slowest_log_write_ms(r, &w, &ev);
    struct draft *d = draft_add(
        r, rule, ms > 5 ? VERDICT_CERTAIN : VERDICT_LIKELY, NULL,
        (const char *const[]){
            "redo", arena_printf(r->arena, "%lld", (long long)redo), "fs",
            arena_printf(r->arena, "%lld", (long long)fs), "ms",
            isnan(ms) ? "" : arena_printf(r->arena, ", and a log write takes %.1f ms", ms), NULL });
    draft_see_layout(r, d, r->layout_file, "redo", "filesystem_block_bytes %lld", (long long)fs);
    see_redo_block(r, d);
    if (ev)
        draft_see_event(r, d, w, ev);
    draft_not(r, d,
              "the volumes: writes that are not whole file-system blocks are read, changed and "
              "written one after the other");
    if (!(ms > 5))
        draft_missing(d, "log file parallel write before and after the change");
}

/* --- sectors ---------------------------------------------------------------------------------- */

struct sectors {
    double physical, logical; /* NaN = not known */
    const struct stored_record *disk;
    bool mixed;
};

static bool is_partition(const struct stored_record *rec)
{
    const char *type = stored_record_text(rec, "type");
    return type && strcmp(type, "disk") != 0;
}

/* Of the disks that lsblk tells of, and a layout group claims where a person gave one. */
static struct sectors sectors_of(const struct run *r)
{
    struct sectors s = { NAN, NAN, NULL, false };
    for (size_t i = 0; i < r->load->n_records; i++) {
        const struct stored_record *rec = &r->load->records[i];
        double physical = stored_record_num(rec, "phy_sec_bytes");
        double logical = stored_record_num(rec, "log_sec_bytes");
        if (strcmp(rec->kind, "devices") != 0 || isnan(physical) || is_partition(rec))
            continue;
        if (s.disk && (physical != s.physical || logical != s.logical))
            s.mixed = true;
        if (!s.disk || physical > s.physical) {
            s.disk = rec;
            s.physical = physical;
            s.logical = logical;
        }
    }
    return s;
}

static void see_disk(struct run *r, struct draft *d, const struct sectors *s)
{
    const char *name = s->disk ? stored_record_text(s->disk, "name") : NULL;
    if (name)
        draft_see(r, d, s->disk->file_id, s->disk->line, s->disk->time_ms,
                  "%s: %.0f physical, %.0f logical", name, s->physical, s->logical);
}

static void sector_finding(struct run *r, const struct rule *rule, const struct sectors *s,
                           const struct stored_record *group, int64_t redo)
{
    double sector = group ? stored_record_num(group, "sector_bytes") : (double)NAN;
    int64_t group_bytes = isnan(sector) ? UNKNOWN : (int64_t)sector;
    int64_t physical = isnan(s->physical) ? group_bytes : (int64_t)s->physical;
    int64_t logical = isnan(s->logical) ? 512 : (int64_t)s->logical;
    const char *name = group ? stored_record_text(group, "name") : NULL;
    if (physical == UNKNOWN)
        return;
    enum redo_sector_verdict v =
        redo_sector_check(&(struct redo_sector){ physical, logical, group_bytes, redo, false });
    bool partial = strcmp(rule->id, "partial_sectors") == 0;
    if (v == REDO_SECTOR_OK || (v == REDO_SECTOR_PARTIAL) != partial)
        return;
    struct draft *d =
        draft_add(r, rule, group ? VERDICT_CERTAIN : VERDICT_LIKELY, name,
                  (const char *const[]){ "what", redo_sector_text(v), "group",
                                         name ? name : "a disk group with ASMLib's default", "redo",
                                         arena_printf(r->arena, "%lld", (long long)redo), NULL });
    if (v == REDO_SECTOR_01378 || !group)
        draft_severity(d, SEVERITY_WARNING);
    if (group)
        draft_see(r, d, group->file_id, group->line, group->time_ms, "%s: sector %.0f", name,
                  sector);
    see_disk(r, d, s);
    see_redo_block(r, d);
    if (!partial)
        draft_not(r, d,
                  "the backup or the restore: archived logs keep the block size they were "
                  "written with");
}

static void test_sectors(struct run *r, const struct rule *rule)
{
    struct sectors s = sectors_of(r);
    int64_t redo = redo_block_bytes(r);
    bool grouped = false;
    if (redo == UNKNOWN)
        return;
    for (size_t i = 0; i < r->load->n_records; i++) {
        const struct stored_record *rec = &r->load->records[i];
        if (strcmp(rec->kind, "disk_groups") != 0)
            continue;
        sector_finding(r, rule, &s, rec, redo);
        grouped = true;
    }
    if (!grouped && s.disk)
        sector_finding(r, rule, &s, NULL, redo);
}

static void test_mixed_sectors(struct run *r, const struct rule *rule)
{
    struct sectors s = sectors_of(r);
    if (!s.mixed)
        return;
    struct draft *d = draft_add(r, rule, VERDICT_LIKELY, NULL, NULL);
    see_disk(r, d, &s);
    for (size_t i = 0; i < r->load->n_records; i++) {
        const struct stored_record *rec = &r->load->records[i];
        struct sectors other = { stored_record_num(rec, "phy_sec_bytes"),
                                 stored_record_num(rec, "log_sec_bytes"), rec, false };
        if (strcmp(rec->kind, "devices") == 0 && !is_partition(rec) &&
            other.physical != s.physical && !isnan(other.physical))
            see_disk(r, d, &other);
    }
    draft_missing(d, "which of them are in one disk group");
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct rule rules[] = {
    { "demoted_io", NEED_LAYOUT, SEVERITY_ERROR, test_demoted,
      "redo blocks of {redo} bytes on a file system of {fs}-byte blocks: direct I/O is demoted{ms}",
      "a file system of {redo}-byte blocks for the online logs, or redo blocks of {fs} bytes",
      NULL },
    { "sector_mismatch", NEED_RECORDS, SEVERITY_ERROR, test_sectors,
      "{group} with redo blocks of {redo} bytes: {what}",
      "create the disk group with sector_size 512, or have ASMLib use the logical block size "
      "(ORACLEASM_USE_LOGICAL_BLOCK_SIZE), before anything is restored",
      NULL },
    { "partial_sectors", NEED_RECORDS, SEVERITY_INFO, test_sectors,
      "redo blocks of {redo} bytes on disks of 4 096-byte sectors that answer as 512 (512e): "
      "{what}",
      "nothing while log writes are fast; redo blocks of 4 096 bytes avoid it and write more",
      NULL },
    { "redo_write_rate", NEED_SNAPSHOTS | NEED_LAYOUT, SEVERITY_ERROR, test_redo_write_rate,
      "the log writer needs {iops} IOPS but {mibps} MiB/s; {group} has {have} IOPS ({pct} %)",
      "raise the IOPS of {group}, not its throughput; redo blocks of 512 bytes need fewer writes",
      NULL },
    { "log_switches", NEED_SNAPSHOTS | NEED_LAYOUT, SEVERITY_WARNING, test_switches,
      "a log lasts {s} s at the report's mean redo rate: {hour} switches an hour",
      "logs of {gib} GiB or more last 5 minutes at this rate; size them for the peak, not the mean",
      NULL },
    { "standbys_read_files", NEED_SNAPSHOTS, SEVERITY_WARNING, test_standby_reads,
      "standbys read {copies} copies of the redo from log files, {mibps} MiB/s, instead of the log "
      "buffer",
      "feed them faster (network, log buffer), or fewer of them from here{cascade}", NULL },
    { "mixed_sectors", NEED_RECORDS, SEVERITY_INFO, test_mixed_sectors,
      "the disks report different sector sizes",
      "disks of one disk group must report the same: ASM refuses to create, extend or mount it "
      "otherwise (ORA-15038, ORA-15085)",
      NULL },
    { "archiver_alone", NEED_SNAPSHOTS, SEVERITY_INFO, test_archiver_alone,
      "the logs are read by the archiver alone: {members}, archived {archives} times",
      "nothing to do: what is written is members + copies times the redo", NULL },
};
const struct rule_table rules_redo = RULE_TABLE(rules, RANK_REDO);
