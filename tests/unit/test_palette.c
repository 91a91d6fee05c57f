/* Palette: joint matrices, and where they are written. */
#include "sinew/palette.h"

#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifndef NDEBUG
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

/* Joints 0 and 1, one above the other, bound where they rest; the mesh on node 2, under
 * node 0 and scaled. Skin 1 is the same without inverse binds, joints exchanged. */
static test_model *two_joints(void) {
    const uint32_t joints[2] = {0, 1}, exchanged[2] = {1, 0};
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, 10.0f, 0.0f, 0.0f);
    test_add_node(made, 0, 0.0f, 1.0f, 0.0f);
    test_add_node(made, 0, 0.0f, 0.0f, 3.0f);
    test_rest_scale(made, 2, 2.0f, 2.0f, 2.0f);
    test_bind_at_rest(made, test_add_skin(made, joints, 2, NULL));
    test_add_skin(made, exchanged, 2, NULL);
    test_model_done(made);
    return made;
}

static sinew_palette palette_of(float *matrices, uint32_t capacity, sinew_palette_layout layout) {
    sinew_palette palette = {0};
    palette.matrices = matrices;
    palette.capacity = capacity;
    palette.layout = layout;
    return palette;
}

static void assert_matrix(const sinew_palette *palette, uint32_t joint, const double want[16],
                          double limit) {
    float have[16];
    sinew_palette_matrix(palette, joint, have);
    for (int i = 0; i < 16; i++) {
        if (!(fabs((double)have[i] - want[i]) <= limit)) {
            fail_msg("joint %u [%d] is %.9g, expected %.9g", joint, i, (double)have[i], want[i]);
        }
    }
}

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static void in_the_bind_pose_joints_move_nothing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        test_wish wish = {seed, 12, 1, 1, 0, SINEW_F32, 0.7, 1.4, 0.0};
        test_model *made = test_random_model(&wish);
        sinew_pose *pose = sinew_pose_create(&made->model, NULL);
        float matrices[12 * 12];
        sinew_palette palette = palette_of(matrices, 12, SINEW_PALETTE_4X3);
        assert_int_equal(sinew_palette_build(&made->model, 0, pose, &palette), SINEW_OK);
        assert_int_equal(palette.joint_count, 12);
        for (uint32_t j = 0; j < 12; j++) {
            assert_matrix(&palette, j, identity, 2e-6);
        }
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

