/* export.c - the header, the beginning, the step and a small program around the text of a step. */
#include "codegen/export.h"

#include "codegen/codegen.h"
#include "codegen/inside.h"
#include "step/embedded.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Words of C and C++ are refused, and what the text itself defines. */
bool export_name_fits(const char *s)
{
    static const char *const taken[] = {
        "main",  "double", "float",  "int",  "long", "short",  "static",   "struct", "real",
        "const", "void",   "return", "for",  "if",   "else",   "do",       "while",  "class",
        "this",  "new",    "delete", "auto", "char", "signed", "unsigned", "union",  "enum"};
    if (!isalpha((unsigned char)*s)) return false;
    for (const char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        if (!strcmp(s, taken[k])) return false;
    return true;
}

/* A name of the model as part of an identifier: what is no letter or digit becomes _. */
static const char *identifier(mem *m, const char *s)
{
    char *word = mem_printf(m, "%s", s);
    for (char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    return word;
}

static bool is_among(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(words[i], word)) return true;
    return false;
}

/* Several names may become the same identifier; the later ones get their number too. */
static const char **identifiers(mem *m, const char *const *list, int count)
{
    const char **words = mem_array(m, count, const char *);
    for (int k = 0; k < count; k++) words[k] = identifier(m, list[k]);
    for (int k = 1; k < count; k++) {
        const char *word = words[k];
        if (!is_among(words, k, word)) continue;
        while (is_among(words, count, word)) word = mem_printf(m, "%s_%d", word, k);
        words[k] = word;
    }
    return words;
}

/* Octal escapes for all that might end the string or make a trigraph. */
static void add_literal(text *t, const char *s)
{
    text_add(t, "\"");
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\' || c == '?' || !isprint(c)) text_printf(t, "\\%03o", (unsigned)c);
        else text_add_bytes(t, s, 1);
    }
    text_add(t, "\"");
}

/* enum { NAME_q_x = 0, ... }: places of members by their names, of those that have one. */
static void add_places(mem *m, text *t, const export_facts *x, const char *kind,
                       const char *const *list, int count)
{
    const char **named = mem_array(m, count + 1, const char *);
    int          n = 0, *at = mem_array(m, count + 1, int);
    for (int k = 0; k < count; k++)
        if (list[k]) named[n] = list[k], at[n++] = k;
    const char **word = identifiers(m, named, n);
    for (int k = 0; k < n; k++)
        text_printf(t, "%s %s_%s_%s = %d", k ? "," : "enum {", x->name, kind, word[k], at[k]);
    if (n) text_add(t, " };\n");
}

/* Inputs that the caller sets. */
static const char *const *settable(mem *m, const export_facts *x)
{
    const char **list = mem_array(m, x->inputs + 1, const char *);
    for (int k = 0; k < x->inputs; k++) list[k] = x->bound[k] ? NULL : x->input[k];
    return list;
}

/* C has no arrays of length 0. */
static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

static const char *real_of(const export_facts *x)
{
    return x->single ? "float" : "double";
}

/* The same members as step_bent of mech/stepper/compiled_step.h. */
static void write_ends(const stepper *st, const export_facts *x, text *t)
{
    const bent_moves *b = st->massless.bent;
    text_printf(
        t,
        "typedef struct {\n    %s v[%d], lam[%d], sigma[%d]; /* at the last grid point */\n"
        "    %s ends[%d], stride; /* of the last steps */\n    int known[%d];\n} %s_ends;\n\n",
        real_of(x), b->n, at_least_one(b->inner), at_least_one(b->stiff), real_of(x),
        HISTORY_MOST * b->end.size * st->sch.substeps, st->sch.substeps, x->name);
}

