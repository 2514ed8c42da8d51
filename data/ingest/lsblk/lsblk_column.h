/* data/ingest/lsblk/lsblk_column.h - a column of lsblk, by its heading or JSON key. */
#ifndef DATA_INGEST_LSBLK_LSBLK_COLUMN_H
#define DATA_INGEST_LSBLK_LSBLK_COLUMN_H

#include "data/ingest/json/feed.h"

enum { LSBLK_KEY_MAX = 40 };

enum lsblk_value { LSBLK_TEXT, LSBLK_NUMBER, LSBLK_SIZE };

struct lsblk_column {
    char key[LSBLK_KEY_MAX]; /* of the record's field: "phy_sec_bytes" */
    enum lsblk_value value;
    enum unit unit;
    bool right; /* printed aligned to the right */
    bool is_name, is_type;
};

/* False when it cannot be a heading: not of letters, digits and "-:%_". */
bool lsblk_column_of(struct span head, struct lsblk_column *out);
/* A cell as a field of the record: unknown when empty, text when it is no number. */
void lsblk_field(struct fields *f, const struct lsblk_column *c, struct span cell);

#endif
