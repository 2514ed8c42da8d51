/* cli/cmd/emit_rows.h - what a parser finds, said through an emitter: one object each. */
#ifndef CLI_CMD_EMIT_ROWS_H
#define CLI_CMD_EMIT_ROWS_H

#include "models/core/emit.h"
#include "models/vocab/bill_line.h"
#include "models/vocab/io_sample.h"
#include "models/vocab/metric_sample.h"
#include "models/vocab/record.h"
#include "models/vocab/volume_config.h"

/* An empty span is unknown.  ERR_NOMEM, as for all of these. */
int emit_span(struct emit *m, const char *key, struct span s, struct err *e);

int emit_sample(struct emit *m, const struct io_sample *s, struct err *e);
/* The same into the object that is open. */
int emit_sample_values(struct emit *m, const struct io_sample *s, struct err *e);
int emit_volume(struct emit *m, const struct volume_config *v, struct err *e);
int emit_modification(struct emit *m, const struct volume_modification *v, struct err *e);
int emit_bill_line(struct emit *m, const struct bill_line *l, struct err *e);
int emit_record(struct emit *m, const struct record *r, struct err *e);
/* All of a metric but its values, into the object that is open: what CloudWatch's series and those
 * of other tools are described by. */
int emit_metric_keys(struct emit *m, const struct metric_sample *s, struct err *e);
/* The same with the value: a row of it. */
int emit_metric_row(struct emit *m, const struct metric_sample *s, struct err *e);

#endif
