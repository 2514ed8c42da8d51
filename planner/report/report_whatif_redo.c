/* planner/report/report_whatif_redo.c - see report_whatif_redo.h. */
#include "planner/report/report_whatif_redo.h"

#include "planner/report/emit_option.h"
#include "planner/whatif/redo_path.h"

#include <stdio.h>

/* --- keys ------------------------------------------------------------------------------------- */

static void emit_copies(struct emit *m, const struct redo_copies *c)
{
    emit_num(m, "online_copies", UNIT_RATIO, c->online);
    emit_num(m, "archived_copies", UNIT_RATIO, c->archived);
    emit_num(m, "buffer_copies", UNIT_RATIO, c->buffer);
    emit_num(m, "transport_copies", UNIT_RATIO, c->transport);
    emit_num(m, "other_online_readers", UNIT_RATIO, c->other_online_readers);
    emit_num(m, "other_archive_readers", UNIT_RATIO, c->other_archive_readers);
}

static void emit_route(struct emit *m, const char *key, const struct redo_route *r)
{
    if (!r->present) {
        emit_null(m, key);
        return;
    }
    emit_begin(m, key, EMIT_OBJECT);
    emit_bool(m, "feasible", r->feasible);
    emit_text(m, "reason", r->reason[0] ? r->reason : NULL);
    emit_num(m, "redo_mibps", UNIT_MIBPS, r->redo_mibps);
    emit_copies(m, &r->copies);
    emit_end(m);
}

void emit_calibration(struct emit *m, const struct redo_path *p)
{
    if (!p || !p->calibrated) {
        emit_null(m, "calibration");
        return;
    }
    const struct redo_calibration *c = &p->calibration;
    emit_begin(m, "calibration", EMIT_OBJECT);
    emit_num(m, "redo_mibps", UNIT_MIBPS, c->redo_mibps);
    emit_int(m, "members", UNIT_COUNT, c->members);
    emit_num(m, "members_measured", UNIT_RATIO, c->members_measured);
    emit_num(m, "archive_copies", UNIT_RATIO, c->archive_copies);
    emit_num(m, "archive_write_mibps", UNIT_MIBPS, c->archive_write_mibps);
    emit_num(m, "flashback_write_mibps", UNIT_MIBPS, p->flow.flashback_write_mibps);
    emit_int(m, "direct_standbys", UNIT_COUNT, c->direct_standbys);
    emit_copies(m, &c->copies);
    emit_int(m, "file_readers_min", UNIT_COUNT, c->file_readers_min);
    emit_num(m, "from_buffer_pct", UNIT_PCT, c->from_buffer_pct);
    emit_num(m, "from_online_pct", UNIT_PCT, c->from_online_pct);
    emit_num(m, "from_archive_pct", UNIT_PCT, c->from_archive_pct);
    emit_text(m, "source", redo_source_name(c->source));
    emit_text(m, "grade", grade_name(c->grade));
    emit_bool(m, "censored", c->grade == GRADE_CENSORED);
    emit_bool(m, "feasible", !p->refused);
    emit_text(m, "reason", p->refused);
    emit_route(m, "statistics", &c->statistics);
    emit_route(m, "iostat", &c->iostat);
    emit_num(m, "file_copies_difference", UNIT_RATIO, c->file_copies_difference);
    emit_num(m, "log_read_predicted_mibps", UNIT_MIBPS, c->log_read_predicted_mibps);
    emit_num(m, "log_read_difference_pct", UNIT_PCT, c->log_read_difference_pct);
    emit_num(m, "redo_peak_mibps", UNIT_MIBPS, p->redo_peak_mibps);
    emit_time(m, "begin_time", p->begin_ms);
    emit_time(m, "end_time", p->end_ms);
    emit_end(m);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *source_words(enum redo_source s)
{
    switch (s) {
    case REDO_SOURCE_STATISTICS:
        return "from the statistics `redo KB read`";
    case REDO_SOURCE_IOSTAT:
        return "from IOStat by Filetype";
    default:
        return "no report tells who reads it";
    }
}

static void say_path(struct emit *m, const struct redo_path *p)
{
    const struct redo_calibration *c = &p->calibration;
    char redo[48], buffer[48], online[48], archive[48], copies[48];
    emit_label(m, "redo",
               "%s MiB/s on average to each of %lld log members, %s archived copies; %s%s",
               unit_format(redo, c->redo_mibps, 1), (long long)c->members,
               unit_format(copies, c->archive_copies, 2), source_words(c->source),
               c->grade == GRADE_CENSORED ? "; measured at a ceiling, so at least this" : "");
    if (c->direct_standbys > 0 && !isnan(c->copies.online))
        emit_label(m, "standbys",
                   "%lld read %s %% from the log buffer, %s %% online logs, %s %% archived logs; "
                   "at least %lld of them read files",
                   (long long)c->direct_standbys, unit_format(buffer, c->from_buffer_pct, 0),
                   unit_format(online, c->from_online_pct, 0),
                   unit_format(archive, c->from_archive_pct, 0), (long long)c->file_readers_min);
    if (c->copies.other_online_readers >= 0.05 || c->copies.other_archive_readers >= 0.05)
        emit_label(m, "others", "read %s copies of the online and %s of the archived logs",
                   unit_format(online, c->copies.other_online_readers, 2),
                   unit_format(archive, c->copies.other_archive_readers, 2));
}

static void say_switch(struct emit *m, const struct plan *p)
{
    char fill[48], peak[48], archive[48];
    for (size_t i = 0; i < p->n_groups && p->redo_groups; i++) {
        const struct plan_redo_group *r = &p->redo_groups[i];
        if (!r->holds_logs || isnan(r->average.fill_s))
            continue;
        emit_label(m, "log switch",
                   "every %s s on average, %s s at the peak; archiving takes %s s%s",
                   unit_format(fill, r->average.fill_s, 0), unit_format(peak, r->peak.fill_s, 0),
                   unit_format(archive, r->average.archive_s, 0),
                   r->peak.archiver_keeps_up == 0
                       ? ", but falls behind when all groups peak together"
                       : "");
        return;
    }
}

void say_redo(struct emit *m, const struct plan *p)
{
    if (!p->redo || !p->redo->calibrated)
        return;
    if (p->redo->refused) {
        emit_label(m, "redo",
                   "not calibrated: %s; give what else reads the logs (RMAN, LogMiner) and the "
                   "standbys in the layout",
                   p->redo->refused);
        return;
    }
    say_path(m, p->redo);
    say_switch(m, p);
}
