/* The vertices of a pose on the CPU, and the space that they are drawn in. */
#include "render_private.h"

#include "base/error.h"
#include "base/math.h"
#include "base/memory.h"
#include "sinew/skin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A model whose distance from the origin is more than this many times its size loses
 * sight of its own vertices in float32, and is moved. */
#define FAR_AWAY 16.0

static sinew_result no_memory(sinew_error *error) {
    return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the vertices");
}

/* Which vertices something is drawn from: files may hold others, far from all that is
 * to be seen. */
static void mark_used(const sinew_primitive *primitive, uint8_t *used) {
    if (!primitive->indices) {
        memset(used, 1, primitive->vertex_count);
        return;
    }
    memset(used, 0, primitive->vertex_count);
    for (uint32_t k = 0; k < primitive->index_count; k++) {
        used[primitive->indices[k]] = 1;
    }
}

/* Keeps the used vertices of points[0 .. count) and returns how many these are. */
static size_t keep_used(const uint8_t *used, uint32_t count, float *points) {
    size_t kept = 0;
    for (uint32_t v = 0; v < count; v++) {
        const float *point = points + 3 * (size_t)v;
        if (used[v] && isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2])) {
            memmove(points + 3 * kept, point, 3 * sizeof *point);
            kept++;
        }
    }
    return kept;
}

/* A palette for an item: its skin's, or of its one node. */
static sinew_result build_palette(const sinew_gl_item *item, const sinew_pose *pose,
                                  sinew_palette *palette) {
    if (item->skin == SINEW_NONE) {
        return sinew_palette_build_rigid(pose->model, item->node, pose, palette);
    }
    return sinew_palette_build(pose->model, item->skin, pose, palette);
}

/* points: room for the vertices of the item; *kept receives how many of them count. */
static sinew_result skin_item(const sinew_gl_item *item, const sinewi_frame *frame,
                              sinew_palette *palette, uint8_t *used, float *points, size_t *kept,
                              sinew_error *error) {
    const sinew_pose *pose = &frame->pose;
    const sinew_model *model = pose->model;
    const sinew_node *node = &model->nodes[item->node];
    const sinew_primitive *primitive = &model->meshes[item->mesh].primitives[item->primitive];
    sinew_result result = build_palette(item, pose, palette);
    if (result == SINEW_OK) {
        sinew_skin_job job = {.primitive = primitive,
                              .palette = palette,
                              .morph_weights = pose->weights + node->first_weight,
                              .morph_weight_count = node->weight_count,
                              .method = frame->method,
                              .positions = points};
        if (item->skin != SINEW_NONE && primitive->influences_count) {
            job.influences = &primitive->influences[node->influences_index];
        }
        result = sinew_skin_vertices(&job, 0, primitive->vertex_count);
    }
    if (result != SINEW_OK) {
        return sinewi_fail(error, result, NULL, "mesh %u of node %u cannot be skinned (%s)",
                           item->mesh, item->node, sinew_result_word(result));
    }
    mark_used(primitive, used);
    *kept = keep_used(used, primitive->vertex_count, points);
    return SINEW_OK;
}

static sinew_result skin_items(const sinew_gl_item *items, sinewi_frame *frame,
                               sinew_palette *palette, uint8_t *used, sinew_error *error) {
    size_t count = 0;
    for (uint32_t k = 0; k < frame->item_count; k++) {
        size_t kept = 0;
        sinew_result result =
            skin_item(&items[k], frame, palette, used, frame->points + 3 * count, &kept, error);
        if (result != SINEW_OK) {
            return result;
        }
        frame->first[k] = count;
        count += kept;
    }
    frame->first[frame->item_count] = count;
    return SINEW_OK;
}

void sinewi_points_box(const float *points, size_t count, sinew_box *box) {
    sinewi_box_empty(box);
    for (size_t k = 0; k < count; k++) {
        sinewi_box_add(box, points + 3 * k);
    }
}

/* Centre and half the diagonal of the points in double: 0 0 0 and 0 without points. */
static double measure(const sinewi_frame *frame, double centre[3]) {
    sinew_box box;
    double square = 0;
    size_t count = frame->first[frame->item_count];
    sinewi_points_box(frame->points, count, &box);
    for (int axis = 0; axis < 3; axis++) {
        double low = count ? box.minimum[axis] : 0, high = count ? box.maximum[axis] : 0;
        centre[axis] = 0.5 * (low + high);
        square += (high - low) * (high - low);
    }
    return 0.5 * sqrt(square);
}

