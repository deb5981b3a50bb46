/* angles.c - sines and cosines of all points at once: what libm computes one by one, without
 * branches, so that compilers vectorise it (step/circle.h). Angles beyond a million are left to
 * libm. A program is split where it needs sines; values that pass from
 * one piece to a later one are kept in arrays.
 *
 * Programs that are called repeatedly at nearby points keep an angle x with its sine s and cosine
 * c, and update them for a small change d:
 *
 *     sin(x + d) = s + (s (cos d - 1) + c sin d),   cos(x + d) = c + (c (cos d - 1) - s sin d) */
#include "codegen/inside.h"

#include <string.h>

enum { DEPTH_MOST = 6 }; /* of a formula that is compared */

typedef struct { /* one instruction: its operands as text or as the instruction they come from */
    expr_op     op;
    const char *given[3];
    int         from[3]; /* -1: given */
    int         level;   /* sines and cosines on the way to it */
    bool        kept;    /* in an array */
} step_code;

typedef struct {
    step_code *at;
    int        count, levels;
    int        outputs;
    step_code *output; /* as if each were an instruction of one operand */
} cut_program;

static bool is_circular(expr_op op)
{
    return op == OP_SIN || op == OP_COS;
}

static bool has_circular(const program *p)
{
    for (int i = 0; p->k && i < p->k->instructions; i++)
        if (is_circular(p->k->code[i].op)) return true;
    return false;
}

bool angles_fit(const codegen *f, const program *p)
{
    if (f->members && !p->near) return false; /* step/circle.h has a sine for all of them */
    return p->lanes >= 2 && !p->seldom && !f->w.single && has_circular(p);
}

/* Operand k of s: the instruction that made register reg, or its text if none did. */
static void resolve(const codegen *f, step_code *s, int k, int reg, const char *const *given,
                    const int *made)
{
    (void)f;
    s->from[k] = made[reg], s->given[k] = made[reg] < 0 ? given[reg] : NULL;
}

/* Instructions with what they read, in the order of the program, and their levels. */
static cut_program cut(codegen *f, const program *p)
{
    mem          *m = f->w.m;
    const kernel *k = p->k;
    cut_program   c = {.at = mem_array(m, k->instructions + 1, step_code),
                       .count = k->instructions,
                       .outputs = k->outputs,
                       .output = mem_array(m, k->outputs + 1, step_code)};
    const char  **given = mem_array(m, k->registers + 1, const char *);
    int          *made = mem_array(m, k->registers + 1, int);
    for (int r = 0; r < k->registers; r++) made[r] = -1;
    for (int r = 0; r < k->inputs; r++) given[r] = program_variable(f, p, r);
    for (int r = 0; r < k->constants; r++)
        given[k->inputs + r] = write_number(&f->w, k->constant[r]);
    for (int i = 0; i < k->instructions; i++) {
        const int  arg[] = {k->code[i].a, k->code[i].b, k->code[i].c};
        step_code *s = &c.at[i];
        s->op = k->code[i].op;
        /* a level above that of the highest operand, where the operation is a sine */
        for (int a = 0; a < operands_of(s->op) && a < 3; a++) {
            resolve(f, s, a, arg[a], given, made);
            if (s->from[a] >= 0 && c.at[s->from[a]].level > s->level)
                s->level = c.at[s->from[a]].level;
        }
        s->level += is_circular(s->op);
        if (s->level > c.levels) c.levels = s->level;
        made[k->code[i].to] = i;
    }
    for (int i = 0; i < k->outputs; i++) resolve(f, &c.output[i], 0, k->out[i], given, made);
    return c;
}

/* Kept: what a later piece reads, sines, and what is their argument. */
static void decide_kept(cut_program *c)
{
    for (int i = 0; i < c->count; i++) {
        step_code *s = &c->at[i];
        s->kept |= is_circular(s->op);
        for (int a = 0; a < operands_of(s->op); a++)
            if (s->from[a] >= 0 && (c->at[s->from[a]].level < s->level))
                c->at[s->from[a]].kept = true;
    }
    for (int i = 0; i < c->outputs; i++)
        if (c->output[i].from[0] >= 0)
            c->at[c->output[i].from[0]].kept |= c->at[c->output[i].from[0]].level < c->levels;
}

static const char *operand(codegen *f, const cut_program *c, const step_code *s, int a)
{
    if (s->from[a] < 0) return s->given[a];
    return mem_printf(f->w.m, c->at[s->from[a]].kept ? "x%d[i]" : "x%d", s->from[a]);
}

