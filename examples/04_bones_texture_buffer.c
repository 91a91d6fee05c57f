/* The other shader of the tutorials: the matrices of a crowd in one texture buffer, four
 * texels a joint, instance after instance. Sinew builds the palettes straight into the mapped
 * buffer, which it writes in order and never reads. Joints and weights go to the card as the
 * model has them, up to 8 a vertex. Left out: materials, morph targets, points and lines.
 *     04_bones_texture_buffer MODEL CLIP [FRAMES FILE.ppm [CHARACTERS]]
 * With FRAMES it ends after so many, a tenth of a second each, and writes the last one. */
#include "bones.h" /* its window, arguments and camera: nothing of bones */

#include <math.h>

static const char skinned[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in uvec4 joints0;\nlayout(location = 2) in vec4 weights0;\n"
    "layout(location = 3) in uvec4 joints1;\nlayout(location = 4) in vec4 weights1;\n"
    "uniform samplerBuffer bones;\nuniform int jointsPerInstance, firstJoint, perRow;\n"
    "uniform mat4 viewProjection;\nout vec3 at;\n"
    "mat4 bone(uint joint) {\n"
    "    int t = 4 * (gl_InstanceID * jointsPerInstance + firstJoint + int(joint));\n"
    "    return mat4(texelFetch(bones, t), texelFetch(bones, t + 1), texelFetch(bones, t + 2),\n"
    "                texelFetch(bones, t + 3));\n}\n"
    "void main() {\n    mat4 sum = mat4(0.0);\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        if (weights0[i] > 0.0) sum += weights0[i] * bone(joints0[i]);\n"
    "        if (weights1[i] > 0.0) sum += weights1[i] * bone(joints1[i]);\n    }\n"
    "    at = vec3(sum * vec4(position, 1.0));\n"
    "    at.x += 1.3 * float(gl_InstanceID % perRow) - 0.65 * float(perRow - 1);\n"
    "    at.z -= 1.3 * float(gl_InstanceID / perRow);\n"
    "    gl_Position = viewProjection * vec4(at, 1.0);\n}\n";

typedef struct crowd {
    stage on;
    GLuint arrays[MOST_PARTS];
    GLsizei corners[MOST_PARTS];
    uint32_t first[MOST_PARTS]; /* joint of an instance: where the part's palette begins */
    uint32_t joints;            /* of an instance, all palettes */
    GLsizei count;              /* characters */
} crowd;

static void fill(GLenum target, const void *data, size_t size) {
    GLuint buffer;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(target, buffer);
    gl.BufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
}

/* Sets 0 and 1 of joints and weights, in the types of the file. */
static void load_influences(const sinew_influences *from, size_t vertex_count) {
    const GLenum types[] = {0, GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, 0, GL_FLOAT}; /* by size */
    size_t of_joints = from->per_vertex * from->joint_type;
    size_t of_weights = from->per_vertex * from->weight_type;
    check(from->per_vertex <= 8, "cannot draw", "more than 8 influences a vertex");
    for (uint32_t set = 0; 4 * set < from->per_vertex; set++) {
        fill(GL_ARRAY_BUFFER, from->joints, vertex_count * of_joints);
        gl.EnableVertexAttribArray(1 + 2 * set);
        gl.VertexAttribIPointer(1 + 2 * set, 4, types[from->joint_type], (GLsizei)of_joints,
                                (void *)(4 * (size_t)set * from->joint_type));
        fill(GL_ARRAY_BUFFER, from->weights, vertex_count * of_weights);
        gl.EnableVertexAttribArray(2 + 2 * set);
        gl.VertexAttribPointer(2 + 2 * set, 4, types[from->weight_type], GL_TRUE,
                               (GLsizei)of_weights, (void *)(4 * (size_t)set * from->weight_type));
    }
}

static void load(crowd *of, uint32_t part) {
    const sinew_primitive *primitive = of->on.primitives[part];
    const sinew_node *node = &of->on.model->nodes[of->on.nodes[part]];
    uint32_t count = 3 * sinew_primitive_triangles(primitive, NULL);
    uint32_t *corners = malloc(count * sizeof *corners);
    check(corners != NULL, "cannot load", "no memory");
    sinew_primitive_triangles(primitive, corners);
    gl.GenVertexArrays(1, &of->arrays[part]);
    gl.BindVertexArray(of->arrays[part]);
    fill(GL_ELEMENT_ARRAY_BUFFER, corners, count * sizeof *corners);
    fill(GL_ARRAY_BUFFER, primitive->positions, (size_t)12 * primitive->vertex_count);
    gl.EnableVertexAttribArray(0);
    gl.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    bool skins = follows_skin(&of->on, part);
    if (skins) {
        load_influences(&primitive->influences[node->influences_index], primitive->vertex_count);
    }
    of->corners[part] = (GLsizei)count;
    free(corners);
    bool same = skins && part && follows_skin(&of->on, part - 1) &&
                node->skin == of->on.model->nodes[of->on.nodes[part - 1]].skin;
    of->first[part] = same ? of->first[part - 1] : of->joints;
    of->joints += same ? 0 : skins ? of->on.model->skins[node->skin].joint_count : 1;
}

/* All palettes of all characters, each at its own time of the clip. False: the memory was
 * lost before it was used, as may be when the screen changes. */
static bool build_palettes(crowd *of) {
    const stage *on = &of->on;
    float *to = gl.MapBufferRange(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)64 * of->joints * of->count,
                                  GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    check(to != NULL, "cannot draw", "the buffer cannot be mapped");
    for (GLsizei i = 0; i < of->count; i++) { /* one pose serves: nothing of it is kept */
        sinew_clip_sample(on->model, on->clip, now(on) + 0.37 * i, SINEW_LOOP, on->pose);
        sinew_pose_to_world(on->pose);
        for (uint32_t p = 0, next = 0; p < on->count; p++) {
            if (of->first[p] != next) {
                continue; /* the part before it has the same */
            }
            sinew_palette palette = {to, of->joints - next, SINEW_PALETTE_4X4, 0, NULL, 0};
            follows_skin(on, p)
                ? sinew_palette_build(on->model, on->model->nodes[on->nodes[p]].skin, on->pose,
                                      &palette)
                : sinew_palette_build_rigid(on->model, on->nodes[p], on->pose, &palette);
            next += palette.joint_count;
            to += 16 * palette.joint_count;
        }
    }
    return gl.UnmapBuffer(GL_TEXTURE_BUFFER);
}

int main(int argc, char **argv) {
    crowd of = {.count = argc > 5 ? (GLsizei)strtol(argv[5], NULL, 10) : 25};
    open_stage(&of.on, argc, argv,
               "04_bones_texture_buffer MODEL CLIP [FRAMES FILE.ppm [CHARACTERS]]");
    for (uint32_t p = 0; p < of.on.count; p++) {
        load(&of, p);
    }
    GLint most, per_row = (GLint)ceil(sqrt(of.count));
    gl.GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    check(of.count > 0 && of.count <= most / 4 / (GLsizei)(of.joints + 1), "cannot draw",
          "no characters, or more than the texture buffer holds");
    GLuint names[2], program = build_program("", skinned, flat_shaded);
    gl.GenBuffers(1, &names[0]); /* stays bound, for palettes to be built into */
    gl.BindBuffer(GL_TEXTURE_BUFFER, names[0]);
    gl.BufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)64 * of.joints * of.count, NULL, GL_STREAM_DRAW);
    gl.GenTextures(1, &names[1]); /* on unit 0, where `bones` looks */
    gl.BindTexture(GL_TEXTURE_BUFFER, names[1]);
    gl.TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, names[0]);
    set_camera(program, 3.4f + 1.3f * (float)(per_row - 1));
    gl.Uniform1i(gl.GetUniformLocation(program, "jointsPerInstance"), (GLint)of.joints);
    gl.Uniform1i(gl.GetUniformLocation(program, "perRow"), per_row);
    gl.VertexAttribI4ui(1, 0, 0, 0, 0); /* without influences: joint 0 alone */
    gl.VertexAttrib4f(2, 1, 0, 0, 0);
    gl.VertexAttrib4f(4, 0, 0, 0, 0); /* without a second set */
    do {
        bool sound = build_palettes(&of);
        for (uint32_t p = 0; sound && p < of.on.count; p++) {
            gl.Uniform1i(gl.GetUniformLocation(program, "firstJoint"), (GLint)of.first[p]);
            gl.BindVertexArray(of.arrays[p]);
            gl.DrawElementsInstanced(GL_TRIANGLES, of.corners[p], GL_UNSIGNED_INT, NULL, of.count);
        }
    } while (end_frame(&of.on));
    close_stage(&of.on);
    return 0;
}
