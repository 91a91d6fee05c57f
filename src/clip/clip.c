#include "clip/clip_private.h"

#include "base/math.h"

#include <math.h>
#include <string.h>

/* ---- one channel ---- */

/* The key at or before `seconds`, which lies between the first and the last key. By
 * halving: a random time costs no more than the next one. */
static uint32_t key_before(const float *times, uint32_t key_count, double seconds) {
    uint32_t low = 0, high = key_count - 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= seconds) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The value of a key; with CUBICSPLINE it stands between its two tangents. */
static const float *key_value(const sinew_channel *channel, uint32_t key) {
    const float *values = channel->values;
    size_t width = channel->width;
    if (channel->interpolation == SINEW_CUBICSPLINE) {
        return values + (3 * (size_t)key + 1) * width;
    }
    return values + key * width;
}

static void sample_linear(const sinew_channel *channel, uint32_t key, double t, float *value) {
    const float *a = key_value(channel, key), *b = key_value(channel, key + 1);
    if (channel->path == SINEW_ROTATION) {
        sinewi_quat_slerp(a, b, t, value);
        return;
    }
    for (uint32_t i = 0; i < channel->width; i++) {
        value[i] = (float)((1.0 - t) * (double)a[i] + t * (double)b[i]);
    }
}

/* glTF 2.0, appendix C.5: a Hermite spline, tangents in units per second. */
static void sample_cubic(const sinew_channel *channel, uint32_t key, double t, double span,
                         float *value) {
    const float *a = key_value(channel, key), *b = key_value(channel, key + 1);
    const float *out_of_a = a + channel->width, *into_b = b - channel->width;
    double t2 = t * t, t3 = t2 * t;
    double at_a = 2.0 * t3 - 3.0 * t2 + 1.0, at_b = 3.0 * t2 - 2.0 * t3;
    double leaving_a = span * (t3 - 2.0 * t2 + t), entering_b = span * (t3 - t2);
    for (uint32_t i = 0; i < channel->width; i++) {
        value[i] = sinewi_finite(at_a * (double)a[i] + leaving_a * (double)out_of_a[i] +
                                 at_b * (double)b[i] + entering_b * (double)into_b[i]);
    }
    if (channel->path == SINEW_ROTATION) {
        sinewi_quat_normalise(value);
    }
}

void sinew_channel_sample(const sinew_channel *channel, double seconds, float *value) {
    const float *times = channel->times;
    uint32_t last = channel->key_count - 1;
    uint32_t key = last;
    if (!(seconds > (double)times[0])) { /* also a time that is no number */
        key = 0;
    } else if (seconds < (double)times[last]) {
        key = key_before(times, channel->key_count, seconds);
    }
    bool on_a_key = key == last || !(seconds > (double)times[key]);
    if (on_a_key || channel->interpolation == SINEW_STEP) {
        memcpy(value, key_value(channel, key), channel->width * sizeof *value);
        return;
    }
    double span = (double)times[key + 1] - (double)times[key];
    double t = (seconds - (double)times[key]) / span;
    if (channel->interpolation == SINEW_LINEAR) {
        sample_linear(channel, key, t, value);
    } else {
        sample_cubic(channel, key, t, span, value);
    }
}

/* ---- a clip ---- */

/* The time within one round of a looping clip. */
static double wrap(double seconds, double duration) {
    if (!(duration > 0.0)) {
        return 0.0;
    }
    double rest = fmod(seconds, duration);
    return rest < 0.0 ? rest + duration : rest;
}

/* Where in the pose a channel of that node writes. */
static float *target_of(const sinew_channel *channel, uint32_t node, sinew_pose *pose) {
    sinew_transform *local = &pose->local[node];
    switch (channel->path) {
    case SINEW_TRANSLATION: return local->translation;
    case SINEW_ROTATION: return local->rotation;
    case SINEW_SCALE: return local->scale;
    case SINEW_WEIGHTS: break;
    }
    return pose->weights + pose->model->nodes[node].first_weight + channel->first;
}

void sinewi_clip_play(const sinew_clip *clip, const uint32_t *nodes, double seconds, int flags,
                      sinew_pose *pose) {
    double time = flags & SINEW_LOOP ? wrap(seconds, clip->duration) : seconds;
    if (!(flags & SINEW_KEEP)) {
        sinew_pose_set_rest(pose);
    }
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        uint32_t node = nodes ? nodes[i] : channel->node;
        if (node != SINEW_NONE) {
            sinew_channel_sample(channel, time, target_of(channel, node, pose));
        }
    }
    sinew_pose_changed(pose);
}

sinew_result sinew_clip_sample(const sinew_model *model, uint32_t clip, double seconds, int flags,
                               sinew_pose *pose) {
    if (!model || !pose || pose->model != model || !isfinite(seconds) ||
        (clip != SINEW_NONE && clip >= model->clip_count)) {
        return SINEW_ERROR_ARGUMENT;
    }
    if (clip != SINEW_NONE) {
        sinewi_clip_play(&model->clips[clip], NULL, seconds, flags, pose);
    } else if (!(flags & SINEW_KEEP)) {
        sinew_pose_set_rest(pose);
    }
    return SINEW_OK;
}
