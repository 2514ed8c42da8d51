/* tests/models/ebs/test_oracle_ebs_vectors.c - group EBS of the worked Oracle examples
 * (tests/vectors/oracle_ebs.csv), one test a row.
 *
 * Left out: EBS027 (a gp2 volume draining under a load: replay) and EBS031 (its tolerance is
 * "source between the two": test_vol_modify.c).  Tolerances of this group are relative, with or
 * without a percent sign. */
#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "models/ebs/io_count.h"
#include "models/ebs/vol_rule.h"
#include "tests/vectors/vector_tests.h"

#include <cjson/cJSON.h>

static struct vector_rows *v;

static const char *const left_out[] = { "EBS027", "EBS031" };

static const struct vector_file file = { "tests/vectors/oracle_ebs.csv", "formula", left_out,
                                         sizeof left_out / sizeof left_out[0] };

struct example {
    const cJSON *in, *want;
    double tolerance;
    size_t n_met;
};

static void meets(struct example *x, const char *key, double got)
{
    const cJSON *want = cJSON_GetObjectItemCaseSensitive(x->want, key);
    assert_non_null(want);
    x->n_met++;
    if (cJSON_IsNull(want)) {
        assert_true(isnan(got));
        return;
    }
    assert_true(cJSON_IsNumber(want));
    assert_true(fabs(got - want->valuedouble) <= x->tolerance * fabs(want->valuedouble));
}

