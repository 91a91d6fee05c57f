/* Sinew clip: animations sampled into a pose (glTF 2.0, 3.11 and appendix C).
 *
 * STEP, LINEAR (rotations by slerp on the shorter arc, both keys of unit length first),
 * CUBICSPLINE (tangents times the distance of the keys, rotations normalised after).
 * Before its first and after its last key a channel keeps the value of that key.
 */
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SINEW_CLAMP = 0, /* the time as it is */
    SINEW_LOOP = 1,  /* the time modulo the clip's duration, also negative times */
    SINEW_KEEP = 2   /* flag: what the clip does not drive stays as it is in the pose,
                        instead of going to rest */
};

/* Writes the pose's local transforms and weights at `seconds`; call
 * sinew_pose_to_world next. clip SINEW_NONE: the rest pose.
 * SINEW_ERROR_ARGUMENT: no such clip, or a time that is not finite. Never allocates. */
SINEW_API sinew_result sinew_clip_sample(const sinew_model *model, uint32_t clip, double seconds,
                                         int flags, sinew_pose *pose);

/* One channel at one time, not looped: channel->width floats into `value`. */
SINEW_API void sinew_channel_sample(const sinew_channel *channel, double seconds, float *value);

#ifdef __cplusplus
}
#endif

#endif
