/* fields.c - the merged graph of a compiled model, read as a list of named entries. */
#include "model/fields.h"

#include "model/shape.h"

/* the sink in which the entries of a field are found */
static const int sink_of[FIELDS] = {
    [FIELD_L] = SINK_L,         [FIELD_LT] = SINK_LT,   [FIELD_LTT] = SINK_LTT,
    [FIELD_LQ] = SINK_LQ,       [FIELD_LW] = SINK_LW,   [FIELD_LQT] = SINK_LQT,
    [FIELD_LWT] = SINK_LWT,     [FIELD_LQQ] = SINK_LQQ, [FIELD_LQW] = SINK_LQW,
    [FIELD_LWW] = SINK_LWW,     [FIELD_F] = SINK_F,     [FIELD_FT] = SINK_FT,
    [FIELD_FQ] = SINK_FQ,       [FIELD_FW] = SINK_FW,   [FIELD_E] = SINK_E,
    [FIELD_D] = SINK_D,         [FIELD_DQ] = SINK_DQ,   [FIELD_DW] = SINK_DW,
    [FIELD_A] = SINK_A,         [FIELD_G] = SINK_G,     [FIELD_EQ] = SINK_EQ,
    [FIELD_CURV] = SINK_CURV,   [FIELD_ET] = SINK_ET,   [FIELD_COLUMN] = SINK_COLUMN,
    [FIELD_PART] = SINK_ENERGY,
};

/* the names that generated code has for what a variable reads */
static const read_from read_of[FEEDS] = {
    [FROM_PARAMETER] = READ_PARAMETER,
    [FROM_LAM] = READ_LAM,
    [FROM_INPUT] = READ_INPUT,
    [FROM_TIME] = READ_TIME,
    [FROM_Q] = READ_Q,
    [FROM_W] = READ_W,
    [FROM_V] = READ_V,
    [FROM_P] = READ_P,
    [FROM_ENERGY] = READ_ENERGY,
};

/* The sources that each node depends on, as a set of 1 << read_from. */
static uint16_t *sources_of(mem *m, const graph *g, const field_variable *variable)
{
    uint16_t *holds = mem_resize(m, NULL, ((size_t)g->nodes.n + 1) * sizeof *holds);
    for (int k = 0; k < g->nodes.n; k++) {
        const expr_node *node = &g->nodes.at[k];
        holds[k] = (uint16_t)(node->op == OP_VAR ? 1u << variable[node->variable].from : 0u);
        for (int a = 0; a < node->n; a++)
            holds[k] = (uint16_t)(holds[k] | holds[g->args.at[node->first + a]]);
    }
    return holds;
}

/* From the number of an entry back to (row, column): on K and A the row is searched for, g
 * counts from the first holonomic row, and vectors have their index. */
static void place_root(const compiled *c, field_root *r, int entry)
{
    const space    over = sink_table[sink_of[r->of]].over;
    const pattern *p = over == ENTRIES_K ? &c->sys.K : &c->sys.A;
    r->row = entry, r->column = -1;
    if (over == HOLONOMIC) r->row = entry + c->sys.m;
    if (over != ENTRIES_K && over != ENTRIES_A) return;
    r->row = 0, r->column = p->column[entry];
    while (p->start[r->row + 1] <= entry) r->row++;
}

/* Every root of a merged graph of c, by field. */
static const fields *read_graph(mem *m, const compiled *c, const merged *g)
{
    fields         *f = mem_array(m, 1, fields);
    field_root     *root = mem_array(m, g->root.n + 1, field_root);
    field_variable *variable = mem_array(m, g->variable.n + 1, field_variable);
    for (int k = 0; k < g->variable.n; k++)
        variable[k] = (field_variable){read_of[g->variable.at[k].from], g->variable.at[k].index};
    uint16_t *holds = sources_of(m, &g->g, variable);
    for (field_name of = 0; of < FIELDS; of++)
        for (int k = g->first[sink_of[of]]; k < g->first[sink_of[of] + 1]; k++) {
            const merged_root *in = &g->root.at[k];
            field_root        *r = &root[f->roots++];
            *r = (field_root){.of = of, .value = in->root};
            r->varies = holds[in->root] & ~(1u << READ_PARAMETER);
            r->reads = holds[in->root];
            place_root(c, r, in->index);
        }
    mem_drop(m, holds);
    f->g = graph_seen_from(&g->g, m);
    f->root = root, f->variable = variable, f->variables = g->variable.n, f->inputs = c->md->inputs;
    return f;
}

/* Elements may be merged for this purpose only, so that the graph holds all instances. */
const fields *fields_new(mem *m, const compiled *c, int most_nodes)
{
    double nodes = 0;
    for (int e = 0; e < c->elements; e++)
        nodes += (double)c->element[e].instances * c->element[e].g.nodes.n;
    if (nodes > most_nodes) return NULL;
    if (c->shapes) c = compile_merging(m, c->md, MERGE_ALL);
    return read_graph(m, c, &c->merged);
}

const fields *fields_outputs(mem *m, const compiled *c, int most_nodes)
{
    double nodes = 0;
    for (int k = 0; k < c->outputs; k++)
        nodes += (double)c->output[k].d->instances * c->output[k].d->g.nodes.n;
    for (int k = 0; k < c->energies && c->needs_energies; k++)
        nodes += (double)c->energy[k].d->instances * c->energy[k].d->g.nodes.n;
    if (nodes > most_nodes) return NULL;
    compiled *own = compile_merging(m, c->md, MERGE_ALL);
    merged    g = {0};
    merge_observed(own, &g);
    return read_graph(m, own, &g);
}

const kernel *fields_kernel(mem *m, const fields *f, const field_root *const *root, int count)
{
    expr *value = mem_array(m, count + 1, expr);
    for (int k = 0; k < count; k++) value[k] = root[k]->value;
    return kernel_new(m, &f->g, value, count, f->variables);
}
