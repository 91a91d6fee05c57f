/* What a channel of an animation drives: a property of a node, or the weights of a mesh. */
#ifndef SINEWI_GLTF_CHANNEL_TARGET_H
#define SINEWI_GLTF_CHANNEL_TARGET_H

#include "gltf/reader.h"

/* In this order their channels are written into a clip, so that a later one wins: what a
 * mesh gives holds for the nodes that have nothing of their own. */
typedef enum sinewi_target_rank {
    SINEWI_MESH_WEIGHTS,
    SINEWI_MESH_WEIGHT,
    SINEWI_NODE_PROPERTY,
    SINEWI_NODE_WEIGHT,
    SINEWI_TARGET_RANKS
} sinewi_target_rank;

typedef struct sinewi_channel_target {
    sinewi_target_rank rank;
    uint32_t index; /* of the node or mesh */
    sinew_path path;
    uint32_t first; /* weights: the first that it drives */
    uint32_t width; /* floats of a value */
} sinewi_channel_target;

/* token: the target object of a channel. false: the channel is left out; what had to be
 * said has been said. */
bool sinewi_read_channel_target(sinewi_reader *r, uint32_t token, sinewi_channel_target *target);

#endif
