/* The first program of README.md: Sinew draws. What stands between the two marks is shown
 * there, and a test compares both.
 *
 *     readme_1_window MODEL CLIP [--frames N] */
#include <glad/gl.h> /* before GLFW's header, which then leaves OpenGL to it */

#include <GLFW/glfw3.h>
/* README.md { */
#include <sinew/gl.h>
#include <sinew/sinew.h>
/* } */

#include <stdio.h>
#include <stdlib.h>

/* What a host has anyway: a window, its OpenGL functions, a camera. */
typedef struct stage {
    GLFWwindow *window;
    GladGLContext gl;
    long frames; /* still to be drawn; below 0: until the window is closed */
} stage;

/* From (0, 1, 5) towards -Z. */
static const float view_projection[16] = {1.8f, 0, 0,      0,  0, 2.4f,  0,    0,
                                          0,    0, -1.02f, -1, 0, -2.4f, 4.9f, 5};

/* Shows what was drawn and clears for the next frame; false at the end. */
static bool next_frame(stage *on) {
    glfwSwapBuffers(on->window);
    glfwPollEvents();
    on->gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    return !glfwWindowShouldClose(on->window) && on->frames-- != 0;
}

static int fail(const sinew_error *why) {
    fprintf(stderr, "readme_1_window: %s %s\n", why->place, why->message);
    return 1;
}

/* README.md { */
static int play(stage *on, const char *file, const char *name) {
    sinew_error why;
    sinew_model *knight = sinew_model_read(file, NULL, &why);
    sinew_gl *gl = sinew_gl_create(&(sinew_gl_options){.loader = glfwGetProcAddress}, &why);
    if (!knight || !gl) {
        return fail(&why);
    }
    sinew_pose *pose = sinew_pose_create(knight, NULL);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, knight, NULL, &why);
    uint32_t walk = sinew_clip_find(knight, name);
    while (pose && on_gpu && next_frame(on)) {
        sinew_clip_sample(knight, walk, glfwGetTime(), SINEW_LOOP, pose); /* local transforms */
        sinew_pose_to_world(pose);
        sinew_gl_draw(on_gpu, pose, NULL, view_projection, &why);
    }
    int status = pose && on_gpu ? 0 : fail(&why);
    sinew_gl_model_free(on_gpu);
    sinew_pose_free(pose);
    sinew_gl_free(gl);
    sinew_model_free(knight);
    return status;
}
/* } */

static bool open_stage(stage *on) {
    if (!glfwInit()) {
        return false;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    on->window = glfwCreateWindow(640, 480, "Sinew", NULL, NULL);
    if (!on->window) {
        return false;
    }
    glfwMakeContextCurrent(on->window);
    return gladLoadGLContext(&on->gl, glfwGetProcAddress) != 0;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: readme_1_window MODEL CLIP [--frames N]\n");
        return 2;
    }
    stage on = {.frames = argc == 5 ? strtol(argv[4], NULL, 10) : -1};
    int status = open_stage(&on) ? play(&on, argv[1], argv[2]) : 1;
    glfwTerminate();
    return status;
}
