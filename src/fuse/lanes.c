/* lanes.c - the step of many members of an ensemble at once: every array has a place for each of
 * them, and what is done for one is straight-line code in a plain loop over all, which compilers
 * turn into vector instructions.
 *
 * A member that has converged keeps its solution while others go on, so what comes out for it does
 * not depend on its company. One whose iteration fails is given up, and has to be run by itself. */
#include "mech/lanes.h"
#include "fuse/inside.h"

#include <string.h>

static const char state_text[] = "#include <math.h>\n\n"
                                 "typedef struct {\n"
                                 "double from, h;\nlong k;\n"
                                 "double *q, *q_low, *p, *p_low, *past;\nint *head;\n"
                                 "const double *par, *u;\ndouble *work;\nlong long *alive;\n"
                                 "} lane_state;\n\nlong lane_steps(lane_state *s, long count);\n\n";

static const char piece_text[] =
    "#ifdef __GNUC__\n#define PIECE static inline __attribute__((always_inline))\n#define inline "
    "__inline__ __attribute__((always_inline))\n"
    "#else\n#define PIECE static inline\n#endif\n";

enum { UNKNOWNS_MOST = 12, WRITTEN_MOST = 6000 }; /* compilers take long for more */

bool lanes_fit(const fusing *f)
{
    int written = f->N * f->N * f->N;
    for (point_set set = 0; set < SETS; set++)
        if (f->points[set] && f->of[set][1].k)
            written += f->points[set] * f->of[set][1].k->instructions;
    return f->N <= UNKNOWNS_MOST && written <= WRITTEN_MOST;
}

void lanes_open(fusing *f)
{
    text_add(&f->w.out, state_text);
}

void lanes_pieces(fusing *f)
{
    text_printf(&f->w.out, "%s#define L %d\n", piece_text, LANES);
}

/* count statements, with k in each */
static const char *each(fusing *f, int count, const char *body)
{
    return write_loop(&f->w, "k", count, body);
}

/* Parameters and inputs. ----------------------------------------------------------------------- */

typedef struct {
    int  n, most; /* how many are read, and the largest index of them + 1 */
    int *index;
} still_values;

static still_values still_of(fusing *f, read_from from)
{
    still_values s = {.index = mem_array(f->w.m, f->f->variables + 1, int)};
    for (int k = 0; k < f->f->variables; k++) {
        if (f->f->variable[k].from != from) continue;
        s.index[s.n++] = f->f->variable[k].index;
        if (f->f->variable[k].index >= s.most) s.most = f->f->variable[k].index + 1;
    }
    return s;
}

static const char *still_text(fusing *f, read_from from, const char *array, bool load)
{
    still_values s = still_of(f, from);
    text         t = text_new(f->w.m);
    if (!load) text_printf(&t, "real %s[%d];\n", array, s.most ? s.most : 1);
    for (int k = 0; k < s.n; k++) {
        if (load)
            text_printf(&t, "m->%s[%d + l] = s->%s[%d + l];\n", array, k * LANES, array,
                        s.index[k] * LANES);
        else text_printf(&t, "%s[%d] = m->%s[%d + l];\n", array, s.index[k], array, k * LANES);
    }
    text_printf(&t, load ? "" : "(void)%s;\n", array);
    return text_str(&t);
}

/* The room that the members of a block work in. ------------------------------------------------ */

static void room_write(fusing *f)
{
    static const char *const of_n[] = {"q", "q_low", "p", "p_low"};
    static const char *const of_N[] = {"y", "scale", "delta"};
    const int                par = still_of(f, READ_PARAMETER).n, u = still_of(f, READ_INPUT).n;
    text_add(&f->w.out, "typedef struct {\n");
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
        text_printf(&f->w.out, "real %s[%d * L];\n", of_n[k], f->n);
    text_add(&f->w.out, "real work[L];\n} state;\n\ntypedef struct {\n");
    for (size_t k = 0; k < sizeof of_N / sizeof *of_N; k++)
        text_printf(&f->w.out, "real %s[%d * L];\n", of_N[k], f->N);
    text_printf(&f->w.out,
                "real par[%d * L], u[%d * L], J0[%d * L], eta[L], last[L];\n"
                "long long active[L], alive[L], begun[L], ask[L];\n} room;\n\n",
                par ? par : 1, u ? u : 1, f->N * f->N);
}

