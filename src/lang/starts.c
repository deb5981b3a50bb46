/* starts.c - where a run begins: the outermost start of a quantity wins, two on one level
 * contradict each other. */
#include "lang/values.h"

#include <limits.h>
#include <math.h>

enum { NOWHERE = INT_MAX, COMMAND_LINE = -1 };

typedef struct {
    world  *w;
    values *out;
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
    for (int i = 0; i < count && !w->failed; i++) {
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
    out->q = mem_array(w->m, n, double);
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
    mem_drop(w->m, s.q_level), mem_drop(w->m, s.rate_level);
    if (w->ds->errors == before) evaluate_ties(w, out);
    mem_drop(w->m, out->start_at), mem_drop(w->m, out->rate_at);
    out->start_at = out->rate_at = NULL;
}
