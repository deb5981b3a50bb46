/* lanes_newton.c - Newton's iteration for a block of members, in loops over all of them: common
 * decisions are made without branches, rare ones member by member.               theory.md [NEWTON]
 *
 * A member is off (0), iterates (GOES), or needs a closer look (ASKS); while it is off its solution
 * stays. With few unknowns the first correction is made together with the prediction, so that
 * nothing in between is stored; the second uses the matrix of the first, where its factors can be
 * kept. */
#include "fuse/lanes.h"

enum { BESIDE_MOST = 4 }; /* unknowns: compilers take twice as long for it */

/* Sizes below FAINT are nothing. */
static const char words_text[] = "#define FAINT (LEAST * 1e18)\nenum { GOES = 1, ASKS = 3 };\n\n";

static bool begins_beside(const fusing *f)
{
    return f->N <= BESIDE_MOST && !is_direct(f);
}

/* Unknowns. ------------------------------------------------------------------------------------ */

/* The prediction from four past solutions, of which the oldest gives its place to the new one. */
static const char *predicted_text(fusing *f)
{
    const int   N = f->N;
    const char *loaded = mem_printf(f->w.m,
                                    "a[k] = a0[k * L + l];\na[%d + k] = a1[k * L + l];\n"
                                    "a[%d + k] = a2[k * L + l];\na[%d + k] = Y[k * L + l];\n",
                                    N, 2 * N, 3 * N);
    const char *sizes =
        mem_printf(f->w.m, "scale[k] = larger(larger(larger(FAINT, y[k]), a[k]), a[%d + k]);\n", N);
    return mem_printf(f->w.m, "real a[%d];\n%spredict(a, y);\n%s", 4 * N, lanes_each(f, N, loaded),
                      lanes_each(f, N, sizes));
}

static const char ring_text[] = "const real *RESTRICT a0, const real *RESTRICT a1,\n"
                                "    const real *RESTRICT a2, real *RESTRICT Y";

static void begin_write(fusing *f)
{
    text_printf(&f->w.out,
                "PIECE void begin(room *RESTRICT m, %s)\n{\n"
                "for (int l = 0; l < L; l++) {\nreal y[%d], scale[%d];\n%s%s"
                "m->eta[l] = 1;\nm->active[l] = m->alive[l];\n}\n}\n\n",
                ring_text, f->N, f->N,
                is_direct(f) ? lanes_each(f, f->N,
                                          "y[k] = scale[k] = 0;\n(void)a0;\n(void)a1;\n"
                                          "(void)a2;\n")
                             : predicted_text(f),
                lanes_each(f, f->N, "Y[k * L + l] = y[k];\nm->scale[k * L + l] = scale[k];\n"));
}

/* Corrections. --------------------------------------------------------------------------------- */

/* delta, and whether the matrix is regular; with pivoting or without */
static const char *solve_text(fusing *f, bool chosen)
{
    const int   N = f->N;
    const char *rows =
        f->linear ? mem_printf(f->w.m, "residual(c, t, q, q_low, p, p_low, par, u, y, r);\n%s",
                               lanes_each(f, N * N, "J[k] = J0[k];\n"))
                  : "linearise(c, t, q, q_low, p, p_low, par, u, y, r, scale, J0, J);\n";
    const char *by = mem_printf(f->w.m,
                                "real w[%d];\nconst int good = divide(J, r, delta, w);\n%s%s"
                                "m->fine[l] = good ? GOES : ASKS;\n",
                                N, lanes_each(f, N * N, "m->LU[k * L + l] = J[k];\n"),
                                lanes_each(f, N, "m->over[k * L + l] = w[k];\n"));
    return mem_printf(f->w.m, "real r[%d], delta[%d], J0[%d], J[%d];\n%s%s%s", N, N, N * N, N * N,
                      lanes_each(f, N * N, "J0[k] = m->J0[k * L + l];\n"), rows,
                      chosen ? "const int good = eliminate(J, r, delta);\n" : by);
}

