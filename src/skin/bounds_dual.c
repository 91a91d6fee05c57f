/* Bounds under dual quaternion skinning.
 *
 * With p_k = J_k v a vertex comes to the sum of w_k (a_k - [u_k]x) p_k, whose weights of
 * places w_k a_k add up to 1 and whose w_k u_k to nothing. So a point c may be taken from all
 * p_k, and each term is at most |p_k - c| / |R| long: the vertex stays within
 * max |p_k - c| / |R| of c. For R . r of the reference r,
 *     |R| >= w_ref + (1 - w_ref) m >= 1/n + (1 - 1/n) m
 * with n influences at most and m the least |r_k . r| of what shares a vertex with it. That
 * holds a sphere for each joint as the reference, around the box of the joint and of all that
 * share a vertex with it. */
#include "skin/bounds_private.h"

#include "base/math.h"
#include "base/memory.h"
#include "skin/skin_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

/* A set of pairs by open addressing; 0 0 is no pair and marks an empty place. */
typedef struct pair_set {
    const sinew_allocator *memory;
    sinewi_part_pair *places;
    size_t capacity, count; /* capacity: a power of two */
} pair_set;

static size_t place_of(const pair_set *set, sinewi_part_pair pair) {
    uint64_t key = ((uint64_t)pair.a << 32 | pair.b) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(key >> 32) & (set->capacity - 1);
    while (set->places[at].b != 0 && memcmp(&set->places[at], &pair, sizeof pair) != 0) {
        at = (at + 1) & (set->capacity - 1);
    }
    return at;
}

static bool grow(pair_set *set) {
    pair_set larger = {set->memory, NULL, set->capacity ? 2 * set->capacity : 256, set->count};
    larger.places = sinewi_allocate_zeroed(set->memory, larger.capacity, sizeof *larger.places);
    if (!larger.places) {
        return false;
    }
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->places[i].b != 0) {
            larger.places[place_of(&larger, set->places[i])] = set->places[i];
        }
    }
    sinewi_release(set->memory, set->places, set->capacity * sizeof *set->places);
    *set = larger;
    return true;
}

static bool add_pair(pair_set *set, uint32_t a, uint32_t b) {
    sinewi_part_pair pair = {a < b ? a : b, a < b ? b : a};
    if (a == b) {
        return true;
    }
    if (2 * set->count >= set->capacity && !grow(set)) {
        return false;
    }
    size_t at = place_of(set, pair);
    set->count += set->places[at].b == 0;
    set->places[at] = pair;
    return true;
}

/* The pairs of a vertex; returns how many influences it has, 0 without memory. */
static uint32_t add_vertex(pair_set *set, const sinew_influences *from, size_t first,
                           const uint32_t *part_of) {
    uint32_t used = 0;
    for (size_t i = first; i < first + from->per_vertex; i++) {
        if (sinewi_weight_at(from, i) == 0.0) {
            continue;
        }
        used++;
        for (size_t k = i + 1; k < first + from->per_vertex; k++) {
            if (sinewi_weight_at(from, k) != 0.0 &&
                !add_pair(set, part_of[sinewi_joint_at(from, i)],
                          part_of[sinewi_joint_at(from, k)])) {
                return 0;
            }
        }
    }
    return used ? used : 1;
}

static int compare_pairs(const void *a, const void *b) {
    const sinewi_part_pair *x = a, *y = b;
    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Takes the pairs out of the set, in an order that hangs on nothing. */
static bool keep_pairs(sinew_bounds *bounds, const pair_set *set) {
    bounds->pair_count = (uint32_t)set->count;
    if (set->count == 0) {
        return true;
    }
    bounds->pairs = sinewi_allocate(&bounds->allocator, set->count * sizeof *bounds->pairs);
    size_t kept = 0;
    for (size_t i = 0; i < set->capacity && bounds->pairs; i++) {
        if (set->places[i].b != 0) {
            bounds->pairs[kept++] = set->places[i];
        }
    }
    if (bounds->pairs) {
        qsort(bounds->pairs, kept, sizeof *bounds->pairs, compare_pairs);
    }
    return bounds->pairs != NULL;
}

bool sinewi_bounds_find_pairs(sinew_bounds *bounds, const sinew_mesh *mesh, const sinew_node *node,
                              const uint32_t *part_of) {
    pair_set set = {&bounds->allocator, NULL, 0, 0};
    bool done = true;
    bounds->most_influences = 1;
    for (uint32_t p = 0; p < mesh->primitive_count && done; p++) {
        const sinew_primitive *primitive = &mesh->primitives[p];
        if (node->skin == SINEW_NONE || node->influences_index >= primitive->influences_count) {
            continue;
        }
        const sinew_influences *from = &primitive->influences[node->influences_index];
        for (size_t v = 0; v < primitive->vertex_count && done; v++) {
            uint32_t used = add_vertex(&set, from, v * from->per_vertex, part_of);
            done = used != 0;
            bounds->most_influences =
                used > bounds->most_influences ? used : bounds->most_influences;
        }
    }
    done = done && keep_pairs(bounds, &set);
    sinewi_release(&bounds->allocator, set.places, set.capacity * sizeof *set.places);
    return done;
}

void sinewi_bounds_free_pairs(sinew_bounds *bounds) {
    sinewi_release(&bounds->allocator, bounds->pairs, bounds->pair_count * sizeof *bounds->pairs);
}

/* ---- asking ---- */

/* |dot| of the rotations of two joints; 1 where one has none, for it takes the other's. */
static double alignment(const sinew_palette *palette, uint32_t a, uint32_t b) {
    const float *p = palette->matrices + (size_t)16 * a + 12;
    const float *q = palette->matrices + (size_t)16 * b + 12;
    double dot = 0.0, of_p = 0.0, of_q = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += (double)p[i] * (double)q[i];
        of_p += (double)p[i] * (double)p[i];
        of_q += (double)q[i] * (double)q[i];
    }
    return of_p == 0.0 || of_q == 0.0 ? 1.0 : fabs(dot);
}

