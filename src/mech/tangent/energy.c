/* energy.c - the tangent of a step whose length the energy decides: of (t, q, p, E) at
 * its end.                                                          theory.md [ENERGY] [TANGENT]
 *     S(Z, h) = E:   dh = (dE - dS|_h)/(dS/dh),    dS/dh along dy/dh = -J^-1 dr/dh
 *     dt_1 = dt_0 + dh,    dE_1 = dE_0 + d(h sum b (f.v - L_t))
 * A step of given length passes on the energy of its chord (the first), that of S (one that
 * begins anew), or E. */
#include "mech/tangent/inside.h"

#include <string.h>

typedef struct {
    double S, gained, chord;
} energies;

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += x[j] * y[j];
    return sum;
}

/*     S: b [e + (1-c) h L_t],   chord: b [e - c h L_t],   gained: -b h L_t
 *     de = dL_w.u - L_q.dq - L_w.dP - [L],   P the momenta of Hamiltonian coordinates */
static void add_lagrangian(const tangent *tg, int i, bool varies, double dh, energies *to)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *at = &eq->rule.out[i];
    const int         n = eq->n;
    const double      b = eq->rule.b[i], c = eq->rule.x[eq->mirrored][i];
    const double     *u = adaptive_rates(tg->st->energy, eq->rule.v + i * n);
    double            de = dot(tg->row.dLw, u, n) - dot(at->Lq, tg->row.dq, n), drift = 0;
    for (int j = 0; j < eq->phase; j++)
        de -= at->Lw[eq->phase_list[j]] * tg->row.dw[eq->phase_list[j]];
    if (varies) de -= *tg->row.written.L;
    if (eq->want.residual & WANT_TIME) {
        double dLt = dot(at->Lqt, tg->row.dq, n) + dot(at->Lwt, tg->row.dw, n) +
                     (varies ? *tg->row.written.Lt : 0);
        drift = dh * at->Lt + eq->h * dLt;
    }
    to->S += b * (de + (1 - c) * drift), to->chord += b * (de - c * drift), to->gained -= b * drift;
}

/*     S: -b (1-c) h f.v,   chord: b c h f.v,   gained: b h f.v;   along lines 1 - B for c */
static void add_power(const tangent *tg, const work_points *of, int i, double dh, energies *to)
{
    const equations *eq = &tg->st->eq;
    const samples   *set = of->at;
    const double    *f = set->out[i].f, *v = set->v + i * eq->n, c = of->after[i];
    const double     power = dot(f, v, eq->n);
    const double     change = dot(tg->row.df, v, eq->n) + dot(f, tg->row.dv, eq->n);
    const double     work = set->b[i] * (dh * power + eq->h * change);
    to->S -= (1 - c) * work, to->chord += c * work, to->gained += work;
}

/* The changes of S, of the energy of the chord, and of what was gained, in one direction. Relations
 * do not move here, so their reactions do no work. */
static energies change_of(tangent *tg, const part_direction *d)
{
    const equations  *eq = &tg->st->eq;
    const bool        forced = eq->sys->forced;
    const work_points of = adaptive_work_points(tg->st->energy);
    energies          to = {0};
    for (int i = 0; i < eq->s; i++) {
        bool varies = row_changes_at(&tg->row, &eq->rule, i, d);
        add_lagrangian(tg, i, varies, d->h, &to);
        if (forced && of.at == &eq->rule) add_power(tg, &of, i, d->h, &to);
    }
    for (int j = 0; forced && of.at != &eq->rule && j < of.at->count; j++)
        row_changes_at(&tg->row, of.at, j, d), add_power(tg, &of, j, d->h, &to);
    return to;
}

/*     dy = -J^-1 dr */
static void solve(tangent *tg, part_direction *d, double *dy)
{
    row_changes_residual(&tg->row, d, dy);
    solver_solve(tg->lu, dy);
    for (int k = 0; k < equations_extent(&tg->st->eq); k++) dy[k] = -dy[k];
    d->dy = dy;
}

/*     dy/dh = -J^-1 dr/dh,   slope = dS/dh along it */
void energy_linearise(tangent *tg)
{
    const equations *eq = &tg->st->eq;
    part_direction along_h = {.q = eq->zero, .p = eq->zero, .h = 1, .moves = !eq->sys->autonomous};
    solve(tg, &along_h, tg->dy_h);
    tg->slope = change_of(tg, &along_h).S;
}

/* out: dq, dp, dt, dE, before and after. A length that was given changes as `along` says. */
void energy_change(tangent *tg, const step_direction *along, double *out)
{
    const equations *eq = &tg->st->eq;
    const int        n = eq->n, size = equations_extent(eq);
    const double     dE = out[2 * n + 1];
    part_direction   d = {.q = out, .p = out + n, .t = out[2 * n]};
    d.written = (sys_direction){.parameter = along->parameter, .input = along->input};
    d.moves = along->parameter || along->input || !eq->sys->autonomous;
    /* a step of given length: nothing is solved for h */
    if (!tg->st->energy->chose) d.h = along->h;
    solve(tg, &d, tg->dy);
    if (tg->st->energy->chose) {
        /* dh = (dE - dS|_h)/(dS/dh) */
        d.h = (dE - change_of(tg, &d).S) / tg->slope;
        add_times(tg->dy, d.h, tg->dy_h, size);
    }
    const energies to = change_of(tg, &d);
    row_changes_momentum(&tg->row, &d, tg->dp);
    add_times(out, 1, tg->dy + (eq->d - 1) * n, n);
    memcpy(out + n, tg->dp, (size_t)n * sizeof *out);
    out[2 * n] += d.h;
    out[2 * n + 1] = tg->first ? to.chord : (tg->anew ? to.S : dE) + to.gained;
}
