/* product.c - products, quotients and powers, with constants pulled out and like factors gathered.
 *
 * An expression is coefficient * core; the sign is a coefficient of -1, shown as NEG. Factors are
 * gathered only where that hides no pole: x^2 * x^3 = x^5, but x / x never is 1. In derivatives
 * also x^2 / x^3 = 1 / x, since at x = 0 the function itself, with its x^3 below, is not finite.
 * Products without like factors stay nested as they are, so that what is shared stays shared; those
 * with reciprocals become x*y * (1/z), so that a reciprocal is shared by all that has it. */
#include "expr/graph.h"

#include <math.h>
#include <stdlib.h>

enum {
    FACTORS_MOST = 16, /* longer products are not searched for like factors  */
    POWER_MOST = 64    /* beyond it pow() is more accurate than multiplications */
};

static expr node1(graph *g, expr_op op, expr a)
{
    return graph_node(g, op, &a, 1);
}

static expr node2(graph *g, expr_op op, expr a, expr b)
{
    return graph_node(g, op, (expr[]){a, b}, 2);
}

/* By number, so that a*b and b*a are one node. */
static expr node_mul(graph *g, expr a, expr b)
{
    return a < b ? node2(g, OP_MUL, a, b) : node2(g, OP_MUL, b, a);
}

/* Constants. ------------------------------------------------------------------------------------
 */

/* Constants are gathered while the result is of moderate size, so that neither the constant nor a
 * product with it in another order comes near overflow. */
static bool moderate(double c)
{
    return fabs(c) > 0x1p-300 && fabs(c) < 0x1p300;
}

/* a/b without rounding: fma gives the remainder of a/b*b exactly. */
static bool exact_quotient(double a, double b)
{
    return moderate(a / b) && fma(a / b, b, -a) == 0;
}

expr_term expr_split(const graph *g, expr e)
{
    const expr_node *node = node_of(g, e);
    const expr      *args = args_of(g, e);
    double           c;
    if (node->op == OP_CONST) return (expr_term){node->value, EXPR_NONE};
    if (node->op == OP_NEG) return (expr_term){-1, args[0]};
    if (node->op == OP_MUL && expr_is_const(g, args[0], &c)) return (expr_term){c, args[1]};
    return (expr_term){1, e};
}

expr_term expr_split_quotient(graph *g, expr e)
{
    expr_term t = expr_split(g, e);
    double    c;
    if (t.core == EXPR_NONE || expr_opcode(g, t.core) != OP_DIV) return t;
    expr up = args_of(g, t.core)[0], down = args_of(g, t.core)[1];
    if (!expr_is_const(g, up, &c) || c == 1 || !moderate(c * t.coefficient)) return t;
    return (expr_term){c * t.coefficient, node2(g, OP_DIV, expr_const(g, 1), down)};
}

/* c / y with c > 0 and a sign before it */
static expr reciprocal(graph *g, double c, expr y)
{
    expr e = node2(g, OP_DIV, expr_const(g, fabs(c)), y);
    return c < 0 ? node1(g, OP_NEG, e) : e;
}

/* factor * (c/y) = (factor*c)/y;  factor * (x/(c*y)) = (factor/c) * (x/y) if factor/c is exact */
static expr scale_quotient(graph *g, double factor, expr a)
{
    double    c;
    expr      up = args_of(g, a)[0], down = args_of(g, a)[1];
    expr_term t = expr_split(g, down);
    if (t.coefficient != 1 && exact_quotient(factor, t.coefficient)) {
        if (t.core != EXPR_NONE) up = expr_quotient(g, up, t.core);
        return expr_scale(g, factor / t.coefficient, up);
    }
    if (expr_is_const(g, up, &c) && moderate(factor * c)) return reciprocal(g, factor * c, down);
    return EXPR_NONE;
}

/* What comes out finite is folded; 0*a is 0 only if a is finite by construction. */
expr expr_scale(graph *g, double factor, expr a)
{
    expr_term t = expr_split(g, a);
    double    c = factor * t.coefficient;
    if (factor == 1) return a;
    if (t.core == EXPR_NONE && isfinite(c)) return expr_const(g, c);
    if (t.core == EXPR_NONE) return node2(g, OP_MUL, expr_const(g, factor), a);
    if (factor == 0 && node_of(g, a)->finite) return expr_const(g, 0);
    if (t.coefficient != 1 && (moderate(c) || fabs(t.coefficient) == 1))
        return expr_scale(g, c, t.core);
    if (expr_opcode(g, a) == OP_DIV && factor != 0) {
        expr quotient = scale_quotient(g, factor, a);
        if (quotient != EXPR_NONE) return quotient;
    }
    if (factor == -1) return node1(g, OP_NEG, a);
    return node2(g, OP_MUL, expr_const(g, factor), a);
}

