/* Quadratures and the basis of the curve, against 100-digit values and against what defines them.
 */
#include "memory.h"

#include "mech/scheme/scheme.h"

#include <float.h>

/* {c_i, b_i} from mpmath: roots of the Legendre polynomials, weights from integrated Lagrange
 * polynomials. */
static const double GAUSS_5[][2] = {
    {0.046910077030668003601, 0.11846344252809454376},
    {0.23076534494715845448, 0.23931433524968323402},
    {0.5, 0.28444444444444444444},
};
static const double GAUSS_32[][2] = {
    {0.0013680690752592182275, 0.0035093050047350483002},
    {0.0071942442273658322999, 0.0081371973654528353026},
    {0.017618872206246784613, 0.012696032654631029728},
    {0.032546962031130155415, 0.017136931456510716551},
    {0.051839422116973938017, 0.021417949011113340328},
    {0.075316193133715014933, 0.025499029631188088098},
    {0.10275810201602879652, 0.029342046739267773573},
    {0.13390894062985515981, 0.032911111388180923419},
    {0.16847786653489239951, 0.036172897054424253113},
    {0.20614212137961883548, 0.039096947893535153236},
    {0.24655004553388530499, 0.041655962113473377611},
    {0.28932436193468232732, 0.043826046502201905571},
    {0.33406569885893617511, 0.045586939347881942356},
    {0.38035631887393146273, 0.04692219954040228282},
    {0.42776401920860175326, 0.04781936003963742971},
    {0.47584616715613084188, 0.048270044257363900283},
};
static const double LOBATTO_7[][2] = {
    {0.0, 0.023809523809523809524},
    {0.084888051860716535064, 0.13841302368078297401},
    {0.2655756032646428931, 0.21587269060493131171},
    {0.5, 0.24380952380952380952},
};
static const double LOBATTO_32[][2] = {
    {0.0, 0.0010080645161290322581},
    {0.0036955330136193203142, 0.0061990532506869218943},
    {0.012352654758645385969, 0.011099776444645982312},
    {0.025857580791383810958, 0.015887567705457732891},
    {0.044075030468134047963, 0.020517100793031361665},
    {0.066823761993662240085, 0.024942635668110603506},
    {0.093877634111278827727, 0.029120248624027934775},
    {0.12496775303166260114, 0.033008438628577271966},
    {0.15978512219222459203, 0.03656856980133951632},
    {0.19798370642578943693, 0.039765262846053126146},
    {0.2391838685592173547, 0.042566748974834115264},
    {0.2829761413990765302, 0.044945186478678916536},
    {0.32892529673055925687, 0.046876937773406906783},
    {0.37657467057489734779, 0.04834280447400130028},
    {0.42545070159317625254, 0.049328218270380888585},
    {0.47506763747670337385, 0.049823385750638388817},
};
static const double RADAU_4[][2] = {
    {0.088587959512703947396, 0.22046221117676837528},
    {0.40946686444073471086, 0.38819346884317188078},
    {0.78765946176084705603, 0.32884431998005974394},
    {1.0, 0.0625},
};
static const double RADAU_17[][2] = {
    {0.0049972996637719210427, 0.012803292546873850986},
    {0.026143513681394051979, 0.029380563760790444627},
    {0.063430945583836745493, 0.044982728138173275816},
    {0.11559843757981594018, 0.059055294137014486773},
    {0.18087055965788366625, 0.071117258568469300299},
    {0.25702480784517085992, 0.080757548194973763422},
    {0.34146792754782306863, 0.087647788200109888813},
    {0.43132434359562537508, 0.091553308564319392889},
    {0.52353411602516832052, 0.092341096538126942764},
    {0.61495715187648951749, 0.089984314078654937263},
    {0.70248013792504104445, 0.084563205061352411681},
    {0.78312255396486808385, 0.076262353038575301689},
    {0.85413814777521063367, 0.065364368676552397259},
    {0.91310837653714127463, 0.052240160849093828118},
    {0.95802441769047545454, 0.037335717275808082519},
    {0.98735302062604161803, 0.021150794758654947677},
    {1.0, 0.0034602076124567474048},
};

typedef bool (*maker)(quadrature *r, int s);

static const struct {
    const char *name;
    maker       make;
    int         least, lost; /* order is 2s - lost */
    bool        symmetric;
} families[] = {
    {"gauss", quadrature_gauss, 1, 0, true},
    {"lobatto", quadrature_lobatto, 2, 2, true},
    {"radau", quadrature_radau, 1, 1, false},
    {"radau_left", quadrature_radau_left, 1, 1, false},
};
enum { FAMILIES = sizeof families / sizeof *families };

