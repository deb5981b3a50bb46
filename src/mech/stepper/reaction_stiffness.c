/* reaction_stiffness.c - are reactions too stiff for the step? Reactions that hold a motion
 * transverse to them, as in a taut rope, make it oscillate: points of mass m between links of
 * length l under a tension T, at frequencies up to 2 sqrt(T/(m l)). A step applies reactions at the
 * Lobatto points of its curve, whatever the rule for L, and is stable only while h times that
 * frequency is below a bound. Beyond it neighbours zigzag more and more, until the relations cannot
 * be satisfied at all. */
#include "mech/stepper/stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 40 };

/* Oscillations about a state, -omega^2 M x = C x within the relations, with C = sum_a lam_a
 * dA_a/dq: Lanczos iteration with M^-1 C yields a tridiagonal matrix, alpha on the diagonal and
 * beta beside it, whose smallest eigenvalue is -omega^2. */
typedef struct {
    node_equations *g;
    double         *x, *before;   /* x . M x = 1                             */
    double         *Mx, *Mbefore; /* up to reactions, which do no work along x */
    double         *f;            /* C x                                     */
    double          alpha[ROUNDS], beta[ROUNDS];
    int             rounds;
} stiffness;

/* The bound on h omega for Lobatto(d + 1): 2 as for Verlet's method for d = 1, then sqrt(8), and
 * about pi for all others. */
static double bound_for(int degree)
{
    return degree == 1 ? 2 : degree == 2 ? sqrt(8) : sqrt(10);
}

static double product(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* f = C x */
static void pull(stiffness *s)
{
    const pattern *K = &s->g->sys->K;
    const double  *C = s->g->out.on_K[F_CURV];
    for (int i = 0; i < s->g->n; i++) {
        s->f[i] = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) s->f[i] += C[k] * s->x[K->column[k]];
    }
}

/* Afterwards r holds the accelerations by f that the relations allow. */
static void respond(stiffness *s)
{
    node_equations *g = s->g;
    memset(g->r, 0, (size_t)g->size * sizeof *g->r);
    memcpy(g->r, s->f, (size_t)g->n * sizeof *s->f);
    node_divide(g);
}

/*     beta x = M^-1 f - alpha x - beta_before x_before; false: there is no other direction */
static bool next(stiffness *s, double alpha, double beta_before, double *beta)
{
    const int n = s->g->n;
    double   *x = s->before, *Mx = s->Mbefore;
    for (int i = 0; i < n; i++) {
        x[i] = s->g->r[node_velocity_of(s->g, i)] - alpha * s->x[i] - beta_before * x[i];
        Mx[i] = s->f[i] - alpha * s->Mx[i] - beta_before * Mx[i];
    }
    const double square = product(x, Mx, n);
    if (!(square > DBL_MIN && square <= DBL_MAX)) return false;
    *beta = sqrt(square);
    for (int i = 0; i < n; i++) x[i] /= *beta, Mx[i] /= *beta;
    s->before = s->x, s->Mbefore = s->Mx;
    s->x = x, s->Mx = Mx;
    return true;
}

/* Fills alpha and beta; ends early where the relations leave no further direction. `before` is 0
 * in the first round, which has none before it. */
static void gather(stiffness *s)
{
    const int n = s->g->n;
    double    beta = 0;
    for (int i = 0; i < n; i++) s->f[i] = sin(1.7 * i * i + 0.3); /* has a part in every swing */
    respond(s);
    if (!next(s, 0, 0, &beta)) return;
    for (int i = 0; i < n; i++) s->before[i] = s->Mbefore[i] = 0;
    for (beta = 0; s->rounds < ROUNDS;) {
        pull(s);
        respond(s);
        /* alpha = x.C x, since x.M x = 1 */
        const double alpha = product(s->x, s->f, n);
        s->alpha[s->rounds++] = alpha;
        if (!next(s, alpha, beta, &beta)) return;
        s->beta[s->rounds - 1] = beta;
    }
}

/* Is an eigenvalue of the tridiagonal matrix below x? Then one of its pivots at x is negative. */
static bool has_below(const stiffness *s, double x)
{
    double pivot = 1;
    for (int k = 0; k < s->rounds; k++) {
        pivot = s->alpha[k] - x - (k ? s->beta[k - 1] * s->beta[k - 1] / pivot : 0);
        if (pivot <= 0) return true;
    }
    return false;
}

/* The smallest eigenvalue by bisection, between 0 and Gershgorin's bound below, which is taken
 * twice as wide; sqrt(-eigenvalue) is the angular frequency, 0 where nothing oscillates. */
static double fastest(const stiffness *s)
{
    double least = 0, most = 0;
    for (int k = 0; k < s->rounds; k++)
        least = fmin(least, s->alpha[k] - 2 * fabs(s->beta[k]) - 2 * fabs(s->beta[k ? k - 1 : 0]));
    for (int k = 0; k < 50; k++) {
        const double middle = (least + most) / 2;
        if (has_below(s, middle)) most = middle;
        else least = middle;
    }
    return sqrt(-least);
}

/* omega at the state where g was linearised with the reactions as multipliers. */
static double rate_of(node_equations *g, mem *m)
{
    const size_t n = (size_t)g->n;
    double      *room = mem_resize(m, NULL, 5 * n * sizeof *room);
    stiffness    s = {.g = g, .f = room};
    memset(room, 0, 5 * n * sizeof *room);
    s.x = room + n, s.before = room + 2 * n, s.Mx = room + 3 * n, s.Mbefore = room + 4 * n;
    gather(&s);
    mem_drop(m, room);
    return fastest(&s);
}

void reaction_stiffness_explain(stepper *st, text *why)
{
    static const double PART = 0.5, SAFE = 0.8; /* of the bound: a zigzag changes the reactions */
    node_equations     *g = &st->grid;
    const double        most = bound_for(st->eq.d);
    double              longest = 0;
    /* constant A makes no such forces; with directions U the matrix is not the inertia alone */
    if (!st->eq.relations || st->eq.shot || st->sys->varies[F_CURV] == FIELD_ZERO || g->k) return;
    const double *lam = stepper_multipliers(st);
    if (!all_finite(lam, st->eq.relations)) return;
    if (!node_linearise(g, st->t, st->q, st->node.w, st->node.v, lam)) return;
    for (int j = 0; j < st->sch.substeps; j++) longest = fmax(longest, fabs(st->sch.gamma[j]));
    const double h = fabs(st->history_h), rate = rate_of(g, st->m), now = rate * longest * h;
    if (!(now > PART * most)) return;
    text_printf(why,
                "; the constraint forces make the system oscillate, as a taut rope "
                "does, at an angular frequency of about %.2g now; the scheme can "
                "follow only while the %s times this frequency, now %.2g, stays "
                "below %.2g everywhere: try a step of %.2g",
                rate, st->sch.substeps > 1 ? "longest substep" : "step", now, most,
                SAFE * h * fmin(1, most / now));
}
