/* bent.h - a step along directions without inertia that relations, time or the state bend: the same
 * move at both its ends, found by repeating the curve, and the equations at its end.
 *
 *     (a) L_v - A_L^T nu + Y sigma = p + B x + A_G^T mu      (b) A v + beta = 0      x = X xi
 *     (c) N^T (L_q + f - L_vq v - L_vt + A_G^T lam) = 0      (d) g_G = 0    (e) v = slope along R
 *                                                                                theory.md [BENT]
 * `bent_fields_at` is the model's. IN_X and IN_N are pivots of the bases X and N, which are smooth
 * functions of the state by them; those of V, any basis of which will do, are chosen where it is.
 */
enum {
    AT_NU = COORDINATES,
    AT_LAM = AT_NU + RELATIONS - INNER,
    AT_SIGMA = AT_LAM + INNER,
    AT_XI = AT_SIGMA + STIFF,
    AT_MU = AT_XI + DIM_X,
    END_SIZE = AT_MU + INNER,
    AT_C = COORDINATES + RELATIONS,
    AT_D = AT_C + DIM_N,
    AT_E = AT_D + HOLONOMIC_INNER,
    MOVES_COUNT = DIM_X + INNER,
    ROWS_N = COORDINATES + RELATIONS - INNER,
    ROWS_X = ROWS_N + INNER - HOLONOMIC_INNER,
    ROWS_V = COORDINATES + RELATIONS
};
#define NOTHING PRECISE(1e-10, 1e-5)
#define POOR ((number)1e4) /* entry of a basis: the general engine chooses other pivots */

#if EXPORTED
#define OF_BENT(s) (&(s)->bent)
#else
#define OF_BENT(s) (s)->bent
#endif

/* Every field at a state, matrices by rows: L_q + f - L_vt, L_v, L_qq + f_q, B = L_qv + f_v, L_vq,
 * L_vv; of relations A, e_q, e, g, and their curvature weighed for (a) and for (c). */
typedef struct {
    real force[COORDINATES], L_v[COORDINATES], stiffness[COORDINATES * COORDINATES];
    real drag[COORDINATES * COORDINATES], turn[COORDINATES * COORDINATES];
    real inertia[COORDINATES * COORDINATES], A[(RELATIONS + 1) * COORDINATES];
    real e_q[(RELATIONS + 1) * COORDINATES], e[RELATIONS + 1], g[RELATIONS + 1];
    real curved[2][COORDINATES * COORDINATES];
} bent_fields;

PIECE void bent_fields_at(real t, const real *q, const real *v, const real *par, const real *u,
                          const real *of_a, const real *of_c, bent_fields *m);

typedef struct { /* rows of COORDINATES; Y, and the coordinates that stand for R */
    real of_N[DIM_N * COORDINATES], of_X[DIM_X * COORDINATES + 1], of_Y[STIFF * COORDINATES + 1];
    int  V_row[ROWS_V], V_column[COORDINATES], held[STIFF + 1];
    int  chosen;
} bent_bases;

typedef struct { /* of the end: where its unknowns are, the move, and how far it was */
    real y[END_SIZE], dq[COORDINATES], dp[COORDINATES], v_ref[COORDINATES];
    real size, apart, moved, speed, way;
} bent_end;

/*     y = m x */
WITHIN void times(const real *m, const real *x, real *y)
{
    for (int i = 0; i < COORDINATES; i++) {
        y[i] = 0;
        for (int j = 0; j < COORDINATES; j++) y[i] += m[i * COORDINATES + j] * x[j];
    }
}

WITHIN real along(const real *x, const real *y)
{
    real sum = 0;
    for (int j = 0; j < COORDINATES; j++) sum += x[j] * y[j];
    return sum;
}

/* L_vv; then relations of kind L, velocity relations of kind G, holonomic ones of kind G. */
WITHIN void stack_up(const bent_fields *m, real *stack)
{
    for (int k = 0; k < COORDINATES * COORDINATES; k++) stack[k] = m->inertia[k];
    for (int a = 0; a < RELATIONS; a++)
        for (int j = 0; j < COORDINATES; j++)
            stack[STACKED[a] * COORDINATES + j] = m->A[a * COORDINATES + j];
}

/* The null space of a, of rank K, by pivots in these rows and columns; the largest entry of the
 * basis, or a number that is not finite. */
