/* What reading costs is bounded by the size of the file, whatever it says.
 *
 * Each case makes a hostile file of size n and one of twice that. For both, by a counting
 * allocator, the peak of memory stays below 128 MiB and 64 times the size of all files, and
 * for twice the size little more than twice the bytes are asked for. Work that asks for no
 * memory shows in time: the sizes are such that a step too many for each pair of parts would
 * take minutes, and the limit (processor time, so that a loaded machine does not count) is
 * far above what the linear work takes under a sanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SECONDS 5.0
#define FIRST_BYTES ((size_t)128 << 20)
#define BYTES_PER_BYTE 64

/* ---- memory that is counted ---- */

typedef struct tally {
    size_t live, peak, total;
} tally;

static void grow(tally *t, size_t size) {
    t->live += size;
    t->total += size;
    t->peak = t->live > t->peak ? t->live : t->peak;
}

static void *counting_allocate(void *user, size_t size) {
    void *block = malloc(size);
    if (block) {
        grow(user, size);
    }
    return block;
}

static void *counting_resize(void *user, void *block, size_t old_size, size_t new_size) {
    void *grown = realloc(block, new_size);
    if (grown) {
        tally *t = user;
        grow(t, new_size);
        t->live -= old_size;
    }
    return grown;
}

static void counting_release(void *user, void *block, size_t size) {
    ((tally *)user)->live -= size;
    free(block);
}

/* ---- a file in the making ---- */

typedef struct hostile {
    char *text;
    size_t length, capacity;
    uint8_t *bytes; /* every file that it names */
    size_t byte_count;
    size_t packed_bytes; /* that decoders were given to open */
} hostile;

static void put_text(hostile *h, const char *text, size_t length) {
    if (h->length + length > h->capacity) {
        h->capacity = 2 * (h->length + length) + 1024;
        h->text = realloc(h->text, h->capacity);
        assert_non_null(h->text);
    }
    memcpy(h->text + h->length, text, length);
    h->length += length;
}

static void put(hostile *h, const char *format, ...) {
    char piece[1024];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    assert_true(length >= 0 && (size_t)length < sizeof piece);
    put_text(h, piece, (size_t)length);
}

/* `text` count times with commas between; %zu in it is the number. */
static void repeat(hostile *h, size_t count, const char *format) {
    for (size_t i = 0; i < count; i++) {
        put(h, i > 0 ? "," : "");
        put(h, format, i);
    }
}

static void begin(hostile *h) {
    memset(h, 0, sizeof *h);
    put(h, "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_mesh_quantization\"]");
}

/* A buffer of an external file and a view of all of it; the file's bytes to fill. */
static uint8_t *put_buffer(hostile *h, size_t size) {
    h->bytes = calloc(size, 1);
    h->byte_count = size;
    assert_non_null(h->bytes);
    put(h, ",\"buffers\":[{\"byteLength\":%zu,\"uri\":\"a.bin\"}]", size);
    put(h, ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}]", size);
    return h->bytes;
}

/* ---- reading it ---- */

static sinew_result serve(void *user, const char *path, const void **data, size_t *size) {
    hostile *h = user;
    (void)path;
    *data = h->bytes;
    *size = h->byte_count;
    return h->bytes ? SINEW_OK : SINEW_ERROR_FILE;
}

static sinew_result unpack_view(void *user, const sinew_packed_view *view, void *out,
                                sinew_error *error) {
    (void)user;
    (void)error;
    memset(out, 0, view->count * view->stride);
    return SINEW_OK;
}

static sinew_result open_mesh(void *user, const void *data, size_t size, sinew_packed_mesh *mesh,
                              sinew_error *error) {
    (void)data;
    (void)error;
    (void)mesh;
    ((hostile *)user)->packed_bytes += size;
    return SINEW_OK;
}

static sinew_result unpack_attribute(void *user, const sinew_packed_mesh *mesh,
                                     const sinew_packed_attribute *attribute, void *out,
                                     sinew_error *error) {
    (void)user;
    (void)error;
    (void)attribute;
    memset(out, 0, mesh->vertex_count);
    return SINEW_OK;
}

static sinew_result unpack_indices(void *user, const sinew_packed_mesh *mesh, uint32_t *out,
                                   sinew_error *error) {
    (void)user;
    (void)error;
    memset(out, 0, mesh->index_count * sizeof *out);
    return SINEW_OK;
}

static void close_mesh(void *user, sinew_packed_mesh *mesh) {
    (void)user;
    (void)mesh;
}

