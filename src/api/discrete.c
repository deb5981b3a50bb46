/* discrete.c - discrete Lagrangians, forces and Hamiltonians as values, the maps of the discrete
 * Tulczyjew triple, and steps by a caller's generating functions. */
#include "mech/dirac/discrete.h"
#include "api/api.h"
#include "mech/dirac/generating.h"
#include "mech/dirac/tulczyjew.h"
#include "run/variational.h"

#include <math.h>
#include <string.h>

struct dal_discrete {
    mem          m;
    dal_context *cx;
    chords       of;
    text         why;
    discrete     found;
    double       D1[DISCRETE_MOST], D2[DISCRETE_MOST];
};

/* Making. -------------------------------------------------------------------------------------- */

typedef struct {
    dal_discrete      *d;
    const dal_model   *model;
    const dal_options *options;
} make_job;

static dal_status make(void *self)
{
    make_job *j = self;
    request   asked;
    options_request(j->options, &asked);
    if (!j->model->is.md)
        return diag_error(&j->d->cx->ds, DAL_INVALID, span_none(), NULL,
                          "'%s' is made of functions: its chords need a model in the language",
                          j->model->is.title);
    j->d->why = text_new(&j->d->m);
    return chords_make(&j->d->m, &j->model->is, &asked, &j->d->cx->ds, &j->d->of);
}

dal_status dal_discrete_new(const dal_model *m, const dal_options *o, dal_discrete **out)
{
    if (out) *out = NULL;
    NEEDS(o ? o->cx : NULL, m);
    NEEDS(o ? o->cx : m->cx, out);
    dal_context  *cx = o ? o->cx : m->cx;
    dal_discrete *d = object_new(cx, sizeof *d);
    if (!d) return DAL_NOMEM;
    d->cx = cx;
    make_job   j = {d, m, o};
    dal_status bad = guarded(cx, &d->m, make, &j);
    if (bad) dal_discrete_free(d);
    else *out = d;
    return bad;
}

void dal_discrete_free(dal_discrete *d)
{
    if (!d) return;
    discretiser_free(d->of.on);
    object_free(d);
}

int dal_discrete_coordinates(const dal_discrete *d)
{
    return d->of.sys->n;
}

/* Values. -------------------------------------------------------------------------------------- */

typedef struct {
    dal_discrete *d;
    dal_means     by;
    chord_ends         at;
    double       *second; /* NULL: not wanted */
} chord_job;

static dal_status say(const chord_job *j)
{
    dal_discrete *d = j->d;
    if (!d->why.n)
        text_printf(&d->why, "no curve of %s was found between these ends over h = %.6g",
                    d->of.plan.scheme.name, j->at.h);
    return diag_error(&d->cx->ds, DAL_DIVERGED, span_none(), NULL, "%s", text_str(&d->why));
}

static dal_status find(void *self)
{
    chord_job    *j = self;
    dal_discrete *d = j->d;
    text_clear(&d->why);
    const bool found = j->by == DAL_EXACTLY ? discrete_exactly(d->of.on, &j->at, &d->found, &d->why)
                                            : discrete_by_scheme(d->of.on, &j->at, &d->found);
    if (!found) return say(j);
    if (!j->second || discrete_second(d->of.on, j->second)) return DAL_OK;
    text_printf(&d->why, "%s has no second derivatives on this chord", d->of.plan.scheme.name);
    return say(j);
}

dal_status dal_discrete_at(dal_discrete *d, dal_means by, double t, double h, const double *q0,
                           const double *q1, dal_discrete_values *out)
{
    NEEDS(NULL, d);
    NEEDS(d->cx, q0);
    NEEDS(d->cx, q1);
    NEEDS(d->cx, out);
    chord_job  j = {d, by, {t, h, BOTH_ENDS, q0, q1}, NULL};
    dal_status bad = guarded(d->cx, &d->m, find, &j);
    if (bad) return bad;
    const discrete *f = &d->found;
    const double   *power = by == DAL_EXACTLY ? f->work : f->power;
    /*     D1 L_d = -p0 - f_d^-,   D2 L_d = p1 - f_d^+ */
    for (int i = 0; i < d->of.sys->n; i++)
        d->D1[i] = -f->p0[i] - f->minus[i], d->D2[i] = f->p1[i] - f->plus[i];
    *out = (dal_discrete_values){f->L,     power[0], power[1], d->D1, d->D2,
                                 f->minus, f->plus,  f->p0,    f->p1};
    return DAL_OK;
}

