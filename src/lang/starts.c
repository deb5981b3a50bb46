/* starts.c - where a run begins: the outermost start of a quantity wins, two on one level
 * contradict each other. */
#include "lang/rotations.h"
#include "lang/values.h"
#include "lang/vectors.h"

#include <limits.h>
#include <math.h>

enum { NOWHERE = INT_MAX, COMMAND_LINE = -1 };

typedef struct {
    world  *w;
    values *out;
    bool   *in_space; /* of each rotation: its spin or momentum was given so */
    int    *q_level, *rate_level; /* depth of the part whose start holds; x' and p(x) share one */
} starter;

typedef struct { /* one start, of one coordinate */
    const ast *target;
    const ast *value; /* NULL: only `free` */
    env        v;
    bool       free;
    int        level;
} beginning;

/* The message names the coordinate as users write it. */
static void report(starter *s, span at, int coordinate, const char *hint, const char *format)
{
    text word = text_new(s->w->m);
    model_name(s->w->md, MEMBER_COORDINATE, coordinate, &word);
    diag_error(s->w->ds, DAL_INVALID, at, hint, format, text_str(&word));
    s->w->failed = true;
    text_drop(&word);
}

/* May a start of this level be taken? Equal levels contradict each other. */
static bool takes(starter *s, const beginning *b, int coordinate, int *level, unsigned char now,
                  unsigned char other)
{
    if (b->level > *level) return false;
    if (b->level == *level) {
        bool twice = s->out->given[coordinate] & now;
        if (!twice && !(s->out->given[coordinate] & other)) return true;
        report(s, b->target->at, coordinate, "give one of them",
               twice ? "'%s' has two starts" : "'%s' starts with both a velocity and a momentum");
        return false;
    }
    *level = b->level;
    return true;
}

/* An outer start replaces an inner one; of v and p, what is taken removes the other. */
static void set(starter *s, const beginning *b, int c, double x)
{
    values       *o = s->out;
    bool          rate = b->target->kind == AST_PRIME, momentum = b->target->kind == AST_CALL;
    unsigned char now = momentum ? GIVEN_P : rate ? GIVEN_V : GIVEN_Q;
    unsigned char other = momentum ? GIVEN_V : rate ? GIVEN_P : 0;
    unsigned char is_free = momentum ? FREE_P : rate ? FREE_V : FREE_Q;
    int          *level = rate || momentum ? &s->rate_level[c] : &s->q_level[c];
    if (b->free && b->level <= *level) o->given[c] |= is_free;
    if (!b->value || !takes(s, b, c, level, now, other)) return;
    if (!isfinite(x)) report(s, b->value->at, c, NULL, "the start of '%s' is not finite");
    double *to = momentum ? o->p : rate ? o->v : o->q;
    to[c] = x;
    o->given[c] = (unsigned char)((o->given[c] & ~other) | now);
    if (now == GIVEN_Q || !(o->given[c] & GIVEN_Q)) o->start_at[c] = b->target->at;
    if (now != GIVEN_Q) o->rate_at[c] = b->target->at;
}

static const ast *path_of(const ast *state)
{
    return state->kind == AST_PATH ? state : state->arg[0];
}

/* The number for the coordinate `at`: of a list, of an array or of a vector, the one in its place.
 * Its last `open` indices were not written. */
static double value_for(world *w, const beginning *b, const member *mb, int open, const spot *at)
{
    spot there;
    if (!b->value) return 0;
    if (open && open == mb->dims && names_array(b->value)) {
        if (!same_place(w, &b->v, b->value, mb->extent, at, &there)) return 0;
        return parameter_at(w, &there, b->value->at);
    }
    return value_of_element(w, &b->v, b->value, mb->extent, at, open);
}

/* Rotations and directions. -------------------------------------------------------------------- */

typedef enum { GIVES_POSITION, GIVES_SPIN, GIVES_BODYSPIN, GIVES_RATE, GIVES_MOMENTUM } gives;

static gives what_is_given(const beginning *b)
{
    const callee *f = b->target->kind == AST_CALL ? b->target->ref : NULL;
    if (b->target->kind == AST_PRIME) return GIVES_RATE;
    if (!f) return GIVES_POSITION;
    return f->b->kind == FN_P ? GIVES_MOMENTUM : f->b->kind == FN_SPIN ? GIVES_SPIN : GIVES_BODYSPIN;
}

