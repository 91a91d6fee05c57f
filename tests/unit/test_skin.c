/* Skin: vertices on the CPU, held against the laws of skinning and a second opinion in
 * double that uses the inverse transpose itself. */
#include "sinew/skin.h"

#include "models.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a character with its pose, its palette and room for its vertices ---- */

#define MOST_JOINTS 300
#define MOST_VERTICES 200

typedef struct actor {
    test_model *made;
    const sinew_primitive *primitive;
    uint32_t node;
    sinew_pose *pose;
    float matrices[16 * MOST_JOINTS];
    sinew_palette palette;
    float positions[3 * MOST_VERTICES];
    float normals[3 * MOST_VERTICES];
    float tangents[4 * MOST_VERTICES];
    sinew_skin_job job;
} actor;

static void rebuild(actor *a, sinew_palette_layout layout) {
    a->palette.matrices = a->matrices;
    a->palette.capacity = MOST_JOINTS;
    a->palette.layout = layout;
    assert_int_equal(sinew_palette_build(&a->made->model, 0, a->pose, &a->palette), SINEW_OK);
}

static void skin_all(actor *a) {
    assert_int_equal(sinew_skin_vertices(&a->job, 0, a->primitive->vertex_count), SINEW_OK);
}

/* Takes over the model; its mesh stands on the last node. */
static actor *actor_of(test_model *made) {
    actor *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->made = made;
    a->node = made->model.node_count - 1;
    a->primitive = made->model.meshes[made->nodes[a->node].mesh].primitives;
    a->pose = sinew_pose_create(&made->model, NULL);
    assert_non_null(a->pose);
    a->job.primitive = a->primitive;
    a->job.influences = a->primitive->influences;
    a->job.palette = &a->palette;
    a->job.morph_weights = a->pose->weights + made->nodes[a->node].first_weight;
    a->job.morph_weight_count = made->nodes[a->node].weight_count;
    a->job.positions = a->positions;
    a->job.normals = a->normals;
    a->job.tangents = a->tangents;
    a->job.path = SINEW_SKIN_SCALAR;
    rebuild(a, SINEW_PALETTE_4X3);
    return a;
}

static void dismiss(actor *a) {
    sinew_pose_free(a->pose);
    test_model_free(a->made);
    free(a);
}

static void assert_vector(const float *have, double x, double y, double z, double limit) {
    double want[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        if (!(fabs((double)have[i] - want[i]) <= limit)) {
            fail_msg("%.9g %.9g %.9g, expected %.9g %.9g %.9g", (double)have[0], (double)have[1],
                     (double)have[2], x, y, z);
        }
    }
}

/* A bar of two joints along y, one above the other; one vertex at (1, 2, 3) with normal
 * and tangent, bound to the joints with the weights w and 1 - w. */
static actor *bar(double w, const float normal[3], const float tangent[4]) {
    const float position[3] = {1, 2, 3}, no_normal[3] = {0, 0, 1}, no_tangent[4] = {1, 0, 0, -1};
    const uint32_t joints[4] = {0, 1, 0, 0};
    const double weights[4] = {w, 1.0 - w, 0.0, 0.0};
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
    test_add_node(made, 0, 0.0f, 1.0f, 0.0f);
    uint32_t skin = test_add_skin(made, joints, 2, NULL);
    test_bind_at_rest(made, skin);
    sinew_primitive primitive = {0};
    primitive.vertex_count = 1;
    primitive.positions = test_keep(made, position, sizeof position);
    primitive.normals = test_keep(made, normal ? normal : no_normal, 3 * sizeof(float));
    primitive.tangents = test_keep(made, tangent ? tangent : no_tangent, 4 * sizeof(float));
    primitive.influences = test_influences(made, 2, 1, 4, SINEW_U8, SINEW_F32, joints, weights);
    primitive.influences_count = 1;
    uint32_t body = test_add_node(made, SINEW_NONE, 5.0f, 5.0f, 5.0f);
    test_wear(made, body, test_add_mesh(made, &primitive), skin);
    test_model_done(made);
    return actor_of(made);
}

