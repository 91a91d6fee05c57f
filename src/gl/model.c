/* A model on the GPU: its items, and what they share. */
#include "gl_private.h"

#include <stdio.h>
#include <string.h>

/* Scratch while a model is built: where what was made for one item is found again. */
typedef struct plan {
    sinewi_arena arena;
    uint32_t *nodes; /* of the scene */
    uint32_t node_count;
    uint32_t *first_slot;    /* by mesh, in geometry_of */
    uint32_t *geometry_of;   /* by primitive: rigid, then by entry of its influences */
    uint32_t *range_of_skin; /* by skin */
} plan;

static uint32_t *filled_with_none(sinewi_arena *arena, size_t count) {
    uint32_t *list = sinewi_arena_take(arena, count, sizeof *list);
    if (list) {
        memset(list, 0xFF, count * sizeof *list); /* SINEW_NONE */
    }
    return list;
}

static bool plan_init(plan *scratch, const sinew_gl *gl, const sinew_model *model, uint32_t scene) {
    sinewi_arena *arena = &scratch->arena;
    sinewi_arena_init(arena, &gl->allocator, 0);
    scratch->nodes = sinewi_arena_take(arena, model->node_count, sizeof *scratch->nodes);
    scratch->first_slot = sinewi_arena_take(arena, model->mesh_count, sizeof(uint32_t));
    if (!scratch->nodes || !scratch->first_slot) {
        return false;
    }
    scratch->node_count = sinew_scene_nodes(model, scene, scratch->nodes);
    uint32_t slots = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        scratch->first_slot[m] = slots;
        for (uint32_t p = 0; p < model->meshes[m].primitive_count; p++) {
            slots += 1 + model->meshes[m].primitives[p].influences_count;
        }
    }
    scratch->geometry_of = filled_with_none(arena, slots);
    scratch->range_of_skin = filled_with_none(arena, model->skin_count);
    return scratch->geometry_of && scratch->range_of_skin;
}

static uint32_t count_items(const sinew_model *model, const plan *scratch) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < scratch->node_count; i++) {
        uint32_t mesh = model->nodes[scratch->nodes[i]].mesh;
        count += mesh == SINEW_NONE ? 0 : model->meshes[mesh].primitive_count;
    }
    return count;
}

static bool take_arrays(sinew_gl_model *on_gpu, uint32_t items) {
    sinewi_arena *arena = &on_gpu->arena;
    on_gpu->items = sinewi_arena_take_zeroed(arena, items, sizeof *on_gpu->items);
    on_gpu->parts = sinewi_arena_take_zeroed(arena, items, sizeof *on_gpu->parts);
    on_gpu->geometries = sinewi_arena_take_zeroed(arena, items, sizeof *on_gpu->geometries);
    on_gpu->ranges = sinewi_arena_take_zeroed(arena, items, sizeof *on_gpu->ranges);
    on_gpu->morphs = sinewi_arena_take_zeroed(arena, items, sizeof *on_gpu->morphs);
    on_gpu->textures =
        sinewi_arena_take_zeroed(arena, on_gpu->model->texture_count, sizeof *on_gpu->textures);
    return on_gpu->items && on_gpu->parts && on_gpu->geometries && on_gpu->ranges &&
           on_gpu->morphs && on_gpu->textures;
}

static uint32_t add_range(sinew_gl_model *on_gpu, uint32_t skin, uint32_t node) {
    uint32_t joints = skin == SINEW_NONE ? 1 : on_gpu->model->skins[skin].joint_count;
    on_gpu->ranges[on_gpu->range_count] = (sinewi_gl_range){skin, node, 0, joints};
    return on_gpu->range_count++;
}

/* The geometry in a slot, new where there is none yet; it is uploaded later. */
static uint32_t geometry_in(sinew_gl_model *on_gpu, uint32_t *slot, uint32_t mesh, uint32_t index,
                            const sinew_influences *influences) {
    if (*slot == SINEW_NONE) {
        *slot = on_gpu->geometry_count++;
        on_gpu->geometries[*slot] = (sinewi_gl_geometry){
            .primitive = &on_gpu->model->meshes[mesh].primitives[index],
            .influences = influences,
            .mesh = mesh,
            .index = index,
        };
    }
    return *slot;
}

static void describe_item(sinew_gl_item *item, const sinew_primitive *from,
                          const sinew_influences *influences) {
    item->material = from->material;
    item->influences = influences ? influences->per_vertex : 0;
    item->targets = from->target_count;
    item->vertex_count = from->vertex_count;
    item->topology = from->topology;
    item->has_normals = from->normals != NULL;
    item->has_tangents = from->tangents != NULL;
    item->has_colors = from->colors != NULL;
    for (int i = 0; i < SINEW_MAX_TEXCOORDS; i++) {
        item->has_texcoords[i] = from->texcoords[i] != NULL;
    }
}

