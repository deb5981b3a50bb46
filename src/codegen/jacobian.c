/* jacobian.c - the Jacobian, entry by entry of the system's second derivatives: each contributes to
 * d x d entries, the outer product of the curve's coefficients for its row and its column. Those of
 * nodes nu and mu are nu n rows and mu n columns from the first.
 *
 *     row of q:  h b_i l_nu        row of w:  b_i l'_nu,  or b_i h of a Hamiltonian coordinate
 *     row of damping: -h b_i u_nu
 *     column of q:  l_mu, of a state l_mu + u_mu
 *     column of w:  l'_mu/h, or 1 of a stage momentum
 *                                                                             theory.md [NEWTON] */
#include "codegen/inside.h"
#include "codegen/turning.h"

#include <stdlib.h>

typedef enum { OF_Q, OF_W, OF_D } kind;

typedef struct { /* one block: the entry in `held`, weighted by a table, is added at `place` of J */
    int slot, table, place;
} use;

enum { WRITTEN_MOST = 96 }; /* uses of a table that are written one by one */

typedef struct {
    codegen       *f;
    const program *p;
    point_set      set;
    bool           constant;
    text           out;
    vec(use) uses;
} spreading;

static const char *const table_name[] = {"qq",  "qw",  "wq",  "ww", "dqq",
                                         "dqw", "fqq", "fqw", "qz", "dz"};
static const char *const row_name[] = {[OF_Q] = "rq", [OF_W] = "rw", [OF_D] = "rd"};
enum { FORCE_TABLES = 6, STATE_TABLES = 8 };

/* Entries that never change are summed once per length of step, into J0. */
static const char *target(const spreading *s)
{
    return s->constant ? "J0" : "J";
}

/* The entry at point i. */
static const char *value(spreading *s, int held)
{
    static const char letter[] = "RFKG";
    if (s->constant) return mem_printf(s->f->w.m, "k[%d]", held);
    return mem_printf(s->f->w.m, "o%c[%d + i]", letter[s->set], held * s->p->lanes);
}

/* A block with stage momenta among its rows or columns: point by point. */
static void stage_block(spreading *s, kind rows, int a, kind columns, int b, int held)
{
    codegen    *f = s->f;
    const int   N = f->N, n = f->n, d = f->d, ph = f->phase, P = f->eq->P;
    const int   W = f->of[AT_RULE][1].lanes;
    const int  *number = f->eq->phase_number;
    const bool  stage_row = rows == OF_W && is_phase(f, a);
    const bool  stage_column = columns == OF_W && is_phase(f, b);
    const char *x = value(s, held), *J = target(s), *each;
    /*     P^i, P^i: h b_i x      P^i, Z^mu: h b_i {l_mu, l'_mu/h} x      R_nu, P^i: {rq, rw, rd} x
     */
    if (stage_row && stage_column)
        each = mem_printf(f->w.m, "%s[(%d + i * %d) * %d + %d + i * %d] += c->hb[i] * %s;", J,
                          P + number[a], ph, N, P + number[b], ph, x);
    else if (stage_row)
        each = write_loop(
            &f->w, "mu", d,
            mem_printf(
                f->w.m,
                columns == OF_Q
                    ? "%s[(%d + i * %d) * %d + %d + mu * %d] += c->hb[i] * R_l[mu * %d + i] * %s;"
                    : "%s[(%d + i * %d) * %d + %d + mu * %d] += "
                      "c->hb[i] * c->Rv[mu * %d + i] * %s;",
                J, P + number[a], ph, N, b, n, W, x));
    else
        each = write_loop(
            &f->w, "nu", d,
            mem_printf(f->w.m, "%s[(%d + nu * %d) * %d + %d + i * %d] += c->%s[i * %d + nu] * %s;",
                       J, a, n, N, P + number[b], ph, row_name[rows], d, x));
    text_add(&s->out, write_loop(&f->w, "i", f->points[AT_RULE], each));
}

/* A block of d x d is only noted here: equal entries of a table are written together. */
static void add_block(spreading *s, kind rows, int a, kind columns, int b, int held)
{
    const codegen *f = s->f;
    if ((rows == OF_W && is_phase(f, a)) || (columns == OF_W && is_phase(f, b))) {
        stage_block(s, rows, a, columns, b, held);
        return;
    }
    int table = 2 * (int)rows + (int)columns + (s->set == AT_FORCE ? FORCE_TABLES : 0);
    if (columns == OF_Q && of_state(f, b)) table = STATE_TABLES + (rows == OF_D);
    vec_push(s->f->w.m, s->uses, (use){held, table, a * f->N + b});
}

