/* gltf: JSON, limits, memory, and the parts of a sound file. */
#include "gltf/json.h"
#include "sinew/gltf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SOUND SINEW_TEST_DATA "/sound.gltf"
#define SOUND_GLB SINEW_TEST_DATA "/sound.glb"

/* ---- JSON ---- */

static sinewi_json_report check(const char *text, uint32_t depth) {
    sinewi_arena arena;
    sinewi_json_token *tokens;
    sinewi_arena_init(&arena, NULL, NULL);
    sinewi_json_report report = sinewi_json_parse(text, strlen(text), depth, &arena, &tokens);
    sinewi_arena_free(&arena);
    return report;
}

static void json_is_checked_byte_by_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset; /* SIZE_MAX: sound */
    } cases[] = {
        {"{}", SIZE_MAX},
        {" [1, -0, 1.5e+3, \"\\u00e9\\\\\", true, null]\n", SIZE_MAX},
        {"\"alone\"", SIZE_MAX},
        {"{\"a\":1,}", 7},
        {"[1,]", 3},
        {"[01]", 2},
        {"[1.]", 3},
        {"[+1]", 1},
        {"[.5]", 1},
        {"{\"a\" 1}", 5},
        {"{a:1}", 1},
        {"[1 2]", 3},
        {"[\"\\x\"]", 3},
        {"[\"\\u12g4\"]", 6},
        {"[\"tab\there\"]", 5},
        {"[\"\xC0\xAF\"]", 2},
        {"[\"\xED\xA0\x80\"]", 3 - 1},
        {"[1]]", 3},
        {"[tru]", 4},
        {"[NaN]", 1},
        {"[1", 2},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinewi_json_report report = check(cases[i].text, 64);
        bool sound = report.state == SINEWI_JSON_SOUND;
        if (sound != (cases[i].offset == SIZE_MAX) ||
            (!sound && report.offset != cases[i].offset)) {
            print_message("%s: %s at %zu\n", cases[i].text, sound ? "sound" : report.fault,
                          report.offset);
            fail();
        }
    }
    assert_int_equal(check("[[[[]]]]", 4).state, SINEWI_JSON_SOUND);
    assert_int_equal(check("[[[[]]]]", 3).state, SINEWI_JSON_TOO_DEEP);
}

/* Strings are looked over eight bytes at a time: a byte that is odd is seen at any place. */
static void json_strings_are_checked_at_every_place(void **state) {
    (void)state;
    static const struct {
        unsigned char byte;
        const char *fault; /* NULL: sound */
    } odd[] = {{0x1F, "control"}, {0x01, "control"}, {0x80, "UTF-8"}, {0xFF, "UTF-8"},
               {'\\', "escape"},  {'"', "comma"},    {0x20, NULL},    {0x7F, NULL},
               {'!', NULL},       {'[', NULL},       {0xC3, "UTF-8"}};
    for (size_t length = 1; length < 30; length++) {
        for (size_t at = 0; at < length; at++) {
            for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
                char text[40] = "[\"";
                memset(text + 2, 'x', length);
                text[2 + at] = (char)odd[i].byte;
                memcpy(text + 2 + length, "\"]", 3);
                sinewi_json_report report = check(text, 64);
                if (!odd[i].fault) {
                    assert_int_equal(report.state, SINEWI_JSON_SOUND);
                    continue;
                }
                size_t behind = odd[i].byte == '\\' || odd[i].byte == '"';
                assert_int_equal(report.state, SINEWI_JSON_BROKEN);
                if (odd[i].byte == '\\' && at + 1 == length) {
                    continue; /* it escapes the quote: another fault, further on */
                }
                assert_int_equal(report.offset, 2 + at + behind);
                assert_non_null(strstr(report.fault, odd[i].fault));
            }
        }
    }
}

typedef struct text_under_test {
    sinewi_json json;
    sinewi_arena arena;
} text_under_test;

static void take(text_under_test *t, const char *text) {
    sinewi_arena_init(&t->arena, NULL, NULL);
    sinewi_json_report report = sinewi_json_read(&t->json, text, strlen(text), 64, &t->arena);
    assert_int_equal(report.state, SINEWI_JSON_SOUND);
    assert_int_equal(t->json.count, report.token_count);
}