/* What the primitives of a node share. */
typedef struct node_parts {
    uint32_t rigid_range, morphs;
} node_parts;

static sinew_result add_item(sinew_gl_model *on_gpu, plan *scratch, uint32_t node, uint32_t index,
                             uint32_t slot, node_parts *shared, sinew_error *error) {
    const sinew_node *carrier = &on_gpu->model->nodes[node];
    const sinew_primitive *from = &on_gpu->model->meshes[carrier->mesh].primitives[index];
    bool skinned = carrier->skin != SINEW_NONE && from->influences_count > 0;
    const sinew_influences *influences = NULL;
    uint32_t *range = &shared->rigid_range;
    if (skinned) {
        influences = &from->influences[carrier->influences_index];
        range = &scratch->range_of_skin[carrier->skin];
        slot += 1 + carrier->influences_index;
        uint32_t joints = on_gpu->model->skins[carrier->skin].joint_count;
        if (influences->joint_limit > joints) {
            char place[32];
            snprintf(place, sizeof place, "/skins/%u", carrier->skin);
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, place,
                               "the palette is short: the skin has %u joints, the influences "
                               "of mesh %u need %u",
                               joints, carrier->mesh, influences->joint_limit);
        }
    }
    if (*range == SINEW_NONE) {
        *range = add_range(on_gpu, skinned ? carrier->skin : SINEW_NONE, node);
    }
    if (from->target_count && shared->morphs == SINEW_NONE) {
        shared->morphs = on_gpu->morphs_count++;
        on_gpu->morphs[shared->morphs].node = node;
    }
    sinew_gl_item *item = &on_gpu->items[on_gpu->item_count];
    sinewi_gl_item_parts *parts = &on_gpu->parts[on_gpu->item_count++];
    item->node = node;
    item->mesh = carrier->mesh;
    item->primitive = index;
    item->skin = skinned ? carrier->skin : SINEW_NONE;
    describe_item(item, from, influences);
    parts->geometry =
        geometry_in(on_gpu, &scratch->geometry_of[slot], carrier->mesh, index, influences);
    parts->range = *range;
    parts->morphs = from->target_count ? shared->morphs : SINEW_NONE;
    return SINEW_OK;
}

static sinew_result add_items(sinew_gl_model *on_gpu, plan *scratch, sinew_error *error) {
    const sinew_model *model = on_gpu->model;
    sinew_result result = SINEW_OK;
    for (uint32_t i = 0; i < scratch->node_count && !result; i++) {
        uint32_t node = scratch->nodes[i], mesh = model->nodes[node].mesh;
        if (mesh == SINEW_NONE) {
            continue;
        }
        node_parts shared = {SINEW_NONE, SINEW_NONE};
        uint32_t slot = scratch->first_slot[mesh];
        for (uint32_t p = 0; p < model->meshes[mesh].primitive_count && !result; p++) {
            const sinew_primitive *from = &model->meshes[mesh].primitives[p];
            if (from->vertex_count) {
                result = add_item(on_gpu, scratch, node, p, slot, &shared, error);
            }
            slot += 1 + from->influences_count;
        }
    }
    return result;
}

static sinew_result plan_items(sinew_gl_model *on_gpu, uint32_t scene, sinew_error *error) {
    plan scratch;
    sinew_result result = SINEW_ERROR_MEMORY;
    if (plan_init(&scratch, on_gpu->gl, on_gpu->model, scene) &&
        take_arrays(on_gpu, count_items(on_gpu->model, &scratch))) {
        result = add_items(on_gpu, &scratch, error);
    }
    sinewi_arena_free(&scratch.arena);
    return result == SINEW_ERROR_MEMORY
               ? sinewi_fail(error, result, NULL, "no memory for the parts of the model")
               : result;
}

