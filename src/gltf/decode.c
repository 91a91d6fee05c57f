/* Elements of an accessor as floats or unsigned integers (glTF 3.6.2.1, 3.6.2.3). */
#include "gltf/reader.h"

#include <math.h>
#include <string.h>

/* The least common denominator of the hosts: little-endian as glTF, or bytes swapped by
 * hand. Reading through bytes is as fast where the compiler knows the order. */
static uint16_t u16_at(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t u32_at(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float f32_at(const uint8_t *at) {
    uint32_t bits = u32_at(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* glTF 3.6.2.2: c / 127 and so on, never below -1. */
static float normalised(float value, float largest) {
    float result = value / largest;
    return result < -1.0f ? -1.0f : result;
}

static float component_at(const uint8_t *at, sinewi_component component, bool normalize) {
    switch (component) {
    case SINEWI_GLTF_I8: {
        float value = (float)(int8_t)at[0];
        return normalize ? normalised(value, 127.0f) : value;
    }
    case SINEWI_GLTF_U8: {
        float value = (float)at[0];
        return normalize ? normalised(value, 255.0f) : value;
    }
    case SINEWI_GLTF_I16: {
        float value = (float)(int16_t)u16_at(at);
        return normalize ? normalised(value, 32767.0f) : value;
    }
    case SINEWI_GLTF_U16: {
        float value = (float)u16_at(at);
        return normalize ? normalised(value, 65535.0f) : value;
    }
    case SINEWI_GLTF_U32: return (float)u32_at(at);
    case SINEWI_GLTF_F32: return f32_at(at);
    }
    return 0.0f;
}

/* Byte offsets of the components of an element: MAT2 and MAT3 of small components have
 * padded columns. */
static void component_offsets(const sinewi_accessor *a, uint32_t offsets[16]) {
    uint32_t size = sinewi_component_size(a->component);
    uint32_t rows = a->shape == SINEWI_MAT2 ? 2 : a->shape == SINEWI_MAT3 ? 3 : 0;
    uint32_t column = (rows * size + 3) / 4 * 4;
    for (uint32_t c = 0; c < sinewi_width(a->shape); c++) {
        offsets[c] = rows ? c / rows * column + c % rows * size : c * size;
    }
}

static bool host_is_little(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Floats as the host has them, one behind the other. */
static bool is_plain(const sinewi_accessor *a) {
    return a->component == SINEWI_GLTF_F32 && host_is_little();
}

static void element_into(const sinewi_accessor *a, const uint8_t *at, const uint32_t offsets[16],
                         float *out) {
    uint32_t width = sinewi_width(a->shape);
    for (uint32_t c = 0; c < width; c++) {
        out[c] = component_at(at + offsets[c], a->component, a->normalized);
    }
}

static uint32_t element_stride_of_values(const sinewi_accessor *a, const uint32_t offsets[16]) {
    uint32_t width = sinewi_width(a->shape), size = sinewi_component_size(a->component);
    uint32_t end = offsets[width - 1] + size;
    return a->shape == SINEWI_MAT2 || a->shape == SINEWI_MAT3 ? (end + 3) / 4 * 4 : end;
}

uint32_t sinewi_sparse_index(const sinewi_accessor *a, uint32_t i) {
    uint32_t size = sinewi_component_size(a->sparse.index_component);
    const uint8_t *at = a->sparse.indices + (size_t)i * size;
    return size == 1 ? at[0] : size == 2 ? u16_at(at) : u32_at(at);
}

/* The same, never past the last element: the indices were checked, but a file that is
 * mapped may have changed since. */
static uint32_t safe_sparse_index(const sinewi_accessor *a, uint32_t i) {
    uint32_t index = sinewi_sparse_index(a, i);
    return index < a->count ? index : a->count - 1;
}

static void sparse_into(const sinewi_accessor *a, const uint32_t offsets[16], float *out) {
    uint32_t width = sinewi_width(a->shape);
    uint32_t stride = element_stride_of_values(a, offsets);
    bool plain = is_plain(a);
    for (uint32_t i = 0; i < a->sparse.count; i++) {
        const uint8_t *from = a->sparse.values + (size_t)i * stride;
        float *to = out + (size_t)safe_sparse_index(a, i) * width;
        if (plain) {
            memcpy(to, from, width * sizeof *to);
        } else {
            element_into(a, from, offsets, to);
        }
    }
}

/* Floats that lie in the file as we want them need no copy. Accessors may share bytes: as
 * many in place as there may be memory, the rest are copies that count as memory. */
static const float *in_place(sinewi_reader *r, const sinewi_accessor *a) {
    uint32_t bytes = 4 * sinewi_width(a->shape);
    if (!is_plain(a) || !a->data || !a->stays || a->sparse.count > 0 || a->stride != bytes ||
        (uintptr_t)a->data % sizeof(float) != 0 || r->viewed > r->budget.limit) {
        return NULL;
    }
    r->viewed += (uint64_t)a->count * bytes;
    return (const float *)(const void *)a->data;
}

static float *decoded(sinewi_reader *r, const sinewi_accessor *a) {
    uint32_t width = sinewi_width(a->shape);
    size_t total;
    if (!sinewi_multiply(a->count, width, &total)) {
        sinewi_refuse_memory(r);
        return NULL;
    }
    float *out = a->data ? sinewi_arena_take(r->arena, total, sizeof *out)
                         : sinewi_arena_take_zeroed(r->arena, total, sizeof *out);
    if (!out) {
        sinewi_refuse_memory(r);
        return NULL;
    }
    uint32_t offsets[16] = {0};
    component_offsets(a, offsets);
    if (a->data && is_plain(a) && a->stride == 4 * width) {
        memcpy(out, a->data, total * sizeof *out);
    } else if (a->data && is_plain(a)) {
        for (uint32_t i = 0; i < a->count; i++) {
            memcpy(out + (size_t)i * width, a->data + (size_t)i * a->stride, width * sizeof *out);
        }
    } else if (a->data) {
        for (uint32_t i = 0; i < a->count; i++) {
            element_into(a, a->data + (size_t)i * a->stride, offsets, out + (size_t)i * width);
        }
    }
    sparse_into(a, offsets, out);
    return out;
}

/* The exponent of NaN and infinity is all ones. Without a branch, so that it is cheap. */
static bool all_finite(const float *values, size_t count) {
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (uint32_t)((bits & 0x7F800000u) == 0x7F800000u);
    }
    return bad == 0;
}

const float *sinewi_raw_floats(sinewi_reader *r, uint32_t accessor) {
    sinewi_accessor *a = &r->accessors[accessor];
    if (!a->floats && a->count > 0) {
        a->floats = in_place(r, a);
        a->floats = a->floats ? a->floats : decoded(r, a);
        if (a->floats && a->component == SINEWI_GLTF_F32) {
            a->nonfinite = !all_finite(a->floats, (size_t)a->count * sinewi_width(a->shape));
        }
    }
    return a->floats;
}

const float *sinewi_floats(sinewi_reader *r, uint32_t accessor) {
    const float *floats = sinewi_raw_floats(r, accessor);
    sinewi_accessor *a = &r->accessors[accessor];
    if (!floats || !a->nonfinite) {
        return floats;
    }
    if (a->told) {
        return NULL; /* many parts may use it */
    }
    a->told = true;
    uint32_t width = sinewi_width(a->shape), shown = 0;
    uint64_t count = 0, first[SINEW_FINDING_EXAMPLES] = {0};
    for (size_t i = 0; i < (size_t)a->count * width; i++) {
        if (!isfinite(floats[i])) {
            if (count++ < SINEW_FINDING_EXAMPLES) {
                first[shown++] = i / width;
            }
        }
    }
    sinewi_refuse(r, SINEW_FINDING_NONFINITE, a->token, NULL,
                  "%llu values are NaN or infinite, the first in element %llu",
                  (unsigned long long)count, (unsigned long long)first[0]);
    return NULL;
}

/* n integers that lie one behind the other. */
static void unsigned_run(const uint8_t *at, uint32_t size, size_t n, uint32_t *out) {
    switch (size) {
    case 1:
        for (size_t i = 0; i < n; i++) {
            out[i] = at[i];
        }
        break;
    case 2:
        for (size_t i = 0; i < n; i++) {
            out[i] = u16_at(at + 2 * i);
        }
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            out[i] = u32_at(at + 4 * i);
        }
    }
}

bool sinewi_unsigned_into(const sinewi_accessor *a, uint32_t *out) {
    uint32_t width = sinewi_width(a->shape), size = sinewi_component_size(a->component);
    if (a->component != SINEWI_GLTF_U8 && a->component != SINEWI_GLTF_U16 &&
        a->component != SINEWI_GLTF_U32) {
        return false;
    }
    if (!a->data) {
        memset(out, 0, (size_t)a->count * width * sizeof *out);
    } else if (a->stride == width * size) {
        unsigned_run(a->data, size, (size_t)a->count * width, out);
    } else {
        for (uint32_t i = 0; i < a->count; i++) {
            unsigned_run(a->data + (size_t)i * a->stride, size, width, out + (size_t)i * width);
        }
    }
    for (uint32_t i = 0; i < a->sparse.count; i++) {
        unsigned_run(a->sparse.values + (size_t)i * width * size, size, width,
                     out + (size_t)safe_sparse_index(a, i) * width);
    }
    return true;
}
