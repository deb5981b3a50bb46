/* resolve.c - goes through an expression once: its names get their meaning, and what it holds is
 * found. */
#include "lang/symbols.h"

static content resolve(resolver *r, scope *sc, ast *a);

static mem *m_of(const resolver *r)
{
    return r->l->m;
}

scope scope_of(unit *in, sys *home, place at)
{
    return (scope){.in = in, .home = home, .at = at};
}

/* Contents. ------------------------------------------------------------------------------------ */

/* What would work, where more can be said than what is allowed: instead of an input, of which rates
 * are taken, mostly the position of another part; where a state stands, another statement. */
static const char *place_hint(const scope *sc, content bad)
{
    static const char bent[] = "a potential V that a state bends is 'force x: -d(V, x)'; with "
                               "inertia m that it bends write states: state x' = y/m, y' = F";
    static const struct {
        place       at;
        content     bad;
        const char *hint;
    } better[] = {
        {PLACE_PRIME, HAS_INPUT,
         "an input has no known rate of change: make it a coordinate, "
         "and tie it with 'connect' outside the part"},
        {PLACE_LAGRANGIAN, HAS_STATE, bent},
        {PLACE_HAMILTONIAN, HAS_STATE, bent},
        {PLACE_SYMMETRY, HAS_V,
         "what moves with velocities leaves no discrete action as it is: write its momentum as an "
         "'output', whose drift is of the order of the scheme"},
        {PLACE_HOLONOMIC, HAS_STATE, "a 'constraint', which is linear in velocities, may hold it"},
        {PLACE_CONSTRAINT, HAS_PH,
         "a constraint is an equation linear in the velocities; a quantity with an equation "
         "z' = g is a 'state', in a part that has no Hamiltonian"},
    };
    for (size_t i = 0; i < sizeof better / sizeof *better; i++)
        if (better[i].at == sc->at && better[i].bad == bad) return better[i].hint;
    return place_table[sc->at].hint;
}

/* word: the let or function through which it comes in; NULL: it stands there itself. */
void place_check(resolver *r, const scope *sc, span at, const char *word, content holds)
{
    const place_row *row = &place_table[sc->at];
    content          bad = holds & ~row->allows;
    if (!bad) return;
    const char *what = content_word(bad), *hint = place_hint(sc, bad);
    if (word)
        diag_error(r->ds, DAL_INVALID, at, hint, "'%s' contains %s, which cannot be used in %s",
                   word, what, row->words);
    else diag_error(r->ds, DAL_INVALID, at, hint, "%s cannot be used in %s", what, row->words);
}

/* What the time derivative holds: q brings v with it, and so does an argument that will be one. */
content content_rate(content c)
{
    return c | (c & HAS_Q ? HAS_V : 0u) | (c & HAS_QH ? HAS_VH : 0u) |
           (c & HAS_FORMAL ? HAS_FORMAL_RATE : 0u);
}

static content content_of_coordinate(const symbol *s)
{
    if (symbol_is_state(s)) return HAS_STATE;
    return s->home->hamiltonian ? HAS_QH : HAS_Q;
}

/* What a part's argument binds, as seen from the path that leads there; or what the symbol itself
 * has. */
static content content_of_data(resolver *r, const ast *path, symbol *s)
{
    const symbol *holder = path->steps > 1 ? path_symbols(path)[path->steps - 2] : NULL;
    definition   *d = holder && holder->bound ? holder->bound[s->number] : NULL;
    content       own = s->kind == SYM_INPUT ? HAS_INPUT : HAS_PARAMETER;
    if (!d) {
        if (s->kind == SYM_PARAMETER) resolve_definition(r, &s->def, path->at);
        return own;
    }
    content bound = resolve_definition(r, d, path->at);
    return s->kind == SYM_INPUT ? bound : own;
}

