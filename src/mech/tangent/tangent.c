/* tangent.c - a step and its derivative: the factored J at the solution, applied to the change of
 * the residual.                                                              theory.md [TANGENT] */
#include "mech/tangent/inside.h"

#include "mech/equations/shooting.h"
#include "mech/equations/turning_changes.h"

#include <math.h>
#include <string.h>

static dal_status refuse(const stepper *st, text *why)
{
    if (stepper_looks_ahead(st))
        text_printf(why,
                    "momentum = papers with dirac%s depends on the next step and has no tangent: "
                    "use momentum = projected",
                    st->options.principle == DIRAC_PLUS ? "+ backward" : "-");
    else return DAL_OK;
    return DAL_INVALID;
}

static void watch(void *self, stepper *st);

int tangent_width(const tangent *tg)
{
    return 2 * tg->st->sys->n + (tg->st->energy ? 2 : 0);
}

/* Relations that act inside a step make another one of J. */
static void use_pattern(tangent *tg)
{
    const pattern *J = &tg->st->eq.J;
    if (tg->column == J->column) return;
    solver_free(tg->lu);
    tg->lu = solver_new(tg->st->m, J, NULL), tg->column = J->column;
}

/* With a solver of its own: the stepper may keep its factors over steps. */
dal_status tangent_new(mem *m, stepper *st, tangent **out, text *why)
{
    dal_status bad = refuse(st, why);
    *out = NULL;
    if (bad) return bad;
    tangent *tg = mem_array(m, 1, tangent);
    tg->st = st;
    row_changes_init(&tg->row, m, &st->eq);
    tg->r = mem_array(m, equations_extent(&st->eq), double);
    tg->dy = mem_array(m, equations_extent(&st->eq), double);
    tg->dq = mem_array(m, st->sys->n, double), tg->dp = mem_array(m, st->sys->n, double);
    if (st->energy) tg->dy_h = mem_array(m, equations_extent(&st->eq), double);
    use_pattern(tg);
    if (st->sys->vary) tg->row.vary = st->sys->vary(st->sys->self, m);
    stepper_watch(st, watch, tg);
    *out = tg;
    return DAL_OK;
}

void tangent_free(tangent *tg)
{
    if (!tg) return;
    solver_free(tg->lu);
    end_moves_free(tg->moves);
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
    /* by rows nothing was left at the sample points */
    if (eq->rows && !equations_evaluate(eq, st->y, tg->r)) return false;
    if (!eq->shot) equations_fill(eq);
    if (!solver_factor(tg->lu, eq->values)) return false;
    if (eq->shot) return true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].set->count && all[k].want &&
            sys->eval(sys->self, all[k].want, all[k].set->count, all[k].set->point,
                      all[k].set->out))
            return false;
    /* the rows of implicit forces need u where it was found */
    const samples *fs = force_points(eq);
    for (int i = 0; sys->inner && i < fs->count; i++) fs->point[i].inner = fs->out[i].inner.u;
    return true;
}

/* A curve that is shot: its rows know how they change with q_0, and p_1 is an unknown. */
static void through_shot(tangent *tg, double *dq, double *dp)
{
    equations *eq = &tg->st->eq;
    const int  n = eq->n;
    shooting_change(eq, tg->st->y, dq, tg->dy);
    add_times(tg->dy, -1, dp, n);
    solver_solve(tg->lu, tg->dy);
    for (int k = 0; k < eq->size; k++) tg->dy[k] = -tg->dy[k];
    shooting_move(eq, dq, tg->dy, tg->dq);
    memcpy(dq, tg->dq, (size_t)n * sizeof *dq);
    memcpy(dp, tg->dy + eq->P, (size_t)n * sizeof *dp);
}

/*     J dy = -dr,   dq_1 = dq_0 + dZ^d,   dp from row_changes_momentum
 * A part that begins at eq->t inside the step moves in time by its share of dh, and so does its
 * length. */
static void through_part(tangent *tg, const step_direction *along, double *dq, double *dp)
{
    const equations *eq = &tg->st->eq;
    const int        n = eq->n;
    part_direction   d = {.q = dq, .p = dp};
    d.t = along->t + (eq->t - tg->t) / tg->h * along->h, d.h = eq->h / tg->h * along->h;
    d.written = (sys_direction){.parameter = along->parameter, .input = along->input};
    d.moves = along->parameter || along->input || along->t != 0 || along->h != 0;
    row_changes_residual(&tg->row, &d, tg->dy);
    solver_solve(tg->lu, tg->dy);
    for (int k = 0; k < equations_extent(eq); k++) tg->dy[k] = -tg->dy[k];
    d.dy = tg->dy;
    row_changes_momentum(&tg->row, &d, tg->dp);
    memcpy(dp, tg->dp, (size_t)n * sizeof *dp);
    add_times(dq, 1, tg->dy + (eq->d - 1) * n, n);
    if (eq->turn) turning_changes_end(&tg->row, &d, dq);
}

