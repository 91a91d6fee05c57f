/* Skinning as it is defined, one vertex after the other: the reference for every other
 * path. In double, which holds any product of floats that is needed here without
 * overflow or underflow, so that a joint scaled to 1e-12 still turns normals and finite
 * input gives finite output; each result is rounded once. */
#include "skin/skin_private.h"

#include "base/math.h"

#include <math.h>
#include <string.h>

/* The upper three rows of a matrix: element [row][column]. */
typedef struct rows {
    double at[3][4];
} rows;

typedef enum attribute {
    POSITION,
    NORMAL,
    TANGENT
} attribute;

static const float *deltas_of(const sinew_target *target, attribute which) {
    return which == POSITION ? target->positions
           : which == NORMAL ? target->normals
                             : target->tangents;
}

/* base + sum of morph weight * delta, for vertex v. */
static void morph(const sinew_skin_job *job, attribute which, size_t v, const float base[3],
                  double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = base[i];
    }
    uint32_t count = job->morph_weights ? job->morph_weight_count : 0;
    for (uint32_t t = 0; t < count && t < job->primitive->target_count; t++) {
        double weight = job->morph_weights[t];
        const float *delta = deltas_of(&job->primitive->targets[t], which);
        if (delta && weight != 0.0) {
            for (size_t i = 0; i < 3; i++) {
                out[i] += weight * (double)delta[3 * v + i];
            }
        }
    }
}

/* Rows of a joint matrix. */
static rows joint_rows(const sinew_palette *palette, uint32_t joint) {
    rows out;
    bool columns = palette->layout == SINEW_PALETTE_4X4;
    const float *matrix = palette->matrices + (size_t)sinew_palette_floats(palette->layout) * joint;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            out.at[row][column] = matrix[columns ? 4 * column + row : 4 * row + column];
        }
    }
    return out;
}

/* sum += weight * m */
static void add(rows *sum, double weight, const rows *m) {
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            sum->at[row][column] += weight * m->at[row][column];
        }
    }
}

/* The sum of weight * joint matrix. */
static rows blend_linear(const sinew_skin_job *job, size_t v) {
    rows sum = {{{0}}};
    const sinew_influences *influences = job->influences;
    size_t first = v * influences->per_vertex;
    for (size_t at = first; at < first + influences->per_vertex; at++) {
        double weight = sinewi_weight_at(influences, at);
        if (weight != 0.0) {
            rows joint = joint_rows(job->palette, sinewi_joint_at(influences, at));
            add(&sum, weight, &joint);
        }
    }
    return sum;
}

/* ---- dual quaternions ---- */

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* false: the joint has none. */
static bool rotation_of(const sinew_palette *palette, uint32_t joint, double out[4]) {
    const float *rotation = palette->matrices + (size_t)16 * joint + 12;
    for (int i = 0; i < 4; i++) {
        out[i] = rotation[i];
    }
    return dot4(out, out) > 0.0;
}

/* The rotation of the largest weight that has one, the first of equal ones; else none. */
static void find_reference(const sinew_skin_job *job, size_t first, double reference[4]) {
    const sinew_influences *influences = job->influences;
    double most = 0.0;
    reference[0] = reference[1] = reference[2] = 0.0;
    reference[3] = 1.0;
    for (size_t at = first; at < first + influences->per_vertex; at++) {
        double weight = sinewi_weight_at(influences, at), rotation[4];
        if (weight > most && rotation_of(job->palette, sinewi_joint_at(influences, at), rotation)) {
            most = weight;
            memcpy(reference, rotation, sizeof rotation);
        }
    }
}

/* Of an influence, on the reference's side; the reference where it has none. */
static void turned_towards(const sinew_palette *palette, uint32_t joint, const double reference[4],
                           double out[4]) {
    const double nearly_half_turn = 1e-4;
    if (!rotation_of(palette, joint, out)) {
        memcpy(out, reference, 4 * sizeof *out);
    }
    double sign = dot4(out, reference) < -nearly_half_turn ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        out[i] *= sign;
    }
}

/* sum += weight * (a - [u]x) * m, with (u, a) = r * conj(blended) / |blended|^2 */
static void add_turned(rows *sum, double weight, const double r[4], const double blended[4],
                       const rows *m) {
    double k = weight / dot4(blended, blended);
    const double *b = blended;
    double a = k * dot4(r, b);
    double x = k * (r[0] * b[3] - r[3] * b[0] - r[1] * b[2] + r[2] * b[1]);
    double y = k * (r[1] * b[3] - r[3] * b[1] - r[2] * b[0] + r[0] * b[2]);
    double z = k * (r[2] * b[3] - r[3] * b[2] - r[0] * b[1] + r[1] * b[0]);
    const double *p = m->at[0], *q = m->at[1], *s = m->at[2];
    for (int column = 0; column < 4; column++) {
        sum->at[0][column] += a * p[column] - (y * s[column] - z * q[column]);
        sum->at[1][column] += a * q[column] - (z * p[column] - x * s[column]);
        sum->at[2][column] += a * s[column] - (x * q[column] - y * p[column]);
    }
}

