/* Programs: compiled, linked, and kept by purpose and wish. */
#include "gl_private.h"

#include "gl_shaders.h"

#include <string.h>

/* What a fragment shader of ES has to say, and samplers have as too little. */
#define ES_PRECISIONS          \
    "precision highp float;\n" \
    "precision highp int;\n"   \
    "precision highp sampler2D;\n"

/* The newest GLSL ES of the context: some storages are of 3.10 and 3.20. */
static const char *head_of(const sinew_gl *gl) {
    if (!gl->info.es) {
        return "#version 330 core\n";
    }
    return gl->table.ES_VERSION_3_2   ? "#version 320 es\n" ES_PRECISIONS
           : gl->table.ES_VERSION_3_1 ? "#version 310 es\n" ES_PRECISIONS
                                      : "#version 300 es\n" ES_PRECISIONS;
}

/* ES links no program without a fragment shader. */
static const char *capture_fragment(const sinew_gl *gl) {
    return gl->info.es ? "void main() {}\n" : NULL;
}

/* The first line of a log that says something, without its end. */
static const char *first_line(char *log) {
    log += strspn(log, " \t\r\n");
    log[strcspn(log, "\r\n")] = '\0';
    return *log ? log : "the driver gives no reason";
}

static GLuint compile(const sinew_gl *gl, GLenum stage, const char *name, const char *const *texts,
                      uint32_t count, sinew_error *error) {
    const GladGLContext *table = &gl->table;
    GLuint shader = table->CreateShader(stage);
    table->ShaderSource(shader, (GLsizei)count, texts, NULL);
    table->CompileShader(shader);
    GLint done = GL_FALSE;
    table->GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) {
        return shader;
    }
    char log[400] = "";
    table->GetShaderInfoLog(shader, sizeof log, NULL, log);
    table->DeleteShader(shader);
    sinewi_fail(error, SINEW_ERROR_GL, NULL, "the %s shader of \"%s\" does not compile: %s",
                stage == GL_VERTEX_SHADER ? "vertex" : "fragment", name, first_line(log));
    return 0;
}

static GLuint link(const sinew_gl *gl, const char *name, GLuint vertex, GLuint fragment,
                   const char *const *captured, uint32_t captured_count, sinew_error *error) {
    const GladGLContext *table = &gl->table;
    GLuint program = table->CreateProgram();
    table->AttachShader(program, vertex);
    if (fragment) {
        table->AttachShader(program, fragment);
    }
    if (captured_count) {
        table->TransformFeedbackVaryings(program, (GLsizei)captured_count, captured,
                                         GL_INTERLEAVED_ATTRIBS);
    }
    table->LinkProgram(program);
    GLint done = GL_FALSE;
    table->GetProgramiv(program, GL_LINK_STATUS, &done);
    if (done) {
        return program;
    }
    char log[400] = "";
    table->GetProgramInfoLog(program, sizeof log, NULL, log);
    table->DeleteProgram(program);
    sinewi_fail(error, SINEW_ERROR_GL, NULL, "the program \"%s\" does not link: %s", name,
                first_line(log));
    return 0;
}

#define MAX_VERTEX_TEXTS 4

GLuint sinewi_gl_program_build(const sinew_gl *gl, const char *name, const char *const *vertex,
                               uint32_t vertex_count, const char *fragment,
                               const char *const *captured, uint32_t captured_count,
                               sinew_error *error) {
    const char *vertex_texts[MAX_VERTEX_TEXTS] = {head_of(gl)};
    for (uint32_t i = 0; i < vertex_count && i + 1 < MAX_VERTEX_TEXTS; i++) {
        vertex_texts[i + 1] = vertex[i];
    }
    const char *fragment_texts[2] = {head_of(gl), fragment};
    GLuint program = 0, fragment_shader = 0;
    GLuint vertex_shader =
        compile(gl, GL_VERTEX_SHADER, name, vertex_texts, vertex_count + 1, error);
    if (vertex_shader && fragment) {
        fragment_shader = compile(gl, GL_FRAGMENT_SHADER, name, fragment_texts, 2, error);
    }
    if (vertex_shader && (fragment_shader || !fragment)) {
        program = link(gl, name, vertex_shader, fragment_shader, captured, captured_count, error);
    }
    gl->table.DeleteShader(vertex_shader);
    gl->table.DeleteShader(fragment_shader);
    return program;
}

