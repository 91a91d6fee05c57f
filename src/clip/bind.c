/* Clips of another file: their channels find their nodes by name. Names are sorted once,
 * so that large files take time in proportion. */
#include "clip/clip_private.h"

#include "base/math.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest entry: a stored matrix has few digits. */
#define MATRIX_TOLERANCE 1e-3

typedef struct named {
    const char *name;
    uint32_t node;
} named;

/* By name, and the first node first among equal names. */
static int compare_named(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static uint32_t find_first(const named *sorted, uint32_t count, const char *name) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(sorted[low].name, name) == 0 ? sorted[low].node : SINEW_NONE;
}

/* Whether translation, rotation and scale make up the matrix that the file gives. */
static bool is_taken_apart(const sinew_node *node) {
    float again[16];
    double largest = 0.0, gap = 0.0;
    const sinew_transform *rest = &node->local_rest;
    sinewi_mat4_from_trs(rest->translation, rest->rotation, rest->scale, again);
    for (int i = 0; i < 11; i++) {
        double stored = node->local_rest_matrix[i];
        largest = fmax(largest, fabs(stored));
        gap = fmax(gap, fabs(stored - (double)again[i]));
    }
    return gap <= MATRIX_TOLERANCE * largest;
}

/* Whether one node has the property that the channel drives on the other. */
static bool fits(const sinew_node *from, const sinew_node *to, const sinew_channel *channel) {
    if (channel->path == SINEW_WEIGHTS) {
        return to->weight_count == from->weight_count;
    }
    return !to->has_matrix || channel->path == SINEW_TRANSLATION || is_taken_apart(to);
}

static void match(const sinew_model *target, const sinew_model *source, const sinew_clip *clip,
                  const named *sorted, uint32_t *nodes, uint32_t *bound_count) {
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const sinew_node *from = &source->nodes[channel->node];
        uint32_t node =
            from->name[0] ? find_first(sorted, target->node_count, from->name) : SINEW_NONE;
        bool found = node != SINEW_NONE && fits(from, &target->nodes[node], channel);
        nodes[i] = found ? node : SINEW_NONE;
        *bound_count += found;
    }
}

sinew_clip_binding *sinew_clip_bind(const sinew_model *target, const sinew_model *source,
                                    uint32_t clip, const sinew_allocator *allocator) {
    if (!target || !source || clip >= source->clip_count) {
        return NULL;
    }
    sinew_allocator memory = sinewi_allocator_or_default(allocator);
    const sinew_clip *played = &source->clips[clip];
    sinew_clip_binding *binding = sinewi_allocate_zeroed(&memory, 1, sizeof *binding);
    uint32_t *nodes = sinewi_allocate_zeroed(&memory, played->channel_count, sizeof *nodes);
    named *sorted = sinewi_allocate_zeroed(&memory, target->node_count, sizeof *sorted);
    if (binding && nodes && sorted) {
        for (uint32_t i = 0; i < target->node_count; i++) {
            sorted[i] = (named){target->nodes[i].name, i};
        }
        qsort(sorted, target->node_count, sizeof *sorted, compare_named);
        *binding = (sinew_clip_binding){target, source, played, nodes, 0, memory};
        match(target, source, played, sorted, nodes, &binding->bound_count);
    } else {
        sinewi_release(&memory, nodes, played->channel_count * sizeof *nodes);
        sinewi_release(&memory, binding, sizeof *binding);
        binding = NULL;
    }
    sinewi_release(&memory, sorted, target->node_count * sizeof *sorted);
    return binding;
}

void sinew_clip_binding_free(sinew_clip_binding *binding) {
    if (binding) {
        sinew_allocator memory = binding->allocator;
        sinewi_release(&memory, (void *)(uintptr_t)binding->nodes,
                       binding->clip->channel_count * sizeof *binding->nodes);
        sinewi_release(&memory, binding, sizeof *binding);
    }
}

sinew_result sinew_clip_binding_sample(const sinew_clip_binding *binding, double seconds, int flags,
                                       sinew_pose *pose) {
    if (!binding || !pose || pose->model != binding->target || !isfinite(seconds)) {
        return SINEW_ERROR_ARGUMENT;
    }
    sinewi_clip_play(binding->clip, binding->nodes, seconds, flags, pose);
    return SINEW_OK;
}
