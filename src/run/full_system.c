/* full_system.c - from the state of the reduced system, which is solved, to that of the whole,
 * computed on demand. */
#include "run/full_system.h"

#include <math.h>
#include <string.h>

/* Forms. --------------------------------------------------------------------------------------- */

/* NULL: nothing repeats, is taken out or numbered anew, so the model itself is solved. */
static const solved_form *form_new(mem *m, const ties *t, bool eliminate)
{
    if (!t->repeats && !(eliminate && (ties_take_out(t) || t->sequenced))) return NULL;
    solved_form *f = mem_array(m, 1, solved_form);
    *f = (solved_form){.eliminated = eliminate, .of = t, .by = model_reduce(m, t, eliminate)};
    f->compiled = compile(m, f->by.md);
    return f;
}

/* Made once for a model and shared by its simulations. */
void solved_forms_new(mem *m, const model *md, const solved_form *out[INTERCONNECTIONS])
{
    for (int k = 0; k < INTERCONNECTIONS; k++) out[k] = NULL;
    if (md->turns) return; /* rotations are not renumbered: ties stay among the relations */
    const ties *t = ties_find(m, md);
    out[ELIMINATE] = form_new(m, t, true);
    out[MULTIPLIERS] = form_new(m, t, false);
}

/* The junction that takes it out; NULL: none. */
static const junction *junction_of(const full_system *w, int i)
{
    const ties *t = w->form->of;
    if (!w->form->eliminated || !t->cut || t->z[i] < 0 || t->cut->of[t->z[i]] < 0) return NULL;
    return &t->cut->at[t->cut->of[t->z[i]]];
}

/* 0 where the coordinate is fixed: its slope is 0; and where it is made of others. */
static int solved_coordinate(const full_system *w, int i)
{
    const ties *t = w->form->of;
    if (!w->form->eliminated) return i;
    int z = t->z[i] < 0 ? -1 : t->cut ? t->cut->y[t->z[i]] : t->z[i];
    return z < 0 ? 0 : z;
}

/*     z_p = sum b_k z_k, without its offset */
static double at_junction(const full_system *w, const junction *b, const double *z)
{
    double sum = 0;
    for (int k = 0; k < b->terms; k++)
        sum += w->n.number[b->number[k]] * z[w->form->of->cut->y[b->z[k]]];
    return sum;
}

static bool is_fixed(const full_system *w, int i)
{
    return w->form->eliminated && w->form->of->z[i] < 0;
}

static double slope(const full_system *w, int i)
{
    return w->form->eliminated ? tie_slope(&w->n, i) : 1;
}

static double offset(const full_system *w, int i)
{
    return w->form->eliminated ? tie_offset(&w->n, i) : 0;
}

static bool is_hamiltonian(const full_system *w, int i)
{
    return w->sys->hamiltonian && w->sys->hamiltonian[i];
}

/* Making. -------------------------------------------------------------------------------------- */

/* n numbers each. */
static void arrays(mem *m, double **const *at, size_t count, int n)
{
    for (size_t k = 0; k < count; k++) *at[k] = mem_array(m, n, double);
}

/* Most runs only ask for positions, velocities and momenta; p is then computed where L_w is
 * evaluated. */
