/* lanes.c - the step of many ensemble members at once: every array has one lane per member, and
 * every operation is a plain loop over all lanes, which compilers vectorise.
 *
 * A member that has converged keeps its solution while others go on, so its result does not depend
 * on the other members of the block. A member whose iteration fails is dropped, and has to be run
 * by itself. */
#include "fuse/lanes.h"
#include "mech/ensemble/lanes.h"

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

const char *lanes_each(fusing *f, int count, const char *body)
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
    static const char *const of_N[] = {"scale", "delta"};
    const int                par = still_of(f, READ_PARAMETER).n, u = still_of(f, READ_INPUT).n;
    text_add(&f->w.out, "typedef struct {\n");
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++)
        text_printf(&f->w.out, "real %s[%d * L];\n", of_n[k], f->n);
    text_add(&f->w.out, "real work[L];\n} state;\n\ntypedef struct {\n");
    for (size_t k = 0; k < sizeof of_N / sizeof *of_N; k++)
        text_printf(&f->w.out, "real %s[%d * L];\n", of_N[k], f->N);
    text_printf(&f->w.out,
                "real par[%d * L], u[%d * L], J0[%d * L], eta[L], last[L];\n%s"
                "long long active[L], alive[L], lost;\n} room;\n\n",
                par ? par : 1, u ? u : 1, f->N * f->N,
                lanes_divide(f)
                    ? mem_printf(f->w.m, "real LU[%d * L], over[%d * L];\nlong long fine[L];\n",
                                 f->N * f->N, f->N)
                    : "");
}

const char *lanes_member(fusing *f)
{
    return mem_printf(
        f->w.m, "real q[%d], q_low[%d], p[%d], p_low[%d];\n%s%s%s", f->n, f->n, f->n, f->n,
        lanes_each(f, f->n,
                   "q[k] = x->q[k * L + l];\nq_low[k] = x->q_low[k * L + l];\n"
                   "p[k] = x->p[k * L + l];\np_low[k] = x->p_low[k * L + l];\n"),
        still_text(f, READ_PARAMETER, "par", false), still_text(f, READ_INPUT, "u", false));
}

/* Steps. --------------------------------------------------------------------------------------- */

/* The state z at the end of a step from x; has a member not converged, or is it not finite? */
static void conclude_write(fusing *f)
{
    text     *out = &f->w.out;
    const int d = f->d;
    text_printf(out,
                "static void conclude(room *RESTRICT m, const state *RESTRICT x,\n"
                "    state *RESTRICT z, const coefficients *c, real t, const real *RESTRICT Y)\n"
                "{\nlong long lost = 0;\nfor (int l = 0; l < L; l++) {\n"
                "%sreal y[%d], dp[%d], sum = 0;\n",
                lanes_member(f), f->N, f->n);
    text_add(out, lanes_each(f, f->N, "y[k] = Y[k * L + l];\nsum += y[k];\n"));
    text_add(out, "z->work[l] = x->work[l] + finish(c, t, q, q_low, par, u, y, dp);\n");
    text_add(out,
             lanes_each(f, f->n,
                        mem_printf(f->w.m,
                                   f->plain ? "q[k] += y[k * %d + %d];\np[k] += dp[k];\n"
                                            : "add(&q[k], &q_low[k], y[k * %d + %d]);\nadd(&p[k], "
                                              "&p_low[k], dp[k]);\n",
                                   d, d - 1)));
    text_add(out, lanes_each(f, f->n,
                             "sum += dp[k];\nz->q[k * L + l] = q[k];\n"
                             "z->q_low[k * L + l] = q_low[k];\nz->p[k * L + l] = p[k];\n"
                             "z->p_low[k * L + l] = p_low[k];\n"));
    text_add(out, "const long long was = m->alive[l],\n"
                  "    alive = (fabs(sum) <= MOST) & (m->active[l] == 0) ? was : 0;\n"
                  "m->alive[l] = alive;\nlost |= was ^ alive;\n}\nm->lost |= lost;\n}\n\n");
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
                lanes_each(f, f->N * f->N, "m->J0[k * L + l] = J0[k];\n"));
}

