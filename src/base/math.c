#include "base/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

void sinewi_mat4_identity(float out[16]) {
    memset(out, 0, 16 * sizeof *out);
    out[0] = out[5] = out[10] = out[15] = 1.0f;
}

void sinewi_mat4_multiply(const float a[16], const float b[16], float out[16]) {
    float result[16];
    for (int column = 0; column < 4; column++) {
        double x = b[4 * column], y = b[4 * column + 1];
        double z = b[4 * column + 2], w = b[4 * column + 3];
        for (int row = 0; row < 4; row++) {
            result[4 * column + row] =
                sinewi_finite((double)a[row] * x + (double)a[4 + row] * y + (double)a[8 + row] * z +
                              (double)a[12 + row] * w);
        }
    }
    memcpy(out, result, sizeof result);
}

/* In double, by cofactors of the 2x2 blocks: a float inverse would lose the small
 * entries of matrices with mixed scales. */
bool sinewi_mat4_inverse(const float m[16], float out[16]) {
    double a[16];
    for (int i = 0; i < 16; i++) {
        a[i] = m[i];
    }
    double s0 = a[0] * a[5] - a[4] * a[1], s1 = a[0] * a[9] - a[8] * a[1];
    double s2 = a[0] * a[13] - a[12] * a[1], s3 = a[4] * a[9] - a[8] * a[5];
    double s4 = a[4] * a[13] - a[12] * a[5], s5 = a[8] * a[13] - a[12] * a[9];
    double c5 = a[10] * a[15] - a[14] * a[11], c4 = a[6] * a[15] - a[14] * a[7];
    double c3 = a[6] * a[11] - a[10] * a[7], c2 = a[2] * a[15] - a[14] * a[3];
    double c1 = a[2] * a[11] - a[10] * a[3], c0 = a[2] * a[7] - a[6] * a[3];
    double determinant = s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0;
    if (determinant == 0.0 || !isfinite(determinant)) {
        return false;
    }
    double k = 1.0 / determinant;
    double result[16] = {
        (a[5] * c5 - a[9] * c4 + a[13] * c3) * k,   (-a[1] * c5 + a[9] * c2 - a[13] * c1) * k,
        (a[1] * c4 - a[5] * c2 + a[13] * c0) * k,   (-a[1] * c3 + a[5] * c1 - a[9] * c0) * k,
        (-a[4] * c5 + a[8] * c4 - a[12] * c3) * k,  (a[0] * c5 - a[8] * c2 + a[12] * c1) * k,
        (-a[0] * c4 + a[4] * c2 - a[12] * c0) * k,  (a[0] * c3 - a[4] * c1 + a[8] * c0) * k,
        (a[7] * s5 - a[11] * s4 + a[15] * s3) * k,  (-a[3] * s5 + a[11] * s2 - a[15] * s1) * k,
        (a[3] * s4 - a[7] * s2 + a[15] * s0) * k,   (-a[3] * s3 + a[7] * s1 - a[11] * s0) * k,
        (-a[6] * s5 + a[10] * s4 - a[14] * s3) * k, (a[2] * s5 - a[10] * s2 + a[14] * s1) * k,
        (-a[2] * s4 + a[6] * s2 - a[14] * s0) * k,  (a[2] * s3 - a[6] * s1 + a[10] * s0) * k,
    };
    for (int i = 0; i < 16; i++) {
        if (!(fabs(result[i]) <= (double)FLT_MAX)) {
            return false;
        }
    }
    for (int i = 0; i < 16; i++) {
        out[i] = (float)result[i];
    }
    return true;
}

bool sinewi_mat4_is_affine(const float m[16]) {
    return m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f;
}

