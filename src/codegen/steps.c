/* steps.c - the text of many steps in one call: coefficients and tables of the scheme, programs of
 * the model, and the files of src/step around them. */
#include "codegen/inside.h"
#include "codegen/turning.h"

static int lanes_of(const codegen *f, point_set set)
{
    return f->of[set][1].lanes;
}

/* Tables of a set of points: columns l_1 .. l_d by lane, rows l_0 .. l_{d-1} by point. */
static void write_points(codegen *f, point_set set, char X)
{
    const samples *s = samples_of(f, set);
    const int      W = lanes_of(f, set), S = f->points[set], d = f->d, side = f->side;
    double        *c = mem_array(f->w.m, W, double), *l = mem_array(f->w.m, W * d, double);
    double        *dl = mem_array(f->w.m, W * d, double);
    for (int i = 0; i < W; i++) {
        const int at = i < S ? i : S - 1; /* lanes without a point repeat the last one */
        c[i] = s->x[side][at];
        for (int k = 0; k < d; k++) {
            l[k * W + i] = s->at[side].l[at * (d + 1) + k + 1];
            dl[k * W + i] = s->at[side].dl[at * (d + 1) + k + 1];
        }
    }
    write_table(&f->w, mem_printf(f->w.m, "%c_c", X), c, W);
    write_table(&f->w, mem_printf(f->w.m, "%c_l", X), l, W * d);
    write_table(&f->w, mem_printf(f->w.m, "%c_dl", X), dl, W * d);
    if (set == AT_GAUSS) return;
    double *rl = mem_array(f->w.m, S * d, double), *rdl = mem_array(f->w.m, S * d, double);
    for (int i = 0; i < S; i++)
        for (int k = 0; k < d; k++) {
            rl[i * d + k] = s->at[side].l[i * (d + 1) + k];
            rdl[i * d + k] = s->at[side].dl[i * (d + 1) + k];
        }
    write_table(&f->w, mem_printf(f->w.m, "%c_b", X), s->b, S);
    write_table(&f->w, mem_printf(f->w.m, "%c_rl", X), rl, S * d);
    if (set == AT_RULE) write_table(&f->w, mem_printf(f->w.m, "%c_rdl", X), rdl, S * d);
}

/* u_1 .. u_d by lane, by which states are sampled besides l_nu               theory.md [STATES] */
static void write_sampling(codegen *f, point_set set, char X)
{
    const int W = lanes_of(f, set), S = f->points[set], d = f->d;
    double   *u = mem_array(f->w.m, W * d, double);
    for (int i = 0; i < W; i++)
        for (int k = 0; k < d; k++)
            u[k * W + i] = f->eq->upwind.at[f->side][(i < S ? i : S - 1) * (d + 1) + k + 1];
    write_table(&f->w, mem_printf(f->w.m, "%c_z", X), u, W * d);
}

/* u_nu by point, nu < d; b_i chi', b_i chi, and chi at the control nodes  theory.md [DAMPING] */
static void write_upwind(codegen *f)
{
    const equations *eq = f->eq;
    const int        S = f->points[AT_RULE], d = f->d;
    double          *u = mem_array(f->w.m, S * d, double);
    for (int i = 0; i < S; i++)
        for (int k = 0; k < d; k++) u[i * d + k] = eq->upwind.at[f->side][i * (d + 1) + k];
    write_table(&f->w, "R_u", u, S * d);
    if (f->side) return;
    write_table(&f->w, "END_W", eq->upwind.end->w, S);
    write_table(&f->w, "END_Q", eq->upwind.end->q, S);
    if (f->relations) write_table(&f->w, "END_NODE", eq->upwind.end->node, d + 1);
}

/* Weights of the reactions, w_nu, and where they act. */
static void control_points(codegen *f)
{
    const samples *s = samples_of(f, AT_CONTROL);
    write_table(&f->w, "K_c", s->x[0], f->d + 1);
    write_table(&f->w, "K_b", s->b, f->d + 1);
    if (!turning_bound(f)) return;
    /* l_mu at node i, mu = 1 .. d */
    double *l = mem_array(f->w.m, f->d * (f->d + 1), double);
    for (int mu = 0; mu < f->d; mu++) l[mu * (f->d + 1) + mu + 1] = 1;
    write_table(&f->w, "K_l", l, f->d * (f->d + 1));
}

/* What step/coefficients.h knows of the scheme. Everything that depends on h is computed once per
 * length of step; where Newton is the exception, most of it when that is needed. */
