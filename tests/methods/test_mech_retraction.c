/* test_mech_retraction.c - retractions, chords and discrete constraints. */
#include "dirac_objects.h"

#include "constrained.h"
#include "dirac_products.h"
#include "mech/equations/equations.h"

enum { MOST = 7 };

/* A retraction with a point of its Q, a velocity there, and a point near. */
typedef struct {
    const char    *name;
    retraction_map R;
    double         q[MOST], v[MOST], q1[MOST];
} sample;

static void unit(double *x, int n)
{
    double length = 0;
    for (int i = 0; i < n; i++) length = hypot(length, x[i]);
    for (int i = 0; i < n; i++) x[i] /= length;
}

static void put_flat(sample *s, int first, int n, uint64_t *seed)
{
    for (int i = first; i < first + n; i++)
        s->q[i] = draw(seed), s->v[i] = draw(seed), s->q1[i] = draw(seed);
}

static void put_sphere(sample *s, int first, int n, uint64_t *seed)
{
    double *q = s->q + first, *v = s->v + first, *q1 = s->q1 + first, along = 0;
    for (int i = 0; i < n; i++) q[i] = draw(seed), v[i] = draw(seed);
    unit(q, n);
    for (int i = 0; i < n; i++) q1[i] = q[i] + 0.4 * draw(seed), along += q[i] * v[i];
    unit(q1, n);
    for (int i = 0; i < n; i++) v[i] -= along * q[i];
}

static void put_polar(sample *s, int first, uint64_t *seed)
{
    s->q[first] = 1.5 + 0.3 * draw(seed), s->q[first + 1] = 3 * draw(seed);
    s->v[first] = 0.7 * draw(seed), s->v[first + 1] = draw(seed);
    s->q1[first] = 1.5 + 0.3 * draw(seed), s->q1[first + 1] = s->q[first + 1] + draw(seed);
}

enum { SAMPLES = 5 };

static void make_samples(mem *m, sample *s, uint64_t seed)
{
    const retraction_map part[] = {retraction_flat(2), retraction_sphere(3), retraction_polar()};
    memset(s, 0, SAMPLES * sizeof *s);
    s[0].name = "flat", s[0].R = retraction_flat(3), put_flat(&s[0], 0, 3, &seed);
    s[1].name = "circle", s[1].R = retraction_sphere(2), put_sphere(&s[1], 0, 2, &seed);
    s[2].name = "sphere", s[2].R = retraction_sphere(4), put_sphere(&s[2], 0, 4, &seed);
    s[3].name = "polar", s[3].R = retraction_polar(), put_polar(&s[3], 0, &seed);
    s[4].name = "product", s[4].R = retraction_product(m, part, 3);
    put_flat(&s[4], 0, 2, &seed), put_sphere(&s[4], 2, 3, &seed), put_polar(&s[4], 5, &seed);
}

static void every_retraction_is_the_identity_to_first_order(void **state)
{
    (void)state;
    mem    m;
    sample all[SAMPLES];
    mem_init(&m, mem_heap_default());
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_samples(&m, all, seed);
        for (int k = 0; k < SAMPLES; k++) {
            const sample *s = &all[k];
            const int     n = s->R.n;
            double        zero[MOST] = {0}, q[MOST], by_v[MOST * MOST];
            assert_true(s->R.apply(s->R.self, n, s->q, zero, q, NULL, by_v));
            check_below(apart(q, s->q, n), 4e-16); /* R_q(0) = q */
            for (int i = 0; i < n; i++) {          /* T_0 R_q v = v */
                double sum = 0;
                for (int j = 0; j < n; j++) sum += by_v[i * n + j] * s->v[j];
                check_close(sum, s->v[i], 1e-15);
            }
        }
    }
    mem_free(&m);
}

