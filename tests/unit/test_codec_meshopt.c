/* codec: EXT_meshopt_compression and KHR_meshopt_compression, packed by meshoptimizer. */
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
#include <meshoptimizer.h>

#define SIDE 20u /* a sheet of SIDE * SIDE vertices: more than a block of 256 */
#define VERTICES (SIDE * SIDE)
#define INDICES (6 * (SIDE - 1) * (SIDE - 1))

/* ---- a file that grows view by view ---- */

typedef struct file {
    const char *extension;
    char views[8192], accessors[4096];
    unsigned view_count, accessor_count;
    unsigned char packed[1 << 17];
    size_t packed_size;
    size_t virtual_size; /* of the buffer without data */
} file;

static file *file_create(const char *extension) {
    file *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->extension = extension;
    return f;
}

#define ADD(text, ...) snprintf((text) + strlen(text), sizeof(text) - strlen(text), __VA_ARGS__)

/* Packed bytes that stand at the end of f->packed become a view. */
static unsigned end_view(file *f, size_t bytes, size_t count, size_t stride, const char *mode,
                         const char *filter) {
    char pace[32] = "";
    if (mode[0] == 'A') {
        snprintf(pace, sizeof pace, ",\"byteStride\":%zu", stride);
    }
    ADD(f->views,
        "%s{\"buffer\":1,\"byteOffset\":%zu,\"byteLength\":%zu%s,\"extensions\":{\"%s\":{"
        "\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%zu,\"count\":%zu,"
        "\"mode\":\"%s\",\"filter\":\"%s\"}}}",
        f->view_count ? "," : "", f->virtual_size, count * stride, pace, f->extension,
        f->packed_size, bytes, stride, count, mode, filter);
    f->packed_size += (bytes + 3) / 4 * 4;
    f->virtual_size += (count * stride + 3) / 4 * 4;
    return f->view_count++;
}

static unsigned char *end_of(file *f) {
    return f->packed + f->packed_size;
}

static size_t room_of(const file *f) {
    return sizeof f->packed - f->packed_size;
}

static unsigned add_attributes(file *f, const void *elements, size_t count, size_t stride,
                               const char *filter) {
    size_t bytes = meshopt_encodeVertexBuffer(end_of(f), room_of(f), elements, count, stride);
    assert_true(bytes > 0);
    return end_view(f, bytes, count, stride, "ATTRIBUTES", filter);
}

static unsigned add_indices(file *f, const unsigned *indices, size_t count, size_t stride,
                            bool triangles) {
    size_t bytes = triangles ? meshopt_encodeIndexBuffer(end_of(f), room_of(f), indices, count)
                             : meshopt_encodeIndexSequence(end_of(f), room_of(f), indices, count);
    assert_true(bytes > 0);
    return end_view(f, bytes, count, stride, triangles ? "TRIANGLES" : "INDICES", "NONE");
}

static unsigned add_accessor(file *f, unsigned view, int component_type, bool normalized,
                             const char *type, size_t count) {
    ADD(f->accessors,
        "%s{\"bufferView\":%u,\"componentType\":%d,\"normalized\":%s,\"type\":\"%s\","
        "\"count\":%zu}",
        f->accessor_count ? "," : "", view, component_type, normalized ? "true" : "false", type,
        count);
    return f->accessor_count++;
}

/* The whole file; rest: members of the root that use the accessors. */
static void *finish(const file *f, const char *rest, size_t *size) {
    static char json[16384];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},"
             "\"extensionsUsed\":[\"KHR_mesh_quantization\",\"%s\"],"
             "\"extensionsRequired\":[\"KHR_mesh_quantization\",\"%s\"],"
             "\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":%zu,\"extensions\":"
             "{\"%s\":{\"fallback\":true}}}],"
             "\"bufferViews\":[%s],\"accessors\":[%s],%s}",
             f->extension, f->extension, f->packed_size, f->virtual_size, f->extension, f->views,
             f->accessors, rest);
    assert_true(strlen(json) + 1 < sizeof json);
    return test_glb(json, f->packed, f->packed_size, size);
}

