/* events.c - contacts, one-sided constraints, friction and conditions: rows that hold at times,
 * numbers that are asked for at instants, and the force of friction while it slips. */
#include "lang/statements.h"

/* Numbers. ------------------------------------------------------------------------------------- */

/* root, as the next number that events ask for; `term` tells those of a statement apart. */
static int ask(const job *of, const void *term, expr root)
{
    job       j = *of;
    model    *md = j.e->md;
    const int at = md->outputs + md->symmetries + md->asked;
    j.kind = EL_OUTPUT, j.shape = SHAPE_NUMBER;
    job_finish(&j, term, &root, &at, 1);
    return md->asked++;
}

static int ask_value(const job *of, const env *v, const ast *a, const void *term, double otherwise)
{
    job j = *of;
    j.at = PLACE_EVENT;
    job_begin(&j);
    graph *g = &j.e->em.s.g;
    return ask(&j, term, a ? emit(&j.e->em, v, a) : expr_const(g, otherwise));
}

enum {
    MOVING = AXES | 1 << SLOT_TIME | 1 << SLOT_Q | 1 << SLOT_V | 1 << SLOT_P | 1 << SLOT_ENERGY
};

/* A function that is >= 0 where the condition holds: a < b by b - a, `and` by min, `or` by max. */
static expr emit_margin(emitter *em, const env *v, const ast *a)
{
    static const double SURELY = 1e300; /* what does not move is true or not */
    graph              *g = &em->s.g;
    if (a->kind == AST_NOT) return expr_neg(g, emit_margin(em, v, a->arg[0]));
    if (a->kind == AST_AND || a->kind == AST_OR) {
        expr x = emit_margin(em, v, a->arg[0]);
        for (int i = 1; i < a->n; i++)
            x = expr_op2(g, a->kind == AST_AND ? OP_MIN : OP_MAX, x, emit_margin(em, v, a->arg[i]));
        return x;
    }
    const expr both[] = {emit(em, v, a->arg[0]), emit(em, v, a->arg[1])}, x = both[0], y = both[1];
    if (!hold_kinds(em, both, 2, MOVING))
        return expr_if(g, emit(em, v, a), expr_const(g, SURELY), expr_const(g, -SURELY));
    return a->compare == CMP_LT || a->compare == CMP_LE ? expr_sub(g, y, x) : expr_sub(g, x, y);
}

/* Rows. ---------------------------------------------------------------------------------------- */

/* What is on the sheet becomes the next event row. */
static int add_row(const job *j, const void *term, const ast *at, expr root, relation_kind kind,
                   const relation *of)
{
    elaborator *e = j->e;
    const expr  emitted = root;
    const int   row = e->md->event_row.n;
    bool        fresh;
    if (e->w.failed) {
        job_failed(j);
        return -1;
    }
    sheet   *s = component_sheet(j, &e->em.s, &root);
    instance it = {EL_EVENT_ROW, j->st, term, &root, &row, 1, j->owner};
    element_add(e, s, &it, &fresh);
    if (fresh) {
        if (kind == REL_VELOCITY) check_velocity_relation(j, emitted, at);
        else check_position_relation(j, emitted);
        if (e->w.failed) job_failed(j);
    }
    relation r = *of;
    r.kind = kind, r.row = row + 1;
    vec_push(&e->md->m, e->md->event_row, r);
    return row;
}

/* left - right >= 0 */
static int make_event_row(job *j, const env *v, relation_kind kind, const relation *of)
{
    elaborator *e = j->e;
    job_begin(j);
    const expr left = emit(&e->em, v, j->st->value), right = emit(&e->em, v, j->st->right);
    return add_row(j, j->st, j->st->value, expr_sub(&e->em.s.g, left, right), kind, of);
}

/*     -sigma F d(row)/d v_i on each coordinate i, on the sheet with `slip`; by: F */
static void make_slip_force(const job *of, const void *term, expr slip, expr by, int row)
{
    job         j = *of;
    elaborator *e = j.e;
    graph      *g = &e->em.s.g;
    const expr  sign = sheet_var(&e->em.s, SLOT_PARAMETER, model_written(e->md) + 2 * row + 1),
               F = expr_neg(g, expr_mul(g, sign, by));
    const int n = variables_of(&e->em, &slip, 1, SLOT_V);
    e->roots.n = e->targets.n = 0;
    vec_reserve(e->w.m, e->roots, n);
    expr_gradient(g, slip, e->em.vars.at, n, e->roots.at);
    for (int i = 0; i < n; i++) {
        e->roots.at[i] = expr_mul(g, F, e->roots.at[i]);
        vec_push(e->w.m, e->targets, e->em.s.slots.at[e->em.vars.at[i]].index);
    }
    j.kind = EL_FORCE;
    if (n || e->w.failed) job_finish(&j, term, e->roots.at, e->targets.at, n);
}

/* Statements. ---------------------------------------------------------------------------------- */

/* Rows of the tangents, and the force of friction along each. */
static void make_tangents(job *j, const env *v, event *to, const relation *as)
{
    const stmt       *st = j->st;
    const void *const row[] = {&st->place, &st->value}, *const force[] = {&st->target, &st->places};
    job         of = *j;
    elaborator *e = j->e;
    expr        slip[2];
    of.at = PLACE_FRICTION, of.shape = SHAPE_VECTOR;
    job_begin(&of);
    to->rubs = emit_slips(&of, v, slip);
    for (int i = 0; i < to->rubs; i++) {
        const ast *at = st->place[st->places == 1 ? 0 : i];
        job_begin(&of);
        emit_slips(&of, v, slip);
        if (add_row(&of, row[i], at, slip[i], REL_VELOCITY, as) < 0) return;
    }
    for (int i = 0; i < to->rubs; i++) {
        job_begin(&of);
        emit_slips(&of, v, slip);
        const expr normal = sheet_var(&e->em.s, SLOT_PARAMETER, model_written(e->md) + 2 * to->row),
                   mu = emit(&e->em, v, st->number[1]);
        make_slip_force(&of, force[i], slip[i], expr_mul(&e->em.s.g, mu, normal), to->row + 1 + i);
    }
}

