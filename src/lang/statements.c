/* statements.c - every statement of every part becomes instances of elements.
 *
 * Energies come first, since x' of a Hamiltonian coordinate is made from them; then relations,
 * whose rows outputs speak of; then forces, outputs and symmetries. */
#include "lang/statements.h"

/* Energies and forces. ------------------------------------------------------------------------- */

static void make_energy(job *j, const env *v)
{
    bool lagrangian = j->st->kind == STMT_LAGRANGIAN;
    j->kind = lagrangian ? EL_LAGRANGIAN : EL_HAMILTONIAN;
    j->at = lagrangian ? PLACE_LAGRANGIAN : PLACE_HAMILTONIAN;
    add_terms(j, v, j->st->value, NULL);
}

/*     F . ds/dx, of the variable that stands at i among the n of the slopes */
static expr component_along(elaborator *e, const quantity *force, int i, int n)
{
    graph    *g = &e->em.s.g;
    const int first = e->em.stack.n;
    for (int c = 0; c < components_of(force->shape); c++) {
        const expr slope = e->roots.at[c * n + i];
        if (!expr_is_zero(g, slope)) emit_operand(&e->em, expr_mul(g, force->at[c].e, slope));
    }
    return emit_operands(&e->em, first);
}

/* F acts through the differential of s: F ds/dq on every coordinate q of s; and F dw/dq' if w is
 * linear in velocities, so that F (w - w at rest) is its power.               theory.md [FORCE] */
static void make_force_on_let(job *j, const env *v, const symbol *let)
{
    elaborator     *e = j->e;
    slot_kind       by = let->def.holds & HAS_ANY_V ? SLOT_V : SLOT_Q;
    job_begin(j);
    const quantity s = emit_quantity(&e->em, v, j->st->target),
                   force = emit_quantity(&e->em, v, j->st->value);
    const int count = components_of(s.shape);
    expr      of[MOST_COMPONENTS];
    for (int c = 0; c < count; c++) of[c] = s.at[c].e;
    /* positions of a body move as its spin says: ds/dq is ds'/dq' */
    if (by == SLOT_Q && hold_kinds(&e->em, of, count, AXES)) {
        for (int c = 0; c < count; c++) of[c] = emit_rate_once(&e->em, of[c]);
        by = SLOT_V;
    }
    const int n = variables_of(&e->em, of, count, by);
    e->roots.n = e->targets.n = 0;
    vec_reserve(e->w.m, e->roots, count * n);
    expr_hessian(&e->em.s.g, of, count, e->em.vars.at, n, e->roots.at);
    if (by == SLOT_V && hold_kinds(&e->em, e->roots.at, count * n, 1u << SLOT_V))
        world_error(&e->w, j->st->target->at, place_table[PLACE_TARGET].hint,
                    "no force can act on '%s': it is not linear in the velocities", let->word);
    for (int i = 0; i < n; i++) {
        const expr along = component_along(e, &force, i, n);
        if (expr_is_zero(&e->em.s.g, along)) continue;
        e->roots.at[e->roots.n++] = along; /* slopes of later variables stand behind it */
        vec_push(e->w.m, e->targets, e->em.s.slots.at[e->em.vars.at[i]].index);
    }
    if (e->roots.n || e->w.failed) job_finish(j, j->st, e->roots.at, e->targets.at, e->roots.n);
}

/* A torque in space axes, whose power is T.spin; on a direction F.n' = F.(R_1 Omega_2 - R_2 Omega_1).
 */
static void make_torque(job *j, const env *v, const spot *at)
{
    elaborator *e = j->e;
    job_begin(j);
    const int        first = index_of(&e->w, MEMBER_COORDINATE, at);
    const arithmetic k = emitter_arithmetic(&e->em);
    const quantity   T = emit_quantity(&e->em, v, j->st->value),
                     R = emit_matrix(&e->em, e->md->turns->of_row[first]);
    const bool       rotation = symbol_turns(at->s) == KIND_ROTATION;
    expr             root[3];
    const int        target[] = {first, first + 1, first + 2};
    for (int c = 0; c < (rotation ? 3 : 2); c++) {
        const int axis = rotation ? c : 1 - c;
        scalar    term[3];
        for (int i = 0; i < 3; i++) term[i] = k.product(k.self, R.at[3 * i + axis], T.at[i]);
        const scalar along = k.sum(k.self, term, 3);
        root[c] = rotation || c ? along.e : k.negative(k.self, along).e;
    }
    job_finish(j, j->st, root, target, rotation ? 3 : 2);
}

