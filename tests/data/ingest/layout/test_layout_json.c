/* tests/data/ingest/layout/test_layout_json.c - keys, defaults and refusals of the layout JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/ingest/layout/layout_json.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "tests/each_allocation.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const char full[] =
    "{\"system\":\"PRD1\",\"region\":\"eu-west-1\",\"instance_type\":\"r5.8xlarge\","
    "\"instances\":[1,2],\"network_interfaces\":2,\n"
    " \"redo\":{\"members\":2,\"block_bytes\":512,\"log_gib\":4.5,\"groups\":6,\"buffer_mib\":64,"
    "\"archive_copies\":1,\"read_member\":1,\"other_archive_readers\":0,"
    "\"other_online_readers\":0.5},\n"
    " \"standbys\":[{\"name\":\"stb1\",\"transport\":\"async\",\"send_mibps\":40,\"rtt_ms\":80,"
    "\"window_kib\":null,\"apply_mibps\":null,\"via\":null,\"site\":\"dub\"},{\"name\":\"stb2\","
    "\"transport\":\"sync\",\"via\":\"stb1\"}],\n"
    " \"groups\":[{\"name\":\"REDO1\",\"role\":\"redo\",\"log_member\":1,\"redundancy\":\"normal\","
    "\"skew\":1.25,\"au_mib\":4,\"devices\":[\"nvme8n1\",\"host2:nvme*n1\"],"
    "\"volume_ids\":[\"vol-0abc\"],\"files\":[{\"name\":\"Log File\",\"share_pct\":50},"
    "{\"name\":\"Other\"}],\"need_gib\":200,\"used_gib\":null,"
    "\"volumes\":[{\"type\":\"io2\",\"count\":2,\"size_gib\":500,\"iops\":5000,"
    "\"throughput_mibps\":null,\"since\":\"2022-03-01\"}],"
    "\"policy\":{\"types\":[\"io2\",\"gp3\"],\"min_count\":2,\"max_count\":8,\"min_iops\":100,"
    "\"max_latency_class\":\"sub-ms\",\"min_durability_pct\":99.9,\"equal_size\":false,"
    "\"size_step_gib\":10,\"keep\":true}}]}\n";

static int parse(const char *json, struct arena *a, struct layout *l, struct err *e)
{
    return layout_parse(span_of(json), a, l, e);
}

static void every_key(void **state)
{
    (void)state;
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    if (parse(full, &a, &l, &e))
        fail_msg("%s", e.text);
    assert_string_equal(l.system, "PRD1");
    assert_string_equal(l.region, "eu-west-1");
    assert_string_equal(l.instance_type, "r5.8xlarge");
    assert_int_equal(l.n_instances, 2);
    assert_true(l.instances[0] == 1 && l.instances[1] == 2);
    assert_int_equal(l.network_interfaces, 2);
    assert_true(l.redo.members == 2 && l.redo.block_bytes == 512 && l.redo.groups == 6 &&
                l.redo.archive_copies == 1 && l.redo.read_member == 1);
    assert_true(l.redo.log_gib == 4.5 && l.redo.buffer_mib == 64 &&
                l.redo.other_archive_readers == 0 && l.redo.other_online_readers == 0.5);

    assert_int_equal(l.n_standbys, 2);
    const struct layout_standby *s = l.standbys;
    assert_string_equal(s[0].name, "stb1");
    assert_string_equal(s[0].transport, "async");
    assert_true(s[0].send_mibps == 40 && s[0].rtt_ms == 80 && isnan(s[0].window_kib) &&
                isnan(s[0].apply_mibps));
    assert_null(s[0].via);
    assert_string_equal(s[0].site, "dub");
    assert_string_equal(s[1].transport, "sync");
    assert_string_equal(s[1].via, "stb1");

    assert_int_equal(l.n_groups, 1);
    const struct layout_group *g = l.groups;
    assert_string_equal(g->name, "REDO1");
    assert_true(g->role == ROLE_REDO && g->redundancy == REDUNDANCY_NORMAL && g->skew == 1.25 &&
                g->log_member == 1 && g->au_mib == 4 && g->need_gib == 200 &&
                g->used_gib == UNKNOWN);
    assert_int_equal(g->n_devices, 2);
    assert_string_equal(g->devices[1], "host2:nvme*n1");
    assert_int_equal(g->n_volume_ids, 1);
    assert_string_equal(g->volume_ids[0], "vol-0abc");
    assert_int_equal(g->n_files, 2);
    assert_true(g->files[0].share_pct == 50 && g->files[1].share_pct == 100);
    assert_int_equal(g->n_volumes, 1);
    const struct layout_volumes *v = g->volumes;
    assert_true(v->spec.type == VOL_IO2 && v->spec.count == 2 && v->spec.size_gib == 500 &&
                v->spec.iops == 5000 && v->spec.throughput_mibps == UNKNOWN);
    char date[32];
    assert_string_equal(time_format_date(date, v->since_ms), "2022-03-01");
    const struct group_policy *p = &g->policy;
    assert_int_equal(p->types, 1u << VOL_IO2 | 1u << VOL_GP3);
    assert_true(p->min_count == 2 && p->max_count == 8 && p->min_iops == 100 &&
                p->min_durability_pct == 99.9 && !p->equal_size && p->size_step_gib == 10 &&
                p->keep);
    assert_string_equal(p->max_latency_class, "sub-ms");
    arena_release(&a);
}

/* The least a layout can be, and a null for what may be left out: the defaults of layout.h. */
static void defaults(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"system\":\"S\",\"groups\":[{\"name\":\"DATA\",\"volumes\":[{\"type\":\"gp3\"}]}]}",
        "\xEF\xBB\xBF{\"system\":\"S\",\"region\":null,\"instances\":null,\"redo\":null,"
        "\"standbys\":null,\"network_interfaces\":null,\"groups\":[{\"name\":\"DATA\","
        "\"role\":null,\"skew\":null,\"policy\":{\"min_count\":null,\"equal_size\":null},"
        "\"volumes\":[{\"type\":\"gp3\",\"count\":null,\"since\":null}]}]}",
    };
    for (size_t i = 0; i < N(texts); i++) {
        struct arena a = { 0 };
        struct layout l;
        struct err e = { 0 };
        if (parse(texts[i], &a, &l, &e))
            fail_msg("%s", e.text);
        assert_null(l.region);
        assert_null(l.instance_type);
        assert_true(l.n_instances == 0 && l.n_standbys == 0 && l.network_interfaces == 1);
        assert_true(l.redo.members == UNKNOWN && l.redo.archive_copies == UNKNOWN &&
                    isnan(l.redo.log_gib) && isnan(l.redo.other_online_readers));
        const struct layout_group *g = l.groups;
        assert_true(g->role == ROLE_OTHER && g->redundancy == REDUNDANCY_EXTERNAL && g->skew == 1);
        assert_true(g->log_member == UNKNOWN && g->need_gib == UNKNOWN && g->au_mib == UNKNOWN);
        assert_true(g->volumes[0].spec.count == 1 && g->volumes[0].spec.iops == UNKNOWN &&
                    g->volumes[0].since_ms == UNKNOWN);
        const struct group_policy *p = &g->policy;
        assert_true(p->types == 0 && p->min_count == 1 && p->max_count == UNKNOWN &&
                    p->min_iops == 0 && p->equal_size && p->size_step_gib == 1 && !p->keep &&
                    isnan(p->min_durability_pct) && !p->max_latency_class);
        arena_release(&a);
    }
    struct arena a = { 0 };
    struct layout l;
    struct err e;
    assert_int_equal(parse("{\"system\":\"S\"}", &a, &l, &e), 0);
    assert_int_equal(l.n_groups, 0);
    arena_release(&a);
}

