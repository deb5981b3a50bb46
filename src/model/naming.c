/* naming.c - names on demand: nothing is stored per instance, so a million of them cost nothing. */
#include "model/naming.h"

#include <ctype.h>
#include <string.h>

/* what stands around the name of a variable: in text, and in LaTeX */
static const struct {
    member_kind kind;
    const char *before, *after, *latex_before, *latex_after;
} form[FEEDS] = {
    [FROM_PARAMETER] = {MEMBER_PARAMETER, "", "", "", ""},
    [FROM_INPUT] = {MEMBER_INPUT, "", "", "", ""},
    [RATE_OF_INPUT] = {MEMBER_INPUT, "", "'", "\\dot{", "}"},
    [FROM_Q] = {MEMBER_COORDINATE, "", "", "", ""},
    [FROM_W] = {MEMBER_COORDINATE, "", "'", "", ""},
    [FROM_V] = {MEMBER_COORDINATE, "", "'", "", ""},
    [FROM_LAM] = {MEMBER_RELATION, "lambda(", ")", "\\lambda_{", "}"},
    [FROM_P] = {MEMBER_COORDINATE, "p(", ")", "p_{", "}"},
};

/* w of a Hamiltonian coordinate is its momentum */
static feed_kind seen_as(const model *md, feed_kind from, int index)
{
    return from == FROM_W && md->hamiltonian && md->hamiltonian[index] ? FROM_P : from;
}

/* Is it a row of a rotation or a direction? */
static bool turns(const model *md, int row)
{
    return md->turns && md->turns->of_row[row] >= 0;
}

/* What is no member of a part, entries, spins and momenta of rotations, and multipliers of
 * relations without a name: lambda[row]. */
static bool name_special(const compiled *c, feed_kind from, int index, bool latex, text *out)
{
    if (from == FROM_TIME) {
        text_add(out, "t");
    } else if (from == FROM_DATA) {
        text_number(out, c->md->data.at[index]);
    } else if (from == FROM_Q && index >= c->md->coordinates) {
        const int entry = index - c->md->coordinates;
        model_turning_name(c->md, entry / TURNING_MATRIX, out);
        text_printf(out, latex ? "_{%d%d}" : "[%d][%d]", entry % TURNING_MATRIX / 3 + 1,
                    entry % 3 + 1);
    } else if ((from == FROM_V || from == FROM_W) && turns(c->md, index)) {
        const turning *t = c->md->turns;
        const int      k = t->of_row[index];
        text_add(out, latex ? "\\Omega_{" : "bodyspin(");
        model_turning_name(c->md, k, out);
        text_printf(out, latex ? ",%d}" : ")[%d]", index - t->first[k] + 1);
    } else if (from == FROM_P && turns(c->md, index)) {
        const turning *t = c->md->turns;
        const int      k = t->of_row[index];
        if (latex) text_add(out, "P_{"), model_turning_name(c->md, k, out);
        if (latex) text_printf(out, ",%d}", index - t->first[k] + 1);
        else model_body_momentum_name(c->md, index, out);
    } else if (from == FROM_ENERGY) {
        text_add(out, latex ? "E_{" : "energy(");
        model_part_name(c->md, index, out);
        text_add(out, latex ? "}" : ")");
    } else if (from == FROM_LAM && c->md->relation.at[c->relation_of[index]].row) {
        const int row = c->md->relation.at[c->relation_of[index]].row - 1;
        text      plain = text_new(out->m);
        model_reaction_name(c->md, row, &plain);
        if (latex) naming_path_latex(text_str(&plain), NULL, out);
        else text_add(out, text_str(&plain));
        text_drop(&plain);
    } else if (from == FROM_LAM && c->md->relation.at[c->relation_of[index]].member < 0) {
        text_printf(out, latex ? "\\lambda_{%d}" : "lambda[%d]", index + 1);
    } else return false;
    return true;
}

/* Multipliers are numbered by row of the system, relations as they were written. */
void naming_feed(const compiled *c, feed_kind from, int index, text *out)
{
    from = seen_as(c->md, from, index);
    if (name_special(c, from, index, false, out)) return;
    text_add(out, form[from].before);
    model_name(c->md, form[from].kind, from == FROM_LAM ? c->relation_of[index] : index, out);
    text_add(out, form[from].after);
}

