/* sweep.c - the rows of the Jacobian of a dense system, by one forward sweep over the program of
 * the residual: each operation hands on how it changes along all unknowns at once,
 *
 *     x = f(a, b):   dx = f_a da + f_b db,
 *     along          q^i = sum_mu l_mu Z^mu,   v^i = sum_mu l'_mu Z^mu/h
 *
 * so that a Jacobian costs what the residual costs times the number of unknowns, in vectors of
 * them, and no entry has code of its own. What depends on one coordinate only, as the sine of an
 * angle, stays a number; what depends on several is a row over the stretch between them. */
#include "fuse/inside.h"

#include <string.h>

enum {
    BLOCK = 4,          /* unknowns that are handled together: stretches are whole blocks */
    SHORTEST = 6,       /* unknowns: fewer are written out                                */
    WRITTEN_MOST = 1800 /* operations of entries that compilers take in their stride      */
};

typedef struct {
    expr_op op;
    int     n, arg[3]; /* operations, or -1 - register of an input or a constant       */
    int     low, high; /* coordinates that it depends on lie in low .. high-1          */
    int     row;       /* of a stretch: where it is kept                               */
    int     left;      /* readers of that row that are still to come                   */
    int     reader;    /* the last of them; -1: the Jacobian                           */
    int     factor;    /* see fold_products: the row that it is a multiple of, or -1   */
} operation;

typedef struct {
    fusing        *f;
    const program *p;
    const kernel  *k;
    operation     *op;
    int            ops, *order; /* arguments first, what is needed for a row together */
    int           *output;      /* of each slot: an operation, or -1 - register       */
    int            rows;
    vec(int) idle; /* rows that nobody reads any more */
} sweeping;

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

/* The two arguments that an operation may change with are number a and a + 1. */
static int first_argument(expr_op op)
{
    return op == OP_IF;
}

/* The program as operations that name their arguments. -------------------------------------------
 */

static int defined_by(const int *last, const kernel *k, int reg)
{
    return reg < k->inputs + k->constants ? -1 - reg : last[reg];
}

static void open_program(sweeping *s)
{
    const kernel *k = s->k;
    mem          *m = s->f->w.m;
    int          *last = mem_array(m, k->registers + 1, int);
    s->op = mem_array(m, k->instructions + 1, operation);
    for (int r = 0; r < k->runs; r++)
        for (int i = k->run[r].first; i < k->run[r].first + k->run[r].count; i++) {
            const int  reg[] = {k->code[i].a, k->code[i].b, k->code[i].c};
            operation *o = &s->op[s->ops];
            *o = (operation){.op = k->run[r].op,
                             .n = operands_of(k->run[r].op),
                             .row = -1,
                             .reader = -1,
                             .factor = -1};
            for (int a = 0; a < o->n; a++) o->arg[a] = defined_by(last, k, reg[a]);
            last[k->code[i].to] = s->ops++;
        }
    s->output = mem_array(m, k->outputs + 1, int);
    for (int y = 0; y < k->outputs; y++) s->output[y] = defined_by(last, k, k->out[y]);
}

/* What an operand depends on; of an input that is its coordinate. */
static bool reach(const sweeping *s, int x, int *low, int *high)
{
    if (x >= 0) *low = s->op[x].low, *high = s->op[x].high;
    else {
        const int r = -1 - x;
        *low = *high = 0;
        if (r >= s->k->inputs) return false;
        const field_variable v = s->f->f->variable[r];
        if (v.from != READ_Q && v.from != READ_W) return false;
        *low = v.index, *high = v.index + 1;
    }
    return *low < *high;
}

static bool depends(const sweeping *s, int x)
{
    int low, high;
    return reach(s, x, &low, &high);
}

static bool is_wide(const sweeping *s, int x)
{
    return x >= 0 && s->op[x].high - s->op[x].low > 1;
}

