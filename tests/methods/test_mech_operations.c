/* test_mech_operations.c - the operations on unknowns (unknown_operations) are all that the solve
 * of a step needs: others take their place, which treat every array as two ranks would, each its
 * own half, and combine what they found by maxima and sums. The steps stay the same. */
#include "stepping.h"

#include "constrained.h"
#include "orders.h"

#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/judge.h"

enum { RANKS = 2, SIZE_MOST = 64 };

static struct {
    long residual, factor, solve, scales, reaction_scales, apply, measure, add, shortened, divide,
        largest, product, is_noise, reactions_hold, is_met;
} calls;

/* What rank k has of `size` numbers. */
typedef struct {
    int from, to;
} range;

static range half(int size, int k)
{
    return (range){k * size / RANKS, (k + 1) * size / RANKS};
}

static range own(const newton *nw, int k)
{
    return half(nw->eq->size, k);
}

/* The largest |x_i| in from .. end-1, of all ranks. */
static double largest_within(const double *x, int size, int from, int end)
{
    double found[RANKS] = {0};
    for (int k = 0; k < RANKS; k++) {
        const range r = half(size, k);
        for (int i = r.from; i < r.to; i++)
            if (i >= from && i < end) found[k] = fmax(found[k], fabs(x[i]));
    }
    return fmax(found[0], found[1]);
}

/* Each rank evaluates what its rows need, and keeps these. */
static bool split_residual(equations *eq, const double *y, double *r, bool with_jacobian)
{
    bool good = true;
    calls.residual++;
    for (int k = 0; k < RANKS; k++) {
        double      whole[SIZE_MOST];
        const range rank = half(eq->size, k);
        good &= equations_residual(eq, y, whole, with_jacobian);
        for (int i = rank.from; i < rank.to; i++) r[i] = whole[i];
    }
    return good;
}

static bool split_factor(equations *eq, solver *lu)
{
    calls.factor++;
    return equations_factor(eq, lu);
}

static void split_solve(const equations *eq, const solver *lu, double *x)
{
    double right[SIZE_MOST];
    calls.solve++;
    memcpy(right, x, sizeof *x * (size_t)eq->size);
    for (int k = 0; k < RANKS; k++) {
        double      whole[SIZE_MOST];
        const range r = half(eq->size, k);
        memcpy(whole, right, sizeof *x * (size_t)eq->size);
        equations_divide(eq, lu, whole);
        for (int i = r.from; i < r.to; i++) x[i] = whole[i];
    }
}

static void set_scales(newton *nw, const double *y, const double *const *known)
{
    for (int k = 0; k < RANKS; k++)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++) {
            if (!known) nw->scale[i] = fmax(nw->scale[i], fabs(y[i]));
            else nw->scale[i] = fabs(y[i]);
            for (int j = 0; known && j < 2; j++)
                if (known[j]) nw->scale[i] = fmax(nw->scale[i], fabs(known[j][i]));
        }
}

static void split_scales(newton *nw, const double *y, const double *const *known)
{
    calls.scales++;
    set_scales(nw, y, known);
}

/* Of the multipliers that a rank has. */
static void split_reaction_scales(newton *nw)
{
    const equations *eq = nw->eq;
    const pattern   *A = &eq->sys->A;
    calls.reaction_scales++;
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = own(nw, rank).from; i < own(nw, rank).to; i++) {
            const int nu = (i - eq->lam) / eq->relations, a = (i - eq->lam) % eq->relations;
            if (i < eq->lam || i >= eq->P) continue;
            for (int k = A->start[a]; k < A->start[a + 1]; k++)
                widen(&nw->scale[i], fabs(eq->p[A->column[k]]),
                      fabs(eq->impulse[nu] * eq->control.out[nu].A[k]));
        }
}

/* d/s of blocks is formed of largest d and largest s of all ranks. */
static correction measure_halves(const newton *nw, const double *delta, const double *y)
{
    const int size = nw->eq->size, from[] = {0, nw->eq->P}, end[] = {nw->eq->lam, size};
    double    eta[RANKS] = {0}, of_blocks = 0;
    for (int k = 0; k < RANKS; k++)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++)
            if (!measure(&eta[k], delta[i], y[i], nw->scale[i])) eta[k] = HUGE_VAL;
    for (int b = 0; b < 2; b++)
        of_blocks = larger_ratio(of_blocks, largest_within(delta, size, from[b], end[b]),
                                 fmax(largest_within(y, size, from[b], end[b]),
                                      largest_within(nw->scale, size, from[b], end[b])));
    return (correction){fmax(eta[0], eta[1]), of_blocks};
}

static correction split_measure(const newton *nw, const double *delta, const double *y)
{
    calls.measure++;
    return measure_halves(nw, delta, y);
}

