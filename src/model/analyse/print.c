/* print.c - the facts as sentences, and as warnings and errors where they call for one. */
#include "model/analyse/analyse.h"
#include "model/naming.h"

#include <math.h>

enum { LISTED = 12 }; /* names shown of a long list */

/* "qC - 2*qR": weights of 1 are not written. */
void analysis_print_direction(const direction *d, const model *md, text *out)
{
    for (int k = 0; k < d->n; k++) {
        double w = d->weight[k], size = fabs(w);
        text_add(out, w < 0 ? (k ? " - " : "-") : (k ? " + " : ""));
        if (fabs(size - 1) > 1e-9) text_printf(out, "%.6g*", size);
        model_name(md, MEMBER_COORDINATE, d->coordinate[k], out);
    }
}

/* Names of a list, the first LISTED of them. */
static void add_names(const model *md, member_kind kind, const int *list, int n, text *out)
{
    for (int k = 0; k < n && k < LISTED; k++) {
        text_add(out, k ? ", " : "");
        model_name(md, kind, list[k], out);
    }
    if (n > LISTED) text_printf(out, ", ... (%d in all)", n);
}

static void line(text *out, const char *title)
{
    text_printf(out, "  %-12s ", title);
}

/* "5 coordinates", "1 coordinate", "no coordinates" */
static void counted(text *out, int n, const char *one, const char *many)
{
    if (n) text_printf(out, "%d %s", n, n == 1 ? one : many);
    else text_printf(out, "no %s", many);
}

static void print_made_of(const analysis *a, text *out)
{
    line(out, "made of");
    counted(out, a->count.coordinates - a->count.states, "coordinate", "coordinates");
    if (a->count.hamiltonian == a->count.coordinates) text_add(out, " (Hamiltonian)");
    else if (a->count.hamiltonian) text_printf(out, " (%d Hamiltonian)", a->count.hamiltonian);
    text_add(out, ", ");
    if (a->count.states) counted(out, a->count.states, "state", "states"), text_add(out, ", ");
    counted(out, a->count.parameters, "parameter", "parameters");
    if (a->count.parts > 1) {
        text_add(out, ", ");
        counted(out, a->count.parts - 1, "part", "parts");
    }
    if (a->count.inputs) {
        text_add(out, ", ");
        counted(out, a->count.inputs, "input", "inputs");
    }
    text_printf(out, "; %d %s of %d %s\n", a->count.instances,
                a->count.instances == 1 ? "term" : "terms", a->count.elements,
                a->count.elements == 1 ? "kind" : "kinds");
}

static void print_kind(const analysis *a, text *out)
{
    line(out, "kind");
    text_add(out, !a->linear                 ? "nonlinear"
                  : a->constant_coefficients ? "linear"
                                             : "linear with coefficients that change in time");
    text_add(out, a->separable ? ", separable" : ", not separable");
    text_add(out, a->autonomous ? ", autonomous" : ", time-dependent");
    text_add(out, a->conservative ? ", conservative\n"
                  : a->forced     ? ", forced\n"
                                  : ", not conservative\n");
}

static void print_inertia(const analysis *a, const model *md, text *out)
{
    line(out, "inertia");
    text_add(out, a->constant_inertia ? "constant" : "depends on the state");
    text_add(out, a->diagonal_inertia ? ", diagonal" : "");
    if (!a->finite) {
        text_add(out, "; not finite at the start\n");
        return;
    }
    if (!a->ranked) text_add(out, "; too large to tell whether it is degenerate");
    else if (!a->inertia_known) text_add(out, "; regular together with the relations");
    else if (a->inertia_rank == a->inertia_size) text_add(out, "; regular");
    else text_printf(out, "; degenerate: rank %d of %d", a->inertia_rank, a->inertia_size);
    if (a->momentum_rank < a->momentum_size && a->ranked)
        text_printf(out, "; d2H/dp2 has rank %d of %d", a->momentum_rank, a->momentum_size);
    if (a->negatives) {
        text_add(out, "; negative along ");
        add_names(md, MEMBER_COORDINATE, a->negative, a->negatives, out);
    } else if (a->overcoupled[1]) {
        text_add(out, "; negative for some velocities of ");
        add_names(md, MEMBER_COORDINATE, a->overcoupled, 2, out);
    }
    text_add(out, "\n");
    if (!a->null_dimension) return;
    line(out, "");
    text_printf(out, "%d %s neither inertia nor relation, %d with resistance:", a->null_dimension,
                a->null_dimension == 1 ? "direction has" : "directions have", a->resisted);
    for (int k = 0; k < a->nulls; k++) {
        text_add(out, k ? "; " : " ");
        analysis_print_direction(&a->null[k], md, out);
    }
    text_add(out, a->nulls < a->null_dimension ? "; ...\n" : "\n");
}

