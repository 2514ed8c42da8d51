/* planner/change/change_steps.c - see change_steps.h. */
#include "planner/change/change_steps.h"

#include "models/core/unit.h"
#include "models/ebs/service_price.h"
#include "models/ebs/vol_init.h"
#include "planner/change/change_command.h"
#include "planner/change/change_writing.h"

#include <math.h>
#include <string.h>

#define HOURS_A_MONTH 730.0

int change_calendar_init(struct change_calendar *c, const struct change_host *h, int64_t begin_ms,
                         struct arena *a, struct err *e)
{
    *c = (struct change_calendar){ .host = h,
                                   .a = a,
                                   .new_names =
                                       arena_array(a, h->demand->n_groups + 1, sizeof(char *)),
                                   .begin_ms = begin_ms,
                                   .free_ms = begin_ms,
                                   .end_ms = begin_ms };
    return c->new_names ? 0 : err_nomem(e);
}

/* --- steps ------------------------------------------------------------------------------------ */

static int64_t after(int64_t t_ms, double seconds)
{
    return t_ms + (isfinite(seconds) && seconds < 1e10 ? llround(seconds * 1000) : 0);
}

/* Appends; action and command are checked here, so that callers need not. */
int change_put(struct change_writing *w, struct change_step s)
{
    struct change_calendar *c = w->c;
    if (!s.action || !s.command)
        return err_nomem(w->e);
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 16;
        struct change_step *more = arena_grow(c->a, c->steps, c->n, room, sizeof *more);
        if (!more)
            return err_nomem(w->e);
        c->steps = more;
        c->room = room;
    }
    double lasts_s = isfinite(s.seconds) ? s.seconds : s.alone_s;
    s.group = w->g ? w->g->layout->name : NULL;
    c->endless |= isinf(s.seconds) || isinf(s.alone_s);
    c->unknown |= isnan(s.seconds) && !isnan(s.alone_s);
    c->steps[c->n++] = s;
    int64_t end_ms = after(s.at_ms, lasts_s);
    if (end_ms > c->end_ms)
        c->end_ms = end_ms;
    return 0;
}

/* A step at w->t_ms that nobody knows the time of. */
struct change_step change_step_at(const struct change_writing *w, enum change_by by,
                                  const char *action, const char *command)
{
    return (struct change_step){ .at_ms = w->t_ms,
                                 .by = by,
                                 .action = action,
                                 .command = command,
                                 .seconds = NAN,
                                 .alone_s = NAN,
                                 .moved_gib = NAN,
                                 .back_from_ms = UNKNOWN,
                                 .slots_left = UNKNOWN };
}

struct change_step change_undoable(struct change_step s, const char *back)
{
    s.reversible = true;
    s.back = back;
    s.back_from_ms = s.at_ms;
    return s;
}

/* The step in which data moves, and what follows begins after it. */
int change_put_move(struct change_writing *w, struct change_step s, double gib_of_time)
{
    struct change_move m = w->o->move;
    m.moved_gib = gib_of_time;
    s.moved_gib = w->o->move.moved_gib;
    s.seconds = change_move_s(w->c->host->day, &m, s.at_ms);
    s.alone_s = change_move_alone_s(w->c->host->day, &m);
    if (isnan(gib_of_time))
        w->c->unknown = true;
    if (isfinite(s.seconds) && s.seconds > 0) {
        s.meanwhile =
            arena_printf(w->c->a,
                         "moves at %.0f MiB/s on average, what volumes and instance leave "
                         "beside the load",
                         m.moved_gib * 1024 / s.seconds);
        if (!s.meanwhile)
            return err_nomem(w->e);
    }
    if (s.reversible)
        s.back_from_ms = after(s.at_ms, isfinite(s.seconds) ? s.seconds : s.alone_s);
    w->t_ms = w->paid_ms = after(s.at_ms, isfinite(s.seconds) ? s.seconds : s.alone_s);
    return change_put(w, s);
}

/* --- AWS -------------------------------------------------------------------------------------- */

