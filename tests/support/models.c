#include "models.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

struct test_block {
    test_block *next;
    max_align_t bytes[];
};

static void *need(void *block) {
    if (!block) {
        fprintf(stderr, "no memory for a test\n");
        abort();
    }
    return block;
}

void *test_keep(test_model *made, const void *bytes, size_t size) {
    if (!bytes) {
        return NULL;
    }
    test_block *block = need(malloc(sizeof *block + size));
    block->next = made->blocks;
    made->blocks = block;
    memcpy(block->bytes, bytes, size);
    return block->bytes;
}

test_model *test_model_create(void) {
    test_model *made = need(calloc(1, sizeof *made));
    made->model.generator = "";
    made->model.nodes = made->nodes;
    made->model.node_order = made->order;
    made->model.skins = made->skins;
    made->model.meshes = made->meshes;
    made->model.clips = made->clips;
    made->model.default_scene = SINEW_NONE;
    return made;
}

void test_model_free(test_model *made) {
    if (!made) {
        return;
    }
    while (made->blocks) {
        test_block *next = made->blocks->next;
        free(made->blocks);
        made->blocks = next;
    }
    free(made);
}

/* ---- parts ---- */

uint32_t test_add_node(test_model *made, uint32_t parent, float x, float y, float z) {
    uint32_t index = made->model.node_count++;
    sinew_node *node = &made->nodes[index];
    char name[32];
    snprintf(name, sizeof name, "node%u", index);
    node->name = test_keep(made, name, strlen(name) + 1);
    node->parent = parent;
    node->next_sibling = node->mesh = node->skin = node->camera = SINEW_NONE;
    node->local_rest = (sinew_transform){{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    return index;
}

void test_rest_rotation(test_model *made, uint32_t node, float x, float y, float z, float w) {
    float rotation[4] = {x, y, z, w};
    memcpy(made->nodes[node].local_rest.rotation, rotation, sizeof rotation);
}

void test_rest_matrix(test_model *made, uint32_t node, const float matrix[16]) {
    made->nodes[node].has_matrix = true;
    memcpy(made->nodes[node].local_rest_matrix, matrix, 16 * sizeof *matrix);
    memcpy(made->nodes[node].local_rest.translation, matrix + 12, 3 * sizeof *matrix);
}

void test_rest_scale(test_model *made, uint32_t node, float x, float y, float z) {
    float scale[3] = {x, y, z};
    memcpy(made->nodes[node].local_rest.scale, scale, sizeof scale);
}

uint32_t test_add_skin(test_model *made, const uint32_t *joints, uint32_t joint_count,
                       const float *inverse_binds) {
    sinew_skin *skin = &made->skins[made->model.skin_count];
    skin->name = "";
    skin->joints = test_keep(made, joints, joint_count * sizeof *joints);
    skin->joint_count = joint_count;
    skin->inverse_binds = test_keep(made, inverse_binds, (size_t)joint_count * 16 * sizeof(float));
    skin->skeleton = SINEW_NONE;
    return made->model.skin_count++;
}

static void rest_world(const test_model *made, uint32_t node, double world[16]) {
    test_trs(&made->nodes[node].local_rest, world);
    for (uint32_t at = made->nodes[node].parent; at != SINEW_NONE; at = made->nodes[at].parent) {
        double local[16];
        test_trs(&made->nodes[at].local_rest, local);
        test_multiply(local, world, world);
    }
}

void test_bind_at_rest(test_model *made, uint32_t skin) {
    sinew_skin *bound = &made->skins[skin];
    float *binds = need(calloc(bound->joint_count + 1u, 16 * sizeof *binds));
    for (uint32_t i = 0; i < bound->joint_count; i++) {
        double world[16], inverse[16] = {0.0};
        rest_world(made, bound->joints[i], world);
        if (!test_inverse(world, inverse)) {
            fprintf(stderr, "a bind pose without an inverse\n");
            abort();
        }
        for (int k = 0; k < 16; k++) {
            binds[16 * i + k] = (float)inverse[k];
        }
    }
    bound->inverse_binds = test_keep(made, binds, (size_t)bound->joint_count * 16 * sizeof *binds);
    free(binds);
}

uint32_t test_add_mesh(test_model *made, const sinew_primitive *primitive) {
    sinew_mesh *mesh = &made->meshes[made->model.mesh_count];
    mesh->name = "";
    mesh->primitives = test_keep(made, primitive, sizeof *primitive);
    mesh->primitive_count = 1;
    mesh->target_count = primitive->target_count;
    return made->model.mesh_count++;
}

void test_add_primitive(test_model *made, uint32_t mesh, const sinew_primitive *primitive) {
    sinew_mesh *grown = &made->meshes[mesh];
    size_t old = grown->primitive_count * sizeof *primitive;
    sinew_primitive *all = need(malloc(old + sizeof *primitive));
    memcpy(all, grown->primitives, old);
    all[grown->primitive_count++] = *primitive;
    grown->primitives = test_keep(made, all, old + sizeof *primitive);
    free(all);
}

void test_wear(test_model *made, uint32_t node, uint32_t mesh, uint32_t skin) {
    made->nodes[node].mesh = mesh;
    made->nodes[node].skin = skin;
}

static void *convert(test_model *made, sinew_component type, size_t count, const uint32_t *whole,
                     const double *parts) {
    void *out = need(malloc(count * type + 1));
    for (size_t i = 0; i < count; i++) {
        double value = parts ? parts[i] : 0.0;
        switch (type) {
        case SINEW_U8:
            ((uint8_t *)out)[i] = (uint8_t)(whole ? whole[i] : (uint32_t)lround(value * 255.0));
            break;
        case SINEW_U16:
            ((uint16_t *)out)[i] = (uint16_t)(whole ? whole[i] : (uint32_t)lround(value * 65535.0));
            break;
        case SINEW_F32: ((float *)out)[i] = (float)value; break;
        }
    }
    void *kept = test_keep(made, out, count * type);
    free(out);
    return kept;
}

const sinew_influences *test_influences(test_model *made, uint32_t joint_limit,
                                        uint32_t vertex_count, uint32_t per_vertex,
                                        sinew_component joint_type, sinew_component weight_type,
                                        const uint32_t *joints, const double *weights) {
    sinew_influences all = {0};
    size_t count = (size_t)vertex_count * per_vertex;
    all.joint_limit = joint_limit;
    all.per_vertex = per_vertex;
    all.joint_type = joint_type;
    all.weight_type = weight_type;
    all.joints = convert(made, joint_type, count, joints, NULL);
    all.weights = convert(made, weight_type, count, NULL, weights);
    return test_keep(made, &all, sizeof all);
}

uint32_t test_add_clip(test_model *made, const char *name) {
    made->clips[made->model.clip_count].name = name;
    return made->model.clip_count++;
}

void test_add_channel(test_model *made, uint32_t clip, uint32_t node, sinew_path path,
                      sinew_interpolation interpolation, uint32_t key_count, const float *times,
                      const float *values) {
    uint32_t width = path == SINEW_ROTATION  ? 4
                     : path == SINEW_WEIGHTS ? made->meshes[made->nodes[node].mesh].target_count
                                             : 3;
    sinew_clip *grown = &made->clips[clip];
    size_t per_key = interpolation == SINEW_CUBICSPLINE ? 3 : 1;
    sinew_channel channel = {node, path, interpolation, width, 0, key_count, NULL, NULL};
    channel.times = test_keep(made, times, key_count * sizeof *times);
    channel.values = test_keep(made, values, key_count * per_key * width * sizeof *values);

    size_t old = grown->channel_count * sizeof channel;
    sinew_channel *all = need(malloc(old + sizeof channel));
    if (old) {
        memcpy(all, grown->channels, old);
    }
    all[grown->channel_count++] = channel;
    grown->channels = test_keep(made, all, old + sizeof channel);
    free(all);
    if (grown->duration < (double)times[key_count - 1]) {
        grown->duration = (double)times[key_count - 1];
    }
}

/* Nodes whose parent is in the order already, until all are. */
static void order_nodes(test_model *made) {
    bool placed[TEST_MAX_NODES] = {false};
    uint32_t count = 0;
    while (count < made->model.node_count) {
        uint32_t before = count;
        for (uint32_t i = 0; i < made->model.node_count; i++) {
            uint32_t parent = made->nodes[i].parent;
            if (!placed[i] && (parent == SINEW_NONE || placed[parent])) {
                placed[i] = true;
                made->order[count++] = i;
            }
        }
        if (count == before) {
            fprintf(stderr, "a circle of nodes in a test\n");
            abort();
        }
    }
}

/* Children in the order of their indices, each with its next sibling. */
static void list_children(test_model *made) {
    uint32_t count = made->model.node_count, total = 0;
    uint32_t *lists = need(calloc(count + 1u, sizeof *lists));
    uint32_t *first = need(calloc(count + 1u, sizeof *first));
    for (uint32_t i = 0; i < count; i++) {
        made->nodes[i].child_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (made->nodes[i].parent != SINEW_NONE) {
            made->nodes[made->nodes[i].parent].child_count++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        first[i] = total;
        total += made->nodes[i].child_count;
        made->nodes[i].child_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = made->nodes[i].parent;
        if (parent == SINEW_NONE) {
            continue;
        }
        uint32_t at = first[parent] + made->nodes[parent].child_count++;
        lists[at] = i;
        if (at > first[parent]) {
            made->nodes[lists[at - 1]].next_sibling = i;
        }
    }
    const uint32_t *kept = test_keep(made, lists, total * sizeof *lists);
    for (uint32_t i = 0; i < count; i++) {
        made->nodes[i].children = made->nodes[i].child_count ? kept + first[i] : NULL;
    }
    free(lists);
    free(first);
}

const sinew_model *test_model_done(test_model *made) {
    order_nodes(made);
    list_children(made);
    made->model.weight_count = 0;
    for (uint32_t i = 0; i < made->model.node_count; i++) {
        sinew_node *node = &made->nodes[i];
        if (!node->has_matrix) {
            double local[16];
            test_trs(&node->local_rest, local);
            for (int k = 0; k < 16; k++) {
                node->local_rest_matrix[k] = (float)local[k];
            }
        }
        node->weight_count = node->mesh == SINEW_NONE ? 0 : made->meshes[node->mesh].target_count;
        node->first_weight = made->model.weight_count;
        made->model.weight_count += node->weight_count;
        if (node->weight_count && !node->local_rest_weights) {
            float none[TEST_MAX_PARTS] = {0.0f};
            node->local_rest_weights = test_keep(made, none, node->weight_count * sizeof *none);
        }
    }
    return &made->model;
}

/* ---- chance: xorshift64* ---- */

static uint64_t next(test_random *chance) {
    uint64_t x = chance->state ? chance->state : 88172645463325252u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    chance->state = x;
    return x * 2685821657736338717u;
}

uint32_t test_random_below(test_random *chance, uint32_t limit) {
    return (uint32_t)((next(chance) >> 32) * limit >> 32);
}

double test_random_between(test_random *chance, double minimum, double maximum) {
    return minimum + (maximum - minimum) * (double)(next(chance) >> 11) * 0x1p-53;
}

void test_random_rotation(test_random *chance, float q[4]) {
    double square = 0.0;
    while (square < 0.01 || square > 1.0) {
        square = 0.0;
        for (int i = 0; i < 4; i++) {
            q[i] = (float)test_random_between(chance, -1.0, 1.0);
            square += (double)q[i] * (double)q[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        q[i] = (float)((double)q[i] / sqrt(square));
    }
}

static float between(test_random *chance, double minimum, double maximum) {
    return (float)test_random_between(chance, minimum, maximum);
}

static void random_transform(test_random *chance, double scale_minimum, double scale_maximum,
                             sinew_transform *local) {
    test_random_rotation(chance, local->rotation);
    for (int i = 0; i < 3; i++) {
        bool scaled = scale_minimum != 0.0 || scale_maximum != 0.0;
        local->translation[i] = between(chance, -1.0, 1.0);
        local->scale[i] = scaled ? between(chance, scale_minimum, scale_maximum) : 1.0f;
    }
}

void test_random_pose(test_random *chance, double scale_minimum, double scale_maximum,
                      sinew_pose *pose) {
    for (uint32_t i = 0; i < pose->model->node_count; i++) {
        random_transform(chance, scale_minimum, scale_maximum, &pose->local[i]);
    }
    for (uint32_t i = 0; i < pose->model->weight_count; i++) {
        pose->weights[i] = test_random_below(chance, 4) ? between(chance, -1.0, 2.0) : 0.0f;
    }
    sinew_pose_changed(pose);
    sinew_pose_to_world(pose);
}

static float *random_vectors(test_model *made, test_random *chance, size_t count, uint32_t width,
                             double offset) {
    float *vectors = need(malloc(count * width * sizeof *vectors + 1));
    for (size_t i = 0; i < count * width; i++) {
        vectors[i] = (float)(offset + test_random_between(chance, -1.0, 1.0));
    }
    float *kept = test_keep(made, vectors, count * width * sizeof *vectors);
    free(vectors);
    return kept;
}

/* Weights that add up to 1 in their type, floats but for rounding; some are 0. */
static void random_weights(test_random *chance, sinew_component type, uint32_t count,
                           double *weights) {
    uint32_t whole = type == SINEW_U8 ? 255 : 65535, left = whole;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        bool none = test_random_below(chance, 4) == 0, last = i + 1 == count;
        if (type == SINEW_F32) {
            weights[i] =
                none && !(last && sum == 0.0) ? 0.0 : test_random_between(chance, 0.0, 1.0);
            sum += weights[i];
        } else {
            uint32_t part = last ? left : none ? 0 : test_random_below(chance, left + 1);
            weights[i] = (double)part / whole;
            left -= part;
        }
    }
    for (uint32_t i = 0; i < count && type == SINEW_F32; i++) {
        weights[i] /= sum;
    }
}

static const sinew_influences *random_influences(test_model *made, test_random *chance,
                                                 const test_wish *wish) {
    sinew_component type = wish->weight_type ? wish->weight_type : SINEW_F32;
    uint32_t per_vertex = 4 * wish->sets;
    size_t count = (size_t)wish->vertices * per_vertex;
    uint32_t *joints = need(calloc(count + 1, sizeof *joints));
    double *weights = need(calloc(count + 1, sizeof *weights));
    for (size_t i = 0; i < count; i++) {
        joints[i] = test_random_below(chance, wish->joints);
    }
    for (uint32_t v = 0; v < wish->vertices; v++) {
        random_weights(chance, type, per_vertex, weights + (size_t)v * per_vertex);
    }
    const sinew_influences *all =
        test_influences(made, wish->joints, wish->vertices, per_vertex,
                        wish->joints > 256 ? SINEW_U16 : SINEW_U8, type, joints, weights);
    free(joints);
    free(weights);
    return all;
}

test_model *test_random_model(const test_wish *wish) {
    test_random chance = {wish->seed * 2654435761u + 1};
    test_model *made = test_model_create();
    uint32_t joints[TEST_MAX_NODES];
    for (uint32_t i = 0; i < wish->joints; i++) {
        /* With odd seeds the nodes run backwards, so that parents come behind. */
        joints[i] = wish->seed % 2 ? wish->joints - 1 - i : i;
        test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
    }
    for (uint32_t i = 0; i < wish->joints; i++) {
        sinew_node *node = &made->nodes[joints[i]];
        node->parent = i == 0 ? SINEW_NONE : joints[test_random_below(&chance, i)];
        random_transform(&chance, wish->scale_minimum, wish->scale_maximum, &node->local_rest);
    }
    uint32_t skin = test_add_skin(made, joints, wish->joints, NULL);
    test_bind_at_rest(made, skin);

    sinew_primitive primitive = {0};
    primitive.topology = SINEW_POINTS;
    primitive.material = SINEW_NONE;
    primitive.vertex_count = wish->vertices;
    primitive.positions = random_vectors(made, &chance, wish->vertices, 3, wish->offset);
    primitive.normals = random_vectors(made, &chance, wish->vertices, 3, 0.0);
    primitive.tangents = random_vectors(made, &chance, wish->vertices, 4, 0.0);
    primitive.influences = random_influences(made, &chance, wish);
    primitive.influences_count = 1;
    sinew_target targets[TEST_MAX_PARTS];
    for (uint32_t t = 0; t < wish->targets; t++) {
        targets[t].positions = random_vectors(made, &chance, wish->vertices, 3, 0.0);
        targets[t].normals = random_vectors(made, &chance, wish->vertices, 3, 0.0);
        targets[t].tangents = random_vectors(made, &chance, wish->vertices, 3, 0.0);
    }
    primitive.targets = test_keep(made, targets, wish->targets * sizeof *targets);
    primitive.target_count = wish->targets;
    uint32_t body = test_add_node(made, SINEW_NONE, 7.0f, 8.0f, 9.0f);
    test_wear(made, body, test_add_mesh(made, &primitive), skin);
    test_model_done(made);
    return made;
}

/* ---- in double ---- */

void test_multiply(const double a[16], const double b[16], double out[16]) {
    double result[16];
    for (int i = 0; i < 16; i++) {
        result[i] = 0.0;
        for (int k = 0; k < 4; k++) {
            result[i] += a[4 * k + i % 4] * b[4 * (i / 4) + k];
        }
    }
    memcpy(out, result, sizeof result);
}

/* Gauss and Jordan, with the largest pivot. */
bool test_inverse(const double m[16], double out[16]) {
    double a[4][8];
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            a[row][column] = m[4 * column + row];
            a[row][4 + column] = row == column;
        }
    }
    for (int k = 0; k < 4; k++) {
        int best = k;
        for (int row = k + 1; row < 4; row++) {
            best = fabs(a[row][k]) > fabs(a[best][k]) ? row : best;
        }
        if (a[best][k] == 0.0) {
            return false;
        }
        for (int column = 0; column < 8; column++) {
            double swapped = a[k][column];
            a[k][column] = a[best][column];
            a[best][column] = swapped;
        }
        for (int row = 0; row < 4; row++) {
            double factor = row == k ? 0.0 : a[row][k] / a[k][k];
            for (int column = 0; column < 8; column++) {
                a[row][column] -= factor * a[k][column];
            }
        }
    }
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            out[4 * column + row] = a[row][4 + column] / a[row][row];
        }
    }
    return true;
}

