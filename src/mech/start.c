/* start.c - from what was given to a consistent start.                           theory.md [START]
 *
 * w is the variable that Lambda takes: v of a Lagrangian coordinate, p of a Hamiltonian one.
 * What is given is w or Lambda_w (p, or -v), coordinate by coordinate; the missing ones follow
 * from Lambda_w(t,q,w) = given. */
#include "mech/start.h"

#include "mech/least_change.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS_MOST = 60 };
static const double TOLERATED =
    1e-9; /* a violation this small, relative to its terms, is how numbers are typed */

/* What may move: what is marked free; also what is tied to that; what the start does not say;
 * everything. */
typedef enum { REACH_FREE, REACH_TIED, REACH_UNSAID, REACH_ALL } reach;

typedef struct {
    dal_system *sys;
    start      *s;
    mem        *m;
    reach       may;
    int         n, relations;
    double     *w, *v;
    sys_point   at;
    sys_values  out;
    text       *why;
} work;

static bool is_phase(const work *k, int i)
{
    return k->sys->hamiltonian && k->sys->hamiltonian[i];
}

static unsigned given(const work *k, int i)
{
    return k->s->given ? k->s->given[i] : GIVEN_Q | GIVEN_V;
}

/* Is Lambda_w given rather than w? */
static bool is_dual(const work *k, int i)
{
    return (given(k, i) & (is_phase(k, i) ? GIVEN_V : GIVEN_P)) != 0;
}

static bool has_inertia(const work *k, int i)
{
    const pattern *K = &k->sys->K;
    const uint8_t *present = k->sys->present[F_LWW];
    if (k->sys->varies[F_LWW] == FIELD_ZERO) return false;
    for (int e = K->start[i]; e < K->start[i + 1]; e++)
        if ((!present || present[e]) && k->out.on_K[F_LWW][e] != 0) return true;
    return false;
}

static void say_coordinate(work *k, int i)
{
    if (k->sys->coordinate_name) k->sys->coordinate_name(k->sys->self, i, k->why);
    else text_printf(k->why, "coordinate %d", i + 1);
}

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

static bool evaluate(work *k, unsigned want)
{
    return !k->sys->eval(k->sys->self, want, 1, &k->at, &k->out);
}

static dal_status not_finite(work *k)
{
    text_add(k->why, "the system has no finite value at the start");
    if (k->sys->culprit) {
        text_add(k->why, ": ");
        k->sys->culprit(k->sys->self, &k->at, k->why);
    }
    return DAL_INVALID;
}

/* Relations. ----------------------------------------------------------------------------------- */

/* The size of what relation a adds up, beside which its value is a violation. An x that is 0
 * counts as the largest of all, so that neither atoms nor planets are measured in metres. */
