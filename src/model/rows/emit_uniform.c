/* emit_uniform.c - C text for stretches in lanes: one loop over the instances of each term and
 * their lanes, with constant bounds, and the sum of a row. */
#include "kernel/emit_c.h"
#include "model/rows/summands.h"

/* An output that is the negative of another has no array; its sum reads that of its twin. */
static bool has_array(const lane_term *t, int y)
{
    return t->of->twin[y] == y;
}

/* for the instances k0 .. k1-1; in lanes only where they lie one behind the other anyhow */
static bool is_flat(const lane_term *t)
{
    return t->of->t->stride == 1;
}

/* Where a coordinate is, from the first row of the stretch on. */
static void write_index(const lane_term *t, int at, text *out)
{
    if (is_flat(t)) text_printf(out, "[%d * L + e]", at);
    else text_printf(out, "[(%d + k * %d) * L + i]", at, t->of->t->stride);
}

/* Coordinates are read in lanes; other inputs have arrays of their own, if they move at all. */
static void write_loads(const lane_term *t, const uint8_t *used, text *out)
{
    const row_term *of = t->of->t;
    int             moving = t->moving;
    for (int j = 0; j < of->inputs; j++) {
        const row_input *in = &of->input[j];
        const bool       coordinate = is_coordinate(in->from);
        const int        number = !coordinate && in->stride ? moving++ : 0;
        if (!used[in->feed] || (!coordinate && !in->stride)) continue;
        text_printf(out, "        const double x%d = ", in->feed);
        if (!coordinate)
            text_printf(out, is_flat(t) ? "m%d[e]" : "m%d[k * L + i]", number);
        else {
            text_add(out, "q");
            write_index(t, t->phase + t->in[j] + (t->first + t->history) * of->stride, out);
        }
        text_add(out, ";\n");
    }
}

/* Inputs that are constant along a stretch, and pointers to those that vary: they begin with the
 * first instance that row 0 of the stretch needs. */
static void write_inputs(const lane_term *t, const uint8_t *used, text *out)
{
    const row_term *of = t->of->t;
    int             still = t->still, moving = t->moving;
    for (int j = 0; j < of->inputs; j++) {
        const row_input *in = &of->input[j];
        if (is_coordinate(in->from)) continue;
        if (!in->stride) {
            if (used[in->feed])
                text_printf(out, "    const double x%d = x->still[%d];\n", in->feed, still);
            still++;
            continue;
        }
        if (used[in->feed])
            text_printf(out,
                        "    const double *restrict m%d = x->moving[%d] + (a / %d + %d) * L;\n",
                        moving, moving, of->stride, t->history);
        moving++;
    }
}

/* Instances k0 .. k1-1, counted from those that come with row a. */
static void write_term(mem *m, const lane_term *t, const char *k0, const char *k1, text *out)
{
    static const emit_style style = {
        .before = "x", .after = "", .local = "t", .indent = "        "};
    uint8_t                *used = mem_array(m, t->of->t->d->feed.n + 1, uint8_t);
    const emission         *e = emit_c_open(m, row_loop_kernel(m, t->of, used), &style);
    text_add(out, "    {\n");
    write_inputs(t, used, out);
    if (is_flat(t)) text_printf(out, "    for (int e = %s * L; e < %s * L; e++) {\n", k0, k1);
    else
        text_printf(out, "    for (int k = %s; k < %s; k++) for (int i = 0; i < L; i++) {\n", k0,
                    k1);
    write_loads(t, used, out);
    emit_c_statements(e, out);
    for (int y = 0; y < t->of->outputs; y++) {
        if (!has_array(t, y)) continue;
        text_printf(out, "        V%d_%d[%d * L + %s] = ", t->number, y, t->history,
                    is_flat(t) ? "e" : "k * L + i");
        row_loop_product(t->of, y, e, out);
        text_add(out, ";\n");
    }
    text_add(out, "    }\n    }\n");
}

/* Room for `sites` sites and for what their rows need of the sites before. */
void row_lanes_arrays(const row_lanes *w, int sites, text *out)
{
    for (int k = 0; k < ROW_SOURCES; k++)
        text_printf(out, "    const double c%d = x->c[%d]; (void)c%d;\n", k, k, k);
    for (int k = 0; k < w->terms; k++)
        for (int y = 0; y < w->term[k].of->outputs; y++)
            if (has_array(&w->term[k], y))
                text_printf(out, "    double V%d_%d[%d * L];\n", w->term[k].number, y,
                            w->term[k].history + sites * w->term[k].per_site);
}

/* Instances -history .. -1, before the first site of a stretch. */
void row_lanes_history(const row_lanes *w, text *out)
{
    mem *m = mem_child(out->m);
    for (int k = 0; k < w->terms; k++)
        if (w->term[k].history)
            write_term(m, &w->term[k], mem_printf(m, "-%d", w->term[k].history), "0", out);
    mem_free(m);
}

void row_lanes_terms(const row_lanes *w, text *out)
{
    mem *m = mem_child(out->m);
    for (int k = 0; k < w->terms; k++)
        write_term(m, &w->term[k], "0", mem_printf(m, "n * %d", w->term[k].per_site), out);
    mem_free(m);
}

/* What the next sites need of these is moved to the beginning of the arrays. */
void row_lanes_shift(const row_lanes *w, text *out)
{
    for (int k = 0; k < w->terms; k++) {
        const lane_term *t = &w->term[k];
        for (int y = 0; y < t->of->outputs && t->history; y++)
            if (has_array(t, y))
                text_printf(
                    out,
                    "    for (int e = 0; e < %d * L; e++) V%d_%d[e] = V%d_%d[e + n * %d * L];\n",
                    t->history, t->number, y, t->number, y, t->per_site);
    }
}

/* Output y of a term, if it goes to that row of a site. */
static bool write_summand(const lane_term *t, int y, int row, const char *sign, int site, text *out)
{
    const int from = row - t->phase - t->out[y], S = t->of->t->stride;
    if (from % S) return false;
    const int at = from / S - t->first;
    text_printf(out, "%sV%d_%d", sign, t->number, t->of->twin[y]);
    if (site == 1) text_printf(out, "[%d * L + e]", at);
    else text_printf(out, "[(%d + k * %d) * L + i]", at, t->per_site);
    return true;
}

/* Terms that vanish here but not elsewhere are left out; but a sum with a zero in it is never
 * -0. */
void row_lanes_sum(const row_lanes *w, unsigned wanted, int row, text *out)
{
    bool begun = false, zero = row_loops_need_zeros(w->loops, 0);
    int  next = 0;
    for (int l = 0; l < w->loops->loops; l++) {
        const row_loop  *of = &w->loops->loop[l];
        const lane_term *t = next < w->terms && w->term[next].number == l ? &w->term[next++] : NULL;
        for (int y = 0; y < of->outputs && !of->t->rare; y++) {
            if (!(wanted & 1u << of->t->output[of->output[y]].source)) continue;
            const char *sign = of->negative[y] ? begun ? " - " : "-" : begun ? " + " : "";
            if (t && write_summand(t, y, row, sign, w->site, out)) begun = true;
            else zero |= !of->negative[y];
        }
    }
    if (!begun) text_add(out, "0.0");
    else if (zero) text_add(out, " + 0.0");
}
