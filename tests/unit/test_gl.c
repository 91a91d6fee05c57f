/* Contexts, limits and mistakes: what the room gl refuses, and in which words. */
#include "sinew/gl.h"

#include "gl/gl_private.h"
#include "gl_context.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int open_context(void **state) {
    *state = test_context_create();
    return 0;
}

static int close_context(void **state) {
    test_context_free((EGLContext)*state);
    return 0;
}

static void assert_says(const sinew_error *error, sinew_result result, const char *words) {
    if (error->result != result || !strstr(error->message, words)) {
        fail_msg("\"%s\" (%s), expected %s and \"%s\"", error->message,
                 sinew_result_word(error->result), sinew_result_word(result), words);
    }
}

/* ---- contexts ---- */

static void the_context_is_described(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    const sinew_gl_info *info = sinew_gl_info_of(gl);
    assert_true(info->major > 3 || (info->major == 3 && info->minor >= 3));
    assert_int_equal(info->storage, SINEW_GL_STORAGE_AUTO);
    static const char *const words[SINEW_GL_STORAGE_COUNT] = {"auto", "tbo3", "tbo4",   "uniform",
                                                              "ubo",  "ssbo", "texture"};
    for (int s = 0; s < SINEW_GL_STORAGE_COUNT; s++) {
        assert_string_equal(sinew_gl_storage_word((sinew_gl_storage)s), words[s]);
    }
    assert_string_equal(sinew_gl_storage_word((sinew_gl_storage)99), "auto");
    assert_true(info->max_texture_buffer_texels >= 65536 && info->max_texture_size >= 1024);
    assert_true(strlen(info->renderer) > 0 && strlen(info->vendor) > 0);
    sinew_gl_free(gl);
    sinew_gl_free(NULL);
}

static sinew_gl_function loader_without_one(const char *name) {
    return strcmp(name, "glBeginTransformFeedback") == 0 ? NULL : test_loader(name);
}

static sinew_gl_function loader_of_nothing(const char *name) {
    (void)name;
    return NULL;
}

/* Contexts of other kinds, as far as their version string goes. */
static const char *pretended_version;

static const GLubyte *pretend(GLenum name) {
    (void)name;
    return (const GLubyte *)pretended_version;
}

static sinew_gl_function loader_of_a_pretender(const char *name) {
    return strcmp(name, "glGetString") == 0 ? (sinew_gl_function)pretend : test_loader(name);
}

static void a_context_that_cannot_is_refused(void **state) {
    sinew_error error;
    sinew_gl_options options = {.loader = loader_without_one};
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_GL, "glBeginTransformFeedback");
    options.loader = loader_of_nothing;
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_GL, "glGetString");

    options.loader = loader_of_a_pretender;
    const char *versions[] = {"3.2.0 Old", "2.1 Mesa", "OpenGL ES 2.0 Mesa"};
    for (size_t i = 0; i < 3; i++) {
        pretended_version = versions[i];
        assert_null(sinew_gl_create(&options, &error));
        assert_says(&error, SINEW_ERROR_GL, versions[i]);
        assert_says(&error, SINEW_ERROR_GL, "OpenGL 3.3");
        assert_says(&error, SINEW_ERROR_GL, "OpenGL ES 3.0");
    }
    options.loader = test_loader;
    test_context_make_current(EGL_NO_CONTEXT);
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_GL, "no OpenGL context is current");
    test_context_make_current((EGLContext)*state);
}

static void options_are_checked(void **state) {
    (void)state;
    sinew_error error;
    assert_null(sinew_gl_create(NULL, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "loader");
    sinew_gl_options options = {.loader = test_loader, .guard_end = 1};
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "not initialised");
    options.guard_end = 0;
    options.storage = (sinew_gl_storage)77;
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "storage 77");
}

