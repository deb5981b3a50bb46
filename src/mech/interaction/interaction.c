/* interaction.c - the interaction-force form of a connected system, as a system like any other. */
#include "mech/interaction/inside.h"


#include <string.h>

bool interaction_reactions(interaction *x, double t, const double *q, const double *w,
                           const double *v, double *lam, double *rate)
{
    return !node_reactions(&x->grid, t, q, w, v, lam, rate);
}

void interaction_forget(interaction *x)
{
    x->grid.ready = false;
}

const double *joint_kept(interaction *x, const double *lam)
{
    memset(x->weights, 0, (size_t)(x->of->m + x->of->r) * sizeof *x->weights);
    for (int a = 0; a < x->sys.m + x->sys.r && lam; a++) x->weights[x->row[a]] = lam[a];
    return x->weights;
}

const double *joint_forces(interaction *x, const double *lam)
{
    for (int a = 0; a < x->of->m + x->of->r; a++) x->weights[a] = x->as_force[a] ? lam[a] : 0;
    return x->weights;
}

/* Evaluation. ---------------------------------------------------------------------------------- */

/*     f' = f + A_c^T lam_c, from the last solution */
static void add_reactions(const interaction *x, double *f)
{
    const dal_system *of = x->of;
    const sys_values *at = &x->grid.out;
    for (int i = 0; i < of->n; i++) f[i] = of->forced ? at->f[i] : 0;
    for (int a = 0; a < of->m + of->r; a++)
        for (int e = of->A.start[a]; e < of->A.start[a + 1] && x->as_force[a]; e++)
            f[of->A.column[e]] += at->A[e] * x->lam[a];
}

/*     f_t and c_t, with u held */
static void add_time(interaction *x, const sys_point *at, sys_values *out)
{
    sys_point here = *at;
    here.inner = x->grid.r;
    joint_change(x, &here, &(sys_direction){.t = 1}, out->ft, out->inner.c_t);
}

/* Forces need the reactions first: u is solved for at every point that is evaluated. */
static bool take_forces(interaction *x, unsigned want, const sys_point *at, sys_values *out)
{
    const bool in_time = want & WANT_TIME && (out->ft || out->inner.c_t);
    if (!(want & (WANT_FORCE | WANT_FORCE_JACOBIAN)) && !in_time) return true;
    const double *v = at->v ? at->v : at->w;
    if (!interaction_reactions(x, at->t, at->q, at->w, v, x->lam, NULL)) return false;
    if (want & WANT_FORCE && out->f) add_reactions(x, out->f);
    if (out->inner.u) memcpy(out->inner.u, x->grid.r, (size_t)x->inner.size * sizeof *out->inner.u);
    if (in_time) add_time(x, at, out);
    return !(want & WANT_FORCE_JACOBIAN) || joint_linearise(x, at, out);
}

/* What is said of relations, of those that are kept. */
static void spread_rows(const interaction *x, unsigned want, sys_values *out)
{
    const int kept = x->sys.m + x->sys.r;
    for (int a = 0; a < kept; a++) {
        int row = x->row[a];
        if (want & WANT_RELATIONS && out->e) out->e[a] = x->room.e[row];
        if (want & WANT_RELATIONS_JACOBIAN && out->et) out->et[a] = x->room.et[row];
        if (want & WANT_HOLONOMIC && out->g && a >= x->sys.m)
            out->g[a - x->sys.m] = x->room.g[row - x->of->m];
    }
    for (int e = 0; e < pattern_count(&x->of->A); e++) {
        if (x->of_A[e] < 0) continue;
        if (want & WANT_RELATIONS && out->A) out->A[x->of_A[e]] = x->room.A[e];
        if (want & WANT_RELATIONS_JACOBIAN && out->eq) out->eq[x->of_A[e]] = x->room.eq[e];
    }
    if (want & WANT_RELATIONS_JACOBIAN && out->on_K[F_CURV])
        memcpy(out->on_K[F_CURV], x->room.on_K[F_CURV],
               (size_t)pattern_count(&x->of->K) * sizeof(double));
}

/* Evaluated for the whole, from which the kept rows are copied. */
static bool take_relations(interaction *x, unsigned want, const sys_point *at, sys_values *out)
{
    sys_point here = *at;
    want &= WANT_RELATIONS | WANT_HOLONOMIC | WANT_RELATIONS_JACOBIAN;
    if (!want) return true;
    if (at->lam) here.lam = joint_kept(x, at->lam);
    if (x->of->eval(x->of->self, want, 1, &here, &x->room)) return false;
    spread_rows(x, want, out);
    return true;
}

/* L and its derivatives are those of the whole as they are. */
static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    interaction   *x = self;
    const unsigned plain = want & (WANT_L | WANT_GRADIENT | WANT_HESSIAN | WANT_TIME);
    if (plain && x->of->eval(x->of->self, plain, count, at, out)) return 1;
    for (int i = 0; i < count; i++)
        if (!take_relations(x, want, &at[i], &out[i]) || !take_forces(x, want, &at[i], &out[i]))
            return 1;
    return 0;
}

static void coordinate_name(const void *self, int i, text *out)
{
    const dal_system *of = ((const interaction *)self)->of;
    of->coordinate_name(of->self, i, out);
}

