/* cli/render/render_json.c - the JSON backend.
 *
 * Streams; what it needs is the stack of open containers.  A member of the document
 * and an object in a list of the document start a line of their own, so that people
 * and diff can read it; what is below stays on that line. */
#include "cli/render/number.h"
#include "cli/render/output.h"
#include "cli/render/printable.h"
#include "cli/render/render.h"
#include "models/core/mem.h"
#include "models/core/timestamp.h"

#include <errno.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct json {
    struct emit emit;
    FILE *out;
    bool in_page;
    int depth; /* open containers besides the document */
    struct {
        enum emit_kind kind;
        bool any;   /* something stands in it */
        bool lines; /* one line per element */
    } open[DEPTH_MAX + 1];
    int write_errno;
};

static struct json *json_of(struct emit *m)
{
    return (struct json *)m;
}

static void check_write(struct json *j)
{
    if (ferror(j->out)) {
        j->write_errno = errno;
        j->emit.failed = output_failed(NULL, j->write_errno);
    }
}

/* Ends a script element, or a line of one. */
static bool is_markup(uint32_t code)
{
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029;
}

/* Bytes at the beginning that stand for themselves; most texts are nothing else. */
static size_t plain_run(const char *s)
{
    size_t n = 0;
    for (char c = *s; c >= ' ' && c <= '~'; c = s[++n])
        if (c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
            break;
    return n;
}

static void put_string(const struct json *j, const char *s)
{
    FILE *f = j->out;
    putc('"', f);
    size_t left = strlen(s);
    while (left) {
        size_t plain = plain_run(s);
        if (plain) {
            fwrite(s, 1, plain, f);
            s += plain;
            left -= plain;
            continue;
        }
        uint32_t code;
        size_t n = utf8_next(s, left, &code);
        if (code == UTF8_BROKEN)
            fputs("\\ufffd", f);
        else if (code == '"' || code == '\\')
            fprintf(f, "\\%c", (int)code);
        else if (code == '\n')
            fputs("\\n", f);
        else if (code == '\t')
            fputs("\\t", f);
        else if ((code < 0x10000 && printable_is_control(code)) || (j->in_page && is_markup(code)))
            fprintf(f, "\\u%04x", (unsigned)code);
        else
            fwrite(s, 1, n, f);
        s += n;
        left -= n;
    }
    putc('"', f);
}

/* Everything before a value: the comma, the line break, the key. */
static void put_lead(struct json *j, const char *key, bool starts_object)
{
    int at = j->depth;
    bool in_list = j->open[at].kind == EMIT_LIST;
    if (in_list != !key)
        BUG("a value in an object has a key, one in a list has none");
    bool own_line = at == 0 || (at == 1 && in_list && starts_object);
    if (at == 0 && !j->open[at].any)
        putc('{', j->out);
    if (j->open[at].any)
        putc(',', j->out);
    if (own_line) {
        fprintf(j->out, "\n%*s", 2 * (at + 1), "");
        j->open[at].lines = true;
    } else if (j->open[at].any)
        putc(' ', j->out);
    j->open[at].any = true;
    if (key) {
        put_string(j, key);
        fputs(": ", j->out);
    }
}

static void json_begin(struct emit *m, const char *key, enum emit_kind kind,
                       const struct emit_col *cols, size_t n_cols)
{
    (void)cols, (void)n_cols;
    struct json *j = json_of(m);
    if (j->depth == DEPTH_MAX)
        BUG("too many open lists and objects");
    put_lead(j, key, kind == EMIT_OBJECT);
    putc(kind == EMIT_LIST ? '[' : '{', j->out);
    j->depth++;
    j->open[j->depth].kind = kind;
    j->open[j->depth].any = j->open[j->depth].lines = false;
}

static void json_end(struct emit *m)
{
    struct json *j = json_of(m);
    if (j->depth == 0)
        BUG("end without begin");
    if (j->open[j->depth].lines)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
    putc(j->open[j->depth].kind == EMIT_LIST ? ']' : '}', j->out);
    j->depth--;
    check_write(j);
}

static void json_value(struct emit *m, const char *key, const struct emit_value *v)
{
    struct json *j = json_of(m);
    char buf[NUMBER_ROOM];
    put_lead(j, key, false);
    switch (v->kind) {
    case EMIT_NULL:
        fputs("null", j->out);
        break;
    case EMIT_BOOL:
        fputs(v->flag ? "true" : "false", j->out);
        break;
    case EMIT_TEXT:
        put_string(j, v->text);
        break;
    case EMIT_TIME:
        fprintf(j->out, "\"%s\"", time_format_iso(buf, v->integer));
        break;
    case EMIT_DECIMAL:
        fputs(v->text, j->out);
        break;
    case EMIT_INT:
    case EMIT_NUM:
    case EMIT_USD:
        fputs(number_format(buf, v), j->out);
        break;
    }
    check_write(j);
}

static void json_words(struct emit *m, const char *label, const char *text, bool is_cell)
{
    (void)m, (void)label, (void)text, (void)is_cell;
}

static int json_close(struct emit *m, struct err *e)
{
    struct json *j = json_of(m);
    if (!m->failed) {
        if (j->depth)
            BUG("close with open lists or objects");
        fputs(j->open[0].any ? "\n}\n" : "{}\n", j->out);
        if (fflush(j->out) == EOF) {
            j->write_errno = errno;
            m->failed = output_failed(NULL, j->write_errno);
        }
    }
    int rc = m->failed;
    if (rc == ERR_IO || rc == ERR_PIPE)
        output_failed(e, j->write_errno);
    mem_free(j);
    return rc;
}

static struct emit *open_json(FILE *out, bool in_page)
{
    static const struct emit_ops ops = { json_begin, json_end,   json_value,
                                         json_words, json_close, NULL };
    struct json *j = mem_zalloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->emit.ops = &ops;
    j->out = out;
    j->in_page = in_page;
    return &j->emit;
}

struct emit *render_json(FILE *out)
{
    return open_json(out, false);
}

struct emit *render_json_in_page(FILE *out)
{
    return open_json(out, true);
}
