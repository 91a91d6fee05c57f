/* glTF 3.11 for the targets of the core, KHR_animation_pointer for those of an extension. */
#include "gltf/channel_target.h"

#include <string.h>

static const char *const path_words[] = {"translation", "rotation", "scale", "weights"};

static uint32_t width_of(sinew_path path, uint32_t weights) {
    return path == SINEW_WEIGHTS ? weights : path == SINEW_ROTATION ? 4 : 3;
}

/* ---- of the core ---- */

static bool read_node_target(sinewi_reader *r, uint32_t token, uint32_t path,
                             sinewi_channel_target *target) {
    if (!sinewi_get_index(r, token, "node", r->model->node_count, &target->index) ||
        target->index == SINEW_NONE) {
        return false; /* glTF: a target without node is for extensions */
    }
    int found = -1;
    for (int i = 0; i < 4; i++) {
        if (path != SINEWI_JSON_NONE && sinewi_json_equals(&r->json, path, path_words[i])) {
            found = i;
        }
    }
    if (found < 0) {
        sinewi_note(r, SINEW_FINDING_CHANNEL, token, "path",
                    "the path is none of translation, rotation, scale, weights");
        return false;
    }
    const sinew_node *node = &r->model->nodes[target->index];
    target->rank = SINEWI_NODE_PROPERTY;
    target->path = (sinew_path)found;
    target->width = width_of(target->path, node->weight_count);
    if (target->width == 0) {
        sinewi_note(r, SINEW_FINDING_CHANNEL, token, NULL,
                    "node %u (%s) has no morph targets whose weights could be animated",
                    target->index, node->name);
        return false;
    }
    if (target->path != SINEW_WEIGHTS && node->has_matrix) {
        sinewi_note(r, SINEW_FINDING_CHANNEL, token, NULL,
                    "node %u (%s) has a matrix, which cannot be animated", target->index,
                    node->name);
        return false;
    }
    return true;
}

/* ---- of KHR_animation_pointer ---- */

/* Takes "/word" off the front. */
static bool take_word(const char **at, const char *word) {
    size_t length = strlen(word);
    if ((*at)[0] != '/' || strncmp(*at + 1, word, length) != 0 ||
        ((*at)[length + 1] != '/' && (*at)[length + 1] != '\0')) {
        return false;
    }
    *at += length + 1;
    return true;
}

/* Takes "/number" off the front; JSON pointers have no leading zeros. */
static bool take_number(const char **at, uint32_t *number) {
    const char *digit = *at + 1;
    uint64_t value = 0;
    if ((*at)[0] != '/' || *digit < '0' || *digit > '9' || (*digit == '0' && digit[1] >= '0')) {
        return false;
    }
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(*digit - '0');
    }
    *at = digit;
    *number = value < SINEW_NONE ? (uint32_t)value : SINEW_NONE - 1;
    return *digit == '/' || *digit == '\0';
}

/* /nodes/N/PATH, /nodes/N/weights/K, /meshes/M/weights, /meshes/M/weights/K; *element is
 * SINEW_NONE without K. false: it points to something that has no part in a pose. */
static bool parse_pointer(const char *text, bool *of_mesh, uint32_t *index, sinew_path *path,
                          uint32_t *element) {
    *of_mesh = take_word(&text, "meshes");
    if ((!*of_mesh && !take_word(&text, "nodes")) || !take_number(&text, index)) {
        return false;
    }
    int found = -1;
    for (int i = *of_mesh ? SINEW_WEIGHTS : 0; i < 4 && found < 0; i++) {
        found = take_word(&text, path_words[i]) ? i : -1;
    }
    *element = SINEW_NONE;
    if (found == SINEW_WEIGHTS && *text) {
        if (!take_number(&text, element)) {
            return false;
        }
    }
    *path = found < 0 ? SINEW_WEIGHTS : (sinew_path)found;
    return found >= 0 && *text == '\0';
}

/* Whether the file has what a pointer names; *weights is how many morph weights it has. */
static bool exists(const sinew_model *model, bool of_mesh, uint32_t index, sinew_path path,
                   uint32_t *weights) {
    if (index >= (of_mesh ? model->mesh_count : model->node_count)) {
        return false;
    }
    if (of_mesh) {
        *weights = model->meshes[index].target_count;
        return true;
    }
    *weights = model->nodes[index].weight_count;
    return path == SINEW_TRANSLATION || path == SINEW_WEIGHTS || !model->nodes[index].has_matrix;
}

static bool read_pointer_target(sinewi_reader *r, uint32_t token, sinewi_channel_target *target) {
    uint32_t extension =
        sinewi_member(r, sinewi_member(r, token, "extensions"), "KHR_animation_pointer");
    const char *text = sinewi_get_text(r, extension, "pointer");
    bool of_mesh;
    uint32_t element, weights = 0;
    if (!parse_pointer(text, &of_mesh, &target->index, &target->path, &element)) {
        return false; /* a light, a material: nothing that moves a vertex */
    }
    bool there = exists(r->model, of_mesh, target->index, target->path, &weights) &&
                 (target->path != SINEW_WEIGHTS || (element == SINEW_NONE ? 0 : element) < weights);
    if (!there) {
        sinewi_note(r, SINEW_FINDING_CHANNEL, extension, "pointer",
                    "%s does not exist or cannot be animated", text);
        return false;
    }
    bool one = element != SINEW_NONE;
    target->rank = of_mesh ? (one ? SINEWI_MESH_WEIGHT : SINEWI_MESH_WEIGHTS)
                           : (one ? SINEWI_NODE_WEIGHT : SINEWI_NODE_PROPERTY);
    target->first = one ? element : 0;
    target->width = width_of(target->path, one ? 1 : weights);
    return true;
}

bool sinewi_read_channel_target(sinewi_reader *r, uint32_t token, sinewi_channel_target *target) {
    uint32_t path = sinewi_member(r, token, "path");
    memset(target, 0, sizeof *target);
    if (path != SINEWI_JSON_NONE && sinewi_json_equals(&r->json, path, "pointer")) {
        return read_pointer_target(r, token, target);
    }
    return read_node_target(r, token, path, target);
}
