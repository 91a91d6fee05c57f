/* Whether a text is JSON by RFC 8259, before anything else looks at it. */
#ifndef SINEWI_GLTF_JSON_CHECK_H
#define SINEWI_GLTF_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sinewi_json_state {
    SINEWI_JSON_SOUND,
    SINEWI_JSON_BROKEN,
    SINEWI_JSON_TOO_DEEP
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

/* containers: room for depth_limit bytes, or for `length` where that is less. */
sinewi_json_report sinewi_json_check(const char *text, size_t length, uint32_t depth_limit,
                                     uint8_t *containers);

#endif
