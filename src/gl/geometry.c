/* Vertices, indices and influences of a primitive in buffers, and their vertex array. */
#include "gl_private.h"

#include <string.h>

/* One attribute array. */
typedef struct array {
    uint32_t location;
    const void *data; /* NULL: the primitive has none */
    uint32_t components;
    sinew_component type;
    bool integer;
    size_t offset; /* in the buffer; vertices are tightly packed up to `stride` */
    size_t stride;
    bool follows; /* its bytes are part of the array before it */
} array;

#define MAX_ARRAYS 10

typedef struct arrays {
    array list[MAX_ARRAYS];
    uint32_t count;
    size_t size; /* bytes of the buffer */
} arrays;

static bool add(arrays *all, uint32_t vertex_count, array next) {
    size_t bytes = 0;
    if (!next.follows) {
        next.offset = all->size;
        if (!sinewi_multiply(vertex_count, next.stride, &bytes) ||
            !sinewi_add(all->size, bytes, &all->size)) {
            return false;
        }
    }
    all->list[all->count++] = next;
    return true;
}

static bool add_floats(arrays *all, uint32_t vertex_count, uint32_t location, const float *data,
                       uint32_t components) {
    array next = {.location = location,
                  .data = data,
                  .components = components,
                  .type = SINEW_F32,
                  .stride = components * sizeof(float)};
    return !data || add(all, vertex_count, next);
}

/* Joints or weights: one block of up to two sets a vertex, two attributes. */
static bool add_sets(arrays *all, uint32_t vertex_count, const uint32_t locations[2],
                     const void *data, uint32_t per_vertex, sinew_component type, bool integer) {
    array first = {.location = locations[0],
                   .data = data,
                   .components = 4,
                   .type = type,
                   .integer = integer,
                   .stride = (size_t)per_vertex * type};
    if (!add(all, vertex_count, first)) {
        return false;
    }
    if (per_vertex <= 4) {
        return true;
    }
    array second = all->list[all->count - 1];
    second.location = locations[1];
    second.offset += 4 * (size_t)type;
    second.follows = true;
    return add(all, vertex_count, second);
}

/* The first sets of every vertex, packed. */
static void *pack_first_sets(const sinew_allocator *allocator, const void *from, uint32_t vertices,
                             uint32_t per_vertex, sinew_component type) {
    size_t to_stride = SINEWI_GL_ATTRIBUTE_INFLUENCES * (size_t)type;
    size_t from_stride = per_vertex * (size_t)type;
    char *packed = sinewi_allocate_zeroed(allocator, vertices, to_stride);
    for (uint32_t v = 0; packed && v < vertices; v++) {
        memcpy(packed + v * to_stride, (const char *)from + v * from_stride, to_stride);
    }
    return packed;
}

/* Joints and weights as attributes take them: the file's arrays, or packed copies. */
typedef struct sets {
    const void *joints, *weights;
    void *own_joints, *own_weights;
    uint32_t per_vertex;
} sets;

static bool sets_prepare(const sinew_gl *gl, const sinewi_gl_geometry *geometry, sets *out) {
    const sinew_influences *in = geometry->influences;
    *out = (sets){.joints = in->joints, .weights = in->weights, .per_vertex = in->per_vertex};
    if (in->per_vertex <= SINEWI_GL_ATTRIBUTE_INFLUENCES) {
        return true;
    }
    uint32_t vertices = geometry->primitive->vertex_count;
    out->per_vertex = SINEWI_GL_ATTRIBUTE_INFLUENCES;
    out->own_joints =
        pack_first_sets(&gl->allocator, in->joints, vertices, in->per_vertex, in->joint_type);
    out->own_weights =
        pack_first_sets(&gl->allocator, in->weights, vertices, in->per_vertex, in->weight_type);
    out->joints = out->own_joints;
    out->weights = out->own_weights;
    return out->joints && out->weights;
}

static void sets_free(const sinew_gl *gl, const sinewi_gl_geometry *geometry, const sets *all) {
    const sinew_influences *in = geometry->influences;
    size_t entries = (size_t)geometry->primitive->vertex_count * SINEWI_GL_ATTRIBUTE_INFLUENCES;
    if (all->own_joints) {
        sinewi_release(&gl->allocator, all->own_joints, entries * in->joint_type);
    }
    if (all->own_weights) {
        sinewi_release(&gl->allocator, all->own_weights, entries * in->weight_type);
    }
}

