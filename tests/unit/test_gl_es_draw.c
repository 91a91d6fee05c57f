/* On OpenGL ES 3.0, 3.1 and 3.2: Sinew draws without an error and leaves the state of the
 * host, and a host draws with the chunk. */
#define _POSIX_C_SOURCE 200809L

#include "gl_context.h"
#include "gl_es.h"
#include "models.h"

#include <glad/gl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    SIZE = 16,
    UNITS = 8
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static GladGLContext gl;

static void make_framebuffer(GLenum format) {
    GLuint framebuffer, color, depth;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.GenRenderbuffers(1, &color);
    gl.BindRenderbuffer(GL_RENDERBUFFER, color);
    gl.RenderbufferStorage(GL_RENDERBUFFER, format, SIZE, SIZE);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    gl.GenRenderbuffers(1, &depth);
    gl.BindRenderbuffer(GL_RENDERBUFFER, depth);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, SIZE, SIZE);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    assert_int_equal(gl.CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    gl.Viewport(0, 0, SIZE, SIZE);
}

static int open_context(void **state) {
    *state = test_context_create_es();
    return gladLoadGLES2Context(&gl, (GLADloadfunc)test_loader) ? 0 : 1;
}

static int close_context(void **state) {
    test_context_free((EGLContext)*state);
    return 0;
}

static void assert_no_error(const char *after) {
    GLenum code = gl.GetError();
    if (code) {
        fail_msg("GL error 0x%04x after %s", code, after);
    }
}

/* ---- a model: a square from -1 to 1 that hangs on one joint ---- */

typedef struct scene {
    test_model *made;
    sinew_material material;
    sinew_texture texture;
    sinew_pose *pose;
    sinew_gl *sinew;
    sinew_gl_model *on_gpu;
} scene;

static const float square[12] = {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0};
static const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float texcoords[8] = {0, 0, 1, 0, 0, 1, 1, 1};
static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static void scene_open(scene *it, sinew_gl_storage storage) {
    static const uint32_t joints[16];
    static const double weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    memset(it, 0, sizeof *it);
    it->made = test_model_create();
    it->material = (sinew_material){.name = "",
                                    .base_color = {0.5f, 0.25f, 1.0f, 1.0f},
                                    .unlit = true,
                                    .base_color_texture = {.texture = SINEW_NONE}};
    it->made->model.materials = &it->material;
    it->made->model.material_count = 1;
    it->made->model.textures = &it->texture;
    it->made->model.texture_count = 1;
    uint32_t joint = test_add_node(it->made, SINEW_NONE, 0, 0, 0);
    uint32_t body = test_add_node(it->made, SINEW_NONE, 0, 0, 0);
    sinew_primitive from = {.topology = SINEW_TRIANGLE_STRIP,
                            .vertex_count = 4,
                            .positions = square,
                            .normals = normals,
                            .texcoords = {texcoords},
                            .influences_count = 1};
    from.influences = test_influences(it->made, 1, 4, 4, SINEW_U8, SINEW_F32, joints, weights);
    test_wear(it->made, body, test_add_mesh(it->made, &from),
              test_add_skin(it->made, &joint, 1, NULL));
    const sinew_model *model = test_model_done(it->made);
    it->pose = sinew_pose_create(model, NULL);
    sinew_error error;
    it->sinew = test_gl_create(storage);
    it->on_gpu = sinew_gl_model_create(it->sinew, model, NULL, &error);
    if (!it->on_gpu) {
        fail_msg("%s", error.message);
    }
}

static void scene_close(scene *it) {
    sinew_gl_model_free(it->on_gpu);
    sinew_gl_free(it->sinew);
    sinew_pose_free(it->pose);
    test_model_free(it->made);
}

static void draw(scene *it) {
    sinew_error error;
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (sinew_gl_draw(it->on_gpu, it->pose, NULL, identity, &error)) {
        fail_msg("%s", error.message);
    }
    assert_no_error("sinew_gl_draw");
}

