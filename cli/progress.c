/* cli/progress.c - see progress.h. */
#include "cli/progress.h"

#include "cli/render/printable.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>

/* TUNING: work that ends sooner shows no bar; a bar is drawn ten times a second. */
enum { FIRST_MS = 500, EVERY_MS = 100, BAR_COLUMNS = 14 };

static int64_t bytes_of(const char *path)
{
    char copy[4096];
    char *const paths[] = { copy, NULL };
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy)
        return 0;
    FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    int64_t sum = 0;
    for (FTSENT *f; tree && (f = fts_read(tree)) != NULL;) {
        if (f->fts_level > 0 && f->fts_name[0] == '.')
            fts_set(tree, f, FTS_SKIP);
        else if (f->fts_info == FTS_F && f->fts_statp->st_size < INT64_MAX - sum)
            sum += f->fts_statp->st_size;
    }
    if (tree)
        fts_close(tree);
    return sum;
}

static bool start(struct progress *p, const struct app *app)
{
    const struct cli_env *env = app->env;
    *p = (struct progress){ 0 };
    if (!env->err_is_terminal || !env->ticks_ms || app->quiet)
        return false;
    p->app = app;
    p->start_ms = p->shown_ms = env->ticks_ms();
    return true;
}

void progress_start(struct progress *p, const struct app *app, const char *const *paths, size_t n)
{
    if (!start(p, app))
        return;
    for (size_t i = 0; i < n; i++)
        p->total_bytes += bytes_of(paths[i]);
}

void progress_start_items(struct progress *p, const struct app *app, size_t n_items)
{
    if (!start(p, app))
        return;
    p->items = true;
    p->total_bytes = (int64_t)n_items;
}

/* The bar's own characters as a terminal shows them that may not know UTF-8. */
static void put_ascii(char *line)
{
    static const struct {
        const char *utf8;
        char ascii;
    } own[] = { { "\xe2\x96\x88", '#' }, { "\xe2\x96\x91", '.' }, { "\xe2\x80\xa6", '<' } };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        for (char *at = line; (at = strstr(at, own[i].utf8)) != NULL; at++) {
            *at = own[i].ascii;
            memmove(at + 1, at + 3, strlen(at + 3) + 1);
        }
}

static void show(struct progress *p, int64_t now_ms)
{
    char line[PROGRESS_ROOM];
    int columns = p->app->env->columns > 0 ? p->app->env->columns : 80;
    int64_t done = p->done_bytes + p->file_bytes, elapsed_ms = now_ms - p->start_ms;
    if (p->items)
        progress_items_line(line, p->path, done, p->total_bytes, elapsed_ms, columns - 1);
    else
        progress_line(line, p->path, done, p->total_bytes, elapsed_ms, columns - 1);
    if (!p->app->env->utf8)
        put_ascii(line);
    fputs("\r\033[K", p->app->err);
    fputs(line, p->app->err);
    fflush(p->app->err);
    p->shown_ms = now_ms;
    p->on_screen = true;
}

static void show_when_due(struct progress *p)
{
    int64_t now_ms = p->app->env->ticks_ms();
    if (now_ms - p->shown_ms >= (p->on_screen ? EVERY_MS : FIRST_MS))
        show(p, now_ms);
}

void progress_step(void *ctx, const char *path, int64_t bytes)
{
    struct progress *p = ctx;
    if (!p->app)
        return;
    if (strncmp(p->path, path, sizeof p->path - 1) != 0) {
        p->done_bytes += p->file_bytes;
        snprintf(p->path, sizeof p->path, "%s", path);
    }
    p->file_bytes = bytes;
    show_when_due(p);
}

void progress_item(struct progress *p, const char *name, size_t n_done)
{
    if (!p->app)
        return;
    snprintf(p->path, sizeof p->path, "%s", name);
    p->done_bytes = (int64_t)n_done;
    show_when_due(p);
}

void progress_stop(struct progress *p)
{
    if (p->on_screen) {
        fputs("\r\033[K", p->app->err);
        fflush(p->app->err);
    }
    p->on_screen = false;
}

/* The end of a path, which tells more than its beginning, in at most `columns`. */
static void put_path(char *to, size_t room, const char *path, size_t columns)
{
    struct printable c;
    size_t width = 0, at = 0;
    for (const char *s = path; printable_next(&s, &c);)
        width += c.columns;
    bool cut = width > columns;
    for (const char *s = path; printable_next(&s, &c); width -= c.columns) {
        if (cut && width >= columns)
            continue;
        if (at + c.len + 4 > room)
            break;
        if (cut && !at) {
            memcpy(to, "\xe2\x80\xa6", 3);
            at = 3;
        }
        memcpy(to + at, c.text, c.len);
        at += c.len;
    }
    to[at] = '\0';
}

static void put_bar(char *to, double part)
{
    int full = (int)(part * BAR_COLUMNS + 0.5);
    for (int i = 0; i < BAR_COLUMNS; i++, to += 3)
        memcpy(to, i < full ? "\xe2\x96\x88" : "\xe2\x96\x91", 3);
    *to = '\0';
}

static char *path_and_tail(char buf[PROGRESS_ROOM], const char *path, const char *tail, int columns)
{
    char name[280];
    int room = columns - (int)printable_columns(tail, strlen(tail)) - 2;
    put_path(name, sizeof name, path, room > 8 ? (size_t)room : 8);
    snprintf(buf, PROGRESS_ROOM, "%s  %s", name, tail);
    return buf;
}

char *progress_line(char buf[PROGRESS_ROOM], const char *path, int64_t done_bytes,
                    int64_t total_bytes, int64_t elapsed_ms, int columns)
{
    char tail[200], bar[BAR_COLUMNS * 3 + 1], rate[48], left[48];
    double done = (double)done_bytes;
    if (total_bytes > 0) {
        double part = fmin(done / (double)total_bytes, 1);
        put_bar(bar, part);
        snprintf(tail, sizeof tail, "%s %3.0f %%", bar, floor(part * 100));
    } else
        snprintf(tail, sizeof tail, "%s MB", unit_format(left, done / 1e6, 0));
    if (elapsed_ms >= 1000 && done_bytes > 0) {
        size_t at = strlen(tail);
        double bytes_per_s = done / (double)elapsed_ms * 1000;
        snprintf(tail + at, sizeof tail - at, "  %s MB/s", unit_format(rate, bytes_per_s / 1e6, 0));
        at = strlen(tail);
        if (total_bytes > done_bytes)
            snprintf(tail + at, sizeof tail - at, "  %s s left",
                     unit_format(left, ceil(((double)total_bytes - done) / bytes_per_s), 0));
    }
    return path_and_tail(buf, path, tail, columns);
}

char *progress_items_line(char buf[PROGRESS_ROOM], const char *name, int64_t done, int64_t total,
                          int64_t elapsed_ms, int columns)
{
    char tail[200], bar[BAR_COLUMNS * 3 + 1], of[48], all[48], left[48];
    put_bar(bar, total > 0 ? fmin((double)done / (double)total, 1) : 0);
    snprintf(tail, sizeof tail, "%s %s of %s", bar, unit_format(of, (double)done, 0),
             unit_format(all, (double)total, 0));
    if (elapsed_ms >= 1000 && done > 0 && total > done) {
        size_t at = strlen(tail);
        double rest_s = (double)(total - done) * (double)elapsed_ms / 1000 / (double)done;
        snprintf(tail + at, sizeof tail - at, "  %s s left", unit_format(left, ceil(rest_s), 0));
    }
    return path_and_tail(buf, name, tail, columns);
}
