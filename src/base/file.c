/* POSIX where there is any, else plain stdio. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* POSIX 2008 with realpath */
#define SINEWI_POSIX 1
#endif

#include "base/file.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>

#if SINEWI_POSIX
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <stdio.h>
#endif

static const uint8_t nothing[1] = {0};

static sinew_result refuse(sinew_error *error, const char *place, const char *path, int why) {
    return sinewi_fail(error, SINEW_ERROR_FILE, place, "cannot read %s: %s", path, strerror(why));
}

static sinew_result over_limit(sinew_error *error, const char *place, const char *path,
                               uint64_t size, uint64_t limit) {
    return sinewi_fail(error, SINEW_ERROR_LIMIT, place,
                       "%s has %llu bytes, the limit on bytes is %llu", path,
                       (unsigned long long)size, (unsigned long long)limit);
}

static const sinewi_file no_file = {nothing, 0, false, {NULL, NULL, NULL, NULL}};

#if SINEWI_POSIX

/* The size of a regular file that may be read. */
static sinew_result measure(int handle, const char *path, uint64_t limit, const char *place,
                            size_t *size, sinew_error *error) {
    struct stat about;
    if (fstat(handle, &about) != 0) {
        return refuse(error, place, path, errno);
    }
    if (S_ISDIR(about.st_mode)) {
        return refuse(error, place, path, EISDIR);
    }
    if (!S_ISREG(about.st_mode)) {
        return sinewi_fail(error, SINEW_ERROR_FILE, place, "cannot read %s: not a regular file",
                           path);
    }
    uint64_t bytes = (uint64_t)about.st_size;
    if (bytes > SIZE_MAX || (limit && bytes > limit)) {
        return over_limit(error, place, path, bytes, limit ? limit : SIZE_MAX);
    }
    *size = (size_t)bytes;
    return SINEW_OK;
}

static sinew_result map(sinewi_file *file, int handle, size_t size, const char *path,
                        const char *place, sinew_error *error) {
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, handle, 0);
    if (data == MAP_FAILED) {
        return refuse(error, place, path, errno);
    }
    file->data = data;
    file->size = size;
    file->mapped = true;
    return SINEW_OK;
}

static sinew_result load(sinewi_file *file, int handle, size_t size, const char *path,
                         const sinew_allocator *memory, const char *place, sinew_error *error) {
    uint8_t *data = sinewi_allocate(memory, size);
    if (!data) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, place, "out of memory");
    }
    for (size_t done = 0; done < size;) {
        ssize_t n = read(handle, data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) { /* an error, or the file was cut while it was read */
            sinewi_release(memory, data, size);
            return refuse(error, place, path, n < 0 ? errno : EIO);
        }
        done += (size_t)n;
    }
    file->data = data;
    file->size = size;
    file->memory = *memory;
    return SINEW_OK;
}

bool sinewi_file_is_inside(const char *path, const char *folder) {
    char *real_folder = realpath(folder[0] ? folder : ".", NULL);
    errno = 0;
    char *real_path = realpath(path, NULL);
    bool inside = !real_path && errno == ENOENT; /* opening it says so better */
    if (real_path && real_folder) {
        size_t length = strlen(real_folder);
        inside = strncmp(real_path, real_folder, length) == 0 &&
                 (real_path[length] == '/' || (length > 0 && real_folder[length - 1] == '/'));
    }
    free(real_path);
    free(real_folder);
    return inside;
}

sinew_result sinewi_file_open(sinewi_file *file, const char *path, uint64_t limit,
                              const sinew_allocator *memory, const char *place,
                              sinew_error *error) {
    *file = no_file;
    /* O_NONBLOCK: opening a pipe without a writer would wait for ever. */
    int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle < 0) {
        return refuse(error, place, path, errno);
    }
    size_t size = 0;
    sinew_result result = measure(handle, path, limit, place, &size, error);
    if (result == SINEW_OK && size > 0) {
        result = memory ? load(file, handle, size, path, memory, place, error)
                        : map(file, handle, size, path, place, error);
    }
    close(handle);
    return result;
}

static void unmap(const sinewi_file *file) {
    munmap((void *)(uintptr_t)file->data, file->size); /* it takes back what mmap gave */
}

#else

bool sinewi_file_is_inside(const char *path, const char *folder) {
    (void)path; /* no links to follow here; the caller checked the path itself */
    (void)folder;
    return true;
}

static sinew_result measure(FILE *stream, const char *path, uint64_t limit, const char *place,
                            size_t *size, sinew_error *error) {
    long bytes = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    if (bytes < 0 || fseek(stream, 0, SEEK_SET) != 0) {
        return refuse(error, place, path, errno);
    }
    if (limit && (uint64_t)bytes > limit) {
        return over_limit(error, place, path, (uint64_t)bytes, limit);
    }
    *size = (size_t)bytes;
    return SINEW_OK;
}

sinew_result sinewi_file_open(sinewi_file *file, const char *path, uint64_t limit,
                              const sinew_allocator *memory, const char *place,
                              sinew_error *error) {
    *file = no_file;
    file->memory = sinewi_allocator_or_default(memory);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return refuse(error, place, path, errno);
    }
    size_t size = 0;
    sinew_result result = measure(stream, path, limit, place, &size, error);
    if (result == SINEW_OK && size > 0) {
        uint8_t *data = sinewi_allocate(&file->memory, size);
        if (!data) {
            result = sinewi_fail(error, SINEW_ERROR_MEMORY, place, "out of memory");
        } else if (fread(data, 1, size, stream) != size) {
            sinewi_release(&file->memory, data, size);
            result = refuse(error, place, path, EIO);
        } else {
            file->data = data;
            file->size = size;
        }
    }
    fclose(stream);
    return result;
}

static void unmap(const sinewi_file *file) {
    (void)file; /* nothing is mapped here */
}

#endif

void sinewi_file_close(sinewi_file *file) {
    if (file->mapped) {
        unmap(file);
    } else if (file->size > 0) {
        sinewi_release(&file->memory, (void *)(uintptr_t)file->data, file->size);
    }
    *file = no_file;
}

size_t sinewi_folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
#ifdef _WIN32
    const char *back = strrchr(path, '\\');
    slash = back && (!slash || back > slash) ? back : slash;
#endif
    return slash ? (size_t)(slash - path) + 1 : 0;
}
