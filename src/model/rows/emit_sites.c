/* emit_sites.c - C text for one site after the other, inside a loop over all lanes l: terms and
 * sums of a site are scalar variables, so that compilers keep them in registers; only those that a
 * later site needs are carried in arrays. */
#include "kernel/emit_c.h"
#include "model/rows/summands.h"

static bool has_number(const lane_term *t, int y)
{
    return t->of->twin[y] == y;
}

/* Where an input is read for instance k of a site. */
static void write_input(const lane_term *t, int j, int k, int still, int moving, text *out)
{
    const row_input *in = &t->of->t->input[j];
    const int        S = t->of->t->stride;
    const int        at = t->phase + t->in[j] + (t->first + t->history + k) * S;
    if (is_coordinate(in->from))
        text_printf(out, "%s(%d)", in->from == FROM_Q ? "Q_AT" : "W_AT", at);
    else if (!in->stride) text_printf(out, "still[%d * L + l]", still);
    else text_printf(out, "moving%d[(a / %d + %d) * L + l]", moving, S, t->history + k);
}

/* Inputs are numbered in the order of the terms, by kind; so they are counted along. */
static void write_inputs(const lane_term *t, int k, const uint8_t *used, text *out)
{
    int still = t->still, moving = t->moving;
    for (int j = 0; j < t->of->t->inputs; j++) {
        const row_input *in = &t->of->t->input[j];
        if (used[in->feed]) {
            text_printf(out, "        const double x%d = ", in->feed);
            write_input(t, j, k, still, moving, out);
            text_add(out, ";\n");
        }
        if (is_coordinate(in->from)) continue;
        if (in->stride) moving++;
        else still++;
    }
}

/* The same for all instances. */
static bool is_constant(const lane_term *t, int y)
{
    const row_term *of = t->of->t;
    return of->d->g.nodes.at[of->output[t->of->output[y]].of->root].op == OP_CONST;
}

/* Kept from site to site; constants need not be. */
static bool is_carried(const lane_term *t, int y)
{
    return has_number(t, y) && !is_constant(t, y);
}

/* What an instance gives: a number of a site, or one that is carried. */
static void write_name(const lane_term *t, int y, int k, text *out)
{
    if (is_constant(t, y)) text_printf(out, "v%d_%d_0", t->number, y);
    else if (k >= 0) text_printf(out, "v%d_%d_%d", t->number, y, k);
    else text_printf(out, "V%d_%d[%d * L + l]", t->number, y, t->history + k);
}

/* Instance k of a term at a site; k < 0 is one of the history, of which only what is carried
 * counts. */
static void write_instance(mem *m, const lane_term *t, int k, text *out)
{
    static const emit_style style = {
        .before = "x", .after = "", .local = "t", .indent = "        "};
    uint8_t                *used = mem_array(m, t->of->t->d->feed.n + 1, uint8_t);
    const emission         *e = emit_c_open(m, row_loop_kernel(m, t->of, used), &style);
    for (int y = 0; y < t->of->outputs && k >= 0; y++)
        if (has_number(t, y)) text_printf(out, "        double v%d_%d_%d;\n", t->number, y, k);
    text_add(out, "        {\n");
    write_inputs(t, k, used, out);
    emit_c_statements(e, out);
    for (int y = 0; y < t->of->outputs; y++) {
        if (k < 0 ? !is_carried(t, y) : !has_number(t, y)) continue;
        if (k > 0 && is_constant(t, y)) continue;
        text_add(out, "        ");
        write_name(t, y, k, out);
        text_add(out, " = ");
        row_loop_product(t->of, y, e, out);
        text_add(out, ";\n");
    }
    text_add(out, "        }\n");
}

void row_sites_arrays(const row_lanes *w, text *out)
{
    for (int k = 0; k < ROW_SOURCES; k++)
        text_printf(out, "    const double c%d = c[%d]; (void)c%d;\n", k, k, k);
    for (int k = 0; k < w->terms; k++)
        for (int y = 0; y < w->term[k].of->outputs && w->term[k].history; y++)
            if (is_carried(&w->term[k], y))
                text_printf(out, "    double V%d_%d[%d * L];\n", w->term[k].number, y,
                            w->term[k].history);
}

/* Before the first site: the instances that its rows share with the sites before. */
void row_sites_history(const row_lanes *w, text *out)
{
    mem *m = mem_child(out->m);
    for (int t = 0; t < w->terms; t++)
        for (int k = -w->term[t].history; k < 0; k++) write_instance(m, &w->term[t], k, out);
    mem_free(m);
}

void row_sites_terms(const row_lanes *w, text *out)
{
    mem *m = mem_child(out->m);
    for (int t = 0; t < w->terms; t++)
        for (int k = 0; k < w->term[t].per_site; k++) write_instance(m, &w->term[t], k, out);
    mem_free(m);
}

