/* statements.c - every statement of every part becomes instances of elements.
 *
 * Energies come first, since x' of a Hamiltonian coordinate is made from them; then relations,
 * whose rows outputs speak of; then forces, outputs and symmetries. */
#include "lang/elaborate.h"

typedef struct { /* the statement that is being made, in one part, at one point of its loops */
    elaborator  *e;
    const stmt  *st;
    element_kind kind;
    place        at;
    int          owner;
    int          target;
    int          sums; /* of which a term is being made */
} job;

/* A factor or a sign between the statement and the term of a sum inside it, innermost first. */
typedef struct factor factor;
struct factor {
    const factor *outer;
    const env    *v;
    const ast    *product; /* its ref is where the term stands; NULL: the term is subtracted */
};

static void job_failed(const job *j)
{
    ((stmt_note *)j->st->note)->failed = true;
}

/* Terms. --------------------------------------------------------------------------------------- */

static void begin(const job *j)
{
    emitter_reset(&j->e->em, j->at);
    j->e->w.failed = false;
}

static void finish(const job *j, const void *term, expr *root, const int *target, int roots)
{
    elaborator *e = j->e;
    bool        fresh;
    if (e->w.failed) {
        job_failed(j);
        return;
    }
    sheet   *s = replace_velocities(e, root, roots);
    instance it = {j->kind, j->st, term, root, target, roots, j->owner};
    element_add(e, s, &it, &fresh);
}

static expr times(elaborator *e, const factor *f, expr x)
{
    emitter *em = &e->em;
    graph   *g = &em->s.g;
    for (; f; f = f->outer) {
        expr all = EXPR_NONE;
        if (!f->product) x = expr_neg(g, x);
        for (int i = 0; f->product && i < f->product->n; i++) {
            const ast *a = f->product->arg[i];
            expr       y = a == f->product->ref ? x : emit(em, f->v, a);
            if (all == EXPR_NONE) all = y;
            else all = f->product->flag[i] ? expr_div(g, all, y) : expr_mul(g, all, y);
        }
        if (f->product) x = all;
    }
    return x;
}

static void add_one(const job *j, const void *term, expr x, const factor *f)
{
    expr root = times(j->e, f, x);
    if (!j->e->w.failed && expr_is_zero(&j->e->em.s.g, root)) return;
    finish(j, term, &root, &j->target, 1);
}

