/* charts.c - what a model says of rotations in body axes becomes derivatives in a chart. */
#include "model/charts.h"

#include "model/rotation/chart.h"

#include <string.h>

/* Rows and columns of K that belong together: a rotation, or a number. */
typedef struct {
    int of, by; /* the rotations; -1: a number     */
    int rows, columns;
    int entry[3]; /* of each row, its first          */
} block;

typedef struct { /* three entries of a row of A */
    int of, entry;
} triple;

typedef struct charts charts;
struct charts {
    dal_system         pub;
    dal_system        *body;
    int                blocks, triples;
    block             *block;
    triple            *triple;
    const double      *now, *unturned; /* matrices */
    double            *q, *w, *v;      /* of the body */
    double            *L_qw, *kappa;   /* as the model gave it; A^T lam */
    chart_point       *at, *apart; /* of each rotation: with w, and with v where that is not w */
    const chart_point *moving;     /* with v */
    vector            *pi, *tau, *f, *D;
    sys_values         room; /* for what the caller does not want */
};

static const chart_point number_point = {.E = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                         .B = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                         .V = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

static void put_vector(double *to, vector x)
{
    memcpy(to, x.x, sizeof x.x);
}

/* Points. -------------------------------------------------------------------------------------- */

static bool is_phase(const charts *c, int row)
{
    return c->pub.hamiltonian && c->pub.hamiltonian[row];
}

static void place(charts *c, const sys_point *at)
{
    const turning *t = c->pub.turns;
    const int      n = c->pub.n;
    const double  *base = at->base ? at->base : c->now, *v = at->v ? at->v : at->w;
    memcpy(c->q, at->q, (size_t)n * sizeof *c->q);
    memcpy(c->w, at->w, (size_t)n * sizeof *c->w);
    memcpy(c->v, v, (size_t)n * sizeof *c->v);
    const bool alike = v == at->w && !c->pub.hamiltonian;
    c->moving = alike ? c->at : c->apart;
    for (int k = 0; k < t->count; k++) {
        const int i = t->first[k];
        matrix    R;
        c->at[k] = is_phase(c, i) ? chart_at_momentum(vector_at(at->q + i), vector_at(at->w + i))
                                  : chart_at(vector_at(at->q + i), vector_at(at->w + i));
        if (!alike) c->apart[k] = chart_at(vector_at(at->q + i), vector_at(v + i));
        memcpy(R.x, base + TURNING_MATRIX * k, sizeof R.x);
        R = matrix_product(&R, &c->at[k].E);
        memcpy(c->q + n + TURNING_MATRIX * k, R.x, sizeof R.x);
        put_vector(c->w + i, c->at[k].Omega), put_vector(c->v + i, c->moving[k].Omega);
    }
}

/* A direction does not turn about itself in a step, so that its inertia there is not seen. */
static bool is_struck(const charts *c, const sys_point *at, int k)
{
    return at->base && k >= 0 && c->pub.turns->direction[k];
}

/* Gradients. ----------------------------------------------------------------------------------- */

static void pull_gradient(const charts *c, const sys_point *at, sys_values *o)
{
    for (int k = 0; k < c->pub.turns->count; k++) {
        const int i = c->pub.turns->first[k];
        c->pi[k] = vector_at(o->Lw + i), c->tau[k] = vector_at(o->Lq + i);
        if (is_struck(c, at, k)) c->pi[k].x[2] = 0;
        const chart_gradient g = chart_pull(&c->at[k], c->pi[k], c->tau[k]);
        put_vector(o->Lw + i, g.v), put_vector(o->Lq + i, g.y);
        if (o->base) put_vector(o->base->eta + i, g.eta);
    }
}

static void pull_force(const charts *c, sys_values *o)
{
    for (int k = 0; k < c->pub.turns->count; k++) {
        const int i = c->pub.turns->first[k];
        c->f[k] = vector_at(o->f + i);
        const chart_gradient g = chart_pull(&c->at[k], (vector){{0}}, c->f[k]);
        put_vector(o->f + i, g.y);
        for (int j = 0; j < 3 && o->base; j++) o->base->eta[i + j] += g.eta.x[j];
    }
}

/* Damping is tested with other functions than f, of which it is a part; their sum is the same, so
 * that the base feels no difference. */
static void pull_damping(const charts *c, sys_values *o)
{
    for (int k = 0; k < c->pub.turns->count; k++) {
        const int i = c->pub.turns->first[k];
        c->D[k] = vector_at(o->D + i);
        put_vector(o->D + i, chart_pull(&c->at[k], (vector){{0}}, c->D[k]).y);
    }
}

static void pull_time(const charts *c, sys_values *o)
{
    for (int k = 0; k < c->pub.turns->count; k++) {
        const int            i = c->pub.turns->first[k];
        const chart_gradient g =
            chart_pull(&c->at[k], vector_at(o->Lwt + i), vector_at(o->Lqt + i));
        put_vector(o->Lwt + i, g.v), put_vector(o->Lqt + i, g.y);
        if (!o->ft || !c->pub.forced) continue;
        put_vector(o->ft + i, chart_pull(&c->at[k], (vector){{0}}, vector_at(o->ft + i)).y);
    }
}

/* Hessians. ------------------------------------------------------------------------------------ */

static matrix block_of(const block *b, const double *x)
{
    matrix out = {{{0}}};
    for (int r = 0; r < b->rows; r++)
        for (int c = 0; c < b->columns; c++) out.x[r][c] = x[b->entry[r] + c];
    return out;
}

static matrix block_across(const block *b, const double *x, const int *transpose)
{
    matrix out = {{{0}}};
    for (int r = 0; r < b->rows; r++)
        for (int c = 0; c < b->columns; c++) out.x[r][c] = x[transpose[b->entry[r] + c]];
    return out;
}

static void put_block(const block *b, double *to, const matrix *x)
{
    for (int r = 0; r < b->rows; r++)
        for (int c = 0; c < b->columns; c++) to[b->entry[r] + c] = x->x[r][c];
}

static void add_block(const block *b, double *to, const matrix *x)
{
    for (int r = 0; r < b->rows; r++)
        for (int c = 0; c < b->columns; c++) to[b->entry[r] + c] += x->x[r][c];
}

static const chart_point *point_of(const chart_point *at, int k)
{
    return k < 0 ? &number_point : &at[k];
}

static chart_hessian pulled(const block *b, const chart_point *at, const body_hessian *h,
                            const vector *pi, const vector *tau)
{
    const vector none = {{0}};
    if (b->of == b->by && b->of >= 0)
        return chart_itself(&at[b->of], pi ? pi[b->of] : none, tau[b->of], h);
    return chart_between(point_of(at, b->of), h, point_of(at, b->by));
}

static void add_to_base(const block *b, chart_values *to, const chart_hessian *h)
{
    if (!to) return;
    add_block(b, to->q_eta, &h->y_eta), add_block(b, to->w_eta, &h->v_eta);
    add_block(b, to->eta_q, &h->eta_y), add_block(b, to->eta_w, &h->eta_v);
    add_block(b, to->eta_eta, &h->eta_eta);
}

static void pull_hessian(const charts *c, const sys_point *at, sys_values *o)
{
    double *const *on = o->on_K;
    memcpy(c->L_qw, on[F_LQW], (size_t)pattern_count(&c->pub.K) * sizeof *c->L_qw);
    for (int i = 0; i < c->blocks; i++) {
        const block *b = &c->block[i];
        body_hessian h = {.pi_zeta = block_across(b, c->L_qw, c->pub.transpose),
                          .pi_Omega = block_of(b, on[F_LWW]),
                          .tau_zeta = block_of(b, on[F_LQQ]),
                          .tau_Omega = block_of(b, c->L_qw)};
        if (b->of == b->by && is_struck(c, at, b->of)) h.pi_Omega.x[2][2] = 0;
        const chart_hessian y = pulled(b, c->at, &h, c->pi, c->tau);
        put_block(b, on[F_LQQ], &y.y_y), put_block(b, on[F_LQW], &y.y_v);
        put_block(b, on[F_LWW], &y.v_v);
        add_to_base(b, o->base, &y);
    }
}

/* Of f or of D, whose derivatives are fields `by_q` and the next. */
static chart_hessian pull_torque(const block *b, const charts *c, field by_q, const vector *torque,
                                 sys_values *o)
{
    const body_hessian  h = {.tau_zeta = block_of(b, o->on_K[by_q]),
                             .tau_Omega = block_of(b, o->on_K[by_q + 1])};
    const chart_hessian y = pulled(b, c->at, &h, NULL, torque);
    put_block(b, o->on_K[by_q], &y.y_y), put_block(b, o->on_K[by_q + 1], &y.y_v);
    return y;
}

static void pull_force_jacobian(const charts *c, sys_values *o)
{
    for (int i = 0; i < c->blocks; i++) {
        const chart_hessian y = pull_torque(&c->block[i], c, F_FQ, c->f, o);
        add_to_base(&c->block[i], o->base, &y);
    }
    for (int i = 0; i < c->blocks && c->pub.damped; i++) {
        const chart_hessian y = pull_torque(&c->block[i], c, F_DQ, c->D, o);
        if (o->base) add_block(&c->block[i], o->base->D_eta, &y.y_eta);
    }
}

/* Relations. ----------------------------------------------------------------------------------- */

/*     kappa = A^T lam */
static void take_reactions(const charts *c, const double *lam, const double *A)
{
    const pattern *p = &c->pub.A;
    memset(c->kappa, 0, (size_t)c->pub.n * sizeof *c->kappa);
    for (int a = 0; lam && a < p->rows; a++)
        for (int e = p->start[a]; e < p->start[a + 1]; e++) c->kappa[p->column[e]] += lam[a] * A[e];
}

/*     delta (A_y^T lam),  delta (A_eta^T lam): as a torque kappa changes
 * Of bodies that stand still, as one that is constant. */
static void pull_curvature(const charts *c, bool still, sys_values *o)
{
    for (int k = 0; k < c->pub.turns->count; k++)
        c->f[k] = vector_at(c->kappa + c->pub.turns->first[k]);
    for (int i = 0; i < c->blocks; i++) {
        const block *b = &c->block[i];
        const bool   itself = b->of == b->by;
        const matrix T = block_of(b, o->on_K[F_CURV]), *of = still ? NULL : &T;
        if (still && !itself) continue;
        const chart_curvature y = itself ? chart_torque_itself(&c->moving[b->of], c->f[b->of], of)
                                         : chart_torque_between(point_of(c->moving, b->of), of,
                                                                point_of(c->moving, b->by));
        put_block(b, o->on_K[F_CURV], &y.y_y);
        if (!o->base) continue;
        add_block(b, o->base->q_eta, &y.y_eta), add_block(b, o->base->eta_q, &y.eta_y);
        add_block(b, o->base->eta_eta, &y.eta_eta);
    }
}

/*     e_y' = A B,   e_y = e_zeta B + A C,   and by eta: A E^T, e_zeta E^T */
static void pull_relations(const charts *c, bool jacobian, sys_values *o)
{
    for (int i = 0; i < c->triples; i++) {
        const triple      *t = &c->triple[i];
        const chart_point *p = &c->moving[t->of];
        const int          e = t->entry;
        const vector       A = vector_at(o->A + e);
        put_vector(o->A + e, matrix_under(&p->B, A));
        if (o->base) put_vector(o->base->A_eta + e, matrix_on(&p->E, A));
        if (!jacobian) continue;
        const vector by = vector_at(o->eq + e);
        put_vector(o->eq + e, vector_sum(1, matrix_under(&p->B, by), 1, matrix_under(&p->C, A)));
        if (o->base) put_vector(o->base->e_eta + e, matrix_on(&p->E, by));
    }
}

/* All of it. ----------------------------------------------------------------------------------- */

/* Arrays that the caller has none of, and zeros for what the model does not say. */
static void open_array(double **to, double *room, int count)
{
    if (!*to) *to = room;
    memset(*to, 0, (size_t)count * sizeof **to);
}

static sys_values opened(const charts *c, unsigned want, const sys_values *out)
{
    const dal_system *s = &c->pub;
    const int         n = s->n, K = pattern_count(&s->K), A = pattern_count(&s->A);
    sys_values        o = *out;
    const sys_values *room = &c->room;
    if (want & WANT_GRADIENT) open_array(&o.Lq, room->Lq, n), open_array(&o.Lw, room->Lw, n);
    if (want & WANT_FORCE) open_array(&o.f, room->f, n);
    if (want & WANT_FORCE && s->damped) open_array(&o.D, room->D, n);
    if (want & WANT_TIME)
        open_array(&o.Lqt, room->Lqt, n), open_array(&o.Lwt, room->Lwt, n),
            open_array(&o.ft, room->ft, n);
    for (field f = F_LQQ; f <= F_LWW && want & WANT_HESSIAN; f++)
        open_array(&o.on_K[f], room->on_K[f], K);
    for (field f = F_FQ; f <= F_FW && want & WANT_FORCE_JACOBIAN; f++)
        open_array(&o.on_K[f], room->on_K[f], K);
    for (field f = F_DQ; f <= F_DW && want & WANT_FORCE_JACOBIAN && s->damped; f++)
        open_array(&o.on_K[f], room->on_K[f], K);
    if (want & WANT_RELATIONS) open_array(&o.e, room->e, s->A.rows), open_array(&o.A, room->A, A);
    if (want & WANT_RELATIONS_JACOBIAN)
        open_array(&o.eq, room->eq, A), open_array(&o.et, room->et, s->A.rows),
            open_array(&o.on_K[F_CURV], room->on_K[F_CURV], K);
    return o;
}

/* Reactions have no part in the last three. */
static void clear_base(const charts *c, unsigned want, chart_values *to)
{
    const size_t bytes = (size_t)pattern_count(&c->pub.K) * sizeof(double);
    double      *on_K[] = {to->q_eta, to->eta_q, to->eta_eta, to->w_eta, to->eta_w, to->D_eta};
    const int    cleared = want & (WANT_HESSIAN | WANT_FORCE_JACOBIAN) ? 6
                           : want & WANT_RELATIONS_JACOBIAN            ? 3
                                                                       : 0;
    for (int k = 0; k < cleared; k++) memset(on_K[k], 0, bytes);
}

/* The body in its own axes. A is kept for points at which it stands still. */
static int eval_body(const charts *c, unsigned want, const sys_point *at, sys_values *o)
{
    const sys_point point = {.t = at->t, .q = c->q, .w = c->w, .v = c->v, .lam = at->lam};
    const size_t    bytes = (size_t)pattern_count(&c->pub.A) * sizeof(double);
    if (at->known) return memcpy(o->A, o->base->A_body, bytes), 0;
    const int bad = c->body->eval(c->body->self, want, 1, &point, o);
    if (at->still) memcpy(o->base->A_body, o->A, bytes);
    return bad;
}

static int eval_one(charts *c, unsigned want, const sys_point *at, sys_values *out)
{
    if (want & WANT_HESSIAN) want |= WANT_GRADIENT;
    if (want & WANT_FORCE_JACOBIAN) want |= WANT_FORCE;
    if (want & WANT_RELATIONS_JACOBIAN) want |= WANT_RELATIONS;
    sys_values     o = opened(c, want, out);
    const unsigned moving = at->still ? 0 : WANT_RELATIONS_JACOBIAN;
    place(c, at);
    const int bad = eval_body(c, want & (~(unsigned)WANT_RELATIONS_JACOBIAN | moving), at, &o);
    if (bad) return bad;
    out->L = o.L, out->Lt = o.Lt, out->Ltt = o.Ltt;
    if (o.base) clear_base(c, want, o.base);
    if (want & WANT_GRADIENT) pull_gradient(c, at, &o);
    if (want & WANT_HESSIAN) pull_hessian(c, at, &o);
    if (want & WANT_TIME) pull_time(c, &o);
    if (want & WANT_FORCE) pull_force(c, &o);
    if (want & WANT_FORCE && c->pub.damped) pull_damping(c, &o);
    if (want & WANT_FORCE_JACOBIAN) pull_force_jacobian(c, &o);
    if (want & WANT_RELATIONS_JACOBIAN) {
        take_reactions(c, at->lam, o.A);
        pull_curvature(c, at->still, &o);
    }
    if (want & WANT_RELATIONS) pull_relations(c, want & moving, &o);
    return 0;
}

static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    int bad = 0;
    for (int i = 0; i < count && !bad; i++) bad = eval_one(self, want, &at[i], &out[i]);
    return bad;
}

