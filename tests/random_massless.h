/* random_massless.h - random systems with directions without inertia whose motion is known: masses
 * and massless coordinates in a polynomial potential, a one-form, drag, gyroscopic forces, and
 * relations of positions and velocities with coefficients that vary with the state and time. A
 * force of time alone, what the equations of motion leave over along the curve Q(t) with the
 * reactions Lam(t), makes that curve the motion. */
#ifndef TESTS_RANDOM_MASSLESS_H
#define TESTS_RANDOM_MASSLESS_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COORDINATES_MOST = 6, RELATIONS_MOST = 3, MONOMIALS = 3, DEGREE_OF_ALL = 4 };

typedef struct { /* sum_k c_k (1 + s_k sin t) prod_i q_i^e_ki */
    int    count;
    double c[MONOMIALS], s[MONOMIALS];
    int    e[MONOMIALS][COORDINATES_MOST];
} poly;

typedef struct {
    int      n, masses, relations, positions; /* the last `positions` relations are holonomic */
    poly     V, theta[COORDINATES_MOST], drag[COORDINATES_MOST];
    double   mass[COORDINATES_MOST], stiffness[COORDINATES_MOST];
    double   gyro; /* between the first mass and the first massless coordinate */
    poly     row[RELATIONS_MOST][COORDINATES_MOST], g[RELATIONS_MOST];
    double   a[COORDINATES_MOST], b[COORDINATES_MOST], w[COORDINATES_MOST];
    double   lam[RELATIONS_MOST];
    uint64_t seed;
} random_system;

static inline double draw(random_system *r, double from, double to)
{
    r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(r->seed >> 11) / 9007199254740992.0;
}

static inline int draw_int(random_system *r, int from, int to)
{
    return from + (int)(draw(r, 0, 1) * (to - from + 1) * 0.999999);
}

static inline poly draw_poly(random_system *r, double size, int degree, bool timed)
{
    poly p = {.count = MONOMIALS};
    for (int k = 0; k < p.count; k++) {
        p.c[k] = draw(r, -size, size), p.s[k] = timed ? draw(r, -0.5, 0.5) : 0;
        for (int d = draw_int(r, 1, degree); d > 0; d--) p.e[k][draw_int(r, 0, r->n - 1)]++;
    }
    return p;
}

/* dp/dq_i */
static inline poly derived_poly(const poly *p, int i)
{
    poly d = *p;
    for (int k = 0; k < d.count; k++) d.c[k] *= d.e[k][i], d.e[k][i] -= d.e[k][i] > 0;
    return d;
}

typedef struct {
    char   at[40000];
    size_t used;
} words;

__attribute__((format(printf, 2, 3))) static inline void say(words *w, const char *form, ...)
{
    va_list of;
    va_start(of, form);
    w->used += (size_t)vsnprintf(w->at + w->used, sizeof w->at - w->used, form, of);
    va_end(of);
}

/* In the coordinates q_i, or along the curve. */
static inline void say_poly(words *w, const poly *p, int n, bool on_curve)
{
    say(w, "(0");
    for (int k = 0; k < p->count; k++) {
        if (p->c[k] == 0) continue;
        say(w, " + %.17g*(1 + %.17g*sin(t))", p->c[k], p->s[k]);
        for (int i = 0; i < n; i++)
            if (p->e[k][i]) say(w, "*%s%d^%d", on_curve ? "Q" : "q", i, p->e[k][i]);
    }
    say(w, ")");
}

/* theta_i changes with time, too. */
static inline void say_poly_rate(words *w, const poly *p, int n)
{
    say(w, "(0");
    for (int k = 0; k < p->count; k++) {
        say(w, " + %.17g*%.17g*cos(t)", p->c[k], p->s[k]);
        for (int i = 0; i < n; i++)
            if (p->e[k][i]) say(w, "*Q%d^%d", i, p->e[k][i]);
    }
    say(w, ")");
}

