/* text_of.h - the source of something as a string: fields of a struct that the library and code
 * compiled at run time declare from the same words. */
#ifndef BASE_TEXT_OF_H
#define BASE_TEXT_OF_H

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT_OF_ALL(...) TEXT_OF(__VA_ARGS__) /* macros in it are expanded first */

#endif
