/* functions.c - a caller's functions become a system: checked and copied once, then bound to the
 * numbers of each simulation. */
#include "model/functions/functions.h"

#include <math.h>
#include <string.h>

_Static_assert((int)DAL_WANT_L == (int)WANT_L && (int)DAL_WANT_GRADIENT == (int)WANT_GRADIENT &&
                   (int)DAL_WANT_HESSIAN == (int)WANT_HESSIAN &&
                   (int)DAL_WANT_FORCE == (int)WANT_FORCE &&
                   (int)DAL_WANT_FORCE_JACOBIAN == (int)WANT_FORCE_JACOBIAN &&
                   (int)DAL_WANT_TIME == (int)WANT_TIME &&
                   (int)DAL_WANT_RELATIONS == (int)WANT_RELATIONS &&
                   (int)DAL_WANT_HOLONOMIC == (int)WANT_HOLONOMIC &&
                   (int)DAL_WANT_RELATIONS_JACOBIAN == (int)WANT_RELATIONS_JACOBIAN,
               "the header's bits are those of the system interface");

/* Evaluation. ---------------------------------------------------------------------------------- */

/* One call of the caller's function; v is given apart, as relations see velocities and all else
 * w. */
static int call(const bound_functions *b, unsigned want, const sys_point *at, const double *v,
                const buffers *into, dal_evaluation *out)
{
    const dal_callbacks *given = &b->of->given;
    dal_point            point = {.t = at->t,
                                  .q = at->q,
                                  .v = v,
                                  .p = at->w,
                                  .lam = at->lam,
                                  .parameter = b->parameter,
                                  .input = b->input};
    *out = (dal_evaluation){.Lq = into->Lq,
                            .Lv = into->Lw,
                            .f = into->f,
                            .Lqt = into->Lqt,
                            .Lvt = into->Lwt,
                            .ft = into->ft,
                            .Lqq = into->field[F_LQQ],
                            .Lqv = into->field[F_LQW],
                            .Lvv = into->field[F_LWW],
                            .fq = into->field[F_FQ],
                            .fv = into->field[F_FW],
                            .curvature = into->field[F_CURV],
                            .e = into->e,
                            .et = into->et,
                            .A = into->A,
                            .eq = into->eq,
                            .g = into->g};
    return given->eval(given->self, want, &point, out);
}

/* Relations are in velocities, all else in w. */
int functions_call(const bound_functions *b, unsigned want, const sys_point *at,
                   const buffers *into, dal_evaluation *out)
{
    const unsigned of_relations =
        want & (WANT_RELATIONS | WANT_HOLONOMIC | WANT_RELATIONS_JACOBIAN);
    const unsigned of_motion = want & ~of_relations;
    const double  *v = at->v ? at->v : at->w;
    int            bad = of_relations ? call(b, of_relations, at, v, into, out) : 0;
    return bad || !of_motion ? bad : call(b, of_motion, at, at->w, into, out);
}

/* Which of the caller's patterns a field of K is on. */
static const entries *entries_of(const functions *fs, int which)
{
    return which == F_CURV ? &fs->curvature : which >= F_FQ ? &fs->force : &fs->hessian;
}

/* The request that computes a field of K. */
static unsigned want_of(int which)
{
    return which == F_CURV ? WANT_RELATIONS_JACOBIAN
           : which >= F_FQ ? WANT_FORCE_JACOBIAN
                           : WANT_HESSIAN;
}

/* Results are written where they are asked for, as far as both number their entries alike. */
static buffers direct_buffers(const bound_functions *b, const sys_values *out)
{
    buffers          to = b->room;
    const functions *fs = b->of;
    if (out->Lq) to.Lq = out->Lq;
    if (out->Lw) to.Lw = out->Lw;
    if (out->f) to.f = out->f;
    if (out->Lqt) to.Lqt = out->Lqt;
    if (out->Lwt) to.Lwt = out->Lwt;
    if (out->ft) to.ft = out->ft;
    if (out->e) to.e = out->e;
    if (out->et) to.et = out->et;
    if (out->g) to.g = out->g;
    if (out->A && !fs->relations.place) to.A = out->A;
    if (out->eq && !fs->relations.place) to.eq = out->eq;
    for (int k = 0; k < F_DQ; k++)
        if (out->on_K[k] && !entries_of(fs, k)->place) to.field[k] = out->on_K[k];
    return to;
}

/* The caller's entries to their places; of entries that are not the caller's there are none. */
static void place_entries(const entries *e, const double *from, double *to, int size)
{
    if (!to || from == to) return;
    if (!e->place) {
        memcpy(to, from, (size_t)size * sizeof *to);
        return;
    }
    memset(to, 0, (size_t)size * sizeof *to);
    for (int k = 0; k < e->count; k++) to[e->place[k]] = from[k];
}

