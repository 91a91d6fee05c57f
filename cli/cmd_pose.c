/* sinew pose: the mesh at a moment, or the matrices of one of its joints. */
#include "cmd_pose.h"
#include "pose_formats.h"
#include "text.h"

#include <string.h>

enum {
    FORMAT_JSON,
    FORMAT_OBJ,
    FORMAT_GLB
};
enum {
    PATH_SCALAR,
    PATH_GPU
};

static const char *const formats[] = {"json", "obj", "glb", NULL};
static const char *const paths[] = {"scalar", "gpu", NULL};
static const char *const contexts[] = {"gl", "gles", NULL};

static const option table[] = {
    {.name = "format",
     .kind = OPTION_CHOICE,
     .choices = formats,
     .offset = offsetof(pose_options, format),
     .help = "how the mesh is written; json when not given, or what the name of the output "
             "file ends with"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .offset = offsetof(pose_options, output),
     .help = "write to FILE, whole or not at all, instead of standard output; beside an obj "
             "its materials (.mtl) and pictures are written too"},
    {.name = "path",
     .kind = OPTION_CHOICE,
     .choices = paths,
     .offset = offsetof(pose_options, path),
     .help = "who skins: the processor (the default), or the shaders on the graphics card; "
             "the vertices are the same"},
    {.name = "method",
     .kind = OPTION_CHOICE,
     .choices = command_methods,
     .offset = offsetof(pose_options, method),
     .help = "how the joints of a vertex are blended: linear blend skinning (the default), or "
             "dual quaternions, which keep the volume of what twists"},
    {.name = "storage",
     .kind = OPTION_CHOICE,
     .choices = command_storages,
     .offset = offsetof(pose_options, storage),
     .help = "where --path gpu keeps the joint matrices: a texture buffer of three (tbo3) or four "
             "(tbo4) texels each, a uniform array or block (ubo), shader storage, a 2D texture"},
    {.name = "context",
     .kind = OPTION_CHOICE,
     .choices = contexts,
     .offset = offsetof(pose_options, context),
     .help = "what --path gpu and --verify ask the driver for: OpenGL 3.3 (the default), or "
             "OpenGL ES 3.0"},
    {.name = "verify",
     .kind = OPTION_FLAG,
     .offset = offsetof(pose_options, verify),
     .help = "instead of the mesh, print how far its vertices are from those of the processor, "
             "for every storage of --path gpu"},
    {.name = "joint",
     .kind = OPTION_TEXT,
     .value = "NAME|NODE",
     .offset = offsetof(pose_options, joint),
     .help = "instead of the mesh, print the local, world, inverse bind and joint matrix of "
             "this joint"},
    {.name = "skin",
     .kind = OPTION_INTEGER,
     .value = "N",
     .offset = offsetof(pose_options, skin),
     .help = "which skin --joint looks in; by default the first that has the joint"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(pose_options, json),
     .help = "print --joint or --verify as JSON, matrices column by column"},
    {0}};

/* ---- the mesh ---- */

#define POSED_MOST 50000000 /* rows: some gigabytes of memory, and of text */

static int lay_out(posed *mesh, const sinew_pose *pose, const char *file,
                   const pose_options *options) {
    posed_result result = posed_create(mesh, pose, options->common.scene, POSED_MOST);
    if (result == POSED_NO_MEMORY) {
        return command_out_of_memory();
    }
    if (result == POSED_TOO_LARGE) {
        command_say(
            "%s: %llu vertices, joints and primitives in all instances exceed the limit, %d",
            command_file_name(file), (unsigned long long)mesh->rows, POSED_MOST);
        return EXIT_FILE;
    }
    mesh->method = (sinew_skin_method)options->method;
    return EXIT_DONE;
}

static int skin(posed *mesh, const sinew_pose *pose, const char *file) {
    if (!posed_skin(mesh, pose)) {
        command_say("%s: the skinner refused a primitive", command_file_name(file));
        return EXIT_FILE;
    }
    return EXIT_DONE;
}

