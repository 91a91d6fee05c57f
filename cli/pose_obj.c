/* `pose --format obj`: a Wavefront OBJ, with an MTL and its pictures beside it. */
#include "command.h"
#include "json.h"
#include "pose_formats.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

const char *picture_ending(const sinew_image *image) {
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (image->data && image->size > sizeof png && memcmp(image->data, png, sizeof png) == 0) {
        return ".png";
    }
    if (image->data && image->size > 3 && memcmp(image->data, "\xff\xd8\xff", 3) == 0) {
        return ".jpg";
    }
    if (image->data && image->size > 12 && memcmp(image->data, "RIFF", 4) == 0 &&
        memcmp(image->data + 8, "WEBP", 4) == 0) {
        return ".webp";
    }
    return NULL;
}

/* ---- names ---- */

/* A name without what ends a word in the format; an empty one is KIND_INDEX. */
static void print_name(FILE *out, const char *name, const char *kind, uint32_t index) {
    if (!name[0]) {
        fprintf(out, "%s_%u", kind, (unsigned)index);
    }
    while (*name) {
        uint32_t character;
        size_t length = text_decode(name, &character);
        if (character <= ' ' || character == '#' || character == '\\' || character == 0x7f ||
            character == 0xfffd) {
            fputc('_', out);
        } else {
            fwrite(name, 1, length, out);
        }
        name += length;
    }
}

#define COMPARED_MATERIALS 1000 /* with all before them; later ones get their number */

static bool is_first_of_name(const sinew_model *model, uint32_t material) {
    for (uint32_t i = 0; i < material; i++) {
        if (strcmp(model->materials[i].name, model->materials[material].name) == 0) {
            return false;
        }
    }
    return true;
}

/* Programs find a material by its name alone, so a second one of a name gets its number. */
static void print_material_name(FILE *out, const sinew_model *model, uint32_t material) {
    if (material == SINEW_NONE) {
        fputs("default", out);
        return;
    }
    const char *name = model->materials[material].name;
    print_name(out, name, "material", material);
    if (name[0] && (material >= COMPARED_MATERIALS || !is_first_of_name(model, material))) {
        fprintf(out, "_%u", (unsigned)material);
    }
}

/* The output's path without its ".obj", followed by an ending; the caller frees it. */
static char *path_beside(const char *path, const char *ending) {
    size_t length = strlen(path) - (text_ends_with(path, ".obj") ? 4 : 0);
    size_t size = length + strlen(ending) + 1;
    char *beside = malloc(size);
    if (beside) {
        snprintf(beside, size, "%.*s%s", (int)length, path, ending);
    }
    return beside;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- the mesh ---- */

/* Where the numbering of the file stands: it counts from 1, over all objects. */
typedef struct counters {
    unsigned long long positions, texcoords, normals;
} counters;

static void print_rows(FILE *out, const char *keyword, const float *values, uint32_t count,
                       uint32_t width) {
    for (uint32_t v = 0; v < count; v++) {
        fputs(keyword, out);
        for (uint32_t i = 0; i < width; i++) {
            char text[JSON_FLOAT_SIZE];
            json_write_float(text, values[(size_t)v * width + i]);
            fputc(' ', out);
            fputs(text, out);
        }
        fputc('\n', out);
    }
}

/* glTF counts v from the top of a picture, OBJ from the bottom. */
static void print_texcoords(FILE *out, const float *texcoords, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        float turned[2] = {texcoords[2 * (size_t)v], 1 - texcoords[2 * (size_t)v + 1]};
        print_rows(out, "vt", turned, 1, 2);
    }
}

static void print_corner(FILE *out, const posed_primitive *from, const counters *base,
                         uint32_t vertex) {
    fprintf(out, " %llu", base->positions + vertex);
    bool texcoord = from->primitive->texcoords[0] != NULL;
    if (texcoord || from->normals) {
        fputc('/', out);
    }
    if (texcoord) {
        fprintf(out, "%llu", base->texcoords + vertex);
    }
    if (from->normals) {
        fprintf(out, "/%llu", base->normals + vertex);
    }
}

static bool print_faces(FILE *out, const posed_primitive *from, const counters *base) {
    uint32_t count;
    uint32_t *triangles = posed_triangles(from, true, &count);
    if (count && !triangles) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        fputc('f', out);
        for (uint32_t corner = 0; corner < 3; corner++) {
            print_corner(out, from, base, triangles[(size_t)3 * i + corner]);
        }
        fputc('\n', out);
    }
    free(triangles);
    return true;
}

static void print_points_and_lines(FILE *out, const posed_primitive *from, const counters *base) {
    const sinew_primitive *primitive = from->primitive;
    bool points = primitive->topology == SINEW_POINTS;
    bool pairs = primitive->topology == SINEW_LINES;
    uint32_t count = primitive->indices ? primitive->index_count : primitive->vertex_count;
    uint32_t step = points ? 1 : pairs ? 2 : count;
    if (count < (points ? 1u : 2u)) {
        return;
    }
    for (uint32_t i = 0; i + step <= count; i += step) {
        fputc(points ? 'p' : 'l', out);
        for (uint32_t k = 0; k < step; k++) {
            uint32_t at = i + k;
            fprintf(out, " %llu",
                    base->positions + (primitive->indices ? primitive->indices[at] : at));
        }
        if (primitive->topology == SINEW_LINE_LOOP) {
            fprintf(out, " %llu",
                    base->positions + (primitive->indices ? primitive->indices[0] : 0));
        }
        fputc('\n', out);
    }
}

