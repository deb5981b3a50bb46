/* gnuplot.h - pictures by gnuplot: the formats, the look that all pictures share, and the program
 * itself. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "cli.h"

enum { GNUPLOT_COLOURS = 7 };

int         gnuplot_check(const char *path); /* GO_ON, or EXIT_WRONG: no picture's name   */
bool        gnuplot_draws(const char *path); /* does it end in .svg, .png or .pdf?        */
const char *gnuplot_colour(int curve);       /* #rrggbb, the same again after some curves */

/* Has gnuplot draw what the script of `self` says for a picture of that name, and puts it there
 * when it is whole; the exit code. gnuplot gives the picture to us: the script sets no output. */
typedef void gnuplot_script(const void *self, const char *path, FILE *to);
int          gnuplot_draw(const char *path, gnuplot_script *script, const void *self);

/* Parts of scripts. Words of others get into one by put_quoted alone, and with `noenhanced`. */
void put_quoted(FILE *to, const char *s); /* a string of gnuplot: these bytes, whatever they are */
void put_terminal(FILE *to, const char *path, double proportion); /* height over width */
void put_output(FILE *to, const char *path);                      /* for a script that is kept */
void put_style(FILE *to);                                         /* border, tics, grid        */

#endif
