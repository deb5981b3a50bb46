/* equations.c - sizes, sample points and coefficients: everything known before the first step. */
#include "mech/equations/equations.h"

#include "mech/equations/retraction_rows.h"
#include "mech/equations/shooting.h"
#include "mech/equations/turning_rows.h"

#include <string.h>

/* Of a point of a curve that is run backward. */
static double mirror(double x)
{
    return 1 - x;
}

/* A set of points of the curve. */
static void samples_init(samples *set, equations *eq, mem *m, const double *x, const double *b,
                         int count)
{
    set->count = count;
    for (int side = 0; side < 2; side++) {
        set->x[side] = mem_array(m, count, double);
        for (int i = 0; i < count; i++) set->x[side][i] = side ? mirror(x[i]) : x[i];
        set->at[side] = basis_new(m, eq->d, set->x[side], count);
    }
    set->slope = mem_array(m, count * (eq->d + 1), double);
    set->b = mem_array(m, count, double);
    memcpy(set->b, b, (size_t)count * sizeof *b);
}

/* w is v itself unless there are Hamiltonian coordinates. */
static void room_for_points(samples *set, equations *eq, mem *m)
{
    const int count = set->count;
    set->q = mem_array(m, count * eq->n, double);
    set->v = mem_array(m, count * eq->n, double);
    set->w = eq->phase ? mem_array(m, count * eq->n, double) : set->v;
    set->point = mem_array(m, count, sys_point);
    set->out = mem_array(m, count, sys_values);
    for (int i = 0; i < count; i++)
        set->point[i] =
            (sys_point){.q = set->q + i * eq->n, .w = set->w + i * eq->n, .v = set->v + i * eq->n};
}

/* Fields that do not enter the Jacobian share one array that is never read. */
static void room_for_gradient(samples *set, equations *eq, mem *m)
{
    room_for_points(set, eq, m);
    for (int i = 0; i < set->count; i++) {
        set->out[i].Lq = mem_array(m, eq->n, double);
        set->out[i].Lw = mem_array(m, eq->n, double);
        for (int f = F_LQQ; f <= F_LWW; f++)
            set->out[i].on_K[f] = eq->sys->varies[f] == FIELD_ZERO
                                      ? eq->scratch
                                      : mem_array(m, pattern_count(&eq->sys->K), double);
    }
}

static void room_for_inner(inner_values *to, const sys_inner *of, bool phase, mem *m)
{
    const int state = pattern_count(&of->of_state) + 1;
    to->u = mem_array(m, of->size + 1, double);
    to->c_u = mem_array(m, pattern_count(&of->of_u) + 1, double);
    to->c_q = mem_array(m, state, double), to->c_v = mem_array(m, state, double);
    if (phase) to->c_w = mem_array(m, state, double);
    to->f_u = mem_array(m, pattern_count(&of->force) + 1, double);
}

static void room_for_force(samples *set, equations *eq, mem *m)
{
    for (int i = 0; i < set->count; i++) {
        set->out[i].f = mem_array(m, eq->n, double);
        if (eq->sys->inner) room_for_inner(&set->out[i].inner, eq->sys->inner, eq->phase > 0, m);
        for (int f = F_FQ; f <= F_FW; f++)
            set->out[i].on_K[f] = eq->sys->varies[f] == FIELD_ZERO
                                      ? eq->scratch
                                      : mem_array(m, pattern_count(&eq->sys->K), double);
    }
}

void equations_force_samples(equations *eq, mem *m, samples *set, const double *x, const double *b,
                             int count)
{
    samples_init(set, eq, m, x, b, count);
    room_for_points(set, eq, m);
    room_for_force(set, eq, m);
}

/* A curve that is run backward undoes what it does forward: u_nu has the other sign.
 *                                                                           theory.md [DAMPING] */
static void make_upwind(equations *eq, mem *m)
{
    const samples *set = &eq->rule;
    for (int side = 0; side < 2; side++) {
        eq->upwind.at[side] = upwind_new(m, &set->at[side], set->x[side], set->b);
        for (int k = 0; side && k < set->count * (eq->d + 1); k++)
            eq->upwind.at[side][k] = -eq->upwind.at[side][k];
    }
}

/* Damping has the points of L. */
static void room_for_damping(equations *eq, mem *m)
{
    samples *set = &eq->rule;
    for (int i = 0; i < set->count; i++) {
        set->out[i].D = mem_array(m, eq->n, double);
        for (int f = F_DQ; f <= F_DW; f++)
            if (eq->sys->varies[f] != FIELD_ZERO)
                set->out[i].on_K[f] = mem_array(m, pattern_count(&eq->sys->K), double);
    }
    eq->upwind.end = upwind_end_new(m, &set->at[0], set->b);
    eq->c.d = mem_array(m, eq->d * eq->s, double);
}

