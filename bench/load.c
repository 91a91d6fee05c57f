/* How long it takes to load a model, and how much memory: bench/README.md.
 *
 *     bench-load [--json] [--repeat N] FILE... */
#define _POSIX_C_SOURCE 200809L

#include "gltf/json.h"
#include "sinew/sinew.h"
#ifdef SINEW_HAVE_CODEC
#include "sinew/codec.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct figures {
    size_t file_bytes, json_bytes;
    double read_ms, mapped_ms, json_ms; /* the best of all rounds */
    size_t model_bytes;                 /* what the reader says */
    size_t held_bytes;                  /* while the model is there, its file and all */
    size_t peak_bytes;                  /* at any moment of the read */
} figures;

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- an allocator that counts ---- */

typedef struct counter {
    size_t live, peak;
} counter;

static void count(counter *c, size_t more, size_t less) {
    c->live += more - less;
    c->peak = c->live > c->peak ? c->live : c->peak;
}

static void *counted_allocate(void *user, size_t size) {
    void *block = malloc(size);
    count(user, block ? size : 0, 0);
    return block;
}

static void *counted_resize(void *user, void *block, size_t old_size, size_t new_size) {
    void *moved = realloc(block, new_size);
    count(user, moved ? new_size : 0, moved ? old_size : 0);
    return moved;
}

static void counted_release(void *user, void *block, size_t size) {
    count(user, 0, size);
    free(block);
}

/* ---- one file ---- */

/* The whole of it; NULL when it cannot be read. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
        rewind(file);
    }
    if (length > 0) {
        data = malloc((size_t)length);
        *size = data ? fread(data, 1, (size_t)length, file) : 0;
    }
    if (file) {
        fclose(file);
    }
    return data;
}

/* The JSON of a .gltf or the first chunk of a .glb. */
static const char *find_json(const char *data, size_t size, size_t *length) {
    *length = size;
    if (size < 20 || memcmp(data, "glTF", 4) != 0) {
        return data;
    }
    const unsigned char *b = (const unsigned char *)data + 12;
    size_t chunk = (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
    *length = chunk < size - 20 ? chunk : size - 20;
    return data + 20;
}

static double best(double a, double b) {
    return a == 0.0 || b < a ? b : a;
}

static bool measure_json(const char *path, int repeat, figures *f) {
    char *data = read_file(path, &f->file_bytes);
    if (!data) {
        return false;
    }
    const char *text = find_json(data, f->file_bytes, &f->json_bytes);
    for (int i = 0; i < repeat; i++) {
        sinewi_arena arena;
        sinewi_json json;
        double start = now_ms();
        sinewi_arena_init(&arena, NULL, NULL);
        sinewi_json_read(&json, text, f->json_bytes, 128, &arena);
        sinewi_arena_free(&arena);
        f->json_ms = best(f->json_ms, now_ms() - start);
    }
    free(data);
    return true;
}

static bool measure_read(const char *path, sinew_read_options *options, int repeat, double *ms) {
    for (int i = 0; i < repeat; i++) {
        sinew_error why;
        double start = now_ms();
        sinew_model *model = sinew_model_read(path, options, &why);
        *ms = best(*ms, now_ms() - start);
        if (!model) {
            fprintf(stderr, "bench-load: %s: %s: %s\n", path, why.place, why.message);
            return false;
        }
        sinew_model_free(model);
    }
    return true;
}

static bool measure(const char *path, int repeat, figures *f) {
    sinew_read_options options = {.map_file = false};
#ifdef SINEW_HAVE_CODEC
    sinew_codec_fill(&options.decoders);
#endif
    if (!measure_json(path, repeat, f) || !measure_read(path, &options, repeat, &f->read_ms)) {
        return false;
    }
    options.map_file = true;
    measure_read(path, &options, repeat, &f->mapped_ms);
    options.map_file = false;

    counter c = {0, 0};
    options.allocator = (sinew_allocator){counted_allocate, counted_resize, counted_release, &c};
    sinew_model *model = sinew_model_read(path, &options, NULL);
    if (model) {
        f->model_bytes = model->byte_size;
        f->held_bytes = c.live;
        f->peak_bytes = c.peak;
    }
    sinew_model_free(model);
    return model != NULL;
}

/* ---- what is printed ---- */

static double json_speed(const figures *f) {
    return (double)f->json_bytes / 1e3 / f->json_ms;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_row(const char *path, const figures *f) {
    printf("%-24s %9.3f %9.3f %9.1f %9.3f %7.0f %9.1f %9.1f %9.1f %6.2f\n", name_of(path),
           f->read_ms, f->mapped_ms, (double)f->json_bytes / 1e3, f->json_ms, json_speed(f),
           (double)f->model_bytes / 1e3, (double)f->held_bytes / 1e3, (double)f->peak_bytes / 1e3,
           (double)f->peak_bytes / (double)f->held_bytes);
}

static void print_json(const char *path, const figures *f, bool first) {
    printf("%s\n  {\"file\":\"", first ? "" : ",");
    for (const char *c = path; *c; c++) {
        printf(*c == '"' || *c == '\\' ? "\\%c" : (unsigned char)*c < 0x20 ? "?" : "%c", *c);
    }
    printf("\",\"read_ms\":%.4f,\"mapped_ms\":%.4f,\"json_bytes\":%zu,\"json_ms\":%.4f,"
           "\"json_mb_per_s\":%.1f,\"file_bytes\":%zu,\"model_bytes\":%zu,\"held_bytes\":%zu,"
           "\"peak_bytes\":%zu}",
           f->read_ms, f->mapped_ms, f->json_bytes, f->json_ms, json_speed(f), f->file_bytes,
           f->model_bytes, f->held_bytes, f->peak_bytes);
}

int main(int argc, char **argv) {
    int repeat = 50, status = 0, first = 1;
    bool json = false;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[first], "--repeat") == 0 && first + 1 < argc) {
            repeat = (int)strtol(argv[++first], NULL, 10);
        } else {
            break;
        }
    }
    if (first >= argc || argv[first][0] == '-' || repeat < 1) {
        fprintf(stderr, "usage: bench-load [--json] [--repeat N] FILE...\n");
        return 2;
    }
    bool any = false;
    if (json) {
        printf("{\"files\":[");
    } else {
        printf("%-24s %9s %9s %9s %9s %7s %9s %9s %9s %6s\n", "", "read ms", "map ms", "JSON kB",
               "JSON ms", "MB/s", "model kB", "held kB", "peak kB", "ratio");
    }
    for (int i = first; i < argc; i++) {
        figures f = {0};
        if (!measure(argv[i], repeat, &f)) {
            fprintf(stderr, "bench-load: %s cannot be read\n", argv[i]);
            status = 3;
        } else if (json) {
            print_json(argv[i], &f, !any);
            any = true;
        } else {
            print_row(argv[i], &f);
        }
    }
    printf(json ? "\n]}\n" : "");
    return status;
}
