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

/* ---- decoders for compressed data; libsinew-codec fills them in ---- */

typedef enum sinew_packed_mode { /* of EXT_meshopt_compression */
    SINEW_PACKED_ATTRIBUTES,
    SINEW_PACKED_TRIANGLES,
    SINEW_PACKED_INDICES
} sinew_packed_mode;

typedef enum sinew_packed_filter {
    SINEW_FILTER_NONE,
    SINEW_FILTER_OCTAHEDRAL,
    SINEW_FILTER_QUATERNION,
    SINEW_FILTER_EXPONENTIAL,
    SINEW_FILTER_COLOR /* KHR_meshopt_compression */
} sinew_packed_filter;

/* A buffer view under EXT_meshopt_compression or KHR_meshopt_compression. */
typedef struct sinew_packed_view {
    const void *data;
    size_t size;
    size_t count;  /* elements */
    size_t stride; /* bytes of one, 1 to 256 */
    sinew_packed_mode mode;
    sinew_packed_filter filter;
} sinew_packed_view;

/* An attribute of a mesh under KHR_draco_mesh_compression, as the file wants it. */
typedef struct sinew_packed_attribute {
    uint32_t id;             /* of the attribute in the packed mesh */
    uint32_t component_type; /* of glTF: 5120 ... 5126 */
    uint32_t width;          /* components of an element */
} sinew_packed_attribute;

typedef struct sinew_packed_mesh {
    void *handle;
    uint32_t vertex_count;
    uint32_t index_count;
} sinew_packed_mesh;

/* NULL functions: what needs them is refused, unless the file has the data plainly too.
 * They must stand any bytes. SINEW_ERROR_UNSUPPORTED with a message: a codec or version
 * that they do not know; SINEW_ERROR_DATA: damaged. */
typedef struct sinew_decoders {
    /* How many bytes an element may cost at least, so that a small file cannot ask for
     * much memory: false where view->count is more than its data can hold. */
    bool (*view_is_plausible)(void *user, const sinew_packed_view *view);
    /* Writes count * stride bytes. */
    sinew_result (*decode_view)(void *user, const sinew_packed_view *view, void *out,
                                sinew_error *error);
    /* Opens a mesh; close_mesh lets go of it. mesh holds the counts that the file says
     * and gets those that the mesh has: a decoder may compare them before it allocates. */
    sinew_result (*open_mesh)(void *user, const void *data, size_t size, sinew_packed_mesh *mesh,
                              sinew_error *error);
    /* Writes vertex_count * width components, tightly packed. */
    sinew_result (*read_attribute)(void *user, const sinew_packed_mesh *mesh,
                                   const sinew_packed_attribute *attribute, void *out,
                                   sinew_error *error);
    sinew_result (*read_indices)(void *user, const sinew_packed_mesh *mesh, uint32_t *out,
                                 sinew_error *error);
    void (*close_mesh)(void *user, sinew_packed_mesh *mesh);
    void *user;
} sinew_decoders;

typedef struct sinew_read_options {
    uint32_t guard_begin;
    sinew_allocator allocator; /* kept by the model */
    sinew_findings *findings;  /* where findings go, or NULL */
    sinew_read_limits limits;
    sinew_file_access files;
    sinew_decoders decoders;
    const char *folder; /* of a model in memory: where its files are; NULL: it may name none */
    bool strict;        /* refuse what would be mended with severity error */
    /* Map the model's file instead of reading it. The file must not change as long as the
     * model lives: values that were checked could become others, and a file that is cut
     * ends the process. */
    bool map_file;
    bool load_images; /* bring the bytes of external images and data URIs in, too */
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
