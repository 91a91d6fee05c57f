/* Every public function leaves the state of the host as it found it, but for what gl.h
 * says. The host here has bound and set something else than the default everywhere. */
#include "sinew/gl.h"

#include "gl_context.h"
#include "models.h"

#include <glad/gl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- what is compared ---- */

typedef struct value {
    GLenum name;
    int count;
} value;

static const value values[] = {
    {GL_CURRENT_PROGRAM, 1},
    {GL_VERTEX_ARRAY_BINDING, 1},
    {GL_ARRAY_BUFFER_BINDING, 1},
    {GL_ELEMENT_ARRAY_BUFFER_BINDING, 1},
    {GL_UNIFORM_BUFFER_BINDING, 1},
    {GL_PIXEL_PACK_BUFFER_BINDING, 1},
    {GL_PIXEL_UNPACK_BUFFER_BINDING, 1},
    {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 1},
    {GL_DRAW_FRAMEBUFFER_BINDING, 1},
    {GL_READ_FRAMEBUFFER_BINDING, 1},
    {GL_RENDERBUFFER_BINDING, 1},
    {GL_ACTIVE_TEXTURE, 1},
    {GL_VIEWPORT, 4},
    {GL_SCISSOR_BOX, 4},
    {GL_COLOR_WRITEMASK, 4},
    {GL_COLOR_CLEAR_VALUE, 4},
    {GL_DEPTH_WRITEMASK, 1},
    {GL_DEPTH_FUNC, 1},
    {GL_CULL_FACE_MODE, 1},
    {GL_FRONT_FACE, 1},
    {GL_POLYGON_MODE, 1},
    {GL_BLEND_SRC_RGB, 1},
    {GL_BLEND_DST_RGB, 1},
    {GL_BLEND_SRC_ALPHA, 1},
    {GL_BLEND_DST_ALPHA, 1},
    {GL_BLEND_EQUATION_RGB, 1},
    {GL_BLEND_EQUATION_ALPHA, 1},
    {GL_BLEND_COLOR, 4},
    {GL_STENCIL_FUNC, 1},
    {GL_STENCIL_REF, 1},
    {GL_STENCIL_FAIL, 1},
    {GL_STENCIL_WRITEMASK, 1},
    {GL_LOGIC_OP_MODE, 1},
    {GL_LINE_WIDTH, 1},
    {GL_POINT_SIZE, 1},
    {GL_PRIMITIVE_RESTART_INDEX, 1},
    {GL_PROVOKING_VERTEX, 1},
    {GL_DRAW_BUFFER, 1},
    {GL_READ_BUFFER, 1},
    {GL_UNPACK_SWAP_BYTES, 1},
    {GL_UNPACK_LSB_FIRST, 1},
    {GL_UNPACK_ROW_LENGTH, 1},
    {GL_UNPACK_IMAGE_HEIGHT, 1},
    {GL_UNPACK_SKIP_ROWS, 1},
    {GL_UNPACK_SKIP_PIXELS, 1},
    {GL_UNPACK_SKIP_IMAGES, 1},
    {GL_UNPACK_ALIGNMENT, 1},
    {GL_PACK_ALIGNMENT, 1},
    {GL_PACK_ROW_LENGTH, 1},
};

static const GLenum switches[] = {
    GL_DEPTH_TEST,
    GL_CULL_FACE,
    GL_SCISSOR_TEST,
    GL_STENCIL_TEST,
    GL_POLYGON_OFFSET_FILL,
    GL_PRIMITIVE_RESTART,
    GL_RASTERIZER_DISCARD,
    GL_FRAMEBUFFER_SRGB,
    GL_MULTISAMPLE,
    GL_PROGRAM_POINT_SIZE,
    GL_COLOR_LOGIC_OP,
    GL_DITHER,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_DEPTH_CLAMP,
};

static const GLenum texture_bindings[] = {GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_BUFFER,
                                          GL_TEXTURE_BINDING_CUBE_MAP, GL_SAMPLER_BINDING};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define UNITS 8
#define DRAW_BUFFERS 4
#define ATTRIBUTES 16

typedef struct snapshot {
    GLint values[COUNT(values)][4];
    GLboolean switches[COUNT(switches)];
    GLint units[UNITS][COUNT(texture_bindings)];
    GLboolean blend[DRAW_BUFFERS];
    GLuint attributes[ATTRIBUTES][4];
    GLint feedback_buffer[4];
    GLint64 feedback_start[4], feedback_size[4];
    GLint uniform_buffer[4];
} snapshot;

static GladGLContext gl;

