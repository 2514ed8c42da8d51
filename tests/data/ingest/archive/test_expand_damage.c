/* tests/data/ingest/archive/test_expand_damage.c - what is cut short, changed, encrypted or of an
 * unknown kind is told, and what is whole beside it comes. */
#include "tests/data/ingest/archive/expand_log.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const enum pack_kind streams[] = { PACK_GZIP, PACK_BZIP2, PACK_XZ, PACK_ZSTD };

static void gzip_behind_gzip(void **state)
{
    (void)state;
    struct bytes b = pack_one(PACK_GZIP, "x", LIT("one\n"));
    struct bytes c = pack_one(PACK_GZIP, "x", LIT("two\n"));
    bytes_add(&b, span_of_bytes(c));
    free(c.ptr);
    struct bytes padded = bytes_of(span_of_bytes(b)), trailed = bytes_of(span_of_bytes(b));
    bytes_add(&padded, LIT("\0\0\0\0\0\0\0\0"));
    bytes_add(&trailed, LIT("-----"));
    check(b, "f=one\ntwo\n\n");
    check(padded, "f=one\ntwo\n\n");
    check(trailed, "f=one\ntwo\n\n~f has more bytes behind its gzip data: left out\n");
}

/* Every single byte of the data, the checksum and the length counts. */
static void a_changed_byte_of_gzip_is_found(void **state)
{
    (void)state;
    struct bytes b = pack_one(PACK_GZIP, "x", LIT("Device r/s w/s\nsda 100.00 200.00\n"));
    for (size_t i = 10; i < b.len; i++) { /* behind the header, RFC 1952 2.3 */
        struct log l = { .len = 0 };
        b.ptr[i] ^= 0x10;
        expand_bytes(&l, span_of_bytes(b), 0);
        b.ptr[i] ^= 0x10;
        if (strncmp(l.text, "!f: the gzip data is ", 21) != 0)
            fail_msg("byte %zu: %s", i, l.text);
    }
    free(b.ptr);
}

/* Every length but the whole one is refused; nothing hangs. */
static void compressed_data_cut_short(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(streams); i++) {
        struct bytes b = pack_again(streams[i], "x", noise(2000));
        for (size_t len = 16; len < b.len; len += 50) {
            struct log l = { .len = 0 };
            expand_bytes(&l, (struct span){ b.ptr, len }, 0);
            if (l.lines != 1 || !strstr(l.text, "cut short"))
                fail_msg("%s, %zu of %zu bytes: %s", pack_kind_name(streams[i]), len, b.len,
                         l.text);
        }
        free(b.ptr);
    }
}

static struct bytes with_noise(enum pack_kind kind)
{
    struct packer p = pack_begin(kind, NULL, NULL);
    struct bytes b = noise(600000); /* more than is unpacked at once */
    pack_open(&p);
    pack_file(&p, "a", LIT("one"));
    pack_file(&p, "b", span_of_bytes(b));
    pack_file(&p, "c", LIT("three"));
    free(b.ptr);
    return pack_end(&p);
}

/* What was complete comes, what was cut is told, once. */
static void an_archive_cut_short(void **state)
{
    (void)state;
    struct bytes b = with_noise(PACK_TAR);
    b.len = 500000;
    check(b, "f/a=one\n!f/b: the tar archive is damaged or cut short: Truncated tar archive\n");

    b = pack_again(PACK_GZIP, "x", with_noise(PACK_TAR));
    b.len -= 2000;
    check(b, "f/a=one\n!f/b: the gzip data is cut short\n");

    b = with_noise(PACK_ZIP);
    b.len = 500000;
    struct log l = { .len = 0 };
    expand_bytes(&l, span_of_bytes(b), 0);
    assert_ptr_equal(strstr(l.text, "f/a=one\n!f/b: the zip archive is damaged or cut short"),
                     l.text);
    assert_int_equal(l.lines, 2);

    /* The reader did not want it: the archive says it. */
    l = (struct log){ .skim = true };
    expand_bytes(&l, span_of_bytes(b), 0);
    assert_ptr_equal(strstr(l.text, "f/a=\nf/b=\n!f: the zip archive is damaged or cut short"),
                     l.text);
    assert_int_equal(l.lines, 3);
    free(b.ptr);
}

/* Nothing is taken for whole because its last members happen to be. */
static void a_damaged_end_is_told(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    struct bytes large = noise(1000000);
    pack_open(&p);
    pack_file(&p, "a", LIT("one"));
    pack_file(&p, "b", span_of_bytes(large)); /* more than is unpacked at once */
    pack_entry(&p, "d", AE_IFDIR, NULL, LIT(""));
    free(large.ptr);
    struct bytes b = pack_again(PACK_GZIP, "x", pack_end(&p));
    b.ptr[b.len - 6] ^= 1; /* in the checksum */
    struct log l = { .skim = true };
    expand_bytes(&l, span_of_bytes(b), 0);
    free(b.ptr);
    assert_string_equal(l.text, "f/a=\nf/b=\n!f: the gzip data is damaged: incorrect data check\n");
}

