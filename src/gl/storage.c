/* The storages of a palette: what each holds in this context, and which is taken. */
#include "gl_private.h"

#include "gl_shaders.h"

/* vec4 of the vertex uniforms that a uniform palette leaves to the rest of a program. */
#define UNIFORMS_OF_OTHERS 24u

typedef struct row {
    const char *word;
    const char *limit; /* what bounds it */
    const char *text;  /* its GLSL */
} row;

static const row rows[SINEW_GL_STORAGE_COUNT] = {
    [SINEW_GL_STORAGE_AUTO] = {"auto", NULL, NULL},
    [SINEW_GL_STORAGE_TBO3] = {"tbo3", "GL_MAX_TEXTURE_BUFFER_SIZE", sinewi_shader_storage_tbo},
    [SINEW_GL_STORAGE_TBO4] = {"tbo4", "GL_MAX_TEXTURE_BUFFER_SIZE", sinewi_shader_storage_tbo},
    [SINEW_GL_STORAGE_UNIFORM] = {"uniform", "GL_MAX_VERTEX_UNIFORM_COMPONENTS",
                                  sinewi_shader_storage_uniform},
    [SINEW_GL_STORAGE_UBO] = {"ubo", "GL_MAX_UNIFORM_BLOCK_SIZE", sinewi_shader_storage_ubo},
    [SINEW_GL_STORAGE_SSBO] = {"ssbo", "GL_MAX_SHADER_STORAGE_BLOCK_SIZE",
                               sinewi_shader_storage_ssbo},
    [SINEW_GL_STORAGE_TEXTURE] = {"texture", "GL_MAX_TEXTURE_SIZE", sinewi_shader_storage_texture},
};

/* Texture buffers first: fastest where it was measured, and on every GL 3.3, though not on
 * ES before 3.2, where the next is taken. A texture has
 * no small limit; a block and a uniform array take a draw for each item; shader storage
 * is last but for them because some drivers are very slow at it. */
static const sinew_gl_storage preferred[] = {SINEW_GL_STORAGE_TBO3, SINEW_GL_STORAGE_TEXTURE,
                                             SINEW_GL_STORAGE_UBO, SINEW_GL_STORAGE_SSBO,
                                             SINEW_GL_STORAGE_UNIFORM};

const char *sinew_gl_storage_word(sinew_gl_storage storage) {
    return rows[(unsigned)storage < SINEW_GL_STORAGE_COUNT ? storage : 0].word;
}

const char *sinewi_gl_storage_text(sinew_gl_storage storage) {
    return rows[storage].text;
}

sinew_palette_layout sinewi_gl_palette_layout(sinew_gl_storage storage, sinew_skin_method method) {
    return method == SINEW_SKIN_DQS           ? SINEW_PALETTE_4X3_ROTATION
           : storage == SINEW_GL_STORAGE_TBO4 ? SINEW_PALETTE_4X4
                                              : SINEW_PALETTE_4X3;
}

uint32_t sinewi_gl_joint_texels(sinew_gl_storage storage, sinew_skin_method method) {
    return sinew_palette_floats(sinewi_gl_palette_layout(storage, method)) / 4;
}

bool sinewi_gl_storage_is_windowed(sinew_gl_storage storage) {
    return storage == SINEW_GL_STORAGE_UNIFORM || storage == SINEW_GL_STORAGE_UBO;
}

static uint32_t bounded(uint64_t texels) {
    return texels < INT32_MAX ? (uint32_t)texels : INT32_MAX; /* shaders count in int */
}

/* A 2D texture is on every context. */
static sinew_gl_storage first_to_be_had(const sinew_gl *gl) {
    return gl->info.max_texture_buffer_texels ? preferred[0] : SINEW_GL_STORAGE_TEXTURE;
}

