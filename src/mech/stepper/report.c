/* report.c - what a stepper reports at the present grid point, computed on demand. The step itself
 * needs none of it: it carries p^-, and only p modulo im A^T matters to it. */
#include "mech/degenerate/homogeneous.h"
#include "mech/rotation/state.h"
#include "mech/stepper/singular_hamiltonian.h"
#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

/* Without directions U for now: there is no state yet at which to look for them. */
void report_init(stepper *st)
{
    mem      *m = st->m;
    const int n = st->sys->n, relations = st->sys->m + st->sys->r;
    node_equations_init(&st->grid, m, st->sys, &(degeneracy){0});
    st->node.w = mem_array(m, n, double);
    st->node.v = mem_array(m, n, double);
    st->node.reported = mem_array(m, st->turn.width, double);
    st->node.nu = mem_array(m, relations, double);
    st->node.lam = mem_array(m, relations, double);
    st->node.rate = mem_array(m, n, double);
}

/* Guess: the slope of the last curve, the carried momentum. */
static void first_guess(stepper *st)
{
    const double *slope = stepper_slope(st);
    memcpy(st->node.v, slope, (size_t)st->sys->n * sizeof *st->node.v);
    memcpy(st->node.w, slope, (size_t)st->sys->n * sizeof *st->node.w);
    for (int j = 0; j < st->eq.phase; j++)
        st->node.w[st->eq.phase_list[j]] = st->p[st->eq.phase_list[j]];
}

/* Gauss points: the defect that they leave, and only theirs, is one of the motions in U. With the
 * energy principle, time moves too. */
static bool may_project(const stepper *st)
{
    const scheme *sch = &st->sch;
    return sch->rule.s == sch->degree && sch->rule.order == 2 * sch->degree &&
           !sch->own_force_rule && !st->energy;
}

/* Has direction u components along states alone? L holds none, so momentum along it is 0 and no
 * function of positions. */
static bool holds_states(const dal_system *sys, const degeneracy *g, int u)
{
    for (int i = 0; i < sys->n; i++) {
        const bool along = g->massless ? g->massless[u] == i : g->U[u * sys->n + i] != 0;
        if (along && !(sys->state && sys->state[i])) return false;
    }
    return true;
}

static bool are_states(const dal_system *sys, const degeneracy *g)
{
    for (int u = 0; u < g->dimension; u++)
        if (!holds_states(sys, g, u)) return false;
    return g->dimension > 0;
}

/* Has relations of directions that bend act inside the step, so that its matrix is another one. */
static void take_inside(stepper *st, const uint8_t *inside)
{
    const size_t M = (size_t)st->eq.relations;
    if (st->eq.inside ? !memcmp(inside, st->eq.inside, M) : !memchr(inside, 1, M)) return;
    uint8_t *kept = mem_array(st->m, M, uint8_t);
    memcpy(kept, inside, M);
    equations_take_inside(&st->eq, st->m, kept);
    stepper_new_matrix(st);
}

/* Coefficients of velocities that vary along directions without inertia, in ways that moves along
 * straight ones do not follow, or not at both ends, as compositions need it. */
static bent_hint pushes_vary(const stepper *st, const degeneracy *found)
{
    const dal_system *sys = st->sys;
    const bool        drags = found->resistive && sys->forced && sys->varies[F_FW] == FIELD_VARIES;
    const sys_point   at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    if ((drags || sys->varies[F_LQW] == FIELD_VARIES) &&
        degeneracy_turns(st->m, st->sys, &at, found))
        return BENT_SURELY;
    if (sys->varies[F_LQW] != FIELD_VARIES) return BENT_PERHAPS;
    return found->coupled ? BENT_SURELY : drags ? BENT_BY_DRAG : BENT_PERHAPS;
}

