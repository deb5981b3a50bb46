/* emit.c - C text for a stretch of rows: a plain loop over the instances of each term into an array
 * for each output, then one over the rows that sums the arrays. Compilers vectorise both kinds of
 * loop, and a row is the same sum wherever a stretch begins. */
#include "kernel/emit_c.h"
#include "model/rows/loops.h"
#include "step/embedded.h"

/* what row_plan_loops writes: the loops of one pass, into one text */
typedef struct {
    row_loops of;
    mem      *m;
    text     *out;
} writer;

/* Variables that stay, before the loop; pointers to those that move. */
static void write_inputs(const writer *w, const row_loop *l, const uint8_t *used)
{
    for (int j = 0; j < l->t->inputs; j++) {
        const row_input *in = &l->t->input[j];
        const char      *array = row_input_array(in->from);
        const char      *less = row_input_is_coordinate(in->from) ? " - first" : "";
        if (!used[in->feed]) continue;
        if (in->from == FROM_TIME)
            text_printf(w->out, "            const double x%d = s->t;\n", in->feed);
        else if (in->stride)
            text_printf(w->out, "            const double *restrict X%d = %s + (at[%d]%s);\n",
                        in->feed, array, j, less);
        else
            text_printf(w->out, "            const double x%d = %s[at[%d]%s];\n", in->feed, array,
                        j, less);
    }
}

/* x = X[k stride] for the variables that advance with the instance. */
static void write_loads(const writer *w, const row_loop *l, const uint8_t *used)
{
    for (int j = 0; j < l->t->inputs; j++) {
        const row_input *in = &l->t->input[j];
        if (used[in->feed] && in->from != FROM_TIME && in->stride)
            text_printf(w->out, "                const double x%d = X%d[k * %d];\n", in->feed,
                        in->feed, in->stride);
    }
}

/* The program of the term, whose statements stand inside its loop. */
static const emission *open_loop(const writer *w, const row_loop *l, uint8_t *used)
{
    static const emit_style style = {
        .before = "x", .after = "", .local = "t", .indent = "                "};
    return emit_c_open(w->m, row_loop_kernel(w->m, l, used), &style);
}

/* Instances of the runs that touch rows a .. b-1: k from k0 to k1. */
/* Runs are sorted, so the first one is found by first_run and the last by its lowest row. */
static void write_range(const writer *w, const row_loop *l)
{
    int S = l->t->stride;
    text_printf(w->out,
                "        const struct run_table *R = &s->table[%d];\n"
                "        int r = first_run(R, a);\n"
                "        for (; r < R->runs && R->low[r] < b; r++) {\n"
                "            const int *at = R->base + (long)r * R->width;\n"
                "            int lo = at[%d], hi = lo;\n",
                l->term, l->t->inputs + l->output[0]);
    for (int y = 1; y < l->outputs; y++) {
        int at = l->t->inputs + l->output[y];
        text_printf(w->out,
                    "            lo = at[%d] < lo ? at[%d] : lo, hi = at[%d] > hi ? at[%d] : hi;\n",
                    at, at, at, at);
    }
    /* lo + k S < b and hi + k S >= a: k0 = ceil((a - hi)/S), k1 = floor((b - 1 - lo)/S) + 1 */
    text_printf(w->out,
                "            const int k0 = a > hi ? (a - hi + %d) / %d : 0;\n"
                "            const int e = b > lo ? (b - 1 - lo) / %d + 1 : 0;\n"
                "            const int k1 = e < R->count[r] ? e : R->count[r];\n",
                S - 1, S, S);
}

/* Arrays hold zeros where no run writes: everywhere in advance if runs have gaps, else before,
 * between and after them. */
static bool has_array(const row_loop *l, int y)
{
    return !l->t->rare && l->twin[y] == y;
}

/* The first number of an array that is read, and what is to be added to b - a for the end. */
static void find_ends(const row_loop *l, int y, int *first, int *end)
{
    *first = *end = ROWS_NEAR;
    for (int z = y + 1; z < l->outputs; z++) {
        if (l->twin[z] != y) continue;
        *first = ROWS_NEAR - l->shift[z] < *first ? ROWS_NEAR - l->shift[z] : *first;
        *end = ROWS_NEAR - l->shift[z] > *end ? ROWS_NEAR - l->shift[z] : *end;
    }
}

/* With a stride of 1 runs leave no gaps inside; only what lies between runs is zeroed later. */
static void write_zeros(const writer *w, int number)
{
    const row_loop *l = &w->of.loop[number];
    for (int y = 0, first, end; y < l->outputs; y++) {
        if (!has_array(l, y)) continue;
        find_ends(l, y, &first, &end);
        if (l->t->stride == 1) text_printf(w->out, "        int done%d = %d;\n", y, first);
        else text_printf(w->out, "        zero(V%d_%d, %d, b - a + %d);\n", number, y, first, end);
    }
}

/* From where the last run ended up to the first row of this one. */
static void write_zeros_before(const writer *w, int number)
{
    const row_loop *l = &w->of.loop[number];
    for (int y = 0; y < l->outputs && l->t->stride == 1; y++)
        if (has_array(l, y))
            text_printf(w->out,
                        "            const int at%d = at[%d] - a + %d;\n"
                        "            zero(V%d_%d, done%d, at%d + k0);\n"
                        "            done%d = at%d + k1 > done%d ? at%d + k1 : done%d;\n",
                        y, l->t->inputs + l->output[y], ROWS_NEAR, number, y, y, y, y, y, y, y, y);
}

