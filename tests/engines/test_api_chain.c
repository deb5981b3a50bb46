/* test_api_chain.c - chains that are solved in partitions: of several groups, of lengths that
 * partitions do not divide, with places of two coordinates, and where pivots must be exchanged.
 * They move as the same system does when it is evaluated and factored as a whole; on any number
 * of threads they give the same bits. */
#include "chain_run.h"

/* a prime number of masses that differ, a drive, friction, a wall */
static const char LONG[] =
    "system Chain {\n"
    "  parameter c = 0.02\n"
    "  coordinate x[32771]\n"
    "  lagrangian sum(k in 1..32771: (1 + 0.3*sin(k))*x[k]'^2/2)"
    " - sum(k in 1..32770: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  lagrangian -x[1]^2/2\n"
    "  for k in 1..32771 { force x[k]: -c*x[k]' }\n"
    "  force x[32771]: 0.3*sin(2*t)\n"
    "  for k in 1..32771 { start x[k] = 0.3*cos(0.2*k) }\n"
    "}\n";
/* springs that turn in the plane: all four numbers of two neighbours meet in a row */
static const char PLANE[] =
    "system Bead { coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - 0.3*y }\n"
    "system Rope {\n"
    "  part m[211] : Bead\n"
    "  lagrangian -sum(k in 1..210:"
    " 5*(sqrt((m[k+1].x - m[k].x)^2 + (m[k+1].y - m[k].y)^2) - 1)^2)\n"
    "  lagrangian -(m[1].x^2 + m[1].y^2)\n"
    "  for k in 1..211 { start m[k].x = 1.01*k\n    start m[k].y = 0.2*sin(0.3*k) }\n"
    "}\n";
/* inertia couples neighbours in pairs, and has nothing on the diagonal */
static const char PAIRS[] =
    "system Pairs {\n"
    "  coordinate x[600]\n"
    "  lagrangian sum(k in 1..300: x[2*k-1]'*x[2*k]') - sum(k in 1..599: (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..600 { start x[k] = 0.0002*sin(k)\n    start x[k]' = 0.0001*cos(k) }\n"
    "}\n";
/* short: partitions of 38 masses, the last of 35 */
static const char SHORT[] =
    "system Chain {\n"
    "  parameter N = 301\n"
    "  coordinate x[N]\n"
    "  lagrangian sum(k in 1..N: x[k]'^2/2)"
    " - sum(k in 1..N-1: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N { start x[k] = 0.2*cos(0.2*k) }\n"
    "}\n";

/* soft in front, so that partitions do not see each other, and stiff behind, so that they do */
static const char STIFF[] =
    "system Chain {\n"
    "  coordinate x[32801]\n"
    "  lagrangian sum(k in 1..32801: x[k]'^2/2) - sum(k in 1..32800: (x[k+1] - x[k])^4/4)\n"
    "  lagrangian -sum(k in 1..18000: (x[k+1] - x[k])^2/2)"
    " - sum(k in 18001..32800: 30*(x[k+1] - x[k])^2)\n"
    "  for k in 1..32801 { start x[k] = 0.2*cos(0.5*k) }\n"
    "}\n";

static const chain_row rows[] = {
    {LONG, NULL, "0.4", "compensated", "tridiagonal"},
    {PLANE, NULL, "0.1", "compensated", "band"},
    {PAIRS, NULL, "0.05", "compensated", "tridiagonal"},
    {SHORT, "N=301", "0.3", "plain", "tridiagonal"},
    {STIFF, NULL, "1", "compensated", "tridiagonal"},
};

int main(void)
{
    return run_chains(rows, sizeof rows / sizeof *rows);
}
