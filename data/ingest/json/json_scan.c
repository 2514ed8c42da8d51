/* data/ingest/json/json_scan.c - see json_scan.h. */
#include "data/ingest/json/json_scan.h"

#include <string.h>

void json_start(struct json_cursor *c, struct span text, int64_t line)
{
    *c = (struct json_cursor){ .at = text.ptr, .line = line };
    if (!text.len)
        c->at = "";
    c->end = c->at + text.len;
    c->line_start = c->at;
}

/* Remembers the first fault; always -1. */
static int fault(struct json_cursor *c, const char *what)
{
    if (!c->fault.what)
        c->fault =
            (struct json_fault){ what, c->line, (size_t)(c->at - c->line_start) + 1, c->last_key };
    return -1;
}

static void skip_blanks(struct json_cursor *c)
{
    for (; c->at < c->end; c->at++) {
        char b = *c->at;
        if (b == '\n') {
            c->line++;
            c->line_start = c->at + 1;
        } else if (b != ' ' && b != '\t' && b != '\r') {
            return;
        }
    }
}

static bool is_digit(const struct json_cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

/* Value of n hexadecimal digits at p, or -1. */
static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char h = p[i];
        int d = h >= '0' && h <= '9'   ? h - '0'
                : h >= 'a' && h <= 'f' ? h - 'a' + 10
                : h >= 'A' && h <= 'F' ? h - 'A' + 10
                                       : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

/* c->at is behind "\u"; half a surrogate pair is refused, as cJSON does. */
static int skip_unicode_escape(struct json_cursor *c)
{
    int first = hex4(c->at, c->end);
    if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF))
        return fault(c, "malformed \\u escape");
    c->at += 4;
    if (first < 0xD800 || first > 0xDBFF)
        return 0;
    int second =
        c->end - c->at >= 6 && c->at[0] == '\\' && c->at[1] == 'u' ? hex4(c->at + 2, c->end) : -1;
    if (second < 0xDC00 || second > 0xDFFF)
        return fault(c, "half of a surrogate pair in a \\u escape");
    c->at += 6;
    return 0;
}

/* The quote is at the cursor; *out is what stands between the quotes, as written. */
static int skip_string(struct json_cursor *c, struct span *out)
{
    static const char escapes[] = "\"\\/bfnrtu";
    const char *open = c->at++;
    while (c->at < c->end) {
        unsigned char b = (unsigned char)*c->at;
        if (b == '"') {
            *out = (struct span){ open + 1, (size_t)(c->at - open) - 1 };
            c->at++;
            return 0;
        }
        if (b < ' ') {
            bool line_end = b == '\n' || b == '\r';
            c->at = open;
            return fault(c, line_end ? "the text is not closed by '\"' on its line"
                                     : "control character inside a text");
        }
        c->at++;
        if (b != '\\')
            continue;
        if (c->at == c->end || !memchr(escapes, *c->at, sizeof escapes - 1))
            return fault(c, "unknown escape after '\\'");
        if (*c->at++ == 'u' && skip_unicode_escape(c))
            return -1;
    }
    c->at = open;
    return fault(c, "the input ends inside a text");
}

static int skip_digits(struct json_cursor *c)
{
    if (!is_digit(c))
        return fault(c, "malformed number");
    while (is_digit(c))
        c->at++;
    return 0;
}

static int skip_number(struct json_cursor *c)
{
    const char *start = c->at;
    c->at += *c->at == '-';
    if (c->at < c->end && *c->at == '0')
        c->at++;
    else if (skip_digits(c))
        return -1;
    if (c->at < c->end && *c->at == '.') {
        c->at++;
        if (skip_digits(c))
            return -1;
    }
    if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
        c->at++;
        if (c->at < c->end && (*c->at == '+' || *c->at == '-'))
            c->at++;
        if (skip_digits(c))
            return -1;
    }
    if (c->at - start <= JSON_NUMBER_MAX)
        return 0;
    c->at = start;
    return fault(c, "number of more than 60 characters");
}

static int skip_word(struct json_cursor *c)
{
    static const char *const words[] = { "true", "false", "null" };
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(c->end - c->at) >= n && memcmp(c->at, words[i], n) == 0) {
            c->at += n;
            return 0;
        }
    }
    return fault(c, "expected a value");
}

static int skip_scalar(struct json_cursor *c)
{
    struct span ignored;
    if (*c->at == '"')
        return skip_string(c, &ignored);
    if (*c->at == '-' || is_digit(c))
        return skip_number(c);
    return skip_word(c);
}

