/* coefficients.c - the numerical coefficients of the ties for the parameters of a simulation:
 * slopes and offsets of coordinates, and the reactions of the ties. */
#include "model/ties/ties.h"

/* Room for the largest relation. parameter NULL: they count as 0. */
tie_reader tie_reader_new(mem *m, const model *md, const double *parameter)
{
    int slots = 0, nodes = 0;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (el->kind != EL_RELATION) continue;
        if (el->slots > slots) slots = el->slots;
        if (el->g.nodes.n > nodes) nodes = el->g.nodes.n;
    }
    return (tie_reader){md, parameter, mem_array(m, slots + 1, double),
                        mem_array(m, nodes + 1, double)};
}

/* child q_child + parent q_parent = constant */
void tie_read(const tie_reader *r, const tie *t, double *child, double *parent, double *constant)
{
    const element *el = &r->md->elements.at[t->element];
    for (int k = 0; k < el->slots; k++) {
        int at = slot_index(&el->slot[k], t->instance);
        r->vars[k] = el->slot[k].kind == SLOT_DATA                        ? r->md->data.at[at]
                     : el->slot[k].kind == SLOT_PARAMETER && r->parameter ? r->parameter[at]
                                                                          : 0;
    }
    /* linear in its coordinates: the value at 0 and at each unit vector is all of it */
    double at_zero = expr_eval(&el->g, el->root[0], r->vars, r->scratch);
    *child = *parent = 0, *constant = -at_zero;
    for (int k = 0; k < el->slots; k++) {
        if (el->slot[k].kind != SLOT_Q && el->slot[k].kind != SLOT_V) continue;
        r->vars[k] = 1;
        double a = expr_eval(&el->g, el->root[0], r->vars, r->scratch) - at_zero;
        r->vars[k] = 0;
        *(slot_index(&el->slot[k], t->instance) == t->child ? child : parent) += a;
    }
}

/* For messages; lives in m. */
static const char *relation_called(mem *m, const ties *t, const tie *j)
{
    text word = text_new(m);
    model_name(t->md, MEMBER_RELATION, j->relation, &word);
    return text_str(&word);
}

/* Dividing by a coefficient that is 0 would be needed; multipliers do without. */
static dal_status refuse_zero(mem *m, const ties *t, const tie *j, bool child, diags *ds)
{
    text word = text_new(m);
    model_name(t->md, MEMBER_COORDINATE, child ? j->child : j->parent, &word);
    return diag_error(ds, DAL_INVALID, t->md->relation.at[j->relation].at,
                      "--interconnection multipliers allows that",
                      "in '%s' the coefficient of '%s' is 0: nothing is connected",
                      relation_called(m, t, j), text_str(&word));
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* A tie between two that are joined already must say what the others say:  a s_i + b s_j = 0,  a
 * c_i + b c_j = c. */
static dal_status check_repeat(mem *m, const tie_numbers *n, const tie_reader *r, const tie *j,
                               diags *ds)
{
    double a, b, c;
    tie_read(r, j, &a, &b, &c);
    span   at = n->of->md->relation.at[j->relation].at;
    double x = a * tie_slope(n, j->child), y = b * tie_slope(n, j->parent);
    if (!(magnitude(x + y) <= 1e-12 * (magnitude(x) + magnitude(y))))
        return diag_error(
            ds, DAL_INVALID, at, "leave it out: the others connect the same coordinates",
            "'%s' contradicts the other connections: around the loop the ratio is %.10g, not 1",
            relation_called(m, n->of, j), -x / y);
    x = a * tie_offset(n, j->child), y = b * tie_offset(n, j->parent);
    if (j->position &&
        !(magnitude(x + y - c) <= 1e-12 * (magnitude(x) + magnitude(y) + magnitude(c))))
        return diag_error(
            ds, DAL_INVALID, at, "leave it out: the others connect the same coordinates",
            "'%s' contradicts the other connections: around the loop %.10g is left over",
            relation_called(m, n->of, j), x + y - c);
    return DAL_OK;
}

/* Repeats that agree, those of one statement together. */
static void note_repeats(mem *m, const ties *t, diags *ds)
{
    for (int e = 0, end; e < t->repeats; e = end) {
        span at = t->md->relation.at[t->repeat[e].relation].at;
        for (end = e + 1; end < t->repeats; end++) {
            span other = t->md->relation.at[t->repeat[end].relation].at;
            if (other.of != at.of || other.start != at.start) break;
        }
        const char *called = relation_called(m, t, &t->repeat[e]);
        if (end == e + 1)
            diag_note(ds, at, NULL, "'%s' repeats what other relations say, and is left out",
                      called);
        else
            diag_note(ds, at, NULL,
                      "'%s' and %d more repeat what other relations say, and are left out", called,
                      end - e - 1);
    }
}

/* -over/under; exactly 1 where both are equal but for their sign. */
static double negative_ratio(double over, double under)
{
    return over == -under ? 1 : -over / under;
}

/*     T_i z */
static double moving_part(const tie_numbers *n, int i, const double *q)
{
    const ties *t = n->of;
    return t->z[i] < 0 ? 0 : tie_slope(n, i) * q[t->first[t->z[i]]];
}

/*     z_i = q of the first coordinate of its tree */
static double z_at(const ties *t, const double *q, int z)
{
    return q[t->first[z]];
}

/*     c = z_p - sum_k b_k z_k   at the start */
static void fill_junctions(const tie_numbers *n, const double *q)
{
    const ties *t = n->of;
    for (int k = 0; t->cut && q && k < t->cut->count; k++) {
        const junction *b = &t->cut->at[k];
        double        rest = z_at(t, q, b->pivot);
        for (int j = 0; j < b->terms; j++) rest -= n->number[b->number[j]] * z_at(t, q, b->z[j]);
        n->number[b->offset] = rest;
    }
}

/* Coefficients of a relation in z. */
static dal_status read_junction(mem *m, const tie_reader *r, tie_numbers *n, int k, diags *ds)
{
    const ties    *t = n->of;
    const junction  *b = &t->cut->at[k];
    const element *el = &t->md->elements.at[b->element];
    double         term[JUNCTION_TERMS] = {0};
    n->pivot[k] = 0;
    for (int s = 0; s < el->slots; s++) {
        int at = slot_index(&el->slot[s], b->instance);
        r->vars[s] = el->slot[s].kind == SLOT_DATA        ? t->md->data.at[at]
                     : el->slot[s].kind == SLOT_PARAMETER ? r->parameter[at]
                                                          : 0;
    }
    /*     a_k = de/dv_i T_i, summed over the coordinates i of the same z;   b_k = -a_k/a_p */
    for (int s = 0; s < el->slots; s++) {
        if (el->slot[s].kind != SLOT_V) continue;
        int i = slot_index(&el->slot[s], b->instance);
        r->vars[s] = 1;
        double a = expr_eval(&el->g, el->root[0], r->vars, r->scratch) * tie_slope(n, i);
        r->vars[s] = 0;
        if (t->z[i] == b->pivot) n->pivot[k] += a;
        for (int j = 0; j < b->terms; j++)
            if (t->z[i] == b->z[j]) term[j] += a;
    }
    for (int j = 0; j < b->terms; j++)
        n->number[b->number[j]] = negative_ratio(term[j], n->pivot[k]);
    if (n->pivot[k] != 0) return DAL_OK;
    text word = text_new(m);
    model_name(t->md, MEMBER_RELATION, b->relation, &word);
    return diag_error(ds, DAL_INVALID, t->md->relation.at[b->relation].at,
                      "--interconnection multipliers allows that",
                      "in '%s' a coefficient is 0: nothing is connected", text_str(&word));
}

/* Offsets that the relations give, and with q those that the start gives. */
static void fill_offsets(const tie_numbers *n, const double *q)
{
    const ties *t = n->of;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        if (t->offset[j->child] == NUMBER_ZERO || t->offset[j->child] == t->offset[j->parent])
            continue;
        double *offset = &n->number[t->offset[j->child]];
        if (j->position)
            *offset = negative_ratio(n->parent[e], n->child[e]) * tie_offset(n, j->parent) +
                      n->constant[e] / n->child[e];
        else if (q) *offset = q[j->child] - moving_part(n, j->child, q);
    }
}

