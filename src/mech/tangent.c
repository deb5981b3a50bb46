/* tangent.c - every point of the curve, every row of the residual and the momentum at the end, each
 * with its change in one direction.                                            theory.md [TANGENT]
 *
 * The same rows serve twice: with the unknowns held they are the right-hand side; with their
 * changes they give that of the momentum. */
#include "mech/tangent.h"

#include "mech/shooting.h"
#include "mech/stepper.h"

#include <string.h>

struct tangent {
    stepper              *st;
    sys_variation        *vary; /* NULL: the system knows of q and w only */
    solver               *lu;   /* of J                                   */
    double                t, h; /* of the step, whatever it is made of    */
    int                   count;
    const step_direction *along;
    double               *out; /* dq, dp of each: of the part that is next */
    double               *r, *dy;
    double               *dq, *dv, *dw, *dLq, *dLw, *df, *dp; /* n */
    sys_change            written;
    bool                  failed;
};

/* One direction, as a part of the step sees it. */
typedef struct {
    const double *q, *p, *dy; /* dy NULL: the unknowns are held */
    double        t, h;
    sys_direction written; /* its t is that of a point */
    bool          moves;   /* something of it is not 0 */
} part_direction;

static dal_status refuse(const stepper *st, text *why)
{
    if (st->energy)
        text_add(why,
                 "principle = energy decides the length of its steps, and their tangent is not "
                 "known here: use dirac+");
    else if (st->eq.along)
        text_add(why,
                 "with a retraction of one's own the tangent of a step is not known: leave it out");
    else if (st->options.momentum == MOMENTUM_PAPERS && st->options.principle == DIRAC_MINUS)
        text_add(why,
                 "the papers' (-) momentum looks one step ahead and has no tangent of its own: "
                 "use momentum = projected");
    else return DAL_OK;
    return DAL_INVALID;
}

static void make_room(tangent *tg, mem *m)
{
    const equations *eq = &tg->st->eq;
    double         **of_n[] = {&tg->dq,
                               &tg->dv,
                               &tg->dw,
                               &tg->dLq,
                               &tg->dLw,
                               &tg->df,
                               &tg->dp,
                               &tg->written.Lq,
                               &tg->written.Lw,
                               &tg->written.f,
                               &tg->written.reaction};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, eq->n, double);
    tg->written.e = mem_array(m, eq->relations + 1, double);
    tg->written.g = mem_array(m, eq->sys->r + 1, double);
    tg->r = mem_array(m, eq->size, double), tg->dy = mem_array(m, eq->size, double);
}

static void watch(void *self, stepper *st);

dal_status tangent_new(mem *m, stepper *st, tangent **out, text *why)
{
    dal_status bad = refuse(st, why);
    *out = NULL;
    if (bad) return bad;
    tangent *tg = mem_array(m, 1, tangent);
    tg->st = st;
    make_room(tg, m);
    tg->lu = solver_new(m, &st->eq.J, NULL);
    if (st->sys->vary) tg->vary = st->sys->vary(st->sys->self, m);
    stepper_watch(st, watch, tg);
    *out = tg;
    return DAL_OK;
}

void tangent_free(tangent *tg)
{
    if (tg) solver_free(tg->lu);
}

/* Points. -------------------------------------------------------------------------------------- */

