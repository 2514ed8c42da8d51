/* data/fetch/price_pack.c - see price_pack.h. */
#include "data/fetch/price_pack.h"

#include "data/fetch/facts_pack.h"
#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { NEW_TYPES_MAX = 5000 };

/* Whose tiers all regions have, and the only one whose instances are priced. */
static const char home[] = "us-east-1";

/* Dearer than any price per unit; keeps sums in range. */
#define PRICE_MAX (100000 * MONEY_ONE)

int price_pack_init(struct price_pack *p, const struct catalogue *known, struct arena *a,
                    struct err *e)
{
    *p = (struct price_pack){ .known = known, .arena = a, .newest_ms = UNKNOWN };
    p->picousd = arena_array(a, known->n_usage_types + 1, sizeof *p->picousd);
    p->effective_ms = arena_array(a, known->n_usage_types + 1, sizeof *p->effective_ms);
    p->hourly = arena_array(a, known->n_instances + 1, sizeof *p->hourly);
    if (!p->picousd || !p->effective_ms || !p->hourly)
        return err_nomem(e);
    for (size_t i = 0; i < known->n_instances; i++)
        p->hourly[i] = UNKNOWN;
    return 0;
}

void price_pack_region(struct price_pack *p, const char *region)
{
    p->region = region;
    p->n_types_before = p->n_types;
}

/* --- rows --------------------------------------------------------------------------------------
 */

static void begin(void *ctx)
{
    struct price_pack *p = ctx;
    for (size_t i = 0; i < p->known->n_usage_types; i++)
        p->picousd[i] = p->effective_ms[i] = UNKNOWN;
    if (strcmp(p->region, home) == 0)
        for (size_t i = 0; i < p->known->n_instances; i++)
            p->hourly[i] = UNKNOWN;
    p->n_types = p->n_types_before;
}

/* Per GiB, IOPS, MiB/s or request; -1 for a unit that is none of these. */
static money per_unit(const struct price_list_row *row, enum price_component component)
{
    struct span unit = row->cells[PRICE_COL_UNIT];
    static const struct {
        const char *unit;
        enum price_component component;
        int parts;
    } units[] = {
        { "GB-Mo", PRICE_STORAGE, 1 },       { "GB-month", PRICE_STORAGE, 1 },
        { "IOPS-Mo", PRICE_IOPS, 1 },        { "GiBps-mo", PRICE_THROUGHPUT, 1024 },
        { "MiBps-Mo", PRICE_THROUGHPUT, 1 }, { "IOs", PRICE_REQUESTS, 1 },
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].component == component && span_eq_nocase(unit, span_of(units[i].unit)))
            return money_share(row->price, 1, units[i].parts);
    return -1;
}

static int take_volume(struct price_pack *p, const struct price_list_row *row, struct err *e)
{
    struct span usage = row->cells[PRICE_COL_USAGE_TYPE], when = row->cells[PRICE_COL_EFFECTIVE];
    ptrdiff_t at = span_find(usage, "EBS:");
    if (at < 0)
        return 0;
    usage = span_cut(usage, (size_t)at, usage.len);
    for (size_t i = 0; i < p->known->n_usage_types; i++) {
        const struct usage_type *u = &p->known->usage_types[i];
        if (u->component == PRICE_COMPONENT_COUNT || !span_is(usage, u->name) || row->price == 0)
            continue; /* 0: what every volume has free of charge */
        money price = per_unit(row, u->component);
        if (price < 0 || price > PRICE_MAX)
            return err_set(e, ERR_PARSE, "line %lld: %s: a price per '%.*s' cannot be used",
                           (long long)row->line, u->name, SPAN_ARG(row->cells[PRICE_COL_UNIT]));
        int64_t effective_ms = UNKNOWN;
        if (time_parse_date(&when, &effective_ms))
            effective_ms = UNKNOWN;
        if (p->picousd[i] == UNKNOWN || effective_ms >= p->effective_ms[i]) {
            p->picousd[i] = (int64_t)price;
            p->effective_ms[i] = effective_ms;
        }
    }
    return 0;
}

