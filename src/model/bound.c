/* bound.c - one simulation's numbers in the programs of a compiled model: what the methods call.
 *
 * An evaluation loads, runs and stores; it allocates nothing and decides nothing that could be
 * decided before. Arrays to which many instances contribute are first filled with what is constant
 * during a run, or with zeros; then each program adds its share, always in the same order. */
#include "model/bound.h"

#include "model/charts.h"

#include <string.h>

/* Parameters stay in their registers (bound_refresh); the rest is loaded. */
void bundle_run(const bundle *b, kernel_scalar *code, double *reg, const sources *from, char *out)
{
    for (const load *l = b->load + b->still, *end = b->load + b->loads; l < end; l++)
        reg[l->variable] = from->of[l->from][l->index];
    if (code) code(reg);
    else if (b->k) kernel_run(b->k, reg);
    /* Whole results go to their entries, then what is cleared or added to, sink by sink. */
    for (const entry_place *p = b->place, *end = p + b->places; p < end; p++) {
        double *array = *(double **)(void *)(out + p->offset);
        if (array) array[p->index] = reg[p->reg];
    }
    for (const segment *s = b->segment, *end = s + b->segments; b->apart && s < end; s++) {
        char        *at = out + s->offset;
        double      *array = s->scalar ? (double *)(void *)at : *(double **)(void *)at;
        const store *first = b->store + s->first, *last = first + s->count;
        if (s->placed || !array) continue;
        if (s->clear) memset(array, 0, (size_t)s->clear * sizeof *array);
        for (const store *to = first; to < last; to++)
            array[to->index] = s->add ? array[to->index] + reg[to->reg] : reg[to->reg];
    }
}

/* The first `still` loads of a program: numbers that no evaluation changes. */
static void load_parameters(const bundle *b, const double *parameter, double *reg)
{
    for (const load *l = b->load, *end = b->load + b->still; l < end; l++)
        reg[l->variable] = parameter[l->index];
}

/* The inputs at t: the caller's array, or a copy of it in which those that follow a file are
 * replaced. */
const double *bound_input(bound *b, double t)
{
    if (!b->follow.at) return b->input;
    if (b->c->md->inputs) memcpy(b->u, b->input, (size_t)b->c->md->inputs * sizeof *b->u);
    b->follow.at(b->follow.self, t, b->u);
    return b->u;
}

/* Where the programs read at a point. A NULL v is w (nothing is Hamiltonian), a NULL lam is 0. */
sources bound_sources(bound *b, const sys_point *at)
{
    return (sources){{
        [FROM_TIME] = &at->t,
        [FROM_DATA] = b->c->md->data.at,
        [FROM_PARAMETER] = b->parameter,
        [FROM_INPUT] = bound_input(b, at->t),
        [RATE_OF_INPUT] = b->sys.inputs_move ? bound_slope(b, at->t) : b->slope,
        [FROM_Q] = at->q,
        [FROM_W] = at->w,
        [FROM_V] = at->v ? at->v : at->w,
        [FROM_LAM] = at->lam ? at->lam : b->zeros,
    }};
}

/* Where there is nothing but merged programs, sources change by point only. */
static int eval_merged(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    bound         *b = self;
    const merged  *g = &b->c->merged;
    const uint32_t plan = g->plan[want % WANTS];
    sources       *from = &b->from;
    for (int i = 0; i < count; i++) {
        from->of[FROM_TIME] = &at[i].t;
        from->of[FROM_INPUT] = b->follow.at ? bound_input(b, at[i].t) : b->input;
        if (b->sys.inputs_move) from->of[RATE_OF_INPUT] = bound_slope(b, at[i].t);
        from->of[FROM_Q] = at[i].q, from->of[FROM_W] = at[i].w;
        from->of[FROM_V] = at[i].v ? at[i].v : at[i].w;
        from->of[FROM_LAM] = at[i].lam ? at[i].lam : b->zeros;
        for (uint32_t k = 0, todo = plan; todo; k++, todo >>= 1)
            if (todo & 1)
                bundle_run(&g->bundle[k], b->merged_code[k], b->merged_reg[k], from,
                           (char *)&out[i]);
    }
    if (b->in_time) bound_in_time(b, want, count, at, out);
    return 0;
}

/* The general case: merged programs, and elements with many instances in lanes. Never fails, so
 * it returns 0. */
static int eval_ranges(void *self, unsigned want, int turns, int count, const sys_point *at,
                       sys_values *out, const sys_ranges *by)
{
    bound *b = self;
    bound_eval_tiles(b, want % WANTS, turns, count, at, out, by);
    if (b->in_time) bound_in_time(b, want, turns * count, at, out);
    return 0;
}

static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    return eval_ranges(self, want, 1, count, at, out, NULL);
}