static void coefficients_write(codegen *f)
{
    write_points(f, AT_RULE, 'R');
    if (f->points[AT_FORCE]) write_points(f, AT_FORCE, 'F');
    if (f->damped) write_upwind(f);
    if (f->eq->upwind.states) write_sampling(f, AT_RULE, 'R');
    if (f->eq->upwind.states && f->points[AT_GAUSS]) write_sampling(f, AT_GAUSS, 'G');
    if (f->points[AT_CONTROL]) control_points(f);
    if (f->points[AT_GAUSS]) write_points(f, AT_GAUSS, 'G');
    write_size(&f->w, "R_POINTS", f->points[AT_RULE]);
    write_size(&f->w, "R_LANES", lanes_of(f, AT_RULE));
    write_size(&f->w, "F_POINTS", f->points[AT_FORCE]);
    write_size(&f->w, "F_LANES", lanes_of(f, AT_FORCE));
    write_size(&f->w, "K_POINTS", f->points[AT_CONTROL] ? f->d + 1 : 0);
    write_size(&f->w, "G_POINTS", f->points[AT_GAUSS]);
    write_size(&f->w, "G_LANES", lanes_of(f, AT_GAUSS));
    write_size(&f->w, "DAMPED", f->damped);
    write_size(&f->w, "STATES", f->eq->upwind.states > 0);
    write_size(&f->w, "TURNED_RELATIONS", turning_bound(f));
    verbatim(f, "coefficients.h"), verbatim(f, "samples.h");
}

/* Each unknown is divided out: nothing is gained by predicting it. */
bool is_direct(const codegen *f)
{
    return !f->st->history;
}

/* What step/substep.h multiplies with: the nodes of the curve, its slope at the end, and the
 * coordinates whose momenta are unknowns. */
static void curve_tables(codegen *f)
{
    const equations *eq = f->eq;
    const int        momenta = f->N - eq->P;
    int             *of = mem_array(f->w.m, momenta + 1, int);
    write_table(&f->w, "END_SLOPE", eq->control.at[0].dl + f->d * (f->d + 1) + 1, f->d);
    if (!is_direct(f)) write_table(&f->w, "CURVE_NODES", eq->control.x[0] + 1, f->d);
    for (int k = 0; k < momenta; k++) of[k] = eq->phase_list[k % f->phase];
    if (momenta) write_indices(&f->w, "MOMENTUM_OF", of, momenta);
    if (f->st->massless.ends.fits || f->st->massless.bent)
        write_table(&f->w, "BENDS", f->st->massless.ends.bends + 1, f->d);
    if (f->st->sch.substeps > 1) write_table(&f->w, "GAMMA", f->st->sch.gamma, f->st->sch.substeps);
    text_add(&f->w.out, "\n");
}

/* Rows of velocities are rows of the residual only; of the rule, one program may serve for both. */
static bool is_called(const codegen *f, point_set set, bool second)
{
    if (set == AT_GAUSS && !second) return f->frozen || f->linear;
    return !second || !f->forward || set != AT_RULE;
}

/* Coefficients, programs, residual and Jacobian of a polynomial curve. */
static void equations_write(codegen *f)
{
    coefficients_write(f);
    curve_tables(f);
    for (point_set set = 0; set < SETS; set++)
        for (int second = f->linear ? 0 : 1; second >= 0 && f->points[set]; second--)
            if (is_called(f, set, second)) program_write(f, &f->of[set][second]);
    if (f->forward) forward_write(f);
    blocks_write(f);
    verbatim(f, "judge.h");
    verbatim(f, f->N <= 6 || f->members ? "lu.h" : "lu_rows.h");
    if (f->energy) verbatim(f, "border.h");
    if (turning_count(f)) {
        turning_tables(f);
        verbatim(f, "sum.h"), verbatim(f, "rotation.h"), verbatim(f, "turning.h");
    }
    rows_write(f);
}

/* The order matters to C: functions stand before those that call them. */
void steps_write(codegen *f)
{
    if (f->shot) shooting_write(f);
    else equations_write(f);
    if (!f->energy) verbatim(f, "newton.h");
    if (!is_direct(f)) predict_write(f);
    if (f->fixed_point) fixed_point_write(f);
    if (f->by_rates) simplified_newton_write(f);
    if (!f->plain) verbatim(f, "sum.h");
    verbatim(f, "state.h"), verbatim(f, "substep.h");
    if (stepper_projects_plainly(f->st)) project_write(f);
    if (f->st->massless.ends.fits) verbatim(f, "symmetric_projection.h");
    if (f->st->massless.bent) bent_write(f);
    inputs_write(f);
    roughest_write(f);
    verbatim(f, f->energy ? "energy.h" : "steps.h");
}
