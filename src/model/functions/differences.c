/* differences.c - derivatives that a caller's functions do not provide, by central differences.
 *
 *     d F/d x_j = (F(x + h_j e_j) - F(x - h_j e_j)) / 2 h_j + O(h^2),   h_j = eps^(1/3) |x_j|
 *
 * for which roundoff and truncation errors are equal, eps^(2/3) = 4e-11 of F. Columns that share no
 * row are displaced together (Curtis, Powell and Reid). */
#include "model/functions/functions.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Groups. -------------------------------------------------------------------------------------- */

typedef struct {
    const entries *of;
    int           *start, *column; /* by rows */
} row_list;

/* Entries by rows: a counting sort, of which start[i] .. start[i+1] - 1 is row i. */
static row_list rows_of(mem *m, const entries *e)
{
    int rows = 0;
    for (int k = 0; k < e->count; k++) rows = e->row[k] >= rows ? e->row[k] + 1 : rows;
    row_list l = {e, mem_array(m, rows + 2, int), mem_array(m, e->count + 1, int)};
    for (int k = 0; k < e->count; k++) l.start[e->row[k] + 2]++;
    for (int i = 0; i < rows; i++) l.start[i + 2] += l.start[i + 1];
    for (int k = 0; k < e->count; k++) l.column[l.start[e->row[k] + 1]++] = e->column[k];
    return l;
}

/* Marks the colours of all columns that share a row with column j. */
static void mark_neighbours(const row_list *l, int j, const int *colour, int *mark)
{
    const entries *e = l->of;
    for (int k = e->of_column[j]; k < e->of_column[j + 1]; k++) {
        const int i = e->row[e->by_column[k]];
        for (int c = l->start[i]; c < l->start[i + 1]; c++)
            if (colour[l->column[c]] >= 0) mark[colour[l->column[c]]] = j + 1;
    }
}

/* One full row means that no two columns can be moved together. */
static bool has_full_row(const row_list *l, int n)
{
    for (int k = 0; k < l->of->count; k++) {
        const int i = l->of->row[k];
        if (l->start[i + 1] - l->start[i] >= n) return true;
    }
    return false;
}

/* Columns by colour, each group in the order of the columns. */
static colouring group_by(mem *m, int n, const int *colour, int groups)
{
    colouring g = {groups, mem_array(m, groups + 2, int), mem_array(m, n, int)};
    for (int j = 0; j < n; j++) g.start[colour[j] + 2]++;
    for (int c = 0; c < groups; c++) g.start[c + 2] += g.start[c + 1];
    for (int j = 0; j < n; j++) g.column[g.start[colour[j] + 1]++] = j;
    return g;
}

/* Greedy, in the order of the columns: optimal for bands, and near it for meshes. */
colouring colour_columns(mem *m, int n, const entries *a, const entries *b)
{
    const row_list list[] = {rows_of(m, a), rows_of(m, b)};
    const bool     full = has_full_row(&list[0], n) || has_full_row(&list[1], n);
    int           *colour = mem_array(m, n, int), *mark = mem_array(m, n + 1, int), groups = 0;
    for (int j = 0; j < n; j++) colour[j] = full ? j : -1;
    for (int j = 0; j < n && !full; j++) {
        for (int k = 0; k < 2; k++) mark_neighbours(&list[k], j, colour, mark);
        int c = 0;
        while (mark[c] == j + 1) c++;
        colour[j] = c;
        groups = c >= groups ? c + 1 : groups;
    }
    return group_by(m, n, colour, full ? n : groups);
}

/* Moving points. ------------------------------------------------------------------------------- */

/* h = eps^(1/3) max(|x|, typical): near 0 the caller's scale counts. */
static double step_for(double x, double typical)
{
    return cbrt(DBL_EPSILON) * fmax(fabs(x), typical);
}

/* Puts the columns of a group to x + sign h, in q or in what stands for the velocities. */
static void move_group(bound_functions *b, const colouring *g, int group, bool of_q, double sign,
                       const sys_point *at)
{
    const dal_callbacks *c = &b->of->given;
    for (int k = g->start[group]; k < g->start[group + 1]; k++) {
        const int j = g->column[k];
        if (of_q) b->q[j] = at->q[j] + sign * step_for(at->q[j], c->typical_q[j]);
        else b->w[j] = at->w[j] + sign * step_for(at->w[j], c->typical_v[j]);
    }
}

/* Copies q and w, which are moved in place; the point returned reads the copies. */
static sys_point begin_at(bound_functions *b, const sys_point *at)
{
    const size_t bytes = (size_t)b->sys.n * sizeof *b->q;
    memcpy(b->q, at->q, bytes);
    memcpy(b->w, at->w, bytes);
    return (sys_point){
        .t = at->t, .q = b->q, .w = b->w, .v = at->v ? at->v : at->w, .lam = at->lam};
}

