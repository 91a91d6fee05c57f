/* Sinew model: what a glTF 2.0 file holds, as plain data.
 *
 * A model is one immutable tree: read it, never write it. One model serves any number
 * of poses, characters and threads. Parts refer to each other by index into the arrays
 * of sinew_model, SINEW_NONE when absent. All arrays live as long as the model; indices
 * are in range once a model has been handed out, and all floats are finite.
 *
 * Indices are those of the file: node 7 here is /nodes/7 there.
 */
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- nodes and scenes (glTF 3.5) ---- */

/* Translation, rotation (x y z w, unit length) and scale: T * R * S. */
typedef struct sinew_transform {
    float translation[3];
    float rotation[4];
    float scale[3];
} sinew_transform;

typedef struct sinew_node {
    const char *name;
    uint32_t parent; /* SINEW_NONE: a root */
    const uint32_t *children;
    uint32_t child_count;
    uint32_t next_sibling; /* in the parent's list, SINEW_NONE: the last, or a root */
    uint32_t mesh;
    uint32_t skin;
    uint32_t camera;
    /* Which entry of sinew_primitive.influences belongs to this node's skin. */
    uint32_t influences_index;
    /* Where this node's morph weights stand in sinew_pose.weights, and how many: those
     * of its mesh, 0 without a mesh or targets. */
    uint32_t first_weight;
    uint32_t weight_count;
    const float *local_rest_weights; /* weight_count, of the node, else of the mesh, else 0 */
    bool has_matrix; /* the file gives a matrix; its own clips cannot turn or scale the node */
    /* Of a node with a matrix what gives that matrix; where nothing does (shear, or a scale
     * of 0), its translation without turn and scale. */
    sinew_transform local_rest;
    float local_rest_matrix[16]; /* the stored matrix, or T * R * S */
} sinew_node;

typedef struct sinew_scene {
    const char *name;
    const uint32_t *roots;
    uint32_t root_count;
} sinew_scene;

typedef struct sinew_camera {
    const char *name;
    bool orthographic;
    float vertical_fov; /* perspective: radians */
    float aspect;       /* perspective: width / height, 0 when the file gives none */
    float half_width;   /* orthographic: xmag */
    float half_height;  /* orthographic: ymag */
    float near_plane;   /* metres */
    float far_plane;    /* metres, 0: infinite */
} sinew_camera;

/* ---- skins (glTF 3.7.3) ---- */

typedef struct sinew_skin {
    const char *name;
    const uint32_t *joints; /* nodes, by joint slot */
    uint32_t joint_count;
    /* 16 floats a joint, column-major, bind space -> joint space, last row 0 0 0 1.
     * NULL: the file has none, all identity. */
    const float *inverse_binds;
    uint32_t skeleton; /* node named by the file; carries no meaning for the pose */
} sinew_skin;

/* ---- meshes (glTF 3.7.2) ---- */

typedef enum sinew_topology { /* the values of glTF and of OpenGL */
    SINEW_POINTS = 0,
    SINEW_LINES = 1,
    SINEW_LINE_LOOP = 2,
    SINEW_LINE_STRIP = 3,
    SINEW_TRIANGLES = 4,
    SINEW_TRIANGLE_STRIP = 5,
    SINEW_TRIANGLE_FAN = 6
} sinew_topology;

typedef enum sinew_component {
    SINEW_U8 = 1,  /* weights: normalised, value / 255 */
    SINEW_U16 = 2, /* weights: normalised, value / 65535 */
    SINEW_F32 = 4
} sinew_component; /* the value is the size in bytes */

/* The influences of all vertices of a primitive, made sound for skins of up to
 * joint_limit joints: every joint slot is below joint_limit, no weight is negative or
 * not finite, and the weights of a vertex add up to 1.
 * Vertex v has entries [v * per_vertex, (v + 1) * per_vertex) of both arrays, the sets
 * JOINTS_0, JOINTS_1 ... one after the other; entries of weight 0 count for nothing. */
