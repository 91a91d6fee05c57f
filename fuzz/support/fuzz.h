/* What the fuzz targets share: limits that keep a run short, the promises of the headers
 * as code, and the way from a model to skinned vertices. */
#ifndef SINEWI_FUZZ_H
#define SINEWI_FUZZ_H

#include "sinew/gltf.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A promise that a header makes. Broken: the input is a finding. */
#define FUZZ_REQUIRE(promise)                                                       \
    do {                                                                            \
        if (!(promise)) {                                                           \
            fprintf(stderr, "%s:%d: not kept: %s\n", __FILE__, __LINE__, #promise); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* Entry points of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Bytes of the input, one field after the other; zeros behind its end. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

uint8_t fuzz_take_u8(fuzz_input *input);
uint16_t fuzz_take_u16(fuzz_input *input);

/* A text that is put together; what does not fit is a fault of the target. */
typedef struct fuzz_text {
    char at[16384];
    size_t length;
} fuzz_text;

void fuzz_write(fuzz_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A GLB of a JSON text and a BIN chunk, in a block of exactly its size, so that a
 * sanitizer sees any read beyond; to be freed. */
uint8_t *fuzz_make_glb(const fuzz_text *json, const uint8_t *binary, size_t binary_size,
                       size_t *size);

/* Reads a model from exactly these bytes, checks what the headers promise of it and of
 * the error, and hands it out; NULL: refused. Files are answered with `files`, decoders
 * are those of `options` or, where it has none, stand-ins. */
typedef struct fuzz_reading {
    const uint8_t *data;
    size_t size;
    bool codecs; /* those of libsinew-codec instead of stand-ins */
    fuzz_input files;
} fuzz_reading;

sinew_model *fuzz_read(const fuzz_reading *reading);

/* Everything that sinew/model.h promises of a model. */
void fuzz_check_model(const sinew_model *model);

/* Clips, poses, palettes, skinned vertices and bounds of all instances. */
void fuzz_animate(const sinew_model *model);

#endif