static void make_room(full_system *w, mem *m, full_system_use use)
{
    const int n = w->sys->n, rows = w->sys->m + w->sys->r, K = pattern_count(&w->sys->K);
    double  **state[] = {&w->q, &w->v, &w->p, &w->elsewhere}, **solved[] = {&w->z, &w->pz, &w->vz};
    double  **looked_at[] = {&w->at_point[0], &w->at_point[1], &w->w,      &w->start_p,
                             &w->room.Lq,     &w->room.Lw,     &w->room.f, &w->room.D};
    arrays(m, state, 4, n), arrays(m, solved, 3, full_system_solved(w)->n + 1);
    w->at_q = w->at_v = w->at_p = w->at_lam = -1;
    w->lam = mem_array(m, rows + 1, double);
    w->only_kept = use == FULL_SYSTEM_KEPT;
    if (use >= FULL_SYSTEM_POINTS || w->sys->hamiltonian) arrays(m, looked_at, 8, n);
    else w->room.Lw = w->p; /* a compiled system needs no room for L_q and f */
    if (use != FULL_SYSTEM_REACTIONS) return;
    w->rate = mem_array(m, n, double);
    w->rho = mem_array(m, n, double);
    w->join = mem_array(m, w->form->of->joins + 1, double);
    if (w->form->of->cut) w->junction = mem_array(m, w->form->of->cut->count, double);
    w->room.Lwt = mem_array(m, n, double);
    w->room.on_K[F_LWW] = mem_array(m, K + 1, double);
    w->room.on_K[F_LQW] = mem_array(m, K + 1, double);
    w->room.e = mem_array(m, rows + 1, double);
    w->room.A = mem_array(m, pattern_count(&w->sys->A) + 1, double);
}

/* The parameters of the model, then the numbers of its ties. */
static void take_parameters(full_system *w, mem *m, const double *parameter)
{
    const int n = w->form->of->md->parameters;
    w->parameter = mem_array(m, n + w->form->of->numbers + 1, double);
    if (n) memcpy(w->parameter, parameter, (size_t)n * sizeof *parameter);
    memcpy(w->parameter + n, w->n.number, (size_t)w->form->of->numbers * sizeof *parameter);
}

dal_status full_system_new(mem *m, const solved_form *form, const compiled *c, bound *of,
                           const double *parameter, const double *input, full_system_use use,
                           diags *ds, full_system **out)
{
    full_system *w = mem_array(m, 1, full_system);
    *out = NULL;
    w->form = form, w->compiled = c, w->sys = bound_system(of);
    dal_status bad = ties_evaluate(m, form->of, parameter, ds, &w->n);
    if (bad) return bad;
    take_parameters(w, m, parameter);
    w->bound = bound_new(m, form->compiled, form->eliminated ? w->parameter : parameter, input);
    make_room(w, m, use);
    if (form->eliminated && !w->sys->hamiltonian)
        full_system_solved(w)->tied = w->sys->n - full_system_solved(w)->n;
    *out = w;
    return DAL_OK;
}

/* Evaluated apart first: if a tie is contradicted now, everything stays as it was. */
dal_status full_system_parameters(full_system *w, mem *m, const double *parameter, diags *ds)
{
    const ties *of = w->form->of;
    tie_numbers now;
    dal_status  bad = ties_evaluate(m, of, parameter, ds, &now);
    if (bad) return bad;
    memcpy(w->n.number, now.number, (size_t)of->numbers * sizeof *now.number);
    if (of->cut) memcpy(w->n.pivot, now.pivot, (size_t)of->cut->count * sizeof *now.pivot);
    double       *to[] = {w->n.child, w->n.parent, w->n.constant};
    const double *from[] = {now.child, now.parent, now.constant};
    for (int k = 0; k < 3 && of->joins; k++)
        memcpy(to[k], from[k], (size_t)of->joins * sizeof *now.child);
    if (of->md->parameters)
        memcpy(w->parameter, parameter, (size_t)of->md->parameters * sizeof *parameter);
    w->known = false;
    return DAL_OK;
}

dal_system *full_system_solved(full_system *w)
{
    return bound_system(w->bound);
}

/* Gives the reduced system the coefficients of the ties, which may depend on the positions; false:
 * all are unchanged. */
static bool take_numbers(full_system *w, const double *q)
{
    const ties  *of = w->form->of;
    double      *number = w->parameter + of->md->parameters;
    const size_t bytes = (size_t)of->numbers * sizeof *number;
    ties_begin(&w->n, q);
    if (w->known && !memcmp(number, w->n.number, bytes)) return false;
    memcpy(number, w->n.number, bytes);
    bound_refresh(w->bound);
    return w->known = true;
}

