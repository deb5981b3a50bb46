/* settle.c - mech/stepper/project.c as generated code: after a step the state is moved along the
 * directions U without inertia until the equations there hold. Their matrix is small; here the
 * directions do not turn, and come with the state or stand in a table.    theory.md [DEGENERATE] */
#include "fuse/inside.h"

/* Of a field at one point, by coordinates: "oR[3]", or NULL where it is zero. */
static const char *entry(fusing *f, const program *p, field_name of, int row, int col)
{
    const int at = program_slot(p, of, row, col);
    return at < 0 ? NULL : mem_printf(f->w.m, "oR[%d]", at);
}

/* sign a + b, of which either may be zero; NULL: both are. */
static const char *sum_of(fusing *f, const char *a, const char *sign, const char *b)
{
    if (!b) return a;
    return mem_printf(f->w.m, "%s %s %s", a ? a : "", sign, b);
}

static void choose(fusing *f, program *p)
{
    static const bool wanted[FIELDS] = {
        [FIELD_LQ] = true,  [FIELD_LW] = true, [FIELD_LWT] = true, [FIELD_LQQ] = true,
        [FIELD_LQW] = true, [FIELD_F] = true,  [FIELD_FQ] = true,  [FIELD_FW] = true};
    program_init(f, p, "settled", 1);
    for (int k = 0; k < f->f->roots; k++)
        if (wanted[f->f->root[k].of]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
}

/* Where the equations are, and everything there. */
static void evaluate_write(fusing *f, const program *p)
{
    text *t = &f->w.out;
    text_printf(t, "real size = 0, oR[%d];\n", p->slots ? p->slots : 1);
    text_add(t, write_loop(&f->w, "j", f->n,
                           "at[j] = q[j] + (q_low[j] + dq[j]);\n"
                           "if (fabs(at[j]) > size) size = fabs(at[j]);"));
    text_add(t, program_call(f, p, AT_RULE));
}

/* A matrix of the system times the directions:  y_ib = sum_j m_ij U_bj */
static void along_write(fusing *f, const program *p, int K,
                        const char *(*of)(fusing *f, const program *p, int i, int j))
{
    text *t = &f->w.out;
    text_add(t, write_loop(&f->w, "k", f->n * K, "y[k] = 0;"));
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++) {
            const char *m = of(f, p, i, j);
            if (!m) continue;
            text_printf(t, "{\nconst real m = %s;\n", m);
            text_add(t, write_loop(&f->w, "b", K,
                                   mem_printf(f->w.m, "y[%d + b] += m * U[b * %d + %d];", i * K,
                                              f->n, j)));
            text_add(t, "}\n");
        }
}

static const char *stiffness(fusing *f, const program *p, int i, int j)
{
    return sum_of(f, entry(f, p, FIELD_LQQ, i, j), "+", entry(f, p, FIELD_FQ, i, j));
}

/* L_qw + f_w: what a velocity makes of momentum */
static const char *dragged(fusing *f, const program *p, int i, int j)
{
    return sum_of(f, entry(f, p, FIELD_LQW, i, j), "+", entry(f, p, FIELD_FW, i, j));
}

static const char *pushed(fusing *f, const program *p, int i, int j)
{
    return sum_of(f, dragged(f, p, i, j), "-", entry(f, p, FIELD_LQW, j, i));
}

static void drag_write(fusing *f, const program *p)
{
    for (int i = 0; i < f->n; i++) {
        text_printf(&f->w.out, "dp[%d] = 0", i);
        for (int j = 0; j < f->n; j++) {
            const char *m = dragged(f, p, i, j);
            if (m) text_printf(&f->w.out, " + (%s) * dq[%d]", m, j);
        }
        text_add(&f->w.out, ";\n");
    }
}

