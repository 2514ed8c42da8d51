/* data/store/sqlite_db.h - what the files of the SQLite backend share. */
#ifndef DATA_STORE_SQLITE_DB_H
#define DATA_STORE_SQLITE_DB_H

#include "data/store/store_driver.h"

#include <sqlite3.h>

struct sqlite {
    sqlite3 *db;
    sqlite3_stmt *statements[SQL_COUNT];
    int claims; /* the file of sqlite_claim.c; -1 = not open */
};

extern const char *const sqlite_texts[SQL_COUNT];
/* sqlite_steps[v] brings a store from version v to v + 1. */
extern const char *const sqlite_steps[];
extern const int sqlite_version;

int sqlite_open(struct store *s, enum store_mode mode, struct err *e);
void sqlite_close(struct store *s);
int sqlite_mark(struct store *s, struct store_mark *out, struct err *e);
int sqlite_init(struct store *s, const struct store_spread *spread, struct err *e);

/* The error of the last call on the connection, as ERR_NOMEM or ERR_STORE with words. */
int sqlite_error(const struct store *s, int rc, struct err *e);

/* --- for store_results.h (sqlite_claim.c) ---
 */

int sqlite_claims_open(struct store *s, struct err *e);
void sqlite_claims_close(struct store *s);
int sqlite_claim(struct store *s, int64_t system_id, bool *out_mine, struct err *e);
void sqlite_claim_end(struct store *s);

/* --- for store_upkeep.h (sqlite_upkeep.c) --------------------------------------------------------
 */

extern const struct upkeep_table sqlite_tables[];
extern const struct upkeep_rule sqlite_rules[];
int sqlite_table_bytes(struct store *s, const char *table, int64_t *out, struct err *e);
int sqlite_check(struct store *s, store_problem_fn *problem, void *ctx, struct err *e);

#endif
