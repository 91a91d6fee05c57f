/* Clip: sampled channels. Expected numbers are closed formulas; those of CUBICSPLINE are
 * the worked ones of the report R11 in ../shared/gauntlet/reports. */
#include "sinew/clip.h"

#include "models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static sinew_channel channel_of(sinew_path path, sinew_interpolation interpolation, uint32_t width,
                                uint32_t key_count, const float *times, const float *values) {
    sinew_channel channel = {0, path, interpolation, width, 0, key_count, times, values};
    return channel;
}

static void assert_near(const float *have, const double *want, uint32_t count, double limit) {
    for (uint32_t i = 0; i < count; i++) {
        if (!(fabs((double)have[i] - want[i]) <= limit)) {
            fail_msg("[%u] is %.9g, expected %.9g", i, (double)have[i], want[i]);
        }
    }
}

/* ---- one channel ---- */

static const float times_124[3] = {1.0f, 2.0f, 4.0f};
static const float lengths[9] = {0, 0, 0, 10, -20, 30, 10, 0, 0};

static void outside_its_keys_a_channel_keeps_the_first_or_last_value(void **state) {
    (void)state;
    /* Not of unit length: what is stored comes out, bit for bit. */
    const float turns[12] = {0, 0, 0, 2, 0, 0, 0.5f, 0.5f, 3, 0, 0, 4};
    const float spline[36] = {9, 9, 9, 9, 0, 0, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0,
                              1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 3, 0, 0, 4, 9, 9, 9, 9};
    const double early[] = {-1e300, -1.0, 0.0, 1.0, NAN}, late[] = {4.0, 4.5, 1e300};
    for (int mode = SINEW_LINEAR; mode <= SINEW_CUBICSPLINE; mode++) {
        const float *values = mode == SINEW_CUBICSPLINE ? spline : turns;
        sinew_channel channel =
            channel_of(SINEW_ROTATION, (sinew_interpolation)mode, 4, 3, times_124, values);
        float value[4];
        for (size_t i = 0; i < sizeof early / sizeof *early; i++) {
            sinew_channel_sample(&channel, early[i], value);
            assert_memory_equal(value, turns, sizeof value);
        }
        for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
            sinew_channel_sample(&channel, late[i], value);
            assert_memory_equal(value, turns + 8, sizeof value);
        }
    }
}

static void on_a_key_the_stored_value_comes_out(void **state) {
    (void)state;
    const float turns[12] = {0, 0, 0, 2, 0.1f, 0.2f, 0.5f, 0.5f, 3, 0, 0, 4};
    for (int mode = SINEW_LINEAR; mode <= SINEW_STEP; mode++) {
        sinew_channel channel =
            channel_of(SINEW_ROTATION, (sinew_interpolation)mode, 4, 3, times_124, turns);
        for (uint32_t key = 0; key < 3; key++) {
            float value[4];
            sinew_channel_sample(&channel, (double)times_124[key], value);
            assert_memory_equal(value, turns + 4 * key, sizeof value);
        }
    }
}

static void a_step_holds_until_the_next_key(void **state) {
    (void)state;
    sinew_channel channel = channel_of(SINEW_TRANSLATION, SINEW_STEP, 3, 3, times_124, lengths);
    float value[3];
    sinew_channel_sample(&channel, nextafter(2.0, 0.0), value);
    assert_memory_equal(value, lengths, sizeof value);
    sinew_channel_sample(&channel, nextafter(4.0, 0.0), value);
    assert_memory_equal(value, lengths + 3, sizeof value);
}

static void linear_mixes_in_proportion(void **state) {
    (void)state;
    const double quarter[3] = {2.5, -5.0, 7.5}, later[3] = {10.0, -15.0, 22.5};
    sinew_channel channel = channel_of(SINEW_SCALE, SINEW_LINEAR, 3, 3, times_124, lengths);
    float value[3];
    sinew_channel_sample(&channel, 1.25, value);
    assert_near(value, quarter, 3, 0.0);
    sinew_channel_sample(&channel, 2.5, value);
    assert_near(value, later, 3, 0.0);
}