static void add_halves(const newton *nw, double *y, const double *x, double c, const double *d)
{
    for (int k = RANKS - 1; k >= 0; k--)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++) y[i] = x[i] + c * d[i];
}

static void split_add(const newton *nw, double *y, const double *x, double c, const double *d)
{
    calls.add++, calls.shortened += fabs(c) < 1;
    add_halves(nw, y, x, c, d);
}

static correction split_apply(newton *nw, double *y, const double *const *known)
{
    calls.apply++;
    if (known) set_scales(nw, y, known);
    add_halves(nw, y, y, -1, nw->delta);
    return measure_halves(nw, nw->delta, y);
}

static void split_divide(const newton *nw, double *x, double c)
{
    calls.divide++;
    for (int k = RANKS - 1; k >= 0; k--)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++) x[i] /= c;
}

static double split_largest(const newton *nw, const double *x)
{
    calls.largest++;
    return largest_within(x, nw->eq->size, 0, nw->eq->size);
}

static double split_product(const newton *nw, const double *a, const double *b)
{
    double sum[RANKS] = {0};
    calls.product++;
    for (int k = 0; k < RANKS; k++)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++)
            if (nw->diagonal[i] >= 0) sum[k] += fabs(nw->now->kept[nw->diagonal[i]]) * a[i] * b[i];
    return sum[0] + sum[1];
}

static bool split_is_noise(const newton *nw, const double *y)
{
    const equations *eq = nw->eq;
    const int        n = eq->n, size = eq->size;
    calls.is_noise++;
    const double of_q = fmax(largest_within(eq->q, n, 0, n), largest_within(y, size, 0, eq->lam));
    const double of_p = fmax(largest_within(eq->p, n, 0, n), largest_within(y, size, eq->P, size));
    return largest_within(nw->delta, size, 0, eq->lam) <= 64 * EPSILON * of_q &&
           largest_within(nw->delta, size, eq->P, size) <= 64 * EPSILON * of_p;
}

static bool split_reactions_hold(const newton *nw, const double *y)
{
    const int size = nw->eq->size, lam = nw->eq->lam, P = nw->eq->P;
    calls.reactions_hold++;
    return largest_within(nw->delta, size, lam, P) <=
           HELD * fmax(largest_within(y, size, lam, P), largest_within(nw->scale, size, lam, P));
}

static bool split_is_met(newton *nw, const double *y)
{
    bool met[RANKS] = {true, true};
    calls.is_met++;
    if (!nw->recorded && !split_residual(nw->eq, y, nw->r, false)) return false;
    equations_row_sizes(nw->eq, y, nw->natural);
    for (int k = 0; k < RANKS; k++)
        for (int i = own(nw, k).from; i < own(nw, k).to; i++)
            met[k] &= fabs(nw->r[i]) <= 64 * EPSILON * nw->natural[i];
    return met[0] && met[1];
}

static const unknown_operations split = {
    .residual = split_residual,
    .factor = split_factor,
    .solve = split_solve,
    .scales = split_scales,
    .reaction_scales = split_reaction_scales,
    .apply = split_apply,
    .measure = split_measure,
    .add = split_add,
    .divide = split_divide,
    .largest = split_largest,
    .product = split_product,
    .is_noise = split_is_noise,
    .reactions_hold = split_reactions_hold,
    .is_met = split_is_met,
};

/* Problems. ------------------------------------------------------------------------------------ */

/* L = sum (1 + q_i^2/2) v_i^2/2 - (q_i^2 - 1)^2/4 - c0 (q_i - q_{i-1})^4: inertia varies, too */
static jet wells_L(const double *c, jet t, const jet *q, const jet *v)
{
    jet L = jet_of(0);
    (void)t;
    for (int i = 0; i < 3; i++) {
        L = add(L, times(0.5, mul(plus(times(0.5, square(q[i])), 1), square(v[i]))));
        L = sub(L, times(0.25, square(plus(square(q[i]), -1))));
        if (i) L = sub(L, times(c[0], fourth(sub(q[i], q[i - 1]))));
    }
    return L;
}

static const problem wells = {.n = 3, .lambda = wells_L};
static const problem rolling = {.n = 4, .m = 2, .lambda = disk_L, .velocity = disk_W};
static const problem phase = {
    .n = 4, .m = 2, .lambda = disk_H, .velocity = disk_W, .hamiltonian = true};

typedef struct {
    const problem *of;
    const char    *words;
    double         h;
} row;

/* Fewer unknowns than are measured one by one, more, and so many that a matrix is kept; increments
 * alone, with multipliers, and with stage momenta. */
static const row rows[] = {
    {&wells, "midpoint", 0.05},    {&wells, "gauss(2)", 0.2},   {&wells, "gauss(4)", 0.2},
    {&wells, "lobatto(9)", 0.2},   {&rolling, "midpoint", 0.1}, {&rolling, "gauss(2)", 0.1},
    {&rolling, "lobatto(5)", 0.1}, {&phase, "gauss(2)", 0.1},   {&phase, "gauss(3)", 0.1},
};