/* With parameters, inputs and time. ------------------------------------------------------------ */

typedef struct {
    sys_variation  is;
    charts        *of;
    sys_variation *body;
} variation;

static void vary_at(void *self, const sys_point *at, const sys_direction *along,
                    const sys_change *out)
{
    const variation *v = self;
    charts          *c = v->of;
    place(c, at);
    const sys_point point = {.t = at->t, .q = c->q, .w = c->w, .v = c->v, .lam = at->lam};
    v->body->eval(v->body->self, &point, along, out);
    for (int k = 0; k < c->pub.turns->count; k++) {
        const int            i = c->pub.turns->first[k];
        const vector         none = {{0}};
        const chart_point   *p = &c->at[k];
        const chart_gradient L = chart_pull(p, vector_at(out->Lw + i), vector_at(out->Lq + i)),
                             f = chart_pull(p, none, vector_at(out->f + i)),
                             r = chart_pull(&c->moving[k], none, vector_at(out->reaction + i));
        put_vector(out->Lw + i, L.v), put_vector(out->Lq + i, L.y), put_vector(out->f + i, f.y);
        put_vector(out->reaction + i, r.y), put_vector(out->reaction_eta + i, r.eta);
        put_vector(out->eta + i, vector_sum(1, L.eta, 1, f.eta));
        if (out->D && c->pub.damped)
            put_vector(out->D + i, chart_pull(p, none, vector_at(out->D + i)).y);
    }
}

