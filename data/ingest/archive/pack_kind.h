/* data/ingest/archive/pack_kind.h - is it packed, and how: told from the first bytes. */
#ifndef DATA_INGEST_ARCHIVE_PACK_KIND_H
#define DATA_INGEST_ARCHIVE_PACK_KIND_H

#include "models/core/span.h"

enum pack_kind { PACK_NONE, PACK_GZIP, PACK_BZIP2, PACK_XZ, PACK_ZSTD, PACK_ZIP, PACK_TAR };

/* What pack_kind_of wants to see, where the input is long enough. */
enum { PACK_HEAD = 512 };

enum pack_kind pack_kind_of(struct span head);
const char *pack_kind_name(enum pack_kind k); /* "gzip data", "tar archive" */
/* Has named members; the others are one stream of bytes. */
bool pack_has_members(enum pack_kind k);

#endif
