/* moves.c - the derivative of a step that moves the state along directions without inertia, at its
 * end or at both ends.                                      theory.md [DEGENERATE] [BENT] [TANGENT]
 *
 * With s(e; q^-, p^-) = 0 the equations (a) to (e) of mech/bent/bent.h at the end,
 *
 *     s_e de + s_q dq^- + s_p dp^- + [s] = 0,   dq_1 = dq^- + dx,   dp_1 = dp^- + d(B x + A_G^T mu)
 *
 * where (xi, mu), a part of e, also move the beginning, and with it q^- and p^-. The matrix is that
 * of the step, which does not know how X and B turn with the state: that part, of the size of the
 * move, is on the right-hand side and found by iteration. A straight direction is one that does not
 * turn, so its steps have the same derivative, however they were made. */
#include "mech/tangent/inside.h"
#include "mech/tangent/turning_vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Where a move x is made, and how x and B x + A_G^T mu change there. */
typedef struct {
    sys_point at;
    double   *q, *w, *v;           /* w: v, or the momentum of Hamiltonian coordinates     */
    double   *x;                   /* = move.x                                             */
    double   *weights;             /* mu, by relation                                      */
    double   *B, *Cq, *Cv, *curve; /* L_qv + f_v; d(B x)/dq, d(B x)/dv; d(A_G^T mu)/dq     */
    double   *A;                   /* entries of A                                         */
    double   *written_Bx, *written_reaction; /* with time and parameters                   */

    turning_vector move; /* x in X */
} place;

struct end_moves {
    bent_moves *b; /* the stepper's, or own, of straight directions                  */
    bent_moves *own;
    place       begin, end;

    turning_vector momentum; /* Y sigma, where Y is V and the kernel of inertia turns */

    int     first, last;       /* signs of xi at the beginning and at the end                */
    bool    both;              /* moves are made at both                                     */
    int     size, moves, rank; /* for which there is room: unknowns, (xi, mu), pivots  */
    int     rank_V;
    pattern matrix;
    solver *lu;                /* of s_e with what the beginning does                        */
    double *F;                 /* s_e itself                                                 */
    double *carried;           /* dq^-, dp^-, dv by each of (xi, mu)                         */
    double *de, *ds, *written; /* changes of e and s; [s]                              */
    double *state, *dx, *low;  /* dq^-, dp^-, dv, dp_1                                 */
    double *with;              /* w at other velocities                                */
    double *dv0;               /* at the beginning, of each direction                  */
    double *left;              /* momentum along U, of straight directions             */
    double *kept;              /* y, dq and dp of the step                             */
    int     count;             /* directions for which there is room                   */
};

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof *to * (size_t)n);
}

static void clear(double *x, int n)
{
    memset(x, 0, sizeof *x * (size_t)n);
}

/* Room. ---------------------------------------------------------------------------------------- */

static void room_for_place(place *p, mem *m, const bent_moves *b, int rank)
{
    const int n = b->n, K = pattern_count(&b->sys->K);
    double  **of_n[] = {&p->q, &p->w, &p->v, &p->written_Bx, &p->written_reaction};
    double  **of_K[] = {&p->B, &p->Cq, &p->Cv, &p->curve};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    for (size_t k = 0; k < sizeof of_K / sizeof *of_K; k++) *of_K[k] = mem_array(m, K, double);
    p->A = mem_array(m, pattern_count(&b->sys->A) + 1, double);
    p->weights = mem_array(m, b->M + 1, double);
    turning_vector_room(&p->move, m, b, rank);
    p->x = p->move.x;
}

/* X turns with relations of velocities and with the kernel of inertia; momentum along Y, which is
 * roundoff but with the latter, with that. */
static int turning_rank(const bent_moves *b)
{
    return b->turns || b->inner > b->positions ? b->along.of_X.rank : 0;
}
static int turning_rank_V(const bent_moves *b)
{
    return b->turns && b->stiff ? b->along.of_V.rank : 0;
}

