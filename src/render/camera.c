/* Where the camera and the key light stand. */
#include "render_private.h"

#define CGLM_ALL_UNALIGNED
#include <cglm/cglm.h>

#include <math.h>
#include <string.h>

/* The field of view over the shorter side of the picture: long enough a lens that limbs
 * towards the viewer do not swell. */
#define FIELD (30.0 * GLM_PI / 180.0)

/* Frame units between the camera and the nearest point, at least. */
#define NEAREST 0.2

/* The light, seen from the camera: to its left and above. */
#define LIGHT_TO_THE_LEFT (40.0f * GLM_PIf / 180.0f)
#define LIGHT_ELEVATION (52.0f * GLM_PIf / 180.0f)

static void axes(float azimuth, float elevation, float right[3], float up[3], float back[3]) {
    back[0] = sinf(azimuth) * cosf(elevation);
    back[1] = sinf(elevation);
    back[2] = cosf(azimuth) * cosf(elevation);
    right[0] = cosf(azimuth);
    right[1] = 0;
    right[2] = -sinf(azimuth);
    glm_vec3_cross(back, right, up); /* at the poles too */
}

static double dot(const float a[3], const float b[3]) {
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

/* How far the points reach along x + slope * z and -x + slope * z, where x is a side of
 * the camera and z its back. A camera at (x, z) sees them all between planes of that
 * slope when x + slope * z and -x + slope * z are at least these. */
typedef struct reach {
    double plus, minus;
} reach;

static reach reach_of(const float *points, size_t count, const float side[3], const float back[3],
                      double slope) {
    reach most = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < count; k++) {
        double x = dot(points + 3 * k, side), z = slope * dot(points + 3 * k, back);
        most.plus = fmax(most.plus, z + x);
        most.minus = fmax(most.minus, z - x);
    }
    return most;
}

/* Where along a side the camera at z must stand so that the points are in the middle of
 * what it sees: as far to the right as to the left, as slopes. */
static double middle(const float *points, size_t count, const float side[3], const float back[3],
                     double z, double at) {
    /* For the two outermost points the answer is a division; it may make others the
     * outermost, but never the same ones again. */
    for (int round = 0; round < 16; round++) {
        double most = -HUGE_VAL, least = HUGE_VAL, near[2] = {1, 1}, place[2] = {0, 0};
        for (size_t k = 0; k < count; k++) {
            double x = dot(points + 3 * k, side), distance = z - dot(points + 3 * k, back);
            double slope = (x - at) / distance;
            if (slope > most) {
                most = slope;
                place[0] = x;
                near[0] = 1 / distance;
            }
            if (slope < least) {
                least = slope;
                place[1] = x;
                near[1] = 1 / distance;
            }
        }
        double next = (place[0] * near[0] + place[1] * near[1]) / (near[0] + near[1]);
        if (fabs(next - at) < 1e-6) {
            break;
        }
        at = next;
    }
    return at;
}

static void depth_range(const float *points, size_t count, const float back[3], double *nearest,
                        double *farthest) {
    *nearest = -HUGE_VAL;
    *farthest = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        double z = dot(points + 3 * k, back);
        *nearest = fmax(*nearest, z);
        *farthest = fmin(*farthest, z);
    }
}

/* view * points with the camera at `eye`, whose axes are the camera's. */
static void view_matrix(const sinewi_camera *camera, mat4 view) {
    for (int k = 0; k < 3; k++) {
        view[k][0] = camera->right[k];
        view[k][1] = camera->up[k];
        view[k][2] = camera->back[k];
        view[k][3] = 0;
    }
    view[3][0] = (float)-dot(camera->eye, camera->right);
    view[3][1] = (float)-dot(camera->eye, camera->up);
    view[3][2] = (float)-dot(camera->eye, camera->back);
    view[3][3] = 1;
}