/* A vector, or a list of three numbers. */
static void vector_given(starter *s, const beginning *b, double x[3])
{
    const ast *value = b->value;
    const bool list = value->kind == AST_LIST && value->n == 3;
    for (int i = 0; i < 3; i++) x[i] = list ? number(s->w, &b->v, value->arg[i]) : 0;
    if (list) return;
    if (value->kind == AST_LIST || value->shape != SHAPE_VECTOR) {
        world_error(s->w, value->at, "a vector is written [x, y, z]", "a vector is needed here");
        return;
    }
    const quantity all = numbers(s->w, &b->v, value);
    for (int i = 0; i < 3; i++) x[i] = all.at[i].x;
}

/* One that turns e_3 into n: about e_3 x n. */
static bool direction_given(starter *s, const beginning *b, double q[4])
{
    double size = 0, x[3];
    vector_given(s, b, x);
    for (int i = 0; i < 3; i++) size += x[i] * x[i];
    if (!s->w->failed && !(fabs(sqrt(size) - 1) <= 1e-6))
        world_error(s->w, b->value->at, "divide it by norm(a)",
                    "a direction has the length 1, not %.10g", sqrt(size));
    for (int i = 0; i < 3; i++) x[i] /= sqrt(size);
    /* q ~ (1 + n_3, -n_2, n_1, 0); downward, (-n_2 ...) is as good: about an axis in the plane */
    const double up = x[2] >= 0 ? 1 + x[2] : (x[0] * x[0] + x[1] * x[1]) / (1 - x[2]);
    const double length = sqrt(2 * up);
    q[0] = sqrt(up / 2), q[1] = length > 0 ? -x[1] / length : 1, q[2] = length > 0 ? x[0] / length : 0;
    q[3] = 0;
    return !s->w->failed;
}

/* Marks the three rows of a rotation as `set` does one coordinate; false: another start holds. */
static bool takes_rows(starter *s, const beginning *b, int first, gives what)
{
    const bool          of_q = what == GIVES_POSITION, of_p = what == GIVES_MOMENTUM;
    const unsigned char now = of_q ? GIVEN_Q : of_p ? GIVEN_P : GIVEN_V;
    const unsigned char other = of_q ? 0 : of_p ? GIVEN_V : GIVEN_P;
    const unsigned char is_free = of_q ? FREE_Q : of_p ? FREE_P : FREE_V;
    values             *o = s->out;
    bool                taken = b->value != NULL;
    for (int c = first; c < first + 3; c++) {
        int *level = of_q ? &s->q_level[c] : &s->rate_level[c];
        if (b->free && b->level <= *level) o->given[c] |= is_free;
        if (!taken || !takes(s, b, c, level, now, other)) return false;
        o->given[c] = (unsigned char)((o->given[c] & ~other) | now);
        if (of_q || !(o->given[c] & GIVEN_Q)) o->start_at[c] = b->target->at;
        if (!of_q) o->rate_at[c] = b->target->at;
    }
    return taken;
}

static void begin_turning(starter *s, const beginning *b, int first)
{
    const turning *t = s->w->md->turns;
    const gives    what = what_is_given(b);
    const int      k = t->of_row[first], n = s->w->md->coordinates;
    double        *q = s->out->q + n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k;
    if (!takes_rows(s, b, first, what)) return;
    if (what == GIVES_POSITION) {
        if (t->direction[k]) direction_given(s, b, q);
        else rotation_given(s->w, &b->v, b->value, q);
        return;
    }
    double x[3];
    vector_given(s, b, x);
    for (int i = 0; i < 3; i++) {
        if (!isfinite(x[i]))
            report(s, b->value->at, first + i, NULL, "the start of '%s' is not finite");
        (what == GIVES_MOMENTUM ? s->out->p : s->out->v)[first + i] = x[i];
    }
    s->in_space[k] = what != GIVES_BODYSPIN;
}

/* Vectors that were given in space axes, in body axes; of a direction, what turns it so:
 *     n' = R (Omega x e_3),   p.n' = mu.Omega */
static void turn_to_body(const starter *s)
{
    const turning *t = s->w->md->turns;
    const int      n = s->w->md->coordinates;
    for (int k = 0; t && k < t->count; k++) {
        const double *R = s->out->q + n + TURNING_MATRIX * k;
        double       *of[] = {s->out->v + t->first[k], s->out->p + t->first[k]};
        for (int i = 0; i < 2 && s->in_space[k]; i++) {
            double body[3] = {0}, *x = of[i];
            for (int e = 0; e < TURNING_MATRIX; e++) body[e % 3] += R[e] * x[e / 3];
            x[0] = t->direction[k] ? -body[1] : body[0];
            x[1] = t->direction[k] ? body[0] : body[1];
            x[2] = t->direction[k] ? 0 : body[2];
        }
    }
}

static void set_matrices(values *out, const turning *t, int n)
{
    for (int k = 0; t && k < t->count; k++)
        matrix_of_quaternion(out->q + n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k,
                             out->q + n + TURNING_MATRIX * k);
}

