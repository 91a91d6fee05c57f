/* The promises of sinew/model.h. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

static void finite(const float *values, size_t count) {
    for (size_t i = 0; values && i < count; i++) {
        FUZZ_REQUIRE(isfinite(values[i]));
    }
}

static void below(uint32_t index, uint32_t count) {
    FUZZ_REQUIRE(index < count);
}

static void below_or_none(uint32_t index, uint32_t count) {
    FUZZ_REQUIRE(index < count || index == SINEW_NONE);
}

/* Reads all of a text; a sanitizer sees one without an end. */
static void text(const char *t) {
    FUZZ_REQUIRE(t && strlen(t) < (size_t)1 << 30);
}

/* ---- nodes, scenes, skins ---- */

static void check_children(const sinew_model *model, uint32_t self) {
    const sinew_node *node = &model->nodes[self];
    for (uint32_t i = 0; i < node->child_count; i++) {
        below(node->children[i], model->node_count);
        const sinew_node *child = &model->nodes[node->children[i]];
        FUZZ_REQUIRE(child->parent == self);
        FUZZ_REQUIRE(child->next_sibling ==
                     (i + 1 < node->child_count ? node->children[i + 1] : SINEW_NONE));
    }
    FUZZ_REQUIRE(node->parent != SINEW_NONE || node->next_sibling == SINEW_NONE);
}

static void check_instance(const sinew_model *model, const sinew_node *node) {
    const sinew_mesh *mesh = &model->meshes[node->mesh];
    FUZZ_REQUIRE(node->weight_count == mesh->target_count);
    for (uint32_t p = 0; node->skin != SINEW_NONE && p < mesh->primitive_count; p++) {
        const sinew_primitive *primitive = &mesh->primitives[p];
        if (primitive->influences_count > 0) {
            below(node->influences_index, primitive->influences_count);
            FUZZ_REQUIRE(primitive->influences[node->influences_index].joint_limit <=
                         model->skins[node->skin].joint_count);
        }
    }
}

static void check_node(const sinew_model *model, uint32_t self) {
    const sinew_node *node = &model->nodes[self];
    text(node->name);
    below_or_none(node->parent, model->node_count);
    below_or_none(node->mesh, model->mesh_count);
    below_or_none(node->skin, model->skin_count);
    below_or_none(node->camera, model->camera_count);
    check_children(model, self);
    FUZZ_REQUIRE(node->first_weight <= model->weight_count &&
                 node->weight_count <= model->weight_count - node->first_weight);
    FUZZ_REQUIRE(node->weight_count == 0 || node->local_rest_weights);
    finite(node->local_rest_weights, node->weight_count);
    finite(node->local_rest.translation, 3);
    finite(node->local_rest.rotation, 4);
    finite(node->local_rest.scale, 3);
    finite(node->local_rest_matrix, 16);
    const float *m = node->local_rest_matrix;
    FUZZ_REQUIRE(m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f);
    if (node->mesh != SINEW_NONE) {
        check_instance(model, node);
    } else {
        FUZZ_REQUIRE(node->weight_count == 0);
    }
}

static void check_order(const sinew_model *model) {
    uint8_t *seen = calloc((size_t)model->node_count + 1, 1);
    FUZZ_REQUIRE(seen);
    for (uint32_t k = 0; k < model->node_count; k++) {
        uint32_t i = model->node_order[k];
        below(i, model->node_count);
        FUZZ_REQUIRE(!seen[i]);
        FUZZ_REQUIRE(model->nodes[i].parent == SINEW_NONE || seen[model->nodes[i].parent]);
        seen[i] = 1;
    }
    free(seen);
}

static void check_scenes(const sinew_model *model) {
    uint32_t *nodes = malloc((model->node_count + 1) * sizeof *nodes);
    FUZZ_REQUIRE(nodes);
    below_or_none(model->default_scene, model->scene_count);
    for (uint32_t s = 0; s < model->scene_count; s++) {
        text(model->scenes[s].name);
        for (uint32_t i = 0; i < model->scenes[s].root_count; i++) {
            below(model->scenes[s].roots[i], model->node_count);
        }
        if (s < 16) {
            FUZZ_REQUIRE(sinew_scene_nodes(model, s, nodes) <= model->node_count);
        }
    }
    FUZZ_REQUIRE(sinew_scene_nodes(model, SINEW_NONE, nodes) <= model->node_count);
    free(nodes);
}

