/* The vertices that the GPU makes are those of the CPU, for both storages, every stored
 * type of influence, any number of them, morph targets, mirrors and tiny scales. */
#include "sinew/gl.h"

#include "gl_context.h"
#include "gl_vertices.h"
#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static EGLContext context;

static int open_context(void **state) {
    (void)state;
    context = test_context_create();
    return 0;
}

static int close_context(void **state) {
    (void)state;
    test_context_free(context);
    return 0;
}

static void assert_same_on(sinew_gl *gl, const sinew_model *model, const sinew_pose *pose) {
    sinew_error error;
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, NULL, &error);
    if (!on_gpu) {
        fail_msg("%s", error.message);
    }
    test_assert_same_items(on_gpu, model, pose, SINEW_SKIN_LBS);
    sinew_gl_model_free(on_gpu);
}

static void assert_same_vertices(sinew_gl_storage storage, const sinew_model *model,
                                 const sinew_pose *pose) {
    sinew_gl *gl = test_gl_create(storage);
    assert_same_on(gl, model, pose);
    sinew_gl_free(gl);
}

static const sinew_gl_storage storages[] = {SINEW_GL_STORAGE_TBO3,    SINEW_GL_STORAGE_TBO4,
                                            SINEW_GL_STORAGE_UNIFORM, SINEW_GL_STORAGE_UBO,
                                            SINEW_GL_STORAGE_SSBO,    SINEW_GL_STORAGE_TEXTURE};

/* A character at random, posed at random, scales in between. */
static void check_wish(const test_wish *wish, double scale_minimum, double scale_maximum) {
    test_model *made = test_random_model(wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {wish->seed + 99};
    test_random_pose(&chance, scale_minimum, scale_maximum, pose);
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        assert_same_vertices(storages[s], model, pose);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void any_number_of_influences_of_any_type(void **state) {
    (void)state;
    const sinew_component types[] = {SINEW_U8, SINEW_U16, SINEW_F32};
    for (uint32_t sets = 1; sets <= 5; sets++) {
        for (size_t t = 0; t < 3; t++) {
            test_wish wish = {.seed = sets,
                              .joints = t == 1 ? 300 : 20,
                              .vertices = 101,
                              .sets = sets,
                              .weight_type = types[t]};
            check_wish(&wish, 0.0, 0.0);
        }
    }
}

static void morph_targets_before_the_skin(void **state) {
    (void)state;
    for (uint32_t targets = 1; targets <= 20; targets += 19) {
        for (uint32_t sets = 1; sets <= 4; sets += 3) {
            test_wish wish = {
                .seed = targets, .joints = 12, .vertices = 77, .sets = sets, .targets = targets};
            check_wish(&wish, 0.0, 0.0);
        }
    }
}

static void uneven_scales_and_mirrors(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        test_wish wish = {.seed = seed, .joints = 4, .vertices = 50, .sets = 1};
        check_wish(&wish, 0.5, 2.0);
        /* One influence a vertex: a blend of a mirror and another is nearly flat somewhere. */
        check_wish(&wish, -2.0, -0.5);
    }
}

/* ---- small models ---- */

/* A triangle whose vertices hang on joints by `joints`, weight 1 each. */
typedef struct small {
    test_model *made;
    sinew_pose *pose;
    uint32_t joint[3], body;
} small;

static const float triangle_positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const float triangle_normals[9] = {0, 0, 1, 0.6f, 0, 0.8f, 0, -0.6f, 0.8f};
static const float triangle_tangents[12] = {1, 0, 0, 1, 0.8f, 0, -0.6f, -1, 1, 0, 0, 1};

static sinew_primitive triangle(void) {
    return (sinew_primitive){.topology = SINEW_TRIANGLES,
                             .material = SINEW_NONE,
                             .vertex_count = 3,
                             .positions = triangle_positions,
                             .normals = triangle_normals,
                             .tangents = triangle_tangents};
}

static small small_create(const uint32_t joints[12], const double weights[12]) {
    small it = {.made = test_model_create()};
    for (uint32_t i = 0; i < 3; i++) {
        it.joint[i] = test_add_node(it.made, SINEW_NONE, (float)i, 0, 0);
    }
    sinew_primitive from = triangle();
    from.influences = test_influences(it.made, 3, 3, 4, SINEW_U16, SINEW_F32, joints, weights);
    from.influences_count = 1;
    it.body = test_add_node(it.made, SINEW_NONE, 5, 6, 7);
    test_wear(it.made, it.body, test_add_mesh(it.made, &from),
              test_add_skin(it.made, it.joint, 3, NULL));
    it.pose = sinew_pose_create(test_model_done(it.made), NULL);
    return it;
}

static void small_check_and_free(small *it) {
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        assert_same_vertices(storages[s], &it->made->model, it->pose);
    }
    sinew_pose_free(it->pose);
    test_model_free(it->made);
}

