/* models/core/wide.h - four numbers side by side, which are computed with as one.
 *
 * A function that is MAY_BE_WIDE is made twice, where the compiler can: for any processor of its
 * kind, and for one that takes all four at a time; which one runs is decided once, at the start.
 * What they compute is the same.  A comparison gives all bits for true, none for false. */
#ifndef MODELS_CORE_WIDE_H
#define MODELS_CORE_WIDE_H

#include "models/core/sanitized.h"

#include <stdint.h>

/* sanitizers are not ready when the choice is made */
#if defined(__x86_64__) && !SANITIZED
#define MAY_BE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define MAY_BE_WIDE
#endif

/* gcc -fanalyzer holds shifts against the number of lanes, and takes what was stored four at a time
 * for never stored. */
#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-shift-count-overflow"
#pragma GCC diagnostic ignored "-Wanalyzer-use-of-uninitialized-value"
#endif

enum { WIDE = 4 };

/* As they lie in an array. */
typedef uint64_t wide_u64 __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef int64_t wide_i64 __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
typedef double wide_f64 __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
/* Their parts. */
typedef uint32_t wide_u32 __attribute__((vector_size(8 * WIDE)));
typedef uint16_t wide_u16 __attribute__((vector_size(8 * WIDE)));

#endif
