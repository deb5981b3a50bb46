/* cubic.h - the last four solutions, newest first, continued as a cubic in the step number: what
 * predict.h makes of four, as one expression for numbers and for vectors. Large systems do with
 * it: more would take memory, and a step of theirs costs less than the differences would.
 *
 *     y_{k+1} = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                       theory.md [PREDICT] */
#define CONTINUED_CUBIC(y0, y1, y2, y3) (4 * ((y0) + (y2)) - 6 * (y1) - (y3))