void full_system_look(full_system *w, const double *q)
{
    take_numbers(w, q);
    w->known = false;
}

/*     p_z = T^T p */
void full_system_set(full_system *w, stepper *st, double t, const double *q, const double *p,
                     const double *v)
{
    const int   n = w->sys->n;
    const ties *of = w->form->of;
    const bool  changed = take_numbers(w, q);
    if (w->start_p) memcpy(w->start_p, p, (size_t)n * sizeof *p);
    memset(w->pz, 0, (size_t)full_system_solved(w)->n * sizeof *w->pz);
    /*     z = q of the first coordinate of each tree,   p_z = sum_i T_i p_i */
    for (int i = n - 1; i >= 0; i--) { /* the first coordinate of a tree is written last */
        int z = solved_coordinate(w, i);
        if (is_fixed(w, i)) continue;
        const junction *b = junction_of(w, i);
        for (int k = 0; b && k < b->terms; k++)
            w->pz[of->cut->y[b->z[k]]] += slope(w, i) * w->n.number[b->number[k]] * p[i];
        if (b) continue;
        w->z[z] = q[i], w->vz[z] = v[i], w->pz[z] += slope(w, i) * p[i];
    }
    w->at_q = w->at_v = w->at_p = w->at_lam = -1;
    (changed ? stepper_set : stepper_move)(st, t, w->z, w->pz, w->vz);
}

/* Positions and velocities. -------------------------------------------------------------------- */

/*     q = T z + c */
static void spread_positions(const full_system *w, const double *z, double *out)
{
    for (int i = 0; i < w->sys->n; i++) {
        const junction *b = junction_of(w, i);
        double at = b ? at_junction(w, b, z) + w->n.number[b->offset] : z[solved_coordinate(w, i)];
        out[i] = slope(w, i) * at + offset(w, i);
    }
}

/*     v = T z', and likewise for other rates */
static void spread_rates(const full_system *w, const double *of_z, double *out)
{
    for (int i = 0; i < w->sys->n; i++) {
        const junction *b = junction_of(w, i);
        out[i] = slope(w, i) * (b ? at_junction(w, b, of_z) : of_z[solved_coordinate(w, i)]);
    }
}

const double *full_system_spread(full_system *w, const double *z)
{
    spread_positions(w, z, w->elsewhere);
    return w->elsewhere;
}

const double *full_system_rates(full_system *w, stepper *st)
{
    spread_rates(w, stepper_rates(st), w->elsewhere);
    return w->elsewhere;
}

/* k: the step that the state belongs to; asked for again at the same k, it is not computed
 * again. */
const double *full_system_q(full_system *w, stepper *st, long k)
{
    if (w->at_q != k) spread_positions(w, stepper_q(st), w->q);
    w->at_q = k;
    return w->q;
}

const double *full_system_v(full_system *w, stepper *st, long k)
{
    if (w->at_v != k) spread_rates(w, stepper_v(st), w->v);
    w->at_v = k;
    return w->v;
}

/* At the point of full_system_point if there is room for one, else at the state. */
static int evaluate(full_system *w, double t, unsigned want)
{
    sys_point at = {.t = t, .q = w->q, .w = w->v, .v = w->v};
    if (w->at_point[0]) at.q = w->at_point[0], at.w = w->w, at.v = w->at_point[1];
    if (!w->sys->forced) want &= ~(unsigned)WANT_FORCE;
    return w->sys->eval(w->sys->self, want, 1, &at, &w->room);
}

/* Momenta. ------------------------------------------------------------------------------------- */

/* Hamiltonian coordinates are in no tie: their momenta are those of what is solved. */
static void take_momenta(full_system *w, const double *pz, double *out)
{
    for (int i = 0; i < w->sys->n; i++)
        if (is_hamiltonian(w, i)) out[i] = pz[solved_coordinate(w, i)];
}

