/* What Sinew draws, and what a host draws with Sinew's chunk, seen by the pixels. */
#include "sinew/gl.h"

#include "gl_context.h"
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
    SIZE = 32
};

static GladGLContext gl;
static GLuint framebuffers[2]; /* linear, sRGB */

static void make_framebuffer(GLuint framebuffer, GLenum format) {
    GLuint buffers[2];
    gl.GenRenderbuffers(2, buffers);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.BindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    gl.RenderbufferStorage(GL_RENDERBUFFER, format, SIZE, SIZE);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    gl.BindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, SIZE, SIZE);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    assert_int_equal(gl.CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static int open_context(void **state) {
    *state = test_context_create();
    gladLoadGLContext(&gl, (GLADloadfunc)test_loader);
    gl.GenFramebuffers(2, framebuffers);
    make_framebuffer(framebuffers[0], GL_RGBA8);
    make_framebuffer(framebuffers[1], GL_SRGB8_ALPHA8);
    gl.Viewport(0, 0, SIZE, SIZE);
    return 0;
}

static int close_context(void **state) {
    test_context_free((EGLContext)*state);
    return 0;
}

/* ---- a model of squares ---- */

typedef struct scene {
    test_model *made;
    sinew_material materials[2];
    sinew_texture texture;
    uint32_t materials_used;
    sinew_pose *pose;
    sinew_gl *sinew;
    sinew_gl_model *on_gpu;
} scene;

/* The square from -1 to 1, as a strip that faces +Z. */
static const float square[12] = {-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0};
static const float square_normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float square_texcoords[8] = {0, 0, 1, 0, 0, 1, 1, 1};

static sinew_primitive square_of(uint32_t material) {
    return (sinew_primitive){.topology = SINEW_TRIANGLE_STRIP,
                             .material = material,
                             .vertex_count = 4,
                             .positions = square,
                             .normals = square_normals};
}

/* Seen from +Z: x to the right, y up, z -1 to 1 from far to near. */
static const float from_the_front[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};

static const sinew_material plain = {.name = "",
                                     .base_color = {0.5f, 0.25f, 0.125f, 1.0f},
                                     .unlit = true,
                                     .base_color_texture = {.texture = SINEW_NONE}};

static scene *scene_create(void) {
    static scene it;
    memset(&it, 0, sizeof it);
    it.made = test_model_create();
    it.materials[0] = it.materials[1] = plain;
    it.made->model.materials = it.materials;
    it.made->model.material_count = 2;
    it.made->model.textures = &it.texture;
    it.made->model.texture_count = 1;
    return &it;
}

/* A node at a depth with a square of a material. */
static uint32_t add_square(scene *it, float z, const sinew_primitive *primitive) {
    uint32_t node = test_add_node(it->made, SINEW_NONE, 0, 0, z);
    test_wear(it->made, node, test_add_mesh(it->made, primitive), SINEW_NONE);
    return node;
}

static void upload(scene *it) {
    sinew_error error;
    const sinew_model *model = test_model_done(it->made);
    it->pose = sinew_pose_create(model, NULL);
    it->sinew = test_gl_create(SINEW_GL_STORAGE_AUTO);
    it->on_gpu = sinew_gl_model_create(it->sinew, model, NULL, &error);
    if (!it->on_gpu) {
        fail_msg("%s", error.message);
    }
}

static void scene_free(scene *it) {
    sinew_gl_model_free(it->on_gpu);
    sinew_gl_free(it->sinew);
    sinew_pose_free(it->pose);
    test_model_free(it->made);
}

static void clear(void) {
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    gl.ClearColor(0, 0, 0, 0);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static void draw(scene *it, const float placement[16], const float view_projection[16]) {
    sinew_error error;
    if (sinew_gl_draw(it->on_gpu, it->pose, placement, view_projection, &error)) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
}

typedef struct pixel {
    uint8_t rgba[4];
} pixel;

static pixel pixel_at(int x, int y) {
    pixel out;
    gl.ReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, out.rgba);
    return out;
}

static void assert_pixel(pixel have, int r, int g, int b, int a) {
    const int want[4] = {r, g, b, a};
    for (int i = 0; i < 4; i++) {
        if (abs((int)have.rgba[i] - want[i]) > 1) {
            fail_msg("pixel %d %d %d %d, expected %d %d %d %d", have.rgba[0], have.rgba[1],
                     have.rgba[2], have.rgba[3], r, g, b, a);
        }
    }
}

static pixel draw_and_see(scene *it, const float placement[16], const float view_projection[16]) {
    clear();
    draw(it, placement, view_projection);
    return pixel_at(SIZE / 2, SIZE / 2);
}

/* ---- colours ---- */

static void linear_colours_come_out_in_srgb(void **state) {
    (void)state;
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    /* Encoded once, also where the framebuffer does it. */
    clear();
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
    gl.Enable(GL_FRAMEBUFFER_SRGB);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw(it, NULL, from_the_front);
    assert_pixel(pixel_at(4, 5), 188, 137, 99, 255);
    gl.Disable(GL_FRAMEBUFFER_SRGB);
    scene_free(it);
}

static void vertex_colours_multiply(void **state) {
    (void)state;
    static const float colors[16] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    scene *it = scene_create();
    sinew_primitive with_colors = square_of(0), without = square_of(0);
    with_colors.colors = colors;
    add_square(it, 0.5f, &with_colors);
    uint32_t second = add_square(it, -0.5f, &without);
    upload(it);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 0, 0, 255);
    it->pose->local[second].translation[2] = 0.75f;
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    scene_free(it);
}