static sinew_result upload(sinew_gl_model *on_gpu, sinew_error *error) {
    sinew_gl *gl = on_gpu->gl;
    sinewi_gl_state state;
    sinewi_gl_unpack_state unpack;
    sinewi_gl_state_save(gl, &state);
    sinewi_gl_unpack_save_and_set(gl, &unpack);
    sinewi_gl_drain_errors(gl);
    sinew_result result = sinewi_gl_palette_buffers_create(on_gpu, error);
    for (uint32_t g = 0; g < on_gpu->geometry_count && !result; g++) {
        char place[64];
        sinewi_gl_geometry *geometry = &on_gpu->geometries[g];
        snprintf(place, sizeof place, "/meshes/%u/primitives/%u", geometry->mesh, geometry->index);
        result = sinewi_gl_geometry_create(gl, &on_gpu->locations, &on_gpu->arena, place, geometry,
                                           error);
    }
    sinewi_gl_unpack_restore(gl, &unpack);
    sinewi_gl_state_restore(gl, &state);
    return result;
}

static sinew_result locations_sound(const sinew_gl *gl, const sinew_gl_locations *locations,
                                    sinew_error *error) {
    const uint32_t all[] = {locations->position,  locations->normal,    locations->tangent,
                            locations->texcoord0, locations->texcoord1, locations->color,
                            locations->joints0,   locations->weights0,  locations->joints1,
                            locations->weights1,  locations->instance};
    GLint most = 0;
    gl->table.GetIntegerv(GL_MAX_VERTEX_ATTRIBS, &most);
    uint32_t taken = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] >= (uint32_t)most || all[i] >= 32 || (taken & (1u << all[i]))) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL,
                               "attribute location %u is given twice or not below "
                               "GL_MAX_VERTEX_ATTRIBS, which is %d",
                               all[i], most);
        }
        taken |= 1u << all[i];
    }
    return SINEW_OK;
}

static sinew_result options_sound(const sinew_gl *gl, const sinew_model *model,
                                  const sinew_gl_model_options *options, sinew_error *error) {
    if (!sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        return SINEW_ERROR_ARGUMENT;
    }
    if (options->scene_plus_one > model->scene_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, NULL, "there is no scene %u, only %u",
                           options->scene_plus_one - 1, model->scene_count);
    }
    if (sinewi_gl_method_sound(options->method, error)) {
        return SINEW_ERROR_ARGUMENT;
    }
    if (options->storage && sinewi_gl_storage_sound(gl, options->storage, error)) {
        return error ? error->result : SINEW_ERROR_GL;
    }
    sinew_gl_locations locations = sinewi_gl_locations_or_default(&options->locations);
    return locations_sound(gl, &locations, error);
}

sinew_gl_model *sinew_gl_model_create(sinew_gl *gl, const sinew_model *model,
                                      const sinew_gl_model_options *options, sinew_error *error) {
    static const sinew_gl_model_options usual;
    sinewi_error_clear(error);
    options = options ? options : &usual;
    if (options_sound(gl, model, options, error)) {
        return NULL;
    }
    sinew_gl_model *on_gpu = sinewi_allocate_zeroed(&gl->allocator, 1, sizeof *on_gpu);
    if (!on_gpu) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for the model");
        return NULL;
    }
    on_gpu->gl = gl;
    on_gpu->model = model;
    on_gpu->locations = sinewi_gl_locations_or_default(&options->locations);
    on_gpu->storage = options->storage ? options->storage : gl->info.storage;
    on_gpu->method = options->method;
    on_gpu->approximate_normals = options->approximate_normals;
    sinewi_arena_init(&on_gpu->arena, &gl->allocator, 0);
    uint32_t scene = options->scene_plus_one ? options->scene_plus_one - 1 : SINEW_NONE;
    if (plan_items(on_gpu, scene, error) || upload(on_gpu, error)) {
        sinew_gl_model_free(on_gpu);
        return NULL;
    }
    return on_gpu;
}

void sinew_gl_model_free(sinew_gl_model *on_gpu) {
    if (!on_gpu) {
        return;
    }
    for (uint32_t g = 0; g < on_gpu->geometry_count; g++) {
        sinewi_gl_geometry_free(on_gpu->gl, &on_gpu->geometries[g]);
    }
    sinewi_gl_palette_buffers_free(on_gpu);
    sinewi_arena_free(&on_gpu->arena);
    sinewi_release(&on_gpu->gl->allocator, on_gpu, sizeof *on_gpu);
}

const sinew_gl_item *sinew_gl_model_items(const sinew_gl_model *on_gpu, uint32_t *count) {
    *count = on_gpu->item_count;
    return on_gpu->items;
}

sinew_gl_storage sinew_gl_model_storage(const sinew_gl_model *on_gpu) {
    return on_gpu->storage;
}

void sinew_gl_model_set_texture(sinew_gl_model *on_gpu, uint32_t texture, uint32_t gl_texture) {
    if (texture < on_gpu->model->texture_count) {
        on_gpu->textures[texture] = gl_texture;
    }
}
