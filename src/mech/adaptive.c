/* adaptive.c - the extended equations and their exact derivatives.               theory.md [ENERGY]
 *
 * At a point of the curve: F = L_q + f, energy e = L_v.v - L, power defect P = L_t - f.v, and
 *     e_q = L_qv v - L_q,          e_v = L_vv v,                 e_t = L_vt.v - L_t
 *     P_q = L_qt - f_q^T v,        P_v = L_vt - f_v^T v - f,     P_t = L_tt - f_t.v            */
#include "mech/adaptive.h"

#include <float.h>
#include <math.h>
#include <string.h>

static dal_status refuse(const equations *eq, const scheme *sch, text *why)
{
    if (eq->relations)
        text_printf(why,
                    "principle = energy takes systems without relations, and %d %s left here (ties "
                    "that can be taken out are); the energy of a constrained chord is not settled: "
                    "use dirac+, or coordinates that fulfil the relations",
                    eq->relations, eq->relations == 1 ? "is" : "are");
    else if (eq->phase)
        text_printf(why, "principle = energy needs velocities, and Hamiltonian coordinates have "
                         "none: write a lagrangian, or use dirac+");
    else if (sch->substeps > 1)
        text_printf(why,
                    "principle = energy solves for the length of one curve, and %s joins %d: use "
                    "gauss(s) of the same order",
                    sch->name, sch->substeps);
    else if (sch->curve != CURVE_POLYNOMIAL)
        text_printf(why, "principle = energy needs a polynomial curve: use gauss(s) of the same "
                         "order");
    else return DAL_OK;
    return DAL_INVALID;
}

static void room_for_time(const samples *set, int n, mem *m)
{
    for (int i = 0; i < set->count; i++) {
        set->out[i].Lqt = mem_array(m, n, double);
        set->out[i].Lwt = mem_array(m, n, double);
        set->out[i].ft = mem_array(m, n, double);
    }
}

/* The border needs all second derivatives at every length, so none is kept from step to step. */
dal_status adaptive_prepare(equations *eq, mem *m, const scheme *sch, text *why)
{
    dal_status bad = refuse(eq, sch, why);
    if (bad) return bad;
    eq->constant = false;
    eq->jacobian_mask |= WANT_HESSIAN | (eq->sys->forced ? WANT_FORCE_JACOBIAN : 0u);
    eq->residual_mask |= WANT_L;
    if (eq->sys->autonomous) return DAL_OK;
    eq->residual_mask |= WANT_TIME;
    room_for_time(&eq->rule, eq->n, m);
    room_for_time(&eq->force, eq->n, m);
    return DAL_OK;
}

dal_status adaptive_init(adaptive *a, mem *m, newton *nw, const scheme *sch, step_bounds bounds,
                         const char *kind, text *why)
{
    equations *eq = nw->eq;
    double   **array[] = {&a->row, &a->column, &a->r, &a->x, &a->c, &a->kept};
    *a = (adaptive){.nw = nw, .eq = eq, .order = sch->order, .bounds = bounds};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = mem_array(m, eq->size, double);
    a->work = mem_array(m, 3 * eq->n, double);
    a->lu = solver_new(m, &eq->J, kind);
    if (a->lu) return DAL_OK;
    text_printf(why, "the linear solver '%s' cannot be used here", kind ? kind : "?");
    return DAL_INVALID;
}

void adaptive_free(adaptive *a)
{
    solver_free(a->lu);
    a->lu = NULL;
}

void adaptive_forget(adaptive *a)
{
    a->h[0] = a->h[1] = a->slope = 0, a->sign = 0, a->held = false, a->outcome = STEP_DECIDED;
}

/* Sums over the points. ------------------------------------------------------------------------ */

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += x[j] * y[j];
    return sum;
}

static double dot_size(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += fabs(x[j] * y[j]);
    return sum;
}

static void add(double *to, double c, const double *x, int n)
{
    for (int j = 0; j < n; j++) to[j] += c * x[j];
}

/* to = field v, or its transpose times v */
static void times(const adaptive *a, const sys_values *at, field f, const double *v,
                  bool transposed, double *to)
{
    const pattern *K = &a->eq->sys->K;
    memset(to, 0, (size_t)a->eq->n * sizeof *to);
    if (a->eq->sys->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < a->eq->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            int j = K->column[k];
            if (transposed) to[j] += at->on_K[f][k] * v[i];
            else to[i] += at->on_K[f][k] * v[j];
        }
}

