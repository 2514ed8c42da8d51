/* models/oracle/redo_load.c - see redo_load.h. */
#include "models/oracle/redo_load.h"

#include "models/core/unit.h"

#include <math.h>

/* Copies one standby is taken to read of each kind of file when none was measured. */
#define UNMEASURED_COPIES 0.5

struct redo_flow redo_flow_of(const struct redo_calibration *c)
{
    const struct redo_copies *k = &c->copies;
    struct redo_flow f = {
        .redo_mibps = c->redo_mibps,
        .archive_write_mibps =
            isnan(c->archive_write_mibps) ? c->redo_mibps : c->archive_write_mibps,
        .online_copies = isnan(k->online) ? 0 : k->online,
        .archived_copies = isnan(k->archived) ? 0 : k->archived,
        .other_online_readers = isnan(k->other_online_readers) ? 0 : k->other_online_readers,
        .other_archive_readers = isnan(k->other_archive_readers) ? 0 : k->other_archive_readers,
        .direct_standbys = c->direct_standbys > 0 ? c->direct_standbys : 0,
    };
    return f;
}

struct redo_flow redo_flow_scaled(const struct redo_flow *f, double factor)
{
    struct redo_flow g = *f;
    g.redo_mibps *= factor;
    g.archive_write_mibps *= factor;
    g.flashback_write_mibps *= factor;
    return g;
}

static double at_least_0(double v)
{
    return v > 0 ? v : 0;
}

static struct redo_range same(double v)
{
    return (struct redo_range){ v, v, v };
}

/* Copies that the average measured standby reads of a kind of file. */
static double per_standby(double copies, int64_t n)
{
    return n > 0 ? copies / (double)n : UNMEASURED_COPIES;
}

/* Copies read by all direct standbys after the change.  One standby reads at most one copy, but a
 * gap sent twice can measure as more: then that is the most. */
static struct redo_range copies_after(double copies, int64_t n, struct redo_change change)
{
    int64_t removed = change.removed < n ? change.removed : n;
    double direct = (double)(n - removed) + (double)change.added;
    double each = per_standby(copies, n);
    return (struct redo_range){
        .lower = fmin(at_least_0(copies - (double)removed), each * direct),
        .central = each * direct,
        .upper = fmax(1, each) * direct,
    };
}

static struct redo_range times_plus(struct redo_range copies, double redo_mibps, double fixed_mibps)
{
    return (struct redo_range){
        .lower = copies.lower * redo_mibps + fixed_mibps,
        .central = copies.central * redo_mibps + fixed_mibps,
        .upper = copies.upper * redo_mibps + fixed_mibps,
    };
}

struct redo_group_load redo_load_at(const struct redo_flow *f, struct redo_change change,
                                    enum redo_place place)
{
    double redo = f->redo_mibps;
    switch (place) {
    case REDO_READ_MEMBER:
        return (struct redo_group_load){
            .read_mibps = times_plus(copies_after(f->online_copies, f->direct_standbys, change),
                                     redo, f->archive_write_mibps + f->other_online_readers * redo),
            .write_mibps = same(redo),
        };
    case REDO_OTHER_MEMBER:
        return (struct redo_group_load){ .read_mibps = same(0), .write_mibps = same(redo) };
    case REDO_ARCHIVE:
        return (struct redo_group_load){
            .read_mibps = times_plus(copies_after(f->archived_copies, f->direct_standbys, change),
                                     redo, f->other_archive_readers * redo),
            .write_mibps = same(f->archive_write_mibps + f->flashback_write_mibps),
        };
    }
    BUG("no such place");
}

struct redo_group_load redo_load_of_standby(const struct redo_flow *f, bool added,
                                            enum redo_place place)
{
    struct redo_group_load load = { same(0), same(0) };
    if (place == REDO_OTHER_MEMBER)
        return load;

    double copies = place == REDO_ARCHIVE ? f->archived_copies : f->online_copies;
    double each = per_standby(copies, f->direct_standbys);
    double others = (double)f->direct_standbys - 1;
    struct redo_range reads = {
        .lower = added ? 0 : fmin(at_least_0(copies - others), each),
        .central = each,
        .upper = fmax(1, each),
    };
    load.read_mibps = times_plus(reads, f->redo_mibps, 0);
    return load;
}

struct redo_range redo_cascade_saving(const struct redo_flow *f, int64_t cascaded)
{
    double files = f->online_copies + f->archived_copies;
    double n = (double)f->direct_standbys, c = fmin((double)cascaded, n);
    if (!(n > 0))
        return same(0);
    double central = files * c / n;
    return (struct redo_range){
        .lower = fmin(at_least_0(c - (n - files)), central),
        .central = central,
        .upper = fmax(fmin(c, files), central),
    };
}
