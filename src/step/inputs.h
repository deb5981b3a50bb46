/* inputs.h - inputs that follow a file: before a step they are looked up at all of its sample
 * points, so that programs read them as they read the time.
 *
 * Input k at point i of a set of points is u[k * STRIDE + i]; `follow`, which looks them up at the
 * sets that are read, is the model's. */

/* At time t, those that follow a file and the others. */
static void look_up(const STATE *s, real t, real *u)
{
    real at[INPUTS];
    for (int k = 0; k < INPUTS; k++) at[k] = s->u[k];
    s->input_at(s->inputs, t, at);
    for (int k = 0; k < INPUTS_READ; k++) u[k * STRIDE] = at[INPUT_OF[k]];
}

/* At t + c_i h; lanes without a point repeat the last one. */
WITHIN void look_up_points(const STATE *s, real t, real h, const int points, const real *c, real *u)
{
    for (int i = 0; i < points; i++) look_up(s, t + c[i] * h, u + i);
    for (int k = 0; k < INPUTS_READ; k++)
        for (int i = points; i < STRIDE; i++) u[k * STRIDE + i] = u[k * STRIDE + points - 1];
}
