/* planner/report/pack.h - arrays of numbers as text in a report: base64 of little-endian values.
 *
 *   {"b64": "...", "type": "f32", "n": 480}        value = base + scale * raw; NaN = unknown
 *
 * type is f32, f64, u32 or u8; base is 0 and scale 1 where they are not there.  A page of a year's
 * minutes stays small with it, and is there at once: no number is read by a parser. */
#ifndef PLANNER_REPORT_PACK_H
#define PLANNER_REPORT_PACK_H

#include "models/core/arena.h"
#include "models/core/emit.h"

/* scratch is used and not emptied; a packed array that memory lacks for makes m fail. */
void emit_pack_f32(struct emit *m, const char *key, const double *v, size_t n,
                   struct arena *scratch);
void emit_pack_u8(struct emit *m, const char *key, const unsigned char *v, size_t n,
                  struct arena *scratch);
/* Times that ascend: u32 from the first one on, in steps of what divides them all; f64 where those
 * are too many. */
void emit_pack_ms(struct emit *m, const char *key, const int64_t *v, size_t n,
                  struct arena *scratch);

#endif
