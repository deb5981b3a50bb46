/* jacobian.c - the exact Jacobian of one step as a gather: each entry is a short sum of
 *     coefficient * field of the system at a point,
 * and only fields that can be non-zero, with coefficients that are, make entries. So the
 * pattern itself shows what a scheme does with a system: a diagonal one is an explicit step.
 *                                                                             theory.md [NEWTON] */
#include "mech/equations/retraction_rows.h"
#include "mech/equations/equations.h"
#include "mech/equations/turning_rows.h"

/* Which rows or columns of K a block takes. Rows of states are like Lagrangian ones; their columns
 * are not. */
enum { ALL, LAGRANGIAN, HAMILTONIAN, STATE };

typedef struct {
    equations *eq;
    mem       *m;
    vec(block) blocks;
    vec(term) terms;
    vec(uint8_t) kinds; /* of each term: a field, or one of the sources below */
    vec(int) entry, row, column;
    bool varies; /* a term of the block being made does */
} builder;

enum {
    OF_A = F_COUNT,
    OF_EQ,
    OF_CHORD,
    OF_IDENTITY,
    OF_P,
    OF_LWQ,
    OF_CU,
    OF_CQ,
    OF_CV,
    OF_CW,
    OF_FU
};

/* Whether what a what gives can be non-zero, and whether it changes. */
static int variation(const equations *eq, int what)
{
    const dal_system *sys = eq->sys;
    if (what < F_COUNT) {
        if ((what == F_FQ || what == F_FW) && !sys->forced) return FIELD_ZERO;
        if ((what == F_DQ || what == F_DW) && !sys->damped) return FIELD_ZERO;
        return what == F_CURV && sys->varies[what] ? FIELD_VARIES : sys->varies[what];
    }
    if (what == OF_A) return sys->constant_A ? FIELD_CONSTANT : FIELD_VARIES;
    if (what == OF_LWQ) return variation(eq, F_LQW);
    if (what == OF_EQ) return sys->relations_free_of_q ? FIELD_ZERO : FIELD_VARIES;
    if (what == OF_P)
        return sys->constant_A && sys->varies[F_LWW] != FIELD_VARIES ? FIELD_CONSTANT
                                                                     : FIELD_VARIES;
    if (what >= OF_CU) return sys->inner->constant ? FIELD_CONSTANT : FIELD_VARIES;
    return what == OF_CHORD ? FIELD_VARIES : FIELD_CONSTANT;
}

/* Where the numbers of a term will stand: arrays that stay, so that terms can point to them. */
static const double *source_at(const equations *eq, int what, const samples *set, int i)
{
    if (what < F_COUNT) return field_at(set, i, (field)what);
    if (what == OF_A) return set->out[i].A;
    if (what == OF_CHORD) return eq->along->by_q1;
    if (what == OF_P) return eq->redundant->P;
    if (what == OF_LWQ) return eq->sum.L_wq + (size_t)i * (size_t)pattern_count(&eq->sys->K);
    if (what >= OF_CU) {
        const inner_values *in = &set->out[i].inner;
        const double *const of[] = {in->c_u, in->c_q, in->c_v, in->c_w, in->f_u};
        return of[what - OF_CU];
    }
    return what == OF_EQ ? set->out[i].eq : eq->sum.identity;
}

/*     coefficient h^power field at point i, forward or backward in time
 * unless it is always 0. */
static void add_term(builder *b, int what, const samples *set, int i, int power, double forward,
                     double backward)
{
    int varies = variation(b->eq, what);
    if (varies == FIELD_ZERO || (forward == 0 && backward == 0)) return;
    vec_push(b->m, b->terms, (term){source_at(b->eq, what, set, i), {forward, backward}, power});
    vec_push(b->m, b->kinds, (uint8_t)what);
    if (varies == FIELD_VARIES) b->varies = true;
}

/* Is coordinate i of the wanted kind? */
static bool takes(const equations *eq, int which, int i)
{
    return which == ALL || (eq->phase_number[i] >= 0) == (which == HAMILTONIAN);
}

