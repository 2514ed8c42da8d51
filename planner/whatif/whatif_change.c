/* planner/whatif/whatif_change.c - see whatif_change.h. */
#include "planner/whatif/whatif_change.h"

#include "models/core/timestamp.h"
#include "models/core/unit.h"

#include <math.h>
#include <string.h>

/* Oracle sends to 30 destinations; standbys behind others come on top. */
enum { NAME_MAX_BYTES = 60, STANDBYS_MAX = 120, MEMBERS_MAX = 5, CHANGES_MAX = 64 };
#define GROWTH_MAX_PCT 10000
#define RATE_MAX       1e6
/* Linux takes max_sectors_kb from a page on; what merges leave is a bio of 4 KiB at least. */
#define SPLIT_MIN_KIB 4.0
#define SPLIT_MAX_KIB 32768.0
#define DAY_HOURS     24.0
#define HOURS_MAX     8784.0 /* a year */
enum { DISKS_MAX = 1000 };

struct reading {
    struct arena *a;
    struct err *e;
    struct whatif_change *c;
};

/* --- pieces ----------------------------------------------------------------------------------- */

static int bad(const struct reading *r, const char *what, struct span got)
{
    return err_set(r->e, ERR_USAGE, "expected %s, got '%.*s'", what, SPAN_ARG(got));
}

static int read_name(const struct reading *r, struct span s, const char **out)
{
    s = span_trim(s);
    bool clean = s.len > 0 && s.len <= NAME_MAX_BYTES;
    for (size_t i = 0; i < s.len && clean; i++)
        clean = (unsigned char)s.ptr[i] > ' ' && !strchr(":=,'\"", s.ptr[i]);
    if (!clean)
        return bad(r, "a name", s);
    *out = arena_strndup(r->a, s.ptr, s.len);
    return *out ? 0 : err_nomem(r->e);
}

static int read_number(const struct reading *r, struct span s, enum unit unit, double max,
                       double *out)
{
    int rc = unit_parse(s, unit, out, r->e);
    if (!rc && !(*out > 0 && *out <= max)) {
        char most[48];
        rc = err_set(r->e, ERR_USAGE, "'%.*s' is not above 0 and at most %s", SPAN_ARG(s),
                     unit_format(most, max, 0));
    }
    return rc;
}

static int read_whole(const struct reading *r, struct span s, int64_t min, int64_t max)
{
    struct span rest = span_trim(s);
    int64_t v;
    if (span_int(&rest, &v) || rest.len || v < min || v > max)
        return err_set(r->e, ERR_USAGE, "expected a whole number from %lld to %lld, got '%.*s'",
                       (long long)min, (long long)max, SPAN_ARG(s));
    r->c->whole = v;
    return 0;
}

/* More than 0 and at most max; negative: down to -max too. */
static int read_hours(const struct reading *r, struct span s, double max, bool negative)
{
    struct span rest = span_trim(s);
    double v;
    bool good = !span_double(&rest, &v) && !rest.len;
    if (!good || !(fabs(v) <= max) || (!negative && !(v > 0)))
        return err_set(r->e, ERR_USAGE, "expected hours, %s%g, got '%.*s'",
                       negative ? "at most plus or minus " : "above 0 and at most ", max,
                       SPAN_ARG(s));
    r->c->hours = v;
    return 0;
}

/* --- "NAME:key=value,key=value" --------------------------------------------------------------- */

enum link_key { LINK_SEND, LINK_RTT, LINK_WINDOW, LINK_APPLY, LINK_MODE, LINK_VIA, LINK_KEYS };

static int read_link(const struct reading *r, enum link_key key, struct span value)
{
    struct whatif_change *c = r->c;
    char word[16];
    switch (key) {
    case LINK_SEND:
        return read_number(r, value, UNIT_MIBPS, RATE_MAX, &c->send_mibps);
    case LINK_RTT:
        return read_number(r, value, UNIT_MS, RATE_MAX, &c->rtt_ms);
    case LINK_WINDOW:
        return read_number(r, value, UNIT_KIB, RATE_MAX, &c->window_kib);
    case LINK_APPLY:
        return read_number(r, value, UNIT_MIBPS, RATE_MAX, &c->apply_mibps);
    case LINK_MODE:
        if (value.len >= sizeof word)
            return bad(r, "async, sync or fastsync", value);
        memcpy(word, value.ptr, value.len);
        word[value.len] = '\0';
        return redo_mode_parse(word, &c->mode) ? bad(r, "async, sync or fastsync", value) : 0;
    default:
        return read_name(r, value, &c->via);
    }
}

