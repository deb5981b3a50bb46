/* compile.c - from a flattened model to patterns and programs: derive, lay out, merge or batch. */
#include "model/compile.h"

#include "model/shape.h"

/* Velocity constraints are rows 0 .. m-1, holonomic ones and ties m .. m+r-1. */
static void number_rows(compiled *c)
{
    const model *md = c->md;
    int          n = md->relation.n, row = 0;
    c->row_of = mem_array(c->m, n + 1, int);
    c->relation_of = mem_array(c->m, n + 1, int);
    for (int holonomic = 0; holonomic < 2; holonomic++) {
        for (int a = 0; a < n; a++)
            if ((md->relation.at[a].kind != REL_VELOCITY) == holonomic)
                c->relation_of[row] = a, c->row_of[a] = row++;
        if (!holonomic) c->sys.m = row;
    }
    c->sys.r = row - c->sys.m;
}

/* Derivatives of all terms: L and H first, since forces may need H_p for the velocities of
 * Hamiltonian coordinates; relations last. */
static void derive_all(compiled *c)
{
    derived_list all = {0};
    mem         *m = c->m;
    for (int e = 0; e < c->md->elements.n;) {
        const element *el;
        derived        d;
        e += join_terms(m, c->md, e, &el);
        if (!el->instances || (el->kind != EL_LAGRANGIAN && el->kind != EL_HAMILTONIAN)) continue;
        derive_lambda(m, c->md, el, &d);
        vec_push(m, all, d);
    }
    lower_forces(m, c->md, &all);
    for (int e = 0; e < c->md->elements.n; e++) {
        const element *el = &c->md->elements.at[e];
        derived        d;
        if (!el->instances || el->kind != EL_RELATION) continue;
        derive_relation(m, c, el, &d);
        vec_push(m, all, d);
    }
    c->element = all.at;
    c->elements = all.n;
}

/* Derivatives that time may not touch if only L_q and f are to be driven by it. */
static bool is_of_velocities(sink s)
{
    return s == SINK_LW || s == SINK_LQW || s == SINK_LWW || s == SINK_FW || s == SINK_DW;
}

/* Which coordinates damping acts on. */
static const uint8_t *find_damped(const compiled *c)
{
    uint8_t *damped = NULL;
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (in->into != SINK_D) continue;
            if (!damped) damped = mem_array(c->m, c->sys.n, uint8_t);
            for (int k = 0; k < d->instances; k++) damped[slot_index(in->row, k)] = 1;
        }
    }
    return damped;
}

/* What holds for the whole system, from what its elements hold. */
static void note_facts(compiled *c)
{
    /* An input may change at any time, so it counts like t. */
    const unsigned time = 1u << FROM_TIME | 1u << FROM_INPUT;
    dal_system    *sys = &c->sys;
    sys->autonomous = sys->driven = sys->constant_A = sys->relations_free_of_q = true;
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int k = 0; k < d->feed.n; k++) sys->inputs_move |= d->feed.at[k].from == RATE_OF_INPUT;
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (d->holds[in->root] & time) sys->autonomous = false;
            if (in->into == SINK_L && d->holds[in->root] & time) sys->timed = true;
            if (d->holds[in->root] & (is_of_velocities(in->into) ? time : 1u << FROM_INPUT))
                sys->driven = false;
            if (in->into == SINK_F) sys->forced = true;
            if (in->into == SINK_EQ) sys->relations_free_of_q = false;
            if (in->into == SINK_A && !yield_is_fixed(d, in)) sys->constant_A = false;
            if (in->into == SINK_E && relation_has_offset(c->m, d, in->root)) sys->rheonomic = true;
        }
    }
    sys->driven &= !sys->autonomous;
    sys->damped = find_damped(c), sys->state = c->md->state, sys->turns = c->md->turns;
    sys->hamiltonian = NULL;
    for (int i = 0; i < sys->n && c->md->hamiltonian; i++)
        if (c->md->hamiltonian[i]) sys->hamiltonian = c->md->hamiltonian;
}

/* Elements that were not merged keep programs of their own; their sinks are shared between
 * programs, so they are filled beforehand (base or zeros) and added to. */
