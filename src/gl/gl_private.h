/* Inside of the room gl: the objects, and what its files offer each other. */
#ifndef SINEWI_GL_PRIVATE_H
#define SINEWI_GL_PRIVATE_H

#include "sinew/gl.h"

#include "base/error.h"
#include "base/memory.h"

#include <glad/gl.h>

typedef struct sinewi_gl_chunk sinewi_gl_chunk;
typedef struct sinewi_gl_program sinewi_gl_program;

struct sinew_gl {
    sinew_allocator allocator;
    GladGLContext table; /* the functions of this context */
    sinew_gl_info info;
    bool check;
    sinewi_gl_chunk *chunks;     /* skinning sources made so far */
    sinewi_gl_program *programs; /* built so far */
};

/* ---- limits (limits.c) ---- */

/* Four floats, in bytes. */
#define SINEWI_GL_TEXEL_SIZE (4 * sizeof(float))

/* Influences that go in as attributes; of further ones two take a texel. */
#define SINEWI_GL_ATTRIBUTE_INFLUENCES 8

/* ES has them from 3.2 on; before that even asking for their bindings is an error. */
bool sinewi_gl_has_texture_buffers(const sinew_gl *gl);

/* SINEW_ERROR_LIMIT with the limit's name and both numbers. */
sinew_result sinewi_gl_over_limit(sinew_error *error, const char *place, const char *what,
                                  uint64_t needed, const char *limit_name, uint64_t limit);

/* Texels in a row of the texture of sinewi_gl_geometry: a power of two. */
uint32_t sinewi_gl_texture_width(const sinew_gl *gl);

/* Forgets errors that the host left, so that ours can be told. */
void sinewi_gl_drain_errors(const sinew_gl *gl);
/* SINEW_ERROR_GL when an error came up since; what: what was being done. */
sinew_result sinewi_gl_check_errors(const sinew_gl *gl, const char *place, const char *what,
                                    sinew_error *error);

/* ---- storages (storage.c) ---- */

const char *sinewi_gl_storage_text(sinew_gl_storage storage); /* its GLSL */
/* How a joint lies in it: 4x3 but for TBO4, and with its rotation for DQS. */
sinew_palette_layout sinewi_gl_palette_layout(sinew_gl_storage storage, sinew_skin_method method);
uint32_t sinewi_gl_joint_texels(sinew_gl_storage storage, sinew_skin_method method);
/* Whether it shows one item at a time, and so must hold the largest only. */
bool sinewi_gl_storage_is_windowed(sinew_gl_storage storage);
/* SINEW_ERROR_ARGUMENT: there is no such storage; SINEW_ERROR_GL: not in this context. */
sinew_result sinewi_gl_storage_sound(const sinew_gl *gl, sinew_gl_storage storage,
                                     sinew_error *error);
/* SINEW_ERROR_ARGUMENT: there is no such method. */
sinew_result sinewi_gl_method_sound(sinew_skin_method method, sinew_error *error);
/* For AUTO: whole: texels of all palettes; largest: of the largest item. */
sinew_gl_storage sinewi_gl_storage_choose(const sinew_gl *gl, uint64_t whole, uint64_t largest);
/* What AUTO stands for before there is a model. */
sinew_gl_storage sinewi_gl_storage_or_preferred(const sinew_gl *gl, sinew_gl_storage storage);
/* SINEW_ERROR_LIMIT: `texels` are too many for the storage. */
sinew_result sinewi_gl_storage_refuse(const sinew_gl *gl, sinew_gl_storage storage, uint64_t texels,
                                      sinew_error *error);

/* ---- what a program sees of a storage (storage_bind.c) ---- */

typedef struct sinewi_gl_palette_buffer {
    GLuint buffer, texture; /* 0: the storage needs none */
} sinewi_gl_palette_buffer;

/* A texture buffer over `buffer`, or a 2D texture of full rows. Leaves it bound. */
GLuint sinewi_gl_palette_texture(const sinew_gl *gl, sinew_gl_storage storage, GLuint buffer,
                                 uint32_t row_texels, uint32_t texels, const float *from);