typedef struct cost {
    size_t size; /* of all files */
    size_t peak, total;
    double seconds;
    char said[48]; /* why it was refused */
} cost;

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static cost read_and_free(hostile *h) {
    tally memory = {0, 0, 0};
    put(h, "}");
    sinew_allocator allocator = {counting_allocate, counting_resize, counting_release, &memory};
    sinew_read_options options = {
        .allocator = allocator,
        .findings = sinew_findings_create(&allocator),
        .files = {serve, NULL, h},
        .decoders = {NULL, unpack_view, open_mesh, unpack_attribute, unpack_indices, close_mesh, h},
        .folder = "",
        .load_images = true};
    assert_non_null(options.findings);
    sinew_error error;
    double start = now();
    sinew_model *model = sinew_model_read_memory(h->text, h->length, &options, &error);
    double seconds = now() - start;
    assert_true(model || error.message[0]);
    assert_true(error.result != SINEW_ERROR_MEMORY && error.result != SINEW_ERROR_ARGUMENT);
    sinew_model_free(model);
    sinew_findings_free(options.findings);
    assert_int_equal(memory.live, 0);
    assert_true(h->packed_bytes <= FIRST_BYTES + BYTES_PER_BYTE * (h->length + h->byte_count));
    cost result = {h->length + h->byte_count, memory.peak, memory.total, seconds, "read"};
    if (error.result != SINEW_OK) {
        snprintf(result.said, sizeof result.said, "%.47s", error.message);
    }
    free(h->text);
    free(h->bytes);
    return result;
}

typedef void maker(hostile *h, size_t n);

static void check_one(const char *name, size_t n, const cost *c) {
    if (getenv("SINEW_COST")) {
        printf("  %-28s n %8zu: %9zu bytes, peak %5.1f MiB, asked %6.1f MiB, %6.3f s, %s\n", name,
               n, c->size, (double)c->peak / 1048576.0, (double)c->total / 1048576.0, c->seconds,
               c->said);
    }
    if (c->peak > FIRST_BYTES + BYTES_PER_BYTE * c->size || c->seconds > MOST_SECONDS) {
        print_message("%s, n = %zu: peak %zu bytes for %zu, %.2f s\n", name, n, c->peak, c->size,
                      c->seconds);
        fail();
    }
}

static void is_bounded(const char *name, maker *make, size_t n) {
    hostile once, twice;
    make(&once, n);
    cost a = read_and_free(&once);
    check_one(name, n, &a);
    make(&twice, 2 * n);
    cost b = read_and_free(&twice);
    check_one(name, 2 * n, &b);
    if (b.total > 3 * a.total + ((size_t)1 << 20)) {
        print_message("%s: twice the size asks for %zu bytes, once for %zu\n", name, b.total,
                      a.total);
        fail();
    }
}

/* ---- accessors without data: a few bytes that say a large number ---- */

static void zero_inverse_binds(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"MAT4\",\"count\":%zu}]", n);
    put(h, ",\"nodes\":[{}],\"skins\":[");
    repeat(h, 100, "{\"joints\":[0],\"inverseBindMatrices\":0}");
    put(h, "]");
}

static void zero_positions(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%zu},", n);
    put(h, "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":%zu}]", n);
    put(h, ",\"meshes\":[{\"primitives\":[");
    repeat(h, 100,
           "{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"TANGENT\":1},"
           "\"targets\":[{\"POSITION\":0}]}");
    put(h, "]}]");
}

static void zero_keys(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%zu},", n);
    put(h, "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%zu},", n);
    put(h, "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":%zu}]", n);
    put(h, ",\"nodes\":[{}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},"
           "{\"input\":0,\"output\":2}],\"channels\":[");
    repeat(h, 10000,
           "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"scale\"}},"
           "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}}");
    put(h, "]}]");
}

static void zero_influences(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":%zu},", n);
    put(h, "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":%zu},", n);
    put(h, "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":%zu}]", n);
    put(h, ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{");
    repeat(h, 400, "\"JOINTS_%zu\":1");
    put(h, ",");
    repeat(h, 400, "\"WEIGHTS_%zu\":2");
    put(h, ",\"POSITION\":0}}]}]");
}

/* ---- data that many parts share ---- */

#define SMALL_VERTICES 300

/* 0 POSITION, 1 JOINTS_0 beyond every skin, 2 WEIGHTS_0. */
static void put_vertices(hostile *h) {
    uint8_t *bytes = put_buffer(h, 12 * SMALL_VERTICES);
    memset(bytes, 0x3F, 12 * SMALL_VERTICES);
    put(h,
        ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%d},"
        "{\"bufferView\":0,\"componentType\":5123,\"type\":\"VEC4\",\"count\":%d},"
        "{\"bufferView\":0,\"componentType\":5121,\"type\":\"VEC4\",\"count\":%d,"
        "\"normalized\":true}]",
        SMALL_VERTICES, SMALL_VERTICES, SMALL_VERTICES);
}