static sys_variation *vary(void *self, mem *m)
{
    charts    *c = self;
    variation *v = mem_array(m, 1, variation);
    v->is = (sys_variation){v, vary_at, false}, v->of = c;
    v->body = c->body->vary(c->body->self, m);
    return &v->is;
}

/* Names. --------------------------------------------------------------------------------------- */

static void coordinate_name(const void *self, int i, text *out)
{
    const charts *c = self;
    c->body->coordinate_name(c->body->self, i, out);
}

static void relation_name(const void *self, int a, text *out)
{
    const charts *c = self;
    c->body->relation_name(c->body->self, a, out);
}

static bool nonfinite_source(void *self, const sys_point *at, text *out)
{
    charts *c = self;
    place(c, at);
    const sys_point point = {.t = at->t, .q = c->q, .w = c->w, .v = c->v, .lam = at->lam};
    return c->body->nonfinite_source(c->body->self, &point, out);
}

/* Making. -------------------------------------------------------------------------------------- */

/* Each pair of rotations or numbers with an entry, at least one of them a rotation. */
static void list_blocks(charts *c, mem *m)
{
    const turning *t = c->pub.turns;
    const pattern *K = &c->pub.K;
    c->block = mem_array(m, pattern_count(K) + 1, block);
    for (int i = 0; i < c->pub.n; i++) {
        const int of = t->of_row[i];
        if (of >= 0 && t->first[of] != i) continue;
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const int j = K->column[e], by = t->of_row[j];
            if ((of < 0 && by < 0) || (by >= 0 && t->first[by] != j)) continue;
            block b = {of, by, of < 0 ? 1 : 3, by < 0 ? 1 : 3, {e}};
            for (int r = 1; r < b.rows; r++) b.entry[r] = pattern_find(K, i + r, j);
            c->block[c->blocks++] = b;
        }
    }
}

