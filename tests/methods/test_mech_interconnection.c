/* test_mech_interconnection.c - sums and bowtie products of discrete Dirac structures: what is
 * connected equals what is written as one. */
#include "dirac_objects.h"
#include "dirac_products.h"
#include "linear_dirac.h"

static const principle  sides[] = {DIRAC_PLUS, DIRAC_MINUS};
static const retraction places[] = {RETRACTION_LEFT, RETRACTION_RIGHT, RETRACTION_MIDPOINT};

/* Parts of sizes n with m rows each, joined by k rows. `shared`: so many of these are combinations
 * of the rows of the parts, so that the intersection is not transversal. */
typedef struct {
    int parts, n[3], m[3], k, shared;
} layout_of;

static const layout_of layouts[] = {
    {2, {1, 1}, {0, 0}, 1, 0},       /* two free coordinates, tied                */
    {2, {2, 2}, {0, 0}, 1, 0},       /* the spring chain                          */
    {2, {2, 3}, {1, 1}, 1, 0},       /* constrained parts                         */
    {2, {2, 2}, {1, 1}, 0, 0},       /* no connection at all                      */
    {2, {2, 2}, {0, 0}, 4, 0},       /* everything is held                        */
    {2, {2, 1}, {2, 1}, 1, 1},       /* parts that are held, and held again       */
    {3, {1, 2, 2}, {0, 1, 0}, 2, 0}, /* three parts                               */
    {3, {2, 2, 1}, {1, 0, 1}, 2, 1}, /* one connection repeats a constraint       */
    {2, {3, 3}, {2, 1}, 3, 2},       /* two do                                    */
    {2, {2, 2}, {2, 0}, 3, 1},       /* more rows than can be independent         */
};

typedef struct {
    int            n;
    one_forms      part[3], connection;
    retraction_map flat;
    structure     *piece[3], *whole, *interaction, *connected;
    subspace       intersection; /* (Delta_1 + ... + Delta_N) with Sigma, from null spaces */
} assembly;

static int total(const layout_of *l)
{
    int n = 0;
    for (int k = 0; k < l->parts; k++) n += l->n[k];
    return n;
}

/* Connection rows; the first `shared` of them combine padded rows of the parts. */
static double *connection_rows(mem *m, uint64_t *seed, const layout_of *l, const one_forms *sum)
{
    double *W = draws(m, seed, l->k * sum->n), *rows = mem_array(m, sum->m * sum->n, double);
    sum->eval(sum->self, NULL, rows, NULL);
    for (int b = 0; b < l->shared; b++)
        for (int i = 0; i < sum->n; i++) W[b * sum->n + i] = 0;
    for (int b = 0; b < l->shared; b++)
        for (int a = 0; a < sum->m; a++) {
            double c = draw(seed);
            for (int i = 0; i < sum->n; i++) W[b * sum->n + i] += c * rows[a * sum->n + i];
        }
    return W;
}

static assembly assemble(mem *m, uint64_t seed, const layout_of *l, principle side, retraction at)
{
    assembly a = {.n = total(l)};
    for (int k = 0; k < l->parts; k++) {
        retraction_map R = retraction_flat(l->n[k]);
        a.part[k] = one_forms_constant(m, l->n[k], l->m[k], draws(m, &seed, l->n[k] * l->m[k]));
        a.piece[k] = structure_induced(m, side, &a.part[k], &R, at);
    }
    one_forms sum = one_forms_direct_sum(m, a.part, l->parts);
    double   *W = connection_rows(m, &seed, l, &sum), *rows = mem_array(m, sum.m * a.n, double);
    a.flat = retraction_flat(a.n);
    a.connection = one_forms_constant(m, a.n, l->k, W);
    a.whole = structure_direct_sum(m, a.piece, l->parts);
    a.interaction = structure_interaction(m, side, &a.connection, &a.flat, at);
    a.connected = structure_bowtie(m, a.whole, a.interaction);
    sum.eval(sum.self, NULL, rows, NULL);
    subspace delta = subspace_kernel(m, rows, sum.m, a.n), sigma = subspace_kernel(m, W, l->k, a.n);
    a.intersection = subspace_intersection(m, &delta, &sigma);
    return a;
}

/* One-forms of a subspace: an orthonormal basis of its normal space. */
static one_forms forms_of(mem *m, const subspace *delta)
{
    subspace normal = subspace_normal(m, delta);
    return one_forms_constant(m, delta->size, normal.dim, normal.basis);
}

