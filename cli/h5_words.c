/* h5_words.c - reads the texts of an attribute. */
#ifdef DAL_HAVE_HDF5
#include "h5_words.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

static bool is_words(hid_t attribute)
{
    hid_t type = H5Aget_type(attribute);
    bool  it_is = H5Tis_variable_str(type) > 0;
    H5Tclose(type);
    return it_is;
}

/* Variable-length texts in UTF-8; false: one of them cannot be read. */
static bool take_words(hid_t attribute, h5_words *w)
{
    w->space = H5Aget_space(attribute), w->type = H5Tcopy(H5T_C_S1);
    H5Tset_size(w->type, H5T_VARIABLE), H5Tset_cset(w->type, H5T_CSET_UTF8);
    const hssize_t count = H5Sget_simple_extent_npoints(w->space);
    w->count = count > 0 ? (size_t)count : 0;
    w->word =
        memset(need(NULL, w->count + 1, sizeof *w->word), 0, (w->count + 1) * sizeof *w->word);
    bool well = count >= 0 && H5Aread(attribute, w->type, w->word) >= 0;
    for (size_t i = 0; i < w->count && well; i++) well = w->word[i] != NULL;
    return well;
}

bool h5_words_read(hid_t at, const char *name, h5_words *w)
{
    const htri_t there = H5Aexists(at, name);
    hid_t        a = there > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
    *w = (h5_words){.word = NULL};
    if (a < 0) return there == 0;
    bool well = !is_words(a) || take_words(a, w);
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