static void list_triples(charts *c, mem *m)
{
    const turning *t = c->pub.turns;
    const pattern *A = &c->pub.A;
    c->triple = mem_array(m, pattern_count(A) + 1, triple);
    for (int e = 0; e < pattern_count(A); e++) {
        const int of = t->of_row[A->column[e]];
        if (of >= 0 && t->first[of] == A->column[e]) c->triple[c->triples++] = (triple){of, e};
    }
}

/* Is a field of the body other than 0 somewhere in a block? */
static bool is_present(const uint8_t *of_body, const block *b)
{
    for (int r = 0; r < b->rows && of_body; r++)
        for (int k = 0; k < b->columns; k++)
            if (of_body[b->entry[r] + k]) return true;
    return !of_body;
}

/* Inertia, torques and relations vary with the chart; but no inertia couples what the body's does
 * not. */
static void note_fields(charts *c, mem *m)
{
    dal_system *s = &c->pub;
    const int   K = pattern_count(&s->K);
    for (field f = 0; f < F_COUNT; f++) {
        const bool of_f = f == F_FQ || f == F_FW, of_A = f == F_CURV, of_D = f == F_DQ || f == F_DW;
        if ((of_D && !s->damped) || (of_f && !s->forced) || (of_A && !s->A.rows)) continue;
        uint8_t *present = mem_array(m, K + 1, uint8_t);
        for (int e = 0; e < K; e++) present[e] = c->body->present[f] ? c->body->present[f][e] : 1;
        for (int i = 0; i < c->blocks; i++)
            for (int r = 0; r < c->block[i].rows; r++)
                if (f != F_LWW || is_present(c->body->present[f], &c->block[i]))
                    memset(present + c->block[i].entry[r], 1, (size_t)c->block[i].columns);
        s->present[f] = present, s->varies[f] = FIELD_VARIES;
    }
    if (s->A.rows) s->constant_A = s->relations_free_of_q = false;
}