static void list_states(equations *eq, mem *m)
{
    eq->upwind.state_list = mem_array(m, eq->n, int);
    for (int i = 0; i < eq->n; i++)
        if (eq->sys->state[i]) eq->upwind.state_list[eq->upwind.states++] = i;
}

static void leave_out_momenta(samples *set, const dal_system *sys, mem *m)
{
    set->forces = mem_array(m, set->count, sys_values);
    for (int i = 0; i < set->count; i++) {
        set->forces[i] = set->out[i];
        if (sys->selective && !sys->damped) set->forces[i].Lw = NULL;
    }
}

/* Fields that do not change are evaluated once, where others may be without them. */
static void leave_out_constants(samples *set, const dal_system *sys, mem *m)
{
    if (!sys->selective) return;
    set->anew = mem_array(m, set->count, sys_values);
    for (int i = 0; i < set->count; i++) {
        set->anew[i] = set->out[i];
        for (int f = 0; f < F_COUNT; f++)
            if (sys->varies[f] != FIELD_VARIES) set->anew[i].on_K[f] = NULL;
    }
}

/* e and A at each point, g where it is a control node, and what their Jacobian needs. */
static void room_for_relations(samples *set, equations *eq, mem *m)
{
    room_for_points(set, eq, m);
    for (int i = 0; i < set->count; i++) {
        sys_values *out = &set->out[i];
        out->e = mem_array(m, eq->relations, double);
        out->et = mem_array(m, eq->relations, double);
        out->A = mem_array(m, pattern_count(&eq->sys->A), double);
        out->eq = mem_array(m, pattern_count(&eq->sys->A), double);
        out->g = mem_array(m, eq->sys->r, double);
        out->on_K[F_CURV] = eq->sys->varies[F_CURV] == FIELD_ZERO
                                ? eq->scratch
                                : mem_array(m, pattern_count(&eq->sys->K), double);
    }
}

/* Without relations no step needs the Gauss points, but a ledger may. Where they coincide with
 * those of the rule, both share their arrays. */
static void points_for_ledgers(equations *eq, mem *m)
{
    const samples *rule = &eq->rule;
    samples       *set = &eq->gauss;
    bool           same = rule->count == set->count;
    for (int i = 0; i < set->count && same; i++) same = rule->x[0][i] == set->x[0][i];
    if (!same) {
        room_for_points(set, eq, m);
        return;
    }
    set->q = rule->q, set->v = rule->v, set->w = rule->w, set->point = rule->point;
    set->out = mem_array(m, set->count, sys_values);
}

/* Relations belong to the curve, not to its quadrature: reactions act at its Lobatto(d+1)
 * control nodes, velocity constraints hold at its Gauss(d) points. theory.md [CONSTRAINED] For
 * d = 1 the point of the constraint may be an end: the papers' (+), (-).  theory.md [RETRACTION] */
static void relation_samples(equations *eq, mem *m, retraction how)
{
    static const double end[] = {[RETRACTION_LEFT] = 0, [RETRACTION_RIGHT] = 1};
    quadrature          control, gauss;
    quadrature_lobatto(&control, eq->d + 1);
    quadrature_gauss(&gauss, eq->d);
    if (how != RETRACTION_MIDPOINT) gauss.c[0] = end[how];
    samples_init(&eq->control, eq, m, control.c, control.b, control.s);
    samples_init(&eq->gauss, eq, m, gauss.c, gauss.b, gauss.s);
    if (!eq->relations) {
        points_for_ledgers(eq, m);
        return;
    }
    room_for_relations(&eq->control, eq, m);
    room_for_relations(&eq->gauss, eq, m);
    /* A and g are read there, which no velocity enters */
    for (int nu = 0; nu <= eq->d; nu++) eq->control.point[nu].v = eq->zero;
}

/* phase_number: of each coordinate its number among the Hamiltonian ones, or -1; phase_list: the
 * inverse. */
static void number_phase(equations *eq, mem *m)
{
    const uint8_t *flag = eq->sys->hamiltonian;
    eq->phase_list = mem_array(m, eq->n, int);
    eq->phase_number = mem_array(m, eq->n, int);
    for (int i = 0; i < eq->n; i++) {
        eq->phase_number[i] = flag && flag[i] ? eq->phase : -1;
        if (flag && flag[i]) eq->phase_list[eq->phase++] = i;
    }
}

