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

/* What is no member of a part, and multipliers of relations without a name: lambda[row]. */
static bool name_special(const compiled *c, feed_kind from, int index, bool latex, text *out)
{
    if (from == FROM_TIME) {
        text_add(out, "t");
    } else if (from == FROM_DATA) {
        text_number(out, c->md->data.at[index]);
    } else if (from == FROM_ENERGY) {
        text_add(out, latex ? "E_{" : "energy(");
        model_part_name(c->md, index, out);
        text_add(out, latex ? "}" : ")");
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

static const char *const greek[] = {
    "alpha",   "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",
    "kappa",   "lambda", "mu",    "nu",    "xi",      "pi",    "rho",   "sigma", "tau",
    "upsilon", "phi",    "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
    "Xi",      "Pi",     "Sigma", "Phi",   "Psi",     "Omega",
};

/* Does the word name a letter of which LaTeX has a command? */
static bool is_greek(const char *word, size_t n)
{
    for (size_t k = 0; k < sizeof greek / sizeof *greek; k++)
        if (strlen(greek[k]) == n && !strncmp(greek[k], word, n)) return true;
    return false;
}

/* One character, however many bytes it has: bytes 10xxxxxx continue one. */
static bool is_one_letter(const char *word, size_t n)
{
    size_t letters = 0;
    for (size_t k = 0; k < n; k++) letters += ((unsigned char)word[k] & 0xC0) != 0x80; /* UTF-8 */
    return letters == 1;
}

/* A name of one letter stays as it is, a Greek one becomes the letter, digits at the end and what
 * stands in brackets become an index, longer words stand upright: th[3] -> \mathrm{th}_{3}. An
 * accent (\dot) goes over the stem. */
static void latex_word(const char *word, size_t n, const char *index, size_t indices,
                       const char *accent, text *out)
{
    size_t stem = n;
    while (stem > 1 && isdigit((unsigned char)word[stem - 1])) stem--;
    if (accent) text_printf(out, "%s{", accent);
    if (is_greek(word, stem)) {
        text_add(out, "\\");
        text_add_bytes(out, word, stem);
    } else {
        bool word_of_many = !is_one_letter(word, stem);
        text_add(out, word_of_many ? "\\mathrm{" : "");
        for (size_t k = 0; k < stem; k++) {
            if (word[k] == '_') text_add(out, "\\");
            text_add_bytes(out, word + k, 1);
        }
        text_add(out, word_of_many ? "}" : "");
    }
    if (accent) text_add(out, "}");
    if (stem == n && !indices) return;
    text_add(out, "_{");
    text_add_bytes(out, word + stem, n - stem);
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

void naming_variable_latex(void *self, int variable, text *out)
{
    const naming *at = self;
    const feed   *f = &at->d->feed.at[variable];
    naming_feed_latex(at->c, f->from, slot_index(&f->at, at->instance), out);
}

void naming_place(span at, text *out)
{
    if (at.of) text_printf(out, " at %s:%d", at.of->file, span_line(at));
}