/* By turning the axes: v' = v + 2 w (u x v) + 2 u x (u x v). */
void test_trs(const sinew_transform *local, double out[16]) {
    double q[4], length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)local->rotation[i];
        length += q[i] * q[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 4; i++) {
        q[i] = length > 0.0 ? q[i] / length : (double)(i == 3);
    }
    for (int column = 0; column < 3; column++) {
        double v[3] = {column == 0, column == 1, column == 2};
        double once[3] = {q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2],
                          q[0] * v[1] - q[1] * v[0]};
        double twice[3] = {q[1] * once[2] - q[2] * once[1], q[2] * once[0] - q[0] * once[2],
                           q[0] * once[1] - q[1] * once[0]};
        for (int row = 0; row < 3; row++) {
            double turned = v[row] + 2.0 * q[3] * once[row] + 2.0 * twice[row];
            out[4 * column + row] = turned * (double)local->scale[column];
        }
        out[4 * column + 3] = 0.0;
        out[12 + column] = (double)local->translation[column];
    }
    out[15] = 1.0;
}

void test_world(const sinew_pose *pose, uint32_t node, double world[16]) {
    const sinew_node *nodes = pose->model->nodes;
    double local[16];
    memset(world, 0, 16 * sizeof *world);
    world[0] = world[5] = world[10] = world[15] = 1.0;
    for (uint32_t at = node; at != SINEW_NONE; at = nodes[at].parent) {
        test_trs(&pose->local[at], local);
        for (int k = 0; k < 16 && nodes[at].has_matrix; k++) {
            local[k] = (double)nodes[at].local_rest_matrix[k];
        }
        test_multiply(local, world, world);
    }
}

/* ---- the allocator ---- */

static void *allocate(void *user, size_t size) {
    test_memory *memory = user;
    if (memory->calls++ >= memory->fail_after) {
        return NULL;
    }
    memory->live += size;
    return malloc(size);
}

static void *resize(void *user, void *block, size_t old_size, size_t new_size) {
    test_memory *memory = user;
    if (memory->calls++ >= memory->fail_after) {
        return NULL;
    }
    memory->live += new_size - old_size;
    return realloc(block, new_size);
}

static void release(void *user, void *block, size_t size) {
    test_memory *memory = user;
    memory->live -= size;
    free(block);
}

sinew_allocator test_allocator(test_memory *memory) {
    sinew_allocator result = {allocate, resize, release, memory};
    return result;
}
