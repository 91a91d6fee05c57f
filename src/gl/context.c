#include "gl_private.h"

#include <string.h>

/* What glad's loading passes through, to see what the context lacks. */
typedef struct loading {
    sinew_gl_loader loader;
    const char *missing; /* the first function that the loader did not give */
} loading;

static GLADapiproc load_function(void *user, const char *name) {
    loading *state = user;
    GLADapiproc function = (GLADapiproc)state->loader(name);
    if (!function && !state->missing) {
        state->missing = name;
    }
    return function;
}

/* Asked before anything is loaded: the two have other functions. */
static bool is_es(loading *state) {
    PFNGLGETSTRINGPROC get_string = (PFNGLGETSTRINGPROC)load_function(state, "glGetString");
    const char *version = get_string ? (const char *)get_string(GL_VERSION) : NULL;
    return version && strncmp(version, "OpenGL ES", strlen("OpenGL ES")) == 0;
}

static sinew_result load_table(sinew_gl *gl, sinew_gl_loader loader, sinew_error *error) {
    loading state = {loader, NULL};
    gl->info.es = is_es(&state);
    int version = gl->info.es ? gladLoadGLES2ContextUserPtr(&gl->table, load_function, &state)
                              : gladLoadGLContextUserPtr(&gl->table, load_function, &state);
    if (version == 0) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "no OpenGL context is current, or its loader does not find %s",
                           state.missing ? state.missing : "its version");
    }
    gl->info.major = GLAD_VERSION_MAJOR(version);
    gl->info.minor = GLAD_VERSION_MINOR(version);
    gl->info.version = (const char *)gl->table.GetString(GL_VERSION);
    if (version < (gl->info.es ? GLAD_MAKE_VERSION(3, 0) : GLAD_MAKE_VERSION(3, 3))) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "OpenGL 3.3 core or OpenGL ES 3.0 is needed, this context is \"%.80s\"",
                           gl->info.version);
    }
    if (state.missing) {
        return sinewi_fail(error, SINEW_ERROR_GL, NULL,
                           "the loader of this context (\"%.80s\") does not find %s",
                           gl->info.version, state.missing);
    }
    return SINEW_OK;
}

static uint32_t limit_of(const sinew_gl *gl, GLenum name, uint32_t believed) {
    GLint limit = 0;
    gl->table.GetIntegerv(name, &limit);
    uint32_t own = limit > 0 ? (uint32_t)limit : 0;
    return believed && believed < own ? believed : own;
}

/* For vertex shaders, which neither GL 4.3 nor ES 3.1 promises. */
static bool has_shader_storage(const sinew_gl *gl) {
    const GladGLContext *table = &gl->table;
    bool has = table->ARB_shader_storage_buffer_object && table->ARB_program_interface_query &&
               table->ShaderStorageBlockBinding;
    if (gl->info.es) {
        has = table->ES_VERSION_3_1;
    }
    return has && table->GetProgramResourceIndex &&
           limit_of(gl, GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0) > 0;
}

static void read_info(sinew_gl *gl, const sinew_gl_options *options) {
    gl->info.vendor = (const char *)gl->table.GetString(GL_VENDOR);
    gl->info.renderer = (const char *)gl->table.GetString(GL_RENDERER);
    gl->info.storage = options->storage;
    if (sinewi_gl_has_texture_buffers(gl)) {
        gl->info.max_texture_buffer_texels =
            limit_of(gl, GL_MAX_TEXTURE_BUFFER_SIZE, options->max_texture_buffer_texels);
    }
    gl->info.max_texture_size = limit_of(gl, GL_MAX_TEXTURE_SIZE, options->max_texture_size);
    gl->info.max_uniform_components =
        limit_of(gl, GL_MAX_VERTEX_UNIFORM_COMPONENTS, options->max_uniform_components);
    gl->info.max_uniform_block_size =
        limit_of(gl, GL_MAX_UNIFORM_BLOCK_SIZE, options->max_uniform_block_size);
    gl->info.uniform_offset_alignment = limit_of(gl, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, 0);
    gl->info.max_samples = limit_of(gl, GL_MAX_SAMPLES, 0);
    if (has_shader_storage(gl) && !options->no_shader_storage) {
        gl->info.max_storage_block_size =
            limit_of(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE, options->max_storage_block_size);
    }
}

static sinew_result options_sound(const sinew_gl_options *options, sinew_error *error) {
    if (!options || !options->loader) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                           "sinew_gl_create needs options with the loader of the context");
    }
    if (!sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        return SINEW_ERROR_ARGUMENT;
    }
    return SINEW_OK;
}

sinew_gl *sinew_gl_create(const sinew_gl_options *options, sinew_error *error) {
    sinewi_error_clear(error);
    if (options_sound(options, error)) {
        return NULL;
    }
    sinew_allocator allocator = sinewi_allocator_or_default(&options->allocator);
    sinew_gl *gl = sinewi_allocate_zeroed(&allocator, 1, sizeof *gl);
    if (!gl) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the GL functions");
        return NULL;
    }
    gl->allocator = allocator;
    gl->check = options->check;
#ifndef NDEBUG
    gl->check = true;
#endif
    if (load_table(gl, options->loader, error)) {
        sinewi_release(&allocator, gl, sizeof *gl);
        return NULL;
    }
    read_info(gl, options);
    if (sinewi_gl_storage_sound(gl, options->storage, error)) {
        sinewi_release(&allocator, gl, sizeof *gl);
        return NULL;
    }
    return gl;
}

void sinew_gl_free(sinew_gl *gl) {
    if (!gl) {
        return;
    }
    sinewi_gl_programs_free(gl);
    sinewi_gl_chunks_free(gl);
    sinewi_release(&gl->allocator, gl, sizeof *gl);
}

const sinew_gl_info *sinew_gl_info_of(const sinew_gl *gl) {
    return &gl->info;
}
