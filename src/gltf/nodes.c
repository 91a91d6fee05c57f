/* Nodes, their hierarchy, scenes and cameras (glTF 3.5, 3.10). Nothing recurses: the
 * order of the nodes is found by walking level after level. */
#include "base/math.h"
#include "gltf/reader.h"

#include <math.h>
#include <string.h>

/* Rotations this far from unit length are told; packed ones of 8 bits stay below. */
#define LENGTH_TOLERANCE 0.01f

/* ---- cameras ---- */

static bool read_camera(sinewi_reader *r, uint32_t token, sinew_camera *camera) {
    camera->name = sinewi_get_text(r, token, "name");
    uint32_t perspective = sinewi_member(r, token, "perspective");
    uint32_t orthographic = sinewi_member(r, token, "orthographic");
    camera->orthographic = perspective == SINEWI_JSON_NONE && orthographic != SINEWI_JSON_NONE;
    uint32_t from = camera->orthographic ? orthographic : perspective;
    return sinewi_get_float(r, from, "yfov", &camera->vertical_fov) &&
           sinewi_get_float(r, from, "aspectRatio", &camera->aspect) &&
           sinewi_get_float(r, from, "xmag", &camera->half_width) &&
           sinewi_get_float(r, from, "ymag", &camera->half_height) &&
           sinewi_get_float(r, from, "znear", &camera->near_plane) &&
           sinewi_get_float(r, from, "zfar", &camera->far_plane);
}

static bool read_cameras(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, r->root, "cameras", &array, &r->model->camera_count)) {
        return false;
    }
    sinew_camera *cameras = sinewi_keep(r, r->model->camera_count, sizeof *cameras);
    r->model->cameras = cameras;
    SINEWI_EACH(r, array, token) {
        if (!cameras || !read_camera(r, token, &cameras[i++])) {
            return false;
        }
    }
    return cameras != NULL;
}

/* ---- one node ---- */

static void check_rotation(sinewi_reader *r, uint32_t token, float rotation[4]) {
    float length = sqrtf(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                         rotation[2] * rotation[2] + rotation[3] * rotation[3]);
    if (length == 0.0f) {
        sinewi_note(r, SINEW_FINDING_QUATERNION_ZERO, token, "rotation",
                    "the rotation has length 0");
        rotation[3] = 1.0f;
    } else if (!(fabsf(length - 1.0f) <= LENGTH_TOLERANCE)) {
        sinewi_note(r, SINEW_FINDING_QUATERNION_LENGTH, token, "rotation",
                    "the rotation has length %g, not 1", (double)length);
    }
    sinewi_quat_normalise(rotation);
}

static bool read_transform(sinewi_reader *r, uint32_t token, sinew_node *node) {
    static const sinew_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    bool translates, rotates, scales;
    sinew_transform *rest = &node->local_rest;
    *rest = identity;
    if (!sinewi_get_floats(r, token, "matrix", 16, node->local_rest_matrix, &node->has_matrix) ||
        !sinewi_get_floats(r, token, "translation", 3, rest->translation, &translates) ||
        !sinewi_get_floats(r, token, "rotation", 4, rest->rotation, &rotates) ||
        !sinewi_get_floats(r, token, "scale", 3, rest->scale, &scales)) {
        return false;
    }
    if (node->has_matrix && (translates || rotates || scales)) {
        sinewi_note(r, SINEW_FINDING_MATRIX_AND_TRS, token, NULL,
                    "the node has a matrix and a translation, rotation or scale");
        *rest = identity;
    }
    if (node->has_matrix) {
        float *m = node->local_rest_matrix;
        if (!sinewi_mat4_is_affine(m)) {
            sinewi_note(r, SINEW_FINDING_MATRIX_LAST_ROW, token, "matrix",
                        "the last row is %g %g %g %g, not 0 0 0 1", (double)m[3], (double)m[7],
                        (double)m[11], (double)m[15]);
            m[3] = m[7] = m[11] = 0.0f;
            m[15] = 1.0f;
        }
        memcpy(rest->translation, m + 12, sizeof rest->translation);
        return true;
    }
    if (rotates) {
        check_rotation(r, token, rest->rotation);
    }
    sinewi_mat4_from_trs(rest->translation, rest->rotation, rest->scale, node->local_rest_matrix);
    return true;
}

