/* tests/data/ingest/lsblk/test_lsblk.c - the forms of lsblk, and the devices they list. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/lsblk/lsblk.h"
#include "tests/row_tests.h"

static const struct lsblk_case {
    const char *why, *text, *want;
} lsblk_cases[] = {
    { "a tree of glyphs; empty cells stay empty",
      "NAME            MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT\n"
      "nvme0n1         259:0    0   20G  0 disk \n"
      "\xE2\x94\x9C\xE2\x94\x80nvme0n1p1     259:1    0    1G  0 part /boot\n"
      "\xE2\x94\x94\xE2\x94\x80nvme0n1p2     259:2    0   19G  0 part \n"
      "  \xE2\x94\x94\xE2\x94\x80vg-root     253:0    0   17G  0 lvm  /\n"
      "sr0              11:0    1 1024M  0 rom  \n",
      "devices name='nvme0n1' maj_min='259:0' rm=0 size_bytes=2.147483648e+10 ro=0 type='disk'\n"
      "devices name='nvme0n1p1' maj_min='259:1' rm=0 size_bytes=1073741824 ro=0 type='part' "
      "mountpoint='/boot' parent='nvme0n1'\n"
      "devices name='nvme0n1p2' maj_min='259:2' rm=0 size_bytes=2.040109466e+10 ro=0 type='part' "
      "parent='nvme0n1'\n"
      "devices name='vg-root' maj_min='253:0' rm=0 size_bytes=1.825361101e+10 ro=0 type='lvm' "
      "mountpoint='/' parent='nvme0n1p2'\n"
      "devices name='sr0' maj_min='11:0' rm=1 size_bytes=1073741824 ro=0 type='rom'\n" },
    { "a tree of ASCII, names with blanks",
      "NAME                   MAJ:MIN RM  SIZE RO TYPE  MOUNTPOINT\n"
      "sda                      8:0    0  500G  0 disk\n"
      "|-sda1                   8:1    0  256M  0 part  /boot\n"
      "| `-vg-lv (dm-0)       253:0    0  100M  0 lvm   /data two\n"
      "`-sda2                   8:2    0  499G  0 part\n",
      "devices name='sda' maj_min='8:0' rm=0 size_bytes=5.36870912e+11 ro=0 type='disk'\n"
      "devices name='sda1' maj_min='8:1' rm=0 size_bytes=268435456 ro=0 type='part' "
      "mountpoint='/boot' parent='sda'\n"
      "devices name='vg-lv (dm-0)' maj_min='253:0' rm=0 size_bytes=104857600 ro=0 type='lvm' "
      "mountpoint='/data two' parent='sda1'\n"
      "devices name='sda2' maj_min='8:2' rm=0 size_bytes=5.357971702e+11 ro=0 type='part' "
      "parent='sda'\n" },
    { "-b -o: bytes, a model with blanks, no serial",
      "NAME  MAJ:MIN         SIZE PHY-SEC LOG-SEC MODEL            SERIAL\n"
      "zram0 253:0              0    4096    4096                  \n"
      "vda   254:0   274877906944    4096     512 Elastic Block X  vol0abc\n",
      "devices name='zram0' maj_min='253:0' size_bytes=0 phy_sec_bytes=4096 log_sec_bytes=4096\n"
      "devices name='vda' maj_min='254:0' size_bytes=2.748779069e+11 phy_sec_bytes=4096 "
      "log_sec_bytes=512 model='Elastic Block X' serial='vol0abc'\n" },
    { "-t",
      "NAME  ALIGNMENT MIN-IO OPT-IO PHY-SEC LOG-SEC ROTA SCHED       RQ-SIZE   RA WSAME\n"
      "zram0         0   4096   4096    4096    4096    0                      128    0B\n",
      "devices name='zram0' alignment_bytes=0 min_io_bytes=4096 opt_io_bytes=4096 "
      "phy_sec_bytes=4096 log_sec_bytes=4096 rota=0 ra_kib=128 wsame_bytes=0\n" },
    { "-r: one blank between cells, two where one is empty",
      "NAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINTS\nloop0 7:0 0 0B 0 loop \nvda 254:0 0 256G 0 disk "
      "/\n",
      "devices name='loop0' maj_min='7:0' rm=0 size_bytes=0 ro=0 type='loop'\n"
      "devices name='vda' maj_min='254:0' rm=0 size_bytes=2.748779069e+11 ro=0 type='disk' "
      "mountpoints='/'\n" },
    { "-P; what lsblk complains of is passed over",
      "lsblk: dm-0: failed to get device path\n"
      "NAME=\"vda\" KNAME=\"vda\" PHY-SEC=\"4096\" ROTA=\"1\" MODEL=\"DVD+-RW DVD8801 \" "
      "SIZE=\"1.5T\" TYPE=\"disk\" MOUNTPOINT=\"\"\n",
      "devices name='vda' kname='vda' phy_sec_bytes=4096 rota=1 model='DVD+-RW DVD8801' "
      "size_bytes=1.649267442e+12 type='disk'\n" },
    { "-J: children know their parents",
      "{\"blockdevices\": [\n"
      "{\"name\": \"vda\", \"size\": \"8G\", \"rota\": true, \"ro\": false, \"phy-sec\": 4096, "
      "\"mountpoints\": [null], \"children\": [\n"
      "{\"name\": \"vda1\", \"size\": 1073741824, \"mountpoints\": [\"/\"], \"model\": null}]}\n"
      "]}\n",
      "devices name='vda' size_bytes=8589934592 rota=1 ro=0 phy_sec_bytes=4096\n"
      "devices name='vda1' size_bytes=1073741824 mountpoints='/' parent='vda'\n" },
    { "-J of older versions quotes its numbers",
      "{\"blockdevices\": [{\"name\": \"vda\", \"rota\": \"1\", \"phy-sec\": \"512\"}]}",
      "devices name='vda' rota=1 phy_sec_bytes=512\n" },
    { "a command and a prompt around it", "$ lsblk\nNAME MAJ:MIN RM  SIZE\nvda  254:0    0  256G\n",
      "devices name='vda' maj_min='254:0' rm=0 size_bytes=2.748779069e+11\n" },
    { "two listings in one text",
      "NAME SIZE TYPE\nvda    8G disk\n\nNAME  PHY-SEC\nvda      4096\n",
      "devices name='vda' size_bytes=8589934592 type='disk'\n"
      "devices name='vda' phy_sec_bytes=4096\n" },
    { "pairs that do not end", "NAME=\"vda\" TYPE=\"disk\nNAME=\"vda\" TYPE=\"disk\"\n",
      "! 1: line skipped: 'NAME=\"vda\" TYPE=\"disk'\ndevices name='vda' type='disk'\n" },
    { "nothing but headings", "NAME MAJ:MIN RM  SIZE\n", "ERROR f:1: no device of lsblk in it\n" },
    { "nothing of it", "hello\n", "ERROR f:1: no device of lsblk in it\n" },
};

static void texts(void **state)
{
    const struct lsblk_case *c = *state;
    expect_lines(lsblk_read, c->text, NULL, c->want);
    assert_int_equal(lsblk_detect(span_of(c->text)) > 0, strcmp(c->text, "hello\n") != 0);
}

/* 40 levels of children: 33 are told, the rest is skipped. */
static void deep(void **state)
{
    (void)state;
    char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "{\"blockdevices\": [");
    for (int i = 0; i < 40; i++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "{\"name\": \"d%d\", \"children\": [", i);
    for (int i = 0; i < 40; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "]}");
    snprintf(text + at, sizeof text - at, "]}");
    static struct lines l;
    int64_t skipped = 0;
    l = (struct lines){ .at = 0 };
    assert_int_equal(read_span(lsblk_read, span_of(text), NULL, &l, &skipped), 0);
    assert_int_equal(l.n_handed, 33);
    assert_int_equal(skipped, 1);
    assert_non_null(strstr(l.text, "more than 32 levels deep is skipped"));
}

/* 1e999 is beyond what a double holds. */
static void too_large(void **state)
{
    (void)state;
    static struct lines l;
    int64_t skipped = 0;
    l = (struct lines){ .at = 0 };
    assert_int_equal(read_span(lsblk_read,
                               SPAN_LIT("{\"blockdevices\": [\n{\"name\": \"d1\", \"size\": "
                                        "1e999}\n]}\n"),
                               NULL, &l, &skipped),
                     0);
    assert_int_equal(l.n_handed, 1);
    assert_non_null(strstr(l.text, "'size': the number is too large, taken as unknown"));
    assert_null(strstr(l.text, "inf"));
}

static void broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        struct span text = span_of(lsblk_cases[i].text);
        if (i < 6) /* JSON that is cut is refused */
            expect_cuts(lsblk_read, text);
        expect_nomem(lsblk_read, text);
        expect_obeyed(lsblk_read, text);
    }
}

int main(void)
{
    struct CMUnitTest t[N(lsblk_cases) + 3];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, lsblk_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(deep);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(too_large);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("lsblk", t, n, NULL, NULL);
}
