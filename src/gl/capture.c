/* The skinned vertices themselves, by transform feedback. */
#include "gl_private.h"

#include <string.h>

/* Floats of a vertex in the feedback buffer, in the order of the outputs. */
typedef struct captured {
    float *to;
    uint32_t components;
} captured;

static sinew_result capture_sound(const sinew_gl_model *on_gpu, uint32_t index,
                                  const float *normals, const float *tangents, sinew_error *error) {
    if (index >= on_gpu->item_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "there is no item %u, only %u", index,
                           on_gpu->item_count);
    }
    const sinew_gl_item *item = &on_gpu->items[index];
    if ((normals && !item->has_normals) || (tangents && !item->has_tangents)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "item %u has no %s", index,
                           normals && !item->has_normals ? "normals" : "tangents");
    }
    if (!on_gpu->pose) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "sinew_gl_model_update was not called yet");
    }
    return SINEW_OK;
}

/* Nothing is rasterised, but a draw needs a complete framebuffer, which a context
 * without a window does not have; GL 3.3 and ES want one with an attachment. */
typedef struct nowhere {
    GLuint framebuffer, renderbuffer;
} nowhere;

static nowhere bind_nowhere(const GladGLContext *table) {
    nowhere made = {0, 0};
    table->GenFramebuffers(1, &made.framebuffer);
    table->GenRenderbuffers(1, &made.renderbuffer);
    table->BindRenderbuffer(GL_RENDERBUFFER, made.renderbuffer);
    table->RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    table->BindFramebuffer(GL_DRAW_FRAMEBUFFER, made.framebuffer);
    table->FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   made.renderbuffer);
    return made;
}

static void delete_nowhere(const GladGLContext *table, const nowhere *made) {
    table->DeleteFramebuffers(1, &made->framebuffer);
    table->DeleteRenderbuffers(1, &made->renderbuffer);
}

/* Points through the program into the buffer that is bound for feedback. The program
 * must be current already: changing it while feedback is active is an error. */
static void run(const sinew_gl_model *on_gpu, uint32_t item, GLuint program) {
    const GladGLContext *table = &on_gpu->gl->table;
    nowhere target = bind_nowhere(table);
    sinewi_gl_item_textures(on_gpu, item, program, 0);
    sinewi_gl_item_instance(on_gpu, item);
    table->Enable(GL_RASTERIZER_DISCARD);
    table->BeginTransformFeedback(GL_POINTS);
    table->DrawArrays(GL_POINTS, 0, (GLsizei)on_gpu->items[item].vertex_count);
    table->EndTransformFeedback();
    delete_nowhere(table, &target);
}

static void scatter(const float *from, uint32_t vertex_count, const captured *parts,
                    uint32_t count) {
    for (uint32_t v = 0; v < vertex_count; v++) {
        for (uint32_t p = 0; p < count; p++) {
            if (parts[p].to) {
                memcpy(parts[p].to + (size_t)v * parts[p].components, from,
                       parts[p].components * sizeof *from);
            }
            from += parts[p].components;
        }
    }
}

/* Runs the vertices through a buffer of our own and hands them out. */
static sinew_result capture(const sinew_gl_model *on_gpu, uint32_t item, GLuint program,
                            const captured *parts, uint32_t count, sinew_error *error) {
    const GladGLContext *table = &on_gpu->gl->table;
    uint32_t vertex_count = on_gpu->items[item].vertex_count;
    size_t components = 0, bytes = 0;
    for (uint32_t p = 0; p < count; p++) {
        components += parts[p].components;
    }
    if (!sinewi_multiply(vertex_count, components * sizeof(float), &bytes)) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, NULL, "too many vertices to capture");
    }
    GLuint buffer = 0;
    table->GenBuffers(1, &buffer);
    table->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    table->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
    sinew_result result =
        sinewi_gl_check_errors(on_gpu->gl, NULL, "making a capture buffer", error);
    if (result == SINEW_OK) {
        run(on_gpu, item, program);
        const float *from = table->MapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                                                  (GLsizeiptr)bytes, GL_MAP_READ_BIT);
        if (from) {
            scatter(from, vertex_count, parts, count);
            table->UnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
        }
        result = sinewi_gl_check_errors(on_gpu->gl, NULL, "capturing vertices", error);
    }
    table->DeleteBuffers(1, &buffer);
    return result;
}

sinew_result sinew_gl_item_capture(sinew_gl_model *on_gpu, uint32_t item, float *positions,
                                   float *normals, float *tangents, sinew_error *error) {
    sinewi_error_clear(error);
    sinew_result result = capture_sound(on_gpu, item, normals, tangents, error);
    if (result) {
        return result;
    }
    sinew_gl *gl = on_gpu->gl;
    sinewi_gl_state state;
    sinewi_gl_feedback_state feedback;
    sinewi_gl_constants constants;
    sinewi_gl_state_save(gl, &state);
    sinewi_gl_feedback_save(gl, &feedback);
    sinewi_gl_constants_save(gl, &on_gpu->locations, &constants);
    sinewi_gl_drain_errors(gl);

    sinew_gl_skinning wish = sinew_gl_item_skinning(on_gpu, item);
    wish.normals = normals != NULL;
    wish.tangents = tangents != NULL;
    captured parts[3] = {{positions, 3}};
    uint32_t count = 1;
    if (normals) {
        parts[count++] = (captured){normals, 3};
    }
    if (tangents) {
        parts[count++] = (captured){tangents, 4};
    }
    const sinewi_gl_program *program;
    result = sinewi_gl_program_find(gl, SINEWI_GL_CAPTURE, &wish, &program, error);
    if (result == SINEW_OK) {
        gl->table.UseProgram(program->name);
        result = capture(on_gpu, item, program->name, parts, count, error);
    }

    sinewi_gl_constants_restore(gl, &on_gpu->locations, &constants);
    sinewi_gl_feedback_restore(gl, &feedback);
    sinewi_gl_state_restore(gl, &state);
    return result;
}
