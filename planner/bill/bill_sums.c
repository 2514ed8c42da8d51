/* planner/bill/bill_sums.c - see bill_sums.h. */
#include "planner/bill/bill_sums.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

/* The largest there are: 64 TiB; 256 000 IOPS; gp3 throughput in GiB/s is below this. */
static const double size_max_gib = 65536, iops_max = 1e6, gibps_max = 4;

void bill_sums_init(struct bill_sums *b, const struct catalogue *c, const char *default_region)
{
    *b =
        (struct bill_sums){ .catalogue = c, .default_region = default_region, .month_ms = UNKNOWN };
}

struct bill_sum *bill_sums_at(const struct bill_sums *b, size_t i)
{
    return &b->blocks[i / BLOCK][i % BLOCK];
}

/* --- what a line is ---------------------------------------------------------------------------
 */

static enum bill_line_kind kind_of(struct span type)
{
    static const char *const usage[] = { "Usage", "DiscountedUsage", "SavingsPlanCoveredUsage" };
    static const char *const credit[] = { "Credit", "Refund", "Adjustment", "SavingsPlanNegation" };
    if (!type.len)
        return BILL_USAGE;
    for (size_t i = 0; i < sizeof usage / sizeof *usage; i++)
        if (span_eq_nocase(type, span_of(usage[i])))
            return BILL_USAGE;
    for (size_t i = 0; i < sizeof credit / sizeof *credit; i++)
        if (span_eq_nocase(type, span_of(credit[i])))
            return BILL_CREDIT;
    if (span_ends(type, "Discount"))
        return BILL_CREDIT;
    return span_eq_nocase(type, SPAN_LIT("Tax")) ? BILL_TAX : BILL_OTHER_LINE;
}

static bool is_volume(const struct bill_sum *s)
{
    return s->usage && s->usage->type != VOL_TYPE_COUNT;
}

static const char *region_of_code(const struct catalogue *c, struct span prefix)
{
    for (size_t i = 0; i < c->n_billing_codes; i++)
        if (span_is(prefix, c->billing_codes[i].prefix))
            return c->billing_codes[i].region;
    return NULL;
}

/* The Region: from the prefix, else the column, else the default. */
static void place(const struct bill_sums *b, struct bill_sum *s)
{
    struct span type = span_of(s->usage_type);
    ptrdiff_t at = span_find(type, "EBS:");
    struct span prefix = span_cut(type, 0, at > 0 ? (size_t)at - 1 : 0);
    struct span name = span_cut(type, at > 0 ? (size_t)at : 0, type.len);
    for (size_t i = 0; i < b->catalogue->n_usage_types; i++)
        if (span_is(name, b->catalogue->usage_types[i].name))
            s->usage = &b->catalogue->usage_types[i];
    s->local_zone = span_find(prefix, "-") >= 0;
    if (prefix.len)
        s->region = region_of_code(b->catalogue, prefix);
    else
        s->region =
            region_known(b->catalogue, s->region_column) ? s->region_column : b->default_region;
}

/* Throughput is billed in GiB/s-months, or MiB/s-months; where no unit stands, by what can be. */
static int64_t mibps_in_unit(const struct bill_sum *s, double level)
{
    struct span unit = span_of(s->unit);
    if (!s->usage || s->usage->component != PRICE_THROUGHPUT)
        return 1;
    if (!unit.len)
        return level > gibps_max ? 1 : 1024;
    return span_starts(unit, "GiB") || span_starts(unit, "GB") ? 1024 : 1;
}

