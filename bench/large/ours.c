/* ours.c - the library with large systems: made of parts, compiled or not, on one thread and on
 * two. */
#include "../bench.h"
#include "dalembert.h"
#include "large.h"

#include <stdio.h>
#include <stdlib.h>

static const char SPRINGS[] = "system Spring {\n"
                              "  coordinate a, b\n"
                              "  lagrangian (a'^2 + b'^2)/4 - (b - a)^2/2 - (b - a)^4/4\n"
                              "}\n"
                              "system Chain {\n"
                              "  parameter N = 10\n"
                              "  part s[N] : Spring\n"
                              "  for k in 1..N-1 { connect s[k].b = s[k+1].a }\n"
                              "  for k in 1..N { start s[k].a = 0.5*sin(0.5*k) }\n"
                              "  start s[N].b = 0.5*sin(0.5*(N + 1))\n"
                              "}\n";
static const char MASSES[] =
    "system Chain {\n"
    "  parameter N = 10\n"
    "  coordinate x[N + 1]\n"
    "  lagrangian sum(k in 2..N: x[k]'^2/2) + x[1]'^2/4 + x[N + 1]'^2/4\n"
    "  lagrangian -sum(k in 1..N: (x[k+1] - x[k])^2/2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N+1 { start x[k] = 0.5*sin(0.5*k) }\n"
    "}\n";
static const char LADDER[] =
    "system Coil { coordinate q\n lagrangian q'^2/2 }\n"
    "system Resistor { coordinate q\n force q: -0.05*q' }\n"
    "system Capacitor { coordinate q\n lagrangian -q^2/2 }\n"
    "system Source { coordinate q\n force q: sin(t) }\n"
    "system Cell {\n"
    "  part coil : Coil\n"
    "  part wire : Resistor\n"
    "  part plate : Capacitor\n"
    "  connect coil.q' = wire.q'\n"
    "}\n"
    "system Ladder {\n"
    "  parameter N = 10\n"
    "  part source : Source\n"
    "  part cell[N] : Cell\n"
    "  connect source.q' = cell[1].coil.q'\n"
    "  for k in 1..N-1 { connect cell[k].wire.q' = cell[k].plate.q' + cell[k+1].coil.q' }\n"
    "  connect cell[N].wire.q' = cell[N].plate.q'\n"
    "}\n";

/* Memory: what is held, and the most that was. ------------------------------------------------- */

enum { HEAD = 16 }; /* bytes before each block, for its size */

static void *counted(void *self, void *p, size_t size)
{
    making *m = self;
    char   *block = p ? (char *)p - HEAD : NULL;
    if (block) m->held -= (double)*(size_t *)(void *)block;
    if (!size) return free(block), NULL;
    block = realloc(block, size + HEAD);
    if (!block) return NULL;
    *(size_t *)(void *)block = size;
    m->held += (double)size;
    if (m->held > m->most) m->most = m->held;
    return block + HEAD;
}

/* A simulation. -------------------------------------------------------------------------------- */

typedef struct {
    making       made;
    event        e;
    int          one_sum, on_the_wall;
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
    double       first, last; /* seconds, at the beginning and end of the steps of a round */
    double       used, both;  /* seconds of all processors between them                    */
    double       iterations;
} sim;

static double now(const sim *d)
{
    return d->on_the_wall ? elapsed() : seconds();
}

static void fail(sim *d)
{
    dal_report(d->cx, stderr, 0);
    exit(1);
}

static void set(sim *d, dal_options *o, const char *key, const char *format, double x)
{
    char text[64];
    snprintf(text, sizeof text, format, x);
    if (dal_options_set(o, key, text)) fail(d);
}

typedef struct {
    const char *text, *backend, *interconnection;
    int         threads;
} manner;

