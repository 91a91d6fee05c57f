#include "gl_private.h"

bool sinewi_gl_has_texture_buffers(const sinew_gl *gl) {
    return !gl->info.es || gl->table.ES_VERSION_3_2;
}

sinew_result sinewi_gl_over_limit(sinew_error *error, const char *place, const char *what,
                                  uint64_t needed, const char *limit_name, uint64_t limit) {
    return sinewi_fail(error, SINEW_ERROR_LIMIT, place, "%s: %llu needed, %s is %llu", what,
                       (unsigned long long)needed, limit_name, (unsigned long long)limit);
}

uint32_t sinewi_gl_texture_width(const sinew_gl *gl) {
    uint32_t width = 1;
    while (width <= gl->info.max_texture_size / 2) {
        width *= 2;
    }
    return width;
}

static const char *error_word(GLenum code) {
    switch (code) {
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    default: return "an error";
    }
}

void sinewi_gl_drain_errors(const sinew_gl *gl) {
    /* A lost context may report errors without end. */
    for (int i = 0; i < 16 && gl->table.GetError() != GL_NO_ERROR; i++) {
    }
}

sinew_result sinewi_gl_check_errors(const sinew_gl *gl, const char *place, const char *what,
                                    sinew_error *error) {
    GLenum code = gl->table.GetError();
    if (code == GL_NO_ERROR) {
        return SINEW_OK;
    }
    sinewi_gl_drain_errors(gl);
    return sinewi_fail(error, SINEW_ERROR_GL, place, "OpenGL reports %s (0x%04x) while %s",
                       error_word(code), code, what);
}
