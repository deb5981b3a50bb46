/* h5_words.c - reads the texts of an attribute. */
#ifdef DAL_HAVE_HDF5
#include "h5_words.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

bool h5_words_read(hid_t at, const char *name, h5_words *w)
{
    hid_t a = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
    *w = (h5_words){.word = NULL};
    if (a < 0) return false;
    w->space = H5Aget_space(a), w->type = H5Tcopy(H5T_C_S1);
    H5Tset_size(w->type, H5T_VARIABLE), H5Tset_cset(w->type, H5T_CSET_UTF8);
    w->count = (size_t)H5Sget_simple_extent_npoints(w->space);
    w->word =
        memset(need(NULL, w->count + 1, sizeof *w->word), 0, (w->count + 1) * sizeof *w->word);
    bool well = H5Aread(a, w->type, w->word) >= 0;
    H5Aclose(a);
    return well;
}

void h5_words_free(h5_words *w)
{
    if (!w->word) return;
    H5Dvlen_reclaim(w->type, w->space, H5P_DEFAULT, w->word);
    H5Tclose(w->type), H5Sclose(w->space);
    free(w->word);
}

#else
typedef int no_words_to_read; /* a file of C declares something */
#endif