static void find_reaches(sweeping *s)
{
    for (int i = 0; i < s->ops; i++) {
        operation *o = &s->op[i];
        for (int a = first_argument(o->op); a < o->n; a++) {
            int low, high;
            if (!reach(s, o->arg[a], &low, &high)) continue;
            if (!slope[o->op][0] && !first_if[o->op]) continue; /* sign, floor, comparisons */
            if (o->low == o->high) o->low = low, o->high = high;
            o->low = low < o->low ? low : o->low;
            o->high = high > o->high ? high : o->high;
        }
    }
}

/* Operations below x that have no place yet, arguments first. */
static int put_in_order(sweeping *s, int x, uint8_t *placed, int *stack, int count)
{
    int depth = 0;
    if (x >= 0) stack[depth++] = x;
    while (depth) {
        const int        top = stack[depth - 1];
        const operation *o = &s->op[top];
        const int        before = depth;
        for (int a = o->n; a-- > 0 && !placed[top];)
            if (o->arg[a] >= 0 && !placed[o->arg[a]]) stack[depth++] = o->arg[a];
        if (depth > before) continue;
        depth--;
        if (!placed[top]) s->order[count++] = top;
        placed[top] = 1;
    }
    return count;
}

/* Slots of the residual's row of a coordinate: L_q, L_w, f. */
enum { OF_LQ, OF_LW, OF_F, ROW_PARTS };
static int part_of(const sweeping *s, int coordinate, int kind)
{
    static const field_name of[ROW_PARTS] = {FIELD_LQ, FIELD_LW, FIELD_F};
    const int               held = program_slot(s->p, of[kind], coordinate, -1);
    return held < 0 ? -1 - s->k->inputs - s->k->constants : s->output[held];
}

static void count_readers(sweeping *s)
{
    for (int i = 0; i < s->ops; i++)
        for (int a = 0; a < s->op[i].n; a++)
            if (is_wide(s, i) && is_wide(s, s->op[i].arg[a]))
                s->op[s->op[i].arg[a]].left++, s->op[s->op[i].arg[a]].reader = i;
    for (int j = 0; j < s->f->n; j++)
        for (int kind = 0; kind < ROW_PARTS; kind++) {
            const int x = part_of(s, j, kind);
            if (is_wide(s, x)) s->op[x].left++, s->op[x].reader = -1;
        }
}

/* A row times a number, which nothing but one sum reads, is not written: the sum takes the row. */
static void fold_products(sweeping *s)
{
    for (int i = 0; i < s->ops; i++) {
        operation *o = &s->op[i];
        if (o->op != OP_MUL || !is_wide(s, i) || o->left != 1 || o->reader < 0) continue;
        const expr_op above = s->op[o->reader].op;
        if ((above != OP_ADD && above != OP_SUB) || is_wide(s, o->arg[0]) == is_wide(s, o->arg[1]))
            continue;
        o->factor = o->arg[is_wide(s, o->arg[1])];
    }
}

/* Text. ------------------------------------------------------------------------------------------
 */

static const char *value_text(const sweeping *s, int x)
{
    fusing *f = s->f;
    if (x >= 0) return mem_printf(f->w.m, "x%d", x);
    const int r = -1 - x;
    return r < s->k->inputs ? program_variable(f, s->p, r)
                            : write_number(&f->w, s->k->constant[r - s->k->inputs]);
}

/* How what depends on one coordinate changes with its mu-th unknown. */
static const char *change_text(const sweeping *s, int x, int mu)
{
    mem *m = s->f->w.m;
    if (x >= 0) return mem_printf(m, "d%d_%d", x, mu);
    return mem_printf(m, s->f->f->variable[-1 - x].from == READ_Q ? "lq%d" : "lv%d", mu);
}

static int length(const sweeping *s) /* of a row, whole blocks */
{
    return (s->f->n * s->f->d + BLOCK - 1) / BLOCK * BLOCK;
}

/* First and last unknown of a stretch of coordinates, as whole blocks. */
static int begin_of(const sweeping *s, int low)
{
    return low * s->f->d / BLOCK * BLOCK;
}
static int end_of(const sweeping *s, int high)
{
    return (high * s->f->d + BLOCK - 1) / BLOCK * BLOCK;
}

static const char *row_text(const sweeping *s, int row, int from)
{
    return mem_printf(s->f->w.m, "T + %d", row * length(s) + from);
}