static void put_skins(hostile *h, size_t count) {
    put(h, ",\"skins\":[");
    for (size_t s = 0; s < count; s++) {
        put(h, s > 0 ? ",{\"joints\":[" : "{\"joints\":[");
        repeat(h, s + 1, "%zu");
        put(h, "]}");
    }
    put(h, "],\"nodes\":[");
    repeat(h, count, "{\"mesh\":0,\"skin\":%zu}");
    put(h, "]");
}

static void primitives_by_skins(hostile *h, size_t n) {
    begin(h);
    put_vertices(h);
    put_skins(h, n / 40);
    put(h, ",\"meshes\":[{\"primitives\":[");
    repeat(h, n, "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}");
    put(h, "]}]");
}

/* The same joints with other weights each. */
static void primitives_of_own_weights(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1},"
           "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":1},");
    repeat(h, n, "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":1}");
    put(h, "],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (size_t i = 0; i < n; i++) {
        put(h, "%s{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":%zu}}",
            i > 0 ? "," : "", i + 2);
    }
    put(h, "]}]");
}

/* Pairs of a few accessors: more sources than accessors. */
static void primitives_of_paired_sets(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1},"
           "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":1},");
    repeat(h, 500, "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":1}");
    put(h, "],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (size_t i = 0; i < n; i++) {
        put(h,
            "%s{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"JOINTS_1\":1,"
            "\"WEIGHTS_0\":%zu,\"WEIGHTS_1\":%zu}}",
            i > 0 ? "," : "", i % 500 + 2, i / 500 % 500 + 2);
    }
    put(h, "]}]");
}

static void primitives_by_indices(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, n);
    put(h,
        ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},"
        "{\"bufferView\":0,\"componentType\":5121,\"type\":\"SCALAR\",\"count\":%zu}],"
        "\"meshes\":[{\"primitives\":[",
        n);
    repeat(h, n / 80, "{\"attributes\":{\"POSITION\":0},\"indices\":1}");
    put(h, "]}]");
}

static void primitives_by_colors(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, 12 * n);
    put(h,
        ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\","
        "\"count\":%zu}],\"meshes\":[{\"primitives\":[",
        n);
    repeat(h, n / 10, "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":0}}");
    put(h, "]}]");
}

/* Each target an accessor of its own over the same bytes, which are used in place. */
static void targets_over_the_same_bytes(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, 12 * n);
    put(h, ",\"accessors\":[");
    for (size_t i = 0; i < n / 10; i++) {
        put(h, "%s{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":%zu}",
            i > 0 ? "," : "", n);
    }
    put(h, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[");
    repeat(h, n / 10, "{\"POSITION\":%zu}");
    put(h, "]}]}]");
}

/* NaN in the data that many use. */
static void nonfinite_for_many(hostile *h, size_t n) {
    begin(h);
    memset(put_buffer(h, 12 * n), 0xFF, 12 * n);
    put(h,
        ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\","
        "\"count\":%zu}],\"meshes\":[",
        n);
    repeat(h, n / 4, "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}");
    put(h, "]");
}

/* One sampler of many sound keys for many channels. */
static void channels_by_keys(hostile *h, size_t n) {
    begin(h);
    uint8_t *bytes = put_buffer(h, 20 * n);
    for (size_t i = 0; i < n; i++) {
        memcpy(bytes + 4 * i, &(float){(float)i}, 4);
    }
    put(h,
        ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\","
        "\"count\":%zu},{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,"
        "\"type\":\"VEC4\",\"count\":%zu}],\"nodes\":[",
        n, 4 * n, n);
    repeat(h, n / 4, "{}");
    put(h, "],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[");
    repeat(h, n / 4, "{\"sampler\":0,\"target\":{\"node\":%zu,\"path\":\"rotation\"}}");
    put(h, "]}]");
}

static void sparse_by_accessors(hostile *h, size_t n) {
    begin(h);
    uint8_t *bytes = put_buffer(h, 16 * n);
    for (size_t i = 0; i < n; i++) {
        memcpy(bytes + 4 * i, &(uint32_t){(uint32_t)i}, 4);
    }
    put(h, ",\"accessors\":[");
    for (size_t i = 0; i < n / 4; i++) {
        put(h,
            "%s{\"componentType\":5126,\"type\":\"SCALAR\",\"count\":%zu,\"sparse\":{\"count\":%zu,"
            "\"indices\":{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":0}}}",
            i > 0 ? "," : "", n, n);
    }
    put(h, "]");
}