static bool print_primitive(FILE *out, const sinew_model *model, const posed_primitive *from,
                            counters *base) {
    const sinew_primitive *primitive = from->primitive;
    uint32_t count = primitive->vertex_count;
    print_rows(out, "v", from->positions, count, 3);
    if (primitive->texcoords[0]) {
        print_texcoords(out, primitive->texcoords[0], count);
    }
    if (from->normals) {
        print_rows(out, "vn", from->normals, count, 3);
    }
    fputs("usemtl ", out);
    print_material_name(out, model, primitive->material);
    fputc('\n', out);
    bool done = true;
    if (primitive->topology >= SINEW_TRIANGLES) {
        done = print_faces(out, from, base);
    } else {
        print_points_and_lines(out, from, base);
    }
    base->positions += count;
    base->texcoords += primitive->texcoords[0] ? count : 0;
    base->normals += from->normals ? count : 0;
    return done;
}

static bool print_instance(FILE *out, const sinew_model *model, const posed_instance *instance,
                           counters *base) {
    const sinew_node *node = &model->nodes[instance->node];
    fputs("\no ", out);
    print_name(out, node->name, "node", instance->node);
    fputc('\n', out);
    for (uint32_t i = 0; i < instance->primitive_count; i++) {
        if (instance->primitive_count > 1) {
            fputs("g ", out);
            print_name(out, node->name, "node", instance->node);
            fprintf(out, "_%u\n", (unsigned)instance->primitives[i].index);
        }
        if (!print_primitive(out, model, &instance->primitives[i], base)) {
            return false;
        }
    }
    return true;
}

/* ---- the materials ---- */

/* The image of a material's base colour when it can be written; SINEW_NONE: none. */
static uint32_t base_color_image(const sinew_model *model, const sinew_material *material) {
    uint32_t texture = material->base_color_texture.texture;
    uint32_t image = texture == SINEW_NONE ? SINEW_NONE : model->textures[texture].image;
    return image != SINEW_NONE && picture_ending(&model->images[image]) ? image : SINEW_NONE;
}

/* "_image3.png" */
static void image_ending(const sinew_model *model, uint32_t image, char ending[40]) {
    snprintf(ending, 40, "_image%u%s", (unsigned)image, picture_ending(&model->images[image]));
}

static void print_material(FILE *out, const sinew_model *model, uint32_t index, const char *path) {
    const sinew_material *material = &model->materials[index];
    const float *color = material->base_color;
    fputs("\nnewmtl ", out);
    print_material_name(out, model, index);
    fprintf(out, "\nKd %g %g %g\nKe %g %g %g\nd %g\nPr %g\nPm %g\nillum 2\n", (double)color[0],
            (double)color[1], (double)color[2], (double)material->emissive[0],
            (double)material->emissive[1], (double)material->emissive[2],
            material->alpha_mode == SINEW_OPAQUE ? 1.0 : (double)color[3],
            (double)material->roughness, (double)material->metallic);
    uint32_t image = base_color_image(model, material);
    if (image != SINEW_NONE) {
        char ending[40];
        image_ending(model, image, ending);
        char *beside = path_beside(path, ending);
        fprintf(out, "map_Kd %s\n", beside ? last_part(beside) : "");
        free(beside);
    }
}

static int write_beside(const char *path, const char *ending,
                        void (*print)(FILE *out, const posed_scene *scene, uint32_t index),
                        const posed_scene *scene, uint32_t index) {
    char *beside = path_beside(path, ending);
    if (!beside) {
        return command_out_of_memory();
    }
    output out;
    int status = EXIT_FILE;
    if (output_open(&out, beside)) {
        print(out.stream, scene, index);
        status = output_close(&out);
    }
    free(beside);
    return status;
}

static void print_library(FILE *out, const posed_scene *scene, uint32_t index) {
    (void)index;
    const sinew_model *model = scene->pose->model;
    fprintf(out, "# sinew %s\n\nnewmtl default\nKd 1 1 1\n", sinew_version());
    for (uint32_t i = 0; i < model->material_count; i++) {
        print_material(out, model, i, scene->beside);
    }
}

static void print_image(FILE *out, const posed_scene *scene, uint32_t index) {
    const sinew_image *image = &scene->pose->model->images[index];
    fwrite(image->data, 1, image->size, out);
}

static int write_images(const posed_scene *scene) {
    const sinew_model *model = scene->pose->model;
    bool *wanted = calloc(model->image_count + 1u, sizeof *wanted);
    if (!wanted) {
        return command_out_of_memory();
    }
    for (uint32_t i = 0; i < model->material_count; i++) {
        uint32_t image = base_color_image(model, &model->materials[i]);
        if (image != SINEW_NONE) {
            wanted[image] = true;
        }
    }
    int status = EXIT_DONE;
    for (uint32_t i = 0; i < model->image_count && status == EXIT_DONE; i++) {
        if (wanted[i]) {
            char ending[40];
            image_ending(model, i, ending);
            status = write_beside(scene->beside, ending, print_image, scene, i);
        }
    }
    free(wanted);
    return status;
}

int pose_write_obj_materials(const posed_scene *scene) {
    int status = write_images(scene);
    return status == EXIT_DONE ? write_beside(scene->beside, ".mtl", print_library, scene, 0)
                               : status;
}

static bool print_library_name(FILE *out, const char *path) {
    char *library = path_beside(path, ".mtl");
    if (library) {
        fprintf(out, "mtllib %s\n", last_part(library));
    }
    free(library);
    return library != NULL;
}

int pose_write_obj(const posed_scene *scene, FILE *out) {
    fprintf(out, "# sinew %s\n", sinew_version());
    bool done = !scene->beside || print_library_name(out, scene->beside);
    counters base = {1, 1, 1};
    for (uint32_t i = 0; i < scene->mesh->instance_count && done; i++) {
        done = print_instance(out, scene->pose->model, &scene->mesh->instances[i], &base);
    }
    return done ? EXIT_DONE : command_out_of_memory();
}
