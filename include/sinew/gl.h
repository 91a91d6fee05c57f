/* Sinew gl: models and palettes on the GPU, in an OpenGL 3.3 core or OpenGL ES 3.0 context
 * of the host.
 *
 * Two depths of use:
 *   Sinew draws:    sinew_gl_model_create, then sinew_gl_draw each frame.
 *   the host draws: sinew_gl_skinning_source gives GLSL to put before his vertex shader;
 *                   each frame sinew_gl_model_update, then for each item
 *                   sinew_gl_item_bind and sinew_gl_item_draw with his program.
 *
 * This room never creates a context and includes no OpenGL header: GL names are
 * uint32_t. All calls go to the context that was current at sinew_gl_create, on the
 * thread where it is current. Functions come from a table of each sinew_gl's own.
 *
 * State: every function leaves the host's GL state as it found it, except where its
 * comment says what stays bound. While the host's transform feedback is active only
 * sinew_gl_item_draw and sinew_gl_item_draw_instances may be called. Functions that make something drop GL errors that the host left pending.
 *
 * ES is told by the context's version string. Texture buffers it has from 3.2 on, shader
 * storage from 3.1 on and not on every device: then AUTO takes a 2D texture.
 *
 * On the GPU a palette is a range of a texture buffer: a joint's texels adjacent, an
 * instance's joints adjacent, all instances in one buffer, found by a base offset that
 * comes in as an integer attribute. A mesh without a skin is a palette of one joint.
 */
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "sinew/model.h"
#include "sinew/palette.h"
#include "sinew/pose.h"
#include "sinew/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What glfwGetProcAddress, eglGetProcAddress and SDL_GL_GetProcAddress are. */
typedef void (*sinew_gl_function)(void);
typedef sinew_gl_function (*sinew_gl_loader)(const char *name);

/* Where a palette is kept. A texel is four floats, whatever holds it. */
typedef enum sinew_gl_storage {
    /* The first of tbo3, texture, ubo, ssbo, uniform that the context has and that holds
     * the model's palettes. A version number says little: on Mesa's llvmpipe shader
     * storage is 15 to 20 times slower than a texture buffer. */
    SINEW_GL_STORAGE_AUTO = 0,
    SINEW_GL_STORAGE_TBO3,    /* texture buffer, 4x3: three RGBA32F texels a joint (ES: 3.2) */
    SINEW_GL_STORAGE_TBO4,    /* texture buffer, 4x4: four RGBA32F texels a joint */
    SINEW_GL_STORAGE_UNIFORM, /* uniform array, 4x3, of one item at a time */
    SINEW_GL_STORAGE_UBO,     /* uniform block, 4x3, a range of a buffer for each item */
    SINEW_GL_STORAGE_SSBO,    /* shader storage, 4x3 (GL 4.3, ES 3.1, or the ARB extensions) */
    SINEW_GL_STORAGE_TEXTURE  /* 2D texture, 4x3: three RGBA32F texels a joint */
} sinew_gl_storage;

#define SINEW_GL_STORAGE_COUNT 7 /* AUTO and all others */

/* "auto", "tbo3", "tbo4", "uniform", "ubo", "ssbo", "texture". */
SINEW_API const char *sinew_gl_storage_word(sinew_gl_storage storage);

typedef struct sinew_gl_options {
    uint32_t guard_begin;
    sinew_gl_loader loader; /* must be given */
    sinew_allocator allocator;
    sinew_gl_storage storage;
    /* Limits to believe where the context's are larger, 0: the context's. */
    uint32_t max_texture_buffer_texels;
    uint32_t max_texture_size;
    uint32_t max_uniform_components;
    uint32_t max_uniform_block_size;
    uint32_t max_storage_block_size;
    bool no_shader_storage; /* as if the context had none for vertex shaders */
    /* Refuse (SINEW_ERROR_ARGUMENT) a palette that is short, or a pose whose world
     * matrices are older than its transforms. Always on in builds without NDEBUG. */
    bool check;
    uint32_t guard_end;
} sinew_gl_options;

typedef struct sinew_gl sinew_gl;

