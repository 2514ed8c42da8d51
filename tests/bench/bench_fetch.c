/* tests/bench/bench_fetch.c - MB/s of a price list of 500 MB, from a server on this machine.
 *
 * Measured against the same transfer that only counts its bytes: what reading the rows costs. */
#include "data/fetch/http_curl.h"
#include "data/fetch/http_retry.h"
#include "data/fetch/price_pack.h"
#include "tests/data/fetch/fake_aws.h"
#include "tests/data/fetch/still_world.h"

#include <time.h>

enum { MB = 500 };

static const char head[] =
    "\"Publication Date\",\"2026-11-20T20:48:02Z\"\n\"SKU\",\"TermType\",\"PriceDescription\","
    "\"EffectiveDate\",\"Unit\",\"PricePerUnit\",\"Currency\",\"Product Family\",\"Location Type\","
    "\"Instance Type\",\"Tenancy\",\"Operating System\",\"usageType\",\"Region Code\"\n";
/* As in the real list, most rows are reservations. */
static const char *const rows[] = {
    "\"S1\",\"Reserved\",\"Linux, r5.large reserved instance applied\",\"2026-11-01\",\"Hrs\","
    "\"0.0480000000\",\"USD\",\"Compute Instance\",\"AWS "
    "Region\",\"r5.large\",\"Shared\",\"Linux\","
    "\"BoxUsage:r5.large\",\"us-east-1\"\n",
    "\"S2\",\"OnDemand\",\"$0.252 per On Demand Windows r5.large\",\"2026-11-01\",\"Hrs\","
    "\"0.2520000000\",\"USD\",\"Compute Instance\",\"AWS Region\",\"r5.large\",\"Shared\","
    "\"Windows\",\"BoxUsage:r5.large\",\"us-east-1\"\n",
};

static void answer(struct fake_aws *f, const struct received *r, int n, int conn)
{
    static char block[64 * 1024];
    static const char start[] = "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n";
    size_t size = 0;
    (void)r, (void)n;
    for (int i = 0; size + strlen(rows[i % 8 == 0]) < sizeof block; i++) {
        memcpy(block + size, rows[i % 8 == 0], strlen(rows[i % 8 == 0]));
        size += strlen(rows[i % 8 == 0]);
    }
    fake_send(f, conn, start, sizeof start - 1);
    fake_send(f, conn, head, sizeof head - 1);
    for (size_t sent = 0; sent < (size_t)MB * 1000000 && fake_send(f, conn, block, size);)
        sent += size;
}

struct reading {
    struct price_list *list; /* NULL = the bytes are only counted */
    int64_t bytes;
};

static int begin(void *ctx, struct err *e)
{
    struct reading *r = ctx;
    return r->list ? price_list_begin(r->list, e) : 0;
}

static int put(void *ctx, struct span bytes, struct err *e)
{
    struct reading *r = ctx;
    r->bytes += (int64_t)bytes.len;
    return r->list ? price_list_put(r->list, bytes, e) : 0;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* MB/s; negative when it failed. */
static double read_once(const char *url, struct price_list *list, struct err *e)
{
    struct http_curl *curl;
    struct reading r = { list, 0 };
    struct http_body_sink sink = { &r, begin, put };
    struct http_request q = { .method = HTTP_GET, .url = url, .body_max = 1000, .sink = &sink };
    struct http_reply reply;
    struct arena a = { 0 };
    if (http_curl_open(&(struct http_curl_options){ 0 }, &curl, e))
        return -1;
    struct http_client c = { http_curl_transport(curl), still_world(), 0, 0 };
    double start = seconds();
    int rc = http_call(&c, &q, &a, &reply, e);
    if (!rc && list)
        rc = price_list_end(list, e);
    double took = seconds() - start;
    http_curl_close(curl);
    arena_release(&a);
    return rc ? -1 : (double)r.bytes / 1e6 / took;
}

int main(void)
{
    struct fake_aws f = { .answer = answer };
    struct arena a = { 0 };
    struct price_pack pack;
    struct err e = { 0 };
    char url[64];
    if (http_curl_global_init(&e) || price_pack_init(&pack, &builtin_catalogue, &a, &e))
        return 1;
    price_pack_region(&pack, "us-east-1");
    struct price_list_sink sink = price_pack_sink(&pack);
    struct price_list *list = price_list_open(&sink);
    fake_start(&f);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", f.port);
    double bare = read_once(url, NULL, &e);
    double read = list ? read_once(url, list, &e) : -1;
    fake_stop(&f);
    price_list_close(list);
    arena_release(&a);
    http_curl_global_release();
    if (bare < 0 || read < 0) {
        printf("fetch: %s\n", e.text);
        return 1;
    }
    printf(
        "fetch: a price list of %d MB at %.0f MB/s; %.2f of the same transfer without reading it "
        "(%.0f MB/s)\n",
        MB, read, read / bare, bare);
    return 0;
}
