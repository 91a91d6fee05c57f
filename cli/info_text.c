/* `info` for a reader: a line a thing, the columns of a list aligned. */
#include "info.h"
#include "text.h"

#include "sinew/palette.h"

#include <string.h>

#define LISTED 30    /* lines of a list; clips are all listed */
#define NAME_MOST 42 /* a longer name pushes its line to the right */

/* ---- lines ---- */

static void print_label(FILE *out, const char *label) {
    fprintf(out, "  %-11s ", label);
}

/* Grows a column so that a quoted name fits. */
static void fit(size_t *column, const char *name) {
    size_t width = text_width(name) + 2;
    if (width > *column && width <= NAME_MOST) {
        *column = width;
    }
}

/* A thing without a name is a dash. */
static void print_entry(FILE *out, uint32_t index, const char *name, size_t column) {
    fprintf(out, "    %4u  ", (unsigned)index);
    if (name[0]) {
        text_quoted(out, name, column);
    } else {
        fprintf(out, "%-*s", (int)column, "-");
    }
}

static void print_count_line(FILE *out, const char *label, uint32_t count) {
    print_label(out, label);
    if (count == 0) {
        fputs("none\n", out);
    } else {
        fprintf(out, "%u\n", (unsigned)count);
    }
}

static uint32_t listed(uint32_t count) {
    return count < LISTED ? count : LISTED;
}

static void print_more(FILE *out, uint32_t count) {
    if (count > LISTED) {
        fprintf(out, "          ... and %u more; --json lists them all\n",
                (unsigned)(count - LISTED));
    }
}

/* ", 3 joints" */
static void print_part(FILE *out, uint64_t count, const char *singular) {
    char text[64];
    fprintf(out, ", %s", text_count(count, singular, text));
}

/* The digits of the largest count of a column. */
static int digits_of(uint64_t count) {
    int digits = 1;
    for (; count >= 10; count /= 10) {
        digits++;
    }
    return digits;
}

/* A count in a column, its digits to the right: "  12 joints". */
static void print_count(FILE *out, uint64_t count, const char *singular, int digits) {
    char text[64];
    fprintf(out, "  %*s%s", digits - digits_of(count), "", text_count(count, singular, text));
}

/* The same when another column follows: as wide with one as with many. */
static void print_cell(FILE *out, uint64_t count, const char *singular, int digits) {
    char one[64], many[64];
    print_count(out, count, singular, digits);
    if (count == 1) {
        size_t wider = strlen(text_count(2, singular, many)) - strlen(text_count(1, singular, one));
        fprintf(out, "%*s", (int)wider, "");
    }
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* ---- the lists ---- */

static void print_skins(const sinew_model *model, FILE *out) {
    size_t column = 1;
    uint64_t most = 0;
    print_count_line(out, "skins", model->skin_count);
    for (uint32_t i = 0; i < listed(model->skin_count); i++) {
        fit(&column, model->skins[i].name);
        most = larger(most, model->skins[i].joint_count);
    }
    for (uint32_t i = 0; i < listed(model->skin_count); i++) {
        const sinew_skin *skin = &model->skins[i];
        size_t palette = sizeof(float) * sinew_palette_floats(SINEW_PALETTE_4X3);
        char bytes[32];
        print_entry(out, i, skin->name, column);
        print_cell(out, skin->joint_count, "joint", digits_of(most));
        fprintf(out, "  palette %s\n", text_bytes(palette * skin->joint_count, bytes));
    }
    print_more(out, model->skin_count);
}

static void print_meshes(const info *of, FILE *out) {
    const sinew_model *model = of->model;
    size_t column = 1;
    mesh_summary most = {0};
    print_count_line(out, "meshes", model->mesh_count);
    for (uint32_t i = 0; i < listed(model->mesh_count); i++) {
        fit(&column, model->meshes[i].name);
        most.vertices = larger(most.vertices, of->meshes[i].vertices);
        most.triangles = larger(most.triangles, of->meshes[i].triangles);
    }
    for (uint32_t i = 0; i < listed(model->mesh_count); i++) {
        const sinew_mesh *mesh = &model->meshes[i];
        const mesh_summary *sum = &of->meshes[i];
        print_entry(out, i, mesh->name, column);
        print_cell(out, sum->vertices, "vertex", digits_of(most.vertices));
        print_cell(out, sum->triangles, "triangle", digits_of(most.triangles));
        print_count(out, mesh->primitive_count, "primitive", 1);
        if (sum->influences) {
            print_part(out, sum->influences, "influence");
        }
        if (mesh->target_count) {
            print_part(out, mesh->target_count, "morph target");
        }
        fputc('\n', out);
    }
    print_more(out, model->mesh_count);
}

static void print_clips(const sinew_model *model, FILE *out) {
    size_t column = 1;
    uint64_t most = 0;
    print_count_line(out, "clips", model->clip_count);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        fit(&column, model->clips[i].name);
        most = larger(most, model->clips[i].channel_count);
    }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        print_entry(out, i, model->clips[i].name, column);
        fprintf(out, "  %7.3f s", model->clips[i].duration);
        print_count(out, model->clips[i].channel_count, "channel", digits_of(most));
        fputc('\n', out);
    }
}

