/* `info --json`: one object a file, on one line. */
#include "info.h"
#include "json.h"

static void print_name(FILE *out, uint32_t index, const char *name) {
    fputs(index ? ", {\"name\": " : "{\"name\": ", out);
    json_string(out, name);
}

static void print_strings(FILE *out, const char *name, const char *const *strings, uint32_t count) {
    fprintf(out, ", \"%s\": [", name);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        json_string(out, strings[i]);
    }
    fputc(']', out);
}

static void print_scenes(const sinew_model *model, FILE *out) {
    fputs(", \"scenes\": [", out);
    for (uint32_t i = 0; i < model->scene_count; i++) {
        print_name(out, i, model->scenes[i].name);
        fprintf(out, ", \"roots\": %u}", (unsigned)model->scenes[i].root_count);
    }
    if (model->scene_count) {
        fprintf(out, "], \"default_scene\": %u", (unsigned)model->default_scene);
    } else {
        fputs("], \"default_scene\": null", out);
    }
}

static void print_skins(const sinew_model *model, FILE *out) {
    fputs(", \"skins\": [", out);
    for (uint32_t i = 0; i < model->skin_count; i++) {
        const sinew_skin *skin = &model->skins[i];
        print_name(out, i, skin->name);
        fprintf(out, ", \"joints\": %u, \"joint_names\": [", (unsigned)skin->joint_count);
        for (uint32_t j = 0; j < skin->joint_count; j++) {
            fputs(j ? ", " : "", out);
            json_string(out, model->nodes[skin->joints[j]].name);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}

static void print_meshes(const info *of, FILE *out) {
    fputs(", \"meshes\": [", out);
    for (uint32_t i = 0; i < of->model->mesh_count; i++) {
        const sinew_mesh *mesh = &of->model->meshes[i];
        const mesh_summary *sum = &of->meshes[i];
        print_name(out, i, mesh->name);
        fprintf(out,
                ", \"primitives\": %u, \"vertices\": %llu, \"triangles\": %llu, "
                "\"influences\": %u, \"targets\": %u}",
                (unsigned)mesh->primitive_count, (unsigned long long)sum->vertices,
                (unsigned long long)sum->triangles, (unsigned)sum->influences,
                (unsigned)mesh->target_count);
    }
    fputc(']', out);
}

static void print_clips(const sinew_model *model, FILE *out) {
    fputs(", \"clips\": [", out);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        print_name(out, i, model->clips[i].name);
        fputs(", \"duration\": ", out);
        json_double(out, model->clips[i].duration);
        fprintf(out, ", \"channels\": %u}", (unsigned)model->clips[i].channel_count);
    }
    fputc(']', out);
}

static void print_materials(const sinew_model *model, FILE *out) {
    static const char *const alphas[] = {"OPAQUE", "MASK", "BLEND"};
    fputs(", \"materials\": [", out);
    for (uint32_t i = 0; i < model->material_count; i++) {
        const sinew_material *material = &model->materials[i];
        print_name(out, i, material->name);
        fprintf(out, ", \"alpha\": \"%s\", \"double_sided\": %s, \"unlit\": %s}",
                alphas[material->alpha_mode], material->double_sided ? "true" : "false",
                material->unlit ? "true" : "false");
    }
    fprintf(out, "], \"textures\": %u", (unsigned)model->texture_count);
}

static void print_images(const sinew_model *model, FILE *out) {
    fputs(", \"images\": [", out);
    for (uint32_t i = 0; i < model->image_count; i++) {
        const sinew_image *image = &model->images[i];
        print_name(out, i, image->name);
        fputs(", \"uri\": ", out);
        json_string(out, image->uri);
        fputs(", \"type\": ", out);
        json_string(out, image->mime_type);
        fprintf(out, ", \"bytes\": %zu}", image->size);
    }
    fputc(']', out);
}

static void print_box(const info *of, FILE *out) {
    if (!of->has_box) {
        fputs(", \"bounds\": null", out);
        return;
    }
    fputs(", \"bounds\": {\"min\": ", out);
    json_floats(out, of->box.minimum, 3);
    fputs(", \"max\": ", out);
    json_floats(out, of->box.maximum, 3);
    fputc('}', out);
}

void info_print_json(const info *of, FILE *out) {
    const sinew_model *model = of->model;
    fputs("{\"file\": ", out);
    json_string(out, of->file);
    fputs(", \"generator\": ", out);
    json_string(out, model->generator);
    if (of->has_file_size) {
        fprintf(out, ", \"file_bytes\": %llu", (unsigned long long)of->file_size);
    }
    fprintf(out, ", \"memory_bytes\": %zu, \"nodes\": %u", model->byte_size,
            (unsigned)model->node_count);
    print_box(of, out);
    print_scenes(model, out);
    print_skins(model, out);
    print_meshes(of, out);
    print_clips(model, out);
    print_materials(model, out);
    print_images(model, out);
    print_strings(out, "extensions_used", model->extensions_used, model->extensions_used_count);
    print_strings(out, "extensions_required", model->extensions_required,
                  model->extensions_required_count);
    fputs("}\n", out);
}
