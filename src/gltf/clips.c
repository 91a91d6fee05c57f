/* Animations become clips (glTF 3.11). */
#include "gltf/channel_target.h"

#include <math.h>
#include <string.h>

typedef struct sampler {
    uint32_t token;
    uint32_t input, output; /* accessors; SINEW_NONE: the sampler is faulty */
    sinew_interpolation interpolation;
    bool unknown_interpolation;
} sampler;

static void read_interpolation(sinewi_reader *r, uint32_t token, sampler *s) {
    uint32_t at = sinewi_member(r, token, "interpolation");
    s->interpolation = SINEW_LINEAR;
    if (at == SINEWI_JSON_NONE || sinewi_json_equals(&r->json, at, "LINEAR")) {
        return;
    }
    if (sinewi_json_equals(&r->json, at, "STEP")) {
        s->interpolation = SINEW_STEP;
    } else if (sinewi_json_equals(&r->json, at, "CUBICSPLINE")) {
        s->interpolation = SINEW_CUBICSPLINE;
    } else {
        s->unknown_interpolation = true;
        sinewi_note(r, SINEW_FINDING_INTERPOLATION, at, NULL,
                    "the interpolation is none of STEP, LINEAR, CUBICSPLINE");
    }
}

static bool check_input(sinewi_reader *r, const sampler *s) {
    const sinewi_accessor *a = &r->accessors[s->input];
    if (a->count == 0) {
        return false; /* its fault has been said */
    }
    if (a->shape != SINEWI_SCALAR || a->component != SINEWI_GLTF_F32) {
        return sinewi_refuse(r, SINEW_FINDING_TYPE, s->token, "input",
                             "key times are SCALAR of floats, this is %s of %s",
                             sinewi_shape_word(a->shape), sinewi_component_word(a->component));
    }
    return true;
}

static bool read_sampler(sinewi_reader *r, uint32_t token, sampler *s) {
    s->token = token;
    s->input = s->output = SINEW_NONE;
    read_interpolation(r, token, s);
    bool sound = sinewi_need_index(r, token, "input", r->accessor_count, &s->input) &&
                 sinewi_need_index(r, token, "output", r->accessor_count, &s->output) &&
                 r->accessors[s->output].count > 0 && check_input(r, s);
    if (!sound) {
        s->input = s->output = SINEW_NONE;
    }
    return sound;
}

/* ---- keys and values ---- */

static bool check_output_type(sinewi_reader *r, const sampler *s, const sinew_channel *channel) {
    const sinewi_accessor *a = &r->accessors[s->output];
    sinewi_shape shape = channel->path == SINEW_WEIGHTS    ? SINEWI_SCALAR
                         : channel->path == SINEW_ROTATION ? SINEWI_VEC4
                                                           : SINEWI_VEC3;
    bool small = channel->path == SINEW_ROTATION || channel->path == SINEW_WEIGHTS;
    bool integers = small && a->normalized && a->component != SINEWI_GLTF_U32;
    if (a->shape != shape || (a->component != SINEWI_GLTF_F32 && !integers)) {
        return sinewi_refuse(r, SINEW_FINDING_TYPE, s->token, "output",
                             "%s of floats%s expected, this is %s of %s%s",
                             sinewi_shape_word(shape), small ? " or normalised integers" : "",
                             sinewi_shape_word(a->shape), a->normalized ? "normalised " : "",
                             sinewi_component_word(a->component));
    }
    return true;
}

static uint32_t floats_per_key(const sinew_channel *channel) {
    return channel->interpolation == SINEW_CUBICSPLINE ? 3 * channel->width : channel->width;
}

