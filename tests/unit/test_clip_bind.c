/* Clips of another model: which node a channel finds, and what it does there. */
#include "sinew/clip.h"

#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const float times[2] = {0.0f, 1.0f};
static const float places[6] = {1, 2, 3, 4, 5, 6};
static const float turns[8] = {0, 0, 0, 1, 0, 0, 1, 0};

static void name(test_model *made, uint32_t node, const char *called) {
    made->nodes[node].name = called;
}

/* Nodes of the given names under one another; "" has none. */
static test_model *chain(const char *const *names, uint32_t count) {
    test_model *made = test_model_create();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = test_add_node(made, i ? i - 1 : SINEW_NONE, 0.0f, 0.0f, 0.0f);
        name(made, node, names[i]);
    }
    return made;
}

/* A clip of one channel a node, to `places`. */
static void add_places(test_model *made, uint32_t count) {
    uint32_t clip = test_add_clip(made, "go");
    for (uint32_t i = 0; i < count; i++) {
        test_add_channel(made, clip, i, SINEW_TRANSLATION, SINEW_LINEAR, 2, times, places);
    }
}

static void channels_find_the_first_node_of_their_name(void **state) {
    (void)state;
    const char *const theirs[] = {"hip", "knee", "", "toe", "Knee"};
    const char *const ours[] = {"knee", "", "hip", "knee", "foot"};
    test_model *from = chain(theirs, 5), *to = chain(ours, 5);
    add_places(from, 5);
    const sinew_model *source = test_model_done(from), *target = test_model_done(to);
    sinew_clip_binding *binding = sinew_clip_bind(target, source, 0, NULL);
    assert_non_null(binding);
    const uint32_t want[] = {2, 0, SINEW_NONE, SINEW_NONE, SINEW_NONE};
    assert_memory_equal(binding->nodes, want, sizeof want);
    assert_int_equal(binding->bound_count, 2);
    assert_true(binding->target == target && binding->source == source);
    assert_true(binding->clip == &source->clips[0]);
    sinew_clip_binding_free(binding);
    test_model_free(from);
    test_model_free(to);
}

static void a_bound_clip_moves_what_it_found_and_nothing_else(void **state) {
    (void)state;
    const char *const theirs[] = {"hip", "knee", "toe"};
    const char *const ours[] = {"root", "knee", "hip"};
    test_model *from = chain(theirs, 3), *to = chain(ours, 3);
    add_places(from, 3);
    const sinew_model *source = test_model_done(from), *target = test_model_done(to);
    sinew_clip_binding *binding = sinew_clip_bind(target, source, 0, NULL);
    sinew_pose *pose = sinew_pose_create(target, NULL);
    pose->local[0].translation[0] = 9.0f;
    uint64_t revision = pose->revision;
    assert_int_equal(sinew_clip_binding_sample(binding, 0.5, SINEW_KEEP, pose), SINEW_OK);
    assert_true(pose->revision != revision);
    for (uint32_t node = 1; node < 3; node++) {
        assert_true(pose->local[node].translation[0] == 2.5f);
        assert_true(pose->local[node].translation[2] == 4.5f);
    }
    assert_true(pose->local[0].translation[0] == 9.0f);
    assert_int_equal(sinew_clip_binding_sample(binding, 1.25, SINEW_LOOP, pose), SINEW_OK);
    assert_true(pose->local[1].translation[0] == 1.75f);
    assert_true(pose->local[0].translation[0] == 0.0f); /* at rest again */
    sinew_clip_binding_free(binding);
    sinew_pose_free(pose);
    test_model_free(from);
    test_model_free(to);
}

static void weights_go_to_as_many(void **state) {
    (void)state;
    const float weights[4] = {0.0f, 0.25f, 0.5f, 0.75f};
    const char *const names[] = {"face", "other"};
    for (uint32_t targets = 0; targets <= 3; targets++) {
        sinew_target none[3] = {{NULL, NULL, NULL}};
        sinew_primitive two = {.target_count = 2, .targets = none};
        sinew_primitive ours = {.target_count = targets, .targets = none};
        test_model *from = chain(names, 2), *to = chain(names, 2);
        test_wear(from, 0, test_add_mesh(from, &two), SINEW_NONE);
        test_wear(to, 0, test_add_mesh(to, &ours), SINEW_NONE);
        uint32_t clip = test_add_clip(from, "smile");
        test_add_channel(from, clip, 0, SINEW_WEIGHTS, SINEW_LINEAR, 2, times, weights);
        const sinew_model *source = test_model_done(from), *target = test_model_done(to);
        assert_int_equal(target->nodes[0].weight_count, targets);
        sinew_clip_binding *binding = sinew_clip_bind(target, source, clip, NULL);
        sinew_pose *pose = sinew_pose_create(target, NULL);
        assert_int_equal(binding->bound_count, targets == 2);
        assert_int_equal(sinew_clip_binding_sample(binding, 1.0, 0, pose), SINEW_OK);
        assert_true(targets != 2 || (pose->weights[0] == 0.5f && pose->weights[1] == 0.75f));
        assert_true(targets != 3 || (pose->weights[0] == 0.0f && pose->weights[2] == 0.0f));
        sinew_clip_binding_free(binding);
        sinew_pose_free(pose);
        test_model_free(from);
        test_model_free(to);
    }
}

