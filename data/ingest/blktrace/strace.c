/* data/ingest/blktrace/strace.c - system calls that do I/O, as strace prints them: see blktrace.h.
 *
 *     io_submit(139900000001024, 4, {{0x7fa1c0dec210, 0, 0, 0, 261}, ...}) = 4
 *     io_submit(0x7f2c, 1, [{aio_data=0x7f, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=256,
 *         aio_buf=0x7f, aio_nbytes=1048576, aio_offset=0}]) = 1
 *     io_getevents(139900000001024, 1, 128, {{0x7f, 0x7f, 1048576, 0}, ...}, {600, 0}) = 4
 *     io_uring_enter(3, 16, 1, IORING_ENTER_GETEVENTS, NULL, 8) = 16
 *     pread64(256, "..."..., 8192, 4096) = 8192
 *
 * Old versions print no size in io_submit; then io_getevents has it (the third value of an event),
 * but no direction.  Blogs put a backslash before braces. */
#include "data/ingest/blktrace/blktrace.h"

#include "data/ingest/blktrace/size_count.h"
#include "models/core/unit.h"

#include <math.h>

enum call {
    CALL_SUBMIT,
    CALL_GETEVENTS,
    CALL_URING,
    CALL_PREAD,
    CALL_PWRITE,
    CALL_PREADV,
    CALL_PWRITEV,
    CALLS
};

static const struct {
    const char *begins, *name; /* with what stands behind the name */
    enum call call;
} calls[] = {
    { "io_submit(", "io_submit", CALL_SUBMIT },
    { "io_submit resumed", "io_submit", CALL_SUBMIT },
    { "io_getevents(", "io_getevents", CALL_GETEVENTS },
    { "io_getevents resumed", "io_getevents", CALL_GETEVENTS },
    { "io_pgetevents(", "io_getevents", CALL_GETEVENTS },
    { "io_uring_enter(", "io_uring_enter", CALL_URING },
    { "io_uring_enter resumed", "io_uring_enter", CALL_URING },
    { "pread64(", "pread", CALL_PREAD },
    { "pread(", "pread", CALL_PREAD },
    { "pwrite64(", "pwrite", CALL_PWRITE },
    { "pwrite(", "pwrite", CALL_PWRITE },
    { "preadv(", "preadv", CALL_PREADV },
    { "preadv2(", "preadv", CALL_PREADV },
    { "pwritev(", "pwritev", CALL_PWRITEV },
    { "pwritev2(", "pwritev", CALL_PWRITEV },
};

static const int64_t bytes_max = INT64_C(1) << 40; /* no request is longer */

struct reader {
    struct feed *f;
    int64_t n_calls[CALLS], n_errors[CALLS], n_requests[CALLS], n_bytes[CALLS];
    int64_t n_unsized[CALLS]; /* requests whose size is not printed */
    int64_t first_line[CALLS];
    struct size_counts *sizes;
};

/* --- lines ------------------------------------------------------------------------------------ */

static bool find_call(struct span line, enum call *call, struct span *args)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ptrdiff_t at = span_find(line, calls[i].begins);
        if (at < 0)
            continue;
        *call = calls[i].call;
        *args = span_cut(line, (size_t)at + span_of(calls[i].begins).len, line.len);
        return true;
    }
    return false;
}

/* What stands behind the last " = "; false while the call is unfinished. */
static bool take_result(struct span *args, int64_t *out)
{
    size_t n = args->len;
    while (n >= 3 &&
           !(args->ptr[n - 3] == ' ' && args->ptr[n - 2] == '=' && args->ptr[n - 1] == ' '))
        n--;
    if (n < 3)
        return false;
    struct span text = span_cut(*args, n, args->len);
    *args = span_cut(*args, 0, n - 3);
    return span_int(&text, out) == 0;
}

/* The next {...} that holds no other; false when there is none.  *s is moved behind it. */
static bool next_struct(struct span *s, struct span *out)
{
    size_t open = s->len;
    for (size_t i = 0; i < s->len; i++) {
        if (s->ptr[i] == '{') {
            open = i;
        } else if (s->ptr[i] == '}' && open < i) {
            *out = span_cut(*s, open + 1, i);
            *s = span_cut(*s, i + 1, s->len);
            return true;
        }
    }
    return false;
}

/* The number behind "name=", or UNKNOWN. */
static int64_t named(struct span s, const char *name)
{
    int64_t v;
    ptrdiff_t at = span_find(s, name);
    if (at < 0)
        return UNKNOWN;
    s = span_cut(s, (size_t)at + span_of(name).len, s.len);
    return span_int(&s, &v) == 0 && v >= 0 && v < bytes_max ? v : UNKNOWN;
}

/* The i-th of values split by commas, as a number, or UNKNOWN. */
static int64_t numbered(struct span s, int i)
{
    struct span cell = { NULL, 0 };
    int64_t v;
    for (; i >= 0; i--)
        if (span_field(&s, ',', &cell))
            return UNKNOWN;
    cell = span_trim(cell);
    while (span_ends(cell, "\\"))
        cell.len--;
    return span_int(&cell, &v) == 0 && !cell.len && v >= 0 && v < bytes_max ? v : UNKNOWN;
}