/* x_plus - x_minus as the numbers really lie. */
static double apart(const bound_functions *b, int j, bool of_q, const sys_point *at)
{
    const dal_callbacks *c = &b->of->given;
    const double         x = of_q ? at->q[j] : at->w[j];
    const double         h = step_for(x, of_q ? c->typical_q[j] : c->typical_v[j]);
    const double         plus = x + h, minus = x - h;
    return plus - minus;
}

/* Evaluates on both sides, and puts the group back. */
static int both_sides(bound_functions *b, const colouring *g, int group, bool of_q, unsigned want,
                      const sys_point *at, const sys_point *moved)
{
    dal_evaluation ev;
    move_group(b, g, group, of_q, 1, at);
    int bad = functions_call(b, want, moved, &b->plus, &ev);
    move_group(b, g, group, of_q, -1, at);
    if (!bad) bad = functions_call(b, want, moved, &b->minus, &ev);
    move_group(b, g, group, of_q, 0, at);
    return bad;
}

/* Column j of a field, from the rows of F. */
static void column_of(const entries *e, int j, const double *plus, const double *minus, double dx,
                      double *to)
{
    for (int k = e->of_column[j]; k < e->of_column[j + 1]; k++) {
        const int entry = e->by_column[k], i = e->row[entry];
        to[entry] = (plus[i] - minus[i]) / dx;
    }
}

/* The motion: derivatives of L_q, L_w and f in q and w. ---------------------------------------- */

static void motion_columns(bound_functions *b, int group, bool of_q, unsigned lacking,
                           const sys_point *at)
{
    const functions *fs = b->of;
    const colouring *g = &fs->motion;
    const buffers   *p = &b->plus, *m = &b->minus;
    double *const   *to = b->room.field;
    for (int k = g->start[group]; k < g->start[group + 1]; k++) {
        const int    j = g->column[k];
        const double dx = apart(b, j, of_q, at);
        if (lacking & WANT_HESSIAN) {
            column_of(&fs->hessian, j, p->Lq, m->Lq, dx, to[of_q ? F_LQQ : F_LQW]);
            if (!of_q) column_of(&fs->hessian, j, p->Lw, m->Lw, dx, to[F_LWW]);
        }
        if (lacking & WANT_FORCE_JACOBIAN)
            column_of(&fs->force, j, p->f, m->f, dx, to[of_q ? F_FQ : F_FW]);
    }
}

/* Nothing to find by differences on this side (in q or in w). */
static bool is_zero(const bound_functions *b, bool of_q, unsigned lacking)
{
    const uint8_t *varies = b->sys.varies;
    const bool     hessian = of_q ? varies[F_LQQ] : varies[F_LQW] || varies[F_LWW];
    const bool     force = of_q ? varies[F_FQ] : varies[F_FW];
    return !((lacking & WANT_HESSIAN && hessian) || (lacking & WANT_FORCE_JACOBIAN && force));
}

/* Constant derivatives are found once and kept until parameters change. */
static bool is_constant(const bound_functions *b, bool of_q)
{
    const uint8_t *varies = b->sys.varies;
    if (of_q) return varies[F_LQQ] != FIELD_VARIES && varies[F_FQ] != FIELD_VARIES;
    return varies[F_LQW] != FIELD_VARIES && varies[F_LWW] != FIELD_VARIES &&
           varies[F_FW] != FIELD_VARIES;
}

/* What does not vary was made once, unless parameters have changed since. */
static void forget_if_changed(bound_functions *b)
{
    const size_t bytes = (size_t)b->of->given.parameters * sizeof *b->known_for;
    if (!bytes || !memcmp(b->known_for, b->parameter, bytes)) return;
    memcpy(b->known_for, b->parameter, bytes);
    b->side_known[0] = b->side_known[1] = false;
}

/* Non-zero: what the caller's function returned. */
static int motion_differences(bound_functions *b, unsigned lacking, const sys_point *at)
{
    const sys_point moved = begin_at(b, at);
    const unsigned  all = b->of->given.missing & (WANT_HESSIAN | WANT_FORCE_JACOBIAN);
    unsigned        want = 0;
    forget_if_changed(b);
    if (lacking & WANT_HESSIAN) want |= WANT_GRADIENT;
    if (lacking & WANT_FORCE_JACOBIAN) want |= WANT_FORCE;
    /* side 0 moves w, side 1 moves q */
    for (int side = 0; side < 2; side++) {
        if (b->side_known[side] || is_zero(b, side, lacking)) continue;
        for (int group = 0; group < b->of->motion.groups; group++) {
            int bad = both_sides(b, &b->of->motion, group, side, want, at, &moved);
            if (bad) return bad;
            motion_columns(b, group, side, lacking, at);
        }
        b->side_known[side] = lacking == all && is_constant(b, side);
    }
    return 0;
}

