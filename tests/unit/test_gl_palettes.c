/* Palettes of many instances: every frame, instance and storage gives the CPU's vertices, by
 * draws that a small limit splits, and those of the frame before. */
#define _POSIX_C_SOURCE 200809L

#include "sinew/gl_palettes.h"
#include "sinew/skin.h"

#include "gl_context.h"
#include "gl_es.h"
#include "models.h"

#include <glad/gl.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    JOINTS = 9,
    VERTICES = 24,
    INSTANCES = 7,
    FRAMES = 9,
    FLOATS = 9 /* position, normal, position of the frame before */
};

static EGLContext context;
static GladGLContext gl;
static bool es;

static int open_context(void **state) {
    (void)state;
    context = es ? test_context_create_es() : test_context_create();
    return (es ? gladLoadGLES2Context : gladLoadGLContext)(&gl, test_loader) ? 0 : -1;
}

/* The newest, which all storages of the context have. */
static const char *version_line(void) {
    return !es                 ? "#version 330 core\n"
           : gl.ES_VERSION_3_2 ? "#version 320 es\nprecision highp float;\n"
           : gl.ES_VERSION_3_1 ? "#version 310 es\nprecision highp float;\n"
                               : "#version 300 es\nprecision highp float;\n";
}

static int close_context(void **state) {
    (void)state;
    test_context_free(context);
    return 0;
}

/* ---- a host: a model of his, a program that captures, a buffer for what it captures ---- */

typedef struct host {
    sinew_gl *sinew;
    test_model *made;
    const sinew_model *model;
    sinew_gl_model *on_gpu;
    const sinew_gl_item *item;
    sinew_pose *poses[INSTANCES];
    GLuint program, buffer, framebuffer, renderbuffer;
} host;

static void make_model(host *it, uint32_t sets) {
    test_wish wish = {7, JOINTS, VERTICES, sets, 0, SINEW_F32, 0.8, 1.2, 0.0};
    it->made = test_random_model(&wish);
    it->model = &it->made->model;
    sinew_error error = {SINEW_OK, "", ""};
    it->on_gpu = sinew_gl_model_create(it->sinew, it->model, NULL, &error);
    if (!it->on_gpu) {
        fail_msg("%s", error.message);
    }
    uint32_t count = 0;
    it->item = sinew_gl_model_items(it->on_gpu, &count);
    assert_int_equal(count, 1);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        it->poses[i] = sinew_pose_create(it->model, NULL);
    }
}

static void make_target(host *it) {
    gl.GenBuffers(1, &it->buffer);
    gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, it->buffer);
    gl.BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, INSTANCES * VERTICES * FLOATS * 4, NULL,
                  GL_STREAM_READ);
    gl.GenRenderbuffers(1, &it->renderbuffer);
    gl.BindRenderbuffer(GL_RENDERBUFFER, it->renderbuffer);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
    gl.GenFramebuffers(1, &it->framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, it->framebuffer);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                               it->renderbuffer);
}

static GLuint build(const char *chunk) {
    static const char body[] = "layout(location = SINEW_LOCATION_POSITION) in vec3 position;\n"
                               "layout(location = SINEW_LOCATION_NORMAL) in vec3 normal;\n"
                               "out vec3 now, turned, before;\n"
                               "void main() {\n"
                               "    now = sinew_position(position);\n"
                               "    turned = sinew_normal(normal);\n"
                               "#if SINEW_PREVIOUS\n"
                               "    before = sinew_previous_position(position);\n"
                               "#else\n"
                               "    before = vec3(0.0);\n"
                               "#endif\n"
                               "    gl_Position = vec4(now, 1.0);\n"
                               "}\n";
    static const char *const outputs[] = {"now", "turned", "before"};
    const char *texts[] = {version_line(), chunk, body};
    const char *nothing[] = {version_line(), "void main() {}\n"}; /* ES wants a fragment shader */
    GLuint shader = gl.CreateShader(GL_VERTEX_SHADER), program = gl.CreateProgram();
    GLuint fragment = gl.CreateShader(GL_FRAGMENT_SHADER);
    gl.ShaderSource(shader, 3, texts, NULL);
    gl.CompileShader(shader);
    gl.AttachShader(program, shader);
    gl.ShaderSource(fragment, 2, nothing, NULL);
    gl.CompileShader(fragment);
    gl.AttachShader(program, fragment);
    gl.DeleteShader(fragment);
    gl.TransformFeedbackVaryings(program, 3, outputs, GL_INTERLEAVED_ATTRIBS);
    gl.LinkProgram(program);
    GLint linked = 0;
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[600] = "";
        gl.GetShaderInfoLog(shader, sizeof log, NULL, log);
        fail_msg("%s", log);
    }
    gl.DeleteShader(shader);
    return program;
}