/* Tells a program, which is current, the texture unit or binding point of a palette:
 * "sinew_palette" or "sinew_previous_palette". */
void sinewi_gl_palette_point(const sinew_gl *gl, sinew_gl_storage storage, GLuint program,
                             const char *palette, GLuint unit);
/* Fills an array of a program, which is current, from an element on. */
void sinewi_gl_uniform_palette(const sinew_gl *gl, GLuint program, const char *palette,
                               uint32_t element, const float *texels, uint32_t count);
/* Binds it to a texture unit or binding point, or on ES, where only the shader can tell that
 * of a storage block, to the one written there; bytes of a buffer that is bound by range. */
void sinewi_gl_storage_bind(const sinew_gl *gl, sinew_gl_storage storage, GLuint program,
                            const char *palette, GLuint unit, const sinewi_gl_palette_buffer *one,
                            size_t offset, size_t size);

/* ---- the host's state (state.c) ---- */

/* Our own programs use unit 0 for the palette, 1 for the vertex texture, 2 for the base
 * colour. */
#define SINEWI_GL_OWN_UNITS 3

typedef struct sinewi_gl_indexed_buffer {
    GLint bound, indexed; /* the generic binding, and that of point 0 */
    GLint64 start, size;
} sinewi_gl_indexed_buffer;

typedef struct sinewi_gl_state {
    GLint program, vertex_array, array_buffer, active_texture;
    sinewi_gl_indexed_buffer uniform, storage; /* storage: where the context has it */
    struct {
        GLint buffer_texture, texture_2d, sampler; /* buffer_texture: where there are any */
    } units[SINEWI_GL_OWN_UNITS];
} sinewi_gl_state;

/* Bindings: program, vertex array, array buffer, uniform and storage buffer of point 0,
 * textures and samplers of our units. */
void sinewi_gl_state_save(const sinew_gl *gl, sinewi_gl_state *state);
void sinewi_gl_state_restore(const sinew_gl *gl, const sinewi_gl_state *state);

/* The generic buffer binding that a palette in this storage is uploaded through. */
void sinewi_gl_palette_binding(const sinew_gl *gl, sinew_gl_storage storage, GLint *bound);

typedef struct sinewi_gl_draw_state {
    GLboolean depth_test, cull_face, depth_mask;
    GLboolean primitive_restart; /* not on ES, whose restart index is none of ours */
    bool encodes;                /* the framebuffer turns colours into sRGB */
    GLboolean blend[32];         /* by draw buffer; the first alone before ES 3.2 */
    GLint blend_buffers;
    GLint cull_face_mode, front_face;
    GLint blend_source_rgb, blend_target_rgb, blend_source_alpha, blend_target_alpha;
    GLint blend_equation_rgb, blend_equation_alpha;
} sinewi_gl_draw_state;

/* What sinew_gl_draw sets beyond bindings. */
void sinewi_gl_draw_state_save(const sinew_gl *gl, sinewi_gl_draw_state *state);
void sinewi_gl_draw_state_restore(const sinew_gl *gl, const sinewi_gl_draw_state *state);

/* What reading pixels from memory hangs on; set to our need when saved. */
typedef struct sinewi_gl_unpack_state {
    GLint values[8];
    GLint buffer;
} sinewi_gl_unpack_state;

void sinewi_gl_unpack_save_and_set(const sinew_gl *gl, sinewi_gl_unpack_state *state);
void sinewi_gl_unpack_restore(const sinew_gl *gl, const sinewi_gl_unpack_state *state);

/* Constant values of the generic attributes that a draw sets. */
typedef struct sinewi_gl_constants {
    GLuint instance[4];
    GLfloat color[4];
} sinewi_gl_constants;

void sinewi_gl_constants_save(const sinew_gl *gl, const sinew_gl_locations *locations,
                              sinewi_gl_constants *constants);
void sinewi_gl_constants_restore(const sinew_gl *gl, const sinew_gl_locations *locations,
                                 const sinewi_gl_constants *constants);

/* What transform feedback into buffers of our own changes. */
typedef struct sinewi_gl_feedback_state {
    GLboolean discard;
    GLint framebuffer, renderbuffer;
    sinewi_gl_indexed_buffer buffer;
} sinewi_gl_feedback_state;

