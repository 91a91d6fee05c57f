/* No window, no OpenGL: skinned vertices for picking, physics or export.
 *
 *     02_cpu_only MODEL [CLIP [SECONDS]]
 *
 * Shown: reading a model, sampling a clip, building the palette of a skin, skinning every
 * mesh of the scene, and the cheap bounds that need no skinning at all.
 * Left out: findings (what was wrong with the file), normals and tangents, threads. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

#define FIRST_VERTICES 3

static int give_up(const char *what, const char *why) {
    fprintf(stderr, "02_cpu_only: %s: %s\n", what, why);
    return 1;
}

/* The palette of a node: the joint matrices of its skin, or its world matrix alone. */
static int build_palette(const sinew_pose *pose, uint32_t node, sinew_palette *palette) {
    const sinew_model *model = pose->model;
    uint32_t skin = model->nodes[node].skin;
    palette->capacity = skin == SINEW_NONE ? 1 : model->skins[skin].joint_count;
    palette->matrices =
        malloc((size_t)palette->capacity * sinew_palette_floats(palette->layout) * sizeof(float));
    if (!palette->matrices) {
        return SINEW_ERROR_MEMORY;
    }
    return skin == SINEW_NONE ? sinew_palette_build_rigid(model, node, pose, palette)
                              : sinew_palette_build(model, skin, pose, palette);
}

/* Skins one primitive into world space and prints its first vertices. */
static int print_primitive(const sinew_pose *pose, uint32_t node_index,
                           const sinew_primitive *primitive, const sinew_palette *skinned) {
    const sinew_node *node = &pose->model->nodes[node_index];
    float world[16];
    sinew_palette rigid = {.matrices = world, .capacity = 1};
    sinew_palette_build_rigid(pose->model, node_index, pose, &rigid);
    bool follows_joints = node->skin != SINEW_NONE && primitive->influences_count > 0;

    sinew_skin_job job = {.primitive = primitive, .palette = follows_joints ? skinned : &rigid};
    job.influences = follows_joints ? &primitive->influences[node->influences_index] : NULL;
    job.morph_weights = pose->weights + node->first_weight;
    job.morph_weight_count = node->weight_count;
    job.positions = malloc((size_t)primitive->vertex_count * 3 * sizeof(float));
    if (!job.positions) {
        return SINEW_ERROR_MEMORY;
    }
    int result = sinew_skin_vertices(&job, 0, primitive->vertex_count);
    for (uint32_t v = 0; !result && v < primitive->vertex_count && v < FIRST_VERTICES; v++) {
        const float *at = job.positions + (size_t)3 * v;
        printf("  vertex %u at %.4f %.4f %.4f\n", v, (double)at[0], (double)at[1], (double)at[2]);
    }
    free(job.positions);
    return result;
}

/* Where the mesh is, by the boxes of its joints: no vertex is touched. */
static void print_bounds(const sinew_pose *pose, uint32_t node_index,
                         const sinew_palette *palette) {
    const sinew_node *node = &pose->model->nodes[node_index];
    sinew_bounds *bounds = sinew_bounds_create(pose->model, node_index, NULL);
    sinew_box box;
    if (bounds && sinew_bounds_of_palette(bounds, palette, pose->weights + node->first_weight,
                                          node->weight_count, &box)) {
        printf("  bounds %.4f %.4f %.4f to %.4f %.4f %.4f\n", (double)box.minimum[0],
               (double)box.minimum[1], (double)box.minimum[2], (double)box.maximum[0],
               (double)box.maximum[1], (double)box.maximum[2]);
    }
    sinew_bounds_free(bounds);
}

static int print_node(const sinew_pose *pose, uint32_t node) {
    const sinew_mesh *mesh = &pose->model->meshes[pose->model->nodes[node].mesh];
    sinew_palette palette = {.layout = SINEW_PALETTE_4X3};
    int result = build_palette(pose, node, &palette);
    printf("node %u \"%s\": %u joint matrices\n", node, pose->model->nodes[node].name,
           palette.joint_count);
    if (!result) {
        print_bounds(pose, node, &palette);
    }
    for (uint32_t p = 0; !result && p < mesh->primitive_count; p++) {
        result = print_primitive(pose, node, &mesh->primitives[p], &palette);
    }
    free(palette.matrices);
    return result;
}

static int print_scene(const sinew_pose *pose) {
    const sinew_model *model = pose->model;
    uint32_t *nodes = malloc((model->node_count + 1) * sizeof *nodes);
    uint32_t count = nodes ? sinew_scene_nodes(model, SINEW_NONE, nodes) : 0;
    int result = nodes ? SINEW_OK : SINEW_ERROR_MEMORY;
    for (uint32_t i = 0; !result && i < count; i++) {
        if (model->nodes[nodes[i]].mesh != SINEW_NONE) {
            result = print_node(pose, nodes[i]);
        }
    }
    free(nodes);
    return result;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: 02_cpu_only MODEL [CLIP [SECONDS]]\n");
        return 2;
    }
    sinew_error why;
    sinew_model *model = sinew_model_read(argv[1], NULL, &why);
    if (!model) {
        return give_up(argv[1], why.message);
    }
    uint32_t clip = model->clip_count ? 0 : SINEW_NONE;
    if (argc > 2 && (clip = sinew_clip_find(model, argv[2])) == SINEW_NONE) {
        sinew_model_free(model);
        return give_up(argv[2], "the model has no such clip");
    }
    double seconds = argc > 3 ? strtod(argv[3], NULL) : 0;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    int result = pose ? sinew_clip_sample(model, clip, seconds, SINEW_LOOP, pose)
                      : SINEW_ERROR_MEMORY; /* SINEW_NONE: the rest pose */
    if (!result) {
        sinew_pose_to_world(pose);
        result = print_scene(pose);
    }
    sinew_pose_free(pose);
    sinew_model_free(model);
    return result ? give_up(argv[1], sinew_result_word((sinew_result)result)) : 0;
}
