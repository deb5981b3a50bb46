/* apply_correction.c - subtracts a correction from the unknowns and measures it, a stretch at a
 * time, so that memory is read once for all measures; and the operations on unknowns that are all
 * in this process. */
#include "mech/solve/newton.h"

#include "step/words.h"

#include "step/judge.h"

/* unknowns at a time; sums that do not wait for each other; one by one */
enum { STRETCH = 512, AT_ONCE = 4, FEW = 8 };

static inline double max(double x, double y)
{
    return x > y ? x : y;
}

/* The scale of an unknown: its size now and in the last two steps. */
static void find_scales(const newton *nw, const double *y, const double *const known[2], int from,
                        int to)
{
    const double *restrict a = known[0] ? known[0] : y, *restrict b = known[1] ? known[1] : y;
    double *restrict scale = nw->scale;
    for (int k = from; k < to; k++) scale[k] = max(fabs(b[k]), max(fabs(a[k]), fabs(y[k])));
}

static void scales(newton *nw, const double *y, const double *const *known)
{
    const int size = nw->eq->size;
    if (known) find_scales(nw, y, known, 0, size);
    for (int k = 0; !known && k < size; k++) nw->scale[k] = max(fabs(y[k]), nw->scale[k]);
}

/* By the impulse h w A lam that multipliers make, too. Few are that small, so few divisions are
 * made. */
static void reaction_scales(newton *nw)
{
    const equations *eq = nw->eq;
    const pattern   *A = &eq->sys->A;
    for (int nu = 0; nu < eq->d; nu++)
        for (int a = 0; a < eq->relations; a++) {
            const double *of = reaction_at(eq, a, nu)->A;
            double       *scale = &nw->scale[eq->lam + nu * eq->relations + a];
            for (int k = A->start[a]; k < A->start[a + 1]; k++) {
                const double p = fabs(eq->p[A->column[k]]), impulse = fabs(eq->impulse[nu] * of[k]);
                if (p > *scale * impulse) widen(scale, p, impulse);
            }
        }
}

/* One by one: the largest d/s so far. */
static double relative(const newton *nw, const double *delta, const double *y, int from, int to,
                       double largest)
{
    for (int k = from; k < to; k++)
        if (!measure(&largest, delta[k], y[k], nw->scale[k])) return HUGE_VAL;
    return largest;
}

/* Does some d exceed `largest` times its s, or is it NaN? Usually none does, and that is seen
 * without a division. */
static bool exceeds(const newton *nw, const double *restrict delta, const double *restrict y,
                    int from, int to, double largest)
{
    const double *restrict scale = nw->scale;
    double over[AT_ONCE] = {0}, bad[AT_ONCE] = {0};
    int    k = from;
    for (; k + AT_ONCE <= to; k += AT_ONCE)
        for (int l = 0; l < AT_ONCE; l++) {
            double d = fabs(delta[k + l]), s = max(fabs(y[k + l]), scale[k + l]);
            over[l] = max(d - largest * s, over[l]), bad[l] += d - d;
        }
    for (; k < to; k++) {
        double d = fabs(delta[k]), s = max(fabs(y[k]), scale[k]);
        over[0] = max(d - largest * s, over[0]), bad[0] += d - d;
    }
    return over[0] + over[1] + over[2] + over[3] > 0 || !(bad[0] + bad[1] + bad[2] + bad[3] == 0);
}

/* The division is made only where `largest` is exceeded. */
static double relative_over(const newton *nw, const double *delta, const double *y, int from,
                            int to, double largest)
{
    if (largest == HUGE_VAL || !exceeds(nw, delta, y, from, to, largest)) return largest;
    return relative(nw, delta, y, from, to, largest);
}

/* The largest |delta|/max(|y|, scale), stretch by stretch. */
static double relative_size(const newton *nw, const double *delta, const double *y)
{
    double largest = 0;
    for (int from = 0, size = nw->eq->size; from < size; from += STRETCH)
        largest = relative_over(nw, delta, y, from, from + STRETCH < size ? from + STRETCH : size,
                                largest);
    return largest;
}

