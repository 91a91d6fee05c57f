/* sinew render: a picture of a model at a moment of a clip. */
#include "command.h"

#ifdef SINEW_HAVE_RENDER
#include "sinew/render.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_SIDE 16384
#define DEGREE (3.14159265358979323846 / 180)

/* --background: a colour, or none. */
typedef struct background_wish {
    bool given, transparent;
    float color[3]; /* sRGB 0..1 */
} background_wish;

typedef struct size_wish {
    uint32_t width, height;
} size_wish;

typedef struct render_options {
    common_options common;
    const char *output;
    size_wish size;
    double azimuth, elevation; /* degrees */
    double zoom;
    background_wish background;
    int storage; /* -1: not given */
    int method;  /* as sinew_skin_method counts them */
    bool no_shadow;
} render_options;

/* ---- values of options ---- */

static const char *parse_size(const char *text, void *member) {
    static const char *const right = "WIDTHxHEIGHT in pixels, each from 1 to 16384, as in 1280x720";
    size_wish *size = member;
    uint32_t sides[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 5) {
            return right;
        }
        sides[k] = (uint32_t)strtoul(text, NULL, 10);
        text += digits;
        if (k == 0 && *text != 'x' && *text != 'X') {
            return right;
        }
        text += k == 0;
    }
    if (*text || !sides[0] || !sides[1] || sides[0] > LARGEST_SIDE || sides[1] > LARGEST_SIDE) {
        return right;
    }
    size->width = sides[0];
    size->height = sides[1];
    return NULL;
}

static const char *parse_background(const char *text, void *member) {
    background_wish *background = member;
    static const char *const right = "a colour such as '#e8eaf0', or transparent";
    memset(background, 0, sizeof *background);
    background->given = true;
    if (strcmp(text, "transparent") == 0 || strcmp(text, "none") == 0) {
        background->transparent = true;
        return NULL;
    }
    text += *text == '#';
    if (strlen(text) != 6 || text[strspn(text, "0123456789abcdefABCDEF")]) {
        return right;
    }
    for (int k = 0; k < 3; k++) {
        char pair[3] = {text[2 * k], text[2 * k + 1], '\0'};
        background->color[k] = (float)strtoul(pair, NULL, 16) / 255;
    }
    return NULL;
}

static const option table[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .offset = offsetof(render_options, output),
     .help = "the PNG file to write, whole or not at all; - is standard output"},
    {.name = "size",
     .kind = OPTION_PARSED,
     .value = "WxH",
     .parse = parse_size,
     .offset = offsetof(render_options, size),
     .help = "width and height in pixels (1280x720)"},
    {.name = "camera-azimuth",
     .kind = OPTION_NUMBER,
     .value = "DEGREES",
     .minimum = -36000,
     .maximum = 36000,
     .offset = offsetof(render_options, azimuth),
     .help = "where the camera stands around the model: 0 before its face, 90 at its left "
             "side, 180 behind it (30)"},
    {.name = "camera-elevation",
     .kind = OPTION_NUMBER,
     .value = "DEGREES",
     .minimum = -90,
     .maximum = 90,
     .offset = offsetof(render_options, elevation),
     .help = "how high it stands: 0 level, 90 straight above (10)"},
    {.name = "zoom",
     .kind = OPTION_NUMBER,
     .value = "FACTOR",
     .minimum = 0.01,
     .maximum = 1000,
     .offset = offsetof(render_options, zoom),
     .help = "1 fills the picture with the pose, 2 is twice as large"},
    {.name = "background",
     .kind = OPTION_PARSED,
     .value = "COLOUR",
     .parse = parse_background,
     .offset = offsetof(render_options, background),
     .help = "'#rrggbb', or transparent; a soft light grey when not given"},
    {.name = "no-shadow",
     .kind = OPTION_FLAG,
     .offset = offsetof(render_options, no_shadow),
     .help = "no shadow, neither on the ground nor on the model itself"},
    {.name = "method",
     .kind = OPTION_CHOICE,
     .choices = command_methods,
     .offset = offsetof(render_options, method),
     .help = "how the joints of a vertex are blended: linear blend skinning (the default), or "
             "dual quaternions, which keep the volume of what twists"},
    {.name = "storage",
     .kind = OPTION_CHOICE,
     .choices = command_storages,
     .offset = offsetof(render_options, storage),
     .help =
         "where the graphics card keeps the joint matrices: a texture buffer of three (tbo3) or "
         "four (tbo4) texels each, a uniform array or block (ubo), shader storage, a 2D "
         "texture; the picture is the same"},
    {0}};

static const render_options defaults = {.common = COMMON_DEFAULTS,
                                        .size = {1280, 720},
                                        .azimuth = 30,
                                        .elevation = 10,
                                        .zoom = 1,
                                        .storage = -1};

#ifdef SINEW_HAVE_RENDER

/* ---- the picture ---- */

/* Characters of VRM 0 look along -Z, all others along +Z as glTF says. */
static bool looks_back(const sinew_model *model) {
    for (uint32_t k = 0; k < model->extensions_used_count; k++) {
        if (strcmp(model->extensions_used[k], "VRM") == 0) {
            return true;
        }
    }
    return false;
}

