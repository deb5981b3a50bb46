/* linkage.c - multipliers first, relation by relation. Relations of one shape that follow each
 * other form a stretch, along which places in all arrays advance by constant strides. */
#include "mech/solve/linkage.h"

#include "base/vec.h"
#include "mech/solve/linkage_rows.h"
#include "step/words.h"

#include "step/judge.h"

#include <math.h>
#include <string.h>

enum {
    PRODUCTS = 32,  /* a relation may have so many in G B, on average        */
    AT_A_TIME = 256 /* relations of a section, whose numbers stay in cache  */
};
/* A correction below KEPT of the increments turns G by no more than that, so the next one does with
 * the same factors; below SETTLED it leaves roundoff: KEPT SETTLED = SQUARED^2. */
static const double KEPT = 1e-6, SETTLED = 1e-10;

typedef struct { /* column of an entry in the first row of a stretch, and from row to row */
    int  column, stride;
    bool first; /* no relation before has an entry in these columns */
} place;

typedef struct { /* (G B)[to] += G[mine] B[other], in the first row of a stretch */
    int  to, mine, other;
    int  stride; /* of other, from row to row    */
    bool first;  /* it is the first for `to`     */
} product;

typedef struct {
    int from, count;  /* relations                           */
    int width, slots; /* entries in a row of A, and of G B   */
    int entry, slot;  /* the first ones                      */
    int place, product, products;
} stretch;

typedef struct { /* relations of a stretch, from its `from`th on */
    const stretch *of;
    int            from, count;
} section;

struct linkage {
    equations *eq;
    bool       flat;   /* forces depend on nothing that the step decides, */
    bool       steady; /* nor on time                                     */
    pattern    of;     /* G B                              */
    solver    *lu;
    int        stretches;
    int        sections;
    stretch   *stretch;
    section   *section;
    place     *place;
    product   *product;
    double    *GB, *B, *inverse, *rest, *dz, *delta; /* rest: R_0 - p */
    bool       covered;                              /* each dz_j has a first relation, or none */
    bool       known;                                /* D, for a step of this length; */
    bool       regular;                              /* it has an inverse             */
    double     h;
    bool       mirrored;
};

/* Finding stretches. ----------------------------------------------------------------------------
 */

typedef struct {
    int to, mine, other;
} pair;

/* All products of G B, by relations. start: r + 1 numbers. */
typedef struct {
    pair *of;
    int  *start;
} products;

/* Entries of A by columns: those of column j are entry[start[j]] .. entry[start[j + 1] - 1]. */
static void by_columns(const pattern *A, int *start, int *entry, int *row)
{
    for (int e = 0; e < pattern_count(A); e++) start[A->column[e] + 2]++;
    for (int j = 0; j < A->columns; j++) start[j + 2] += start[j + 1];
    for (int a = 0; a < A->rows; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++) {
            const int at = start[A->column[e] + 1]++;
            entry[at] = e, row[at] = a;
        }
}

/* False: relations share their coordinates with too many others. */
static bool find_products(mem *m, mem *brief, const pattern *A, pattern *of, products *all)
{
    const int count = pattern_count(A), r = A->rows;
    int *start = mem_array(brief, A->columns + 2, int), *entry = mem_array(brief, count + 1, int),
        *row = mem_array(brief, count + 1, int);
    by_columns(A, start, entry, row);
    long long total = 0;
    for (int j = 0; j < A->columns; j++) {
        const long long meet = start[j + 1] - start[j];
        total += meet * meet;
    }
    if (total > (long long)PRODUCTS * r) return false;
    int *a = mem_array(brief, total + 1, int), *b = mem_array(brief, total + 1, int),
        *to = mem_array(brief, total + 1, int), k = 0;
    all->of = mem_array(brief, total + 1, pair), all->start = mem_array(brief, r + 1, int);
    for (int i = 0; i < r; i++) {
        for (int e = A->start[i]; e < A->start[i + 1]; e++)
            for (int o = start[A->column[e]]; o < start[A->column[e] + 1]; o++, k++)
                a[k] = i, b[k] = row[o], all->of[k] = (pair){0, e, entry[o]};
        all->start[i + 1] = k;
    }
    *of = pattern_from_pairs(m, r, r, a, b, k, to);
    for (int i = 0; i < k; i++) all->of[i].to = to[i];
    return true;
}