/* A form with the arguments and the value of operation i in it. */
static const char *formed(const sweeping *s, int i, const char *form)
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

/* The derivative by argument a: a name for it, written before if it is more than a name. */
static const char *slope_text(sweeping *s, int i, int a)
{
    fusing          *f = s->f;
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

static int argument_of(const operation *o, int a)
{
    return o->arg[first_argument(o->op) + a];
}

/* d x = f_a da + f_b db, numbers; of a choice, one of them */
static void write_narrow(const sweeping *s, int i, const char *const by[2])
{
    const operation *o = &s->op[i];
    const bool       choice = first_if[o->op];
    text            *out = &s->f->w.out;
    for (int mu = 0; mu < s->f->d; mu++) {
        text_printf(out, "const real d%d_%d = ", i, mu);
        if (choice) text_printf(out, "%s ? ", formed(s, i, first_if[o->op]));
        for (int a = 0; a < 2; a++) {
            if (a && (choice || (by[0] && by[1]))) text_add(out, choice ? " : " : " + ");
            if (by[a]) text_printf(out, "%s * %s", by[a], change_text(s, argument_of(o, a), mu));
            else if (choice) text_add(out, "0");
        }
        text_add(out, ";\n");
    }
}

/* The operation whose row argument a contributes, and its factor. */
static int row_of(const sweeping *s, int i, int a)
{
    const int x = argument_of(&s->op[i], a);
    return x >= 0 && s->op[x].factor >= 0 ? s->op[x].factor : x;
}

/* Of a row times a number: the number. */
static int number_in(const sweeping *s, int x)
{
    const operation *o = &s->op[x];
    return o->arg[o->arg[0] == o->factor];
}

static const char *factor_text(const sweeping *s, int i, int a, const char *by)
{
    const int x = argument_of(&s->op[i], a);
    if (row_of(s, i, a) == x) return by;
    return mem_printf(s->f->w.m, "%s * %s", by, value_text(s, number_in(s, x)));
}

/* Blocks from .. end-1 of row i: f_a da + f_b db where both reach, one of them, or nothing. */
static void write_blocks(const sweeping *s, int i, const char *const by[2], int from, int end)
{
    const operation *o = &s->op[i];
    const char      *x[2] = {NULL, NULL}, *to = row_text(s, o->row, from);
    for (int a = 0; a < 2; a++) {
        if (!by[a] || !is_wide(s, argument_of(o, a))) continue;
        const operation *of = &s->op[row_of(s, i, a)];
        if (begin_of(s, of->low) <= from && end <= end_of(s, of->high))
            x[a] = row_text(s, of->row, from);
    }
    text *out = &s->f->w.out;
    if (x[0] && x[1])
        text_printf(out, "both(%s, %s, %s, %s, %s, %d);\n", to, factor_text(s, i, 0, by[0]), x[0],
                    factor_text(s, i, 1, by[1]), x[1], end - from);
    else if (x[0] || x[1])
        text_printf(out, "scaled(%s, %s, %s, %d);\n", to, factor_text(s, i, !x[0], by[!x[0]]),
                    x[0] ? x[0] : x[1], end - from);
    else text_printf(out, "nothing(%s, %d);\n", to, end - from);
}

/* What argument a, or the number in it, adds to single places of row i. */
static void add_numbers(const sweeping *s, int i, int a, const char *by)
{
    const int x = argument_of(&s->op[i], a), row = row_of(s, i, a);
    int       from = x, low, high;
    if (row != x)
        from = number_in(s, x), by = mem_printf(s->f->w.m, "%s * %s", by, value_text(s, row));
    if (is_wide(s, from) || !reach(s, from, &low, &high)) return;
    for (int mu = 0; mu < s->f->d; mu++)
        text_printf(&s->f->w.out, "T[%d] += %s * %s;\n",
                    s->op[i].row * length(s) + low * s->f->d + mu, by, change_text(s, from, mu));
}

/* A row is written in stretches between which the reach of the arguments changes; then numbers are
 * added in their places. */
static void write_wide(sweeping *s, int i, const char *const by[2])
{
    operation *o = &s->op[i];
    int        cut[6] = {begin_of(s, o->low), end_of(s, o->high)}, cuts = 2;
    for (int a = 0; a < 2; a++)
        if (by[a] && is_wide(s, argument_of(o, a))) {
            cut[cuts++] = begin_of(s, s->op[row_of(s, i, a)].low);
            cut[cuts++] = end_of(s, s->op[row_of(s, i, a)].high);
        }
    for (int k = 1; k < cuts; k++)
        for (int j = k; j > 0 && cut[j] < cut[j - 1]; j--) {
            const int x = cut[j];
            cut[j] = cut[j - 1], cut[j - 1] = x;
        }
    for (int k = 1; k < cuts; k++)
        if (cut[k] > cut[k - 1]) write_blocks(s, i, by, cut[k - 1], cut[k]);
    for (int a = 0; a < 2; a++)
        if (by[a]) add_numbers(s, i, a, by[a]);
}

static void take_row(sweeping *s, int i)
{
    s->op[i].row = s->idle.n ? s->idle.at[--s->idle.n] : s->rows++;
}

static void release(sweeping *s, int x)
{
    if (is_wide(s, x) && !--s->op[x].left) vec_push(s->f->w.m, s->idle, s->op[x].row);
}

static void write_operation_of(sweeping *s, int i)
{
    fusing          *f = s->f;
    const operation *o = &s->op[i];
    const char      *arg[3] = {"", "", ""};
    for (int a = 0; a < o->n; a++) arg[a] = value_text(s, o->arg[a]);
    text_printf(&f->w.out, "const real x%d = ", i);
    write_operation(&f->w, o->op, arg[0], arg[1], arg[2]);
    text_add(&f->w.out, ";\n");
    if (!depends(s, i) || o->factor >= 0) return;
    const char *const by[2] = {slope_text(s, i, 0), slope_text(s, i, 1)};
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
    for (int a = first_argument(o->op); a < o->n; a++)
        release(s, row_of(s, i, a - first_argument(o->op)));
}

/*     J_(j nu) += b_i [h l_nu d(L_q + f) + l'_nu dL_w] */
static void write_row(sweeping *s, int j)
{
    static const char *const table[ROW_PARTS] = {"rq", "rw", "rq"};
    fusing                  *f = s->f;
    const int                d = f->d;
    for (int kind = 0; kind < ROW_PARTS; kind++) {
        const int x = part_of(s, j, kind);
        int       low, high;
        if (!reach(s, x, &low, &high)) continue;
        for (int nu = 0; nu < d; nu++) {
            const char *by = mem_printf(f->w.m, "c->%s[i * %d + %d]", table[kind], d, nu);
            const int   to = (j * d + nu) * f->N + low * d;
            for (int mu = 0; !is_wide(s, x) && mu < d; mu++)
                text_printf(&f->w.out, "J[%d] += %s * %s;\n", to + mu, by, change_text(s, x, mu));
            if (is_wide(s, x))
                text_printf(&f->w.out, "added(J + %d, %s, %s, %d);\n", to, by,
                            row_text(s, s->op[x].row, low * d), (high - low) * d);
        }
        release(s, x);
    }
}

/* What is done to rows, of which a program may need only some. */
static const struct {
    const char *called, *words;
} on_rows[] = {
    {"nothing(",
     "PIECE void nothing(real *t, int n)\n{\nfor (int k = 0; k < n; k++) t[k] = 0;\n}\n\n"},
    {"scaled(", "PIECE void scaled(real *RESTRICT t, real a, const real *x, int n)\n{\n"
                "for (int k = 0; k < n; k += STRETCH)\n"
                "for (int l = k; l < k + STRETCH; l++) t[l] = a * x[l];\n}\n\n"},
    {"both(",
     "PIECE void both(real *RESTRICT t, real a, const real *x, real b, const real *y, int n)\n"
     "{\nfor (int k = 0; k < n; k += STRETCH)\n"
     "for (int l = k; l < k + STRETCH; l++) t[l] = a * x[l] + b * y[l];\n}\n\n"},
    {"added(", "PIECE void added(real *RESTRICT t, real a, const real *x, int n)\n{\n"
               "for (int k = 0; k < n; k++) t[k] += a * x[k];\n}\n\n"},
};

static void write_helpers(fusing *f, const char *body)
{
    text_printf(&f->w.out, "#define STRETCH %d\n\n", BLOCK);
    for (size_t k = 0; k < sizeof on_rows / sizeof *on_rows; k++)
        if (strstr(body, on_rows[k].called)) text_add(&f->w.out, on_rows[k].words);
}

static void write_body(sweeping *s)
{
    fusing  *f = s->f;
    uint8_t *placed = mem_array(f->w.m, s->ops + 1, uint8_t);
    int     *stack = mem_array(f->w.m, 4 * s->ops + 4, int), count = 0, done = 0;
    s->order = mem_array(f->w.m, s->ops + 1, int);
    for (int j = 0; j < f->n; j++) {
        for (int kind = 0; kind < ROW_PARTS; kind++)
            count = put_in_order(s, part_of(s, j, kind), placed, stack, count);
        for (; done < count; done++) write_operation_of(s, s->order[done]);
        write_row(s, j);
    }
    for (int y = 0; y < s->k->outputs; y++)
        text_printf(&f->w.out, "o[%d%s] = %s;\n", y * s->p->lanes, s->p->lanes > 1 ? " + i" : "",
                    value_text(s, s->output[y]));
}

static sweeping sweeping_new(fusing *f)
{
    sweeping s = {.f = f, .p = &f->of[AT_RULE][0], .k = f->of[AT_RULE][0].k};
    if (s.k) open_program(&s);
    return s;
}

/* A Jacobian by its entries costs their operations and their assembly; by a sweep, a call for each
 * row and its blocks. */
bool sweep_pays(fusing *f)
{
    const program *second = &f->of[AT_RULE][1];
    double         entries = 3.0 * second->root.n, sweep = 0;
    if (f->N < SHORTEST || f->phase || f->members || f->linear || !second->k ||
        !f->of[AT_RULE][0].k)
        return false;
    sweeping s = sweeping_new(f);
    find_reaches(&s);
    entries += second->k->instructions - s.k->instructions;
    for (int i = 0; i < s.ops; i++)
        if (is_wide(&s, i))
            sweep += 12 + (double)(end_of(&s, s.op[i].high) - begin_of(&s, s.op[i].low)) / 2;
        else if (depends(&s, i)) sweep += 2 * f->d;
    return sweep < entries || second->k->instructions * f->points[AT_RULE] > WRITTEN_MOST;
}

void sweep_write(fusing *f)
{
    sweeping s = sweeping_new(f);
    text     before = f->w.out;
    f->w.out = text_new(f->w.m);
    find_reaches(&s);
    count_readers(&s);
    fold_products(&s);
    write_body(&s);
    const char *body = text_str(&f->w.out);
    f->w.out = before;
    write_helpers(f, body);
    text_add(&f->w.out,
             "/* The residual's program at point i, and what it adds to the Jacobian. */\n");
    text_printf(&f->w.out,
                "PIECE void swept(const coefficients *c, const int i, %s"
                "real *RESTRICT o, real *RESTRICT J)\n{\nreal T[%d];\n",
                program_arguments(f, s.p), (s.rows + 1) * length(&s));
    text_add(&f->w.out, "(void)i;\n(void)T;\n");
    for (int mu = 0; mu < f->d; mu++)
        text_printf(
            &f->w.out,
            "const real lq%d = R_l[%d + i], lv%d = c->Rv[%d + i];\n(void)lq%d;\n(void)lv%d;\n", mu,
            mu * s.p->lanes, mu, mu * s.p->lanes, mu, mu);
    text_add(&f->w.out, body);
    text_add(&f->w.out, "}\n\n");
}

const char *sweep_call(fusing *f)
{
    const program *p = &f->of[AT_RULE][0];
    return mem_printf(f->w.m, "for (int i = 0; i < %d; i++) swept(c, i, %soR, J);\n",
                      f->points[AT_RULE], program_passed(f, p, AT_RULE));
}
