/* The pictures of a model as textures: only those that something in the scene uses, each
 * decoded once, as sRGB where they are colours and as they are where they are numbers. */
#include "render_private.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- complaints ---- */

void sinewi_complain(sinewi_complaints *complaints, const char *format, ...) {
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    char **texts =
        copy ? realloc(complaints->texts, (complaints->count + 1) * sizeof *texts) : NULL;
    if (!texts) {
        free(copy);
        return;
    }
    memcpy(copy, text, size);
    complaints->texts = texts;
    texts[complaints->count++] = copy;
}

void sinewi_complaints_free(sinewi_complaints *complaints) {
    for (size_t k = 0; k < complaints->count; k++) {
        free(complaints->texts[k]);
    }
    free(complaints->texts);
    memset(complaints, 0, sizeof *complaints);
}

/* ---- which textures are used, and how ---- */

enum {
    AS_NUMBERS = 1,
    AS_COLORS = 2
};

static void mark(const sinewi_textures *textures, const sinew_texture_use *use, uint8_t how,
                 uint8_t *uses) {
    if (use->texture < textures->count) {
        uses[use->texture] |= how;
    }
}

static void mark_uses(const sinew_model *model, const sinew_gl_item *items, uint32_t item_count,
                      const sinewi_textures *textures, uint8_t *uses) {
    for (uint32_t k = 0; k < item_count; k++) {
        if (items[k].material == SINEW_NONE) {
            continue;
        }
        const sinew_material *material = &model->materials[items[k].material];
        mark(textures, &material->base_color_texture, AS_COLORS, uses);
        if (!material->unlit) {
            mark(textures, &material->emissive_texture, AS_COLORS, uses);
            mark(textures, &material->metallic_roughness_texture, AS_NUMBERS, uses);
            mark(textures, &material->normal_texture, AS_NUMBERS, uses);
            mark(textures, &material->occlusion_texture, AS_NUMBERS, uses);
        }
    }
}

/* ---- upload ---- */

static GLint wrap(sinew_wrap how) {
    return how == SINEW_REPEAT
               ? GL_REPEAT
               : (how == SINEW_CLAMP_TO_EDGE ? GL_CLAMP_TO_EDGE : GL_MIRRORED_REPEAT);
}

static GLuint upload(const GladGLContext *gl, const sinew_picture *picture,
                     const sinew_texture *texture, bool colors) {
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    if (!sinewi_upload_levels(gl, picture, colors)) {
        gl->DeleteTextures(1, &name);
        return 0;
    }
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap(texture->wrap_s));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap(texture->wrap_t));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                      texture->nearest ? GL_NEAREST : GL_LINEAR);
    return name;
}

/* How an image is called in a complaint: its number, and what the file calls it. */
static void image_words(const sinew_model *model, uint32_t image, char *words, size_t size) {
    const sinew_image *at = &model->images[image];
    const char *called = at->uri[0] ? at->uri : (at->name[0] ? at->name : at->mime_type);
    snprintf(words, size, "/images/%u (%.200s)", image, called[0] ? called : "without a name");
}

static bool image_is_used(const sinew_model *model, uint32_t image, const uint8_t *uses) {
    for (uint32_t k = 0; k < model->texture_count; k++) {
        if (uses[k] && model->textures[k].image == image) {
            return true;
        }
    }
    return false;
}

static void upload_image(const GladGLContext *gl, const sinew_model *model, uint32_t image,
                         const uint8_t *uses, uint32_t max_size, sinewi_textures *textures,
                         sinewi_complaints *complaints) {
    char words[300];
    sinew_error why = {.message = ""};
    sinew_picture picture = {0};
    const sinew_image *source = &model->images[image];
    image_words(model, image, words, sizeof words);
    if (!source->data) {
        sinewi_complain(complaints, "%s is not there, drawn without it", words);
        return;
    }
    if (sinew_picture_decode(source->data, source->size, &picture, &why) != SINEW_OK) {
        sinewi_complain(complaints, "%s is left out: %s", words, why.message);
        return;
    }
    if (picture.width > max_size || picture.height > max_size) {
        sinewi_complain(complaints, "%s is left out: %u x %u is beyond GL_MAX_TEXTURE_SIZE, %u",
                        words, picture.width, picture.height, max_size);
    } else {
        for (uint32_t k = 0; k < model->texture_count; k++) {
            if (model->textures[k].image != image) {
                continue;
            }
            for (uint32_t colors = 0; colors < 2; colors++) {
                if (uses[k] & (colors ? AS_COLORS : AS_NUMBERS)) {
                    textures->names[2 * k + colors] =
                        upload(gl, &picture, &model->textures[k], colors);
                }
            }
        }
    }
    sinew_picture_free(&picture);
}

sinew_result sinewi_textures_create(const GladGLContext *gl, const sinew_model *model,
                                    const sinew_gl_item *items, uint32_t item_count,
                                    uint32_t max_size, sinewi_textures *textures,
                                    sinewi_complaints *complaints, sinew_error *error) {
    size_t count = model->texture_count ? model->texture_count : 1;
    uint8_t *uses = calloc(count, 1);
    textures->count = model->texture_count;
    textures->names = calloc(2 * count, sizeof *textures->names);
    if (!uses || !textures->names) {
        free(uses);
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for textures");
    }
    mark_uses(model, items, item_count, textures, uses);
    for (uint32_t k = 0; k < model->texture_count; k++) {
        if (uses[k] && model->textures[k].image == SINEW_NONE) {
            sinewi_complain(complaints, "/textures/%u has no picture of a kind that can be shown",
                            k);
        }
    }
    for (uint32_t k = 0; k < model->image_count; k++) {
        if (image_is_used(model, k, uses)) {
            upload_image(gl, model, k, uses, max_size, textures, complaints);
        }
    }
    free(uses);
    return SINEW_OK;
}

void sinewi_textures_free(const GladGLContext *gl, sinewi_textures *textures) {
    if (textures->names) {
        gl->DeleteTextures((GLsizei)(2 * textures->count), textures->names);
    }
    free(textures->names);
    memset(textures, 0, sizeof *textures);
}