/* Which of a system's kinds a seed draws: stiffness alone, drag, a one-form, or some of each. */
static inline void draw_push(random_system *r)
{
    const int kind = draw_int(r, 0, 4);
    for (int i = 0; i < r->n; i++) {
        const bool massless = i >= r->masses;
        const bool first = i == r->masses && r->n > r->masses + 2; /* others are stiff along it */
        if ((massless && (kind == 1 || (kind == 2 && first))) ||
            (!massless && draw(r, 0, 1) < 0.5)) {
            r->drag[i] = draw_poly(r, 0.2, 2, false);
            r->drag[i].c[0] = draw(r, 0.8, 1.5), memset(r->drag[i].e[0], 0, sizeof r->drag[i].e[0]);
        }
        if (kind == 3) r->theta[i] = draw_poly(r, 0.15, 3, true);
    }
    /* a symplectic part: theta_i = 2 q_j of pairs without inertia; what is left over has drag */
    const int open = r->n - r->masses - r->relations;
    for (int i = r->masses; kind == 3 && i < r->n; i++) {
        if (open % 2) r->drag[i] = (poly){.count = 1, .c = {1}};
        r->theta[i].c[0] = i % 2 ? 1.7 : -0.4, r->theta[i].s[0] = 0;
        memset(r->theta[i].e[0], 0, sizeof r->theta[i].e[0]);
        r->theta[i].e[0][i + 1 < r->n ? i + 1 : r->masses] = 1;
    }
    if (kind == 4) r->gyro = draw(r, 0.2, 0.6);
}

static inline random_system draw_system(uint64_t seed)
{
    random_system r = {.seed = seed * 7919 + 17};
    r.masses = draw_int(&r, 1, 2), r.n = r.masses + draw_int(&r, 2, 4);
    const int k = r.n - r.masses;
    r.relations = draw_int(&r, 1, k > 3 ? 2 : 1), r.positions = draw_int(&r, 0, r.relations);
    r.V = draw_poly(&r, 0.2, DEGREE_OF_ALL, true);
    draw_push(&r);
    for (int i = 0; i < r.n; i++) {
        r.mass[i] = i < r.masses ? draw(&r, 0.8, 2) : 0, r.stiffness[i] = draw(&r, 1, 2);
        r.a[i] = draw(&r, -0.6, 0.6), r.b[i] = draw(&r, 0.2, 0.5), r.w[i] = draw(&r, 0.7, 1.6);
    }
    for (int a = 0; a < r.relations; a++) {
        r.lam[a] = draw(&r, -0.5, 0.5);
        r.g[a] = draw_poly(&r, 0.25, 3, true);
        r.g[a].c[0] = 1, memset(r.g[a].e[0], 0, sizeof r.g[a].e[0]);
        r.g[a].s[0] = 0, r.g[a].e[0][r.masses + a] = 1;
        r.g[a].c[1] = draw(&r, 0.4, 0.9), memset(r.g[a].e[1], 0, sizeof r.g[a].e[1]);
        r.g[a].e[1][r.n - 1] = 1;
        for (int i = 0; i < r.n; i++) {
            r.row[a][i] = draw_poly(&r, 0.15, 2, true);
            if (i >= r.masses && i < r.masses + r.relations && i != r.masses + a)
                r.row[a][i].count = 0;
            if (i == r.masses + a || i == r.n - 1)
                r.row[a][i].c[0] = i == r.n - 1 ? 0.6 : 1,
                memset(r.row[a][i].e[0], 0, sizeof r.row[a][i].e[0]);
        }
    }
    return r;
}

static inline bool is_position(const random_system *r, int a)
{
    return a >= r->relations - r->positions;
}

static inline poly coefficient(const random_system *r, int a, int i)
{
    return is_position(r, a) ? derived_poly(&r->g[a], i) : r->row[a][i];
}

/* What the equation of motion of coordinate i leaves over along the curve:
 *     m a + theta_it + sum_j (theta_ij - theta_ji) v_j + V_i + stiffness q + drag v -+ gyro v - A^T
 * lam */
