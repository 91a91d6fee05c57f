#include "gl_private.h"

static void set(const GladGLContext *table, GLenum what, GLboolean on) {
    if (on) {
        table->Enable(what);
    } else {
        table->Disable(what);
    }
}

static void indexed_save(const GladGLContext *table, GLenum binding, GLenum start, GLenum size,
                         sinewi_gl_indexed_buffer *buffer) {
    table->GetIntegerv(binding, &buffer->bound);
    table->GetIntegeri_v(binding, 0, &buffer->indexed);
    table->GetInteger64i_v(start, 0, &buffer->start);
    table->GetInteger64i_v(size, 0, &buffer->size);
}

/* Binding by index changes the generic binding, which so comes last. */
static void indexed_restore(const GladGLContext *table, GLenum target,
                            const sinewi_gl_indexed_buffer *buffer) {
    if (buffer->indexed && buffer->size > 0) {
        table->BindBufferRange(target, 0, (GLuint)buffer->indexed, (GLintptr)buffer->start,
                               (GLsizeiptr)buffer->size);
    } else {
        table->BindBufferBase(target, 0, (GLuint)buffer->indexed);
    }
    table->BindBuffer(target, (GLuint)buffer->bound);
}

void sinewi_gl_palette_binding(const sinew_gl *gl, sinew_gl_storage storage, GLint *bound) {
    gl->table.GetIntegerv(storage == SINEW_GL_STORAGE_UBO    ? GL_UNIFORM_BUFFER_BINDING
                          : storage == SINEW_GL_STORAGE_SSBO ? GL_SHADER_STORAGE_BUFFER_BINDING
                                                             : GL_ARRAY_BUFFER_BINDING,
                          bound);
}

void sinewi_gl_state_save(const sinew_gl *gl, sinewi_gl_state *state) {
    const GladGLContext *table = &gl->table;
    table->GetIntegerv(GL_CURRENT_PROGRAM, &state->program);
    table->GetIntegerv(GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    table->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &state->array_buffer);
    table->GetIntegerv(GL_ACTIVE_TEXTURE, &state->active_texture);
    indexed_save(table, GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE,
                 &state->uniform);
    if (gl->info.max_storage_block_size) {
        indexed_save(table, GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                     GL_SHADER_STORAGE_BUFFER_SIZE, &state->storage);
    }
    for (GLuint i = 0; i < SINEWI_GL_OWN_UNITS; i++) {
        table->ActiveTexture(GL_TEXTURE0 + i);
        if (sinewi_gl_has_texture_buffers(gl)) {
            table->GetIntegerv(GL_TEXTURE_BINDING_BUFFER, &state->units[i].buffer_texture);
        }
        table->GetIntegerv(GL_TEXTURE_BINDING_2D, &state->units[i].texture_2d);
        table->GetIntegerv(GL_SAMPLER_BINDING, &state->units[i].sampler);
    }
}

void sinewi_gl_state_restore(const sinew_gl *gl, const sinewi_gl_state *state) {
    const GladGLContext *table = &gl->table;
    for (GLuint i = 0; i < SINEWI_GL_OWN_UNITS; i++) {
        table->ActiveTexture(GL_TEXTURE0 + i);
        if (sinewi_gl_has_texture_buffers(gl)) {
            table->BindTexture(GL_TEXTURE_BUFFER, (GLuint)state->units[i].buffer_texture);
        }
        table->BindTexture(GL_TEXTURE_2D, (GLuint)state->units[i].texture_2d);
        table->BindSampler(i, (GLuint)state->units[i].sampler);
    }
    indexed_restore(table, GL_UNIFORM_BUFFER, &state->uniform);
    if (gl->info.max_storage_block_size) {
        indexed_restore(table, GL_SHADER_STORAGE_BUFFER, &state->storage);
    }
    table->ActiveTexture((GLenum)state->active_texture);
    table->BindVertexArray((GLuint)state->vertex_array);
    table->BindBuffer(GL_ARRAY_BUFFER, (GLuint)state->array_buffer);
    table->UseProgram((GLuint)state->program);
}

/* ES has no switch: it encodes whenever the first draw buffer is of an sRGB format. */
static bool encodes_on_es(const GladGLContext *table) {
    GLint buffer = GL_NONE, kind = GL_NONE, encoding = GL_LINEAR;
    table->GetIntegerv(GL_DRAW_BUFFER0, &buffer);
    if (buffer == GL_NONE ||
        table->CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return false;
    }
    table->GetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, (GLenum)buffer,
                                               GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &kind);
    if (kind != GL_NONE) {
        table->GetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, (GLenum)buffer,
                                                   GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
                                                   &encoding);
    }
    return encoding == GL_SRGB;
}

/* Before ES 3.2 blending is on or off for all draw buffers. */
static void blend_save(const GladGLContext *table, sinewi_gl_draw_state *state) {
    GLint most = (GLint)(sizeof state->blend / sizeof state->blend[0]);
    state->blend_buffers = 1;
    state->blend[0] = table->IsEnabled(GL_BLEND);
    if (!table->IsEnabledi) {
        return;
    }
    table->GetIntegerv(GL_MAX_DRAW_BUFFERS, &state->blend_buffers);
    if (state->blend_buffers > most) {
        state->blend_buffers = most;
    }
    for (GLint i = 0; i < state->blend_buffers; i++) {
        state->blend[i] = table->IsEnabledi(GL_BLEND, (GLuint)i);
    }
}

static void blend_restore(const GladGLContext *table, const sinewi_gl_draw_state *state) {
    if (!table->Enablei) {
        set(table, GL_BLEND, state->blend[0]);
        return;
    }
    for (GLint i = 0; i < state->blend_buffers; i++) {
        if (state->blend[i]) {
            table->Enablei(GL_BLEND, (GLuint)i);
        } else {
            table->Disablei(GL_BLEND, (GLuint)i);
        }
    }
}

