/* What the parts of the reader share while one file is read. */
#ifndef SINEWI_GLTF_READER_H
#define SINEWI_GLTF_READER_H

#include "base/error.h"
#include "base/owner.h"
#include "gltf/json.h"
#include "sinew/gltf.h"

/* Bytes of a buffer, as far as byteLength goes. */
typedef struct sinewi_buffer {
    const uint8_t *data; /* NULL: not read */
    uint64_t size;
    bool stays; /* as long as the model: may be viewed in place */
} sinewi_buffer;

typedef struct sinewi_view {
    uint32_t token;
    const uint8_t *data; /* NULL: its buffer is not there */
    uint64_t size;
    uint64_t offset; /* in its buffer; counts for alignment */
    uint32_t stride; /* 0: tightly packed */
    bool stays;
} sinewi_view;

typedef enum sinewi_component {
    SINEWI_GLTF_I8 = 5120,
    SINEWI_GLTF_U8 = 5121,
    SINEWI_GLTF_I16 = 5122,
    SINEWI_GLTF_U16 = 5123,
    SINEWI_GLTF_U32 = 5125,
    SINEWI_GLTF_F32 = 5126
} sinewi_component;

typedef enum sinewi_shape { /* of an element */
    SINEWI_SCALAR,
    SINEWI_VEC2,
    SINEWI_VEC3,
    SINEWI_VEC4,
    SINEWI_MAT2,
    SINEWI_MAT3,
    SINEWI_MAT4
} sinewi_shape;

typedef struct sinewi_sparse {
    uint32_t count; /* 0: none */
    sinewi_component index_component;
    const uint8_t *indices; /* tightly packed */
    const uint8_t *values;  /* tightly packed elements */
} sinewi_sparse;

typedef struct sinewi_accessor {
    uint32_t token;
    sinewi_component component;
    sinewi_shape shape;
    bool normalized;
    uint32_t count;
    uint32_t stride;     /* bytes from element to element */
    const uint8_t *data; /* first element; NULL: all zeros */
    bool stays;
    sinewi_sparse sparse;
    const float *floats;        /* decoded once, count * width */
    bool nonfinite;             /* seen when it was decoded */
    bool told;                  /* a fault of its values, which several parts may meet */
    bool seen;                  /* as key times */
    uint32_t rotations_seen[2]; /* as keys, and as those of splines: how many */
} sinewi_accessor;

typedef struct sinewi_reader {
    const sinew_read_options *options;
    sinew_read_limits limits; /* defaults filled in */
    sinewi_owner *owner;
    sinewi_arena *arena;  /* the owner's: what the model keeps */
    sinewi_arena scratch; /* until the end of the read */
    sinew_error *error;
    bool refused; /* no model will be handed out */
    bool broken;  /* a part is missing, so those that stand on it are not looked at */
    bool mending; /* what is read now can be done without: its faults are only noted */
    bool limit_told;
    sinewi_budget budget; /* of both arenas and the files */

    /* Where its files are, ends with a slash or is ""; NULL: it may name none. */
    const char *folder;
    sinewi_json json;
    uint32_t root;
    const uint8_t *binary; /* BIN chunk of a GLB, or NULL */
    uint64_t binary_size;
    bool binary_stays;
    bool quantised; /* KHR_mesh_quantization */

    sinewi_buffer *buffers;
    uint32_t buffer_count;
    sinewi_view *views;
    uint32_t view_count;
    sinewi_accessor *accessors;
    uint32_t accessor_count;
    struct sinewi_loaded **loaded; /* files that were read: uri.c */
    uint32_t loaded_slots;
    uint64_t vertices;        /* counted against the limit */
    uint64_t sparse_elements; /* the same */
    uint64_t viewed;          /* bytes used in place or given to a decoder: no memory, but work */
    struct sinewi_made_influences *made_influences; /* by sinewi_influence_source.group */
    /* meshes.c leaves them for influences.c: [mesh][primitive] */
    struct sinewi_influence_source **influence_sources;
    bool *own_weights; /* nodes that store weights of their own */

    sinew_model *model;
} sinewi_reader;