/* eta, the largest correction d relative to its unknown s; fractions are compared without dividing.
 * It is infinite where the matrix was singular. */
static const char *measure_text(fusing *f, const char *stored)
{
    const char *sized =
        mem_printf(f->w.m,
                   "const real z = y[k] + delta[k], size = fabs(z), d = fabs(delta[k]),\n"
                   "    s = size < scale[k] ? scale[k] : size;\n"
                   "Y[k * L + l] = %s;\nm->delta[k * L + l] = delta[k];\n",
                   stored);
    const char *first = mem_printf(f->w.m, "{\n%smost = d;\nbeside = s;\n}\n", sized);
    const char *other = mem_printf(f->w.m,
                                   "{\n%sconst int larger = d * beside > most * s;\n"
                                   "most = larger ? d : most;\nbeside = larger ? s : beside;\n}\n",
                                   sized);
    return mem_printf(f->w.m, "real most, beside;\n%s%smost = good ? most : HUGE_VALUE;\n",
                      write_with(&f->w, first, "k", "0"), write_sum(&f->w, "k", 1, f->N, other));
}

/* Is a correction small beside the unknowns of its block? */
static const char *small_text(fusing *f)
{
    const int begin[] = {0, f->eq->P}, end[] = {f->eq->lam, f->N};
    text      t = text_new(f->w.m);
    text_add(&t, "int small = 1;\n");
    for (int b = 0; b < 2; b++) {
        if (begin[b] == end[b]) continue;
        text_add(&t, "{\nreal d = 0, s = 0;\n");
        for (int k = begin[b]; k < end[b]; k++)
            text_printf(&t,
                        "d = larger(d, delta[%d]);\ns = larger(s, y[%d] + delta[%d]);\ns = "
                        "larger(s, scale[%d]);\n",
                        k, k, k, k);
        text_add(&t, "small &= (d < REFINED * s) | (d == 0);\n}\n");
    }
    return text_str(&t);
}

/* Was that the last correction (`over`), and if not, is this the common case (`easy`)? */
static const char *stop_text(fusing *f, bool first)
{
    if (is_direct(f)) return "const int over = good, easy = 0;\n";
    if (f->linear)
        return mem_printf(f->w.m,
                          "%sconst int over = good & (%ssmall), easy = good & (eta < FAR);\n",
                          small_text(f), first ? "" : "again | ");
    return first ? "const int over = eta <= SQUARED, easy = eta <= HALF;\n"
                 : "const int over = (eta <= SQUARED) | ((eta < tenth * last) & "
                   "(eta * eta * eta <= EPSILON / 16 * last * last)), easy = eta <= half * last;\n";
}

static const char *decide_text(fusing *f, bool first)
{
    return mem_printf(f->w.m,
                      "%s%s"
                      "const long long on = easy ? GOES : ASKS, go = %s | over ? 0 : on;\n"
                      "m->active[l] = go;\nany |= go;\n%s",
                      is_direct(f) ? "" : "const real eta = most / beside;\n", stop_text(f, first),
                      first ? "(m->alive[l] == 0)" : "off",
                      is_direct(f) ? "" : "m->eta[l] = eta;\n");
}

/* The first correction of all members, from the prediction. */
static void set_out_write(fusing *f)
{
    text_printf(&f->w.out,
                "static long long set_out(room *RESTRICT m, const state *RESTRICT x, %s,\n"
                "    const coefficients *c, real t)\n{\n"
                "long long any = 0;\nfor (int l = 0; l < L; l++) {\n%sreal y[%d], scale[%d];\n"
                "%s%s%s%s%s}\nreturn any;\n}\n\n",
                ring_text, lanes_member(f), f->N, f->N, predicted_text(f),
                solve_text(f, !lanes_divide(f)),
                lanes_each(f, f->N, "m->scale[k * L + l] = scale[k];\n"),
                measure_text(f, lanes_divide(f) ? "good ? z : y[k]" : "z"), decide_text(f, true));
}

