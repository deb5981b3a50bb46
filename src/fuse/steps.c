/* steps.c - many steps in one call: prediction, solution, compensated update. The state stays in
 * local arrays throughout. */
#include "fuse/inside.h"

static int lanes_of(const fusing *f, point_set set)
{
    return f->of[set][1].lanes;
}

/* Tables of a set of points: columns l_1 .. l_d by lane, rows l_0 .. l_{d-1} by point. */
static void write_points(fusing *f, point_set set, char X)
{
    const samples *s = samples_of(f, set);
    const int      W = lanes_of(f, set), S = f->points[set], d = f->d, side = f->side;
    double        *c = mem_array(f->w.m, W, double), *l = mem_array(f->w.m, W * d, double);
    double        *dl = mem_array(f->w.m, W * d, double);
    for (int i = 0; i < W; i++) {
        const int at = i < S ? i : S - 1; /* lanes without a point repeat the last one */
        c[i] = s->x[side][at];
        for (int k = 0; k < d; k++) {
            l[k * W + i] = s->at[side].l[at * (d + 1) + k + 1];
            dl[k * W + i] = s->at[side].dl[at * (d + 1) + k + 1];
        }
    }
    write_table(&f->w, mem_printf(f->w.m, "%c_c", X), c, W);
    write_table(&f->w, mem_printf(f->w.m, "%c_l", X), l, W * d);
    write_table(&f->w, mem_printf(f->w.m, "%c_dl", X), dl, W * d);
    if (set == AT_GAUSS) return;
    double *rl = mem_array(f->w.m, S * d, double), *rdl = mem_array(f->w.m, S * d, double);
    for (int i = 0; i < S; i++)
        for (int k = 0; k < d; k++) {
            rl[i * d + k] = s->at[side].l[i * (d + 1) + k];
            rdl[i * d + k] = s->at[side].dl[i * (d + 1) + k];
        }
    write_table(&f->w, mem_printf(f->w.m, "%c_b", X), s->b, S);
    write_table(&f->w, mem_printf(f->w.m, "%c_rl", X), rl, S * d);
    if (set == AT_RULE) write_table(&f->w, mem_printf(f->w.m, "%c_rdl", X), rdl, S * d);
}

/* Words that stand for the sizes of a set of points. */
static const char *sized(fusing *f, const char *body, point_set set)
{
    const char *word[] = {"SS", "DD", "WW"};
    const int   size[] = {f->points[set], f->d, lanes_of(f, set)};
    for (int k = 0; k < 3; k++)
        body = write_with(&f->w, body, word[k], mem_printf(f->w.m, "%d", size[k]));
    return body;
}

/*     rq = h b_i l_nu,  rw = b_i l'_nu,  v = l'_mu/h,  and their products   theory.md [GALERKIN] */
static const char *rule_tuned(fusing *f)
{
    const char *products = "c->qq[i * DD * DD + nu * DD + mu] = x * R_l[mu * WW + i];\n"
                           "c->qw[i * DD * DD + nu * DD + mu] = x * c->Rv[mu * WW + i];\n"
                           "c->wq[i * DD * DD + nu * DD + mu] = z * R_l[mu * WW + i];\n"
                           "c->ww[i * DD * DD + nu * DD + mu] = z * c->Rv[mu * WW + i];\n";
    const char *row = mem_printf(
        f->w.m,
        "{\nconst real x = h * R_b[i] * R_rl[i * DD + nu], z = R_b[i] * R_rdl[i * DD + nu];\n"
        "c->rq[i * DD + nu] = x;\nc->rw[i * DD + nu] = z;\n%s}",
        write_loop(&f->w, "mu", f->d, products));
    return sized(f, write_loop(&f->w, "i", f->points[AT_RULE], write_loop(&f->w, "nu", f->d, row)),
                 AT_RULE);
}

