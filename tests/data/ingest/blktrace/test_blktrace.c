/* tests/data/ingest/blktrace/test_blktrace.c - blkparse and strace, and the totals they give. */
#include "tests/data/ingest/os_text.h"

#include "data/ingest/blktrace/blktrace.h"
#include "tests/row_tests.h"

static const struct trace_case {
    const char *why;
    read_fn *read;
    int (*detect)(struct span head);
    const char *text, *want;
} trace_cases[] = {
    { "requests that are merged: sizes of what is issued, who queued them", blkparse_read,
      blkparse_detect,
      "259,1   15        5     0.000000000  7788  A   R 13000 + 8 <- (259,17) 10952\n"
      "259,1   15        6     0.000000000  7788  Q   R 13000 + 8 [ora_p00c_prd1]\n"
      "259,1   15        7     0.100000000  7788  G   R 13000 + 8 [ora_p00c_prd1]\n"
      "259,1   15        8     0.200000000  7788  Q   R 13008 + 8 [ora_p00c_prd1]\n"
      "259,1   15        9     0.300000000  7788  M   R 13008 + 8 [ora_p00c_prd1]\n"
      "259,1   15       10     0.400000000  7788  Q   R 12992 + 8 [ora_p00c_prd1]\n"
      "259,1   15       11     0.500000000  7788  F   R 12992 + 8 [ora_p00c_prd1]\n"
      "259,1   15       12     0.600000000   201  D   R 12992 + 24 [kworker/15:1H]\n"
      "259,1   15       13     2.000000000     0  C   R 12992 + 24 [0]\n",
      /* 3 queued, 2 merged; 1 request of 12 KiB in 2 s */
      "devices device='259,1' direction='read' queued=3 merged=2 merge_pct=66.66666667 issued=1 "
      "completed=1 errors=0 request_kib=12 moved_kib=12 duration_s=2 requests_per_s=0.5 "
      "kib_per_s=6\n"
      "sizes device='259,1' direction='read' request_kib=12 requests=1\n"
      "submitters process='ora_p00c_prd1' queued=3 queued_kib=12 merged=2 merge_pct=66.66666667 "
      "issued=0\n"
      "submitters process='kworker/15:1H' queued=0 queued_kib=0 merged=0 issued=1\n" },
    { "workers of io_uring are one; error numbers of completions count", blkparse_read,
      blkparse_detect,
      "259,1 5 1 9.0 179045 Q R 100 + 8 [iou-wrk-7818]\n"
      "259,1 5 2 9.0 179045 D R 100 + 8 [iou-wrk-7818]\n"
      "259,1 5 3 9.5 179633 Q W 200 + 16 [iou-wrk-7793]\n"
      "259,1 5 4 9.5 179633 D WS 200 + 16 [iou-wrk-7793]\n"
      "259,1 5 5 9.5 9128 C R 100 + 8 [65525]\n259,1 5 6 10.0 0 C WS 200 + 16 [0]\n",
      "devices device='259,1' direction='read' queued=1 merged=0 merge_pct=0 issued=1 completed=1 "
      "errors=1 request_kib=4 moved_kib=4 duration_s=1 requests_per_s=1 kib_per_s=4\n"
      "devices device='259,1' direction='write' queued=1 merged=0 merge_pct=0 issued=1 completed=1 "
      "errors=0 request_kib=8 moved_kib=8 duration_s=1 requests_per_s=1 kib_per_s=8\n"
      "sizes device='259,1' direction='read' request_kib=4 requests=1\n"
      "sizes device='259,1' direction='write' request_kib=8 requests=1\n"
      "submitters process='iou-wrk' queued=2 queued_kib=12 merged=0 merge_pct=0 issued=2\n" },
    { "completions alone: of a split request each adds its part", blkparse_read, blkparse_detect,
      "8,32  15  216  0.0  348610  C   R 0 + 8 [0]\n8,32  15  217  1.0  348610  C   R 0 + 16 [0]\n"
      "8,32  15  218  2.0  348610  C   R 0 + 32 [0]\n8,32 15 219 4.0 1 C R 64 + 8 [0]\n",
      /* 8 + 8 + 16 + 8 = 40 sectors */
      "devices device='8,32' direction='read' queued=0 merged=0 issued=0 completed=4 errors=0 "
      "request_kib=5 moved_kib=20 duration_s=4 requests_per_s=1 kib_per_s=5\n" },
    { "plugs, flushes, discards, messages and the summary", blkparse_read, blkparse_detect,
      "8,0 0 1 0.0 1 P N [fio]\n8,0 0 2 0.0 1 U N [fio] 4\n8,0 0 3 0.0 1 Q FWS [fio]\n"
      "8,0 0 4 0.0 1 m N cfq insert\n8,0 0 5 0.0 1 D D 0 + 2048 [fio]\n\nCPU0 (8,0):\n"
      " Reads Queued: 0\n",
      "devices device='8,0' direction='discard' queued=0 merged=0 issued=1 completed=0 errors=0 "
      "request_kib=1024 moved_kib=1024 duration_s=0\n"
      "sizes device='8,0' direction='discard' request_kib=1024 requests=1\n"
      "submitters process='fio' queued=0 queued_kib=0 merged=0 issued=1\n" },
    { "nothing of blkparse", blkparse_read, NULL, "hello\n",
      "ERROR f:1: no requests of blkparse in it\n" },

    { "io_submit as new versions print it", strace_read, strace_detect,
      "io_submit(0x7f2c, 2, [{aio_data=0x7f, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=256, "
      "aio_buf=0x7f, aio_nbytes=1048576, aio_offset=0}, {aio_data=0x80, "
      "aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=256, aio_buf=0x7f, aio_nbytes=1048576, "
      "aio_offset=1048576}]) = 2\n"
      "io_submit(0x7f2c, 1, [{aio_data=0x81, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=257, "
      "aio_buf=0x7f, aio_nbytes=8192, aio_offset=0}]) = 1\n",
      /* 2 105 344 bytes of 3 requests */
      "calls call='io_submit' calls=2 errors=0 requests=3 requests_per_call=1.5 "
      "request_kib=685.3333333\n"
      "sizes call='io_submit' direction='read' request_kib=1024 requests=2\n"
      "sizes call='io_submit' direction='write' request_kib=8 requests=1\n" },
    { "old versions: the size is in io_getevents, whose direction is not told", strace_read,
      strace_detect,
      "io_submit(139900000001024, 4, {{0x7fa1c0dec210, 0, 0, 0, 261}, {0x7fa1c0ded0b0, 0, 0, 0, "
      "261}, {0x7fa1c0dec960, 0, 0, 0, 261}, {0x7fa1c0decbd0, 0, 0, 0, 261}}) = 4\n"
      "io_getevents(139900000001024, 1, 128, {{0x7fa1c0dec960, 0x7fa1c0dec960, 1048576, 0}, "
      "{0x7fa1c0decbd0, 0x7fa1c0decbd0, 1048576, 0}}, {600, 0}) = 2\n"
      "io_getevents(139900000001024, 1, 128, {{0x7f, 0x7f, 1048576, 0}, {0x7f, 0x7f, 8192, 0}}, "
      "{600, 0}) = 2\n",
      "calls call='io_submit' calls=1 errors=0 requests=4 requests_per_call=4\n"
      "calls call='io_getevents' calls=2 errors=0 requests=4 requests_per_call=2 request_kib=770\n"
      "sizes call='io_getevents' request_kib=8 requests=1\n"
      "sizes call='io_getevents' request_kib=1024 requests=3\n" },
    { "backslashes of blogs", strace_read, strace_detect,
      "io_submit(139928633700352, 1, \\{\\{0x7f43aadbd210, 0, 1, 0, 262\\}\\}) = 1\n"
      "io_getevents(139928633700352, 3, 128, \\{\\{0x7f43, 0x7f43, 1048576, 0\\}\\}, \\{0, 0\\}) = "
      "1\n",
      "calls call='io_submit' calls=1 errors=0 requests=1 requests_per_call=1\n"
      "calls call='io_getevents' calls=1 errors=0 requests=1 requests_per_call=1 "
      "request_kib=1024\n"
      "sizes call='io_getevents' request_kib=1024 requests=1\n" },
    { "calls of several processes, unfinished and resumed", strace_read, strace_detect,
      "[pid 17] 07:00:01.000001 io_getevents(0x7f2c, 1, 128,  <unfinished ...>\n"
      "[pid 18] 07:00:01.000002 close(3) = 0\n"
      "[pid 17] 07:00:01.000900 <... io_getevents resumed> [{data=0x7f, obj=0x7f, res=8192, "
      "res2=0}], {tv_sec=600, tv_nsec=0}) = 1 <0.000899>\n",
      "calls call='io_getevents' calls=1 errors=0 requests=1 requests_per_call=1 request_kib=8\n"
      "sizes call='io_getevents' request_kib=8 requests=1\n" },
    { "io_uring: how many, not how large; and plain reads and writes", strace_read, strace_detect,
      "io_uring_enter(3, 16, 1, IORING_ENTER_GETEVENTS, NULL, 8) = 16\n"
      "io_uring_enter(3, 4, 0, 0, NULL, 8) = -1 EAGAIN (Resource temporarily unavailable)\n"
      "pread64(256, \"\\6\\242\"..., 8192, 4096) = 8192\n"
      "pwrite64(257, \"\\1 = 2\"..., 512, 0) = 512\npreadv(4, [{iov_base=\"\", iov_len=4096}], 1, "
      "0) "
      "= 4096\n",
      "calls call='io_uring_enter' calls=2 errors=1 requests=16 requests_per_call=16\n"
      "calls call='pread' calls=1 errors=0 requests=1 requests_per_call=1 request_kib=8\n"
      "calls call='pwrite' calls=1 errors=0 requests=1 requests_per_call=1 request_kib=0.5\n"
      "calls call='preadv' calls=1 errors=0 requests=1 requests_per_call=1 request_kib=4\n"
      "sizes call='pread' direction='read' request_kib=8 requests=1\n"
      "sizes call='pwrite' direction='write' request_kib=0.5 requests=1\n"
      "sizes call='preadv' direction='read' request_kib=4 requests=1\n" },
    { "nothing of strace", strace_read, NULL, "hello = 1\n",
      "ERROR f:1: no call of io_submit, io_getevents, io_uring_enter, pread or pwrite in it\n" },
};

