/* fixed_point.c - systems of constant, diagonal inertia as generated code: the tables, masses and
 * forces of step/fixed_point.h, which iterates their stages without any matrix.  theory.md
 * [GALERKIN]
 */
#include "codegen/inside.h"
#include "mech/solve/stages.h"

#include <float.h>

static int lanes_of(const codegen *f)
{
    return f->of[AT_RULE][1].lanes;
}

/* Several points or many coordinates, nothing but these, L_w = m v + a. Stages of one coordinate
 * are a system so small that its matrix takes less time than further iterations. */
bool fixed_point_fits(const codegen *f)
{
    const bool several = f->points[AT_RULE] > 1 && f->d > 1 && f->n > 1;
    if ((!several && f->N < MATRIX_LEAST) || explicit_is_written(&f->st->explicitly) || f->phase ||
        f->relations || f->points[AT_FORCE] || f->linear || f->damped)
        return false;
    for (int k = 0; k < f->f->roots; k++) {
        const field_root *r = &f->f->root[k];
        if (r->of == FIELD_LQW || (r->of == FIELD_LWW && (r->varies || r->row != r->column)))
            return false;
        if (r->of == FIELD_LW && r->reads & ~(1u << READ_PARAMETER | 1u << READ_W)) return false;
    }
    for (int j = 0; j < f->n; j++)
        if (program_slot(&f->constant, FIELD_LWW, j, j) < 0) return false;
    return true;
}

/* Do forces depend on velocities? */
static bool force_moves(const codegen *f)
{
    for (int k = 0; k < f->f->roots; k++)
        if ((f->f->root[k].of == FIELD_F || f->f->root[k].of == FIELD_LQ) &&
            f->f->root[k].reads & 1u << READ_W)
            return true;
    return false;
}

/* C and D, by lane. */
static void write_stages(codegen *f, const stage_tables *t)
{
    const int S = f->points[AT_RULE], W = lanes_of(f);
    double   *C = mem_array(f->w.m, S * W, double), *D = mem_array(f->w.m, S * W, double);
    for (int k = 0; k < S; k++)
        for (int i = 0; i < W; i++) {
            const int at = i < S ? i : S - 1;
            C[k * W + i] = stage_position(t, at, k), D[k * W + i] = stage_velocity(t, at, k);
        }
    write_table(&f->w, "STAGES", C, S * W);
    if (f->forced || force_moves(f)) write_table(&f->w, "SLOPES", D, S * W);
}

/* E; the points and weights by lane. */
static void tables_write(codegen *f)
{
    const int    d = f->d, S = f->points[AT_RULE], W = lanes_of(f);
    stage_tables t = stages_of(f->w.m, f->eq, f->side, f->w.single ? FLT_MANT_DIG : DBL_MANT_DIG);
    double      *E = mem_array(f->w.m, d * S, double);
    double      *c = mem_array(f->w.m, W, double), *b = mem_array(f->w.m, W, double);
    write_stages(f, &t);
    for (int mu = 0; mu < d; mu++)
        for (int k = 0; k < S; k++) E[k * d + mu] = stage_node(&t, mu, k);
    for (int i = 0; i < W; i++) c[i] = t.c[i < S ? i : S - 1], b[i] = t.b[i < S ? i : S - 1];
    write_table(&f->w, "CURVE", E, S * d);
    write_table(&f->w, "STAGE_NODES", c, W);
    write_table(&f->w, "STAGE_WEIGHTS", b, W);
}

/* What step/fixed_point.h knows of the system. */
static void sizes_write(codegen *f)
{
    write_size(&f->w, "POINTS", f->points[AT_RULE]), write_size(&f->w, "PADDED", lanes_of(f));
    write_size(&f->w, "MOVING", force_moves(f)), write_size(&f->w, "FORCED", f->forced);
    write_size(&f->w, "CHANGES_MOST", f->d > 1 ? FIXED_POINT_MOST : FIXED_POINT_FEW);
    text_printf(&f->w.out, "#define STEP_SPLIT %s\n\n", write_number(&f->w, STEP_SPLIT));
}

void fixed_point_write(codegen *f)
{
    tables_write(f);
    masses_write(f);
    forces_write(f);
    sizes_write(f);
    verbatim(f, "points.h"), verbatim(f, "fixed_point.h");
}
