/* The second program of README.md: the host draws, with a vertex shader of its own. What
 * stands between marks is shown there, and a test compares both.
 *
 *     readme_2_window MODEL CLIP [--frames N] */
#include <glad/gl.h> /* before GLFW's header, which then leaves OpenGL to it */

#include <GLFW/glfw3.h>
#include <sinew/gl.h>
#include <sinew/sinew.h>

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
    fprintf(stderr, "readme_2_window: %s %s\n", why->place, why->message);
    return 1;
}

static GLuint compile(const GladGLContext *gl, GLenum kind, const char *const *texts, int count) {
    GLuint shader = gl->CreateShader(kind);
    gl->ShaderSource(shader, count, texts, NULL);
    gl->CompileShader(shader);
    char log[1024] = "";
    gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
    fputs(log, stderr);
    return shader;
}

/* README.md { */
/* Once for every item, a primitive of a node: Sinew's chunk, then the host's shader. */
static GLuint vertex_shader(const GladGLContext *gl, sinew_gl *sinew, const sinew_gl_item *item) {
    sinew_gl_skinning wish = {.influences = item->influences, .morphs = item->targets > 0};
    const char *texts[] = {"#version 330 core\n", sinew_gl_skinning_source(sinew, &wish, NULL),
                           "layout(location = 0) in vec3 a_position;\n"
                           "uniform mat4 u_view_projection;\n"
                           "out float v_height;\n"
                           "void main() {\n"
                           "    vec3 position = sinew_position(a_position); // bind -> world\n"
                           "    v_height = position.y;\n"
                           "    gl_Position = u_view_projection * vec4(position, 1.0);\n"
                           "}\n"};
    return compile(gl, GL_VERTEX_SHADER, texts, 3);
}

/* Every frame, after sinew_pose_to_world: the palettes of all items go into one buffer,
 * and each item is drawn by the host's own program. */
static sinew_result draw(const GladGLContext *gl, sinew_gl_model *on_gpu, const sinew_pose *pose,
                         const GLuint *programs, sinew_error *why) {
    uint32_t count;
    sinew_gl_model_items(on_gpu, &count);
    sinew_result result = sinew_gl_model_update(on_gpu, pose, why);
    for (uint32_t i = 0; i < count && result == SINEW_OK; i++) {
        GLint place = gl->GetUniformLocation(programs[i], "u_view_projection");
        gl->UseProgram(programs[i]);
        gl->UniformMatrix4fv(place, 1, GL_FALSE, view_projection);
        sinew_gl_item_bind(on_gpu, i, programs[i], 0); /* two texture units, from 0 on */
        sinew_gl_item_draw(on_gpu, i);
    }
    return result;
}
/* } */

static GLuint make_program(const GladGLContext *gl, sinew_gl *sinew, const sinew_gl_item *item) {
    const char *fragment = "#version 330 core\n"
                           "in float v_height;\n"
                           "out vec4 o_color;\n"
                           "void main() { o_color = vec4(fract(v_height * vec3(1, 2, 4)), 1); }\n";
    GLuint program = gl->CreateProgram();
    gl->AttachShader(program, vertex_shader(gl, sinew, item));
    gl->AttachShader(program, compile(gl, GL_FRAGMENT_SHADER, &fragment, 1));
    gl->LinkProgram(program);
    return program;
}

static GLuint *make_programs(const GladGLContext *gl, sinew_gl *sinew, sinew_gl_model *on_gpu) {
    uint32_t count;
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    GLuint *programs = calloc(count + 1, sizeof *programs);
    for (uint32_t i = 0; programs && i < count; i++) {
        programs[i] = make_program(gl, sinew, &items[i]);
    }
    return programs;
}

static int play(stage *on, const char *file, const char *name) {
    sinew_error why = {.result = SINEW_OK};
    sinew_model *model = sinew_model_read(file, NULL, &why);
    sinew_gl *gl = sinew_gl_create(&(sinew_gl_options){.loader = glfwGetProcAddress}, &why);
    if (!model || !gl) {
        return fail(&why);
    }
    sinew_pose *pose = sinew_pose_create(model, NULL);
    sinew_gl_model *on_gpu = sinew_gl_model_create(gl, model, NULL, &why);
    GLuint *programs = on_gpu ? make_programs(&on->gl, gl, on_gpu) : NULL;
    uint32_t clip = sinew_clip_find(model, name);
    sinew_result result = pose && programs ? SINEW_OK : SINEW_ERROR_MEMORY;
    on->gl.Enable(GL_DEPTH_TEST);
    while (!result && next_frame(on)) {
        sinew_clip_sample(model, clip, glfwGetTime(), SINEW_LOOP, pose);
        sinew_pose_to_world(pose);
        result = draw(&on->gl, on_gpu, pose, programs, &why);
        result = result || !on->gl.GetError() ? result : SINEW_ERROR_GL;
    }
    free(programs);
    sinew_gl_model_free(on_gpu);
    sinew_pose_free(pose);
    sinew_gl_free(gl);
    sinew_model_free(model);
    return result ? fail(&why) : 0;
}

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
        fprintf(stderr, "usage: readme_2_window MODEL CLIP [--frames N]\n");
        return 2;
    }
    stage on = {.frames = argc == 5 ? strtol(argv[4], NULL, 10) : -1};
    int status = open_stage(&on) ? play(&on, argv[1], argv[2]) : 1;
    glfwTerminate();
    return status;
}
