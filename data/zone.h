/* data/zone.h - time zones: fixed offsets, and names read from zoneinfo.
 *
 * The process's own zone is never asked.  A wall clock is milliseconds since the epoch as if
 * it were UTC, which is what time_parse_iso gives for a time without zone. */
#ifndef DATA_ZONE_H
#define DATA_ZONE_H

#include "models/core/arena.h"
#include "models/core/err.h"
#include "models/core/span.h"

#include <stdint.h>

struct zone;

/* "Z", "UTC", "+02:00", "-0330", "+2", or a name below /usr/share/zoneinfo ("Europe/Berlin").
 * ERR_USAGE for a name that is malformed, not there or no TZif file; ERR_NOMEM.  Lives in a. */
int zone_open(struct span name, struct arena *a, const struct zone **out, struct err *e);

/* A TZif file's bytes (RFC 8536, versions 1 to 3); path is for messages.  ERR_FILE for what is
 * none, or counts leap seconds; ERR_NOMEM. */
int zone_parse_tzif(const char *path, struct span bytes, struct arena *a, const struct zone **out,
                    struct err *e);

/* The instant at which a clock on the wall showed wall_ms; z NULL = UTC.  A time that came twice
 * (clocks set back) is its first occurrence; one that never came (set forward) is read with
 * the offset from before, so that 02:30 is half an hour after 02:00. */
int64_t zone_to_utc(const struct zone *z, int64_t wall_ms);

/* The same for a clock that is read again and again: of a time that came twice, the second
 * occurrence when the first is before after_ms (UNKNOWN: the first). */
int64_t zone_to_utc_after(const struct zone *z, int64_t wall_ms, int64_t after_ms);

/* How often the clock was set back in (from_ms, to_ms); z NULL = never. */
size_t zone_folds(const struct zone *z, int64_t from_ms, int64_t to_ms);

#endif
