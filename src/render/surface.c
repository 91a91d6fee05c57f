/* The items of a model with their materials. */
#include "render_private.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A BLEND surface that is all but solid is drawn as one: many files call everything
 * BLEND, and it would be drawn through itself. */
#define ALL_BUT_SOLID 0.985f
/* What of a BLEND surface casts a shadow. */
#define HALF_SOLID 0.5f
#define BARELY_THERE (0.5f / 255)

/* Bilinear looks into the shadow map. */
#define SHADOW_TAPS 7

/* Points, in pixels of a picture of this height. */
#define POINT_SIZE 4.0f
#define POINT_HEIGHT 720.0f

/* glTF's default material. */
static const sinew_material default_material = {
    .name = "",
    .base_color = {1, 1, 1, 1},
    .metallic = 1,
    .roughness = 1,
    .alpha_cutoff = 0.5f,
    .base_color_texture = {.texture = SINEW_NONE},
    .metallic_roughness_texture = {.texture = SINEW_NONE},
    .normal_texture = {.texture = SINEW_NONE},
    .occlusion_texture = {.texture = SINEW_NONE},
    .emissive_texture = {.texture = SINEW_NONE},
};

static const sinew_material *material_of(const sinew_renderer *renderer,
                                         const sinew_gl_item *item) {
    return item->material == SINEW_NONE ? &default_material
                                        : &renderer->model->materials[item->material];
}

/* The maps of a material in the order of their units. */
static void maps_of(const sinew_material *material,
                    const sinew_texture_use *maps[SINEWI_MAP_COUNT]) {
    maps[SINEWI_BASE] = &material->base_color_texture;
    maps[SINEWI_METAL] = &material->metallic_roughness_texture;
    maps[SINEWI_NORMAL] = &material->normal_texture;
    maps[SINEWI_OCCLUSION] = &material->occlusion_texture;
    maps[SINEWI_EMISSIVE] = &material->emissive_texture;
}

/* The texture of a map, 0: the material is drawn without it. */
static GLuint texture_of(const sinewi_textures *textures, const sinew_texture_use *use, int map) {
    bool colors = map == SINEWI_BASE || map == SINEWI_EMISSIVE;
    if (use->texture >= textures->count || use->texcoord >= SINEW_MAX_TEXCOORDS) {
        return 0;
    }
    return textures->names[2 * use->texture + (colors ? 1 : 0)];
}

static bool is_surface(const sinew_gl_item *item) {
    return item->topology >= SINEW_TRIANGLES;
}

static uint32_t features_of(const sinew_renderer *renderer, const sinew_gl_item *item,
                            const sinew_material *material, sinewi_pass pass) {
    const sinew_texture_use *maps[SINEWI_MAP_COUNT];
    uint32_t features = 0;
    maps_of(material, maps);
    bool cutout = material->alpha_mode != SINEW_OPAQUE;
    if (pass == SINEWI_PASS_DEPTH) {
        features |= SINEWI_DEPTH_ONLY;
        if (cutout) {
            bool textured = texture_of(&renderer->textures, maps[SINEWI_BASE], SINEWI_BASE) != 0;
            features |= SINEWI_CUTOUT | (textured ? SINEWI_BASE_MAP : 0u);
        }
        return features;
    }
    for (int map = 0; map < SINEWI_MAP_COUNT; map++) {
        bool wanted = map == SINEWI_BASE || !material->unlit;
        if (wanted && texture_of(&renderer->textures, maps[map], map)) {
            features |= (uint32_t)SINEWI_BASE_MAP << map;
        }
    }
    features |= cutout ? SINEWI_CUTOUT : 0u;
    features |= material->alpha_mode == SINEW_BLEND ? SINEWI_CLEAR : 0u;
    if (material->unlit) {
        return features | SINEWI_UNLIT;
    }
    features |= item->has_normals ? SINEWI_NORMALS : 0u;
    /* Tangents are of use to a normal map only. */
    bool bumpy = (features & SINEWI_NORMAL_MAP) != 0;
    features |= bumpy && item->has_normals && item->has_tangents ? SINEWI_TANGENTS : 0u;
    features |= renderer->options.no_shadow || !is_surface(item) ? 0u : SINEWI_SHADOW;
    return features;
}

/* KHR_texture_transform as the upper two rows of translation * rotation * scale. */
static void map_rows(const sinew_texture_use *use, float rows[6]) {
    float c = cosf(use->rotation), s = sinf(use->rotation);
    rows[0] = c * use->tiling[0];
    rows[1] = s * use->tiling[1];
    rows[2] = use->offset[0];
    rows[3] = -s * use->tiling[0];
    rows[4] = c * use->tiling[1];
    rows[5] = use->offset[1];
}

