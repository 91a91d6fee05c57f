/* codec: KHR_draco_mesh_compression, packed by Draco's own encoder. */
#include "sinew/codec.h"

#include "models.h"
#include "packed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 6u
#define VERTICES (SIDE * SIDE)
#define TRIANGLES (2 * (SIDE - 1) * (SIDE - 1))

static float positions[VERTICES][3], weights[VERTICES][4];
static uint16_t joints[VERTICES][4];
static uint32_t indices[TRIANGLES][3];

static int make_sheet(void **state) {
    (void)state;
    for (uint32_t i = 0; i < VERTICES; i++) {
        float share = (float)(i % 5) / 4.0f;
        positions[i][0] = (float)(i % SIDE);
        uint32_t row = i / SIDE;
        positions[i][1] = (float)row;
        positions[i][2] = 0.25f * (float)(i % 7);
        joints[i][0] = (uint16_t)(i % 3);
        joints[i][1] = 300;
        weights[i][0] = share;
        weights[i][1] = 1.0f - share;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        if (i % SIDE < SIDE - 1 && i / SIDE < SIDE - 1) {
            const uint32_t quad[6] = {i, i + 1, i + SIDE, i + SIDE, i + 1, i + SIDE + 1};
            memcpy(indices[n], quad, sizeof quad);
            n += 2;
        }
    }
    return n == TRIANGLES ? 0 : -1;
}

static void *pack(bool edgebreaker, bool metadata, int bits, size_t *size) {
    const test_draco_attribute attributes[] = {
        {0, 5126, 3, positions, bits}, {4, 5123, 4, joints, 0}, {4, 5126, 4, weights, bits}};
    const test_draco_mesh mesh = {VERTICES, TRIANGLES,   indices[0], attributes,
                                  3,        edgebreaker, metadata};
    void *packed = test_draco_encode(&mesh, size);
    assert_non_null(packed);
    return packed;
}

/* What the file around a packed mesh says. */
typedef struct claim {
    uint32_t vertices, indices;
    unsigned position_id, joint_id, weight_id;
    int joint_type;
} claim;

static const claim truth = {VERTICES, 3 * TRIANGLES, 0, 1, 2, 5123};

static void *make_file(const claim *c, const void *packed, size_t packed_size, size_t *size) {
    char json[2048], joint_list[2048] = "";
    for (int i = 0; i < 301; i++) {
        snprintf(joint_list + strlen(joint_list), sizeof joint_list - strlen(joint_list), "%s%d",
                 i ? "," : "", i);
    }
    char nodes[2048] = "{\"mesh\":0,\"skin\":0}";
    for (int i = 1; i < 301; i++) {
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), ",{}");
    }
    static char whole[8192];
    snprintf(json, sizeof json,
             "\"accessors\":["
             "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%u},"
             "{\"componentType\":%d,\"type\":\"VEC4\",\"count\":%u},"
             "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":%u},"
             "{\"componentType\":5123,\"type\":\"SCALAR\",\"count\":%u}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
             "\"WEIGHTS_0\":2},\"indices\":3,\"extensions\":{\"KHR_draco_mesh_compression\":{"
             "\"bufferView\":0,\"attributes\":{\"POSITION\":%u,\"JOINTS_0\":%u,"
             "\"WEIGHTS_0\":%u}}}}]}]",
             c->vertices, c->joint_type, c->vertices, c->vertices, c->indices, c->position_id,
             c->joint_id, c->weight_id);
    snprintf(whole, sizeof whole,
             "{\"asset\":{\"version\":\"2.0\"},"
             "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"
             "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
             "\"nodes\":[%s],\"skins\":[{\"joints\":[%s]}],"
             "\"buffers\":[{\"byteLength\":%zu}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],%s}",
             nodes, joint_list, packed_size, packed_size, json);
    return test_glb(whole, packed, packed_size, size);
}

static sinew_model *read(const void *glb, size_t size, sinew_findings *findings,
                         sinew_error *error) {
    sinew_read_options options = {.findings = findings};
    sinew_codec_fill(&options.decoders);
    return sinew_model_read_memory(glb, size, &options, error);
}

