/* data/store/sqlite_early.h - the disk starts to write while a file is still being loaded.
 *
 * SQLite hands pages to the system as its cache overflows, and asks for them to be on the disk when
 * it commits; the system by itself would begin only then, and the commit wait for all of it. */
#ifndef DATA_STORE_SQLITE_EARLY_H
#define DATA_STORE_SQLITE_EARLY_H

/* Once, behind sqlite3_initialize: for all stores of the process.  What cannot be had is left. */
void sqlite_write_early(void);

#endif