static void move(actor *a, uint32_t node, sinew_transform local) {
    a->pose->local[node] = local;
    sinew_pose_changed(a->pose);
    sinew_pose_to_world(a->pose);
    rebuild(a, a->palette.layout);
    skin_all(a);
}

static sinew_transform scaled(float x, float y, float z) {
    sinew_transform local = {{0, 0, 0}, {0, 0, 0, 1}, {x, y, z}};
    return local;
}

/* ---- the second opinion ---- */

static void blended(const actor *a, uint32_t vertex, double out[16]) {
    const sinew_influences *all = a->job.influences;
    memset(out, 0, 16 * sizeof *out);
    for (uint32_t k = 0; k < all->per_vertex; k++) {
        size_t at = (size_t)vertex * all->per_vertex + k;
        uint32_t joint = all->joint_type == SINEW_U8 ? ((const uint8_t *)all->joints)[at]
                                                     : ((const uint16_t *)all->joints)[at];
        double weight = all->weight_type == SINEW_U8 ? ((const uint8_t *)all->weights)[at] / 255.0
                        : all->weight_type == SINEW_U16
                            ? ((const uint16_t *)all->weights)[at] / 65535.0
                            : (double)((const float *)all->weights)[at];
        double world[16], bind[16];
        test_world(a->pose, a->made->skins[0].joints[joint], world);
        for (int i = 0; i < 16; i++) {
            bind[i] = (double)a->made->skins[0].inverse_binds[16 * joint + i];
        }
        test_multiply(world, bind, world);
        for (int i = 0; i < 16; i++) {
            out[i] += weight * world[i];
        }
    }
}

static void morphed(const actor *a, const float *base, const float *(*pick)(const sinew_target *),
                    uint32_t vertex, double out[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = (double)base[i];
        for (uint32_t t = 0; t < a->primitive->target_count; t++) {
            out[i] += (double)a->job.morph_weights[t] *
                      (double)pick(&a->primitive->targets[t])[3 * vertex + i];
        }
    }
}

static const float *pick_positions(const sinew_target *target) {
    return target->positions;
}

static const float *pick_normals(const sinew_target *target) {
    return target->normals;
}

static const float *pick_tangents(const sinew_target *target) {
    return target->tangents;
}

static double unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
    return length;
}

typedef struct opinion {
    double position[3], normal[3], tangent[3];
    double condition; /* how far rounding of the matrix turns the normal */
} opinion;

static opinion second_opinion(const actor *a, uint32_t v) {
    opinion o;
    double b[16], inverse[16], p[3], n[3], t[3], size = 0.0, inverse_size = 0.0;
    blended(a, v, b);
    assert_true(test_inverse(b, inverse));
    morphed(a, a->primitive->positions + 3 * v, pick_positions, v, p);
    morphed(a, a->primitive->normals + 3 * v, pick_normals, v, n);
    morphed(a, a->primitive->tangents + 4 * v, pick_tangents, v, t);
    for (int i = 0; i < 3; i++) {
        o.position[i] = b[i] * p[0] + b[4 + i] * p[1] + b[8 + i] * p[2] + b[12 + i];
        o.tangent[i] = b[i] * t[0] + b[4 + i] * t[1] + b[8 + i] * t[2];
        o.normal[i] = inverse[4 * i] * n[0] + inverse[4 * i + 1] * n[1] + inverse[4 * i + 2] * n[2];
        for (int k = 0; k < 3; k++) {
            size += b[4 * k + i] * b[4 * k + i];
            inverse_size += inverse[4 * k + i] * inverse[4 * k + i];
        }
    }
    double before = unit(n), bent = unit(o.normal);
    double straight = unit(t), stretched = unit(o.tangent);
    o.condition = sqrt(size * inverse_size) *
                  fmax(sqrt(inverse_size) * before / bent, sqrt(size) * straight / stretched);
    return o;
}

/* ---- laws ---- */

