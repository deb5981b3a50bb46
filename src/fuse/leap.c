/* leap.c - explicit steps as generated code: what mech/stepper/explicit.c does, with one evaluation
 * per step.
 *
 *     z = h M^-1 (p_0 - a + h b_0 F(q_0)),   q_1 = q_0 + z,   p^- = p_0 + h (b_0 F(q_0) + b_1
 * F(q_1)) theory.md [DEL] */
#include "fuse/inside.h"

/* Weight of the point of the rule at x, 0 or 1; 0: there is none. */
static double weight_at(const fusing *f, double x)
{
    const samples *s = &f->eq->rule;
    for (int i = 0; i < s->count; i++)
        if (s->x[f->side][i] == x) return s->b[i];
    return 0;
}

static const char *each_of(fusing *f, const char *body)
{
    return write_loop(&f->w, "j", f->n, body);
}

/* F = L_q + f of each coordinate at q, and f itself where its work is asked for. */
static const char *force_text(fusing *f, const char *F, const char *forces)
{
    const program *p = &f->of[AT_RULE][0];
    text           t = text_new(f->w.m);
    text_printf(
        &t,
        "{\nreal oR[%d];\nconst real *qR = q, *vR = none, *tR = none;\n(void)qR;\n(void)vR;\n"
        "(void)tR;\n%s",
        p->slots ? p->slots : 1, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++) {
        const int   Lq = program_slot(p, FIELD_LQ, j, -1), force = program_slot(p, FIELD_F, j, -1);
        const char *a = Lq < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", Lq);
        const char *b = force < 0 ? "" : mem_printf(f->w.m, " + oR[%d]", force);
        text_printf(&t, "%s[%d] = %s%s;\n", F, j, a, b);
        if (f->forced) text_printf(&t, "%s[%d] = %s;\n", forces, j, force < 0 ? "0" : b + 3);
    }
    text_add(&t, "}\n");
    return text_str(&t);
}