/* Like factors. ---------------------------------------------------------------------------------
 */

typedef struct {
    expr base;
    int  above, below; /* powers over and under the fraction bar */
} factor;

typedef struct {
    double above, below; /* constants */
    int    n;
    factor at[FACTORS_MOST];
    bool   gathered;   /* were there like factors? */
    bool   reciprocal; /* was there a 1/y?         */
} factors;

/* False: too many different factors, or too high a power. */
static bool add_factor(factors *f, expr base, int power, bool below)
{
    int i = 0;
    while (i < f->n && f->at[i].base != base) i++;
    if (i == FACTORS_MOST) return false;
    if (i == f->n) f->at[f->n++] = (factor){base, 0, 0};
    int *count = below ? &f->at[i].below : &f->at[i].above;
    if (*count) f->gathered = true;
    *count += power;
    return *count <= POWER_MOST;
}

/* False: the constant leaves the range in which gathering is safe. */
static bool add_constant(factors *f, double c, bool below)
{
    double *to = below ? &f->below : &f->above;
    *to *= c;
    return moderate(*to);
}

/* Takes e apart, over or under the bar; false if it has too many factors or constants too large. */
static bool take_apart(const graph *g, factors *f, expr e, bool below)
{
    struct {
        expr e;
        bool below;
    } open[FACTORS_MOST + 2] = {{e, below}};
    for (int n = 1; n > 0;) {
        expr             top = open[--n].e;
        bool             under = open[n].below;
        const expr_node *node = node_of(g, top);
        const expr      *args = args_of(g, top);
        bool             fits = true;
        switch (node->op) {
        case OP_CONST: fits = add_constant(f, node->value, under); break;
        case OP_NEG: f->above = -f->above, open[n++].e = args[0]; break;
        case OP_POWI: fits = add_factor(f, args[0], node->power, under); break;
        case OP_MUL:
        case OP_DIV:
            f->reciprocal |= node->op == OP_DIV && expr_is_const(g, args[0], NULL);
            open[n].e = args[0], open[n++].below = under;
            open[n].e = args[1], open[n++].below = under != (node->op == OP_DIV);
            break;
        default: fits = add_factor(f, top, 1, under); break;
        }
        if (!fits || n > FACTORS_MOST) return false;
    }
    return true;
}

/* In derivatives. x^m / x^n = 1 / x^(n-m) for n > m: still a pole at 0, if x is never infinite.
 * r^m / r^n = r^(m-n) for m > n and r a root: so sqrt(x)^3 has slope 0 at 0, and NaN stays below.
 */
static void reduce(const graph *g, factors *f)
{
    for (int i = 0; i < f->n; i++) {
        factor *x = &f->at[i];
        bool    root = expr_opcode(g, x->base) == OP_SQRT;
        if (!x->above || !x->below || !node_of(g, x->base)->poleless) continue;
        if (x->below > x->above) x->below -= x->above, x->above = 0, f->gathered = true;
        else if (x->above > x->below && root)
            x->above -= x->below, x->below = 0, f->gathered = true;
    }
}

/* The product of the factors over or under the bar, by number of their bases; NONE if there are
 * none. */
static expr build_side(graph *g, const factors *f, bool below)
{
    expr side = EXPR_NONE;
    for (int i = 0; i < f->n; i++) {
        int power = below ? f->at[i].below : f->at[i].above;
        if (!power) continue;
        expr x = power == 1 ? f->at[i].base : graph_node_powi(g, f->at[i].base, power);
        side = side == EXPR_NONE ? x : node_mul(g, side, x);
    }
    return side;
}

static int compare_factors(const void *a, const void *b)
{
    const factor *s = a, *t = b;
    return (s->base > t->base) - (s->base < t->base);
}

/* (above/below) * N * (1/D) */
static expr build_fraction(graph *g, factors *f)
{
    qsort(f->at, (size_t)f->n, sizeof *f->at, compare_factors);
    double c = f->above / f->below;
    expr   up = build_side(g, f, false), down = build_side(g, f, true);
    if (down == EXPR_NONE) return expr_scale(g, c, up);
    if (up == EXPR_NONE) return reciprocal(g, c, down);
    return expr_scale(g, c, node_mul(g, up, reciprocal(g, 1, down)));
}

/* c * a * b or c * a / b, if there are like factors or reciprocals among them; else NONE */
static expr gather_factors(graph *g, double c, expr a, expr b, bool below)
{
    factors f = {.above = c, .below = 1};
    if (!take_apart(g, &f, a, false) || !take_apart(g, &f, b, below)) return EXPR_NONE;
    if (!moderate(c) || !moderate(f.above / f.below)) return EXPR_NONE;
    if (g->deriving) reduce(g, &f);
    return f.gathered || f.reciprocal ? build_fraction(g, &f) : EXPR_NONE;
}