/* Theorem 3, as it is stated: three ways to the same subspace. */
static void connected_structures_are_those_of_the_intersection(void **state)
{
    (void)state;
    const double h = 0.1;
    for (int k = 0; k < COUNT(layouts) * COUNT(places) * COUNT(sides); k++)
        for (uint64_t seed = 1; seed <= 2; seed++) {
            const layout_of *l = &layouts[k / 6];
            const principle  side = sides[k % 2];
            const retraction at = places[k / 2 % 3];
            mem              m;
            mem_init(&m, mem_heap_default());
            assembly   a = assemble(&m, seed, l, side, at);
            one_forms  forms = forms_of(&m, &a.intersection);
            structure *monolith = structure_induced(&m, side, &forms, &a.flat, at);
            subspace   connected = structure_space(&m, a.connected, h),
                     one = structure_space(&m, monolith, h);
            subspace whole = structure_space(&m, a.whole, h),
                     joint = structure_space(&m, a.interaction, h);
            subspace defined = linear_bowtie(&m, &whole, &joint, 4 * a.n);
            assert_int_equal(one.dim, 4 * a.n);
            check_below(subspace_gap(&connected, &one), 1e-13);
            check_below(subspace_gap(&defined, &one), 1e-13);
            if (a.intersection.dim < a.n && l->k > l->shared) /* else the connection adds nothing */
                check_below(1e-3, subspace_gap(&whole, &one));
            mem_free(&m);
        }
}

/* The same at one point, without time: the interconnection of Dirac structures on T*Q. */
static void continuous_interconnection_is_the_same_statement(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(layouts); k++) {
        mem m;
        mem_init(&m, mem_heap_default());
        assembly  a = assemble(&m, 7, &layouts[k], DIRAC_PLUS, RETRACTION_LEFT);
        one_forms sum = one_forms_direct_sum(&m, a.part, layouts[k].parts);
        double   *rows = mem_array(&m, sum.m * a.n, double),
               *W = mem_array(&m, layouts[k].k * a.n, double);
        sum.eval(sum.self, NULL, rows, NULL);
        a.connection.eval(a.connection.self, NULL, W, NULL);
        subspace normal = subspace_normal(&m, &a.intersection);
        subspace D = linear_dirac_induced(&m, rows, sum.m, a.n);
        subspace I = linear_dirac_interaction(&m, W, layouts[k].k, a.n);
        subspace both = linear_bowtie(&m, &D, &I, 2 * a.n);
        subspace one = linear_dirac_induced(&m, normal.basis, normal.dim, a.n);
        subspace orthogonal = linear_dirac_orthogonal(&m, &both),
                 other = linear_dirac_orthogonal(&m, &I);
        check_below(subspace_gap(&both, &one), 1e-13);
        check_below(subspace_gap(&both, &orthogonal), 1e-12);
        check_below(subspace_gap(&I, &other), 1e-12);
        mem_free(&m);
    }
}

/* The fibres of connected structures are Dirac structures as well, and the spans of annihilators
 * add: (Delta with Sigma)^o = Delta^o + Sigma^o, of the right dimension also where the rows depend
 * on each other. */
static void fibres_of_connected_structures_are_dirac_structures(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(layouts) * 2; k++) {
        mem      m;
        uint64_t seed = 31;
        mem_init(&m, mem_heap_default());
        assembly a = assemble(&m, 3, &layouts[k / 2], sides[k % 2], RETRACTION_MIDPOINT);
        subspace T = structure_fibre_tangent(&m, a.connected, draws(&m, &seed, 4 * a.n), 0.1);
        assert_int_equal(T.dim, 2 * a.n);
        check_below(pairing_defect(&T), 1e-12);
        mem_free(&m);
    }
}

