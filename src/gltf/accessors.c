/* Accessors: described and checked against their views here, once, before anything is
 * decoded (glTF 3.6.2); decoded in decode.c. */
#include "gltf/reader.h"

#include <string.h>

const char *sinewi_shape_word(sinewi_shape shape) {
    static const char *const words[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    return words[shape];
}

const char *sinewi_component_word(sinewi_component component) {
    switch (component) {
    case SINEWI_GLTF_I8: return "signed bytes";
    case SINEWI_GLTF_U8: return "unsigned bytes";
    case SINEWI_GLTF_I16: return "signed shorts";
    case SINEWI_GLTF_U16: return "unsigned shorts";
    case SINEWI_GLTF_U32: return "unsigned ints";
    case SINEWI_GLTF_F32: return "floats";
    }
    return "unknown";
}

/* Columns of MAT2 and MAT3 start at multiples of four bytes. */
static uint32_t element_bytes(sinewi_shape shape, sinewi_component component, bool *padded) {
    uint32_t size = sinewi_component_size(component);
    uint32_t columns = shape == SINEWI_MAT2 ? 2 : shape == SINEWI_MAT3 ? 3 : 0;
    uint32_t tight = size * sinewi_width(shape);
    if (columns == 0) {
        *padded = false;
        return tight;
    }
    uint32_t column = (columns * size + 3) / 4 * 4;
    *padded = column * columns != tight;
    return column * columns;
}

/* Bytes of the last element that must be there: trailing padding need not be. */
static uint32_t last_bytes(sinewi_shape shape, sinewi_component component) {
    bool padded;
    uint32_t bytes = element_bytes(shape, component, &padded);
    if (!padded) {
        return bytes;
    }
    uint32_t rows = shape == SINEWI_MAT2 ? 2 : 3;
    uint32_t size = sinewi_component_size(component);
    return bytes - ((rows * size + 3) / 4 * 4 - rows * size);
}

static bool read_kind(sinewi_reader *r, sinewi_accessor *a) {
    uint64_t component = 0;
    uint32_t type = sinewi_member(r, a->token, "type");
    if (!sinewi_get_whole(r, a->token, "componentType", &component)) {
        return false;
    }
    a->component = (sinewi_component)(component <= SINEWI_GLTF_F32 ? component : 0);
    if (sinewi_component_size(a->component) == 0) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, a->token, "componentType",
                             "component type %llu is none of 5120 to 5123, 5125, 5126",
                             (unsigned long long)component);
    }
    for (int shape = SINEWI_SCALAR; shape <= SINEWI_MAT4; shape++) {
        if (sinewi_json_kind_of(&r->json, type) == SINEWI_JSON_STRING &&
            sinewi_json_equals(&r->json, type, sinewi_shape_word((sinewi_shape)shape))) {
            a->shape = (sinewi_shape)shape;
            a->normalized = sinewi_get_bool(r, a->token, "normalized");
            return true;
        }
    }
    return sinewi_refuse(r, SINEW_FINDING_SCHEMA, a->token, "type",
                         "type is none of SCALAR, VEC2 to VEC4, MAT2 to MAT4");
}

static bool read_count(sinewi_reader *r, sinewi_accessor *a, uint64_t *count) {
    *count = 0;
    if (!sinewi_get_whole(r, a->token, "count", count)) {
        return false;
    }
    if (*count == 0) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, a->token, "count",
                             "count is missing or 0, at least 1 is needed");
    }
    return true;
}

/* Whether count elements from offset on stay in the view. */
static bool fits(uint64_t offset, uint64_t count, uint32_t stride, uint32_t last, uint64_t size) {
    if (offset > size || last > size - offset) {
        return false;
    }
    return count - 1 <= (size - offset - last) / stride;
}

static bool place_in_view(sinewi_reader *r, sinewi_accessor *a, uint64_t count) {
    uint32_t index;
    uint64_t offset = 0;
    if (!sinewi_get_index(r, a->token, "bufferView", r->view_count, &index) ||
        !sinewi_get_whole(r, a->token, "byteOffset", &offset)) {
        return false;
    }
    bool padded;
    uint32_t bytes = element_bytes(a->shape, a->component, &padded);
    a->stride = bytes;
    if (index == SINEW_NONE) {
        return true;
    }
    const sinewi_view *view = &r->views[index];
    uint32_t size = sinewi_component_size(a->component);
    if (view->stride != 0 && view->stride < bytes) {
        return sinewi_refuse(r, SINEW_FINDING_STRIDE, view->token, "byteStride",
                             "a stride of %u bytes is smaller than an element of %u", view->stride,
                             bytes);
    }
    a->stride = view->stride ? view->stride : bytes;
    if (!view->data) {
        return sinewi_refuse_empty(r, a->token);
    }
    if (!fits(offset, count, a->stride, last_bytes(a->shape, a->component), view->size)) {
        return sinewi_refuse(r, SINEW_FINDING_BOUNDS, a->token, NULL,
                             "%llu elements from byte %llu on, every %u bytes, leave buffer view "
                             "%u, which has %llu",
                             (unsigned long long)count, (unsigned long long)offset, a->stride,
                             index, (unsigned long long)view->size);
    }
    uint64_t start = view->offset + offset;
    if (start % size != 0 || offset % size != 0) {
        bool own = offset % size != 0; /* else it is the view that is askew */
        sinewi_note(r, SINEW_FINDING_ALIGNMENT, own ? a->token : view->token, "byteOffset",
                    "%s start at byte %llu of the %s, which is no multiple of %u",
                    sinewi_component_word(a->component), (unsigned long long)(own ? offset : start),
                    own ? "buffer view" : "buffer", size);
    }
    a->data = view->data + offset;
    a->stays = view->stays;
    return true;
}

