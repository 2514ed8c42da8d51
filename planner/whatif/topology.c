/* planner/whatif/topology.c - see topology.h. */
#include "planner/whatif/topology.h"

#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* As many as whatif_change.h lets ask for, twice: dropped ones may be in a layout. */
enum { STANDBYS_MAX = 256 };

static bool same_name(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static size_t index_of(const struct topology *t, const char *name)
{
    size_t i = 0;
    while (i < t->n && !same_name(t->at[i].name, name))
        i++;
    return i;
}

const struct standby *topology_find(const struct topology *t, const char *name)
{
    size_t i = index_of(t, name);
    return i < t->n ? &t->at[i] : NULL;
}

bool topology_is_direct(const struct standby *s)
{
    return !s->link.via;
}

bool topology_reads_files(const struct standby *s)
{
    return topology_is_direct(s) && s->mode == REDO_ASYNC;
}

int64_t topology_fed_by(const struct topology *t, const char *name)
{
    int64_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->at[i].link.via && same_name(t->at[i].link.via, name);
    return n;
}

struct redo_change topology_redo_change(const struct topology *t)
{
    struct redo_change c = { 0, t->n_measured };
    for (size_t i = 0; i < t->n; i++) {
        bool reads = topology_reads_files(&t->at[i]);
        c.added += reads && !t->at[i].measured;
        c.removed -= reads && t->at[i].measured;
    }
    return c;
}

/* --- the base --------------------------------------------------------------------------------- */

static struct standby plain_standby(const char *name)
{
    return (struct standby){ .name = name,
                             .link = { .name = name,
                                       .transport = redo_mode_name(REDO_ASYNC),
                                       .send_mibps = NAN,
                                       .rtt_ms = NAN,
                                       .window_kib = NAN,
                                       .apply_mibps = NAN } };
}

static struct standby standby_of(const struct layout *l, const struct layout_standby *s)
{
    struct standby out = { .name = s->name, .link = *s };
    if (redo_mode_parse(s->transport, &out.mode))
        out.mode = REDO_ASYNC;
    if (s->via && same_name(s->via, l->system))
        out.link.via = NULL;
    out.measured = topology_reads_files(&out);
    return out;
}

/* Room for one more. */
static struct standby *grow(struct topology *t, struct arena *a, struct err *e)
{
    if (t->n >= STANDBYS_MAX) {
        err_set(e, ERR_USAGE, "more than %d standbys", STANDBYS_MAX);
        return NULL;
    }
    struct standby *at = arena_grow(a, t->at, t->n, t->n + 1, sizeof *at);
    if (!at) {
        err_nomem(e);
        return NULL;
    }
    t->at = at;
    return &at[t->n++];
}

/* "standby7": the first number from n + 1 that is free. */
static int add_numbered(struct topology *t, bool measured, struct arena *a, struct err *e)
{
    size_t number = t->n + 1;
    char *name;
    do {
        name = arena_printf(a, "standby%zu", number++);
        if (!name)
            return err_nomem(e);
    } while (index_of(t, name) < t->n);
    struct standby *s = grow(t, a, e);
    if (!s)
        return e->code;
    *s = plain_standby(name);
    s->measured = measured;
    return 0;
}

int topology_of_layout(const struct layout *l, int64_t measured_standbys, struct arena *a,
                       struct topology *out, struct err *e)
{
    struct topology t = { .primary = l->system, .host = l->system };
    for (size_t i = 0; i < l->n_standbys; i++) {
        struct standby *s = grow(&t, a, e);
        if (!s)
            return e->code;
        *s = standby_of(l, &l->standbys[i]);
        t.n_measured += s->measured;
    }
    for (int64_t i = 0; !l->n_standbys && i < measured_standbys; i++) {
        int rc = add_numbered(&t, true, a, e);
        if (rc)
            return rc;
        t.n_measured++;
    }
    int rc = topology_check(&t, NULL, 0, e);
    if (!rc)
        *out = t;
    return rc;
}

/* --- changes ---------------------------------------------------------------------------------- */

static int unknown_standby(const struct topology *t, const char *name, struct err *e)
{
    return err_set(e, ERR_USAGE, "no standby is called %s%s", name,
                   t->n ? "" : ": the layout names none");
}

static int add(struct topology *t, const struct whatif_change *c, struct arena *a, struct err *e)
{
    if (same_name(c->name, t->primary) || index_of(t, c->name) < t->n)
        return err_set(e, ERR_USAGE, "there is already a database called %s", c->name);
    struct standby *s = grow(t, a, e);
    if (!s)
        return e->code;
    *s = plain_standby(c->name);
    s->mode = c->mode;
    s->far_sync = c->kind == WHATIF_FAR_SYNC;
    s->link.transport = redo_mode_name(c->mode);
    s->link.send_mibps = c->send_mibps;
    s->link.rtt_ms = c->rtt_ms;
    s->link.window_kib = c->window_kib;
    s->link.apply_mibps = c->apply_mibps;
    s->link.via = c->via && !same_name(c->via, t->primary) ? c->via : NULL;
    return 0;
}

static void drop_at(struct topology *t, size_t i)
{
    memmove(&t->at[i], &t->at[i + 1], (t->n - i - 1) * sizeof *t->at);
    t->n--;
}

static int drop(struct topology *t, const struct whatif_change *c, struct err *e)
{
    size_t i = index_of(t, c->name);
    if (i == t->n)
        return unknown_standby(t, c->name, e);
    drop_at(t, i);
    return 0;
}

static int cascade(struct topology *t, const struct whatif_change *c, struct err *e)
{
    size_t i = index_of(t, c->name);
    if (i == t->n)
        return unknown_standby(t, c->name, e);
    t->at[i].link.via = same_name(c->via, t->primary) ? NULL : c->via;
    /* A standby sends ASYNC only. */
    if (t->at[i].link.via)
        t->at[i].mode = REDO_ASYNC;
    return 0;
}

/* As many standbys in all: new ones are fed by the primary, the last that feed nobody go first. */
static int set_number(struct topology *t, int64_t wanted, struct arena *a, struct err *e)
{
    size_t far_syncs = 0;
    for (size_t i = 0; i < t->n; i++)
        far_syncs += t->at[i].far_sync;
    while ((int64_t)(t->n - far_syncs) < wanted) {
        int rc = add_numbered(t, false, a, e);
        if (rc)
            return rc;
    }
    while ((int64_t)(t->n - far_syncs) > wanted) {
        size_t i = t->n;
        while (i > 0 && (t->at[i - 1].far_sync || topology_fed_by(t, t->at[i - 1].name)))
            i--;
        if (!i)
            return err_set(e, ERR_USAGE, "only standbys that feed others are left");
        drop_at(t, i - 1);
    }
    return 0;
}

/* The new primary feeds those that the old one fed, those that it fed itself, and the old one. */
static int swap_roles(struct topology *t, const struct whatif_change *c, struct err *e)
{
    size_t i = index_of(t, c->name);
    if (i == t->n)
        return unknown_standby(t, c->name, e);
    if (t->at[i].far_sync)
        return err_set(e, ERR_USAGE, "%s is a far sync instance, it cannot be the primary",
                       c->name);
    struct standby *swapped = &t->at[i];
    for (size_t k = 0; k < t->n; k++)
        if (t->at[k].link.via && same_name(t->at[k].link.via, c->name))
            t->at[k].link.via = NULL;
    const char *old = t->primary;
    t->primary = swapped->name;
    swapped->name = swapped->link.name = old;
    swapped->link.via = NULL;
    return 0;
}

int topology_change(struct topology *t, const struct whatif_change *c, struct arena *a,
                    struct err *e)
{
    /* What the caller has may be shared with another scenario. */
    struct standby *at = arena_grow(a, t->at, t->n, t->n + 1, sizeof *at);
    if (!at)
        return err_nomem(e);
    t->at = at;
    switch (c->kind) {
    case WHATIF_ADD_STANDBY:
    case WHATIF_FAR_SYNC:
        return add(t, c, a, e);
    case WHATIF_DROP_STANDBY:
        return drop(t, c, e);
    case WHATIF_CASCADE:
        return cascade(t, c, e);
    case WHATIF_STANDBYS:
        return set_number(t, c->whole, a, e);
    case WHATIF_ROLE_SWAP:
        return swap_roles(t, c, e);
    default:
        BUG("not a change of standbys");
    }
}

/* --- checks ----------------------------------------------------------------------------------- */

static bool named_as_source(const struct whatif_change *changes, size_t n, const char *far_sync)
{
    for (size_t i = 0; i < n; i++)
        if ((changes[i].kind == WHATIF_CASCADE || changes[i].kind == WHATIF_ADD_STANDBY) &&
            changes[i].via && same_name(changes[i].via, far_sync))
            return true;
    return false;
}

static void take_over(struct topology *t, const struct whatif_change *changes, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        const char *far_sync = changes[c].name;
        if (changes[c].kind != WHATIF_FAR_SYNC || named_as_source(changes, n, far_sync))
            continue;
        for (size_t i = 0; i < t->n; i++)
            if (topology_is_direct(&t->at[i]) && !t->at[i].far_sync) {
                t->at[i].link.via = far_sync;
                t->at[i].mode = REDO_ASYNC;
            }
    }
}

int topology_check(struct topology *t, const struct whatif_change *changes, size_t n, struct err *e)
{
    take_over(t, changes, n);
    for (size_t i = 0; i < t->n; i++) {
        const struct standby *s = &t->at[i];
        for (size_t steps = 0; s->link.via; steps++) {
            const struct standby *source = topology_find(t, s->link.via);
            if (!source)
                return err_set(e, ERR_USAGE, "%s is fed by %s, which is no standby", s->name,
                               s->link.via);
            if (steps == t->n)
                return err_set(e, ERR_USAGE, "%s is fed by itself in the end", t->at[i].name);
            s = source;
        }
    }
    return 0;
}