/* The largest correction and the largest unknown of a block, in lanes. */
static void extend(const newton *nw, const double *restrict delta, const double *restrict y,
                   int from, int to, double *d, double *s)
{
    const double *restrict scale = nw->scale;
    double most[AT_ONCE] = {0}, size[AT_ONCE] = {0};
    int    k = from;
    for (; k + AT_ONCE <= to; k += AT_ONCE)
        for (int l = 0; l < AT_ONCE; l++) {
            most[l] = max(fabs(delta[k + l]), most[l]);
            size[l] = max(max(fabs(y[k + l]), scale[k + l]), size[l]);
        }
    for (; k < to; k++) {
        most[0] = max(fabs(delta[k]), most[0]);
        size[0] = max(max(fabs(y[k]), scale[k]), size[0]);
    }
    for (int l = 0; l < AT_ONCE; l++) *d = max(most[l], *d), *s = max(size[l], *s);
}

/* Increments and stage momenta are two blocks, each measured by its largest unknown. Multipliers
 * are left out: they enter linearly, so they are right as soon as the others are. */
typedef struct {
    double d[2], s[2];
} blocks;

static void extend_blocks(const newton *nw, const double *delta, const double *y, int from, int to,
                          blocks *b)
{
    const equations *eq = nw->eq;
    const int        end = to < eq->lam ? to : eq->lam, begin = from > eq->P ? from : eq->P;
    extend(nw, delta, y, from, end, &b->d[0], &b->s[0]);
    extend(nw, delta, y, begin, to, &b->d[1], &b->s[1]);
}

/* The larger of the two blocks' largest correction over largest unknown. */
static double ratio(const blocks *b)
{
    return larger_ratio(larger_ratio(0, b->d[0], b->s[0]), b->d[1], b->s[1]);
}

/* Of a correction that y is left without. */
static correction measure_all(const newton *nw, const double *delta, const double *y)
{
    blocks b = {{0}, {0}};
    extend_blocks(nw, delta, y, 0, nw->eq->size, &b);
    return (correction){relative_size(nw, delta, y), ratio(&b)};
}

/* The same of few unknowns, in one pass without lanes. */
static correction apply_correction_to_few(newton *nw, double *y, const double *const *known)
{
    const int     size = nw->eq->size, lam = nw->eq->lam, P = nw->eq->P;
    const double *delta = nw->delta, *last = known && known[0] ? known[0] : y,
                 *before = known && known[1] ? known[1] : y;
    double largest = 0, d[2] = {0}, s[2] = {0};
    for (int k = 0; k < size; k++) {
        const double was = fabs(y[k]), a = fabs(last[k]), b = fabs(before[k]);
        if (known) nw->scale[k] = a > was ? (b > a ? b : a) : b > was ? b : was;
        y[k] -= delta[k];
        if (!measure(&largest, delta[k], y[k], nw->scale[k])) largest = HUGE_VAL;
        if (k >= lam && k < P) continue;
        const int    of = k >= P;
        const double change = fabs(delta[k]), now = fabs(y[k]);
        const double size_of = now > nw->scale[k] ? now : nw->scale[k];
        if (change > d[of]) d[of] = change;
        if (size_of > s[of]) s[of] = size_of;
    }
    return (correction){largest, larger_ratio(larger_ratio(0, d[0], s[0]), d[1], s[1])};
}

/* Stretch by stretch, so that y and delta are in cache for all that is done with them. */
static correction apply_correction(newton *nw, double *y, const double *const *known)
{
    const int  size = nw->eq->size;
    blocks     b = {{0}, {0}};
    correction made = {0, 0};
    for (int from = 0, to; from < size; from = to) {
        to = from + STRETCH < size ? from + STRETCH : size;
        if (known) find_scales(nw, y, known, from, to);
        for (int k = from; k < to; k++) y[k] -= nw->delta[k];
        made.relative = relative_over(nw, nw->delta, y, from, to, made.relative);
        extend_blocks(nw, nw->delta, y, from, to, &b);
    }
    made.overall = ratio(&b);
    return made;
}