/* The state of member l, as the functions of one member want it. */
static const char *member_text(fusing *f)
{
    return mem_printf(
        f->w.m, "real q[%d], q_low[%d], p[%d], p_low[%d];\n%s%s%s", f->n, f->n, f->n, f->n,
        each(f, f->n,
             "q[k] = x->q[k * L + l];\nq_low[k] = x->q_low[k * L + l];\n"
             "p[k] = x->p[k * L + l];\np_low[k] = x->p_low[k * L + l];\n"),
        still_text(f, READ_PARAMETER, "par", false), still_text(f, READ_INPUT, "u", false));
}

/* Newton. -------------------------------------------------------------------------------------- */

static const char widen_text[] =
    "/* Roundoff in p leaves p/(h w A) in a multiplier. */\n"
    "PIECE void widen(real *scale, real p, real impulse)\n{\n"
    "const real x = p / impulse;\n"
    "*scale = (p > *scale * impulse) & (impulse > 0) ? x : *scale;\n}\n\n";

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

static const char *stop_text(fusing *f)
{
    if (f->linear && f->eq->diagonal) return "const int stop = 1, odd = 0;\n(void)it;\n";
    if (f->linear)
        return mem_printf(f->w.m,
                          "%sconst int stop = (last < HUGE_VALUE) | small, odd = 0;\n(void)it;\n",
                          small_text(f));
    return "const int again = last < HUGE_VALUE;\n"
           "const int stop = (eta <= SQUARED) | (again & (eta < TENTH * last) & (eta * eta * eta "
           "<= "
           "EPSILON / 16 * last * last));\n"
           "const int odd = late | (again & (eta > HALF * last)) | (first & (eta > HALF));\n";
}

/* One iteration of all members that are still at it; how many of them have to be looked at, and
 * whether any go on. */
static void iterate_write(fusing *f)
{
    text       *out = &f->w.out;
    const int   N = f->N;
    const char *widened = f->relations ? "scale, " : "";
    text_add(out, "static long long iterate(room *RESTRICT m, const state *RESTRICT x,\n"
                  "    const coefficients *c, real t, int it, long long *look)\n{\n"
                  "long long any = 0, asked = 0;\nconst int late = it > 3, first = it == "
                  "1;\n(void)late;\n(void)first;\n"
                  "for (int l = 0; l < L; l++) {\n");
    text_printf(out, "%sreal y[%d], r[%d], delta[%d], scale[%d], J0[%d], J[%d];\n", member_text(f),
                N, N, N, N, N * N, N * N);
    text_add(out, each(f, N, "y[k] = m->y[k * L + l];\nscale[k] = m->scale[k * L + l];\n"));
    text_add(out, each(f, N * N, "J0[k] = m->J0[k * L + l];\n"));
    if (f->linear)
        text_printf(out, "residual(c, t, q, q_low, p, p_low, par, u, y, r);\n%s",
                    each(f, N * N, "J[k] = J0[k];\n"));
    else text_printf(out, "linearise(c, t, q, q_low, p, p_low, par, u, y, r, %sJ0, J);\n", widened);
    /* the largest correction beside its unknown, d/s; fractions are compared without dividing */
    text_add(out, "int good = eliminate(J, r, delta);\nconst int on = m->active[l] != 0;\n"
                  "const real last = m->eta[l];\nreal most = 0, beside = 1;\n");
    text_add(out,
             each(f, N,
                  "{\nconst real z = y[k] + delta[k], d = fabs(delta[k]), a = fabs(z), s = a "
                  "< scale[k] ? scale[k] : a;\nconst int larger = (d >= LEAST) & (d * beside > "
                  "most * s);\ngood &= d <= MOST;\nmost = larger ? d : most;\n"
                  "beside = larger ? s : beside;\nm->y[k * L + l] = on ? z : y[k];\n"
                  "m->delta[k * L + l] = delta[k];\n}\n"));
    text_add(out, "const real eta = most / beside;\n");
    if (f->relations && !f->linear) text_add(out, each(f, N, "m->scale[k * L + l] = scale[k];\n"));
    text_add(out, stop_text(f));
    text_add(out,
             "const int far = (eta > 4 * last) | !(eta < FAR), going = on & good & !stop;\n"
             "const long long ask = (going & odd) ? 1 : 0, go = (going & (odd | !far)) ? 1 : 0;\n"
             "const int lost = (on & !good) | (going & !odd & far);\n"
             "m->alive[l] = lost ? 0 : m->alive[l];\nm->active[l] = go;\nm->ask[l] = ask;\n"
             "m->last[l] = last;\nm->eta[l] = eta;\nany |= go;\nasked |= ask;\n}\n*look = "
             "asked;\nreturn any;\n}\n\n");
}

