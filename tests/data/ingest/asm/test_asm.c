/* tests/data/ingest/asm/test_asm.c - asmcmd lsdg, asmcmd iostat and scripts over v$asm_disk_stat.
 */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/asm/asm_listing.h"
#include "tests/row_tests.h"

#define LSDG                                                                                       \
    "State    Type    Rebal  Sector  Logical_Sector  Block       AU  Total_MB  Free_MB  "          \
    "Req_mir_free_MB  Usable_file_MB  Offline_disks  Voting_files  Name\n"
#define LSDG_DATA                                                                                  \
    "MOUNTED  NORMAL  N         512             512   4096  4194304     12282     3143           " \
    " "                                                                                            \
    "3614            -235              0             N  DATA/\n"
#define IOSTAT "Group_Name  Dsk_Name   Reads       Writes     \n"
#define SCRIPT                                                                                     \
    "DiskPath - DiskName Gr Dsk Reads Writes AvRdTm AvWrTm KBRd KBWr AvRdSz AvWrSz RdEr WrEr\n"
#define SCRIPT_COUNTS                                                                              \
    "group_number=3 disk_number=0 reads=45874 writes=1862 read_await_ms=1.7 write_await_ms=1.5 "   \
    "read_kib=195312 write_kib=9765 read_request_bytes=4359 write_request_bytes=5370 "             \
    "read_errors=0 write_errors=0\n"

