/* What 06 has besides skinning: arguments, a camera, a ray through one of its pixels, and
 * what such a ray meets. */
#ifndef EXAMPLES_RAY_H
#define EXAMPLES_RAY_H

#include <sinew/base.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void check(bool sound, const char *what, const char *why) {
    if (!sound) {
        fprintf(stderr, "%s: %s\n", what, why);
        exit(1);
    }
}

static inline double number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    check(end != text && *end == '\0' && isfinite(value), text, "is not a number");
    return value;
}

typedef struct arguments {
    const char *words[2]; /* MODEL, CLIP or NULL */
    double seconds, at[2], size[2];
} arguments;

static inline arguments read_arguments(int argc, char **argv, const char *usage) {
    arguments made = {.size = {640, 480}};
    int count = 0;
    bool middle = true;
    for (int i = 1; i < argc; i++) {
        bool is_at = strcmp(argv[i], "--at") == 0, is_size = strcmp(argv[i], "--size") == 0;
        if (is_at || is_size) {
            check(i + 2 < argc, "usage", usage);
            double *pair = is_at ? made.at : made.size;
            pair[0] = number(argv[++i]);
            pair[1] = number(argv[++i]);
            middle = middle && !is_at;
        } else {
            check(count < 3 && strncmp(argv[i], "--", 2) != 0, "usage", usage);
            made.seconds = count == 2 ? number(argv[i]) : 0;
            made.words[count < 2 ? count : 1] = count < 2 ? argv[i] : made.words[1];
            count++;
        }
    }
    check(count > 0, "usage", usage);
    check(made.size[0] >= 1 && made.size[1] >= 1, "--size", "is less than a pixel");
    for (int i = 0; i < 2; i++) {
        made.at[i] = middle ? 0.5 * (made.size[i] - 1) : made.at[i];
        check(made.at[i] >= 0 && made.at[i] < made.size[i], "--at", "is outside the view");
    }
    return made;
}

typedef struct ray {
    float from[3], along[3]; /* along: unit length */
    float nearest;           /* the distance of what it met, INFINITY: nothing yet */
} ray;

static inline float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static inline void normalise(float v[3]) {
    float length = sqrtf(dot(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
}

/* The ray through the middle of a pixel, 0 0 at the upper left, of a perspective view of 40
 * degrees along the shorter side, which looks at the middle of a box from so far that the box
 * fits: from the front (glTF: +Z), a little from its left and from above. */
static inline ray ray_through(const sinew_box *box, const double pixel[2], const double size[2]) {
    const float slope = 0.36397f, sine = 0.34202f; /* of 20 degrees */
    float away[3] = {0.3f, 0.15f, 1.0f}, up[3] = {0, 1, 0}, right[3], diagonal[3];
    double shorter = fmin(size[0], size[1]);
    float x = slope * (float)((2 * pixel[0] + 1 - size[0]) / shorter);
    float y = slope * (float)((size[1] - 2 * pixel[1] - 1) / shorter);
    ray made = {.nearest = INFINITY};
    normalise(away);
    cross(up, away, right);
    normalise(right);
    cross(away, right, up);
    for (int i = 0; i < 3; i++) {
        diagonal[i] = box->maximum[i] - box->minimum[i];
    }
    float distance = 0.5f * sqrtf(dot(diagonal, diagonal)) / sine;
    for (int i = 0; i < 3; i++) {
        made.from[i] = 0.5f * (box->minimum[i] + box->maximum[i]) + distance * away[i];
        made.along[i] = x * right[i] + y * up[i] - away[i];
    }
    normalise(made.along);
    return made;
}

/* Whether the ray can meet something in the box that is nearer than what it met. */
static inline bool meets_box(const ray *of, const sinew_box *box) {
    float first = 0, last = of->nearest;
    for (int i = 0; i < 3; i++) {
        float a = (box->minimum[i] - of->from[i]) / of->along[i];
        float b = (box->maximum[i] - of->from[i]) / of->along[i];
        first = fmaxf(first, fminf(a, b));
        last = fminf(last, fmaxf(a, b));
    }
    return first <= last;
}

/* Moeller and Trumbore, both sides. Of a triangle that is nearer than what it met, the corner,
 * 0 to 2, that is next to the point; else -1. */
static inline int meets_triangle(ray *of, const float *const corners[3]) {
    float edge[2][3], to[3], p[3], q[3], best = INFINITY;
    for (int i = 0; i < 3; i++) {
        edge[0][i] = corners[1][i] - corners[0][i];
        edge[1][i] = corners[2][i] - corners[0][i];
        to[i] = of->from[i] - corners[0][i];
    }
    cross(of->along, edge[1], p);
    cross(to, edge[0], q);
    float area = dot(edge[0], p); /* twice, as seen along the ray */
    float u = dot(to, p), v = dot(of->along, q), distance = dot(edge[1], q) / area;
    if (area < 0) {
        area = -area, u = -u, v = -v;
    }
    if (!(area > 0 && u >= 0 && v >= 0 && u + v <= area && distance > 0 &&
          distance < of->nearest)) {
        return -1;
    }
    of->nearest = distance;
    int corner = 0;
    for (int c = 0; c < 3; c++) {
        float apart[3];
        for (int i = 0; i < 3; i++) {
            apart[i] = of->from[i] + distance * of->along[i] - corners[c][i];
        }
        corner = dot(apart, apart) < best ? c : corner;
        best = fminf(best, dot(apart, apart));
    }
    return corner;
}

static inline void print_ray(const ray *of) {
    float met[3];
    for (int i = 0; i < 3; i++) {
        met[i] = of->from[i] + of->nearest * of->along[i];
    }
    printf("ray from %.6f %.6f %.6f meets it at %.6f %.6f %.6f\n", (double)of->from[0],
           (double)of->from[1], (double)of->from[2], (double)met[0], (double)met[1],
           (double)met[2]);
}

#endif
