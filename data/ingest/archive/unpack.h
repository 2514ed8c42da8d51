/* data/ingest/archive/unpack.h - one layer of packing, by libarchive (gzip apart: gunzip.h).
 *
 * The archive is read from front to back and nothing is ever written to disk. */
#ifndef DATA_INGEST_ARCHIVE_UNPACK_H
#define DATA_INGEST_ARCHIVE_UNPACK_H

#include "data/ingest/archive/pack_kind.h"
#include "data/ingest/source.h"

struct unpack;

enum member_kind { MEMBER_FILE, MEMBER_FOLDER, MEMBER_LINK, MEMBER_DEVICE };

struct pack_member {
    const char *name; /* as the archive has it; NULL for a stream, or when it cannot be told */
    enum member_kind kind;
    bool encrypted;
};

/* Over what is left of `in`, which must outlive it. */
int unpack_open(struct source *in, enum pack_kind kind, struct unpack **out, struct err *e);
void unpack_close(struct unpack *u); /* NULL does nothing */
/* 1 = a member, 0 = the end, or a negative code; what it points to is valid until the next call. */
int unpack_next(struct unpack *u, struct pack_member *out, struct err *e);
/* Up to room bytes of the member: how many, 0 at its end, or a negative code. */
int64_t unpack_read(struct unpack *u, char *buf, size_t room, struct err *e);
/* After an error: no other member can be read. */
bool unpack_is_dead(const struct unpack *u);

#endif
