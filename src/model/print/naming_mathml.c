/* naming_mathml.c - names of variables in MathML: Greek letters, indices, dots for velocities. */
#include "model/naming.h"

#include <ctype.h>
#include <string.h>

/* Greek names become letters; a dot above means velocity. */
static void add_stem(const char *word, size_t n, bool dot, text *out)
{
    text_add(out, dot ? "<mover><mi>" : "<mi>");
    const char *letter = greek_letter(word, n);
    if (letter) text_add(out, letter);
    else text_add_bytes(out, word, n);
    text_add(out, dot ? "</mi><mo>˙</mo></mover>" : "</mi>");
}

/* Digits at the end, what follows an underscore and what stands in brackets become an index:
 * th[3] -> th with 3 below. */
static void add_word(const char *word, size_t n, const char *index, size_t indices, bool dot,
                     text *out)
{
    const size_t stem = naming_stem(word, n), skip = stem < n && word[stem] == '_';
    const bool   has_index = stem < n || indices;
    if (has_index) text_add(out, "<msub>");
    add_stem(word, stem, dot, out);
    if (!has_index) return;
    text_add(out, "<mtext>");
    text_add_bytes(out, word + stem + skip, n - stem - skip);
    text_add(out, stem < n && indices ? "," : "");
    for (size_t k = 0; k < indices; k++) {
        if (index[k] == ']' && k + 1 < indices) text_add(out, ",");
        else if (index[k] != '[' && index[k] != ']') text_add_bytes(out, index + k, 1);
    }
    text_add(out, "</mtext></msub>");
}

/* Words of a path, joined by dots; the accent is on the last one. */
void naming_path_mathml(const char *path, bool dot_over, text *out)
{
    text_add(out, "<mrow>");
    for (const char *dot; *path; path = dot) {
        dot = path + strcspn(path, ".");
        size_t n = strcspn(path, "[.");
        add_word(path, n, path + n, (size_t)(dot - path) - n, dot_over && !*dot, out);
        if (*dot) dot++, text_add(out, "<mo lspace=\"0\" rspace=\"0\">.</mo>");
    }
    text_add(out, "</mrow>");
}

/* lambda, p and E carry what they belong to below them. */
static const char *letter_of(feed_kind from)
{
    return from == FROM_LAM ? "λ" : from == FROM_P ? "p" : from == FROM_ENERGY ? "E" : NULL;
}

/* The same names as naming_feed, as MathML; below lambda, p and E stands what they belong to. */
void naming_feed_mathml(const compiled *c, feed_kind from, int index, text *out)
{
    const model *md = c->md;
    text         plain = text_new(out->m);
    if (from == FROM_W && md->hamiltonian && md->hamiltonian[index]) from = FROM_P;
    const bool number = from == FROM_DATA,
               unnamed = from == FROM_LAM && md->relation.at[c->relation_of[index]].member < 0;
    if (number) text_number(&plain, md->data.at[index]);
    else if (unnamed) text_printf(&plain, "%d", index + 1);
    else if (from == FROM_ENERGY) model_part_name(md, index, &plain);
    else if (from == FROM_LAM) model_name(md, MEMBER_RELATION, c->relation_of[index], &plain);
    else if (from == FROM_TIME) text_add(&plain, "t");
    else if (from == FROM_Q && index >= md->coordinates) naming_feed(c, from, index, &plain);
    else {
        member_kind kind = from == FROM_PARAMETER ? MEMBER_PARAMETER
                           : from == FROM_INPUT   ? MEMBER_INPUT
                                                  : MEMBER_COORDINATE;
        model_name(md, kind, index, &plain);
    }
    const bool  spin = (from == FROM_V || from == FROM_W) && md->turns && md->turns->of_row[index] >= 0;
    const char *letter = spin ? "\xCE\xA9" : letter_of(from); /* Omega */
    if (letter) text_printf(out, "<msub><mi>%s</mi>", letter);
    if (number || unnamed) text_printf(out, "<mn>%s</mn>", text_str(&plain));
    else naming_path_mathml(text_str(&plain), !spin && (from == FROM_V || from == FROM_W), out);
    if (letter) text_add(out, "</msub>");
    text_drop(&plain);
}