typedef struct sinew_influences {
    uint32_t joint_limit;
    uint32_t per_vertex;         /* four times the number of sets */
    sinew_component joint_type;  /* SINEW_U8 or SINEW_U16 */
    sinew_component weight_type; /* SINEW_U8, SINEW_U16 or SINEW_F32 */
    const void *joints;
    const void *weights;
} sinew_influences;

/* What a morph target adds to every vertex: 3 floats each, NULL: adds nothing.
 * Deltas of tangents have no w. */
typedef struct sinew_target {
    const float *positions;
    const float *normals;
    const float *tangents;
} sinew_target;

#define SINEW_MAX_TEXCOORDS 2

typedef struct sinew_primitive {
    sinew_topology topology;
    uint32_t material;      /* SINEW_NONE: the default material of glTF */
    uint32_t vertex_count;  /* 0: the file gives no POSITION, there is nothing to draw */
    const float *positions; /* 3 a vertex */
    const float *normals;   /* 3 a vertex, or NULL */
    const float *tangents;  /* 4 a vertex, w is the sign of the bitangent, or NULL */
    const float *texcoords[SINEW_MAX_TEXCOORDS]; /* 2 a vertex, or NULL */
    const float *colors;                         /* COLOR_0: 4 a vertex, linear, or NULL */
    const uint32_t *indices;            /* below vertex_count; NULL: vertices in their order */
    uint32_t index_count;               /* 0 when indices is NULL */
    const sinew_influences *influences; /* see sinew_node.influences_index */
    uint32_t influences_count;          /* 0: the file gives no JOINTS_0 */
    const sinew_target *targets;
    uint32_t target_count;
} sinew_primitive;

typedef struct sinew_mesh {
    const char *name;
    const sinew_primitive *primitives;
    uint32_t primitive_count;
    uint32_t target_count;           /* of every primitive */
    const float *weights;            /* target_count, rest, or NULL: all 0 */
    const char *const *target_names; /* extras.targetNames, target_count, or NULL */
} sinew_mesh;

/* ---- materials, textures, images (glTF 3.8, 3.9) ---- */

typedef enum sinew_alpha_mode {
    SINEW_OPAQUE,
    SINEW_MASK,
    SINEW_BLEND
} sinew_alpha_mode;

/* A texture as a material uses it. */
typedef struct sinew_texture_use {
    uint32_t texture;                     /* SINEW_NONE: none */
    uint32_t texcoord;                    /* which TEXCOORD_n */
    float scale;                          /* normal texture: scale; occlusion: strength; else 1 */
    float offset[2], rotation, tiling[2]; /* KHR_texture_transform; 0 0, 0, 1 1 */
} sinew_texture_use;

/* Of KHR_materials_pbrSpecularGlossiness the diffuse colour and its texture stand as base
 * colour where the file gives none of the core, with metallic 0. */
typedef struct sinew_material {
    const char *name;
    float base_color[4]; /* linear */
    float emissive[3];   /* linear */
    float metallic;
    float roughness;
    float alpha_cutoff; /* SINEW_MASK */
    sinew_alpha_mode alpha_mode;
    bool double_sided;
    bool unlit; /* KHR_materials_unlit */
    sinew_texture_use base_color_texture;
    sinew_texture_use metallic_roughness_texture;
    sinew_texture_use normal_texture;
    sinew_texture_use occlusion_texture;
    sinew_texture_use emissive_texture;
} sinew_material;

typedef enum sinew_wrap {
    SINEW_REPEAT,
    SINEW_CLAMP_TO_EDGE,
    SINEW_MIRRORED_REPEAT
} sinew_wrap;

typedef struct sinew_texture {
    const char *name;
    /* Where the file offers none of the core, that of EXT_texture_webp. SINEW_NONE: none
     * that this version can use. */
    uint32_t image;
    sinew_wrap wrap_s, wrap_t;
    bool nearest; /* magnification filter */
} sinew_texture;