static bool takes_column(const equations *eq, int which, int j)
{
    const bool state = is_state(eq, j);
    if (which == ALL) return true;
    return which == STATE ? state : takes(eq, which, j) && !state;
}

/* Can term t be other than 0 at an entry of K? */
static bool term_present(const builder *b, int t, int entry, bool diagonal)
{
    const dal_system *sys = b->eq->sys;
    int               what = b->kinds.at[t];
    if (what == OF_IDENTITY) return diagonal;
    if (what == OF_LWQ) what = F_LQW, entry = sys->transpose[entry];
    return what >= F_COUNT || !sys->present[what] || sys->present[what][entry];
}

static bool entry_present(const builder *b, int first_term, int entry, bool diagonal)
{
    for (int t = first_term; t < b->terms.n; t++)
        if (term_present(b, t, entry, diagonal)) return true;
    return false;
}

/* An entry of K or A, and the row and column of J to which it is added. */
static void push(builder *b, int entry, int row, int column)
{
    vec_push(b->m, b->entry, entry);
    vec_push(b->m, b->row, row);
    vec_push(b->m, b->column, column);
}

/* Closes the block whose terms began at first_term and whose entries began at `first`. */
static void close_block(builder *b, int first_term, int first)
{
    block made = {.first = first,
                  .count = b->entry.n - first,
                  .first_term = first_term,
                  .terms = b->terms.n - first_term,
                  .constant = !b->varies};
    if (made.count > 0) vec_push(b->m, b->blocks, made);
    b->varies = false;
}

/* Number of coordinate i among the rows or columns that begin at `base`. */
static int place_of(const equations *eq, int base, bool stage, int i)
{
    return base + (stage ? eq->phase_number[i] : i);
}

/* A block on the pattern K: rows of the kind `rows` from row0 on, columns likewise. */
typedef struct {
    int  row0, column0;
    int  rows, columns;             /* ALL, LAGRANGIAN, HAMILTONIAN                    */
    bool stage_rows, stage_columns; /* numbered as stage momenta, else as coordinates  */
} place;

/* Entries of K between coordinates of the wanted kinds, where one of the terms can be other than
 * 0. */
static void block_on_K(builder *b, int first_term, place at)
{
    const equations *eq = b->eq;
    const pattern   *K = &eq->sys->K;
    int              first = b->entry.n;
    for (int i = 0; i < eq->n && b->terms.n > first_term; i++) {
        if (!takes(eq, at.rows, i)) continue;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            int j = K->column[k];
            if (!takes_column(eq, at.columns, j) || !entry_present(b, first_term, k, i == j))
                continue;
            push(b, k, place_of(eq, at.row0, at.stage_rows, i),
                 place_of(eq, at.column0, at.stage_columns, j));
        }
    }
    close_block(b, first_term, first);
}

/* u_mu at point i, by which states are sampled besides l_mu. */
static double sampled(const equations *eq, int side, int i, int mu, int columns)
{
    return columns == STATE ? eq->upwind.at[side][i * (eq->d + 1) + mu] : 0;
}

/*     dR_nu/dZ^mu = sum_i b_i [l'_nu (l_mu L_wq + l'_mu L_ww/h) + h l_nu (l_mu (L_qq + f_q)
 *                   + (l'_mu/h) (L_qw + f_w)) - h u_nu (l_mu D_q + (l'_mu/h) D_w)]^i
 *                   + delta_{nu mu} h w_nu sum_a lam_a dA_a
 *                   + h sum_i b_i l_nu l_mu sum_a lam_a^i dA_a, of relations inside
 * The w of a Hamiltonian coordinate does not depend on Z, its momentum at a stage not on L_w.
 * Forces alone hold states, whose l_mu is l_mu + u_mu. */