static void images_of_one_view(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:;base64,", n);
    for (size_t i = 0; i < n; i += 3) {
        put_text(h, "AAAA", 4);
    }
    put(h, "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"images\":[", n);
    repeat(h, n / 20, "{\"bufferView\":0}");
    put(h, "]");
}

static void images_of_files(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, 1000);
    put(h, ",\"images\":[");
    repeat(h, n, "{\"uri\":\"%zu.png\"},{\"uri\":\"a.png\"}");
    put(h, "]");
}

/* ---- packed data ---- */

static void primitives_of_one_draco_view(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, 10 * n);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1}],"
           "\"meshes\":[{\"primitives\":[");
    repeat(h, n,
           "{\"attributes\":{\"NORMAL\":0},\"extensions\":{\"KHR_draco_mesh_compression\":"
           "{\"bufferView\":0,\"attributes\":{\"NORMAL\":0}}}}");
    put(h, "]}]");
}

/* The same with an accessor each. */
static void primitives_of_own_accessors(hostile *h, size_t n) {
    begin(h);
    put_buffer(h, 10 * n);
    put(h, ",\"accessors\":[");
    repeat(h, n, "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1}");
    put(h, "],\"meshes\":[{\"primitives\":[");
    for (size_t i = 0; i < n; i++) {
        put(h,
            "%s{\"attributes\":{\"NORMAL\":%zu},\"extensions\":{\"KHR_draco_mesh_compression\":"
            "{\"bufferView\":0,\"attributes\":{\"NORMAL\":0}}}}",
            i > 0 ? "," : "", i);
    }
    put(h, "]}]");
}

static void views_of_the_same_packed_bytes(hostile *h, size_t n) {
    begin(h);
    h->bytes = calloc(n, 1);
    h->byte_count = n;
    put(h,
        ",\"buffers\":[{\"byteLength\":%zu,\"uri\":\"a.bin\"},{\"byteLength\":1,\"extensions\":"
        "{\"EXT_meshopt_compression\":{}}}],\"bufferViews\":[",
        n);
    for (size_t i = 0; i < n / 50; i++) {
        put(h,
            "%s{\"buffer\":1,\"byteLength\":%zu,\"extensions\":{\"EXT_meshopt_compression\":"
            "{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":4,\"count\":%zu}}}",
            i > 0 ? "," : "", 4 * n, n, n);
    }
    put(h, "]");
}

/* ---- each part with each other ---- */

static void scenes_by_nodes(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"nodes\":[{\"children\":[1]}");
    for (size_t i = 1; i < n; i++) {
        put(h, i + 1 < n ? ",{\"children\":[%zu]}" : ",{}", i + 1);
    }
    put(h, "],\"scenes\":[");
    repeat(h, n, "{\"nodes\":[%zu,0]}");
    put(h, "]");
}

static void nodes_by_primitives(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1},"
           "{\"componentType\":5121,\"type\":\"VEC4\",\"count\":1},"
           "{\"componentType\":5126,\"type\":\"VEC4\",\"count\":1}],"
           "\"skins\":[{\"joints\":[0]}],\"nodes\":[");
    repeat(h, 2 * n, "{\"mesh\":0,\"skin\":0}");
    put(h, "],\"meshes\":[{\"primitives\":[");
    repeat(h, n, "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}");
    put(h, ",{\"attributes\":{\"POSITION\":0}}]}]");
}

static void nodes_by_targets(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"nodes\":[");
    repeat(h, n, "{\"mesh\":0}");
    put(h, "],\"meshes\":[{\"primitives\":[{\"attributes\":{},\"targets\":[");
    repeat(h, 4 * n, "{}");
    put(h, "]}]}]");
}

static void accessors_by_views(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64,AAAAAA==\"}],\"bufferViews\":[");
    repeat(h, 2 * n, "{\"buffer\":0,\"byteLength\":4,\"byteStride\":1}");
    put(h, "],\"accessors\":[");
    for (size_t i = 0; i < n; i++) {
        put(h, "%s{\"bufferView\":%zu,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}",
            i > 0 ? "," : "", 2 * n - 1);
    }
    put(h, "]");
}