/* On a coordinate each term is an element of its own; on a let all coordinates share one. */
static void make_force(job *j, const env *v)
{
    const ast    *on = j->st->target; /* what has a meaning, or the statement would have failed */
    const symbol *s = path_symbols(on)[on->steps - 1];
    spot          at;
    j->kind = EL_FORCE, j->at = PLACE_FORCE;
    if (s->kind == SYM_LET) {
        make_force_on_let(j, v, s);
        return;
    }
    j->e->w.failed = false;
    if (!locate(&j->e->w, v, on, &at)) {
        job_failed(j);
        return;
    }
    if (symbol_turns(s)) {
        make_torque(j, v, &at);
        return;
    }
    const int first = index_of(&j->e->w, MEMBER_COORDINATE, &at);
    for (int c = 0; c < components_of(on->shape); c++) {
        j->target = first + c, j->shape = on->shape, j->component = c;
        add_terms(j, v, j->st->value, NULL);
    }
}

/* States. -------------------------------------------------------------------------------------- */

/* z' = g as the force g - z' on a coordinate without inertia, each element of an array by itself.
 *                                                                             theory.md [STATES] */
static void make_state(job *j)
{
    elaborator   *e = j->e;
    const symbol *s = find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES);
    const member *mb = member_of(&e->w, j->owner, s);
    j->kind = EL_FORCE, j->at = PLACE_STATE, j->shape = s->def.value->shape;
    for (int i = 0; i < mb->count && !((stmt_note *)j->st->note)->failed; i++) {
        env v = env_of_part(j->owner);
        indices_of_offset(mb->extent, mb->dims, i, v.index);
        j->target = e->md->parts.at[j->owner].base[MEMBER_COORDINATE] + mb->offset + i;
        j->component = i % components_of(j->shape);
        add_terms(j, &v, s->def.value, NULL);
        quantity rate = {.shape = j->shape};
        job_begin(j);
        rate.at[j->component].e = expr_neg(&e->em.s.g, sheet_var(&e->em.s, SLOT_V, j->target));
        add_term(j, j->st, rate, NULL);
    }
}

/* Outputs and symmetries. ---------------------------------------------------------------------- */

/* Each element of an array is a column of its own, summed of its terms. */
static void make_output(job *j)
{
    elaborator   *e = j->e;
    const symbol *s = find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES);
    const member *mb = member_of(&e->w, j->owner, s);
    j->kind = EL_OUTPUT, j->at = PLACE_OUTPUT;
    for (int i = 0; i < mb->count && !((stmt_note *)j->st->note)->failed; i++) {
        env v = env_of_part(j->owner);
        indices_of_offset(mb->extent, mb->dims, i, v.index);
        j->target = e->md->parts.at[j->owner].base[MEMBER_OUTPUT] + mb->offset + i;
        j->shape = s->shape, j->component = i % components_of(s->shape);
        add_terms(j, &v, s->def.value, NULL);
    }
}

static void mark_finite(elaborator *e, int symmetry)
{
    model *md = e->md;
    if (!md->finite) md->finite = mem_array(&md->m, md->symmetries + 1, unsigned char);
    md->finite[symmetry] = 1;
}

/* The momentum of x -> x + eps*xi(t,x), up to F(t,x), is the sum of p(x) xi(t,x), less F; of a finite
 * symmetry x -> phi(t,x), xi is phi - x.
 *                                                                           theory.md [SYMMETRY] */