static void position_block(builder *b, int nu, int mu, int rows, int columns)
{
    equations     *eq = b->eq;
    const int      first = b->terms.n, N = eq->d + 1;
    const samples *fs = eq->force.count ? &eq->force : &eq->rule;
    /* v of these columns is w, and moves with Z */
    const bool     velocity = columns != HAMILTONIAN;
    for (int i = 0; i < eq->s; i++) {
        const double *l = eq->rule.at[0].l + i * N, *dl = eq->rule.at[0].dl + i * N;
        const double *L = eq->rule.at[1].l + i * N, *DL = eq->rule.at[1].dl + i * N;
        const double  w = eq->rule.b[i];
        if (rows != HAMILTONIAN)
            add_term(b, OF_LWQ, &eq->rule, i, 0, w * dl[nu] * l[mu], w * DL[nu] * L[mu]);
        if (rows != HAMILTONIAN && velocity)
            add_term(b, F_LWW, &eq->rule, i, -1, w * dl[nu] * dl[mu], w * DL[nu] * DL[mu]);
        add_term(b, F_LQQ, &eq->rule, i, 1, w * l[nu] * l[mu], w * L[nu] * L[mu]);
        if (velocity) add_term(b, F_LQW, &eq->rule, i, 0, w * l[nu] * dl[mu], w * L[nu] * DL[mu]);
    }
    for (int i = 0; i < fs->count; i++) {
        const double *l = fs->at[0].l + i * N, *dl = fs->at[0].dl + i * N;
        const double *L = fs->at[1].l + i * N, *DL = fs->at[1].dl + i * N;
        const double  w = fs->b[i];
        const double  q = l[mu] + sampled(eq, 0, i, mu, columns);
        const double  Q = L[mu] + sampled(eq, 1, i, mu, columns);
        add_term(b, F_FQ, fs, i, 1, w * l[nu] * q, w * L[nu] * Q);
        if (velocity) add_term(b, F_FW, fs, i, 0, w * l[nu] * dl[mu], w * L[nu] * DL[mu]);
        if (!eq->c.d) continue;
        const double u = -w * eq->upwind.at[0][i * N + nu], U = -w * eq->upwind.at[1][i * N + nu];
        add_term(b, F_DQ, fs, i, 1, u * q, U * Q);
        if (velocity) add_term(b, F_DW, fs, i, 0, u * dl[mu], U * DL[mu]);
    }
    if (nu == mu && eq->relations)
        add_term(b, F_CURV, &eq->control, nu, 1, eq->control.b[nu], eq->control.b[nu]);
    for (int i = 0; i < eq->d && eq->inside; i++) {
        const double *l = eq->gauss.at[0].l + i * N, *L = eq->gauss.at[1].l + i * N;
        const double  w = eq->gauss.b[i];
        add_term(b, F_CURV, &eq->gauss, i, 1, w * l[nu] * l[mu], w * L[nu] * L[mu]);
    }
    block_on_K(b, first, (place){nu * eq->n, (mu - 1) * eq->n, rows, columns, false, false});
}

/*     dR_nu/dP^i = b_i (l'_nu I + h l_nu (f_p - H_qp) - h u_nu D_p)            theory.md [PHASE] */
static void stage_column(builder *b, int nu, int i, int rows)
{
    equations    *eq = b->eq;
    const int     first = b->terms.n, at = i * (eq->d + 1) + nu;
    const double  w = eq->rule.b[i];
    const double *l = eq->rule.at[0].l, *L = eq->rule.at[1].l;
    const double *dl = eq->rule.at[0].dl, *DL = eq->rule.at[1].dl;
    add_term(b, rows == HAMILTONIAN ? OF_IDENTITY : F_LWW, &eq->rule, i, 0, w * dl[at], w * DL[at]);
    add_term(b, F_LQW, &eq->rule, i, 1, w * l[at], w * L[at]);
    add_term(b, F_FW, &eq->rule, i, 1, w * l[at], w * L[at]);
    if (eq->c.d)
        add_term(b, F_DW, &eq->rule, i, 1, -w * eq->upwind.at[0][at], -w * eq->upwind.at[1][at]);
    block_on_K(b, first,
               (place){nu * eq->n, eq->P + i * eq->phase, rows, HAMILTONIAN, false, true});
}