/*     d q'(1) = (1/h) sum_nu l'_nu(1) dZ^nu - q'(1) dh/h, of the curve whose dy stands in tg->dy */
static void keep_slope(tangent *tg, const step_direction *along, double *to)
{
    const equations *eq = &tg->st->eq;
    const double    *dl = eq->control.at[0].dl + eq->d * (eq->d + 1), *y = tg->st->y;
    memset(to, 0, (size_t)eq->n * sizeof *to);
    for (int nu = 1; nu <= eq->d; nu++) {
        add_times(to, dl[nu] / eq->h, tg->dy + (nu - 1) * eq->n, eq->n);
        add_times(to, -dl[nu] / eq->h * along->h / tg->h, y + (nu - 1) * eq->n, eq->n);
    }
}

void tangent_part(tangent *tg, const step_direction *along, double *dq, double *dp, double *dv)
{
    through_part(tg, along, dq, dp);
    keep_slope(tg, along, dv);
}

/* Called after every curve of the step, also of those within a composition. */
static void watch(void *self, stepper *st)
{
    tangent  *tg = self;
    const int n = st->sys->n;
    if (!tg->along || tg->failed) return;
    const bool moved = st->massless.bent || st->massless.ends.fits;
    tg->failed = !linearise(tg) || (moved && !end_moves_linearise(tg));
    for (int c = 0; c < tg->count && !tg->failed; c++) {
        double *dq = tg->out + tangent_width(tg) * c;
        if (st->energy) {
            if (c == 0) energy_linearise(tg);
            energy_change(tg, &tg->along[c], dq);
            continue;
        }
        if (st->eq.shot) through_shot(tg, dq, dq + n);
        else if (moved) end_moves_part(tg, c, dq, dq + n, tg->end_slope + c * n);
        else if (stepper_projects(st))
            tangent_part(tg, &tg->along[c], dq, dq + n, tg->end_slope + c * n);
        else through_part(tg, &tg->along[c], dq, dq + n);
    }
}

/* What changes beside q and w at the end of the step. */
static part_direction at_end(const step_direction *along)
{
    return (part_direction){.t = along->t + along->h,
                            .written = {.parameter = along->parameter, .input = along->input},
                            .moves = true};
}

/* The moves along straight directions that end a step. */
static dal_status move_along_U(tangent *tg, text *why)
{
    const stepper *st = tg->st;
    const int      n = st->sys->n;
    if (!stepper_projects(st) || st->massless.bent || st->massless.ends.fits) return DAL_OK;
    if (!end_moves_linearise(tg)) {
        text_add(why, "the state along directions without inertia is not determined");
        return DAL_SINGULAR;
    }
    for (int c = 0; c < tg->count; c++) {
        double *dq = tg->out + 2 * n * c;
        end_moves_end(tg, c, dq, dq + n, tg->end_slope + c * n);
    }
    return DAL_OK;
}

/* From the carried momentum to the projected one. */
static dal_status project(tangent *tg, text *why)
{
    stepper  *st = tg->st;
    const int n = st->sys->n;
    if (!st->eq.relations || st->options.momentum == MOMENTUM_PAPERS) return DAL_OK;
    dal_status bad = stepper_end(st, why);
    if (bad) return bad;
    if (st->massless.bent) return end_moves_report(tg, tg->count, tg->along, tg->out);
    if (!node_linearise(&st->grid, st->t, st->q, st->node.w, st->node.v, st->node.nu))
        return DAL_SINGULAR;
    for (int c = 0; c < tg->count; c++) {
        part_direction d = at_end(&tg->along[c]);
        bool           varies = row_changes_written(&tg->row, &st->grid.at, 0, &d);
        double        *dq = tg->out + 2 * n * c;
        if (st->eq.turn) turning_changes_in_chart(st->sys->turns, 1, st->p, dq, dq + n);
        node_change(&st->grid, dq, dq + n, varies ? &tg->row.written : NULL, tg->dp);
        memcpy(dq + n, tg->dp, (size_t)n * sizeof *dq);
        if (st->eq.turn) turning_changes_in_chart(st->sys->turns, -1, stepper_p(st), dq, dq + n);
    }
    return DAL_OK;
}

/* Where U are coordinates, tangents need them as directions. */
static bool has_written_out(stepper *st, text *why)
{
    const bool done = report_write_out(st);
    if (!done)
        text_printf(why,
                    "some coordinates have no inertia: tangents are then supported for "
                    "at most %d coordinates",
                    DEGENERATE_MOST);
    return done;
}