static const char *force_tuned(fusing *f)
{
    const char *products = "c->fqq[i * DD * DD + nu * DD + mu] = x * F_l[mu * WW + i];\n"
                           "c->fqw[i * DD * DD + nu * DD + mu] = x * c->Fv[mu * WW + i];\n";
    const char *row = mem_printf(f->w.m,
                                 "{\nconst real x = h * F_b[i] * F_rl[i * DD + nu];\n"
                                 "c->fq[i * DD + nu] = x;\n%s}",
                                 write_loop(&f->w, "mu", f->d, products));
    return mem_printf(
        f->w.m, "%s%s",
        write_loop(&f->w, "k", f->d * lanes_of(f, AT_FORCE), "c->Fv[k] = F_dl[k] / h;"),
        sized(f, write_loop(&f->w, "i", f->points[AT_FORCE], write_loop(&f->w, "nu", f->d, row)),
              AT_FORCE));
}

static void control_points(fusing *f)
{
    const samples *s = samples_of(f, AT_CONTROL);
    write_table(&f->w, "K_c", s->x[0], f->d + 1);
    write_table(&f->w, "K_b", s->b, f->d + 1);
}

void coefficients_write(fusing *f)
{
    text *out = &f->w.out;
    write_points(f, AT_RULE, 'R');
    if (f->points[AT_FORCE]) write_points(f, AT_FORCE, 'F');
    if (f->relations) control_points(f);
    if (f->points[AT_GAUSS]) write_points(f, AT_GAUSS, 'G');
    text_add(out, "\n/* What the scheme multiplies with, for one length of step. */\n"
                  "typedef struct {\nreal h;\n");
    text_add(out,
             sized(f,
                   "real Rv[DD * WW], hb[SS], rq[SS * DD], rw[SS * DD];\n"
                   "real qq[SS * DD * DD], qw[SS * DD * DD], wq[SS * DD * DD], ww[SS * DD * DD];\n",
                   AT_RULE));
    if (f->points[AT_FORCE])
        text_add(out,
                 sized(f, "real Fv[DD * WW], fq[SS * DD], fqq[SS * DD * DD], fqw[SS * DD * DD];\n",
                       AT_FORCE));
    if (f->relations) text_printf(out, "real impulse[%d];\n", f->d + 1);
    if (f->points[AT_GAUSS]) text_printf(out, "real Gv[%d];\n", f->d * lanes_of(f, AT_GAUSS));
    if (f->picard) text_add(out, "real split, part;\n");
    text_printf(out,
                "int full;\n} coefficients;\n\nPIECE void tune(coefficients *c, real h)\n{\n"
                "c->h = h;\nc->full = %d;\n",
                !has_sweeps(f));
    if (f->picard) text_add(out, split_text(f));
    text_add(out, write_loop(&f->w, "k", f->d * lanes_of(f, AT_RULE), "c->Rv[k] = R_dl[k] / h;"));
    text_add(out, write_loop(&f->w, "i", f->points[AT_RULE], "c->hb[i] = h * R_b[i];"));
    if (has_sweeps(f)) /* the rest when Newton's iteration is asked */
        text_add(out, "}\n\nPIECE void tune_fully(coefficients *c)\n{\nconst real h = c->h;\n"
                      "c->full = 1;\n");
    text_add(out, rule_tuned(f));
    if (f->points[AT_FORCE]) text_add(out, force_tuned(f));
    if (f->relations)
        text_add(out, write_loop(&f->w, "k", f->d + 1, "c->impulse[k] = h * K_b[k];"));
    if (f->points[AT_GAUSS])
        text_add(out,
                 write_loop(&f->w, "k", f->d * lanes_of(f, AT_GAUSS), "c->Gv[k] = G_dl[k] / h;"));
    text_add(out, "}\n\n");
}

