/* The filters of EXT_meshopt_compression and KHR_meshopt_compression (appendix B of both),
 * by their formulas. The extensions allow one unit in the last place, and the SIMD filters
 * of meshoptimizer use it: for normals of 8 bits that is half a degree. Here every value
 * is the nearest one. Numbers are little-endian in the file and in memory. */
#include "codec/codec_private.h"

#include <math.h>
#include <string.h>

/* The nearest whole number, halves away from zero, brought into the limits: what is out of
 * them is not defined by the extensions, but must not be undefined in C. */
static int32_t nearest(float x, float least, float most) {
    x = x > least ? x : least; /* also a NaN */
    x = x < most ? x : most;
    return (int32_t)(x < 0.0f ? x - 0.5f : x + 0.5f);
}

/* Components are read and written as int16_t whatever their size. */
static void load(const unsigned char *from, size_t size, int32_t to[4]) {
    if (size == 1) {
        for (int i = 0; i < 4; i++) {
            to[i] = (int8_t)from[i];
        }
        return;
    }
    int16_t wide[4];
    memcpy(wide, from, sizeof wide);
    for (int i = 0; i < 4; i++) {
        to[i] = wide[i];
    }
}

static void store(const int32_t from[4], size_t size, unsigned char *to) {
    for (size_t i = 0; i < 4; i++) {
        to[i * size] = (unsigned char)(from[i] & 0xFF);
        if (size == 2) {
            to[2 * i + 1] = (unsigned char)(from[i] >> 8 & 0xFF);
        }
    }
}

static void octahedral(int32_t c[4], float most) {
    float one = (float)c[2];
    float x = (float)c[0] / one, y = (float)c[1] / one;
    float z = 1.0f - fabsf(x) - fabsf(y);
    float fold = z < 0.0f ? z : 0.0f; /* the lower half is folded outwards */
    x += x < 0.0f ? -fold : fold;
    y += y < 0.0f ? -fold : fold;
    float length = sqrtf(x * x + y * y + z * z);
    c[0] = nearest(x / length * most, -most, most);
    c[1] = nearest(y / length * most, -most, most);
    c[2] = nearest(z / length * most, -most, most);
}

static void quaternion(int32_t c[4]) {
    const float most = 32767.0f, range = 0.70710678118654752f; /* 1 / sqrt(2) */
    int largest = c[3] & 3;
    float one = (float)(c[3] | 3);
    float x = (float)c[0] / one * range, y = (float)c[1] / one * range;
    float z = (float)c[2] / one * range;
    float square = 1.0f - x * x - y * y - z * z;
    c[(largest + 1) & 3] = nearest(x * most, -most, most);
    c[(largest + 2) & 3] = nearest(y * most, -most, most);
    c[(largest + 3) & 3] = nearest(z * most, -most, most);
    c[largest] = nearest(sqrtf(square > 0.0f ? square : 0.0f) * most, 0.0f, most);
}

/* Unsigned components, of KHR_meshopt_compression. */
static void color(int32_t c[4], float most) {
    int32_t mask = (int32_t)most;
    int32_t y = c[0] & mask, co = c[1], cg = c[2], alpha = c[3] & mask;
    int32_t scale = 0; /* all bits up to the highest of alpha */
    while (scale < alpha) {
        scale = scale << 1 | 1;
    }
    float factor = scale ? most / (float)scale : 0.0f;
    alpha &= scale >> 1;
    alpha = alpha << 1 | (alpha & 1);
    c[0] = nearest((float)(y + co - cg) * factor, 0.0f, most);
    c[1] = nearest((float)(y + cg) * factor, 0.0f, most);
    c[2] = nearest((float)(y - co - cg) * factor, 0.0f, most);
    c[3] = nearest((float)alpha * factor, 0.0f, most);
}

/* mantissa * 2^exponent, both signed. */
static float exponential(uint32_t bits) {
    int exponent = (int8_t)(bits >> 24);
    int32_t mantissa = (int32_t)(bits & 0xFFFFFF);
    mantissa -= mantissa & 0x800000 ? 0x1000000 : 0;
    if (exponent < -126) { /* no power of a normal number, nor of a sound file */
        return ldexpf((float)mantissa, exponent);
    }
    uint32_t power_bits = (uint32_t)(exponent + 127) << 23;
    float power;
    memcpy(&power, &power_bits, sizeof power);
    return (float)mantissa * power;
}

static void filter_floats(unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++, bytes += 4) {
        uint32_t bits;
        memcpy(&bits, bytes, sizeof bits);
        float value = exponential(bits);
        memcpy(bytes, &value, sizeof value);
    }
}

void sinewi_meshopt_filter(const sinew_packed_view *view, void *data) {
    unsigned char *at = data;
    size_t size = view->stride / 4;
    if (view->filter == SINEW_FILTER_EXPONENTIAL) {
        filter_floats(at, view->count * size);
        return;
    }
    for (size_t i = 0; i < view->count; i++, at += view->stride) {
        int32_t c[4];
        load(at, size, c);
        switch (view->filter) {
        case SINEW_FILTER_OCTAHEDRAL: octahedral(c, size == 1 ? 127.0f : 32767.0f); break;
        case SINEW_FILTER_QUATERNION: quaternion(c); break;
        case SINEW_FILTER_COLOR: color(c, size == 1 ? 255.0f : 65535.0f); break;
        case SINEW_FILTER_NONE:
        case SINEW_FILTER_EXPONENTIAL: return;
        }
        store(c, size, at);
    }
}
