/* shifted.c - two elements more in a model: alpha W in L, and what takes it back in f.
 *
 *     f_j = -alpha (W_qj - a_jt - sum_k a_jqk v_k),   a_j = W_vj,
 *
 * which holds no acceleration since W is linear in velocities: a potential force, and a gyroscopic
 * one. On rotations acts the torque -alpha W_R of a W without velocities, in body axes. */
#include "run/shifted.h"

#include "run/simulation.h"

#include <string.h>

/* The model's own numbers, and alpha behind them. */
static dal_status evaluate_shifted(const model *md, const overrides *over, diags *ds, mem *m,
                                   values *out)
{
    const shifted *sh = (const shifted *)md;
    dal_status     bad = sh->of->by->evaluate(sh->of, over, ds, m, out);
    double        *all = mem_array(m, md->parameters, double);
    if (bad) return bad;
    for (int i = 0; i < sh->of->parameters; i++) all[i] = out->parameter[i];
    all[sh->of->parameters] = sh->alpha;
    out->parameter = all;
    return DAL_OK;
}

static const model_functions by_shift = {.evaluate = evaluate_shifted};

/* A new element that reads what W reads, then alpha, then as many slots more; *W in its graph. */
static element element_beside(mem *m, const element *of, element_kind kind, int roots, int alpha,
                              int more, expr *W)
{
    element el = {
        .kind = kind, .at = of->at, .instances = 1, .slots = of->slots + 1 + more, .roots = roots};
    int   nodes = of->g.nodes.n;
    expr *image = mem_array(m, el.slots, expr);
    int  *memo = mem_array(m, nodes, int);
    graph_init(&el.g, m);
    el.slot = mem_array(m, el.slots, slot);
    el.root = mem_array(m, roots, expr);
    el.target = mem_array(m, roots, slot);
    for (int i = 0; i < of->slots; i++) el.slot[i] = of->slot[i];
    el.slot[of->slots] = (slot){.kind = SLOT_PARAMETER, .base = alpha};
    el.owner = (slot){.kind = SLOT_ENERGY};
    for (int i = 0; i < el.slots; i++) image[i] = expr_var(&el.g, i);
    for (int i = 0; i < nodes; i++) memo[i] = EXPR_NONE;
    *W = expr_import(&el.g, &of->g, of->root[0], image, memo);
    return el;
}

/* alpha W */
static element energy_element(mem *m, const element *of, int alpha)
{
    expr    W;
    element el = element_beside(m, of, EL_LAGRANGIAN, 1, alpha, 0, &W);
    el.root[0] = expr_mul(&el.g, expr_var(&el.g, of->slots), W);
    return el;
}

/* The slot of that kind and index; -1: there is none. */
static int slot_of(const element *el, slot_kind kind, int base)
{
    for (int i = 0; i < el->slots; i++)
        if (el->slot[i].kind == kind && el->slot[i].base == base) return i;
    return -1;
}

/* Coordinates whose positions or velocities W holds, each once. */
static int coordinates_of(const element *of, int *list)
{
    int n = 0;
    for (int i = 0; i < of->slots; i++) {
        bool seen = of->slot[i].kind != SLOT_Q && of->slot[i].kind != SLOT_V;
        for (int k = 0; k < n && !seen; k++) seen = list[k] == of->slot[i].base;
        if (!seen) list[n++] = of->slot[i].base;
    }
    return n;
}

/* d/dt along the motion, of what holds t and positions. */
static expr rate_of(mem *m, element *el, expr e)
{
    int  *vars = mem_array(m, el->slots, int), n = 0;
    expr *along = mem_array(m, el->slots, expr);
    for (int i = 0; i < el->slots; i++) {
        const bool time = el->slot[i].kind == SLOT_TIME;
        if (!time && el->slot[i].kind != SLOT_Q) continue;
        vars[n] = i;
        along[n++] =
            time ? expr_const(&el->g, 1) : expr_var(&el->g, slot_of(el, SLOT_V, el->slot[i].base));
    }
    return expr_along(&el->g, e, vars, along, n);
}