/* The sines and cosines of one argument, at one level; empty: an earlier one has it too. */
typedef vec(int) twins;

/* Equal operands are found by their text; what shares an argument shares one call of circle. */
static void twins_of(codegen *f, const cut_program *c, int first, twins *same)
{
    const char *x = operand(f, c, &c->at[first], 0);
    same->n = 0;
    for (int i = 0; i < c->count; i++)
        if (is_circular(c->at[i].op) && c->at[i].level == c->at[first].level &&
            !strcmp(operand(f, c, &c->at[i], 0), x)) {
            if (i < first) {
                same->n = 0;
                return;
            }
            vec_push(f->w.m, *same, i);
        }
}

/* Sine and cosine of `lanes` angles. One of them beyond a million sends all of them to libm, so
 * that the loop has no branches. */
static void full_write(text *out, int lanes, const char *x, const char *sine, const char *cosine)
{
    text_printf(out, "{\nint far = 0;\nfor (int i = 0; i < %d; i++) far |= !(fabs(%s) <= 1e6);\n",
                lanes, x);
    text_printf(out, "if (far) {\nfor (int i = 0; i < %d; i++) {\n", lanes);
    if (sine) text_printf(out, "%s[i] = sin(%s);\n", sine, x);
    if (cosine) text_printf(out, "%s[i] = cos(%s);\n", cosine, x);
    text_printf(out,
                "}\n} else {\nfor (int i = 0; i < %d; i++) {\nreal sin_x, cos_x;\n"
                "circle(%s, &sin_x, &cos_x);\n",
                lanes, x);
    if (sine) text_printf(out, "%s[i] = sin_x;\n", sine);
    if (cosine) text_printf(out, "%s[i] = cos_x;\n", cosine);
    text_add(out, "}\n}\n}\n");
}

/* A function for so many angles; programs of equal width share it. */
void circle_write(codegen *f, int lanes)
{
    verbatim(f, "circle.h");
    for (int k = 0; k < f->circles.n; k++)
        if (f->circles.at[k] == lanes) return;
    vec_push(f->w.m, f->circles, lanes);
    text_printf(&f->w.out,
                "PIECE void circle%d(const real *angle, real *RESTRICT s, real *RESTRICT c)\n{\n",
                lanes);
    if (f->members)
        text_printf(&f->w.out,
                    "for (int i = 0; i < %d; i++) circle(not_far(angle[i]), &s[i], &c[i]);\n",
                    lanes);
    else full_write(&f->w.out, lanes, "angle[i]", "s", "c");
    text_add(&f->w.out, "}\n\n");
}

/*     sin d = d - d^3/6 + d^5/120,   cos d - 1 = -d^2/2 + d^4/24 - d^6/720
 * Beyond 1/128 the series of d would have to be longer. The sum of all |d| is compared with it:
 * where that is small, so is each of them. */
static void near_write(codegen *f, int lanes, int at, const char *x, const char *sine,
                       const char *cosine)
{
    text *out = &f->w.out;
    text_printf(out,
                "{\nreal *const at = near + %d;\nreal off[%d];\n"
                "for (int i = 0; i < %d; i++) off[i] = ABS(%s - at[i]);\n%s"
                "const mask far = NOT(off[0] <= 0.0078125);\nif (ANY(far)) {\n",
                at, lanes, lanes, x, write_lanes_sum(&f->w, "off", lanes));
    if (f->members) /* each of them decides for itself */
        text_printf(out,
                    "real now[%d];\nfor (int i = 0; i < %d; i++) now[i] = %s;\n"
                    "circle%d(now, now + %d, now + %d);\n"
                    "for (int k = 0; k < %d; k++) at[k] = AMONG(far, now[k], at[k]);\n}\n",
                    3 * lanes, lanes, x, lanes, lanes, 2 * lanes, 3 * lanes);
    else
        text_printf(
            out, "for (int i = 0; i < %d; i++) at[i] = %s;\ncircle%d(at, at + %d, at + %d);\n}\n",
            lanes, x, lanes, lanes, 2 * lanes);
    text_printf(out,
                "for (int i = 0; i < %d; i++) {\nconst real d = %s - at[i], z = d * d;\n"
                "const real ds = d + d * (z * (z * (1.0 / 120) - 1.0 / 6));\n"
                "const real dc = z * ((z * (1.0 / 24) - 0.5) - z * z * (1.0 / 720));\n",
                lanes, x);
    if (sine)
        text_printf(out, "%s[i] = at[%d + i] + (at[%d + i] * dc + at[%d + i] * ds);\n", sine, lanes,
                    lanes, 2 * lanes);
    if (cosine)
        text_printf(out, "%s[i] = at[%d + i] + (at[%d + i] * dc - at[%d + i] * ds);\n", cosine,
                    2 * lanes, 2 * lanes, lanes);
    text_add(out, "}\n}\n");
}

