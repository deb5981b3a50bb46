/* problems.c - the small problems: as text of the language, and as right-hand sides by hand. */
#include "problem.h"

#include "forces.h"

static void well_rhs(double t, const double *y, double *dy)
{
    (void)t;
    dy[0] = y[1], well_force(y, y + 1, dy + 1);
}

const problem double_well = {
    .name = "double well",
    .model = "system W {\n coordinate q\n lagrangian q'^2/2 - (q^4 - q^2)/2\n start q = 0.74\n}\n",
    .n = 1, .size = 2, .start = {0.74, 0}, .until = 1000,
    .rhs = well_rhs, .force = well_force, .slopes = well_slopes,
};

static void kepler_rhs(double t, const double *y, double *dy)
{
    (void)t;
    dy[0] = y[2], dy[1] = y[3], kepler_force(y, y + 2, dy + 2);
}

const problem kepler = {
    .name = "Kepler, e = 0.6",
    .model = "system K {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n "
             "start x = 0.4, y' = 2\n}\n",
    .n = 2,
    .size = 4,
    .start = {0.4, 0, 0, 2},
    .until = 628.31853071795864769,
    .periods = 100,
    .rhs = kepler_rhs,
    .force = kepler_force,
    .slopes = kepler_slopes,
};

const problem close_orbit = {
    .name = "Kepler, e = 0.9",
    .model = "system K {\n coordinate x, y\n let r = sqrt(x^2 + y^2)\n"
             " lagrangian (x'^2 + y'^2)/2 + 1/r\n start x = 0.1, y' = sqrt(19)\n}\n",
    .n = 2,
    .size = 4,
    .start = {0.1, 0, 0, 4.3588989435406736},
    .until = 62.831853071795864769,
    .periods = 10,
    .rhs = kepler_rhs,
    .force = kepler_force,
    .slopes = kepler_slopes,
};

static void vdp_rhs(double t, const double *y, double *dy)
{
    (void)t;
    dy[0] = y[2], dy[1] = y[3], vdp_force(y, y + 2, dy + 2);
}

const problem van_der_pol = {
    .name = "coupled van der Pol",
    .model = "system V {\n parameter eps = 0.5, rho = 0.02, lam = 0.8\n coordinate a, b\n"
             " lagrangian (a'^2 + b'^2)/2 - a^2/2 - (1 + rho)*b^2/2 - lam*(a - b)^2\n"
             " force a: (eps - a^2)*a'\n force b: (eps - b^2)*b'\n"
             " start a = -0.5, b = -0.25, b' = 4\n}\n",
    .n = 2, .size = 4, .start = {-0.5, -0.25, 0, 4}, .until = 100,
    .rhs = vdp_rhs, .force = vdp_force, .slopes = vdp_slopes,
};

/* Chaplygin's sleigh, reduced by hand to (x, y, th, u, w): m = 1, I = 0.4, a = 0.3. */
static void sleigh_rhs(double t, const double *y, double *dy)
{
    (void)t;
    dy[0] = y[3] * cos(y[2]), dy[1] = y[3] * sin(y[2]), dy[2] = y[4];
    dy[3] = 0.3 * y[4] * y[4], dy[4] = -0.3 / 0.49 * y[3] * y[4];
}

const problem sleigh = {
    .name = "Chaplygin's sleigh",
    .model = "system S {\n parameter m = 1, I = 0.4, a = 0.3\n coordinate x, y, th\n"
             " let X = x + a*cos(th), Y = y + a*sin(th)\n"
             " lagrangian m/2*(X'^2 + Y'^2) + I/2*th'^2\n"
             " constraint runner: -sin(th)*x' + cos(th)*y' = 0\n start x' = 0.2, th' = 1\n}\n",
    .n = 3, .size = 5, .start = {0, 0, 0, 0.2, 1}, .until = 30,
    .rhs = sleigh_rhs,
};
