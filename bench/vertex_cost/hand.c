/* The program by hand: the same vertices and palette, and no more GLSL than they need.
 *
 * Its normals follow Sinew's rule, sign(det) * cofactor or B3, made unit length, but stand
 * neither tiny scales nor what is not finite. Each storage has a text, each rule has one. */
#include "vertex_cost.h"

#include <stdlib.h>

/* ---- texts ---- */

static const char attributes[] = "layout(location = 0) in vec3 position;\n"
                                 "layout(location = 1) in vec3 normal;\n"
                                 "layout(location = 6) in uvec4 joints;\n"
                                 "layout(location = 7) in vec4 weights;\n"
                                 "layout(location = 10) in uvec4 instance;\n";

static const char extension[] = "#extension GL_ARB_shader_storage_buffer_object : require\n";
static const char three_texels[] = "#define STEP 3\n";
static const char four_texels[] = "#define STEP 4\n";

static const char rows_of_buffer[] =
    "uniform samplerBuffer palette;\n"
    "int first(uint j) { return int(instance.x) + STEP * int(j); }\n"
    "mat3x4 joint(uint j) {\n"
    "    int t = first(j);\n"
    "    return mat3x4(texelFetch(palette, t), texelFetch(palette, t + 1),\n"
    "                  texelFetch(palette, t + 2));\n"
    "}\n"
    "#if STEP == 4\n"
    "vec4 rotation(uint j) { return texelFetch(palette, first(j) + 3); }\n"
    "#endif\n";

static const char columns_of_buffer[] =
    "uniform samplerBuffer palette;\n"
    "mat3x4 joint(uint j) {\n"
    "    int t = int(instance.x) + 4 * int(j);\n"
    "    return transpose(mat4x3(texelFetch(palette, t).xyz, texelFetch(palette, t + 1).xyz,\n"
    "                            texelFetch(palette, t + 2).xyz, texelFetch(palette, t + "
    "3).xyz));\n"
    "}\n";

static const char rows_of_uniform[] =
    "uniform vec4 palette[180];\n"
    "mat3x4 joint(uint j) {\n"
    "    int t = 3 * int(j);\n"
    "    return mat3x4(palette[t], palette[t + 1], palette[t + 2]);\n"
    "}\n";

static const char rows_of_block[] =
    "layout(std140) uniform block { vec4 palette[180]; };\n"
    "mat3x4 joint(uint j) {\n"
    "    int t = 3 * int(j);\n"
    "    return mat3x4(palette[t], palette[t + 1], palette[t + 2]);\n"
    "}\n";

static const char rows_of_shader_storage[] =
    "layout(std430) readonly buffer block { vec4 palette[]; };\n"
    "mat3x4 joint(uint j) {\n"
    "    int t = int(instance.x) + 3 * int(j);\n"
    "    return mat3x4(palette[t], palette[t + 1], palette[t + 2]);\n"
    "}\n";

static const char rows_of_texture[] =
    "uniform sampler2D palette;\n"
    "vec4 texel(uint t) { return texelFetch(palette, ivec2(t & 1023u, t >> 10u), 0); }\n"
    "mat3x4 joint(uint j) {\n"
    "    uint t = instance.x + 3u * j;\n"
    "    return mat3x4(texel(t), texel(t + 1u), texel(t + 2u));\n"
    "}\n";

static const char *const storage_texts[SINEW_GL_STORAGE_COUNT] = {
    [SINEW_GL_STORAGE_TBO3] = rows_of_buffer,         [SINEW_GL_STORAGE_TBO4] = columns_of_buffer,
    [SINEW_GL_STORAGE_UNIFORM] = rows_of_uniform,     [SINEW_GL_STORAGE_UBO] = rows_of_block,
    [SINEW_GL_STORAGE_SSBO] = rows_of_shader_storage, [SINEW_GL_STORAGE_TEXTURE] = rows_of_texture,
};

static const char linear_blend[] =
    "mat3x4 blend() {\n"
    "    return weights.x * joint(joints.x) + weights.y * joint(joints.y) +\n"
    "           weights.z * joint(joints.z) + weights.w * joint(joints.w);\n"
    "}\n";

/* With joints that scale, as Sinew's; the reference is the first rotation, whatever its
 * weight. */