static void take(snapshot *out) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < COUNT(values); i++) {
        gl.GetIntegerv(values[i].name, out->values[i]);
    }
    for (size_t i = 0; i < COUNT(switches); i++) {
        out->switches[i] = gl.IsEnabled(switches[i]);
    }
    GLint active;
    gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (GLuint unit = 0; unit < UNITS; unit++) {
        gl.ActiveTexture(GL_TEXTURE0 + unit);
        for (size_t i = 0; i < COUNT(texture_bindings); i++) {
            gl.GetIntegerv(texture_bindings[i], &out->units[unit][i]);
        }
    }
    gl.ActiveTexture((GLenum)active);
    for (GLuint i = 0; i < DRAW_BUFFERS; i++) {
        out->blend[i] = gl.IsEnabledi(GL_BLEND, i);
        gl.GetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, i, &out->feedback_buffer[i]);
        gl.GetInteger64i_v(GL_TRANSFORM_FEEDBACK_BUFFER_START, i, &out->feedback_start[i]);
        gl.GetInteger64i_v(GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, i, &out->feedback_size[i]);
        gl.GetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, i, &out->uniform_buffer[i]);
    }
    for (GLuint i = 0; i < ATTRIBUTES; i++) {
        gl.GetVertexAttribIuiv(i, GL_CURRENT_VERTEX_ATTRIB, out->attributes[i]);
    }
}

static void compare(const char *call, const snapshot *before) {
    snapshot after;
    take(&after);
    for (size_t i = 0; i < COUNT(values); i++) {
        for (int k = 0; k < values[i].count; k++) {
            if (before->values[i][k] != after.values[i][k]) {
                fail_msg("%s changes 0x%04x from %d to %d", call, values[i].name,
                         before->values[i][k], after.values[i][k]);
            }
        }
    }
    for (size_t i = 0; i < COUNT(switches); i++) {
        if (before->switches[i] != after.switches[i]) {
            fail_msg("%s switches 0x%04x to %d", call, switches[i], after.switches[i]);
        }
    }
    for (size_t unit = 0; unit < UNITS; unit++) {
        for (size_t i = 0; i < COUNT(texture_bindings); i++) {
            if (before->units[unit][i] != after.units[unit][i]) {
                fail_msg("%s changes 0x%04x of unit %zu", call, texture_bindings[i], unit);
            }
        }
    }
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        if (memcmp(before->attributes[i], after.attributes[i], sizeof after.attributes[i]) != 0) {
            fail_msg("%s changes the constant attribute %zu", call, i);
        }
    }
    assert_memory_equal(before->blend, after.blend, sizeof after.blend);
    assert_memory_equal(before->feedback_buffer, after.feedback_buffer,
                        sizeof after.feedback_buffer);
    assert_memory_equal(before->feedback_start, after.feedback_start, sizeof after.feedback_start);
    assert_memory_equal(before->feedback_size, after.feedback_size, sizeof after.feedback_size);
    assert_memory_equal(before->uniform_buffer, after.uniform_buffer, sizeof after.uniform_buffer);
    GLenum error = gl.GetError();
    if (error) {
        fail_msg("%s leaves the error 0x%04x", call, error);
    }
}

/* ---- a host that uses everything ---- */

static GLuint program, framebuffer, textures[UNITS], samplers[UNITS];

