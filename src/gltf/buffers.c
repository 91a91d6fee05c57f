/* Buffers and buffer views (glTF 3.6.1), and the root of the JSON (3.2, 3.12). */
#include "gltf/reader.h"

#include <string.h>

/* ---- root ---- */

/* What changes neither vertices nor joints is known in this sense too. */
static const char *const known_extensions[] = {
    "KHR_mesh_quantization",      "KHR_animation_pointer",
    "KHR_materials_unlit",        "KHR_texture_transform",
    "KHR_lights_punctual",        "KHR_materials_emissive_strength",
    "KHR_materials_ior",          "KHR_materials_specular",
    "KHR_materials_clearcoat",    "KHR_materials_sheen",
    "KHR_materials_transmission", "KHR_materials_volume",
    "KHR_materials_variants",     "KHR_texture_basisu",
    "EXT_texture_webp",           "KHR_materials_pbrSpecularGlossiness",
};

static bool is_known(const sinewi_reader *r, const char *name) {
    if (strcmp(name, "EXT_meshopt_compression") == 0 ||
        strcmp(name, "KHR_meshopt_compression") == 0) {
        return r->options->decoders.decode_view != NULL;
    }
    if (strcmp(name, "KHR_draco_mesh_compression") == 0) {
        return r->options->decoders.open_mesh != NULL;
    }
    for (size_t i = 0; i < sizeof known_extensions / sizeof *known_extensions; i++) {
        if (strcmp(known_extensions[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_names(sinewi_reader *r, const char *key, const char *const **names,
                       uint32_t *count) {
    uint32_t array = sinewi_member(r, r->root, key);
    if (array == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, array, NULL, "%s is not an array", key);
    }
    const char **list = sinewi_keep(r, sinewi_json_size(&r->json, array), sizeof *list);
    if (!list) {
        return false;
    }
    SINEWI_EACH(r, array, token) {
        if (sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_STRING) {
            return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, NULL, "not a string");
        }
        list[*count] = sinewi_json_string(&r->json, token, r->arena, NULL);
        if (!list[*count]) {
            return sinewi_refuse_memory(r);
        }
        ++*count;
    }
    *names = list;
    return true;
}

static bool read_extensions(sinewi_reader *r) {
    sinew_model *model = r->model;
    if (!read_names(r, "extensionsUsed", &model->extensions_used, &model->extensions_used_count) ||
        !read_names(r, "extensionsRequired", &model->extensions_required,
                    &model->extensions_required_count)) {
        return false;
    }
    uint32_t used = sinewi_member(r, r->root, "extensionsUsed");
    uint32_t i = 0;
    SINEWI_EACH(r, used, token) {
        const char *name = model->extensions_used[i++];
        r->quantised = r->quantised || strcmp(name, "KHR_mesh_quantization") == 0;
        if (!is_known(r, name)) {
            sinewi_note(r, SINEW_FINDING_EXTENSION_USED, token, NULL,
                        "extension %s is not known here", name);
        }
    }
    uint32_t required = sinewi_member(r, r->root, "extensionsRequired");
    i = 0;
    SINEWI_EACH(r, required, token) {
        const char *name = model->extensions_required[i++];
        r->quantised = r->quantised || strcmp(name, "KHR_mesh_quantization") == 0;
        if (!is_known(r, name)) {
            sinewi_refuse(r, SINEW_FINDING_EXTENSION, token, NULL,
                          "the file requires extension %s, which this version cannot read", name);
        }
    }
    return true;
}

static bool is_version_2(const sinewi_reader *r, uint32_t token) {
    size_t length;
    const char *text = sinewi_json_raw(&r->json, token, &length);
    return length >= 2 && text[0] == '2' && text[1] == '.';
}

static bool refuse_version(sinewi_reader *r, uint32_t token) {
    size_t length;
    const char *text = sinewi_json_raw(&r->json, token, &length);
    bool plain = length > 0 && length < 8; /* "1.0", not a whole novel */
    for (size_t i = 0; plain && i < length; i++) {
        plain = text[i] == '.' || (text[i] >= '0' && text[i] <= '9');
    }
    return sinewi_refuse(r, SINEW_FINDING_VERSION, token, NULL,
                         "glTF version %.*s, only 2.0 can be read", plain ? (int)length : 7,
                         plain ? text : "unknown");
}

bool sinewi_read_root(sinewi_reader *r) {
    r->root = 0;
    if (sinewi_json_kind_of(&r->json, r->root) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, r->root, NULL,
                             "the JSON is not an object, so this is no glTF");
    }
    uint32_t asset = sinewi_member(r, r->root, "asset");
    if (sinewi_json_kind_of(&r->json, asset) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, r->root, "asset",
                             "no asset object, so this is no glTF");
    }
    uint32_t version = sinewi_member(r, asset, "version");
    if (sinewi_json_kind_of(&r->json, version) != SINEWI_JSON_STRING) {
        return sinewi_refuse(r, SINEW_FINDING_VERSION, asset, "version",
                             "the version of glTF is missing");
    }
    if (!is_version_2(r, version)) {
        return refuse_version(r, version);
    }
    uint32_t least = sinewi_member(r, asset, "minVersion");
    if (least != SINEWI_JSON_NONE && !sinewi_json_equals(&r->json, least, "2.0")) {
        return refuse_version(r, least);
    }
    r->model->generator = sinewi_get_text(r, asset, "generator");
    return read_extensions(r); /* what follows may have faults to tell, too */
}

/* ---- buffers ---- */

static bool read_buffer(sinewi_reader *r, uint32_t token, uint32_t i) {
    sinewi_buffer *buffer = &r->buffers[i];
    uint64_t length = 0;
    if (sinewi_member(r, token, "byteLength") == SINEWI_JSON_NONE) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "byteLength", "byteLength is missing");
    }
    if (!sinewi_get_whole(r, token, "byteLength", &length)) {
        return false;
    }
    if (length == 0) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "byteLength",
                             "a buffer has at least 1 byte");
    }
    uint32_t uri = sinewi_member(r, token, "uri");
    if (uri != SINEWI_JSON_NONE) {
        if (!sinewi_read_uri(r, uri, &buffer->data, &buffer->size)) {
            return false;
        }
        buffer->stays = true;
    } else if (i == 0 && r->binary) {
        buffer->data = r->binary;
        buffer->size = r->binary_size;
        buffer->stays = r->binary_stays;
    } else {
        return sinewi_is_fallback(r, token) ||
               sinewi_refuse(r, SINEW_FINDING_BUFFER, token, NULL,
                             "the buffer has no uri and the file no BIN chunk for it");
    }
    if (buffer->size < length) {
        uint64_t has = buffer->size;
        buffer->data = NULL;
        return sinewi_refuse(r, SINEW_FINDING_BOUNDS, token, "byteLength",
                             "the buffer has %llu bytes, byteLength says %llu",
                             (unsigned long long)has, (unsigned long long)length);
    }
    buffer->size = length;
    return true;
}

