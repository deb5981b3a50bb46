/* forward_terms.c - derivatives as linear combinations of rows: a value that is read once has no
 * row of its own but passes its factors on to its operands, so that a row of the Jacobian is
 * assembled at once.
 *
 *     d(a b) = b da + a db,   c d(a b) = (c b) da + (c a) db */
#include "codegen/forward.h"

#include <stdlib.h>
#include <string.h>

/* Of a row over all unknowns. */
int forward_length(const differentiation *s)
{
    return (s->f->n * s->f->d + BLOCK - 1) / BLOCK * BLOCK;
}

/* a b, as a name or a number. */
static const char *product(differentiation *s, const char *a, const char *b)
{
    if (!strcmp(a, "1")) return b;
    if (!strcmp(b, "1")) return a;
    text_printf(&s->f->w.out, "const real g%d = %s * %s;\n", s->names, a, b);
    return mem_printf(s->f->w.m, "g%d", s->names++);
}

/* by times the d changes of a value of one coordinate, at the unknowns of that coordinate. */
static void add_number(differentiation *s, int x, const char *by, combination *c)
{
    int low, high;
    forward_reach(s, x, &low, &high);
    for (int mu = 0; mu < s->f->d; mu++) {
        const number_term one = {mu * s->f->n + low, by, forward_change(s, x, mu)};
        vec_push(s->f->w.m, c->number, one);
    }
}

/* A row that is there already gets the sum of both factors. */
static void add_row(differentiation *s, int x, const char *by, combination *c)
{
    mem *m = s->f->w.m;
    if (s->op[x].term) {
        row_term *known = &c->row.at[s->op[x].term - 1];
        known->by = mem_printf(m, "%s + %s", known->by, by);
    } else {
        const row_term one = {x, by};
        vec_push(m, c->row, one);
        s->op[x].term = c->row.n;
    }
    if (!--s->op[x].left) vec_push(m, s->spent, s->op[x].row);
}

void terms_collect(differentiation *s, int x, const char *by, combination *c)
{
    mem *m = s->f->w.m;
    vec(row_term) open = {0};
    row_term first = {x, by};
    /* term: where an operation stands in the combination, so that factors of one row are added
     * up */
    for (int k = 0; k < c->row.n; k++) s->op[c->row.at[k].of].term = k + 1;
    for (vec_push(m, open, first); open.n;) {
        const row_term now = open.at[--open.n];
        if (!depends(s, now.of)) continue;
        if (!is_wide(s, now.of)) add_number(s, now.of, now.by, c);
        else if (s->op[now.of].kept) add_row(s, now.of, now.by, c);
        else
            for (int a = 1; a >= 0; a--) {
                const char *slope = forward_slope(s, now.of, a);
                if (!slope) continue;
                row_term next = {argument_of(&s->op[now.of], a), product(s, now.by, slope)};
                vec_push(m, open, next);
            }
    }
    for (int k = 0; k < c->row.n; k++) s->op[c->row.at[k].of].term = 0;
}

/* A stretch of a row: its unknowns from .. end-1 and its text. */
typedef struct {
    const char *by, *at;
    int         from, end;
} stretch;

/* Row `row` of the array T, from unknown `from` on. */
static const char *row_text(const differentiation *s, int row, int from)
{
    return mem_printf(s->f->w.m, "T + %d", row * forward_length(s) + from);
}

static bool is_beside(const stretch *a, const stretch *b)
{
    return a->from == b->from && a->end == b->end;
}

/* Adds stretches to what stands at `to`, two at a time where they are as long. */
static void write_added(const differentiation *s, stretch *x, int n, const char *to, int origin)
{
    text *out = &s->f->w.out;
    for (int k = 0; k < n; k++) {
        int other = k + 1;
        while (other < n && !is_beside(&x[k], &x[other])) other++;
        text_printf(out, other < n ? "joined(%s + %d, %s, %s, " : "added(%s + %d, %s, %s, ", to,
                    origin + x[k].from, x[k].by, x[k].at);
        if (other < n) {
            text_printf(out, "%s, %s, ", x[other].by, x[other].at);
            x[other] = x[--n];
        }
        text_printf(out, "%d);\n", x[k].end - x[k].from);
    }
}

/* One stretch, or the sum of two, from .. end-1 of a row. */
static void write_piece(const differentiation *s, int row, const stretch *const of[2], int from,
                        int end)
{
    text       *out = &s->f->w.out;
    const char *to = row_text(s, row, from);
    const char *at[2] = {NULL, NULL}, *by[2] = {NULL, NULL};
    if (from >= end) return;
    for (int k = 0; k < 2; k++)
        if (of[k] && of[k]->from <= from && end <= of[k]->end) {
            at[k] = mem_printf(s->f->w.m, "%s + %d", of[k]->at, from - of[k]->from);
            by[k] = of[k]->by;
        }
    const int one = !at[0];
    if (at[0] && at[1])
        text_printf(out, "both(%s, %s, %s, %s, %s, %d);\n", to, by[0], at[0], by[1], at[1],
                    end - from);
    else if (at[one])
        text_printf(out, "scaled(%s, %s, %s, %d);\n", to, by[one], at[one], end - from);
    else text_printf(out, "nothing(%s, %d);\n", to, end - from);
}

