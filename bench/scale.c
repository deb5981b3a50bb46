/* scale.c - from a thousand parts to a million: what it costs to make a system of them and to step it, beside loops
 * written by hand for the same method.
 *
 * Springs with half a mass at either end are tied end to end; masses stand in one sum; the cells of a ladder of coils,
 * resistors and capacitors meet in Kirchhoff nodes. Rounds are interleaved; times are medians of processor time. By
 * hand: Verlet in one pass over memory, with plain and with compensated summation; midpoint by Newton with a scalar tridiagonal
 * solve; the ladder by a tridiagonal matrix that is factored once. */
#include "bench.h"
#include "dalembert.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

/* Memory: what is held, and the most that was. --------------------------------------------------------------------- */

typedef struct {
    size_t held, most;
} account;

enum { HEAD = 16 }; /* bytes before each block, for its size */

static void *counted(void *self, void *p, size_t size)
{
    account *a = self;
    char    *block = p ? (char *)p - HEAD : NULL;
    if (block) a->held -= *(size_t *)(void *)block;
    if (!size) return free(block), NULL;
    block = realloc(block, size + HEAD);
    if (!block) return NULL;
    *(size_t *)(void *)block = size;
    a->held += size;
    if (a->held > a->most) a->most = a->held;
    return block + HEAD;
}

/* Models. ---------------------------------------------------------------------------------------------------------- */

static const char SPRINGS[] = "system Spring {\n"
                              "  coordinate a, b\n"
                              "  lagrangian (a'^2 + b'^2)/4 - (b - a)^2/2 - (b - a)^4/4\n"
                              "}\n"
                              "system Chain {\n"
                              "  parameter N = 10\n"
                              "  part s[N] : Spring\n"
                              "  for k in 1..N-1 { connect s[k].b = s[k+1].a }\n"
                              "  for k in 1..N { start s[k].a = 0.5*sin(0.05*k) }\n"
                              "  start s[N].b = 0.5*sin(0.05*(N + 1))\n"
                              "}\n";
static const char MASSES[] = "system Chain {\n"
                             "  parameter N = 10\n"
                             "  coordinate x[N + 1]\n"
                             "  lagrangian sum(k in 2..N: x[k]'^2/2) + x[1]'^2/4 + x[N + 1]'^2/4\n"
                             "  lagrangian -sum(k in 1..N: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
                             "  for k in 1..N+1 { start x[k] = 0.5*sin(0.05*k) }\n"
                             "}\n";
static const char LADDER[] = "system Coil { coordinate q\n lagrangian q'^2/2 }\n"
                             "system Resistor { coordinate q\n force q: -0.05*q' }\n"
                             "system Capacitor { coordinate q\n lagrangian -q^2/2 }\n"
                             "system Source { coordinate q\n force q: sin(t) }\n"
                             "system Cell {\n"
                             "  part coil : Coil\n"
                             "  part wire : Resistor\n"
                             "  part plate : Capacitor\n"
                             "  connect coil.q' = wire.q'\n"
                             "}\n"
                             "system Ladder {\n"
                             "  parameter N = 10\n"
                             "  part source : Source\n"
                             "  part cell[N] : Cell\n"
                             "  connect source.q' = cell[1].coil.q'\n"
                             "  for k in 1..N-1 { connect cell[k].wire.q' = cell[k].plate.q' + cell[k+1].coil.q' }\n"
                             "  connect cell[N].wire.q' = cell[N].plate.q'\n"
                             "}\n";

typedef struct {
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
    account      bytes;
    double       seconds; /* to make it */
} made;

typedef struct {
    const char *title, *text, *scheme, *summation, *interconnection, *backend;
    double      h;
    int         stride, offset; /* coordinate i of the hand code is stride*i + offset */
    double (*by_hand)(int n, long steps, double h, double *x, long *iterations);
} problem;

static void fail(made *d)
{
    dal_report(d->cx, stderr, 0);
    exit(1);
}

enum { WARM = 5 };