static const uint32_t one_joint_each[12] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
static const double one_weight_each[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

static void set_scale(sinew_pose *pose, uint32_t node, float x, float y, float z) {
    const float scale[3] = {x, y, z};
    memcpy(pose->local[node].scale, scale, sizeof scale);
}

static void tiny_scales_keep_their_normals(void **state) {
    (void)state;
    const float scales[] = {1e-4f, 1e-8f, 1e-12f, 1e-20f, 1e-30f, 1e-37f, 1e12f};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        small it = small_create(one_joint_each, one_weight_each);
        const float turn[4] = {0.5f, 0.5f, -0.5f, 0.5f};
        memcpy(it.pose->local[it.joint[0]].rotation, turn, sizeof turn);
        set_scale(it.pose, it.joint[0], scales[i], scales[i], scales[i]);
        set_scale(it.pose, it.joint[1], -scales[i], scales[i], 2.0f * scales[i]);
        small_check_and_free(&it);
    }
}

/* Along their longest axis, also where the others are next to nothing, and of normals
 * that are short in the file. */
static void directions_of_any_length_come_out_as_one(void **state) {
    (void)state;
    small it = small_create(one_joint_each, one_weight_each);
    static const float normals[9] = {0, 0, 1, 1e-30f, 0, 0, 3e18f, 3e18f, 0};
    ((sinew_primitive *)(uintptr_t)it.made->meshes[0].primitives)->normals = normals;
    set_scale(it.pose, it.joint[0], 1e-11f, 1e-11f, 1);
    set_scale(it.pose, it.joint[1], 1, 1e-15f, -1e-15f);
    small_check_and_free(&it);
}

/* What is not asked for is not written. */
static void normals_alone(void **state) {
    (void)state;
    small it = small_create(one_joint_each, one_weight_each);
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, &it.made->model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_gpu, it.pose, NULL), SINEW_OK);
    float normals[9];
    assert_int_equal(sinew_gl_item_capture(on_gpu, 0, NULL, normals, NULL, NULL), SINEW_OK);
    test_compare_vertices("normal", normals, triangle_normals, 3, 3, 1.0);
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    small_check_and_free(&it);
}

static void a_joint_scaled_to_nothing_gives_finite_directions(void **state) {
    (void)state;
    small it = small_create(one_joint_each, one_weight_each);
    set_scale(it.pose, it.joint[0], 0, 0, 0);
    set_scale(it.pose, it.joint[1], 0, 0, 1);
    set_scale(it.pose, it.joint[2], 1, 0, -1);
    small_check_and_free(&it);
}

static void a_weight_of_nothing_counts_for_nothing(void **state) {
    (void)state;
    const uint32_t joints[12] = {0, 1, 1, 1, 0, 1, 1, 1, 1, 2, 2, 2};
    const double weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    small it = small_create(joints, weights);
    set_scale(it.pose, it.joint[1], 3e38f, 3e38f, 3e38f);
    it.pose->local[it.joint[1]].translation[0] = INFINITY;
    small_check_and_free(&it);
}