PIECE real null_space(const int K, const int columns, const real *a, const int *row,
                      const int *column, real *basis)
{
    real work[(COORDINATES + 1) * COORDINATES], largest = 1, product;
    for (int k = 0; k < K; k++)
        for (int j = 0; j < columns; j++) work[k * columns + j] = a[row[k] * columns + j];
    if (echelon(work, K, columns, column, K, 0, &product) < K) return HUGE_VALUE;
    for (int u = 0; u < columns - K; u++) {
        real *x = basis + u * columns;
        for (int j = 0; j < columns; j++) x[j] = 0;
        x[column[K + u]] = 1;
        for (int k = 0; k < K; k++) {
            x[column[k]] = -work[k * columns + column[K + u]];
            largest = larger(largest, x[column[k]]);
        }
    }
    return largest;
}

/* Pivots of a, which is lost; its rank. */
PIECE int choose_pivots(const int rows, const int columns, real *a, int *row, int *column)
{
    real scale[COORDINATES];
    bring_to_one(a, rows, columns, columns, scale);
    return echelon_complete(a, rows, columns, row, column, columns, NOTHING);
}

/* r <- a^-1 r;  0: a is singular, or not finite */
PIECE int solve_rows(const real *a, real *r)
{
    real m[END_SIZE * (END_SIZE + 1)], scale[END_SIZE], product;
    if (!join_side(END_SIZE, a, r, m)) return 0;
    bring_to_one(m, END_SIZE, END_SIZE + 1, END_SIZE, scale);
    if (echelon(m, END_SIZE, END_SIZE + 1, 0, END_SIZE, 16 * EPSILON, &product) < END_SIZE)
        return 0;
    for (int k = 0; k < END_SIZE; k++) r[k] = m[k * (END_SIZE + 1) + END_SIZE] / scale[k];
    return 1;
}

/* V at hand, D = V^T (L_qv - L_vq + f_v) V, and what is nothing of it. */
WITHIN int push_along_V(const bent_fields *m, bent_bases *b, const real *stack, real *V, real *D,
                        real *nothing)
{
    real most = 0, room[ROWS_V * COORDINATES], by[COORDINATES];
    if (!b->chosen) {
        for (int k = 0; k < ROWS_V * COORDINATES; k++) room[k] = stack[k];
        if (choose_pivots(ROWS_V, COORDINATES, room, b->V_row, b->V_column) + DIM_V != COORDINATES)
            return 0;
    }
    if (!(null_space(COORDINATES - DIM_V, COORDINATES, stack, b->V_row, b->V_column, V) <= MOST))
        return 0;
    for (int k = 0; k < COORDINATES * COORDINATES; k++)
        most = larger(larger(most, m->drag[k]), m->turn[k]);
    for (int w = 0; w < DIM_V; w++) {
        for (int i = 0; i < COORDINATES; i++) {
            by[i] = 0;
            for (int j = 0; j < COORDINATES; j++)
                by[i] += (m->drag[i * COORDINATES + j] - m->turn[i * COORDINATES + j]) *
                         V[w * COORDINATES + j];
        }
        for (int u = 0; u < DIM_V; u++) D[u * DIM_V + w] = along(V + u * COORDINATES, by);
    }
    *nothing = NOTHING * most;
    return 1;
}

/* Is k_S what it was where the step began? */
PIECE int keeps_kinds(const bent_fields *m)
{
    real       stack[ROWS_V * COORDINATES], V[DIM_V * COORDINATES], D[DIM_V * DIM_V], nothing;
    int        row[DIM_V], column[DIM_V];
    bent_bases b;
    b.chosen = 0;
    stack_up(m, stack);
    return push_along_V(m, &b, stack, V, D, &nothing) &&
           DIM_V - echelon_complete(D, DIM_V, DIM_V, row, column, DIM_V, nothing) == STIFF;
}

#if STIFF
/* Y, the directions in V along which no velocity makes a force, and coordinates for those by which
 * it makes none. */