typedef struct sinew_gl_info {
    const char *vendor, *renderer, *version; /* as the context says */
    bool es;                                 /* OpenGL ES; major and minor are its own */
    int major, minor;
    sinew_gl_storage storage;           /* as asked for; AUTO: chosen for each model */
    uint32_t max_texture_buffer_texels; /* GL_MAX_TEXTURE_BUFFER_SIZE; 0: none */
    uint32_t max_texture_size;          /* GL_MAX_TEXTURE_SIZE */
    uint32_t max_uniform_components;    /* GL_MAX_VERTEX_UNIFORM_COMPONENTS: floats */
    uint32_t max_uniform_block_size;    /* GL_MAX_UNIFORM_BLOCK_SIZE: bytes */
    uint32_t uniform_offset_alignment;  /* GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT: bytes */
    uint32_t max_storage_block_size;    /* GL_MAX_SHADER_STORAGE_BLOCK_SIZE: bytes; 0: none */
    uint32_t max_samples;
} sinew_gl_info;

/* Texels (four floats) of one palette and its active morph targets that a storage holds
 * here; 0: the context does not have it. Of a uniform array 24 vec4 are left for others. */
SINEW_API uint32_t sinew_gl_storage_texels(const sinew_gl *gl, sinew_gl_storage storage);

/* SINEW_ERROR_GL: neither GL 3.3 nor ES 3.0, a function is missing, or the context does not
 * have the storage asked for. Freed by sinew_gl_free with the same context current, after
 * everything made from it. */
SINEW_API sinew_gl *sinew_gl_create(const sinew_gl_options *options, sinew_error *error);
SINEW_API void sinew_gl_free(sinew_gl *gl);
SINEW_API const sinew_gl_info *sinew_gl_info_of(const sinew_gl *gl);

/* ---- a model on the GPU ---- */

/* Attribute locations of the vertex arrays. All zeros: the values in brackets. */
typedef struct sinew_gl_locations {
    uint32_t position;  /* vec3 (0) */
    uint32_t normal;    /* vec3 (1) */
    uint32_t tangent;   /* vec4 (2) */
    uint32_t texcoord0; /* vec2 (3) */
    uint32_t texcoord1; /* vec2 (4) */
    uint32_t color;     /* vec4 (5); 1 1 1 1 where the file has none */
    uint32_t joints0;   /* uvec4 (6) */
    uint32_t weights0;  /* vec4 (7) */
    uint32_t joints1;   /* uvec4 (8) */
    uint32_t weights1;  /* vec4 (9) */
    uint32_t instance;  /* uvec4 (10), constant: palette_texel, morph_texel,
                           active_targets, vertex_count of the item */
} sinew_gl_locations;

typedef struct sinew_gl_model_options {
    uint32_t guard_begin;
    uint32_t scene_plus_one;  /* 0: the default scene; else 1 + scene */
    sinew_gl_storage storage; /* AUTO: that of sinew_gl_options */
    sinew_gl_locations locations;
    /* DQS: a joint takes four texels in every storage, 4x3 and its rotation. */
    sinew_skin_method method;
    bool approximate_normals; /* by normalise(B3 * n), wrong where the blend scales unevenly */
    uint32_t guard_end;
} sinew_gl_model_options;

typedef struct sinew_gl_model sinew_gl_model;

/* One primitive, with vertices, of one node with a mesh, in the order of
 * sinew_scene_nodes. */
typedef struct sinew_gl_item {
    uint32_t node, mesh, primitive;
    uint32_t material;   /* SINEW_NONE: the default material */
    uint32_t skin;       /* SINEW_NONE: rigid, also in a node with a skin */
    uint32_t influences; /* per vertex; 0: rigid. Chooses the program. */
    uint32_t targets;    /* morph targets */
    uint32_t vertex_count;
    sinew_topology topology;
    bool has_normals, has_tangents, has_colors;
    bool has_texcoords[2];
    /* As of the last sinew_gl_model_update: */
    uint32_t palette_texel;  /* first texel of the instance's palette */
    uint32_t morph_texel;    /* first texel of its active morph targets */
    uint32_t active_targets; /* targets with a weight other than 0 */
    bool mirrored;           /* all joints that the mesh uses mirror: front faces are clockwise */
} sinew_gl_item;