/* Why no step follows directions that bend; NULL: one may. */
static const char *unbendable(const stepper *st)
{
    const scheme *sch = &st->sch;
    if (st->energy) return "principle = energy does not follow it; use dirac+";
    if (st->eq.turn)
        return "beside rotations and directions no step follows it; write these as quaternions and "
               "vectors of plain coordinates, whose length is a holonomic relation";
    if (sch->own_force_rule) return "leave out the separate quadrature for the forces";
    if (!may_project(st)) return "this scheme does not follow it; use gauss(s)";
    if (st->options.momentum == MOMENTUM_PAPERS) return "use momentum = projected";
    if (st->eq.along || st->options.retraction != RETRACTION_MIDPOINT)
        return "use retraction = midpoint";
    if (st->eq.redundant) return "leave out the relations that follow from others";
    return NULL;
}

/* Do directions without inertia bend? */
static void find_bent(stepper *st, const degeneracy *found)
{
    massless_moves *to = &st->massless;
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    bent_moves     *made = NULL;
    text            why = text_new(st->m);
    bent_free(to->bent);
    to->bent = NULL, to->unbent = NULL;
    if (!found->dimension || found->massless || (found->U && are_states(st->sys, found))) return;
    const bent_kind kind = bent_find(st->m, st->sys, &at, pushes_vary(st, found), &made, &why);
    if (kind == BENT_REFUSED) to->unbent = text_str(&why); /* stays in m */
    if (kind == BENT_FITS) to->unbent = unbendable(st);
    if (kind == BENT_FITS && !to->unbent) to->unbent = bent_beside(made);
    if (kind == BENT_FITS && !to->unbent) {
        to->bent = made;
        take_inside(st, made->inside);
        ends_room(st);
        bent_join(made, &st->eq, st->sch.substeps);
    } else {
        bent_free(made);
    }
    if (kind != BENT_REFUSED) text_drop(&why);
}

/* Straight directions along which forces hold velocities of others. */
static void find_straight(stepper *st, const degeneracy *found)
{
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    bent_free(st->massless.straight);
    st->massless.straight = NULL;
    if (!found->coupled || found->loose || !may_project(st)) return;
    st->massless.straight = bent_straight(st->m, st->sys, &at);
    if (st->massless.straight) bent_join(st->massless.straight, &st->eq, 1);
}

/* Do its equations determine the state? If not, the derivative of another would be needed (index
 * 2). */
static bool straight_decides(stepper *st)
{
    const bent_state at = {st->t, st->q, st->q_low, st->p, st->p_low};
    bent_guess(st, st->massless.straight, stepper_slope(st));
    return bent_decides(st->massless.straight, &at);
}

/* Makes the end solve, and what moves the state, anew for these directions. Where forces hold
 * velocities of others, all of them are moved together, by the equations of those that bend. */
static void project_along(stepper *st, const degeneracy *found)
{
    const int k = found->dimension;
    node_equations_free(&st->grid);
    node_equations_init(&st->grid, st->m, st->sys, found);
    st->node.sigma = mem_array(st->m, k, double);
    find_bent(st, found);
    if (st->massless.bent) {
        algebraic_free(&st->massless.algebraic), primary_free(&st->massless.primary);
        bent_free(st->massless.straight), st->massless.straight = NULL;
        st->massless.projects = true, st->massless.ends.fits = st->massless.ends.needed = false;
        return;
    }
    algebraic_free(&st->massless.algebraic), algebraic_free(&st->massless.start);
    algebraic_init(&st->massless.start, st->m, st->sys, &st->grid,
                   found->loose ? k : found->resistive);
    algebraic_init(&st->massless.algebraic, st->m, st->sys, &st->grid,
                   found->coupled ? k : found->resistive);
    primary_free(&st->massless.primary);
    find_straight(st, found);
    if (may_project(st) && !are_states(st->sys, found))
        primary_init(&st->massless.primary, st->m, st->sys, &st->grid);
    st->massless.projects =
        st->options.momentum != MOMENTUM_PAPERS &&
        (st->massless.algebraic.k || st->massless.primary.k || st->massless.straight);
    ends_init(st);
}