/* Where one half of a sparse accessor lies, tightly packed. */
static const uint8_t *sparse_part(sinewi_reader *r, uint32_t sparse, const char *name,
                                  uint32_t bytes, uint32_t count) {
    uint32_t part = sinewi_member(r, sparse, name), index;
    uint64_t offset = 0;
    if (sinewi_json_kind_of(&r->json, part) != SINEWI_JSON_OBJECT) {
        sinewi_refuse(r, SINEW_FINDING_SCHEMA, sparse, name, "%s is missing", name);
        return NULL;
    }
    if (!sinewi_need_index(r, part, "bufferView", r->view_count, &index) ||
        !sinewi_get_whole(r, part, "byteOffset", &offset)) {
        return NULL;
    }
    if (!r->views[index].data) {
        sinewi_refuse_empty(r, part);
        return NULL;
    }
    if (!fits(offset, count, bytes, bytes, r->views[index].size)) {
        sinewi_refuse(r, SINEW_FINDING_BOUNDS, part, NULL,
                      "%u sparse %s leave buffer view %u, which has %llu bytes", count, name, index,
                      (unsigned long long)r->views[index].size);
        return NULL;
    }
    return r->views[index].data + offset;
}

static bool check_sparse_indices(sinewi_reader *r, const sinewi_accessor *a, uint32_t sparse) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < a->sparse.count; i++) {
        uint32_t index = sinewi_sparse_index(a, i);
        if (index >= a->count || (i > 0 && index <= before)) {
            return sinewi_refuse(r, SINEW_FINDING_SPARSE, sparse, "indices",
                                 index >= a->count
                                     ? "sparse index %u (number %u) is past the last element"
                                     : "sparse index %u (number %u) does not increase",
                                 index, i);
        }
        before = index;
    }
    return true;
}

static bool read_sparse(sinewi_reader *r, sinewi_accessor *a) {
    uint32_t sparse = sinewi_member(r, a->token, "sparse");
    uint64_t count = 0;
    if (sparse == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, sparse) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, sparse, NULL, "sparse is not an object");
    }
    if (!sinewi_get_whole(r, sparse, "count", &count)) {
        return false;
    }
    if (count == 0 || count > a->count) {
        return sinewi_refuse(r, SINEW_FINDING_SPARSE, sparse, "count",
                             "%llu sparse elements, the accessor has %u", (unsigned long long)count,
                             a->count);
    }
    r->sparse_elements += count; /* accessors may share them, and they are looked at here */
    if (r->sparse_elements > r->limits.vertices) {
        return sinewi_refuse_limit(r, sparse, "count", "sparse elements of all accessors",
                                   r->sparse_elements, r->limits.vertices);
    }
    uint32_t indices = sinewi_member(r, sparse, "indices");
    uint64_t component = 0;
    if (sinewi_json_kind_of(&r->json, indices) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, sparse, "indices", "indices is missing");
    }
    if (!sinewi_get_whole(r, indices, "componentType", &component)) {
        return false;
    }
    if (component != SINEWI_GLTF_U8 && component != SINEWI_GLTF_U16 &&
        component != SINEWI_GLTF_U32) {
        return sinewi_refuse(r, SINEW_FINDING_TYPE, indices, "componentType",
                             "sparse indices are not unsigned integers");
    }
    a->sparse.index_component = (sinewi_component)component;
    bool padded;
    uint32_t bytes = element_bytes(a->shape, a->component, &padded);
    a->sparse.indices = sparse_part(
        r, sparse, "indices", sinewi_component_size(a->sparse.index_component), (uint32_t)count);
    a->sparse.values = sparse_part(r, sparse, "values", bytes, (uint32_t)count);
    a->sparse.count = (uint32_t)count;
    return a->sparse.indices && a->sparse.values && check_sparse_indices(r, a, sparse);
}

static bool read_accessor(sinewi_reader *r, sinewi_accessor *a) {
    uint64_t count;
    bool sound = read_kind(r, a) && read_count(r, a, &count) && place_in_view(r, a, count);
    if (!sound) {
        return false;
    }
    /* Only an accessor without data can ask for so many; it is refused where it is used,
     * against the count of what it belongs to. */
    a->count = count < UINT32_MAX - 1 ? (uint32_t)count : UINT32_MAX - 1;
    return read_sparse(r, a);
}

bool sinewi_read_accessors(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, r->root, "accessors", &array, &r->accessor_count)) {
        return false;
    }
    r->accessors = sinewi_scratch(r, r->accessor_count, sizeof *r->accessors);
    if (!r->accessors) {
        return false;
    }
    SINEWI_EACH(r, array, token) {
        sinewi_accessor *a = &r->accessors[i++];
        a->token = token;
        if (!read_accessor(r, a)) {
            a->count = 0; /* nothing reads it; the file is refused already */
        }
    }
    return true;
}