static inline void say_force(words *w, const random_system *r, int i)
{
    say(w, "%.17g*A%d + %.17g*Q%d + ", r->mass[i], i, r->stiffness[i], i);
    const poly V = derived_poly(&r->V, i);
    say_poly(w, &V, r->n, true), say(w, " + "), say_poly_rate(w, &r->theta[i], r->n);
    for (int j = 0; j < r->n; j++) {
        const poly ij = derived_poly(&r->theta[i], j), ji = derived_poly(&r->theta[j], i);
        say(w, " + ("), say_poly(w, &ij, r->n, true), say(w, " - "), say_poly(w, &ji, r->n, true);
        say(w, ")*V%d", j);
    }
    say(w, " + "), say_poly(w, &r->drag[i], r->n, true), say(w, "*V%d", i);
    if (i == 0) say(w, " + %.17g*V%d", r->gyro, r->masses);
    if (i == r->masses) say(w, " - %.17g*V0", r->gyro);
    for (int a = 0; a < r->relations; a++) {
        const poly A = coefficient(r, a, i);
        say(w, " - "), say_poly(w, &A, r->n, true), say(w, "*%.17g*cos(t)", r->lam[a]);
    }
}

static inline void say_curve(words *w, const random_system *r)
{
    for (int i = 0; i < r->n; i++) {
        const double a = r->a[i], b = r->b[i], f = r->w[i], c = 0.3 * i;
        say(w, "  let Q%d = %.17g + %.17g*sin(%.17g*t + %.17g)\n", i, a, b, f, c);
        say(w, "  let V%d = %.17g*cos(%.17g*t + %.17g)\n", i, b * f, f, c);
        say(w, "  let A%d = %.17g*sin(%.17g*t + %.17g)\n", i, -b * f * f, f, c);
    }
}

static inline void say_relations(words *w, const random_system *r)
{
    for (int a = 0; a < r->relations; a++) {
        if (is_position(r, a)) {
            say(w, "  holonomic c%d: ", a), say_poly(w, &r->g[a], r->n, false), say(w, " = ");
            say_poly(w, &r->g[a], r->n, true), say(w, "\n");
            continue;
        }
        say(w, "  constraint c%d: 0", a);
        for (int i = 0; i < r->n; i++)
            say(w, " + "), say_poly(w, &r->row[a][i], r->n, false), say(w, "*q%d'", i);
        say(w, " = 0");
        for (int i = 0; i < r->n; i++)
            say(w, " + "), say_poly(w, &r->row[a][i], r->n, true), say(w, "*V%d", i);
        say(w, "\n");
    }
}

static inline void say_system(words *w, const random_system *r)
{
    w->used = 0;
    say(w, "system Random {\n  coordinate q0");
    for (int i = 1; i < r->n; i++) say(w, ", q%d", i);
    say(w, "\n"), say_curve(w, r);
    for (int i = 0; i < r->n; i++) {
        say(w, "  lagrangian %.17g*q%d'^2/2 - %.17g*q%d^2/2 + ", r->mass[i], i, r->stiffness[i], i);
        say_poly(w, &r->theta[i], r->n, false), say(w, "*q%d'\n", i);
    }
    say(w, "  lagrangian -"), say_poly(w, &r->V, r->n, false), say(w, "\n");
    for (int i = 0; i < r->n; i++) {
        say(w, "  force q%d: -", i), say_poly(w, &r->drag[i], r->n, false), say(w, "*q%d'", i);
        if (i == 0) say(w, " - %.17g*q%d'", r->gyro, r->masses);
        if (i == r->masses) say(w, " + %.17g*q0'", r->gyro);
        say(w, " + "), say_force(w, r, i), say(w, "\n");
    }
    say_relations(w, r);
    for (int i = 0; i < r->n; i++) {
        const double c = 0.3 * i;
        say(w, "  start q%d = %.17g\n", i, r->a[i] + r->b[i] * sin(c));
        if (i < r->masses) say(w, "  start q%d' = %.17g\n", i, r->b[i] * r->w[i] * cos(c));
    }
    say(w, "}\n");
}

static inline double curve_at(const random_system *r, int i, double t)
{
    return r->a[i] + r->b[i] * sin(r->w[i] * t + 0.3 * i);
}

#endif