static void relation_name(const void *self, int a, text *out)
{
    const interaction *x = self;
    x->of->relation_name(x->of->self, x->row[a], out);
}

static bool nonfinite_source(void *self, const sys_point *at, text *out)
{
    const interaction *x = self;
    sys_point          here = *at;
    here.lam = NULL;
    return x->of->nonfinite_source && x->of->nonfinite_source(x->of->self, &here, out);
}

static sys_jets *no_jets(void *self, mem *m, int degree, text *why)
{
    (void)self, (void)m, (void)degree;
    text_add(why, "shooting needs derivatives of the forces beyond the second, which connections "
                  "that act as forces do "
                  "not give");
    return NULL;
}

/* Making. -------------------------------------------------------------------------------------- */

static void make_room(interaction *x, mem *m)
{
    const int n = x->of->n, rows = x->of->m + x->of->r, K = pattern_count(&x->of->K),
              A = pattern_count(&x->of->A);
    sys_values *r = &x->room;
    for (int f = 0; f < F_COUNT; f++) r->on_K[f] = mem_array(m, K + 1, double);
    r->e = mem_array(m, rows + 1, double), r->et = mem_array(m, rows + 1, double);
    r->A = mem_array(m, A + 1, double), r->eq = mem_array(m, A + 1, double);
    r->g = mem_array(m, x->of->r + 1, double);
    x->lam = mem_array(m, rows + 1, double), x->weights = mem_array(m, rows + 1, double);
    x->speed = mem_array(m, n + 1, double);
}

/* The rows that are no forces, in their order: velocity constraints stay before holonomic ones. */
static void make_A(interaction *x, mem *m)
{
    const dal_system *of = x->of;
    const int         rows = of->m + of->r, entries = pattern_count(&of->A);
    int               kept = 0, next = 0;
    pattern          *A = &x->sys.A;
    x->sys.m = x->sys.r = 0;
    x->row = mem_array(m, rows + 1, int), x->of_A = mem_array(m, entries + 1, int);
    *A = (pattern){.columns = of->n,
                   .start = mem_array(m, rows + 2, int),
                   .column = mem_array(m, entries + 1, int)};
    for (int a = 0; a < rows; a++) {
        for (int e = of->A.start[a]; e < of->A.start[a + 1]; e++) {
            x->of_A[e] = x->as_force[a] ? -1 : next;
            if (!x->as_force[a]) A->column[next++] = of->A.column[e];
        }
        if (x->as_force[a]) continue;
        x->row[kept++] = a, A->start[kept] = next;
        if (a < of->m) x->sys.m++;
        else x->sys.r++;
    }
    A->rows = kept;
}

/* f_q gets the curvature of the reactions beside it. */
static void make_fields(interaction *x, mem *m)
{
    const dal_system *of = x->of;
    const int         entries = pattern_count(&of->K);
    uint8_t          *present = mem_array(m, entries + 1, uint8_t);
    const bool        curved = of->varies[F_CURV] != FIELD_ZERO;
    for (int k = 0; k < entries; k++)
        present[k] = (of->forced && (!of->present[F_FQ] || of->present[F_FQ][k])) ||
                     (curved && (!of->present[F_CURV] || of->present[F_CURV][k]));
    x->sys.present[F_FQ] = present;
    if (!of->forced) x->sys.varies[F_FQ] = x->sys.varies[F_FW] = FIELD_ZERO;
    if (curved) x->sys.varies[F_FQ] = FIELD_VARIES;
    x->sys.forced = true;
}

static void drop_grid(void *self)
{
    node_equations_free(self);
}

/* Ranges, series and rates of the whole would not know of the reactions. */
static void make_functions(interaction *x)
{
    dal_system *s = &x->sys;
    s->self = x, s->eval = eval, s->nonfinite_source = nonfinite_source, s->vary = joint_vary;
    s->jets = no_jets, s->rates = NULL, s->eval_ranges = NULL, s->local = false;
    s->selective = false;
    s->coordinate_name = coordinate_name, s->relation_name = relation_name;
}

/* What is not replaced below stays that of the whole. */
dal_status interaction_new(mem *m, dal_system *of, const uint8_t *as_force, interaction **out,
                           text *why)
{
    *out = NULL;
    if (!of->rates || !of->vary) {
        text_add(why, "connections as forces need derivatives of third order, which "
                      "user-defined functions do not provide");
        return DAL_INVALID;
    }
    interaction *x = mem_array(m, 1, interaction);
    x->of = of, x->as_force = as_force, x->sys = *of;
    node_equations_init(&x->grid, m, of, &(degeneracy){0});
    mem_at_end(m, drop_grid, &x->grid);
    x->rates = of->rates(of->self, m), x->beside = of->vary(of->self, m);
    make_room(x, m);
    joint_change_room(x, m);
    make_A(x, m);
    make_fields(x, m);
    joint_shape(x, m);
    make_functions(x);
    *out = x;
    return DAL_OK;
}

dal_system *interaction_system(interaction *x)
{
    return &x->sys;
}

void interaction_archive(interaction *x, archive *r, mem *m)
{
    if (!x->grid.constant) solver_archive(x->grid.lu, &x->grid.J, r, m, "joint.pivots");
}
