/* ticks.c - round numbers on an axis: 1, 2 or 5 times a power of ten apart; on a logarithmic axis
 * powers of ten, and of few of them also twice and five times as much. */
#include "picture/picture.h"

#include "base/plain.h"

#include <math.h>

int exponent_of(range r)
{
    if (r.log) return 0;
    int e = (int)floor(log10(fmax(fabs(r.least), fabs(r.most))));
    return e < -2 || e > 4 ? e : 0;
}

static double round_step(double width, int most)
{
    static const double round[] = {1, 2, 5, 10};
    double              raw = width / most, power = pow(10, floor(log10(raw)));
    for (int i = 0; i < 4; i++)
        if (round[i] * power >= raw * (1 - 1e-9)) return round[i] * power;
    return 10 * power;
}

/* As many digits as tell ticks apart, and as keep numbers below a million without a power of
 * ten. */
static int digits_of(range r, double step)
{
    double size = fmax(fabs(r.least), fabs(r.most));
    int    first = (int)floor(log10(size) + 1e-9), last = (int)floor(log10(step) + 1e-9);
    if (first >= 0 && first < 6 && last > 0) last = 0;
    int digits = 1 + first - last;
    return digits < 1 ? 1 : digits > 15 ? 15 : digits;
}

static ticks even_ticks(range r, int exponent, int most)
{
    const double unit = pow(10, exponent);
    const range  in_units = {r.least / unit, r.most / unit, false};
    const double step = round_step(range_width(in_units), most);
    ticks        all = {0};
    for (double k = ceil(in_units.least / step - 1e-9);
         k <= in_units.most / step + 1e-9 && all.count < TICKS_MOST; k++) {
        tick *t = &all.at[all.count++];
        t->at = k * step * unit;
        plain_snprintf(t->label, sizeof t->label, "%.*g", digits_of(in_units, step),
                       k * step + 0.0); /* no negative zero */
    }
    return all;
}

/* 2 .. 9 times a power of ten; what has no label is a small tick. */
static void add_between(ticks *all, range r, int k, bool labels)
{
    for (int i = 2; i < 10 && all->count < TICKS_MOST; i++) {
        tick t = {.at = k + log10(i)};
        if (t.at < r.least || t.at > r.most) continue;
        if (labels && (i == 2 || i == 5))
            plain_snprintf(t.label, sizeof t.label, "%g", i * pow(10, k));
        all->at[all->count++] = t;
    }
}

/* Every decade, or every second, third, fifth or tenth. */
static int decade_step(range r, int most)
{
    static const int steps[] = {1, 2, 3, 5, 10, 20, 50, 100};
    size_t           k = 0;
    while (k + 1 < sizeof steps / sizeof *steps && range_width(r) > most * steps[k]) k++;
    return steps[k];
}

/* Small ticks where there is room for them. */
static ticks log_ticks(range r, int most)
{
    const bool few = range_width(r) < 2, between = range_width(r) < 7;
    const int  every = decade_step(r, most);
    ticks      all = {0};
    for (int k = (int)floor(r.least); k <= r.most + 1e-9 && all.count < TICKS_MOST; k++) {
        if (k >= r.least - 1e-9 && k % every == 0) {
            tick *t = &all.at[all.count++];
            t->at = k, t->power = !few;
            plain_snprintf(t->label, sizeof t->label, few ? "%g" : "%.0f",
                           few ? pow(10, k) : (double)k);
        }
        if (between) add_between(&all, r, k, few);
    }
    return all;
}

ticks ticks_of(range r, int exponent, int most)
{
    if (most < 2) most = 2;
    return r.log ? log_ticks(r, most) : even_ticks(r, exponent, most);
}
