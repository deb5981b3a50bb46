/* solve.c - the step length of the energy principle: prediction, Newton's iteration on (Z, h), and
 * a search for a root where that fails.                                       theory.md [ENERGY] */
#include "mech/energy/adaptive.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 40, CORRECTIONS = 3 };
enum { FINEST = 8, OCTAVES = 3 }; /* lengths tried per octave, octaves each way */

static const double CONVERGED = 1e-9;      /* a relative correction that the next one squares  */
static const double NOISE_ADMITTED = 1e-3; /* of h, in one step                                */

/*     dh/h = 4 eps size/|h dphi/dh|: the change of h that roundoff of S makes */
double adaptive_noise(const adaptive *a)
{
    return 4 * DBL_EPSILON * a->size / fabs(a->slope * a->eq->h);
}

/*     e = -(dphi/dh)/(r (r+1) h^(r-1)),   with the sign of h               theory.md [BREAKDOWN] */
double adaptive_coefficient(const adaptive *a)
{
    const double r = a->order;
    return -a->slope / (r * (r + 1) * pow(fabs(a->eq->h), r - 1)) * (a->eq->h < 0 ? -1 : 1);
}

double adaptive_predict(const adaptive *a, double first)
{
    if (a->h[0] == 0 || a->held || (a->anew && a->h[1] == 0)) return first;
    if (a->anew) return a->h[0];
    double ratio = a->h[1] != 0 ? a->h[0] / a->h[1] : 1;
    return a->h[0] * fmin(2, fmax(0.5, ratio));
}

/* Of the unknowns from .. to - 1, relative to the largest of them, which counts as `scale` at
 * least.
 */
static double relative_size(const adaptive *a, double dh, const double *y, int from, int to,
                            double scale)
{
    double most = 0;
    for (int k = from; k < to; k++) {
        most = fmax(most, fabs(a->x[k] + a->c[k] * dh));
        scale = fmax(scale, fabs(y[k]));
    }
    return scale > 0 ? most / scale : 0;
}

/* The largest of |dh/h|, |dZ|/|Z| and |dP|/|P|. Multipliers are not measured: they follow from the
 * others, and may all be 0. */
static double correction_size(const adaptive *a, double dh, const double *y)
{
    const equations *eq = a->eq;
    const double     of_Z = relative_size(a, dh, y, 0, eq->lam, a->wide);
    return fmax(fmax(fabs(dh / eq->h), of_Z), relative_size(a, dh, y, eq->P, eq->size, 0));
}

/* How far S is from the energy that is kept. */
static double missing(const adaptive *a)
{
    return ((a->S - a->E) - a->E_low) - a->shift;
}

/* Z of the step whose length is now h. Where noise ends the search for h, the last correction was
 * not small, and Z belongs to h only up to its square; the energy, which hardly depends on h, would
 * show that. */
static bool correct_curve(adaptive *a, double *y)
{
    for (int k = 0; k < CORRECTIONS; k++) {
        if (!adaptive_assemble(a, y)) return false;
        double size = correction_size(a, 0, y);
        for (int j = 0; j < a->eq->size; j++) y[j] -= a->x[j];
        if (size <= CONVERGED) break;
    }
    return true;
}

/* Newton's iteration on (Z, h), by elimination of the border:
 *     dh = -(S - E - dS/dZ J^-1 R)/(dphi/dh),   dZ = -J^-1 R - c dh
 * h changes by at most a factor two at a time, so never its sign: the mirror root h = -h_{k-1}, the
 * step back, is out of reach. It ends when corrections are small or stop shrinking at the roundoff
 * of a system that is ill-conditioned by nature. */