WITHIN int find_stiff(const bent_fields *m, bent_bases *b, const real *stack)
{
    real V[DIM_V * COORDINATES], D[DIM_V * DIM_V], left[DIM_V * DIM_V], room[DIM_V * DIM_V], nothing;
    int  row[DIM_V], column[DIM_V];
    int  rank;
    if (!push_along_V(m, b, stack, V, D, &nothing)) return 0;
    for (int k = 0; k < DIM_V * DIM_V; k++) room[k] = D[k];
    rank = echelon_complete(room, DIM_V, DIM_V, row, column, DIM_V, nothing);
    if (DIM_V - rank != STIFF) return 0;
    for (int s = 0; s < STIFF && !b->chosen; s++)
        b->held[s] = b->V_column[COORDINATES - DIM_V + column[rank + s]];
    b->chosen = 1;
    for (int i = 0; i < DIM_V; i++)
        for (int j = 0; j < DIM_V; j++)
            room[i * DIM_V + j] = left[i * DIM_V + j] = D[j * DIM_V + i];
    if (echelon_complete(room, DIM_V, DIM_V, row, column, DIM_V, nothing) != rank ||
        !(null_space(rank, DIM_V, left, row, column, room) <= MOST))
        return 0;
    for (int s = 0; s < STIFF; s++)
        for (int j = 0; j < COORDINATES; j++) {
            real sum = 0;
            for (int u = 0; u < DIM_V; u++) sum += room[s * DIM_V + u] * V[u * COORDINATES + j];
            b->of_Y[s * COORDINATES + j] = sum;
        }
    return 1;
}
#endif

/* X, N and Y from the fields at hand; 0: these pivots do not serve there. */
PIECE int find_bases(const bent_fields *m, bent_bases *b)
{
    real stack[ROWS_V * COORDINATES];
    stack_up(m, stack);
    if (!(null_space(COORDINATES - DIM_N, COORDINATES, stack, IN_N, IN_N + ROWS_N, b->of_N) <=
          POOR) ||
        !(null_space(COORDINATES - DIM_X, COORDINATES, stack, IN_X, IN_X + ROWS_X, b->of_X) <=
          POOR))
        return 0;
#if STIFF
    return find_stiff(m, b, stack);
#else
    return 1;
#endif
}

/* dq = X xi,   dp = B dq + A_G^T mu */
WITHIN void place_moves(const bent_fields *m, const bent_bases *b, const real *xi, const real *mu,
                        real *dq, real *dp)
{
    for (int j = 0; j < COORDINATES; j++) {
        dq[j] = 0;
        for (int u = 0; u < DIM_X; u++) dq[j] += xi[u] * b->of_X[u * COORDINATES + j];
    }
    times(m->drag, dq, dp);
    for (int a = 0; a < RELATIONS; a++)
        for (int j = 0; j < COORDINATES && INSIDE[a]; j++)
            dp[j] += m->A[a * COORDINATES + j] * mu[NUMBER[a]];
}

/* Residual of (a) to (e). */
WITHIN void end_residual(const bent_fields *m, const bent_bases *b, const bent_end *e,
                         const real *p, const real *p_low, real *r)
{
    real balance[COORDINATES];
    int  d = AT_D;
    times(m->turn, e->y, balance);
    for (int j = 0; j < COORDINATES; j++) {
        balance[j] = m->force[j] - balance[j];
        r[j] = m->L_v[j] - p[j] - (p_low[j] + e->dp[j]);
        for (int s = 0; s < STIFF; s++) r[j] += b->of_Y[s * COORDINATES + j] * e->y[AT_SIGMA + s];
    }
    for (int a = 0; a < RELATIONS; a++) {
        r[COORDINATES + a] = m->e[a];
        for (int j = 0; j < COORDINATES; j++) {
            const real A = m->A[a * COORDINATES + j];
            if (INSIDE[a]) balance[j] += A * e->y[AT_LAM + NUMBER[a]];
            else r[j] -= A * e->y[AT_NU + NUMBER[a]];
        }
        if (INSIDE[a] && a >= FIRST_HOLONOMIC) r[d++] = m->g[a];
    }
    for (int u = 0; u < DIM_N; u++) r[AT_C + u] = along(b->of_N + u * COORDINATES, balance);
    for (int s = 0; s < STIFF; s++) r[AT_E + s] = e->y[b->held[s]] - e->v_ref[b->held[s]];
}

