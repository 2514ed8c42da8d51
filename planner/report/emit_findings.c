/* planner/report/emit_findings.c - see emit_findings.h. */
#include "planner/report/emit_findings.h"

static void emit_evidence(struct emit *m, const char *key, const struct finding_evidence *ev)
{
    emit_begin(m, key, EMIT_OBJECT);
    emit_text(m, "file", ev->file);
    emit_int(m, "line", UNIT_NONE, ev->line);
    emit_text(m, "row", ev->row);
    emit_time(m, "time", ev->time_ms);
    emit_text(m, "value", ev->value);
    emit_end(m);
}

/* with_seen: the first piece of evidence in the line of the finding itself. */
static void emit_finding(struct emit *m, const struct finding *f, bool with_seen)
{
    emit_begin(m, NULL, EMIT_OBJECT);
    emit_text(m, "id", f->id);
    emit_text(m, "subject", f->subject);
    emit_text(m, "severity", severity_name(f->severity));
    emit_text(m, "verdict", verdict_name(f->verdict));
    emit_text(m, "title", f->title);
    if (with_seen && f->n_evidence)
        emit_evidence(m, "seen", &f->evidence[0]);
    emit_begin(m, "evidence", EMIT_LIST);
    for (size_t k = 0; k < f->n_evidence; k++)
        emit_evidence(m, NULL, &f->evidence[k]);
    emit_end(m);
    emit_text(m, "ceiling", f->ceiling);
    emit_text(m, "advice", f->advice);
    emit_text(m, "missing", f->missing);
    emit_begin(m, "not_this", EMIT_LIST);
    for (size_t k = 0; k < f->n_not_this; k++)
        emit_text(m, NULL, f->not_this[k]);
    emit_end(m);
    emit_end(m);
}

void emit_findings(struct emit *m, const struct finding *findings, size_t n)
{
    emit_begin(m, "findings", EMIT_LIST);
    for (size_t i = 0; i < n; i++)
        emit_finding(m, &findings[i], false);
    emit_end(m);
}

void emit_findings_table(struct emit *m, const struct finding *findings, size_t n)
{
    static const struct emit_col cols[] = { { "id", "finding", true } };
    emit_table(m, "findings", cols, 1);
    for (size_t i = 0; i < n; i++)
        emit_finding(m, &findings[i], true);
    emit_end(m);
}
