/* From a model to skinned vertices, at several moments of its clips. */
#include "fuzz.h"

#include "sinew/clip.h"
#include "sinew/skin.h"

#include <math.h>
#include <string.h>

#define MOST_CLIPS 4u
#define MOST_INSTANCES 16u
/* Vertices times targets and influences in one input: what makes the fuzzer slow. */
#define MOST_WORK 300000u

static void finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(isfinite(values[i]));
    }
}

static void check_pose(const sinew_pose *pose) {
    const sinew_model *model = pose->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        finite(pose->local[i].translation, 3);
        finite(pose->local[i].rotation, 4);
        finite(pose->local[i].scale, 3);
    }
    finite(pose->weights, model->weight_count);
    finite(pose->world_matrices, (size_t)16 * model->node_count);
}

/* What an instance needs again and again. */
typedef struct instance {
    const sinew_pose *pose;
    uint32_t node;
    sinew_palette palette; /* of the skin, else rigid */
    sinew_palette rigid;
    float rigid_matrix[16];
    bool skinned;
} instance;

static bool build_palettes(const sinew_pose *pose, uint32_t index, instance *out) {
    const sinew_model *model = pose->model;
    const sinew_node *node = &model->nodes[index];
    memset(out, 0, sizeof *out);
    out->pose = pose;
    out->node = index;
    out->skinned = node->skin != SINEW_NONE;
    out->rigid =
        (sinew_palette){.matrices = out->rigid_matrix, .capacity = 1, .layout = SINEW_PALETTE_4X4};
    FUZZ_REQUIRE(sinew_palette_build_rigid(model, index, pose, &out->rigid) == SINEW_OK);
    finite(out->rigid_matrix, 16);
    uint32_t joints = out->skinned ? model->skins[node->skin].joint_count : 1;
    sinew_palette_layout layout = index & 1 ? SINEW_PALETTE_4X4 : SINEW_PALETTE_4X3;
    size_t floats = (size_t)joints * sinew_palette_floats(layout);
    float *matrices = malloc(floats * sizeof *matrices);
    FUZZ_REQUIRE(matrices);
    out->palette = (sinew_palette){.matrices = matrices, .capacity = joints, .layout = layout};
    if (!out->skinned) {
        FUZZ_REQUIRE(sinew_palette_build_rigid(model, index, pose, &out->palette) == SINEW_OK);
    } else {
        if (sinew_palette_build_relative(model, node->skin, pose, index, &out->palette, NULL) ==
            SINEW_OK) {
            finite(matrices, floats);
        }
        FUZZ_REQUIRE(sinew_palette_build(model, node->skin, pose, &out->palette) == SINEW_OK);
    }
    finite(matrices, floats);
    FUZZ_REQUIRE(out->palette.joint_count == joints);
    return true;
}

static void inside(const sinew_box *box, const float *positions, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            float value = positions[3 * (size_t)v + (size_t)i];
            FUZZ_REQUIRE(value >= box->minimum[i] && value <= box->maximum[i]);
        }
    }
}

static void check_units(const float *directions, uint32_t count, uint32_t stride) {
    for (uint32_t v = 0; v < count; v++) {
        const float *d = directions + (size_t)v * stride;
        double length = sqrt((double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2]);
        FUZZ_REQUIRE(length == 0.0 || fabs(length - 1.0) < 1e-5);
    }
}

static void skin_primitive(const instance *in, const sinew_primitive *primitive,
                           const sinew_box *box) {
    const sinew_node *node = &in->pose->model->nodes[in->node];
    uint32_t count = primitive->vertex_count;
    bool follows = in->skinned && primitive->influences_count > 0;
    float *out = malloc(((size_t)10 * count + 1) * sizeof *out);
    FUZZ_REQUIRE(out);
    sinew_skin_job job = {.primitive = primitive,
                          .influences =
                              follows ? &primitive->influences[node->influences_index] : NULL,
                          .palette = follows ? &in->palette : &in->rigid,
                          .morph_weights = in->pose->weights + node->first_weight,
                          .morph_weight_count = node->weight_count,
                          .positions = out,
                          .normals = out + (size_t)3 * count,
                          .tangents = out + (size_t)6 * count,
                          .approximate_normals = (in->node & 2) != 0};
    memset(out, 0, ((size_t)10 * count + 1) * sizeof *out);
    uint32_t half = count / 2;
    FUZZ_REQUIRE(sinew_skin_vertices(&job, half, count - half) == SINEW_OK);
    FUZZ_REQUIRE(sinew_skin_vertices(&job, 0, half) == SINEW_OK);
    FUZZ_REQUIRE(sinew_skin_vertices(&job, 1, count) == SINEW_ERROR_ARGUMENT);
    finite(out, (size_t)10 * count);
    check_units(job.normals, count, 3);
    check_units(job.tangents, count, 4);
    inside(box, out, count);
    free(out);
}