/* In float, a time so far out could not tell these two keys from what lies between. */
static void time_is_double(void **state) {
    (void)state;
    const float times[2] = {65536.0f, 65536.0078125f};
    const float values[2] = {0.0f, 1.0f};
    sinew_channel channel = channel_of(SINEW_WEIGHTS, SINEW_LINEAR, 1, 2, times, values);
    for (int i = 0; i <= 16; i++) {
        float value;
        sinew_channel_sample(&channel, 65536.0 + i * 0.0078125 / 16, &value);
        assert_float_equal(value, (float)i / 16.0f, 1e-6f);
    }
}

static void about_z(double degrees, float q[4]) {
    double half = degrees * 3.14159265358979323846 / 360.0;
    q[0] = q[1] = 0.0f;
    q[2] = (float)sin(half);
    q[3] = (float)cos(half);
}

static void linear_turns_evenly_along_the_shorter_arc(void **state) {
    (void)state;
    /* from, to, at a quarter of the way */
    const double cases[][3] = {{0, 90, 22.5},     {0, 270, -22.5}, {350, 10, 355},
                               {0, 0.01, 0.0025}, {10, 10, 10},    {0, 179.9, 44.975}};
    const float times[2] = {0.0f, 1.0f};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float turns[8], value[4], want[4];
        about_z(cases[i][0], turns);
        about_z(cases[i][1], turns + 4);
        about_z(cases[i][2], want);
        for (int sign = 0; sign < 2; sign++) {
            sinew_channel channel = channel_of(SINEW_ROTATION, SINEW_LINEAR, 4, 2, times, turns);
            sinew_channel_sample(&channel, 0.25, value);
            double dot = 0.0;
            for (int k = 0; k < 4; k++) {
                dot += (double)value[k] * (double)want[k];
                turns[4 + k] = -turns[4 + k]; /* the same rotation, for the second round */
            }
            if (!(fabs(dot) > 1.0 - 1e-7)) {
                fail_msg("case %u: %g %g", (unsigned)i, (double)value[2], (double)value[3]);
            }
        }
    }
}

static void opposite_quaternions_are_one_rotation(void **state) {
    (void)state;
    const float times[2] = {0.0f, 1.0f};
    const float turns[8] = {0.5f, -0.5f, 0.5f, 0.5f, -0.5f, 0.5f, -0.5f, -0.5f};
    const double want[4] = {0.5, -0.5, 0.5, 0.5};
    sinew_channel channel = channel_of(SINEW_ROTATION, SINEW_LINEAR, 4, 2, times, turns);
    for (int i = 1; i < 10; i++) {
        float value[4];
        sinew_channel_sample(&channel, i * 0.1, value);
        assert_near(value, want, 4, 1e-7);
    }
}

static void linear_normalises_keys_first(void **state) {
    (void)state;
    float turns[8] = {0, 0, 0, 5, 0, 0, 0.25f, 0.25f};
    const float times[2] = {0.0f, 1.0f};
    float want[4];
    about_z(45.0, want);
    sinew_channel channel = channel_of(SINEW_ROTATION, SINEW_LINEAR, 4, 2, times, turns);
    float value[4];
    sinew_channel_sample(&channel, 0.5, value);
    const double expected[4] = {0, 0, (double)want[2], (double)want[3]};
    assert_near(value, expected, 4, 1e-7);
}

static void a_cubic_rotation_is_normalised(void **state) {
    (void)state;
    const float half = sqrtf(0.5f);
    const float times[2] = {0.0f, 1.0f};
    const float spline[24] = {0, 0, 0, 0, 0, 0, 0,    1,    0, 0, 0, 0,
                              0, 0, 0, 0, 0, 0, half, half, 0, 0, 0, 0};
    sinew_channel channel = channel_of(SINEW_ROTATION, SINEW_CUBICSPLINE, 4, 2, times, spline);
    float value[4];
    sinew_channel_sample(&channel, 0.5, value);
    const double middle[4] = {0, 0, 0.38268343, 0.92387953};
    assert_near(value, middle, 4, 1e-7);
    sinew_channel_sample(&channel, 0.25, value);
    /* The report gives the angle, 13.209 degrees, and where (0, 1) goes. */
    double sine = 2.0 * (double)value[2] * (double)value[3];
    assert_float_equal((float)sine, 0.228505162f, 1e-6f);
    assert_float_equal((float)(asin(sine) * 180.0 / 3.14159265358979), 13.209f, 1e-3f);
}

