/* Palettes of many instances: their memory.
 *
 * Instances stand in blocks of as many as one binding holds. A texture buffer and a texture
 * show the whole of what they stand for, so each block has its own; of a uniform or storage
 * buffer a range is bound, so one buffer holds all blocks, at aligned offsets. A texture and a
 * uniform array are filled out of memory of ours. */
#include "palettes_private.h"

static bool one_buffer(const sinew_gl_palettes *all) {
    return all->storage == SINEW_GL_STORAGE_UBO || all->storage == SINEW_GL_STORAGE_SSBO;
}

static bool has_buffers(const sinew_gl_palettes *all) {
    return all->storage != SINEW_GL_STORAGE_UNIFORM && all->storage != SINEW_GL_STORAGE_TEXTURE;
}

size_t sinewi_gl_part_size(const sinew_gl_palettes *all) {
    return one_buffer(all) ? all->frame_size : all->block_stride;
}

/* ---- planning ---- */

/* What the start of a block is a multiple of. */
static size_t alignment_of(const sinew_gl_palettes *all) {
    GLint alignment = 1;
    if (all->storage == SINEW_GL_STORAGE_SSBO) {
        all->gl->table.GetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    } else if (all->storage == SINEW_GL_STORAGE_UBO) {
        alignment = (GLint)all->gl->info.uniform_offset_alignment;
    } else if (all->storage == SINEW_GL_STORAGE_TEXTURE) {
        alignment = (GLint)(all->row_texels * SINEWI_GL_TEXEL_SIZE);
    }
    return alignment > 0 ? (size_t)alignment : 1;
}

/* Palettes that share what a binding holds: a program has one set of uniforms for both
 * frames. */
static uint32_t sharers(const sinew_gl_palettes *all) {
    return all->storage == SINEW_GL_STORAGE_UNIFORM && all->previous ? 2 : 1;
}

static uint32_t texels_held(const sinew_gl_palettes *all) {
    return sinew_gl_storage_texels(all->gl, all->storage) / sharers(all);
}

static sinew_result plan_storage(sinew_gl_palettes *all, sinew_error *error) {
    all->storage = all->storage ? all->storage : all->gl->info.storage;
    uint64_t texels =
        (uint64_t)sinewi_gl_joint_texels(all->storage, all->method) * all->joint_count;
    if (!all->storage) {
        all->storage = sinewi_gl_storage_choose(all->gl, texels, texels);
    }
    all->layout = sinewi_gl_palette_layout(all->storage, all->method);
    if (texels > texels_held(all)) {
        return sinewi_gl_storage_refuse(all->gl, all->storage, texels * sharers(all), error);
    }
    all->instance_texels = (uint32_t)texels;
    return SINEW_OK;
}

static sinew_result plan_blocks(sinew_gl_palettes *all, sinew_error *error) {
    uint32_t fit = texels_held(all) / all->instance_texels;
    all->per_block = fit < all->capacity ? fit : all->capacity;
    all->block_count = (all->capacity - 1) / all->per_block + 1;
    all->block_texels = all->per_block * all->instance_texels;
    uint32_t width = sinewi_gl_texture_width(all->gl);
    all->row_texels = all->block_texels < width ? all->block_texels : width;
    size_t step = alignment_of(all);
    all->block_stride = (all->block_texels * SINEWI_GL_TEXEL_SIZE + step - 1) / step * step;
    if (!sinewi_multiply(all->block_stride, all->block_count, &all->frame_size) ||
        all->frame_size > INT32_MAX) {
        return sinewi_gl_over_limit(error, NULL, "bytes of the palettes of a frame",
                                    (uint64_t)all->block_stride * all->block_count,
                                    "what is mapped at once", INT32_MAX);
    }
    all->part_count = one_buffer(all) ? 1 : all->block_count;
    all->slot_count = all->previous ? SINEWI_GL_PALETTE_BUFFERS + 1 : SINEWI_GL_PALETTE_BUFFERS;
    all->persistent = all->persistent && has_buffers(all);
    return SINEW_OK;
}

/* A texture is filled when it is unmapped, so that one memory serves all frames; a uniform
 * array when it is bound. */
static bool take_memory(sinew_gl_palettes *all) {
    bool shared = all->storage == SINEW_GL_STORAGE_TEXTURE, taken = true;
    for (uint32_t s = 0; s < all->slot_count && taken && !has_buffers(all); s++) {
        all->slots[s].memory = shared && s > 0
                                   ? all->slots[0].memory
                                   : sinewi_arena_take_zeroed(&all->arena, all->frame_size, 1);
        taken = all->slots[s].memory != NULL;
    }
    return taken;
}

static bool take_arrays(sinew_gl_palettes *all) {
    all->views = sinewi_arena_take_zeroed(&all->arena, all->capacity, sizeof *all->views);
    bool taken = all->views && take_memory(all);
    for (uint32_t s = 0; s < all->slot_count && taken; s++) {
        sinewi_gl_part **parts = &all->slots[s].parts;
        *parts = sinewi_arena_take_zeroed(&all->arena, all->part_count, sizeof **parts);
        taken = *parts != NULL;
    }
    return taken;
}

/* ---- making ---- */

