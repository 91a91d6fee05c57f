/* Meshes: attributes, indices, morph targets (glTF 3.7.2, KHR_mesh_quantization). */
#include "gltf/reader.h"

#include <stdio.h>
#include <string.h>

/* Kinds of components that an attribute may have, as a set. */
enum {
    FLOATS = 1,
    NORMALISED_UNSIGNED = 2, /* 8 and 16 bits */
    NORMALISED_SIGNED = 4,
    PLAIN_SMALL = 8 /* 8 and 16 bits, signed and unsigned, not normalised */
};

static int kind_of(const sinewi_accessor *a) {
    switch (a->component) {
    case SINEWI_GLTF_F32: return FLOATS;
    case SINEWI_GLTF_U8:
    case SINEWI_GLTF_U16: return a->normalized ? NORMALISED_UNSIGNED : PLAIN_SMALL;
    case SINEWI_GLTF_I8:
    case SINEWI_GLTF_I16: return a->normalized ? NORMALISED_SIGNED : PLAIN_SMALL;
    default: return 0;
    }
}

static bool refuse_type(sinewi_reader *r, uint32_t token, const char *wanted,
                        const sinewi_accessor *a) {
    return sinewi_refuse(r, SINEW_FINDING_TYPE, token, NULL, "%s expected, this is %s of %s%s",
                         wanted, sinewi_shape_word(a->shape), a->normalized ? "normalised " : "",
                         sinewi_component_word(a->component));
}

/* The index of an accessor at a token, with its type and count checked. */
static bool get_attribute(sinewi_reader *r, uint32_t token, sinewi_shape shape, int kinds,
                          const char *wanted, uint32_t count, uint32_t *accessor) {
    if (!sinewi_index_of(r, token, r->accessor_count, accessor)) {
        return false;
    }
    const sinewi_accessor *a = &r->accessors[*accessor];
    if (a->count == 0) {
        return false; /* its fault has been said */
    }
    if (a->shape != shape || !(kind_of(a) & kinds)) {
        return refuse_type(r, token, wanted, a);
    }
    if (a->count != count) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, token, NULL,
                             "%u elements, the mesh has %u vertices", a->count, count);
    }
    return true;
}

static bool get_floats(sinewi_reader *r, uint32_t token, sinewi_shape shape, int kinds,
                       const char *wanted, uint32_t count, const float **out) {
    uint32_t accessor;
    if (!get_attribute(r, token, shape, kinds, wanted, count, &accessor)) {
        return false;
    }
    *out = sinewi_floats(r, accessor);
    return *out != NULL;
}

/* ---- the attributes of a vertex ---- */

static bool read_positions(sinewi_reader *r, uint32_t attributes, sinew_primitive *primitive) {
    uint32_t token = sinewi_member(r, attributes, "POSITION"), accessor;
    if (token == SINEWI_JSON_NONE) {
        return true; /* glTF allows it; there is nothing to draw */
    }
    if (!sinewi_index_of(r, token, r->accessor_count, &accessor)) {
        return false;
    }
    uint32_t count = r->accessors[accessor].count;
    int kinds =
        r->quantised ? FLOATS | NORMALISED_UNSIGNED | NORMALISED_SIGNED | PLAIN_SMALL : FLOATS;
    r->vertices += count;
    if (r->vertices > r->limits.vertices) {
        return sinewi_refuse_limit(r, token, NULL, "vertices", r->vertices, r->limits.vertices);
    }
    primitive->vertex_count = count;
    return get_floats(r, token, SINEWI_VEC3, kinds, "VEC3 of floats", count, &primitive->positions);
}

static bool read_color(sinewi_reader *r, uint32_t token, sinew_primitive *primitive) {
    uint32_t accessor, count = primitive->vertex_count;
    if (!sinewi_index_of(r, token, r->accessor_count, &accessor)) {
        return false;
    }
    sinewi_shape shape = r->accessors[accessor].shape == SINEWI_VEC3 ? SINEWI_VEC3 : SINEWI_VEC4;
    const float *values;
    if (!get_floats(r, token, shape, FLOATS | NORMALISED_UNSIGNED,
                    "VEC3 or VEC4 of floats or normalised unsigned integers", count, &values)) {
        return false;
    }
    if (shape == SINEWI_VEC4) {
        primitive->colors = values;
        return true;
    }
    float *wide = sinewi_keep(r, count, 4 * sizeof *wide);
    for (uint32_t i = 0; wide && i < count; i++) {
        memcpy(wide + 4 * (size_t)i, values + 3 * (size_t)i, 3 * sizeof *wide);
        wide[4 * (size_t)i + 3] = 1.0f;
    }
    primitive->colors = wide;
    return wide != NULL;
}

