/* step_differences.h - the tangent of a step beside differences of the step itself, of fourth
 * order: in q, p, t, h, every parameter and every input. */
#ifndef TESTS_STEP_DIFFERENCES_H
#define TESTS_STEP_DIFFERENCES_H

#include "bench.h"
#include "mech/interaction/interaction.h"
#include "mech/tangent/tangent.h"
#include "model/compile.h"

enum { N_MOST = 8, OTHERS_MOST = 12 };

typedef struct {
    bench           b;
    const compiled *compiled;
    bound          *bound;
    dal_system     *sys;
    interaction    *joint; /* NULL, or connections are forces */
    text            why;
    scheme          sch;
    stepper        *st;
    double          t, h, q[N_MOST], p[N_MOST], v[N_MOST];
} setup;

static inline void connect_by_forces(setup *s)
{
    mem     *m = &s->b.m;
    uint8_t *as_force = mem_array(m, s->sys->m + s->sys->r + 1, uint8_t);
    for (int a = 0; a < s->b.md->relation.n; a++)
        as_force[compiled_row(s->compiled, a)] = s->b.md->relation.at[a].connection;
    if (interaction_new(m, s->sys, as_force, &s->joint, &s->why)) fail_msg("%s", text_str(&s->why));
    s->sys = interaction_system(s->joint);
}

/* After parameters have changed. */
static inline void refresh(setup *s)
{
    bound_refresh(s->bound);
    if (s->joint) interaction_forget(s->joint);
}

static inline void open_setup(setup *s, const char *words, const char *scheme_words,
                              const char *force, const step_options *o, double h, bool by_forces)
{
    *s = (setup){.t = 0.3, .h = h};
    make(&s->b, words);
    mem *m = &s->b.m;
    s->compiled = compile(m, s->b.md);
    s->bound = bound_new(m, s->compiled, s->b.v.parameter, s->b.v.input);
    s->sys = bound_system(s->bound);
    s->why = text_new(m);
    if (by_forces) connect_by_forces(s);
    const int n = s->sys->n;
    assert_true(n <= N_MOST);
    double     room[N_MOST];
    sys_values out = {.Lq = room, .Lw = s->p};
    memcpy(s->q, s->b.v.q, (size_t)n * sizeof *s->q),
        memcpy(s->v, s->b.v.v, (size_t)n * sizeof *s->v);
    s->sys->eval(s->sys->self, WANT_GRADIENT, 1,
                 &(sys_point){.t = s->t, .q = s->q, .w = s->v, .v = s->v}, &out);
    for (int i = 0; i < n; i++)
        if (s->sys->hamiltonian && s->sys->hamiltonian[i]) s->p[i] = s->b.v.p[i];
    if (scheme_parse(&s->sch, scheme_words, force, &s->why) ||
        stepper_new(m, s->sys, &s->sch, o, &s->st, &s->why))
        fail_msg("%s: %s", scheme_words, text_str(&s->why));
}

static inline void close_setup(setup *s)
{
    stepper_free(s->st);
    bench_close(&s->b);
}

/* q and p at the end of the step, when the k-th of (q, p, t, h, parameters, inputs) is moved. */
static inline void moved(setup *s, int k, double by, double *end)
{
    const int n = s->sys->n, P = s->b.md->parameters;
    double    q[N_MOST], p[N_MOST], t = s->t, h = s->h, *place;
    memcpy(q, s->q, sizeof q), memcpy(p, s->p, sizeof p);
    if (k < n) place = &q[k];
    else if (k < 2 * n) place = &p[k - n];
    else if (k == 2 * n) place = &t;
    else if (k == 2 * n + 1) place = &h;
    else if (k < 2 * n + 2 + P) place = &s->b.v.parameter[k - 2 * n - 2];
    else place = &s->b.v.input[k - 2 * n - 2 - P];
    const double before = *place;
    *place += by;
    refresh(s);
    stepper_set(s->st, t, q, p, s->v);
    if (stepper_step(s->st, t, h, &s->why)) fail_msg("%s", text_str(&s->why));
    memcpy(end, stepper_q(s->st), (size_t)n * sizeof *end);
    memcpy(end + n, stepper_p(s->st), (size_t)n * sizeof *end);
    *place = before;
    refresh(s);
}

