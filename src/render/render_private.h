/* What the files of this room share.
 *
 * Spaces, from the file to the picture:
 *   world   the scene's, less an origin near the model: floats hold a character that
 *           stands 10 km away as well as one at 0 0 0
 *   frame   world moved and scaled so that the posed vertices fill a ball of radius 1;
 *           every length below (light, shadow, bias, ground) is in this unit, and so a
 *           model of a micrometre looks like one of a kilometre
 *   clip    OpenGL's
 */
#ifndef SINEWI_RENDER_PRIVATE_H
#define SINEWI_RENDER_PRIVATE_H

#include "sinew/gl.h"
#include "sinew/pose.h"
#include "sinew/render.h"

#include <glad/gl.h>

/* ---- frame.c: the vertices of a pose, and the space that they are drawn in ---- */

typedef struct sinewi_frame {
    sinew_pose pose; /* the caller's, with world matrices of our own */
    sinew_skin_method method;
    /* Frame space, 3 floats a vertex: those that something is drawn from. Those of item
     * k are [first[k], first[k + 1]). */
    float *points;
    size_t *first;
    uint32_t item_count;
    float centre[3]; /* frame = (world - centre) * scale */
    float scale;
    sinew_box box; /* of the points; empty when there are none */
} sinewi_frame;

sinew_result sinewi_frame_create(const sinew_gl_item *items, uint32_t item_count,
                                 const sinew_pose *pose, sinew_skin_method method,
                                 sinewi_frame *frame, sinew_error *error);
void sinewi_frame_free(sinewi_frame *frame);
/* Empty when there are none. */
void sinewi_points_box(const float *points, size_t count, sinew_box *box);

/* ---- camera.c ---- */

typedef struct sinewi_view {
    float azimuth, elevation; /* radians */
    float zoom;
    float aspect; /* width / height */
} sinewi_view;

/* frame -> clip, and where it looks from. */
typedef struct sinewi_camera {
    float matrix[16];
    float eye[3];
    float right[3], up[3], back[3]; /* unit length; back points at the viewer */
} sinewi_camera;

/* The part of half a picture that stays empty on the side that the points fill. */
#define SINEWI_MARGIN 0.08f

/* As near as a perspective camera of this direction can be with every point inside the
 * margin; where a side is not filled, the points are in its middle. */
void sinewi_camera_fit(const float *points, size_t count, const sinewi_view *view,
                       sinewi_camera *camera);

/* The key light's own picture: from above, to the left of the camera, all points in it.
 * matrix: frame -> clip, orthographic. */
typedef struct sinewi_light {
    float matrix[16];
    float direction[3]; /* towards the light */
    float width;        /* frame units from side to side */
    float depth;        /* frame units from near to far */
} sinewi_light;

void sinewi_light_fit(const float *points, size_t count, float azimuth, sinewi_light *light);
/* frame -> texture space of the light's picture, depth in z. */
void sinewi_shadow_matrix(const sinewi_light *light, float matrix[16]);

/* ---- programs.c ---- */

/* What a program must do; one is compiled for each combination in use. */
enum {
    SINEWI_NORMALS = 1 << 0, /* else facets */
    SINEWI_TANGENTS = 1 << 1,
    SINEWI_UNLIT = 1 << 2,
    SINEWI_CUTOUT = 1 << 3, /* throws away what is below u_cutoff */
    SINEWI_SHADOW = 1 << 4, /* looks into the shadow map */
    SINEWI_BASE_MAP = 1 << 5,
    SINEWI_METAL_MAP = 1 << 6,
    SINEWI_NORMAL_MAP = 1 << 7,
    SINEWI_OCCLUSION_MAP = 1 << 8,
    SINEWI_EMISSIVE_MAP = 1 << 9,
    SINEWI_CLEAR = 1 << 10,     /* lets through what is behind */
    SINEWI_DEPTH_ONLY = 1 << 11 /* for the maps of the light */
};

/* Texture maps of a material, in the order of their texture units. */
enum {
    SINEWI_BASE,
    SINEWI_METAL,
    SINEWI_NORMAL,
    SINEWI_OCCLUSION,
    SINEWI_EMISSIVE,
    SINEWI_MAP_COUNT
};

/* Texture units. */
enum {
    SINEWI_UNIT_SHADOW = 0,
    SINEWI_UNIT_HEIGHTS = 1,
    SINEWI_UNIT_MAPS = 2,
    SINEWI_UNIT_SKIN = SINEWI_UNIT_MAPS + SINEWI_MAP_COUNT
};

/* Locations in a program; -1 where it has no such uniform. */
typedef struct sinewi_uniforms {
    GLint centre, scale, matrix, eye, light, shadow, shadow_texel;
    GLint base_color, emissive, metal_rough, cutoff, strengths, point_size;
    GLint map_rows, map_sets;
    GLint rectangle, floor, depths, search, taps;
    GLint top, bottom, tint;
} sinewi_uniforms;

typedef struct sinewi_program {
    GLuint name; /* 0: not there */
    uint32_t influences, features;
    bool morphs;
    sinewi_uniforms at;
} sinewi_program;

typedef struct sinewi_programs {
    sinewi_program *items; /* of surfaces, as many as were needed so far */
    size_t count;
    sinewi_program finish, ground_shade, ground_blur, ground;
} sinewi_programs;