/* Of a large system: are they coordinates? */
static bool projects_on_coordinates(stepper *st)
{
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    degeneracy      found;
    if (st->sys->n <= MASSLESS_LEAST || !degeneracy_find_massless(st->m, st->sys, &at, &found))
        return false;
    project_along(st, &found);
    if (node_is_regular(&st->grid, st->t, st->q, st->node.w, st->node.v)) return true;
    project_along(st, &(degeneracy){0});
    return false;
}

/* Unit vectors for the coordinates, as tangents need them: k n numbers, so not for large systems.
 */
bool report_write_out(stepper *st)
{
    const int n = st->sys->n, k = st->grid.k;
    if (!st->grid.massless) return true;
    if (n + st->eq.relations > DEGENERATE_MOST) return false;
    degeneracy all = {
        .dimension = k, .resistive = st->grid.resistive, .U = mem_array(st->m, k * n, double)};
    for (int u = 0; u < k; u++) all.U[u * n + st->grid.massless[u]] = 1;
    all.W = all.U;
    project_along(st, &all);
    return true;
}

/* L_ww u in row i, for u a direction of U; of coordinates themselves, for all of them at once */
static double inertia_along(const node_equations *g, int u, int i, double *most)
{
    const pattern *K = &g->sys->K;
    double         sum = 0;
    for (int e = K->start[i]; e < K->start[i + 1]; e++) {
        const double Lww = g->out.on_K[F_LWW][e];
        const int    j = K->column[e];
        if (g->massless) sum += g->of_massless[j] < 0 ? 0 : fabs(Lww);
        else sum += Lww * g->U[u * g->n + j];
        *most = fmax(*most, fabs(Lww));
    }
    return sum;
}

/* Do the directions that border the end solve have inertia by now, as a changed parameter can give
 * it to them? */
static bool has_gained_inertia(const node_equations *g)
{
    static const double ROUNDOFF = 1e-9;
    const int           directions = g->massless && g->k ? 1 : g->k;
    for (int u = 0; u < directions; u++)
        for (int i = 0; i < g->n; i++) {
            double most = 0;
            if (node_is_phase(g, i)) continue;
            if (fabs(inertia_along(g, u, i, &most)) > ROUNDOFF * most) return true;
        }
    return false;
}

/* Called once there is a state: are there directions without inertia? Then they border the end
 * solve. */
void report_find_massless(stepper *st)
{
    degeneracy found;
    first_guess(st);
    if (node_is_regular(&st->grid, st->t, st->q, st->node.w, st->node.v) &&
        !has_gained_inertia(&st->grid)) {
        const degeneracy same = {.dimension = st->grid.k,
                                 .resistive = st->grid.resistive,
                                 .coupled = st->grid.coupled,
                                 .first_order = st->grid.first_order,
                                 .U = st->grid.massless ? NULL : st->grid.U,
                                 .W = st->grid.massless ? NULL : st->grid.W};
        if (st->massless.bent || st->massless.unbent) find_bent(st, &same);
        if (st->massless.straight) find_straight(st, &same);
        return;
    }
    /* a large system may have coordinates without inertia, which are found without dense
     * matrices */
    if (projects_on_coordinates(st)) return;
    if (!degeneracy_find(st->m, st->sys, st->t, st->q, st->node.w, st->node.v, &found)) return;
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    st->massless.turning = homogeneous_direction(st->m, st->sys, &at, &found);
    /* directions of the same kinds only turn: what was made for them stays */
    if (!st->grid.massless && found.dimension == st->grid.k &&
        found.resistive == st->grid.resistive && found.coupled == st->grid.coupled &&
        (found.W == found.U) == (st->grid.W == st->grid.U)) {
        size_t count = (size_t)found.dimension * (size_t)st->sys->n;
        if (count) memcpy(st->grid.U, found.U, count * sizeof *found.U);
        if (found.W != found.U) memcpy(st->grid.W, found.W, count * sizeof *found.W);
        st->grid.ready = false;
        find_bent(st, &found);
        if (st->massless.straight) find_straight(st, &found);
        return;
    }
    project_along(st, &found);
}