static void contexts_have_functions_of_their_own(void **state) {
    sinew_gl *first = test_gl_create(SINEW_GL_STORAGE_TBO3);
    EGLContext other = test_context_create();
    sinew_gl *second = test_gl_create(SINEW_GL_STORAGE_TBO4);
    assert_ptr_not_equal(&first->table, &second->table);

    test_wish wish = {.seed = 1, .joints = 3, .vertices = 5, .sets = 1};
    test_model *made = test_random_model(&wish);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    float there[15], here[15];
    sinew_gl_model *on_second = sinew_gl_model_create(second, &made->model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_second, pose, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_item_capture(on_second, 0, there, NULL, NULL, NULL), SINEW_OK);
    sinew_gl_model_free(on_second);
    sinew_gl_free(second);
    test_context_free(other);

    test_context_make_current((EGLContext)*state);
    sinew_gl_model *on_first = sinew_gl_model_create(first, &made->model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_first, pose, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_item_capture(on_first, 0, here, NULL, NULL, NULL), SINEW_OK);
    assert_memory_equal(here, there, sizeof here);
    sinew_gl_model_free(on_first);
    sinew_gl_free(first);
    sinew_pose_free(pose);
    test_model_free(made);
}

/* ---- limits ---- */

static sinew_error create_error(const sinew_gl_options *options, const sinew_model *model) {
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *gl = sinew_gl_create(options, &error);
    assert_non_null(gl);
    sinew_gl_model_free(sinew_gl_model_create(gl, model, NULL, &error));
    sinew_gl_free(gl);
    return error;
}

/* 85 joints of 3 texels take 255, of 4 texels 340. */
static void a_palette_too_large_for_a_storage(void **state) {
    (void)state;
    test_wish wish = {.seed = 1, .joints = 85, .vertices = 3, .sets = 1};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    static const struct {
        sinew_gl_storage storage;
        size_t option; /* the limit that is narrowed, just too far */
        uint32_t limit;
        const char *needed, *told;
    } rows[] = {
        {SINEW_GL_STORAGE_TBO3, offsetof(sinew_gl_options, max_texture_buffer_texels), 254,
         "255 needed", "GL_MAX_TEXTURE_BUFFER_SIZE is 254"},
        {SINEW_GL_STORAGE_TBO4, offsetof(sinew_gl_options, max_texture_buffer_texels), 339,
         "340 needed", "GL_MAX_TEXTURE_BUFFER_SIZE is 339"},
        {SINEW_GL_STORAGE_UNIFORM, offsetof(sinew_gl_options, max_uniform_components), 1115,
         "1116 needed", "GL_MAX_VERTEX_UNIFORM_COMPONENTS is 1115"},
        {SINEW_GL_STORAGE_UBO, offsetof(sinew_gl_options, max_uniform_block_size), 4079,
         "4080 needed", "GL_MAX_UNIFORM_BLOCK_SIZE is 4079"},
        {SINEW_GL_STORAGE_SSBO, offsetof(sinew_gl_options, max_storage_block_size), 4079,
         "4080 needed", "GL_MAX_SHADER_STORAGE_BLOCK_SIZE is 4079"},
        {SINEW_GL_STORAGE_TEXTURE, offsetof(sinew_gl_options, max_texture_size), 15, "32 needed",
         "GL_MAX_TEXTURE_SIZE is 15"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sinew_gl_options options = {.loader = test_loader, .storage = rows[i].storage};
        uint32_t *limit = (uint32_t *)(void *)((char *)&options + rows[i].option);
        *limit = rows[i].limit;
        sinew_error error = create_error(&options, model);
        assert_says(&error, SINEW_ERROR_LIMIT, rows[i].needed);
        assert_says(&error, SINEW_ERROR_LIMIT, rows[i].told);
        *limit += 1; /* 16 x 16 texels, too */
        error = create_error(&options, model);
        assert_int_equal(error.result, SINEW_OK);
    }
    test_model_free(made);
}

static sinew_gl_storage chosen(const sinew_gl_options *options, const sinew_model *model) {
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *gl = sinew_gl_create(options, &error);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, NULL, &error);
    sinew_gl_storage storage = on_gpu ? sinew_gl_model_storage(on_gpu) : SINEW_GL_STORAGE_AUTO;
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    return storage;
}

