/* Sinew draws: all items of a model with base colour under a simple light. */
#include "gl_private.h"

#include "base/math.h"

#include <math.h>
#include <string.h>

/* What all items of one call share. */
typedef struct frame {
    float placement[16], view_projection[16];
    float turn[9]; /* placement, for normals */
    float light[3], up[3];
    bool reversed; /* placement or projection turn the winding */
    bool encode;   /* to sRGB in the shader */
} frame;

static void cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* sign(det) * cofactor, up to scale. */
static void turn_of(const float m[16], bool mirrors, float turn[9]) {
    float columns[3][3], largest = 0.0f;
    for (int c = 0; c < 3; c++) {
        memcpy(columns[c], m + 4 * c, sizeof columns[c]);
        for (int r = 0; r < 3; r++) {
            largest = fmaxf(largest, fabsf(columns[c][r]));
        }
    }
    for (int c = 0; c < 3 && largest > 0.0f; c++) {
        for (int r = 0; r < 3; r++) {
            columns[c][r] /= largest;
        }
    }
    for (int c = 0; c < 3; c++) {
        cross(columns[(c + 1) % 3], columns[(c + 2) % 3], turn + 3 * c);
    }
    for (int i = 0; mirrors && i < 9; i++) {
        turn[i] = -turn[i];
    }
}

/* The light stands above the viewer's shoulder; the rows of the projection tell where
 * right and up are. Returns whether the projection mirrors the picture (drawn upside
 * down, or seen in a mirror), as far as it tells: w grows away from the viewer in a
 * perspective; in an orthographic one z may count either way. */
static bool place_light(frame *shared) {
    const float *m = shared->view_projection;
    float right[3], up[3], away[3], back[3];
    for (int c = 0; c < 3; c++) {
        right[c] = m[4 * c];
        up[c] = m[4 * c + 1];
        away[c] = m[4 * c + 3];
    }
    sinewi_vec3_normalise(right);
    sinewi_vec3_normalise(up);
    cross(right, up, back);
    bool mirrors = dot(back, away) > 0.0f;
    for (int c = 0; c < 3; c++) {
        float towards = mirrors ? -back[c] : back[c];
        shared->light[c] = towards + 0.7f * up[c] - 0.5f * right[c];
        shared->up[c] = up[c];
    }
    sinewi_vec3_normalise(shared->light);
    return mirrors;
}

static void prepare_frame(const float placement[16], const float view_projection[16], bool encode,
                          frame *shared) {
    if (placement) {
        memcpy(shared->placement, placement, sizeof shared->placement);
    } else {
        sinewi_mat4_identity(shared->placement);
    }
    memcpy(shared->view_projection, view_projection, sizeof shared->view_projection);
    bool mirrors = sinewi_mat4_side(shared->placement) < 0;
    turn_of(shared->placement, mirrors, shared->turn);
    shared->reversed = place_light(shared) != mirrors;
    shared->encode = encode;
}

static sinew_material material_of(const sinew_gl_model *on_gpu, const sinew_gl_item *item) {
    if (item->material != SINEW_NONE) {
        return on_gpu->model->materials[item->material];
    }
    return (sinew_material){.base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                            .base_color_texture = {.texture = SINEW_NONE}};
}

static void set_frame(const GladGLContext *table, const sinewi_gl_program *program,
                      const frame *shared) {
    table->UniformMatrix4fv(program->placement, 1, GL_FALSE, shared->placement);
    table->UniformMatrix4fv(program->view_projection, 1, GL_FALSE, shared->view_projection);
    table->UniformMatrix3fv(program->turn, 1, GL_FALSE, shared->turn);
    table->Uniform3fv(program->light, 1, shared->light);
    table->Uniform3fv(program->up, 1, shared->up);
    table->Uniform1i(program->encode, shared->encode);
}

/* KHR_texture_transform: offset * rotation * scale, as three columns of two. */
static void set_texture(const sinew_gl_model *on_gpu, const sinewi_gl_program *program,
                        const sinew_gl_item *item, const sinew_texture_use *use) {
    const GladGLContext *table = &on_gpu->gl->table;
    GLuint texture = 0;
    if (use->texture != SINEW_NONE && use->texcoord < SINEW_MAX_TEXCOORDS &&
        item->has_texcoords[use->texcoord]) {
        texture = on_gpu->textures[use->texture];
    }
    table->Uniform1i(program->textured, texture != 0);
    if (!texture) {
        return;
    }
    float c = cosf(use->rotation), s = sinf(use->rotation);
    const float tiling[6] = {c * use->tiling[0], -s * use->tiling[0], s * use->tiling[1],
                             c * use->tiling[1], use->offset[0],      use->offset[1]};
    table->UniformMatrix3x2fv(program->tiling, 1, GL_FALSE, tiling);
    table->Uniform1i(program->texcoord, (GLint)use->texcoord);
    table->ActiveTexture(GL_TEXTURE2);
    table->BindTexture(GL_TEXTURE_2D, texture);
    table->BindSampler(2, 0);
}

