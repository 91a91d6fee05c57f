/* Palettes of many instances: a frame of them mapped, filled, bound. */
#include "palettes_private.h"

static const sinewi_gl_slot *slot_of(const sinew_gl_palettes *all, uint64_t frame) {
    return &all->slots[frame % all->slot_count];
}

/* A fence stands before each frame. What was in the slot of this frame was drawn from last
 * slot_count frames ago, with `previous` one later; the fence behind that is the one before
 * the frame that followed. */
static void wait_for_slot(sinew_gl_palettes *all) {
    const GladGLContext *table = &all->gl->table;
    const GLuint64 step = 100000000; /* ns; asked again, because drivers may end early */
    sinewi_gl_slot *own = &all->slots[all->frames % all->slot_count];
    table->DeleteSync(own->fence);
    own->fence = table->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    uint64_t behind = all->frames + (all->previous ? 2 : 1);
    if (behind < all->slot_count) {
        return; /* nothing was drawn from the slot yet */
    }
    GLsync fence = slot_of(all, behind)->fence;
    GLenum state = fence ? GL_TIMEOUT_EXPIRED : GL_ALREADY_SIGNALED;
    while (state == GL_TIMEOUT_EXPIRED) { /* an error ends it: a lost context signals nothing */
        state = table->ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, step);
    }
}

static bool map_parts(const sinew_gl_palettes *all, const sinewi_gl_slot *slot) {
    const GladGLContext *table = &all->gl->table;
    GLint bound = 0;
    bool done = true;
    table->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    for (uint32_t p = 0; p < all->part_count && done; p++) {
        table->BindBuffer(GL_ARRAY_BUFFER, slot->parts[p].at.buffer);
        slot->parts[p].mapped = table->MapBufferRange(
            GL_ARRAY_BUFFER, 0, (GLsizeiptr)sinewi_gl_part_size(all),
            GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT);
        done = slot->parts[p].mapped != NULL;
    }
    table->BindBuffer(GL_ARRAY_BUFFER, (GLuint)bound);
    return done;
}

/* false: the driver lost the content of a buffer. */
static bool unmap_parts(const sinew_gl_palettes *all, const sinewi_gl_slot *slot) {
    const GladGLContext *table = &all->gl->table;
    GLint bound = 0;
    bool kept = true;
    table->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    for (uint32_t p = 0; p < all->part_count; p++) {
        if (slot->parts[p].mapped) {
            table->BindBuffer(GL_ARRAY_BUFFER, slot->parts[p].at.buffer);
            kept = table->UnmapBuffer(GL_ARRAY_BUFFER) && kept;
            slot->parts[p].mapped = NULL;
        }
    }
    table->BindBuffer(GL_ARRAY_BUFFER, (GLuint)bound);
    return kept;
}

static unsigned char *block_memory(const sinew_gl_palettes *all, const sinewi_gl_slot *slot,
                                   uint32_t block) {
    if (!slot->memory && all->part_count == all->block_count) {
        return slot->parts[block].mapped;
    }
    unsigned char *start = slot->memory ? slot->memory : slot->parts[0].mapped;
    return start + all->block_stride * block;
}

static void lay_out_views(sinew_gl_palettes *all, const sinewi_gl_slot *slot) {
    for (uint32_t i = 0; i < slot->count; i++) {
        unsigned char *at = block_memory(all, slot, i / all->per_block) +
                            SINEWI_GL_TEXEL_SIZE * all->instance_texels * (i % all->per_block);
        all->views[i] = (sinew_palette){
            .matrices = (float *)(void *)at, .capacity = all->joint_count, .layout = all->layout};
    }
}