/* Channels to the weights of mesh `driven`, nodes of mesh 0. */
static void put_pointers(hostile *h, size_t channels, size_t nodes, const char *pointer) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\",\"count\":1}],"
           "\"nodes\":[");
    repeat(h, nodes, "{\"mesh\":0}");
    put(h, "],\"meshes\":[{\"primitives\":[{\"attributes\":{},\"targets\":[{}]}]},"
           "{\"primitives\":[{\"attributes\":{},\"targets\":[{}]}]}],"
           "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":0}],\"channels\":[");
    for (size_t i = 0; i < channels; i++) {
        put(h,
            "%s{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":"
            "{\"KHR_animation_pointer\":{\"pointer\":\"%s\"}}}}",
            i > 0 ? "," : "", pointer);
    }
    put(h, "]}]");
}

static void pointers_by_nodes(hostile *h, size_t n) {
    put_pointers(h, n, 10 * n, "/meshes/0/weights");
}

static void pointers_past_nodes(hostile *h, size_t n) {
    put_pointers(h, n, 10 * n, "/meshes/1/weights/0");
}

static void animations_by_nodes(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"accessors\":[{\"componentType\":5126,\"type\":\"SCALAR\",\"count\":1},"
           "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":1}],\"nodes\":[");
    repeat(h, 10 * n, "{}");
    put(h, "],\"animations\":[");
    repeat(h, n,
           "{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,"
           "\"target\":{\"node\":%zu,\"path\":\"scale\"}}]}");
    put(h, "]");
}

/* ---- JSON ---- */

static void deep(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"extras\":");
    for (size_t i = 0; i < n; i++) {
        put_text(h, i % 2 ? "[" : "{\"\":", i % 2 ? 1 : 4);
    }
}

static void long_keys(hostile *h, size_t n) {
    begin(h);
    for (int k = 0; k < 4; k++) {
        put(h, ",\"");
        for (size_t i = 0; i < n; i++) {
            put_text(h, "\\u0041", 6);
        }
        put(h, "%d\":0", k);
    }
    put(h, ",\"nodes\":[{\"name\":\"\\n\"}]");
}

static void many_keys(hostile *h, size_t n) {
    begin(h);
    put(h, ",");
    repeat(h, n, "\"k\\t%zu\":0");
    put(h, ",\"nodes\":[{");
    repeat(h, n, "\"name\":\"%zu\"");
    put(h, "}]");
}

static void faults_everywhere(hostile *h, size_t n) {
    begin(h);
    put(h, ",\"nodes\":[");
    repeat(h, n, "{\"mesh\":%zu}");
    put(h, "],\"materials\":[");
    repeat(h, n, "{\"alphaMode\":\"%zu\",\"normalTexture\":{\"index\":1}}");
    put(h, "]");
}

static const char *only; /* the case that is asked for; NULL: all */

#define CASE(make, n) \
    { #make, make, n }

static void every_cost_is_bounded(void **state) {
    (void)state;
    static const struct {
        const char *name;
        maker *make;
        size_t n;
    } cases[] = {
        CASE(zero_inverse_binds, 500000),
        CASE(zero_positions, 1000000),
        CASE(zero_keys, 2000000),
        CASE(zero_influences, 50000),
        CASE(primitives_by_skins, 8000),
        CASE(primitives_of_own_weights, 20000),
        CASE(primitives_of_paired_sets, 20000),
        CASE(primitives_by_indices, 300000),
        CASE(primitives_by_colors, 30000),
        CASE(targets_over_the_same_bytes, 100000),
        CASE(nonfinite_for_many, 50000),
        CASE(channels_by_keys, 50000),
        CASE(sparse_by_accessors, 40000),
        CASE(images_of_one_view, 300000),
        CASE(images_of_files, 20000),
        CASE(primitives_of_one_draco_view, 5000),
        CASE(primitives_of_own_accessors, 5000),
        CASE(views_of_the_same_packed_bytes, 50000),
        CASE(scenes_by_nodes, 30000),
        CASE(nodes_by_primitives, 20000),
        CASE(nodes_by_targets, 20000),
        CASE(accessors_by_views, 10000),
        CASE(pointers_by_nodes, 8000),
        CASE(pointers_past_nodes, 8000),
        CASE(animations_by_nodes, 5000),
        CASE(deep, 300000),
        CASE(long_keys, 100000),
        CASE(many_keys, 30000),
        CASE(faults_everywhere, 15000),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!only || strcmp(only, cases[i].name) == 0) {
            is_bounded(cases[i].name, cases[i].make, cases[i].n);
        }
    }
}

/* SINEW_COST=1 prints every cost; a name as argument runs that case alone. */
int main(int count, char **words) {
    only = count > 1 ? words[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_cost_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
