/* data/ingest/asm/asm_table.c - see asm_table.h. */
#include "data/ingest/asm/asm_table.h"

size_t asm_heading_of(struct span line, const struct asm_column *known, size_t n_known,
                      struct asm_heading *out)
{
    struct span word;
    size_t n = 0;
    out->n = 0;
    while (out->n < ASM_COLUMNS_MAX && span_word(&line, &word) == 0) {
        const struct asm_column *hit = NULL;
        for (size_t i = 0; i < n_known && !hit; i++)
            if (span_is(word, known[i].head))
                hit = &known[i];
        n += hit != NULL;
        out->column[out->n++] = hit;
    }
    return n;
}

int asm_detect(struct span head, int n, bool (*is_heading)(struct span, struct asm_heading *))
{
    struct asm_heading heading;
    struct span line;
    for (int i = 0; i < n && span_field(&head, '\n', &line) == 0; i++)
        if (is_heading(line, &heading))
            return 100;
    return 0;
}

bool asm_cells(const struct asm_heading *h, struct span line, struct span out[ASM_COLUMNS_MAX])
{
    struct span word;
    size_t n = 0;
    while (span_word(&line, &word) == 0) {
        if (n == h->n)
            return false;
        out[n++] = word;
    }
    return n == h->n;
}

void asm_field(struct fields *f, const struct asm_column *c, struct span cell)
{
    double v;
    struct span digits = cell;
    if (span_ends(cell, "/"))
        cell.len--;
    if (!c->is_text && span_double(&digits, &v) == 0 && !digits.len)
        fields_num(f, c->key, c->unit, v * c->scale);
    else
        fields_text(f, c->key, cell);
}
