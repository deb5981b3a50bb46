/* turning_rows.c - the rows of rotations in a step, and what the middle of the step, on which their
 * charts are centred, adds to the Jacobian. */
#include "mech/equations/turning_rows.h"

#include "model/charts.h"

#include <math.h>
#include <string.h>

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

static const turning *turns_of(const equations *eq)
{
    return eq->sys->turns;
}

/* Is coordinate j one of three? */
static bool turns(const equations *eq, int j)
{
    return turns_of(eq)->of_row[j] >= 0;
}

static void room_for_base(const samples *set, const equations *eq, mem *m)
{
    for (int i = 0; i < set->count; i++) {
        set->point[i].base = eq->turn->base;
        set->out[i].base = chart_values_new(m, eq->sys);
    }
}

/* A counting sort by rotation. */
static entries_of_turning list_entries(mem *m, const turning *t, const pattern *p)
{
    entries_of_turning of = {.start = mem_array(m, t->count + 2, int)};
    int               *next = of.start + 1;
    for (int e = 0; e < pattern_count(p); e++) {
        const int k = t->of_row[p->column[e]];
        if (k >= 0 && t->first[k] == p->column[e]) next[k + 1]++;
    }
    for (int k = 0; k < t->count; k++) next[k + 1] += next[k];
    of.entry = mem_array(m, next[t->count] + 1, int),
    of.row = mem_array(m, next[t->count] + 1, int);
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            const int k = t->of_row[p->column[e]];
            if (k < 0 || t->first[k] != p->column[e]) continue;
            of.entry[next[k]] = e, of.row[next[k]++] = i;
        }
    return of;
}

turning_rows *turning_rows_new(mem *m, equations *eq)
{
    const int     count = turns_of(eq)->count;
    turning_rows *t = mem_array(m, 1, turning_rows);
    eq->turn = t;
    t->base = mem_array(m, TURNING_MATRIX * count, double);
    t->a = mem_array(m, count, vector), t->m0 = mem_array(m, count, vector);
    t->M = mem_array(m, count, vector);
    t->in_K = list_entries(m, turns_of(eq), &eq->sys->K);
    t->in_A = list_entries(m, turns_of(eq), &eq->sys->A);
    room_for_base(&eq->rule, eq, m);
    if (eq->relations) room_for_base(&eq->control, eq, m), room_for_base(&eq->gauss, eq, m);
    return t;
}

/* Points. -------------------------------------------------------------------------------------- */

void turning_rows_centre(const equations *eq, const double *y)
{
    const turning *t = turns_of(eq);
    const double  *Z = y + (eq->d - 1) * eq->n, *R = eq->q + eq->n;
    for (int k = 0; k < t->count; k++, R += TURNING_MATRIX) {
        matrix R0;
        eq->turn->a[k] = vector_sum(0.5, vector_at(Z + t->first[k]), 0, (vector){{0}});
        const matrix E = chart_exp(eq->turn->a[k]);
        memcpy(R0.x, R, sizeof R0.x);
        R0 = matrix_product(&R0, &E);
        memcpy(eq->turn->base + TURNING_MATRIX * k, R0.x, sizeof R0.x);
    }
}

void turning_rows_place(const equations *eq, double *q, int from, int to)
{
    const turning *t = turns_of(eq);
    for (int k = 0; k < t->count; k++)
        for (int i = 0; i < 3; i++)
            if (from <= t->first[k] + i && t->first[k] + i < to)
                q[t->first[k] + i] -= eq->turn->a[k].x[i];
}

/* Residual. ------------------------------------------------------------------------------------ */

/*     sum_i h b_i x^i + sum_nu h w_nu A^T lam^nu   in the rows of rotation k: S, or M */
static vector sum_of(const equations *eq, const double *y, int k, bool by_base)
{
    const int first = turns_of(eq)->first[k];
    vector    sum = {{0}};
    for (int i = 0; i < eq->s; i++) {
        const sys_values *out = &eq->rule.out[i];
        const bool        forced = eq->want.residual & WANT_FORCE;
        for (int c = 0; c < 3; c++)
            sum.x[c] +=
                eq->rule.b[i] * (by_base ? out->base->eta[first + c]
                                         : out->Lq[first + c] + (forced ? out->f[first + c] : 0));
    }
    for (int c = 0; c < 3; c++) sum.x[c] *= eq->h;
    const entries_of_turning *in = &eq->turn->in_A;
    for (int nu = 0; nu < eq->d && eq->relations; nu++) {
        const sys_values *out = &eq->control.out[nu];
        const double     *a = by_base ? out->base->A_eta : out->A;
        const double     *lam = y + eq->lam + nu * eq->relations;
        for (int i = in->start[k]; i < in->start[k + 1]; i++)
            sum =
                vector_sum(1, sum, eq->impulse[nu] * lam[in->row[i]], vector_at(a + in->entry[i]));
    }
    return sum;
}

