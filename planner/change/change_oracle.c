/* planner/change/change_oracle.c - what ASM, the database and RMAN are told in a change. */
#include "planner/change/change_writing.h"

#include "models/core/unit.h"
#include "planner/change/change_command.h"

#include <math.h>
#include <stdio.h>

/* TUNING: seconds in which ASM moves 1 MiB, read and written; with so many requests in flight as
 * the power says (one rebalance I/O for each unit) the rate gives the power. */
#define MOVE_MIB_S 0.02
enum { POWER_MAX = 1024 };

/* --- ASM -------------------------------------------------------------------------------------- */

enum { DISK_WORDS = 40 }; /* "'&&NEW_DISK_1000000', " */

/* "'&&NEW_DISK_1', '&&NEW_DISK_2'"; NULL when memory is out. */
static char *new_disks(const struct change_writing *w)
{
    char *list = arena_array(w->c->a, w->o->n_added + 1, DISK_WORDS), *to = list;
    for (size_t i = 0; i < w->o->n_added && list; i++)
        to += snprintf(to, DISK_WORDS, "%s'&&NEW_DISK_%zu'", i ? ", " : "", w->first_new + i);
    return list;
}

/* "&&OLD_DISK_1, &&OLD_DISK_2" */
static char *old_disks(const struct change_writing *w)
{
    char *list = arena_array(w->c->a, w->o->n_dropped + 1, DISK_WORDS), *to = list;
    for (size_t i = w->o->n_kept; i < w->g->n_old && list; i++)
        to += snprintf(to, DISK_WORDS, "%s%s", i > w->o->n_kept ? ", " : "", w->g->old[i].disk);
    return list;
}

static int power(const struct change_writing *w)
{
    double s = change_move_alone_s(w->c->host->day, &w->o->move);
    double rate = s > 0 ? w->o->move.moved_gib * 1024 / s : NAN;
    double p = ceil(rate * MOVE_MIB_S);
    return p >= 1 ? (int)fmin(p, POWER_MAX) : 1;
}

static const char *rebalance_risk(const struct change_writing *w)
{
    return w->g->layout->redundancy == REDUNDANCY_EXTERNAL
               ? "reads and writes of the database wait longer meanwhile: a lower power slows it "
                 "down, even while it runs"
               : "reads and writes wait longer meanwhile; new disks go into the failure groups of "
                 "those they replace";
}

int change_rebalance(struct change_writing *w)
{
    struct arena *a = w->c->a;
    char *name = asm_name(a, w->g->layout->name), *new_list = new_disks(w),
         *old_list = old_disks(w);
    if (!name || !new_list || !old_list)
        return err_nomem(w->e);
    const char *what = !w->o->n_dropped ? "add the new volumes, and rebalance"
                       : !w->o->n_added
                           ? "drop the volumes that go, and rebalance"
                           : "add the new volumes and drop the old ones, in one rebalance";
    struct change_step s = change_undoable(
        change_step_at(w, BY_ASM, what,
                       arena_printf(a, "ALTER DISKGROUP %s%s%s%s%s REBALANCE POWER %d WAIT;", name,
                                    w->o->n_added ? " ADD DISK " : "", new_list,
                                    w->o->n_dropped ? " DROP DISK " : "", old_list, power(w))),
        w->o->n_dropped ? "while it runs, ALTER DISKGROUP ... UNDROP DISKS; later the same the "
                          "other way round, which takes as long again"
                        : "drop the new disks again, which takes as long again");
    s.risk = rebalance_risk(w);
    return change_put_move(w, s, w->o->move.moved_gib);
}

/* A disk group of the new volumes alone. */
int change_create_diskgroup(struct change_writing *w, const char *new_name)
{
    static const char *const redundancies[] = { [REDUNDANCY_EXTERNAL] = "EXTERNAL",
                                                [REDUNDANCY_NORMAL] = "NORMAL",
                                                [REDUNDANCY_HIGH] = "HIGH" };
    struct arena *a = w->c->a;
    const struct layout_group *l = w->g->layout;
    char *disks = new_disks(w);
    char *au = l->au_mib > 0
                   ? arena_printf(a, " ATTRIBUTE 'au_size' = '%lldM'", (long long)l->au_mib)
                   : arena_strdup(a, "");
    if (!disks || !au)
        return err_nomem(w->e);
    struct change_step s = change_undoable(
        change_step_at(w, BY_ASM, "make a disk group of the new volumes",
                       arena_printf(a, "CREATE DISKGROUP %s %s REDUNDANCY DISK %s%s;", new_name,
                                    redundancies[l->redundancy], disks, au)),
        "DROP DISKGROUP while nothing is on it");
    s.risk = "give it the sector_size and compatible attributes of the old one; mount it on every "
             "instance";
    return change_put(w, s);
}

int change_drop_diskgroup(struct change_writing *w)
{
    char *name = asm_name(w->c->a, w->g->layout->name);
    if (!name)
        return err_nomem(w->e);
    struct change_step s =
        change_step_at(w, BY_ASM, "drop the old disk group, dismounted elsewhere",
                       arena_printf(w->c->a, "DROP DISKGROUP %s;", name));
    s.risk = "cannot be undone; ASM refuses while a file is on it";
    return change_put(w, s);
}

/* --- the database ----------------------------------------------------------------------------- */

