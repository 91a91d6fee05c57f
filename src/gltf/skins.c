/* Skins (glTF 3.7.3), and what ties nodes to meshes and skins. */
#include "base/math.h"
#include "gltf/reader.h"

#include <math.h>
#include <string.h>

static bool read_joints(sinewi_reader *r, uint32_t token, uint32_t s, sinew_skin *skin,
                        uint32_t *joint_of) {
    uint32_t array = sinewi_member(r, token, "joints");
    uint32_t count = sinewi_json_size(&r->json, array);
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY || count == 0) {
        return sinewi_refuse(r, SINEW_FINDING_SKIN_JOINTS, token, "joints",
                             "the skin has no array of joints");
    }
    if (count > r->limits.joints) {
        return sinewi_refuse_limit(r, array, NULL, "joints", count, r->limits.joints);
    }
    uint32_t *joints = sinewi_keep(r, count, sizeof *joints);
    if (!joints) {
        return false;
    }
    skin->joints = joints;
    SINEWI_EACH(r, array, joint) {
        uint32_t node;
        if (!sinewi_index_of(r, joint, r->model->node_count, &node)) {
            return false;
        }
        if (joint_of[node] == s + 1) {
            return sinewi_refuse(r, SINEW_FINDING_SKIN_JOINTS, joint, NULL,
                                 "node %u stands twice among the joints", node);
        }
        joint_of[node] = s + 1;
        joints[skin->joint_count++] = node;
    }
    return true;
}

/* A translation in the last row and none in the last column: written row by row. */
static bool looks_transposed(const float m[16]) {
    bool row = m[3] != 0.0f || m[7] != 0.0f || m[11] != 0.0f;
    return row && m[15] == 1.0f && m[12] == 0.0f && m[13] == 0.0f && m[14] == 0.0f;
}

/* 0 0 0 1 but for the rounding of an exporter. */
static bool is_nearly_affine(const float m[16]) {
    const float rounding = 1e-5f;
    return fabsf(m[3]) <= rounding && fabsf(m[7]) <= rounding && fabsf(m[11]) <= rounding &&
           fabsf(m[15] - 1.0f) <= rounding;
}

static bool mend_last_rows(sinewi_reader *r, sinew_skin *skin) {
    float *mended = sinewi_keep(r, skin->joint_count, 16 * sizeof *mended);
    if (!mended) {
        return false;
    }
    memcpy(mended, skin->inverse_binds, (size_t)skin->joint_count * 16 * sizeof *mended);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        float *row = mended + 16 * (size_t)j;
        row[3] = row[7] = row[11] = 0.0f;
        row[15] = 1.0f;
    }
    skin->inverse_binds = mended;
    return true;
}

/* The last row is 0 0 0 1 or made so, in a copy. */
static bool check_last_rows(sinewi_reader *r, const sinewi_accessor *a, sinew_skin *skin) {
    uint64_t count = 0;
    uint32_t first = 0;
    bool rounded = false;
    for (uint32_t j = skin->joint_count; j-- > 0;) {
        const float *m = skin->inverse_binds + 16 * (size_t)j;
        rounded = rounded || !sinewi_mat4_is_affine(m);
        if (!is_nearly_affine(m)) {
            first = j;
            count++;
        }
    }
    if (count == 0) {
        return !rounded || mend_last_rows(r, skin);
    }
    const float *m = skin->inverse_binds + 16 * (size_t)first;
    sinew_finding *finding = sinewi_note(
        r, SINEW_FINDING_INVERSE_BIND_LAST_ROW, a->token, NULL,
        "the last row of the inverse bind matrix of joint %u (%s) is %g %g %g %g, not 0 0 0 1%s",
        first, r->model->nodes[skin->joints[first]].name, (double)m[3], (double)m[7], (double)m[11],
        (double)m[15], looks_transposed(m) ? "; it looks transposed" : "");
    sinewi_count(finding, count, &(uint64_t){first}, 1);
    return mend_last_rows(r, skin);
}

