/* Palettes and morph weights on the GPU, and their update from a pose.
 *
 * Where everything stands is fixed when the model is made (palette_plan.c). Each update
 * writes another buffer in place: sub-data into a buffer that may still be drawn from can
 * stall, and orphaning one first costs three times the copy. */
#include "gl_private.h"

#include "base/math.h"

#include <string.h>

static GLenum target_of(sinew_gl_storage storage) {
    return storage == SINEW_GL_STORAGE_UBO    ? GL_UNIFORM_BUFFER
           : storage == SINEW_GL_STORAGE_SSBO ? GL_SHADER_STORAGE_BUFFER
                                              : GL_ARRAY_BUFFER;
}

/* ---- making ---- */

static void make_buffer(const sinew_gl_model *on_gpu, sinewi_gl_palette_buffer *one) {
    const GladGLContext *table = &on_gpu->gl->table;
    GLint bound = 0;
    sinewi_gl_palette_binding(on_gpu->gl, on_gpu->storage, &bound);
    GLenum target = target_of(on_gpu->storage);
    table->GenBuffers(1, &one->buffer);
    table->BindBuffer(target, one->buffer);
    table->BufferData(target, (GLsizeiptr)(on_gpu->texel_count * SINEWI_GL_TEXEL_SIZE),
                      on_gpu->texels, GL_DYNAMIC_DRAW);
    table->BindBuffer(target, (GLuint)bound);
}

sinew_result sinewi_gl_palette_buffers_create(sinew_gl_model *on_gpu, sinew_error *error) {
    sinew_result result = sinewi_gl_palette_plan(on_gpu, error);
    if (result) {
        return result;
    }
    on_gpu->texels =
        sinewi_arena_take_zeroed(&on_gpu->arena, on_gpu->texel_count, SINEWI_GL_TEXEL_SIZE);
    if (!on_gpu->texels) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the palettes");
    }
    sinew_gl_storage storage = on_gpu->storage;
    for (uint32_t i = 0; i < SINEWI_GL_PALETTE_BUFFERS && storage != SINEW_GL_STORAGE_UNIFORM;
         i++) {
        if (storage != SINEW_GL_STORAGE_TEXTURE) {
            make_buffer(on_gpu, &on_gpu->buffers[i]);
        }
        if (storage != SINEW_GL_STORAGE_UBO && storage != SINEW_GL_STORAGE_SSBO) {
            on_gpu->buffers[i].texture =
                sinewi_gl_palette_texture(on_gpu->gl, storage, on_gpu->buffers[i].buffer,
                                          on_gpu->row_texels, on_gpu->texel_count, on_gpu->texels);
        }
    }
    return sinewi_gl_check_errors(on_gpu->gl, NULL, "making the palette buffers", error);
}

void sinewi_gl_palette_buffers_free(sinew_gl_model *on_gpu) {
    for (uint32_t i = 0; i < SINEWI_GL_PALETTE_BUFFERS; i++) {
        on_gpu->gl->table.DeleteTextures(1, &on_gpu->buffers[i].texture);
        on_gpu->gl->table.DeleteBuffers(1, &on_gpu->buffers[i].buffer);
    }
}

/* ---- update ---- */

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
                           .layout = sinewi_gl_palette_layout(on_gpu->storage, on_gpu->method),
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
        const sinew_node *node = &on_gpu->model->nodes[morphs->node];
        const float *weights = pose->weights + node->first_weight;
        float *texel = on_gpu->texels + (size_t)4 * morphs->first_texel;
        morphs->active = 0;
        for (uint32_t t = 0; t < node->weight_count; t++) {
            if (weights[t] != 0.0f) {
                *texel++ = (float)t;
                *texel++ = weights[t];
                *texel++ = (float)node->weight_count;
                *texel++ = 0.0f;
                morphs->active++;
            }
        }
    }
}

