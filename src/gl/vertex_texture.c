/* The texture of what no attribute holds: further influences and morph deltas. The
 * layout stands in shaders/gl/interface.glsl. */
#include "gl_private.h"

#include <string.h>

typedef struct layout {
    uint32_t further;  /* texels a vertex for influences from the ninth on */
    uint32_t sections; /* of morph deltas: positions, normals, tangents */
    uint32_t width, height;
    size_t texels;
} layout;

static void fill_influences(const sinew_influences *from, uint32_t vertex_count, float *texel) {
    for (uint32_t v = 0; v < vertex_count; v++) {
        for (uint32_t k = SINEWI_GL_ATTRIBUTE_INFLUENCES; k < from->per_vertex; k++) {
            size_t entry = (size_t)v * from->per_vertex + k;
            *texel++ = (float)sinewi_gl_joint_at(from, entry);
            *texel++ = sinewi_gl_weight_at(from, entry);
        }
    }
}

static void fill_deltas(const sinew_primitive *from, const layout *plan, float *texel) {
    for (uint32_t section = 0; section < plan->sections; section++) {
        for (uint32_t t = 0; t < from->target_count; t++) {
            const sinew_target *target = &from->targets[t];
            const float *deltas = section == 0   ? target->positions
                                  : section == 1 ? target->normals
                                                 : target->tangents;
            for (uint32_t v = 0; deltas && v < from->vertex_count; v++) {
                memcpy(texel + 4 * (size_t)v, deltas + 3 * (size_t)v, 3 * sizeof *deltas);
            }
            texel += 4 * (size_t)from->vertex_count;
        }
    }
}

static sinew_result plan_layout(const sinew_gl *gl, const char *place, const sinew_primitive *from,
                                const sinew_influences *influences, layout *plan,
                                sinew_error *error) {
    uint32_t most = gl->info.max_texture_size;
    *plan = (layout){.further = 0};
    if (influences && influences->per_vertex > SINEWI_GL_ATTRIBUTE_INFLUENCES) {
        plan->further = (influences->per_vertex - SINEWI_GL_ATTRIBUTE_INFLUENCES) / 2;
    }
    if (from->target_count) {
        plan->sections = from->tangents ? 3 : from->normals ? 2 : 1;
    }
    uint64_t per_vertex = plan->further + (uint64_t)plan->sections * from->target_count;
    uint64_t texels = per_vertex * from->vertex_count;
    uint32_t row = sinewi_gl_texture_width(gl);
    uint64_t rows = (texels + row - 1) / row;
    /* The shader counts texels in int. */
    if (rows > most || texels > INT32_MAX) {
        return sinewi_gl_over_limit(error, place,
                                    "rows of a texture for morph targets and influences", rows,
                                    "GL_MAX_TEXTURE_SIZE", most);
    }
    plan->texels = (size_t)texels;
    plan->height = (uint32_t)rows;
    plan->width = rows > 1 ? row : (uint32_t)texels;
    return SINEW_OK;
}

static GLuint make_texture(const GladGLContext *table, const layout *plan, const float *texels) {
    GLuint texture = 0;
    table->GenTextures(1, &texture);
    table->BindTexture(GL_TEXTURE_2D, texture);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    table->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    table->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, (GLsizei)plan->width, (GLsizei)plan->height, 0,
                      GL_RGBA, GL_FLOAT, texels);
    return texture;
}

sinew_result sinewi_gl_vertex_texture_create(const sinew_gl *gl, const char *place,
                                             const sinew_primitive *primitive,
                                             const sinew_influences *influences, GLuint *texture,
                                             sinew_error *error) {
    layout plan;
    sinew_result result = plan_layout(gl, place, primitive, influences, &plan, error);
    if (result || plan.texels == 0) {
        return result;
    }
    size_t count = (size_t)plan.width * plan.height, size = 4 * sizeof(float);
    float *texels = sinewi_allocate_zeroed(&gl->allocator, count, size);
    if (!texels) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, place, "no memory for the morph targets");
    }
    if (plan.further) {
        fill_influences(influences, primitive->vertex_count, texels);
    }
    fill_deltas(primitive, &plan, texels + 4 * (size_t)plan.further * primitive->vertex_count);
    *texture = make_texture(&gl->table, &plan, texels);
    sinewi_release(&gl->allocator, texels, count * size);
    return sinewi_gl_check_errors(gl, place, "uploading morph targets and influences", error);
}
