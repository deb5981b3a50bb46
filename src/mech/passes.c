/* passes.c - the text of the passes, and their calls. */
#include "mech/passes.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"
#include "model/runs.h"

enum { OF_FORCE = 1u << ROW_F,
       OF_MOMENTUM = 1u << ROW_LQ | OF_FORCE,
       OF_RESIDUAL = 1u << ROW_LW | 1u << ROW_LQ | 1u << ROW_F,
       OF_JACOBIAN = OF_RESIDUAL | 1u << ROW_LWW | 1u << ROW_LQQ | 1u << ROW_FQ | 1u << ROW_FW,
       REACH = 1, HALO_MOST = 1024 };

typedef struct { /* the text declares the same */
    const row_reads *s;
    const double    *c;
    const double    *q, *q_low, *z, *p, *p_low;
    double           l, slope; /* q + l z, v = slope z */
    int              n;
    double          *r, *values;
} pass;

typedef void (*pass_function)(const pass *a, int from, int to);

struct passes {
    const row_plan *plan;
    row_reads       reads;
    double          c[ROW_SOURCES];
    crew           *hands;
    pass_function   residual, jacobian, momentum, force;
};

static const char DECLARATIONS[] =
    "struct pass { const struct rows *s; const double *c, *q, *q_low, *z, *p, *p_low; double l, slope; int n;\n"
    "              double *r, *values; };\n";

/* Points of the curve around a stretch of rows, and its end. */
static void write_points(text *out, int halo)
{
    text_printf(out,
                "    for (int a = from; a < to; a += %d) {\n"
                "        const int b = a + %d < to ? a + %d : to, low = a > %d ? a - %d : 0;\n"
                "        const int high = b + %d < x->n ? b + %d : x->n;\n"
                "        const double *restrict base = x->q + low, *restrict rest = x->q_low + low;\n"
                "        const double *restrict z = x->z + low;\n"
                "        double Q[%d], W[%d];\n"
                "        for (int i = 0; i < high - low; i++) {\n"
                "            Q[i] = base[i] + (rest[i] + x->l * z[i]);\n"
                "            W[i] = x->slope * z[i];\n"
                "        }\n",
                ROWS_TILE, ROWS_TILE, ROWS_TILE, halo, halo, halo, halo, ROWS_TILE + 2 * halo,
                ROWS_TILE + 2 * halo);
}

/* One pass: points, loops, and what becomes of the sums. */
static void write_pass(const row_plan *plan, const char *called, unsigned wanted, const char *end, text *out)
{
    text_printf(out, "void %s(const struct pass *x, int from, int to)\n{\n", called);
    text_add(out, "    const struct rows *s = x->s;\n    const double *c = x->c;\n");
    write_points(out, row_plan_halo(plan));
    text_add(out, "    const double *restrict q = Q, *restrict w = W;\n    const int first = low;\n"
                  "    (void)q, (void)w, (void)first;\n");
    row_plan_loops(plan, wanted, out);
    for (int plane = 0; plane < (wanted == OF_JACOBIAN ? 4 : 1); plane++) {
        text_printf(out, "#define SUM%d (", plane);
        row_plan_sum(plan, wanted, plane, out);
        text_add(out, ")\n");
    }
    text_printf(out, "%s    }\n}\n#undef SUM0\n#undef SUM1\n#undef SUM2\n#undef SUM3\n", end);
}

static void write_text(const row_plan *plan, text *out)
{
    static const char of_p[] = "        const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;\n"
                               "        double *restrict r = x->r + a;\n"
                               "        for (int i = 0; i < b - a; i++) r[i] = (p[i] + SUM0) + p_low[i];\n";
    static const char alone[] = "        double *restrict r = x->r + a;\n"
                                "        for (int i = 0; i < b - a; i++) r[i] = SUM0;\n";
    static const char of_J[] =
        "        double *restrict row = x->values + 3 * (long)a;\n"
        "        const int head = a == 0, tail = b == x->n, last = b - a - 1;\n"
        "        if (head) { const int i = 0; row[0] = SUM2, row[1] = SUM3; }\n"
        "        for (int i = head; i < b - a - tail; i++)\n"
        "            row[3 * i - 1] = SUM1, row[3 * i] = SUM2, row[3 * i + 1] = SUM3;\n"
        "        if (tail) { const int i = last; row[3 * i - 1] = SUM1, row[3 * i] = SUM2; }\n";
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prototypes(out);
    row_plan_declare(plan, out);
    text_add(out, DECLARATIONS);
    write_pass(plan, "residual", OF_RESIDUAL, of_p, out);
    write_pass(plan, "momentum", OF_MOMENTUM, alone, out);
    write_pass(plan, "force", OF_FORCE, alone, out);
    write_pass(plan, "jacobian", OF_JACOBIAN, mem_printf(out->m, "%s%s", of_p, of_J), out);
}