/* Children by index; the parents are noted as they are met. */
static bool read_children(sinewi_reader *r, uint32_t token, uint32_t self, sinew_node *nodes) {
    uint32_t array = sinewi_member(r, token, "children");
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, array, NULL, "children is not an array");
    }
    uint32_t *children = sinewi_keep(r, sinewi_json_size(&r->json, array), sizeof *children);
    if (!children) {
        return false;
    }
    nodes[self].children = children;
    uint32_t *count = &nodes[self].child_count;
    SINEWI_EACH(r, array, child) {
        uint32_t index;
        if (!sinewi_index_of(r, child, r->model->node_count, &index)) {
            return false;
        }
        if (index == self) {
            return sinewi_refuse(r, SINEW_FINDING_HIERARCHY, child, NULL,
                                 "node %u is its own child", self);
        }
        if (nodes[index].parent != SINEW_NONE) {
            return sinewi_refuse(r, SINEW_FINDING_HIERARCHY, child, NULL,
                                 nodes[index].parent == self
                                     ? "node %u is listed twice by node %u"
                                     : "node %u is a child of node %u already",
                                 index, nodes[index].parent);
        }
        nodes[index].parent = self;
        if (*count > 0) {
            nodes[children[*count - 1]].next_sibling = index;
        }
        children[(*count)++] = index;
    }
    return true;
}

/* Its own morph weights; those of the mesh are filled in by sinewi_link_nodes. */
static bool read_node_weights(sinewi_reader *r, uint32_t token, sinew_node *node) {
    uint32_t array = sinewi_member(r, token, "weights");
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    uint32_t targets = node->mesh == SINEW_NONE ? 0 : r->model->meshes[node->mesh].target_count;
    if (r->refused && targets == 0) {
        return true; /* a mesh with a fault of its own may not know its targets */
    }
    uint32_t size = sinewi_json_size(&r->json, array);
    if (sinewi_json_kind_of(&r->json, array) == SINEWI_JSON_ARRAY && size != targets) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, array, NULL,
                             "%u weights, the mesh has %u morph targets", size, targets);
    }
    float *weights = sinewi_keep(r, targets, sizeof *weights);
    bool there;
    node->local_rest_weights = weights;
    r->own_weights[node - r->model->nodes] = true;
    return weights && sinewi_get_floats(r, token, "weights", targets, weights, &there);
}

static bool read_node(sinewi_reader *r, uint32_t token, uint32_t self, sinew_node *nodes,
                      uint32_t skin_count) {
    sinew_node *node = &nodes[self];
    node->name = sinewi_get_text(r, token, "name");
    return read_children(r, token, self, nodes) &&
           sinewi_get_index(r, token, "mesh", r->model->mesh_count, &node->mesh) &&
           sinewi_get_index(r, token, "skin", skin_count, &node->skin) &&
           sinewi_get_index(r, token, "camera", r->model->camera_count, &node->camera) &&
           read_transform(r, token, node) && read_node_weights(r, token, node);
}

/* ---- the hierarchy ---- */

static bool refuse_cycle(sinewi_reader *r, const bool *seen) {
    const sinew_node *nodes = r->model->nodes;
    uint32_t at = 0;
    while (seen[at]) {
        at++;
    }
    for (uint32_t i = 0; i < r->model->node_count; i++) {
        at = nodes[at].parent; /* above a node that no root reaches there is a circle */
    }
    uint32_t first = at; /* its lowest node, so that the answer does not hang on the start */
    for (uint32_t step = nodes[at].parent; step != at; step = nodes[step].parent) {
        first = step < first ? step : first;
    }
    uint32_t array = sinewi_member(r, r->root, "nodes");
    uint32_t token = sinewi_json_first(&r->json, array);
    for (uint32_t i = 0; i < first; i++) {
        token = sinewi_json_following(&r->json, array, token);
    }
    uint32_t children = sinewi_member(r, token, "children");
    uint32_t i = 0, in_circle = 0;
    for (uint32_t step = at; nodes[in_circle = step].parent != first; step = nodes[step].parent) {
    }
    SINEWI_EACH(r, children, child) {
        if (nodes[first].children[i++] == in_circle) {
            return sinewi_refuse(r, SINEW_FINDING_HIERARCHY, child, NULL,
                                 "node %u is below itself: its children lead back to it", first);
        }
    }
    return false;
}

/* Every parent before its children: the roots, then the children of what is listed. */
static bool order_nodes(sinewi_reader *r) {
    sinew_model *model = r->model;
    uint32_t *order = sinewi_keep(r, model->node_count, sizeof *order);
    bool *seen = sinewi_scratch(r, model->node_count, sizeof *seen);
    uint32_t count = 0;
    if (!order || !seen) {
        return false;
    }
    model->node_order = order;
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (model->nodes[i].parent == SINEW_NONE) {
            order[count++] = i;
        }
    }
    for (uint32_t at = 0; at < count; at++) {
        const sinew_node *node = &model->nodes[order[at]];
        seen[order[at]] = true;
        for (uint32_t k = 0; k < node->child_count; k++) {
            order[count++] = node->children[k];
        }
    }
    return count == model->node_count || refuse_cycle(r, seen);
}