static double terms_of(const work *k, int a, const double *x, double unit)
{
    const pattern *A = &k->sys->A;
    double         sum = 0, most = 0;
    for (int e = A->start[a]; e < A->start[a + 1]; e++) {
        double c = fabs(k->out.A[e]);
        sum += c * fabs(x[A->column[e]]);
        most = fmax(most, c);
    }
    return most > 0 ? fmax(sum, most * unit) : 1;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* The relation that is violated most, or -1. value: g for positions, e for velocities. */
static int violated(const work *k, int from, int to, const double *value, const double *x)
{
    int    worst = -1;
    double most = TOLERATED, unit = largest(x, k->n);
    if (unit == 0) unit = 1;
    for (int a = from; a < to; a++) {
        double ratio = fabs(value[a - from]) / terms_of(k, a, x, unit);
        if (!(ratio <= most)) most = ratio, worst = a;
    }
    return worst;
}

static dal_status refuse(work *k, int a, double value, const char *what)
{
    k->s->violates = a;
    text_add(k->why, "the start violates ");
    if (k->sys->relation_name) k->sys->relation_name(k->sys->self, a, k->why);
    else text_printf(k->why, "relation %d", a + 1);
    text_printf(k->why,
                ": %s is off by %.6g; change the start, or mark as 'free' what may move to "
                "satisfy it (--project-start moves all)",
                what, value);
    return DAL_INVALID;
}

static bool may_move_position(const work *k, int i)
{
    const unsigned bits = given(k, i);
    if (k->may == REACH_ALL || bits & FREE_Q) return true;
    if (k->may == REACH_UNSAID) return !(bits & GIVEN_Q);
    return k->may == REACH_TIED && bits & TIED_Q;
}

/* A velocity that was not written follows where its position is free; and without inertia it is no
 * state: the relations determine it. */
static bool may_move_velocity(const work *k, int i)
{
    const unsigned bits = given(k, i);
    if (k->may == REACH_ALL || bits & (FREE_V | FREE_P)) return true;
    if (!is_phase(k, i) && !(bits & GIVEN_V) && !has_inertia(k, i)) return true;
    if (bits & (GIVEN_V | GIVEN_P)) return false;
    return k->may == REACH_UNSAID || bits & FREE_Q ||
           (k->may == REACH_TIED && bits & (TIED_Q | TIED_V));
}

/* Rows from..to-1 of A, with the columns of Hamiltonian coordinates taken through v = -Lambda_w(p),
 * if it is in w: -A Lambda_ww. */
static sparse_entries relation_entries(const work *k, mem *m, int from, int to, bool in_w)
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

/* Moves x to take off `value` from relations from..to-1; false: it cannot be. */
static bool move(work *k, int from, int to, const double *value, bool (*movable)(const work *, int),
                 bool in_w, double *x)
{
    mem           *m = mem_child(k->m);
    const int      n = k->n;
    sparse_entries B = relation_entries(k, m, from, to, in_w);
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

static dal_status settle_positions(work *k)
{
    const int m = k->sys->m, all = k->relations;
    double    before = HUGE_VAL;
    for (int it = 0; k->sys->r; it++) {
        if (!evaluate(k, WANT_RELATIONS | WANT_HOLONOMIC)) return not_finite(k);
        int    a = violated(k, m, all, k->out.g, k->s->q);
        double worst = largest(k->out.g, k->sys->r);
        if (a < 0 && (it == 0 || !(worst < before / 2))) break; /* nothing to do, or roundoff */
        before = worst;
        if (a >= 0 && it > ITERATIONS_MOST) return refuse(k, a, k->out.g[a - m], "its left side");
        if (!move(k, m, all, k->out.g, may_move_position, false, k->s->q))
            return refuse(k, a, k->out.g[a - m], "its left side");
    }
    return DAL_OK;
}

/* Velocities and momenta. ---------------------------------------------------------------------- */

static double target(const work *k, int i)
{
    return is_phase(k, i) ? -k->s->v[i] : k->s->p[i];
}

/* Rows of given w are w = given, the others Lambda_w = given; on the pattern K. */
static bool legendre_step(work *k, solver *lu, double *entries, double *r)
{
    const pattern *K = &k->sys->K;
    for (int i = 0; i < k->n; i++) {
        bool solve = is_dual(k, i) && has_inertia(k, i);
        r[i] = solve ? target(k, i) - k->out.Lw[i] : 0;
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            entries[e] = solve ? k->out.on_K[F_LWW][e] : (K->column[e] == i);
    }
    if (!solver_factor(lu, entries)) return false;
    solver_solve(lu, r);
    return true;
}

static dal_status undetermined(work *k)
{
    for (int i = 0; i < k->n; i++)
        if (is_dual(k, i)) {
            text_add(k->why,
                     is_phase(k, i) ? "the velocity given for " : "the momentum given for ");
            say_coordinate(k, i);
            text_printf(k->why, " does not determine its %s; give that instead",
                        is_phase(k, i) ? "momentum" : "velocity");
            break;
        }
    return DAL_INVALID;
}

/* How far the momenta at w are from the given ones. */
static double distance(const work *k)
{
    double most = 0;
    for (int i = 0; i < k->n; i++)
        if (is_dual(k, i) && has_inertia(k, i)) {
            const double off = fabs(target(k, i) - k->out.Lw[i]);
            if (!(off <= most)) most = isfinite(off) ? off : HUGE_VAL;
        }
    return most;
}

/* The correction r of w that Newton's iteration makes, and its size; false: there is none, as
 * momenta have no value at w or do not determine it, or they are much farther away than before. */
static bool correction(work *k, solver *lu, double *entries, double *r, double *left, double *size)
{
    if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN) || !(distance(k) <= 10 * *left) ||
        !legendre_step(k, lu, entries, r))
        return false;
    *left = distance(k);
    *size = 0;
    for (int i = 0; i < k->n; i++) {
        if (!isfinite(r[i])) return false;
        *size = fmax(*size, fabs(r[i]));
    }
    return true;
}

static void take(work *k, double *step, double by)
{
    for (int i = 0; i < k->n; i++) step[i] *= by, k->w[i] += step[i];
}

/* Newton's iteration. A correction that leaves the domain of L, as one beyond the speed of light,
 * is taken back by halves; so is one that does not come nearer. */
static dal_status legendre(work *k)
{
    enum { HALVINGS_MOST = 60 };
    const int n = k->n;
    double   *step = mem_array(k->m, n, double), *r = mem_array(k->m, n, double);
    double    before = HUGE_VAL, left = HUGE_VAL, enough = 0, change;
    double   *entries = mem_array(k->m, pattern_count(&k->sys->K), double);
    solver   *lu = solver_new(k->m, &k->sys->K, NULL);
    for (int it = 0, halvings = 0; it < ITERATIONS_MOST; it++) {
        while (!correction(k, lu, entries, r, &left, &change)) {
            if (it == 0 || halvings++ == HALVINGS_MOST) return undetermined(k);
            for (int i = 0; i < n; i++) k->w[i] -= step[i];
            take(k, step, 0.5);
        }
        if (it == 0) enough = 1e-7 * left; /* roundoff may grow */
        left = fmax(left, enough);
        const double size = largest(k->w, n);
        memcpy(step, r, (size_t)n * sizeof *step);
        take(k, step, it > 5 && change > before ? 0.5 : 1);
        if (change <= 4 * DBL_EPSILON * size || (change >= before && change < 1e-12 * size) ||
            change == 0)
            return DAL_OK;
        before = change;
    }
    return undetermined(k);
}

