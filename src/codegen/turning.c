/* turning.c - rotations and directions in a compiled step: what step/turning.h does with the
 * gradients and Hessians of a model, which are in body axes.
 *
 *     dR_nu/dZ^mu = U_nu^T (tau_zeta P_mu + tau_Omega Q_mu) + V_nu^T (pi_zeta P_mu + pi_Omega Q_mu)
 *                   + what pi and tau have as they are                       theory.md [ROTATION]
 *
 * Of a number beside them P = l_mu, Q = l'_mu/h, U = h b l_nu, V = b l'_nu. */
#include "codegen/turning.h"

const char        turning_letter[] = "RFKG";
static const char axis[] = "xyz";

static const turning *turns_of(const codegen *f)
{
    return f->eq->sys->turns;
}

bool turning_row(const codegen *f, int j)
{
    return turns_of(f) && turns_of(f)->of_row[j] >= 0;
}

bool turning_entry(const codegen *f, const field_root *r)
{
    const bool of_relation = r->of == FIELD_A || r->of == FIELD_EQ;
    return r->column >= 0 &&
           (turning_row(f, r->column) || (!of_relation && turning_row(f, r->row)));
}

int turning_count(const codegen *f)
{
    return turns_of(f) ? turns_of(f)->count : 0;
}

/* Is the middle the only point? Then y = 0 there. */
static bool is_centred(const codegen *f)
{
    return f->d == 1 && f->points[AT_RULE] == 1 && f->eq->rule.x[f->side][0] == 0.5;
}

void turning_tables(codegen *f)
{
    const turning *t = turns_of(f);
    int           *direction = mem_array(f->w.m, t->count, int);
    for (int k = 0; k < t->count; k++) direction[k] = t->direction[k];
    write_indices(&f->w, "TURN_FIRST", t->first, t->count);
    write_indices(&f->w, "TURN_DIRECTION", direction, t->count);
}

/* Points. -------------------------------------------------------------------------------------- */

const char *turning_middles(codegen *f)
{
    const turning *t = turns_of(f);
    text           out = text_new(f->w.m);
    text_printf(&out, "middle3 mid[%d];\n(void)mid;\n", t->count);
    for (int k = 0; k < t->count; k++)
        text_printf(&out, "mid[%d] = middle_of(y + %d, q + %d, p + %d);\n", k,
                    (f->d - 1) * f->n + t->first[k], f->n + TURNING_MATRIX * k, t->first[k]);
    return text_str(&out);
}

/* Does a program read entries of matrices? */
static bool reads_matrices(const codegen *f, const program *p)
{
    for (int v = 0; p->k && v < p->k->inputs; v++)
        if (f->f->variable[v].from == READ_Q && f->f->variable[v].index >= f->n &&
            program_reads(p, v))
            return true;
    return false;
}

const char *turning_places(codegen *f, point_set set)
{
    const turning *t = turns_of(f);
    const int      S = f->points[set];
    const char     X = turning_letter[set];
    text           out = text_new(f->w.m);
    if (set == AT_RULE && is_centred(f) && !reads_matrices(f, &f->of[set][1])) return "";
    if (!(set == AT_RULE && is_centred(f)))
        text_printf(&out, "point3 at%c[%d];\n(void)at%c;\n", X, t->count * S, X);
    for (int k = 0; k < t->count; k++) {
        const int   j = t->first[k] * S, R = (f->n + TURNING_MATRIX * k) * S;
        const char *each =
            set == AT_RULE && is_centred(f)
                ? mem_printf(f->w.m, "put_matrix(mid[%d].R, qR + %d, 1);", k, R)
            : set == AT_CONTROL
                ? mem_printf(f->w.m,
                             "atK[%d + i] = node_of(&mid[%d], qK + %d + i, qK + %d + i, %d);",
                             k * S, k, j, R, S)
                : mem_printf(
                      f->w.m,
                      "at%c[%d + i] = point_of(&mid[%d], q%c + %d + i, v%c + %d + i, q%c + %d "
                      "+ i, %d);",
                      X, k * S, k, X, j, X, j, X, R, S);
        text_add(&out, write_loop(&f->w, "i", S, each));
    }
    return text_str(&out);
}

