/* vector_angles.c - sines and cosines of coordinates in a program at one point: where there are
 * several, they are computed in vectors before the program begins (angles.c), which reads them from
 * arrays. */
#include "codegen/inside.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 4, WIDTH = 4 }; /* angles that are worth it, and that go together */

/* Marks coordinates that the program takes sines or cosines of; how many. */
static int find_angles(const codegen *f, const program *p, bool *of)
{
    const kernel *k = p->k;
    int           count = 0;
    memset(of, 0, (size_t)f->n * sizeof *of);
    for (int r = 0; r < k->runs; r++)
        for (int i = k->run[r].first; i < k->run[r].first + k->run[r].count; i++) {
            const bool circular = k->run[r].op == OP_SIN || k->run[r].op == OP_COS;
            const int  x = k->code[i].a;
            if (!circular || x >= k->inputs || f->f->variable[x].from != READ_Q) continue;
            count += !of[f->f->variable[x].index];
            of[f->f->variable[x].index] = true;
        }
    return count;
}

/* Whole vectors of angles; 0: there are too few. */
static int angles_beside(codegen *f, const program *p, bool *of)
{
    if (p->lanes > 1 || p->seldom || f->members || f->w.single) return 0;
    const int count = find_angles(f, p, of);
    return count < FEWEST ? 0 : (count + WIDTH - 1) / WIDTH * WIDTH;
}

/* Before the program: the function that it will call. */
void vector_angles_prepare(codegen *f, const program *p)
{
    const int lanes = angles_beside(f, p, mem_array(f->w.m, f->n + 1, bool));
    if (lanes) circle_write(f, lanes);
}

/* The coordinate of sin(q[..]) or cos(q[..]) at the beginning of a text, and where it ends; -1:
 * there is none. */
static int angle_at(const char *at, const char **end)
{
    char *after;
    if (strncmp(at, "sin(q[", 6) && strncmp(at, "cos(q[", 6)) return -1;
    const long j = strtol(at + 6, &after, 10);
    if (strncmp(after, "])", 2)) return -1;
    *end = after + 2;
    return (int)j;
}

/* sin in asin is no sine. */
static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* sin(q[j]) and cos(q[j]) in the body become entries of arrays that are filled before it. */
const char *vector_angles_text(codegen *f, const program *p, const char *body)
{
    mem      *m = f->w.m;
    bool     *of = mem_array(m, f->n + 1, bool);
    int      *place = mem_array(m, f->n + 1, int), held = 0;
    const int lanes = angles_beside(f, p, of);
    text      t = text_new(m);
    if (!lanes) return body;
    text_printf(&t, "real angle[%d], sine[%d], cosine[%d];\n", lanes, lanes, lanes);
    for (int j = 0; j < f->n; j++)
        if (of[j]) place[j] = held, text_printf(&t, "angle[%d] = q[%d];\n", held++, j);
    for (int k = held; k < lanes; k++) text_printf(&t, "angle[%d] = angle[0];\n", k);
    text_printf(&t, "circle%d(angle, sine, cosine);\n", lanes);
    for (const char *at = body; *at;) {
        const char *end;
        const int   j = at > body && in_word(at[-1]) ? -1 : angle_at(at, &end);
        if (j >= 0) text_printf(&t, *at == 's' ? "sine[%d]" : "cosine[%d]", place[j]), at = end;
        else text_add_bytes(&t, at++, 1);
    }
    return text_str(&t);
}
