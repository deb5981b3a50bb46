/* variational.c - a table of variational orders, for people and as one JSON object; of equivalent
 * splits, the latter; and doubled runs. */
#include "variational.h"

#include <jansson.h>
#include <math.h>

static const char *const heading[DAL_VARIATIONAL] = {"error in L_d", "error in f_d-",
                                                     "error in f_d+", "error in p"};
static const char *const key[DAL_VARIATIONAL] = {"lagrangian", "force_at_start", "force_at_end",
                                                 "momenta"};

static const char *const power_heading[DAL_POWERS] = {"error in g_d-", "error in g_d+",
                                                      "error in E"};
static const char *const power_key[DAL_POWERS] = {"power_at_start", "power_at_end", "energies"};

static void print_order(FILE *out, double x)
{
    if (isfinite(x)) fprintf(out, "%7.2f", x);
    else fprintf(out, "%7s", "");
}

static void print_cell(FILE *out, double error, int roundoff, double order)
{
    fprintf(out, "   %11.2e%c", error, roundoff ? '*' : ' ');
    print_order(out, order);
}

static void print_heading(FILE *out, const char *const *name, int count)
{
    fprintf(out, "%11s", "step");
    for (int k = 0; k < count; k++) fprintf(out, "  %13s  order", name[k]);
    fputc('\n', out);
}

static void print_observed(FILE *out, const char *label, const double *order, int count)
{
    fprintf(out, "%11s", label);
    for (int k = 0; k < count; k++) fprintf(out, "%15s", ""), print_order(out, order[k]);
    fputc('\n', out);
}

/* The powers of the energy principle. */
static void print_powers(const dal_variational *v, FILE *out)
{
    print_heading(out, power_heading, DAL_POWERS);
    for (size_t i = 0; i < v->rows; i++) {
        const dal_variational_powers *row = &v->power[i];
        fprintf(out, "%11.4g", v->row[i].step);
        for (int k = 0; k < DAL_POWERS; k++)
            print_cell(out, row->error[k], row->roundoff[k], row->order[k]);
        fputc('\n', out);
    }
    print_observed(out, "of powers", v->power_observed, DAL_POWERS);
}

static bool has_roundoff(const dal_variational *v)
{
    for (size_t i = 0; i < v->rows; i++) {
        for (int k = 0; k < DAL_VARIATIONAL; k++)
            if (v->row[i].roundoff[k]) return true;
        for (int k = 0; k < DAL_POWERS; k++)
            if (v->power[i].roundoff[k]) return true;
    }
    return false;
}

void variational_print(const dal_variational *v, FILE *out)
{
    fprintf(out, "%s  (%s): %s, order %d, against the exact motion from the start\n", v->model,
            v->file, v->scheme, v->claimed);
    print_heading(out, heading, DAL_VARIATIONAL);
    for (size_t i = 0; i < v->rows; i++) {
        const dal_variational_row *row = &v->row[i];
        fprintf(out, "%11.4g", row->step);
        for (int k = 0; k < DAL_VARIATIONAL; k++)
            print_cell(out, row->error[k], row->roundoff[k], row->order[k]);
        fputc('\n', out);
    }
    print_observed(out, "order", v->observed, DAL_VARIATIONAL);
    if (isfinite(v->power[0].error[0])) print_powers(v, out);
    if (has_roundoff(v)) fputs("* roundoff: left out of the order\n", out);
    if (isfinite(v->doubled))
        fprintf(
            out,
            "doubled      its equations, where both copies agree, are the forced ones to %.1e\n",
            v->doubled);
}

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *numbers(const char *const *name, const double *x, int count)
{
    json_t *all = json_object();
    for (int k = 0; k < count; k++) json_object_set_new(all, name[k], number(x[k]));
    return all;
}

/* Both tables are one here. */
static json_t *together(const double *x, const double *power)
{
    json_t *all = numbers(key, x, DAL_VARIATIONAL);
    json_object_update_new(all, numbers(power_key, power, DAL_POWERS));
    return all;
}