dal_status dal_discrete_second(dal_discrete *d, dal_means by, double t, double h, const double *q0,
                               const double *q1, double *second)
{
    NEEDS(NULL, d);
    NEEDS(d->cx, q0);
    NEEDS(d->cx, q1);
    NEEDS(d->cx, second);
    chord_job j = {d, by, {t, h, BOTH_ENDS, q0, q1}, second};
    return guarded(d->cx, &d->m, find, &j);
}

/* Hamiltonians. -------------------------------------------------------------------------------- */

static void copy_if(double *to, const double *from, int n)
{
    if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

dal_status dal_discrete_plus(dal_discrete *d, dal_means by, double t, double h, const double *q0,
                             const double *p1, double *H, double *p0, double *q1)
{
    NEEDS(NULL, d);
    NEEDS(d->cx, q0);
    NEEDS(d->cx, p1);
    NEEDS(d->cx, H);
    const int  n = d->of.sys->n;
    chord_job  j = {d, by, {t, h, START_AND_MOMENTUM, q0, p1}, NULL};
    dal_status bad = guarded(d->cx, &d->m, find, &j);
    if (bad) return bad;
    *H = dot(p1, d->found.q1, n) - d->found.L;
    copy_if(p0, d->found.p0, n), copy_if(q1, d->found.q1, n);
    return DAL_OK;
}

dal_status dal_discrete_minus(dal_discrete *d, dal_means by, double t, double h, const double *p0,
                              const double *q1, double *H, double *q0, double *p1)
{
    NEEDS(NULL, d);
    NEEDS(d->cx, p0);
    NEEDS(d->cx, q1);
    NEEDS(d->cx, H);
    const int  n = d->of.sys->n;
    chord_job  j = {d, by, {t, h, MOMENTUM_AND_END, p0, q1}, NULL};
    dal_status bad = guarded(d->cx, &d->m, find, &j);
    if (bad) return bad;
    *H = -dot(p0, d->found.q0, n) - d->found.L;
    copy_if(q0, d->found.q0, n), copy_if(p1, d->found.p1, n);
    return DAL_OK;
}

/* The triple. ---------------------------------------------------------------------------------- */

void dal_triple(dal_triple_map map, int n, const double *x, double *y)
{
    triple_apply((triple_map)map, n, x, y);
}

void dal_triple_inverse(dal_triple_map map, int n, const double *y, double *x)
{
    triple_invert((triple_map)map, n, y, x);
}

/* Generating functions. ------------------------------------------------------------------------ */

typedef struct {
    dal_context           *cx;
    const dal_generating  *given;
    dal_side_of            side;
    const generating_chord at;
} step_job;

/* What is missing; NULL: nothing. */
static const char *missing(const dal_generating *g)
{
    if (g->size < sizeof *g || g->n < 1 || g->rows < 0) return "size, n >= 1 and rows >= 0";
    if ((unsigned)g->type > DAL_TYPE_3) return "a type: DAL_TYPE_1, 2 or 3";
    if (!g->value && !g->gradient) return "value or gradient";
    if (g->rows && (!g->constraint || !g->one_forms))
        return "constraint and one_forms for its rows";
    if (g->structure && (g->type == DAL_TYPE_1 || g->rows))
        return "a Hamiltonian of type 2 or 3, and no rows, for a structure of its own";
    return NULL;
}

static dal_status make_step(void *self)
{
    step_job             *j = self;
    const dal_generating *g = j->given;
    const char           *lacks = missing(g);
    text                  why = text_new(&j->cx->m);
    if (lacks)
        return diag_error(&j->cx->ds, DAL_INVALID, span_none(), NULL,
                          "a generating function needs %s", lacks);
    const generating of = {g->n,          g->rows,      (generating_type)g->type,
                           g->self,       g->value,     g->gradient,
                           g->constraint, g->one_forms, g->structure};
    if (generating_step(&j->cx->m, &of, j->side == DAL_FORWARD ? DIRAC_PLUS : DIRAC_MINUS, &j->at,
                        &why))
        return DAL_OK;
    return diag_error(&j->cx->ds, DAL_DIVERGED, span_none(), NULL, "%s", text_str(&why));
}

dal_status dal_generating_step(dal_context *cx, const dal_generating *g, dal_side_of side, double t,
                               double h, const double *q0, const double *p0, double *q1, double *p1,
                               double *mu)
{
    NEEDS(NULL, cx);
    NEEDS(cx, g);
    NEEDS(cx, q0);
    NEEDS(cx, p0);
    NEEDS(cx, q1);
    NEEDS(cx, p1);
    step_job j = {cx, g, side, {t, h, q0, p0, q1, p1, mu}};
    return guarded(cx, NULL, make_step, &j);
}
