/* number.c - evaluates expressions that are numbers before a run begins: sizes, parameters, starts,
 * settings. */
#include "lang/vectors.h"

#include <limits.h>
#include <math.h>

/* Parameters. ---------------------------------------------------------------------------------- */

/* Do the indices of the path, which must be numbers, lead to this element? */
static bool same_indices(world *w, const ast_step *st, const int *index)
{
    env root = env_of_part(0);
    for (int i = 0; i < st->n; i++) {
        int k;
        if (!whole(w, &root, st->index[i], &k) || k != index[i]) return false;
    }
    return true;
}

/* Does the path of an override, followed from the whole, end at this parameter? */
static bool leads_to(world *w, const ast *path, const spot *at)
{
    symbol *const *s = path_symbols(path);
    spot           here = *at;
    for (int i = path->steps - 1;; i--) {
        if (s[i] != here.s || !same_indices(w, &path->step[i], here.index)) return false;
        const part *p = &w->md->parts.at[here.part];
        if (i == 0 || p->parent < 0) return i == 0 && p->parent < 0;
        const member *mb = &w->md->parts.at[p->parent].shape->member[p->member];
        here.s = form_of(w, p->parent)->of->member.at[p->member];
        here.part = p->parent;
        indices_of_offset(mb->extent, mb->dims, p->offset, here.index);
    }
}

/* The last override of a parameter counts. */
static const override *override_of(world *w, const spot *at)
{
    for (int i = w->set.n - 1; i >= 0; i--)
        if (path_last(w->set.at[i].target) == at->s && leads_to(w, w->set.at[i].target, at))
            return &w->set.at[i];
    return NULL;
}

static const char *shape_text(mem *m, const extent *x, int dims);

/* Of an array that takes the values of another one, of the same shape: where they come from. */
bool same_place(world *w, const env *v, const ast *path, const extent *x, const spot *at, spot *out)
{
    if (!locate(w, v, path, out)) return false;
    const form   *there = form_of(w, out->part);
    const extent *y = there ? there->extent[out->s->number] : NULL;
    bool          fits = x && y && out->s->dims == at->s->dims;
    /* the same distance from the beginning in every dimension, whatever the ranges are called */
    for (int i = 0; i < at->s->dims && fits; i++) {
        const int count = y[i].high - y[i].low + 1;
        fits = x[i].high - x[i].low + 1 == count;
        out->index[i] = y[i].low + at->index[i] - x[i].low;
        out->offset = out->offset * count + at->index[i] - x[i].low;
    }
    if (!fits)
        world_error(w, path->at,
                    x && y ? mem_printf(w->m, "%s has %s numbers, and %s has %s", at->s->word,
                                        shape_text(w->m, x, at->s->dims), out->s->word,
                                        shape_text(w->m, y, out->s->dims))
                           : "a size may depend on single numbers",
                    "'%s' needs an array of another shape", at->s->word);
    return fits;
}

/* The number for an array's element; its last `open` indices lead to it in the value. */
double value_of_element(world *w, const env *v, const ast *value, const extent *x, const spot *at,
                        int open)
{
    const int  first = at->s->dims - open;
    int        component;
    const ast *mine = element_of(w, value, x ? x + first : NULL, open, at->index + first,
                                 at->s->word, &component);
    return !mine                         ? 0
           : mine->shape == SHAPE_NUMBER ? number(w, v, mine)
                                         : numbers(w, v, mine).at[component].x;
}

/* The value of a parameter, of an input by default: own, outer argument, command line; the last
 * wins. */
static double value_at(world *w, const spot *at, const ast **from)
{
    const extent *x =
        w->md->parts.at[at->part].shape ? form_of(w, at->part)->extent[at->s->number] : NULL;
    const override   *o = override_of(w, at);
    const definition *d = o ? NULL : binding_of(w, at->part, at->s);
    env               v = o ? env_of_part(0) : d ? env_of_binding(w, at->part) : env_of_spot(at);
    *from = o ? o->value : d ? d->value : at->s->def.value;
    if (!*from) return 0;
    const bool own = !o && !d, row = own && rank_of((*from)->shape);
    /* an array that is given by the name of another takes its element in the same place, unless
     * every row of it is that vector */
    if (names_array(*from) && at->s->dims && !o && !row) {
        spot there;
        return same_place(w, &v, *from, x, at, &there) ? parameter_at(w, &there, (*from)->at) : 0;
    }
    const int own_dims = at->s->dims - rank_of((*from)->shape);
    const int given = own && (*from)->kind != AST_LIST && own_dims >= 0 ? own_dims : 0;
    const int open =
        o ? at->s->dims - o->target->step[o->target->steps - 1].n : at->s->dims - given;
    return value_of_element(w, &v, *from, x, at, open);
}

