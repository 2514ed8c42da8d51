/* tests/data/fetch/sigv4_check.h - an AWS Signature Version 4 verifier, written from its
 * specification
 * ("Create a signed AWS API request") and FIPS 180-4, sharing nothing with the program or libcurl.
 *
 * It takes the bytes of a request as they were received and recomputes the signature from them. */
#ifndef TESTS_DATA_FETCH_SIGV4_CHECK_H
#define TESTS_DATA_FETCH_SIGV4_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- SHA-256 and HMAC --------------------------------------------------------------------------
 */

static inline uint32_t turn_right(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static inline void sha256_block(uint32_t h[8], const unsigned char *p)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    };
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
               (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn_right(a, 7) ^ turn_right(a, 18) ^ a >> 3) +
               (turn_right(b, 17) ^ turn_right(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (turn_right(e, 6) ^ turn_right(e, 11) ^ turn_right(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
        uint32_t t2 = (turn_right(a, 2) ^ turn_right(a, 13) ^ turn_right(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

static inline void sha256(const void *data, size_t n, unsigned char out[32])
{
    uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    const unsigned char *p = data;
    unsigned char last[128] = { 0 };
    size_t whole = n / 64 * 64, rest = n - whole, room = rest < 56 ? 64 : 128;
    for (size_t i = 0; i < whole; i += 64)
        sha256_block(h, p + i);
    if (rest)
        memcpy(last, p + whole, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[room - 1 - (size_t)i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
    for (size_t i = 0; i < room; i += 64)
        sha256_block(h, last + i);
    for (int i = 0; i < 32; i++)
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static inline void hmac(const unsigned char *key, size_t key_n, const char *text,
                        unsigned char out[32])
{
    unsigned char block[64] = { 0 }, outer[96];
    size_t n = strlen(text);
    unsigned char *inner = malloc(64 + n);
    if (key_n > 64)
        sha256(key, key_n, block);
    else
        memcpy(block, key, key_n);
    for (int i = 0; i < 64; i++) {
        inner[i] = block[i] ^ 0x36;
        outer[i] = block[i] ^ 0x5c;
    }
    memcpy(inner + 64, text, n);
    sha256(inner, 64 + n, outer + 64);
    sha256(outer, 96, out);
    free(inner);
}

static inline char *hex_of(const unsigned char digest[32], char out[65])
{
    for (int i = 0; i < 32; i++)
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
    return out;
}

/* --- the request -------------------------------------------------------------------------------
 */

enum { SIGV4_HEADERS = 64 };

struct received {
    char *text; /* a copy, cut into pieces */
    char *method, *path, *query;
    char *names[SIGV4_HEADERS], *values[SIGV4_HEADERS]; /* names in lower case */
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
    for (line = next + 2; *line && r->n_headers < SIGV4_HEADERS; line = next + 2) {
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

/* --- the signature -----------------------------------------------------------------------------
 */

/* The text after `key` up to a comma or blank, in out. */
static inline bool part_of(const char *text, const char *key, char *out, size_t room)
{
    const char *at = strstr(text, key);
    if (!at)
        return false;
    at += strlen(key);
    size_t n = strcspn(at, ", ");
    if (n >= room)
        return false;
    memcpy(out, at, n);
    out[n] = '\0';
    return true;
}

/* The canonical request for these signed headers, to be freed; NULL when one of them was not sent
 * exactly once, they are not sorted, or there is a query (this program signs none). */
static inline char *canonical_request(const struct received *r, const char *signed_headers)
{
    char names[1024], before[128] = "", hash[65], *name, *rest = names;
    unsigned char digest[32];
    size_t room = 64 * 1024, n;
    char *out = malloc(room);
    snprintf(names, sizeof names, "%s", signed_headers);
    bool ok = !r->query || !*r->query;
    n = (size_t)snprintf(out, room, "%s\n%s\n\n", r->method, r->path);
    while (ok && (name = strsep(&rest, ";")) != NULL) {
        const char *value = received_header(r, name);
        ok = value && strcmp(before, name) < 0;
        if (ok)
            n += (size_t)snprintf(out + n, room - n, "%s:%s\n", name, value);
        snprintf(before, sizeof before, "%s", name);
    }
    sha256(r->body, r->body_n, digest);
    snprintf(out + n, room - n, "\n%s\n%s", signed_headers, hex_of(digest, hash));
    if (ok)
        return out;
    free(out);
    return NULL;
}

static inline void sigv4_sign(const char *secret, const char *scope, const char *date,
                              const char *canonical, char out[65])
{
    unsigned char key[64], digest[32];
    char text[512], hash[65], copy[256], *part, *rest = copy;
    sha256(canonical, strlen(canonical), digest);
    snprintf(text, sizeof text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", date, scope, hex_of(digest, hash));
    snprintf(copy, sizeof copy, "%s", scope);
    size_t key_n = (size_t)snprintf((char *)key, sizeof key, "AWS4%s", secret);
    while ((part = strsep(&rest, "/")) != NULL) { /* date, region, service, aws4_request */
        hmac(key, key_n, part, digest);
        memcpy(key, digest, 32);
        key_n = 32;
    }
    hmac(key, key_n, text, digest);
    hex_of(digest, out);
}

/* NULL when the signature is right, else what is wrong.  `token` NULL: none may be sent. */
static inline const char *sigv4_check(const struct received *r, const char *access_key,
                                      const char *secret, const char *token, const char *region,
                                      const char *service)
{
    char scope[256], names[1024], given[128], want[65], expect_scope[256], prefix[128];
    const char *auth = received_header(r, "authorization");
    const char *date = received_header(r, "x-amz-date");
    const char *sent = received_header(r, "x-amz-security-token");
    if (!auth || strncmp(auth, "AWS4-HMAC-SHA256 ", 17) != 0)
        return "no Authorization, or another algorithm";
    if (!date || strlen(date) != 16)
        return "X-Amz-Date is not there once";
    if (!part_of(auth, "Credential=", scope, sizeof scope) ||
        !part_of(auth, "SignedHeaders=", names, sizeof names) ||
        !part_of(auth, "Signature=", given, sizeof given))
        return "Authorization has not its three parts";
    snprintf(prefix, sizeof prefix, "%s/", access_key);
    snprintf(expect_scope, sizeof expect_scope, "%.8s/%s/%s/aws4_request", date, region, service);
    if (strncmp(scope, prefix, strlen(prefix)) != 0 ||
        strcmp(scope + strlen(prefix), expect_scope) != 0)
        return "the scope is another";
    if (token ? !sent || strcmp(sent, token) != 0 || !strstr(names, "x-amz-security-token")
              : sent != NULL)
        return "the session token is not as it must be";
    if (!strstr(names, "host") || !strstr(names, "x-amz-date"))
        return "host and x-amz-date must be signed";
    char *canonical = canonical_request(r, names);
    if (!canonical)
        return "a signed header was not sent exactly once, or they are not sorted";
    sigv4_sign(secret, expect_scope, date, canonical, want);
    free(canonical);
    return strcmp(want, given) == 0 ? NULL : "the signature is another";
}

#endif