static void add_terms(job *j, const env *v, const ast *a, const factor *f);

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
    bool     alone = true, rest = false;
    for (int i = 0; i < a->n; i++) alone &= splits(a->arg[i], true);
    for (int i = 0; i < a->n; i++) {
        if (splits_off(j, a->arg[i], alone)) continue;
        if (!rest) begin(j), rest = true;
        expr x = emit(em, v, a->arg[i]);
        emit_operand(em, a->flag[i] ? expr_neg(&em->s.g, x) : x);
    }
    if (rest) add_one(j, a, emit_operands(em, 0), f);
    for (int i = 0; i < a->n; i++) {
        factor minus = {f, v, NULL};
        if (splits_off(j, a->arg[i], alone)) add_terms(j, v, a->arg[i], a->flag[i] ? &minus : f);
    }
}

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
static void add_terms(job *j, const env *v, const ast *a, const factor *f)
{
    factor more = {f, v, a};
    env    inner;
    if (!splits(a, true)) {
        begin(j);
        add_one(j, a, emit(&j->e->em, v, a), f);
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

/* Energies and forces. ------------------------------------------------------------------------- */

static void make_energy(job *j, const env *v)
{
    bool lagrangian = j->st->kind == STMT_LAGRANGIAN;
    j->kind = lagrangian ? EL_LAGRANGIAN : EL_HAMILTONIAN;
    j->at = lagrangian ? PLACE_LAGRANGIAN : PLACE_HAMILTONIAN;
    add_terms(j, v, j->st->value, NULL);
}

/* F acts through the differential of s: F ds/dq on every coordinate q of s.    theory.md [FORCE] */
static void make_force_on_let(job *j, const env *v)
{
    elaborator *e = j->e;
    spot        at;
    begin(j);
    expr s = emit_target(&e->em, v, j->st->target, &at), force = emit(&e->em, v, j->st->value);
    int  n = variables_of(&e->em, s, SLOT_Q);
    e->roots.n = e->targets.n = 0;
    vec_reserve(e->w.m, e->roots, n);
    expr_gradient(&e->em.s.g, s, e->em.vars.at, n, e->roots.at);
    for (int i = 0; i < n; i++) {
        expr slope = e->roots.at[i];
        if (expr_is_zero(&e->em.s.g, slope)) continue;
        e->roots.at[e->roots.n++] = expr_mul(&e->em.s.g, force, slope);
        vec_push(e->w.m, e->targets, e->em.s.slots.at[e->em.vars.at[i]].index);
    }
    if (e->roots.n || e->w.failed) finish(j, j->st, e->roots.at, e->targets.at, e->roots.n);
}

static void make_force(job *j, const env *v)
{
    spot at;
    j->kind = EL_FORCE, j->at = PLACE_FORCE;
    if (path_last(j->st->target)->kind == SYM_LET) {
        make_force_on_let(j, v);
        return;
    }
    j->e->w.failed = false;
    if (!locate(&j->e->w, v, j->st->target, &at)) {
        job_failed(j);
        return;
    }
    j->target = index_of(&j->e->w, MEMBER_COORDINATE, &at);
    add_terms(j, v, j->st->value, NULL);
}

/* Relations. ----------------------------------------------------------------------------------- */

/* Does d root/d x, x any variable of kind `by`, hold a slot of one of the kinds? */
static bool slopes_hold(elaborator *e, expr root, slot_kind by, unsigned kinds)
{
    emitter *em = &e->em;
    int      n = variables_of(em, root, by);
    e->roots.n = 0;
    vec_reserve(e->w.m, e->roots, n);
    expr_gradient(&em->s.g, root, em->vars.at, n, e->roots.at);
    return hold_kinds(em, e->roots.at, n, kinds);
}

/* z' = g: of a signal z, which has no inertia, a force says the same with any g. */
static const char *linear_hint(const job *j)
{
    const ast *left = j->st->value;
    if (j->st->kind != STMT_CONSTRAINT || left->kind != AST_PRIME || left->arg[0]->kind != AST_PATH)
        return "velocities may stand here to the first power only";
    const span  at = left->arg[0]->at;
    const int   length = at.end - at.start;
    const char *z = at.of->text + at.start;
    return mem_printf(j->e->w.m,
                      "velocities may stand here to the first power only; of a signal, which has "
                      "no inertia, write 'force %.*s: (right side) - %.*s''",
                      length, z, length, z);
}

static void check_velocity_relation(const job *j, expr root)
{
    elaborator *e = j->e;
    const char *what = j->st->kind == STMT_CONNECT ? "connection" : "constraint";
    if (slopes_hold(e, root, SLOT_V, 1u << SLOT_V))
        world_error(&e->w, j->st->value->at, linear_hint(j),
                    "this %s is not linear in the velocities", what);
    else if (!variables_of(&e->em, root, SLOT_V))
        world_error(&e->w, j->st->value->at, "it says nothing: leave it out",
                    "all velocities of this %s cancel", what);
}

static void check_position_relation(const job *j, expr root)
{
    elaborator *e = j->e;
    if (!variables_of(&e->em, root, SLOT_Q))
        world_error(&e->w, j->st->value->at, "it says nothing: leave it out",
                    "all coordinates of this equation cancel");
    else if (j->st->kind == STMT_CONNECT &&
             slopes_hold(e, root, SLOT_Q, ~(1u << SLOT_PARAMETER | 1u << SLOT_DATA)))
        world_error(&e->w, j->st->value->at, place_table[PLACE_TIE].hint,
                    "this connection is not linear in the coordinates with constant coefficients");
}

static relation_kind kind_of_relation(const job *j, expr root)
{
    if (j->st->kind == STMT_CONSTRAINT) return REL_VELOCITY;
    if (j->st->kind == STMT_HOLONOMIC) return REL_HOLONOMIC;
    return variables_of(&j->e->em, root, SLOT_V) ? REL_VELOCITY : REL_TIE;
}

/* left - right = 0 */
static void make_row(job *j, const env *v, int row)
{
    elaborator *e = j->e;
    graph      *g = &e->em.s.g;
    bool        fresh;
    begin(j);
    expr left = emit(&e->em, v, j->st->value), right = emit(&e->em, v, j->st->right);
    expr root = expr_sub(g, left, right);
    if (e->w.failed) {
        job_failed(j);
        return;
    }
    instance it = {EL_RELATION, j->st, j->st, &root, &row, 1, j->owner};
    int      at = element_add(e, &e->em.s, &it, &fresh);
    if (fresh) {
        relation_kind kind = kind_of_relation(j, root);
        e->drafts.at[at].relation = kind;
        if (kind == REL_VELOCITY) check_velocity_relation(j, root);
        else check_position_relation(j, root);
        if (e->w.failed) job_failed(j);
    }
    e->md->relation.at[row].kind = e->drafts.at[at].relation;
}

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
        make_row(j, &v, first + i);
    }
}