/* The struct of a state: what step/state.h and the files after it find in a step_state. */
static void write_state(const stepper *st, const export_facts *x, text *t)
{
    const char *r = real_of(x), *s = x->name;
    const int   n = st->sys->n, sub = st->sch.substeps, N = st->eq.size, width = st->turn.width;
    if (st->energy) export_balance_type(x, t);
    if (st->massless.bent) write_ends(st, x, t);
    text_printf(t, "typedef struct {\n    %s from, h; /* %s */\n    long k;\n", r,
                st->energy ? "where the next step begins; the length of the first"
                           : "the next step begins at from + k h");
    text_printf(t,
                "    %s q[%d], p[%d]; /* positions and momenta, */\n"
                "    %s q_low[%d], p_low[%d]; /* and their rounding errors */\n",
                r, width, width, r, width, width);
    text_printf(t,
                "    %s par[%d]; /* parameters: may be set between steps */\n"
                "    %s u[%d]; /* inputs: constant over a step */\n",
                r, at_least_one(x->parameters), r, at_least_one(x->inputs));
    text_printf(
        t, "    %s v[%d]; /* velocities at the start, from which the first step is predicted */\n",
        r, n);
    text_printf(t, "    %s history[%d]; /* solutions of the last steps */\n    int known[%d];\n", r,
                HISTORY_MOST * N * sub, sub);
    if (st->massless.ends.fits)
        text_printf(t, "    %s moved[%d]; /* along directions without inertia */\n", r,
                    ENDS_HISTORY * n * sub);
    if (st->massless.bent)
        text_printf(t, "    %s_ends bent; /* directions without inertia that bend */\n", s);
    text_printf(t,
                "    %s work, last_work; /* of the forces */\n    long iterations, factored;\n"
                "    int most;\n    long fixed_point;\n    int most_fixed_point;\n",
                r);
    if (st->energy) text_printf(t, "    %s_balance balance;\n", s);
    text_printf(t, "} %s_state;\n\n", s);
}

static void write_prototypes(const stepper *st, const export_facts *x, text *t)
{
    const char *r = real_of(x), *s = x->name;
    text_printf(t,
                "void %s_init(%s_state *s); /* at the start that was exported */\n\n"
                "/* After q, p or v were set by hand: forgets what they were before. */\n"
                "void %s_restart(%s_state *s);\n\n"
                "/* One step. Not 0: %s, and s is unchanged. */\n"
                "int %s_step(%s_state *s);\n\n",
                s, s, s, s,
                st->energy ? "the energy does not clearly determine its length"
                           : "Newton's iteration did not converge",
                s, s);
    text_printf(
        t,
        "%s %s_time(const %s_state *s);\n"
        "%s %s_energy(const %s_state *s); /* NaN: it is not determined */\n"
        "int %s_velocities(const %s_state *s, %s *v); /* of q; not 0: not all are determined */\n"
        "void %s_positions(const %s_state *s, %s *x); /* of all coordinates of the model */\n"
        "const char *%s_name(int coordinate); /* of the model */\n\n",
        r, s, s, r, s, s, s, s, r, s, s, r, s);
    if (x->outputs)
        text_printf(t,
                    "/* Outputs of the model. Not 0: what they contain is not determined; NaN. */\n"
                    "int %s_outputs(const %s_state *s, %s *out);\n\n",
                    s, s, r);
    if (x->relations)
        text_printf(t,
                    "/* Reactions of the relations of the model. Not 0: not determined; NaN. */\n"
                    "int %s_reactions(const %s_state *s, %s *lam);\n\n",
                    s, s, r);
}

/* Where matrices and quaternions begin in q. */
static void add_rotations(const stepper *st, const export_facts *x, text *t)
{
    const turning *of = st->sys->turns;
    const char   **word = identifiers(st->m, x->rotation, of->count);
    const int      matrices = st->sys->n, quaternions = matrices + TURNING_MATRIX * of->count;
    text_add(
        t,
        "/* A rotation has three places: 0 in q, its spin in v and its momentum in p, both in body axes. Behind these\n"
        " * stand its matrix, by rows, and its quaternion in q, from here on, and momenta in space axes in p. To turn\n"
        " * it by hand, set the quaternion and restart. */\n");
    for (int k = 0; k < of->count; k++)
        text_printf(t, "enum { %s_matrix_%s = %d, %s_quaternion_%s = %d };\n", x->name, word[k],
                    matrices + TURNING_MATRIX * k, x->name, word[k],
                    quaternions + TURNING_QUATERNION * k);
}