static void make_room(end_moves *s, mem *m)
{
    const bent_moves *b = s->b;
    const int         n = b->n, S = b->end.size, moves = b->kx + b->inner;
    const int         rank = turning_rank(b), rank_V = turning_rank_V(b);
    s->begin.move.by = s->end.move.by = &b->along.of_X, s->momentum.by = &b->along.of_V;
    if (s->size == S && s->moves == moves && s->rank == rank && s->rank_V == rank_V) return;
    s->size = S, s->moves = moves, s->rank = rank, s->rank_V = rank_V;
    room_for_place(&s->begin, m, b, rank), room_for_place(&s->end, m, b, rank);
    turning_vector_room(&s->momentum, m, b, rank_V);
    s->dx = mem_array(m, n, double), s->with = mem_array(m, n, double);
    s->matrix = turning_full_matrix(m, S), s->F = mem_array(m, S * S, double);
    solver_free(s->lu);
    s->lu = solver_new(m, &s->matrix, NULL);
    s->carried = mem_array(m, 3 * n * moves + 1, double);
    double **of_S[] = {&s->de, &s->ds, &s->written};
    for (int k = 0; k < 3; k++) *of_S[k] = mem_array(m, S, double);
    s->state = mem_array(m, 4 * n, double), s->low = mem_array(m, 2 * n, double);
    s->kept = mem_array(m, S + 2 * n, double), s->left = mem_array(m, n + 1, double);
}

/* Only then do third derivatives matter. */
static bool needs_rates(const dal_system *sys)
{
    return bent_drag_varies(sys) || sys->varies[F_LWW] == FIELD_VARIES;
}

/* Made again where there are other directions. */
dal_status end_moves_new(tangent *tg, text *why)
{
    stepper    *st = tg->st;
    bent_moves *bent = st->massless.bent;
    end_moves  *s = tg->moves ? tg->moves : mem_array(st->m, 1, end_moves);
    tg->moves = s;
    if (needs_rates(st->sys) && !st->sys->rates)
        text_add(why, "user-defined functions lack the third derivatives that tangents along "
                      "directions without inertia need: use momentum = papers, which moves no "
                      "state along them");
    else if (bent && bent->turns && bent->stiff && bent->stiff < bent->kv)
        text_add(why, "the kernel of inertia turns with the state, and forces by velocities act "
                      "along some of its directions only: such tangents are known in coordinates "
                      "of which some are these directions, so that none turns");
    else if (bent && st->sys->state)
        text_add(why, "tangents along directions without inertia that bend are not supported "
                      "beside a state: write 'force z: g - z'', with a coordinate z");
    else {
        const double   *v = stepper_slope(st);
        const sys_point at = {.t = st->t, .q = st->q, .w = v, .v = v};
        s->both = bent ? bent->felt : st->massless.ends.fits;
        if (!bent && (!s->own || s->own->kv != st->grid.k || !bent_choose(s->own, &at))) {
            bent_free(s->own);
            s->own = bent_straight(st->m, st->sys, &at);
            if (s->own) bent_join(s->own, &st->eq, 1);
        }
        s->b = bent ? bent : s->own;
        s->first = !bent && st->eq.d % 2 ? -1 : 1;
        s->last = bent && s->both && st->eq.d % 2 ? -1 : 1;
        if (s->b) {
            make_room(s, st->m);
            if (tg->count > s->count)
                s->dv0 = mem_array(st->m, tg->count * st->sys->n, double), s->count = tg->count;
            return DAL_OK;
        }
        text_add(why, "the directions without inertia are others here than nearby, and have no "
                      "tangents: start elsewhere");
    }
    return DAL_INVALID;
}

void end_moves_free(end_moves *s)
{
    if (!s) return;
    solver_free(s->lu), solver_free(s->momentum.lu);
    solver_free(s->begin.move.lu), solver_free(s->end.move.lu);
    bent_free(s->own);
}

/* A place. ------------------------------------------------------------------------------------- */

/* to += m x, by entries of K */
static void add_K(const dal_system *sys, const double *m, const double *x, double *to)
{
    for (int i = 0; i < sys->n; i++)
        for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++)
            to[i] += m[e] * x[sys->K.column[e]];
}

/* Everything at (t, q, v), which stand in p, for the move x there and sign mu. */
static bool put(end_moves *s, place *p, double t, int sign, const double *mu)
{
    bent_moves *b = s->b;
    unsigned    want = WANT_GRADIENT | WANT_HESSIAN | (b->M ? WANT_RELATIONS_JACOBIAN : 0);
    p->at = (sys_point){.t = t, .q = p->q, .w = p->w, .v = p->v, .lam = p->weights};
    for (int a = 0; a < b->M; a++) p->weights[a] = b->inside[a] ? sign * mu[b->number[a]] : 0;
    if (!bent_evaluate(b, want, &p->at)) return false;
    for (int e = 0; e < pattern_count(&b->sys->K); e++) {
        p->B[e] = b->out.on_K[F_LQW][e] + (b->sys->forced ? b->out.on_K[F_FW][e] : 0);
        p->curve[e] = b->M ? b->out.on_K[F_CURV][e] : 0;
    }
    copy(p->A, b->out.A, pattern_count(&b->sys->A));
    bent_turn(b, &p->at, p->x, p->Cq, p->Cv);
    return turning_vector_find(s->b, &p->move, &p->at);
}

