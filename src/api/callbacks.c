/* callbacks.c - models made of a caller's functions: the system interface, filled in from full
 * matrices. */
#include "api/api.h"

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

typedef struct {
    dal_system    sys;
    dal_callbacks given;
} functions;

static pattern full_pattern(mem *m, int rows, int columns)
{
    pattern p = {.rows = rows, .columns = columns};
    p.start = mem_array(m, rows + 1, int);
    p.column = mem_array(m, (size_t)rows * (size_t)columns, int);
    for (int i = 0; i <= rows; i++) p.start[i] = i * columns;
    for (int e = 0; e < rows * columns; e++) p.column[e] = e % columns;
    return p;
}

/* Evaluation. ---------------------------------------------------------------------------------- */

static void clear(double *x, int n)
{
    if (x) memset(x, 0, (size_t)n * sizeof *x);
}

/* Writes the zeros that are known, and takes them out of what is wanted. */
static unsigned known_zeros(const functions *fs, unsigned want, sys_values *out)
{
    int      n = fs->sys.n;
    unsigned force = want & (WANT_FORCE | WANT_FORCE_JACOBIAN), time = want & WANT_TIME;
    if (force && !fs->sys.forced) {
        if (want & WANT_FORCE) clear(out->f, n);
        if (want & WANT_FORCE_JACOBIAN)
            clear(out->on_K[F_FQ], n * n), clear(out->on_K[F_FW], n * n);
        want &= ~force;
    }
    if (time && fs->given.autonomous) {
        out->Lt = out->Ltt = 0;
        clear(out->Lqt, n), clear(out->Lwt, n), clear(out->ft, n);
        want &= ~time;
    }
    return want;
}

static int eval_point(const functions *fs, unsigned want, const sys_point *at, sys_values *out)
{
    dal_evaluation ev = {.Lq = out->Lq,
                         .Lv = out->Lw,
                         .f = out->f,
                         .Lqt = out->Lqt,
                         .Lvt = out->Lwt,
                         .ft = out->ft,
                         .Lqq = out->on_K[F_LQQ],
                         .Lqv = out->on_K[F_LQW],
                         .Lvv = out->on_K[F_LWW],
                         .fq = out->on_K[F_FQ],
                         .fv = out->on_K[F_FW],
                         .curvature = out->on_K[F_CURV],
                         .e = out->e,
                         .et = out->et,
                         .A = out->A,
                         .eq = out->eq,
                         .g = out->g};
    want = known_zeros(fs, want, out);
    int bad = want ? fs->given.eval(fs->given.self, want, at->t, at->q, at->w, at->lam, &ev) : 0;
    if (want & WANT_L) out->L = ev.L;
    if (want & WANT_TIME) out->Lt = ev.Lt, out->Ltt = ev.Ltt;
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

static void coordinate_name(const void *self, int i, text *out)
{
    const functions *fs = self;
    if (fs->given.coordinate) text_add(out, fs->given.coordinate[i]);
    else text_printf(out, "q%d", i + 1);
}

static void relation_name(const void *self, int a, text *out)
{
    const functions *fs = self;
    bool             velocity = a < fs->sys.m;
    text_printf(out, "%s %d", velocity ? "constraint" : "holonomic",
                velocity ? a + 1 : a - fs->sys.m + 1);
}

/* Making. -------------------------------------------------------------------------------------- */

static const double *copied(mem *m, const double *x, int n)
{
    double *copy = mem_array(m, n, double);
    if (x) memcpy(copy, x, (size_t)n * sizeof *x);
    return copy;
}

static void copy_names(mem *m, functions *fs)
{
    if (!fs->given.coordinate) return;
    const char **copy = mem_array(m, fs->sys.n, const char *);
    for (int i = 0; i < fs->sys.n; i++) copy[i] = mem_printf(m, "%s", fs->given.coordinate[i]);
    fs->given.coordinate = copy;
}

static void describe(mem *m, functions *fs)
{
    static const unsigned bits[F_COUNT] = {
        [F_LQQ] = DAL_LQQ, [F_LQW] = DAL_LQV, [F_LWW] = DAL_LVV, [F_FQ] = DAL_FQ, [F_FW] = DAL_FV};
    dal_system *sys = &fs->sys;
    size_t      entries = (size_t)sys->n * (size_t)sys->n;
    int        *transpose = mem_array(m, entries, int);
    for (int i = 0; i < sys->n; i++)
        for (int j = 0; j < sys->n; j++) transpose[i * sys->n + j] = j * sys->n + i;
    for (int k = 0; k < F_COUNT; k++) {
        bool zero = k == F_CURV ? sys->m + sys->r == 0 : (fs->given.zero & bits[k]) != 0;
        if (k == F_FQ || k == F_FW) zero |= !sys->forced;
        uint8_t *present = mem_array(m, entries, uint8_t);
        memset(present, !zero, entries);
        sys->present[k] = present;
        sys->varies[k] = zero                           ? FIELD_ZERO
                         : fs->given.constant & bits[k] ? FIELD_CONSTANT
                                                        : FIELD_VARIES;
    }
    sys->K = full_pattern(m, sys->n, sys->n), sys->transpose = transpose;
    sys->A = full_pattern(m, sys->m + sys->r, sys->n);
}

typedef struct {
    dal_model           *m;
    const dal_callbacks *given;
} make_job;

static dal_status make(void *self)
{
    make_job            *job = self;
    const dal_callbacks *given = job->given;
    mem                 *m = &job->m->m;
    if (given->size != sizeof *given || !given->eval || given->coordinates < 1 ||
        given->constraints < 0 || given->holonomic < 0 || given->coordinates > 30000)
        return diag_error(
            &job->m->cx->ds, DAL_INVALID, span_none(), NULL,
            "the callbacks need size = sizeof(dal_callbacks), eval, and 1 to 30000 coordinates");
    functions *fs = mem_array(m, 1, functions);
    fs->given = *given;
    fs->sys = (dal_system){.n = given->coordinates,
                           .m = given->constraints,
                           .r = given->holonomic,
                           .autonomous = given->autonomous,
                           .forced = !(given->zero & DAL_F),
                           .rheonomic = given->constraints + given->holonomic > 0,
                           .self = fs,
                           .eval = eval,
                           .coordinate_name = coordinate_name,
                           .relation_name = relation_name};
    copy_names(m, fs);
    describe(m, fs);
    job->m->is = (subject){.sys = &fs->sys,
                           .q = copied(m, given->q, fs->sys.n),
                           .v = copied(m, given->v, fs->sys.n),
                           .title = mem_printf(m, "%s", given->name ? given->name : "callbacks")};
    return DAL_OK;
}

dal_status dal_model_from_callbacks(dal_context *cx, const dal_callbacks *callbacks,
                                    dal_model **out)
{
    make_job job = {object_new(cx, sizeof *job.m), callbacks};
    *out = NULL;
    if (!job.m) return DAL_NOMEM;
    job.m->cx = cx;
    dal_status bad = guarded(cx, &job.m->m, make, &job);
    if (bad) dal_model_free(job.m);
    else *out = job.m;
    return bad;
}
