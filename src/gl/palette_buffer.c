/* Palettes and morph weights in texture buffers, and their update from a pose.
 *
 * Where everything stands in a buffer is fixed when the model is made: the ranges of
 * joints, then room for all morph targets of each node. Each update writes another
 * buffer in place: sub-data into a buffer that may still be drawn from can stall, and
 * orphaning one first costs three times the copy (see gl-notes.md). */
#include "gl_private.h"

#include "base/math.h"

#include <string.h>

uint32_t sinewi_gl_joint_texels(const sinew_gl *gl) {
    return gl->info.storage == SINEW_GL_STORAGE_TBO4 ? 4 : 3;
}

static sinew_palette_layout palette_layout(const sinew_gl *gl) {
    return gl->info.storage == SINEW_GL_STORAGE_TBO4 ? SINEW_PALETTE_4X4 : SINEW_PALETTE_4X3;
}

static uint32_t target_count(const sinew_gl_model *on_gpu, const sinewi_gl_morphs *morphs) {
    return on_gpu->model->nodes[morphs->node].weight_count;
}

/* Gives every range and list its place. SINEW_ERROR_LIMIT: the buffer would be larger
 * than a texture buffer may be. */
static sinew_result assign_texels(sinew_gl_model *on_gpu, sinew_error *error) {
    uint64_t joint_texels = sinewi_gl_joint_texels(on_gpu->gl), texels = 0;
    uint64_t limit = on_gpu->gl->info.max_texture_buffer_texels;
    for (uint32_t r = 0; r < on_gpu->range_count; r++) {
        on_gpu->ranges[r].first_texel = (uint32_t)texels;
        texels += joint_texels * on_gpu->ranges[r].joint_count;
    }
    for (uint32_t m = 0; m < on_gpu->morphs_count; m++) {
        on_gpu->morphs[m].first_texel = (uint32_t)texels;
        texels += target_count(on_gpu, &on_gpu->morphs[m]);
    }
    if (texels > limit) {
        return sinewi_gl_over_limit(error, NULL, "texels of the palettes", texels,
                                    "GL_MAX_TEXTURE_BUFFER_SIZE", limit);
    }
    on_gpu->texel_count = (uint32_t)(texels ? texels : 1);
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        const sinewi_gl_item_parts *parts = &on_gpu->parts[i];
        on_gpu->items[i].palette_texel = on_gpu->ranges[parts->range].first_texel;
        if (parts->morphs != SINEW_NONE) {
            on_gpu->items[i].morph_texel = on_gpu->morphs[parts->morphs].first_texel;
        }
    }
    return SINEW_OK;
}

#define TEXEL_SIZE (4 * sizeof(float))

sinew_result sinewi_gl_palette_buffers_create(sinew_gl_model *on_gpu, sinew_error *error) {
    const GladGLContext *table = &on_gpu->gl->table;
    sinew_result result = assign_texels(on_gpu, error);
    if (result) {
        return result;
    }
    on_gpu->texels = sinewi_arena_take_zeroed(&on_gpu->arena, on_gpu->texel_count, TEXEL_SIZE);
    if (!on_gpu->texels) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the palettes");
    }
    for (uint32_t i = 0; i < SINEWI_GL_PALETTE_BUFFERS; i++) {
        sinewi_gl_palette_buffer *one = &on_gpu->buffers[i];
        table->GenBuffers(1, &one->buffer);
        table->BindBuffer(GL_ARRAY_BUFFER, one->buffer);
        table->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(on_gpu->texel_count * TEXEL_SIZE),
                          on_gpu->texels, GL_DYNAMIC_DRAW);
        table->GenTextures(1, &one->texture);
        table->BindTexture(GL_TEXTURE_BUFFER, one->texture);
        table->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, one->buffer);
    }
    return sinewi_gl_check_errors(on_gpu->gl, NULL, "making the palette buffers", error);
}

void sinewi_gl_palette_buffers_free(sinew_gl_model *on_gpu) {
    for (uint32_t i = 0; i < SINEWI_GL_PALETTE_BUFFERS; i++) {
        on_gpu->gl->table.DeleteTextures(1, &on_gpu->buffers[i].texture);
        on_gpu->gl->table.DeleteBuffers(1, &on_gpu->buffers[i].buffer);
    }
}

sinew_result sinewi_gl_pose_sound(const sinew_gl_model *on_gpu, const sinew_pose *pose,
                                  sinew_error *error) {
    if (!pose || pose->model != on_gpu->model) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "the pose is not of this model");
    }
    if (on_gpu->gl->check && pose->world_revision != pose->revision) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "the pose changed since its world matrices were computed: call "
                           "sinew_pose_to_world before it is drawn");
    }
    return SINEW_OK;
}