/* The same w, but velocities v. */
static const double *with_velocities(const end_moves *s, const place *p, const double *v)
{
    for (int i = 0; i < s->b->n; i++) s->with[i] = bent_is_phase(s->b->sys, i) ? p->w[i] : v[i];
    return s->with;
}

/* [B x] = [L_q + f] gained if velocities move by x; [A_G^T mu]. */
static void take_written(tangent *tg, end_moves *s, place *p, const part_direction *d)
{
    const bent_moves *b = s->b;
    const int         n = b->n;
    const double     *at_velocity[] = {p->x, b->still};
    sys_direction     along = d->written;
    along.t = d->t;
    clear(p->written_Bx, n), clear(p->written_reaction, n);
    turning_vector_written(&tg->row, s->b, &p->move, &p->at, d);
    if (!row_changes_written(&tg->row, &p->at, 0, d)) return;
    copy(p->written_reaction, tg->row.written.reaction, n);
    for (int k = 0; k < 2; k++) {
        sys_point at = p->at;
        at.v = at_velocity[k];
        if (!b->drags) {
            at.w = with_velocities(s, p, at.v);
            row_changes_written(&tg->row, &at, 0, d);
            add_times(p->written_Bx, k ? -1 : 1, tg->row.written.Lq, n);
            if (b->sys->forced) add_times(p->written_Bx, k ? -1 : 1, tg->row.written.f, n);
            continue;
        }
        b->rates->vary(b->rates->self, &p->at, &(sys_motion){at_velocity[k], b->still}, &along,
                       &b->turned[0]);
        add_times(p->written_Bx, k ? -1 : 1, b->turned[0].Lq, n);
        if (b->sys->forced) add_times(p->written_Bx, k ? -1 : 1, b->turned[0].f, n);
    }
}

/*     to += B dx + [B x],   and C_q dq + C_v dv */
static void add_drag(const end_moves *s, const place *p, const double *dx, double *to)
{
    add_K(s->b->sys, p->B, dx, to);
    add_times(to, 1, p->written_Bx, s->b->n);
}
static void add_turning_drag(const end_moves *s, const place *p, const double *dq, const double *dv,
                             double *to)
{
    if (s->b->drags) add_K(s->b->sys, p->Cq, dq, to), add_K(s->b->sys, p->Cv, dv, to);
}

/*     to += d(A_G^T mu) = mu dA dq + A_G^T dmu + [A_G^T mu] */
static void add_reaction(const end_moves *s, const place *p, const double *dq, int sign,
                         const double *dmu, double *to)
{
    const bent_moves *b = s->b;
    const pattern    *A = &b->sys->A;
    if (b->M) add_K(b->sys, p->curve, dq, to);
    for (int a = 0; a < b->M && dmu; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && b->inside[a]; e++)
            to[A->column[e]] += sign * p->A[e] * dmu[b->number[a]];
    add_times(to, 1, p->written_reaction, b->n);
}

/* The end. ------------------------------------------------------------------------------------- */

/* What changes beside q and w at the beginning of a part, or at its end. */
static part_direction beside(const tangent *tg, const step_direction *along, double at)
{
    return (part_direction){.t = along->t + (at - tg->t) / tg->h * along->h,
                            .written = {.parameter = along->parameter, .input = along->input},
                            .moves =
                                along->parameter || along->input || along->t != 0 || along->h != 0};
}

/*     F -= [L_vv c + A_L^T c],  by which N turns */
static void add_written_kernel(tangent *tg, const end_moves *s, sys_point at,
                               const part_direction *d, double *F)
{
    const bent_moves *b = s->b;
    const double     *by[] = {b->end.c, b->still};
    const sys_change  moved = {.Lw = s->dx};
    sys_direction     along = d->written;
    along.t = d->t, at.lam = b->end.c_L;
    row_changes_written(&tg->row, &at, 0, d);
    add_times(F, -1, tg->row.written.reaction, b->n);
    for (int k = 0; k < 2; k++) {
        b->rates->vary(b->rates->self, &at, &(sys_motion){by[k], b->still}, &along, &moved);
        add_times(F, k ? 1 : -1, s->dx, b->n);
    }
}