/* ---- faults ---- */

/* Adds a finding at token (or at token/name) and goes on. With `strict`, one of severity
 * error refuses the file. Returns the finding to add examples to, or NULL. */
sinew_finding *sinewi_note(sinewi_reader *r, sinew_code code, uint32_t token, const char *name,
                           const char *format, ...) SINEWI_PRINTF(5, 6);

/* The same for what cannot be mended: the file is refused. Returns false. */
bool sinewi_refuse(sinewi_reader *r, sinew_code code, uint32_t token, const char *name,
                   const char *format, ...) SINEWI_PRINTF(5, 6);

/* How often a finding (or NULL) stands for, and the first few vertex or key numbers. */
void sinewi_count(sinew_finding *finding, uint64_t count, const uint64_t *examples,
                  uint32_t example_count);

/* A limit was exceeded or memory ran out: refused. Both return false. */
bool sinewi_refuse_limit(sinewi_reader *r, uint32_t token, const char *name, const char *limit,
                         uint64_t asked, uint64_t allowed);
bool sinewi_refuse_memory(sinewi_reader *r);

/* Memory of the model; refuses the file when there is none. */
void *sinewi_keep(sinewi_reader *r, size_t count, size_t size);
void *sinewi_scratch(sinewi_reader *r, size_t count, size_t size);

/* ---- members with types (values.c); a wrong type refuses the file ---- */

static inline uint32_t sinewi_member(const sinewi_reader *r, uint32_t object, const char *key) {
    return sinewi_json_member(&r->json, object, key);
}

/* An index into something with `count` entries; *out is SINEW_NONE where it is absent. */
bool sinewi_get_index(sinewi_reader *r, uint32_t object, const char *key, uint32_t count,
                      uint32_t *out);
/* The same, and absence refuses the file too. */
bool sinewi_need_index(sinewi_reader *r, uint32_t object, const char *key, uint32_t count,
                       uint32_t *out);
/* A token that is an index below count. */
bool sinewi_index_of(sinewi_reader *r, uint32_t token, uint32_t count, uint32_t *out);
/* A whole number; *out keeps its value where it is absent. */
bool sinewi_get_whole(sinewi_reader *r, uint32_t object, const char *key, uint64_t *out);
/* Exactly n finite floats; *there says whether the member exists. */
bool sinewi_get_floats(sinewi_reader *r, uint32_t object, const char *key, uint32_t n, float *out,
                       bool *there);
bool sinewi_get_float(sinewi_reader *r, uint32_t object, const char *key, float *out);
bool sinewi_get_bool(sinewi_reader *r, uint32_t object, const char *key);
/* "" where it is absent or no string (then a finding). */
const char *sinewi_get_text(sinewi_reader *r, uint32_t object, const char *key);

/* The length of an array of objects; refuses anything else of that name. */
bool sinewi_list(sinewi_reader *r, uint32_t object, const char *key, uint32_t *array,
                 uint32_t *count);

#define SINEWI_EACH(r, container, token)                                                       \
    for (uint32_t token = sinewi_json_first(&(r)->json, container); token != SINEWI_JSON_NONE; \
         token = sinewi_json_following(&(r)->json, container, token))

/* ---- the parts, in the order in which they run; false: go no further ---- */

bool sinewi_read_container(sinewi_reader *r, const void *data, size_t size, bool stays);
bool sinewi_read_root(sinewi_reader *r);
bool sinewi_read_buffers(sinewi_reader *r);
bool sinewi_read_views(sinewi_reader *r);
bool sinewi_read_accessors(sinewi_reader *r);
bool sinewi_read_materials(sinewi_reader *r); /* images, textures, materials */
bool sinewi_read_meshes(sinewi_reader *r);
bool sinewi_read_nodes(sinewi_reader *r); /* cameras, nodes, scenes */
bool sinewi_read_skins(sinewi_reader *r);
bool sinewi_link_nodes(sinewi_reader *r); /* nodes to meshes: weights, sound influences */
bool sinewi_read_clips(sinewi_reader *r);

