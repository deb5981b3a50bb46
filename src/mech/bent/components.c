/* components.c - which relations meet directions without inertia, which of these they leave free,
 * and whether any of that bends.
 *
 * Directions without inertia and the relations that contain their velocities make a graph. In a
 * component whose relations leave no direction free, everything is tied to inertia: they act at the
 * nodes of a step as those between masses do (kind L). In any other they act inside it (kind G),
 * and must be independent along these directions. */
#include "mech/bent/bent.h"

#include "linalg/dense.h"
#include "mech/degenerate/degenerate.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-8; /* of the singular values of A N */
static const double NOTHING = 1e-10;
static const double CHANGE =
    1e-7; /* what is less is rounding, also of derivatives by differences */

typedef struct {
    mem         *m; /* given back */
    dal_system  *sys;
    sys_values   out;
    fixed_pivots kernel;          /* of L_vv                                     */
    double      *inertia, *meets; /* L_vv; A N: a row for each relation */
    int          n, M, k;
    int         *of_direction, *of_relation; /* components               */
} graph;

static bool look_at(graph *g, const sys_point *at)
{
    const int      n = g->n;
    const pattern *K = &g->sys->K;
    unsigned       want = WANT_GRADIENT | WANT_HESSIAN;
    if (g->M) want |= WANT_RELATIONS;
    if (g->sys->forced) want |= WANT_FORCE | WANT_FORCE_JACOBIAN;
    if (g->sys->eval(g->sys->self, want, 1, at, &g->out)) return false;
    memset(g->inertia, 0, sizeof *g->inertia * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            g->inertia[i * n + K->column[e]] = bent_inertia(g->sys, &g->out, i, e);
    return true;
}

/* A N with the kernel at hand. */
static void find_meetings(graph *g)
{
    const pattern *A = &g->sys->A;
    memset(g->meets, 0, sizeof *g->meets * (size_t)(g->M * g->k));
    for (int a = 0; a < g->M; a++) {
        double most = 0;
        for (int e = A->start[a]; e < A->start[a + 1]; e++) most = fmax(most, fabs(g->out.A[e]));
        for (int u = 0; u < g->k; u++) {
            double sum = 0;
            for (int e = A->start[a]; e < A->start[a + 1]; e++)
                sum += g->out.A[e] * g->kernel.basis[u * g->n + A->column[e]];
            g->meets[a * g->k + u] = fabs(sum) > NOTHING * most ? sum : 0;
        }
    }
}

/* Makes the components a and b one. */
static void join(graph *g, int a, int b)
{
    for (int u = 0; u < g->k; u++)
        if (g->of_direction[u] == b) g->of_direction[u] = a;
    for (int r = 0; r < g->M; r++)
        if (g->of_relation[r] == b) g->of_relation[r] = a;
}

/* A relation belongs to the component of the first direction that it meets, and joins others. */
static void join_components(graph *g)
{
    for (int a = 0; a < g->M; a++)
        for (int u = 0; u < g->k; u++) {
            if (g->meets[a * g->k + u] == 0) continue;
            if (g->of_relation[a] < 0) g->of_relation[a] = g->of_direction[u];
            else if (g->of_relation[a] != g->of_direction[u])
                join(g, g->of_relation[a], g->of_direction[u]);
        }
}

/* Of a component: its directions and relations, and the rank of A N there. */
typedef struct {
    int directions, relations, rank;
} extent;

static extent measure(const graph *g, int c)
{
    extent  x = {0};
    double *E = mem_array(g->m, g->M * g->k, double);
    for (int u = 0; u < g->k; u++) x.directions += g->of_direction[u] == c;
    for (int a = 0; a < g->M; a++) {
        if (g->of_relation[a] != c) continue;
        for (int u = 0, j = 0; u < g->k; u++)
            if (g->of_direction[u] == c)
                E[x.relations * x.directions + j++] = g->meets[a * g->k + u];
        x.relations++;
    }
    if (x.relations && x.directions)
        x.rank = dense_rank_scaled(g->m, E, x.relations, x.directions, DEPENDENT, NULL);
    return x;
}

static void name_relations(const graph *g, int c, text *why)
{
    for (int a = 0, said = 0; a < g->M; a++) {
        if (g->of_relation[a] != c) continue;
        text_add(why, said++ ? ", " : "");
        if (g->sys->relation_name) g->sys->relation_name(g->sys->self, a, why);
        else text_printf(why, "relation %d", a + 1);
    }
}

/* Sorts relations into the kinds; false: those of a component depend on each other. */
static bool sort_relations(const graph *g, uint8_t *inside, text *why)
{
    for (int c = 0; c < g->k; c++) {
        const extent x = measure(g, c);
        if (x.directions == x.rank || !x.relations) continue;
        if (x.rank < x.relations) {
            text_add(why, "the relations ");
            name_relations(g, c, why);
            text_add(why, " depend on each other along such directions, and leave some of these "
                          "free: leave out those that follow from others, or give these "
                          "coordinates inertia");
            return false;
        }
        for (int a = 0; a < g->M; a++)
            if (g->of_relation[a] == c) inside[a] = 1;
    }
    return true;
}

/* What decides whether directions bend, at one point, to be compared with another: the kernel of
 * L_vv, and the entries of relations of kind G. */
static bool differs(const graph *g, const uint8_t *inside, const double *kernel,
                    const double *entry, bool *turns)
{
    const pattern *A = &g->sys->A;
    bool           bends = false;
    *turns = false;
    for (int e = 0; e < g->k * g->n && g->sys->varies[F_LWW] == FIELD_VARIES; e++)
        *turns |= fabs(kernel[e] - g->kernel.basis[e]) > CHANGE;
    for (int a = 0; a < g->M && !g->sys->constant_A; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && inside[a]; e++)
            bends |= fabs(entry[e] - g->out.A[e]) > CHANGE * fabs(entry[e]);
    return bends || *turns;
}

/* Do these coefficients of velocities differ from `before` where directions without inertia have
 * components? */
static bool differ_along(const graph *g, const double *now, const double *before)
{
    const pattern *K = &g->sys->K;
    for (int i = 0; i < g->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            if (fabs(now[e] - before[e]) <= CHANGE * fabs(before[e])) continue;
            for (int u = 0; u < g->k; u++)
                if (g->kernel.basis[u * g->n + i] != 0 ||
                    g->kernel.basis[u * g->n + K->column[e]] != 0)
                    return true;
        }
    return false;
}

static double *copy_of(mem *m, const double *x, int count)
{
    double *to = mem_array(m, count + 1, double);
    memcpy(to, x, sizeof *x * (size_t)count);
    return to;
}

/* Do velocities along N appear in no force at all? Then the beginning of a step does not feel where
 * it begins along N. */
static bool is_silent(const graph *g, const uint8_t *inside)
{
    const pattern *K = &g->sys->K;
    for (int a = 0; a < g->sys->m; a++)
        if (inside[a]) return false;
    for (int i = 0; i < g->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            for (int u = 0; u < g->k; u++) {
                if (g->kernel.basis[u * g->n + K->column[e]] == 0) continue;
                if (g->sys->varies[F_LQW] && g->out.on_K[F_LQW][e] != 0) return false;
                if (g->sys->forced && g->out.on_K[F_FW][e] != 0) return false;
            }
    return true;
}

static void open_graph(graph *g, mem *m, dal_system *sys)
{
    const int n = sys->n, M = sys->m + sys->r, K = pattern_count(&sys->K);
    *g = (graph){.m = m, .sys = sys, .n = n, .M = M};
    double **of_n[] = {&g->out.Lq, &g->out.Lw, &g->out.f, &g->out.D};
    for (int i = 0; i < 4; i++) *of_n[i] = mem_array(m, n, double);
    for (int i = 0; i < F_COUNT; i++) g->out.on_K[i] = mem_array(m, K, double);
    g->out.A = mem_array(m, pattern_count(&sys->A) + 1, double);
    g->out.e = mem_array(m, M + 1, double);
    g->inertia = mem_array(m, n * n, double);
    g->meets = mem_array(m, M * n + 1, double);
    g->of_direction = mem_array(m, n, int), g->of_relation = mem_array(m, M + 1, int);
    fixed_pivots_init(&g->kernel, m, n, n);
}

static void room_for_turning(sys_change *c, mem *m, const dal_system *sys)
{
    const int n = sys->n, K = pattern_count(&sys->K);
    double  **of_n[] = {&c->Lw, &c->Lq, &c->f}, **of_K[] = {&c->Lqq, &c->Lqw, &c->fq, &c->fw};
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(m, n, double);
    for (int k = 0; k < 4; k++) *of_K[k] = mem_array(m, K, double);
    c->e = mem_array(m, sys->m + sys->r + 1, double);
}

/* Of a kernel that turns. */
static void room_for_kernel(bent_moves *b, mem *m)
{
    const int n = b->n, K = pattern_count(&b->sys->K);
    b->end.turning = mem_array(m, K, double), b->end.room_K = mem_array(m, K, double);
    b->end.pivots = mem_array(m, n * (n + 1), double);
    b->end.c = mem_array(m, n, double), b->end.c_L = mem_array(m, b->M + 1, double);
}

static void make_room(bent_moves *b, mem *m)
{
    dal_system *sys = b->sys;
    const int   n = b->n, M = b->M, K = pattern_count(&sys->K), A = pattern_count(&sys->A);
    const int   rows_L = n + M - b->inner, rows_X = rows_L + b->inner - b->positions;
    fixed_pivots_init(&b->along.of_N, m, rows_L, n),
        fixed_pivots_init(&b->along.of_X, m, rows_X, n);
    fixed_pivots_init(&b->along.of_V, m, n + M, n);
    fixed_pivots_init(&b->along.of_left, m, b->kv, b->kv);
    fixed_pivots_init(&b->along.of_right, m, b->kv, b->kv);
    fixed_pivots_init(&b->along.of_now, m, b->kv, b->kv);
    b->along.stack = mem_array(m, (n + M) * n, double);
    b->along.D = mem_array(m, b->kv * b->kv + 1, double);
    b->along.Y = mem_array(m, b->kv * n + 1, double),
    b->along.R = mem_array(m, b->kv * n + 1, double);
    sys_values *out = &b->out;
    double    **of_n[] = {&out->Lq,       &out->Lw,      &out->f,    &out->Lqt,   &out->Lwt,
                          &out->ft,       &b->end.q,     &b->end.x,  &b->v,       &b->end.v_ref,
                          &b->pass.v_end, &b->end.room,  &b->pass.p, &b->pass.dq, &b->pass.dp,
                          &b->rate.Lq,    &b->rate.Lw,   &b->rate.f, &out->D,     &b->end.v,
                          &b->w,          &b->pass.w_end};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = mem_array(m, n, double);
    for (int i = 0; i < F_COUNT; i++) out->on_K[i] = mem_array(m, K, double);
    double **of_K[] = {&b->rate.Lqw, &b->rate.Lww, &b->end.curvature, &b->end.Cq, &b->end.Cv};
    for (int i = 0; i < 5; i++) *of_K[i] = mem_array(m, K, double);
    b->still = mem_array(m, n, double), b->end.velocity = mem_array(m, n, int);
    for (int i = 0; i < 2 && (b->drags || b->turns); i++) room_for_turning(&b->turned[i], m, sys);
    if (b->turns) room_for_kernel(b, m);
    out->A = mem_array(m, A + 1, double), out->eq = mem_array(m, A + 1, double);
    out->e = mem_array(m, M + 1, double), out->et = mem_array(m, M + 1, double);
    out->g = mem_array(m, sys->r + 1, double);
    b->rate.A = mem_array(m, A + 1, double);
    for (int i = 0; i < 2; i++) b->end.weights[i] = mem_array(m, M + 1, double);
    b->lam = mem_array(m, b->inner + 1, double),
    b->pass.lam_end = mem_array(m, b->inner + 1, double);
    b->sigma = mem_array(m, b->kv + 1, double);
}

static pattern full_matrix(mem *m, int size)
{
    pattern p = {size, size, mem_array(m, size + 1, int), mem_array(m, size * size, int)};
    for (int e = 0; e < size * size; e++) p.column[e] = e % size;
    for (int i = 0; i <= size; i++) p.start[i] = i * size;
    return p;
}

/* The unknowns of the end solve and its matrix, once the kinds of all directions are known. */
static void make_end(bent_moves *b, mem *m)
{
    b->end.at_nu = b->n, b->end.at_lam = b->end.at_nu + b->M - b->inner,
    b->end.at_sigma = b->end.at_lam + b->inner;
    b->end.at_xi = b->end.at_sigma + b->stiff, b->end.at_mu = b->end.at_xi + b->kx;
    b->end.at_phase = b->end.at_mu + b->inner, b->end.size = b->end.at_phase + b->phases;
    for (int i = 0, phase = b->end.at_phase; i < b->n; i++)
        b->end.velocity[i] = bent_is_phase(b->sys, i) ? phase++ : i;
    const int size = b->end.size;
    b->end.J = full_matrix(m, size);
    double **of[] = {&b->end.y, &b->end.r, &b->end.step, &b->end.column};
    for (int i = 0; i < 4; i++) *of[i] = mem_array(m, size, double);
    b->end.values = mem_array(m, size * size, double);
    b->end.lu = solver_new(m, &b->end.J, NULL);
    const int reactions = b->n + b->M + b->kv + b->phases;
    b->reactions.J = full_matrix(m, reactions);
    b->reactions.r = mem_array(m, reactions, double);
    b->reactions.values = mem_array(m, reactions * reactions, double);
    b->reactions.lu = solver_new(m, &b->reactions.J, NULL);
}

static void count_kinds(bent_moves *b)
{
    int of_kind[2] = {0};
    for (int a = 0; a < b->M; a++) {
        b->number[a] = of_kind[b->inside[a]]++;
        b->positions += b->inside[a] && a >= b->sys->m;
    }
    b->inner = of_kind[1];
}

/* dim of the null space of [L_vv; A_L] is that of L_vv without what relations of kind L hold. */
static int free_of_L(const graph *g, const uint8_t *inside)
{
    int held = 0;
    for (int c = 0; c < g->k; c++) {
        const extent x = measure(g, c);
        bool         outer = false;
        for (int a = 0; a < g->M; a++) outer |= g->of_relation[a] == c && !inside[a];
        if (outer) held += x.rank;
    }
    return g->k - held;
}

bool bent_drag_varies(const dal_system *sys)
{
    return sys->varies[F_LQW] == FIELD_VARIES || (sys->forced && sys->varies[F_FW] == FIELD_VARIES);
}

static bent_moves *make(mem *m, const graph *g, const uint8_t *inside, bool turns)
{
    bent_moves *b = mem_array(m, 1, bent_moves);
    b->own = m, b->sys = g->sys, b->n = g->n, b->M = g->M, b->turns = turns, b->stiff = -1;
    b->inside = mem_array(m, g->M + 1, uint8_t), b->number = mem_array(m, g->M + 1, int);
    memcpy(b->inside, inside, (size_t)g->M);
    count_kinds(b);
    for (int i = 0; i < b->n; i++) b->phases += bent_is_phase(b->sys, i);
    b->k = free_of_L(g, inside);
    b->kx = b->k - (b->inner - b->positions), b->kv = b->k - b->inner;
    b->felt = !is_silent(g, inside);
    b->rates = g->sys->rates ? g->sys->rates(g->sys->self, m) : NULL;
    b->drags = b->rates && bent_drag_varies(g->sys);
    make_room(b, m);
    return b;
}

void bent_free(bent_moves *b)
{
    if (!b) return;
    solver_free(b->end.lu), solver_free(b->reactions.lu);
    mem_free(b->own);
}

/* The kernel and A N at a point, by the same pivots. */
static bool meet_at(graph *g, const sys_point *at)
{
    if (!look_at(g, at) || !fixed_pivots_find(&g->kernel, g->inertia)) return false;
    find_meetings(g);
    return true;
}

/* Do inertia and relations vary at all? Where there is no value nearby, they count as bent. */
static bool may_bend(const graph *g, const uint8_t *inside)
{
    return g->sys->varies[F_LWW] == FIELD_VARIES ||
           (!g->sys->constant_A && memchr(inside, 1, (size_t)g->M + 1));
}

/* The graph is that of here and nearby, so that no coefficient is 0 by accident; ranks are those of
 * the start. */
static bent_kind sort_at(graph *g, const sys_point *at, bent_hint hint, uint8_t *inside,
                         bool *turns, text *why)
{
    const sys_point near = {.t = at->t + 0.0123,
                            .q = moved_nearby(g->m, at->q, g->n),
                            .w = moved_nearby(g->m, at->w, g->n),
                            .v = moved_nearby(g->m, at->v, g->n)};
    if (!look_at(g, at)) return BENT_NOT;
    fixed_pivots_choose(&g->kernel, g->inertia, NOTHING);
    g->k = g->n - g->kernel.rank;
    for (int u = 0; u < g->k; u++) g->of_direction[u] = u;
    for (int a = 0; a < g->M; a++) g->of_relation[a] = -1;
    if (!g->k || !meet_at(g, at)) return BENT_NOT;
    const double *kernel = copy_of(g->m, g->kernel.basis, g->k * g->n);
    const double *entry = copy_of(g->m, g->out.A, pattern_count(&g->sys->A));
    const double *Lqw = copy_of(g->m, g->out.on_K[F_LQW], pattern_count(&g->sys->K));
    const double *fw = copy_of(g->m, g->out.on_K[F_FW], pattern_count(&g->sys->K));
    join_components(g);
    if (meet_at(g, &near)) join_components(g);
    if (!meet_at(g, at)) return BENT_NOT;
    if (!sort_relations(g, inside, why)) return BENT_REFUSED;
    bool bends = hint == BENT_SURELY;
    if (!meet_at(g, &near)) {
        bends |= hint == BENT_BY_DRAG || may_bend(g, inside);
    } else {
        bends |= differs(g, inside, kernel, entry, turns);
        bends |= hint == BENT_BY_DRAG && differ_along(g, g->out.on_K[F_LQW], Lqw) &&
                 differ_along(g, g->out.on_K[F_FW], fw);
    }
    return bends && meet_at(g, at) ? BENT_FITS : BENT_NOT;
}

bent_kind bent_find(mem *m, dal_system *sys, const sys_point *at, bent_hint hint, bent_moves **out,
                    text *why)
{
    graph g;
    mem  *room = mem_child(m);
    bool  turns = false;
    *out = NULL;
    open_graph(&g, room, sys);
    uint8_t  *inside = mem_array(room, g.M + 1, uint8_t);
    bent_kind kind = sort_at(&g, at, hint, inside, &turns, why);
    if (kind == BENT_FITS) {
        bent_moves *b = make(mem_child(m), &g, inside, turns);
        if (!b->kv) kind = BENT_NOT;
        else if (bent_choose(b, at)) make_end(b, b->own), *out = b;
        else
            kind = BENT_REFUSED,
            text_add(why, "at the start it is one of others than nearby; start elsewhere");
        if (kind != BENT_FITS) bent_free(b);
    }
    mem_free(room);
    return kind;
}

/* Has N a component along coordinate j? */
static bool is_along(const bent_moves *b, int j)
{
    for (int u = 0; u < b->k; u++)
        if (b->along.of_N.basis[u * b->n + j] != 0) return true;
    return false;
}

/* Damping is tested with other functions than forces, and states are taken elsewhere than
 * positions: neither may feel the moves along N, which stand for velocities there. */
const char *bent_beside(bent_moves *b)
{
    const dal_system *sys = b->sys;
    const pattern    *K = &sys->K, *A = &sys->A;
    if ((!sys->damped && !sys->state) || !bent_find_bases(b)) return NULL;
    for (int i = 0; i < b->n; i++)
        for (int e = K->start[i]; e < K->start[i + 1]; e++) {
            const bool along = is_along(b, K->column[e]);
            if (along && sys->damped && b->out.on_K[F_DW][e] != 0)
                return "damping holds its velocity: write 'force' instead of 'damping'";
            if (along && bent_is_state(sys, i) && b->out.on_K[F_FW][e] != 0)
                return "a state z' = g holds its velocity: write 'force z: g - z'' instead, with a "
                       "coordinate z";
        }
    for (int i = 0; i < b->n; i++)
        if (sys->damped && sys->damped[i] && is_along(b, i))
            return "damping acts along it: write 'force' instead of 'damping'";
    for (int a = 0; a < b->M; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            if (bent_is_state(sys, A->column[e]))
                return "a relation that bends it holds a state: write 'force z: g - z'' instead of "
                       "'state z' = g', with a coordinate z";
    return NULL;
}

bent_moves *bent_straight(mem *m, dal_system *sys, const sys_point *at)
{
    graph g;
    mem  *room = mem_child(m);
    open_graph(&g, room, sys);
    uint8_t    *inside = mem_array(room, g.M + 1, uint8_t);
    text        why = text_new(room);
    bool        turns;
    bent_moves *b = NULL;
    if (sort_at(&g, at, BENT_SURELY, inside, &turns, &why) != BENT_NOT) {
        memset(inside, 0, (size_t)g.M);
        b = make(mem_child(m), &g, inside, false);
        b->straight = true;
        if (b->kv && bent_choose(b, at)) make_end(b, b->own);
        else bent_free(b), b = NULL;
    }
    mem_free(room);
    return b;
}
