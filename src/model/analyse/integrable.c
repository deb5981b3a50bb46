/* integrable.c - are velocity constraints holonomic in disguise? By Frobenius' theorem the rows
 *
 *     omega_a = A_ai dq_i + beta_a dt
 *
 * can be integrated if and only if no d omega_a is left on D = ker omega,
 *
 *     d omega_a(X, Y) = F_a(X; Y) - F_a(Y; X) = 0,   F_a(X; Y) = X.d(A_a.u + beta_a sigma)
 *
 * for X = (v, tau) and Y = (u, sigma) in D.     theory.md [INTEGRABLE]
 *
 * Tested with numbers at a few points around the start, for rows that hang together. Holonomic rows
 * are among those that make D, so that constraints are judged on the surface they leave. */
#include "model/analyse/facts.h"

#include <math.h>
#include <string.h>

enum {
    POINTS = 3,       /* beside the start                               */
    TRIES = 12,       /* to find each where the rows are finite         */
    DENSE_MOST = 160, /* coordinates of rows that hang together         */
    ALONE_MOST = 16   /* velocity rows of which each is judged by itself */
};

static const double VANISHES = 1e-9;  /* of the largest terms of d omega              */
static const double NO_ENTRY = 1e-13; /* of a vector of D, in balanced units: roundoff */

typedef struct { /* rows that hang together, and the coordinates in them */
    int     n, rows;
    int    *coordinate, *row;
    int     defining, *define; /* of these rows, those that make D  */
    int     tested, *test;     /* and those that are to vanish on it */
    int     size;              /* of D                              */
    double *basis;             /* size x (n + 1), time last         */
    double *F, *terms; /* tested x size x size: F_a(X; Y), and the sizes of its terms added */
    double *form;      /* tested x size x size: d omega     */
    int     rank;      /* of its rows: 0 if they vanish, at all points so far */
} component;

typedef struct {
    mem        *m;
    dal_system *sys;
    int         components;
    component  *at;
    double      t, *q, *u;           /* a point, and velocities there */
    double     *A, *beta;            /* there                         */
    double     *e, *eq, *et;         /* of u                          */
    double     *still_eq, *still_et; /* of u = 0                      */
} frobenius;

/* e, A and their derivatives for velocities u; false: not all are finite. */
static bool eval_rows(frobenius *f, double *e, double *eq, double *et)
{
    const pattern  *A = &f->sys->A;
    const sys_point at = {.t = f->t, .q = f->q, .w = f->u, .v = f->u};
    sys_values      o = {.e = e, .A = f->A, .eq = eq, .et = et};
    o.on_K[F_CURV] = NULL;
    if (f->sys->eval(f->sys->self, WANT_RELATIONS | WANT_RELATIONS_JACOBIAN, 1, &at, &o))
        return false;
    return all_finite(e, A->rows) && all_finite(eq, pattern_count(A)) && all_finite(et, A->rows) &&
           all_finite(f->A, pattern_count(A));
}

/* A point near the start: nearer and nearer until the rows are finite. reach 0: the start. */
static bool place_point(frobenius *f, const sys_point *start, double reach, uint64_t *seed)
{
    const int n = f->sys->n;
    memset(f->u, 0, (size_t)n * sizeof *f->u);
    for (int attempt = 0; attempt < TRIES; attempt++, reach /= 4) {
        f->t = start->t + reach * analyse_noise(seed) * (1 + fabs(start->t));
        for (int i = 0; i < n; i++)
            f->q[i] = start->q[i] + reach * analyse_noise(seed) * (1 + fabs(start->q[i]));
        if (eval_rows(f, f->beta, f->still_eq, f->still_et)) return true;
    }
    return false;
}

/* Rows [A, beta] of a component that make D, each and then each column brought to a largest entry
 * of one; unit: what a column was divided by. */
