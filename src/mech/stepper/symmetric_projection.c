/* symmetric_projection.c - the same move x along U before a step and after it,
 *
 *     (q, p)_0 + (U, B_0) x  ->  step  ->  (q, p) + (-1)^d (U, B_1) x = (q, p)_1
 *     B = (L_qw + f_w) U
 *
 * with U^T (p - L_w)_1 = 0. Read backward this is the same with (-1)^(d+1) x in place of x, so it
 * is as symmetric as the step itself. Gauss points transmit a move at the beginning to the end,
 * where it arrives as (-1)^d times itself, without affecting the curve between their points: so the
 * move is half of what is missing at the end, to O(h^2).                  theory.md [DEGENERATE] */
#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PASSES_MOST = 20 };
static const double NOISE = 8 * DBL_EPSILON, HALF = 0.5, TWICE = 2;

/* Does U consist of coordinates, half of which have velocities that appear nowhere (as y in a(x,y)
 * x')? Nothing depends on their initial values, and a projection moves only them. */
static bool half_is_still(const stepper *st)
{
    const dal_system *sys = st->sys;
    const primary    *a = &st->massless.primary;
    const field       of[] = {F_LQW, F_FW};
    int               still = 0;
    for (int j = 0; j < sys->n; j++) {
        double in_U =
            a->massless ? st->grid.of_massless[j] >= 0 && st->grid.of_massless[j] < a->k : 0;
        bool appears = false;
        for (int u = 0; u < a->k && !a->massless; u++)
            in_U += a->U[u * sys->n + j] * a->U[u * sys->n + j];
        for (int f = 0; f < 1 + sys->forced; f++)
            for (int e = sys->K.start[j]; e < sys->K.start[j + 1]; e++)
                appears |= sys->varies[of[f]] &&
                           (!sys->present[of[f]] || sys->present[of[f]][sys->transpose[e]]);
        still += in_U > 1 - 1e-12 && !appears;
    }
    return 2 * still == a->k;
}

/*     bends_nu = P_d(1 - 2 x_nu) - 1,   P_d of Legendre: it is 0 at the Gauss points */
static void find_bends(symmetric_projection *b, const equations *eq)
{
    for (int nu = 1; nu <= eq->d; nu++) {
        const double x = 1 - 2 * eq->control.x[0][nu];
        double       P = x, before = 1;
        for (int k = 1; k < eq->d; k++) {
            const double next = ((2 * k + 1) * x * P - k * before) / (k + 1);
            before = P, P = next;
        }
        b->bends[nu] = P - 1;
    }
}

/* Where f_v varies, U turns, or a chain is solved in passes, the state is moved at the end only. */
void ends_init(stepper *st)
{
    const dal_system     *sys = st->sys;
    symmetric_projection *b = &st->massless.ends;
    const bool            loses = sys->forced && sys->varies[F_FW] == FIELD_VARIES;
    b->needed = st->massless.primary.k && stepper_projects(st) && !half_is_still(st);
    b->fits = b->needed && !loses && !st->eq.rows && st->history;
    if (b->fits) ends_room(st);
}

void ends_room(stepper *st)
{
    symmetric_projection *b = &st->massless.ends;
    const int             n = st->sys->n;
    if (b->kept) return;
    double **of_n[] = {&b->move, &b->shift, &b->reached};
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(st->m, n, double);
    b->kept = mem_array(st->m, 4 * n, double);
    b->moved = mem_array(st->m, st->sch.substeps * ENDS_HISTORY * n, double);
    b->bends = mem_array(st->m, st->eq.d + 1, double);
    find_bends(b, &st->eq);
}

/*     Z^nu += (P_d(1 - 2 x_nu) - 1) shift */
void ends_guess(const stepper *st, double *y)
{
    const symmetric_projection *b = &st->massless.ends;
    const int                   n = st->sys->n;
    memcpy(y, st->last, (size_t)st->eq.size * sizeof *y);
    for (int nu = 1; nu <= st->eq.d; nu++)
        for (int j = 0; j < n; j++) y[(nu - 1) * n + j] += b->bends[nu] * b->shift[j];
}

void ends_exchange(stepper *st, bool back)
{
    const size_t n = (size_t)st->sys->n;
    double      *state[] = {st->q, st->q_low, st->p, st->p_low};
    for (size_t k = 0; k < 4; k++)
        memcpy(back ? state[k] : st->massless.ends.kept + k * n,
               back ? st->massless.ends.kept + k * n : state[k], n * sizeof(double));
}

/* The state before the step, moved by x. */
static bool begin(stepper *st, double t)
{
    primary      *a = &st->massless.primary;
    const double *v = stepper_slope(st);
    const size_t  bytes = (size_t)a->n * sizeof *a->dq;
    ends_exchange(st, true);
    memset(a->dq, 0, bytes);
    if (free_moves_evaluate(a, WANT_GRADIENT | WANT_HESSIAN, t, st->q, st->q_low, v) < 0)
        return false;
    memcpy(a->dq, st->massless.ends.move, bytes);
    free_moves_drag(a);
    stepper_moves(st, st->q, st->q_low, a->dq), stepper_moves(st, st->p, st->p_low, a->dp);
    return true;
}

/* Updates the move: half of the difference between the moves at the end and at the beginning, with
 * Broyden's correction from the last update. */