static int read_linked(const struct reading *r, struct span value, unsigned allowed,
                       const char *expected)
{
    static const char *const keys[] = { "send", "rtt", "window", "apply", "mode", "via" };
    struct span name, pair, key;
    if (span_field(&value, ':', &name))
        return bad(r, "a name", value);
    int rc = read_name(r, name, &r->c->name);
    while (!rc && value.ptr && !span_field(&value, ',', &pair)) {
        struct span rest = pair;
        enum link_key k = 0;
        if (span_field(&rest, '=', &key) || !rest.ptr)
            return bad(r, expected, pair);
        while (k < LINK_KEYS && !(allowed & 1u << k && span_is(span_trim(key), keys[k])))
            k++;
        if (k == LINK_KEYS)
            return bad(r, expected, pair);
        rc = read_link(r, k, span_trim(rest));
        if (rc)
            err_prefix(r->e, "%s", keys[k]);
    }
    return rc;
}

static int read_add_standby(const struct reading *r, struct span value)
{
    return read_linked(r, value, (1u << LINK_KEYS) - 1,
                       "NAME:send=MIB/S,rtt=MS,window=KIB,apply=MIB/S,mode=MODE,via=NAME");
}

static int read_far_sync(const struct reading *r, struct span value)
{
    r->c->mode = REDO_SYNC;
    return read_linked(r, value, 1u << LINK_RTT | 1u << LINK_VIA, "NAME:rtt=MS,via=NAME");
}

/* --- the others ------------------------------------------------------------------------------- */

static int read_named(const struct reading *r, struct span value)
{
    return read_name(r, value, &r->c->name);
}

static int read_cascade(const struct reading *r, struct span value)
{
    struct span name, via = value;
    if (span_field(&via, '=', &name) || !via.ptr)
        return bad(r, "NAME=VIA", value);
    int rc = read_name(r, name, &r->c->name);
    return rc ? rc : read_name(r, via, &r->c->via);
}

static int read_standbys(const struct reading *r, struct span value)
{
    return read_whole(r, value, 0, STANDBYS_MAX);
}

static int read_members(const struct reading *r, struct span value)
{
    return read_whole(r, value, 1, MEMBERS_MAX);
}

static int read_redo_block(const struct reading *r, struct span value)
{
    int rc = read_whole(r, value, 512, 4096);
    int64_t v = r->c->whole;
    return rc || v == 512 || v == 1024 || v == 4096 ? rc : bad(r, "512, 1024 or 4096", value);
}

/* Below 0 is a load that shrinks. */
static int read_growth(const struct reading *r, struct span value)
{
    struct span s = span_trim(value);
    bool shrinks = s.len && s.ptr[0] == '-';
    int rc = unit_parse(shrinks ? span_cut(s, 1, s.len) : s, UNIT_PCT, &r->c->pct, r->e);
    if (rc)
        return rc;
    if (shrinks)
        r->c->pct = -r->c->pct;
    if (!(r->c->pct > -100 && r->c->pct <= GROWTH_MAX_PCT))
        return bad(r, "more than -100 and at most 10 000 %", value);
    return 0;
}

static int read_redundancy(const struct reading *r, struct span value)
{
    struct span name, kind = value;
    if (span_field(&kind, '=', &name) || !kind.ptr)
        return bad(r, "GROUP=external, normal or high", value);
    kind = span_trim(kind);
    for (int i = REDUNDANCY_EXTERNAL; i <= REDUNDANCY_HIGH; i++)
        if (span_is(kind, redundancy_name((enum redundancy)i))) {
            r->c->redundancy = (enum redundancy)i;
            return read_name(r, name, &r->c->name);
        }
    return bad(r, "external, normal or high", kind);
}

/* --- the load itself -------------------------------------------------------------------------- */

static int read_merged(const struct reading *r, struct span value)
{
    int rc = unit_parse(value, UNIT_PCT, &r->c->pct, r->e);
    return rc || r->c->pct < 100 ? rc : bad(r, "less than 100 % of merges left", value);
}

