/* Skinning as it is defined, one vertex after the other: the reference for every other
 * path. In double, which holds any product of floats that is needed here without
 * overflow or underflow, so that a joint scaled to 1e-12 still turns normals and finite
 * input gives finite output; each result is rounded once. */
#include "skin/skin_private.h"

#include "base/math.h"

#include <math.h>

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

static void add_joint(const sinew_palette *palette, uint32_t joint, double weight, rows *sum) {
    if (palette->layout == SINEW_PALETTE_4X3) {
        const float *matrix = palette->matrices + (size_t)12 * joint;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                sum->at[row][column] += weight * (double)matrix[4 * row + column];
            }
        }
        return;
    }
    const float *matrix = palette->matrices + (size_t)16 * joint;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            sum->at[row][column] += weight * (double)matrix[4 * column + row];
        }
    }
}

/* B, the matrix of vertex v. */
static rows blend(const sinew_skin_job *job, size_t v) {
    rows sum = {{{0}}};
    const sinew_influences *influences = job->influences;
    if (!influences) {
        add_joint(job->palette, 0, 1.0, &sum);
        return sum;
    }
    for (size_t k = 0; k < influences->per_vertex; k++) {
        size_t at = v * influences->per_vertex + k;
        double weight = sinewi_weight_at(influences, at);
        if (weight != 0.0) {
            add_joint(job->palette, sinewi_joint_at(influences, at), weight, &sum);
        }
    }
    return sum;
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
