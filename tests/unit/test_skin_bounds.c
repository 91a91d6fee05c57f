/* Bounds: a box that holds every skinned vertex, whatever the pose. */
#include "sinew/skin.h"

#include "models.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_JOINTS 64
#define MOST_VERTICES 256

static void skin_mesh(const sinew_pose *pose, uint32_t node, uint32_t primitive,
                      const sinew_palette *palette, float *positions) {
    const sinew_node *wearer = &pose->model->nodes[node];
    sinew_skin_job job = {0};
    job.primitive = &pose->model->meshes[wearer->mesh].primitives[primitive];
    job.influences = job.primitive->influences;
    job.palette = palette;
    job.morph_weights = pose->weights + wearer->first_weight;
    job.morph_weight_count = wearer->weight_count;
    job.positions = positions;
    assert_int_equal(sinew_skin_vertices(&job, 0, job.primitive->vertex_count), SINEW_OK);
}

static void assert_inside(const sinew_box *box, const float *positions, uint32_t count,
                          uint64_t seed) {
    for (uint32_t i = 0; i < 3 * count; i++) {
        if (!(positions[i] >= box->minimum[i % 3] && positions[i] <= box->maximum[i % 3])) {
            fail_msg("seed %u: vertex %u leaves the box along %c: %.9g, box %.9g to %.9g",
                     (unsigned)seed, i / 3, "xyz"[i % 3], (double)positions[i],
                     (double)box -> minimum[i % 3], (double)box -> maximum[i % 3]);
        }
    }
}

static void assert_box(const sinew_box *box, const double minimum[3], const double maximum[3],
                       double limit) {
    for (int i = 0; i < 3; i++) {
        if (!(fabs((double)box->minimum[i] - minimum[i]) <= limit &&
              fabs((double)box->maximum[i] - maximum[i]) <= limit)) {
            fail_msg("along %c: %.9g to %.9g, expected %.9g to %.9g", "xyz"[i],
                     (double)box -> minimum[i], (double)box -> maximum[i], minimum[i], maximum[i]);
        }
    }
}

static void hold_every_vertex(void **state) {
    (void)state;
    const sinew_component types[3] = {SINEW_F32, SINEW_U8, SINEW_U16};
    const double offsets[4] = {0.0, 0.0, 100.0, 1e5};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        test_wish wish = {seed,
                          1 + (uint32_t)(seed % 40),
                          100,
                          1 + (uint32_t)(seed % 4),
                          (uint32_t)(seed % 5),
                          types[seed % 3],
                          0.8,
                          1.2,
                          offsets[seed % 4]};
        test_model *made = test_random_model(&wish);
        uint32_t node = made->model.node_count - 1;
        sinew_pose *pose = sinew_pose_create(&made->model, NULL);
        sinew_bounds *bounds = sinew_bounds_create(&made->model, node, NULL);
        assert_non_null(bounds);
        float matrices[12 * MOST_JOINTS], positions[3 * MOST_VERTICES];
        sinew_palette palette = {0};
        palette.matrices = matrices;
        palette.capacity = MOST_JOINTS;
        test_random chance = {seed};
        for (int round = 0; round < 5; round++) {
            sinew_box box;
            test_random_pose(&chance, -1.0, 1.5, pose);
            sinew_palette_build(&made->model, 0, pose, &palette);
            skin_mesh(pose, node, 0, &palette, positions);
            assert_true(sinew_bounds_of_palette(bounds, &palette, pose->weights,
                                                made->model.weight_count, &box));
            assert_inside(&box, positions, 100, seed);
        }
        sinew_bounds_free(bounds);
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

/* The box of the mesh on a node, world space, as a host would ask for it. */
static bool box_of(const sinew_bounds *bounds, const sinew_pose *pose, uint32_t node,
                   sinew_box *box) {
    const sinew_node *wearer = &pose->model->nodes[node];
    float matrices[12 * MOST_JOINTS], matrix[12];
    sinew_palette rigid = {0}, skinned = {0};
    rigid.matrices = matrix;
    rigid.capacity = 1;
    skinned.matrices = matrices;
    skinned.capacity = MOST_JOINTS;
    assert_int_equal(sinew_palette_build_rigid(pose->model, node, pose, &rigid), SINEW_OK);
    if (wearer->skin != SINEW_NONE) {
        assert_int_equal(sinew_palette_build(pose->model, wearer->skin, pose, &skinned), SINEW_OK);
    }
    return sinew_bounds_of_palettes(bounds, &skinned, &rigid, pose->weights + wearer->first_weight,
                                    wearer->weight_count, box);
}

/* Four vertices of a square from (0, 0) to (2, 1), all on one joint, or rigid. */
static test_model *square(bool skinned) {
    const float corners[12] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};
    const float up[12] = {0, 0, 3, 0, 0, 5, 0, 0, -1, 0, 0, 0};
    const uint32_t joints[16] = {0}, joint = 0;
    double weights[16] = {0.0};
    test_model *made = test_model_create();
    for (int v = 0; v < 4; v++) {
        weights[4 * v] = 1.0;
    }
    test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
    test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 7.0f);
    sinew_target target = {NULL, NULL, NULL};
    target.positions = test_keep(made, up, sizeof up);
    sinew_primitive primitive = {0};
    primitive.vertex_count = 4;
    primitive.positions = test_keep(made, corners, sizeof corners);
    primitive.targets = test_keep(made, &target, sizeof target);
    primitive.target_count = 1;
    if (skinned) {
        primitive.influences = test_influences(made, 1, 4, 4, SINEW_U8, SINEW_U8, joints, weights);
        primitive.influences_count = 1;
    }
    uint32_t skin = test_add_skin(made, &joint, 1, NULL);
    test_wear(made, 1, test_add_mesh(made, &primitive), skinned ? skin : SINEW_NONE);
    test_model_done(made);
    return made;
}

