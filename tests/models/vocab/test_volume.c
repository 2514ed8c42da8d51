/* tests/models/vocab/test_volume.c - names of volume types and how a spec is printed. */
#include "models/core/unit.h"
#include "models/vocab/volume.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_names_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < VOL_TYPE_COUNT; i++) {
        enum volume_type t = VOL_TYPE_COUNT;
        assert_int_equal(volume_type_parse(span_of(volume_type_name((enum volume_type)i)), &t), 0);
        assert_int_equal(t, i);
    }
    enum volume_type t = VOL_GP3;
    assert_int_not_equal(volume_type_parse(SPAN_LIT("gp4"), &t), 0);
    assert_int_not_equal(volume_type_parse(SPAN_LIT("io"), &t), 0);
    assert_int_equal(t, VOL_GP3);
}

static void test_format(void **state)
{
    (void)state;
    char buf[96];
    struct volume_spec one = { VOL_IO2, 1, 500, 5000, UNKNOWN };
    struct volume_spec two = { VOL_GP3, 2, 16384, 3000, 500 };
    assert_string_equal(volume_spec_format(buf, &one), "io2 500 GiB 5 000 IOPS");
    assert_string_equal(volume_spec_format(buf, &two), "2 x gp3 16 384 GiB 3 000 IOPS 500 MiB/s");
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(test_names_come_back),
        cmocka_unit_test(test_format),
    };
    return cmocka_run_group_tests_name("volume", t, NULL, NULL);
}
