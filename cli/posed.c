/* The posed mesh. */
#include "posed.h"

#include "sinew/palette.h"
#include "sinew/skin.h"

#include <math.h>
#include <stdlib.h>

/* ---- layout ---- */

static float *rows(uint32_t count, uint32_t width) {
    return calloc(count, width * sizeof(float));
}

static float determinant(const float m[16]) {
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
           m[8] * (m[1] * m[6] - m[5] * m[2]);
}

static uint32_t joint_at(const sinew_influences *influences, size_t entry) {
    return influences->joint_type == SINEW_U8 ? ((const uint8_t *)influences->joints)[entry]
                                              : ((const uint16_t *)influences->joints)[entry];
}

bool influence_counts(const sinew_influences *influences, size_t entry) {
    switch (influences->weight_type) {
    case SINEW_U8: return ((const uint8_t *)influences->weights)[entry] != 0;
    case SINEW_U16: return ((const uint16_t *)influences->weights)[entry] != 0;
    default: return ((const float *)influences->weights)[entry] > 0;
    }
}

static bool all_joints_mirror(const sinew_influences *influences, uint32_t vertex_count,
                              const float *palette) {
    size_t entries = (size_t)vertex_count * influences->per_vertex;
    for (size_t i = 0; i < entries; i++) {
        if (influence_counts(influences, i) &&
            !(determinant(palette + (size_t)16 * joint_at(influences, i)) < 0)) {
            return false;
        }
    }
    return entries > 0;
}

/* Of the node's skin; NULL: the primitive follows its node. */
static const sinew_influences *influences_of(const sinew_node *node,
                                             const sinew_primitive *primitive) {
    return node->skin != SINEW_NONE && primitive->influences_count > 0
               ? &primitive->influences[node->influences_index]
               : NULL;
}

/* Whether a primitive is seen in a mirror: an uneven number of axes turned round. */
static bool is_mirrored(const sinew_pose *pose, const posed_instance *instance,
                        const sinew_primitive *primitive) {
    const sinew_influences *influences =
        influences_of(&pose->model->nodes[instance->node], primitive);
    if (influences) {
        return all_joints_mirror(influences, primitive->vertex_count, instance->palette);
    }
    return determinant(pose->world_matrices + (size_t)16 * instance->node) < 0;
}

static bool add_primitive(posed_instance *instance, const sinew_pose *pose,
                          const sinew_primitive *primitive, uint32_t index) {
    posed_primitive *added = &instance->primitives[instance->primitive_count++];
    *added = (posed_primitive){.primitive = primitive, .index = index};
    added->mirrored = is_mirrored(pose, instance, primitive);
    uint32_t count = primitive->vertex_count;
    bool tangents = primitive->tangents && primitive->normals;
    added->positions = rows(count, 3);
    added->normals = primitive->normals ? rows(count, 3) : NULL;
    added->tangents = tangents ? rows(count, 4) : NULL;
    return added->positions && (added->normals || !primitive->normals) &&
           (added->tangents || !tangents);
}

/* Once a skin, however many instances have it. */
static bool find_palette(posed *mesh, posed_instance *instance, const sinew_pose *pose) {
    uint32_t skin = pose->model->nodes[instance->node].skin;
    if (skin == SINEW_NONE) {
        return true;
    }
    instance->joint_count = pose->model->skins[skin].joint_count;
    if (!mesh->palettes[skin]) {
        mesh->palettes[skin] = rows(instance->joint_count, 16);
        sinew_palette palette = {.matrices = mesh->palettes[skin],
                                 .capacity = instance->joint_count,
                                 .layout = SINEW_PALETTE_4X4};
        if (!mesh->palettes[skin] ||
            sinew_palette_build(pose->model, skin, pose, &palette) != SINEW_OK) {
            return false;
        }
    }
    instance->palette = mesh->palettes[skin];
    return true;
}

static bool add_instance(posed *mesh, const sinew_pose *pose, uint32_t node) {
    const sinew_mesh *source = &pose->model->meshes[pose->model->nodes[node].mesh];
    posed_instance *instance = &mesh->instances[mesh->instance_count++];
    *instance = (posed_instance){.node = node};
    instance->primitives = calloc(source->primitive_count + 1u, sizeof *instance->primitives);
    if (!instance->primitives || !find_palette(mesh, instance, pose)) {
        return false;
    }
    for (uint32_t i = 0; i < source->primitive_count; i++) {
        if (source->primitives[i].vertex_count > 0 &&
            !add_primitive(instance, pose, &source->primitives[i], i)) {
            return false;
        }
    }
    return true;
}

