/* KHR_draco_mesh_compression: primitives whose attributes and indices stand packed in a
 * buffer view. Their accessors say type and count and have no data; here they get it, so
 * that all that follows sees plain accessors. */
#include "gltf/reader.h"

#include <string.h>

static bool refuse_packed(sinewi_reader *r, uint32_t token, sinew_result result,
                          const sinew_error *why) {
    if (result == SINEW_ERROR_MEMORY) {
        return sinewi_refuse_memory(r);
    }
    return sinewi_refuse(
        r,
        result == SINEW_ERROR_UNSUPPORTED ? SINEW_FINDING_CODEC_UNSUPPORTED : SINEW_FINDING_CODEC,
        token, NULL, "%s", why->message[0] ? why->message : "the packed mesh is damaged");
}

/* Gives an accessor data that was decoded into the model's memory. */
static void *give_data(sinewi_reader *r, sinewi_accessor *a, sinewi_component component) {
    uint32_t bytes = sinewi_component_size(component) * sinewi_width(a->shape);
    void *out = sinewi_keep(r, a->count, bytes);
    a->component = component;
    a->data = out;
    a->stride = bytes;
    a->stays = true;
    return out;
}

/* The accessor at a token of the primitive that waits for packed data; NULL: it has some
 * of its own, or its fault has been said. */
static sinewi_accessor *waiting(sinewi_reader *r, uint32_t token) {
    uint32_t index;
    if (!sinewi_index_of(r, token, r->accessor_count, &index)) {
        return NULL;
    }
    sinewi_accessor *a = &r->accessors[index];
    return a->count > 0 && !a->data && !a->floats ? a : NULL;
}

static bool unpack_attribute(sinewi_reader *r, uint32_t key, uint32_t id_token,
                             const sinew_packed_mesh *mesh) {
    const sinew_decoders *decoders = &r->options->decoders;
    sinewi_accessor *a = waiting(r, key + 1);
    uint64_t id;
    bool huge;
    if (!a) {
        return !r->broken;
    }
    if (!sinewi_json_whole(&r->json, id_token, &id, &huge) || id > UINT32_MAX) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, id_token, NULL,
                             "the id of a packed attribute is a whole number");
    }
    if (a->count != mesh->vertex_count) { /* the packed mesh is what there is to draw */
        sinewi_note(r, SINEW_FINDING_COUNT, key + 1, NULL,
                    "%u elements, the packed mesh has %u vertices", a->count, mesh->vertex_count);
        a->count = mesh->vertex_count;
    }
    sinew_packed_attribute wish = {(uint32_t)id, (uint32_t)a->component, sinewi_width(a->shape)};
    void *out = give_data(r, a, a->component);
    sinew_error why = {SINEW_OK, "", ""};
    if (!out) {
        return false;
    }
    sinew_result result = decoders->read_attribute(decoders->user, mesh, &wish, out, &why);
    return result == SINEW_OK || refuse_packed(r, id_token, result, &why);
}

static bool unpack_indices(sinewi_reader *r, uint32_t primitive, uint32_t extension,
                           const sinew_packed_mesh *mesh) {
    const sinew_decoders *decoders = &r->options->decoders;
    uint32_t token = sinewi_member(r, primitive, "indices");
    sinewi_accessor *a = token == SINEWI_JSON_NONE ? NULL : waiting(r, token);
    if (!a) {
        return !r->broken;
    }
    if (a->count != mesh->index_count || a->shape != SINEWI_SCALAR) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, token, NULL,
                             "%u indices, the packed mesh has %u", a->count, mesh->index_count);
    }
    uint32_t *out = give_data(r, a, SINEWI_GLTF_U32);
    sinew_error why = {SINEW_OK, "", ""};
    if (!out) {
        return false;
    }
    sinew_result result = decoders->read_indices(decoders->user, mesh, out, &why);
    return result == SINEW_OK || refuse_packed(r, extension, result, &why);
}

static bool unpack_parts(sinewi_reader *r, uint32_t primitive, uint32_t extension,
                         const sinew_packed_mesh *mesh) {
    uint32_t ids = sinewi_member(r, extension, "attributes");
    uint32_t attributes = sinewi_member(r, primitive, "attributes");
    SINEWI_EACH(r, ids, id) {
        size_t length;
        const char *name = sinewi_json_raw(&r->json, id, &length);
        SINEWI_EACH(r, attributes, key) {
            size_t other;
            const char *text = sinewi_json_raw(&r->json, key, &other);
            if (other == length && memcmp(text, name, length) == 0 &&
                !unpack_attribute(r, key, id + 1, mesh)) {
                return false;
            }
        }
    }
    return unpack_indices(r, primitive, extension, mesh);
}

