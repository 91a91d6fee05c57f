/* From the bytes of a file through clips, poses and palettes to skinned vertices and
 * bounds: everything is finite, every index in range, every vertex in its box. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sinew_model *model = fuzz_read(&(fuzz_reading){data, size, false, {NULL, 0}});
    if (model) {
        fuzz_animate(model);
    }
    sinew_model_free(model);
    return 0;
}
