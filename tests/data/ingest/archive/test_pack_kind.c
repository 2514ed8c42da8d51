/* tests/data/ingest/archive/test_pack_kind.c - packed or not, from the first bytes. */
#include "tests/data/ingest/archive/packer.h"
#include "tests/row_tests.h"

#define N(a) (sizeof(a) / sizeof *(a))
#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static const struct kind_case {
    const char *why;
    struct span head;
    enum pack_kind want;
} cases[] = {
    { "nothing", BYTES(""), PACK_NONE },
    { "text", BYTES("Linux 5.4.17 (db1)\n"), PACK_NONE },
    { "gzip, deflate", BYTES("\x1F\x8B\x08\0"), PACK_GZIP },
    { "gzip with a method that nobody has", BYTES("\x1F\x8B\x07\0"), PACK_NONE },
    { "half a magic number", BYTES("\x1F\x8B"), PACK_NONE },
    { "bzip2, a block", BYTES("BZh91AY&SY..."), PACK_BZIP2 },
    { "bzip2 of nothing", BYTES("BZh1\x17\x72\x45\x38\x50\x90...."), PACK_BZIP2 },
    { "a word that begins like bzip2", BYTES("BZhello world"), PACK_NONE },
    { "bzip2 without a block size", BYTES("BZh01AY&SY..."), PACK_NONE },
    { "xz",
      BYTES("\xFD"
            "7zXZ\0\0\4"),
      PACK_XZ },
    { "zstd", BYTES("\x28\xB5\x2F\xFD\x24"), PACK_ZSTD },
    { "zip", BYTES("PK\x03\x04\x14\0"), PACK_ZIP },
    { "a zip without members", BYTES("PK\x05\x06\0\0"), PACK_ZIP },
    { "initials", BYTES("PKW report"), PACK_NONE },
};

static void told(void **state)
{
    const struct kind_case *c = *state;
    assert_int_equal(pack_kind_of(c->head), c->want);
}

/* One byte of the header changed, and it is none. */
static void a_tar_is_told_by_its_checksum(void **state)
{
    (void)state;
    struct bytes b = pack_one(PACK_TAR, "a.txt", SPAN_LIT("hello"));
    assert_int_equal(pack_kind_of(span_of_bytes(b)), PACK_TAR);
    assert_int_equal(pack_kind_of((struct span){ b.ptr, 511 }), PACK_NONE);
    b.ptr[0] ^= 1;
    assert_int_equal(pack_kind_of(span_of_bytes(b)), PACK_NONE);
    memset(b.ptr, 0, 512);
    assert_int_equal(pack_kind_of(span_of_bytes(b)), PACK_NONE);
    free(b.ptr);
}

/* Tars before POSIX have a name, a checksum and no magic number; signed characters were summed
 * where char is signed.  "\xE4" x 1 and 504 NULs: 0xE4 + 8 * 32 = 484 = 0744, or -28 + 256 = 228
 * = 0344. */
static void old_tars(void **state)
{
    (void)state;
    char head[512] = "\xE4";
    memcpy(head + 148, "000744\0 ", 8);
    assert_int_equal(pack_kind_of((struct span){ head, 512 }), PACK_TAR);
    memcpy(head + 148, "000344\0 ", 8);
    assert_int_equal(pack_kind_of((struct span){ head, 512 }), PACK_TAR);
    memcpy(head + 148, "000345\0 ", 8);
    assert_int_equal(pack_kind_of((struct span){ head, 512 }), PACK_NONE);
    memcpy(head + 148, "00074x\0 ", 8);
    assert_int_equal(pack_kind_of((struct span){ head, 512 }), PACK_NONE);
    memcpy(head + 148, "        ", 8);
    assert_int_equal(pack_kind_of((struct span){ head, 512 }), PACK_NONE);
}

int main(void)
{
    struct CMUnitTest t[N(cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, cases, told);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(a_tar_is_told_by_its_checksum);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(old_tars);
    return _cmocka_run_group_tests("pack_kind", t, n, NULL, NULL);
}