/* Uploads vertices, influences and morph deltas, and makes room for the palettes.
 * The model must outlive it. SINEW_ERROR_LIMIT: larger than a texture (buffer) may be;
 * the message gives the limit's name and both numbers. SINEW_ERROR_ARGUMENT: no such
 * scene, locations that clash, influences of more joints than their skin has. */
SINEW_API sinew_gl_model *sinew_gl_model_create(sinew_gl *gl, const sinew_model *model,
                                                const sinew_gl_model_options *options,
                                                sinew_error *error);
SINEW_API void sinew_gl_model_free(sinew_gl_model *on_gpu);
SINEW_API const sinew_gl_item *sinew_gl_model_items(const sinew_gl_model *on_gpu, uint32_t *count);
/* The storage in use, never AUTO. */
SINEW_API sinew_gl_storage sinew_gl_model_storage(const sinew_gl_model *on_gpu);

/* Builds the palettes and morph weights of every item from a pose whose world matrices
 * are up to date, and uploads them. SINEW_ERROR_ARGUMENT: a pose of another model, or
 * (see sinew_gl_options.check) one whose world matrices are not up to date. */
SINEW_API sinew_result sinew_gl_model_update(sinew_gl_model *on_gpu, const sinew_pose *pose,
                                             sinew_error *error);

/* For a host's debug check before he draws: SINEW_ERROR_ARGUMENT where the last update
 * was not made from this pose as it is now. */
SINEW_API sinew_result sinew_gl_model_check(const sinew_gl_model *on_gpu, const sinew_pose *pose,
                                            sinew_error *error);

/* ---- Sinew draws ---- */

/* The GL texture (2D; sRGB format, as base colours are stored) that stands for
 * textures[texture] of the model, 0: none. The host decodes pictures; it stays his. */
SINEW_API void sinew_gl_model_set_texture(sinew_gl_model *on_gpu, uint32_t texture,
                                          uint32_t gl_texture);

/* Updates from the pose and draws all items into the current framebuffer and viewport,
 * base colour and a light over the viewer's shoulder; depth test on, with the host's
 * depth function; colours in sRGB (encoded by the shader when GL_FRAMEBUFFER_SRGB is
 * off, on ES when the framebuffer's format is not sRGB). Items that blend come last, in
 * their order. Blend functions that GL 4 hosts set by buffer become those of buffer 0.
 * placement: world -> the host's world, 16 floats, or NULL for identity.
 * view_projection: the host's world -> clip space, 16 floats. */
SINEW_API sinew_result sinew_gl_draw(sinew_gl_model *on_gpu, const sinew_pose *pose,
                                     const float placement[16], const float view_projection[16],
                                     sinew_error *error);

/* ---- the host draws ---- */

/* sinew_gl_item_skinning fills all of it in for an item. */
typedef struct sinew_gl_skinning {
    sinew_gl_storage storage; /* of the model; AUTO: what AUTO takes first */
    /* Texels of the array in the storages uniform and ubo, where GLSL wants to know; 0:
     * as many as the context has. */
    uint32_t palette_texels;
    uint32_t influences; /* as the item says, which must match; 0: rigid */
    /* Of the host's #version line: 330, 430, 300 on ES ...; 0: the least that the storage
     * has. From 430 on shader storage needs no #extension line. */
    uint32_t glsl_version;
    bool normals;  /* the chunk has vec3 sinew_normal(vec3) */
    bool tangents; /* the chunk has vec4 sinew_tangent(vec4) */
    bool morphs;   /* the item has targets */
    bool approximate_normals;
    sinew_skin_method method; /* of the model, whose palettes it must fit */
    /* Texels from an instance's palette to the next, by gl_InstanceID; 0: each draw is one
     * instance, or the instance attribute tells them apart (glVertexAttribDivisor). */
    uint32_t instance_texels;
    bool previous;                /* the chunk has vec3 sinew_previous_position(vec3) */
    sinew_gl_locations locations; /* those of the model */
} sinew_gl_skinning;