static void write_header(mem *m, const stepper *st, const export_facts *x, text *t)
{
    const char *s = x->name;
    text_printf(
        t,
        "/* %s.h - steps of the system %s by %s, written by dalembert " DAL_VERSION ".\n *\n"
        " *     %s_state s;\n *     %s_init(&s);\n *     while (!%s_step(&s)) use(s.q);\n *\n"
        " * No memory is allocated and nothing is global: a state is all there is. */\n"
        "#ifndef DALEMBERT_%s_H\n#define DALEMBERT_%s_H\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
        s, x->system, x->scheme, s, s, s, s, s);
    text_add(
        t,
        "/* Places in q and p, par and u, and in what positions, outputs and reactions give. */\n");
    add_places(m, t, x, "q", x->unknown, st->sys->n);
    add_places(m, t, x, "par", x->parameter, x->parameters);
    add_places(m, t, x, "u", settable(m, x), x->inputs);
    add_places(m, t, x, "at", x->position, x->positions);
    add_places(m, t, x, "out", x->output, x->outputs);
    add_places(m, t, x, "lam", x->relation, x->relations);
    if (st->sys->turns) add_rotations(st, x, t);
    text_printf(t, "enum { %s_coordinates = %d };\n", s, x->positions);
    if (x->outputs) text_printf(t, "enum { %s_output_count = %d };\n", s, x->outputs);
    if (x->relations) text_printf(t, "enum { %s_reaction_count = %d };\n", s, x->relations);
    text_add(t, "\n");
    write_state(st, x, t);
    write_prototypes(st, x, t);
    text_printf(t, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

/* A file of src/step; what begins with NAME_ there begins with the stepper's name. */
static const char *for_stepper(mem *m, const char *file, const char *title)
{
    static const char word[] = "NAME_";
    text              t = text_new(m);
    const char       *at = step_text(file), *next;
    for (; (next = strstr(at, word)); at = next + strlen(word))
        text_add_bytes(&t, at, (size_t)(next - at)), text_printf(&t, "%s_", title);
    text_add(&t, at);
    return text_str(&t);
}

void verbatim_named(codegen *f, const char *file, const char *title)
{
    text_printf(&f->w.out, "\n%s", for_stepper(f->w.m, file, title));
}

/* The state that was exported, as tables that NAME_init copies. */
static void write_start(codegen *f, const export_facts *x)
{
    text *t = &f->w.out;
    write_table(&f->w, "START_Q", x->q, f->st->turn.width);
    write_table(&f->w, "START_P", x->p, f->st->turn.width);
    write_table(&f->w, "START_V", x->v, f->n);
    const bent_moves *b = f->st->massless.bent;
    if (b) {
        write_table(&f->w, "START_END", b->v, f->n);
        write_table(&f->w, "START_LAM", b->lam, at_least_one(b->inner));
    }
    write_table(&f->w, "START_PAR", x->par, x->parameters);
    write_table(&f->w, "START_U", x->u, x->inputs);
    text_printf(t, "#define START %s\n#define LENGTH %s\n", write_number(&f->w, x->from),
                write_number(&f->w, x->h));
    text_printf(t, "#define PARAMETERS %d\n#define INPUTS %d\n", at_least_one(x->parameters),
                at_least_one(x->inputs));
    if (f->energy) text_add(t, export_bounds(f->w.m, f->st));
}

/*     x_i = POSITION_SLOPE[i] q[POSITION_OF[i]] + POSITION_OFFSET[i] where ties were eliminated */
static void write_positions(codegen *f, const export_facts *x)
{
    text *t = &f->w.out;
    int  *of = mem_array(f->w.m, x->coordinates, int);
    text_printf(t, "#define MODEL_COORDINATES %d\n#define POSITIONS %d\n#define REDUCED %d\n",
                x->coordinates, x->positions, x->z != NULL);
    if (x->place) write_indices(&f->w, "POSITION_AT", x->place, x->positions);
    if (x->z) {
        for (int i = 0; i < x->coordinates; i++) of[i] = x->z[i] < 0 ? 0 : x->z[i];
        write_indices(&f->w, "POSITION_OF", of, x->coordinates);
        write_table(&f->w, "POSITION_SLOPE", x->slope, x->coordinates);
        write_table(&f->w, "POSITION_OFFSET", x->offset, x->coordinates);
    }
    text_add(t, "static const char *const TITLES[] = {");
    for (int i = 0; i < x->positions; i++)
        text_add(t, i ? ", " : ""), add_literal(t, x->position[i]);
    text_add(t, "};\n");
}

/* A program around the stepper, for those who want to see it run first. */
static void write_program(mem *m, bool energy, const export_facts *x, text *t)
{
    text_printf(t,
                "/* %s_main.c - runs %s and prints its positions and energy: "
                "main [STEPS [EVERY]] */\n"
                "#include \"%s.h\"\n\n#include <stdio.h>\n#include <stdlib.h>\n\n",
                x->name, x->system, x->name);
    text_printf(t, "#define REAL %s\n#define DIGITS %d\n#define STEPS %ld\n", real_of(x),
                x->single ? 9 : 17, x->steps < 0 ? 1000 : x->steps);
    text_printf(t, "#define GOES_ON (%s)\n#define FAILED \"%s\"\n\n", export_goes_on(m, x),
                energy ? "is not clearly determined" : "does not converge; a smaller step may");
    text_add(t, for_stepper(m, "exported_main.h", x->name));
}

/* source, header and program are appended to; on failure they are of no use. */
bool export_write(mem *m, const stepper *st, const compiled *c, const export_facts *x,
                  export_texts *out, text *why)
{
    const char     *state = mem_printf(m, "%s_state", x->name);
    codegen_options o = {.single = x->single,
                         .backward = x->h < 0,
                         .exported = true,
                         .state = state,
                         .whole = x->coordinates + x->relations};
    codegen         f = {.w = {.m = m, .out = text_new(m), .single = x->single},
                         .st = st,
                         .eq = &st->eq,
                         .n = st->sys->n,
                         .N = st->eq.size,
                         .relations = st->eq.relations,
                         .energy = st->energy,
                         .state = state};
    if (st->energy && x->single)
        return text_add(why, "the energy principle needs double precision: roundoff of float, "
                             "times the condition of its steps, would decide them"),
               false;
    text_printf(
        &out->source,
        "/* %s.c - see %s.h. The unknowns of a step are the increments of its curve; "
        "Newton's iteration goes\n"
        " * on until the error that is left is below roundoff. Compile without contraction\n"
        " * (-ffp-contract=off) for the same bits as dalembert's own run. */\n"
        "#include \"%s.h\"\n\n#include <math.h>\n\n",
        x->name, x->name, x->name);
    if (st->energy) text_printf(&out->source, "typedef %s_balance step_energy;\n", x->name);
    if (st->massless.bent) text_printf(&out->source, "typedef %s_ends step_bent;\n", x->name);
    if (!codegen_write(m, st, c, &o, &out->source, why)) return false;
    write_start(&f, x), write_positions(&f, x);
    verbatim_named(&f, "exported.h", x->name);
    if (!end_write(&f, c, x->name) || ((x->outputs || x->relations) && !observed_write(&f, x)))
        return text_printf(why, "its expressions are too large to be written out"), false;
    const char *body = text_str(&f.w.out);
    f.w.out = text_new(m);
    write_finish(&f.w, body);
    text_add(&out->source, text_str(&f.w.out));
    write_header(m, st, x, &out->header);
    write_program(m, st->energy, x, &out->program);
    return true;
}