static void make_contact(job *j, const env *v, event *to, const relation *as)
{
    j->at = PLACE_CONTACT;
    to->row = make_event_row(j, v, REL_HOLONOMIC, as);
    to->asked = ask_value(j, v, j->st->number[0], &j->st->number[0], 1);
    ask_value(j, v, j->st->number[1], &j->st->number[1], 0);
    if (j->st->places && to->row >= 0) make_tangents(j, v, to, as);
}

static void make_friction(job *j, const env *v, event *to, const relation *as)
{
    elaborator *e = j->e;
    const ast  *slides = j->st->number[j->st->number[1] ? 1 : 0];
    j->at = PLACE_FRICTION;
    to->row = make_event_row(j, v, REL_VELOCITY, as);
    to->asked = ask_value(j, v, j->st->number[0], &j->st->number[0], 0);
    ask_value(j, v, slides, &j->st->number[1], 0);
    if (to->row < 0) return;
    job_begin(j);
    const expr left = emit(&e->em, v, j->st->value), right = emit(&e->em, v, j->st->right),
               by = emit(&e->em, v, slides);
    make_slip_force(j, &j->st->value, expr_sub(&e->em.s.g, left, right), by, to->row);
}

/* What a reset changes; -1: a path that leads nowhere. */
static int place_of_reset(const job *j, const env *v, const ast *target, reset_kind *kind)
{
    const ast *path = target->kind == AST_PATH ? target : target->arg[0];
    spot       at;
    if (!locate(&j->e->w, v, path, &at)) return -1;
    *kind = at.s->kind == SYM_PARAMETER ? RESET_PARAMETER
            : target->kind == AST_PATH  ? RESET_Q
            : target->kind == AST_PRIME ? RESET_V
                                        : RESET_P;
    return index_of(&j->e->w, *kind == RESET_PARAMETER ? MEMBER_PARAMETER : MEMBER_COORDINATE, &at);
}

static void make_resets(job *j, const env *v, event *to)
{
    model *md = j->e->md;
    to->reset = md->reset.n;
    for (int i = 0; i < j->st->moves; i++) {
        const ast_move *m = &j->st->move[i];
        event_reset     r = {.at = m->target->at};
        j->e->w.failed = false;
        r.index = place_of_reset(j, v, m->target, &r.kind);
        if (r.index < 0) {
            job_failed(j);
            return;
        }
        for (int k = to->reset; k < md->reset.n; k++)
            if (md->reset.at[k].kind == r.kind && md->reset.at[k].index == r.index)
                world_error(&j->e->w, m->target->at, NULL, "this is changed twice");
        r.asked = ask_value(j, v, m->value, m, 0);
        vec_push(&md->m, md->reset, r);
        to->resets++;
    }
}

static void make_condition(job *j, const env *v, event *to)
{
    j->at = PLACE_EVENT;
    job_begin(j);
    to->asked = ask(j, j->st, emit_margin(&j->e->em, v, j->st->value));
    job_begin(j);
    graph *g = &j->e->em.s.g;
    ask(j, &j->st->value,
        expr_if(g, emit(&j->e->em, v, j->st->value), expr_const(g, 1), expr_const(g, 0)));
    make_resets(j, v, to);
}

static event_kind kind_of_event(const stmt *st)
{
    switch (st->kind) {
    case STMT_CONTACT: return EVENT_CONTACT;
    case STMT_FRICTION: return EVENT_FRICTION;
    case STMT_WHEN: return EVENT_WHEN;
    case STMT_STOP: return EVENT_STOP;
    default: return EVENT_ONE_SIDED;
    }
}

static void make_one(job *j, const env *v, int named, int offset)
{
    event          to = {.kind = kind_of_event(j->st),
                         .at = j->st->at,
                         .part = j->owner,
                         .member = named,
                         .offset = offset,
                         .row = -1,
                         .flag = -1};
    const relation as = {.at = to.at, .part = to.part, .member = to.member, .offset = to.offset};
    j->shape = SHAPE_NUMBER;
    switch (to.kind) {
    case EVENT_CONTACT: make_contact(j, v, &to, &as); break;
    case EVENT_FRICTION: make_friction(j, v, &to, &as); break;
    case EVENT_ONE_SIDED:
        j->at = PLACE_CONSTRAINT;
        to.row = make_event_row(j, v, REL_VELOCITY, &as);
        break;
    default: make_condition(j, v, &to); break;
    }
    vec_push(&j->e->md->m, j->e->md->event, to);
}

/* With a name, one for each element of its array. */
void make_event(job *j, const env *v)
{
    elaborator *e = j->e;
    stmt_note  *note = j->st->note;
    if (!j->st->slot.word) {
        if (note->counted_in != j->owner) note->counted_in = j->owner, note->count = 0;
        make_one(j, v, -1, note->count++);
        return;
    }
    const symbol *s = find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES);
    const member *mb = member_of(&e->w, j->owner, s);
    for (int i = 0; i < mb->count && !note->failed; i++) {
        env of = env_of_part(j->owner);
        indices_of_offset(mb->extent, mb->dims, i, of.index);
        make_one(j, &of, s->member, i);
    }
}
