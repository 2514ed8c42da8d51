/* planner/diagnose/rule.c - see rule.h. */
#include "planner/diagnose/rule.h"

#include "models/core/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_rules(struct run *r, const struct rule_table *t)
{
    r->table = t;
    for (size_t i = 0; i < t->n; i++)
        if ((t->rules[i].needs & ~r->has) == 0)
            t->rules[i].test(r, &t->rules[i]);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *word_of(const char *const *words, const char *name, size_t len)
{
    for (; words && words[0]; words += 2)
        if (strlen(words[0]) == len && memcmp(words[0], name, len) == 0)
            return words[1];
    return NULL;
}

/* The template with its {names} replaced; NULL when memory is out or a word is. */
static const char *fill(struct arena *a, const char *template, const char *const *words)
{
    char *out = arena_strdup(a, "");
    while (out && *template) {
        size_t plain = strcspn(template, "{");
        const char *word = "";
        size_t skip = plain;
        if (template[plain] == '{') {
            size_t len = strcspn(template + plain, "}");
            word = word_of(words, template + plain + 1, len - 1);
            skip += len + 1;
        }
        out = word ? arena_printf(a, "%s%.*s%s", out, (int)plain, template, word) : NULL;
        template += skip;
    }
    return out;
}

/* --- drafts ----------------------------------------------------------------------------------- */

static bool grow(struct run *r)
{
    size_t room = r->room ? r->room * 2 : 16;
    struct draft **grown = arena_grow(r->arena, r->drafts, r->n_drafts, room, sizeof(void *));
    if (!grown)
        return false;
    r->drafts = grown;
    r->room = room;
    return true;
}

struct draft *draft_add(struct run *r, const struct rule *rule, enum verdict v, const char *subject,
                        const char *const *words)
{
    struct draft *d = arena_alloc(r->arena, sizeof *d);
    const char *title = fill(r->arena, rule->title, words);
    const char *advice = fill(r->arena, rule->advice, words);
    if (!d || !title || !advice || (r->n_drafts == r->room && !grow(r))) {
        r->failed = true;
        return NULL;
    }
    d->rule = rule;
    d->table = r->table;
    d->order = r->n_drafts;
    d->finding = (struct finding){ .id = rule->id,
                                   .subject = subject,
                                   .severity = rule->severity,
                                   .verdict = v,
                                   .title = title,
                                   .advice = advice };
    r->drafts[r->n_drafts++] = d;
    return d;
}

static void add_evidence(struct run *r, struct draft *d, struct finding_evidence ev)
{
    if (!ev.value)
        r->failed = true;
    else
        d->evidence[d->finding.n_evidence++] = ev;
}

void draft_see(struct run *r, struct draft *d, int64_t file_id, int64_t line, int64_t time_ms,
               const char *fmt, ...)
{
    if (!d || d->finding.n_evidence == EVIDENCE_MAX)
        return;
    const char *file = system_load_path(r->load, file_id);
    for (size_t i = 0; i < d->finding.n_evidence; i++)
        if (file && d->evidence[i].file == file && d->evidence[i].line == line)
            return;
    va_list ap;
    va_start(ap, fmt);
    const char *value = arena_vprintf(r->arena, fmt, ap);
    va_end(ap);
    add_evidence(r, d,
                 (struct finding_evidence){ file, line > 0 ? line : UNKNOWN, NULL, time_ms,
                                            value });
}

void draft_see_layout(struct run *r, struct draft *d, const char *file, const char *row,
                      const char *fmt, ...)
{
    if (!d || d->finding.n_evidence == EVIDENCE_MAX)
        return;
    va_list ap;
    va_start(ap, fmt);
    const char *value = arena_vprintf(r->arena, fmt, ap);
    va_end(ap);
    add_evidence(r, d, (struct finding_evidence){ file, UNKNOWN, row, UNKNOWN, value });
}

void draft_not(struct run *r, struct draft *d, const char *fmt, ...)
{
    if (!d || d->finding.n_not_this == NOT_THIS_MAX)
        return;
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(r->arena, fmt, ap);
    va_end(ap);
    if (!text)
        r->failed = true;
    else
        d->not_this[d->finding.n_not_this++] = text;
}

void draft_missing(struct draft *d, const char *text)
{
    if (d)
        d->finding.missing = text;
}

void draft_ceiling(struct draft *d, const char *ceiling)
{
    if (d)
        d->finding.ceiling = ceiling;
}

void draft_severity(struct draft *d, enum severity s)
{
    if (d)
        d->finding.severity = s;
}

/* --- findings --------------------------------------------------------------------------------- */

static bool same_subject(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool run_found(const struct run *r, const char *id, const char *subject)
{
    for (size_t i = 0; i < r->n_drafts; i++) {
        const struct finding *f = &r->drafts[i]->finding;
        if (strcmp(f->id, id) == 0 && (!subject || same_subject(f->subject, subject)))
            return true;
    }
    return false;
}

static bool yields(const struct run *r, const struct draft *d)
{
    const struct finding *f = &d->finding;
    for (const char *const *id = d->rule->yields_to; id && *id; id++)
        for (size_t i = 0; i < r->n_drafts; i++) {
            const struct finding *other = &r->drafts[i]->finding;
            if (other != f && strcmp(other->id, *id) == 0 && r->drafts[i]->finding.n_evidence &&
                (!other->subject || same_subject(other->subject, f->subject)))
                return true;
        }
    return false;
}

static int by_importance(const void *a, const void *b)
{
    const struct draft *x = *(struct draft *const *)a, *y = *(struct draft *const *)b;
    if (x->finding.severity != y->finding.severity)
        return x->finding.severity > y->finding.severity ? -1 : 1;
    if (x->table->rank != y->table->rank)
        return x->table->rank < y->table->rank ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void run_sort(struct run *r)
{
    if (r->n_drafts)
        qsort(r->drafts, r->n_drafts, sizeof(void *), by_importance);
}

int run_findings(struct run *r, const struct finding **out, size_t *out_n, struct err *e)
{
    struct finding *findings = arena_array(r->arena, r->n_drafts, sizeof *findings);
    size_t n = 0;
    if (r->failed || !findings)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_drafts; i++) {
        struct draft *d = r->drafts[i];
        if (yields(r, d) || !d->finding.n_evidence)
            continue;
        d->finding.evidence = d->evidence;
        d->finding.not_this = d->not_this;
        findings[n++] = d->finding;
    }
    *out = findings;
    *out_n = n;
    return 0;
}

/* --- figures ---------------------------------------------------------------------------------- */

char *figure(char buf[32], double v)
{
    if (fabs(v) < 1e9)
        snprintf(buf, 32, "%.10g", v);
    else
        snprintf(buf, 32, "%.0f", v);
    return buf;
}

const char *number_words(struct run *r, double v, int decimals)
{
    char buf[48];
    return arena_strdup(r->arena, unit_format(buf, v, decimals));
}
