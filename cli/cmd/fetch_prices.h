/* cli/cmd/fetch_prices.h - volplan fetch prices: AWS's price lists into a facts folder. */
#ifndef CLI_CMD_FETCH_PRICES_H
#define CLI_CMD_FETCH_PRICES_H

#include "cli/app.h"
#include "data/fetch/aws_call.h"
#include "planner/report/report_fetch.h"

int fetch_prices(struct app *app, struct aws_client *c, struct fetch_summary *s, struct err *e);

#endif