static GLuint link_program(void) {
    const char *vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n";
    const char *fragment = "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n";
    GLuint made = gl.CreateProgram();
    const char *texts[2] = {vertex, fragment};
    const GLenum stages[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    for (int i = 0; i < 2; i++) {
        GLuint shader = gl.CreateShader(stages[i]);
        gl.ShaderSource(shader, 1, &texts[i], NULL);
        gl.CompileShader(shader);
        gl.AttachShader(made, shader);
        gl.DeleteShader(shader);
    }
    gl.LinkProgram(made);
    return made;
}

static void bind_framebuffer(void) {
    GLuint buffers[3];
    gl.GenRenderbuffers(3, buffers);
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLenum formats[3] = {GL_RGBA8, GL_RGBA8, GL_DEPTH24_STENCIL8};
    const GLenum points[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                              GL_DEPTH_STENCIL_ATTACHMENT};
    for (int i = 0; i < 3; i++) {
        gl.BindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        gl.RenderbufferStorage(GL_RENDERBUFFER, formats[i], 64, 64);
        gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, points[i], GL_RENDERBUFFER, buffers[i]);
    }
    assert_int_equal(gl.CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static void bind_textures(void) {
    gl.GenTextures(UNITS, textures);
    gl.GenSamplers(UNITS, samplers);
    GLuint buffer, buffer_texture;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_TEXTURE_BUFFER, buffer);
    gl.BufferData(GL_TEXTURE_BUFFER, 64, NULL, GL_STATIC_DRAW);
    gl.GenTextures(1, &buffer_texture);
    for (GLuint i = 0; i < UNITS; i++) {
        gl.ActiveTexture(GL_TEXTURE0 + i);
        gl.BindTexture(GL_TEXTURE_2D, textures[i]);
        gl.BindTexture(GL_TEXTURE_BUFFER, buffer_texture);
        gl.BindSampler(i, samplers[i]);
        gl.SamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    }
    gl.TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
    gl.ActiveTexture(GL_TEXTURE5);
}

static void bind_buffers(void) {
    GLuint buffers[4], array;
    gl.GenBuffers(4, buffers);
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.BindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[1]);
    gl.BindBuffer(GL_PIXEL_PACK_BUFFER, buffers[1]);
    gl.BindBuffer(GL_UNIFORM_BUFFER, buffers[2]);
    gl.BufferData(GL_UNIFORM_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    gl.BindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[2], 256, 512);
    gl.BindBufferBase(GL_UNIFORM_BUFFER, 1, buffers[2]);
    gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffers[3]);
    gl.BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 1024, NULL, GL_STATIC_DRAW);
    gl.BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[3], 16, 256);
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, buffers[3]);
    gl.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffers[2]);
}

static void set_everything(void) {
    gl.UseProgram(program);
    gl.Viewport(1, 2, 60, 61);
    gl.Scissor(3, 4, 50, 51);
    gl.ColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    gl.DepthMask(GL_FALSE);
    gl.DepthFunc(GL_GEQUAL);
    gl.CullFace(GL_FRONT);
    gl.FrontFace(GL_CW);
    gl.BlendFuncSeparate(GL_ONE, GL_DST_COLOR, GL_ZERO, GL_SRC_ALPHA);
    gl.BlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
    gl.Enablei(GL_BLEND, 1);
    gl.PrimitiveRestartIndex(0);
    gl.Enable(GL_PRIMITIVE_RESTART);
    gl.Enable(GL_SCISSOR_TEST);
    gl.Enable(GL_STENCIL_TEST);
    gl.PixelStorei(GL_UNPACK_SWAP_BYTES, 1);
    gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 77);
    gl.PixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    gl.PixelStorei(GL_UNPACK_SKIP_PIXELS, 5);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 8);
    for (GLuint i = 0; i < ATTRIBUTES; i++) {
        gl.VertexAttrib4f(i, (float)i, 0.25f, -3.0f, 7.0f);
    }
}

static int open_context(void **state) {
    *state = test_context_create();
    gladLoadGLContext(&gl, (GLADloadfunc)test_loader);
    program = link_program();
    bind_framebuffer();
    bind_textures();
    bind_buffers();
    set_everything();
    return 0;
}

static int close_context(void **state) {
    test_context_free((EGLContext)*state);
    return 0;
}

/* ---- a model with all that can be touched ---- */

static test_model *rich_model(void) {
    static sinew_material materials[3];
    static sinew_texture texture;
    test_wish wish = {.seed = 4, .joints = 5, .vertices = 30, .sets = 3, .targets = 2};
    test_model *made = test_random_model(&wish);
    static float texcoords[60];
    for (uint32_t i = 0; i < 3; i++) {
        materials[i] = (sinew_material){.name = "",
                                        .base_color = {1, 1, 1, 0.5f},
                                        .alpha_mode = (sinew_alpha_mode)i,
                                        .double_sided = i == 2,
                                        .base_color_texture = {.texture = 0, .tiling = {1, 1}}};
        sinew_primitive next = made->meshes[0].primitives[0];
        next.topology = SINEW_TRIANGLES;
        next.material = i;
        next.texcoords[0] = texcoords;
        test_add_primitive(made, 0, &next);
    }
    made->model.materials = materials;
    made->model.material_count = 3;
    made->model.textures = &texture;
    made->model.texture_count = 1;
    return made;
}