/* --- the table of sums ------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t h, struct span s)
{
    const uint64_t k = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 0; i < s.len; i += 8) {
        uint64_t word = 0;
        memcpy(&word, s.ptr + i, s.len - i < 8 ? s.len - i : 8);
        h = (h ^ word) * k;
        h ^= h >> 29;
    }
    return (h ^ s.len) * k;
}

static uint64_t hash_of(const struct bill_line *l, int64_t month_ms, struct span resource)
{
    uint64_t h = mix((uint64_t)month_ms, l->account);
    h = mix(h, resource);
    h = mix(h, l->usage_type);
    h = mix(h, l->region);
    h = mix(h, l->line_type);
    h = mix(h, l->unit);
    return h ^ h >> 32;
}

static bool same(const struct bill_sum *s, const struct bill_line *l, int64_t month_ms,
                 struct span resource)
{
    return s->month_ms == month_ms && span_is(resource, s->resource) &&
           span_is(l->usage_type, s->usage_type) && span_is(l->account, s->account) &&
           span_is(l->region, s->region_column) && span_is(l->line_type, s->line_type) &&
           span_is(l->unit, s->unit);
}

static uint32_t *slot_of(const struct bill_sums *b, const struct bill_line *l, int64_t month_ms,
                         struct span resource)
{
    size_t mask = b->n_slots - 1, i = (size_t)hash_of(l, month_ms, resource) & mask;
    while (b->slots[i] && !same(bill_sums_at(b, b->slots[i] - 1), l, month_ms, resource))
        i = (i + 1) & mask;
    return &b->slots[i];
}

static struct bill_line key_of(const struct bill_sum *s)
{
    return (struct bill_line){ .account = span_of(s->account),
                               .region = span_of(s->region_column),
                               .usage_type = span_of(s->usage_type),
                               .line_type = span_of(s->line_type),
                               .unit = span_of(s->unit) };
}

static int grow_slots(struct bill_sums *b, struct arena *a, struct err *e)
{
    struct bill_sums wider = *b;
    wider.n_slots = b->n_slots ? 2 * b->n_slots : 1024;
    wider.slots = arena_array(a, wider.n_slots, sizeof *wider.slots);
    if (!wider.slots)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++) {
        const struct bill_sum *s = bill_sums_at(b, i);
        struct bill_line key = key_of(s);
        *slot_of(&wider, &key, s->month_ms, span_of(s->resource)) = (uint32_t)i + 1;
    }
    *b = wider;
    return 0;
}

static int add_block(struct bill_sums *b, struct arena *a, struct err *e)
{
    if (b->n_blocks == b->room_blocks) {
        size_t room = b->room_blocks ? 2 * b->room_blocks : 16;
        struct bill_sum **wider =
            arena_grow(a, b->blocks, b->n_blocks, room, sizeof(struct bill_sum *));
        if (!wider)
            return err_nomem(e);
        b->blocks = wider;
        b->room_blocks = room;
    }
    b->blocks[b->n_blocks] = arena_array(a, BLOCK, sizeof **b->blocks);
    if (!b->blocks[b->n_blocks])
        return err_nomem(e);
    b->n_blocks++;
    return 0;
}

static int keep(struct arena *a, struct span s, const char **out, struct err *e)
{
    *out = s.len ? arena_strndup(a, s.ptr, s.len) : "";
    return *out ? 0 : err_nomem(e);
}

static int new_sum(struct bill_sums *b, const struct bill_line *l, int64_t month_ms,
                   struct span resource, struct arena *a, struct err *e)
{
    struct bill_sum s = { .month_ms = month_ms,
                          .kind = kind_of(l->line_type),
                          .first_ms = UNKNOWN,
                          .last_ms = UNKNOWN,
                          .per_unit = 1 };
    if (month_ms != UNKNOWN)
        s.month_length_ms = time_month_end(month_ms) - month_ms;
    int rc = b->n < b->n_blocks * BLOCK ? 0 : add_block(b, a, e);
    const struct {
        struct span from;
        const char **to;
    } texts[] = { { l->account, &s.account }, { l->region, &s.region_column },
                  { resource, &s.resource },  { l->usage_type, &s.usage_type },
                  { l->unit, &s.unit },       { l->line_type, &s.line_type } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !rc; i++)
        rc = keep(a, texts[i].from, texts[i].to, e);
    if (rc)
        return rc;
    place(b, &s);
    *bill_sums_at(b, b->n++) = s;
    return 0;
}

/* Its resource is worth a sum of its own. */
static bool has_room(const struct bill_sums *b, const struct bill_line *l)
{
    size_t own = b->n - b->n_folded;
    bool volume = span_find(l->usage_type, "EBS:Volume") >= 0;
    return own < (volume ? BILL_SUMS_MAX : BILL_OTHERS_MAX);
}