static bool read_inverse_binds(sinewi_reader *r, uint32_t token, sinew_skin *skin) {
    uint32_t accessor, at = sinewi_member(r, token, "inverseBindMatrices");
    if (!sinewi_get_index(r, token, "inverseBindMatrices", r->accessor_count, &accessor)) {
        return false;
    }
    if (accessor == SINEW_NONE) {
        return true;
    }
    const sinewi_accessor *a = &r->accessors[accessor];
    if (a->count == 0) {
        return false; /* its fault has been said */
    }
    if (a->shape != SINEWI_MAT4 || a->component != SINEWI_GLTF_F32) {
        return sinewi_refuse(r, SINEW_FINDING_TYPE, at, NULL,
                             "MAT4 of floats expected, this is %s of %s",
                             sinewi_shape_word(a->shape), sinewi_component_word(a->component));
    }
    if (a->count < skin->joint_count) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, at, NULL,
                             "%u inverse bind matrices for %u joints", a->count, skin->joint_count);
    }
    skin->inverse_binds = sinewi_floats(r, accessor);
    return skin->inverse_binds && check_last_rows(r, a, skin);
}

bool sinewi_read_skins(sinewi_reader *r) {
    uint32_t array, i = 0;
    sinew_model *model = r->model;
    if (!sinewi_list(r, r->root, "skins", &array, &model->skin_count)) {
        return false;
    }
    sinew_skin *skins = sinewi_keep(r, model->skin_count, sizeof *skins);
    uint32_t *joint_of = sinewi_scratch(r, model->node_count, sizeof *joint_of);
    if (!skins || !joint_of) {
        return false;
    }
    model->skins = skins;
    SINEWI_EACH(r, array, token) {
        sinew_skin *skin = &skins[i];
        skin->name = sinewi_get_text(r, token, "name");
        if (read_joints(r, token, i, skin, joint_of)) {
            read_inverse_binds(r, token, skin);
        }
        sinewi_get_index(r, token, "skeleton", model->node_count, &skin->skeleton);
        i++;
    }
    return true;
}

/* ---- nodes to meshes ---- */

/* The different joint counts of the skins that each mesh is used with. */
typedef struct skin_use {
    uint32_t *limits;
    uint32_t count;
} skin_use;

static uint32_t place_of(const skin_use *use, uint32_t limit) {
    uint32_t place = 0;
    while (place < use->count && use->limits[place] != limit) {
        place++;
    }
    return place;
}

/* A file may use a mesh with many skins; what it takes is bounded by the nodes that do. */
static bool add_limit(sinewi_reader *r, skin_use *use, uint32_t limit) {
    if (place_of(use, limit) < use->count) {
        return true;
    }
    if ((use->count & (use->count - 1)) == 0) { /* full at every power of two */
        uint32_t room = use->count ? 2 * use->count : 1;
        uint32_t *limits = sinewi_scratch(r, room, sizeof *limits);
        if (!limits) {
            return false;
        }
        if (use->count) {
            memcpy(limits, use->limits, use->count * sizeof *limits);
        }
        use->limits = limits;
    }
    use->limits[use->count++] = limit;
    return true;
}

static bool collect_limits(sinewi_reader *r, skin_use *uses) {
    const sinew_model *model = r->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const sinew_node *node = &model->nodes[i];
        if (node->mesh != SINEW_NONE && node->skin != SINEW_NONE &&
            !add_limit(r, &uses[node->mesh], model->skins[node->skin].joint_count)) {
            return false;
        }
    }
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        /* Joints that no skin gives a meaning are kept for a host that does. */
        if (uses[m].count == 0 && !add_limit(r, &uses[m], UINT16_MAX + 1)) {
            return false;
        }
    }
    return true;
}