/* Column xi_u of its matrix: a move along x, with which the momentum goes. */
WITHIN void end_move(const bent_fields *m, const bent_bases *b, const real *x, real *a, int column)
{
    real dp[COORDINATES], dL[COORDINATES], bends[COORDINATES], force[COORDINATES];
    int  d = AT_D;
    times(m->drag, x, dp);
    times(m->turn, x, dL);
    times(m->curved[0], x, bends);
    for (int i = 0; i < COORDINATES; i++) a[i * END_SIZE + column] = dL[i] - bends[i] - dp[i];
    times(m->curved[1], x, bends);
    times(m->stiffness, x, force);
    for (int i = 0; i < COORDINATES; i++) force[i] += bends[i];
    for (int u = 0; u < DIM_N; u++)
        a[(AT_C + u) * END_SIZE + column] = along(b->of_N + u * COORDINATES, force);
    for (int k = 0; k < RELATIONS; k++) {
        a[(COORDINATES + k) * END_SIZE + column] = along(m->e_q + k * COORDINATES, x);
        if (INSIDE[k] && k >= FIRST_HOLONOMIC)
            a[d++ * END_SIZE + column] = along(m->A + k * COORDINATES, x);
    }
}

WITHIN void end_matrix(const bent_fields *m, const bent_bases *b, real *a)
{
    for (int k = 0; k < END_SIZE * END_SIZE; k++) a[k] = 0;
    for (int i = 0; i < COORDINATES; i++)
        for (int j = 0; j < COORDINATES; j++) {
            const real push = m->drag[i * COORDINATES + j] - m->turn[i * COORDINATES + j];
            a[i * END_SIZE + j] = m->inertia[i * COORDINATES + j];
            for (int u = 0; u < DIM_N; u++)
                a[(AT_C + u) * END_SIZE + j] += b->of_N[u * COORDINATES + i] * push;
        }
    for (int k = 0; k < RELATIONS; k++)
        for (int j = 0; j < COORDINATES; j++) {
            const real A = m->A[k * COORDINATES + j];
            a[(COORDINATES + k) * END_SIZE + j] = A;
            a[j * END_SIZE + (INSIDE[k] ? AT_MU : AT_NU) + NUMBER[k]] = -A;
            for (int u = 0; u < DIM_N && INSIDE[k]; u++)
                a[(AT_C + u) * END_SIZE + AT_LAM + NUMBER[k]] += b->of_N[u * COORDINATES + j] * A;
        }
    for (int s = 0; s < STIFF; s++) {
        a[(AT_E + s) * END_SIZE + b->held[s]] = 1;
        for (int i = 0; i < COORDINATES; i++)
            a[i * END_SIZE + AT_SIGMA + s] = b->of_Y[s * COORDINATES + i];
    }
    for (int u = 0; u < DIM_X; u++) end_move(m, b, b->of_X + u * COORDINATES, a, AT_XI + u);
}

/* Weights of the curvature: nu and mu in (a), lam in (c). */
WITHIN void end_weights(const real *y, real *of_a, real *of_c)
{
    for (int a = 0; a < RELATIONS; a++) {
        of_a[a] = y[(INSIDE[a] ? AT_MU : AT_NU) + NUMBER[a]];
        of_c[a] = INSIDE[a] ? y[AT_LAM + NUMBER[a]] : 0;
    }
}

/* One correction; 0: there is none. */
WITHIN int correct_end(real t, real h, const real *par, const real *u, const real *q,
                       const real *q_low, const real *p, const real *p_low, bent_fields *m,
                       bent_bases *b, bent_end *e)
{
    real at[COORDINATES], before[COORDINATES], of_a[RELATIONS + 1], of_c[RELATIONS + 1];
    real r[END_SIZE], a[END_SIZE * END_SIZE], v = 0, dv = 0;
    e->size = e->apart = 0;
    for (int j = 0; j < COORDINATES; j++) {
        at[j] = q[j] + (q_low[j] + e->dq[j]);
        before[j] = e->dq[j];
        e->size = larger(e->size, at[j]);
    }
    end_weights(e->y, of_a, of_c);
    bent_fields_at(t, at, e->y, par, u, of_a, of_c, m);
    if (!find_bases(m, b)) return 0;
    place_moves(m, b, e->y + AT_XI, e->y + AT_MU, e->dq, e->dp);
    for (int j = 0; j < COORDINATES; j++) e->apart = larger(e->apart, e->dq[j] - before[j]);
    end_residual(m, b, e, p, p_low, r);
    end_matrix(m, b, a);
    if (!solve_rows(a, r)) return 0;
    for (int k = 0; k < END_SIZE; k++) e->y[k] -= r[k];
    v = largest_of(0, e->y, 0, COORDINATES);
    dv = largest_of(0, r, 0, COORDINATES);
    e->moved = largest_of(0, r, AT_XI, AT_MU);
    e->speed = dv > 0 ? dv / (v > LEAST ? v : LEAST) : 0;
    e->way = dv * ABS(h);
    place_moves(m, b, e->y + AT_XI, e->y + AT_MU, e->dq, e->dp);
    e->moved = larger(e->moved, e->apart);
    return e->moved <= MOST && e->speed <= MOST && all_finite(e->y, END_SIZE);
}

