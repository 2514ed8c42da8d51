/* cli/render/number.h - numbers for machines: no blanks, a point, no locale. */
#ifndef CLI_RENDER_NUMBER_H
#define CLI_RENDER_NUMBER_H

#include "models/core/emit.h"

enum { NUMBER_ROOM = 64 };

/* EMIT_INT, EMIT_NUM, EMIT_USD as JSON and CSV write them.  Returns buf. */
char *number_format(char buf[NUMBER_ROOM], const struct emit_value *v);

#endif
