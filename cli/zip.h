/* zip.h - an archive of stored files, as zip writes it: each member behind its own header, and a
 * directory at the end. */
#ifndef CLI_ZIP_H
#define CLI_ZIP_H

#include "npy.h"

uint32_t crc_add(uint32_t crc, const void *from, size_t n); /* begins with 0 */
uint32_t crc_join(uint32_t first, uint32_t second,
                  uint64_t length); /* of what stands behind each other */

typedef struct {
    const char *name;
    uint32_t    crc;
    uint64_t    size, offset;
} zip_member;

/* All sizes are of 64 bits, so that a header can be written again when its member has grown. */
void zip_header(bytes *b, const zip_member *m);
void zip_directory(bytes *b, const zip_member *m, int members, uint64_t at);

/* Of an archive in memory whose members are stored: where a member's bytes are. */
bool zip_find(const unsigned char *at, size_t n, const char *name, const unsigned char **out,
              size_t *size);

/* The same in a file: where the member begins; 0: it is not there. */
uint64_t zip_seek(FILE *file, const char *name);

#endif
