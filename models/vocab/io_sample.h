/* models/vocab/io_sample.h - one device over one interval, as an operating system tool printed it.
 */
#ifndef MODELS_VOCAB_IO_SAMPLE_H
#define MODELS_VOCAB_IO_SAMPLE_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

/* Doubles are NaN and times UNKNOWN where the tool did not tell. */
struct io_sample {
    int64_t time_ms; /* end of the interval */
    double interval_s;
    struct span host;   /* empty when the file names none */
    struct span device; /* with '/' where the kernel wrote '!'; valid during the callback only */
    double reads_per_s, writes_per_s;
    double read_kib_per_s, write_kib_per_s;
    /* Reads and writes together, also where the tool does not tell them apart; then with
     * discards where the tool counts those in.  Never split by us. */
    double total_per_s, total_kib_per_s;
    double read_request_kib, write_request_kib; /* mean size: bytes / requests */
    double request_kib;                         /* of both */
    double read_merge_pct, write_merge_pct;     /* merged / (merged + completed) */
    double read_await_ms, write_await_ms, await_ms;
    double queue; /* mean requests outstanding */
    double util_pct;
    bool since_boot; /* first report of a tool that starts with the average since boot */
    bool artefact;   /* more than the device can have done in the interval */
    int64_t line;
};

/* Nothing known, no flag set. */
struct io_sample io_sample_unknown(void);

/* Sets what is still unknown: the totals from the two directions, mean sizes from bytes and
 * requests.  And artefact: negative, or beyond any device. */
void io_sample_complete(struct io_sample *s);

#endif
