/* models/core/unit.h - units of quantities, their spelling and conversion.
 *
 * Volumes are measured in binary units (MiB/s, GiB), instances in decimal ones
 * (MB/s): the two convert at one place, here. */
#ifndef MODELS_CORE_UNIT_H
#define MODELS_CORE_UNIT_H

#include "models/core/err.h"
#include "models/core/span.h"

#include <math.h>
#include <stdint.h>

/* Unknown integer; an unknown double is NaN. */
#define UNKNOWN INT64_MIN

#define MIB_BYTES  1048576.0
#define MB_PER_MIB 1.048576

/* X(name, suffix as people read it, decimals shown in text) */
#define UNIT_TABLE(X)                                                                              \
    X(UNIT_NONE, "", 0)                                                                            \
    X(UNIT_COUNT, "", 0)                                                                           \
    X(UNIT_RATIO, "", 3)                                                                           \
    X(UNIT_IOPS, "IOPS", 0)                                                                        \
    X(UNIT_PER_S, "/s", 1)                                                                         \
    X(UNIT_MIBPS, "MiB/s", 1)                                                                      \
    X(UNIT_KIBPS, "KiB/s", 1)                                                                      \
    X(UNIT_BYTES_PER_S, "B/s", 0)                                                                  \
    X(UNIT_MB_S, "MB/s", 1)                                                                        \
    X(UNIT_MBPS, "Mbit/s", 0)                                                                      \
    X(UNIT_GIB, "GiB", 0)                                                                          \
    X(UNIT_MIB, "MiB", 0)                                                                          \
    X(UNIT_KIB, "KiB", 1)                                                                          \
    X(UNIT_BYTES, "B", 0)                                                                          \
    X(UNIT_S, "s", 0)                                                                              \
    X(UNIT_MS, "ms", 2)                                                                            \
    X(UNIT_US, "us", 1)                                                                            \
    X(UNIT_PCT, "%", 0)                                                                            \
    X(UNIT_USD, "USD", 2)                                                                          \
    X(UNIT_USD_HOUR, "USD/h", 4)

enum unit {
#define X(name, suffix, decimals) name,
    UNIT_TABLE(X)
#undef X
};

const char *unit_suffix(enum unit u);
int unit_decimals(enum unit u);

/* Reads a quantity as a person types it and converts it to `want`:
 *   bare number            in `want` itself
 *   K M G (UNIT_IOPS, UNIT_COUNT)  thousands, e.g. 64K = 64 000
 *   KiB MiB GiB TiB, KB MB GB TB   sizes, for UNIT_GIB, UNIT_MIB, UNIT_KIB, UNIT_BYTES
 *   KiB/s MiB/s GiB/s KB/s MB/s GB/s   rates, for UNIT_MIBPS and UNIT_MB_S
 *   h m s                   for UNIT_S;   %  for UNIT_PCT;   USD for UNIT_USD
 * A unit that cannot fit, a negative or an absurd number (> 1e15) is ERR_USAGE. */
int unit_parse(struct span text, enum unit want, double *out, struct err *e);

/* "64 000", "0.50": value with decimals digits, a blank between thousands, "-" for NaN.
 * Returns buf, which must hold at least 48 bytes. */
char *unit_format(char buf[48], double value, int decimals);

/* Micro-dollars in whole cents, half a cent away from zero: "3 598.50"; "-" for UNKNOWN. */
char *unit_format_usd(char buf[48], int64_t microusd);

#endif