/* By table, then by entry, then by place. */
static int by_table(const void *x, const void *y)
{
    const use *a = x, *b = y;
    if (a->table != b->table) return a->table - b->table;
    return a->slot != b->slot ? a->slot - b->slot : a->place - b->place;
}

/* One entry weighted by one table, and all places that it is added at. */
typedef struct {
    const use *at;
    int        count;
} addend;

static int compare_places(const addend *a, const addend *b)
{
    for (int k = 0; k < a->count && k < b->count; k++)
        if (a->at[k].place != b->at[k].place) return a->at[k].place - b->at[k].place;
    return a->count - b->count;
}

static int by_places(const void *x, const void *y)
{
    const addend *a = x, *b = y;
    const int     places = compare_places(a, b);
    return places ? places : by_table(a->at, b->at);
}

/*     x <- x + sum_i table[i] * entry(i), from 0 if it is the first */
static void write_addend(spreading *s, const use *u, bool first)
{
    codegen    *f = s->f;
    const int   S = f->points[s->set], D = f->d * f->d;
    const char *T = table_name[u->table];
    const char *begin = write_with(&f->w, value(s, u->slot), "i", "0");
    text_add(&s->out, write_loop(&f->w, "z", D,
                                 mem_printf(f->w.m, "x[z] %s c->%s[z] * %s;", first ? "=" : "+=", T,
                                            begin)));
    if (S > 1)
        text_add(
            &s->out,
            write_sum(&f->w, "i", 1, S,
                      mem_printf(
                          f->w.m, "const real e = %s;\n%s", value(s, u->slot),
                          write_loop(&f->w, "z", D,
                                     mem_printf(f->w.m, "x[z] += c->%s[i * %d + z] * e;", T, D)))));
}

/* Entries with the same places are summed up side by side, and put there together. */
static void write_together(spreading *s, const addend *of, int count)
{
    const codegen *f = s->f;
    text_printf(&s->out, "{\nreal x[%d];\n", f->d * f->d);
    for (int k = 0; k < count; k++) write_addend(s, of[k].at, k == 0);
    for (int k = 0; k < of->count; k++)
        for (int nu = 0; nu < f->d; nu++)
            for (int mu = 0; mu < f->d; mu++)
                text_printf(&s->out, "%s[%d] += x[%d];\n", target(s),
                            of->at[k].place + (nu * f->N + mu) * f->n, nu * f->d + mu);
    text_add(&s->out, "}\n");
}

/* Many uses of one table: a loop over lists of places. */
static void write_many(spreading *s, const use *u, int count)
{
    codegen    *f = s->f;
    const int   D = f->d * f->d, W = s->constant ? 1 : s->p->lanes;
    const char *T = table_name[u->table], *X = s->constant ? "k" : s->set == AT_FORCE ? "oF" : "oR";
    writer      lists = {.m = f->w.m, .out = text_new(f->w.m)};
    int        *from = mem_array(f->w.m, count, int), *to = mem_array(f->w.m, count, int);
    for (int k = 0; k < count; k++) from[k] = u[k].slot * W, to[k] = u[k].place;
    write_indices(&lists, "from", from, count);
    write_indices(&lists, "to", to, count);
    const char *value_at = mem_printf(f->w.m, s->constant ? "%s[from[e]]" : "%s[from[e] + i]", X);
    text_printf(&s->out, "{\n%s", text_str(&lists.out));
    text_printf(&s->out, "for (int e = 0; e < %d; e++) {\nreal x[%d];\n", count, D);
    text_add(&s->out, write_loop(&f->w, "z", D, mem_printf(f->w.m, "x[z] = REAL(0);")));
    text_add(&s->out, write_loop(&f->w, "i", f->points[s->set],
                                 write_loop(&f->w, "z", D,
                                            mem_printf(f->w.m, "x[z] += c->%s[i * %d + z] * %s;", T,
                                                       D, value_at))));
    text_add(&s->out,
             write_loop(
                 &f->w, "nu", f->d,
                 write_loop(&f->w, "mu", f->d,
                            mem_printf(f->w.m, "%s[to[e] + nu * %d + mu * %d] += x[nu * %d + mu];",
                                       target(s), f->n * f->N, f->n, f->d))));
    text_add(&s->out, "}\n}\n");
}