/* Does relation a go on as the one before it, `second` of a stretch or later? */
static bool goes_on(const linkage *k, const products *all, const stretch *s, int a, bool second)
{
    const pattern *A = &k->eq->sys->A;
    const int width = A->start[a + 1] - A->start[a], slots = k->of.start[a + 1] - k->of.start[a];
    const int count = all->start[a + 1] - all->start[a], e = A->start[a];
    if (width != s->width || slots != s->slots || count != s->products) return false;
    for (int i = 0; i < width && !second; i++)
        if (A->column[e + i] - A->column[e + i - width] != k->place[s->place + i].stride)
            return false;
    for (int i = 0; i < count; i++) {
        const pair *now = &all->of[all->start[a] + i], *last = now - count;
        if (now->to - last->to != slots || now->mine - last->mine != width) return false;
        if (!second && now->other - last->other != k->product[s->product + i].stride) return false;
    }
    return true;
}

static void begin(linkage *k, const products *all, stretch *s, int a)
{
    const pattern *A = &k->eq->sys->A;
    const stretch  last = *s;
    *s = (stretch){.from = a,
                   .width = A->start[a + 1] - A->start[a],
                   .entry = A->start[a],
                   .slots = k->of.start[a + 1] - k->of.start[a],
                   .slot = k->of.start[a],
                   .place = last.place + last.width,
                   .product = last.product + last.products,
                   .products = all->start[a + 1] - all->start[a]};
    for (int i = 0; i < s->width; i++) k->place[s->place + i].column = A->column[s->entry + i];
    for (int i = 0; i < s->products; i++) {
        const pair *of = &all->of[all->start[a] + i];
        bool        first = true;
        for (int l = 1; l <= i; l++) first &= of[-l].to != of->to;
        k->product[s->product + i] = (product){of->to, of->mine, of->other, 0, first};
    }
}

static void find_strides(linkage *k, const products *all, const stretch *s, int a)
{
    const int *column = k->eq->sys->A.column + s->entry + s->width;
    for (int i = 0; i < s->width; i++)
        k->place[s->place + i].stride = column[i] - column[i - s->width];
    for (int i = 0; i < s->products; i++) {
        const pair *now = &all->of[all->start[a] + i];
        k->product[s->product + i].stride = now->other - (now - s->products)->other;
    }
}

static void find_stretches(linkage *k, mem *m, const products *all)
{
    const int r = k->eq->relations;
    vec(stretch) found = {0};
    stretch now = {0};
    k->place = mem_array(m, pattern_count(&k->eq->sys->A), place);
    k->product = mem_array(m, all->start[r], product);
    begin(k, all, &now, 0);
    for (int a = 0; a < r; a++, now.count++) {
        if (now.count && !goes_on(k, all, &now, a, now.count == 1)) {
            vec_push(m, found, now);
            begin(k, all, &now, a);
        }
        if (now.count == 1) find_strides(k, all, &now, a);
    }
    vec_push(m, found, now);
    k->stretch = found.at, k->stretches = found.n;
}

static void find_sections(linkage *k, mem *m)
{
    vec(section) found = {0};
    for (const stretch *s = k->stretch; s < k->stretch + k->stretches; s++)
        for (int i = 0; i < s->count; i += AT_A_TIME) {
            const int rest = s->count - i;
            vec_push(m, found, ((section){s, i, rest < AT_A_TIME ? rest : AT_A_TIME}));
        }
    k->section = found.at, k->sections = found.n;
}

/* Places that are the first to meet their columns write what others add to. covered: in every
 * column such a place is the first; else sums begin with zeros. */
