/* EXT_meshopt_compression and KHR_meshopt_compression: buffer views that stand packed in
 * another buffer. The decoder comes in through the read options. */
#include "gltf/reader.h"

#include <string.h>

static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

static uint32_t extension_of(const sinewi_reader *r, uint32_t token) {
    uint32_t extensions = sinewi_member(r, token, "extensions");
    uint32_t found = sinewi_member(r, extensions, names[0]);
    return found != SINEWI_JSON_NONE ? found : sinewi_member(r, extensions, names[1]);
}

bool sinewi_is_fallback(const sinewi_reader *r, uint32_t buffer) {
    return extension_of(r, buffer) != SINEWI_JSON_NONE;
}

bool sinewi_refuse_empty(sinewi_reader *r, uint32_t token) {
    return r->broken ? false
                     : sinewi_refuse(r, SINEW_FINDING_BUFFER, token, NULL,
                                     "the data is in a buffer that has none: it is only there for "
                                     "what is packed elsewhere");
}

/* One of the words as its number; absent gives 0. */
static bool read_word(sinewi_reader *r, uint32_t object, const char *key, const char *const *words,
                      int count, int *out) {
    uint32_t token = sinewi_member(r, object, key);
    *out = 0;
    if (token == SINEWI_JSON_NONE) {
        return true;
    }
    for (int i = 0; i < count; i++) {
        if (sinewi_json_equals(&r->json, token, words[i])) {
            *out = i;
            return true;
        }
    }
    return sinewi_refuse(r, SINEW_FINDING_CODEC_UNSUPPORTED, token, NULL,
                         "a %s that is not known here", key);
}

static bool read_source(sinewi_reader *r, uint32_t token, sinew_packed_view *packed) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                          "COLOR"};
    uint32_t index;
    uint64_t offset = 0, length = 0, stride = 0, count = 0;
    int mode = 0, filter = 0;
    if (!sinewi_need_index(r, token, "buffer", r->buffer_count, &index) ||
        !sinewi_get_whole(r, token, "byteOffset", &offset) ||
        !sinewi_get_whole(r, token, "byteLength", &length) ||
        !sinewi_get_whole(r, token, "byteStride", &stride) ||
        !sinewi_get_whole(r, token, "count", &count) ||
        !read_word(r, token, "mode", modes, 3, &mode) ||
        !read_word(r, token, "filter", filters, 5, &filter)) {
        return false;
    }
    const sinewi_buffer *buffer = &r->buffers[index];
    if (!buffer->data) {
        return sinewi_refuse_empty(r, token);
    }
    if (offset > buffer->size || length > buffer->size - offset) {
        return sinewi_refuse(r, SINEW_FINDING_BOUNDS, token, NULL,
                             "packed bytes %llu + %llu leave buffer %u, which has %llu",
                             (unsigned long long)offset, (unsigned long long)length, index,
                             (unsigned long long)buffer->size);
    }
    if (stride == 0 || stride > 256 || count > UINT32_MAX) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC, token, NULL,
                             "%llu packed elements of %llu bytes, 1 to 256 bytes are allowed",
                             (unsigned long long)count, (unsigned long long)stride);
    }
    *packed = (sinew_packed_view){buffer->data + offset,   (size_t)length,
                                  (size_t)count,           (size_t)stride,
                                  (sinew_packed_mode)mode, (sinew_packed_filter)filter};
    return true;
}

/* What the elements of each mode and filter may look like, by the extension's text. */
static bool check_shape(sinewi_reader *r, uint32_t token, const sinew_packed_view *packed,
                        uint64_t length) {
    size_t stride = packed->stride;
    bool sound = packed->mode == SINEW_PACKED_ATTRIBUTES
                     ? stride % 4 == 0
                     : (stride == 2 || stride == 4) && packed->filter == SINEW_FILTER_NONE;
    sound = sound && (packed->mode != SINEW_PACKED_TRIANGLES || packed->count % 3 == 0);
    sound = sound && (packed->filter != SINEW_FILTER_OCTAHEDRAL || stride == 4 || stride == 8);
    sound = sound && (packed->filter != SINEW_FILTER_QUATERNION || stride == 8);
    sound = sound && (packed->filter != SINEW_FILTER_COLOR || stride == 4 || stride == 8);
    if (!sound) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC, token, NULL,
                             "%zu packed elements of %zu bytes do not go with the mode and filter",
                             packed->count, stride);
    }
    if ((uint64_t)packed->count * stride != length) {
        return sinewi_refuse(r, SINEW_FINDING_BOUNDS, token, NULL,
                             "%zu packed elements of %zu bytes, the buffer view has %llu",
                             packed->count, stride, (unsigned long long)length);
    }
    return true;
}

bool sinewi_unpack_view(sinewi_reader *r, uint32_t token, uint64_t length, sinewi_view *view) {
    uint32_t extension = extension_of(r, token);
    const sinew_decoders *decoders = &r->options->decoders;
    sinew_packed_view packed = {NULL, 0, 0, 0, SINEW_PACKED_ATTRIBUTES, SINEW_FILTER_NONE};
    if (extension == SINEWI_JSON_NONE) {
        return true; /* the fault of its buffer has been said, or no accessor may use it */
    }
    if (!decoders->decode_view) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC_UNSUPPORTED, extension, NULL,
                             "the data is packed by meshopt, and this build has no decoder for it");
    }
    if (!read_source(r, extension, &packed) || !check_shape(r, extension, &packed, length)) {
        return false;
    }
    if (decoders->view_is_plausible && !decoders->view_is_plausible(decoders->user, &packed)) {
        return sinewi_refuse(r, SINEW_FINDING_CODEC, extension, NULL,
                             "%zu packed bytes cannot hold %zu elements", packed.size,
                             packed.count);
    }
    uint8_t *out = sinewi_keep(r, packed.count, packed.stride);
    if (!out) {
        return false;
    }
    sinew_error why = {SINEW_OK, "", ""};
    sinew_result result = decoders->decode_view(decoders->user, &packed, out, &why);
    if (result != SINEW_OK) {
        return sinewi_refuse(r,
                             result == SINEW_ERROR_UNSUPPORTED ? SINEW_FINDING_CODEC_UNSUPPORTED
                                                               : SINEW_FINDING_CODEC,
                             extension, NULL, "%s",
                             why.message[0] ? why.message : "the packed data is damaged");
    }
    view->data = out;
    view->size = length;
    view->offset = 0;
    view->stays = true;
    return true;
}
