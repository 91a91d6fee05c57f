/* What clip.c and bind.c share. */
#ifndef SINEWI_CLIP_PRIVATE_H
#define SINEWI_CLIP_PRIVATE_H

#include "sinew/clip.h"

/* Samples a clip into a pose; nodes: for each channel the node that it drives, SINEW_NONE:
 * none; NULL: the node of the channel itself. */
void sinewi_clip_play(const sinew_clip *clip, const uint32_t *nodes, double seconds, int flags,
                      sinew_pose *pose);

#endif
