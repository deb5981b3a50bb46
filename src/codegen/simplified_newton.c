/* simplified_newton.c - velocities corrected by a small matrix at each sample point, as generated
 * code: programs, tables and sizes of step/simplified_newton.h. */
#include "codegen/simplified_newton.h"
#include "mech/solve/rate_tables.h"

enum {
    BLOCK_MOST = 16,    /* coordinates and relations                       */
    UNKNOWNS_LEAST = 3, /* below, Newton's matrix costs little             */
    OPERATIONS_MOST = 3000
};

/* Relations of velocities only, rows 0 .. m-1; g is evaluated at the nodes. */
static void choose(codegen *f, program *p, const field_name *of, int count)
{
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++) {
            const field_root *r = &f->f->root[k];
            if (r->of == of[a] && (r->of != FIELD_E || r->row < f->m)) program_add(f, p, r);
        }
    program_make(f, p);
}

/* Nodes as whole vectors, unless each lane costs a call. */
static int lanes_of_nodes(const codegen *f, bool calls)
{
    const int nodes = rate_nodes(f);
    return nodes < 3 || calls ? nodes : (nodes + 3) / 4 * 4;
}

/* Programs of one set share their list of angles, so that a sine is kept once. */
static void make_programs(codegen *f, bool fully)
{
    static const field_name of_points[] = {FIELD_LQ, FIELD_LW, FIELD_F, FIELD_E},
                            of_nodes[] = {FIELD_A, FIELD_G},
                            of_inertia[] = {FIELD_LWW, FIELD_A, FIELD_LQW, FIELD_FW, FIELD_EQ};
    rate_programs *x = &f->rates;
    program_init(f, &x->points, "points", rate_lanes(f)), choose(f, &x->points, of_points, 4);
    program_init(f, &x->nodes, "nodes", rate_nodes(f)), choose(f, &x->nodes, of_nodes, 2);
    program_init(f, &x->inertia, "inertia", rate_lanes(f)),
        choose(f, &x->inertia, of_inertia, fully ? 5 : 2);
    x->nodes.lanes = lanes_of_nodes(f, x->nodes.calls);
    x->at_points.n = x->at_nodes.n = 0;
    x->points.near = x->inertia.near = &x->at_points, x->nodes.near = &x->at_nodes;
    angles_list(f, &x->points), angles_list(f, &x->nodes), angles_list(f, &x->inertia);
}

/* Are there programs that are short enough? fully: including the effect of velocities on inertia
 * and relations. */
static bool has_programs(codegen *f, bool fully)
{
    const int before = f->operations;
    make_programs(f, fully);
    if (f->operations - before <= OPERATIONS_MOST) return true;
    f->operations = before;
    return false;
}

/* First with the effect of velocities on the matrix, which converges faster; without it if that
 * makes programs too long. Every coordinate needs inertia on the diagonal, by which the sizes of
 * its terms are divided. */
bool simplified_newton_fits(codegen *f)
{
    if (f->linear || f->damped || f->d < 2 || f->N < UNKNOWNS_LEAST ||
        f->n + f->relations > BLOCK_MOST || !rates_fit(f->eq))
        return false;
    const int before = f->operations;
    if (!has_programs(f, true) && !has_programs(f, false)) return false;
    for (int j = 0; j < f->n; j++)
        if (program_slot(&f->rates.inertia, FIELD_LWW, j, j) < 0) {
            f->operations = before;
            return false;
        }
    return true;
}

/* Tables by lane; lanes without a point repeat the last. */

typedef struct {
    const char   *name;
    const double *x;
    int           rows, columns; /* x is rows x columns, and written by columns */
    int           lanes;
} lane_table;

/* By columns, a lane each, so that a loop over lanes reads neighbours. */
static void write_by_lane(codegen *f, const lane_table *t)
{
    double *out = mem_array(f->w.m, t->lanes * t->columns, double);
    for (int k = 0; k < t->columns; k++)
        for (int i = 0; i < t->lanes; i++)
            out[k * t->lanes + i] = t->x[(i < t->rows ? i : t->rows - 1) * t->columns + k];
    write_table(&f->w, t->name, out, t->lanes * t->columns);
}

static bool reads_positions(const codegen *f, const program *p)
{
    for (int j = 0; j < f->n; j++)
        if (rate_reads(f, p, j)) return true;
    return false;
}

