/* scale.c - ranges of axes. */
#include "picture/picture.h"

#include <math.h>

range range_none(bool log)
{
    return (range){INFINITY, -INFINITY, log};
}

bool drawable(double x)
{
    return fabs(x) < 1e300; /* so that differences are numbers too */
}

range range_with(range r, double x)
{
    return drawable(x) ? (range){fmin(r.least, x), fmax(r.most, x), r.log} : r;
}

double range_width(range r)
{
    return r.most - r.least;
}

/* Of many powers of ten, from one to another. */
static range decades(range r)
{
    enum { MANY = 3 };
    if (!(r.least <= r.most)) return (range){-1, 1, true};
    if (range_width(r) < 0.3) return (range){r.least - 0.5, r.most + 0.5, true};
    if (range_width(r) < MANY - 1e-9) return r;
    return (range){floor(r.least + 1e-9), ceil(r.most - 1e-9), true};
}

/* A constant stands in the middle; noise in its last digits does not look like a signal. */
range range_drawn(range r)
{
    double size = fmax(fabs(r.least), fabs(r.most));
    if (r.log) return decades(r);
    if (!(r.least <= r.most)) return (range){-1, 1, false};
    if (size > 1e-290 && range_width(r) > 1e-13 * size) return r;
    double half = size > 1e-290 ? 0.1 * size : 1;
    return (range){r.least - half, r.most + half, false};
}

range range_wider(range r, double share)
{
    double more = share * range_width(r);
    return (range){r.least - more, r.most + more, r.log};
}

range range_equal(range r, double share)
{
    return range_wider(r, 0.5 * (share - 1));
}
