/* Files as whole blocks of bytes. */
#ifndef SINEWI_BASE_FILE_H
#define SINEWI_BASE_FILE_H

#include "sinew/base.h"

/* A file's bytes: read into memory, or mapped. */
typedef struct sinewi_file {
    const uint8_t *data; /* never NULL, also for an empty file */
    size_t size;
    bool mapped;
    sinew_allocator memory; /* of the bytes, where they were read */
} sinewi_file;

/* Opens only regular files (no device or pipe is ever waited for). limit: most bytes,
 * 0: none. memory: what the bytes are read into; NULL: the file is mapped read-only where
 * the system can, and then must not change until it is closed: bytes that were checked
 * would be others, and a file that was cut raises SIGBUS. place: for the error, or NULL. */
sinew_result sinewi_file_open(sinewi_file *file, const char *path, uint64_t limit,
                              const sinew_allocator *memory, const char *place, sinew_error *error);
void sinewi_file_close(sinewi_file *file);

/* Whether path, with all symbolic links followed, lies below folder ("" is the working
 * directory). True for what does not exist: opening it says so better. */
bool sinewi_file_is_inside(const char *path, const char *folder);

/* Where the folder part of a path ends: the length up to and with the last slash. */
size_t sinewi_folder_length(const char *path);

#endif