static void inverse_undoes_retraction_both_ways(void **state)
{
    (void)state;
    mem    m;
    sample all[SAMPLES];
    mem_init(&m, mem_heap_default());
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_samples(&m, all, seed);
        for (int k = 0; k < SAMPLES; k++) {
            const sample *s = &all[k];
            double        q1[MOST], v[MOST];
            assert_true(s->R.apply(s->R.self, s->R.n, s->q, s->v, q1, NULL, NULL));
            assert_true(s->R.inverse(s->R.self, s->R.n, s->q, q1, v, NULL, NULL));
            check_below(apart(v, s->v, s->R.n), 4e-15);
            assert_true(s->R.inverse(s->R.self, s->R.n, s->q, s->q1, v, NULL, NULL));
            assert_true(s->R.apply(s->R.self, s->R.n, s->q, v, q1, NULL, NULL));
            check_below(apart(q1, s->q1, s->R.n), 4e-15);
        }
    }
    mem_free(&m);
}

/* Both functions of a retraction as one function of 2n numbers. */
static void apply_both(void *self, const double *x, double *y)
{
    const retraction_map *R = self;
    assert_true(R->apply(R->self, R->n, x, x + R->n, y, NULL, NULL));
}

static void invert_both(void *self, const double *x, double *y)
{
    const retraction_map *R = self;
    assert_true(R->inverse(R->self, R->n, x, x + R->n, y, NULL, NULL));
}

/* [A B], row by row */
static void beside(const double *A, const double *B, int rows, int n, double *both)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            both[i * 2 * n + j] = A[i * n + j], both[i * 2 * n + n + j] = B[i * n + j];
}

static void derivatives_of_retractions_agree_with_differences(void **state)
{
    (void)state;
    mem    m;
    sample all[SAMPLES];
    mem_init(&m, mem_heap_default());
    for (uint64_t seed = 1; seed <= 5; seed++) {
        make_samples(&m, all, seed);
        for (int k = 0; k < SAMPLES; k++) {
            sample   *s = &all[k];
            const int n = s->R.n;
            double    x[2 * MOST], y[MOST], A[MOST * MOST], B[MOST * MOST], both[2 * MOST * MOST];
            memcpy(x, s->q, (size_t)n * sizeof *x), memcpy(x + n, s->v, (size_t)n * sizeof *x);
            s->R.apply(s->R.self, n, x, x + n, y, A, B);
            beside(A, B, n, n, both);
            check_below(jacobian_error(&m, apply_both, &s->R, x, 2 * n, n, both), 2e-9);
            memcpy(x + n, s->q1, (size_t)n * sizeof *x);
            s->R.inverse(s->R.self, n, x, x + n, y, A, B);
            beside(A, B, n, n, both);
            check_below(jacobian_error(&m, invert_both, &s->R, x, 2 * n, n, both), 2e-9);
        }
    }
    mem_free(&m);
}

static void points_that_cannot_be_reached_are_refused(void **state)
{
    (void)state;
    mem          m;
    const double north[] = {0, 0, 1}, equator[] = {1, 0, 0}, south[] = {0, 0, -1},
                 back[] = {0, 0, -1};
    retraction_map R = retraction_sphere(3);
    double         v[3];
    mem_init(&m, mem_heap_default());
    assert_false(R.inverse(R.self, 3, north, equator, v, NULL, NULL));
    assert_false(R.inverse(R.self, 3, north, south, v, NULL, NULL));
    assert_false(R.apply(R.self, 3, north, back, v, NULL, NULL));
    chord *c = chord_new(&m, &R, RETRACTION_MIDPOINT);
    assert_false(chord_between(c, north, south, 0.1));
    mem_free(&m);
}

/* Chords. */

static const retraction places[] = {RETRACTION_LEFT, RETRACTION_RIGHT, RETRACTION_MIDPOINT};

/* R_base(part h v) against a point */
static double misses(const chord *c, double part_h, const double *point)
{
    const int n = c->R.n;
    double    v[MOST] = {0}, q[MOST];
    for (int i = 0; i < n; i++) v[i] = part_h * c->v[i];
    assert_true(c->R.apply(c->R.self, n, c->base, v, q, NULL, NULL));
    return apart(q, point, n);
}