/* Parameters into their registers, and what depends on them only, added up once. */
void bound_refresh(bound *b)
{
    const compiled *c = b->c;
    sources         from = {{[FROM_DATA] = c->md->data.at, [FROM_PARAMETER] = b->parameter}};
    results         all = {0};
    /* base[s] is summed from 0 again; `all` points there, so that programs add straight into it. */
    for (int s = 0; s < SINKS; s++) {
        if (!b->base[s]) continue;
        memset(b->base[s], 0, (size_t)c->size[sink_table[s].over] * sizeof *b->base[s]);
        if (!sink_table[s].scalar)
            *(double **)(void *)((char *)&all + sink_table[s].offset) = b->base[s];
    }
    for (int k = 0; k < c->merged.bundles; k++)
        load_parameters(&c->merged.bundle[k], b->parameter, b->merged_reg[k]);
    load_parameters(&c->columns, b->parameter, b->columns_reg);
    for (int s = 0; s < c->shapes; s++)
        if (c->shape[s].fixed.k)
            batch_run(c->shape[s].d, &c->shape[s].fixed, b->shape_reg[s].fixed, &from,
                      (char *)&all);
    /* Scalars lie in `all` itself, not behind a pointer. */
    for (int s = 0; s < SINKS; s++)
        if (b->base[s] && sink_table[s].scalar) b->base[s][0] = *sink_array((char *)&all, (sink)s);
}

/* Registers of a scalar program, constants filled in; one more behind them stays 0 and is stored
 * where an entry has no value. NULL: there is nothing to compute. */
static double *registers(mem *m, const bundle *b)
{
    if (!b->k) return NULL;
    double *reg = mem_resize(m, NULL, ((size_t)b->k->registers + 1) * sizeof *reg);
    kernel_prepare(b->k, reg);
    reg[b->k->registers] = 0;
    return reg;
}

/* KERNEL_BLOCK lanes for each register of a program over instances. */
static double *registers_of_lanes(mem *m, const kernel *k)
{
    if (!k) return NULL;
    const size_t count = (size_t)k->registers * KERNEL_BLOCK + 1;
    double      *reg = mem_resize(m, NULL, count * sizeof *reg); /* what is read was written */
    kernel_prepare_batch(k, reg);
    return reg;
}

shape_registers *shape_registers_new(mem *m, const shape *s, int n)
{
    shape_registers *r = mem_array(m, n + 1, shape_registers);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < s[i].batches; k++)
            r[i].batch[k] = registers_of_lanes(m, s[i].batch[k].k);
        r[i].fixed = registers_of_lanes(m, s[i].fixed.k);
    }
    return r;
}

static void coordinate_name(const void *self, int i, text *out)
{
    model_name(((const bound *)self)->c->md, MEMBER_COORDINATE, i, out);
}

static void relation_name(const void *self, int a, text *out)
{
    const compiled *c = ((const bound *)self)->c;
    model_name(c->md, MEMBER_RELATION, c->relation_of[a], out);
}

bound *bound_new(mem *m, const compiled *c, const double *parameter, const double *input)
{
    bound *b = mem_array(m, 1, bound);
    b->c = c, b->parameter = parameter, b->input = input;
    b->u = mem_array(m, c->md->inputs + 1, double);
    b->slope = mem_array(m, c->md->inputs + 1, double);
    b->turn = mem_array(m, c->md->inputs + 1, double);
    b->zeros = mem_array(m, c->sys.m + c->sys.r + 1, double);
    if (c->needs_energies) b->energy = mem_array(m, c->md->parts.n + 1, double);
    for (int k = 0; k < c->merged.bundles; k++)
        b->merged_reg[k] = registers(m, &c->merged.bundle[k]);
    b->columns_reg = registers(m, &c->columns);
    b->shape_reg = shape_registers_new(m, c->shape, c->shapes);
    b->output_reg = shape_registers_new(m, c->output, c->outputs);
    b->energy_reg = shape_registers_new(m, c->energy, c->energies);
    b->power_reg = shape_registers_new(m, c->power, c->powers);
    for (int s = 0; s < SINKS; s++)
        if (c->based[s]) b->base[s] = mem_array(m, c->size[sink_table[s].over] + 1, double);
    /* the system is the compiled one, with this simulation as its self */
    b->sys = c->sys;
    b->sys.self = b, b->sys.selective = true, b->sys.local = c->tile.local;
    b->sys.eval = c->shapes ? eval : eval_merged;
    b->sys.eval_ranges = c->shapes ? eval_ranges : NULL;
    b->from = (sources){{[FROM_DATA] = c->md->data.at, [FROM_PARAMETER] = parameter}};
    b->sys.coordinate_name = coordinate_name;
    b->sys.relation_name = relation_name;
    b->sys.nonfinite_source = bound_nonfinite_source;
    b->sys.jets = bound_jets;
    b->sys.vary = bound_vary;
    b->sys.rates = bound_rates;
    bound_nonfinite_prepare(m, b);
    bound_refresh(b);
    if (c->sys.turns) b->charted = charts_new(m, &b->sys);
    return b;
}

dal_system *bound_system(bound *b)
{
    return b->charted ? b->charted : &b->sys;
}

/* A system that is evaluated here is that of a bound, since these functions take self for one. */
bound *bound_of(const dal_system *sys)
{
    return sys->eval == eval || sys->eval == eval_merged ? sys->self : NULL;
}