static void cubic_tangents_are_per_second(void **state) {
    (void)state;
    const float times[2] = {0.0f, 2.0f};
    /* in-tangent, value, out-tangent; 99: must not enter */
    const float spline[18] = {99, 99, 99, 0, 0, 0, 8, 0, 0, 0, 0, 0, 10, 0, 0, 99, 99, 99};
    sinew_channel channel = channel_of(SINEW_TRANSLATION, SINEW_CUBICSPLINE, 3, 2, times, spline);
    float value[3];
    sinew_channel_sample(&channel, 0.5, value);
    const double early[3] = {3.8125, 0, 0}, late[3] = {9.1875, 0, 0};
    assert_near(value, early, 3, 1e-6);
    sinew_channel_sample(&channel, 1.5, value);
    assert_near(value, late, 3, 1e-6);
}

/* A spline of degree 3 is its own interpolation: f(t) = t^3 - t between 1 and 3 s. */
static void cubic_follows_a_polynomial(void **state) {
    (void)state;
    const float times[2] = {1.0f, 3.0f}, spline[6] = {99, 0, 2, 26, 24, 99};
    sinew_channel channel = channel_of(SINEW_WEIGHTS, SINEW_CUBICSPLINE, 1, 2, times, spline);
    for (double t = 1.0; t <= 3.0; t += 0.125) {
        float value;
        double want = t * t * t - t;
        sinew_channel_sample(&channel, t, &value);
        assert_near(&value, &want, 1, 2e-6);
    }
}

static void a_single_key_holds_always(void **state) {
    (void)state;
    const float time = 3.0f, values[9] = {7, 7, 7, 1, 2, 3, 7, 7, 7};
    const double times[] = {-10.0, 3.0, 1e9};
    for (int mode = SINEW_LINEAR; mode <= SINEW_CUBICSPLINE; mode++) {
        sinew_channel channel = channel_of(SINEW_SCALE, (sinew_interpolation)mode, 3, 1, &time,
                                           mode == SINEW_CUBICSPLINE ? values : values + 3);
        for (size_t i = 0; i < 3; i++) {
            float value[3];
            sinew_channel_sample(&channel, times[i], value);
            assert_memory_equal(value, values + 3, sizeof value);
        }
    }
}

/* Random times find the same keys as a walk along them, whatever the number of keys. */
static void random_and_forward_sampling_agree(void **state) {
    (void)state;
    test_random chance = {5};
    for (uint32_t key_count = 1; key_count <= 70; key_count++) {
        float times[70], values[70];
        for (uint32_t k = 0; k < key_count; k++) {
            double step = test_random_between(&chance, 0.001, 1.0);
            times[k] = (k ? times[k - 1] : 0.0f) + (float)step;
            values[k] = (float)test_random_between(&chance, -5.0, 5.0);
        }
        sinew_channel channel =
            channel_of(SINEW_WEIGHTS, SINEW_LINEAR, 1, key_count, times, values);
        for (int i = 0; i < 50; i++) {
            double seconds = test_random_between(&chance, -0.5, (double)times[key_count - 1] + 0.5);
            double want = (double)values[0];
            for (uint32_t k = 0; k < key_count && (double)times[k] <= seconds; k++) {
                want = (double)values[k];
                if (k + 1 < key_count && seconds < (double)times[k + 1]) {
                    double t =
                        (seconds - (double)times[k]) / ((double)times[k + 1] - (double)times[k]);
                    want += t * ((double)values[k + 1] - want);
                }
            }
            float value;
            sinew_channel_sample(&channel, seconds, &value);
            assert_near(&value, &want, 1, 1e-6);
        }
    }
}

static void huge_keys_stay_finite(void **state) {
    (void)state;
    const float big = 3.4e38f;
    const float times[2] = {0.0f, 1e30f};
    float values[24];
    for (int i = 0; i < 24; i++) {
        values[i] = i % 3 ? big : -big;
    }
    for (int mode = SINEW_LINEAR; mode <= SINEW_CUBICSPLINE; mode++) {
        for (int path = SINEW_TRANSLATION; path <= SINEW_WEIGHTS; path++) {
            sinew_channel channel =
                channel_of((sinew_path)path, (sinew_interpolation)mode, 4, 2, times, values);
            float value[4];
            sinew_channel_sample(&channel, 3e29, value);
            for (int i = 0; i < 4; i++) {
                assert_true(isfinite(value[i]));
            }
        }
    }
}

