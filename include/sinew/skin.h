/* Sinew skin: skinned vertices on the CPU, and bounds.
 *
 * Linear blend skinning, per vertex v with influences (joint j_k, weight w_k):
 *     B  = sum of w_k * J[j_k]            (upper three rows; w is never used)
 *     v' = B * (v + sum of morph weight * delta)
 *     n' = normalise(sign(det B3) * cofactor(B3) * n)   exact under uneven scale
 *     t' = normalise(B3 * t), w as in the file
 * A direction that comes out as nothing is 0 0 0, never NaN.
 *
 * Dual quaternion skinning puts another B in place of the sum (Kavan et al. 2008): with r
 * the rotation of each joint matrix and R = sum of w * r,
 *     B  = sum of w_k * (a - [u]x) * J[j_k],   (u, a) = r * conj(R) / |R|^2
 * It keeps the volume of what twists, for rigid joints it is the usual blend of dual
 * quaternions, and where one joint moves a vertex it is the linear blend. The signs of the
 * rotations are made consistent with that of the largest weight.
 */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "sinew/model.h"
#include "sinew/palette.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_skin_path {
    SINEW_SKIN_BEST = 0, /* the fastest that this processor has */
    SINEW_SKIN_SCALAR    /* the reference: written to be read */
} sinew_skin_path;

typedef enum sinew_skin_method {
    SINEW_SKIN_LBS = 0, /* linear blend */
    SINEW_SKIN_DQS      /* dual quaternions; needs a palette of SINEW_PALETTE_4X3_ROTATION */
} sinew_skin_method;

#define SINEW_SKIN_METHOD_COUNT 2

/* Everything that one primitive of one instance needs. Zero what you do not use. */
typedef struct sinew_skin_job {
    const sinew_primitive *primitive;
    /* Of the skin in use: &primitive->influences[node->influences_index]. NULL: the
     * vertices are rigid and follow joint 0 of the palette. */
    const sinew_influences *influences;
    const sinew_palette *palette; /* joint matrices, bind -> the space that comes out */
    const float *morph_weights;   /* or NULL: none is applied */
    uint32_t morph_weight_count;  /* targets beyond it count as 0 */
    /* Outputs for vertex v at base + v * stride bytes; NULL: not wanted. Stride 0 means
     * tightly packed. They must not overlap the inputs. */
    float *positions; /* 3 floats */
    size_t position_stride;
    float *normals; /* 3 floats; untouched if the primitive has none */
    size_t normal_stride;
    float *tangents; /* 4 floats; untouched if the primitive has none */
    size_t tangent_stride;
    sinew_skin_path path;
    sinew_skin_method method;
    /* Normals by normalise(B3 * n): cheaper, and wrong where the blend scales unevenly. */
    bool approximate_normals;
} sinew_skin_job;

/* Skins the vertices [first, first + count). Ranges are independent, so a host may
 * spread them over threads; the result does not depend on how they are split.
 * SINEW_ERROR_ARGUMENT: range outside the primitive, no palette, a palette with fewer
 * joints than the influences may name or, for DQS, without rotations, a stride that is too small or no multiple of 4.
 * Never allocates. */
SINEW_API sinew_result sinew_skin_vertices(const sinew_skin_job *job, uint32_t first,
                                           uint32_t count);

/* ---- bounds: where a posed mesh is, without skinning it ---- */

typedef struct sinew_bounds sinew_bounds;

/* Boxes, in bind space, of the vertices that each joint of a node's mesh moves, with
 * what its morph targets add. Made once a model and node; used for any pose.
 * NULL when there is no memory or the node has no mesh. */
SINEW_API sinew_bounds *sinew_bounds_create(const sinew_model *model, uint32_t node,
                                            const sinew_allocator *allocator);
SINEW_API void sinew_bounds_free(sinew_bounds *bounds);

/* A box that holds every vertex that sinew_skin_vertices makes with this palette (the
 * node's skin, or rigid) and these morph weights by
 * linear blending, with a slack for rounding; it is
 * larger than the exact box of the vertices where joints turn their own boxes.
 * A primitive without influences counts as one that follows joint 0.
 * Returns false, and an empty box, when there are no vertices, or when the palette has
 * fewer joints than the vertices use. */
SINEW_API bool sinew_bounds_of_palette(const sinew_bounds *bounds, const sinew_palette *palette,
                                       const float *morph_weights, uint32_t morph_weight_count,
                                       sinew_box *box);

/* The same where a mesh with a skin has primitives without influences, too: those follow
 * joint 0 of `rigid` (sinew_palette_build_rigid of the node), the others `palette`. */
SINEW_API bool sinew_bounds_of_palettes(const sinew_bounds *bounds, const sinew_palette *palette,
                                        const sinew_palette *rigid, const float *morph_weights,
                                        uint32_t morph_weight_count, sinew_box *box);

/* The same under dual quaternion skinning, whose vertices leave the box of the linear blend:
 * a wider box, the more so the farther the joints that share vertices are turned apart. The
 * palette has rotations (SINEW_PALETTE_4X3_ROTATION), else it is false. It takes a box a
 * joint from the allocator of the bounds while it runs; false also when there is none. */
SINEW_API bool sinew_bounds_of_dual_quaternions(const sinew_bounds *bounds,
                                                const sinew_palette *palette,
                                                const sinew_palette *rigid,
                                                const float *morph_weights,
                                                uint32_t morph_weight_count, sinew_box *box);

#ifdef __cplusplus
}
#endif

#endif
