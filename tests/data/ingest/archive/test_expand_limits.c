/* tests/data/ingest/archive/test_expand_limits.c - how deep, how many and how much: a small file
 * that unpacks to a large one is refused. */
#include "tests/data/ingest/archive/expand_log.h"

static struct bytes nested(int levels)
{
    struct bytes b = bytes_of(LIT("deep"));
    for (int i = 0; i < levels; i++)
        b = i % 2 ? pack_again(PACK_GZIP, "x", pack_again(PACK_TAR, "t", b))
                  : pack_again(PACK_ZIP, "z", b);
    return b;
}

static void levels_have_a_limit(void **state)
{
    (void)state;
    check(nested(4), "f/t/z/t/z=deep\n");
    check(nested(5), "!f/z/t/z/t: is packed more than 4 times, the limit; --max-expand SIZE raises "
                     "it\n");
    check_limited(nested(8), 1 << 20, "f/t/z/t/z/t/z/t/z=deep\n");
    check_limited(nested(9), 1 << 20,
                  "!f/z/t/z/t/z/t/z/t: is packed more than 8 times, the limit; --max-expand SIZE "
                  "raises it\n");

    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    struct bytes b = nested(4);
    pack_open(&p);
    pack_file(&p, "deep", span_of_bytes(b));
    pack_file(&p, "end", LIT("."));
    free(b.ptr);
    check(pack_end(&p), "!f/deep/t/z/t: is packed more than 4 times, the limit; --max-expand SIZE "
                        "raises it\nf/end=.\n");
}

static struct bytes zeros(size_t n)
{
    struct bytes b = { calloc(n, 1), n };
    assert_non_null(b.ptr);
    return b;
}

#define RATIO_WORDS                                                                                \
    "unpacks to more than 1 000 times what was read of it, the limit from 64 MiB on; "             \
    "--max-expand SIZE raises it\n"

/* 80 MiB of zeros are 80 KiB of gzip, a ratio of 1 030: RFC 1951 packs 258 bytes into 2 bits. */
static void the_ratio_has_a_limit(void **state)
{
    (void)state;
    enum { SIZE = 80 << 20 };
    struct bytes gz = pack_again(PACK_GZIP, "x", zeros(SIZE));
    assert_in_range(gz.len, SIZE / 1040, SIZE / 1010);
    check(bytes_of(span_of_bytes(gz)), "!f: " RATIO_WORDS);
    check_limited(bytes_of(span_of_bytes(gz)), SIZE, "f=83886080 bytes\n");
    check_limited(bytes_of(span_of_bytes(gz)), SIZE - (1 << 20),
                  "!f: unpacks to more than 79 MiB, the limit; --max-expand SIZE raises it\n");

    /* Below 64 MiB no ratio is too high; packed twice, the outer layer counts alone. */
    check(pack_again(PACK_GZIP, "x", zeros(63 << 20)), "f=66060288 bytes\n");
    check(pack_again(PACK_GZIP, "x", gz), "!f: " RATIO_WORDS);
    check(pack_again(PACK_BZIP2, "x", zeros(65 << 20)), "!f: " RATIO_WORDS);
    check(pack_again(PACK_XZ, "x", zeros(65 << 20)), "!f: " RATIO_WORDS);
    check(pack_again(PACK_ZSTD, "x", zeros(65 << 20)), "!f: " RATIO_WORDS);

    struct packer p = pack_begin(PACK_ZIP, NULL, NULL);
    struct bytes b = zeros(40 << 20); /* two of them */
    pack_open(&p);
    pack_file(&p, "a", span_of_bytes(b));
    pack_file(&p, "b", span_of_bytes(b));
    pack_file(&p, "c", LIT("never seen"));
    free(b.ptr);
    check(pack_end(&p), "f/a=41943040 bytes\n!f/b: " RATIO_WORDS);
}

/* A hole of a terabyte in a tar of a few kilobytes, wanted or not. */
static void holes_count(void **state)
{
    (void)state;
    for (int skim = 0; skim < 2; skim++) {
        struct packer p = pack_begin(PACK_TAR, NULL, NULL);
        pack_open(&p);
        struct archive_entry *e = archive_entry_new();
        assert_non_null(e);
        archive_entry_copy_pathname(e, "hole");
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_size(e, INT64_C(1) << 40);
        archive_entry_sparse_add_entry(e, 0, 4);
        assert_int_equal(archive_write_header(p.a, e), ARCHIVE_OK);
        assert_int_equal(archive_write_data(p.a, "data", 4), 4);
        archive_entry_free(e);
        struct log l = { .skim = skim };
        struct bytes b = pack_end(&p);
        assert_true(b.len < 16384);
        expand_bytes(&l, span_of_bytes(b), 0);
        free(b.ptr);
        assert_string_equal(l.text, skim ? "f/hole=\n!f: " RATIO_WORDS : "!f/hole: " RATIO_WORDS);
    }
}

static void members_have_a_limit(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct packer p = pack_begin(PACK_TAR, NULL, NULL);
        char name[24];
        pack_open(&p);
        for (int i = 1; i < EXPAND_MEMBERS; i++) {
            snprintf(name, sizeof name, "%d", i);
            pack_entry(&p, name, AE_IFDIR, NULL, LIT(""));
        }
        pack_file(&p, "a", LIT("1"));
        if (more)
            pack_file(&p, "b", LIT("2"));
        check(pack_end(&p), more ? "f/a=1\n!f: holds more than 100000 members, the limit; "
                                   "--max-expand SIZE raises it\n"
                                 : "f/a=1\n");
    }
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(levels_have_a_limit),
        cmocka_unit_test(the_ratio_has_a_limit),
        cmocka_unit_test(holes_count),
        cmocka_unit_test(members_have_a_limit),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
