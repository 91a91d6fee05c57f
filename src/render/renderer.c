/* The picture of a pose, from its vertices to its bytes. */
#include "render_private.h"

#include "base/error.h"
#include "render_shaders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH 1280
#define DEFAULT_HEIGHT 720

/* The default backdrop, sRGB: light, and darker towards the viewer's feet. */
static const float backdrop_top[3] = {0.961f, 0.965f, 0.973f};
static const float backdrop_bottom[3] = {0.831f, 0.843f, 0.863f};

static void fill_options(const sinew_render_options *given, sinew_render_options *options) {
    if (given) {
        *options = *given;
    } else {
        memset(options, 0, sizeof *options);
    }
    if (options->width == 0 || options->height == 0) {
        options->width = DEFAULT_WIDTH;
        options->height = DEFAULT_HEIGHT;
    }
}

static sinew_result put_on_gpu(sinew_renderer *renderer, sinew_gl_loader loader,
                               sinew_error *error) {
    const sinew_render_options *options = &renderer->options;
    sinew_gl_options gl_options = {.loader = loader, .storage = options->storage, .check = true};
    sinew_gl_model_options model_options = {.scene_plus_one = options->scene_plus_one,
                                            .method = options->method};
    renderer->skinning = sinew_gl_create(&gl_options, error);
    if (!renderer->skinning) {
        return error ? error->result : SINEW_ERROR_GL;
    }
    renderer->on_gpu =
        sinew_gl_model_create(renderer->skinning, renderer->model, &model_options, error);
    if (!renderer->on_gpu) {
        return error ? error->result : SINEW_ERROR_GL;
    }
    renderer->items = sinew_gl_model_items(renderer->on_gpu, &renderer->item_count);
    return SINEW_OK;
}

static sinew_result prepare(sinew_renderer *renderer, sinew_gl_loader loader, sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    sinew_result result = put_on_gpu(renderer, loader, error);
    if (result != SINEW_OK) {
        return result;
    }
    const sinew_gl_info *info = sinew_gl_info_of(renderer->skinning);
    if (info->es || !gladLoadGLContext(&renderer->gl, loader)) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "pictures need OpenGL 3.3 core, the current context is \"%.80s\"",
                           info->version);
    }
    gl->GenVertexArrays(1, &renderer->nothing);
    result = sinewi_target_create(gl, renderer->options.width, renderer->options.height,
                                  info->max_samples, &renderer->target, error);
    if (result == SINEW_OK) {
        result = sinewi_ground_create(gl, &renderer->ground, error);
    }
    if (result == SINEW_OK) {
        result = sinewi_textures_create(gl, renderer->model, renderer->items, renderer->item_count,
                                        info->max_texture_size, &renderer->textures,
                                        &renderer->complaints, error);
    }
    return result;
}

sinew_renderer *sinew_renderer_create(sinew_gl_loader loader, const sinew_model *model,
                                      const sinew_render_options *options, sinew_error *error) {
    sinewi_error_clear(error);
    if (!loader || !model) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "a loader and a model must be given");
        return NULL;
    }
    if (options && !sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        return NULL;
    }
    sinew_renderer *renderer = calloc(1, sizeof *renderer);
    if (!renderer) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a renderer");
        return NULL;
    }
    renderer->model = model;
    fill_options(options, &renderer->options);
    if (prepare(renderer, loader, error) != SINEW_OK) {
        sinew_renderer_free(renderer);
        return NULL;
    }
    return renderer;
}

void sinew_renderer_free(sinew_renderer *renderer) {
    if (!renderer) {
        return;
    }
    const GladGLContext *gl = &renderer->gl;
    if (gl->DeleteTextures) { /* else the context was never good for anything */
        sinewi_textures_free(gl, &renderer->textures);
        sinewi_programs_free(gl, &renderer->programs);
        sinewi_target_free(gl, &renderer->target);
        sinewi_ground_free(gl, &renderer->ground);
        gl->DeleteVertexArrays(1, &renderer->nothing);
    }
    sinew_gl_model_free(renderer->on_gpu);
    sinew_gl_free(renderer->skinning);
    sinewi_complaints_free(&renderer->complaints);
    free(renderer);
}

static void backdrop_color(const sinew_render_options *options, const float standard[3],
                           float color[4]) {
    const float *srgb = options->has_background ? options->background : standard;
    color[3] = options->transparent ? 0 : 1;
    for (int k = 0; k < 3; k++) {
        color[k] = color[3] * sinewi_srgb_to_linear(srgb[k]);
    }
}

/* The backdrop comes last, and once a pixel: a whole picture of it is a large part of the
 * work where the processor draws. */
