/* The model that is measured: a .glb, made in memory. */
#include "vertex_cost.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a vertex: position, normal, joints, weights. Each is a block of its own. */
#define VERTEX_SIZE (12 + 12 + 4 + 16)
#define BINARY_SIZE (VERTICES * VERTEX_SIZE)
#define TEXT_SIZE 16384

/* ---- the text ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(char *text, const char *format, ...) {
    size_t length = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + length, TEXT_SIZE - length, format, values);
    va_end(values);
}

static void write_views(char *text) {
    static const int sizes[4] = {12, 12, 4, 16};
    append(text, "\"buffers\":[{\"byteLength\":%d}],\"bufferViews\":[", BINARY_SIZE);
    int offset = 0;
    for (int i = 0; i < 4; i++) {
        append(text,
               i ? ",{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}"
                 : "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}",
               offset, sizes[i] * VERTICES);
        offset += sizes[i] * VERTICES;
    }
    append(text, "],\"accessors\":[");
    static const char *const kinds[4] = {
        "\"componentType\":5126,\"type\":\"VEC3\",\"min\":[-1,-1,-1],\"max\":[1,1,1]",
        "\"componentType\":5126,\"type\":\"VEC3\"", "\"componentType\":5121,\"type\":\"VEC4\"",
        "\"componentType\":5126,\"type\":\"VEC4\""};
    for (int i = 0; i < 4; i++) {
        append(text, i ? ",{\"bufferView\":%d,\"count\":%d," : "{\"bufferView\":%d,\"count\":%d,",
               i, VERTICES);
        append(text, "%s}", kinds[i]);
    }
}

/* A chain that bends, each joint scaled against its parent. */
static void write_nodes(char *text) {
    append(text, "],\"nodes\":[");
    for (int i = 0; i < JOINTS; i++) {
        double angle = 0.1 + 0.002 * i;
        append(text, "{\"translation\":[0,0.02,0],\"rotation\":[0,%.9f,0,%.9f],", sin(angle),
               cos(angle));
        append(text, "\"scale\":[%.3f,%.3f,1]", i % 2 ? 1.25 : 0.8, i % 2 ? 0.9 : 1.11);
        if (i + 1 < JOINTS) {
            append(text, ",\"children\":[%d]", i + 1);
        }
        append(text, "},");
    }
    append(text, "{\"mesh\":0,\"skin\":0}],\"scene\":0,\"scenes\":[{\"nodes\":[0,%d]}],", JOINTS);
    append(text, "\"skins\":[{\"joints\":[0");
    for (int i = 1; i < JOINTS; i++) {
        append(text, ",%d", i);
    }
    append(text, "]}],\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0,"
                 "\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}]}]}");
}

static void write_text(char *text) {
    text[0] = '\0';
    append(text, "{\"asset\":{\"version\":\"2.0\"},");
    write_views(text);
    write_nodes(text);
    while (strlen(text) % 4) {
        append(text, " ");
    }
}

/* ---- the vertices ---- */

static double chance(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

static void write_vertices(unsigned char *to) {
    uint32_t state = 1;
    for (int v = 0; v < VERTICES; v++) {
        float position[3], normal[3], weights[4];
        unsigned char joints[4];
        double turn = 6.283185307 * chance(&state), up = 2.0 * chance(&state) - 1.0, sum = 0.0;
        double flat = sqrt(1.0 - up * up), raw[4];
        normal[0] = (float)(flat * cos(turn));
        normal[1] = (float)up;
        normal[2] = (float)(flat * sin(turn));
        unsigned first = (unsigned)(chance(&state) * (JOINTS - 3));
        for (unsigned k = 0; k < 4; k++) {
            joints[k] = (unsigned char)(first + k);
            raw[k] = 0.1 + chance(&state);
            sum += raw[k];
        }
        for (int k = 0; k < 4; k++) {
            weights[k] = (float)(raw[k] / sum);
        }
        for (int k = 0; k < 3; k++) {
            position[k] = 0.2f * normal[k];
        }
        memcpy(to + 12 * v, position, 12);
        memcpy(to + 12 * (VERTICES + v), normal, 12);
        memcpy(to + 24 * VERTICES + 4 * v, joints, 4);
        memcpy(to + 28 * VERTICES + 16 * v, weights, 16);
    }
}

/* ---- the container ---- */

static unsigned char *put(unsigned char *to, uint32_t a, uint32_t b) {
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(a >> 8 * i);
        to[4 + i] = (unsigned char)(b >> 8 * i);
    }
    return to + 8;
}

sinew_model *model_create(sinew_error *error) {
    char *text = malloc(TEXT_SIZE);
    unsigned char *file = malloc(28 + TEXT_SIZE + BINARY_SIZE), *to = file;
    sinew_model *model = NULL;
    if (text && file) {
        write_text(text);
        uint32_t length = (uint32_t)strlen(text), size = 28 + length + BINARY_SIZE;
        to = put(to, 0x46546c67, 2);
        to = put(to, size, length);
        memcpy(to, "JSON", 4);
        snprintf((char *)to + 4, (size_t)length + 1, "%s", text); /* its zero is written over */
        to = put(to + 4 + length, BINARY_SIZE, 0x004e4942);
        write_vertices(to);
        model = sinew_model_read_memory(file, size, NULL, error);
    }
    free(text);
    free(file);
    return model;
}
