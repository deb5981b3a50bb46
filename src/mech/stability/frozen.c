/* frozen.c - the step of a system with constant coefficients: its matrix column by column, and the
 * spectral radius of that. */
#include "mech/stability/inside.h"

#include <math.h>
#include <string.h>

/*     x_i += (F y)_i */
static void add_product(const frozen *z, field f, bool transposed, const double *y, double *x)
{
    const pattern *K = &z->sys.K;
    if (z->sys.varies[f] == FIELD_ZERO) return;
    for (int i = 0; i < z->sys.n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            x[i] += z->on_K[f][transposed ? z->sys.transpose[k] : k] * y[K->column[k]];
}

/*     x = F q + G w, of which each is a field or its transpose; NULL: it is not wanted */
static void fill(const frozen *z, double *x, field F, const double *q, field G, const double *w,
                 bool transposed)
{
    if (!x) return;
    memset(x, 0, (size_t)z->sys.n * sizeof *x);
    add_product(z, F, transposed, q, x);
    add_product(z, G, false, w, x);
}

static void fill_matrix(const frozen *z, double *to, field f)
{
    const size_t size = (size_t)pattern_count(&z->sys.K) * sizeof *to;
    if (to && z->sys.varies[f] != FIELD_ZERO) memcpy(to, z->on_K[f], size);
    else if (to) memset(to, 0, size);
}

/* Lambda = q L_qq q / 2 + q L_qw w + w L_ww w / 2,   f = f_q q + f_w w */
static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    const frozen *z = self;
    for (int k = 0; k < count; k++) {
        const double *q = at[k].q, *w = at[k].w;
        if (want & WANT_GRADIENT) {
            fill(z, out[k].Lq, F_LQQ, q, F_LQW, w, false);
            fill(z, out[k].Lw, F_LQW, q, F_LWW, w, true);
        }
        if (want & WANT_FORCE) fill(z, out[k].f, F_FQ, q, F_FW, w, false);
        for (int f = F_LQQ; (want & WANT_HESSIAN) && f <= F_LWW; f++)
            fill_matrix(z, out[k].on_K[f], (field)f);
        for (int f = F_FQ; (want & WANT_FORCE_JACOBIAN) && f <= F_FW; f++)
            fill_matrix(z, out[k].on_K[f], (field)f);
    }
    return 0;
}

/* What is a function of the state in `sys` is constant here. */
frozen *frozen_new(mem *m, const dal_system *sys, double *const on_K[F_COUNT], const scheme *sch)
{
    const step_options o = {0};
    const int          twice = 2 * sys->n;
    frozen            *z = mem_array(m, 1, frozen);
    text               why = text_new(m);
    *z = (frozen){.m = m,
                  .sys = {.n = sys->n,
                          .hamiltonian = sys->hamiltonian,
                          .K = sys->K,
                          .transpose = sys->transpose,
                          .A = sys->A,
                          .constant_A = true,
                          .autonomous = true,
                          .forced = sys->forced,
                          .self = z,
                          .eval = eval,
                          .jets = frozen_jets}};
    for (int f = 0; f < F_COUNT; f++) {
        z->sys.present[f] = sys->present[f], z->on_K[f] = on_K[f];
        z->sys.varies[f] = sys->varies[f] == FIELD_ZERO ? FIELD_ZERO : FIELD_CONSTANT;
    }
    z->S = mem_array(m, twice * twice, double);
    z->square = mem_array(m, twice * twice, double);
    z->at = mem_array(m, twice, double);
    const bool bad = stepper_new(m, &z->sys, sch, &o, &z->st, &why);
    text_drop(&why);
    return bad ? NULL : z;
}

void frozen_free(frozen *z)
{
    if (z) stepper_free(z->st);
}

/* The step is linear: its columns are the images of unit vectors. False: one has none. */
static bool fill_step(frozen *z, double h)
{
    const int n = z->sys.n;
    text      why = text_new(z->m);
    bool      made = true;
    for (int j = 0; j < 2 * n && made; j++) {
        memset(z->at, 0, 2 * (size_t)n * sizeof *z->at);
        z->at[j] = 1;
        if (j) stepper_move(z->st, 0, z->at, z->at + n, NULL);
        else stepper_set(z->st, 0, z->at, z->at + n, NULL);
        made = !stepper_step(z->st, 0, h, &why);
        memcpy(z->S + 2 * n * j, stepper_q(z->st), (size_t)n * sizeof *z->S);
        memcpy(z->S + 2 * n * j + n, stepper_p(z->st), (size_t)n * sizeof *z->S);
    }
    text_drop(&why);
    return made;
}

/* Positions and momenta have different units, which the spectral radius does not see. */
static double norm(const double *S, int n)
{
    double sum = 0;
    for (int k = 0; k < n * n; k++) sum += S[k] * S[k];
    return sqrt(sum);
}

/*     rho(S) = lim |S^m|^(1/m), m = 2^k: S is divided by its norm and squared, again and again */
static double spectral_radius(double *S, double *square, int n)
{
    enum { SQUARINGS = 24 };
    double log_size = 0, share = 1;
    for (int k = 0; k < SQUARINGS; k++, share /= 2) {
        const double size = norm(S, n);
        if (!isfinite(size)) return HUGE_VAL;
        if (size == 0) return 0;
        log_size += share * log(size);
        for (int j = 0; j < n * n; j++) S[j] /= size;
        memset(square, 0, (size_t)(n * n) * sizeof *square);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                for (int l = 0; l < n; l++) square[j * n + l] += S[j * n + i] * S[i * n + l];
        double *const other = S;
        S = square, square = other;
    }
    return exp(log_size);
}

double frozen_growth(frozen *z, double h)
{
    if (!fill_step(z, h)) return HUGE_VAL;
    return spectral_radius(z->S, z->square, 2 * z->sys.n);
}

/* One mode. ------------------------------------------------------------------------------------ */

frozen *frozen_mode(mem *m, const scheme *sch)
{
    static int           start[] = {0, 1}, column[] = {0}, none[] = {0};
    static const uint8_t yes[] = {1};
    const dal_system     sys = {.n = 1,
                                .K = {1, 1, start, column},
                                .transpose = column,
                                .A = {0, 1, none, NULL},
                                .forced = true,
                                .present = {yes, NULL, yes, NULL, yes, NULL},
                                .varies = {FIELD_CONSTANT, FIELD_ZERO, FIELD_CONSTANT, FIELD_ZERO,
                                           FIELD_CONSTANT, FIELD_ZERO}};
    double *const        nothing[F_COUNT] = {NULL};
    frozen              *z = frozen_new(m, &sys, nothing, sch);
    for (int f = 0; z && f < F_COUNT; f++) z->on_K[f] = &z->mode[f];
    return z;
}

static bool fill_mode(frozen *mode, double omega, double c, double h)
{
    mode->mode[F_LQQ] = -omega * omega, mode->mode[F_LWW] = 1, mode->mode[F_FW] = -c;
    return fill_step(mode, h);
}

/* The larger of the two eigenvalues, by their sum and product. */
double mode_growth(frozen *mode, double omega, double c, double h)
{
    if (!fill_mode(mode, omega, c, h)) return HUGE_VAL;
    const double *S = mode->S, half = (S[0] + S[3]) / 2, product = S[0] * S[3] - S[1] * S[2];
    const double  square = half * half - product;
    return square >= 0 ? fabs(half) + sqrt(square) : sqrt(product);
}

double mode_rest(frozen *mode, double c, double h)
{
    return fill_mode(mode, 0, c, h) ? mode->S[3] : HUGE_VAL;
}