/* What is rare is decided one by one, as newton.c does. */
static void look_write(fusing *f)
{
    text     *out = &f->w.out;
    const int N = f->N, n = f->n;
    if (f->linear) return;
    text_printf(out,
                "static long long look_at(room *m, const state *x, int it)\n{\nlong long any = 0;\n"
                "for (int l = 0; l < L; l++) {\n"
                "if (m->ask[l]) {\nreal q[%d], p[%d], y[%d], delta[%d], scale[%d];\n"
                "for (int k = 0; k < %d; k++) { q[k] = x->q[k * L + l]; p[k] = x->p[k * L + l]; }\n"
                "for (int k = 0; k < %d; k++) { y[k] = m->y[k * L + l]; delta[k] = m->delta[k * L "
                "+ l]; scale[k] = m->scale[k * L + l]; }\n",
                n, n, N, N, N, n, N);
    text_add(out, "const real eta = m->eta[l], last = m->last[l];\n"
                  "const int noise = it > 3 && is_noise(q, p, delta, y);\n"
                  "const int still = last < HUGE_VALUE && eta > HALF * last && (eta < STAGNANT || "
                  "overall(delta, y, scale) <= SQUARED);\n"
                  "const int astray = eta > 4 * last || !(eta < FAR) || (it == 1 && eta > HALF && "
                  "overall(delta, y, scale) > HALF);\n"
                  "if (noise || still) m->active[l] = 0;\nelse if (astray) m->active[l] = "
                  "m->alive[l] = 0;\n}\n"
                  "any |= m->active[l];\n}\nreturn any;\n}\n\n");
}

/* Steps. --------------------------------------------------------------------------------------- */

/* The prediction from four past solutions, newest first, and the scale of each unknown. */
static void begin_write(fusing *f)
{
    text     *out = &f->w.out;
    const int N = f->N;
    if (is_direct(f)) {
        text_printf(out,
                    "static void begin(room *RESTRICT m)\n{\nfor (int l = 0; l < L; l++) {\n%s"
                    "m->eta[l] = HUGE_VALUE;\nm->active[l] = m->begun[l] = m->alive[l];\n}\n}\n\n",
                    each(f, N, "m->y[k * L + l] = 0;\nm->scale[k * L + l] = 0;\n"));
        return;
    }
    text_add(out, "PIECE void begin_with(room *RESTRICT m, const real *RESTRICT a0, const real "
                  "*RESTRICT a1,\n"
                  "    const real *RESTRICT a2, const real *RESTRICT a3)\n{\nfor (int l = 0; l < "
                  "L; l++) {\n");
    text_printf(out, "real y[%d], a[%d];\n%spredict(a, y);\n", N, 4 * N,
                each(f, N,
                     mem_printf(f->w.m,
                                "a[k] = a0[k * L + l];\na[%d + k] = a1[k * L + l];\n"
                                "a[%d + k] = a2[k * L + l];\na[%d + k] = a3[k * L + l];\n",
                                N, 2 * N, 3 * N)));
    text_add(out, each(f, N,
                       mem_printf(f->w.m,
                                  "{\nconst real s = larger(larger(fabs(y[k]), a[k]), a[%d + k]);\n"
                                  "m->scale[k * L + l] = s;\nm->y[k * L + l] = y[k];\n}\n",
                                  N)));
    text_add(out,
             "m->eta[l] = HUGE_VALUE;\nm->active[l] = m->begun[l] = m->alive[l];\n}\n}\n\n"
             "static void begin(room *RESTRICT m, const real *past, int head)\n{\nbegin_with(m");
    for (int a = 0; a < 4; a++) text_printf(out, ", past + ((head + %d) & 3) * %d * L", a, N);
    text_add(out, ");\n}\n\n");
}