static int read_merge_loss(const struct reading *r, struct span value)
{
    static const char expected[] = "GROUP, GROUP:DISKS or GROUP:DISKS,merged=PCT";
    struct span name = { 0 }, part, rest = value;
    r->c->pct = 0;
    if (!span_trim(value).len)
        return 0;
    if (span_field(&rest, ':', &name))
        return bad(r, expected, value);
    int rc = span_trim(name).len ? read_name(r, name, &r->c->name) : 0;
    while (!rc && rest.ptr && !span_field(&rest, ',', &part)) {
        part = span_trim(part);
        if (span_starts(part, "merged="))
            rc = read_merged(r, span_cut(part, sizeof "merged=" - 1, part.len));
        else if (r->c->whole == UNKNOWN)
            rc = read_whole(r, part, 1, DISKS_MAX);
        else
            rc = bad(r, expected, value);
    }
    return rc;
}

static int read_split(const struct reading *r, struct span value)
{
    int rc = unit_parse(value, UNIT_KIB, &r->c->request_kib, r->e);
    double v = r->c->request_kib;
    return rc || (v >= SPLIT_MIN_KIB && v <= SPLIT_MAX_KIB) ? rc : bad(r, "4 to 32 768 KiB", value);
}

/* "22:00" */
static bool read_time_of_day(struct span s, int64_t *out_ms)
{
    struct span hour;
    int64_t h, m;
    bool plain = s.len <= 5;
    for (size_t i = 0; i < s.len && plain; i++)
        plain = s.ptr[i] == ':' || (s.ptr[i] >= '0' && s.ptr[i] <= '9');
    if (!plain || span_field(&s, ':', &hour) || s.len != 2 || span_int(&hour, &h) ||
        span_int(&s, &m) || hour.len || s.len || h > 23 || m > 59)
        return false;
    *out_ms = (h * 60 + m) * 60000;
    return true;
}

static int read_window(const struct reading *r, struct span value)
{
    static const char expected[] = "START,HOURS,MIB/S or START,HOURS,MIB/S,GROUP";
    struct whatif_change *c = r->c;
    struct span start, hours, rate, group, rest = value;
    bool zoned;
    if (span_field(&rest, ',', &start) || span_field(&rest, ',', &hours) ||
        span_field(&rest, ',', &rate))
        return bad(r, expected, value);
    start = span_trim(start);
    c->daily = read_time_of_day(start, &c->start_ms);
    struct span at = start;
    if (!c->daily && (time_parse_iso(&at, &c->start_ms, &zoned) || at.len))
        return bad(r, "HH:MM, every day, or YYYY-MM-DDThh:mm:ssZ, once", start);
    int rc = read_hours(r, hours, c->daily ? DAY_HOURS : HOURS_MAX, false);
    if (!rc)
        rc = read_number(r, span_trim(rate), UNIT_MIBPS, RATE_MAX, &c->window_mibps);
    if (rc || !rest.ptr)
        return rc;
    if (span_field(&rest, ',', &group) || rest.ptr)
        return bad(r, expected, value);
    return read_name(r, group, &c->name);
}

static int read_shift(const struct reading *r, struct span value)
{
    struct span name, hours = value;
    if (span_field(&hours, '=', &name) || !hours.ptr)
        return bad(r, "GROUP=HOURS", value);
    int rc = read_name(r, name, &r->c->name);
    return rc ? rc : read_hours(r, hours, HOURS_MAX, true);
}

/* --- phases ----------------------------------------------------------------------------------- */

/* The next "--name value" or "--name=value" of a phase, dashes or not. */
static int read_phase_change(const struct reading *r, struct span *rest, struct whatif_change *out)
{
    struct span word, value = { 0 };
    if (span_word(rest, &word))
        return bad(r, "a change", *rest);
    struct span name = word;
    while (name.len && name.ptr[0] == '-')
        name = span_cut(name, 1, name.len);
    size_t len = 0;
    while (len < name.len && name.ptr[len] != '=')
        len++;
    bool alone = span_is(name, whatif_kind_name(WHATIF_MERGE_LOSS)) &&
                 (!span_trim(*rest).len || span_starts(span_trim(*rest), "--"));
    if (len < name.len)
        value = span_cut(name, len + 1, name.len);
    else if (!alone && span_word(rest, &value))
        return bad(r, "a value", name);
    name = span_cut(name, 0, len);
    if (span_is(name, whatif_kind_name(WHATIF_PHASE)))
        return err_set(r->e, ERR_USAGE, "a phase holds no other phase");
    return whatif_change_parse(name, value, r->a, out, r->e);
}

