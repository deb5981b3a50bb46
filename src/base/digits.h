/* digits.h - all 17 digits of a double, fast enough not to slow a run down. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include "base/text.h"

/* Writes what printf writes for %.17g in the C locale, whatever the locale is; returns the
 * length. */
int digits_print(char out[NUMBER_ROOM], double x);

#endif