static void chords_reach_from_their_base_to_the_ends(void **state)
{
    (void)state;
    mem          m;
    sample       all[SAMPLES];
    const double h = 0.3;
    mem_init(&m, mem_heap_default());
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_samples(&m, all, seed);
        for (int k = 0; k < SAMPLES; k++) {
            const sample *s = &all[k];
            chord        *c = chord_new(&m, &s->R, RETRACTION_LEFT);
            assert_true(chord_between(c, s->q, s->q1, h));
            check_below(apart(c->base, s->q, s->R.n), 0);
            check_below(misses(c, h, s->q1), 1e-14);
            c = chord_new(&m, &s->R, RETRACTION_RIGHT);
            assert_true(chord_between(c, s->q, s->q1, h));
            check_below(apart(c->base, s->q1, s->R.n), 0);
            check_below(misses(c, -h, s->q), 1e-14);
            c = chord_new(&m, &s->R, RETRACTION_MIDPOINT);
            assert_true(chord_between(c, s->q, s->q1, h));
            check_below(misses(c, h / 2, s->q1), 1e-14);
            check_below(misses(c, -h / 2, s->q), 1e-14);
        }
    }
    mem_free(&m);
}

static void chords_run_backward_are_the_chords_of_the_other_side(void **state)
{
    (void)state;
    mem                     m;
    sample                  all[SAMPLES];
    const double            h = 0.3;
    static const retraction mirror[] = {RETRACTION_RIGHT, RETRACTION_LEFT, RETRACTION_MIDPOINT};
    mem_init(&m, mem_heap_default());
    make_samples(&m, all, 7);
    for (int k = 0; k < SAMPLES; k++)
        for (int j = 0; j < COUNT(places); j++) {
            const sample *s = &all[k];
            chord *there = chord_new(&m, &s->R, places[j]), *back = chord_new(&m, &s->R, mirror[j]);
            assert_true(chord_between(there, s->q, s->q1, h));
            assert_true(chord_between(back, s->q1, s->q, -h));
            check_below(apart(there->base, back->base, s->R.n), 1e-14);
            check_below(apart(there->v, back->v, s->R.n), 1e-13);
        }
    mem_free(&m);
}

static void midpoint_of_two_points_of_a_sphere_bisects_them(void **state)
{
    (void)state;
    mem            m;
    retraction_map R = retraction_sphere(3);
    const double   a = 0.7, q0[] = {1, 0, 0}, q1[] = {cos(a), sin(a), 0}, h = 0.1;
    mem_init(&m, mem_heap_default());
    chord *c = chord_new(&m, &R, RETRACTION_MIDPOINT);
    assert_true(chord_between(c, q0, q1, h));
    check_close(c->base[0], cos(a / 2), 1e-15);
    check_close(c->base[1], sin(a / 2), 1e-15);
    check_close(hypot(c->v[0], c->v[1]), 2 * tan(a / 2) / h, 1e-15);
    mem_free(&m);
}

/* Discrete constraints. */

typedef struct {
    discrete_constraint *c;
    double               h;
} at_step;

static void constraint_of_both(void *self, const double *x, double *y)
{
    at_step *s = self;
    assert_true(discrete_constraint_eval(s->c, x, x + s->c->W.n, s->h, y, NULL, NULL));
}