/* Entries that were not written in place go from the caller's numbering to K and A. */
static void place_results(const bound_functions *b, unsigned want, const buffers *from,
                          sys_values *out)
{
    const functions *fs = b->of;
    const int        K = pattern_count(&fs->sys.K), A = pattern_count(&fs->sys.A);
    for (int k = 0; k < F_DQ; k++)
        if (want & want_of(k)) place_entries(entries_of(fs, k), from->field[k], out->on_K[k], K);
    if (want & WANT_RELATIONS) place_entries(&fs->relations, from->A, out->A, A);
    if (want & WANT_RELATIONS_JACOBIAN) place_entries(&fs->relations, from->eq, out->eq, A);
}

static void clear(double *x, int n)
{
    if (x) memset(x, 0, (size_t)n * sizeof *x);
}

/* Writes the zeros that are known, and takes them out of what is wanted. */
static unsigned known_zeros(const functions *fs, unsigned want, sys_values *out)
{
    const int n = fs->sys.n, K = pattern_count(&fs->sys.K);
    unsigned  force = want & (WANT_FORCE | WANT_FORCE_JACOBIAN), time = want & WANT_TIME;
    if (force && !fs->sys.forced) {
        if (want & WANT_FORCE) clear(out->f, n);
        if (want & WANT_FORCE_JACOBIAN) clear(out->on_K[F_FQ], K), clear(out->on_K[F_FW], K);
        want &= ~force;
    }
    if (time && fs->sys.autonomous) {
        out->Lt = out->Ltt = 0;
        clear(out->Lqt, n), clear(out->Lwt, n), clear(out->ft, n);
        want &= ~time;
    }
    return want;
}

/* NULL: not wanted; equal: written in place. */
static void copy_if(double *to, const double *from, int n)
{
    if (to && to != from) memcpy(to, from, (size_t)n * sizeof *to);
}

/* What differences made stands in b->room. */
static void take_differences(const bound_functions *b, unsigned lacking, const dal_evaluation *ev,
                             sys_values *out)
{
    const int n = b->sys.n;
    place_results(b, lacking, &b->room, out);
    if (lacking & WANT_RELATIONS_JACOBIAN) copy_if(out->et, b->room.et, b->sys.m + b->sys.r);
    if (!(lacking & WANT_TIME)) return;
    out->Lt = ev->Lt, out->Ltt = ev->Ltt;
    copy_if(out->Lqt, b->room.Lqt, n), copy_if(out->Lwt, b->room.Lwt, n);
    copy_if(out->ft, b->room.ft, n);
}

/* What the caller can compute in one call, the rest by differences. Non-zero: the function
 * failed. */
static int eval_point(bound_functions *b, unsigned want, const sys_point *at, sys_values *out)
{
    const functions *fs = b->of;
    dal_evaluation   ev = {0};
    want = known_zeros(fs, want, out);
    const unsigned lacking = want & fs->given.missing, has = want & ~lacking;
    if (has) {
        buffers to = direct_buffers(b, out);
        int     bad = functions_call(b, has, at, &to, &ev);
        if (bad) return bad;
        if (has & WANT_L) out->L = ev.L;
        if (has & WANT_TIME) out->Lt = ev.Lt, out->Ltt = ev.Ltt;
        place_results(b, has, &to, out);
    }
    if (!lacking) return 0;
    int bad = differences_take(b, lacking, at, &ev);
    if (!bad) take_differences(b, lacking, &ev, out);
    return bad;
}

static int eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    for (int i = 0; i < count; i++) {
        int bad = eval_point(self, want, &at[i], &out[i]);
        if (bad) return bad;
    }
    return 0;
}

/* Names and reasons. --------------------------------------------------------------------------- */

/* The caller's names of a kind, NULL if none were given, and how many members there are. */
static const char *const *names_of(const functions *of, member_kind kind, int *count)
{
    const dal_callbacks *c = &of->given;
    switch (kind) {
    case MEMBER_PARAMETER: return *count = c->parameters, c->parameter;
    case MEMBER_COORDINATE: return *count = c->coordinates, c->coordinate;
    case MEMBER_INPUT: return *count = c->inputs, c->input;
    case MEMBER_RELATION: return *count = c->constraints + c->holonomic, c->relation;
    default: return *count = 0, NULL;
    }
}