/* pi_0, in the axes of the middle */
static vector momentum_seen(const equations *eq, int k)
{
    const double *p = eq->p + eq->n + 3 * k, *low = eq->p_low + eq->n + 3 * k;
    matrix        R;
    memcpy(R.x, eq->turn->base + TURNING_MATRIX * k, sizeof R.x);
    return matrix_under(&R, vector_sum(1, vector_at(p), 1, vector_at(low)));
}

void turning_rows_sum(const equations *eq, const double *y, double *r)
{
    const turning *t = turns_of(eq);
    for (int k = 0; k < t->count; k++) {
        turning_rows *of = eq->turn;
        const int     first = t->first[k];
        const vector  S = sum_of(eq, y, k, false), a = of->a[k];
        const matrix  D = chart_rate(a);
        of->M[k] = sum_of(eq, y, k, true), of->m0[k] = momentum_seen(eq, k);
        const vector m1 = vector_sum(1, of->m0[k], 1, of->M[k]);
        const vector ends = vector_sum(1, matrix_under(&D, of->m0[k]), 1, matrix_on(&D, m1));
        for (int c = 0; c < 3; c++) r[first + c] += 0.5 * (ends.x[c] - S.x[c]);
        for (int nu = 0; nu < eq->d && t->direction[k]; nu++)
            r[nu * eq->n + first + 2] = y[nu * eq->n + first + 2];
    }
}

vector turning_rows_gain(const equations *eq, int k)
{
    matrix R;
    memcpy(R.x, eq->turn->base + TURNING_MATRIX * k, sizeof R.x);
    return matrix_on(&R, eq->turn->M[k]);
}

double turning_rows_angle(const equations *eq, const double *y, int *which)
{
    const turning *t = turns_of(eq);
    double         most = 0;
    for (int k = 0; k < t->count; k++) {
        const vector Z = vector_at(y + (eq->d - 1) * eq->n + t->first[k]);
        const double angle = sqrt(vector_dot(Z, Z));
        if (!(angle <= most)) most = angle, *which = k;
    }
    return most;
}

/* Pattern. ------------------------------------------------------------------------------------- */

typedef struct { /* who is called for an entry: at node or relation row `at`, entry e of K or A */
    void (*entry)(void *self, int **list, int at, int e, int row, int column);
    void *self;
} visitor;

static void visit_K(const equations *eq, const visitor *v)
{
    const pattern *K = &eq->sys->K;
    const int      n = eq->n, last = (eq->d - 1) * n;
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const int j = K->column[e];
            for (int nu = 0; nu < eq->d && turns(eq, j); nu++)
                v->entry(v->self, eq->turn->of_column, nu, e, nu * n + i, last + j);
            for (int mu = 1; mu <= eq->d && turns(eq, i); mu++)
                v->entry(v->self, eq->turn->of_row, mu - 1, e, i, (mu - 1) * n + j);
        }
}

/* Between rotations and stage momenta. */
static void visit_phase(const equations *eq, const visitor *v)
{
    const pattern *K = &eq->sys->K;
    const int      last = (eq->d - 1) * eq->n;
    for (int r = 0; r < eq->n; r++)
        for (int e = K->start[r]; e < K->start[r + 1]; e++) {
            const int j = K->column[e], row = eq->phase_number[r], column = eq->phase_number[j];
            for (int i = 0; i < eq->s; i++) {
                const int stage = eq->P + i * eq->phase;
                if (turns(eq, r) && column >= 0)
                    v->entry(v->self, eq->turn->of_stage, i, e, r, stage + column);
                if (turns(eq, j) && row >= 0)
                    v->entry(v->self, eq->turn->of_phase, i, e, stage + row, last + j);
            }
        }
}

static void visit_A(const equations *eq, const visitor *v)
{
    const pattern *A = &eq->sys->A;
    const int      last = (eq->d - 1) * eq->n;
    for (int a = 0; a < eq->relations; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            const int j = A->column[e];
            for (int nu = 0; nu < eq->d && turns(eq, j); nu++) {
                const int lam = eq->lam + nu * eq->relations + a;
                v->entry(v->self, eq->turn->of_lam, nu, e, j, lam);
                v->entry(v->self, eq->turn->of_relation, nu, e, lam, last + j);
            }
        }
}