/* h/m and a, from the derivatives of L at rest, and their products. */
static const char *masses_text(fusing *f, double b0)
{
    const program *p = &f->constant, *at = &f->of[AT_RULE][0];
    text           t = text_new(f->w.m);
    text_printf(&t, "{\nreal oR[%d];\n%s", p->slots, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(p, FIELD_LWW, j, j);
        text_printf(&t,
                    "{\nconst real mass = %s;\n"
                    "if (!(fabs(mass) >= LEAST && fabs(mass) <= MOST)) return 0;\n"
                    "drift[%d] = h / mass;\n}\n",
                    held < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", held), j);
    }
    text_printf(
        &t,
        "}\n{\nreal oR[%d];\nconst real *qR = q, *vR = none, *tR = none;\n(void)qR;\n(void)vR;\n"
        "(void)tR;\n%s",
        at->slots ? at->slots : 1, program_call(f, at, AT_RULE));
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(at, FIELD_LW, j, -1);
        text_printf(&t, "shift[%d] = %s;\n", j,
                    held < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", held));
    }
    text_add(&t, "}\n");
    if (!f->plain)
        text_add(&t, each_of(f, mem_printf(f->w.m,
                                           "drift0[j] = drift[j] * (h * %s);\n"
                                           "rest[j] = drift[j] * shift[j];",
                                           write_number(&f->w, b0))));
    return text_str(&t);
}

/*     z = h M^-1 (p + h b_0 F - a),  q_1 = q + z
 *
 * The dependency chain of the loop goes from a force to the next position. Hence products with the
 * force are added last, and the effect of p_low is left to q_low.          theory.md [SUMMATION] */
static const char *drift_text(fusing *f, bool known)
{
    const char *const z = known ? "h0 * F[j] - shift[j]" : "0 - shift[j]";
    if (f->plain)
        return each_of(f, mem_printf(f->w.m, "z[j] = drift[j] * (p[j] + (%s));\nq[j] += z[j];", z));
    return each_of(
        f, mem_printf(f->w.m,
                      "z[j] = drift[j] * ((p[j] + (%s)) + p_low[j]);\n"
                      "carry(&q[j], &q_low[j], drift[j] * p[j] + (%s(q_low[j] - rest[j])));\n"
                      "q_low[j] += drift[j] * p_low[j];",
                      z, known ? "drift0[j] * F[j] + " : ""));
}

/*     p^- = (p + h b_0 F_0) + h b_1 F_1, the last being known last */
static const char *kick_text(fusing *f, bool known, bool comes)
{
    const char *const c0 = known ? "h0 * F[j]" : "0", *const c1 = comes ? "h1 * F1[j]" : "0";
    if (f->plain) return each_of(f, mem_printf(f->w.m, "p[j] += %s + %s;", c0, c1));
    return each_of(f, mem_printf(f->w.m,
                                 "{\nreal lost = p_low[j];\n"
                                 "carry(&p[j], &lost, %s + p_low[j]);\n"
                                 "carry(&p[j], &p_low[j], %s);\np_low[j] += lost;\n}",
                                 c0, c1));
}

static const char *substep_text(fusing *f, double b0, double b1)
{
    const char *B0 = write_number(&f->w, b0), *B1 = write_number(&f->w, b1);
    text        t = text_new(f->w.m);
    text_printf(&t,
                "const real h0 = h * %s, h1 = h * %s;\nreal z[%d], F1[%d], finite = 0;\n"
                "(void)h0;\n(void)h1;\n",
                B0, B1, f->n, f->n);
    if (f->forced) text_printf(&t, "real f1[%d], along = 0;\n", f->n);
    text_add(
        &t, each_of(f, mem_printf(
                           f->w.m,
                           "before[j] = q[j];\nbefore[%d + j] = q_low[j];\nbefore[%d + j] = p[j];\n"
                           "before[%d + j] = p_low[j];",
                           f->n, 2 * f->n, 3 * f->n)));
    text_add(&t, drift_text(f, b0 != 0));
    text_add(&t, b1 != 0 || b0 != 0 ? force_text(f, "F1", "f1") : "");
    text_add(&t, kick_text(f, b0 != 0, b1 != 0));
    text_add(&t, each_of(f, "finite += 0 * p[j];"));
    text_printf(
        &t, "if (finite != 0) {\n%sbreak;\n}\n",
        each_of(f,
                mem_printf(f->w.m,
                           "q[j] = before[j];\nq_low[j] = before[%d + j];\np[j] = before[%d + j];\n"
                           "p_low[j] = before[%d + j];",
                           f->n, 2 * f->n, 3 * f->n)));
    if (f->forced)
        text_printf(
            &t, "%swork += along;\n%s",
            each_of(f, mem_printf(f->w.m, "along += (%s * f0[j] + %s * f1[j]) * z[j];", B0, B1)),
            each_of(f, "f0[j] = f1[j];"));
    text_add(&t, each_of(f, "F[j] = F1[j];\nlast[j] = z[j];"));
    return text_str(&t);
}

static const char *load(fusing *f)
{
    return each_of(
        f, "q[j] = s->q[j];\nq_low[j] = s->q_low[j];\np[j] = s->p[j];\np_low[j] = s->p_low[j];\n"
           "last[j] = 0;");
}

static const char *store(fusing *f)
{
    const char *more = f->exported
                           ? ""
                           : mem_printf(f->w.m,
                                        "s->before[j] = before[j];\n"
                                        "s->before[%d + j] = before[%d + j];\n"
                                        "s->before[%d + j] = before[%d + j];\n"
                                        "s->before[%d + j] = before[%d + j];\n"
                                        "s->past[j] = last[j];\n",
                                        f->n, f->n, 2 * f->n, 2 * f->n, 3 * f->n, 3 * f->n);
    return each_of(f, mem_printf(f->w.m,
                                 "s->q[j] = q[j];\ns->q_low[j] = q_low[j];\ns->p[j] = p[j];\n"
                                 "s->p_low[j] = p_low[j];\n%s",
                                 more));
}

void leap_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    const double  b0 = weight_at(f, 0), b1 = weight_at(f, 1);
    const bool    many = sch->substeps > 1;
    text         *out = &f->w.out;
    if (many) write_table(&f->w, "GAMMA", sch->gamma, sch->substeps);
    program_write(f, &f->of[AT_RULE][0]);
    program_write(f, &f->constant);
    if (!f->plain) verbatim(f, "sum.h");
    text_printf(out, "%slong %s(%s *s, long count)\n{\n", f->exported ? "static " : "", f->entry,
                f->state);
    text_printf(
        out,
        "static const real none[%d] = {0};\nconst real *const par = s->par, *const u = s->u;\n"
        "real q[%d], q_low[%d], p[%d], p_low[%d], before[%d] = {0}, last[%d];\n"
        "real drift[%d], shift[%d], F[%d];\nlong made = 0;\n"
        "(void)none;\n(void)last;\n(void)par;\n(void)u;\n",
        f->n, f->n, f->n, f->n, f->n, 4 * f->n, f->n, f->n, f->n, f->n);
    if (!f->plain) text_printf(out, "real drift0[%d], rest[%d];\n", f->n, f->n);
    if (f->forced) text_printf(out, "real f0[%d];\n", f->n);
    text_add(out, load(f));
    if (!many) text_printf(out, "const real h = s->h;\n%s", masses_text(f, b0));
    text_add(out, force_text(f, "F", "f0"));
    text_add(out, "for (; made < count; made++) {\n");
    text_add(out, f->forced ? "real work = 0;\n" : "");
    if (many) {
        text_printf(
            out, "real saved[%d];\nint part = 0;\n%s", 4 * f->n,
            each_of(
                f, mem_printf(f->w.m,
                              "saved[j] = q[j];\nsaved[%d + j] = q_low[j];\nsaved[%d + j] = p[j];\n"
                              "saved[%d + j] = p_low[j];",
                              f->n, 2 * f->n, 3 * f->n)));
        text_printf(out,
                    "for (; part < %d; part++) {\nconst real h = GAMMA[%s] * s->h;\n%s%s}\n",
                    sch->substeps,
                    f->side ? mem_printf(f->w.m, "%d - part", sch->substeps - 1) : "part",
                    masses_text(f, b0), substep_text(f, b0, b1));
        text_printf(
            out, "if (part < %d) {\n%sbreak;\n}\n", sch->substeps,
            each_of(
                f, mem_printf(f->w.m,
                              "q[j] = saved[j];\nq_low[j] = saved[%d + j];\np[j] = saved[%d + j];\n"
                              "p_low[j] = saved[%d + j];",
                              f->n, 2 * f->n, 3 * f->n)));
    } else text_add(out, substep_text(f, b0, b1));
    text_printf(out, "%s}\n%s%s", f->forced ? "s->work += work;\ns->last_work = work;\n" : "",
                f->forced ? "" : "s->last_work = 0;\n", store(f));
    text_add(out, "s->k += made;\nreturn made;\n}\n");
}
