/* models/core/money.h - exact money: 128-bit integers of 10^-12 USD (or another currency).
 *
 * Unit prices and bill lines have up to 12 decimals and must add up to the last one. */
#ifndef MODELS_CORE_MONEY_H
#define MODELS_CORE_MONEY_H

#include "models/core/span.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 money; /* 10^-12 of the currency unit */

#define MONEY_ONE ((money)1000000000000)

/* [+-]digits[.digits][e[+-]digits], |value| < 10^18.  Digits beyond the twelfth decimal must be 0,
 * else *rounded is set and the value is rounded half away from zero.  *decimals, the number of
 * decimals as written (trailing zeros counted; 0E-11 has 11).  Both may be NULL. */
int money_parse(struct span *s, money *out, bool *rounded, int *decimals);
/* Exactly `decimals` (0..12) digits after the point, rounded half away from zero. */
char *money_format(char buf[64], money m, int decimals);
/* All twelve decimals but zeros at the end: "0.08", "12". */
char *money_exact(char buf[64], money m);
/* Amount (10^-12 of a unit) at a price (10^-12 of the currency per unit), rounded half away from
 * zero to 10^-12; |amount| and |price| < 10^30 and 10^18, as parsed. */
money money_times(money amount, int64_t price);
/* m * part / whole, rounded likewise; whole > 0, |m| * |part| within 10^38. */
money money_share(money m, int64_t part, int64_t whole);
double money_double(money m); /* for display and for thresholds only */

#endif