static void join(const sinew_box *more, sinew_box *box) {
    sinewi_box_add(box, more->minimum);
    sinewi_box_add(box, more->maximum);
}

/* The sphere around a box, longer by the factor, as a box. */
static void join_sphere(const sinew_box *around, double factor, sinew_box *box) {
    double centre[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        double low = around->minimum[i], high = around->maximum[i];
        centre[i] = 0.5 * (low + high);
        square += 0.25 * (high - low) * (high - low);
    }
    double radius = factor * sqrt(square);
    sinew_box sphere;
    for (int i = 0; i < 3; i++) {
        sphere.minimum[i] = sinewi_finite(centre[i] - radius);
        sphere.maximum[i] = sinewi_finite(centre[i] + radius);
    }
    join(&sphere, box);
}

/* What is known of a part: where it is taken to, where all that share vertices with it are,
 * and the least alignment of their rotations with its own. */
typedef struct surroundings {
    sinew_box moved, around;
    double least;
    bool shares;
} surroundings;

static bool fill_moved(const sinew_bounds *bounds, const sinew_palette *palette,
                       const sinew_palette *rigid, const float *morph_weights,
                       uint32_t morph_weight_count, surroundings *all) {
    for (uint32_t p = 0; p < bounds->part_count; p++) {
        sinewi_box_empty(&all[p].moved);
        if (!sinewi_bounds_join_part(bounds, p, palette, rigid, morph_weights, morph_weight_count,
                                     &all[p].moved)) {
            return false;
        }
        all[p].around = all[p].moved;
        all[p].least = 1.0;
    }
    return true;
}

static void fill_around(const sinew_bounds *bounds, const sinew_palette *palette,
                        surroundings *all) {
    for (uint32_t i = 0; i < bounds->pair_count; i++) {
        uint32_t a = bounds->pairs[i].a, b = bounds->pairs[i].b;
        double aligned = alignment(palette, bounds->parts[a].joint, bounds->parts[b].joint);
        join(&all[b].moved, &all[a].around);
        join(&all[a].moved, &all[b].around);
        all[a].least = fmin(all[a].least, aligned);
        all[b].least = fmin(all[b].least, aligned);
        all[a].shares = all[b].shares = true;
    }
}

/* For each part the vertices that have it as their reference; what shares none is taken as by
 * linear blending. */
static void join_all(const sinew_bounds *bounds, const surroundings *all, sinew_box *box) {
    const double slack = 3e-4; /* of signs that are kept, and of rounding */
    double share = 1.0 / bounds->most_influences;
    for (uint32_t p = 0; p < bounds->part_count; p++) {
        if (all[p].shares) {
            double length = share + (1.0 - share) * all[p].least - slack;
            join_sphere(&all[p].around, 1.0 / length, box);
        } else {
            join(&all[p].moved, box);
        }
    }
}

bool sinew_bounds_of_dual_quaternions(const sinew_bounds *bounds, const sinew_palette *palette,
                                      const sinew_palette *rigid, const float *morph_weights,
                                      uint32_t morph_weight_count, sinew_box *box) {
    sinewi_box_empty(box);
    if (bounds->part_count == 0 || palette->layout != SINEW_PALETTE_4X3_ROTATION) {
        return false;
    }
    size_t size = bounds->part_count * sizeof(surroundings);
    surroundings *all = sinewi_allocate_zeroed(&bounds->allocator, bounds->part_count, sizeof *all);
    bool done = all && fill_moved(bounds, palette, rigid, morph_weights, morph_weight_count, all);
    if (done) {
        fill_around(bounds, palette, all);
        join_all(bounds, all, box);
    }
    sinewi_release(&bounds->allocator, all, size);
    return done;
}