/* Those that the text will read. */
static void tables_write(codegen *f)
{
    const rate_programs *x = &f->rates;
    const rate_tables    r = rates_of(f->w.m, f->eq, f->side);
    const int            d = f->d, W = rate_lanes(f), K = rate_nodes(f), lanes = x->nodes.lanes;
    const bool           related = f->relations > 0;
    /* UNREACT has K rows, of which the last is 0 if there is a node at the end */
    double *unreact = mem_array(f->w.m, K * d, double), *self = mem_array(f->w.m, d, double);
    for (int k = 0; k < d * d; k++) unreact[k] = r.unreact[k];
    /*     SELF_i = d_i = c_i/d = (1/d) sum_k a_ik */
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++) self[i] += r.a[i * d + k] / d;
    const struct {
        lane_table table;
        bool       read;
    } all[] = {
        {{"RATE_A", r.a, d, d, W},
         reads_positions(f, &x->points) || reads_positions(f, &x->inertia)},
        {{"RATE_PUSH", r.push, d, d, W}, true},
        {{"RATE_REACT", r.react, d, d, W}, related},
        {{"RATE_REST", r.rest, d, 1, W}, true},
        {{"RATE_UNREACT", unreact, K, d, lanes}, related},
        {{"RATE_NODES", r.nodes, K, d, lanes}, reads_positions(f, &x->nodes)},
        {{"RATE_CURVE", r.nodes + d, d, d, d}, true},
        {{"SELF", self, d, 1, W}, rate_by_positions(f)},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].read) write_by_lane(f, &all[k].table);
}

/* Positions that every correction evaluates. */
static bool placed(codegen *f, int j)
{
    return rate_reads(f, &f->rates.points, j);
}

/* Only the matrices read them, which are made once. */
static bool placed_once(codegen *f, int j)
{
    return rate_reads(f, &f->rates.inertia, j) && !placed(f, j);
}

static bool placed_at_nodes(codegen *f, int j)
{
    return rate_reads(f, &f->rates.nodes, j);
}

/* Coordinates that something is done with, and how many: positions that are read at the points, by
 * the matrices only, and at the nodes; forces and reactions that are there. */
static void lists_write(codegen *f)
{
    static const struct {
        const char *list, *count;
        bool (*has)(codegen *f, int j);
    } all[] = {{"POINT_PLACE", "POINT_PLACES", placed},
               {"MATRIX_PLACE", "MATRIX_PLACES", placed_once},
               {"NODE_PLACE", "NODE_PLACES", placed_at_nodes},
               {"PUSHED", "PUSHES", rate_pushed},
               {"REACTING", "REACTIONS", rate_reacts}};
    int *list = mem_array(f->w.m, f->n, int);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        int count = 0;
        for (int j = 0; j < f->n; j++)
            if (all[k].has(f, j)) list[count++] = j;
        if (count) write_indices(&f->w, all[k].list, list, count);
        write_size(&f->w, all[k].count, count);
    }
}

static int at_least_one(int n)
{
    return n > 1 ? n : 1;
}

/* What step/simplified_newton.h knows of the system. */
static void sizes_write(codegen *f, const factors *b)
{
    const rate_programs *x = &f->rates;
    const int            W = rate_lanes(f), K = x->nodes.lanes;
    write_size(&f->w, "PADDED", W), write_size(&f->w, "NODES", K),
        write_size(&f->w, "FORCED", f->forced);
    write_size(&f->w, "RELATIONS", f->relations), write_size(&f->w, "VELOCITY_RELATIONS", f->m);
    write_size(&f->w, "INERTIAS", x->inertia.slots), write_size(&f->w, "FACTORS", b->held);
    write_size(&f->w, "NODE_TERMS", at_least_one(x->nodes.slots));
    write_size(&f->w, "NEAR_POINTS", at_least_one(3 * W * x->at_points.n));
    write_size(&f->w, "NEAR_NODES", at_least_one(3 * K * x->at_nodes.n));
}

/* After the programs, what step/simplified_newton.h calls, and then the file itself. */
void simplified_newton_write(codegen *f)
{
    const rate_programs *x = &f->rates;
    const factors        b = matrix_shape(f);
    tables_write(f), lists_write(f), sizes_write(f, &b);
    if (x->at_points.n) circle_write(f, rate_lanes(f));
    if (x->at_nodes.n) circle_write(f, x->nodes.lanes);
    program_write(f, &x->points), program_write(f, &x->nodes), program_write(f, &x->inertia);
    matrices_write(f, &b), factors_divide(f, &b), inertia_sizes_write(f);
    point_terms_write(f);
    if (f->relations) node_terms_write(f);
    verbatim(f, "points.h"), verbatim(f, "simplified_newton.h");
}
