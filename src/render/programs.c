/* Programs: compiled when something needs them, because compiling is what a picture of
 * a small model spends most of its time on. */
#include "render_private.h"

#include "base/error.h"
#include "render_shaders.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 8

/* The defines that stand for features, in the order of their bits. */
static const char *const feature_words[] = {
    "NORMALS",   "TANGENTS",   "UNLIT",         "CUTOUT",       "SHADOW", "BASE_MAP",
    "METAL_MAP", "NORMAL_MAP", "OCCLUSION_MAP", "EMISSIVE_MAP", "CLEAR",  "DEPTH_ONLY"};

static const struct {
    const char *name;
    size_t offset;
} uniform_rows[] = {
    {"u_centre", offsetof(sinewi_uniforms, centre)},
    {"u_scale", offsetof(sinewi_uniforms, scale)},
    {"u_matrix", offsetof(sinewi_uniforms, matrix)},
    {"u_eye", offsetof(sinewi_uniforms, eye)},
    {"u_light", offsetof(sinewi_uniforms, light)},
    {"u_shadow", offsetof(sinewi_uniforms, shadow)},
    {"u_shadow_texel", offsetof(sinewi_uniforms, shadow_texel)},
    {"u_base_color", offsetof(sinewi_uniforms, base_color)},
    {"u_emissive", offsetof(sinewi_uniforms, emissive)},
    {"u_metal_rough", offsetof(sinewi_uniforms, metal_rough)},
    {"u_cutoff", offsetof(sinewi_uniforms, cutoff)},
    {"u_strengths", offsetof(sinewi_uniforms, strengths)},
    {"u_point_size", offsetof(sinewi_uniforms, point_size)},
    {"u_map_rows", offsetof(sinewi_uniforms, map_rows)},
    {"u_map_sets", offsetof(sinewi_uniforms, map_sets)},
    {"u_rectangle", offsetof(sinewi_uniforms, rectangle)},
    {"u_floor", offsetof(sinewi_uniforms, floor)},
    {"u_depths", offsetof(sinewi_uniforms, depths)},
    {"u_search", offsetof(sinewi_uniforms, search)},
    {"u_taps", offsetof(sinewi_uniforms, taps)},
    {"u_top", offsetof(sinewi_uniforms, top)},
    {"u_bottom", offsetof(sinewi_uniforms, bottom)},
    {"u_tint", offsetof(sinewi_uniforms, tint)},
};

