/* planner/diagnose/rules_shape.c - loads whose shape is wrong: one disk among equals, small
 * requests, split requests.
 *
 * A stripe spreads bytes evenly, so disks of a group carry the same.  Merge loss: one disk has
 * MERGE_KIB requests or less where its siblings' are MERGE_RATIO times larger, for about the same
 * bytes: iops / (KiB/s / 256) times the IOPS that 256 KiB requests would need.  While every bio is
 * 4 KiB the size is 4 KiB / (1 - merged share) (models/oracle/disk_request.h).  Source: the
 * incident of io_uring under ASMLib v3 (one of seven disks at 4 970 reads/s of 7 KiB, the others at
 * 150 of 245 KiB). */
#include "planner/diagnose/group_words.h"

#include "models/core/unit.h"
#include "models/oracle/disk_request.h"

#include <math.h>
#include <string.h>

/* TUNING: set so that the merge loss of 2025-05-04 (7 KiB beside 245, 4 970 reads/s) stands out by
 * far, and siblings that differ by chance do not. */
static const double MERGE_KIB = 16, MERGE_RATIO = 10, MERGE_IOPS = 500, SAME_BYTES = 3,
                    HOT_RATIO = 3, HOT_IOPS = 300, AT_CEILING = 0.95, EVEN_RATIO = 1.5;

/* What became of the disks of a group over all frames. */
struct hot {
    size_t frames, disks;           /* with a hot disk; different ones */
    const struct load_series *disk; /* in the worst frame */
    size_t i;
    double worst, iops, others_iops;
    int64_t first_ms, worst_ms;
};

static void note_hot(struct hot *h, bool *seen, const struct disk_frames *f, size_t at,
                     double worst, double others)
{
    const struct disk_at *d = &f->disk[at];
    if (!h->frames++)
        h->first_ms = f->time_ms;
    if (!seen[d->member]) {
        seen[d->member] = true;
        h->disks++;
    }
    if (worst > h->worst) {
        h->disk = d->series;
        h->i = d->i;
        h->worst = worst;
        h->iops = d->total_iops;
        h->others_iops = others;
        h->worst_ms = f->time_ms;
    }
}

static const char *moves(struct run *r, const struct hot *h)
{
    return h->disks < 2 ? "" : arena_printf(r->arena, ", and it moves between %zu disks", h->disks);
}

/* --- merge loss ------------------------------------------------------------------------------- */

static bool frame_lost_merging(struct disk_frames *f, size_t at)
{
    const struct disk_at *d = &f->disk[at];
    if (!(d->read_iops >= MERGE_IOPS && d->read_kib < MERGE_KIB))
        return false;
    double sibling_kib = disk_frames_median(f, offsetof(struct disk_at, read_kib), at);
    double sibling_mibps = disk_frames_median(f, offsetof(struct disk_at, read_mibps), at);
    return sibling_kib >= MERGE_RATIO * d->read_kib &&
           d->read_mibps <= SAME_BYTES * sibling_mibps &&
           sibling_mibps <= SAME_BYTES * d->read_mibps;
}

/* The healthy disks of the worst frame, and what they have in common. */
static void see_siblings(struct run *r, struct draft *d, const struct group_demand *g,
                         const struct hot *h)
{
    enum { SHOWN = 3 };
    size_t n = 0;
    double low = INFINITY, high = 0, low_kib = INFINITY, high_kib = 0;
    for (size_t m = 0; m < g->n_members; m++) {
        const struct load_series *s = g->members[m].series;
        size_t i = load_series_at(s, h->worst_ms);
        if (s == h->disk || i >= s->n || !(s->read_iops[i] > 0))
            continue;
        double kib = s->read_mibps[i] * 1024 / s->read_iops[i];
        if (kib < MERGE_KIB)
            continue;
        if (n++ < SHOWN)
            draft_see_sample(r, d, s, i, SAMPLE_READS);
        low = fmin(low, s->read_iops[i]);
        high = fmax(high, s->read_iops[i]);
        low_kib = fmin(low_kib, kib);
        high_kib = fmax(high_kib, kib);
    }
    if (n == 1)
        draft_not(r, d, "the other disk: healthy, %.0f reads/s of %.0f KiB; data is spread evenly",
                  low, low_kib);
    else if (n)
        draft_not(r, d,
                  "the other %zu disks: healthy, %.0f to %.0f reads/s of %.0f to %.0f KiB; data is "
                  "spread evenly",
                  n, low, high, low_kib, high_kib);
}

