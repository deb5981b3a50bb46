/* observe.c - what a record contains besides the state: outputs, momenta of symmetries and
 * energies; and pictures. */
#include "model/bound.h"

#include <string.h>

/* Where observers read: v and p of the state, no w. t is kept as a pointer. */
sources bound_sources_of_state(bound *b, const double *t, const double *q, const double *v,
                               const double *p, const double *lam)
{
    return (sources){{
        [FROM_TIME] = t,
        [FROM_DATA] = b->c->md->data.at,
        [FROM_PARAMETER] = b->parameter,
        [FROM_INPUT] = b->follow.at ? bound_input(b, *t) : b->input,
        [FROM_Q] = q,
        [FROM_V] = v,
        [FROM_LAM] = lam ? lam : b->zeros,
        [FROM_P] = p,
        [FROM_ENERGY] = b->energy,
    }};
}

/* Adds what all instances of n shapes yield; out is cleared by the caller. */
static void observe(const shape *s, int n, const shape_registers *reg, const sources *from,
                    results *out)
{
    for (int k = 0; k < n; k++)
        if (s[k].batch[0].k) batch_run(s[k].d, &s[k].batch[0], reg[k].batch[0], from, (char *)out);
}

/* What each part has of its own, and then with all that it holds: parts come after the part that
 * holds them, so one pass from the end adds up the tree. */
static void observe_parts(const model *md, const shape *s, int n, const shape_registers *reg,
                          const sources *from, results into, double *out)
{
    memset(out, 0, (size_t)md->parts.n * sizeof *out);
    observe(s, n, reg, from, &into);
    for (int k = md->parts.n - 1; k > 0; k--) out[md->parts.at[k].parent] += out[k];
}

void bound_energies(bound *b, double t, const double *q, const double *v, const double *p,
                    double *out)
{
    const compiled *c = b->c;
    sources         from = bound_sources_of_state(b, &t, q, v, p, NULL);
    observe_parts(c->md, c->energy, c->energies, b->energy_reg, &from, (results){.energy = out},
                  out);
}

void bound_powers(bound *b, double t, const double *q, const double *v, const double *p,
                  double *out)
{
    const compiled *c = b->c;
    sources         from = bound_sources_of_state(b, &t, q, v, p, NULL);
    observe_parts(c->md, c->power, c->powers, b->power_reg, &from, (results){.power = out}, out);
}

/* Energies first, since outputs may hold them; out has size[COLUMNS] numbers. */
void bound_outputs(bound *b, double t, const double *q, const double *v, const double *p,
                   const double *lam, double *out)
{
    const compiled *c = b->c;
    if (c->needs_energies) bound_energies(b, t, q, v, p, b->energy);
    sources from = bound_sources_of_state(b, &t, q, v, p, lam);
    results into = {.column = out};
    memset(out, 0, (size_t)c->size[COLUMNS] * sizeof *out);
    bundle_run(&c->columns, NULL, b->columns_reg, &from, (char *)&into);
    if (c->outputs_in_lanes) observe(c->output, c->outputs, b->output_reg, &from, &into);
}

void bound_prepare_drawing(bound *b, mem *m)
{
    if (b->draw) return;
    int    count;
    shape *draw = compile_drawings(m, b->c, &count);
    b->draw_reg = shape_registers_new(m, draw, count);
    b->draw = draw, b->draws = count;
}

void bound_draw(bound *b, double t, const double *q, double *out)
{
    const compiled *c = b->c;
    sources         from = bound_sources_of_state(b, &t, q, NULL, NULL, NULL);
    results         into = {.drawn = out};
    memset(out, 0, (size_t)c->size[DRAWN] * sizeof *out);
    observe(b->draw, b->draws, b->draw_reg, &from, &into);
}
