/* planner/diagnose/disk_frames.h - the disks of a group side by side, instant by instant. */
#ifndef PLANNER_DIAGNOSE_DISK_FRAMES_H
#define PLANNER_DIAGNOSE_DISK_FRAMES_H

#include "planner/diagnose/rule.h"

/* One disk at one instant; NaN = not measured. */
struct disk_at {
    size_t member; /* of the group */
    const struct load_series *series;
    size_t i; /* sample */
    double read_iops, read_mibps, total_iops, total_mibps;
    double read_kib; /* mean request */
};

struct disk_frames {
    const struct group_demand *group;
    size_t lead, next; /* the member with most samples, and its next one */
    size_t *at;        /* where each member stands */
    struct disk_at *disk;
    double *scratch;
    size_t n; /* disks in this frame */
    int64_t time_ms;
};

/* False for a group without at least two measured disks, and when memory is out (run->failed). */
bool disk_frames_open(struct disk_frames *f, struct run *r, const struct group_demand *g);
/* The next instant at which at least two disks were measured. */
bool disk_frames_next(struct disk_frames *f);
/* Offsets of a rate in struct disk_at: the median over the disks of the frame without `but` (n =
 * with all); NaN where none is known. */
double disk_frames_median(struct disk_frames *f, size_t offset, size_t but);
/* The disk with the most; n when none is known. */
size_t disk_frames_most(const struct disk_frames *f, size_t offset);

/* "nvme8n1 4969.9 reads/s, 35118.8 KiB/s read, 43.39 % merged" and so on, as the file has it. */
enum sample_part { SAMPLE_READS = 1, SAMPLE_WRITES = 2 };
void draft_see_sample(struct run *r, struct draft *d, const struct load_series *s, size_t i,
                      unsigned parts);

#endif