/* The wish that fits an item: its storage, method, influences, morphs, locations, and what
 * normals and tangents it has. No such item: all zeros. */
SINEW_API sinew_gl_skinning sinew_gl_item_skinning(const sinew_gl_model *on_gpu, uint32_t item);

/* GLSL 330 text without #version, to put between the host's #version line and his
 * vertex shader; on ES GLSL ES 300, for the storage ssbo 310 and texture buffers 320. It
 * sets ES's precisions to highp. It declares the attributes for joints, weights and instance, names
 * that begin with sinew_ and SINEW_ (SINEW_LOCATION_POSITION ... among them), and:
 *     vec3 sinew_position(vec3 position)   bind -> world; call it first in main
 *     vec3 sinew_normal(vec3 normal)       unit length, or 0 0 0
 *     vec4 sinew_tangent(vec4 tangent)
 *     float sinew_side()                   -1 where the blend mirrors, else 1
 *     vec3 sinew_previous_position(vec3)   by the palettes of the frame before, for motion
 *                                          vectors (sinew/gl_palettes.h); morph targets as
 *                                          they are now; call it after sinew_position
 * Owned by gl, valid until sinew_gl_free; the same wish gives the same pointer.
 * NULL: no memory, or SINEW_ERROR_ARGUMENT: glsl_version is too old for it. */
SINEW_API const char *sinew_gl_skinning_source(sinew_gl *gl, const sinew_gl_skinning *wish,
                                               sinew_error *error);

/* Points the chunk's samplers in `program` (which must be current) at the model's
 * textures and binds them to two texture units from `first_unit` on. Leaves those two
 * bindings, their samplers and the active texture unit changed. The storages ubo and ssbo
 * take, for the first, binding point `first_unit` of uniform or storage buffers and the
 * generic binding; on ES ssbo takes the point SINEW_STORAGE_BINDING, which the host may
 * define in front of the chunk, else 0; uniform takes none and fills the array in the program.
 * Call it for every item, it is cheap. No such item: nothing happens. */
SINEW_API void sinew_gl_item_bind(sinew_gl_model *on_gpu, uint32_t item, uint32_t program,
                                  uint32_t first_unit);

/* Draws an item with the current program and GL_PRIMITIVE_RESTART (not on ES) as the host has it.
 * Leaves the vertex array binding at 0 and the constant values of the instance and (where
 * it has no colours) the colour attribute changed. No such item: nothing happens. */
SINEW_API void sinew_gl_item_draw(sinew_gl_model *on_gpu, uint32_t item);

/* For palettes of the host's own (sinew/gl_palettes.h). Binds what no attribute of the item
 * holds, morph deltas and influences from the ninth on, to a texture unit for `program`, which
 * must be current. Leaves that unit active and bound. No such item: nothing happens. */
SINEW_API void sinew_gl_item_bind_vertices(sinew_gl_model *on_gpu, uint32_t item, uint32_t program,
                                           uint32_t unit);

/* Draws an item `count` times, without morph targets; first_texel: where the palette of the
 * first one begins. Leaves the same as sinew_gl_item_draw. */
SINEW_API void sinew_gl_item_draw_instances(sinew_gl_model *on_gpu, uint32_t item,
                                            uint32_t first_texel, uint32_t count);

/* A placement for a camera that stands at the origin, out of one in double: the host's world
 * less his eye, rounded once. A float at 10 km is up to half a millimetre off, and what moves
 * there trembles. Take it for `placement`, with a view_projection that does not move by the
 * eye. placement: 16 numbers, column-major, affine; eye: in the host's world; metres. */
SINEW_API void sinew_gl_placement(const double placement[16], const double eye[3], float out[16]);

/* ---- capture ---- */

/* The vertices that the GPU makes of an item as of the last update, by transform
 * feedback: vertex_count * 3, 3 and 4 floats, bind -> world; NULL: not wanted.
 * normals and tangents need has_normals and has_tangents. */
SINEW_API sinew_result sinew_gl_item_capture(sinew_gl_model *on_gpu, uint32_t item,
                                             float *positions, float *normals, float *tangents,
                                             sinew_error *error);

#ifdef __cplusplus
}
#endif

#endif
