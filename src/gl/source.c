/* The GLSL of the skinning: defines by wish, then the texts of shaders/gl. */
#include "gl_private.h"

#include "gl_shaders.h"

#include <stdio.h>
#include <string.h>

sinew_gl_locations sinewi_gl_locations_or_default(const sinew_gl_locations *locations) {
    static const sinew_gl_locations none;
    static const sinew_gl_locations standard = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    return memcmp(locations, &none, sizeof none) == 0 ? standard : *locations;
}

/* The least that the text is of. */
static uint32_t least_version(const sinew_gl *gl, sinew_gl_storage storage) {
    if (!gl->info.es) {
        return 330;
    }
    return storage == SINEW_GL_STORAGE_TBO3 || storage == SINEW_GL_STORAGE_TBO4 ? 320
           : storage == SINEW_GL_STORAGE_SSBO                                   ? 310
                                                                                : 300;
}

/* Wishes that lead to the same text become equal. */
static sinew_gl_skinning normalised(const sinew_gl *gl, const sinew_gl_skinning *wish) {
    sinew_gl_skinning plain = *wish;
    plain.storage = sinewi_gl_storage_or_preferred(gl, wish->storage);
    if (!sinewi_gl_storage_is_windowed(plain.storage)) {
        plain.palette_texels = 0;
    } else if (!plain.palette_texels) {
        plain.palette_texels = sinew_gl_storage_texels(gl, plain.storage);
    }
    plain.influences = (wish->influences + 3) / 4 * 4;
    /* All that a version changes is how shader storage is asked for. */
    bool modern = plain.storage == SINEW_GL_STORAGE_SSBO && plain.glsl_version >= 430;
    plain.glsl_version = modern ? 430 : least_version(gl, plain.storage);
    plain.approximate_normals = wish->normals && wish->approximate_normals;
    plain.locations = sinewi_gl_locations_or_default(&wish->locations);
    return plain;
}

static bool same(const sinew_gl_skinning *a, const sinew_gl_skinning *b) {
    return a->storage == b->storage && a->palette_texels == b->palette_texels &&
           a->influences == b->influences && a->glsl_version == b->glsl_version &&
           a->normals == b->normals && a->tangents == b->tangents && a->morphs == b->morphs &&
           a->approximate_normals == b->approximate_normals && a->method == b->method &&
           a->instance_texels == b->instance_texels && a->previous == b->previous &&
           memcmp(&a->locations, &b->locations, sizeof a->locations) == 0;
}

/* GLSL 4.30 has it, and so has GLSL ES 3.10; it comes before everything but defines. */
static const char *extension_of(const sinew_gl *gl, const sinew_gl_skinning *wish) {
    return wish->storage == SINEW_GL_STORAGE_SSBO && !gl->info.es && wish->glsl_version < 430
               ? "#extension GL_ARB_shader_storage_buffer_object : require\n"
               : "";
}

static void write_defines(char *text, size_t size, const sinew_gl *gl,
                          const sinew_gl_skinning *wish) {
    const sinew_gl_locations *at = &wish->locations;
    snprintf(text, size,
             "%s#define SINEW_PALETTE_TEXELS %u\n"
             "#define SINEW_JOINT_TEXELS %u\n"
             "#define SINEW_JOINT_COLUMNS %d\n"
             "#define SINEW_DUAL_QUATERNIONS %d\n"
             "#define SINEW_INSTANCE_TEXELS %u\n"
             "#define SINEW_PREVIOUS %d\n"
             "#define SINEW_INFLUENCES %u\n"
             "#define SINEW_NORMALS %d\n"
             "#define SINEW_TANGENTS %d\n"
             "#define SINEW_MORPHS %d\n"
             "#define SINEW_APPROXIMATE_NORMALS %d\n"
             "#define SINEW_TEXTURE_WIDTH %u\n"
             "#define SINEW_LOCATION_POSITION %u\n"
             "#define SINEW_LOCATION_NORMAL %u\n"
             "#define SINEW_LOCATION_TANGENT %u\n"
             "#define SINEW_LOCATION_TEXCOORD0 %u\n"
             "#define SINEW_LOCATION_TEXCOORD1 %u\n"
             "#define SINEW_LOCATION_COLOR %u\n"
             "#define SINEW_LOCATION_JOINTS0 %u\n"
             "#define SINEW_LOCATION_WEIGHTS0 %u\n"
             "#define SINEW_LOCATION_JOINTS1 %u\n"
             "#define SINEW_LOCATION_WEIGHTS1 %u\n"
             "#define SINEW_LOCATION_INSTANCE %u\n",
             extension_of(gl, wish), wish->palette_texels,
             sinewi_gl_joint_texels(wish->storage, wish->method),
             sinewi_gl_palette_layout(wish->storage, wish->method) == SINEW_PALETTE_4X4,
             wish->method == SINEW_SKIN_DQS, wish->instance_texels, wish->previous,
             wish->influences, wish->normals, wish->tangents, wish->morphs,
             wish->approximate_normals, sinewi_gl_texture_width(gl), at->position, at->normal,
             at->tangent, at->texcoord0, at->texcoord1, at->color, at->joints0, at->weights0,
             at->joints1, at->weights1, at->instance);
}

