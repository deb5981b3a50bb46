/* tulczyjew.c - the maps of the discrete Tulczyjew triple, as a table of signed permutations. */
#include "mech/dirac/tulczyjew.h"

/* Block k of the image is sign[k] times block from[k] of the argument.     theory.md [TULCZYJEW] */
/* clang-format off */
static const struct {
    int from[4], sign[4];
} table[] = {
    [KAPPA]       = {{0, 2, 1, 3}, { 1, 1, -1,  1}},
    [OMEGA_PLUS]  = {{0, 3, 1, 2}, { 1, 1,  1,  1}},
    [OMEGA_MINUS] = {{1, 2, 0, 3}, { 1, 1, -1, -1}},
    [GAMMA_PLUS]  = {{0, 3, 2, 1}, { 1, 1, -1,  1}},
    [GAMMA_MINUS] = {{2, 1, 0, 3}, {-1, 1, -1, -1}},
};
/* clang-format on */

/*     y_k = sign_k x_from(k), block by block */
void triple_apply(triple_map map, int n, const double *x, double *y)
{
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++)
            y[k * n + i] = table[map].sign[k] * x[table[map].from[k] * n + i];
}

/* Signs are their own inverse. */
void triple_invert(triple_map map, int n, const double *y, double *x)
{
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++)
            x[table[map].from[k] * n + i] = table[map].sign[k] * y[k * n + i];
}

void dirac_differential(triple_map gamma, int n, const double *q0, const double *q1,
                        const double *d1ld, const double *d2ld, double *alpha)
{
    const double *block[] = {q0, q1, d1ld, d2ld};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++)
            alpha[k * n + i] = table[gamma].sign[k] * block[table[gamma].from[k]][i];
}