static void merge_loss_of(struct run *r, const struct rule *rule, const struct group_demand *g,
                          const struct hot *h)
{
    const struct load_series *s = h->disk;
    double merged = s->read_merge_pct ? s->read_merge_pct[h->i] : (double)NAN;
    double iops = s->read_iops[h->i], kib = s->read_mibps[h->i] * 1024;
    struct disk_request q = disk_request(&(struct disk_requests){ iops, kib, NAN, NAN });
    double share = g->group->n_volumes ? g->ceiling.max_iops / (double)g->n_members : (double)NAN;
    bool capped = iops >= AT_CEILING * share;
    struct draft *d =
        draft_add(r, rule, capped || !isnan(merged) ? VERDICT_CERTAIN : VERDICT_LIKELY,
                  g->group->name,
                  (const char *const[]){
                      "disk", s->name, "at", time_words(r, h->first_ms), "times",
                      number_words(r, q.iops_inflation, 0), "need",
                      number_words(r, q.iops_at_256_kib, 0), "iops", number_words(r, iops, 0),
                      "kib", number_words(r, q.size_kib, 1), "moves", moves(r, h), NULL });
    draft_see_sample(r, d, s, h->i, SAMPLE_READS);
    see_siblings(r, d, g, h);
    draft_ceiling(d, ceiling_name(CEILING_IOPS));
    draft_not(r, d, "more IOPS: %.0f would do at 256 KiB for the same bytes", q.iops_at_256_kib);
    if (!isnan(merged))
        draft_not(
            r, d,
            "random reads: 4 KiB / (1 - %.4f merged) = %.2f KiB, so the size is that of 4 KiB "
            "reads that were not merged",
            merged / 100, disk_request_from_pct(merged, 2).kib);
    if (g->ceiling.max_throughput_mibps > 0)
        draft_not(r, d, "throughput: %.0f of %.0f MiB/s of the disk", kib / 1024,
                  g->ceiling.max_throughput_mibps / (double)g->n_members);
    draft_missing(d, run_found(r, "io_uring_workers", NULL)
                         ? NULL
                         : "blktrace of the disk while it lasts: who queues the requests");
}

static void test_merge_loss(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        struct disk_frames f;
        struct hot h = { 0 };
        bool *seen = arena_array(r->arena, gd->n_members, sizeof *seen);
        if (!seen)
            r->failed = true;
        if (!seen || !disk_frames_open(&f, r, gd))
            continue;
        while (disk_frames_next(&f))
            for (size_t i = 0; i < f.n; i++)
                if (frame_lost_merging(&f, i))
                    note_hot(&h, seen, &f, i, f.disk[i].read_iops / f.disk[i].read_kib,
                             disk_frames_median(&f, offsetof(struct disk_at, read_iops), i));
        if (h.disk)
            merge_loss_of(r, rule, gd, &h);
    }
}

/* --- one hot disk ----------------------------------------------------------------------------- */

/* Total bytes of the busiest member against the mean of all; 1 = even, NaN = not known. */
static double imbalance(const struct group_demand *g)
{
    double most = 0, sum = 0;
    for (size_t m = 0; m < g->n_members; m++) {
        const struct load_series *s = g->members[m].series;
        double bytes = 0;
        for (size_t i = 0; i < s->n; i++)
            bytes += ((isnan(s->read_mibps[i]) ? 0 : s->read_mibps[i]) +
                      (isnan(s->write_mibps[i]) ? 0 : s->write_mibps[i])) *
                     (double)(s->end_ms[i] - s->begin_ms[i]);
        most = fmax(most, bytes);
        sum += bytes;
    }
    return sum > 0 ? most * (double)g->n_members / sum : (double)NAN;
}