static void find_first(linkage *k, mem *brief)
{
    place **by = mem_array(brief, k->eq->n, place *);
    for (int p = 0; p < pattern_count(&k->eq->sys->A); p++) k->place[p].first = true;
    for (const section *b = k->section; b < k->section + k->sections; b++)
        for (int e = b->of->width - 1; e >= 0; e--) {
            place *to = &k->place[b->of->place + e];
            for (int i = b->from; i < b->from + b->count; i++) {
                place **first = &by[to->column + i * to->stride];
                to->first &= !*first;
                if (!*first) *first = to;
            }
        }
    k->covered = true;
    for (int j = 0; j < k->eq->n; j++) k->covered &= !by[j] || by[j]->first;
}

/* Are the rows R affine with a diagonal matrix, and the relations those of positions? */
static bool suits(const equations *eq)
{
    if (!eq->affine || !eq->relations || eq->m || eq->redundant || eq->upwind.end || eq->sys->state)
        return false;
    for (int j = 0; j < eq->n; j++) {
        const int first = eq->J.start[j];
        if (eq->J.column[first] != j) return false;
        if (first + 1 < eq->J.start[j + 1] && eq->J.column[first + 1] < eq->n) return false;
    }
    return true;
}

/* A factorisation and a solution beside those of all unknowns. */
static bool pays(const linkage *k, const newton *nw, int multiplications)
{
    const solver *whole = nw->cache[0].lu;
    return multiplications + solver_work(k->lu) * (1 + solver_effort(k->lu)) <
           solver_work(whole) * (1 + solver_effort(whole));
}

linkage *linkage_new(mem *m, newton *nw)
{
    equations *eq = nw->eq;
    products   all;
    if (!suits(eq)) return NULL;
    linkage *k = mem_array(m, 1, linkage);
    mem     *brief = mem_child(m);
    k->eq = eq;
    bool good = find_products(m, brief, &eq->sys->A, &k->of, &all);
    if (good) {
        k->lu = solver_new(m, &k->of, NULL);
        good = pays(k, nw, all.start[eq->relations]);
    }
    if (good) find_stretches(k, m, &all), find_sections(k, m), find_first(k, brief);
    mem_free(brief);
    if (!good) return linkage_free(k), NULL;
    const uint8_t *varies = eq->sys->varies;
    k->flat = varies[F_LQQ] == FIELD_ZERO && varies[F_LQW] == FIELD_ZERO && !eq->sys->forced;
    k->steady = k->flat && eq->sys->autonomous;
    k->GB = mem_array(m, pattern_count(&k->of), double);
    k->B = mem_array(m, pattern_count(&eq->sys->A), double);
    k->inverse = mem_array(m, eq->n, double), k->rest = mem_array(m, eq->n, double);
    k->dz = mem_array(m, eq->n, double), k->delta = mem_array(m, eq->relations, double);
    return k;
}

void linkage_free(linkage *k)
{
    if (k) solver_free(k->lu);
}

void linkage_forget(linkage *k)
{
    k->known = false;
}

/* One correction. -------------------------------------------------------------------------------
 */

static inline entry_rows rows_of(const section *b, place to)
{
    return (entry_rows){b->of->width, to.stride, b->count};
}

/* Where entry e of a section begins: its first column, and its first number. */
static inline int column_of(const section *b, place to)
{
    return to.column + b->from * to.stride;
}

static inline int entry_of(const section *b, int e)
{
    return b->of->entry + b->from * b->of->width + e;
}

/* The last entries first: in a chain those meet columns that no relation before has met.
 *     dz = B x */
static void multiply_B(const linkage *k, const double *x)
{
    if (!k->covered) memset(k->dz, 0, (size_t)k->eq->n * sizeof *k->dz);
    for (const section *b = k->section; b < k->section + k->sections; b++)
        for (int e = b->of->width - 1; e >= 0; e--) {
            const place      to = k->place[b->of->place + e];
            const entry_rows of = rows_of(b, to);
            rows_add(&of, k->dz + column_of(b, to), k->B + entry_of(b, e),
                     x + b->of->from + b->from, k->covered && to.first);
        }
}