static void count(struct reader *r, enum call call, enum io_direction d, int64_t bytes)
{
    r->n_requests[call]++;
    if (bytes == UNKNOWN) {
        r->n_unsized[call]++;
        return;
    }
    r->n_bytes[call] += bytes;
    size_counts_add(r->sizes, (uint32_t)call, d, bytes, source_line_no(r->f->src));
}

/* One iocb: named members, or {data, key, opcode, priority, file} of old versions. */
static void on_iocb(struct reader *r, struct span s)
{
    bool has_names = span_find(s, "=") >= 0;
    int64_t opcode = numbered(s, 2);
    enum io_direction d = IO_UNKNOWN;
    if (span_find(s, "PREAD") >= 0 || span_find(s, "pread") >= 0 || (!has_names && opcode == 0))
        d = IO_READ;
    else if (span_find(s, "PWRITE") >= 0 || span_find(s, "pwrite") >= 0 ||
             (!has_names && opcode == 1))
        d = IO_WRITE;
    count(r, CALL_SUBMIT, d, named(s, "nbytes="));
}

/* One event: named members, or {data, iocb, result, result 2}; a result below 0 is an error. */
static void on_event(struct reader *r, struct span s)
{
    int64_t bytes = span_find(s, "res=") >= 0 ? named(s, "res=") : numbered(s, 2);
    if (bytes == UNKNOWN && numbered(s, 3) == UNKNOWN)
        return; /* the timeout */
    count(r, CALL_GETEVENTS, IO_UNKNOWN, bytes);
}

static void on_structs(struct reader *r, enum call call, struct span args)
{
    struct span s;
    while (next_struct(&args, &s)) {
        if (call == CALL_SUBMIT)
            on_iocb(r, s);
        else if (span_find(s, "tv_sec") < 0)
            on_event(r, s);
    }
}

static void on_call(struct reader *r, enum call call, struct span args)
{
    int64_t result = UNKNOWN;
    bool finished = take_result(&args, &result);
    if (!r->first_line[call])
        r->first_line[call] = source_line_no(r->f->src);
    if (finished) {
        r->n_calls[call]++;
        r->n_errors[call] += result < 0;
    }
    if (call == CALL_SUBMIT || call == CALL_GETEVENTS) {
        on_structs(r, call, args);
    } else if (finished && result >= 0) {
        bool writes = call == CALL_PWRITE || call == CALL_PWRITEV;
        if (call != CALL_URING)
            count(r, call, writes ? IO_WRITE : IO_READ, result < bytes_max ? result : UNKNOWN);
        else if (result < 65536) { /* entries of a ring */
            r->n_requests[call] += result;
            r->n_unsized[call] += result;
        }
    }
}

/* --- records ---------------------------------------------------------------------------------- */

static struct span call_name(const void *ctx, uint32_t call)
{
    (void)ctx;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].call == (enum call)call)
            return span_of(calls[i].name);
    return span_of(NULL);
}

static double ratio(int64_t a, int64_t b)
{
    return b > 0 ? (double)a / (double)b : (double)NAN;
}

static int tell_calls(struct reader *r)
{
    int rc = 0;
    for (int c = 0; c < CALLS && !rc; c++) {
        struct fields f = { .n = 0 };
        int64_t sized = r->n_requests[c] - r->n_unsized[c];
        if (!r->n_calls[c] && !r->n_requests[c])
            continue;
        fields_text(&f, "call", call_name(NULL, (uint32_t)c));
        fields_num(&f, "calls", UNIT_COUNT, (double)r->n_calls[c]);
        fields_num(&f, "errors", UNIT_COUNT, (double)r->n_errors[c]);
        fields_num(&f, "requests", UNIT_COUNT, (double)r->n_requests[c]);
        fields_num(&f, "requests_per_call", UNIT_RATIO,
                   ratio(r->n_requests[c], r->n_calls[c] - r->n_errors[c]));
        fields_num(&f, "request_kib", UNIT_KIB, ratio(r->n_bytes[c], sized) / 1024);
        rc = trace_record(r->f, "calls", r->first_line[c], &f);
    }
    return rc;
}

/* --- the file --------------------------------------------------------------------------------- */

static int read_body(struct feed *f)
{
    struct reader r = { .f = f };
    struct span line, args;
    enum call call;
    int rc;
    r.sizes = arena_alloc(f->arena, sizeof *r.sizes);
    if (!r.sizes)
        return err_nomem(f->err);
    while ((rc = source_line(f->src, &line, f->err)) == 1) {
        if (find_call(line, &call, &args))
            on_call(&r, call, args);
        else
            f->skipped += span_trim(line).len > 0;
    }
    if (!rc)
        rc = tell_calls(&r);
    if (!rc)
        rc = size_counts_tell(r.sizes, f, "call", call_name, NULL);
    if (!rc && !f->rows)
        return feed_fault(f, 1,
                          "no call of io_submit, io_getevents, io_uring_enter, pread or "
                          "pwrite in it");
    return rc;
}

int strace_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                struct arena *a, int64_t *rows, int64_t *skipped, struct err *e)
{
    return feed_run(src, o, sink, a, rows, skipped, e, read_body);
}

int strace_detect(struct span head)
{
    struct span line, args;
    enum call call;
    int64_t result;
    for (int n = 0; n < 200 && span_field(&head, '\n', &line) == 0; n++) {
        line = span_trim(line);
        if (find_call(line, &call, &args) && take_result(&args, &result))
            return 80;
    }
    return 0;
}
