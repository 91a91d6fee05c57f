/* The materials, textures and pictures of a posed mesh, as glTF writes them. */
#include "glb.h"
#include "json.h"
#include "pose_formats.h"

#include <math.h>
#include <string.h>

static float unit(float value) {
    return fminf(fmaxf(value, 0), 1);
}

static void print_units(FILE *out, const char *name, const float *values, size_t count) {
    float clamped[4];
    for (size_t i = 0; i < count; i++) {
        clamped[i] = unit(values[i]);
    }
    fprintf(out, "\"%s\":", name);
    json_floats(out, clamped, count);
}

static void print_name(FILE *out, const char *name) {
    if (name[0]) {
        fputs("\"name\":", out);
        json_string(out, name);
        fputc(',', out);
    }
}

/* ---- pictures ---- */

static void add_image(glb *file, const sinew_image *image) {
    uint32_t view = glb_view(file, image->data, image->size, 0);
    glb_entry(&file->images);
    FILE *out = file->images.stream;
    fputc('{', out);
    print_name(out, image->name);
    const char *ending = picture_ending(image) + 1;
    fprintf(out, "\"mimeType\":\"image/%s\",\"bufferView\":%u}",
            strcmp(ending, "jpg") == 0 ? "jpeg" : ending, (unsigned)view);
}

static void print_source(glb *file, uint32_t image, bool webp) {
    FILE *out = file->textures.stream;
    if (webp) {
        file->uses_webp = true;
        fprintf(out, "\"extensions\":{\"EXT_texture_webp\":{\"source\":%u}}}", (unsigned)image);
    } else {
        fprintf(out, "\"source\":%u}", (unsigned)image);
    }
}

static void add_texture(glb *file, const sinew_texture *texture, uint32_t image, bool webp) {
    static const unsigned wraps[] = {10497, 33071, 33648};
    uint32_t sampler = glb_entry(&file->samplers);
    fprintf(file->samplers.stream, "{\"magFilter\":%u,\"minFilter\":%u,\"wrapS\":%u,\"wrapT\":%u}",
            texture->nearest ? 9728u : 9729u, texture->nearest ? 9984u : 9987u,
            wraps[texture->wrap_s], wraps[texture->wrap_t]);
    glb_entry(&file->textures);
    FILE *out = file->textures.stream;
    fputc('{', out);
    print_name(out, texture->name);
    fprintf(out, "\"sampler\":%u,", (unsigned)sampler);
    print_source(file, image, webp);
}

/* Pictures that glTF can hold, then the textures that show one of them. */
static void add_textures(glb *file, const sinew_model *model) {
    for (uint32_t i = 0; i < model->image_count; i++) {
        bool good = picture_ending(&model->images[i]) != NULL;
        file->image_index[i] = good ? file->images.count : SINEW_NONE;
        if (good) {
            add_image(file, &model->images[i]);
        }
    }
    for (uint32_t i = 0; i < model->texture_count; i++) {
        uint32_t image = model->textures[i].image;
        uint32_t written = image == SINEW_NONE ? SINEW_NONE : file->image_index[image];
        file->texture_index[i] = written == SINEW_NONE ? SINEW_NONE : file->textures.count;
        if (written != SINEW_NONE) {
            const char *ending = picture_ending(&model->images[image]);
            add_texture(file, &model->textures[i], written, strcmp(ending, ".webp") == 0);
        }
    }
}

/* ---- materials ---- */

/* factor: "scale" or "strength" where the kind of texture has one. */
static void print_use(glb *file, const char *name, const sinew_texture_use *use,
                      const char *factor) {
    FILE *out = file->materials.stream;
    uint32_t texture = use->texture == SINEW_NONE ? SINEW_NONE : file->texture_index[use->texture];
    if (texture == SINEW_NONE || use->texcoord >= SINEW_MAX_TEXCOORDS) {
        return;
    }
    fprintf(out, ",\"%s\":{\"index\":%u,\"texCoord\":%u", name, (unsigned)texture,
            (unsigned)use->texcoord);
    if (factor && use->scale != 1) {
        fprintf(out, ",\"%s\":%.9g", factor, (double)use->scale);
    }
    bool moved = use->offset[0] != 0 || use->offset[1] != 0 || use->rotation != 0 ||
                 use->tiling[0] != 1 || use->tiling[1] != 1;
    if (moved) {
        file->uses_transform = true;
        fputs(",\"extensions\":{\"KHR_texture_transform\":{\"offset\":", out);
        json_floats(out, use->offset, 2);
        fprintf(out, ",\"rotation\":%.9g,\"scale\":", (double)use->rotation);
        json_floats(out, use->tiling, 2);
        fputs("}}", out);
    }
    fputc('}', out);
}

static void print_alpha(FILE *out, const sinew_material *material) {
    if (material->alpha_mode == SINEW_MASK) {
        fprintf(out, ",\"alphaMode\":\"MASK\",\"alphaCutoff\":%.9g",
                (double)fmaxf(material->alpha_cutoff, 0));
    } else if (material->alpha_mode == SINEW_BLEND) {
        fputs(",\"alphaMode\":\"BLEND\"", out);
    }
}

static void add_material(glb *file, const sinew_material *material) {
    glb_entry(&file->materials);
    FILE *out = file->materials.stream;
    fputc('{', out);
    print_name(out, material->name);
    fputs("\"pbrMetallicRoughness\":{", out);
    print_units(out, "baseColorFactor", material->base_color, 4);
    fprintf(out, ",\"metallicFactor\":%.9g,\"roughnessFactor\":%.9g",
            (double)unit(material->metallic), (double)unit(material->roughness));
    print_use(file, "baseColorTexture", &material->base_color_texture, NULL);
    print_use(file, "metallicRoughnessTexture", &material->metallic_roughness_texture, NULL);
    fputs("},", out);
    print_units(out, "emissiveFactor", material->emissive, 3);
    print_use(file, "emissiveTexture", &material->emissive_texture, NULL);
    print_use(file, "normalTexture", &material->normal_texture, "scale");
    print_use(file, "occlusionTexture", &material->occlusion_texture, "strength");
    print_alpha(out, material);
    if (material->double_sided) {
        fputs(",\"doubleSided\":true", out);
    }
    if (material->unlit) {
        file->uses_unlit = true;
        fputs(",\"extensions\":{\"KHR_materials_unlit\":{}}", out);
    }
    fputc('}', out);
}

void glb_add_materials(glb *file, const sinew_model *model) {
    add_textures(file, model);
    for (uint32_t i = 0; i < model->material_count; i++) {
        add_material(file, &model->materials[i]);
    }
}
