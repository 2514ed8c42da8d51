/* models/oracle/redo_sector.c - see redo_sector.h. */
#include "models/oracle/redo_sector.h"

#include "models/core/unit.h"

enum redo_sector_verdict redo_sector_check(const struct redo_sector *s)
{
    int64_t group = s->group_bytes == UNKNOWN ? s->physical_bytes : s->group_bytes;
    if (group < s->logical_bytes)
        return REDO_SECTOR_15038;
    if (s->redo_block_bytes < group)
        return REDO_SECTOR_15347;
    if (s->redo_block_bytes == 4096 && group < 4096 && !s->override_set)
        return REDO_SECTOR_01378;
    return s->redo_block_bytes < s->physical_bytes ? REDO_SECTOR_PARTIAL : REDO_SECTOR_OK;
}

const char *redo_sector_text(enum redo_sector_verdict v)
{
    static const char *const texts[REDO_SECTOR_VERDICTS] = {
        [REDO_SECTOR_OK] = "works",
        [REDO_SECTOR_PARTIAL] = "works; the device may read, change and write back whole sectors",
        [REDO_SECTOR_15347] = "ORA-15347: redo block smaller than the disk group's sector size",
        [REDO_SECTOR_01378] =
            "ORA-01378: redo block larger than the sector, _disk_sector_size_override not set",
        [REDO_SECTOR_15038] = "ORA-15038: the disks' sectors are larger than the disk group's",
    };
    return texts[v];
}

bool redo_sector_uniform(const int64_t *physical_bytes, const int64_t *logical_bytes, int n)
{
    for (int i = 1; i < n; i++)
        if (physical_bytes[i] != physical_bytes[0] || logical_bytes[i] != logical_bytes[0])
            return false;
    return true;
}

bool redo_block_fits_filesystem(int64_t redo_block_bytes, int64_t filesystem_block_bytes)
{
    return filesystem_block_bytes > 0 && redo_block_bytes % filesystem_block_bytes == 0;
}
