/* Codec, filters of meshopt: each output is the number nearest to the formula of the
 * extension (appendix B of EXT_ and KHR_meshopt_compression), computed here in double. */
#include "codec/codec_private.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Where the formula in float and in double lie on both sides of a half. */
#define NEAR_HALF 0.51

static void filter(sinew_packed_filter which, size_t size, void *data) {
    sinew_packed_view view = {.count = 1, .stride = 4 * size, .filter = which};
    sinewi_meshopt_filter(&view, data);
}

/* Four components of 8 or 16 bits through a filter and back. */
static void filter_four(sinew_packed_filter which, size_t size, bool is_unsigned, const int in[4],
                        int out[4]) {
    unsigned char bytes[8];
    for (size_t i = 0; i < 4; i++) {
        bytes[i * size] = (unsigned char)(in[i] & 0xFF);
        bytes[i * size + size - 1] = (unsigned char)(in[i] >> (8 * (size - 1)) & 0xFF);
    }
    filter(which, size, bytes);
    for (size_t i = 0; i < 4; i++) {
        int value = bytes[i * size] | (size == 2 ? bytes[2 * i + 1] << 8 : 0);
        int wrap = 1 << (8 * size);
        out[i] = !is_unsigned && value >= wrap / 2 ? value - wrap : value;
    }
}

static void assert_nearest(int have, double want) {
    if (!(fabs(have - want) <= NEAR_HALF)) {
        fail_msg("%d, the formula gives %.6f", have, want);
    }
}

static void octahedral(const int in[4], double most, double out[3]) {
    double x = (double)in[0] / in[2], y = (double)in[1] / in[2];
    double z = 1.0 - fabs(x) - fabs(y), fold = fmin(z, 0.0);
    x -= copysign(fold, x);
    y -= copysign(fold, y);
    double length = sqrt(x * x + y * y + z * z);
    out[0] = x / length * most;
    out[1] = y / length * most;
    out[2] = z / length * most;
}

static void check_normal(size_t size, int x, int y, int one) {
    const int in[4] = {x, y, one, x ^ 5};
    int out[4];
    double want[3];
    filter_four(SINEW_FILTER_OCTAHEDRAL, size, false, in, out);
    octahedral(in, size == 1 ? 127.0 : 32767.0, want);
    for (int i = 0; i < 3; i++) {
        assert_nearest(out[i], want[i]);
    }
    assert_int_equal(out[3] & 0xFF, in[3] & 0xFF);
}

static void normals_are_the_nearest(void **state) {
    (void)state;
    for (int bits = 2; bits <= 16; bits++) {
        int one = (1 << (bits - 1)) - 1, step = one / 40 + 1;
        for (int x = -one; x <= one; x += step) {
            for (int y = -one; y <= one; y += step) {
                check_normal(2, x, y, one);
                check_normal(bits <= 8 ? 1 : 2, x, y, one);
            }
        }
    }
}

static void rotations_are_the_nearest(void **state) {
    (void)state;
    uint32_t chance = 1;
    for (int k = 0; k < 20000; k++) {
        int bits = 4 + k % 13, one = (1 << (bits - 1)) - 1, largest = k / 13 % 4;
        int in[4] = {0, 0, 0, (one & ~3) | largest};
        double part[3], square = 1.0;
        for (int i = 0; i < 3; i++) {
            chance = chance * 1664525u + 1013904223u;
            in[i] = (int)(chance >> 8) % (2 * one + 1) - one;
            part[i] = (double)in[i] / one * sqrt(0.5);
            square -= part[i] * part[i];
        }
        int out[4];
        filter_four(SINEW_FILTER_QUATERNION, 2, false, in, out);
        for (int i = 0; i < 3; i++) {
            assert_nearest(out[(largest + 1 + i) % 4], part[i] * 32767.0);
        }
        if (square > 1e-3) { /* below, the root makes much of the last bit of a float */
            assert_nearest(out[largest], sqrt(square) * 32767.0);
        }
    }
}

