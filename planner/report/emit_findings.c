/* planner/report/emit_findings.c - see emit_findings.h. */
#include "planner/report/emit_findings.h"

void emit_findings(struct emit *m, const struct finding *findings, size_t n)
{
    emit_begin(m, "findings", EMIT_LIST);
    for (size_t i = 0; i < n; i++) {
        const struct finding *f = &findings[i];
        emit_begin(m, NULL, EMIT_OBJECT);
        emit_text(m, "id", f->id);
        emit_text(m, "subject", f->subject);
        emit_text(m, "severity", severity_name(f->severity));
        emit_text(m, "verdict", verdict_name(f->verdict));
        emit_text(m, "title", f->title);
        emit_begin(m, "evidence", EMIT_LIST);
        for (size_t k = 0; k < f->n_evidence; k++) {
            const struct finding_evidence *ev = &f->evidence[k];
            emit_begin(m, NULL, EMIT_OBJECT);
            emit_text(m, "file", ev->file);
            emit_int(m, "line", UNIT_NONE, ev->line);
            emit_text(m, "row", ev->row);
            emit_time(m, "time", ev->time_ms);
            emit_text(m, "value", ev->value);
            emit_end(m);
        }
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
    emit_end(m);
}