/* [s] at the end as it stands in b->end:
 *     (a) [L_v - A^T w]   (b) [e]   (c) N^T [L_q + f - d/dt L_v + A_G^T lam]   (d) [g] */
static void take_written_end(tangent *tg, end_moves *s, const part_direction *d)
{
    bent_moves   *b = s->b;
    const int     n = b->n;
    sys_point     at = {.t = s->end.at.t, .q = b->end.q, .w = b->end.y, .v = b->end.v};
    sys_direction along = d->written;
    double       *to = s->written, *c = s->written + n + b->M, *g = c + b->k, *F = b->end.room;
    along.t = d->t;
    clear(to, s->size);
    at.lam = b->end.weights[1];
    if (!row_changes_written(&tg->row, &at, 0, d)) return;
    clear(F, n);
    add_times(F, 1, tg->row.written.Lq, n), add_times(F, 1, tg->row.written.reaction, n);
    if (b->sys->forced) add_times(F, 1, tg->row.written.f, n);
    if (b->rates) {
        const sys_change moved = {.Lw = s->dx};
        b->rates->vary(b->rates->self, &at, &(sys_motion){b->still, b->still}, &along, &moved);
        add_times(F, -1, s->dx, n);
    }
    for (int a = 0; a < b->M; a++) {
        to[n + a] = tg->row.written.e[a];
        if (b->inside[a] && a >= b->sys->m) *g++ = tg->row.written.g[a - b->sys->m];
    }
    if (b->turns) add_written_kernel(tg, s, at, d, F);
    for (int u = 0; u < b->k; u++)
        for (int i = 0; i < n; i++) c[u] += b->along.of_N.basis[u * n + i] * F[i];
    at.lam = b->end.weights[0];
    row_changes_written(&tg->row, &at, 0, d);
    for (int i = 0; i < n; i++) to[bent_row_of_Lw(b, i)] += tg->row.written.Lw[i];
    add_times(to, -1, tg->row.written.reaction, n);
    turning_vector_written(&tg->row, s->b, &s->momentum, &at, d);
}

/* What the end gains in all from the changes de, with those that come from the curve:
 *     state = dq^-, dp^-, dv by the curve and (xi, mu);   dx;   ds */
static void residual_of(end_moves *s, const double *dq, const double *dp, const double *dv)
{
    bent_moves *b = s->b;
    const int   n = b->n, S = s->size, at_e = n + b->M + b->k + b->positions;
    double     *q = s->state, *p = q + n, *v = p + n, *p1 = v + n;
    copy(q, dq, n), copy(p, dp, n), copy(v, dv, n);
    for (int u = 0; u < s->moves && s->both; u++)
        add_times(q, s->de[b->end.at_xi + u], s->carried + 3 * n * u, 3 * n);
    for (int i = 0; i < n; i++) p1[i] = q[i] + s->dx[i]; /* where X is, of the last correction */
    clear(s->dx, n);
    for (int u = 0; u < b->kx; u++)
        add_times(s->dx, s->last * s->de[b->end.at_xi + u], b->along.of_X.basis + u * n, n);
    turning_vector_add(s->b, &s->end.move, p1, s->dx);
    add_times(q, 1, s->dx, n);
    copy(p1, p, n);
    add_drag(s, &s->end, s->dx, p1);
    bent_change(b, q, p1, s->ds);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            if (j < b->end.at_xi || j >= b->end.at_mu) s->ds[i] += s->F[i * S + j] * s->de[j];
    for (int k = 0; k < b->stiff; k++) s->ds[at_e + k] -= v[bent_held(b, k)];
    turning_vector_add(s->b, &s->momentum, q, s->ds);
    add_times(s->ds, 1, s->written, S);
}

/* de, by corrections with the matrix at hand, each of which is smaller by the size of the move. */
static void solve_end(end_moves *s, const double *dq, const double *dp, const double *dv)
{
    enum { CORRECTIONS_MOST = 60 };
    double before = HUGE_VAL;
    clear(s->de, s->size), clear(s->dx, s->b->n);
    for (int it = 0; it < CORRECTIONS_MOST; it++) {
        double size = 0, change = 0;
        residual_of(s, dq, dp, dv);
        solver_solve(s->lu, s->ds);
        for (int i = 0; i < s->size; i++) {
            s->de[i] -= s->ds[i];
            size = fmax(size, fabs(s->de[i])), change = fmax(change, fabs(s->ds[i]));
        }
        if (change <= DBL_EPSILON * size || (it > 1 && change >= before / 2)) break;
        before = change;
    }
    residual_of(s, dq, dp, dv);
}