static void make_shapes(compiled *c)
{
    for (int e = 0; e < c->elements; e++) c->shapes += !c->element[e].merged;
    c->shape = mem_array(c->m, c->shapes + 1, shape);
    for (int e = 0, s = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        if (d->merged) continue;
        shape_init(c->m, &c->shape[s++], d);
        for (int y = 0; y < d->yield.n; y++) {
            sink into = d->yield.at[y].into;
            c->shared[into] = 1;
            if (yield_is_fixed(d, &d->yield.at[y])) c->based[into] = 1;
        }
    }
}

/* Derives what an element shows of itself and returns the shape that will compute it. */
static shape *derive_observer(compiled *c, const element *el, derived *d)
{
    switch (el->kind) {
    case EL_OUTPUT: return derive_output(c->m, c, el, d), &c->output[c->outputs++];
    case EL_FORCE: return derive_power(c->m, c->md, el, d), &c->power[c->powers++];
    default: return derive_energy(c->m, c->md, el, d), &c->energy[c->energies++];
    }
}

/* Observers write to a vector: its entry is the row. */
static void write_to_rows(derived *d)
{
    for (int y = 0; y < d->yield.n; y++) d->yield.at[y].to = *d->yield.at[y].row;
}

shape *compile_drawings(mem *m, const compiled *c, int *count)
{
    shape *draw = mem_array(m, c->md->elements.n + 1, shape);
    *count = 0;
    for (int e = 0; e < c->md->elements.n; e++) {
        const element *el = &c->md->elements.at[e];
        if (!el->instances || el->kind != EL_DRAW) continue;
        derived *d = mem_array(m, 1, derived);
        derive_draw(m, c->md, el, d);
        write_to_rows(d);
        shape_init_observer(m, &draw[(*count)++], d);
    }
    return draw;
}

/* What is only recorded: outputs, momenta of symmetries, energies and powers of parts. */
static void make_observers(compiled *c)
{
    mem *m = c->m;
    vec(derived *) output = {0};
    c->output = mem_array(m, c->md->elements.n + 1, shape);
    c->energy = mem_array(m, c->md->elements.n + 1, shape);
    c->power = mem_array(m, c->md->elements.n + 1, shape);
    for (int e = 0; e < c->md->elements.n; e++) {
        const element *el = &c->md->elements.at[e];
        if (!el->instances || el->kind == EL_RELATION || el->kind == EL_DRAW ||
            el->kind == EL_EVENT_ROW || element_is_of_state(c->md, el))
            continue;
        derived *d = mem_array(m, 1, derived);
        shape   *to = derive_observer(c, el, d);
        write_to_rows(d);
        for (int k = 0; k < d->feed.n; k++)
            if (d->feed.at[k].from == FROM_ENERGY) c->needs_energies = true;
        if (el->kind == EL_OUTPUT) to->d = d, vec_push(m, output, d);
        else shape_init_observer(m, to, d);
    }
    merge_outputs(c, output.at, output.n);
    for (int k = 0; k < output.n; k++)
        if (!output.at[k]->merged) shape_init_observer(m, &c->output[k], output.at[k]);
}

/* The order matters: rows before derivatives (they name rows), patterns before facts, what is
 * merged before shapes, and sinks that shapes share before merged programs are laid out, whose rows
 * the tiles leave out. */
compiled *compile_merging(mem *m, const model *md, merging how)
{
    compiled *c = mem_array(m, 1, compiled);
    c->m = m, c->md = md;
    c->sys.n = md->coordinates;
    number_rows(c);
    derive_all(c);
    gather_layout(c);
    note_facts(c), note_jumps(c);
    merge_choose(c, how);
    make_shapes(c);
    merge(c);
    tiles_find(c);
    make_observers(c);
    return c;
}

const compiled *compile(mem *m, const model *md)
{
    return compile_merging(m, md, MERGE_AUTO);
}

const model *compiled_model(const compiled *c)
{
    return c->md;
}

int compiled_row(const compiled *c, int a)
{
    return c->row_of[a];
}

int compiled_relation(const compiled *c, int row)
{
    return c->relation_of[row];
}

span relation_place(const compiled *c, int row)
{
    return c && c->md && row >= 0 ? c->md->relation.at[c->relation_of[row]].at : span_none();
}
