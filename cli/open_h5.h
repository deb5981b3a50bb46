/* open_h5.h - results as HDF5, opened to be read. */
#ifndef CLI_OPEN_H5_H
#define CLI_OPEN_H5_H

#include "lazy_hdf5.h"

/* Also one that a run writes meanwhile, or left when it was killed; < 0: it cannot be read. */
hid_t h5_open_to_read(const char *path);

/* heap_h5.c: may HDF5 read the texts of it? */
bool h5_texts_are_sound(const char *path);

#endif