/*     d(phase row i)/dZ^mu = b_i (l'_mu I - h l_mu H_pq) */
static void stage_row(builder *b, int i, int mu, int columns)
{
    equations    *eq = b->eq;
    const int     first = b->terms.n, at = i * (eq->d + 1) + mu;
    const double  w = eq->rule.b[i];
    const double *l = eq->rule.at[0].l, *L = eq->rule.at[1].l;
    const double *dl = eq->rule.at[0].dl, *DL = eq->rule.at[1].dl;
    add_term(b, OF_LWQ, &eq->rule, i, 1, w * l[at], w * L[at]);
    add_term(b, columns == HAMILTONIAN ? OF_IDENTITY : F_LWW, &eq->rule, i, 0, w * dl[at],
             w * DL[at]);
    block_on_K(b, first,
               (place){eq->P + i * eq->phase, (mu - 1) * eq->n, HAMILTONIAN, columns, true, false});
}

/*     d(phase row i)/dP^i = -b_i h H_pp */
static void stage_diagonal(builder *b, int i)
{
    equations *eq = b->eq;
    int        first = b->terms.n, at = eq->P + i * eq->phase;
    add_term(b, F_LWW, &eq->rule, i, 1, eq->rule.b[i], eq->rule.b[i]);
    block_on_K(b, first, (place){at, at, HAMILTONIAN, HAMILTONIAN, true, true});
}

/* Rows and columns of stage momenta; in a mixed system Lagrangian coordinates meet them, too. */
static void phase_blocks(builder *b)
{
    const equations *eq = b->eq;
    const bool       mixed = eq->phase < eq->n;
    for (int i = 0; i < eq->s && eq->phase; i++) {
        for (int nu = 0; nu < eq->d; nu++) {
            stage_column(b, nu, i, HAMILTONIAN);
            stage_row(b, i, nu + 1, HAMILTONIAN);
            if (mixed) stage_column(b, nu, i, LAGRANGIAN), stage_row(b, i, nu + 1, LAGRANGIAN);
        }
        stage_diagonal(b, i);
    }
}

/* By kinds of coordinates, since a Hamiltonian one has neither L_w nor v in these rows. */
static void position_blocks(builder *b)
{
    const equations *eq = b->eq;
    for (int nu = 0; nu < eq->d; nu++)
        for (int mu = 1; mu <= eq->d; mu++)
            for (int rows = LAGRANGIAN; rows <= HAMILTONIAN; rows++)
                for (int columns = LAGRANGIAN; columns <= (eq->upwind.states ? STATE : HAMILTONIAN);
                     columns++)
                    position_block(b, nu, mu, rows, columns);
}

enum { AT_NODES = 1, INSIDE = 2 }; /* which relations a block takes */

/* Rows from..to-1 of A, as they stand (place of e and g) or transposed (place of the reactions). */
static void block_on_A(builder *b, int first_term, int from, int to, int which, int row0,
                       int column0, bool transposed, int columns)
{
    const pattern *A = &b->eq->sys->A;
    int            first = b->entry.n;
    for (int a = from; a < to; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++) {
            if (!(which & (acts_inside(b->eq, a) ? INSIDE : AT_NODES))) break;
            if (columns == STATE && !takes_column(b->eq, STATE, A->column[k])) continue;
            if (columns == LAGRANGIAN && takes_column(b->eq, STATE, A->column[k])) continue;
            if (transposed) push(b, k, row0 + A->column[k], column0 + a);
            else push(b, k, row0 + a, column0 + A->column[k]);
        }
    close_block(b, first_term, first);
}

/* Velocity constraints along chords: every row may see every coordinate of q_1. */
static void block_of_chord(builder *b, int row0)
{
    const int first = b->entry.n, first_term = b->terms.n;
    add_term(b, OF_CHORD, &b->eq->gauss, 0, 0, 1, 1);
    for (int e = 0; e < b->eq->m * b->eq->n; e++) push(b, e, row0 + e / b->eq->n, e % b->eq->n);
    close_block(b, first_term, first);
}

