/* lazy_hdf5.h - HDF5, loaded when it is first called: it brings forty other libraries, and few runs
 * need it.
 *
 * With DAL_HDF5_LIBRARY, the name of the shared library, every function that is used here is a
 * macro that looks for it there; without it they are linked as usual. Ask hdf5_loaded before the
 * first call. */
#ifndef CLI_LAZY_HDF5_H
#define CLI_LAZY_HDF5_H

#include <hdf5.h>
#include <stdbool.h>

/* Is it there? Otherwise a message has said why not. */
bool hdf5_loaded(void);

#ifdef DAL_HDF5_LIBRARY

typedef void hdf5_function(void);
hdf5_function *hdf5_find(const char *name);
hid_t          hdf5_id(const char *name); /* of a global such as H5T_NATIVE_DOUBLE_g */

#define HDF5(result, name, arguments) ((result(*) arguments)hdf5_find(#name))

#undef H5T_C_S1
#undef H5T_NATIVE_INT
#undef H5T_NATIVE_DOUBLE
#undef H5P_FILE_ACCESS
#undef H5P_DATASET_CREATE
#define H5T_C_S1 hdf5_id("H5T_C_S1_g")
#define H5T_NATIVE_INT hdf5_id("H5T_NATIVE_INT_g")
#define H5T_NATIVE_DOUBLE hdf5_id("H5T_NATIVE_DOUBLE_g")
#define H5P_FILE_ACCESS hdf5_id("H5P_CLS_FILE_ACCESS_ID_g")
#define H5P_DATASET_CREATE hdf5_id("H5P_CLS_DATASET_CREATE_ID_g")

#define H5open HDF5(herr_t, H5open, (void))
#define H5check_version HDF5(herr_t, H5check_version, (unsigned, unsigned, unsigned))
#define H5dont_atexit HDF5(herr_t, H5dont_atexit, (void))
#define H5Eset_auto2 HDF5(herr_t, H5Eset_auto2, (hid_t, H5E_auto2_t, void *))
#define H5Fcreate HDF5(hid_t, H5Fcreate, (const char *, unsigned, hid_t, hid_t))
#define H5Fopen HDF5(hid_t, H5Fopen, (const char *, unsigned, hid_t))
#define H5Fclose HDF5(herr_t, H5Fclose, (hid_t))
#define H5Fget_obj_count HDF5(ssize_t, H5Fget_obj_count, (hid_t, unsigned))
#define H5Fstart_swmr_write HDF5(herr_t, H5Fstart_swmr_write, (hid_t))
#define H5Lexists HDF5(htri_t, H5Lexists, (hid_t, const char *, hid_t))
#define H5Tcopy HDF5(hid_t, H5Tcopy, (hid_t))
#define H5Tset_size HDF5(herr_t, H5Tset_size, (hid_t, size_t))
#define H5Tset_cset HDF5(herr_t, H5Tset_cset, (hid_t, H5T_cset_t))
#define H5Tis_variable_str HDF5(htri_t, H5Tis_variable_str, (hid_t))
#define H5Tclose HDF5(herr_t, H5Tclose, (hid_t))
#define H5Screate HDF5(hid_t, H5Screate, (H5S_class_t))
#define H5Screate_simple HDF5(hid_t, H5Screate_simple, (int, const hsize_t *, const hsize_t *))
#define H5Sselect_hyperslab                                                                        \
    HDF5(herr_t, H5Sselect_hyperslab,                                                              \
         (hid_t, H5S_seloper_t, const hsize_t *, const hsize_t *, const hsize_t *,                 \
          const hsize_t *))
#define H5Sget_simple_extent_ndims HDF5(int, H5Sget_simple_extent_ndims, (hid_t))
#define H5Sget_simple_extent_npoints HDF5(hssize_t, H5Sget_simple_extent_npoints, (hid_t))
#define H5Sget_simple_extent_dims                                                                  \
    HDF5(int, H5Sget_simple_extent_dims, (hid_t, hsize_t *, hsize_t *))
#define H5Sclose HDF5(herr_t, H5Sclose, (hid_t))
#define H5Pcreate HDF5(hid_t, H5Pcreate, (hid_t))
#define H5Pset HDF5(herr_t, H5Pset, (hid_t, const char *, const void *))
#define H5Pexist HDF5(htri_t, H5Pexist, (hid_t, const char *))
#define H5Pset_chunk HDF5(herr_t, H5Pset_chunk, (hid_t, int, const hsize_t *))
#define H5Pset_libver_bounds HDF5(herr_t, H5Pset_libver_bounds, (hid_t, H5F_libver_t, H5F_libver_t))
#define H5Pset_metadata_read_attempts                                                              \
    HDF5(herr_t, H5Pset_metadata_read_attempts, (hid_t, unsigned))
#define H5Pclose HDF5(herr_t, H5Pclose, (hid_t))
#define H5Dcreate2 HDF5(hid_t, H5Dcreate2, (hid_t, const char *, hid_t, hid_t, hid_t, hid_t, hid_t))
#define H5Dopen2 HDF5(hid_t, H5Dopen2, (hid_t, const char *, hid_t))
#define H5Dget_space HDF5(hid_t, H5Dget_space, (hid_t))
#define H5Dset_extent HDF5(herr_t, H5Dset_extent, (hid_t, const hsize_t *))
#define H5Dwrite HDF5(herr_t, H5Dwrite, (hid_t, hid_t, hid_t, hid_t, hid_t, const void *))
#define H5Dread HDF5(herr_t, H5Dread, (hid_t, hid_t, hid_t, hid_t, hid_t, void *))
#define H5Dvlen_reclaim HDF5(herr_t, H5Dvlen_reclaim, (hid_t, hid_t, hid_t, void *))
#define H5Dflush HDF5(herr_t, H5Dflush, (hid_t))
#define H5Dclose HDF5(herr_t, H5Dclose, (hid_t))
#define H5Acreate2 HDF5(hid_t, H5Acreate2, (hid_t, const char *, hid_t, hid_t, hid_t, hid_t))
#define H5Aopen HDF5(hid_t, H5Aopen, (hid_t, const char *, hid_t))
#define H5Aexists HDF5(htri_t, H5Aexists, (hid_t, const char *))
#define H5Adelete HDF5(herr_t, H5Adelete, (hid_t, const char *))
#define H5Aget_space HDF5(hid_t, H5Aget_space, (hid_t))
#define H5Aget_type HDF5(hid_t, H5Aget_type, (hid_t))
#define H5Awrite HDF5(herr_t, H5Awrite, (hid_t, hid_t, const void *))
#define H5Aread HDF5(herr_t, H5Aread, (hid_t, hid_t, void *))
#define H5Aiterate2                                                                                \
    HDF5(herr_t, H5Aiterate2,                                                                      \
         (hid_t, H5_index_t, H5_iter_order_t, hsize_t *, H5A_operator2_t, void *))
#define H5Aclose HDF5(herr_t, H5Aclose, (hid_t))

#endif
#endif