static void json_members_strings_and_pointers(void **state) {
    (void)state;
    text_under_test t;
    take(&t, "{\"a\":{\"x/y~\":[10,{\"b\":[]},20]},\"\\u0061\":5,\"s\":\"\\ud83e\\udd8a\\n\"}");
    assert_int_equal(sinewi_json_size(&t.json, 0), 3);
    uint32_t last = sinewi_json_member(&t.json, 0, "a"); /* the key again, with an escape */
    assert_true(sinewi_json_double(&t.json, last) == 5.0);
    size_t length;
    char *fox = sinewi_json_string(&t.json, sinewi_json_member(&t.json, 0, "s"), &t.arena, &length);
    assert_string_equal(fox, "\xF0\x9F\xA6\x8A\n");
    assert_int_equal(length, 5);
    uint32_t inner = sinewi_json_member(&t.json, 2, "x/y~");
    uint32_t second = sinewi_json_following(&t.json, inner, sinewi_json_first(&t.json, inner));
    char pointer[64];
    sinewi_json_pointer(&t.json, sinewi_json_member(&t.json, second, "b"), "c", pointer, 64);
    assert_string_equal(pointer, "/a/x~1y~0/1/b/c");
    sinewi_json_pointer(&t.json, second, NULL, pointer, 6); /* cut off in front */
    assert_string_equal(pointer, "/1");
    sinewi_arena_free(&t.arena);
}

static void json_numbers_are_exact(void **state) {
    (void)state;
    static const char *const texts[] = {"0.1",
                                        "1e22",
                                        "123456789012345678",
                                        "1.5e-45",
                                        "3.4028235e38",
                                        "-2.2250738585072014e-308",
                                        "0.30000000000000004",
                                        "9007199254740993"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text_under_test t;
        take(&t, texts[i]);
        double want = strtod(texts[i], NULL), have = sinewi_json_double(&t.json, 0);
        assert_true(fabs(have - want) <= fabs(want) * 2.3e-16);
        assert_true((float)have == (float)want);
        sinewi_arena_free(&t.arena);
    }
    static const struct {
        const char *text;
        bool whole, huge;
        uint64_t value;
    } wholes[] = {
        {"7", true, false, 7},
        {"7.0", true, false, 7},
        {"70e-1", true, false, 7},
        {"2e0", true, false, 2},
        {"7.5", false, false, 0},
        {"-1", false, false, 0},
        {"-0", true, false, 0},
        {"18446744073709551615", true, false, UINT64_MAX},
        {"18446744073709551616", false, true, 0},
        {"1e30", false, true, 0},
        {"\"7\"", false, false, 0},
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        text_under_test t;
        uint64_t value = 0;
        bool huge;
        take(&t, wholes[i].text);
        assert_int_equal(sinewi_json_whole(&t.json, 0, &value, &huge), wholes[i].whole);
        assert_int_equal(huge, wholes[i].huge);
        assert_true(!wholes[i].whole || value == wholes[i].value);
        sinewi_arena_free(&t.arena);
    }
}

/* ---- a sound file ---- */

static void check_sound(const sinew_model *model) {
    assert_non_null(model);
    assert_int_equal(model->node_count, 3);
    assert_string_equal(model->nodes[1].name, "tip");
    assert_int_equal(model->nodes[1].parent, 0);
    assert_int_equal(model->skins[0].joint_count, 2);
    assert_true(model->skins[0].inverse_binds[16 + 13] == -1.0f);
    const sinew_primitive *p = &model->meshes[0].primitives[0];
    assert_int_equal(p->vertex_count, 3);
    assert_true(p->positions[7] == 2.0f);
    assert_int_equal(p->index_count, 4 - 1);
    assert_int_equal(p->influences_count, 1);
    assert_int_equal(p->influences[0].joint_limit, 2);
    assert_int_equal(p->influences[0].weight_type, SINEW_F32);
    assert_true(((const float *)p->influences[0].weights)[5] == 0.5f);
    assert_int_equal(((const uint8_t *)p->influences[0].joints)[8], 1);
    assert_true(p->targets[0].positions[2] == 1.0f && !p->targets[0].normals);
    assert_int_equal(model->weight_count, 1);
    assert_int_equal(model->clips[0].channel_count, 2);
    assert_true(model->clips[0].duration == 1.0);
    assert_int_equal(model->clips[0].channels[1].path, SINEW_WEIGHTS);
}

static void both_containers_hold_the_same(void **state) {
    (void)state;
    sinew_error error;
    sinew_model *text = sinew_model_read(SOUND, NULL, &error);
    sinew_model *binary = sinew_model_read(SOUND_GLB, NULL, &error);
    check_sound(text);
    check_sound(binary);
    sinew_model_free(text);
    sinew_model_free(binary);
}

static void *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *data = malloc(1 << 16);
    *size = fread(data, 1, 1 << 16, file);
    fclose(file);
    return data;
}

static void a_model_in_memory_keeps_nothing_of_it(void **state) {
    (void)state;
    size_t size;
    char *data = load(SOUND_GLB, &size);
    sinew_error error;
    sinew_model *model = sinew_model_read_memory(data, size, NULL, &error);
    memset(data, 0xEE, size);
    free(data);
    check_sound(model);
    sinew_model_free(model);
}