/* Rows. ---------------------------------------------------------------------------------------- */

const char *turning_slot(codegen *f, const program *p, point_set set, int held)
{
    return mem_printf(f->w.m, p->lanes > 1 ? "o%c[%d + i]" : "o%c[%d]", turning_letter[set],
                      held * p->lanes);
}

static const char *slot_at(codegen *f, const program *p, int held)
{
    return turning_slot(f, p, AT_RULE, held);
}

/* "const vector3 title = {...};" of what the fields hold in the rows of rotation k; "": nothing. A
 * direction has no momentum about itself. */
static const char *vector_text(codegen *f, const program *p, int k, const char *title, bool torque)
{
    const field_name of[2][2] = {{FIELD_LW, FIELD_LW}, {FIELD_LQ, FIELD_F}};
    const turning   *t = turns_of(f);
    bool             any = false;
    text             out = text_new(f->w.m);
    text_printf(&out, "const vector3 %s = {", title);
    for (int c = 0; c < 3; c++) {
        const int a = program_slot(p, of[torque][0], t->first[k] + c, -1),
                  b = torque ? program_slot(p, of[1][1], t->first[k] + c, -1) : -1;
        const bool none = (a < 0 && b < 0) || (!torque && c == 2 && t->direction[k]);
        text_add(&out, c ? ", " : "");
        if (none) text_add(&out, "REAL(0)");
        else if (a >= 0 && b >= 0) text_printf(&out, "%s + %s", slot_at(f, p, a), slot_at(f, p, b));
        else text_add(&out, slot_at(f, p, a < 0 ? b : a));
        any |= !none;
    }
    text_add(&out, "};\n");
    return any ? text_str(&out) : "";
}

static const char *momentum_text(codegen *f, const program *p, int k)
{
    return vector_text(f, p, k, "pi", false);
}

static const char *torque_text(codegen *f, const program *p, int k)
{
    return vector_text(f, p, k, "tau", true);
}

static bool has_torque(codegen *f, int k)
{
    return *torque_text(f, &f->of[AT_RULE][0], k) || *turning_reaction(f, false, k);
}

static const char *add_at_point(codegen *f, int k, const char *pi, const char *tau)
{
    const int d = f->d, S = f->points[AT_RULE];
    text      out = text_new(f->w.m);
    text_printf(&out, "%s%s", pi, tau);
    if (is_centred(f)) {
        if (*pi) text_add(&out, "row[0] = more3(row[0], REAL(c->rw[0]), pi);\n");
        if (*tau) text_printf(&out, "gain[%d] = more3(gain[%d], REAL(c->hb[0]), tau);\n", k, k);
        return text_str(&out);
    }
    if (*pi)
        text_printf(
            &out,
            "add_momentum(&atR[%d + i], pi, c->rw + i * %d, c->rq + i * %d, c->hb[i], row);\n",
            k * S, d, d);
    if (*tau)
        text_printf(&out,
                    "add_torque(&atR[%d + i], tau, c->rq + i * %d, c->hb[i], row, &gain[%d]);\n",
                    k * S, d, k);
    return text_str(&out);
}

static const char *add_at_nodes(codegen *f, int k, const char *kappa)
{
    if (!*kappa) return "";
    return write_sum(
        &f->w, "i", 0, f->d,
        mem_printf(f->w.m,
                   "%sadd_torque(&atK[%d + i], kappa, c->Kq + i * %d, c->impulse[i], row, "
                   "&gain[%d]);\n",
                   kappa, k * (f->d + 1), f->d, k));
}

