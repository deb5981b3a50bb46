/* emit_quick.c - C text for rows in the interior of a chain, where every term has an instance for
 * every row: one loop over the rows instead of one per term, so that the sum of a row stays in
 * registers; and over four rows at a time, where terms consist of + - * / alone. The sums are those
 * of rows/emit.c, in the same order, so the bits are the same. */
#include "kernel/emit_c.h"
#include "model/rows/loops.h"

typedef struct {
    row_loops of;
    mem      *m;
    text     *out;
    bool      fours;
} writer;

/* One output of one term: what it reads begins with the instance of row qa. */
typedef struct {
    const row_loop *l;
    int             number, y;
    const uint8_t  *used;
    const emission *e;
} contribution;

/* The program of this output alone, as each row sums its own contributions. */
static contribution open_contribution(const writer *w, int number, int y)
{
    const emit_style style = {.before = "x",
                              .after = "",
                              .local = "t",
                              .indent = "            ",
                              .real = w->fours ? "__auto_type" : NULL};
    const row_loop  *l = &w->of.loop[number];
    const derived   *d = l->t->d;
    uint8_t         *used = mem_array(w->m, d->feed.n + 1, uint8_t);
    expr             root[1] = {l->t->output[l->output[l->twin[y]]].of->root};
    graph            seen = graph_seen_from(&d->g, w->m);
    derived_reads(w->m, &seen, root, 1, used);
    return (contribution){l, number, y, used,
                          emit_c_open(w->m, kernel_new(w->m, &seen, root, 1, d->feed.n), &style)};
}

/* How far from its row a coordinate is read, if that is the same in all runs. */
static bool is_near(const contribution *k, int j, int *away)
{
    const row_term  *t = k->l->t;
    const run_table *R = &t->table;
    const int        row = t->inputs + k->l->output[k->y];
    if (!is_coordinate(t->input[j].from) || t->input[j].stride != 1) return false;
    *away = R->base[j] - R->base[row];
    for (int r = 1; r < R->runs; r++) {
        const int *at = R->base + (ptrdiff_t)r * R->width;
        if (at[j] - at[row] != *away) return false;
    }
    return true;
}

/* Inputs that lie at a fixed distance from the row need no pointer. */
static void write_pointers(const writer *w, const contribution *k)
{
    for (int j = 0, away; j < k->l->t->inputs; j++) {
        const row_input *in = &k->l->t->input[j];
        if (!k->used[in->feed] || in->from == FROM_TIME || is_near(k, j, &away)) continue;
        text_printf(w->out,
                    "    const double *restrict X%d_%d_%d = %s + (at%d[%d]%s) + (long)(qa - "
                    "at%d[%d]) * %d;\n",
                    k->number, k->y, in->feed, row_input_array(in->from), k->number, j,
                    row_input_is_coordinate(in->from) ? " - first" : "", k->number,
                    k->l->t->inputs + k->l->output[k->y], in->stride);
    }
}

/* One of four rows, or all of them; numbers that all instances share stay numbers. */
static void write_input(const writer *w, const contribution *k, int j)
{
    const row_input *in = &k->l->t->input[j];
    const bool       four = w->fours && in->from != FROM_TIME && in->stride;
    int              away;
    text_printf(w->out, "            const %s x%d = ", four ? "v4" : "double", in->feed);
    if (in->from == FROM_TIME) text_add(w->out, "s->t;\n");
    else if (is_near(k, j, &away))
        text_printf(w->out, four ? "V(%s + i + (%d));\n" : "%s[i + (%d)];\n",
                    row_input_array(in->from), away);
    else if (four)
        text_printf(w->out, "V(X%d_%d_%d + i);\n", k->number, k->y, in->feed);
    else
        text_printf(w->out, "X%d_%d_%d[i * %d];\n", k->number, k->y, in->feed, in->stride);
}

/* Its contribution to the sum, or to the force alone: times `factor`, which takes its sign. */
static void write_product(const writer *w, const contribution *k, char of, const char *factor,
                          row_source from)
{
    text_printf(w->out, "            %c%d_%d = ", of, k->number, k->y);
    emit_c_scaled_root(k->e, 0, mem_printf(w->m, "%s%d", factor, from), w->out);
    text_add(w->out, w->fours ? " - none;\n" : ";\n");
}

/* v = c value for the sum and, for forces that are wanted alone too, f = cf value. */
static void write_value(const writer *w, const contribution *k, bool with_force)
{
    const row_source from = k->l->t->output[k->l->output[k->y]].source;
    const bool       both = with_force && from == ROW_F;
    text_printf(w->out, "        %s v%d_%d%s;\n        {\n", w->fours ? "v4" : "double", k->number,
                k->y, both ? mem_printf(w->m, ", f%d_%d", k->number, k->y) : "");
    for (int j = 0; j < k->l->t->inputs; j++)
        if (k->used[k->l->t->input[j].feed]) write_input(w, k, j);
    emit_c_statements(k->e, w->out);
    write_product(w, k, 'v', "c", from);
    if (both) write_product(w, k, 'f', "cf", from);
    text_add(w->out, "        }\n");
}