typedef struct {
    void (*push)(void *self, int row, int column);
    void *self;
} pusher;

static void push_entry(void *self, int **list, int at, int e, int row, int column)
{
    const pusher *p = self;
    (void)list, (void)at, (void)e;
    p->push(p->self, row, column);
}

void turning_rows_pattern(const equations *eq, void (*push)(void *self, int row, int column),
                          void            *self)
{
    const turning *t = turns_of(eq);
    pusher         p = {push, self};
    const visitor  v = {push_entry, &p};
    visit_K(eq, &v);
    if (eq->phase) visit_phase(eq, &v);
    if (eq->relations) visit_A(eq, &v);
    for (int k = 0; k < t->count; k++)
        for (int nu = 0; nu < eq->d && t->direction[k]; nu++)
            push(self, nu * eq->n + t->first[k] + 2, nu * eq->n + t->first[k] + 2);
}

static void find_entry(void *self, int **list, int at, int e, int row, int column)
{
    const equations *eq = self;
    list[at][e] = pattern_find(&eq->J, row, column);
}

void turning_rows_find(equations *eq, mem *m)
{
    turning_rows *t = eq->turn;
    const pattern *K = &eq->sys->K, *A = &eq->sys->A;
    const struct {
        int         ***list;
        const pattern *of;
        int            by;
    } all[] = {{&t->of_column, K, eq->d},   {&t->of_row, K, eq->d},   {&t->of_lam, A, eq->d},
               {&t->of_relation, A, eq->d}, {&t->of_stage, K, eq->s}, {&t->of_phase, K, eq->s}};
    const visitor v = {find_entry, eq};
    for (size_t k = 0; k < (eq->phase ? 6 : 4); k++) {
        *all[k].list = mem_array(m, all[k].by, int *);
        for (int i = 0; i < all[k].by; i++)
            (*all[k].list)[i] = mem_array(m, pattern_count(all[k].of) + 1, int);
    }
    visit_K(eq, &v);
    if (eq->phase) visit_phase(eq, &v);
    if (eq->relations) visit_A(eq, &v);
}

/* Jacobian. ------------------------------------------------------------------------------------ */

/* Three consecutive entries of a row, changed by column Z^d: dy = -dZ/2, deta = D_a dZ/2. */
static vector by_end(const double *by_y, const double *by_eta, int e, const matrix *D)
{
    const vector eta = matrix_under(D, vector_at(by_eta + e));
    return vector_sum(-0.5, vector_at(by_y + e), 0.5, eta);
}

static void add_three(const equations *eq, const int *place, int e, double c, vector x)
{
    for (int k = 0; k < 3; k++) eq->values[place[e + k]] += c * x.x[k];
}

/* What every row gains in the columns of Z^d. The momentum of a Hamiltonian coordinate at a stage
 * is an unknown; its phase row has L_w. */
static void fill_columns(const equations *eq, int k, const matrix *D)
{
    const pattern            *K = &eq->sys->K;
    const entries_of_turning *in = &eq->turn->in_K;
    const bool                forced = eq->want.residual & WANT_FORCE;
    for (int at = in->start[k]; at < in->start[k + 1]; at++) {
        const int  e = in->entry[at];
        const bool phase = eq->phase_number[in->row[at]] >= 0;
        for (int i = 0; i < eq->s; i++) {
            const sys_values *out = &eq->rule.out[i];
            const double     *L_wq = eq->sum.L_wq + (size_t)i * (size_t)pattern_count(K);
            const vector      w = by_end(L_wq, out->base->w_eta, e, D);
            vector            q = by_end(out->on_K[F_LQQ], out->base->q_eta, e, D);
            if (forced) q = vector_sum(1, q, -0.5, vector_at(out->on_K[F_FQ] + e));
            for (int nu = 0; nu < eq->d; nu++) {
                if (!phase) add_three(eq, eq->turn->of_column[nu], e, eq->c.w[nu * eq->s + i], w);
                add_three(eq, eq->turn->of_column[nu], e, eq->c.q[nu * eq->s + i], q);
            }
            if (phase) add_three(eq, eq->turn->of_phase[i], e, eq->h * eq->rule.b[i], w);
            for (int nu = 0; nu < eq->d && eq->c.d; nu++)
                add_three(eq, eq->turn->of_column[nu], e, eq->c.d[nu * eq->s + i],
                          by_end(out->on_K[F_DQ], out->base->D_eta, e, D));
        }
        for (int nu = 0; nu < eq->d && eq->relations; nu++) {
            const sys_values *out = &eq->control.out[nu];
            add_three(eq, eq->turn->of_column[nu], e, eq->impulse[nu],
                      by_end(out->on_K[F_CURV], out->base->q_eta, e, D));
        }
    }
}

