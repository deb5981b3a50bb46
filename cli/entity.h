/* entity.h - what stands for a character that markup would read; NULL: it stands for itself. */
#ifndef CLI_ENTITY_H
#define CLI_ENTITY_H

#include <stddef.h>

static inline const char *entity_of(char c)
{
    return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
}

#endif