static void texts(void **state)
{
    const struct trace_case *c = *state;
    expect_lines(c->read, c->text, NULL, c->want);
    if (c->detect)
        assert_true(c->detect(span_of(c->text)) > 0);
    else
        assert_true(!blkparse_detect(span_of(c->text)) && !strace_detect(span_of(c->text)));
}

/* More sizes than the table has room for are counted, not lost. */
static void many_sizes(void **state)
{
    (void)state;
    enum { SIZES = 4100 };
    size_t room = (size_t)SIZES * 48, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (int i = 1; i <= SIZES; i++)
        at += (size_t)snprintf(text + at, room - at, "8,0 0 %d 0.0 1 D R 0 + %d [x]\n", i, i);
    struct arena a = { 0 };
    struct err e = { 0 };
    static struct lines l;
    l = (struct lines){ .at = 0 };
    const struct ingest_options o = { .date_ms = UNKNOWN, .interval_s = NAN };
    struct sink sink = { .ctx = &l, .warning = put_warning };
    struct source *src = source_of_span("f", (struct span){ text, at });
    int64_t rows = 0, skipped = 0;
    assert_int_equal(blkparse_read(src, &o, &sink, &a, &rows, &skipped, &e), 0);
    assert_int_equal(rows, 4096 + 2); /* sizes, the device, the process */
    assert_string_equal(l.text, "! 0: 4 requests of further sizes are in the totals only\n");
    source_close(src);
    arena_release(&a);
    free(text);
}

static void broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(trace_cases); i++) {
        if (!trace_cases[i].detect)
            continue;
        struct span text = span_of(trace_cases[i].text);
        expect_nomem(trace_cases[i].read, text);
        expect_obeyed(trace_cases[i].read, text);
    }
}

int main(void)
{
    struct CMUnitTest t[N(trace_cases) + 2];
    size_t n = 0;
    ADD_ROW_TESTS(t, n, trace_cases, texts);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(many_sizes);
    t[n++] = (struct CMUnitTest)cmocka_unit_test(broken);
    return _cmocka_run_group_tests("blktrace", t, n, NULL, NULL);
}