static void fill_options(const sinew_model *model, const render_options *from,
                         sinew_render_options *to) {
    double azimuth = from->azimuth + (looks_back(model) ? 180 : 0);
    memset(to, 0, sizeof *to);
    to->width = from->size.width;
    to->height = from->size.height;
    to->scene_plus_one = from->common.scene == SINEW_NONE ? 0 : from->common.scene + 1;
    to->azimuth = (float)(fmod(azimuth, 360) * DEGREE);
    to->elevation = (float)(from->elevation * DEGREE);
    to->zoom = (float)from->zoom;
    to->transparent = from->background.transparent;
    to->has_background = from->background.given && !from->background.transparent;
    memcpy(to->background, from->background.color, sizeof to->background);
    to->no_shadow = from->no_shadow;
    to->method = (sinew_skin_method)from->method;
    to->storage = from->storage < 0 ? SINEW_GL_STORAGE_AUTO : (sinew_gl_storage)from->storage;
}

/* A limit met here is the graphics card's, not the file's. */
static int tell_render_error(const char *file, const sinew_error *error) {
    int status = command_tell_error(file, error);
    return error->result == SINEW_ERROR_LIMIT ? EXIT_MACHINE : status;
}

static int draw(const sinew_pose *pose, const char *file, const render_options *options,
                sinew_picture *picture) {
    sinew_error error = {.result = SINEW_OK};
    sinew_render_options wish;
    fill_options(pose->model, options, &wish);
    sinew_offscreen *offscreen = sinew_offscreen_create(&error);
    if (!offscreen) {
        return command_tell_error(NULL, &error);
    }
    int status = EXIT_DONE;
    sinew_renderer *renderer =
        sinew_renderer_create(sinew_offscreen_loader, pose->model, &wish, &error);
    if (!renderer || sinew_renderer_draw(renderer, pose, picture, &error) != SINEW_OK) {
        status = tell_render_error(file, &error);
    }
    const char *complaint;
    for (uint32_t k = 0; renderer && !options->common.quiet &&
                         (complaint = sinew_renderer_complaint(renderer, k)) != NULL;
         k++) {
        command_say("%s: warning: %s", command_file_name(file), complaint);
    }
    sinew_renderer_free(renderer);
    sinew_offscreen_free(offscreen);
    return status;
}

static int write_picture(const sinew_picture *picture, const char *path) {
    sinew_error error = {.result = SINEW_OK};
    size_t size = 0;
    uint8_t *png = sinew_picture_encode_png(picture, &size, &error);
    if (!png) {
        return command_tell_error(path, &error);
    }
    output out;
    int status = EXIT_FILE;
    if (output_open(&out, path)) {
        fwrite(png, 1, size, out.stream); /* output_close looks at the stream's error */
        status = output_close(&out);
    }
    free(png);
    return status;
}

/* "models/fox.glb" gives "fox". */
static int name_without_ending(const char *file, const char **name) {
    const char *slash = strrchr(file, '/');
    *name = slash ? slash + 1 : file;
    const char *dot = strrchr(*name, '.');
    return (int)(dot && dot != *name ? (size_t)(dot - *name) : strlen(*name));
}

static int check_output(const char *file, const char *path) {
    if (!path) {
        const char *name = "picture";
        int length = strcmp(file, "-") == 0 ? 7 : name_without_ending(file, &name);
        return args_wrong(&command_render,
                          "where should the picture go? Add -o %.*s.png (or -o - for standard "
                          "output)",
                          length, name);
    }
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO)) {
        return args_wrong(&command_render,
                          "a PNG does not belong on a terminal: name a file, or send the output "
                          "to a program");
    }
    return EXIT_DONE;
}

static int run(const void *from, const char *const *operands, unsigned operand_count) {
    (void)operand_count;
    const render_options *options = from;
    const char *file = operands[0];
    int status = check_output(file, options->output);
    if (status != EXIT_DONE) {
        return status;
    }
    sinew_model *model = command_read_model(file, &options->common, true);
    if (!model) {
        return EXIT_FILE;
    }
    sinew_picture picture = {0};
    uint32_t clip;
    sinew_pose *pose = command_make_pose(model, file, &options->common, &clip, &status);
    if (pose) {
        status = draw(pose, file, options, &picture);
    }
    if (status == EXIT_DONE) {
        status = write_picture(&picture, options->output);
    }
    sinew_picture_free(&picture);
    sinew_pose_free(pose);
    sinew_model_free(model);
    return status;
}

#else

static int run(const void *from, const char *const *operands, unsigned operand_count) {
    (void)from;
    (void)operands;
    (void)operand_count;
    command_say("this build draws no pictures: it was made without glad, EGL's headers, libspng "
                "or libjpeg");
    return EXIT_MACHINE;
}

#endif

const command command_render = {
    .name = "render",
    .operands = "MODEL",
    .summary = "a picture (PNG) of a model at a moment of a clip",
    .about = "Draws a model at a moment of one of its clips, with its materials, a light and a\n"
             "shadow on the ground, into a PNG. The camera comes as close as it can with the\n"
             "whole pose in the picture. Without --clip it is the rest pose. No window and no\n"
             "display are needed. MODEL is a .gltf, .glb or .vrm file; - reads one from\n"
             "standard input, which may name no other files.",
    .examples = "  sinew render fox.glb -o fox.png\n"
                "  sinew render fox.glb --clip Run --time 0.25 --camera-azimuth 60 -o run.png\n"
                "  sinew render figure.glb --clips walks.glb --clip Limp -o limp.png\n"
                "  sinew render fox.glb --size 512x512 --background transparent -o - | display",
    .least_operands = 1,
    .most_operands = 1,
    .groups = OPTIONS_MODEL | OPTIONS_MOMENT,
    .options = table,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .run = run};