/* Where the bytes of a picture are. */
typedef struct sinew_image {
    const char *name;
    const char *uri;       /* as in the file when it is a path, else "" */
    const char *mime_type; /* "image/png" ..., "" when the file gives none */
    const uint8_t *data;   /* the encoded picture; NULL: external and not loaded */
    size_t size;
} sinew_image;

/* ---- clips (glTF 3.11) ---- */

typedef enum sinew_path {
    SINEW_TRANSLATION,
    SINEW_ROTATION,
    SINEW_SCALE,
    SINEW_WEIGHTS
} sinew_path;

typedef enum sinew_interpolation {
    SINEW_LINEAR,
    SINEW_STEP,
    SINEW_CUBICSPLINE
} sinew_interpolation;

/* One property of one node over time. A key has `width` floats; with CUBICSPLINE three
 * times as many: in-tangent, value, out-tangent. Times increase strictly.
 * KHR_animation_pointer gives such channels too: those to the weights of a mesh become one
 * for each node that has no weights of its own. */
typedef struct sinew_channel {
    uint32_t node;
    sinew_path path;
    sinew_interpolation interpolation;
    uint32_t width;     /* 3, 4, 3; weights: the node's weight_count, or 1 */
    uint32_t first;     /* weights: the first of the node's that it drives; else 0 */
    uint32_t key_count; /* at least 1 */
    const float *times; /* seconds */
    const float *values;
} sinew_channel;

typedef struct sinew_clip {
    const char *name;
    const sinew_channel *channels;
    uint32_t channel_count;
    double duration; /* seconds: the largest key time */
} sinew_clip;

/* ---- the whole ---- */

typedef struct sinew_model {
    const char *generator; /* asset.generator */
    const sinew_node *nodes;
    uint32_t node_count;
    const uint32_t *node_order; /* node_count nodes, every parent before its children */
    const sinew_scene *scenes;
    uint32_t scene_count;
    uint32_t default_scene; /* the file's choice, else 0; SINEW_NONE: it has no scenes */
    const sinew_camera *cameras;
    uint32_t camera_count;
    const sinew_skin *skins;
    uint32_t skin_count;
    const sinew_mesh *meshes;
    uint32_t mesh_count;
    const sinew_material *materials;
    uint32_t material_count;
    const sinew_texture *textures;
    uint32_t texture_count;
    const sinew_image *images;
    uint32_t image_count;
    const sinew_clip *clips;
    uint32_t clip_count;
    uint32_t weight_count; /* morph weights of all nodes together */
    const char *const *extensions_used;
    uint32_t extensions_used_count;
    const char *const *extensions_required;
    uint32_t extensions_required_count;
    size_t byte_size; /* memory that the model holds, without a file viewed in place */
    void *owner;      /* internal */
} sinew_model;

/* Frees the model and all that it points to. NULL is allowed. */
SINEW_API void sinew_model_free(sinew_model *model);

/* The first node, clip or joint slot of that name, SINEW_NONE when there is none. */
SINEW_API uint32_t sinew_node_find(const sinew_model *model, const char *name);
SINEW_API uint32_t sinew_clip_find(const sinew_model *model, const char *name);
SINEW_API uint32_t sinew_joint_find(const sinew_model *model, uint32_t skin, const char *name);

/* The nodes of a scene, depth first, parents before their children, children in the
 * order of the file. scene SINEW_NONE: the default scene, or all roots in a model
 * without scenes. nodes: room for model->node_count indices. Returns how many were
 * written; 0 for a scene that does not exist. */
SINEW_API uint32_t sinew_scene_nodes(const sinew_model *model, uint32_t scene, uint32_t *nodes);

/* The triangles of a primitive as vertex triples in drawing order and winding, strips
 * and fans taken apart as glTF 3.7.2.1 says. Returns their number, 0 for points and
 * lines. triangles: 3 indices each, or NULL to ask for the number only. */
SINEW_API uint32_t sinew_primitive_triangles(const sinew_primitive *primitive, uint32_t *triangles);

#ifdef __cplusplus
}
#endif

#endif