/* The sum of all v, or of all f, in the order of the terms. */
static void write_sum(const writer *w, const char *sum, char of, bool begun)
{
    const char *between = "";
    text_printf(w->out, "        const %s %s = ", w->fours ? "v4" : "double", sum);
    if (begun) text_add(w->out, w->fours ? "none" : "0.0"), between = " + ";
    for (int k = 0; k < w->of.loops; k++)
        for (int y = 0; y < w->of.loop[k].outputs && !w->of.loop[k].t->rare; y++) {
            const row_loop *l = &w->of.loop[k];
            if (of == 'f' && l->t->output[l->output[y]].source != ROW_F) continue;
            const char *sign = l->negative[y] ? (*between ? " - " : "-") : between;
            text_printf(w->out, "%s%c%d_%d", sign, of, k, y);
            between = " + ";
        }
    text_add(w->out, ";\n");
}

/* The region about the middle of the tile, and its runs. */
static void write_range(const writer *w)
{
    for (int k = 0; k < ROW_LWW; k++)
        text_printf(w->out,
                    "    const double c%d = c[%d], cf%d = cf[%d];\n    (void)c%d, (void)cf%d;\n", k,
                    k, k, k, k, k);
    text_add(w->out,
             "    const struct region *g = region_from(s, a + (b - a) / 2);\n"
             "    int qa = g && g->from > a ? g->from : a, qb = g && g->to < b ? g->to : b;\n"
             "    if (!g || qb - qa < 4) qa = qb = b;\n");
}

/* base numbers of the run that each term has in this region */
static void write_runs(const writer *w)
{
    for (int k = 0; k < w->of.loops; k++) {
        const int term = w->of.loop[k].term;
        if (!w->of.loop[k].t->rare)
            text_printf(w->out,
                        "    const int *at%d = s->table[%d].base + (long)g->run[%d] * "
                        "s->table[%d].width;\n",
                        k, term, term, term);
    }
}

/* before: "ends_of_" for the function of the ends, which is kept apart and small; "region_of_". */
static void write_head(const row_function *f, const char *before, text *out)
{
    text_printf(out,
                "%sstatic void %s%s(const struct rows *s, const double *c, const double *cf, "
                "const double *restrict q,\n"
                "    const double *restrict w, int first, int a, int b",
                *before == 'e' ? "FEW " : "", before, f->name);
    for (const char *const *p = f->reads; *p; p++)
        text_printf(out, ", const double *restrict %s", *p);
    for (const char *const *p = f->writes; *p; p++) text_printf(out, ", double *restrict %s", *p);
    if (f->sums && !*before) text_printf(out, ", %s", f->sums);
    text_add(out, ")\n{\n    (void)cf;\n");
}

/* Arrays that begin with row a, from row `at` on. */
static void write_arguments(const row_function *f, const char *before, const char *at,
                            const char *after, text *out)
{
    for (const char *const *p = f->reads; *p; p++)
        text_printf(out, "%s%s%s%s", before, *p, at, after);
    for (const char *const *p = f->writes; *p; p++)
        text_printf(out, "%s%s%s%s", before, *p, at, after);
}

/* Rows outside regions, by the loops of emit.c: once for the sum and once for forces alone. */
static void write_ends(const row_plan *p, const row_function *f, const char *before, text *out)
{
    static const struct {
        unsigned    of;
        const char *name, *c;
    } half[2] = {{~0u, "sum", "c"}, {1u << ROW_F, "force", "cf"}};
    write_head(f, before, out);
    for (int k = 0; k < (f->force ? 2 : 1); k++) {
        text_printf(out, "    {\n    const double *C = %s;\n    {\n    const double *c = C;\n",
                    half[k].c);
        row_plan_loops(p, f->wanted & half[k].of, out);
        text_printf(
            out, "    for (int i = 0; i < b - a; i++) {\n        const double %s = ", half[k].name);
        row_plan_sum(p, f->wanted & half[k].of, 0, out);
        text_printf(out, ";\n        %s\n    }\n    }\n    }\n", k ? f->force : f->each);
    }
    text_add(out, "}\n");
}

/* What is done with a row, or with four of them. */
static void write_body(const writer *w, const contribution *all, int count, const row_function *f)
{
    const row_loops of_force = row_loops_new(w->m, w->of.p, f->wanted & 1u << ROW_F);
    for (int k = 0; k < count; k++) write_value(w, &all[k], f->force);
    write_sum(w, "sum", 'v', row_loops_need_zeros(&w->of, 0));
    text_printf(w->out, "        %s\n", w->fours ? f->each_four : f->each);
    if (f->force) write_sum(w, "force", 'f', row_loops_need_zeros(&of_force, 0));
    if (f->force && !w->fours) text_printf(w->out, "        %s\n", f->force);
}

/* One loop over all rows of the region; no two of them write the same number. */
static void write_row_by_row(const writer *w, const contribution *all, int count,
                             const row_function *f)
{
    text_add(w->out, "#ifdef __GNUC__\n#pragma GCC ivdep\n#pragma GCC unroll 2\n#endif\n"
                     "    for (int i = 0; i < qb - qa; i++) {\n");
    write_body(w, all, count, f);
    text_add(w->out, "    }\n");
}

