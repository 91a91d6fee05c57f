/* Sinew gl: palettes of many instances for a renderer of the host's own.
 *
 * Each frame: map, fill each palette (sinew_palette_build writes straight into the buffer),
 * unmap, then for each draw bind and draw as many instances as the binding holds:
 *
 *     sinew_palette *out = sinew_gl_palettes_map(palettes, count, &error);
 *     for (i = 0; i < count; i++)
 *         sinew_palette_build(model, skin, poses[i], &out[i]);
 *     sinew_gl_palettes_unmap(palettes, &error);
 *     for (first = 0; first < count; first += range.count) {
 *         range = sinew_gl_palettes_bind(palettes, first, program, unit);
 *         sinew_gl_item_draw_instances(on_gpu, item, range.first_texel, range.count);
 *     }
 *
 * The buffers take turns (three, four with `previous`), each waited for by a fence before it
 * is written again; where the context has buffer storage they stay mapped. What a storage
 * cannot hold at once is split: that is what range.count is for.
 *
 * State: as in gl.h, every function leaves the host's GL state as it found it, except where
 * its comment says what stays bound.
 */
#ifndef SINEW_GL_PALETTES_H
#define SINEW_GL_PALETTES_H

#include "sinew/gl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_gl_palettes sinew_gl_palettes;

typedef struct sinew_gl_palettes_options {
    uint32_t guard_begin;
    sinew_gl_storage storage; /* AUTO: that of sinew_gl_options, else the first that holds one */
    sinew_skin_method method; /* DQS: joints with their rotations */
    uint32_t joint_count;     /* of an instance, at least 1 */
    uint32_t instances;       /* that a frame has at most, at least 1 */
    /* The palettes of the frame before stay bound, too: for motion vectors. Instance i is the
     * same character in both; what the frame before did not have is undefined there. */
    bool previous;
    bool no_persistent_mapping; /* as if the context had no buffer storage */
    uint32_t guard_end;
} sinew_gl_palettes_options;

/* SINEW_ERROR_ARGUMENT: no joints or no instances; SINEW_ERROR_GL: the context does not have
 * the storage; SINEW_ERROR_LIMIT: it does not hold the palette of one instance, with the
 * limit's name and both numbers. Freed before gl, with its context current. */
SINEW_API sinew_gl_palettes *sinew_gl_palettes_create(sinew_gl *gl,
                                                      const sinew_gl_palettes_options *options,
                                                      sinew_error *error);
SINEW_API void sinew_gl_palettes_free(sinew_gl_palettes *palettes);

typedef struct sinew_gl_palettes_info {
    sinew_gl_storage storage;    /* never AUTO */
    sinew_palette_layout layout; /* of each palette */
    uint32_t instances_per_draw; /* that one binding holds */
    size_t bytes;                /* of one frame */
    bool persistent;             /* the buffers stay mapped */
} sinew_gl_palettes_info;

SINEW_API sinew_gl_palettes_info sinew_gl_palettes_info_of(const sinew_gl_palettes *palettes);

/* The palettes of a new frame, count of them, each with room for joint_count joints in the
 * layout of the storage; write them in order and do not read them. Waits until the GPU has
 * done with the frame that used this memory. Valid until unmap. NULL: count is 0 or more
 * than `instances`, they are mapped already, or (SINEW_ERROR_GL) mapping failed. */
SINEW_API sinew_palette *sinew_gl_palettes_map(sinew_gl_palettes *palettes, uint32_t count,
                                               sinew_error *error);
/* SINEW_ERROR_GL: the driver lost what was written; map and fill again. */
SINEW_API sinew_result sinew_gl_palettes_unmap(sinew_gl_palettes *palettes, sinew_error *error);

/* Makes a wish fit: storage, method, palette_texels, instance_texels, previous. The rest is
 * the host's: influences, normals, locations (or sinew_gl_item_skinning). */
SINEW_API void sinew_gl_palettes_fit(const sinew_gl_palettes *palettes, sinew_gl_skinning *wish);

typedef struct sinew_gl_palettes_range {
    uint32_t first_texel; /* of the first instance: x of the instance attribute */
    uint32_t count;       /* instances that may be drawn now, one gl_InstanceID after the other */
} sinew_gl_palettes_range;

/* Binds the palettes from an instance on for `program`, which must be current: to texture
 * unit or binding point `unit`, with `previous` those of the frame before to unit + 1 (in
 * the first frame this one's). On ES shader storage has the binding points that the chunk
 * names: SINEW_STORAGE_BINDING and SINEW_PREVIOUS_STORAGE_BINDING, which the host may define in
 * front of it, else 0 and 1. Leaves these bindings, and the active texture unit, changed
 * as sinew_gl_item_bind does. count is 0 when there is no such instance, or while the
 * palettes are mapped. */
SINEW_API sinew_gl_palettes_range sinew_gl_palettes_bind(const sinew_gl_palettes *palettes,
                                                         uint32_t first_instance, uint32_t program,
                                                         uint32_t unit);

#ifdef __cplusplus
}
#endif

#endif