static bool polish(adaptive *a, double *y)
{
    equations *eq = a->eq;
    double     before = HUGE_VAL;
    for (int k = 0; k < ITERATIONS_MOST; k++) {
        if (!adaptive_assemble(a, y) || a->slope == 0) return false;
        /* S - E at the curve that a correction with h held would lead to */
        double miss = missing(a) - border_dot(a->row, a->x, equations_extent(eq));
        double ratio = fmin(2, fmax(0.5, 1 - miss / a->slope / eq->h));
        double dh = eq->h * (ratio - 1), size = correction_size(a, dh, y);
        for (int j = 0; j < eq->size; j++) y[j] -= a->x[j] + a->c[j] * dh;
        equations_set_step(eq, eq->h * ratio, eq->mirrored);
        a->tried = eq->h;
        if (!(size < HUGE_VAL) || fabs(eq->h) < 1e-9 * fabs(a->h[0])) return false;
        bool last = size <= CONVERGED || (size >= 0.5 * before && size <= 64 * adaptive_noise(a));
        if (last && size < 0.1) return size <= CONVERGED || correct_curve(a, y);
        /* a bounded change of h says nothing about convergence */
        before = ratio == 0.5 || ratio == 2 ? HUGE_VAL : size;
    }
    return false;
}

/* phi(h) at the fixed step of length h, from a y that is nearly it. NaN: there is none. */
static double reduced(adaptive *a, double h, double *y)
{
    const double *none[2] = {0};
    equations_set_step(a->eq, h, a->eq->mirrored);
    a->nw->iterations = 0;
    if (!newton_damped(a->nw, y, none) || !adaptive_assemble(a, y)) return (double)NAN;
    return missing(a);
}

/* phi has different signs at h0 and h1; thirty halvings, then Newton's iteration again. */
static bool bisect(adaptive *a, double h0, double phi0, double h1, double *y)
{
    for (int k = 0; k < 30; k++) {
        double middle = h0 + (h1 - h0) / 2, phi = reduced(a, middle, y);
        if (isnan(phi)) return false;
        if (phi * phi0 > 0) h0 = middle;
        else h1 = middle;
    }
    return polish(a, y);
}

/* Has dphi/dh the sign with which the motion began? A root of the other branch is not accepted.
 *                                                                          theory.md [BREAKDOWN] */
static bool right_branch(const adaptive *a)
{
    return !a->sign || a->slope * a->sign > 0;
}

/* Lengths outward from the last one in one direction, until phi changes its sign on the branch that
 * the motion is on. Whether dphi/dh changes its own is noted: beyond that there is no such root. */
static bool search_outward(adaptive *a, double *y, int way)
{
    double h = a->h[0], phi = reduced(a, h, y);
    for (int k = 1; k <= OCTAVES * FINEST && !isnan(phi); k++) {
        if (!right_branch(a)) return a->outcome = STEP_UNDECIDED, false;
        double next = a->h[0] * exp2((double)(way * k) / FINEST), there = reduced(a, next, y);
        if (there * phi <= 0) return bisect(a, h, phi, next, y) && right_branch(a);
        h = next, phi = there;
    }
    return false;
}

/* Longer steps are tried before shorter ones, each from the same y. */
static bool search(adaptive *a, double *y)
{
    const size_t bytes = (size_t)a->eq->size * sizeof *y;
    a->outcome = STEP_LOST;
    for (int way = 1; way >= -1; way -= 2) {
        memcpy(y, a->kept, bytes);
        if (search_outward(a, y, way)) return a->outcome = STEP_DECIDED, true;
    }
    return false;
}

static bool within_bounds(adaptive *a)
{
    double h = fabs(a->eq->h);
    if (a->bounds.most > 0 && h > a->bounds.most) a->outcome = STEP_TOO_LONG;
    else if (h < a->bounds.least) a->outcome = STEP_TOO_SHORT;
    return a->outcome == STEP_DECIDED;
}

/* Increments may all be 0: a chord that turns back at its middle ends where it began. Its
 * corrections are measured relative to the increments of the last steps, which are returned
 * then. */
static double turned_back(const adaptive *a, const double *y)
{
    static const double LITTLE = 0.01;
    double              now = 0, before = 0;
    for (int k = 0; k < a->eq->lam; k++)
        now = fmax(now, fabs(y[k])), before = fmax(before, a->nw->scale[k]);
    return now < LITTLE * before ? before : 0;
}

/* Where Newton's iteration fails, step lengths are searched for a root. The equation for h is lost
 * in roundoff either suddenly, since e passes through 0, or because it always was small. */