static void a_file_cut_anywhere_is_refused(void **state) {
    (void)state;
    size_t size;
    char *data = load(SOUND_GLB, &size);
    for (size_t cut = 0; cut < size; cut++) {
        char *exact = malloc(cut ? cut : 1); /* so that a sanitizer sees any read beyond */
        memcpy(exact, data, cut);
        sinew_error error;
        assert_null(sinew_model_read_memory(exact, cut, NULL, &error));
        assert_true(error.result == SINEW_ERROR_DATA && error.message[0]);
        free(exact);
    }
    free(data);
}

/* ---- limits, each with its own words ---- */

static void refused_by(const sinew_read_options *options, const char *word) {
    sinew_error error;
    assert_null(sinew_model_read(SOUND, options, &error));
    assert_int_equal(error.result, SINEW_ERROR_LIMIT);
    if (!strstr(error.message, word)) {
        print_message("\"%s\" does not say \"%s\"\n", error.message, word);
        fail();
    }
}

static void limits_refuse_by_name(void **state) {
    (void)state;
    refused_by(&(sinew_read_options){.limits = {.nodes = 2}}, "limit on nodes");
    refused_by(&(sinew_read_options){.limits = {.joints = 1}}, "limit on joints");
    refused_by(&(sinew_read_options){.limits = {.vertices = 2}}, "limit on vertices");
    refused_by(&(sinew_read_options){.limits = {.json_depth = 3}}, "limit on depth");
    refused_by(&(sinew_read_options){.limits = {.bytes = 64}}, "limit on bytes");
    refused_by(&(sinew_read_options){.limits = {.bytes = 8000}}, "limit on bytes");
}

static void options_that_were_not_initialised_are_refused(void **state) {
    (void)state;
    sinew_read_options options;
    memset(&options, 0xAA, sizeof options);
    sinew_error error;
    assert_null(sinew_model_read(SOUND, &options, &error));
    assert_int_equal(error.result, SINEW_ERROR_ARGUMENT);
}

/* ---- files through the caller ---- */

static sinew_result deny(void *user, const char *path, const void **data, size_t *size) {
    (void)data;
    (void)size;
    snprintf(user, 64, "%s", path);
    return SINEW_ERROR_FILE;
}

static void external_files_go_through_the_callback(void **state) {
    (void)state;
    char asked[64] = "";
    sinew_read_options options = {.files = {deny, NULL, asked}, .folder = "models"};
    const char *text = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":"
                       "[{\"byteLength\":4,\"uri\":\"sub/a%20%C3%A9.bin\"}]}";
    sinew_error error;
    assert_null(sinew_model_read_memory(text, strlen(text), &options, &error));
    assert_string_equal(asked, "models/sub/a \xC3\xA9.bin");
    assert_int_equal(error.result, SINEW_ERROR_FILE);
    assert_string_equal(error.place, "/buffers/0/uri");
}

/* ---- every allocation that can fail does ---- */

typedef struct failing {
    size_t until; /* allocations that succeed */
    size_t live;  /* bytes */
} failing;

static void *failing_allocate(void *user, size_t size) {
    failing *f = user;
    if (f->until == 0) {
        return NULL;
    }
    f->until--;
    f->live += size;
    return malloc(size);
}

static void *failing_resize(void *user, void *block, size_t old_size, size_t new_size) {
    failing *f = user;
    if (f->until == 0) {
        return NULL;
    }
    f->until--;
    f->live += new_size - old_size;
    return realloc(block, new_size);
}

static void failing_release(void *user, void *block, size_t size) {
    failing *f = user;
    f->live -= size;
    free(block);
}

static size_t count_refusals(const char *path) {
    for (size_t n = 0;; n++) {
        failing f = {n, 0};
        sinew_read_options options = {
            .allocator = {failing_allocate, failing_resize, failing_release, &f}};
        sinew_error error;
        sinew_model *model = sinew_model_read(path, &options, &error);
        assert_true(model || error.result == SINEW_ERROR_MEMORY);
        sinew_model_free(model);
        assert_int_equal(f.live, 0);
        if (model) {
            return n;
        }
    }
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    assert_int_equal(count_refusals(SOUND), 5); /* owner, two arenas, file, influences */
    assert_true(count_refusals(SINEW_SOURCE_DIR "/assets/figure.glb") > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_checked_byte_by_byte),
        cmocka_unit_test(json_strings_are_checked_at_every_place),
        cmocka_unit_test(json_members_strings_and_pointers),
        cmocka_unit_test(json_numbers_are_exact),
        cmocka_unit_test(both_containers_hold_the_same),
        cmocka_unit_test(a_model_in_memory_keeps_nothing_of_it),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(limits_refuse_by_name),
        cmocka_unit_test(options_that_were_not_initialised_are_refused),
        cmocka_unit_test(external_files_go_through_the_callback),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
