/* The shadow: a depth map seen from the key light, which the model casts on itself, and
 * a small picture of how dark the ground is, made from that map and from the heights
 * above the ground. The ground's picture costs the same whatever the size of the
 * picture in which it is seen. */
#include "render_private.h"

#include "base/error.h"
#include "render_shaders.h"

#include <math.h>
#include <string.h>

/* Frame units. */
#define BELOW_FEET 0.003f /* so that soles are not half in the ground */
#define RIM 0.3f          /* beyond the shadow's outline: its soft edge */
#define SEARCH 0.22f      /* how far a soft edge reaches, at most */
#define CONTACT 0.13f     /* how far the dark around a foot reaches */
#define SLACK 0.01f       /* of heights below the ground */

#define TAPS 14 /* of each of the three looks around a place of the ground */

static GLuint depth_map(const GladGLContext *gl, GLsizei size) {
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT,
                   GL_UNSIGNED_INT, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return name;
}

static GLuint shade_map(const GladGLContext *gl) {
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R16, SINEWI_SHADE_SIZE, SINEWI_SHADE_SIZE, 0, GL_RED,
                   GL_UNSIGNED_SHORT, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

/* Outside of a map nothing casts a shadow: the border is as far as can be. */
static GLuint depth_sampler(const GladGLContext *gl, GLint filter, bool compare) {
    static const float far[4] = {1, 1, 1, 1};
    GLuint name = 0;
    gl->GenSamplers(1, &name);
    gl->SamplerParameteri(name, GL_TEXTURE_MIN_FILTER, filter);
    gl->SamplerParameteri(name, GL_TEXTURE_MAG_FILTER, filter);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    gl->SamplerParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    gl->SamplerParameterfv(name, GL_TEXTURE_BORDER_COLOR, far);
    if (compare) {
        gl->SamplerParameteri(name, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        gl->SamplerParameteri(name, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    return name;
}

/* A framebuffer of one texture; false: the driver refuses it. */
static bool framebuffer(const GladGLContext *gl, GLenum attachment, GLuint texture, GLuint *name) {
    gl->GenFramebuffers(1, name);
    gl->BindFramebuffer(GL_FRAMEBUFFER, *name);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
    if (attachment == GL_DEPTH_ATTACHMENT) {
        gl->DrawBuffer(GL_NONE);
        gl->ReadBuffer(GL_NONE);
    }
    return gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

sinew_result sinewi_ground_create(const GladGLContext *gl, sinewi_ground *ground,
                                  sinew_error *error) {
    gl->ActiveTexture(GL_TEXTURE0);
    ground->shadow = depth_map(gl, SINEWI_SHADOW_SIZE);
    ground->heights = depth_map(gl, SINEWI_HEIGHTS_SIZE);
    ground->shade[0] = shade_map(gl);
    ground->shade[1] = shade_map(gl);
    ground->compare = depth_sampler(gl, GL_LINEAR, true);
    ground->plain = depth_sampler(gl, GL_NEAREST, false);
    if (!framebuffer(gl, GL_DEPTH_ATTACHMENT, ground->shadow, &ground->shadow_framebuffer) ||
        !framebuffer(gl, GL_DEPTH_ATTACHMENT, ground->heights, &ground->heights_framebuffer) ||
        !framebuffer(gl, GL_COLOR_ATTACHMENT0, ground->shade[0], &ground->shade_framebuffer[0]) ||
        !framebuffer(gl, GL_COLOR_ATTACHMENT0, ground->shade[1], &ground->shade_framebuffer[1])) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL, "the driver cannot draw into a texture");
    }
    return SINEW_OK;
}

void sinewi_ground_free(const GladGLContext *gl, sinewi_ground *ground) {
    GLuint samplers[2] = {ground->compare, ground->plain};
    gl->DeleteFramebuffers(1, &ground->shadow_framebuffer);
    gl->DeleteFramebuffers(1, &ground->heights_framebuffer);
    gl->DeleteFramebuffers(2, ground->shade_framebuffer);
    gl->DeleteTextures(1, &ground->shadow);
    gl->DeleteTextures(1, &ground->heights);
    gl->DeleteTextures(2, ground->shade);
    gl->DeleteSamplers(2, samplers);
    memset(ground, 0, sizeof *ground);
}

/* Where the shadow falls: the points themselves and their projections along the light. */
static void place_rectangle(sinewi_ground *ground, const sinewi_frame *frame,
                            const sinewi_light *light) {
    size_t count = frame->first[frame->item_count];
    float low[2] = {HUGE_VALF, HUGE_VALF}, high[2] = {-HUGE_VALF, -HUGE_VALF};
    ground->floor = frame->box.minimum[1] - BELOW_FEET;
    for (size_t k = 0; k < count; k++) {
        const float *point = frame->points + 3 * k;
        float along = (point[1] - ground->floor) / light->direction[1];
        for (int axis = 0; axis < 2; axis++) {
            float here = point[2 * axis], there = here - light->direction[2 * axis] * along;
            low[axis] = fminf(low[axis], fminf(here, there));
            high[axis] = fmaxf(high[axis], fmaxf(here, there));
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        ground->rectangle[axis] = low[axis] - RIM;
        ground->rectangle[2 + axis] = high[axis] + RIM;
    }
}

/* Seen from below: the rectangle fills the map, depth is height above the floor. */
static float heights_matrix(const sinewi_ground *ground, const sinewi_frame *frame,
                            float matrix[16]) {
    const float *rectangle = ground->rectangle;
    float low = ground->floor - SLACK;
    float depth = fmaxf(frame->box.maximum[1] - low, 1);
    memset(matrix, 0, 16 * sizeof *matrix);
    matrix[0] = 2 / (rectangle[2] - rectangle[0]);
    matrix[12] = -1 - matrix[0] * rectangle[0];
    matrix[9] = 2 / (rectangle[3] - rectangle[1]);
    matrix[13] = -1 - matrix[9] * rectangle[1];
    matrix[6] = 2 / depth;
    matrix[14] = -1 - matrix[6] * low;
    matrix[15] = 1;
    return depth;
}

static sinew_result draw_depth(sinew_renderer *renderer, const sinewi_frame *frame,
                               GLuint framebuffer_name, GLsizei size, const float matrix[16],
                               sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer_name);
    gl->Viewport(0, 0, size, size);
    gl->DepthMask(GL_TRUE);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    return sinewi_surfaces_depth(renderer, frame, matrix, error);
}

static void bind(const GladGLContext *gl, GLuint unit, GLuint texture, GLuint sampler) {
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->BindSampler(unit, sampler);
}

static sinew_result draw_shade(sinew_renderer *renderer, const sinewi_light *light, float height,
                               sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    const sinewi_ground *ground = &renderer->ground;
    sinewi_program *shade = &renderer->programs.ground_shade;
    sinewi_program *blur = &renderer->programs.ground_blur;
    sinew_result result =
        sinewi_program_fixed(gl, shade, "", sinewi_shader_ground_shade_fragment, error);
    if (result == SINEW_OK) {
        result = sinewi_program_fixed(gl, blur, "", sinewi_shader_ground_blur_fragment, error);
    }
    if (result != SINEW_OK) {
        return result;
    }
    float shadow[16];
    sinewi_shadow_matrix(light, shadow);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->Disable(GL_CULL_FACE);
    gl->BindVertexArray(renderer->nothing);
    gl->Viewport(0, 0, SINEWI_SHADE_SIZE, SINEWI_SHADE_SIZE);
    gl->BindFramebuffer(GL_FRAMEBUFFER, ground->shade_framebuffer[0]);
    bind(gl, SINEWI_UNIT_SHADOW, ground->shadow, ground->plain);
    bind(gl, SINEWI_UNIT_HEIGHTS, ground->heights, ground->plain);
    gl->UseProgram(shade->name);
    gl->Uniform4fv(shade->at.rectangle, 1, ground->rectangle);
    gl->Uniform1f(shade->at.floor, ground->floor);
    gl->UniformMatrix4fv(shade->at.shadow, 1, GL_FALSE, shadow);
    gl->Uniform1f(shade->at.shadow_texel, light->width / SINEWI_SHADOW_SIZE);
    gl->Uniform2f(shade->at.depths, light->depth, height);
    gl->Uniform2f(shade->at.search, SEARCH, CONTACT);
    gl->Uniform1i(shade->at.taps, TAPS);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);

    gl->BindFramebuffer(GL_FRAMEBUFFER, ground->shade_framebuffer[1]);
    bind(gl, SINEWI_UNIT_HEIGHTS, ground->shade[0], 0);
    gl->UseProgram(blur->name);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    return SINEW_OK;
}

sinew_result sinewi_ground_prepare(sinew_renderer *renderer, const sinewi_frame *frame,
                                   const sinewi_light *light, sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    sinewi_ground *ground = &renderer->ground;
    float matrix[16];
    gl->Disable(GL_FRAMEBUFFER_SRGB);
    gl->Enable(GL_POLYGON_OFFSET_FILL);
    gl->PolygonOffset(1.5f, 2.0f);
    sinew_result result = draw_depth(renderer, frame, ground->shadow_framebuffer,
                                     SINEWI_SHADOW_SIZE, light->matrix, error);
    gl->Disable(GL_POLYGON_OFFSET_FILL);
    if (result != SINEW_OK) {
        return result;
    }
    place_rectangle(ground, frame, light);
    float height = heights_matrix(ground, frame, matrix);
    result = draw_depth(renderer, frame, ground->heights_framebuffer, SINEWI_HEIGHTS_SIZE, matrix,
                        error);
    return result == SINEW_OK ? draw_shade(renderer, light, height, error) : result;
}

sinew_result sinewi_ground_draw(sinew_renderer *renderer, const sinewi_camera *camera,
                                sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    const sinewi_ground *ground = &renderer->ground;
    sinewi_program *program = &renderer->programs.ground;
    if (camera->eye[1] <= ground->floor) {
        return SINEW_OK; /* seen from below it would stand before the model */
    }
    sinew_result result =
        sinewi_program_fixed(gl, program, "#define GROUND\n", sinewi_shader_ground_fragment, error);
    if (result != SINEW_OK) {
        return result;
    }
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LEQUAL);
    gl->DepthMask(GL_FALSE);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->Disable(GL_CULL_FACE);
    gl->BindVertexArray(renderer->nothing);
    bind(gl, SINEWI_UNIT_HEIGHTS, ground->shade[1], 0);
    gl->UseProgram(program->name);
    gl->Uniform4fv(program->at.rectangle, 1, ground->rectangle);
    gl->Uniform1f(program->at.floor, ground->floor);
    gl->UniformMatrix4fv(program->at.matrix, 1, GL_FALSE, camera->matrix);
    gl->Uniform3f(program->at.tint, 0.02f, 0.022f, 0.03f);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    return SINEW_OK;
}