/* ---- a clip ---- */

/* Node 0 slides along x from 0 to 4 between 0 and 4 s; node 1 is not driven and rests at
 * y = 5; node 2 turns. Clip 1 has one key at 0. */
static test_model *slider(void) {
    const float times[2] = {0.0f, 4.0f}, slide[6] = {0, 1, 2, 4, 1, 2};
    const float turn[8] = {0, 0, 0, 1, 0, 0, 1, 0}, held[3] = {9, 9, 9};
    test_model *made = test_model_create();
    test_add_node(made, SINEW_NONE, -1.0f, -1.0f, -1.0f);
    test_add_node(made, SINEW_NONE, 0.0f, 5.0f, 0.0f);
    test_add_node(made, SINEW_NONE, 3.0f, 0.0f, 0.0f);
    uint32_t clip = test_add_clip(made, "slide");
    test_add_channel(made, clip, 0, SINEW_TRANSLATION, SINEW_LINEAR, 2, times, slide);
    test_add_channel(made, clip, 2, SINEW_ROTATION, SINEW_LINEAR, 2, times, turn);
    clip = test_add_clip(made, "held");
    test_add_channel(made, clip, 0, SINEW_SCALE, SINEW_LINEAR, 1, times, held);
    test_model_done(made);
    return made;
}

static float x_at(const test_model *made, double seconds, int flags) {
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    assert_int_equal(sinew_clip_sample(&made->model, 0, seconds, flags, pose), SINEW_OK);
    float x = pose->local[0].translation[0];
    sinew_pose_free(pose);
    return x;
}

static void a_loop_repeats_also_before_zero(void **state) {
    (void)state;
    test_model *made = slider();
    assert_float_equal(x_at(made, 1.0, SINEW_CLAMP), 1.0f, 0.0f);
    assert_float_equal(x_at(made, 5.0, SINEW_CLAMP), 4.0f, 0.0f);
    assert_float_equal(x_at(made, -1.0, SINEW_CLAMP), 0.0f, 0.0f);
    for (int round = -3; round <= 3; round++) {
        assert_float_equal(x_at(made, 1.0 + 4.0 * round, SINEW_LOOP), 1.0f, 0.0f);
        assert_float_equal(x_at(made, 3.5 + 4.0 * round, SINEW_LOOP), 3.5f, 0.0f);
    }
    assert_float_equal(x_at(made, 4.0, SINEW_LOOP), 0.0f, 0.0f);
    assert_float_equal(x_at(made, 4e15 + 2.0, SINEW_LOOP), 2.0f, 0.0f);
    test_model_free(made);
}

static void a_clip_of_no_length_is_a_pose(void **state) {
    (void)state;
    const double times[] = {0.0, 5.0, -1.0};
    test_model *made = slider();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    for (size_t i = 0; i < 3; i++) {
        for (int flags = SINEW_CLAMP; flags <= SINEW_LOOP; flags++) {
            assert_int_equal(sinew_clip_sample(&made->model, 1, times[i], flags, pose), SINEW_OK);
            assert_float_equal(pose->local[0].scale[1], 9.0f, 0.0f);
            assert_float_equal(pose->local[0].translation[0], -1.0f, 0.0f);
        }
    }
    sinew_pose_free(pose);
    test_model_free(made);
}

