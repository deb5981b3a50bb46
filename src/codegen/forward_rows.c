/* forward_rows.c - the rows of the Jacobian of a dense system by forward differentiation of the
 * program of the residual (forward-mode differentiation): each operation propagates its derivative
 * along all unknowns at once,
 *
 *     x = f(a, b):   dx = f_a da + f_b db,
 *     along          q^i = sum_mu l_mu Z^mu,   v^i = sum_mu l'_mu Z^mu/h
 *
 * so a Jacobian costs as much as the residual times the number of unknowns, in vectors, and no
 * entry has code of its own. A value that depends on one coordinate only, as the sine of an angle,
 * has a scalar derivative; one that depends on several has a row over the range between them,
 * unless it is read only once: then its reader uses the rows that it is a combination of. */
#include "codegen/forward.h"

#include <string.h>

/* Derivatives of an operation by its arguments; %v is its value. NULL: not by that one. */
static const char *const slope[OP_COUNT][2] = {
    [OP_ADD] = {"1", "1"},
    [OP_SUB] = {"1", "-1"},
    [OP_MUL] = {"%b", "%a"},
    [OP_DIV] = {"1 / %b", "-%v / %b"},
    [OP_NEG] = {"-1", NULL},
    [OP_POW] = {"(%a == 0 && %b == 0 ? 0 : %b * pow(%a, %b - 1))", "(%a == 0 ? 0 : %v * log(%a))"},
    [OP_SQRT] = {"HALF / %v", NULL},
    [OP_EXP] = {"%v", NULL},
    [OP_LOG] = {"1 / %a", NULL},
    [OP_SIN] = {"cos(%a)", NULL},
    [OP_COS] = {"-sin(%a)", NULL},
    [OP_TAN] = {"1 + %v * %v", NULL},
    [OP_ASIN] = {"1 / sqrt(1 - %a * %a)", NULL},
    [OP_ACOS] = {"-1 / sqrt(1 - %a * %a)", NULL},
    [OP_ATAN] = {"1 / (1 + %a * %a)", NULL},
    [OP_ATAN2] = {"%b / (%a * %a + %b * %b)", "-%a / (%a * %a + %b * %b)"},
    [OP_SINH] = {"cosh(%a)", NULL},
    [OP_COSH] = {"sinh(%a)", NULL},
    [OP_TANH] = {"1 - %v * %v", NULL},
    [OP_ABS] = {"(real)((%a > 0) - (%a < 0))", NULL},
};

/* Operations of which one argument is the value, and the condition under which it is the first. */
static const char *const first_if[OP_COUNT] = {
    [OP_IF] = "%a != 0", [OP_MIN] = "%a <= %b", [OP_MAX] = "%a >= %b"};

bool forward_has_slope(expr_op op)
{
    return slope[op][0] || first_if[op];
}

bool forward_is_choice(expr_op op)
{
    return first_if[op];
}

/* A value by name: an operation, an input, a number. */
static const char *value_text(const differentiation *s, int x)
{
    codegen *f = s->f;
    if (x >= 0) return mem_printf(f->w.m, "x%d", x);
    const int r = -1 - x;
    return r < s->k->inputs ? program_variable(f, s->p, r)
                            : write_number(&f->w, s->k->constant[r - s->k->inputs]);
}

/* dx/dZ^mu of a value of one coordinate; of an input l_mu (l_mu + u_mu of a state) or l'_mu/h. */
const char *forward_change(const differentiation *s, int x, int mu)
{
    mem *m = s->f->w.m;
    if (x >= 0) return mem_printf(m, "d%d_%d", x, mu);
    const field_variable v = s->f->f->variable[-1 - x];
    return mem_printf(m, v.from != READ_Q ? "lv%d" : of_state(s->f, v.index) ? "lz%d" : "lq%d", mu);
}