static void assert_center(int r, int g, int b) {
    const int want[3] = {r, g, b};
    uint8_t have[4];
    gl.ReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, have);
    for (int i = 0; i < 3; i++) {
        if (have[i] < want[i] - 2 || have[i] > want[i] + 2) {
            fail_msg("the pixel is %u %u %u, expected %d %d %d", have[0], have[1], have[2], r, g,
                     b);
        }
    }
}

/* Storages that this context has. */
static void on_all_storages(void (*check)(sinew_gl_storage)) {
    sinew_gl *probe = test_gl_create(SINEW_GL_STORAGE_AUTO);
    for (int storage = 0; storage < SINEW_GL_STORAGE_COUNT; storage++) {
        if (sinew_gl_storage_texels(probe, (sinew_gl_storage)storage)) {
            check((sinew_gl_storage)storage);
        }
    }
    sinew_gl_free(probe);
}

/* ---- colours ---- */

/* 0.5 and 0.25, linear, are 188 and 137 in sRGB: the shader encodes them for a framebuffer
 * that does not, and only then. */
static void check_colours(sinew_gl_storage storage) {
    const GLenum formats[] = {GL_RGBA8, GL_SRGB8_ALPHA8};
    for (size_t i = 0; i < COUNT(formats); i++) {
        scene it;
        make_framebuffer(formats[i]);
        scene_open(&it, storage);
        draw(&it);
        assert_center(188, 137, 255);
        scene_close(&it);
    }
}

static void colours_come_out_in_srgb(void **state) {
    (void)state;
    on_all_storages(check_colours);
}

static void a_texture_of_the_host_is_looked_up(void **state) {
    (void)state;
    const uint8_t texel[4] = {255, 0, 255, 255};
    GLuint texture;
    scene it;
    make_framebuffer(GL_RGBA8);
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.BindTexture(GL_TEXTURE_2D, 0);
    scene_open(&it, SINEW_GL_STORAGE_AUTO);
    sinew_gl_model_set_texture(it.on_gpu, 0, texture);
    it.material.base_color_texture = (sinew_texture_use){.texture = 0, .tiling = {1, 1}};
    draw(&it);
    assert_center(188, 0, 255);
    it.material.unlit = false;
    draw(&it);
    scene_close(&it);
    gl.DeleteTextures(1, &texture);
}

/* ---- the host's state ---- */

static const GLenum values[] = {
    GL_CURRENT_PROGRAM,
    GL_VERTEX_ARRAY_BINDING,
    GL_ARRAY_BUFFER_BINDING,
    GL_ELEMENT_ARRAY_BUFFER_BINDING,
    GL_UNIFORM_BUFFER_BINDING,
    GL_PIXEL_PACK_BUFFER_BINDING,
    GL_PIXEL_UNPACK_BUFFER_BINDING,
    GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
    GL_DRAW_FRAMEBUFFER_BINDING,
    GL_READ_FRAMEBUFFER_BINDING,
    GL_RENDERBUFFER_BINDING,
    GL_ACTIVE_TEXTURE,
    GL_DEPTH_WRITEMASK,
    GL_DEPTH_FUNC,
    GL_CULL_FACE_MODE,
    GL_FRONT_FACE,
    GL_BLEND_SRC_RGB,
    GL_BLEND_DST_RGB,
    GL_BLEND_SRC_ALPHA,
    GL_BLEND_DST_ALPHA,
    GL_BLEND_EQUATION_RGB,
    GL_BLEND_EQUATION_ALPHA,
    GL_READ_BUFFER,
    GL_DRAW_BUFFER0,
    GL_UNPACK_ROW_LENGTH,
    GL_UNPACK_IMAGE_HEIGHT,
    GL_UNPACK_SKIP_ROWS,
    GL_UNPACK_SKIP_PIXELS,
    GL_UNPACK_SKIP_IMAGES,
    GL_UNPACK_ALIGNMENT,
};