/*     Z^nu = x_nu h v, stage momenta that of the state */
void guess_write(fusing *f)
{
    const equations *eq = f->eq;
    text_add(&f->w.out,
             "SELDOM void guess(real h, const real *v, const real *p, real *y)\n{\n(void)p;\n");
    text_add(&f->w.out, write_loop(&f->w, "k", f->N, "y[k] = 0;"));
    for (int j = 0; j < f->n; j++)
        for (int nu = 1; nu <= f->d; nu++)
            text_printf(&f->w.out, "y[%d] = %s * h * v[%d];\n", j * f->d + nu - 1,
                        write_number(&f->w, eq->control.x[0][nu]), j);
    for (int i = 0; i < eq->s; i++)
        for (int j = 0; j < f->phase; j++)
            text_printf(&f->w.out, "y[%d] = p[%d];\n", eq->P + i * f->phase + j, eq->phase_list[j]);
    text_add(&f->w.out, "}\n\n");
}

static const char *each_of(fusing *f, const char *body)
{
    return write_loop(&f->w, "j", f->n, body);
}

/* Each unknown is divided out: nothing is gained by predicting it. */
bool is_direct(const fusing *f)
{
    return f->linear && f->eq->diagonal;
}

const char *slope_text(fusing *f, const char *v, const char *y, const char *h)
{
    const double *dl = f->eq->control.at[0].dl + f->d * (f->d + 1);
    text          t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        text_printf(&t, "%s[%d] = (", v, j);
        for (int nu = 1; nu <= f->d; nu++)
            text_printf(&t, "%s%s * %s[%d]", nu > 1 ? " + " : "", write_number(&f->w, dl[nu]), y,
                        j * f->d + nu - 1);
        text_printf(&t, ") / %s;\n", h);
    }
    return text_str(&t);
}

/* Newton's iteration; where it fails from the extrapolated past, once more from the slope at the
 * end of the last curve. */
static const char *solve_text(fusing *f)
{
    static const char call[] = "it = newton(c, f, J0, t, q, q_low, p, p_low, par, u, KNOWN, past, "
                               "y, factored_times);\n";
    text              t = text_new(f->w.m);
    if (is_direct(f)) return write_with(&f->w, call, "KNOWN", "*known");
    text_printf(&t,
                "for (int again = 0; again < 2 && !it; again++) {\n"
                "if (again) {\nreal slope[%d];\nif (!*known) break;\n",
                f->n);
    text_printf(&t, "%sguess(c->h, slope, p, y);\n}\n%s}\n", slope_text(f, "slope", "past", "c->h"),
                write_with(&f->w, call, "KNOWN", "again ? 0 : *known"));
    return text_str(&t);
}

/* Shifts the past solutions by one, each in a loop of its own, which vectorises. */
static void past_write(fusing *f)
{
    text *out = &f->w.out;
    if (f->N < 4) {
        text_add(out, write_loop(&f->w, "k", (PAST_MOST - 1) * f->N,
                                 mem_printf(f->w.m, "past[%d - k] = past[%d - k];",
                                            PAST_MOST * f->N - 1, (PAST_MOST - 1) * f->N - 1)));
        return;
    }
    for (int a = PAST_MOST - 1; a > 0; a--)
        write_lanes(out, f->N,
                    mem_printf(f->w.m, "past[%d + i] = past[%d + i];", a * f->N, (a - 1) * f->N));
}

void remember_write(fusing *f, const char *y)
{
    text *out = &f->w.out;
    if (!is_direct(f)) past_write(f);
    text_add(out, write_loop(&f->w, "k", f->N, mem_printf(f->w.m, "past[k] = %s[k];", y)));
    if (!is_direct(f)) text_printf(out, "if (*known < %d) ++*known;\n", PAST_MOST);
}

/* The state that follows from the solution y and the change dp of momentum; the previous one is
 * kept. Where the state is to settle, the step may be repeated, and is remembered when it is
 * done. */