static bool is_tridiagonal(const pattern *J)
{
    if (pattern_count(J) != 3 * J->rows - 2) return false;
    for (int i = 0; i < J->rows; i++)
        if (J->column[J->start[i]] < i - 1 || J->column[J->start[i + 1] - 1] > i + 1) return false;
    return true;
}

static bool fits(const equations *eq)
{
    return eq->single && !eq->shot && eq->sys->row_plan && eq->sys->varies[F_LQW] == FIELD_ZERO &&
           is_tridiagonal(&eq->J);
}

passes *passes_new(mem *m, const equations *eq, crew *hands, text *why)
{
    const row_plan *plan = fits(eq) ? eq->sys->row_plan(eq->sys->self, m, OF_JACOBIAN, REACH) : NULL;
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    text words = text_new(m);
    write_text(plan, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    if (!lib) return NULL;
    passes *p = mem_array(m, 1, passes);
    p->plan = plan, p->hands = hands;
    p->residual = (pass_function)native_symbol(lib, "residual");
    p->jacobian = (pass_function)native_symbol(lib, "jacobian");
    p->momentum = (pass_function)native_symbol(lib, "momentum");
    p->force = (pass_function)native_symbol(lib, "force");
    return p->residual && p->jacobian && p->momentum && p->force ? p : NULL;
}

typedef struct {
    const pass   *x;
    pass_function call;
} share;

static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    int          from, to;
    crew_range(s->x->n, ROWS_TILE, part, parts, &from, &to);
    s->call(s->x, from, to);
}

static void call_pass(passes *p, const equations *eq, const double *y, double *out, pass_function call)
{
    const basis *at = &eq->rule.at[eq->mirrored];
    eq->sys->row_reads(eq->sys->self, p->plan, eq->t + eq->rule.x[eq->mirrored][0] * eq->h, &p->reads);
    pass x = {.s = &p->reads, .c = p->c, .q = eq->q, .q_low = eq->q_low, .z = y, .p = eq->p, .p_low = eq->p_low,
              .l = at->l[1], .slope = at->dl[1] / eq->h, .n = eq->n, .r = out, .values = eq->values};
    share s = {&x, call};
    crew_work(p->hands, do_share, &s);
}

/*     R = p_0 + c_w L_w + c_q (L_q + f);   dR/dZ = b [l'_0 l'_1 L_ww / h + h l_0 l_1 (L_qq + f_q) + l_0 l'_1 f_w]
 *                                                                                       theory.md [GALERKIN] */
void passes_residual(passes *p, const equations *eq, const double *y, double *r, bool with_jacobian)
{
    const basis *at = &eq->rule.at[eq->mirrored];
    const double cw = eq->cw[0], cq = eq->cq[0], l = at->l[1], slope = at->dl[1] / eq->h;
    const double c[ROW_SOURCES] = {[ROW_LW] = cw,          [ROW_LQ] = cq,      [ROW_F] = cq,
                                   [ROW_LWW] = cw * slope, [ROW_LQQ] = cq * l, [ROW_FQ] = cq * l,
                                   [ROW_FW] = cq * slope};
    for (int k = 0; k < ROW_SOURCES; k++) p->c[k] = c[k];
    call_pass(p, eq, y, r, with_jacobian ? p->jacobian : p->residual);
}

void passes_momentum(passes *p, const equations *eq, const double *y, double *dp)
{
    for (int k = 0; k < ROW_SOURCES; k++) p->c[k] = 0;
    p->c[ROW_LQ] = p->c[ROW_F] = eq->h * eq->rule.b[0];
    call_pass(p, eq, y, dp, p->momentum);
}

double passes_work(passes *p, const equations *eq, const double *y, double *room)
{
    const double slope = eq->rule.at[eq->mirrored].dl[1];
    double       sum = 0;
    for (int k = 0; k < ROW_SOURCES; k++) p->c[k] = 0;
    p->c[ROW_F] = eq->rule.b[0];
    call_pass(p, eq, y, room, p->force);
    for (int j = 0; j < eq->n; j++) sum += room[j] * (slope * y[j]);
    return sum;
}