/* The program for what fits an item (sinew_gl_item_skinning) with these features, compiled
 * when it is new; all are of one model. NULL: error. */
const sinewi_program *sinewi_program_for(const GladGLContext *gl, sinewi_programs *programs,
                                         sinew_gl *skinning, const sinew_gl_skinning *fit,
                                         uint32_t features, sinew_error *error);
/* One of the fixed programs over a rectangle, compiled when it is new. */
sinew_result sinewi_program_fixed(const GladGLContext *gl, sinewi_program *program,
                                  const char *defines, const char *fragment, sinew_error *error);
void sinewi_programs_free(const GladGLContext *gl, sinewi_programs *programs);

/* ---- textures.c ---- */

typedef struct sinewi_complaints {
    char **texts;
    size_t count;
} sinewi_complaints;

/* Keeps a sentence; nothing happens when there is no memory for it. */
void sinewi_complain(sinewi_complaints *complaints, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void sinewi_complaints_free(sinewi_complaints *complaints);

/* A texture of the model in one of its two uses: of colours or of numbers. */
typedef struct sinewi_textures {
    GLuint *names; /* [2 * texture + (colour ? 1 : 0)], 0: not used or not to be had */
    uint32_t count;
} sinewi_textures;

sinew_result sinewi_textures_create(const GladGLContext *gl, const sinew_model *model,
                                    const sinew_gl_item *items, uint32_t item_count,
                                    uint32_t max_size, sinewi_textures *textures,
                                    sinewi_complaints *complaints, sinew_error *error);
/* mipmap.c: all levels of a picture into the texture that is bound. false: no memory. */
bool sinewi_upload_levels(const GladGLContext *gl, const sinew_picture *picture, bool colors);
float sinewi_srgb_to_linear(float c);
float sinewi_linear_to_srgb(float c);

void sinewi_textures_free(const GladGLContext *gl, sinewi_textures *textures);

/* ---- target.c: what is drawn into ---- */

typedef struct sinewi_target {
    uint32_t width, height;
    int samples;                           /* a pixel, 0: not multisampled */
    GLenum kind;                           /* of the texture `color` */
    GLuint framebuffer, color, depth;      /* what surfaces are drawn into */
    GLuint finished_framebuffer, finished; /* the picture */
} sinewi_target;

sinew_result sinewi_target_create(const GladGLContext *gl, uint32_t width, uint32_t height,
                                  uint32_t max_samples, sinewi_target *target, sinew_error *error);
void sinewi_target_free(const GladGLContext *gl, sinewi_target *target);
sinew_result sinewi_target_read(const GladGLContext *gl, const sinewi_target *target,
                                sinew_picture *picture, sinew_error *error);

/* ---- the renderer ---- */

/* Texels on a side of the maps of the light. */
#define SINEWI_SHADOW_SIZE 1024
#define SINEWI_HEIGHTS_SIZE 384
#define SINEWI_SHADE_SIZE 256

/* The maps of the light; one depth map and one framebuffer a purpose. */
typedef struct sinewi_ground {
    GLuint shadow, shadow_framebuffer;     /* depth seen from the key light */
    GLuint heights, heights_framebuffer;   /* height above the ground, seen from below */
    GLuint shade[2], shade_framebuffer[2]; /* darkness of the ground, raw and smoothed */
    GLuint compare, plain;                 /* samplers: of shadows, of depths */
    float rectangle[4];                    /* x, z of the near corner, x, z of the far */
    float floor;                           /* y, frame space */
} sinewi_ground;

struct sinew_renderer {
    GladGLContext gl;
    const sinew_model *model;
    sinew_render_options options;
    sinew_gl *skinning;
    sinew_gl_model *on_gpu;
    const sinew_gl_item *items;
    uint32_t item_count;
    sinewi_textures textures;
    sinewi_complaints complaints;
    bool told_empty;
    sinewi_programs programs;
    sinewi_target target;
    sinewi_ground ground;
    GLuint nothing; /* a vertex array without attributes */
};

/* surface.c. Draws the items into the current framebuffer. */
typedef enum sinewi_pass {
    SINEWI_PASS_SOLID,
    SINEWI_PASS_CLEAR,
    SINEWI_PASS_DEPTH
} sinewi_pass;

sinew_result sinewi_surfaces_draw(sinew_renderer *renderer, const sinewi_frame *frame,
                                  const sinewi_camera *camera, const sinewi_light *light,
                                  sinewi_pass pass, sinew_error *error);

/* The depth of all items that cast a shadow, by any matrix frame -> clip. */
sinew_result sinewi_surfaces_depth(sinew_renderer *renderer, const sinewi_frame *frame,
                                   const float matrix[16], sinew_error *error);

/* ground.c */
sinew_result sinewi_ground_create(const GladGLContext *gl, sinewi_ground *ground,
                                  sinew_error *error);
void sinewi_ground_free(const GladGLContext *gl, sinewi_ground *ground);
/* The maps of a pose. */
sinew_result sinewi_ground_prepare(sinew_renderer *renderer, const sinewi_frame *frame,
                                   const sinewi_light *light, sinew_error *error);
/* Darkens the ground in the current framebuffer. */
sinew_result sinewi_ground_draw(sinew_renderer *renderer, const sinewi_camera *camera,
                                sinew_error *error);

#endif