static void a_mesh_without_a_skin_follows_its_node(void **state) {
    (void)state;
    test_model *made = test_model_create();
    uint32_t parent = test_add_node(made, SINEW_NONE, 1, 2, 3);
    uint32_t body = test_add_node(made, parent, 4, 5, 6);
    made->nodes[parent].children = &body;
    made->nodes[parent].child_count = 1;
    test_rest_rotation(made, parent, 0.5f, 0.5f, 0.5f, -0.5f);
    test_rest_scale(made, body, -1, 2, 3);
    sinew_primitive plain = triangle();
    uint32_t mesh = test_add_mesh(made, &plain);
    /* Joints and weights of a mesh whose node has no skin do not count. */
    sinew_primitive with_influences = triangle();
    with_influences.influences =
        test_influences(made, 1, 3, 4, SINEW_U8, SINEW_U8, one_joint_each, one_weight_each);
    with_influences.influences_count = 1;
    test_add_primitive(made, mesh, &with_influences);
    test_wear(made, body, mesh, SINEW_NONE);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        assert_same_vertices(storages[s], model, pose);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

/* Two nodes share a mesh, one with each of two skins, and a third is rigid. */
static void a_mesh_may_have_several_skins(void **state) {
    (void)state;
    test_model *made = test_model_create();
    uint32_t joints[3], mesh;
    for (uint32_t i = 0; i < 3; i++) {
        joints[i] = test_add_node(made, SINEW_NONE, 1.0f + (float)i, 0, 0);
    }
    sinew_primitive from = triangle();
    sinew_influences both[2];
    both[0] = *test_influences(made, 3, 3, 4, SINEW_U8, SINEW_U8, one_joint_each, one_weight_each);
    const uint32_t others[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    const double halves[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0.25, 0.75, 0, 0};
    both[1] = *test_influences(made, 2, 3, 4, SINEW_U16, SINEW_F32, others, halves);
    from.influences = both;
    from.influences_count = 2;
    mesh = test_add_mesh(made, &from);
    sinew_primitive second = from;
    second.positions = triangle_normals;
    test_add_primitive(made, mesh, &second);
    uint32_t skins[2] = {test_add_skin(made, joints, 3, NULL),
                         test_add_skin(made, joints, 2, NULL)};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t node = test_add_node(made, SINEW_NONE, 0, 0, 0);
        test_wear(made, node, mesh, skins[i]);
        made->nodes[node].influences_index = i;
    }
    test_wear(made, test_add_node(made, SINEW_NONE, 0, 0, 9), mesh, SINEW_NONE);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        assert_same_vertices(storages[s], model, pose);
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

/* ---- rows ---- */

/* A small GL_MAX_TEXTURE_SIZE makes the deltas take many rows. */
static void morph_deltas_over_many_rows(void **state) {
    (void)state;
    test_wish wish = {.seed = 3, .joints = 5, .vertices = 61, .sets = 3, .targets = 7};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {5};
    test_random_pose(&chance, 0.0, 0.0, pose);
    sinew_gl_options options = {.loader = test_loader, .max_texture_size = 64};
    sinew_error error;
    sinew_gl *gl = sinew_gl_create(&options, &error);
    assert_non_null(gl);
    assert_same_on(gl, model, pose);
    sinew_gl_free(gl);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* An update goes to another buffer than the last one; all of them have to be right. */
static void check_updates(sinew_gl_storage storage) {
    test_wish wish = {.seed = 8, .joints = 6, .vertices = 20, .sets = 1, .targets = 2};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    sinew_gl *gl = test_gl_create(storage);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, NULL, NULL);
    test_random chance = {1};
    for (int i = 0; i < 7; i++) {
        test_random_pose(&chance, 0.0, 0.0, pose);
        test_assert_same_items(on_gpu, model, pose, SINEW_SKIN_LBS);
    }
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void every_update_counts(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        check_updates(storages[s]);
    }
}

/* ---- sizes ---- */

/* On every storage that holds the skeleton; the others say that they do not. Returns how
 * many hold it. */
static uint32_t check_on_all(const sinew_gl_options *limits, const test_wish *wish) {
    test_model *made = test_random_model(wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {wish->seed};
    test_random_pose(&chance, 0.0, 0.0, pose);
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *gl = sinew_gl_create(limits, &error);
    assert_non_null(gl);
    uint32_t held = 0;
    for (size_t s = 0; s < sizeof storages / sizeof storages[0]; s++) {
        uint32_t room = sinew_gl_storage_texels(gl, storages[s]);
        uint32_t needed = wish->joints * (storages[s] == SINEW_GL_STORAGE_TBO4 ? 4 : 3);
        sinew_gl_model_options options = {.storage = storages[s]};
        sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, &options, &error);
        if (!on_gpu) {
            assert_true(room < needed + wish->targets);
            assert_int_equal(error.result, room ? SINEW_ERROR_LIMIT : SINEW_ERROR_GL);
            continue;
        }
        assert_true(room >= needed);
        test_assert_same_items(on_gpu, model, pose, SINEW_SKIN_LBS);
        sinew_gl_model_free(on_gpu);
        held++;
    }
    sinew_gl_free(gl);
    sinew_pose_free(pose);
    test_model_free(made);
    return held;
}

static void skeletons_of_any_size(void **state) {
    (void)state;
    const sinew_gl_options usual = {.loader = test_loader};
    const uint32_t joints[] = {1, 5000, 65535};
    for (size_t i = 0; i < 3; i++) {
        test_wish wish = {.seed = i + 1, .joints = joints[i], .vertices = 500, .sets = 1};
        assert_true(check_on_all(&usual, &wish) >= 1);
    }
}

/* The least that GL 3.3 and GLES 3.0 allow hold 64 joints and 5 targets on every storage. */
static void the_smallest_limits_hold_a_character(void **state) {
    (void)state;
    const sinew_gl_options smallest[] = {
        {.loader = test_loader,
         .max_texture_buffer_texels = 65536,
         .max_texture_size = 1024,
         .max_uniform_components = 1024,
         .max_uniform_block_size = 16384,
         .no_shader_storage = true},
        {.loader = test_loader,
         .max_texture_buffer_texels = 65536,
         .max_texture_size = 2048,
         .max_uniform_components = 1024,
         .max_uniform_block_size = 16384,
         .no_shader_storage = true},
    };
    for (size_t i = 0; i < sizeof smallest / sizeof smallest[0]; i++) {
        test_wish wish = {.seed = 7, .joints = 64, .vertices = 200, .sets = 4, .targets = 5};
        assert_int_equal(check_on_all(&smallest[i], &wish), 5); /* all but shader storage */
        wish.joints = 340; /* 1,020 texels and 5: a block holds 1,024 */
        assert_int_equal(check_on_all(&smallest[i], &wish), 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_influences_of_any_type),
        cmocka_unit_test(morph_targets_before_the_skin),
        cmocka_unit_test(uneven_scales_and_mirrors),
        cmocka_unit_test(tiny_scales_keep_their_normals),
        cmocka_unit_test(directions_of_any_length_come_out_as_one),
        cmocka_unit_test(normals_alone),
        cmocka_unit_test(a_joint_scaled_to_nothing_gives_finite_directions),
        cmocka_unit_test(a_weight_of_nothing_counts_for_nothing),
        cmocka_unit_test(a_mesh_without_a_skin_follows_its_node),
        cmocka_unit_test(a_mesh_may_have_several_skins),
        cmocka_unit_test(morph_deltas_over_many_rows),
        cmocka_unit_test(every_update_counts),
        cmocka_unit_test(skeletons_of_any_size),
        cmocka_unit_test(the_smallest_limits_hold_a_character),
    };
    return cmocka_run_group_tests_name("gl capture", tests, open_context, close_context);
}