static const char dual_quaternion_blend[] =
    "mat3 turned(vec4 r, vec4 to, float k) {\n"
    "    float a = k * dot(r, to);\n"
    "    vec3 u = k * (to.w * r.xyz - r.w * to.xyz - cross(r.xyz, to.xyz));\n"
    "    return mat3(a, u.z, -u.y, -u.z, a, u.x, u.y, -u.x, a);\n"
    "}\n"
    "mat3x4 blend() {\n"
    "    vec4 r[4], w = weights, to;\n"
    "    for (int k = 0; k < 4; ++k) {\n"
    "        r[k] = rotation(joints[k]);\n"
    "        r[k] = dot(r[k], r[0]) < 0.0 ? -r[k] : r[k];\n"
    "    }\n"
    "    to = w.x * r[0] + w.y * r[1] + w.z * r[2] + w.w * r[3];\n"
    "    w /= dot(to, to);\n"
    "    mat3x4 b = joint(joints.x) * turned(r[0], to, w.x);\n"
    "    for (int k = 1; k < 4; ++k)\n"
    "        b += joint(joints[k]) * turned(r[k], to, w[k]);\n"
    "    return b;\n"
    "}\n";

static const char exact_skin[] =
    "void skin(out vec3 p, out vec3 n) {\n"
    "    mat3x4 b = blend();\n"
    "    mat3 c = mat3(cross(b[1].xyz, b[2].xyz), cross(b[2].xyz, b[0].xyz),\n"
    "                  cross(b[0].xyz, b[1].xyz));\n"
    "    p = vec4(position, 1.0) * b;\n"
    "    n = normalize(normal * c) * (dot(b[0].xyz, c[0]) < 0.0 ? -1.0 : 1.0);\n"
    "}\n";

static const char approximate_skin[] =
    "void skin(out vec3 p, out vec3 n) {\n"
    "    mat3x4 b = blend();\n"
    "    p = vec4(position, 1.0) * b;\n"
    "    n = normalize(normal * mat3(b[0].xyz, b[1].xyz, b[2].xyz));\n"
    "}\n";

static const char unskinned_text[] = "layout(location = 0) in vec3 position;\n"
                                     "layout(location = 1) in vec3 normal;\n"
                                     "uniform mat4 matrix;\n"
                                     "uniform mat3 turn;\n"
                                     "void skin(out vec3 p, out vec3 n) {\n"
                                     "    p = (matrix * vec4(position, 1.0)).xyz;\n"
                                     "    n = turn * normal;\n"
                                     "}\n";

/* ---- vertices ---- */

static void point_at(const GladGLContext *gl, GLuint location, GLint width, size_t offset) {
    gl->EnableVertexAttribArray(location);
    gl->VertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, 4 * width,
                            (const void *)(uintptr_t)offset);
}

/* Blocks one after the other, as Sinew lays them. */
static void upload_vertices(const GladGLContext *gl, const sinew_primitive *from, hand *out) {
    gl->GenVertexArrays(1, &out->vertex_array);
    gl->BindVertexArray(out->vertex_array);
    gl->GenBuffers(1, &out->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->vertices);
    gl->BufferData(GL_ARRAY_BUFFER, VERTICES * 44, NULL, GL_STATIC_DRAW);
    gl->BufferSubData(GL_ARRAY_BUFFER, 0, VERTICES * 12, from->positions);
    gl->BufferSubData(GL_ARRAY_BUFFER, VERTICES * 12, VERTICES * 12, from->normals);
    gl->BufferSubData(GL_ARRAY_BUFFER, VERTICES * 24, VERTICES * 4, from->influences->joints);
    gl->BufferSubData(GL_ARRAY_BUFFER, VERTICES * 28, VERTICES * 16, from->influences->weights);
    point_at(gl, 0, 3, 0);
    point_at(gl, 1, 3, VERTICES * 12);
    gl->EnableVertexAttribArray(6);
    gl->VertexAttribIPointer(6, 4, GL_UNSIGNED_BYTE, 4, (const void *)(uintptr_t)(VERTICES * 24));
    point_at(gl, 7, 4, VERTICES * 28);
}

/* ---- the palette ---- */

static void upload_texture(const GladGLContext *gl, const float *texels, GLsizei count, hand *out) {
    gl->GenTextures(1, &out->texture);
    gl->BindTexture(GL_TEXTURE_2D, out->texture);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, count, 1, 0, GL_RGBA, GL_FLOAT, texels);
}