/* Takes the centre out of the world matrices. What is lost to rounding was lost in
 * them already. */
static void move_origin(sinewi_frame *frame, const double centre[3]) {
    for (uint32_t node = 0; node < frame->pose.model->node_count; node++) {
        float *matrix = frame->pose.world_matrices + 16 * (size_t)node;
        for (int axis = 0; axis < 3; axis++) {
            matrix[12 + axis] = (float)(matrix[12 + axis] - centre[axis]);
        }
    }
}

static void world_to_frame(sinewi_frame *frame, const double centre[3], double radius) {
    /* A scale that float32 holds, whatever the file says. */
    double scale = radius > 1e-30 ? 1.0 / radius : 1.0;
    size_t count = frame->first[frame->item_count];
    frame->scale = (float)(scale > 1e30 ? 1e30 : scale);
    for (int axis = 0; axis < 3; axis++) {
        frame->centre[axis] = (float)centre[axis];
    }
    for (size_t k = 0; k < count; k++) {
        float *point = frame->points + 3 * k;
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = (point[axis] - frame->centre[axis]) * frame->scale;
        }
    }
    sinewi_points_box(frame->points, count, &frame->box);
}

/* The sizes that the arrays must have. */
static bool sizes(const sinew_gl_item *items, const sinewi_frame *frame, size_t *vertices,
                  size_t *largest, uint32_t *joints) {
    *vertices = 0;
    *largest = 1;
    *joints = 1;
    for (uint32_t k = 0; k < frame->item_count; k++) {
        if (!sinewi_add(*vertices, items[k].vertex_count, vertices)) {
            return false;
        }
        if (items[k].vertex_count > *largest) {
            *largest = items[k].vertex_count;
        }
        if (items[k].skin != SINEW_NONE) {
            uint32_t count = frame->pose.model->skins[items[k].skin].joint_count;
            *joints = count > *joints ? count : *joints;
        }
    }
    return sinewi_multiply(*vertices, 3 * sizeof(float), &(size_t){0});
}

static sinew_result fill(const sinew_gl_item *items, sinewi_frame *frame, sinew_palette *palette,
                         uint8_t *used, sinew_error *error) {
    double centre[3];
    sinew_result result = skin_items(items, frame, palette, used, error);
    if (result != SINEW_OK) {
        return result;
    }
    double radius = measure(frame, centre);
    double away = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
    if (away > FAR_AWAY * radius) {
        move_origin(frame, centre);
        result = skin_items(items, frame, palette, used, error);
        if (result != SINEW_OK) {
            return result;
        }
        radius = measure(frame, centre);
    }
    world_to_frame(frame, centre, radius);
    return SINEW_OK;
}

sinew_result sinewi_frame_create(const sinew_gl_item *items, uint32_t item_count,
                                 const sinew_pose *pose, sinew_skin_method method,
                                 sinewi_frame *frame, sinew_error *error) {
    memset(frame, 0, sizeof *frame);
    frame->pose = *pose;
    frame->item_count = item_count;
    frame->method = method;
    size_t matrices = pose->model->node_count, vertices, largest;
    uint32_t joints;
    if (!sizes(items, frame, &vertices, &largest, &joints)) {
        frame->pose.world_matrices = NULL;
        return no_memory(error);
    }
    frame->pose.world_matrices = calloc(matrices ? matrices : 1, 16 * sizeof(float));
    frame->points = malloc(vertices ? vertices * 3 * sizeof(float) : 1);
    frame->first = calloc((size_t)item_count + 1, sizeof *frame->first);
    uint8_t *used = malloc(largest);
    sinew_palette palette = {.matrices = malloc((size_t)joints * 16 * sizeof(float)),
                             .capacity = joints,
                             .layout = method == SINEW_SKIN_DQS ? SINEW_PALETTE_4X3_ROTATION
                                                                : SINEW_PALETTE_4X3};
    sinew_result result;
    if (frame->pose.world_matrices && frame->points && frame->first && used && palette.matrices) {
        memcpy(frame->pose.world_matrices, pose->world_matrices, matrices * 16 * sizeof(float));
        result = fill(items, frame, &palette, used, error);
    } else {
        result = no_memory(error);
    }
    free(used);
    free(palette.matrices);
    if (result != SINEW_OK) {
        sinewi_frame_free(frame);
    }
    return result;
}

void sinewi_frame_free(sinewi_frame *frame) {
    free(frame->pose.world_matrices);
    free(frame->points);
    free(frame->first);
    memset(frame, 0, sizeof *frame);
}
