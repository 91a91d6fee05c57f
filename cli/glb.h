/* A binary glTF in the making: the sections of its JSON, and its binary chunk. */
#ifndef SINEW_CLI_GLB_H
#define SINEW_CLI_GLB_H

#include "sinew/model.h"

#include <stdio.h>

/* A list of the JSON ("accessors", "meshes" ...) or the binary chunk, in memory. */
typedef struct glb_section {
    FILE *stream;
    char *text; /* after glb_close */
    size_t size;
    uint32_t count;
} glb_section;

typedef struct glb {
    glb_section nodes, meshes, materials, textures, samplers, images, accessors, views, binary;
    uint32_t *texture_index; /* of each texture of the model, SINEW_NONE: not written */
    uint32_t *image_index;
    bool uses_unlit, uses_transform, uses_webp;
} glb;

/* false: out of memory. glb_free either way. */
bool glb_open(glb *file, const sinew_model *model);
void glb_free(glb *file);

/* Begins the next entry of a list: a comma where one is needed. Returns its number. */
uint32_t glb_entry(glb_section *list);

/* Puts bytes into the binary chunk, aligned to 4, with a view of them. target: that of
 * glTF (34962 vertices, 34963 indices), 0 for none. Returns the view. */
uint32_t glb_view(glb *file, const void *data, size_t size, unsigned target);

/* Writes the images, textures and materials of the model (glb_material.c). */
void glb_add_materials(glb *file, const sinew_model *model);

/* Joins all into a GLB. false: out of memory, or larger than a GLB can be, told. */
bool glb_write(glb *file, FILE *out);

#endif
