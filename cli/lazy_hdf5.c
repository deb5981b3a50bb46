/* lazy_hdf5.c - finds what lazy_hdf5.h calls. The loader keeps a library that is open: to open it
 * again is to look it up. */
#ifdef DAL_HAVE_HDF5
#include "lazy_hdf5.h"

#ifdef DAL_HDF5_LIBRARY
#include "cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void *symbol(const char *name)
{
    void *library = dlopen(DAL_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL),
         *at = library ? dlsym(library, name) : NULL;
    if (at) return at;
    complain("HDF5: %s", dlerror()); /* it was there, and is of another kind than at the build */
    exit(EXIT_IO);
}

bool hdf5_loaded(void)
{
    if (dlopen(DAL_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL)) return true;
    complain("HDF5 cannot be loaded: %s", dlerror());
    return false;
}

hdf5_function *hdf5_find(const char *name)
{
    void          *at = symbol(name);
    hdf5_function *f;
    memcpy(&f, &at, sizeof f); /* POSIX lets it point to a function; C does not say so */
    return f;
}

hid_t hdf5_id(const char *name)
{
    H5open();
    return *(const hid_t *)symbol(name);
}

#else

bool hdf5_loaded(void)
{
    return true;
}

#endif
#else
typedef int nothing_to_load; /* a file of C declares something */
#endif