static void skin_instance(const sinew_pose *pose, uint32_t index, const sinew_bounds *bounds) {
    const sinew_model *model = pose->model;
    const sinew_node *node = &model->nodes[index];
    const sinew_mesh *mesh = &model->meshes[node->mesh];
    instance in;
    build_palettes(pose, index, &in);
    sinew_box box;
    bool any = false;
    bool bounded =
        sinew_bounds_of_palettes(bounds, &in.palette, &in.rigid, pose->weights + node->first_weight,
                                 node->weight_count, &box);
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        if (mesh->primitives[p].vertex_count > 0) {
            any = true;
            skin_primitive(&in, &mesh->primitives[p], &box);
        }
    }
    FUZZ_REQUIRE(bounded == any);
    free(in.palette.matrices);
}

/* ---- the instances of a model ---- */

typedef struct stage {
    uint32_t count;
    uint32_t nodes[MOST_INSTANCES];
    sinew_bounds *bounds[MOST_INSTANCES];
    size_t work; /* of one moment */
} stage;

static size_t work_of(const sinew_mesh *mesh, bool skinned) {
    size_t work = 0;
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        const sinew_primitive *primitive = &mesh->primitives[p];
        size_t each = (size_t)1 + primitive->target_count;
        each +=
            skinned && primitive->influences_count > 0 ? primitive->influences[0].per_vertex : 0;
        work += each * ((size_t)primitive->vertex_count + 1);
    }
    return work;
}

static void set_stage(const sinew_model *model, stage *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < model->node_count && out->count < MOST_INSTANCES; i++) {
        const sinew_node *node = &model->nodes[i];
        if (node->mesh == SINEW_NONE) {
            continue;
        }
        size_t work = work_of(&model->meshes[node->mesh], node->skin != SINEW_NONE);
        if (out->work + work > MOST_WORK) {
            continue;
        }
        out->work += work;
        out->nodes[out->count] = i;
        out->bounds[out->count] = sinew_bounds_create(model, i, NULL);
        FUZZ_REQUIRE(out->bounds[out->count]);
        out->count++;
    }
}

static void moment(sinew_pose *pose, const stage *at) {
    sinew_pose_to_world(pose);
    check_pose(pose);
    for (uint32_t i = 0; i < at->count; i++) {
        skin_instance(pose, at->nodes[i], at->bounds[i]);
    }
}

static void play_bound(const sinew_model *model, uint32_t clip, sinew_pose *pose) {
    sinew_clip_binding *binding = sinew_clip_bind(model, model, clip, NULL);
    FUZZ_REQUIRE(binding && binding->bound_count <= binding->clip->channel_count);
    FUZZ_REQUIRE(sinew_clip_binding_sample(binding, binding->clip->duration * 0.5, SINEW_KEEP,
                                           pose) == SINEW_OK);
    sinew_clip_binding_free(binding);
}

void fuzz_animate(const sinew_model *model) {
    static const double places[] = {0.37, -0.1, 1.0, 2.6};
    stage at;
    set_stage(model, &at);
    sinew_pose *pose = sinew_pose_create(model, NULL);
    FUZZ_REQUIRE(pose);
    moment(pose, &at);
    size_t work = at.work;
    uint32_t clips = model->clip_count < MOST_CLIPS ? model->clip_count : MOST_CLIPS;
    for (uint32_t clip = 0; clip < clips; clip++) {
        for (int i = 0; i < 4 && work <= MOST_WORK; i++, work += at.work + model->node_count) {
            double seconds = model->clips[clip].duration * places[i];
            FUZZ_REQUIRE(sinew_clip_sample(model, clip, seconds, i % 2 ? SINEW_LOOP : SINEW_CLAMP,
                                           pose) == SINEW_OK);
            moment(pose, &at);
        }
        play_bound(model, clip, pose);
        sinew_pose_to_world(pose);
        check_pose(pose);
    }
    for (uint32_t i = 0; i < at.count; i++) {
        sinew_bounds_free(at.bounds[i]);
    }
    sinew_pose_free(pose);
}