/* tbo3, texture, ubo, ssbo, uniform: the first that holds 85 joints. */
static void the_first_storage_that_holds_is_taken(void **state) {
    (void)state;
    test_wish wish = {.seed = 1, .joints = 85, .vertices = 3, .sets = 1};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_gl_options options = {.loader = test_loader};
    assert_int_equal(chosen(&options, model), SINEW_GL_STORAGE_TBO3);
    options.max_texture_buffer_texels = 254;
    assert_int_equal(chosen(&options, model), SINEW_GL_STORAGE_TEXTURE);
    options.max_texture_size = 15;
    assert_int_equal(chosen(&options, model), SINEW_GL_STORAGE_UBO);
    options.max_uniform_block_size = 4079;
    sinew_gl *gl = sinew_gl_create(&options, NULL);
    bool has_ssbo = sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_SSBO) > 0;
    sinew_gl_free(gl);
    assert_int_equal(chosen(&options, model),
                     has_ssbo ? SINEW_GL_STORAGE_SSBO : SINEW_GL_STORAGE_UNIFORM);
    options.no_shader_storage = true;
    assert_int_equal(chosen(&options, model), SINEW_GL_STORAGE_UNIFORM);
    options.max_uniform_components = 1115; /* none holds: the error names the first */
    assert_int_equal(chosen(&options, model), SINEW_GL_STORAGE_AUTO);
    sinew_error error = create_error(&options, model);
    assert_says(&error, SINEW_ERROR_LIMIT, "GL_MAX_TEXTURE_BUFFER_SIZE is 254");
    test_model_free(made);
}

static void a_storage_that_is_not_there_is_refused(void **state) {
    (void)state;
    sinew_error error;
    sinew_gl_options options = {
        .loader = test_loader, .storage = SINEW_GL_STORAGE_SSBO, .no_shader_storage = true};
    assert_null(sinew_gl_create(&options, &error));
    assert_says(&error, SINEW_ERROR_GL, "storage ssbo");
    options.storage = SINEW_GL_STORAGE_AUTO;
    sinew_gl *gl = sinew_gl_create(&options, &error);
    assert_int_equal(sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_SSBO), 0);
    test_wish wish = {.seed = 1, .joints = 2, .vertices = 3, .sets = 1};
    test_model *made = test_random_model(&wish);
    sinew_gl_model_options model_options = {.storage = SINEW_GL_STORAGE_SSBO};
    assert_null(sinew_gl_model_create(gl, test_model_done(made), &model_options, &error));
    assert_says(&error, SINEW_ERROR_GL, "storage ssbo");
    sinew_gl_free(gl);
    test_model_free(made);
}

/* 5 targets of positions, normals and tangents of 70 vertices: 1050 texels. */
static void deltas_too_large_for_a_texture(void **state) {
    (void)state;
    test_wish wish = {.seed = 1, .joints = 2, .vertices = 70, .sets = 1, .targets = 5};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_gl_options options = {.loader = test_loader, .max_texture_size = 32};
    sinew_error error = create_error(&options, model);
    assert_says(&error, SINEW_ERROR_LIMIT, "33");
    assert_says(&error, SINEW_ERROR_LIMIT, "GL_MAX_TEXTURE_SIZE is 32");
    assert_string_equal(error.place, "/meshes/0/primitives/0");
    options.max_texture_size = 64;
    error = create_error(&options, model);
    assert_int_equal(error.result, SINEW_OK);
    test_model_free(made);
}

/* ---- mistakes ---- */

typedef struct world {
    test_model *made;
    const sinew_model *model;
    sinew_pose *pose;
    sinew_gl *gl;
    sinew_gl_model *on_gpu;
} world;

static world world_create(void) {
    test_wish wish = {.seed = 6, .joints = 4, .vertices = 9, .sets = 1, .targets = 2};
    world it = {.made = test_random_model(&wish)};
    it.model = test_model_done(it.made);
    it.pose = sinew_pose_create(it.model, NULL);
    it.gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    it.on_gpu = sinew_gl_model_create(it.gl, it.model, NULL, NULL);
    assert_non_null(it.on_gpu);
    return it;
}

static void world_free(world *it) {
    sinew_gl_model_free(it->on_gpu);
    sinew_gl_free(it->gl);
    sinew_pose_free(it->pose);
    test_model_free(it->made);
}

