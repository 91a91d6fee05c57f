/* A renderer of the host's own: Sinew gives the skinning, he draws. Two passes by the same
 * chunk of GLSL, a shadow map and the picture, and a floor of his own.
 *     05_host_window MODEL CLIP [FRAMES FILE.ppm]
 * With FRAMES it ends after so many, a tenth of a second each, and writes the last one. */
#include "host.h" /* his window, OpenGL's functions, programs */

#include <sinew/gl.h>
#include <sinew/sinew.h>

#define MAP 1024 /* pixels of a side of the shadow map */
#define MOST_ITEMS 64
#define SHADOW 0
#define PICTURE 1

static GLuint programs[2][MOST_ITEMS], ground, nothing, framebuffers[2];
/* World to clip space: for the light from above, slanting; from (0, 1, 3.4) towards -Z. */
static const float to_clip[2][16] = {
    {0.4f, 0, 0, 0, 0.1f, -0.2f, -0.4f, 0, 0, 0.4f, -0.2f, 0, 0, 0.2f, 0.4f, 1},
    {1.7f, 0, 0, 0, 0, 2.3f, 0, 0, 0, 0, -1.02f, -1, 0, -2.3f, 3.2f, 3.4f}};

static const char skinned[] =
    "layout(location = 0) in vec3 a_position;\nlayout(location = 1) in vec3 a_normal;\n"
    "uniform mat4 to_clip;\nout vec3 world, normal;\n"
    "void main() {\n    world = sinew_position(a_position); // bind -> world\n"
    "#if SINEW_NORMALS\n    normal = sinew_normal(a_normal);\n#endif\n"
    "    gl_Position = to_clip * vec4(world, 1.0);\n}\n";
static const char floor_quad[] =
    "uniform mat4 to_clip;\nout vec3 world, normal;\n"
    "void main() {\n    world = vec3(4 * (gl_VertexID & 1) - 2, 0, 4 * (gl_VertexID >> 1) - 2);\n"
    "    normal = vec3(0, 1, 0);\n    gl_Position = to_clip * vec4(world, 1.0);\n}\n";
static const char lit[] =
    "in vec3 world, normal;\nout vec4 color;\n"
    "uniform vec3 base;\nuniform mat4 light;\nuniform sampler2D shadow;\n"
    "void main() {\n    vec3 at = 0.5 + 0.5 * (light * vec4(world, 1.0)).xyz;\n"
    "    float seen = texture(shadow, at.xy).r < at.z - 0.006 ? 0.0 : 1.0;\n"
    "    float facing = max(dot(normal, normalize(vec3(-0.2, 1, 0.5))), 0.0);\n"
    "    color = vec4(base * (0.4 + 0.6 * seen * facing), 1.0);\n}\n";

/* The program of an item in a pass; a depth pass needs positions alone. */
static GLuint build_for(sinew_gl *sinew, const sinew_gl_model *on_gpu, uint32_t item, int which) {
    sinew_gl_skinning wish = sinew_gl_item_skinning(on_gpu, item);
    wish.normals = wish.normals && which == PICTURE;
    wish.tangents = false;
    return build_program(sinew_gl_skinning_source(sinew, &wish, NULL), skinned,
                         which == PICTURE ? lit : "void main() {}\n");
}

/* The map stays bound to unit 0, where `shadow` looks. */
static void make_shadow_map(void) {
    GLuint map;
    gl.GenTextures(1, &map);
    gl.BindTexture(GL_TEXTURE_2D, map);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, MAP, MAP, 0, GL_DEPTH_COMPONENT,
                  GL_UNSIGNED_INT, NULL);
    gl.GenFramebuffers(1, &framebuffers[SHADOW]);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffers[SHADOW]);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map, 0);
    gl.DrawBuffer(GL_NONE);
}

static void use(GLuint program, int which, float red, float green, float blue) {
    gl.UseProgram(program);
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, "to_clip"), 1, GL_FALSE, to_clip[which]);
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, "light"), 1, GL_FALSE, to_clip[SHADOW]);
    gl.Uniform3f(gl.GetUniformLocation(program, "base"), red, green, blue);
}

static void draw(int which, sinew_gl_model *on_gpu, uint32_t count) {
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffers[which]);
    gl.Viewport(0, 0, which == SHADOW ? MAP : WIDTH, which == SHADOW ? MAP : HEIGHT);
    gl.ClearColor(0.55f, 0.6f, 0.65f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (uint32_t i = 0; i < count; i++) {
        use(programs[which][i], which, 0.9f, 0.55f, 0.3f);
        sinew_gl_item_bind(on_gpu, i, programs[which][i], 1); /* units 1 and 2 */
        sinew_gl_item_draw(on_gpu, i);
    }
    if (which == PICTURE) {
        use(ground, which, 0.7f, 0.75f, 0.8f);
        gl.BindVertexArray(nothing);
        gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

int main(int argc, char **argv) {
    sinew_error why = {SINEW_OK, "", "05_host_window MODEL CLIP [FRAMES FILE.ppm]"};
    sinew_model *model = argc > 2 ? sinew_model_read(argv[1], NULL, &why) : NULL;
    check(model != NULL, argc > 2 ? argv[1] : "usage", why.message);
    uint32_t clip = sinew_clip_find(model, argv[2]), count = 0;
    check(clip != SINEW_NONE, argv[2], "the model has no such clip");
    GLFWwindow *window = open_window();
    sinew_gl *sinew = sinew_gl_create(&(sinew_gl_options){.loader = glfwGetProcAddress}, &why);
    sinew_gl_model *on_gpu = sinew ? sinew_gl_model_create(sinew, model, NULL, &why) : NULL;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    check(on_gpu && pose, "cannot draw the model", why.message);
    sinew_gl_model_items(on_gpu, &count);
    check(count <= MOST_ITEMS, argv[1], "has too many items");
    for (uint32_t i = 0; i < 2 * count; i++) {
        programs[i % 2][i / 2] = build_for(sinew, on_gpu, i / 2, i % 2);
    }
    ground = build_program("", floor_quad, lit);
    gl.GenVertexArrays(1, &nothing);
    make_shadow_map();
    gl.Enable(GL_DEPTH_TEST);
    long frames = argc > 4 ? strtol(argv[3], NULL, 10) : -1;
    for (long frame = 0; frame != frames && !glfwWindowShouldClose(window); frame++) {
        double seconds = frames < 0 ? glfwGetTime() : 0.1 * (double)frame;
        sinew_clip_sample(model, clip, seconds, SINEW_LOOP, pose);
        sinew_pose_to_world(pose);
        sinew_gl_model_update(on_gpu, pose, NULL); /* once, for both passes */
        draw(SHADOW, on_gpu, count);
        draw(PICTURE, on_gpu, count);
        frame + 1 == frames ? save_picture(argv[4]) : glfwSwapBuffers(window);
        glfwPollEvents();
    }
    sinew_pose_free(pose);
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(sinew);
    sinew_model_free(model);
    glfwTerminate();
    return 0;
}
