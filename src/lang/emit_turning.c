/* emit_turning.c - rotations and directions as expressions: their entries, spins and momenta. */
#include "lang/emit.h"

/* The rotation that the first of its three rows belongs to. */
static int rotation_at(const emitter *em, const spot *at)
{
    return em->w->md->turns->of_row[index_of(em->w, MEMBER_COORDINATE, at)];
}

quantity emit_matrix(emitter *em, int k)
{
    quantity out = {.shape = SHAPE_MATRIX, .rotation = true, .turned = k + 1};
    for (int c = 0; c < 9; c++)
        out.at[c].e = sheet_var(&em->s, (slot_kind)(SLOT_AXIS_1 + c % 3), TURNING_MATRIX * k + c);
    return out;
}

/* R, or of a direction n = R e_3 */
quantity emit_turning(emitter *em, const spot *at, span where)
{
    const int k = rotation_at(em, at);
    quantity  out = {.shape = SHAPE_VECTOR};
    emit_check_bound(em, HAS_Q, where);
    if (symbol_turns(at->s) == KIND_ROTATION) return emit_matrix(em, k);
    for (int i = 0; i < 3; i++)
        out.at[i].e = sheet_var(&em->s, SLOT_AXIS_3, TURNING_MATRIX * k + 3 * i + 2);
    return out;
}

static quantity rows_of(emitter *em, int k, slot_kind kind)
{
    quantity out = {.shape = SHAPE_VECTOR};
    for (int c = 0; c < 3; c++)
        out.at[c].e = sheet_var(&em->s, kind, em->w->md->turns->first[k] + c);
    return out;
}

/* The spin or the momentum of a rotation. Rows have it in body axes. */
quantity emit_spin(emitter *em, const spot *at, slot_kind kind, bool in_space, span where)
{
    const arithmetic a = emitter_arithmetic(em);
    const int        k = rotation_at(em, at);
    const quantity   body = rows_of(em, k, kind);
    emit_check_bound(em, kind == SLOT_P ? HAS_P : HAS_V, where);
    if (!in_space) return body;
    quantity out = quantity_times(&a, emit_matrix(em, k), body);
    for (int c = 0; c < 3; c++) out.at[3 + c] = body.at[c];
    out.turned = k + 1;
    return out;
}

/*     p = R (mu_2, -mu_1, 0):   p.n' = mu.Omega,  p.n = 0 */
quantity emit_momentum_of_direction(emitter *em, const spot *at, span where)
{
    const arithmetic a = emitter_arithmetic(em);
    const int        k = rotation_at(em, at);
    const quantity   mu = rows_of(em, k, SLOT_P);
    quantity         across = {.shape = SHAPE_VECTOR};
    emit_check_bound(em, HAS_P, where);
    across.at[0] = mu.at[1], across.at[1] = a.negative(a.self, mu.at[0]);
    across.at[2] = a.constant(a.self, 0);
    return quantity_times(&a, emit_matrix(em, k), across);
}

static bool depends(emitter *em, expr e, slot_kind kind, int first)
{
    for (int c = 0; c < 3; c++) {
        expr slope;
        sheet_var(&em->s, kind, first + c);
        expr_gradient(&em->s.g, e, map_find(&em->s.by_slot, NULL, (int)kind, first + c), 1, &slope);
        if (!expr_is_zero(&em->s.g, slope)) return true;
    }
    return false;
}

/* In space axes, with dR = eta x R, dn = eta x n:
 *     e_eta = sum_j R_j x e_Rj,  of columns j;   e_n - n (n.e_n) of a direction, where j = 3 */
quantity emit_gradient_of_turning(emitter *em, const spot *at, expr e, span where)
{
    const arithmetic a = emitter_arithmetic(em);
    const int        k = rotation_at(em, at), first = em->w->md->turns->first[k];
    const bool       rotation = symbol_turns(at->s) == KIND_ROTATION;
    const quantity   R = emit_matrix(em, k);
    quantity         of_column[3], out = {.shape = SHAPE_VECTOR};
    emit_check_bound(em, HAS_Q, where);
    if (depends(em, e, SLOT_V, first) || depends(em, e, SLOT_P, first))
        world_error(em->w, where, "differentiate what holds positions only",
                    "this holds a velocity or a momentum of '%s', whose axes turn with it",
                    at->s->word);
    for (int j = 0; j < 3; j++) {
        quantity axis = {.shape = SHAPE_VECTOR}, slope = {.shape = SHAPE_VECTOR};
        for (int i = 0; i < 3; i++) {
            const int *variable =
                map_find(&em->s.by_slot, NULL, SLOT_AXIS_1 + j, TURNING_MATRIX * k + 3 * i + j);
            expr_gradient(&em->s.g, e, variable, 1, &slope.at[i].e);
            axis.at[i] = R.at[3 * i + j];
        }
        of_column[j] = quantity_cross(&a, &axis, &slope);
        if (!rotation && j == 2) out = quantity_cross(&a, &of_column[j], &axis);
    }
    return rotation ? quantity_sum(&a, of_column, 3, SHAPE_VECTOR) : out;
}