/* What the value of a symbol holds; sizes mark the parameters they hold as structural. */
static content content_of_path(resolver *r, scope *sc, ast *path, symbol *s)
{
    switch (s->kind) {
    case SYM_PARAMETER:
        if (!r->late && sc->at == PLACE_STRUCTURAL) s->structural = true;
        if (sc->at == PLACE_STRUCTURAL && symbol_is_discrete(s))
            diag_error(r->ds, DAL_INVALID, path->at, "sizes and indices are made of parameters",
                       "'%s' is discrete: it changes during a run", s->word);
        return content_of_data(r, path, s);
    case SYM_INPUT: return content_of_data(r, path, s);
    case SYM_COORDINATE: return content_of_coordinate(s);
    case SYM_LET:
    case SYM_OUTPUT: return resolve_definition(r, &s->def, path->at);
    case SYM_RELATION: return HAS_RESULT;
    case SYM_EVENT:
        if (s->of->kind == STMT_WHEN)
            diag_error(r->ds, DAL_INVALID, path->at, NULL, "'%s' has no reaction", s->word);
        return HAS_RESULT;
    case SYM_INDEX: return HAS_INDEX;
    case SYM_FORMAL: s->structural |= sc->at == PLACE_STRUCTURAL; return HAS_FORMAL;
    case SYM_TIME: return HAS_TIME;
    case SYM_PI: return 0;
    default:
        diag_error(r->ds, DAL_INVALID, path->at,
                   s->kind == SYM_PART && s->type ? list_members(m_of(r), s->type, SYM_COORDINATE)
                                                  : NULL,
                   "'%s' is %s, not a number", s->word, symbol_phrase[s->kind]);
        return 0;
    }
}

/* Whole arrays that are no vectors are parameters only, and only where scope.whole allows them. */
static content resolve_path_value(resolver *r, scope *sc, ast *a)
{
    symbol *s = resolve_path(r, sc, a, sc->whole);
    if (!s) return 0;
    const bool array = s->dims && !path_has_indices(a) && a->shape == SHAPE_UNKNOWN;
    if (array && s->kind != SYM_PARAMETER) {
        not_a_number(r, s, a->at);
        return 0;
    }
    content c = content_of_path(r, sc, a, s);
    bool    bound = s->kind == SYM_INPUT && c != HAS_INPUT;
    bool    direct = s->kind != SYM_LET && s->kind != SYM_OUTPUT && !bound;
    place_check(r, sc, a->at, direct ? NULL : s->word, c);
    return c;
}

/* z' of a state, which outputs show; elsewhere its equation says what it is. */
static content resolve_rate(resolver *r, const scope *sc, ast *a, const symbol *s)
{
    a->shape = a->arg[0]->shape;
    if (sc->at != PLACE_OUTPUT && sc->at != PLACE_LET)
        diag_error(r->ds, DAL_INVALID, a->at,
                   mem_printf(m_of(r), "write the right side of 'state %s' = ...'", s->word),
                   "%s' is no velocity: '%s' is a state", s->word, s->word);
    return HAS_STATE_RATE;
}

/* First what is differentiated is looked at by itself, then what its derivative brings in. */
static content resolve_prime(resolver *r, scope *sc, ast *a)
{
    ast    *of = a->arg[0];
    place   outer = sc->at;
    symbol *s = NULL;
    content c;
    sc->at = PLACE_PRIME;
    if (of->kind == AST_PATH) path_takes_components(r, sc, of);
    if (of->kind == AST_PATH) {
        s = resolve_path(r, sc, of, false);
        if (s && symbol_turns(s) == KIND_ROTATION) refuse_rate_of_rotation(r, s, a->at);
        if (s && symbol_is_state(s)) return sc->at = outer, resolve_rate(r, sc, a, s);
        c = s ? content_of_path(r, sc, of, s) : 0;
        if (s && (s->kind == SYM_PARAMETER || s->kind == SYM_INDEX || s->kind == SYM_PI))
            diag_error(r->ds, DAL_INVALID, a->at, NULL, "'%s' is %s: it has no velocity", s->word,
                       symbol_phrase[s->kind]);
        bool direct = s && s->kind != SYM_LET && s->kind != SYM_OUTPUT;
        place_check(r, sc, of->at, direct || !s ? NULL : s->word, c);
    } else c = resolve_quantity(r, sc, of);
    sc->at = outer;
    a->shape = of->shape;
    /* x' alone holds no position */
    c = s && s->kind == SYM_COORDINATE && !symbol_turns(s)
            ? content_rate(c) & ~(content)HAS_ANY_Q
            : content_rate(c);
    place_check(r, sc, a->at, s && s->kind != SYM_COORDINATE ? s->word : NULL, c);
    return c;
}