/* The upper three rows of T * R * S, column after column. */
static void trs(const float translation[3], const float rotation[4], const float scale[3],
                double out[12]) {
    double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    double square = x * x + y * y + z * z + w * w;
    /* 2 / |q|^2 turns the products below into those of the unit quaternion. */
    double k = square > 0.0 ? 2.0 / square : 0.0;
    double sx = scale[0], sy = scale[1], sz = scale[2];
    out[0] = (1.0 - k * (y * y + z * z)) * sx;
    out[1] = k * (x * y + z * w) * sx;
    out[2] = k * (x * z - y * w) * sx;
    out[3] = k * (x * y - z * w) * sy;
    out[4] = (1.0 - k * (x * x + z * z)) * sy;
    out[5] = k * (y * z + x * w) * sy;
    out[6] = k * (x * z + y * w) * sz;
    out[7] = k * (y * z - x * w) * sz;
    out[8] = (1.0 - k * (x * x + y * y)) * sz;
    for (int i = 0; i < 3; i++) {
        out[9 + i] = translation[i];
    }
}

void sinewi_mat4_from_trs(const float translation[3], const float rotation[4], const float scale[3],
                          float out[16]) {
    double local[12];
    trs(translation, rotation, scale, local);
    for (int i = 0; i < 12; i++) {
        out[4 * (i / 3) + i % 3] = sinewi_finite(local[i]);
    }
    out[3] = out[7] = out[11] = 0.0f;
    out[15] = 1.0f;
}

/* From the largest component: the others are quotients, which lose nothing then (Shepperd
 * 1978). */
void sinewi_quat_from_rotation(const double r[9], float q[4]) {
    double trace = r[0] + r[4] + r[8];
    int largest = 3;
    double most = trace;
    for (int i = 0; i < 3; i++) {
        if (r[4 * i] > most) {
            most = r[4 * i];
            largest = i;
        }
    }
    if (largest == 3) {
        double four_w = 2.0 * sqrt(1.0 + trace);
        q[0] = (float)((r[5] - r[7]) / four_w);
        q[1] = (float)((r[6] - r[2]) / four_w);
        q[2] = (float)((r[1] - r[3]) / four_w);
        q[3] = (float)(four_w / 4.0);
        return;
    }
    int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    double four = 2.0 * sqrt(1.0 + r[4 * i] - r[4 * j] - r[4 * k]);
    q[i] = (float)(four / 4.0);
    q[j] = (float)((r[3 * i + j] + r[3 * j + i]) / four);
    q[k] = (float)((r[3 * i + k] + r[3 * k + i]) / four);
    q[3] = (float)((r[3 * j + k] - r[3 * k + j]) / four);
}

bool sinewi_mat4_to_trs(const float m[16], float rotation[4], float scale[3]) {
    const double square_enough = 1e-4; /* cosine: files give few digits */
    double r[9], lengths[3], largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const float *c = m + (size_t)4 * (size_t)i;
        double x = c[0], y = c[1], z = c[2];
        lengths[i] = sqrt(x * x + y * y + z * z);
        largest = lengths[i] > largest ? lengths[i] : largest;
    }
    for (int i = 0; i < 3; i++) {
        if (!(lengths[i] > 1e-6 * largest)) {
            return false;
        }
        for (int row = 0; row < 3; row++) {
            r[3 * i + row] = (double)m[4 * i + row] / lengths[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        const double *a = r + (size_t)3 * (size_t)i, *b = r + (size_t)3 * (size_t)((i + 1) % 3);
        if (!(fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) < square_enough)) {
            return false;
        }
    }
    double side = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[3] * (r[1] * r[8] - r[2] * r[7]) +
                  r[6] * (r[1] * r[5] - r[2] * r[4]);
    for (int i = 0; i < 3 && side < 0.0; i++) {
        r[i] = -r[i];
    }
    sinewi_quat_from_rotation(r, rotation);
    sinewi_quat_normalise(rotation);
    for (int i = 0; i < 3; i++) {
        scale[i] = (float)(i == 0 && side < 0.0 ? -lengths[i] : lengths[i]);
    }
    return true;
}

