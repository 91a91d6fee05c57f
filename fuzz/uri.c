/* What a uri may be: base64 in a data URI, or a path, percent-encoded and escaped.
 * Input: a byte of choices, two of byteLength, then the uri up to a zero byte; what
 * follows is the file that a path leads to. */
#include "fuzz.h"

#include <string.h>

/* Twice, six characters a byte, with the rest of the file it fits into a fuzz_text. */
#define LONGEST 1300u

/* In the quotes of JSON: as it is, or so that every byte is legal there. */
static void write_uri(fuzz_text *out, const uint8_t *uri, size_t size, bool as_it_is) {
    for (size_t i = 0; i < size; i++) {
        bool plain = uri[i] >= 0x20 && uri[i] < 0x7F && uri[i] != '"' && uri[i] != '\\';
        fuzz_write(out, plain || as_it_is ? "%c" : "\\u00%02x", uri[i]);
    }
}

static int digit_of(uint8_t c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* The bytes that were handed out, beside a decoder that is as simple as can be. */
static void check_base64(const sinew_image *image, const uint8_t *uri, size_t size) {
    const uint8_t *comma = memchr(uri, ',', size);
    FUZZ_REQUIRE(comma);
    size_t made = 0;
    uint32_t bits = 0;
    int count = 0;
    for (const uint8_t *at = comma + 1; at < uri + size && *at != '='; at++) {
        int digit = digit_of(*at);
        FUZZ_REQUIRE(digit >= 0);
        bits = (bits << 6 | (uint32_t)digit) & 0xFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            FUZZ_REQUIRE(made < image->size);
            FUZZ_REQUIRE(image->data[made++] == (uint8_t)(bits >> count));
        }
    }
    FUZZ_REQUIRE(made == image->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    uint8_t choices = fuzz_take_u8(&input);
    unsigned length = fuzz_take_u16(&input);
    const uint8_t *end = input.size ? memchr(input.data, '\0', input.size) : NULL;
    size_t uri_size = end ? (size_t)(end - input.data) : input.size;
    uri_size = uri_size < LONGEST ? uri_size : LONGEST;
    const uint8_t *uri = input.data;
    fuzz_text json = {.length = 0};
    fuzz_write(&json, "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"");
    write_uri(&json, uri, uri_size, choices & 1);
    fuzz_write(&json, "\"}]");
    if (choices & 2) {
        fuzz_write(&json, ",\"buffers\":[{\"byteLength\":%u,\"uri\":\"", length);
        write_uri(&json, uri, uri_size, choices & 1);
        fuzz_write(&json, "\"}]");
    }
    fuzz_write(&json, "}");
    fuzz_reading reading = {(const uint8_t *)json.at, json.length, false, {NULL, 0}};
    if (end) {
        reading.files = (fuzz_input){end, input.size - (size_t)(end - input.data)};
    }
    sinew_model *model = fuzz_read(&reading);
    bool data_uri = uri_size > 5 && memcmp(uri, "data:", 5) == 0;
    if (model && data_uri && !(choices & 1) && model->images[0].data) {
        check_base64(&model->images[0], uri, uri_size);
    }
    sinew_model_free(model);
    return 0;
}