uint32_t sinew_gl_storage_texels(const sinew_gl *gl, sinew_gl_storage storage) {
    const sinew_gl_info *info = &gl->info;
    uint32_t uniforms = info->max_uniform_components / 4;
    switch (storage) {
    case SINEW_GL_STORAGE_TBO3:
    case SINEW_GL_STORAGE_TBO4: return bounded(info->max_texture_buffer_texels);
    case SINEW_GL_STORAGE_UNIFORM:
        return uniforms > UNIFORMS_OF_OTHERS ? uniforms - UNIFORMS_OF_OTHERS : 0;
    case SINEW_GL_STORAGE_UBO: return bounded(info->max_uniform_block_size / SINEWI_GL_TEXEL_SIZE);
    case SINEW_GL_STORAGE_SSBO: return bounded(info->max_storage_block_size / SINEWI_GL_TEXEL_SIZE);
    case SINEW_GL_STORAGE_TEXTURE:
        return bounded((uint64_t)sinewi_gl_texture_width(gl) * info->max_texture_size);
    case SINEW_GL_STORAGE_AUTO: break;
    }
    return sinew_gl_storage_texels(gl, first_to_be_had(gl));
}

/* The limit as the context counts it, for messages. */
static uint64_t limit_of(const sinew_gl *gl, sinew_gl_storage storage, uint32_t *per_texel) {
    *per_texel = 1;
    switch (storage) {
    case SINEW_GL_STORAGE_UNIFORM: *per_texel = 4; return gl->info.max_uniform_components;
    case SINEW_GL_STORAGE_UBO:
        *per_texel = (uint32_t)SINEWI_GL_TEXEL_SIZE;
        return gl->info.max_uniform_block_size;
    case SINEW_GL_STORAGE_SSBO:
        *per_texel = (uint32_t)SINEWI_GL_TEXEL_SIZE;
        return gl->info.max_storage_block_size;
    case SINEW_GL_STORAGE_TEXTURE: return gl->info.max_texture_size;
    default: return gl->info.max_texture_buffer_texels;
    }
}

sinew_result sinewi_gl_storage_refuse(const sinew_gl *gl, sinew_gl_storage storage, uint64_t texels,
                                      sinew_error *error) {
    uint32_t per_texel;
    uint64_t limit = limit_of(gl, storage, &per_texel), needed = texels * per_texel;
    const char *what = "texels of the palettes";
    if (storage == SINEW_GL_STORAGE_UNIFORM) {
        what = "floats of the largest palette, and of the program's other uniforms";
        needed += (uint64_t)4 * UNIFORMS_OF_OTHERS;
    } else if (storage == SINEW_GL_STORAGE_UBO) {
        what = "bytes of the largest palette";
    } else if (storage == SINEW_GL_STORAGE_SSBO) {
        what = "bytes of the palettes";
    } else if (storage == SINEW_GL_STORAGE_TEXTURE) {
        uint32_t width = sinewi_gl_texture_width(gl);
        what = "rows of a texture for the palettes";
        needed = (texels + width - 1) / width;
    }
    return sinewi_gl_over_limit(error, NULL, what, needed, rows[storage].limit, limit);
}

sinew_result sinewi_gl_storage_sound(const sinew_gl *gl, sinew_gl_storage storage,
                                     sinew_error *error) {
    if ((unsigned)storage >= SINEW_GL_STORAGE_COUNT) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "there is no storage %d",
                           (int)storage);
    }
    if (storage && sinew_gl_storage_texels(gl, storage) == 0) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "the storage %s is not to be had: %s is 0 in this context (\"%.80s\")",
                           rows[storage].word, rows[storage].limit, gl->info.version);
    }
    return SINEW_OK;
}

sinew_result sinewi_gl_method_sound(sinew_skin_method method, sinew_error *error) {
    if ((unsigned)method >= SINEW_SKIN_METHOD_COUNT) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "there is no method %d", (int)method);
    }
    return SINEW_OK;
}

sinew_gl_storage sinewi_gl_storage_choose(const sinew_gl *gl, uint64_t whole, uint64_t largest) {
    for (size_t i = 0; i < sizeof preferred / sizeof preferred[0]; i++) {
        uint64_t texels = sinewi_gl_storage_is_windowed(preferred[i]) ? largest : whole;
        uint32_t held = sinew_gl_storage_texels(gl, preferred[i]);
        if (held && texels <= held) {
            return preferred[i];
        }
    }
    return first_to_be_had(gl);
}

sinew_gl_storage sinewi_gl_storage_or_preferred(const sinew_gl *gl, sinew_gl_storage storage) {
    storage = storage ? storage : gl->info.storage;
    return storage ? storage : first_to_be_had(gl);
}