/* The first and the last four begin or end with the rows, and may overlap their neighbours;
 * overlapping rows are written twice. The body is a single line, since it is a macro. */
static void write_in_fours(const writer *w, const contribution *all, int count,
                           const row_function *f)
{
    const char *then = f->force_four && f->force ? f->force_four : "";
    writer      line = *w;
    text        body = text_new(w->m);
    line.out = &body;
    write_body(&line, all, count, f);
    text_add(w->out, "#undef FOUR\n#define FOUR ");
    for (size_t k = 0; k < body.n; k++)
        text_add_bytes(w->out, body.at[k] == '\n' ? " " : &body.at[k], 1);
    /* Whole fours are aligned with row 0 of the chain, wherever the stretch begins. */
    text_printf(w->out,
                "\n    const v4 none = {0};\n"
                "    const int n = qb - qa, head = -qa & 3;\n"
                "    int i = 0;\n"
                "    if (head) { FOUR %s }\n"
                "    %s\n"
                "    TWICE for (i = head; i + 4 <= n; i += 4) { FOUR %s }\n"
                "    %s\n"
                "    if (i < n) { i = n - 4; FOUR %s }\n",
                then, f->count ? f->begin : "", f->count ? f->count : then,
                f->count ? f->end : "", then);
}

/* Vectors of four need arithmetic only, and inputs that lie side by side or are the same. */
static bool has_fours(const contribution *k)
{
    bool fours = emit_c_is_arithmetic(k->e);
    for (int j = 0; j < k->l->t->inputs; j++)
        fours &= !k->used[k->l->t->input[j].feed] || (unsigned)k->l->t->input[j].stride <= 1;
    return fours;
}

typedef struct {
    int           n;
    contribution *at;
} contributions;

/* All outputs of all terms but rare ones, each as a contribution of its own. */
static contributions open_all(writer *w)
{
    vec(contribution) all = {0};
    for (int k = 0; k < w->of.loops; k++)
        for (int y = 0; y < w->of.loop[k].outputs && !w->of.loop[k].t->rare; y++)
            vec_push(w->m, all, open_contribution(w, k, y));
    return (contributions){all.n, all.at};
}

static bool all_have_fours(const contributions *all)
{
    bool fours = true;
    for (int k = 0; k < all->n; k++) fours &= has_fours(&all->at[k]);
    return fours;
}

/* Are all terms fit for fours? Tried in memory of its own, since it is asked before writing. */
static bool in_fours(mem *of, const row_plan *p, unsigned wanted)
{
    mem          *m = mem_child(of);
    writer        w = {.of = row_loops_new(m, p, wanted), .m = m};
    contributions all = open_all(&w);
    const bool    fours = p->region.n && all_have_fours(&all);
    mem_free(m);
    return fours;
}

static void write_quick(writer *w, const row_function *f)
{
    contributions all = open_all(w);
    for (int k = 0; k < all.n; k++) write_pointers(w, &all.at[k]);
    text_add(w->out, "    q += qa - first, w += qa - first;\n");
    if (w->fours) write_in_fours(w, all.at, all.n, f);
    else write_row_by_row(w, all.at, all.n, f);
}

/* A tile may hold several regions, as the rows of a lattice are: each of them with what is before
 * it, and what is behind the last. */
static void write_all_regions(const row_function *f, text *out)
{
    write_head(f, "", out);
    text_printf(out,
                "    for (int from = a, to; from < b; from = to) {\n"
                "        const struct region *g = region_from(s, from);\n"
                "        to = g && g->to < b ? g->to : b;\n"
                "        region_of_%s(s, c, cf, q, w, first, from, to",
                f->name);
    write_arguments(f, ", ", " + (from - a)", "", out);
    text_add(out, ");\n    }\n}\n");
}

/* Without regions there is only the general loop. Sums beside the rows are those of one region. */
void row_plan_function(const row_plan *p, const row_function *f, text *out)
{
    const bool quick = p->region.n > 0, many = quick && !f->sums;
    mem       *m = mem_child(out->m);
    writer     w = {row_loops_new(m, p, f->wanted), m, out, false};
    w.fours = f->each_four && in_fours(m, p, f->wanted);
    write_ends(p, f, quick ? "ends_of_" : "", out);
    if (quick) {
        write_head(f, many ? "region_of_" : "", out);
        write_range(&w);
        text_printf(out, "    if (a < qa) ends_of_%s(s, c, cf, q, w, first, a, qa", f->name);
        write_arguments(f, ", ", "", "", out);
        text_printf(out, ");\n    if (qb < b) ends_of_%s(s, c, cf, q, w, first, qb, b", f->name);
        write_arguments(f, ", ", " + (qb - a)", "", out);
        text_add(out, ");\n    if (qa == qb) return;\n");
        write_arguments(f, "    ", " += qa - a", ";\n", out);
        write_runs(&w);
        write_quick(&w, f);
        text_add(out, "}\n");
    }
    if (many) write_all_regions(f, out);
    mem_free(m);
}
