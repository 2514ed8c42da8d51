/* models/oracle/log_switch.h - how long a log lasts and how long its archiving takes.
 *
 *   fill = log size / R;  archive = log size / the rate left to the archiver
 * 4 GiB at 62.5 MiB/s fill in 65.5 s.  Published advice: 5 minutes or more between switches. */
#ifndef MODELS_ORACLE_LOG_SWITCH_H
#define MODELS_ORACLE_LOG_SWITCH_H

struct log_switch {
    double fill_s, archive_s;
    int archiver_keeps_up; /* 1 archive_s <= fill_s, 0 not, -1 unknown */
};

/* INFINITY where a rate is 0, NaN where one is unknown. */
struct log_switch log_switch_at(double log_mib, double redo_mibps, double archiver_mibps);

/* What other users leave the archiver, which reads one group and writes another. */
double log_archiver_mibps(double redo_ceiling_mibps, double redo_other_mibps,
                          double archive_ceiling_mibps, double archive_other_mibps);

/* Redo rate between two switches. */
double log_rate_mibps(double log_mib, double seconds);

#endif
