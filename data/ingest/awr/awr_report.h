/* data/ingest/awr/awr_report.h - the section machine: what titles, table headings and rows of
 * an AWR report mean, however they were written.
 *
 *   awr_read (awr.c)
 *     awr_text_read | awr_html_read       lines and rulers | tags -> titles, headings, cells
 *       awr_report_title                  which kind of report; refuses what is not read
 *       awr_report_headings               headings -> section, its columns found by name
 *       awr_report_row                    cells -> one row of the section
 *       awr_report_end                    "End of Report"
 *     awr_report_close                    cut short?  hands the snapshots to the sink
 *       awr_check (awr_check.c)           figures against each other, overflows filled
 *
 * Another kind of report is a row of the table of kinds, its tables rows of its own table
 * of sections. */
#ifndef DATA_INGEST_AWR_AWR_REPORT_H
#define DATA_INGEST_AWR_AWR_REPORT_H

#include "data/ingest/format.h"

#include <stdbool.h>

enum {
    AWR_COLUMNS_MAX = 32, /* cells of a row that are looked at */
    AWR_SECTION_COLUMNS = 16,
    AWR_CELL_MAX = 512,   /* bytes of a cell; the rest is cut */
    AWR_ROWS_MAX = 65536, /* rows of one section: beyond it the input is refused */
    AWR_FEW_MAX = 1024,   /* the same for the short tables */
    AWR_PARTS_MAX = 257,  /* instances of a cluster, and the cluster */
};

struct awr_list {
    void *items;
    size_t n, room;
};

struct awr_section;

/* What becomes one snapshot: an instance, one of two periods, a cluster. */
struct awr_part {
    struct awr_snapshot now;
    int64_t first_snap, last_snap;
    double elapsed_printed_s;
    double elapsed_step_s; /* what it is rounded to */
    double times_step_s;   /* the same of begin and end */
    bool some_rows;        /* IOStat lists the largest names only: they do not add up to TOTAL */
    struct awr_list filetypes, functions, events, load_profile, io_profile, stats;
};

struct awr_report;

/* A kind of report. */
struct awr_kind {
    const char *title;                  /* how it begins, whatever the case */
    const char *what;                   /* "a Statspack report" */
    const struct awr_section *sections; /* up to one without a name; NULL: is not read here */
    const char *no_filetypes;           /* the warning when there is no load by file type */
    /* Before the figures are checked: fills parts from each other.  NULL = nothing to do. */
    int (*finish)(struct awr_report *r);
    double rate_step_bytes_per_s; /* data rates are rounded to that */
    bool has_no_end;              /* never prints "End of Report" */
};

struct awr_report {
    const char *path;
    const struct ingest_options *options;
    struct sink *sink;
    struct arena *arena;
    struct err *err;

    /* of the file */
    bool started;       /* a title was seen */
    bool ended;         /* "End of Report" was seen after it */
    bool cut_in_table;  /* the input stops within a table */
    bool decimal_comma; /* figures are written 1.234,5 */
    bool doubled_cr;    /* lines end in CR CR LF; else a CR before the last is a line end */
    int64_t line;       /* the last one */
    int64_t n_skipped;  /* tables that are not read, statistics without a clear name */
    const char *page_db, *page_instance; /* of the title of an HTML page; NULL */
    struct awr_list snapshots;           /* of struct awr_snapshot */

    /* of the table being read */
    const struct awr_section *section; /* NULL: none, or one that is not read */
    int column[AWR_SECTION_COLUMNS];   /* of the section's column i: index of the cell, or -1 */
    const struct awr_section *lacking; /* has the key of this one but not all it needs; NULL */
    char headings_seen[240];           /* of it, or of a table before the snapshots' */

    /* of the report being read */
    const struct awr_kind *kind;
    struct awr_list parts;  /* of struct awr_part *; the first is there from the title on */
    struct awr_part *part;  /* the one that rows go to; a section may choose another */
    unsigned sections_seen; /* bit 1 << index in the table of sections */
    char caption[80];       /* of the table to come, where headings alone do not tell */
    int64_t n_garbled;      /* rows of minor sections that were left out */
};

/* One row as the readers cut it.  width: characters of the column, 0 where nothing is clipped. */
struct awr_row {
    struct span cell[AWR_COLUMNS_MAX];
    size_t width[AWR_COLUMNS_MAX];
    size_t n;
    struct span text; /* the line, when it is one */
    int64_t line;
};

void awr_report_init(struct awr_report *r, struct source *src, const struct ingest_options *o,
                     struct sink *sink, struct arena *a, struct err *e);

/* A line that may be the title of a report (any other is ignored).  ERR_PARSE for a kind that is
 * not read, and for a new title before the end of the report before it. */
int awr_report_title(struct awr_report *r, struct span title, int64_t line);

/* "AWR Report for DB: X, Inst: Y": names for a report whose header tables leave them out. */
int awr_report_page_title(struct awr_report *r, struct span title);

/* Looks for the section with these headings; r->section is NULL when there is none.  May be
 * asked with different headings until one set fits. */
void awr_report_headings(struct awr_report *r, const struct span *heads, size_t n);

/* No set of headings did fit: counts the table as skipped.  ERR_PARSE with the headings seen
 * when it is one that is needed. */
int awr_report_no_table(struct awr_report *r, int64_t line);

/* A row of r->section; *over when it cannot belong to it, so that the table has ended. */
int awr_report_row(struct awr_report *r, const struct awr_row *row, bool *over);

/* "End of Report": finishes the snapshot. */
int awr_report_end(struct awr_report *r, int64_t line);

/* The end of the input: everything to the sink. */
int awr_report_close(struct awr_report *r, int64_t *rows, int64_t *skipped);

int awr_list_add(struct awr_report *r, struct awr_list *list, const void *item, size_t size,
                 size_t limit);
int awr_warn(struct awr_report *r, int64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether text stands at the start of a line, or right behind a tag. */
bool awr_starts_a_line(struct span head, const char *text);

/* A new part with nothing known; NULL with r->err set when there are too many, or no memory. */
struct awr_part *awr_part_add(struct awr_report *r);
size_t awr_part_count(const struct awr_report *r);
struct awr_part *awr_part_at(const struct awr_report *r, size_t i);

/* Elapsed time, overflows, doubles and contradictions of one part of the report that just ended;
 * fills its snapshot.  In awr_check.c. */
int awr_check(struct awr_report *r, struct awr_part *p);

#endif
