/* cli/cmd/cmd_peaks.c - volplan peaks: what was measured. */
#include "cli/cmd/cmd.h"

#include "cli/cmd/with_systems.h"
#include "planner/report/report.h"

int cmd_peaks(struct app *app, struct err *e)
{
    static const enum peaks_by kinds[] = { PEAKS_BY_GROUP, PEAKS_BY_DEVICE, PEAKS_BY_FILETYPE,
                                           PEAKS_BY_INSTANCE };
    struct system_input in;
    struct demand_options o;
    struct peaks peaks;
    demand_options_init(&o, app->catalogue);
    o.from_ms = app_whole(app, OPT_FROM);
    o.to_ms = app_whole(app, OPT_TO);
    o.peak_factor = app_number(app, OPT_PEAK_FACTOR);
    if (o.from_ms != UNKNOWN && o.to_ms != UNKNOWN && o.from_ms >= o.to_ms)
        return err_set(e, ERR_USAGE, "--from is not before --to");

    enum peaks_by by = kinds[app_whole(app, OPT_BY)];
    const struct demand_source *sources;
    size_t n_sources;
    int rc = system_input(app, by == PEAKS_BY_GROUP || by == PEAKS_BY_INSTANCE, &in, e);
    if (!rc)
        rc = with_systems(app, &in, &sources, &n_sources, e);
    if (!rc)
        rc = peaks_build(sources, n_sources, &o, by, app_text(app, OPT_GROUP), &app->arena, &peaks,
                         e);
    if (rc)
        return rc;
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    report_peaks(m, &peaks);
    return app_finish(m, 0, e);
}
