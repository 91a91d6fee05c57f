/* A JSON text as tokens, for reading: members, elements, numbers, strings, and the JSON
 * pointer (RFC 6901) of any token. */
#ifndef SINEWI_GLTF_JSON_H
#define SINEWI_GLTF_JSON_H

#include "gltf/json_parse.h"

#include <string.h>

typedef enum sinewi_json_kind {
    SINEWI_JSON_ABSENT,
    SINEWI_JSON_OBJECT,
    SINEWI_JSON_ARRAY,
    SINEWI_JSON_STRING,
    SINEWI_JSON_NUMBER,
    SINEWI_JSON_WORD /* true, false, null */
} sinewi_json_kind;

typedef struct sinewi_json {
    const char *text;
    const sinewi_json_token *tokens;
    uint32_t count;
    bool escaped_keys; /* see sinewi_json_report */
} sinewi_json;

/* Parses a text and makes it ready to be asked. The report says whether it is sound; *json
 * is empty where it is not. The text must stay. */
sinewi_json_report sinewi_json_read(sinewi_json *json, const char *text, size_t length,
                                    uint32_t depth_limit, sinewi_arena *scratch);

sinewi_json_kind sinewi_json_kind_of(const sinewi_json *json, uint32_t token);
uint32_t sinewi_json_size(const sinewi_json *json, uint32_t token); /* members, elements */

/* The value of a key; the last one where a key stands twice. SINEWI_JSON_NONE when there
 * is none, or object is none. */
uint32_t sinewi_json_find(const sinewi_json *json, uint32_t object, const char *key, size_t length);

/* The same for a key that ends with a zero. Inline, so that the length of a key that is
 * written in the code is a constant. */
static inline uint32_t sinewi_json_member(const sinewi_json *json, uint32_t object,
                                          const char *key) {
    return sinewi_json_find(json, object, key, strlen(key));
}

/* for (t = first; t != none; t = following): elements of an array, or keys of an object,
 * whose value is the token after the key. */
uint32_t sinewi_json_first(const sinewi_json *json, uint32_t container);
uint32_t sinewi_json_following(const sinewi_json *json, uint32_t container, uint32_t token);

/* Element number n, by walking: for faults only. */
uint32_t sinewi_json_element(const sinewi_json *json, uint32_t array, uint32_t n);

/* Whether a string token reads so. */
bool sinewi_json_equals(const sinewi_json *json, uint32_t token, const char *text);
/* The string decoded into the arena; NULL when there is no memory. *length may be NULL. */
char *sinewi_json_string(const sinewi_json *json, uint32_t token, sinewi_arena *arena,
                         size_t *length);
/* The bytes of a string as they stand in the file, escapes and all. */
const char *sinewi_json_raw(const sinewi_json *json, uint32_t token, size_t *length);

/* A number in double, whatever the locale; infinite when it is too large. */
double sinewi_json_double(const sinewi_json *json, uint32_t token);
/* A whole number from 0 on, written 2, 2.0 or 2e0. false: it is none, or has no place in
 * 64 bits (then *huge). */
bool sinewi_json_whole(const sinewi_json *json, uint32_t token, uint64_t *value, bool *huge);
bool sinewi_json_is_true(const sinewi_json *json, uint32_t token);

/* The pointer of a token, with "/name" behind it where name is not NULL; cut off where
 * it does not fit. */
void sinewi_json_pointer(const sinewi_json *json, uint32_t token, const char *name, char *out,
                         size_t size);

#endif