/* All of them. --------------------------------------------------------------------------------- */

/* A start names a coordinate, or a whole array with a list, an array or a vector. */
static void begin(starter *s, const beginning *b)
{
    world *w = s->w;
    spot   at;
    int    count;
    w->failed = false;
    if (!locate_whole(w, &b->v, path_of(b->target), &at, &count)) return;
    const member *mb = member_of(w, at.part, at.s);
    const ast    *path = path_of(b->target);
    const int     open = mb->dims - path->step[path->steps - 1].n, from = at.offset;
    int           first = index_of(w, MEMBER_COORDINATE, &at);
    for (int i = 0; i < count && !w->failed && symbol_turns(at.s); i += 3)
        begin_turning(s, b, first + i);
    for (int i = 0; i < count && !w->failed && !symbol_turns(at.s); i++) {
        indices_of_offset(mb->extent, mb->dims, from + i, at.index);
        double x = value_for(w, b, mb, open, &at);
        if (!w->failed) set(s, b, first + i, x);
    }
}

static void visit(starter *s, env *v, const stmt *st, int level);

/* Index k of a `for`, and those after it. */
static void visit_loop(starter *s, env *v, const stmt *st, int k, int level)
{
    const stmt_note *note = st->note;
    int              low, high;
    if (k == st->indices) {
        for (int i = 0; i < st->count; i++) visit(s, v, st->body[i], level);
        return;
    }
    s->w->failed = false;
    if (!range(s->w, v, &st->index[k], &low, &high)) return;
    for (int i = low; i <= high && !s->w->failed; i++) {
        v->index[note->frame + k] = i;
        visit_loop(s, v, st, k + 1, level);
    }
}

static void visit(starter *s, env *v, const stmt *st, int level)
{
    const stmt_note *note = st->note;
    if (!(note->kinds & 1u << STMT_START)) return;
    if (st->kind == STMT_FOR) visit_loop(s, v, st, 0, level);
    else begin(s, &(beginning){st->target, st->value, *v, st->free, level});
}

/* Parts that hold this one. */
static int depth_of(const model *md, int of)
{
    int depth = 0;
    while ((of = md->parts.at[of].parent) >= 0) depth++;
    return depth;
}

static void visit_parts(starter *s)
{
    const model *md = s->w->md;
    for (int of = 0; of < md->parts.n && !world_is_full(s->w); of++) {
        const sys *y = form_of(s->w, of)->of;
        if (!(y->has & 1u << STMT_START)) continue;
        env v = env_of_part(of);
        int level = depth_of(md, of);
        for (int i = 0; i < y->of->count; i++) visit(s, &v, y->of->statement[i], level);
    }
}

/* The command line is read first and has the lowest level, so nothing replaces it. Where each
 * start was written is known only until ties are checked. */
void evaluate_starts(world *w, values *out)
{
    int     n = w->md->coordinates;
    size_t  bytes = (size_t)(n ? n : 1) * sizeof(int);
    starter s = {.w = w, .out = out};
    s.q_level = mem_resize(w->m, NULL, bytes), s.rate_level = mem_resize(w->m, NULL, bytes);
    const turning *t = w->md->turns;
    out->q = mem_array(w->m, turning_width(t, n), double);
    s.in_space = mem_array(w->m, t ? t->count : 0, bool);
    for (int k = 0; t && k < t->count; k++)
        out->q[n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k] = 1;
    out->v = mem_array(w->m, n, double);
    out->p = mem_array(w->m, n, double);
    out->given = mem_array(w->m, n, unsigned char);
    out->start_at = mem_resize(w->m, NULL, (size_t)(n + 1) * sizeof *out->start_at);
    out->rate_at = mem_resize(w->m, NULL, (size_t)(n + 1) * sizeof *out->rate_at);
    for (int i = 0; i < n; i++) {
        s.q_level[i] = s.rate_level[i] = NOWHERE;
        out->start_at[i] = out->rate_at[i] = span_none();
    }
    int before = w->ds->errors;
    for (int i = 0; i < w->begin.n; i++)
        begin(&s, &(beginning){w->begin.at[i].target, w->begin.at[i].value, env_of_part(0), false,
                               COMMAND_LINE});
    visit_parts(&s);
    set_matrices(out, t, n), turn_to_body(&s);
    mem_drop(w->m, s.q_level), mem_drop(w->m, s.rate_level);
    if (w->ds->errors == before) evaluate_ties(w, out);
    mem_drop(w->m, out->start_at), mem_drop(w->m, out->rate_at);
    out->start_at = out->rate_at = NULL;
}