/* By the name that users know; of a part that is being laid out, by its own name. */
static void report_not_finite(world *w, const spot *at, const ast *from, double x)
{
    text        word = text_new(w->m), value = text_new(w->m);
    member_kind kind = at->s->kind == SYM_INPUT ? MEMBER_INPUT : MEMBER_PARAMETER;
    if (isnan(x)) text_add(&value, "not a number");
    else text_number(&value, x);
    if (form_of(w, at->part)) model_name(w->md, kind, index_of(w, kind, at), &word);
    else text_add(&word, at->s->word);
    world_error(w, from->at, NULL, "%s '%s' is not finite: %s", symbol_word[at->s->kind],
                text_str(&word), text_str(&value));
    text_drop(&word), text_drop(&value);
}

/* 0 after an error, which was reported; errors before this one stay noted. */
double given_value(world *w, const spot *at)
{
    const ast *from;
    bool       before = w->failed;
    w->failed = false;
    double x = value_at(w, at, &from);
    if (!isfinite(x) && !w->failed) report_not_finite(w, at, from, x);
    w->failed |= before;
    return isfinite(x) ? x : 0;
}

/* A part that is being laid out has no indices yet; what it needs is computed anew, and noted. */
static double early_parameter(world *w, const spot *at)
{
    double x = given_value(w, at);
    vec_push(w->m, w->early, *at);
    return x;
}

static void report_cycle(world *w, int parameter, span user)
{
    text chain = text_new(w->m), word = text_new(w->m);
    int  i = w->active.n - 1;
    while (i > 0 && w->active.at[i] != parameter) i--;
    for (; i < w->active.n; i++) {
        model_name(w->md, MEMBER_PARAMETER, w->active.at[i], &chain);
        text_add(&chain, " -> ");
    }
    model_name(w->md, MEMBER_PARAMETER, parameter, &word);
    world_error(w, user, NULL, "'%s' depends on itself: %s%s", text_str(&word), text_str(&chain),
                text_str(&word));
    text_drop(&chain), text_drop(&word);
}

/* Computed when it is first asked for; ACTIVE while that lasts, so that cycles are found. */
double parameter_at(world *w, const spot *at, span user)
{
    if (!w->md->parts.at[at->part].shape) return early_parameter(w, at);
    int i = index_of(w, MEMBER_PARAMETER, at);
    if (w->state.at[i] == ACTIVE) report_cycle(w, i, user);
    if (w->state.at[i] == UNSEEN) {
        w->state.at[i] = ACTIVE, w->parameter.at[i] = 0;
        vec_push(w->m, w->active, i);
        double x = given_value(w, at);
        w->active.n--;
        w->parameter.at[i] = x, w->state.at[i] = SEEN;
    }
    return w->parameter.at[i];
}

/* Expressions. --------------------------------------------------------------------------------- */

/* Time, coordinates and inputs cannot be here: the static rules have refused them. */
static double number_of_path(world *w, const env *v, const ast *a)
{
    const symbol *s = path_symbols(a)[0];
    if (s->kind == SYM_INDEX) return v->index[s->number];
    if (s->kind == SYM_FORMAL) return v->actual[s->number].number[argument_component(w, v, a)];
    if (s->kind == SYM_PI) return 3.14159265358979323846;
    spot at;
    if (!locate(w, v, a, &at)) return 0;
    if (at.s->kind == SYM_PARAMETER) return parameter_at(w, &at, a->at);
    return numbers_of_definition(w, &at).at[at.offset % components_of(at.s->shape)].x;
}

/* Index k of the sum, and those after it. */
static double number_of_sum(world *w, env *v, const ast *a, int k)
{
    if (k == a->indices) return number(w, v, a->arg[0]);
    const sum_note *note = a->ref;
    int             low, high;
    double          total = 0;
    if (!range(w, v, &a->index[k], &low, &high)) return 0;
    for (int i = low; i <= high && !w->failed; i++) {
        v->index[note->frame + k] = i;
        total += number_of_sum(w, v, a, k + 1);
    }
    return total;
}

/* A function of the file sees no part. */
static double number_of_function(world *w, const env *v, const ast *a, const symbol *f)
{
    actual *given = arguments_of(w, v, a);
    if (!given) return 0;
    env    inner = {.part = f->home ? v->part : -1, .actual = given};
    double x = number(w, &inner, f->def.value);
    mem_drop(w->m, given);
    return x;
}