static const struct asm_case {
    const char *why;
    read_fn *read;
    int (*detect)(struct span head);
    const char *text, *want;
} asm_cases[] = {
    { "lsdg; usable space may be below 0", asm_lsdg_read, asm_lsdg_detect, LSDG LSDG_DATA,
      "disk_groups state='MOUNTED' type='NORMAL' rebal='N' sector_bytes=512 "
      "logical_sector_bytes=512 block_bytes=4096 au_bytes=4194304 total_mib=12282 free_mib=3143 "
      "req_mir_free_mib=3614 usable_file_mib=-235 offline_disks=0 voting_files='N' name='DATA'\n" },
    { "lsdg -g of 11g, in a session", asm_lsdg_read, asm_lsdg_detect,
      "ASMCMD> lsdg -g\nInst_ID  State    Type    Rebal  Sector  Block       AU  Total_MB  Free_MB "
      " Req_mir_free_MB  Usable_file_MB  Offline_disks  Voting_disks  Name\n"
      "      2  MOUNTED  EXTERN  Y         512   4096  1048576      2048      687                0 "
      " "
      "           687              0  N             REDO1/\n",
      "disk_groups inst_id=2 state='MOUNTED' type='EXTERN' rebal='Y' sector_bytes=512 "
      "block_bytes=4096 au_bytes=1048576 total_mib=2048 free_mib=687 req_mir_free_mib=0 "
      "usable_file_mib=687 offline_disks=0 voting_files='N' name='REDO1'\n" },
    { "lsdg, a row that is cut", asm_lsdg_read, asm_lsdg_detect, LSDG "MOUNTED  NORMAL  N\n" LSDG,
      "! 2: row skipped: not the 14 values of the heading: 'MOUNTED  NORMAL  N'\n" },
    { "not lsdg", asm_lsdg_read, NULL, "hello\n", "ERROR f:1: no headings of asmcmd lsdg in it\n" },
    { "iostat: multiples of 512 everywhere are bytes", asm_iostat_read, asm_iostat_detect,
      IOSTAT
      "DATA        DATA_0000  180488192   473707520  \nDATA        DATA_0001  0           512\n",
      "! 2: Reads and Writes are taken as bytes: all are multiples of 512\n"
      "disks group='DATA' disk='DATA_0000' report=1 read_bytes=180488192 write_bytes=473707520\n"
      "disks group='DATA' disk='DATA_0001' report=1 read_bytes=0 write_bytes=512\n" },
    { "iostat --io -et: requests, errors, seconds", asm_iostat_read, asm_iostat_detect,
      "Group_Name  Dsk_Name   Reads  Writes  Read_Err  Write_Err  Read_Time  Write_Time\n"
      "DATA        DATA_0000  1024   777     0         1          12.5       3.25\n",
      "! 2: Reads and Writes are taken as requests (--io): not all are multiples of 512\n"
      "disks group='DATA' disk='DATA_0000' report=1 reads=1024 writes=777 read_errors=0 "
      "write_errors=1 read_time_s=12.5 write_time_s=3.25\n" },
    { "iostat --region with an interval: two reports", asm_iostat_read, asm_iostat_detect,
      "Group_Name Dsk_Name Reads Writes Cold_Reads Cold_Writes Hot_Reads Hot_Writes\n"
      "DATA D1 1024 512 1024 512 0 0\n\n"
      "Group_Name Dsk_Name Reads Writes Cold_Reads Cold_Writes Hot_Reads Hot_Writes\n"
      "DATA D1 2048 512 2048 512 0 0\n",
      "! 2: Reads and Writes are taken as bytes: all are multiples of 512\n"
      "disks group='DATA' disk='D1' report=1 read_bytes=1024 write_bytes=512 cold_read_bytes=1024 "
      "cold_write_bytes=512 hot_read_bytes=0 hot_write_bytes=0\n"
      "disks group='DATA' disk='D1' report=2 read_bytes=2048 write_bytes=512 cold_read_bytes=2048 "
      "cold_write_bytes=512 hot_read_bytes=0 hot_write_bytes=0\n" },
    { "iostat, a row that is cut", asm_iostat_read, asm_iostat_detect, IOSTAT "DATA DATA_0000 5\n",
      "! 2: row skipped: not the 4 values of the heading: 'DATA DATA_0000 5'\n" },
    { "not iostat", asm_iostat_read, NULL, "hello\n",
      "ERROR f:1: no headings of asmcmd iostat in it\n" },
    { "the script, as an article shows it", asm_disks_read, asm_disks_detect,
      "DiskPath \xE2\x80\x93 DiskName Gr Dsk Reads Writes AvRdTm AvWrTm KBRd KBWr AvRdSz AvWrSz "
      "RdEr WrEr\n<disk 1> 3 0 45874 1862 1.7 1.5 195312 9765 4359 5370 0 0\n",
      "disks disk='<disk 1>' report=1 " SCRIPT_COUNTS },
    { "path and name, a ruler, SQL*Plus's last words, two reports", asm_disks_read,
      asm_disks_detect,
      SCRIPT "-------- ----\n/dev/nvme1n1 - DATA_0000 3 0 45874 1862 1.7 1.5 195312 9765 4359 5370 "
             "0 0\n\n1 rows selected.\n" SCRIPT
             "ORCL:D 1 \xE2\x80\x94 DATA_0000 3 0 45874 1862 1.7 1.5 195312 9765 4359 5370 0 0\n",
      "disks path='/dev/nvme1n1' disk='DATA_0000' report=1 " SCRIPT_COUNTS
      "disks path='ORCL:D 1' disk='DATA_0000' report=2 " SCRIPT_COUNTS },
    { "the script, a row without its numbers", asm_disks_read, asm_disks_detect,
      SCRIPT "<disk 1> 3 0 45874\n3 0 45874 1862 1.7 1.5 195312 9765 4359 5370 0 0\n",
      "! 2: row skipped: not 12 values behind a name: '<disk 1> 3 0 45874'\n"
      "! 3: row skipped: not 12 values behind a name: '3 0 45874 1862 1.7 1.5 195312 9765 4359 "
      "5370 0 0'\n" },
    { "not the script", asm_disks_read, NULL, "hello\n",
      "ERROR f:1: no heading with DiskPath and DiskName in it\n" },
};

static void texts(void **state)
{
    const struct asm_case *c = *state;
    expect_lines(c->read, c->text, NULL, c->want);
    if (c->detect)
        assert_int_equal(c->detect(span_of(c->text)), 100);
}

static void not_each_other(void **state)
{
    (void)state;
    int (*const detects[])(struct span) = { asm_lsdg_detect, asm_iostat_detect, asm_disks_detect };
    for (size_t i = 0; i < N(asm_cases); i++)
        for (size_t d = 0; d < N(detects); d++)
            if (detects[d] != asm_cases[i].detect && detects[d](span_of(asm_cases[i].text)))
                fail_msg("%s", asm_cases[i].why);
}

static void broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(asm_cases); i++) {
        const struct asm_case *c = &asm_cases[i];
        bool gives_rows = strstr(c->want, "disk_groups ") || strstr(c->want, "disks ");
        if (gives_rows)
            expect_obeyed(c->read, span_of(c->text));
        if (gives_rows && c->read == asm_iostat_read) /* the only one that keeps rows */
            expect_nomem(c->read, span_of(c->text));
    }
}

int main(void)
{
    struct CMUnitTest t[N(asm_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, asm_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(not_each_other);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("asm", t, n, NULL, NULL);
}