/* Coherent: what is written is seen without a flush. */
static void make_buffer(const sinew_gl_palettes *all, sinewi_gl_part *part) {
    const GladGLContext *table = &all->gl->table;
    const GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLsizeiptr size = (GLsizeiptr)sinewi_gl_part_size(all);
    table->GenBuffers(1, &part->at.buffer);
    table->BindBuffer(GL_ARRAY_BUFFER, part->at.buffer);
    if (all->persistent) {
        table->BufferStorage(GL_ARRAY_BUFFER, size, NULL, access);
        part->mapped = table->MapBufferRange(GL_ARRAY_BUFFER, 0, size, access);
    } else {
        table->BufferData(GL_ARRAY_BUFFER, size, NULL, GL_DYNAMIC_DRAW);
    }
}

static void make_part(const sinew_gl_palettes *all, sinewi_gl_slot *slot, sinewi_gl_part *part) {
    if (has_buffers(all)) {
        make_buffer(all, part);
    }
    if (!one_buffer(all) && all->storage != SINEW_GL_STORAGE_UNIFORM) {
        part->at.texture =
            sinewi_gl_palette_texture(all->gl, all->storage, part->at.buffer, all->row_texels,
                                      (uint32_t)(all->block_stride / SINEWI_GL_TEXEL_SIZE),
                                      (const float *)(const void *)slot->memory);
    }
}

static sinew_result make_parts(sinew_gl_palettes *all, sinew_error *error) {
    sinewi_gl_state state;
    sinewi_gl_unpack_state unpack;
    bool mapped = true;
    sinewi_gl_state_save(all->gl, &state);
    sinewi_gl_unpack_save_and_set(all->gl, &unpack);
    sinewi_gl_drain_errors(all->gl);
    for (uint32_t s = 0; s < all->slot_count; s++) {
        for (uint32_t p = 0; p < all->part_count; p++) {
            make_part(all, &all->slots[s], &all->slots[s].parts[p]);
            mapped = mapped && (all->slots[s].parts[p].mapped || !all->persistent);
        }
    }
    sinewi_gl_unpack_restore(all->gl, &unpack);
    sinewi_gl_state_restore(all->gl, &state);
    sinew_result result = sinewi_gl_check_errors(all->gl, NULL, "making the palettes", error);
    if (result == SINEW_OK && !mapped) {
        result = sinewi_fail(error, SINEW_ERROR_GL, NULL, "the palettes cannot be mapped");
    }
    return result;
}

static sinew_result options_sound(const sinew_gl *gl, const sinew_gl_palettes_options *options,
                                  sinew_error *error) {
    if (!options || options->joint_count == 0 || options->instances == 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "palettes need at least one joint and one instance");
    }
    if (!sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        return SINEW_ERROR_ARGUMENT;
    }
    if (sinewi_gl_method_sound(options->method, error)) {
        return SINEW_ERROR_ARGUMENT;
    }
    return sinewi_gl_storage_sound(gl, options->storage, error);
}

static sinew_result make(sinew_gl_palettes *all, sinew_error *error) {
    sinew_result result = plan_storage(all, error);
    if (result == SINEW_OK) {
        result = plan_blocks(all, error);
    }
    if (result == SINEW_OK && !take_arrays(all)) {
        result = sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the palettes");
    }
    return result ? result : make_parts(all, error);
}

sinew_gl_palettes *sinew_gl_palettes_create(sinew_gl *gl, const sinew_gl_palettes_options *options,
                                            sinew_error *error) {
    sinewi_error_clear(error);
    if (options_sound(gl, options, error)) {
        return NULL;
    }
    sinew_gl_palettes *all = sinewi_allocate_zeroed(&gl->allocator, 1, sizeof *all);
    if (!all) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the palettes");
        return NULL;
    }
    all->gl = gl;
    all->storage = options->storage;
    all->method = options->method;
    all->joint_count = options->joint_count;
    all->capacity = options->instances;
    all->previous = options->previous;
    all->persistent =
        gl->table.ARB_buffer_storage && gl->table.BufferStorage && !options->no_persistent_mapping;
    sinewi_arena_init(&all->arena, &gl->allocator, 0);
    if (make(all, error)) {
        sinew_gl_palettes_free(all);
        return NULL;
    }
    return all;
}

void sinew_gl_palettes_free(sinew_gl_palettes *all) {
    if (!all) {
        return;
    }
    const GladGLContext *table = &all->gl->table;
    for (uint32_t s = 0; s < all->slot_count; s++) {
        const sinewi_gl_slot *slot = &all->slots[s];
        for (uint32_t p = 0; p < all->part_count && slot->parts; p++) {
            table->DeleteTextures(1, &slot->parts[p].at.texture);
            table->DeleteBuffers(1, &slot->parts[p].at.buffer);
        }
        table->DeleteSync(slot->fence);
    }
    sinewi_arena_free(&all->arena);
    sinewi_release(&all->gl->allocator, all, sizeof *all);
}

sinew_gl_palettes_info sinew_gl_palettes_info_of(const sinew_gl_palettes *all) {
    return (sinew_gl_palettes_info){.storage = all->storage,
                                    .layout = all->layout,
                                    .instances_per_draw = all->per_block,
                                    .bytes = all->frame_size,
                                    .persistent = all->persistent};
}

void sinew_gl_palettes_fit(const sinew_gl_palettes *all, sinew_gl_skinning *wish) {
    wish->storage = all->storage;
    wish->method = all->method;
    wish->palette_texels = sinewi_gl_storage_is_windowed(all->storage) ? all->block_texels : 0;
    wish->instance_texels = all->instance_texels;
    wish->previous = all->previous;
}