static void make(made *d, const problem *p, int n, long steps)
{
    char number[64], step[32], count[32];
    snprintf(count, sizeof count, "%ld", steps + WARM);
    memset(d, 0, sizeof *d);
    d->cx = dal_context_new(&(dal_allocator){counted, &d->bytes});
    dal_options *o = dal_options_new(d->cx);
    snprintf(number, sizeof number, "N=%d", n), snprintf(step, sizeof step, "%.17g", p->h);
    double begin = seconds();
    if (dal_options_set(o, "set", number) || dal_options_set(o, "scheme", p->scheme) ||
        dal_options_set(o, "step", step) || dal_options_set(o, "steps", count) ||
        dal_options_set(o, "record", "0") || dal_options_set(o, "monitor", "1000000000") ||
        dal_options_set(o, "summation", p->summation) ||
        dal_options_set(o, "interconnection", p->interconnection) ||
        dal_options_set(o, "backend", p->backend ? p->backend : "vm") || dal_options_set(o, "columns", "energy") || dal_model_parse(d->cx, p->title, p->text, o, &d->m) ||
        dal_sim_new(d->m, o, &d->s))
        fail(d);
    d->seconds = seconds() - begin;
    dal_options_free(o);
}

static void unmake(made *d)
{
    dal_sim_free(d->s), dal_model_free(d->m), dal_context_free(d->cx);
}

static double step(made *d, long steps)
{
    double begin = seconds();
    for (long k = 0; k < steps; k++)
        if (dal_step(d->s)) fail(d);
    return seconds() - begin;
}

static double run(made *d) /* to the end; one state, the last, is looked at */
{
    double begin = seconds();
    if (dal_run(d->s, NULL)) fail(d);
    return seconds() - begin;
}

/* By hand. --------------------------------------------------------------------------------------------------------- */

static double *room(int n)
{
    double *x = calloc((size_t)n + 2, sizeof *x);
    if (!x) exit(1);
    return x;
}

static inline double pull(double stretch) /* V'(stretch) */
{
    return stretch + stretch * stretch * stretch;
}

static void chain_start(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = 0.5 * sin(0.05 * (i + 1));
}

static inline double mass_of(int i, int n)
{
    return i == 0 || i == n - 1 ? 0.5 : 1;
}

/* v += h F(x)/m, x += h v, in stretches that stay at hand, so that memory is passed once and both loops are vectors:
 * the first site of a stretch moves when the next one has been kicked. `v` is that of the half step, started by half
 * a kick. */
static double verlet_plain(int n, long steps, double h, double *x, long *iterations)
{
    enum { STRETCH = 1024 };
    double *v = room(n), begin, kick = h / 2;
    chain_start(n, x);
    *iterations = steps;
    begin = seconds();
    for (long k = 0; k < steps; k++, kick = h) {
        v[0] += 2 * kick * pull(x[1] - x[0]);
        for (int a = 1, moved = 0; a < n; a += STRETCH) {
            int b = a + STRETCH < n - 1 ? a + STRETCH : n - 1;
            for (int i = a; i < b; i++) v[i] += kick * (pull(x[i + 1] - x[i]) - pull(x[i] - x[i - 1]));
            if (b == n - 1) v[b] -= 2 * kick * pull(x[b] - x[b - 1]);
            int end = b == n - 1 ? n : b - 1; /* the next stretch reads where site b - 1 was */
            for (int i = moved; i < end; i++) x[i] += h * v[i];
            moved = end;
            if (b == n - 1) break;
        }
    }
    double spent = seconds() - begin;
    free(v);
    return spent;
}

static inline void accumulate(double *q, double *c, double dq)
{
    double y = dq + *c, s = *q + y;
    *c = y - (s - *q), *q = s;
}

static double verlet_compensated(int n, long steps, double h, double *x, long *iterations)
{
    double *v = room(n), *cx = room(n), *cv = room(n), begin, kick = h / 2;
    chain_start(n, x);
    *iterations = steps;
    begin = seconds();
    for (long k = 0; k < steps; k++, kick = h) {
        double left = 0;
        for (int i = 0; i < n; i++) {
            double right = i < n - 1 ? pull(x[i + 1] - x[i]) : 0;
            accumulate(&v[i], &cv[i], kick / mass_of(i, n) * (right - left)), left = right;
            accumulate(&x[i], &cx[i], h * v[i]);
        }
    }
    double spent = seconds() - begin;
    free(v), free(cx), free(cv);
    return spent;
}

/* p - z m/h + (h/2) F(x + z/2) = 0 by Newton; J = -m/h + (h/4) F'. One pass down evaluates, eliminates and one pass up
 * corrects. */
