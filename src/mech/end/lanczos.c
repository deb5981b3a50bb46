/* lanczos.c - Lanczos' iteration in the inner product of the inertia: with x . M x = 1
 *
 *     beta x_next = M^-1 F x - alpha x - beta_before x_before
 *
 * makes a tridiagonal matrix, alpha on the diagonal and beta beside it, whose extreme eigenvalues
 * approach those of M^-1 F. */
#include "mech/end/lanczos.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 40 };

typedef struct {
    node_equations *g;
    symmetric_map   F;
    double         *x, *before;   /* x . M x = 1                               */
    double         *Mx, *Mbefore; /* up to reactions, which do no work along x */
    double         *f;            /* F x                                       */
    double         *a;            /* M^-1 F x                                  */
    double          alpha[ROUNDS], beta[ROUNDS];
    int             rounds;
    double          size;     /* the largest square of M^-1 F x */
    bool            positive; /* no direction of negative inertia was met */
} lanczos;

static double product(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void lanczos_respond(node_equations *g, const double *f, double *x)
{
    memmove(g->r, f, (size_t)g->n * sizeof *f);
    memset(g->r + g->n, 0, (size_t)(g->size - g->n) * sizeof *g->r);
    node_divide(g);
    for (int i = 0; i < g->n; i++) x[i] = g->r[node_velocity_of(g, i)];
}

/* False: no further direction is left but roundoff, or one has negative inertia. */
static bool next(lanczos *s, double alpha, double beta_before, double *beta)
{
    /* of squares; reactions are large beside what they leave to x, and do no work but for that */
    static const double ROUNDOFF = 1e-16, NEGATIVE = 1e-6;
    const int           n = s->g->n;
    double             *x = s->before, *Mx = s->Mbefore, size = 0;
    for (int i = 0; i < n; i++) {
        x[i] = s->a[i] - alpha * s->x[i] - beta_before * x[i];
        Mx[i] = s->f[i] - alpha * s->Mx[i] - beta_before * Mx[i];
        if (!s->rounds) size += fabs(x[i] * Mx[i]);
    }
    const double square = product(x, Mx, n);
    s->size = fmax(s->size, size + alpha * alpha + beta_before * beta_before);
    if (square < -NEGATIVE * s->size) s->positive = false;
    if (!(square > fmax(DBL_MIN, ROUNDOFF * s->size) && square <= DBL_MAX)) return false;
    if (!s->rounds) s->size = 0;
    *beta = sqrt(square);
    for (int i = 0; i < n; i++) x[i] /= *beta, Mx[i] /= *beta;
    s->before = s->x, s->Mbefore = s->Mx;
    s->x = x, s->Mx = Mx;
    return true;
}

/* Fills alpha and beta, of as many rounds as the relations leave directions: behind them only
 * roundoff is left. `before` is 0 in the first round, which has none before it. */
static void iterate(lanczos *s)
{
    const int n = s->g->n, free = n - s->g->relations, most = free < ROUNDS ? free : ROUNDS;
    double    beta = 0;
    for (int i = 0; i < n; i++) s->f[i] = sin(1.7 * i * i + 0.3); /* has a part in every mode */
    lanczos_respond(s->g, s->f, s->a);
    if (!next(s, 0, 0, &beta)) return;
    memset(s->before, 0, (size_t)n * sizeof *s->before);
    memset(s->Mbefore, 0, (size_t)n * sizeof *s->Mbefore);
    for (beta = 0; s->rounds < most;) {
        s->F.multiply(s->F.self, s->x, s->f);
        lanczos_respond(s->g, s->f, s->a);
        /* alpha = x.F x, since x.M x = 1 */
        const double alpha = product(s->x, s->f, n);
        s->alpha[s->rounds++] = alpha;
        if (!next(s, alpha, beta, &beta)) return;
        s->beta[s->rounds - 1] = beta;
    }
}

/* Is an eigenvalue of the tridiagonal matrix above x? Then one of its pivots at x is positive. */
static bool has_above(const lanczos *s, double x)
{
    double pivot = -1;
    for (int k = 0; k < s->rounds; k++) {
        pivot = s->alpha[k] - x - (k ? s->beta[k - 1] * s->beta[k - 1] / pivot : 0);
        if (pivot >= 0) return true;
    }
    return false;
}

/* By bisection between the largest alpha, which is a Rayleigh quotient, and Gershgorin's bound. */
static double largest(const lanczos *s)
{
    double least = s->alpha[0], most = s->alpha[0];
    for (int k = 0; k < s->rounds; k++) {
        const double beside = (k ? s->beta[k - 1] : 0) + (k < s->rounds - 1 ? s->beta[k] : 0);
        least = fmax(least, s->alpha[k]), most = fmax(most, s->alpha[k] + beside);
    }
    for (int k = 0; k < 50; k++) {
        const double middle = (least + most) / 2;
        if (has_above(s, middle)) least = middle;
        else most = middle;
    }
    return least;
}

/* Inertia that is positive has a positive diagonal. Lambda = L - H: of Hamiltonian coordinates a
 * negative one. */
static bool has_negative_inertia(const node_equations *g)
{
    const pattern *K = &g->sys->K;
    for (int i = 0; i < g->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const double M = (node_is_phase(g, i) ? -1 : 1) * g->out.on_K[F_LWW][k];
            if (K->column[k] == i && M < 0) return true;
        }
    return false;
}

double lanczos_largest(node_equations *g, mem *m, symmetric_map F)
{
    const size_t n = (size_t)g->n;
    if (has_negative_inertia(g)) return NAN;
    double *room = mem_resize(m, NULL, 6 * n * sizeof *room);
    lanczos s = {.g = g, .F = F, .f = room, .a = room + n, .positive = true};
    memset(room, 0, 6 * n * sizeof *room);
    s.x = room + 2 * n, s.before = room + 3 * n, s.Mx = room + 4 * n, s.Mbefore = room + 5 * n;
    iterate(&s);
    mem_drop(m, room);
    if (!s.positive) return NAN;
    return s.rounds ? largest(&s) : 0;
}
