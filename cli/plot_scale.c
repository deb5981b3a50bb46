/* plot_scale.c - ranges of axes, and the round numbers on them. */
#include "plot.h"

#include <math.h>

range range_none(void)
{
    return (range){INFINITY, -INFINITY, false};
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

/* From one power of ten to another. */
static range decades(range r)
{
    if (!(r.least <= r.most)) return (range){-1, 1, true};
    range whole = {floor(r.least + 1e-9), ceil(r.most - 1e-9), true};
    return whole.least < whole.most ? whole : (range){whole.least - 1, whole.most + 1, true};
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

double tick_step(range r, int most)
{
    static const double round[] = {1, 2, 5, 10};
    double              raw = range_width(r) / most, power = pow(10, floor(log10(raw)));
    for (int i = 0; i < 4; i++)
        if (round[i] * power >= raw * (1 - 1e-9) && (!r.log || round[i] * power >= 1))
            return round[i] * power;
    return r.log && power < 0.1 ? 1 : 10 * power;
}

/* As many as tell ticks apart, and as keep numbers below a million without a power of ten. */
int tick_digits(range r, double step)
{
    double size = fmax(fabs(r.least), fabs(r.most));
    int    first = (int)floor(log10(size) + 1e-9), last = (int)floor(log10(step) + 1e-9);
    if (first >= 0 && first < 6 && last > 0) last = 0;
    int digits = 1 + first - last;
    return digits < 1 ? 1 : digits > 15 ? 15 : digits;
}

double tick_first(range r, double step)
{
    return ceil(r.least / step - 1e-9) + 0.0; /* no negative zero */
}

double tick_last(range r, double step)
{
    return floor(r.most / step + 1e-9);
}

int tick_text(char *out, size_t room, double k, double step, range r)
{
    if (r.log) return snprintf(out, room, "1e%g", k * step);
    return snprintf(out, room, "%.*g", tick_digits(r, step), k * step);
}

int tick_width(range r, double step)
{
    char label[32];
    int  widest = 0;
    for (double k = tick_first(r, step); k <= tick_last(r, step); k++) {
        int n = tick_text(label, sizeof label, k, step, r);
        if (n > widest) widest = n;
    }
    return widest;
}