/* Beyond WRITTEN_MOST blocks of one table a loop over lists compiles sooner than their text. */
static void write_uses(spreading *s)
{
    vec(addend) all = {0};
    if (s->uses.n) qsort(s->uses.at, (size_t)s->uses.n, sizeof *s->uses.at, by_table);
    for (int k = 0, end; k < s->uses.n; k = end) {
        const use *u = &s->uses.at[k];
        for (end = k; end < s->uses.n && s->uses.at[end].table == u->table;) end++;
        if (end - k > WRITTEN_MOST) {
            write_many(s, u, end - k);
            continue;
        }
        for (end = k; end < s->uses.n && s->uses.at[end].table == u->table &&
                      s->uses.at[end].slot == u->slot;)
            end++;
        vec_push(s->f->w.m, all, (addend){u, end - k});
    }
    if (all.n) qsort(all.at, (size_t)all.n, sizeof *all.at, by_places);
    for (int k = 0, end; k < all.n; k = end) {
        for (end = k; end < all.n && !compare_places(&all.at[k], &all.at[end]);) end++;
        write_together(s, &all.at[k], end - k);
    }
}

/* Of L, f and D. */
static void position_entry(spreading *s, const field_root *r, int held)
{
    switch (r->of) {
    case FIELD_LQQ:
    case FIELD_FQ: add_block(s, OF_Q, r->row, OF_Q, r->column, held); break;
    case FIELD_FW: add_block(s, OF_Q, r->row, OF_W, r->column, held); break;
    case FIELD_DQ: add_block(s, OF_D, r->row, OF_Q, r->column, held); break;
    case FIELD_DW: add_block(s, OF_D, r->row, OF_W, r->column, held); break;
    case FIELD_LWW: add_block(s, OF_W, r->row, OF_W, r->column, held); break;
    case FIELD_LQW:
        add_block(s, OF_Q, r->row, OF_W, r->column, held);
        add_block(s, OF_W, r->column, OF_Q, r->row, held);
        break;
    default: break;
    }
}

/*     dR_nu/dlam^nu = h w_nu A^T,   dD_k/dZ^k = G/h,   h w_nu sum_a lam_a dA_a */
static void control_entry(spreading *s, const field_root *r, int held)
{
    codegen    *f = s->f;
    const int   N = f->N, n = f->n, d = f->d, rel = f->relations, lam = f->eq->lam;
    const char *x = value(s, held), *next = write_with(&f->w, x, "i", "i + 1"), *J = target(s);
    if (r->of == FIELD_A && acts_inside(f->eq, r->row)) return;
    if (r->of == FIELD_A)
        text_add(
            &s->out,
            write_loop(&f->w, "i", d,
                       mem_printf(f->w.m,
                                  "%s[(%d + i * %d) * %d + %d + i * %d] += c->impulse[i] * %s;", J,
                                  r->column, n, N, lam + r->row, rel, x)));
    if (r->of == FIELD_A && r->row >= f->m)
        text_add(&s->out,
                 write_loop(&f->w, "i", d,
                            mem_printf(f->w.m, "%s[(%d + i * %d) * %d + %d + i * %d] += %s / c->h;",
                                       J, lam + r->row, rel, N, r->column, n, next)));
    if (r->of == FIELD_CURV && d > 1)
        text_add(&s->out, write_loop(&f->w, "i", d - 1,
                                     mem_printf(f->w.m,
                                                "%s[(%d + (i + 1) * %d) * %d + %d + i * %d] += "
                                                "c->impulse[i + 1] * %s;",
                                                J, r->row, n, N, r->column, n, next)));
}

/* Of relations that act inside:
 *     dR_nu/dlam^i = h b_i l_nu A^T,   d(g/h)/dZ^mu = l_mu G/h,   h b_i l_nu l_mu sum_a lam_a dA_a
 */
static void inner_entry(spreading *s, const field_root *r, int held)
{
    codegen    *f = s->f;
    const int   N = f->N, n = f->n, d = f->d, rel = f->relations, lam = f->eq->lam;
    const char *x = value(s, held), *J = target(s);
    text        each = text_new(f->w.m);
    if (r->of == FIELD_CURV)
        text_add(&each, write_loop(&f->w, "mu", d,
                                   mem_printf(f->w.m,
                                              "%s[(%d + nu * %d) * %d + %d + mu * %d] += "
                                              "c->qq[i * %d + nu * %d + mu] * %s;",
                                              J, r->row, n, N, r->column, n, d * d, d, x)));
    if (r->of == FIELD_A)
        text_printf(&each, "%s[(%d + nu * %d) * %d + %d + i * %d] += c->rq[i * %d + nu] * %s;\n", J,
                    r->column, n, N, lam + r->row, rel, d, x);
    if (r->of == FIELD_A && r->row >= f->m)
        text_printf(&each,
                    "%s[(%d + i * %d) * %d + %d + nu * %d] += G_l[nu * %d + i] * %s / c->h;\n", J,
                    lam + r->row, rel, N, r->column, n, f->of[AT_GAUSS][1].lanes, x);
    text_add(&s->out, write_loop(&f->w, "i", d, write_loop(&f->w, "nu", d, text_str(&each))));
}