static const char limits_text[] =
    "const int again = it > 1;\n"
    "const real tenth = again ? TENTH : 0, half = it > 3 ? 0 : HALF;\n"
    "(void)again;\n(void)tenth;\n(void)half;\n";

static const char *loaded_text(fusing *f)
{
    return mem_printf(
        f->w.m, "%sreal y[%d], scale[%d];\n%s", lanes_member(f), f->N, f->N,
        lanes_each(f, f->N, "y[k] = Y[k * L + l];\nscale[k] = m->scale[k * L + l];\n"));
}

/* One of all that are still at it. */
static void iterate_write(fusing *f)
{
    const bool widened = f->relations && !f->linear;
    text_printf(
        &f->w.out,
        "static long long iterate(room *RESTRICT m, const state *RESTRICT x, real *RESTRICT "
        "Y,\n    const coefficients *c, real t, int it)\n{\nlong long any = 0;\n%s"
        "for (int l = 0; l < L; l++) {\n%s"
        "const int off = m->active[l] == 0;\nconst real last = m->eta[l];\n"
        "m->last[l] = last;\n%s%s%s%s}\nreturn any;\n}\n\n",
        limits_text, loaded_text(f), solve_text(f, !lanes_divide(f)),
        measure_text(f, lanes_divide(f) ? "off | !good ? y[k] : z" : "off ? y[k] : z"),
        widened ? lanes_each(f, f->N, "m->scale[k * L + l] = scale[k];\n") : "",
        decide_text(f, false));
}

/* The second correction, with the matrix of the first: the remaining error is estimated from the
 * ratio of the two, and where it is too large Newton's iteration goes on. */
static void repeat_write(fusing *f)
{
    const int N = f->N;
    text_printf(
        &f->w.out,
        "static long long repeat(room *RESTRICT m, const state *RESTRICT x, real *RESTRICT "
        "Y,\n    const coefficients *c, real t)\n{\nlong long any = 0;\n"
        "for (int l = 0; l < L; l++) {\n%sreal r[%d], delta[%d], J[%d], w[%d];\n%s%s"
        "residual(c, t, q, q_low, p, p_low, par, u, y, r);\ndivide_again(J, w, r, delta);\n"
        "const long long on = m->fine[l];\n"
        "const int off = m->active[l] == 0, good = on == GOES;\n"
        "const real last = m->eta[l];\nm->last[l] = last;\n%s"
        "const real eta = most / beside;\n"
        "const int over = (eta <= EPSILON) | ((eta < TENTH * last) & (eta * eta <= EPSILON / 16 * "
        "last));\n"
        "const long long go = off | over ? 0 : on;\n"
        "m->active[l] = go;\nm->eta[l] = eta;\nany |= go;\n}\nreturn any;\n}\n\n",
        loaded_text(f), N, N, N * N, N, lanes_each(f, N * N, "J[k] = m->LU[k * L + l];\n"),
        lanes_each(f, N, "w[k] = m->over[k * L + l];\n"),
        measure_text(f, "off | !good ? y[k] : z"));
}

/* The correction of one member whose pivots have to be chosen. */
static void help_write(fusing *f)
{
    text_printf(&f->w.out,
                "RARE void help(room *m, const state *x, real *Y, const coefficients *c, real t, "
                "int it, int l)\n{\nlong long any = 0;\n%s%s"
                "const int off = 0;\nconst real last = again ? m->last[l] : 1;\n%s%s%s"
                "(void)any;\n}\n\n",
                limits_text, loaded_text(f), solve_text(f, true), measure_text(f, "z"),
                decide_text(f, false));
}