static int capture(posed *mesh, const sinew_pose *pose, const char *file,
                   const pose_options *options) {
    sinew_error error = {.result = SINEW_OK};
    posed_gpu *gpu =
        posed_gpu_open(pose, options->common.scene, options->context == CONTEXT_GLES, &error);
    if (gpu) {
        posed_gpu_fill(gpu, mesh, options->storage, &error);
    }
    posed_gpu_close(gpu);
    if (error.result != SINEW_OK) {
        command_tell_error(error.result == SINEW_ERROR_GL ? NULL : file, &error);
        return EXIT_MACHINE;
    }
    return EXIT_DONE;
}

static int fill(posed *mesh, const sinew_pose *pose, const char *file,
                const pose_options *options) {
    int status = lay_out(mesh, pose, file, options);
    if (status == EXIT_DONE) {
        status =
            options->path == PATH_GPU ? capture(mesh, pose, file, options) : skin(mesh, pose, file);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    posed_finish(mesh);
    if (mesh->nonfinite && !options->common.quiet) {
        command_say("%s: %llu numbers are beyond the range of floats and are written as 0",
                    command_file_name(file), (unsigned long long)mesh->nonfinite);
    }
    return EXIT_DONE;
}

static int write_mesh(posed_scene *scene, int format, const char *path) {
    output out;
    if (!output_open(&out, path)) {
        return EXIT_FILE;
    }
    scene->beside = out.target ? path : NULL;
    int status = format == FORMAT_OBJ   ? pose_write_obj(scene, out.stream)
                 : format == FORMAT_GLB ? pose_write_glb(scene, out.stream)
                                        : pose_write_json(scene, out.stream);
    if (status != EXIT_DONE) {
        output_abandon(&out);
        return status;
    }
    status = output_close(&out);
    bool materials = format == FORMAT_OBJ && scene->beside;
    return status == EXIT_DONE && materials ? pose_write_obj_materials(scene) : status;
}

static int print_mesh(const sinew_pose *pose, const char *file, uint32_t clip, int format,
                      const pose_options *options) {
    posed mesh;
    int status = fill(&mesh, pose, file, options);
    if (status == EXIT_DONE) {
        posed_scene scene = {.pose = pose,
                             .mesh = &mesh,
                             .clip = clip,
                             .scene = options->common.scene,
                             .time = options->common.time};
        status = write_mesh(&scene, format, options->output);
    }
    posed_free(&mesh);
    return status;
}

static int verify(const sinew_pose *pose, const char *file, const pose_options *options) {
    posed want = {.instances = NULL}, have = {.instances = NULL};
    output out;
    int status = fill(&want, pose, file, options);
    if (status == EXIT_DONE) {
        status = lay_out(&have, pose, file, options);
    }
    if (status == EXIT_DONE && !output_open(&out, options->output)) {
        status = EXIT_FILE;
    } else if (status == EXIT_DONE) {
        status = pose_verify(&want, &have, pose, file, options, out.stream);
        int closed = output_close(&out);
        status = status == EXIT_DONE ? closed : status;
    }
    posed_free(&want);
    posed_free(&have);
    return status;
}

static int print_joint(const sinew_pose *pose, const char *file, uint32_t clip,
                       const pose_options *options) {
    output out;
    if (!output_open(&out, options->output)) {
        return EXIT_FILE;
    }
    int status = pose_print_joint(pose, file, clip, options, out.stream);
    if (status != EXIT_DONE) {
        output_abandon(&out);
        return status;
    }
    return output_close(&out);
}

/* ---- options ---- */

/* By the name of the file; -1: it ends with something else. */
static int format_of_name(const char *path) {
    static const char *const endings[] = {".json", ".obj", ".glb"};
    for (int format = 0; format < 3; format++) {
        if (text_ends_with(path, endings[format])) {
            return format;
        }
    }
    const char *slash = strrchr(path, '/');
    return strchr(slash ? slash : path, '.') ? -1 : FORMAT_JSON;
}

static int choose_format(const pose_options *options) {
    if (options->format >= 0 || !options->output || options->joint) {
        return options->format >= 0 ? options->format : FORMAT_JSON;
    }
    return format_of_name(options->output);
}

/* Options that do not go together; returns EXIT_DONE when all do. */
static int check_options(const pose_options *options) {
    const command *self = &command_pose;
    if (options->joint && options->format >= 0) {
        return args_wrong(self, "--joint prints matrices: take --json instead of --format");
    }
    if (options->joint && (options->path == PATH_GPU || options->method != SINEW_SKIN_LBS)) {
        return args_wrong(self, "--joint prints matrices: --%s is for the mesh",
                          options->path == PATH_GPU ? "path" : "method");
    }
    if (options->verify && (options->joint || options->format >= 0)) {
        return args_wrong(self, "--verify prints figures: take it without --%s",
                          options->joint ? "joint" : "format");
    }
    if (options->verify && (options->path == PATH_GPU || options->storage >= 0)) {
        return args_wrong(self, "--verify goes through all storages: take it without --path and "
                                "--storage");
    }
    if (!options->joint && !options->verify && options->json) {
        return args_wrong(self, "--json is for --joint and --verify; a mesh is --format json, the "
                                "default");
    }
    if (!options->joint && options->skin != SINEW_NONE) {
        return args_wrong(self, "--skin is for --joint");
    }
    if (options->path != PATH_GPU && options->storage >= 0) {
        return args_wrong(self, "--storage is for --path gpu");
    }
    if (options->path != PATH_GPU && !options->verify && options->context >= 0) {
        return args_wrong(self, "--context is for --path gpu and --verify");
    }
    if (!options->verify && choose_format(options) < 0) {
        return args_wrong(self, "which format has '%s'? Take --format json, obj or glb",
                          options->output);
    }
    return EXIT_DONE;
}

static int run(const void *from, const char *const *operands, unsigned operand_count) {
    (void)operand_count;
    const pose_options *options = from;
    const char *file = operands[0];
    int status = check_options(options);
    if (status != EXIT_DONE) {
        return status;
    }
    int format = choose_format(options);
    bool pictures = format == FORMAT_GLB || (format == FORMAT_OBJ && options->output);
    sinew_model *model = command_read_model(file, &options->common, pictures);
    if (!model) {
        return EXIT_FILE;
    }
    uint32_t clip;
    sinew_pose *pose = command_make_pose(model, file, &options->common, &clip, &status);
    if (pose) {
        status = options->verify  ? verify(pose, file, options)
                 : options->joint ? print_joint(pose, file, clip, options)
                                  : print_mesh(pose, file, clip, format, options);
    }
    sinew_pose_free(pose);
    sinew_model_free(model);
    return status;
}

static const pose_options defaults = {
    .common = COMMON_DEFAULTS, .format = -1, .storage = -1, .context = -1, .skin = SINEW_NONE};

const command command_pose = {
    .name = "pose",
    .operands = "MODEL",
    .summary = "the mesh at a moment of a clip (json, obj, glb), or a joint's matrices",
    .about = "Poses a model at a moment of one of its clips and writes the skinned mesh:\n"
             "every vertex in world space, morph targets and skin applied. Without --clip it\n"
             "is the rest pose. MODEL is a .gltf, .glb or .vrm file; - reads one from\n"
             "standard input, which may name no other files.\n"
             "\n"
             "With --joint NAME it prints, instead, where that joint is: its local and world\n"
             "matrix, its inverse bind matrix and the joint matrix that skinning uses.",
    .examples = "  sinew pose fox.glb --clip Run --time 0.25 --format obj -o fox.obj\n"
                "  sinew pose fox.glb --clip 2 --format glb -o running.glb\n"
                "  sinew pose fox.glb --clip Run --time 0.25 --joint b_Tail01_012",
    .least_operands = 1,
    .most_operands = 1,
    .groups = OPTIONS_MODEL | OPTIONS_MOMENT,
    .options = table,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .run = run};