static void check_skin(const sinew_model *model, const sinew_skin *skin) {
    text(skin->name);
    below_or_none(skin->skeleton, model->node_count);
    FUZZ_REQUIRE(skin->joint_count > 0);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        below(skin->joints[j], model->node_count);
        const float *m = skin->inverse_binds ? skin->inverse_binds + (size_t)16 * j : NULL;
        FUZZ_REQUIRE(!m || (m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f));
        finite(m, 16);
    }
}

/* ---- meshes ---- */

static double weight_at(const sinew_influences *in, size_t at) {
    switch (in->weight_type) {
    case SINEW_U8: return ((const uint8_t *)in->weights)[at] / 255.0;
    case SINEW_U16: return ((const uint16_t *)in->weights)[at] / 65535.0;
    case SINEW_F32: return (double)((const float *)in->weights)[at];
    }
    return NAN;
}

static void check_influences(const sinew_influences *in, size_t vertex_count) {
    FUZZ_REQUIRE(in->per_vertex > 0 && in->per_vertex % 4 == 0 && in->joint_limit > 0);
    FUZZ_REQUIRE(in->joint_type == SINEW_U8 || in->joint_type == SINEW_U16);
    for (size_t v = 0; v < vertex_count; v++) {
        double sum = 0.0;
        for (size_t at = v * in->per_vertex; at < (v + 1) * in->per_vertex; at++) {
            uint32_t joint = in->joint_type == SINEW_U8 ? ((const uint8_t *)in->joints)[at]
                                                        : ((const uint16_t *)in->joints)[at];
            double weight = weight_at(in, at);
            FUZZ_REQUIRE(joint < in->joint_limit && weight >= 0.0);
            sum += weight;
        }
        FUZZ_REQUIRE(fabs(sum - 1.0) < 1e-5);
    }
}

static void check_triangles(const sinew_primitive *p) {
    uint32_t count = sinew_primitive_triangles(p, NULL);
    uint32_t *triangles = malloc(((size_t)3 * count + 1) * sizeof *triangles);
    FUZZ_REQUIRE(triangles && sinew_primitive_triangles(p, triangles) == count);
    for (size_t i = 0; i < (size_t)3 * count; i++) {
        below(triangles[i], p->vertex_count);
    }
    free(triangles);
}

static void check_primitive(const sinew_model *model, const sinew_mesh *mesh,
                            const sinew_primitive *p) {
    size_t n = p->vertex_count;
    FUZZ_REQUIRE((int)p->topology >= SINEW_POINTS && (int)p->topology <= SINEW_TRIANGLE_FAN);
    below_or_none(p->material, model->material_count);
    FUZZ_REQUIRE(n == 0 || p->positions);
    finite(p->positions, 3 * n);
    finite(p->normals, 3 * n);
    finite(p->tangents, 4 * n);
    finite(p->colors, 4 * n);
    for (int i = 0; i < SINEW_MAX_TEXCOORDS; i++) {
        finite(p->texcoords[i], 2 * n);
    }
    FUZZ_REQUIRE(p->indices || p->index_count == 0);
    for (uint32_t i = 0; i < p->index_count; i++) {
        below(p->indices[i], p->vertex_count);
    }
    for (uint32_t i = 0; i < p->influences_count; i++) {
        check_influences(&p->influences[i], n);
    }
    FUZZ_REQUIRE(p->target_count == mesh->target_count);
    for (uint32_t t = 0; t < p->target_count; t++) {
        finite(p->targets[t].positions, 3 * n);
        finite(p->targets[t].normals, 3 * n);
        finite(p->targets[t].tangents, 3 * n);
    }
    check_triangles(p);
}

static void check_mesh(const sinew_model *model, const sinew_mesh *mesh) {
    text(mesh->name);
    finite(mesh->weights, mesh->target_count);
    for (uint32_t t = 0; mesh->target_names && t < mesh->target_count; t++) {
        text(mesh->target_names[t]);
    }
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        check_primitive(model, mesh, &mesh->primitives[p]);
    }
}

/* ---- materials ---- */