static expr slope(element *el, expr e, int variable)
{
    expr out = expr_const(&el->g, 0);
    if (variable >= 0) expr_gradient(&el->g, e, &variable, 1, &out);
    return out;
}

static bool holds_velocities(const element *of)
{
    for (int i = 0; i < of->slots; i++)
        if (of->slot[i].kind == SLOT_V) return true;
    return false;
}

/* Rotations. ------------------------------------------------------------------------------------
 */

/* Rotations of which W holds entries, each once. */
static int rotations_of(const element *of, int *list)
{
    int n = 0;
    for (int i = 0; i < of->slots; i++) {
        const int k = of->slot[i].base / TURNING_MATRIX;
        bool      seen = !slot_is_axis(of->slot[i].kind);
        for (int j = 0; j < n && !seen; j++) seen = list[j] == k;
        if (!seen) list[n++] = k;
    }
    return n;
}

/* Entry (i, j) of R, which is read from `first` on; what W itself reads is another variable. */
static expr entry(element *el, int first, int i, int j)
{
    return expr_var(&el->g, first + 3 * i + j);
}

/*     W_R,c = sum_ij W_Rij (R [e_c])_ij = sum_i (W_Ri,c+1 R_i,c+2 ... )
 * columns of R [eta] are R_2 eta_3 - R_3 eta_2, and so on in turn: that of axis c + 1 gains R_c+2,
 * that of c + 2 loses R_c+1. */
static expr torque(element *el, const element *of, expr W, int k, int first, int c)
{
    const int n = (c + 1) % 3, p = (c + 2) % 3;
    expr      sum = expr_const(&el->g, 0);
    for (int i = 0; i < 3; i++) {
        const int at = TURNING_MATRIX * k + 3 * i;
        const int by_n = slot_of(of, (slot_kind)(SLOT_AXIS_1 + n), at + n),
                  by_p = slot_of(of, (slot_kind)(SLOT_AXIS_1 + p), at + p);
        const expr gains = expr_mul(&el->g, slope(el, W, by_n), entry(el, first, i, p)),
                   loses = expr_mul(&el->g, slope(el, W, by_p), entry(el, first, i, n));
        sum = expr_add(&el->g, sum, expr_sub(&el->g, gains, loses));
    }
    return sum;
}

/* -alpha W_R on every rotation of W, whose entries are read too. */
static element torque_element(mem *m, const element *of, const turning *t, int alpha)
{
    int    *list = mem_array(m, of->slots + 1, int), n = rotations_of(of, list);
    expr    W;
    element el = element_beside(m, of, EL_FORCE, 3 * n, alpha, TURNING_MATRIX * n, &W);
    for (int j = 0; j < n; j++) {
        const int first = of->slots + 1 + TURNING_MATRIX * j;
        for (int e = 0; e < TURNING_MATRIX; e++)
            el.slot[first + e] = (slot){.kind = (slot_kind)(SLOT_AXIS_1 + e % 3),
                                        .base = TURNING_MATRIX * list[j] + e};
        for (int c = 0; c < 3; c++) {
            const expr force =
                expr_mul(&el.g, expr_var(&el.g, of->slots), torque(&el, of, W, list[j], first, c));
            el.root[3 * j + c] = expr_neg(&el.g, force);
            el.target[3 * j + c] = (slot){.kind = SLOT_Q, .base = t->first[list[j]] + c};
        }
    }
    return el;
}

/* Numbers. ------------------------------------------------------------------------------------- */

/* -alpha (W_q - d/dt W_v) on every coordinate of W; if it holds velocities, those of its positions
 * are read too. */
