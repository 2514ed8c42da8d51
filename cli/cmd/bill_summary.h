/* cli/cmd/bill_summary.h - lines of a bill as one row per usage type, for people. */
#ifndef CLI_CMD_BILL_SUMMARY_H
#define CLI_CMD_BILL_SUMMARY_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "models/vocab/bill_line.h"

enum { BILL_KINDS_MAX = 1024, BILL_KINDS_SHOWN = 30 };

struct bill_sum {
    money v;
    bool known; /* some line told it, and the sum did not overflow */
    bool overflow;
};

/* Lines of one usage type, unit and line type. */
struct bill_kind {
    struct span usage_type, unit, line_type;
    int64_t lines;
    struct bill_sum amount, cost;
};

struct bill_summary {
    struct bill_kind *kinds;
    size_t n, room, last;    /* last: the one found last */
    int64_t lines, left_out; /* left_out: lines of kinds beyond BILL_KINDS_MAX, only in the total */
    struct bill_sum cost;
    const char *currency; /* of the first line; NULL */
};

/* ERR_NOMEM. */
int bill_summary_add(struct bill_summary *b, const struct bill_line *l, struct arena *a,
                     struct err *e);
/* A table, the dearest first, and the total. */
int bill_summary_emit(struct emit *m, struct bill_summary *b, struct err *e);

#endif
