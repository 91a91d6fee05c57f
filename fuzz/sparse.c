/* Accessors, plain and sparse: a model that is sound as long as the input is zeros, whose
 * accessors the input changes. Input: the count of vertices, eight bytes an accessor
 * (see read_change), then the bytes of the buffer. */
#include "fuzz.h"

#include <string.h>

#define BUFFER 1024u
#define ACCESSORS 10u

/* What a sound accessor is: `count` 0 means as many as there are vertices. */
typedef struct role {
    const char *type;
    unsigned component, count, width;
} role;

static const role roles[ACCESSORS] = {
    {"VEC3", 5126, 0, 12},   /* 0 POSITION */
    {"VEC3", 5126, 0, 12},   /* 1 NORMAL */
    {"VEC4", 5121, 0, 4},    /* 2 JOINTS_0 */
    {"VEC4", 5126, 0, 16},   /* 3 WEIGHTS_0 */
    {"SCALAR", 5121, 12, 1}, /* 4 indices */
    {"MAT4", 5126, 2, 64},   /* 5 inverseBindMatrices */
    {"VEC3", 5126, 0, 12},   /* 6 POSITION of the target */
    {"SCALAR", 5126, 3, 4},  /* 7 key times */
    {"VEC4", 5126, 3, 16},   /* 8 rotations */
    {"SCALAR", 5126, 3, 4},  /* 9 weights */
};

static const unsigned components[] = {5120, 5121, 5122, 5123, 5125, 5126, 5124, 0};
static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4",
                                    "MAT2",   "MAT3", "MAT4", "VEC5"};

/* How the input changes one accessor. */
typedef struct change {
    uint8_t
        flags; /* 1 component, 2 type, 4 count, 8 offset, 16 sparse, 32 no view, 64 normalised */
    uint8_t component, type, count, offset, sparse_count, sparse_places, sparse_component;
} change;

static change read_change(fuzz_input *input) {
    change c;
    c.flags = fuzz_take_u8(input);
    c.component = fuzz_take_u8(input);
    c.type = fuzz_take_u8(input);
    c.count = fuzz_take_u8(input);
    c.offset = fuzz_take_u8(input);
    c.sparse_count = fuzz_take_u8(input);
    c.sparse_places = fuzz_take_u8(input);
    c.sparse_component = fuzz_take_u8(input);
    return c;
}

static void write_sparse(fuzz_text *json, const change *c) {
    fuzz_write(json,
               ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,\"byteOffset\":%u,"
               "\"componentType\":%u},\"values\":{\"bufferView\":%u,\"byteOffset\":%u}}",
               c->sparse_count, c->sparse_places & 3, (c->sparse_places >> 2 & 7) * 4u,
               components[c->sparse_component & 7], c->sparse_places >> 5 & 3,
               (c->sparse_component >> 3) * 8u);
}

static void write_accessor(fuzz_text *json, const role *is, const change *c, unsigned vertices,
                           unsigned *place) {
    unsigned count = c->flags & 4 ? c->count : is->count ? is->count : vertices;
    unsigned view = c->flags & 8 ? c->offset & 3 : 0;
    unsigned offset = c->flags & 8 ? (c->offset >> 2) * 4u : *place;
    fuzz_write(json, "{\"componentType\":%u,\"type\":\"%s\",\"count\":%u",
               c->flags & 1 ? components[c->component & 7] : is->component,
               c->flags & 2 ? types[c->type & 7] : is->type, count);
    if (!(c->flags & 32)) {
        fuzz_write(json, ",\"bufferView\":%u,\"byteOffset\":%u", view, offset);
    }
    if (c->flags & 64) {
        fuzz_write(json, ",\"normalized\":true");
    }
    if (c->flags & 16) {
        write_sparse(json, c);
    }
    fuzz_write(json, "}");
    *place += (is->width * (is->count ? is->count : vertices) + 3) & ~3u;
}

static const char rest[] =
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":1024},"
    "{\"buffer\":0,\"byteOffset\":64,\"byteLength\":256,\"byteStride\":16},"
    "{\"buffer\":0,\"byteOffset\":960,\"byteLength\":64},"
    "{\"buffer\":0,\"byteOffset\":2,\"byteLength\":1022,\"byteStride\":68}],"
    "\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
    "\"extensionsRequired\":[\"KHR_mesh_quantization\"],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,"
    "\"WEIGHTS_0\":3},\"indices\":4,\"targets\":[{\"POSITION\":6}]}]}],"
    "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":5}],"
    "\"nodes\":[{\"children\":[1]},{\"translation\":[0,1,0]},{\"mesh\":0,\"skin\":0}],"
    "\"scenes\":[{\"nodes\":[0,2]}],\"buffers\":[{\"byteLength\":1024}],"
    "\"animations\":[{\"samplers\":[{\"input\":7,\"output\":8},{\"input\":7,\"output\":9}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}]}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    unsigned vertices = 1 + fuzz_take_u8(&input) % 8u, place = 0;
    fuzz_text json = {.length = 0};
    fuzz_write(&json, "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[");
    for (unsigned i = 0; i < ACCESSORS; i++) {
        change c = read_change(&input);
        fuzz_write(&json, i > 0 ? "," : "");
        write_accessor(&json, &roles[i], &c, vertices, &place);
    }
    fuzz_write(&json, "],%s", rest);
    uint8_t buffer[BUFFER] = {0};
    memcpy(buffer, input.data, input.size < BUFFER ? input.size : BUFFER);
    size_t glb_size;
    uint8_t *glb = fuzz_make_glb(&json, buffer, sizeof buffer, &glb_size);
    sinew_model *model = fuzz_read(&(fuzz_reading){glb, glb_size, false, {NULL, 0}});
    free(glb);
    if (model) {
        fuzz_animate(model);
    }
    sinew_model_free(model);
    return 0;
}
