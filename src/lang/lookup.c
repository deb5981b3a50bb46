/* lookup.c - finds what a name or a path means; if nothing, says what is near. */
#include "lang/symbols.h"

#include <string.h>

static mem *m_of(const resolver *r)
{
    return r->l->m; /* NOLINT(clang-analyzer-core.NullDereference): every resolver has one */
}

/* Indices of loops and arguments of functions, innermost scope only. */
static symbol *find_local(const scope *sc, name word)
{
    for (int i = 0; i < sc->locals; i++)
        if (sc->local[i] && sc->local[i]->word == word) return sc->local[i];
    return NULL;
}

/* Nearest first: locals, the system, the file with its imports, and the two names that all have. */
symbol *find_value(const resolver *r, const scope *sc, name word)
{
    symbol *s = find_local(sc, word);
    if (!s && sc->home) s = find_in_system(sc->home, word, SPACE_VALUES);
    if (!s) s = find_in_unit(sc->in, word, SPACE_VALUES);
    if (!s && !strcmp(word, "t")) s = &r->l->time;
    if (!s && !strcmp(word, "pi")) s = &r->l->pi;
    return s;
}

/* Functions have names of their own: one may be called like a value. */
symbol *find_function(const scope *sc, name word)
{
    symbol *s = sc->home ? find_in_system(sc->home, word, SPACE_FUNCTIONS) : NULL;
    return s ? s : find_in_unit(sc->in, word, SPACE_FUNCTIONS);
}

typedef struct { /* names that might have been meant */
    mem *m;
    vec(const char *) word;
    vec(const symbol *) of;
} candidates;

/* A NULL is passed over. */
static void offer(candidates *c, const symbol *s)
{
    if (!s) return;
    vec_push(c->m, c->word, s->word);
    vec_push(c->m, c->of, s);
}

static void offer_all(candidates *c, symbol *const *list, int n, bool functions)
{
    for (int i = 0; i < n; i++)
        if ((list[i]->kind == SYM_FUNCTION) == functions) offer(c, list[i]);
}

static void offer_unit(candidates *c, const unit *u, bool functions)
{
    offer_all(c, u->symbol.at, u->symbol.n, functions);
    for (int i = 0; i < u->import.n; i++)
        offer_all(c, u->import.at[i]->symbol.at, u->import.at[i]->symbol.n, functions);
}

/* "did you mean 'length' (parameter, line 2)?", or NULL */
static const char *nearest(candidates *c, const char *wrong, span at)
{
    const char *near = name_nearest(wrong, c->word.at, c->word.n), *hint = NULL;
    for (int i = 0; near && !hint && i < c->word.n; i++)
        if (c->word.at[i] == near)
            hint = c->of.at[i] ? mem_printf(c->m, "did you mean '%s' (%s)?", near,
                                            symbol_where(c->m, c->of.at[i], at))
                               : mem_printf(c->m, "did you mean '%s'?", near);
    vec_drop(c->m, c->word), vec_drop(c->m, c->of);
    return hint;
}

/* Is the word `before`, `middle` and `after`, written together? */
static bool is_joined(const char *word, const char *before, const char *middle, const char *after)
{
    size_t n = strlen(before), k = strlen(middle);
    return !strncmp(word, before, n) && !strncmp(word + n, middle, k) &&
           !strcmp(word + n + k, after);
}

/* "xdot", "x_dot", "dxdt" and "dx" of a coordinate x: x' is meant. */
static const char *velocity_meant(resolver *r, const scope *sc, const char *word)
{
    static const char *const forms[][2] = {{"", "_dot"}, {"", "dot"}, {"d", "dt"}, {"d", ""}};
    for (size_t i = 0; sc->home && i < sizeof forms / sizeof *forms; i++)
        for (int k = 0; k < sc->home->symbol.n; k++) {
            const symbol *s = sc->home->symbol.at[k];
            if (s->kind == SYM_COORDINATE && is_joined(word, forms[i][0], s->word, forms[i][1]))
                return mem_printf(m_of(r), "the velocity of %s is %s'", s->word, s->word);
        }
    return NULL;
}

