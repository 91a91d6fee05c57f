/* sinew info: what is in a file. */
#define _POSIX_C_SOURCE 200809L /* stat */

#include "command.h"
#include "info.h"
#include "posed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct info_options {
    common_options common;
    bool json;
} info_options;

static const option table[] = {{.name = "json",
                                .kind = OPTION_FLAG,
                                .offset = offsetof(info_options, json),
                                .help = "print one JSON object a file, a line each"},
                               {0}};

/* ---- counting ---- */

static uint32_t most_influences(const sinew_primitive *primitive) {
    uint32_t most = 0;
    if (primitive->influences_count == 0) {
        return 0;
    }
    const sinew_influences *from = &primitive->influences[0];
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        uint32_t used = 0;
        for (uint32_t i = 0; i < from->per_vertex; i++) {
            used += influence_counts(from, (size_t)v * from->per_vertex + i);
        }
        most = used > most ? used : most;
    }
    return most;
}

static mesh_summary sum_up(const sinew_mesh *mesh) {
    mesh_summary sum = {0};
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const sinew_primitive *primitive = &mesh->primitives[i];
        uint32_t influences = most_influences(primitive);
        sum.vertices += primitive->vertex_count;
        sum.triangles += sinew_primitive_triangles(primitive, NULL);
        sum.influences = influences > sum.influences ? influences : sum.influences;
    }
    return sum;
}

static void count_meshes(info *of) {
    for (uint32_t i = 0; i < of->model->mesh_count; i++) {
        of->meshes[i] = sum_up(&of->model->meshes[i]);
        of->total.vertices += of->meshes[i].vertices;
        of->total.triangles += of->meshes[i].triangles;
    }
}

static bool count_nodes(info *of) {
    const sinew_model *model = of->model;
    bool *is_joint = calloc(model->node_count + 1u, sizeof *is_joint);
    if (!is_joint) {
        return false;
    }
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++) {
            is_joint[model->skins[s].joints[j]] = true;
        }
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        of->joint_nodes += is_joint[i];
        of->mesh_nodes += model->nodes[i].mesh != SINEW_NONE;
    }
    free(is_joint);
    return true;
}

#define MEASURED_MOST 5000000 /* vertices: within a second */

static bool measure(info *of) {
    posed mesh = {.instances = NULL};
    sinew_pose *pose = sinew_pose_create(of->model, NULL);
    posed_result result =
        pose ? posed_create(&mesh, pose, SINEW_NONE, MEASURED_MOST) : POSED_NO_MEMORY;
    bool done = result != POSED_NO_MEMORY;
    of->too_large = result == POSED_TOO_LARGE;
    if (result == POSED_DONE) {
        done = posed_skin(&mesh, pose);
        posed_finish(&mesh);
        of->has_box = mesh.has_vertices;
        of->box = mesh.box;
    }
    posed_free(&mesh);
    sinew_pose_free(pose);
    return done;
}

static void find_size(info *of) {
    struct stat status;
    if (strcmp(of->file, "-") != 0 && stat(of->file, &status) == 0) {
        of->has_file_size = true;
        of->file_size = (uint64_t)status.st_size;
    }
}

/* ---- the command ---- */

static int show(const sinew_model *model, const char *file, const info_options *options) {
    info of = {.model = model, .file = file};
    of.meshes = calloc(model->mesh_count + 1u, sizeof *of.meshes);
    bool done = of.meshes && count_nodes(&of) && measure(&of);
    if (done) {
        find_size(&of);
        count_meshes(&of);
        if (options->json) {
            info_print_json(&of, stdout);
        } else {
            info_print_text(&of, stdout);
        }
    }
    free(of.meshes);
    return done ? EXIT_DONE : command_out_of_memory();
}

static int run(const void *from, const char *const *operands, unsigned operand_count) {
    const info_options *options = from;
    int status = EXIT_DONE;
    for (unsigned i = 0; i < operand_count; i++) {
        sinew_model *model = command_read_model(operands[i], &options->common, true);
        if (!model) {
            status = EXIT_FILE;
            continue;
        }
        if (i > 0 && !options->json) {
            fputc('\n', stdout);
        }
        int shown = show(model, operands[i], options);
        status = status == EXIT_DONE ? shown : status;
        sinew_model_free(model);
    }
    return status;
}

static const info_options defaults = {.common = COMMON_DEFAULTS};

const command command_info = {
    .name = "info",
    .operands = "MODEL...",
    .summary = "what is in a file: skins, meshes, clips, materials, sizes",
    .about = "Says what is in glTF 2.0 models: skins with their joints, meshes, clips with\n"
             "their length, materials, pictures, and how large the model is at rest. With\n"
             "several files, one that cannot be read is told and the others are still shown.",
    .examples = "  sinew info fox.glb\n"
                "  sinew info --json *.glb | jq -r '.file, .clips[].name'",
    .least_operands = 1,
    .most_operands = UINT32_MAX,
    .groups = OPTIONS_MODEL,
    .options = table,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .run = run};