static sinew_result finish(sinew_renderer *renderer, sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    const sinewi_target *target = &renderer->target;
    sinewi_program *program = &renderer->programs.finish;
    float top[4], bottom[4];
    backdrop_color(&renderer->options, backdrop_top, top);
    backdrop_color(&renderer->options, backdrop_bottom, bottom);
    sinew_result result =
        sinewi_program_fixed(gl, program, target->samples ? "#define SAMPLES\n" : "",
                             sinewi_shader_finish_fragment, error);
    if (result != SINEW_OK) {
        return result;
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->finished_framebuffer);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_CULL_FACE);
    gl->ActiveTexture(GL_TEXTURE0 + SINEWI_UNIT_HEIGHTS);
    gl->BindTexture(target->kind, target->color);
    gl->BindSampler(SINEWI_UNIT_HEIGHTS, 0);
    gl->BindVertexArray(renderer->nothing);
    gl->UseProgram(program->name);
    gl->Uniform4fv(program->at.top, 1, top);
    gl->Uniform4fv(program->at.bottom, 1, bottom);
    gl->Uniform1i(program->at.taps, target->samples);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    return SINEW_OK;
}

static sinew_result draw_picture(sinew_renderer *renderer, const sinewi_frame *frame,
                                 const sinewi_camera *camera, const sinewi_light *light,
                                 bool ground, sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    const sinewi_target *target = &renderer->target;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    gl->Viewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
    gl->Enable(GL_FRAMEBUFFER_SRGB);
    gl->ClearColor(0, 0, 0, 0);
    gl->DepthMask(GL_TRUE);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    sinew_result result =
        sinewi_surfaces_draw(renderer, frame, camera, light, SINEWI_PASS_SOLID, error);
    if (result == SINEW_OK && ground) {
        result = sinewi_ground_draw(renderer, camera, error);
    }
    if (result == SINEW_OK) {
        result = sinewi_surfaces_draw(renderer, frame, camera, light, SINEWI_PASS_CLEAR, error);
    }
    return result == SINEW_OK ? finish(renderer, error) : result;
}

static sinew_result draw(sinew_renderer *renderer, const sinewi_frame *frame, sinew_error *error) {
    const sinew_render_options *options = &renderer->options;
    size_t count = frame->first[frame->item_count];
    sinewi_view view = {.azimuth = options->azimuth,
                        .elevation = options->elevation,
                        .zoom = options->zoom,
                        .aspect = (float)options->width / (float)options->height};
    sinewi_camera camera;
    sinewi_light light;
    bool shadow = !options->no_shadow && count > 0;
    sinewi_camera_fit(frame->points, count, &view, &camera);
    sinewi_light_fit(frame->points, count, options->azimuth, &light);
    sinew_result result = sinew_gl_model_update(renderer->on_gpu, &frame->pose, error);
    if (result == SINEW_OK && shadow) {
        result = sinewi_ground_prepare(renderer, frame, &light, error);
    }
    return result == SINEW_OK ? draw_picture(renderer, frame, &camera, &light, shadow, error)
                              : result;
}

sinew_result sinew_renderer_draw(sinew_renderer *renderer, const sinew_pose *pose,
                                 sinew_picture *picture, sinew_error *error) {
    sinewi_frame frame;
    sinewi_error_clear(error);
    memset(picture, 0, sizeof *picture);
    if (pose->model != renderer->model || pose->world_revision != pose->revision) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "the pose is of another model, or its world matrices are stale");
    }
    sinew_result result = sinewi_frame_create(renderer->items, renderer->item_count, pose,
                                              renderer->options.method, &frame, error);
    if (result != SINEW_OK) {
        return result;
    }
    if (frame.first[frame.item_count] == 0 && !renderer->told_empty) {
        renderer->told_empty = true;
        sinewi_complain(&renderer->complaints, "the scene has no mesh with vertices to draw");
    }
    result = draw(renderer, &frame, error);
    sinewi_frame_free(&frame);
    if (result == SINEW_OK) {
        result = sinewi_target_read(&renderer->gl, &renderer->target, picture, error);
    }
    if (result == SINEW_OK && renderer->gl.GetError() == GL_OUT_OF_MEMORY) {
        sinew_picture_free(picture);
        result = sinewi_fail(error, SINEW_ERROR_GL, NULL, "the graphics memory does not suffice");
    }
    return result;
}

const char *sinew_renderer_complaint(const sinew_renderer *renderer, uint32_t k) {
    return k < renderer->complaints.count ? renderer->complaints.texts[k] : NULL;
}

const sinew_gl_info *sinew_renderer_info(const sinew_renderer *renderer) {
    return sinew_gl_info_of(renderer->skinning);
}
