/* test_structure.c - what schemes claim to keep, they keep: symmetric ones run the reversed problem
 * back to the start, symplectic ones keep the symplectic form of a conservative system, all of them
 * keep the momenta of affine symmetries. Each test is first shown something that fails it. */
#define DOFS_MOST 2
#include "claims.h"

/* Symmetry. ------------------------------------------------------------------------------------ */

/* The problem run backward: L(T - t, q, -v), f(T - t, q, -v). Its motion is the reverse of the
 * other, with momentum -p. */
enum { TURN = 5 };

static jet reversed_L(const double *c, jet t, const jet *q, const jet *v)
{
    jet back[2] = {times(-1, v[0]), times(-1, v[1])};
    return claim_L(c, plus(times(-1, t), c[TURN]), q, back);
}

static void reversed_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    jet back[2] = {times(-1, v[0]), times(-1, v[1])};
    claim_force(c, plus(times(-1, t), c[TURN]), q, back, f);
}

static const problem reversed = {.n = 2, .lambda = reversed_L, .force = reversed_force};

enum { WAY = 5 };
static const double pace = 0.2;

static void go(const problem *pb, double turn, const char *words, double t, double h,
               const double *q, const double *p, double *to_q, double *to_p)
{
    jet_system s;
    bench      b;
    double     c[6];
    memcpy(c, claim_c, sizeof claim_c), c[TURN] = turn;
    bench_open(&b, jet_system_init(&s, pb, c, 6), words, NULL, NULL);
    bench_set(&b, t, q, p);
    bench_run(&b, h, WAY);
    for (int i = 0; i < 2; i++) to_q[i] = stepper_q(b.st)[i], to_p[i] = stepper_p(b.st)[i];
    bench_close(&b);
}

/* There, and the same steps back: in the reversed problem, or by steps of -h. How far from the
 * start? */
static double way_back(const char *words, bool turned)
{
    double off = 0;
    for (int k = 0; k < 3; k++) {
        const claim_state from = claim_start(k);
        double            q[2], p[2], end = from.t + WAY * pace, sign = turned ? -1 : 1;
        go(&claim_forced, 0, words, from.t, pace, from.q, from.p, q, p);
        for (int i = 0; i < 2; i++) p[i] *= sign;
        if (turned) go(&reversed, end, words, 0, pace, q, p, q, p);
        else go(&claim_forced, 0, words, end, -pace, q, p, q, p);
        for (int i = 0; i < 2; i++) p[i] *= sign;
        off = fmax(off, fmax(distance(q, from.q, 2), distance(p, from.p, 2)));
    }
    return off;
}

static void symmetric_as_claimed(const char *words, const scheme *sch)
{
    double off = way_back(words, true);
    if (getenv("DAL_SHOW")) print_message("%s: back to %.1e\n", words, off);
    if (sch->claims & CLAIM_SYMMETRIC) check_below(off, 2e-14 * sch->substeps);
    else if (sch->order < 8) check_below(1e-10, off); /* beyond, the defect is roundoff too */
}

static void undone_by_a_step_back(const char *words, const scheme *sch)
{
    check_below(way_back(words, false), 2e-14 * sch->substeps);
}

/* Symplecticity. ------------------------------------------------------------------------------- */

typedef struct {
    bench  b;
    double t, h;
} step_map;

static void put(step_map *map, const double *z, double *to)
{
    stepper_set(map->b.st, map->t, z, z + 2, NULL);
    assert_int_equal(stepper_step(map->b.st, map->t, map->h, &map->b.why), DAL_OK);
    for (int i = 0; i < 2; i++)
        to[i] = stepper_q(map->b.st)[i], to[2 + i] = stepper_p(map->b.st)[i];
}

/* d put/d z_j by central differences, extrapolated twice: the error is of order e^6 */
static void derivative(step_map *map, const double *z, int j, double *out)
{
    double at[3][4];
    for (int level = 0; level < 3; level++) {
        double e = 0.02 / (1 << level), up[4], down[4], moved[4];
        memcpy(moved, z, sizeof moved);
        moved[j] = z[j] + e, put(map, moved, up);
        moved[j] = z[j] - e, put(map, moved, down);
        for (int i = 0; i < 4; i++) at[level][i] = (up[i] - down[i]) / (2 * e);
    }
    for (int i = 0; i < 4; i++) {
        double a = (4 * at[1][i] - at[0][i]) / 3, b = (4 * at[2][i] - at[1][i]) / 3;
        out[i] = (16 * b - a) / 15;
    }
}

