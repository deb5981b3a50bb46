/* test_api_chain_sites.c - long chains most of whose rows are the same sums, so that they are
 * evaluated where they are eliminated: with places of two and three coordinates, and of several
 * materials. */
#include "chain_run.h"

/* springs in the plane and in space; where the first site begins is not where a partition does */
static const char CABLE[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.3*y\n  force x: -0.01*x' }\n"
    "system Cable {\n"
    "  coordinate s\n"
    "  part m[1403] : Bead\n"
    "  lagrangian s'^2/2 - (m[1].x - s)^2\n"
    "  lagrangian -sum(k in 1..1402:"
    " 5*(sqrt((m[k+1].x - m[k].x)^2 + (m[k+1].y - m[k].y)^2) - 1)^2)\n"
    "  lagrangian -(m[1].x^2 + m[1].y^2)\n"
    "  for k in 1..1403 { start m[k].x = 1.01*k\n    start m[k].y = 0.2*sin(0.3*k) }\n"
    "}\n";
static const char SPACE[] =
    "system Bead { coordinate x, y, z\n  lagrangian (x'^2 + y'^2 + z'^2)/2 - 0.3*y }\n"
    "system Rope {\n"
    "  part m[1001] : Bead\n"
    "  lagrangian -sum(k in 1..1000:"
    " ((m[k+1].x - m[k].x)^2 + (m[k+1].y - m[k].y)^2 + (m[k+1].z - m[k].z)^2)^2/4)\n"
    "  for k in 1..1001 { start m[k].x = 0.3*cos(0.2*k)\n    start m[k].y = 0.2*sin(0.3*k)\n"
    "    start m[k].z = 0.1*cos(k) }\n"
    "}\n";
/* two materials of parts, a heavy mass between them, and a spring to the ground far from it */
static const char MATERIALS[] =
    "system Spring {\n"
    "  parameter k = 1, b = 0.5\n"
    "  coordinate a, e\n"
    "  lagrangian (a'^2 + e'^2)/4 - k*(e - a)^2/2 - b*(e - a)^4/4\n"
    "}\n"
    "system Chain {\n"
    "  parameter N = 6000, M = 5000\n"
    "  part s[N] : Spring(k = 1.5)\n"
    "  part r[M] : Spring(k = 0.7, b = 0.25)\n"
    "  for k in 1..N-1 { connect s[k].e = s[k+1].a }\n"
    "  for k in 1..M-1 { connect r[k].e = r[k+1].a }\n"
    "  connect s[N].e = r[1].a\n"
    "  lagrangian 2*r[1].a'^2 - s[2500].a^2\n"
    "  for k in 1..N { start s[k].a = 0.4*sin(0.5*k) }\n"
    "  for k in 1..M { start r[k].a = 0.3*cos(0.4*k) }\n"
    "}\n";

static const chain_row rows[] = {
    {CABLE, NULL, "0.1", "compensated", "band"},
    {SPACE, NULL, "0.2", "plain", "band"},
    {MATERIALS, NULL, "0.4", "plain", "tridiagonal"},
    {MATERIALS, NULL, "0.9", "compensated", "tridiagonal"}, /* predictions are poor */
};

int main(void)
{
    return run_chains(rows, sizeof rows / sizeof *rows);
}