static void what_is_not_driven_rests_or_is_kept(void **state) {
    (void)state;
    test_model *made = slider();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    pose->local[0].scale[0] = 3.0f;
    pose->local[1].translation[1] = 6.0f;
    sinew_clip_sample(&made->model, 0, 2.0, SINEW_KEEP, pose);
    assert_float_equal(pose->local[0].translation[0], 2.0f, 0.0f);
    assert_float_equal(pose->local[0].scale[0], 3.0f, 0.0f);
    assert_float_equal(pose->local[1].translation[1], 6.0f, 0.0f);
    sinew_clip_sample(&made->model, 0, 7.0, SINEW_KEEP | SINEW_LOOP, pose);
    assert_float_equal(pose->local[0].translation[0], 3.0f, 0.0f);
    assert_float_equal(pose->local[1].translation[1], 6.0f, 0.0f);
    sinew_clip_sample(&made->model, 0, 2.0, SINEW_CLAMP, pose);
    assert_float_equal(pose->local[0].scale[0], 1.0f, 0.0f);
    assert_float_equal(pose->local[1].translation[1], 5.0f, 0.0f);
    sinew_clip_sample(&made->model, SINEW_NONE, 2.0, SINEW_CLAMP, pose);
    assert_float_equal(pose->local[0].translation[0], -1.0f, 0.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void weights_go_to_their_node(void **state) {
    (void)state;
    const float times[2] = {0.0f, 1.0f}, values[4] = {0, 1, 2, -1};
    test_model *made = test_model_create();
    sinew_target none = {0};
    sinew_target targets[3] = {none, none, none};
    for (uint32_t i = 0; i < 3; i++) {
        sinew_primitive primitive = {0};
        primitive.targets = targets;
        primitive.target_count = i + 1;
        uint32_t node = test_add_node(made, SINEW_NONE, 0.0f, 0.0f, 0.0f);
        test_wear(made, node, test_add_mesh(made, &primitive), SINEW_NONE);
    }
    uint32_t clip = test_add_clip(made, "");
    test_add_channel(made, clip, 1, SINEW_WEIGHTS, SINEW_LINEAR, 2, times, values);
    sinew_pose *pose = sinew_pose_create(test_model_done(made), NULL);
    for (int i = 0; i < 6; i++) {
        pose->weights[i] = 7.0f;
    }
    sinew_clip_sample(&made->model, clip, 0.5, SINEW_KEEP, pose);
    const double want[6] = {7, 1, 0, 7, 7, 7};
    assert_near(pose->weights, want, 6, 0.0);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void sampling_makes_the_pose_stale(void **state) {
    (void)state;
    test_model *made = slider();
    sinew_pose *pose = sinew_pose_create(&made->model, NULL);
    sinew_clip_sample(&made->model, 0, 2.0, SINEW_KEEP, pose);
    assert_true(pose->revision > pose->world_revision);
    sinew_pose_to_world(pose);
    assert_float_equal(pose->world_matrices[12], 2.0f, 0.0f);
    sinew_pose_free(pose);
    test_model_free(made);
}

static void mistakes_change_nothing(void **state) {
    (void)state;
    test_model *made = slider(), *other = slider();
    const sinew_model *model = &made->model;
    sinew_pose *pose = sinew_pose_create(model, NULL);
    uint64_t revision = pose->revision;
    pose->local[0].translation[0] = 8.0f;
    assert_int_equal(sinew_clip_sample(model, 2, 0.0, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_sample(model, 0, NAN, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_sample(model, 0, INFINITY, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_sample(&other->model, 0, 0.0, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_sample(NULL, 0, 0.0, 0, pose), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_clip_sample(model, 0, 0.0, 0, NULL), SINEW_ERROR_ARGUMENT);
    assert_float_equal(pose->local[0].translation[0], 8.0f, 0.0f);
    assert_true(pose->revision == revision);
    sinew_pose_free(pose);
    test_model_free(made);
    test_model_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outside_its_keys_a_channel_keeps_the_first_or_last_value),
        cmocka_unit_test(on_a_key_the_stored_value_comes_out),
        cmocka_unit_test(a_step_holds_until_the_next_key),
        cmocka_unit_test(linear_mixes_in_proportion),
        cmocka_unit_test(time_is_double),
        cmocka_unit_test(linear_turns_evenly_along_the_shorter_arc),
        cmocka_unit_test(opposite_quaternions_are_one_rotation),
        cmocka_unit_test(linear_normalises_keys_first),
        cmocka_unit_test(a_cubic_rotation_is_normalised),
        cmocka_unit_test(cubic_tangents_are_per_second),
        cmocka_unit_test(cubic_follows_a_polynomial),
        cmocka_unit_test(a_single_key_holds_always),
        cmocka_unit_test(random_and_forward_sampling_agree),
        cmocka_unit_test(huge_keys_stay_finite),
        cmocka_unit_test(a_loop_repeats_also_before_zero),
        cmocka_unit_test(a_clip_of_no_length_is_a_pose),
        cmocka_unit_test(what_is_not_driven_rests_or_is_kept),
        cmocka_unit_test(weights_go_to_their_node),
        cmocka_unit_test(sampling_makes_the_pose_stale),
        cmocka_unit_test(mistakes_change_nothing),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
