/* cli/cmd/ingest_args.c - see ingest_args.h. */
#include "cli/cmd/ingest_args.h"

#include "cli/nearest.h"
#include "data/zone.h"

static int check_format(const char *name, struct err *e)
{
    size_t n;
    const struct format *formats = format_table(&n);
    if (!name || format_find(name))
        return 0;
    struct nearest near = { .word = name };
    char hint[96];
    for (size_t i = 0; i < n; i++)
        nearest_try(&near, formats[i].name);
    return err_set(e, ERR_USAGE,
                   "--format: '%.80s' is none of the formats that 'volplan help inspect' lists%s",
                   name, nearest_hint(hint, &near, ""));
}

int ingest_args(struct app *app, struct ingest_files_options *out, struct err *e)
{
    double max_gib = app_number(app, OPT_MAX_EXPAND);
    *out = (struct ingest_files_options){
        .parse = { .format = app_text(app, OPT_FORMAT),
                   .date_ms = app_whole(app, OPT_DATE),
                   .interval_s = app_number(app, OPT_INTERVAL) },
        .system = app_text(app, OPT_SYSTEM),
        .max_expand_bytes = isnan(max_gib) ? 0 : (int64_t)(max_gib * 1024 * MIB_BYTES),
        .zone_name = app_text(app, OPT_TZ),
    };
    int rc = check_format(out->parse.format, e);
    if (!rc && out->zone_name)
        rc = zone_open(span_of(out->zone_name), &app->arena, &out->parse.zone, e);
    return rc;
}

void emit_ingest_warnings(struct emit *m, const struct ingest_result *r)
{
    emit_begin(m, "warnings", EMIT_LIST);
    for (size_t i = 0; i < r->n_warnings; i++) {
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_int(m, "line", UNIT_COUNT, r->warnings[i].line ? r->warnings[i].line : UNKNOWN);
        emit_text(m, "text", r->warnings[i].text);
        emit_end(m);
    }
    emit_end(m);
}

int ingest_failures(const struct app *app, const struct ingest_results *r)
{
    int code = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct ingest_result *f = &r->item[i];
        if (f->status != INGEST_FAILED)
            continue;
        app_complain(app, f->error);
        if (!code || code == ERR_USAGE)
            code = f->code == ERR_USAGE ? ERR_USAGE : ERR_PARSE;
    }
    return code;
}