static void hot_disk_of(struct run *r, const struct rule *rule, const struct group_demand *g,
                        const struct hot *h)
{
    double share = g->group->n_volumes ? g->ceiling.max_iops / (double)g->n_members : (double)NAN;
    bool capped = h->iops >= AT_CEILING * share;
    struct draft *d =
        draft_add(r, rule, r->layout_given ? VERDICT_CERTAIN : VERDICT_LIKELY, g->group->name,
                  (const char *const[]){ "disk", h->disk->name, "group", g->group->name, "iops",
                                         number_words(r, h->iops, 0), "others",
                                         number_words(r, h->others_iops, 0), "at",
                                         time_words(r, h->first_ms), "moves", moves(r, h), NULL });
    if (capped) {
        draft_severity(d, SEVERITY_ERROR);
        draft_ceiling(d, ceiling_name(CEILING_IOPS));
    }
    draft_see_sample(r, d, h->disk, h->i, SAMPLE_READS | SAMPLE_WRITES);
    for (size_t m = 0; m < g->n_members && m < EVIDENCE_MAX; m++) {
        const struct load_series *s = g->members[m].series;
        size_t i = load_series_at(s, h->worst_ms);
        if (s != h->disk && i < s->n)
            draft_see_sample(r, d, s, i, SAMPLE_READS | SAMPLE_WRITES);
    }
    if (capped)
        see_volumes(r, d, g);
    draft_not(r, d, "the group's mean: it is %s IOPS a disk, and hides this one",
              number_words(r,
                           (h->iops + h->others_iops * (double)(g->n_members - 1)) /
                               (double)g->n_members,
                           0));
    if (imbalance(g) < 1.25)
        draft_not(r, d, "data imbalance: over the whole time the bytes are even");
    draft_missing(d, "sizes and merges of the requests (iostat -x) of every disk");
}

/* The bytes of the frame are spread as a stripe spreads them. */
static bool frame_is_even(struct disk_frames *f)
{
    size_t at = disk_frames_most(f, offsetof(struct disk_at, total_mibps));
    double others = disk_frames_median(f, offsetof(struct disk_at, total_mibps), at);
    return at < f->n && f->disk[at].total_mibps <= EVEN_RATIO * others;
}

/* Disks that a guess put together are of one stripe only where they move together. */
static void test_hot_disk(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        struct disk_frames f;
        struct hot h = { 0 };
        size_t frames = 0, even = 0;
        bool *seen = arena_array(r->arena, gd->n_members, sizeof *seen);
        if (!seen)
            r->failed = true;
        if (!seen || !disk_frames_open(&f, r, gd))
            continue;
        while (disk_frames_next(&f)) {
            size_t at = disk_frames_most(&f, offsetof(struct disk_at, total_iops));
            double others = disk_frames_median(&f, offsetof(struct disk_at, total_iops), at);
            frames++;
            even += frame_is_even(&f);
            if (at < f.n && others > 0 && f.disk[at].total_iops >= HOT_IOPS &&
                f.disk[at].total_iops >= HOT_RATIO * others)
                note_hot(&h, seen, &f, at, f.disk[at].total_iops / others, others);
        }
        /* once among many is chance */
        bool one_stripe = r->layout_given || even * 2 >= frames;
        if (h.disk && h.frames > 1 && h.frames * 20 >= frames && one_stripe)
            hot_disk_of(r, rule, gd, &h);
    }
}

/* --- unequal disks ---------------------------------------------------------------------------- */

static void test_unequal(struct run *r, const struct rule *rule)
{
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        const struct layout_volumes *v = gd->group->volumes;
        bool unequal = false;
        for (size_t i = 1; i < gd->group->n_volumes; i++)
            unequal |= v[i].spec.type != v[0].spec.type ||
                       v[i].spec.size_gib != v[0].spec.size_gib ||
                       v[i].spec.iops != v[0].spec.iops ||
                       v[i].spec.throughput_mibps != v[0].spec.throughput_mibps;
        if (!unequal)
            continue;
        struct draft *d = draft_add(r, rule, VERDICT_CERTAIN, gd->group->name,
                                    (const char *const[]){ "group", gd->group->name, NULL });
        see_volumes(r, d, gd);
        draft_not(r, d,
                  "the sum of their ceilings: data is spread by size, so the first to fill up "
                  "holds the others back");
    }
}

