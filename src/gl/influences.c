/* Reading influences of any stored type. */
#include "gl_private.h"

uint32_t sinewi_gl_joint_at(const sinew_influences *from, size_t entry) {
    return from->joint_type == SINEW_U8 ? ((const uint8_t *)from->joints)[entry]
                                        : ((const uint16_t *)from->joints)[entry];
}

float sinewi_gl_weight_at(const sinew_influences *from, size_t entry) {
    switch (from->weight_type) {
    case SINEW_U8: return (float)((const uint8_t *)from->weights)[entry] / 255.0f;
    case SINEW_U16: return (float)((const uint16_t *)from->weights)[entry] / 65535.0f;
    default: return ((const float *)from->weights)[entry];
    }
}

static void mark_joints(const sinew_influences *from, uint32_t vertex_count, uint8_t *used) {
    size_t entries = (size_t)from->per_vertex * vertex_count;
    for (size_t i = 0; i < entries; i++) {
        if (sinewi_gl_weight_at(from, i) > 0.0f) {
            used[sinewi_gl_joint_at(from, i)] = 1;
        }
    }
}

sinew_result sinewi_gl_list_joints(const sinew_gl *gl, sinewi_arena *arena, const char *place,
                                   sinewi_gl_geometry *geometry, sinew_error *error) {
    const sinew_influences *from = geometry->influences;
    uint32_t limit = from ? from->joint_limit : 1;
    geometry->joints = sinewi_arena_take(arena, limit, sizeof *geometry->joints);
    uint8_t *used = sinewi_allocate_zeroed(&gl->allocator, limit, 1);
    if (!used || !geometry->joints) {
        sinewi_release(&gl->allocator, used, limit);
        return sinewi_fail(error, SINEW_ERROR_MEMORY, place, "no memory for the joints in use");
    }
    if (from) {
        mark_joints(from, geometry->primitive->vertex_count, used);
    } else {
        used[0] = 1;
    }
    for (uint32_t joint = 0; joint < limit; joint++) {
        if (used[joint]) {
            geometry->joints[geometry->joint_count++] = joint;
        }
    }
    sinewi_release(&gl->allocator, used, limit);
    return SINEW_OK;
}
