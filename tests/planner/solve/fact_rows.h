/* tests/planner/solve/fact_rows.h - volume rules and prices as the proofs read them: cells of the
 * CSV files into structures of their own.  Numbers are doubles, NaN where a cell is blank. */
#ifndef TESTS_PLANNER_SOLVE_FACT_ROWS_H
#define TESTS_PLANNER_SOLVE_FACT_ROWS_H

#include "tests/vectors/vector_rows.h"

enum { FACT_CORNERS = 6, FACT_RULES = 32, FACT_PRICES = 1000 };

/* X(column, how it is divided by a scale: scaled_pack.h) */
#define FACT_NUMBERS(X)                                                                            \
    X(min_gib, WHOLE_GIB)                                                                          \
    X(max_gib, WHOLE_GIB)                                                                          \
    X(min_iops, WHOLE_RATE)                                                                        \
    X(max_iops, WHOLE_RATE)                                                                        \
    X(iops_per_gib_max, WHOLE_PER_GIB)                                                             \
    X(included_iops, WHOLE_RATE)                                                                   \
    X(included_mibps, WHOLE_RATE)                                                                  \
    X(max_mibps, WHOLE_RATE)                                                                       \
    X(mibps_per_iops_max, AS_IT_IS)                                                                \
    X(baseline_iops_per_gib, RATE_PER_GIB)                                                         \
    X(burst_iops, WHOLE_RATE)                                                                      \
    X(io_credits, WHOLE_RATE)                                                                      \
    X(small_gib, WHOLE_GIB)                                                                        \
    X(small_mibps, WHOLE_RATE)                                                                     \
    X(sustained_iops, RATE)                                                                        \
    X(sustained_mibps, RATE)                                                                       \
    X(base_mibps_per_tib, RATE_PER_GIB)                                                            \
    X(burst_mibps_per_tib, RATE_PER_GIB)                                                           \
    X(max_base_mibps, RATE)                                                                        \
    X(io_cap_kib, AS_IT_IS)                                                                        \
    X(durability_pct, AS_IT_IS)                                                                    \
    X(xen_max_iops, WHOLE_RATE)                                                                    \
    X(xen_max_mibps, RATE)

struct fact_corner {
    double iops, mibps;
};

struct fact_rule {
    char type[16], pack[80], applies_to[16], launched[16], from[16], to[16], latency[24];
    bool only_provisioned;
#define X(column, scaling) double column;
    FACT_NUMBERS(X)
#undef X
    struct fact_corner corner[FACT_CORNERS];
    size_t n_corners;
};

struct fact_price {
    char region[24], type[16], component[32];
    int64_t from, to; /* exclusive, inclusive; INT64_MAX = no end */
    int64_t picousd;
};

struct fact_rows {
    struct fact_rule rule[FACT_RULES];
    size_t n_rules;
    struct fact_price price[FACT_PRICES];
    size_t n_prices;
};

static inline void fact_copy(char *to, size_t room, struct span s)
{
    snprintf(to, room, "%.*s", SPAN_ARG(s));
}
#define FACT_COPY(to, v, row, head) fact_copy(to, sizeof(to), vector_text(v, row, head))

/* "2000:500 32000:500 64000:1000" */
static inline void fact_corners(struct fact_rule *r, struct span text)
{
    struct span word, x;
    while (span_word(&text, &word) == 0 && r->n_corners < FACT_CORNERS) {
        if (span_field(&word, ':', &x))
            break;
        r->corner[r->n_corners++] = (struct fact_corner){ vector_num(x), vector_num(word) };
    }
}

static inline void fact_read_rules(struct fact_rows *out, const char *path)
{
    struct vector_rows *v = vector_rows_read(path);
    for (size_t i = 0; v && i < v->n && out->n_rules < FACT_RULES; i++) {
        struct fact_rule *r = &out->rule[out->n_rules++];
        FACT_COPY(r->type, v, i, "volume_type");
        FACT_COPY(r->pack, v, i, "rule_pack");
        FACT_COPY(r->applies_to, v, i, "applies_to");
        FACT_COPY(r->launched, v, i, "launched");
        FACT_COPY(r->from, v, i, "valid_from");
        FACT_COPY(r->to, v, i, "valid_to");
        FACT_COPY(r->latency, v, i, "latency_class");
        r->only_provisioned = span_is(vector_text(v, i, "only_provisioned"), "yes");
        fact_corners(r, vector_text(v, i, "mibps_by_iops"));
#define X(column, scaling) r->column = vector_num(vector_text(v, i, #column));
        FACT_NUMBERS(X)
#undef X
    }
    if (v)
        vector_rows_free(v);
}

static inline void fact_read_prices(struct fact_rows *out, const char *path)
{
    struct vector_rows *v = vector_rows_read(path);
    for (size_t i = 0; v && i < v->n && out->n_prices < FACT_PRICES; i++) {
        struct fact_price *p = &out->price[out->n_prices++];
        double to = vector_num(vector_text(v, i, "tier_to"));
        FACT_COPY(p->region, v, i, "region");
        FACT_COPY(p->type, v, i, "volume_type");
        FACT_COPY(p->component, v, i, "component");
        p->from = (int64_t)vector_num(vector_text(v, i, "tier_from"));
        p->to = isnan(to) ? INT64_MAX : (int64_t)to;
        p->picousd = llround(vector_num(vector_text(v, i, "usd")) * 1e12);
    }
    if (v)
        vector_rows_free(v);
}

/* The files of the tree; n_rules and n_prices stay 0 where they are not there. */
static inline void fact_rows_read(struct fact_rows *out)
{
    memset(out, 0, sizeof *out);
    fact_read_rules(out, "models/facts/volume_rules.csv");
    fact_read_prices(out, "models/facts/prices.csv");
}

#endif