bool adaptive_solve(adaptive *a, double *y)
{
    const size_t bytes = (size_t)a->eq->size * sizeof *y;
    const double predicted = a->eq->h;
    a->iterations = 0, a->outcome = STEP_DECIDED, a->tried = predicted;
    a->wide = turned_back(a, y);
    a->chose = !a->held && !a->anew && a->h[0] != 0;
    if (!a->chose) {
        if (!adaptive_assemble(a, y)) return false;
        /* the branch on which the motion is from now on */
        if (!a->held) a->sign = (a->slope > 0) - (a->slope < 0);
        return true;
    }
    memcpy(a->kept, y, bytes);
    /* found, but h may be determined by little more than roundoff */
    if (polish(a, y) && right_branch(a)) {
        if (adaptive_noise(a) <= NOISE_ADMITTED) return within_bounds(a);
    } else {
        /* not found: is there a root at all, and is it worth a search? */
        memcpy(y, a->kept, bytes);
        reduced(a, predicted, y);
        if (adaptive_noise(a) <= NOISE_ADMITTED) return search(a, y) && within_bounds(a);
    }
    memcpy(y, a->kept, bytes);
    a->outcome = a->noise < NOISE_ADMITTED / 100 ? STEP_UNDECIDED : adaptive_diagnose(a, y);
    return false;
}

/* Of both solves: that of fixed length, which has counted itself, and the extended one. */
static void count_iterations(adaptive *a)
{
    newton_statistics *count = &a->nw->count;
    const int          both = a->nw->iterations + a->iterations;
    count->iterations += a->iterations;
    if (both > count->max_iterations) count->max_iterations = both;
}

/* Begun anew, there are none before. */
static void keep_length(adaptive *a)
{
    if (a->anew) memset(a->h, 0, sizeof a->h);
    memmove(a->h + 1, a->h, (HISTORY_MOST - 1) * sizeof *a->h);
    a->h[0] = a->eq->h;
}

/* What reactions of moving relations add to both: -h w x lam.beta, -h w lam.beta at the nodes. */
static void add_reactions(const equations *eq, const double *y, double *chord, double *gained)
{
    for (int nu = 0; nu < eq->d && eq->sys->rheonomic; nu++) {
        const double *lam = y + eq->lam + nu * eq->relations, *beta = eq->control.out[nu].e;
        const double  work = eq->h * eq->control.b[nu] * border_dot(lam, beta, eq->relations);
        *chord -= eq->control.x[0][nu] * work, *gained -= work;
    }
}

/* The energy at the end of the curve and the power along it:
 *     -D3L_d - g^+ = sum b [e - c h P],   E += -h sum b P                       theory.md [ENERGY]
 */
void adaptive_finish(adaptive *a, const double *y, bool plain)
{
    const equations  *eq = a->eq;
    const work_points of = adaptive_work_points(a);
    const int         n = eq->n;
    double            gained = 0, chord = 0;
    for (int i = 0; i < eq->s; i++) {
        const sys_values *at = &eq->rule.out[i];
        double            P = eq->want.residual & WANT_TIME ? at->Lt : 0, b = eq->rule.b[i];
        chord += b * ((border_dot(at->Lw, adaptive_rates(a, eq->rule.v + i * n), n) - at->L) -
                      eq->rule.x[eq->mirrored][i] * eq->h * P);
        gained -= eq->h * b * P;
    }
    adaptive_place_lines(a, y, false);
    for (int i = 0; eq->sys->forced && i < of.at->count; i++) {
        double power = eq->h * of.at->b[i] * border_dot(of.at->out[i].f, of.at->v + i * n, n);
        chord += of.after[i] * power, gained += power;
    }
    add_reactions(eq, y, &chord, &gained);
    a->chord = chord;
    if (a->anew) a->shift = 0, a->shift = missing(a); /* S becomes what is kept */
    if (a->h[0] == 0) a->E = chord, a->E_low = 0;
    else {
        double d = gained + a->E_low, sum = a->E + d, back = sum - a->E;
        a->E_low = plain ? 0 : (a->E - (sum - back)) + (d - back), a->E = sum;
    }
    keep_length(a);
    a->anew = false, a->noise = adaptive_noise(a);
    count_iterations(a);
}
