/* data/ingest/archive/gunzip.h - gzip data, whose checksum and length are held against what came
 * out.  Several members behind each other are one text; what follows that is no gzip is left out.
 */
#ifndef DATA_INGEST_ARCHIVE_GUNZIP_H
#define DATA_INGEST_ARCHIVE_GUNZIP_H

#include "data/ingest/source.h"

struct gunzip;

/* Over what is left of `in`, which must outlive it.  NULL when memory is out. */
struct gunzip *gunzip_open(struct source *in);
void gunzip_close(struct gunzip *g); /* NULL does nothing */
/* Up to room bytes: how many, 0 at the end, or a negative code; ERR_PARSE for damaged data. */
int64_t gunzip_read(struct gunzip *g, char *buf, size_t room, struct err *e);
/* Something else than zeros came after the end. */
bool gunzip_left_bytes(const struct gunzip *g);

#endif
