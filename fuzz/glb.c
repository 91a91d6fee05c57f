/* GLB containers. Most mutations keep the lengths in the headers right, so that what is
 * inside is reached. */
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sinew_model_free(fuzz_read(&(fuzz_reading){data, size, false, {NULL, 0}}));
    return 0;
}

static uint32_t u32_at(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void put_u32(uint8_t *at, size_t value) {
    uint32_t v = (uint32_t)value;
    memcpy(at, &v, sizeof v);
}

/* The JSON chunk ends where the BIN chunk begins: found by its name, wherever it went. */
static void mend_lengths(uint8_t *data, size_t size) {
    memcpy(data, "glTF", 4);
    put_u32(data + 4, 2);
    put_u32(data + 8, size);
    memcpy(data + 16, "JSON", 4);
    size_t json_end = size;
    for (size_t at = 28; at <= size; at++) {
        if (memcmp(data + at - 4, "BIN", 4) == 0) {
            json_end = at - 8;
            put_u32(data + json_end, size - at);
            break;
        }
    }
    put_u32(data + 12, json_end - 20);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    if (size >= 20 && size <= most && seed % 4 == 0) { /* inside one chunk: keep the rest */
        size_t json = u32_at(data + 12);
        size_t begin = seed % 8 == 0 && json <= size - 20 ? 20 + json : 20;
        if (begin < size && most > begin) {
            size = begin + LLVMFuzzerMutate(data + begin, size - begin, most - begin);
        }
    } else {
        size = LLVMFuzzerMutate(data, size, most);
    }
    if (size >= 20 && seed % 16 != 1) {
        mend_lengths(data, size);
    }
    return size;
}