static void set_maps(const sinew_renderer *renderer, const sinewi_program *program,
                     const sinew_material *material) {
    const GladGLContext *gl = &renderer->gl;
    const sinew_texture_use *maps[SINEWI_MAP_COUNT];
    float rows[6 * SINEWI_MAP_COUNT], sets[SINEWI_MAP_COUNT];
    maps_of(material, maps);
    for (int map = 0; map < SINEWI_MAP_COUNT; map++) {
        map_rows(maps[map], rows + 6 * map);
        sets[map] = (float)maps[map]->texcoord;
        if (program->features & ((uint32_t)SINEWI_BASE_MAP << map)) {
            gl->ActiveTexture((GLenum)(GL_TEXTURE0 + SINEWI_UNIT_MAPS + map));
            gl->BindTexture(GL_TEXTURE_2D, texture_of(&renderer->textures, maps[map], map));
        }
    }
    gl->Uniform3fv(program->at.map_rows, 2 * SINEWI_MAP_COUNT, rows);
    gl->Uniform1fv(program->at.map_sets, SINEWI_MAP_COUNT, sets);
    gl->Uniform2f(program->at.strengths, maps[SINEWI_NORMAL]->scale, maps[SINEWI_OCCLUSION]->scale);
}

static float cutoff_of(const sinew_material *material, sinewi_pass pass) {
    if (material->alpha_mode == SINEW_MASK) {
        return material->alpha_cutoff;
    }
    return pass == SINEWI_PASS_DEPTH ? HALF_SOLID
                                     : (pass == SINEWI_PASS_SOLID ? ALL_BUT_SOLID : BARELY_THERE);
}

static void set_material(const sinew_renderer *renderer, const sinewi_program *program,
                         const sinew_material *material, sinewi_pass pass) {
    const GladGLContext *gl = &renderer->gl;
    gl->Uniform4fv(program->at.base_color, 1, material->base_color);
    gl->Uniform3fv(program->at.emissive, 1, material->emissive);
    gl->Uniform2f(program->at.metal_rough, material->metallic, material->roughness);
    gl->Uniform1f(program->at.cutoff, cutoff_of(material, pass));
    set_maps(renderer, program, material);
}

/* What all items of a pass have in common. */
typedef struct pass_state {
    const sinewi_frame *frame;
    const float *matrix; /* frame -> clip */
    const sinewi_camera *camera;
    const sinewi_light *light;
    sinewi_pass pass;
} pass_state;

static void set_pass(const sinew_renderer *renderer, const sinewi_program *program,
                     const pass_state *state) {
    const GladGLContext *gl = &renderer->gl;
    float shadow[16];
    gl->Uniform3fv(program->at.centre, 1, state->frame->centre);
    gl->Uniform1f(program->at.scale, state->frame->scale);
    gl->UniformMatrix4fv(program->at.matrix, 1, GL_FALSE, state->matrix);
    gl->Uniform1f(program->at.point_size,
                  fmaxf(POINT_SIZE * (float)renderer->options.height / POINT_HEIGHT, 2));
    if (state->pass == SINEWI_PASS_DEPTH) {
        return;
    }
    sinewi_shadow_matrix(state->light, shadow);
    gl->Uniform3fv(program->at.eye, 1, state->camera->eye);
    gl->Uniform3fv(program->at.light, 1, state->light->direction);
    gl->UniformMatrix4fv(program->at.shadow, 1, GL_FALSE, shadow);
    gl->Uniform1f(program->at.shadow_texel, state->light->width / SINEWI_SHADOW_SIZE);
    gl->Uniform1i(program->at.taps, SHADOW_TAPS);
}

static void set_faces(const GladGLContext *gl, const sinew_gl_item *item,
                      const sinew_material *material, sinewi_pass pass) {
    gl->FrontFace(item->mirrored ? GL_CW : GL_CCW);
    if (pass == SINEWI_PASS_DEPTH || material->double_sided) {
        gl->Disable(GL_CULL_FACE);
    } else {
        gl->Enable(GL_CULL_FACE);
    }
}

