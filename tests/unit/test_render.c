/* render: pictures in and out, whatever the bytes are, and a camera that holds its
 * subject. What is drawn is looked at by tests/image. */
#include "render/render_private.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jpeglib.h>

static uint32_t random_state = 1;

static uint32_t random_bits(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

static float random_float(void) {
    return (float)random_bits() / (float)(1u << 24) * 2 - 1;
}

/* ---- pictures ---- */

static sinew_picture make_picture(uint32_t width, uint32_t height, bool opaque) {
    sinew_picture picture = {width, height, malloc((size_t)width * height * 4)};
    for (size_t k = 0; k < (size_t)width * height * 4; k++) {
        picture.pixels[k] = (uint8_t)random_bits();
    }
    for (size_t k = 0; opaque && k < (size_t)width * height; k++) {
        picture.pixels[4 * k + 3] = 255;
    }
    return picture;
}

static void a_png_comes_back_as_it_was(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {64, 1}, {1, 64}, {37, 41}};
    for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
        sinew_error error = {0};
        sinew_picture out = make_picture(sizes[k / 2][0], sizes[k / 2][1], k % 2 == 0), in;
        size_t size = 0;
        uint8_t *png = sinew_picture_encode_png(&out, &size, &error);
        assert_non_null(png);
        assert_int_equal(sinew_picture_decode(png, size, &in, &error), SINEW_OK);
        assert_int_equal(in.width, out.width);
        assert_int_equal(in.height, out.height);
        assert_memory_equal(in.pixels, out.pixels, (size_t)out.width * out.height * 4);
        free(png);
        sinew_picture_free(&in);
        sinew_picture_free(&out);
    }
}

static void a_png_says_that_it_is_srgb(void **state) {
    (void)state;
    sinew_picture picture = make_picture(2, 2, true);
    size_t size = 0;
    uint8_t *png = sinew_picture_encode_png(&picture, &size, NULL);
    assert_non_null(png);
    bool found = false;
    for (size_t k = 0; k + 4 < size; k++) {
        found = found || memcmp(png + k, "sRGB", 4) == 0;
    }
    assert_true(found);
    free(png);
    sinew_picture_free(&picture);
}

static uint8_t *make_jpeg(const uint8_t *samples, uint32_t side, int channels,
                          unsigned long *size) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    uint8_t *bytes = NULL;
    *size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, size);
    jpeg.image_width = jpeg.image_height = side;
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : (channels == 3 ? JCS_RGB : JCS_CMYK);
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (uint32_t y = 0; y < side; y++) {
        JSAMPROW row = (JSAMPROW)(uintptr_t)(samples + (size_t)y * side * (size_t)channels);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return bytes;
}

/* A JPEG of one colour in 1, 3 or 4 channels (inks as Adobe writes them, inverted). */
static uint8_t *plain_jpeg(const uint8_t *color, int channels, unsigned long *size) {
    uint8_t samples[16 * 16 * 4];
    for (int k = 0; k < 16 * 16; k++) {
        memcpy(samples + k * channels, color, (size_t)channels);
    }
    return make_jpeg(samples, 16, channels, size);
}