bool sinewi_read_buffers(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, r->root, "buffers", &array, &r->buffer_count)) {
        return false;
    }
    r->buffers = sinewi_scratch(r, r->buffer_count, sizeof *r->buffers);
    if (!r->buffers) {
        return false;
    }
    SINEWI_EACH(r, array, token) {
        read_buffer(r, token, i++); /* the next one may have a fault of its own */
    }
    return true;
}

/* ---- views ---- */

static bool read_view(sinewi_reader *r, uint32_t token, sinewi_view *view) {
    uint32_t index;
    uint64_t length = 0, stride = 0;
    if (!sinewi_need_index(r, token, "buffer", r->buffer_count, &index) ||
        !sinewi_get_whole(r, token, "byteOffset", &view->offset) ||
        !sinewi_get_whole(r, token, "byteLength", &length) ||
        !sinewi_get_whole(r, token, "byteStride", &stride)) {
        return false;
    }
    if (sinewi_member(r, token, "byteLength") == SINEWI_JSON_NONE) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "byteLength", "byteLength is missing");
    }
    if (stride > UINT16_MAX) {
        return sinewi_refuse(r, SINEW_FINDING_STRIDE, token, "byteStride",
                             "a stride of %llu bytes, glTF allows 252", (unsigned long long)stride);
    }
    if (stride != 0 && (stride < 4 || stride > 252 || stride % 4 != 0)) {
        sinewi_note(r, SINEW_FINDING_STRIDE_ODD, token, "byteStride",
                    "a stride of %llu bytes, glTF has multiples of 4 from 4 to 252",
                    (unsigned long long)stride);
    }
    view->stride = (uint32_t)stride;
    const sinewi_buffer *buffer = &r->buffers[index];
    if (!buffer->data) { /* it is for unpacked data, or its own fault has been said */
        return sinewi_unpack_view(r, token, length, view);
    }
    if (view->offset > buffer->size || length > buffer->size - view->offset) {
        return sinewi_refuse(r, SINEW_FINDING_BOUNDS, token, NULL,
                             "bytes %llu + %llu leave buffer %u, which has %llu",
                             (unsigned long long)view->offset, (unsigned long long)length, index,
                             (unsigned long long)buffer->size);
    }
    view->data = buffer->data + view->offset;
    view->size = length;
    view->stays = buffer->stays;
    return true;
}

bool sinewi_read_views(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, r->root, "bufferViews", &array, &r->view_count)) {
        return false;
    }
    r->views = sinewi_scratch(r, r->view_count, sizeof *r->views);
    if (!r->views) {
        return false;
    }
    SINEWI_EACH(r, array, token) {
        r->views[i].token = token;
        read_view(r, token, &r->views[i++]);
    }
    return true;
}