static void print_list(const model *md, const char *title, const int *list, int n, text *out)
{
    if (!n) return;
    line(out, "");
    text_add(out, title);
    add_names(md, MEMBER_RELATION, list, n, out);
    text_add(out, "\n");
}

/* As many independent relations as coordinates. */
static bool leaves_no_freedom(const analysis *a)
{
    return a->ranked && a->relation_rank == a->count.coordinates;
}

/* Those that can be integrated, with what they keep, and the others. */
static void print_integrability(const integrability *v, const model *md, text *out)
{
    if (!v) return;
    if (v->disguises) {
        line(out, "");
        text_add(out, "holonomic in disguise: ");
        for (int k = 0; k < v->disguises && k < LISTED; k++) {
            text_add(out, k ? ", " : "");
            model_name(md, MEMBER_RELATION, v->disguised[k].relation, out);
            if (v->disguised[k].leaf) text_printf(out, " (%s is constant)", v->disguised[k].leaf);
        }
        if (v->disguises > LISTED) text_printf(out, ", ... (%d in all)", v->disguises);
        text_add(out, "\n");
    }
    if (!v->nonholonomics) return;
    line(out, "");
    text_add(out, "nonholonomic: ");
    add_names(md, MEMBER_RELATION, v->nonholonomic, v->nonholonomics, out);
    if (v->nonholonomics > 1 && !v->combinations)
        text_add(out, "; no combination of them can be integrated");
    text_add(out, "\n");
}

static void print_relations(const analysis *a, const model *md, text *out)
{
    int all = a->count.constraints + a->count.holonomic + a->count.ties;
    if (!all) return;
    const struct {
        int         n;
        const char *one, *many;
    } kinds[] = {{a->count.constraints, "velocity constraint", "velocity constraints"},
                 {a->count.holonomic, "holonomic constraint", "holonomic constraints"},
                 {a->count.ties, "tie", "ties"}};
    const char *before = "";
    line(out, "relations");
    for (int k = 0; k < 3; k++) {
        if (!kinds[k].n) continue;
        text_add(out, before);
        counted(out, kinds[k].n, kinds[k].one, kinds[k].many);
        before = ", ";
    }
    if (a->count.connections)
        text_printf(out, " (%d written as connections)", a->count.connections);
    if (a->rheonomic) text_add(out, a->moving ? ", moving in time" : ", affine in the velocities");
    if (a->ranked) text_printf(out, "; rank %d of %d", a->relation_rank, all);
    if (leaves_no_freedom(a))
        text_add(out, a->rheonomic ? ", which prescribe the motion" : ", which leave no freedom");
    text_add(out, "\n");
    print_list(md, "dependent on others: ", a->dependent.relation, a->dependent.n, out);
    print_list(md, "without effect at the start: ", a->idle, a->idles, out);
    print_integrability(a->velocity, md, out);
}

/* Where a state is its own image, it stays there. */
static void print_symmetry(const analysis *a, const model *md, int s, text *out)
{
    static const double SAME = 1e-12;
    const bool          finite = symmetry_is_finite(md, s);
    model_name(md, MEMBER_SYMMETRY, s, out);
    if (a->symmetry_defect[s] > SYMMETRY_BROKEN)
        text_add(out, finite ? ": not a symmetry of the system" : ": not a symmetry of L");
    else if (finite && a->symmetry_off[s] <= SAME)
        text_add(out, ": finite; the start is its own image, and so is the motion");
    else if (finite)
        text_printf(out, ": finite; the start is %.3g from its image", a->symmetry_off[s]);
    text_add(out, "\n");
}

static void print_conserved(const analysis *a, const model *md, text *out)
{
    if (a->cyclics) {
        line(out, "cyclic");
        add_names(md, MEMBER_COORDINATE, a->cyclic, a->cyclics, out);
        text_add(out, "\n");
    }
    for (int s = 0; s < a->symmetries; s++) {
        line(out, s ? "" : "symmetries");
        print_symmetry(a, md, s, out);
    }
}

