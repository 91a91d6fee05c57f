#include "sinew/model.h"

#include "base/owner.h"

#include <string.h>

void sinew_model_free(sinew_model *model) {
    if (model) {
        sinewi_owner_free(model->owner); /* the model itself is in its arena */
    }
}

uint32_t sinew_node_find(const sinew_model *model, const char *name) {
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (strcmp(model->nodes[i].name, name) == 0) {
            return i;
        }
    }
    return SINEW_NONE;
}

uint32_t sinew_clip_find(const sinew_model *model, const char *name) {
    for (uint32_t i = 0; i < model->clip_count; i++) {
        if (strcmp(model->clips[i].name, name) == 0) {
            return i;
        }
    }
    return SINEW_NONE;
}

uint32_t sinew_joint_find(const sinew_model *model, uint32_t skin, const char *name) {
    if (skin >= model->skin_count) {
        return SINEW_NONE;
    }
    const sinew_skin *in = &model->skins[skin];
    for (uint32_t slot = 0; slot < in->joint_count; slot++) {
        if (strcmp(model->nodes[in->joints[slot]].name, name) == 0) {
            return slot;
        }
    }
    return SINEW_NONE;
}

/* Walks down to first children and on to siblings; parents lead the way back, so that
 * no stack is needed however deep the file goes. */
static uint32_t list_below(const sinew_model *model, uint32_t root, uint32_t *nodes,
                           uint32_t count) {
    uint32_t at = root;
    while (count < model->node_count) {
        nodes[count++] = at;
        const sinew_node *node = &model->nodes[at];
        if (node->child_count > 0) {
            at = node->children[0];
            continue;
        }
        while (at != root && model->nodes[at].next_sibling == SINEW_NONE) {
            at = model->nodes[at].parent;
        }
        if (at == root) {
            break;
        }
        at = model->nodes[at].next_sibling;
    }
    return count;
}

uint32_t sinew_scene_nodes(const sinew_model *model, uint32_t scene, uint32_t *nodes) {
    uint32_t count = 0;
    if (scene == SINEW_NONE) {
        scene = model->default_scene;
    }
    if (scene == SINEW_NONE) {
        for (uint32_t i = 0; i < model->node_count; i++) {
            if (model->nodes[i].parent == SINEW_NONE) {
                count = list_below(model, i, nodes, count);
            }
        }
        return count;
    }
    if (scene >= model->scene_count) {
        return 0;
    }
    for (uint32_t k = 0; k < model->scenes[scene].root_count; k++) {
        count = list_below(model, model->scenes[scene].roots[k], nodes, count);
    }
    return count;
}

static uint32_t index_at(const sinew_primitive *primitive, uint32_t i) {
    return primitive->indices ? primitive->indices[i] : i;
}

uint32_t sinew_primitive_triangles(const sinew_primitive *primitive, uint32_t *triangles) {
    uint32_t n = primitive->indices ? primitive->index_count : primitive->vertex_count;
    sinew_topology topology = primitive->topology;
    if (topology < SINEW_TRIANGLES || n < 3) {
        return 0;
    }
    uint32_t count = topology == SINEW_TRIANGLES ? n / 3 : n - 2;
    if (!triangles) {
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a, b, c;
        if (topology == SINEW_TRIANGLES) {
            a = 3 * i, b = a + 1, c = a + 2;
        } else if (topology == SINEW_TRIANGLE_STRIP) {
            a = i, b = i + 1 + i % 2, c = i + 2 - i % 2;
        } else {
            a = i + 1, b = i + 2, c = 0;
        }
        triangles[3 * (size_t)i] = index_at(primitive, a);
        triangles[3 * (size_t)i + 1] = index_at(primitive, b);
        triangles[3 * (size_t)i + 2] = index_at(primitive, c);
    }
    return count;
}
