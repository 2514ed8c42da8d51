/* models/vocab/bill_line.h - one line of a cost and usage report. */
#ifndef MODELS_VOCAB_BILL_LINE_H
#define MODELS_VOCAB_BILL_LINE_H

#include "models/core/money.h"
#include "models/core/span.h"

#include <stdint.h>

/* Spans are empty and times UNKNOWN where the file does not tell; valid during the call only. */
struct bill_line {
    int64_t start_ms, end_ms; /* of the usage; end exclusive */
    struct span account, region, resource;
    struct span usage_type, operation, unit, currency;
    struct span line_type; /* Usage, Tax, Credit ... as the file says */
    money amount;          /* 10^-12 of the unit: usage amounts are exact decimals too */
    money cost;            /* billed: unblended or BilledCost */
    money list_cost;       /* at list price */
    bool has_amount, has_cost, has_list_cost;
    int cost_decimals; /* as the file writes them */
    int64_t line;
};

#endif