static void spread(work *k)
{
    for (int i = 0; i < k->n; i++) k->v[i] = is_phase(k, i) ? -k->out.Lw[i] : k->w[i];
}

static dal_status settle_velocities(work *k)
{
    double before = HUGE_VAL;
    for (int it = 0; k->relations; it++) {
        if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN)) return not_finite(k);
        spread(k);
        if (!evaluate(k, WANT_RELATIONS)) return not_finite(k);
        int    a = violated(k, 0, k->relations, k->out.e, k->v);
        double worst = largest(k->out.e, k->relations);
        if (a < 0 && (it == 0 || !(worst < before / 2))) break;
        before = worst;
        if (a >= 0 && it > ITERATIONS_MOST) return refuse(k, a, k->out.e[a], "the velocity in it");
        if (!move(k, 0, k->relations, k->out.e, may_move_velocity, true, k->w))
            return refuse(k, a, k->out.e[a], "the velocity in it");
    }
    return DAL_OK;
}

/* A momentum given to a coordinate without inertia must be the one that L gives it. */
static dal_status check_momenta(work *k)
{
    for (int i = 0; i < k->n; i++) {
        if (!is_dual(k, i) || has_inertia(k, i)) continue;
        if (fabs(k->out.Lw[i] - target(k, i)) <= TOLERATED * fmax(1, fabs(target(k, i)))) continue;
        text_add(k->why, "nothing gives ");
        say_coordinate(k, i);
        text_printf(k->why,
                    is_phase(k, i)
                        ? " a velocity that depends on its momentum; its velocity is %.6g"
                        : " inertia; its momentum is %.6g, whatever its velocity",
                    is_phase(k, i) ? -k->out.Lw[i] : k->out.Lw[i]);
        return DAL_INVALID;
    }
    return DAL_OK;
}

static dal_status complete(work *k)
{
    const int  n = k->n;
    dal_status bad = settle_positions(k);
    if (bad) return bad;
    for (int i = 0; i < n; i++)
        k->w[i] = is_dual(k, i) ? 0 : is_phase(k, i) ? k->s->p[i] : k->s->v[i];
    if (!evaluate(k, WANT_GRADIENT | WANT_HESSIAN)) return not_finite(k);
    bool any = false;
    for (int i = 0; i < n; i++) any |= is_dual(k, i);
    if (any && (bad = legendre(k))) return bad;
    if ((bad = settle_velocities(k))) return bad;
    if (!evaluate(k, WANT_GRADIENT)) return not_finite(k);
    if (any && !k->s->moved && (bad = check_momenta(k))) return bad;
    spread(k);
    for (int i = 0; i < n; i++) {
        k->s->v[i] = k->v[i];
        k->s->p[i] = is_phase(k, i) ? k->w[i] : k->out.Lw[i];
        if (!isfinite(k->s->v[i]) || !isfinite(k->s->p[i])) return not_finite(k);
    }
    return DAL_OK;
}

static dal_status attempt(mem *m, dal_system *sys, start *s, reach may, text *why)
{
    work k = {.sys = sys, .s = s, .m = m, .n = sys->n, .relations = sys->m + sys->r, .why = why};
    k.may = may, s->moved = false;
    prepare(&k);
    return complete(&k);
}

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
    int a = violated(&k, sys->m, rows, k.out.g, at);
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

/* What need not move does not: what was said only where nothing less will do. */
dal_status start_complete(mem *m, dal_system *sys, start *s, text *why)
{
    const size_t bytes = (size_t)sys->n * sizeof(double);
    const reach  most = s->project                   ? REACH_ALL
                        : is_tied_to_free(s, sys->n) ? REACH_TIED
                                                     : REACH_FREE;
    double      *given[] = {s->q, s->v, s->p};
    double      *kept = mem_array(m, most > REACH_FREE ? 3 * sys->n : 0, double);
    for (int k = 0; k < 3 && most > REACH_FREE; k++) memcpy(kept + k * sys->n, given[k], bytes);
    s->violates = -1;
    dal_status bad = attempt(m, sys, s, REACH_FREE, why);
    for (reach may = REACH_TIED; bad && may <= most; may++) {
        for (int k = 0; k < 3; k++) memcpy(given[k], kept + k * sys->n, bytes);
        text_clear(why);
        bad = attempt(m, sys, s, may, why);
    }
    return bad;
}
