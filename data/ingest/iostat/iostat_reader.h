/* data/ingest/iostat/iostat_reader.h - what the parts of the iostat reader share. */
#ifndef DATA_INGEST_IOSTAT_IOSTAT_READER_H
#define DATA_INGEST_IOSTAT_IOSTAT_READER_H

#include "data/ingest/format.h"
#include "data/ingest/iostat/iostat_columns.h"
#include "data/ingest/iostat/iostat_time.h"
#include "data/ingest/text/text_line.h"

enum { HEADING_MAX_BYTES = 1023, PARTS_MAX = 16384, SEEN_MAX = 2048 };

/* What can be odd about a line; the first few of each kind are told, the others counted. */
#define COMPLAINT_TABLE(X)                                                                         \
    X(ODD_ROW, "rows were skipped")                                                                \
    X(ODD_LINE, "lines were skipped")                                                              \
    X(ODD_GROUP, "group rows (iostat -g) were skipped")                                            \
    X(ODD_COLUMN, "unknown columns were skipped")                                                  \
    X(ODD_SIZE, "rows have a mean request size that is far from bytes / requests")                 \
    X(ODD_BACKWARD, "stamps go back in time")                                                      \
    X(ODD_LONGER, "intervals are longer than the one before, as where reports are missing")        \
    X(ODD_REPEATED, "stamps are those of the report before")                                       \
    X(ODD_NO_STAMP, "reports have no stamp of their own")                                          \
    X(ODD_UNKNOWN, "rows have a figure that is no number (nan, inf)")                              \
    X(ODD_TWICE, "devices stand in a report twice")                                                \
    X(ODD_ARTEFACT, "rows show more than a device can do in their interval")

enum complaint {
#define X(name, words) name,
    COMPLAINT_TABLE(X)
#undef X
        COMPLAINT_COUNT
};

/* A row of stacked tables while its other parts are still to come. */
struct iostat_part {
    struct text_name device;
    struct iostat_row row;
    int64_t line;
};

/* The table that a device, by the hash of its name, was in last. */
struct iostat_seen {
    uint64_t hash; /* 0 = none */
    int64_t table;
};

struct iostat_reader {
    struct source *src;
    struct sink *sink;
    struct arena *a;
    struct err *e;
    int64_t rows, skipped;
    int64_t complaints[COMPLAINT_COUNT];
    bool rounding_told;

    struct iostat_time time;
    struct text_name host;
    bool cpu_table; /* one was seen */

    /* the report being read */
    bool in_table;
    size_t n_table_rows;
    int64_t n_tables;
    struct iostat_seen *seen; /* 2 * SEEN_MAX slots; of the first SEEN_MAX devices */
    size_t n_seen;
    char heading[HEADING_MAX_BYTES + 1]; /* that columns were made from */
    size_t heading_len;
    enum heading_verdict verdict; /* OK or PART */
    struct iostat_columns columns;

    /* stacked tables: the rows of the report, and which of its fields were seen */
    struct iostat_part *parts;
    size_t n_parts, parts_room, next_part;
    bool part_seen[FIELD_COUNT];
};

/* iostat_tell.c */
int iostat_warn(struct iostat_reader *r, int64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int iostat_complain(struct iostat_reader *r, enum complaint kind, int64_t line, const char *fmt,
                    ...) __attribute__((format(printf, 4, 5)));
int iostat_refuse(struct iostat_reader *r, int64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Of complaints that were not all shown, and of times that could not be told. */
int iostat_tell_totals(struct iostat_reader *r);
/* Words for what iostat_time.c found odd at that line; d: the date in question, or NULL. */
int iostat_tell_time(struct iostat_reader *r, enum time_odd odd, int64_t line,
                     const struct iostat_date *d);

/* iostat_rows.c */
/* A new report: hands over what is left of the one before, then takes the stamp. */
int iostat_begin_report(struct iostat_reader *r, int64_t line);
/* A row below a heading of either kind. */
int iostat_take_row(struct iostat_reader *r, const struct iostat_row *row, int64_t line);
/* A heading of a stacked table: begins a report when it repeats what the last one has. */
int iostat_begin_part(struct iostat_reader *r, int64_t line);
int iostat_flush(struct iostat_reader *r);

/* iostat_json.c: the JSON of iostat -o JSON. */
bool iostat_json_detect(struct span head);
int iostat_json_read(struct iostat_reader *r, struct span head);

#endif