/* Products and quotients. -----------------------------------------------------------------------
 */

/* x^n as x and n, anything else with n = 1. */
static expr power_base(const graph *g, expr e, int *power)
{
    bool is_power = expr_opcode(g, e) == OP_POWI;
    *power = is_power ? node_of(g, e)->power : 1;
    return is_power ? args_of(g, e)[0] : e;
}

static bool is_compound(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    return op == OP_MUL || op == OP_DIV || op == OP_POWI;
}

/* Constants go in front; like factors are gathered if any side is a product, quotient or power. */
expr expr_product(graph *g, expr a, expr b)
{
    expr_term s = expr_split_quotient(g, a), t = expr_split_quotient(g, b);
    double    c = s.coefficient * t.coefficient;
    int       m, n;
    if (s.core == EXPR_NONE) return expr_scale(g, s.coefficient, b);
    if (t.core == EXPR_NONE) return expr_scale(g, t.coefficient, a);
    if (!moderate(c)) return node_mul(g, a, b);
    expr x = power_base(g, s.core, &m), y = power_base(g, t.core, &n), e = EXPR_NONE;
    if (x == y && m + n <= POWER_MOST) return expr_scale(g, c, graph_node_powi(g, x, m + n));
    if (is_compound(g, s.core) || is_compound(g, t.core))
        e = gather_factors(g, c, s.core, t.core, false);
    return e != EXPR_NONE ? e : expr_scale(g, c, node_mul(g, s.core, t.core));
}

/* (c*a) / (d*b) = (c/d) * (a/b) if c/d is exact, else c * (a / (d*b)) */
expr expr_quotient(graph *g, expr a, expr b)
{
    expr_term s = expr_split(g, a), t = expr_split(g, b);
    double    c = s.coefficient / t.coefficient;
    if (g->asking && expr_is_zero(g, a)) return a;
    if (s.core == EXPR_NONE && t.core == EXPR_NONE && isfinite(c)) return expr_const(g, c);
    if (t.coefficient == 0 || !moderate(s.coefficient)) return node2(g, OP_DIV, a, b);
    if (s.core != EXPR_NONE && t.core != EXPR_NONE &&
        (is_compound(g, s.core) || is_compound(g, t.core))) {
        expr e = gather_factors(g, c, s.core, t.core, true);
        if (e != EXPR_NONE) return e;
    }
    /* c/d that would be rounded stays a division */
    bool exact = exact_quotient(s.coefficient, t.coefficient);
    if (!exact) c = s.coefficient;
    if (exact && t.core == EXPR_NONE) return expr_scale(g, c, s.core);
    if (exact) b = t.core;
    if (s.core == EXPR_NONE) return reciprocal(g, c, b);
    return expr_scale(g, c, node2(g, OP_DIV, s.core, b));
}

/* Powers. ---------------------------------------------------------------------------------------
 */

/* x^-n is 1/x^n, and (x^m)^n is x^(mn): both have the same pole and are finite together. */
expr expr_powi(graph *g, expr a, int power)
{
    double c;
    int    inner;
    expr   base = power_base(g, a, &inner);
    if (power == 0) return expr_const(g, 1);
    if (power == 1) return a;
    if (power > POWER_MOST || power < -POWER_MOST) return node2(g, OP_POW, a, expr_const(g, power));
    if (power < 0) return expr_quotient(g, expr_const(g, 1), expr_powi(g, a, -power));
    if (expr_is_const(g, a, &c) && isfinite(powi_value(c, power)))
        return expr_const(g, powi_value(c, power));
    if (expr_opcode(g, a) == OP_NEG) {
        expr even = expr_powi(g, args_of(g, a)[0], power);
        return power % 2 ? expr_neg(g, even) : even;
    }
    if (expr_opcode(g, a) == OP_DIV && expr_is_const(g, args_of(g, a)[0], &c) && c == 1)
        return expr_quotient(g, args_of(g, a)[0], expr_powi(g, args_of(g, a)[1], power));
    if (inner * power <= POWER_MOST) return graph_node_powi(g, base, inner * power);
    return graph_node_powi(g, a, power);
}

/* Whole exponents of moderate size are multiplications, 1/2 is a root. */
expr expr_pow(graph *g, expr a, expr b)
{
    double c, x;
    if (!expr_is_const(g, b, &c)) return node2(g, OP_POW, a, b);
    if (c == floor(c) && fabs(c) <= POWER_MOST) return expr_powi(g, a, (int)c);
    if (c == 0.5) return expr_op1(g, OP_SQRT, a);
    if (expr_is_const(g, a, &x) && isfinite(pow(x, c))) return expr_const(g, pow(x, c));
    return node2(g, OP_POW, a, b);
}