static int find_sum(struct bill_sums *b, const struct bill_line *l, int64_t month_ms,
                    struct arena *a, struct bill_sum **out, struct err *e)
{
    struct span resource = l->resource;
    int rc = 2 * b->n >= b->n_slots ? grow_slots(b, a, e) : 0;
    if (rc)
        return rc;
    uint32_t *slot = slot_of(b, l, month_ms, resource);
    bool fold = !*slot && resource.len && !has_room(b, l);
    if (fold) {
        resource = (struct span){ 0 };
        slot = slot_of(b, l, month_ms, resource);
    }
    if (!*slot && !resource.len && ++b->n_folded > BILL_FOLDED_MAX)
        return err_set(e, ERR_LIMIT,
                       "the bill has more than %d combinations of account, region and usage type: "
                       "narrow it with --account or --month",
                       BILL_FOLDED_MAX);
    if (!*slot) {
        rc = new_sum(b, l, month_ms, resource, a, e);
        if (rc)
            return rc;
        *slot = (uint32_t)b->n;
    }
    *out = bill_sums_at(b, *slot - 1);
    (*out)->folded |= fold;
    return 0;
}

/* --- sums --------------------------------------------------------------------------------------
 */

/* Decimals that a number needs beyond `known`, which most lines do not. */
static int decimals_of(money m, int known)
{
    static const int64_t pow10[] = { 1,           10,           100,          1000,      10000,
                                     100000,      1000000,      10000000,     100000000, 1000000000,
                                     10000000000, 100000000000, 1000000000000 };
    int64_t rest = (int64_t)(m % MONEY_ONE);
    while (known < 12 && rest % pow10[12 - known])
        known++;
    return known;
}

static bool is_whole_level(const struct bill_sum *s, double level, double unit_of_amount)
{
    double nearest = round(level);
    double most = !s->usage ? 0 : s->usage->component == PRICE_STORAGE ? size_max_gib : iops_max;
    double slack = fmax(fmin(unit_of_amount, 0.01), 1e-9 * nearest);
    return nearest >= 0 && nearest <= most && fabs(level - nearest) <= slack;
}

/* The level with this value, or a free one; NULL when all are taken. */
static struct bill_level *level_of(struct bill_sum *s, int64_t value)
{
    for (size_t i = 0; i < s->n_levels; i++)
        if (s->levels[i].value == value)
            return &s->levels[i];
    if (s->n_levels == BILL_LEVELS_MAX)
        return NULL;
    s->levels[s->n_levels] =
        (struct bill_level){ .value = value, .first_ms = INT64_MAX, .last_ms = INT64_MIN };
    return &s->levels[s->n_levels++];
}

static void add_level(struct bill_sum *s, const struct bill_line *l)
{
    int64_t length = l->end_ms - l->start_ms;
    double months = (double)length / (double)s->month_length_ms;
    double raw = money_double(l->amount) / months;
    if (s->n_lines == 1)
        s->per_unit = mibps_in_unit(s, raw);
    double level = raw * (double)s->per_unit;
    double unit = 0.5 * pow(10, -decimals_of(l->amount, 0)) / months * (double)s->per_unit;
    struct bill_level *at =
        is_volume(s) && s->usage->component != PRICE_REQUESTS && is_whole_level(s, level, unit)
            ? level_of(s, (int64_t)round(level))
            : NULL;
    s->longest_ms = length > s->longest_ms ? length : s->longest_ms;
    if (l->amount > 0) {
        s->first_ms =
            s->first_ms == UNKNOWN || l->start_ms < s->first_ms ? l->start_ms : s->first_ms;
        s->last_ms = l->end_ms > s->last_ms ? l->end_ms : s->last_ms;
    }
    if (!at) {
        s->rest += l->amount;
        s->n_rest++;
        return;
    }
    at->held_ms += length;
    at->first_ms = l->start_ms < at->first_ms ? l->start_ms : at->first_ms;
    at->last_ms = l->end_ms > at->last_ms ? l->end_ms : at->last_ms;
}