static bool make_mesh_influences(sinewi_reader *r, uint32_t m, const skin_use *use) {
    const sinew_mesh *mesh = &r->model->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        const sinewi_influence_source *source = &r->influence_sources[m][p];
        sinew_primitive *primitive = (sinew_primitive *)&mesh->primitives[p];
        if (source->set_count == 0) {
            continue;
        }
        const sinew_influences *made =
            sinewi_make_influences(r, source, primitive->vertex_count, use->limits, use->count);
        if (!made) {
            return false;
        }
        primitive->influences = made;
        primitive->influences_count = use->count;
    }
    return true;
}

/* A skin on a node whose mesh has no joints: glTF forbids it; the mesh stays rigid.
 * rigid_primitive: the first primitive without joints of each mesh, or SINEW_NONE. */
static void check_skinned_mesh(sinewi_reader *r, uint32_t token, const sinew_node *node,
                               const uint32_t *rigid_primitive) {
    if (rigid_primitive[node->mesh] != SINEW_NONE) {
        sinewi_note(r, SINEW_FINDING_ATTRIBUTES, token, "skin",
                    "the node has a skin, primitive %u of its mesh %u has no JOINTS_0 and "
                    "WEIGHTS_0",
                    rigid_primitive[node->mesh], node->mesh);
    }
}

static uint32_t find_rigid_primitive(const sinew_mesh *mesh) {
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        if (mesh->primitives[p].vertex_count > 0 && mesh->primitives[p].influences_count == 0) {
            return p;
        }
    }
    return SINEW_NONE;
}

/* Every mesh with targets gets weights, so that nodes without their own can share them. */
static bool fill_mesh_weights(sinewi_reader *r) {
    for (uint32_t m = 0; m < r->model->mesh_count; m++) {
        sinew_mesh *mesh = (sinew_mesh *)&r->model->meshes[m];
        if (mesh->target_count > 0 && !mesh->weights) {
            mesh->weights = sinewi_keep(r, mesh->target_count, sizeof *mesh->weights);
            if (!mesh->weights) {
                return false;
            }
        }
    }
    return true;
}

/* A pose holds the weights of all nodes, and its memory is the model's demand. */
static bool link_weights(sinewi_reader *r, uint32_t token, sinew_node *node) {
    const sinew_mesh *mesh = &r->model->meshes[node->mesh];
    uint64_t total = (uint64_t)r->model->weight_count + mesh->target_count;
    if (total > r->limits.vertices || total * sizeof(float) > r->budget.limit) {
        return sinewi_refuse_limit(r, token, "mesh", "morph weights of all nodes", total,
                                   r->limits.vertices);
    }
    node->first_weight = r->model->weight_count;
    node->weight_count = mesh->target_count;
    r->model->weight_count = (uint32_t)total;
    if (!node->local_rest_weights) {
        node->local_rest_weights = mesh->weights;
    }
    return true;
}

bool sinewi_link_nodes(sinewi_reader *r) {
    sinew_model *model = r->model;
    skin_use *uses = sinewi_scratch(r, model->mesh_count, sizeof *uses);
    uint32_t *rigid = sinewi_scratch(r, model->mesh_count, sizeof *rigid);
    if (!uses || !rigid || !collect_limits(r, uses) || !fill_mesh_weights(r) ||
        !sinewi_group_influences(r)) {
        return false;
    }
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        if (!make_mesh_influences(r, m, &uses[m])) {
            return false;
        }
        rigid[m] = find_rigid_primitive(&model->meshes[m]);
    }
    uint32_t array = sinewi_member(r, r->root, "nodes"), i = 0;
    SINEWI_EACH(r, array, token) {
        sinew_node *node = (sinew_node *)&model->nodes[i++];
        if (node->mesh == SINEW_NONE) {
            continue;
        }
        if (node->skin != SINEW_NONE) {
            node->influences_index =
                place_of(&uses[node->mesh], model->skins[node->skin].joint_count);
            check_skinned_mesh(r, token, node, rigid);
        }
        if (!link_weights(r, token, node)) {
            return false;
        }
    }
    return true;
}
