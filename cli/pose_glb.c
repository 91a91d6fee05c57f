/* `pose --format glb`: the posed mesh as a static model, one node an instance. */
#include "command.h"
#include "glb.h"
#include "json.h"
#include "pose_formats.h"

#include <math.h>
#include <stdlib.h>

enum {
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963
};
enum {
    COMPONENT_U16 = 5123,
    COMPONENT_U32 = 5125,
    COMPONENT_F32 = 5126
};

/* ---- attributes ---- */

/* An accessor of count rows of width floats; with limits, its minimum and maximum. */
static uint32_t add_floats(glb *file, const float *values, uint32_t count, uint32_t width,
                           const sinew_box *limits) {
    uint32_t view = glb_view(file, values, (size_t)count * width * sizeof(float), TARGET_VERTICES);
    uint32_t accessor = glb_entry(&file->accessors);
    FILE *out = file->accessors.stream;
    fprintf(out, "{\"bufferView\":%u,\"componentType\":%d,\"count\":%u,\"type\":\"VEC%u\"",
            (unsigned)view, COMPONENT_F32, (unsigned)count, (unsigned)width);
    if (limits) {
        fputs(",\"min\":", out);
        json_floats(out, limits->minimum, 3);
        fputs(",\"max\":", out);
        json_floats(out, limits->maximum, 3);
    }
    fputc('}', out);
    return accessor;
}

static sinew_box box_of(const float *positions, uint32_t count) {
    sinew_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < (size_t)3 * count; i++) {
        box.minimum[i % 3] = fminf(box.minimum[i % 3], positions[i]);
        box.maximum[i % 3] = fmaxf(box.maximum[i % 3], positions[i]);
    }
    return box;
}

/* glTF wants every direction to have one: what a flattened joint leaves without gets
 * that of an axis. The first three floats of every row. */
static void give_direction(float *values, uint32_t count, uint32_t width, uint32_t axis) {
    for (uint32_t v = 0; v < count; v++) {
        float *row = values + (size_t)v * width;
        if (row[0] == 0 && row[1] == 0 && row[2] == 0) {
            row[axis] = 1;
        }
    }
}

/* w is 1 or -1; in a mirror the bitangent points the other way. */
static void sign_tangents(float *tangents, uint32_t count, bool mirrored) {
    for (uint32_t v = 0; v < count; v++) {
        float *w = &tangents[(size_t)4 * v + 3];
        *w = (*w < 0) != mirrored ? -1.0f : 1.0f;
    }
}

static bool add_colors(glb *file, const float *colors, uint32_t count, uint32_t *accessor) {
    size_t total = (size_t)4 * count;
    float *clamped = malloc(total * sizeof *clamped);
    if (!clamped) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        clamped[i] = fminf(fmaxf(colors[i], 0), 1);
    }
    *accessor = add_floats(file, clamped, count, 4, NULL);
    free(clamped);
    return true;
}

static bool add_attributes(glb *file, const posed_primitive *from) {
    const sinew_primitive *primitive = from->primitive;
    uint32_t count = primitive->vertex_count;
    sinew_box box = box_of(from->positions, count);
    FILE *out = file->meshes.stream;
    fprintf(out, "{\"attributes\":{\"POSITION\":%u",
            (unsigned)add_floats(file, from->positions, count, 3, &box));
    if (from->normals) {
        give_direction(from->normals, count, 3, 2);
        fprintf(out, ",\"NORMAL\":%u", (unsigned)add_floats(file, from->normals, count, 3, NULL));
    }
    if (from->tangents) {
        give_direction(from->tangents, count, 4, 0);
        sign_tangents(from->tangents, count, from->mirrored);
        fprintf(out, ",\"TANGENT\":%u", (unsigned)add_floats(file, from->tangents, count, 4, NULL));
    }
    for (unsigned i = 0; i < SINEW_MAX_TEXCOORDS && primitive->texcoords[i]; i++) {
        fprintf(out, ",\"TEXCOORD_%u\":%u", i,
                (unsigned)add_floats(file, primitive->texcoords[i], count, 2, NULL));
    }
    uint32_t accessor = 0;
    if (primitive->colors && !add_colors(file, primitive->colors, count, &accessor)) {
        return false;
    }
    if (primitive->colors) {
        fprintf(out, ",\"COLOR_0\":%u", (unsigned)accessor);
    }
    fputc('}', out);
    return true;
}

/* ---- indices ---- */

