/* rules.c - the static rules of statements: what each must and may not hold. */
#include "lang/symbols.h"

#include <math.h>
#include <string.h>

/* kinds: of a `for`, that of its statements is added later. */
static stmt_note *note_of(resolver *r, stmt *st, const scope *sc)
{
    stmt_note *n = mem_array(r->l->m, 1, stmt_note);
    *n = (stmt_note){.frame = sc->frame, .kinds = 1u << st->kind, .counted_in = -1};
    st->note = n;
    return n;
}

/* Forces and symmetries. ----------------------------------------------------------------------- */

/* "a force on 'x' needs a vector, not a number" */
static void check_partner(resolver *r, const ast *target, const ast *value, const char *what)
{
    const char   *word = target->step[target->steps - 1].word;
    const symbol *s = target->kind == AST_PATH ? path_last(target) : NULL;
    if (s && symbol_turns(s) == KIND_ROTATION) /* a torque, or an axis */
        check_shape(r, value, SHAPE_VECTOR, mem_printf(r->l->m, "%s '%s'", what, word));
    else if (target->shape != SHAPE_MATRIX)
        check_shape(r, value, target->shape, mem_printf(r->l->m, "%s '%s'", what, word));
    else
        diag_error(r->ds, DAL_INVALID, target->at, "it acts on rows or components of it",
                   "%s '%s' cannot be a matrix", what, word);
}

/* A force acts on a coordinate, or through the differential of a let: in positions, or in
 * velocities if it holds any, and then as a force does, inputs may be its coefficients. */
static void resolve_target(resolver *r, scope sc, stmt *st)
{
    sc.at = PLACE_TARGET;
    symbol *s = resolve_path(r, &sc, st->target, false);
    span    at = st->target->at;
    if (s && symbol_is_state(s))
        diag_error(r->ds, DAL_INVALID, at, "add it to the right side of its equation",
                   "no force can act on the state '%s'", s->word);
    if (!s || s->kind == SYM_COORDINATE) return;
    if (s->kind != SYM_LET) {
        diag_error(r->ds, DAL_INVALID, at, place_table[PLACE_TARGET].hint,
                   "no force can act on the %s '%s'", symbol_word[s->kind], s->word);
        return;
    }
    content holds = resolve_definition(r, &s->def, at),
            of_rates = holds & HAS_ANY_V ? HAS_ANY_V | HAS_INPUT : 0,
            bad = holds & ~(place_table[PLACE_TARGET].allows | of_rates);
    if (bad)
        diag_error(r->ds, DAL_INVALID, at, place_table[PLACE_TARGET].hint,
                   "no force can act on '%s': it contains %s", s->word, content_word(bad));
    else if (!(holds & (HAS_ANY_Q | HAS_ANY_V)))
        diag_error(r->ds, DAL_INVALID, at, place_table[PLACE_TARGET].hint,
                   "no force can act on '%s': it contains no coordinate", s->word);
}

/* What holds no velocity loses energy by being damped in time, and gains nothing. */
static void resolve_force(resolver *r, scope *sc, stmt *st)
{
    const int before = r->ds->errors;
    resolve_target(r, *sc, st);
    sc->at = PLACE_FORCE;
    content holds = resolve_quantity(r, sc, st->value);
    check_partner(r, st->target, st->value,
                  st->kind == STMT_DAMPING ? "a damping on" : "a force on");
    if (st->kind == STMT_DAMPING && r->ds->errors == before &&
        !(holds & (HAS_ANY_V | HAS_PH | HAS_STATE)))
        diag_error(r->ds, DAL_INVALID, st->value->at,
                   "write 'force' for what does not depend on the motion's velocity",
                   "this damping holds no velocity");
}

