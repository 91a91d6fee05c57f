/* Building programs, and seeing what comes out of them. */
#include "vertex_cost.h"

#include <stdio.h>

const char program_main[] = "void main() {\n"
                            "    vec3 p, n;\n"
                            "    skin(p, n);\n"
                            "    gl_Position = vec4(0.1 * p + 0.01 * n, 1.0);\n"
                            "}\n";

#define MAX_TEXTS 8

static GLuint compile(const GladGLContext *gl, const char *const *texts, int count) {
    const char *all[MAX_TEXTS + 1] = {"#version 330 core\n"};
    char log[1024] = "";
    GLint done = 0;
    for (int i = 0; i < count && i < MAX_TEXTS; i++) {
        all[i + 1] = texts[i];
    }
    GLuint shader = gl->CreateShader(GL_VERTEX_SHADER);
    gl->ShaderSource(shader, count + 1, all, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        fprintf(stderr, "bench-vertex_cost: %s\n", log);
    }
    return shader;
}

GLuint program_build(const GladGLContext *gl, const char *const *texts, int count, bool captured) {
    static const char *const outputs[] = {"gl_Position"};
    GLint done = 0;
    GLuint shader = compile(gl, texts, count);
    GLuint program = gl->CreateProgram();
    gl->AttachShader(program, shader);
    if (captured) {
        gl->TransformFeedbackVaryings(program, 1, outputs, GL_INTERLEAVED_ATTRIBS);
    }
    gl->LinkProgram(program);
    gl->DeleteShader(shader);
    gl->GetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done) {
        gl->DeleteProgram(program);
        return 0;
    }
    return program;
}

void program_capture(const GladGLContext *gl, void (*draw)(void *), void *user, float *out) {
    GLuint buffer = 0;
    gl->GenBuffers(1, &buffer);
    gl->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl->BufferData(GL_TRANSFORM_FEEDBACK_BUFFER, VERTICES * 16, NULL, GL_STREAM_READ);
    gl->BeginTransformFeedback(GL_POINTS);
    draw(user);
    gl->EndTransformFeedback();
    gl->GetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, VERTICES * 16, out);
    gl->DeleteBuffers(1, &buffer);
}