/* "px" and "p_x" of a coordinate x, and "p" alone: p(x) is meant. */
static const char *momentum_meant(resolver *r, const scope *sc, const char *word)
{
    static const char *const forms[] = {"p_", "p"};
    for (int k = 0; sc->home && k < sc->home->symbol.n; k++) {
        const symbol *s = sc->home->symbol.at[k];
        bool          meant = !strcmp(word, "p");
        for (int i = 0; i < 2; i++) meant |= is_joined(word, forms[i], s->word, "");
        if (s->kind == SYM_COORDINATE && meant)
            return mem_printf(m_of(r), "the momentum of %s is p(%s)", s->word, s->word);
    }
    return NULL;
}

/* A name of a part, without the part. */
static const char *part_meant(resolver *r, const scope *sc, name word)
{
    for (int i = 0; sc->home && i < sc->home->symbol.n; i++) {
        const symbol *s = sc->home->symbol.at[i];
        if (s->kind != SYM_PART || !s->type || !find_in_system(s->type, word, SPACE_VALUES))
            continue;
        return mem_printf(m_of(r), "did you mean '%s%s.%s'?", s->word, s->dims ? "[1]" : "", word);
    }
    return NULL;
}

/* "Pendulum has parameters l, m, ..." */
const char *list_members(mem *m, const sys *s, symbol_kind kind)
{
    text        list = text_new(m);
    int         n = 0, shown = 0;
    const char *word = symbol_word[kind];
    for (int i = 0; i < s->symbol.n; i++) n += s->symbol.at[i]->kind == kind;
    for (int i = 0; i < s->symbol.n && shown < 8; i++)
        if (s->symbol.at[i]->kind == kind)
            text_printf(&list, "%s%s", shown++ ? ", " : "", s->symbol.at[i]->word);
    const char *hint = n == 0 ? mem_printf(m, "%s has no %ss of its own", s->word, word)
                              : mem_printf(m, "%s has %s%s %s%s", s->word, word, n > 1 ? "s" : "",
                                           text_str(&list), shown < n ? ", ..." : "");
    text_drop(&list);
    return hint;
}

/* Names of starts and columns are those of coordinates; what is inside of an expression is a value.
 */
static bool is_state(const resolver *r, const scope *sc)
{
    return !r->level && (sc->at == PLACE_START || sc->at == PLACE_SETTING);
}

/* What could stand in an option or a setting, where nothing can be declared. */
static const char *choices_meant(resolver *r, const scope *sc)
{
    if (!sc->home) return NULL;
    return list_members(m_of(r), sc->home, is_state(r, sc) ? SYM_COORDINATE : SYM_PARAMETER);
}

/* What a name that nothing resembles may want. */
static const char *declaration_meant(resolver *r, const scope *sc, const char *word, bool holds)
{
    if (!sc->home || r->late || sc->at == PLACE_SETTING) return NULL;
    if (holds) return mem_printf(m_of(r), "declare it, as in 'part %s : System'", word);
    if (sc->at == PLACE_STRUCTURAL)
        return "a size is a number or a parameter; a unit is a string: x \"m\"";
    if (sc->at == PLACE_TARGET || is_state(r, sc) || sc->at == PLACE_SYMMETRY)
        return mem_printf(m_of(r), "declare it: coordinate %s", word);
    return mem_printf(m_of(r), "declare it, as in 'parameter %s = 1' or 'coordinate %s'", word,
                      word);
}

/* `holds`: the path goes on behind it. */
static void unknown_name(resolver *r, const scope *sc, const ast_step *st, bool holds)
{
    candidates c = {.m = m_of(r)};
    for (int i = 0; i < sc->locals; i++) offer(&c, sc->local[i]);
    if (sc->home) offer_all(&c, sc->home->symbol.at, sc->home->symbol.n, false);
    offer_unit(&c, sc->in, false);
    const char *hint = velocity_meant(r, sc, st->word), *near = nearest(&c, st->word, st->at);
    if (!hint) hint = momentum_meant(r, sc, st->word);
    if (!hint) hint = near;
    if (!hint && (find_function(sc, st->word) || builtin_find(st->word)))
        hint = mem_printf(m_of(r), "it is a function: %s(...)", st->word);
    if (!hint) hint = part_meant(r, sc, st->word);
    if (!hint && !strcmp(st->word, "PI")) hint = "the constant is called pi";
    if (!hint && !r->late && !strcmp(st->word, "dt")) hint = "a time derivative is written x'";
    if (!hint) hint = declaration_meant(r, sc, st->word, holds);
    if (!hint) hint = choices_meant(r, sc);
    diag_error(r->ds, DAL_INVALID, st->at, hint, "unknown name '%s'", st->word);
}

