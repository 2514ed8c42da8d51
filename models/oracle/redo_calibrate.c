/* models/oracle/redo_calibrate.c - see redo_calibrate.h. */
#include "models/oracle/redo_calibrate.h"

#include "models/core/unit.h"
#include "models/oracle/redo_block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* TUNING: copies by which two counters of one report may disagree before the result counts as
 * impossible.  The six-standby incident's archive writes are 1.011 R, its public relatives within
 * 0.02. */
#define EDGE_COPIES 0.05

const char *redo_source_name(enum redo_source s)
{
    static const char *const names[] = {
        [REDO_SOURCE_NONE] = "none",
        [REDO_SOURCE_STATISTICS] = "statistics",
        [REDO_SOURCE_IOSTAT] = "iostat",
    };
    return names[s];
}

/* A figure as measured, or NaN: infinite and negative ones are no measurement. */
static double known(double v)
{
    return isfinite(v) && v >= 0 ? v : NAN;
}

static double or_zero(double v)
{
    return isnan(known(v)) ? 0 : v;
}

static struct redo_measured cleaned(const struct redo_measured *m)
{
    struct redo_measured c = {
        .log_read_mibps = known(m->log_read_mibps),
        .log_write_mibps = known(m->log_write_mibps),
        .archive_read_mibps = known(m->archive_read_mibps),
        .archive_write_mibps = known(m->archive_write_mibps),
        .redo_bytes_per_s = known(m->redo_bytes_per_s),
        .wastage_bytes_per_s = known(m->wastage_bytes_per_s),
        .blocks_per_s = known(m->blocks_per_s),
        .read_kib_per_s = known(m->read_kib_per_s),
        .read_memory_kib_per_s = or_zero(m->read_memory_kib_per_s),
        .transport_kib_per_s = or_zero(m->transport_kib_per_s),
        .transport_memory_kib_per_s = or_zero(m->transport_memory_kib_per_s),
        .elapsed_s = known(m->elapsed_s),
        .grade = m->grade,
    };
    return c;
}

static double block_bytes(const struct redo_measured *m, const struct redo_given *given)
{
    int64_t bytes = given->block_bytes > 0 ? given->block_bytes
                                           : redo_block_infer(m->blocks_per_s, m->redo_bytes_per_s,
                                                              or_zero(m->wastage_bytes_per_s));
    return bytes == UNKNOWN ? NAN : (double)bytes;
}

/* R by its own statistic, and how many members the log writes are of it. */
static void measure_members(const struct redo_measured *m, const struct redo_given *given,
                            double redo_mibps, struct redo_calibration *out)
{
    bool by_blocks = redo_mibps > 0;
    double one_member = by_blocks ? redo_mibps : m->redo_bytes_per_s / MIB_BYTES;
    double members = one_member > 0 ? m->log_write_mibps / one_member : NAN;

    out->members = given->members > 0 ? given->members : 1;
    bool usable = members >= 0.5 && members < 100;
    if (usable)
        out->members_measured = members;
    /* 'redo size' lacks wastage and headers: good enough only when nothing else is known. */
    if (usable && (by_blocks || given->members <= 0))
        out->members = llround(members);
}

/* What the edges of the interval may misplace, in copies. */
static double edge_copies(const struct redo_measured *m, const struct redo_given *given,
                          double redo_mibps)
{
    double one_log = known(given->log_mib) / (redo_mibps * m->elapsed_s);
    return EDGE_COPIES + (isfinite(one_log) && one_log < 1 ? one_log : 0);
}

static double copies_or_none(double copies)
{
    return copies > 0 ? copies : 0; /* less than nothing is the interval's edge */
}

static void by_statistics(const struct redo_measured *m, const struct redo_given *given,
                          double redo_mibps, double archive_copies, struct redo_route *out)
{
    bool silent = m->transport_kib_per_s <= 0 && given->direct_standbys > 0;
    if (isnan(m->read_kib_per_s) || !(redo_mibps > 0) || silent)
        return;

    double redo_kib = redo_mibps * 1024;
    double transport = m->transport_kib_per_s / redo_kib;
    double n = given->direct_standbys >= 0 ? (double)given->direct_standbys : round(transport);
    double buffer = fmin(m->transport_memory_kib_per_s / redo_kib, transport);
    double archived = copies_or_none(n - transport);
    *out = (struct redo_route){
        .present = true,
        .feasible = true,
        .redo_mibps = redo_mibps,
        .copies = {
            .online = transport - buffer,
            .archived = archived,
            .buffer = buffer,
            .transport = transport,
            .other_online_readers = copies_or_none(m->read_kib_per_s / redo_kib - transport -
                                                   archive_copies),
            .other_archive_readers = copies_or_none(m->archive_read_mibps / redo_mibps - archived),
        },
    };
    if (isnan(archive_copies))
        out->copies.other_online_readers = NAN;
    if (isnan(m->archive_read_mibps))
        out->copies.other_archive_readers = NAN;
}