static void print_coupling(const analysis *a, text *out)
{
    double full = (double)a->count.coordinates * a->count.coordinates;
    line(out, "coupling");
    text_printf(out, "%d of %.0f pairs of coordinates", a->coupling.entries, full);
    int width = a->coupling.ordered_bandwidth < a->coupling.bandwidth
                    ? a->coupling.ordered_bandwidth
                    : a->coupling.bandwidth;
    if (!width) text_add(out, ", diagonal");
    else if (a->count.coordinates > 2 && width == 1) text_add(out, ", tridiagonal");
    else if (width < a->count.coordinates / 4) text_printf(out, ", band of half-width %d", width);
    if (a->coupling.components > 1)
        text_printf(out, ", %d systems that do not meet", a->coupling.components);
    text_add(out, "\n");
}

void analysis_print(const analysis *a, const compiled *c, text *out)
{
    const model *md = c->md;
    print_made_of(a, out);
    print_kind(a, out);
    print_inertia(a, md, out);
    print_relations(a, md, out);
    print_conserved(a, md, out);
    for (int k = 0; k < a->kinks && k < LISTED; k++) {
        line(out, k ? "" : "not smooth");
        text_add(out, a->kink[k].what);
        naming_place(a->kink[k].at, out);
        text_add(out, "\n");
    }
    if (a->count.coordinates > 1) print_coupling(a, out);
}

static const char *name_of(mem *m, const model *md, member_kind kind, int index)
{
    text t = text_new(m);
    model_name(md, kind, index, &t);
    return text_str(&t);
}

static span declared_at(const model *md, member_kind kind, int index)
{
    const member *mb = model_member(md, kind, index);
    return mb ? mb->at : span_none();
}

/* "'rod'", or "this relation" beside its text */
static const char *relation_called(mem *m, const model *md, int r)
{
    if (md->relation.at[r].member < 0 && md->relation.at[r].at.of) return "this relation";
    return mem_printf(m, "'%s'", name_of(m, md, MEMBER_RELATION, r));
}

/* Those that agree with the others all along: only their reactions are not unique. */
static void report_redundant(const analysis *a, const model *md, diags *ds)
{
    for (int k = 0; k < a->dependent.n && k < LISTED; k++) {
        text from = text_new(ds->m);
        add_names(md, MEMBER_RELATION, a->dependent.made_of[k].from, a->dependent.made_of[k].n,
                  &from);
        diag_note(ds, md->relation.at[a->dependent.relation[k]].at, NULL,
                  "%s follows from %s wherever these hold: of all reactions that make the motion, "
                  "those of least norm are reported",
                  relation_called(ds->m, md, a->dependent.relation[k]), text_str(&from));
    }
}

static dal_status report_relations(const analysis *a, const model *md, diags *ds)
{
    dal_status status = DAL_OK;
    if (a->dependent.redundant) report_redundant(a, md, ds);
    for (int k = 0; k < a->dependent.n && k < LISTED && !a->dependent.redundant; k++) {
        const relation_sum *of = &a->dependent.made_of[k];
        const int           r = a->dependent.relation[k];
        text                hint = text_new(ds->m);
        text_add(&hint, "it is a combination of ");
        add_names(md, MEMBER_RELATION, of->from, of->n, &hint);
        text_add(&hint, ": leave it out, make it independent, or start elsewhere if they "
                        "depend on each other only there");
        status = diag_error(ds, DAL_INVALID, md->relation.at[r].at, text_str(&hint),
                            "%s follows from other relations, or contradicts them",
                            relation_called(ds->m, md, r));
    }
    for (int k = 0; k < a->idles && k < LISTED; k++) {
        int r = a->idle[k];
        status = diag_error(ds, DAL_INVALID, md->relation.at[r].at,
                            "start elsewhere: what has no start begins at 0, and at a dead point a "
                            "mechanism may branch; write x = y, not (x - y)^2 = 0",
                            "%s has no effect at the start: all its derivatives vanish there",
                            relation_called(ds->m, md, r));
    }
    return status;
}

/* Moving relations may prescribe a motion, so they are no reason to warn. */
static void report_no_freedom(const analysis *a, diags *ds)
{
    if (leaves_no_freedom(a) && !a->rheonomic)
        diag_warning(ds, span_none(),
                     "leave out a relation that need not hold, unless the reactions at rest are "
                     "what is wanted",
                     "nothing can move: there are as many independent relations as coordinates");
}

