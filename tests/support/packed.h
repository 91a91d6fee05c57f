/* Small packed files, for the tests of the codecs. */
#ifndef SINEW_TESTS_PACKED_H
#define SINEW_TESTS_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A GLB of a JSON text and one buffer, in malloc's memory of exactly *size bytes. */
void *test_glb(const char *json, const void *binary, size_t binary_size, size_t *size);

/* ---- Draco; in builds that have it ---- */

typedef struct test_draco_attribute {
    int kind;              /* of draco::GeometryAttribute::Type: 0 position, 4 generic ... */
    int component_type;    /* of glTF: 5121, 5123, 5126 */
    int width;             /* components of an element */
    const void *values;    /* vertex_count of them */
    int quantisation_bits; /* of floats; 0: kept exactly */
} test_draco_attribute;

typedef struct test_draco_mesh {
    uint32_t vertex_count, triangle_count;
    const uint32_t *indices;
    const test_draco_attribute *attributes; /* get the ids 0, 1 ... */
    uint32_t attribute_count;
    bool edgebreaker; /* else sequential, which keeps the order of the vertices */
    bool metadata;    /* something that goes before the counts */
} test_draco_mesh;

/* In malloc's memory; NULL where Draco refuses. */
void *test_draco_encode(const test_draco_mesh *from, size_t *size);

/* From now on the first `count` calls of C++'s new succeed and the next one throws;
 * UINT32_MAX: all succeed. Returns how many calls there were since the last time. */
uint32_t test_new_fails_after(uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
