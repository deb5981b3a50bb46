/* modes.c - splits the matrix of a step by the eigenvectors of its scheme, factors the parts, and
 * solves with them. A complex matrix is solved as a real one, the parts of each unknown side by
 * side. */
#include "mech/solve/modes.h"

#include "linalg/eigen.h"
#include "mech/solve/stages.h"

#include <stdio.h>
#include <string.h>

enum { FIELDS = F_COUNT + 1, OF_LWQ = F_COUNT, STRETCH = 512 };

typedef struct {
    bool    paired;
    double  t[FIELDS][2]; /* t_fk: real and imaginary part                        */
    pattern shape;        /* of K, with two rows and columns for each of a pair */
    double *values;
    solver *lu;
    double *x;
} mode;

struct modes {
    equations *eq;
    int        count;
    mode      *mode;
    double    *into, *out_of; /* d x d: right-hand sides of modes from rows; unknowns from modes */
    double    *q, *v;         /* in the middle of the curve */
    basis      middle;
    bool       symmetric;     /* the curve run backward has the same tables            */
    bool       primed, ready; /* constant fields are known; factors are good, for this */
    bool       mirrored;
    double     h;
};

/* Which products of basis functions stand with a field, and the power of h. */
typedef enum { VALUE, SLOPE, UPWIND } factor_kind;
typedef struct {
    factor_kind row, column;
    int         power;
} weighing;

/*     J_nu,mu = sum_i b_i [l'_nu (l_mu L_vq + l'_mu L_vv/h) + h l_nu (l_mu (L_qq + f_q)
 *               + (l'_mu/h) (L_qv + f_v)) - h u_nu (l_mu D_q + (l'_mu/h) D_v)] theory.md [NEWTON]
 */
static const weighing weighings[FIELDS] = {
    [F_LWW] = {SLOPE, SLOPE, -1}, [OF_LWQ] = {SLOPE, VALUE, 0}, [F_LQW] = {VALUE, SLOPE, 0},
    [F_FW] = {VALUE, SLOPE, 0},   [F_LQQ] = {VALUE, VALUE, 1},  [F_FQ] = {VALUE, VALUE, 1},
    [F_DW] = {UPWIND, SLOPE, 0},  [F_DQ] = {UPWIND, VALUE, 1}};

static bool has_field(const equations *eq, int f)
{
    const dal_system *sys = eq->sys;
    if (f == OF_LWQ) f = F_LQW;
    if (f == F_CURV || ((f == F_FQ || f == F_FW) && !sys->forced)) return false;
    if ((f == F_DQ || f == F_DW) && !sys->damped) return false;
    return sys->varies[f] != FIELD_ZERO;
}

/* Tables. -------------------------------------------------------------------------------------- */

static long double function_at(const equations *eq, const stage_tables *t, factor_kind kind, int i,
                               int nu)
{
    const int at = i * (eq->d + 1) + nu;
    if (kind == UPWIND) return -(long double)eq->upwind.at[0][at];
    return kind == SLOPE ? t->dl[at] : t->l[at];
}

/*     T_nu,mu = sum_i b_i (function of the row)(c_i) (function of the column)(c_i) */
static void make_table(const equations *eq, const stage_tables *t, int f, long double *T)
{
    const weighing *w = &weighings[f];
    for (int nu = 0; nu < eq->d; nu++)
        for (int mu = 0; mu < eq->d; mu++) {
            long double sum = 0;
            for (int i = 0; i < eq->s; i++)
                sum += eq->rule.b[i] * function_at(eq, t, w->row, i, nu) *
                       function_at(eq, t, w->column, i, mu + 1);
            T[nu * eq->d + mu] = sum;
        }
}

/*     S^-1 T */
static void make_divided(mem *m, const equations *eq, const stage_tables *t, int f, long double *S,
                         long double *T)
{
    make_table(eq, t, F_LWW, S);
    if (f == F_LWW)
        for (int k = 0; k < eq->d * eq->d; k++) T[k] = k % (eq->d + 1) ? 0 : 1;
    else make_table(eq, t, f, T);
    table_solve(m, S, T, eq->d, eq->d);
}

typedef struct {
    complex_number value[EIGEN_MOST], right[EIGEN_MOST * EIGEN_MOST], left[EIGEN_MOST * EIGEN_MOST];
} spectrum;