static void are_exact_for_one_joint_but_for_a_slack(void **state) {
    (void)state;
    test_model *made = square(true);
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
    const sinew_transform quarter = {{10, 0, 0}, {0, 0, 0.70710678f, 0.70710678f}, {1, -2, 1}};
    sinew_box box;
    pose->local[0] = quarter;
    sinew_pose_changed(pose);
    sinew_pose_to_world(pose);
    assert_true(box_of(bounds, pose, 1, &box));
    const double low[3] = {10, 0, 0}, high[3] = {12, 2, 0}; /* y -> -x, times -2 */
    assert_box(&box, low, high, 1e-4);
    assert_true((double)box.minimum[0] < low[0] && (double)box.maximum[0] > high[0]);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void widen_by_what_morph_targets_add(void **state) {
    (void)state;
    test_model *made = square(true);
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
    sinew_box box;
    pose->weights[0] = -2.0f;
    assert_true(box_of(bounds, pose, 1, &box));
    const double low[3] = {0, 0, -10}, high[3] = {2, 1, 2};
    assert_box(&box, low, high, 1e-4);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void follow_the_node_without_a_skin(void **state) {
    (void)state;
    test_model *made = square(false);
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
    sinew_box box, same;
    float matrices[12];
    sinew_palette palette = {0};
    palette.matrices = matrices;
    palette.capacity = 1;
    sinew_palette_build_rigid(&made->model, 1, pose, &palette);
    assert_true(box_of(bounds, pose, 1, &box));
    assert_true(sinew_bounds_of_palette(bounds, &palette, NULL, 0, &same));
    assert_memory_equal(&box, &same, sizeof box);
    const double low[3] = {0, 0, 7}, high[3] = {2, 1, 7};
    assert_box(&box, low, high, 1e-4);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* One primitive on the joint, one without joints, which stands where the node is. */
static void hold_primitives_with_and_without_joints(void **state) {
    (void)state;
    test_model *made = square(true);
    sinew_primitive bare = made->meshes[0].primitives[0];
    bare.influences = NULL;
    bare.influences_count = 0;
    test_add_primitive(made, 0, &bare);
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
    sinew_box box;
    assert_true(box_of(bounds, pose, 1, &box));
    const double low[3] = {0, 0, 0}, high[3] = {2, 1, 7};
    assert_box(&box, low, high, 1e-4);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* The square on a far joint by the weight of the last of eight entries; the others name
 * joint 0, at the origin, with weight 0. */
static void count_every_entry_with_a_weight_and_no_other(void **state) {
    (void)state;
    test_model *made = square(true);
    uint32_t joints[2] = {0, test_add_node(made, SINEW_NONE, 1000.0f, 0.0f, 0.0f)};
    made->skins[0].joints = test_keep(made, joints, sizeof joints);
    made->skins[0].joint_count = 2;
    uint32_t slots[32] = {0};
    double weights[32] = {0.0};
    for (int v = 0; v < 4; v++) {
        slots[8 * v + 7] = 1;
        weights[8 * v + 7] = 1.0;
    }
    sinew_primitive *worn = (sinew_primitive *)(uintptr_t)made->meshes[0].primitives;
    worn->influences = test_influences(made, 2, 4, 8, SINEW_U8, SINEW_U8, slots, weights);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
    sinew_box box;
    assert_true(box_of(bounds, pose, 1, &box));
    const double low[3] = {1000, 0, 0}, high[3] = {1002, 1, 0};
    assert_box(&box, low, high, 0.01);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void of_nothing_are_empty(void **state) {
    (void)state;
    test_model *made = square(false);
    sinew_primitive empty = {0};
    uint32_t mesh = test_add_mesh(made, &empty);
    test_wear(made, 0, mesh, SINEW_NONE);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 0, NULL);
    sinew_box box;
    assert_non_null(bounds);
    assert_false(box_of(bounds, pose, 0, &box));
    assert_true(box.minimum[0] > box.maximum[0]);
    sinew_bounds_free(bounds);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void of_a_palette_too_short_are_refused(void **state) {
    (void)state;
    test_wish wish = {2, 8, 50, 1, 0, SINEW_F32, 0.0, 0.0, 0.0};
    test_model *made = test_random_model(&wish);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 8, NULL);
    float matrices[12] = {0.0f};
    sinew_palette palette = {0};
    palette.matrices = matrices;
    palette.joint_count = 1;
    sinew_box box;
    assert_false(sinew_bounds_of_palette(bounds, &palette, NULL, 0, &box));
    assert_true(box.minimum[0] > box.maximum[0]);
    sinew_bounds_free(bounds);
    test_model_free(made);
}

static void stay_finite(void **state) {
    (void)state;
    const float sizes[] = {0.0f, 1e-45f, 1e30f, FLT_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_model *made = square(true);
        sinew_pose *pose = sinew_pose_create(&made->model, NULL);
        sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, NULL);
        float matrices[12], positions[12];
        sinew_palette palette = {0};
        palette.matrices = matrices;
        palette.capacity = 1;
        for (int k = 0; k < 3; k++) {
            pose->local[0].scale[k] = sizes[i];
            pose->local[0].translation[k] = -sizes[i];
        }
        pose->weights[0] = sizes[i];
        sinew_pose_changed(pose);
        sinew_pose_to_world(pose);
        sinew_palette_build(&made->model, 0, pose, &palette);
        sinew_box box;
        assert_true(box_of(bounds, pose, 1, &box));
        skin_mesh(pose, 1, 0, &palette, positions);
        assert_inside(&box, positions, 4, i);
        for (int k = 0; k < 3; k++) {
            assert_true(isfinite(box.minimum[k]) && isfinite(box.maximum[k]));
        }
        sinew_bounds_free(bounds);
        sinew_pose_free(pose);
        test_model_free(made);
    }
}

static void use_the_given_memory_only(void **state) {
    (void)state;
    test_model *made = square(true);
    test_memory memory = {0, 0, UINT32_MAX};
    sinew_allocator allocator = test_allocator(&memory);
    sinew_bounds *bounds = sinew_bounds_create(&made->model, 1, &allocator);
    assert_non_null(bounds);
    sinew_bounds_free(bounds);
    assert_true(memory.live == 0);
    uint32_t calls = memory.calls;
    for (uint32_t i = 0; i < calls; i++) {
        memory.calls = 0;
        memory.fail_after = i;
        assert_null(sinew_bounds_create(&made->model, 1, &allocator));
        assert_true(memory.live == 0);
    }
    assert_null(sinew_bounds_create(&made->model, 0, NULL)); /* no mesh */
    assert_null(sinew_bounds_create(&made->model, 2, NULL)); /* no node */
    assert_null(sinew_bounds_create(NULL, 0, NULL));
    sinew_bounds_free(NULL);
    test_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hold_every_vertex),
        cmocka_unit_test(are_exact_for_one_joint_but_for_a_slack),
        cmocka_unit_test(widen_by_what_morph_targets_add),
        cmocka_unit_test(follow_the_node_without_a_skin),
        cmocka_unit_test(hold_primitives_with_and_without_joints),
        cmocka_unit_test(count_every_entry_with_a_weight_and_no_other),
        cmocka_unit_test(of_nothing_are_empty),
        cmocka_unit_test(of_a_palette_too_short_are_refused),
        cmocka_unit_test(stay_finite),
        cmocka_unit_test(use_the_given_memory_only),
    };
    return cmocka_run_group_tests_name("skin: bounds", tests, NULL, NULL);
}