static host *arrive(const sinew_gl_options *limits, uint32_t sets) {
    host *it = calloc(1, sizeof *it);
    sinew_gl_options options = *limits;
    sinew_error error;
    options.loader = test_loader;
    it->sinew = sinew_gl_create(&options, &error);
    assert_non_null(it->sinew);
    make_model(it, sets);
    make_target(it);
    return it;
}

static void leave(host *it) {
    for (uint32_t i = 0; i < INSTANCES; i++) {
        sinew_pose_free(it->poses[i]);
    }
    gl.DeleteProgram(it->program);
    gl.DeleteBuffers(1, &it->buffer);
    gl.DeleteFramebuffers(1, &it->framebuffer);
    gl.DeleteRenderbuffers(1, &it->renderbuffer);
    sinew_gl_model_free(it->on_gpu);
    sinew_gl_free(it->sinew);
    test_model_free(it->made);
    free(it);
}

/* ---- frames ---- */

static void move_all(host *it, uint32_t frame, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        test_random chance = {1000 * frame + i + 1};
        test_random_pose(&chance, 0.8, 1.3, it->poses[i]);
        sinew_pose_to_world(it->poses[i]);
    }
}

static void fill(host *it, sinew_gl_palettes *palettes, uint32_t count) {
    sinew_error error = {SINEW_OK, "", ""};
    sinew_palette *out = sinew_gl_palettes_map(palettes, count, &error);
    if (!out) {
        fail_msg("%s", error.message);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(sinew_palette_build(it->model, it->item->skin, it->poses[i], &out[i]),
                         SINEW_OK);
    }
    assert_int_equal(sinew_gl_palettes_unmap(palettes, &error), SINEW_OK);
}

/* Returns the number of draws. */
static uint32_t draw(host *it, const sinew_gl_palettes *palettes, uint32_t count, float *captured) {
    const size_t stride = (size_t)VERTICES * FLOATS * sizeof(float);
    uint32_t draws = 0, first = 0;
    gl.UseProgram(it->program);
    sinew_gl_item_bind_vertices(it->on_gpu, 0, it->program, 5);
    gl.Enable(GL_RASTERIZER_DISCARD);
    while (first < count) {
        sinew_gl_palettes_range range = sinew_gl_palettes_bind(palettes, first, it->program, 2);
        assert_true(range.count > 0);
        gl.BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, it->buffer, (GLintptr)(first * stride),
                           (GLsizeiptr)(range.count * stride));
        gl.BeginTransformFeedback(GL_POINTS);
        sinew_gl_item_draw_instances(it->on_gpu, 0, range.first_texel, range.count);
        gl.EndTransformFeedback();
        first += range.count;
        draws++;
    }
    assert_int_equal(sinew_gl_palettes_bind(palettes, count, it->program, 2).count, 0);
    gl.Disable(GL_RASTERIZER_DISCARD);
    gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, it->buffer);
    const void *from = gl.MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                                         (GLsizeiptr)(count * stride), GL_MAP_READ_BIT);
    assert_non_null(from);
    memcpy(captured, from, count * stride);
    gl.UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
    return draws;
}