static void resolve_symmetry(resolver *r, scope *sc, stmt *st)
{
    sc->at = PLACE_SYMMETRY;
    for (int i = 0; i < st->moves; i++) {
        const ast    *of = st->move[i].target;
        const symbol *s = of->kind == AST_PATH
                              ? resolve_state(r, sc, st->move[i].target, false, "a symmetry")
                              : NULL;
        if (s && symbol_is_state(s))
            diag_error(r->ds, DAL_INVALID, of->at, NULL, "no symmetry moves the state '%s'",
                       s->word);
        if (s && st->finite && symbol_turns(s))
            diag_error(r->ds, DAL_INVALID, of->at, "leave 'finite' out for a generator",
                       "finite symmetries of rotations and directions are not known");
        resolve_quantity(r, sc, st->move[i].value);
        check_partner(r, st->move[i].target, st->move[i].value, "what moves");
    }
    if (st->value) resolve_number(r, sc, st->value);
}

/* Relations. ----------------------------------------------------------------------------------- */

/* Without a velocity it says nothing of motion. */
static void check_constraint(resolver *r, const stmt *st, content both)
{
    if (both & HAS_ANY_V) return;
    diag_error(r->ds, DAL_INVALID, st->value->at, "for an equation of positions write 'holonomic'",
               "this constraint contains no velocity");
}

static void check_holonomic(resolver *r, const stmt *st, content both)
{
    if (both & HAS_ANY_Q) return;
    diag_error(r->ds, DAL_INVALID, st->value->at, NULL, "this equation contains no coordinate");
}

/* With primes a connection binds velocities, without it ties positions; half of each is a slip. */
static void check_connect(resolver *r, const stmt *st, content left, content right)
{
    content both = left | right, bad = both & ~place_table[PLACE_TIE].allows;
    bool    velocity = both & HAS_ANY_V;
    if (velocity) {
        const ast *bare = !(left & HAS_ANY_V) ? st->value : !(right & HAS_ANY_V) ? st->right : NULL;
        content    in_bare = left & HAS_ANY_V ? right : left;
        if (bare && (in_bare & HAS_ANY_Q))
            diag_error(r->ds, DAL_INVALID, bare->at,
                       "prime both sides, or write 'constraint' if a velocity depends on positions",
                       "'connect' with primes on one side only");
    } else if (bad)
        diag_error(r->ds, DAL_INVALID, st->value->at, place_table[PLACE_TIE].hint,
                   "%s cannot be used in %s", content_word(bad), place_table[PLACE_TIE].words);
    else if (!(both & HAS_ANY_Q))
        diag_error(r->ds, DAL_INVALID, st->value->at, NULL,
                   "this connection contains no coordinate");
}

/* An equation of vectors is three of numbers, name[1..3]. */
static bool check_sides(resolver *r, const scope *sc, const stmt *st)
{
    const ast_shape left = st->value->shape, right = st->right->shape;
    symbol    *s = st->slot.word ? find_in_system(sc->home, st->slot.word, SPACE_VALUES) : NULL;
    const bool same = same_shapes(left, right);
    if (!same)
        diag_error(r->ds, DAL_INVALID, st->right->at,
                   left == SHAPE_VECTOR && right == SHAPE_NUMBER ? "a vector is written [0, 0, 0]"
                                                                 : NULL,
                   "%s cannot equal %s", shape_phrase(left), shape_phrase(right));
    else if (left == SHAPE_MATRIX)
        diag_error(r->ds, DAL_INVALID, st->value->at, "write equations of its components",
                   "an equation of matrices cannot be used");
    else if (s && s->of == st) symbol_takes(s, left == SHAPE_UNKNOWN ? right : left);
    return same && left != SHAPE_MATRIX;
}

/* Rows of events are numbers. */
static void resolve_row(resolver *r, scope *sc, stmt *st, place at)
{
    sc->at = at;
    const int     before = r->ds->errors + r->lost;
    const content both = resolve_number(r, sc, st->value) | resolve_number(r, sc, st->right);
    if (r->ds->errors + r->lost > before) return;
    if (at == PLACE_CONTACT && !(both & HAS_ANY_Q))
        diag_error(r->ds, DAL_INVALID, st->value->at, NULL, "this contact contains no coordinate");
    else if (at != PLACE_CONTACT && !(both & (HAS_ANY_V | HAS_STATE_RATE)))
        diag_error(
            r->ds, DAL_INVALID, st->value->at,
            at == PLACE_CONSTRAINT ? "an inequality of positions is 'contact a >= b'"
                                   : "friction acts on a velocity: 'friction x' = 0 limit 2'",
            "this %s contains no velocity", at == PLACE_CONSTRAINT ? "constraint" : "friction");
}

