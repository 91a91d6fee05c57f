/* Joints and weights made sound, once, so that no skinner and no shader has to: rule (a)
 * of the choices where glTF leaves room (3.7.3.3).
 *
 * A weight that is negative or not finite, or on a joint that the skin does not have,
 * becomes 0; all sets together are divided by their sum; a sum that does not divide binds
 * the vertex to the first joint it lists that the skin has, else to joint 0. */
#include "gltf/reader.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums further from 1 than this are told. Exporters that round to three digits stay
 * below it with four influences. */
#define SUM_TOLERANCE 2e-3

/* What was found in all vertices of a set, one finding each at the end. */
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

/* Memory for one primitive, given back after it: a file may have any number of them. */
static void *work(sinewi_reader *r, sinewi_arena *arena, size_t count, size_t size) {
    void *block = sinewi_arena_take(arena, count, size);
    if (!block) {
        r->scratch.over_limit = r->scratch.over_limit || arena->over_limit;
        sinewi_refuse_memory(r);
    }
    return block;
}

static bool gather_joints(sinewi_reader *r, const sinewi_influence_source *source,
                          sinewi_arena *arena, raw *out) {
    uint32_t *set = work(r, arena, out->vertices, 4 * sizeof *set);
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
    bool one_type = type != SINEWI_GLTF_F32;
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
    out->integer_type = !one_type ? SINEW_F32 : type == SINEWI_GLTF_U8 ? SINEW_U8 : SINEW_U16;
    return true;
}

static bool gather(sinewi_reader *r, const sinewi_influence_source *source, uint32_t vertices,
                   sinewi_arena *arena, raw *out) {
    size_t entries;
    *out = (raw){.per_vertex = 4 * source->set_count, .vertices = vertices};
    if (!sinewi_multiply(vertices, out->per_vertex, &entries)) {
        return sinewi_refuse_memory(r);
    }
    out->joints = work(r, arena, entries, sizeof *out->joints);
    out->weights = work(r, arena, entries, sizeof *out->weights);
    return out->joints && out->weights && gather_joints(r, source, arena, out) &&
           gather_weights(r, source, out);
}

/* The sum of the weights of a vertex, if there is nothing to put to 0; else -1. */
static inline double sound_sum(const uint32_t *joints, const float *weights, uint32_t n,
                               uint32_t limit) {
    double sum = 0.0;
    bool sound = true;
    for (uint32_t k = 0; k < n; k++) { /* without a branch: this is the usual vertex */
        sound = sound & (weights[k] >= 0.0f) & (weights[k] <= FLT_MAX) & (joints[k] < limit);
        sum += (double)weights[k];
    }
    return sound ? sum : -1.0;
}

/* Puts to 0 what may not count; returns the sum of the rest. *mended: a weight was lost,
 * so the sum is not the file's. */