/* Indices. ------------------------------------------------------------------------------------- */

/* An index or an argument must not hide a name: in formulas that would go unseen. */
static void push_local(resolver *r, scope *sc, symbol *s)
{
    const symbol *seen = s ? find_value(r, sc, s->word) : NULL;
    if (seen)
        diag_error(r->ds, DAL_INVALID, s->at, symbol_where(m_of(r), seen, s->at),
                   "'%s' would hide another '%s'", s->word, s->word);
    if (sc->locals < LOCALS) sc->local[sc->locals++] = s;
    else if (s)
        diag_error(r->ds, DAL_INVALID, s->at, NULL, "more than %d arguments and indices", LOCALS);
}

/* Ranges see the indices before them. */
static void push_index(resolver *r, scope *sc, const ast_index *x)
{
    if (x->low) resolve_structural(r, sc, x->low);
    resolve_structural(r, sc, x->high);
    if (sc->frame == FRAME) {
        diag_error(r->ds, DAL_INVALID, x->at, NULL, "more than %d nested indices", FRAME);
        return;
    }
    symbol *s = x->word ? declare_local(r->l, SYM_INDEX, x->word, x->at, sc->frame) : NULL;
    push_local(r, sc, s);
    sc->frame++;
}

/* From here on visible in sc; frame numbers them. */
void scope_indices(resolver *r, scope *sc, const ast_index *index, int n)
{
    for (int i = 0; i < n; i++) push_index(r, sc, &index[i]);
}

/* The sizes of an array are those of its system: they see no index. */
void scope_slot(resolver *r, scope *sc, const ast_slot *declared)
{
    for (int i = 0; i < declared->extents; i++) {
        const ast_index *x = &declared->extent[i].range;
        scope            bare = scope_of(sc->in, sc->home, PLACE_STRUCTURAL);
        const int        errors = r->ds->errors;
        push_index(r, &bare, x);
        r->elsewhere += r->ds->errors - errors; /* without sizes nothing can be looked at further */
        if (sc->frame == FRAME) continue;       /* reported above FRAME dimensions */
        push_local(r, sc,
                   x->word ? declare_local(r->l, SYM_INDEX, x->word, x->at, sc->frame) : NULL);
        sc->frame++;
    }
}

/* Indices of the sum are visible in its term only. */
static content resolve_sum(resolver *r, scope *sc, ast *a)
{
    sum_note *note = mem_array(m_of(r), 1, sum_note);
    int       locals = sc->locals, frame = sc->frame;
    note->frame = frame;
    scope_indices(r, sc, a->index, a->indices);
    content c = resolve_quantity(r, sc, a->arg[0]);
    sc->locals = locals, sc->frame = frame;
    a->shape = a->arg[0]->shape;
    /* a sum of numbers and indices can be computed while the model is made */
    note->fold = c == HAS_INDEX;
    a->ref = note;
    return c;
}

/* Operators. ----------------------------------------------------------------------------------- */

/* Truth and numbers do not mix. */
static bool is_condition(const ast *a)
{
    return a->kind == AST_COMPARE || a->kind == AST_AND || a->kind == AST_OR || a->kind == AST_NOT;
}

content resolve_condition(resolver *r, scope *sc, ast *a)
{
    if (!is_condition(a))
        diag_error(r->ds, DAL_INVALID, a->at, "compare it with something, as in x > 0",
                   "a number where a condition is needed");
    return resolve(r, sc, a);
}

/* Is it added up of sums, directly or behind a sign, a constant factor or a let? */
bool splits(const ast *a, bool through_lets)
{
    if (a->kind == AST_SUM) return true;
    if (a->kind == AST_NEG) return splits(a->arg[0], through_lets);
    if (a->kind == AST_MUL) return a->ref && a->ref != &ref_fold && splits(a->ref, through_lets);
    if (a->kind == AST_PATH) {
        const symbol *s = through_lets ? path_last(a) : NULL;
        return s && (s->kind == SYM_LET || s->kind == SYM_OUTPUT) && s->def.sums &&
               a->shape == s->shape; /* a component stays one */
    }
    if (a->kind != AST_ADD) return false;
    for (int i = 0; i < a->n; i++)
        if (splits(a->arg[i], through_lets)) return true;
    return false;
}