/* --- the first member is read ----------------------------------------------------------------- */

static void test_first_member(struct run *r, const struct rule *rule)
{
    /* TUNING: no reads at all are measured as a few */
    static const double read_share = 0.05;
    const struct group_demand *read = NULL, *other = NULL;
    for (size_t g = 0; g < r->demand->n_groups; g++) {
        const struct group_demand *gd = &r->demand->groups[g];
        const struct metric_stats *m = gd->profile.metrics;
        if (gd->group->role != ROLE_REDO || gd->demand.grade == GRADE_NONE ||
            !(m[METRIC_WRITE_MIBPS].avg > 0) || gd->members[0].series->kind == SERIES_FILETYPE)
            continue;
        if (m[METRIC_READ_MIBPS].avg > m[METRIC_WRITE_MIBPS].avg)
            read = gd;
        else if (!(m[METRIC_READ_MIBPS].avg > read_share * m[METRIC_WRITE_MIBPS].avg))
            other = gd;
    }
    if (!read || !other)
        return;
    double ratio = read->profile.metrics[METRIC_TOTAL_MIBPS].avg /
                   other->profile.metrics[METRIC_TOTAL_MIBPS].avg;
    struct draft *d =
        draft_add(r, rule, VERDICT_CERTAIN, read->group->name,
                  (const char *const[]){ "group", read->group->name, "other", other->group->name,
                                         "ratio", number_words(r, ratio, 1), NULL });
    see_group(r, d, read, read->demand.time_of_max_ms);
    see_group(r, d, other, read->demand.time_of_max_ms);
}

/* --- split and unmerged requests ------------------------------------------------------------- */

static bool near_512(double kib)
{
    return kib >= 504 && kib <= 512.5;
}

/* Requests in this direction stand at 512 KiB. */
static bool split_at_512(const struct load_series *s, size_t i, bool reads)
{
    double iops = reads ? s->read_iops[i] : s->write_iops[i];
    double mibps = reads ? s->read_mibps[i] : s->write_mibps[i];
    return iops >= 0.1 && near_512(mibps * 1024 / iops);
}

/* The size that traced processes asked for most often; NULL = nothing was traced. */
static const struct stored_record *usual_traced(const struct run *r)
{
    const struct stored_record *most = NULL;
    for (size_t i = 0; i < r->load->n_records; i++) {
        const struct stored_record *rec = &r->load->records[i];
        if (strcmp(rec->kind, "sizes") == 0 && stored_record_text(rec, "call") &&
            (!most || stored_record_num(rec, "requests") > stored_record_num(most, "requests")))
            most = rec;
    }
    return most;
}

struct split {
    size_t n, active; /* samples at 512 KiB, with any load */
};

/* Counts, and with a draft shows, the samples of devices whose requests stand at 512 KiB. */
static struct split splits(struct run *r, struct draft *d)
{
    struct split at = { 0 };
    for (size_t k = 0; k < r->load->n_series; k++) {
        const struct load_series *s = &r->load->series[k];
        for (size_t i = 0; s->kind == SERIES_DEVICE && i < s->n; i++) {
            bool reads = split_at_512(s, i, true), writes = split_at_512(s, i, false);
            at.active += s->read_mibps[i] > 0.04 || s->write_mibps[i] > 0.04;
            at.n += reads || writes;
            if (d && (reads || writes))
                draft_see_sample(r, d, s, i,
                                 (reads ? SAMPLE_READS : 0U) | (writes ? SAMPLE_WRITES : 0U));
        }
    }
    return at;
}

