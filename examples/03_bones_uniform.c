/* The shader that tutorials teach, `uniform mat4 bones[]`, as it is and fed by Sinew: without
 * libsinew-gl, the joints of each primitive renumbered, as a figure has more than the shader's
 * 32 bones, and the 4 largest influences of a vertex. Left out: materials, morph targets,
 * points and lines, and sharing vertices by indices (04_bones_texture_buffer.c does).
 *     03_bones_uniform MODEL CLIP [FRAMES FILE.ppm]
 * With FRAMES it ends after so many, a tenth of a second each, and writes the last one. */
#include "bones.h" /* its window, arguments and camera: nothing of bones */

#define BONES 32 /* as in the shader */
#define MOST_JOINTS 256

static const char skinned[] =
    "layout(location = 0) in vec3 position;\nlayout(location = 2) in ivec4 boneIds;\n"
    "layout(location = 3) in vec4 weights;\nout vec3 at;\n"
    "uniform mat4 bones[32];\nuniform mat4 viewProjection;\n"
    "void main() {\n    mat4 bone = mat4(0.0);\n"
    "    for (int i = 0; i < 4; i++) bone += weights[i] * bones[boneIds[i]];\n"
    "    at = vec3(bone * vec4(position, 1.0));\n"
    "    gl_Position = viewProjection * vec4(at, 1.0);\n}\n";

typedef struct vertex {
    float position[3], weights[4];
    GLint bones[4];
} vertex;

typedef struct part {                   /* a primitive of a node */
    uint32_t skin;                      /* SINEW_NONE: its one bone is the node */
    uint32_t joints[BONES], bone_count; /* what each bone is: a joint slot of the skin */
    GLuint array;
    GLsizei vertex_count;
} part;

/* The bone of a joint: the one that it has, or the next free one. */
static GLint bone_of(part *in, uint32_t joint) {
    uint32_t bone = 0;
    while (bone < in->bone_count && in->joints[bone] != joint) {
        bone++;
    }
    check(bone < BONES, "bones[32]", "a primitive uses more than 32 joints");
    in->joints[bone] = joint;
    in->bone_count += bone == in->bone_count;
    return (GLint)bone;
}

/* Keeps the 4 largest influences of vertex v, their weights adding up to 1 again. */
static void set_bones(const sinew_influences *from, uint32_t v, part *in, vertex *to) {
    static bool told;
    uint32_t joint[5] = {0}; /* in the fifth place is what falls out */
    float weight[5] = {0};
    for (size_t i = (size_t)v * from->per_vertex, n = from->per_vertex, at; n > 0; n--, i++) {
        const void *all = from->weights;
        float w = from->weight_type == SINEW_F32  ? ((const float *)all)[i]
                  : from->weight_type == SINEW_U8 ? (float)((const uint8_t *)all)[i] / 255
                                                  : (float)((const uint16_t *)all)[i] / 65535;
        for (at = 4; at > 0 && w > weight[at - 1]; at--) {
            weight[at] = weight[at - 1];
            joint[at] = joint[at - 1];
        }
        weight[at] = w;
        joint[at] = from->joint_type == SINEW_U8 ? ((const uint8_t *)from->joints)[i]
                                                 : ((const uint16_t *)from->joints)[i];
        told = told || (weight[4] > 0 && fputs("more than 4 influences a vertex: the 4 largest "
                                               "count, scaled to add up to 1\n",
                                               stderr) >= 0);
    }
    for (int k = 0; k < 4 && weight[k] > 0; k++) {
        to->bones[k] = bone_of(in, joint[k]);
        to->weights[k] = weight[k] / (weight[0] + weight[1] + weight[2] + weight[3]);
    }
}

/* One vertex for each corner of the triangles of a primitive. */
static part load(const stage *on, uint32_t which) {
    const sinew_primitive *primitive = on->primitives[which];
    const sinew_node *node = &on->model->nodes[on->nodes[which]];
    bool rigid = !follows_skin(on, which);
    part made = {.skin = rigid ? SINEW_NONE : node->skin};
    size_t count = 3 * (size_t)sinew_primitive_triangles(primitive, NULL);
    uint32_t *corners = malloc(count * sizeof *corners);
    vertex *to = calloc(count, sizeof *to);
    check(corners && to, "cannot load", "no memory");
    sinew_primitive_triangles(primitive, corners);
    for (size_t c = 0; c < count; c++) {
        memcpy(to[c].position, primitive->positions + (size_t)3 * corners[c], 3 * sizeof(float));
        if (rigid) {
            to[c].weights[bone_of(&made, on->nodes[which])] = 1.0f; /* bone 0 */
        } else {
            set_bones(&primitive->influences[node->influences_index], corners[c], &made, &to[c]);
        }
    }
    GLuint buffer;
    gl.GenVertexArrays(1, &made.array);
    gl.BindVertexArray(made.array);
    gl.GenBuffers(1, &buffer); /* goes with the context, as all here */
    gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl.BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *to), to, GL_STATIC_DRAW);
    gl.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof *to, NULL);
    gl.VertexAttribIPointer(2, 4, GL_INT, sizeof *to, (char *)offsetof(vertex, bones));
    gl.VertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, sizeof *to, (char *)offsetof(vertex, weights));
    for (GLuint at = 0; at < 4; at++) {
        gl.EnableVertexAttribArray(at);
    }
    made.vertex_count = (GLsizei)count;
    free(to);
    free(corners);
    return made;
}

static void draw(const part *what, const sinew_pose *pose, GLint place) {
    static float matrices[16 * MOST_JOINTS], bones[BONES][16];
    sinew_palette palette = {matrices, .capacity = MOST_JOINTS, .layout = SINEW_PALETTE_4X4};
    const float *from = pose->world_matrices; /* those are a palette of all nodes */
    if (what->skin != SINEW_NONE) {
        from = matrices;
        check(!sinew_palette_build(pose->model, what->skin, pose, &palette), "a skin",
              "has too many joints");
    }
    for (uint32_t bone = 0; bone < what->bone_count; bone++) {
        memcpy(bones[bone], from + (size_t)16 * what->joints[bone], sizeof bones[bone]);
    }
    gl.UniformMatrix4fv(place, (GLsizei)what->bone_count, GL_FALSE, bones[0]);
    gl.BindVertexArray(what->array);
    gl.DrawArrays(GL_TRIANGLES, 0, what->vertex_count);
}

int main(int argc, char **argv) {
    stage on = {.window = NULL};
    part parts[MOST_PARTS];
    open_stage(&on, argc, argv, "03_bones_uniform MODEL CLIP [FRAMES FILE.ppm]");
    for (uint32_t i = 0; i < on.count; i++) {
        parts[i] = load(&on, i);
    }
    GLuint program = build_program("", skinned, flat_shaded);
    set_camera(program, 3.4f);
    GLint place = gl.GetUniformLocation(program, "bones");
    do {
        sinew_clip_sample(on.model, on.clip, now(&on), SINEW_LOOP, on.pose);
        sinew_pose_to_world(on.pose);
        for (uint32_t i = 0; i < on.count; i++) {
            draw(&parts[i], on.pose, place);
        }
    } while (end_frame(&on));
    close_stage(&on);
    return 0;
}