static sinew_model *read_claim(const claim *c, const void *packed, size_t packed_size,
                               sinew_error *error) {
    size_t size;
    void *glb = make_file(c, packed, packed_size, &size);
    sinew_model *model = read(glb, size, NULL, error);
    free(glb);
    return model;
}

/* ---- what comes back ---- */

/* The vertex of the sheet at a place; SINEW_NONE where none is as near as half a step. */
static uint32_t vertex_at(const float place[3]) {
    for (uint32_t v = 0; v < VERTICES; v++) {
        float far = 0.0f;
        for (int c = 0; c < 3; c++) {
            far = fmaxf(far, fabsf(place[c] - positions[v][c]));
        }
        if (far < 0.1f) {
            return v;
        }
    }
    return SINEW_NONE;
}

/* Triangle by triangle, at the sheet's vertices: their order is Draco's. */
static void check_mesh(const sinew_model *model, double tolerance) {
    const sinew_primitive *p = &model->meshes[0].primitives[0];
    const sinew_influences *in = &p->influences[0];
    bool seen[VERTICES] = {false};
    assert_int_equal(p->vertex_count, VERTICES);
    assert_int_equal(p->index_count, 3 * TRIANGLES);
    assert_int_equal(in->joint_type, SINEW_U16);
    assert_int_equal(in->weight_type, SINEW_F32);
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t of = vertex_at(p->positions + 3 * (size_t)v);
        assert_true(of != SINEW_NONE && !seen[of]);
        seen[of] = true;
        for (uint32_t k = 0; k < 4; k++) {
            size_t at = 4 * (size_t)v + k;
            assert_int_equal(((const uint16_t *)in->joints)[at], joints[of][k]);
            double weight = (double)((const float *)in->weights)[at];
            assert_true(fabs(weight - (double)weights[of][k]) <= tolerance);
        }
    }
    double area = 0.0; /* of the sheet seen from above, with the winding's sign */
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        const float *a = p->positions + 3 * (size_t)p->indices[3 * t];
        const float *b = p->positions + 3 * (size_t)p->indices[3 * t + 1];
        const float *c = p->positions + 3 * (size_t)p->indices[3 * t + 2];
        area += 0.5 * (double)((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    assert_true(fabs(area - (SIDE - 1) * (SIDE - 1)) < 0.1);
}

static void skinned_meshes_come_back(void **state) {
    (void)state;
    for (int way = 0; way < 8; way++) {
        bool rough = way & 1;
        size_t packed_size;
        void *packed = pack(way & 2, way & 4, rough ? 12 : 0, &packed_size);
        sinew_error error;
        sinew_model *model = read_claim(&truth, packed, packed_size, &error);
        if (!model) {
            print_message("way %d: %s: %s\n", way, error.place, error.message);
            fail();
        }
        check_mesh(model, rough ? 2.0 / 4096 : 0.0);
        sinew_model_free(model);
        free(packed);
    }
}

static void versions_name_draco(void **state) {
    (void)state;
    assert_non_null(strstr(sinew_codec_versions(), "Draco 1."));
}

/* A flat grid takes next to nothing: 146 triangles a byte. */
static void a_flat_grid_is_not_taken_for_a_lie(void **state) {
    (void)state;
    enum {
        CELLS = 256,
        ROW = CELLS + 1,
        POINTS = ROW * ROW,
        FACES = 2 * CELLS * CELLS
    };
    float(*points)[3] = calloc(POINTS, sizeof *points);
    uint32_t(*faces)[3] = malloc(FACES * sizeof *faces);
    assert_true(points && faces);
    for (uint32_t i = 0, n = 0; i < POINTS; i++) {
        uint32_t x = i % ROW, y = i / ROW;
        points[i][0] = (float)x;
        points[i][1] = (float)y;
        if (x < CELLS && y < CELLS) {
            const uint32_t quad[6] = {i, i + 1, i + ROW, i + ROW, i + 1, i + ROW + 1};
            memcpy(faces[n], quad, sizeof quad);
            n += 2;
        }
    }
    const test_draco_attribute attribute = {0, 5126, 3, points, 14};
    const test_draco_mesh grid = {POINTS, FACES, faces[0], &attribute, 1, true, false};
    size_t size;
    void *packed = test_draco_encode(&grid, &size);
    assert_non_null(packed);
    assert_true(FACES / size > 100);

    sinew_decoders decoders = {0};
    sinew_codec_fill(&decoders);
    sinew_packed_mesh mesh = {NULL, POINTS, 3 * FACES};
    sinew_error error = {SINEW_OK, "", ""};
    assert_int_equal(decoders.open_mesh(NULL, packed, size, &mesh, &error), SINEW_OK);
    assert_int_equal(mesh.vertex_count, POINTS);
    decoders.close_mesh(NULL, &mesh);
    free(packed);
    free(faces);
    free(points);
}

/* ---- what does not agree ---- */

static void expect(const claim *c, const void *packed, size_t packed_size, const char *place,
                   const char *word) {
    sinew_error error;
    sinew_model *model = read_claim(c, packed, packed_size, &error);
    assert_null(model);
    assert_int_equal(error.result, SINEW_ERROR_DATA);
    if (strcmp(error.place, place) != 0 || !strstr(error.message, word)) {
        print_message("%s: %s; expected %s ... %s\n", error.place, error.message, place, word);
        fail();
    }
}

static void counts_and_ids_that_lie_are_refused(void **state) {
    (void)state;
    static const char extension[] = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    for (int edgebreaker = 0; edgebreaker < 2; edgebreaker++) {
        size_t packed_size;
        void *packed = pack(edgebreaker, false, 0, &packed_size);
        claim c = truth;
        c.indices = 3 * TRIANGLES - 3;
        expect(&c, packed, packed_size, extension, "counts");
        c.indices = 3 * TRIANGLES + 3;
        expect(&c, packed, packed_size, extension, "counts");
        c.indices = 3000000000u; /* more than its bytes can hold */
        sinew_error error;
        assert_null(read_claim(&c, packed, packed_size, &error));
        c = truth;
        c.joint_id = 3;
        expect(&c, packed, packed_size,
               "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/JOINTS_0",
               "no attribute of this id");
        c.joint_id = 4294967295u;
        expect(&c, packed, packed_size,
               "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/JOINTS_0",
               "no attribute of this id");
        free(packed);
    }
}

/* The packed mesh is what there is to draw: another count of vertices is told. */
static void another_count_of_vertices_is_mended(void **state) {
    (void)state;
    size_t packed_size, size;
    void *packed = pack(false, false, 0, &packed_size);
    claim c = truth;
    c.vertices = VERTICES + 5;
    void *glb = make_file(&c, packed, packed_size, &size);
    sinew_findings *findings = sinew_findings_create(NULL);
    sinew_error error;
    sinew_model *model = read(glb, size, findings, &error);
    assert_non_null(model);
    assert_int_equal(findings->items[0].code, SINEW_FINDING_COUNT);
    check_mesh(model, 0.0);
    sinew_model_free(model);
    sinew_findings_free(findings);
    free(glb);
    free(packed);
}

static void a_narrower_type_is_not_cut_in_silence(void **state) {
    (void)state;
    size_t packed_size;
    void *packed = pack(false, false, 0, &packed_size);
    claim c = truth;
    c.joint_type = 5121; /* joint 300 has no place in a byte */
    sinew_error error;
    sinew_model *model = read_claim(&c, packed, packed_size, &error);
    assert_null(model);
    free(packed);
}

static void truth_values_are_refused(void **state) {
    (void)state;
    static const uint8_t values[VERTICES][4] = {{1, 0, 63, 1}};
    const test_draco_attribute attributes[] = {
        {0, 5126, 3, positions, 0}, {4, 35670, 4, values, 0}, {4, 5126, 4, weights, 0}};
    const test_draco_mesh mesh = {VERTICES, TRIANGLES, indices[0], attributes, 3, false, false};
    size_t packed_size;
    void *packed = test_draco_encode(&mesh, &packed_size);
    assert_non_null(packed);
    expect(&truth, packed, packed_size,
           "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression/attributes/JOINTS_0",
           "truth values");
    free(packed);
}

/* ---- damage ---- */

static void damaged_bytes_are_survived(void **state) {
    (void)state;
    unsigned refused = 0;
    for (int way = 0; way < 4; way++) {
        size_t packed_size, size;
        void *packed = pack(way & 1, way & 2, 12, &packed_size);
        unsigned char *glb = make_file(&truth, packed, packed_size, &size);
        for (size_t i = size - packed_size; i < size; i++) {
            static const unsigned char masks[] = {0x01, 0x10, 0x80, 0xFF};
            for (size_t m = 0; m < sizeof masks; m++) {
                sinew_error error;
                glb[i] ^= masks[m];
                sinew_model *model = read(glb, size, NULL, &error);
                refused += model == NULL;
                sinew_model_free(model);
                glb[i] ^= masks[m];
            }
        }
        free(glb);
        free(packed);
    }
    assert_true(refused > 100);
}

static void bytes_cut_anywhere_are_refused(void **state) {
    (void)state;
    for (int edgebreaker = 0; edgebreaker < 2; edgebreaker++) {
        size_t packed_size;
        unsigned char *packed = pack(edgebreaker, false, 0, &packed_size);
        for (size_t cut = 0; cut < packed_size; cut++) {
            unsigned char *exact = malloc(cut ? cut : 1);
            memcpy(exact, packed, cut);
            sinew_decoders decoders = {0};
            sinew_codec_fill(&decoders);
            sinew_packed_mesh mesh = {NULL, VERTICES, 3 * TRIANGLES};
            sinew_error error = {SINEW_OK, "", ""};
            sinew_result result = decoders.open_mesh(NULL, exact, cut, &mesh, &error);
            if (result == SINEW_OK) { /* the last bytes may not matter */
                assert_true(mesh.vertex_count <= VERTICES);
                decoders.close_mesh(NULL, &mesh);
            }
            free(exact);
        }
        free(packed);
    }
}

/* ---- memory ---- */

static void every_failed_new_is_told(void **state) {
    (void)state;
    for (int edgebreaker = 0; edgebreaker < 2; edgebreaker++) {
        size_t packed_size, size;
        void *packed = pack(edgebreaker, false, 12, &packed_size);
        void *glb = make_file(&truth, packed, packed_size, &size);
        test_new_fails_after(UINT32_MAX);
        sinew_error error;
        sinew_model_free(read(glb, size, NULL, &error));
        uint32_t calls = test_new_fails_after(UINT32_MAX);
        for (uint32_t after = 0; after < calls; after++) {
            test_new_fails_after(after);
            sinew_model *model = read(glb, size, NULL, &error);
            test_new_fails_after(UINT32_MAX);
            if (model || error.result != SINEW_ERROR_MEMORY) {
                print_message("new number %u: %s\n", after, model ? "a model" : error.message);
                fail();
            }
        }
        free(glb);
        free(packed);
        if (calls == 0) {
            skip(); /* valgrind brings a new of its own */
        }
    }
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    size_t packed_size, size;
    void *packed = pack(true, false, 12, &packed_size);
    void *glb = make_file(&truth, packed, packed_size, &size);
    for (uint32_t after = 0;; after++) {
        test_memory memory = {.fail_after = after};
        sinew_read_options options = {.allocator = test_allocator(&memory)};
        sinew_error error;
        sinew_codec_fill(&options.decoders);
        sinew_model *model = sinew_model_read_memory(glb, size, &options, &error);
        bool done = model != NULL;
        assert_true(done || error.result == SINEW_ERROR_MEMORY);
        sinew_model_free(model);
        assert_int_equal(memory.live, 0);
        if (done) {
            break;
        }
    }
    free(glb);
    free(packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_name_draco),
        cmocka_unit_test(skinned_meshes_come_back),
        cmocka_unit_test(a_flat_grid_is_not_taken_for_a_lie),
        cmocka_unit_test(counts_and_ids_that_lie_are_refused),
        cmocka_unit_test(another_count_of_vertices_is_mended),
        cmocka_unit_test(a_narrower_type_is_not_cut_in_silence),
        cmocka_unit_test(truth_values_are_refused),
        cmocka_unit_test(damaged_bytes_are_survived),
        cmocka_unit_test(bytes_cut_anywhere_are_refused),
        cmocka_unit_test(every_failed_new_is_told),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, make_sheet, NULL);
}
