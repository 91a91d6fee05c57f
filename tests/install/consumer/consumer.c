/* An outside program: knows Sinew only as it is installed. C11 and C++17. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Skins the first vertex of the first mesh on a skin; true when it came out finite. */
static bool skin_a_vertex(const sinew_model *model, const sinew_pose *pose, uint32_t node) {
    const sinew_node *on = &model->nodes[node];
    const sinew_primitive *primitive = &model->meshes[on->mesh].primitives[0];
    sinew_palette palette;
    sinew_skin_job job;
    float position[3] = {NAN, NAN, NAN};
    memset(&palette, 0, sizeof palette);
    memset(&job, 0, sizeof job);
    palette.capacity = model->skins[on->skin].joint_count;
    palette.matrices = (float *)malloc(palette.capacity * 12 * sizeof(float));
    if (palette.matrices == NULL ||
        sinew_palette_build(model, on->skin, pose, &palette) != SINEW_OK) {
        free(palette.matrices);
        return false;
    }
    job.primitive = primitive;
    job.influences = &primitive->influences[on->influences_index];
    job.palette = &palette;
    job.positions = position;
    sinew_result result = sinew_skin_vertices(&job, 0, 1);
    free(palette.matrices);
    printf("vertex %.4f %.4f %.4f\n", position[0], position[1], position[2]);
    return result == SINEW_OK && isfinite(position[0]) && isfinite(position[1]) &&
           isfinite(position[2]);
}

int main(int argc, char **argv) {
    sinew_error error;
    memset(&error, 0, sizeof error);
    sinew_model *model = sinew_model_read(argc > 1 ? argv[1] : "", NULL, &error);
    if (model == NULL) {
        fprintf(stderr, "%s: %s: %s\n", argc > 1 ? argv[1] : "", error.place, error.message);
        return 1;
    }
    printf("sinew %s\n", sinew_version());
    for (uint32_t i = 0; i < model->clip_count; i++) {
        printf("clip %s\n", model->clips[i].name);
    }
    bool good = false;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    uint32_t walk = sinew_clip_find(model, "walk");
    if (pose != NULL && sinew_clip_sample(model, walk, 0.25, SINEW_LOOP, pose) == SINEW_OK) {
        sinew_pose_to_world(pose);
        for (uint32_t node = 0; node < model->node_count && !good; node++) {
            if (model->nodes[node].skin != SINEW_NONE && model->nodes[node].mesh != SINEW_NONE) {
                good = skin_a_vertex(model, pose, node);
            }
        }
    }
    sinew_pose_free(pose);
    sinew_model_free(model);
    return good ? 0 : 1;
}
