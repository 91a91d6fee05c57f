/* Sinew render: a picture of a posed model. Part of the command, not of the libraries.
 */
#ifndef SINEW_RENDER_H
#define SINEW_RENDER_H

#include "sinew/gl.h"
#include "sinew/model.h"
#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a context without a window ---- */

typedef struct sinew_offscreen sinew_offscreen;

/* A GL 3.3 core context by EGL, made current on this thread: the surfaceless platform
 * first, then the devices. libEGL is loaded when this is called. SINEW_ERROR_GL: the
 * message says what was tried and which packages to install. */
SINEW_API sinew_offscreen *sinew_offscreen_create(sinew_error *error);
/* The same with OpenGL ES 3.0 or what the driver has above it: for the room gl, pictures
 * are drawn in GL 3.3 only. */
SINEW_API sinew_offscreen *sinew_offscreen_create_es(sinew_error *error);
SINEW_API void sinew_offscreen_free(sinew_offscreen *offscreen);

/* The loader of the context that is current. */
SINEW_API sinew_gl_function sinew_offscreen_loader(const char *name);

/* ---- pictures ---- */

/* width * height pixels, 4 bytes each (R G B A, sRGB, straight alpha), top row first. */
typedef struct sinew_picture {
    uint32_t width, height;
    uint8_t *pixels;
} sinew_picture;

SINEW_API void sinew_picture_free(sinew_picture *picture);

/* The picture as the bytes of a PNG file, marked as sRGB. *size receives their number.
 * NULL: no memory. The caller frees them by free(). */
SINEW_API uint8_t *sinew_picture_encode_png(const sinew_picture *picture, size_t *size,
                                            sinew_error *error);

/* Decodes a PNG, a JPEG or (in a build with libwebp) a WebP, whichever the bytes are, into
 * a picture that the caller frees. Broken bytes are SINEW_ERROR_DATA, other formats SINEW_ERROR_UNSUPPORTED, a side
 * above 16,384 or more than 64 Mi pixels SINEW_ERROR_LIMIT (before memory is taken). */
SINEW_API sinew_result sinew_picture_decode(const uint8_t *data, size_t size,
                                            sinew_picture *picture, sinew_error *error);

/* ---- the renderer ---- */

typedef struct sinew_render_options {
    uint32_t guard_begin;
    uint32_t width, height; /* pixels; 0: 1280 x 720 */
    uint32_t scene_plus_one;
    /* Where the camera is, seen from the model, radians. Azimuth 0 looks at the figure's
     * face (the camera on +Z), positive goes to its left (+X); elevation 0 is level. */
    float azimuth, elevation;
    float zoom;       /* 0 or 1: the pose fills the picture; 2: twice as large */
    bool transparent; /* background alpha 0 */
    bool has_background;
    float background[3]; /* sRGB 0..1; without it a soft default gradient */
    bool no_shadow;
    sinew_gl_storage storage;
    sinew_skin_method method;
    uint32_t guard_end;
} sinew_render_options;

typedef struct sinew_renderer sinew_renderer;

/* In the current context. The model (read with load_images) must outlive it. */
SINEW_API sinew_renderer *sinew_renderer_create(sinew_gl_loader loader, const sinew_model *model,
                                                const sinew_render_options *options,
                                                sinew_error *error);
SINEW_API void sinew_renderer_free(sinew_renderer *renderer);

/* Draws a pose (world matrices up to date), framed on its skinned vertices, into
 * a picture that the caller frees. Pictures that could not be decoded are listed by
 * sinew_renderer_complaint and drawn without their texture. */
SINEW_API sinew_result sinew_renderer_draw(sinew_renderer *renderer, const sinew_pose *pose,
                                           sinew_picture *picture, sinew_error *error);

/* The k-th thing that could not be shown, a sentence; NULL after the last. */
SINEW_API const char *sinew_renderer_complaint(const sinew_renderer *renderer, uint32_t k);

/* What drew it: "llvmpipe (LLVM 15, 256 bits), 4.5 ..." */
SINEW_API const sinew_gl_info *sinew_renderer_info(const sinew_renderer *renderer);

#ifdef __cplusplus
}
#endif

#endif
