/* codegen.c - plans the code of a step for a system and a scheme: sizes, sample points, and which
 * entries are evaluated where. */
#include "codegen/codegen.h"

#include "codegen/inside.h"
#include "codegen/turning.h"
#include "kernel/emit_c.h"
#include "step/embedded.h"

/* Beyond this many unknowns a dense matrix no longer pays. */
enum { UNKNOWNS_MOST = SHIFTED_MOST };

enum {
    NODES_MOST = 400000,     /* of the expressions of the system                 */
    OPERATIONS_MOST = 12000, /* of all programs: compilers are slow beyond       */
    LONGEST_FORWARD = 3000,  /* operations of one that is differentiated         */
    NEWTON_FULL_MOST = 2,    /* unknowns up to which a new Jacobian costs little */
    ONE_PIECE_MOST = 4       /* unknowns of a step that is best compiled in one  */
};

/* Is an entry of relations wanted at the points of a set? Of those that act inside a step, which
 * hold at the Gauss points too, none is at the nodes. */
static bool is_taken_at(const codegen *f, point_set set, const field_root *r)
{
    const bool of_relation =
        r->of == FIELD_A || r->of == FIELD_G || r->of == FIELD_E || r->of == FIELD_EQ;
    const bool inside = of_relation && acts_inside(f->eq, r->row);
    if (r->of == FIELD_CURV) return set == AT_GAUSS ? f->eq->inside != NULL : f->d > 1;
    if (set == AT_CONTROL) return !inside;
    if (set != AT_GAUSS) return true;
    return r->row < f->m ? r->of != FIELD_G : inside && (r->of == FIELD_A || r->of == FIELD_G);
}

/* Which entries a program at the points of a set has: values always, second derivatives only for
 * the Jacobian and only if they vary; the others are in f->constant. */
static void choose_roots(codegen *f, point_set set, bool second, program *p)
{
    enum { WANTED_MOST = 12 };
    static const struct {
        field_name of;
        bool       entry; /* of the Jacobian only */
    } wanted[SETS][WANTED_MOST] = {
        [AT_RULE] = {{FIELD_LQ, 0},
                     {FIELD_LW, 0},
                     {FIELD_F, 0},
                     {FIELD_LQQ, 1},
                     {FIELD_LQW, 1},
                     {FIELD_LWW, 1},
                     {FIELD_FQ, 1},
                     {FIELD_FW, 1},
                     {FIELD_D, 0},
                     {FIELD_DQ, 1},
                     {FIELD_DW, 1}},
        [AT_FORCE] = {{FIELD_F, 0}, {FIELD_FQ, 1}, {FIELD_FW, 1}},
        [AT_CONTROL] = {{FIELD_A, 0}, {FIELD_G, 0}, {FIELD_CURV, 1}},
        [AT_GAUSS] = {{FIELD_E, 0}, {FIELD_A, 1}, {FIELD_EQ, 1}, {FIELD_G, 0}, {FIELD_CURV, 1}},
    };
    for (int k = 0; k < f->f->roots; k++) {
        const field_root *r = &f->f->root[k];
        const bool        of_f =
            r->of == FIELD_F || r->of == FIELD_FT || r->of == FIELD_FQ || r->of == FIELD_FW;
        if (set == AT_RULE && of_f && !f->here) continue;
        if (!is_taken_at(f, set, r)) continue;
        if (set == AT_GAUSS && r->of == FIELD_A && acts_inside(f->eq, r->row)) {
            program_add(f, p, r); /* its reaction is part of the residual */
            continue;
        }
        if (f->energy && border_wants(f, set, r, second)) program_add(f, p, r);
        for (int a = 0; a < WANTED_MOST && (a == 0 || wanted[set][a].of); a++)
            if (wanted[set][a].of == r->of &&
                (!wanted[set][a].entry || (second && (r->varies || turning_entry(f, r)))))
                program_add(f, p, r);
    }
}

/* Second derivatives that some row of the Jacobian is made of. */
static bool enters_jacobian(const codegen *f, const field_root *r)
{
    static const uint8_t does[FIELDS] = {
        [FIELD_LQQ] = 1, [FIELD_LQW] = 1, [FIELD_LWW] = 1,  [FIELD_FQ] = 1, [FIELD_FW] = 1,
        [FIELD_A] = 1,   [FIELD_EQ] = 1,  [FIELD_CURV] = 1, [FIELD_DQ] = 1, [FIELD_DW] = 1};
    if (r->of == FIELD_CURV && f->d == 1 && !f->eq->inside) return false;
    if (r->of == FIELD_EQ && r->row >= f->m) return false;
    if (turning_entry(f, r)) return false; /* these are not added as they are */
    return does[r->of];
}