/*     (U S^-1 T V)_kk */
static complex_number share_of(const spectrum *s, const long double *T, int d, int k)
{
    complex_number sum = 0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) sum += s->left[k * d + i] * T[i * d + j] * s->right[j * d + k];
    return sum;
}

/*     x_k = sum_nu (U S^-1)_k,nu r_nu,   y_mu = sum_k V_mu,k x_k
 * where a pair adds up to 2 Re(v x). */
static void make_changes(const modes *md, const spectrum *s, const long double *inverse)
{
    const int d = md->eq->d;
    for (int k = 0; k < d; k++) {
        const bool second = cimagl(s->value[k]) < 0, paired = second || cimagl(s->value[k]) > 0;
        for (int j = 0; j < d; j++) {
            const int      first = second ? k - 1 : k;
            complex_number in = 0, out = s->right[j * d + first];
            for (int i = 0; i < d; i++) in += s->left[first * d + i] * inverse[i * d + j];
            if (paired) out *= 2;
            md->into[k * d + j] = (double)(second ? cimagl(in) : creall(in));
            md->out_of[j * d + k] = (double)(second ? -cimagl(out) : creall(out));
        }
    }
}

/* Two rows and columns for each of K. */
static pattern doubled(mem *m, const pattern *K)
{
    pattern p = {.rows = 2 * K->rows, .columns = 2 * K->columns};
    p.start = mem_array(m, p.rows + 1, int);
    p.column = mem_array(m, 4 * pattern_count(K), int);
    for (int i = 0, at = 0; i < p.rows; i++) {
        for (int k = K->start[i / 2]; k < K->start[i / 2 + 1]; k++)
            p.column[at++] = 2 * K->column[k], p.column[at++] = 2 * K->column[k] + 1;
        p.start[i + 1] = at;
    }
    return p;
}

static bool make_mode(mode *to, mem *m, const equations *eq, bool paired)
{
    to->paired = paired;
    to->shape = paired ? doubled(m, &eq->sys->K) : eq->sys->K;
    to->values = mem_array(m, pattern_count(&to->shape), double);
    to->x = mem_array(m, to->shape.rows, double);
    to->lu = solver_new(m, &to->shape, NULL);
    return to->lu;
}

static bool make_modes(modes *md, mem *m, const spectrum *s)
{
    const equations   *eq = md->eq;
    const int          d = eq->d;
    const stage_tables t = stages_of(m, eq, 0, 53);
    long double       *S = mem_array(m, d * d, long double), *T = mem_array(m, d * d, long double);
    for (int k = 0; k < d; k++)
        if (cimagl(s->value[k]) >= 0 &&
            !make_mode(&md->mode[md->count++], m, eq, cimagl(s->value[k]) > 0))
            return false;
    for (int f = 0; f < FIELDS; f++) {
        if (!has_field(eq, f)) continue;
        make_divided(m, eq, &t, f, S, T);
        if (f == F_LWW) make_changes(md, s, T);
        for (int i = 0; i < d && f == F_LWW; i++)
            for (int j = 0; j < d; j++) T[i * d + j] = i == j;
        for (int k = 0, at = 0; k < d; k++) {
            if (cimagl(s->value[k]) < 0) continue;
            const complex_number share = share_of(s, T, d, k);
            md->mode[at].t[f][0] = (double)creall(share);
            md->mode[at++].t[f][1] = (double)cimagl(share);
        }
    }
    return true;
}

void modes_free(modes *md)
{
    for (int k = 0; md && k < md->count; k++) solver_free(md->mode[k].lu);
}

bool modes_expensive(const modes *md)
{
    static const double solves = 3;
    bool                any = false;
    for (int k = 0; k < md->count; k++) any |= solver_effort(md->mode[k].lu) > solves;
    return any;
}

/* A matrix with much fill is factored seldom, the whole one too: only smaller ones are a gain. */
static bool pay(const modes *md)
{
    bool smaller = true;
    for (int k = 0; k < md->count; k++) smaller &= md->mode[k].shape.rows < md->eq->size;
    return smaller || !modes_expensive(md);
}

/* Unknowns are increments alone. */
static bool fits(const equations *eq)
{
    return !eq->shot && !eq->turn && eq->d > 1 && eq->d <= EIGEN_MOST && !eq->relations &&
           !eq->phase && !eq->force.count && !eq->sys->inner && !eq->upwind.states &&
           !eq->diagonal && has_field(eq, F_LWW);
}

