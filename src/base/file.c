/* POSIX where there is any, else plain stdio. */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700 /* POSIX 2008 with realpath */
#define SINEWI_POSIX 1
#endif

#include "base/file.h"

#include "base/error.h"

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
#include <stdlib.h>
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

#if SINEWI_POSIX

static sinew_result map(sinewi_file *file, int handle, const char *path, uint64_t limit,
                        const char *place, sinew_error *error) {
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
    uint64_t size = (uint64_t)about.st_size;
    if (size > SIZE_MAX || (limit && size > limit)) {
        return over_limit(error, place, path, size, limit ? limit : SIZE_MAX);
    }
    if (size == 0) {
        return SINEW_OK;
    }
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, handle, 0);
    if (data == MAP_FAILED) {
        return refuse(error, place, path, errno);
    }
    file->data = data;
    file->size = (size_t)size;
    file->mapped = true;
    return SINEW_OK;
}

bool sinewi_file_is_inside(const char *path, const char *folder) {
    char *real_path = realpath(path, NULL);
    char *real_folder = realpath(folder[0] ? folder : ".", NULL);
    bool inside = true;
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
                              const char *place, sinew_error *error) {
    *file = (sinewi_file){nothing, 0, false};
    /* O_NONBLOCK: opening a pipe without a writer would wait for ever. */
    int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (handle < 0) {
        return refuse(error, place, path, errno);
    }
    sinew_result result = map(file, handle, path, limit, place, error);
    close(handle);
    return result;
}

void sinewi_file_close(sinewi_file *file) {
    if (file->mapped) {
        /* The only cast away of const: munmap takes back what mmap gave. */
        munmap((void *)(uintptr_t)file->data, file->size);
    }
    *file = (sinewi_file){nothing, 0, false};
}

#else

bool sinewi_file_is_inside(const char *path, const char *folder) {
    (void)path; /* no links to follow here; the caller checked the path itself */
    (void)folder;
    return true;
}

sinew_result sinewi_file_open(sinewi_file *file, const char *path, uint64_t limit,
                              const char *place, sinew_error *error) {
    *file = (sinewi_file){nothing, 0, false};
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return refuse(error, place, path, errno);
    }
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    sinew_result result = SINEW_OK;
    if (size < 0 || fseek(stream, 0, SEEK_SET) != 0) {
        result = refuse(error, place, path, errno);
    } else if (limit && (uint64_t)size > limit) {
        result = over_limit(error, place, path, (uint64_t)size, limit);
    } else if (size > 0) {
        uint8_t *data = malloc((size_t)size);
        if (!data || fread(data, 1, (size_t)size, stream) != (size_t)size) {
            free(data);
            result = refuse(error, place, path, errno ? errno : EIO);
        } else {
            *file = (sinewi_file){data, (size_t)size, true};
        }
    }
    fclose(stream);
    return result;
}

void sinewi_file_close(sinewi_file *file) {
    if (file->mapped) {
        free((void *)(uintptr_t)file->data);
    }
    *file = (sinewi_file){nothing, 0, false};
}

#endif

size_t sinewi_folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
#ifdef _WIN32
    const char *back = strrchr(path, '\\');
    slash = back && (!slash || back > slash) ? back : slash;
#endif
    return slash ? (size_t)(slash - path) + 1 : 0;
}