static double *unturned(mem *m, int count)
{
    double *out = mem_array(m, TURNING_MATRIX * count, double);
    for (int k = 0; k < TURNING_MATRIX * count; k++) out[k] = k % TURNING_MATRIX % 4 == 0;
    return out;
}

static sys_values room_for(mem *m, const dal_system *s)
{
    const int  n = s->n, K = pattern_count(&s->K), A = pattern_count(&s->A);
    sys_values o = {0};
    double   **of_n[] = {&o.Lq, &o.Lw, &o.f, &o.D, &o.Lqt, &o.Lwt, &o.ft};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    for (field f = 0; f < F_COUNT; f++) o.on_K[f] = mem_array(m, K, double);
    o.e = mem_array(m, s->A.rows, double), o.et = mem_array(m, s->A.rows, double);
    o.A = mem_array(m, A, double), o.eq = mem_array(m, A, double);
    return o;
}

dal_system *charts_new(mem *m, dal_system *body)
{
    charts   *c = mem_array(m, 1, charts);
    const int n = body->n, count = body->turns->count;
    c->body = body, c->pub = *body;
    c->now = c->unturned = unturned(m, count);
    c->q = mem_array(m, n + TURNING_MATRIX * count, double);
    c->w = mem_array(m, n, double), c->v = mem_array(m, n, double);
    c->kappa = mem_array(m, n, double), c->L_qw = mem_array(m, pattern_count(&body->K), double);
    c->at = mem_array(m, count, chart_point), c->apart = mem_array(m, count, chart_point);
    c->pi = mem_array(m, count, vector), c->tau = mem_array(m, count, vector);
    c->f = mem_array(m, count, vector), c->D = mem_array(m, count, vector);
    c->room = room_for(m, body);
    list_blocks(c, m), list_triples(c, m), note_fields(c, m);
    dal_system *s = &c->pub;
    s->self = c, s->charts = c, s->eval = eval, s->eval_ranges = NULL;
    s->selective = s->local = false;
    s->coordinate_name = coordinate_name, s->relation_name = relation_name;
    s->nonfinite_source = nonfinite_source;
    s->jets = NULL, s->vary = vary, s->rates = NULL;
    return s;
}