const char *turning_rows_text(codegen *f, bool second, int k)
{
    const program *p = &f->of[AT_RULE][second];
    const int      d = f->d, S = f->points[AT_RULE], j = turns_of(f)->first[k];
    text           out = text_new(f->w.m);
    text_printf(&out, "{\nvector3 row[%d];\n", d);
    text_add(&out, write_loop(&f->w, "nu", d, "row[nu] = none3();"));
    text_printf(&out, "gain[%d] = none3();\n", k);
    text_add(&out, write_sum(&f->w, "i", 0, S,
                             add_at_point(f, k, momentum_text(f, p, k), torque_text(f, p, k))));
    text_add(&out, add_at_nodes(f, k, turning_reaction(f, second, k)));
    text_printf(&out, "row[0] = sum3(row[0], momentum_at_ends(&mid[%d]));\n", k);
    if (has_torque(f, k))
        text_printf(&out, "row[0] = sum3(row[0], torque_at_ends(&mid[%d], gain[%d]));\n", k, k);
    text_add(&out,
             write_loop(&f->w, "nu", d,
                        mem_printf(f->w.m, "put_vector(row[nu], r + nu * %d + %d, 1);", f->n, j)));
    text_add(&out, "}\n");
    return text_str(&out);
}

/*     pi_1 - pi_0 = R_m M */
const char *turning_gains(codegen *f)
{
    const program *p = &f->of[AT_RULE][0];
    const int      S = f->points[AT_RULE];
    text           out = text_new(f->w.m);
    for (int k = 0; k < turning_count(f); k++) {
        const char *each =
            is_centred(f)
                ? "gain = more3(gain, REAL(c->hb[0]), tau);\n"
                : mem_printf(f->w.m,
                             "gain = more3(gain, REAL(c->hb[i]), on3(atR[%d + i].E, tau));\n",
                             k * S);
        if (!has_torque(f, k)) {
            text_printf(&out, "put_vector(none3(), dp + %d, 1);\n", f->n + 3 * k);
            continue;
        }
        const char *tau = torque_text(f, p, k), *kappa = turning_reaction(f, false, k);
        text_add(&out, "{\nvector3 gain = none3();\n");
        if (*tau)
            text_add(&out, write_sum(&f->w, "i", 0, S, mem_printf(f->w.m, "%s%s", tau, each)));
        if (*kappa)
            text_add(&out, write_sum(&f->w, "i", 0, f->d,
                                     mem_printf(f->w.m,
                                                "%sgain = more3(gain, REAL(c->impulse[i]), "
                                                "on3(atK[%d + i].E, kappa));\n",
                                                kappa, k * (f->d + 1))));
        text_printf(&out, "put_vector(on3(mid[%d].R, gain), dp + %d, 1);\n}\n", k, f->n + 3 * k);
    }
    return text_str(&out);
}

/* Jacobian. ------------------------------------------------------------------------------------ */

typedef struct { /* an entry: pi or tau of row by a place or a velocity of column */
    bool of_pi, by_velocity;
    int  row, column, slot;
} entry;
typedef vec(entry) entries;

/* First row of the rotation, or the number itself. */
static int group_of(const codegen *f, int j)
{
    const turning *t = turns_of(f);
    return t->of_row[j] < 0 ? j : t->first[t->of_row[j]];
}

static void note_entries(codegen *f, const program *p, entries *to)
{
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        const bool        of_q = r->of == FIELD_LQQ || r->of == FIELD_FQ;
        if (!turning_entry(f, r)) continue;
        if (of_q || r->of == FIELD_LQW || r->of == FIELD_FW)
            vec_push(f->w.m, *to, (entry){false, !of_q, r->row, r->column, p->slot[k]});
        if (r->of == FIELD_LQW)
            vec_push(f->w.m, *to, (entry){true, false, r->column, r->row, p->slot[k]});
        if (r->of == FIELD_LWW)
            vec_push(f->w.m, *to, (entry){true, true, r->row, r->column, p->slot[k]});
        if (r->of == FIELD_CURV)
            vec_push(f->w.m, *to, (entry){false, false, r->row, r->column, p->slot[k]});
    }
}