static void derivatives_of_discrete_constraints_agree_with_differences(void **state)
{
    (void)state;
    enum { ROWS = 2 };
    mem          m;
    sample       all[SAMPLES];
    const double h = 0.5;
    mem_init(&m, mem_heap_default());
    for (uint64_t seed = 1; seed <= 4; seed++) {
        make_samples(&m, all, seed);
        for (int k = 0; k < SAMPLES; k++)
            for (int j = 0; j < COUNT(places); j++) {
                uint64_t  draw_seed = seed;
                const int n = all[k].R.n;
                one_forms W = wavy_forms(&m, &draw_seed, n, ROWS);
                at_step   s = {discrete_constraint_new(&m, &W, &all[k].R, places[j]), h};
                double x[2 * MOST], Wd[ROWS], A[ROWS * MOST], B[ROWS * MOST], both[2 * ROWS * MOST];
                memcpy(x, all[k].q, (size_t)n * sizeof *x);
                memcpy(x + n, all[k].q1, (size_t)n * sizeof *x);
                assert_true(discrete_constraint_eval(s.c, x, x + n, h, Wd, A, B));
                beside(A, B, ROWS, n, both);
                check_below(jacobian_error(&m, constraint_of_both, &s, x, 2 * n, ROWS, both), 1e-8);
            }
    }
    mem_free(&m);
}

/* The rows of sleigh_W and disk_W in constrained.h, written again. */
static void sleigh_forms(const void *self, const double *q, double *W, double *dW)
{
    (void)self;
    const double c = cos(q[2]), s = sin(q[2]), rows[] = {-s, c, 0},
                 slopes[] = {0, 0, -c, 0, 0, -s, 0, 0, 0};
    memcpy(W, rows, sizeof rows);
    if (dW) memcpy(dW, slopes, sizeof slopes);
}

static void disk_forms(const void *self, const double *q, double *W, double *dW)
{
    const double *R = self, c = *R * cos(q[3]), s = *R * sin(q[3]);
    const double  rows[] = {1, 0, -c, 0, 0, 1, -s, 0};
    memcpy(W, rows, sizeof rows);
    if (!dW) return;
    memset(dW, 0, 32 * sizeof *dW);
    dW[(0 * 4 + 2) * 4 + 3] = s;
    dW[(1 * 4 + 2) * 4 + 3] = -c;
}

/* W_d and dW_d/dq1 against the rows C_1 of a step with d = 1. */
static void compare_with_step(mem *m, const problem *pb, const double *c, const one_forms *W,
                              retraction at)
{
    const double   h = 0.1;
    const int      n = W->n;
    jet_system     js;
    equations      eq = {0};
    scheme         sch;
    text           why = text_new(m);
    uint64_t       seed = 5;
    retraction_map R = retraction_flat(n);
    assert_int_equal(scheme_parse(&sch, "midpoint", NULL, &why), DAL_OK);
    assert_int_equal(equations_init(&eq, m, jet_system_init(&js, pb, c, 8), &sch, at, NULL, &why),
                     DAL_OK);
    double *q0 = draws(m, &seed, n), *p0 = draws(m, &seed, n), *y = draws(m, &seed, eq.size);
    double *low = mem_array(m, n, double), *r = mem_array(m, eq.size, double),
           *q1 = mem_array(m, n, double);
    double *Wd = mem_array(m, W->m, double), *by_q1 = mem_array(m, W->m * n, double);
    eq.t = 0, eq.q = q0, eq.q_low = low, eq.p = p0, eq.p_low = low;
    for (int i = 0; i < n; i++) q1[i] = q0[i] + y[i];
    equations_set_step(&eq, h, false);
    assert_true(equations_residual(&eq, y, r, true));
    equations_fill(&eq);
    discrete_constraint *dc = discrete_constraint_new(m, W, &R, at);
    assert_true(discrete_constraint_eval(dc, q0, q1, h, Wd, NULL, by_q1));
    check_below(apart(Wd, r + eq.lam, W->m), 1e-14 / h);
    for (int a = 0; a < W->m; a++)
        for (int j = 0; j < n; j++) {
            int e = pattern_find(&eq.J, eq.lam + a, j);
            check_close(by_q1[a * n + j], e < 0 ? 0 : eq.values[e], 1e-14);
        }
}