/* The state z at the end of a step from x; whether a member has not converged, or is not finite. */
static void conclude_write(fusing *f)
{
    text     *out = &f->w.out;
    const int d = f->d;
    text_printf(out,
                "static long long conclude(room *RESTRICT m, const state *RESTRICT x,\n"
                "    state *RESTRICT z, const coefficients *c, real t, real *RESTRICT to)\n"
                "{\nlong long lost = 0;\nfor (int l = 0; l < L; l++) {\n"
                "%sreal y[%d], dp[%d], finite = 0;\n",
                member_text(f), f->N, f->n);
    text_add(out, each(f, f->N, "y[k] = m->y[k * L + l];\nto[k * L + l] = y[k];\n"));
    text_add(out, "z->work[l] = x->work[l] + finish(c, t, q, q_low, par, u, y, dp);\n");
    text_add(out, each(f, f->n,
                       mem_printf(f->w.m,
                                  f->plain ? "q[k] += y[k * %d + %d];\np[k] += dp[k];\n"
                                           : "add(&q[k], &q_low[k], y[k * %d + %d]);\nadd(&p[k], "
                                             "&p_low[k], dp[k]);\n",
                                  d, d - 1)));
    text_add(out, each(f, f->n,
                       "finite += 0 * dp[k];\nz->q[k * L + l] = q[k];\n"
                       "z->q_low[k * L + l] = q_low[k];\nz->p[k * L + l] = p[k];\n"
                       "z->p_low[k * L + l] = p_low[k];\n"));
    text_add(out, "const long long alive = (finite == 0) & (m->active[l] == 0) ? m->alive[l] : 0;\n"
                  "m->alive[l] = alive;\nlost |= m->begun[l] ^ alive;\n}\nreturn lost;\n}\n\n");
}

/* Members that were lost in this step go back to where it began; s tells who was alive then. */
static void restore_write(fusing *f)
{
    text_printf(&f->w.out,
                "static void restore(const room *m, const lane_state *s, const state *was, "
                "state *x)\n{\nfor (int l = 0; l < L; l++) {\n"
                "if (s->alive[l] == m->alive[l]) continue;\nx->work[l] = was->work[l];\n"
                "for (int k = 0; k < %d; k++) {\nx->q[k * L + l] = was->q[k * L + l];\n"
                "x->q_low[k * L + l] = was->q_low[k * L + l];\n"
                "x->p[k * L + l] = was->p[k * L + l];\n"
                "x->p_low[k * L + l] = was->p_low[k * L + l];\n}\n}\n}\n\n",
                f->n);
}

static void constants_write(fusing *f)
{
    text_printf(&f->w.out,
                "static void constants(room *RESTRICT m, const coefficients *c)\n{\nfor (int l = "
                "0; l < L; l++) {\n"
                "%sreal J0[%d];\nconstant_part(c, par, J0);\n%s}\n}\n\n",
                still_text(f, READ_PARAMETER, "par", false), f->N * f->N,
                each(f, f->N * f->N, "m->J0[k * L + l] = J0[k];\n"));
}