static inline void difference(setup *s, int k, double *slope)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const int           N = 2 * s->sys->n;
    const double        step = k == N + 1 ? 2e-4 : 1e-3; /* h itself is short */
    double              end[2 * N_MOST];
    for (int i = 0; i < N; i++) slope[i] = 0;
    for (int j = 0; j < 4; j++) {
        moved(s, k, at[j] * step, end);
        for (int i = 0; i < N; i++) slope[i] += weight[j] * end[i] / step;
    }
}

/* The direction of the k-th number; room holds ones and zeros. */
static inline step_direction direction(const setup *s, int k, double *room)
{
    const int n = s->sys->n, P = s->b.md->parameters;
    memset(room, 0, (2 * N_MOST + OTHERS_MOST) * sizeof *room);
    if (k < n) return room[k] = 1, (step_direction){.q = room};
    if (k < 2 * n) return room[k - n] = 1, (step_direction){.p = room};
    if (k == 2 * n) return (step_direction){.t = 1};
    if (k == 2 * n + 1) return (step_direction){.h = 1};
    if (k < 2 * n + 2 + P) return room[k - 2 * n - 2] = 1, (step_direction){.parameter = room};
    return room[k - 2 * n - 2 - P] = 1, (step_direction){.input = room};
}

/* Is the k-th number the momentum of a coordinate without inertia? That is not free. */
static inline bool is_bound(const setup *s, int k)
{
    const dal_system *sys = s->sys;
    const int         i = k - sys->n;
    if (i < 0 || i >= sys->n || (sys->hamiltonian && sys->hamiltonian[i])) return false;
    for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++)
        if (sys->varies[F_LWW] && sys->present[F_LWW][e]) return false;
    return true;
}

static inline void compare_as(const char *words, const char *scheme_words, const char *force,
                              const step_options *o, double h, bool by_forces)
{
    setup s;
    open_setup(&s, words, scheme_words, force, o, h, by_forces);
    const bool shot = s.sch.curve == CURVE_SHOOTING; /* whose tangent knows of q and p only */
    const int  columns = 2 * s.sys->n + (shot ? 0 : 2 + s.b.md->parameters + s.b.md->inputs);
    tangent   *tg;
    double     want[2 * N_MOST], got[2 * N_MOST], room[2 * N_MOST + OTHERS_MOST], worst = 0;
    if (tangent_new(&s.b.m, s.st, &tg, &s.why)) fail_msg("%s", text_str(&s.why));
    for (int k = 0; k < columns; k++) {
        if (is_bound(&s, k)) continue;
        step_direction along = direction(&s, k, room);
        difference(&s, k, want);
        stepper_set(s.st, s.t, s.q, s.p, s.v);
        if (tangent_step(tg, s.t, s.h, 1, &along, got, &s.why)) fail_msg("%s", text_str(&s.why));
        for (int i = 0; i < 2 * s.sys->n; i++) {
            double off = fabs(got[i] - want[i]) / (1 + fabs(want[i]));
            if (!(off <= worst)) worst = off;
            if (!(off <= 2e-9))
                print_error("%s, column %d, row %d: %.12g, by differences %.12g\n", scheme_words, k,
                            i, got[i], want[i]);
        }
    }
    check_below(worst, 2e-9);
    tangent_free(tg);
    close_setup(&s);
}

static inline void compare(const char *words, const char *scheme_words, const char *force,
                           const step_options *o, double h)
{
    compare_as(words, scheme_words, force, o, h, false);
}

#endif
