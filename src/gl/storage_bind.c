/* What a program sees of a storage: textures over buffers, units, binding points, arrays. */
#include "gl_private.h"

#include <stdio.h>

GLuint sinewi_gl_palette_texture(const sinew_gl *gl, sinew_gl_storage storage, GLuint buffer,
                                 uint32_t row_texels, uint32_t texels, const float *from) {
    const GladGLContext *table = &gl->table;
    GLuint texture = 0;
    table->GenTextures(1, &texture);
    if (storage != SINEW_GL_STORAGE_TEXTURE) {
        table->BindTexture(GL_TEXTURE_BUFFER, texture);
        table->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
        return texture;
    }
    table->BindTexture(GL_TEXTURE_2D, texture);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    table->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, (GLsizei)row_texels,
                      (GLsizei)(texels / row_texels), 0, GL_RGBA, GL_FLOAT, from);
    return texture;
}

static GLuint storage_block(const GladGLContext *table, GLuint program, const char *palette) {
    char name[40];
    snprintf(name, sizeof name, "%s_block", palette);
    return table->GetProgramResourceIndex(program, GL_SHADER_STORAGE_BLOCK, name);
}

/* ES has no function that sets it. */
static GLuint storage_point(const sinew_gl *gl, GLuint program, const char *palette, GLuint unit) {
    GLuint block = gl->info.es ? storage_block(&gl->table, program, palette) : GL_INVALID_INDEX;
    if (block == GL_INVALID_INDEX) {
        return unit;
    }
    const GLenum what = GL_BUFFER_BINDING;
    GLint point = 0;
    gl->table.GetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, block, 1, &what, 1, NULL,
                                   &point);
    return (GLuint)point;
}

void sinewi_gl_palette_point(const sinew_gl *gl, sinew_gl_storage storage, GLuint program,
                             const char *palette, GLuint unit) {
    const GladGLContext *table = &gl->table;
    if (storage == SINEW_GL_STORAGE_UBO) {
        char name[40];
        snprintf(name, sizeof name, "%s_block", palette);
        GLuint block = table->GetUniformBlockIndex(program, name);
        if (block != GL_INVALID_INDEX) {
            table->UniformBlockBinding(program, block, unit);
        }
    } else if (storage == SINEW_GL_STORAGE_SSBO) {
        GLuint block = gl->info.es ? GL_INVALID_INDEX : storage_block(table, program, palette);
        if (block != GL_INVALID_INDEX) {
            table->ShaderStorageBlockBinding(program, block, unit);
        }
    } else if (storage != SINEW_GL_STORAGE_UNIFORM) {
        table->Uniform1i(table->GetUniformLocation(program, palette), (GLint)unit);
    }
}

/* Elements of an array need not have consecutive locations. */
void sinewi_gl_uniform_palette(const sinew_gl *gl, GLuint program, const char *palette,
                               uint32_t element, const float *texels, uint32_t count) {
    char name[40];
    snprintf(name, sizeof name, "%s[%u]", palette, element);
    GLint location = count ? gl->table.GetUniformLocation(program, name) : -1;
    gl->table.Uniform4fv(location, (GLsizei)count, texels);
}

void sinewi_gl_storage_bind(const sinew_gl *gl, sinew_gl_storage storage, GLuint program,
                            const char *palette, GLuint unit, const sinewi_gl_palette_buffer *one,
                            size_t offset, size_t size) {
    const GladGLContext *table = &gl->table;
    switch (storage) {
    case SINEW_GL_STORAGE_UBO:
        table->BindBufferRange(GL_UNIFORM_BUFFER, unit, one->buffer, (GLintptr)offset,
                               (GLsizeiptr)size);
        return;
    case SINEW_GL_STORAGE_SSBO:
        table->BindBufferRange(GL_SHADER_STORAGE_BUFFER, storage_point(gl, program, palette, unit),
                               one->buffer, (GLintptr)offset, (GLsizeiptr)size);
        return;
    case SINEW_GL_STORAGE_TEXTURE:
        table->ActiveTexture(GL_TEXTURE0 + unit);
        table->BindTexture(GL_TEXTURE_2D, one->texture);
        /* A sampler of the host's with mipmaps would make it incomplete. */
        table->BindSampler(unit, 0);
        return;
    default:
        table->ActiveTexture(GL_TEXTURE0 + unit);
        table->BindTexture(GL_TEXTURE_BUFFER, one->texture);
        return;
    }
}