static double ulp(double x)
{
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

static void check_ulps(double got, double want, double ulps)
{
    if (want == 0) check_close(got, 0, 0);
    else check_below(fabs(got - want) / ulp(want), ulps);
}

static void check_rule(maker make, int s, const double (*want)[2], int count)
{
    quadrature r;
    assert_true(make(&r, s));
    for (int i = 0; i < count; i++) {
        check_ulps(r.c[i], want[i][0], 1);
        check_ulps(r.b[i], want[i][1], 1);
    }
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void nodes_and_weights_have_all_digits(void **state)
{
    (void)state;
    check_rule(quadrature_gauss, 5, GAUSS_5, COUNT(GAUSS_5));
    check_rule(quadrature_gauss, 32, GAUSS_32, COUNT(GAUSS_32));
    check_rule(quadrature_lobatto, 7, LOBATTO_7, COUNT(LOBATTO_7));
    check_rule(quadrature_lobatto, 32, LOBATTO_32, COUNT(LOBATTO_32));
    check_rule(quadrature_radau, 4, RADAU_4, COUNT(RADAU_4));
    check_rule(quadrature_radau, 17, RADAU_17, COUNT(RADAU_17));
}

static void small_rules_are_the_ones_with_names(void **state)
{
    (void)state;
    quadrature r;
    quadrature_gauss(&r, 1);
    assert_true(r.c[0] == 0.5 && r.b[0] == 1);
    quadrature_lobatto(&r, 2);
    assert_true(r.c[0] == 0 && r.c[1] == 1 && r.b[0] == 0.5 && r.b[1] == 0.5);
    quadrature_lobatto(&r, 3);
    assert_true(r.c[0] == 0 && r.c[1] == 0.5 && r.c[2] == 1);
    assert_true(r.b[0] == 1 / 6. && r.b[1] == 2 / 3. && r.b[2] == 1 / 6.);
    quadrature_radau(&r, 2);
    assert_true(r.c[0] == 1 / 3. && r.c[1] == 1 && r.b[0] == 0.75 && r.b[1] == 0.25);
    quadrature_radau_left(&r, 1);
    assert_true(r.c[0] == 0 && r.b[0] == 1);
}

/* P_k(2c - 1), the polynomial of degree k that is orthogonal to all of lower degree on [0,1] */
static long double legendre(int k, double c)
{
    long double x = 2 * (long double)c - 1, before = 0, p = 1;
    for (int j = 0; j < k; j++) {
        long double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
        before = p, p = next;
    }
    return p;
}

static double moment(const quadrature *r, int k)
{
    long double sum = 0;
    for (int i = 0; i < r->s; i++) sum += r->b[i] * legendre(k, r->c[i]);
    return (double)sum;
}

/* The integral of P_k is 0 for k > 0. Rounding moves a node by at most 2^-54, P_k by k(k+1) times
 * that. */
static void rules_are_exact_below_their_order_and_not_at_it(void **state)
{
    (void)state;
    for (int f = 0; f < FAMILIES; f++)
        for (int s = families[f].least; s <= STAGES_MOST; s++) {
            quadrature r;
            assert_true(families[f].make(&r, s));
            assert_int_equal(r.order, 2 * s - families[f].lost);
            check_below(fabs(moment(&r, 0) - 1), DBL_EPSILON / 2);
            for (int k = 1; k < r.order; k++)
                check_below(fabs(moment(&r, k)), 2e-16 + 2e-17 * k * (k + 1));
            assert_true(fabs(moment(&r, r.order)) > 0.1);
        }
}

static void rules_are_ordered_positive_and_symmetric_to_the_bit(void **state)
{
    (void)state;
    for (int f = 0; f < FAMILIES; f++)
        for (int s = families[f].least; s <= STAGES_MOST; s++) {
            quadrature r;
            families[f].make(&r, s);
            assert_true(r.s == s && r.symmetric == families[f].symmetric);
            for (int i = 0; i < s; i++) {
                assert_true(r.b[i] > 0 && r.c[i] >= 0 && r.c[i] <= 1);
                assert_true(i == 0 || r.c[i] > r.c[i - 1]);
                if (!r.symmetric) continue;
                assert_true(r.c[i] + r.c[s - 1 - i] == 1 && r.b[i] == r.b[s - 1 - i]);
            }
        }
}

static void left_and_right_radau_are_mirror_images(void **state)
{
    (void)state;
    for (int s = 1; s <= STAGES_MOST; s++) {
        quadrature left, right;
        quadrature_radau_left(&left, s), quadrature_radau(&right, s);
        assert_true(left.c[0] == 0 && right.c[s - 1] == 1);
        for (int i = 0; i < s; i++)
            assert_true(left.c[i] + right.c[s - 1 - i] == 1 && left.b[i] == right.b[s - 1 - i]);
    }
}

static void a_rectangle_has_order_one_except_in_the_middle(void **state)
{
    (void)state;
    quadrature r;
    quadrature_rectangle(&r, 0.3);
    assert_true(r.s == 1 && r.order == 1 && r.c[0] == 0.3 && r.b[0] == 1 && !r.symmetric);
    quadrature_rectangle(&r, 0.5);
    assert_true(r.order == 2 && r.symmetric);
}

static void impossible_numbers_of_points_are_refused(void **state)
{
    (void)state;
    quadrature r;
    assert_false(quadrature_lobatto(&r, 1));
    for (int f = 0; f < FAMILIES; f++) {
        assert_false(families[f].make(&r, 0));
        assert_false(families[f].make(&r, STAGES_MOST + 1));
    }
}

/* {l_nu, l'_nu}, degree 16, at the third and the last point of Gauss(16), from mpmath. */
static const double BASIS_THIRD[][2] = {
    {0.0628038049612467428, -0.934797454130962847},
    {-0.194030809495205193, 3.6098428104577095},
    {0.612075063283980624, -27.0537627885578821},
    {0.655409682072472943, 26.2505386214506093},
    {-0.209374764685478558, -2.39830584713977968},
    {0.12155544939423137, 0.749773463513969259},
    {-0.0839066886459777339, -0.340077161556514339},
    {0.0629799670154856455, 0.186298405151971441},
    {-0.0496424112805901477, -0.114696446116203391},
    {0.0403565769130511856, 0.0764949778088518779},
    {-0.0334497777835205619, -0.054046898498339556},
    {0.0280123519912646967, 0.0398180831087028989},
    {-0.0234844441281814008, -0.0301728590278297276},
    {0.0194654827040325441, 0.0231548978305713866},
    {-0.0155899147657870848, -0.0175511584510986316},
    {0.0113437657569250175, 0.0123384725695108151},
    {-0.00452333330795008861, -0.00484911841328623703},
};
static const double BASIS_LAST[][2] = {
    {-0.00230310705819740587, 0.00231537747639298525},
    {0.00577056263998888338, -0.00588072894751464466},
    {-0.00791308693093656005, 0.0083283337765840021},
    {0.00984393981603762553, -0.0109068252847786079},
    {-0.0118115190409818807, 0.0140577347870275919},
    {0.0139793274224371287, -0.0182642438190186444},
    {-0.0165103417680742247, 0.0242518220428302469},
    {0.0196108333955966244, -0.0332693505245995384},
    {-0.0235811788014166083, 0.0476675894825501092},
    {0.0289033425265964165, -0.0722683870355173628},
    {-0.0364211106067658945, 0.118015381784841465},
    {0.0477647797406787635, -0.213228229553014795},
    {-0.0665224383695308435, 0.445902755916424333},
    {0.102295848779323248, -1.17781336184167232},
    {-0.191504181896003231, 4.87778633697850131},
    {0.696114602166355963, -85.5768567892658004},
    {0.432283727984891996, 81.5701625840267642},
};

static void the_basis_of_degree_16_has_all_digits(void **state)
{
    mem       *m = *state;
    quadrature g;
    quadrature_gauss(&g, 16);
    basis b = basis_new(m, 16, g.c, 16);
    for (int nu = 0; nu <= 16; nu++) {
        check_close(b.l[2 * 17 + nu], BASIS_THIRD[nu][0], 3e-16);
        check_close(b.l[15 * 17 + nu], BASIS_LAST[nu][0], 3e-16);
        check_below(fabs(b.dl[2 * 17 + nu] - BASIS_THIRD[nu][1]), 4 * ulp(16));
        check_below(fabs(b.dl[15 * 17 + nu] - BASIS_LAST[nu][1]), 4 * ulp(64));
    }
}

/* the largest |sum_nu dl_nu| of a row, in units in the last place of its largest entry */
static double imbalance(const basis *b)
{
    double worst = 0;
    for (int i = 0; i < b->points; i++) {
        long double sum = 0;
        double      largest = 0;
        for (int nu = 0; nu <= b->d; nu++) {
            double dl = b->dl[i * (b->d + 1) + nu];
            sum += dl, largest = fmax(largest, fabs(dl));
        }
        worst = fmax(worst, fabs((double)sum) / ulp(largest));
    }
    return worst;
}

static void a_constant_has_no_velocity_at_any_degree(void **state)
{
    mem *m = *state;
    for (int d = 1; d <= DEGREE_MOST; d++) {
        quadrature g;
        quadrature_gauss(&g, d);
        basis b = basis_new(m, d, g.c, d);
        check_below(imbalance(&b), 0.51); /* half a unit, and the rounding of the sum itself */
    }
}

static void the_basis_is_one_at_its_node_and_zero_at_the_others(void **state)
{
    mem *m = *state;
    for (int d = 1; d <= DEGREE_MOST; d++) {
        quadrature x;
        quadrature_lobatto(&x, d + 1);
        basis b = basis_new(m, d, x.c, d + 1);
        for (int i = 0; i <= d; i++)
            for (int nu = 0; nu <= d; nu++) assert_true(b.l[i * (d + 1) + nu] == (i == nu));
    }
}

/* P_k at point i of a symmetric rule: right of the middle through the mirror image, which has more
 * digits */
static long double legendre_of(const quadrature *r, int i, int k)
{
    bool right = r->c[i] > 0.5;
    return (right && k % 2 ? -1 : 1) * legendre(k, r->c[right ? r->s - 1 - i : i]);
}

/* A Legendre polynomial of degree d lies in the span of the basis, which reproduces it and its
 * slope. */
static void the_basis_reproduces_polynomials_of_its_degree(void **state)
{
    mem *m = *state;
    for (int d = 1; d <= DEGREE_MOST; d++) {
        quadrature x, g;
        quadrature_lobatto(&x, d + 1), quadrature_gauss(&g, d);
        basis b = basis_new(m, d, g.c, d);
        for (int i = 0; 2 * i < d; i++) {
            long double value = 0, slope = 0, u = 2 * (long double)g.c[i] - 1;
            for (int nu = 0; nu <= d; nu++) {
                value += b.l[i * (d + 1) + nu] * legendre_of(&x, nu, d);
                slope += b.dl[i * (d + 1) + nu] * legendre_of(&x, nu, d);
            }
            long double before = legendre(d - 1, g.c[i]), here = legendre(d, g.c[i]);
            long double want = 2 * d * (before - u * here) / ((1 - u) * (1 + u));
            check_close((double)value, (double)here, 2e-15);
            check_close((double)slope, (double)want, 1e-15 * d * d);
        }
    }
}

static void the_basis_of_a_symmetric_rule_is_symmetric(void **state)
{
    mem *m = *state;
    for (int d = 1; d <= DEGREE_MOST; d++) {
        quadrature g;
        quadrature_gauss(&g, d);
        basis b = basis_new(m, d, g.c, d);
        for (int i = 0; i < d; i++)
            for (int nu = 0; nu <= d; nu++) {
                int here = i * (d + 1) + nu, there = (d - 1 - i) * (d + 1) + d - nu;
                check_ulps(b.l[here], b.l[there], 1);
                check_below(fabs(b.dl[here] + b.dl[there]), 2 * ulp(2. * d * d));
            }
    }
}

static void simpson_has_the_textbook_slopes(void **state)
{
    mem         *m = *state;
    const double x[] = {0, 0.5, 1}, want[] = {-3, 4, -1, -1, 0, 1, 1, -4, 3};
    basis        b = basis_new(m, 2, x, 3);
    for (int i = 0; i < 9; i++) assert_true(b.dl[i] == want[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_weights_have_all_digits),
        cmocka_unit_test(small_rules_are_the_ones_with_names),
        cmocka_unit_test(rules_are_exact_below_their_order_and_not_at_it),
        cmocka_unit_test(rules_are_ordered_positive_and_symmetric_to_the_bit),
        cmocka_unit_test(left_and_right_radau_are_mirror_images),
        cmocka_unit_test(a_rectangle_has_order_one_except_in_the_middle),
        cmocka_unit_test(impossible_numbers_of_points_are_refused),
        cmocka_unit_test(the_basis_of_degree_16_has_all_digits),
        cmocka_unit_test(a_constant_has_no_velocity_at_any_degree),
        cmocka_unit_test(the_basis_is_one_at_its_node_and_zero_at_the_others),
        cmocka_unit_test(the_basis_reproduces_polynomials_of_its_degree),
        cmocka_unit_test(the_basis_of_a_symmetric_rule_is_symmetric),
        cmocka_unit_test(simpson_has_the_textbook_slopes),
    };
    return cmocka_run_group_tests(tests, open_mem, close_mem);
}
