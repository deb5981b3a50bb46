/* symmetric_projection.h - a step that moves the state along the directions U without inertia by
 * the same amount at both ends, found by repeating the step.                 theory.md [DEGENERATE]
 *
 * `project_momenta` and `begin_projected` (project.h) are the model's. */
enum { ENDS_HISTORY = 3, PASSES = 20 };

/* The next move: that of the parabola through the last ones, newest first. */
WITHIN void predict_move(int known, const real *moved, real *to)
{
    for (int j = 0; j < COORDINATES; j++) {
        const real a = moved[j], b = moved[COORDINATES + j], c = moved[2 * COORDINATES + j];
        to[j] = known > 2 ? 3 * a - 3 * b + c : known > 1 ? 2 * a - b : known ? a : 0;
    }
}

/* The last move becomes the newest of the past ones. */
WITHIN void remember_move(const real *last, real *moved)
{
    for (int j = 0; j < COORDINATES; j++) {
        moved[2 * COORDINATES + j] = moved[COORDINATES + j];
        moved[COORDINATES + j] = moved[j];
        moved[j] = last[j];
    }
}

typedef struct { /* of a pass: what of the move is missing at the beginning, how far the final state
                    is from that of the pass before, and its size */
    real missing, apart, size;
} pass_end;

/* shift <- half of what the move at the end has more than that at the beginning, sped up by how
 * much of the last one stays; `reached` is the final position. */
WITHIN pass_end compare_ends(const int first, const real *dq, const real *last, const real *q,
                             const real *q_low, real *shift, real *reached)
{
    const real sign = DEGREE % 2 ? -1 : 1;
    pass_end   at = {0, 0, 0};
    real       along = 0, square = 0;
    for (int j = 0; j < COORDINATES; j++) {
        const real half = (sign * dq[j] - last[j]) / 2, to = q[j] + (q_low[j] + dq[j]);
        along += half * shift[j];
        square += shift[j] * shift[j];
        at.missing = ABS(half) > at.missing ? ABS(half) : at.missing;
        at.apart = ABS(to - reached[j]) > at.apart ? ABS(to - reached[j]) : at.apart;
        at.size = ABS(to) > at.size ? ABS(to) : at.size;
        reached[j] = to;
    }
    const real stays = !first && square > 0 ? along / square : 0;
    const real by = ABS(stays) < HALF ? 1 / (1 - stays) : 1;
    for (int j = 0; j < COORDINATES; j++) shift[j] = by * (sign * dq[j] - last[j]) / 2;
    return at;
}

/* One step of one curve, begun and ended by the same move; as substep. */
PIECE mask projected_substep(coefficients *c, factored *f, real *J0, number t, const real *v,
                             const real *par, const real *u, const real *U, mask on, real *q,
                             real *q_low, real *p, real *p_low, int *known, real *history,
                             real *moved, real *before, real *work, int *iterations,
                             long *factored_times)
{
    real kept[4 * COORDINATES], from[4 * COORDINATES], found[N] = {0}, earlier = HUGE_VALUE;
    real own[COORDINATES], shift[COORDINATES], reached[COORDINATES], slope[COORDINATES];
    real dq[COORDINATES], dp[COORDINATES];
    int  iterated = 0, before_it = 0;
    save(q, q_low, p, p_low, kept);
    predict_move(*known, moved, own);
    for (int j = 0; j < COORDINATES; j++) {
        shift[j] = reached[j] = 0;
        slope[j] = v[j];
    }
    for (int pass = 0; pass < PASSES; pass++) {
        real done = 0;
        int  it = 0;
        /* each pass begins with the state as it was, moved by `own` */
        restore(on, kept, q, q_low, p, p_low);
        if (!pass && *known) slope_at_end(history, c->h, slope);
        begin_projected(t, slope, par, u + U_AT_START, q, q_low, own, dp);
        move(own, dp, q, q_low, p, p_low);
        if (!substep(c, f, J0, t, v, par, u, on, q, q_low, p, p_low, known, history, from, &done,
                     &it, factored_times, pass ? shift : 0, found))
            break;
        if (it < 0) before_it -= it;
        else iterated += it;
        slope_at_end(found, c->h, slope);
        /* the move at the end begins as (-1)^d times that at the beginning */
        for (int j = 0; j < COORDINATES; j++) dq[j] = DEGREE % 2 ? -own[j] : own[j];
        if (!project_momenta(t + c->h, slope, U, par, u + U_AT_END, q, q_low, p, dq, dp)) break;
        const pass_end at = compare_ends(!pass, dq, own, q, q_low, shift, reached);
        const real     rest = pass ? at.apart * at.missing / earlier : HUGE_VALUE;
        const real     slow = at.apart <= 8 * EPSILON * at.size ? HALF : 2;
        if (at.missing <= EPSILON * at.size || rest <= EPSILON / 4 * at.size ||
            pass == PASSES - 1 || (pass > 1 && at.missing > slow * earlier)) {
            remember_move(own, moved);
            remember(found, known, history);
            for (int k = 0; k < 4 * COORDINATES; k++) before[k] = from[k];
            move(dq, dp, q, q_low, p, p_low);
            *work += done;
            *iterations = iterated ? iterated : -before_it;
            return on;
        }
        for (int j = 0; j < COORDINATES; j++) own[j] += shift[j];
        earlier = at.missing;
    }
    restore(on, kept, q, q_low, p, p_low);
    return 0;
}
