/* base: errors that the first wins, sizes that do not overflow, arenas, exact rotations. */
#define _XOPEN_SOURCE 700
#include "base/error.h"
#include "base/file.h"
#include "base/math.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void the_first_error_wins(void **state) {
    (void)state;
    sinew_error error = {SINEW_OK, "", ""};
    assert_int_equal(sinewi_fail(&error, SINEW_ERROR_DATA, "/a", "one %d", 1), SINEW_ERROR_DATA);
    assert_int_equal(sinewi_fail(&error, SINEW_ERROR_FILE, "/b", "two"), SINEW_ERROR_FILE);
    assert_int_equal(error.result, SINEW_ERROR_DATA);
    assert_string_equal(error.place, "/a");
    assert_string_equal(error.message, "one 1");
    assert_int_equal(sinewi_fail(NULL, SINEW_ERROR_GL, NULL, "three"), SINEW_ERROR_GL);
}

static void a_long_message_ends_at_a_whole_character(void **state) {
    (void)state;
    char text[1000] = "x";
    for (size_t i = 1; i + 2 < sizeof text; i += 2) {
        memcpy(text + i, "\xC3\xA9", 3); /* é */
    }
    sinew_error error = {SINEW_OK, "", ""};
    sinewi_fail(&error, SINEW_ERROR_DATA, text, "%s", text);
    assert_int_equal(strlen(error.message) % 2, 1);
    assert_int_equal(strlen(error.place) % 2, 1);
}

static void sizes_do_not_overflow(void **state) {
    (void)state;
    size_t out = 7;
    assert_false(sinewi_multiply(SIZE_MAX / 2, 3, &out));
    assert_false(sinewi_add(SIZE_MAX, 1, &out));
    assert_int_equal(out, 7);
    assert_true(sinewi_multiply(SIZE_MAX, 1, &out) && out == SIZE_MAX);
    assert_true(sinewi_multiply(0, SIZE_MAX, &out) && out == 0);
}

static void an_arena_gives_aligned_blocks_within_its_limit(void **state) {
    (void)state;
    sinewi_arena arena;
    sinewi_budget budget = {1 << 20, 0};
    sinewi_arena_init(&arena, NULL, &budget);
    char *before = NULL;
    for (size_t i = 0; i < 1000; i++) {
        char *block = sinewi_arena_take(&arena, i, 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 16, 0);
        assert_ptr_not_equal(block, before);
        memset(block, (int)i, i);
        before = block;
    }
    assert_null(sinewi_arena_take(&arena, SIZE_MAX / 2, 4));
    assert_null(sinewi_arena_take(&arena, 2 << 20, 1));
    assert_true(arena.over_limit);
    assert_true(arena.used <= 1 << 20 && arena.used == budget.used);
    sinewi_arena_free(&arena);
    assert_int_equal(budget.used, 0);
}

static void slerp_is_exact_at_every_angle(void **state) {
    (void)state;
    for (int e = -40; e <= 6; e++) {
        double angle = e < 0 ? pow(2.0, e) : 0.5 * e; /* of the quaternions: half the turn */
        float a[4] = {0, 0, 0, 1};
        float b[4] = {(float)sin(angle), 0, 0, (float)cos(angle)};
        double stored = atan2(b[0], b[3]);
        for (int k = 0; k <= 8; k++) {
            float q[4];
            sinewi_quat_slerp(a, b, k / 8.0, q);
            double short_way = stored > 1.57079632679489662 ? stored - 3.14159265358979324 : stored;
            double want = short_way * k / 8.0;
            assert_true(fabs(q[0] - sin(want)) < 1.2e-7);
            assert_true(fabs(q[3] - cos(want)) < 1.2e-7);
        }
    }
}

static void slerp_takes_the_shorter_arc_and_unit_ends(void **state) {
    (void)state;
    float a[4] = {0, 0, 0, 2}, b[4] = {0, 0, -3 * 0.70710678f, -3 * 0.70710678f}, q[4];
    sinewi_quat_slerp(a, b, 0.5, q); /* b is minus a turn of 90 degrees about z */
    assert_true(fabsf(q[2] - 0.38268343f) < 1e-6f && fabsf(q[3] - 0.92387953f) < 1e-6f);
}

static void a_rotation_without_length_is_none(void **state) {
    (void)state;
    const float t[3] = {1, 2, 3}, none[4] = {0}, s[3] = {2, 3, 4};
    float m[16];
    sinewi_mat4_from_trs(t, none, s, m);
    const float want[16] = {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1};
    assert_memory_equal(m, want, sizeof want);
}

static void an_inverse_undoes_or_is_refused(void **state) {
    (void)state;
    const float t[3] = {1, -20, 300}, q[4] = {0.1f, 0.7f, -0.3f, 0.5f}, s[3] = {1e-4f, 5, -2};
    float m[16], inverse[16], product[16], flat[16] = {0};
    sinewi_mat4_from_trs(t, q, s, m);
    assert_true(sinewi_mat4_inverse(m, inverse));
    sinewi_mat4_multiply(inverse, m, product);
    for (int i = 0; i < 12; i++) {
        assert_true(fabsf(product[i] - (i % 5 == 0 ? 1.0f : 0.0f)) < 2e-3f);
    }
    assert_false(sinewi_mat4_inverse(flat, inverse));
}

