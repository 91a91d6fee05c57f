/* Sinew base: results, errors, memory, and the conventions that hold everywhere.
 *
 * Conventions (they are stated here once):
 *   - Right-handed, +Y up, as glTF 2.0. Units are the file's (metres), angles are
 *     radians, time is seconds (double).
 *   - Matrices are column-major and act on column vectors: element [4 * column + row],
 *     translation at 12, 13, 14; world = parent_world * local; local = T * R * S.
 *   - Quaternions are x, y, z, w.
 *   - Spaces: "bind" is the space of the stored vertices of a skinned mesh, "local" is
 *     relative to the parent node, "world" is the scene's (the root of the model).
 *   - Strings are UTF-8 and end with a zero. A string that the file lacks is "".
 *   - Threads: no function touches global state. An object may be read by many threads
 *     at once and written by one.
 *   - Options structs: NULL or all zeros is the good default. Their first and last
 *     members are guards that must be zero, so that a struct that was never
 *     initialised is refused instead of believed.
 */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0

#if defined(SINEW_SHARED) && defined(_WIN32)
#ifdef SINEW_BUILDING
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif

/* An index that is absent. */
#define SINEW_NONE UINT32_MAX

/* What a function that can fail returns; SINEW_OK is 0. */
typedef enum sinew_result {
    SINEW_OK = 0,
    SINEW_ERROR_ARGUMENT,    /* the caller's mistake: nothing was written */
    SINEW_ERROR_DATA,        /* the file breaks glTF 2.0, JSON or GLB */
    SINEW_ERROR_UNSUPPORTED, /* sound, but needs what this build does not do */
    SINEW_ERROR_LIMIT,       /* larger than a limit of the options or the GPU */
    SINEW_ERROR_MEMORY,      /* the allocator gave nothing */
    SINEW_ERROR_FILE,        /* a file cannot be opened, read or written */
    SINEW_ERROR_GL           /* OpenGL, EGL or the driver cannot */
} sinew_result;

/* Why a call failed. The first error wins; every function takes NULL instead.
 * Nothing in it has to be freed. */
typedef struct sinew_error {
    sinew_result result;
    char place[160];   /* JSON pointer such as "/skins/0/joints/3", or "" */
    char message[480]; /* one sentence, fit to print after a file's name */
} sinew_error;

/* Memory. All zeros means malloc, realloc and free.
 * allocate and resize return NULL when there is no memory (never abort); blocks are
 * aligned for any type. size 0 is never asked for. */
typedef struct sinew_allocator {
    void *(*allocate)(void *user, size_t size);
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void (*release)(void *user, void *block, size_t size);
    void *user;
} sinew_allocator;

/* A box along the axes. Empty: minimum > maximum. */
typedef struct sinew_box {
    float minimum[3];
    float maximum[3];
} sinew_box;

/* "data", "limit" ...: one word for a result, static. */
SINEW_API const char *sinew_result_word(sinew_result result);

/* "0.1.0" of the library that is linked, static. */
SINEW_API const char *sinew_version(void);

#ifdef __cplusplus
}
#endif

#endif
