/* Where palettes and morph weights stand in what is uploaded, and which storage holds them.
 *
 * First the ranges of joints, then room for all morph targets of each node, that all items
 * share. A uniform block is bound by range: for it a window follows for each pair of a
 * range and a node's targets, which repeats both behind each other. A uniform array is
 * filled from the shared part in the same order, item by item. */
#include "gl_private.h"

static uint32_t target_count(const sinew_gl_model *on_gpu, uint32_t morphs) {
    return morphs == SINEW_NONE ? 0
                                : on_gpu->model->nodes[on_gpu->morphs[morphs].node].weight_count;
}

static uint32_t joint_texels_of(const sinew_gl_model *on_gpu) {
    return sinewi_gl_joint_texels(on_gpu->storage, on_gpu->method);
}

/* Texels of ranges and targets, a joint taking `joint_texels`. */
static uint64_t shared_texels(const sinew_gl_model *on_gpu, uint32_t joint_texels) {
    uint64_t texels = 0;
    for (uint32_t r = 0; r < on_gpu->range_count; r++) {
        texels += (uint64_t)joint_texels * on_gpu->ranges[r].joint_count;
    }
    for (uint32_t m = 0; m < on_gpu->morphs_count; m++) {
        texels += target_count(on_gpu, m);
    }
    return texels;
}

static uint64_t item_texels(const sinew_gl_model *on_gpu, uint32_t item, uint32_t joint_texels) {
    const sinewi_gl_item_parts *parts = &on_gpu->parts[item];
    return (uint64_t)joint_texels * on_gpu->ranges[parts->range].joint_count +
           target_count(on_gpu, parts->morphs);
}

static uint64_t largest_item(const sinew_gl_model *on_gpu, uint32_t joint_texels) {
    uint64_t largest = 1;
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        uint64_t texels = item_texels(on_gpu, i, joint_texels);
        largest = texels > largest ? texels : largest;
    }
    return largest;
}

static sinew_result choose_storage(sinew_gl_model *on_gpu, sinew_error *error) {
    const sinew_gl *gl = on_gpu->gl;
    if (on_gpu->storage == SINEW_GL_STORAGE_AUTO) {
        uint32_t least = sinewi_gl_joint_texels(SINEW_GL_STORAGE_AUTO, on_gpu->method);
        on_gpu->storage =
            sinewi_gl_storage_choose(gl, shared_texels(on_gpu, least), largest_item(on_gpu, least));
    }
    uint32_t joint_texels = joint_texels_of(on_gpu);
    uint64_t largest = largest_item(on_gpu, joint_texels);
    uint64_t needed = sinewi_gl_storage_is_windowed(on_gpu->storage)
                          ? largest
                          : shared_texels(on_gpu, joint_texels);
    if (needed > sinew_gl_storage_texels(gl, on_gpu->storage)) {
        return sinewi_gl_storage_refuse(gl, on_gpu->storage, needed, error);
    }
    on_gpu->window_texels = (uint32_t)largest;
    return SINEW_OK;
}

/* Returns the texels used. */
static uint64_t place_shared(sinew_gl_model *on_gpu) {
    uint32_t joint_texels = joint_texels_of(on_gpu);
    uint64_t texels = 0;
    for (uint32_t r = 0; r < on_gpu->range_count; r++) {
        on_gpu->ranges[r].first_texel = (uint32_t)texels;
        texels += (uint64_t)joint_texels * on_gpu->ranges[r].joint_count;
    }
    for (uint32_t m = 0; m < on_gpu->morphs_count; m++) {
        on_gpu->morphs[m].first_texel = (uint32_t)texels;
        texels += target_count(on_gpu, m);
    }
    return texels;
}

/* The items of a node come one after the other and mostly share a window. */
static void list_windows(sinew_gl_model *on_gpu) {
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        sinewi_gl_item_parts *parts = &on_gpu->parts[i];
        const sinewi_gl_window *last =
            on_gpu->window_count ? &on_gpu->windows[on_gpu->window_count - 1] : NULL;
        if (!last || last->range != parts->range || last->morphs != parts->morphs) {
            on_gpu->windows[on_gpu->window_count++] =
                (sinewi_gl_window){.range = parts->range, .morphs = parts->morphs};
        }
        parts->window = on_gpu->window_count - 1;
    }
}

/* A bound range has the size of the whole block, also behind the last window. */
static uint64_t place_windows(sinew_gl_model *on_gpu, uint64_t texels) {
    uint32_t joint_texels = joint_texels_of(on_gpu);
    uint64_t step = (on_gpu->gl->info.uniform_offset_alignment + 15) / 16;
    step = step ? step : 1;
    for (uint32_t w = 0; w < on_gpu->window_count; w++) {
        sinewi_gl_window *window = &on_gpu->windows[w];
        texels = (texels + step - 1) / step * step;
        window->first_texel = (uint32_t)texels;
        texels += (uint64_t)joint_texels * on_gpu->ranges[window->range].joint_count +
                  target_count(on_gpu, window->morphs);
    }
    return texels + on_gpu->window_texels;
}

/* What the shader adds to the index of a joint or target. */
static void tell_items(sinew_gl_model *on_gpu) {
    uint32_t joint_texels = joint_texels_of(on_gpu);
    bool windowed = sinewi_gl_storage_is_windowed(on_gpu->storage);
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        const sinewi_gl_item_parts *parts = &on_gpu->parts[i];
        const sinewi_gl_range *range = &on_gpu->ranges[parts->range];
        on_gpu->items[i].palette_texel = windowed ? 0 : range->first_texel;
        if (parts->morphs != SINEW_NONE) {
            on_gpu->items[i].morph_texel = windowed ? joint_texels * range->joint_count
                                                    : on_gpu->morphs[parts->morphs].first_texel;
        }
    }
}

sinew_result sinewi_gl_palette_plan(sinew_gl_model *on_gpu, sinew_error *error) {
    sinew_result result = choose_storage(on_gpu, error);
    if (result) {
        return result;
    }
    uint64_t texels = place_shared(on_gpu);
    if (on_gpu->storage == SINEW_GL_STORAGE_UBO) {
        on_gpu->windows =
            sinewi_arena_take(&on_gpu->arena, on_gpu->item_count, sizeof *on_gpu->windows);
        if (!on_gpu->windows) {
            return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the palettes");
        }
        list_windows(on_gpu);
        texels = place_windows(on_gpu, texels);
    }
    if (texels > INT32_MAX) {
        return sinewi_gl_over_limit(error, NULL, "texels of the palettes of all items", texels,
                                    "what a shader counts", INT32_MAX);
    }
    texels = texels ? texels : 1;
    uint32_t width = sinewi_gl_texture_width(on_gpu->gl);
    on_gpu->row_texels = texels < width ? (uint32_t)texels : width;
    uint64_t texel_rows = (texels + on_gpu->row_texels - 1) / on_gpu->row_texels;
    on_gpu->texel_count = on_gpu->storage == SINEW_GL_STORAGE_TEXTURE
                              ? (uint32_t)texel_rows * on_gpu->row_texels
                              : (uint32_t)texels;
    tell_items(on_gpu);
    return SINEW_OK;
}