static void agrees_with_the_inverse_transpose_in_double(void **state) {
    (void)state;
    const sinew_component types[3] = {SINEW_U8, SINEW_U16, SINEW_F32};
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test_wish wish = {seed, seed % 5 ? 12 : 300, 40,  1 + (uint32_t)(seed % 3),
                          3,    types[seed % 3],     0.8, 1.2,
                          0.0};
        actor *a = actor_of(test_random_model(&wish));
        test_random chance = {seed};
        test_random_pose(&chance, seed % 2 ? 0.7 : -1.3, 1.3, a->pose);
        rebuild(a, SINEW_PALETTE_4X3);
        skin_all(a);
        for (uint32_t v = 0; v < a->primitive->vertex_count; v++) {
            opinion want = second_opinion(a, v);
            double size = 1.0;
            for (int i = 0; i < 3; i++) {
                size = fmax(size, fabs(want.position[i]));
            }
            assert_vector(a->positions + 3 * v, want.position[0], want.position[1],
                          want.position[2], 2e-5 * size);
            /* The palette is float: what that does to an ill-conditioned blend is not ours. */
            if (want.condition < 50.0) {
                compared++;
                assert_vector(a->normals + 3 * v, want.normal[0], want.normal[1], want.normal[2],
                              2e-5);
                assert_vector(a->tangents + 4 * v, want.tangent[0], want.tangent[1],
                              want.tangent[2], 2e-5);
                assert_true(a->tangents[4 * v + 3] == a->primitive->tangents[4 * v + 3]);
            }
        }
        dismiss(a);
    }
    assert_true(compared > 500);
}

static void in_the_bind_pose_vertices_stay_where_they_are(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        test_wish wish = {seed, 10, 50, 2, 0, SINEW_F32, 0.8, 1.2, 0.0};
        actor *a = actor_of(test_random_model(&wish));
        skin_all(a);
        for (uint32_t v = 0; v < 50; v++) {
            double n[3];
            for (int i = 0; i < 3; i++) {
                n[i] = (double)a->primitive->normals[3 * v + (uint32_t)i];
            }
            unit(n);
            const float *p = a->primitive->positions + 3 * v;
            assert_vector(a->positions + 3 * v, (double)p[0], (double)p[1], (double)p[2], 5e-6);
            assert_vector(a->normals + 3 * v, n[0], n[1], n[2], 5e-6);
        }
        dismiss(a);
    }
}

/* The same actor, posed, once as it is and once with joint i called `renamed[i]`. */
static void renumbering_joints_changes_no_bit(void **state) {
    (void)state;
    enum {
        JOINTS = 9,
        VERTICES = 30,
        ENTRIES = VERTICES * 8
    };
    test_wish wish = {6, JOINTS, VERTICES, 2, 2, SINEW_F32, 0.8, 1.2, 0.0};
    actor *a = actor_of(test_random_model(&wish)), *b = actor_of(test_random_model(&wish));
    uint32_t renamed[JOINTS], joints[JOINTS], slots[ENTRIES];
    double weights[ENTRIES];
    float binds[16 * JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++) {
        renamed[i] = (4 * i + 2) % JOINTS;
        joints[renamed[i]] = b->made->skins[0].joints[i];
        memcpy(binds + 16 * renamed[i], b->made->skins[0].inverse_binds + 16 * i,
               16 * sizeof *binds);
    }
    for (uint32_t i = 0; i < ENTRIES; i++) {
        slots[i] = renamed[((const uint8_t *)b->job.influences->joints)[i]];
        weights[i] = (double)((const float *)b->job.influences->weights)[i];
    }
    b->made->skins[0].joints = test_keep(b->made, joints, sizeof joints);
    b->made->skins[0].inverse_binds = test_keep(b->made, binds, sizeof binds);
    b->job.influences =
        test_influences(b->made, JOINTS, VERTICES, 8, SINEW_U16, SINEW_F32, slots, weights);
    test_random one = {8}, other = {8};
    test_random_pose(&one, 0.5, 1.5, a->pose);
    test_random_pose(&other, 0.5, 1.5, b->pose);
    rebuild(a, SINEW_PALETTE_4X3);
    rebuild(b, SINEW_PALETTE_4X3);
    skin_all(a);
    skin_all(b);
    assert_memory_equal(a->positions, b->positions, sizeof a->positions);
    assert_memory_equal(a->normals, b->normals, sizeof a->normals);
    assert_memory_equal(a->tangents, b->tangents, sizeof a->tangents);
    dismiss(a);
    dismiss(b);
}