static double input(const struct example *x, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(x->in, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const struct vol_rule *rule(enum volume_type type, const char *day)
{
    struct span s = span_of(day);
    int64_t t;
    assert_int_equal(time_parse_date(&s, &t), 0);
    return vol_rule_at(&builtin_catalogue, type, t, NULL, UNKNOWN);
}

/* io2 before Block Express, of any size that allows the IOPS. */
static struct vol_limits old_io2(double iops)
{
    struct volume_spec s = { VOL_IO2, 1, 1000, (int64_t)iops, UNKNOWN };
    return vol_limits(rule(VOL_IO2, "2022-06-01"), &s, false);
}

static void io_old_throughput(struct example *x)
{
    double io2_mibps = old_io2(input(x, "iops")).max_throughput_mibps;
    meets(x, "MiBps", io2_mibps);
    /* io1 has the same curve to this day */
    struct volume_spec s = { VOL_IO1, 1, 2000, (int64_t)input(x, "iops"), UNKNOWN };
    assert_true(vol_limits(rule(VOL_IO1, "2026-01-15"), &s, false).max_throughput_mibps ==
                io2_mibps);
}

static void io_old_split(struct example *x)
{
    static const char *const sides[][3] = { { "a", "a_MiBps", "a_iops" },
                                            { "b", "b_MiBps", "b_iops" } };
    for (size_t i = 0; i < 2; i++) {
        double mibps = 0, iops = 0;
        const cJSON *volume;
        cJSON_ArrayForEach(volume, cJSON_GetObjectItemCaseSensitive(x->in, sides[i][0]))
        {
            struct vol_limits l = old_io2(volume->valuedouble);
            mibps += l.max_throughput_mibps;
            iops += l.max_iops;
        }
        meets(x, sides[i][1], mibps);
        meets(x, sides[i][2], iops);
    }
}

static void gp2_limits(struct example *x)
{
    struct volume_spec s = { VOL_GP2, 1, (int64_t)input(x, "GiB"), UNKNOWN, UNKNOWN };
    struct vol_limits l = vol_limits(rule(VOL_GP2, "2026-01-15"), &s, false);
    meets(x, "base_MiBps", l.baseline_throughput_mibps);
    meets(x, "base_iops", l.baseline_iops);
    meets(x, "burst_s", l.burst_seconds);
    meets(x, "max_MiBps", l.max_throughput_mibps);
}

/* Small random requests on st1: each costs a token of 1 MiB. */
static void st1_small_io(struct example *x)
{
    double io_kib = input(x, "io_KiB");
    double iops = input(x, "MiBps") * 1024 / io_kib;
    double cap_kib = (double)rule(VOL_ST1, "2026-01-15")->io_cap_kib;
    meets(x, "iops", iops);
    meets(x, "token_MiBps", iops * io_counted(io_kib, cap_kib) * cap_kib / 1024);
}

static void consumed_ops(struct example *x)
{
    const cJSON *sizes = cJSON_GetObjectItemCaseSensitive(x->in, "io_KiB");
    const cJSON *units = cJSON_GetObjectItemCaseSensitive(x->want, "units");
    int n = cJSON_GetArraySize(sizes);
    assert_int_equal(n, cJSON_GetArraySize(units));
    for (int i = 0; i < n; i++)
        assert_true(io_counted(cJSON_GetArrayItem(sizes, i)->valuedouble, 256) ==
                    cJSON_GetArrayItem(units, i)->valuedouble);
    x->n_met++;
}

/* LGWR writing 4 KiB blocks to one gp3 as it comes. */
static void lgwr_gp3(struct example *x)
{
    struct volume_spec s = { VOL_GP3, 1, 100, UNKNOWN, UNKNOWN };
    const struct vol_rule *r = rule(VOL_GP3, "2026-01-15");
    vol_fill_defaults(r, &s);
    struct vol_limits l = vol_limits(r, &s, false);
    assert_true(l.max_iops == input(x, "vol_iops"));
    assert_true(l.max_throughput_mibps == input(x, "vol_MiBps"));

    double mibps = input(x, "MiBps");
    double iops_use = io_counted_likely(input(x, "iops"), mibps, 256) / l.max_iops;
    double tput_use = mibps / l.max_throughput_mibps;
    meets(x, "iops_util", iops_use);
    meets(x, "tput_util", tput_use);
    const char *verdict = iops_use > 1 && tput_use <= 1 ? "IOPS cap exceeded, throughput fits" : "";
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(x->want, "verdict")->valuestring, verdict);
    x->n_met++;
}

static const struct formula {
    const char *name;
    void (*check)(struct example *);
    size_t n; /* rows of the file */
} formulas[] = {
    { "io_old_throughput", io_old_throughput, 11 },
    { "io_old_split", io_old_split, 1 },
    { "gp2_limits", gp2_limits, 14 },
    { "st1_small_io", st1_small_io, 1 },
    { "consumed_ops", consumed_ops, 1 },
    { "lgwr_gp3", lgwr_gp3, 1 },
};
enum { N_FORMULAS = sizeof formulas / sizeof formulas[0] };

static double tolerance_of(struct span text)
{
    double percent = span_ends(text, "%") ? 0.01 : 1;
    return vector_num(span_cut(text, 0, text.len - (percent < 1))) * percent;
}

static void test_row(void **state)
{
    const struct facts_row *at = *state;
    size_t row = (size_t)(at - v->rows);
    struct span in = vector_text(v, row, "inputs"), want = vector_text(v, row, "expected");
    cJSON *in_json = cJSON_ParseWithLength(in.ptr, in.len);
    cJSON *want_json = cJSON_ParseWithLength(want.ptr, want.len);
    assert_non_null(in_json);
    assert_non_null(want_json);
    struct example x = { in_json, want_json, tolerance_of(vector_text(v, row, "tol")), 0 };
    size_t i = 0;
    while (i < N_FORMULAS && !span_is(vector_text(v, row, "formula"), formulas[i].name))
        i++;
    assert_true(i < N_FORMULAS);
    formulas[i].check(&x);
    assert_int_equal(x.n_met, cJSON_GetArraySize(want_json)); /* every expected key was looked at */
    cJSON_Delete(in_json);
    cJSON_Delete(want_json);
}

static void test_every_row_counted(void **state)
{
    (void)state;
    vector_assert_left_out(&file, v);
    for (size_t i = 0; i < N_FORMULAS; i++)
        vector_assert_count(&file, v, formulas[i].name, formulas[i].n);
}

int main(void)
{
    return vector_tests_run("oracle vectors, group EBS", &file, &v, test_every_row_counted,
                            test_row);
}