/* What L adds:
 *     dG_nu/dh = sum b [l'_nu (c L_vt - L_vv v/h) + l_nu L_q + h l_nu (c L_qt - L_qv v/h)]
 *     dS/dZ^mu = sum b [l_mu e_q + (l'_mu/h) e_v + (1-c) (h l_mu L_qt + l'_mu L_vt)]
 *     dS/dh    = sum b [c e_t - e_v.v/h + (1-c) (L_t + h c L_tt - L_vt.v)]                       */
static void add_lagrangian(adaptive *a, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &eq->rule.out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = eq->rule.b[i], c = eq->rule.x[eq->mirrored][i], rest = 1 - c;
    const double     *l = eq->rule.at[eq->mirrored].l + i * (d + 1), *v = eq->rule.v + i * n;
    const double     *dl = eq->rule.at[eq->mirrored].dl + i * (d + 1);
    double           *vv = a->work, *qv = a->work + n, *e_q = a->work + 2 * n;
    const bool        timed = eq->residual_mask & WANT_TIME;
    times(a, at, F_LWW, v, false, vv), times(a, at, F_LQW, v, false, qv);
    for (int j = 0; j < n; j++) e_q[j] = qv[j] - at->Lq[j];
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n; /* row: mu = nu + 1 */
        add(column, -b * dl[nu] / h, vv, n), add(column, b * l[nu], at->Lq, n);
        add(column, -b * l[nu], qv, n);
        add(row, b * l[nu + 1], e_q, n), add(row, b * dl[nu + 1] / h, vv, n);
        if (!timed) continue;
        add(column, b * dl[nu] * c, at->Lwt, n), add(column, b * h * l[nu] * c, at->Lqt, n);
        add(row, b * rest * h * l[nu + 1], at->Lqt, n);
        add(row, b * rest * dl[nu + 1], at->Lwt, n);
    }
    a->corner -= b * dot(vv, v, n) / h;
    a->S += b * (dot(at->Lw, v, n) - at->L);
    a->size += b * (dot_size(at->Lw, v, n) + fabs(at->L));
    if (!timed) return;
    double Lwt_v = dot(at->Lwt, v, n);
    a->corner += b * (c * (Lwt_v - at->Lt) + rest * (at->Lt + h * c * at->Ltt - Lwt_v));
    a->S += b * rest * h * at->Lt;
}

/* What f adds, at the points of its own rule if it has one:
 *     dG_nu/dh = sum b [l_nu f + h l_nu (c f_t - f_v v/h)]
 *     dS/dZ^mu = -sum b (1-c) [h l_mu f_q^T v + l'_mu (f_v^T v + f)]
 *     dS/dh    = -sum b (1-c) [f.v + h c f_t.v - (f_v^T v + f).v]                                */
static void add_force(adaptive *a, const samples *set, int i)
{
    equations        *eq = a->eq;
    const sys_values *at = &set->out[i];
    const int         n = eq->n, d = eq->d;
    const double      h = eq->h, b = set->b[i], c = set->x[eq->mirrored][i], rest = 1 - c;
    const double     *l = set->at[eq->mirrored].l + i * (d + 1), *v = set->v + i * n;
    const double     *dl = set->at[eq->mirrored].dl + i * (d + 1);
    double           *fv = a->work, *fqT = a->work + n, *Pv = a->work + 2 * n;
    const bool        timed = eq->residual_mask & WANT_TIME;
    times(a, at, F_FW, v, false, fv), times(a, at, F_FQ, v, true, fqT);
    times(a, at, F_FW, v, true, Pv);
    add(Pv, 1, at->f, n);
    for (int nu = 0; nu < d; nu++) {
        double *column = a->column + nu * n, *row = a->row + nu * n;
        add(column, b * l[nu], at->f, n), add(column, -b * l[nu], fv, n);
        if (timed) add(column, b * h * l[nu] * c, at->ft, n);
        add(row, -b * rest * h * l[nu + 1], fqT, n), add(row, -b * rest * dl[nu + 1], Pv, n);
    }
    double power = dot(at->f, v, n);
    a->corner -= b * rest * (power + (timed ? h * c * dot(at->ft, v, n) : 0) - dot(Pv, v, n));
    a->S -= b * rest * h * power;
    a->size += b * rest * fabs(h) * dot_size(at->f, v, n);
}