/* Places in which a coordinate is most likely meant. */
static bool wants_coordinate(place at)
{
    return at == PLACE_CONNECT || at == PLACE_TIE || at == PLACE_START || at == PLACE_CONSTRAINT ||
           at == PLACE_HOLONOMIC || at == PLACE_TARGET || at == PLACE_SYMMETRY;
}

/* `inner`: the path goes on behind it, so that a part is meant. */
static void unknown_member(resolver *r, const scope *sc, const symbol *holder, const ast_step *st,
                           bool inner)
{
    candidates  c = {.m = m_of(r)};
    symbol_kind kind = inner                       ? SYM_PART
                       : sc->at == PLACE_PARAMETER ? SYM_PARAMETER
                                                   : SYM_COORDINATE;
    offer_all(&c, holder->type->symbol.at, holder->type->symbol.n, false);
    const char *hint = nearest(&c, st->word, st->at);
    if (!hint) hint = list_members(m_of(r), holder->type, kind);
    diag_error(r->ds, DAL_INVALID, st->at, hint, "'%s' has no %s '%s'", holder->word,
               inner || wants_coordinate(sc->at) ? symbol_word[kind] : "member", st->word);
}

/* What goes by another name elsewhere. */
static const char *foreign(const char *const (*words)[2], const char *word)
{
    for (; (*words)[0]; words++)
        if (!strcmp((*words)[0], word)) return (*words)[1];
    return NULL;
}

static const char *const foreign_functions[][2] = {
    {"ln", "the natural logarithm is log(x)"},
    {"log10", "log(x) is the natural logarithm: write log(x)/log(10)"},
    {"pow", "a power is written x^2"},
    {"sqr", "a power is written x^2"},
    {"square", "a power is written x^2"},
    {"fabs", "the absolute value is abs(x)"},
    {"arcsin", "use asin(x)"},
    {"arccos", "use acos(x)"},
    {"arctan", "use atan(x)"},
    {"arctan2", "use atan2(y, x)"},
    {"sgn", "use sign(x)"},
    {"sec", "write 1/cos(x)"},
    {"csc", "write 1/sin(x)"},
    {"cot", "write 1/tan(x)"},
    {"sech", "write 1/cosh(x)"},
    {"asinh", "write log(x + sqrt(x^2 + 1))"},
    {"acosh", "write log(x + sqrt(x^2 - 1))"},
    {"atanh", "write log((1 + x)/(1 - x))/2"},
    {"hypot", "write sqrt(x^2 + y^2)"},
    {"length", "of a vector: norm(a)"},
    {"magnitude", "of a vector: norm(a)"},
    {"transpose", "that of a rotation is inv(R)"},
    {"omega", "the angular velocity of a rotation is spin(R), in body axes bodyspin(R)"},
    {"angvel", "the angular velocity of a rotation is spin(R), in body axes bodyspin(R)"},
    {"heaviside", "write if(x > 0, 1, 0)"},
    {"diff", "the partial derivative is d(e, x)"},
    {"ddt", "the time derivative is (e)'"},
    {"der", "the time derivative is (e)'"},
    {NULL, NULL}};

/* A value that is called like a function lacks a '*'. */
void unknown_function(resolver *r, const scope *sc, const ast *a)
{
    const symbol *value = find_value(r, sc, a->word);
    if (value) {
        diag_error(r->ds, DAL_INVALID, a->op_at,
                   mem_printf(m_of(r), "to multiply write %s*(...)", a->word),
                   "'%s' is %s, not a function", a->word, symbol_phrase[value->kind]);
        return;
    }
    candidates c = {.m = m_of(r)};
    if (sc->home) offer_all(&c, sc->home->symbol.at, sc->home->symbol.n, true);
    offer_unit(&c, sc->in, true);
    for (const builtin *b = builtin_table; b->word; b++) {
        vec_push(c.m, c.word, b->word);
        vec_push(c.m, c.of, NULL);
    }
    const char *hint = foreign(foreign_functions, a->word), *near = nearest(&c, a->word, a->op_at);
    if (!hint) hint = near;
    diag_error(r->ds, DAL_INVALID, a->op_at, hint, "unknown function '%s'", a->word);
}