void sinewi_camera_fit(const float *points, size_t count, const sinewi_view *view,
                       sinewi_camera *camera) {
    static const float nothing[3] = {0, 0, 0};
    points = count ? points : nothing;
    count = count ? count : 1;
    axes(view->azimuth, view->elevation, camera->right, camera->up, camera->back);
    double shorter = tan(FIELD / 2), aspect = view->aspect;
    double across = aspect >= 1 ? shorter * aspect : shorter;
    double upright = aspect >= 1 ? shorter : shorter / aspect;
    double inside = 1 - SINEWI_MARGIN;
    reach x = reach_of(points, count, camera->right, camera->back, across * inside);
    reach y = reach_of(points, count, camera->up, camera->back, upright * inside);
    double nearest, farthest;
    depth_range(points, count, camera->back, &nearest, &farthest);
    double z = fmax((x.plus + x.minus) / (2 * across * inside),
                    (y.plus + y.minus) / (2 * upright * inside));
    z = fmax(z, nearest + NEAREST);
    double at[3] = {middle(points, count, camera->right, camera->back, z, (x.plus - x.minus) / 2),
                    middle(points, count, camera->up, camera->back, z, (y.plus - y.minus) / 2), z};
    for (int k = 0; k < 3; k++) {
        camera->eye[k] =
            (float)(at[0] * camera->right[k] + at[1] * camera->up[k] + at[2] * camera->back[k]);
    }
    mat4 looking = GLM_MAT4_ZERO_INIT, lens, whole;
    view_matrix(camera, looking);
    float zoom = view->zoom > 0 ? view->zoom : 1;
    double near = 0.5 * (z - nearest), far = 1.5 * (z - farthest) + 4; /* 4: of the ground */
    glm_perspective((float)(2 * atan(upright / (double)zoom)), (float)aspect, (float)near,
                    (float)far, lens);
    glm_mat4_mul(lens, looking, whole);
    memcpy(camera->matrix, whole, sizeof camera->matrix);
}

void sinewi_light_fit(const float *points, size_t count, float azimuth, sinewi_light *light) {
    static const float nothing[3] = {0, 0, 0};
    points = count ? points : nothing;
    count = count ? count : 1;
    sinewi_camera at = {.eye = {0, 0, 0}};
    axes(azimuth - LIGHT_TO_THE_LEFT, LIGHT_ELEVATION, at.right, at.up, at.back);
    memcpy(light->direction, at.back, sizeof light->direction);
    reach x = reach_of(points, count, at.right, at.back, 0);
    reach y = reach_of(points, count, at.up, at.back, 0);
    double nearest, farthest;
    depth_range(points, count, at.back, &nearest, &farthest);
    /* A square map, with a rim that filters may reach into. */
    double half = fmax(fmax(x.plus + x.minus, y.plus + y.minus) / 2, 1e-3) * 1.04;
    double middle_x = (x.plus - x.minus) / 2, middle_y = (y.plus - y.minus) / 2;
    mat4 looking = GLM_MAT4_ZERO_INIT, lens, whole;
    view_matrix(&at, looking);
    nearest += 0.02;
    farthest -= 0.02;
    glm_ortho((float)(middle_x - half), (float)(middle_x + half), (float)(middle_y - half),
              (float)(middle_y + half), (float)-nearest, (float)-farthest, lens);
    glm_mat4_mul(lens, looking, whole);
    memcpy(light->matrix, whole, sizeof light->matrix);
    light->width = (float)(2 * half);
    light->depth = (float)(nearest - farthest);
}

void sinewi_shadow_matrix(const sinewi_light *light, float matrix[16]) {
    for (int column = 0; column < 4; column++) {
        const float *clip = light->matrix + 4 * column;
        for (int row = 0; row < 3; row++) {
            matrix[4 * column + row] = 0.5f * clip[row] + 0.5f * clip[3];
        }
        matrix[4 * column + 3] = clip[3];
    }
}