static GLuint four_colours(void) {
    static const uint8_t texels[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                       0,   0, 255, 255, 255, 255, 255, 255};
    GLuint texture;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.BindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

static void base_colour_textures_are_looked_up(void **state) {
    (void)state;
    scene *it = scene_create();
    it->materials[0].base_color[0] = it->materials[0].base_color[1] = 1.0f;
    it->materials[0].base_color[2] = 1.0f;
    it->materials[0].base_color_texture =
        (sinew_texture_use){.texture = 0, .texcoord = 1, .tiling = {1, 1}};
    sinew_primitive from = square_of(0);
    from.texcoords[1] = square_texcoords;
    add_square(it, 0, &from);
    upload(it);
    clear();
    draw(it, NULL, from_the_front);
    assert_pixel(pixel_at(8, 8), 255, 255, 255, 255); /* not given yet */
    sinew_gl_model_set_texture(it->on_gpu, 0, four_colours());
    clear();
    draw(it, NULL, from_the_front);
    assert_pixel(pixel_at(8, 8), 255, 0, 0, 255);
    assert_pixel(pixel_at(24, 8), 0, 255, 0, 255);
    assert_pixel(pixel_at(8, 24), 0, 0, 255, 255);
    /* KHR_texture_transform: a quarter turn takes u, v to v, -u. */
    it->materials[0].base_color_texture.rotation = 1.57079633f;
    it->materials[0].base_color_texture.offset[1] = 1.0f;
    clear();
    draw(it, NULL, from_the_front);
    assert_pixel(pixel_at(8, 8), 0, 0, 255, 255);
    assert_pixel(pixel_at(24, 8), 255, 0, 0, 255);
    scene_free(it);
}

static void a_light_shows_the_shape(void **state) {
    (void)state;
    scene *it = scene_create();
    it->materials[0].unlit = false;
    sinew_primitive from = square_of(0);
    uint32_t node = add_square(it, 0, &from);
    upload(it);
    pixel facing = draw_and_see(it, NULL, from_the_front);
    const float down[4] = {0.57358f, 0, 0, 0.81915f}; /* 70 degrees about x */
    memcpy(it->pose->local[node].rotation, down, sizeof down);
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    pixel aside = draw_and_see(it, NULL, from_the_front);
    assert_true(facing.rgba[0] > aside.rgba[0] + 40 && aside.rgba[0] > 60);
    scene_free(it);
}

static void without_normals_it_is_flat(void **state) {
    (void)state;
    scene *it = scene_create();
    it->materials[0].unlit = false;
    sinew_primitive from = square_of(0);
    uint32_t node = add_square(it, 0, &from);
    from.normals = NULL;
    uint32_t other = add_square(it, 0.5f, &from);
    upload(it);
    const float tilt[4] = {0.17365f, 0, 0, 0.98481f}; /* 20 degrees about x */
    memcpy(it->pose->local[node].rotation, tilt, sizeof tilt);
    memcpy(it->pose->local[other].rotation, tilt, sizeof tilt);
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    pixel flat = draw_and_see(it, NULL, from_the_front);
    it->pose->local[node].translation[2] = 0.75f;
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    pixel smooth = draw_and_see(it, NULL, from_the_front);
    assert_pixel(flat, smooth.rgba[0], smooth.rgba[1], smooth.rgba[2], 255);
    scene_free(it);
}

/* ---- alpha ---- */

static void a_mask_cuts_out(void **state) {
    (void)state;
    scene *it = scene_create();
    it->materials[0].alpha_mode = SINEW_MASK;
    it->materials[0].alpha_cutoff = 0.5f;
    it->materials[0].base_color[3] = 0.4f;
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 0, 0, 0, 0);
    it->materials[0].base_color[3] = 0.6f;
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    /* Opaque means that alpha counts for nothing. */
    it->materials[0].alpha_mode = SINEW_OPAQUE;
    it->materials[0].base_color[3] = 0.1f;
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    scene_free(it);
}

