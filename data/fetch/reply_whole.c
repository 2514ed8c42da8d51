/* data/fetch/reply_whole.c - see reply_whole.h. */
#include "data/fetch/reply_whole.h"

#include "data/ingest/json/json_scan.h"

#include <string.h>

static struct span trim_lines(struct span s)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ')
        s = span_cut(s, 1, s.len);
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ')
        s.len--;
    return s;
}

static bool is_whole_json(struct span s)
{
    struct json_cursor c;
    struct json_value v;
    json_start(&c, s, 1);
    return json_at_value(&c) > 0 && json_skip(&c, &v) == 0;
}

/* The rest behind "<?xml ... ?>". */
static struct span skip_declaration(struct span s)
{
    ptrdiff_t end = span_starts(s, "<?") ? span_find(s, "?>") : -1;
    return end < 0 ? s : trim_lines(span_cut(s, (size_t)end + 2, s.len));
}

static bool has_document_type(struct span s)
{
    return span_eq_nocase(span_cut(s, 0, 9), SPAN_LIT("<!doctype"));
}

static bool is_html_name(struct span s)
{
    return span_eq_nocase(span_cut(s, 0, 4), SPAN_LIT("html")) &&
           (s.len == 4 || strchr(" \t\r\n/>[", s.ptr[4]));
}

bool reply_is_html(struct span body)
{
    struct span s = skip_declaration(trim_lines(body));
    if (has_document_type(s))
        return is_html_name(trim_lines(span_cut(s, 9, s.len)));
    return span_starts(s, "<") && is_html_name(span_cut(s, 1, s.len));
}

/* "<Name xmlns=...>" -> "Name" */
static struct span first_name(struct span s)
{
    size_t n = 1;
    while (n < s.len && !strchr(" \t\r\n/>", s.ptr[n]))
        n++;
    return span_cut(s, 1, n);
}

static bool is_whole_xml(struct span s)
{
    s = skip_declaration(s);
    if (has_document_type(s))
        return true;
    struct span name = first_name(s);
    if (!name.len || !span_ends(s, ">"))
        return false;
    const char *open = memchr(s.ptr, '>', s.len);
    if (open == s.ptr + s.len - 1)
        return s.len > 2 && open[-1] == '/'; /* "<Name/>" */
    if (s.len < 2 * name.len + 5)
        return false;
    struct span last = span_cut(s, s.len - name.len - 3, s.len);
    return span_starts(last, "</") && span_eq(span_cut(last, 2, 2 + name.len), name);
}

bool reply_is_whole(struct span body)
{
    struct span s = trim_lines(body);
    if (span_starts(s, "{"))
        return is_whole_json(s);
    if (span_starts(s, "<"))
        return is_whole_xml(s);
    return s.len > 0;
}
