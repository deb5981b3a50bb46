/* check.h - cmocka with values printed: what every test file includes. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

/* |got - want| <= tol * max(1, |want|), with the numbers in the message */
#define check_close(got, want, tol)                                                             \
    do {                                                                                        \
        double got_ = (got), want_ = (want), tol_ = (tol);                                      \
        if (!(fabs(got_ - want_) <= tol_ * (fabs(want_) > 1 ? fabs(want_) : 1))) {              \
            print_error("%s = %.17g, expected %.17g within %.1e (off by %.2e)\n", #got, got_,   \
                        want_, tol_, got_ - want_);                                             \
            fail();                                                                             \
        }                                                                                       \
    } while (0)

/* got <= limit, with the numbers in the message */
#define check_below(got, limit)                                                                 \
    do {                                                                                        \
        double got_ = (got), limit_ = (limit);                                                  \
        if (!(got_ <= limit_)) {                                                                \
            print_error("%s = %.6g is above %.6g\n", #got, got_, limit_);                       \
            fail();                                                                             \
        }                                                                                       \
    } while (0)

#endif