static void on_cpu(const host *it, const sinew_pose *pose, sinew_skin_method method,
                   float *positions, float *normals) {
    float matrices[16 * JOINTS];
    sinew_palette palette = {.matrices = matrices,
                             .capacity = JOINTS,
                             .layout = method == SINEW_SKIN_DQS ? SINEW_PALETTE_4X3_ROTATION
                                                                : SINEW_PALETTE_4X3};
    assert_int_equal(sinew_palette_build(it->model, it->item->skin, pose, &palette), SINEW_OK);
    const sinew_primitive *from = &it->model->meshes[it->item->mesh].primitives[0];
    sinew_skin_job job = {.primitive = from,
                          .influences = &from->influences[0],
                          .palette = &palette,
                          .positions = positions,
                          .normals = normals,
                          .method = method};
    assert_int_equal(sinew_skin_vertices(&job, 0, VERTICES), SINEW_OK);
}

static void compare(const float *have, const float *want, uint32_t offset) {
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (uint32_t i = 0; i < 3; i++) {
            double a = have[v * FLOATS + offset + i], b = want[3 * v + i];
            if (!(fabs(a - b) <= 2e-5 * fmax(1.0, fabs(b)))) {
                fail_msg("vertex %u [%u] is %.9g, expected %.9g", v, offset + i, a, b);
            }
        }
    }
}

/* Draws frames of some instances; returns the most draws that one took. */
static uint32_t act(host *it, const sinew_gl_palettes_options *options) {
    static float before[INSTANCES][3 * VERTICES], now[INSTANCES][3 * VERTICES];
    static float normals[3 * VERTICES], captured[INSTANCES * VERTICES * FLOATS];
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl_palettes *palettes = sinew_gl_palettes_create(it->sinew, options, &error);
    if (!palettes) {
        fail_msg("%s: %s", sinew_gl_storage_word(options->storage), error.message);
    }
    sinew_gl_skinning wish = sinew_gl_item_skinning(it->on_gpu, 0);
    sinew_gl_palettes_fit(palettes, &wish);
    wish.tangents = false;
    gl.DeleteProgram(it->program);
    it->program = build(sinew_gl_skinning_source(it->sinew, &wish, NULL));
    uint32_t most = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        uint32_t count = frame % 3 == 1 ? INSTANCES - 2 : INSTANCES;
        move_all(it, frame, INSTANCES);
        fill(it, palettes, count);
        uint32_t draws = draw(it, palettes, count, captured);
        most = draws > most ? draws : most;
        for (uint32_t i = 0; i < INSTANCES; i++) {
            memcpy(before[i], now[i], sizeof now[i]);
            on_cpu(it, it->poses[i], options->method, now[i], normals);
            const float *have = captured + (size_t)i * VERTICES * FLOATS;
            if (i < count) {
                compare(have, now[i], 0);
                compare(have, normals, 3);
            }
            if (i < INSTANCES - 2 && options->previous) {
                compare(have, frame > 0 ? before[i] : now[i], 6);
            }
        }
    }
    sinew_gl_palettes_free(palettes);
    return most;
}

static bool has(const host *it, sinew_gl_storage storage) {
    return sinew_gl_storage_texels(it->sinew, storage) > 0;
}

static void act_all(const sinew_gl_options *limits, uint32_t sets, bool expect_splits) {
    host *it = arrive(limits, sets);
    for (int s = SINEW_GL_STORAGE_AUTO; s < SINEW_GL_STORAGE_COUNT; s++) {
        for (int variant = 0; variant < 8 && has(it, (sinew_gl_storage)s); variant++) {
            sinew_gl_palettes_options options = {.storage = (sinew_gl_storage)s,
                                                 .method = (sinew_skin_method)(variant & 1),
                                                 .joint_count = JOINTS,
                                                 .instances = INSTANCES,
                                                 .previous = (variant & 2) != 0,
                                                 .no_persistent_mapping = (variant & 4) != 0};
            uint32_t draws = act(it, &options);
            assert_true(expect_splits ? draws > 1 : draws == 1);
        }
    }
    leave(it);
}