static double *balanced_rows(const frobenius *f, const component *c, double *unit)
{
    const pattern *A = &f->sys->A;
    const int      N = c->n + 1;
    double        *W = mem_resize(f->m, NULL, (size_t)(c->defining * N + 1) * sizeof *W);
    memset(W, 0, (size_t)(c->defining * N) * sizeof *W);
    for (int x = 0; x < c->defining; x++) {
        const int a = c->define[x];
        double    most = fabs(W[x * N + c->n] = f->beta[a]);
        for (int k = A->start[a], y = 0; k < A->start[a + 1]; k++) {
            while (c->coordinate[y] != A->column[k]) y++; /* both ascend */
            most = fmax(most, fabs(W[x * N + y] = f->A[k]));
        }
        for (int y = 0; y < N && most > 0; y++) W[x * N + y] /= most;
    }
    for (int y = 0; y < N; y++) {
        double most = 0;
        for (int x = 0; x < c->defining; x++) most = fmax(most, fabs(W[x * N + y]));
        unit[y] = most > 0 ? most : 1;
        for (int x = 0; x < c->defining; x++) W[x * N + y] /= unit[y];
    }
    return W;
}

/* A basis of D; entries that are roundoff become 0, lest they count as directions. */
static void find_kernel(const frobenius *f, component *c)
{
    const int N = c->n + 1;
    double   *unit = mem_resize(f->m, NULL, (size_t)N * sizeof *unit);
    double   *W = balanced_rows(f, c, unit);
    c->size = N - dense_rank(f->m, W, c->defining, N, 1e-12, c->basis);
    for (int x = 0; x < c->size; x++)
        for (int y = 0; y < N; y++) {
            double *entry = &c->basis[x * N + y];
            *entry = fabs(*entry) > NO_ENTRY ? *entry / unit[y] : 0;
        }
    mem_drop(f->m, W);
    mem_drop(f->m, unit);
}

/* F_a(X; Y) = v.(eq(u) + (sigma - 1) eq(0)) + tau (et(u) + (sigma - 1) et(0)) for vector y of D,
 * whose u was evaluated, and all vectors x. */
static void add_column(const frobenius *f, component *c, int y)
{
    const pattern *A = &f->sys->A;
    const int      N = c->n + 1;
    const double   rest = c->basis[y * N + c->n] - 1; /* sigma - 1 */
    for (int b = 0; b < c->tested; b++)
        for (int x = 0; x < c->size; x++) {
            const int     a = c->test[b];
            const double *X = c->basis + x * N;
            double        sum = X[c->n] * (f->et[a] + rest * f->still_et[a]);
            double        size = fabs(X[c->n]) * (fabs(f->et[a]) + fabs(rest * f->still_et[a]));
            for (int k = A->start[a], j = 0; k < A->start[a + 1]; k++) {
                while (c->coordinate[j] != A->column[k]) j++;
                sum += X[j] * (f->eq[k] + rest * f->still_eq[k]);
                size += fabs(X[j]) * (fabs(f->eq[k]) + fabs(rest * f->still_eq[k]));
            }
            c->F[(b * N + x) * N + y] = sum;
            c->terms[(b * N + x) * N + y] = size;
        }
}

/* The y-th vector of D of every component at once. */
static bool eval_vectors(frobenius *f, int y)
{
    memset(f->u, 0, (size_t)f->sys->n * sizeof *f->u);
    for (int k = 0; k < f->components; k++) {
        const component *c = &f->at[k];
        for (int j = 0; j < c->n && y < c->size; j++)
            f->u[c->coordinate[j]] = c->basis[y * (c->n + 1) + j];
    }
    if (!eval_rows(f, f->e, f->eq, f->et)) return false;
    for (int k = 0; k < f->components; k++)
        if (y < f->at[k].size) add_column(f, &f->at[k], y);
    return true;
}

