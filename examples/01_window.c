/* A window in which Sinew draws a character.
 *
 *     01_window MODEL [CLIP] [--frames N]
 *
 * Shown: reading a model, sampling a clip by time, drawing it in a context that GLFW
 * made. Left out: textures (see sinew_gl_model_set_texture; the host decodes pictures),
 * a camera that moves, more than one character.
 * --frames N ends the program after N frames, for tests. */
#include <glad/gl.h> /* before GLFW's header, which then leaves OpenGL to it */

#include <GLFW/glfw3.h>
#include <sinew/gl.h>
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what, const char *why) {
    fprintf(stderr, "01_window: %s: %s\n", what, why);
    exit(1);
}

static void on_glfw_error(int code, const char *why) {
    (void)code;
    fprintf(stderr, "01_window: GLFW: %s\n", why);
}

static GLFWwindow *open_window(GladGLContext *gl) {
    glfwSetErrorCallback(on_glfw_error);
    if (!glfwInit()) {
        give_up("no window", "GLFW does not start");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SAMPLES, 4);
    GLFWwindow *window = glfwCreateWindow(960, 720, "Sinew", NULL, NULL);
    if (!window) {
        give_up("no window", "OpenGL 3.3 is needed");
    }
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    if (!gladLoadGLContext(gl, glfwGetProcAddress)) {
        give_up("no OpenGL", "its functions cannot be loaded");
    }
    return window;
}

/* From the front, at a distance that shows all joints of the pose. */
static void look_at(const sinew_pose *pose, float aspect, float out[16]) {
    sinew_box box = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
    float centre[3], radius = 0.0f;
    for (uint32_t n = 0; n < pose->model->node_count; n++) {
        for (int i = 0; i < 3; i++) {
            float x = pose->world_matrices[16 * n + 12 + i];
            box.minimum[i] = fminf(box.minimum[i], x);
            box.maximum[i] = fmaxf(box.maximum[i], x);
        }
    }
    for (int i = 0; i < 3; i++) {
        centre[i] = 0.5f * (box.minimum[i] + box.maximum[i]);
        radius = fmaxf(radius, 0.5f * (box.maximum[i] - box.minimum[i]));
    }
    radius = radius > 0.0f ? 1.4f * radius : 1.0f;
    float distance = 3.0f * radius, nearest = 0.1f * radius, farthest = 20.0f * radius;
    float f = 2.5f, a = (farthest + nearest) / (nearest - farthest);
    float b = 2.0f * farthest * nearest / (nearest - farthest), z = -centre[2] - distance;
    const float matrix[16] = {
        f / aspect,     0,         0, 0, 0, f, 0, 0, 0, 0, a, -1, -f / aspect * centre[0],
        -f * centre[1], a * z + b, -z};
    memcpy(out, matrix, sizeof matrix);
}

static void draw_frames(GLFWwindow *window, const GladGLContext *gl, const sinew_model *model,
                        uint32_t clip, long frames) {
    sinew_error why;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    sinew_gl_options options = {.loader = glfwGetProcAddress};
    sinew_gl *sinew = sinew_gl_create(&options, &why);
    sinew_gl_model *on_gpu = sinew ? sinew_gl_model_create(sinew, model, NULL, &why) : NULL;
    if (!pose || !on_gpu) {
        give_up("cannot draw the model", pose ? why.message : "no memory");
    }
    for (long frame = 0; frame != frames && !glfwWindowShouldClose(window); frame++) {
        int width, height;
        float view_projection[16];
        glfwGetFramebufferSize(window, &width, &height);
        gl->Viewport(0, 0, width, height);
        gl->ClearColor(0.55f, 0.6f, 0.65f, 1.0f);
        gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);

        if (clip != SINEW_NONE) {
            sinew_clip_sample(model, clip, glfwGetTime(), SINEW_LOOP, pose);
            sinew_pose_to_world(pose);
        }
        look_at(pose, (float)width / (float)(height ? height : 1), view_projection);
        if (sinew_gl_draw(on_gpu, pose, NULL, view_projection, &why)) {
            give_up("cannot draw the model", why.message);
        }
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(sinew);
    sinew_pose_free(pose);
}

int main(int argc, char **argv) {
    long frames = -1; /* until the window is closed */
    if (argc > 2 && strcmp(argv[argc - 2], "--frames") == 0) {
        frames = strtol(argv[argc - 1], NULL, 10);
        argc -= 2;
    }
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: 01_window MODEL [CLIP] [--frames N]\n");
        return 2;
    }
    sinew_error why;
    sinew_model *model = sinew_model_read(argv[1], NULL, &why);
    if (!model) {
        give_up(argv[1], why.message);
    }
    uint32_t clip = model->clip_count ? 0 : SINEW_NONE;
    if (argc == 3 && (clip = sinew_clip_find(model, argv[2])) == SINEW_NONE) {
        give_up(argv[2], "the model has no such clip");
    }
    GladGLContext gl;
    GLFWwindow *window = open_window(&gl);
    draw_frames(window, &gl, model, clip, frames);
    glfwDestroyWindow(window);
    glfwTerminate();
    sinew_model_free(model);
    return 0;
}