/* Sums and products. --------------------------------------------------------------------------- */

static void add(const newton *nw, double *y, const double *x, double c, const double *d)
{
    for (int k = 0; k < nw->eq->size; k++) y[k] = x[k] + c * d[k];
}

static void divide(const newton *nw, double *x, double c)
{
    for (int k = 0; k < nw->eq->size; k++) x[k] /= c;
}

static double largest(const newton *nw, const double *x)
{
    return largest_of(0, x, 0, nw->eq->size);
}

/* Multipliers, which have no diagonal entry, do not count: they enter linearly. */
static double product(const newton *nw, const double *a, const double *b)
{
    const double *J = nw->now->kept;
    double        sum = 0;
    for (int k = 0; k < nw->eq->size; k++)
        if (nw->diagonal[k] >= 0) sum += fabs(J[nw->diagonal[k]]) * a[k] * b[k];
    return sum;
}

/* When corrections say no more. ---------------------------------------------------------------- */

/* Reactions are found together, so that one which is 0 has the roundoff of the others. */
static double reaction_roundoff(const newton *nw)
{
    const equations *eq = nw->eq;
    return eq->relations ? EPSILON * largest_of(0, nw->natural, 0, eq->lam) : 0;
}

/*     |r_k| <= 64 eps (sum of the sizes of what row k adds up) */
static bool residual_is_roundoff(newton *nw, const double *y)
{
    if (nw->eq->rows || !nw->recorded)
        equations_evaluate(nw->eq, y, nw->recorded ? nw->trial : nw->r);
    equations_row_sizes(nw->eq, y, nw->natural);
    const double beside = reaction_roundoff(nw);
    for (int k = 0; k < nw->eq->size; k++)
        if (!(fabs(nw->r[k]) <= 64 * EPSILON * nw->natural[k] + (k < nw->eq->lam ? beside : 0)))
            return false;
    return true;
}

double newton_displacement(const newton *nw, const double *y)
{
    const equations *eq = nw->eq;
    const pattern   *J = &eq->J;
    double           most = 0;
    if (!eq->relations || eq->shot) return 0;
    equations_row_sizes(eq, y, nw->natural);
    for (int k = 0; k < eq->lam; k++) {
        double stiffest = 0;
        for (int e = J->start[k]; e < J->start[k + 1]; e++)
            if (J->column[e] < eq->lam) stiffest = fmax(stiffest, fabs(eq->values[e]));
        if (stiffest > 0) most = fmax(most, nw->natural[k] / stiffest);
    }
    return most;
}

/* Where relations hold everything, increments are the roundoff of what forces would make. In passes
 * delta was not stored; its largest number was. */
static bool correction_is_noise(const newton *nw, const double *y)
{
    const equations *eq = nw->eq;
    if (!nw->in_passes && eq->relations && eq->P == eq->size &&
        largest_of(0, nw->delta, 0, eq->lam) <= 64 * EPSILON * newton_displacement(nw, y))
        return true;
    if (nw->in_passes)
        return nw->largest <=
               64 * EPSILON * largest_of(largest_of(0, eq->q, 0, eq->n), y, 0, eq->lam);
    return is_noise(eq->n, eq->lam, eq->P, eq->size, eq->q, eq->p, nw->delta, y);
}

static bool reactions_have_converged(const newton *nw, const double *y)
{
    return reactions_hold(nw->eq->lam, nw->eq->P, nw->delta, y, nw->scale);
}

unknown_operations unknown_operations_here(int size)
{
    return (unknown_operations){
        .residual = equations_residual,
        .factor = equations_factor,
        .solve = equations_divide,
        .scales = scales,
        .reaction_scales = reaction_scales,
        .apply = size <= FEW ? apply_correction_to_few : apply_correction,
        .measure = measure_all,
        .add = add,
        .divide = divide,
        .largest = largest,
        .product = product,
        .is_noise = correction_is_noise,
        .reactions_hold = reactions_have_converged,
        .is_met = residual_is_roundoff,
    };
}