static double thomas(int n, const double *x, const double *p, double *z, double h, double *c, double *d)
{
    double left = 0, soft = 0, below = 0, above = 0, most = 0;
    for (int i = 0; i < n; i++) {
        double stretch = i < n - 1 ? (x[i + 1] - x[i]) + (z[i + 1] - z[i]) / 2 : 0, m = mass_of(i, n);
        double right = i < n - 1 ? pull(stretch) : 0, stiff = i < n - 1 ? 1 + 3 * stretch * stretch : 0;
        double r = p[i] - z[i] * m / h + h / 2 * (right - left);
        double pivot = 1 / (m / h + h / 4 * (stiff + soft) - below * above);
        d[i] = (r + below * (i ? d[i - 1] : 0)) * pivot;
        left = right, soft = stiff, below = h / 4 * stiff, above = c[i] = below * pivot;
    }
    for (int i = n - 1; i >= 0; i--) {
        if (i < n - 1) d[i] += c[i] * d[i + 1];
        z[i] += d[i], most = fmax(most, fabs(d[i]));
    }
    return most;
}

static double midpoint(int n, long steps, double h, double *x, long *iterations)
{
    double *p = room(n), *z = room(n), *c = room(n), *d = room(n), *cx = room(n), *cp = room(n), *past[3];
    for (int k = 0; k < 3; k++) past[k] = room(n);
    chain_start(n, x);
    *iterations = 0;
    double begin = seconds();
    for (long k = 0; k < steps; k++) {
        double *old = past[2], left = 0;
        past[2] = past[1], past[1] = past[0], past[0] = old;
        for (int i = 0; i < n; i++) old[i] = z[i];
        if (k > 2)
            for (int i = 0; i < n; i++) z[i] = 3 * (past[0][i] - past[1][i]) + past[2][i];
        for (int more = 1; more; ++*iterations) more = thomas(n, x, p, z, h, c, d) > 1e-9;
        for (int i = 0; i < n; i++) {
            double right = i < n - 1 ? pull((x[i + 1] - x[i]) + (z[i + 1] - z[i]) / 2) : 0;
            accumulate(&p[i], &cp[i], h * (right - left)), left = right;
            accumulate(&x[i], &cx[i], z[i]);
        }
    }
    double spent = seconds() - begin;
    free(p), free(z), free(c), free(d), free(cx), free(cp);
    for (int k = 0; k < 3; k++) free(past[k]);
    return spent;
}

/* Currents i_k of the coils, charges q_k = integral of i_k - i_{k+1}; the midpoint rule leaves for the mean current
 *     (2/h + R + h/2 (2)) I_k - (h/2)(I_{k-1} + I_{k+1}) = 2 i_k/h - q_k + q_{k-1} + u,   i' = 2 I - i */
static double ladder(int n, long steps, double h, double *x, long *iterations)
{
    double *i = room(n), *q = room(n), *c = room(n), *w = room(n), *d = room(n), e = h / 2, pivot = 0;
    for (int k = 0; k < n; k++) {
        pivot = 1 / (2 / h + 0.05 + (k ? 2 : 1) * e - (k ? e * c[k - 1] : 0));
        w[k] = pivot, c[k] = e * pivot;
    }
    for (int k = 0; k < n; k++) x[k] = 0;
    *iterations = steps;
    double begin = seconds();
    for (long s = 0; s < steps; s++) {
        double t = ((double)s + 0.5) * h;
        for (int k = 0; k < n; k++) {
            double r = 2 / h * i[k] - q[k] + (k ? q[k - 1] : sin(t));
            d[k] = (r + (k ? e * d[k - 1] : 0)) * w[k];
        }
        for (int k = n - 1; k >= 0; k--) {
            if (k < n - 1) d[k] += c[k] * d[k + 1];
            i[k] = 2 * d[k] - i[k], x[k] += h * d[k];
            q[k] += h * (d[k] - (k < n - 1 ? d[k + 1] : 0));
        }
    }
    double spent = seconds() - begin;
    free(i), free(q), free(c), free(w), free(d);
    return spent;
}

