/* both_ends.c - mech/degenerate/both_ends.c as generated code: the same move along U at both ends
 * of a step, found by repeating the step.                                 theory.md [DEGENERATE] */
#include "fuse/inside.h"

const char *ends_guess_text(fusing *f)
{
    text t = text_new(f->w.m);
    text_add(&t, "if (shift) {\n");
    text_add(&t, write_loop(&f->w, "k", f->N, "y[k] = found[k];"));
    for (int j = 0; j < f->n; j++)
        for (int nu = 1; nu <= f->d; nu++)
            text_printf(&t, "y[%d] += %s * shift[%d];\n", j * f->d + nu - 1,
                        write_number(&f->w, f->st->ends.bends[nu]), j);
    text_add(&t, "} else ");
    return text_str(&t);
}

static const char *sized(fusing *f, const char *body)
{
    return write_loop(&f->w, "j", f->n,
                      write_with(&f->w, body, "NN", mem_printf(f->w.m, "%d", f->n)));
}

/* The state before the step. */
static const char *restored_text(fusing *f)
{
    return sized(f, "q[j] = kept[j];\nq_low[j] = kept[NN + j];\n"
                    "p[j] = kept[2 * NN + j];\np_low[j] = kept[3 * NN + j];");
}

/* It is moved. */
static void begin_write(fusing *f)
{
    text *t = &f->w.out;
    text_add(t, restored_text(f));
    text_add(t, write_loop(&f->w, "j", f->n, "dq[j] = move[j];"));
    text_printf(t, "if (!pass && known[0]) {\n%s}\n", slope_text(f, "slope", "past", "c->h"));
    text_printf(t, "begin_settled(t, slope, par, u, q, q_low, dq, dp);\n%s", moved_text(f));
}

/* How much of the move is missing at the beginning, and how far the final state is from that of the
 * last pass. */
static void look_write(fusing *f)
{
    text       *t = &f->w.out;
    const char *sign = f->d % 2 ? "-" : "";
    text_add(t, slope_text(f, "slope", "found", "c->h"));
    text_add(t, write_loop(&f->w, "j", f->n, mem_printf(f->w.m, "dq[j] = %smove[j];", sign)));
    text_printf(t,
                "if (!settle_momenta(t + c->h, slope, U, par, %s, q, q_low, p, dq, dp)) break;\n"
                "real missing = 0, along = 0, square = 0, apart = 0, size = 0;\n",
                inputs_end(f, true));
    text_add(t, write_loop(&f->w, "j", f->n,
                           mem_printf(f->w.m,
                                      "{\nconst real half = (%sdq[j] - move[j]) / 2;\n"
                                      "const real to = q[j] + (q_low[j] + dq[j]);\n"
                                      "along += half * shift[j];\n"
                                      "square += shift[j] * shift[j];\n"
                                      "if (fabs(half) > missing) missing = fabs(half);\n"
                                      "if (fabs(to - reached[j]) > apart) "
                                      "apart = fabs(to - reached[j]);\n"
                                      "if (fabs(to) > size) size = fabs(to);\n"
                                      "reached[j] = to;\n}",
                                      sign)));
    text_add(t, "const real stays = pass && square > 0 ? along / square : 0;\n"
                "const real by = fabs(stays) < HALF ? 1 / (1 - stays) : 1;\n");
    text_add(t, write_loop(&f->w, "j", f->n,
                           mem_printf(f->w.m, "shift[j] = by * (%sdq[j] - move[j]) / 2;", sign)));
}

/* The last moves, newest first, and the next of the parabola through them. */
static void predict_move_write(fusing *f)
{
    const int n = f->n;
    text_add(&f->w.out,
             write_loop(&f->w, "j", n,
                        mem_printf(f->w.m,
                                   "{\nconst real a = moved[j], b = moved[%d + j];\n"
                                   "move[j] = known[0] > 2 ? 3 * a - 3 * b + moved[%d + j]\n"
                                   "    : known[0] > 1 ? 2 * a - b : known[0] ? a : 0;\n"
                                   "shift[j] = 0;\nreached[j] = 0;\nslope[j] = v[j];\n}",
                                   n, 2 * n)));
}

static void accept_write(fusing *f)
{
    const int n = f->n;
    text_add(&f->w.out, write_loop(&f->w, "j", n,
                                   mem_printf(f->w.m,
                                              "moved[%d + j] = moved[%d + j];\n"
                                              "moved[%d + j] = moved[j];\nmoved[j] = move[j];",
                                              2 * n, n, n)));
    remember_write(f, "found");
    text_add(&f->w.out, write_loop(&f->w, "k", 4 * n, "before[k] = from[k];"));
    text_printf(&f->w.out, "%s*work += done;\nreturn iterated ? iterated : -swept;\n}\n",
                moved_text(f));
}

void ends_write(fusing *f)
{
    text     *t = &f->w.out;
    const int n = f->n;
    text_printf(
        t,
        "/* One step of one curve, begun and ended by the same move; as substep. */\n"
        "PIECE int settled_substep(coefficients *c, factored *f, real *J0, real t, "
        "const real *v,\n"
        "    const real *par, const real *u, const real *U, real *q, real *q_low, real *p, "
        "real *p_low,\n"
        "    int *known, real *past, real *moved, real *before, real *work, "
        "long *factored_times)\n"
        "{\nreal kept[%d], move[%d], shift[%d], reached[%d], slope[%d], dq[%d], dp[%d];\n"
        "real found[%d] = {0}, from[%d], earlier = HUGE_VALUE;\nint iterated = 0, swept = 0;\n",
        4 * n, n, n, n, n, n, n, f->N, 4 * n);
    text_add(t, sized(f, "kept[j] = q[j];\nkept[NN + j] = q_low[j];\n"
                         "kept[2 * NN + j] = p[j];\nkept[3 * NN + j] = p_low[j];"));
    predict_move_write(f);
    text_add(t, "for (int pass = 0; pass < 20; pass++) {\nreal done = 0;\n");
    begin_write(f);
    text_add(t, "const int it = substep(c, f, J0, t, v, par, u, q, q_low, p, p_low, known, past,\n"
                "    from, &done, factored_times, pass ? shift : 0, found);\n"
                "if (!it) break;\nif (it < 0) swept -= it;\nelse iterated += it;\n");
    look_write(f);
    text_add(t, "const real rest = pass ? apart * missing / earlier : HUGE_VALUE;\n"
                "if (missing <= EPSILON * size || rest <= EPSILON / 4 * size || pass == 19 ||\n"
                "    (pass > 1 && missing > (apart <= 8 * EPSILON * size ? HALF : 2) * earlier)) "
                "{\n");
    accept_write(f);
    text_add(t, write_loop(&f->w, "j", n, "move[j] += shift[j];"));
    text_printf(t, "earlier = missing;\n}\n%sreturn 0;\n}\n\n", restored_text(f));
}
