/* point_terms.c - what step/simplified_newton.h asks of the model in every correction: at the
 * points L_w, F and the relations of velocities, at the nodes A, g and the reactions. */
#include "codegen/simplified_newton.h"

/* Lanes of the points, which both programs of the rule have. */
int rate_lanes(const codegen *f)
{
    return f->of[AT_RULE][0].lanes;
}

/* With holonomic relations the end is a node too: g holds there. */
int rate_nodes(const codegen *f)
{
    return f->relations > f->m ? f->d + 1 : f->d;
}

/* Does the program read position j? Others need not be placed at all. */
bool rate_reads(const codegen *f, const program *p, int j)
{
    const kernel *k = p->k;
    if (!k) return false;
    for (int v = 0; v < k->inputs; v++)
        if (f->f->variable[v].from == READ_Q && f->f->variable[v].index == j)
            return program_reads(p, v);
    return false;
}

/* An array of a program's results in lane i; NULL: it is 0. */
static const char *result(codegen *f, const program *p, char letter, field_name of, int row)
{
    const int held = program_slot(p, of, row, -1);
    return held < 0 ? NULL : mem_printf(f->w.m, "o%c[%d + i]", letter, held * p->lanes);
}

/*     L_w, F = L_q + f, f, and e = W v + b at every point, by coordinate and lane */
void point_terms_write(codegen *f)
{
    const program *p = &f->rates.points;
    text          *out = &f->w.out;
    text_printf(out,
                "WITHIN void point_terms(const real *tR, const real *qR, const real *vR,\n"
                "    const real *par, const real *u, real *nearR, real *L_w, real *F, real *f, "
                "real *E)\n{\nreal oR[%d];\n%s(void)f;\n(void)E;\n%s",
                p->slots * p->lanes, UNREAD_AT_POINTS, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++)
        gather_write(f, "L_w", p->lanes, j, result(f, p, 'R', FIELD_LW, j));
    for (int j = 0; j < f->n; j++)
        if (force_acts(f, p, j)) force_gather(f, p, j);
    for (int a = 0; a < f->m; a++) gather_write(f, "E", p->lanes, a, result(f, p, 'R', FIELD_E, a));
    text_add(out, "}\n\n");
}

/* A^T h lam of coordinate j at node i; NULL: no relation has it. */
static const char *reaction(codegen *f, int j)
{
    const program *p = &f->rates.nodes;
    text           t = text_new(f->w.m);
    for (int a = 0; a < f->relations; a++) {
        const int held = program_slot(p, FIELD_A, a, j);
        if (held >= 0)
            text_printf(&t, "%soK[%d + i] * impulse[%d + i]", t.n ? " + " : "", held * p->lanes,
                        a * p->lanes);
    }
    return t.n ? text_str(&t) : NULL;
}

bool rate_pushed(codegen *f, int j)
{
    return force_acts(f, &f->rates.points, j);
}

bool rate_reacts(codegen *f, int j)
{
    return reaction(f, j);
}

/*     g at the nodes, and X = A^T h lam from the entries of A kept in oK */
void node_terms_write(codegen *f)
{
    const program *p = &f->rates.nodes;
    text          *out = &f->w.out;
    text_printf(out,
                "WITHIN void node_terms(const real *tK, const real *qK, const real *par,\n"
                "    const real *u, real *nearK, real *oK, real *g)\n{\n"
                "(void)tK;\n(void)qK;\n(void)par;\n(void)u;\n(void)nearK;\n(void)g;\n%s",
                program_call(f, p, AT_CONTROL));
    for (int a = f->m; a < f->relations; a++)
        gather_write(f, "g", p->lanes, a, result(f, p, 'K', FIELD_G, a));
    text_add(out, "}\n\nWITHIN void reactions(const real *oK, const real *impulse, real *X)\n{\n");
    for (int j = 0; j < f->n; j++)
        if (reaction(f, j)) gather_write(f, "X", p->lanes, j, reaction(f, j));
    text_add(out, "}\n\n");
}
