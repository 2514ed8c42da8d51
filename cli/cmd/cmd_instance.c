/* cli/cmd/cmd_instance.c - volplan instance: caps of types, or the cheapest for a need. */
#include "cli/cmd/cmd.h"

#include "planner/report/report_instance.h"

int cmd_instance(struct app *app, struct err *e)
{
    static const enum weighting weightings[] = { WEIGHTING_DEFAULT, WEIGHTING_EBS_1,
                                                 WEIGHTING_VPC_1 };
    size_t n = app->in.n_args;
    const struct instance_type **types = NULL;
    if (n) {
        types = arena_array(&app->arena, n, sizeof(void *));
        if (!types)
            return err_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        int rc = app_instance(app, app->in.args[i], &types[i], e);
        if (rc)
            return rc;
    }
    struct instance_question q = {
        .catalogue = app->catalogue,
        .types = types,
        .n_types = n,
        .need = { .throughput_mb_s = app_number(app, OPT_THROUGHPUT_MB_S),
                  .iops = app_number(app, OPT_IOPS),
                  .memory_gib = app_number(app, OPT_MEMORY),
                  .vcpu = app_whole(app, OPT_VCPU),
                  .volumes = app_whole(app, OPT_VOLUMES),
                  .arch = app_text(app, OPT_ARCH),
                  .allow_burst = app_flag(app, OPT_ALLOW_BURST) },
        .weighting = weightings[app_whole(app, OPT_WEIGHTING)],
        .region = app->region,
        .top = (size_t)app_whole(app, OPT_TOP),
    };
    struct emit *m = app_emit(app);
    if (!m)
        return err_nomem(e);
    return app_finish(m, report_instance(m, &q, &app->arena, e), e);
}
