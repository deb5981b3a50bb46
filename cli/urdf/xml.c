/* xml.c - libxml2 as a reader of elements, by its SAX interface: a tree is never made, and a file
 * of any size takes the memory of its largest element. */
#include "urdf/xml.h"

#include "cli.h"

#ifdef DAL_HAVE_XML
#include <dlfcn.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, FILE_MOST = 1 << 26, ATTRIBUTES_MOST = 64 };

typedef struct {
    const xml_listener *to;
    xmlParserCtxtPtr    cx;
    bool                stopped;
} listening;

/* Looks for a function where the library was found at the build; it brings others with it, which
 * few commands need. */
#ifdef DAL_XML_LIBRARY
typedef void xml_function(void);

static xml_function *find(const char *name)
{
    void *library = dlopen(DAL_XML_LIBRARY, RTLD_NOW | RTLD_LOCAL),
         *at = library ? dlsym(library, name) : NULL;
    xml_function *f;
    if (!at) {
        complain("libxml2: %s", dlerror()); /* it was there at the build */
        exit(EXIT_IO);
    }
    memcpy(&f, &at, sizeof f); /* POSIX lets it point to a function; C does not say so */
    return f;
}

#define XML(result, name, arguments) ((result(*) arguments)find(#name))
#define xmlMemSetup                                                                                \
    XML(int, xmlMemSetup, (xmlFreeFunc, xmlMallocFunc, xmlReallocFunc, xmlStrdupFunc))
#define xmlCreatePushParserCtxt                                                                    \
    XML(xmlParserCtxtPtr, xmlCreatePushParserCtxt,                                                 \
        (xmlSAXHandlerPtr, void *, const char *, int, const char *))
#define xmlInitParser XML(void, xmlInitParser, (void))
#define xmlCtxtUseOptions XML(int, xmlCtxtUseOptions, (xmlParserCtxtPtr, int))
#define xmlParseChunk XML(int, xmlParseChunk, (xmlParserCtxtPtr, const char *, int, int))
#define xmlStopParser XML(void, xmlStopParser, (xmlParserCtxtPtr))
#define xmlFreeParserCtxt XML(void, xmlFreeParserCtxt, (xmlParserCtxtPtr))
#define xmlCleanupParser XML(void, xmlCleanupParser, (void))
#define xmlSAX2GetLineNumber XML(int, xmlSAX2GetLineNumber, (void *))
#else
#include <libxml/SAX2.h>
#endif

/* Memory is that of the program, which ends where there is none. */
static void *need_bytes(size_t size)
{
    return need(NULL, size, 1);
}

static void *need_again(void *old, size_t size)
{
    return need(old, size, 1);
}

static char *need_copy(const char *s)
{
    return text("%s", s);
}

static void stop(listening *l)
{
    l->stopped = true;
    xmlStopParser(l->cx);
}

static void refuse_document_type(void *self, const xmlChar *name, const xmlChar *external,
                                 const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    listening *l = self;
    l->to->wrong(l->to->self, xmlSAX2GetLineNumber(l->cx),
                 "document types are not read, nor entities that they declare");
    stop(l);
}

/* attribute k: its name, prefix, namespace, and where its value begins and ends. */
static void begin(void *self, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n,
                  const xmlChar **namespaces, int attributes, int defaulted, const xmlChar **at)
{
    (void)uri, (void)n, (void)namespaces, (void)defaulted;
    listening  *l = self;
    const char *list[2 * ATTRIBUTES_MOST];
    char       *value[ATTRIBUTES_MOST];
    const int   count = attributes < ATTRIBUTES_MOST ? attributes : ATTRIBUTES_MOST;
    for (int k = 0; k < count; k++) {
        const xmlChar **a = at + 5 * k;
        value[k] = text("%.*s", (int)(a[4] - a[3]), (const char *)a[3]);
        list[2 * k] = (const char *)a[0], list[2 * k + 1] = plain_text(value[k]);
    }
    xml_element e = {(const char *)prefix, (const char *)name, list, count,
                     xmlSAX2GetLineNumber(l->cx)};
    l->to->begin(l->to->self, &e);
    for (int k = 0; k < count; k++) free(value[k]);
}

static void end(void *self, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    listening *l = self;
    l->to->end(l->to->self);
}

/* Namespaces that are not declared (xacro, in files that were cut out) are no mistake of ours. */
static void wrong(void *self, xmlErrorPtr error)
{
    listening *l = self;
    if (l->stopped || error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE) return;
    const bool ends = error->code == XML_ERR_DOCUMENT_END || error->code == XML_ERR_DOCUMENT_EMPTY;
    char      *words = text("%s", ends ? "the document ends too early, or goes on behind its end"
                                  : error->message ? error->message
                                                   : "this is not XML");
    size_t     n = strlen(words);
    while (n && (words[n - 1] == '\n' || words[n - 1] == ' ')) words[--n] = 0;
    l->to->wrong(l->to->self, error->line, plain_text(words));
    free(words);
    stop(l);
}

/* False: it could not be read. */
static bool feed(listening *l, FILE *f, const char *path)
{
    char   chunk[CHUNK];
    size_t all = 0, n;
    while (!l->stopped && (n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        if ((all += n) > FILE_MOST) {
            complain("%s is larger than %d MB", path, FILE_MOST >> 20);
            return false;
        }
        xmlParseChunk(l->cx, chunk, (int)n, 0);
    }
    if (!l->stopped && ferror(f)) {
        complain("cannot read %s", path);
        return false;
    }
    if (!l->stopped) xmlParseChunk(l->cx, chunk, 0, 1);
    return true;
}

bool xml_read(const char *path, const xml_listener *to)
{
    FILE *f = is_standard(path) ? stdin : fopen(path, "rb");
    if (!f) {
        complain("cannot open %s", path);
        return false;
    }
    xmlMemSetup(free, need_bytes, need_again, need_copy);
    xmlInitParser();
    listening     l = {.to = to};
    xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                         .internalSubset = refuse_document_type,
                         .startElementNs = begin,
                         .endElementNs = end};
    sax.serror = (xmlStructuredErrorFunc)wrong;
    l.cx = xmlCreatePushParserCtxt(&sax, &l, NULL, 0, NULL);
    xmlCtxtUseOptions(l.cx, XML_PARSE_NONET | XML_PARSE_NOCDATA);
    bool read = feed(&l, f, path);
    xmlFreeParserCtxt(l.cx);
    xmlCleanupParser();
    if (f != stdin) fclose(f);
    return read;
}

#else

bool xml_read(const char *path, const xml_listener *to)
{
    (void)path, (void)to;
    complain("URDF files are read by libxml2, which was not there when dalembert was built; "
             "install it (Debian: libxml2-dev) and build again");
    return false;
}

#endif