/* From parents to children, so that the slope of a parent is known: s_child = -(b/a) s_parent.
 * Fails where a or b is 0, and where a loop of ties contradicts itself. */
dal_status ties_evaluate(mem *m, const ties *t, const double *parameter, diags *ds,
                         tie_numbers *out)
{
    tie_reader r = tie_reader_new(m, t->md, parameter);
    dal_status bad = DAL_OK;
    *out = (tie_numbers){t,
                         mem_array(m, t->numbers, double),
                         mem_array(m, t->joins + 1, double),
                         mem_array(m, t->joins + 1, double),
                         mem_array(m, t->joins + 1, double),
                         t->cut ? mem_array(m, t->cut->count, double) : NULL};
    out->number[NUMBER_ONE] = 1;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        double    *a = &out->child[e], *b = &out->parent[e];
        tie_read(&r, j, a, b, &out->constant[e]);
        if (*a == 0 || (*b == 0 && j->parent < t->md->coordinates))
            return refuse_zero(m, t, j, *a == 0, ds);
        if (t->slope[j->child] != t->slope[j->parent])
            out->number[t->slope[j->child]] = negative_ratio(*b, *a) * tie_slope(out, j->parent);
    }
    fill_offsets(out, NULL);
    for (int k = 0; t->cut && k < t->cut->count && !bad; k++) bad = read_junction(m, &r, out, k, ds);
    for (int e = 0; e < t->repeats; e++) {
        dal_status wrong = check_repeat(m, out, &r, &t->repeat[e], ds);
        if (!bad) bad = wrong;
    }
    if (!bad) note_repeats(m, t, ds);
    return bad;
}

void ties_begin(const tie_numbers *n, const double *q)
{
    fill_offsets(n, q);
    fill_junctions(n, q);
}

/*     A^T lam = rho:  the last coordinate of a junction feels one tie only, the one that joins it. */
void ties_reactions(const tie_numbers *n, double *rho, double *lam)
{
    const ties *t = n->of;
    for (int e = t->joins - 1; e >= 0; e--) {
        const tie *j = &t->join[e];
        lam[e] = rho[j->child] / n->child[e];
        if (j->parent < t->md->coordinates) rho[j->parent] -= n->parent[e] * lam[e];
    }
}
