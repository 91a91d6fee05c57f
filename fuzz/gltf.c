/* The reader whole: a .gltf, or anything else, from memory. Files that it names have the
 * bytes of the input, too. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input files = {data, size < 512 ? size : 512};
    sinew_model_free(fuzz_read(&(fuzz_reading){data, size, false, files}));
    return 0;
}