static bool collect_arrays(const sinewi_gl_geometry *geometry, const sinew_gl_locations *at,
                           const sets *influences, arrays *all) {
    const sinew_primitive *from = geometry->primitive;
    uint32_t count = from->vertex_count;
    bool fits = add_floats(all, count, at->position, from->positions, 3) &&
                add_floats(all, count, at->normal, from->normals, 3) &&
                add_floats(all, count, at->tangent, from->tangents, 4) &&
                add_floats(all, count, at->texcoord0, from->texcoords[0], 2) &&
                add_floats(all, count, at->texcoord1, from->texcoords[1], 2) &&
                add_floats(all, count, at->color, from->colors, 4);
    if (!fits || !geometry->influences) {
        return fits;
    }
    const uint32_t joints[2] = {at->joints0, at->joints1};
    const uint32_t weights[2] = {at->weights0, at->weights1};
    return add_sets(all, count, joints, influences->joints, influences->per_vertex,
                    geometry->influences->joint_type, true) &&
           add_sets(all, count, weights, influences->weights, influences->per_vertex,
                    geometry->influences->weight_type, false);
}

static void upload_arrays(const GladGLContext *table, const arrays *all, uint32_t vertex_count) {
    table->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)all->size, NULL, GL_STATIC_DRAW);
    for (uint32_t i = 0; i < all->count; i++) {
        const array *one = &all->list[i];
        if (!one->follows) {
            table->BufferSubData(GL_ARRAY_BUFFER, (GLintptr)one->offset,
                                 (GLsizeiptr)(vertex_count * one->stride), one->data);
        }
    }
}

static GLenum gl_type(sinew_component type) {
    return type == SINEW_U8 ? GL_UNSIGNED_BYTE : type == SINEW_U16 ? GL_UNSIGNED_SHORT : GL_FLOAT;
}

static void point_at_arrays(const GladGLContext *table, const arrays *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        const array *one = &all->list[i];
        const void *offset = (const void *)(uintptr_t)one->offset;
        table->EnableVertexAttribArray(one->location);
        if (one->integer) {
            table->VertexAttribIPointer(one->location, (GLint)one->components, gl_type(one->type),
                                        (GLsizei)one->stride, offset);
        } else {
            table->VertexAttribPointer(one->location, (GLint)one->components, gl_type(one->type),
                                       GL_TRUE, (GLsizei)one->stride, offset);
        }
    }
}

/* Vertex array, vertex buffer, index buffer. */
static sinew_result upload(sinew_gl *gl, const sinew_gl_locations *locations, const char *place,
                           sinewi_gl_geometry *geometry, sinew_error *error) {
    const GladGLContext *table = &gl->table;
    const sinew_primitive *from = geometry->primitive;
    arrays all = {.count = 0};
    sets influences = {.per_vertex = 0};
    if (geometry->influences && !sets_prepare(gl, geometry, &influences)) {
        sets_free(gl, geometry, &influences);
        return sinewi_fail(error, SINEW_ERROR_MEMORY, place, "no memory for the influences");
    }
    if (collect_arrays(geometry, locations, &influences, &all)) {
        table->GenVertexArrays(1, &geometry->vertex_array);
        table->BindVertexArray(geometry->vertex_array);
        table->GenBuffers(1, &geometry->vertices);
        table->BindBuffer(GL_ARRAY_BUFFER, geometry->vertices);
        upload_arrays(table, &all, from->vertex_count);
        point_at_arrays(table, &all);
    } else {
        sinewi_fail(error, SINEW_ERROR_LIMIT, place, "the vertices do not fit into memory");
    }
    if (geometry->influences) {
        sets_free(gl, geometry, &influences);
    }
    if (geometry->vertices && from->indices) {
        table->GenBuffers(1, &geometry->indices);
        table->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, geometry->indices);
        table->BufferData(GL_ELEMENT_ARRAY_BUFFER,
                          (GLsizeiptr)(from->index_count * sizeof(uint32_t)), from->indices,
                          GL_STATIC_DRAW);
    }
    return geometry->vertices ? sinewi_gl_check_errors(gl, place, "uploading vertices", error)
                              : SINEW_ERROR_LIMIT;
}

sinew_result sinewi_gl_geometry_create(sinew_gl *gl, const sinew_gl_locations *locations,
                                       sinewi_arena *arena, const char *place,
                                       sinewi_gl_geometry *geometry, sinew_error *error) {
    sinew_result result = upload(gl, locations, place, geometry, error);
    if (result == SINEW_OK) {
        result = sinewi_gl_vertex_texture_create(gl, place, geometry->primitive,
                                                 geometry->influences, &geometry->texture, error);
    }
    return result == SINEW_OK ? sinewi_gl_list_joints(gl, arena, place, geometry, error) : result;
}

void sinewi_gl_geometry_free(const sinew_gl *gl, sinewi_gl_geometry *geometry) {
    gl->table.DeleteVertexArrays(1, &geometry->vertex_array);
    gl->table.DeleteBuffers(1, &geometry->vertices);
    gl->table.DeleteBuffers(1, &geometry->indices);
    gl->table.DeleteTextures(1, &geometry->texture);
}
