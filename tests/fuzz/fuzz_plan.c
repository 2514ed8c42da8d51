/* tests/fuzz/fuzz_plan.c - any bytes as a plan's JSON, and as a volume spec that a person types.
 *
 * What is accepted has a system, groups with names, and figures within their ranges; a spec that
 * was read is printed and read again as the same. */
#include "tests/fuzz/fuzz_formats.h"

#include "data/ingest/plan/plan_json.h"
#include "models/vocab/volume_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_spec(struct span text)
{
    struct volume_spec v, again;
    struct err e = { 0 };
    char printed[96];
    int rc = volume_text_parse(text, &v, &e);
    demand(rc == 0 || (rc == ERR_USAGE && e.text[0]));
    if (rc)
        return;
    demand(v.type < VOL_TYPE_COUNT && v.count >= 1 && v.size_gib >= 1);
    rc = volume_text_parse(span_of(volume_spec_format(printed, &v)), &again, &e);
    demand(rc == 0 && again.type == v.type && again.count == v.count &&
           again.size_gib == v.size_gib && again.iops == v.iops &&
           again.throughput_mibps == v.throughput_mibps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    struct plan_file p;
    struct err e = { 0 };
    struct span bytes = { (const char *)data, size };
    int rc = plan_json_parse(bytes, &a, &p, &e);
    demand(rc == 0 || (rc == ERR_PARSE && e.text[0]));
    if (!rc) {
        demand(p.system && *p.system && p.as_of_ms != UNKNOWN && p.n_groups > 0);
        for (size_t i = 0; i < p.n_groups; i++) {
            const struct plan_file_group *g = &p.groups[i];
            demand(g->name && *g->name);
            demand(g->kept ||
                   (g->spec.type < VOL_TYPE_COUNT && g->spec.count >= 1 && g->spec.size_gib >= 1));
        }
    }
    arena_release(&a);
    read_spec(bytes);
    static const char *const names[] = { "plan" };
    return read_as_each(names, sizeof names / sizeof *names, data, size);
}
