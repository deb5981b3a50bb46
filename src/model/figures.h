/* figures.h - what can be drawn, and of what: numbers in a plane, vectors and rotations in space.
 */
#ifndef MODEL_FIGURES_H
#define MODEL_FIGURES_H

#include "dalembert.h"

#include <stdbool.h>

/* One way to write a figure. Its places are letters: n a number, v a vector, m a matrix. Behind
 * them the last `more` may be repeated, as the corners of a line. */
typedef struct {
    dal_figure  kind;
    const char *places;
    int         more;
    const char *written; /* "point(x, y)" */
} figure_form;

enum { FIGURES = DAL_FIGURE_TRAIL + 1 };
extern const figure_form figure_forms[]; /* ends with one that has no places */

bool form_is_flat(const figure_form *f);
char form_place(const figure_form *f, int i); /* 0: there is no such place */
bool form_counts(const figure_form *f, int places);
int  form_numbers(char place); /* of one place */

/* The form that has these numbers; a picture is flat or in space. */
const figure_form *form_of_numbers(dal_figure kind, bool space, size_t numbers);

#endif
