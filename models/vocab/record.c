/* models/vocab/record.c - see record.h. */
#include "models/vocab/record.h"

#include <math.h>
#include <string.h>

const struct stored_field *stored_record_field(const struct stored_record *r, const char *key)
{
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].key, key) == 0)
            return &r->fields[i];
    return NULL;
}

double stored_record_num(const struct stored_record *r, const char *key)
{
    const struct stored_field *f = stored_record_field(r, key);
    return f ? f->num : (double)NAN;
}

const char *stored_record_text(const struct stored_record *r, const char *key)
{
    const struct stored_field *f = stored_record_field(r, key);
    return f ? f->text : NULL;
}