/* Relations: d e/d q, and sum_a lam_a d A_ai/d q_j. -------------------------------------------- */

/*     (sum_a lam_a (A_ai(+) - A_ai(-)))_i, into plus.Lq */
static void pull_back(bound_functions *b, const double *lam)
{
    const entries *e = &b->of->relations;
    double        *sum = b->plus.Lq;
    memset(sum, 0, (size_t)b->sys.n * sizeof *sum);
    for (int k = 0; k < e->count && lam; k++)
        sum[e->column[k]] += lam[e->row[k]] * (b->plus.A[k] - b->minus.A[k]);
}

/* e_q = de/dq_j by columns, and with A at both points the curvature sum_a lam_a dA_ai/dq_j. */
static int relation_differences(bound_functions *b, const sys_point *at)
{
    const functions *fs = b->of;
    const colouring *g = &fs->relation;
    const sys_point  moved = begin_at(b, at);
    memset(b->minus.Lq, 0, (size_t)b->sys.n * sizeof *b->minus.Lq);
    for (int group = 0; group < g->groups; group++) {
        int bad = both_sides(b, g, group, true, WANT_RELATIONS, at, &moved);
        if (bad) return bad;
        pull_back(b, at->lam);
        for (int k = g->start[group]; k < g->start[group + 1]; k++) {
            const int    j = g->column[k];
            const double dx = apart(b, j, true, at);
            column_of(&fs->relations, j, b->plus.e, b->minus.e, dx, b->room.eq);
            column_of(&fs->curvature, j, b->plus.Lq, b->minus.Lq, dx, b->room.field[F_CURV]);
        }
    }
    return 0;
}

/* Time. ---------------------------------------------------------------------------------------- */

/* (F(t + h) - F(t - h)) / dt */
static void slope(double *out, const double *plus, const double *minus, int n, double dt)
{
    for (int i = 0; i < n; i++) out[i] = (plus[i] - minus[i]) / dt;
}

static int time_differences(bound_functions *b, unsigned lacking, const sys_point *at,
                            dal_evaluation *out)
{
    const bool     of_motion = lacking & WANT_TIME;
    const unsigned motion = WANT_L | WANT_GRADIENT | (b->sys.forced ? WANT_FORCE : 0);
    const unsigned want =
        (of_motion ? motion : 0) | (lacking & WANT_RELATIONS_JACOBIAN ? WANT_RELATIONS : 0);
    const double   h = step_for(at->t, b->of->given.typical_t), dt = (at->t + h) - (at->t - h);
    const int      n = b->sys.n;
    sys_point      moved = *at;
    dal_evaluation plus, minus, here = {0};
    memset(b->room.et, 0, (size_t)(b->sys.m + b->sys.r) * sizeof *b->room.et);
    if (b->sys.autonomous) return 0;
    int bad = of_motion ? functions_call(b, WANT_L, at, &b->plus, &here) : 0;
    moved.t = at->t + h;
    if (!bad) bad = functions_call(b, want, &moved, &b->plus, &plus);
    moved.t = at->t - h;
    if (!bad) bad = functions_call(b, want, &moved, &b->minus, &minus);
    if (bad) return bad;
    if (lacking & WANT_RELATIONS_JACOBIAN)
        slope(b->room.et, b->plus.e, b->minus.e, b->sys.m + b->sys.r, dt);
    if (!of_motion) return 0;
    out->Lt = (plus.L - minus.L) / dt;
    /* second difference: h = dt/2, so h^2 = dt^2/4 */
    out->Ltt = (plus.L - 2 * here.L + minus.L) / (dt * dt / 4);
    slope(b->room.Lqt, b->plus.Lq, b->minus.Lq, n, dt);
    slope(b->room.Lwt, b->plus.Lw, b->minus.Lw, n, dt);
    if (b->sys.forced) slope(b->room.ft, b->plus.f, b->minus.f, n, dt);
    return 0;
}

int differences_take(bound_functions *b, unsigned lacking, const sys_point *at, dal_evaluation *out)
{
    int bad = 0;
    out->Lt = out->Ltt = 0;
    if (lacking & (WANT_HESSIAN | WANT_FORCE_JACOBIAN)) bad = motion_differences(b, lacking, at);
    if (!bad && lacking & WANT_RELATIONS_JACOBIAN) bad = relation_differences(b, at);
    if (!bad && lacking & (WANT_TIME | WANT_RELATIONS_JACOBIAN))
        bad = time_differences(b, lacking, at, out);
    return bad;
}
