/* relax_sweep.c - one correction of a relaxed step as generated code: positions of points and
 * nodes, the residual there, the resulting corrections of velocities and multipliers, and their
 * size. */
#include "fuse/relax.h"

int relax_lanes(const fusing *f)
{
    return f->of[AT_RULE][0].lanes;
}

/* Nodes where reactions act, and those where positions are constrained. */
int relax_nodes(const fusing *f)
{
    return f->relations > f->m ? f->d + 1 : f->d;
}

/*     sum_k table[k lanes + i] * of[k], in pairs */
const char *relax_combined(fusing *f, const char *of_table, int lanes, const char *of, int first)
{
    text t = text_new(f->w.m);
    for (int k = 0; k < f->d; k += 2) {
        text_printf(&t, "%s(%s[%d + i] * %s[%d]", k ? " + " : "", of_table, k * lanes, of,
                    first + k);
        if (k + 1 < f->d)
            text_printf(&t, " + %s[%d + i] * %s[%d]", of_table, (k + 1) * lanes, of, first + k + 1);
        text_add(&t, ")");
    }
    return text_str(&t);
}

bool relax_reads(const fusing *f, const program *p, int j)
{
    const kernel *k = p->k;
    if (!k) return false;
    for (int v = 0; v < k->inputs; v++)
        if (f->f->variable[v].from == READ_Q && f->f->variable[v].index == j)
            return program_reads(p, v);
    return false;
}

static void place_stage(fusing *f, int j, text *t)
{
    const int W = relax_lanes(f);
    write_lanes(t, W,
                mem_printf(f->w.m, "qR[%d + i] = q[%d] + (q_low[%d] + h * (%s));", j * W, j, j,
                           relax_combined(f, "RATE_A", W, "vR", j * W)));
}

static const char *place_text(fusing *f)
{
    const relaxation *x = &f->relaxation;
    const int         W = relax_lanes(f), K = relax_nodes(f);
    text              t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        if (relax_reads(f, &x->stages, j)) place_stage(f, j, &t);
        if (relax_reads(f, &x->nodes, j))
            write_lanes(&t, K,
                        mem_printf(f->w.m, "qK[%d + i] = q[%d] + (q_low[%d] + h * (%s));", j * K, j,
                                   j, relax_combined(f, "RATE_NODES", K, "vR", j * W)));
    }
    return text_str(&t);
}

/* Once, before the first correction: the matrices, and what only they read. */
static const char *blocks_text(fusing *f)
{
    const relaxation *x = &f->relaxation;
    text              t = text_new(f->w.m);
    text_add(&t, "if (it == 1) {\n");
    for (int j = 0; j < f->n; j++)
        if (relax_reads(f, &x->inertia, j) && !relax_reads(f, &x->stages, j)) place_stage(f, j, &t);
    text_printf(&t, "inertia(%soM);\nif (!blocks(h, oM, K)) return 0;\n}\n",
                program_passed(f, &x->inertia, AT_RULE));
    return text_str(&t);
}

/* L_q + f of coordinate j at point i; NULL: it is 0. */
const char *relax_force(fusing *f, int j)
{
    const program *p = &f->relaxation.stages;
    const int      Lq = program_slot(p, FIELD_LQ, j, -1), F = program_slot(p, FIELD_F, j, -1),
              W = p->lanes;
    if (Lq < 0 && F < 0) return NULL;
    if (Lq < 0 || F < 0) return mem_printf(f->w.m, "oR[%d + i]", (Lq < 0 ? F : Lq) * W);
    return mem_printf(f->w.m, "(oR[%d + i] + oR[%d + i])", Lq * W, F * W);
}

/* A^T h lam of coordinate j at node i; NULL: no relation has it. */
const char *relax_reaction(fusing *f, int j)
{
    const program *p = &f->relaxation.nodes;
    text           t = text_new(f->w.m);
    for (int a = 0; a < f->relations; a++) {
        const int held = program_slot(p, FIELD_A, a, j);
        if (held >= 0)
            text_printf(&t, "%soK[%d + i] * pull[%d + i]", text_str(&t)[0] ? " + " : "",
                        held * p->lanes, a * p->lanes);
    }
    return text_str(&t)[0] ? text_str(&t) : NULL;
}

const char *relax_reactions(fusing *f)
{
    const int K = relax_nodes(f);
    text      t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const char *reaction = relax_reaction(f, j);
        if (reaction) write_lanes(&t, K, mem_printf(f->w.m, "X[%d + i] = %s;", j * K, reaction));
    }
    return text_str(&t);
}

/* Forces and reactions are gathered before they are distributed over the points. */
static const char *gather_text(fusing *f)
{
    const int W = relax_lanes(f);
    text      t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const char *force = relax_force(f, j);
        if (force) write_lanes(&t, W, mem_printf(f->w.m, "F[%d + i] = %s;", j * W, force));
    }
    text_add(&t, relax_reactions(f));
    return text_str(&t);
}

