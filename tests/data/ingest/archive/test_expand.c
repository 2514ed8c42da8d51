/* tests/data/ingest/archive/test_expand.c - the files in a file, and their names. */
#include "tests/data/ingest/archive/expand_log.h"

#include "tests/each_allocation.h"

#define N(a) (sizeof(a) / sizeof *(a))

static const enum pack_kind streams[] = { PACK_GZIP, PACK_BZIP2, PACK_XZ, PACK_ZSTD };

/* --- what is packed ----------------------------------------------------------------------------
 */

static void a_plain_file_is_itself(void **state)
{
    (void)state;
    check(bytes_of(LIT("hello")), "f=hello\n");
    check(bytes_of(LIT("")), "f=\n");
}

static void compressed_data_keeps_its_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(streams); i++) {
        check(pack_one(streams[i], "x", LIT("hello")), "f=hello\n");
        check(pack_one(streams[i], "x", LIT("")), "f=\n");
    }
}

static void large_data_comes_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(streams); i++)
        check(pack_again(streams[i], "x", noise(3000000)), "f=3000000 bytes\n");
    check(pack_again(PACK_ZIP, "x", noise(3000000)), "f/x=3000000 bytes\n");
    check(pack_again(PACK_TAR, "x", noise(3000000)), "f/x=3000000 bytes\n");
}

static void members_of_archives(void **state)
{
    (void)state;
    static const char want[] = "f/a=one\nf/d/b=\nf/d/c=three\n";
    check(three(PACK_TAR, NULL), want);
    check(three(PACK_ZIP, NULL), want);
    check(three(PACK_ZIP, "zip:compression=store"), want);
    for (size_t i = 0; i < N(streams); i++)
        check(pack_again(streams[i], "x", three(PACK_TAR, NULL)), want);
}

static void archives_in_archives(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    struct bytes zip = three(PACK_ZIP, NULL), gz = pack_one(PACK_GZIP, "x", LIT("text"));
    struct bytes tgz = pack_again(PACK_GZIP, "x", three(PACK_TAR, NULL));
    pack_file(&p, "z.zip", span_of_bytes(zip));
    pack_file(&p, "t.gz", span_of_bytes(gz));
    pack_file(&p, "t.tgz", span_of_bytes(tgz));
    pack_file(&p, "end", LIT("."));
    free(zip.ptr);
    free(gz.ptr);
    free(tgz.ptr);
    check(pack_again(PACK_XZ, "x", pack_end(&p)), "f/z.zip/a=one\nf/z.zip/d/b=\nf/z.zip/d/c=three\n"
                                                  "f/t.gz=text\n"
                                                  "f/t.tgz/a=one\nf/t.tgz/d/b=\nf/t.tgz/d/c=three\n"
                                                  "f/end=.\n");
}

/* --- names -------------------------------------------------------------------------------------
 */

static void names_are_labels(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_file(&p, "../../etc/passwd", LIT("1"));
    pack_file(&p, "/etc/passwd", LIT("2"));
    pack_file(&p, "././//b", LIT("3"));
    pack_file(&p, "same", LIT("4"));
    pack_file(&p, "same", LIT("5"));
    pack_file(&p, "new\nline", LIT("6"));
    check(pack_end(&p), "f/../../etc/passwd=1\nf/etc/passwd=2\nf/b=3\nf/same=4\nf/same=5\n"
                        "f/new\nline=6\n");
}

static void names_in_other_alphabets(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, "hdrcharset=BINARY", NULL);
    pack_open(&p);
    pack_file(&p, "\xC3\xBC.txt", LIT("1"));
    pack_file(&p, "\xB4\xC5.txt", LIT("2")); /* GBK */
    check(pack_end(&p), "f/\xC3\xBC.txt=1\nf/\xB4\xC5.txt=2\n");

    /* A zip that says its name is UTF-8: bit 11 of the flags, at 6 of the local header. */
    struct bytes zip = pack_one(PACK_ZIP, "\xC3\xBC.txt", LIT("1"));
    zip.ptr[7] |= 0x08;
    check(zip, "f/\xC3\xBC.txt=1\n");
}

static void a_long_name_is_cut(void **state)
{
    (void)state;
    char name[5000], want[1100];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(want, sizeof want, "f/%.1024s=1\n", name);
    check(pack_one(PACK_TAR, name, LIT("1")), want);
}

static void what_is_no_file_is_left_out(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    pack_entry(&p, "d", AE_IFDIR, NULL, LIT(""));
    pack_entry(&p, "d/soft", AE_IFLNK, "/etc/passwd", LIT(""));
    pack_file(&p, "d/a", LIT("1"));
    pack_entry(&p, "hard", AE_IFREG, "d/a", LIT(""));
    pack_entry(&p, "null", AE_IFCHR, NULL, LIT(""));
    pack_entry(&p, "disk", AE_IFBLK, NULL, LIT(""));
    pack_entry(&p, "pipe", AE_IFIFO, NULL, LIT(""));
    pack_file(&p, ".hidden", LIT("2"));
    pack_file(&p, "__MACOSX/d/._a", LIT("3"));
    pack_file(&p, ".git/config", LIT("4"));
    pack_file(&p, "..b", LIT("5"));
    pack_file(&p, "c.", LIT("6"));
    check(pack_end(&p), "~f/d/soft is a link: left out\nf/d/a=1\n~f/hard is a link: left out\n"
                        "~f/null is no file: left out\n~f/disk is no file: left out\n"
                        "~f/pipe is no file: left out\nf/c.=6\n");
}

/* --- no memory ---------------------------------------------------------------------------------
 */

static int drop_note(void *ctx, const char *text, struct err *e)
{
    (void)ctx, (void)text, (void)e;
    return 0;
}

static int expand_all(struct span bytes, struct err *e)
{
    struct source *outer = source_of_span("f", bytes);
    struct expand_options o = { 0, drop_note, NULL };
    struct expander *x = outer ? expand_open(outer, &o) : NULL;
    int rc = x ? 1 : err_nomem(e);
    while (rc > 0) {
        struct source *s;
        rc = expand_next(x, &s, e);
        int rc_member = rc > 0 ? source_drain(s, e) : 0;
        rc = rc_member ? rc_member : rc;
    }
    expand_close(x);
    source_close(outer);
    return rc;
}

static void without_memory(void **state)
{
    (void)state;
    struct packer p = pack_begin(PACK_TAR, NULL, NULL);
    pack_open(&p);
    struct bytes b = pack_again(PACK_XZ, "x", three(PACK_ZIP, NULL));
    pack_file(&p, "z", span_of_bytes(b));
    pack_entry(&p, "link", AE_IFLNK, "z", LIT(""));
    free(b.ptr);
    b = pack_again(PACK_GZIP, "x", pack_end(&p));
    struct each_allocation it = { 0 };
    while (each_allocation(&it)) {
        it.rc = expand_all(span_of_bytes(b), &it.e);
        assert_int_equal(it.e.code, it.rc);
    }
    assert_true(it.n > 15); /* sources, layers, labels, zlib's state */
    free(b.ptr);
}

int main(void)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test(a_plain_file_is_itself),
        cmocka_unit_test(compressed_data_keeps_its_path),
        cmocka_unit_test(large_data_comes_in_pieces),
        cmocka_unit_test(members_of_archives),
        cmocka_unit_test(archives_in_archives),
        cmocka_unit_test(names_are_labels),
        cmocka_unit_test(names_in_other_alphabets),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(what_is_no_file_is_left_out),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
