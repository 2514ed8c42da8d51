/* data/ingest/asm/asm_table.h - tables whose cells are split by blanks, columns by heading. */
#ifndef DATA_INGEST_ASM_ASM_TABLE_H
#define DATA_INGEST_ASM_ASM_TABLE_H

#include "data/ingest/json/feed.h"

enum { ASM_COLUMNS_MAX = 32 };

/* One heading; key NULL: it is skipped. */
struct asm_column {
    const char *head, *key;
    bool is_text;
    enum unit unit;
    double scale;
};

struct asm_heading {
    const struct asm_column *column[ASM_COLUMNS_MAX]; /* NULL = unknown, skipped */
    size_t n;
};

/* Maps the words of the line; the number of known ones. */
size_t asm_heading_of(struct span line, const struct asm_column *known, size_t n_known,
                      struct asm_heading *out);
/* What a format's detect answers: 100 when one of the first n lines is a heading, else 0. */
int asm_detect(struct span head, int n, bool (*is_heading)(struct span, struct asm_heading *));
/* Splits a row; false when it has not as many cells as the heading. */
bool asm_cells(const struct asm_heading *h, struct span line, struct span out[ASM_COLUMNS_MAX]);
/* A cell as a field: texts as they are, "/" behind the name of a group left out. */
void asm_field(struct fields *f, const struct asm_column *c, struct span cell);

#endif
