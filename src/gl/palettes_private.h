/* Palettes of many instances: what palettes.c and palettes_frame.c share. */
#ifndef SINEWI_GL_PALETTES_PRIVATE_H
#define SINEWI_GL_PALETTES_PRIVATE_H

#include "sinew/gl_palettes.h"

#include "gl_private.h"

typedef struct sinewi_gl_part {
    sinewi_gl_palette_buffer at;
    unsigned char *mapped; /* NULL: is not */
} sinewi_gl_part;

/* The memory of one frame. */
typedef struct sinewi_gl_slot {
    sinewi_gl_part *parts; /* part_count */
    unsigned char *memory; /* ours, where the storage has no buffer */
    GLsync fence;          /* behind the frames before the one in this slot; NULL: none yet */
    uint32_t count;        /* instances */
} sinewi_gl_slot;

struct sinew_gl_palettes {
    sinew_gl *gl;
    sinewi_arena arena; /* of the arrays */
    sinew_gl_storage storage;
    sinew_skin_method method;
    sinew_palette_layout layout;
    uint32_t joint_count; /* of an instance */
    uint32_t capacity;    /* instances */
    uint32_t instance_texels;
    uint32_t per_block, block_count, block_texels;
    size_t block_stride, frame_size; /* bytes */
    uint32_t row_texels;             /* of a 2D texture */
    uint32_t part_count;             /* buffers or textures of a frame */
    bool previous, persistent, is_mapped;
    uint64_t frames; /* done */
    uint32_t slot_count;
    sinewi_gl_slot slots[SINEWI_GL_PALETTE_BUFFERS + 1];
    sinew_palette *views; /* capacity */
};

/* Bytes of each part. */
size_t sinewi_gl_part_size(const sinew_gl_palettes *all);

#endif
