/* What the picture is drawn into, and how it becomes bytes. */
#include "render_private.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WANTED_SAMPLES 4

static bool complete(const GladGLContext *gl) {
    return gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static GLuint renderbuffer(const GladGLContext *gl, GLenum format, int samples, uint32_t width,
                           uint32_t height) {
    GLuint name = 0;
    gl->GenRenderbuffers(1, &name);
    gl->BindRenderbuffer(GL_RENDERBUFFER, name);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, (GLsizei)width,
                                       (GLsizei)height);
    return name;
}

/* The colours are a texture: a pass of our own makes one sample of them, which costs less
 * than to blit them and draw the backdrop. */
static void create_color(const GladGLContext *gl, sinewi_target *target) {
    GLsizei width = (GLsizei)target->width, height = (GLsizei)target->height;
    gl->GenTextures(1, &target->color);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(target->kind, target->color);
    if (target->samples) {
        gl->TexImage2DMultisample(target->kind, target->samples, GL_SRGB8_ALPHA8, width, height,
                                  GL_TRUE);
    } else {
        gl->TexImage2D(target->kind, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA,
                       GL_UNSIGNED_BYTE, NULL);
        gl->TexParameteri(target->kind, GL_TEXTURE_MAX_LEVEL, 0);
        gl->TexParameteri(target->kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
}

static bool create_drawn(const GladGLContext *gl, sinewi_target *target, int samples) {
    target->samples = samples;
    target->kind = samples ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    create_color(gl, target);
    target->depth = renderbuffer(gl, GL_DEPTH_COMPONENT24, samples, target->width, target->height);
    gl->GenFramebuffers(1, &target->framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target->kind, target->color, 0);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                target->depth);
    return complete(gl);
}

static bool create_finished(const GladGLContext *gl, sinewi_target *target) {
    target->finished = renderbuffer(gl, GL_SRGB8_ALPHA8, 0, target->width, target->height);
    gl->GenFramebuffers(1, &target->finished_framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->finished_framebuffer);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                target->finished);
    return complete(gl);
}

sinew_result sinewi_target_create(const GladGLContext *gl, uint32_t width, uint32_t height,
                                  uint32_t max_samples, sinewi_target *target, sinew_error *error) {
    GLint sides[2] = {0, 0};
    gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &sides[0]);
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &sides[1]);
    uint32_t most = (uint32_t)(sides[0] < sides[1] ? sides[0] : sides[1]);
    if (width > most || height > most) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, NULL,
                           "a picture of %u x %u is beyond what OpenGL can draw into, %u a side",
                           width, height, most);
    }
    for (int samples = max_samples >= WANTED_SAMPLES ? WANTED_SAMPLES : 0;; samples = 0) {
        target->width = width;
        target->height = height;
        if (create_drawn(gl, target, samples) && create_finished(gl, target)) {
            return SINEW_OK;
        }
        if (samples == 0) {
            return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                               "the driver has no memory for a picture of %u x %u", width, height);
        }
        sinewi_target_free(gl, target);
    }
}

void sinewi_target_free(const GladGLContext *gl, sinewi_target *target) {
    gl->DeleteFramebuffers(1, &target->framebuffer);
    gl->DeleteFramebuffers(1, &target->finished_framebuffer);
    gl->DeleteTextures(1, &target->color);
    gl->DeleteRenderbuffers(1, &target->depth);
    gl->DeleteRenderbuffers(1, &target->finished);
    memset(target, 0, sizeof *target);
}

/* OpenGL has the lowest row first. */
static void turn_over(sinew_picture *picture, uint8_t *row) {
    size_t stride = (size_t)picture->width * 4;
    for (uint32_t y = 0; y < picture->height / 2; y++) {
        uint8_t *upper = picture->pixels + y * stride;
        uint8_t *lower = picture->pixels + (picture->height - 1 - y) * stride;
        memcpy(row, upper, stride);
        memcpy(upper, lower, stride);
        memcpy(lower, row, stride);
    }
}

/* PNG wants colours that are not multiplied by their alpha. */
static void divide_alpha(sinew_picture *picture) {
    float linear[256];
    size_t count = (size_t)picture->width * picture->height;
    for (int k = 0; k < 256; k++) {
        linear[k] = sinewi_srgb_to_linear((float)k / 255);
    }
    for (size_t k = 0; k < count; k++) {
        uint8_t *pixel = picture->pixels + 4 * k;
        if (pixel[3] != 0 && pixel[3] != 255) {
            for (int channel = 0; channel < 3; channel++) {
                float value = fminf(linear[pixel[channel]] * 255 / pixel[3], 1);
                pixel[channel] = (uint8_t)(sinewi_linear_to_srgb(value) * 255 + 0.5f);
            }
        }
    }
}

sinew_result sinewi_target_read(const GladGLContext *gl, const sinewi_target *target,
                                sinew_picture *picture, sinew_error *error) {
    size_t stride = (size_t)target->width * 4;
    uint8_t *row = malloc(stride);
    picture->pixels = malloc(stride * target->height);
    if (!picture->pixels || !row) {
        free(row);
        free(picture->pixels);
        picture->pixels = NULL;
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the picture");
    }
    picture->width = target->width;
    picture->height = target->height;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->finished_framebuffer);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->ReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_RGBA, GL_UNSIGNED_BYTE,
                   picture->pixels);
    turn_over(picture, row);
    divide_alpha(picture);
    free(row);
    return SINEW_OK;
}
