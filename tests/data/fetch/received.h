/* tests/data/fetch/received.h - a request as it came, in pieces, for what a test's server answers.
 */
#ifndef TESTS_DATA_FETCH_RECEIVED_H
#define TESTS_DATA_FETCH_RECEIVED_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RECEIVED_HEADERS = 64 };

struct received {
    char *text; /* a copy, cut into pieces */
    char *method, *path, *query;
    char *names[RECEIVED_HEADERS], *values[RECEIVED_HEADERS]; /* names in lower case */
    size_t n_headers;
    const char *body;
    size_t body_n;
};

/* The only header of that name; NULL when there is none, or several. */
static inline const char *received_header(const struct received *r, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < r->n_headers; i++)
        if (strcmp(r->names[i], name) == 0) {
            if (found)
                return NULL;
            found = r->values[i];
        }
    return found;
}

static inline char *trimmed(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    for (size_t n = strlen(s); n && (s[n - 1] == ' ' || s[n - 1] == '\r'); n--)
        s[n - 1] = '\0';
    return s;
}

/* bytes is a whole request; false when it is none. */
static inline bool received_parse(const char *bytes, size_t n, struct received *r)
{
    *r = (struct received){ .text = malloc(n + 1) };
    memcpy(r->text, bytes, n);
    r->text[n] = '\0';
    char *end = strstr(r->text, "\r\n\r\n"), *line = r->text, *next;
    if (!end)
        return false;
    r->body = end + 4;
    r->body_n = n - (size_t)(r->body - r->text);
    end[2] = '\0'; /* the head's last line end stays */
    next = strstr(line, "\r\n");
    *next = '\0';
    r->method = line;
    r->path = strchr(line, ' ');
    if (!r->path)
        return false;
    *r->path++ = '\0';
    char *version = strchr(r->path, ' ');
    if (!version)
        return false;
    *version = '\0';
    r->query = strchr(r->path, '?');
    if (r->query)
        *r->query++ = '\0';
    for (line = next + 2; *line && r->n_headers < RECEIVED_HEADERS; line = next + 2) {
        next = strstr(line, "\r\n");
        *next = '\0';
        char *colon = strchr(line, ':');
        if (!colon)
            return false;
        *colon = '\0';
        for (char *c = line; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        r->names[r->n_headers] = line;
        r->values[r->n_headers++] = trimmed(colon + 1);
    }
    return true;
}

static inline void received_release(struct received *r)
{
    free(r->text);
}

#endif