#define GROUP(s) "{\"system\":\"S\",\"groups\":[{\"name\":\"A\"},{\"name\":\"B\"," s "}]}"

static const struct bad_case {
    const char *why, *json, *want;
} bad_cases[] = {
    { "an unknown key at the top", "{\"system\":\"S\",\"colour\":1}",
      "colour: unknown key; known here: system, region, instance_type, instances" },
    { "an unknown key within a group", GROUP("\"colour\":1"),
      "groups[1].colour: unknown key; known" },
    { "deeper", GROUP("\"volumes\":[{\"type\":\"gp3\"},{\"type\":\"gp3\",\"x\":1}]"),
      "groups[1].volumes[1].x: unknown key" },
    { "in an object in place", GROUP("\"policy\":{\"type\":[]}"),
      "groups[1].policy.type: unknown" },
    { "no system", "{\"groups\":[]}", "system: missing, but needed" },
    { "a system that is null", "{\"system\":null}", "system: null: expected text" },
    { "an empty name", "{\"system\":\"\"}", "system: '': expected text of 1 to 255 bytes" },
    { "no name of a group", "{\"system\":\"S\",\"groups\":[{}]}", "groups[0].name: missing" },
    { "a number for a name", "{\"system\":7}", "system: 7: expected text" },
    { "text for a number", GROUP("\"need_gib\":\"200\""),
      "groups[1].need_gib: '200': expected a whole number from 0 to 1000000000" },
    { "a fraction of a GiB", GROUP("\"need_gib\":1.5"),
      "groups[1].need_gib: 1.5: expected a whole" },
    { "a negative size", GROUP("\"need_gib\":-1"), "groups[1].need_gib: -1: expected a whole" },
    { "a number beyond every double", GROUP("\"need_gib\":1e999"),
      "groups[1].need_gib: inf: expected" },
    { "skew below 1", GROUP("\"skew\":0.5"), "groups[1].skew: 0.5: expected a number from 1 to" },
    { "a role nobody knows", GROUP("\"role\":\"undo\""),
      "groups[1].role: 'undo': expected one of data, redo, archive, temp, binaries, other" },
    { "a redundancy nobody knows", GROUP("\"redundancy\":\"flex\""),
      "groups[1].redundancy: 'flex': expected one of external, normal, high" },
    { "a volume type nobody knows", GROUP("\"volumes\":[{\"type\":\"io9\"}]"),
      "groups[1].volumes[0].type: 'io9': expected one of gp3, gp2, io2, io1, st1, sc1, standard" },
    { "volumes of no type", GROUP("\"volumes\":[{\"count\":1}]"),
      "groups[1].volumes[0].type: missing, but needed" },
    { "a type in a policy that nobody knows", GROUP("\"policy\":{\"types\":[\"io2\",\"x\"]}"),
      "groups[1].policy.types[1]: 'x': expected one of" },
    { "a policy's types that are no list", GROUP("\"policy\":{\"types\":\"io2\"}"),
      "groups[1].policy.types: 'io2': expected a list" },
    { "a day that does not exist",
      GROUP("\"volumes\":[{\"type\":\"gp3\",\"since\":\"2022-02-30\"}]"),
      "groups[1].volumes[0].since: '2022-02-30': expected a date" },
    { "a time for a date", GROUP("\"volumes\":[{\"type\":\"gp3\",\"since\":\"2022-03-01T00:00\"}]"),
      "groups[1].volumes[0].since: '2022-03-01T00:00': expected a date" },
    { "devices that are no list", GROUP("\"devices\":\"sdb\""),
      "groups[1].devices: 'sdb': expected a list of at most 4096 elements" },
    { "a device that is no text", GROUP("\"devices\":[\"sdb\",3]"),
      "groups[1].devices[1]: 3: expected" },
    { "groups that are no objects", "{\"system\":\"S\",\"groups\":[5]}",
      "groups[0]: 5: expected an object" },
    { "a flag that is a number", GROUP("\"policy\":{\"keep\":1}"),
      "groups[1].policy.keep: 1: expected true or false" },
    { "an instance 0", "{\"system\":\"S\",\"instances\":[0]}",
      "instances[0]: 0: expected a whole" },
    { "a transport nobody knows",
      "{\"system\":\"S\",\"standbys\":[{\"name\":\"a\",\"transport\":\"tcp\"}]}",
      "standbys[0].transport: 'tcp': expected one of async, sync, fastsync" },
    { "a redo block between the sizes", "{\"system\":\"S\",\"redo\":{\"block_bytes\":2048}}",
      "redo.block_bytes: 2048: expected 512, 1024 or 4096" },
    { "a key given twice", "{\"system\":\"S\",\"system\":\"T\"}",
      "system: 'T': expected each key once" },
    { "two groups of one name", "{\"system\":\"S\",\"groups\":[{\"name\":\"A\"},{\"name\":\"A\"}]}",
      "groups[1].name: 'A': expected another name than groups[0]" },
    { "fewer at most than at least", GROUP("\"policy\":{\"min_count\":4,\"max_count\":2}"),
      "groups[1].policy.max_count: 2: expected at least min_count, 4" },
    { "a list at the top", "[]", "layout: a list: expected an object" },
    { "nothing", "", "line 1, column 1: not JSON: it ends too early" },
    { "cut", "{\"system\":\"S\",\n\"groups\":[", "line 2" },
    { "a comma too many", "{\"system\":\"S\",\n  }", "line 2, column 3: not JSON" },
    { "something behind it", "{\"system\":\"S\"} x", "line 1, column 15: not JSON" },
};