static json_t *row_json(const dal_variational_row *row, const dal_variational_powers *power)
{
    json_t *noise = json_object();
    for (int k = 0; k < DAL_VARIATIONAL; k++)
        json_object_set_new(noise, key[k], json_boolean(row->roundoff[k]));
    for (int k = 0; k < DAL_POWERS; k++)
        json_object_set_new(noise, power_key[k], json_boolean(power->roundoff[k]));
    return json_pack("{s:f, s:o, s:o, s:o}", "step", row->step, "error",
                     together(row->error, power->error), "order",
                     together(row->order, power->order), "roundoff", noise);
}

static void put_json(json_t *all, FILE *out)
{
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}

void variational_json(const dal_variational *v, FILE *out)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < v->rows; i++)
        json_array_append_new(rows, row_json(&v->row[i], &v->power[i]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "model", v->model, "file",
                            v->file, "scheme", v->scheme, "claimed", v->claimed, "observed",
                            together(v->observed, v->power_observed), "doubled", number(v->doubled),
                            "rows", rows);
    put_json(all, out);
}

void equivalence_json(const dal_equivalence *e, FILE *out)
{
    static const char *const kind[] = {[DAL_EQUIVALENT] = "strong",
                                       [DAL_WEAKLY_EQUIVALENT] = "weak",
                                       [DAL_NOT_EQUIVALENT] = "none"};
    json_t                  *splits = json_array();
    for (size_t i = 0; i < e->splits; i++) {
        const dal_split *x = &e->split[i];
        json_array_append_new(splits, json_pack("{s:f, s:o, s:o, s:o, s:o}", "alpha", x->alpha, "q",
                                                number(x->q), "p", number(x->p), "shifted",
                                                number(x->shifted), "failed", number(x->failed)));
    }
    put_json(json_pack("{s:s, s:s, s:s, s:s, s:{s:o, s:o}, s:o}", "model", e->model, "file",
                       e->file, "scheme", e->scheme, "equivalence", kind[e->kind], "moved", "q",
                       number(e->moved_q), "p", number(e->moved_p), "splits", splits),
             out);
}

void duplicate_print(const dal_duplicate *d, FILE *out)
{
    static const char *const K[DAL_JOINTS] = {"(F(q,q') + F(Q,Q')).(q - Q)/2",
                                              "F((q+Q)/2, (q'+Q')/2).(q - Q)",
                                              "the first + |q - Q|^2 sum (q - Q)"};
    fprintf(out, "%s  (%s): %s, order %d, %ld steps of %.6g\n", d->model, d->file, d->scheme,
            d->claimed, d->steps, d->step);
    fprintf(out, "doubled      L(Q,Q') - L(q,q') - K, of %d coordinates, from Q = q\n",
            d->coordinates);
    fprintf(out, "%-35s%13s%17s%8s\n", "K", "copies apart", "from forced run", "order");
    for (int k = 0; k < DAL_JOINTS; k++) {
        fprintf(out, "%-35s%13.1e%17.1e", K[k], d->by[k].off_diagonal, d->by[k].apart);
        if (isfinite(d->by[k].observed)) fprintf(out, "%8.2f\n", d->by[k].observed);
        else fprintf(out, "%8s\n", "-");
    }
}

void duplicate_json(const dal_duplicate *d, FILE *out)
{
    static const char *const name[DAL_JOINTS] = {"mean", "between", "beyond"};
    json_t                  *by = json_object();
    for (int k = 0; k < DAL_JOINTS; k++)
        json_object_set_new(
            by, name[k],
            json_pack("{s:o, s:o, s:o}", "off_diagonal", number(d->by[k].off_diagonal), "apart",
                      number(d->by[k].apart), "observed", number(d->by[k].observed)));
    put_json(json_pack("{s:s, s:s, s:s, s:i, s:f, s:I, s:i, s:o, s:o, s:o, s:o}", "model", d->model,
                       "file", d->file, "scheme", d->scheme, "claimed", d->claimed, "step", d->step,
                       "steps", (json_int_t)d->steps, "coordinates", d->coordinates, "off_diagonal",
                       number(d->off_diagonal), "apart", number(d->apart), "observed",
                       number(d->observed), "by", by),
             out);
}
