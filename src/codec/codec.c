#include "codec/codec_private.h"

void sinew_codec_fill(sinew_decoders *decoders) {
#ifdef SINEW_CODEC_MESHOPT
    decoders->view_is_plausible = sinewi_meshopt_is_plausible;
    decoders->decode_view = sinewi_meshopt_decode;
#endif
#ifdef SINEW_CODEC_DRACO
    decoders->open_mesh = sinewi_draco_open;
    decoders->read_attribute = sinewi_draco_attribute;
    decoders->read_indices = sinewi_draco_indices;
    decoders->close_mesh = sinewi_draco_close;
#endif
    (void)decoders;
}

const char *sinew_codec_versions(void) {
#if defined(SINEW_CODEC_MESHOPT) && defined(SINEW_CODEC_DRACO)
    return "meshoptimizer " SINEW_MESHOPT_VERSION ", Draco " SINEW_DRACO_VERSION;
#elif defined(SINEW_CODEC_MESHOPT)
    return "meshoptimizer " SINEW_MESHOPT_VERSION;
#elif defined(SINEW_CODEC_DRACO)
    return "Draco " SINEW_DRACO_VERSION;
#else
    return "none";
#endif
}
