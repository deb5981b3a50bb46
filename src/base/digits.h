/* digits.h - all 17 digits of a number, at the speed at which results are made. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include "base/text.h"

/* What printf writes for %.17g in the C locale, whatever the locale is: its length. */
int digits_print(char out[NUMBER_ROOM], double x);

#endif