/*     dC_k/dlam^{k-1}, dD_k/dlam^{k-1} = h w_{k-1} P                       theory.md [REDUNDANT] */
static void redundant_block(builder *b, int k)
{
    const equations  *eq = b->eq;
    const redundancy *of = eq->redundant;
    const int         first = b->entry.n, first_term = b->terms.n;
    const int         row = eq->lam + k * eq->relations;
    add_term(b, OF_P, &eq->control, k, 1, eq->control.b[k], eq->control.b[k]);
    for (int g = 0, e = 0; g < of->groups; g++) {
        const relation_group *at = &of->group[g];
        for (int i = 0; i < at->rows * at->rows; i++, e++)
            push(b, e, row + at->row[i / at->rows], row + at->row[i % at->rows]);
    }
    close_block(b, first_term, first);
}

/*     dR_nu/dlam^i = h b_i l_nu A^T,   dD_i/dZ^mu = l_mu G/h   at Gauss point i */
static void inner_relation_blocks(builder *b, int i)
{
    equations    *eq = b->eq;
    const int     row = eq->lam + i * eq->relations;
    const double *l = eq->gauss.at[0].l + i * (eq->d + 1), w = eq->gauss.b[i];
    const double *L = eq->gauss.at[1].l + i * (eq->d + 1);
    for (int nu = 0; nu < eq->d; nu++) {
        int first = b->terms.n;
        add_term(b, OF_A, &eq->gauss, i, 1, w * l[nu], w * L[nu]);
        block_on_A(b, first, 0, eq->relations, INSIDE, nu * eq->n, row, true, ALL);
        first = b->terms.n;
        add_term(b, OF_A, &eq->gauss, i, -1, l[nu + 1], L[nu + 1]);
        block_on_A(b, first, eq->m, eq->relations, INSIDE, row, nu * eq->n, false, ALL);
    }
}

/*     dR_nu/dlam^nu = h w_nu A^T;  dC_k/dZ^mu = (l'_mu/h) W + l_mu (dW.v + b_q);  dD_k/dZ^k = G/h
 *                                                                        theory.md [CONSTRAINED] */
static void relation_blocks(builder *b)
{
    equations *eq = b->eq;
    const int  N = eq->d + 1;
    for (int k = 0; k < eq->d; k++) {
        int first = b->terms.n, row = eq->lam + k * eq->relations;
        /* h w_k A^T in the columns of lam^k */
        add_term(b, OF_A, &eq->control, k, 1, eq->control.b[k], eq->control.b[k]);
        block_on_A(b, first, 0, eq->relations, AT_NODES, k * eq->n, row, true, ALL);
        if (eq->along) block_of_chord(b, row);
        for (int mu = 1; mu <= eq->d && !eq->along; mu++) {
            const int     at = k * N + mu;
            const double *l = eq->gauss.at[0].l, *L = eq->gauss.at[1].l;
            const double *dl = eq->gauss.at[0].dl, *DL = eq->gauss.at[1].dl;
            for (int of = LAGRANGIAN; of <= STATE; of += STATE - LAGRANGIAN) {
                if (of == STATE && !eq->upwind.states) break;
                first = b->terms.n;
                add_term(b, OF_A, &eq->gauss, k, -1, dl[at], DL[at]);
                add_term(b, OF_EQ, &eq->gauss, k, 0, l[at] + sampled(eq, 0, k, mu, of),
                         L[at] + sampled(eq, 1, k, mu, of));
                block_on_A(b, first, 0, eq->m, AT_NODES | INSIDE, row, (mu - 1) * eq->n, false,
                           eq->upwind.states ? of : ALL);
            }
        }
        if (eq->inside) inner_relation_blocks(b, k);
        first = b->terms.n;
        /* G/h at the node of D_k */
        add_term(b, OF_A, &eq->control, k + 1, -1, 1, 1);
        block_on_A(b, first, eq->m, eq->relations, AT_NODES, row, k * eq->n, false, ALL);
        if (eq->redundant) redundant_block(b, k);
    }
}

