#include "packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_u32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> 8 * i & 0xFF);
    }
}

void *test_glb(const char *json, const void *binary, size_t binary_size, size_t *size) {
    size_t text = strlen(json), text_room = (text + 3) / 4 * 4;
    *size = 12 + 8 + text_room + 8 + binary_size;
    unsigned char *glb = malloc(*size);
    if (!glb) {
        fprintf(stderr, "no memory for a test\n");
        abort();
    }
    put_u32(glb, 0x46546C67); /* glTF */
    put_u32(glb + 4, 2);
    put_u32(glb + 8, *size);
    put_u32(glb + 12, text_room);
    put_u32(glb + 16, 0x4E4F534A); /* JSON */
    memset(glb + 20, ' ', text_room);
    memcpy(glb + 20, json, text); /* NOLINT(bugprone-not-null-terminated-result): no C string */
    put_u32(glb + 20 + text_room, binary_size);
    put_u32(glb + 24 + text_room, 0x004E4942); /* BIN */
    memcpy(glb + 28 + text_room, binary, binary_size);
    return glb;
}
