/* xml.h - an XML file, element by element: no entities, no document types, nothing of the network.
 *
 * libxml2 is loaded when it is first needed; without it xml_read says which package has it. */
#ifndef CLI_URDF_XML_H
#define CLI_URDF_XML_H

#include <stdbool.h>

typedef struct {
    const char  *prefix, *name; /* of xacro:macro; prefix NULL: none */
    const char **attribute;     /* name, value, name, value, ...     */
    int          attributes;
    int          line;
} xml_element;

typedef struct {
    void *self;
    void (*begin)(void *self, const xml_element *e);
    void (*end)(void *self);
    void (*wrong)(void *self, int line, const char *words); /* what is no XML, or not read */
} xml_listener;

/* False: the file could not be read at all, which was said. */
bool xml_read(const char *path, const xml_listener *l);

#endif