static double number_of_call(world *w, const env *v, const ast *a)
{
    const callee *f = a->ref;
    if (f->f) return number_of_function(w, v, a, f->f);
    if (f->b->kind == FN_IF) return number(w, v, a->arg[condition(w, v, a->arg[0]) ? 1 : 2]);
    if (f->b->kind == FN_DOT || f->b->kind == FN_NORM) return number_from_vectors(w, v, a);
    double x = number(w, v, a->arg[0]);
    if (f->b->kind == FN_D) return 0; /* of a constant */
    double y = a->n > 1 ? number(w, v, a->arg[1]) : 0;
    if (f->b->kind == FN_MOD) return x - y * floor(x / y);
    x = op_value(f->b->op, x, y, 0);
    for (int i = 2; i < a->n; i++) x = op_value(f->b->op, x, number(w, v, a->arg[i]), 0);
    return x;
}

/* Whole exponents are products, as in a run: the bits are the same. */
static double power(double x, double n)
{
    return n == floor(n) && fabs(n) <= 1024 ? powi_value(x, (int)n) : pow(x, n);
}

/* The value of an expression that holds no state. After an error 0, and w->failed. */
double number(world *w, const env *v, const ast *a)
{
    double x;
    env    inner;
    switch (a->kind) {
    case AST_NUMBER: return a->number;
    case AST_PATH: return number_of_path(w, v, a);
    case AST_CALL: return number_of_call(w, v, a);
    case AST_SUM: inner = *v; return number_of_sum(w, &inner, a, 0);
    case AST_ADD:
        x = number(w, v, a->arg[0]);
        for (int i = 1; i < a->n; i++)
            x += a->flag[i] ? -number(w, v, a->arg[i]) : number(w, v, a->arg[i]);
        return x;
    case AST_MUL:
        x = number(w, v, a->arg[0]);
        for (int i = 1; i < a->n; i++)
            if (a->flag[i]) x /= number(w, v, a->arg[i]);
            else x *= number(w, v, a->arg[i]);
        return x;
    case AST_NEG: return -number(w, v, a->arg[0]);
    case AST_POW: return power(number(w, v, a->arg[0]), number(w, v, a->arg[1]));
    case AST_PRIME: return 0; /* of a constant */
    case AST_COMPONENT: return number_from_vectors(w, v, a);
    default: return condition(w, v, a);
    }
}

/* A number counts as true where it is not 0. */
bool condition(world *w, const env *v, const ast *a)
{
    bool all = a->kind == AST_AND;
    switch (a->kind) {
    case AST_NOT: return !condition(w, v, a->arg[0]);
    case AST_AND:
    case AST_OR:
        for (int i = 0; i < a->n; i++)
            if (condition(w, v, a->arg[i]) != all) return !all;
        return all;
    case AST_COMPARE: break;
    default: return number(w, v, a) != 0;
    }
    double x = number(w, v, a->arg[0]), y = number(w, v, a->arg[1]);
    switch (a->compare) {
    case CMP_LT: return x < y;
    case CMP_LE: return x <= y;
    case CMP_GT: return x > y;
    case CMP_GE: return x >= y;
    case CMP_EQ: return x == y;
    default: return x != y;
    }
}

/* Of what a path names: is it a number already, without asking for more parameters? */
static bool is_known_path(world *w, const env *v, const ast *a)
{
    const symbol *s = path_symbols(a)[0];
    spot          at;
    if (s->kind == SYM_INDEX || s->kind == SYM_PI) return true;
    if (s->kind == SYM_FORMAL) return s->structural;
    if (!locate(w, v, a, &at)) return false;
    if (at.s->kind == SYM_PARAMETER) return w->state.at[index_of(w, MEMBER_PARAMETER, &at)] == SEEN;
    env inner = env_of_spot(&at);
    return at.s->kind == SYM_LET && is_known(w, &inner, at.s->def.value);
}

/* Parameters that sizes depend on are known while the model is made; to ask for another would make
 * its structure depend on that one too. */
bool is_known(world *w, const env *v, const ast *a)
{
    const callee *f = a->kind == AST_CALL ? a->ref : NULL;
    if (a->kind == AST_PATH) return is_known_path(w, v, a);
    bool fine = a->kind != AST_SUM && a->kind != AST_PRIME && !(f && f->f);
    for (int i = 0; fine && i < a->n; i++) fine = is_known(w, v, a->arg[i]);
    return fine;
}

/* Whole numbers. ------------------------------------------------------------------------------- */

/* Always false; nothing is said if the number itself was wrong. */
static bool not_whole(world *w, const env *v, const ast *a, double x)
{
    text loop = text_new(w->m), value = text_new(w->m);
    text_number(&value, x);
    add_loop_values(&loop, v, a);
    if (!w->failed)
        world_error(w, a->at,
                    loop.n && a->kind != AST_PATH ? mem_printf(w->m, "here %s", text_str(&loop))
                                                  : NULL,
                    "a whole number is needed here, not %s", text_str(&value));
    text_drop(&loop), text_drop(&value);
    return false;
}