static const problem problems[] = {
    {"tied springs, trapezoid", SPRINGS, "trapezoid", "compensated", "eliminate", "vm", 0.1, 2, 0, verlet_compensated},
    {"tied springs, trapezoid, plain", SPRINGS, "trapezoid", "plain", "eliminate", "vm", 0.1, 2, 0, verlet_plain},
    {"masses in a sum, trapezoid", MASSES, "trapezoid", "compensated", "eliminate", "vm", 0.1, 1, 0, verlet_compensated},
    {"tied springs, midpoint", SPRINGS, "midpoint", "compensated", "eliminate", "vm", 0.1, 2, 0, midpoint},
    {"masses in a sum, midpoint", MASSES, "midpoint", "compensated", "eliminate", "vm", 0.1, 1, 0, midpoint},
    {"tied springs, midpoint, multipliers", SPRINGS, "midpoint", "compensated", "multipliers", "vm", 0.1, 2, 0, midpoint},
    {"RLC ladder, midpoint", LADDER, "midpoint", "compensated", "eliminate", "vm", 0.1, 3, 1, ladder},
    {"RLC ladder, midpoint, native", LADDER, "midpoint", "compensated", "eliminate", "native", 0.1, 3, 1, ladder},
    {"RLC ladder, midpoint, multipliers", LADDER, "midpoint", "compensated", "multipliers", "vm", 0.1, 3, 1, ladder},
    {"tied springs, trapezoid, native", SPRINGS, "trapezoid", "compensated", "eliminate", "native", 0.1, 2, 0, verlet_compensated},
    {"tied springs, trapezoid, plain, native", SPRINGS, "trapezoid", "plain", "eliminate", "native", 0.1, 2, 0, verlet_plain},
    {"tied springs, midpoint, native", SPRINGS, "midpoint", "compensated", "eliminate", "native", 0.1, 2, 0, midpoint},
    {"masses in a sum, midpoint, native", MASSES, "midpoint", "compensated", "eliminate", "native", 0.1, 1, 0, midpoint},
};

/* The table. ------------------------------------------------------------------------------------------------------- */

/* The largest difference from the code by hand. */
static double distance(const made *d, const problem *p, int sites, const double *x)
{
    double far = 0;
    for (int i = 0; i < sites - 1; i++) far = fmax(far, fabs(dal_q(d->s)[p->stride * i + p->offset] - x[i]));
    return far;
}

static void row(const problem *p, int n)
{
    int     sites = p->by_hand == ladder ? n : n + 1;
    long    steps = n < 1000000 ? 4000000 / n : 4, iterations = 0;
    double  ours[ROUNDS], hand[ROUNDS], *x = room(sites), setup[ROUNDS], far = 0;
    account bytes = {0};
    int     rounds = n < 1000000 ? ROUNDS : 3;
    double  per_step = 1;
    bool whole = !strcmp(p->scheme, "trapezoid") && !strcmp(p->backend, "native"); /* many steps in one go */
    if (whole) steps *= 100;
    if (steps > (whole ? 8000 : 1000)) steps = whole ? 8000 : 1000;
    for (int r = 0; r < rounds; r++) {
        made d;
        make(&d, p, n, steps);
        setup[r] = d.seconds, bytes = d.bytes;
        step(&d, WARM);
        long before = dal_summarise(d.s)->newton_iterations;
        ours[r] = (whole ? run(&d) : step(&d, steps)) / (double)steps;
        per_step = (double)(dal_summarise(d.s)->newton_iterations - before) / (double)steps;
        hand[r] = p->by_hand(sites, steps + WARM, p->h, x, &iterations) / (double)(steps + WARM);
        far = distance(&d, p, sites, x);
        unmake(&d);
    }
    double setting = summarise(setup, rounds).median, a = summarise(ours, rounds).median / sites * 1e9,
           b = summarise(hand, rounds).median / sites * 1e9, turns = (double)iterations / (double)(steps + WARM);
    printf("| %s | %d | %.2f | %.0f | %.0f | %.1f | %.2f | %.1f | %.1f | %.2f | %.1f | %.1f | %.0e |\n", p->title, n,
           setting, (double)bytes.held / n, (double)bytes.most / n, a, per_step, a / per_step, b, turns, b / turns,
           a / per_step / (b / turns), far);
    fflush(stdout);
    free(x);
}

int main(int argc, char **argv)
{
    int most = argc > 1 ? atoi(argv[1]) : 1000000, only = argc > 2 ? atoi(argv[2]) : -1;
    printf("medians of up to %d interleaved rounds; ns are per site and step, and per site and Newton iteration\n\n",
           ROUNDS);
    printf("| system | N | setup, s | bytes a part | at most | ns | iterations | ns an iteration | by hand, ns | "
           "iterations | ns an iteration | ratio | largest difference |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < (int)(sizeof problems / sizeof *problems); k++)
        for (int n = 1000; n <= most && (only < 0 || only == k); n *= 10) row(&problems[k], n);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("\npeak resident memory of all this: %.2f GB\n", (double)use.ru_maxrss / 1e6);
    return 0;
}