static void clear(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

static void add(double *x, double c, const double *y, int n)
{
    if (c != 0)
        for (int j = 0; j < n; j++) x[j] += c * y[j];
}

/* x += field u at a point, or its transpose times u */
static void add_field(const equations *eq, const sys_values *at, field f, bool transposed,
                      const double *u, double *x)
{
    const pattern *K = &eq->sys->K;
    if (eq->sys->varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < eq->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            x[i] += at->on_K[f][transposed ? eq->sys->transpose[k] : k] * u[K->column[k]];
}

/*     dq = dq_0 + sum_nu l_nu dZ^nu,   dv = (1/h) sum_nu l'_nu dZ^nu - v dh/h
 * and w with v, or with the stage momentum. */
static void move_point(tangent *tg, const samples *set, int i, const part_direction *d)
{
    const equations *eq = &tg->st->eq;
    const int        n = eq->n;
    const double    *l = set->at[eq->mirrored].l + i * (eq->d + 1);
    const double    *dl = set->at[eq->mirrored].dl + i * (eq->d + 1);
    memcpy(tg->dq, d->q, (size_t)n * sizeof *tg->dq);
    clear(tg->dv, n);
    add(tg->dv, -d->h / eq->h, set->v + i * n, n);
    for (int nu = 1; nu <= eq->d && d->dy; nu++) {
        add(tg->dq, l[nu], d->dy + (nu - 1) * n, n);
        add(tg->dv, dl[nu] / eq->h, d->dy + (nu - 1) * n, n);
    }
    memcpy(tg->dw, tg->dv, (size_t)n * sizeof *tg->dw);
    for (int j = 0; j < eq->phase && set == &eq->rule; j++)
        tg->dw[eq->phase_list[j]] = d->dy ? *stage_momentum(eq, d->dy, i, j) : 0;
}

static void move_control(tangent *tg, int nu, const part_direction *d)
{
    const int n = tg->st->eq.n;
    memcpy(tg->dq, d->q, (size_t)n * sizeof *tg->dq);
    if (nu && d->dy) add(tg->dq, 1, d->dy + (nu - 1) * n, n);
}

/* What changes at a point that stays where it is. False: nothing. */
static bool vary_point(tangent *tg, const sys_point *at, double x, const part_direction *d)
{
    sys_direction along = d->written;
    along.t = d->t + x * d->h;
    if (!d->moves || !tg->vary) return false;
    tg->vary->eval(tg->vary->self, at, &along, &tg->written);
    return true;
}

/* dL_q, dL_w and df at a point, of those that are sampled there. */
static void change_gradients(tangent *tg, const samples *set, int i, const part_direction *d)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *at = &set->out[i];
    const bool        of_f = eq->sys->forced && (set == &eq->force || !eq->force.count);
    const int         n = eq->n;
    move_point(tg, set, i, d);
    clear(tg->dLq, n), clear(tg->dLw, n), clear(tg->df, n);
    if (set == &eq->rule) {
        add_field(eq, at, F_LQQ, false, tg->dq, tg->dLq);
        add_field(eq, at, F_LQW, false, tg->dw, tg->dLq);
        add_field(eq, at, F_LQW, true, tg->dq, tg->dLw);
        add_field(eq, at, F_LWW, false, tg->dw, tg->dLw);
    }
    if (of_f)
        add_field(eq, at, F_FQ, false, tg->dq, tg->df),
            add_field(eq, at, F_FW, false, tg->dw, tg->df);
    if (!vary_point(tg, &set->point[i], set->x[eq->mirrored][i], d)) return;
    if (set == &eq->rule) add(tg->dLq, 1, tg->written.Lq, n), add(tg->dLw, 1, tg->written.Lw, n);
    if (of_f) add(tg->df, 1, tg->written.f, n);
}

/* Rows. ---------------------------------------------------------------------------------------- */

/* What the points of L (and of f, if it is sampled there) add to the row nu, or to the momentum at
 * the end, which is their sum: nu = -1.
 *     dR_nu = sum_i b_i [l'_nu dP + h l_nu (dL_q + df) + dh l_nu (L_q + f)]^i */
static void add_rule(const tangent *tg, int i, int nu, double dh, double *r)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *at = &eq->rule.out[i];
    const double      cq = nu < 0 ? eq->h * eq->rule.b[i] : eq->cq[nu * eq->s + i],
                 more = cq * dh / eq->h;
    const double cw = nu < 0 ? 0 : eq->cw[nu * eq->s + i];
    const bool   of_f = eq->residual_mask & WANT_FORCE;
    add(r, cq, tg->dLq, eq->n), add(r, more, at->Lq, eq->n), add(r, cw, tg->dLw, eq->n);
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        r[k] += cw * (tg->dw[k] - tg->dLw[k]);
    }
    if (of_f) add(r, cq, tg->df, eq->n), add(r, more, at->f, eq->n);
}

