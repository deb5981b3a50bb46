/* border.c - the border of a step of the energy principle, as generated code: the row dS/dZ, the
 * column dG/dh and their corner dS/dh by the sums of mech/energy/adaptive.c; what they and the
 * equations share is evaluated once.                                          theory.md [ENERGY] */
#include "codegen/inside.h"

static const char letter[] = "RF";

/* Needed besides the equations and the varying part of their Jacobian: energies and their powers,
 * time derivatives, and constants that multiply velocities. */
bool border_wants(const codegen *f, point_set set, const field_root *r, bool second)
{
    const bool of_f = f->forced && (set == AT_FORCE || (set == AT_RULE && f->here));
    switch (r->of) {
    case FIELD_L:
    case FIELD_LT: return set == AT_RULE;
    case FIELD_LTT:
    case FIELD_LQT:
    case FIELD_LWT: return set == AT_RULE && second;
    case FIELD_LQW:
    case FIELD_LWW: return set == AT_RULE && second && !r->varies;
    case FIELD_FT: return of_f && second;
    case FIELD_FQ:
    case FIELD_FW: return of_f && second && !r->varies;
    default: return false;
    }
}

/* What is added up at one point. */
typedef struct {
    codegen       *f;
    const program *p;
    char           X; /* letter of the set */
    text           out;
} point;

/* Entries of the program of a set of points; second: with those of the Jacobian. */
static point point_of(codegen *f, point_set set, bool second)
{
    return (point){f, &f->of[set][second], letter[set], text_new(f->w.m)};
}

/* An entry at point i; NULL: it is zero. */
static const char *entry(const point *at, field_name of, int row, int col)
{
    const int held = program_slot(at->p, of, row, col);
    if (held < 0) return NULL;
    return at->p->lanes > 1 ? mem_printf(at->f->w.m, "o%c[%d + i]", at->X, held * at->p->lanes)
                            : mem_printf(at->f->w.m, "o%c[%d]", at->X, held);
}

/* Sums are texts; NULL stands for zero. */
static const char *plus(const point *at, const char *sum, const char *sign, const char *more)
{
    if (!more) return sum;
    return mem_printf(at->f->w.m, "%s%s%s", sum ? sum : "", sum || sign[1] == '-' ? sign : "",
                      more);
}

/* NULL stays NULL: a factor of zero is zero. */
static const char *times(const point *at, const char *factor, const char *x)
{
    return x ? mem_printf(at->f->w.m, "%s * %s", factor, x) : NULL;
}

static const char *velocity(const point *at, int j)
{
    return mem_printf(at->f->w.m, "v%c[%d + i]", at->X, j * at->p->lanes);
}

/* A matrix of the system times the velocity, row j, or of its transpose. */
static const char *along_velocity(const point *at, field_name of, int j, bool transposed)
{
    const char *sum = NULL;
    for (int k = 0; k < at->f->n; k++) {
        const char *e = transposed ? entry(at, of, k, j) : entry(at, of, j, k);
        sum = plus(at, sum, " + ", times(at, velocity(at, k), e));
    }
    return sum;
}

/* A vector of the system times the velocity; `sizes`: the sizes of its summands. */
static const char *power(const point *at, field_name of, bool sizes)
{
    const char *sum = NULL;
    for (int k = 0; k < at->f->n; k++) {
        const char *x = times(at, velocity(at, k), entry(at, of, k, -1));
        sum = plus(at, sum, " + ", x && sizes ? mem_printf(at->f->w.m, "fabs(%s)", x) : x);
    }
    return sum;
}

/* Declares a variable for a sum, so that it is computed once; returns its name, or NULL. */
static const char *named(point *at, const char *word, int j, const char *sum)
{
    if (!sum) return NULL;
    text_printf(&at->out, "const real %s%d = %s;\n", word, j, sum);
    return mem_printf(at->f->w.m, "%s%d", word, j);
}

/* What coordinate j adds to the column, by rows of w and q, and to the row, by Z and its slope:
 *     dG_nu/dh = b l'_nu by_w + h b l_nu by_q,   dS/dZ^mu = b (l_mu of_Z + (l'_mu/h) of_slope) */
typedef struct {
    const char *by_w, *by_q, *of_Z, *of_slope;
} share;

