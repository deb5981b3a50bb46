/* code_and_text.h - code that is compiled into the library and is also available as source text, to
 * be compiled at run time with the code of a model: one source, so both compute the same bits.
 *
 *     CODE_AND_TEXT(DOUBLED, static double doubled(double x) { return 2 * x; })
 *
 * defines the function and a string DOUBLED that holds its source. ISO C guarantees string literals
 * of up to 4095 characters, which limits how much one macro may hold. */
#ifndef BASE_CODE_AND_TEXT_H
#define BASE_CODE_AND_TEXT_H

#define TEXT_OF(...)             #__VA_ARGS__
#define TEXT_OF_ALL(...)         TEXT_OF(__VA_ARGS__) /* macros in it are expanded first */
#define CODE_AND_TEXT(name, ...) static const char name[] = TEXT_OF(__VA_ARGS__); __VA_ARGS__
/* the same, with macros left unexpanded in the text */
#define CODE_AND_RAW_TEXT(name, ...) static const char name[] = #__VA_ARGS__; __VA_ARGS__

#endif