void sinewi_gl_feedback_save(const sinew_gl *gl, sinewi_gl_feedback_state *state);
void sinewi_gl_feedback_restore(const sinew_gl *gl, const sinewi_gl_feedback_state *state);

/* ---- programs (source.c, program.c) ---- */

/* The defines and the GLSL of one wish. */
struct sinewi_gl_chunk {
    char *text;
    size_t size; /* of text, with its zero */
    sinew_gl_skinning wish;
    sinewi_gl_chunk *next;
};

sinew_gl_locations sinewi_gl_locations_or_default(const sinew_gl_locations *locations);

/* The chunk of a wish, made when it is new. NULL: no memory. Owned by gl. */
const sinewi_gl_chunk *sinewi_gl_chunk_find(sinew_gl *gl, const sinew_gl_skinning *wish,
                                            sinew_error *error);
void sinewi_gl_chunks_free(sinew_gl *gl);

/* Compiles and links, the #version of the context put in front. texts: parts of the vertex
 * shader in order; fragment NULL: none (ES wants one); captured: outputs for transform feedback,
 * interleaved. SINEW_ERROR_GL with the first line of the log; 0 then. */
GLuint sinewi_gl_program_build(const sinew_gl *gl, const char *name, const char *const *vertex,
                               uint32_t vertex_count, const char *fragment,
                               const char *const *captured, uint32_t captured_count,
                               sinew_error *error);

typedef enum sinewi_gl_purpose {
    SINEWI_GL_DRAW,
    SINEWI_GL_CAPTURE
} sinewi_gl_purpose;

/* A program of our own and where its uniforms are (-1: not used). */
struct sinewi_gl_program {
    sinewi_gl_purpose purpose;
    const sinewi_gl_chunk *chunk;
    GLuint name;
    GLint placement, turn, view_projection, texcoord, tiling;
    GLint base_color, textured, alpha_cutoff, opaque, lit, encode, light, up;
    sinewi_gl_program *next;
};

/* Found among those built, or built. Its samplers are set to units 0 (palette), 1
 * (vertices) and 2 (base colour). Changes the current program. */
sinew_result sinewi_gl_program_find(sinew_gl *gl, sinewi_gl_purpose purpose,
                                    const sinew_gl_skinning *wish, const sinewi_gl_program **found,
                                    sinew_error *error);
void sinewi_gl_programs_free(sinew_gl *gl);

/* ---- geometry (geometry.c, influences.c, vertex_texture.c) ---- */

/* A primitive with the influences of one skin (or rigid), shared by all its items. */
typedef struct sinewi_gl_geometry {
    const sinew_primitive *primitive;
    const sinew_influences *influences; /* NULL: rigid */
    uint32_t mesh, index;               /* where the primitive is in the model */
    GLuint vertex_array, vertices, indices;
    GLuint texture;   /* further influences and morph deltas; 0: none */
    uint32_t *joints; /* joint slots that the vertices use */
    uint32_t joint_count;
} sinewi_gl_geometry;

/* Fills a geometry whose primitive and influences are set. Leaves its bindings. */
sinew_result sinewi_gl_geometry_create(sinew_gl *gl, const sinew_gl_locations *locations,
                                       sinewi_arena *arena, const char *place,
                                       sinewi_gl_geometry *geometry, sinew_error *error);
void sinewi_gl_geometry_free(const sinew_gl *gl, sinewi_gl_geometry *geometry);

/* Entry of vertex v's k-th influence: v * per_vertex + k. */
uint32_t sinewi_gl_joint_at(const sinew_influences *from, size_t entry);
float sinewi_gl_weight_at(const sinew_influences *from, size_t entry);

/* Fills geometry->joints, from the arena. */
sinew_result sinewi_gl_list_joints(const sinew_gl *gl, sinewi_arena *arena, const char *place,
                                   sinewi_gl_geometry *geometry, sinew_error *error);