static void test_max_sectors(struct run *r, const struct rule *rule)
{
    struct split at = splits(r, NULL);
    if (at.n < 3 || at.n * 10 < at.active * 8)
        return;
    const struct stored_record *traced = usual_traced(r);
    double kib = traced ? stored_record_num(traced, "request_kib") : (double)NAN;
    bool known = traced && kib > 512;
    const char *asked =
        known ? arena_printf(r->arena, " of what was asked for in %.0f KiB", kib) : "";
    struct draft *d = draft_add(r, rule, known ? VERDICT_CERTAIN : VERDICT_LIKELY, NULL,
                                (const char *const[]){ "n", arena_printf(r->arena, "%zu", at.n),
                                                       "asked", asked, NULL });
    if (known)
        draft_see(r, d, traced->file_id, traced->line, traced->time_ms, "%s: %.0f bytes",
                  stored_record_text(traced, "call"), kib * 1024);
    else
        draft_missing(d, "queue/max_sectors_kb of the devices, and a trace of what is asked for");
    splits(r, d);
    draft_not(r, d,
              "the size that the database or ASM asks for: an ASM rebalance asks for 1 MiB "
              "whatever the allocation unit");
}

static void test_io_uring(struct run *r, const struct rule *rule)
{
    for (size_t i = 0; i < r->load->n_records; i++) {
        const struct stored_record *rec = &r->load->records[i];
        const char *who = stored_record_text(rec, "process");
        if (strcmp(rec->kind, "submitters") != 0 || !who || strcmp(who, "iou-wrk") != 0)
            continue;
        double queued = stored_record_num(rec, "queued"), pct = stored_record_num(rec, "merge_pct");
        struct draft *d =
            draft_add(r, rule, pct < 50 ? VERDICT_CERTAIN : VERDICT_LIKELY, who,
                      (const char *const[]){ "n", number_words(r, queued, 0), "pct",
                                             number_words(r, isnan(pct) ? 0 : pct, 0), NULL });
        draft_see(r, d, rec->file_id, rec->line, rec->time_ms, "%s queues requests", who);
        draft_not(r, d, "the volumes: requests reach them as they were queued");
        return;
    }
}

/* --- the table -------------------------------------------------------------------------------- */

static const char *const merge_loss[] = { "merge_loss", NULL };

static const struct rule rules[] = {
    { "io_uring_workers", NEED_RECORDS, SEVERITY_ERROR, test_io_uring,
      "requests are queued by io_uring workers (iou-wrk): {n} of them, {pct} % merged",
      "io_uring hands requests to kernel workers that do not merge them: take ASMLib v3 with "
      "io_uring out of the way (udev rules instead), or ask the vendor of the kernel",
      NULL },
    { "merge_loss", NEED_SERIES, SEVERITY_ERROR, test_merge_loss,
      "{disk} lost request merging at {at}: {iops} reads/s of {kib} KiB, {times} times the IOPS "
      "needed for the same bytes{moves}",
      "find why requests arrive unmerged (blktrace: are they queued by iou-wrk-*?); {need} IOPS "
      "would do at 256 KiB, so do not buy IOPS",
      NULL },
    { "hot_disk", NEED_SERIES, SEVERITY_WARNING, test_hot_disk,
      "{disk} carries {iops} IOPS, its siblings in {group} {others}, since {at}{moves}",
      "look at every disk of the group, not at one or at the mean: a stripe is as fast as its "
      "slowest disk",
      merge_loss },
    { "max_sectors_split", NEED_SERIES, SEVERITY_INFO, test_max_sectors,
      "requests are split at 512 KiB by the block layer (max_sectors_kb){asked}, in {n} samples",
      "EBS counts 256 KiB, so the split costs no IOPS; raise queue/max_sectors_kb only where fewer "
      "requests help",
      NULL },
    { "unequal_disks", NEED_LAYOUT, SEVERITY_WARNING, test_unequal,
      "the volumes of {group} are not equal",
      "make them equal: the group's ceiling is the least of limit x total size / size", NULL },
    { "first_member_reads", NEED_SERIES, SEVERITY_INFO, test_first_member,
      "only the first log member is read: {group} carries {ratio} times what {other} does",
      "size the two groups for what each carries; when the first member is lost, {other} has to do "
      "its work",
      NULL },
};
const struct rule_table rules_shape = RULE_TABLE(rules, RANK_SHAPE);