/* Distributions that vary, and curved retractions: no subspaces now, so membership is compared. */
static void curved_parts_connect_to_the_curved_whole(void **state)
{
    (void)state;
    const double h = 0.2;
    for (int k = 0; k < COUNT(places) * COUNT(sides); k++)
        for (uint64_t trial = 1; trial <= 5; trial++) {
            enum { N = 5 };
            const principle      side = sides[k % 2];
            const retraction     at = places[k / 2];
            const retraction_map part[] = {retraction_polar(), retraction_flat(3)};
            uint64_t             seed = trial;
            mem                  m;
            mem_init(&m, mem_heap_default());
            const one_forms form[] = {wavy_forms(&m, &seed, 2, 1), wavy_forms(&m, &seed, 3, 1)};
            const one_forms joint = wavy_forms(&m, &seed, N, 2),
                            sum = one_forms_direct_sum(&m, form, 2);
            const one_forms all = one_forms_intersection(&m, &sum, &joint);
            retraction_map  R = retraction_product(&m, part, 2);
            structure      *piece[2];
            for (int i = 0; i < 2; i++)
                piece[i] = structure_induced(&m, side, &form[i], &part[i], at);
            structure *whole = structure_direct_sum(&m, piece, 2);
            structure *connected =
                structure_bowtie(&m, whole, structure_interaction(&m, side, &joint, &R, at));
            structure *monolith = structure_induced(&m, side, &all, &R, at);
            structure *sum_at_once = structure_induced(&m, side, &sum, &R, at);
            double    *z = draws(&m, &seed, 4 * N), *alpha = draws(&m, &seed, 4 * N);
            z[0] = 1.5, z[2 * N] = 1.4 + 0.1 * draw(&seed);
            for (int i = 1; i < N; i++) z[2 * N + i] = z[i] + 0.3 * draw(&seed);
            double one = structure_residual(&m, monolith, z, alpha, h);
            check_close(structure_residual(&m, connected, z, alpha, h), one, 1e-13);
            check_below(0.01, one); /* a random tuple is not in D */
            subspace a = structure_fibre_tangent(&m, connected, z, h),
                     b = structure_fibre_tangent(&m, monolith, z, h);
            check_below(subspace_gap(&a, &b), 1e-12);
            /* and Lemma 2: the sum of the parts is induced by the sum of the distributions */
            check_close(structure_residual(&m, whole, z, alpha, h),
                        structure_residual(&m, sum_at_once, z, alpha, h), 1e-13);
            mem_free(&m);
        }
}

/* The algebra. */

typedef struct {
    structure *D, *A, *B, *C, *none, *both;
} ring;

static ring make_ring(mem *m, principle side, uint64_t seed)
{
    enum { N = 4 };
    const retraction at = RETRACTION_MIDPOINT;
    ring             r;
    retraction_map   R = retraction_flat(N);
    one_forms        d = one_forms_constant(m, N, 1, draws(m, &seed, N)),
              none = one_forms_constant(m, N, 0, NULL);
    one_forms a = one_forms_constant(m, N, 1, draws(m, &seed, N));
    one_forms b = one_forms_constant(m, N, 2, draws(m, &seed, 2 * N));
    one_forms c = one_forms_constant(m, N, 1, draws(m, &seed, N));
    one_forms ab = one_forms_intersection(m, &a, &b);
    r.D = structure_induced(m, side, &d, &R, at);
    r.A = structure_interaction(m, side, &a, &R, at);
    r.B = structure_interaction(m, side, &b, &R, at);
    r.C = structure_interaction(m, side, &c, &R, at);
    r.none = structure_interaction(m, side, &none, &R, at);
    r.both = structure_interaction(m, side, &ab, &R, at);
    return r;
}

static void check_same(mem *m, structure *a, structure *b)
{
    subspace x = structure_space(m, a, 0.1), y = structure_space(m, b, 0.1);
    check_below(subspace_gap(&x, &y), 1e-12);
}

static void bowtie_is_commutative_and_associative_with_a_neutral_element(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(sides); k++) {
        mem m;
        mem_init(&m, mem_heap_default());
        ring       r = make_ring(&m, sides[k], 41);
        structure *DA = structure_bowtie(&m, r.D, r.A), *AB = structure_bowtie(&m, r.A, r.B);
        check_same(&m, DA, structure_bowtie(&m, r.A, r.D));
        check_same(&m, structure_bowtie(&m, DA, r.B), structure_bowtie(&m, r.D, AB));
        check_same(&m, structure_bowtie(&m, structure_bowtie(&m, DA, r.B), r.C),
                   structure_bowtie(&m, structure_bowtie(&m, r.C, r.D), AB));
        check_same(&m, structure_bowtie(&m, r.D, r.none), r.D);
        check_same(&m, structure_bowtie(&m, r.A, r.A), r.A); /* interactions are idempotent */
        check_same(&m, AB, r.both);                          /* and multiply to intersections */
        mem_free(&m);
    }
}