/* The entries of a pattern whose columns are of a kind, or all. */
static void block_on(builder *b, int first_term, const pattern *p, int columns, int row0,
                     int column0)
{
    const int first = b->entry.n;
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (columns == ALL) push(b, k, row0 + i, column0 + p->column[k]);
            else if (takes(b->eq, columns, p->column[k]))
                push(b, k, row0 + i, place_of(b->eq, column0, true, p->column[k]));
    close_block(b, first_term, first);
}

/* Implicit forces: c^i = 0 behind all other equations, u^i behind all unknowns.
 *     dR_nu/du^i = h b_i l_nu f_u,   dc^i/dZ^mu = l_mu c_q + (l'_mu/h) c_v,   dc^i/dP^i = c_w */
static void inner_blocks(builder *b)
{
    const equations *eq = b->eq;
    const sys_inner *in = eq->sys->inner;
    const samples   *fs = force_points(eq);
    for (int i = 0; i < fs->count; i++) {
        const int     behind = eq->size + i * in->size;
        const double *l = fs->at[0].l + i * (eq->d + 1), *dl = fs->at[0].dl + i * (eq->d + 1);
        const double *L = fs->at[1].l + i * (eq->d + 1), *DL = fs->at[1].dl + i * (eq->d + 1);
        int           first = b->terms.n;
        /* c_u on its own rows and columns */
        add_term(b, OF_CU, fs, i, 0, 1, 1);
        block_on(b, first, &in->of_u, ALL, behind, behind);
        for (int nu = 0; nu < eq->d; nu++) {
            first = b->terms.n;
            add_term(b, OF_FU, fs, i, 1, fs->b[i] * l[nu], fs->b[i] * L[nu]);
            block_on(b, first, &in->force, ALL, nu * eq->n, behind);
            first = b->terms.n;
            add_term(b, OF_CQ, fs, i, 0, l[nu + 1], L[nu + 1]);
            add_term(b, OF_CV, fs, i, -1, dl[nu + 1], DL[nu + 1]);
            block_on(b, first, &in->of_state, ALL, behind, nu * eq->n);
        }
        if (!eq->phase) continue;
        first = b->terms.n;
        add_term(b, OF_CW, fs, i, 0, 1, 1);
        block_on(b, first, &in->of_state, HAMILTONIAN, behind, eq->P + i * eq->phase);
    }
}

/* 1 at the diagonal entries of K: the l'_nu I of the phase blocks. */
static void identity_on_K(equations *eq, mem *m)
{
    const pattern *K = &eq->sys->K;
    eq->sum.identity = mem_array(m, pattern_count(K), double);
    for (int i = 0; i < eq->n; i++) {
        int k = pattern_find(K, i, i);
        if (k >= 0) eq->sum.identity[k] = 1;
    }
}

/* What the Jacobian needs from an evaluation: every time, or once for fields that do not vary. */
static void choose_masks(builder *b)
{
    static const unsigned want[] = {[F_LQQ] = WANT_HESSIAN,
                                    [F_LQW] = WANT_HESSIAN,
                                    [F_LWW] = WANT_HESSIAN,
                                    [F_FQ] = WANT_FORCE_JACOBIAN,
                                    [F_FW] = WANT_FORCE_JACOBIAN,
                                    [F_CURV] = 0,
                                    [F_DQ] = WANT_FORCE_JACOBIAN,
                                    [F_DW] = WANT_FORCE_JACOBIAN,
                                    [OF_A] = 0,
                                    [OF_EQ] = 0,
                                    [OF_CHORD] = 0,
                                    [OF_IDENTITY] = 0,
                                    [OF_P] = 0,
                                    [OF_LWQ] = WANT_HESSIAN,
                                    [OF_CU] = WANT_FORCE_JACOBIAN,
                                    [OF_CQ] = WANT_FORCE_JACOBIAN,
                                    [OF_CV] = WANT_FORCE_JACOBIAN,
                                    [OF_CW] = WANT_FORCE_JACOBIAN,
                                    [OF_FU] = WANT_FORCE_JACOBIAN};
    equations            *eq = b->eq;
    eq->constant = true;
    for (int t = 0; t < b->terms.n; t++) {
        int  what = b->kinds.at[t];
        bool varies = variation(eq, what) == FIELD_VARIES;
        if (varies) eq->want.jacobian |= want[what], eq->constant = false;
        else eq->want.constant |= want[what];
        if (what == F_CURV || what == OF_EQ || what == OF_CHORD)
            eq->want.relation = WANT_RELATIONS_JACOBIAN;
    }
}