static char *spec_words(struct arena *a, const struct volume_spec *v)
{
    char text[96];
    struct volume_spec one = *v;
    one.count = 1;
    return arena_strdup(a, volume_spec_format(text, &one));
}

/* What initialization at a rate costs, for a step that has it. */
static char *init_words(const struct change_writing *w, double gib)
{
    const struct change_options *o = w->c->host->options;
    const struct service_price *p =
        service_price_find(o->catalogue, SERVICE_INITIALIZATION, o->region, o->as_of_ms);
    if (!p)
        return arena_strdup(w->c->a, "costs from now on; its initialization is charged by the GiB");
    return arena_printf(w->c->a, "costs from now on; %.2f USD for its initialization",
                        money_double(service_price_of(p, gib)));
}

static int create_one(struct change_writing *w, size_t number, const char *snapshot)
{
    struct arena *a = w->c->a;
    double init_mibps = snapshot ? vol_init_mibps(w->t_ms) : NAN;
    char *rate = isnan(init_mibps)
                     ? arena_strdup(a, "")
                     : arena_printf(a, " --volume-initialization-rate %.0f", init_mibps);
    char *spec = aws_spec(a, &w->o->to), *words = spec_words(a, &w->o->to);
    char *tag = plain_name(a, w->g->layout->name), *name = arena_printf(a, "NEW_%zu", number);
    if (!spec || !words || !tag || !name || !rate)
        return err_nomem(w->e);
    const char *r = w->region;
    struct change_step s = change_undoable(
        change_step_at(
            w, BY_AWS, arena_printf(a, "create and attach %s", words),
            arena_printf(a,
                         "%s=$(aws ec2 create-volume --region %s --availability-zone \"$ZONE\"%s"
                         "%s%s --tag-specifications "
                         "'ResourceType=volume,Tags=[{Key=Name,Value=%s}]' --query VolumeId "
                         "--output text)\n"
                         "aws ec2 wait volume-available --region %s --volume-ids \"$%s\"\n"
                         "aws ec2 attach-volume --region %s --volume-id \"$%s\" --instance-id "
                         "\"$INSTANCE\" --device \"$DEVICE_%zu\"",
                         name, r, spec, snapshot ? snapshot : "", rate, tag, r, name, r, name,
                         number)),
        "detach and delete it while nothing is on it");
    s.volume = name;
    s.risk = "costs from now on";
    if (snapshot) {
        double gib = w->g->used_gib / (double)w->g->n_old;
        s.seconds = s.alone_s = vol_init_s(gib, init_mibps);
        s.meanwhile = isnan(init_mibps)
                          ? "blocks come from the snapshot when first read, for an unknown time; "
                            "provisioned IOPS may stay below half: read all of it once before use"
                          : "below what it is sold for until all blocks are there";
        w->c->unknown |= isnan(init_mibps);
        if (!isnan(init_mibps))
            s.risk = init_words(w, gib);
        if (!s.risk)
            return err_nomem(w->e);
    }
    return change_put(w, s);
}

static int create_volumes(struct change_writing *w)
{
    int rc = 0;
    for (size_t i = 0; i < w->o->n_added && !rc; i++)
        rc = create_one(w, w->first_new + i, NULL);
    return rc;
}

static int delete_old(struct change_writing *w)
{
    struct arena *a = w->c->a;
    int rc = 0;
    for (size_t i = w->o->n_kept; i < w->g->n_old && !rc; i++) {
        const struct change_volume *v = &w->g->old[i];
        char *words = spec_words(a, &v->spec);
        if (!words)
            return err_nomem(w->e);
        struct change_step s = change_step_at(
            w, BY_AWS, arena_printf(a, "detach and delete the old %s", words),
            arena_printf(a,
                         "aws ec2 detach-volume --region %s --volume-id %s\n"
                         "aws ec2 wait volume-available --region %s --volume-ids %s\n"
                         "aws ec2 delete-volume --region %s --volume-id %s",
                         w->region, v->shell, w->region, v->shell, w->region, v->shell));
        s.volume = v->name;
        s.risk = "cannot be undone: check first that nothing is on it";
        rc = change_put(w, s);
    }
    return rc;
}

