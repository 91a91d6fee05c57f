/* Bounds from boxes of joints. A skinned vertex is a blend of the places that its joints
 * take it to, with weights that are not negative and add up to 1, so it lies in any box
 * that holds those places. Each joint's vertices lie in a box in bind space; the box of
 * that box, transformed, holds their places. Morph targets add intervals. */
#include "skin/bounds_private.h"

#include "base/math.h"
#include "base/memory.h"
#include "skin/skin_private.h"

#include <float.h>
#include <math.h>

/* ---- making ---- */

/* Which part each joint has: SINEW_NONE for one that moves nothing. */
typedef struct plan {
    const sinew_node *node;
    const sinew_mesh *mesh;
    uint32_t joint_count;
    uint32_t *part_of; /* joint_count, and one more for the rigid part */
    uint32_t part_count;
} plan;

static const sinew_influences *influences_of(const plan *made, const sinew_primitive *primitive) {
    bool skinned = made->node->skin != SINEW_NONE;
    return skinned && made->node->influences_index < primitive->influences_count
               ? &primitive->influences[made->node->influences_index]
               : NULL;
}

typedef void visit(void *user, uint32_t slot, const sinew_primitive *primitive, size_t vertex);

/* Calls `each` for every vertex and every slot (a joint, or joint_count for the rigid
 * part) that moves it. */
static void for_each_follower(const plan *made, visit *each, void *user) {
    for (uint32_t p = 0; p < made->mesh->primitive_count; p++) {
        const sinew_primitive *primitive = &made->mesh->primitives[p];
        const sinew_influences *influences = influences_of(made, primitive);
        for (size_t v = 0; v < primitive->vertex_count; v++) {
            if (!influences) {
                each(user, made->joint_count, primitive, v);
                continue;
            }
            size_t first = v * influences->per_vertex;
            for (size_t at = first; at < first + influences->per_vertex; at++) {
                if (sinewi_weight_at(influences, at) != 0.0) {
                    each(user, sinewi_joint_at(influences, at), primitive, v);
                }
            }
        }
    }
}

static void mark(void *user, uint32_t slot, const sinew_primitive *primitive, size_t vertex) {
    plan *made = user;
    (void)primitive;
    (void)vertex;
    made->part_of[slot] = 0;
}

static void number_parts(plan *made) {
    for (uint32_t slot = 0; slot <= made->joint_count; slot++) {
        made->part_of[slot] = SINEW_NONE;
    }
    for_each_follower(made, mark, made);
    for (uint32_t slot = 0; slot <= made->joint_count; slot++) {
        if (made->part_of[slot] != SINEW_NONE) {
            made->part_of[slot] = made->part_count++;
        }
    }
}

typedef struct filling {
    const plan *made;
    sinew_bounds *bounds;
} filling;

static void add_vertex(void *user, uint32_t slot, const sinew_primitive *primitive, size_t vertex) {
    const filling *fill = user;
    sinewi_part *grown = &fill->bounds->parts[fill->made->part_of[slot]];
    const float none[3] = {0.0f, 0.0f, 0.0f};
    sinewi_box_add(&grown->base, primitive->positions + 3 * vertex);
    for (uint32_t t = 0; t < fill->bounds->target_count; t++) {
        const float *deltas = t < primitive->target_count ? primitive->targets[t].positions : NULL;
        sinewi_box_add(&grown->deltas[t], deltas ? deltas + 3 * vertex : none);
    }
}

/* One block: the bounds, the parts, their boxes of deltas. */
static sinew_bounds *allocate_bounds(const plan *made, const sinew_allocator *memory) {
    size_t parts, boxes, deltas, total;
    if (!sinewi_multiply(made->part_count, sizeof(sinewi_part), &parts) ||
        !sinewi_multiply(made->part_count, made->mesh->target_count, &boxes) ||
        !sinewi_multiply(boxes, sizeof(sinew_box), &deltas) ||
        !sinewi_add(sizeof(sinew_bounds), parts, &total) || !sinewi_add(total, deltas, &total)) {
        return NULL;
    }
    sinew_bounds *bounds = sinewi_allocate(memory, total);
    if (!bounds) {
        return NULL;
    }
    *bounds = (sinew_bounds){.allocator = *memory};
    bounds->size = total;
    bounds->target_count = made->mesh->target_count;
    bounds->part_count = made->part_count;
    bounds->parts = (sinewi_part *)(bounds + 1);
    sinew_box *box = (sinew_box *)(bounds->parts + made->part_count);
    for (uint32_t slot = 0; slot <= made->joint_count; slot++) {
        if (made->part_of[slot] == SINEW_NONE) {
            continue;
        }
        sinewi_part *next = &bounds->parts[made->part_of[slot]];
        next->rigid = slot == made->joint_count;
        next->joint = next->rigid ? 0 : slot;
        next->deltas = box;
        sinewi_box_empty(&next->base);
        for (uint32_t t = 0; t < bounds->target_count; t++) {
            sinewi_box_empty(box++);
        }
    }
    return bounds;
}

