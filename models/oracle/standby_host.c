/* models/oracle/standby_host.c - see standby_host.h. */
#include "models/oracle/standby_host.h"

static struct redo_range same(double v)
{
    return (struct redo_range){ v, v, v };
}

struct standby_host_load standby_host_load(const struct standby_host *h)
{
    double redo = h->redo_mibps;
    double apply = h->far_sync ? 0 : redo;
    double fed = redo * (double)h->cascaded;
    double from_redo = redo + (h->archive_apply ? 0 : apply);
    double from_archive = h->archive_apply ? apply : 0;

    struct standby_host_load load = {
        .redo = { .read_mibps = same(from_redo), .write_mibps = same(redo) },
        .archive = { .read_mibps = same(from_archive),
                     .write_mibps = same(redo + h->flashback_write_mibps) },
        .data = { .read_mibps = same(0), .write_mibps = same(0) },
    };
    /* A non-real-time cascade has only the archived log to be fed from: no lower bound of 0. */
    if (h->archive_cascade)
        load.archive.read_mibps = same(from_archive + fed);
    else
        load.redo.read_mibps = (struct redo_range){ from_redo, from_redo + fed, from_redo + fed };
    if (!h->far_sync) {
        double data = h->data_write_mibps;
        load.data.read_mibps = (struct redo_range){ data * 0, data / 2, data };
        load.data.write_mibps = same(data);
    }
    return load;
}
