/* data/store/sqlite_early.c - see sqlite_early.h.
 *
 * SQLite writes through a function that can be set (sqlite3_vfs.xSetSystemCall).  Ours writes, and
 * when that begins a new stretch of the file, has the system start on the stretch before; it waits
 * for nothing, and what is on the disk when is still for SQLite to ask. */
#include "data/store/sqlite_early.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

/* TUNING: large enough for a disk to write at its full rate. */
static const off_t stretch_bytes = (off_t)4 << 20;

static ssize_t write_early(int fd, const void *bytes, size_t n, off_t at)
{
    ssize_t n_written = pwrite(fd, bytes, n, at);
    if (n_written > 0 && at >= stretch_bytes && at % stretch_bytes == 0)
        sync_file_range(fd, at - stretch_bytes, stretch_bytes, SYNC_FILE_RANGE_WRITE);
    return n_written;
}

void sqlite_write_early(void)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    if (vfs && vfs->iVersion >= 3)
        vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)write_early);
}
