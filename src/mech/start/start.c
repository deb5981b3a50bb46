/* start.c - completes what was given to a consistent start.                       theory.md [START]
 *
 * w is the argument of Lambda: v of a Lagrangian coordinate, p of a Hamiltonian one. What is given
 * is w or Lambda_w (p, or -v), coordinate by coordinate; the missing ones follow from
 * Lambda_w(t,q,w) = given. */
#include "mech/start/inside.h"

#include "mech/rotation/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Does Lambda_w of coordinate i depend on any w, here? */
bool start_has_inertia(const work *k, int i)
{
    const pattern *K = &k->sys->K;
    const uint8_t *present = k->sys->present[F_LWW];
    if (k->sys->varies[F_LWW] == FIELD_ZERO) return false;
    for (int e = K->start[i]; e < K->start[i + 1]; e++)
        if ((!present || present[e]) && k->out.on_K[F_LWW][e] != 0) return true;
    return false;
}

void start_say_coordinate(work *k, int i)
{
    if (k->sys->coordinate_name) k->sys->coordinate_name(k->sys->self, i, k->why);
    else text_printf(k->why, "coordinate %d", i + 1);
}

/* Room for what a start is made of; L_q and most second derivatives are not read. */
static void prepare(work *k)
{
    const int   n = k->n, K = pattern_count(&k->sys->K), A = pattern_count(&k->sys->A);
    sys_values *out = &k->out;
    double    **of_n[] = {&out->Lw, &k->w, &k->v};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = mem_array(k->m, n, double);
    out->Lq = sys_room(k->m, k->sys, false, n);
    for (int f = F_LQQ; f <= F_LWW; f++) out->on_K[f] = sys_room(k->m, k->sys, f == F_LWW, K);
    out->e = mem_array(k->m, k->relations, double);
    out->A = mem_array(k->m, A, double);
    out->g = mem_array(k->m, k->sys->r, double);
    k->at = (sys_point){.t = k->s->t, .q = k->s->q, .w = k->w, .v = k->v};
}

/* With the place in the model where a value is not finite, if the system knows it. */
static dal_status not_finite(work *k)
{
    text_add(k->why, "the system has no finite value at the start");
    if (k->sys->nonfinite_source) {
        text_add(k->why, ": ");
        k->sys->nonfinite_source(k->sys->self, &k->at, k->why);
    }
    return DAL_INVALID;
}

/* Relations. ----------------------------------------------------------------------------------- */

/* The size of the terms of relation a, relative to which its value is a violation. An x that is 0
 * counts as the largest of all, so that neither atoms nor planets are measured in metres. */
static double terms_of(const work *k, int a, const double *x, double unit)
{
    const pattern *A = &k->sys->A;
    double         sum = 0, most = 0;
    for (int e = A->start[a]; e < A->start[a + 1]; e++) {
        /* sum_j |A_aj x_j|, but at least the largest coefficient times the unit */
        double c = fabs(k->out.A[e]);
        sum += c * fabs(x[A->column[e]]);
        most = fmax(most, c);
    }
    return most > 0 ? fmax(sum, most * unit) : 1;
}

double start_largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* The relation with the largest violation, or -1. value: g for positions, e for velocities; unit: x
 * was as large as that. */
static int violated(const work *k, int from, int to, const double *value, const double *x,
                    double unit)
{
    int    worst = -1;
    double most = START_TOLERATED;
    unit = fmax(unit, start_largest(x, k->n));
    if (unit <= DBL_MIN / DBL_EPSILON) unit = 1; /* smaller ones have no digits left */
    for (int a = from; a < to; a++) {
        double ratio = fabs(value[a - from]) / terms_of(k, a, x, unit);
        if (!(ratio <= most)) most = ratio, worst = a;
    }
    return worst;
}

/* Advice: mark something as free, or, where that was tried, start elsewhere. */
static const char *advice(const work *k)
{
    bool free = k->may == REACH_ALL;
    for (int i = 0; i < k->n && !free; i++) free = given(k, i) & (FREE_Q | FREE_V | FREE_P);
    if (!free)
        return "change the start, or mark as 'free' what may move to satisfy it (--project-start "
               "moves all)";
    return k->may == REACH_ALL
               ? "no state nearby was found that satisfies it: start closer to one "
                 "that does"
               : "the free values cannot satisfy it from this start: start closer to "
                 "a state that does, or mark more values as free (--project-start "
                 "moves all)";
}

static dal_status refuse(work *k, int a, double value, const char *what)
{
    k->s->violates = a;
    text_add(k->why, "the start violates ");
    if (k->sys->relation_name) k->sys->relation_name(k->sys->self, a, k->why);
    else text_printf(k->why, "relation %d", a + 1);
    text_printf(k->why, ": %s is off by %.6g; %s", what, value, advice(k));
    return DAL_INVALID;
}

