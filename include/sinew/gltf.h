/* Sinew gltf: reads glTF 2.0 (.gltf with data URIs and external files, .glb).
 *
 * Nothing in a file is trusted. What can be mended is mended and said in a finding;
 * with `strict`, a finding of severity error refuses the file. Reading goes on past the
 * first fault where it can, so that the sink of findings names everything.
 * A file is never opened outside the folder of the model, and never over the network.
 */
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "sinew/finding.h"
#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits on what a file may ask for; 0: the default in brackets. Exceeding one is
 * SINEW_ERROR_LIMIT, whose message names the limit and both numbers. */
typedef struct sinew_read_limits {
    uint64_t bytes;      /* memory of the model, and of one file (4 GiB) */
    uint32_t nodes;      /* (1,000,000) */
    uint32_t joints;     /* in one skin (65,536: what JOINTS_n can name) */
    uint32_t vertices;   /* of all primitives (100,000,000) */
    uint32_t json_depth; /* nested arrays and objects (128) */
} sinew_read_limits;

/* Files beside a .gltf. `path` is the model's folder and the checked, decoded relative
 * path joined. Fills data and size with bytes that stay until `release`, and returns
 * SINEW_OK or SINEW_ERROR_FILE. NULL functions: the file system. */
typedef struct sinew_file_access {
    sinew_result (*read)(void *user, const char *path, const void **data, size_t *size);
    void (*release)(void *user, const void *data, size_t size);
    void *user;
} sinew_file_access;

typedef struct sinew_read_options {
    uint32_t guard_begin;
    sinew_allocator allocator; /* kept by the model */
    sinew_findings *findings;  /* where findings go, or NULL */
    sinew_read_limits limits;
    sinew_file_access files;
    const char *folder; /* of a model in memory: where its files are; NULL: it may name none */
    bool strict;        /* refuse what would be mended with severity error */
    bool load_images;   /* bring the bytes of external images and data URIs in, too */
    uint32_t guard_end;
} sinew_read_options;

/* Reads a file, which one (.gltf, .glb, .vrm ...) is seen from its first bytes.
 * path: UTF-8, relative to the working directory or absolute.
 * Returns a model that the caller frees by sinew_model_free, or NULL and an error whose
 * place is the JSON pointer of the first fault that refused it. */
SINEW_API sinew_model *sinew_model_read(const char *path, const sinew_read_options *options,
                                        sinew_error *error);

/* The same from memory. The bytes are copied where the model needs them: the caller may
 * free them afterwards. */
SINEW_API sinew_model *sinew_model_read_memory(const void *data, size_t size,
                                               const sinew_read_options *options,
                                               sinew_error *error);

#ifdef __cplusplus
}
#endif

#endif
