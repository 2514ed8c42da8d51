/* data/ingest/asm/asm_listing.h - what ASM says of its disk groups and disks.
 *
 *   asm_lsdg    asmcmd lsdg (-g): a record of kind "disk_groups" for each
 *   asm_iostat  asmcmd iostat (-e -t --io --region, with an interval): "disks", the number of the
 *               report in each
 *   asm_disks   scripts over v$asm_disk_stat with the headings "DiskPath - DiskName Gr Dsk Reads
 *               Writes AvRdTm AvWrTm KBRd KBWr AvRdSz AvWrSz RdEr WrEr": "disks" as well */
#ifndef DATA_INGEST_ASM_ASM_LISTING_H
#define DATA_INGEST_ASM_ASM_LISTING_H

#include "data/ingest/format.h"

int asm_lsdg_detect(struct span head);
int asm_lsdg_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                  struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int asm_iostat_detect(struct span head);
int asm_iostat_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                    struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

int asm_disks_detect(struct span head);
int asm_disks_read(struct source *src, const struct ingest_options *o, struct sink *sink,
                   struct arena *a, int64_t *rows, int64_t *skipped, struct err *e);

#endif
