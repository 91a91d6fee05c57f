/* Sinew pose: where every node of one character is at one moment.
 *
 * A pose holds the local transforms and morph weights, which clips and hosts write, and
 * the world matrices, which sinew_pose_to_world computes from them. One pose a
 * character and thread; any number of poses share a model.
 */
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_pose {
    const sinew_model *model; /* must outlive the pose */
    /* model->node_count, local space. A node that has_matrix keeps its matrix, with this
     * translation, as long as rotation and scale are those of its local_rest; then it is
     * T * R * S as others are. Rotations need not be of unit length; length zero means no
     * rotation. */
    sinew_transform *local;
    /* model->weight_count; those of a node start at its first_weight. */
    float *weights;
    /* 16 floats a node, node -> world; as of the last sinew_pose_to_world. */
    float *world_matrices;
    /* Grows whenever the pose changes; sinew_pose_changed does it for hosts. */
    uint64_t revision;
    /* The revision that world_matrices were computed from. */
    uint64_t world_revision;
    sinew_allocator allocator; /* internal */
} sinew_pose;

/* A pose at rest, world matrices computed. NULL allocator: malloc.
 * Returns NULL when there is no memory. The caller frees it by sinew_pose_free. */
SINEW_API sinew_pose *sinew_pose_create(const sinew_model *model, const sinew_allocator *allocator);
SINEW_API void sinew_pose_free(sinew_pose *pose);

/* Local transforms and weights as the file stores them (the rest pose, which need not
 * be the bind pose). World matrices stay as they were. */
SINEW_API void sinew_pose_set_rest(sinew_pose *pose);

/* To be called by a host after it wrote local or weights itself. */
SINEW_API void sinew_pose_changed(sinew_pose *pose);

/* Local to world, for every node: world = parent_world * T * R * S. */
SINEW_API void sinew_pose_to_world(sinew_pose *pose);

/* node -> parent, 16 floats: T * R * S, or the node's own matrix as said at `local`. */
SINEW_API void sinew_pose_local_matrix(const sinew_pose *pose, uint32_t node, float matrix[16]);

#ifdef __cplusplus
}
#endif

#endif