/* From where the last run ended up to the last row that is read. */
static void write_zeros_behind(const writer *w, int number)
{
    const row_loop *l = &w->of.loop[number];
    for (int y = 0, first, end; y < l->outputs && l->t->stride == 1; y++) {
        if (!has_array(l, y)) continue;
        find_ends(l, y, &first, &end);
        text_printf(w->out, "        zero(V%d_%d, done%d, b - a + %d);\n", number, y, y, end);
    }
}

/* The array of a plane to which single numbers are added: that of a term, or zeros of its own. */
static void write_own_array(const writer *w, int plane)
{
    int loop, y;
    if (row_loops_own(&w->of, plane, &loop, &y)) text_printf(w->out, "V%d_%d", loop, y);
    else text_printf(w->out, "Z%d", plane);
}

/* Terms with few instances are added one by one, if their row is in the stretch. */
static void write_rare(const writer *w, const row_loop *l, const emission *e, int y)
{
    text_printf(
        w->out,
        "                const int i%d = at[%d] + k * %d - a;\n"
        "                if (i%d >= 0 && i%d < b - a) ",
        y, l->t->inputs + l->output[y], l->t->stride, y, y);
    write_own_array(w, row_loops_plane(&w->of, l, y));
    text_printf(w->out, "[i%d + %d] += ", y, ROWS_NEAR);
    row_loop_product(l, y, e, w->out);
    text_add(w->out, ";\n");
}

/* One term: its runs, and in each of them the loop over instances. */
static void write_loop(const writer *w, int number)
{
    const row_loop *l = &w->of.loop[number];
    uint8_t        *used = mem_array(w->m, l->t->d->feed.n + 1, uint8_t);
    const emission *e = open_loop(w, l, used);
    text_add(w->out, "    {\n");
    write_zeros(w, number);
    write_range(w, l);
    write_zeros_before(w, number);
    write_inputs(w, l, used);
    for (int y = 0; y < l->outputs; y++)
        if (has_array(l, y))
            text_printf(w->out, "            double *restrict v%d = V%d_%d + (at[%d] - a + %d);\n",
                        y, number, y, l->t->inputs + l->output[y], ROWS_NEAR);
    text_add(w->out, "            for (int k = k0; k < k1; k++) {\n");
    write_loads(w, l, used);
    emit_c_statements(e, w->out);
    for (int y = 0; y < l->outputs; y++) {
        if (l->t->rare) {
            write_rare(w, l, e, y);
            continue;
        }
        if (l->twin[y] != y) continue;
        text_printf(w->out, "                v%d[k * %d] = ", y, l->t->stride);
        row_loop_product(l, y, e, w->out);
        text_add(w->out, ";\n");
    }
    text_add(w->out, "            }\n        }\n");
    write_zeros_behind(w, number);
    text_add(w->out, "    }\n");
}

/* What generated passes need before their functions; `zero` is theirs. */
void row_plan_declare(text *out)
{
    text_add(out, step_text("rows.h"));
    text_add(out, "#if defined __GNUC__ && !defined __clang__\n" /* loops over few rows */
                  "#define FEW __attribute__((noinline, optimize(\"O2\", \"no-tree-vectorize\")))\n"
                  "#else\n"
                  "#define FEW\n"
                  "#endif\n"
                  "static void zero(double *restrict v, int from, int to)\n"
                  "{\n"
                  "    for (int i = from; i < to; i++) v[i] = 0;\n"
                  "}\n");
}

/* The sum is in the order of the terms. */
void row_plan_sum(const row_plan *p, unsigned wanted, int plane, text *out)
{
    mem        *m = mem_child(out->m);
    writer      w = {row_loops_new(m, p, wanted), m, out};
    const char *between = "";
    if (row_loops_need_zeros(&w.of, plane))
        text_printf(out, "Z%d[i + %d]", plane, ROWS_NEAR), between = " + ";
    for (int k = 0; k < w.of.loops; k++)
        for (int y = 0; y < w.of.loop[k].outputs && !w.of.loop[k].t->rare; y++) {
            const row_loop *l = &w.of.loop[k];
            if (row_loops_plane(&w.of, l, y) != plane) continue;
            const char *sign = l->negative[y] ? (*between ? " - " : "-") : between;
            text_printf(out, "%sV%d_%d[i + %d]", sign, k, l->twin[y], ROWS_NEAR - l->shift[y]);
            between = " + ";
        }
    mem_free(m);
}

/* Arrays have ROWS_NEAR numbers more on either side, since outputs may go beyond the stretch. */
void row_plan_loops(const row_plan *p, unsigned wanted, text *out)
{
    mem   *m = mem_child(out->m);
    writer w = {row_loops_new(m, p, wanted), m, out};
    for (int k = 0; k < ROW_SOURCES; k++)
        text_printf(out, "    const double c%d = c[%d]; (void)c%d;\n", k, k, k);
    for (int l = 0; l < w.of.loops; l++)
        for (int y = 0; y < w.of.loop[l].outputs && !w.of.loop[l].t->rare; y++)
            if (w.of.loop[l].twin[y] == y)
                text_printf(out, "    double V%d_%d[%d];\n", l, y, ROWS_TILE + 2 * ROWS_NEAR);
    for (int plane = 0; plane < w.of.planes; plane++)
        if (row_loops_need_zeros(&w.of, plane))
            text_printf(
                out, "    double Z%d[%d];\n    for (int i = 0; i < b - a; i++) Z%d[i + %d] = 0;\n",
                plane, ROWS_TILE + 2 * ROWS_NEAR, plane, ROWS_NEAR);
    /* rare terms last: they add to what the others have written */
    for (int rare = 0; rare < 2; rare++)
        for (int l = 0; l < w.of.loops; l++)
            if (w.of.loop[l].t->rare == rare) write_loop(&w, l);
    mem_free(m);
}
