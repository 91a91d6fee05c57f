/* Images, textures and materials (glTF 3.8, 3.9). No fault here refuses a file (but for
 * memory): the picture lacks a texture then, the shape is right. */
#include "gltf/reader.h"

#include <float.h>
#include <string.h>

/* ---- images ---- */

static void note_view(sinewi_reader *r, uint32_t token, const char *what) {
    sinewi_note(r, SINEW_FINDING_IMAGE, token, "bufferView", "%s", what);
}

static void read_embedded_image(sinewi_reader *r, uint32_t token, sinew_image *image) {
    uint64_t index = UINT64_MAX;
    sinewi_get_whole(r, token, "bufferView", &index);
    if (index >= r->view_count) {
        note_view(r, token, "the image is in a buffer view that does not exist");
        return;
    }
    const sinewi_view *view = &r->views[index];
    if (!view->data) {
        return; /* its fault has been said */
    }
    image->size = (size_t)view->size;
    image->data = view->data;
    if (!view->stays) {
        uint8_t *copy = sinewi_keep(r, image->size, 1);
        if (copy) {
            memcpy(copy, view->data, image->size);
        }
        image->data = copy;
    }
}

static bool is_data_uri(const sinewi_reader *r, uint32_t token) {
    size_t length;
    const char *raw = sinewi_json_raw(&r->json, token, &length);
    return length >= 5 && memcmp(raw, "data:", 5) == 0;
}

static void read_image(sinewi_reader *r, uint32_t token, sinew_image *image) {
    image->name = sinewi_get_text(r, token, "name");
    image->mime_type = sinewi_get_text(r, token, "mimeType");
    image->uri = "";
    uint32_t uri = sinewi_member(r, token, "uri");
    if (sinewi_member(r, token, "bufferView") != SINEWI_JSON_NONE) {
        read_embedded_image(r, token, image);
    } else if (sinewi_json_kind_of(&r->json, uri) == SINEWI_JSON_STRING) {
        if (!is_data_uri(r, uri)) {
            image->uri = sinewi_get_text(r, token, "uri");
        }
        uint64_t size = 0;
        if (r->options->load_images && sinewi_read_uri(r, uri, &image->data, &size)) {
            image->size = (size_t)size;
        }
    } else {
        sinewi_note(r, SINEW_FINDING_IMAGE, token, NULL,
                    "the image has neither a uri nor a buffer view");
    }
}

static bool read_images(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, r->root, "images", &array, &r->model->image_count)) {
        return false;
    }
    sinew_image *images = sinewi_keep(r, r->model->image_count, sizeof *images);
    r->model->images = images;
    SINEWI_EACH(r, array, token) {
        if (images) {
            read_image(r, token, &images[i++]);
        }
    }
    return images != NULL;
}

/* ---- textures ---- */

static uint32_t extension(const sinewi_reader *r, uint32_t token, const char *name) {
    return sinewi_member(r, sinewi_member(r, token, "extensions"), name);
}

/* An index whose fault is mended by doing without. */
static uint32_t index_or_none(sinewi_reader *r, uint32_t object, const char *key, uint32_t count) {
    uint32_t token = sinewi_member(r, object, key);
    uint64_t value;
    bool huge;
    if (token == SINEWI_JSON_NONE) {
        return SINEW_NONE;
    }
    if (!sinewi_json_whole(&r->json, token, &value, &huge) || value >= count) {
        sinewi_note(r, SINEW_FINDING_REFERENCE, token, NULL, "%s does not exist", key);
        return SINEW_NONE;
    }
    return (uint32_t)value;
}

static sinew_wrap wrap_of(sinewi_reader *r, uint32_t sampler, const char *key) {
    enum {
        CLAMP_TO_EDGE = 33071,
        MIRRORED_REPEAT = 33648
    };
    uint64_t value = 0;
    sinewi_get_whole(r, sampler, key, &value);
    return value == CLAMP_TO_EDGE     ? SINEW_CLAMP_TO_EDGE
           : value == MIRRORED_REPEAT ? SINEW_MIRRORED_REPEAT
                                      : SINEW_REPEAT;
}

