/* Bounds: what bounds.c and bounds_dual.c share. */
#ifndef SINEWI_BOUNDS_PRIVATE_H
#define SINEWI_BOUNDS_PRIVATE_H

#include "sinew/skin.h"

/* What follows one joint, or the node itself. */
typedef struct sinewi_part {
    uint32_t joint;
    bool rigid; /* of primitives without influences: joint is 0 */
    sinew_box base;
    sinew_box *deltas; /* target_count */
} sinewi_part;

/* Two parts that move a vertex together. */
typedef struct sinewi_part_pair {
    uint32_t a, b;
} sinewi_part_pair;

struct sinew_bounds {
    sinew_allocator allocator;
    size_t size; /* of the block that holds all but the pairs */
    uint32_t target_count;
    uint32_t part_count;
    sinewi_part *parts;       /* the rigid one last */
    uint32_t most_influences; /* of a vertex, with a weight; 1 where there is none */
    sinewi_part_pair *pairs;  /* sorted, a < b */
    uint32_t pair_count;
};

/* The box of the places that a part is taken to, joined to `box`. false: the palette has no
 * such joint. */
bool sinewi_bounds_join_part(const sinew_bounds *bounds, uint32_t part,
                             const sinew_palette *palette, const sinew_palette *rigid,
                             const float *morph_weights, uint32_t morph_weight_count,
                             sinew_box *box);

/* Fills most_influences and pairs. part_of: by joint. false: no memory. */
bool sinewi_bounds_find_pairs(sinew_bounds *bounds, const sinew_mesh *mesh, const sinew_node *node,
                              const uint32_t *part_of);
void sinewi_bounds_free_pairs(sinew_bounds *bounds);

#endif