static void add_own_force(const tangent *tg, int j, int nu, double dh, double *r)
{
    const equations *eq = &tg->st->eq;
    const double     c = nu < 0 ? eq->h * eq->force.b[j] : eq->cf[nu * eq->force.count + j];
    add(r, c, tg->df, eq->n), add(r, c * dh / eq->h, eq->force.out[j].f, eq->n);
}

/* The change of (h w_nu) A^T lam^nu: reactions turn with q, grow with lam, and act longer. */
static void add_reaction(tangent *tg, int nu, const part_direction *d, double *r)
{
    const equations  *eq = &tg->st->eq;
    const pattern    *A = &eq->sys->A;
    const sys_values *at = &eq->control.out[nu];
    const double     *lam = eq->control.point[nu].lam;
    const double     *dlam = d->dy ? d->dy + eq->lam + nu * eq->relations : NULL;
    const double      longer = d->h / eq->h;
    move_control(tg, nu, d);
    clear(tg->df, eq->n);
    add_field(eq, at, F_CURV, false, tg->dq, tg->df);
    for (int a = 0; a < eq->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++)
            tg->df[A->column[k]] += at->A[k] * ((dlam ? dlam[a] : 0) + longer * lam[a]);
    if (vary_point(tg, &eq->control.point[nu], eq->control.x[0][nu], d))
        add(tg->df, 1, tg->written.reaction, eq->n);
    add(r, eq->impulse[nu], tg->df, eq->n);
}

static double row_times(const pattern *A, const double *a, int row, const double *x)
{
    double sum = 0;
    for (int k = A->start[row]; k < A->start[row + 1]; k++) sum += a[k] * x[A->column[k]];
    return sum;
}

/*     dC_k = e_q dq + A dv + [e] at gamma_k,   dD_k = (G dq + [g])/h at x_k, where g = 0 */
static void relation_rows(tangent *tg, const part_direction *d, double *r)
{
    const equations *eq = &tg->st->eq;
    const pattern   *A = &eq->sys->A;
    for (int k = 0; k < eq->d; k++, r += eq->relations) {
        move_point(tg, &eq->gauss, k, d);
        bool varies = vary_point(tg, &eq->gauss.point[k], eq->gauss.x[eq->mirrored][k], d);
        for (int a = 0; a < eq->m; a++)
            r[a] = row_times(A, eq->gauss.out[k].eq, a, tg->dq) +
                   row_times(A, eq->gauss.out[k].A, a, tg->dv) + (varies ? tg->written.e[a] : 0);
        if (!eq->sys->r) continue;
        move_control(tg, k + 1, d);
        varies = vary_point(tg, &eq->control.point[k + 1], eq->control.x[0][k + 1], d);
        for (int a = eq->m; a < eq->relations; a++)
            r[a] = (row_times(A, eq->control.out[k + 1].A, a, tg->dq) +
                    (varies ? tg->written.g[a - eq->m] : 0)) /
                   eq->h;
    }
}

/* b_i h (dv + dLambda_w) */
static void phase_rows(const tangent *tg, int i, double *r)
{
    const equations *eq = &tg->st->eq;
    for (int j = 0; j < eq->phase; j++) {
        int k = eq->phase_list[j];
        r[eq->P + i * eq->phase + j] = eq->rule.b[i] * eq->h * (tg->dv[k] + tg->dLw[k]);
    }
}