static bool is_plain_linux(const struct price_list_row *row)
{
    static const struct {
        enum price_column column;
        const char *value;
    } wanted[] = {
        { PRICE_COL_TENANCY, "Shared" },
        { PRICE_COL_SYSTEM, "Linux" },
        { PRICE_COL_SOFTWARE, "NA" },
        { PRICE_COL_CAPACITY, "Used" },
        { PRICE_COL_LICENSE, "No License required" },
        { PRICE_COL_UNIT, "Hrs" },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!span_is(row->cells[wanted[i].column], wanted[i].value))
            return false;
    return row->price > 0 && row->price <= PRICE_MAX;
}

static int add_type(struct price_pack *p, struct span name, struct span vcpu, struct err *e)
{
    double n = NAN;
    for (size_t i = 0; i < p->n_types; i++)
        if (span_is(name, p->types[i].name))
            return 0;
    if (p->n_types == NEW_TYPES_MAX)
        return err_set(e, ERR_LIMIT, "more than %d unknown instance types", NEW_TYPES_MAX);
    if (p->n_types == p->types_room) {
        size_t room = p->types_room ? 2 * p->types_room : 32;
        struct price_new_type *grown =
            arena_grow(p->arena, p->types, p->n_types, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        p->types = grown;
        p->types_room = room;
    }
    char *copy = arena_strndup(p->arena, name.ptr, name.len < 40 ? name.len : 40);
    if (!copy)
        return err_nomem(e);
    if (span_double(&vcpu, &n) || vcpu.len)
        n = NAN;
    p->types[p->n_types++] = (struct price_new_type){ copy, n };
    return 0;
}

static int take_instance(struct price_pack *p, const struct price_list_row *row, struct err *e)
{
    struct span name = row->cells[PRICE_COL_INSTANCE_TYPE];
    if (!span_starts(row->cells[PRICE_COL_FAMILY], "Compute Instance") || !name.len ||
        !is_plain_linux(row))
        return 0;
    const struct instance_type *known = instance_find(p->known, name);
    if (!known)
        return add_type(p, name, row->cells[PRICE_COL_VCPU], e);
    if (strcmp(p->region, home) == 0)
        p->hourly[known - p->known->instances] = (int64_t)row->price;
    return 0;
}

static int take_row(void *ctx, const struct price_list_row *row, struct err *e)
{
    struct price_pack *p = ctx;
    struct span region = row->cells[PRICE_COL_REGION];
    if (region.len && !span_is(region, p->region))
        return 0;
    int rc = take_volume(p, row, e);
    return rc ? rc : take_instance(p, row, e);
}

struct price_list_sink price_pack_sink(struct price_pack *p)
{
    return (struct price_list_sink){ p, begin, take_row };
}

/* --- a list is whole ---------------------------------------------------------------------------
 */

/* The price of a tier in the list: 0 where the catalogue has it free; UNKNOWN where it is missing.
 */
static int64_t listed(const struct price_pack *p, const struct price *shape)
{
    if (shape->picousd == 0)
        return 0;
    for (size_t i = 0; i < p->known->n_usage_types; i++) {
        const struct usage_type *u = &p->known->usage_types[i];
        if (u->component == shape->component && u->type == shape->type &&
            u->tier_from == shape->tier_from)
            return p->picousd[i];
    }
    return UNKNOWN;
}

/* The newest rows of us-east-1: others before them are of days long gone. */
static int64_t shape_day(const struct price_pack *p, enum volume_type type)
{
    int64_t day = UNKNOWN;
    for (size_t i = 0; i < p->known->n_prices; i++) {
        const struct price *q = &p->known->prices[i];
        if (q->type == type && strcmp(q->region, home) == 0 && q->as_of_ms > day)
            day = q->as_of_ms;
    }
    return day;
}

static int add_price(struct price_pack *p, const struct price *new, struct err *e)
{
    if (p->n_prices == p->prices_room) {
        size_t room = p->prices_room ? 2 * p->prices_room : 64;
        struct price *grown = arena_grow(p->arena, p->prices, p->n_prices, room, sizeof *grown);
        if (!grown)
            return err_nomem(e);
        p->prices = grown;
        p->prices_room = room;
    }
    p->prices[p->n_prices++] = *new;
    return 0;
}

/* All tiers of a type, or none. */
static int keep_type(struct price_pack *p, enum volume_type type, int64_t day_ms,
                     const char *source, struct err *e)
{
    int64_t shape_ms = shape_day(p, type);
    size_t n_before = p->n_prices, n_found = 0, n_missing = 0;
    int rc = 0;
    for (size_t i = 0; !rc && i < p->known->n_prices; i++) {
        struct price q = p->known->prices[i];
        if (q.type != type || q.as_of_ms != shape_ms || strcmp(q.region, home) != 0)
            continue;
        q.region = p->region;
        q.picousd = listed(p, &p->known->prices[i]);
        q.as_of_ms = day_ms;
        q.source = source;
        n_found += q.picousd > 0;
        n_missing += q.picousd == UNKNOWN;
        rc = add_price(p, &q, e);
    }
    if (n_missing || !n_found) {
        p->n_prices = n_before;
        p->n_skipped_types += n_found > 0;
    }
    return rc;
}

int price_pack_keep(struct price_pack *p, const struct price_list *l, struct err *e)
{
    char day[32];
    int64_t published_ms = price_list_published_ms(l);
    int64_t day_ms = published_ms - published_ms % DAY_MS;
    char *region = arena_strdup(p->arena, p->region);
    char *source = arena_printf(p->arena, "AWS price list AmazonEC2 %s version %s, published %s",
                                p->region, price_list_version(l), time_format_date(day, day_ms));
    if (!region || !source)
        return err_nomem(e);
    p->region = region;
    int rc = 0;
    for (int t = 0; !rc && t < VOL_TYPE_COUNT; t++)
        rc = keep_type(p, (enum volume_type)t, day_ms, source, e);
    if (day_ms > p->newest_ms)
        p->newest_ms = day_ms;
    if (strcmp(region, home) == 0) {
        p->instances_ms = day_ms;
        p->instances_source = source;
    }
    return rc;
}

/* --- the pack ----------------------------------------------------------------------------------
 */

/* Whether the new rows have their own for that day. */
static bool is_replaced(const struct price_pack *p, const struct price *old)
{
    for (size_t i = 0; i < p->n_prices; i++)
        if (p->prices[i].type == old->type && p->prices[i].as_of_ms == old->as_of_ms &&
            strcmp(p->prices[i].region, old->region) == 0)
            return true;
    return false;
}

int price_pack_build(const struct price_pack *p, struct catalogue *out, struct err *e)
{
    const struct catalogue *known = p->known;
    struct price *prices = arena_array(p->arena, known->n_prices + p->n_prices + 1, sizeof *prices);
    struct instance_type *instances =
        arena_array(p->arena, known->n_instances + 1, sizeof *instances);
    size_t n = 0;
    if (!prices || !instances)
        return err_nomem(e);
    for (size_t i = 0; i < known->n_prices; i++)
        if (!is_replaced(p, &known->prices[i]))
            prices[n++] = known->prices[i];
    for (size_t i = 0; i < p->n_prices; i++)
        prices[n++] = p->prices[i];
    for (size_t i = 0; i < known->n_instances; i++) {
        instances[i] = known->instances[i];
        if (!p->instances_source || p->hourly[i] == UNKNOWN ||
            p->hourly[i] == instances[i].hourly_picousd)
            continue;
        instances[i].hourly_picousd = p->hourly[i];
        instances[i].as_of_ms = p->instances_ms;
        instances[i].source = p->instances_source;
    }
    *out = *known;
    out->prices = prices;
    out->n_prices = n;
    out->instances = instances;
    return 0;
}

int price_pack_write(const struct price_pack *p, const struct catalogue *built, const char *dir,
                     struct err *e)
{
    int rc = facts_pack_write(dir, FACTS_PRICES, built->prices, built->n_prices, p->arena, e);
    return rc || !p->instances_source ? rc
                                      : facts_pack_write(dir, FACTS_INSTANCES, built->instances,
                                                         built->n_instances, p->arena, e);
}
