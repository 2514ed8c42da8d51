/* data/store/store_results.c - see store_results.h. */
#include "data/store/store_results.h"

#include "data/store/store_driver.h"
#include "models/core/unit.h"

#include <string.h>
#include <xxhash.h>

/* --- the state of a system ---------------------------------------------------------------------
 */

/* What is hashed next, together with the hash so far. */
struct link {
    XXH128_canonical_t before, of;
    int64_t numbers[2];
};

static void add_link(XXH128_canonical_t *state, struct span bytes, int64_t a, int64_t b)
{
    struct link l = { .before = *state, .numbers = { a, b } };
    XXH128_canonicalFromHash(&l.of, XXH3_128bits(bytes.ptr, bytes.len));
    XXH128_canonicalFromHash(state, XXH3_128bits(&l, sizeof l));
}

static int add_rows(struct store *s, enum sql id, const char *system, XXH128_canonical_t *state,
                    struct err *e)
{
    struct query q;
    int rc = store_query_system(s, id, system, &q, e);
    if (rc)
        return rc;
    while (query_step(&q))
        add_link(state, query_get_blob(&q, 0), query_get_int(&q, 1), query_get_int(&q, 2));
    return query_end(&q, e);
}

int store_result_state(struct store *s, const char *system, struct arena *a, const char **out,
                       struct err *e)
{
    XXH128_canonical_t state = { { 0 } };
    const char *layout = NULL;
    int rc = add_rows(s, SQL_RESULT_FILES, system, &state, e);
    if (!rc)
        rc = add_rows(s, SQL_RESULT_ZONES, system, &state, e);
    if (!rc)
        rc = add_rows(s, SQL_RESULT_COUNTS, system, &state, e);
    if (!rc)
        rc = store_layout_get(s, system, a, &layout, e);
    if (rc)
        return rc;
    add_link(&state, span_of(layout ? layout : ""), layout != NULL, 0);
    char *hex = arena_alloc(a, 2 * sizeof state.digest + 1);
    if (!hex)
        return err_nomem(e);
    for (size_t i = 0; i < sizeof state.digest; i++) {
        hex[2 * i] = "0123456789abcdef"[state.digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[state.digest[i] & 15];
    }
    *out = hex;
    return 0;
}

/* --- results -----------------------------------------------------------------------------------
 */

int store_result_get(struct store *s, const char *system, const char *question, struct arena *a,
                     struct store_result *out, struct err *e)
{
    struct query q;
    struct store_result r = { NULL, NULL };
    int rc = store_query_system(s, SQL_RESULT_GET, system, &q, e);
    if (rc)
        return rc;
    query_text(&q, 2, question);
    if (query_step(&q))
        r = (struct store_result){ query_get_text(&q, 0, a), query_get_text(&q, 1, a) };
    rc = query_end(&q, e);
    if (!rc)
        *out = r;
    return rc;
}

/* The claim keeps others from adding the same row. */
static int put(struct store *s, enum sql id, const char *system, const char *question,
               const struct store_result *r, struct err *e)
{
    struct query q;
    int rc = store_query_system(s, id, system, &q, e);
    if (rc)
        return rc;
    query_text(&q, 2, question);
    query_text(&q, 3, r->state);
    query_text(&q, 4, r->json);
    return query_run(&q, e);
}

int store_result_keep(struct store *s, const char *system, const char *question,
                      const struct store_result *r, struct err *e)
{
    int rc = s->driver->claims_in_transaction ? 0 : s->driver->begin(s, SQL_BEGIN_WRITE, e);
    if (!rc)
        rc = put(s, SQL_RESULT_ADD, system, question, r, e);
    if (!rc)
        rc = put(s, SQL_RESULT_SET, system, question, r, e);
    if (!rc)
        rc = store_run(s, SQL_COMMIT, e);
    store_claim_end(s);
    return rc;
}

/* --- claims ------------------------------------------------------------------------------------
 */

int store_claims_open(struct store *s, struct err *e)
{
    return s->driver->claims_open(s, e);
}

int store_claim(struct store *s, const char *system, bool *out_mine, struct err *e)
{
    int64_t system_id = UNKNOWN;
    struct query q = query_start(s, SQL_SYSTEM_ID);
    query_text(&q, 1, system);
    int rc = query_find(&q, &system_id, e);
    *out_mine = false;
    return rc || system_id == UNKNOWN ? rc : s->driver->claim(s, system_id, out_mine, e);
}

void store_claim_end(struct store *s)
{
    s->driver->rollback(s);
    s->driver->claim_end(s);
}
