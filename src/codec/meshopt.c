/* EXT_meshopt_compression by meshoptimizer. Its decoders stay inside the bytes they are
 * given, but believe the counts: those are checked here against what the bytes can hold. */
#include "codec/codec_private.h"

#include "base/error.h"

#include <meshoptimizer.h>

#include <math.h>
#include <string.h>

/* Bytes before and behind the packed elements, by the extension's text (appendix A). */
#define TRIANGLES_TAIL 16
#define INDICES_TAIL 4

/* A block of at most 256 elements costs at least one byte for each byte of an element. */
#define ELEMENTS_PER_BYTE 256

/* The first byte: codec in the upper half, its version in the lower. */
static bool is_newer(const sinew_packed_view *view, unsigned *head, unsigned *newest) {
    static const unsigned heads[] = {0xA0, 0xE0, 0xD0};
    static const unsigned versions[] = {0, 1, 1}; /* that meshoptimizer 0.18 reads */
    *head = view->size > 0 ? *(const unsigned char *)view->data : 0;
    *newest = versions[view->mode];
    return (*head & 0xF0) == heads[view->mode] && (*head & 0x0F) > *newest;
}

bool sinewi_meshopt_is_plausible(void *user, const sinew_packed_view *view) {
    (void)user;
    unsigned head, newest;
    if (is_newer(view, &head, &newest)) {
        return true; /* not for us to say: decoding refuses it by its version */
    }
    switch (view->mode) {
    case SINEW_PACKED_TRIANGLES:
        return view->size >= 1 + TRIANGLES_TAIL &&
               view->count / 3 <= view->size - 1 - TRIANGLES_TAIL;
    case SINEW_PACKED_INDICES:
        return view->size >= 1 + INDICES_TAIL && view->count <= view->size - 1 - INDICES_TAIL;
    case SINEW_PACKED_ATTRIBUTES:
        return view->size > 0 &&
               (uint64_t)view->count * view->stride <= (uint64_t)view->size * ELEMENTS_PER_BYTE;
    }
    return false;
}

static sinew_result refuse(const sinew_packed_view *view, sinew_error *error) {
    static const char *const codecs[] = {"vertex", "triangle", "index"};
    unsigned head, newest;
    if (is_newer(view, &head, &newest)) {
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "",
                           "the meshopt %s codec of version %u (0x%02x) is newer than the decoder "
                           "of this build, which reads up to version %u",
                           codecs[view->mode], head & 0x0F, head, newest);
    }
    return sinewi_fail(error, SINEW_ERROR_DATA, "", "the data packed by meshopt is damaged");
}

sinew_result sinewi_meshopt_decode(void *user, const sinew_packed_view *view, void *out,
                                   sinew_error *error) {
    (void)user;
    int failed = 0;
    switch (view->mode) {
    case SINEW_PACKED_ATTRIBUTES:
        failed = meshopt_decodeVertexBuffer(out, view->count, view->stride, view->data, view->size);
        break;
    case SINEW_PACKED_TRIANGLES:
        failed = meshopt_decodeIndexBuffer(out, view->count, view->stride, view->data, view->size);
        break;
    case SINEW_PACKED_INDICES:
        failed =
            meshopt_decodeIndexSequence(out, view->count, view->stride, view->data, view->size);
        break;
    }
    if (failed) {
        return refuse(view, error);
    }
    if (view->filter != SINEW_FILTER_NONE) {
        sinewi_meshopt_filter(view, out);
    }
    return SINEW_OK;
}