static sinew_model *read(const void *glb, size_t size, sinew_error *error) {
    sinew_read_options options = {.strict = false};
    sinew_codec_fill(&options.decoders);
    return sinew_model_read_memory(glb, size, &options, error);
}

static sinew_model *read_finished(const file *f, const char *rest, sinew_error *error) {
    size_t size;
    void *glb = finish(f, rest, &size);
    sinew_model *model = read(glb, size, error);
    free(glb);
    return model;
}

static sinew_model *need(sinew_model *model, const sinew_error *error) {
    if (!model) {
        print_message("%s: %s\n", error->place, error->message);
        fail();
    }
    return model;
}

/* ---- what is packed ---- */

static float positions[VERTICES][3], directions[VERTICES][4], rotations[VERTICES][4];
static unsigned triangles[INDICES];

static int make_sheet(void **state) {
    (void)state;
    test_random chance = {7};
    for (unsigned i = 0; i < VERTICES; i++) {
        unsigned x = i % SIDE, y = i / SIDE;
        positions[i][0] = 0.1f * (float)x;
        positions[i][1] = 0.1f * (float)y;
        positions[i][2] = (float)test_random_between(&chance, -3.0, 3.0);
        test_random_rotation(&chance, rotations[i]);
        float square = 0.0f;
        for (int c = 0; c < 3; c++) {
            directions[i][c] = rotations[i][c];
            square += rotations[i][c] * rotations[i][c];
        }
        for (int c = 0; c < 3; c++) {
            directions[i][c] /= sqrtf(square);
        }
        directions[i][3] = i % 2 ? 1.0f : -1.0f;
    }
    unsigned n = 0;
    for (unsigned i = 0; i < VERTICES; i++) {
        if (i % SIDE < SIDE - 1 && i / SIDE < SIDE - 1) {
            const unsigned quad[6] = {i, i + 1, i + SIDE, i + SIDE, i + 1, i + SIDE + 1};
            memcpy(triangles + n, quad, sizeof quad);
            n += 6;
        }
    }
    return n == INDICES ? 0 : -1;
}

static unsigned add_positions(file *f, int exponent_bits) {
    static unsigned char packed[VERTICES * 12];
    if (exponent_bits) {
        meshopt_encodeFilterExp(packed, VERTICES, 12, exponent_bits, positions[0]);
    } else {
        memcpy(packed, positions, sizeof packed);
    }
    unsigned view = add_attributes(f, packed, VERTICES, 12, exponent_bits ? "EXPONENTIAL" : "NONE");
    return add_accessor(f, view, 5126, false, "VEC3", VERTICES);
}

static unsigned add_directions(file *f, size_t stride, int bits, const char *type) {
    static unsigned char packed[VERTICES * 8];
    meshopt_encodeFilterOct(packed, VERTICES, stride, bits, directions[0]);
    unsigned view = add_attributes(f, packed, VERTICES, stride, "OCTAHEDRAL");
    return add_accessor(f, view, stride == 4 ? 5120 : 5122, true, type, VERTICES);
}

static void check_floats(const float *have, const float *want, size_t count, size_t width,
                         size_t want_width, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < width; c++) {
            double a = (double)have[i * width + c], b = (double)want[i * want_width + c];
            if (!(fabs(a - b) <= tolerance)) {
                print_message("element %zu, component %zu: %g, expected %g\n", i, c, a, b);
                fail();
            }
        }
    }
}

/* ---- every mode and filter ---- */