/* A product of constants and one sum is spread over the terms of the sum. */
static content resolve_product(resolver *r, scope *sc, ast *a)
{
    content all = 0, others = 0;
    ast    *sum = NULL;
    for (int i = 0; i < a->n; i++) {
        content c = resolve_quantity(r, sc, a->arg[i]);
        all |= c;
        if (!sum && !a->flag[i] && splits(a->arg[i], true)) sum = a->arg[i];
        else others |= c;
    }
    if (sum && !(others & ~(content)HAS_CONSTANTS)) a->ref = sum;
    return all;
}

static content resolve_operator(resolver *r, scope *sc, ast *a)
{
    if (a->kind == AST_MUL) return resolve_product(r, sc, a);
    content c = 0;
    bool    conditions = a->kind == AST_AND || a->kind == AST_OR || a->kind == AST_NOT;
    for (int i = 0; i < a->n; i++)
        c |= conditions ? resolve_condition(r, sc, a->arg[i]) : resolve_quantity(r, sc, a->arg[i]);
    return c;
}

/* The index is structural, whatever the vector holds. */
static content resolve_component(resolver *r, scope *sc, ast *a)
{
    content c = resolve_quantity(r, sc, a->arg[0]);
    content index = resolve_structural(r, sc, a->arg[1]);
    a->shape = shape_of_operator(r, a);
    c |= index;
    if (c == HAS_INDEX) a->ref = &ref_fold;
    return c;
}

static content resolve(resolver *r, scope *sc, ast *a)
{
    switch (a->kind) {
    case AST_NUMBER: return 0;
    case AST_PATH:
        return path_takes_components(r, sc, a) ? resolve_component(r, sc, a)
                                               : resolve_path_value(r, sc, a);
    case AST_PRIME: return resolve_prime(r, sc, a);
    case AST_CALL: return resolve_call(r, sc, a);
    case AST_SUM: return resolve_sum(r, sc, a);
    case AST_COMPONENT: return resolve_component(r, sc, a);
    default: break;
    }
    content c = resolve_operator(r, sc, a);
    a->shape = shape_of_operator(r, a);
    /* it depends on nothing but indices: a number of each instance */
    if (c == HAS_INDEX) a->ref = &ref_fold;
    return c;
}

/* Levels are counted through lets too, since emitting them is recursive. After an error the shape
 * is unknown, so that there is one message. */
content resolve_quantity(resolver *r, scope *sc, ast *a)
{
    const int before = r->ds->errors;

    if (is_condition(a))
        diag_error(r->ds, DAL_INVALID, a->at, "choose between numbers with if(condition, a, b)",
                   "a condition where a number is needed");
    if (++r->level > LEVELS) {
        diag_error(r->ds, DAL_INVALID, a->at, NULL,
                   "expressions are nested more than %d deep through their lets", LEVELS);
        r->level--;
        return 0;
    }
    if (r->active.n && r->level > r->active.at[r->active.n - 1]->levels)
        r->active.at[r->active.n - 1]->levels = r->level;
    content c = resolve(r, sc, a);
    if (r->ds->errors > before) a->shape = SHAPE_UNKNOWN;
    r->level--;
    return c;
}

static void check_number(resolver *r, const ast *a)
{
    const symbol *s = a->kind == AST_PATH ? path_last(a) : NULL;
    if (s && s->dims && !path_has_indices(a) && !same_shapes(a->shape, SHAPE_NUMBER))
        not_a_number(r, s, a->at);
    else check_shape(r, a, SHAPE_NUMBER, NULL);
}

content resolve_number(resolver *r, scope *sc, ast *a)
{
    content c = resolve_quantity(r, sc, a);
    check_number(r, a);
    return c;
}

