/* springs.h - texts of large systems of masses and hard springs: chains, ladders, lattices, nested
 * arrays. */
#ifndef TESTS_SPRINGS_H
#define TESTS_SPRINGS_H

#define SPRING(x) "((" x ")^2/2 + (" x ")^4/4)"
#define START "  for i in 1..N { start u[i] = 0.4*sin(0.7*i) }\n"

/* clang-format off */

/* more: terms and forces */
#define CHAIN_OF(N, more)                                                                          \
    "system Chain {\n"                                                                             \
    "  parameter N = " #N "\n"                                                                     \
    "  coordinate u[N]\n"                                                                          \
    "  lagrangian sum(i in 1..N: (1 + 0.5*sin(i))*u[i]'^2/2)\n"                                    \
    "  lagrangian -sum(i in 1..N-1: " SPRING("u[i+1] - u[i]") ")\n" more START "}\n"
/* inertia: of a rung, as terms */
#define LADDER_OF(N, inertia)                                                                      \
    "system Ladder {\n"                                                                            \
    "  parameter N = " #N "\n"                                                                     \
    "  coordinate u[N], w[N]\n"                                                                    \
    "  lagrangian sum(i in 1..N: " inertia " - " SPRING("u[i] - w[i]") ")\n"                       \
    "  lagrangian -sum(i in 1..N-1: " SPRING("u[i+1] - u[i]") " + " SPRING("w[i+1] - w[i]") ")\n"  \
    START "}\n"
#define LATTICE_OF(N)                                                                              \
    "system Lattice {\n"                                                                           \
    "  parameter N = " #N "\n"                                                                     \
    "  coordinate u[N][N]\n"                                                                       \
    "  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 - u[i][j]^2/2)\n"                         \
    "  lagrangian -sum(i in 1..N-1, j in 1..N: " SPRING("u[i+1][j] - u[i][j]") ")\n"               \
    "  lagrangian -sum(i in 1..N, j in 1..N-1: " SPRING("u[i][j+1] - u[i][j]") ")\n"               \
    "  for i in 1..N { for j in 1..N { start u[i][j] = 0.3*sin(0.7*i)*cos(0.4*j) } }\n"            \
    "}\n"
#define CELLS_OF(N)                                                                                \
    "system Cell {\n"                                                                              \
    "  coordinate a[4]\n"                                                                          \
    "  lagrangian sum(k in 1..4: a[k]'^2/2) - sum(k in 1..3: " SPRING("a[k+1] - a[k]") ")\n"       \
    "}\n"                                                                                          \
    "system Cells {\n"                                                                             \
    "  parameter N = " #N "\n"                                                                     \
    "  part cell[N]: Cell\n"                                                                       \
    "  lagrangian -sum(k in 1..N-1: " SPRING("cell[k+1].a[1] - cell[k].a[4]") ")\n"                \
    "  for k in 1..N { start cell[k].a[1] = 0.3*sin(0.37*k) }\n"                                   \
    "}\n"

/* clang-format on */

#endif
