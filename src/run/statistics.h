/* statistics.h - what a column of numbers is like: mean, spread, ends and quantiles. */
#ifndef RUN_STATISTICS_H
#define RUN_STATISTICS_H

#include "dalembert.h"

/* Of the n numbers x, which it sorts; those that are not finite are left out. Depends on their
 * order in no bit but those of the mean and the deviation, which are summed as they come. */
void statistics_of(double *x, size_t n, dal_statistics *out);

#endif