void charts_look(const dal_system *sys, const double *matrices)
{
    sys->charts->now = matrices ? matrices : sys->charts->unturned;
}

const double *charts_seen(const dal_system *sys)
{
    return sys->charts->now;
}

void charts_body(const dal_system *sys, const sys_point *at, double *q, double *v)
{
    charts        *c = sys->charts;
    const turning *t = sys->turns;
    const int      n = sys->n;
    place(c, at);
    memcpy(q, c->q, (size_t)(n + TURNING_MATRIX * t->count) * sizeof *q);
    memcpy(v, c->v, (size_t)n * sizeof *v);
    for (int k = 0; k < t->count; k++) {
        put_vector(q + t->first[k], (vector){{0}});
        if (t->direction[k]) v[t->first[k] + 2] = 0;
    }
}

chart_values *chart_values_new(mem *m, const dal_system *sys)
{
    const int     K = pattern_count(&sys->K), A = pattern_count(&sys->A);
    chart_values *v = mem_array(m, 1, chart_values);
    double      **on_K[] = {&v->q_eta, &v->w_eta, &v->eta_q, &v->eta_w, &v->eta_eta, &v->D_eta};
    v->eta = mem_array(m, sys->n, double);
    for (size_t k = 0; k < sizeof on_K / sizeof *on_K; k++) *on_K[k] = mem_array(m, K, double);
    v->A_eta = mem_array(m, A, double), v->e_eta = mem_array(m, A, double);
    v->A_body = mem_array(m, A, double);
    return v;
}