static bool check_output_count(sinewi_reader *r, const sampler *s, const sinew_channel *channel) {
    const sinewi_accessor *a = &r->accessors[s->output];
    uint64_t per_element = channel->path == SINEW_WEIGHTS ? 1 : channel->width;
    uint64_t has = a->count * per_element;
    uint64_t wanted = (uint64_t)channel->key_count * floats_per_key(channel);
    if (has < wanted || (has != wanted && channel->path == SINEW_WEIGHTS)) {
        return sinewi_refuse(r, SINEW_FINDING_COUNT, s->token, "output",
                             "%u values, %llu are needed for %u keys", a->count,
                             (unsigned long long)(wanted / per_element), channel->key_count);
    }
    return true;
}

/* The keys that increase, and their values, in copies of their own. Negative times do no
 * harm to what comes after them, so they stay. */
static bool keep_increasing(sinewi_reader *r, sinew_channel *channel) {
    uint32_t per_key = floats_per_key(channel), kept = 0;
    float *times = sinewi_keep(r, channel->key_count, sizeof *times);
    float *values = sinewi_keep(r, channel->key_count, per_key * sizeof *values);
    if (!times || !values) {
        return false;
    }
    for (uint32_t k = 0; k < channel->key_count; k++) {
        float time = channel->times[k];
        if (kept > 0 && time <= times[kept - 1]) {
            continue;
        }
        times[kept] = time;
        memcpy(values + (size_t)kept * per_key, channel->values + (size_t)k * per_key,
               per_key * sizeof *values);
        kept++;
    }
    channel->times = times;
    channel->values = values;
    channel->key_count = kept;
    return true;
}

static bool times_are_sound(const float *times, uint32_t count) {
    bool sound = times[0] >= 0.0f;
    for (uint32_t k = 1; k < count; k++) { /* without a branch, so that it is cheap */
        sound = sound & (times[k] > times[k - 1]);
    }
    return sound;
}

static void tell_keys(sinewi_reader *r, sinewi_accessor *input, const sinew_channel *channel) {
    uint32_t first = 0;
    uint64_t count = 0;
    for (uint32_t k = channel->key_count; k-- > 0;) {
        float time = channel->times[k];
        if (time < 0.0f || (k > 0 && time <= channel->times[k - 1])) {
            first = k;
            count++;
        }
    }
    input->told = true;
    sinew_finding *finding =
        sinewi_note(r, SINEW_FINDING_KEYS, input->token, NULL,
                    "a key time is negative or does not increase, %llu in all, the first is key "
                    "%u at %g s",
                    (unsigned long long)count, first, (double)channel->times[first]);
    sinewi_count(finding, count, &(uint64_t){first}, 1);
}

/* Many channels may have the same times: they are looked at once. */
static bool check_keys(sinewi_reader *r, const sampler *s, sinew_channel *channel) {
    sinewi_accessor *input = &r->accessors[s->input];
    if (!input->seen && !times_are_sound(channel->times, channel->key_count)) {
        tell_keys(r, input, channel);
    }
    input->seen = true;
    return !input->told || keep_increasing(r, channel);
}

/* Keys of length zero have no direction; they are left as they are: they count as no
 * rotation wherever a rotation is used. */
static void check_rotations(sinewi_reader *r, const sampler *s, const sinew_channel *channel) {
    bool cubic = channel->interpolation == SINEW_CUBICSPLINE;
    sinewi_accessor *output = &r->accessors[s->output];
    uint32_t *seen = &output->rotations_seen[cubic];
    uint64_t count = 0;
    uint32_t first = 0;
    for (uint32_t k = channel->key_count; k-- > *seen;) {
        const float *q = channel->values + (size_t)k * floats_per_key(channel) + (cubic ? 4 : 0);
        if (q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f && q[3] == 0.0f) {
            first = k;
            count++;
        }
    }
    *seen = channel->key_count > *seen ? channel->key_count : *seen;
    if (count > 0 && !output->told) {
        output->told = true;
        sinew_finding *finding =
            sinewi_note(r, SINEW_FINDING_QUATERNION_ZERO, output->token, NULL,
                        "a rotation key has length 0, %llu in all, the first is key %u",
                        (unsigned long long)count, first);
        sinewi_count(finding, count, &(uint64_t){first}, 1);
    }
}

