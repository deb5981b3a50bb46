/* interaction.c - the interaction-force form of a connected system, as a system like any other. */
#include "mech/interaction.h"

#include "mech/save.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct interaction {
    dal_system     sys; /* what the methods see                           */
    dal_system    *of;
    grid_equations grid;        /* of the whole: gives the reactions              */
    const uint8_t *as_force;    /* per row of the whole                           */
    int           *row;         /* of each row that is kept: its row in the whole */
    int           *of_K, *of_A; /* of each entry of the whole's K, A: ours; -1    */
    double        *lam;         /* of the whole: for reactions, and for curvature */
    double        *q, *v, *up, *down, *base, *weights;
    sys_values     room;
};

/* Forces. -------------------------------------------------------------------------------------- */

bool interaction_reactions(interaction *x, double t, const double *q, const double *v, double *lam)
{
    return !grid_reactions(&x->grid, t, q, v, v, lam, NULL);
}

/*     f' = f + A_c^T lam_c */
static bool force_at(interaction *x, double t, const double *q, const double *v, double *f)
{
    const dal_system *of = x->of;
    sys_point         at = {.t = t, .q = q, .w = v, .v = v};
    unsigned          want = WANT_RELATIONS | (of->forced ? WANT_FORCE : 0u);
    if (!interaction_reactions(x, t, q, v, x->lam)) return false;
    if (of->eval(of->self, want, 1, &at, &x->room)) return false;
    for (int i = 0; i < of->n; i++) f[i] = of->forced ? x->room.f[i] : 0;
    for (int a = 0; a < of->m + of->r; a++)
        for (int e = of->A.start[a]; e < of->A.start[a + 1] && x->as_force[a]; e++)
            f[of->A.column[e]] += x->room.A[e] * x->lam[a];
    return true;
}

static double difference_step(double at)
{
    return cbrt(DBL_EPSILON) * fmax(1, fabs(at));
}

/* Column j of a derivative, by central differences in one number of the point. */
static bool column(interaction *x, double t, double *number, double *to, int stride)
{
    const double at = *number, h = difference_step(at);
    *number = at + h;
    bool fine = force_at(x, t, x->q, x->v, x->up);
    *number = at - h;
    fine = fine && force_at(x, t, x->q, x->v, x->down);
    *number = at;
    for (int i = 0; fine && i < x->of->n; i++) to[i * stride] = (x->up[i] - x->down[i]) / (2 * h);
    return fine;
}

static bool force_jacobian(interaction *x, double t, double *fq, double *fv)
{
    const int n = x->of->n;
    for (int j = 0; j < n; j++) {
        if (fq && !column(x, t, &x->q[j], fq + j, n)) return false;
        if (fv && !column(x, t, &x->v[j], fv + j, n)) return false;
    }
    return true;
}

static bool force_by_time(interaction *x, double t, double *ft)
{
    const double h = difference_step(t);
    if (!force_at(x, t + h, x->q, x->v, x->up) || !force_at(x, t - h, x->q, x->v, x->down))
        return false;
    for (int i = 0; i < x->of->n; i++) ft[i] = (x->up[i] - x->down[i]) / (2 * h);
    return true;
}

static bool add_forces(interaction *x, unsigned want, const sys_point *at, sys_values *out)
{
    const size_t bytes = (size_t)x->of->n * sizeof(double);
    memcpy(x->q, at->q, bytes), memcpy(x->v, at->w, bytes);
    if (want & WANT_FORCE && out->f && !force_at(x, at->t, x->q, x->v, out->f)) return false;
    if (want & WANT_TIME && out->ft && !force_by_time(x, at->t, out->ft)) return false;
    return !(want & WANT_FORCE_JACOBIAN) ||
           force_jacobian(x, at->t, out->on_K[F_FQ], out->on_K[F_FW]);
}

/* What is taken over. -------------------------------------------------------------------------- */

static void spread_fields(const interaction *x, unsigned want, sys_values *out)
{
    const int    entries = pattern_count(&x->of->K);
    const size_t bytes = (size_t)pattern_count(&x->sys.K) * sizeof(double);
    for (int f = 0; f < F_COUNT; f++) {
        bool wanted =
            f <= F_LWW ? (want & WANT_HESSIAN) != 0 : f == F_CURV && want & WANT_RELATIONS_JACOBIAN;
        if (!wanted || !out->on_K[f]) continue;
        memset(out->on_K[f], 0, bytes);
        for (int e = 0; e < entries; e++) out->on_K[f][x->of_K[e]] = x->room.on_K[f][e];
    }
}

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
}