static actor *posed(uint64_t seed) {
    test_wish wish = {seed, 9, 60, 2, 2, SINEW_F32, 0.8, 1.2, 0.0};
    actor *a = actor_of(test_random_model(&wish));
    test_random chance = {seed};
    test_random_pose(&chance, 0.5, 1.5, a->pose);
    rebuild(a, SINEW_PALETTE_4X3);
    return a;
}

static void both_layouts_give_the_same_bits(void **state) {
    (void)state;
    actor *a = posed(3), *b = posed(3);
    rebuild(b, SINEW_PALETTE_4X4);
    skin_all(a);
    skin_all(b);
    assert_memory_equal(a->positions, b->positions, sizeof a->positions);
    assert_memory_equal(a->normals, b->normals, sizeof a->normals);
    assert_memory_equal(a->tangents, b->tangents, sizeof a->tangents);
    dismiss(a);
    dismiss(b);
}

static void split_ranges_give_the_same_bits(void **state) {
    (void)state;
    const uint32_t edges[] = {0, 1, 1, 8, 13, 59, 60};
    actor *whole = posed(4), *parts = posed(4);
    skin_all(whole);
    for (size_t i = 0; i + 1 < sizeof edges / sizeof *edges; i++) {
        assert_int_equal(sinew_skin_vertices(&parts->job, edges[i], edges[i + 1] - edges[i]),
                         SINEW_OK);
    }
    assert_memory_equal(whole->positions, parts->positions, sizeof whole->positions);
    assert_memory_equal(whole->normals, parts->normals, sizeof whole->normals);
    assert_memory_equal(whole->tangents, parts->tangents, sizeof whole->tangents);
    dismiss(whole);
    dismiss(parts);
}

static void a_range_writes_nothing_else(void **state) {
    (void)state;
    actor *a = posed(4);
    memset(a->positions, 0xff, sizeof a->positions);
    assert_int_equal(sinew_skin_vertices(&a->job, 7, 3), SINEW_OK);
    assert_int_equal(sinew_skin_vertices(&a->job, 60, 0), SINEW_OK);
    for (uint32_t i = 0; i < 3 * MOST_VERTICES; i++) {
        assert_true(isnan(a->positions[i]) == (i < 21 || i >= 30));
    }
    dismiss(a);
}

static void the_best_path_is_the_reference_within_rounding(void **state) {
    (void)state;
    actor *a = posed(5), *b = posed(5);
    b->job.path = SINEW_SKIN_BEST;
    skin_all(a);
    skin_all(b);
    for (uint32_t i = 0; i < 3 * 60; i++) {
        assert_float_equal(a->positions[i], b->positions[i], 1e-5f);
        assert_float_equal(a->normals[i], b->normals[i], 1e-5f);
    }
    dismiss(a);
    dismiss(b);
}

/* ---- influences ---- */