/*     dC_k/dZ^mu = (l'_mu/h) W + l_mu (dW.v + b_q) */
static void gauss_entry(spreading *s, const field_root *r, int held)
{
    codegen  *f = s->f;
    const int N = f->N, d = f->d, rel = f->relations, lam = f->eq->lam,
              W = f->of[AT_GAUSS][1].lanes;
    if (f->eq->inside && (r->of == FIELD_CURV || (r->of == FIELD_A && acts_inside(f->eq, r->row))))
        inner_entry(s, r, held);
    if (r->row >= f->m || (r->of != FIELD_A && r->of != FIELD_EQ)) return;
    const char *by = mem_printf(f->w.m,
                                r->of == FIELD_A         ? "c->Gv[mu * %d + i]"
                                : of_state(f, r->column) ? "(G_l[mu * %d + i] + G_z[mu * %d + i])"
                                                         : "G_l[mu * %d + i]",
                                W, W);
    text_add(&s->out, write_loop(&f->w, "i", d,
                                 write_loop(&f->w, "mu", d,
                                            mem_printf(f->w.m,
                                                       "%s[(%d + i * %d) * %d + %d + mu * %d] += "
                                                       "%s * %s;",
                                                       target(s), lam + r->row, rel, N, r->column,
                                                       f->n, by, value(s, held)))));
}

/* Entries of forces belong to their own points, if they have any. */
static bool belongs(const codegen *f, point_set set, field_name of)
{
    const bool of_f = of == FIELD_FQ || of == FIELD_FW;
    if (set == AT_FORCE) return of_f;
    return set != AT_RULE || !of_f || f->here;
}

/* What the entries of a program add to the Jacobian. */
const char *entries_text(codegen *f, const program *p, point_set set, bool constant)
{
    spreading s = {f, p, set, constant, text_new(f->w.m), {0}};
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        if (r->varies == constant || !belongs(f, set, r->of)) continue;
        if (set == AT_RULE && f->forward) continue;
        if (turning_entry(f, r)) continue;
        if (set == AT_CONTROL) control_entry(&s, r, p->slot[k]);
        else if (set == AT_GAUSS) gauss_entry(&s, r, p->slot[k]);
        else position_entry(&s, r, p->slot[k]);
    }
    write_uses(&s);
    return text_str(&s.out);
}

/* dR_nu/dP^i = b_i l'_nu I and d(phase row i)/dZ^mu = b_i l'_mu I of Hamiltonian coordinates. */
static const char *identity_text(codegen *f)
{
    const int N = f->N, n = f->n, d = f->d, ph = f->phase, W = f->of[AT_RULE][1].lanes;
    text      t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const int P = f->eq->P + f->eq->phase_number[j];
        if (!is_phase(f, j)) continue;
        text_add(&t,
                 write_loop(
                     &f->w, "i", f->points[AT_RULE],
                     write_loop(
                         &f->w, "nu", d,
                         mem_printf(f->w.m,
                                    "J0[(%d + nu * %d) * %d + %d + i * %d] += c->rw[i * %d + nu];\n"
                                    "J0[(%d + i * %d) * %d + %d + nu * %d] += "
                                    "c->hb[i] * c->Rv[nu * %d + i];",
                                    j, n, N, P, ph, d, P, ph, N, j, n, W))));
    }
    return text_str(&t);
}

/* The constant part of the Jacobian, summed over all sets of points. */
void blocks_write(codegen *f)
{
    const program *p = &f->constant;
    program_write(f, p);
    text_printf(&f->w.out, "PIECE void constant_part(const coefficients *c, const real *par, "
                           "real *RESTRICT J0)\n{\n(void)c;\n(void)par;\n");
    if (p->slots)
        text_printf(&f->w.out, "real oR[%d];\n%sconst real *k = oR;\n(void)k;\n", p->slots,
                    program_call(f, p, AT_RULE));
    text_add(&f->w.out, write_loop(&f->w, "z", f->N * f->N, "J0[z] = REAL(0);"));
    for (point_set set = 0; set < SETS; set++)
        if (f->points[set]) text_add(&f->w.out, entries_text(f, p, set, true));
    text_add(&f->w.out, identity_text(f));
    text_add(&f->w.out, "}\n\n");
}