/*     Z -= B lam,   and B */
static void react(const linkage *k, const double *A, double *z)
{
    const equations *eq = k->eq;
    const double    *lam = z + eq->lam;
    for (const section *b = k->section; b < k->section + k->sections; b++)
        for (int e = b->of->width - 1; e >= 0; e--) {
            const place      to = k->place[b->of->place + e];
            const int        j = column_of(b, to), at = entry_of(b, e);
            const entry_rows of = rows_of(b, to);
            rows_react(&of, z + j, k->B + at, A + at, k->inverse + j, eq->impulse[0],
                       lam + b->of->from + b->from);
        }
}

void linkage_momentum(const linkage *k, const double *y, double *dp)
{
    const equations *eq = k->eq;
    const double    *A = eq->control.out[0].A;
    double           x[AT_A_TIME];
    equations_momentum(eq, NULL, dp, 0, eq->n);
    for (const section *b = k->section; b < k->section + k->sections; b++) {
        const double *lam = y + eq->lam + b->of->from + b->from;
        for (int i = 0; i < b->count; i++) x[i] = eq->impulse[0] * lam[i];
        for (int e = b->of->width - 1; e >= 0; e--) {
            const place      to = k->place[b->of->place + e];
            const entry_rows of = rows_of(b, to);
            rows_add(&of, dp + column_of(b, to), A + entry_of(b, e), x, false);
        }
    }
}

/*     G B */
static void multiply_GB(const linkage *k, const double *G)
{
    for (const section *b = k->section; b < k->section + k->sections; b++) {
        const stretch *s = b->of;
        for (int p = s->product; p < s->product + s->products; p++) {
            const product    of = k->product[p];
            const entry_rows rows = {s->width, of.stride, b->count};
            rows_multiply(&rows, k->GB + of.to + b->from * s->slots, s->slots,
                          G + of.mine + b->from * s->width, k->B + of.other + b->from * of.stride,
                          of.first);
        }
    }
}

/* Relations at node nu: A, or G and g. */
static bool evaluate(const linkage *k, int nu, unsigned want)
{
    const equations *eq = k->eq;
    const samples   *set = &eq->control;
    sys_values       out = set->out[nu];
    if (eq->sys->selective) out.e = NULL;
    set->point[nu].t = eq->t + set->x[0][nu] * eq->h;
    return !eq->sys->eval(eq->sys->self, want, 1, &set->point[nu], &out);
}

/*     Z -= dz,   q_1 = q + Z */
static moved apply(const linkage *k, double *z, const double *last, double small)
{
    const equations *eq = k->eq;
    const double    *q = eq->q, *low = eq->q_low, *dz = k->dz;
    double          *q_1 = eq->control.q + eq->n;
    changes          c = {{0}, {0}, {0}};
    int              j = 0;
    for (; j + ROWS_MOVED <= eq->n; j += ROWS_MOVED)
        rows_move(z + j, q_1 + j, last + j, q + j, low + j, dz + j, small, &c);
    rows_move_few(z + j, q_1 + j, last + j, q + j, low + j, dz + j, small, eq->n - j, &c);
    return rows_largest(&c);
}

/* g, and the factors of G B unless they are kept. */
static bool find_factors(linkage *k, newton *nw, bool kept)
{
    const sys_values *end = &k->eq->control.out[1];
    if (!evaluate(k, 1, kept ? WANT_HOLONOMIC : WANT_RELATIONS | WANT_HOLONOMIC)) return false;
    if (kept) return true;
    multiply_GB(k, end->A);
    nw->count.factorisations++;
    return solver_factor(k->lu, k->GB);
}

