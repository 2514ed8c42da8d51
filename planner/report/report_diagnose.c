/* planner/report/report_diagnose.c - see report_diagnose.h. */
#include "planner/report/report_diagnose.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"
#include "planner/report/emit_findings.h"

#include <stdio.h>
#include <string.h>

static size_t count_of(const struct diagnosis *d, enum severity s)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_findings; i++)
        n += d->findings[i].severity == s;
    return n;
}

void say_diagnosis_answer(struct emit *m, const struct diagnosis *d)
{
    size_t errors = count_of(d, SEVERITY_ERROR), warnings = count_of(d, SEVERITY_WARNING);
    if (!d->n_findings && !d->n_files && !d->layout_given) {
        emit_say(m, "%s: nothing could be loaded, so nothing is said of it.", d->system);
        return;
    }
    if (!d->n_findings) {
        emit_say(m, "%s: nothing to find in what was loaded.", d->system);
        return;
    }
    char counts[80] = "";
    size_t others = errors + warnings;
    if (others > 1)
        snprintf(counts, sizeof counts, " (%zu error%s, %zu warning%s in all)", errors,
                 errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
    const char *title = d->findings[0].title;
    bool names_it = strncmp(title, d->system, strlen(d->system)) == 0;
    emit_say(m, "%s%s%s%s.", names_it ? "" : d->system, names_it ? "" : ": ", title, counts);
}

static void say_evidence(struct emit *m, const struct finding_evidence *ev)
{
    char iso[32];
    const char *time = ev->time_ms == UNKNOWN ? "" : time_format_iso(iso, ev->time_ms);
    const char *gap = *time ? "   " : "";
    if (ev->row)
        emit_label(m, "seen", "%s   %s, %s", ev->value, ev->file ? ev->file : "layout", ev->row);
    else if (ev->file && ev->line != UNKNOWN)
        emit_label(m, "seen", "%s%s%s   %s:%lld", ev->value, gap, time, ev->file,
                   (long long)ev->line);
    else if (ev->file)
        emit_label(m, "seen", "%s%s%s   %s", ev->value, gap, time, ev->file);
    else
        emit_label(m, "seen", "%s%s%s", ev->value, gap, time);
}

static const char *ceiling_words(const char *ceiling)
{
    static const struct {
        const char *name, *words;
    } names[] = {
        { "iops", "the IOPS of the volumes" },
        { "throughput", "the throughput of the volumes" },
        { "burst_bucket", "the burst bucket of the volumes" },
        { "instance_iops", "the IOPS that the instance passes" },
        { "instance_throughput", "the MB/s that the instance passes" },
        { "ebs_card", "one EBS card of the instance" },
        { "attachments", "the volumes that the instance attaches" },
        { "xen", "32 000 IOPS a volume on an instance that is not Nitro" },
        { "redo_waits", "what the redo waits for; no figure of its own" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, ceiling) == 0)
            return names[i].words;
    return ceiling;
}

static void say_finding(struct emit *m, size_t n, const struct finding *f)
{
    emit_say(m, "%s", "");
    emit_say(m, "%zu  %s  %s  %s", n, severity_name(f->severity), verdict_name(f->verdict),
             f->title);
    for (size_t k = 0; k < f->n_evidence; k++)
        say_evidence(m, &f->evidence[k]);
    if (f->ceiling)
        emit_label(m, "is", "%s", ceiling_words(f->ceiling));
    emit_label(m, "do", "%s", f->advice);
    for (size_t k = 0; k < f->n_not_this; k++)
        emit_label(m, "not", "%s", f->not_this[k]);
    if (f->missing)
        emit_label(m, "missing", "%s", f->missing);
}

static void say_sure(struct emit *m, const struct diagnosis *d)
{
    static const struct {
        unsigned need;
        const char *words;
    } needs[] = {
        { NEED_LAYOUT, "a layout with today's volumes" },
        { NEED_INSTANCE, "the instance type" },
        { NEED_SERIES, "iostat or CloudWatch of the volumes" },
        { NEED_SNAPSHOTS, "AWR reports" },
        { NEED_METRICS, "CloudWatch balances and checks" },
        { NEED_RECORDS, "lsblk, lsdg, nvme or blktrace" },
    };
    char lacking[240] = "";
    size_t at = 0;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (d->lacks & needs[i].need && at < sizeof lacking)
            at += (size_t)snprintf(lacking + at, sizeof lacking - at, "%s%s", at ? ", " : "",
                                   needs[i].words);
    emit_say(m, "%s", "");
    emit_label(m, "sure", "%zu of %zu rules could be tried on %zu file%s%s", d->n_run, d->n_rules,
               d->n_files, d->n_files == 1 ? "" : "s",
               d->layout_given || d->lacks & NEED_SERIES
                   ? ""
                   : "; the groups are a guess, from loads that are alike");
    if (at)
        emit_label(m, "lacking", "%s", lacking);
    emit_label(m, "next", "volplan peaks    volplan plan");
}

void report_diagnose(struct emit *m, const struct diagnosis *d)
{
    say_diagnosis_answer(m, d);
    emit_text(m, "system", d->system);
    emit_bool(m, "layout_given", d->layout_given);
    emit_int(m, "rules", UNIT_COUNT, (int64_t)d->n_rules);
    emit_int(m, "rules_run", UNIT_COUNT, (int64_t)d->n_run);
    if (!m->people)
        emit_findings_table(m, d->findings, d->n_findings);
    for (size_t i = 0; m->people && i < d->n_findings; i++)
        say_finding(m, i + 1, &d->findings[i]);
    say_sure(m, d);
}
