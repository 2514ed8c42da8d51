/* data/ingest/awr/awr_section.h - the tables of a report that are read: heading -> handler. */
#ifndef DATA_INGEST_AWR_AWR_SECTION_H
#define DATA_INGEST_AWR_AWR_SECTION_H

#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_report.h"

enum { AWR_ALTERNATIVES_MAX = 9 };

/* What a row gives: texts and figures by the section's own column numbers. */
struct awr_taken {
    struct span text[AWR_SECTION_COLUMNS];
    double num[AWR_SECTION_COLUMNS]; /* NaN in columns of text, and in those that are not there */
    size_t name_width;               /* of column 0 as printed; 0 where nothing is clipped */
    int64_t line;
};

struct awr_column {
    /* As printed, in lower case with one blank between words; "*" = the leftmost column. */
    const char *heads[AWR_ALTERNATIVES_MAX];
    awr_cell_fn *parse; /* NULL = text */
    bool needed;
};

struct awr_section {
    const char *name;
    const char *key; /* a table with this heading must have every needed one; NULL = it may not */
    struct awr_column columns[AWR_SECTION_COLUMNS];
    int (*row)(struct awr_report *r, const struct awr_taken *t);
    bool colon; /* rows are "name: figures"; the first without a colon ends the table */
    bool once; /* a second table with these headings is another one ("Global Cache Load Profile") */
};

extern const struct awr_section awr_sections[];
extern const size_t awr_n_sections;

#endif