static void print_materials(const sinew_model *model, FILE *out) {
    static const char *const alphas[] = {"opaque", "mask  ", "blend "};
    size_t column = 1;
    print_count_line(out, "materials", model->material_count);
    for (uint32_t i = 0; i < listed(model->material_count); i++) {
        fit(&column, model->materials[i].name);
    }
    for (uint32_t i = 0; i < listed(model->material_count); i++) {
        const sinew_material *material = &model->materials[i];
        print_entry(out, i, material->name, column);
        fprintf(out, "  %s%s%s%s%s\n", alphas[material->alpha_mode],
                material->base_color_texture.texture == SINEW_NONE ? "" : "  textured",
                material->normal_texture.texture == SINEW_NONE ? "" : "  normal map",
                material->double_sided ? "  double-sided" : "", material->unlit ? "  unlit" : "");
    }
    print_more(out, model->material_count);
}

static void print_images(const sinew_model *model, FILE *out) {
    if (model->image_count == 0) {
        return;
    }
    size_t column = 1;
    print_count_line(out, "images", model->image_count);
    for (uint32_t i = 0; i < listed(model->image_count); i++) {
        const sinew_image *image = &model->images[i];
        fit(&column, image->uri[0] ? image->uri : image->name);
    }
    for (uint32_t i = 0; i < listed(model->image_count); i++) {
        const sinew_image *image = &model->images[i];
        char bytes[32];
        print_entry(out, i, image->uri[0] ? image->uri : image->name, column);
        fputs("  ", out);
        text_print(out, image->mime_type);
        fprintf(out, "%s%s\n", image->mime_type[0] ? "  " : "",
                image->data ? text_bytes(image->size, bytes) : "not read");
    }
    print_more(out, model->image_count);
}

/* ---- the head ---- */

static bool is_required(const sinew_model *model, const char *extension) {
    for (uint32_t i = 0; i < model->extensions_required_count; i++) {
        if (strcmp(model->extensions_required[i], extension) == 0) {
            return true;
        }
    }
    return false;
}

static void print_extensions(const sinew_model *model, FILE *out) {
    for (uint32_t i = 0; i < listed(model->extensions_used_count); i++) {
        print_label(out, i ? "" : "extensions");
        text_print(out, model->extensions_used[i]);
        fputs(is_required(model, model->extensions_used[i]) ? " (required)\n" : "\n", out);
    }
    print_more(out, model->extensions_used_count);
}

/* A corner of the box; what is nothing beside its size is 0, not -2.7e-08. */
static void print_corner(FILE *out, const float corner[3], const double size[3]) {
    double most = size[0] > size[1] ? size[0] : size[1];
    most = most > size[2] ? most : size[2];
    for (int axis = 0; axis < 3; axis++) {
        double value = (double)corner[axis];
        bool nothing = value < 1e-5 * most && value > -1e-5 * most;
        fprintf(out, "%s%.4g", axis ? ", " : "(", nothing ? 0 : value);
    }
    fputc(')', out);
}

static void print_extent(const info *of, FILE *out) {
    print_label(out, "at rest");
    if (!of->has_box) {
        fputs(of->too_large ? "not measured: too many vertices\n" : "nothing to see\n", out);
        return;
    }
    double size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)of->box.maximum[axis] - (double)of->box.minimum[axis];
    }
    fprintf(out, "%.4g x %.4g x %.4g m, from ", size[0], size[1], size[2]);
    print_corner(out, of->box.minimum, size);
    fputs(" to ", out);
    print_corner(out, of->box.maximum, size);
    fputc('\n', out);
}

static void print_scenes(const sinew_model *model, FILE *out) {
    print_count_line(out, "scenes", model->scene_count);
    for (uint32_t i = 0; i < listed(model->scene_count); i++) {
        print_entry(out, i, model->scenes[i].name, 2);
        print_cell(out, model->scenes[i].root_count, "root", 4);
        fputs(i == model->default_scene ? "  the default\n" : "\n", out);
    }
    print_more(out, model->scene_count);
}

static void print_head(const info *of, FILE *out) {
    const sinew_model *model = of->model;
    char bytes[32];
    text_print(out, strcmp(of->file, "-") == 0 ? "stdin" : of->file);
    fputc('\n', out);
    if (model->generator[0]) {
        print_label(out, "made by");
        text_print(out, model->generator);
        fputc('\n', out);
    }
    print_label(out, "size");
    if (of->has_file_size) {
        fprintf(out, "%s on disk, ", text_bytes(of->file_size, bytes));
    }
    fprintf(out, "%s in memory\n", text_bytes(model->byte_size, bytes));
    print_extent(of, out);
    print_label(out, "nodes");
    fprintf(out, "%u", (unsigned)model->node_count);
    print_part(out, of->joint_nodes, "joint");
    fprintf(out, ", %u with a mesh\n", (unsigned)of->mesh_nodes);
}

void info_print_text(const info *of, FILE *out) {
    const sinew_model *model = of->model;
    print_head(of, out);
    if (model->scene_count != 1) {
        print_scenes(model, out);
    }
    print_extensions(model, out);
    print_skins(model, out);
    print_meshes(of, out);
    print_clips(model, out);
    print_materials(model, out);
    print_images(model, out);
}