/* Damping along a direction without inertia is not L-stable there, and leaves momentum where there
 * can be none.                                                            theory.md [DAMPING] */
static bool refuse_damped_massless(const stepper *st, text *why)
{
    const dal_system *sys = st->sys;
    for (int u = 0; u < st->grid.k && sys->damped; u++)
        for (int i = 0; i < sys->n; i++) {
            const bool along = st->grid.massless ? st->grid.massless[u] == i
                                                 : fabs(st->grid.U[u * sys->n + i]) > 1e-12;
            if (!along || !sys->damped[i]) continue;
            text_add(why, "damping acts along ");
            degeneracy_print(sys, &(degeneracy){.U = st->grid.U, .massless = st->grid.massless}, u,
                             why);
            text_add(why, ", which has no inertia: write what moves along it as a 'state', which "
                          "stands in forces and not in L, or write 'force' with gauss(s)");
            return true;
        }
    return false;
}

static void say_unbent(const stepper *st, text *why)
{
    text_add(why, "the direction ");
    stepper_massless(st, why);
    text_printf(why, " has no inertia, and relations, time or the state bend it; %s",
                st->massless.unbent);
}

/* A singular scheme is left to the step, whose message knows the rank; that of a shot curve is
 * refused here. */
dal_status stepper_judge(stepper *st, bool insist, text *why)
{
    if (st->massless.turning && !insist)
        return homogeneous_explain(st->sys, st->massless.turning, why), DAL_INVALID;
    if (refuse_damped_massless(st, why)) return DAL_INVALID;
    if (st->massless.unbent) return say_unbent(st, why), DAL_INVALID;
    if (st->massless.bent) return st->massless.singular = false, DAL_OK;
    if (st->massless.straight && !straight_decides(st)) st->grid.loose = true;
    degeneracy g = {.dimension = st->grid.k,
                    .resistive = st->grid.resistive,
                    .coupled = st->grid.coupled,
                    .first_order = st->grid.first_order,
                    .loose = st->grid.loose,
                    .U = st->grid.U,
                    .massless = st->grid.massless};
    dal_status bad = degeneracy_judge(st->m, st->sys, &g, &st->sch, insist, why);
    if (!bad && !insist) bad = singular_hamiltonian_judge(st, why);
    st->massless.singular = bad == DAL_SINGULAR;
    if (!st->massless.singular || st->eq.shot) return bad;
    text_clear(why);
    return DAL_OK;
}

/* A discrete relation taken at one end has order 1, unless it is constant. Where the kernel of
 * inertia turns under stiffness alone, or the state is not projected along directions without
 * inertia, the order is that of the stages: d, made even by symmetry. A step projected in q and p
 * at its end alone is not symmetric, and a composition has no more than its order. Inertia knows no
 * states.                                              theory.md [DEGENERATE] [BENT] [STATES] */
int stepper_order(const stepper *st)
{
    const dal_system *sys = st->sys;
    const int         order = scheme_order(&st->sch, st->sys->damped || st->sys->state),
              even = st->sch.rule.symmetric ? st->sch.degree % 2 : 0,
              stages = st->sch.degree + even;
    const bool moves = !sys->constant_A || sys->rheonomic,
               varies = sys->varies[F_LQW] == FIELD_VARIES;
    if (sys->m && moves && st->options.retraction != RETRACTION_MIDPOINT) return 1;
    const bool turns = varies && !stepper_projects(st);
    if (st->massless.bent) {
        return stepper_turns_massless(st) && stages < order ? stages : order;
    }
    if (st->grid.loose) return stages - 2;
    if (st->massless.ends.needed && !st->massless.ends.fits && !turns && order > 2 * st->sch.degree)
        return 2 * st->sch.degree;
    const bool lost = st->grid.resistive && turns && !stepper_massless_are_states(st);
    return lost && stages < order ? stages : order;
}

bool stepper_massless_are_states(const stepper *st)
{
    const degeneracy g = {.dimension = st->grid.k, .U = st->grid.U, .massless = st->grid.massless};
    return are_states(st->sys, &g);
}