/* ---- scenes ---- */

/* Below a root of the same scene: it is drawn with that root already. */
static bool *nodes_below(sinewi_reader *r, const bool *listed) {
    const sinew_model *model = r->model;
    bool *below = sinewi_scratch(r, model->node_count, sizeof *below);
    for (uint32_t i = 0; below && i < model->node_count; i++) {
        uint32_t at = model->node_order[i], parent = model->nodes[at].parent;
        below[at] = parent != SINEW_NONE && (below[parent] || listed[parent]);
    }
    return below;
}

static bool read_scene(sinewi_reader *r, uint32_t token, sinew_scene *scene) {
    const sinew_model *model = r->model;
    scene->name = sinewi_get_text(r, token, "name");
    uint32_t array = sinewi_member(r, token, "nodes");
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, array, NULL, "nodes is not an array");
    }
    uint32_t size = sinewi_json_size(&r->json, array);
    uint32_t *roots = sinewi_keep(r, size, sizeof *roots);
    bool *listed = sinewi_scratch(r, model->node_count, sizeof *listed);
    bool has_parents = false;
    if (!roots || !listed) {
        return false;
    }
    SINEWI_EACH(r, array, root) {
        uint32_t index;
        if (!sinewi_index_of(r, root, model->node_count, &index)) {
            return false;
        }
        if (model->nodes[index].parent != SINEW_NONE || listed[index]) {
            has_parents = true;
            sinewi_note(r, SINEW_FINDING_SCENE_ROOT, root, NULL,
                        listed[index] ? "node %u is listed twice"
                                      : "node %u has a parent, so it is no root",
                        index);
        }
        if (!listed[index]) {
            listed[index] = true;
            roots[scene->root_count++] = index;
        }
    }
    scene->roots = roots;
    if (has_parents) {
        const bool *below = nodes_below(r, listed);
        uint32_t kept = 0;
        for (uint32_t i = 0; below && i < scene->root_count; i++) {
            roots[kept] = roots[i];
            kept += !below[roots[i]];
        }
        scene->root_count = kept;
        return below != NULL;
    }
    return true;
}

static bool read_scenes(sinewi_reader *r) {
    uint32_t array, i = 0;
    sinew_model *model = r->model;
    if (!sinewi_list(r, r->root, "scenes", &array, &model->scene_count)) {
        return false;
    }
    sinew_scene *scenes = sinewi_keep(r, model->scene_count, sizeof *scenes);
    if (!scenes) {
        return false;
    }
    model->scenes = scenes;
    SINEWI_EACH(r, array, token) {
        read_scene(r, token, &scenes[i++]);
    }
    if (!sinewi_get_index(r, r->root, "scene", model->scene_count, &model->default_scene)) {
        return false;
    }
    if (model->default_scene == SINEW_NONE && model->scene_count > 0) {
        model->default_scene = 0;
    }
    return true;
}

bool sinewi_read_nodes(sinewi_reader *r) {
    uint32_t array, skins, skin_count, i = 0;
    sinew_model *model = r->model;
    if (!read_cameras(r) || !sinewi_list(r, r->root, "nodes", &array, &model->node_count) ||
        !sinewi_list(r, r->root, "skins", &skins, &skin_count)) {
        return false;
    }
    if (model->node_count > r->limits.nodes) {
        uint32_t count = model->node_count;
        model->node_count = 0;
        return sinewi_refuse_limit(r, array, NULL, "nodes", count, r->limits.nodes);
    }
    sinew_node *nodes = sinewi_keep(r, model->node_count, sizeof *nodes);
    r->own_weights = sinewi_scratch(r, model->node_count, sizeof *r->own_weights);
    if (!nodes || !r->own_weights) {
        return false;
    }
    model->nodes = nodes;
    for (uint32_t n = 0; n < model->node_count; n++) {
        nodes[n].name = "";
        nodes[n].parent = nodes[n].next_sibling = SINEW_NONE;
        nodes[n].mesh = nodes[n].skin = nodes[n].camera = SINEW_NONE;
    }
    bool sound = true;
    SINEWI_EACH(r, array, token) {
        sound = read_node(r, token, i, nodes, skin_count) && sound;
        i++;
    }
    return sound && order_nodes(r) && read_scenes(r);
}
