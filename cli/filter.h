/* filter.h - another program that turns bytes into others. */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "npy.h"

/* Starts the program argument[0], which is looked for in $PATH, gives it `words` as standard input
 * and adds what it writes to `out`. The arguments end with NULL; no shell reads them. 0, or errno
 * of the start; *status as of waitpid. */
int filter_run(const char *const *argument, const bytes *words, bytes *out, int *status);

#endif
