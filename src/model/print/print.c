/* print.c - the flattened system as text that reads like the model it came from. */
#include "model/print/print.h"
#include "model/figures.h"
#include "model/print/equation_lines.h"

enum { LISTED = 100 }; /* members shown of one kind */

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
        if (kind == MEMBER_PARAMETER && model_member(c->md, kind, i)->discrete)
            text_add(out, "  (discrete)");
        if (kind == MEMBER_COORDINATE && c->md->hamiltonian && c->md->hamiltonian[i])
            text_add(out, "  (Hamiltonian)");
        text_add(out, "\n");
    }
    if (n > LISTED) text_printf(out, "  ... %d in all\n", n);
}

/* "contact floor: ", "friction belt: "; of what a contact rubs along "slip(floor) = " */
static void print_row_head(const model *md, int row, text *out)
{
    static const char *const word[] = {[EVENT_CONTACT] = "contact ",
                                       [EVENT_ONE_SIDED] = "constraint ",
                                       [EVENT_FRICTION] = "friction "};
    const event             *e = event_of_row(md, row);
    const bool               tangent = row != e->row;
    text_add(out, tangent ? "slip(" : e->member >= 0 ? word[e->kind] : "");
    model_name(md, MEMBER_EVENT, (int)(e - md->event.at), out);
    text_add(out, tangent ? ") = " : ": ");
}

static void print_row_tail(const model *md, int row, text *out)
{
    const event *e = event_of_row(md, row);
    if (row == e->row) text_add(out, e->kind == EVENT_FRICTION ? " = 0" : " >= 0");
}

/* What the number is that an event asks for: "restitution of floor = ", "when hot: T = ". */
static void print_asked_head(const model *md, int asked, text *out)
{
    static const char *const of[][2] = {[EVENT_CONTACT] = {"restitution of ", "friction of "},
                                        [EVENT_FRICTION] = {"limit of ", "slipping force of "},
                                        [EVENT_WHEN] = {"margin of ", "condition of "},
                                        [EVENT_STOP] = {"margin of ", "condition of "}};
    for (int k = 0; k < md->event.n; k++) {
        const event *e = &md->event.at[k];
        for (int i = 0; i < e->resets; i++) {
            const event_reset *r = &md->reset.at[e->reset + i];
            if (r->asked != asked) continue;
            model_name(md, MEMBER_EVENT, k, out);
            text_add(out, r->kind == RESET_P ? " resets p(" : " resets ");
            model_name(md, r->kind == RESET_PARAMETER ? MEMBER_PARAMETER : MEMBER_COORDINATE,
                       r->index, out);
            text_add(out, r->kind == RESET_P ? ")" : r->kind == RESET_V ? "'" : "");
        }
        if (e->kind == EVENT_ONE_SIDED || e->kind == EVENT_SWITCH) continue;
        if (asked != e->asked && asked != e->asked + 1) continue;
        text_add(out, of[e->kind][asked - e->asked]);
        model_name(md, MEMBER_EVENT, k, out);
    }
    text_add(out, " = ");
}

/* "force x: ", "output power = " */
static void print_head(const model *md, const element *el, int j, text *out)
{
    int index = slot_index(&el->target[j], 0);
    switch (el->kind) {
    case EL_LAGRANGIAN: text_add(out, "lagrangian "); break;
    case EL_HAMILTONIAN: text_add(out, "hamiltonian "); break;
    case EL_FORCE:
        text_add(out, el->damping ? "damping " : "force ");
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
        if (index >= md->outputs + md->symmetries) {
            print_asked_head(md, index - md->outputs - md->symmetries, out);
            break;
        }
        text_add(out, index < md->outputs ? "output " : "momentum ");
        if (index < md->outputs) model_name(md, MEMBER_OUTPUT, index, out);
        else model_name(md, MEMBER_SYMMETRY, index - md->outputs, out);
        text_add(out, " = ");
        break;
    case EL_EVENT_ROW: print_row_head(md, index, out); break;
    case EL_DRAW: break;
    }
}

