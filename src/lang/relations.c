/* relations.c - constraints, holonomic relations and connections become rows, left - right = 0;
 * what is not linear where it has to be, or says nothing, is told at its first instance. */
#include "lang/statements.h"

/* Does d root/d x, x any variable of kind `by`, hold a slot of one of the kinds? */
static bool slopes_hold(elaborator *e, expr root, slot_kind by, unsigned kinds)
{
    emitter *em = &e->em;
    int      n = variables_of(em, &root, 1, by);
    e->roots.n = 0;
    vec_reserve(e->w.m, e->roots, n);
    expr_gradient(&em->s.g, root, em->vars.at, n, e->roots.at);
    return hold_kinds(em, e->roots.at, n, kinds);
}

/* z' = g: a state has any g. */
static const char *linear_hint(const job *j)
{
    const ast *left = j->st->value;
    if (j->st->kind != STMT_CONSTRAINT || left->kind != AST_PRIME || left->arg[0]->kind != AST_PATH)
        return "velocities may appear only to the first power";
    const span  at = left->arg[0]->at;
    const int   length = at.end - at.start;
    const char *z = at.of->text + at.start;
    return mem_printf(j->e->w.m,
                      "velocities may appear only to the first power; for a signal, which has "
                      "no inertia, write 'state %.*s' = (right side)' instead of the coordinate",
                      length, z);
}

/* Of an equation that says nothing. */
static const char *idle_hint(const job *j)
{
    if (j->st->value->shape == SHAPE_NUMBER) return "it has no effect: remove it";
    return mem_printf(j->e->w.m,
                      "component %d has no effect: write the others as equations of numbers",
                      j->component + 1);
}

/* A row A v + b = 0: its slopes in the velocities must be free of velocities, and some must be
 * left. */
void check_velocity_relation(const job *j, expr root, const ast *of)
{
    elaborator *e = j->e;
    const char *what = j->st->kind == STMT_CONNECT    ? "connection"
                       : j->st->kind == STMT_FRICTION ? "friction"
                       : j->st->kind == STMT_CONTACT  ? "slip"
                                                      : "constraint";
    if (slopes_hold(e, root, SLOT_V, 1u << SLOT_V))
        world_error(&e->w, of->at, linear_hint(j), "this %s is not linear in the velocities", what);
    else if (!variables_of(&e->em, &root, 1, SLOT_V))
        world_error(&e->w, of->at, idle_hint(j), "all velocities of this %s cancel", what);
}

/* A connection binds velocities if it holds any, positions otherwise; those of rotations bend. */
static relation_kind kind_of_relation(const job *j, expr root)
{
    if (j->st->kind == STMT_CONSTRAINT) return REL_VELOCITY;
    if (j->st->kind == STMT_HOLONOMIC || j->st->kind == STMT_CONTACT) return REL_HOLONOMIC;
    if (variables_of(&j->e->em, &root, 1, SLOT_V)) return REL_VELOCITY;
    return hold_kinds(&j->e->em, &root, 1, AXES) ? REL_HOLONOMIC : REL_TIE;
}

/* g(t,q) = 0; a tie has constant coefficients, so its slopes in q hold parameters and data only. */
void check_position_relation(const job *j, expr root)
{
    elaborator *e = j->e;
    if (!variables_of(&e->em, &root, 1, SLOT_Q) && !hold_kinds(&e->em, &root, 1, AXES))
        world_error(&e->w, j->st->value->at, idle_hint(j),
                    "all coordinates of this equation cancel");
    else if (kind_of_relation(j, root) == REL_TIE &&
             slopes_hold(e, root, SLOT_Q, ~(1u << SLOT_PARAMETER | 1u << SLOT_DATA)))
        world_error(&e->w, j->st->value->at, place_table[PLACE_TIE].hint,
                    "this connection is not linear in the coordinates with constant coefficients");
}

/* left - right = 0, of vectors one component of it */
static void make_row(job *j, const env *v, int row)
{
    elaborator *e = j->e;
    graph      *g = &e->em.s.g;
    bool        fresh;
    job_begin(j);
    const quantity left = emit_quantity(&e->em, v, j->st->value),
                   right = emit_quantity(&e->em, v, j->st->right);
    expr root = expr_sub(g, left.at[j->component].e, right.at[j->component].e);
    if (e->w.failed) {
        job_failed(j);
        return;
    }
    const expr emitted = root;
    sheet     *s = component_sheet(j, &e->em.s, &root);
    instance   it = {EL_RELATION, j->st, j->st, &root, &row, 1, j->owner};
    int        at = element_add(e, s, &it, &fresh);
    /* all instances of a shape are of one kind, so the first one is looked at */
    if (fresh) {
        relation_kind kind = kind_of_relation(j, emitted);
        e->drafts.at[at].relation = kind;
        if (kind == REL_VELOCITY) check_velocity_relation(j, emitted, j->st->value);
        else check_position_relation(j, emitted);
        if (e->w.failed) job_failed(j);
    }
    e->md->relation.at[row].kind = e->drafts.at[at].relation;
}

/* Of relations without a name, offset counts those of the statement. */
static relation new_relation(const job *j, int member_index, int offset)
{
    return (relation){.connection = j->st->kind == STMT_CONNECT,
                      .at = j->st->at,
                      .part = j->owner,
                      .member = member_index,
                      .offset = offset};
}

/* A relation with a name has its rows reserved, one per element of its array. */
static void make_named_relation(job *j, const symbol *s)
{
    elaborator   *e = j->e;
    const member *mb = member_of(&e->w, j->owner, s);
    int           first = e->md->parts.at[j->owner].base[MEMBER_RELATION] + mb->offset;
    for (int i = 0; i < mb->count && !((stmt_note *)j->st->note)->failed; i++) {
        env v = env_of_part(j->owner);
        indices_of_offset(mb->extent, mb->dims, i, v.index);
        e->md->relation.at[first + i] = new_relation(j, s->member, i);
        j->shape = s->shape, j->component = i % components_of(s->shape);
        make_row(j, &v, first + i);
    }
}

void make_relation(job *j, const env *v)
{
    elaborator *e = j->e;
    j->at = j->st->kind == STMT_CONSTRAINT  ? PLACE_CONSTRAINT
            : j->st->kind == STMT_HOLONOMIC ? PLACE_HOLONOMIC
                                            : PLACE_CONNECT;
    if (j->st->slot.word) {
        make_named_relation(
            j, find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES));
        return;
    }
    /* rows without a name are numbered within their statement, part by part */
    stmt_note *note = j->st->note;
    if (note->counted_in != j->owner) note->counted_in = j->owner, note->count = 0;
    for (int c = 0; c < components_of(j->st->value->shape) && !note->failed; c++) {
        vec_push(&e->md->m, e->md->relation, new_relation(j, -1, note->count++));
        j->shape = j->st->value->shape, j->component = c;
        make_row(j, v, e->md->relation.n - 1);
    }
}