static void every_mode_and_stride_comes_back(void **state) {
    (void)state;
    sinew_decoders decoders = {0};
    sinew_codec_fill(&decoders);
    test_random chance = {11};
    static unsigned char elements[VERTICES * 256], out[VERTICES * 256], packed[1 << 18];
    for (size_t i = 0; i < sizeof elements; i++) {
        elements[i] = (unsigned char)test_random_below(&chance, i % 3 ? 8 : 256);
    }
    for (size_t stride = 4; stride <= 256; stride += 4) {
        for (size_t count = 1; count <= VERTICES; count += count == 1 ? 254 : VERTICES - 255) {
            size_t bytes =
                meshopt_encodeVertexBuffer(packed, sizeof packed, elements, count, stride);
            sinew_packed_view view = {
                packed, bytes, count, stride, SINEW_PACKED_ATTRIBUTES, SINEW_FILTER_NONE};
            assert_true(decoders.view_is_plausible(NULL, &view));
            assert_int_equal(decoders.decode_view(NULL, &view, out, NULL), SINEW_OK);
            assert_memory_equal(out, elements, count * stride);
        }
    }
}

static void check_triangles(const sinew_primitive *p) {
    assert_int_equal(p->index_count, INDICES);
    for (unsigned t = 0; t < INDICES; t += 3) { /* the codec may begin at another corner */
        unsigned shift = 0;
        while (shift < 3 && p->indices[t + shift] != triangles[t]) {
            shift++;
        }
        for (unsigned c = 0; c < 3; c++) {
            assert_int_equal(p->indices[t + (shift + c) % 3], triangles[t + c]);
        }
    }
}

/* A mesh under all filters, by one of the two names of the extension. */
static void check_mesh(const char *extension) {
    file *f = file_create(extension);
    unsigned exact = add_positions(f, 0), rough = add_positions(f, 15);
    unsigned small = add_directions(f, 4, 8, "VEC3"), fine = add_directions(f, 8, 16, "VEC3");
    unsigned tangents = add_directions(f, 8, 16, "VEC4");
    unsigned even[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned view = add_indices(f, triangles, INDICES, i ? 4 : 2, true);
        even[i] = add_accessor(f, view, i ? 5125 : 5123, false, "SCALAR", INDICES);
    }
    unsigned lines[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned view = add_indices(f, triangles, INDICES, i ? 4 : 2, false);
        lines[i] = add_accessor(f, view, i ? 5125 : 5123, false, "SCALAR", INDICES);
    }
    char rest[1024];
    snprintf(rest, sizeof rest,
             "\"meshes\":[{\"primitives\":["
             "{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u},\"indices\":%u},"
             "{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u,\"TANGENT\":%u},\"indices\":%u},"
             "{\"attributes\":{\"POSITION\":%u},\"indices\":%u,\"mode\":1},"
             "{\"attributes\":{\"POSITION\":%u},\"indices\":%u,\"mode\":1}]}]",
             exact, small, even[0], rough, fine, tangents, even[1], exact, lines[0], exact,
             lines[1]);
    sinew_error error;
    sinew_model *model = need(read_finished(f, rest, &error), &error);
    const sinew_primitive *p = model->meshes[0].primitives;
    check_floats(p[0].positions, positions[0], VERTICES, 3, 3, 0.0);
    check_floats(p[1].positions, positions[0], VERTICES, 3, 3, 3.0 / (1 << 13));
    check_floats(p[0].normals, directions[0], VERTICES, 3, 4, 2.0 / 127.0);
    check_floats(p[1].normals, directions[0], VERTICES, 3, 4, 3.0 / 32767.0);
    check_floats(p[1].tangents, directions[0], VERTICES, 4, 4, 3.0 / 32767.0);
    check_triangles(&p[0]);
    check_triangles(&p[1]);
    for (unsigned i = 2; i < 4; i++) { /* a sequence keeps its order */
        assert_int_equal(p[i].index_count, INDICES);
        assert_memory_equal(p[i].indices, triangles, sizeof triangles);
    }
    sinew_model_free(model);
    free(f);
}

static void meshes_under_both_names_come_back(void **state) {
    (void)state;
    check_mesh("EXT_meshopt_compression");
    check_mesh("KHR_meshopt_compression");
}