static void make_symmetry(job *j, const env *v)
{
    elaborator   *e = j->e;
    graph        *g = &e->em.s.g;
    const symbol *s = find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES);
    spot          own = {.s = s, .part = j->owner}, at;
    j->kind = EL_OUTPUT, j->at = PLACE_SYMMETRY;
    j->target = e->md->outputs + index_of(&e->w, MEMBER_SYMMETRY, &own);
    if (j->st->finite) mark_finite(e, j->target - e->md->outputs);
    job_begin(j);
    for (int i = 0; i < j->st->moves; i++) {
        const ast_move *mv = &j->st->move[i];
        const quantity  generator = emit_quantity(&e->em, v, mv->value);
        if (!locate(&e->w, v, mv->target, &at)) break;
        if (symbol_turns(at.s)) {
            const quantity p = symbol_turns(at.s) == KIND_ROTATION
                                   ? emit_spin(&e->em, &at, SLOT_P, true, mv->target->at)
                                   : emit_momentum_of_direction(&e->em, &at, mv->target->at);
            for (int c = 0; c < 3; c++)
                emit_operand(&e->em, expr_mul(g, p.at[c].e, generator.at[c].e));
            continue;
        }
        const int first = index_of(&e->w, MEMBER_COORDINATE, &at);
        for (int c = 0; c < components_of(generator.shape); c++) {
            const expr p = sheet_var(&e->em.s, SLOT_P, first + c);
            expr       xi = generator.at[c].e;
            if (j->st->finite) xi = expr_sub(g, xi, sheet_var(&e->em.s, SLOT_Q, first + c));
            emit_operand(&e->em, expr_mul(g, p, xi));
        }
    }
    quantity momentum = {.shape = SHAPE_NUMBER};
    if (j->st->value) emit_operand(&e->em, expr_neg(g, emit(&e->em, v, j->st->value)));
    momentum.at[0].e = emit_operands(&e->em, 0);
    add_term(j, j->st, momentum, NULL);
}

/* Pictures. ------------------------------------------------------------------------------------ */

/* A picture is of one kind, whichever parts it is of. */
static bool fits_picture(job *j)
{
    model     *md = j->e->md;
    const bool space = figure_in_space(j->st);
    if (!md->drawn) md->space = space;
    if (md->space == space) return true;
    diag_error(j->e->w.ds, DAL_INVALID, j->st->places_at,
               "draw all figures in a plane, of numbers, or all in space, of vectors",
               space ? "a figure in space in a picture that is flat"
                     : "a flat figure in a picture that is in space");
    ((stmt_note *)j->st->note)->failed = true;
    return false;
}

/* All numbers of a figure are roots of one element. */
static void make_draw(job *j, const env *v)
{
    elaborator *e = j->e;
    model      *md = e->md;
    if (!fits_picture(j)) return;
    j->kind = EL_DRAW, j->at = PLACE_DRAW;
    job_begin(j);
    e->roots.n = e->targets.n = 0;
    for (int i = 0; i < j->st->places; i++) {
        const quantity x = emit_quantity(&e->em, v, j->st->place[i]);
        for (int c = 0; c < components_of(x.shape); c++) {
            vec_push(e->w.m, e->targets, md->drawn + e->roots.n);
            vec_push(e->w.m, e->roots, x.at[c].e);
        }
    }
    const int numbers = e->roots.n;
    job_finish(j, j->st, e->roots.at, e->targets.at, numbers);
    if (e->w.failed) return;
    vec_push(&md->m, md->drawing,
             (dal_drawing){j->st->figure, j->st->words, (size_t)md->drawn, (size_t)numbers});
    md->drawn += numbers;
}

/* Loops and passes. ---------------------------------------------------------------------------- */

static void make_statement(elaborator *e, env *v, const stmt *st, unsigned kinds);

/* Index k of the loop, and those after it; how much it will run through is asked once, outside. */
static void make_loop(elaborator *e, env *v, const stmt *st, int k, unsigned kinds)
{
    stmt_note *note = st->note;
    int        low = 0, high = 0;
    if (k == st->indices) {
        for (int i = 0; i < st->count; i++) make_statement(e, v, st->body[i], kinds);
        return;
    }
    e->w.failed = false;
    if (!e->w.nested && !loop_fits(&e->w, v, st, kinds)) note->failed = true;
    else if (!range(&e->w, v, &st->index[k], &low, &high)) note->failed = true;
    e->w.nested++;
    for (int i = low; !note->failed && i <= high; i++) {
        v->index[note->frame + k] = i;
        make_loop(e, v, st, k + 1, kinds);
    }
    e->w.nested--;
}

