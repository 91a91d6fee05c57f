/* One model, many threads: each samples, poses, builds palettes, skins ranges and computes
 * bounds with poses of its own, and reads the model's bytes again. All get, bit for bit,
 * what one thread alone got. Under the thread sanitizer (preset tsan) a race is a failure
 * too. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/clip.h"
#include "sinew/gltf.h"
#include "sinew/skin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define MOMENTS 3
#define MOST_CLIPS 3

/* ---- numbers that are compared ---- */

typedef struct numbers {
    float *at;
    size_t count, capacity;
} numbers;

static void add(numbers *to, const float *values, size_t count) {
    if (count == 0) {
        return;
    }
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->at = realloc(to->at, to->capacity * sizeof *to->at);
        if (!to->at) {
            abort(); /* an assertion of cmocka belongs to its own thread */
        }
    }
    memcpy(to->at + to->count, values, count * sizeof *values);
    to->count += count;
}

/* ---- what every thread does ---- */

typedef struct shared {
    const char *path;
    const void *bytes; /* of the file, when it is read from memory */
    size_t byte_count;
    const sinew_model *model;
    sinew_bounds **bounds; /* of each node, or NULL */
    numbers expected;
} shared;

static void skin_part(const sinew_primitive *primitive, const sinew_node *node, bool skinned,
                      const sinew_palette *palette, const sinew_pose *pose, uint32_t part,
                      numbers *out) {
    uint32_t count = primitive->vertex_count, first = count / 3 * part;
    uint32_t length = part == 2 ? count - first : count / 3;
    float *block = calloc((size_t)10 * count + 1, sizeof *block);
    if (!block) {
        abort();
    }
    sinew_skin_job job = {.primitive = primitive,
                          .influences =
                              skinned ? &primitive->influences[node->influences_index] : NULL,
                          .palette = palette,
                          .morph_weights = pose->weights + node->first_weight,
                          .morph_weight_count = node->weight_count,
                          .positions = block,
                          .normals = block + (size_t)3 * count,
                          .tangents = block + (size_t)6 * count};
    sinew_result result = sinew_skin_vertices(&job, first, length);
    add(out, block, (size_t)10 * count);
    add(out, &(float){(float)result}, 1);
    free(block);
}

static void skin_node(const shared *with, const sinew_pose *pose, uint32_t index, numbers *out) {
    const sinew_model *model = with->model;
    const sinew_node *node = &model->nodes[index];
    bool skinned = node->skin != SINEW_NONE;
    uint32_t joints = skinned ? model->skins[node->skin].joint_count : 1;
    float *matrices = calloc((size_t)12 * joints, sizeof *matrices), rigid[12];
    if (!matrices) {
        abort();
    }
    sinew_palette palette = {.matrices = matrices, .capacity = joints};
    sinew_palette of_node = {.matrices = rigid, .capacity = 1};
    sinew_palette_build_rigid(model, index, pose, &of_node);
    if (skinned) {
        sinew_palette_build(model, node->skin, pose, &palette);
    } else {
        sinew_palette_build_rigid(model, index, pose, &palette);
    }
    add(out, matrices, (size_t)12 * joints);
    sinew_box box;
    sinew_bounds_of_palettes(with->bounds[index], &palette, &of_node,
                             pose->weights + node->first_weight, node->weight_count, &box);
    add(out, box.minimum, 3);
    add(out, box.maximum, 3);
    const sinew_mesh *mesh = &model->meshes[node->mesh];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        bool follows = skinned && mesh->primitives[p].influences_count > 0;
        skin_part(&mesh->primitives[p], node, follows, follows ? &palette : &of_node, pose, p % 3,
                  out);
    }
    free(matrices);
}

/* Some numbers of a model that was read anew. */
static void add_model(const sinew_model *model, numbers *out) {
    for (uint32_t i = 0; i < model->node_count; i++) {
        add(out, model->nodes[i].local_rest_matrix, 16);
    }
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        const sinew_primitive *first = &model->meshes[m].primitives[0];
        add(out, first->positions, first->positions ? (size_t)3 * first->vertex_count : 0);
    }
}

static void read_again(const shared *with, bool from_memory, numbers *out) {
    sinew_findings *findings = sinew_findings_create(NULL);
    sinew_read_options options = {.findings = findings, .map_file = true};
    sinew_model *again =
        from_memory ? sinew_model_read_memory(with->bytes, with->byte_count, &options, NULL)
                    : sinew_model_read(with->path, &options, NULL);
    if (again) {
        add_model(again, out);
    }
    sinew_model_free(again);
    sinew_findings_free(findings);
}

static numbers run_all(const shared *with) {
    numbers out = {NULL, 0, 0};
    const sinew_model *model = with->model;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    for (uint32_t clip = 0; clip < model->clip_count && clip < MOST_CLIPS; clip++) {
        sinew_clip_binding *binding = sinew_clip_bind(model, model, clip, NULL);
        for (int m = 0; m < MOMENTS; m++) {
            double seconds = model->clips[clip].duration * (0.1 + 0.4 * m);
            if (m == 1 && binding) {
                sinew_clip_binding_sample(binding, seconds, SINEW_LOOP, pose);
            } else {
                sinew_clip_sample(model, clip, seconds, SINEW_LOOP, pose);
            }
            sinew_pose_to_world(pose);
            add(&out, pose->world_matrices, (size_t)16 * model->node_count);
            for (uint32_t i = 0; i < model->node_count; i++) {
                if (model->nodes[i].mesh != SINEW_NONE) {
                    skin_node(with, pose, i, &out);
                }
            }
        }
        sinew_clip_binding_free(binding);
        read_again(with, clip % 2, &out);
    }
    sinew_pose_free(pose);
    return out;
}

/* ---- threads ---- */

typedef struct worker {
    pthread_t thread;
    const shared *with;
    bool same;
} worker;

static void *work(void *user) {
    worker *self = user;
    numbers got = run_all(self->with);
    const numbers *wanted = &self->with->expected;
    self->same =
        got.count == wanted->count && memcmp(got.at, wanted->at, got.count * sizeof *got.at) == 0;
    free(got.at);
    return NULL;
}

static void *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = malloc(*size);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

static void check_file(const char *path) {
    sinew_error error;
    sinew_model *model = sinew_model_read(path, NULL, &error);
    assert_non_null(model);
    shared with = {.path = path, .model = model};
    void *bytes = load(path, &with.byte_count);
    with.bytes = bytes;
    with.bounds = calloc(model->node_count, sizeof(sinew_bounds *));
    assert_non_null(with.bounds);
    for (uint32_t i = 0; i < model->node_count; i++) {
        if (model->nodes[i].mesh != SINEW_NONE) {
            with.bounds[i] = sinew_bounds_create(model, i, NULL);
            assert_non_null(with.bounds[i]);
        }
    }
    with.expected = run_all(&with);
    assert_true(with.expected.count > 0);
    worker workers[THREADS];
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (worker){.with = &with};
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        assert_true(workers[t].same);
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        sinew_bounds_free(with.bounds[i]);
    }
    free(with.bounds);
    free(with.expected.at);
    free(bytes);
    sinew_model_free(model);
}

static void many_threads_get_what_one_gets(void **state) {
    (void)state;
    check_file(SINEW_SOURCE_DIR "/assets/figure.glb");
    check_file(SINEW_TEST_DATA "/oracle/morph.gltf");
    check_file(SINEW_TEST_DATA "/oracle/curves.gltf");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_threads_get_what_one_gets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