bool stepper_turns_massless(const stepper *st)
{
    const bent_moves *b = st->massless.bent;
    return b && b->turns && b->stiff;
}

bool stepper_bends_stiff(const stepper *st)
{
    return st->massless.bent && st->massless.bent->stiff;
}

bool stepper_massless(const stepper *st, text *direction)
{
    const degeneracy g = {.U = st->grid.U, .massless = st->grid.massless};
    int              u = 0; /* one that is no state, if there is one */
    if (!st->grid.k) return false;
    while (u + 1 < st->grid.k && holds_states(st->sys, &g, u)) u++;
    degeneracy_print(st->sys, &g, u, direction);
    return true;
}

/* Also of a large system, where they are coordinates. */
static bool find_directions(stepper *st, mem *m, degeneracy *found)
{
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    if (st->sys->n > MASSLESS_LEAST && degeneracy_find_massless(m, st->sys, &at, found))
        return true;
    return degeneracy_find(m, st->sys, st->t, st->q, st->node.w, st->node.v, found);
}

/* A matrix that is regular, along directions that have gained no inertia, answers without a
 * search. */
bool stepper_keeps_inertia(stepper *st, text *why)
{
    degeneracy found = {0};
    st->node.known &= ~(unsigned)(KNOWN_END | KNOWN_REACTIONS);
    first_guess(st);
    if (node_is_regular(&st->grid, st->t, st->q, st->node.w, st->node.v) &&
        !has_gained_inertia(&st->grid))
        return true;
    mem       *m = mem_child(st->m);
    const bool same = !find_directions(st, m, &found) || found.dimension == st->grid.k;
    if (!same && found.dimension > st->grid.k)
        text_add(why, "no inertia is left along "), degeneracy_print(st->sys, &found, 0, why);
    else if (!same && stepper_massless(st, why)) text_add(why, " gets inertia");
    mem_free(m);
    return same;
}

/* Each direction binds its momentum; those behind the resistive ones bind their position, too. */
int stepper_bound_numbers(const stepper *st)
{
    return 2 * st->grid.k - st->grid.resistive;
}

int stepper_redundant_numbers(const stepper *st)
{
    return st->grid.redundant ? redundancy_numbers(st->grid.redundant) : 0;
}

/* dq is the move that would balance them. */
static void say_balance(const stepper *st, const double *dq, text *why)
{
    const dal_system *sys = st->sys;
    int               said = 0, left = 0;
    text_add(why, "the forces along ");
    direction_print(sys, dq, false, why);
    text_add(why, " do not balance at the start, and there is neither inertia nor "
                  "resistance to take up the difference; they balance with ");
    for (int i = 0; i < sys->n; i++) {
        if (dq[i] == 0 || (said == DIRECTION_TERMS && ++left)) continue;
        text_add(why, said++ ? ", " : "");
        if (sys->coordinate_name) sys->coordinate_name(sys->self, i, why);
        else text_printf(why, "coordinate %d", i + 1);
        text_printf(why, " = %.15g", st->q[i] + dq[i]);
    }
    if (left) text_printf(why, " and %d more", left);
}

/* No balanced state was found. If the forces are far from balance, the first step would jump. */
static dal_status judge_imbalance(const stepper *st, text *why)
{
    static const double FAR = 1e-6;
    if (!(st->massless.start.off > FAR * st->massless.start.forces)) return DAL_OK;
    text_add(why, "the forces along ");
    degeneracy_print(st->sys, &(degeneracy){.U = st->grid.U, .massless = st->grid.massless},
                     st->grid.loose ? 0 : st->grid.resistive, why);
    text_printf(why,
                " do not balance at the start: %.3g is left over, and there is "
                "neither inertia nor resistance to take it up; no state nearby was "
                "found where they balance: start elsewhere, or add inertia or "
                "resistance",
                st->massless.start.off);
    return DAL_SINGULAR;
}