void sinewi_gl_draw_state_save(const sinew_gl *gl, sinewi_gl_draw_state *state) {
    const GladGLContext *table = &gl->table;
    state->depth_test = table->IsEnabled(GL_DEPTH_TEST);
    state->cull_face = table->IsEnabled(GL_CULL_FACE);
    if (gl->info.es) {
        state->encodes = encodes_on_es(table);
    } else {
        state->primitive_restart = table->IsEnabled(GL_PRIMITIVE_RESTART);
        state->encodes = table->IsEnabled(GL_FRAMEBUFFER_SRGB);
    }
    table->GetBooleanv(GL_DEPTH_WRITEMASK, &state->depth_mask);
    blend_save(table, state);
    table->GetIntegerv(GL_CULL_FACE_MODE, &state->cull_face_mode);
    table->GetIntegerv(GL_FRONT_FACE, &state->front_face);
    table->GetIntegerv(GL_BLEND_SRC_RGB, &state->blend_source_rgb);
    table->GetIntegerv(GL_BLEND_DST_RGB, &state->blend_target_rgb);
    table->GetIntegerv(GL_BLEND_SRC_ALPHA, &state->blend_source_alpha);
    table->GetIntegerv(GL_BLEND_DST_ALPHA, &state->blend_target_alpha);
    table->GetIntegerv(GL_BLEND_EQUATION_RGB, &state->blend_equation_rgb);
    table->GetIntegerv(GL_BLEND_EQUATION_ALPHA, &state->blend_equation_alpha);
}

void sinewi_gl_draw_state_restore(const sinew_gl *gl, const sinewi_gl_draw_state *state) {
    const GladGLContext *table = &gl->table;
    set(table, GL_DEPTH_TEST, state->depth_test);
    set(table, GL_CULL_FACE, state->cull_face);
    if (!gl->info.es) {
        set(table, GL_PRIMITIVE_RESTART, state->primitive_restart);
    }
    table->DepthMask(state->depth_mask);
    blend_restore(table, state);
    table->CullFace((GLenum)state->cull_face_mode);
    table->FrontFace((GLenum)state->front_face);
    table->BlendFuncSeparate((GLenum)state->blend_source_rgb, (GLenum)state->blend_target_rgb,
                             (GLenum)state->blend_source_alpha, (GLenum)state->blend_target_alpha);
    table->BlendEquationSeparate((GLenum)state->blend_equation_rgb,
                                 (GLenum)state->blend_equation_alpha);
}

/* The last two are not in ES. */
static const struct {
    GLenum name;
    GLint ours;
} unpack_values[8] = {
    {GL_UNPACK_ROW_LENGTH, 0}, {GL_UNPACK_SKIP_ROWS, 0},   {GL_UNPACK_SKIP_PIXELS, 0},
    {GL_UNPACK_ALIGNMENT, 4},  {GL_UNPACK_SKIP_IMAGES, 0}, {GL_UNPACK_IMAGE_HEIGHT, 0},
    {GL_UNPACK_SWAP_BYTES, 0}, {GL_UNPACK_LSB_FIRST, 0},
};

static int unpack_count(const sinew_gl *gl) {
    return gl->info.es ? 6 : 8;
}

void sinewi_gl_unpack_save_and_set(const sinew_gl *gl, sinewi_gl_unpack_state *state) {
    for (int i = 0; i < unpack_count(gl); i++) {
        gl->table.GetIntegerv(unpack_values[i].name, &state->values[i]);
        gl->table.PixelStorei(unpack_values[i].name, unpack_values[i].ours);
    }
    gl->table.GetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &state->buffer);
    gl->table.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void sinewi_gl_unpack_restore(const sinew_gl *gl, const sinewi_gl_unpack_state *state) {
    for (int i = 0; i < unpack_count(gl); i++) {
        gl->table.PixelStorei(unpack_values[i].name, state->values[i]);
    }
    gl->table.BindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)state->buffer);
}

void sinewi_gl_constants_save(const sinew_gl *gl, const sinew_gl_locations *locations,
                              sinewi_gl_constants *constants) {
    gl->table.GetVertexAttribIuiv(locations->instance, GL_CURRENT_VERTEX_ATTRIB,
                                  constants->instance);
    gl->table.GetVertexAttribfv(locations->color, GL_CURRENT_VERTEX_ATTRIB, constants->color);
}

void sinewi_gl_constants_restore(const sinew_gl *gl, const sinew_gl_locations *locations,
                                 const sinewi_gl_constants *constants) {
    gl->table.VertexAttribI4uiv(locations->instance, constants->instance);
    gl->table.VertexAttrib4fv(locations->color, constants->color);
}

void sinewi_gl_feedback_save(const sinew_gl *gl, sinewi_gl_feedback_state *state) {
    const GladGLContext *table = &gl->table;
    state->discard = table->IsEnabled(GL_RASTERIZER_DISCARD);
    table->GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &state->framebuffer);
    table->GetIntegerv(GL_RENDERBUFFER_BINDING, &state->renderbuffer);
    indexed_save(table, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
                 GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, &state->buffer);
}

void sinewi_gl_feedback_restore(const sinew_gl *gl, const sinewi_gl_feedback_state *state) {
    const GladGLContext *table = &gl->table;
    set(table, GL_RASTERIZER_DISCARD, state->discard);
    table->BindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->framebuffer);
    table->BindRenderbuffer(GL_RENDERBUFFER, (GLuint)state->renderbuffer);
    indexed_restore(table, GL_TRANSFORM_FEEDBACK_BUFFER, &state->buffer);
}