modes *modes_new(mem *m, equations *eq)
{
    if (!fits(eq)) return NULL;
    const int          d = eq->d;
    const stage_tables t = stages_of(m, eq, 0, 53);
    long double       *S = mem_array(m, d * d, long double), *N = mem_array(m, d * d, long double);
    spectrum          *s = mem_array(m, 1, spectrum);
    make_divided(m, eq, &t, F_LQQ, S, N);
    if (!eigen_find(N, d, s->value, s->right, s->left)) return NULL;
    modes *md = mem_array(m, 1, modes);
    md->eq = eq, md->symmetric = true;
    for (int i = 0; i < eq->s; i++) md->symmetric &= eq->rule.x[0][i] == eq->rule.x[1][i];
    md->mode = mem_array(m, d, mode);
    md->into = mem_array(m, d * d, double), md->out_of = mem_array(m, d * d, double);
    md->q = mem_array(m, eq->n, double), md->v = mem_array(m, eq->n, double);
    md->middle = basis_new(m, d, &(double){0.5}, 1);
    if (make_modes(md, m, s) && pay(md)) return md;
    return modes_free(md), NULL;
}

void modes_forget(modes *md)
{
    md->primed = md->ready = false;
}

/* Matrices. ------------------------------------------------------------------------------------ */

bool modes_ready(const modes *md)
{
    return md->ready && md->h == md->eq->h && md->mirrored == md->eq->mirrored;
}

void modes_drop(modes *md)
{
    md->ready = false;
}

/*     q = q_0 + sum_nu l_nu(1/2) Z^nu,   v = (1/h) sum_nu l'_nu(1/2) Z^nu */
static void place_middle(const modes *md, const double *y)
{
    const equations *eq = md->eq;
    const int        n = eq->n;
    for (int j = 0; j < n; j++) md->q[j] = eq->q_low[j], md->v[j] = 0;
    for (int nu = 1; nu <= eq->d; nu++) {
        const double l = md->middle.l[nu], slope = md->middle.dl[nu] / eq->h, *Z = y + (nu - 1) * n;
        for (int j = 0; j < n; j++) md->q[j] += l * Z[j], md->v[j] += slope * Z[j];
    }
    for (int j = 0; j < n; j++) md->q[j] += eq->q[j];
}

/* Into the arrays of the first point, whose own fields are evaluated with every full Jacobian. */
static bool evaluate(modes *md, const double *y)
{
    equations      *eq = md->eq;
    const samples  *set = &eq->rule;
    const sys_point at = {.t = eq->t + eq->h / 2, .q = md->q, .w = md->v, .v = md->v};
    unsigned        want = eq->want.jacobian | (md->primed ? 0 : eq->want.constant);
    want &= WANT_HESSIAN | WANT_FORCE_JACOBIAN;
    if (!want) return true;
    place_middle(md, y);
    sys_values *out = md->primed && set->anew ? set->anew : set->out;
    if (eq->sys->eval(eq->sys->self, want, 1, &at, out)) return false;
    md->primed = true;
    return true;
}

/* A field with its coefficient in a mode. across: entry (j,i) of each (i,j), if it is transposed.
 */
typedef struct {
    const double *field;
    const int    *across;
    double        c[2];
} part;

static int parts_of(const modes *md, const mode *to, part parts[FIELDS])
{
    const equations *eq = md->eq;
    const double     power[] = {1 / eq->h, 1, eq->h};
    int              count = 0;
    for (int f = 0; f < FIELDS; f++) {
        const double by = power[weighings[f].power + 1], *t = to->t[f];
        if (!has_field(eq, f) || (t[0] == 0 && t[1] == 0)) continue;
        const bool across = f == OF_LWQ;
        parts[count++] = (part){field_at(&eq->rule, 0, across ? F_LQW : (field)f),
                                across ? eq->sys->transpose : NULL,
                                {by * t[0], by * t[1]}};
    }
    return count;
}

/* Entry e of K in a mode. */
static inline void sum_up(const part *p, int count, int e, double *re, double *im)
{
    *re = *im = 0;
    for (int k = 0; k < count; k++) {
        const double x = p[k].field[p[k].across ? p[k].across[e] : e];
        *re += p[k].c[0] * x, *im += p[k].c[1] * x;
    }
}