static bool read_curve(sinewi_reader *r, const sampler *s, sinew_channel *channel) {
    channel->interpolation = s->interpolation;
    channel->key_count = r->accessors[s->input].count;
    if (!check_output_type(r, s, channel) || !check_output_count(r, s, channel)) {
        return false;
    }
    if (channel->interpolation == SINEW_CUBICSPLINE && channel->key_count < 2) {
        sinewi_note(r, SINEW_FINDING_COUNT, s->token, "input",
                    "CUBICSPLINE needs two keys, this has one");
    }
    channel->times = sinewi_floats(r, s->input);
    channel->values = sinewi_floats(r, s->output);
    if (!channel->times || !channel->values || !check_keys(r, s, channel)) {
        return false;
    }
    if (channel->path == SINEW_ROTATION) {
        check_rotations(r, s, channel);
    }
    return true;
}

/* ---- clips ---- */

/* A channel as read; node is filled in when it is written into the clip. */
typedef struct read_result {
    sinewi_channel_target target;
    sinew_channel channel;
} read_result;

static bool read_channel(sinewi_reader *r, uint32_t token, const sampler *samplers,
                         uint32_t sampler_count, read_result *result) {
    uint32_t index, target = sinewi_member(r, token, "target");
    if (sinewi_json_kind_of(&r->json, target) != SINEWI_JSON_OBJECT) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, "target",
                             "the channel has no target object");
    }
    if (!sinewi_need_index(r, token, "sampler", sampler_count, &index) ||
        !sinewi_read_channel_target(r, target, &result->target)) {
        return false;
    }
    const sampler *s = &samplers[index];
    result->channel.path = result->target.path;
    result->channel.width = result->target.width;
    result->channel.first = result->target.first;
    return s->input != SINEW_NONE && !s->unknown_interpolation &&
           read_curve(r, s, &result->channel);
}

/* A property that an earlier channel of the clip drives; *last remembers, one entry a
 * node and path, which clip drove it. */
static void check_twice(sinewi_reader *r, uint32_t token, uint32_t clip,
                        const sinewi_channel_target *target, uint32_t *last) {
    if (target->rank != SINEWI_NODE_PROPERTY) {
        return;
    }
    uint32_t *entry = &last[4 * (size_t)target->index + (size_t)target->path];
    if (*entry == clip + 1) {
        sinewi_note(r, SINEW_FINDING_CHANNEL_TWICE, token, "target",
                    "another channel of this clip drives the same property of node %u (%s)",
                    target->index, r->model->nodes[target->index].name);
    }
    *entry = clip + 1;
}

/* The nodes that follow each mesh: what drives its weights drives theirs, too. */
typedef struct followers {
    uint32_t *counts, *first; /* of a mesh */
    uint32_t *next;           /* of a node; SINEW_NONE: the last */
} followers;

/* What the clips of a file share. */
typedef struct clip_marks {
    uint32_t *last; /* see check_twice */
    followers of;
} clip_marks;

static bool find_followers(sinewi_reader *r, followers *of) {
    const sinew_model *model = r->model;
    of->counts = sinewi_scratch(r, model->mesh_count, sizeof *of->counts);
    of->first = sinewi_scratch(r, model->mesh_count, sizeof *of->first);
    of->next = sinewi_scratch(r, model->node_count, sizeof *of->next);
    if (!of->counts || !of->first || !of->next) {
        return false;
    }
    memset(of->first, 0xFF, model->mesh_count * sizeof *of->first);
    for (uint32_t n = model->node_count; n-- > 0;) {
        uint32_t mesh = model->nodes[n].mesh;
        if (mesh != SINEW_NONE && !r->own_weights[n]) {
            of->next[n] = of->first[mesh];
            of->first[mesh] = n;
            of->counts[mesh]++;
        }
    }
    return true;
}