static void exchange_write(fusing *f)
{
    const char *state =
        "q[k * L + l] = B->q[k * L + l];\nA->q_low[k * L + l] = B->q_low[k * L + l];\n"
        "A->p[k * L + l] = B->p[k * L + l];\nA->p_low[k * L + l] = B->p_low[k * L + l];\n";
    const char *one = mem_printf(f->w.m, "A->%s", state);
    const char *in = write_with(&f->w, write_with(&f->w, one, "A", "x"), "B", "s");
    const char *back = write_with(&f->w, write_with(&f->w, one, "A", "s"), "B", "x");
    text_printf(
        &f->w.out,
        "static void enter(room *m, state *x, const lane_state *s)\n{\n"
        "for (int l = 0; l < L; l++) {\n%s%s%s"
        "x->work[l] = s->work[l];\nm->alive[l] = s->alive[l];\n}\n}\n\n",
        each(f, f->n, in), still_text(f, READ_PARAMETER, "par", true),
        still_text(f, READ_INPUT, "u", true));
    text_printf(
        &f->w.out,
        "static void leave(const room *m, const state *x, lane_state *s)\n{\n"
        "for (int l = 0; l < L; l++) {\n%s"
        "s->work[l] = x->work[l];\ns->alive[l] = m->alive[l];\n}\n}\n\n",
        each(f, f->n, back));
}

static const char *substep_text(fusing *f, const char *t, const char *at)
{
    const char *begin = is_direct(f)
                            ? "begin(&m);\n"
                            : mem_printf(f->w.m, "begin(&m, s->past + %s * %d * L, s->head[%s]);\n",
                                         at, 4 * f->N, at);
    const char *looked = f->linear ? "(void)look;\n" : "if (look) any = look_at(&m, x, it);\n";
    return mem_printf(f->w.m,
                      "%sfor (int it = 1; it <= ITERATIONS; it++) {\nlong long look = 0, any = "
                      "iterate(&m, x, &c, %s, it, &look);\n"
                      "%sif (!any) break;\n}\ns->head[%s] = (s->head[%s] + 3) & 3;\n"
                      "lost |= conclude(&m, x, z, &c, %s, s->past + (%s * 4 + s->head[%s]) * %d * "
                      "L);\n{ state *const next = z; z = x, x = next; }\n",
                      begin, t, looked, at, at, t, at, at, f->N);
}

/* Up to `count` steps; it stops after one in which a member was lost. */
static void drive_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    const bool    many = sch->substeps > 1;
    text         *out = &f->w.out;
    text_add(out, "long lane_steps(lane_state *s, long count)\n{\nroom m;\n"
                  "state a, b, *x = &a, *z = &b;\ncoefficients c;\n"
                  "long made = 0;\nlong long lost = 0;\nenter(&m, x, s);\n");
    if (many) text_add(out, "state was = *x;\n");
    if (!many) text_add(out, "tune(&c, s->h);\nconstants(&m, &c);\n");
    text_add(out, "for (; made < count && !lost; made++) {\nconst real t = s->from + (real)(s->k + "
                  "made) * s->h;\n");
    if (many)
        text_printf(out,
                    "real done = 0;\nwas = *x;\n"
                    "for (int j = 0; j < %d; j++) {\nconst int at = %s;\ntune(&c, "
                    "GAMMA[at] * s->h);\n"
                    "constants(&m, &c);\n%sdone += GAMMA[at];\n}\n",
                    sch->substeps, f->side ? mem_printf(f->w.m, "%d - j", sch->substeps - 1) : "j",
                    substep_text(f, "t + done * s->h", "at"));
    else text_add(out, substep_text(f, "t", "0"));
    text_printf(out,
                "}\nif (lost) restore(&m, s, %s, x);\ns->k += made;\nleave(&m, x, s);\nreturn "
                "made;\n}\n",
                many ? "&was" : "z");
}

void lanes_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    coefficients_write(f);
    if (sch->substeps > 1) write_table(&f->w, "GAMMA", sch->gamma, sch->substeps);
    for (point_set set = 0; set < SETS; set++)
        for (int second = f->linear ? 0 : 1; second >= 0 && f->points[set]; second--)
            program_write(f, &f->of[set][second]);
    blocks_write(f);
    measures_write(f);
    if (f->relations && !f->linear) text_add(&f->w.out, widen_text);
    rows_write(f);
    if (!is_direct(f)) predict_write(f);
    if (!f->plain) text_add(&f->w.out, ADD_IN_TWO);
    room_write(f);
    lanes_solve_write(f);
    iterate_write(f), look_write(f);
    begin_write(f), conclude_write(f), restore_write(f);
    constants_write(f), exchange_write(f);
    drive_write(f);
}