/* Each joint takes the vertex to J v and turns it by r; these, blended as dual quaternions,
 * are linear in J v (Kavan et al. 2008; design.md section 2). |blended| is at least the
 * largest weight less 1e-4. */
static rows blend_dual(const sinew_skin_job *job, size_t v) {
    const sinew_influences *influences = job->influences;
    size_t first = v * influences->per_vertex, end = first + influences->per_vertex;
    double reference[4], blended[4] = {0.0}, rotation[4];
    rows sum = {{{0}}};
    find_reference(job, first, reference);
    for (size_t at = first; at < end; at++) {
        double weight = sinewi_weight_at(influences, at);
        turned_towards(job->palette, sinewi_joint_at(influences, at), reference, rotation);
        for (int i = 0; i < 4; i++) {
            blended[i] += weight * rotation[i];
        }
    }
    for (size_t at = first; at < end; at++) {
        double weight = sinewi_weight_at(influences, at);
        if (weight != 0.0) {
            uint32_t joint = sinewi_joint_at(influences, at);
            rows matrix = joint_rows(job->palette, joint);
            turned_towards(job->palette, joint, reference, rotation);
            add_turned(&sum, weight, rotation, blended, &matrix);
        }
    }
    return sum;
}

/* B, the matrix of vertex v. */
static rows blend(const sinew_skin_job *job, size_t v) {
    if (!job->influences) {
        return joint_rows(job->palette, 0);
    }
    return job->method == SINEW_SKIN_DQS ? blend_dual(job, v) : blend_linear(job, v);
}

static void transform_point(const rows *m, const double p[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = sinewi_finite(m->at[i][0] * p[0] + m->at[i][1] * p[1] + m->at[i][2] * p[2] +
                               m->at[i][3]);
    }
}

static void transform_direction(const rows *m, const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = m->at[i][0] * v[0] + m->at[i][1] * v[1] + m->at[i][2] * v[2];
    }
}

/* v / |v|, nothing where v is nothing. */
static void write_unit(const double v[3], float out[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    for (int i = 0; i < 3; i++) {
        out[i] = (float)(v[i] * scale);
    }
}

/* The matrix for normals: sign(det) * cofactor, the inverse transpose but for a positive
 * factor. The sign keeps normals outside where the matrix mirrors; a determinant of
 * nearly zero counts as positive. */
static rows normal_matrix(const rows *m) {
    const double nearly_flat = 1e-6; /* of the cubed size, as sinewi_mat4_side has it */
    rows cofactor = {{{0}}};
    double square = 0.0, determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *b = m->at[(i + 1) % 3], *c = m->at[(i + 2) % 3];
        for (int j = 0; j < 3; j++) {
            int k = (j + 1) % 3, l = (j + 2) % 3;
            cofactor.at[i][j] = b[k] * c[l] - b[l] * c[k];
            square += m->at[i][j] * m->at[i][j];
            determinant += i == 0 ? m->at[0][j] * cofactor.at[0][j] : 0.0;
        }
    }
    double size = sqrt(square / 3.0);
    if (determinant < -nearly_flat * size * size * size) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                cofactor.at[i][j] = -cofactor.at[i][j];
            }
        }
    }
    return cofactor;
}

static float *output(float *base, size_t stride, size_t v) {
    return (float *)(void *)((unsigned char *)base + stride * v);
}

void sinewi_skin_scalar(const sinew_skin_job *job, uint32_t first, uint32_t count) {
    const sinew_primitive *primitive = job->primitive;
    bool wants_normals = job->normals && primitive->normals;
    bool wants_tangents = job->tangents && primitive->tangents;
    for (size_t v = first; v < (size_t)first + count; v++) {
        rows blended = blend(job, v);
        double bind[3], turned[3];
        if (job->positions) {
            morph(job, POSITION, v, primitive->positions + 3 * v, bind);
            transform_point(&blended, bind, output(job->positions, job->position_stride, v));
        }
        if (wants_normals) {
            rows matrix = job->approximate_normals ? blended : normal_matrix(&blended);
            morph(job, NORMAL, v, primitive->normals + 3 * v, bind);
            transform_direction(&matrix, bind, turned);
            write_unit(turned, output(job->normals, job->normal_stride, v));
        }
        if (wants_tangents) {
            float *tangent = output(job->tangents, job->tangent_stride, v);
            morph(job, TANGENT, v, primitive->tangents + 4 * v, bind);
            transform_direction(&blended, bind, turned);
            write_unit(turned, tangent);
            tangent[3] = primitive->tangents[4 * v + 3];
        }
    }
}
