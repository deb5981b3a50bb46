/* h5_words.h - the texts of an attribute of HDF5, of any number and length. */
#ifndef CLI_H5_WORDS_H
#define CLI_H5_WORDS_H

#include "lazy_hdf5.h"

typedef struct {
    hid_t  type, space;
    size_t count;
    char **word; /* HDF5 allocates them */
} h5_words;

/* None, if there is no such attribute or it is no text; false: it is damaged. */
bool h5_words_read(hid_t at, const char *name, h5_words *w);
void h5_words_free(h5_words *w);

#endif