/* f_t where the force has a rule of its own: the residual does not ask for it there. */
static bool force_in_time(const equations *eq)
{
    if (!eq->force.count || !(eq->residual_mask & WANT_TIME)) return true;
    return !eq->sys->eval(eq->sys->self, WANT_TIME, eq->force.count, eq->force.point,
                          eq->force.out);
}

/* The border of K at y, and R there. */
static bool border(adaptive *a, const double *y)
{
    equations     *eq = a->eq;
    const samples *set = eq->force.count ? &eq->force : &eq->rule;
    const size_t   bytes = (size_t)eq->size * sizeof(double);
    if (!equations_residual(eq, y, a->r, true) || !force_in_time(eq)) return false;
    memset(a->row, 0, bytes), memset(a->column, 0, bytes);
    a->corner = a->S = a->size = 0;
    for (int i = 0; i < eq->s; i++) add_lagrangian(a, i);
    for (int i = 0; eq->sys->forced && i < set->count; i++) add_force(a, set, i);
    return isfinite(a->S);
}

/*     c = J^-1 dG/dh,   dphi/dh = dS/dh - dS/dZ c                                                */
bool adaptive_assemble(adaptive *a, const double *y)
{
    equations *eq = a->eq;
    a->iterations++;
    if (!border(a, y)) return false;
    equations_fill(eq);
    a->nw->count.factorisations++;
    if (!solver_factor(a->lu, eq->values)) return false;
    memcpy(a->c, a->column, (size_t)eq->size * sizeof *a->c);
    memcpy(a->x, a->r, (size_t)eq->size * sizeof *a->x);
    solver_solve(a->lu, a->c), solver_solve(a->lu, a->x);
    a->slope = a->corner - dot(a->row, a->c, eq->size);
    return isfinite(a->slope);
}

void adaptive_matrix(const adaptive *a, double *K)
{
    const equations *eq = a->eq;
    const int        size = eq->size, N = size + 1;
    memset(K, 0, (size_t)N * (size_t)N * sizeof *K);
    for (int i = 0; i < size; i++) {
        for (int k = eq->J.start[i]; k < eq->J.start[i + 1]; k++)
            K[i * N + eq->J.column[k]] = eq->values[k];
        K[i * N + size] = a->column[i], K[size * N + i] = a->row[i];
    }
    K[size * N + size] = a->corner;
}

/* Solving. ------------------------------------------------------------------------------------- */

enum {
    ITERATIONS_MOST = 40,
    FINEST = 8,
    OCTAVES = 3
}; /* lengths tried per octave, octaves each way */

static const double CONVERGED = 1e-9;      /* a relative correction that the next one squares  */
static const double NOISE_ADMITTED = 1e-3; /* of h, in one step                                */

double adaptive_noise(const adaptive *a)
{
    return 4 * DBL_EPSILON * a->size / fabs(a->slope * a->eq->h);
}

double adaptive_coefficient(const adaptive *a)
{
    const double r = a->order;
    return -a->slope / (r * (r + 1) * pow(fabs(a->eq->h), r - 1)) * (a->eq->h < 0 ? -1 : 1);
}

double adaptive_predict(const adaptive *a, double first)
{
    if (!a->h[0] || a->held) return first;
    double ratio = a->h[1] ? a->h[0] / a->h[1] : 1;
    return a->h[0] * fmin(2, fmax(0.5, ratio));
}

