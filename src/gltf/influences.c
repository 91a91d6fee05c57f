/* Joints and weights made sound, once, so that no skinner and no shader has to: rule (a)
 * of the choices where glTF leaves room (3.7.3.3).
 *
 * A weight that is negative or not finite, or on a joint that the skin does not have,
 * becomes 0; all sets together are divided by their sum; a sum that does not divide binds
 * the vertex to the first joint it lists that the skin has, else to joint 0. */
#include "gltf/reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sums further from 1 than this are told. Exporters that round to three digits stay
 * below it with four influences. */
#define SUM_TOLERANCE 2e-3

/* What was found in all vertices of a primitive, one finding each at the end. */
typedef struct tally {
    uint64_t count;
    uint64_t first[SINEW_FINDING_EXAMPLES];
} tally;

typedef struct tallies {
    tally negative, nonfinite, out_of_range, unused, zero_sum, sum;
} tallies;

static void count(tally *t, uint32_t vertex) {
    if (t->count < SINEW_FINDING_EXAMPLES) {
        t->first[t->count] = vertex;
    }
    t->count++;
}

/* The raw influences of a primitive: per_vertex entries a vertex, sets in order. */
typedef struct raw {
    uint32_t per_vertex, vertices;
    uint32_t *joints;
    float *weights;               /* normalised integers as value / 255 and so on */
    sinew_component integer_type; /* of all sets, SINEW_F32 where there is none */
    uint32_t largest_joint;
} raw;

static bool gather_joints(sinewi_reader *r, const sinewi_influence_source *source, raw *out) {
    uint32_t *set = sinewi_scratch(r, out->vertices, 4 * sizeof *set);
    if (!set) {
        return false;
    }
    for (uint32_t s = 0; s < source->set_count; s++) {
        sinewi_unsigned_into(&r->accessors[source->joints[s]], set);
        for (uint32_t v = 0; v < out->vertices; v++) {
            for (uint32_t c = 0; c < 4; c++) {
                uint32_t joint = set[4 * (size_t)v + c];
                out->joints[(size_t)v * out->per_vertex + 4 * s + c] = joint;
                out->largest_joint = joint > out->largest_joint ? joint : out->largest_joint;
            }
        }
    }
    return true;
}

static bool gather_weights(sinewi_reader *r, const sinewi_influence_source *source, raw *out) {
    sinewi_component type = r->accessors[source->weights[0]].component;
    bool one_type = type != SINEWI_F32;
    for (uint32_t s = 0; s < source->set_count; s++) {
        const float *set = sinewi_raw_floats(r, source->weights[s]);
        if (!set) {
            return false;
        }
        for (uint32_t v = 0; v < out->vertices; v++) {
            memcpy(out->weights + (size_t)v * out->per_vertex + 4 * s, set + 4 * (size_t)v,
                   4 * sizeof *set);
        }
        one_type = one_type && r->accessors[source->weights[s]].component == type;
    }
    out->integer_type = !one_type ? SINEW_F32 : type == SINEWI_U8 ? SINEW_U8 : SINEW_U16;
    return true;
}

static bool gather(sinewi_reader *r, const sinewi_influence_source *source, uint32_t vertices,
                   raw *out) {
    size_t entries;
    *out = (raw){.per_vertex = 4 * source->set_count, .vertices = vertices};
    if (!sinewi_multiply(vertices, out->per_vertex, &entries)) {
        return sinewi_refuse_memory(r);
    }
    out->joints = sinewi_scratch(r, entries, sizeof *out->joints);
    out->weights = sinewi_scratch(r, entries, sizeof *out->weights);
    return out->joints && out->weights && gather_joints(r, source, out) &&
           gather_weights(r, source, out);
}

/* Puts to 0 what may not count; returns the sum of the rest. *mended: a weight was lost,
 * so the sum is not the file's. */
static double clean_vertex(uint32_t *joints, float *weights, uint32_t n, uint32_t limit, uint32_t v,
                           tallies *found, bool *mended) {
    double sum = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        if (!isfinite(weights[k])) {
            count(&found->nonfinite, v);
            *mended = true;
            weights[k] = 0.0f;
        } else if (weights[k] < 0.0f) {
            count(&found->negative, v);
            *mended = true;
            weights[k] = 0.0f;
        } else if (joints[k] >= limit) {
            bool used = weights[k] > 0.0f;
            count(used ? &found->out_of_range : &found->unused, v);
            *mended = *mended || used;
            weights[k] = 0.0f;
        }
        sum += weights[k];
    }
    return sum;
}

static bool divides(double sum) {
    return sum >= (double)FLT_MIN && sum <= (double)FLT_MAX;
}

static void bind_to_first(const uint32_t *joints, float *weights, uint32_t n, uint32_t limit) {
    uint32_t chosen = 0;
    while (chosen < n && joints[chosen] >= limit) {
        chosen++;
    }
    memset(weights, 0, n * sizeof *weights);
    weights[chosen < n ? chosen : 0] = 1.0f; /* none: entry 0, whose joint becomes 0 */
}