/* |D^T J D - J| of one step */
static double symplectic_defect(const char *words, const problem *pb)
{
    jet_system  s;
    step_map    map = {.t = 0.4, .h = 0.3};
    claim_state from = claim_start(1);
    double      z[4] = {from.q[0], from.q[1], from.p[0], from.p[1]}, D[4][4], most = 0;
    bench_open(&map.b, jet_system_init(&s, pb, claim_c, COUNT(claim_c)), words, NULL, NULL);
    for (int j = 0; j < 4; j++) derivative(&map, z, j, D[j]);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) {
            double form = 0, J = (k == j + 2) - (j == k + 2);
            for (int i = 0; i < 2; i++) form += D[j][i] * D[k][2 + i] - D[j][2 + i] * D[k][i];
            most = fmax(most, fabs(form - J));
        }
    bench_close(&map.b);
    return most;
}

static void symplectic_as_claimed(const char *words, const scheme *sch)
{
    double defect = symplectic_defect(words, &claim_free);
    if (getenv("DAL_SHOW")) print_message("%s: symplectic defect %.1e\n", words, defect);
    assert_true(sch->claims & CLAIM_SYMPLECTIC);
    check_below(defect, 1e-10);
}

/* Momentum. ------------------------------------------------------------------------------------ */

/* L = (1 + (1 + sin t) r^2/4) |v|^2/2 + r^2 (x y' - y x')/3 - r^4/4 turns into itself by rotations,
 * though not in time. */
static jet round_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c;
    jet r2 = add(square(q[0]), square(q[1]));
    jet M = plus(times(0.25, mul(plus(sine(t), 1), r2)), 1);
    jet T = times(0.5, mul(M, add(square(v[0]), square(v[1]))));
    jet B = times(1 / 3.0, mul(r2, sub(mul(q[0], v[1]), mul(q[1], v[0]))));
    return sub(add(T, B), times(0.25, square(r2)));
}

static void push_x(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)q, (void)v;
    f[0] = times(0.1, cosine(t));
}

static const problem round_free = {.n = 2, .lambda = round_L};
static const problem round_pushed = {.n = 2, .lambda = round_L, .force = push_x};

static double angular_momentum(const bench *b)
{
    return stepper_q(b->st)[0] * stepper_p(b->st)[1] - stepper_q(b->st)[1] * stepper_p(b->st)[0];
}

static double momentum_drift(const char *words, const problem *pb)
{
    jet_system   s;
    bench        b;
    const double q[] = {0.7, -0.3}, p[] = {0.4, 0.9};
    double       drift = 0;
    bench_open(&b, jet_system_init(&s, pb, NULL, 0), words, NULL, NULL);
    bench_set(&b, 0, q, p);
    double first = angular_momentum(&b);
    for (int k = 0; k < 40; k++)
        bench_run(&b, 0.1, 1), drift = fmax(drift, fabs(angular_momentum(&b) - first));
    bench_close(&b);
    return drift;
}

static void momentum_is_kept(const char *words, const scheme *sch)
{
    double drift = momentum_drift(words, &round_free);
    if (getenv("DAL_SHOW")) print_message("%s: angular momentum drifts by %.1e\n", words, drift);
    check_below(drift, 2e-14 * (sch->substeps > 10 ? 5 : 1));
}

static const char *const base[] = {"midpoint", "lobatto(2)"};

static void symmetric_schemes_go_back_the_way_they_came(void **state)
{
    (void)state;
    check_below(1e-3, way_back("rectangle(0)", true));
    each_scheme(16, symmetric_as_claimed);
    each_pair(symmetric_as_claimed);
    each_composition(base, COUNT(base), 10, symmetric_as_claimed);
}

static void a_step_of_minus_h_undoes_any_step(void **state)
{
    (void)state;
    each_scheme(16, undone_by_a_step_back);
    each_pair(undone_by_a_step_back);
    each_composition(base, COUNT(base), 10, undone_by_a_step_back);
}

static void symplectic_schemes_keep_the_form(void **state)
{
    (void)state;
    check_below(1e-2, symplectic_defect("gauss(2)", &claim_forced)); /* damping contracts it */
    each_scheme(16, symplectic_as_claimed);
    each_pair(symplectic_as_claimed);
    each_composition(base, COUNT(base), 10, symplectic_as_claimed);
}

static void every_scheme_keeps_the_momentum_of_a_rotation(void **state)
{
    (void)state;
    check_below(1e-2, momentum_drift("gauss(2)", &round_pushed));
    each_scheme(16, momentum_is_kept);
    each_pair(momentum_is_kept);
    each_composition(base, COUNT(base), 10, momentum_is_kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_schemes_go_back_the_way_they_came),
        cmocka_unit_test(a_step_of_minus_h_undoes_any_step),
        cmocka_unit_test(symplectic_schemes_keep_the_form),
        cmocka_unit_test(every_scheme_keeps_the_momentum_of_a_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
