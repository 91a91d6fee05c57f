/* Sinew codec: decoders for compressed glTF files (libsinew-codec).
 *
 *     sinew_read_options options = {0};
 *     sinew_codec_fill(&options.decoders);
 *     sinew_model *model = sinew_model_read(path, &options, &error);
 *
 * EXT_meshopt_compression and KHR_meshopt_compression by meshoptimizer,
 * KHR_draco_mesh_compression by Draco; each where the library was there when Sinew was
 * built. Neither keeps state: any number of threads may read at once.
 */
#ifndef SINEW_CODEC_H
#define SINEW_CODEC_H

#include "sinew/gltf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the functions of the codecs that this build has; leaves the others NULL. */
SINEW_API void sinew_codec_fill(sinew_decoders *decoders);

/* What this build can decode: "meshoptimizer 0.18, Draco 1.5.5", or "none". Static. */
SINEW_API const char *sinew_codec_versions(void);

#ifdef __cplusplus
}
#endif

#endif
