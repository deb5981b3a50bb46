/* emit_rate.c - which variables an expression holds, and its rate along the motion. */
#include "lang/emit.h"

#include <string.h>

/* em->used[k]: variable k occurs in one of the expressions. */
static void find_used(emitter *em, const expr *e, int count)
{
    int n = em->s.slots.n;
    em->used.n = 0;
    vec_reserve(em->w->m, em->used, n);
    em->used.n = n;
    if (n) memset(em->used.at, 0, (size_t)n);
    expr_uses(&em->s.g, e, count, em->used.at, n);
}

int variables_of(emitter *em, const expr *e, int count, slot_kind kind)
{
    find_used(em, e, count);
    em->vars.n = 0;
    for (int i = 0; i < em->used.n; i++)
        if (em->used.at[i] && em->s.slots.at[i].kind == kind) vec_push(em->w->m, em->vars, i);
    return em->vars.n;
}

bool hold_kinds(emitter *em, const expr *e, int count, unsigned kinds)
{
    find_used(em, e, count);
    for (int i = 0; i < em->used.n; i++)
        if (em->used.at[i] && (kinds & 1u << em->s.slots.at[i].kind)) return true;
    return false;
}

/*     R'_ij = (R [Omega])_ij = R_ik Omega_l - R_il Omega_k,   (j, k, l) = (1, 2, 3), ... */
static expr rate_of_entry(emitter *em, slot_ref s)
{
    graph    *g = &em->s.g;
    const int j = s.index % 3, k = (j + 1) % 3, l = (j + 2) % 3, row = s.index - j;
    const int first = em->w->md->turns->first[s.index / TURNING_MATRIX];
    const expr R_k = sheet_var(&em->s, (slot_kind)(SLOT_AXIS_1 + k), row + k),
               R_l = sheet_var(&em->s, (slot_kind)(SLOT_AXIS_1 + l), row + l);
    return expr_sub(g, expr_mul(g, R_k, sheet_var(&em->s, SLOT_V, first + l)),
                    expr_mul(g, R_l, sheet_var(&em->s, SLOT_V, first + k)));
}

/*     e' = e_t + sum_i e_qi v_i */
expr emit_rate(emitter *em, expr e)
{
    find_used(em, &e, 1);
    em->vars.n = em->directions.n = 0;
    for (int i = 0; i < em->used.n; i++) {
        slot_ref s = em->s.slots.at[i];
        const bool axis = slot_is_axis(s.kind);
        if (!em->used.at[i] || (s.kind != SLOT_Q && s.kind != SLOT_TIME && !axis)) continue;
        expr along = axis               ? rate_of_entry(em, s)
                     : s.kind == SLOT_Q ? sheet_var(&em->s, SLOT_V, s.index)
                                        : expr_const(&em->s.g, 1);
        vec_push(em->w->m, em->vars, i);
        vec_push(em->w->m, em->directions, along);
    }
    return expr_along(&em->s.g, e, em->vars.at, em->directions.at, em->vars.n);
}