static void read_texture(sinewi_reader *r, uint32_t token, const uint32_t *samplers,
                         uint32_t sampler_count, sinew_texture *texture) {
    enum {
        NEAREST = 9728
    };
    texture->name = sinewi_get_text(r, token, "name");
    texture->image = index_or_none(r, token, "source", r->model->image_count);
    if (texture->image == SINEW_NONE) {
        texture->image = index_or_none(r, extension(r, token, "EXT_texture_webp"), "source",
                                       r->model->image_count);
    }
    uint32_t sampler = index_or_none(r, token, "sampler", sampler_count);
    if (sampler != SINEW_NONE) {
        uint64_t filter = 0;
        texture->wrap_s = wrap_of(r, samplers[sampler], "wrapS");
        texture->wrap_t = wrap_of(r, samplers[sampler], "wrapT");
        sinewi_get_whole(r, samplers[sampler], "magFilter", &filter);
        texture->nearest = filter == NEAREST;
    }
}

static bool read_textures(sinewi_reader *r) {
    uint32_t array, samplers, sampler_count, i = 0;
    if (!sinewi_list(r, r->root, "samplers", &samplers, &sampler_count) ||
        !sinewi_list(r, r->root, "textures", &array, &r->model->texture_count)) {
        return false;
    }
    uint32_t *sampler_tokens = sinewi_scratch(r, sampler_count, sizeof *sampler_tokens);
    sinew_texture *textures = sinewi_keep(r, r->model->texture_count, sizeof *textures);
    if (!sampler_tokens || !textures) {
        return false;
    }
    r->model->textures = textures;
    SINEWI_EACH(r, samplers, token) {
        sampler_tokens[i++] = token;
    }
    i = 0;
    SINEWI_EACH(r, array, token) {
        read_texture(r, token, sampler_tokens, sampler_count, &textures[i++]);
    }
    return true;
}

/* ---- materials ---- */

static bool read_use(sinewi_reader *r, uint32_t object, const char *key, const char *scale,
                     sinew_texture_use *use) {
    uint32_t token = sinewi_member(r, object, key);
    uint64_t texcoord = 0;
    bool there;
    use->texture = index_or_none(r, token, "index", r->model->texture_count);
    if (!sinewi_get_whole(r, token, "texCoord", &texcoord) ||
        (scale && !sinewi_get_float(r, token, scale, &use->scale))) {
        return false;
    }
    uint32_t transform = extension(r, token, "KHR_texture_transform");
    if (!sinewi_get_floats(r, transform, "offset", 2, use->offset, &there) ||
        !sinewi_get_floats(r, transform, "scale", 2, use->tiling, &there) ||
        !sinewi_get_float(r, transform, "rotation", &use->rotation) ||
        !sinewi_get_whole(r, transform, "texCoord", &texcoord)) {
        return false;
    }
    use->texcoord = texcoord > UINT32_MAX ? UINT32_MAX : (uint32_t)texcoord;
    return true;
}

static const sinew_texture_use no_texture = {
    .texture = SINEW_NONE, .scale = 1.0f, .tiling = {1.0f, 1.0f}};

static void set_defaults(sinew_material *m) {
    m->name = "";
    for (int i = 0; i < 4; i++) {
        m->base_color[i] = 1.0f;
    }
    m->metallic = m->roughness = 1.0f;
    m->alpha_cutoff = 0.5f;
    m->base_color_texture = m->metallic_roughness_texture = no_texture;
    m->normal_texture = m->occlusion_texture = m->emissive_texture = no_texture;
}

static void read_alpha_mode(sinewi_reader *r, uint32_t token, sinew_material *m) {
    uint32_t mode = sinewi_member(r, token, "alphaMode");
    if (mode == SINEWI_JSON_NONE) {
        return;
    }
    if (sinewi_json_equals(&r->json, mode, "MASK")) {
        m->alpha_mode = SINEW_MASK;
    } else if (sinewi_json_equals(&r->json, mode, "BLEND")) {
        m->alpha_mode = SINEW_BLEND;
    } else if (!sinewi_json_equals(&r->json, mode, "OPAQUE")) {
        sinewi_note(r, SINEW_FINDING_SCHEMA, mode, NULL,
                    "alphaMode is none of OPAQUE, MASK, BLEND");
    }
}