static void upload_buffer(const GladGLContext *gl, const float *texels, GLsizei count,
                          sinew_gl_storage storage, hand *out) {
    gl->GenBuffers(1, &out->palette);
    gl->BindBuffer(GL_ARRAY_BUFFER, out->palette);
    gl->BufferData(GL_ARRAY_BUFFER, 16 * count, texels, GL_DYNAMIC_DRAW);
    if (storage == SINEW_GL_STORAGE_TBO3 || storage == SINEW_GL_STORAGE_TBO4) {
        gl->GenTextures(1, &out->texture);
        gl->BindTexture(GL_TEXTURE_BUFFER, out->texture);
        gl->TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, out->palette);
    }
}

static bool upload_palette(const GladGLContext *gl, const sinew_model *model,
                           const sinew_pose *pose, const wish *wanted, hand *out) {
    float matrices[JOINTS * 16];
    sinew_palette palette = {.matrices = matrices, .capacity = JOINTS};
    palette.layout = wanted->method == SINEW_SKIN_DQS           ? SINEW_PALETTE_4X3_ROTATION
                     : wanted->storage == SINEW_GL_STORAGE_TBO4 ? SINEW_PALETTE_4X4
                                                                : SINEW_PALETTE_4X3;
    if (sinew_palette_build(model, 0, pose, &palette)) {
        return false;
    }
    GLsizei texels = (GLsizei)(JOINTS * sinew_palette_floats(palette.layout) / 4);
    if (wanted->storage == SINEW_GL_STORAGE_TEXTURE) {
        upload_texture(gl, matrices, texels, out);
    } else if (wanted->storage == SINEW_GL_STORAGE_UNIFORM) {
        gl->UseProgram(out->program);
        gl->Uniform4fv(gl->GetUniformLocation(out->program, "palette"), texels, matrices);
    } else {
        upload_buffer(gl, matrices, texels, wanted->storage, out);
    }
    return true;
}

/* ---- all of it ---- */

bool hand_create(const GladGLContext *gl, const sinew_model *model, const sinew_pose *pose,
                 const wish *wanted, bool captured, hand *out) {
    bool dual = wanted->method == SINEW_SKIN_DQS;
    const char *texts[] = {wanted->storage == SINEW_GL_STORAGE_SSBO ? extension : "",
                           attributes,
                           dual ? four_texels : three_texels,
                           storage_texts[wanted->storage],
                           dual ? dual_quaternion_blend : linear_blend,
                           wanted->approximate_normals ? approximate_skin : exact_skin,
                           program_main};
    *out = (hand){.program = program_build(gl, texts, 7, captured)};
    if (!out->program) {
        return false;
    }
    upload_vertices(gl, &model->meshes[0].primitives[0], out);
    return upload_palette(gl, model, pose, wanted, out);
}

void hand_free(const GladGLContext *gl, hand *made) {
    gl->DeleteProgram(made->program);
    gl->DeleteVertexArrays(1, &made->vertex_array);
    gl->DeleteBuffers(1, &made->vertices);
    gl->DeleteBuffers(1, &made->palette);
    gl->DeleteTextures(1, &made->texture);
}

/* Samplers and blocks of a program begin at unit and point 0, which is where it all is. */
void hand_bind(const GladGLContext *gl, const hand *made, const wish *wanted) {
    gl->UseProgram(made->program);
    gl->BindVertexArray(made->vertex_array);
    gl->VertexAttribI4ui(10, 0, 0, 0, 0);
    gl->ActiveTexture(GL_TEXTURE0);
    switch (wanted->storage) {
    case SINEW_GL_STORAGE_TEXTURE: gl->BindTexture(GL_TEXTURE_2D, made->texture); break;
    case SINEW_GL_STORAGE_UBO: gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, made->palette); break;
    case SINEW_GL_STORAGE_SSBO:
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, made->palette);
        break;
    case SINEW_GL_STORAGE_UNIFORM: break;
    default: gl->BindTexture(GL_TEXTURE_BUFFER, made->texture); break;
    }
}

void hand_draw(const GladGLContext *gl) {
    gl->DrawArrays(GL_POINTS, 0, VERTICES);
}

GLuint unskinned_create(const GladGLContext *gl) {
    static const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1};
    static const float turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const char *texts[] = {unskinned_text, program_main};
    GLuint program = program_build(gl, texts, 2, false);
    gl->UseProgram(program);
    gl->UniformMatrix4fv(gl->GetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix);
    gl->UniformMatrix3fv(gl->GetUniformLocation(program, "turn"), 1, GL_FALSE, turn);
    return program;
}
