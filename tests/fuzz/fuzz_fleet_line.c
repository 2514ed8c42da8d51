/* tests/fuzz/fuzz_fleet_line.c - any text as the line of plan --all that a store keeps of a system,
 * which somebody else may have written there.
 *
 * What is accepted has figures within their ranges, can be reported in every form, and comes back
 * from the store as it went there. */
#include "cli/cmd/fleet_line_json.h"
#include "cli/render/buf.h"
#include "cli/render/render.h"
#include "models/core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static bool is_figure(int64_t v)
{
    return v == UNKNOWN || v >= 0;
}

static void demand_group(const struct fleet_group *g)
{
    const struct volume_spec *v = &g->chosen;
    demand(group_role_name(g->role) && grade_name(g->grade) && !isinf(g->total_mibps) &&
           !isinf(g->counted_iops));
    demand(v->type <= VOL_TYPE_COUNT && is_figure(v->count) && is_figure(v->size_gib) &&
           is_figure(v->iops) && is_figure(v->throughput_mibps));
}

static void demand_line(const struct fleet_line *l)
{
    demand(l->status > PLAN_UNSOLVED && l->status <= PLAN_NONE);
    demand(l->status == PLAN_NONE ? l->none_words != NULL : l->volumes >= 0);
    demand(is_figure(l->total_microusd) && is_figure(l->today_microusd) &&
           is_figure(l->instance_microusd) && !isinf(l->demand_mb_s));
    for (size_t i = 0; i < l->n_groups; i++)
        demand_group(&l->groups[i]);
}

static struct emit *to_text(FILE *out)
{
    return render_text(out, (struct text_page){ 0 });
}

static void report(const struct fleet_line *l)
{
    static struct emit *(*const forms[])(FILE *) = { to_text, render_json, render_csv };
    const struct fleet_line lines[] = { *l, *l };
    const struct fleet f = { .as_of_ms = UNKNOWN, .lines = lines, .n_lines = 2 };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct buf said = { 0 };
        struct err e = { 0 };
        FILE *out = buf_stream(&said);
        struct emit *m = forms[i](out);
        report_fleet(m, &f);
        demand(emit_close(m, &e) == 0);
        fclose(out);
        demand(said.len > 0);
        buf_release(&said);
    }
}

/* A byte that is no UTF-8 is written as three, and a text of 1 000 is the longest. */
static bool is_short(const char *text)
{
    return !text || strlen(text) <= 333;
}

static bool can_be_kept(const struct fleet_line *l)
{
    bool can = is_short(l->region) && is_short(l->redo_refused) && is_short(l->instance) &&
               is_short(l->none_group) && is_short(l->none_words);
    for (size_t i = 0; i < l->n_groups; i++)
        can &= is_short(l->groups[i].name);
    return can;
}

static const char *write_and_read(struct fleet_line *l, struct arena *a)
{
    struct err e = { 0 };
    const char *json = NULL;
    demand(fleet_line_write(l, a, &json, &e) == 0);
    demand(fleet_line_read(json, l->system, a, l, &e) == 0);
    return json;
}

/* At first decimals are rounded and bytes that are no UTF-8 replaced; then nothing changes. */
static void comes_back(struct fleet_line l, struct arena *a)
{
    write_and_read(&l, a);
    const char *once = write_and_read(&l, a);
    demand(strcmp(write_and_read(&l, a), once) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    struct err e = { 0 };
    struct fleet_line l;
    const char *json = arena_strndup(&a, (const char *)data, size);
    demand(json);
    int rc = fleet_line_read(json, "PRD1", &a, &l, &e);
    demand(rc == 0 || (rc == ERR_PARSE && e.text[0]));
    if (!rc) {
        demand_line(&l);
        report(&l);
        if (can_be_kept(&l))
            comes_back(l, &a);
    }
    arena_release(&a);
    return 0;
}