static void a_jpeg_has_its_colours_in_every_kind(void **state) {
    (void)state;
    static const struct {
        int channels;
        uint8_t in[4], out[3];
    } rows[] = {{1, {100}, {100, 100, 100}},
                {3, {200, 60, 20}, {200, 60, 20}},
                {4, {255, 255, 255, 255}, {255, 255, 255}},
                {4, {200, 100, 50, 255}, {200, 100, 50}},
                {4, {255, 255, 255, 0}, {0, 0, 0}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        unsigned long size = 0;
        uint8_t *jpeg = plain_jpeg(rows[k].in, rows[k].channels, &size);
        sinew_picture picture;
        assert_int_equal(sinew_picture_decode(jpeg, size, &picture, NULL), SINEW_OK);
        assert_int_equal(picture.width, 16);
        for (int channel = 0; channel < 3; channel++) {
            assert_in_range(picture.pixels[4 * 37 + channel] + 3 - rows[k].out[channel], 0, 6);
        }
        assert_int_equal(picture.pixels[4 * 37 + 3], 255);
        sinew_picture_free(&picture);
        free(jpeg);
    }
}

/* 2 x 2 without loss, red, green, blue, white; and 16 x 16 with loss, red, the right half
 * clear: by libwebp 1.2.4, WebPEncodeLosslessRGBA and WebPEncodeRGBA. */
static const uint8_t webp_exact[] = {
    0x52, 0x49, 0x46, 0x46, 0x36, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x4c,
    0x29, 0x00, 0x00, 0x00, 0x2f, 0x01, 0x40, 0x00, 0x00, 0x1f, 0x20, 0x10, 0x20, 0xca, 0x6c, 0x0a,
    0x34, 0x62, 0x43, 0x20, 0x40, 0xa4, 0x18, 0x52, 0x6a, 0x92, 0x90, 0x80, 0x38, 0x61, 0x96, 0xff,
    0xcd, 0x16, 0xf3, 0x1f, 0x7f, 0x48, 0x49, 0x81, 0x75, 0x88, 0xe8, 0x7f, 0x04, 0x00};
static const uint8_t webp_lossy[] = {
    0x52, 0x49, 0x46, 0x46, 0x68, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x58,
    0x0a, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x41, 0x4c,
    0x50, 0x48, 0x12, 0x00, 0x00, 0x00, 0x01, 0x0f, 0x30, 0xff, 0x11, 0x11, 0x42, 0x2c, 0x98, 0xcc,
    0x5f, 0xba, 0x3b, 0x83, 0x88, 0xfe, 0x47, 0x2e, 0x56, 0x50, 0x38, 0x20, 0x30, 0x00, 0x00, 0x00,
    0xd0, 0x01, 0x00, 0x9d, 0x01, 0x2a, 0x10, 0x00, 0x10, 0x00, 0x00, 0xc0, 0x12, 0x25, 0xa0, 0x02,
    0x74, 0xba, 0x01, 0xf8, 0x00, 0x03, 0xb0, 0x00, 0xfe, 0xf9, 0x36, 0xcf, 0xff, 0x3b, 0x06, 0xc4,
    0xbb, 0x5e, 0x39, 0xff, 0xfb, 0x8f, 0x2f, 0xdc, 0x79, 0x7e, 0xe3, 0xcb, 0xff, 0x71, 0x40, 0x00};

/* Skips in a build without libwebp. */
static sinew_picture decode_webp(const uint8_t *data, size_t size) {
    sinew_picture picture;
    sinew_error error = {0};
    sinew_result result = sinew_picture_decode(data, size, &picture, &error);
    if (result == SINEW_ERROR_UNSUPPORTED) {
        assert_non_null(strstr(error.message, "libwebp"));
        skip();
    }
    assert_int_equal(result, SINEW_OK);
    return picture;
}

static void a_webp_has_its_colours(void **state) {
    (void)state;
    static const uint8_t corners[] = {200, 30, 40,  255, 20,  180, 60,  255,
                                      30,  60, 220, 255, 255, 255, 255, 255};
    sinew_picture picture = decode_webp(webp_exact, sizeof webp_exact);
    assert_int_equal(picture.width, 2);
    assert_memory_equal(picture.pixels, corners, sizeof corners);
    sinew_picture_free(&picture);
    picture = decode_webp(webp_lossy, sizeof webp_lossy);
    assert_int_equal(picture.height, 16);
    for (int channel = 0; channel < 3; channel++) {
        assert_in_range(picture.pixels[channel] + 6 - corners[channel], 0, 12);
    }
    assert_int_equal(picture.pixels[3], 255);
    assert_int_equal(picture.pixels[4 * 15 + 3], 0);
    sinew_picture_free(&picture);
}

/* What is cut short or has wrong bytes gives a picture or an error, never a crash. The
 * sanitizers look on. */
static void mistreat(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size);
    sinew_picture picture;
    for (size_t length = 0; length < size; length += 1 + size / 97) {
        memcpy(copy, bytes, length);
        sinew_picture_decode(copy, length, &picture, NULL);
        sinew_picture_free(&picture);
    }
    for (int k = 0; k < 300; k++) {
        memcpy(copy, bytes, size);
        for (int n = 0; n < 1 + k % 4; n++) {
            copy[random_bits() % size] = (uint8_t)random_bits();
        }
        sinew_error error = {0};
        sinew_result result = sinew_picture_decode(copy, size, &picture, &error);
        assert_int_equal(result == SINEW_OK, picture.pixels != NULL);
        assert_int_equal(result == SINEW_OK, error.message[0] == '\0');
        sinew_picture_free(&picture);
    }
    free(copy);
}

