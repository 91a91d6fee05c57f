/* On OpenGL ES 3.0, 3.1 and 3.2: which storages there are, and that each gives the vertices of
 * the scalar path, with both methods. */
#define _POSIX_C_SOURCE 200809L

#include "gl_context.h"
#include "gl_es.h"
#include "gl_vertices.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const sinew_gl_storage buffer_textures[] = {SINEW_GL_STORAGE_TBO3, SINEW_GL_STORAGE_TBO4};

static int open_context(void **state) {
    *state = test_context_create_es();
    return 0;
}

static int close_context(void **state) {
    test_context_free((EGLContext)*state);
    return 0;
}

static bool has_texture_buffers(const sinew_gl_info *info) {
    return info->major > 3 || info->minor >= 2;
}

static void the_context_says_that_it_is_es(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    const sinew_gl_info *info = sinew_gl_info_of(gl);
    assert_true(info->es);
    assert_int_equal(info->major, 3);
    assert_memory_equal(info->version, "OpenGL ES ", 10);
    /* What ES 3.0 promises. */
    assert_true(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_TEXTURE) >= 2048 * 2048);
    assert_true(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_UBO) >= 1024);
    assert_true(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_UNIFORM) >= 232);
    if (info->minor == 0) {
        assert_int_equal(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_SSBO), 0);
    }
    sinew_gl_free(gl);
}

static void texture_buffers_are_refused_before_3_2(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    bool has = has_texture_buffers(sinew_gl_info_of(gl));
    for (size_t i = 0; i < 2; i++) {
        sinew_error error = {SINEW_OK, "", ""};
        assert_int_equal(sinew_gl_storage_texels(gl, buffer_textures[i]) > 0, has);
        sinew_gl_options options = {.loader = test_loader, .storage = buffer_textures[i]};
        sinew_gl *wishing = sinew_gl_create(&options, &error);
        assert_int_equal(wishing != NULL, has);
        if (!has) {
            assert_int_equal(error.result, SINEW_ERROR_GL);
            assert_non_null(strstr(error.message, sinew_gl_storage_word(buffer_textures[i])));
            assert_non_null(strstr(error.message, "GL_MAX_TEXTURE_BUFFER_SIZE is 0"));
            assert_non_null(strstr(error.message, "OpenGL ES 3."));
        }
        sinew_gl_free(wishing);
    }
    sinew_gl_free(gl);
}

/* Also before there is a model. */
static void a_chunk_is_written_for_what_is_there(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    bool has = has_texture_buffers(sinew_gl_info_of(gl));
    const sinew_gl_skinning wish = {.influences = 4};
    const char *chunk = sinew_gl_skinning_source(gl, &wish, NULL);
    assert_non_null(strstr(chunk, has ? "samplerBuffer sinew_palette" : "sampler2D sinew_palette"));
    assert_true(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_AUTO) > 0);
    sinew_gl_free(gl);
}

/* ---- the same vertices ---- */

static void check_method(sinew_gl *gl, const sinew_model *model, const sinew_pose *pose,
                         sinew_skin_method method) {
    for (int storage = 0; storage < SINEW_GL_STORAGE_COUNT; storage++) {
        if (sinew_gl_storage_texels(gl, (sinew_gl_storage)storage) == 0) {
            continue;
        }
        sinew_gl_model_options options = {.storage = (sinew_gl_storage)storage, .method = method};
        sinew_error error = {SINEW_OK, "", ""};
        sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, &options, &error);
        if (!on_gpu) {
            fail_msg("%s: %s", sinew_gl_storage_word((sinew_gl_storage)storage), error.message);
        }
        test_assert_same_items(on_gpu, model, pose, method);
        sinew_gl_model_free(on_gpu);
    }
}

static void check_methods(const sinew_model *model, const sinew_pose *pose) {
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    check_method(gl, model, pose, SINEW_SKIN_LBS);
    check_method(gl, model, pose, SINEW_SKIN_DQS);
    sinew_gl_free(gl);
}

static void check_wish(const test_wish *wish, double scale_minimum, double scale_maximum) {
    test_model *made = test_random_model(wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {wish->seed + 99};
    test_random_pose(&chance, scale_minimum, scale_maximum, pose);
    check_methods(model, pose);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void every_storage_gives_the_vertices_of_the_processor(void **state) {
    (void)state;
    const sinew_component types[] = {SINEW_U8, SINEW_U16, SINEW_F32};
    for (uint32_t i = 0; i < 3; i++) {
        test_wish wish = {.seed = i + 1,
                          .joints = 20,
                          .vertices = 101,
                          .sets = i + 1, /* the third is in the vertex texture */
                          .targets = 3 * i,
                          .weight_type = types[i]};
        check_wish(&wish, 0.0, 0.0);
        check_wish(&wish, 0.5, 2.0);
    }
}

static void a_mesh_without_a_skin_follows_its_node(void **state) {
    (void)state;
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    test_model *made = test_model_create();
    uint32_t body = test_add_node(made, SINEW_NONE, 4, 5, 6);
    test_rest_scale(made, body, -1, 2, 3);
    sinew_primitive plain = {.topology = SINEW_TRIANGLES,
                             .material = SINEW_NONE,
                             .vertex_count = 3,
                             .positions = positions};
    test_wear(made, body, test_add_mesh(made, &plain), SINEW_NONE);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    check_methods(model, pose);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* ---- AUTO ---- */

/* What AUTO takes of a model with these limits, when it holds. */
static sinew_gl_storage chosen(const sinew_gl_options *limits, const sinew_model *model,
                               const sinew_pose *pose) {
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *gl = sinew_gl_create(limits, &error);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, NULL, &error);
    if (!on_gpu) {
        fail_msg("%s", error.message);
    }
    sinew_gl_storage storage = sinew_gl_model_storage(on_gpu);
    test_assert_same_items(on_gpu, model, pose, SINEW_SKIN_LBS);
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    return storage;
}

static void auto_takes_what_is_there_and_holds(void **state) {
    (void)state;
    test_wish wish = {.seed = 5, .joints = 200, .vertices = 80, .sets = 1};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {3};
    test_random_pose(&chance, 0.0, 0.0, pose);
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    bool has = has_texture_buffers(sinew_gl_info_of(gl));
    sinew_gl_free(gl);
    const sinew_gl_options usual = {.loader = test_loader};
    assert_int_equal(chosen(&usual, model, pose),
                     has ? SINEW_GL_STORAGE_TBO3 : SINEW_GL_STORAGE_TEXTURE);
    /* 600 texels; a texture of 16 * 16 does not hold them. */
    const sinew_gl_options narrow = {
        .loader = test_loader, .max_texture_buffer_texels = 599, .max_texture_size = 16};
    assert_int_equal(chosen(&narrow, model, pose), SINEW_GL_STORAGE_UBO);
    sinew_pose_free(pose);
    test_model_free(made);
}

static int run(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_context_says_that_it_is_es),
        cmocka_unit_test(texture_buffers_are_refused_before_3_2),
        cmocka_unit_test(a_chunk_is_written_for_what_is_there),
        cmocka_unit_test(every_storage_gives_the_vertices_of_the_processor),
        cmocka_unit_test(a_mesh_without_a_skin_follows_its_node),
        cmocka_unit_test(auto_takes_what_is_there_and_holds),
    };
    return cmocka_run_group_tests_name("gl es", tests, open_context, close_context);
}

int main(void) {
    return test_on_es_versions(run);
}
