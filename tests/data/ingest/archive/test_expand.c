/* tests/data/ingest/archive/test_expand.c - the files in a file.
 *
 * Every case writes down what expand_next gives, a line each:
 *   PATH=content      a file
 *   !PATH: words      an error, be it told by the file's source or by expand_next
 *   ~text             a note */
#include "tests/data/ingest/archive/packer.h"

#include <stdio.h>
#include <zlib.h>

#include "data/ingest/archive/expand.h"
#include "models/core/mem.h"

#define N(a)       (sizeof(a) / sizeof *(a))
#define LIT(bytes) ((struct span){ (bytes), sizeof(bytes) - 1 })

enum { LOG_ROOM = 8192, LINES_MAX = 40 };

struct log {
    char text[LOG_ROOM];
    size_t len;
    int lines;
    bool skim; /* files are looked at, but not read */
};

static void say(struct log *l, const char *path, const char *sign, struct span text)
{
    int n = snprintf(l->text + l->len, LOG_ROOM - l->len, "%s%s%.*s\n", path, sign, (int)text.len,
                     text.ptr);
    assert_true(n > 0 && (size_t)n < LOG_ROOM - l->len);
    l->len += (size_t)n;
    assert_true(l->lines++ < LINES_MAX);
}

static int on_note(void *ctx, const char *text, struct err *e)
{
    (void)e;
    say(ctx, "", "~", span_of(text));
    return 0;
}

/* The file as text when it is short, its size when not. */
static void read_member(struct log *l, struct source *s)
{
    struct span all = { NULL, 0 };
    struct err e = { 0 };
    char size[40];
    int rc = l->skim ? 0 : source_all(s, 200, &all, &e);
    if (rc == ERR_LIMIT && strstr(e.text, "the most this format may have")) {
        e.code = 0;
        rc = source_drain(s, &e);
        snprintf(size, sizeof size, "%lld bytes", (long long)source_bytes(s));
        all = span_of(size);
    }
    if (rc) {
        assert_int_equal(e.code, rc);
        assert_memory_equal(e.text, source_path(s), strlen(source_path(s)));
        say(l, "", "!", span_of(e.text));
    } else
        say(l, source_path(s), "=", all);
}

static void expand_bytes(struct log *l, struct span bytes, int64_t max_bytes)
{
    struct source *outer = source_of_span("f", bytes);
    struct expand_options o = { max_bytes, on_note, l };
    struct expander *x = outer ? expand_open(outer, &o) : NULL;
    assert_non_null(x);
    for (;;) {
        struct source *s = NULL;
        struct err e = { 0 };
        int rc = expand_next(x, &s, &e);
        if (rc == 0)
            break;
        if (rc > 0) {
            read_member(l, s);
            continue;
        }
        assert_int_equal(e.code, rc);
        assert_memory_equal(e.text, expand_path(x), strlen(expand_path(x)));
        say(l, "", "!", span_of(e.text));
    }
    struct source *s;
    struct err e;
    assert_int_equal(expand_next(x, &s, &e), 0); /* the end stays the end */
    expand_close(x);
    source_close(outer);
}

static void check_limited(struct bytes b, int64_t max_bytes, const char *want)
{
    struct log l = { .len = 0 };
    expand_bytes(&l, span_of_bytes(b), max_bytes);
    free(b.ptr);
    assert_string_equal(l.text, want);
}

static void check(struct bytes b, const char *want)
{
    check_limited(b, 0, want);
}

/* Bytes that do not pack: xorshift. */
static struct bytes noise(size_t n)
{
    struct bytes b = { malloc(n), n };
    assert_non_null(b.ptr);
    uint32_t x = 2463534242;
    for (size_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        b.ptr[i] = (char)(x >> 24);
    }
    return b;
}

/* --- what is packed ----------------------------------------------------------------------------
 */

static void a_plain_file_is_itself(void **state)
{
    (void)state;
    check(bytes_of(LIT("hello")), "f=hello\n");
    check(bytes_of(LIT("")), "f=\n");
}

static const enum pack_kind streams[] = { PACK_GZIP, PACK_BZIP2, PACK_XZ, PACK_ZSTD };

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

static struct bytes three(enum pack_kind kind, const char *options)
{
    struct packer p = pack_begin(kind, options, NULL);
    pack_open(&p);
    pack_file(&p, "a", LIT("one"));
    pack_file(&p, "d/b", LIT(""));
    pack_file(&p, "d/c", LIT("three"));
    return pack_end(&p);
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

/* --- what is wrong with them -------------------------------------------------------------------
 */

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

/* --- limits ------------------------------------------------------------------------------------
 */

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
    int rc;
    long n = 0;
    do {
        struct err e = { 0 };
        mem_calls = 0;
        mem_fail_at = ++n;
        rc = expand_all(span_of_bytes(b), &e);
        mem_fail_at = 0;
        assert_true(rc == 0 || (rc == ERR_NOMEM && e.code == ERR_NOMEM));
    } while (rc);
    assert_true(n > 15); /* sources, layers, labels, zlib's state */
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
        cmocka_unit_test(levels_have_a_limit),
        cmocka_unit_test(the_ratio_has_a_limit),
        cmocka_unit_test(holes_count),
        cmocka_unit_test(members_have_a_limit),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(t, NULL, NULL);
}
