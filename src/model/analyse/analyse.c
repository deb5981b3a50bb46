/* analyse.c - facts that follow from the form of the expressions. */
#include "model/analyse/analyse.h"

#include "model/analyse/facts.h"

#include "model/naming.h"
#include <string.h>

#include <stdlib.h>

/* what a fact about the state depends on */
static const unsigned STATE = 1u << FROM_Q | 1u << FROM_W | 1u << FROM_V;

/* Did the user write it? The others are derivatives, also the velocity form of a holonomic row. */
bool analyse_written(const compiled *c, const derived *d, sink s)
{
    if (s == SINK_E) return c->md->relation.at[slot_index(d->of->target, 0)].kind == REL_VELOCITY;
    return s == SINK_L || s == SINK_F || s == SINK_G;
}

/* Marks the coordinates that some term reads through a source. */
static void mark_read(mem *m, const compiled *c, feed_kind from, uint8_t *mark)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        uint8_t       *used = mem_resize(m, NULL, (size_t)d->feed.n + 1);
        for (int k = 0; k < d->feed.n; k++) used[k] = 0;
        for (int y = 0; y < d->yield.n; y++)
            if (analyse_written(c, d, d->yield.at[y].into))
                derived_reads(m, &d->g, &d->yield.at[y].root, 1, used);
        for (int k = 0; k < d->feed.n; k++)
            if (used[k] && d->feed.at[k].from == from && !slot_is_axis(d->feed.at[k].at.kind))
                for (int i = 0; i < d->instances; i++) mark[slot_index(&d->feed.at[k].at, i)] = 1;
        mem_drop(m, used);
    }
}

/* Marks the coordinates whose equation, or whose column of A, some term of the sink enters. */
static void mark_entered(const compiled *c, sink into, bool by_column, uint8_t *mark)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (in->into != into) continue;
            const slot *s = by_column ? in->column : in->row;
            for (int k = 0; k < d->instances; k++) mark[slot_index(s, k)] = 1;
        }
    }
}

/* The numbers of what is not marked, in memory of m; returns how many there are. */
static int list_unmarked(mem *m, const uint8_t *mark, int n, int **list)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += !mark[i];
    *list = mem_array(m, count + 1, int);
    for (int i = 0, k = 0; i < n; i++)
        if (!mark[i]) (*list)[k++] = i;
    return count;
}

/* Cyclic: has momentum, is read by no term, feels no force and no relation. */
int analyse_cyclic(mem *m, const compiled *c, int **list)
{
    int      n = c->sys.n;
    uint8_t *busy = mem_array(m, n + 1, uint8_t), *moving = mem_array(m, n + 1, uint8_t);
    mark_read(m, c, FROM_Q, busy);
    mark_entered(c, SINK_F, false, busy);
    mark_entered(c, SINK_A, true, busy);
    mark_entered(c, SINK_LW, false, moving);
    for (int i = 0; i < n; i++) /* about an axis of a body, momentum is not kept */
        busy[i] |= !moving[i] || (c->md->turns && c->md->turns->of_row[i] >= 0);
    return list_unmarked(m, busy, n, list);
}

/* A coordinate is determined if its equation depends on anything, or a relation holds it. */
static int undetermined(mem *m, const compiled *c, int **list)
{
    static const sink rows[] = {SINK_LQQ, SINK_LQW, SINK_LWW, SINK_FQ, SINK_FW};
    uint8_t          *mark = mem_array(m, c->sys.n + 1, uint8_t);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) mark_entered(c, rows[k], false, mark);
    mark_entered(c, SINK_LQW, true, mark);
    mark_entered(c, SINK_A, true, mark);
    return list_unmarked(m, mark, c->sys.n, list);
}

static bool matrix_sink(sink s)
{
    return sink_table[s].over == ENTRIES_K || sink_table[s].over == ENTRIES_A;
}

/* Linear: no matrix of the equations depends on the state, and no relation is curved. */
static void note_linearity(const compiled *c, analysis *a)
{
    a->linear = !c->sys.jumps, a->constant_coefficients = true;
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            unsigned     holds = d->holds[in->root];
            if (!matrix_sink(in->into)) continue;
            if (holds & STATE || in->into == SINK_CURV) a->linear = false;
            if (holds & (1u << FROM_TIME | 1u << FROM_INPUT)) a->constant_coefficients = false;
        }
    }
    a->constant_coefficients &= a->linear;
}

/* A holonomic relation moves if g does, whether or not its velocity form still holds time. */
static bool relations_hold_time(const compiled *c)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        for (int y = 0; y < d->yield.n; y++) {
            sink into = d->yield.at[y].into;
            if ((into == SINK_G || into == SINK_E) &&
                d->holds[d->yield.at[y].root] & (1u << FROM_TIME | 1u << FROM_INPUT))
                return true;
        }
    }
    return false;
}

/* No entry of the field couples two coordinates. */
static bool only_on_diagonal(const dal_system *sys, field f)
{
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            if (sys->present[f][k] && sys->K.column[k] != i) return false;
    return true;
}

static void note_form(const compiled *c, analysis *a)
{
    const dal_system *sys = &c->sys;
    a->autonomous = sys->autonomous, a->forced = sys->forced, a->rheonomic = sys->rheonomic;
    a->moving = relations_hold_time(c);
    a->conservative = !sys->forced && !sys->rheonomic && !sys->timed;
    a->constant_inertia = sys->varies[F_LWW] != FIELD_VARIES;
    a->diagonal_inertia = only_on_diagonal(sys, F_LWW);
    a->velocity_forces = sys->varies[F_FW] != FIELD_ZERO;
    /* T(v) - V(q) needs constant inertia; T(p) + V(q) has none to vary, if all is Hamiltonian. */
    a->separable = sys->varies[F_LQW] == FIELD_ZERO &&
                   (a->constant_inertia || a->count.hamiltonian == a->count.coordinates);
    note_linearity(c, a);
}

