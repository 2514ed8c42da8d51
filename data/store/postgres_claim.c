/* data/store/postgres_claim.c - who works on which system of a server's store.
 *
 * A claim is a row of plan_claim that an open transaction has locked.  Others pass over it (SKIP
 * LOCKED); it is free again when the session ends, however it ends.  The rows themselves never
 * change, and no loader asks for them. */
#include "data/store/postgres_db.h"

#include "models/core/unit.h"

int postgres_claims_open(struct store *s, struct err *e)
{
    return postgres_exec(s,
                         "INSERT INTO plan_claim SELECT system_id FROM system WHERE NOT EXISTS"
                         " (SELECT FROM plan_claim c WHERE c.system_id = system.system_id)"
                         " ORDER BY system_id ON CONFLICT DO NOTHING",
                         e);
}

int postgres_claim(struct store *s, int64_t system_id, bool *out_mine, struct err *e)
{
    int64_t found = UNKNOWN;
    int rc = s->driver->begin(s, SQL_BEGIN_WRITE, e);
    if (rc)
        return rc;
    struct query q = query_start_text(
        s, "SELECT system_id FROM plan_claim WHERE system_id = ?1 FOR UPDATE SKIP LOCKED");
    query_int(&q, 1, system_id);
    rc = query_find(&q, &found, e);
    *out_mine = !rc && found != UNKNOWN;
    if (!*out_mine)
        s->driver->rollback(s);
    return rc;
}

/* The transaction was the claim. */
void postgres_claim_end(struct store *s)
{
    (void)s;
}