enum { STEPS = 50, STATE = 2 * DOFS_MOST };

/* The state after some steps; on NULL: by the library's own operations. */
static newton_statistics run(const row *x, jacobian_use jacobian, const unknown_operations *on,
                             int steps, double *state)
{
    static const double c[2][5] = {{0.3}, {1, 0.5, 0.25, 1, 1}};
    const double        q0[2][4] = {{1.2, -0.4, 0.7}, {0.3, -0.2, 0.4, 0.5}};
    const double        p0[2][4] = {{0.3, 0.9, -0.5}, {cos(0.5), sin(0.5), 0.5, 0.175}};
    const int           which = x->of != &wells;
    const step_options  o = {.jacobian = jacobian};
    jet_system          s;
    bench               b;
    bench_open(&b, jet_system_init(&s, x->of, c[which], 5), x->words, NULL, &o);
    assert_true(b.st->eq.size <= SIZE_MOST);
    if (on) b.st->nw.on = *on;
    bench_set(&b, 0, q0[which], p0[which]);
    bench_run(&b, x->h, steps);
    const newton_statistics made = *stepper_statistics(b.st);
    for (int i = 0; i < x->of->n; i++)
        state[i] = stepper_q(b.st)[i], state[DOFS_MOST + i] = stepper_p(b.st)[i];
    bench_close(&b);
    return made;
}

/* Maxima do not depend on who found them, so neither does any bit of the steps. */
static void newton_has_the_same_bits_by_other_operations(void **state)
{
    (void)state;
    memset(&calls, 0, sizeof calls);
    for (size_t k = 0; k < COUNT(rows); k++) {
        double                  one[STATE] = {0}, two[STATE] = {0};
        const long              before = calls.apply;
        const newton_statistics a = run(&rows[k], JACOBIAN_NEWTON, NULL, STEPS, one);
        assert_int_equal(calls.apply, before);
        const newton_statistics b = run(&rows[k], JACOBIAN_NEWTON, &split, STEPS, two);
        assert_true(calls.apply >= before + STEPS - 1);
        assert_int_equal(a.iterations, b.iterations);
        assert_int_equal(a.factorisations, b.factorisations);
        assert_memory_equal(one, two, sizeof one);
    }
    assert_true(calls.residual && calls.factor && calls.solve && calls.scales);
    assert_true(calls.reaction_scales && calls.reactions_hold && calls.is_noise);
    assert_int_equal(calls.product, 0);
}

/* The first step has no past, and is solved with damping; with long steps corrections are
 * shortened. */
static void damped_newton_has_the_same_bits_by_other_operations(void **state)
{
    (void)state;
    static const row far[] = {
        {&wells, "gauss(2)", 3}, {&wells, "gauss(4)", 1}, {&wells, "gauss(4)", 2}};
    memset(&calls, 0, sizeof calls);
    for (size_t k = 0; k < COUNT(far); k++) {
        double                  one[STATE] = {0}, two[STATE] = {0};
        const long              before = calls.shortened;
        const newton_statistics a = run(&far[k], JACOBIAN_NEWTON, NULL, 1, one);
        const newton_statistics b = run(&far[k], JACOBIAN_NEWTON, &split, 1, two);
        assert_true(calls.shortened > before);
        assert_int_equal(a.iterations, b.iterations);
        assert_memory_equal(one, two, sizeof one);
    }
    assert_true(calls.measure && calls.add && calls.largest && calls.scales && calls.is_met);
    assert_int_equal(calls.apply, 0);
}

/* Two sums are added up, which rounds differently: the steps agree to roundoff. */
static void broyden_agrees_to_roundoff_by_other_operations(void **state)
{
    (void)state;
    memset(&calls, 0, sizeof calls);
    for (size_t k = 0; k < COUNT(rows); k++) {
        double     one[STATE] = {0}, two[STATE] = {0};
        const long before = calls.product;
        run(&rows[k], JACOBIAN_BROYDEN, NULL, STEPS, one);
        assert_int_equal(calls.product, before);
        const newton_statistics made = run(&rows[k], JACOBIAN_BROYDEN, &split, STEPS, two);
        assert_true(calls.product >= before + STEPS);
        assert_true(made.factorisations < STEPS);
        check_below(distance(one, two, STATE), 1e-14);
    }
    assert_true(calls.divide && calls.add && calls.reactions_hold && calls.scales);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_has_the_same_bits_by_other_operations),
        cmocka_unit_test(damped_newton_has_the_same_bits_by_other_operations),
        cmocka_unit_test(broyden_agrees_to_roundoff_by_other_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