/* Vertices and primitives of each mesh, summed once: many nodes may share one. */
static uint64_t *rows_of_meshes(const sinew_model *model) {
    uint64_t *rows_of = calloc(model->mesh_count + 1u, sizeof *rows_of);
    for (uint32_t m = 0; rows_of && m < model->mesh_count; m++) {
        const sinew_mesh *mesh = &model->meshes[m];
        rows_of[m] = mesh->primitive_count;
        for (uint32_t i = 0; i < mesh->primitive_count; i++) {
            rows_of[m] += mesh->primitives[i].vertex_count;
        }
    }
    return rows_of;
}

/* Vertices, joints and primitives that the nodes would add. */
static bool count_rows(posed *out, const sinew_model *model, const uint32_t *nodes,
                       uint32_t count) {
    uint64_t *rows_of = rows_of_meshes(model);
    for (uint32_t i = 0; rows_of && i < count; i++) {
        const sinew_node *node = &model->nodes[nodes[i]];
        if (node->mesh != SINEW_NONE) {
            out->rows += rows_of[node->mesh];
            out->rows += node->skin == SINEW_NONE ? 0 : model->skins[node->skin].joint_count;
        }
    }
    bool counted = rows_of != NULL;
    free(rows_of);
    return counted;
}

static posed_result add_instances(posed *out, const sinew_pose *pose, const uint32_t *nodes,
                                  uint32_t count, uint64_t most_rows) {
    if (!count_rows(out, pose->model, nodes, count)) {
        return POSED_NO_MEMORY;
    }
    if (out->rows > most_rows) {
        return POSED_TOO_LARGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (pose->model->nodes[nodes[i]].mesh != SINEW_NONE && !add_instance(out, pose, nodes[i])) {
            return POSED_NO_MEMORY;
        }
    }
    return POSED_DONE;
}

posed_result posed_create(posed *out, const sinew_pose *pose, uint32_t scene, uint64_t most_rows) {
    const sinew_model *model = pose->model;
    *out = (posed){.skin_count = model->skin_count};
    uint32_t *nodes = calloc(model->node_count + 1u, sizeof *nodes);
    out->instances = calloc(model->node_count + 1u, sizeof *out->instances);
    out->palettes = calloc(model->skin_count + 1u, sizeof *out->palettes);
    posed_result result = POSED_NO_MEMORY;
    if (nodes && out->instances && out->palettes) {
        uint32_t count = sinew_scene_nodes(model, scene, nodes);
        result = add_instances(out, pose, nodes, count, most_rows);
    }
    free(nodes);
    return result;
}

void posed_free(posed *mesh) {
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        posed_instance *instance = &mesh->instances[i];
        for (uint32_t k = 0; k < instance->primitive_count; k++) {
            free(instance->primitives[k].positions);
            free(instance->primitives[k].normals);
            free(instance->primitives[k].tangents);
        }
        free(instance->primitives);
    }
    for (uint32_t i = 0; mesh->palettes && i < mesh->skin_count; i++) {
        free(mesh->palettes[i]);
    }
    free(mesh->palettes);
    free(mesh->instances);
    *mesh = (posed){.instances = NULL};
}

/* ---- vertices ---- */

static bool skin_primitive(posed_primitive *out, const posed_instance *instance,
                           const sinew_pose *pose, const sinew_palette *skinned,
                           const sinew_palette *rigid) {
    const sinew_node *node = &pose->model->nodes[instance->node];
    const sinew_influences *influences = influences_of(node, out->primitive);
    uint32_t count = out->primitive->vertex_count;
    sinew_skin_job job = {.primitive = out->primitive,
                          .influences = influences,
                          .palette = influences ? skinned : rigid,
                          .morph_weights = pose->weights + node->first_weight,
                          .morph_weight_count = node->weight_count,
                          .positions = out->positions,
                          .normals = out->normals,
                          .tangents = out->tangents,
                          .path = SINEW_SKIN_SCALAR,
                          .method = skinned->layout == SINEW_PALETTE_4X3_ROTATION ? SINEW_SKIN_DQS
                                                                                  : SINEW_SKIN_LBS};
    return sinew_skin_vertices(&job, 0, count) == SINEW_OK;
}

