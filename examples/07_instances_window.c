/* Many characters by hand: one model, each with its own moment of a clip, palettes written
 * straight into a mapped buffer, one draw for as many instances as the buffer shows. Each
 * vertex also knows where it was the frame before, and is coloured by how fast it moves.
 *     07_instances_window MODEL CLIP [FRAMES FILE.ppm]
 * With FRAMES it ends after so many, a thirtieth of a second each, and writes the last one. */
#include "host.h" /* his window, OpenGL's functions, programs */

#include <sinew/gl.h>
#include <sinew/gl_palettes.h>
#include <sinew/sinew.h>

#define CROWD 100
#define MOST_ITEMS 64

/* From (0, 6, 16), looking 20 degrees down. */
static const float to_clip[16] = {2, 0,      0,      0,      0, 2.5f,  -0.35f, -0.34f,
                                  0, -0.91f, -0.96f, -0.94f, 0, -0.5f, 16.5f,  17.1f};

static const char skinned[] =
    "layout(location = 0) in vec3 a_position;\n"
    "uniform mat4 to_clip;\nuniform int first;\nout vec3 moved;\n"
    "void main() {\n"
    "    int who = first + gl_InstanceID;\n"
    "    vec3 place = vec3(1.2 * (who % 10) - 5.4, 0.0, 1.2 * (who / 10) - 5.4);\n"
    "    vec3 position = sinew_position(a_position); // bind -> world\n"
    "    moved = position - sinew_previous_position(a_position);\n"
    "    gl_Position = to_clip * vec4(place + position, 1.0);\n}\n";
static const char speed[] =
    "in vec3 moved;\nout vec4 color;\n"
    "void main() {\n"
    "    float fast = clamp(length(moved) * 15.0, 0.0, 1.0);\n"
    "    color = vec4(mix(vec3(0.15, 0.25, 0.5), vec3(1.0, 0.5, 0.1), fast), 1.0);\n"
    "}\n";

/* Palettes of every skin that the items have. A rigid item is a palette of one joint. */
typedef struct skin_palettes {
    uint32_t skin, node; /* node: of a rigid item */
    sinew_gl_palettes *palettes;
    GLuint program;
} skin_palettes;

static skin_palettes make(sinew_gl *sinew, const sinew_model *model, const sinew_gl_model *on_gpu,
                          const sinew_gl_item *item, uint32_t index) {
    sinew_error why = {SINEW_OK, "", ""};
    uint32_t joints = item->skin == SINEW_NONE ? 1 : model->skins[item->skin].joint_count;
    sinew_gl_palettes_options options = {
        .joint_count = joints, .instances = CROWD, .previous = true};
    sinew_gl_palettes *palettes = sinew_gl_palettes_create(sinew, &options, &why);
    check(palettes != NULL, "cannot keep the palettes", why.message);
    sinew_gl_skinning wish = sinew_gl_item_skinning(on_gpu, index);
    wish.normals = wish.tangents = wish.morphs = false;
    sinew_gl_palettes_fit(palettes, &wish);
    GLuint program = build_program(sinew_gl_skinning_source(sinew, &wish, NULL), skinned, speed);
    return (skin_palettes){item->skin, item->node, palettes, program};
}

static void fill(const skin_palettes *one, sinew_pose **poses) {
    sinew_palette *out = sinew_gl_palettes_map(one->palettes, CROWD, NULL);
    for (uint32_t i = 0; out && i < CROWD; i++) {
        if (one->skin == SINEW_NONE) {
            sinew_palette_build_rigid(poses[i]->model, one->node, poses[i], &out[i]);
        } else {
            sinew_palette_build(poses[i]->model, one->skin, poses[i], &out[i]);
        }
    }
    sinew_gl_palettes_unmap(one->palettes, NULL);
}

static void draw(const skin_palettes *one, sinew_gl_model *on_gpu, uint32_t item) {
    GLuint program = one->program;
    gl.UseProgram(program);
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, "to_clip"), 1, GL_FALSE, to_clip);
    sinew_gl_item_bind_vertices(on_gpu, item, program, 2);
    for (uint32_t first = 0; first < CROWD;) {
        sinew_gl_palettes_range range = sinew_gl_palettes_bind(one->palettes, first, program, 0);
        gl.Uniform1i(gl.GetUniformLocation(program, "first"), (GLint)first);
        sinew_gl_item_draw_instances(on_gpu, item, range.first_texel, range.count);
        first += range.count;
    }
}

static void draw_all(const skin_palettes *all, uint32_t count, sinew_gl_model *on_gpu,
                     sinew_pose **poses) {
    gl.ClearColor(0.92f, 0.93f, 0.95f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (uint32_t i = 0; i < count; i++) {
        fill(&all[i], poses);
        draw(&all[i], on_gpu, i);
    }
}

int main(int argc, char **argv) {
    sinew_error why = {SINEW_OK, "", "07_instances_window MODEL CLIP [FRAMES FILE.ppm]"};
    sinew_model *model = argc > 2 ? sinew_model_read(argv[1], NULL, &why) : NULL;
    check(model != NULL, argc > 2 ? argv[1] : "usage", why.message);
    uint32_t clip = sinew_clip_find(model, argv[2]), count = 0;
    check(clip != SINEW_NONE, argv[2], "the model has no such clip");
    GLFWwindow *window = open_window();
    sinew_gl *sinew = sinew_gl_create(&(sinew_gl_options){.loader = glfwGetProcAddress}, &why);
    sinew_gl_model *on_gpu = sinew ? sinew_gl_model_create(sinew, model, NULL, &why) : NULL;
    check(on_gpu != NULL, "cannot draw the model", why.message);
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    check(count <= MOST_ITEMS, argv[1], "has too many items");
    skin_palettes all[MOST_ITEMS];
    sinew_pose *poses[CROWD];
    for (uint32_t i = 0; i < count; i++) {
        all[i] = make(sinew, model, on_gpu, &items[i], i);
    }
    for (uint32_t i = 0; i < CROWD; i++) {
        poses[i] = sinew_pose_create(model, NULL);
        check(poses[i] != NULL, "poses", "no memory");
    }
    gl.Enable(GL_DEPTH_TEST);
    long frames = argc > 4 ? strtol(argv[3], NULL, 10) : -1;
    for (long frame = 0; frame != frames && !glfwWindowShouldClose(window); frame++) {
        double seconds = frames < 0 ? glfwGetTime() : (double)frame / 30.0;
        for (uint32_t i = 0; i < CROWD; i++) {
            sinew_clip_sample(model, clip, seconds + 0.37 * i, SINEW_LOOP, poses[i]);
            sinew_pose_to_world(poses[i]);
        }
        draw_all(all, count, on_gpu, poses);
        frame + 1 == frames ? save_picture(argv[4]) : glfwSwapBuffers(window);
        glfwPollEvents();
    }
    for (uint32_t i = 0; i < CROWD; i++) {
        sinew_pose_free(poses[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        sinew_gl_palettes_free(all[i].palettes);
    }
    sinew_gl_model_free(on_gpu);
    sinew_gl_free(sinew);
    sinew_model_free(model);
    glfwTerminate();
    return 0;
}
