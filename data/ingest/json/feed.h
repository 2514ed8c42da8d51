/* data/ingest/json/feed.h - what a reader of the AWS formats passes around while it reads one
 * input.
 *
 * One struct instead of eight arguments, and the warnings in one place: after FEED_WARNINGS_MAX
 * of them the rest is only counted, so that a hostile file cannot fill the store with text. */
#ifndef DATA_INGEST_JSON_FEED_H
#define DATA_INGEST_JSON_FEED_H

#include "data/ingest/format.h"

enum { FEED_WARNINGS_MAX = 40 };

struct feed {
    struct source *src;
    const struct ingest_options *options;
    struct sink *sink;
    struct arena *arena;
    struct err *err;
    int64_t rows, skipped, warnings;
    int64_t after_ms; /* a time that clocks set back made twice is not before this one; 0 */
    bool zone_warned;
};

/* The body of a format's read(): runs body, and on success reports rows and skipped. */
int feed_run(struct source *src, const struct ingest_options *o, struct sink *sink, struct arena *a,
             int64_t *rows, int64_t *skipped, struct err *e, int (*body)(struct feed *f));

/* ERR_PARSE "PATH:LINE: ..."; returns it. */
int feed_fault(struct feed *f, int64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int feed_warn(struct feed *f, int64_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Warns of a figure of that device that is "nan" or "inf". */
int feed_unknown(struct feed *f, int64_t line, struct span device, struct span figure);

/* Hand over and count a row; a NULL callback only counts. */
int feed_sample(struct feed *f, const struct io_sample *s);
int feed_metric(struct feed *f, const struct metric_sample *s);
int feed_volume(struct feed *f, const struct volume_config *v);
int feed_modification(struct feed *f, const struct volume_modification *m);
int feed_bill_line(struct feed *f, const struct bill_line *l);
int feed_record(struct feed *f, const struct record *r);

/* A time stamp of CloudWatch or EC2: ISO 8601, or seconds or milliseconds since the epoch.
 * Non-zero when it is none.  Without a zone it is of the user's zone, else UTC with one warning,
 * which may fail: then *rc is negative. */
int feed_time(struct feed *f, struct span text, int64_t line, int64_t *out_ms, int *rc);

/* Seconds or milliseconds since the epoch; non-zero when out of range. */
int feed_epoch(double v, int64_t *out_ms);

/* Fields of a record, to be set up one after the other; more than RECORD_FIELDS_MAX are dropped. */
struct fields {
    struct record_field at[RECORD_FIELDS_MAX];
    size_t n;
};
void fields_text(struct fields *r, const char *key, struct span text);
void fields_num(struct fields *r, const char *key, enum unit unit, double num);

#endif