static bool consecutive(const int *x, int count)
{
    for (int e = 1; e < count; e++)
        if (x[e] != x[0] + e) return false;
    return true;
}

/* Lists of entries and places are not needed where they are consecutive in all blocks. */
static void find_straight(equations *eq, mem *m)
{
    bool all = true;
    for (int k = 0; k < eq->sum.blocks; k++) {
        block *b = &eq->sum.block[k];
        b->in_order = consecutive(eq->sum.entry + b->first, b->count);
        b->straight = b->in_order && b->terms && consecutive(eq->sum.place + b->first, b->count);
        b->entry = eq->sum.entry[b->first], b->place = eq->sum.place[b->first];
        all &= b->straight;
    }
    if (!all) return;
    mem_drop(m, eq->sum.entry), mem_drop(m, eq->sum.place);
    eq->sum.entry = eq->sum.place = NULL;
}

static void push_turning(void *self, int row, int column)
{
    push(self, 0, row, column);
}

/* What rotations add comes on top of sums, so the entries are 0 before these are made. */
static void turning_block(builder *b)
{
    const int first = b->entry.n;
    turning_rows_pattern(b->eq, push_turning, b);
    b->varies = true;
    close_block(b, b->terms.n, first);
}

/* Reactions of a chord act where it begins, with the same A whatever its unknowns are. */
static bool is_affine(const builder *b)
{
    enum { SEVERAL = 24 }; /* unknowns for which knowing so pays */
    const equations *eq = b->eq;
    for (int k = 0; k < b->blocks.n; k++)
        if (!b->blocks.at[k].constant) return false;
    return eq->d == 1 && eq->size >= SEVERAL && !eq->phase && !eq->inside && !eq->turn &&
           !eq->sys->inner;
}

/* Blocks and terms first; the pattern of J is the union of their places. */
void equations_pattern(equations *eq, mem *m)
{
    builder b = {.eq = eq, .m = m};
    if (eq->phase) identity_on_K(eq, m);
    if (variation(eq, F_LQW) != FIELD_ZERO)
        eq->sum.L_wq = mem_array(m, (size_t)eq->s * (size_t)pattern_count(&eq->sys->K), double);
    if (eq->turn) turning_block(&b);
    position_blocks(&b);
    phase_blocks(&b);
    eq->affine = is_affine(&b);
    if (eq->relations) relation_blocks(&b);
    const sys_inner *in = eq->sys->inner;
    const int        extent = eq->size + (in ? force_points(eq)->count * in->size : 0);
    if (in) inner_blocks(&b), eq->sum.whole = mem_array(m, extent, double);

    eq->sum.block = b.blocks.at, eq->sum.blocks = b.blocks.n;
    eq->sum.term = b.terms.at, eq->sum.terms = b.terms.n;
    eq->sum.entry = b.entry.at;
    eq->sum.coefficient = mem_array(m, eq->sum.terms, double);
    eq->sum.place = mem_resize(m, NULL, (size_t)(b.entry.n + 1) * sizeof *eq->sum.place);
    eq->J = pattern_from_pairs(m, extent, extent, b.row.at, b.column.at, b.entry.n, eq->sum.place);
    eq->values = mem_array(m, pattern_count(&eq->J), double);
    find_straight(eq, m);
    eq->diagonal = pattern_is_diagonal(&eq->J);
    choose_masks(&b);
    if (eq->turn) turning_rows_find(eq, m);
    if (eq->turn && eq->relations) eq->want.relation = WANT_RELATIONS_JACOBIAN;
    vec_drop(m, b.kinds);
    vec_drop(m, b.row);
    vec_drop(m, b.column);
}