/* d rows of the column and d entries of the row, from what coordinate j changes at this point. */
static void add_share(point *at, int j, const share *s)
{
    codegen    *f = at->f;
    const int   d = f->d;
    const char  X = at->X, *sum = NULL;
    const char *rows = X == 'R' ? "c->rq" : "c->fq";
    if (s->by_w)
        sum = mem_printf(f->w.m, "c->rw[i * %d + nu] * %s", d, named(at, "dw", j, s->by_w));
    if (s->by_q)
        sum =
            plus(at, sum, " + ",
                 mem_printf(f->w.m, "%s[i * %d + nu] * %s", rows, d, named(at, "dq", j, s->by_q)));
    if (sum)
        text_add(&at->out,
                 write_loop(&f->w, "nu", d,
                            mem_printf(f->w.m, "g->column[nu * %d + %d] += %s;", f->n, j, sum)));
    sum = NULL;
    if (s->of_Z)
        sum = mem_printf(f->w.m, "%c_l[mu * %d + i] * %s", X, at->p->lanes,
                         named(at, "dZ", j, s->of_Z));
    if (s->of_slope)
        sum = plus(at, sum, " + ",
                   mem_printf(f->w.m, "c->%cv[mu * %d + i] * %s", X, at->p->lanes,
                              named(at, "ds", j, s->of_slope)));
    if (sum)
        text_add(&at->out,
                 write_loop(&f->w, "mu", d,
                            mem_printf(f->w.m, "g->row[mu * %d + %d] += b * (%s);", f->n, j, sum)));
}

/* Nothing is written for a sum that is zero. */
static void add_scalar(point *at, const char *into, const char *factor, const char *sum)
{
    if (sum) text_printf(&at->out, "%s += %s * (%s);\n", into, factor, sum);
}

/*     by_w = c L_vt - L_vv v/h,              by_q = (L_q - L_qv v)/h + c L_qt
 *     of_Z = L_qv v - L_q + (1-c) h L_qt,    of_slope = L_vv v + (1-c) h L_vt                    */
static void lagrangian_share(point *at, int j)
{
    const char *vv = named(at, "vv", j, along_velocity(at, FIELD_LWW, j, false));
    const char *e_q =
        named(at, "eq", j,
              plus(at, along_velocity(at, FIELD_LQW, j, false), " - ", entry(at, FIELD_LQ, j, -1)));
    const char *Lqt = entry(at, FIELD_LQT, j, -1), *Lwt = entry(at, FIELD_LWT, j, -1);
    add_share(at, j,
              &(share){.by_w = plus(at, times(at, "x", Lwt), " - ", times(at, "slower", vv)),
                       .by_q = plus(at, times(at, "x", Lqt), " - ", times(at, "slower", e_q)),
                       .of_Z = plus(at, e_q, " + ", times(at, "later", Lqt)),
                       .of_slope = plus(at, vv, " + ", times(at, "later", Lwt))});
    add_scalar(at, "g->corner", "-b * slower", times(at, velocity(at, j), vv));
}

/*     S = b [e + (1-c) h L_t],   dS/dh = b [c e_t - e_v.v/h + (1-c) (L_t + h c L_tt - L_vt.v)] */
static const char *lagrangian_border(codegen *f)
{
    point       at = point_of(f, AT_RULE, true);
    const char *L = entry(&at, FIELD_L, 0, -1), *Lt = entry(&at, FIELD_LT, 0, -1);
    const char *Ltt = entry(&at, FIELD_LTT, 0, -1);
    for (int j = 0; j < f->n; j++) lagrangian_share(&at, j);
    add_scalar(&at, "g->S", "b", plus(&at, power(&at, FIELD_LW, false), " - ", L));
    add_scalar(
        &at, "g->size", "b",
        plus(&at, power(&at, FIELD_LW, true), " + ", L ? mem_printf(f->w.m, "fabs(%s)", L) : NULL));
    add_scalar(&at, "g->S", "b * later", Lt);
    add_scalar(&at, "g->corner", "b * (rest - x)", Lt);
    add_scalar(&at, "g->corner", "b * later * x", Ltt);
    add_scalar(&at, "g->corner", "b * (x - rest)", power(&at, FIELD_LWT, false));
    return text_str(&at.out);
}

/*     by_q = (f - f_v v)/h + c f_t,   of_Z = -(1-c) h f_q^T v,   of_slope = -(1-c) h (f_v^T v + f)
 */