/* As 16 bits where all of them fit; the largest number of a type is not allowed. */
static bool add_indices(glb *file, const uint32_t *indices, size_t count, uint32_t vertex_count) {
    uint32_t view;
    bool narrow = vertex_count <= UINT16_MAX;
    if (narrow) {
        uint16_t *narrowed = malloc(count * sizeof *narrowed);
        if (!narrowed) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            narrowed[i] = (uint16_t)indices[i];
        }
        view = glb_view(file, narrowed, count * sizeof *narrowed, TARGET_INDICES);
        free(narrowed);
    } else {
        view = glb_view(file, indices, count * sizeof *indices, TARGET_INDICES);
    }
    uint32_t accessor = glb_entry(&file->accessors);
    fprintf(file->accessors.stream,
            "{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
            (unsigned)view, narrow ? COMPONENT_U16 : COMPONENT_U32, count);
    fprintf(file->meshes.stream, ",\"indices\":%u", (unsigned)accessor);
    return true;
}

/* Points and lines as they are; a line without its end is left out. */
static bool add_points_or_lines(glb *file, const sinew_primitive *primitive) {
    fprintf(file->meshes.stream, ",\"mode\":%d", (int)primitive->topology);
    uint32_t count = primitive->indices ? primitive->index_count : primitive->vertex_count;
    bool odd = primitive->topology == SINEW_LINES && count % 2 != 0;
    if (primitive->indices) {
        return add_indices(file, primitive->indices, count - odd, primitive->vertex_count);
    }
    if (!odd) {
        return true;
    }
    uint32_t *indices = malloc(count * sizeof *indices);
    for (uint32_t i = 0; indices && i < count; i++) {
        indices[i] = i;
    }
    bool done = indices && add_indices(file, indices, count - 1, primitive->vertex_count);
    free(indices);
    return done;
}

static bool add_topology(glb *file, const posed_primitive *from) {
    const sinew_primitive *primitive = from->primitive;
    if (primitive->topology < SINEW_TRIANGLES) {
        return add_points_or_lines(file, primitive);
    }
    uint32_t count;
    uint32_t *triangles = posed_triangles(from, true, &count);
    bool done =
        triangles && add_indices(file, triangles, (size_t)3 * count, primitive->vertex_count);
    free(triangles);
    return done;
}

/* ---- nodes ---- */

/* Whether there is something to draw: triangles, or enough vertices of another kind. */
static bool shows_something(const posed_primitive *from) {
    const sinew_primitive *primitive = from->primitive;
    if (primitive->topology >= SINEW_TRIANGLES) {
        return sinew_primitive_triangles(primitive, NULL) > 0;
    }
    uint32_t count = primitive->indices ? primitive->index_count : primitive->vertex_count;
    return count >= (primitive->topology == SINEW_POINTS ? 1 : 2);
}

static bool add_primitive(glb *file, const posed_primitive *from) {
    if (!add_attributes(file, from) || !add_topology(file, from)) {
        return false;
    }
    if (from->primitive->material != SINEW_NONE) {
        fprintf(file->meshes.stream, ",\"material\":%u", (unsigned)from->primitive->material);
    }
    fputc('}', file->meshes.stream);
    return true;
}

static bool add_instance(glb *file, const sinew_model *model, const posed_instance *instance) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < instance->primitive_count; i++) {
        const posed_primitive *primitive = &instance->primitives[i];
        if (!shows_something(primitive)) {
            continue;
        }
        if (shown++ == 0) {
            glb_entry(&file->meshes);
            fputs("{\"primitives\":[", file->meshes.stream);
        } else {
            fputs(",\n", file->meshes.stream);
        }
        if (!add_primitive(file, primitive)) {
            return false;
        }
    }
    if (shown) {
        fputs("]}", file->meshes.stream);
        glb_entry(&file->nodes);
        fputs("{\"name\":", file->nodes.stream);
        json_string(file->nodes.stream, model->nodes[instance->node].name);
        fprintf(file->nodes.stream, ",\"mesh\":%u}", (unsigned)file->meshes.count - 1);
    }
    return true;
}

int pose_write_glb(const posed_scene *scene, FILE *out) {
    const sinew_model *model = scene->pose->model;
    glb file;
    bool done = glb_open(&file, model);
    if (done) {
        glb_add_materials(&file, model);
    }
    for (uint32_t i = 0; i < scene->mesh->instance_count && done; i++) {
        done = add_instance(&file, model, &scene->mesh->instances[i]);
    }
    int status = !done ? command_out_of_memory() : glb_write(&file, out) ? EXIT_DONE : EXIT_FILE;
    glb_free(&file);
    return status;
}