static void a_stale_pose_is_refused(void **state) {
    (void)state;
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    world it = world_create();
    sinew_error error;
    it.pose->local[0].translation[0] = 3.0f;
    sinew_pose_changed(it.pose);
    assert_int_equal(sinew_gl_model_update(it.on_gpu, it.pose, &error), SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "sinew_pose_to_world");
    assert_int_equal(sinew_gl_draw(it.on_gpu, it.pose, NULL, identity, &error),
                     SINEW_ERROR_ARGUMENT);
    sinew_pose_to_world(it.pose);
    assert_int_equal(sinew_gl_model_update(it.on_gpu, it.pose, &error), SINEW_OK);
    world_free(&it);
}

static void palettes_older_than_the_pose_are_told(void **state) {
    (void)state;
    world it = world_create();
    sinew_error error;
    assert_int_equal(sinew_gl_model_check(it.on_gpu, it.pose, &error), SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "never built");
    float positions[27];
    assert_int_equal(sinew_gl_item_capture(it.on_gpu, 0, positions, NULL, NULL, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "sinew_gl_model_update");

    assert_int_equal(sinew_gl_model_update(it.on_gpu, it.pose, &error), SINEW_OK);
    assert_int_equal(sinew_gl_model_check(it.on_gpu, it.pose, &error), SINEW_OK);
    sinew_pose_changed(it.pose);
    sinew_pose_to_world(it.pose);
    assert_int_equal(sinew_gl_model_check(it.on_gpu, it.pose, &error), SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "older than the pose");
    sinew_pose *other = sinew_pose_create(it.model, NULL);
    assert_int_equal(sinew_gl_model_check(it.on_gpu, other, &error), SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "another pose");
    sinew_pose_free(other);
    world_free(&it);
}

static void a_pose_of_another_model_is_refused(void **state) {
    (void)state;
    world it = world_create(), other = world_create();
    sinew_error error;
    assert_int_equal(sinew_gl_model_update(it.on_gpu, other.pose, &error), SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "not of this model");
    assert_int_equal(sinew_gl_model_update(it.on_gpu, NULL, &error), SINEW_ERROR_ARGUMENT);
    world_free(&it);
    world_free(&other);
}

static void a_short_palette_is_refused(void **state) {
    (void)state;
    test_wish wish = {.seed = 1, .joints = 7, .vertices = 3, .sets = 1};
    test_model *made = test_random_model(&wish);
    made->skins[0].joint_count = 5;
    sinew_gl_options options = {.loader = test_loader};
    sinew_error error = create_error(&options, test_model_done(made));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "the palette is short");
    assert_string_equal(error.place, "/skins/0");
    test_model_free(made);
}