/* Longest first, then in a fixed order: the text is the same every time. */
static int by_length(const void *a, const void *b)
{
    const stretch *x = a, *y = b;
    const int      n = y->end - y->from, m = x->end - x->from;
    return n != m ? n - m : x->from != y->from ? x->from - y->from : strcmp(x->at, y->at);
}

/* A row from .. end-1 as the sum of its two longest stretches, in pieces between their ends. */
static void write_begin(const differentiation *s, int row, const stretch *x, int n, int from,
                        int end)
{
    const stretch *const of[2] = {n > 0 ? x : NULL, n > 1 ? x + 1 : NULL};
    int                  cut[6] = {from, end}, cuts = 2;
    for (int k = 0; k < 2 && of[k]; k++) cut[cuts++] = of[k]->from, cut[cuts++] = of[k]->end;
    for (int k = 1; k < cuts; k++)
        for (int j = k; j > 0 && cut[j] < cut[j - 1]; j--) {
            const int z = cut[j];
            cut[j] = cut[j - 1], cut[j - 1] = z;
        }
    for (int k = 1; k < cuts; k++) write_piece(s, row, of, cut[k - 1], cut[k]);
}

/* Only when a row is complete may the rows that it was made of be overwritten. */
static void release_spent(differentiation *s)
{
    for (int k = 0; k < s->spent.n; k++) vec_push(s->f->w.m, s->idle, s->spent.at[k]);
    s->spent.n = 0;
}

/* The row of operation i as the sum of its combination. */
void terms_write_row(differentiation *s, int i, const combination *c)
{
    const operation *o = &s->op[i];
    const int        from = begin_of(o->low), end = end_of(s, o->high);
    stretch         *x = mem_array(s->f->w.m, c->row.n + 2, stretch);
    for (int k = 0; k < c->row.n; k++) {
        const operation *of = &s->op[c->row.at[k].of];
        const int        begin = begin_of(of->low);
        x[k] = (stretch){c->row.at[k].by, row_text(s, of->row, begin), begin, end_of(s, of->high)};
    }
    qsort(x, (size_t)c->row.n, sizeof *x, by_length);
    write_begin(s, o->row, x, c->row.n, from, end);
    write_added(s, x + 2, c->row.n - 2, "T", o->row * forward_length(s));
    for (int k = 0; k < c->number.n; k++)
        text_printf(&s->f->w.out, "T[%d] += %s * %s;\n",
                    o->row * forward_length(s) + c->number.at[k].at, c->number.at[k].by,
                    c->number.at[k].is);
    release_spent(s);
}

/* b_i h l_nu, b_i l'_nu, or -b_i h u_nu */
static const char *weight_text(const differentiation *s, int kind, int nu)
{
    static const char *const table[ROW_PARTS] = {"rq", "rw", "rq", "rd"};
    return mem_printf(s->f->w.m, "c->%s[i * %d + %d]", table[kind], s->f->d, nu);
}

/* The rows of all parts, each once, with their factors for equation nu. */
static int gather_rows(differentiation *s, const combination of_row[ROW_PARTS], int nu, stretch *x)
{
    mem *m = s->f->w.m;
    int  n = 0;
    for (int kind = 0; kind < ROW_PARTS; kind++)
        for (int k = 0; k < of_row[kind].row.n; k++) {
            operation  *of = &s->op[of_row[kind].row.at[k].of];
            const char *by =
                mem_printf(m, "%s * (%s)", weight_text(s, kind, nu), of_row[kind].row.at[k].by);
            const int from = of->low, end = last_of(s, of->high);
            if (of->term) x[of->term - 1].by = mem_printf(m, "%s + %s", x[of->term - 1].by, by);
            else x[n++] = (stretch){by, row_text(s, of->row, from), from, end}, of->term = n;
        }
    for (int kind = 0; kind < ROW_PARTS; kind++)
        for (int k = 0; k < of_row[kind].row.n; k++) s->op[of_row[kind].row.at[k].of].term = 0;
    return n;
}

void terms_write_jacobian(differentiation *s, int j, const combination of_row[ROW_PARTS])
{
    const int d = s->f->d;
    int       most = 1;
    for (int kind = 0; kind < ROW_PARTS; kind++) most += of_row[kind].row.n;
    stretch *x = mem_array(s->f->w.m, most, stretch);
    /*     J_(j nu) += sum of weight times what L_q, L_w, f and D change by */
    for (int nu = 0; nu < d; nu++) {
        const int row = (nu * s->f->n + j) * s->f->N;
        write_added(s, x, gather_rows(s, of_row, nu, x), "J", row);
        for (int kind = 0; kind < ROW_PARTS; kind++)
            for (int k = 0; k < of_row[kind].number.n; k++)
                text_printf(&s->f->w.out, "J[%d] += %s * (%s * %s);\n",
                            row + of_row[kind].number.at[k].at, weight_text(s, kind, nu),
                            of_row[kind].number.at[k].by, of_row[kind].number.at[k].is);
    }
    release_spent(s);
}
