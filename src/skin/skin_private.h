/* What the files of this room share. */
#ifndef SINEWI_SKIN_PRIVATE_H
#define SINEWI_SKIN_PRIVATE_H

#include "sinew/skin.h"

/* Skins a range of a job that has been checked, its strides filled in. */
void sinewi_skin_scalar(const sinew_skin_job *job, uint32_t first, uint32_t count);

/* Entry `at` of the arrays of influences: entry k of vertex v is v * per_vertex + k. */
static inline uint32_t sinewi_joint_at(const sinew_influences *influences, size_t at) {
    return influences->joint_type == SINEW_U8 ? ((const uint8_t *)influences->joints)[at]
                                              : ((const uint16_t *)influences->joints)[at];
}

static inline double sinewi_weight_at(const sinew_influences *influences, size_t at) {
    switch (influences->weight_type) {
    case SINEW_U8: return ((const uint8_t *)influences->weights)[at] / 255.0;
    case SINEW_U16: return ((const uint16_t *)influences->weights)[at] / 65535.0;
    case SINEW_F32: break;
    }
    return (double)((const float *)influences->weights)[at];
}

#endif
