/* cli/cmd/bill_answer.h - what a bill should have been, and what of it the systems of the store
 * needed. */
#ifndef CLI_CMD_BILL_ANSWER_H
#define CLI_CMD_BILL_ANSWER_H

#include "cli/cmd/system_input.h"
#include "planner/bill/standby_prices.h"

struct bill_answer {
    struct volume_histories histories;
    struct reconciliation reconciled;
    struct waste waste;
    struct standby_prices standbys;
};

/* By the options of reconcile, where the command takes them.  *out stays where it is: its parts
 * point to each other, to sums and to systems. */
int bill_answer(struct app *app, const struct bill_sums *sums, const struct system_input *systems,
                size_t n, struct bill_answer *out, struct err *e);

#endif