static void broken_pictures_are_told_and_survived(void **state) {
    (void)state;
    uint8_t samples[32 * 32 * 3];
    for (size_t k = 0; k < sizeof samples; k++) {
        samples[k] = (uint8_t)random_bits();
    }
    sinew_picture picture = make_picture(32, 32, false);
    size_t png_size = 0;
    uint8_t *png = sinew_picture_encode_png(&picture, &png_size, NULL);
    mistreat(png, png_size);
    unsigned long jpeg_size = 0;
    uint8_t *jpeg = make_jpeg(samples, 32, 3, &jpeg_size);
    mistreat(jpeg, jpeg_size);
    mistreat(webp_exact, sizeof webp_exact);
    mistreat(webp_lossy, sizeof webp_lossy);
    free(jpeg);
    free(png);
    sinew_picture_free(&picture);
}

static void what_is_no_picture_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"", "x", "RIFF....WEBPVP8 ", "\x89PNG\r\n\x1a\n",
                                        "\xff\xd8\xff"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sinew_picture picture;
        sinew_error error = {0};
        assert_int_not_equal(
            sinew_picture_decode((const uint8_t *)texts[k], strlen(texts[k]), &picture, &error),
            SINEW_OK);
        assert_null(picture.pixels);
        assert_true(error.message[0] != '\0');
    }
}

/* A few bytes that claim a side of 60,000 must not take gigabytes. */
static void a_picture_beyond_the_limits_is_refused(void **state) {
    (void)state;
    uint8_t png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x06\0\0\0"
                    "\0\0\0\0\0\0\0\0IEND";
    sinew_picture picture;
    sinew_error error = {0};
    assert_int_equal(sinew_picture_decode(png, sizeof png - 1, &picture, &error),
                     SINEW_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "60000"));
}

/* ---- textures ---- */

static void srgb_and_linear_are_inverse(void **state) {
    (void)state;
    for (int k = 0; k <= 255; k++) {
        float back = sinewi_linear_to_srgb(sinewi_srgb_to_linear((float)k / 255)) * 255;
        assert_true(fabsf(back - (float)k) < 0.01f);
    }
}

/* ---- the camera ---- */

#define CLOUD 500

/* The largest |x| and |y| of the points in the picture, -1 .. 1; all must be before the
 * camera and between the planes. */
static void projected(const float *points, size_t count, const sinewi_camera *camera, float low[2],
                      float high[2]) {
    low[0] = low[1] = HUGE_VALF;
    high[0] = high[1] = -HUGE_VALF;
    for (size_t k = 0; k < count; k++) {
        const float *p = points + 3 * k, *m = camera->matrix;
        float clip[4];
        for (int row = 0; row < 4; row++) {
            clip[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
        }
        assert_true(clip[3] > 0);
        assert_true(clip[2] > -clip[3] && clip[2] < clip[3]);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fminf(low[axis], clip[axis] / clip[3]);
            high[axis] = fmaxf(high[axis], clip[axis] / clip[3]);
        }
    }
}

/* Boxes, needles and sheets, each within the unit ball as frame space has it. */
static void make_cloud(int shape, float *points) {
    static const float sizes[][3] = {{0.57f, 0.57f, 0.57f}, {1, 0.01f, 0.01f}, {0.01f, 1, 0.02f},
                                     {0.7f, 0, 0.7f},       {0.7f, 0.7f, 0},   {0, 0, 1}};
    for (size_t k = 0; k < CLOUD; k++) {
        for (int axis = 0; axis < 3; axis++) {
            points[3 * k + axis] = sizes[shape][axis] * random_float();
        }
    }
}

static void every_point_is_in_the_picture_which_they_fill(void **state) {
    (void)state;
    static const float aspects[] = {16.0f / 9, 1, 0.5f, 8, 0.1f};
    float points[3 * CLOUD], low[2], high[2];
    for (int shape = 0; shape < 6; shape++) {
        make_cloud(shape, points);
        for (int k = 0; k < 200; k++) {
            sinewi_view view = {.azimuth = 3.2f * random_float(),
                                .elevation = 1.5707f * random_float(),
                                .aspect = aspects[k % 5]};
            sinewi_camera camera;
            sinewi_camera_fit(points, CLOUD, &view, &camera);
            projected(points, CLOUD, &camera, low, high);
            float most = 0;
            for (int axis = 0; axis < 2; axis++) {
                assert_true(fabsf(low[axis] + high[axis]) < 1e-3f); /* in the middle */
                most = fmaxf(most, high[axis]);
            }
            assert_true(most < 1 - SINEWI_MARGIN + 1e-3f);
            /* Filled, unless the subject has next to no extent across the view. */
            if (shape == 0) {
                assert_true(most > 1 - SINEWI_MARGIN - 1e-3f);
            }
        }
    }
}

