/* Sinew palette: the joint matrices of a skin, packed for a skinner (glTF 3.7.3.3).
 *
 *     joint matrix = world(joint) * inverse bind      (identity where the file has none)
 *
 * A joint matrix takes a vertex from the bind space of the mesh to world space. The
 * transform of the node that carries the mesh does not enter: do not multiply by it
 * again. A host whose renderer multiplies every mesh by its node's world matrix asks
 * for the palette relative to that node.
 */
#ifndef SINEW_PALETTE_H
#define SINEW_PALETTE_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_palette_layout {
    SINEW_PALETTE_4X3 = 0, /* 12 floats a joint: the upper three rows, row after row */
    SINEW_PALETTE_4X4,     /* 16 floats a joint, column-major, last row 0 0 0 1 */
    /* 16 floats a joint: 4x3, then the rotation of the joint matrix, x y z w, for dual
     * quaternion skinning. It is that of the polar decomposition R * S (of -J where J
     * mirrors), its sign chosen so that seen from the first joint that has one the first of
     * w x y z beyond 1e-4 is positive; 0 0 0 0 where the second axis of J is below 1e-6 of
     * the first, which leaves no rotation. */
    SINEW_PALETTE_4X3_ROTATION
} sinew_palette_layout;

#define SINEW_PALETTE_LAYOUT_COUNT 3

/* A view of memory that the caller owns: an array of his own, or a mapped buffer.
 * It is written in order and never read by sinew_palette_build. */
typedef struct sinew_palette {
    float *matrices;   /* aligned to 4 bytes */
    uint32_t capacity; /* joints that fit */
    sinew_palette_layout layout;
    uint32_t joint_count; /* written by build */
    /* What it was built from, so that a stale palette can be told; written by build. */
    const sinew_pose *pose;
    uint64_t pose_revision;
} sinew_palette;

/* Floats a joint takes: 12, 16 or 16. */
SINEW_API uint32_t sinew_palette_floats(sinew_palette_layout layout);

/* Fills out->matrices with the joint matrices of a skin, bind -> world, by joint slot.
 * SINEW_ERROR_ARGUMENT: no such skin, or capacity below its joint_count: nothing is
 * written. The pose's world matrices must be up to date (asserted in debug). */
SINEW_API sinew_result sinew_palette_build(const sinew_model *model, uint32_t skin,
                                           const sinew_pose *pose, sinew_palette *out);

/* The same relative to a node: inverse(world(node)) * joint matrix, bind -> that node.
 * SINEW_ERROR_DATA and an error that names the node: its world matrix has no inverse. */
SINEW_API sinew_result sinew_palette_build_relative(const sinew_model *model, uint32_t skin,
                                                    const sinew_pose *pose, uint32_t node,
                                                    sinew_palette *out, sinew_error *error);

/* The world matrix of one node as a palette of one joint: an unskinned mesh. */
SINEW_API sinew_result sinew_palette_build_rigid(const sinew_model *model, uint32_t node,
                                                 const sinew_pose *pose, sinew_palette *out);

/* Joint j of a palette as a 4x4 column-major matrix. */
SINEW_API void sinew_palette_matrix(const sinew_palette *palette, uint32_t joint, float matrix[16]);

#ifdef __cplusplus
}
#endif

#endif
