/* predict.c - extrapolation through the last steps: constant, linear, quadratic, then cubic,
 * beyond which nothing is gained. */
#include "mech/predict.h"

#include <string.h>

void past_init(past *p, mem *m, int size)
{
    *p = (past){.size = size};
    for (int k = 0; k < PAST_MOST; k++) p->y[k] = mem_array(m, size, double);
}

double *past_oldest(past *p)
{
    return p->y[PAST_MOST - 1];
}

void past_turn(past *p)
{
    double *oldest = past_oldest(p);
    for (int k = PAST_MOST - 1; k > 0; k--) p->y[k] = p->y[k - 1];
    p->y[0] = oldest;
    if (p->count < PAST_MOST) p->count++;
}

void past_push(past *p, const double *y)
{
    memcpy(past_oldest(p), y, (size_t)p->size * sizeof *y);
    past_turn(p);
}

/*     y_{k+1} = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}, and lower orders    theory.md [PREDICT] */
void past_extrapolate(const past *p, double *y)
{
    const double *a = p->y[0], *b = p->y[1], *c = p->y[2], *d = p->y[3];
    switch (p->count) {
    case 1: memcpy(y, a, (size_t)p->size * sizeof *y); break;
    case 2:
        for (int k = 0; k < p->size; k++) y[k] = a[k] + (a[k] - b[k]);
        break;
    case 3:
        for (int k = 0; k < p->size; k++) y[k] = c[k] + 3 * (a[k] - b[k]);
        break;
    default:
        for (int k = 0; k < p->size; k++) y[k] = 4 * (a[k] + c[k]) - 6 * b[k] - d[k];
    }
}