static void what_an_item_does_not_have_cannot_be_captured(void **state) {
    (void)state;
    world it = world_create();
    sinew_error error;
    float out[40];
    sinew_primitive plain = it.made->meshes[0].primitives[0];
    plain.normals = plain.tangents = NULL;
    test_add_primitive(it.made, 0, &plain);
    sinew_gl_model *on_gpu = sinew_gl_model_create(it.gl, it.model, NULL, &error);
    assert_int_equal(sinew_gl_model_update(on_gpu, it.pose, &error), SINEW_OK);
    assert_int_equal(sinew_gl_item_capture(on_gpu, 1, out, NULL, NULL, &error), SINEW_OK);
    assert_int_equal(sinew_gl_item_capture(on_gpu, 1, out, out, NULL, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "no normals");
    assert_int_equal(sinew_gl_item_capture(on_gpu, 1, out, NULL, out, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "no tangents");
    assert_int_equal(sinew_gl_item_capture(on_gpu, 2, out, NULL, NULL, &error),
                     SINEW_ERROR_ARGUMENT);
    assert_says(&error, SINEW_ERROR_ARGUMENT, "no item 2");
    sinew_gl_item_bind(on_gpu, 2, 0, 0); /* nothing happens */
    sinew_gl_item_draw(on_gpu, 2);
    sinew_gl_model_free(on_gpu);
    world_free(&it);
}

static void scenes_and_locations_are_checked(void **state) {
    (void)state;
    world it = world_create();
    sinew_error error;
    sinew_gl_model_options options = {.scene_plus_one = 1};
    assert_null(sinew_gl_model_create(it.gl, it.model, &options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "no scene 0");
    options = (sinew_gl_model_options){.locations = {.position = 4, .normal = 4}};
    assert_null(sinew_gl_model_create(it.gl, it.model, &options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "location 4");
    options.locations = (sinew_gl_locations){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99};
    assert_null(sinew_gl_model_create(it.gl, it.model, &options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "location 99");
    options = (sinew_gl_model_options){.guard_begin = 5};
    assert_null(sinew_gl_model_create(it.gl, it.model, &options, &error));
    assert_says(&error, SINEW_ERROR_ARGUMENT, "not initialised");
    world_free(&it);
}

/* ---- shaders ---- */

static void a_broken_shader_is_an_error_with_its_line(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    sinew_error error = {SINEW_OK, "", ""};
    const char *broken[] = {"#line 41 7\nvoid main() { gl_Position = vec4(undeclared); }\n"};
    const char *sound[] = {"void main() { gl_Position = vec4(0.0); }\n"};
    assert_int_equal(sinewi_gl_program_build(gl, "test", broken, 1, NULL, NULL, 0, &error), 0);
    assert_says(&error, SINEW_ERROR_GL, "the vertex shader of \"test\" does not compile");
    assert_says(&error, SINEW_ERROR_GL, "41");
    assert_says(&error, SINEW_ERROR_GL, "undeclared");
    assert_null(strchr(error.message, '\n'));

    error.result = SINEW_OK;
    assert_int_equal(
        sinewi_gl_program_build(gl, "test", sound, 1, "void main() { x }", NULL, 0, &error), 0);
    assert_says(&error, SINEW_ERROR_GL, "the fragment shader of \"test\" does not compile");

    error.result = SINEW_OK;
    const char *captured[] = {"no_such_output"};
    assert_int_equal(sinewi_gl_program_build(gl, "test", sound, 1, NULL, captured, 1, &error), 0);
    assert_says(&error, SINEW_ERROR_GL, "\"test\" does not link");
    assert_int_equal(gl->table.GetError(), GL_NO_ERROR);

    error.result = SINEW_OK;
    GLuint program = sinewi_gl_program_build(gl, "test", sound, 1, NULL, NULL, 0, &error);
    assert_true(program != 0 && error.result == SINEW_OK);
    gl->table.DeleteProgram(program);
    sinew_gl_free(gl);
}

static void the_same_wish_gives_the_same_source(void **state) {
    (void)state;
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    sinew_gl_skinning wish = {.influences = 4, .normals = true};
    const char *first = sinew_gl_skinning_source(gl, &wish, NULL);
    assert_non_null(strstr(first, "vec3 sinew_normal(vec3"));
    assert_null(strstr(first, "#version"));
    sinew_gl_skinning more = wish;
    more.tangents = true;
    assert_ptr_not_equal(sinew_gl_skinning_source(gl, &more, NULL), first);
    more.tangents = false;
    more.locations = (sinew_gl_locations){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assert_ptr_equal(sinew_gl_skinning_source(gl, &more, NULL), first);
    assert_ptr_equal(sinew_gl_skinning_source(gl, &wish, NULL), first);
    sinew_gl_free(gl);
}

static void the_version_of_the_host_decides_how_storage_is_asked_for(void **state) {
    (void)state;
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_AUTO);
    if (sinew_gl_storage_texels(gl, SINEW_GL_STORAGE_SSBO)) {
        sinew_gl_skinning wish = {.storage = SINEW_GL_STORAGE_SSBO, .influences = 4};
        assert_non_null(strstr(sinew_gl_skinning_source(gl, &wish, NULL), "#extension"));
        wish.glsl_version = 460;
        assert_null(strstr(sinew_gl_skinning_source(gl, &wish, NULL), "#extension"));
    }
    sinew_gl_skinning old = {.influences = 4, .glsl_version = 150};
    assert_null(sinew_gl_skinning_source(gl, &old, &error));
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "330"));
    sinew_gl_skinning usual = {.influences = 4}, modern = {.influences = 4, .glsl_version = 410};
    assert_ptr_equal(sinew_gl_skinning_source(gl, &usual, NULL),
                     sinew_gl_skinning_source(gl, &modern, NULL));
    sinew_gl_free(gl);
}

/* Programs are kept: the second model needs no new ones. */
static void programs_are_shared(void **state) {
    (void)state;
    world it = world_create();
    float out[27];
    sinew_gl_model_update(it.on_gpu, it.pose, NULL);
    sinew_gl_item_capture(it.on_gpu, 0, out, NULL, NULL, NULL);
    const sinewi_gl_program *kept = it.gl->programs;
    assert_non_null(kept);
    sinew_gl_model *second = sinew_gl_model_create(it.gl, it.model, NULL, NULL);
    sinew_gl_model_update(second, it.pose, NULL);
    sinew_gl_item_capture(second, 0, out, NULL, NULL, NULL);
    assert_ptr_equal(it.gl->programs, kept);
    sinew_gl_model_free(second);
    world_free(&it);
}

/* ---- items ---- */

static void items_follow_the_nodes_of_the_scene(void **state) {
    (void)state;
    world it = world_create();
    sinew_primitive nothing = {.topology = SINEW_TRIANGLES, .material = SINEW_NONE};
    test_add_primitive(it.made, 0, &nothing); /* no POSITION: no item */
    const uint32_t body = it.model->node_count - 1;
    uint32_t again = test_add_node(it.made, SINEW_NONE, 0, 0, 0);
    test_wear(it.made, again, 0, SINEW_NONE);
    test_model_done(it.made);
    sinew_pose *pose = sinew_pose_create(it.model, NULL);
    pose->weights[it.model->nodes[again].first_weight + 1] = 0.5f;
    sinew_gl_model *on_gpu = sinew_gl_model_create(it.gl, it.model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_gpu, pose, NULL), SINEW_OK);
    uint32_t count;
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    assert_int_equal(count, 2);
    assert_true(items[0].node == body && items[0].skin == 0 && items[0].influences == 4);
    assert_true(items[1].node == again && items[1].skin == SINEW_NONE && !items[1].influences);
    assert_true(items[0].targets == 2 && items[0].active_targets == 0);
    assert_true(items[1].targets == 2 && items[1].active_targets == 1);
    assert_true(items[0].vertex_count == 9 && items[0].has_normals && items[0].has_tangents);
    assert_true(items[0].material == SINEW_NONE && items[0].topology == SINEW_POINTS);
    assert_true(items[0].palette_texel != items[1].palette_texel);
    assert_true(items[0].morph_texel != items[1].morph_texel);
    sinew_gl_model_free(on_gpu);
    sinew_pose_free(pose);
    world_free(&it);
}

/* A skin that several nodes use stands in the buffer once. */
static void a_shared_skin_is_stored_once(void **state) {
    (void)state;
    world it = world_create();
    uint32_t again = test_add_node(it.made, SINEW_NONE, 0, 0, 0);
    test_wear(it.made, again, 0, 0);
    test_model_done(it.made);
    sinew_gl_model *on_gpu = sinew_gl_model_create(it.gl, it.model, NULL, NULL);
    uint32_t count;
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    assert_int_equal(count, 2);
    assert_int_equal(items[0].palette_texel, items[1].palette_texel);
    assert_int_equal(on_gpu->geometry_count, 1);
    sinew_gl_model_free(on_gpu);
    world_free(&it);
}

static bool mirrored_with(const float first[3], const float second[3]) {
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t joints[12] = {0, 1, 0, 0, 2, 1, 0, 0, 0, 2, 1, 1};
    const double weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0};
    test_model *made = test_model_create();
    uint32_t nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i] = test_add_node(made, SINEW_NONE, 0, 0, 0);
    }
    sinew_primitive from = {.topology = SINEW_TRIANGLES,
                            .material = SINEW_NONE,
                            .vertex_count = 3,
                            .positions = positions,
                            .influences_count = 1};
    from.influences = test_influences(made, 3, 3, 4, SINEW_U8, SINEW_F32, joints, weights);
    test_rest_scale(made, nodes[0], first[0], first[1], first[2]);
    test_rest_scale(made, nodes[2], second[0], second[1], second[2]);
    test_wear(made, test_add_node(made, SINEW_NONE, 0, 0, 0), test_add_mesh(made, &from),
              test_add_skin(made, nodes, 3, NULL));
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    sinew_gl *gl = test_gl_create(SINEW_GL_STORAGE_TBO4);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, &made->model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_gpu, pose, NULL), SINEW_OK);
    uint32_t count;
    bool mirrored = sinew_gl_model_items(on_gpu, &count)[0].mirrored;
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    sinew_pose_free(pose);
    test_model_free(made);
    return mirrored;
}