static sinew_result draw_item(sinew_renderer *renderer, uint32_t index, const pass_state *state,
                              sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    const sinew_gl_item *item = &renderer->items[index];
    const sinew_material *material = material_of(renderer, item);
    uint32_t features = features_of(renderer, item, material, state->pass);
    sinew_gl_skinning fit = sinew_gl_item_skinning(renderer->on_gpu, index);
    const sinewi_program *program =
        sinewi_program_for(gl, &renderer->programs, renderer->skinning, &fit, features, error);
    if (!program) {
        return SINEW_ERROR_GL;
    }
    gl->UseProgram(program->name);
    set_pass(renderer, program, state);
    set_material(renderer, program, material, state->pass);
    set_faces(gl, item, material, state->pass);
    sinew_gl_item_bind(renderer->on_gpu, index, program->name, SINEWI_UNIT_SKIN);
    sinew_gl_item_draw(renderer->on_gpu, index);
    return SINEW_OK;
}

/* Whether there is anything of the item to see in this pass. */
static bool takes_part(const sinew_renderer *renderer, const sinew_gl_item *item,
                       sinewi_pass pass) {
    const sinew_material *material = material_of(renderer, item);
    if (item->vertex_count == 0) {
        return false;
    }
    if (pass == SINEWI_PASS_DEPTH) {
        return is_surface(item);
    }
    return pass == SINEWI_PASS_SOLID || material->alpha_mode == SINEW_BLEND;
}

/* ---- the order ---- */

typedef struct distance_row {
    uint32_t item;
    float distance;
} distance_row;

static int nearer_first(const void *a, const void *b) {
    const distance_row *left = a, *right = b;
    if (left->distance != right->distance) {
        return left->distance < right->distance ? -1 : 1;
    }
    return left->item < right->item ? -1 : left->item > right->item;
}

/* Along the view from the eye to the middle of the item's box. */
static float distance_of(const sinewi_frame *frame, uint32_t item, const sinewi_camera *camera) {
    sinew_box box;
    size_t first = frame->first[item], count = frame->first[item + 1] - first;
    float distance = 0;
    sinewi_points_box(frame->points + 3 * first, count, &box);
    for (int axis = 0; axis < 3 && count; axis++) {
        float middle = 0.5f * (box.minimum[axis] + box.maximum[axis]);
        distance += (camera->eye[axis] - middle) * camera->back[axis];
    }
    return distance;
}

/* Solid surfaces the nearest first, which hides the others before they cost anything;
 * those that let through the farthest first; depth in any order. */
static sinew_result draw_all(sinew_renderer *renderer, const pass_state *state,
                             sinew_error *error) {
    uint32_t count = 0;
    distance_row *rows = malloc((renderer->item_count ? renderer->item_count : 1) * sizeof *rows);
    if (!rows) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the order of surfaces");
    }
    for (uint32_t k = 0; k < renderer->item_count; k++) {
        if (takes_part(renderer, &renderer->items[k], state->pass)) {
            rows[count].item = k;
            rows[count++].distance =
                state->camera ? distance_of(state->frame, k, state->camera) : 0;
        }
    }
    qsort(rows, count, sizeof *rows, nearer_first);
    sinew_result result = SINEW_OK;
    for (uint32_t k = 0; k < count && result == SINEW_OK; k++) {
        uint32_t at = state->pass == SINEWI_PASS_CLEAR ? count - 1 - k : k;
        result = draw_item(renderer, rows[at].item, state, error);
    }
    free(rows);
    return result;
}

sinew_result sinewi_surfaces_draw(sinew_renderer *renderer, const sinewi_frame *frame,
                                  const sinewi_camera *camera, const sinewi_light *light,
                                  sinewi_pass pass, sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    pass_state state = {frame, camera->matrix, camera, light, pass};
    bool clear = pass == SINEWI_PASS_CLEAR;
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LEQUAL);
    gl->DepthMask(clear ? GL_FALSE : GL_TRUE);
    if (clear) {
        gl->Enable(GL_BLEND);
        gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    } else {
        gl->Disable(GL_BLEND);
    }
    gl->Enable(GL_PROGRAM_POINT_SIZE);
    gl->ActiveTexture(GL_TEXTURE0 + SINEWI_UNIT_SHADOW);
    gl->BindTexture(GL_TEXTURE_2D, renderer->ground.shadow);
    gl->BindSampler(SINEWI_UNIT_SHADOW, renderer->ground.compare);
    return draw_all(renderer, &state, error);
}

sinew_result sinewi_surfaces_depth(sinew_renderer *renderer, const sinewi_frame *frame,
                                   const float matrix[16], sinew_error *error) {
    const GladGLContext *gl = &renderer->gl;
    pass_state state = {.frame = frame, .matrix = matrix, .pass = SINEWI_PASS_DEPTH};
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_BLEND);
    gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    sinew_result result = draw_all(renderer, &state, error);
    gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    return result;
}