/* The texture of a geometry, 0 when it needs none. Leaves the 2D texture binding. */
sinew_result sinewi_gl_vertex_texture_create(const sinew_gl *gl, const char *place,
                                             const sinew_primitive *primitive,
                                             const sinew_influences *influences, GLuint *texture,
                                             sinew_error *error);

/* ---- models (model.c, palette_plan.c, palette_buffer.c, item.c) ---- */

/* Joints in the palette buffer: those of a skin, or the node of a rigid mesh. */
typedef struct sinewi_gl_range {
    uint32_t skin; /* SINEW_NONE: rigid */
    uint32_t node; /* of a rigid range */
    uint32_t first_texel;
    uint32_t joint_count;
} sinewi_gl_range;

/* Active morph targets in the palette buffer: those of a node. */
typedef struct sinewi_gl_morphs {
    uint32_t node;
    uint32_t first_texel;
    uint32_t active;
} sinewi_gl_morphs;

/* A range and active targets behind each other, to be bound as one. */
typedef struct sinewi_gl_window {
    uint32_t range, morphs;
    uint32_t first_texel;
} sinewi_gl_window;

/* Buffers that take turns, so that an update need not wait for a draw of the last. */
#define SINEWI_GL_PALETTE_BUFFERS 3

/* What a public item leaves out. */
typedef struct sinewi_gl_item_parts {
    uint32_t geometry, range;
    uint32_t morphs;               /* SINEW_NONE: none */
    uint32_t window;               /* of a uniform block */
    const sinewi_gl_program *draw; /* found when first needed */
} sinewi_gl_item_parts;

struct sinew_gl_model {
    sinew_gl *gl;
    const sinew_model *model;
    sinewi_arena arena; /* of all arrays below and of itself */
    sinew_gl_locations locations;
    sinew_gl_storage storage; /* AUTO until it is planned */
    sinew_skin_method method;
    bool approximate_normals;
    sinew_gl_item *items;
    sinewi_gl_item_parts *parts;
    uint32_t item_count;
    sinewi_gl_geometry *geometries;
    uint32_t geometry_count;
    sinewi_gl_range *ranges;
    uint32_t range_count;
    sinewi_gl_morphs *morphs;
    uint32_t morphs_count;
    sinewi_gl_window *windows;
    uint32_t window_count;
    uint32_t window_texels; /* of the largest item: the length of a uniform array or block */
    float *texels;          /* texel_count * 4 floats: what is uploaded */
    uint32_t texel_count;
    uint32_t row_texels; /* in a row of a 2D texture, which texel_count fills */
    uint32_t *textures;  /* the host's, by texture of the model */
    sinewi_gl_palette_buffer buffers[SINEWI_GL_PALETTE_BUFFERS];
    uint32_t current;       /* the buffer of the last update */
    const sinew_pose *pose; /* of the last update, to compare, never read; NULL: none */
    uint64_t pose_revision;
};

/* Chooses the storage and gives every range, list and window its place. SINEW_ERROR_LIMIT:
 * the storage does not hold them. */
sinew_result sinewi_gl_palette_plan(sinew_gl_model *on_gpu, sinew_error *error);

sinew_result sinewi_gl_palette_buffers_create(sinew_gl_model *on_gpu, sinew_error *error);
void sinewi_gl_palette_buffers_free(sinew_gl_model *on_gpu);

/* SINEW_ERROR_ARGUMENT unless the pose is of this model and, where that is checked, its
 * world matrices are up to date. */
sinew_result sinewi_gl_pose_sound(const sinew_gl_model *on_gpu, const sinew_pose *pose,
                                  sinew_error *error);

/* Binds the palette of an item to a texture unit or binding point, or fills the uniforms of
 * the program, which is current. */
void sinewi_gl_palette_bind(const sinew_gl_model *on_gpu, uint32_t item, GLuint program,
                            GLuint unit);

/* Binds palette and vertex texture to two units from `unit` on, without samplers. */
void sinewi_gl_item_textures(const sinew_gl_model *on_gpu, uint32_t item, GLuint program,
                             uint32_t unit);

/* Binds the item's vertex array and sets the constant values of its attributes. */
void sinewi_gl_item_instance(const sinew_gl_model *on_gpu, uint32_t index);

#endif