static void by_iostat(const struct redo_measured *m, const struct redo_given *given,
                      int64_t members, struct redo_route *out)
{
    double redo_mibps = m->log_write_mibps / (double)members;
    double online = (m->log_read_mibps - m->archive_write_mibps) / redo_mibps -
                    or_zero(given->other_online_readers);
    double archived = m->archive_read_mibps / redo_mibps - or_zero(given->other_archive_readers);
    if (!(redo_mibps > 0) || isnan(online) || isnan(archived))
        return;

    double n = given->direct_standbys >= 0 ? (double)given->direct_standbys : NAN;
    double buffer = n - online - archived;
    double edge = edge_copies(m, given, redo_mibps);
    *out = (struct redo_route){ .present = true, .feasible = true, .redo_mibps = redo_mibps };
    if (online < -edge)
        snprintf(out->reason, sizeof out->reason,
                 "O<0: fewer online log readers than assumed (%.3f copies left)", online);
    else if (archived < -edge)
        snprintf(out->reason, sizeof out->reason,
                 "A<0: fewer archive readers than assumed (%.3f copies left)", archived);
    else if (buffer < -2 * edge) /* O and A have an edge each */
        snprintf(out->reason, sizeof out->reason,
                 "B<0: %.3f full copies read from files for %.0f standbys: other readers?",
                 online + archived, n);
    out->feasible = !out->reason[0];
    out->copies = (struct redo_copies){
        .online = copies_or_none(online),
        .archived = copies_or_none(archived),
        .buffer = isnan(buffer) ? NAN : copies_or_none(buffer),
        .transport = isnan(n) ? NAN : n - copies_or_none(archived),
        .other_online_readers = or_zero(given->other_online_readers),
        .other_archive_readers = or_zero(given->other_archive_readers),
    };
}

static double file_copies(const struct redo_copies *c)
{
    return c->online + c->archived + c->other_online_readers + c->other_archive_readers;
}

static double pct_of(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

static void choose(struct redo_calibration *out, const struct redo_given *given)
{
    const struct redo_route *r = out->statistics.present ? &out->statistics : &out->iostat;
    const struct redo_copies *c = &r->copies;
    bool statistics = r == &out->statistics;

    out->source = statistics ? REDO_SOURCE_STATISTICS : REDO_SOURCE_IOSTAT;
    out->redo_mibps = r->redo_mibps;
    out->copies = *c;
    out->direct_standbys = given->direct_standbys;
    if (given->direct_standbys < 0)
        out->direct_standbys = statistics && c->transport < 1e6 ? llround(c->transport) : UNKNOWN;
    double readers = c->online + c->archived;
    out->file_readers_min = readers < 1e6 ? (int64_t)ceil(readers - 1e-9) : UNKNOWN;

    double n = out->direct_standbys >= 0 ? (double)out->direct_standbys : NAN;
    out->from_buffer_pct = pct_of(c->buffer, statistics ? c->transport : n);
    out->from_online_pct = pct_of(c->online, statistics ? c->transport : n);
    out->from_archive_pct = pct_of(c->archived, n);
}

int redo_calibrate(const struct redo_measured *measured, const struct redo_given *given,
                   struct redo_calibration *out, struct err *e)
{
    struct redo_measured m = cleaned(measured);
    *out = (struct redo_calibration){
        .grade = m.grade,
        .redo_mibps = NAN,
        .members_measured = NAN,
        .archive_write_mibps = m.archive_write_mibps,
        .archive_copies = NAN,
        .direct_standbys = UNKNOWN,
        .copies = { NAN, NAN, NAN, NAN, NAN, NAN },
        .file_readers_min = UNKNOWN,
        .from_buffer_pct = NAN,
        .from_online_pct = NAN,
        .from_archive_pct = NAN,
        .file_copies_difference = NAN,
        .log_read_predicted_mibps = (m.read_kib_per_s - m.read_memory_kib_per_s) / 1024,
        .log_read_difference_pct = NAN,
    };

    double by_blocks = m.blocks_per_s * block_bytes(&m, given) / MIB_BYTES;
    measure_members(&m, given, by_blocks, out);
    by_iostat(&m, given, out->members, &out->iostat);

    double redo_mibps = by_blocks;
    if (!(redo_mibps > 0))
        redo_mibps = m.log_write_mibps / (double)out->members;
    if (!(redo_mibps > 0))
        redo_mibps = m.redo_bytes_per_s / MIB_BYTES;
    if (redo_mibps > 0) {
        out->redo_mibps = redo_mibps;
        out->archive_copies = m.archive_write_mibps / redo_mibps;
    }
    by_statistics(&m, given, redo_mibps, out->archive_copies, &out->statistics);
    if (out->log_read_predicted_mibps > 0)
        out->log_read_difference_pct = 100 * (m.log_read_mibps / out->log_read_predicted_mibps - 1);
    if (out->statistics.present && out->iostat.present)
        out->file_copies_difference =
            file_copies(&out->iostat.copies) - file_copies(&out->statistics.copies);

    if (!out->statistics.present && !out->iostat.present)
        return 0;
    if (!out->statistics.present && !out->iostat.feasible)
        return err_set(e, ERR_NO, "%s", out->iostat.reason);
    choose(out, given);
    return 0;
}

double redo_buffer_hit_pct(double memory_blocks, double disk_blocks)
{
    return pct_of(memory_blocks, memory_blocks + disk_blocks);
}
