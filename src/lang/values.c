/* values.c - the numbers of a run: parameters, inputs, starts, settings and columns, from the text
 * and the command line.
 *
 * They are computed anew for every simulation, so that a parameter can be changed without making
 * the model again. */
#include "lang/values.h"

#include <math.h>
#include <string.h>

/* Parameters and inputs. ----------------------------------------------------------------------- */

/* Calls f for every element of the members of a kind. */
static void each_element(world *w, member_kind                                             kind,
                         void (*f)(world *, const spot *, int index, double *out), double *out)
{
    for (int of = 0; of < w->md->parts.n && !world_is_full(w); of++) {
        const part *p = &w->md->parts.at[of];
        const sys  *s = form_of(w, of)->of;
        for (int i = 0; p->shape->count[kind] && i < p->shape->members; i++) {
            const member *mb = &p->shape->member[i];
            spot          at = {.s = s->member.at[i], .part = of};
            for (int k = 0; mb->kind == kind && k < mb->count; k++) {
                at.offset = k;
                indices_of_offset(mb->extent, mb->dims, k, at.index);
                f(w, &at, p->base[kind] + mb->offset + k, out);
            }
        }
    }
}

/* Computes what was not asked for yet. */
static void one_parameter(world *w, const spot *at, int index, double *out)
{
    out[index] = parameter_at(w, at, at->s->at);
}

/* Inputs that an outer system gives are no numbers of the run. */
static void one_input(world *w, const spot *at, int index, double *out)
{
    if (!w->md->bound[index]) out[index] = given_value(w, at);
}

/* Parameters on which sizes depend keep the values with which the model was made. */
static void keep_structural(world *w, const language *kept)
{
    for (int i = 0; i < kept->built.n; i++) {
        built b = kept->built.at[i];
        w->parameter.at[b.parameter] = b.value, w->state.at[b.parameter] = SEEN;
    }
}

/* Sizes were made with another value: it can only be set when the model is loaded. */
static void check_structural(world *w, const override *o, spot at, int count)
{
    const member *mb = member_of(w, at.part, at.s);
    int           first = at.offset;
    for (int i = first; i < first + count; i++) {
        at.offset = i;
        indices_of_offset(mb->extent, mb->dims, i, at.index);
        int index = index_of(w, MEMBER_PARAMETER, &at);
        if (!w->md->structural[index] || given_value(w, &at) == w->parameter.at[index]) continue;
        world_error(w, o->target->at, "set it when the model is loaded",
                    "sizes depend on '%s': it cannot change once the model is built", at.s->word);
        return;
    }
}

/* The targets of --set must exist, and be free to be set. */
static void check_targets(world *w)
{
    env root = env_of_part(0);
    for (int i = 0; i < w->set.n; i++) {
        const override *o = &w->set.at[i];
        spot            at;
        int             count;
        if (!locate_whole(w, &root, o->target, &at, &count)) continue;
        if (at.s->kind == SYM_PARAMETER) check_structural(w, o, at, count);
        else if (binding_of(w, at.part, at.s))
            world_error(w, o->target->at, NULL, "the input '%s' is bound by an outer system",
                        at.s->word);
    }
}

static void evaluate_parameters(world *w, const language *kept, values *out)
{
    const model *md = w->md;
    out->parameter = w->parameter.at;
    keep_structural(w, kept);
    check_targets(w);
    each_element(w, MEMBER_PARAMETER, one_parameter, out->parameter);
    out->input = mem_array(w->m, md->inputs, double);
    each_element(w, MEMBER_INPUT, one_input, out->input);
}

/* Settings. ------------------------------------------------------------------------------------ */

/* The canonical text of a scheme, with its numbers evaluated: "polynomial(2) with lobatto(3)". */
static void add_rule(world *w, const ast_rule *r, text *out)
{
    env root = env_of_part(0);
    if (!r->word) {
        text_number(out, number(w, &root, r->value));
        return;
    }
    text_add(out, r->word);
    for (int i = 0; i < r->options; i++) {
        text_add(out, i ? ", " : "(");
        add_rule(w, r->option[i], out);
    }
    if (r->options) text_add(out, ")");
    if (!r->with) return;
    text_add(out, " with ");
    add_rule(w, r->with, out);
}

/* steps and record are counts. */
static void evaluate_count(world *w, const ast_setting *s, setting *out)
{
    env root = env_of_part(0);
    int n;
    if (!whole(w, &root, s->value, &n)) return;
    out->number = n;
    if (n < 0) world_error(w, s->value->at, NULL, "'%s' is negative: %d", s->key, n);
}

/* Of `record = times` the text: "times 0.1", "times [1, 2.5]"; each number can be read back. */
static void add_times(world *w, const ast *a, text *out)
{
    env        root = env_of_part(0);
    const bool list = a->kind == AST_LIST;
    text_add(out, list ? "times [" : "times ");
    for (int i = 0; i < (list ? a->n : 1); i++) {
        if (i) text_add(out, ", ");
        text_number(out, number(w, &root, list ? a->arg[i] : a));
    }
    if (list) text_add(out, "]");
}

