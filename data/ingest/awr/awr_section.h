/* data/ingest/awr/awr_section.h - the tables of a report that are read: heading -> handler. */
#ifndef DATA_INGEST_AWR_AWR_SECTION_H
#define DATA_INGEST_AWR_AWR_SECTION_H

#include "data/ingest/awr/awr_cell.h"
#include "data/ingest/awr/awr_report.h"

enum { AWR_ALTERNATIVES_MAX = 10 };

/* What a row gives: texts and figures by the section's own column numbers. */
struct awr_taken {
    struct span text[AWR_SECTION_COLUMNS];
    double num[AWR_SECTION_COLUMNS]; /* NaN in columns of text, and in those that are not there */
    size_t name_width;               /* of column 0 as printed; 0 where nothing is clipped */
    struct span whole;               /* the line of a text report; else empty */
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
    const char *caption; /* what stands above it begins so; NULL = the headings tell */
    struct awr_column columns[AWR_SECTION_COLUMNS];
    int (*row)(struct awr_report *r, const struct awr_taken *t);
    bool colon; /* rows are "name: figures"; the first without a colon ends the table */
    bool once; /* a second table with these headings is another one ("Global Cache Load Profile") */
    bool minor; /* a row that cannot be read is left out with a warning, not the file refused */
};

/* Elements of columns[]. */
#define AWR_TEXT(...)                                                                              \
    {                                                                                              \
        .heads = { __VA_ARGS__ }                                                                   \
    }
#define AWR_NEEDED_TEXT(...)                                                                       \
    {                                                                                              \
        .heads = { __VA_ARGS__ }, .needed = true                                                   \
    }
#define AWR_FIGURE(fn, ...)                                                                        \
    {                                                                                              \
        .heads = { __VA_ARGS__ }, .parse = (fn)                                                    \
    }
#define AWR_NEEDED(fn, ...)                                                                        \
    {                                                                                              \
        .heads = { __VA_ARGS__ }, .parse = (fn), .needed = true                                    \
    }

/* Sections that AWR and Statspack print alike. */
#define AWR_LOAD_PROFILE                                                                           \
    {                                                                                              \
        .name = "Load Profile",                                                                    \
        .columns = { AWR_NEEDED_TEXT("*"), AWR_NEEDED(awr_cell_number, "per second"),              \
                     AWR_NEEDED(awr_cell_number, "per transaction"),                               \
                     AWR_FIGURE(awr_cell_number, "per exec"),                                      \
                     AWR_FIGURE(awr_cell_number, "per call") },                                    \
        .row = awr_load_row, .colon = true, .once = true,                                          \
    }
#define AWR_ACTIVITY_STATS                                                                         \
    {                                                                                              \
        .name = "Instance Activity Stats",                                                         \
        .columns = { AWR_NEEDED_TEXT("statistic"), AWR_NEEDED(awr_cell_number, "total"),           \
                     AWR_NEEDED(awr_cell_number, "per second"), AWR_TEXT("per trans") },           \
        .row = awr_stat_row, .minor = true,                                                        \
    }

/* Each ends with a section without a name. */
extern const struct awr_section awr_sections[];      /* of one instance */
extern const struct awr_section awr_rac_sections[];  /* of a cluster: awr_rac.c */
extern const struct awr_section awr_diff_sections[]; /* of two periods: awr_diff.c */

/* Rows that several kinds share. */

/* A copy of text; NULL stays for an empty span, which is no error. */
int awr_keep(struct awr_report *r, struct span text, const char **out);
/* Columns 0 database, 1 id, 2 instance, 3 number, 4 release, 5 RAC, 6 host. */
int awr_identity_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 name, 1 platform, 2 CPUs. */
int awr_host_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 name, 1.. per second, transaction, exec, call. */
int awr_load_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 line, 1 read+write, 2 read, 3 write. */
int awr_io_profile_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 event, 1 waits, 2 time, 3 average, 4 percent, 5 class. */
int awr_event_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 name, 1-3 read, 4-6 written: data, requests, rate; 7 waits, 8 average. */
int awr_function_row(struct awr_report *r, const struct awr_taken *t);
/* Columns 0 name, 1 total, 2 per second. */
int awr_stat_row(struct awr_report *r, const struct awr_taken *t);

/* ERR_PARSE for what is neither empty nor a number; what names the column. */
int awr_take_integer(struct awr_report *r, const struct awr_taken *t, int at, const char *what,
                     int64_t *out);
/* A time of column `at` in *out_ms, in the zone of the options. */
int awr_take_time(struct awr_report *r, const struct awr_taken *t, int at, int64_t *out_ms);
int awr_add_load(struct awr_report *r, struct awr_part *p, const char *key, double per_s,
                 int64_t line);
/* The row of that name in a list by file type or function, added when it is new: NULL with r->err
 * set.  Its figures are NaN then. */
struct awr_io_row *awr_io_row_of(struct awr_report *r, struct awr_list *list, const char *name,
                                 int64_t line);

#endif