/* What is not known of the system, or not supported, for these directions. */
static dal_status check(const tangent *tg, text *why)
{
    const stepper *st = tg->st;
    bool           beside = false;
    for (int c = 0; c < tg->count; c++)
        beside |= tg->along[c].parameter || tg->along[c].input || tg->along[c].t != 0 ||
                  tg->along[c].h != 0;
    if (beside && st->eq.shot)
        text_add(why, "shooting supports only directions of q and p: use gauss(s) or "
                      "lobatto(s)");
    else if (beside && !tg->row.vary)
        text_add(why, "user-defined functions have no derivatives in time and parameters "
                      "here: only directions of q and p are supported");
    else if (beside && st->energy && !tg->row.vary->tells_energy)
        text_add(why, "the energy of user-defined functions has no derivatives in time and "
                      "parameters: only directions of q, p and E are supported");
    else if (st->eq.turn && st->grid.k &&
             (stepper_projects(st) || !stepper_massless_are_states(st)))
        text_add(why, "tangents are not known where rotations or directions stand beside "
                      "directions without inertia");
    else if (!has_written_out(tg->st, why)) return DAL_INVALID;
    else if (st->energy && st->grid.k)
        text_add(why, "principle = energy has no tangent along directions without inertia, "
                      "and this system has some");
    else if (st->energy && st->eq.relations && st->sys->rheonomic)
        text_add(why, "principle = energy has no tangent with relations that move: their reactions "
                      "do work at the grid point, too");
    else return DAL_OK;
    return DAL_INVALID;
}

/* Along U, more room may be needed; that is known once a state was put. */
static dal_status prepare(tangent *tg, text *why)
{
    dal_status bad = check(tg, why);
    if (bad) return bad;
    use_pattern(tg);
    if (!stepper_projects(tg->st)) return DAL_OK;
    if (tg->count > tg->slopes)
        tg->end_slope = mem_array(tg->st->m, tg->count * tg->st->sys->n, double),
        tg->slopes = tg->count;
    return end_moves_new(tg, why);
}

/* The end solve at the present state, differentiated: dp becomes that of the reported momentum. */
dal_status tangent_consistent(tangent *tg, int count, double *pairs, text *why)
{
    stepper  *st = tg->st;
    const int n = st->sys->n;
    if (!has_written_out(st, why)) return DAL_INVALID;
    dal_status bad = st->grid.k ? stepper_end(st, why) : DAL_OK;
    if (bad || !st->grid.k) return bad;
    if (st->massless.bent) {
        bad = end_moves_new(tg, why);
        return bad ? bad : end_moves_report(tg, count, NULL, pairs);
    }
    if (!node_linearise(&st->grid, st->t, st->q, st->node.w, st->node.v, st->node.nu))
        return DAL_SINGULAR;
    for (int c = 0; c < count; c++, pairs += 2 * n) {
        node_change(&st->grid, pairs, pairs + n, NULL, tg->dp);
        memcpy(pairs + n, tg->dp, (size_t)n * sizeof *pairs);
    }
    return DAL_OK;
}

/* Directions n on the way in and out: (dn, dp) in space axes. */
static void turn_all(tangent *tg, void (*turned)(const turning *t, int n, const double *q,
                                                 const double *mu, double *dq, double *dp))
{
    stepper      *st = tg->st;
    const int     n = st->sys->n;
    const double *mu = stepper_p(st);
    for (int c = 0; c < tg->count; c++)
        turned(st->sys->turns, n, st->q, mu, tg->out + 2 * n * c, tg->out + 2 * n * c + n);
}

/* `out` begins with the directions, and each curve of the step moves them on (watch). */
dal_status tangent_step(tangent *tg, double t, double h, int count, const step_direction *along,
                        double *out, text *why)
{
    const int n = tg->st->sys->n, width = tangent_width(tg);
    tg->t = t, tg->h = h, tg->count = count, tg->along = along, tg->out = out, tg->failed = false;
    dal_status bad = prepare(tg, why);
    for (int c = 0; c < count; c++) {
        double *to = out + width * c;
        memset(to, 0, (size_t)width * sizeof *out);
        if (along[c].q) memcpy(to, along[c].q, (size_t)n * sizeof *out);
        if (along[c].p) memcpy(to + n, along[c].p, (size_t)n * sizeof *out);
        if (tg->st->energy) to[2 * n] = along[c].t, to[2 * n + 1] = along[c].E;
    }
    if (tg->st->energy) tg->first = tg->st->energy->h[0] == 0, tg->anew = tg->st->energy->anew;
    if (!bad && tg->st->eq.turn) turn_all(tg, turning_changes_to_body);
    if (!bad) bad = stepper_step(tg->st, t, h, why);
    if (!bad && tg->failed) {
        text_add(why, "the equations of the step are singular where it ends");
        bad = DAL_SINGULAR;
    }
    if (!bad) bad = move_along_U(tg, why);
    if (!bad) bad = project(tg, why);
    if (!bad && tg->st->eq.turn) turn_all(tg, turning_changes_to_space);
    tg->along = NULL;
    return bad;
}