static bool may_move_position(const work *k, int i)
{
    const unsigned bits = given(k, i);
    if (k->may == REACH_ALL || bits & FREE_Q) return true;
    if (k->may == REACH_UNSAID) return !(bits & GIVEN_Q);
    return k->may == REACH_TIED && bits & TIED_Q;
}

/* A velocity that was not given follows where its position is free; without inertia it is not part
 * of the state, and the relations determine it. */
static bool may_move_velocity(const work *k, int i)
{
    const unsigned bits = given(k, i);
    if (k->may == REACH_ALL || bits & (FREE_V | FREE_P)) return true;
    if (!is_phase(k, i) && !(bits & GIVEN_V) && !start_has_inertia(k, i)) return true;
    if (bits & (GIVEN_V | GIVEN_P)) return false;
    return k->may == REACH_UNSAID || bits & FREE_Q ||
           (k->may == REACH_TIED && bits & (TIED_Q | TIED_V));
}

/*     row a:   A_aj for v_j = w_j,   -A_aj (Lambda_ww)_jc for v_j = -(Lambda_w)_j */
sparse_entries start_relation_entries(const work *k, mem *m, int from, int to, bool in_w)
{
    const pattern *A = &k->sys->A, *K = &k->sys->K;
    sparse_entries B = {0};
    for (int a = from; a < to; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            int j = A->column[e];
            if (!in_w || !is_phase(k, j)) {
                sparse_add(m, &B, a - from, j, k->out.A[e]);
                continue;
            }
            for (int c = K->start[j]; c < K->start[j + 1]; c++)
                sparse_add(m, &B, a - from, K->column[c], -k->out.A[e] * k->out.on_K[F_LWW][c]);
        }
    return B;
}

/* Changes x to remove `value` from relations from..to-1; false: impossible. */
static bool move(work *k, int from, int to, const double *value, bool (*movable)(const work *, int),
                 bool in_w, double *x)
{
    mem           *m = mem_child(k->m);
    const int      n = k->n;
    sparse_entries B = start_relation_entries(k, m, from, to, in_w);
    uint8_t       *may = mem_array(m, n, uint8_t);
    double        *dx = mem_array(m, n, double);
    for (int i = 0; i < n; i++) may[i] = movable(k, i);
    bool good = least_change(m, &B, to - from, n, may, value, dx);
    for (int i = 0; i < n && good; i++) {
        x[i] += dx[i];
        if (dx[i] != 0 && (k->may != REACH_FREE || given(k, i) & (FREE_Q | FREE_V | FREE_P)))
            k->s->moved = true;
    }
    mem_free(m);
    return good;
}

/* Gauss-Newton: q moves by the least change that removes g to first order, until g is roundoff. */
static dal_status project_positions(work *k)
{
    const int m = k->sys->m, all = k->relations;
    double    before = HUGE_VAL;
    for (int it = 0; k->sys->r; it++) {
        if (!evaluate(k, WANT_RELATIONS | WANT_HOLONOMIC)) return not_finite(k);
        int    a = violated(k, m, all, k->out.g, k->s->q, 0);
        double worst = start_largest(k->out.g, k->sys->r);
        if (a < 0 && (it == 0 || !(worst < before / 2))) break; /* nothing to do, or roundoff */
        before = worst;
        if ((a >= 0 && it > START_ITERATIONS_MOST) ||
            !move(k, m, all, k->out.g, may_move_position, false, k->s->q))
            return refuse(k, a, k->out.g[a - m], "its left side");
    }
    return DAL_OK;
}

/* Velocities and momenta. ---------------------------------------------------------------------- */

/* Linear in v, so one move does for Lagrangian coordinates; v of Hamiltonian ones is a function
 * of p, which moves instead. Where only v = 0 is left, what is roundoff is told by v as it was. */
static dal_status project_velocities(work *k)
{
    double before = HUGE_VAL, unit = 0;
    for (int it = 0; k->relations; it++) {
        if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN)) return not_finite(k);
        spread(k);
        if (!evaluate(k, WANT_RELATIONS)) return not_finite(k);
        unit = fmax(unit, start_largest(k->v, k->n));
        int    a = violated(k, 0, k->relations, k->out.e, k->v, unit);
        double worst = start_largest(k->out.e, k->relations);
        if (a < 0 && (it == 0 || !(worst < before / 2))) break;
        before = worst;
        if ((a >= 0 && it > START_ITERATIONS_MOST) ||
            !move(k, 0, k->relations, k->out.e, may_move_velocity, true, k->w))
            return refuse(k, a, k->out.e[a], "the velocity in it");
    }
    return DAL_OK;
}

