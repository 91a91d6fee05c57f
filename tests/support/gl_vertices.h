/* The vertices that the GPU makes of a model, beside those of the scalar path. */
#ifndef SINEW_TESTS_GL_VERTICES_H
#define SINEW_TESTS_GL_VERTICES_H

#include "sinew/gl.h"
#include "sinew/skin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Of the size for positions, absolute for directions. */
static const double test_tolerance = 2e-5;

typedef struct test_vertices {
    float *positions, *normals, *tangents;
} test_vertices;

static inline test_vertices test_vertices_take(const sinew_gl_item *item) {
    size_t count = item->vertex_count;
    test_vertices all = {malloc(count * 12), NULL, NULL};
    if (item->has_normals) {
        all.normals = malloc(count * 12);
    }
    if (item->has_tangents) {
        all.tangents = malloc(count * 16);
    }
    return all;
}

static inline void test_vertices_give(test_vertices *all) {
    free(all->positions);
    free(all->normals);
    free(all->tangents);
}

static inline test_vertices test_vertices_on_cpu(const sinew_model *model, const sinew_pose *pose,
                                                 const sinew_gl_item *item,
                                                 sinew_skin_method method) {
    const sinew_node *node = &model->nodes[item->node];
    const sinew_primitive *from = &model->meshes[item->mesh].primitives[item->primitive];
    uint32_t joints = item->skin == SINEW_NONE ? 1 : model->skins[item->skin].joint_count;
    float *matrices = malloc((size_t)joints * 64);
    sinew_palette palette = {.matrices = matrices, .capacity = joints};
    if (method == SINEW_SKIN_DQS) {
        palette.layout = SINEW_PALETTE_4X3_ROTATION;
    }
    if (item->skin == SINEW_NONE) {
        assert_int_equal(sinew_palette_build_rigid(model, item->node, pose, &palette), SINEW_OK);
    } else {
        assert_int_equal(sinew_palette_build(model, item->skin, pose, &palette), SINEW_OK);
    }
    test_vertices all = test_vertices_take(item);
    sinew_skin_job job = {
        .primitive = from,
        .influences = item->skin == SINEW_NONE ? NULL : &from->influences[node->influences_index],
        .palette = &palette,
        .morph_weights = pose->weights + node->first_weight,
        .morph_weight_count = node->weight_count,
        .positions = all.positions,
        .normals = all.normals,
        .tangents = all.tangents,
        .path = SINEW_SKIN_SCALAR,
        .method = method,
    };
    assert_int_equal(sinew_skin_vertices(&job, 0, item->vertex_count), SINEW_OK);
    free(matrices);
    return all;
}

static inline void test_compare_vertices(const char *what, const float *have, const float *want,
                                         size_t count, uint32_t width, double size) {
    for (size_t i = 0; want && i < count * width; i++) {
        double gap = fabs((double)have[i] - (double)want[i]) / fmax(size, fabs((double)want[i]));
        if (!(gap <= test_tolerance)) {
            fail_msg("%s[%zu][%zu] is %.9g, expected %.9g", what, i / width, i % width,
                     (double)have[i], (double)want[i]);
        }
    }
}

static inline double test_size_of(const float *positions, size_t count) {
    double largest = 0.0;
    for (size_t i = 0; i < 3 * count; i++) {
        largest = fmax(largest, fabs((double)positions[i]));
    }
    return largest > 0.0 && largest < 1.0 ? largest : 1.0;
}

/* Updates, and compares what the GPU makes of every item with the scalar path. */
static inline void test_assert_same_items(sinew_gl_model *on_gpu, const sinew_model *model,
                                          const sinew_pose *pose, sinew_skin_method method) {
    sinew_error error = {SINEW_OK, "", ""};
    if (sinew_gl_model_update(on_gpu, pose, &error)) {
        fail_msg("%s", error.message);
    }
    uint32_t count;
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        test_vertices want = test_vertices_on_cpu(model, pose, &items[i], method),
                      have = test_vertices_take(&items[i]);
        if (sinew_gl_item_capture(on_gpu, i, have.positions, have.normals, have.tangents, &error)) {
            fail_msg("%s", error.message);
        }
        size_t n = items[i].vertex_count;
        test_compare_vertices("position", have.positions, want.positions, n, 3,
                              test_size_of(want.positions, n));
        test_compare_vertices("normal", have.normals, want.normals, n, 3, 1.0);
        test_compare_vertices("tangent", have.tangents, want.tangents, n, 4, 1.0);
        test_vertices_give(&want);
        test_vertices_give(&have);
    }
}

#endif
