/* cli/serve/query_words.c - see query_words.h. */
#include "cli/serve/query_words.h"

#include "cli/serve/served.h"

#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 'a' - 'A';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "+" and %HH; out has room for text.len bytes.  Its length, or -1 for what is no such text. */
static int decode(struct span text, char *out)
{
    int len = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i] == '+' ? ' ' : text.ptr[i];
        if (c == '%') {
            int high = i + 2 < text.len ? hex_digit(text.ptr[i + 1]) : -1;
            int low = high < 0 ? -1 : hex_digit(text.ptr[i + 2]);
            if (low < 0)
                return -1;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (!c)
            return -1;
        out[len++] = c;
    }
    return len;
}

/* Only what a name in the table is made of: a "=" in it would end the name before it is checked. */
static bool may_be_name(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", name.ptr[i]) || !name.ptr[i])
            return false;
    return name.len > 0 && name.ptr[0] != '-';
}

static int add_word(struct span piece, const struct command *c, struct arena *a, const char **out,
                    struct err *e)
{
    struct span name = piece, value = { NULL, 0 };
    const char *equals = memchr(piece.ptr, '=', piece.len);
    if (equals) {
        name.len = (size_t)(equals - piece.ptr);
        value = (struct span){ equals + 1, piece.len - name.len - 1 };
    }
    if (!may_be_name(name))
        return err_set(e, ERR_USAGE, "'%.*s' names no parameter: they are the long options of %s",
                       SPAN_ARG(name), c->name);
    if (!option_served(c, name))
        return err_set(e, ERR_USAGE,
                       "%.*s is not served: it is the server's own, or reads or writes files",
                       SPAN_ARG(name));
    char *word = arena_alloc(a, name.len + value.len + 4);
    if (!word)
        return err_nomem(e);
    memcpy(word, "--", 2);
    memcpy(word + 2, name.ptr, name.len);
    *out = word;
    if (!value.len)
        return 0;
    word[2 + name.len] = '=';
    if (decode(value, word + 3 + name.len) < 0)
        return err_set(e, ERR_USAGE, "%.*s: broken escape: write %%HH, and no %%00",
                       SPAN_ARG(name));
    return 0;
}

int query_words(struct span query, const struct command *c, struct arena *a,
                const char *const **out, size_t *out_n, struct err *e)
{
    const char **words = arena_array(a, QUERY_WORDS_MAX, sizeof *words);
    size_t n = 0;
    if (!words)
        return err_nomem(e);
    for (struct span piece; !span_field(&query, '&', &piece);) {
        if (!piece.len)
            continue;
        if (n == QUERY_WORDS_MAX)
            return err_set(e, ERR_USAGE, "more than %d parameters", QUERY_WORDS_MAX);
        int rc = add_word(piece, c, a, &words[n++], e);
        if (rc)
            return rc;
    }
    *out = words;
    *out_n = n;
    return 0;
}
