/* `pose --verify`: the vertices of every storage that the context has, beside those of the
 * scalar path. */
#include "cmd_pose.h"
#include "json.h"
#include "posed.h"
#include "text.h"

#include <math.h>

/* Of the larger of a coordinate and the extent; float rounding stays a hundred times below. */
#define VERIFY_LIMIT 2e-5

typedef struct differences {
    double positions; /* metres */
    double relative;  /* of the larger of the extent and the coordinate */
    double normals, tangents;
    uint64_t vertices;
} differences;

static double largest(const float *a, const float *b, size_t count, double so_far) {
    for (size_t i = 0; a && b && i < count; i++) {
        so_far = fmax(so_far, fabs((double)a[i] - (double)b[i]));
    }
    return so_far;
}

static double extent_of(const posed *mesh) {
    double extent = 0.0;
    for (int i = 0; mesh->has_vertices && i < 3; i++) {
        extent = fmax(extent, (double)mesh->box.maximum[i] - (double)mesh->box.minimum[i]);
    }
    return extent;
}

static void compare_primitive(const posed_primitive *want, const posed_primitive *have,
                              double extent, differences *all) {
    size_t count = want->primitive->vertex_count;
    for (size_t i = 0; i < 3 * count; i++) {
        double gap = fabs((double)want->positions[i] - (double)have->positions[i]);
        double size = fmax(extent, fabs((double)want->positions[i]));
        all->positions = fmax(all->positions, gap);
        all->relative = fmax(all->relative, size > 0.0 ? gap / size : gap);
    }
    all->normals = largest(want->normals, have->normals, 3 * count, all->normals);
    all->tangents = largest(want->tangents, have->tangents, 4 * count, all->tangents);
    all->vertices += count;
}

static differences compare(const posed *want, const posed *have) {
    differences all = {.vertices = 0};
    double extent = extent_of(want);
    for (uint32_t i = 0; i < want->instance_count; i++) {
        for (uint32_t k = 0; k < want->instances[i].primitive_count; k++) {
            compare_primitive(&want->instances[i].primitives[k], &have->instances[i].primitives[k],
                              extent, &all);
        }
    }
    return all;
}

static void print_head(const posed *want, const posed_gpu *gpu, const char *file, bool json,
                       FILE *out) {
    if (json) {
        fputs("{\"file\":", out);
        json_string(out, command_file_name(file));
        fputs(",\"renderer\":", out);
        json_string(out, posed_gpu_renderer(gpu));
        fputs(",\"extent\":", out);
        json_double(out, extent_of(want));
        fputs(",\"storages\":[", out);
        return;
    }
    fprintf(out, "Largest differences to the scalar path, on ");
    text_print(out, posed_gpu_renderer(gpu));
    fprintf(out, ". Extent: %.6g m.\n%-9s %12s %12s %10s %10s\n", extent_of(want), "storage",
            "positions m", "relative", "normals", "tangents");
}

static void print_row(const char *word, const differences *all, bool json, FILE *out) {
    if (!json) {
        fprintf(out, "%-9s %12.2g %12.2g %10.2g %10.2g%s\n", word, all->positions, all->relative,
                all->normals, all->tangents, all->relative > VERIFY_LIMIT ? "  DIFFERS" : "");
        return;
    }
    fprintf(out, "{\"storage\":\"%s\",\"positions\":", word);
    json_double(out, all->positions);
    fputs(",\"relative\":", out);
    json_double(out, all->relative);
    fputs(",\"normals\":", out);
    json_double(out, all->normals);
    fputs(",\"tangents\":", out);
    json_double(out, all->tangents);
    fputc('}', out);
}

static void print_lack(const char *word, const sinew_error *error, bool json, FILE *out) {
    if (json) {
        fprintf(out, "{\"storage\":\"%s\",\"lacks\":", word);
        json_string(out, error->message);
        fputc('}', out);
    } else {
        fprintf(out, "%-9s ", word);
        text_print(out, error->message);
        fputc('\n', out);
    }
}

/* Returns whether a storage that is there and holds the palettes gives other vertices. */
static bool verify_all(const posed *want, posed *have, posed_gpu *gpu, const pose_options *options,
                       FILE *out) {
    bool differs = false;
    for (int storage = 1; command_storages[storage]; storage++) {
        sinew_error error = {.result = SINEW_OK};
        if (options->json && storage > 1) {
            fputc(',', out);
        }
        if (posed_gpu_fill(gpu, have, storage, &error) == SINEW_OK) {
            posed_finish(have);
            differences all = compare(want, have);
            print_row(command_storages[storage], &all, options->json, out);
            differs = differs || all.relative > VERIFY_LIMIT;
        } else {
            print_lack(command_storages[storage], &error, options->json, out);
            differs = differs || (error.result != SINEW_ERROR_LIMIT &&
                                  error.result != SINEW_ERROR_UNSUPPORTED);
        }
    }
    fputs(options->json ? "]}\n" : "", out);
    return differs;
}

int pose_verify(const posed *want, posed *have, const sinew_pose *pose, const char *file,
                const pose_options *options, FILE *out) {
    sinew_error error = {.result = SINEW_OK};
    posed_gpu *gpu =
        posed_gpu_open(pose, options->common.scene, options->context == CONTEXT_GLES, &error);
    if (!gpu) {
        command_tell_error(NULL, &error);
        return EXIT_MACHINE;
    }
    print_head(want, gpu, file, options->json, out);
    bool differs = verify_all(want, have, gpu, options, out);
    posed_gpu_close(gpu);
    if (differs) {
        command_say("%s: a storage gives other vertices than the scalar path",
                    command_file_name(file));
        return EXIT_MACHINE;
    }
    return EXIT_DONE;
}
