/* planner/solve/count_table.c - see count_table.h. */
#include "planner/solve/count_table.h"

#include "models/core/unit.h"

int64_t count_menus_fewest(const struct count_menu *menus, size_t n)
{
    int64_t sum = 0;
    for (size_t g = 0; g < n; g++) {
        int64_t c = 1;
        while (c <= menus[g].max_count && !menus[g].by_count[c].spec.count)
            c++;
        if (c > menus[g].max_count)
            return UNKNOWN;
        sum += c;
    }
    return sum;
}

static void fill_row(const struct count_cell *before, struct count_cell *row,
                     const struct count_menu *m, int64_t slots)
{
    for (int64_t s = 0; s <= slots; s++) {
        row[s] = (struct count_cell){ UNKNOWN, 0 };
        for (int64_t c = 1; c <= m->max_count && c <= s; c++) {
            const struct size_option *option = &m->by_count[c];
            if (!option->spec.count || before[s - c].rank_microusd == UNKNOWN)
                continue;
            int64_t rank = before[s - c].rank_microusd + option->rank_microusd;
            if (row[s].rank_microusd == UNKNOWN || rank < row[s].rank_microusd)
                row[s] = (struct count_cell){ rank, c };
        }
    }
}

int count_table_build(const struct count_menu *menus, size_t n, int64_t slots, struct arena *a,
                      struct count_table *out, struct err *e)
{
    size_t width = (size_t)slots + 1;
    struct count_cell *cells = arena_array(a, (n + 1) * width, sizeof *cells);
    if (!cells)
        return err_nomem(e);
    for (size_t s = 1; s < width; s++)
        cells[s].rank_microusd = UNKNOWN;
    for (size_t g = 0; g < n; g++)
        fill_row(&cells[g * width], &cells[(g + 1) * width], &menus[g], slots);
    *out = (struct count_table){ menus, n, slots, cells };
    return 0;
}

static const struct count_cell *row_of(const struct count_table *t, size_t g)
{
    return &t->cells[g * ((size_t)t->slots + 1)];
}

int64_t count_table_rank(const struct count_table *t, int64_t volumes)
{
    return row_of(t, t->n)[volumes].rank_microusd;
}

int64_t count_table_best(const struct count_table *t, int64_t slots)
{
    int64_t best = UNKNOWN;
    for (int64_t s = 0; s <= slots && s <= t->slots; s++) {
        int64_t rank = count_table_rank(t, s);
        if (rank != UNKNOWN && (best == UNKNOWN || rank < count_table_rank(t, best)))
            best = s;
    }
    return best;
}

void count_table_options(const struct count_table *t, int64_t volumes,
                         const struct size_option **out)
{
    for (size_t g = t->n; g-- > 0;) {
        int64_t count = row_of(t, g + 1)[volumes].count;
        out[g] = &t->menus[g].by_count[count];
        volumes -= count;
    }
}