static void *make(const event *e, const manner *how)
{
    sim *d = calloc(1, sizeof *d);
    if (!d) exit(1);
    d->e = *e, d->one_sum = how->text == MASSES, d->on_the_wall = how->threads > 1;
    d->cx = dal_context_new(&(dal_allocator){counted, &d->made});
    dal_options *o = dal_options_new(d->cx);
    double       begin = seconds();
    set(d, o, "set", "N=%.0f", e->n), set(d, o, "step", "%.17g", step_of(e->which)),
        set(d, o, "steps", "%.0f", (double)e->steps);
    set(d, o, "scheme", e->which == SPRINGS_VERLET ? "trapezoid" : "midpoint", 0);
    set(d, o, "summation", e->compensated ? "compensated" : "plain", 0);
    set(d, o, "backend", how->backend, 0), set(d, o, "interconnection", how->interconnection, 0);
    set(d, o, "threads", "%.0f", how->threads);
    set(d, o, "record", "0", 0), set(d, o, "monitor", "1000000000", 0),
        set(d, o, "columns", "energy", 0);
    if (dal_model_parse(d->cx, "large", how->text, o, &d->m) || dal_sim_new(d->m, o, &d->s))
        fail(d);
    d->made.seconds = seconds() - begin;
    dal_options_free(o);
    return d;
}

const making *ours_making(const void *self)
{
    return self;
}

static void stamp_first(sim *d)
{
    d->used = processors(), d->first = now(d);
}

static void stamp_last(sim *d)
{
    d->last = now(d), d->both = processors() - d->used;
}

/* Nobody looks at the state between steps, as nobody does in a loop by hand. */
static double advance(void *self, long steps)
{
    sim       *d = self;
    const long before = dal_summarise(d->s)->newton_iterations;
    stamp_first(d);
    if (dal_advance(d->s, steps)) fail(d);
    stamp_last(d);
    d->iterations = (double)(dal_summarise(d->s)->newton_iterations - before) / (double)steps;
    return d->last - d->first;
}

static double both(void *self)
{
    return ((sim *)self)->both;
}

static void look(void *self, double *x)
{
    sim          *d = self;
    const double *q = dal_q(d->s);
    const int     n = d->e.n, ladder = d->e.which == LADDER_MIDPOINT;
    for (int i = 0; i < n; i++) x[i] = ladder ? q[3 * i + 3] : d->one_sum ? q[i] : q[2 * i];
    if (!ladder) x[n] = d->one_sum ? q[n] : q[2 * n - 1];
}

static void stop(void *self)
{
    sim *d = self;
    dal_sim_free(d->s), dal_model_free(d->m), dal_context_free(d->cx);
    free(d);
}

static double iterations(void *self)
{
    return ((sim *)self)->iterations;
}

/* Who takes part. ------------------------------------------------------------------------------ */

static const char *parts_of(const event *e)
{
    return e->which == LADDER_MIDPOINT ? LADDER : SPRINGS;
}

static void *native(const event *e)
{
    return make(e, &(manner){parts_of(e), "native", "eliminate", 1});
}
static void *two_threads(const event *e)
{
    if (e->which != SPRINGS_VERLET || e->n < 100000 || e->compensated) return NULL;
    return make(e, &(manner){parts_of(e), "native", "eliminate", 2});
}
static void *machine(const event *e)
{
    return make(e, &(manner){parts_of(e), "vm", "eliminate", 1});
}
static void *in_one_sum(const event *e)
{
    if (e->which == LADDER_MIDPOINT || !e->compensated) return NULL;
    return make(e, &(manner){MASSES, "vm", "eliminate", 1});
}
static void *by_multipliers(const event *e)
{
    if (e->which == SPRINGS_VERLET || !e->compensated || e->n > 100000) return NULL;
    return make(e, &(manner){parts_of(e), "vm", "multipliers", 1});
}

#define OURS .advance = advance, .look = look, .stop = stop, .iterations = iterations

const runner *ours(int k)
{
    static const runner all[] = {
        {.name = "dalembert", .start = native, OURS},
        {.name = "dalembert, 2 threads, elapsed",
         .start = two_threads,
         OURS,
         .on_the_wall = 1,
         .also = "dalembert, 2 threads, both processors",
         .second = both},
        {.name = "dalembert, vm", .start = machine, OURS},
        {.name = "dalembert, vm, one sum", .start = in_one_sum, OURS},
        {.name = "dalembert, vm, multipliers", .start = by_multipliers, OURS},
    };
    return k < (int)(sizeof all / sizeof *all) ? &all[k] : NULL;
}