/* The second joint, which no vertex uses, does not mirror and does not count. */
static void a_mesh_is_mirrored_when_all_joints_in_use_are(void **state) {
    (void)state;
    const float plain[3] = {1, 1, 1}, x[3] = {-1, 1, 1}, all[3] = {-2, -2, -2},
                flat[3] = {-1, 0, 1};
    assert_false(mirrored_with(plain, plain));
    assert_false(mirrored_with(plain, x));
    assert_false(mirrored_with(x, plain));
    assert_false(mirrored_with(x, flat));
    assert_true(mirrored_with(x, all));
}

/* ---- memory ---- */

static bool works_with(const sinew_allocator *allocator, const sinew_model *model,
                       const sinew_pose *pose) {
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    sinew_error error = {SINEW_OK, "", ""};
    float out[27];
    sinew_gl_options options = {.loader = test_loader, .allocator = *allocator};
    sinew_gl *gl = sinew_gl_create(&options, &error);
    sinew_gl_model *on_gpu = gl ? sinew_gl_model_create(gl, model, NULL, &error) : NULL;
    bool works = on_gpu && sinew_gl_model_update(on_gpu, pose, &error) == SINEW_OK &&
                 sinew_gl_item_capture(on_gpu, 0, out, NULL, NULL, &error) == SINEW_OK &&
                 sinew_gl_draw(on_gpu, pose, NULL, identity, &error) == SINEW_OK;
    assert_int_equal(error.result, works ? SINEW_OK : SINEW_ERROR_MEMORY);
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(gl);
    return works;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    test_wish wish = {.seed = 6, .joints = 4, .vertices = 9, .sets = 3, .targets = 2};
    test_model *made = test_random_model(&wish);
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    bool works = false;
    for (uint32_t after = 0; !works && after < 100; after++) {
        test_memory memory = {.fail_after = after};
        sinew_allocator allocator = test_allocator(&memory);
        works = works_with(&allocator, model, pose);
        assert_int_equal(memory.live, 0);
    }
    assert_true(works);
    sinew_pose_free(pose);
    test_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_context_is_described),
        cmocka_unit_test(a_context_that_cannot_is_refused),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(contexts_have_functions_of_their_own),
        cmocka_unit_test(a_palette_too_large_for_a_storage),
        cmocka_unit_test(the_first_storage_that_holds_is_taken),
        cmocka_unit_test(a_storage_that_is_not_there_is_refused),
        cmocka_unit_test(deltas_too_large_for_a_texture),
        cmocka_unit_test(a_stale_pose_is_refused),
        cmocka_unit_test(palettes_older_than_the_pose_are_told),
        cmocka_unit_test(a_pose_of_another_model_is_refused),
        cmocka_unit_test(a_short_palette_is_refused),
        cmocka_unit_test(what_an_item_does_not_have_cannot_be_captured),
        cmocka_unit_test(scenes_and_locations_are_checked),
        cmocka_unit_test(a_broken_shader_is_an_error_with_its_line),
        cmocka_unit_test(the_same_wish_gives_the_same_source),
        cmocka_unit_test(the_version_of_the_host_decides_how_storage_is_asked_for),
        cmocka_unit_test(programs_are_shared),
        cmocka_unit_test(items_follow_the_nodes_of_the_scene),
        cmocka_unit_test(a_shared_skin_is_stored_once),
        cmocka_unit_test(a_mesh_is_mirrored_when_all_joints_in_use_are),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("gl", tests, open_context, close_context);
}
