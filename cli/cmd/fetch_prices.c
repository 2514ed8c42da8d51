/* cli/cmd/fetch_prices.c - see fetch_prices.h.
 *
 *   fetch_prices
 *     read_region       one list, streamed: http_call -> price_list -> price_pack
 *     add_differences   what is not as the catalogue has it
 *     price_pack_write  prices.csv, instances.csv */
#include "cli/cmd/fetch_prices.h"

#include "cli/progress.h"
#include "data/facts.h"
#include "data/fetch/price_pack.h"
#include "models/core/timestamp.h"
#include "models/ebs/vol_price.h"

#include <string.h>

enum { ERROR_PAGE_MAX = 64 * 1024 };

struct reading {
    struct price_list *list;
    struct progress *progress;
    const char *region;
    int64_t bytes;
};

static int begin(void *ctx, struct err *e)
{
    struct reading *r = ctx;
    return price_list_begin(r->list, e);
}

static int put(void *ctx, struct span bytes, struct err *e)
{
    struct reading *r = ctx;
    r->bytes += (int64_t)bytes.len;
    progress_step(r->progress, r->region, r->bytes);
    return price_list_put(r->list, bytes, e);
}

/* *found false where AWS has no list of that region. */
static int read_list(struct aws_client *c, struct reading *r, struct arena *a, bool *found,
                     struct err *e)
{
    const char *base = c->endpoint ? c->endpoint : "https://pricing.us-east-1.amazonaws.com";
    const char *slash = span_ends(span_of(base), "/") ? "" : "/";
    struct http_body_sink sink = { r, begin, put };
    struct http_request q = { .method = HTTP_GET, .body_max = ERROR_PAGE_MAX, .sink = &sink };
    struct http_reply reply;
    q.url = arena_printf(a, "%s%soffers/v1.0/aws/AmazonEC2/current/%s/index.csv", base, slash,
                         r->region);
    int rc = q.url ? http_call(&c->http, &q, a, &reply, e) : err_nomem(e);
    if (rc)
        return rc;
    *found = reply.status == 200;
    if (reply.status == 403 || reply.status == 404)
        return 0;
    if (reply.status >= 300 && reply.status < 400)
        return err_set(e, ERR_NET_FINAL,
                       "the price list of %.40s: sent elsewhere (%.100s), not followed. A captive "
                       "portal or proxy in between?",
                       r->region, reply.location);
    if (reply.status != 200)
        return err_set(e, ERR_NET_FINAL, "the price list of %.40s: status %d", r->region,
                       reply.status);
    return price_list_end(r->list, e);
}

static int read_region(struct aws_client *c, struct price_pack *pack, const char *region,
                       struct progress *progress, bool *found, struct err *e)
{
    struct price_list_sink sink = price_pack_sink(pack);
    struct arena a = { 0 };
    struct reading r = { price_list_open(&sink), progress, region, 0 };
    price_pack_region(pack, region);
    int rc = r.list ? read_list(c, &r, &a, found, e) : err_nomem(e);
    if (!rc && *found)
        rc = price_pack_keep(pack, r.list, e);
    if (rc == ERR_PARSE || rc == ERR_LIMIT)
        err_prefix(e, "price list of %s", region);
    price_list_close(r.list);
    arena_release(&a);
    return rc;
}

/* Regions of the catalogue, each once. */
static int all_regions(const struct app *app, struct arena *a, const char ***out, size_t *out_n,
                       struct err *e)
{
    const struct catalogue *c = app->catalogue;
    const char **names = arena_array(a, c->n_prices + 1, sizeof *names);
    size_t n = 0;
    if (!names)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_prices; i++) {
        bool known = false;
        for (size_t k = n; k > 0 && !known; k--)
            known = strcmp(names[k - 1], c->prices[i].region) == 0;
        if (!known)
            names[n++] = c->prices[i].region;
    }
    *out = names;
    *out_n = n;
    return 0;
}

static int read_regions(struct app *app, struct aws_client *c, struct price_pack *pack,
                        struct err *e)
{
    struct progress progress;
    const char **regions = &c->region;
    size_t n = 1;
    bool all = strcmp(c->region, "all") == 0;
    int rc = all ? all_regions(app, &app->arena, &regions, &n, e) : app_region(app, c->region, e);
    progress_start(&progress, app, NULL, 0);
    for (size_t i = 0; !rc && i < n; i++) {
        bool found = false;
        rc = read_region(c, pack, regions[i], &progress, &found, e);
        if (!rc && !found && !all)
            rc = err_set(e, ERR_NET_FINAL, "AWS has no public price list of %.40s", regions[i]);
        else if (!rc && !found)
            app_note(app, "volplan: no public price list of %s: what is known of it stays",
                     regions[i]);
    }
    progress_stop(&progress);
    if (!rc && !pack->n_prices)
        rc = err_set(e, ERR_PARSE, "the price list has no whole set of prices of any volume type");
    return rc;
}