static bool rises(const struct volume_spec *from, const struct volume_spec *to)
{
    return to->size_gib > from->size_gib;
}

/* What gp3 would come to without figures, where that is not what is asked for. */
static const char *gp3_words(const struct change_writing *w, const struct change_volume *v)
{
    struct volume_spec plain;
    char text[96];
    const struct change_options *o = w->c->host->options;
    if (v->spec.type != VOL_GP2 || w->o->to.type != VOL_GP3 ||
        !vol_modify_to_gp3(o->catalogue, &v->spec, o->as_of_ms, &plain))
        return "cannot be cancelled once it has begun; all of it in one request, for each takes a "
               "slot";
    return arena_printf(w->c->a,
                        "cannot be cancelled once it has begun; without figures it would become "
                        "%s",
                        volume_spec_format(text, &plain));
}

static int modify_one(struct change_writing *w, const struct change_volume *v, int64_t from_ms)
{
    struct arena *a = w->c->a;
    const struct volume_spec *to = &w->o->to;
    int64_t at_ms = vol_modify_next_ms(&v->history, from_ms);
    char *spec = aws_spec(a, to), *was = spec_words(a, &v->spec), *words = spec_words(a, to);
    int64_t *starts = arena_array(a, v->history.n + 1, sizeof *starts);
    if (!spec || !was || !words || !starts)
        return err_nomem(w->e);
    struct change_step s =
        change_step_at(w, BY_AWS, arena_printf(a, "modify %s to %s, in one request", was, words),
                       arena_printf(a, "aws ec2 modify-volume --region %s --volume-id %s%s",
                                    w->region, v->shell, spec));
    s.at_ms = at_ms;
    s.volume = v->name;
    s.seconds = s.alone_s = vol_optimizing_s(to->size_gib);
    s.slots_left = vol_modify_slots_left(&v->history, at_ms);
    s.meanwhile = "optimizing, this long at most: between old and new, never below the lesser";
    s.risk = gp3_words(w, v);
    s.reversible = !rises(&v->spec, to);
    memcpy(starts, v->history.starts_ms, v->history.n * sizeof *starts);
    starts[v->history.n] = at_ms;
    struct vol_modify_history then = { starts, v->history.n + 1, after(at_ms, s.seconds) };
    s.back_from_ms = vol_modify_next_ms(&then, then.complete_ms);
    w->paid_ms = at_ms > w->paid_ms ? at_ms : w->paid_ms;
    w->done_ms = then.complete_ms > w->done_ms ? then.complete_ms : w->done_ms;
    s.back = s.reversible
                 ? arena_printf(a, "modify it back to %s, when the rule of the day lets it", was)
                 : arena_printf(a, "IOPS, throughput and type only: a volume never shrinks");
    return !s.risk || !s.back ? err_nomem(w->e) : change_put(w, s);
}

/* The host, and ASM, go on with the old size until they are told. */
static int use_new_size(struct change_writing *w)
{
    struct arena *a = w->c->a;
    char *name = asm_name(a, w->g->layout->name);
    if (!name)
        return err_nomem(w->e);
    struct change_step s =
        w->g->on_asm ? change_step_at(w, BY_ASM, "use the new size of the volumes",
                                      arena_printf(a, "ALTER DISKGROUP %s RESIZE ALL;", name))
                     : change_step_at(w, BY_HOST, "use the new size of the volumes",
                                      "# growpart; resize2fs or xfs_growfs");
    s.at_ms = w->paid_ms;
    s.risk = w->g->on_asm ? "disks of unequal size share the load unequally until all have it"
                          : "a file system grows; not every one shrinks";
    return change_put(w, s);
}

static int modify_kept(struct change_writing *w)
{
    int rc = 0;
    bool grows = false;
    for (size_t i = 0; i < w->o->n_kept && !rc; i++) {
        const struct volume_spec *was = &w->g->old[i].spec, *to = &w->o->to;
        if (was->type != to->type || was->size_gib != to->size_gib || was->iops != to->iops ||
            was->throughput_mibps != to->throughput_mibps)
            rc = modify_one(w, &w->g->old[i], w->t_ms);
        grows |= rises(was, to);
    }
    return !rc && grows ? use_new_size(w) : rc;
}

