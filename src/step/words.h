/* words.h - the words that the files of this folder are written in, as the library understands
 * them; generated code begins with its own (codegen/codegen.c). For sources only: the words are
 * short. */
#ifndef STEP_WORDS_H
#define STEP_WORDS_H

#include <math.h>

typedef double number;

#define ABS fabs
#define HUGE_VALUE HUGE_VAL
#define RESTRICT restrict
#define WITHIN static inline
#define RARE static inline
#define ROUNDED(product) (product)

#include "step/numbers.h"
#include "step/one.h"

#endif