/* Without names they are numbered from 1. */
void functions_name(const functions *of, member_kind kind, int index, text *out)
{
    static const char *const words[] = {
        [MEMBER_PARAMETER] = "parameter", [MEMBER_COORDINATE] = "q", [MEMBER_INPUT] = "input"};
    int                count, m = of->sys.m;
    const char *const *list = names_of(of, kind, &count);
    if (list) text_add(out, list[index]);
    else if (kind != MEMBER_RELATION) text_printf(out, "%s%d", words[kind], index + 1);
    else if (index < m) text_printf(out, "constraint %d", index + 1);
    else text_printf(out, "holonomic %d", index - m + 1);
}

/* The index of the member so called, -1: none. */
int functions_find(const functions *of, mem *m, member_kind kind, const char *word)
{
    text one = text_new(m);
    int  count, at = -1;
    names_of(of, kind, &count);
    for (int i = 0; i < count && at < 0; i++) {
        text_clear(&one);
        functions_name(of, kind, i, &one);
        if (!strcmp(text_str(&one), word)) at = i;
    }
    text_drop(&one);
    return at;
}

static void coordinate_name(const void *self, int i, text *out)
{
    functions_name(((const bound_functions *)self)->of, MEMBER_COORDINATE, i, out);
}

static void relation_name(const void *self, int a, text *out)
{
    functions_name(((const bound_functions *)self)->of, MEMBER_RELATION, a, out);
}

/* Names the first coordinate or relation whose value is not finite; false: all are. */
static bool not_finite(const bound_functions *b, const char *what, const double *x, int count,
                       bool of_relations, text *out)
{
    for (int i = 0; i < count; i++) {
        if (isfinite(x[i])) continue;
        text_printf(out, "%s is not finite for ", what);
        if (of_relations) relation_name(b, i, out);
        else coordinate_name(b, i, out);
        return true;
    }
    return false;
}

/* The caller's own sentence, or else the first derivative that is not finite. */
static bool nonfinite_source(void *self, const sys_point *at, text *out)
{
    bound_functions *b = self;
    const int        n = b->sys.n, rows = b->sys.m + b->sys.r;
    dal_evaluation   ev;
    unsigned         want = WANT_L | WANT_GRADIENT;
    if (b->sys.forced) want |= WANT_FORCE;
    if (rows) want |= WANT_RELATIONS;
    if (b->sys.r) want |= WANT_HOLONOMIC;
    if (functions_call(b, want, at, &b->room, &ev)) {
        ev.why[sizeof ev.why - 1] = 0;
        if (*ev.why) text_add(out, ev.why);
        else text_printf(out, "the functions of '%s' have no value there", b->of->given.name);
        return true;
    }
    return not_finite(b, "dL/dq", b->room.Lq, n, false, out) ||
           not_finite(b, "dL/dv", b->room.Lw, n, false, out) ||
           (b->sys.forced && not_finite(b, "the force", b->room.f, n, false, out)) ||
           not_finite(b, "the residual", b->room.e, rows, true, out);
}

/* Binding. ------------------------------------------------------------------------------------- */

/* Room for one evaluation, by the caller's entries. */
buffers buffers_new(mem *m, const functions *fs)
{
    const int n = fs->sys.n, rows = fs->sys.m + fs->sys.r;
    buffers   b = {0};
    double  **of_n[] = {&b.Lq, &b.Lw, &b.f, &b.Lqt, &b.Lwt, &b.ft};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    for (int k = 0; k < F_DQ; k++) b.field[k] = mem_array(m, entries_of(fs, k)->count + 1, double);
    b.e = mem_array(m, rows + 1, double), b.et = mem_array(m, rows + 1, double);
    b.A = mem_array(m, fs->relations.count + 1, double);
    b.eq = mem_array(m, fs->relations.count + 1, double);
    b.g = mem_array(m, fs->sys.r + 1, double);
    return b;
}

dal_system *functions_bind(mem *m, const functions *of, const double *parameter,
                           const double *input)
{
    bound_functions *b = mem_array(m, 1, bound_functions);
    b->of = of, b->sys = of->sys, b->parameter = parameter, b->input = input;
    b->room = buffers_new(m, of);
    /* differences need a second point and room for the values on both sides */
    if (of->given.missing) {
        b->plus = buffers_new(m, of), b->minus = buffers_new(m, of);
        b->q = mem_array(m, of->sys.n, double);
        b->w = mem_array(m, of->sys.n, double);
        b->known_for = mem_array(m, of->given.parameters + 1, double);
    }
    b->sys.self = b, b->sys.eval = eval, b->sys.nonfinite_source = nonfinite_source;
    b->sys.vary = functions_vary;
    b->sys.coordinate_name = coordinate_name, b->sys.relation_name = relation_name;
    return &b->sys;
}