/* Positions first, since momenta and velocities depend on them; then w from what was given, then
 * the relations on velocities, and at last v and p of everything. */
static dal_status complete(work *k)
{
    const int  n = k->n;
    dal_status bad = project_positions(k);
    if (bad) return bad;
    /* from here on only velocities can fail, and more of them may move (start_complete) */
    k->placed = true, k->may = k->may_velocities;
    if (k->sys->charts) turning_take_rows(k->sys->turns, n, k->s->q);
    for (int i = 0; i < n; i++)
        k->w[i] = is_dual(k, i) ? 0 : is_phase(k, i) ? k->s->p[i] : k->s->v[i];
    if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN)) return not_finite(k);
    bool any = false;
    for (int i = 0; i < n; i++) any |= is_dual(k, i);
    if (any && (bad = start_momenta(k))) return bad;
    if ((bad = project_velocities(k))) return bad;
    /* Lambda_w at the final w: p of Lagrangian coordinates, -v of Hamiltonian ones */
    if (!evaluate(k, WANT_GRADIENT)) return not_finite(k);
    if (any && !k->s->moved && (bad = start_check_momenta(k))) return bad;
    spread(k);
    for (int i = 0; i < n; i++) {
        k->s->v[i] = k->v[i];
        k->s->p[i] = is_phase(k, i) ? k->w[i] : k->out.Lw[i];
        if (!isfinite(k->s->v[i]) || !isfinite(k->s->p[i])) return not_finite(k);
    }
    return DAL_OK;
}

/* may: what positions, and what velocities, may be changed. */
static dal_status attempt(mem *m, dal_system *sys, start *s, const reach may[2], bool *placed,
                          text *why)
{
    work k = {.sys = sys, .s = s, .m = m, .n = sys->n, .relations = sys->m + sys->r, .why = why};
    k.may = may[0], k.may_velocities = may[1], s->moved = false;
    prepare(&k);
    const dal_status bad = complete(&k);
    *placed = k.placed;
    return bad;
}

/* Velocities do not enter g, so they are 0. */
bool start_holds(mem *m, dal_system *sys, double t, const double *q, text *why)
{
    const int r = sys->r, rows = sys->m + r;
    double   *zero = mem_array(m, sys->n, double), *at = mem_array(m, sys->n, double);
    start     s = {.t = t, .q = at, .v = zero, .p = zero};
    work      k = {.sys = sys, .s = &s, .m = m, .n = sys->n, .relations = rows, .why = why};
    if (!r) return true;
    memcpy(at, q, (size_t)sys->n * sizeof *at);
    prepare(&k);
    if (!evaluate(&k, WANT_RELATIONS | WANT_HOLONOMIC)) return not_finite(&k), false;
    int a = violated(&k, sys->m, rows, k.out.g, at, 0);
    if (a < 0) return true;
    text_add(why, "the state violates ");
    sys->relation_name(sys->self, a, why);
    text_printf(why, ": its left side is off by %.6g", k.out.g[a - sys->m]);
    return false;
}

static bool is_tied_to_free(const start *s, int n)
{
    bool tied = false;
    for (int i = 0; s->given && i < n; i++) tied |= s->given[i] & (TIED_Q | TIED_V);
    return tied;
}

/* Only what must move is moved: what was given moves only where nothing less suffices, velocities
 * as little as the positions allow. */
dal_status start_complete(mem *m, dal_system *sys, start *s, text *why)
{
    const int    width = turning_width(sys->turns, sys->n);
    const size_t bytes = (size_t)sys->n * sizeof(double), all = (size_t)width * sizeof(double);
    const reach  most = s->project                   ? REACH_ALL
                        : is_tied_to_free(s, sys->n) ? REACH_TIED
                                                     : REACH_FREE;
    double      *given[] = {s->q, s->v, s->p};
    double      *kept = mem_array(m, most > REACH_FREE ? 3 * width : 0, double);
    dal_status   bad = DAL_INVALID;
    for (int k = 0; k < 3 && most > REACH_FREE; k++)
        memcpy(kept + k * width, given[k], k ? bytes : all);
    s->violates = -1;
    /* positions move as little as will do; for each choice of them, velocities likewise */
    for (reach q = REACH_FREE; bad && q <= most; q++) {
        bool placed = true;
        for (reach v = REACH_FREE; bad && placed && v <= most; v++) {
            for (int k = 0; k < 3 && (q || v); k++)
                memcpy(given[k], kept + k * width, k ? bytes : all);
            text_clear(why);
            bad = attempt(m, sys, s, (reach[]){q, v}, &placed, why);
        }
    }
    return bad;
}