/* x_a = sum_i W_ai r_i,   a_ab = sum_i W_ai y_ib,   then dq -= U^T a^-1 x */
static void correct_write(fusing *f, int K, const char *W, const char *leave)
{
    text       *t = &f->w.out;
    const char *row = mem_printf(f->w.m, "x[e] += %s[e * %d + j] * r[j];\n%s", W, f->n,
                                 write_loop(&f->w, "b", K,
                                            mem_printf(f->w.m,
                                                       "a[e * %d + b] += %s[e * %d + j] * y[j * %d "
                                                       "+ b];",
                                                       K, W, f->n, K)));
    text_add(t, write_loop(&f->w, "e", K, "x[e] = 0;"));
    text_add(t, write_loop(&f->w, "k", K * K, "a[k] = 0;"));
    text_printf(t, "for (int e = 0; e < %d; e++) {\n%s}\n", K, write_loop(&f->w, "j", f->n, row));
    text_printf(t, "change = settled_by(%d, a, x);\nif (!(change <= MOST)) %s;\n", K, leave);
    text_printf(
        t, "for (int e = 0; e < %d; e++) {\n%s}\n", K,
        write_loop(&f->w, "j", f->n, mem_printf(f->w.m, "dq[j] -= x[e] * U[e * %d + j];", f->n)));
}

/* One point, where the equations are. */
static const char *point_text(fusing *f)
{
    return mem_printf(f->w.m,
                      "const real tR[1] = {t}, *const vR = v, *const wR = v;\n"
                      "real at[%d], *const qR = at;\n"
                      "(void)tR;\n(void)vR;\n(void)wR;\n(void)par;\n(void)u;\n",
                      f->n);
}

static void open_write(fusing *f, const char *title, int K, int iterations)
{
    text *t = &f->w.out;
    text_printf(t,
                "PIECE void %s(real t, const real *v, const real *U, const real *W, "
                "const real *par,\n"
                "    const real *u, real *q, real *q_low, real *p, real *p_low)\n{\n%s"
                "real dq[%d], dp[%d], r[%d], y[%d], x[%d], a[%d], before = HUGE_VALUE, change;\n"
                "int settles = 0;\n(void)W;\n",
                title, point_text(f), f->n, f->n, f->n, f->n * K, K, K * K);
    text_add(t, write_loop(&f->w, "j", f->n, "dq[j] = 0;"));
    text_printf(t, "for (int it = 0; it < %d && !settles; it++) {\n", iterations);
}

static void close_write(fusing *f)
{
    text *t = &f->w.out;
    text_add(t, "before = change;\n}\nif (settles) move(dq, 1, dp, q, q_low, p, p_low);\n}\n\n");
}

/* Where only stiffness acts:  W (L_q + f - L_wq v - L_wt) = 0   (mech/project/algebraic.c) */
static void forces_write(fusing *f, const program *p, int K)
{
    text *t = &f->w.out;
    open_write(f, "settle_forces", K, 30);
    evaluate_write(f, p);
    for (int i = 0; i < f->n; i++) {
        const char *force =
            sum_of(f, entry(f, p, FIELD_LQ, i, -1), "+", entry(f, p, FIELD_F, i, -1));
        force = sum_of(f, force, "-", entry(f, p, FIELD_LWT, i, -1));
        text_printf(t, "r[%d] = %s", i, force ? force : "0");
        for (int j = 0; j < f->n; j++) {
            const char *Lwq = entry(f, p, FIELD_LQW, j, i);
            if (Lwq) text_printf(t, " - %s * v[%d]", Lwq, j);
        }
        text_add(t, ";\n");
    }
    along_write(f, p, K, stiffness);
    correct_write(f, K, "W", "return");
    text_add(t, "settles = change <= EPSILON * size || (it > 0 && change < SQUARED * size);\n"
                "if (settles) {\n");
    drag_write(f, p);
    text_add(t, "} else if (change > 2 * before) return;\n");
    close_write(f);
}

/* Where L is of first order:  U (p + (L_qw + f_w) dq - L_w) = 0, from dq on
 * (mech/project/primary.c) */