/* What blends comes after what is opaque, whatever the order of the nodes. */
static void blending_comes_last(void **state) {
    (void)state;
    scene *it = scene_create();
    const float white[4] = {1, 1, 1, 0.25f};
    memcpy(it->materials[0].base_color, white, sizeof white);
    it->materials[0].alpha_mode = SINEW_BLEND;
    sinew_primitive glass = square_of(0), wall = square_of(1);
    add_square(it, 0.5f, &glass);
    add_square(it, -0.5f, &wall);
    add_square(it, -0.6f, &glass);
    upload(it);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 205, 167, 138, 255);
    /* A second pane behind the first is seen through it. */
    it->pose->local[1].translation[2] = -0.5f;
    it->pose->local[2].translation[2] = 0.25f;
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 217, 189, 167, 255);
    /* Behind the wall none is seen. */
    it->pose->local[2].translation[2] = -0.6f;
    it->pose->local[0].translation[2] = -0.75f;
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    scene_free(it);
}

/* ---- sides ---- */

static bool seen(scene *it, const float placement[16], const float view_projection[16]) {
    return draw_and_see(it, placement, view_projection).rgba[3] != 0;
}

static void back_faces_are_not_drawn(void **state) {
    (void)state;
    const float from_behind[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    assert_true(seen(it, NULL, from_the_front));
    assert_false(seen(it, NULL, from_behind));
    for (int mode = SINEW_OPAQUE; mode <= SINEW_BLEND; mode++) {
        it->materials[0].alpha_mode = (sinew_alpha_mode)mode;
        it->materials[0].double_sided = true;
        assert_true(seen(it, NULL, from_the_front));
        assert_true(seen(it, NULL, from_behind));
    }
    scene_free(it);
}

static void mirrors_turn_the_winding(void **state) {
    (void)state;
    const float mirror[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float through_z[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    uint32_t node = add_square(it, 0, &from);
    upload(it);
    /* A placement that mirrors: the front stays the front. */
    assert_true(seen(it, mirror, from_the_front));
    assert_false(seen(it, through_z, from_the_front));
    /* And a node that does. */
    it->pose->local[node].scale[0] = -1.0f;
    sinew_pose_changed(it->pose);
    sinew_pose_to_world(it->pose);
    assert_true(seen(it, NULL, from_the_front));
    assert_true(seen(it, mirror, from_the_front));
    scene_free(it);
}

static void a_picture_upside_down_keeps_its_fronts(void **state) {
    (void)state;
    /* A camera at z = 3, near 1, far 5. */
    float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.5f, -1, 0, 0, 2, 3};
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    assert_true(seen(it, NULL, perspective));
    perspective[5] = -1.0f;
    assert_true(seen(it, NULL, perspective));
    scene_free(it);
}

static void both_sides_are_lit(void **state) {
    (void)state;
    const float from_behind[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    scene *it = scene_create();
    it->materials[0].unlit = false;
    it->materials[0].double_sided = true;
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    pixel front = draw_and_see(it, NULL, from_the_front);
    assert_pixel(draw_and_see(it, NULL, from_behind), front.rgba[0], front.rgba[1], front.rgba[2],
                 255);
    scene_free(it);
}

static void the_restart_index_of_the_host_is_none_of_ours(void **state) {
    (void)state;
    static const uint32_t indices[4] = {0, 1, 2, 3};
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    from.indices = indices;
    from.index_count = 4;
    add_square(it, 0, &from);
    upload(it);
    gl.Enable(GL_PRIMITIVE_RESTART);
    gl.PrimitiveRestartIndex(1);
    assert_pixel(draw_and_see(it, NULL, from_the_front), 188, 137, 99, 255);
    gl.Disable(GL_PRIMITIVE_RESTART);
    scene_free(it);
}

static void a_placement_comes_after_the_skin(void **state) {
    (void)state;
    const float aside[16] = {0.25f, 0, 0, 0, 0, 0.25f, 0, 0, 0, 0, 0.25f, 0, 0.5f, -0.5f, 0, 1};
    scene *it = scene_create();
    sinew_primitive from = square_of(0);
    add_square(it, 0, &from);
    upload(it);
    clear();
    draw(it, aside, from_the_front);
    assert_pixel(pixel_at(24, 8), 188, 137, 99, 255);
    assert_pixel(pixel_at(16, 16), 0, 0, 0, 0);
    scene_free(it);
}

/* ---- the host draws ---- */

static GLuint compile(GLenum stage, const char *first, const char *second, const char *third) {
    const char *texts[3] = {first, second, third};
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

static GLuint host_program(const char *chunk) {
    GLuint program = gl.CreateProgram();
    gl.AttachShader(program,
                    compile(GL_VERTEX_SHADER, "#version 330 core\n", chunk,
                            "layout(location = SINEW_LOCATION_POSITION) in vec3 p;\n"
                            "layout(location = 1) in vec3 n;\n"
                            "out vec3 v_normal;\n"
                            "void main() {\n"
                            "    gl_Position = vec4(sinew_position(p) * vec3(1, 1, -1), 1.0);\n"
                            "    v_normal = sinew_normal(n) * sinew_side();\n"
                            "}\n"));
    gl.AttachShader(program, compile(GL_FRAGMENT_SHADER, "#version 330 core\n", "",
                                     "in vec3 v_normal;\nout vec4 color;\n"
                                     "void main() { color = vec4(abs(v_normal), 1.0); }\n"));
    gl.LinkProgram(program);
    return program;
}

static void a_host_draws_with_its_own_program(void **state) {
    (void)state;
    scene *it = scene_create();
    static uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    sinew_primitive from = square_of(0);
    from.topology = SINEW_TRIANGLES;
    from.indices = indices;
    from.index_count = 6;
    add_square(it, 0, &from);
    upload(it);
    uint32_t count;
    const sinew_gl_item *item = sinew_gl_model_items(it->on_gpu, &count);
    sinew_gl_skinning wish = {.influences = item->influences, .normals = item->has_normals};
    GLuint program = host_program(sinew_gl_skinning_source(it->sinew, &wish, NULL));
    clear();
    assert_int_equal(sinew_gl_model_update(it->on_gpu, it->pose, NULL), SINEW_OK);
    gl.UseProgram(program);
    sinew_gl_item_bind(it->on_gpu, 0, program, 4);
    sinew_gl_item_draw(it->on_gpu, 0);
    assert_int_equal(gl.GetError(), GL_NO_ERROR);
    assert_pixel(pixel_at(3, 28), 0, 0, 255, 255);
    gl.UseProgram(0);
    gl.DeleteProgram(program);
    scene_free(it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_colours_come_out_in_srgb),
        cmocka_unit_test(vertex_colours_multiply),
        cmocka_unit_test(base_colour_textures_are_looked_up),
        cmocka_unit_test(a_light_shows_the_shape),
        cmocka_unit_test(without_normals_it_is_flat),
        cmocka_unit_test(a_mask_cuts_out),
        cmocka_unit_test(blending_comes_last),
        cmocka_unit_test(back_faces_are_not_drawn),
        cmocka_unit_test(mirrors_turn_the_winding),
        cmocka_unit_test(a_picture_upside_down_keeps_its_fronts),
        cmocka_unit_test(both_sides_are_lit),
        cmocka_unit_test(the_restart_index_of_the_host_is_none_of_ours),
        cmocka_unit_test(a_placement_comes_after_the_skin),
        cmocka_unit_test(a_host_draws_with_its_own_program),
    };
    return cmocka_run_group_tests_name("gl draw", tests, open_context, close_context);
}
