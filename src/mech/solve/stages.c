/* stages.c - computes the tables of stages.h from the basis of the curve. */
#include "mech/solve/stages.h"

#include <math.h>

typedef long double real;
#define ABS fabsl
#define WITHIN static inline
#include "step/echelon.h"

void table_solve(mem *m, const long double *a, long double *b, int d, int S)
{
    const int    columns = d + S;
    long double *both = mem_array(m, d * columns, long double), product;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) both[i * columns + j] = a[i * d + j];
        for (int j = 0; j < S; j++) both[i * columns + d + j] = b[i * S + j];
    }
    echelon(both, d, columns, NULL, d, 0, &product);
    for (int k = 0; k < d * S; k++) b[k] = both[k / S * columns + d + k % S];
}

/* l_nu and l'_nu at c */
static void basis_at(const equations *eq, long double c, long double *l, long double *dl)
{
    const double *x = eq->control.x[0];
    for (int nu = 0; nu <= eq->d; nu++) {
        l[nu] = 1, dl[nu] = 0;
        for (int m = 0; m <= eq->d; m++) {
            if (m == nu) continue;
            long double rest = 1 / ((long double)x[nu] - x[m]);
            l[nu] *= (c - x[m]) * rest;
            for (int k = 0; k <= eq->d; k++)
                if (k != nu && k != m) rest *= (c - x[k]) / ((long double)x[nu] - x[k]);
            dl[nu] += rest;
        }
    }
}

/* A multiple of 2^-digits. */
static double rounded(long double x, int digits)
{
    return (double)ldexpl(rintl(ldexpl(x, digits)), -digits);
}

/*     E = -T^-1 l,  T = sum_i b_i l'_nu l'_mu */
stage_tables stages_of(mem *m, const equations *eq, int side, int digits)
{
    const samples *s = &eq->rule;
    const int      d = eq->d, S = s->count, e = d + 1;
    stage_tables   t = {.d = d, .S = S, .digits = digits, .b = s->b};
    long double   *T = mem_array(m, d * d, long double);
    t.c = mem_array(m, S, double), t.E = mem_array(m, d * S, long double);
    t.l = mem_array(m, S * e, long double), t.dl = mem_array(m, S * e, long double);
    for (int i = 0; i < S; i++) {
        /* 1 - c_i is then exact */
        t.c[i] = rounded(s->x[side][i], digits);
        basis_at(eq, t.c[i], t.l + i * e, t.dl + i * e);
    }
    for (int nu = 0; nu < d; nu++)
        for (int i = 0; i < S; i++) {
            t.E[nu * S + i] = -t.l[i * e + nu];
            for (int mu = 0; mu < d; mu++)
                T[nu * d + mu] += s->b[i] * t.dl[i * e + nu] * t.dl[i * e + mu + 1];
        }
    table_solve(m, T, t.E, d, S);
    return t;
}

/*     sum_mu at_mu E_mu,k,   at: l or l' at a point */
static long double combined(const stage_tables *t, const long double *at, int k)
{
    long double sum = 0;
    for (int mu = 0; mu < t->d; mu++) sum += at[mu + 1] * t->E[mu * t->S + k];
    return sum;
}

/* C_ik - c_i is rounded to a digit less than c_i: their sum is exact. */
double stage_position(const stage_tables *t, int i, int k)
{
    const int first = i < k ? i : k, last = i < k ? k : i;
    return rounded(combined(t, t->l + first * (t->d + 1), last) - t->c[first], t->digits - 1) +
           t->c[i];
}

double stage_velocity(const stage_tables *t, int i, int k)
{
    return (double)combined(t, t->dl + i * (t->d + 1), k);
}

double stage_node(const stage_tables *t, int mu, int k)
{
    return mu == t->d - 1 ? 1 - t->c[k] : (double)t->E[mu * t->S + k];
}