/* A chord has one velocity, so its curve must have degree one; compositions have many of them. */
static dal_status refuse_map(const equations *eq, const scheme *sch, const retraction_map *map,
                             text *why)
{
    if (!map || !eq->m) return DAL_OK;
    if (sch->curve != CURVE_POLYNOMIAL || sch->degree != 1)
        text_printf(why,
                    "a user-defined retraction is for chords, and the curve of %s is none: it must "
                    "be polynomial(1), as of midpoint, trapezoid, rectangle or compositions of these",
                    sch->name);
    else if (map->n != eq->n)
        text_printf(why, "the retraction is for %d coordinates, and the system has %d", map->n,
                    eq->n);
    else return DAL_OK;
    return DAL_INVALID;
}

/* What the middle of a step, on which charts of rotations are centred, is not known to. */
static dal_status refuse_turning(const equations *eq, const scheme *sch, const retraction_map *map,
                                 text *why)
{
    if (!eq->sys->turns) return DAL_OK;
    const char *what = sch->curve != CURVE_POLYNOMIAL ? "a shooting curve: use gauss(s)"
                       : sch->own_force_rule          ? "a separate quadrature for the forces"
                       : map && eq->m                 ? "a user-defined retraction"
                       : eq->sys->inner               ? "implicit forces"
                                                      : NULL;
    if (what) text_printf(why, "rotations and directions cannot be combined with %s", what);
    return what ? DAL_INVALID : DAL_OK;
}

/* Combinations that theory.md [SCHEME], [RETRACTION] and [FORCE] exclude. */
static dal_status refuse(const equations *eq, const scheme *sch, retraction how, text *why)
{
    if (sch->rule.s < sch->degree)
        text_printf(why,
                    "a quadrature with %d points does not determine polynomial(%d), "
                    "which needs at least %d",
                    sch->rule.s, sch->degree, sch->degree);
    else if (how != RETRACTION_MIDPOINT && sch->degree != 1 && eq->relations)
        text_printf(why,
                    "left and right retractions exist for polynomial(1) only; here the curve is "
                    "polynomial(%d), which takes retraction = midpoint",
                    sch->degree);
    else if (sch->own_force_rule && eq->phase && eq->sys->forced)
        text_printf(why, "a separate quadrature for the forces needs velocities, and "
                         "Hamiltonian coordinates have only momenta, at the points of the "
                         "scheme");
    else if ((eq->sys->damped || eq->sys->state) && !scheme_upwinds(sch))
        text_printf(why,
                    "%s the upwinded functions that damped(s) and gauss(s), s >= 2, have: use "
                    "damped(3)%s",
                    eq->sys->damped ? "damping needs" : "states need",
                    eq->sys->damped ? ", or write force instead of damping" : "");
    else return DAL_OK;
    return DAL_INVALID;
}

dal_status equations_init(equations *eq, mem *m, dal_system *sys, const scheme *sch, retraction how,
                          const retraction_map *map, text *why)
{
    *eq = (equations){.sys = sys,
                      .n = sys->n,
                      .m = sys->m,
                      .relations = sys->m + sys->r,
                      .d = sch->curve == CURVE_SHOOTING ? 1 : sch->degree,
                      .s = sch->rule.s};
    number_phase(eq, m);
    dal_status bad = refuse(eq, sch, how, why);
    if (!bad) bad = refuse_map(eq, sch, map, why);
    if (!bad) bad = refuse_turning(eq, sch, map, why);
    if (bad) return bad;

    /* y = (Z, lam, P) */
    eq->lam = eq->d * eq->n;
    eq->P = eq->lam + eq->d * eq->relations;
    eq->size = eq->P + eq->s * eq->phase;
    eq->zero = mem_array(m, eq->n, double);
    eq->scratch = mem_array(m, pattern_count(&sys->K), double);

    samples_init(&eq->rule, eq, m, sch->rule.c, sch->rule.b, sch->rule.s);
    room_for_gradient(&eq->rule, eq, m);
    if (sys->forced && sch->own_force_rule)
        equations_force_samples(eq, m, &eq->force, sch->force.c, sch->force.b, sch->force.s);
    else if (sys->forced) room_for_force(&eq->rule, eq, m);
    if (sys->damped || sys->state) make_upwind(eq, m);
    if (sys->damped) room_for_damping(eq, m);
    if (sys->state) list_states(eq, m);
    leave_out_constants(&eq->rule, sys, m);
    leave_out_constants(&eq->force, sys, m);
    leave_out_momenta(&eq->rule, sys, m);
    relation_samples(eq, m, how);
    if (sys->turns) turning_rows_new(m, eq);
    if (map && eq->m) eq->along = retraction_rows_new(m, eq, map, how);
    if (sys->redundant && eq->relations) {
        eq->redundant = mem_array(m, 1, redundancy);
        redundancy_init(eq->redundant, m, sys);
    }

    eq->c.w = mem_array(m, eq->d * eq->s, double);
    eq->c.q = mem_array(m, eq->d * eq->s, double);
    eq->c.f = mem_array(m, eq->d * eq->force.count, double);
    eq->impulse = mem_array(m, eq->d + 1, double);
    /* what each evaluation asks for: L_q and L_w, and f where it shares their points */
    eq->want.residual = WANT_GRADIENT;
    if (sys->forced && !eq->force.count) eq->want.residual |= WANT_FORCE;
    const bool shot = sch->curve == CURVE_SHOOTING;
    eq->single =
        !shot && eq->d == 1 && eq->s == 1 && !eq->phase && !eq->relations && !eq->force.count &&
        !eq->turn;
    bad = shot ? shooting_init(eq, m, sch, why) : DAL_OK;
    if (!shot) equations_pattern(eq, m);
    return bad;
}

