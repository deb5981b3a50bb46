/* plain.h - numbers in texts with C's decimal point, whatever locale the calling program has
 * chosen: printf and strtod follow that of their thread. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

#include "base/text.h"

int    plain_snprintf(char *out, size_t room, const char *format, ...) PRINTF_LIKE(3, 4);
int    plain_vsnprintf(char *out, size_t room, const char *format, va_list args);
double plain_strtod(const char *s, char **end);

#endif
