/* cli/cmd/emit_layout.h - a layout, as the JSON that `layout --set` reads and as a table. */
#ifndef CLI_CMD_EMIT_LAYOUT_H
#define CLI_CMD_EMIT_LAYOUT_H

#include "models/core/emit.h"
#include "models/vocab/layout.h"

/* Members of the document.  What was not given is left out; need_gib stands as null, to be
 * filled, where a group has no volumes either. */
void emit_layout(struct emit *m, const struct layout *l);

#endif