/* The number behind a prefix: "JOINTS_12" gives 12. */
static bool numbered(const sinewi_reader *r, uint32_t key, const char *prefix, uint32_t *number) {
    size_t length, head = strlen(prefix);
    const char *text = sinewi_json_raw(&r->json, key, &length);
    if (length <= head || length > head + 6 || memcmp(text, prefix, head) != 0) {
        return false;
    }
    *number = 0;
    for (size_t i = head; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *number = *number * 10 + (uint32_t)(text[i] - '0');
    }
    return length == head + 1 || text[head] != '0';
}

static bool read_attribute(sinewi_reader *r, uint32_t key, sinew_primitive *primitive) {
    uint32_t token = key + 1, count = primitive->vertex_count, set;
    int quantised = r->quantised ? NORMALISED_SIGNED : 0;
    if (sinewi_json_equals(&r->json, key, "NORMAL")) {
        return get_floats(r, token, SINEWI_VEC3, FLOATS | quantised, "VEC3 of floats", count,
                          &primitive->normals);
    }
    if (sinewi_json_equals(&r->json, key, "TANGENT")) {
        return get_floats(r, token, SINEWI_VEC4, FLOATS | quantised, "VEC4 of floats", count,
                          &primitive->tangents);
    }
    if (sinewi_json_equals(&r->json, key, "COLOR_0")) {
        return read_color(r, token, primitive);
    }
    if (numbered(r, key, "TEXCOORD_", &set) && set < SINEW_MAX_TEXCOORDS) {
        int kinds = FLOATS | NORMALISED_UNSIGNED;
        kinds |= r->quantised ? NORMALISED_SIGNED | PLAIN_SMALL : 0;
        return get_floats(r, token, SINEWI_VEC2, kinds,
                          "VEC2 of floats or normalised unsigned integers", count,
                          &primitive->texcoords[set]);
    }
    return true;
}

/* ---- joints and weights: found here, made sound in influences.c ---- */

static bool read_influence_set(sinewi_reader *r, uint32_t key, bool joints, uint32_t count,
                               uint32_t *accessor) {
    return joints ? get_attribute(r, key + 1, SINEWI_VEC4, PLAIN_SMALL,
                                  "VEC4 of unsigned bytes or shorts", count, accessor)
                  : get_attribute(r, key + 1, SINEWI_VEC4, FLOATS | NORMALISED_UNSIGNED,
                                  "VEC4 of floats or normalised unsigned bytes or shorts", count,
                                  accessor);
}

static bool refuse_sets(sinewi_reader *r, uint32_t attributes, uint32_t joints, uint32_t weights) {
    return sinewi_refuse(r, SINEW_FINDING_ATTRIBUTES, attributes, NULL,
                         joints != weights
                             ? "%u sets of JOINTS_n and %u of WEIGHTS_n do not pair"
                             : "%u sets of JOINTS_n and %u of WEIGHTS_n are not numbered from 0 "
                               "on without a gap",
                         joints, weights);
}

static bool read_influences(sinewi_reader *r, uint32_t attributes, uint32_t count,
                            sinewi_influence_source *source) {
    uint32_t joints = 0, weights = 0, number;
    SINEWI_EACH(r, attributes, key) {
        joints += numbered(r, key, "JOINTS_", &number);
        weights += numbered(r, key, "WEIGHTS_", &number);
    }
    if (joints == 0 && weights == 0) {
        return true;
    }
    if (joints != weights) {
        return refuse_sets(r, attributes, joints, weights);
    }
    source->joints = sinewi_scratch(r, joints, sizeof *source->joints);
    source->weights = sinewi_scratch(r, joints, sizeof *source->weights);
    if (!source->joints || !source->weights) {
        return false;
    }
    memset(source->joints, 0xFF, joints * sizeof *source->joints);
    memset(source->weights, 0xFF, joints * sizeof *source->weights);
    SINEWI_EACH(r, attributes, key) {
        bool is_joints = numbered(r, key, "JOINTS_", &number);
        if (!is_joints && !numbered(r, key, "WEIGHTS_", &number)) {
            continue;
        }
        if (number >= joints) {
            return refuse_sets(r, attributes, joints, weights);
        }
        uint32_t *slot = is_joints ? &source->joints[number] : &source->weights[number];
        if (!read_influence_set(r, key, is_joints, count, slot)) {
            return false;
        }
        const sinewi_accessor *a = &r->accessors[*slot];
        if (is_joints && a->component != SINEWI_GLTF_U8 && a->component != SINEWI_GLTF_U16) {
            return refuse_type(r, key + 1, "VEC4 of unsigned bytes or shorts", a);
        }
    }
    for (uint32_t i = 0; i < joints; i++) { /* a key that stands twice leaves a gap */
        if (source->joints[i] == SINEW_NONE || source->weights[i] == SINEW_NONE) {
            return refuse_sets(r, attributes, joints, weights);
        }
    }
    source->set_count = joints;
    return true;
}

