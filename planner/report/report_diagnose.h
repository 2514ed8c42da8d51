/* planner/report/report_diagnose.h - what is said of a diagnosis. */
#ifndef PLANNER_REPORT_REPORT_DIAGNOSE_H
#define PLANNER_REPORT_REPORT_DIAGNOSE_H

#include "models/core/emit.h"
#include "planner/diagnose/diagnose.h"

/* What it comes to, in a sentence. */
void say_diagnosis_answer(struct emit *m, const struct diagnosis *d);
void report_diagnose(struct emit *m, const struct diagnosis *d);

#endif