/* Unknowns of the next end: those of the last ones, newest first, as a polynomial; without any, the
 * slope of the curve and the reactions before. */
WITHIN void predict_end(int known, const real *ends, const real *slope, const real *lam, real *y)
{
    for (int k = 0; k < END_SIZE; k++) {
        number binomial = 1;
        y[k] = 0;
        for (int a = 0; a < known; a++) { /* (-1)^a (known over a + 1) */
            binomial *= -(number)(known - a) / (number)(a + 1);
            y[k] -= binomial * ends[a * END_SIZE + k];
        }
    }
    for (int j = 0; j < COORDINATES && !known; j++) y[j] = slope[j];
    for (int k = 0; k < INNER && !known; k++) y[AT_LAM + k] = lam[k];
}

/* The end of a step from (q, p), in two parts: unknowns y, from where they are, and the move (dq,
 * dp); xi and mu are those of a step that begins unmoved. 0: there is none. */
PIECE int solve_end(real t, real h, const real *slope, const real *par, const real *u,
                    const real *q, const real *q_low, const real *p, const real *p_low,
                    bent_fields *m, bent_end *e)
{
    real       moved = HUGE_VALUE, speed = HUGE_VALUE, at[COORDINATES], none[RELATIONS + 1] = {0};
    bent_bases b;
    b.chosen = 0;
    for (int j = 0; j < COORDINATES; j++) {
        e->v_ref[j] = slope[j];
        at[j] = q[j] + q_low[j];
    }
    bent_fields_at(t, at, e->y, par, u, none, none, m);
    if (!find_bases(m, &b)) return 0;
    place_moves(m, &b, e->y + AT_XI, e->y + AT_MU, e->dq, e->dp);
    for (int it = 0; it < 30; it++) {
        if (!correct_end(t, h, par, u, q, q_low, p, p_low, m, &b, e)) return 0;
        const int stays = e->moved >= moved / 2 && e->moved <= STAGNANT / 100 * e->size;
        const int runs_on = e->speed >= speed / 2 &&
                            (e->speed <= STAGNANT / 100 || e->way <= 64 * EPSILON * e->size);
        if (it && (e->moved <= 4 * EPSILON * e->size || stays) &&
            (e->speed <= 4 * EPSILON || runs_on))
            return 1;
        moved = e->moved;
        speed = e->speed;
    }
    return 0;
}

/* A move that is no longer small beside increments, of late too, may be another solution of its
 * equations, near none of the motion. */
WITHIN int is_far(const real *dq, const real *Z, const real *q, int known, real *stride)
{
    const real most = known < 3 ? REAL(1) : DEGREE == 1 ? REAL(0.3) : REAL(0.1);
    real       move = 0, size = 0;
    *stride *= REAL(0.95);
    for (int j = 0; j < COORDINATES; j++) {
        if (dq[j] == 0) continue;
        move = larger(move, dq[j]);
        size = larger(size, q[j]);
        *stride = larger(*stride, Z[j]);
    }
    return move > most * *stride && move > REAL(1e-3) * size;
}

/* The end becomes the newest of the past ones, and what belongs to the state. */
WITHIN void remember_end(const bent_end *e, real *v, real *lam, real *sigma, int *known, real *ends)
{
    for (int k = (HISTORY - 1) * END_SIZE - 1; k >= 0; k--) ends[END_SIZE + k] = ends[k];
    for (int k = 0; k < END_SIZE; k++) ends[k] = e->y[k];
    if (*known < HISTORY) ++*known;
    for (int j = 0; j < COORDINATES; j++) v[j] = e->y[j];
    for (int k = 0; k < INNER; k++) lam[k] = e->y[AT_LAM + k];
    for (int k = 0; k < STIFF; k++) sigma[k] = e->y[AT_SIGMA + k];
}