/* ---- indices ---- */

static bool read_topology(sinewi_reader *r, uint32_t token, sinew_primitive *primitive) {
    uint64_t mode = SINEW_TRIANGLES;
    if (!sinewi_get_whole(r, token, "mode", &mode)) {
        return false;
    }
    if (mode > SINEW_TRIANGLE_FAN) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "mode", "mode %llu, glTF has 0 to 6",
                             (unsigned long long)mode);
    }
    primitive->topology = (sinew_topology)mode;
    return true;
}

static bool check_indices(sinewi_reader *r, const sinewi_accessor *a, const uint32_t *indices,
                          uint32_t vertex_count) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        largest = indices[i] > largest ? indices[i] : largest;
    }
    if (largest < vertex_count) {
        return true;
    }
    uint64_t count = 0;
    uint32_t first = 0;
    for (uint32_t i = a->count; i-- > 0;) {
        if (indices[i] >= vertex_count) {
            first = i;
            count++;
        }
    }
    return sinewi_refuse(r, SINEW_FINDING_INDEX, a->token, NULL,
                         "%llu indices name vertices that do not exist: index number %u is %u, "
                         "the mesh has %u vertices",
                         (unsigned long long)count, first, indices[first], vertex_count);
}

static void note_incomplete(sinewi_reader *r, uint32_t token, const sinew_primitive *primitive,
                            uint32_t count, const char *what) {
    uint32_t each = primitive->topology == SINEW_TRIANGLES ? 3
                    : primitive->topology == SINEW_LINES   ? 2
                                                           : 1;
    if (count % each != 0) {
        sinewi_note(r, SINEW_FINDING_TRIANGLES, token, NULL, "%u %s are no multiple of %u", count,
                    what, each);
    }
}

static bool read_indices(sinewi_reader *r, uint32_t token, sinew_primitive *primitive) {
    uint32_t accessor, at = sinewi_member(r, token, "indices");
    if (!sinewi_get_index(r, token, "indices", r->accessor_count, &accessor)) {
        return false;
    }
    if (accessor == SINEW_NONE) {
        note_incomplete(r, token, primitive, primitive->vertex_count, "vertices");
        return true;
    }
    const sinewi_accessor *a = &r->accessors[accessor];
    if (a->count == 0) {
        return false; /* its fault has been said */
    }
    if (a->shape != SINEWI_SCALAR ||
        (a->component != SINEWI_GLTF_U8 && a->component != SINEWI_GLTF_U16 &&
         a->component != SINEWI_GLTF_U32)) {
        return refuse_type(r, at, "SCALAR of unsigned integers", a);
    }
    if (!a->data && a->count > r->limits.vertices) {
        return sinewi_refuse_limit(r, at, NULL, "indices without data", a->count,
                                   r->limits.vertices);
    }
    uint32_t *indices = sinewi_keep(r, a->count, sizeof *indices);
    if (!indices) {
        return false;
    }
    sinewi_unsigned_into(a, indices);
    primitive->indices = indices;
    primitive->index_count = a->count;
    note_incomplete(r, at, primitive, a->count, "indices");
    return check_indices(r, a, indices, primitive->vertex_count);
}

/* ---- morph targets ---- */

static bool read_target(sinewi_reader *r, uint32_t token, uint32_t count, sinew_target *target) {
    int quantised = r->quantised ? NORMALISED_SIGNED : 0;
    int positions = FLOATS | (r->quantised ? NORMALISED_SIGNED | PLAIN_SMALL : 0);
    SINEWI_EACH(r, token, key) {
        const float **out = sinewi_json_equals(&r->json, key, "POSITION")  ? &target->positions
                            : sinewi_json_equals(&r->json, key, "NORMAL")  ? &target->normals
                            : sinewi_json_equals(&r->json, key, "TANGENT") ? &target->tangents
                                                                           : NULL;
        int kinds = out == &target->positions ? positions : FLOATS | quantised;
        if (out && !get_floats(r, key + 1, SINEWI_VEC3, kinds, "VEC3 of floats", count, out)) {
            return false;
        }
    }
    return true;
}

static bool read_targets(sinewi_reader *r, uint32_t token, sinew_primitive *primitive) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, token, "targets", &array, &primitive->target_count)) {
        return false;
    }
    if (primitive->target_count == 0) {
        return true;
    }
    sinew_target *targets = sinewi_keep(r, primitive->target_count, sizeof *targets);
    if (!targets) {
        return false;
    }
    primitive->targets = targets;
    SINEWI_EACH(r, array, target) {
        if (!read_target(r, target, primitive->vertex_count, &targets[i++])) {
            return false;
        }
    }
    return true;
}

/* ---- primitives and meshes ---- */

