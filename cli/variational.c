/* variational.c - a table of variational orders, for people and as one JSON object; of equivalent
 * splits, the latter; and doubled runs. */
#include "variational.h"

#include <jansson.h>
#include <math.h>

static const char *const heading[DAL_VARIATIONAL] = {"error in L_d", "error in f_d-",
                                                     "error in f_d+", "error in p"};
static const char *const key[DAL_VARIATIONAL] = {"lagrangian", "force_at_start", "force_at_end",
                                                 "momenta"};

static void print_order(FILE *out, double x)
{
    if (isfinite(x)) fprintf(out, "%7.2f", x);
    else fprintf(out, "%7s", "");
}

static void print_row(const dal_variational_row *row, FILE *out)
{
    fprintf(out, "%11.4g", row->step);
    for (int k = 0; k < DAL_VARIATIONAL; k++) {
        fprintf(out, "   %11.2e%c", row->error[k], row->roundoff[k] ? '*' : ' ');
        print_order(out, row->order[k]);
    }
    fputc('\n', out);
}

void variational_print(const dal_variational *v, FILE *out)
{
    bool marks = false;
    fprintf(out, "%s  (%s): %s, order %d, against the exact motion from the start\n", v->model,
            v->file, v->scheme, v->claimed);
    fprintf(out, "%11s", "step");
    for (int k = 0; k < DAL_VARIATIONAL; k++) fprintf(out, "  %13s  order", heading[k]);
    fputc('\n', out);
    for (size_t i = 0; i < v->rows; i++) {
        print_row(&v->row[i], out);
        for (int k = 0; k < DAL_VARIATIONAL; k++) marks |= v->row[i].roundoff[k];
    }
    fprintf(out, "%11s", "order");
    for (int k = 0; k < DAL_VARIATIONAL; k++)
        fprintf(out, "%15s", ""), print_order(out, v->observed[k]);
    fputc('\n', out);
    if (marks) fputs("* roundoff: left out of the order\n", out);
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

static json_t *numbers(const double *x)
{
    json_t *all = json_object();
    for (int k = 0; k < DAL_VARIATIONAL; k++) json_object_set_new(all, key[k], number(x[k]));
    return all;
}

static json_t *row_json(const dal_variational_row *row)
{
    json_t *noise = json_object();
    for (int k = 0; k < DAL_VARIATIONAL; k++)
        json_object_set_new(noise, key[k], json_boolean(row->roundoff[k]));
    return json_pack("{s:f, s:o, s:o, s:o}", "step", row->step, "error", numbers(row->error),
                     "order", numbers(row->order), "roundoff", noise);
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
    for (size_t i = 0; i < v->rows; i++) json_array_append_new(rows, row_json(&v->row[i]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "model", v->model, "file",
                            v->file, "scheme", v->scheme, "claimed", v->claimed, "observed",
                            numbers(v->observed), "doubled", number(v->doubled), "rows", rows);
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
    fprintf(out, "%s  (%s): %s, %ld steps of %.6g\n", d->model, d->file, d->scheme, d->steps,
            d->step);
    fprintf(out,
            "doubled      L(Q,Q') - L(q,q') - (F(q,q') + F(Q,Q')).(q - Q)/2, of %d coordinates\n",
            d->coordinates);
    fprintf(out, "diagonal     both copies stay together to %.1e\n", d->off_diagonal);
    fprintf(out, "forced run   is the doubled one to %.1e\n", d->apart);
    fputs("order        ", out);
    if (isfinite(d->observed))
        fprintf(out, "%.2f of %d, by the doubled run\n", d->observed, d->claimed);
    else fprintf(out, "of %d: errors are roundoff\n", d->claimed);
}

void duplicate_json(const dal_duplicate *d, FILE *out)
{
    put_json(json_pack("{s:s, s:s, s:s, s:i, s:f, s:I, s:i, s:o, s:o, s:o}", "model", d->model,
                       "file", d->file, "scheme", d->scheme, "claimed", d->claimed, "step", d->step,
                       "steps", (json_int_t)d->steps, "coordinates", d->coordinates, "off_diagonal",
                       number(d->off_diagonal), "apart", number(d->apart), "observed",
                       number(d->observed)),
             out);
}