/* A form with the arguments and the value of operation i in it. */
static const char *formed(const differentiation *s, int i, const char *form)
{
    mem *m = s->f->w.m;
    text t = text_new(m);
    for (const char *at = form; *at; at++) {
        const bool named = *at == '%';
        if (named) at++;
        if (!named) text_add_bytes(&t, at, 1);
        else
            text_add(&t,
                     *at == 'v' ? mem_printf(m, "x%d", i) : value_text(s, s->op[i].arg[*at - 'a']));
    }
    return text_str(&t);
}

/* Factors get a name of their own, unless they are a name or a number already. */
const char *forward_slope(differentiation *s, int i, int a)
{
    codegen         *f = s->f;
    const operation *o = &s->op[i];
    const int        at = first_argument(o->op) + a;
    if (at >= o->n || !depends(s, o->arg[at])) return NULL;
    if (first_if[o->op]) return "1";
    if (!slope[o->op][a]) return NULL;
    const char *by = formed(s, i, slope[o->op][a]);
    if (o->op == OP_ADD || o->op == OP_SUB || o->op == OP_NEG || o->op == OP_MUL) return by;
    text_printf(&f->w.out, "const real f%d_%d = %s;\n", i, a, by);
    return mem_printf(f->w.m, "f%d_%d", i, a);
}

/* d x = f_a da + f_b db, numbers; of a choice, one of them */
static void write_narrow(const differentiation *s, int i, const char *const by[2])
{
    const operation *o = &s->op[i];
    const bool       choice = first_if[o->op];
    text            *out = &s->f->w.out;
    for (int mu = 0; mu < s->f->d; mu++) {
        text_printf(out, "const real d%d_%d = ", i, mu);
        if (choice) text_printf(out, "%s ? ", formed(s, i, first_if[o->op]));
        for (int a = 0; a < 2; a++) {
            if (a && (choice || (by[0] && by[1]))) text_add(out, choice ? " : " : " + ");
            if (by[a]) text_printf(out, "%s * %s", by[a], forward_change(s, argument_of(o, a), mu));
            else if (choice) text_add(out, "0");
        }
        text_add(out, ";\n");
    }
}

/* A row that nobody reads any more, or a new one. */
static void take_row(differentiation *s, int i)
{
    s->op[i].row = s->idle.n ? s->idle.at[--s->idle.n] : s->rows++;
}

/* A row of what the arguments change by; of a choice, of one of them. */
static void write_wide(differentiation *s, int i, const char *const by[2])
{
    combination c = {{0}, {0}};
    for (int a = 0; a < 2; a++)
        if (by[a]) terms_collect(s, argument_of(&s->op[i], a), by[a], &c);
    terms_write_row(s, i, &c);
}

/* The value, and then its derivative: none, numbers, or a row. */
static void write_operation_of(differentiation *s, int i)
{
    codegen         *f = s->f;
    const operation *o = &s->op[i];
    const char      *arg[3] = {"", "", ""};
    for (int a = 0; a < o->n; a++) arg[a] = value_text(s, o->arg[a]);
    text_printf(&f->w.out, "const real x%d = ", i);
    write_operation(&f->w, o->op, arg[0], arg[1], arg[2]);
    text_add(&f->w.out, ";\n");
    if (!depends(s, i) || (is_wide(s, i) && !o->kept)) return;
    const char *const by[2] = {forward_slope(s, i, 0), forward_slope(s, i, 1)};
    if (!is_wide(s, i)) {
        write_narrow(s, i, by);
        return;
    }
    take_row(s, i);
    if (first_if[o->op]) {
        text_printf(&f->w.out, "if (%s) {\n", formed(s, i, first_if[o->op]));
        write_wide(s, i, (const char *const[2]){by[0], NULL});
        text_add(&f->w.out, "} else {\n");
        write_wide(s, i, (const char *const[2]){NULL, by[1]});
        text_add(&f->w.out, "}\n");
    } else write_wide(s, i, by);
}