typedef struct {
    codegen       *f;
    const program *p;
    point_set      set; /* the rule, or the control nodes */
    const entries *all;
    int            row, by; /* groups */
} pair;

static bool in_pair(const pair *b, const entry *e)
{
    return group_of(b->f, e->row) == b->row && group_of(b->f, e->column) == b->by;
}

/* "T.y = more3(T.y, e, P.x)", or of a number "T.y += e * l". */
static void add_entry(const pair *b, const entry *e, text *out)
{
    codegen    *f = b->f;
    const bool  turned_row = turning_row(f, b->row), turned = turning_row(f, b->by);
    const bool  as_number = !turned || (e->by_velocity && is_centred(f));
    const char *T = e->of_pi ? "by_pi" : "by_tau", *value = turning_slot(f, b->p, b->set, e->slot);
    const char *row = turned_row ? mem_printf(f->w.m, "%s.%c", T, axis[e->row - b->row]) : T;
    const char  of = axis[e->column - b->by];
    const char *weight =
        mem_printf(f->w.m, e->by_velocity ? "c->%cv[mu * %d + i]" : "%c_l[mu * %d + i]",
                   turning_letter[b->set], b->p->lanes);
    if (as_number && turned) text_printf(out, "%s.%c += %s * %s;\n", row, of, value, weight);
    else if (as_number) text_printf(out, "%s += %s * %s;\n", row, value, weight);
    else
        text_printf(out, "%s = more3(%s, %s, moves[%d].%c[mu].%c);\n", row, row, value,
                    turns_of(f)->of_row[b->by], e->by_velocity ? 'Q' : 'P', of);
}

/* What is added to the rows of R_nu, at `to`. */
static const char *add_to_rows(const pair *b, bool of_pi, const char *to)
{
    codegen    *f = b->f;
    const bool  row = turning_row(f, b->row), by = turning_row(f, b->by);
    const char *T = of_pi ? "by_pi" : "by_tau", *add = row ? "add_column3" : "add_row3";
    if (!row || (of_pi && is_centred(f)))
        return mem_printf(f->w.m, "%s(%s(REAL(c->%s[i * %d + nu]), %s), %s);\n",
                          row && by ? "add_block3" : add, row && by ? "times3" : "scaled3",
                          of_pi               ? "rw"
                          : b->set == AT_RULE ? "rq"
                                              : "Kq",
                          f->d, T, to);
    const char *moves =
        mem_printf(f->w.m, "moves[%d].%c[nu]", turns_of(f)->of_row[b->row], of_pi ? 'V' : 'U');
    return mem_printf(f->w.m,
                      by ? "add_product3(&%s, &%s, %s);\n" : "add_column3(under3(%s, %s), %s);\n",
                      moves, T, to);
}

static const char *pair_text(const pair *b)
{
    codegen   *f = b->f;
    const bool row = turning_row(f, b->row), by = turning_row(f, b->by);
    text       sum = text_new(f->w.m), out = text_new(f->w.m);
    bool       any[2] = {false, false};
    for (int k = 0; k < b->all->n; k++) {
        const entry *e = &b->all->at[k];
        if (!in_pair(b, e)) continue;
        add_entry(b, e, &sum);
        any[e->of_pi] = true;
    }
    if (!any[0] && !any[1]) return "";
    text_add(&out, "{\n");
    for (int of_pi = 0; of_pi < 2; of_pi++)
        if (any[of_pi])
            text_printf(&out, "%s %s = %s();\n", row && by ? "matrix3" : "vector3",
                        of_pi ? "by_pi" : "by_tau", row && by ? "no_matrix3" : "none3");
    text_add(&out, text_str(&sum));
    text        each = text_new(f->w.m);
    const char *to =
        mem_printf(f->w.m, "J + %d + (nu * %d + mu) * %d", b->row * f->N + b->by, f->N, f->n);
    for (int of_pi = 0; of_pi < 2; of_pi++)
        if (any[of_pi]) text_add(&each, add_to_rows(b, of_pi, to));
    text_printf(&out, "%s}\n", write_loop(&f->w, "nu", f->d, text_str(&each)));
    return text_str(&out);
}

