/* Small vectors, quaternions and matrices in float; the conventions are those of
 * sinew/base.h. cglm does what it does well; slerp and quaternion-to-matrix are ours,
 * because its are too coarse (errors of 8e-5 to 8e-4 were measured). */
#ifndef SINEWI_BASE_MATH_H
#define SINEWI_BASE_MATH_H

#include "sinew/base.h"

#include <float.h>

/* The nearest float, held within the finite ones: products of large but finite numbers
 * must not turn into infinities, whose differences are NaN. (Without a branch.) */
static inline float sinewi_finite(double x) {
    const double largest = FLT_MAX;
    double held = x < largest ? x : largest;
    return (float)(held > -largest ? held : -largest);
}

/* Products and sums in double, rounded once and held within the finite floats.
 * out = a * b; out may be a or b. */
void sinewi_mat4_multiply(const float a[16], const float b[16], float out[16]);
void sinewi_mat4_identity(float out[16]);
/* false where there is no inverse in float; out untouched. */
bool sinewi_mat4_inverse(const float m[16], float out[16]);
bool sinewi_mat4_is_affine(const float m[16]); /* last row 0 0 0 1 */

/* T * R * S. The rotation is normalised first; of length zero means none (glTF's
 * choices (d) and (e) of the oracle). */
void sinewi_mat4_from_trs(const float translation[3], const float rotation[4], const float scale[3],
                          float out[16]);
/* The rotation and the scale of a matrix that is T * R * S; a mirror is a negative scale of
 * x. false where no rotation and scale give it (shear, or a scale of nearly 0): out untouched. */
bool sinewi_mat4_to_trs(const float m[16], float rotation[4], float scale[3]);
/* parent * T * R * S, rounded once: a local matrix that is rounded by itself is off by
 * the same bit at each joint of a chain, and a long chain adds that up. */
void sinewi_mat4_multiply_trs(const float parent[16], const float translation[3],
                              const float rotation[4], const float scale[3], float out[16]);

/* Along the shorter arc; both ends are normalised first. Exact at every angle, also the
 * tiny and the nearly opposite. */
void sinewi_quat_slerp(const float a[4], const float b[4], double t, float out[4]);
/* Length zero stays zero. */
void sinewi_quat_normalise(float q[4]);
/* Of a rotation matrix, column-major. */
void sinewi_quat_from_rotation(const double r[9], float q[4]);
/* The rotation of the upper 3x3 by polar decomposition, R * S with a symmetric S; of one that
 * mirrors that of -m; of a nearly singular one the nearest. false, rotation untouched: its
 * second axis is below 1e-6 of its first, so that it has none. (rotation.c) */
bool sinewi_mat4_rotation(const float m[16], float rotation[4]);

/* v / |v| without overflow or underflow; a vector of length zero stays 0 0 0, one that
 * is not finite becomes 0 0 0. */
void sinewi_vec3_normalise(float v[3]);

/* The determinant's sign of the upper 3x3 of a column-major 4x4: -1, 0 (nearly
 * singular: |det| at most 1e-6 of the cubed size of its columns) or 1. */
int sinewi_mat4_side(const float m[16]);

void sinewi_box_empty(sinew_box *box);
void sinewi_box_add(sinew_box *box, const float point[3]);

#endif
