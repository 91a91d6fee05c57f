/* Pose: local transforms to world matrices, in any order of nodes and at any depth. */
#include "sinew/pose.h"

#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const float *world_of(const sinew_pose *pose, uint32_t node) {
    return pose->world_matrices + (size_t)16 * node;
}

static void assert_place(const sinew_pose *pose, uint32_t node, float x, float y, float z) {
    const float *world = world_of(pose, node);
    assert_float_equal(world[12], x, 1e-6f);
    assert_float_equal(world[13], y, 1e-6f);
    assert_float_equal(world[14], z, 1e-6f);
}

/* Largest difference from the double opinion: of the axes relative to the largest entry,
 * of the place relative to the larger of 1 and the value. */
static double error_of(const sinew_pose *pose) {
    double worst = 0.0;
    for (uint32_t node = 0; node < pose->model->node_count; node++) {
        double want[16], largest = 0.0;
        test_world(pose, node, want);
        for (int i = 0; i < 12; i++) {
            largest = fmax(largest, fabs(want[i]));
        }
        for (int i = 0; i < 16; i++) {
            double difference = fabs(want[i] - (double)world_of(pose, node)[i]);
            worst = fmax(worst, difference / (i < 12 ? largest : fmax(1.0, fabs(want[i]))));
        }
    }
    return worst;
}

