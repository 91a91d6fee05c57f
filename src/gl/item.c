/* One item, for a program of the host's or of ours. */
#include "gl_private.h"

static void bind_vertex_texture(const sinew_gl_model *on_gpu, uint32_t item, uint32_t unit) {
    const GladGLContext *table = &on_gpu->gl->table;
    GLuint texture = on_gpu->geometries[on_gpu->parts[item].geometry].texture;
    if (texture) {
        table->ActiveTexture(GL_TEXTURE0 + unit);
        table->BindTexture(GL_TEXTURE_2D, texture);
        table->BindSampler(unit, 0);
    }
}

void sinewi_gl_item_textures(const sinew_gl_model *on_gpu, uint32_t item, GLuint program,
                             uint32_t unit) {
    sinewi_gl_palette_bind(on_gpu, item, program, unit);
    bind_vertex_texture(on_gpu, item, unit + 1);
}

void sinew_gl_item_bind(sinew_gl_model *on_gpu, uint32_t item, uint32_t program,
                        uint32_t first_unit) {
    const GladGLContext *table = &on_gpu->gl->table;
    if (item >= on_gpu->item_count) {
        return;
    }
    sinewi_gl_palette_point(on_gpu->gl, on_gpu->storage, program, "sinew_palette", first_unit);
    GLint vertices = table->GetUniformLocation(program, "sinew_vertices");
    table->Uniform1i(vertices, (GLint)first_unit + 1);
    sinewi_gl_item_textures(on_gpu, item, program, first_unit);
}

void sinew_gl_item_bind_vertices(sinew_gl_model *on_gpu, uint32_t item, uint32_t program,
                                 uint32_t unit) {
    const GladGLContext *table = &on_gpu->gl->table;
    if (item < on_gpu->item_count) {
        table->Uniform1i(table->GetUniformLocation(program, "sinew_vertices"), (GLint)unit);
        bind_vertex_texture(on_gpu, item, unit);
    }
}

static void draw(const sinew_gl_model *on_gpu, uint32_t item, uint32_t count) {
    const GladGLContext *table = &on_gpu->gl->table;
    const sinewi_gl_geometry *geometry = &on_gpu->geometries[on_gpu->parts[item].geometry];
    const sinew_primitive *from = geometry->primitive;
    if (geometry->indices) {
        table->DrawElementsInstanced((GLenum)from->topology, (GLsizei)from->index_count,
                                     GL_UNSIGNED_INT, NULL, (GLsizei)count);
    } else {
        table->DrawArraysInstanced((GLenum)from->topology, 0, (GLsizei)from->vertex_count,
                                   (GLsizei)count);
    }
    table->BindVertexArray(0);
}

void sinew_gl_item_draw(sinew_gl_model *on_gpu, uint32_t item) {
    if (item < on_gpu->item_count) {
        sinewi_gl_item_instance(on_gpu, item);
        draw(on_gpu, item, 1);
    }
}

void sinew_gl_item_draw_instances(sinew_gl_model *on_gpu, uint32_t item, uint32_t first_texel,
                                  uint32_t count) {
    const GladGLContext *table = &on_gpu->gl->table;
    if (item < on_gpu->item_count && count > 0) {
        sinewi_gl_item_instance(on_gpu, item);
        table->VertexAttribI4ui(on_gpu->locations.instance, first_texel, 0, 0,
                                on_gpu->items[item].vertex_count);
        draw(on_gpu, item, count);
    }
}

void sinewi_gl_item_instance(const sinew_gl_model *on_gpu, uint32_t index) {
    const GladGLContext *table = &on_gpu->gl->table;
    const sinew_gl_item *item = &on_gpu->items[index];
    table->BindVertexArray(on_gpu->geometries[on_gpu->parts[index].geometry].vertex_array);
    table->VertexAttribI4ui(on_gpu->locations.instance, item->palette_texel, item->morph_texel,
                            item->active_targets, item->vertex_count);
    if (!item->has_colors) {
        table->VertexAttrib4f(on_gpu->locations.color, 1.0f, 1.0f, 1.0f, 1.0f);
    }
}

sinew_gl_skinning sinew_gl_item_skinning(const sinew_gl_model *on_gpu, uint32_t index) {
    if (index >= on_gpu->item_count) {
        return (sinew_gl_skinning){.influences = 0};
    }
    const sinew_gl_item *item = &on_gpu->items[index];
    return (sinew_gl_skinning){.storage = on_gpu->storage,
                               .palette_texels = on_gpu->window_texels,
                               .influences = item->influences,
                               .normals = item->has_normals,
                               .tangents = item->has_tangents,
                               .morphs = item->targets > 0,
                               .approximate_normals = on_gpu->approximate_normals,
                               .method = on_gpu->method,
                               .locations = on_gpu->locations};
}