#if FELT
enum { PASSES = 20 };

/* How much of the state a change (dq, dp) is: of positions, and of momenta or impulses h F. */
WITHIN real part_of_state(const real *force, real h, const real *q, const real *p, const real *dq,
                          const real *dp)
{
    const real size_q = largest_of(0, q, 0, COORDINATES);
    const real size_p =
        larger(largest_of(0, p, 0, COORDINATES), h * largest_of(0, force, 0, COORDINATES));
    return larger_ratio(larger_ratio(0, largest_of(0, dq, 0, COORDINATES), size_q),
                        largest_of(0, dp, 0, COORDINATES), size_p);
}
#endif

/* A curve and its end, of one step. */
typedef struct {
    real        found[N], from[4 * COORDINATES], work;
    int         iterations;
    bent_fields m;
    bent_end    e;
} bent_curve;

#if FELT
/* shift <- half of what the end has more than the beginning, sped up by how much of the last one
 * stays; what is missing at the beginning, as a part of the state. */
WITHIN real compare_moves(const int first, const bent_fields *m, const bent_bases *b,
                          const bent_end *e, const real *own, real h, const real *q, const real *p,
                          real *shift)
{
    const real sign = DEGREE % 2 ? -1 : 1;
    real       half[MOVES_COUNT], dq[COORDINATES], dp[COORDINATES], dot = 0, square = 0;
    for (int k = 0; k < MOVES_COUNT; k++) {
        half[k] = (sign * e->y[AT_XI + k] - own[k]) / 2;
        dot += half[k] * shift[k];
        square += shift[k] * shift[k];
    }
    place_moves(m, b, half, half + DIM_X, dq, dp);
    const real missing = part_of_state(m->force, h, q, p, dq, dp);
    const real stays = !first && square > 0 ? dot / square : 0;
    for (int k = 0; k < MOVES_COUNT; k++)
        shift[k] = ABS(stays) < HALF ? half[k] / (1 - stays) : half[k];
    return missing;
}

/* From the state in `kept`, moved at both ends: repeated until the moves agree, or their difference
 * no longer shows in the final state. 0: none was found. */