static void clips_come_back(void **state) {
    (void)state;
    static float times[VERTICES];
    static unsigned char packed[VERTICES * 8];
    file *f = file_create("EXT_meshopt_compression");
    for (unsigned i = 0; i < VERTICES; i++) {
        times[i] = (float)i / 64.0f;
    }
    unsigned keys = add_accessor(f, add_attributes(f, times, VERTICES, 4, "NONE"), 5126, false,
                                 "SCALAR", VERTICES);
    meshopt_encodeFilterQuat(packed, VERTICES, 8, 16, rotations[0]);
    unsigned turns = add_accessor(f, add_attributes(f, packed, VERTICES, 8, "QUATERNION"), 5122,
                                  true, "VEC4", VERTICES);
    unsigned moves = add_positions(f, 24);
    char rest[512];
    snprintf(rest, sizeof rest,
             "\"nodes\":[{}],\"animations\":[{\"samplers\":[{\"input\":%u,\"output\":%u},"
             "{\"input\":%u,\"output\":%u}],\"channels\":["
             "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
             "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}]}]",
             keys, turns, keys, moves);
    sinew_error error;
    sinew_model *model = need(read_finished(f, rest, &error), &error);
    const sinew_channel *channels = model->clips[0].channels;
    check_floats(channels[0].times, times, VERTICES, 1, 1, 0.0);
    for (unsigned i = 0; i < VERTICES; i++) { /* q and -q are the same rotation */
        const float *q = channels[0].values + 4 * (size_t)i;
        double dot = 0.0;
        for (int c = 0; c < 4; c++) {
            dot += (double)q[c] * (double)rotations[i][c];
        }
        assert_true(fabs(dot) > 1.0 - 1e-4);
    }
    check_floats(channels[1].values, positions[0], VERTICES, 3, 3, 1e-5);
    sinew_model_free(model);
    free(f);
}

/* By hand, from appendix B of KHR_meshopt_compression: with the top bit of alpha at the
 * top of the component, R = Y + Co - Cg, G = Y + Cg, B = Y - Co - Cg. */
static void colors_of_the_newer_extension_come_back(void **state) {
    (void)state;
    static const unsigned char packed[4][4] = {{100, 20, 10, 0x80 | 100},
                                               {255, 0, 0, 0x80 | 127},
                                               {0, 0, 0, 0x80},
                                               {50, 256 - 50, 256 - 10, 0x80 | 1}};
    static const float colors[4][4] = {
        {110, 110, 70, 200}, {255, 255, 255, 255}, {0, 0, 0, 0}, {10, 40, 110, 3}};
    file *f = file_create("KHR_meshopt_compression");
    unsigned at =
        add_accessor(f, add_attributes(f, positions, 4, 12, "NONE"), 5126, false, "VEC3", 4);
    unsigned color =
        add_accessor(f, add_attributes(f, packed, 4, 4, "COLOR"), 5121, true, "VEC4", 4);
    char rest[256];
    snprintf(rest, sizeof rest,
             "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":%u,"
             "\"COLOR_0\":%u}}]}]",
             at, color);
    sinew_error error;
    sinew_model *model = need(read_finished(f, rest, &error), &error);
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 4; c++) {
            float have = model->meshes[0].primitives[0].colors[4 * i + c] * 255.0f;
            assert_true(fabsf(have - colors[i][c]) <= 1.01f);
        }
    }
    sinew_model_free(model);
    free(f);
}

/* ---- what is newer, damaged or a lie ---- */

/* A file with one view of positions, drawn as points. */
static file *file_of_points(void) {
    file *f = file_create("EXT_meshopt_compression");
    add_positions(f, 0);
    return f;
}

static const char points[] =
    "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0}}]}]";

static void a_newer_codec_is_named(void **state) {
    (void)state;
    file *f = file_of_points();
    sinew_error error;
    f->packed[0] = 0xA1;
    assert_null(read_finished(f, points, &error));
    assert_int_equal(error.result, SINEW_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "vertex codec of version 1"));
    assert_string_equal(error.place, "/bufferViews/0/extensions/EXT_meshopt_compression");
    /* What a newer version can pack into a byte is not known: its name comes first. */
    sinew_decoders decoders = {0};
    sinew_codec_fill(&decoders);
    const sinew_packed_view dense = {f->packed,        1, 100000, 12, SINEW_PACKED_ATTRIBUTES,
                                     SINEW_FILTER_NONE};
    assert_true(decoders.view_is_plausible(NULL, &dense));
    f->packed[0] = 0x50; /* no codec at all */
    assert_false(decoders.view_is_plausible(NULL, &dense));
    assert_null(read_finished(f, points, &error));
    assert_int_equal(error.result, SINEW_ERROR_DATA);
    free(f);
}

