/* The codecs behind sinew/codec.h. */
#ifndef SINEWI_CODEC_PRIVATE_H
#define SINEWI_CODEC_PRIVATE_H

#include "sinew/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

bool sinewi_meshopt_is_plausible(void *user, const sinew_packed_view *view);
sinew_result sinewi_meshopt_decode(void *user, const sinew_packed_view *view, void *out,
                                   sinew_error *error);

/* Decodes the filter of a view in place: count * stride bytes, of a stride that
 * the filter allows. */
void sinewi_meshopt_filter(const sinew_packed_view *view, void *data);

sinew_result sinewi_draco_open(void *user, const void *data, size_t size, sinew_packed_mesh *mesh,
                               sinew_error *error);
sinew_result sinewi_draco_attribute(void *user, const sinew_packed_mesh *mesh,
                                    const sinew_packed_attribute *wish, void *out,
                                    sinew_error *error);
sinew_result sinewi_draco_indices(void *user, const sinew_packed_mesh *mesh, uint32_t *out,
                                  sinew_error *error);
void sinewi_draco_close(void *user, sinew_packed_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
