/* columns.c - the columns asked for by name: one thing, a whole array, or all of a part. */
#include "lang/values.h"

#include <string.h>

typedef struct {
    world *w;
    vec(column) list;
    int *first, *named; /* relations with a name: those of a part begin at named[first[part]] */
} picker;

/* Relations without a name cannot be asked for. */
static bool has_name(const relation *r)
{
    return r->member >= 0;
}

/* By part, in the order of the relations: a counting sort, made when a whole part is first asked
 * for. */
static void index_relations(picker *p)
{
    const model *md = p->w->md;
    mem         *m = p->w->m;
    if (p->first) return;
    p->first = mem_array(m, md->parts.n + 2, int);
    p->named = mem_array(m, md->relations + 1, int);
    int *next = p->first + 1;
    for (int i = 0; i < md->relations; i++)
        if (has_name(&md->relation.at[i])) next[md->relation.at[i].part + 1]++;
    for (int k = 0; k < md->parts.n; k++) next[k + 1] += next[k];
    for (int i = 0; i < md->relations; i++)
        if (has_name(&md->relation.at[i])) p->named[next[md->relation.at[i].part]++] = i;
}

static void add_range(picker *p, column_kind kind, int from, int to)
{
    for (int i = from; i < to; i++) vec_push(p->w->m, p->list, (column){kind, i});
}

/* first index of a kind that belongs to a part from `of` on: bases ascend */
static int base_of(const model *md, int of, member_kind kind)
{
    const int total[MEMBER_KINDS] = {[MEMBER_COORDINATE] = md->coordinates,
                                     [MEMBER_OUTPUT] = md->outputs,
                                     [MEMBER_SYMMETRY] = md->symmetries};
    return of < md->parts.n ? md->parts.at[of].base[kind] : total[kind];
}

/* Positions, momenta, outputs, momenta of symmetries and reactions of a part and all below it. */
static void add_part(picker *p, int of)
{
    static const struct {
        member_kind from;
        column_kind to;
    } kinds[] = {{MEMBER_COORDINATE, COL_Q},
                 {MEMBER_COORDINATE, COL_P},
                 {MEMBER_OUTPUT, COL_OUTPUT},
                 {MEMBER_SYMMETRY, COL_SYMMETRY}};
    const model *md = p->w->md;
    /* parts below it follow it without a gap, up to energy_last - 1 */
    int last = md->parts.at[of].energy_last;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        add_range(p, kinds[i].to, base_of(md, of, kinds[i].from), base_of(md, last, kinds[i].from));
    index_relations(p);
    for (int i = p->first[of]; i < p->first[last]; i++)
        add_range(p, COL_MULTIPLIER, p->named[i], p->named[i] + 1);
}

/* An input that an outer system gives is an expression of that system, and has no number. */
static void add_inputs(picker *p, const ast *path, const spot *at, int count)
{
    const int  first = index_of(p->w, MEMBER_INPUT, at);
    const span written = path->at;
    if (p->w->md->bound[first])
        world_error(p->w, written,
                    mem_printf(p->w->m, "an output can be recorded: output NAME = %.*s",
                               written.end - written.start, written.of->text + written.start),
                    "the input '%s' is bound by an outer system, and is not a column", at->s->word);
    else add_range(p, COL_INPUT, first, first + count);
}

/* One thing, all of an array without indices, or all of a part. */
static void add_symbol(picker *p, const ast *path, bool momentum)
{
    world *w = p->w;
    env    root = env_of_part(0);
    spot   at;
    int    count;
    if (!locate_whole(w, &root, path, &at, &count)) return;
    switch (at.s->kind) {
    case SYM_COORDINATE: {
        int first = index_of(w, MEMBER_COORDINATE, &at);
        add_range(p, momentum ? COL_P : COL_Q, first, first + count);
        break;
    }
    case SYM_OUTPUT: {
        int first = index_of(w, MEMBER_OUTPUT, &at);
        add_range(p, COL_OUTPUT, first, first + count);
        break;
    }
    case SYM_INPUT: add_inputs(p, path, &at, count); break;
    case SYM_RELATION: {
        int first = index_of(w, MEMBER_RELATION, &at);
        add_range(p, COL_MULTIPLIER, first, first + count);
        break;
    }
    case SYM_SYMMETRY: {
        int first = index_of(w, MEMBER_SYMMETRY, &at);
        add_range(p, COL_SYMMETRY, first, first + 1);
        break;
    }
    default:
        for (int i = 0; i < count; i++)
            add_part(p, w->md->child.at[index_of(w, MEMBER_PART, &at) + i]);
    }
}

/* R.w, n[1], p(R)[3]: what is shown of one rotation or direction, or of each of an array. */
static void add_component(picker *p, const ast *a)
{
    const bool     of_p = a->arg[0]->kind == AST_CALL;
    const turning *t = p->w->md->turns;
    env            root = env_of_part(0);
    spot           at;
    int            count;
    if (!locate_whole(p->w, &root, of_p ? a->arg[0]->arg[0] : a->arg[0], &at, &count)) return;
    const int first = index_of(p->w, MEMBER_COORDINATE, &at);
    for (int i = first; i < first + count; i += 3) {
        const int c = turning_column(t, p->w->md->coordinates, t->of_row[i],
                                     (int)a->arg[1]->number - 1, of_p);
        add_range(p, of_p ? COL_P : COL_Q, c, c + 1);
    }
}

/* t, energy, discrete_energy and h are columns, unless a declared name hides them. */
static void add_column(picker *p, const ast *a)
{
    static const struct {
        const char *word;
        column_kind kind;
    } special[] = {{"t", COL_TIME},
                   {"energy", COL_ENERGY},
                   {"discrete_energy", COL_DISCRETE_ENERGY},
                   {"h", COL_H}};
    bool plain = a->kind == AST_PATH && !a->ref;
    for (size_t i = 0; plain && i < sizeof special / sizeof *special; i++)
        if (!strcmp(special[i].word, a->step->word)) add_range(p, special[i].kind, 0, 1);
    if (a->kind == AST_COMPONENT) add_component(p, a);
    else if (!plain) add_symbol(p, a->kind == AST_PATH ? a : a->arg[0], a->kind == AST_CALL);
}

static void pick(world *w, ast *const *column_ast, int n, values *out)
{
    picker p = {.w = w};
    for (int i = 0; i < n; i++) add_column(&p, column_ast[i]);
    out->columns_given = true;
    out->columns = p.list.n, out->column = p.list.at;
}

/* Columns of the command line replace those of the simulate block. Errors go to w->ds, and out
 * stays without columns. */
void evaluate_columns(world *w, lang *l, const source *asked, values *out)
{
    if (!asked) {
        const ast_simulate *sim = w->l->simulate;
        for (int i = 0; sim && i < sim->count; i++)
            if (sim->setting[i].columns)
                pick(w, sim->setting[i].column, sim->setting[i].columns, out);
        return;
    }
    resolver r = {.l = l, .ds = w->ds, .late = true};
    ast    **list;
    int      n, before = w->ds->errors;
    if (!parse_columns_text(l->m, l->ns, w->ds, asked, &list, &n)) return;
    for (int i = 0; i < n; i++) resolve_column(&r, list[i]);
    if (w->ds->errors == before) pick(w, list, n, out);
}