static sinew_palette palette_of(const sinew_gl_model *on_gpu, const sinewi_gl_range *range) {
    return (sinew_palette){.matrices = on_gpu->texels + (size_t)4 * range->first_texel,
                           .capacity = range->joint_count,
                           .layout = palette_layout(on_gpu->gl),
                           .joint_count = range->joint_count};
}

static sinew_result build_palettes(sinew_gl_model *on_gpu, const sinew_pose *pose,
                                   sinew_error *error) {
    for (uint32_t r = 0; r < on_gpu->range_count; r++) {
        const sinewi_gl_range *range = &on_gpu->ranges[r];
        sinew_palette palette = palette_of(on_gpu, range);
        sinew_result result =
            range->skin == SINEW_NONE
                ? sinew_palette_build_rigid(on_gpu->model, range->node, pose, &palette)
                : sinew_palette_build(on_gpu->model, range->skin, pose, &palette);
        if (result) {
            return sinewi_fail(error, result, NULL,
                               "the palette of skin or node %u cannot be built",
                               range->skin == SINEW_NONE ? range->node : range->skin);
        }
    }
    return SINEW_OK;
}

/* One texel a target whose weight is not 0: index, weight, targets of the mesh. */
static void list_active_targets(sinew_gl_model *on_gpu, const sinew_pose *pose) {
    for (uint32_t m = 0; m < on_gpu->morphs_count; m++) {
        sinewi_gl_morphs *morphs = &on_gpu->morphs[m];
        const float *weights = pose->weights + on_gpu->model->nodes[morphs->node].first_weight;
        float *texel = on_gpu->texels + (size_t)4 * morphs->first_texel;
        uint32_t count = target_count(on_gpu, morphs);
        morphs->active = 0;
        for (uint32_t t = 0; t < count; t++) {
            if (weights[t] != 0.0f) {
                *texel++ = (float)t;
                *texel++ = weights[t];
                *texel++ = (float)count;
                *texel++ = 0.0f;
                morphs->active++;
            }
        }
    }
}

static bool all_joints_mirror(const sinew_gl_model *on_gpu, const sinewi_gl_item_parts *parts) {
    const sinewi_gl_geometry *geometry = &on_gpu->geometries[parts->geometry];
    sinew_palette palette = palette_of(on_gpu, &on_gpu->ranges[parts->range]);
    for (uint32_t i = 0; i < geometry->joint_count; i++) {
        float matrix[16];
        sinew_palette_matrix(&palette, geometry->joints[i], matrix);
        if (sinewi_mat4_side(matrix) >= 0) {
            return false;
        }
    }
    return geometry->joint_count > 0;
}

static void describe_items(sinew_gl_model *on_gpu) {
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        const sinewi_gl_item_parts *parts = &on_gpu->parts[i];
        on_gpu->items[i].mirrored = all_joints_mirror(on_gpu, parts);
        if (parts->morphs != SINEW_NONE) {
            on_gpu->items[i].active_targets = on_gpu->morphs[parts->morphs].active;
        }
    }
}

static void upload(sinew_gl_model *on_gpu) {
    const GladGLContext *table = &on_gpu->gl->table;
    GLint bound = 0;
    on_gpu->current = (on_gpu->current + 1) % SINEWI_GL_PALETTE_BUFFERS;
    table->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    table->BindBuffer(GL_ARRAY_BUFFER, on_gpu->buffers[on_gpu->current].buffer);
    table->BufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(on_gpu->texel_count * TEXEL_SIZE),
                         on_gpu->texels);
    table->BindBuffer(GL_ARRAY_BUFFER, (GLuint)bound);
}

sinew_result sinew_gl_model_update(sinew_gl_model *on_gpu, const sinew_pose *pose,
                                   sinew_error *error) {
    sinewi_error_clear(error);
    sinew_result result = sinewi_gl_pose_sound(on_gpu, pose, error);
    if (result == SINEW_OK) {
        result = build_palettes(on_gpu, pose, error);
    }
    if (result) {
        return result;
    }
    list_active_targets(on_gpu, pose);
    describe_items(on_gpu);
    upload(on_gpu);
    on_gpu->pose = pose;
    on_gpu->pose_revision = pose->revision;
    return SINEW_OK;
}

sinew_result sinew_gl_model_check(const sinew_gl_model *on_gpu, const sinew_pose *pose,
                                  sinew_error *error) {
    sinewi_error_clear(error);
    if (on_gpu->pose == NULL) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "the palettes were never built: call sinew_gl_model_update");
    }
    if (on_gpu->pose != pose || on_gpu->pose_revision != pose->revision) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "the palettes are %s: call sinew_gl_model_update",
                           on_gpu->pose != pose ? "of another pose" : "older than the pose");
    }
    return SINEW_OK;
}
