/* Buffer views under EXT_meshopt_compression, through the reader and its guards to the
 * decoder. Input: mode and filter, stride, count (two bytes), then the packed bytes. The
 * view is what a primitive stands on, so what was decoded is drawn. */
#include "fuzz.h"

static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", "POINTS"};
static const char *const filters[] = {"NONE",  "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL",
                                      "COLOR", "NONE",       "NONE",       "OTHER"};

/* Whoever uses the elements, by their size. */
static void write_accessors(fuzz_text *json, unsigned mode, unsigned stride, unsigned count) {
    if (mode != 0) {
        fuzz_write(json, "{\"bufferView\":0,\"componentType\":%u,\"count\":%u,\"type\":\"SCALAR\"}",
                   stride == 2 ? 5123u : 5125u, count);
        fuzz_write(json, ",{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}", 300u);
        return;
    }
    unsigned component = stride >= 12 ? 5126u : stride >= 8 ? 5122u : 5120u;
    fuzz_write(json, "{\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}");
    fuzz_write(json,
               ",{\"bufferView\":0,\"componentType\":%u,\"count\":%u,\"type\":\"VEC3\","
               "\"normalized\":%s}",
               component, count, component == 5126u ? "false" : "true");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    unsigned kind = fuzz_take_u8(&input), stride = fuzz_take_u8(&input);
    unsigned count = fuzz_take_u16(&input) & 0x3FFF;
    stride = kind & 64 ? stride : (stride + 3u) / 4u * 4u;
    fuzz_text json = {.length = 0};
    fuzz_write(&json,
               "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu},"
               "{\"byteLength\":%u,\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":"
               "true}}}],\"extensionsUsed\":[\"EXT_meshopt_compression\","
               "\"KHR_mesh_quantization\"],\"extensionsRequired\":[\"EXT_meshopt_compression\","
               "\"KHR_mesh_quantization\"],",
               input.size, stride * count);
    fuzz_write(&json,
               "\"bufferViews\":[{\"buffer\":1,\"byteLength\":%u,%s\"extensions\":"
               "{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":%u,"
               "\"count\":%u,\"mode\":\"%s\",\"filter\":\"%s\"}}}],\"accessors\":[",
               stride * count, "", input.size, stride, count, modes[kind & 3],
               filters[kind >> 2 & 7]);
    write_accessors(&json, kind & 3, stride, count);
    fuzz_write(&json, "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},"
                      "\"indices\":0}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]}");
    size_t glb_size;
    uint8_t *glb = fuzz_make_glb(&json, input.data, input.size, &glb_size);
    sinew_model_free(fuzz_read(&(fuzz_reading){glb, glb_size, true, {NULL, 0}}));
    free(glb);
    return 0;
}