static void find_uniforms(const sinew_gl *gl, sinewi_gl_program *program) {
    const struct {
        const char *name;
        GLint *location;
    } uniforms[] = {
        {"placement", &program->placement},
        {"turn", &program->turn},
        {"view_projection", &program->view_projection},
        {"texcoord", &program->texcoord},
        {"tiling", &program->tiling},
        {"base_color", &program->base_color},
        {"textured", &program->textured},
        {"alpha_cutoff", &program->alpha_cutoff},
        {"opaque", &program->opaque},
        {"lit", &program->lit},
        {"encode", &program->encode},
        {"light", &program->light},
        {"up", &program->up},
    };
    static const char *const samplers[] = {"sinew_vertices", "base_color_texture"};
    const GladGLContext *table = &gl->table;
    for (size_t i = 0; i < sizeof uniforms / sizeof uniforms[0]; i++) {
        *uniforms[i].location = table->GetUniformLocation(program->name, uniforms[i].name);
    }
    table->UseProgram(program->name);
    sinewi_gl_palette_point(gl, program->chunk->wish.storage, program->name, "sinew_palette", 0);
    for (GLint i = 0; i < 2; i++) {
        table->Uniform1i(table->GetUniformLocation(program->name, samplers[i]), i + 1);
    }
}

static GLuint build(const sinew_gl *gl, sinewi_gl_purpose purpose, const sinewi_gl_chunk *chunk,
                    sinew_error *error) {
    if (purpose == SINEWI_GL_DRAW) {
        const char *vertex[] = {chunk->text, sinewi_shader_draw_vertex};
        return sinewi_gl_program_build(gl, "draw", vertex, 2, sinewi_shader_draw_fragment, NULL, 0,
                                       error);
    }
    const char *vertex[] = {chunk->text, sinewi_shader_capture_vertex};
    const char *captured[3] = {"captured_position"};
    uint32_t count = 1;
    if (chunk->wish.normals) {
        captured[count++] = "captured_normal";
    }
    if (chunk->wish.tangents) {
        captured[count++] = "captured_tangent";
    }
    return sinewi_gl_program_build(gl, "capture", vertex, 2, capture_fragment(gl), captured, count,
                                   error);
}

static sinew_result add_program(sinew_gl *gl, sinewi_gl_purpose purpose,
                                const sinewi_gl_chunk *chunk, sinew_error *error) {
    sinewi_gl_program *program = sinewi_allocate_zeroed(&gl->allocator, 1, sizeof *program);
    if (!program) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a program");
    }
    program->purpose = purpose;
    program->chunk = chunk;
    program->name = build(gl, purpose, chunk, error);
    if (!program->name) {
        sinewi_release(&gl->allocator, program, sizeof *program);
        return SINEW_ERROR_GL;
    }
    find_uniforms(gl, program);
    program->next = gl->programs;
    gl->programs = program;
    return SINEW_OK;
}

sinew_result sinewi_gl_program_find(sinew_gl *gl, sinewi_gl_purpose purpose,
                                    const sinew_gl_skinning *wish, const sinewi_gl_program **found,
                                    sinew_error *error) {
    const sinewi_gl_chunk *chunk = sinewi_gl_chunk_find(gl, wish, error);
    if (!chunk) {
        return SINEW_ERROR_MEMORY;
    }
    for (*found = gl->programs; *found; *found = (*found)->next) {
        if ((*found)->purpose == purpose && (*found)->chunk == chunk) {
            return SINEW_OK;
        }
    }
    sinew_result result = add_program(gl, purpose, chunk, error);
    *found = gl->programs;
    return result;
}

void sinewi_gl_programs_free(sinew_gl *gl) {
    while (gl->programs) {
        sinewi_gl_program *program = gl->programs;
        gl->programs = program->next;
        gl->table.DeleteProgram(program->name);
        sinewi_release(&gl->allocator, program, sizeof *program);
    }
}
