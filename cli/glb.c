/* The container of a binary glTF (glTF 2.0, section 4). */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "glb.h"
#include "command.h"
#include "json.h"

#include <stdlib.h>

static bool open_section(glb_section *section) {
    section->stream = open_memstream(&section->text, &section->size);
    return section->stream != NULL;
}

static void close_section(glb_section *section) {
    if (section->stream) {
        fclose(section->stream);
        section->stream = NULL;
    }
    free(section->text);
    section->text = NULL;
}

#define SECTION_COUNT 9

static void sections_of(glb *file, glb_section *sections[SECTION_COUNT]) {
    glb_section *all[SECTION_COUNT] = {&file->nodes,     &file->meshes,   &file->materials,
                                       &file->textures,  &file->samplers, &file->images,
                                       &file->accessors, &file->views,    &file->binary};
    for (int i = 0; i < SECTION_COUNT; i++) {
        sections[i] = all[i];
    }
}

bool glb_open(glb *file, const sinew_model *model) {
    *file = (glb){.texture_index = NULL};
    glb_section *sections[SECTION_COUNT];
    sections_of(file, sections);
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (!open_section(sections[i])) {
            return false;
        }
    }
    file->texture_index = calloc(model->texture_count + 1u, sizeof *file->texture_index);
    file->image_index = calloc(model->image_count + 1u, sizeof *file->image_index);
    return file->texture_index && file->image_index;
}

void glb_free(glb *file) {
    glb_section *sections[SECTION_COUNT];
    sections_of(file, sections);
    for (int i = 0; i < SECTION_COUNT; i++) {
        close_section(sections[i]);
    }
    free(file->texture_index);
    free(file->image_index);
}

uint32_t glb_entry(glb_section *list) {
    if (list->count) {
        fputs(",\n", list->stream);
    }
    return list->count++;
}

uint32_t glb_view(glb *file, const void *data, size_t size, unsigned target) {
    static const char zeros[4] = {0};
    FILE *binary = file->binary.stream;
    fflush(binary);
    size_t offset = file->binary.size;
    fwrite(data, 1, size, binary);
    fwrite(zeros, 1, (4 - size % 4) % 4, binary);
    uint32_t view = glb_entry(&file->views);
    FILE *views = file->views.stream;
    fprintf(views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", offset, size);
    if (target) {
        fprintf(views, ",\"target\":%u", target);
    }
    fputc('}', views);
    return view;
}

/* ---- the whole ---- */

static void print_list(FILE *out, const char *name, const glb_section *list) {
    if (list->count) {
        fprintf(out, ",\n\"%s\":[\n", name);
        fwrite(list->text, 1, list->size, out);
        fputc(']', out);
    }
}

static void print_extensions(const glb *file, FILE *out) {
    bool any = false;
    const struct {
        bool used;
        const char *name;
    } extensions[] = {{file->uses_unlit, "KHR_materials_unlit"},
                      {file->uses_transform, "KHR_texture_transform"},
                      {file->uses_webp, "EXT_texture_webp"}};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        if (extensions[i].used) {
            fprintf(out, "%s\"%s\"", any ? "," : ",\n\"extensionsUsed\":[", extensions[i].name);
            any = true;
        }
    }
    fputs(any ? "]" : "", out);
    if (file->uses_webp) { /* no picture in a format of the core goes with it */
        fputs(",\n\"extensionsRequired\":[\"EXT_texture_webp\"]", out);
    }
}

static void print_head(const glb *file, FILE *out) {
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew ", out);
    fprintf(out, "%s\"}", sinew_version());
    print_extensions(file, out);
    fputs(",\n\"scene\":0,\n\"scenes\":[{", out);
    for (uint32_t i = 0; i < file->nodes.count; i++) {
        fprintf(out, "%s%u", i ? "," : "\"nodes\":[", (unsigned)i);
    }
    fputs(file->nodes.count ? "]}]" : "}]", out);
}

static void print_json(glb *file, FILE *out) {
    print_head(file, out);
    print_list(out, "nodes", &file->nodes);
    print_list(out, "meshes", &file->meshes);
    print_list(out, "materials", &file->materials);
    print_list(out, "textures", &file->textures);
    print_list(out, "samplers", &file->samplers);
    print_list(out, "images", &file->images);
    print_list(out, "accessors", &file->accessors);
    print_list(out, "bufferViews", &file->views);
    if (file->binary.size) {
        fprintf(out, ",\n\"buffers\":[{\"byteLength\":%zu}]", file->binary.size);
    }
    fputc('}', out);
}

static void write_u32(FILE *out, size_t value) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    fwrite(bytes, 1, 4, out);
}

static bool write_chunks(const glb_section *json, const glb_section *binary, FILE *out) {
    size_t padding = (4 - json->size % 4) % 4;
    size_t total = 12 + 8 + json->size + padding + (binary->size ? 8 + binary->size : 0);
    if (total > UINT32_MAX) {
        command_say("the mesh does not fit into a GLB: %zu bytes, 4294967295 at most", total);
        return false;
    }
    fwrite("glTF", 1, 4, out);
    write_u32(out, 2);
    write_u32(out, total);
    write_u32(out, json->size + padding);
    fwrite("JSON", 1, 4, out);
    fwrite(json->text, 1, json->size, out);
    fwrite("   ", 1, padding, out);
    if (binary->size) {
        write_u32(out, binary->size);
        fwrite("BIN\0", 1, 4, out);
        fwrite(binary->text, 1, binary->size, out);
    }
    return true;
}

bool glb_write(glb *file, FILE *out) {
    glb_section *sections[SECTION_COUNT];
    sections_of(file, sections);
    bool done = true;
    for (int i = 0; i < SECTION_COUNT; i++) {
        done = fflush(sections[i]->stream) == 0 && !ferror(sections[i]->stream) && done;
    }
    glb_section json = {.stream = NULL};
    done = done && open_section(&json);
    if (done) {
        print_json(file, json.stream);
        done = fflush(json.stream) == 0 && !ferror(json.stream);
    }
    if (!done) {
        command_out_of_memory();
    } else {
        done = write_chunks(&json, &file->binary, out);
    }
    close_section(&json);
    return done;
}
