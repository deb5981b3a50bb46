/* c_text.h - pieces of C text: numbers, tables, and loops.
 *
 * The text consists of numbers, numbered registers and fixed identifiers only; nothing of a model's
 * text enters it. Pieces live in a mem and are assembled from the inside out. */
#ifndef CODEGEN_C_TEXT_H
#define CODEGEN_C_TEXT_H

#include "base/text.h"
#include "kernel/kernel.h"

typedef struct {
    mem *m;
    text out;
    bool single; /* float instead of double */
} writer;

/* A literal that reads back as x. */
const char *write_number(writer *w, double x);

/* for (int var = 0; var < count; var++) { body }; if it is but one, with 0 in place of the
 * variable. */
const char *write_loop(writer *w, const char *var, int count, const char *body);

/* for (int var = first; var < end; var++) { body }, with what the body declares. */
const char *write_sum(writer *w, const char *var, int first, int end, const char *body);

/* Appends a loop over lanes i that is left to the compiler to vectorise. */
void write_lanes(text *t, int lanes, const char *body);

/* Sums the lanes of an array into its first, by halves, which vectorises. */
const char *write_lanes_sum(writer *to, const char *array, int lanes);

/* The body with a word replaced; words are whole identifiers. */
const char *write_with(writer *w, const char *body, const char *word, const char *by);

/* #define name size */
void write_size(writer *w, const char *name, int size);

/* static const tables. */
void write_table(writer *w, const char *name, const double *x, int count);
void write_indices(writer *w, const char *name, const int *x, int count);

/* One operation of a kernel. */
void write_operation(writer *w, expr_op op, const char *a, const char *b, const char *c);

/* In single precision the functions of math.h have other names. */
void write_finish(writer *w, const char *body);

#endif
