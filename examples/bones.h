/* What 03 and 04 have in common, so that each shows its own way to feed a shader: arguments,
 * the primitives to draw, a camera, the frames. */
#ifndef EXAMPLES_BONES_H
#define EXAMPLES_BONES_H

#include "host.h" /* a window, OpenGL's functions, programs */

#include <sinew/sinew.h>

#include <string.h>

#define MOST_PARTS 64

static const char flat_shaded[] =
    "in vec3 at;\nout vec4 color;\nvoid main() {\n"
    "    color = vec4(0.4 + 0.3 * normalize(cross(dFdx(at), dFdy(at))), 1.0);\n}\n";

typedef struct stage {
    GLFWwindow *window;
    sinew_model *model;
    sinew_pose *pose;
    uint32_t clip;
    long frame, frames; /* frames below 0: until the window is closed */
    const char *picture;
    uint32_t count; /* primitives of the scene that have triangles */
    uint32_t nodes[MOST_PARTS];
    const sinew_primitive *primitives[MOST_PARTS];
} stage;

/* argv: PROGRAM MODEL CLIP [FRAMES FILE.ppm]. */
static inline void open_stage(stage *on, int argc, char **argv, const char *usage) {
    sinew_error why = {SINEW_OK, "", ""};
    check(argc > 2, "usage", usage);
    on->model = sinew_model_read(argv[1], NULL, &why);
    check(on->model != NULL, argv[1], why.message);
    on->clip = sinew_clip_find(on->model, argv[2]);
    check(on->clip != SINEW_NONE, argv[2], "the model has no such clip");
    on->frames = argc > 4 ? strtol(argv[3], NULL, 10) : -1;
    on->picture = argc > 4 ? argv[4] : NULL;
    on->pose = sinew_pose_create(on->model, NULL);
    uint32_t *nodes = malloc((on->model->node_count + 1) * sizeof *nodes);
    check(on->pose && nodes, argv[1], "no memory");
    uint32_t node_count = sinew_scene_nodes(on->model, SINEW_NONE, nodes);
    for (uint32_t n = 0; n < node_count; n++) {
        uint32_t mesh = on->model->nodes[nodes[n]].mesh;
        for (uint32_t p = 0; mesh != SINEW_NONE && p < on->model->meshes[mesh].primitive_count;
             p++) {
            const sinew_primitive *primitive = &on->model->meshes[mesh].primitives[p];
            if (primitive->vertex_count && sinew_primitive_triangles(primitive, NULL)) {
                check(on->count < MOST_PARTS, argv[1], "has too many primitives");
                on->nodes[on->count] = nodes[n];
                on->primitives[on->count++] = primitive;
            }
        }
    }
    free(nodes);
    check(on->count > 0, argv[1], "has no triangles");
    on->window = open_window();
    gl.Enable(GL_DEPTH_TEST);
    gl.ClearColor(1, 1, 1, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* Whether the primitive follows the joints of its node's skin; else it follows the node. */
static inline bool follows_skin(const stage *on, uint32_t part) {
    return on->model->nodes[on->nodes[part]].skin != SINEW_NONE &&
           on->primitives[part]->influences_count > 0;
}

/* Ends the frame that was drawn; false: it was the last. */
static inline bool end_frame(stage *on) {
    on->frame++;
    if (on->frame == on->frames) {
        save_picture(on->picture);
        return false;
    }
    glfwSwapBuffers(on->window);
    glfwPollEvents();
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return !glfwWindowShouldClose(on->window);
}

/* Seconds of the clip: a tenth for each counted frame, else as the time goes. */
static inline double now(const stage *on) {
    return on->frames < 0 ? glfwGetTime() : 0.1 * (double)on->frame;
}

/* From so far away, 1 m high, towards -Z. */
static inline void set_camera(GLuint program, float distance) {
    const float matrix[16] = {
        1.7f,    0, 0, 0, 0, 2.3f, 0, 0, 0, 0, -1.002f, -1, 0, -2.3f, 1.002f * distance - 0.2f,
        distance};
    gl.UseProgram(program);
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, "viewProjection"), 1, GL_FALSE, matrix);
}

static inline void close_stage(stage *on) {
    sinew_pose_free(on->pose);
    sinew_model_free(on->model);
    glfwTerminate(); /* and with the context all that was made in it */
}

#endif