void sinewi_mat4_multiply_trs(const float parent[16], const float translation[3],
                              const float rotation[4], const float scale[3], float out[16]) {
    double local[12];
    float result[16];
    trs(translation, rotation, scale, local);
    for (int column = 0; column < 4; column++) {
        double x = local[3 * column], y = local[3 * column + 1], z = local[3 * column + 2];
        double w = column == 3 ? 1.0 : 0.0;
        for (int row = 0; row < 4; row++) {
            result[4 * column + row] =
                sinewi_finite((double)parent[row] * x + (double)parent[4 + row] * y +
                              (double)parent[8 + row] * z + (double)parent[12 + row] * w);
        }
    }
    memcpy(out, result, sizeof result);
}

static double unit(const float q[4], double out[4]) {
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        out[i] = q[i];
        square += out[i] * out[i];
    }
    double length = sqrt(square);
    if (length > 0.0) {
        for (int i = 0; i < 4; i++) {
            out[i] /= length;
        }
    }
    return length;
}

void sinewi_quat_normalise(float q[4]) {
    double u[4];
    unit(q, u);
    for (int i = 0; i < 4; i++) {
        q[i] = (float)u[i];
    }
}

/* The angle from the lengths of sum and difference (Kahan), because the arc cosine of a
 * dot product near 1 has lost half of its digits. */
void sinewi_quat_slerp(const float a[4], const float b[4], double t, float out[4]) {
    double p[4], q[4];
    unit(a, p);
    unit(b, q);
    double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double apart = 0.0, together = 0.0;
    for (int i = 0; i < 4; i++) {
        double difference = p[i] - sign * q[i];
        double sum = p[i] + sign * q[i];
        apart += difference * difference;
        together += sum * sum;
    }
    double angle = 2.0 * atan2(sqrt(apart), sqrt(together));
    double kp = 1.0 - t, kq = sign * t;
    if (angle > 1e-7) { /* below it, sin(x) is x in double */
        double s = sin(angle);
        kp = sin(angle * (1.0 - t)) / s;
        kq = sign * sin(angle * t) / s;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = (float)(kp * p[i] + kq * q[i]);
    }
}

void sinewi_vec3_normalise(float v[3]) {
    double x = v[0], y = v[1], z = v[2];
    double length = sqrt(x * x + y * y + z * z);
    bool usable = length > 0.0 && isfinite(length);
    v[0] = usable ? (float)(x / length) : 0.0f;
    v[1] = usable ? (float)(y / length) : 0.0f;
    v[2] = usable ? (float)(z / length) : 0.0f;
}

int sinewi_mat4_side(const float m[16]) {
    /* Relative to the cube of its size, so that the unit of the model does not matter. */
    const double nearly_flat = 1e-6;
    double square = 0.0;
    double c[9];
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            double x = m[4 * column + row];
            c[3 * column + row] = x;
            square += x * x;
        }
    }
    double size = sqrt(square / 3.0);
    double determinant = c[0] * (c[4] * c[8] - c[5] * c[7]) - c[1] * (c[3] * c[8] - c[5] * c[6]) +
                         c[2] * (c[3] * c[7] - c[4] * c[6]);
    if (!(fabs(determinant) > nearly_flat * size * size * size)) {
        return 0;
    }
    return determinant > 0.0 ? 1 : -1;
}

void sinewi_box_empty(sinew_box *box) {
    for (int i = 0; i < 3; i++) {
        box->minimum[i] = FLT_MAX;
        box->maximum[i] = -FLT_MAX;
    }
}

void sinewi_box_add(sinew_box *box, const float point[3]) {
    for (int i = 0; i < 3; i++) {
        box->minimum[i] = point[i] < box->minimum[i] ? point[i] : box->minimum[i];
        box->maximum[i] = point[i] > box->maximum[i] ? point[i] : box->maximum[i];
    }
}