sinew_bounds *sinew_bounds_create(const sinew_model *model, uint32_t node,
                                  const sinew_allocator *allocator) {
    if (!model || node >= model->node_count || model->nodes[node].mesh == SINEW_NONE) {
        return NULL;
    }
    sinew_allocator memory = sinewi_allocator_or_default(allocator);
    plan made = {0};
    made.node = &model->nodes[node];
    made.mesh = &model->meshes[made.node->mesh];
    made.joint_count =
        made.node->skin == SINEW_NONE ? 0 : model->skins[made.node->skin].joint_count;
    size_t slots = (size_t)made.joint_count + 1;
    made.part_of = sinewi_allocate(&memory, slots * sizeof *made.part_of);
    if (!made.part_of) {
        return NULL;
    }
    number_parts(&made);
    sinew_bounds *bounds = allocate_bounds(&made, &memory);
    if (bounds) {
        filling fill = {&made, bounds};
        for_each_follower(&made, add_vertex, &fill);
    }
    if (bounds && !sinewi_bounds_find_pairs(bounds, made.mesh, made.node, made.part_of)) {
        sinew_bounds_free(bounds);
        bounds = NULL;
    }
    sinewi_release(&memory, made.part_of, slots * sizeof *made.part_of);
    return bounds;
}

void sinew_bounds_free(sinew_bounds *bounds) {
    if (bounds) {
        sinew_allocator memory = bounds->allocator;
        sinewi_bounds_free_pairs(bounds);
        sinewi_release(&memory, bounds, bounds->size);
    }
}

/* ---- asking ---- */

typedef struct interval {
    double minimum, maximum;
    double size; /* the largest sum of absolute terms: what rounding is relative to */
} interval;

static interval interval_of(double minimum, double maximum) {
    double below = fabs(minimum), above = fabs(maximum);
    return (interval){minimum, maximum, below > above ? below : above};
}

/* sum + factor * term */
static interval add_scaled(interval sum, double factor, interval term) {
    double a = factor * term.minimum, b = factor * term.maximum;
    sum.minimum += a < b ? a : b;
    sum.maximum += a < b ? b : a;
    sum.size += fabs(factor) * term.size;
    return sum;
}

static void morphed_part(const sinew_bounds *bounds, const sinewi_part *asked, const float *weights,
                         uint32_t weight_count, interval out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = interval_of(asked->base.minimum[i], asked->base.maximum[i]);
        for (uint32_t t = 0; t < bounds->target_count && t < weight_count; t++) {
            const sinew_box *delta = &asked->deltas[t];
            interval range = interval_of(delta->minimum[i], delta->maximum[i]);
            out[i] = add_scaled(out[i], weights[t], range);
        }
    }
}

/* Joins the places that a matrix takes a part to, with room for rounding: that of the
 * weights, whose sum is 1 to within some 2^-23, and that of paths that blend in float. */
static void join_moved(const interval morphed[3], const float m[16], sinew_box *box) {
    const double rounding = 4e-6; /* some 32 times 2^-23, of the largest terms */
    const double least = FLT_MIN; /* for numbers so small that floats lose digits */
    for (int row = 0; row < 3; row++) {
        interval moved = interval_of(m[12 + row], m[12 + row]);
        for (int column = 0; column < 3; column++) {
            moved = add_scaled(moved, m[4 * column + row], morphed[column]);
        }
        double slack = rounding * moved.size + least;
        float minimum = sinewi_finite(moved.minimum - slack);
        float maximum = sinewi_finite(moved.maximum + slack);
        box->minimum[row] = minimum < box->minimum[row] ? minimum : box->minimum[row];
        box->maximum[row] = maximum > box->maximum[row] ? maximum : box->maximum[row];
    }
}

bool sinewi_bounds_join_part(const sinew_bounds *bounds, uint32_t part,
                             const sinew_palette *palette, const sinew_palette *rigid,
                             const float *morph_weights, uint32_t morph_weight_count,
                             sinew_box *box) {
    const sinewi_part *asked = &bounds->parts[part];
    const sinew_palette *followed = asked->rigid ? rigid : palette;
    if (asked->joint >= followed->joint_count) {
        return false;
    }
    interval morphed[3];
    float matrix[16];
    morphed_part(bounds, asked, morph_weights, morph_weights ? morph_weight_count : 0, morphed);
    sinew_palette_matrix(followed, asked->joint, matrix);
    join_moved(morphed, matrix, box);
    return true;
}

bool sinew_bounds_of_palettes(const sinew_bounds *bounds, const sinew_palette *palette,
                              const sinew_palette *rigid, const float *morph_weights,
                              uint32_t morph_weight_count, sinew_box *box) {
    sinew_box joined;
    sinewi_box_empty(box);
    sinewi_box_empty(&joined);
    for (uint32_t p = 0; p < bounds->part_count; p++) {
        if (!sinewi_bounds_join_part(bounds, p, palette, rigid, morph_weights, morph_weight_count,
                                     &joined)) {
            return false;
        }
    }
    *box = joined;
    return bounds->part_count != 0;
}

bool sinew_bounds_of_palette(const sinew_bounds *bounds, const sinew_palette *palette,
                             const float *morph_weights, uint32_t morph_weight_count,
                             sinew_box *box) {
    return sinew_bounds_of_palettes(bounds, palette, palette, morph_weights, morph_weight_count,
                                    box);
}
