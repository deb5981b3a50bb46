/* bowtie.c - direct sums and bowtie products of discrete Dirac structures.    theory.md [BOWTIE] */
#include "mech/dirac/structure.h"

#include <assert.h>
#include <string.h>

typedef struct {
    int         parts;
    structure **part;
    int        *first; /* coordinate of the whole at which a part begins */
    double     *z;     /* of one part                                    */
} combination;

/* The four blocks of z, as part k sees them. */
static void take_part(const combination *c, int n, int k, const double *z)
{
    const int nk = c->part[k]->n;
    for (int b = 0; b < 4; b++)
        memcpy(c->z + b * nk, z + b * n + c->first[k], (size_t)nk * sizeof *z);
}

/* `blocks` blocks of a row of a part, each to its place in a row of the whole */
static void pad(double *to, int n, int first, const double *from, int nk, int blocks)
{
    memset(to, 0, (size_t)(blocks * n) * sizeof *to);
    for (int b = 0; b < blocks; b++)
        memcpy(to + b * n + first, from + b * nk, (size_t)nk * sizeof *to);
}

/* Relations and generators of the parts, one after the other, in the coordinates of the whole. */
static bool combination_eval(structure *s, const double *z, double h)
{
    const combination *c = s->self;
    const int          n = s->n;
    for (int k = 0, row = 0, generator = 0; k < c->parts; k++) {
        structure *p = c->part[k];
        take_part(c, n, k, z);
        if (!p->eval(p, c->z, h)) return false;
        for (int a = 0; a < p->relations; a++, row++) {
            s->relation[row] = p->relation[a];
            pad(s->by_q0 + row * n, n, c->first[k], p->by_q0 + a * p->n, p->n, 1);
            pad(s->by_q1 + row * n, n, c->first[k], p->by_q1 + a * p->n, p->n, 1);
        }
        for (int a = 0; a < p->generators; a++, generator++)
            pad(s->generator + generator * 2 * n, n, c->first[k], p->generator + a * 2 * p->n, p->n,
                2);
    }
    return true;
}

/* side_by_side: each part has coordinates of its own (direct sum); else all have the same
 * (bowtie). The multiplicities c of Omega_d add up where coordinates are shared. */
static structure *combine(mem *m, structure *const *part, int parts, bool side_by_side)
{
    combination *c = mem_array(m, 1, combination);
    int          n = 0, relations = 0, generators = 0, widest = 0;
    c->parts = parts;
    c->part = mem_array(m, parts, structure *);
    c->first = mem_array(m, parts, int);
    for (int k = 0; k < parts; k++) {
        assert(part[k]->side == part[0]->side && (side_by_side || part[k]->n == part[0]->n));
        c->part[k] = part[k];
        c->first[k] = side_by_side ? n : 0;
        n = c->first[k] + part[k]->n;
        relations += part[k]->relations, generators += part[k]->generators;
        widest = part[k]->n > widest ? part[k]->n : widest;
    }
    c->z = mem_array(m, 4 * widest, double);
    structure *s = structure_new(m, part[0]->side, n, relations, generators);
    s->self = c, s->eval = combination_eval;
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < part[k]->n; i++) s->c[c->first[k] + i] += part[k]->c[i];
    return s;
}

structure *structure_direct_sum(mem *m, structure *const *part, int parts)
{
    return combine(m, part, parts, true);
}

/* "There is a beta with (z, alpha + beta) in D_a and (z, -beta) in D_b" says that alpha is a
 * covector of D_a plus one of D_b, both over z: relations of both hold, forms add, and so do the
 * spans of the generators. */
structure *structure_bowtie(mem *m, structure *a, structure *b)
{
    structure *const both[] = {a, b};
    return combine(m, both, 2, false);
}