/* The matrix of the end at hand: what (xi, mu) do by the beginning is added to s_e. */
static bool factor_end(tangent *tg, end_moves *s)
{
    static const step_direction nothing = {0};
    bent_moves                 *b = s->b;
    const int                   n = b->n, S = s->size, at_e = n + b->M + b->k + b->positions;
    copy(s->F, b->end.values, S * S);
    for (int u = 0; u < s->moves && s->both; u++) {
        double *dq = s->carried + 3 * n * u, *dp = dq + n, *dv = dp + n;
        clear(dq, 2 * n);
        add_times(dq, u < b->kx ? s->first : 1, b->pass.first + 2 * n * u, 2 * n);
        tangent_part(tg, &nothing, dq, dp, dv);
        bent_change(b, dq, dp, s->ds);
        for (int k = 0; k < b->stiff; k++) s->ds[at_e + k] -= dv[bent_held(b, k)];
        for (int i = 0; i < S; i++) b->end.values[i * S + b->end.at_xi + u] += s->ds[i];
    }
    return solver_factor(s->lu, b->end.values);
}

/* Y sigma, of the end at hand. */
static bool put_momentum(end_moves *s, double t)
{
    bent_moves     *b = s->b;
    const sys_point at = {.t = t, .q = b->end.q, .w = b->end.y, .v = b->end.v};
    if (!s->rank_V) return true;
    clear(s->momentum.x, b->n);
    for (int k = 0; k < b->stiff; k++)
        add_times(s->momentum.x, b->end.y[b->end.at_sigma + k], b->along.Y + k * b->n, b->n);
    return turning_vector_find(s->b, &s->momentum, &at);
}

/* Velocities at a state that belongs together: the end of a step without moves. */
static bool put_node(end_moves *s, const bent_state *at, const double *v, const double *lam)
{
    bent_moves *b = s->b;
    copy(b->pass.v_end, v, b->n), copy(b->pass.w_end, b->w, b->n);
    copy(b->pass.lam_end, lam, b->inner);
    if (bent_solve(b, at) || !bent_look(b, at, 1)) return false;
    s->end.at.t = at->t;
    return put_momentum(s, at->t) && solver_factor(s->lu, b->end.values);
}

/* How they change:  de = -s_e^-1 (s_q dq + s_p dp + [s]) */
static const double *node_velocity(tangent *tg, end_moves *s, const part_direction *d,
                                   const double *dq, const double *dp)
{
    take_written_end(tg, s, d);
    bent_change(s->b, dq, dp, s->de);
    turning_vector_add(s->b, &s->momentum, dq, s->de);
    add_times(s->de, 1, s->written, s->size);
    solver_solve(s->lu, s->de);
    for (int i = 0; i < s->size; i++) s->de[i] = -s->de[i];
    return s->de;
}

/* The move with which the step began, and where. */
static bool put_begin(tangent *tg, end_moves *s)
{
    stepper      *st = tg->st;
    bent_moves   *b = s->b;
    const int     n = b->n;
    const double *kept = st->massless.ends.kept, *v = st->massless.bent ? b->v : stepper_slope(st);
    const double *xi = s->kept + b->end.at_xi;
    for (int j = 0; j < n; j++) s->begin.q[j] = kept[j] + kept[n + j];
    copy(s->begin.v, v, n), clear(s->begin.x, n);
    copy(s->begin.w, st->massless.bent ? b->w : v, n);
    for (int i = 0; i < n && !st->massless.bent; i++)
        if (bent_is_phase(b->sys, i)) s->begin.w[i] = kept[2 * n + i] + kept[3 * n + i];
    const sys_point at = {.t = st->eq.t, .q = s->begin.q, .w = s->begin.w, .v = s->begin.v};
    if (!st->massless.bent && !bent_begin(b, &at)) return false;
    for (int u = 0; u < b->kx; u++)
        add_times(s->begin.x, s->first * xi[u], b->pass.first + 2 * n * u, n);
    return put(s, &s->begin, st->eq.t, 1, xi + b->kx);
}