static void a_joint_matrix_is_world_times_inverse_bind(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        test_wish wish = {seed, 12, 1, 1, 0, SINEW_F32, 0.7, 1.4, 0.0};
        test_model *made = test_random_model(&wish);
        sinew_pose *pose = sinew_pose_create(&made->model, NULL);
        test_random chance = {seed};
        test_random_pose(&chance, -1.5, 1.5, pose);
        float matrices[12 * 16];
        sinew_palette palette = palette_of(matrices, 12, SINEW_PALETTE_4X4);
        assert_int_equal(sinew_palette_build(&made->model, 0, pose, &palette), SINEW_OK);
        for (uint32_t j = 0; j < 12; j++) {
            double world[16], bind[16], size = 1.0;
            test_world(pose, made->skins[0].joints[j], world);
            for (int i = 0; i < 16; i++) {
                bind[i] = (double)made->skins[0].inverse_binds[16 * j + i];
                size = fmax(size, fabs(bind[i]));
            }
            test_multiply(world, bind, world);
            assert_matrix(&palette, j, world, 2e-6 * size);
        }
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

static void without_inverse_binds_it_is_the_world_matrix_by_slot(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24];
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    assert_int_equal(sinew_palette_build(&made->model, 1, pose, &palette), SINEW_OK);
    const double tip[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 1, 0, 1};
    const double root[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1};
    assert_matrix(&palette, 0, tip, 0.0);
    assert_matrix(&palette, 1, root, 0.0);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void both_layouts_hold_the_same_numbers(void **state) {
    (void)state;
    test_wish wish = {9, 7, 1, 1, 0, SINEW_F32, 0.7, 1.4, 0.0};
    test_model *made = test_random_model(&wish);
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    test_random chance = {4};
    test_random_pose(&chance, 0.5, 2.0, pose);
    float rows[7 * 12], columns[7 * 16];
    sinew_palette packed = palette_of(rows, 7, SINEW_PALETTE_4X3);
    sinew_palette whole = palette_of(columns, 7, SINEW_PALETTE_4X4);
    assert_int_equal(sinew_palette_floats(packed.layout), 12);
    assert_int_equal(sinew_palette_floats(whole.layout), 16);
    sinew_palette_build(&made->model, 0, pose, &packed);
    sinew_palette_build(&made->model, 0, pose, &whole);
    for (uint32_t j = 0; j < 7; j++) {
        float a[16], b[16];
        for (int i = 0; i < 16; i++) {
            int row = i % 4, column = i / 4;
            float want = row < 3 ? rows[12 * j + 4 * row + column] : column == 3 ? 1.0f : 0.0f;
            assert_memory_equal(&columns[16 * j + i], &want, sizeof want);
        }
        sinew_palette_matrix(&packed, j, a);
        sinew_palette_matrix(&whole, j, b);
        assert_memory_equal(a, b, sizeof a);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void what_was_in_the_memory_does_not_matter(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    for (int layout = SINEW_PALETTE_4X3; layout <= SINEW_PALETTE_4X4; layout++) {
        float zeros[33] = {0.0f}, nans[33];
        size_t used = 2 * sinew_palette_floats((sinew_palette_layout)layout);
        memset(nans, 0xff, sizeof nans);
        sinew_palette a = palette_of(zeros, 2, (sinew_palette_layout)layout);
        sinew_palette b = palette_of(nans, 2, (sinew_palette_layout)layout);
        sinew_palette_build(&made->model, 0, pose, &a);
        sinew_palette_build(&made->model, 0, pose, &b);
        assert_memory_equal(zeros, nans, used * sizeof *nans);
        assert_true(isnan(nans[used])); /* nothing behind the last joint */
        sinew_palette_build_rigid(&made->model, 1, pose, &b);
        assert_int_equal(b.joint_count, 1);
        assert_true(isnan(nans[used]));
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void relative_to_a_node_is_its_inverse_times_the_joint(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24];
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    sinew_error error = {0};
    assert_int_equal(sinew_palette_build_relative(&made->model, 1, pose, 2, &palette, &error),
                     SINEW_OK);
    const double tip[16] = {.5, 0, 0, 0, 0, .5, 0, 0, 0, 0, .5, 0, 0, .5, -1.5, 1};
    assert_matrix(&palette, 0, tip, 1e-7);
    assert_int_equal(error.result, SINEW_OK);

    test_random chance = {12};
    for (int i = 0; i < 20; i++) {
        float absolute[24];
        sinew_palette world = palette_of(absolute, 2, SINEW_PALETTE_4X3);
        test_random_pose(&chance, 0.5, 2.0, pose);
        sinew_palette_build(&made->model, 0, pose, &world);
        assert_int_equal(sinew_palette_build_relative(&made->model, 0, pose, 2, &palette, NULL),
                         SINEW_OK);
        for (uint32_t j = 0; j < 2; j++) {
            double node[16], want[16];
            float joint[16];
            test_world(pose, 2, node);
            test_inverse(node, want);
            sinew_palette_matrix(&world, j, joint);
            for (int k = 0; k < 16; k++) {
                node[k] = (double)joint[k];
            }
            test_multiply(want, node, want);
            assert_matrix(&palette, j, want, 2e-5);
        }
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void scale_node(sinew_pose *pose, uint32_t node, float x, float y, float z) {
    float scale[3] = {x, y, z};
    memcpy(pose->local[node].scale, scale, sizeof scale);
    sinew_pose_changed(pose);
    sinew_pose_to_world(pose);
}

static void relative_to_a_flat_node_is_refused_with_its_name(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24], before[24];
    memset(matrices, 0x55, sizeof matrices);
    memcpy(before, matrices, sizeof matrices);
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    test_random chance = {3};
    for (int above = 0; above < 3; above++) {
        sinew_error error = {0};
        sinew_pose_set_rest(pose);
        if (above == 2) { /* turned above and below: what is left is rounding, not zeros */
            test_random_rotation(&chance, pose->local[0].rotation);
            test_random_rotation(&chance, pose->local[2].rotation);
        }
        scale_node(pose, above ? 0 : 2, 1.0f, 0.0f, 1.0f);
        assert_int_equal(sinew_palette_build_relative(&made->model, 0, pose, 2, &palette, &error),
                         SINEW_ERROR_DATA);
        assert_int_equal(error.result, SINEW_ERROR_DATA);
        assert_string_equal(error.place, "/nodes/2");
        assert_non_null(strstr(error.message, "node2"));
        assert_memory_equal(matrices, before, sizeof matrices);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void an_unevenly_scaled_node_has_an_inverse(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24];
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    scale_node(pose, 2, 1000.0f, 1.0f, 1e-10f);
    assert_int_equal(sinew_palette_build_relative(&made->model, 0, pose, 2, &palette, NULL),
                     SINEW_OK);
    assert_float_equal(matrices[0], 1e-3f, 1e-9f);
    assert_float_equal(matrices[10], 1e10f, 1e4f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void rigid_is_the_world_matrix_of_the_node(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[16];
    sinew_palette palette = palette_of(matrices, 1, SINEW_PALETTE_4X4);
    assert_int_equal(sinew_palette_build_rigid(&made->model, 2, pose, &palette), SINEW_OK);
    const double want[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 10, 0, 3, 1};
    assert_matrix(&palette, 0, want, 0.0);
    assert_int_equal(palette.joint_count, 1);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void a_stale_palette_can_be_told(void **state) {
    (void)state;
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24];
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    sinew_palette_build(&made->model, 0, pose, &palette);
    assert_ptr_equal(palette.pose, pose);
    assert_true(palette.pose_revision == pose->revision);
    pose->local[0].translation[0] = 1.0f;
    sinew_pose_changed(pose);
    assert_true(palette.pose_revision != pose->revision);
    sinew_pose_to_world(pose);
    assert_true(palette.pose_revision != pose->revision);
    sinew_palette_build(&made->model, 0, pose, &palette);
    assert_true(palette.pose_revision == pose->revision);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* A host that forgets sinew_pose_to_world is told so, in a debug build. */
static void a_stale_pose_is_asserted(void **state) {
    (void)state;
#ifdef NDEBUG
    skip();
#else
    test_model *made = two_joints();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    float matrices[24];
    sinew_palette palette = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    sinew_pose_changed(pose);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        sinew_palette_build(&made->model, 0, pose, &palette);
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    sinew_pose_free(pose);
    test_model_free(made);
#endif
}

static void mistakes_write_nothing(void **state) {
    (void)state;
    test_model *made = two_joints(), *other = two_joints();
    const sinew_model *model = &made->model;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    float matrices[24], before[24];
    memset(matrices, 0x55, sizeof matrices);
    memcpy(before, matrices, sizeof matrices);
    sinew_palette good = palette_of(matrices, 2, SINEW_PALETTE_4X3);
    sinew_palette small = palette_of(matrices, 1, SINEW_PALETTE_4X3);
    sinew_palette none = palette_of(matrices, 0, SINEW_PALETTE_4X3);
    sinew_palette nowhere = palette_of(NULL, 2, SINEW_PALETTE_4X3);
    sinew_palette odd = palette_of(matrices, 2, (sinew_palette_layout)7);
    const sinew_result argument = SINEW_ERROR_ARGUMENT;
    assert_int_equal(sinew_palette_build(model, 2, pose, &good), argument);
    assert_int_equal(sinew_palette_build(model, SINEW_NONE, pose, &good), argument);
    assert_int_equal(sinew_palette_build(model, 0, pose, &small), argument);
    assert_int_equal(sinew_palette_build(model, 0, pose, &nowhere), argument);
    assert_int_equal(sinew_palette_build(model, 0, pose, &odd), argument);
    assert_int_equal(sinew_palette_build(model, 0, pose, NULL), argument);
    assert_int_equal(sinew_palette_build(model, 0, NULL, &good), argument);
    assert_int_equal(sinew_palette_build(NULL, 0, pose, &good), argument);
    assert_int_equal(sinew_palette_build(&other->model, 0, pose, &good), argument);
    assert_int_equal(sinew_palette_build_rigid(model, 3, pose, &good), argument);
    assert_int_equal(sinew_palette_build_rigid(model, 0, pose, &none), argument);
    sinew_error error;
    assert_int_equal(sinew_palette_build_relative(model, 2, pose, 0, &good, &error), argument);
    assert_int_equal(sinew_palette_build_relative(model, 0, pose, 3, &good, &error), argument);
    assert_int_equal(sinew_palette_build_relative(model, 0, pose, 2, &small, &error), argument);
    assert_non_null(strstr(error.message, "room for 1"));
    assert_memory_equal(matrices, before, sizeof matrices);
    assert_int_equal(good.joint_count, 0);
    sinew_pose_free(pose);
    test_model_free(made);
    test_model_free(other);
}

static void a_skin_without_joints_is_an_empty_palette(void **state) {
    (void)state;
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
    made->model.skin_count = 1;
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    sinew_palette palette = palette_of(NULL, 0, SINEW_PALETTE_4X3);
    assert_int_equal(sinew_palette_build(&made->model, 0, pose, &palette), SINEW_OK);
    assert_int_equal(palette.joint_count, 0);
    sinew_pose_free(pose);
    test_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_bind_pose_joints_move_nothing),
        cmocka_unit_test(a_joint_matrix_is_world_times_inverse_bind),
        cmocka_unit_test(without_inverse_binds_it_is_the_world_matrix_by_slot),
        cmocka_unit_test(both_layouts_hold_the_same_numbers),
        cmocka_unit_test(what_was_in_the_memory_does_not_matter),
        cmocka_unit_test(relative_to_a_node_is_its_inverse_times_the_joint),
        cmocka_unit_test(relative_to_a_flat_node_is_refused_with_its_name),
        cmocka_unit_test(an_unevenly_scaled_node_has_an_inverse),
        cmocka_unit_test(rigid_is_the_world_matrix_of_the_node),
        cmocka_unit_test(a_stale_palette_can_be_told),
        cmocka_unit_test(a_stale_pose_is_asserted),
        cmocka_unit_test(mistakes_write_nothing),
        cmocka_unit_test(a_skin_without_joints_is_an_empty_palette),
    };
    return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