static void evaluate_number(world *w, const ast_setting *s, setting *out)
{
    env root = env_of_part(0);
    out->number = number(w, &root, s->value);
    if (!w->failed && !isfinite(out->number))
        world_error(w, s->value->at, NULL, "'%s' is not finite", s->key);
}

/* As it is written: it is read again where it is evaluated. */
static const char *words_at(world *w, span at)
{
    return mem_printf(w->m, "%.*s", at.end - at.start, at.of->text + at.start);
}

/* Words, rules or numbers, by the key; keys before SET_STEP are words. */
static setting evaluate_setting(world *w, setting_key key, const ast_setting *s)
{
    setting out = {.given = true, .at = s->at};
    text    words = text_new(w->m);
    w->failed = false;
    if (s->rule) add_rule(w, s->rule, &words), out.words = text_str(&words);
    else if (s->principle) out.words = s->principle;
    else if (s->times) add_times(w, s->value, &words), out.words = text_str(&words);
    else if (key == SET_PACE) out.words = words_at(w, s->value->at), out.at = s->value->at;
    else if (key < SET_STEP) out.words = s->value->step->word;
    else if (key == SET_STEPS || key == SET_RECORD) evaluate_count(w, s, &out);
    else evaluate_number(w, s, &out);
    return out;
}

/* Settings of the block; unknown ones were refused before. */
static void evaluate_settings(world *w, values *out)
{
    const ast_simulate *sim = w->l->simulate;
    for (int i = 0; sim && i < sim->count; i++)
        for (int k = 0; k < SETTINGS; k++)
            if (!strcmp(setting_name[k], sim->setting[i].key))
                out->set[k] = evaluate_setting(w, (setting_key)k, &sim->setting[i]);
}

/* What the caller says instead, where it is no plain number, which the plan can read by itself. */
static void evaluate_asked(world *w, lang *l, const overrides *over, values *out)
{
    for (int k = SET_STEP; k < SETTINGS; k++) {
        const source *of = over->setting[k];
        double        plain;
        ast          *value = NULL;
        bool          times = false;
        if (of && !text_is_number(of->text, &plain))
            value = setting_read(w, l, of, k == SET_RECORD, &times);
        if (!value) continue;
        ast_setting s = {.key = setting_name[k], .at = {of, 0, (int)of->length}, .value = value,
                         .times = times};
        out->set[k] = evaluate_setting(w, (setting_key)k, &s);
    }
}

/* All of it. ----------------------------------------------------------------------------------- */

/* A copy of the language that may be written to: the model's own may be shared. */
static lang *own_language(const language *kept, mem *m)
{
    lang  *l = mem_array(m, 1, lang);
    names *ns = mem_array(m, 1, names);
    *l = *kept->l;
    *ns = *kept->l->ns;
    ns->m = m;
    ns->table = mem_resize(m, NULL, (size_t)ns->room * sizeof *ns->table);
    memcpy(ns->table, kept->l->ns->table, (size_t)ns->room * sizeof *ns->table);
    l->m = m, l->ns = ns;
    return l;
}

/* No parameter is known yet. */
void world_begin(world *w, lang *l, const model *md, diags *ds, mem *m)
{
    world_init(w, l, md, ds, m);
    vec_reserve(m, w->parameter, md->parameters);
    vec_reserve(m, w->state, md->parameters);
    w->parameter.n = w->state.n = md->parameters;
    if (md->parameters) memset(w->state.at, UNSEEN, (size_t)md->parameters);
    for (int i = model_written(md); i < md->parameters; i++)
        w->parameter.at[i] = 0, w->state.at[i] = SEEN;
}

lang *world_again(world *w, const model *md, const overrides *over, diags *ds, mem *m)
{
    lang *l = own_language(md->language, m);
    world_begin(w, l, md, ds, m);
    if (over) overrides_read(w, l, over->set, over->sets, false);
    return l;
}

/* In this order: settings and starts may hold parameters. */
void evaluate_numbers(world *w, lang *l, const overrides *over, values *out)
{
    evaluate_parameters(w, w->md->language, out);
    evaluate_settings(w, out);
    if (over) evaluate_asked(w, l, over, out);
    evaluate_starts(w, out);
}

/* Where a setting that is missing would stand: its first word, not all of the block. */
static span place_of_settings(const lang *l)
{
    if (!l->simulate) return l->root->of->word_at;
    span at = l->simulate->at;
    return at.end = at.start + (int)strlen("simulate"), at;
}

/* Everything lives in m. DAL_INVALID: ds says why, and out is not to be used. */
dal_status language_evaluate(const model *md, const overrides *over, diags *ds, mem *m, values *out)
{
    int   before = ds->errors;
    world w;
    lang *l = world_again(&w, md, over, ds, m);
    *out = (values){0};
    if (over) overrides_read(&w, l, over->start, over->starts, true);
    if (ds->errors > before) return DAL_INVALID;
    evaluate_numbers(&w, l, over, out);
    evaluate_columns(&w, l, over ? over->columns : NULL, out);
    out->simulate = place_of_settings(w.l);
    diags_sort(ds);
    return ds->errors > before ? DAL_INVALID : DAL_OK;
}