/* d omega_a(X, Y), and 0 for what is roundoff of the terms of F_a. */
static void find_form(const component *c, int b)
{
    const int     N = c->n + 1;
    const double *F = c->F + b * N * N, *terms = c->terms + b * N * N;
    double       *form = c->form + b * c->size * c->size, most = 0;
    for (int x = 0; x < c->size; x++)
        for (int y = 0; y < c->size; y++) most = fmax(most, terms[x * N + y]);
    for (int x = 0; x < c->size; x++)
        for (int y = 0; y < c->size; y++) {
            const double left = F[x * N + y] - F[y * N + x];
            form[x * c->size + y] = fabs(left) > VANISHES * most ? left : 0;
        }
}

/* How many combinations of the rows are left on D: those that are not may be integrable. */
static int form_rank(const frobenius *f, const component *c)
{
    const int count = c->tested * c->size * c->size;
    bool      vanishes = true;
    for (int b = 0; b < c->tested; b++) find_form(c, b);
    for (int k = 0; k < count; k++) vanishes &= c->form[k] == 0;
    if (vanishes) return 0;
    return dense_rank_scaled(f->m, c->form, c->tested, c->size * c->size, VANISHES, NULL);
}

/* One point: D, F and what is left of d omega on D, of all components. */
static bool judge_point(frobenius *f)
{
    int most = 0;
    for (int k = 0; k < f->components; k++) {
        find_kernel(f, &f->at[k]);
        if (f->at[k].size > most) most = f->at[k].size;
    }
    for (int y = 0; y < most; y++)
        if (!eval_vectors(f, y)) return false;
    for (int k = 0; k < f->components; k++) {
        const int rank = form_rank(f, &f->at[k]);
        if (rank > f->at[k].rank) f->at[k].rank = rank;
    }
    return true;
}

/* Sets `rank` of every component; false: rows are not finite around the start. */
static bool judge(frobenius *f, const sys_point *start)
{
    uint64_t seed = 1;
    for (int k = 0; k < f->components; k++) f->at[k].rank = 0;
    for (int point = 0; point <= POINTS; point++)
        if (!place_point(f, start, point ? 0.3 : 0, &seed) || !judge_point(f)) return false;
    return true;
}

/* Components. ---------------------------------------------------------------------------------- */

/* Coordinates and rows of each component that has a velocity row; false: one of them is too
 * large. */
static bool find_components(frobenius *f)
{
    const pattern *A = &f->sys->A;
    groups         g = groups_new(f->m, f->sys->n);
    int           *number = mem_array(f->m, f->sys->n + 1, int);
    f->at = mem_array(f->m, f->sys->m + 1, component);
    groups_join_rows(&g, A);
    for (int i = 0; i < f->sys->n; i++) number[i] = -1;
    for (int a = 0; a < f->sys->m; a++) {
        if (A->start[a] == A->start[a + 1]) continue;
        int *of = &number[groups_find(&g, A->column[A->start[a]])];
        if (*of < 0) *of = f->components++;
    }
    for (int pass = 0; pass < 2; pass++) { /* count, then list */
        for (int i = 0; i < f->sys->n; i++) {
            const int k = number[groups_find(&g, i)];
            if (k < 0) continue;
            if (pass) f->at[k].coordinate[f->at[k].n] = i;
            f->at[k].n++;
        }
        for (int a = 0; a < A->rows; a++) {
            const int first = A->start[a];
            const int k = first < A->start[a + 1] ? number[groups_find(&g, A->column[first])] : -1;
            if (k < 0) continue;
            if (pass) f->at[k].row[f->at[k].rows] = a;
            f->at[k].rows++;
        }
        for (int k = 0; k < f->components && !pass; k++) {
            component *c = &f->at[k];
            if (c->n > DENSE_MOST) return false;
            const int N = c->n + 1, all = c->rows * N * N;
            *c = (component){.coordinate = mem_array(f->m, c->n, int),
                             .row = mem_array(f->m, c->rows, int),
                             .define = mem_array(f->m, c->rows, int),
                             .test = mem_array(f->m, c->rows, int),
                             .basis = mem_array(f->m, N * N, double),
                             .F = mem_array(f->m, all, double),
                             .terms = mem_array(f->m, all, double),
                             .form = mem_array(f->m, all, double)};
        }
    }
    return true;
}

