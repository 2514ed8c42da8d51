/* planner/report/emit_findings.h - findings as values, whoever found them. */
#ifndef PLANNER_REPORT_EMIT_FINDINGS_H
#define PLANNER_REPORT_EMIT_FINDINGS_H

#include "models/core/emit.h"
#include "planner/diagnose/finding.h"

/* findings[] */
void emit_findings(struct emit *m, const struct finding *findings, size_t n);
/* The same where they are the answer: for machines, CSV has one line for each. */
void emit_findings_table(struct emit *m, const struct finding *findings, size_t n);

#endif