static bool is_there(const sinewi_reader *r, uint32_t token, const char *key) {
    return sinewi_member(r, token, key) != SINEWI_JSON_NONE;
}

/* KHR_materials_pbrSpecularGlossiness, where the material has no base colour of the core:
 * the diffuse colour, on something that is no metal. */
static bool read_glossiness(sinewi_reader *r, uint32_t token, uint32_t pbr, sinew_material *m) {
    uint32_t glossy = extension(r, token, "KHR_materials_pbrSpecularGlossiness");
    if (glossy == SINEWI_JSON_NONE || is_there(r, pbr, "baseColorFactor") ||
        is_there(r, pbr, "baseColorTexture")) {
        return true;
    }
    bool there;
    float glossiness = 1.0f;
    m->metallic = 0.0f;
    if (!sinewi_get_floats(r, glossy, "diffuseFactor", 4, m->base_color, &there) ||
        !sinewi_get_float(r, glossy, "glossinessFactor", &glossiness)) {
        return false;
    }
    /* A texture of glossiness is not shown; matt is nearer to most of them than a mirror. */
    if (!is_there(r, glossy, "specularGlossinessTexture") && glossiness >= 0.0f) {
        m->roughness = glossiness < 1.0f ? 1.0f - glossiness : 0.0f;
    }
    return read_use(r, glossy, "diffuseTexture", NULL, &m->base_color_texture);
}

static void read_material(sinewi_reader *r, uint32_t token, sinew_material *m) {
    bool there;
    float strength = 1.0f;
    set_defaults(m);
    m->name = sinewi_get_text(r, token, "name");
    read_alpha_mode(r, token, m);
    m->double_sided = sinewi_get_bool(r, token, "doubleSided");
    m->unlit = extension(r, token, "KHR_materials_unlit") != SINEWI_JSON_NONE;
    uint32_t pbr = sinewi_member(r, token, "pbrMetallicRoughness");
    uint32_t emission = extension(r, token, "KHR_materials_emissive_strength");
    /* The first fault ends the chain: what comes after it keeps its default. */
    (void)(sinewi_get_float(r, token, "alphaCutoff", &m->alpha_cutoff) &&
           sinewi_get_floats(r, token, "emissiveFactor", 3, m->emissive, &there) &&
           sinewi_get_float(r, emission, "emissiveStrength", &strength) &&
           sinewi_get_floats(r, pbr, "baseColorFactor", 4, m->base_color, &there) &&
           sinewi_get_float(r, pbr, "metallicFactor", &m->metallic) &&
           sinewi_get_float(r, pbr, "roughnessFactor", &m->roughness) &&
           read_use(r, pbr, "baseColorTexture", NULL, &m->base_color_texture) &&
           read_use(r, pbr, "metallicRoughnessTexture", NULL, &m->metallic_roughness_texture) &&
           read_glossiness(r, token, pbr, m) &&
           read_use(r, token, "normalTexture", "scale", &m->normal_texture) &&
           read_use(r, token, "occlusionTexture", "strength", &m->occlusion_texture) &&
           read_use(r, token, "emissiveTexture", NULL, &m->emissive_texture));
    for (int i = 0; i < 3; i++) {
        float product = m->emissive[i] * strength;
        m->emissive[i] = product <= FLT_MAX ? product : FLT_MAX;
        m->emissive[i] = m->emissive[i] > 0.0f ? m->emissive[i] : 0.0f;
    }
}

static bool read_all(sinewi_reader *r) {
    uint32_t array, i = 0;
    if (!read_images(r) || !read_textures(r) ||
        !sinewi_list(r, r->root, "materials", &array, &r->model->material_count)) {
        return false;
    }
    sinew_material *materials = sinewi_keep(r, r->model->material_count, sizeof *materials);
    r->model->materials = materials;
    SINEWI_EACH(r, array, token) {
        if (materials) {
            read_material(r, token, &materials[i++]);
        }
    }
    return materials != NULL;
}

bool sinewi_read_materials(sinewi_reader *r) {
    r->mending = true;
    bool sound = read_all(r);
    r->mending = false;
    return sound || !r->broken; /* lists that are none were noted and are empty */
}