/* The parts one after the other, in memory of the allocator; NULL: none. */
static char *join(const sinew_allocator *allocator, const char *const *parts, uint32_t count,
                  size_t *size) {
    *size = 1;
    for (uint32_t i = 0; i < count; i++) {
        *size += strlen(parts[i]);
    }
    char *text = sinewi_allocate(allocator, *size), *to = text;
    for (uint32_t i = 0; text && i < count; i++) {
        size_t length = strlen(parts[i]);
        memcpy(to, parts[i], length);
        to += length;
        *to = '\0';
    }
    return text;
}

/* The storage once more, under other names. */
static const char previous_begin[] =
    "#define sinew_palette_block sinew_previous_palette_block\n"
    "#define sinew_palette sinew_previous_palette\n"
    "#define sinew_texel sinew_previous_texel\n"
    "#ifndef SINEW_PREVIOUS_STORAGE_BINDING\n"
    "#define SINEW_PREVIOUS_STORAGE_BINDING 1\n"
    "#endif\n"
    "#undef SINEW_STORAGE_BINDING\n"
    "#define SINEW_STORAGE_BINDING SINEW_PREVIOUS_STORAGE_BINDING\n"
    "#line 1 2\n";
static const char previous_end[] = "#undef sinew_palette_block\n"
                                   "#undef sinew_palette\n"
                                   "#undef sinew_texel\n";

/* The whole chunk. The numbers after #line tell the files in a compiler's log: 1
 * interface, 2 storage, 3 joint, 4 influences, 5 skinning, 0 what follows. */
static char *write_chunk(const sinew_gl *gl, const sinew_gl_skinning *wish, size_t *size) {
    char defines[2048];
    write_defines(defines, sizeof defines, gl, wish);
    const char *parts[] = {defines,
                           "#line 1 1\n",
                           sinewi_shader_interface,
                           "#line 1 2\n",
                           sinewi_gl_storage_text(wish->storage),
                           wish->previous ? previous_begin : "",
                           wish->previous ? sinewi_gl_storage_text(wish->storage) : "",
                           wish->previous ? previous_end : "",
                           "#line 1 3\n",
                           sinewi_shader_joint,
                           "#line 1 4\n",
                           sinewi_shader_influences,
                           "#line 1 5\n",
                           sinewi_shader_skinning,
                           "#line 1 0\n"};
    return join(&gl->allocator, parts, sizeof parts / sizeof parts[0], size);
}

const sinewi_gl_chunk *sinewi_gl_chunk_find(sinew_gl *gl, const sinew_gl_skinning *wish,
                                            sinew_error *error) {
    sinew_gl_skinning plain = normalised(gl, wish);
    for (const sinewi_gl_chunk *chunk = gl->chunks; chunk; chunk = chunk->next) {
        if (same(&chunk->wish, &plain)) {
            return chunk;
        }
    }
    size_t size = 0;
    sinewi_gl_chunk *chunk = sinewi_allocate(&gl->allocator, sizeof *chunk);
    char *text = chunk ? write_chunk(gl, &plain, &size) : NULL;
    if (!text) {
        sinewi_release(&gl->allocator, chunk, sizeof *chunk);
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the skinning shader");
        return NULL;
    }
    *chunk = (sinewi_gl_chunk){text, size, plain, gl->chunks};
    gl->chunks = chunk;
    return chunk;
}

void sinewi_gl_chunks_free(sinew_gl *gl) {
    while (gl->chunks) {
        sinewi_gl_chunk *chunk = gl->chunks;
        gl->chunks = chunk->next;
        sinewi_release(&gl->allocator, chunk->text, chunk->size);
        sinewi_release(&gl->allocator, chunk, sizeof *chunk);
    }
}

const char *sinew_gl_skinning_source(sinew_gl *gl, const sinew_gl_skinning *wish,
                                     sinew_error *error) {
    sinewi_error_clear(error);
    uint32_t least = least_version(gl, sinewi_gl_storage_or_preferred(gl, wish->storage));
    if (wish->glsl_version && wish->glsl_version < least) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                    "the skinning needs GLSL %s%u with this storage, the host has %u",
                    gl->info.es ? "ES " : "", least, wish->glsl_version);
        return NULL;
    }
    const sinewi_gl_chunk *chunk = sinewi_gl_chunk_find(gl, wish, error);
    return chunk ? chunk->text : NULL;
}