static bool correct(linkage *k, newton *nw, double *y, const double *last, bool kept, moved *made)
{
    equations        *eq = k->eq;
    const sys_values *end = &eq->control.out[1];
    const int         r = eq->relations;
    double           *lam = y + eq->lam;
    nw->iterations++;
    if (!find_factors(k, nw, kept)) return false;
    memcpy(k->delta, end->g, (size_t)r * sizeof *k->delta);
    solver_solve(k->lu, k->delta);
    if (!all_finite(k->delta, r)) return false;
    multiply_B(k, k->delta);
    for (int a = 0; a < r; a++) lam[a] += k->delta[a];
    *made = apply(k, y, last, kept ? SETTLED : SQUARED);
    return made->most <= MOST && made->size <= MOST;
}

/* The step. -------------------------------------------------------------------------------------
 */

/* D, which depends on the length of the step and on parameters, and so does R_0 - p if it is
 * constant. */
static bool find_constants(linkage *k, const newton *nw, const double *y)
{
    equations *eq = k->eq;
    if (k->known && k->h == eq->h && k->mirrored == eq->mirrored) return k->regular;
    if (!eq->sum.primed && !equations_residual(eq, y, nw->delta, true)) return false;
    equations_fill(eq);
    for (int j = 0; j < eq->n; j++) k->inverse[j] = 1 / eq->values[eq->J.start[j]];
    k->h = eq->h, k->mirrored = eq->mirrored, k->known = true;
    return k->regular = all_finite(k->inverse, eq->n) && equations_at_rest(eq, k->rest);
}

/*     Z = -D^-1 R_0,   where the step begins */
static void go_freely(const linkage *k, double *restrict z)
{
    const equations *eq = k->eq;
    const double *restrict inverse = k->inverse, *restrict rest = k->rest;
    const double *restrict q = eq->q, *restrict q_low = eq->q_low;
    const double *restrict p = eq->p, *restrict p_low = eq->p_low;
    double *restrict q_0 = eq->control.q;
    for (int j = 0; j < eq->n; j++) {
        q_0[j] = q[j] + q_low[j];
        z[j] = -inverse[j] * (p[j] + (rest[j] + p_low[j]));
    }
}

/*     q_1 = q + Z */
static void arrive(const linkage *k, const double *restrict z)
{
    const equations *eq = k->eq;
    const double *restrict q = eq->q, *restrict low = eq->q_low;
    double *restrict q_1 = eq->control.q + eq->n;
    for (int j = 0; j < eq->n; j++) q_1[j] = q[j] + (low[j] + z[j]);
}

/*     Z = -D^-1 R_0 - B lam,   q_1 = q + Z,   with lam as the steps before it lead to */
static bool start(linkage *k, const newton *nw, const history *before, double *y)
{
    history_extrapolate_from(before, k->eq->lam, y);
    if (!find_constants(k, nw, before->y[0]) || (!k->steady && !equations_at_rest(k->eq, k->rest)))
        return false;
    go_freely(k, y);
    if (!evaluate(k, 0, WANT_RELATIONS)) return false;
    react(k, k->eq->control.out[0].A, y);
    arrive(k, y);
    return true;
}

/* Convergence is quadratic: a correction that is small beside each increment is the last, and so is
 * one that is the roundoff of positions. Where increments vanish, all of them together decide. */
bool linkage_solve(linkage *k, newton *nw, const history *before, double *y)
{
    moved last = {HUGE_VAL, 1, 0}, made;
    bool  kept = false;
    newton_begin(nw);
    if (!before || !before->count || !start(k, nw, before, y)) return false;
    while (nw->iterations < ITERATIONS) {
        if (!correct(k, nw, y, before->y[0], kept, &made)) return false;
        const double whole = made.most / made.size;
        if (!(made.over > 0)) return true;
        if (!(whole <= ASTRAY) || made.most > 4 * last.most) return false;
        if (made.most > HALF * last.most && whole <= SQUARED) return true;
        kept = !kept && whole <= KEPT;
        last = made;
    }
    return false;
}

bool linkage_is_flat(const linkage *k)
{
    return k->flat;
}

const solver *linkage_solver(const linkage *k)
{
    return k->lu;
}

void linkage_archive(linkage *k, archive *r, mem *m)
{
    solver_archive(k->lu, &k->of, r, m, "linkage");
}
