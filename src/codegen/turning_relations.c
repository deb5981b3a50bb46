/* turning_relations.c - relations that hold rotations and directions, in a compiled step.
 *
 *     kappa = A^T lam  is a torque at the control nodes:    dR_nu/dlam = U_nu^T A^T
 *     dD/dZ^mu = A P_mu/h at the nodes,    dC/dZ^mu = W Q_mu + (W.v + b)_zeta P_mu at Gauss points
 *                                                            theory.md [CONSTRAINED], [ROTATION] */
#include "codegen/turning.h"

static const turning *turns_of(const codegen *f)
{
    return f->eq->sys->turns;
}

bool turning_bound(const codegen *f)
{
    const program *p = &f->of[AT_CONTROL][1];
    for (int k = 0; turning_count(f) && f->relations && k < p->root.n; k++)
        if (turning_entry(f, p->root.at[k])) return true;
    return false;
}

/* "const vector3 title = {...};" of a field in row a and the columns of rotation k; "": nothing. */
static const char *row_text(codegen *f, point_set set, field_name of, int a, int k,
                            const char *title)
{
    const program *p = &f->of[set][1];
    bool           any = false;
    text           out = text_new(f->w.m);
    text_printf(&out, "const vector3 %s = {", title);
    for (int c = 0; c < 3; c++) {
        const int held = program_slot(p, of, a, turns_of(f)->first[k] + c);
        text_printf(&out, "%s%s", c ? ", " : "",
                    held < 0 ? "REAL(0)" : turning_slot(f, p, set, held));
        any |= held >= 0;
    }
    text_add(&out, "};\n");
    return any ? text_str(&out) : "";
}

static const char *held_text(codegen *f, int a, int k)
{
    return row_text(f, AT_CONTROL, FIELD_A, a, k, "A");
}

/* Residual. ------------------------------------------------------------------------------------ */

const char *turning_reaction(codegen *f, bool second, int k)
{
    const program *p = &f->of[AT_CONTROL][second];
    text           of[3] = {text_new(f->w.m), text_new(f->w.m), text_new(f->w.m)};
    bool           any = false;
    if (!f->relations) return "";
    for (int e = 0; e < p->root.n; e++) {
        const field_root *r = p->root.at[e];
        const int         c = r->column - turns_of(f)->first[k];
        if (r->of != FIELD_A || c < 0 || c > 2) continue;
        text_printf(&of[c], " + lamK[%d + i] * %s", r->row * (f->d + 1),
                    turning_slot(f, p, AT_CONTROL, p->slot[e]));
        any = true;
    }
    return any ? mem_printf(f->w.m, "const vector3 kappa = {REAL(0)%s, REAL(0)%s, REAL(0)%s};\n",
                            text_str(&of[0]), text_str(&of[1]), text_str(&of[2]))
               : "";
}

/* Jacobian. ------------------------------------------------------------------------------------ */

/* "{ A of relation a; for (...) each }" for all rotations k that relation a >= from holds. */
static const char *for_held(codegen *f, int from, const char *(*each)(codegen *f, int a, int k))
{
    text out = text_new(f->w.m);
    for (int a = from; a < f->relations; a++)
        for (int k = 0; k < turning_count(f); k++)
            if (*held_text(f, a, k))
                text_printf(&out, "{\n%s%s}\n", held_text(f, a, k), each(f, a, k));
    return text_str(&out);
}

/* R_nu by lam^i */
static const char *reaction_column(codegen *f, int a, int k)
{
    const int at = turns_of(f)->first[k] * f->N + f->eq->lam + a;
    return write_loop(&f->w, "nu", f->d,
                      mem_printf(f->w.m,
                                 "add_column3(under3(moves[%d].U[nu], A), J + %d + nu * %d + i * "
                                 "%d);",
                                 k, at, f->n * f->N, f->relations));
}

/* D_i by Z^mu; node i has row i - 1 */
static const char *place_row(codegen *f, int a, int k)
{
    const int apart = f->relations * f->N;
    const int at = (f->eq->lam + a) * f->N - apart + turns_of(f)->first[k];
    return write_loop(&f->w, "mu", f->d,
                      mem_printf(f->w.m,
                                 "add_row3(scaled3(REAL(1 / h), under3(moves[%d].P[mu], A)), J + "
                                 "(%d + i * %d + mu * %d));",
                                 k, at, apart, f->n));
}

static bool is_turned(codegen *f, int k)
{
    return *turning_reaction(f, true, k);
}