/* All rows of each component, or the holonomic ones and its velocity row `only`. */
static void ask(frobenius *f, int only)
{
    for (int k = 0; k < f->components; k++) {
        component *c = &f->at[k];
        c->defining = c->tested = 0;
        for (int x = 0; x < c->rows; x++) {
            const bool velocity = c->row[x] < f->sys->m;
            if (velocity && only >= 0 && x != only) continue;
            c->define[c->defining++] = c->row[x];
            if (velocity) c->test[c->tested++] = c->row[x];
        }
    }
}

/* The rows that were tested can be integrated. */
static void note_integrable(const frobenius *f, bool *integrable)
{
    for (int k = 0; k < f->components; k++)
        for (int b = 0; b < f->at[k].tested && !f->at[k].rank; b++)
            integrable[f->at[k].test[b]] = true;
}

/* Whole components first; then, of those that are nonholonomic, each row by itself. combinations:
 * of the rows of these, that may be integrable (the first derived system). */
static bool find_integrable(frobenius *f, const sys_point *start, bool *integrable,
                            int *combinations)
{
    int most = 0;
    *combinations = 0;
    ask(f, -1);
    if (!judge(f, start)) return false;
    note_integrable(f, integrable);
    for (int k = 0; k < f->components; k++) {
        const component *c = &f->at[k];
        if (!c->rank) continue;
        *combinations += c->tested - c->rank;
        if (c->tested > most && c->tested <= ALONE_MOST) most = c->tested;
    }
    for (int x = 0; x < most && most > 1; x++) {
        ask(f, x);
        if (!judge(f, start)) return false;
        note_integrable(f, integrable);
    }
    return true;
}

/* A coefficient that holds an input changes as nobody knows. */
static void leave_out_inputs(const compiled *c, bool *integrable)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (in->into != SINK_E || !(d->holds[in->root] & 1u << FROM_INPUT)) continue;
            for (int k = 0; k < d->instances; k++) integrable[slot_index(in->row, k)] = false;
        }
    }
}

/* The velocity constraints of the text, told apart; connections are sums, as everybody knows. */
static const integrability *sort_relations(mem *m, const compiled *c, const bool *integrable,
                                           int combinations)
{
    integrability *found = mem_array(m, 1, integrability);
    found->combinations = combinations;
    found->disguised = mem_array(m, c->sys.m + 1, disguise);
    found->nonholonomic = mem_array(m, c->sys.m + 1, int);
    for (int a = 0; a < c->sys.m; a++) {
        const int r = c->relation_of[a];
        if (c->md->relation.at[r].kind != REL_VELOCITY || c->md->relation.at[r].connection)
            continue;
        if (!integrable[a]) found->nonholonomic[found->nonholonomics++] = r;
        else found->disguised[found->disguises++] = (disguise){r, analyse_leaf(m, c, a)};
    }
    return found;
}

const integrability *analyse_integrability(mem *m, const compiled *c, bound *b,
                                           const sys_point *start)
{
    dal_system *sys = bound_system(b);
    const int   rows = sys->m + sys->r, E = pattern_count(&sys->A);
    frobenius   f = {.m = m, .sys = sys};
    if (!sys->m) return NULL;
    f.q = mem_array(m, sys->n, double), f.u = mem_array(m, sys->n, double);
    f.A = mem_array(m, E, double), f.beta = mem_array(m, rows, double);
    f.e = mem_array(m, rows, double), f.eq = mem_array(m, E, double);
    f.et = mem_array(m, rows, double), f.still_et = mem_array(m, rows, double);
    f.still_eq = mem_array(m, E, double);
    int   combinations;
    bool *integrable = mem_array(m, rows + 1, bool);
    if (!find_components(&f) || !find_integrable(&f, start, integrable, &combinations)) return NULL;
    leave_out_inputs(c, integrable);
    return sort_relations(m, c, integrable, combinations);
}