/* P, Q, U and V of all rotations at point i. */
static const char *moves_text(codegen *f)
{
    const int d = f->d, S = f->points[AT_RULE];
    text      out = text_new(f->w.m);
    text_printf(&out, "moves3 moves[%d];\n(void)moves;\n", turning_count(f));
    for (int k = 0; k < turning_count(f); k++)
        if (is_centred(f))
            text_printf(&out, "centred_moves(&mid[%d], c->hb[0], &moves[%d]);\n", k, k);
        else
            text_printf(
                &out,
                "find_moves(&mid[%d], &atR[%d + i], R_l + i, c->Rv + i, %d, c->rw + i * %d, "
                "c->rq + i * %d, c->hb[i], &moves[%d]);\n",
                k, k * S, S, d, d, k);
    return text_str(&out);
}

/* What pi and tau have as they are, at point i. */
static const char *own_text(codegen *f, const program *p, int k)
{
    const int   d = f->d, S = f->points[AT_RULE], at = turns_of(f)->first[k] * (f->N + 1);
    const char *pi = momentum_text(f, p, k), *tau = torque_text(f, p, k);
    text        out = text_new(f->w.m);
    if (is_centred(f)) return "";
    text_printf(&out, "{\n%s%s", pi, tau);
    if (*pi)
        text_printf(&out,
                    "add_own_momentum(&atR[%d + i], pi, R_l + i, c->Rv + i, %d, c->rw + i * %d, "
                    "c->rq + i * %d, c->hb[i], J + %d);\n",
                    k * S, S, d, d, at);
    if (*tau)
        text_printf(&out,
                    "add_own_torque(&mid[%d], &atR[%d + i], tau, R_l + i, %d, c->rq + i * %d, "
                    "c->hb[i], J + %d);\n",
                    k, k * S, S, d, at);
    text_add(&out, "}\n");
    return text_str(&out);
}

const char *turning_pairs(codegen *f, const program *p, point_set set)
{
    entries all = {0};
    text    out = text_new(f->w.m);
    note_entries(f, p, &all);
    for (int row = 0; row < f->n; row++)
        for (int by = 0; by < f->n; by++)
            if (group_of(f, row) == row && group_of(f, by) == by &&
                (turning_row(f, row) || turning_row(f, by)))
                text_add(&out, pair_text(&(pair){f, p, set, &all, row, by}));
    return *text_str(&out) ? write_sum(&f->w, "mu", 0, f->d, text_str(&out)) : "";
}

const char *turning_entries(codegen *f)
{
    const program *p = &f->of[AT_RULE][1];
    const int      n = f->n, d = f->d, S = f->points[AT_RULE];
    text           out = text_new(f->w.m), point = text_new(f->w.m);
    text_add(&point, moves_text(f));
    text_add(&point, turning_pairs(f, p, AT_RULE));
    for (int k = 0; k < turning_count(f); k++) text_add(&point, own_text(f, p, k));
    text_add(&out, write_sum(&f->w, "i", 0, S, text_str(&point)));
    for (int k = 0; k < turning_count(f); k++) {
        const int j = turns_of(f)->first[k], at = j * f->N + (d - 1) * n + j;
        text_printf(&out, "add_block3(momentum_at_ends_by(&mid[%d]), J + %d);\n", k, at);
        if (has_torque(f, k))
            text_printf(&out, "add_block3(torque_at_ends_by(&mid[%d], gain[%d]), J + %d);\n", k, k,
                        at);
    }
    if (f->relations) text_add(&out, turning_relations(f));
    text_add(&out, "strike_entries(J);\n");
    return text_str(&out);
}