/* ", ''+REDO2''" for each other group that holds a member of the logs. */
static char *other_members(const struct change_writing *w)
{
    const struct system_demand *d = w->c->host->demand;
    int64_t own = w->g->layout->log_member;
    char *list = arena_strdup(w->c->a, "");
    for (size_t i = 0; i < d->n_groups && list; i++) {
        const struct layout_group *g = d->groups[i].group;
        if (g->role != ROLE_REDO || own == UNKNOWN || g->log_member == UNKNOWN ||
            g->log_member == own)
            continue;
        const char *name = w->c->new_names[i] ? w->c->new_names[i] : asm_name(w->c->a, g->name);
        if (!name)
            return NULL;
        if (name[0] != '"') /* a quoted name cannot stand in a file name */
            list = arena_printf(w->c->a, "%s, ''+%s''", list, name);
    }
    return list;
}

int change_add_logs(struct change_writing *w, const char *new_name)
{
    struct arena *a = w->c->a;
    char *others = other_members(w);
    if (!others)
        return err_nomem(w->e);
    struct change_step s = change_undoable(
        change_step_at(
            w, BY_DATABASE, "add as many log groups of the same size on the new volumes",
            arena_printf(a,
                         "DECLARE\n"
                         "  n NUMBER;\n"
                         "BEGIN\n"
                         "  SELECT MAX(group#) INTO n FROM (SELECT group# FROM v$log UNION ALL "
                         "SELECT group# FROM v$standby_log);\n"
                         "  FOR l IN (SELECT thread#, bytes, blocksize FROM v$log ORDER BY "
                         "group#) LOOP\n"
                         "    n := n + 1;\n"
                         "    EXECUTE IMMEDIATE 'ALTER DATABASE ADD LOGFILE THREAD ' || "
                         "l.thread# || ' GROUP ' || n ||\n"
                         "      ' (''+%s''%s) SIZE ' || l.bytes || ' BLOCKSIZE ' || "
                         "l.blocksize;\n"
                         "  END LOOP;\n"
                         "END;\n/",
                         new_name, others)),
        "drop the new groups while they are UNUSED or INACTIVE");
    const struct layout *l = w->c->host->demand->layout;
    bool lost = w->g->layout->log_member == UNKNOWN && l->redo.members > 1;
    s.risk =
        lost ? "the layout does not say which member this group holds: add the others yourself; "
               "standby logs on it are to be moved in the same way"
             : "standby logs on this disk group are to be moved in the same way, on the "
               "standbys too";
    return change_put(w, s);
}

int change_switch_logs(struct change_writing *w)
{
    struct arena *a = w->c->a;
    char *prefix = arena_printf(a, "+%s/", w->g->layout->name);
    char *literal = prefix ? sql_literal(a, prefix) : NULL;
    if (!literal)
        return err_nomem(w->e);
    struct change_step s = change_undoable(
        change_step_at(
            w, BY_DATABASE,
            "switch until the new groups are current, archive, and drop the old groups that are "
            "inactive",
            arena_printf(a,
                         "ALTER SYSTEM ARCHIVE LOG CURRENT;\n"
                         "ALTER SYSTEM CHECKPOINT GLOBAL;\n"
                         "BEGIN\n"
                         "  FOR l IN (SELECT group# FROM v$log WHERE status IN ('INACTIVE', "
                         "'UNUSED') AND (archived = 'YES' OR\n"
                         "      (SELECT log_mode FROM v$database) = 'NOARCHIVELOG') AND group# IN\n"
                         "      (SELECT group# FROM v$logfile WHERE UPPER(SUBSTR(member, 1, "
                         "LENGTH(%s))) = UPPER(%s))) LOOP\n"
                         "    EXECUTE IMMEDIATE 'ALTER DATABASE DROP LOGFILE GROUP ' || "
                         "l.group#;\n"
                         "  END LOOP;\n"
                         "END;\n/\n"
                         "-- again until none is left: SELECT group#, thread#, status FROM v$log;",
                         literal, literal)),
        "add groups on the old volumes again, switch, and drop the new ones");
    s.risk =
        "a group that is CURRENT or ACTIVE cannot be dropped: switch again; two groups a thread "
        "must remain";
    const struct layout_redo *redo = &w->c->host->demand->layout->redo;
    return change_put_move(w, s, redo->log_gib);
}

int change_image_copies(struct change_writing *w, const char *new_name)
{
    struct change_step s = change_undoable(
        change_step_at(w, BY_RMAN,
                       "copy the data files to the new volumes while the database is open",
                       arena_printf(w->c->a,
                                    "BACKUP AS COPY INCREMENTAL LEVEL 0 DATABASE FORMAT '+%s' TAG "
                                    "'VOLPLAN';",
                                    new_name)),
        "delete the copies");
    s.risk = "copies every data file: with several disk groups of data name the files";
    return change_put_move(w, s, w->o->move.moved_gib);
}

int change_switch_to_copy(struct change_writing *w)
{
    struct change_step s = change_undoable(
        change_step_at(
            w, BY_RMAN, "roll the copies forward, stop the database, switch and recover",
            "BACKUP INCREMENTAL LEVEL 1 FOR RECOVER OF COPY WITH TAG 'VOLPLAN' DATABASE;\n"
            "RECOVER COPY OF DATABASE WITH TAG 'VOLPLAN';\n"
            "SHUTDOWN IMMEDIATE;\nSTARTUP MOUNT;\nSWITCH DATABASE TO COPY;\nRECOVER DATABASE;\n"
            "ALTER DATABASE OPEN;"),
        "SWITCH DATABASE TO COPY once more, while the old files are there");
    s.risk =
        "the database is down from SHUTDOWN to OPEN; temporary files, control files and spfile "
        "are moved apart";
    return change_put(w, s);
}
