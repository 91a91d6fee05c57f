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

/* ---- clips of another file ---- */

/* A clip of one model, bound to the nodes of another that have the same names. Plain data,
 * to be read; both models must outlive it. */
typedef struct sinew_clip_binding {
    const sinew_model *target;
    const sinew_model *source;
    const sinew_clip *clip;
    /* For each channel of the clip the node of target that it drives, SINEW_NONE: none,
     * because no node has that name, or not that property (morph weights: not as many; a
     * matrix that is no rotation and scale). */
    const uint32_t *nodes;
    uint32_t bound_count;      /* channels that drive something */
    sinew_allocator allocator; /* internal */
} sinew_clip_binding;

/* Binds clips[clip] of source to target by node name, the first node of a name. A binding
 * in which nothing fits is made, too: bound_count is 0. NULL: no such clip, or no memory.
 * NULL allocator: malloc. Freed by sinew_clip_binding_free. */
SINEW_API sinew_clip_binding *sinew_clip_bind(const sinew_model *target, const sinew_model *source,
                                              uint32_t clip, const sinew_allocator *allocator);
SINEW_API void sinew_clip_binding_free(sinew_clip_binding *binding);

/* As sinew_clip_sample, for a bound clip and a pose of its target. */
SINEW_API sinew_result sinew_clip_binding_sample(const sinew_clip_binding *binding, double seconds,
                                                 int flags, sinew_pose *pose);

/* One channel at one time, not looped: channel->width floats into `value`. */
SINEW_API void sinew_channel_sample(const sinew_channel *channel, double seconds, float *value);

#ifdef __cplusplus
}
#endif

#endif
