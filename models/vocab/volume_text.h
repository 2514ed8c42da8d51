/* models/vocab/volume_text.h - a volume spec as a person types it.
 *
 *     [COUNTx]TYPE:SIZE[:IOPS[:THROUGHPUT]]     2xio2:250GiB:5000   gp3:1TiB::250
 *     [COUNT x] TYPE SIZE [IOPS] [THROUGHPUT]   2 x io2 250 GiB 5 000 IOPS   2 x io2 250 5000
 *
 * The second is what volume_spec_format prints; without units the order counts.  Bare numbers are
 * GiB, IOPS and MiB/s of each volume. */
#ifndef MODELS_VOCAB_VOLUME_TEXT_H
#define MODELS_VOCAB_VOLUME_TEXT_H

#include "models/core/err.h"
#include "models/vocab/volume.h"

/* ERR_USAGE says what to write.  Whether there can be such a volume is not looked at. */
int volume_text_parse(struct span text, struct volume_spec *out, struct err *e);

#endif