static void make_relation(job *j, const env *v)
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
    stmt_note *note = j->st->note;
    if (note->counted_in != j->owner) note->counted_in = j->owner, note->count = 0;
    vec_push(&e->md->m, e->md->relation, new_relation(j, -1, note->count++));
    make_row(j, v, e->md->relation.n - 1);
}

/* Outputs and symmetries. ---------------------------------------------------------------------- */

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
        add_terms(j, &v, s->def.value, NULL);
    }
}

/* The momentum of x -> x + eps*xi(x) is the sum of p(x) xi(x).              theory.md [SYMMETRY] */
static void make_symmetry(job *j, const env *v)
{
    elaborator   *e = j->e;
    graph        *g = &e->em.s.g;
    const symbol *s = find_in_system(form_of(&e->w, j->owner)->of, j->st->slot.word, SPACE_VALUES);
    spot          own = {.s = s, .part = j->owner}, at;
    j->kind = EL_OUTPUT, j->at = PLACE_SYMMETRY;
    j->target = e->md->outputs + index_of(&e->w, MEMBER_SYMMETRY, &own);
    begin(j);
    for (int i = 0; i < j->st->moves; i++) {
        const ast_move *mv = &j->st->move[i];
        expr            generator = emit(&e->em, v, mv->value);
        if (!locate(&e->w, v, mv->target, &at)) break;
        expr p = sheet_var(&e->em.s, SLOT_P, index_of(&e->w, MEMBER_COORDINATE, &at));
        emit_operand(&e->em, expr_mul(g, p, generator));
    }
    add_one(j, j->st, emit_operands(&e->em, 0), NULL);
}

/* Pictures. ------------------------------------------------------------------------------------ */

static void make_draw(job *j, const env *v)
{
    elaborator *e = j->e;
    model      *md = e->md;
    j->kind = EL_DRAW, j->at = PLACE_DRAW;
    begin(j);
    e->roots.n = e->targets.n = 0;
    for (int i = 0; i < j->st->places; i++) {
        expr x = emit(&e->em, v, j->st->place[i]);
        vec_push(e->w.m, e->roots, x);
        vec_push(e->w.m, e->targets, md->drawn + i);
    }
    finish(j, j->st, e->roots.at, e->targets.at, e->roots.n);
    if (e->w.failed) return;
    vec_push(&md->m, md->drawing,
             (dal_drawing){j->st->figure, j->st->words, (size_t)md->drawn, (size_t)j->st->places});
    md->drawn += j->st->places;
}

/* Loops and passes. ---------------------------------------------------------------------------- */

static void make_statement(elaborator *e, env *v, const stmt *st, unsigned kinds);

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

static void make_statement(elaborator *e, env *v, const stmt *st, unsigned kinds)
{
    const stmt_note *note = st->note;
    job              j = {.e = e, .st = st, .owner = v->part};
    if (note->failed || !(note->kinds & kinds)) return;
    switch (st->kind) {
    case STMT_FOR: make_loop(e, v, st, 0, kinds); break;
    case STMT_LAGRANGIAN:
    case STMT_HAMILTONIAN: make_energy(&j, v); break;
    case STMT_FORCE: make_force(&j, v); break;
    case STMT_OUTPUT: make_output(&j); break;
    case STMT_SYMMETRY: make_symmetry(&j, v); break;
    case STMT_DRAW: make_draw(&j, v); break;
    default: make_relation(&j, v); break;
    }
}

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
        }
        if (!(s->has & kinds)) continue;
        env v = env_of_part(of);
        for (int i = 0; i < s->of->count; i++) make_statement(e, &v, s->of->statement[i], kinds);
    }
}

void statements_make(elaborator *e)
{
    make_pass(e, 1u << STMT_LAGRANGIAN | 1u << STMT_HAMILTONIAN);
    make_pass(e, 1u << STMT_CONSTRAINT | 1u << STMT_HOLONOMIC | 1u << STMT_CONNECT);
    make_pass(e, 1u << STMT_FORCE);
    make_pass(e, 1u << STMT_OUTPUT | 1u << STMT_SYMMETRY);
    make_pass(e, 1u << STMT_DRAW);
    e->md->relations = e->md->relation.n;
}
