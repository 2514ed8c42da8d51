/* data/ingest/nmon/nmon_disks.h - figures of disks while the lines of their snapshot come in.
 *
 * In a file as nmon writes it one or two snapshots are open at a time; in a sorted one all are,
 * so that their figures are bounded. */
#ifndef DATA_INGEST_NMON_NMON_DISKS_H
#define DATA_INGEST_NMON_NMON_DISKS_H

#include "data/ingest/text/text_line.h"
#include "models/vocab/io_sample.h"

enum { NMON_DISKS_MAX = 16384, NMON_PARTS_MAX = 64, NMON_FIGURES_MAX = 5 * 1000 * 1000 };

enum nmon_kind {
    NMON_BUSY,
    NMON_READ_KIB,
    NMON_WRITE_KIB,
    NMON_XFER,
    NMON_READS,
    NMON_WRITES,
    NMON_SIZE_KIB,
    NMON_SERVICE_MS,
    NMON_WAIT_MS,
    NMON_KINDS
};

struct nmon_snapshot {
    int64_t number;  /* T0001 is 1 */
    int64_t time_ms; /* UNKNOWN; as has_time */
    bool has_time, has_figures;
    int64_t line;
    size_t n_disks; /* for which there is room */
    double *figure; /* NMON_KINDS of each disk */
};

/* Which disk each column of a kind and part is. */
struct nmon_columns {
    size_t n;
    uint16_t *disk;
};

struct nmon_disks {
    struct arena *a;
    struct text_name *names;
    size_t n_names, names_room, next_name;
    struct nmon_columns columns[NMON_KINDS][NMON_PARTS_MAX];
    struct nmon_snapshot *open; /* in the order in which they came */
    size_t n_open, open_room, next_open, n_figures;
    struct span unknown;        /* a figure of the last line that was "nan" or "inf"; ptr NULL */
    struct nmon_snapshot spare; /* its memory is used again */
};

/* "DISKREAD12": its kind and part; false for lines of other kinds. */
bool nmon_kind_of(struct span word, enum nmon_kind *kind, size_t *part);

/* A heading line's names, behind the first two cells.  ERR_NOMEM, ERR_LIMIT. */
int nmon_take_heading(struct nmon_disks *d, enum nmon_kind kind, size_t part, struct span cells,
                      struct err *e);
/* The open snapshot of that number, opened when there is none. */
int nmon_open(struct nmon_disks *d, int64_t number, struct nmon_snapshot **out, struct err *e);
/* A data line's values, behind the first two cells; last_is_cut: the last one is not whole.  1 =
 * taken, 0 = no heading was there before. */
int nmon_take_figures(struct nmon_disks *d, struct nmon_snapshot *s, enum nmon_kind kind,
                      size_t part, struct span cells, bool last_is_cut, struct err *e);
/* Figures of one disk as a sample; false when there are none. */
bool nmon_sample(const struct nmon_disks *d, const struct nmon_snapshot *s, size_t disk,
                 struct io_sample *out);
/* Forgets an open snapshot. */
void nmon_close(struct nmon_disks *d, size_t index);

#endif