static void momenta_write(fusing *f, const program *p, int K)
{
    text *t = &f->w.out;
    text_printf(t,
                "/* dq and dp with which q and p belong together; 0: none were found. */\n"
                "PIECE int settle_momenta(real t, const real *v, const real *U, const real *par,\n"
                "    const real *u, const real *q, const real *q_low, const real *p, real *dq, "
                "real *dp)\n{\n%sreal r[%d], y[%d], x[%d], a[%d];\n"
                "real before = HUGE_VALUE, change, rest = HUGE_VALUE;\n"
                "for (int it = 0; it < 10; it++) {\n",
                point_text(f), f->n, f->n * K, K, K * K);
    evaluate_write(f, p);
    drag_write(f, p);
    for (int i = 0; i < f->n; i++) {
        const char *Lw = entry(f, p, FIELD_LW, i, -1);
        text_printf(t, "r[%d] = p[%d]%s + dp[%d];\n", i, i,
                    Lw ? mem_printf(f->w.m, " - %s", Lw) : "", i);
    }
    text_add(t, "if (rest <= EPSILON / 2 * size) return 1;\n");
    along_write(f, p, K, pushed);
    correct_write(f, K, "U", "return 0");
    text_add(t, "if (change > 2 * before) return 0;\nreal rate = 0;\n");
    text_add(t, write_loop(&f->w, "j", f->n, "if (fabs(dq[j]) > rate) rate = fabs(dq[j]);"));
    text_add(t, "rate = size > 0 && 8 * rate < size ? 8 * rate / size : 1;\n"
                "if (it && change / before < rate) rate = change / before;\n"
                "rest = change * rate;\nbefore = change;\n}\nreturn 0;\n}\n\n");
}

/* What a move dq makes of momenta where it begins. */
static void begin_write(fusing *f, const program *p)
{
    text *t = &f->w.out;
    text_printf(t,
                "PIECE void begin_settled(real t, const real *v, const real *par, const real *u,\n"
                "    const real *q, const real *q_low, const real *dq, real *dp)\n{\n%s"
                "real oR[%d];\n",
                point_text(f), p->slots ? p->slots : 1);
    text_add(t, write_loop(&f->w, "j", f->n, "at[j] = q[j] + q_low[j];"));
    text_add(t, program_call(f, p, AT_RULE));
    drag_write(f, p);
    text_add(t, "}\n\n");
}

/* Are there moves after a whole step? Others are made at both ends of every curve. */
bool settles_after(const fusing *f)
{
    const stepper *st = f->st;
    return stepper_projects(st) && (st->massless.algebraic.k || !st->massless.ends.fits);
}

void settle_write(fusing *f)
{
    const stepper *st = f->st;
    text          *t = &f->w.out;
    program        p;
    const int      first = st->grid.resistive * f->n, count = st->grid.k * f->n;
    if (f->exported) {
        write_table(&f->w, "MOVES", st->grid.U, count);
        if (settles_after(f)) write_table(&f->w, "ALONG", st->grid.W, count);
    }
    choose(f, &p);
    program_write(f, &p);
    verbatim(f, "settle.h");
    if (st->massless.primary.k) momenta_write(f, &p, st->massless.primary.k);
    if (st->massless.ends.fits) begin_write(f, &p);
    if (st->massless.algebraic.k) forces_write(f, &p, st->massless.algebraic.k);
    if (!settles_after(f)) return;
    text_printf(t,
                "/* After a step of h, whose last curve is y. */\n"
                "PIECE void settle(real t, real h, const real *y, const real *U, const real *W,\n"
                "    const real *par, const real *u, real *q, real *q_low, real *p, real *p_low)\n"
                "{\nreal v[%d];\nslope_at_end(y, h, v);\n",
                f->n);
    if (!st->massless.ends.fits && st->massless.primary.k)
        text_printf(t,
                    "{\nreal dq[%d] = {0}, dp[%d];\n"
                    "if (settle_momenta(t, v, U, par, u, q, q_low, p, dq, dp))\n"
                    "move(dq, 1, dp, q, q_low, p, p_low);\n}\n",
                    f->n, f->n);
    if (st->massless.algebraic.k)
        text_printf(t, "settle_forces(t, v, U + %d, W + %d, par, u, q, q_low, p, p_low);\n", first,
                    first);
    else text_add(t, "(void)W;\n(void)p_low;\n");
    text_add(t, "}\n\n");
}
