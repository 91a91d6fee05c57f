/* An outside program that reads compressed files. */
#include <sinew/codec.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    sinew_read_options options;
    sinew_error error;
    memset(&options, 0, sizeof options);
    sinew_codec_fill(&options.decoders);
    printf("codecs %s\n", sinew_codec_versions());
    for (int i = 1; i < argc; i++) {
        sinew_model *model = sinew_model_read(argv[i], &options, &error);
        if (model == NULL) {
            fprintf(stderr, "%s: %s: %s\n", argv[i], error.place, error.message);
            return 1;
        }
        const sinew_primitive *primitive = &model->meshes[0].primitives[0];
        for (uint32_t v = 0; v < primitive->vertex_count; v++) {
            const float *at = primitive->positions + (size_t)3 * v;
            printf("vertex %g %g %g\n", (double)at[0], (double)at[1], (double)at[2]);
        }
        sinew_model_free(model);
    }
    return 0;
}