/* Relations at the Gauss points, and positions at the nodes. */
static void fill_relations(const equations *eq, int k, const matrix *D)
{
    const entries_of_turning *in = &eq->turn->in_A;
    for (int at = in->start[k]; at < in->start[k + 1]; at++)
        for (int i = 0; i < eq->d; i++) {
            const int         e = in->entry[at];
            const sys_values *v = &eq->gauss.out[i], *q = &eq->control.out[i + 1];
            if (in->row[at] < eq->m)
                add_three(eq, eq->turn->of_relation[i], e, 1, by_end(v->eq, v->base->e_eta, e, D));
            else
                add_three(eq, eq->turn->of_relation[i], e, 1 / eq->h,
                          by_end(q->A, q->base->A_eta, e, D));
        }
}

/* Rows of R_0: three rows of K with the entries from e[0], e[1], e[2] on, in `columns` columns. */
typedef struct {
    const int *place;
    int        e[3], columns;
} rows_of_three;

static void add_three_by(const rows_of_three *r, const double *x, matrix *to)
{
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < r->columns; c++) to->x[i][c] += x[r->e[i] + c];
}

static matrix three_by(const rows_of_three *r, const double *x)
{
    matrix out = {{{0}}};
    add_three_by(r, x, &out);
    return out;
}

static void add_rows(const equations *eq, const rows_of_three *r, double c, const matrix *x)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < r->columns; k++) eq->values[r->place[r->e[i] + k]] += c * x->x[i][k];
}

/*     (D_-a^T dM - dS)/2,   by what S and M are derived by */
static void add_ends(const equations *eq, const rows_of_three *r, const matrix *D, double c,
                     const matrix *S, const matrix *M)
{
    const matrix DM = matrix_product(D, M);
    add_rows(eq, r, -0.5 * c, S), add_rows(eq, r, 0.5 * c, &DM);
}

/* -x/2 + y D/2 */
static matrix at_end(const matrix *by_y, const matrix *by_eta, const matrix *D)
{
    matrix out = matrix_product(by_eta, D);
    for (int i = 0; i < 9; i++)
        out.x[i / 3][i % 3] = 0.5 * (out.x[i / 3][i % 3] - by_y->x[i / 3][i % 3]);
    return out;
}

/* By Z^mu of coordinate j or of a rotation; D_by: D_a of that, NULL: it is a number. Those that are
 * states are sampled with u_mu too; w of Hamiltonian ones is P^i. */
static void fill_row(const equations *eq, rows_of_three *r, int j, const matrix *D,
                     const matrix *D_by)
{
    const double *u = eq->upwind.states && is_state(eq, j) ? eq->upwind.at[eq->mirrored] : NULL;
    const bool    phase = eq->phase_number[j] >= 0;
    const bool forced = eq->want.residual & WANT_FORCE;
    for (int i = 0; i < eq->s; i++) {
        const sys_values   *out = &eq->rule.out[i];
        const chart_values *base = out->base;
        const double       *l = eq->rule.at[eq->mirrored].l + i * (eq->d + 1),
                     *slope = eq->rule.slope + i * (eq->d + 1), w = eq->h * eq->rule.b[i];
        matrix       S_y = three_by(r, out->on_K[F_LQQ]), S_v = three_by(r, out->on_K[F_LQW]);
        const matrix M_y = three_by(r, base->eta_q), M_v = three_by(r, base->eta_w);
        if (forced) add_three_by(r, out->on_K[F_FQ], &S_y), add_three_by(r, out->on_K[F_FW], &S_v);
        for (int mu = 1; mu <= eq->d; mu++) {
            r->place = eq->turn->of_row[mu - 1];
            const double more = u ? u[i * (eq->d + 1) + mu] : 0;
            add_ends(eq, r, D, w * (l[mu] + more), &S_y, &M_y);
            if (!phase) add_ends(eq, r, D, w * slope[mu], &S_v, &M_v);
        }
        if (phase) r->place = eq->turn->of_stage[i], add_ends(eq, r, D, w, &S_v, &M_v);
        if (!D_by) continue;
        const matrix S_eta = three_by(r, base->q_eta), M_eta = three_by(r, base->eta_eta);
        const matrix S = at_end(&S_y, &S_eta, D_by), M = at_end(&M_y, &M_eta, D_by);
        r->place = eq->turn->of_row[eq->d - 1];
        add_ends(eq, r, D, w, &S, &M);
    }
    for (int nu = 0; nu < eq->d && eq->relations; nu++) {
        const sys_values *out = &eq->control.out[nu];
        const matrix      S_y = three_by(r, out->on_K[F_CURV]), M_y = three_by(r, out->base->eta_q);
        if (nu)
            r->place = eq->turn->of_row[nu - 1], add_ends(eq, r, D, eq->impulse[nu], &S_y, &M_y);
        if (!D_by) continue;
        const matrix S_eta = three_by(r, out->base->q_eta), M_eta = three_by(r, out->base->eta_eta);
        const matrix S = at_end(&S_y, &S_eta, D_by), M = at_end(&M_y, &M_eta, D_by);
        r->place = eq->turn->of_row[eq->d - 1];
        add_ends(eq, r, D, eq->impulse[nu], &S, &M);
    }
}