/* ---- between the parts ---- */

/* Bytes behind a uri (data URI or a file below the folder); data stays with the model. */
bool sinewi_read_uri(sinewi_reader *r, uint32_t token, const uint8_t **data, uint64_t *size);

/* Opens a file for the model, which keeps it. */
bool sinewi_open_kept(sinewi_reader *r, const char *path, bool map, sinew_error *why,
                      const uint8_t **data, uint64_t *size);

/* Counts bytes of a file: they are memory, too, and what they may unpack to grows with
 * them. false: over the limit. */
bool sinewi_charge_file(sinewi_reader *r, uint64_t bytes);

/* ---- compressed data ---- */

/* What needs data that is not there is refused, unless it is because of a fault that was
 * said. Returns false. */
bool sinewi_refuse_empty(sinewi_reader *r, uint32_t token);
/* A buffer without data of its own: views of it are packed elsewhere (packed_views.c). */
bool sinewi_is_fallback(const sinewi_reader *r, uint32_t buffer);
/* Fills a view from its packed form, where it has one. */
bool sinewi_unpack_view(sinewi_reader *r, uint32_t token, uint64_t length, sinewi_view *view);
/* Fills the accessors of a primitive from its packed mesh, where it has one and they have
 * no data of their own (packed_meshes.c). */
bool sinewi_unpack_primitive(sinewi_reader *r, uint32_t primitive);

/* Bytes of a component; 0: no such type. */
static inline uint32_t sinewi_component_size(sinewi_component component) {
    switch (component) {
    case SINEWI_GLTF_I8:
    case SINEWI_GLTF_U8: return 1;
    case SINEWI_GLTF_I16:
    case SINEWI_GLTF_U16: return 2;
    case SINEWI_GLTF_U32:
    case SINEWI_GLTF_F32: return 4;
    }
    return 0;
}

/* Components of an element. */
static inline uint32_t sinewi_width(sinewi_shape shape) {
    static const uint32_t widths[] = {1, 2, 3, 4, 4, 9, 16};
    return widths[shape];
}

const char *sinewi_component_word(sinewi_component component);
const char *sinewi_shape_word(sinewi_shape shape);

/* All elements as floats, tightly packed, normalised where the accessor says so; in place
 * where the file has them so. Not finite: refused at the accessor. NULL: refused. */
const float *sinewi_floats(sinewi_reader *r, uint32_t accessor);
/* The same, but values that are not finite are handed out as they are. */
const float *sinewi_raw_floats(sinewi_reader *r, uint32_t accessor);
/* Number i of the sparse indices, as it stands in the file. */
uint32_t sinewi_sparse_index(const sinewi_accessor *accessor, uint32_t i);
/* Elements as unsigned integers into out[count * width]. false: a component type that is
 * none; nothing is said. */
bool sinewi_unsigned_into(const sinewi_accessor *accessor, uint32_t *out);

/* Joint and weight accessors of a primitive, by set. Primitives often share them. */
typedef struct sinewi_influence_source {
    uint32_t set_count;
    uint32_t *joints; /* accessors */
    uint32_t *weights;
    uint32_t group; /* of those with the same accessors */
} sinewi_influence_source;

/* Finds the primitives that have the same accessors: to be called once, before the next. */
bool sinewi_group_influences(sinewi_reader *r);
/* The influences of a primitive made sound for each joint count in `limits`, an entry each;
 * NULL: refused. */
const sinew_influences *sinewi_make_influences(sinewi_reader *r,
                                               const sinewi_influence_source *source,
                                               uint32_t vertex_count, const uint32_t *limits,
                                               uint32_t limit_count);

#endif
