/* planner/diagnose/finding.h - one diagnosed fault with its evidence. */
#ifndef PLANNER_DIAGNOSE_FINDING_H
#define PLANNER_DIAGNOSE_FINDING_H

#include <stddef.h>
#include <stdint.h>

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };
enum verdict { VERDICT_UNDETERMINED, VERDICT_LIKELY, VERDICT_CERTAIN };

const char *severity_name(enum severity s);
const char *verdict_name(enum verdict v);

struct finding_evidence {
    const char *file; /* NULL = not stored */
    int64_t line;     /* UNKNOWN */
    int64_t time_ms;  /* UNKNOWN */
    const char *value;
};

struct finding {
    const char *id; /* stable, "throughput_ceiling" */
    enum severity severity;
    enum verdict verdict;
    const char *title;
    const struct finding_evidence *evidence;
    size_t n_evidence;
    const char *ceiling; /* NULL */
    const char *advice;
    const char *const *not_this;
    size_t n_not_this;
};

#endif