/*     J_(j nu) += b_i [h l_nu d(L_q + f) + l'_nu dL_w - h u_nu dD] */
static void write_row(differentiation *s, int j)
{
    combination of_row[ROW_PARTS] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
    for (int kind = 0; kind < ROW_PARTS; kind++)
        terms_collect(s, forward_part(s, j, kind), "1", &of_row[kind]);
    terms_write_jacobian(s, j, of_row);
}

/* What is done to rows, of which a program may need only some. */
static void write_helpers(codegen *f, const char *body)
{
    static const struct {
        const char *called, *word;
    } on_rows[] = {{"nothing(", "NOTHING"},
                   {"scaled(", "SCALED"},
                   {"both(", "BOTH"},
                   {"added(", "ADDED"},
                   {"joined(", "JOINED"}};
    text_printf(&f->w.out, "#define STRETCH %d\n", BLOCK);
    for (size_t k = 0; k < sizeof on_rows / sizeof *on_rows; k++)
        text_printf(&f->w.out, "#define FORWARD_%s %d\n", on_rows[k].word,
                    strstr(body, on_rows[k].called) != NULL);
    text_add(&f->w.out, "\n");
    verbatim(f, "forward.h");
}

/* Coordinate by coordinate: what its rows need and is not there yet, then its rows, so that rows
 * of derivatives live as short as possible. */
static void write_body(differentiation *s)
{
    codegen *f = s->f;
    uint8_t *placed = mem_array(f->w.m, s->ops + 1, uint8_t);
    int     *stack = mem_array(f->w.m, 4 * s->ops + 4, int), count = 0, done = 0;
    s->order = mem_array(f->w.m, s->ops + 1, int);
    for (int j = 0; j < f->n; j++) {
        for (int kind = 0; kind < ROW_PARTS; kind++)
            count = forward_order(s, forward_part(s, j, kind), placed, stack, count);
        for (; done < count; done++) write_operation_of(s, s->order[done]);
        write_row(s, j);
    }
    for (int y = 0; y < s->k->outputs; y++)
        text_printf(&f->w.out, "o[%d%s] = %s;\n", y * s->p->lanes, s->p->lanes > 1 ? " + i" : "",
                    value_text(s, s->output[y]));
}

/* The body is written first, since what it calls must stand before it. */
void forward_write(codegen *f)
{
    differentiation s = forward_new(f);
    text            before = f->w.out;
    f->w.out = text_new(f->w.m);
    write_body(&s);
    const char *body = text_str(&f->w.out);
    f->w.out = before;
    write_helpers(f, body);
    text_add(&f->w.out,
             "/* The residual's program at point i, and what it adds to the Jacobian. */\n");
    text_printf(&f->w.out,
                "PIECE void differentiate(const coefficients *c, const int i, %s"
                "real *RESTRICT o, real *RESTRICT J)\n{\nreal T[%d];\n",
                program_arguments(f, s.p), (s.rows + 1) * forward_length(&s));
    text_add(&f->w.out, "(void)i;\n(void)T;\n");
    for (int mu = 0; mu < f->d; mu++)
        text_printf(
            &f->w.out,
            "const real lq%d = R_l[%d + i], lv%d = c->Rv[%d + i];\n(void)lq%d;\n(void)lv%d;\n", mu,
            mu * s.p->lanes, mu, mu * s.p->lanes, mu, mu);
    for (int mu = 0; mu < f->d && f->eq->upwind.states; mu++)
        text_printf(&f->w.out, "const real lz%d = lq%d + R_z[%d + i];\n(void)lz%d;\n", mu, mu,
                    mu * s.p->lanes, mu);
    text_add(&f->w.out, body);
    text_add(&f->w.out, "}\n\n");
}

const char *forward_call(codegen *f)
{
    const program *p = &f->of[AT_RULE][0];
    return mem_printf(f->w.m, "for (int i = 0; i < %d; i++) differentiate(c, i, %soR, J);\n",
                      f->points[AT_RULE], program_passed(f, p, AT_RULE));
}