/* Joints and active targets of each window behind each other, for what is bound by range. */
static void fill_windows(sinew_gl_model *on_gpu) {
    for (uint32_t w = 0; w < on_gpu->window_count; w++) {
        const sinewi_gl_window *window = &on_gpu->windows[w];
        const sinewi_gl_range *range = &on_gpu->ranges[window->range];
        float *to = on_gpu->texels + (size_t)4 * window->first_texel;
        size_t joints =
            (size_t)range->joint_count * sinewi_gl_joint_texels(on_gpu->storage, on_gpu->method);
        memcpy(to, on_gpu->texels + (size_t)4 * range->first_texel, joints * SINEWI_GL_TEXEL_SIZE);
        if (window->morphs != SINEW_NONE) {
            const sinewi_gl_morphs *morphs = &on_gpu->morphs[window->morphs];
            memcpy(to + 4 * joints, on_gpu->texels + (size_t)4 * morphs->first_texel,
                   morphs->active * SINEWI_GL_TEXEL_SIZE);
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

static void upload_texture(const sinew_gl_model *on_gpu) {
    const GladGLContext *table = &on_gpu->gl->table;
    sinewi_gl_unpack_state unpack;
    GLint bound = 0;
    table->GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    sinewi_gl_unpack_save_and_set(on_gpu->gl, &unpack);
    table->BindTexture(GL_TEXTURE_2D, on_gpu->buffers[on_gpu->current].texture);
    table->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)on_gpu->row_texels,
                         (GLsizei)(on_gpu->texel_count / on_gpu->row_texels), GL_RGBA, GL_FLOAT,
                         on_gpu->texels);
    sinewi_gl_unpack_restore(on_gpu->gl, &unpack);
    table->BindTexture(GL_TEXTURE_2D, (GLuint)bound);
}

static void upload_buffer(const sinew_gl_model *on_gpu) {
    const GladGLContext *table = &on_gpu->gl->table;
    GLenum target = target_of(on_gpu->storage);
    GLint bound = 0;
    sinewi_gl_palette_binding(on_gpu->gl, on_gpu->storage, &bound);
    table->BindBuffer(target, on_gpu->buffers[on_gpu->current].buffer);
    table->BufferSubData(target, 0, (GLsizeiptr)(on_gpu->texel_count * SINEWI_GL_TEXEL_SIZE),
                         on_gpu->texels);
    table->BindBuffer(target, (GLuint)bound);
}

static void upload(sinew_gl_model *on_gpu) {
    on_gpu->current = (on_gpu->current + 1) % SINEWI_GL_PALETTE_BUFFERS;
    if (on_gpu->storage == SINEW_GL_STORAGE_TEXTURE) {
        upload_texture(on_gpu);
    } else if (on_gpu->storage != SINEW_GL_STORAGE_UNIFORM) {
        upload_buffer(on_gpu);
    }
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
    if (on_gpu->storage == SINEW_GL_STORAGE_UBO) {
        fill_windows(on_gpu);
    }
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

/* ---- binding ---- */

static void fill_uniforms(const sinew_gl_model *on_gpu, const sinewi_gl_item_parts *parts,
                          GLuint program) {
    const sinewi_gl_range *range = &on_gpu->ranges[parts->range];
    uint32_t joints = range->joint_count * sinewi_gl_joint_texels(on_gpu->storage, on_gpu->method);
    sinewi_gl_uniform_palette(on_gpu->gl, program, "sinew_palette", 0,
                              on_gpu->texels + (size_t)4 * range->first_texel, joints);
    if (parts->morphs != SINEW_NONE) {
        const sinewi_gl_morphs *morphs = &on_gpu->morphs[parts->morphs];
        sinewi_gl_uniform_palette(on_gpu->gl, program, "sinew_palette", joints,
                                  on_gpu->texels + (size_t)4 * morphs->first_texel, morphs->active);
    }
}

void sinewi_gl_palette_bind(const sinew_gl_model *on_gpu, uint32_t item, GLuint program,
                            GLuint unit) {
    const sinewi_gl_item_parts *parts = &on_gpu->parts[item];
    const sinewi_gl_palette_buffer *one = &on_gpu->buffers[on_gpu->current];
    size_t first = 0, texels = on_gpu->texel_count;
    if (on_gpu->storage == SINEW_GL_STORAGE_UNIFORM) {
        fill_uniforms(on_gpu, parts, program);
        return;
    }
    if (on_gpu->storage == SINEW_GL_STORAGE_UBO) {
        first = on_gpu->windows[parts->window].first_texel;
        texels = on_gpu->window_texels;
    }
    sinewi_gl_storage_bind(on_gpu->gl, on_gpu->storage, program, "sinew_palette", unit, one,
                           first * SINEWI_GL_TEXEL_SIZE, texels * SINEWI_GL_TEXEL_SIZE);
}