/* A key and its colon; the cursor is at the value then. */
static int skip_key(struct json_cursor *c, struct span *key)
{
    skip_blanks(c);
    if (c->at == c->end)
        return fault(c, "the input ends inside an object");
    if (*c->at != '"')
        return fault(c, "expected a key in '\"'");
    if (skip_string(c, key))
        return -1;
    skip_blanks(c);
    if (c->at == c->end || *c->at != ':')
        return fault(c, "expected ':' after a key");
    c->at++;
    c->last_key = *key;
    skip_blanks(c);
    return c->at < c->end ? 0 : fault(c, "the input ends where a value should be");
}

int json_at_value(struct json_cursor *c)
{
    skip_blanks(c);
    return c->at < c->end;
}

int json_enter(struct json_cursor *c, char open)
{
    if (c->at >= c->end || *c->at != open)
        return -1;
    c->at++;
    return 0;
}

/* Between the items of an object or array: 1 = another follows, 0 = closed. */
static int between(struct json_cursor *c, bool *first, char close)
{
    skip_blanks(c);
    if (c->at == c->end)
        return fault(c, close == '}' ? "the input ends inside an object"
                                     : "the input ends inside an array");
    if (*c->at == close) {
        c->at++;
        return 0;
    }
    if (!*first) {
        if (*c->at != ',')
            return fault(c, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
        c->at++;
        skip_blanks(c);
    }
    *first = false;
    return c->at < c->end ? 1 : fault(c, "the input ends where a value should be");
}

int json_next_member(struct json_cursor *c, bool *first, struct span *key)
{
    int more = between(c, first, '}');
    return more == 1 && skip_key(c, key) ? -1 : more;
}

int json_next_element(struct json_cursor *c, bool *first)
{
    return between(c, first, ']');
}

/* Closes what ends at the cursor and passes the comma before the next item, with its key.
 * 1 = at a value, 0 = the outermost was closed. */
static int next_inside(struct json_cursor *c, const bool *is_object, size_t *depth, bool first)
{
    while (*depth) {
        struct span key;
        bool object = is_object[*depth - 1];
        int more = object ? json_next_member(c, &first, &key) : json_next_element(c, &first);
        if (more)
            return more;
        --*depth;
        first = false;
    }
    return 0;
}

int json_skip(struct json_cursor *c, struct json_value *out)
{
    bool is_object[JSON_DEPTH_MAX];
    size_t depth = 0, n_values = 0;
    skip_blanks(c);
    const char *start = c->at;
    int64_t line = c->line;
    if (c->at == c->end)
        return fault(c, "the input ends where a value should be");
    for (;;) {
        n_values++;
        bool opens = *c->at == '{' || *c->at == '[';
        if (opens) {
            if (depth == JSON_DEPTH_MAX)
                return fault(c, "nested more than 900 deep");
            is_object[depth++] = *c->at++ == '{';
        } else if (skip_scalar(c)) {
            return -1;
        }
        int more = next_inside(c, is_object, &depth, opens);
        if (more < 0)
            return -1;
        if (more == 0)
            break;
    }
    *out = (struct json_value){ { start, (size_t)(c->at - start) }, line, n_values };
    return 0;
}

bool json_is_object(struct json_value v)
{
    return v.text.len && v.text.ptr[0] == '{';
}

bool json_is_array(struct json_value v)
{
    return v.text.len && v.text.ptr[0] == '[';
}

bool json_member(struct json_value v, const char *key, struct json_value *out)
{
    struct json_cursor c;
    struct span name;
    struct json_value member;
    bool first = true;
    json_start(&c, v.text, v.line);
    if (json_enter(&c, '{'))
        return false;
    while (json_next_member(&c, &first, &name) == 1 && json_skip(&c, &member) == 0)
        if (span_is(name, key)) {
            *out = member;
            return true;
        }
    return false;
}

/* One of the keys of the object at the cursor, as far as the text goes. */
static bool object_has(struct json_cursor *c, const char *key, bool may_wrap)
{
    bool first = true;
    struct span name = { NULL, 0 };
    struct json_value passed;
    if (json_enter(c, '{'))
        return false;
    while (json_next_member(c, &first, &name) == 1) {
        if (span_is(name, key))
            return true;
        if (may_wrap && span_is(name, "data") && *c->at == '{')
            return object_has(c, key, false);
        if (json_skip(c, &passed))
            return false;
    }
    return false;
}

bool json_head_has(struct span head, const char *key)
{
    struct json_cursor c;
    bool first = true;
    json_start(&c, head, 1);
    if (json_at_value(&c) != 1)
        return false;
    if (json_enter(&c, '[') == 0 && json_next_element(&c, &first) != 1)
        return false;
    return object_has(&c, key, true);
}

bool json_head_is_array(struct span head)
{
    struct json_cursor c;
    json_start(&c, head, 1);
    return json_at_value(&c) == 1 && *c.at == '[';
}