static void exchange_write(fusing *f)
{
    const char *state =
        "q[k * L + l] = B->q[k * L + l];\nA->q_low[k * L + l] = B->q_low[k * L + l];\n"
        "A->p[k * L + l] = B->p[k * L + l];\nA->p_low[k * L + l] = B->p_low[k * L + l];\n";
    const char *one = mem_printf(f->w.m, "A->%s", state);
    const char *in = write_with(&f->w, write_with(&f->w, one, "A", "x"), "B", "s");
    const char *back = write_with(&f->w, write_with(&f->w, one, "A", "s"), "B", "x");
    text_printf(&f->w.out,
                "static void enter(room *m, state *x, const lane_state *s)\n{\nm->lost = 0;\n"
                "for (int l = 0; l < L; l++) {\n%s%s%s"
                "x->work[l] = s->work[l];\nm->alive[l] = s->alive[l];\n}\n}\n\n",
                lanes_each(f, f->n, in), still_text(f, READ_PARAMETER, "par", true),
                still_text(f, READ_INPUT, "u", true));
    text_printf(&f->w.out,
                "static void leave(const room *m, const state *x, lane_state *s)\n{\n"
                "for (int l = 0; l < L; l++) {\n%s"
                "s->work[l] = x->work[l];\ns->alive[l] = m->alive[l];\n}\n}\n\n",
                lanes_each(f, f->n, back));
}

static const char *substep_text(fusing *f, const char *t, const char *at)
{
    const char *ring = mem_printf(f->w.m, "s->past + %s * %d * L", at, 4 * f->N),
               *head = mem_printf(f->w.m, "s->head[%s]", at);
    return mem_printf(f->w.m,
                      "{\n%s = (%s + 3) & 3;\nreal *const Y = %s + %s * %d * L;\n"
                      "%sconclude(&m, x, z, &c, %s, Y);\n"
                      "state *const next = z;\nz = x, x = next;\n}\n",
                      head, head, ring, head, f->N, lanes_newton_call(f, t, ring, head), t);
}

/* Up to `count` steps; it stops after one in which a member was lost. */
static void drive_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    const bool    many = sch->substeps > 1;
    text         *out = &f->w.out;
    text_add(out, "long lane_steps(lane_state *s, long count)\n{\nroom m;\n"
                  "state a, b, *x = &a, *z = &b;\ncoefficients c;\n"
                  "long made = 0;\nlong long any;\nenter(&m, x, s);\n");
    if (many) text_add(out, "state was = *x;\n");
    if (!many) text_add(out, "tune(&c, s->h);\nconstants(&m, &c);\n");
    text_add(out,
             "for (; made < count && !m.lost; made++) {\nconst real t = s->from + (real)(s->k + "
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
                "}\nif (m.lost) restore(&m, s, %s, x);\ns->k += made;\nleave(&m, x, s);\nreturn "
                "made;\n}\n",
                many ? "&was" : "z");
}

void lanes_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    coefficients_write(f);
    if (sch->substeps > 1) write_table(&f->w, "GAMMA", sch->gamma, sch->substeps);
    member_angles_write(f);
    for (point_set set = 0; set < SETS; set++)
        for (int second = f->linear ? 0 : 1; second >= 0 && f->points[set]; second--)
            program_write(f, &f->of[set][second]);
    blocks_write(f);
    verbatim(f, "judge.h");
    rows_write(f);
    if (!is_direct(f)) predict_write(f);
    if (!f->plain) verbatim(f, "sum.h");
    room_write(f);
    lanes_newton_write(f);
    conclude_write(f), restore_write(f);
    constants_write(f), exchange_write(f);
    drive_write(f);
}
