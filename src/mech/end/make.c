/* make.c - sets up the equations at a grid point: the numbering of unknowns, the sparsity of the
 * matrix, and workspace. */
#include "mech/end/end.h"

#include "base/vec.h"

#include <string.h>

/* Entries of the matrix as they are met; those in the same place become one in the pattern. */
typedef struct {
    mem *m;
    vec(int) row, column;
} pairs;

/* The number of the entry, which `renumber` turns into its place in the matrix. */
static int pair(pairs *p, int row, int column)
{
    vec_push(p->m, p->row, row);
    vec_push(p->m, p->column, column);
    return p->row.n - 1;
}

/* Rows: momenta (0 .. n-1), velocities of Hamiltonian coordinates (V ..), relations (nu ..), U
 * (sigma ..). L_ww stands in the row of the velocity, which for a Lagrangian coordinate is its
 * own. */
static void shape(node_equations *g, pairs *p)
{
    const pattern *K = &g->sys->K, *A = &g->sys->A;
    for (int i = 0; i < g->n; i++) {
        const int v = node_velocity_of(g, i);
        g->diagonal[i] = node_is_phase(g, i) ? pair(p, i, i) : -1;
        if (node_is_phase(g, i)) g->diagonal[v] = pair(p, v, v);
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const uint8_t *present = g->sys->present[F_LWW];
            bool           used = g->sys->varies[F_LWW] && (!present || present[k]);
            g->of_K[k] = used ? pair(p, v, K->column[k]) : -1;
            if (g->massless)
                g->of_balance[k] = g->of_massless[i] < 0 ? -1 : pair(p, i, K->column[k]);
        }
        for (int u = 0; u < g->border; u++) {
            g->of_U[u * g->n + i] = pair(p, i, g->sigma + u);
            g->of_UT[u * g->n + i] = pair(p, g->sigma + u, i);
        }
    }
    for (int a = 0; a < g->relations; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++) {
            int j = A->column[k];
            g->of_A[k] = pair(p, g->nu + a, node_velocity_of(g, j));
            g->of_AT[k] = pair(p, j, g->nu + a);
        }
    for (int k = 0, e = 0; g->redundant && k < g->redundant->groups; k++) {
        const relation_group *at = &g->redundant->group[k];
        for (int i = 0; i < at->rows * at->rows; i++, e++)
            g->of_P[e] = pair(p, g->nu + at->row[i / at->rows], g->nu + at->row[i % at->rows]);
    }
}

/* From numbers of pairs to places among the entries of J; -1, no entry, stays. */
static void renumber(int *place, int count, const int *entry)
{
    for (int k = 0; k < count; k++)
        if (place[k] >= 0) place[k] = entry[place[k]];
}

/* Entries are listed first, and their places are known once the pattern is. */
static void make_pattern(node_equations *g, mem *m)
{
    pairs p = {.m = m};
    g->of_K = mem_array(m, pattern_count(&g->sys->K), int);
    g->of_A = mem_array(m, pattern_count(&g->sys->A), int);
    g->of_AT = mem_array(m, pattern_count(&g->sys->A), int);
    g->of_U = mem_array(m, g->border * g->n, int);
    g->of_UT = mem_array(m, g->border * g->n, int);
    g->of_balance = g->massless ? mem_array(m, pattern_count(&g->sys->K), int) : NULL;
    g->diagonal = mem_array(m, g->n + g->phase, int);
    if (g->redundant) g->of_P = mem_array(m, g->redundant->entries, int);
    shape(g, &p);
    int *entry = mem_resize(m, NULL, ((size_t)p.row.n + 1) * sizeof *entry);
    g->J = pattern_from_pairs(m, g->size, g->size, p.row.at, p.column.at, p.row.n, entry);
    renumber(g->of_K, pattern_count(&g->sys->K), entry);
    renumber(g->of_A, pattern_count(&g->sys->A), entry);
    renumber(g->of_AT, pattern_count(&g->sys->A), entry);
    renumber(g->of_U, g->border * g->n, entry);
    renumber(g->of_UT, g->border * g->n, entry);
    if (g->redundant) renumber(g->of_P, g->redundant->entries, entry);
    if (g->massless) renumber(g->of_balance, pattern_count(&g->sys->K), entry);
    renumber(g->diagonal, g->n + g->phase, entry);
    mem_drop(m, entry);
    vec_drop(m, p.row);
    vec_drop(m, p.column);
}

/* Stiffness and resistance matter along U only; elsewhere entries that are always 0 are left
 * out. */
static bool is_read(const node_equations *g, field f)
{
    if (g->k || f == F_LWW) return true;
    return (f == F_LQW || f == F_CURV) && g->sys->varies[f] != FIELD_ZERO;
}