static void unknown_words_are_unsupported(void **state) {
    (void)state;
    static const char *const words[][2] = {{"ATTRIBUTES", "ATTRIBUTED"}, {"NONE", "SOME"}};
    for (int i = 0; i < 2; i++) {
        file *f = file_of_points();
        sinew_error error;
        char *at = strstr(f->views, words[i][0]);
        assert_non_null(at);
        memcpy(at, words[i][1], strlen(words[i][1]));
        assert_null(read_finished(f, points, &error));
        assert_int_equal(error.result, SINEW_ERROR_UNSUPPORTED);
        free(f);
    }
}

/* Replaces the text of f->views between two marks. */
static void lie(file *f, const char *truth, const char *lie_for_it) {
    char *at = strstr(f->views, truth);
    assert_non_null(at);
    char tail[sizeof f->views];
    snprintf(tail, sizeof tail, "%s", at + strlen(truth));
    snprintf(at, sizeof f->views - (size_t)(at - f->views), "%s%s", lie_for_it, tail);
}

/* Counts that the bytes cannot hold are refused before memory is taken for them. */
static void counts_that_lie_take_no_memory(void **state) {
    (void)state;
    static const struct {
        const char *truth, *lie;
    } lies[] = {
        {"\"count\":400", "\"count\":401"},
        {"\"count\":400", "\"count\":0"},
        {"\"count\":400", "\"count\":4294967296"},
        {"\"byteStride\":12,\"count\"", "\"byteStride\":0,\"count\""},
        {"\"byteStride\":12,\"count\"", "\"byteStride\":10,\"count\""},
        {"\"byteStride\":12,\"count\"", "\"byteStride\":260,\"count\""},
        {"\"buffer\":0", "\"buffer\":1"},
        {"\"buffer\":0", "\"buffer\":2"},
        {"\"mode\":\"ATTRIBUTES\"", "\"mode\":\"TRIANGLES\""},
        {"\"filter\":\"NONE\"", "\"filter\":\"QUATERNION\""},
        {"\"filter\":\"NONE\"", "\"filter\":\"OCTAHEDRAL\""},
        {"\"filter\":\"NONE\"", "\"filter\":\"COLOR\""},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        file *f = file_of_points();
        sinew_error error;
        lie(f, lies[i].truth, lies[i].lie);
        sinew_model *model = read_finished(f, points, &error);
        if (model) {
            print_message("believed: %s\n", lies[i].lie);
            fail();
        }
        free(f);
    }
    file *f = file_of_points();
    lie(f, "\"byteLength\":4800", "\"byteLength\":2400000000");
    lie(f, "\"count\":400", "\"count\":200000000");
    f->virtual_size = 2400000000u;
    sinew_error error;
    test_memory memory = {.fail_after = UINT32_MAX};
    sinew_read_options options = {.allocator = test_allocator(&memory)};
    sinew_codec_fill(&options.decoders);
    size_t size;
    void *glb = finish(f, points, &size);
    assert_null(sinew_model_read_memory(glb, size, &options, &error));
    assert_int_equal(error.result, SINEW_ERROR_DATA);
    assert_non_null(strstr(error.message, "cannot hold"));
    assert_int_equal(memory.live, 0);
    free(glb);
    free(f);
}