/* At (t, q) of the step, and at rest: L_ww only weighs coordinates there. What has no value leaves
 * no combination, and the step will say why. */
void equations_find_redundant(equations *eq)
{
    sys_values *out = &eq->control.out[0], *inertia = &eq->rule.out[0];
    sys_point   at = {.t = eq->t, .q = eq->control.q, .w = eq->zero, .v = eq->zero};
    for (int j = 0; j < eq->n; j++) eq->control.q[j] = eq->q[j] + eq->q_low[j];
    if (eq->sys->eval(eq->sys->self, WANT_RELATIONS, 1, &at, out) ||
        eq->sys->eval(eq->sys->self, WANT_GRADIENT | WANT_HESSIAN, 1, &at, inertia))
        return;
    redundancy_find(eq->redundant, out->A, inertia->on_K[F_LWW]);
}

void equations_take_inside(equations *eq, mem *m, const uint8_t *inside)
{
    const int count = eq->d * eq->relations;
    eq->inside = inside;
    for (int k = 0; k < 2; k++) eq->lam_at[k] = mem_array(m, count, double);
    eq->sum = (jacobian_sums){0};
    eq->want.jacobian = eq->want.constant = eq->want.relation = 0;
    equations_pattern(eq, m);
    eq->h = 0;
}

void equations_free(equations *eq)
{
    shooting_free(eq->shot);
}

static void set_slopes(samples *set, const equations *eq)
{
    const double *dl = set->at[eq->mirrored].dl;
    for (int k = 0; k < set->count * (eq->d + 1); k++) set->slope[k] = dl[k] / eq->h;
}

/*     c.w = b_i l'_nu(c_i),  c.q = h b_i l_nu(c_i),  c.f = h b'_j l_nu(c'_j)
 *     c.d = -h b_i u_nu(c_i)                                 theory.md [GALERKIN] [DAMPING] */
void equations_set_step(equations *eq, double h, bool mirrored)
{
    if (h == eq->h && mirrored == eq->mirrored) return;
    const int    side = mirrored, columns = eq->d + 1;
    /* h^-1, h^0, h^1: a term has one of these powers */
    const double power[] = {1 / h, 1, h};
    eq->h = h, eq->mirrored = side, eq->sum.filled = false;
    set_slopes(&eq->rule, eq), set_slopes(&eq->force, eq), set_slopes(&eq->gauss, eq);
    for (int nu = 0; nu < eq->d; nu++) {
        for (int i = 0; i < eq->s; i++) {
            eq->c.w[nu * eq->s + i] = eq->rule.b[i] * eq->rule.at[side].dl[i * columns + nu];
            eq->c.q[nu * eq->s + i] = h * eq->rule.b[i] * eq->rule.at[side].l[i * columns + nu];
            if (eq->c.d)
                eq->c.d[nu * eq->s + i] =
                    -h * eq->rule.b[i] * eq->upwind.at[side][i * columns + nu];
        }
        for (int j = 0; j < eq->force.count; j++)
            eq->c.f[nu * eq->force.count + j] =
                h * eq->force.b[j] * eq->force.at[side].l[j * columns + nu];
    }
    for (int nu = 0; nu <= eq->d; nu++) eq->impulse[nu] = h * eq->control.b[nu];
    for (int k = 0; k < eq->sum.terms; k++)
        eq->sum.coefficient[k] = eq->sum.term[k].base[side] * power[eq->sum.term[k].power + 1];
}
