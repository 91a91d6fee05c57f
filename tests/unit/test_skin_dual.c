/* Dual quaternion skinning: against dual quaternions written out, its palette, its bounds. */
#include "sinew/skin.h"

#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_JOINTS = 48,
    VERTICES = 100
};

typedef struct actor {
    test_model *made;
    sinew_pose *pose;
    uint32_t node;
    const sinew_primitive *primitive;
    float matrices[16 * MOST_JOINTS], positions[3 * VERTICES], normals[3 * VERTICES];
    sinew_palette palette;
} actor;

static actor arrive(uint64_t seed, double scale_minimum, double scale_maximum) {
    test_wish wish = {seed,
                      2 + (uint32_t)(seed % 40),
                      VERTICES,
                      1 + (uint32_t)(seed % 3),
                      (uint32_t)(seed % 2),
                      SINEW_F32,
                      scale_minimum,
                      scale_maximum,
                      0.0};
    actor it = {.made = test_random_model(&wish)};
    it.node = it.made->model.node_count - 1;
    it.primitive = &it.made->model.meshes[it.made->model.nodes[it.node].mesh].primitives[0];
    it.pose = sinew_pose_create(&it.made->model, NULL);
    return it;
}

static void leave(actor *it) {
    sinew_pose_free(it->pose);
    test_model_free(it->made);
}

static void skin(actor *it) {
    it->palette = (sinew_palette){
        .matrices = it->matrices, .capacity = MOST_JOINTS, .layout = SINEW_PALETTE_4X3_ROTATION};
    assert_int_equal(sinew_palette_build(&it->made->model, 0, it->pose, &it->palette), SINEW_OK);
    sinew_skin_job job = {.primitive = it->primitive,
                          .influences = it->primitive->influences,
                          .palette = &it->palette,
                          .morph_weights = it->pose->weights,
                          .morph_weight_count = it->made->model.weight_count,
                          .positions = it->positions,
                          .normals = it->normals,
                          .method = SINEW_SKIN_DQS};
    assert_int_equal(sinew_skin_vertices(&job, 0, VERTICES), SINEW_OK);
}

/* ---- a second opinion ---- */

/* a * b, x y z w */
static void multiply(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static const float *rotation_of(const actor *it, size_t entry) {
    const sinew_influences *from = it->primitive->influences;
    uint32_t joint = from->joint_type == SINEW_U8 ? ((const uint8_t *)from->joints)[entry]
                                                  : ((const uint16_t *)from->joints)[entry];
    return it->matrices + (size_t)16 * joint + 12;
}

static double dot4(const float a[4], const float b[4]) {
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

/* The entry of a vertex with the largest weight, the first of equal ones. */
static size_t heaviest(const sinew_influences *from, size_t v) {
    const float *weights = from->weights;
    size_t best = v * from->per_vertex;
    for (size_t entry = best; entry < (v + 1) * from->per_vertex; entry++) {
        best = weights[entry] > weights[best] ? entry : best;
    }
    return best;
}

/* The sum of weighted unit dual quaternions q + eps/2 t q, each on the side of the heaviest
 * but for what is nearly a half turn, which goes its way. */
static void sum_up(const actor *it, size_t v, double real[4], double dual[4]) {
    const sinew_influences *from = it->primitive->influences;
    const float *reference = rotation_of(it, heaviest(from, v));
    for (size_t entry = v * from->per_vertex; entry < (v + 1) * from->per_vertex; entry++) {
        const float *r = rotation_of(it, entry), *m = r - 12;
        double q[4] = {r[0], r[1], r[2], r[3]}, t[4] = {m[3], m[7], m[11], 0.0}, d[4];
        double weight = ((const float *)from->weights)[entry];
        weight = dot4(r, reference) < -1e-4 ? -weight : weight;
        multiply(t, q, d);
        for (int i = 0; i < 4; i++) {
            real[i] += weight * q[i];
            dual[i] += 0.5 * weight * d[i];
        }
    }
}

/* Where that takes a vertex. */
static void blended(const actor *it, size_t v, double out[3]) {
    double real[4] = {0.0}, dual[4] = {0.0}, point[4] = {0.0}, half[4], turned[4], moved[4];
    for (size_t i = 0; i < 3; i++) {
        point[i] = it->primitive->positions[3 * v + i];
    }
    sum_up(it, v, real, dual);
    double conjugate[4] = {-real[0], -real[1], -real[2], real[3]}, square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += real[i] * real[i];
    }
    multiply(real, point, half);
    multiply(half, conjugate, turned);
    multiply(dual, conjugate, moved);
    for (int i = 0; i < 3; i++) {
        out[i] = (turned[i] + 2.0 * moved[i]) / square;
    }
}

static void assert_blended(const actor *it, uint64_t seed) {
    for (size_t v = 0; v < VERTICES; v++) {
        double want[3];
        blended(it, v, want);
        for (size_t i = 0; i < 3; i++) {
            double have = it->positions[3 * v + i];
            if (!(fabs(have - want[i]) <= 2e-5 * fmax(1.0, fabs(want[i])))) {
                fail_msg("seed %u, vertex %zu [%zu]: %.9g, expected %.9g", (unsigned)seed, v, i,
                         have, want[i]);
            }
        }
    }
}

static void rigid_joints_blend_as_dual_quaternions(void **state) {
    (void)state;
    for (uint64_t seed = 2; seed <= 40; seed += 2) { /* even: no morph targets */
        actor it = arrive(seed, 0.0, 0.0);
        test_random chance = {seed};
        test_random_pose(&chance, 1.0, 1.0, it.pose);
        sinew_pose_to_world(it.pose);
        skin(&it);
        assert_blended(&it, seed);
        leave(&it);
    }
}

/* transpose(R) * J is symmetric: R is the rotation of the polar decomposition. */
static void assert_polar(const float joint[16]) {
    const float *q = joint + 12;
    double x = q[0], y = q[1], z = q[2], w = q[3], s[3][3];
    double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    assert_true(fabs(dot4(q, q) - 1.0) < 1e-6);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            s[a][b] = r[0][a] * (double)joint[b] + r[1][a] * (double)joint[4 + b] +
                      r[2][a] * (double)joint[8 + b];
        }
    }
    double size = fabs(s[0][0]) + fabs(s[1][1]) + fabs(s[2][2]);
    assert_true(fabs(s[0][1] - s[1][0]) < 1e-5 * size);
    assert_true(fabs(s[0][2] - s[2][0]) < 1e-5 * size);
    assert_true(fabs(s[1][2] - s[2][1]) < 1e-5 * size);
}