/* The last instances of this site become the history of the next. */
void row_sites_carry(const row_lanes *w, text *out)
{
    for (int n = 0; n < w->terms; n++) {
        const lane_term *t = &w->term[n];
        for (int y = 0; y < t->of->outputs; y++)
            for (int k = -t->history; k < 0 && is_carried(t, y); k++) {
                text_add(out, "        ");
                write_name(t, y, k, out);
                text_add(out, " = ");
                write_name(t, y, k + t->per_site, out);
                text_add(out, ";\n");
            }
    }
}

/* Output y of a term, if it goes to that row of the site. */
static bool write_summand(const lane_term *t, int y, int row, const char *sign, text *out)
{
    const int from = row - t->phase - t->out[y], S = t->of->t->stride;
    if (from % S) return false;
    text_add(out, sign);
    write_name(t, t->of->twin[y], from / S - t->first - t->history, out);
    return true;
}

/* As in emit_uniform.c, terms that vanish here but not elsewhere are left out; but a sum with a
 * zero in it is never -0. */
void row_sites_sum(const row_lanes *w, unsigned wanted, int plane, int row, text *out)
{
    bool begun = false, zero = row_loops_need_zeros(w->loops, plane);
    int  next = 0;
    for (int l = 0; l < w->loops->loops; l++) {
        const row_loop  *of = &w->loops->loop[l];
        const lane_term *t = next < w->terms && w->term[next].number == l ? &w->term[next++] : NULL;
        for (int y = 0; y < of->outputs && !of->t->rare; y++) {
            if (row_loops_plane(w->loops, of, y) != plane) continue;
            if (!(wanted & 1u << of->t->output[of->output[y]].source)) continue;
            const char *sign = of->negative[y] ? begun ? " - " : "-" : begun ? " + " : "";
            if (t && write_summand(t, y, row, sign, out)) begun = true;
            else zero |= !of->negative[y];
        }
    }
    if (!begun) text_add(out, "0.0");
    else if (zero) text_add(out, " + 0.0");
}

/* What is read besides coordinates. ------------------------------------------------------------ */

/* Does it read parameters, data, inputs or time? */
static bool reads_more(const lane_term *t)
{
    for (int j = 0; j < t->of->t->inputs; j++)
        if (!is_coordinate(t->of->t->input[j].from)) return true;
    return false;
}

/* Into still[] (one number a lane) or moving[] (one for each instance and lane). */
static void write_reading(const lane_term *t, int j, int still, int moving, text *out)
{
    const row_input *in = &t->of->t->input[j];
    if (in->from == FROM_TIME) text_printf(out, "    still[%d * L + l] = s->t;\n", still);
    else if (!in->stride)
        text_printf(out, "    still[%d * L + l] = %s[at[%d]];\n", still, row_input_array(in->from),
                    j);
    else
        text_printf(out,
                    "    for (long i = 0; i < rows / %d + %d; i++)\n"
                    "        moving%d[i * L + l] = %s[at[%d] + (first + i) * %d];\n",
                    t->of->t->stride, t->history, moving, row_input_array(in->from), j, in->stride);
}

void row_sites_read(const row_lanes *w, text *out)
{
    for (int k = 0; k < w->terms; k++) {
        const lane_term *t = &w->term[k];
        int              still = t->still, moving = t->moving;
        if (!reads_more(t)) continue;
        text_printf(out,
                    "    {\n"
                    "    const int *at = s->table[%d].base + (long)run[%d] * s->table[%d].width;\n"
                    "    const long first = (row + %d - at[%d]) / %d + %d;\n    (void)first;\n",
                    t->of->term, k, t->of->term, t->phase, t->of->t->inputs + t->of->output[0],
                    t->of->t->stride, t->first);
        for (int j = 0; j < t->of->t->inputs; j++) {
            const row_input *in = &t->of->t->input[j];
            if (is_coordinate(in->from)) continue;
            write_reading(t, j, still, moving, out);
            if (in->stride) moving++;
            else still++;
        }
        text_add(out, "    }\n");
    }
}

/* One number more than needed, as C has no arrays of length 0. */
void row_sites_room(const row_lanes *w, int rows, text *out)
{
    text_printf(out, "    double still[%d * L];\n    (void)still;\n", w->stills + 1);
    for (int k = 0; k < w->movings; k++)
        text_printf(out, "    double moving%d[%d * L];\n", k, row_lanes_instances(w, k, rows));
}

/* For functions that are given all of them. */
void row_sites_parameters(const row_lanes *w, const char *type, text *out)
{
    text_printf(out, ", %sstill", type);
    for (int k = 0; k < w->movings; k++) text_printf(out, ", %smoving%d", type, k);
}
