/* exported.h - what a stepper in a file of its own offers around its steps: its start, one step,
 * the time, and the positions of all coordinates of the model. */

/* The state stays, but for its low parts; what past steps have left is forgotten. */
void NAME_restart(NAME_state *s)
{
    for (int j = 0; j < WIDTH; j++) {
        s->q_low[j] = 0;
        s->p_low[j] = 0;
    }
#if ROTATIONS
    follow_quaternions(s->q, s->p);
    show_momenta(s->q, s->p_low, s->p);
#endif
    for (int k = 0; k < SUBSTEPS; k++) s->known[k] = 0;
    for (int k = 0; k < HISTORY * N * SUBSTEPS; k++) s->history[k] = 0;
#if SYMMETRIC_PROJECTION
    for (int k = 0; k < ENDS_HISTORY * COORDINATES * SUBSTEPS; k++) s->moved[k] = 0;
#endif
#if BENT
    for (int j = 0; j < COORDINATES; j++) s->bent.v[j] = s->v[j];
    for (int k = 0; k < INNER; k++) s->bent.lam[k] = 0;
    for (int k = 0; k < STIFF; k++) s->bent.sigma[k] = 0;
    for (int k = 0; k < SUBSTEPS; k++) s->bent.known[k] = 0;
    for (int k = 0; k < HISTORY * END_SIZE * SUBSTEPS; k++) s->bent.ends[k] = 0;
    s->bent.stride = 0;
#endif
#if BY_ENERGY
    for (int k = 0; k < HISTORY; k++) s->balance.h[k] = 0;
#endif
}

#if BY_ENERGY
/* No energy yet: that of the first chord is the one that is kept. */
static void start_balance(NAME_balance *e)
{
    e->least = SHORTEST;
    e->most = LONGEST;
    e->until = e->rest = e->sign = e->E = e->E_low = e->shift = e->t = e->chord = 0;
    e->slope = e->size = e->noise = e->shortest = e->longest = e->error = 0;
}
#endif

/* The start of the model: state, parameters and inputs. */
void NAME_init(NAME_state *s)
{
    s->from = START;
    s->h = LENGTH;
    s->k = 0;
    for (int j = 0; j < WIDTH; j++) {
        s->q[j] = START_Q[j];
        s->p[j] = START_P[j];
    }
    for (int j = 0; j < COORDINATES; j++) s->v[j] = START_V[j];
    for (int k = 0; k < PARAMETERS; k++) s->par[k] = START_PAR[k];
    for (int k = 0; k < INPUTS; k++) s->u[k] = START_U[k];
    s->work = s->last_work = 0;
    s->iterations = s->factored = s->fixed_point = 0;
    s->most = s->most_fixed_point = 0;
#if BY_ENERGY
    start_balance(&s->balance);
#endif
    NAME_restart(s);
#if BENT
    for (int j = 0; j < COORDINATES; j++) s->bent.v[j] = START_END[j];
    for (int k = 0; k < INNER; k++) s->bent.lam[k] = START_LAM[k];
#endif
}

/* 0: it was made. Otherwise the state is unchanged. */
int NAME_step(NAME_state *s)
{
    return compiled_steps(s, 1) == 1 ? 0 : 1;
}

/* Lengths that the energy decides add up; others are multiplied, without rounding of sums. */
real NAME_time(const NAME_state *s)
{
    return BY_ENERGY ? s->from : s->from + (real)s->k * s->h;
}

void NAME_positions(const NAME_state *s, real *x)
{
    for (int i = 0; i < POSITIONS; i++)
#if REDUCED /* x = slope z + offset, where ties were eliminated */
        x[i] = POSITION_SLOPE[i] * s->q[POSITION_OF[i]] + POSITION_OFFSET[i];
#elif ROTATIONS /* numbers, quaternions and directions */
        x[i] = s->q[POSITION_AT[i]];
#else
        x[i] = s->q[i];
#endif
}

const char *NAME_name(int coordinate)
{
    return coordinate >= 0 && coordinate < POSITIONS ? TITLES[coordinate] : "";
}