static double correction_size(const adaptive *a, double dh, const double *y)
{
    double most = 0, scale = 0;
    for (int k = 0; k < a->eq->size; k++) {
        most = fmax(most, fabs(a->x[k] + a->c[k] * dh));
        scale = fmax(scale, fabs(y[k]));
    }
    return fmax(fabs(dh / a->eq->h), scale > 0 ? most / scale : 0);
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
        double miss = ((a->S - a->E) - a->E_low) - dot(a->row, a->x, eq->size);
        double ratio = fmin(2, fmax(0.5, 1 - miss / a->slope / eq->h));
        double dh = eq->h * (ratio - 1), size = correction_size(a, dh, y);
        for (int j = 0; j < eq->size; j++) y[j] -= a->x[j] + a->c[j] * dh;
        equations_tune(eq, eq->h * ratio, eq->mirrored);
        a->tried = eq->h;
        if (!(size < HUGE_VAL) || fabs(eq->h) < 1e-9 * fabs(a->h[0])) return false;
        bool last = size <= CONVERGED || (size >= 0.5 * before && size <= 64 * adaptive_noise(a));
        if (last && size < 0.1) return true;
        before = ratio == 0.5 || ratio == 2 ? HUGE_VAL : size;
    }
    return false;
}

/* phi(h) at the fixed step of length h, from a y that is nearly it. NaN: there is none. */
static double reduced(adaptive *a, double h, double *y)
{
    const double *none[2] = {0};
    equations_tune(a->eq, h, a->eq->mirrored);
    a->nw->iterations = 0;
    if (!newton_damped(a->nw, y, none) || !adaptive_assemble(a, y)) return (double)NAN;
    return (a->S - a->E) - a->E_low;
}

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

static bool right_branch(const adaptive *a)
{
    return !a->sign || a->slope * a->sign > 0;
}

/* Lengths outward from the last one in one direction, until phi changes its sign on the branch that
 * the motion is on. Whether dphi/dh changes its own is noted: beyond that there is no such root. */
static bool walk(adaptive *a, double *y, int way)
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

static bool search(adaptive *a, double *y)
{
    const size_t bytes = (size_t)a->eq->size * sizeof *y;
    a->outcome = STEP_LOST;
    for (int way = 1; way >= -1; way -= 2) {
        memcpy(y, a->kept, bytes);
        if (walk(a, y, way)) return a->outcome = STEP_DECIDED, true;
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

/* Where Newton's iteration fails, lengths are searched for a root. What decides h is lost in
 * roundoff either suddenly, since e goes through 0, or because it always was small. */
bool adaptive_solve(adaptive *a, double *y)
{
    const size_t bytes = (size_t)a->eq->size * sizeof *y;
    const double predicted = a->eq->h;
    a->iterations = 0, a->outcome = STEP_DECIDED, a->tried = predicted;
    if (a->held || !a->h[0]) {
        if (!adaptive_assemble(a, y)) return false;
        if (!a->h[0]) a->sign = (a->slope > 0) - (a->slope < 0);
        return true;
    }
    memcpy(a->kept, y, bytes);
    if (polish(a, y) && right_branch(a)) {
        if (adaptive_noise(a) <= NOISE_ADMITTED) return within_bounds(a);
    } else {
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

/* The energy at the end of the curve and the power along it:
 *     -D3L_d - g^+ = sum b [e - c h P],   E += -h sum b P                       theory.md [ENERGY]
 */
void adaptive_finish(adaptive *a, bool plain)
{
    const equations *eq = a->eq;
    const samples   *set = eq->force.count ? &eq->force : &eq->rule;
    const int        n = eq->n;
    double           gained = 0, chord = 0;
    for (int i = 0; i < eq->s; i++) {
        const sys_values *at = &eq->rule.out[i];
        double            P = eq->residual_mask & WANT_TIME ? at->Lt : 0, b = eq->rule.b[i];
        chord += b * ((dot(at->Lw, eq->rule.v + i * n, n) - at->L) -
                      eq->rule.x[eq->mirrored][i] * eq->h * P);
        gained -= eq->h * b * P;
    }
    for (int i = 0; eq->sys->forced && i < set->count; i++) {
        double power = eq->h * set->b[i] * dot(set->out[i].f, set->v + i * n, n);
        chord += set->x[eq->mirrored][i] * power, gained += power;
    }
    a->chord = chord;
    if (!a->h[0]) a->E = chord, a->E_low = 0;
    else {
        double d = gained + a->E_low, sum = a->E + d, back = sum - a->E;
        a->E_low = plain ? 0 : (a->E - (sum - back)) + (d - back), a->E = sum;
    }
    a->h[1] = a->h[0], a->h[0] = eq->h, a->noise = adaptive_noise(a);
    count_iterations(a);
}