static bool skin_primitives(posed_instance *instance, const sinew_pose *pose,
                            const sinew_palette *skinned) {
    float world[16];
    sinew_palette rigid = {.matrices = world, .capacity = 1, .layout = SINEW_PALETTE_4X4};
    bool done = sinew_palette_build_rigid(pose->model, instance->node, pose, &rigid) == SINEW_OK;
    for (uint32_t i = 0; done && i < instance->primitive_count; i++) {
        done = skin_primitive(&instance->primitives[i], instance, pose, skinned, &rigid);
    }
    return done;
}

/* By the joint matrices that are there, or for dual quaternions a palette with rotations. */
static bool skin_instance(const posed *mesh, posed_instance *instance, const sinew_pose *pose) {
    uint32_t skin = pose->model->nodes[instance->node].skin;
    sinew_palette skinned = {.capacity = instance->joint_count, .layout = SINEW_PALETTE_4X4};
    if (skin == SINEW_NONE || mesh->method == SINEW_SKIN_LBS) {
        skinned.matrices = skin == SINEW_NONE ? NULL : mesh->palettes[skin];
        skinned.joint_count = instance->joint_count;
        return skin_primitives(instance, pose, &skinned);
    }
    skinned.layout = SINEW_PALETTE_4X3_ROTATION;
    skinned.matrices = rows(instance->joint_count, 16);
    bool done = skinned.matrices &&
                sinew_palette_build(pose->model, skin, pose, &skinned) == SINEW_OK &&
                skin_primitives(instance, pose, &skinned);
    free(skinned.matrices);
    return done;
}

bool posed_skin(posed *mesh, const sinew_pose *pose) {
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        if (!skin_instance(mesh, &mesh->instances[i], pose)) {
            return false;
        }
    }
    return true;
}

/* ---- what follows from the vertices ---- */

static uint64_t make_finite(float *values, size_t count) {
    uint64_t mended = 0;
    for (size_t i = 0; values && i < count; i++) {
        if (!isfinite(values[i])) {
            values[i] = 0;
            mended++;
        }
    }
    return mended;
}

static void widen(sinew_box *box, const float *positions, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        for (int axis = 0; axis < 3; axis++) {
            float value = positions[(size_t)3 * v + (size_t)axis];
            box->minimum[axis] = fminf(box->minimum[axis], value);
            box->maximum[axis] = fmaxf(box->maximum[axis], value);
        }
    }
}

void posed_finish(posed *mesh) {
    for (int axis = 0; axis < 3; axis++) {
        mesh->box.minimum[axis] = INFINITY;
        mesh->box.maximum[axis] = -INFINITY;
    }
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        posed_instance *instance = &mesh->instances[i];
        for (uint32_t k = 0; k < instance->primitive_count; k++) {
            posed_primitive *primitive = &instance->primitives[k];
            uint32_t count = primitive->primitive->vertex_count;
            mesh->nonfinite += make_finite(primitive->positions, (size_t)3 * count);
            mesh->nonfinite += make_finite(primitive->normals, (size_t)3 * count);
            mesh->nonfinite += make_finite(primitive->tangents, (size_t)4 * count);
            widen(&mesh->box, primitive->positions, count);
            mesh->has_vertices = true;
        }
    }
}

uint32_t *posed_triangles(const posed_primitive *primitive, bool turn_mirrored, uint32_t *count) {
    *count = sinew_primitive_triangles(primitive->primitive, NULL);
    if (*count == 0) {
        return NULL;
    }
    uint32_t *triangles = malloc((size_t)*count * 3 * sizeof *triangles);
    if (!triangles) {
        return NULL;
    }
    sinew_primitive_triangles(primitive->primitive, triangles);
    for (uint32_t i = 0; turn_mirrored && primitive->mirrored && i < *count; i++) {
        uint32_t *corner = triangles + (size_t)3 * i;
        uint32_t second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
    return triangles;
}