static const GLenum switches[] = {
    GL_BLEND,
    GL_CULL_FACE,
    GL_DEPTH_TEST,
    GL_DITHER,
    GL_SCISSOR_TEST,
    GL_POLYGON_OFFSET_FILL,
    GL_STENCIL_TEST,
    GL_RASTERIZER_DISCARD,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_PRIMITIVE_RESTART_FIXED_INDEX,
};

typedef struct snapshot {
    GLint values[COUNT(values)];
    GLboolean switches[COUNT(switches)];
    GLint textures[UNITS], samplers[UNITS];
    GLint uniform, feedback;
    GLint64 uniform_start, feedback_start;
} snapshot;

static void take(snapshot *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < COUNT(values); i++) {
        gl.GetIntegerv(values[i], &out->values[i]);
    }
    for (size_t i = 0; i < COUNT(switches); i++) {
        out->switches[i] = gl.IsEnabled(switches[i]);
    }
    GLint active;
    gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (GLuint unit = 0; unit < UNITS; unit++) {
        gl.ActiveTexture(GL_TEXTURE0 + unit);
        gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &out->textures[unit]);
        gl.GetIntegerv(GL_SAMPLER_BINDING, &out->samplers[unit]);
    }
    gl.ActiveTexture((GLenum)active);
    gl.GetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 0, &out->uniform);
    gl.GetInteger64i_v(GL_UNIFORM_BUFFER_START, 0, &out->uniform_start);
    gl.GetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &out->feedback);
    gl.GetInteger64i_v(GL_TRANSFORM_FEEDBACK_BUFFER_START, 0, &out->feedback_start);
    assert_no_error("a question of the test's own");
}

static void compare(const char *call, const snapshot *before) {
    assert_no_error(call);
    snapshot after;
    take(&after);
    for (size_t i = 0; i < COUNT(values); i++) {
        if (before->values[i] != after.values[i]) {
            fail_msg("%s changes 0x%04x from %d to %d", call, values[i], before->values[i],
                     after.values[i]);
        }
    }
    for (size_t i = 0; i < COUNT(switches); i++) {
        if (before->switches[i] != after.switches[i]) {
            fail_msg("%s switches 0x%04x to %d", call, switches[i], after.switches[i]);
        }
    }
    assert_memory_equal(before, &after, sizeof after);
}

/* Something else than the default everywhere. */
static void set_everything(void) {
    GLuint buffers[3], textures[UNITS], samplers[UNITS], array;
    gl.GenBuffers(3, buffers);
    gl.GenTextures(UNITS, textures);
    gl.GenSamplers(UNITS, samplers);
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[0]);
    gl.BindBuffer(GL_UNIFORM_BUFFER, buffers[1]);
    gl.BufferData(GL_UNIFORM_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    gl.BindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[1], 256, 512);
    gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffers[2]);
    gl.BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    gl.BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[2], 16, 256);
    for (GLuint i = 0; i < UNITS; i++) {
        gl.ActiveTexture(GL_TEXTURE0 + i);
        gl.BindTexture(GL_TEXTURE_2D, textures[i]);
        gl.BindSampler(i, samplers[i]);
        gl.SamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    }
    gl.ActiveTexture(GL_TEXTURE5);
    gl.DepthMask(GL_FALSE);
    gl.CullFace(GL_FRONT);
    gl.FrontFace(GL_CW);
    gl.BlendFuncSeparate(GL_ONE, GL_DST_COLOR, GL_ZERO, GL_SRC_ALPHA);
    gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
    gl.Enable(GL_BLEND);
    gl.Enable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 77);
    gl.PixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 8);
}