static bool read_primitive(sinewi_reader *r, uint32_t token, sinew_primitive *primitive,
                           sinewi_influence_source *source) {
    uint32_t attributes = sinewi_member(r, token, "attributes");
    if (sinewi_json_kind_of(&r->json, attributes) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "attributes",
                             "the primitive has no attributes object");
    }
    if (!sinewi_unpack_primitive(r, token)) {
        return false;
    }
    if (!sinewi_get_index(r, token, "material", r->model->material_count, &primitive->material) ||
        !read_topology(r, token, primitive) || !read_positions(r, attributes, primitive)) {
        return false;
    }
    if (primitive->vertex_count == 0) {
        primitive->target_count = sinewi_json_size(&r->json, sinewi_member(r, token, "targets"));
        primitive->targets = sinewi_keep(r, primitive->target_count, sizeof *primitive->targets);
        return primitive->targets != NULL;
    }
    SINEWI_EACH(r, attributes, key) {
        if (!read_attribute(r, key, primitive)) {
            return false;
        }
    }
    return read_influences(r, attributes, primitive->vertex_count, source) &&
           read_indices(r, token, primitive) && read_targets(r, token, primitive);
}

static bool read_target_names(sinewi_reader *r, uint32_t token, sinew_mesh *mesh) {
    uint32_t names = sinewi_member(r, sinewi_member(r, token, "extras"), "targetNames");
    if (sinewi_json_kind_of(&r->json, names) != SINEWI_JSON_ARRAY || mesh->target_count == 0 ||
        sinewi_json_size(&r->json, names) != mesh->target_count) {
        return true; /* extras may be anything */
    }
    const char **list = sinewi_keep(r, mesh->target_count, sizeof *list);
    uint32_t i = 0;
    if (!list) {
        return false;
    }
    SINEWI_EACH(r, names, name) {
        bool is_text = sinewi_json_kind_of(&r->json, name) == SINEWI_JSON_STRING;
        list[i] = is_text ? sinewi_json_string(&r->json, name, r->arena, NULL) : "";
        if (!list[i++]) {
            return sinewi_refuse_memory(r);
        }
    }
    mesh->target_names = list;
    return true;
}

static bool read_mesh_weights(sinewi_reader *r, uint32_t token, sinew_mesh *mesh) {
    uint32_t array = sinewi_member(r, token, "weights");
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    uint32_t size = sinewi_json_size(&r->json, array);
    if (sinewi_json_kind_of(&r->json, array) == SINEWI_JSON_ARRAY && size != mesh->target_count) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, array, NULL,
                             "%u weights, the mesh has %u morph targets", size, mesh->target_count);
    }
    float *weights = sinewi_keep(r, mesh->target_count, sizeof *weights);
    bool there;
    mesh->weights = weights;
    return weights && sinewi_get_floats(r, token, "weights", mesh->target_count, weights, &there);
}

static bool read_mesh(sinewi_reader *r, uint32_t token, uint32_t m, sinew_mesh *mesh) {
    uint32_t array, i = 0;
    mesh->name = sinewi_get_text(r, token, "name");
    if (!sinewi_list(r, token, "primitives", &array, &mesh->primitive_count)) {
        return false;
    }
    if (mesh->primitive_count == 0) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "primitives",
                             "the mesh has no primitives");
    }
    sinew_primitive *primitives = sinewi_keep(r, mesh->primitive_count, sizeof *primitives);
    r->influence_sources[m] =
        sinewi_scratch(r, mesh->primitive_count, sizeof **r->influence_sources);
    if (!primitives || !r->influence_sources[m]) {
        return false;
    }
    mesh->primitives = primitives;
    SINEWI_EACH(r, array, primitive) {
        read_primitive(r, primitive, &primitives[i], &r->influence_sources[m][i]);
        if (i > 0 && primitives[i].target_count != primitives[0].target_count) {
            sinewi_refuse(r, SINEW_FINDING_COUNT, primitive, "targets",
                          "%u morph targets, the first primitive of the mesh has %u",
                          primitives[i].target_count, primitives[0].target_count);
        }
        i++;
    }
    mesh->target_count = primitives[0].target_count;
    return read_mesh_weights(r, token, mesh) && read_target_names(r, token, mesh);
}

bool sinewi_read_meshes(sinewi_reader *r) {
    uint32_t array, i = 0;
    sinew_model *model = r->model;
    if (!sinewi_list(r, r->root, "meshes", &array, &model->mesh_count)) {
        return false;
    }
    sinew_mesh *meshes = sinewi_keep(r, model->mesh_count, sizeof *meshes);
    r->influence_sources = sinewi_scratch(r, model->mesh_count, sizeof *r->influence_sources);
    if (!meshes || !r->influence_sources) {
        return false;
    }
    model->meshes = meshes;
    SINEWI_EACH(r, array, token) {
        read_mesh(r, token, i, &meshes[i]);
        i++;
    }
    return true;
}
