/* picture_file.h - plots in files: SVG as the library draws it, PNG and PDF by gnuplot. */
#ifndef CLI_PICTURE_FILE_H
#define CLI_PICTURE_FILE_H

#include "cli.h"

bool picture_named(const char *path); /* does it end in .svg, .png or .pdf?      */
int  picture_check(const char *path); /* GO_ON, or EXIT_WRONG: no picture's name */

/* Under its name only when it is whole; the exit code. */
int picture_write(dal_context *cx, const dal_plot *plot, const char *path);

/* A script of gnuplot that makes the picture `path`; "": it sets no terminal, so that gnuplot opens
 * a window. */
int picture_script(dal_context *cx, const dal_plot *plot, const char *path, FILE *to);

#endif