/* Statements of other kinds than those of this pass are left for theirs. */
static void make_statement(elaborator *e, env *v, const stmt *st, unsigned kinds)
{
    const stmt_note *note = st->note;
    job              j = {.e = e, .st = st, .owner = v->part};
    if (note->failed || !(note->kinds & kinds)) return;
    switch (st->kind) {
    case STMT_FOR: make_loop(e, v, st, 0, kinds); break;
    case STMT_LAGRANGIAN:
    case STMT_HAMILTONIAN: make_energy(&j, v); break;
    case STMT_FORCE:
    case STMT_DAMPING: make_force(&j, v); break;
    case STMT_STATE: make_state(&j); break;
    case STMT_OUTPUT: make_output(&j); break;
    case STMT_SYMMETRY: make_symmetry(&j, v); break;
    case STMT_DRAW: make_draw(&j, v); break;
    case STMT_CONTACT:
    case STMT_FRICTION:
    case STMT_WHEN:
    case STMT_STOP: make_event(&j, v); break;
    default:
        if (st->one_sided) make_event(&j, v);
        else make_relation(&j, v);
        break;
    }
}

/* Rows of relations with a name are reserved part by part, before those without one. */
static void make_pass(elaborator *e, unsigned kinds)
{
    bool relations = kinds & 1u << STMT_CONNECT;
    for (int of = 0; of < e->md->parts.n; of++) {
        part      *p = &e->md->parts.at[of];
        const sys *s = form_of(&e->w, of)->of;
        if (relations) {
            p->base[MEMBER_RELATION] = e->md->relation.n;
            vec_reserve(&e->md->m, e->md->relation, p->shape->count[MEMBER_RELATION]);
            e->md->relation.n += p->shape->count[MEMBER_RELATION];
            p->base[MEMBER_EVENT] = e->md->event.n;
        }
        if (!(s->has & kinds)) continue;
        env v = env_of_part(of);
        for (int i = 0; i < s->of->count; i++) make_statement(e, &v, s->of->statement[i], kinds);
    }
}

/*     Omega_3^2/2 of a direction: no motion has it, but each row has a velocity so. */
static void make_axis(elaborator *e, const symbol *s, int owner, int rotation)
{
    job    j = {.e = e, .st = s->of, .kind = EL_LAGRANGIAN, .at = PLACE_LAGRANGIAN, .owner = owner};
    graph *g = &e->em.s.g;
    bool   fresh;
    job_begin(&j);
    const expr v = sheet_var(&e->em.s, SLOT_V, e->md->turns->first[rotation] + 2);
    const expr root = expr_mul(g, expr_const(g, 0.5), expr_mul(g, v, v));
    instance   it = {j.kind, j.st, j.st, &root, &j.target, 1, owner};
    element_add(e, &e->em.s, &it, &fresh);
}

static void make_axes(elaborator *e)
{
    const turning *t = e->md->turns;
    for (int k = 0; t && k < t->count; k++) {
        const member *mb = model_member(e->md, MEMBER_COORDINATE, t->first[k]);
        for (int of = 0; of < e->md->parts.n && t->direction[k]; of++) {
            const part *p = &e->md->parts.at[of];
            const int   i = (int)(mb - p->shape->member);
            const int   from = p->base[MEMBER_COORDINATE] + mb->offset;
            if (i < 0 || i >= p->shape->members || t->first[k] < from ||
                t->first[k] >= from + mb->count)
                continue;
            make_axis(e, form_of(&e->w, of)->of->member.at[i], of, k);
            break;
        }
    }
}

void statements_make(elaborator *e)
{
    make_axes(e);
    make_pass(e, 1u << STMT_LAGRANGIAN | 1u << STMT_HAMILTONIAN);
    make_pass(e, 1u << STMT_CONSTRAINT | 1u << STMT_HOLONOMIC | 1u << STMT_CONNECT |
                     1u << STMT_CONTACT | 1u << STMT_FRICTION | 1u << STMT_WHEN | 1u << STMT_STOP);
    make_pass(e, 1u << STMT_FORCE | 1u << STMT_DAMPING | 1u << STMT_STATE);
    make_pass(e, 1u << STMT_OUTPUT | 1u << STMT_SYMMETRY);
    make_pass(e, 1u << STMT_DRAW);
    e->md->relations = e->md->relation.n;
}
