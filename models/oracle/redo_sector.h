/* models/oracle/redo_sector.h - which sector, file-system and redo block sizes go together. */
#ifndef MODELS_ORACLE_REDO_SECTOR_H
#define MODELS_ORACLE_REDO_SECTOR_H

#include <stdbool.h>
#include <stdint.h>

enum redo_sector_verdict {
    REDO_SECTOR_OK,
    REDO_SECTOR_PARTIAL, /* works; the device may read, change and write back 4 096 bytes */
    REDO_SECTOR_15347,   /* redo block smaller than the disk group's sector */
    REDO_SECTOR_01378,   /* larger, unless _disk_sector_size_override */
    REDO_SECTOR_15038,   /* disk group's sector smaller than a disk's logical one */
    REDO_SECTOR_VERDICTS
};

struct redo_sector {
    int64_t physical_bytes, logical_bytes; /* of the volumes */
    int64_t group_bytes; /* SECTOR_SIZE of the disk group; UNKNOWN = ASMLIB's default, physical */
    int64_t redo_block_bytes;
    bool override_set; /* _disk_sector_size_override */
};

/* Source: Oracle's error help for the codes, the 12.1 storage guide on SECTOR_SIZE. */
enum redo_sector_verdict redo_sector_check(const struct redo_sector *s);
const char *redo_sector_text(enum redo_sector_verdict v);

/* Disks of one group must report one sector size, physical and logical: else it is refused at
 * create, add and mount (ORA-15038, ORA-15085). */
bool redo_sector_uniform(const int64_t *physical_bytes, const int64_t *logical_bytes, int n);

/* True when each redo block is whole file-system blocks.  If not, direct I/O is demoted on JFS2
 * (log file parallel write 15..31 ms instead of 1.2) and was serialised on XFS. */
bool redo_block_fits_filesystem(int64_t redo_block_bytes, int64_t filesystem_block_bytes);

#endif