static void set_material(const sinew_gl_model *on_gpu, const sinewi_gl_program *program,
                         const sinew_gl_item *item, const sinew_material *material) {
    const GladGLContext *table = &on_gpu->gl->table;
    bool mask = material->alpha_mode == SINEW_MASK;
    table->Uniform4fv(program->base_color, 1, material->base_color);
    table->Uniform1f(program->alpha_cutoff, mask ? material->alpha_cutoff : 0.0f);
    table->Uniform1i(program->opaque, material->alpha_mode != SINEW_BLEND);
    table->Uniform1i(program->lit, !material->unlit);
    set_texture(on_gpu, program, item, &material->base_color_texture);
}

/* Far sides before near ones where both are seen through. */
static void draw_sides(sinew_gl_model *on_gpu, uint32_t index, const sinew_material *material,
                       bool reversed) {
    const GladGLContext *table = &on_gpu->gl->table;
    table->FrontFace(on_gpu->items[index].mirrored != reversed ? GL_CW : GL_CCW);
    if (material->double_sided && material->alpha_mode != SINEW_BLEND) {
        table->Disable(GL_CULL_FACE);
        sinew_gl_item_draw(on_gpu, index);
        return;
    }
    table->Enable(GL_CULL_FACE);
    if (material->double_sided) {
        table->CullFace(GL_FRONT);
        sinew_gl_item_draw(on_gpu, index);
    }
    table->CullFace(GL_BACK);
    sinew_gl_item_draw(on_gpu, index);
}

static sinew_result draw_item(sinew_gl_model *on_gpu, uint32_t index, const frame *shared,
                              const sinew_material *material, sinew_error *error) {
    const sinewi_gl_program **program = &on_gpu->parts[index].draw;
    if (!*program) {
        sinew_gl_skinning wish = sinew_gl_item_skinning(on_gpu, index);
        wish.tangents = false;
        sinew_result result =
            sinewi_gl_program_find(on_gpu->gl, SINEWI_GL_DRAW, &wish, program, error);
        if (result) {
            *program = NULL;
            return result;
        }
    }
    on_gpu->gl->table.UseProgram((*program)->name);
    set_frame(&on_gpu->gl->table, *program, shared);
    set_material(on_gpu, *program, &on_gpu->items[index], material);
    sinewi_gl_item_textures(on_gpu, index, (*program)->name, 0);
    draw_sides(on_gpu, index, material, shared->reversed);
    return SINEW_OK;
}

/* Items of one alpha mode. */
static sinew_result draw_pass(sinew_gl_model *on_gpu, sinew_alpha_mode mode, const frame *shared,
                              sinew_error *error) {
    for (uint32_t i = 0; i < on_gpu->item_count; i++) {
        sinew_material material = material_of(on_gpu, &on_gpu->items[i]);
        if (material.alpha_mode != mode) {
            continue;
        }
        sinew_result result = draw_item(on_gpu, i, shared, &material, error);
        if (result) {
            return result;
        }
    }
    return SINEW_OK;
}

static sinew_result draw_passes(sinew_gl_model *on_gpu, const frame *shared, sinew_error *error) {
    const GladGLContext *table = &on_gpu->gl->table;
    table->Enable(GL_DEPTH_TEST);
    table->DepthMask(GL_TRUE);
    if (!on_gpu->gl->info.es) {
        table->Disable(GL_PRIMITIVE_RESTART);
    }
    table->Disable(GL_BLEND);
    sinew_result result = draw_pass(on_gpu, SINEW_OPAQUE, shared, error);
    if (result == SINEW_OK) {
        result = draw_pass(on_gpu, SINEW_MASK, shared, error);
    }
    if (result == SINEW_OK) {
        table->DepthMask(GL_FALSE);
        table->Enable(GL_BLEND);
        table->BlendEquation(GL_FUNC_ADD);
        table->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                 GL_ONE_MINUS_SRC_ALPHA);
        result = draw_pass(on_gpu, SINEW_BLEND, shared, error);
    }
    return result;
}

sinew_result sinew_gl_draw(sinew_gl_model *on_gpu, const sinew_pose *pose,
                           const float placement[16], const float view_projection[16],
                           sinew_error *error) {
    sinew_result result = sinew_gl_model_update(on_gpu, pose, error);
    if (result) {
        return result;
    }
    sinew_gl *gl = on_gpu->gl;
    sinewi_gl_state bindings;
    sinewi_gl_draw_state state;
    sinewi_gl_constants constants;
    sinewi_gl_state_save(gl, &bindings);
    sinewi_gl_draw_state_save(gl, &state);
    sinewi_gl_constants_save(gl, &on_gpu->locations, &constants);

    frame shared;
    prepare_frame(placement, view_projection, !state.encodes, &shared);
    result = draw_passes(on_gpu, &shared, error);

    sinewi_gl_constants_restore(gl, &on_gpu->locations, &constants);
    sinewi_gl_draw_state_restore(gl, &state);
    sinewi_gl_state_restore(gl, &bindings);
    return result;
}