/* Lanes for the points of a set: whole vectors, where the program can use them. */
static int lanes_for(int points, bool calls, bool single)
{
    const int width = single ? 8 : 4;
    return points == 1 || calls ? points : (points + width - 1) / width * width;
}

static void make_programs(codegen *f)
{
    static const char *const title[SETS][2] = {{"rule", "rule_second"},
                                               {"force", "force_second"},
                                               {"control", "control_second"},
                                               {"gauss", "gauss_second"}};
    /* programs [0] for the residual, [1] with what the Jacobian needs besides */
    for (point_set set = 0; set < SETS; set++) {
        if (!f->points[set]) continue;
        for (int second = 0; second < 2; second++) {
            program *p = &f->of[set][second];
            program_init(f, p, title[set][second], f->points[set]);
            choose_roots(f, set, second, p);
            program_make(f, p);
        }
        /* both programs of a set have the same lanes, so that they share its tables */
        int lanes =
            f->members || turning_count(f) ? f->points[set]
            : explicit_is_written(&f->st->explicitly)
                ? 1
                : lanes_for(f->points[set], f->of[set][1].calls || set == AT_CONTROL, f->w.single);
        f->of[set][0].lanes = f->of[set][1].lanes = lanes;
    }
    program_init(f, &f->constant, "constant_entries", 1);
    f->linear = !f->eq->sys->jumps && !turning_count(f);
    for (int k = 0; k < f->f->roots; k++) {
        const field_root *r = &f->f->root[k];
        if (!enters_jacobian(f, r)) continue;
        if (r->varies) f->linear = false;
        else program_add(f, &f->constant, r);
    }
    program_make(f, &f->constant);
    f->linear &= !f->energy; /* with every length it is another one */
    /* what varies stands at positions that are known; step.c predicts nothing then */
    f->linear |= f->eq->constant && f->eq->diagonal;
}

/* Where Newton's iteration is the exception, only what comes before it is written for speed. */
static void sort_programs(codegen *f)
{
    for (point_set set = 0; set < SETS && iterates_first(f); set++)
        for (int second = 0; second < 2; second++)
            f->of[set][second].seldom = f->by_rates || set != AT_RULE || second;
}

/* The program of the residual serves for both. */
static void forward_instead(codegen *f)
{
    program *rule = f->of[AT_RULE];
    f->operations -= rule[1].k->instructions;
    f->operations += rule[0].k->instructions;
    /* sines one by one */
    if (!f->by_rates && angles_fit(f, rule)) rule[0].lanes = f->points[AT_RULE];
    rule[1] = rule[0];
    f->forward = true;
}

/* True: the step is not written, and why says for what reason. */
static bool refuse(const stepper *st, const codegen *f, text *why)
{
    if (f->energy && f->members) text_add(why, "the energy principle chooses its steps");
    else if (f->energy && (f->eq->phase || f->eq->relations || st->energy->lines))
        text_add(why, "the energy principle is written out without Hamiltonian coordinates, "
                      "relations and power = lines");
    else if (f->eq->shot && (f->members || f->exported))
        text_add(why, "its curve is shot, not a polynomial");
    else if (st->massless
                 .singular) /* what is left of a pivot may be roundoff; step.c finds that out */
        text_add(why, "its equations are singular along a direction without inertia; use gauss(s)");
    else if (st->massless.bent && f->members)
        text_add(why, "along directions without inertia that bend members are stepped one by one");
    else if (st->massless.bent && (f->eq->phase || f->damped || f->eq->upwind.states))
        text_add(why, "directions without inertia bend beside Hamiltonian coordinates, damping or "
                      "states; written as Lagrangian coordinates and forces they are written out");
    else if (stepper_projects(st) && !st->massless.bent &&
             (f->members || f->energy ||
              (!stepper_projects_plainly(st) && (f->exported || st->massless.ends.fits))))
        text_add(why, "along directions without inertia that turn, or move with others, every step "
                      "has to be projected");
    else if (turning_count(f) && f->members)
        text_add(why, "rotations and directions are stepped one by one");
    else if (turning_count(f) && (f->phase || st->sys->damped || st->sys->state ||
                                  stepper_projects(st)))
        text_printf(why,
                    "it has rotations or directions beside %s, which the general engine solves",
                    f->phase          ? "Hamiltonian coordinates"
                    : st->sys->damped ? "damping"
                    : st->sys->state  ? "states"
                                      : "directions without inertia");
    else if (st->sys->inputs_move)
        text_add(why, "a holonomic relation holds an input, whose rate is not written out");
    else if (f->eq->redundant)
        text_add(why, "some of its relations follow from others, which the general engine solves");
    else if (f->N > UNKNOWNS_MOST)
        text_printf(why, "a step has %d unknowns; up to %d are written out", f->N, UNKNOWNS_MOST);
    else return false;
    return true;
}