/* Checks of the whole only where both sides could be read. */
static void resolve_relation(resolver *r, scope *sc, stmt *st)
{
    static const place places[] = {[STMT_CONSTRAINT] = PLACE_CONSTRAINT,
                                   [STMT_HOLONOMIC] = PLACE_HOLONOMIC,
                                   [STMT_CONNECT] = PLACE_CONNECT};
    sc->at = places[st->kind];
    if (st->slot.word) scope_slot(r, sc, &st->slot);
    if (st->one_sided) {
        resolve_row(r, sc, st, PLACE_CONSTRAINT);
        return;
    }
    int     before = r->ds->errors + r->lost;
    content left = resolve_quantity(r, sc, st->value), right = resolve_quantity(r, sc, st->right);
    if (r->ds->errors + r->lost > before || !check_sides(r, sc, st)) return;
    if (st->kind == STMT_CONSTRAINT) check_constraint(r, st, left | right);
    else if (st->kind == STMT_HOLONOMIC) check_holonomic(r, st, left | right);
    else check_connect(r, st, left, right);
}

/* Events. -------------------------------------------------------------------------------------- */

/* A literal that cannot be; others are looked at when the run begins. */
static void refuse_negative(resolver *r, const ast *a, const char *what)
{
    const bool literal = a && a->kind == AST_NEG && a->arg[0]->kind == AST_NUMBER;
    if (literal && a->arg[0]->number != 0)
        diag_error(r->ds, DAL_INVALID, a->at, "0 or more", "%s is negative", what);
}

static void resolve_numbers(resolver *r, scope *sc, stmt *st)
{
    const bool contact = st->kind == STMT_CONTACT;
    sc->at = PLACE_EVENT;
    for (int i = 0; i < 2; i++)
        if (st->number[i]) resolve_number(r, sc, st->number[i]);
    refuse_negative(r, st->number[0], contact ? "the restitution" : "the limit");
    refuse_negative(r, st->number[1], contact ? "the friction" : "the force of slip");
}

/* What a contact rubs along: positions or velocities, one number, two, or a vector. */
static void resolve_along(resolver *r, scope *sc, stmt *st)
{
    static const char hint[] = "a position or a velocity of the point that touches";
    sc->at = PLACE_FRICTION;
    for (int i = 0; i < st->places; i++) {
        ast          *a = st->place[i];
        const int     before = r->ds->errors + r->lost;
        const content holds =
            st->places == 1 ? resolve_quantity(r, sc, a) : resolve_number(r, sc, a);
        if (r->ds->errors + r->lost > before) continue;
        if (a->shape == SHAPE_MATRIX)
            diag_error(r->ds, DAL_INVALID, a->at, hint, "no contact rubs along a matrix");
        else if (!(holds & (HAS_ANY_Q | HAS_ANY_V)))
            diag_error(r->ds, DAL_INVALID, a->at, hint, "this moves with no coordinate");
    }
}