/* products of whole numbers; a division must come out even */
static bool whole_product(world *w, const env *v, const ast *a, double *out)
{
    double x = 1;
    for (int i = 0; i < a->n; i++) {
        int k = 0;
        if (!whole(w, v, a->arg[i], &k)) return false;
        if (a->flag[i] && (k == 0 || fmod(x, k) != 0)) return not_whole(w, v, a, x / k);
        x = a->flag[i] ? x / k : x * k;
    }
    *out = x;
    return true;
}

/* Sums and products of whole numbers are followed, so that a division that does not come out
 * even is named where it stands. */
bool whole(world *w, const env *v, const ast *a, int *out)
{
    const symbol *s = a->kind == AST_PATH ? path_symbols(a)[0] : NULL;
    if (s && s->kind == SYM_INDEX) {
        *out = v->index[s->number];
        return true;
    }
    double x = 0;
    bool   before = w->failed;
    w->failed = false;
    if (a->kind == AST_MUL) {
        if (!whole_product(w, v, a, &x)) return false;
    } else if (a->kind == AST_ADD) {
        for (int i = 0; i < a->n; i++) {
            int k = 0;
            if (!whole(w, v, a->arg[i], &k)) return false;
            x += a->flag[i] ? -(double)k : k;
        }
    } else x = number(w, v, a);
    if (w->failed) return false;
    w->failed = before;
    if (x != floor(x)) return not_whole(w, v, a, x);
    if (fabs(x) > INT_MAX / 2) {
        world_error(w, a->at, NULL, "%.17g is too large here", x);
        return false;
    }
    *out = (int)x;
    return true;
}

void refuse_values(world *w, span at)
{
    world_error(w, at, "nested sums and loops multiply; --limit N allows more",
                "the sums and loops of this model run through more than %.0f values", w->l->values);
}

/* Loops within loops multiply: what they run through in all is bounded, so that a wrong size is a
 * message and not an endless wait. */
bool range(world *w, const env *v, const ast_index *x, int *low, int *high)
{
    *low = 1;
    if ((x->low && !whole(w, v, x->low, low)) || !whole(w, v, x->high, high)) return false;
    if (*high - *low >= RANGE_LONGEST) {
        world_error(w, x->high->at, NULL, "this range is too long: from %d to %d", *low, *high);
        return false;
    }
    if (*high >= *low) w->visited += (double)*high - *low + 1;
    if (w->visited <= w->l->values) return true;
    refuse_values(w, x->high->at);
    return false;
}

/* Lists. --------------------------------------------------------------------------------------- */

/* "3 by 4" */
static const char *shape_text(mem *m, const extent *x, int dims)
{
    text t = text_new(m);
    for (int i = 0; i < dims; i++)
        text_printf(&t, "%s%d", i ? " by " : "",
                    x[i].high < x[i].low ? 0 : x[i].high - x[i].low + 1);
    return text_str(&t);
}

/* Do the dimensions from i on count as many as the vector or matrix that is given? */
static bool fits_vector(const extent *x, int i, int dims, ast_shape shape)
{
    bool fits = i < dims && dims - i == rank_of(shape);
    for (; fits && i < dims; i++) fits = x[i].high - x[i].low + 1 == 3;
    return fits;
}

/* Down a list of lists, one for each dimension, to the number at `index`, or to a vector of which
 * it is a component; NULL: its shape is another one, and that was said. */
const ast *element_of(world *w, const ast *value, const extent *x, int dims, const int *index,
                      name word, int *component)
{
    const ast *a = value;
    int        i = 0;
    *component = 0;
    while (x && i < dims && a->kind == AST_LIST && a->n == x[i].high - x[i].low + 1) {
        a = a->arg[index[i] - x[i].low];
        i++;
    }
    if (x && a->kind != AST_LIST && fits_vector(x, i, dims, a->shape)) {
        for (; i < dims; i++) *component = 3 * *component + index[i] - x[i].low;
        return a;
    }
    if (a->kind != AST_LIST && a->shape == SHAPE_NUMBER && (!x || i == dims)) return a;
    if (names_array(a))
        world_error(w, a->at, mem_printf(w->m, "one of its elements is %s[k]", path_symbol(a)->word),
                    "'%s' is an array, not a number", path_symbol(a)->word);
    else if (!dims)
        world_error(w, value->at,
                    mem_printf(w->m, "an array is declared with its size: %s[%d]", word,
                               value->kind == AST_LIST ? value->n : 3),
                    "'%s' is not an array and cannot take a %s", word,
                    value->kind == AST_LIST ? "list" : "vector");
    else
        world_error(
            w, value->at,
            x ? mem_printf(w->m, "a list of %s numbers is needed", shape_text(w->m, x, dims))
              : NULL,
            value->kind == AST_LIST ? "'%s' needs a list of another shape"
                                    : "'%s' is an array and needs a list, not %s",
            word, shape_phrase(value->shape));
    return NULL;
}