/* The change of the residual with the unknowns held. */
static void residual_change(tangent *tg, const part_direction *d, double *r)
{
    const equations *eq = &tg->st->eq;
    clear(r, eq->size);
    memcpy(r, d->p, (size_t)eq->n * sizeof *r);
    for (int i = 0; i < eq->s; i++) {
        change_gradients(tg, &eq->rule, i, d);
        for (int nu = 0; nu < eq->d; nu++) add_rule(tg, i, nu, d->h, r + nu * eq->n);
        phase_rows(tg, i, r);
    }
    for (int j = 0; j < eq->force.count; j++) {
        change_gradients(tg, &eq->force, j, d);
        for (int nu = 0; nu < eq->d; nu++) add_own_force(tg, j, nu, d->h, r + nu * eq->n);
    }
    if (!eq->relations) return;
    for (int nu = 0; nu < eq->d; nu++) add_reaction(tg, nu, d, r + nu * eq->n);
    relation_rows(tg, d, r + eq->lam);
}

/* The change of p^-, with the unknowns: the sum of all rows, in which the L_w cancel. */
static void momentum_change(tangent *tg, const part_direction *d, double *dp)
{
    const equations *eq = &tg->st->eq;
    memcpy(dp, d->p, (size_t)eq->n * sizeof *dp);
    for (int i = 0; i < eq->s; i++)
        change_gradients(tg, &eq->rule, i, d), add_rule(tg, i, -1, d->h, dp);
    for (int j = 0; j < eq->force.count; j++)
        change_gradients(tg, &eq->force, j, d), add_own_force(tg, j, -1, d->h, dp);
    for (int nu = 0; nu < eq->d && eq->relations; nu++) add_reaction(tg, nu, d, dp);
}

/* Steps. --------------------------------------------------------------------------------------- */

/* J and all fields at the solution: more of them than the solve asks for, since points where no
 * unknown acts move with q_0. */
static bool linearise(tangent *tg)
{
    stepper       *st = tg->st;
    equations     *eq = &st->eq;
    dal_system    *sys = eq->sys;
    const unsigned f = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0u;
    const unsigned relations =
        WANT_RELATIONS | WANT_RELATIONS_JACOBIAN | (sys->r ? WANT_HOLONOMIC : 0u);
    const struct {
        const samples *set;
        unsigned       want;
    } all[] = {{&eq->rule, WANT_GRADIENT | WANT_HESSIAN | (eq->force.count ? 0u : f)},
               {&eq->force, f},
               {&eq->control, eq->relations ? relations : 0u},
               {&eq->gauss, eq->relations ? relations : 0u}};
    if (!equations_residual(eq, st->y, tg->r, true)) return false;
    if (eq->passes && !equations_evaluate(eq, st->y, tg->r)) return false;
    if (!eq->shot) equations_fill(eq);
    if (!solver_factor(tg->lu, eq->values)) return false;
    if (eq->shot) return true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].set->count && all[k].want &&
            sys->eval(sys->self, all[k].want, all[k].set->count, all[k].set->point,
                      all[k].set->out))
            return false;
    return true;
}

/* A curve that is shot: its rows know how they change with q_0, and p_1 is an unknown. */
static void through_shot(tangent *tg, double *dq, double *dp)
{
    equations *eq = &tg->st->eq;
    const int  n = eq->n;
    shooting_change(eq, tg->st->y, dq, tg->dy);
    add(tg->dy, -1, dp, n);
    solver_solve(tg->lu, tg->dy);
    for (int k = 0; k < eq->size; k++) tg->dy[k] = -tg->dy[k];
    shooting_move(eq, dq, tg->dy, tg->dq);
    memcpy(dq, tg->dq, (size_t)n * sizeof *dq);
    memcpy(dp, tg->dy + eq->P, (size_t)n * sizeof *dp);
}

