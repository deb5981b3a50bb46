/* print.c - the flattened system as text that reads like the model it came from. */
#include "model/print/print.h"

#include "model/naming.h"

enum { LISTED = 100 }; /* members shown of one kind */

typedef struct {
    const compiled *c;
    const element  *el;
    int             instance;
} term;

/* A slot of an element by the name that its instance has. */
static void name_slot(void *self, int variable, text *out)
{
    static const feed_kind seen_as[] = {
        [SLOT_TIME] = FROM_TIME, [SLOT_DATA] = FROM_DATA, [SLOT_PARAMETER] = FROM_PARAMETER,
        [SLOT_INPUT] = FROM_INPUT, [SLOT_Q] = FROM_Q, [SLOT_V] = FROM_V, [SLOT_P] = FROM_P,
        [SLOT_MULTIPLIER] = FROM_LAM, [SLOT_ENERGY] = FROM_ENERGY,
    };
    const term *at = self;
    const slot *s = &at->el->slot[variable];
    int         index = slot_index(s, at->instance);
    naming_feed(at->c, seen_as[s->kind],
                s->kind == SLOT_MULTIPLIER ? at->c->row_of[index] : index, out);
}

/* Members of a kind, one per line, with values and labels if there are any. */
static void print_members(const compiled *c, member_kind kind, const char *title, int n,
                          const double *value, text *out)
{
    if (n) text_printf(out, "%s\n", title);
    for (int i = 0; i < n && i < LISTED; i++) {
        const char *label = model_label(c->md, kind, i);
        text_add(out, "  ");
        model_name(c->md, kind, i, out);
        if (value) {
            text_add(out, " = ");
            text_number(out, value[i]);
        }
        if (label) text_printf(out, "  \"%s\"", label);
        if (kind == MEMBER_COORDINATE && c->md->hamiltonian && c->md->hamiltonian[i])
            text_add(out, "  (Hamiltonian)");
        text_add(out, "\n");
    }
    if (n > LISTED) text_printf(out, "  ... %d in all\n", n);
}

/* "force x: ", "output power = " */
static void print_head(const term *at, int j, text *out)
{
    const element *el = at->el;
    const model   *md = at->c->md;
    int            index = slot_index(&el->target[j], at->instance);
    switch (el->kind) {
    case EL_LAGRANGIAN: text_add(out, "lagrangian "); break;
    case EL_HAMILTONIAN: text_add(out, "hamiltonian "); break;
    case EL_FORCE:
        text_add(out, "force ");
        model_name(md, MEMBER_COORDINATE, index, out);
        text_add(out, ": ");
        break;
    case EL_RELATION:
        text_add(out, md->relation.at[index].connection             ? "connect "
                      : md->relation.at[index].kind == REL_VELOCITY ? "constraint "
                                                                    : "holonomic ");
        if (md->relation.at[index].member < 0) break; /* it has no name */
        model_name(md, MEMBER_RELATION, index, out);
        text_add(out, ": ");
        break;
    case EL_OUTPUT:
        text_add(out, index < md->outputs ? "output " : "momentum ");
        if (index < md->outputs) model_name(md, MEMBER_OUTPUT, index, out);
        else model_name(md, MEMBER_SYMMETRY, index - md->outputs, out);
        text_add(out, " = ");
        break;
    case EL_DRAW: break;
    }
}

/* draw line(0, 0, x, y) */
static void print_figure(const term *at, text *out)
{
    const element     *el = at->el;
    const dal_drawing *d = at->c->md->drawing.at;
    graph              g = graph_seen_from(&el->g, out->m);
    while (d->first != (size_t)slot_index(&el->target[0], 0)) d++;
    text_printf(out, "  draw %s", dal_figure_name(d->figure));
    for (int j = 0; j < el->roots; j++) {
        text_add(out, j ? ", " : "(");
        expr_print(&g, el->root[j], name_slot, (void *)at, out);
    }
    text_add(out, ")");
    if (d->words) text_printf(out, " \"%s\"", d->words);
    if (el->instances > 1) text_printf(out, "   (the first of %d)", el->instances);
    text_add(out, "\n");
}

/* Every root of an element at its first instance. */
static void print_element(const compiled *c, const element *el, text *out)
{
    term  at = {c, el, 0};
    graph g = graph_seen_from(&el->g, out->m);
    if (el->kind == EL_DRAW) {
        print_figure(&at, out);
        return;
    }
    for (int j = 0; j < el->roots; j++) {
        text_add(out, "  ");
        print_head(&at, j, out);
        expr_print(&g, el->root[j], name_slot, &at, out);
        if (el->kind == EL_RELATION) text_add(out, " = 0");
        if (el->instances > 1) text_printf(out, "   (the first of %d)", el->instances);
        text_add(out, "\n");
    }
}

void print_system(const compiled *c, const double *parameter, text *out)
{
    const model *md = c->md;
    text_printf(out, "system %s\n", md->system ? md->system : "");
    print_members(c, MEMBER_COORDINATE, "coordinates", md->coordinates, NULL, out);
    print_members(c, MEMBER_PARAMETER, "parameters", md->parameters, parameter, out);
    print_members(c, MEMBER_INPUT, "inputs", md->inputs, NULL, out);
    text_add(out, "terms\n");
    for (int e = 0; e < md->elements.n; e++)
        if (md->elements.at[e].instances) print_element(c, &md->elements.at[e], out);
}