static int add_money(money *to, money m, struct err *e)
{
    const money most = MONEY_ONE * 1000000000000000;
    *to += m; /* both are below 10^30 */
    if (*to > most || *to < -most)
        return err_set(e, ERR_LIMIT, "the bill has sums beyond 10^15: they are not of a bill");
    return 0;
}

static int add_amounts(struct bill_sums *b, struct bill_sum *s, const struct bill_line *l,
                       struct err *e)
{
    bool timed = s->month_ms != UNKNOWN && l->start_ms != UNKNOWN && l->end_ms > l->start_ms &&
                 l->end_ms <= s->month_ms + s->month_length_ms;
    s->n_lines++;
    s->n_without_amount += !l->has_amount;
    s->n_without_cost += !l->has_cost;
    s->n_without_list += !l->has_list_cost;
    int rc = add_money(&s->amount, l->has_amount ? l->amount : 0, e);
    if (!rc)
        rc = add_money(&s->cost, l->has_cost ? l->cost : 0, e);
    if (!rc)
        rc = add_money(&s->list_cost, l->has_list_cost ? l->list_cost : 0, e);
    if (rc || !l->has_amount)
        return rc;
    b->amount_decimals = decimals_of(l->amount, b->amount_decimals);
    if (timed) {
        add_level(s, l);
    } else {
        s->rest += l->amount;
        s->n_rest++;
    }
    return 0;
}

static int same_currency(struct bill_sums *b, const struct bill_line *l, struct err *e)
{
    if (!l->currency.len)
        return 0;
    if (l->currency.len >= sizeof b->currency)
        return err_set(e, ERR_PARSE, "bad currency '%.*s'", SPAN_ARG(l->currency));
    if (!b->currency[0])
        memcpy(b->currency, l->currency.ptr, l->currency.len);
    if (!span_is(l->currency, b->currency))
        return err_set(e, ERR_PARSE, "%.*s beside %s: a bill of mixed currencies is refused",
                       SPAN_ARG(l->currency), b->currency);
    if (!span_is(l->currency, "USD"))
        return err_set(e, ERR_PARSE, "the bill is in %s; prices are known in USD: refused",
                       b->currency);
    return 0;
}

int bill_sums_add(struct bill_sums *b, const struct bill_line *l, struct arena *a, struct err *e)
{
    struct bill_sum *s = NULL;
    int rc = same_currency(b, l, e);
    if (rc)
        return rc;
    int64_t month_ms = l->start_ms == UNKNOWN ? UNKNOWN : time_month_start(l->start_ms);
    if (month_ms != UNKNOWN && time_month_end(month_ms) == UNKNOWN)
        month_ms = UNKNOWN; /* the last month that a calendar of four digits has */
    if ((b->month_ms != UNKNOWN && month_ms != UNKNOWN && month_ms != b->month_ms) ||
        (b->account && !span_is(l->account, b->account))) {
        b->n_left_out++;
        return 0;
    }
    if (month_ms == UNKNOWN)
        month_ms = b->month_ms;
    rc = find_sum(b, l, month_ms, a, &s, e);
    if (rc || !s)
        return rc;
    rc = add_amounts(b, s, l, e);
    if (rc)
        return rc;
    b->n_lines++;
    if (l->has_cost) {
        s->cost_decimals = decimals_of(l->cost, s->cost_decimals);
        if (s->cost_decimals > b->cost_decimals)
            b->cost_decimals = s->cost_decimals;
        if (l->cost_decimals > b->cost_decimals_written)
            b->cost_decimals_written = l->cost_decimals;
    }
    return 0;
}
