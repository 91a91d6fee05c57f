/* A primitive under KHR_draco_mesh_compression, through the reader and its guards to the
 * decoder. Input: count of vertices and of triangles (two bytes each), the ids of
 * the attributes, their types, then the packed bytes. */
#include "fuzz.h"

/* Floats, or integers of 8 or 16 bits. */
static void write_accessor(fuzz_text *json, const char *type, unsigned count, unsigned component,
                           bool normalized) {
    fuzz_write(json, "{\"componentType\":%u,\"count\":%u,\"type\":\"%s\",\"normalized\":%s},",
               component, count, type, normalized && component != 5126 ? "true" : "false");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned floats_or_signed[] = {5126, 5120, 5122, 5126};
    static const unsigned floats_or_unsigned[] = {5126, 5121, 5123, 5126};
    fuzz_input input = {data, size};
    unsigned vertices = fuzz_take_u16(&input), triangles = fuzz_take_u16(&input);
    unsigned ids = fuzz_take_u8(&input), types = fuzz_take_u8(&input);
    vertices = vertices ? vertices : 1;
    triangles = triangles ? triangles : 1;
    fuzz_text json = {.length = 0};
    fuzz_write(&json,
               "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],"
               "\"extensionsUsed\":[\"KHR_draco_mesh_compression\",\"KHR_mesh_quantization\"],"
               "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
               "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"accessors\":[",
               input.size, input.size);
    write_accessor(&json, "VEC3", vertices, floats_or_signed[types >> 2 & 3], true);
    write_accessor(&json, "VEC3", vertices, floats_or_signed[types >> 4 & 3], true);
    write_accessor(&json, "VEC4", vertices, types & 2 ? 5123 : 5121, false);
    write_accessor(&json, "VEC4", vertices, floats_or_unsigned[types >> 6 & 3], true);
    fuzz_write(&json, "{\"componentType\":%u,\"count\":%u,\"type\":\"SCALAR\"}",
               types & 1 ? 5123 : 5125, 3 * triangles);
    fuzz_write(&json,
               "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
               "\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":4,\"extensions\":"
               "{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{"
               "\"POSITION\":%u,\"NORMAL\":%u,\"JOINTS_0\":%u,\"WEIGHTS_0\":%u}}}}]}],",
               ids & 3, ids >> 2 & 3, ids >> 4 & 3, ids >> 6 & 3);
    fuzz_write(&json, "\"skins\":[{\"joints\":[0,1]}],\"nodes\":[{},{},{\"mesh\":0,\"skin\":0}],"
                      "\"scenes\":[{\"nodes\":[0,1,2]}]}");
    size_t glb_size;
    uint8_t *glb = fuzz_make_glb(&json, input.data, input.size, &glb_size);
    sinew_model_free(fuzz_read(&(fuzz_reading){glb, glb_size, true, {NULL, 0}}));
    free(glb);
    return 0;
}
