/* state.h - the state (q, p), in two parts each, between a struct and local arrays. */

WITHIN void load(const STATE *s, real *q, real *q_low, real *p, real *p_low)
{
    for (int j = 0; j < COORDINATES; j++) {
        q[j] = s->q[j];
        q_low[j] = s->q_low[j];
        p[j] = s->p[j];
        p_low[j] = s->p_low[j];
    }
}

WITHIN void store(const real *q, const real *q_low, const real *p, const real *p_low, STATE *s)
{
    for (int j = 0; j < COORDINATES; j++) {
        s->q[j] = q[j];
        s->q_low[j] = q_low[j];
        s->p[j] = p[j];
        s->p_low[j] = p_low[j];
    }
}

/* The state, copied to 4 * COORDINATES numbers and back. */
WITHIN void save(const real *q, const real *q_low, const real *p, const real *p_low, real *to)
{
    for (int j = 0; j < COORDINATES; j++) {
        to[j] = q[j];
        to[COORDINATES + j] = q_low[j];
        to[2 * COORDINATES + j] = p[j];
        to[3 * COORDINATES + j] = p_low[j];
    }
}

WITHIN void restore(const real *from, real *q, real *q_low, real *p, real *p_low)
{
    for (int j = 0; j < COORDINATES; j++) {
        q[j] = from[j];
        q_low[j] = from[COORDINATES + j];
        p[j] = from[2 * COORDINATES + j];
        p_low[j] = from[3 * COORDINATES + j];
    }
}

WITHIN int all_finite(const real *x, const int n)
{
    real sum = 0;
    for (int j = 0; j < n; j++) sum += 0 * x[j];
    return !(sum != 0);
}