PIECE int make_curve(coefficients *c, factored *f, real *J0, number t, const real *v,
                     const real *par, const real *u, mask on, const real *kept, real *q,
                     real *q_low, real *p, real *p_low, int *known, real *history,
                     long *factored_times, const step_bent *of, const real *ends, int ends_known,
                     bent_curve *x)
{
    real        own[MOVES_COUNT], shift[MOVES_COUNT], dq[COORDINATES], dp[COORDINATES];
    real        slope[COORDINATES], reached[2 * COORDINATES], bends[COORDINATES];
    real        earlier = HUGE_VALUE, none[RELATIONS + 1] = {0};
    bent_fields m;
    bent_bases  b;
    b.chosen = 0;
    for (int j = 0; j < COORDINATES; j++) {
        bends[j] = kept[j] + kept[COORDINATES + j];
        reached[j] = reached[COORDINATES + j] = 0;
    }
    bent_fields_at(t, bends, of->v, par, u + U_AT_START, none, none, &m);
    if (!find_bases(&m, &b)) return 0;
    predict_end(ends_known, ends, v, of->lam, x->e.y);
    for (int k = 0; k < MOVES_COUNT; k++) {
        own[k] = x->e.y[AT_XI + k];
        shift[k] = 0;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        int it = 0;
        restore(on, kept, q, q_low, p, p_low);
        place_moves(&m, &b, shift, shift + DIM_X, bends, dp);
        place_moves(&m, &b, own, own + DIM_X, dq, dp);
        move(dq, dp, q, q_low, p, p_low);
        x->work = 0;
        if (!substep(c, f, J0, t, v, par, u, on, q, q_low, p, p_low, known, history, x->from,
                     &x->work, &it, factored_times, pass ? bends : 0, x->found))
            return 0;
        x->iterations += it;
        slope_at_end(x->found, c->h, slope);
        /* the end begins with the move at the beginning, and at first with the slope */
        for (int k = 0; k < MOVES_COUNT; k++) x->e.y[AT_XI + k] = DEGREE % 2 ? -own[k] : own[k];
        for (int j = 0; j < COORDINATES && !pass && !ends_known; j++) x->e.y[j] = slope[j];
        if (!solve_end(t + c->h, c->h, slope, par, u + U_AT_END, q, q_low, p, p_low, &x->m, &x->e))
            return 0;
        for (int j = 0; j < COORDINATES; j++) { /* how far the final state is from the last one */
            const real to = q[j] + (q_low[j] + x->e.dq[j]), p_to = p[j] + (p_low[j] + x->e.dp[j]);
            dq[j] = to - reached[j];
            dp[j] = p_to - reached[COORDINATES + j];
            reached[j] = to;
            reached[COORDINATES + j] = p_to;
        }
        const real apart = part_of_state(m.force, c->h, reached, reached + COORDINATES, dq, dp);
        const real missing =
            compare_moves(!pass, &m, &b, &x->e, own, c->h, kept, kept + 2 * COORDINATES, shift);
        const real rest = pass ? apart * missing / earlier : HUGE_VALUE;
        const real slow = apart <= 8 * EPSILON ? HALF : 2;
        if (missing <= EPSILON || rest <= EPSILON / 4 ||
            (pass > 1 && missing > slow * earlier && missing <= STAGNANT / 100)) {
            for (int k = 0; k < MOVES_COUNT; k++) x->e.y[AT_XI + k] = own[k];
            return 1;
        }
        for (int k = 0; k < MOVES_COUNT; k++) own[k] += shift[k];
        earlier = missing;
    }
    return 0;
}
#else
/* The same, moved at its end only. */
PIECE int make_curve(coefficients *c, factored *f, real *J0, number t, const real *v,
                     const real *par, const real *u, mask on, const real *kept, real *q,
                     real *q_low, real *p, real *p_low, int *known, real *history,
                     long *factored_times, const step_bent *of, const real *ends, int ends_known,
                     bent_curve *x)
{
    real slope[COORDINATES];
    (void)kept;
    if (!substep(c, f, J0, t, v, par, u, on, q, q_low, p, p_low, known, history, x->from, &x->work,
                 &x->iterations, factored_times, 0, x->found))
        return 0;
    slope_at_end(x->found, c->h, slope);
    predict_end(ends_known, ends, slope, of->lam, x->e.y);
    return solve_end(t + c->h, c->h, slope, par, u + U_AT_END, q, q_low, p, p_low, &x->m, &x->e);
}
#endif

/* One step of one curve, begun and ended by the same move; as substep. Where a move is not FELT at
 * the beginning it is made at the end only. */
PIECE mask bent_substep(coefficients *c, factored *f, real *J0, number t, const real *v,
                        const real *par, const real *u, mask on, real *q, real *q_low, real *p,
                        real *p_low, int *known, real *history, real *before, real *work,
                        int *iterations, long *factored_times, step_bent *of, int part)
{
    real *const ends = of->ends + part * HISTORY * END_SIZE;
    real        kept[4 * COORDINATES];
    bent_curve  x;
    x.work = 0;
    x.iterations = 0;
    for (int k = 0; k < N; k++) x.found[k] = 0;
    if (!*known) {
        of->known[part] = 0;
        of->stride = 0;
    }
    save(q, q_low, p, p_low, kept);
    if (!make_curve(c, f, J0, t, v, par, u, on, kept, q, q_low, p, p_low, known, history,
                    factored_times, of, ends, of->known[part], &x) ||
        !keeps_kinds(&x.m) ||
        (FELT && is_far(x.e.dq, x.found + LAST_NODE, q, of->known[part], &of->stride))) {
        restore(on, kept, q, q_low, p, p_low);
        return 0;
    }
    remember_end(&x.e, of->v, of->lam, of->sigma, &of->known[part], ends);
    remember(x.found, known, history);
    for (int k = 0; k < 4 * COORDINATES; k++) before[k] = x.from[k];
    move(x.e.dq, x.e.dp, q, q_low, p, p_low);
    *work += x.work;
    *iterations = x.iterations;
    return on;
}