/* The present grid point. */
static void take_state(full_system *w, stepper *st, long k)
{
    const size_t bytes = (size_t)w->sys->n * sizeof(double);
    full_system_q(w, st, k), full_system_v(w, st, k);
    if (!w->at_point[0]) return;
    memcpy(w->at_point[0], w->q, bytes);
    memcpy(w->at_point[1], w->v, bytes);
    memcpy(w->w, w->v, bytes);
    take_momenta(w, stepper_p(st), w->w);
}

/*     p = L_v(t, q, v) */
static void projected_momentum(full_system *w, stepper *st, long k, double t)
{
    take_state(w, st, k);
    evaluate(w, t, WANT_GRADIENT);
    if (w->room.Lw != w->p) memcpy(w->p, w->room.Lw, (size_t)w->sys->n * sizeof *w->p);
}

static void add(double *to, double c, const double *x, int n)
{
    for (int i = 0; i < n; i++) to[i] += c * x[i];
}

/*     p^- = sum_i b_i [l'_d L_v + h l_d (L_q + f) - h u_d D]^i                      [GALERKIN]
 * of the whole on the curve of what was solved */
static void papers_momentum(full_system *w, stepper *st, long k)
{
    const int n = w->sys->n;
    memcpy(w->p, w->start_p, (size_t)n * sizeof *w->p);
    if (k == 0) return;
    memset(w->p, 0, (size_t)n * sizeof *w->p);
    for (int of_force = POINTS_OF_L; of_force <= POINTS_OF_FORCE; of_force++)
        for (int i = 0; i < stepper_points(st, (curve_points)of_force); i++) {
            curve_point c = stepper_point(st, (curve_points)of_force, i);
            full_system_point(w, c.at);
            evaluate(w, c.at->t, of_force ? WANT_FORCE : WANT_GRADIENT);
            if (of_force && w->sys->forced) add(w->p, c.end_q, w->room.f, n);
            if (of_force && w->sys->damped) add(w->p, c.end_d, w->room.D, n);
            if (!of_force) add(w->p, c.end_w, w->room.Lw, n), add(w->p, c.end_q, w->room.Lq, n);
        }
}

/* Either the momentum of the motion or that of the papers; of Hamiltonian coordinates both are
 * what is solved. */
const double *full_system_p(full_system *w, stepper *st, long k, double t, momentum reported)
{
    if (w->at_p == k) return w->p;
    if (reported == MOMENTUM_PAPERS) papers_momentum(w, st, k);
    else projected_momentum(w, st, k, t);
    take_momenta(w, stepper_p(st), w->p);
    w->at_p = k;
    return w->p;
}

/* Reactions. ----------------------------------------------------------------------------------- */

void full_system_point(full_system *w, const sys_point *at)
{
    spread_positions(w, at->q, w->at_point[0]);
    spread_rates(w, at->v, w->at_point[1]);
    memcpy(w->w, w->at_point[1], (size_t)w->sys->n * sizeof *w->w);
    take_momenta(w, at->w, w->w);
}

bool full_system_descend(full_system *w, const double *xi, double *xi_z)
{
    static const double ROUNDOFF = 1e-12;
    double              size = 0, off = 0;
    for (int i = w->sys->n - 1; i >= 0; i--) /* the first coordinate of a tree is written last */
        if (!is_fixed(w, i) && !junction_of(w, i)) xi_z[solved_coordinate(w, i)] = xi[i];
    spread_rates(w, xi_z, w->at_point[1]);
    for (int i = 0; i < w->sys->n; i++) {
        size = fmax(size, fabs(xi[i]));
        off = fmax(off, fabs(xi[i] - w->at_point[1][i]));
    }
    return off <= ROUNDOFF * size;
}

/*     rho = L_ww w' + L_wq v + L_wt - L_q - f: what the reactions must be */
static void left_over(full_system *w)
{
    const dal_system *sys = w->sys;
    const sys_values *o = &w->room;
    for (int i = 0; i < sys->n; i++) {
        double sum = o->Lwt[i] - o->Lq[i] - (sys->forced ? o->f[i] : 0);
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            int j = sys->K.column[k];
            sum += o->on_K[F_LWW][k] * w->rate[j] +
                   o->on_K[F_LQW][sys->transpose[k]] * w->at_point[1][j];
        }
        w->rho[i] = sum;
    }
}

