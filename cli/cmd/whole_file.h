/* cli/cmd/whole_file.h - the bytes of a small file. */
#ifndef CLI_CMD_WHOLE_FILE_H
#define CLI_CMD_WHOLE_FILE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

#include <stddef.h>

/* In the arena, with a NUL behind them.  ERR_FILE, ERR_LIMIT beyond max_bytes, ERR_NOMEM. */
int whole_file(const char *path, size_t max_bytes, struct arena *a, struct span *out,
               struct err *e);

#endif
