/* data/ingest/awr/awr.c - see awr.h: recognising a report, and which reader takes it. */
#include "data/ingest/awr/awr.h"

#include "data/ingest/awr/awr_html.h"
#include "data/ingest/awr/awr_report.h"
#include "data/ingest/awr/awr_text.h"

#include <string.h>

/* Where text stands at the start of a line, or right behind a tag; -1 when nowhere. */
static ptrdiff_t find_line(struct span head, const char *text)
{
    ptrdiff_t at;
    size_t from = 0;
    while ((at = span_find(span_cut(head, from, head.len), text)) >= 0) {
        size_t i = from + (size_t)at;
        while (i > 0 && (head.ptr[i - 1] == ' ' || head.ptr[i - 1] == '\f'))
            i--;
        if (i == 0 || head.ptr[i - 1] == '\n' || head.ptr[i - 1] == '\r' || head.ptr[i - 1] == '>')
            return (ptrdiff_t)from + at;
        from += (size_t)at + 1;
    }
    return -1;
}

bool awr_starts_a_line(struct span head, const char *text)
{
    return find_line(head, text) >= 0;
}

/* What the first title of a report goes on with behind "WORKLOAD REPOSITORY "; empty when there is
 * none. */
static struct span first_title(struct span head)
{
    static const char title[] = "WORKLOAD REPOSITORY ";
    ptrdiff_t at = find_line(head, title);
    if (at < 0)
        return (struct span){ 0 };
    return span_cut(head, (size_t)at + sizeof title - 1, head.len);
}

static bool begins(struct span s, const char *prefix)
{
    struct span want = span_of(prefix);
    return span_eq_nocase(span_cut(s, 0, want.len), want);
}

int awr_rac_detect(struct span head)
{
    return begins(first_title(head), "REPORT (RAC)") ? 95 : 0;
}

int awr_diff_detect(struct span head)
{
    return begins(first_title(head), "COMPARE ") ? 95 : 0;
}

/* A piece of a report without its title is recognised, so that it is refused by name. */
int awr_detect(struct span head)
{
    struct span title = first_title(head);
    if (title.len)
        return awr_rac_detect(head) || awr_diff_detect(head) ? 0 : 95;
    return awr_starts_a_line(head, "Load Profile") && span_find(head, "Per Second") >= 0 &&
                   span_find(head, "STATSPACK report for") < 0
               ? 40
               : 0;
}

static ptrdiff_t find_tag(struct span head)
{
    static const char *const tags[] = {
        "<html", "<HTML", "<!DOCTYPE", "<!doctype", "<head", "<h1"
    };
    ptrdiff_t first = -1;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        ptrdiff_t at = span_find(head, tags[i]);
        if (at >= 0 && (first < 0 || at < first))
            first = at;
    }
    return first;
}

static bool is_html(struct span head)
{
    ptrdiff_t tag = find_tag(head), title = span_find(head, "WORKLOAD REPOSITORY");
    return tag >= 0 && (title < 0 || tag < title);
}

static int check_bytes(const struct source *src, struct span head, struct err *e)
{
    if (!head.len)
        return err_set(e, ERR_PARSE, "%s:1: the file is empty", source_path(src));
    size_t n_zeros = 0;
    for (size_t i = 0; i < head.len; i++)
        n_zeros += head.ptr[i] == '\0';
    if (n_zeros > head.len / 8)
        return err_set(
            e, ERR_PARSE,
            "%s:1: binary data or UTF-16 text, not an AWR report; convert UTF-16 to UTF-8",
            source_path(src));
    return 0;
}

/* Some transfers make CR CR LF of each CR LF.  In a text where other lines end in CR LF, a CR
 * before it ends a line of its own, and the one between is empty. */
static bool doubles_cr(struct span head)
{
    size_t n = 0;
    for (size_t i = 0; i < head.len; i++) {
        if (head.ptr[i] != '\n')
            continue;
        if (i < 2 || head.ptr[i - 1] != '\r' || head.ptr[i - 2] != '\r')
            return false;
        n++;
    }
    return n > 0;
}

int awr_read(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e)
{
    struct awr_report r;
    struct span head;
    int rc = source_head(src, &head, e);
    if (!rc)
        rc = check_bytes(src, head, e);
    if (rc)
        return rc;
    bool html = is_html(head);
    bool doubled_cr = doubles_cr(head);
    awr_report_init(&r, src, o, sink, a, e);
    r.doubled_cr = doubled_cr;
    rc = html ? awr_html_read(&r, src) : awr_text_read(&r, src);
    return rc ? rc : awr_report_close(&r, rows, skipped);
}
