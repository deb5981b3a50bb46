/* state.h - the state (q, p), in two parts each, between a struct and local arrays. */

#if LANES > 1 /* sums, and who makes steps, stand behind pointers */
#define SUM(x) (*(x))
#define ON(s) (*(s)->on)
#define SAY_ON(s, now) (*(s)->on = (now))
#else
#define SUM(x) (x)
#define ON(s) 1
#define SAY_ON(s, now) ((void)(now))
#endif

/* From the struct into local arrays, which compilers can keep in registers. */
WITHIN void load(const STATE *s, real *q, real *q_low, real *p, real *p_low)
{
    for (int j = 0; j < WIDTH; j++) {
        q[j] = s->q[j];
        q_low[j] = s->q_low[j];
        p[j] = s->p[j];
        p_low[j] = s->p_low[j];
    }
}

/* And back. */
WITHIN void store(const real *q, const real *q_low, const real *p, const real *p_low, STATE *s)
{
    for (int j = 0; j < WIDTH; j++) {
        s->q[j] = q[j];
        s->q_low[j] = q_low[j];
        s->p[j] = p[j];
        s->p_low[j] = p_low[j];
    }
}

/* The state, copied to 4 * WIDTH numbers, and back where it was lost. */
WITHIN void save(const real *q, const real *q_low, const real *p, const real *p_low, real *to)
{
    for (int j = 0; j < WIDTH; j++) {
        to[j] = q[j];
        to[WIDTH + j] = q_low[j];
        to[2 * WIDTH + j] = p[j];
        to[3 * WIDTH + j] = p_low[j];
    }
}

WITHIN void restore(mask lost, const real *from, real *q, real *q_low, real *p, real *p_low)
{
    for (int j = 0; j < WIDTH; j++) {
        q[j] = AMONG(lost, from[j], q[j]);
        q_low[j] = AMONG(lost, from[WIDTH + j], q_low[j]);
        p[j] = AMONG(lost, from[2 * WIDTH + j], p[j]);
        p_low[j] = AMONG(lost, from[3 * WIDTH + j], p_low[j]);
    }
}

/* 0 x is NaN unless x is finite. */
WITHIN mask all_finite(const real *x, const int n)
{
    real sum = REAL(0);
    for (int j = 0; j < n; j++) sum += 0 * x[j];
    return sum == 0;
}
