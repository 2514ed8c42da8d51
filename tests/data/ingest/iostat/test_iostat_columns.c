/* tests/data/ingest/iostat/test_iostat_columns.c - the tables of iostat -x over its versions: which
 * figure each column is. */
#include "tests/data/ingest/iostat/iostat_got.h"

/* Figures in the order: reads, writes, read KiB/s, write KiB/s, read size, write size, read merge,
 * write merge, read await, write await, await, queue, util; -1 = unknown. */
enum { FIGURES = 13 };
static const struct layout_case {
    const char *why, *text;
    double want[FIGURES];
} layout_cases[] = {
    { "sectors of 512 bytes; await of both; merges from rrqm and wrqm",
      "Device:         rrqm/s   wrqm/s   r/s   w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  "
      "svctm  %util\n"
      "sdb               1.00     6.00  4.00  2.00   128.00    64.00    32.00     0.30   12.50   "
      "2.00   1.20\n",
      /* 128 sectors = 64 KiB; / 4 = 16; 1 of 5 and 6 of 8 requests were merged */
      { 4, 2, 64, 32, 16, 16, 20, 75, -1, -1, 12.5, 0.3, 1.2 } },
    { "sectors and kB: the same rates twice",
      "Device:    rrqm/s wrqm/s   r/s   w/s  rsec/s  wsec/s    rkB/s    wkB/s avgrq-sz avgqu-sz "
      "  await  svctm  %util\n"
      "sda          0.00   0.00  0.00  1.20    0.00   19.20     0.00     9.60    16.00     0.00 "
      "   0.17   0.17   0.02\n",
      { 0, 1.2, 0, 9.6, -1, 8, -1, 0, -1, -1, 0.17, 0, 0.02 } },
    { "MB is 1 024 kB; r_await and w_await beside await",
      "Device:         rrqm/s   wrqm/s     r/s     w/s    rMB/s    wMB/s avgrq-sz avgqu-sz   await "
      "r_await w_await  svctm  %util\n"
      "xvdb              0.00     0.00   64.00   32.00     0.50     1.00    32.00     0.10    1.50 "
      "   1.00    2.50   0.20   2.00\n",
      { 64, 32, 512, 1024, 8, 32, 0, 0, 1, 2.5, 1.5, 0.1, 2 } },
    { "11.5.7: no plain await, which is then weighted by requests",
      "Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm r_await "
      "w_await aqu-sz rareq-sz wareq-sz  svctm  %util\n"
      "nvme1n1         30.00   10.00    240.00    160.00     0.00     0.00   0.00   0.00    1.00 "
      "   3.00   0.06     8.00    16.00   0.10   0.40\n",
      { 30, 10, 240, 160, 8, 16, 0, 0, 1, 3, 1.5, 0.06, 0.4 } },
    { "12.5: reads, writes, discards and flushes; the last two are left out",
      "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s "
      " %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  "
      "aqu-sz  %util\n"
      "nvme1n1          1.00      4.00     3.00  75.00    0.50     4.00    2.00     16.00     0.00 "
      "  0.00    0.75     8.00    5.00   5120.00     0.00   0.00    9.00  1024.00    7.00    9.00  "
      "  0.11  12.00\n",
      { 1, 2, 4, 16, 4, 8, 75, 0, 0.5, 0.75, 2.0 / 3, 0.11, 12 } },
    { "sectors in the new order, as with POSIXLY_CORRECT",
      "Device r/s rsec/s rrqm/s %rrqm r_await rareq-sz w/s wsec/s wrqm/s %wrqm w_await wareq-sz "
      "aqu-sz %util\n"
      "sda 2.00 32.00 0.00 0.00 1.00 8.00 0.00 0.00 0.00 0.00 0.00 0.00 0.01 0.10\n",
      { 2, 0, 16, 0, 8, -1, 0, 0, 1, 0, 1, 0.01, 0.1 } },
    { "the name at the end (-j, --compact)",
      "     r/s     rkB/s     w/s     wkB/s  aqu-sz  %util Device\n"
      "    2.00     16.00    1.00      4.00    0.01   0.10 DATA disk 1\n",
      { 2, 1, 16, 4, 8, 4, -1, -1, -1, -1, -1, 0.01, 0.1 } },
    { "decimal commas",
      "Device r/s w/s rkB/s wkB/s %util\n"
      "sda 90,78 1,50 6608,62 12,00 1,52\n",
      { 90.78, 1.5, 6608.62, 12, 72.798, 8, -1, -1, -1, -1, -1, -1, 1.52 } },
    { "no decimals (--dec=0)",
      "Device r/s w/s rkB/s wkB/s rareq-sz %util\nsda 91 0 728 0 8 2\n",
      { 91, 0, 728, 0, 8, -1, -1, -1, -1, -1, -1, -1, 2 } },
    { "a printed size has more digits than rates in MB",
      "Device r/s w/s rMB/s wMB/s rareq-sz wareq-sz %util\n"
      "sda 3.00 0.00 0.02 0.00 6.67 0.00 1.00\n", /* 20 KiB/s printed as 0.02 MB/s */
      { 3, 0, 20.48, 0, 6.67, -1, -1, -1, -1, -1, -1, -1, 1 } },
    { "nan and inf of old versions are unknown",
      "Device: r/s w/s rkB/s wkB/s await %util\nsda 0.00 0.00 0.00 0.00 nan 0.00\n",
      { 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, 0 } },
};

static double known(double v)
{
    return isnan(v) ? -1 : v;
}

static void layouts(void **state)
{
    const struct layout_case *c = *state;
    struct got g;
    read_ok(c->text, NULL, &g);
    assert_int_equal(g.n, 1);
    const struct io_sample *s = &g.last;
    const double got[FIGURES] = { s->reads_per_s,     s->writes_per_s,     s->read_kib_per_s,
                                  s->write_kib_per_s, s->read_request_kib, s->write_request_kib,
                                  s->read_merge_pct,  s->write_merge_pct,  s->read_await_ms,
                                  s->write_await_ms,  s->await_ms,         s->queue,
                                  s->util_pct };
    for (size_t i = 0; i < FIGURES; i++)
        if (fabs(known(got[i]) - c->want[i]) > 0.001)
            fail_msg("figure %zu is %g, expected %g", i, got[i], c->want[i]);
    assert_int_equal(s->line, 2);
    assert_false(s->artefact);
}

int main(void)
{
    struct CMUnitTest t[N(layout_cases)];
    size_t n = 0;
    CASE_TESTS(layout_cases, layouts);
    return _cmocka_run_group_tests("iostat_columns", t, n, NULL, NULL);
}