/* z' = g: a number, or the vector of all z[k], for which the last size of z is three. */
static content resolve_flow(resolver *r, scope *sc, const symbol *z, ast *g)
{
    const content c = resolve_quantity(r, sc, g);
    const int     rank = rank_of(g->shape);
    int           threes = 0;
    while (threes < rank && threes < z->dims && counts_three(z, z->dims - 1 - threes)) threes++;
    if (g->shape == SHAPE_UNKNOWN || rank == 0) check_number(r, g);
    else if (threes < rank)
        diag_error(r->ds, DAL_INVALID, g->at,
                   mem_printf(m_of(r), "a state for each component: state %s%s' = ...", z->word,
                              rank == 1 ? "[3]" : "[3][3]"),
                   "%s is no rate of '%s'", shape_phrase(g->shape), z->word);
    return c;
}

/* A list is looked at element by element; a path may name a whole array. */
content resolve_value(resolver *r, scope *sc, ast *a)
{
    if (a->kind != AST_LIST) {
        scope inner = *sc;
        inner.whole = a->kind == AST_PATH;
        return resolve_quantity(r, &inner, a);
    }
    content c = 0;
    for (int i = 0; i < a->n; i++) c |= resolve_value(r, sc, a->arg[i]);
    return c;
}

/* Sizes, ranges and indices, wherever they stand. */
content resolve_structural(resolver *r, const scope *sc, ast *a)
{
    scope inner = *sc;
    inner.at = PLACE_STRUCTURAL, inner.whole = false;
    return resolve_number(r, &inner, a);
}

/* Definitions. --------------------------------------------------------------------------------- */

static void report_cycle(resolver *r, const definition *d, span user)
{
    text chain = text_new(m_of(r));
    int  i = r->active.n - 1;
    while (i > 0 && r->active.at[i] != d) i--;
    for (; i < r->active.n; i++) text_printf(&chain, "%s -> ", r->active.at[i]->word);
    text_add(&chain, d->word);
    diag_error(r->ds, DAL_INVALID, user, NULL, "'%s' depends on itself: %s", d->word,
               text_str(&chain));
    text_drop(&chain);
}

/* A definition sees its own indices, or the arguments of its function, and nothing of where it
 * is used. */
static void resolve_body(resolver *r, definition *d)
{
    symbol *s = d->scope;
    scope   sc = scope_of(s->in, s->home, d->at);
    if (s->kind == SYM_FUNCTION)
        for (int i = 0; i < s->of->formals; i++) push_local(r, &sc, s->formal[i]);
    else scope_slot(r, &sc, &s->of->slot);
    const bool expression = s->kind == SYM_LET || s->kind == SYM_OUTPUT || s->kind == SYM_FUNCTION;
    if (!d->value) return;
    if (d->at == PLACE_TERMINAL) return; /* terminals.c looks at it */
    d->holds = expression           ? resolve_quantity(r, &sc, d->value)
               : symbol_is_state(s) ? resolve_flow(r, &sc, s, d->value)
                                    : resolve_value(r, &sc, d->value);
    d->sums = splits(d->value, true);
    if (expression && d == &s->def) symbol_takes(s, d->value->shape);
}

/* Once for each definition; ACTIVE while that lasts, so that cycles are found. Errors in it are
 * counted as those of no statement (elsewhere). */
content resolve_definition(resolver *r, definition *d, span user)
{
    if (d->state == ACTIVE) report_cycle(r, d, user);
    if (d->state == UNSEEN) {
        int level = r->level;
        d->state = ACTIVE, d->levels = level;
        vec_push(m_of(r), r->active, d);
        const int before = r->ds->errors, elsewhere = r->elsewhere;
        resolve_body(r, d);
        r->elsewhere = elsewhere + (r->ds->errors - before);
        d->wrong = r->ds->errors > before;
        r->active.n--;
        d->state = SEEN, d->levels -= level;
    }
    definition *outer = r->active.n ? r->active.at[r->active.n - 1] : NULL;
    if (outer && r->level + d->levels > outer->levels) outer->levels = r->level + d->levels;
    if (r->level + d->levels > LEVELS)
        diag_error(r->ds, DAL_INVALID, user, NULL,
                   "expressions are nested more than %d deep through their lets", LEVELS);
    return d->holds;
}