/* --- files ------------------------------------------------------------------------------------ */

static int stop_database(struct change_writing *w)
{
    struct change_step s =
        change_undoable(change_step_at(w, BY_HOST, "stop what uses the volumes, and unmount them",
                                       "# stop the database and what else has files here; umount"),
                        "mount and start again");
    s.risk = "everything on this host that needs these files is down";
    return change_put(w, s);
}

static int start_database(struct change_writing *w)
{
    return change_put(
        w, change_undoable(change_step_at(w, BY_HOST,
                                          "mount the new volumes in place of the old, and start",
                                          "# mount; start; look whether everything is there"),
                           "mount the old volumes again: they are as they were"));
}

static int copy_files(struct change_writing *w)
{
    struct change_step s = change_undoable(
        change_step_at(w, BY_HOST, "make a file system on the new volumes and copy the files",
                       "# mkfs; mount; rsync -aHAX --numeric-ids OLD/ NEW/; once more when all is "
                       "stopped"),
        "leave the copy");
    return change_put_move(w, s, w->o->move.moved_gib);
}

static int from_snapshots(struct change_writing *w)
{
    struct arena *a = w->c->a;
    int rc = 0;
    for (size_t i = 0; i < w->g->n_old && !rc; i++) {
        const struct change_volume *v = &w->g->old[i];
        size_t number = w->first_new + i;
        struct change_step s = change_undoable(
            change_step_at(
                w, BY_AWS, "take a snapshot",
                arena_printf(a,
                             "SNAPSHOT_%zu=$(aws ec2 create-snapshot --region %s --volume-id %s "
                             "--query SnapshotId --output text)\n"
                             "aws ec2 wait snapshot-completed --region %s --snapshot-ids "
                             "\"$SNAPSHOT_%zu\"",
                             number, w->region, v->shell, w->region, number)),
            "delete the snapshot");
        s.volume = v->name;
        rc = change_put(w, s);
    }
    int64_t latest_ms = w->t_ms;
    for (size_t i = 0; i < w->g->n_old && !rc; i++) {
        char *from = arena_printf(a, " --snapshot-id \"$SNAPSHOT_%zu\"", w->first_new + i);
        rc = from ? create_one(w, w->first_new + i, from) : err_nomem(w->e);
        if (!rc)
            latest_ms = after(w->t_ms, w->c->steps[w->c->n - 1].seconds);
    }
    w->t_ms = w->paid_ms = latest_ms;
    return rc;
}

/* --- ways ------------------------------------------------------------------------------------- */

static int way_asm_keep(struct change_writing *w)
{
    int rc = create_volumes(w);
    if (!rc && !w->o->n_added) { /* fewer have to carry it: first what they become */
        rc = modify_kept(w);
        w->t_ms = w->done_ms > w->t_ms ? w->done_ms : w->t_ms;
    }
    if (!rc)
        rc = change_rebalance(w);
    if (!rc && w->o->n_added)
        rc = modify_kept(w);
    return rc ? rc : delete_old(w);
}

static int way_asm_replace(struct change_writing *w)
{
    int rc = create_volumes(w);
    if (!rc)
        rc = change_rebalance(w);
    return rc ? rc : delete_old(w);
}

static int way_new_logs(struct change_writing *w)
{
    char *new_name = asm_new_name(w->c->a, w->g->layout->name);
    int rc = new_name ? create_volumes(w) : err_nomem(w->e);
    if (!rc)
        rc = change_create_diskgroup(w, new_name);
    if (!rc)
        rc = change_add_logs(w, new_name);
    if (!rc)
        rc = change_switch_logs(w);
    if (!rc)
        rc = change_drop_diskgroup(w);
    w->c->new_names[w->g->index] = new_name;
    return rc ? rc : delete_old(w);
}