/* An operand as a formula of the inputs: the same in every program that has it, unless it is
 * long. */
static const char *formula(codegen *f, const program *p, const cut_program *c, const step_code *s,
                           int a, int depth)
{
    if (s->from[a] < 0) return s->given[a];
    if (!depth) return mem_printf(f->w.m, "%s %d", p->name, s->from[a]);
    const step_code *of = &c->at[s->from[a]];
    text             t = text_new(f->w.m);
    text_printf(&t, "%d(", (int)of->op);
    for (int k = 0; k < operands_of(of->op); k++)
        text_printf(&t, "%s,", formula(f, p, c, of, k, depth - 1));
    text_add(&t, ")");
    return text_str(&t);
}

/* Its number in the list; as many as there are, if it is not there. */
static int place_of(const angle_list *list, const char *x)
{
    int k = 0;
    while (k < list->n && strcmp(list->at[k], x)) k++;
    return k;
}

/* All sines and cosines of one argument. */
static void angle_write(codegen *f, const cut_program *c, const program *p, int first)
{
    const char *word[2] = {NULL, NULL}; /* equal instructions are one, so that there are no more */
    twins       same = {0};
    twins_of(f, c, first, &same);
    for (int k = 0; k < same.n; k++)
        word[c->at[same.at[k]].op == OP_COS] = mem_printf(f->w.m, "x%d", same.at[k]);
    if (!same.n) return;
    const char *x = operand(f, c, &c->at[first], 0);
    const int at = p->near ? place_of(p->near, formula(f, p, c, &c->at[first], 0, DEPTH_MOST)) : 0;
    if (p->near) near_write(f, p->lanes, 3 * p->lanes * at, x, word[0], word[1]);
    else full_write(&f->w.out, p->lanes, x, word[0], word[1]);
}

/* What can be computed once the sines of `level` are known; level 0 needs none. */
static void piece_write(codegen *f, const cut_program *c, const program *p, int level)
{
    text *out = &f->w.out;
    for (int i = 0; i < c->count && level > 0; i++)
        if (is_circular(c->at[i].op) && c->at[i].level == level) angle_write(f, c, p, i);
    text_printf(out, "for (int i = 0; i < %d; i++) {\n", p->lanes);
    for (int i = 0; i < c->count; i++) {
        const step_code *s = &c->at[i];
        if (s->level != level || is_circular(s->op)) continue;
        const char *arg[3] = {"", "", ""};
        for (int a = 0; a < operands_of(s->op); a++) arg[a] = operand(f, c, s, a);
        text_printf(out, s->kept ? "x%d[i] = " : "const real x%d = ", i);
        if (f->members) lanes_operation(f, s->op, arg);
        else write_operation(&f->w, s->op, arg[0], arg[1], arg[2]);
        text_add(out, ";\n");
    }
    for (int i = 0; i < c->outputs && level == c->levels; i++)
        text_printf(out, "o[%d + i] = REAL(%s);\n", i * p->lanes, operand(f, c, &c->output[i], 0));
    text_add(out, "}\n");
}

/* Adds the arguments of this program's sines to the list that its set of points shares. */
void angles_list(codegen *f, const program *p)
{
    if (!p->k || !angles_fit(f, p)) return;
    const cut_program c = cut(f, p);
    for (int i = 0; i < c.count; i++) {
        if (!is_circular(c.at[i].op)) continue;
        const char *x = formula(f, p, &c, &c.at[i], 0, DEPTH_MOST);
        if (place_of(p->near, x) == p->near->n) vec_push(f->w.m, *p->near, x);
    }
}

/* One loop over the lanes for each level, with the sines of all lanes made in between. */
void angles_write(codegen *f, const program *p)
{
    cut_program c = cut(f, p);
    decide_kept(&c);
    for (int i = 0; i < c.count; i++)
        if (c.at[i].kept) text_printf(&f->w.out, "real x%d[%d];\n", i, p->lanes);
    for (int level = 0; level <= c.levels; level++) piece_write(f, &c, p, level);
}
