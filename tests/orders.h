/* orders.h - the order that errors show when steps are halved. */
#ifndef TESTS_ORDERS_H
#define TESTS_ORDERS_H

#include "check.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { HALVINGS = 8 };

/* The order seen in the finest pair of errors that are neither roundoff nor far from the limit. */
static inline double observed(const double *error, int count, double floor)
{
    double order = NAN;
    for (int k = 0; k + 1 < count && error[k + 1] > floor; k++)
        if (error[k] < 0.1) order = log2(error[k] / error[k + 1]);
    return order;
}

static inline void expect_order(const char *problem_name, const char *words, const char *force,
                                const char *what, const double *error, int count, double floor,
                                double claimed, double tolerance)
{
    double order = observed(error, count, floor);
    if (getenv("DAL_SHOW"))
        print_message("%s %s %s %s: %.2f (%g), last error %.1e\n", problem_name, words,
                      force ? force : "", what, order, claimed, error[count - 1]);
    if (fabs(order - claimed) <= tolerance) return;
    print_error("%s, %s, force %s: order of %s is %.3f, claimed %.0f; errors", problem_name, words,
                force ? force : "same", what, order, claimed);
    for (int k = 0; k < count; k++) print_error(" %.1e", error[k]);
    print_error("\n");
    fail();
}

#endif