void advance_write(fusing *f)
{
    text     *out = &f->w.out;
    const int d = f->d;
    text_add(out, each_of(f, mem_printf(f->w.m,
                                        "before[j] = q[j];\nbefore[%d + j] = q_low[j];\n"
                                        "before[%d + j] = p[j];\nbefore[%d + j] = p_low[j];",
                                        f->n, 2 * f->n, 3 * f->n)));
    text_add(out, each_of(f, mem_printf(f->w.m,
                                        f->plain ? "q[j] += y[j * %d + %d];\np[j] += dp[j];"
                                                 : "add(&q[j], &q_low[j], y[j * %d + %d]);\n"
                                                   "add(&p[j], &p_low[j], dp[j]);",
                                        d, d - 1)));
    if (f->st->ends.fits) text_add(out, write_loop(&f->w, "k", f->N, "found[k] = y[k];"));
    else remember_write(f, "y");
}

/* One substep from q, p: y, then the state. `past` are its solutions before, newest first. */
static void substep_write(fusing *f)
{
    text *out = &f->w.out;
    text_add(out,
             "/* One step of one curve; the number of iterations, negative: of sweeps, "
             "or 0: then nothing has changed. */\n"
             "WITHIN int substep(coefficients *c, factored *f, real *J0, real t, const real *v,\n"
             "    const real *par, const real *u, real *q, real *q_low, real *p, real *p_low, "
             "int *known,\n"
             "    real *past, real *before, real *work, long *factored_times");
    text_add(out, f->st->ends.fits ? ", const real *shift, real *found)\n{\n" : ")\n{\n");
    text_printf(out, "real y[%d], dp[%d], finite = 0, done = 0;\n", f->N, f->n);
    text_add(out, is_direct(f) ? "(void)v;\n" : "");
    if (f->st->ends.fits) text_add(out, ends_guess_text(f));
    text_add(out, is_direct(f)
                      ? write_loop(&f->w, "k", f->N, "y[k] = 0;")
                      : "if (*known) predict(*known, past, y);\nelse guess(c->h, v, p, y);\n");
    text_add(out, has_sweeps(f)
                      ? "int it = picard(c, t, q, q_low, p, p_low, par, u, y, dp, &done);\n"
                        "const int iterated = it;\n"
                        "if (!it && !c->full) {\ntune_fully(c);\nconstant_part(c, par, J0);\n}\n"
                      : "int it = 0;\n");
    text_add(out, solve_text(f));
    text_printf(out, "if (!it) return 0;\n%sdone = finish(c, t, q, q_low, par, u, y, dp);\n",
                has_sweeps(f) ? "if (!iterated) " : "");
    text_add(out, each_of(f, "finite += 0 * dp[j];"));
    text_add(out, "if (finite != 0) return 0;\n*work += done;\n");
    advance_write(f);
    text_printf(out, "return %s;\n}\n\n", has_sweeps(f) ? "iterated ? -it : it" : "it");
}

const char *copy_text(fusing *f, const char *to, const char *from, int count)
{
    return write_loop(&f->w, "k", count, mem_printf(f->w.m, "%s[k] = %s[k];", to, from));
}

const char *state_in_text(fusing *f)
{
    return mem_printf(f->w.m, "%s%s%s%s", copy_text(f, "q", "s->q", f->n),
                      copy_text(f, "q_low", "s->q_low", f->n), copy_text(f, "p", "s->p", f->n),
                      copy_text(f, "p_low", "s->p_low", f->n));
}

const char *state_out_text(fusing *f)
{
    return mem_printf(f->w.m, "%s%s%s%s", copy_text(f, "s->q", "q", f->n),
                      copy_text(f, "s->q_low", "q_low", f->n), copy_text(f, "s->p", "p", f->n),
                      copy_text(f, "s->p_low", "p_low", f->n));
}

const char *declarations_text(fusing *f)
{
    return mem_printf(
        f->w.m,
        "const real *const par = s->par;\n%s"
        "real q[%d], q_low[%d], p[%d], p_low[%d], %s;\n"
        "real J0[%d], whole_work = s->work, last_work = s->last_work;\n"
        "long made = 0, iterations = s->iterations, factored_times = s->factored;\n"
        "int most = s->most;\n%scoefficients c;\nfactored f;\n(void)u;\n",
        inputs_declared(f), f->n, f->n, f->n, f->n,
        f->exported ? mem_printf(f->w.m, "before[%d]", 4 * f->n)
                    : "*RESTRICT const before = s->before",
        f->N * f->N,
        has_sweeps(f) ? "long sweeps = s->sweeps;\nint most_sweeps = s->most_sweeps;\n" : "");
}