static double clean_vertex(uint32_t *joints, float *weights, uint32_t n, uint32_t limit, uint32_t v,
                           tallies *sets, bool *mended) {
    double sum = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        tallies *found = &sets[k / 4];
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

static inline void clamp_joints(uint32_t *joints, uint32_t n, uint32_t limit) {
    for (uint32_t k = 0; k < n; k++) {
        joints[k] = joints[k] < limit ? joints[k] : 0;
    }
}

/* The sum of weights that stood as integers up to `whole`: value / 255 is so near that its
 * integer comes back by rounding. */
static inline uint64_t count_steps(const float *weights, uint32_t n, uint32_t whole) {
    uint64_t steps = 0;
    for (uint32_t k = 0; k < n; k++) {
        /* NOLINTNEXTLINE(bugprone-incorrect-roundings): it is next to a whole number */
        steps += (uint32_t)(weights[k] * (float)whole + 0.5f);
    }
    return steps;
}

/* Makes one vertex sound. whole: what its weights add up to where they stood as integers,
 * else 0. *exact: they do. */
static inline void settle_vertex(uint32_t *joints, float *weights, uint32_t n, uint32_t limit,
                                 uint32_t v, uint32_t whole, bool *exact, tallies *sets) {
    bool mended = false;
    double sum = sound_sum(joints, weights, n, limit);
    if (sum < 0.0) {
        sum = clean_vertex(joints, weights, n, limit, v, sets, &mended);
    }
    if (!divides(sum)) {
        count(&sets->zero_sum, v); /* of all sets: told at the first */
        bind_to_first(joints, weights, n, limit);
        clamp_joints(joints, n, limit);
        return;
    }
    if (!mended && fabs(sum - 1.0) > SUM_TOLERANCE) {
        count(&sets->sum, v);
    }
    bool is_whole = whole > 0 && count_steps(weights, n, whole) == whole;
    *exact = *exact && is_whole;
    if (!is_whole) {
        for (uint32_t k = 0; k < n; k++) {
            weights[k] = (float)((double)weights[k] / sum);
        }
    }
    clamp_joints(joints, n, limit);
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

static void tell_set(sinewi_reader *r, uint32_t joints, uint32_t weights, const tallies *found) {
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

/* Makes all vertices sound, and tells what was found. */
static bool settle(sinewi_reader *r, const sinewi_influence_source *source, sinewi_arena *arena,
                   raw *from, uint32_t limit, bool *exact) {
    uint32_t whole = from->integer_type == SINEW_U8    ? 255
                     : from->integer_type == SINEW_U16 ? 65535
                                                       : 0;
    tallies *sets = work(r, arena, source->set_count, sizeof *sets);
    if (!sets) {
        return false;
    }
    memset(sets, 0, source->set_count * sizeof *sets);
    *exact = from->integer_type != SINEW_F32;
    for (uint32_t v = 0; from->per_vertex == 4 && v < from->vertices; v++) { /* nearly all */
        size_t at = 4 * (size_t)v;
        settle_vertex(from->joints + at, from->weights + at, 4, limit, v, whole, exact, sets);
    }
    for (uint32_t v = 0; from->per_vertex != 4 && v < from->vertices; v++) {
        size_t at = (size_t)v * from->per_vertex;
        settle_vertex(from->joints + at, from->weights + at, from->per_vertex, limit, v, whole,
                      exact, sets);
    }
    for (uint32_t s = 0; s < source->set_count; s++) {
        tell_set(r, source->joints[s], source->weights[s], &sets[s]);
    }
    return true;
}

static bool make_in(sinewi_reader *r, const sinewi_influence_source *source, sinewi_arena *arena,
                    uint32_t vertices, uint32_t limit, sinew_influences *out,
                    uint32_t *largest_joint) {
    raw from;
    bool exact;
    if (!gather(r, source, vertices, arena, &from) ||
        !settle(r, source, arena, &from, limit, &exact)) {
        return false;
    }
    *largest_joint = from.largest_joint;
    out->joint_limit = limit;
    out->per_vertex = from.per_vertex;
    out->joint_type = limit <= 256 || from.largest_joint < 256 ? SINEW_U8 : SINEW_U16;
    out->weight_type = exact ? from.integer_type : SINEW_F32;
    return store_joints(r, &from, out) && store_weights(r, &from, out);
}

/* ---- what was made already ---- */

/* For one limit. */
typedef struct made_result {
    struct made_result *next;
    sinew_influences influences;
} made_result;

/* What was made of one source. Primitives share accessors, and skins of different sizes give
 * the same where no joint is beyond them. */
typedef struct sinewi_made_influences {
    made_result *whole;     /* for every limit above its largest joint */
    made_result *cut;       /* for each limit that is not */
    uint32_t largest_joint; /* known once something was made */
    const uint32_t *limits; /* of the last row that was handed out */
    const sinew_influences *row;
} sinewi_made_influences;

static int compare_accessors(const uint32_t *a, const uint32_t *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_sources(const void *a, const void *b) {
    const sinewi_influence_source *x = *(sinewi_influence_source *const *)a;
    const sinewi_influence_source *y = *(sinewi_influence_source *const *)b;
    if (x->set_count != y->set_count) {
        return x->set_count < y->set_count ? -1 : 1;
    }
    int order = compare_accessors(x->joints, y->joints, x->set_count);
    return order ? order : compare_accessors(x->weights, y->weights, x->set_count);
}

/* Sorted, so that no file can make finding them slow. */
bool sinewi_group_influences(sinewi_reader *r) {
    const sinew_model *model = r->model;
    uint32_t count = 0, groups = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        count += model->meshes[m].primitive_count;
    }
    sinewi_influence_source **sources = sinewi_scratch(r, count, sizeof *sources);
    r->made_influences = sinewi_scratch(r, count, sizeof *r->made_influences);
    if (!sources || !r->made_influences) {
        return false;
    }
    count = 0;
    for (uint32_t m = 0; m < model->mesh_count; m++) {
        for (uint32_t p = 0; p < model->meshes[m].primitive_count; p++) {
            sources[count++] = &r->influence_sources[m][p];
        }
    }
    qsort(sources, count, sizeof *sources, compare_sources);
    for (uint32_t i = 0; i < count; i++) {
        groups += i > 0 && compare_sources(&sources[i - 1], &sources[i]) != 0;
        sources[i]->group = groups;
    }
    return true;
}

static const made_result *make(sinewi_reader *r, const sinewi_influence_source *source,
                               uint32_t vertices, uint32_t limit) {
    sinewi_made_influences *made = &r->made_influences[source->group];
    made_result *result = sinewi_scratch(r, 1, sizeof *result);
    sinewi_arena arena;
    if (!result) {
        return NULL;
    }
    sinewi_arena_init(&arena, &r->arena->allocator, &r->budget);
    bool sound =
        make_in(r, source, &arena, vertices, limit, &result->influences, &made->largest_joint);
    sinewi_arena_free(&arena);
    if (!sound) {
        return NULL;
    }
    made_result **list = made->largest_joint < limit ? &made->whole : &made->cut;
    result->next = *list;
    *list = result;
    return result;
}

static const made_result *find_or_make(sinewi_reader *r, const sinewi_influence_source *source,
                                       uint32_t vertices, uint32_t limit) {
    const sinewi_made_influences *made = &r->made_influences[source->group];
    const made_result *found = made->cut;
    if (made->whole && made->largest_joint < limit) {
        return made->whole;
    }
    while (found && found->influences.joint_limit != limit) {
        found = found->next;
    }
    return found ? found : make(r, source, vertices, limit);
}

const sinew_influences *sinewi_make_influences(sinewi_reader *r,
                                               const sinewi_influence_source *source,
                                               uint32_t vertex_count, const uint32_t *limits,
                                               uint32_t limit_count) {
    sinewi_made_influences *made = &r->made_influences[source->group];
    if (made->row && made->limits == limits) {
        return made->row;
    }
    sinew_influences *row = sinewi_keep(r, limit_count, sizeof *row);
    for (uint32_t i = 0; row && i < limit_count; i++) {
        const made_result *result = find_or_make(r, source, vertex_count, limits[i]);
        if (!result) {
            return NULL;
        }
        row[i] = result->influences;
        row[i].joint_limit = limits[i];
    }
    made->limits = limits;
    made->row = row;
    return row;
}
