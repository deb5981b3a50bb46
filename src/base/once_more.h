/* once_more.h - C that is compiled where it stands and is also handed out as text, for those who
 * write C to be compiled later: one source, so that both compute the same bits. ISO compilers take
 * up to 4095 characters at a time. */
#ifndef BASE_ONCE_MORE_H
#define BASE_ONCE_MORE_H

#define TEXT_OF(...)         #__VA_ARGS__
#define TEXT_OF_ALL(...)     TEXT_OF(__VA_ARGS__) /* macros in it are expanded first */
#define ONCE_MORE(name, ...) static const char name[] = TEXT_OF(__VA_ARGS__); __VA_ARGS__
/* macros stay in it */
#define ONCE_MORE_AS_IT_STANDS(name, ...) static const char name[] = #__VA_ARGS__; __VA_ARGS__

#endif
