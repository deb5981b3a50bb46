/* extrapolation.h - Gragg's midpoint rule, extrapolated: an integrator that shares nothing with the
 * schemes under test. Numbers are of the type REAL, long double unless the file that includes this
 * says otherwise. */
#ifndef CLAIMS_EXTRAPOLATION_H
#define CLAIMS_EXTRAPOLATION_H

typedef long double real;
typedef void        rates_of(const void *self, real t, const real *y, real *dy);

enum { EXTRAPOLATION_COLUMNS = 8, EXTRAPOLATION_MOST = 16 };

/* One pass of n midpoint steps over h, from y to `to`. */
static inline void gragg(rates_of *rates, const void *self, int size, real t, real h, int n,
                         const real *y, real *to)
{
    real a[EXTRAPOLATION_MOST], b[EXTRAPOLATION_MOST], dy[EXTRAPOLATION_MOST], part = h / n;
    rates(self, t, y, dy);
    for (int i = 0; i < size; i++) a[i] = y[i], b[i] = y[i] + part * dy[i];
    for (int j = 1; j < n; j++) {
        rates(self, t + j * part, b, dy);
        for (int i = 0; i < size; i++) {
            real next = a[i] + 2 * part * dy[i];
            a[i] = b[i], b[i] = next;
        }
    }
    rates(self, t + h, b, dy);
    for (int i = 0; i < size; i++) to[i] = (a[i] + b[i] + part * dy[i]) / 2;
}

/* table[k][j], j <= k: the value from n_k-j .. n_k steps, whose error is of order h^(2j+2). */
static inline void extrapolated_step(rates_of *rates, const void *self, int size, real t, real h,
                                     real *y)
{
    real table[EXTRAPOLATION_COLUMNS][EXTRAPOLATION_COLUMNS][EXTRAPOLATION_MOST];
    for (int k = 0; k < EXTRAPOLATION_COLUMNS; k++) {
        gragg(rates, self, size, t, h, 2 * (k + 1), y, table[k][0]);
        for (int j = 1; j <= k; j++) {
            real ratio = (real)(k + 1) / (real)(k + 1 - j), gain = ratio * ratio - 1;
            for (int i = 0; i < size; i++)
                table[k][j][i] =
                    table[k][j - 1][i] + (table[k][j - 1][i] - table[k - 1][j - 1][i]) / gain;
        }
    }
    for (int i = 0; i < size; i++)
        y[i] = table[EXTRAPOLATION_COLUMNS - 1][EXTRAPOLATION_COLUMNS - 1][i];
}

static inline void extrapolate(rates_of *rates, const void *self, int size, real t, real until,
                               int steps, real *y)
{
    real h = (until - t) / steps;
    for (int k = 0; k < steps; k++) extrapolated_step(rates, self, size, t + k * h, h, y);
}

#endif
