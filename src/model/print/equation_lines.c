/* equation_lines.c - equations in lines that fit, and the definitions of the names that they use.
 */
#include "model/print/equation_lines.h"

#include <string.h>

int page_width(page *p, expr e)
{
    text scratch = text_new(p->g.m);
    expr_print_fair(&p->g, e, page_name_plain, p, &scratch);
    const int n = (int)scratch.n;
    text_drop(&scratch);
    return n;
}

/* The widest sum within e that fits a line; EXPR_NONE: there is none worth a name. */
static expr widest_sum(page *p, expr e)
{
    enum { WORTH = 12 };
    uint8_t *within = mem_resize(p->g.m, NULL, (size_t)e + 1);
    expr     best = EXPR_NONE;
    int      most = WORTH;
    memset(within, 0, (size_t)e), within[e] = 1;
    for (int k = e; k >= 0; k--) {
        if (!within[k]) continue;
        for (int i = 0; i < node_of(&p->g, k)->n; i++) within[args_of(&p->g, k)[i]] = 1;
        if (k == e || expr_opcode(&p->g, k) != OP_ADD) continue;
        const int wide = page_width(p, k);
        if (wide > most && wide < p->as->most - 10) best = k, most = wide;
    }
    mem_drop(p->g.m, within);
    return best;
}

/* The first term that a line is too short for; EXPR_NONE: all fit. */
static expr too_wide(page *p, expr e, int used)
{
    const bool sum = expr_opcode(&p->g, e) == OP_ADD;
    const int  n = sum ? node_of(&p->g, e)->n : 1;
    for (int i = 0; i < n; i++) {
        const expr term = sum ? args_of(&p->g, e)[i] : e;
        if (page_width(p, term) + used > p->as->most) return term;
    }
    return EXPR_NONE;
}

/* One more name, of ours. */
static void name_sum(page *p, expr value)
{
    named_let *of = mem_array(p->g.m, 1, named_let);
    const int  k = p->names, before = p->first + p->rows;
    of->name = mem_printf(p->g.m, "%s%d", p->prefix, (k - p->lets) / 2 + 1);
    p->name[k] = (page_name){of, false, false, value, value};
    p->name[k + 1] = (page_name){of, true, false, EXPR_NONE, EXPR_NONE};
    p->names += 2;
    p->known[p->fold.n++] = (expr_named){value, expr_var(&p->g, before + k), false};
}

/* A sum that is too long for a line keeps common factors in its terms, so that it can be broken. */
static expr folded_to_fit(page *p, expr e, int used)
{
    p->fold.spread = EXPR_NONE;
    const expr folded = expr_fold(&p->fold, e, true);
    if (page_width(p, folded) + used <= p->as->most) return folded;
    p->fold.spread = e;
    return expr_fold(&p->fold, e, true);
}

expr page_folded(page *p, expr e, int used)
{
    expr folded = folded_to_fit(p, e, used);
    while (p->prefix && p->names < p->lets + 2 * OURS_MOST) {
        const expr term = too_wide(p, folded, used);
        const expr sum = term == EXPR_NONE ? EXPR_NONE : widest_sum(p, term);
        if (sum == EXPR_NONE) break;
        name_sum(p, sum);
        folded = folded_to_fit(p, e, used);
    }
    return folded;
}

/* Names in e will be defined. */
static void use_names(page *p, expr e)
{
    const int before = p->first + p->rows, all = before + p->names;
    uint8_t  *used = mem_array(p->g.m, all + 1, uint8_t);
    expr_uses(&p->g, &e, 1, used, all);
    for (int k = 0; k < p->names; k++) p->name[k].used |= used[before + k] != 0;
}

/* What nobody reads to its end is cut between two words; the programs of `show` have all of it. */
static void cut_short(page *p, size_t begin)
{
    enum { READ_MOST = 2000 };
    size_t n = begin + READ_MOST;
    if (p->as != &writing_plain || p->out->n <= n) return;
    while (n > begin && p->out->at[n] != ' ') n--;
    p->out->n = n, p->out->at[n] = 0;
    text_add(p->out, " ...");
}

void page_print(page *p, expr e)
{
    const size_t begin = p->out->n;
    use_names(p, e);
    p->as->print(&p->g, e, page_name_variable, p, p->out);
    cut_short(p, begin);
}

static void print_term(page *p, expr term)
{
    const expr_op op = expr_opcode(&p->g, term);
    const bool    bracket = op == OP_ADD || op == OP_IF;
    text_add(p->out, bracket ? p->as->bracket_open : "");
    page_print(p, term);
    text_add(p->out, bracket ? p->as->bracket_close : "");
}

int page_left(const page *p, int width)
{
    return p->as->aligned ? p->as->indent : width + 3;
}

/* A positive term leads, so that b - a is not printed as -a + b. */
void page_print_sum(page *p, expr e, int used)
{
    const int n = node_of(&p->g, e)->n;
    int       lead = 0, at = used;
    if (expr_opcode(&p->g, e) != OP_ADD || used + page_width(p, e) <= p->as->most) {
        page_print(p, e);
        return;
    }
    while (lead < n && is_negative(&p->g, args_of(&p->g, e)[lead])) lead++;
    if (lead == n) lead = 0;
    for (int i = -1; i < n; i++) {
        if (i == lead) continue;
        const expr term = args_of(&p->g, e)[i < 0 ? lead : i];
        const int  wide = page_width(p, term) + 3;
        const bool minus = i >= 0 && is_negative(&p->g, term);
        if (i >= 0 && at + wide > p->as->most)
            text_add(p->out, p->as->next_line), at = p->as->indent;
        if (i >= 0) text_add(p->out, minus ? p->as->minus : p->as->plus);
        if (i >= 0) print_term(p, minus ? expr_neg(&p->g, term) : term);
        else page_print(p, term);
        at += wide;
    }
}

/* Of names that were used, and of those that these are made of, in the order of the model. */
void page_definitions(page *p)
{
    int found = 0, before;
    do {
        before = found, found = 0;
        for (int k = 0; k < p->names; k += 2) {
            p->name[k].used |= p->name[k + 1].used;
            if (p->name[k].used) found++, use_names(p, p->name[k].defined);
        }
    } while (found > before);
    if (found) text_add(p->out, p->margin), text_add(p->out, p->as->where);
    for (int k = 0; k < p->names; k += 2) {
        if (!p->name[k].used) continue;
        text_add(p->out, p->margin), text_add(p->out, p->as->line);
        p->as->name(p->name[k].of->name, false, p->out);
        text_add(p->out, p->as->equals);
        page_print_sum(p, p->name[k].defined, page_left(p, (int)strlen(p->name[k].of->name)));
        text_add(p->out, p->as->end_of_line);
    }
}