static void floats_are_exact(void **state) {
    (void)state;
    const int32_t mantissas[] = {0, 1, -1, 8388607, -8388608, 12345, -4097};
    for (int exponent = -100; exponent <= 100; exponent++) {
        for (size_t i = 0; i < sizeof mantissas / sizeof *mantissas; i++) {
            uint32_t bits = (uint32_t)exponent << 24 | ((uint32_t)mantissas[i] & 0xFFFFFF);
            float out;
            filter(SINEW_FILTER_EXPONENTIAL, 1, &bits);
            memcpy(&out, &bits, sizeof out);
            assert_true(out == (float)ldexp(mantissas[i], exponent));
        }
    }
}

/* YCoCg in whole numbers, where that can be, through the filter. */
static void check_color(size_t size, int bits, int r, int g, int alpha) {
    int scale = (1 << bits) - 1, most = size == 1 ? 255 : 65535;
    int b = (r + 3 * g) % (scale + 1);
    b -= (r + b + 2 * g) % 4; /* y, co and cg ask for this */
    int cg = (2 * g - r - b) / 4, y = g - cg, co = r - y + cg;
    if (b < 0 || y - co - cg != b) {
        return;
    }
    const int in[4] = {y, co, cg, alpha | 1 << (bits - 1)};
    const int want[4] = {r, g, b, alpha << 1 | (alpha & 1)};
    int out[4];
    filter_four(SINEW_FILTER_COLOR, size, true, in, out);
    for (int i = 0; i < 4; i++) {
        assert_nearest(out[i], (double)want[i] * most / scale);
    }
}

static void colors_come_back(void **state) {
    (void)state;
    for (int bits = 2; bits <= 16; bits++) {
        int scale = (1 << bits) - 1, step = scale / 9 + 1;
        for (int r = 0; r <= scale; r += step) {
            for (int g = 0; g <= scale; g += step) {
                check_color(2, bits, r, g, (r + g) % (scale / 2 + 1));
                check_color(bits <= 8 ? 1 : 2, bits, r, g, scale / 2);
            }
        }
    }
}

static void a_known_color(void **state) {
    (void)state;
    /* 8 bits: y 100, co 20, cg -30, alpha 127 of 127. */
    const int in[4] = {100, 20, -30, 255}, want[4] = {150, 70, 110, 255};
    int out[4];
    filter_four(SINEW_FILTER_COLOR, 1, true, in, out);
    assert_memory_equal(out, want, sizeof want);
    /* 4 bits, and opaque: 7 of 7. */
    const int few[4] = {8, 4, 1, 15}, wide[4] = {187, 153, 51, 255};
    filter_four(SINEW_FILTER_COLOR, 1, true, few, out);
    assert_memory_equal(out, wide, sizeof wide);
}

/* What the extension leaves open must be defined in C: the sanitizers look on. */
static void anything_goes_in(void **state) {
    (void)state;
    static const sinew_packed_filter filters[] = {SINEW_FILTER_OCTAHEDRAL, SINEW_FILTER_QUATERNION,
                                                  SINEW_FILTER_EXPONENTIAL, SINEW_FILTER_COLOR};
    uint32_t chance = 7;
    for (int k = 0; k < 40000; k++) {
        unsigned char bytes[8];
        for (int i = 0; i < 8; i++) {
            chance = chance * 1664525u + 1013904223u;
            bytes[i] = chance & 0x80000000u ? 0 : (unsigned char)(chance >> 16);
        }
        sinew_packed_filter which = filters[k % 4];
        filter(which, which == SINEW_FILTER_QUATERNION ? 2 : 1 + (size_t)(k / 4 % 2), bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_are_the_nearest), cmocka_unit_test(rotations_are_the_nearest),
        cmocka_unit_test(floats_are_exact),        cmocka_unit_test(colors_come_back),
        cmocka_unit_test(a_known_color),           cmocka_unit_test(anything_goes_in),
    };
    return cmocka_run_group_tests_name("codec_meshopt_filters", tests, NULL, NULL);
}
