/* tests/planner/report/test_pack.c - packed arrays hold the bytes that they say: the alphabet and
 * the padding of RFC 4648, little-endian values of IEEE 754. */
#include "planner/report/pack.h"

#include "models/core/unit.h"
#include "tests/each_allocation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An emitter that writes what it is told, for these tests: "key{type=u8 n=3 b64=... }". */
static char told[4000];

static void tell(const char *a, const char *b, const char *c, const char *d)
{
    size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%s%s%s%s", a, b, c, d);
}

static void begin(struct emit *m, const char *key, enum emit_kind kind, const struct emit_col *cols,
                  size_t n)
{
    (void)m, (void)kind, (void)cols, (void)n;
    tell(key, "{", "", "");
}

static void end(struct emit *m)
{
    (void)m;
    tell("}", "", "", "");
}

static void value(struct emit *m, const char *key, const struct emit_value *v)
{
    char buf[32];
    (void)m;
    snprintf(buf, sizeof buf, "%lld", (long long)v->integer);
    tell(key, "=", v->kind == EMIT_TEXT ? v->text : buf, " ");
}

static const struct emit_ops ops = { .begin = begin, .end = end, .value = value };

static struct emit fresh(void)
{
    told[0] = '\0';
    return (struct emit){ .ops = &ops };
}

/* The examples of RFC 4648, section 10. */
static void base64_of_the_rfc(void **state)
{
    static const struct {
        const char *bytes, *want;
    } cases[] = {
        { "", "x{type=u8 n=0 b64= }" },
        { "f", "x{type=u8 n=1 b64=Zg== }" },
        { "fo", "x{type=u8 n=2 b64=Zm8= }" },
        { "foo", "x{type=u8 n=3 b64=Zm9v }" },
        { "foob", "x{type=u8 n=4 b64=Zm9vYg== }" },
        { "fooba", "x{type=u8 n=5 b64=Zm9vYmE= }" },
        { "foobar", "x{type=u8 n=6 b64=Zm9vYmFy }" },
        { "\xfb\xff\xbf", "x{type=u8 n=3 b64=+/+/ }" }, /* the last two of the alphabet */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = { 0 };
        struct emit m = fresh();
        emit_pack_u8(&m, "x", (const unsigned char *)cases[i].bytes, strlen(cases[i].bytes), &a);
        assert_string_equal(told, cases[i].want);
        arena_release(&a);
    }
}

/* 1.0 is 0x3f800000: 00 00 80 3f; -2.5 is 0xc0200000: 00 00 20 c0; NaN is 0x7fc00000. */
static void numbers_are_floats(void **state)
{
    static const double v[] = { 1, -2.5, NAN };
    struct arena a = { 0 };
    struct emit m = fresh();
    (void)state;
    emit_pack_f32(&m, "x", v, 3, &a);
    assert_string_equal(told, "x{type=f32 n=3 b64=AACAPwAAIMAAAMB/ }");
    arena_release(&a);
}

/* Minutes from a time on: 0, 1, 3 of 60 000 ms each. */
static void times_are_steps(void **state)
{
    static const int64_t v[] = { 1652853600000, 1652853660000, 1652853780000 };
    struct arena a = { 0 };
    struct emit m = fresh();
    (void)state;
    emit_pack_ms(&m, "t", v, 3, &a);
    assert_string_equal(told,
                        "t{type=u32 n=3 base=1652853600000 scale=60000 b64=AAAAAAEAAAADAAAA }");
    arena_release(&a);
}

/* 2^32 ms and one more: no steps that fit.  0.0, 1.0 (3ff0...), 4294967296.0 (41f0 0000 ...). */
static void times_too_long_are_doubles(void **state)
{
    static const int64_t v[] = { 0, 1, INT64_C(4294967296) };
    struct arena a = { 0 };
    struct emit m = fresh();
    (void)state;
    emit_pack_ms(&m, "t", v, 3, &a);
    assert_string_equal(told, "t{type=f64 n=3 b64=AAAAAAAAAAAAAAAAAADwPwAAAAAAAPBB }");
    arena_release(&a);
}

static void memory_runs_out(void **state)
{
    static const int64_t t[] = { 0, 60000 };
    static const double v[] = { 1, 2 };
    struct each_allocation it = { 0 };
    (void)state;
    while (each_allocation(&it)) {
        struct emit m = fresh();
        emit_pack_ms(&m, "t", t, 2, &it.a);
        emit_pack_f32(&m, "x", v, 2, &it.a);
        emit_pack_u8(&m, "y", (const unsigned char *)"ab", 2, &it.a);
        it.rc = m.failed;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_of_the_rfc), cmocka_unit_test(numbers_are_floats),
        cmocka_unit_test(times_are_steps),   cmocka_unit_test(times_too_long_are_doubles),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
