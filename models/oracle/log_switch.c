/* models/oracle/log_switch.c - see log_switch.h. */
#include "models/oracle/log_switch.h"

#include <math.h>

static double seconds_at(double mib, double mibps)
{
    if (isnan(mib) || isnan(mibps))
        return NAN;
    return mibps > 0 ? mib / mibps : INFINITY;
}

struct log_switch log_switch_at(double log_mib, double redo_mibps, double archiver_mibps)
{
    struct log_switch s = {
        .fill_s = seconds_at(log_mib, redo_mibps),
        .archive_s = seconds_at(log_mib, archiver_mibps),
        .archiver_keeps_up = -1,
    };
    if (!isnan(s.fill_s) && !isnan(s.archive_s))
        s.archiver_keeps_up = s.archive_s <= s.fill_s;
    return s;
}

double log_archiver_mibps(double redo_ceiling_mibps, double redo_other_mibps,
                          double archive_ceiling_mibps, double archive_other_mibps)
{
    double read = redo_ceiling_mibps - redo_other_mibps;
    double written = archive_ceiling_mibps - archive_other_mibps;
    if (isnan(read) || isnan(written))
        return NAN;
    return fmax(0, fmin(read, written));
}

double log_rate_mibps(double log_mib, double seconds)
{
    return seconds > 0 ? log_mib / seconds : NAN;
}
