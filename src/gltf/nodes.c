/* Nodes, their hierarchy, scenes and cameras (glTF 3.5, 3.10). Nothing recurses: the
 * order of the nodes is found by walking level after level. */
#include "base/math.h"
#include "gltf/reader.h"

#include <math.h>
#include <stdlib.h>
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
        sinewi_mat4_to_trs(m, rest->rotation, rest->scale);
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
    if (r->broken && targets == 0) {
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

/* The lowest node of a circle, so that the answer does not hang on where it was found:
 * above a node that no root reaches there is one. */
static uint32_t lowest_in_circle(const sinew_model *model, const bool *seen) {
    uint32_t at = 0;
    while (seen[at]) {
        at++;
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        at = model->nodes[at].parent;
    }
    uint32_t lowest = at;
    for (uint32_t step = model->nodes[at].parent; step != at; step = model->nodes[step].parent) {
        lowest = step < lowest ? step : lowest;
    }
    return lowest;
}

static bool refuse_circle(sinewi_reader *r, const bool *seen) {
    const sinew_node *nodes = r->model->nodes;
    uint32_t first = lowest_in_circle(r->model, seen);
    uint32_t next = first; /* its child that leads back to it */
    while (nodes[next].parent != first) {
        next = nodes[next].parent;
    }
    uint32_t place = 0;
    while (nodes[first].children[place] != next) {
        place++;
    }
    uint32_t token = sinewi_json_element(&r->json, sinewi_member(r, r->root, "nodes"), first);
    uint32_t child = sinewi_json_element(&r->json, sinewi_member(r, token, "children"), place);
    return sinewi_refuse(r, SINEW_FINDING_HIERARCHY, child, NULL,
                         "node %u is below itself: its children lead back to it", first);
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
    return count == model->node_count || refuse_circle(r, seen);
}

/* ---- scenes ---- */

/* What is needed to judge the roots of scenes, made once for all of them. */
typedef struct scene_marks {
    uint32_t *listed; /* entry n is s + 1 where node n is a root of scene s */
    uint32_t *enter;  /* places in depth-first order: node n and all below it are */
    uint32_t *leave;  /* enter[n] to leave[n] - 1; made when a scene needs it */
    bool numbered;
} scene_marks;

static void number_nodes(const sinew_model *model, scene_marks *marks) {
    uint32_t count = 0;
    for (uint32_t root = 0; root < model->node_count; root++) {
        uint32_t at = model->nodes[root].parent == SINEW_NONE ? root : SINEW_NONE;
        while (at != SINEW_NONE) {
            marks->enter[at] = count++;
            if (model->nodes[at].child_count > 0) {
                at = model->nodes[at].children[0];
                continue;
            }
            marks->leave[at] = count;
            while (at != root && model->nodes[at].next_sibling == SINEW_NONE) {
                at = model->nodes[at].parent;
                marks->leave[at] = count;
            }
            at = at == root ? SINEW_NONE : model->nodes[at].next_sibling;
        }
    }
    marks->numbered = true;
}

typedef struct root_span {
    uint32_t enter, leave, place;
} root_span;

static int compare_spans(const void *a, const void *b) {
    const root_span *x = a, *y = b;
    return (x->enter > y->enter) - (x->enter < y->enter);
}

/* Leaves out the roots that are below another one: they are drawn with that one already. */
static bool drop_inner_roots(sinewi_reader *r, scene_marks *marks, uint32_t *roots,
                             uint32_t *count) {
    root_span *spans = sinewi_scratch(r, *count, sizeof *spans);
    if (!spans) {
        return false;
    }
    if (!marks->numbered) {
        number_nodes(r->model, marks);
    }
    for (uint32_t i = 0; i < *count; i++) {
        spans[i] = (root_span){marks->enter[roots[i]], marks->leave[roots[i]], i};
    }
    qsort(spans, *count, sizeof *spans, compare_spans);
    uint32_t outer = 0; /* where the last outermost root ends */
    for (uint32_t i = 0; i < *count; i++) {
        if (spans[i].enter < outer) {
            roots[spans[i].place] = SINEW_NONE;
        } else {
            outer = spans[i].leave;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        roots[kept] = roots[i];
        kept += roots[i] != SINEW_NONE;
    }
    *count = kept;
    return true;
}

static bool read_scene(sinewi_reader *r, uint32_t token, uint32_t mark, scene_marks *marks,
                       sinew_scene *scene) {
    const sinew_model *model = r->model;
    scene->name = sinewi_get_text(r, token, "name");
    uint32_t array = sinewi_member(r, token, "nodes");
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, array, NULL, "nodes is not an array");
    }
    uint32_t *roots = sinewi_keep(r, sinewi_json_size(&r->json, array), sizeof *roots);
    bool has_parents = false;
    if (!roots) {
        return false;
    }
    SINEWI_EACH(r, array, root) {
        uint32_t index;
        if (!sinewi_index_of(r, root, model->node_count, &index)) {
            return false;
        }
        bool again = marks->listed[index] == mark, inner = model->nodes[index].parent != SINEW_NONE;
        if (again || inner) {
            sinewi_note(r, SINEW_FINDING_SCENE_ROOT, root, NULL,
                        again ? "node %u is listed twice"
                              : "node %u has a parent, so it is no root",
                        index);
        }
        has_parents = has_parents || inner;
        if (!again) {
            marks->listed[index] = mark;
            roots[scene->root_count++] = index;
        }
    }
    scene->roots = roots;
    return !has_parents || drop_inner_roots(r, marks, roots, &scene->root_count);
}

static bool read_scenes(sinewi_reader *r) {
    uint32_t array, i = 0;
    sinew_model *model = r->model;
    if (!sinewi_list(r, r->root, "scenes", &array, &model->scene_count)) {
        return false;
    }
    sinew_scene *scenes = sinewi_keep(r, model->scene_count, sizeof *scenes);
    scene_marks marks = {sinewi_scratch(r, model->node_count, sizeof *marks.listed),
                         sinewi_scratch(r, model->node_count, sizeof *marks.enter),
                         sinewi_scratch(r, model->node_count, sizeof *marks.leave), false};
    if (!scenes || !marks.listed || !marks.enter || !marks.leave) {
        return false;
    }
    model->scenes = scenes;
    SINEWI_EACH(r, array, token) {
        read_scene(r, token, i + 1, &marks, &scenes[i]);
        i++;
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