/* Makes one vertex sound. *exact: its weights are a whole sum of the stored integers. */
static void settle_vertex(uint32_t *joints, float *weights, uint32_t n, uint32_t limit, uint32_t v,
                          float whole, bool *exact, tallies *found) {
    bool mended = false;
    double sum = clean_vertex(joints, weights, n, limit, v, found, &mended);
    if (!divides(sum)) {
        count(&found->zero_sum, v);
        bind_to_first(joints, weights, n, limit);
    } else {
        if (!mended && fabs(sum - 1.0) > SUM_TOLERANCE) {
            count(&found->sum, v);
        }
        double steps = 0.0; /* exact in double: value / 255 rounds back to its integer */
        for (uint32_t k = 0; k < n; k++) {
            steps += round((double)weights[k] * (double)whole);
        }
        *exact = *exact && steps == (double)whole;
        if (whole == 0.0f || steps != (double)whole) {
            for (uint32_t k = 0; k < n; k++) {
                weights[k] = (float)((double)weights[k] / sum);
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        joints[k] = joints[k] < limit ? joints[k] : 0;
    }
}

static void tell(sinewi_reader *r, uint32_t accessor, sinew_code code, const tally *t,
                 const char *what) {
    if (t->count == 0) {
        return;
    }
    sinew_finding *finding =
        sinewi_note(r, code, r->accessors[accessor].token, NULL,
                    "%s in %llu place%s, first at vertex %llu", what, (unsigned long long)t->count,
                    t->count == 1 ? "" : "s", (unsigned long long)t->first[0]);
    uint64_t shown = t->count < SINEW_FINDING_EXAMPLES ? t->count : SINEW_FINDING_EXAMPLES;
    sinewi_count(finding, t->count, t->first, (uint32_t)shown);
}

static void tell_all(sinewi_reader *r, const sinewi_influence_source *source,
                     const tallies *found) {
    uint32_t joints = source->joints[0], weights = source->weights[0];
    tell(r, weights, SINEW_FINDING_WEIGHTS_NONFINITE, &found->nonfinite,
         "a weight is NaN or infinite");
    tell(r, weights, SINEW_FINDING_WEIGHTS_NEGATIVE, &found->negative, "a weight is negative");
    tell(r, joints, SINEW_FINDING_JOINT_RANGE, &found->out_of_range,
         "a weight is on a joint that the skin does not have");
    tell(r, joints, SINEW_FINDING_JOINT_RANGE_UNUSED, &found->unused,
         "a slot of weight 0 names a joint that the skin does not have");
    tell(r, weights, SINEW_FINDING_WEIGHTS_ZERO_SUM, &found->zero_sum,
         "the weights of a vertex do not add up to anything");
    tell(r, weights, SINEW_FINDING_WEIGHTS_SUM, &found->sum,
         "the weights of a vertex do not add up to 1");
}

/* ---- into the types that the model keeps ---- */

static bool store_joints(sinewi_reader *r, const raw *from, sinew_influences *out) {
    size_t entries = (size_t)from->vertices * from->per_vertex;
    bool small = out->joint_type == SINEW_U8;
    uint8_t *bytes = small ? sinewi_keep(r, entries, 1) : NULL;
    uint16_t *shorts = small ? NULL : sinewi_keep(r, entries, sizeof *shorts);
    out->joints = small ? (void *)bytes : (void *)shorts;
    for (size_t i = 0; out->joints && i < entries; i++) {
        if (small) {
            bytes[i] = (uint8_t)from->joints[i];
        } else {
            shorts[i] = (uint16_t)from->joints[i];
        }
    }
    return out->joints != NULL;
}

static bool store_weights(sinewi_reader *r, const raw *from, sinew_influences *out) {
    size_t entries = (size_t)from->vertices * from->per_vertex;
    void *stored = sinewi_keep(r, entries, (size_t)out->weight_type);
    out->weights = stored;
    if (!stored) {
        return false;
    }
    if (out->weight_type == SINEW_F32) {
        memcpy(stored, from->weights, entries * sizeof *from->weights);
    }
    for (size_t i = 0; out->weight_type == SINEW_U8 && i < entries; i++) {
        ((uint8_t *)stored)[i] = (uint8_t)lroundf(from->weights[i] * 255.0f);
    }
    for (size_t i = 0; out->weight_type == SINEW_U16 && i < entries; i++) {
        ((uint16_t *)stored)[i] = (uint16_t)lroundf(from->weights[i] * 65535.0f);
    }
    return true;
}

static bool make_for_limit(sinewi_reader *r, const sinewi_influence_source *source, raw *from,
                           uint32_t limit, sinew_influences *out) {
    float whole = from->integer_type == SINEW_U8    ? 255.0f
                  : from->integer_type == SINEW_U16 ? 65535.0f
                                                    : 0.0f;
    bool exact = from->integer_type != SINEW_F32;
    tallies found;
    memset(&found, 0, sizeof found);
    for (uint32_t v = 0; v < from->vertices; v++) {
        size_t at = (size_t)v * from->per_vertex;
        settle_vertex(from->joints + at, from->weights + at, from->per_vertex, limit, v, whole,
                      &exact, &found);
    }
    tell_all(r, source, &found);
    out->joint_limit = limit;
    out->per_vertex = from->per_vertex;
    out->joint_type = limit <= 256 || from->largest_joint < 256 ? SINEW_U8 : SINEW_U16;
    out->weight_type = exact ? from->integer_type : SINEW_F32;
    return store_joints(r, from, out) && store_weights(r, from, out);
}

bool sinewi_make_influences(sinewi_reader *r, const sinewi_influence_source *source,
                            uint32_t vertex_count, const uint32_t *limits, uint32_t limit_count,
                            sinew_influences *out) {
    for (uint32_t i = 0; i < limit_count; i++) {
        raw from;
        if (!gather(r, source, vertex_count, &from)) {
            return false;
        }
        /* Where no joint reaches the limit, the result is that of any other such limit. */
        for (uint32_t k = 0; k < i; k++) {
            if (from.largest_joint < limits[i] && from.largest_joint < limits[k]) {
                out[i] = out[k];
                out[i].joint_limit = limits[i];
            }
        }
        if (!out[i].joints && !make_for_limit(r, source, &from, limits[i], &out[i])) {
            return false;
        }
    }
    return true;
}