static const char *prepare(fusing *f)
{
    const char *factor = mem_printf(f->w.m, "%s++factored_times;\nif (!factor(&f)) FAIL;\n",
                                    copy_text(f, "f.a", "J0", f->N * f->N));
    return mem_printf(f->w.m, "tune(&c, LENGTH);\n%s%s",
                      has_sweeps(f) ? "" : "constant_part(&c, par, J0);\n",
                      f->linear ? factor : "");
}

static const char *count_text(const fusing *f)
{
    return has_sweeps(f) ? "if (it < 0) {\nsweeps -= it;\n"
                           "if (-it > most_sweeps) most_sweeps = -it;\n} else {\n"
                           "iterations += it;\nif (it > most) most = it;\n}\n"
                         : "iterations += it;\nif (it > most) most = it;\n";
}

static const char *call(fusing *f, const char *t, const char *known, const char *solutions,
                        const char *moved)
{
    if (f->st->ends.fits)
        return mem_printf(f->w.m,
                          "%sconst int it = settled_substep(&c, &f, J0, %s, s->v, par, u, %s, q, "
                          "q_low, p, p_low, %s, %s,\n    %s, before, &work, &factored_times);\n",
                          inputs_step(f, t, "c.h"), t, f->exported ? "MOVES" : "s->U", known,
                          solutions, moved);
    return mem_printf(
        f->w.m,
        "%sconst int it = substep(&c, &f, J0, %s, s->v, par, u, q, q_low, p, p_low, %s, %s, "
        "before, &work, &factored_times);\n",
        inputs_step(f, t, "c.h"), t, known, solutions);
}

/* The directions stand in tables of a file of its own. Where they turn, or move with others, the
 * stepper that calls the function settles. */
static const char *settle_text(fusing *f, const char *t, const char *h, const char *solutions)
{
    if (!settles_after(f)) return "";
    if (!stepper_settles_plainly(f->st))
        return mem_printf(f->w.m,
                          "{\nconst real *const end = %s, length = %s;\nreal v[%d];\n%s%s"
                          "s->settle(s->stepper, %s, v);\n%s}\n",
                          solutions, h, f->n, slope_text(f, "v", "end", "length"),
                          state_out_text(f), t, state_in_text(f));
    return mem_printf(f->w.m, "%ssettle(%s, %s, %s, %s, par, u, q, q_low, p, p_low);\n",
                      inputs_point(f, t), t, h, solutions,
                      f->exported ? "MOVES, ALONG" : "s->U, s->W");
}

static void one_curve(fusing *f)
{
    text       *out = &f->w.out;
    const int   count = PAST_MOST * f->N;
    const char *solutions = f->one_piece ? "past" : "s->past";
    text_printf(out, "int known = s->known[0];\nconst real h = s->h;\n%s", state_in_text(f));
    if (f->one_piece)
        text_printf(out, "real past[%d];\n%s", count, copy_text(f, "past", "s->past", count));
    text_add(out,
             write_with(&f->w, write_with(&f->w, prepare(f), "FAIL", "return 0"), "LENGTH", "h"));
    text_add(out, "for (; made < count; made++) {\nreal work = 0;\n");
    text_add(out, call(f, "s->from + (real)(s->k + made) * h", "&known", solutions, "s->moved"));
    text_add(out, "if (!it) break;\nwhole_work += work;\nlast_work = work;\n");
    text_add(out, count_text(f));
    text_add(out, settle_text(f, "s->from + (real)(s->k + made) * h + h", "h", solutions));
    text_add(out, "}\n");
    text_add(out, state_out_text(f));
    if (f->one_piece) text_add(out, copy_text(f, "s->past", "past", count));
    text_add(out, "s->known[0] = known;\n");
}