/* How many channels of nodes one as read becomes. */
static uint32_t spread_of(const followers *of, const sinewi_channel_target *target) {
    return target->rank >= SINEWI_NODE_PROPERTY ? 1 : of->counts[target->index];
}

static void write_channel(const followers *of, const read_result *result, sinew_clip *clip,
                          sinew_channel *channels) {
    if (result->target.rank >= SINEWI_NODE_PROPERTY) {
        channels[clip->channel_count] = result->channel;
        channels[clip->channel_count++].node = result->target.index;
        return;
    }
    for (uint32_t n = of->first[result->target.index]; n != SINEW_NONE; n = of->next[n]) {
        channels[clip->channel_count] = result->channel;
        channels[clip->channel_count++].node = n;
    }
}

static bool write_channels(sinewi_reader *r, const followers *of, const read_result *results,
                           uint32_t count, sinew_clip *clip) {
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += spread_of(of, &results[i].target);
    }
    sinew_channel *channels = sinewi_keep(r, total, sizeof *channels);
    if (!channels) {
        return false;
    }
    clip->channels = channels;
    for (int rank = 0; rank < SINEWI_TARGET_RANKS; rank++) {
        for (uint32_t i = 0; i < count; i++) {
            if ((int)results[i].target.rank == rank) {
                write_channel(of, &results[i], clip, channels);
            }
        }
    }
    return true;
}

static bool read_samplers(sinewi_reader *r, uint32_t token, sampler **samplers, uint32_t *count) {
    uint32_t array, i = 0;
    if (!sinewi_list(r, token, "samplers", &array, count)) {
        return false;
    }
    if (*count == 0) {
        sinewi_refuse(r, SINEW_FINDING_EMPTY_CLIP, token, "samplers",
                      "the animation has no samplers");
        return false;
    }
    *samplers = sinewi_scratch(r, *count, sizeof **samplers);
    if (!*samplers) {
        return false;
    }
    SINEWI_EACH(r, array, at) {
        read_sampler(r, at, &(*samplers)[i++]);
    }
    return true;
}

static bool read_clip(sinewi_reader *r, uint32_t token, uint32_t index, sinew_clip *clip,
                      const clip_marks *marks) {
    uint32_t array, count, sampler_count;
    sampler *samplers = NULL;
    clip->name = sinewi_get_text(r, token, "name");
    if (!sinewi_list(r, token, "channels", &array, &count)) {
        return false;
    }
    if (count == 0) {
        return sinewi_refuse(r, SINEW_FINDING_EMPTY_CLIP, token, "channels",
                             "the animation has no channels");
    }
    if (!read_samplers(r, token, &samplers, &sampler_count)) {
        return false;
    }
    read_result *results = sinewi_scratch(r, count, sizeof *results);
    uint32_t sound = 0;
    if (!results) {
        return false;
    }
    SINEWI_EACH(r, array, at) {
        read_result *result = &results[sound];
        memset(result, 0, sizeof *result);
        if (read_channel(r, at, samplers, sampler_count, result)) {
            check_twice(r, at, index, &result->target, marks->last);
            double end = result->channel.times[result->channel.key_count - 1];
            clip->duration = end > clip->duration ? end : clip->duration;
            sound++;
        }
    }
    return write_channels(r, &marks->of, results, sound, clip);
}

bool sinewi_read_clips(sinewi_reader *r) {
    uint32_t array, i = 0;
    sinew_model *model = r->model;
    if (!sinewi_list(r, r->root, "animations", &array, &model->clip_count)) {
        return false;
    }
    sinew_clip *clips = sinewi_keep(r, model->clip_count, sizeof *clips);
    clip_marks marks = {sinewi_scratch(r, model->node_count, 4 * sizeof *marks.last), {0}};
    if (!clips || !marks.last || !find_followers(r, &marks.of)) {
        return false;
    }
    model->clips = clips;
    SINEWI_EACH(r, array, token) {
        read_clip(r, token, i, &clips[i], &marks);
        i++;
    }
    return true;
}
