/* data/fetch/reply_whole.h - whether a reply came to its end.
 *
 * JSON: one value whose brackets close.  XML: the last tag closes the first element.  Neither: not
 * judged, but something must be there. */
#ifndef DATA_FETCH_REPLY_WHOLE_H
#define DATA_FETCH_REPLY_WHOLE_H

#include "models/core/span.h"

#include <stdbool.h>

bool reply_is_whole(struct span body);

#endif