static void make_values(node_equations *g, mem *m)
{
    const int   n = g->n, K = pattern_count(&g->sys->K), A = pattern_count(&g->sys->A);
    sys_values *out = &g->out;
    double    **of_n[] = {&out->Lq, &out->Lw, &out->Lwt, &g->w, &g->v};
    double    **of_time[] = {&out->Lqt, &out->ft};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = mem_array(m, n, double);
    for (size_t i = 0; i < sizeof of_time / sizeof *of_time; i++)
        *of_time[i] = g->sys->autonomous ? out->Lwt : mem_array(m, n, double); /* all are 0 */
    out->f = sys_room(m, g->sys, g->sys->forced, n);
    for (int f = 0; f < F_COUNT; f++) out->on_K[f] = sys_room(m, g->sys, is_read(g, (field)f), K);
    out->e = mem_array(m, g->relations, double);
    out->et = mem_array(m, g->relations, double);
    out->A = mem_array(m, A, double);
    out->eq = mem_array(m, A, double);
    out->g = mem_array(m, g->sys->r, double);
    g->unit = mem_array(m, g->relations, double);
    g->values = mem_array(m, pattern_count(&g->J), double);
    g->x = mem_array(m, g->size, double);
    g->r = mem_array(m, g->size, double);
    g->terms = mem_array(m, g->size, double);
    g->step = mem_array(m, g->size, double);
}

/* Is the matrix constant? Where it is bordered by U it contains stiffness and resistance. */
static bool is_constant(const dal_system *sys, bool bordered)
{
    static const field beside[] = {F_LQQ, F_LQW, F_FQ, F_FW};
    bool varies = sys->varies[F_LWW] == FIELD_VARIES || (sys->m + sys->r && !sys->constant_A);
    for (size_t k = 0; bordered && k < sizeof beside / sizeof *beside; k++)
        varies |= sys->varies[beside[k]] == FIELD_VARIES;
    return !varies;
}

/* The inverse of `massless`. */
static void number_massless(node_equations *g, mem *m)
{
    if (!g->massless) return;
    g->of_massless = mem_array(m, g->n, int);
    for (int i = 0; i < g->n; i++) g->of_massless[i] = -1;
    for (int u = 0; u < g->k; u++) g->of_massless[g->massless[u]] = u;
}

void node_equations_init(node_equations *g, mem *m, dal_system *sys, const degeneracy *of)
{
    const int k = of->massless ? 0 : of->dimension;
    *g = (node_equations){.sys = sys,
                          .n = sys->n,
                          .relations = sys->m + sys->r,
                          .k = of->dimension,
                          .border = k,
                          .massless = of->massless,
                          .resistive = of->resistive,
                          .coupled = of->coupled,
                          .first_order = of->first_order,
                          .loose = of->loose};
    g->phase_number = mem_array(m, sys->n, int);
    for (int i = 0; i < sys->n; i++)
        g->phase_number[i] = sys->hamiltonian && sys->hamiltonian[i] ? g->phase++ : -1;
    number_massless(g, m);
    g->U = mem_array(m, k * sys->n, double);
    g->W = of->W == of->U ? g->U : mem_array(m, k * sys->n, double);
    if (k) memcpy(g->U, of->U, (size_t)k * (size_t)sys->n * sizeof *g->U);
    if (g->W != g->U) memcpy(g->W, of->W, (size_t)k * (size_t)sys->n * sizeof *g->W);
    /* the unknowns in order: w, v of Hamiltonian coordinates, nu, sigma */
    g->V = g->n;
    g->nu = g->V + g->phase;
    g->sigma = g->nu + g->relations;
    g->size = g->sigma + k;
    g->constant = is_constant(sys, g->k > 0);
    if (sys->redundant && g->relations) {
        g->redundant = mem_array(m, 1, redundancy);
        redundancy_init(g->redundant, m, sys);
    }
    make_pattern(g, m);
    make_values(g, m);
    g->momenta_alone = sys->selective && !g->k;
    g->lu = solver_new(m, &g->J, NULL);
    /* node_divide_momenta serves where the matrix is constant and diagonal, and L_w can be had
     * alone. */
    g->divides.fits = g->constant && !g->relations && !g->k && !g->phase && sys->selective &&
                      !strcmp(solver_name(g->lu), "diagonal");
    if (g->divides.fits && !sys->timed && sys->varies[F_LQW] == FIELD_ZERO)
        g->divides.offset = mem_array(m, g->n, double);
}

void node_equations_free(node_equations *g)
{
    solver_free(g->lu);
    g->lu = NULL;
}