static void copy_vector(double *to, const double *from, int n)
{
    if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static bool take_over(interaction *x, unsigned want, const sys_point *at, sys_values *out)
{
    sys_point here = *at;
    if (at->lam) {
        memset(x->weights, 0, (size_t)(x->of->m + x->of->r) * sizeof *x->weights);
        for (int a = 0; a < x->sys.m + x->sys.r; a++) x->weights[x->row[a]] = at->lam[a];
        here.lam = x->weights;
    }
    want &= ~(unsigned)(WANT_FORCE | WANT_FORCE_JACOBIAN);
    if (!want) return true;
    if (x->of->eval(x->of->self, want, 1, &here, &x->room)) return false;
    if (want & WANT_L) out->L = x->room.L;
    if (want & WANT_GRADIENT)
        copy_vector(out->Lq, x->room.Lq, x->of->n), copy_vector(out->Lw, x->room.Lw, x->of->n);
    if (want & WANT_TIME) {
        out->Lt = x->room.Lt, out->Ltt = x->room.Ltt;
        copy_vector(out->Lqt, x->room.Lqt, x->of->n), copy_vector(out->Lwt, x->room.Lwt, x->of->n);
    }
    spread_fields(x, want, out);
    spread_rows(x, want, out);
    return true;
}

static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    for (int i = 0; i < count; i++)
        if (!take_over(self, want, &at[i], &out[i]) || !add_forces(self, want, &at[i], &out[i]))
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

/* Making. -------------------------------------------------------------------------------------- */

static void make_room(interaction *x, mem *m)
{
    const int n = x->of->n, rows = x->of->m + x->of->r, K = pattern_count(&x->of->K),
              A = pattern_count(&x->of->A);
    sys_values *r = &x->room;
    double    **of_n[] = {&x->q,  &x->v, &x->up,  &x->down, &r->Lq,
                          &r->Lw, &r->f, &r->Lqt, &r->Lwt,  &r->ft};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    for (int f = 0; f < F_COUNT; f++) r->on_K[f] = mem_array(m, K + 1, double);
    r->e = mem_array(m, rows + 1, double), r->et = mem_array(m, rows + 1, double);
    r->A = mem_array(m, A + 1, double), r->eq = mem_array(m, A + 1, double);
    r->g = mem_array(m, x->of->r + 1, double);
    x->lam = mem_array(m, rows + 1, double), x->weights = mem_array(m, rows + 1, double);
}

/* K is full: a reaction feels everything that its coordinates are connected to. */
static void make_K(interaction *x, mem *m)
{
    const int n = x->of->n, all = n * n, entries = pattern_count(&x->of->K);
    pattern  *K = &x->sys.K;
    *K = (pattern){.rows = n,
                   .columns = n,
                   .start = mem_array(m, n + 1, int),
                   .column = mem_array(m, all, int)};
    int *transpose = mem_array(m, all, int);
    for (int i = 0; i <= n; i++) K->start[i] = i * n;
    for (int e = 0; e < all; e++) K->column[e] = e % n, transpose[e] = e % n * n + e / n;
    x->sys.transpose = transpose;
    x->of_K = mem_array(m, entries + 1, int);
    for (int i = 0; i < n; i++)
        for (int e = x->of->K.start[i]; e < x->of->K.start[i + 1]; e++)
            x->of_K[e] = i * n + x->of->K.column[e];
    for (int f = 0; f < F_COUNT; f++) {
        bool     force = f == F_FQ || f == F_FW;
        uint8_t *present = mem_array(m, all, uint8_t);
        for (int e = 0; e < entries; e++)
            present[x->of_K[e]] = !x->of->present[f] || x->of->present[f][e];
        if (force) memset(present, 1, (size_t)all);
        x->sys.present[f] = present;
        x->sys.varies[f] = force ? FIELD_VARIES : x->of->varies[f];
    }
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

static void drop_grid(void *self)
{
    grid_equations_free(self);
}

dal_status interaction_new(mem *m, dal_system *of, const uint8_t *as_force, interaction **out,
                           text *why)
{
    *out = NULL;
    if (of->hamiltonian) {
        text_add(why, "interaction forces need velocities everywhere: Hamiltonian coordinates "
                      "cannot be connected so");
        return DAL_INVALID;
    }
    if (of->n > INTERACTION_MOST) {
        text_printf(
            why,
            "interaction forces couple everything to everything: at most %d coordinates, not %d",
            INTERACTION_MOST, of->n);
        return DAL_INVALID;
    }
    interaction *x = mem_array(m, 1, interaction);
    x->of = of, x->as_force = as_force, x->sys = *of;
    grid_equations_init(&x->grid, m, of, NULL, 0, 0);
    mem_at_end(m, drop_grid, &x->grid);
    make_room(x, m);
    make_K(x, m);
    make_A(x, m);
    x->sys.forced = true, x->sys.selective = false;
    x->sys.self = x, x->sys.eval = eval, x->sys.culprit = NULL, x->sys.jets = NULL, x->sys.vary = NULL;
    x->sys.coordinate_name = coordinate_name, x->sys.relation_name = relation_name;
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
