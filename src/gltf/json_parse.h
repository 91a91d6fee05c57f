/* A text becomes tokens, if it is JSON by RFC 8259: checked and cut up in one pass. */
#ifndef SINEWI_GLTF_JSON_PARSE_H
#define SINEWI_GLTF_JSON_PARSE_H

#include "base/memory.h"

#define SINEWI_JSON_NONE UINT32_MAX

/* A value or a key. What it is, is seen from its first byte. All that is inside a container
 * comes right behind it, a member's value right behind its key. */
typedef struct sinewi_json_token {
    uint32_t start;  /* its first byte */
    uint32_t length; /* in bytes, of a string without its quotes; of a container the count
                      * of its elements or members */
    uint32_t next;   /* the token behind the whole value, of a key behind its value */
} sinewi_json_token;

typedef enum sinewi_json_state {
    SINEWI_JSON_SOUND,
    SINEWI_JSON_BROKEN,
    SINEWI_JSON_TOO_DEEP,
    SINEWI_JSON_NO_MEMORY
} sinewi_json_state;

typedef struct sinewi_json_report {
    sinewi_json_state state;
    size_t offset;       /* byte where the fault is */
    const char *fault;   /* what was wrong there, static */
    size_t token_count;  /* objects, arrays, strings and other values */
    bool escaped_keys;   /* a key holds an escape, so its bytes are not its name */
    size_t member_start; /* the key of the root's member in which the text is: its first */
    size_t member_end;   /* byte and the one after its last; equal when there is none */
} sinewi_json_report;

/* length: at most INT32_MAX. *tokens, from the arena, are whole where the text is sound. */
sinewi_json_report sinewi_json_parse(const char *text, size_t length, uint32_t depth_limit,
                                     sinewi_arena *arena, sinewi_json_token **tokens);

#endif
