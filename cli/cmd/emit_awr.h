/* cli/cmd/emit_awr.h - one AWR snapshot, said through an emitter. */
#ifndef CLI_CMD_EMIT_AWR_H
#define CLI_CMD_EMIT_AWR_H

#include "models/core/arena.h"
#include "models/core/emit.h"
#include "models/vocab/awr_snapshot.h"

/* An element of the list snapshots[].  ERR_NOMEM. */
int emit_awr_snapshot(struct emit *m, const struct awr_snapshot *s, struct arena *a, struct err *e);

#endif