static element force_element(mem *m, const element *of, int alpha)
{
    int      *list = mem_array(m, of->slots + 1, int), n = coordinates_of(of, list);
    const int more = holds_velocities(of) ? n : 0;
    expr      W;
    element   el = element_beside(m, of, EL_FORCE, n, alpha, more, &W);
    for (int j = 0; j < more; j++)
        el.slot[of->slots + 1 + j] = (slot){.kind = SLOT_V, .base = list[j]};
    for (int j = 0; j < n; j++) {
        const expr by_q = slope(&el, W, slot_of(&el, SLOT_Q, list[j]));
        const expr a = slope(&el, W, slot_of(&el, SLOT_V, list[j]));
        const expr whole = more ? expr_sub(&el.g, by_q, rate_of(m, &el, a)) : by_q;
        const expr force = expr_mul(&el.g, expr_var(&el.g, of->slots), whole);
        el.root[j] = expr_neg(&el.g, force);
        el.target[j] = (slot){.kind = SLOT_Q, .base = list[j]};
    }
    return el;
}

/* a = W_v; false: a velocity is left in it. */
static bool take_slopes(shifted *sh, mem *m)
{
    element *W = &sh->W;
    int     *vars = mem_array(m, W->slots, int), n = 0;
    for (int i = 0; i < W->slots; i++)
        if (W->slot[i].kind == SLOT_V) vars[n++] = i;
    sh->moving = n, sh->coordinate = mem_array(m, n, int), sh->a = mem_array(m, n, expr);
    expr *second = mem_array(m, n * n, expr);
    expr_gradient(&W->g, W->root[0], vars, n, sh->a);
    expr_hessian(&W->g, sh->a, n, vars, n, second);
    for (int k = 0; k < n * n; k++)
        if (!expr_is_zero(&W->g, second[k])) return false;
    for (int k = 0; k < n; k++) sh->coordinate[k] = W->slot[vars[k]].base;
    sh->values = mem_array(m, W->slots, double);
    sh->scratch = mem_array(m, W->g.nodes.n + 1, double);
    return true;
}

static shifted *copy_of_model(mem *m, const model *of)
{
    shifted *sh = mem_array(m, 1, shifted);
    sh->of = of;
    model_copy(m, of, &sh->md);
    sh->md.parameters = of->parameters + 1, sh->md.by = &by_shift;
    return sh;
}

dal_status shifted_new(const description *d, const source *words, shifted **out)
{
    const model *of = d->of->md;
    shifted     *sh = *out = copy_of_model(d->m, of);
    dal_status bad = of->by->express(of, &d->asked->over, words, d->ds, &sh->md, d->m, &sh->W);
    if (bad) return bad;
    const element energy = energy_element(d->m, &sh->W, of->parameters),
                  force = force_element(d->m, &sh->W, of->parameters);
    const element turns = torque_element(d->m, &sh->W, of->turns, of->parameters);
    if (!force.roots && !turns.roots)
        return diag_error(d->ds, DAL_INVALID, source_span(words),
                          "name a let or an expression with coordinates in it",
                          "this contains no coordinate, so it exerts no force");
    if (!take_slopes(sh, d->m))
        return diag_error(d->ds, DAL_INVALID, source_span(words),
                          "velocities may appear only to the first power: the force that takes it "
                          "back would hold accelerations",
                          "this is not linear in the velocities");
    vec_push(&sh->md.m, sh->md.elements, energy);
    if (of->turns && sh->moving)
        return diag_error(d->ds, DAL_INVALID, source_span(words),
                          "where there are rotations or directions, shift a potential",
                          "this holds a velocity, and momenta of rotations cannot be shifted");
    if (force.roots) vec_push(&sh->md.m, sh->md.elements, force);
    if (turns.roots) vec_push(&sh->md.m, sh->md.elements, turns);
    return DAL_OK;
}

void shifted_momenta(const shifted *sh, double c, const double *parameter, double t,
                     const double *q, double *p)
{
    const element *W = &sh->W;
    for (int i = 0; i < W->slots; i++) {
        const slot s = W->slot[i];
        sh->values[i] = s.kind == SLOT_TIME        ? t
                        : s.kind == SLOT_Q         ? q[s.base]
                        : s.kind == SLOT_PARAMETER ? parameter[s.base]
                        : s.kind == SLOT_DATA      ? sh->md.data.at[s.base]
                                                   : 0;
    }
    for (int k = 0; k < sh->moving; k++)
        p[sh->coordinate[k]] += c * expr_eval(&W->g, sh->a[k], sh->values, sh->scratch);
}