/* The same along directions that bend, by the equations at the end of a step. */
static dal_status balance_bent(stepper *st, bool move, bool *moved, text *why)
{
    bool balanced;
    if (!bent_reach(st, &balanced)) return bent_explain(st, why);
    if (balanced) return DAL_OK;
    if (!move) return say_balance(st, st->massless.bent->pass.dq, why), DAL_INVALID;
    bent_adopt(st);
    return *moved = true, DAL_OK;
}

/* TOLERATED: a move relative to the positions; ROUNDOFF: an imbalance relative to the forces. */
dal_status stepper_balance(stepper *st, bool move, bool *moved, text *why)
{
    static const double TOLERATED = 1e-9, ROUNDOFF = 1e-12;
    const int           n = st->sys->n;
    double              size = 0, off = 0;
    *moved = false;
    if (st->massless.bent) return balance_bent(st, move, moved, why);
    if (!st->massless.start.k || st->options.momentum == MOMENTUM_PAPERS) return DAL_OK;
    if (!algebraic_solve(&st->massless.start, st->t, st->q, st->q_low, st->node.v))
        return judge_imbalance(st, why);
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(st->q[i] + st->massless.start.dq[i]));
        off = fmax(off, fabs(st->massless.start.dq[i]));
    }
    if (off <= TOLERATED * size || st->massless.start.off <= ROUNDOFF * st->massless.start.forces)
        return DAL_OK;
    if (!move) return say_balance(st, st->massless.start.dq, why), DAL_INVALID;
    for (int i = 0; i < n; i++)
        st->q[i] += st->massless.start.dq[i], st->p[i] += algebraic_drag(&st->massless.start, i);
    stepper_moved(st);
    return *moved = true, DAL_OK;
}

void report_free(stepper *st)
{
    node_equations_free(&st->grid);
    algebraic_free(&st->massless.algebraic);
    algebraic_free(&st->massless.start);
    bent_free(st->massless.straight);
    primary_free(&st->massless.primary);
    bent_free(st->massless.bent);
}

/* What could not be found is NaN in every number that is reported. */
static void no_numbers(double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = (double)NAN;
}

/* Where the momentum does not determine the velocity, that of the start may still be known. */
static bool start_serves(stepper *st)
{
    double most = 0, off = 0;
    if (st->stepped) return false;
    first_guess(st);
    node_is_regular(&st->grid, st->t, st->q, st->node.w, st->node.v);
    for (int i = 0; i < st->sys->n; i++) {
        double p = st->eq.phase_number[i] < 0 ? node_gradient(&st->grid)[i] : st->node.w[i];
        most = fmax(most, fabs(p)), off = fmax(off, fabs(p - st->p[i]));
    }
    return off <= 1e-9 * most;
}

/* Along directions that bend, the end of the step has solved for the velocity. */
static dal_status reach_bent(stepper *st)
{
    bent_moves  *b = st->massless.bent;
    const size_t n = (size_t)st->sys->n;
    bool         balanced;
    if (!bent_reach(st, &balanced)) {
        no_numbers(st->node.v, st->sys->n), no_numbers(st->node.reported, st->turn.width);
        return b->pass.failed;
    }
    memcpy(st->node.v, b->v, n * sizeof *b->v);
    bent_settle_velocity(b, st->t, st->q, b->lam, b->w, st->node.v);
    for (int i = 0; i < b->n; i++)
        st->node.w[i] = bent_is_phase(st->sys, i) ? b->w[i] : st->node.v[i];
    memset(st->node.nu, 0, (size_t)st->eq.relations * sizeof *st->node.nu);
    memcpy(st->node.sigma, b->sigma, (size_t)b->stiff * sizeof *b->sigma);
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    if (!bent_evaluate(b, WANT_GRADIENT, &at)) return DAL_DIVERGED;
    for (int i = 0; i < b->n; i++)
        st->node.reported[i] = bent_is_phase(st->sys, i) ? b->w[i] : b->out.Lw[i];
    return DAL_OK;
}

