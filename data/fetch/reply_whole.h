/* data/fetch/reply_whole.h - whether a reply came to its end, and whether it is a web page.
 *
 * JSON: one value whose brackets close.  XML: the last tag closes the first element.  Neither, or
 * XML with a document type, which AWS never sends: not judged, but something must be there. */
#ifndef DATA_FETCH_REPLY_WHOLE_H
#define DATA_FETCH_REPLY_WHOLE_H

#include "models/core/span.h"

#include <stdbool.h>

bool reply_is_whole(struct span body);
/* "<html ...", or a document type of that name; blanks and an XML declaration may stand before. */
bool reply_is_html(struct span body);

#endif