static void cut_and_damaged_bytes_are_survived(void **state) {
    (void)state;
    file *f = file_create("EXT_meshopt_compression");
    unsigned at = add_positions(f, 15), normal = add_directions(f, 4, 8, "VEC3");
    unsigned index =
        add_accessor(f, add_indices(f, triangles, 600, 4, true), 5125, false, "SCALAR", 600);
    char rest[256];
    snprintf(rest, sizeof rest,
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u},"
             "\"indices\":%u}]}]",
             at, normal, index);
    size_t size;
    unsigned char *glb = finish(f, rest, &size);
    size_t start = size - f->packed_size;
    unsigned refused = 0;
    for (size_t i = start; i < size; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            glb[i] ^= (unsigned char)(1 << bit);
            sinew_error error;
            sinew_model *model = read(glb, size, &error);
            refused += model == NULL;
            sinew_model_free(model);
            glb[i] ^= (unsigned char)(1 << bit);
        }
    }
    assert_true(refused > 0); /* others are other values: there is no checksum */
    free(glb);
    free(f);
    sinew_decoders decoders = {0};
    sinew_codec_fill(&decoders);
    f = file_of_points();
    size_t whole = f->packed_size;
    for (size_t cut = 0; cut + 4 <= whole; cut++) { /* rounded up to 4 above */
        unsigned char *exact = malloc(cut ? cut : 1), out[VERTICES * 12];
        memcpy(exact, f->packed, cut);
        sinew_packed_view view = {
            exact, cut, VERTICES, 12, SINEW_PACKED_ATTRIBUTES, SINEW_FILTER_NONE};
        if (decoders.view_is_plausible(NULL, &view)) {
            assert_int_equal(decoders.decode_view(NULL, &view, out, NULL), SINEW_ERROR_DATA);
        }
        free(exact);
    }
    free(f);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    file *f = file_of_points();
    size_t size;
    void *glb = finish(f, points, &size);
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
    free(f);
}

/* ---- fallback ---- */

/* A buffer that has the data plainly needs no decoder. */
static void plain_data_is_used_where_it_is(void **state) {
    (void)state;
    char json[1024];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
             "\"buffers\":[{\"byteLength\":36}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"extensions\":"
             "{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":36,\"byteStride\":12,"
             "\"count\":3,\"mode\":\"ATTRIBUTES\"}}}],"
             "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\","
             "\"count\":3}],%s}",
             points);
    size_t size;
    void *glb = test_glb(json, positions, 36, &size);
    sinew_error error;
    sinew_model *model = need(sinew_model_read_memory(glb, size, NULL, &error), &error);
    check_floats(model->meshes[0].primitives[0].positions, positions[0], 3, 3, 3, 0.0);
    sinew_model_free(model);
    free(glb);
}

/* A view of such a buffer that is not packed has no data; whoever uses it is refused. */
static void a_fallback_buffer_has_no_data(void **state) {
    (void)state;
    file *f = file_of_points();
    sinew_error error;
    ADD(f->views, ",{\"buffer\":1,\"byteLength\":4800}");
    sinew_model *model = need(read_finished(f, points, &error), &error);
    sinew_model_free(model);
    f->accessors[0] = '\0';
    f->accessor_count = 0;
    add_accessor(f, 1, 5126, false, "VEC3", VERTICES);
    assert_null(read_finished(f, points, &error));
    assert_string_equal(error.place, "/accessors/0");
    f->accessors[0] = '\0';
    ADD(f->accessors, "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":400,\"sparse\":{"
                      "\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5125},"
                      "\"values\":{\"bufferView\":0}}}");
    assert_null(read_finished(f, points, &error));
    assert_string_equal(error.place, "/accessors/0/sparse/indices");
    free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_and_stride_comes_back),
        cmocka_unit_test(meshes_under_both_names_come_back),
        cmocka_unit_test(clips_come_back),
        cmocka_unit_test(colors_of_the_newer_extension_come_back),
        cmocka_unit_test(a_newer_codec_is_named),
        cmocka_unit_test(unknown_words_are_unsupported),
        cmocka_unit_test(counts_that_lie_take_no_memory),
        cmocka_unit_test(cut_and_damaged_bytes_are_survived),
        cmocka_unit_test(every_failed_allocation_is_told),
        cmocka_unit_test(plain_data_is_used_where_it_is),
        cmocka_unit_test(a_fallback_buffer_has_no_data),
    };
    return cmocka_run_group_tests(tests, make_sheet, NULL);
}