/* Reactions of the relations that were kept, by row of the whole. */
static int kept_row(full_system *w, int a, const double *lam)
{
    const int row = compiled_row(w->compiled, w->form->by.relation[a]);
    w->lam[row] = lam[compiled_row(w->form->compiled, a)];
    return row;
}

/* What they do is taken off rho. */
static void take_kept(full_system *w, const double *lam)
{
    const pattern *A = &w->sys->A;
    for (int a = 0; a < w->form->by.md->relations; a++) {
        const int row = kept_row(w, a, lam);
        for (int e = A->start[row]; e < A->start[row + 1]; e++)
            w->rho[A->column[e]] -= w->room.A[e] * w->lam[row];
    }
}

/* Along a coordinate that a relation eliminated only that relation acts: its reaction is the
 * residual there, divided by its coefficient. */
static void take_branches(full_system *w)
{
    const junctions *cut = w->form->of->cut;
    const pattern  *A = &w->sys->A;
    memset(w->junction, 0, (size_t)cut->count * sizeof *w->junction);
    for (int i = 0; i < w->sys->n; i++) {
        const junction *b = junction_of(w, i);
        if (b) w->junction[b - cut->at] += slope(w, i) * w->rho[i];
    }
    for (int k = 0; k < cut->count; k++) {
        int row = compiled_row(w->compiled, cut->at[k].relation);
        w->lam[row] = w->junction[k] / w->n.pivot[k];
        for (int e = A->start[row]; e < A->start[row + 1]; e++)
            w->rho[A->column[e]] -= w->room.A[e] * w->lam[row];
    }
}

/* From the residual of the equations of motion to one reaction for each tie: leaves first. */
void full_system_reactions_at(full_system *w, double t, const double *rate, const double *lam)
{
    const ties *of = w->form->of;
    spread_rates(w, rate, w->rate);
    w->at_lam = -1;
    evaluate(w, t, WANT_GRADIENT | WANT_HESSIAN | WANT_TIME | WANT_FORCE | WANT_RELATIONS);
    left_over(w);
    memset(w->lam, 0, (size_t)(w->sys->m + w->sys->r) * sizeof *w->lam);
    take_kept(w, lam);
    if (!w->form->eliminated) return;
    if (of->cut) take_branches(w);
    ties_reactions(&w->n, w->rho, w->join);
    for (int e = 0; e < of->joins; e++)
        w->lam[compiled_row(w->compiled, of->join[e].relation)] = w->join[e];
}

/* 0 where nobody could ask for them when the room was made. */
const double *full_system_multipliers(full_system *w, stepper *st, long k, double t)
{
    if (w->at_lam == k || !(w->rate || w->only_kept)) return w->lam;
    const double *lam = stepper_multipliers(st), *rate = w->only_kept ? NULL : stepper_rates(st);
    if (w->only_kept)
        for (int a = 0; a < w->form->by.md->relations; a++) kept_row(w, a, lam);
    else take_state(w, st, k), full_system_reactions_at(w, t, rate, lam);
    w->at_lam = k;
    return w->lam;
}

/* Checkpoints. --------------------------------------------------------------------------------- */

/* The numbers of ties depend on the start, and papers' momenta on its momenta. */
void full_system_archive(full_system *w, archive *r)
{
    const ties *of = w->form->of;
    archive_doubles(r, "ties", w->n.number, (size_t)of->numbers);
    if (w->start_p) archive_doubles(r, "start_p", w->start_p, (size_t)w->sys->n);
    if (!r->reading || r->bad) return;
    memcpy(w->parameter + of->md->parameters, w->n.number,
           (size_t)of->numbers * sizeof *w->parameter);
    bound_refresh(w->bound);
    w->at_q = w->at_v = w->at_p = w->at_lam = -1;
}
