/* simplified.h - systems whose steps simplified Newton makes: constraints of every kind, inertia
 * that varies. */
#ifndef TESTS_SIMPLIFIED_H
#define TESTS_SIMPLIFIED_H

#include "compiled.h"

typedef struct {
    const char *model, *scheme, *step;
} problem;

static const char SLEIGH[] =
    "system Sleigh {\n parameter m = 1, I = 0.4, a = 0.3, c = 0.05\n coordinate x, y, th\n"
    " let X = x + a*cos(th), Y = y + a*sin(th)\n lagrangian m/2*(X'^2 + Y'^2) + I/2*th'^2 - "
    "cos(y)/2\n"
    " force x: -c*x'\n force y: -c*y'*(1 + x^2)\n force th: -c*th' + cos(2*t)/9\n"
    " constraint runner: -sin(th)*x' + cos(th)*y' = 0\n start x' = 0.2, th' = 1\n}\n";

static const char DISK[] =
    "system Disk {\n parameter m = 1, I = 0.4, J = 0.2, R = 0.7\n coordinate x, y, th, ph\n"
    " lagrangian m/2*(x'^2 + y'^2) + I/2*th'^2 + J/2*ph'^2 - (x^2 + 2*y^2)/2 - sin(th)/2 + "
    "cos(ph)/2\n"
    " constraint rollx: x' = R*th'*cos(ph)\n constraint rolly: y' = R*th'*sin(ph)\n"
    " start th' = 1, x' = 0.7, ph' = 0.5\n}\n";

static const char DRIVEN[] = /* the blade turns with the table under it */
    "system Driven {\n parameter w = 0.4\n coordinate x, y, th\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/4 - x/3 - (x^2 + y^2)/4\n"
    " force th: sin(3*t)/5\n"
    " constraint blade: -sin(th)*(x' + w*y*cos(t)) + cos(th)*(y' - w*x) = 0\n"
    " start x' = 0.3, y' = 0, th' = 0.8\n}\n";

static const char BOARD[] = /* two wheel sets and a rotor on a body */
    "system Board {\n parameter l = 0.5, a = 0.4\n coordinate x, y, th, psi, f, b\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/3 + (psi' + th')^2/8 + (f'^2 + b'^2)/16 - cos(psi)/5\n"
    " force f: cos(t)/20 - f/4 - f'/9\n force b: sin(2*t)/20 - b/4 - b'/9\n force psi: sin(t)/9\n"
    " constraint front: -sin(th + a + f)*x' + cos(th + a + f)*y' + l*cos(a + f)*th' = 0\n"
    " constraint back: -sin(th - a + b)*x' + cos(th - a + b)*y' - l*cos(b - a)*th' = 0\n"
    " start psi' = 0.5\n}\n";

static const char ARM[] = /* no constraint, inertia that varies */
    "system Arm {\n parameter g = 9.81\n coordinate a, b\n"
    " let X = sin(a) + sin(b)/2, Y = -cos(a) - cos(b)/2\n"
    " lagrangian (a'^2 + X'^2 + Y'^2)/2 + g*cos(a) - g*Y\n"
    " force a: -a'/20\n start a = 0.7, b = 1.2, a' = 0.3\n}\n";

static const char RODS[] = /* positions are constrained, and move */
    "system Rods {\n parameter g = 3\n coordinate x, y, X, Y\n"
    " lagrangian (x'^2 + y'^2)/2 + 0.35*(X'^2 + Y'^2) - g*y - 0.7*g*Y - x^4/9\n"
    " force X: -X'/9\n"
    " holonomic inner: x^2 + (y - sin(t)/9)^2 = 1\n holonomic outer: (X - x)^2 + (Y - y)^2 = 0.64\n"
    " start x = 0.6, y = -0.8, X = 0.6, Y = -1.6, x' = 0.4, X' = 0.1\n}\n";

/* x moves first, then th, then y and c: nothing has a scale at first */
static const char RESTING[] =
    "system Resting {\n coordinate x, y, th, c\n"
    " lagrangian (x'^2 + y'^2)/2 + th'^2/5 + c'^2/7 - y*c^2 - (c - th)^4\n"
    " force x: 0.3\n force th: x/2 - th'/9\n"
    " constraint -sin(th)*x' + cos(th)*y' = 0\n}\n";

static inline run open_problem(const problem *p, const char *backend, const char *steps)
{
    const setting set[] = {{"backend", backend}, {"scheme", p->scheme},    {"step", p->step},
                           {"steps", steps},     {"project-start", "yes"}, {0}};
    return begin_text(p->model, set);
}

#endif