static void every_storage_gives_the_vertices_of_the_cpu(void **state) {
    (void)state;
    act_all(&(sinew_gl_options){.storage = SINEW_GL_STORAGE_AUTO}, 1, false);
}

static void more_than_eight_influences_are_fetched(void **state) {
    (void)state;
    act_all(&(sinew_gl_options){.storage = SINEW_GL_STORAGE_AUTO}, 3, false);
}

/* Two or three palettes of 9 joints in each binding; 24 vec4 of uniforms are left alone. */
static void what_does_not_fit_is_split_over_draws(void **state) {
    (void)state;
    act_all(&(sinew_gl_options){.max_texture_buffer_texels = 100,
                                .max_texture_size = 8,
                                .max_uniform_components = 4 * (100 + 24),
                                .max_uniform_block_size = 100 * 16,
                                .max_storage_block_size = 100 * 16},
            1, true);
}

static void a_palette_that_no_binding_holds_is_refused(void **state) {
    (void)state;
    sinew_gl_options limits = {.max_texture_buffer_texels = 26,
                               .max_texture_size = 4,
                               .max_uniform_components = 4 * (26 + 24),
                               .max_uniform_block_size = 26 * 16,
                               .max_storage_block_size = 26 * 16,
                               .loader = test_loader};
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *sinew = sinew_gl_create(&limits, &error);
    for (int s = SINEW_GL_STORAGE_AUTO; s < SINEW_GL_STORAGE_COUNT; s++) {
        sinew_gl_palettes_options options = {
            .storage = (sinew_gl_storage)s, .joint_count = JOINTS, .instances = 1};
        if (sinew_gl_storage_texels(sinew, options.storage) == 0) {
            continue;
        }
        assert_null(sinew_gl_palettes_create(sinew, &options, &error));
        assert_int_equal(error.result, SINEW_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "GL_MAX_"));
    }
    sinew_gl_free(sinew);
    /* 40 vec4 hold one palette of 27, and not that of the frame before as well: 54 + 24. */
    limits = (sinew_gl_options){.max_uniform_components = 4 * (40 + 24), .loader = test_loader};
    sinew = sinew_gl_create(&limits, &error);
    sinew_gl_palettes_options both = {.storage = SINEW_GL_STORAGE_UNIFORM,
                                      .joint_count = JOINTS,
                                      .instances = 1,
                                      .previous = true};
    assert_null(sinew_gl_palettes_create(sinew, &both, &error));
    assert_non_null(strstr(error.message, "312 needed"));
    assert_non_null(strstr(error.message, "256"));
    sinew_gl_free(sinew);
}

static void mistakes_are_told(void **state) {
    (void)state;
    sinew_error error = {SINEW_OK, "", ""};
    sinew_gl *sinew = test_gl_create(SINEW_GL_STORAGE_AUTO);
    sinew_gl_palettes_options options = {.joint_count = JOINTS};
    assert_null(sinew_gl_palettes_create(sinew, &options, &error));
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
    assert_null(sinew_gl_palettes_create(sinew, NULL, &error));
    options.instances = 2;
    options.method = (sinew_skin_method)9;
    assert_null(sinew_gl_palettes_create(sinew, &options, &error));
    options.method = SINEW_SKIN_LBS;
    sinew_gl_palettes *palettes = sinew_gl_palettes_create(sinew, &options, &error);
    assert_non_null(palettes);
    assert_int_equal(sinew_gl_palettes_bind(palettes, 0, 0, 0).count, 0);
    assert_int_equal(sinew_gl_palettes_unmap(palettes, &error), SINEW_ERROR_ARGUMENT);
    assert_null(sinew_gl_palettes_map(palettes, 0, &error));
    assert_null(sinew_gl_palettes_map(palettes, 3, &error));
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
    assert_non_null(sinew_gl_palettes_map(palettes, 2, &error));
    assert_null(sinew_gl_palettes_map(palettes, 2, &error));
    assert_int_equal(sinew_gl_palettes_bind(palettes, 0, 0, 0).count, 0);
    sinew_gl_palettes_free(palettes);
    sinew_gl_free(sinew);
}

