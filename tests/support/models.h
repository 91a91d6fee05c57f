/* Models built by hand, and chance that repeats, for the unit tests.
 *
 * A test_model grows by the add functions; test_model_done fills in what follows from
 * the rest (order, siblings, places of weights, durations) and hands out the model.
 * Arrays given to an add function are copied. */
#ifndef SINEW_TESTS_MODELS_H
#define SINEW_TESTS_MODELS_H

#include "sinew/model.h"
#include "sinew/pose.h"

#define TEST_MAX_NODES 65600
#define TEST_MAX_PARTS 64

typedef struct test_block test_block;

typedef struct test_model {
    sinew_model model;
    sinew_node nodes[TEST_MAX_NODES];
    uint32_t order[TEST_MAX_NODES];
    sinew_skin skins[TEST_MAX_PARTS];
    sinew_mesh meshes[TEST_MAX_PARTS];
    sinew_clip clips[TEST_MAX_PARTS];
    test_block *blocks;
} test_model;

test_model *test_model_create(void);
void test_model_free(test_model *made);
const sinew_model *test_model_done(test_model *made);

/* A copy that lives as long as the model; NULL gives NULL. */
void *test_keep(test_model *made, const void *bytes, size_t size);

/* A node without turn or scale. Its parent may be added later: any index. */
uint32_t test_add_node(test_model *made, uint32_t parent, float x, float y, float z);
void test_rest_rotation(test_model *made, uint32_t node, float x, float y, float z, float w);
/* A node that stores a matrix. */
void test_rest_matrix(test_model *made, uint32_t node, const float matrix[16]);
void test_rest_scale(test_model *made, uint32_t node, float x, float y, float z);

/* inverse_binds: 16 floats a joint or NULL. */
uint32_t test_add_skin(test_model *made, const uint32_t *joints, uint32_t joint_count,
                       const float *inverse_binds);
/* Inverse binds under which the rest pose is the bind pose. */
void test_bind_at_rest(test_model *made, uint32_t skin);

/* A mesh of one primitive; the arrays in it are kept as they are, not copied. */
uint32_t test_add_mesh(test_model *made, const sinew_primitive *primitive);
/* One more primitive, before test_model_done. */
void test_add_primitive(test_model *made, uint32_t mesh, const sinew_primitive *primitive);
void test_wear(test_model *made, uint32_t node, uint32_t mesh, uint32_t skin);

/* Influences in the asked types; weights as they come out of `weights` times 255, 65535
 * or 1, rounded. */
const sinew_influences *test_influences(test_model *made, uint32_t joint_limit,
                                        uint32_t vertex_count, uint32_t per_vertex,
                                        sinew_component joint_type, sinew_component weight_type,
                                        const uint32_t *joints, const double *weights);

uint32_t test_add_clip(test_model *made, const char *name);
/* values: 3 floats a key, 4 for a rotation, for weights as many as the node's mesh has
 * targets; three times as many with CUBICSPLINE. */
void test_add_channel(test_model *made, uint32_t clip, uint32_t node, sinew_path path,
                      sinew_interpolation interpolation, uint32_t key_count, const float *times,
                      const float *values);

/* ---- chance ---- */

typedef struct test_random {
    uint64_t state;
} test_random;

uint32_t test_random_below(test_random *chance, uint32_t limit);
double test_random_between(test_random *chance, double minimum, double maximum);
void test_random_rotation(test_random *chance, float q[4]);

/* A character at random: `joints` nodes in a tree (some parents behind their children),
 * a skin whose bind pose is the rest pose, and a mesh of `vertices` with normals,
 * tangents, `sets` sets of influences, `targets` morph targets. Node index of the mesh:
 * the last. */
typedef struct test_wish {
    uint64_t seed;
    uint32_t joints, vertices, sets, targets;
    sinew_component weight_type;         /* 0: SINEW_F32 */
    double scale_minimum, scale_maximum; /* of nodes; 0 0: none */
    double offset;                       /* of vertices, from the origin of the bind space */
} test_wish;

test_model *test_random_model(const test_wish *wish);
/* Turns, moves and scales every node at random; morph weights between -1 and 2. */
void test_random_pose(test_random *chance, double scale_minimum, double scale_maximum,
                      sinew_pose *pose);

/* ---- a second opinion, in double ---- */

/* World matrix of a node, by walking up to the root. */
void test_world(const sinew_pose *pose, uint32_t node, double world[16]);
void test_multiply(const double a[16], const double b[16], double out[16]);
bool test_inverse(const double m[16], double out[16]);
void test_trs(const sinew_transform *local, double out[16]);

/* ---- an allocator that counts, and fails on demand ---- */

typedef struct test_memory {
    size_t live;         /* bytes held */
    uint32_t calls;      /* allocations asked for */
    uint32_t fail_after; /* this many succeed; UINT32_MAX: all */
} test_memory;

sinew_allocator test_allocator(test_memory *memory);

#endif