static void check_nothing_changes(sinew_gl_storage storage) {
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    test_model *made = rich_model();
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    test_random chance = {2};
    test_random_pose(&chance, 0, 0, pose);
    float positions[90], normals[90], tangents[120];
    sinew_error error;
    snapshot before;

    take(&before);
    sinew_gl *sinew = test_gl_create(storage);
    compare("sinew_gl_create", &before);
    sinew_gl_model *on_gpu = sinew_gl_model_create(sinew, model, NULL, &error);
    assert_non_null(on_gpu);
    compare("sinew_gl_model_create", &before);
    assert_int_equal(sinew_gl_model_update(on_gpu, pose, &error), SINEW_OK);
    compare("sinew_gl_model_update", &before);
    assert_int_equal(sinew_gl_model_check(on_gpu, pose, &error), SINEW_OK);
    sinew_gl_model_set_texture(on_gpu, 0, textures[3]);
    compare("sinew_gl_model_set_texture", &before);
    assert_int_equal(sinew_gl_draw(on_gpu, pose, NULL, identity, &error), SINEW_OK);
    compare("sinew_gl_draw", &before);
    assert_int_equal(sinew_gl_item_capture(on_gpu, 0, positions, normals, tangents, &error),
                     SINEW_OK);
    compare("sinew_gl_item_capture", &before);
    /* The samplers of the host, which ask for mipmaps, did no harm. */
    float clean[90];
    for (GLuint i = 0; i < UNITS; i++) {
        gl.BindSampler(i, 0);
    }
    assert_int_equal(sinew_gl_item_capture(on_gpu, 0, clean, NULL, NULL, &error), SINEW_OK);
    assert_memory_equal(clean, positions, sizeof clean);
    for (GLuint i = 0; i < UNITS; i++) {
        gl.BindSampler(i, samplers[i]);
    }
    sinew_gl_skinning wish = {.influences = 4};
    assert_non_null(sinew_gl_skinning_source(sinew, &wish, &error));
    compare("sinew_gl_skinning_source", &before);
    sinew_gl_model_free(on_gpu);
    compare("sinew_gl_model_free", &before);
    sinew_gl_free(sinew);
    compare("sinew_gl_free", &before);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void nothing_changes(void **state) {
    (void)state;
    for (int storage = 0; storage < SINEW_GL_STORAGE_COUNT; storage++) {
        if (storage != SINEW_GL_STORAGE_SSBO || gl.ARB_shader_storage_buffer_object) {
            check_nothing_changes((sinew_gl_storage)storage);
        }
    }
}

/* Also where a call fails. */
static void nothing_changes_when_a_call_fails(void **state) {
    (void)state;
    test_model *made = rich_model();
    const sinew_model *model = test_model_done(made);
    snapshot before;
    take(&before);
    sinew_gl_options options = {.loader = test_loader, .max_texture_size = 8};
    sinew_gl *small = sinew_gl_create(&options, NULL);
    sinew_error error;
    assert_null(sinew_gl_model_create(small, model, NULL, &error));
    assert_int_equal(error.result, SINEW_ERROR_LIMIT);
    compare("a sinew_gl_model_create that fails", &before);
    sinew_gl_free(small);
    test_model_free(made);
}

/* item_bind and item_draw change just what gl.h says. */
static void the_host_draws_and_finds_what_was_promised(void **state) {
    (void)state;
    test_model *made = rich_model();
    const sinew_model *model = test_model_done(made);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    sinew_gl *sinew = test_gl_create(SINEW_GL_STORAGE_AUTO);
    sinew_gl_model *on_gpu = sinew_gl_model_create(sinew, model, NULL, NULL);
    assert_int_equal(sinew_gl_model_update(on_gpu, pose, NULL), SINEW_OK);
    snapshot before;
    take(&before);
    sinew_gl_item_bind(on_gpu, 0, program, 6);
    GLint active;
    gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
    assert_true(active == GL_TEXTURE6 || active == GL_TEXTURE7);
    gl.ActiveTexture(GL_TEXTURE6);
    gl.BindTexture(GL_TEXTURE_BUFFER, (GLuint)before.units[6][1]);
    gl.ActiveTexture(GL_TEXTURE7);
    gl.BindTexture(GL_TEXTURE_2D, textures[7]);
    gl.BindSampler(7, samplers[7]);
    gl.ActiveTexture(GL_TEXTURE5);
    compare("sinew_gl_item_bind", &before);

    sinew_gl_item_draw(on_gpu, 0);
    GLint array;
    gl.GetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    assert_int_equal(array, 0);
    gl.BindVertexArray((GLuint)before.values[1][0]);
    gl.VertexAttrib4f(10, 10.0f, 0.25f, -3.0f, 7.0f);
    gl.VertexAttrib4f(5, 5.0f, 0.25f, -3.0f, 7.0f);
    compare("sinew_gl_item_draw", &before);
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(sinew);
    sinew_pose_free(pose);
    test_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes),
        cmocka_unit_test(nothing_changes_when_a_call_fails),
        cmocka_unit_test(the_host_draws_and_finds_what_was_promised),
    };
    return cmocka_run_group_tests_name("gl state", tests, open_context, close_context);
}