static void check_state(sinew_gl_storage storage) {
    scene it;
    float positions[12], captured_normals[12];
    sinew_error error;
    snapshot before;
    take(&before);
    scene_open(&it, storage);
    compare("sinew_gl_model_create", &before);
    assert_int_equal(sinew_gl_model_update(it.on_gpu, it.pose, &error), SINEW_OK);
    compare("sinew_gl_model_update", &before);
    assert_int_equal(sinew_gl_draw(it.on_gpu, it.pose, NULL, identity, &error), SINEW_OK);
    compare("sinew_gl_draw", &before);
    assert_int_equal(sinew_gl_item_capture(it.on_gpu, 0, positions, captured_normals, NULL, &error),
                     SINEW_OK);
    compare("sinew_gl_item_capture", &before);
    assert_memory_equal(positions, square, sizeof positions);
    scene_close(&it);
    compare("sinew_gl_free", &before);
}

static void the_state_of_the_host_is_left(void **state) {
    (void)state;
    make_framebuffer(GL_RGBA8);
    set_everything();
    on_all_storages(check_state);
    gl.Disable(GL_BLEND);
    on_all_storages(check_state);
}

/* ---- the host draws ---- */

static GLuint compile(GLenum stage, const char *const texts[3]) {
    GLuint shader = gl.CreateShader(stage);
    gl.ShaderSource(shader, 3, texts, NULL);
    gl.CompileShader(shader);
    GLint done;
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        char log[1000];
        gl.GetShaderInfoLog(shader, sizeof log, NULL, log);
        fail_msg("%s", log);
    }
    return shader;
}

/* The version that gl.h names for the storage; a point of the host's for shader storage. */
static const char *head_of(sinew_gl_storage storage) {
    return storage == SINEW_GL_STORAGE_SSBO ? "#version 310 es\n#define SINEW_STORAGE_BINDING 2\n"
           : storage == SINEW_GL_STORAGE_TBO3 || storage == SINEW_GL_STORAGE_TBO4
               ? "#version 320 es\n"
               : "#version 300 es\n";
}

static GLuint host_program(const char *head, const char *chunk) {
    GLuint program = gl.CreateProgram();
    const char *const vertex[3] = {head, chunk,
                                   "layout(location = SINEW_LOCATION_POSITION) in vec3 p;\n"
                                   "layout(location = SINEW_LOCATION_NORMAL) in vec3 n;\n"
                                   "out vec3 v_normal;\n"
                                   "void main() {\n"
                                   "    gl_Position = vec4(sinew_position(p), 1.0);\n"
                                   "    v_normal = sinew_normal(n) * sinew_side();\n"
                                   "}\n"};
    const char *const fragment[3] = {head, "precision mediump float;\n",
                                     "in vec3 v_normal;\nout vec4 color;\n"
                                     "void main() { color = vec4(abs(v_normal), 1.0); }\n"};
    gl.AttachShader(program, compile(GL_VERTEX_SHADER, vertex));
    gl.AttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
    gl.LinkProgram(program);
    return program;
}

static void check_host(sinew_gl_storage storage) {
    scene it;
    make_framebuffer(GL_RGBA8);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    scene_open(&it, storage);
    sinew_gl_skinning wish = sinew_gl_item_skinning(it.on_gpu, 0);
    GLuint program =
        host_program(head_of(wish.storage), sinew_gl_skinning_source(it.sinew, &wish, NULL));
    assert_int_equal(sinew_gl_model_update(it.on_gpu, it.pose, NULL), SINEW_OK);
    gl.UseProgram(program);
    sinew_gl_item_bind(it.on_gpu, 0, program, 4);
    sinew_gl_item_draw(it.on_gpu, 0);
    assert_no_error("a draw of the host");
    assert_center(0, 0, 255);
    gl.UseProgram(0);
    gl.DeleteProgram(program);
    scene_close(&it);
}

static void a_host_draws_with_its_own_program(void **state) {
    (void)state;
    on_all_storages(check_host);
}

static int run(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_come_out_in_srgb),
        cmocka_unit_test(a_texture_of_the_host_is_looked_up),
        cmocka_unit_test(a_host_draws_with_its_own_program),
        cmocka_unit_test(the_state_of_the_host_is_left),
    };
    return cmocka_run_group_tests_name("gl es draw", tests, open_context, close_context);
}

int main(void) {
    return test_on_es_versions(run);
}
