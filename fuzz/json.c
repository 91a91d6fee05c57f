/* The check of a JSON text, its index, and all that is asked of one. */
#include "fuzz.h"

#include "gltf/json.h"

#include <math.h>
#include <string.h>

#define DEPTH 32u

static void check_pointer(const sinewi_json *json, uint32_t token) {
    char pointer[64];
    memset(pointer, 'x', sizeof pointer);
    sinewi_json_pointer(json, token, token % 2 ? "name" : NULL, pointer, sizeof pointer);
    FUZZ_REQUIRE(memchr(pointer, '\0', sizeof pointer));
    FUZZ_REQUIRE(pointer[0] == '\0' || pointer[0] == '/');
}

static void check_string(const sinewi_json *json, uint32_t token, sinewi_arena *arena) {
    size_t length, raw;
    char *text = sinewi_json_string(json, token, arena, &length);
    FUZZ_REQUIRE(text && text[length] == '\0' && strlen(text) == length);
    sinewi_json_raw(json, token, &raw);
    FUZZ_REQUIRE(length <= raw);
    FUZZ_REQUIRE(sinewi_json_equals(json, token, text));
}

static void check_number(const sinewi_json *json, uint32_t token) {
    uint64_t whole = 0;
    bool huge = false;
    double number = sinewi_json_double(json, token);
    FUZZ_REQUIRE(!isnan(number));
    bool is_whole = sinewi_json_whole(json, token, &whole, &huge);
    FUZZ_REQUIRE(!is_whole || fabs((double)whole - number) <= 4e-16 * number);
    FUZZ_REQUIRE(!(is_whole && huge));
}

/* The elements of a container are counted right and lie behind each other. */
static void check_container(const sinewi_json *json, uint32_t token) {
    uint32_t count = 0, last = token;
    for (uint32_t t = sinewi_json_first(json, token); t != SINEWI_JSON_NONE;
         t = sinewi_json_following(json, token, t)) {
        FUZZ_REQUIRE(t > last && t < json->count);
        last = t;
        count++;
        if (sinewi_json_kind_of(json, token) == SINEWI_JSON_OBJECT) {
            FUZZ_REQUIRE(sinewi_json_kind_of(json, t) == SINEWI_JSON_STRING);
            FUZZ_REQUIRE(t + 1 < json->count);
        }
    }
    FUZZ_REQUIRE(count == sinewi_json_size(json, token));
    uint32_t element = sinewi_json_element(json, token, count);
    FUZZ_REQUIRE(element == SINEWI_JSON_NONE);
    uint32_t member = sinewi_json_member(json, token, "asset");
    FUZZ_REQUIRE(member == SINEWI_JSON_NONE || sinewi_json_equals(json, member - 1, "asset"));
}

static void check_index(const sinewi_json *json, sinewi_arena *arena) {
    for (uint32_t t = 0; t < json->count; t++) {
        FUZZ_REQUIRE(json->tokens[t].next > t && json->tokens[t].next <= json->count);
        if (t < 300) {
            check_pointer(json, t);
        }
        switch (sinewi_json_kind_of(json, t)) {
        case SINEWI_JSON_OBJECT:
        case SINEWI_JSON_ARRAY: check_container(json, t); break;
        case SINEWI_JSON_STRING: check_string(json, t, arena); break;
        case SINEWI_JSON_NUMBER: check_number(json, t); break;
        case SINEWI_JSON_WORD: sinewi_json_is_true(json, t); break;
        case SINEWI_JSON_ABSENT: FUZZ_REQUIRE(false);
        }
    }
    FUZZ_REQUIRE(sinewi_json_kind_of(json, json->count) == SINEWI_JSON_ABSENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    sinewi_arena arena;
    sinewi_json json;
    sinewi_arena_init(&arena, NULL, NULL);
    sinewi_json_report report = sinewi_json_read(&json, text, size, DEPTH, &arena);
    FUZZ_REQUIRE(report.member_start <= report.member_end && report.member_end <= size);
    if (report.state != SINEWI_JSON_SOUND) {
        FUZZ_REQUIRE(report.offset <= size && report.fault && report.fault[0]);
        FUZZ_REQUIRE(json.count == 0);
    } else {
        FUZZ_REQUIRE(json.count > 0 && json.count <= size);
        check_index(&json, &arena);
    }
    sinewi_arena_free(&arena);
    return 0;
}
