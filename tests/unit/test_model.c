/* model: the order of scene nodes, names, and strips and fans taken apart. */
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void scene_nodes_come_depth_first(void **state) {
    (void)state;
    test_model *made = test_model_create();
    uint32_t a = test_add_node(made, SINEW_NONE, 0, 0, 0);
    uint32_t b = test_add_node(made, a, 0, 0, 0);
    uint32_t c = test_add_node(made, b, 0, 0, 0);
    uint32_t d = test_add_node(made, a, 0, 0, 0);
    uint32_t e = test_add_node(made, SINEW_NONE, 0, 0, 0);
    sinew_model model = *test_model_done(made);
    uint32_t nodes[5];
    assert_int_equal(sinew_scene_nodes(&model, SINEW_NONE, nodes), 5);
    const uint32_t want[] = {a, b, c, d, e};
    assert_memory_equal(nodes, want, sizeof want);

    const uint32_t inner[] = {e, b}; /* a root inside the tree: only what is below it */
    const sinew_scene scene = {"", inner, 2};
    model.scenes = &scene;
    model.scene_count = 1;
    model.default_scene = 0;
    assert_int_equal(sinew_scene_nodes(&model, SINEW_NONE, nodes), 3);
    const uint32_t below[] = {e, b, c};
    assert_memory_equal(nodes, below, sizeof below);
    assert_int_equal(sinew_scene_nodes(&model, 1, nodes), 0);
    test_model_free(made);
}

static void names_are_found(void **state) {
    (void)state;
    test_model *made = test_model_create();
    uint32_t joint = test_add_node(made, SINEW_NONE, 0, 0, 0);
    uint32_t other = test_add_node(made, joint, 0, 0, 0);
    made->nodes[other].name = "hand";
    const uint32_t joints[] = {joint, other};
    uint32_t skin = test_add_skin(made, joints, 2, NULL);
    test_add_clip(made, "walk");
    uint32_t wave = test_add_clip(made, "wave");
    const sinew_model *model = test_model_done(made);
    assert_int_equal(sinew_node_find(model, "hand"), other);
    assert_int_equal(sinew_joint_find(model, skin, "hand"), 1);
    assert_int_equal(sinew_joint_find(model, skin + 1, "hand"), SINEW_NONE);
    assert_int_equal(sinew_clip_find(model, "wave"), wave);
    assert_int_equal(sinew_clip_find(model, "swim"), SINEW_NONE);
    test_model_free(made);
}

static uint32_t triangles_of(sinew_topology topology, uint32_t vertices, uint32_t *out) {
    sinew_primitive primitive;
    memset(&primitive, 0, sizeof primitive);
    primitive.topology = topology;
    primitive.vertex_count = vertices;
    assert_int_equal(sinew_primitive_triangles(&primitive, NULL),
                     sinew_primitive_triangles(&primitive, out));
    return sinew_primitive_triangles(&primitive, out);
}

static void strips_and_fans_keep_their_winding(void **state) {
    (void)state;
    uint32_t t[16];
    assert_int_equal(triangles_of(SINEW_TRIANGLE_STRIP, 5, t), 3);
    const uint32_t strip[] = {0, 1, 2, 1, 3, 2, 2, 3, 4};
    assert_memory_equal(t, strip, sizeof strip);
    assert_int_equal(triangles_of(SINEW_TRIANGLE_FAN, 4, t), 2);
    const uint32_t fan[] = {1, 2, 0, 2, 3, 0};
    assert_memory_equal(t, fan, sizeof fan);
    assert_int_equal(triangles_of(SINEW_TRIANGLES, 8, t), 2); /* the rest is no triangle */
    assert_int_equal(triangles_of(SINEW_TRIANGLE_STRIP, 2, t), 0);
    assert_int_equal(triangles_of(SINEW_LINES, 6, t), 0);
    assert_int_equal(triangles_of(SINEW_TRIANGLES, 0, t), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_nodes_come_depth_first),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(strips_and_fans_keep_their_winding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