static void weights_of_all_types_mean_the_same(void **state) {
    (void)state;
    const sinew_component types[3] = {SINEW_U8, SINEW_U16, SINEW_F32};
    const uint32_t joints[4] = {0, 1, 1, 0};
    const double weights[4] = {51.0 / 255.0, 153.0 / 255.0, 51.0 / 255.0, 0.0};
    for (int i = 0; i < 6; i++) {
        actor *a = bar(0.0, NULL, NULL);
        a->job.influences = test_influences(a->made, 2, 1, 4, i < 3 ? SINEW_U8 : SINEW_U16,
                                            types[i % 3], joints, weights);
        sinew_transform away = {{10, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        move(a, 1, away); /* the tip by 10 along x, with weight 0.8 */
        assert_vector(a->positions, 9.0, 2.0, 3.0, 2e-6);
        dismiss(a);
    }
}

/* Padding names joints at random: what they hold must not enter, not even as 0 * NaN. */
static void entries_of_weight_zero_count_for_nothing(void **state) {
    (void)state;
    actor *a = bar(1.0, NULL, NULL);
    for (int i = 12; i < 24; i++) {
        a->matrices[i] = NAN;
    }
    skin_all(a);
    assert_vector(a->positions, 1.0, 2.0, 3.0, 0.0);
    assert_vector(a->normals, 0.0, 0.0, 1.0, 0.0);
    dismiss(a);
}

static void all_sets_take_part(void **state) {
    (void)state;
    const uint32_t joints[8] = {0, 0, 0, 0, 1, 1, 0, 1};
    const double weights[8] = {0.125, 0.125, 0.125, 0.125, 0.125, 0.25, 0.0, 0.125};
    actor *a = bar(0.0, NULL, NULL);
    a->job.influences = test_influences(a->made, 2, 1, 8, SINEW_U8, SINEW_F32, joints, weights);
    sinew_transform away = {{10, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    move(a, 1, away);
    assert_vector(a->positions, 6.0, 2.0, 3.0, 0.0);
    dismiss(a);
}

static void without_influences_all_follows_joint_0(void **state) {
    (void)state;
    actor *a = bar(0.5, NULL, NULL);
    a->job.influences = NULL;
    assert_int_equal(sinew_palette_build_rigid(&a->made->model, a->node, a->pose, &a->palette),
                     SINEW_OK);
    skin_all(a);
    assert_vector(a->positions, 6.0, 7.0, 8.0, 0.0);
    dismiss(a);
}

/* ---- directions ---- */

static void uneven_scale_bends_normals_the_other_way(void **state) {
    (void)state;
    const float slanted[3] = {0.70710678f, 0.70710678f, 0.0f}, along[4] = {0.6f, 0.8f, 0.0f, -1.0f};
    actor *a = bar(1.0, slanted, along);
    move(a, 0, scaled(2, 1, 1));
    assert_vector(a->normals, 0.447213595, 0.894427191, 0.0, 1e-7); /* report R09 */
    assert_vector(a->tangents, 0.832050294, 0.554700196, 0.0, 1e-7);
    assert_true(a->tangents[3] == -1.0f);
    a->job.approximate_normals = true;
    skin_all(a);
    assert_vector(a->normals, 0.894427191, 0.447213595, 0.0, 1e-7);
    dismiss(a);
}

static void approximate_normals_are_exact_under_turns_and_even_scale(void **state) {
    (void)state;
    const float slanted[3] = {0.36f, 0.48f, 0.8f};
    actor *a = bar(1.0, slanted, NULL);
    sinew_transform turned = {{1, 2, 3}, {0.5f, -0.5f, 0.5f, 0.5f}, {3, 3, 3}};
    move(a, 0, turned);
    float exact[3];
    memcpy(exact, a->normals, sizeof exact);
    a->job.approximate_normals = true;
    skin_all(a);
    assert_vector(a->normals, (double)exact[0], (double)exact[1], (double)exact[2], 1e-6);
    dismiss(a);
}

/* A sphere mirrored along x: the normal goes on pointing out of it. */
static void mirrored_normals_stay_outside(void **state) {
    (void)state;
    const float outward[3] = {0.6f, 0.8f, 0.0f};
    actor *a = bar(1.0, outward, NULL);
    move(a, 0, scaled(-1, 1, 1));
    assert_vector(a->positions, -1.0, 2.0, 3.0, 0.0);
    assert_vector(a->normals, -0.6, 0.8, 0.0, 1e-7);
    move(a, 0, scaled(-1, -1, -1));
    assert_vector(a->normals, -0.6, -0.8, 0.0, 1e-7);
    dismiss(a);
}

static void tiny_and_huge_scales_turn_directions_all_the_same(void **state) {
    (void)state;
    const float scales[] = {1e-38f, 1e-30f, 1e-12f, 1e12f, 1e30f, 1e38f};
    const float slanted[3] = {0.6f, 0.8f, 0.0f}, along[4] = {0.0f, 0.6f, 0.8f, 1.0f};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        actor *a = bar(1.0, slanted, along);
        /* A quarter turn on z, uneven: (x, y) -> (-y, x). */
        sinew_transform local = {
            {0, 0, 0}, {0, 0, 0.70710678f, 0.70710678f}, {-scales[i], scales[i], scales[i] / 2}};
        move(a, 0, local);
        assert_vector(a->normals, -0.8, -0.6, 0.0, 2e-6);
        assert_vector(a->tangents, -0.6 / sqrt(0.52), 0.0, 0.4 / sqrt(0.52), 2e-6);
        dismiss(a);
    }
}

static void flattened_joints_give_finite_directions(void **state) {
    (void)state;
    const float slanted[3] = {0.6f, 0.8f, 0.0f}, along[4] = {0.0f, 1.0f, 0.0f, 1.0f};
    actor *a = bar(1.0, slanted, along);
    move(a, 0, scaled(1, 0, 1)); /* a plane: its normal is y */
    assert_vector(a->positions, 1.0, 0.0, 3.0, 0.0);
    assert_vector(a->normals, 0.0, 1.0, 0.0, 1e-7);
    assert_vector(a->tangents, 0.0, 0.0, 0.0, 0.0);
    move(a, 0, scaled(1, 0, 0)); /* a line, a point: no direction */
    assert_vector(a->normals, 0.0, 0.0, 0.0, 0.0);
    move(a, 0, scaled(0, 0, 0));
    assert_vector(a->positions, 0.0, 0.0, 0.0, 0.0);
    assert_vector(a->normals, 0.0, 0.0, 0.0, 0.0);
    assert_vector(a->tangents, 0.0, 0.0, 0.0, 0.0);
    dismiss(a);
}

static void translation_does_not_turn_directions(void **state) {
    (void)state;
    const float slanted[3] = {0.6f, 0.0f, 0.8f};
    actor *a = bar(0.5, slanted, NULL);
    sinew_transform far = {{1e6f, -1e6f, 1e6f}, {0, 0, 0, 1}, {1, 1, 1}};
    move(a, 0, far);
    assert_vector(a->normals, 0.6, 0.0, 0.8, 1e-7);
    dismiss(a);
}

static void a_stored_direction_of_length_zero_stays_so(void **state) {
    (void)state;
    const float nothing[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    actor *a = bar(0.5, nothing, nothing);
    skin_all(a);
    assert_vector(a->normals, 0.0, 0.0, 0.0, 0.0);
    assert_vector(a->tangents, 0.0, 0.0, 0.0, 0.0);
    assert_true(a->tangents[3] == 1.0f);
    dismiss(a);
}

/* ---- morph targets ---- */

static void morphs_come_before_the_skin(void **state) {
    (void)state;
    const float position[3] = {10, 0, 0}, normal[3] = {0, 3, 0}, tangent[3] = {0, 0, 2};
    const float weights[4] = {0.5f, 0.0f, -1.0f, 9.0f};
    actor *a = bar(1.0, NULL, NULL); /* (1 2 3), normal z, tangent x */
    sinew_primitive morphing = *a->primitive;
    const float nans[3] = {NAN, NAN, NAN};
    sinew_target targets[4] = {{position, normal, tangent},
                               {nans, nans, nans},   /* weight 0: skipped */
                               {NULL, normal, NULL}, /* adds to the normal only */
                               {nans, nans, nans}};  /* beyond morph_weight_count */
    morphing.targets = targets;
    morphing.target_count = 4;
    a->job.primitive = &morphing;
    a->job.morph_weights = weights;
    a->job.morph_weight_count = 3;
    move(a, 0, scaled(2, 1, 1));
    assert_vector(a->positions, 12.0, 2.0, 3.0, 0.0);
    double n = hypot(1.5, 1.0), t = hypot(2.0, 1.0); /* normal 0 -1.5 1, tangent 1 0 1 */
    assert_vector(a->normals, 0.0, -1.5 / n, 1.0 / n, 1e-7);
    assert_vector(a->tangents, 2.0 / t, 0.0, 1.0 / t, 1e-7);
    assert_true(a->tangents[3] == -1.0f);
    a->job.morph_weights = NULL; /* none is applied */
    skin_all(a);
    assert_vector(a->positions, 2.0, 2.0, 3.0, 0.0);
    dismiss(a);
}

/* ---- outputs ---- */

static void outputs_may_be_interleaved_or_absent(void **state) {
    (void)state;
    enum {
        FLOATS = 11
    };
    actor *a = posed(7);
    skin_all(a);
    float vertices[60 * FLOATS];
    memset(vertices, 0xff, sizeof vertices);
    sinew_skin_job job = a->job;
    job.positions = vertices;
    job.normals = NULL;
    job.tangents = vertices + 5;
    job.position_stride = job.tangent_stride = FLOATS * sizeof(float);
    assert_int_equal(sinew_skin_vertices(&job, 0, 60), SINEW_OK);
    for (uint32_t v = 0; v < 60; v++) {
        const float *at = vertices + FLOATS * v;
        assert_memory_equal(at, a->positions + 3 * v, 3 * sizeof(float));
        assert_memory_equal(at + 5, a->tangents + 4 * v, 4 * sizeof(float));
        assert_true(isnan(at[3]) && isnan(at[4]) && isnan(at[9]) && isnan(at[10]));
    }
    dismiss(a);
}

static void what_the_primitive_lacks_is_not_written(void **state) {
    (void)state;
    actor *a = bar(0.5, NULL, NULL);
    sinew_primitive bare = *a->primitive;
    bare.normals = bare.tangents = NULL;
    a->job.primitive = &bare;
    a->normals[0] = a->tangents[3] = 42.0f;
    skin_all(a);
    assert_true(a->normals[0] == 42.0f && a->tangents[3] == 42.0f);
    assert_vector(a->positions, 1.0, 2.0, 3.0, 0.0);
    dismiss(a);
}

static void no_vertices_are_no_error(void **state) {
    (void)state;
    actor *a = bar(0.5, NULL, NULL);
    sinew_primitive empty = {0};
    a->job.primitive = &empty;
    assert_int_equal(sinew_skin_vertices(&a->job, 0, 0), SINEW_OK);
    assert_int_equal(sinew_skin_vertices(&a->job, 0, 1), SINEW_ERROR_ARGUMENT);
    dismiss(a);
}

static sinew_result try(const sinew_skin_job *job) {
    return sinew_skin_vertices(job, 0, job->primitive ? job->primitive->vertex_count : 1);
}

static void mistakes_write_nothing(void **state) {
    (void)state;
    const sinew_result argument = SINEW_ERROR_ARGUMENT;
    actor *a = bar(0.5, NULL, NULL);
    sinew_palette palette = a->palette;
    sinew_skin_job job = a->job;
    a->positions[0] = 42.0f;
    assert_int_equal(sinew_skin_vertices(NULL, 0, 0), argument);
    assert_int_equal(sinew_skin_vertices(&job, 1, 1), argument);
    assert_int_equal(sinew_skin_vertices(&job, 0, 2), argument);
    assert_int_equal(sinew_skin_vertices(&job, 2, 0), argument);
    assert_int_equal(sinew_skin_vertices(&job, 1, UINT32_MAX), argument);
    job.primitive = NULL;
    assert_int_equal(try(&job), argument);
    job = a->job;
    job.palette = NULL;
    assert_int_equal(try(&job), argument);
    job.palette = &palette;
    palette.joint_count = 1; /* the influences may name 2 */
    assert_int_equal(try(&job), argument);
    palette.joint_count = 0;
    job.influences = NULL;
    assert_int_equal(try(&job), argument);
    palette = a->palette;
    palette.matrices = NULL;
    assert_int_equal(try(&job), argument);
    palette = a->palette;
    palette.layout = (sinew_palette_layout)5;
    assert_int_equal(try(&job), argument);
    job = a->job;
    job.path = (sinew_skin_path)9;
    assert_int_equal(try(&job), argument);
    job = a->job;
    job.position_stride = 8;
    assert_int_equal(try(&job), argument);
    job.position_stride = 14;
    assert_int_equal(try(&job), argument);
    job = a->job;
    job.tangent_stride = 12;
    assert_int_equal(try(&job), argument);
    assert_true(a->positions[0] == 42.0f);
    dismiss(a);
}

/* ---- numbers at the edge ---- */

static void finite_models_give_finite_vertices(void **state) {
    (void)state;
    const float extremes[] = {0.0f,    1e-45f, FLT_MIN,  1e-20f,  1.0f,
                              -1e-30f, 1e19f,  -FLT_MAX, FLT_MAX, -1.0f};
    const uint32_t count = sizeof extremes / sizeof *extremes;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        test_wish wish = {seed, 6, 40, 1, 2, SINEW_F32, 0.0, 0.0, 0.0};
        actor *a = actor_of(test_random_model(&wish));
        test_random chance = {seed};
        float *floats[] = {(float *)(uintptr_t)a->primitive->positions,
                           (float *)(uintptr_t)a->primitive->normals,
                           (float *)(uintptr_t)a->primitive->tangents,
                           (float *)(uintptr_t)a->primitive->targets[0].positions,
                           (float *)(uintptr_t)a->primitive->targets[1].normals,
                           (float *)(uintptr_t)a->made->skins[0].inverse_binds};
        for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
            for (uint32_t i = 0; i < 96; i++) {
                floats[f][i] = extremes[test_random_below(&chance, count)];
            }
        }
        for (uint32_t j = 0; j < 6; j++) { /* the last row is the model's promise */
            float *bind = floats[5] + 16 * j;
            bind[3] = bind[7] = bind[11] = 0.0f;
            bind[15] = 1.0f;
        }
        for (uint32_t i = 0; i < 10 * a->pose->model->node_count; i++) {
            ((float *)a->pose->local)[i] = extremes[test_random_below(&chance, count)];
        }
        a->pose->weights[0] = extremes[test_random_below(&chance, count)];
        sinew_pose_changed(a->pose);
        sinew_pose_to_world(a->pose);
        rebuild(a, seed % 2 ? SINEW_PALETTE_4X3 : SINEW_PALETTE_4X4);
        for (int approximate = 0; approximate < 2; approximate++) {
            a->job.approximate_normals = approximate;
            skin_all(a);
            for (uint32_t i = 0; i < 3 * 40; i++) {
                assert_true(isfinite(a->positions[i]) && isfinite(a->normals[i]) &&
                            isfinite(a->tangents[i]));
            }
        }
        dismiss(a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_inverse_transpose_in_double),
        cmocka_unit_test(in_the_bind_pose_vertices_stay_where_they_are),
        cmocka_unit_test(renumbering_joints_changes_no_bit),
        cmocka_unit_test(both_layouts_give_the_same_bits),
        cmocka_unit_test(split_ranges_give_the_same_bits),
        cmocka_unit_test(a_range_writes_nothing_else),
        cmocka_unit_test(the_best_path_is_the_reference_within_rounding),
        cmocka_unit_test(weights_of_all_types_mean_the_same),
        cmocka_unit_test(entries_of_weight_zero_count_for_nothing),
        cmocka_unit_test(all_sets_take_part),
        cmocka_unit_test(without_influences_all_follows_joint_0),
        cmocka_unit_test(uneven_scale_bends_normals_the_other_way),
        cmocka_unit_test(approximate_normals_are_exact_under_turns_and_even_scale),
        cmocka_unit_test(mirrored_normals_stay_outside),
        cmocka_unit_test(tiny_and_huge_scales_turn_directions_all_the_same),
        cmocka_unit_test(flattened_joints_give_finite_directions),
        cmocka_unit_test(translation_does_not_turn_directions),
        cmocka_unit_test(a_stored_direction_of_length_zero_stays_so),
        cmocka_unit_test(morphs_come_before_the_skin),
        cmocka_unit_test(outputs_may_be_interleaved_or_absent),
        cmocka_unit_test(what_the_primitive_lacks_is_not_written),
        cmocka_unit_test(no_vertices_are_no_error),
        cmocka_unit_test(mistakes_write_nothing),
        cmocka_unit_test(finite_models_give_finite_vertices),
    };
    return cmocka_run_group_tests_name("skin", tests, NULL, NULL);
}