static int way_rman(struct change_writing *w)
{
    char *new_name = asm_new_name(w->c->a, w->g->layout->name);
    int rc = new_name ? create_volumes(w) : err_nomem(w->e);
    if (!rc)
        rc = change_create_diskgroup(w, new_name);
    if (!rc)
        rc = change_image_copies(w, new_name);
    if (!rc)
        rc = change_switch_to_copy(w);
    if (!rc)
        rc = change_drop_diskgroup(w);
    return rc ? rc : delete_old(w);
}

static int way_snapshot(struct change_writing *w)
{
    int rc = stop_database(w);
    if (!rc)
        rc = from_snapshots(w);
    if (!rc)
        rc = start_database(w);
    return rc ? rc : delete_old(w);
}

static int way_copy(struct change_writing *w)
{
    int rc = create_volumes(w);
    if (!rc)
        rc = copy_files(w);
    if (!rc)
        rc = stop_database(w);
    if (!rc)
        rc = start_database(w);
    return rc ? rc : delete_old(w);
}

int change_steps_add_instance(struct change_calendar *c, struct err *e)
{
    const struct change_options *o = c->host->options;
    struct change_writing w = { .c = c, .t_ms = c->end_ms, .e = e };
    char *type = shell_word(c->a, o->instance_to->name), *region = shell_word(c->a, o->region);
    if (!type || !region)
        return err_nomem(e);
    const char *was = o->instance ? o->instance->name : "what it was";
    struct change_step s = change_undoable(
        change_step_at(
            &w, BY_AWS, arena_printf(c->a, "stop the host, make it %s, start", type),
            arena_printf(c->a,
                         "aws ec2 stop-instances --region %s --instance-ids \"$INSTANCE\"\n"
                         "aws ec2 wait instance-stopped --region %s --instance-ids "
                         "\"$INSTANCE\"\n"
                         "aws ec2 modify-instance-attribute --region %s --instance-id "
                         "\"$INSTANCE\" --instance-type Value=%s\n"
                         "aws ec2 start-instances --region %s --instance-ids \"$INSTANCE\"",
                         region, region, region, type, region)),
        arena_printf(c->a, "the same with %s", was));
    s.risk = "everything on this host is down; its drivers must know the other type";
    return s.back ? change_put(&w, s) : err_nomem(e);
}

static void add_overlap(struct change_writing *w, int64_t from_ms)
{
    const struct change_option *o = w->o;
    double hours = (double)(w->paid_ms - from_ms) / 3.6e6 / HOURS_A_MONTH;
    bool known = o->meanwhile_microusd != UNKNOWN && o->total_microusd != UNKNOWN &&
                 !w->c->endless && !w->c->unknown;
    double both = known ? (double)o->meanwhile_microusd * hours : NAN;
    w->c->both_microusd += both;
    w->c->overlap_microusd +=
        known ? fmax(0, (double)(o->meanwhile_microusd - o->total_microusd)) * hours : NAN;
}

int change_steps_add(struct change_calendar *c, const struct change_group *g, enum change_kind k,
                     struct err *e)
{
    static int (*const ways[CHANGE_KIND_COUNT])(struct change_writing *) = {
        [CHANGE_MODIFY] = modify_kept,
        [CHANGE_NEW_LOGS] = way_new_logs,
        [CHANGE_ASM_REPLACE] = way_asm_replace,
        [CHANGE_ASM_KEEP] = way_asm_keep,
        [CHANGE_RMAN_COPY] = way_rman,
        [CHANGE_SNAPSHOT] = way_snapshot,
        [CHANGE_COPY] = way_copy,
    };
    struct change_writing w = {
        .c = c, .g = g, .o = &g->options[k], .first_new = c->n_new + 1, .e = e
    };
    bool moves = k != CHANGE_MODIFY;
    w.region = shell_word(c->a, c->host->options->region);
    if (!w.region)
        return err_nomem(e);
    w.t_ms = moves ? c->free_ms : c->begin_ms;
    int64_t from_ms = w.paid_ms = w.done_ms = w.t_ms;
    int rc = ways[k](&w);
    if (rc || !moves)
        return rc;
    c->n_new += w.o->n_added;
    c->free_ms = w.t_ms;
    add_overlap(&w, from_ms);
    return 0;
}
