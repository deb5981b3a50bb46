/* export.c - the header, the beginning, the step and a small program around the text of a step. */
#include "fuse/export.h"

#include "fuse/fuse.h"
#include "fuse/inside.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

static void add_places(mem *m, text *t, const export_facts *x, const char *kind,
                       const char *const *list, int count)
{
    const char **word = identifiers(m, list, count);
    for (int k = 0; k < count; k++)
        text_printf(t, "%s %s_%s_%s = %d", k ? "," : "enum {", x->name, kind, word[k], k);
    if (count) text_add(t, " };\n");
}

static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

static const char *real_of(const export_facts *x)
{
    return x->single ? "float" : "double";
}

static void write_state(const stepper *st, const export_facts *x, text *t)
{
    const char *r = real_of(x), *s = x->name;
    const int   n = st->sys->n, sub = st->sch.substeps, N = st->eq.size;
    if (st->energy) export_balance_type(x, t);
    text_printf(t, "typedef struct {\n    %s from, h; /* %s */\n    long k;\n", r,
                st->energy ? "where the next step begins; the length of the first"
                           : "the next step begins at from + k h");
    text_printf(t,
                "    %s q[%d], p[%d]; /* positions and momenta, */\n"
                "    %s q_low[%d], p_low[%d]; /* and what rounding took from them */\n",
                r, n, n, r, n, n);
    text_printf(t,
                "    %s par[%d]; /* parameters: may be set between steps */\n"
                "    %s u[%d]; /* inputs: held over a step */\n",
                r, at_least_one(x->parameters), r, at_least_one(x->inputs));
    text_printf(
        t, "    %s v[%d]; /* velocities at the start, from which the first step is predicted */\n",
        r, n);
    text_printf(t, "    %s past[%d]; /* solutions of the last steps */\n    int known[%d];\n", r,
                PAST_MOST * N * sub, sub);
    if (st->massless.ends.fits)
        text_printf(t, "    %s moved[%d]; /* along directions without inertia */\n", r,
                    ENDS_PAST * n * sub);
    text_printf(t,
                "    %s work, last_work; /* of the forces */\n    long iterations, factored;\n"
                "    int most;\n    long sweeps;\n    int most_sweeps;\n",
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
                st->energy ? "the energy does not decide it beyond doubt"
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
    text_add(t, "/* Places in q and p, par and u, and in what positions gives. */\n");
    add_places(m, t, x, "q", x->unknown, st->sys->n);
    add_places(m, t, x, "par", x->parameter, x->parameters);
    add_places(m, t, x, "u", x->input, x->inputs);
    add_places(m, t, x, "at", x->coordinate, x->coordinates);
    text_printf(t, "enum { %s_coordinates = %d };\n\n", s, x->coordinates);
    write_state(st, x, t);
    write_prototypes(st, x, t);
    text_printf(t, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void write_values(fusing *f, const char *array, const double *x, int count)
{
    for (int k = 0; k < count; k++)
        text_printf(&f->w.out, "    s->%s[%d] = %s;\n", array, k, write_number(&f->w, x[k]));
}

static void write_init(fusing *f, const export_facts *x)
{
    text       *t = &f->w.out;
    const char *s = x->name;
    text_printf(t, "\nvoid %s_restart(%s_state *s)\n{\n", s, s);
    text_printf(t,
                "    for (int k = 0; k < %d; k++) {\n        s->q_low[k] = 0;\n"
                "        s->p_low[k] = 0;\n    }\n",
                f->n);
    text_printf(t, "    for (int k = 0; k < %d; k++) s->known[k] = 0;\n", f->st->sch.substeps);
    if (f->st->massless.ends.fits)
        text_printf(t, "    for (int k = 0; k < %d; k++) s->moved[k] = 0;\n",
                    ENDS_PAST * f->n * f->st->sch.substeps);
    text_printf(t, "    for (int k = 0; k < %d; k++) s->past[k] = 0;\n%s}\n",
                PAST_MOST * f->N * f->st->sch.substeps,
                f->energy ? "    for (int k = 0; k < 6; k++) s->balance.h[k] = 0;\n" : "");
    text_printf(
        t, "\nvoid %s_init(%s_state *s)\n{\n    s->from = %s;\n    s->h = %s;\n    s->k = 0;\n", s,
        s, write_number(&f->w, x->from), write_number(&f->w, x->h));
    write_values(f, "q", x->q, f->n);
    write_values(f, "p", x->p, f->n);
    write_values(f, "v", x->v, f->n);
    write_values(f, "par", x->par, x->parameters);
    write_values(f, "u", x->u, x->inputs);
    if (!x->parameters) text_add(t, "    s->par[0] = 0;\n");
    if (!x->inputs) text_add(t, "    s->u[0] = 0;\n");
    text_printf(t,
                "    s->work = 0;\n    s->last_work = 0;\n    s->iterations = 0;\n"
                "    s->factored = 0;\n    s->most = 0;\n    s->sweeps = 0;\n"
                "    s->most_sweeps = 0;\n%s    %s_restart(s);\n}\n",
                f->energy ? export_balance_init(f->w.m, f->st) : "", s);
    text_printf(t, "\nint %s_step(%s_state *s)\n{\n    return fused_steps(s, 1) == 1 ? 0 : 1;\n}\n",
                s, s);
    text_printf(t, "\nreal %s_time(const %s_state *s)\n{\n    return s->from%s;\n}\n", s, s,
                f->energy ? "" : " + (real)s->k * s->h");
}

static void write_positions(fusing *f, const export_facts *x)
{
    text       *t = &f->w.out;
    const char *s = x->name;
    text_printf(t, "\nvoid %s_positions(const %s_state *s, real *x)\n{\n", s, s);
    for (int i = 0; i < x->coordinates; i++) {
        const int z = x->z ? x->z[i] : i;
        if (!x->z) text_printf(t, "    x[%d] = s->q[%d];\n", i, z);
        else
            text_printf(t, "    x[%d] = %s * s->q[%d] + %s;\n", i, write_number(&f->w, x->slope[i]),
                        z < 0 ? 0 : z, write_number(&f->w, x->offset[i]));
    }
    text_printf(
        t, "}\n\nconst char *%s_name(int coordinate)\n{\n    static const char *const names[] = {",
        s);
    for (int i = 0; i < x->coordinates; i++)
        text_add(t, i ? ", " : ""), add_literal(t, x->coordinate[i]);
    text_printf(
        t, "};\n    return coordinate >= 0 && coordinate < %d ? names[coordinate] : \"\";\n}\n",
        x->coordinates);
}

static void write_program(mem *m, bool energy, const export_facts *x, text *t)
{
    const char *s = x->name, *digits = x->single ? "%.9g" : "%.17g";
    const char *r = real_of(x);
    text_printf(
        t,
        "/* %s_main.c - runs %s and prints its positions and energy: main [STEPS [EVERY]] */\n"
        "#include \"%s.h\"\n\n#include <stdio.h>\n#include <stdlib.h>\n\n"
        "static void print(const %s_state *s)\n{\n    %s x[%s_coordinates];\n"
        "    %s_positions(s, x);\n"
        "    printf(\"%s\", (double)%s_time(s));\n"
        "    for (int i = 0; i < %s_coordinates; i++) printf(\",%s\", (double)x[i]);\n"
        "    printf(\",%s\\n\", (double)%s_energy(s));\n}\n\n",
        s, x->system, s, s, r, s, s, digits, s, s, digits, digits, s);
    text_printf(t,
                "int main(int count, char **word)\n{\n    %s_state s;\n"
                "    const long steps = count > 1 ? atol(word[1]) : %ld, "
                "every = count > 2 ? atol(word[2]) : 1;\n"
                "    %s_init(&s);\n    printf(\"t\");\n"
                "    for (int i = 0; i < %s_coordinates; i++) printf(\",%%s\", %s_name(i));\n"
                "    printf(\",energy\\n\");\n    print(&s);\n    while (%s) {\n"
                "        if (%s_step(&s)) {\n"
                "            fprintf(stderr, \"step %%ld %s\\n\", s.k + 1);\n"
                "            return 1;\n        }\n"
                "        if (every > 0 && s.k %% every == 0) print(&s);\n    }\n    return 0;\n}\n",
                s, x->steps < 0 ? 1000 : x->steps, s, s, s, export_goes_on(m, x), s,
                energy ? "is not decided beyond doubt" : "does not converge; a smaller step may");
}

bool export_write(mem *m, const stepper *st, const compiled *c, const export_facts *x,
                  export_texts *out, text *why)
{
    const char  *state = mem_printf(m, "%s_state", x->name);
    fuse_options o = {.single = x->single, .backward = x->h < 0, .exported = true, .state = state};
    fusing       f = {.w = {.m = m, .out = text_new(m), .single = x->single},
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
    if (st->energy) text_printf(&out->source, "typedef %s_balance fused_energy;\n", x->name);
    if (!fuse_write(m, st, c, &o, &out->source, why)) return false;
    write_init(&f, x);
    write_positions(&f, x);
    if (!end_write(&f, c, x->name))
        return text_printf(why, "its expressions are too large to be written out"), false;
    const char *body = text_str(&f.w.out);
    f.w.out = text_new(m);
    write_finish(&f.w, body);
    text_add(&out->source, text_str(&f.w.out));
    write_header(m, st, x, &out->header);
    write_program(m, st->energy, x, &out->program);
    return true;
}
