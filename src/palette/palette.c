#include "sinew/palette.h"

#include "base/error.h"
#include "base/math.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

uint32_t sinew_palette_floats(sinew_palette_layout layout) {
    return layout == SINEW_PALETTE_4X3 ? 12 : 16;
}

/* Writes joint after joint into memory that may be the GPU's: in order, never read. */
typedef struct writer {
    sinew_palette_layout layout;
    float *to;
    bool has_first;
    float first[4]; /* rotation of the first joint that has one */
} writer;

static writer begin(const sinew_palette *out) {
    return (writer){.layout = out->layout, .to = out->matrices};
}

/* r or -r, which are one rotation: that whose first component, seen from the first joint,
 * is positive. What is nearly zero does not count, so that rounding does not decide. */
static void choose_sign(writer *w, float r[4]) {
    const double nearly_half_turn = 1e-4;
    if (!w->has_first) {
        memcpy(w->first, r, sizeof w->first);
        w->has_first = true;
    }
    double ax = w->first[0], ay = w->first[1], az = w->first[2], aw = w->first[3];
    double bx = r[0], by = r[1], bz = r[2], bw = r[3];
    /* conj(first) * r, as w x y z */
    double seen[4] = {aw * bw + ax * bx + ay * by + az * bz, aw * bx - ax * bw - ay * bz + az * by,
                      aw * by + ax * bz - ay * bw - az * bx, aw * bz - ax * by + ay * bx - az * bw};
    int leading = 0;
    while (leading < 3 && !(fabs(seen[leading]) > nearly_half_turn)) {
        leading++;
    }
    for (int i = 0; i < 4 && seen[leading] < 0.0; i++) {
        r[i] = -r[i];
    }
}

static void write_joint(writer *w, const float matrix[16]) {
    if (w->layout == SINEW_PALETTE_4X4) {
        memcpy(w->to, matrix, 16 * sizeof *w->to);
        w->to += 16;
        return;
    }
    float texels[16] = {0.0f}; /* the rows, the rotation */
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            texels[4 * row + column] = matrix[4 * column + row];
        }
    }
    if (w->layout == SINEW_PALETTE_4X3_ROTATION && sinewi_mat4_rotation(matrix, texels + 12)) {
        choose_sign(w, texels + 12);
    }
    uint32_t count = sinew_palette_floats(w->layout);
    memcpy(w->to, texels, count * sizeof *texels);
    w->to += count;
}

/* A palette that can hold this skin of this pose. */
static bool sound(const sinew_model *model, const sinew_pose *pose, const sinew_palette *out) {
    return model && pose && pose->model == model && out &&
           (unsigned)out->layout < SINEW_PALETTE_LAYOUT_COUNT;
}

static bool holds(const sinew_palette *out, uint32_t joint_count) {
    return out->capacity >= joint_count && (out->matrices || joint_count == 0);
}

static const float *world_of(const sinew_pose *pose, uint32_t node) {
    assert(pose->world_revision == pose->revision && "call sinew_pose_to_world first");
    return pose->world_matrices + (size_t)16 * node;
}

static void sign(sinew_palette *out, uint32_t joint_count, const sinew_pose *pose) {
    out->joint_count = joint_count;
    out->pose = pose;
    out->pose_revision = pose->world_revision;
}

/* to_space: what the joint matrices are multiplied by from the left, or NULL. */
static sinew_result build(const sinew_model *model, uint32_t skin, const sinew_pose *pose,
                          const float *to_space, sinew_palette *out) {
    if (skin >= model->skin_count || !holds(out, model->skins[skin].joint_count)) {
        return SINEW_ERROR_ARGUMENT;
    }
    const sinew_skin *bound = &model->skins[skin];
    writer to = begin(out);
    for (uint32_t i = 0; i < bound->joint_count; i++) {
        float matrix[16];
        memcpy(matrix, world_of(pose, bound->joints[i]), sizeof matrix);
        if (bound->inverse_binds) {
            sinewi_mat4_multiply(matrix, bound->inverse_binds + (size_t)16 * i, matrix);
        }
        if (to_space) {
            sinewi_mat4_multiply(to_space, matrix, matrix);
        }
        write_joint(&to, matrix);
    }
    sign(out, bound->joint_count, pose);
    return SINEW_OK;
}

sinew_result sinew_palette_build(const sinew_model *model, uint32_t skin, const sinew_pose *pose,
                                 sinew_palette *out) {
    return sound(model, pose, out) ? build(model, skin, pose, NULL, out) : SINEW_ERROR_ARGUMENT;
}

/* Whether the axes of a matrix span a space, seen by their directions alone: a node that
 * is scaled unevenly has an inverse, however unevenly. Below the limit what is left of
 * the third direction is float rounding. */
static bool has_volume(const float m[16]) {
    const double rounding = 1e-6;
    const float *a = m, *b = m + 4, *c = m + 8;
    double cross[3], lengths = 1.0, volume = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        const float *axis = m + 4 * i;
        lengths *=
            sqrt((double)axis[0] * axis[0] + (double)axis[1] * axis[1] + (double)axis[2] * axis[2]);
        cross[i] = (double)a[j] * b[k] - (double)a[k] * b[j];
        volume += cross[i] * c[i];
    }
    return fabs(volume) > rounding * lengths;
}

sinew_result sinew_palette_build_relative(const sinew_model *model, uint32_t skin,
                                          const sinew_pose *pose, uint32_t node, sinew_palette *out,
                                          sinew_error *error) {
    sinewi_error_clear(error);
    if (!sound(model, pose, out)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "a palette needs a model, a pose of that model and a known layout");
    }
    if (node >= model->node_count || skin >= model->skin_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "skin %u of %u, node %u of %u: no such skin or node", skin,
                           model->skin_count, node, model->node_count);
    }
    if (!holds(out, model->skins[skin].joint_count)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "the palette has room for %u joints, the skin has %u", out->capacity,
                           model->skins[skin].joint_count);
    }
    const float *world = world_of(pose, node);
    float to_node[16];
    if (!has_volume(world) || !sinewi_mat4_inverse(world, to_node)) {
        char place[32];
        snprintf(place, sizeof place, "/nodes/%u", node);
        return sinewi_fail(error, SINEW_ERROR_DATA, place,
                           "the world matrix of node %u \"%s\" is flat (a scale of 0 on it or "
                           "above it), so nothing can be placed relative to it",
                           node, model->nodes[node].name);
    }
    return build(model, skin, pose, to_node, out);
}

sinew_result sinew_palette_build_rigid(const sinew_model *model, uint32_t node,
                                       const sinew_pose *pose, sinew_palette *out) {
    if (!sound(model, pose, out) || node >= model->node_count || !holds(out, 1)) {
        return SINEW_ERROR_ARGUMENT;
    }
    writer to = begin(out);
    write_joint(&to, world_of(pose, node));
    sign(out, 1, pose);
    return SINEW_OK;
}

void sinew_palette_matrix(const sinew_palette *palette, uint32_t joint, float matrix[16]) {
    const float *from = palette->matrices + (size_t)sinew_palette_floats(palette->layout) * joint;
    if (palette->layout == SINEW_PALETTE_4X4) {
        memcpy(matrix, from, 16 * sizeof *matrix);
        return;
    }
    sinewi_mat4_identity(matrix);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            matrix[4 * column + row] = from[4 * row + column];
        }
    }
}
