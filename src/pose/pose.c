#include "sinew/pose.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/* A pose and its arrays are one block, so that it has one size and one free. */
typedef struct pose_block {
    sinew_pose pose;
    size_t size;
} pose_block;

/* The sizes of the arrays, in the order in which they follow the block. */
typedef struct pose_sizes {
    size_t world_matrices, local, weights, total;
} pose_sizes;

static bool measure(const sinew_model *model, pose_sizes *sizes) {
    return sinewi_multiply(model->node_count, 16 * sizeof(float), &sizes->world_matrices) &&
           sinewi_multiply(model->node_count, sizeof(sinew_transform), &sizes->local) &&
           sinewi_multiply(model->weight_count, sizeof(float), &sizes->weights) &&
           sinewi_add(sizeof(pose_block), sizes->world_matrices, &sizes->total) &&
           sinewi_add(sizes->total, sizes->local, &sizes->total) &&
           sinewi_add(sizes->total, sizes->weights, &sizes->total);
}

sinew_pose *sinew_pose_create(const sinew_model *model, const sinew_allocator *allocator) {
    pose_sizes sizes;
    if (!model || !measure(model, &sizes)) {
        return NULL;
    }
    sinew_allocator memory = sinewi_allocator_or_default(allocator);
    pose_block *block = sinewi_allocate(&memory, sizes.total);
    if (!block) {
        return NULL;
    }
    unsigned char *at = (unsigned char *)(block + 1);
    sinew_pose *pose = &block->pose;
    memset(block, 0, sizeof *block);
    block->size = sizes.total;
    pose->model = model;
    pose->allocator = memory;
    pose->world_matrices = (float *)(void *)at;
    pose->local = (sinew_transform *)(void *)(at + sizes.world_matrices);
    pose->weights = (float *)(void *)(at + sizes.world_matrices + sizes.local);
    sinew_pose_set_rest(pose);
    sinew_pose_to_world(pose);
    return pose;
}

void sinew_pose_free(sinew_pose *pose) {
    if (!pose) {
        return;
    }
    pose_block *block = (pose_block *)pose; /* its first member */
    sinew_allocator memory = pose->allocator;
    sinewi_release(&memory, block, block->size);
}

void sinew_pose_set_rest(sinew_pose *pose) {
    const sinew_model *model = pose->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const sinew_node *node = &model->nodes[i];
        pose->local[i] = node->local_rest;
        if (node->weight_count != 0) {
            memcpy(pose->weights + node->first_weight, node->local_rest_weights,
                   node->weight_count * sizeof(float));
        }
    }
    sinew_pose_changed(pose);
}

void sinew_pose_changed(sinew_pose *pose) {
    pose->revision++;
}

static bool are_equal(const float *a, const float *b, int count) {
    bool equal = true;
    for (int i = 0; i < count; i++) {
        equal = equal && a[i] == b[i];
    }
    return equal;
}

/* Whether the matrix of the file, with the translation of the pose, is what counts. */
static bool keeps_matrix(const sinew_node *node, const sinew_transform *local) {
    const sinew_transform *rest = &node->local_rest;
    return node->has_matrix && are_equal(local->rotation, rest->rotation, 4) &&
           are_equal(local->scale, rest->scale, 3);
}

static void matrix_of(const sinew_node *node, const sinew_transform *local, float matrix[16]) {
    memcpy(matrix, node->local_rest_matrix, 16 * sizeof *matrix);
    memcpy(matrix + 12, local->translation, sizeof local->translation);
}

void sinew_pose_local_matrix(const sinew_pose *pose, uint32_t node, float matrix[16]) {
    const sinew_node *of = &pose->model->nodes[node];
    const sinew_transform *local = &pose->local[node];
    if (keeps_matrix(of, local)) {
        matrix_of(of, local, matrix);
    } else {
        sinewi_mat4_from_trs(local->translation, local->rotation, local->scale, matrix);
    }
}

/* Parents come before their children in node_order, so one pass is enough, however deep
 * the tree. */
void sinew_pose_to_world(sinew_pose *pose) {
    const sinew_model *model = pose->model;
    for (uint32_t k = 0; k < model->node_count; k++) {
        uint32_t i = model->node_order[k];
        const sinew_node *node = &model->nodes[i];
        const sinew_transform *local = &pose->local[i];
        bool root = node->parent == SINEW_NONE;
        float *world = pose->world_matrices + (size_t)16 * i;
        const float *parent = root ? NULL : pose->world_matrices + (size_t)16 * node->parent;
        bool stored = keeps_matrix(node, local);
        if (stored && root) {
            matrix_of(node, local, world);
        } else if (stored) {
            float matrix[16];
            matrix_of(node, local, matrix);
            sinewi_mat4_multiply(parent, matrix, world);
        } else if (root) {
            sinewi_mat4_from_trs(local->translation, local->rotation, local->scale, world);
        } else {
            sinewi_mat4_multiply_trs(parent, local->translation, local->rotation, local->scale,
                                     world);
        }
    }
    pose->world_revision = pose->revision;
}