/* r0 .. = minus what is left, in lane i */
static const char *left_text(fusing *f)
{
    const program *p = &f->relaxation.stages, *nodes = &f->relaxation.nodes;
    const int      W = p->lanes, K = nodes->lanes;
    text           t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const int   Lw = program_slot(p, FIELD_LW, j, -1);
        const char *push =
            relax_force(f, j)
                ? mem_printf(f->w.m, " + h * (%s)", relax_combined(f, "RATE_PUSH", W, "F", j * W))
                : "";
        const char *pull =
            relax_reaction(f, j)
                ? mem_printf(f->w.m, " + (%s)", relax_combined(f, "RATE_REACT", W, "X", j * K))
                : "";
        const char *own = Lw < 0 ? "" : mem_printf(f->w.m, " - oR[%d + i]", Lw * W);
        text_printf(&t, "const real r%d = ((RATE_REST[i] * p[%d]%s) + p_low[%d])%s%s;\n", j, j, own,
                    j, push, pull);
    }
    for (int a = 0; a < f->relations; a++) {
        const bool of_v = a < f->m;
        const int  held =
            of_v ? program_slot(p, FIELD_E, a, -1) : program_slot(nodes, FIELD_G, a, -1);
        const char *left =
            held < 0 ? "0"
            : of_v   ? mem_printf(f->w.m, "-oR[%d + i]", held * W)
                   : mem_printf(f->w.m, "-(%s)", relax_combined(f, "c->Rv", W, "oK", held * K + 1));
        text_printf(&t, "const real r%d = %s;\n", f->n + a, left);
    }
    return text_str(&t);
}

/* The corrections: of v, and of h lam. */
static const char *correct_text(fusing *f, const factor_shape *b)
{
    const int W = relax_lanes(f), K = relax_nodes(f);
    text      t = text_new(f->w.m);
    text_printf(&t, "for (int i = 0; i < %d; i++) {\n%s%s", W, left_text(f), relax_divide(f, b));
    for (int j = 0; j < b->size; j++) {
        text_printf(&t, "r[%d + i] = z%d;\n", j * W, j);
        if (j < f->n) text_printf(&t, "vR[%d + i] += z%d;\n", j * W, j);
    }
    text_add(&t, "}\n");
    for (int a = 0; a < f->relations; a++)
        write_lanes(&t, K,
                    mem_printf(f->w.m, "pull[%d + i] -= %s;", a * K,
                               relax_combined(f, "RATE_UNREACT", K, "r", (f->n + a) * W)));
    return text_str(&t);
}

/*     sum_i,j |r_j^i| weight_j, or without weights */
const char *relax_size(fusing *f, const char *array, const char *weight)
{
    const int W = relax_lanes(f);
    text      t = text_new(f->w.m), sum = text_new(f->w.m);
    for (int j = 0; j < f->n; j++)
        text_printf(&sum, "%sfabs(r[%d + i])%s", j ? " + " : "", j * W,
                    *weight ? mem_printf(f->w.m, " * %s[%d]", weight, j) : "");
    write_lanes(&t, W, mem_printf(f->w.m, "%s[i] = %s;", array, text_str(&sum)));
    text_add(&t, write_lanes_sum(&f->w, array, W));
    return text_str(&t);
}

/* The scale of a coordinate: its velocity, and the quantities whose roundoff the velocity inherits:
 * the terms of p over m, and q/h where positions are constrained. */
void relax_scales_write(fusing *f)
{
    const int   W = relax_lanes(f);
    const char *held = f->relations > f->m ? " + fabs(q[%d] / h)" : "";
    text       *out = &f->w.out;
    text_add(out,
             "WITHIN real scales(real h, const real *q, const real *p, const real *v, const real "
             "*o,\n    real *RESTRICT weight)\n{\nreal whole = 0;\n(void)h;\n(void)q;\n");
    for (int j = 0; j < f->n; j++) {
        text_printf(out, "{\nreal size[%d];\nfor (int i = 0; i < %d; i++) size[i] = (fabs(p[%d])",
                    W, W, j);
        for (int k = 0; k < f->n; k++) {
            const char *M = relax_inertia(f, j, k);
            if (M) text_printf(out, " + fabs(%s * v[%d + i])", M, k * W);
        }
        text_printf(out, ") / fabs(%s)", relax_inertia(f, j, j));
        text_printf(out, held, j);
        text_printf(out,
                    ";\n%sweight[%d] = size[0] > 0 ? 1 / size[0] : MOST;\nwhole += size[0];\n}\n",
                    write_lanes_sum(&f->w, "size", W), j);
    }
    text_add(out, "return whole;\n}\n\n");
}

const char *relax_sweep(fusing *f, const factor_shape *b)
{
    const relaxation *x = &f->relaxation;
    return mem_printf(f->w.m, "%s%s%s%s%s%s", place_text(f), blocks_text(f),
                      program_call(f, &x->stages, AT_RULE), program_call(f, &x->nodes, AT_CONTROL),
                      gather_text(f), correct_text(f, b));
}