static void the_side_of_a_matrix_does_not_hang_on_its_unit(void **state) {
    (void)state;
    for (int e = -12; e <= 12; e += 4) {
        float k = (float)pow(10.0, e);
        float m[16] = {k, 0, 0, 0, 0, k, 0, 0, 0, 0, k, 0, 0, 0, 0, 1};
        assert_int_equal(sinewi_mat4_side(m), 1);
        m[5] = -k;
        assert_int_equal(sinewi_mat4_side(m), -1);
        m[5] = 0;
        assert_int_equal(sinewi_mat4_side(m), 0);
    }
}

static void a_matrix_is_taken_apart_where_it_can_be(void **state) {
    (void)state;
    const float t[3] = {0, 0, 0};
    const float turns[][4] = {{0, 0, 0, 1},
                              {1, 0, 0, 0},
                              {0, 1, 0, 0},
                              {0, 0, 1, 0},
                              {0.1f, 0.7f, -0.3f, 0.5f},
                              {0.9f, -0.1f, 0.2f, 0.1f},
                              {0.1f, 0.2f, 0.9f, -0.1f}};
    const float scales[][3] = {
        {1, 1, 1}, {2, 0.5f, 3}, {-1, 1, 1}, {1, -2, 3}, {-1e-5f, -2e-5f, -1e-5f}};
    float m[16], again[16], q[4], s[3];
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
            sinewi_mat4_from_trs(t, turns[i], scales[k], m);
            assert_true(sinewi_mat4_to_trs(m, q, s));
            sinewi_mat4_from_trs(t, q, s, again);
            for (int e = 0; e < 11; e++) {
                assert_true(fabsf(m[e] - again[e]) <= 1e-6f * fabsf(scales[k][1]) * 6.0f);
            }
        }
    }
    const float sheared[16] = {1, 0, 0, 0, 0.01f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float flat[16] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    q[0] = 7.0f;
    assert_false(sinewi_mat4_to_trs(sheared, q, s));
    assert_false(sinewi_mat4_to_trs(flat, q, s));
    assert_true(q[0] == 7.0f);
}

static void directions_of_any_length_become_unit_or_nothing(void **state) {
    (void)state;
    float tiny[3] = {0, 3e-38f, 4e-38f}, huge[3] = {0, 3e38f, 0}, odd[3] = {NAN, 1, 0}, no[3] = {0};
    sinewi_vec3_normalise(tiny);
    sinewi_vec3_normalise(huge);
    sinewi_vec3_normalise(odd);
    sinewi_vec3_normalise(no);
    assert_true(fabsf(tiny[1] - 0.6f) < 1e-6f && fabsf(tiny[2] - 0.8f) < 1e-6f);
    assert_true(huge[1] == 1.0f);
    assert_true(odd[0] == 0.0f && odd[1] == 0.0f && no[2] == 0.0f);
}

static void only_regular_files_are_opened(void **state) {
    (void)state;
    sinewi_file file;
    sinew_error error = {SINEW_OK, "", ""};
    assert_int_equal(sinewi_file_open(&file, "/dev/zero", 0, NULL, "", &error), SINEW_ERROR_FILE);
    assert_int_equal(sinewi_file_open(&file, ".", 0, NULL, "", NULL), SINEW_ERROR_FILE);
    assert_int_equal(sinewi_file_open(&file, "no such file", 0, NULL, "", NULL), SINEW_ERROR_FILE);
    assert_int_equal(sinewi_file_open(&file, __FILE__, 10, NULL, "", NULL),
                     access(__FILE__, R_OK) == 0 ? SINEW_ERROR_LIMIT : SINEW_ERROR_FILE);
    sinewi_file_close(&file);
}

static void a_link_out_of_the_folder_is_outside(void **state) {
    (void)state;
    char folder[] = "sinew-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/link", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_false(sinewi_file_is_inside(path, folder));
    unlink(path);
    assert_true(sinewi_file_is_inside(path, folder)); /* not there: opening says so */
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_wins),
        cmocka_unit_test(a_long_message_ends_at_a_whole_character),
        cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(an_arena_gives_aligned_blocks_within_its_limit),
        cmocka_unit_test(slerp_is_exact_at_every_angle),
        cmocka_unit_test(slerp_takes_the_shorter_arc_and_unit_ends),
        cmocka_unit_test(a_rotation_without_length_is_none),
        cmocka_unit_test(an_inverse_undoes_or_is_refused),
        cmocka_unit_test(the_side_of_a_matrix_does_not_hang_on_its_unit),
        cmocka_unit_test(a_matrix_is_taken_apart_where_it_can_be),
        cmocka_unit_test(directions_of_any_length_become_unit_or_nothing),
        cmocka_unit_test(only_regular_files_are_opened),
        cmocka_unit_test(a_link_out_of_the_folder_is_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