/* What is rare is decided as newton.c does. */
static const char *judge_text(fusing *f)
{
    if (f->linear) return "const int still = 0, astray = 1;\n(void)x;\n(void)it;\n(void)Y;\n";
    return mem_printf(
        f->w.m,
        "real q[%d], p[%d], y[%d], delta[%d], scale[%d];\n"
        "for (int k = 0; k < %d; k++) { q[k] = x->q[k * L + l]; p[k] = x->p[k * L + l]; }\n"
        "for (int k = 0; k < %d; k++) { y[k] = Y[k * L + l]; delta[k] = m->delta[k * L + l]; "
        "scale[k] = m->scale[k * L + l]; }\n"
        "const real eta = m->eta[l], last = m->last[l];\n"
        "const real whole = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale);\n"
        "const int still = (it > 3 && is_noise(COORDINATES, FIRST_MULTIPLIER, FIRST_MOMENTUM, N, q, "
        "p, delta, y)) ||\n"
        "    (it > 1 && eta > HALF * last && (eta < STAGNANT || whole <= SQUARED));\n"
        "const int astray = (it > 1 ? eta > 4 * last : whole > HALF) || !(eta < FAR);\n",
        f->n, f->n, f->N, f->N, f->N, f->n, f->N);
}

static void look_write(fusing *f)
{
    text_printf(&f->w.out,
                "RARE long long look_at(room *m, const state *x, real *Y, const coefficients *c, "
                "real t, int it)\n{\n(void)c;\n(void)t;\n"
                "long long any = 0;\nfor (int l = 0; l < L; l++) {\n%sif (m->active[l] == ASKS) {\n"
                "%sif (still || astray) m->active[l] = 0;\n"
                "if (astray && !still) m->alive[l] = 0, m->lost = 1;\n}\n"
                "any |= m->active[l];\n}\nreturn any;\n}\n\n",
                lanes_divide(f)
                    ? "if (m->active[l] == ASKS && !(m->eta[l] < HUGE_VALUE)) help(m, x, "
                      "Y, c, t, it, l);\n"
                    : "",
                judge_text(f));
}

void lanes_newton_write(fusing *f)
{
    text_add(&f->w.out, words_text);
    lanes_solve_write(f);
    if (begins_beside(f)) set_out_write(f);
    else begin_write(f);
    iterate_write(f);
    if (lanes_divide(f)) repeat_write(f), help_write(f);
    look_write(f);
}

/* How the iteration begins: with a correction at the prediction, or with the prediction alone. */
static const char *begin_call(fusing *f, const char *t, const char *before, const char *look)
{
    if (!begins_beside(f)) return mem_printf(f->w.m, "any = 1;\nbegin(&m, %s, Y);\n", before);
    return mem_printf(f->w.m, "any = set_out(&m, x, %s, Y, &c, %s);\n%s", before, t,
                      write_with(&f->w, look, "it", "1"));
}

/* Y, the solution of all members, in the place of the oldest that is kept of this substep. */
const char *lanes_newton_call(fusing *f, const char *t, const char *ring, const char *head)
{
    text before = text_new(f->w.m);
    for (int a = 1; a < 4; a++)
        text_printf(&before, "%s%s + ((%s + %d) & 3) * %d * L", a > 1 ? ", " : "", ring, head, a,
                    f->N);
    const char *look =
        mem_printf(f->w.m, "if (any & ASKS & ~GOES) any = look_at(&m, x, Y, &c, %s, it);\n", t);
    return mem_printf(
        f->w.m,
        "%sfor (int it = %d; it <= ITERATIONS && any; it++) {\n"
        "any = %siterate(&m, x, Y, &c, %s, it);\n%s}\n",
        begin_call(f, t, text_str(&before), look), begins_beside(f) ? 2 : 1,
        lanes_divide(f) ? mem_printf(f->w.m, "it == 2 ? repeat(&m, x, Y, &c, %s) : ", t) : "", t,
        look);
}
