/* What the hosts of 03, 04, 05 and 07 have anyway: a window, OpenGL by a loader of their own,
 * programs, a picture on disk. Nothing of it is Sinew's. */
#ifndef EXAMPLES_HOST_H
#define EXAMPLES_HOST_H

#include <glad/gl.h> /* before GLFW's header, which then leaves OpenGL to it */

#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>

#define WIDTH 640
#define HEIGHT 480

static GladGLContext gl;

static inline void check(int sound, const char *what, const char *why) {
    if (!sound) {
        fprintf(stderr, "%s: %s\n", what, why);
        exit(1);
    }
}

static inline GLFWwindow *open_window(void) {
    glfwInit();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "Sinew", NULL, NULL);
    check(window != NULL, "no window", "a display and OpenGL 3.3 are needed");
    glfwMakeContextCurrent(window);
    check(gladLoadGLContext(&gl, glfwGetProcAddress), "no OpenGL", "its functions are not there");
    return window;
}

/* chunk: Sinew's text, put before the vertex shader; "" for none. */
static inline GLuint build_program(const char *chunk, const char *vertex, const char *fragment) {
    const char *texts[2][3] = {{"#version 330 core\n", chunk, vertex},
                               {"#version 330 core\n", "", fragment}};
    char log[500] = "";
    GLint linked = 0;
    GLuint program = gl.CreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = gl.CreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        gl.ShaderSource(shader, 3, texts[i], NULL);
        gl.CompileShader(shader);
        gl.AttachShader(program, shader);
        gl.DeleteShader(shader);
    }
    gl.LinkProgram(program);
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl.GetProgramInfoLog(program, sizeof log, NULL, log);
    check(linked, "a program does not link", log);
    return program;
}

/* The current framebuffer as a PPM file. */
static inline void save_picture(const char *path) {
    static unsigned char pixels[3 * WIDTH * HEIGHT];
    FILE *file = fopen(path, "wb");
    check(file != NULL, path, "cannot be written");
    gl.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    for (int y = HEIGHT; y-- > 0;) {
        fwrite(pixels + (ptrdiff_t)3 * WIDTH * y, 3, WIDTH, file);
    }
    check(fclose(file) == 0, path, "cannot be written");
}

#endif