static void force_share(point *at, int j)
{
    const char *F = entry(at, FIELD_F, j, -1), *Ft = entry(at, FIELD_FT, j, -1);
    const char *fv = named(at, "fv", j, along_velocity(at, FIELD_FW, j, false));
    const char *left = named(at, "fl", j, plus(at, F, " - ", fv));
    const char *fq = named(at, "fq", j, along_velocity(at, FIELD_FQ, j, true));
    const char *Pv = named(at, "Pv", j, plus(at, along_velocity(at, FIELD_FW, j, true), " + ", F));
    add_share(at, j,
              &(share){.by_q = plus(at, times(at, "slower", left), " + ", times(at, "x", Ft)),
                       .of_Z = times(at, "-later", fq),
                       .of_slope = times(at, "-later", Pv)});
    add_scalar(at, "g->corner", "b * rest", times(at, velocity(at, j), Pv));
}

/*     S = -b (1-c) h f.v,   dS/dh = -b (1-c) [f.v + h c f_t.v - (f_v^T v + f).v] */
static const char *force_border(codegen *f, point_set set)
{
    point at = point_of(f, set, true);
    for (int j = 0; j < f->n; j++) force_share(&at, j);
    const char *F = named(&at, "power", 0, power(&at, FIELD_F, false));
    add_scalar(&at, "g->S", "-b * later", F);
    add_scalar(&at, "g->size", "b * fabs(later)", power(&at, FIELD_F, true));
    add_scalar(&at, "g->corner", "-b * rest", F);
    add_scalar(&at, "g->corner", "-b * later * x", power(&at, FIELD_FT, false));
    return text_str(&at.out);
}

/* Over the points of a set; x: where they are, later: how much of the step is still to come. */
static const char *over_points(codegen *f, point_set set, const char *body)
{
    static const char words[] =
        "const real b = X_b[i], x = X_c[i], rest = 1 - x, later = rest * h;\n"
        "(void)b;\n(void)rest;\n(void)later;\n";
    const char *begin =
        write_with(&f->w, write_with(&f->w, words, "X_b", set == AT_RULE ? "R_b" : "F_b"), "X_c",
                   set == AT_RULE ? "R_c" : "F_c");
    return write_sum(&f->w, "i", 0, f->points[set], mem_printf(f->w.m, "%s%s", begin, body));
}

/* Forces are summed over their own points if they have a rule of their own. */
const char *border_text(codegen *f)
{
    text            t = text_new(f->w.m);
    const point_set own = f->here ? AT_RULE : AT_FORCE;
    text_add(&t, "const real slower = 1 / h;\n(void)slower;\ng->corner = g->S = g->size = 0;\n");
    text_add(&t, write_loop(&f->w, "k", f->N, "g->row[k] = 0;\ng->column[k] = 0;"));
    text_add(&t, over_points(f, AT_RULE, lagrangian_border(f)));
    if (f->forced) text_add(&t, over_points(f, own, force_border(f, own)));
    return text_str(&t);
}

/*     -D3L_d - g^+ = sum b [e - c h P],   gained: -h sum b P */
const char *energies_text(codegen *f)
{
    const point_set own = f->here ? AT_RULE : AT_FORCE;
    point           at = point_of(f, AT_RULE, false);
    text            t = text_new(f->w.m);
    const char     *L = entry(&at, FIELD_L, 0, -1), *Lt = entry(&at, FIELD_LT, 0, -1);
    add_scalar(&at, "to->chord", "b", plus(&at, power(&at, FIELD_LW, false), " - ", L));
    add_scalar(&at, "to->chord", "-b * x * h", Lt);
    add_scalar(&at, "to->gained", "-b * h", Lt);
    text_add(&t, "to->chord = to->gained = 0;\n");
    text_add(&t, over_points(f, AT_RULE, text_str(&at.out)));
    if (!f->forced) return text_str(&t);
    at = point_of(f, own, false);
    const char *F = named(&at, "power", 0, power(&at, FIELD_F, false));
    add_scalar(&at, "to->chord", "b * x * h", F);
    add_scalar(&at, "to->gained", "b * h", F);
    text_add(&t, over_points(f, own, text_str(&at.out)));
    return text_str(&t);
}