/*     d/dZ^d of (D_a^T m_0 + D_-a^T m_1)/2, M held:   dm_0 = m_0 x (D_a dZ/2) */
static void fill_own(const equations *eq, int k, rows_of_three *r, const matrix *D)
{
    const turning_rows *t = eq->turn;
    const vector        a = t->a[k], m0 = t->m0[k], m1 = vector_sum(1, m0, 1, t->M[k]);
    const matrix x = {{{0, -m0.x[2], m0.x[1]}, {m0.x[2], 0, -m0.x[0]}, {-m0.x[1], m0.x[0], 0}}};
    const matrix dm0 = matrix_product(&x, D), f = matrix_under_product(D, &dm0),
                 g = matrix_product(D, &dm0), p = chart_slope_rate(a, m0),
                 q = chart_slope_rate(vector_sum(-1, a, 0, a), m1);
    matrix own;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            own.x[i][j] = 0.25 * (p.x[j][i] - q.x[j][i] + f.x[i][j] + g.x[i][j]);
    r->place = t->of_row[eq->d - 1];
    add_rows(eq, r, 1, &own);
}

static void fill_rows(const equations *eq, int k, const matrix *D)
{
    const turning *t = turns_of(eq);
    const pattern *K = &eq->sys->K;
    const int      first = t->first[k];
    for (int e = K->start[first]; e < K->start[first + 1]; e++) {
        const int     j = K->column[e], by = t->of_row[j];
        rows_of_three r = {.e = {e}, .columns = by < 0 ? 1 : 3};
        if (by >= 0 && t->first[by] != j) continue;
        for (int i = 1; i < 3; i++) r.e[i] = K->start[first + i] + e - K->start[first];
        const matrix D_by = by < 0 ? *D : chart_rate(eq->turn->a[by]);
        fill_row(eq, &r, j, D, by < 0 ? NULL : &D_by);
        if (by == k) fill_own(eq, k, &r, D);
    }
    const entries_of_turning *in = &eq->turn->in_A;
    for (int at = in->start[k]; at < in->start[k + 1]; at++) {
        const int e = in->entry[at];
        for (int nu = 0; nu < eq->d; nu++) {
            const sys_values *out = &eq->control.out[nu];
            const vector      M = matrix_on(D, vector_at(out->base->A_eta + e));
            add_three(eq, eq->turn->of_lam[nu], e, 0.5 * eq->impulse[nu],
                      vector_sum(1, M, -1, vector_at(out->A + e)));
        }
    }
}

/* A direction: Z_3 = 0 */
static void fill_struck(const equations *eq, int k)
{
    for (int nu = 0; nu < eq->d; nu++) {
        const int row = nu * eq->n + turns_of(eq)->first[k] + 2;
        for (int e = eq->J.start[row]; e < eq->J.start[row + 1]; e++)
            eq->values[e] = eq->J.column[e] == row;
    }
}

void turning_rows_fill(const equations *eq)
{
    for (int k = 0; k < turns_of(eq)->count; k++) {
        const matrix D = chart_rate(eq->turn->a[k]);
        fill_columns(eq, k, &D);
        fill_rows(eq, k, &D);
        if (eq->relations) fill_relations(eq, k, &D);
    }
    for (int k = 0; k < turns_of(eq)->count; k++)
        if (turns_of(eq)->direction[k]) fill_struck(eq, k);
}
