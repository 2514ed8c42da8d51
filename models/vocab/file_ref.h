/* models/vocab/file_ref.h - where a number came from. */
#ifndef MODELS_VOCAB_FILE_REF_H
#define MODELS_VOCAB_FILE_REF_H

#include <stdint.h>

struct file_ref {
    int64_t file_id; /* of the store; 0 = not stored */
    int64_t line;    /* counted from 1; 0 = unknown */
};

#endif