/* Whether the file has the same data plainly: then nothing has to be decoded. */
static bool has_plain_data(const sinewi_reader *r, uint32_t primitive) {
    uint32_t token = sinewi_member(r, sinewi_member(r, primitive, "attributes"), "POSITION");
    uint64_t index;
    bool huge;
    return token != SINEWI_JSON_NONE && sinewi_json_whole(&r->json, token, &index, &huge) &&
           index < r->accessor_count && r->accessors[index].data;
}

/* How many elements the accessor has that a member names; 0 where there is none. */
static uint32_t count_at(const sinewi_reader *r, uint32_t object, const char *key) {
    uint32_t token = sinewi_member(r, object, key);
    uint64_t index;
    bool huge;
    return token != SINEWI_JSON_NONE && sinewi_json_whole(&r->json, token, &index, &huge) &&
                   index < r->accessor_count
               ? r->accessors[index].count
               : 0;
}

static bool waits(const sinewi_reader *r, uint32_t token) {
    uint64_t index;
    bool huge;
    if (!sinewi_json_whole(&r->json, token, &index, &huge) || index >= r->accessor_count) {
        return false;
    }
    const sinewi_accessor *a = &r->accessors[index];
    return a->count > 0 && !a->data && !a->floats;
}

/* Whether a part of the primitive waits for its packed mesh. Primitives may share both, and
 * opening one takes time. */
static bool any_waits(const sinewi_reader *r, uint32_t primitive, uint32_t extension) {
    uint32_t ids = sinewi_member(r, extension, "attributes");
    uint32_t attributes = sinewi_member(r, primitive, "attributes");
    SINEWI_EACH(r, attributes, key) {
        size_t length;
        const char *name = sinewi_json_raw(&r->json, key, &length);
        if (waits(r, key + 1) &&
            sinewi_json_find(&r->json, ids, name, length) != SINEWI_JSON_NONE) {
            return true;
        }
    }
    uint32_t indices = sinewi_member(r, primitive, "indices");
    return indices != SINEWI_JSON_NONE && waits(r, indices);
}

#define MOST_ATTRIBUTES 64u /* both lists are compared name by name */

/* Memory of a decoder for a vertex or an index, at least. */
#define BYTES_OF_DECODER 12u

/* Counts come from the file and may have no data behind them: a decoder is not asked for
 * what could not be kept. And the packed bytes may be shared: they count as those that are
 * used in place. */
static bool has_room(sinewi_reader *r, const sinewi_view *view, const sinew_packed_mesh *expected) {
    uint64_t elements = (uint64_t)expected->vertex_count + expected->index_count;
    uint64_t left = r->budget.limit > r->budget.used ? r->budget.limit - r->budget.used : 0;
    r->viewed += view->size;
    if (elements > left / BYTES_OF_DECODER || r->viewed > r->budget.limit) {
        r->scratch.over_limit = true;
        return sinewi_refuse_memory(r);
    }
    return true;
}

bool sinewi_unpack_primitive(sinewi_reader *r, uint32_t primitive) {
    uint32_t extension =
        sinewi_member(r, sinewi_member(r, primitive, "extensions"), "KHR_draco_mesh_compression");
    const sinew_decoders *decoders = &r->options->decoders;
    uint32_t index;
    if (extension == SINEWI_JSON_NONE || has_plain_data(r, primitive)) {
        return true;
    }
    if (!decoders->open_mesh) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC_UNSUPPORTED, extension, NULL,
                             "the mesh is packed by Draco, and this build has no decoder for it");
    }
    if (sinewi_json_size(&r->json, sinewi_member(r, extension, "attributes")) > MOST_ATTRIBUTES) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC, extension, "attributes",
                             "more than %u packed attributes", MOST_ATTRIBUTES);
    }
    if (!sinewi_need_index(r, extension, "bufferView", r->view_count, &index)) {
        return false;
    }
    sinewi_view *view = &r->views[index];
    if (!view->data) {
        return sinewi_refuse_empty(r, extension);
    }
    sinew_packed_mesh mesh = {NULL,
                              count_at(r, sinewi_member(r, primitive, "attributes"), "POSITION"),
                              count_at(r, primitive, "indices")};
    if (!any_waits(r, primitive, extension)) {
        return true;
    }
    if (!has_room(r, view, &mesh)) {
        return false;
    }
    sinew_error why = {SINEW_OK, "", ""};
    sinew_result result =
        decoders->open_mesh(decoders->user, view->data, (size_t)view->size, &mesh, &why);
    if (result != SINEW_OK) {
        view->data = NULL; /* once is enough */
        return refuse_packed(r, extension, result, &why);
    }
    bool sound = mesh.vertex_count <= r->limits.vertices
                     ? unpack_parts(r, primitive, extension, &mesh)
                     : sinewi_refuse_limit(r, extension, NULL, "vertices", mesh.vertex_count,
                                           r->limits.vertices);
    decoders->close_mesh(decoders->user, &mesh);
    view->data = sound ? view->data : NULL;
    return sound;
}