/* The words of a figure: draw line(..., ...) "rope" */
static const dal_drawing *figure_of(const model *md, const element *el)
{
    const dal_drawing *d = md->drawing.at;
    while (d->first != (size_t)slot_index(&el->target[0], 0)) d++;
    return d;
}

static void print_many(const element *el, text *out)
{
    if (el->instances > 1) text_printf(out, "   (the first of %d)", el->instances);
    text_add(out, "\n");
}

/* A value that is drawn; what would fill more than a line is left out. */
static void print_drawn(page *p, expr e)
{
    if (page_width(p, e) <= p->as->most) page_print(p, e);
    else text_add(p->out, "...");
}

/* draw line(0, 0, x, y), draw sphere([x[1], x[2], x[3]], r) */
static void print_figure(page *p, const element *el, const expr *root)
{
    const dal_drawing *d = figure_of(p->c->md, el);
    const figure_form *f = form_of_numbers(d->figure, p->c->md->space, d->count);
    text_printf(p->out, "  draw %s(", dal_figure_name(d->figure));
    for (int j = 0, i = 0; j < el->roots; i++) {
        const int n = form_numbers(form_place(f, i));
        text_add(p->out, i ? ", " : "");
        for (int c = 0; c < n; c++) {
            text_add(p->out, c ? ", " : n > 1 ? "[" : "");
            print_drawn(p, root[j++]);
        }
        text_add(p->out, n > 1 ? "]" : "");
    }
    text_add(p->out, ")");
    if (d->words) text_printf(p->out, " \"%s\"", d->words);
    print_many(el, p->out);
}

/* The roots of an element at its first instance, as nodes of the page. */
static expr *import_roots(page *p, const element *el)
{
    mem  *m = p->g.m;
    expr *image = mem_array(m, el->slots + 1, expr), *root = mem_array(m, el->roots + 1, expr);
    int  *memo = mem_array(m, el->g.nodes.n + 1, int);
    for (int k = 0; k < el->slots; k++)
        image[k] = page_variable(p, load_of_slot(p->c, &el->slot[k], 0));
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int j = 0; j < el->roots; j++)
        root[j] = expr_fold(&p->fold, expr_import(&p->g, &el->g, el->root[j], image, memo), true);
    return root;
}

static void print_element(page *p, const element *el)
{
    const expr *root = import_roots(p, el);
    if (el->kind == EL_DRAW) {
        print_figure(p, el, root);
        return;
    }
    for (int j = 0; j < el->roots; j++) {
        text_add(p->out, "  ");
        print_head(p->c->md, el, j, p->out);
        page_print(p, root[j]);
        if (el->kind == EL_RELATION) text_add(p->out, " = 0");
        if (el->kind == EL_EVENT_ROW)
            print_row_tail(p->c->md, slot_index(&el->target[j], 0), p->out);
        print_many(el, p->out);
    }
}

/* Every term at its first instance, and what the lets in them are. */
static void print_terms(const compiled *c, const let_list *lets, text *out)
{
    const model *md = c->md;
    page         p;
    vec(load) read = {0};
    for (int e = 0; e < md->elements.n; e++)
        for (int k = 0; md->elements.at[e].instances && k < md->elements.at[e].slots; k++)
            vec_push(out->m, read, load_of_slot(c, &md->elements.at[e].slot[k], 0));
    page_init(&p, c, read.at, read.n, 0, lets, &writing_plain, out);
    p.margin = "  ", p.fold.spread_all = true;
    text_add(out, "terms\n");
    for (int e = 0; e < md->elements.n; e++)
        if (md->elements.at[e].instances) print_element(&p, &md->elements.at[e]);
    page_definitions(&p);
}

void print_system(const compiled *c, const let_list *lets, const double *parameter, text *out)
{
    const model *md = c->md;
    text_printf(out, "system %s\n", md->system ? md->system : "");
    print_members(c, MEMBER_COORDINATE, "coordinates", md->coordinates, NULL, out);
    print_members(c, MEMBER_PARAMETER, "parameters", model_written(md), parameter, out);
    print_members(c, MEMBER_INPUT, "inputs", md->inputs, NULL, out);
    print_terms(c, lets, out);
}
