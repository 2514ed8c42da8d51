/* data/ingest/lsblk/lsblk_column.c - see lsblk_column.h. */
#include "data/ingest/lsblk/lsblk_column.h"

#include "data/ingest/text/text_number.h"

#include <math.h>
#include <string.h>

/* Columns that are not texts.  Those on the right without a unit here are counts or flags. */
static const struct {
    const char *head, *key;
    enum lsblk_value value;
    enum unit unit;
} known[] = {
    { "SIZE", "size_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "FSSIZE", "fssize_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "FSUSED", "fsused_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "FSAVAIL", "fsavail_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "ALIGNMENT", "alignment_bytes", LSBLK_NUMBER, UNIT_BYTES },
    { "MIN-IO", "min_io_bytes", LSBLK_NUMBER, UNIT_BYTES },
    { "OPT-IO", "opt_io_bytes", LSBLK_NUMBER, UNIT_BYTES },
    { "PHY-SEC", "phy_sec_bytes", LSBLK_NUMBER, UNIT_BYTES },
    { "LOG-SEC", "log_sec_bytes", LSBLK_NUMBER, UNIT_BYTES },
    { "DISC-ALN", "disc_aln_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "DISC-GRAN", "disc_gran_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "DISC-MAX", "disc_max_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "WSAME", "wsame_bytes", LSBLK_SIZE, UNIT_BYTES },
    { "RA", "ra_kib", LSBLK_NUMBER, UNIT_KIB },
    { "RQ-SIZE", "rq_size", LSBLK_NUMBER, UNIT_COUNT },
    { "ROTA", "rota", LSBLK_NUMBER, UNIT_COUNT },
    { "RO", "ro", LSBLK_NUMBER, UNIT_COUNT },
    { "RM", "rm", LSBLK_NUMBER, UNIT_COUNT },
    { "HOTPLUG", "hotplug", LSBLK_NUMBER, UNIT_COUNT },
    { "RAND", "rand", LSBLK_NUMBER, UNIT_COUNT },
    { "DAX", "dax", LSBLK_NUMBER, UNIT_COUNT },
    { "DISC-ZERO", "disc_zero", LSBLK_NUMBER, UNIT_COUNT },
    { "START", "start", LSBLK_NUMBER, UNIT_COUNT },
};

bool lsblk_column_of(struct span head, struct lsblk_column *out)
{
    *out = (struct lsblk_column){ .value = LSBLK_TEXT, .unit = UNIT_NONE };
    if (!head.len || head.len >= LSBLK_KEY_MAX)
        return false;
    for (size_t i = 0; i < head.len; i++) {
        char c = head.ptr[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        bool digit = c >= '0' && c <= '9';
        if (!letter && !digit && !strchr("-:%_", c))
            return false;
        out->key[i] = letter ? (char)(c | 32) : digit ? c : '_';
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_eq_nocase(head, span_of(known[i].head))) {
            memcpy(out->key, known[i].key, strlen(known[i].key) + 1);
            out->value = known[i].value;
            out->unit = known[i].unit;
        }
    out->right = out->value != LSBLK_TEXT;
    out->is_name = strcmp(out->key, "name") == 0;
    out->is_type = strcmp(out->key, "type") == 0;
    return true;
}

void lsblk_field(struct fields *f, const struct lsblk_column *c, struct span cell)
{
    struct text_number n;
    cell = span_trim(cell);
    if (c->value == LSBLK_TEXT || text_number_of(cell, &n) ||
        (n.suffix && c->value != LSBLK_SIZE)) {
        fields_text(f, c->key, cell);
        return;
    }
    double v = n.suffix ? text_kib(&n, 1) * 1024 : n.value; /* NaN for a share */
    if (isfinite(v))
        fields_num(f, c->key, c->unit, v);
    else
        fields_text(f, c->key, cell);
}