static const struct {
    const char *name;
    GLint unit;
} sampler_rows[] = {
    {"u_shadow_map", SINEWI_UNIT_SHADOW},
    {"u_height_map", SINEWI_UNIT_HEIGHTS},
    {"u_shade_map", SINEWI_UNIT_HEIGHTS},
    {"u_picture", SINEWI_UNIT_HEIGHTS},
    {"u_base_map", SINEWI_UNIT_MAPS + SINEWI_BASE},
    {"u_metal_map", SINEWI_UNIT_MAPS + SINEWI_METAL},
    {"u_normal_map", SINEWI_UNIT_MAPS + SINEWI_NORMAL},
    {"u_occlusion_map", SINEWI_UNIT_MAPS + SINEWI_OCCLUSION},
    {"u_emissive_map", SINEWI_UNIT_MAPS + SINEWI_EMISSIVE},
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static GLuint compile(const GladGLContext *gl, GLenum stage, const char *const *parts,
                      GLsizei count, sinew_error *error) {
    GLuint shader = gl->CreateShader(stage);
    GLint sound = 0;
    gl->ShaderSource(shader, count, parts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &sound);
    if (!sound) {
        char log[400] = "";
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        sinewi_fail(error, SINEW_ERROR_GL, NULL, "the driver refuses a %s shader: %s",
                    stage == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
        gl->DeleteShader(shader);
        return 0;
    }
    return shader;
}

static GLuint link(const GladGLContext *gl, GLuint vertex, GLuint fragment, sinew_error *error) {
    GLuint name = gl->CreateProgram();
    GLint sound = 0;
    gl->AttachShader(name, vertex);
    gl->AttachShader(name, fragment);
    gl->LinkProgram(name);
    gl->GetProgramiv(name, GL_LINK_STATUS, &sound);
    if (!sound) {
        char log[400] = "";
        gl->GetProgramInfoLog(name, sizeof log, NULL, log);
        sinewi_fail(error, SINEW_ERROR_GL, NULL, "the driver refuses a program: %s", log);
        gl->DeleteProgram(name);
        return 0;
    }
    return name;
}

static void find_uniforms(const GladGLContext *gl, sinewi_program *program) {
    for (size_t k = 0; k < COUNT_OF(uniform_rows); k++) {
        GLint at = gl->GetUniformLocation(program->name, uniform_rows[k].name);
        memcpy((char *)&program->at + uniform_rows[k].offset, &at, sizeof at);
    }
    gl->UseProgram(program->name);
    for (size_t k = 0; k < COUNT_OF(sampler_rows); k++) {
        GLint at = gl->GetUniformLocation(program->name, sampler_rows[k].name);
        if (at >= 0) {
            gl->Uniform1i(at, sampler_rows[k].unit);
        }
    }
}

/* Each stage as strings one after the other; NULL ends a list. */
static sinew_result build(const GladGLContext *gl, sinewi_program *program,
                          const char *const *vertex_parts, const char *const *fragment_parts,
                          sinew_error *error) {
    GLsizei vertex_count = 0, fragment_count = 0;
    while (vertex_parts[vertex_count]) {
        vertex_count++;
    }
    while (fragment_parts[fragment_count]) {
        fragment_count++;
    }
    GLuint vertex = compile(gl, GL_VERTEX_SHADER, vertex_parts, vertex_count, error);
    GLuint fragment =
        vertex ? compile(gl, GL_FRAGMENT_SHADER, fragment_parts, fragment_count, error) : 0;
    program->name = fragment ? link(gl, vertex, fragment, error) : 0;
    gl->DeleteShader(vertex);
    gl->DeleteShader(fragment);
    if (!program->name) {
        return SINEW_ERROR_GL;
    }
    find_uniforms(gl, program);
    return SINEW_OK;
}

static void write_defines(uint32_t features, char *text, size_t size) {
    size_t length = 0;
    for (size_t bit = 0; bit < COUNT_OF(feature_words); bit++) {
        if (features & (1u << bit)) {
            int written =
                snprintf(text + length, size - length, "#define %s\n", feature_words[bit]);
            length += (size_t)written;
        }
    }
    snprintf(text + length, size - length, "#line 1\n");
}

static sinew_result build_surface(const GladGLContext *gl, sinewi_program *program,
                                  sinew_gl *skinning, const sinew_gl_skinning *fit,
                                  sinew_error *error) {
    uint32_t features = program->features;
    sinew_gl_skinning wish = *fit;
    wish.normals = (features & SINEWI_NORMALS) != 0;
    wish.tangents = (features & SINEWI_TANGENTS) != 0;
    const char *chunk = sinew_gl_skinning_source(skinning, &wish, error);
    if (!chunk) {
        return SINEW_ERROR_MEMORY;
    }
    char defines[512];
    write_defines(features, defines, sizeof defines);
    const char *vertex[MOST_PARTS] = {"#version 330 core\n", chunk, "\n", defines,
                                      sinewi_shader_surface_vertex};
    const char *fragment[MOST_PARTS] = {"#version 330 core\n", defines,
                                        sinewi_shader_surface_fragment};
    return build(gl, program, vertex, fragment, error);
}

const sinewi_program *sinewi_program_for(const GladGLContext *gl, sinewi_programs *programs,
                                         sinew_gl *skinning, const sinew_gl_skinning *fit,
                                         uint32_t features, sinew_error *error) {
    for (size_t k = 0; k < programs->count; k++) {
        const sinewi_program *program = &programs->items[k];
        if (program->influences == fit->influences && program->morphs == fit->morphs &&
            program->features == features) {
            return program;
        }
    }
    sinewi_program *items =
        realloc(programs->items, (programs->count + 1) * sizeof *programs->items);
    if (!items) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a program");
        return NULL;
    }
    programs->items = items;
    sinewi_program *program = &items[programs->count];
    memset(program, 0, sizeof *program);
    program->influences = fit->influences;
    program->morphs = fit->morphs;
    program->features = features;
    if (build_surface(gl, program, skinning, fit, error) != SINEW_OK) {
        return NULL;
    }
    programs->count++;
    return program;
}

sinew_result sinewi_program_fixed(const GladGLContext *gl, sinewi_program *program,
                                  const char *defines, const char *fragment, sinew_error *error) {
    if (program->name) {
        return SINEW_OK;
    }
    const char *vertex_parts[MOST_PARTS] = {"#version 330 core\n", defines, "#line 1\n",
                                            sinewi_shader_rectangle_vertex};
    const char *fragment_parts[MOST_PARTS] = {"#version 330 core\n", defines, "#line 1\n",
                                              fragment};
    return build(gl, program, vertex_parts, fragment_parts, error);
}

void sinewi_programs_free(const GladGLContext *gl, sinewi_programs *programs) {
    for (size_t k = 0; k < programs->count; k++) {
        gl->DeleteProgram(programs->items[k].name);
    }
    free(programs->items);
    gl->DeleteProgram(programs->finish.name);
    gl->DeleteProgram(programs->ground_shade.name);
    gl->DeleteProgram(programs->ground_blur.name);
    gl->DeleteProgram(programs->ground.name);
    memset(programs, 0, sizeof *programs);
}