static void a_matrix_is_driven_where_it_is_a_turn_and_a_scale(void **state) {
    (void)state;
    const float turned[16] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 4, 5, 6, 1};
    const float sheared[16] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    const char *const names[] = {"turned", "sheared"};
    test_model *from = chain(names, 2), *to = chain(names, 2);
    uint32_t clip = test_add_clip(from, "go");
    for (uint32_t node = 0; node < 2; node++) {
        test_add_channel(from, clip, node, SINEW_TRANSLATION, SINEW_LINEAR, 2, times, places);
        test_add_channel(from, clip, node, SINEW_ROTATION, SINEW_LINEAR, 2, times, turns);
    }
    test_rest_matrix(to, 0, turned);
    test_rest_matrix(to, 1, sheared);
    const float quarter[4] = {0.0f, 0.0f, 0.70710678f, 0.70710678f}, twice[3] = {2, 2, 2};
    memcpy(to->nodes[0].local_rest.rotation, quarter, sizeof quarter);
    memcpy(to->nodes[0].local_rest.scale, twice, sizeof twice);
    const sinew_model *source = test_model_done(from), *target = test_model_done(to);
    sinew_clip_binding *binding = sinew_clip_bind(target, source, clip, NULL);
    const uint32_t want[] = {0, 0, 1, SINEW_NONE};
    assert_memory_equal(binding->nodes, want, sizeof want);
    sinew_pose *pose = sinew_pose_create(target, NULL);
    sinew_clip_binding_sample(binding, 1.0, 0, pose);
    sinew_pose_to_world(pose);
    /* Half a turn about z, twice as large; then the shear, moved. */
    assert_true(fabsf(pose->world_matrices[0] + 2.0f) < 1e-6f && pose->world_matrices[12] == 4.0f);
    assert_true(fabsf(pose->world_matrices[16 + 4] + 4.0f) < 1e-5f);
    assert_true(fabsf(pose->world_matrices[16 + 12] - (4.0f - 2.0f * 4.0f)) < 1e-5f);
    sinew_clip_binding_free(binding);
    sinew_pose_free(pose);
    test_model_free(from);
    test_model_free(to);
}

static void nothing_in_common_is_a_binding_too(void **state) {
    (void)state;
    const char *const theirs[] = {"a"}, *const ours[] = {"b"};
    test_model *from = chain(theirs, 1), *to = chain(ours, 1), *empty = test_model_create();
    add_places(from, 1);
    uint32_t still = test_add_clip(from, "still");
    const sinew_model *source = test_model_done(from);
    const sinew_model *targets[] = {test_model_done(to), test_model_done(empty)};
    for (int i = 0; i < 2; i++) {
        for (uint32_t clip = 0; clip <= still; clip++) {
            sinew_clip_binding *binding = sinew_clip_bind(targets[i], source, clip, NULL);
            sinew_pose *pose = sinew_pose_create(targets[i], NULL);
            assert_non_null(binding);
            assert_int_equal(binding->bound_count, 0);
            assert_int_equal(sinew_clip_binding_sample(binding, 0.5, 0, pose), SINEW_OK);
            sinew_clip_binding_free(binding);
            sinew_pose_free(pose);
        }
    }
    test_model_free(from);
    test_model_free(to);
    test_model_free(empty);
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    const char *const names[] = {"hip", "knee"};
    test_model *from = chain(names, 2), *to = chain(names, 2);
    add_places(from, 2);
    const sinew_model *source = test_model_done(from), *target = test_model_done(to);
    uint32_t failures = 0;
    for (sinew_clip_binding *binding = NULL; !binding; failures++) {
        test_memory memory = {.fail_after = failures};
        sinew_allocator allocator = test_allocator(&memory);
        binding = sinew_clip_bind(target, source, 0, &allocator);
        if (binding) {
            assert_int_equal(binding->bound_count, 2);
            sinew_clip_binding_free(binding);
        }
        assert_int_equal(memory.live, 0);
    }
    assert_true(failures > 1);
    test_model_free(from);
    test_model_free(to);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    const char *const names[] = {"hip"};
    test_model *from = chain(names, 1), *to = chain(names, 1);
    add_places(from, 1);
    const sinew_model *source = test_model_done(from), *target = test_model_done(to);
    assert_null(sinew_clip_bind(target, source, 1, NULL));
    assert_null(sinew_clip_bind(target, source, SINEW_NONE, NULL));
    assert_null(sinew_clip_bind(NULL, source, 0, NULL));
    assert_null(sinew_clip_bind(target, NULL, 0, NULL));
    sinew_clip_binding *binding = sinew_clip_bind(target, source, 0, NULL);
    sinew_pose *pose = sinew_pose_create(target, NULL), *theirs = sinew_pose_create(source, NULL);
    assert_int_equal(sinew_clip_binding_sample(NULL, 0, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_binding_sample(binding, 0, 0, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_binding_sample(binding, 0, 0, theirs), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_binding_sample(binding, NAN, 0, pose), SINEW_ERROR_ARGUMENT);
    sinew_clip_binding_free(NULL);
    sinew_clip_binding_free(binding);
    sinew_pose_free(pose);
    sinew_pose_free(theirs);
    test_model_free(from);
    test_model_free(to);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_find_the_first_node_of_their_name),
        cmocka_unit_test(a_bound_clip_moves_what_it_found_and_nothing_else),
        cmocka_unit_test(weights_go_to_as_many),
        cmocka_unit_test(a_matrix_is_driven_where_it_is_a_turn_and_a_scale),
        cmocka_unit_test(nothing_in_common_is_a_binding_too),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests_name("clip_bind", tests, NULL, NULL);
}
