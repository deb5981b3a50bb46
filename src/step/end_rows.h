/* end_rows.h - passes over the rows of a long nonlinear chain at the end of a step: sample points
 * around a tile of rows, and sums of each row,
 *
 *     dp = h b (L_q + f),   b f                                      theory.md [GALERKIN], [POWER]
 *
 * Before it: HALO, ROWS_TILE, struct pass, two_parts.h, and of the model momentum_sums and force_sums.
 */

enum { ROWS_ROOM = ROWS_TILE + 2 * HALO };

/* The points of rows a .. b-1 and those around them, the first of which is returned. */
static inline int tile_points(const struct pass *x, int a, int b, double *restrict Q,
                              double *restrict W)
{
    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;
    const double *restrict base = x->q + low, *restrict rest = x->q_low + low;
    const double *restrict z = x->z + low;
    (void)rest;
    for (int i = 0; i < high - low; i++) {
        Q[i] = AT(base[i], rest[i], x->l * z[i]);
        W[i] = x->slope * z[i];
    }
    return low;
}

/* dp of rows from .. to-1 into r, which begins with row `origin`. */
void momentum(const struct pass *x, int from, int to)
{
    for (int a = from, b; a < to; a = b) {
        double Q[ROWS_ROOM], W[ROWS_ROOM];
        b = a + ROWS_TILE < to ? a + ROWS_TILE : to;
        const int low = tile_points(x, a, b, Q, W);
        momentum_sums(x->s, x->c, x->c, Q, W, low, a, b, x->r + (a - x->origin));
    }
}

/* b f likewise, for the work. */
void force(const struct pass *x, int from, int to)
{
    for (int a = from, b; a < to; a = b) {
        double Q[ROWS_ROOM], W[ROWS_ROOM];
        b = a + ROWS_TILE < to ? a + ROWS_TILE : to;
        const int low = tile_points(x, a, b, Q, W);
        force_sums(x->s, x->c, x->c, Q, W, low, a, b, x->r + (a - x->origin));
    }
}