sinew_palette *sinew_gl_palettes_map(sinew_gl_palettes *all, uint32_t count, sinew_error *error) {
    sinewi_error_clear(error);
    if (all->is_mapped) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                    "the palettes are mapped already: unmap them first");
        return NULL;
    }
    if (count == 0 || count > all->capacity) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                    "%u palettes are asked for, there is room for 1 to %u", count, all->capacity);
        return NULL;
    }
    sinewi_gl_slot *slot = &all->slots[all->frames % all->slot_count];
    wait_for_slot(all);
    if (!slot->memory && !all->persistent && !map_parts(all, slot)) {
        unmap_parts(all, slot);
        sinewi_fail(error, SINEW_ERROR_GL, NULL, "the palettes cannot be mapped");
        return NULL;
    }
    slot->count = count;
    lay_out_views(all, slot);
    all->is_mapped = true;
    return all->views;
}

/* The rows that the instances fill. */
static void upload_texture(const sinew_gl_palettes *all, const sinewi_gl_slot *slot) {
    const GladGLContext *table = &all->gl->table;
    sinewi_gl_unpack_state unpack;
    GLint bound = 0;
    table->GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    sinewi_gl_unpack_save_and_set(all->gl, &unpack);
    for (uint32_t b = 0; b < all->block_count && b * all->per_block < slot->count; b++) {
        uint32_t left = slot->count - b * all->per_block;
        uint32_t texels = all->instance_texels * (left < all->per_block ? left : all->per_block);
        uint32_t texel_rows = (texels + all->row_texels - 1) / all->row_texels;
        table->BindTexture(GL_TEXTURE_2D, slot->parts[b].at.texture);
        table->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, (GLsizei)all->row_texels, (GLsizei)texel_rows,
                             GL_RGBA, GL_FLOAT, block_memory(all, slot, b));
    }
    sinewi_gl_unpack_restore(all->gl, &unpack);
    table->BindTexture(GL_TEXTURE_2D, (GLuint)bound);
}

sinew_result sinew_gl_palettes_unmap(sinew_gl_palettes *all, sinew_error *error) {
    sinewi_error_clear(error);
    if (!all->is_mapped) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "the palettes are not mapped");
    }
    const sinewi_gl_slot *slot = slot_of(all, all->frames);
    all->is_mapped = false;
    if (all->storage == SINEW_GL_STORAGE_TEXTURE) {
        upload_texture(all, slot);
    } else if (!slot->memory && !all->persistent && !unmap_parts(all, slot)) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "the driver lost the palettes: map and fill them again");
    }
    all->frames++;
    return SINEW_OK;
}

/* The palettes of a frame from an instance on, under a name of the chunk. */
static void bind_frame(const sinew_gl_palettes *all, uint64_t frame, uint32_t first,
                       uint32_t program, const char *name, uint32_t unit) {
    const sinewi_gl_slot *slot = slot_of(all, frame);
    uint32_t block = first / all->per_block;
    if (all->storage == SINEW_GL_STORAGE_UNIFORM) {
        const float *texels = (const float *)(const void *)block_memory(all, slot, block);
        sinewi_gl_uniform_palette(all->gl, program, name, 0, texels, all->block_texels);
        return;
    }
    sinewi_gl_palette_point(all->gl, all->storage, program, name, unit);
    bool own_part = all->part_count == all->block_count;
    sinewi_gl_storage_bind(
        all->gl, all->storage, program, name, unit, &slot->parts[own_part ? block : 0].at,
        own_part ? 0 : all->block_stride * block, all->block_texels * SINEWI_GL_TEXEL_SIZE);
}

sinew_gl_palettes_range sinew_gl_palettes_bind(const sinew_gl_palettes *all,
                                               uint32_t first_instance, uint32_t program,
                                               uint32_t unit) {
    uint64_t frame = all->frames - 1;
    if (all->is_mapped || all->frames == 0 || first_instance >= slot_of(all, frame)->count) {
        return (sinew_gl_palettes_range){0, 0};
    }
    bind_frame(all, frame, first_instance, program, "sinew_palette", unit);
    if (all->previous) {
        bind_frame(all, frame > 0 ? frame - 1 : 0, first_instance, program,
                   "sinew_previous_palette", unit + 1);
    }
    uint32_t within = first_instance % all->per_block;
    uint32_t left = slot_of(all, frame)->count - first_instance;
    uint32_t held = all->per_block - within;
    return (sinew_gl_palettes_range){within * all->instance_texels, left < held ? left : held};
}
