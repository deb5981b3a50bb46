/* test_api_linear_sites.c - large linear chains whose sites are not alike: of several coordinates,
 * without mass, refined in every step, and so long that several groups share them. */
#include "linear_run.h"

static const char PLANAR[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.1*x*y - x^2 }\n"
    "system Planar {\n"
    "  part m[501] : Bead\n"
    "  lagrangian -sum(k in 1..500: (m[k+1].x - m[k].x)^2/2 + (m[k+1].y - m[k].y)^2 + "
    "m[k].x*m[k+1].y/5)\n"
    "  for k in 1..501 { start m[k].x = cos(0.3*k)\n    start m[k].y = sin(0.1*k) }\n"
    "}\n";
static const char SPATIAL[] =
    "system Bead { coordinate r[3]\n  lagrangian (r[1]'^2 + r[2]'^2 + r[3]'^2)/2 - (r[1] - r[2] + "
    "r[3])^2/3\n"
    "  for j in 1..3 { force r[j]: -0.01*r[j]' } }\n"
    "system Rope {\n"
    "  part m[301] : Bead\n"
    "  lagrangian -sum(k in 1..300: sum(j in 1..3: (m[k+1].r[j] - m[k].r[j])^2/2))\n"
    "  for k in 1..301 { start m[k].r[1] = 0.3*sin(0.1*k)\n    start m[k].r[3]' = 0.1*cos(0.3*k) "
    "}\n"
    "}\n";
/* every second site is without mass, and dragged along */
static const char MASSLESS[] =
    "system Chain {\n"
    "  coordinate x[800]\n"
    "  lagrangian sum(k in 1..400: x[2*k]'^2/2) - sum(k in 1..799: (x[k+1] - x[k])^2/2)\n"
    "  for k in 1..400 { force x[2*k-1]: -0.5*x[2*k-1]' }\n"
    "  for k in 1..400 { start x[2*k] = 0.1*sin(0.2*k) }\n"
    "}\n";
/* a short wave and steps to match, and a matrix that is not symmetric: predictions are no good, and
 * every step is refined */
static const char ROUGH[] =
    "system Chain {\n"
    "  coordinate x[700]\n"
    "  lagrangian sum(k in 1..700: x[k]'^2/2) - sum(k in 1..699: 400*(x[k+1] - x[k])^2/2)\n"
    "  for k in 1..699 { force x[k]: 0.001*(x[k+1]' - x[k]') }\n"
    "  for k in 1..700 { start x[k] = cos(2.5*k) }\n"
    "}\n";
/* a stretch of other links, and one spring that is longer */
static const char LONG[] =
    "system Chain {\n"
    "  coordinate x[20011]\n"
    "  lagrangian sum(i in 1..20011: x[i]'^2/2) - sum(i in 1..12000: (x[i+1] - x[i])^2/2)\n"
    "  lagrangian -sum(i in 12001..20010: 0.3*(x[i+1] - x[i])^2) - (x[9000] - x[9002])^2/4\n"
    "  for i in 1..20011 { force x[i]: -0.01*x[i]'\n    start x[i] = 0.3*cos(0.2*i) }\n"
    "}\n";

static const linear_row rows[] = {
    {PLANAR, "midpoint", "compensated", "eliminate", "band", false},
    {SPATIAL, "midpoint", "plain", "eliminate", "band", false},
    {MASSLESS, "midpoint", "compensated", "eliminate", "tridiagonal", false},
    {ROUGH, "midpoint", "compensated", "eliminate", "tridiagonal", true},
    {LONG, "midpoint", "plain", "eliminate", "band", false},
};
static linear_list all = {rows, sizeof rows / sizeof *rows};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LINEAR_TESTS(&all),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