static void flat_discrete_constraints_are_the_rows_of_the_step(void **state)
{
    (void)state;
    mem             m;
    const double    c[8] = {1, 0.7, 0.3, 1, 0.2, 0.1, 0.4, 2}, R = c[3];
    const problem   sleigh = {.n = 3, .m = 1, .lambda = sleigh_L, .velocity = sleigh_W};
    const problem   disk = {.n = 4, .m = 2, .lambda = disk_L, .velocity = disk_W};
    const one_forms one = {.n = 3, .m = 1, .eval = sleigh_forms};
    const one_forms two = {.n = 4, .m = 2, .self = &R, .eval = disk_forms};
    mem_init(&m, mem_heap_default());
    for (int j = 0; j < COUNT(places); j++) {
        compare_with_step(&m, &sleigh, c, &one, places[j]);
        compare_with_step(&m, &disk, c, &two, places[j]);
    }
    mem_free(&m);
}

/* Rows of a part, padded with zeros, give the same discrete constraint on the product as on the
 * part: a product of retractions is compatible with the parts. */
static void products_of_retractions_discretise_parts_as_parts(void **state)
{
    (void)state;
    mem      m;
    uint64_t seed = 3;
    sample   s;
    mem_init(&m, mem_heap_default());
    const retraction_map part[] = {retraction_polar(), retraction_sphere(3)};
    const one_forms      form[] = {wavy_forms(&m, &seed, 2, 1), wavy_forms(&m, &seed, 3, 2)};
    const one_forms      sum = one_forms_direct_sum(&m, form, 2);
    const retraction_map R = retraction_product(&m, part, 2);
    put_polar(&s, 0, &seed), put_sphere(&s, 2, 3, &seed);
    for (int j = 0; j < COUNT(places); j++) {
        double whole[3], parts[3];
        assert_true(discrete_constraint_eval(discrete_constraint_new(&m, &sum, &R, places[j]), s.q,
                                             s.q1, 0.2, whole, NULL, NULL));
        assert_true(
            discrete_constraint_eval(discrete_constraint_new(&m, &form[0], &part[0], places[j]),
                                     s.q, s.q1, 0.2, parts, NULL, NULL));
        assert_true(
            discrete_constraint_eval(discrete_constraint_new(&m, &form[1], &part[1], places[j]),
                                     s.q + 2, s.q1 + 2, 0.2, parts + 1, NULL, NULL));
        check_below(apart(whole, parts, 3), 1e-13);
    }
    mem_free(&m);
}

static void retractions_that_mix_parts_are_not_compatible(void **state)
{
    (void)state;
    mem          m;
    const double W[] = {1, 0}, q0[] = {1, 0}, q1[] = {1, 0.5}; /* r' = 0, and r stays */
    double       flat, polar;
    mem_init(&m, mem_heap_default());
    one_forms      form = one_forms_constant(&m, 2, 1, W);
    retraction_map F = retraction_flat(2), P = retraction_polar();
    discrete_constraint_eval(discrete_constraint_new(&m, &form, &F, RETRACTION_LEFT), q0, q1, 1,
                             &flat, NULL, NULL);
    discrete_constraint_eval(discrete_constraint_new(&m, &form, &P, RETRACTION_LEFT), q0, q1, 1,
                             &polar, NULL, NULL);
    check_below(fabs(flat), 0);
    check_close(polar, cos(0.5) - 1, 1e-15);
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_retraction_is_the_identity_to_first_order),
        cmocka_unit_test(inverse_undoes_retraction_both_ways),
        cmocka_unit_test(derivatives_of_retractions_agree_with_differences),
        cmocka_unit_test(points_that_cannot_be_reached_are_refused),
        cmocka_unit_test(chords_reach_from_their_base_to_the_ends),
        cmocka_unit_test(chords_run_backward_are_the_chords_of_the_other_side),
        cmocka_unit_test(midpoint_of_two_points_of_a_sphere_bisects_them),
        cmocka_unit_test(derivatives_of_discrete_constraints_agree_with_differences),
        cmocka_unit_test(flat_discrete_constraints_are_the_rows_of_the_step),
        cmocka_unit_test(products_of_retractions_discretise_parts_as_parts),
        cmocka_unit_test(retractions_that_mix_parts_are_not_compatible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
