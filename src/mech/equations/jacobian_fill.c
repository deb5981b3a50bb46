/* jacobian_fill.c - computes the entries of the Jacobian from the fields evaluated last, by the
 * sums that jacobian.c has laid out, and solves with it. */
#include "mech/equations/equations.h"
#include "mech/equations/turning_rows.h"

#include <string.h>

/*     sum_k c_k field_k   at four consecutive entries */
static void sums_of_four(const equations *eq, const block *b, int entry, double sum[4])
{
    const term   *t = eq->sum.term + b->first_term;
    const double *c = eq->sum.coefficient + b->first_term;
    double        s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < b->terms; k++) {
        const double *of = t[k].field + entry;
        s0 += c[k] * of[0], s1 += c[k] * of[1], s2 += c[k] * of[2], s3 += c[k] * of[3];
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
}

/* Four entries at a time; the last four may overlap those before. */
static void fill_in_fours(equations *eq, const block *b)
{
    const int *to = b->straight ? NULL : eq->sum.place + b->first;
    for (int e = 0; e < b->count; e += 4) {
        const int from = e + 4 <= b->count ? e : b->count - 4;
        double    sum[4];
        sums_of_four(eq, b, b->entry + from, sum);
        for (int k = 0; k < 4; k++) eq->values[to ? to[from + k] : b->place + from + k] = sum[k];
    }
}

/* One by one, from wherever they stand. */
static void fill_singly(equations *eq, const block *b)
{
    const int    *entry = b->in_order ? NULL : eq->sum.entry + b->first;
    const int    *to = b->straight ? NULL : eq->sum.place + b->first;
    const term   *t = eq->sum.term + b->first_term;
    const double *c = eq->sum.coefficient + b->first_term;
    for (int e = 0; e < b->count; e++) {
        const int from = entry ? entry[e] : b->entry + e;
        double    sum = 0;
        for (int k = 0; k < b->terms; k++) sum += c[k] * t[k].field[from];
        eq->values[to ? to[e] : b->place + e] = sum;
    }
}

/* L_wq at every point of the rule, so that its terms are read in order like all others. */
static void transpose_L_qw(equations *eq)
{
    const int  count = pattern_count(&eq->sys->K);
    const int *across = eq->sys->transpose;
    double    *to = eq->sum.L_wq;
    for (int i = 0; i < eq->s; i++, to += count) {
        const double *L_qw = field_at(&eq->rule, i, F_LQW);
        for (int e = 0; e < count; e++) to[e] = L_qw[across[e]];
    }
}

/* Constant blocks are filled once for each h. */
void equations_fill(equations *eq)
{
    if (eq->sum.L_wq) transpose_L_qw(eq);
    for (int k = 0; k < eq->sum.blocks; k++) {
        const block *b = &eq->sum.block[k];
        if (b->constant && eq->sum.filled) continue;
        if (b->in_order && b->count >= 4) fill_in_fours(eq, b);
        else fill_singly(eq, b);
    }
    if (eq->turn) turning_rows_fill(eq);
    eq->sum.filled = !eq->turn;
}

bool equations_factor(equations *eq, solver *lu)
{
    equations_fill(eq);
    return solver_factor(lu, eq->values);
}

/* Behind the unknowns the right-hand side is 0: implicit forces fulfil their equations at every
 * y. */
void equations_divide(const equations *eq, const solver *lu, double *x)
{
    const size_t bytes = (size_t)eq->size * sizeof *x;
    const int    behind = eq->J.rows - eq->size;
    if (!behind) {
        solver_solve(lu, x);
        return;
    }
    memcpy(eq->sum.whole, x, bytes);
    memset(eq->sum.whole + eq->size, 0, (size_t)behind * sizeof *x);
    solver_solve(lu, eq->sum.whole);
    memcpy(x, eq->sum.whole, bytes);
}