/* The end solve, unless it was made. */
static dal_status report_reach(stepper *st)
{
    if (st->node.known & KNOWN_END) return st->node.reached;
    st->node.known |= KNOWN_END;
    st->node.gradient = st->node.reported;
    if (st->massless.bent) return st->node.reached = reach_bent(st);
    if (node_divide_momenta(&st->grid, st->t, st->q, st->p, st->node.w, st->node.v))
        return st->node.gradient = st->p, st->node.reached = DAL_OK;
    first_guess(st);
    st->node.reached = node_solve(&st->grid, st->t, st->q, st->p, st->node.w, st->node.v,
                                  st->node.nu, st->node.sigma);
    const bool solved = !st->node.reached;
    if (st->node.reached == DAL_SINGULAR && start_serves(st)) st->node.reached = DAL_OK;
    if (st->node.reached) {
        no_numbers(st->node.v, st->sys->n);
        no_numbers(st->node.reported, st->turn.width);
        return st->node.reached;
    }
    memcpy(st->node.reported, node_gradient(&st->grid),
           (size_t)st->sys->n * sizeof *st->node.reported);
    if (solved && st->grid.momenta_alone) st->node.L = st->grid.out.L, st->node.known |= KNOWN_L;
    for (int j = 0; j < st->eq.phase; j++)
        st->node.reported[st->eq.phase_list[j]] = st->node.w[st->eq.phase_list[j]];
    if (st->eq.turn) turning_to_space(st->sys->turns, st->sys->n, st->q, st->node.reported);
    return DAL_OK;
}

/* Without relations p^- is the momentum; the papers' choices are explained in stepper.h. */
const double *stepper_p(stepper *st)
{
    if (!st->eq.relations) return st->p;
    if (stepper_looks_ahead(st)) return stepper_kicked(st);
    if (st->options.momentum == MOMENTUM_PAPERS) return st->p;
    report_reach(st);
    return st->node.reported;
}

const double *stepper_v(stepper *st)
{
    report_reach(st);
    return st->node.v;
}

const double *stepper_gradient(stepper *st)
{
    report_reach(st);
    return st->node.gradient;
}

/* What a checkpoint has brought holds none. */
bool stepper_lagrangian(stepper *st, double *L)
{
    const bool divided = report_reach(st) || st->node.gradient != st->node.reported;
    if (divided || !st->grid.momenta_alone || st->massless.bent) return false;
    if (!(st->node.known & KNOWN_L)) {
        if (!node_lagrangian(&st->grid, st->t, st->q, st->node.w, st->node.v)) return false;
        st->node.L = st->grid.out.L, st->node.known |= KNOWN_L;
    }
    *L = st->node.L;
    return true;
}

dal_status stepper_end(stepper *st, text *why)
{
    dal_status bad = report_reach(st);
    if (!bad || !why) return bad;
    if (bad == DAL_SINGULAR)
        text_add(why, "the velocity is not determined by the momentum and the relations");
    else text_add(why, "the velocity at the end of the step could not be found from the momentum");
    return bad;
}

/* NaN where the end solve has no solution, or its matrix is singular. */
const double *stepper_multipliers(stepper *st)
{
    if (st->node.known & KNOWN_REACTIONS) return st->node.lam;
    st->node.known |= KNOWN_REACTIONS;
    const sys_point at = {.t = st->t, .q = st->q, .w = st->node.w, .v = st->node.v};
    if (report_reach(st) || !stepper_reactions_at(st, &at, st->node.lam, st->node.rate))
        no_numbers(st->node.lam, st->eq.relations), no_numbers(st->node.rate, st->eq.n);
    return st->node.lam;
}

const double *stepper_rates(stepper *st)
{
    stepper_multipliers(st);
    return st->node.rate;
}

bool stepper_reactions_at(stepper *st, const sys_point *at, double *lam, double *rate)
{
    if (st->massless.bent) return bent_reactions(st->massless.bent, at, lam, rate);
    return !node_reactions(&st->grid, at->t, at->q, at->w, at->v, lam, rate);
}
