/* The rotation in a matrix. */
#include "base/math.h"

#include <math.h>

/* Three columns of three. */
typedef struct columns {
    double at[3][3];
} columns;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The upper 3x3 over its largest entry; false when it is nothing. */
static bool scaled(const float m[16], columns *out) {
    double largest = 0.0;
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            largest = fmax(largest, fabs((double)m[4 * column + row]));
        }
    }
    for (int column = 0; column < 3 && largest > 0.0; column++) {
        for (int row = 0; row < 3; row++) {
            out->at[column][row] = (double)m[4 * column + row] / largest;
        }
    }
    return largest > 0.0;
}

static void turn_pair(columns *m, int p, int q, double cosine, double sine) {
    for (int row = 0; row < 3; row++) {
        double x = m->at[p][row], y = m->at[q][row];
        m->at[p][row] = cosine * x - sine * y;
        m->at[q][row] = sine * x + cosine * y;
    }
}

/* Turns pairs of columns of m until they are at right angles, and v with them, so that
 * m_before = m * transpose(v): the one-sided Jacobi method (Hestenes 1958). A matrix that
 * turns and scales evenly, the usual one, is there at once. */
static void make_orthogonal(columns *m, columns *v) {
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double orthogonal = 1e-14; /* cosine */
    bool moved = true;
    for (int sweep = 0; sweep < 30 && moved; sweep++) {
        moved = false;
        for (int i = 0; i < 3; i++) {
            int p = pairs[i][0], q = pairs[i][1];
            double a = dot(m->at[p], m->at[p]), b = dot(m->at[q], m->at[q]);
            double d = dot(m->at[p], m->at[q]);
            if (fabs(d) <= orthogonal * sqrt(a * b)) {
                continue;
            }
            double z = (b - a) / (2.0 * d);
            double tangent = copysign(1.0, z) / (fabs(z) + sqrt(1.0 + z * z));
            double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
            turn_pair(m, p, q, cosine, cosine * tangent);
            turn_pair(v, p, q, cosine, cosine * tangent);
            moved = true;
        }
    }
}

/* The columns in order of length, longest first, as their numbers and squares. */
static void sort_by_length(const columns *m, int order[3], double squares[3]) {
    for (int i = 0; i < 3; i++) {
        int at = i;
        double square = dot(m->at[i], m->at[i]);
        for (; at > 0 && squares[at - 1] < square; at--) {
            squares[at] = squares[at - 1];
            order[at] = order[at - 1];
        }
        squares[at] = square;
        order[at] = i;
    }
}

bool sinewi_mat4_rotation(const float m[16], float rotation[4]) {
    const double no_second_axis = 1e-12; /* square of 1e-6 */
    columns u, v = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    if (!scaled(m, &u)) {
        return false;
    }
    make_orthogonal(&u, &v);
    int order[3];
    double squares[3];
    sort_by_length(&u, order, squares);
    if (!(squares[1] > no_second_axis * squares[0])) {
        return false;
    }
    const double *v1 = v.at[order[0]], *v2 = v.at[order[1]];
    double u1[3], u2[3], u3[3], v3[3], r[9];
    for (int i = 0; i < 3; i++) {
        u1[i] = u.at[order[0]][i] / sqrt(squares[0]);
        u2[i] = u.at[order[1]][i] / sqrt(squares[1]);
    }
    cross(u1, u2, u3);
    cross(v1, v2, v3);
    double side = sinewi_mat4_side(m) < 0 ? -1.0 : 1.0;
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            r[3 * column + row] =
                side * (u1[row] * v1[column] + u2[row] * v2[column]) + u3[row] * v3[column];
        }
    }
    sinewi_quat_from_rotation(r, rotation);
    sinewi_quat_normalise(rotation);
    return true;
}