int whatif_changes_parse(struct span text, struct arena *a, const struct whatif_change **out,
                         size_t *out_n, struct err *e)
{
    struct reading r = { a, e, NULL };
    struct whatif_change *changes = arena_array(a, CHANGES_MAX, sizeof *changes);
    size_t n = 0;
    if (!changes)
        return err_nomem(e);
    while (span_trim(text).len) {
        if (n == CHANGES_MAX)
            return err_set(e, ERR_USAGE, "more than %d changes in a phase", CHANGES_MAX);
        int rc = read_phase_change(&r, &text, &changes[n]);
        if (rc)
            return rc;
        n++;
    }
    *out = changes;
    *out_n = n;
    return 0;
}

static int read_phase(const struct reading *r, struct span value)
{
    struct span rest = span_trim(value);
    if (time_parse_date(&rest, &r->c->from_ms) || !rest.len || rest.ptr[0] != ':')
        return bad(r, "YYYY-MM-DD:CHANGE...", value);
    rest = span_cut(rest, 1, rest.len);
    int rc = whatif_changes_parse(rest, r->a, &r->c->changes, &r->c->n_changes, r->e);
    return rc || r->c->n_changes ? rc : bad(r, "YYYY-MM-DD:CHANGE...", value);
}

/* --- all of them ------------------------------------------------------------------------------ */

static const struct kind {
    const char *name;
    int (*read)(const struct reading *r, struct span value);
} kinds[WHATIF_KINDS] = {
    [WHATIF_ADD_STANDBY] = { "add-standby", read_add_standby },
    [WHATIF_DROP_STANDBY] = { "drop-standby", read_named },
    [WHATIF_CASCADE] = { "cascade", read_cascade },
    [WHATIF_FAR_SYNC] = { "farsync", read_far_sync },
    [WHATIF_STANDBYS] = { "standbys", read_standbys },
    [WHATIF_ROLE_SWAP] = { "role-swap", read_named },
    [WHATIF_REDO_BLOCK] = { "redo-block", read_redo_block },
    [WHATIF_MEMBERS] = { "members", read_members },
    [WHATIF_GROWTH] = { "growth", read_growth },
    [WHATIF_REDUNDANCY] = { "redundancy", read_redundancy },
    [WHATIF_INSTANCE] = { "instance", read_named },
    [WHATIF_MERGE_LOSS] = { "merge-loss", read_merge_loss },
    [WHATIF_SPLIT] = { "split", read_split },
    [WHATIF_RMAN] = { "rman", read_window },
    [WHATIF_RESTORE] = { "restore", read_window },
    [WHATIF_SHIFT] = { "shift", read_shift },
    [WHATIF_PHASE] = { "phase", read_phase },
};

const char *whatif_kind_name(enum whatif_kind k)
{
    return kinds[k].name;
}

int whatif_change_parse(struct span name, struct span value, struct arena *a,
                        struct whatif_change *out, struct err *e)
{
    struct whatif_change c = { .send_mibps = NAN,
                               .rtt_ms = NAN,
                               .window_kib = NAN,
                               .apply_mibps = NAN,
                               .whole = UNKNOWN,
                               .pct = NAN,
                               .request_kib = NAN,
                               .start_ms = UNKNOWN,
                               .hours = NAN,
                               .window_mibps = NAN,
                               .from_ms = UNKNOWN };
    struct reading r = { a, e, &c };
    int k = 0;
    while (k < WHATIF_KINDS && !span_is(name, kinds[k].name))
        k++;
    if (k == WHATIF_KINDS)
        return err_set(e, ERR_USAGE, "'%.*s' is no change (volplan help whatif)", SPAN_ARG(name));
    c.kind = (enum whatif_kind)k;
    int rc = kinds[k].read(&r, value);
    if (rc)
        return err_prefix(e, "--%s", kinds[k].name), rc;
    c.text = arena_printf(a, "%s%s%.*s", kinds[k].name, value.len ? " " : "",
                          (int)(value.len > 400 ? 400 : value.len), value.len ? value.ptr : "");
    if (!c.text)
        return err_nomem(e);
    *out = c;
    return 0;
}