/* By the definition too, which knows nothing of forms and generators. */
static void bowtie_by_definition_has_the_same_algebra(void **state)
{
    (void)state;
    enum { Z = 16 };
    for (int k = 0; k < COUNT(sides); k++) {
        mem m;
        mem_init(&m, mem_heap_default());
        ring     r = make_ring(&m, sides[k], 43);
        subspace D = structure_space(&m, r.D, 0.1), A = structure_space(&m, r.A, 0.1);
        subspace B = structure_space(&m, r.B, 0.1), none = structure_space(&m, r.none, 0.1);
        subspace DA = linear_bowtie(&m, &D, &A, Z), AD = linear_bowtie(&m, &A, &D, Z);
        subspace AB = linear_bowtie(&m, &A, &B, Z), DA_B = linear_bowtie(&m, &DA, &B, Z);
        subspace D_AB = linear_bowtie(&m, &D, &AB, Z), D_none = linear_bowtie(&m, &D, &none, Z);
        check_below(subspace_gap(&DA, &AD), 1e-12);
        check_below(subspace_gap(&DA_B, &D_AB), 1e-12);
        check_below(subspace_gap(&D_none, &D), 1e-12);
        mem_free(&m);
    }
}

/* Two induced structures multiply too, but their forms add: the product is not induced by the
 * intersection. */
static void product_of_two_induced_structures_is_not_induced(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, mem_heap_default());
    ring       r = make_ring(&m, DIRAC_PLUS, 47);
    structure *twice = structure_bowtie(&m, r.D, r.D);
    subspace   D = structure_space(&m, r.D, 0.1), DD = structure_space(&m, twice, 0.1);
    subspace   defined = linear_bowtie(&m, &D, &D, 16);
    check_below(subspace_gap(&DD, &defined), 1e-12);
    check_below(0.1, subspace_gap(&DD, &D));
    check_close(twice->c[0], 2, 0);
    mem_free(&m);
}

/* Delta = ker (1, 0) joined by Sigma = ker (1, q_2): the intersection is 0 except where q_2 = 0.
 * The product is a Dirac structure at every point, there too, but not a smooth family of them. */
static void unclean_rows(const void *self, const double *q, double *W, double *dW)
{
    (void)self;
    W[0] = 1, W[1] = q[1];
    for (int k = 0; k < 4 && dW; k++) dW[k] = k == 3;
}

static subspace unclean_fibre(mem *m, double q2)
{
    const double W[] = {1, 0}, z[8] = {0.3, q2, 0.1, 0.2, 0.3, q2, 0.4, 0.5};
    one_forms    delta = one_forms_constant(m, 2, 1, W),
              sigma = {.n = 2, .m = 1, .eval = unclean_rows};
    retraction_map R = retraction_flat(2);
    structure     *D = structure_induced(m, DIRAC_PLUS, &delta, &R, RETRACTION_LEFT);
    structure     *I = structure_interaction(m, DIRAC_PLUS, &sigma, &R, RETRACTION_LEFT);
    return structure_fibre_tangent(m, structure_bowtie(m, D, I), z, 0.1);
}

static void unclean_intersections_are_dirac_but_jump(void **state)
{
    (void)state;
    mem m;
    mem_init(&m, mem_heap_default());
    subspace at = unclean_fibre(&m, 0), near = unclean_fibre(&m, 1e-6),
             nearer = unclean_fibre(&m, 1e-8);
    check_below(pairing_defect(&at), 1e-12);
    check_below(pairing_defect(&near), 1e-12);
    assert_int_equal(at.dim, 4);
    assert_int_equal(near.dim, 4);
    check_below(subspace_gap(&near, &nearer), 1e-5);
    check_below(0.5, subspace_gap(&at, &nearer));
    mem_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connected_structures_are_those_of_the_intersection),
        cmocka_unit_test(continuous_interconnection_is_the_same_statement),
        cmocka_unit_test(fibres_of_connected_structures_are_dirac_structures),
        cmocka_unit_test(curved_parts_connect_to_the_curved_whole),
        cmocka_unit_test(bowtie_is_commutative_and_associative_with_a_neutral_element),
        cmocka_unit_test(bowtie_by_definition_has_the_same_algebra),
        cmocka_unit_test(product_of_two_induced_structures_is_not_induced),
        cmocka_unit_test(unclean_intersections_are_dirac_but_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
