/* cli/report/report_data.h - all that a report tells of one system: the answers of plan, peaks,
 * whatif without a change, diagnose, change and reconcile, from one reading of the store.
 *
 * It is made by the functions that those commands call, and told by those that tell them, so that
 * its parts are the very objects that the commands print.  A part that cannot be made is null, and
 * `missing` says what it lacks. */
#ifndef CLI_REPORT_REPORT_DATA_H
#define CLI_REPORT_REPORT_DATA_H

#include "cli/cmd/bill_answer.h"
#include "cli/cmd/change_input.h"
#include "cli/cmd/diagnosis_of.h"
#include "cli/cmd/plan_answer.h"
#include "models/core/emit_words.h"
#include "planner/demand/peaks.h"
#include "planner/report/report_change.h"
#include "planner/series/charts.h"
#include "planner/whatif/whatif.h"

struct report_missing {
    const char *part; /* key of the data object */
    const char *text; /* what it lacks, and what to do */
};

enum { REPORT_PARTS = 8 };

struct report_data {
    const char *command; /* that gives the same answer */
    struct plan_input in;
    struct plan_answer plan;
    struct peaks peaks;
    struct whatif_options redo_options;
    struct whatif redo;
    struct diagnosis diagnosis;
    struct change_input change_input;
    struct change change;
    struct change_told change_told;
    struct bill_sums bill_sums;
    struct bill_answer bill;
    bool has_redo, has_change, has_bill;
    struct charts charts;
    struct emit_words verdict; /* for somebody who reads nothing else */
    struct report_missing missing[REPORT_PARTS];
    size_t n_missing;
};

/* From the store and the options of report.  *out stays where it is: its parts point to each
 * other. */
int report_data_build(struct app *app, struct report_data *out, struct err *e);
/* The charts of a demand and its plan. */
int report_data_charts(struct app *app, const struct system_demand *d, const struct plan *p,
                       struct charts *out, struct err *e);
/* The data object of the page, into the document that m is. */
int report_data_emit(struct app *app, const struct report_data *d, struct emit *m, struct err *e);

#endif