/* As it stands in src/step, comments included. */
void verbatim(codegen *f, const char *file)
{
    const char *data = step_text(file);
    for (int k = 0; k < f->carried.n; k++)
        if (f->carried.at[k] == data) return;
    vec_push(f->w.m, f->carried, data);
    text_printf(&f->w.out, "%s\n", data);
}

static bool is_watched(const codegen *f)
{
    return !f->exported && !f->energy;
}

/* The same members as in mech/stepper/roughest.h. */
void roughest_write(codegen *f)
{
    if (!is_watched(f)) return;
    text_add(&f->w.out, "typedef struct roughness {\n"
                        "real *sum, *weight, *z, *p, *from, *t, *most, *known, *seen;\n"
                        "long noted;\n} roughness;\n\n");
    verbatim(f, "roughest.h");
}

/* Unknowns of the largest system that step/complete_pivots.h solves. */
static int most_pivots(const codegen *f)
{
    const int node = f->n + f->relations, end = bent_unknowns(f);
    const int most = node > end ? node : end;
    return f->whole > most ? f->whole : most;
}

/* What the files of src/step know of the system. */
static void sizes_write(codegen *f)
{
    const struct {
        const char *word;
        int         size;
    } of[] = {{"N", f->N}, /* unknowns */
              {"COORDINATES", f->n},
              {"ROTATIONS", turning_count(f)},
              {"WIDTH", turning_width(f->eq->sys->turns, f->n)}, /* numbers of q in a state */
              {"M", f->n + f->relations},                        /* unknowns at a grid point */
              {"PIVOTS", most_pivots(f)},
              {"DEGREE", f->d},
              {"FIRST_MULTIPLIER", f->eq->lam},
              {"FIRST_MOMENTUM", f->eq->P},
              {"CONSTANT", f->linear}, /* the Jacobian is */
              {"DIAGONAL", is_direct(f)},
              {"KEPT", f->frozen},
              {"ITERATED_FIRST", iterates_first(f)},
              {"PLAIN", f->plain},
              {"BY_ENERGY", f->energy},
              {"SYMMETRIC_PROJECTION", f->st->massless.ends.fits},
              {"BENT", f->st->massless.bent != NULL},
              {"SHOT", shooting_lanes(f)}, /* points of a curve that is shot */
              {"BY_ITSELF", 1},
              {"BY_STEPPER", 2},
              {"PROJECTS", !projects_after(f)                ? 0
                           : stepper_projects_plainly(f->st) ? 1
                                                             : 2},
              {"FOLLOWED", inputs_numbers(f)},
              {"U_AT_START", inputs_at_end(f, false)},
              {"U_AT_END", inputs_at_end(f, true)},
              {"SUBSTEPS", f->st->sch.substeps},
              {"BACKWARD", f->side},
              {"ONE_PIECE", f->one_piece},
              {"WATCHED", is_watched(f)},
              {"EXPORTED", f->exported}};
    text_printf(&f->w.out, "#define STATE %s\n#define ENTRY %s\n", f->state,
                f->exported ? "static" : "");
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        write_size(&f->w, of[k].word, of[k].size);
    text_add(&f->w.out, "\n");
}

/* The words on which the files of src/step are built, and which functions are inlined. */
static void prologue(codegen *f)
{
    static const char restrict_text[] =
        "#ifdef __cplusplus\n#define RESTRICT\n#else\n#define RESTRICT restrict\n"
        "#endif\n";
    /* some of turning.h are not used where there is no torque, or the middle is the only point */
    static const char whole_text[] =
        "#ifdef __GNUC__\n#define PIECE static inline __attribute__((unused))\n#else\n"
        "#define PIECE static inline\n#endif\n";
    static const char apart_text[] =
        "#ifdef __GNUC__\n#define PIECE static __attribute__((noinline, unused))\n#else\n"
        "#define PIECE static\n#endif\n";
    /* Rarely executed code is kept out of line, which makes compilation faster. In a step of a
     * single function it stays inline unless it is RARE: passing the address of a local variable
     * would force it into memory. */
    static const char rare_text[] =
        "#ifdef __GNUC__\n#define RARE static __attribute__((noinline, cold))\n"
        "#define WITHIN static inline __attribute__((always_inline, unused))\n#else\n"
        "#define RARE static\n#define WITHIN static inline\n#endif\n";
    text_add(&f->w.out, EMIT_C_ROUNDED);
    text_printf(&f->w.out, "typedef %s number;\n%s", f->w.single ? "float" : "double",
                restrict_text);
    text_add(&f->w.out, f->one_piece ? whole_text : apart_text);
    text_add(&f->w.out, rare_text);
    text_printf(&f->w.out, "#define SELDOM %s\n", f->one_piece ? "static inline" : "RARE");
    text_printf(&f->w.out, "#define ABS %s\n#define HUGE_VALUE %s\n",
                f->members    ? "size_of"
                : f->w.single ? "fabsf"
                              : "fabs",
                f->w.single ? "HUGE_VALF" : "HUGE_VAL");
    sizes_write(f);
    verbatim(f, "numbers.h");
    if (f->members) lanes_write(f);
    else verbatim(f, "one.h");
}