static void mapping_leaves_the_state_of_the_host(void **state) {
    (void)state;
    sinew_gl *sinew = test_gl_create(SINEW_GL_STORAGE_AUTO);
    GLuint buffer = 0, texture = 0;
    gl.GenBuffers(1, &buffer);
    gl.GenTextures(1, &texture);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl.ActiveTexture(GL_TEXTURE3);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    for (int s = SINEW_GL_STORAGE_TBO3; s < SINEW_GL_STORAGE_COUNT; s++) {
        sinew_gl_palettes_options options = {.storage = (sinew_gl_storage)s,
                                             .joint_count = 3,
                                             .instances = 4,
                                             .no_persistent_mapping = true};
        if (sinew_gl_storage_texels(sinew, options.storage) == 0) {
            continue;
        }
        sinew_gl_palettes *palettes = sinew_gl_palettes_create(sinew, &options, NULL);
        assert_non_null(sinew_gl_palettes_map(palettes, 4, NULL));
        assert_int_equal(sinew_gl_palettes_unmap(palettes, NULL), SINEW_OK);
        GLint bound[3] = {0, 0, 0};
        gl.GetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound[0]);
        gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound[1]);
        gl.GetIntegerv(GL_ACTIVE_TEXTURE, &bound[2]);
        assert_int_equal(bound[0], buffer);
        assert_int_equal(bound[1], texture);
        assert_int_equal(bound[2], GL_TEXTURE3);
        sinew_gl_palettes_free(palettes);
    }
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
    gl.DeleteBuffers(1, &buffer);
    gl.DeleteTextures(1, &texture);
    sinew_gl_free(sinew);
}

/* 10 km away, a hundredth of a millimetre a step. What is left of the rounding: that of a
 * double at 10 km, 2 * 2^-40, and that of a float up to a millimetre, 2^-34; 6e-11 in all. */
static void a_placement_relative_to_the_eye_keeps_millimetres(void **state) {
    (void)state;
    const double eye[3] = {10000.0, 50.0, -10002.0};
    double placement[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10000.0, 48.0, -10000.0, 1};
    for (int step = 0; step < 100; step++) {
        float out[16];
        placement[12] = 10000.0 + 1e-5 * step;
        sinew_gl_placement(placement, eye, out);
        assert_true(fabs((double)out[12] - 1e-5 * step) < 6.1e-11);
        assert_true(fabs((double)out[13] + 2.0) < 1e-6);
        assert_true(fabs((double)out[14] - 2.0) < 1e-6);
        assert_true(out[0] == 1.0f && out[15] == 1.0f && out[3] == 0.0f);
    }
}

static int run(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_vertices_of_the_cpu),
        cmocka_unit_test(more_than_eight_influences_are_fetched),
        cmocka_unit_test(what_does_not_fit_is_split_over_draws),
        cmocka_unit_test(a_palette_that_no_binding_holds_is_refused),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(mapping_leaves_the_state_of_the_host),
        cmocka_unit_test(a_placement_relative_to_the_eye_keeps_millimetres),
    };
    return cmocka_run_group_tests_name("gl palettes", tests, open_context, close_context);
}

static int run_on_es(void) {
    es = true;
    return run();
}

/* ES in processes of their own, before this one has a context. */
int main(void) {
    int on_es = test_on_es_versions(run_on_es);
    int failed = run();
    return failed ? failed : on_es == 77 ? 0 : on_es;
}