static void zoom_is_a_factor_in_the_picture(void **state) {
    (void)state;
    float points[3 * CLOUD], low[2], high[2], near_low[2], near_high[2];
    sinewi_view view = {.azimuth = 0.5f, .elevation = 0.2f, .aspect = 1.5f};
    sinewi_camera camera;
    make_cloud(0, points);
    sinewi_camera_fit(points, CLOUD, &view, &camera);
    projected(points, CLOUD, &camera, low, high);
    view.zoom = 2;
    sinewi_camera_fit(points, CLOUD, &view, &camera);
    projected(points, CLOUD, &camera, near_low, near_high);
    for (int axis = 0; axis < 2; axis++) {
        assert_true(fabsf(near_low[axis] - 2 * low[axis]) < 1e-4f);
        assert_true(fabsf(near_high[axis] - 2 * high[axis]) < 1e-4f);
    }
}

static void one_point_or_none_gives_a_finite_camera(void **state) {
    (void)state;
    static const float point[3] = {0, 0, 0};
    sinewi_view view = {.azimuth = 1, .elevation = 1.57079633f, .aspect = 1};
    for (size_t count = 0; count <= 1; count++) {
        sinewi_camera camera;
        sinewi_light light;
        sinewi_camera_fit(point, count, &view, &camera);
        sinewi_light_fit(point, count, 1, &light);
        for (int k = 0; k < 16; k++) {
            assert_true(isfinite(camera.matrix[k]));
            assert_true(isfinite(light.matrix[k]));
        }
    }
}

static void the_light_sees_every_point(void **state) {
    (void)state;
    float points[3 * CLOUD];
    for (int shape = 0; shape < 6; shape++) {
        sinewi_light light;
        make_cloud(shape, points);
        sinewi_light_fit(points, CLOUD, random_float(), &light);
        for (size_t k = 0; k < CLOUD; k++) {
            for (int row = 0; row < 3; row++) {
                float value = light.matrix[12 + row];
                for (int axis = 0; axis < 3; axis++) {
                    value += light.matrix[4 * axis + row] * points[3 * k + axis];
                }
                assert_true(fabsf(value) < 1);
            }
        }
    }
}

/* ---- contexts ---- */

/* Pictures are of GL 3.3, and say so; the context itself serves the room gl. */
static void pictures_on_es_are_refused(void **state) {
    (void)state;
    sinew_error error = {SINEW_OK, "", ""};
    sinew_offscreen *offscreen = sinew_offscreen_create_es(&error);
    if (!offscreen) {
        skip();
    }
    const sinew_gl_options options = {.loader = sinew_offscreen_loader};
    sinew_gl *gl = sinew_gl_create(&options, &error);
    assert_non_null(gl);
    assert_true(sinew_gl_info_of(gl)->es);
    sinew_gl_free(gl);
    const sinew_model nothing = {.default_scene = SINEW_NONE};
    const sinew_render_options size = {.width = 8, .height = 8};
    assert_null(sinew_renderer_create(sinew_offscreen_loader, &nothing, &size, &error));
    assert_int_equal(error.result, SINEW_ERROR_GL);
    assert_non_null(strstr(error.message, "pictures need OpenGL 3.3 core"));
    sinew_offscreen_free(offscreen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_comes_back_as_it_was),
        cmocka_unit_test(a_png_says_that_it_is_srgb),
        cmocka_unit_test(a_jpeg_has_its_colours_in_every_kind),
        cmocka_unit_test(a_webp_has_its_colours),
        cmocka_unit_test(broken_pictures_are_told_and_survived),
        cmocka_unit_test(what_is_no_picture_is_refused),
        cmocka_unit_test(a_picture_beyond_the_limits_is_refused),
        cmocka_unit_test(srgb_and_linear_are_inverse),
        cmocka_unit_test(every_point_is_in_the_picture_which_they_fill),
        cmocka_unit_test(zoom_is_a_factor_in_the_picture),
        cmocka_unit_test(one_point_or_none_gives_a_finite_camera),
        cmocka_unit_test(the_light_sees_every_point),
        cmocka_unit_test(pictures_on_es_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