/* x, x', p(x) of a coordinate that is a number, or a discrete variable. */
static void resolve_reset(resolver *r, scope *sc, const ast_move *m)
{
    ast *a = m->target;
    sc->at = PLACE_EVENT;
    resolve_number(r, sc, m->value);
    const symbol *s = a->kind == AST_PATH ? resolve_path(r, sc, a, false)
                                          : resolve_state(r, sc, a, false, "'when'");
    if (!s) return;
    if (s->kind == SYM_PARAMETER && !symbol_is_discrete(s))
        diag_error(r->ds, DAL_INVALID, a->at,
                   mem_printf(r->l->m, "declare it so: discrete %s = ...", s->word),
                   "'%s' is a parameter, which stays what it is", s->word);
    else if (s->kind != SYM_COORDINATE && !symbol_is_discrete(s))
        diag_error(r->ds, DAL_INVALID, a->at, "x, x', p(x), or a discrete variable",
                   "'%s' is %s: no event can change it", s->word, symbol_phrase[s->kind]);
    else if (symbol_turns(s))
        diag_error(r->ds, DAL_INVALID, a->at, NULL, "no event can change a rotation or direction");
    else if (symbol_is_state(s) && a->kind != AST_PATH)
        diag_error(r->ds, DAL_INVALID, a->at, NULL,
                   "'%s' is a state: its rate follows from its equation", s->word);
}

/* Equality of what moves is true at instants only, if ever. */
static void refuse_equal(resolver *r, scope *sc, ast *a)
{
    if (a->kind == AST_COMPARE && (a->compare == CMP_EQ || a->compare == CMP_NE)) {
        const content both = resolve_number(r, sc, a->arg[0]) | resolve_number(r, sc, a->arg[1]);
        if (both & ~(content)(HAS_CONSTANTS | HAS_INPUT | HAS_FORMAL))
            diag_error(r->ds, DAL_INVALID, a->op_at, "compare with < or >",
                       "equality of what moves cannot be met");
        return;
    }
    if (a->kind != AST_AND && a->kind != AST_OR && a->kind != AST_NOT) return;
    for (int i = 0; i < a->n; i++) refuse_equal(r, sc, a->arg[i]);
}

static void resolve_event(resolver *r, scope *sc, stmt *st)
{
    if (st->slot.word) scope_slot(r, sc, &st->slot);
    if (st->kind == STMT_CONTACT || st->kind == STMT_FRICTION) {
        resolve_row(r, sc, st, st->kind == STMT_CONTACT ? PLACE_CONTACT : PLACE_FRICTION);
        resolve_along(r, sc, st);
        resolve_numbers(r, sc, st);
        return;
    }
    sc->at = PLACE_EVENT;
    const int before = r->ds->errors;
    resolve_condition(r, sc, st->value);
    if (r->ds->errors == before) refuse_equal(r, sc, st->value);
    for (int i = 0; i < st->moves; i++) resolve_reset(r, sc, &st->move[i]);
    if (st->kind == STMT_WHEN && !st->moves)
        diag_note(r->ds, st->at, NULL,
                  "this changes nothing: its instants are found, and listed among the events");
}

/* Statements. ---------------------------------------------------------------------------------- */

static void resolve_start(resolver *r, scope *sc, stmt *st)
{
    sc->at = PLACE_START;
    const symbol *s = resolve_state(r, sc, st->target, true, "'start'");
    if (s && symbol_is_state(s) && st->target->kind != AST_PATH)
        diag_error(r->ds, DAL_INVALID, st->target->at,
                   mem_printf(r->l->m, "type 'start %s = ...'", s->word),
                   "'%s' is a state: its rate follows from its equation", s->word);
    if (st->value) resolve_value(r, sc, st->value);
}

static void resolve_draw(resolver *r, scope *sc, stmt *st)
{
    const int before = r->ds->errors + r->lost;
    sc->at = PLACE_DRAW;
    for (int i = 0; i < st->places; i++) resolve_quantity(r, sc, st->place[i]);
    if (r->ds->errors + r->lost == before) check_figure(r, st);
}

static void resolve_energy_term(resolver *r, scope *sc, stmt *st)
{
    sc->at = st->kind == STMT_LAGRANGIAN ? PLACE_LAGRANGIAN : PLACE_HAMILTONIAN;
    if (sc->home->both) sc->at = PLACE_LET; /* refused as a whole: no second message */
    resolve_number(r, sc, st->value);
}

