/* slip.c - what a contact phi >= 0 rubs along: the rates of one or two tangents. A vector s is the
 * velocity of slip of the point that touches; its tangents are across the normal n,
 *
 *     u.s and (n x u).s,   u across n,   phi' = n.s  where it slips,
 *
 * and n follows from three velocities w by which s has constant slopes S:  n = S^-T phi_w, as of the
 * velocity of a centre of mass. Where n is constant, so are they.            theory.md [EVENTS] */
#include "lang/statements.h"

#include <math.h>

/* The rate of a position; what holds velocities is one. */
static expr rate_of(emitter *em, expr s)
{
    return variables_of(em, &s, 1, SLOT_V) ? s : emit_rate_once(em, s);
}

typedef struct {
    expr x[3];
} vector_expr;

static expr dot_of(graph *g, const vector_expr *a, const vector_expr *b)
{
    expr term[3];
    for (int i = 0; i < 3; i++) term[i] = expr_mul(g, a->x[i], b->x[i]);
    return expr_sum(g, term, 3);
}

static vector_expr cross_of(graph *g, const vector_expr *a, const vector_expr *b)
{
    vector_expr out;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out.x[i] = expr_sub(g, expr_mul(g, a->x[j], b->x[k]), expr_mul(g, a->x[k], b->x[j]));
    }
    return out;
}

static vector_expr unit_of(graph *g, const vector_expr *a)
{
    const expr  length = expr_op1(g, OP_SQRT, dot_of(g, a, a));
    vector_expr out;
    for (int i = 0; i < 3; i++) out.x[i] = expr_div(g, a->x[i], length);
    return out;
}

/* Across n by the first axis, or by the second where n is near the first. */
static vector_expr across(graph *g, const vector_expr *n)
{
    const double NEAR = 0.6;
    vector_expr  by[2], out;
    for (int k = 0; k < 2; k++) {
        vector_expr axis;
        for (int i = 0; i < 3; i++) axis.x[i] = expr_const(g, i == k);
        const vector_expr c = cross_of(g, n, &axis);
        by[k] = unit_of(g, &c);
    }
    const expr far = expr_op2(g, OP_LT, expr_op1(g, OP_ABS, n->x[0]), expr_const(g, NEAR));
    double     known;
    for (int i = 0; i < 3; i++)
        out.x[i] = expr_is_const(g, far, &known) ? by[known != 0 ? 0 : 1].x[i]
                                                 : expr_if(g, far, by[0].x[i], by[1].x[i]);
    return out;
}

/* The normal. ---------------------------------------------------------------------------------- */

typedef struct {
    int    variable; /* a velocity of the sheet */
    double slope[3]; /* ds/dw                   */
} pull;

/* The slopes of s by one velocity, if they are numbers; spins have no position. */
static bool take_pull(emitter *em, const vector_expr *s, int variable, pull *out)
{
    const turning *t = em->w->md->turns;
    if (t && t->of_row[em->s.slots.at[variable].index] >= 0) return false;
    out->variable = variable;
    for (int k = 0; k < 3; k++) {
        expr d;
        expr_gradient(&em->s.g, s->x[k], &variable, 1, &d);
        if (!expr_is_const(&em->s.g, d, &out->slope[k])) return false;
    }
    return true;
}

/* Cofactors of S, whose row i is the slope by velocity i:  S^-1 = C^T/det */
static double cofactors(const pull w[3], double C[3][3])
{
    double det = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = w[(i + 1) % 3].slope, *b = w[(i + 2) % 3].slope;
        for (int k = 0; k < 3; k++)
            C[i][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++) det += w[0].slope[k] * C[0][k];
    return det;
}

/* Three velocities that move s in all directions, the first such ones. */
static bool find_pulls(emitter *em, const vector_expr *s, pull w[3])
{
    double    C[3][3];
    int       found = 0;
    const int n = variables_of(em, s->x, 3, SLOT_V);
    vec(int) variable = {0};
    for (int i = 0; i < n; i++) vec_push(em->w->m, variable, em->vars.at[i]);
    for (int i = 0; i < n && found < 3; i++) {
        pull *to = &w[found];
        if (!take_pull(em, s, variable.at[i], to)) continue;
        double size = 0;
        if (found == 0) size = fabs(to->slope[0]) + fabs(to->slope[1]) + fabs(to->slope[2]);
        else if (found == 1) {
            w[2] = (pull){0};
            cofactors(w, C);
            size = fabs(C[2][0]) + fabs(C[2][1]) + fabs(C[2][2]);
        } else size = fabs(cofactors(w, C));
        found += size > 0;
    }
    vec_drop(em->w->m, variable);
    return found == 3;
}

/* n = S^-T phi_w, of the length 1 */
static bool emit_normal(const job *j, const env *v, const vector_expr *s, vector_expr *n)
{
    emitter *em = &j->e->em;
    graph   *g = &em->s.g;
    pull     w[3];
    double   C[3][3];
    if (!find_pulls(em, s, w)) return false;
    const double det = cofactors(w, C);
    const expr   phi = expr_sub(g, emit(em, v, j->st->value), emit(em, v, j->st->right));
    vector_expr  by, of;
    for (int i = 0; i < 3; i++) {
        const int q = em->s.slots.at[w[i].variable].index,
                  x = g->nodes.at[sheet_var(&em->s, SLOT_Q, q)].variable;
        expr_gradient(g, phi, &x, 1, &by.x[i]);
    }
    for (int k = 0; k < 3; k++) {
        expr term[3];
        for (int i = 0; i < 3; i++) term[i] = expr_scale(g, C[i][k] / det, by.x[i]);
        of.x[k] = expr_sum(g, term, 3);
    }
    const bool turns = !expr_is_zero(g, dot_of(g, &of, &of));
    if (turns) *n = unit_of(g, &of);
    return turns;
}

int emit_slips(const job *j, const env *v, expr slip[2])
{
    emitter      *em = &j->e->em;
    graph        *g = &em->s.g;
    ast *const   *of = j->st->place;
    const int     count = j->st->places;
    const quantity x = emit_quantity(em, v, of[0]);
    if (x.shape != SHAPE_VECTOR) {
        slip[0] = rate_of(em, x.at[0].e);
        if (count > 1) slip[1] = rate_of(em, emit(em, v, of[1]));
        return count;
    }
    vector_expr s, n, t[2];
    for (int k = 0; k < 3; k++) s.x[k] = rate_of(em, x.at[k].e);
    if (em->w->failed) return 0;
    if (!emit_normal(j, v, &s, &n)) {
        world_error(em->w, of[0]->at, "write two tangents: 'along dot(s, u), dot(s, v)'",
                    "the normal of this contact is not found from its velocity of slip");
        job_failed(j);
        return 0;
    }
    t[0] = across(g, &n), t[1] = cross_of(g, &n, &t[0]);
    for (int i = 0; i < 2; i++) slip[i] = dot_of(g, &t[i], &s);
    return 2;
}
