/* open_h5.c - results as HDF5, opened to be read. While a run writes the file, what describes it
 * may be seen half written: HDF5 reads that again after a pause, twice as long each time, a hundred
 * times by default. In a file that is damaged it would wait for half an hour; these attempts take
 * some milliseconds, and a write far less. */
#ifdef DAL_HAVE_HDF5
#include "open_h5.h"

enum { ATTEMPTS = 24 }; /* pauses of 1, 2, 4, ... nanoseconds */

hid_t h5_open_to_read(const char *path)
{
    hid_t how = H5Pcreate(H5P_FILE_ACCESS), file;
    H5Pset_metadata_read_attempts(how, ATTEMPTS);
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, how);
    if (file < 0) file = H5Fopen(path, H5F_ACC_RDONLY, how);
    H5Pclose(how);
    return file;
}

#else
typedef int nothing_to_open; /* a file of C declares something */
#endif