static void report_open_ends(const analysis *a, const model *md, diags *ds)
{
    for (int k = 0; k < a->opens && k < LISTED; k++) {
        const int   i = a->open[k];
        const char *end = name_of(ds->m, md, MEMBER_COORDINATE, i);
        diag_warning(ds, declared_at(md, MEMBER_COORDINATE, i),
                     "name it in a 'connect', or leave the part out",
                     "'%s' is connected to nothing, so that its part has no effect", end);
    }
}

/* What stands in an imported file is the part's: the warning is for the line that uses it. */
kink_place kink_place_of(mem *m, const kink *k, const model *md)
{
    const source *own = md->source.n ? md->source.at[0] : NULL;
    span          at = k->at;
    for (int of = k->part; at.of != own && of > 0; of = md->parts.at[of].parent) {
        const part *p = &md->parts.at[of];
        at = md->parts.at[p->parent].shape->member[p->member].at;
    }
    if (at.of == k->at.of || at.of != own) return (kink_place){k->at, ""};
    return (kink_place){at, mem_printf(m, " (%s:%d)", k->at.of->file, span_line(k->at))};
}

static void report_kink(const kink *k, const model *md, diags *ds)
{
    const kink_place at = kink_place_of(ds->m, k, md);
    diag_warning(ds, at.at, "the order is lost where a run crosses the kink",
                 "'%s' is not smooth in the state%s", k->what, at.beside);
}

/* Errors stop a run, warnings do not; of each kind at most LISTED are shown. */
dal_status analysis_report(const analysis *a, const compiled *c, diags *ds)
{
    const model *md = c->md;
    dal_status   status = DAL_OK;
    for (int k = 0; k < a->undetermineds && k < LISTED; k++) {
        int i = a->undetermined[k];
        status = diag_error(ds, DAL_INVALID, declared_at(md, MEMBER_COORDINATE, i),
                            "give it inertia, stiffness, resistance or a constraint",
                            "nothing determines coordinate '%s': no term is left in its equation "
                            "of motion",
                            name_of(ds->m, md, MEMBER_COORDINATE, i));
    }
    dal_status related = report_relations(a, md, ds);
    if (related) status = related;
    if (a->metric)
        diag_note(ds, declared_at(md, MEMBER_COORDINATE, a->negative[0]), NULL,
                  "the kinetic energy is indefinite: along '%s' it is negative",
                  name_of(ds->m, md, MEMBER_COORDINATE, a->negative[0]));
    else if (a->negatives)
        diag_warning(ds, declared_at(md, MEMBER_COORDINATE, a->negative[0]),
                     "if this is not intended, check its mass and the signs",
                     "the kinetic energy of '%s' is negative at the start",
                     name_of(ds->m, md, MEMBER_COORDINATE, a->negative[0]));
    else if (a->overcoupled[1])
        diag_warning(ds, declared_at(md, MEMBER_COORDINATE, a->overcoupled[1]),
                     "if this is not intended, the coefficient of their product is too "
                     "large: for coils, M^2 may not exceed L1*L2",
                     "some velocities of '%s' and '%s' have a negative kinetic energy at the start",
                     name_of(ds->m, md, MEMBER_COORDINATE, a->overcoupled[0]),
                     name_of(ds->m, md, MEMBER_COORDINATE, a->overcoupled[1]));
    if (!related) report_no_freedom(a, ds);
    report_open_ends(a, md, ds);
    for (int s = 0; s < a->symmetries; s++)
        if (a->symmetry_defect[s] > SYMMETRY_BROKEN)
            diag_warning(ds, declared_at(md, MEMBER_SYMMETRY, s),
                         symmetry_is_finite(md, s)
                             ? "states that are their own image need not stay so"
                             : "its momentum is reported, but need not be conserved",
                         symmetry_is_finite(md, s)
                             ? "'%s' is not a symmetry: L, forces or relations change under it"
                             : "'%s' is not a symmetry: L changes along it",
                         name_of(ds->m, md, MEMBER_SYMMETRY, s));
    return status;
}

void analysis_report_kinks(const analysis *a, const model *md, diags *ds)
{
    for (int k = 0; k < a->kinks && k < LISTED; k++) report_kink(&a->kink[k], md, ds);
}