/* A composition: Phi_{gamma_s h} o ... o Phi_{gamma_1 h}; run backward, the last first.
 *                                                                            theory.md [COMPOSE] */
static void composition(fusing *f)
{
    const scheme *sch = &f->st->sch;
    const int     count = sch->substeps, last = f->side ? 0 : count - 1;
    text         *out = &f->w.out;
    text_printf(out, "real saved[%d];\n%s", 4 * f->n, state_in_text(f));
    text_add(
        out,
        "for (; made < count; made++) {\nconst real t = s->from + (real)(s->k + made) * s->h;\n"
        "real work = 0, done = 0;\nint part = 0;\n");
    text_add(out, each_of(f, mem_printf(f->w.m,
                                        "saved[j] = q[j];\nsaved[%d + j] = q_low[j];\n"
                                        "saved[%d + j] = p[j];\nsaved[%d + j] = p_low[j];",
                                        f->n, 2 * f->n, 3 * f->n)));
    text_printf(out, "for (; part < %d; part++) {\nconst int at = %s;\n", count,
                f->side ? mem_printf(f->w.m, "%d - part", count - 1) : "part");
    text_add(out, write_with(&f->w, write_with(&f->w, prepare(f), "FAIL", "break"), "LENGTH",
                             "GAMMA[at] * s->h"));
    text_add(out, call(f, "t + done * s->h", "&s->known[at]",
                       mem_printf(f->w.m, "s->past + at * %d", PAST_MOST * f->N),
                       mem_printf(f->w.m, "s->moved + at * %d", ENDS_PAST * f->n)));
    text_printf(out, "if (!it) break;\ndone += GAMMA[at];\n%s}\n", count_text(f));
    text_printf(out, "if (part < %d) {\n%sbreak;\n}\n%swhole_work += work;\nlast_work = work;\n}\n",
                count,
                each_of(f, mem_printf(f->w.m,
                                      "q[j] = saved[j];\nq_low[j] = saved[%d + j];\n"
                                      "p[j] = saved[%d + j];\np_low[j] = saved[%d + j];",
                                      f->n, 2 * f->n, 3 * f->n)),
                settle_text(f, "t + s->h", mem_printf(f->w.m, "GAMMA[%d] * s->h", last),
                            mem_printf(f->w.m, "s->past + %d", last * PAST_MOST * f->N)));
    text_add(out, state_out_text(f));
}

void steps_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    text         *out = &f->w.out;
    coefficients_write(f);
    if (sch->substeps > 1) write_table(&f->w, "GAMMA", sch->gamma, sch->substeps);
    for (point_set set = 0; set < SETS; set++)
        for (int second = f->linear ? 0 : 1; second >= 0 && f->points[set]; second--)
            if (!second || !f->swept || set != AT_RULE) program_write(f, &f->of[set][second]);
    if (f->swept) sweep_write(f);
    blocks_write(f);
    verbatim(f, f->N <= 16 ? "lu.h" : "lu_rows.h");
    if (f->energy) {
        energy_write(f);
        return;
    }
    newton_write(f);
    if (!is_direct(f)) predict_write(f), guess_write(f);
    if (f->picard) picard_write(f);
    if (f->relaxed) relax_write(f);
    if (!f->plain) verbatim(f, "sum.h");
    if (stepper_settles_plainly(f->st)) settle_write(f);
    substep_write(f);
    if (f->st->ends.fits) ends_write(f);
    inputs_write(f);
    text_printf(out, "%slong %s(%s *s, long count)\n{\n", f->exported ? "static " : "", f->entry,
                f->state);
    text_add(out, declarations_text(f));
    if (sch->substeps > 1) composition(f);
    else one_curve(f);
    text_add(out, "s->work = whole_work;\ns->last_work = last_work;\ns->iterations = iterations;\n"
                  "s->factored = factored_times;\ns->most = most;\n");
    if (has_sweeps(f)) text_add(out, "s->sweeps = sweeps;\ns->most_sweeps = most_sweeps;\n");
    text_add(out, "s->k += made;\nreturn made;\n}\n");
}