/* P of rotation k at node i */
static const char *find_places(codegen *f, int k)
{
    return mem_printf(f->w.m, "find_places(&mid[%d], &atK[%d + i], K_l + i, %d, &moves[%d]);\n", k,
                      k * (f->d + 1), f->d + 1, k);
}

static const char *own_text(codegen *f)
{
    text out = text_new(f->w.m);
    for (int k = 0; k < turning_count(f); k++) {
        const char *kappa = turning_reaction(f, true, k);
        if (*kappa)
            text_printf(&out,
                        "{\n%sadd_own_torque(&mid[%d], &atK[%d + i], kappa, K_l + i, %d, c->Kq + i "
                        "* %d, c->impulse[i], J + %d);\n}\n",
                        kappa, k, k * (f->d + 1), f->d + 1, f->d,
                        turns_of(f)->first[k] * (f->N + 1));
    }
    return text_str(&out);
}

/* At nodes 0 .. d-1, where reactions act. */
static const char *reactions_text(codegen *f)
{
    const char *pairs = turning_pairs(f, &f->of[AT_CONTROL][1], AT_CONTROL);
    text        out = text_new(f->w.m);
    text_printf(&out, "moves3 moves[%d];\n(void)moves;\n", turning_count(f));
    for (int k = 0; k < turning_count(f); k++) {
        if (is_turned(f, k))
            text_printf(&out,
                        "find_torques(&mid[%d], &atK[%d + i], c->Kq + i * %d, c->impulse[i], "
                        "&moves[%d]);\n",
                        k, k * (f->d + 1), f->d, k);
        if (*pairs) text_add(&out, find_places(f, k));
    }
    text_printf(&out, "%s%s%s", for_held(f, 0, reaction_column), own_text(f), pairs);
    return write_sum(&f->w, "i", 0, f->d, text_str(&out));
}

/* At nodes 1 .. d, where positions are held. */
static const char *places_text(codegen *f)
{
    const char *rows = for_held(f, f->m, place_row);
    text        out = text_new(f->w.m);
    if (!*rows) return "";
    text_printf(&out, "moves3 moves[%d];\n", turning_count(f));
    for (int k = 0; k < turning_count(f); k++)
        if (is_turned(f, k)) text_add(&out, find_places(f, k));
    text_add(&out, rows);
    return write_sum(&f->w, "i", 1, f->d + 1, text_str(&out));
}

/* C_i by Z^mu */
static const char *velocity_row(codegen *f, int a, int k)
{
    const int   at = (f->eq->lam + a) * f->N + turns_of(f)->first[k];
    const char *W = row_text(f, AT_GAUSS, FIELD_A, a, k, "A");
    const char *e = row_text(f, AT_GAUSS, FIELD_EQ, a, k, "e");
    const char *to = mem_printf(f->w.m, "J + %d + i * %d + mu * %d", at, f->relations * f->N, f->n);
    text        each = text_new(f->w.m);
    if (*W) text_printf(&each, "add_row3(under3(moves[%d].Q[mu], A), %s);\n", k, to);
    if (*e) text_printf(&each, "add_row3(under3(moves[%d].P[mu], e), %s);\n", k, to);
    if (!*W && !*e) return "";
    return mem_printf(f->w.m, "{\n%s%s%s}\n", W, e, write_loop(&f->w, "mu", f->d, text_str(&each)));
}

/* At the Gauss points, where velocities are held. */
static const char *velocities_text(codegen *f)
{
    const int S = f->of[AT_GAUSS][1].lanes;
    text      out = text_new(f->w.m);
    text_printf(&out, "moves3 moves[%d];\n(void)moves;\n", turning_count(f));
    for (int k = 0; k < turning_count(f); k++) {
        text rows = text_new(f->w.m);
        for (int a = 0; a < f->m; a++) text_add(&rows, velocity_row(f, a, k));
        if (*text_str(&rows))
            text_printf(&out,
                        "find_places(&mid[%d], &atG[%d + i], G_l + i, %d, &moves[%d]);\n"
                        "find_spins(&atG[%d + i], G_l + i, c->Gv + i, %d, &moves[%d]);\n%s",
                        k, k * S, S, k, k * S, S, k, text_str(&rows));
    }
    return write_sum(&f->w, "i", 0, f->d, text_str(&out));
}

const char *turning_relations(codegen *f)
{
    return mem_printf(f->w.m, "%s%s%s", turning_bound(f) ? reactions_text(f) : "",
                      turning_bound(f) ? places_text(f) : "", f->m ? velocities_text(f) : "");
}
