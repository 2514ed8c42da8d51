/* planner/diagnose/finding.h - one diagnosed fault with its evidence. */
#ifndef PLANNER_DIAGNOSE_FINDING_H
#define PLANNER_DIAGNOSE_FINDING_H

#include <stddef.h>
#include <stdint.h>

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };
enum verdict { VERDICT_UNDETERMINED, VERDICT_LIKELY, VERDICT_CERTAIN };

const char *severity_name(enum severity s);
const char *verdict_name(enum verdict v);

/* A sighting that can be looked up: its figures stand in that line of that file.  What the layout
 * says has the name of its group as row, and no line. */
struct finding_evidence {
    const char *file; /* NULL = not stored */
    int64_t line;     /* UNKNOWN */
    const char *row;  /* NULL */
    int64_t time_ms;  /* UNKNOWN */
    const char *value;
};

struct finding {
    const char *id;      /* stable, "throughput_ceiling" */
    const char *subject; /* group, device, volume or database; NULL = the whole system */
    enum severity severity;
    enum verdict verdict;
    const char *title;
    const struct finding_evidence *evidence;
    size_t n_evidence;
    const char *ceiling; /* NULL */
    const char *advice;
    const char *missing; /* what would have to be measured to be sure; NULL */
    const char *const *not_this;
    size_t n_not_this;
};

#endif
