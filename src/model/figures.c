/* figures.c - the table of figures. */
#include "model/figures.h"

#include <string.h>

const figure_form figure_forms[] = {
    {DAL_FIGURE_POINT, "nn", 0, "point(x, y)"},
    {DAL_FIGURE_LINE, "nnnn", 2, "line(0, 0, x, y)"},
    {DAL_FIGURE_CIRCLE, "nnn", 0, "circle(x, y, 0.1)"},
    {DAL_FIGURE_SPRING, "nnnn", 0, "spring(0, 0, x, y)"},
    {DAL_FIGURE_TEXT, "nn", 0, "text(x, y) \"mass\""},
    {DAL_FIGURE_ARROW, "nnnn", 0, "arrow(0, 0, x, y)"},
    {DAL_FIGURE_TRAIL, "nn", 0, "trail(x, y)"},
    {DAL_FIGURE_POINT, "v", 0, "point(a)"},
    {DAL_FIGURE_LINE, "vv", 1, "line(a, b)"},
    {DAL_FIGURE_SPRING, "vv", 0, "spring(a, b)"},
    {DAL_FIGURE_TEXT, "v", 0, "text(a) \"mass\""},
    {DAL_FIGURE_ARROW, "vv", 0, "arrow(a, b)"},
    {DAL_FIGURE_TRAIL, "v", 0, "trail(a)"},
    {DAL_FIGURE_SPHERE, "vn", 0, "sphere(a, 0.1)"},
    {DAL_FIGURE_SPHERE, "vmn", 0, "sphere(a, R, 0.1)"},
    {DAL_FIGURE_BOX, "vv", 0, "box(a, [1, 2, 3])"},
    {DAL_FIGURE_BOX, "vmv", 0, "box(a, R, [1, 2, 3])"},
    {DAL_FIGURE_CYLINDER, "vvn", 0, "cylinder(a, b, 0.1)"},
    {DAL_FIGURE_CYLINDER, "vmnn", 0, "cylinder(a, R, 0.1, 1)"},
    {0},
};

const char *dal_figure_name(dal_figure figure)
{
    static const char *const words[] = {"point",  "line", "circle",   "spring", "text",
                                        "sphere", "box",  "cylinder", "arrow",  "trail"};
    return (size_t)figure < sizeof words / sizeof *words ? words[figure] : "";
}

bool form_is_flat(const figure_form *f)
{
    return f->places[0] == 'n';
}

char form_place(const figure_form *f, int i)
{
    const int n = (int)strlen(f->places);
    if (i < n) return f->places[i];
    return f->more ? f->places[n - 1] : 0;
}

bool form_counts(const figure_form *f, int places)
{
    const int beyond = places - (int)strlen(f->places);
    return beyond == 0 || (beyond > 0 && f->more && beyond % f->more == 0);
}

int form_numbers(char place)
{
    return place == 'm' ? 9 : place == 'v' ? 3 : 1;
}

static size_t numbers_of(const char *places)
{
    size_t n = 0;
    for (; *places; places++) n += (size_t)form_numbers(*places);
    return n;
}

const figure_form *form_of_numbers(dal_figure kind, bool space, size_t numbers)
{
    const figure_form *f = figure_forms;
    while (f->kind != kind || form_is_flat(f) == space ||
           (numbers_of(f->places) != numbers && !f->more))
        f++;
    return f;
}