/* Where B = L_qv + f_v depends on velocities along X, those of the beginning matter:  L_qvv X = 0
 * unless the kernel of inertia turns. */
static bool depends_on_velocities(const bent_moves *b)
{
    return b->turns || (b->sys->forced && b->sys->varies[F_FW] == FIELD_VARIES);
}

static bool find_first_velocities(tangent *tg, end_moves *s)
{
    stepper          *st = tg->st;
    const dal_system *sys = st->sys;
    const int         n = sys->n;
    const double     *kept = st->massless.ends.kept;
    clear(s->dv0, tg->count * n);
    if (!st->massless.bent || !depends_on_velocities(s->b)) return true;
    const bent_state at = {st->eq.t, kept, kept + n, kept + 2 * n, kept + 3 * n};
    if (!put_node(s, &at, s->b->v, s->b->lam)) return false;
    for (int c = 0; c < tg->count; c++) {
        const part_direction d = beside(tg, &tg->along[c], st->eq.t);
        double              *dq = tg->out + 2 * n * c;
        copy(s->dv0 + n * c, node_velocity(tg, s, &d, dq, dq + n), n);
    }
    return true;
}

/* (q^-, p^-): where the curve led, before the moves that the stepper has made since. */
static bent_state end_of_curve(tangent *tg, end_moves *s)
{
    stepper          *st = tg->st;
    const int         n = st->sys->n;
    const free_moves *made[] = {&st->massless.primary, &st->massless.algebraic};
    const bent_moves *straight = st->massless.straight;
    copy(s->low, st->q_low, n), copy(s->low + n, st->p_low, n);
    for (int k = 0; k < 2 && !st->massless.bent && !s->both; k++) {
        if (!made[k]->k) continue;
        add_times(s->low, -1, made[k]->dq, n), add_times(s->low + n, -1, made[k]->dp, n);
    }
    if (straight) add_times(s->low, -1, straight->pass.dq, n);
    if (straight) add_times(s->low + n, -1, straight->pass.dp, n);
    return (bent_state){st->eq.t + st->eq.h, st->q, s->low, st->p, s->low + n};
}

/* The equations at the end, and of straight directions their unknowns. */
static bool put_end(tangent *tg, end_moves *s)
{
    stepper         *st = tg->st;
    bent_moves      *b = s->b;
    const int        n = b->n;
    const bent_state from = end_of_curve(tg, s);
    if (!st->massless.bent) {
        bent_guess(st, b, stepper_slope(st));
        if (bent_solve(b, &from)) return false;
        copy(s->kept, b->end.y, s->size);
    }
    copy(b->end.y, s->kept, s->size), copy(s->end.w, s->kept, n);
    for (int i = 0; i < n; i++) s->end.v[i] = s->kept[b->end.velocity[i]];
    copy(s->end.x, b->end.x, n);
    for (int i = 0; i < n; i++) s->end.q[i] = from.q[i] + (from.q_low[i] + b->end.x[i]);
    return put(s, &s->end, from.t, s->last, s->kept + b->end.at_mu) &&
           bent_look(b, &from, s->last) && put_momentum(s, from.t);
}

bool end_moves_linearise(tangent *tg)
{
    end_moves  *s = tg->moves;
    bent_moves *b = s->b;
    const int   n = b->n;
    copy(s->kept, b->end.y, s->size);
    copy(s->kept + s->size, b->pass.dq, n), copy(s->kept + s->size + n, b->pass.dp, n);
    bool good = tg->st->massless.bent || put_end(tg, s); /* of straight ones xi is found there */
    if (good && s->both) {
        double *x = s->state; /* the move at the end, which others do not keep */
        copy(x, b->end.x, n);
        good = find_first_velocities(tg, s) && put_begin(tg, s);
        copy(b->end.x, x, n);
    }
    good = good && put_end(tg, s) && factor_end(tg, s);
    copy(b->end.y, s->kept, s->size);
    bent_take(b);
    copy(b->pass.dq, s->kept + s->size, n), copy(b->pass.dp, s->kept + s->size + n, n);
    return good;
}