static void starts_at_rest(void **state) {
    (void)state;
    test_model *made = test_model_create();
    uint32_t root = test_add_node(made, SINEW_NONE, 1.0f, 2.0f, 3.0f);
    uint32_t tip = test_add_node(made, root, 0.0f, 5.0f, 0.0f);
    test_rest_rotation(made, root, 0.0f, 0.0f, sqrtf(0.5f), sqrtf(0.5f)); /* 90 degrees on Z */
    test_rest_scale(made, root, 2.0f, 3.0f, 4.0f);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    assert_non_null(pose);
    assert_place(pose, root, 1.0f, 2.0f, 3.0f);
    assert_place(pose, tip, 1.0f - 15.0f, 2.0f, 3.0f); /* 5 * 3 along y, turned to -x */
    assert_true(pose->revision == pose->world_revision);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void a_parent_may_come_behind_its_child(void **state) {
    (void)state;
    test_model *made = test_model_create();
    test_add_node(made, 1, 0.0f, 0.0f, 1.0f);
    test_add_node(made, 2, 0.0f, 1.0f, 0.0f);
    test_add_node(made, SINEW_NONE, 1.0f, 0.0f, 0.0f);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    assert_place(pose, 0, 1.0f, 1.0f, 1.0f);
    assert_place(pose, 1, 1.0f, 1.0f, 0.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void a_stored_matrix_stands(void **state) {
    (void)state;
    const float sheared[16] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    test_model *made = test_model_create();
    uint32_t root = test_add_node(made, SINEW_NONE, 10.0f, 0.0f, 0.0f);
    uint32_t child = test_add_node(made, root, 0.0f, 0.0f, 0.0f);
    uint32_t tip = test_add_node(made, child, 0.0f, 1.0f, 0.0f);
    test_rest_matrix(made, child, sheared);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    assert_place(pose, child, 14.0f, 5.0f, 6.0f);
    assert_place(pose, tip, 16.0f, 6.0f, 6.0f);
    pose->local[child].translation[0] = 7.0f; /* in place of the matrix's */
    sinew_pose_changed(pose);
    sinew_pose_to_world(pose);
    assert_place(pose, child, 17.0f, 5.0f, 6.0f);
    sinew_pose_free(pose);
    test_rest_matrix(made, root, sheared); /* a root, too */
    pose = sinew_pose_create(&made->model, NULL);
    assert_place(pose, root, 4.0f, 5.0f, 6.0f);
    assert_place(pose, child, 18.0f, 10.0f, 12.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void a_stored_matrix_gives_way_to_a_turn_or_a_scale(void **state) {
    (void)state;
    const float turned[16] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 4, 5, 6, 1};
    test_model *made = test_model_create();
    uint32_t root = test_add_node(made, SINEW_NONE, 10.0f, 0.0f, 0.0f);
    uint32_t child = test_add_node(made, root, 0.0f, 0.0f, 0.0f);
    uint32_t tip = test_add_node(made, child, 0.0f, 1.0f, 0.0f);
    test_rest_matrix(made, child, turned);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    float local[16];
    sinew_pose_local_matrix(pose, child, local);
    assert_memory_equal(local, turned, sizeof local);
    pose->local[child].scale[1] = 3.0f;
    sinew_pose_changed(pose);
    sinew_pose_to_world(pose);
    assert_place(pose, child, 14.0f, 5.0f, 6.0f);
    assert_place(pose, tip, 14.0f, 8.0f, 6.0f); /* not turned by the matrix */
    sinew_pose_local_matrix(pose, child, local);
    assert_true(local[0] == 1.0f && local[5] == 3.0f && local[12] == 4.0f);
    sinew_pose_set_rest(pose);
    sinew_pose_to_world(pose);
    assert_place(pose, tip, 12.0f, 5.0f, 6.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void agrees_with_double(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_wish wish = {seed, 30, 1, 1, 0, SINEW_F32, 0.5, 1.5, 0.0};
        test_model *made = test_random_model(&wish);
        sinew_pose *pose = sinew_pose_create(&made->model, NULL);
        test_random chance = {seed};
        test_random_pose(&chance, -2.0, 2.0, pose);
        double error = error_of(pose);
        if (!(error <= 1e-6)) {
            fail_msg("seed %u: differs by %g", (unsigned)seed, error);
        }
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

/* Each node turned by the same angle: the chain lies on a circle. */
static void a_chain_of_3000_stays_exact(void **state) {
    (void)state;
    const double angle = 0.013;
    test_model *made = test_model_create();
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t node = test_add_node(made, i == 0 ? SINEW_NONE : i - 1, 0.0f, 0.01f, 0.0f);
        test_rest_rotation(made, node, (float)sin(angle / 2.0), 0.0f, 0.0f,
                           (float)cos(angle / 2.0));
    }
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    double error = error_of(pose);
    if (!(error < 1e-5)) {
        fail_msg("differs by %g", error);
    }
    assert_float_equal(world_of(pose, 2999)[5], (float)cos(3000.0 * angle), 2e-5f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void a_rotation_of_any_length_will_do(void **state) {
    (void)state;
    const float lengths[] = {0.0f, 1e-20f, 0.3f, 7.0f, 1e18f};
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        float *q = pose->local[0].rotation;
        q[0] = q[1] = 0.0f;
        q[2] = q[3] = lengths[i] * sqrtf(0.5f);
        sinew_pose_to_world(pose);
        bool none = lengths[i] == 0.0f;
        assert_float_equal(world_of(pose, 0)[0], none ? 1.0f : 0.0f, 1e-6f);
        assert_float_equal(world_of(pose, 0)[1], none ? 0.0f : 1.0f, 1e-6f);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void nothing_but_finite_numbers(void **state) {
    (void)state;
    const float scales[] = {0.0f, 1e-30f, 1e30f, 3.4e38f};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        test_model *made = test_model_create();
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t node = test_add_node(made, i == 0 ? SINEW_NONE : i - 1, 1e38f, -3e38f, 1e-40f);
            test_rest_scale(made, node, scales[s], -scales[s], scales[s]);
            test_rest_rotation(made, node, 0.5f, -0.5f, 0.5f, 0.5f);
        }
        sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
        for (int i = 0; i < 8 * 16; i++) {
            assert_true(isfinite(pose->world_matrices[i]));
        }
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

static void revisions_tell_what_is_stale(void **state) {
    (void)state;
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, 1.0f, 0.0f, 0.0f);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    uint64_t before = pose->revision;
    pose->local[0].translation[0] = 2.0f;
    sinew_pose_changed(pose);
    assert_true(pose->revision > before);
    assert_true(pose->world_revision == before);
    assert_place(pose, 0, 1.0f, 0.0f, 0.0f);
    sinew_pose_to_world(pose);
    assert_true(pose->world_revision == pose->revision);
    assert_place(pose, 0, 2.0f, 0.0f, 0.0f);
    before = pose->revision;
    sinew_pose_set_rest(pose);
    assert_true(pose->revision > before);
    assert_place(pose, 0, 2.0f, 0.0f, 0.0f); /* until to_world */
    assert_float_equal(pose->local[0].translation[0], 1.0f, 0.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void weights_at_rest_are_those_of_the_node(void **state) {
    (void)state;
    const float stored[3] = {0.25f, -1.0f, 2.0f};
    test_wish wish = {1, 2, 4, 1, 3, SINEW_F32, 0.0, 0.0, 0.0};
    test_model *made = test_random_model(&wish);
    made->nodes[2].local_rest_weights = stored;
    test_wear(made, 0, made->nodes[2].mesh, SINEW_NONE); /* its weights come first */
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    assert_int_equal(made->nodes[2].first_weight, 3);
    assert_memory_equal(pose->weights + made->nodes[2].first_weight, stored, sizeof stored);
    memset(pose->weights, 0, sizeof stored);
    sinew_pose_set_rest(pose);
    assert_memory_equal(pose->weights + made->nodes[2].first_weight, stored, sizeof stored);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void uses_the_given_memory_only(void **state) {
    (void)state;
    test_wish wish = {3, 5, 4, 1, 2, SINEW_F32, 0.0, 0.0, 0.0};
    test_model *made = test_random_model(&wish);
    test_memory memory = {0, 0, UINT32_MAX};
    sinew_allocator allocator = test_allocator(&memory);
    sinew_pose *pose = sinew_pose_create(&made->model, &allocator);
    assert_non_null(pose);
    assert_true(memory.live > 0);
    sinew_pose_free(pose);
    assert_true(memory.live == 0);
    memory.fail_after = 0;
    assert_null(sinew_pose_create(&made->model, &allocator));
    assert_null(sinew_pose_create(NULL, NULL));
    sinew_pose_free(NULL);
    test_model_free(made);
}

static void a_model_without_nodes_has_a_pose(void **state) {
    (void)state;
    test_model *made = test_model_create();
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    assert_non_null(pose);
    sinew_pose_set_rest(pose);
    sinew_pose_to_world(pose);
    sinew_pose_free(pose);
    test_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_rest),
        cmocka_unit_test(a_parent_may_come_behind_its_child),
        cmocka_unit_test(a_stored_matrix_stands),
        cmocka_unit_test(a_stored_matrix_gives_way_to_a_turn_or_a_scale),
        cmocka_unit_test(agrees_with_double),
        cmocka_unit_test(a_chain_of_3000_stays_exact),
        cmocka_unit_test(a_rotation_of_any_length_will_do),
        cmocka_unit_test(nothing_but_finite_numbers),
        cmocka_unit_test(revisions_tell_what_is_stale),
        cmocka_unit_test(weights_at_rest_are_those_of_the_node),
        cmocka_unit_test(uses_the_given_memory_only),
        cmocka_unit_test(a_model_without_nodes_has_a_pose),
    };
    return cmocka_run_group_tests_name("pose", tests, NULL, NULL);
}