/* Declarations: the sizes, and the values even if nobody asked for them yet. */
static void resolve_declaration(resolver *r, scope *sc, const stmt *st)
{
    scope   sizes = *sc;
    symbol *s =
        find_in_system(sc->home, st->slot.word, st->function ? SPACE_FUNCTIONS : SPACE_VALUES);
    if (!st->function) scope_slot(r, &sizes, &st->slot);
    if (!s || s->of != st) return;
    if (st->value) resolve_definition(r, &s->def, st->slot.at);
    for (int i = 0; s->bound && i < s->type->symbol.n; i++)
        if (s->bound[i]) resolve_definition(r, s->bound[i], st->slot.at);
    if (s->bound && st->kind == STMT_PART) resolve_terminals(r, s);
}

/* An energy, a force, a relation and the like declare nothing that others could need: what is wrong
 * in one is no reason not to look at the rest. */
static bool stands_alone(stmt_kind kind)
{
    return kind == STMT_LAGRANGIAN || kind == STMT_HAMILTONIAN || kind == STMT_FORCE ||
           kind == STMT_DAMPING || kind == STMT_CONSTRAINT || kind == STMT_HOLONOMIC ||
           kind == STMT_CONNECT || kind == STMT_SYMMETRY || kind == STMT_START ||
           kind == STMT_DRAW || kind == STMT_CONTACT || kind == STMT_FRICTION ||
           kind == STMT_WHEN || kind == STMT_STOP;
}

static void resolve_statement(resolver *r, scope sc, stmt *st)
{
    stmt_note *note = note_of(r, st, &sc);
    const int  before = r->ds->errors, elsewhere = r->elsewhere;
    switch (st->kind) {
    case STMT_LAGRANGIAN:
    case STMT_HAMILTONIAN: resolve_energy_term(r, &sc, st); break;
    case STMT_FORCE:
    case STMT_DAMPING: resolve_force(r, &sc, st); break;
    case STMT_CONSTRAINT:
    case STMT_HOLONOMIC:
    case STMT_CONNECT: resolve_relation(r, &sc, st); break;
    case STMT_SYMMETRY: resolve_symmetry(r, &sc, st); break;
    case STMT_START: resolve_start(r, &sc, st); break;
    case STMT_DRAW: resolve_draw(r, &sc, st); break;
    case STMT_CONTACT:
    case STMT_FRICTION:
    case STMT_WHEN:
    case STMT_STOP: resolve_event(r, &sc, st); break;
    case STMT_FOR:
        scope_indices(r, &sc, st->index, st->indices);
        for (int i = 0; i < st->count; i++) {
            resolve_statement(r, sc, st->body[i]);
            note->kinds |= ((stmt_note *)st->body[i]->note)->kinds;
        }
        break;
    default: resolve_declaration(r, &sc, st); break;
    }
    /* errors of definitions used here are not this statement's, and do not count as local */
    if (!stands_alone(st->kind) || r->ds->errors == before) return;
    note->failed = true;
    r->l->local += r->ds->errors - before - (r->elsewhere - elsewhere);
}

/* The simulate block sees the system that runs. ------------------------------------------------ */

/* `gauss(s)`: is the option s a number, or the name of another rule? A name of the system is a
 * number. */
static bool is_number(const resolver *r, const ast_rule *o)
{
    if (!o->value || !o->word) return o->value != NULL;
    const sys *root = r->l->root;
    int        space = o->value->kind == AST_CALL ? SPACE_FUNCTIONS : SPACE_VALUES;
    return find_in_system(root, o->word, space) || find_in_unit(root->in, o->word, space) ||
           (space == SPACE_FUNCTIONS && builtin_find(o->word)) || !strcmp(o->word, "pi");
}

/* The options of a scheme; those that are numbers lose their word. */
static void resolve_rule(resolver *r, ast_rule *rule)
{
    scope sc = scope_of(r->l->root->in, r->l->root, PLACE_SETTING);
    for (int i = 0; i < rule->options; i++) {
        ast_rule *o = rule->option[i];
        if (is_number(r, o)) o->word = NULL, resolve_number(r, &sc, o->value);
        else resolve_rule(r, o);
    }
    if (rule->with) resolve_rule(r, rule->with);
}