typedef vec(kink) kinks;

/* Instances of a part share a statement, and may bind one expression. */
static void add_kink(mem *m, kinks *found, kink k)
{
    for (int i = 0; i < found->n; i++)
        if (found->at[i].at.of == k.at.of && found->at[i].at.start == k.at.start &&
            !strcmp(found->at[i].what, k.what))
            return;
    vec_push(m, *found, k);
}

void analyse_kinks(mem *m, const compiled *c, analysis *a)
{
    enum { MOST = 64 };
    expr  at[MOST];
    kinks found = {0};
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        uint8_t       *used = mem_array(m, d->feed.n + 1, uint8_t);
        graph          g = graph_seen_from(&d->g, m);
        for (int k = 0; k < d->feed.n; k++) used[k] = STATE >> d->feed.at[k].from & 1;
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (!analyse_written(c, d, in->into)) continue;
            int n = expr_kinks(&g, in->root, used, false, at, MOST);
            for (int k = 0; k < n && k < MOST; k++) {
                text   what = text_new(m);
                naming self = {c, d, 0};
                expr_print(&g, at[k], naming_variable, &self, &what);
                add_kink(m, &found,
                         (kink){d->of->at, text_str(&what), slot_index(&d->of->owner, 0)});
            }
        }
    }
    a->kinks = found.n, a->kink = found.at;
}

/* Bandwidth as numbered and as Cuthill-McKee would number; components that nothing joins. */
static void note_size(mem *m, const compiled *c, analysis *a)
{
    const pattern *K = &c->sys.K;
    int           *position = mem_resize(m, NULL, (size_t)(K->rows + 1) * sizeof *position);
    pattern_order(m, K, position);
    a->coupling.entries = pattern_count(K);
    for (int i = 0; i < K->rows; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            int j = K->column[k], width = abs(i - j), ordered = abs(position[i] - position[j]);
            if (width > a->coupling.bandwidth) a->coupling.bandwidth = width;
            if (ordered > a->coupling.ordered_bandwidth) a->coupling.ordered_bandwidth = ordered;
        }
    mem_drop(m, position);
    groups g = groups_new(m, c->sys.n);
    for (int i = 0; i < K->rows; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) groups_join(&g, i, K->column[k]);
    groups_join_rows(&g, &c->sys.A);
    a->coupling.components = groups_count(&g);
    mem_drop(m, g.of);
}

static void count_all(const compiled *c, analysis *a)
{
    const model *md = c->md;
    a->count.coordinates = md->coordinates, a->count.parameters = model_written(md);
    /* inputs that an outer system gives a value are not the user's to set */
    for (int i = 0; i < md->inputs; i++) a->count.inputs += !(md->bound && md->bound[i]);
    a->count.outputs = md->outputs, a->count.parts = md->parts.n, a->symmetries = md->symmetries;
    const unsigned char *hamiltonian = (md->written ? md->written : md)->hamiltonian;
    for (int i = 0; i < md->coordinates && hamiltonian; i++) a->count.hamiltonian += hamiltonian[i];
    for (int i = 0; i < md->coordinates && md->state; i++) a->count.states += md->state[i];
    for (int k = 0; k < md->relation.n; k++) {
        a->count.constraints += md->relation.at[k].kind == REL_VELOCITY;
        a->count.holonomic += md->relation.at[k].kind == REL_HOLONOMIC;
        a->count.ties += md->relation.at[k].kind == REL_TIE;
        a->count.connections += md->relation.at[k].connection;
    }
    for (int e = 0; e < md->elements.n; e++)
        if (md->elements.at[e].kind < EL_OUTPUT)
            a->count.elements++, a->count.instances += md->elements.at[e].instances;
}

const analysis *analyse_form(mem *m, const compiled *c)
{
    analysis *a = mem_array(m, 1, analysis);
    count_all(c, a);
    note_form(c, a);
    a->cyclics = analyse_cyclic(m, c, &a->cyclic);
    a->undetermineds = undetermined(m, c, &a->undetermined);
    a->opens = analyse_open(m, c->md, &a->open);
    analyse_kinks(m, c, a);
    note_size(m, c, a);
    return a;
}

/* Adds to the facts of form those at a point. form stays as it is. */
const analysis *analyse_at(mem *m, const compiled *c, const analysis *form, bound *b,
                           const sys_point *start)
{
    analysis *a = mem_array(m, 1, analysis);
    *a = *form;
    analyse_ranks(m, c, b, start, a);
    analyse_symmetries(m, c, b, start, a);
    /* Stoermer-Verlet: L_ww constant, diagonal and regular, L_qw = 0, f free of v, no relations. */
    a->explicit_trapezoid = a->constant_inertia && a->diagonal_inertia && a->separable &&
                            !a->velocity_forces && !c->sys.m && !c->sys.r && a->ranked &&
                            a->inertia_rank == a->inertia_size &&
                            a->momentum_rank == a->momentum_size;
    return a;
}

const analysis *analyse(mem *m, const compiled *c, bound *b, const sys_point *start)
{
    return analyse_at(m, c, analyse_form(m, c), b, start);
}