/* One member's checksum is wrong: the others come.  It stands in the data descriptor behind the
 * member, APPNOTE 4.3.9. */
static void a_damaged_member_of_a_zip(void **state)
{
    (void)state;
    struct bytes b = three(PACK_ZIP, NULL);
    struct span all = span_of_bytes(b);
    b.ptr[span_find(all, "PK\x07\x08") + 4] ^= 1;
    struct log l = { .len = 0 };
    expand_bytes(&l, all, 0);
    free(b.ptr);
    assert_ptr_equal(strstr(l.text, "!f/a: the zip archive is damaged or cut short: ZIP bad CRC"),
                     l.text);
    assert_non_null(strstr(l.text, "\nf/d/b=\nf/d/c=three\n"));
    assert_int_equal(l.lines, 3);
}

static void a_damaged_archive_in_an_archive(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    struct bytes gz = pack_again(PACK_GZIP, "x", three(PACK_TAR, NULL));
    pack_open(&p);
    pack_file(&p, "cut.tgz", (struct span){ gz.ptr, 20 });
    pack_file(&p, "end", LIT("."));
    free(gz.ptr);
    check(pack_end(&p), "!f/cut.tgz: the gzip data is cut short\nf/end=.\n");
}

/* Deflate64, method 9 at offset 8 of the local header: what Windows makes of files over 2 GiB. */
static void a_method_that_is_not_known(void **state)
{
    (void)state;
    struct bytes b = pack_one(PACK_ZIP, "a", LIT("one"));
    struct log l = { .len = 0 };
    b.ptr[8] = 9;
    expand_bytes(&l, span_of_bytes(b), 0);
    free(b.ptr);
    assert_ptr_equal(
        strstr(l.text, "!f/a: the zip archive is of a kind that cannot be unpacked: Unsupported"),
        l.text);
    assert_int_equal(l.lines, 1);
}

static void encrypted_members(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_ZIP, "zip:encryption=traditional", "secret");
    pack_open(&p);
    pack_file(&p, "a", LIT("one"));
    pack_file(&p, "b", LIT("two"));
    struct bytes b = pack_end(&p), plain = three(PACK_ZIP, NULL);
    check(bytes_of(span_of_bytes(b)),
          "!f: is encrypted (first 'a'); unpack it with its password\n");

    /* Local headers of a plain zip before those of the encrypted one. */
    ptrdiff_t directory = span_find(span_of_bytes(plain), "PK\x01\x02");
    struct bytes both = bytes_of((struct span){ plain.ptr, (size_t)directory });
    bytes_add(&both, span_of_bytes(b));
    check(both, "f/a=one\nf/d/b=\nf/d/c=three\n"
                "!f: is encrypted (first 'a'); unpack it with its password\n");
    free(plain.ptr);
    free(b.ptr);
}

static void archives_without_files(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_ZIP, NULL, NULL);
    pack_open(&p);
    check(pack_end(&p), "!f: the zip archive holds no files\n");
    p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_entry(&p, "d", AE_IFDIR, NULL, LIT(""));
    pack_file(&p, ".hidden", LIT("1"));
    check(pack_end(&p), "!f: the tar archive holds no files\n");
}

static void documents_are_no_archives(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_ZIP, NULL, NULL);
    pack_open(&p);
    pack_file(&p, "[Content_Types].xml", LIT("<?xml?>"));
    pack_file(&p, "xl/workbook.xml", LIT("<?xml?>"));
    check(pack_end(&p), "!f: is an Office document; save it as CSV or text\n");
    check(pack_one(PACK_TAR, "mimetype", LIT("1")), "f/mimetype=1\n");
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(gzip_behind_gzip),
        cmocka_unit_test(a_changed_byte_of_gzip_is_found),
        cmocka_unit_test(compressed_data_cut_short),
        cmocka_unit_test(an_archive_cut_short),
        cmocka_unit_test(a_damaged_end_is_told),
        cmocka_unit_test(a_damaged_member_of_a_zip),
        cmocka_unit_test(a_damaged_archive_in_an_archive),
        cmocka_unit_test(a_method_that_is_not_known),
        cmocka_unit_test(encrypted_members),
        cmocka_unit_test(archives_without_files),
        cmocka_unit_test(documents_are_no_archives),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