/* Outputs and coordinates are used by being there. */
static void warn_unused(resolver *r, symbol *const *list, int n)
{
    for (int i = 0; i < n; i++) {
        const symbol *s = list[i];
        if (s->used || (s->kind != SYM_PARAMETER && s->kind != SYM_LET && s->kind != SYM_FUNCTION))
            continue;
        diag_warning(r->ds, s->at, NULL, "%s '%s' is never used",
                     symbol_is_discrete(s) ? "discrete variable" : symbol_word[s->kind], s->word);
    }
}

/* Settings whose value is one of a few words. */
static const struct {
    const char *key, *words[4];
} word_settings[] = {
    {"retraction", {"left", "right", "midpoint"}}, {"momentum", {"projected", "papers"}},
    {"summation", {"compensated", "plain"}},       {"power", {"nodes", "lines"}},
    {"pacing", {"canonical", "plain", "density"}}, {"switches", {"located", "free"}}};

static const char *const *words_of(name key)
{
    for (size_t i = 0; i < sizeof word_settings / sizeof *word_settings; i++)
        if (!strcmp(word_settings[i].key, key)) return word_settings[i].words;
    return NULL;
}

/* The value is a word, read as a name; the message lists what it may be. */
static void resolve_word(resolver *r, const ast_setting *s, const char *const *words)
{
    const ast *a = s->value;
    bool       plain = a && a->kind == AST_PATH && a->steps == 1 && !a->step->n;
    text       list = text_new(r->l->m);
    for (int i = 0; words[i]; i++) {
        if (plain && !strcmp(a->step->word, words[i])) return;
        text_printf(&list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    diag_error(r->ds, DAL_INVALID, a ? a->at : s->at, NULL, "%s is %s", s->key, text_str(&list));
}

/* Settings by the names they have elsewhere. */
static const char *const foreign_settings[][2] = {
    {"dt", "step"},      {"h", "step"},         {"timestep", "step"}, {"time_step", "step"},
    {"t_end", "until"},  {"tend", "until"},     {"t_max", "until"},   {"tmax", "until"},
    {"end", "until"},    {"duration", "until"}, {"to", "until"},      {"t0", "from"},
    {"t_start", "from"}, {"begin", "from"},     {"method", "scheme"}, {"integrator", "scheme"},
    {"N", "steps"},      {"n", "steps"},        {"output", "columns"}};

/* What others call it, else the nearest. */
static const char *setting_meant(const char *word, const char *const *known, int count)
{
    for (size_t i = 0; i < sizeof foreign_settings / sizeof *foreign_settings; i++)
        if (!strcmp(foreign_settings[i][0], word)) return foreign_settings[i][1];
    return name_nearest(word, known, count);
}

/* Said on the command line, or by a program, only: these do not belong to a model. */
static bool is_option(const char *word)
{
    static const char *const options[] = {"solver",   "backend", "threads", "jacobian",
                                          "lyapunov", "monitor", "ledger",  "interconnection"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcmp(options[i], word)) return true;
    return false;
}

/* False: there is no such setting. */
static bool check_key(resolver *r, const ast_simulate *sim, int i)
{
    const ast_setting *s = &sim->setting[i];
    const char        *known[SETTINGS + 1],
        *hint = "settings are principle, scheme, force, retraction, "
                "momentum, summation, step, until, steps, from, record, columns, h_min, "
                "h_max, power, pace, pacing";
    bool found = false;
    for (int k = 0; k < SETTINGS; k++) known[k] = setting_name[k];
    known[SETTINGS] = "columns";
    for (int k = 0; k <= SETTINGS; k++) found |= !strcmp(known[k], s->key);
    const char *near = found ? NULL : setting_meant(s->key, known, SETTINGS + 1);
    if (is_option(s->key))
        hint = mem_printf(r->l->m, "it is said where the model is run: --%s", s->key);
    else if (!strcmp(s->key, "system"))
        hint =
            "the last system in the file is run, or the one named on the command line: run FILE SYSTEM";
    else if (near) hint = mem_printf(r->l->m, "did you mean '%s'?", near);
    if (!found) diag_error(r->ds, DAL_INVALID, s->key_at, hint, "unknown setting '%s'", s->key);
    /* until and steps both say where the run ends */
    for (int k = 0; k < i; k++) {
        name other = sim->setting[k].key;
        bool ends = (!strcmp(s->key, "until") && !strcmp(other, "steps")) ||
                    (!strcmp(s->key, "steps") && !strcmp(other, "until"));
        if (other == s->key && !s->beside)
            diag_error(r->ds, DAL_INVALID, s->key_at, NULL, "'%s' is set twice", s->key);
        if (ends)
            diag_error(r->ds, DAL_INVALID, s->key_at, "remove one of them",
                       "both 'until' and 'steps' say where the run ends");
    }
    return found;
}

/* Columns that are no names of the model. */
static bool is_special_column(const ast *a)
{
    static const char *const words[] = {"t", "energy", "discrete_energy", "h"};
    for (size_t i = 0; a->kind == AST_PATH && a->steps == 1 && i < sizeof words / sizeof *words;
         i++)
        if (!strcmp(a->step->word, words[i])) return true;
    return false;
}

/* n[1], p(R)[3], and R.w, which is a component of the quaternion of R. */
static void resolve_column_component(resolver *r, scope *sc, ast *a, bool of_quaternion)
{
    ast          *of = a->arg[0];
    const bool    of_p = of->kind == AST_CALL;
    const symbol *s = of->kind == AST_COMPONENT ? NULL
                      : of_p                    ? resolve_state(r, sc, of, true, "p(...)")
                                                : resolve_path(r, sc, of, true);
    const double  most = of_quaternion ? 4 : 3, k = a->arg[1]->number;
    if (of->kind == AST_COMPONENT ||
        (s && !of_p && !of_quaternion && symbol_turns(s) == KIND_ROTATION))
        diag_error(r->ds, DAL_INVALID, a->at,
                   "columns of a rotation are R.w, R.x, R.y, R.z; 'output up = R[3][3]' records an "
                   "entry",
                   "entries of a rotation are no columns");
    else if (s && !symbol_turns(s))
        diag_error(r->ds, DAL_INVALID, a->at, mem_printf(r->l->m, "type p(%s[1])", s->word),
                   "'%s' is an array of numbers, of which each has a momentum", s->word);
    else if (s && !(a->arg[1]->kind == AST_NUMBER && k >= 1 && k <= most && k == floor(k)))
        diag_error(r->ds, DAL_INVALID, a->arg[1]->at, "components go from 1 to 3",
                   "there is no such component");
}

/* Special columns are names only as long as the model has not declared them. */
void resolve_column(resolver *r, ast *a)
{
    scope      sc = scope_of(r->l->root->in, r->l->root, PLACE_SETTING);
    const bool quaternion = a->kind == AST_PATH && path_takes_quaternion(r, &sc, a);
    if (quaternion || a->kind == AST_COMPONENT ||
        (a->kind == AST_PATH && path_takes_components(r, &sc, a))) {
        resolve_column_component(r, &sc, a, quaternion);
        return;
    }
    if (a->kind != AST_PATH) {
        resolve_state(r, &sc, a, true, "p(...)");
        return;
    }
    if (is_special_column(a) && !find_in_system(r->l->root, a->step->word, SPACE_VALUES)) return;
    const symbol *s = resolve_path(r, &sc, a, true);
    if (s && (s->kind == SYM_PARAMETER || s->kind == SYM_LET || s->kind > SYM_SYMMETRY ||
              symbol_is_terminal(s)))
        diag_error(
            r->ds, DAL_INVALID, a->at,
            "columns are coordinates, p(...), outputs, inputs, relations, symmetries, energy, or a part",
            "the %s '%s' is not a column", symbol_word[s->kind], s->word);
}

/* With the energy principle the step is a column, called h. */
static void refuse_step_name(resolver *r, const ast_setting *s)
{
    name          h = names_find(r->l->ns, "h", 1);
    const symbol *y = h ? find_in_system(r->l->root, h, SPACE_VALUES) : NULL;
    if (y && !strcmp(s->principle, "energy") &&
        (y->kind == SYM_COORDINATE || y->kind == SYM_OUTPUT || y->kind == SYM_RELATION ||
         y->kind == SYM_SYMMETRY))
        diag_error(r->ds, DAL_INVALID, y->at,
                   "with 'principle = energy' the step is a column of this name",
                   "'h' cannot be the name of %s", symbol_phrase[y->kind]);
}

/* pace = auto, unless something has this name. */
static bool is_auto(resolver *r, const ast *a)
{
    return a->kind == AST_PATH && a->steps == 1 && !a->step->n && !strcmp(a->step->word, "auto") &&
           !find_in_system(r->l->root, a->step->word, SPACE_VALUES);
}

/* Alone among the settings it is a function of the state. */
static void resolve_pace(resolver *r, ast *a)
{
    scope sc = scope_of(r->l->root->in, r->l->root, PLACE_PACE);
    if (!is_auto(r, a)) resolve_number(r, &sc, a);
}

static void resolve_simulate(resolver *r)
{
    const ast_simulate *sim = r->l->simulate;
    for (int i = 0; sim && i < sim->count; i++) {
        const ast_setting *s = &sim->setting[i];
        scope              sc = scope_of(r->l->root->in, r->l->root, PLACE_SETTING);
        const char *const *words = words_of(s->key);
        if (!check_key(r, sim, i)) continue; /* what its value would mean is not known */
        if (s->rule) resolve_rule(r, s->rule);
        if (s->principle) refuse_step_name(r, s);
        if (!strcmp(s->key, "pace")) resolve_pace(r, s->value);
        else if (words) resolve_word(r, s, words);
        else if (s->times) resolve_value(r, &sc, s->value);
        else if (s->value) resolve_number(r, &sc, s->value);
        for (int k = 0; k < s->columns; k++) resolve_column(r, s->column[k]);
    }
}

/* Relations with a name come first: outputs may use them, as a vector if they are one. */
static void resolve_statements(resolver *r, bool named_relations)
{
    for (int i = 0; i < r->l->systems.n; i++) {
        sys *s = r->l->systems.at[i];
        for (int k = 0; k < s->of->count; k++) {
            stmt      *st = s->of->statement[k];
            const bool named = st->right && st->slot.word;
            if (named == named_relations) resolve_statement(r, scope_of(s->in, s, PLACE_LET), st);
        }
    }
}

/* Lets of files, then all statements, then the simulate block; unused names are told only where
 * there are no errors, and only of the file that runs. */
void resolve_all(lang *l, diags *ds)
{
    resolver r = {.l = l, .ds = ds};
    for (int i = 0; i < l->units.n; i++)
        for (int k = 0; k < l->units.at[i]->symbol.n; k++) {
            symbol *s = l->units.at[i]->symbol.at[k];
            if (s->of->slot.extents)
                diag_error(ds, DAL_INVALID, s->at, NULL,
                           "a 'let' outside a system cannot be an array");
            else resolve_definition(&r, &s->def, s->at);
        }
    resolve_statements(&r, true);
    resolve_statements(&r, false);
    if (l->root) refuse_open_terminals(&r, l->root);
    const int before = ds->errors, elsewhere = r.elsewhere;
    if (l->root) resolve_simulate(&r);
    l->local += ds->errors - before - (r.elsewhere - elsewhere);
    if (has_errors(l, ds)) return;
    warn_unused(&r, l->units.at[0]->symbol.at, l->units.at[0]->symbol.n);
    for (int i = 0; i < l->systems.n; i++)
        if (l->systems.at[i]->in == l->units.at[0])
            warn_unused(&r, l->systems.at[i]->symbol.at, l->systems.at[i]->symbol.n);
}