static void through_part(tangent *tg, const step_direction *along, double *dq, double *dp)
{
    const equations *eq = &tg->st->eq;
    const int        n = eq->n;
    part_direction   d = {.q = dq, .p = dp};
    d.t = along->t + (eq->t - tg->t) / tg->h * along->h, d.h = eq->h / tg->h * along->h;
    d.written = (sys_direction){.parameter = along->parameter, .input = along->input};
    d.moves = along->parameter || along->input || along->t != 0 || along->h != 0;
    residual_change(tg, &d, tg->dy);
    solver_solve(tg->lu, tg->dy);
    for (int k = 0; k < eq->size; k++) tg->dy[k] = -tg->dy[k];
    d.dy = tg->dy;
    momentum_change(tg, &d, tg->dp);
    memcpy(dp, tg->dp, (size_t)n * sizeof *dp);
    add(dq, 1, tg->dy + (eq->d - 1) * n, n);
}

static void watch(void *self, stepper *st)
{
    tangent  *tg = self;
    const int n = st->sys->n;
    if (!tg->along || tg->failed) return;
    tg->failed = !linearise(tg);
    for (int c = 0; c < tg->count && !tg->failed; c++) {
        double *dq = tg->out + 2 * n * c;
        if (st->eq.shot) through_shot(tg, dq, dq + n);
        else through_part(tg, &tg->along[c], dq, dq + n);
    }
}

/* From the carried momentum to the projected one. */
static dal_status project(tangent *tg, text *why)
{
    stepper  *st = tg->st;
    const int n = st->sys->n;
    if (!st->eq.relations || st->options.momentum == MOMENTUM_PAPERS) return DAL_OK;
    dal_status bad = stepper_end(st, why);
    if (bad) return bad;
    if (!grid_linearise(&st->grid, st->t, st->q, st->w, st->v, st->nu)) return DAL_SINGULAR;
    for (int c = 0; c < tg->count; c++) {
        const step_direction *along = &tg->along[c];
        part_direction        d = {.t = along->t + along->h,
                                   .written = {.parameter = along->parameter, .input = along->input},
                                   .moves = true};
        bool                  varies = vary_point(tg, &st->grid.at, 0, &d);
        double               *dq = tg->out + 2 * n * c;
        grid_change(&st->grid, dq, dq + n, varies ? &tg->written : NULL, tg->dp);
        memcpy(dq + n, tg->dp, (size_t)n * sizeof *dq);
    }
    return DAL_OK;
}

static dal_status check(const tangent *tg, text *why)
{
    const stepper *st = tg->st;
    bool           beside = false;
    for (int c = 0; c < tg->count; c++)
        beside |= tg->along[c].parameter || tg->along[c].input || tg->along[c].t != 0 ||
                  tg->along[c].h != 0;
    if (beside && st->eq.shot)
        text_add(why,
                 "along a curve that is shot, only directions of q and p are known: use gauss(s) "
                 "or lobatto(s)");
    else if (beside && !tg->vary)
        text_add(why,
                 "how functions of your own change with time and parameters is not known: only "
                 "directions of q and p");
    else if (st->algebraic.k || (st->grid.k && st->eq.relations))
        text_add(why,
                 "directions without inertia are here, along which momenta are not free: their "
                 "tangent is not known");
    else return DAL_OK;
    return DAL_INVALID;
}

dal_status tangent_step(tangent *tg, double t, double h, int count, const step_direction *along,
                        double *out, text *why)
{
    const int n = tg->st->sys->n;
    tg->t = t, tg->h = h, tg->count = count, tg->along = along, tg->out = out, tg->failed = false;
    dal_status bad = check(tg, why);
    for (int c = 0; c < count; c++) {
        clear(out + 2 * n * c, 2 * n);
        if (along[c].q) memcpy(out + 2 * n * c, along[c].q, (size_t)n * sizeof *out);
        if (along[c].p) memcpy(out + 2 * n * c + n, along[c].p, (size_t)n * sizeof *out);
    }
    if (!bad) bad = stepper_step(tg->st, t, h, why);
    if (!bad && tg->failed) {
        text_add(why, "the equations of the step are singular where it ends");
        bad = DAL_SINGULAR;
    }
    if (!bad) bad = project(tg, why);
    tg->along = NULL;
    return bad;
}