/* Letters of which LaTeX has a command. */
static const char *const greek[][2] = {
    {"alpha", "α"},   {"beta", "β"},     {"gamma", "γ"}, {"delta", "δ"},   {"epsilon", "ε"},
    {"zeta", "ζ"},    {"eta", "η"},      {"theta", "θ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"},  {"mu", "μ"},       {"nu", "ν"},    {"xi", "ξ"},      {"pi", "π"},
    {"rho", "ρ"},     {"sigma", "σ"},    {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},
    {"chi", "χ"},     {"psi", "ψ"},      {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
    {"Theta", "Θ"},   {"Lambda", "Λ"},   {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Upsilon", "Υ"}, {"Phi", "Φ"},      {"Psi", "Ψ"},   {"Omega", "Ω"},   {"vartheta", "ϑ"},
    {"varphi", "ϕ"},  {"varsigma", "ς"},
};
enum { LETTERS = sizeof greek / sizeof *greek };

/* Which letter the word names, by its name (0) or by itself (1); NULL: none. */
static const char *find_letter(const char *word, size_t n, int by)
{
    for (int k = 0; k < LETTERS; k++)
        if (strlen(greek[k][by]) == n && !strncmp(greek[k][by], word, n)) return greek[k][!by];
    return NULL;
}

const char *greek_letter(const char *word, size_t n)
{
    return find_letter(word, n, 0);
}

/* Bytes of the character there: those 10xxxxxx continue one. */
static size_t character(const char *word, size_t n)
{
    size_t k = 1;
    while (k < n && ((unsigned char)word[k] & 0xC0) == 0x80) k++;
    return k;
}

size_t naming_stem(const char *word, size_t n)
{
    const char *line = n > 2 ? memchr(word + 1, '_', n - 2) : NULL;
    size_t      stem = n;
    if (line) return (size_t)(line - word);
    while (stem > 1 && isdigit((unsigned char)word[stem - 1])) stem--;
    return stem;
}

/* One letter stays as it is, a Greek one is a command, longer words stand upright, and letters that
 * mathematics does not have are text. */
static void latex_letters(const char *word, size_t n, text *out)
{
    const bool greek_name = greek_letter(word, n) != NULL, one = n && character(word, n) == n;
    if (greek_name) {
        text_printf(out, "\\%.*s", (int)n, word);
        return;
    }
    for (size_t k = 0, length; k < n; k += length) {
        length = character(word + k, n - k);
        const char *command = find_letter(word + k, length, 1);
        size_t      ascii = 0; /* of ASCII letters */
        while (k + ascii < n && !((unsigned char)word[k + ascii] & 0x80)) ascii++;
        if (command) text_printf(out, one ? "\\%s" : "{\\%s}", command);
        else if (!ascii) text_printf(out, "\\text{%.*s}", (int)length, word + k);
        else if (ascii == 1 && one) text_add_bytes(out, word + k, 1);
        else {
            text_add(out, "\\mathrm{");
            for (size_t i = 0; i < ascii; i++)
                text_printf(out, word[k + i] == '_' ? "\\%c" : "%c", word[k + i]);
            text_add(out, "}");
            length = ascii;
        }
    }
}

/* Digits at the end, what follows an underscore and what stands in brackets become an index:
 * th[3] -> \mathrm{th}_{3}. An accent (\dot) goes over the stem. */
static void latex_word(const char *word, size_t n, const char *index, size_t indices,
                       const char *accent, text *out)
{
    const size_t stem = naming_stem(word, n), skip = stem < n && word[stem] == '_';
    if (accent) text_printf(out, "%s{", accent);
    latex_letters(word, stem, out);
    if (accent) text_add(out, "}");
    if (stem == n && !indices) return;
    text_add(out, "_{");
    if (skip && !isdigit((unsigned char)word[stem + 1]))
        latex_letters(word + stem + 1, n - stem - 1, out);
    else text_add_bytes(out, word + stem + skip, n - stem - skip);
    text_add(out, stem < n && indices ? "," : "");
    for (size_t k = 0; k < indices; k++) {
        if (index[k] == ']' && k + 1 < indices) text_add(out, ",");
        else if (index[k] != '[' && index[k] != ']') text_add_bytes(out, index + k, 1);
    }
    text_add(out, "}");
}

/* Each word of the path by itself; the accent goes over the last one only. */
void naming_path_latex(const char *path, const char *accent, text *out)
{
    for (const char *dot; *path; path = dot) {
        dot = path + strcspn(path, ".");
        size_t n = strcspn(path, "[.");
        latex_word(path, n, path + n, (size_t)(dot - path) - n, *dot ? NULL : accent, out);
        if (*dot) dot++, text_add(out, "{.}");
    }
}

void naming_feed_latex(const compiled *c, feed_kind from, int index, text *out)
{
    from = seen_as(c->md, from, index);
    if (name_special(c, from, index, true, out)) return;
    text plain = text_new(out->m);
    model_name(c->md, form[from].kind, from == FROM_LAM ? c->relation_of[index] : index, &plain);
    text_add(out, form[from].latex_before);
    naming_path_latex(text_str(&plain), from == FROM_V || from == FROM_W ? "\\dot" : NULL, out);
    text_add(out, form[from].latex_after);
    text_drop(&plain);
}

void naming_variable(void *self, int variable, text *out)
{
    const naming *at = self;
    const feed   *f = &at->d->feed.at[variable];
    naming_feed(at->c, f->from, slot_index(&f->at, at->instance), out);
}

void naming_place(span at, text *out)
{
    if (at.of) text_printf(out, " at %s:%d", at.of->file, span_line(at));
}
