/* terms.c - what a statement adds up becomes terms: a sum over many cells is one element with many
 * instances, and what stands beside it is another. */
#include "lang/statements.h"

#include <string.h>

void job_failed(const job *j)
{
    ((stmt_note *)j->st->note)->failed = true;
}

void job_begin(const job *j)
{
    emitter_reset(&j->e->em, j->at);
    j->e->w.failed = false;
}

sheet *component_sheet(const job *j, sheet *s, expr *root)
{
    elaborator *e = j->e;
    if (j->shape == SHAPE_NUMBER) return s;
    uint8_t *used = mem_resize(e->w.m, NULL, (size_t)s->slots.n + 1);
    memset(used, 0, (size_t)s->slots.n + 1);
    expr_uses(&s->g, root, 1, used, s->slots.n);
    sheet_reset(&e->own);
    e->image.n = e->memo.n = 0;
    for (int i = 0; i < s->slots.n; i++) {
        const slot_ref v = s->slots.at[i];
        vec_push(e->w.m, e->image, used[i] ? sheet_var(&e->own, v.kind, v.index) : EXPR_NONE);
    }
    for (int i = 0; i < s->g.nodes.n; i++) vec_push(e->w.m, e->memo, EXPR_NONE);
    *root = expr_import(&e->own.g, &s->g, *root, e->image.at, e->memo.at);
    mem_drop(e->w.m, used);
    return &e->own;
}

void job_finish(const job *j, const void *term, expr *root, const int *target, int roots)
{
    elaborator *e = j->e;
    bool        fresh;
    if (e->w.failed) {
        job_failed(j);
        return;
    }
    /* of forces model/lower.c does it, for coordinates that stay Hamiltonian in a run */
    sheet *s = j->kind == EL_FORCE ? &e->em.s : replace_velocities(e, root, roots);
    if (roots == 1) s = component_sheet(j, s, root);
    instance it = {j->kind, j->st, term, root, target, roots, j->owner};
    element_add(e, s, &it, &fresh);
}

/*     x := c_1 x / c_2 ..., for every product around the term, and -x for every minus */
static quantity times(elaborator *e, const factor *f, quantity x)
{
    const arithmetic k = emitter_arithmetic(&e->em);
    for (; f; f = f->outer) {
        quantity all = x;
        if (!f->product) all = quantity_negative(&k, x);
        for (int i = 0; f->product && i < f->product->n; i++) {
            const ast *a = f->product->arg[i];
            quantity   y = a == f->product->ref ? x : emit_quantity(&e->em, f->v, a);
            if (!i) all = y;
            else all = f->product->flag[i] ? quantity_over(&k, all, y) : quantity_times(&k, all, y);
        }
        x = all;
    }
    return x;
}

/* A term that is 0 is left out. */
void add_term(const job *j, const void *term, quantity x, const factor *f)
{
    expr root = times(j->e, f, x).at[j->component].e;
    if (!j->e->w.failed && expr_is_zero(&j->e->em.s.g, root)) return;
    job_finish(j, term, &root, &j->target, 1);
}

/* Index k of the sum, and those after it. */
static void add_sum(job *j, env *v, const ast *a, int k, const factor *f)
{
    const sum_note *note = a->ref;
    int             low, high;
    if (k == a->indices) {
        add_terms(j, v, a->arg[0], f);
        return;
    }
    j->e->w.failed = false;
    if (!range(&j->e->w, v, &a->index[k], &low, &high)) {
        job_failed(j);
        return;
    }
    for (int i = low; i <= high && !((stmt_note *)j->st->note)->failed; i++) {
        v->index[note->frame + k] = i;
        add_sum(j, v, a, k + 1, f);
    }
}

/* In the term of a sum, a let that is a sum stays with the others: X[k] there is mostly used by
 * them too. */
static bool splits_off(const job *j, const ast *a, bool alone)
{
    return splits(a, alone || !j->sums);
}

/* The sums among the operands become terms of their own, the rest is one term. */
static void add_operands(job *j, const env *v, const ast *a, const factor *f)
{
    emitter *em = &j->e->em;
    bool     alone = true;
    vec(quantity) rest = {0};
    for (int i = 0; i < a->n; i++) alone &= splits(a->arg[i], true);
    for (int i = 0; i < a->n; i++) {
        if (splits_off(j, a->arg[i], alone)) continue;
        if (!rest.n) job_begin(j);
        const arithmetic k = emitter_arithmetic(em);
        const quantity   x = emit_quantity(em, v, a->arg[i]);
        vec_push(em->w->m, rest, a->flag[i] ? quantity_negative(&k, x) : x);
    }
    if (rest.n) {
        const arithmetic k = emitter_arithmetic(em);
        add_term(j, a, quantity_sum(&k, rest.at, rest.n, a->shape), f);
    }
    vec_drop(em->w->m, rest);
    for (int i = 0; i < a->n; i++) {
        factor minus = {f, v, NULL};
        if (splits_off(j, a->arg[i], alone)) add_terms(j, v, a->arg[i], a->flag[i] ? &minus : f);
    }
}

/* A let that is added is split as if it stood there. */
static void add_let(job *j, const env *v, const ast *a, const factor *f)
{
    spot at;
    j->e->w.failed = false;
    if (!locate(&j->e->w, v, a, &at)) {
        job_failed(j);
        return;
    }
    env inner = env_of_spot(&at);
    add_terms(j, &inner, at.s->def.value, f);
}

/* Splits what is added into terms, so that a sum over many cells is one element with many
 * instances. */
void add_terms(job *j, const env *v, const ast *a, const factor *f)
{
    factor more = {f, v, a};
    env    inner;
    if (!splits(a, true)) {
        job_begin(j);
        add_term(j, a, emit_quantity(&j->e->em, v, a), f);
        return;
    }
    switch (a->kind) {
    case AST_SUM:
        if (!j->sums && !j->e->w.nested && !sum_fits(&j->e->w, v, a)) {
            job_failed(j);
            break;
        }
        inner = *v, j->sums++;
        add_sum(j, &inner, a, 0, f);
        j->sums--;
        break;
    case AST_ADD: add_operands(j, v, a, f); break;
    case AST_MUL: add_terms(j, v, a->ref, &more); break;
    case AST_NEG: more.product = NULL, add_terms(j, v, a->arg[0], &more); break;
    default: add_let(j, v, a, f); break;
    }
}