static void bad(void **state)
{
    const struct bad_case *c = *state;
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    assert_int_equal(parse(c->json, &a, &l, &e), ERR_PARSE);
    if (strncmp(e.text, c->want, strlen(c->want)) != 0)
        fail_msg("'%s' does not begin with '%s'", e.text, c->want);
    arena_release(&a);
}

/* cJSON stops at 1 000 levels; the answer is an error and no overflow of the stack. */
static void nesting_is_bounded(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *json = malloc(2 * DEPTH);
    assert_non_null(json);
    memset(json, '[', DEPTH);
    memset(json + DEPTH, ']', DEPTH);
    struct arena a = { 0 };
    struct layout l;
    struct err e = { 0 };
    assert_int_equal(layout_parse((struct span){ json, 2 * DEPTH }, &a, &l, &e), ERR_PARSE);
    arena_release(&a);
    free(json);
}

static void a_list_has_a_limit(void **state)
{
    (void)state;
    enum { ROOM = 5000 * 3 + 100 };
    char *json = malloc(ROOM);
    assert_non_null(json);
    for (int n = 4096; n <= 4097; n++) {
        size_t at = (size_t)snprintf(json, ROOM, "{\"system\":\"S\",\"instances\":[1");
        for (int i = 1; i < n; i++)
            at += (size_t)snprintf(json + at, ROOM - at, ",1");
        snprintf(json + at, ROOM - at, "]}");
        struct arena a = { 0 };
        struct layout l;
        struct err e = { 0 };
        assert_int_equal(parse(json, &a, &l, &e), n <= 4096 ? 0 : ERR_PARSE);
        arena_release(&a);
    }
    free(json);
}

static void without_memory(void **state)
{
    (void)state;
    struct each_allocation it = { 0 };
    struct layout l;
    while (each_allocation(&it))
        it.rc = parse(full, &it.a, &l, &it.e);
    assert_true(it.n > 50); /* cJSON takes one for every value and name */
}

int main(void)
{
    struct CMUnitTest t[N(bad_cases) + 5];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, bad_cases, bad);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(every_key);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(defaults);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(nesting_is_bounded);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(a_list_has_a_limit);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(without_memory);
    layout_init();
    return _cmocka_run_group_tests("layout_json", t, n, NULL, NULL);
}