/* Declares functions without <math.h>, whose parsing takes a compiler as long as all the rest. */
static const char native_functions[] =
    "double fabs(double), floor(double), sqrt(double), exp(double), log(double), sin(double),\n"
    "    cos(double), tan(double), asin(double), acos(double), atan(double), sinh(double),\n"
    "    cosh(double), tanh(double), pow(double, double), atan2(double, double);\n"
    "#define HUGE_VAL (1e300 * 1e300)\n\n";

/* Constant inputs are read from the state; only what the expressions hold counts. */
static bool has_inputs(const fields *f)
{
    for (int k = 0; k < f->variables; k++)
        if (f->variable[k].from == READ_INPUT) return true;
    return false;
}

/* Do relations act at the nodes of the curve? */
static bool has_nodes(const equations *eq)
{
    for (int a = 0; a < eq->relations; a++)
        if (!acts_inside(eq, a)) return true;
    return false;
}

bool codegen_write(mem *m, const stepper *st, const compiled *c, const codegen_options *o,
                   text *out, text *why)
{
    const equations *eq = &st->eq;
    codegen          f = {.w = {.m = m, .out = text_new(m), .single = o->single},
                          .st = st,
                          .eq = eq,
                          .n = eq->n,
                          .d = eq->shot ? 1 : eq->d,
                          .m = eq->m,
                          .relations = eq->relations,
                          .phase = eq->phase,
                          .N = eq->size,
                          .side = o->backward,
                          .forced = st->sys->forced,
                          .damped = eq->c.d != NULL,
                          .energy = st->energy,
                          .plain = st->options.plain_summation,
                          .exported = o->exported,
                          .whole = o->whole,
                          .members = o->members,
                          .state = o->members ? "lane_state"
                                   : o->state ? o->state
                                              : "step_state"};
    if (refuse(st, &f, why)) return false;
    /* f.here: forces are sampled with L, unless they have a rule of their own */
    f.here = f.forced && !eq->force.count;
    f.points[AT_RULE] = eq->rule.count, f.points[AT_FORCE] = eq->force.count;
    f.points[AT_CONTROL] = has_nodes(eq) ? eq->d + 1 : 0;
    f.points[AT_GAUSS] = eq->m || eq->inside ? eq->d : 0;
    f.f = fields_new(m, c, NODES_MOST);
    if (!f.f) return text_printf(why, "its expressions are too large to be written out"), false;
    f.follows = o->follows && has_inputs(f.f);
    if (eq->shot && !shooting_prepare(&f, why)) return false;
    if (!eq->shot) make_programs(&f);
    /* at most one of both is tried before Newton's iteration */
    const bool tries =
        !eq->shot && !o->members && !f.energy && !turning_count(&f) && !st->massless.bent;
    f.fixed_point = tries && fixed_point_fits(&f);
    f.by_rates = tries && !f.fixed_point && simplified_newton_fits(&f);
    sort_programs(&f);
    if (!eq->shot && !f.energy && !turning_count(&f) && forward_pays(&f)) forward_instead(&f);
    /* a matrix of one or two unknowns is made anew each time, as that costs nothing; so is one of
     * rotations: what a kept one leaves has the same sign in every step of a steady turn */
    f.frozen = eq->shot || (f.N > NEWTON_FULL_MOST && !f.energy && !turning_count(&f));
    /* a long program that is differentiated counts fourfold: its derivatives are written too */
    if (f.forward && f.of[AT_RULE][0].k->instructions > LONGEST_FORWARD) f.operations *= 4;
    if (f.operations > OPERATIONS_MOST)
        return text_printf(why, "a step has %d operations; up to %d are written out", f.operations,
                           OPERATIONS_MOST),
               false;
    f.one_piece = f.N <= ONE_PIECE_MOST;
    if (o->members && !lanes_fit(&f))
        return text_printf(why, "a step is too large to be written out for many members"), false;
    if (!o->exported) text_add(&f.w.out, native_functions);
    if (!o->exported && !o->members) {
        verbatim(&f, "passed.h");
        text_add(&f.w.out, "long compiled_steps(step_state *s, long count);\n\n");
    }
    prologue(&f);
    if (explicit_is_written(&st->explicitly) && !o->members) explicit_write(&f);
    else steps_write(&f);
    /* names of functions are exchanged in the whole text at the end */
    const char *body = text_str(&f.w.out);
    f.w.out = text_new(m);
    write_finish(&f.w, body);
    text_add(out, text_str(&f.w.out));
    return true;
}