/* The curve and its moves: dq, dp and dv at the end, from those at the beginning. */
void end_moves_part(tangent *tg, int c, double *dq, double *dp, double *dv)
{
    end_moves           *s = tg->moves;
    const int            n = s->b->n;
    const part_direction d = beside(tg, &tg->along[c], tg->st->eq.t);
    if (s->both) {
        clear(s->dx, n), clear(s->low, n);
        take_written(tg, s, &s->begin, &d);
        turning_vector_add(s->b, &s->begin.move, dq, s->dx);
        add_drag(s, &s->begin, s->dx, s->low);
        add_turning_drag(s, &s->begin, dq, s->dv0 + n * c, s->low);
        add_reaction(s, &s->begin, dq, 1, NULL, s->low);
        add_times(dq, 1, s->dx, n), add_times(dp, 1, s->low, n);
    }
    tangent_part(tg, &tg->along[c], dq, dp, dv);
    end_moves_end(tg, c, dq, dp, dv);
}

/* Steps along straight directions U take no notice of momentum there that none can have, where L_v
 * is linear in q:  U (dp - L_vq dq - [L_v]),  into s->left. It stays, but where forces hold
 * velocities of others, which are solved for as those that bend. */
static void find_momentum_left(tangent *tg, const part_direction *d, const double *dq,
                               const double *dp)
{
    const stepper *st = tg->st;
    end_moves     *s = tg->moves;
    const int      n = st->sys->n;
    double        *left = tg->dp;
    clear(s->left, st->grid.k);
    if (st->massless.bent || st->massless.straight) return;
    copy(left, dp, n);
    for (int j = 0; j < n; j++) tg->dq[j] = -dq[j];
    add_field(&st->eq, &s->b->out, F_LQW, true, tg->dq, left);
    if (row_changes_written(&tg->row, &s->end.at, 0, d)) add_times(left, -1, tg->row.written.Lw, n);
    for (int u = st->massless.primary.k; u < st->grid.k; u++)
        for (int i = 0; i < n; i++) s->left[u] += st->grid.U[u * n + i] * left[i];
}

static void add_momentum_left(tangent *tg, double sign, double *dp)
{
    const stepper *st = tg->st;
    const int      n = st->sys->n;
    for (int u = 0; u < st->grid.k; u++)
        add_times(dp, sign * tg->moves->left[u], st->grid.U + u * n, n);
}

/* The move at the end alone. */
void end_moves_end(tangent *tg, int c, double *dq, double *dp, const double *dv)
{
    end_moves           *s = tg->moves;
    bent_moves          *b = s->b;
    const int            n = b->n;
    const stepper       *st = tg->st;
    const part_direction d = beside(tg, &tg->along[c], st->eq.t + st->eq.h);
    find_momentum_left(tg, &d, dq, dp);
    add_momentum_left(tg, -1, dp);
    take_written(tg, s, &s->end, &d), take_written_end(tg, s, &d);
    solve_end(s, dq, dp, dv);
    copy(dq, s->state, n), copy(dp, s->state + 3 * n, n);
    add_turning_drag(s, &s->end, dq, s->de, dp);
    add_reaction(s, &s->end, dq, s->last, s->de + b->end.at_mu, dp);
    add_momentum_left(tg, 1, dp);
}

/*     dp = L_vq dq + L_vv dv + [L_v],   or dw,   at the present state, of directions that bend */
dal_status end_moves_report(tangent *tg, int count, const step_direction *along, double *pairs)
{
    stepper                    *st = tg->st;
    end_moves                  *s = tg->moves;
    bent_moves                 *b = s->b;
    const int                   n = b->n;
    const bent_state            at = {st->t, st->q, st->q_low, st->p, st->p_low};
    static const step_direction nothing = {0};
    if (!put_node(s, &at, b->v, b->lam)) return DAL_SINGULAR;
    for (int c = 0; c < count; c++, pairs += 2 * n) {
        const part_direction d = beside(tg, along ? &along[c] : &nothing, st->t);
        const double        *dv = node_velocity(tg, s, &d, pairs, pairs + n);
        clear(tg->dp, n);
        add_field(&st->eq, &b->out, F_LQW, true, pairs, tg->dp);
        add_field(&st->eq, &b->out, F_LWW, false, dv, tg->dp);
        const sys_point where = {.t = at.t, .q = b->end.q, .w = b->end.y, .v = b->end.v};
        if (row_changes_written(&tg->row, &where, 0, &d))
            add_times(tg->dp, 1, tg->row.written.Lw, n);
        for (int i = 0; i < n; i++) pairs[n + i] = bent_is_phase(b->sys, i) ? dv[i] : tg->dp[i];
    }
    return DAL_OK;
}