/* --- what differs ------------------------------------------------------------------------------
 */

static double usd(int64_t picousd)
{
    return picousd == UNKNOWN ? NAN : (double)picousd / 1e12;
}

static int add_price_difference(const struct app *app, const struct price *p, struct arena *a,
                                struct fetch_differences *l, struct err *e)
{
    const struct price *was =
        vol_price_row(app->catalogue, p->region, p->as_of_ms, p->type, p->component, p->tier_from);
    if (was && was->picousd == p->picousd)
        return 0;
    char *name = arena_printf(a, "%s in %s", volume_type_name(p->type), p->region);
    char *what = p->tier_from
                     ? arena_printf(a, "%s_usd above %lld", price_component_words[p->component],
                                    (long long)p->tier_from)
                     : arena_printf(a, "%s_usd", price_component_words[p->component]);
    if (!name || !what)
        return err_nomem(e);
    struct fetch_difference d = { name,
                                  what,
                                  UNIT_NONE,
                                  was ? usd(was->picousd) : NAN,
                                  usd(p->picousd),
                                  p->component == PRICE_REQUESTS ? 9 : 5 };
    return fetch_differences_add(l, d, a, e);
}

static int add_differences(const struct app *app, const struct price_pack *pack,
                           const struct catalogue *built, struct arena *a,
                           struct fetch_differences *l, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < pack->n_prices; i++)
        rc = add_price_difference(app, &pack->prices[i], a, l, e);
    for (size_t i = 0; !rc && i < built->n_instances; i++) {
        const struct instance_type *was = &app->catalogue->instances[i];
        const struct instance_type *is = &built->instances[i];
        if (was->hourly_picousd != is->hourly_picousd)
            rc = fetch_differences_add(l,
                                       (struct fetch_difference){ is->name, "hourly_usd", UNIT_NONE,
                                                                  usd(was->hourly_picousd),
                                                                  usd(is->hourly_picousd), 5 },
                                       a, e);
    }
    for (size_t i = 0; !rc && i < pack->n_types; i++)
        rc = fetch_differences_add(l,
                                   (struct fetch_difference){ pack->types[i].name, "new type, vcpu",
                                                              UNIT_COUNT, NAN, pack->types[i].vcpu,
                                                              -1 },
                                   a, e);
    return rc;
}

static int64_t priced_instances(const struct price_pack *pack)
{
    int64_t n = 0;
    for (size_t i = 0; i < pack->known->n_instances; i++)
        n += pack->hourly[i] != UNKNOWN;
    return n;
}

/* --- the action --------------------------------------------------------------------------------
 */

static int write_pack(struct app *app, const struct price_pack *pack, const struct catalogue *built,
                      const char **out_dir, struct err *e)
{
    char day[32];
    struct catalogue back;
    const char *dir = app_text(app, OPT_OUT);
    if (!dir)
        dir = arena_printf(&app->arena, "facts-%s", time_format_date(day, pack->newest_ms));
    if (!dir)
        return err_nomem(e);
    *out_dir = dir;
    int rc = price_pack_write(pack, built, dir, e);
    return rc ? rc : facts_open(dir, &app->arena, &back, e); /* it must be what --facts takes */
}

int fetch_prices(struct app *app, struct aws_client *c, struct fetch_summary *s, struct err *e)
{
    struct price_pack pack;
    struct catalogue built;
    struct fetch_differences differences = { 0 };
    int rc = price_pack_init(&pack, app->catalogue, &app->arena, e);
    if (!rc)
        rc = read_regions(app, c, &pack, e);
    if (!rc)
        rc = price_pack_build(&pack, &built, e);
    if (!rc)
        rc = add_differences(app, &pack, &built, &app->arena, &differences, e);
    if (!rc)
        rc = write_pack(app, &pack, &built, &s->into, e);
    if (rc == ERR_STOPPED)
        return err_set(e, rc, "stopped: nothing was written; the same command begins again");
    if (rc)
        return rc;
    s->differences = differences.item;
    s->n_differences = differences.n;
    s->parts[s->n_parts++] = (struct fetch_part){ "volume prices", (int64_t)pack.n_prices };
    s->parts[s->n_parts++] = (struct fetch_part){ "instance prices", priced_instances(&pack) };
    s->already = differences.n ? "Nothing uses them until --facts names the folder. They differ:"
                               : "They are what is known already.";
    if (pack.n_skipped_types)
        app_note(app,
                 "volplan: %zu times a volume type was left out: a part of its price is missing",
                 pack.n_skipped_types);
    s->next = arena_printf(&app->arena, "volplan catalog --facts %s", s->into);
    return s->next ? 0 : err_nomem(e);
}
