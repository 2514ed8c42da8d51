/* models/oracle/redo_transport.c - see redo_transport.h. */
#include "models/oracle/redo_transport.h"

#include <math.h>
#include <string.h>

static const char *const mode_names[] = {
    [REDO_ASYNC] = "async",
    [REDO_SYNC] = "sync",
    [REDO_FASTSYNC] = "fastsync",
};

const char *redo_mode_name(enum redo_mode m)
{
    return mode_names[m];
}

int redo_mode_parse(const char *name, enum redo_mode *out)
{
    if (!name) {
        *out = REDO_ASYNC;
        return 0;
    }
    for (size_t i = 0; i < sizeof mode_names / sizeof *mode_names; i++)
        if (!strcmp(name, mode_names[i])) {
            *out = (enum redo_mode)i;
            return 0;
        }
    return -1;
}

double redo_send_mibps(const struct layout_standby *s)
{
    double by_window = NAN;
    if (s->window_kib > 0 && s->rtt_ms > 0)
        by_window = s->window_kib / 1024 / (s->rtt_ms / 1000);
    return fmin(fmin(s->send_mibps, by_window), s->apply_mibps); /* fmin passes over NaN */
}

double redo_network_mbps(double redo_mibps, double efficiency)
{
    return efficiency > 0 ? redo_mibps * 1048576 / efficiency * 8 / 1e6 : NAN;
}

struct redo_range redo_commit_added_ms(enum redo_mode m, double rtt_ms, double standby_write_ms,
                                       double local_write_ms)
{
    if (m == REDO_ASYNC)
        return (struct redo_range){ 0, 0, 0 };
    double remote_ms = m == REDO_SYNC ? rtt_ms + standby_write_ms : rtt_ms;
    double beyond_local_ms = remote_ms - local_write_ms;
    if (beyond_local_ms < 0)
        beyond_local_ms = 0;
    return (struct redo_range){ beyond_local_ms, beyond_local_ms, remote_ms };
}