void not_a_number(resolver *r, const symbol *s, span at)
{
    const bool  vector = s->dims && counts_three(s, s->dims - 1);
    const char *more =
        vector ? "" : mem_printf(m_of(r), "; a vector is declared with its size: %s[3]", s->word);
    diag_error(r->ds, DAL_INVALID, at,
               mem_printf(m_of(r), "one of its elements is %s[k]%s", s->word,
                          s->kind == SYM_PART ? "" : more),
               "'%s' is an array, not a number", s->word);
}

bool names_array(const ast *a)
{
    const symbol *s = a->kind == AST_PATH ? path_last(a) : NULL;
    return s && s->kind == SYM_PARAMETER && s->dims && !a->step[a->steps - 1].n;
}

/* What is left of an array behind the indices: a vector, if its last size is three. */
static ast_shape shape_behind(const symbol *s, const ast_step *st)
{
    static const ast_shape shapes[] = {SHAPE_NUMBER, SHAPE_VECTOR, SHAPE_MATRIX};
    const int              open = s->dims - st->n;
    if (symbol_turns(s))
        return open != 1                         ? SHAPE_UNKNOWN
               : symbol_turns(s) == KIND_ROTATION ? SHAPE_MATRIX
                                                  : SHAPE_VECTOR;
    if (s->shape == SHAPE_UNKNOWN || s->kind == SYM_PART || open < 0 || open > SHAPE_MATRIX)
        return SHAPE_UNKNOWN;
    for (int k = st->n; k < s->dims; k++)
        if (!counts_three(s, k)) return SHAPE_UNKNOWN;
    return shapes[open];
}

/* As many indices as dimensions; fewer for a vector, none where a whole array may be meant. */
static bool check_indices(resolver *r, const symbol *s, const ast_step *st, bool whole)
{
    mem *m = m_of(r);
    if (symbol_turns(s) && st->n == s->dims) {
        const bool rotation = symbol_turns(s) == KIND_ROTATION;
        diag_error(r->ds, DAL_INVALID, st->at,
                   rotation ? mem_printf(m, "its entries %s[i][j] can be read", s->word)
                            : mem_printf(m, "its components %s[i] can be read", s->word),
                   "'%s' is a %s, which is taken as a whole here", s->word,
                   rotation ? "rotation" : "direction");
        return false;
    }
    if (st->n == s->dims || s->shape == SHAPE_UNKNOWN || (whole && !st->n)) return true;
    if (shape_behind(s, st) != SHAPE_UNKNOWN) return true;
    if (!s->dims)
        diag_error(r->ds, DAL_INVALID, st->at,
                   mem_printf(m, "an array is declared with its size: %s %s[5]",
                              symbol_word[s->kind], s->word),
                   "'%s' is a single %s, not an array", s->word, symbol_word[s->kind]);
    else if (!st->n) not_a_number(r, s, st->at);
    else
        diag_error(r->ds, DAL_INVALID, st->at, NULL, "'%s' takes %d ind%s, not %d", s->word,
                   s->dims, s->dims == 1 ? "ex" : "ices", st->n);
    return false;
}

/* Of the part behind a terminal only what has the same meaning in any part can be used. */
static bool seen_through_terminal(resolver *r, const scope *sc, const symbol *terminal,
                                  const symbol *s, const ast_step *st)
{
    const bool starts = sc->at == PLACE_START;
    if (!starts && (s->kind == SYM_COORDINATE || s->kind == SYM_LET)) return true;
    diag_error(r->ds, DAL_INVALID, st->at,
               starts ? "write its start where the part is declared"
                      : "only its coordinates and lets can be used",
               "'%s' is %s of the terminal '%s'", st->word, symbol_phrase[s->kind], terminal->word);
    return false;
}

