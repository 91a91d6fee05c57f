#include "sinew/skin.h"

#include "skin/skin_private.h"

/* Stride 0 means tightly packed. false: the vertices would overlap, or not be aligned. */
static bool stride_sound(size_t *stride, size_t size) {
    if (*stride == 0) {
        *stride = size;
    }
    return *stride >= size && *stride % sizeof(float) == 0;
}

static bool palette_sound(const sinew_palette *palette, const sinew_influences *influences,
                          sinew_skin_method method) {
    if (!palette || !palette->matrices || (unsigned)palette->layout >= SINEW_PALETTE_LAYOUT_COUNT) {
        return false;
    }
    if (method == SINEW_SKIN_DQS && influences && palette->layout != SINEW_PALETTE_4X3_ROTATION) {
        return false;
    }
    return palette->joint_count >= (influences ? influences->joint_limit : 1);
}

sinew_result sinew_skin_vertices(const sinew_skin_job *job, uint32_t first, uint32_t count) {
    if (!job || !job->primitive || (unsigned)job->method >= SINEW_SKIN_METHOD_COUNT ||
        !palette_sound(job->palette, job->influences, job->method) ||
        (job->path != SINEW_SKIN_BEST && job->path != SINEW_SKIN_SCALAR)) {
        return SINEW_ERROR_ARGUMENT;
    }
    uint32_t vertex_count = job->primitive->vertex_count;
    if (first > vertex_count || count > vertex_count - first) {
        return SINEW_ERROR_ARGUMENT;
    }
    sinew_skin_job checked = *job;
    if (!stride_sound(&checked.position_stride, 3 * sizeof(float)) ||
        !stride_sound(&checked.normal_stride, 3 * sizeof(float)) ||
        !stride_sound(&checked.tangent_stride, 4 * sizeof(float))) {
        return SINEW_ERROR_ARGUMENT;
    }
    sinewi_skin_scalar(&checked, first, count);
    return SINEW_OK;
}