/*     a + i b as [[a, -b], [b, a]] */
static void fill(const modes *md, mode *to)
{
    const pattern *K = &md->eq->sys->K;
    part           parts[FIELDS];
    const int      count = parts_of(md, to, parts);
    double         re, im;
    for (int i = 0; i < K->rows; i++) {
        double *a = to->values + (to->paired ? to->shape.start[2 * i] : K->start[i]);
        double *b = to->paired ? to->values + to->shape.start[2 * i + 1] : NULL;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            sum_up(parts, count, e, &re, &im);
            *a++ = re;
            if (b) *a++ = -im, *b++ = im, *b++ = re;
        }
    }
}

bool modes_factor(modes *md, const double *y)
{
    const equations *eq = md->eq;
    md->ready = false;
    if ((eq->mirrored && !md->symmetric) || !evaluate(md, y)) return false;
    for (int k = 0; k < md->count; k++) {
        fill(md, &md->mode[k]);
        if (!solver_factor(md->mode[k].lu, md->mode[k].values)) return false;
    }
    md->h = eq->h, md->mirrored = eq->mirrored;
    return md->ready = true;
}

/* Solutions. ----------------------------------------------------------------------------------- */

/*     x_k = sum_nu (U S^-1)_k,nu r_nu   in rows from .. to-1, for one real number of a mode */
static void change_into(const double *into, int d, int n, const double *r, double *x, int stride,
                        int from, int to)
{
    double sum[STRETCH];
    for (int j = from; j < to; j++) sum[j - from] = into[0] * r[j];
    for (int nu = 1; nu < d; nu++)
        for (int j = from; j < to; j++) sum[j - from] += into[nu] * r[nu * n + j];
    for (int j = from; j < to; j++) x[j * stride] = sum[j - from];
}

/*     y_mu = sum_k V_mu,k x_k */
static void change_back(const modes *md, int mu, double *y, int from, int to)
{
    const int     d = md->eq->d;
    const double *c = md->out_of + mu * d;
    double        sum[STRETCH] = {0};
    for (int k = 0; k < md->count; k++) {
        const mode   *of = &md->mode[k];
        const double *x = of->x;
        if (of->paired)
            for (int j = from; j < to; j++) sum[j - from] += c[0] * x[2 * j] + c[1] * x[2 * j + 1];
        else
            for (int j = from; j < to; j++) sum[j - from] += c[0] * x[j];
        c += of->paired ? 2 : 1;
    }
    memcpy(y + mu * md->eq->n + from, sum, (size_t)(to - from) * sizeof *y);
}

void modes_solve(const modes *md, double *x)
{
    const int n = md->eq->n, d = md->eq->d;
    for (int from = 0; from < n; from += STRETCH) {
        const int     to = from + STRETCH < n ? from + STRETCH : n;
        const double *into = md->into;
        for (int k = 0; k < md->count; k++) {
            const int parts = md->mode[k].paired ? 2 : 1;
            for (int i = 0; i < parts; i++, into += d)
                change_into(into, d, n, x, md->mode[k].x + i, parts, from, to);
        }
    }
    for (int k = 0; k < md->count; k++) solver_solve(md->mode[k].lu, md->mode[k].x);
    for (int from = 0; from < n; from += STRETCH)
        for (int mu = 0; mu < d; mu++)
            change_back(md, mu, x, from, from + STRETCH < n ? from + STRETCH : n);
}

/* Pivots, and the matrices themselves if their factors outlive a step. */
void modes_archive(modes *md, archive *r, mem *m)
{
    char name[24];
    for (int k = 0; k < md->count; k++) {
        snprintf(name, sizeof name, "mode%d", k);
        solver_archive(md->mode[k].lu, &md->mode[k].shape, r, m, name);
    }
    archive_bool(r, "modes.ready", &md->ready);
    archive_bool(r, "modes.mirrored", &md->mirrored);
    archive_double(r, "modes.h", &md->h);
    for (int k = 0; k < md->count && md->ready && !r->bad; k++) {
        mode *of = &md->mode[k];
        snprintf(name, sizeof name, "modes.J%d", k);
        archive_doubles(r, name, of->values, (size_t)pattern_count(&of->shape));
        if (r->reading && !r->bad) md->ready &= solver_factor(of->lu, of->values);
    }
}
