/* Smaller versions of a picture. glGenerateMipmap would do, but a driver that draws them
 * compiles a program for every level, and averages colours that alpha hides. */
#include "render_private.h"

#include <math.h>
#include <stdlib.h>

#define STEPS 4096 /* of linear light; enough for every sRGB value to have its own */

typedef struct light_tables {
    float to_linear[256];
    uint8_t to_srgb[STEPS + 1];
} light_tables;

float sinewi_srgb_to_linear(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

float sinewi_linear_to_srgb(float c) {
    return c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f;
}

static void fill_tables(light_tables *tables, bool colors) {
    for (int k = 0; k < 256; k++) {
        float value = (float)k / 255;
        tables->to_linear[k] = colors ? sinewi_srgb_to_linear(value) : value;
    }
    for (int k = 0; k <= STEPS; k++) {
        float value = (float)k / STEPS;
        tables->to_srgb[k] =
            (uint8_t)((colors ? sinewi_linear_to_srgb(value) : value) * 255 + 0.5f);
    }
}

/* Four pixels into one: colours by how much is to be seen of them, numbers evenly. */
static void average(const light_tables *tables, bool colors, const uint8_t *const four[4],
                    uint8_t *out) {
    float sum[3] = {0, 0, 0}, weights = 0;
    int alpha = 0;
    for (int k = 0; k < 4; k++) {
        alpha += four[k][3];
    }
    bool even = !colors || alpha == 0 || alpha == 4 * 255;
    for (int k = 0; k < 4; k++) {
        float weight = even ? 1 : four[k][3];
        weights += weight;
        for (int channel = 0; channel < 3; channel++) {
            sum[channel] += weight * tables->to_linear[four[k][channel]];
        }
    }
    for (int channel = 0; channel < 3; channel++) {
        out[channel] = tables->to_srgb[(int)(sum[channel] / weights * STEPS + 0.5f)];
    }
    out[3] = (uint8_t)((alpha + 2) / 4);
}

/* Halves in both directions; the last row or column of an odd number is left out, as
 * OpenGL's sizes have it, and a side of 1 stays. */
static void halve(const light_tables *tables, bool colors, const sinew_picture *from,
                  sinew_picture *to) {
    size_t right = from->width > 1 ? 4 : 0, below = from->height > 1 ? 4 * (size_t)from->width : 0;
    to->width = from->width > 1 ? from->width / 2 : 1;
    to->height = from->height > 1 ? from->height / 2 : 1;
    for (uint32_t y = 0; y < to->height; y++) {
        const uint8_t *in = from->pixels + (below ? 2 * y * below : 0);
        uint8_t *out = to->pixels + 4 * (size_t)y * to->width;
        for (uint32_t x = 0; x < to->width; x++, in += 2 * right, out += 4) {
            const uint8_t *const four[4] = {in, in + right, in + below, in + right + below};
            average(tables, colors, four, out);
        }
    }
}

bool sinewi_upload_levels(const GladGLContext *gl, const sinew_picture *picture, bool colors) {
    light_tables tables;
    sinew_picture level = *picture, next = {0};
    size_t quarter = ((size_t)picture->width / 2 + 1) * ((size_t)picture->height / 2 + 1) * 4;
    uint8_t *blocks[2] = {malloc(quarter), malloc(quarter)};
    bool room = blocks[0] && blocks[1];
    fill_tables(&tables, colors);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (GLint k = 0; room; k++) {
        gl->TexImage2D(GL_TEXTURE_2D, k, colors ? GL_SRGB8_ALPHA8 : GL_RGBA8, (GLsizei)level.width,
                       (GLsizei)level.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, level.pixels);
        if (level.width == 1 && level.height == 1) {
            break;
        }
        next.pixels = blocks[k % 2];
        halve(&tables, colors, &level, &next);
        level = next;
    }
    free(blocks[0]);
    free(blocks[1]);
    return room;
}
