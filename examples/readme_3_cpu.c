/* The third program of README.md: no OpenGL. What stands between the two marks is shown
 * there, and a test compares both. 02_cpu_only.c is the complete example.
 *
 *     readme_3_cpu MODEL CLIP */
/* README.md { */
#include <sinew/sinew.h>
/* } */

#include <stdio.h>
#include <stdlib.h>

/* README.md { */
/* The vertices of a skinned primitive, 3 floats each, in the space of the scene. */
static sinew_result skin(const sinew_model *model, const sinew_pose *pose, uint32_t node_index,
                         const sinew_primitive *primitive, float *matrices, float *positions) {
    const sinew_node *node = &model->nodes[node_index];
    sinew_palette palette = {.matrices = matrices, /* 12 floats a joint */
                             .capacity = model->skins[node->skin].joint_count};
    sinew_palette_build(model, node->skin, pose, &palette);

    sinew_skin_job job = {.primitive = primitive,
                          .influences = &primitive->influences[node->influences_index],
                          .palette = &palette,
                          .morph_weights = pose->weights + node->first_weight,
                          .morph_weight_count = node->weight_count,
                          .positions = positions};
    return sinew_skin_vertices(&job, 0, primitive->vertex_count);
}
/* } */

/* The first node with a skin and a mesh that has joints; SINEW_NONE: none. */
static uint32_t find_skinned(const sinew_model *model) {
    for (uint32_t i = 0; i < model->node_count; i++) {
        const sinew_node *node = &model->nodes[i];
        if (node->skin != SINEW_NONE && node->mesh != SINEW_NONE &&
            model->meshes[node->mesh].primitives[0].influences_count > 0) {
            return i;
        }
    }
    return SINEW_NONE;
}

int main(int argc, char **argv) {
    sinew_error why;
    sinew_model *model = argc == 3 ? sinew_model_read(argv[1], NULL, &why) : NULL;
    uint32_t node = model ? find_skinned(model) : SINEW_NONE;
    if (node == SINEW_NONE) {
        fprintf(stderr, "usage: readme_3_cpu MODEL CLIP, of a model with a skin\n");
        sinew_model_free(model);
        return 2;
    }
    const sinew_primitive *primitive = &model->meshes[model->nodes[node].mesh].primitives[0];
    uint32_t joints = model->skins[model->nodes[node].skin].joint_count;
    float *matrices = malloc((size_t)joints * 12 * sizeof *matrices);
    float *positions = malloc((size_t)primitive->vertex_count * 3 * sizeof *positions);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    sinew_result result = SINEW_ERROR_MEMORY;
    if (matrices && positions && pose) {
        uint32_t clip = sinew_clip_find(model, argv[2]);
        sinew_clip_sample(model, clip, 0.5, SINEW_LOOP, pose);
        sinew_pose_to_world(pose);
        result = skin(model, pose, node, primitive, matrices, positions);
    }
    if (result == SINEW_OK) {
        printf("%g %g %g\n", (double)positions[0], (double)positions[1], (double)positions[2]);
    }
    free(matrices);
    free(positions);
    sinew_pose_free(pose);
    sinew_model_free(model);
    return result != SINEW_OK;
}
