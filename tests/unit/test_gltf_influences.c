/* gltf: joints and weights as they come out, whatever types and strides they stand in. */
#include "sinew/gltf.h"

#include "packed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 3

/* Positions, joints and weights in three views of one buffer; stride 0: tight. */
static sinew_model *read(const void *joints, int joint_type, unsigned joint_stride,
                         size_t joint_bytes, const void *weights, int weight_type,
                         size_t weight_bytes, sinew_findings *findings) {
    unsigned char bytes[1024] = {0};
    char json[2048], pace[32] = "";
    if (joint_stride) {
        snprintf(pace, sizeof pace, ",\"byteStride\":%u", joint_stride);
    }
    memcpy(bytes + 36, joints, joint_bytes);
    memcpy(bytes + 36 + joint_bytes, weights, weight_bytes);
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
             "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":%zu%s},"
             "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\","
             "\"count\":3},"
             "{\"bufferView\":1,\"componentType\":%d,\"type\":\"VEC4\",\"count\":3},"
             "{\"bufferView\":2,\"componentType\":%d,\"type\":\"VEC4\",\"count\":3,"
             "\"normalized\":%s}],"
             "\"nodes\":[{\"mesh\":0,\"skin\":0},{},{},{}],\"skins\":[{\"joints\":[1,2,3]}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
             "\"WEIGHTS_0\":2}}]}]}",
             36 + joint_bytes + weight_bytes, joint_bytes, pace, 36 + joint_bytes, weight_bytes,
             joint_type, weight_type, weight_type == 5126 ? "false" : "true");
    size_t size;
    void *glb = test_glb(json, bytes, 36 + joint_bytes + weight_bytes, &size);
    sinew_read_options options = {.findings = findings};
    sinew_error error;
    sinew_model *model = sinew_model_read_memory(glb, size, &options, &error);
    if (!model) {
        print_message("%s: %s\n", error.place, error.message);
    }
    free(glb);
    return model;
}

static const sinew_influences *influences_of(const sinew_model *model) {
    assert_non_null(model);
    assert_int_equal(model->meshes[0].primitives[0].influences_count, 1);
    const sinew_influences *in = &model->meshes[0].primitives[0].influences[0];
    assert_int_equal(in->joint_type, SINEW_U8);
    return in;
}

static const uint8_t small_joints[VERTICES][4] = {{0, 1, 2, 0}, {2, 1, 0, 0}, {1, 0, 0, 2}};
static const uint8_t even_weights[VERTICES][4] = {
    {255, 0, 0, 0}, {100, 100, 50, 5}, {64, 64, 64, 63}};

static void joints_come_out_of_any_stride(void **state) {
    (void)state;
    uint8_t wide[VERTICES][12];
    uint16_t shorts[VERTICES][4], wide_shorts[VERTICES][6];
    memset(wide, 0xEE, sizeof wide);
    memset(wide_shorts, 0xEE, sizeof wide_shorts);
    for (int v = 0; v < VERTICES; v++) {
        for (int k = 0; k < 4; k++) {
            wide[v][k] = small_joints[v][k];
            shorts[v][k] = wide_shorts[v][k] = small_joints[v][k];
        }
    }
    const struct {
        const void *joints;
        int type;
        unsigned stride;
        size_t bytes;
    } ways[] = {{small_joints, 5121, 0, sizeof small_joints},
                {wide, 5121, 12, sizeof wide},
                {shorts, 5123, 0, sizeof shorts},
                {wide_shorts, 5123, 12, sizeof wide_shorts}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        sinew_model *model = read(ways[i].joints, ways[i].type, ways[i].stride, ways[i].bytes,
                                  even_weights, 5121, sizeof even_weights, NULL);
        const sinew_influences *in = influences_of(model);
        assert_memory_equal(in->joints, small_joints, sizeof small_joints);
        assert_int_equal(in->weight_type, SINEW_U8); /* all sums are 255 */
        assert_memory_equal(in->weights, even_weights, sizeof even_weights);
        sinew_model_free(model);
    }
}

static void check_weights(const sinew_influences *in, const double want[VERTICES][4]) {
    assert_int_equal(in->weight_type, SINEW_F32);
    for (int i = 0; i < VERTICES * 4; i++) {
        double have = (double)((const float *)in->weights)[i];
        if (!(fabs(have - want[i / 4][i % 4]) <= 1e-7)) {
            print_message("weight %d: %.9g, expected %.9g\n", i, have, want[i / 4][i % 4]);
            fail();
        }
    }
}

/* One sum that is not whole, and all of them become floats. */
static void integers_that_miss_their_sum_become_floats(void **state) {
    (void)state;
    static const uint8_t bytes[VERTICES][4] = {{254, 0, 0, 0}, {255, 0, 0, 0}, {128, 128, 0, 0}};
    static const uint16_t shorts[VERTICES][4] = {
        {65534, 0, 0, 0}, {65535, 0, 0, 0}, {32768, 32768, 0, 0}};
    static const double want[VERTICES][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0.5, 0.5, 0, 0}};
    sinew_model *model =
        read(small_joints, 5121, 0, sizeof small_joints, bytes, 5121, sizeof bytes, NULL);
    check_weights(influences_of(model), want);
    sinew_model_free(model);
    model = read(small_joints, 5121, 0, sizeof small_joints, shorts, 5123, sizeof shorts, NULL);
    check_weights(influences_of(model), want);
    sinew_model_free(model);
}

static void odd_floats_are_mended_and_told(void **state) {
    (void)state;
    const float weights[VERTICES][4] = {
        {INFINITY, 0.5f, 0.5f, 0.0f}, {-0.25f, 0.5f, 0.25f, NAN}, {0.0f, 0.0f, 0.0f, 0.0f}};
    static const double want[VERTICES][4] = {
        {0, 0.5, 0.5, 0}, {0, 2.0 / 3.0, 1.0 / 3.0, 0}, {1, 0, 0, 0}};
    sinew_findings *findings = sinew_findings_create(NULL);
    sinew_model *model =
        read(small_joints, 5121, 0, sizeof small_joints, weights, 5126, sizeof weights, findings);
    check_weights(influences_of(model), want);
    uint64_t nonfinite = 0, negative = 0, zero = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const sinew_finding *f = &findings->items[i];
        nonfinite += f->code == SINEW_FINDING_WEIGHTS_NONFINITE ? f->count : 0;
        negative += f->code == SINEW_FINDING_WEIGHTS_NEGATIVE ? f->count : 0;
        zero += f->code == SINEW_FINDING_WEIGHTS_ZERO_SUM ? f->count : 0;
    }
    assert_int_equal(nonfinite, 2);
    assert_int_equal(negative, 1);
    assert_int_equal(zero, 1);
    sinew_model_free(model);
    sinew_findings_free(findings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_come_out_of_any_stride),
        cmocka_unit_test(integers_that_miss_their_sum_become_floats),
        cmocka_unit_test(odd_floats_are_mended_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
