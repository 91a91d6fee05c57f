/* `pose --format json`. */
#include "command.h"
#include "json.h"
#include "pose_formats.h"

#include <stdlib.h>

/* Decimal digits, as %u; the triangles are half of what is printed. */
static size_t write_index(char *text, uint32_t value) {
    char reversed[12];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

static bool print_triangles(const posed_primitive *primitive, FILE *out) {
    uint32_t count;
    uint32_t *triangles = posed_triangles(primitive, false, &count);
    if (count && !triangles) {
        return false;
    }
    fputs("\"triangles\":[", out);
    for (uint32_t i = 0; i < count; i++) {
        char text[48];
        size_t used = 0;
        for (uint32_t corner = 0; corner < 3; corner++) {
            text[used++] = corner ? ',' : '[';
            used += write_index(text + used, triangles[(size_t)3 * i + corner]);
        }
        text[used++] = ']';
        text[used++] = ',';
        fwrite(text, 1, used - (i + 1 == count), out);
    }
    fputc(']', out);
    free(triangles);
    return true;
}

static bool print_primitive(const posed_primitive *primitive, FILE *out) {
    uint32_t count = primitive->primitive->vertex_count;
    fputs("{\"positions\":", out);
    json_rows(out, primitive->positions, count, 3);
    if (primitive->normals) {
        fputs(",\n\"normals\":", out);
        json_rows(out, primitive->normals, count, 3);
    }
    if (primitive->tangents) {
        fputs(",\n\"tangents\":", out);
        json_rows(out, primitive->tangents, count, 4);
    }
    fputs(",\n", out);
    bool done = print_triangles(primitive, out);
    fputc('}', out);
    return done;
}

static void print_index(const char *name, uint32_t index, FILE *out) {
    if (index == SINEW_NONE) {
        fprintf(out, "\"%s\":null", name);
    } else {
        fprintf(out, "\"%s\":%u", name, (unsigned)index);
    }
}

static void print_node(const sinew_pose *pose, uint32_t index, FILE *out) {
    const sinew_node *node = &pose->model->nodes[index];
    fprintf(out, "{\"node\":%u,", (unsigned)index);
    if (node->name[0]) {
        fputs("\"name\":", out);
        json_string(out, node->name);
        fputc(',', out);
    }
    fprintf(out, "\"mesh\":%u,", (unsigned)node->mesh);
    print_index("skin", node->skin, out);
    fputs(",\n\"world_matrix\":", out);
    json_floats(out, pose->world_matrices + (size_t)16 * index, 16);
    if (node->weight_count) {
        fputs(",\n\"morph_weights\":", out);
        json_floats(out, pose->weights + node->first_weight, node->weight_count);
    }
}

static bool print_instance(const sinew_pose *pose, const posed_instance *instance, FILE *out) {
    print_node(pose, instance->node, out);
    if (instance->palette) {
        fputs(",\n\"palette\":", out);
        json_rows(out, instance->palette, instance->joint_count, 16);
    }
    fputs(",\n\"primitives\":[", out);
    bool done = true;
    for (uint32_t i = 0; i < instance->primitive_count && done; i++) {
        fputs(i ? ",\n" : "\n", out);
        done = print_primitive(&instance->primitives[i], out);
    }
    fputs("]}", out);
    return done;
}

static void print_box(const posed *mesh, FILE *out) {
    if (!mesh->has_vertices) {
        fputs("\"aabb\":null", out);
        return;
    }
    fputs("\"aabb\":{\"min\":", out);
    json_floats(out, mesh->box.minimum, 3);
    fputs(",\"max\":", out);
    json_floats(out, mesh->box.maximum, 3);
    fputc('}', out);
}

int pose_write_json(const posed_scene *scene, FILE *out) {
    fputc('{', out);
    print_index("animation", scene->clip, out);
    fputs(scene->mesh->method == SINEW_SKIN_DQS ? ",\"method\":\"dqs\"" : "", out);
    fputs(",\"time\":", out);
    json_double(out, scene->time);
    fputc(',', out);
    print_index("scene", scene->scene, out);
    fputs(",\n", out);
    print_box(scene->mesh, out);
    fputs(",\n\"instances\":[", out);
    bool done = true;
    for (uint32_t i = 0; i < scene->mesh->instance_count && done; i++) {
        fputs(i ? ",\n" : "\n", out);
        done = print_instance(scene->pose, &scene->mesh->instances[i], out);
    }
    fputs("]}\n", out);
    return done ? EXIT_DONE : command_out_of_memory();
}