static double lengthen(symmetric_projection *b, const double *end, double sign, int n, bool first)
{
    double missing = 0, along = 0, square = 0;
    for (int j = 0; j < n; j++) {
        const double half = (sign * end[j] - b->move[j]) / 2;
        along += half * b->shift[j], square += b->shift[j] * b->shift[j];
        missing = fmax(missing, fabs(half));
    }
    /* the part of the last shift that is still missing after it: a secant along the shift */
    const double stays = first || !(square > 0) ? 0 : along / square;
    const double by = fabs(stays) < 0.5 ? 1 / (1 - stays) : 1;
    for (int j = 0; j < n; j++) b->shift[j] = by * (sign * end[j] - b->move[j]) / 2;
    return missing;
}

/* The move at the end that makes (q, p) consistent; how much of it is missing at the beginning; and
 * how far the final state is from that of the last pass. */
static bool look(stepper *st, double t, bool first, double *missing, double *apart, double *size)
{
    primary              *a = &st->massless.primary;
    symmetric_projection *b = &st->massless.ends;
    const double          sign = st->eq.d % 2 ? -1 : 1;
    for (int j = 0; j < a->n; j++) a->dq[j] = sign * b->move[j];
    if (!primary_continue(a, t, st->q, st->q_low, st->p, stepper_slope(st))) return false;
    *missing = lengthen(b, a->dq, sign, a->n, first), *apart = *size = 0;
    for (int j = 0; j < a->n; j++) {
        const double at = st->q[j] + (st->q_low[j] + a->dq[j]);
        *apart = fmax(*apart, fabs(at - b->reached[j]));
        *size = fmax(*size, fabs(at));
        b->reached[j] = at;
    }
    return true;
}

/* Without moves. */
static bool make_plainly(stepper *st, double t, double h, bool mirrored, history *before)
{
    const size_t bytes = (size_t)st->sys->n * sizeof(double);
    memset(st->massless.ends.move, 0, bytes);
    if (!begin(st, t) || !stepper_substep(st, t, h, mirrored, before)) return false;
    memset(st->massless.primary.dq, 0, bytes), memset(st->massless.primary.dp, 0, bytes);
    return true;
}

/* Repeats the step until the moves at both ends agree, or until the difference no longer shows in
 * the final state, which depends on a move by O(h^(d+1)) only. If none is found, the state is not
 * projected. */
static bool make(stepper *st, double t, double h, bool mirrored, history *before)
{
    symmetric_projection *b = &st->massless.ends;
    const double          work = st->work;
    double                missing, earlier = HUGE_VAL, apart, size;
    for (int pass = 0; pass < PASSES_MOST; pass++) {
        st->work = work, b->again = pass > 0;
        if (!begin(st, t) || !stepper_substep(st, t, h, mirrored, before)) return false;
        if (!look(st, t + h, !pass, &missing, &apart, &size)) {
            st->work = work, b->again = false;
            return make_plainly(st, t, h, mirrored, before);
        }
        /* the final state moves by `apart` per pass, and each pass leaves missing/earlier of
         * that */
        const double left = pass ? apart * missing / earlier : HUGE_VAL;
        if (missing <= DBL_EPSILON * size || left <= DBL_EPSILON / 4 * size) break;
        /* what is missing has stopped shrinking: sooner where the state moves by noise only */
        if (pass > 1 && missing > (apart <= NOISE * size ? HALF : TWICE) * earlier) break;
        if (pass == PASSES_MOST - 1) break;
        for (int j = 0; j < st->sys->n; j++) b->move[j] += b->shift[j];
        earlier = missing;
    }
    return true;
}

/* The last moves of this substep, newest first, and the extrapolation of the parabola through
 * them. */
static double *moves_of(const stepper *st, const history *before)
{
    return st->massless.ends.moved + (before - st->history) * ENDS_HISTORY * st->sys->n;
}

static void predict(symmetric_projection *b, const double *moved, int count, int n)
{
    static const double next[][ENDS_HISTORY] = {{0}, {1}, {2, -1}, {3, -3, 1}};
    const double       *c = next[count < ENDS_HISTORY ? count : ENDS_HISTORY];
    for (int j = 0; j < n; j++)
        b->move[j] = c[0] * moved[j] + c[1] * moved[n + j] + c[2] * moved[2 * n + j];
}

/* A watcher sees the curve before the last move, as the tangent needs it. */
bool ends_substep(stepper *st, double t, double h, bool mirrored, history *before)
{
    symmetric_projection *b = &st->massless.ends;
    primary              *a = &st->massless.primary;
    const int             n = st->sys->n;
    double               *moved = moves_of(st, before);
    ends_exchange(st, false);
    predict(b, moved, before->count, n);
    const bool made = make(st, t, h, mirrored, before);
    b->again = false;
    if (!made) return ends_exchange(st, true), false;
    if (st->watch.asked) st->watch.tell(st->watch.self, st);
    memmove(moved + n, moved, (size_t)((ENDS_HISTORY - 1) * n) * sizeof *moved);
    memcpy(moved, b->move, (size_t)n * sizeof *moved);
    stepper_moves(st, st->q, st->q_low, a->dq), stepper_moves(st, st->p, st->p_low, a->dp);
    return true;
}

int stepper_solves(const stepper *st)
{
    enum { AT_BOTH_ENDS = 4 };
    return st->massless.ends.fits ? AT_BOTH_ENDS : 1;
}