static void check_use(const sinew_model *model, const sinew_texture_use *use) {
    below_or_none(use->texture, model->texture_count);
    finite(&use->scale, 1);
    finite(use->offset, 2);
    finite(&use->rotation, 1);
    finite(use->tiling, 2);
}

static void check_materials(const sinew_model *model) {
    for (uint32_t i = 0; i < model->material_count; i++) {
        const sinew_material *m = &model->materials[i];
        text(m->name);
        finite(m->base_color, 4);
        finite(m->emissive, 3);
        FUZZ_REQUIRE(isfinite(m->metallic) && isfinite(m->roughness) && isfinite(m->alpha_cutoff));
        check_use(model, &m->base_color_texture);
        check_use(model, &m->metallic_roughness_texture);
        check_use(model, &m->normal_texture);
        check_use(model, &m->occlusion_texture);
        check_use(model, &m->emissive_texture);
    }
    for (uint32_t i = 0; i < model->texture_count; i++) {
        text(model->textures[i].name);
        below_or_none(model->textures[i].image, model->image_count);
    }
    for (uint32_t i = 0; i < model->image_count; i++) {
        const sinew_image *image = &model->images[i];
        text(image->name);
        text(image->uri);
        text(image->mime_type);
        for (size_t b = 0; image->data && b < image->size; b++) {
            (void)*(const volatile uint8_t *)&image->data[b]; /* it can be read */
        }
    }
}

/* ---- clips ---- */

static void check_channel(const sinew_model *model, const sinew_clip *clip,
                          const sinew_channel *c) {
    below(c->node, model->node_count);
    const sinew_node *node = &model->nodes[c->node];
    FUZZ_REQUIRE((int)c->path >= SINEW_TRANSLATION && (int)c->path <= SINEW_WEIGHTS);
    FUZZ_REQUIRE((int)c->interpolation >= SINEW_LINEAR &&
                 (int)c->interpolation <= SINEW_CUBICSPLINE);
    if (c->path == SINEW_WEIGHTS) {
        FUZZ_REQUIRE(c->width > 0 && c->first <= node->weight_count &&
                     c->width <= node->weight_count - c->first);
    } else {
        FUZZ_REQUIRE(c->width == (c->path == SINEW_ROTATION ? 4 : 3) && c->first == 0);
    }
    FUZZ_REQUIRE(c->key_count > 0 && c->times && c->values);
    uint32_t cubic = c->interpolation == SINEW_CUBICSPLINE ? 3 : 1;
    finite(c->times, c->key_count);
    finite(c->values, (size_t)c->key_count * c->width * cubic);
    for (uint32_t k = 1; k < c->key_count; k++) {
        FUZZ_REQUIRE(c->times[k] > c->times[k - 1]);
    }
    FUZZ_REQUIRE((double)c->times[c->key_count - 1] <= clip->duration);
}

static void check_clips(const sinew_model *model) {
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const sinew_clip *clip = &model->clips[i];
        text(clip->name);
        FUZZ_REQUIRE(isfinite(clip->duration) && clip->duration >= 0.0);
        for (uint32_t c = 0; c < clip->channel_count; c++) {
            check_channel(model, clip, &clip->channels[c]);
        }
    }
}

static void check_cameras(const sinew_model *model) {
    for (uint32_t i = 0; i < model->camera_count; i++) {
        const sinew_camera *c = &model->cameras[i];
        text(c->name);
        FUZZ_REQUIRE(isfinite(c->vertical_fov) && isfinite(c->aspect) && isfinite(c->half_width) &&
                     isfinite(c->half_height) && isfinite(c->near_plane) && isfinite(c->far_plane));
    }
}

void fuzz_check_model(const sinew_model *model) {
    text(model->generator);
    for (uint32_t i = 0; i < model->node_count; i++) {
        check_node(model, i);
    }
    check_order(model);
    check_scenes(model);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        check_skin(model, &model->skins[i]);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        check_mesh(model, &model->meshes[i]);
    }
    check_materials(model);
    check_clips(model);
    check_cameras(model);
    for (uint32_t i = 0; i < model->extensions_used_count; i++) {
        text(model->extensions_used[i]);
    }
    for (uint32_t i = 0; i < model->extensions_required_count; i++) {
        text(model->extensions_required[i]);
    }
}