static void rotations_are_those_of_the_polar_decomposition(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        actor it = arrive(seed, 0.5, 2.0);
        test_random chance = {seed};
        test_random_pose(&chance, 0.5, 2.0, it.pose);
        sinew_pose_to_world(it.pose);
        skin(&it);
        for (uint32_t j = 0; j < it.palette.joint_count; j++) {
            assert_polar(it.matrices + (size_t)16 * j);
        }
        leave(&it);
    }
}

/* Returns how many coordinates are outside the box of linear blending. */
static uint32_t assert_inside(actor *it, const sinew_bounds *bounds) {
    sinew_box box, linear;
    uint32_t count = it->made->model.weight_count, outside = 0;
    assert_true(sinew_bounds_of_dual_quaternions(bounds, &it->palette, &it->palette,
                                                 it->pose->weights, count, &box));
    assert_true(sinew_bounds_of_palette(bounds, &it->palette, it->pose->weights, count, &linear));
    for (size_t i = 0; i < (size_t)3 * VERTICES; i++) {
        float x = it->positions[i];
        if (!(x >= box.minimum[i % 3] && x <= box.maximum[i % 3])) {
            fail_msg("%.9g leaves %.9g to %.9g", (double)x, (double)box.minimum[i % 3],
                     (double)box.maximum[i % 3]);
        }
        outside += !(x >= linear.minimum[i % 3] && x <= linear.maximum[i % 3]);
    }
    return outside;
}

static void bounds_hold_every_vertex(void **state) {
    (void)state;
    uint32_t outside_linear = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        actor it = arrive(seed, 0.8, 1.2);
        sinew_bounds *bounds = sinew_bounds_create(&it.made->model, it.node, NULL);
        test_random chance = {seed};
        for (int round = 0; round < 5; round++) {
            test_random_pose(&chance, -1.0, 1.5, it.pose);
            sinew_pose_to_world(it.pose);
            skin(&it);
            outside_linear += assert_inside(&it, bounds);
        }
        sinew_bounds_free(bounds);
        leave(&it);
    }
    assert_true(outside_linear > 0); /* else there were no need of bounds of its own */
}

static void at_rest_bounds_are_not_much_wider(void **state) {
    (void)state;
    actor it = arrive(8, 0.0, 0.0);
    sinew_bounds *bounds = sinew_bounds_create(&it.made->model, it.node, NULL);
    sinew_box box, linear;
    sinew_pose_to_world(it.pose);
    skin(&it);
    assert_true(sinew_bounds_of_dual_quaternions(bounds, &it.palette, &it.palette, NULL, 0, &box));
    assert_true(sinew_bounds_of_palette(bounds, &it.palette, NULL, 0, &linear));
    for (int i = 0; i < 3; i++) {
        double wide = (double)box.maximum[i] - (double)box.minimum[i];
        assert_true(wide < 1.9 * ((double)linear.maximum[i] - (double)linear.minimum[i]));
    }
    sinew_bounds_free(bounds);
    leave(&it);
}

static void without_rotations_it_is_refused(void **state) {
    (void)state;
    actor it = arrive(5, 0.8, 1.2);
    sinew_pose_to_world(it.pose);
    skin(&it);
    sinew_skin_job job = {.primitive = it.primitive,
                          .influences = it.primitive->influences,
                          .palette = &it.palette,
                          .positions = it.positions,
                          .method = SINEW_SKIN_DQS};
    it.palette.layout = SINEW_PALETTE_4X4;
    assert_int_equal(sinew_skin_vertices(&job, 0, VERTICES), SINEW_ERROR_ARGUMENT);
    sinew_bounds *bounds = sinew_bounds_create(&it.made->model, it.node, NULL);
    sinew_box box;
    assert_false(sinew_bounds_of_dual_quaternions(bounds, &it.palette, &it.palette, NULL, 0, &box));
    job.influences = NULL; /* rigid: there is nothing to blend */
    assert_int_equal(sinew_skin_vertices(&job, 0, VERTICES), SINEW_OK);
    job.method = (sinew_skin_method)7;
    assert_int_equal(sinew_skin_vertices(&job, 0, VERTICES), SINEW_ERROR_ARGUMENT);
    it.palette.layout = (sinew_palette_layout)7;
    assert_int_equal(sinew_palette_build(&it.made->model, 0, it.pose, &it.palette),
                     SINEW_ERROR_ARGUMENT);
    sinew_bounds_free(bounds);
    leave(&it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_joints_blend_as_dual_quaternions),
        cmocka_unit_test(rotations_are_those_of_the_polar_decomposition),
        cmocka_unit_test(bounds_hold_every_vertex),
        cmocka_unit_test(at_rest_bounds_are_not_much_wider),
        cmocka_unit_test(without_rotations_it_is_refused),
    };
    return cmocka_run_group_tests_name("skin, dual quaternions", tests, NULL, NULL);
}