/* Sets path->ref to the symbols of its steps and returns the last; NULL: reported. */
symbol *resolve_path(resolver *r, scope *sc, ast *path, bool whole)
{
    symbol **chain = mem_array(m_of(r), path->steps, symbol *), *s = NULL;
    bool     fine = true;
    path->shape = SHAPE_UNKNOWN;
    for (int i = 0; i < path->steps; i++) {
        const ast_step *st = &path->step[i];
        const symbol   *holder = s;
        if (i && holder->kind != SYM_PART) {
            const bool moves = holder->kind == SYM_COORDINATE &&
                               (!strcmp(st->word, "dot") || !strcmp(st->word, "v"));
            diag_error(
                r->ds, DAL_INVALID, path->step[i - 1].at,
                moves ? mem_printf(m_of(r), "the velocity of %s is %s'", holder->word, holder->word)
                : symbol_turns(holder) == KIND_ROTATION
                    ? mem_printf(m_of(r), "its entries are %s[i][j]; %s.w is a column",
                                 holder->word, holder->word)
                    : NULL,
                "'%s' is %s, not a part", holder->word, symbol_phrase[holder->kind]);
            return NULL;
        }
        if (i && !holder->type) { /* reported where the part is declared */
            r->lost++;
            return NULL;
        }
        s = i ? find_in_system(holder->type, st->word, SPACE_VALUES) : find_value(r, sc, st->word);
        if (!s) {
            if (i) unknown_member(r, sc, holder, st, i < path->steps - 1);
            else unknown_name(r, sc, st, path->steps > 1);
            return NULL;
        }
        if (i && symbol_is_terminal(holder) && !seen_through_terminal(r, sc, holder, s, st))
            return NULL;
        chain[i] = s;
        /* how many indices a let takes depends on its value */
        if ((s->kind == SYM_LET || s->kind == SYM_OUTPUT) && s->def.state == UNSEEN)
            resolve_definition(r, &s->def, path->at);
        /* names in options do not make a declaration used */
        if (!r->late) s->used = true;
        fine &= check_indices(r, s, st, whole && i == path->steps - 1);
        for (int k = 0; k < st->n; k++) resolve_structural(r, sc, st->index[k]);
    }
    if (!s || !fine) return NULL;
    path->shape = shape_behind(s, &path->step[path->steps - 1]);
    path->ref = chain;
    return s;
}

/* What the first steps of a path lead to, without a message; NULL: nothing. */
static const symbol *led_to(resolver *r, const scope *sc, const ast *a, int steps)
{
    const symbol *s = NULL;
    for (int i = 0; i < steps; i++) {
        if (i && (s->kind != SYM_PART || !s->type)) return NULL;
        s = i ? find_in_system(s->type, a->step[i].word, SPACE_VALUES)
              : find_value(r, sc, a->step[i].word);
        if (!s) return NULL;
    }
    return s;
}

/* R.w: a becomes the component of the path before. */
bool path_takes_quaternion(resolver *r, const scope *sc, ast *a)
{
    static const char letters[] = "wxyz";
    const int         last = a->steps - 1;
    const symbol     *s = last > 0 ? led_to(r, sc, a, last) : NULL;
    const char       *word = a->step[last].word;
    if (!s || symbol_turns(s) != KIND_ROTATION || strlen(word) != 1 || !strchr(letters, *word) ||
        a->step[last].n)
        return false;
    ast *of = mem_array(m_of(r), 1, ast), *which = mem_array(m_of(r), 1, ast);
    *of = *a, of->steps = last;
    *which = (ast){.kind = AST_NUMBER,
                   .at = a->step[last].at,
                   .number = (double)(strchr(letters, *word) - letters + 1)};
    *a = (ast){.kind = AST_COMPONENT, .at = a->at, .op_at = a->at, .n = 2};
    a->arg = mem_array(m_of(r), 2, ast *), a->arg[0] = of, a->arg[1] = which;
    return true;
}

/* R[3][1]: what stands behind the indices of an array of rotations are components. */
bool path_takes_components(resolver *r, const scope *sc, ast *a)
{
    const symbol *s = led_to(r, sc, a, a->steps);
    if (!s) return false;
    const int own = s->dims - 1;
    ast_step *last = &a->step[a->steps - 1];
    if (!symbol_turns(s) || last->n <= own) return false;
    ast **index = last->index + own, *of = mem_array(m_of(r), 1, ast);
    int   count = last->n - own;
    *of = *a;
    last->n = own;
    for (int k = 0; k < count; k++) {
        ast *node = k + 1 < count ? mem_array(m_of(r), 1, ast) : a;
        *node = (ast){.kind = AST_COMPONENT, .at = a->at, .op_at = a->at, .n = 2};
        node->arg = mem_array(m_of(r), 2, ast *);
        node->arg[0] = of, node->arg[1] = index[k], of = node;
    }
    return true;
}
