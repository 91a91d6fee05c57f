/* Members of the JSON with the types that glTF gives them. */
#include "gltf/reader.h"

#include <float.h>
#include <math.h>

bool sinewi_index_of(sinewi_reader *r, uint32_t token, uint32_t count, uint32_t *out) {
    uint64_t value;
    bool huge;
    *out = SINEW_NONE;
    if (!sinewi_json_whole(&r->json, token, &value, &huge) && !huge) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, NULL,
                             "an index (a whole number from 0 on) is expected here");
    }
    if (huge || value >= count) {
        return sinewi_refuse(
            r, SINEW_FINDING_REFERENCE, token, NULL, "index %llu does not exist, there are %u",
            huge ? (unsigned long long)UINT64_MAX : (unsigned long long)value, count);
    }
    *out = (uint32_t)value;
    return true;
}

bool sinewi_get_index(sinewi_reader *r, uint32_t object, const char *key, uint32_t count,
                      uint32_t *out) {
    uint32_t token = sinewi_member(r, object, key);
    *out = SINEW_NONE;
    return token == SINEWI_JSON_NONE || sinewi_index_of(r, token, count, out);
}

bool sinewi_need_index(sinewi_reader *r, uint32_t object, const char *key, uint32_t count,
                       uint32_t *out) {
    uint32_t token = sinewi_member(r, object, key);
    if (token == SINEWI_JSON_NONE) {
        *out = SINEW_NONE;
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, object, key, "%s is missing", key);
    }
    return sinewi_index_of(r, token, count, out);
}

bool sinewi_get_whole(sinewi_reader *r, uint32_t object, const char *key, uint64_t *out) {
    uint32_t token = sinewi_member(r, object, key);
    bool huge;
    if (token == SINEWI_JSON_NONE || sinewi_json_whole(&r->json, token, out, &huge)) {
        return true;
    }
    if (huge) {
        *out = UINT64_MAX; /* the bounds check that follows refuses it with its place */
        return true;
    }
    return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, NULL, "%s is not a whole number from 0 on",
                         key);
}

static bool float_of(sinewi_reader *r, uint32_t token, uint32_t place, float *out) {
    if (sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_NUMBER) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, place, NULL, "a number is expected here");
    }
    double value = sinewi_json_double(&r->json, token);
    if (!(fabs(value) <= (double)FLT_MAX)) {
        return sinewi_refuse(r, SINEW_FINDING_NONFINITE, place, NULL,
                             "a number is too large for a float");
    }
    *out = (float)value;
    return true;
}

bool sinewi_get_floats(sinewi_reader *r, uint32_t object, const char *key, uint32_t n, float *out,
                       bool *there) {
    uint32_t array = sinewi_member(r, object, key);
    *there = array != SINEWI_JSON_NONE;
    if (!*there) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, array) != SINEWI_JSON_ARRAY ||
        sinewi_json_size(&r->json, array) != n) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, array, NULL,
                             "%s is not an array of %u numbers", key, n);
    }
    uint32_t i = 0;
    SINEWI_EACH(r, array, token) {
        if (!float_of(r, token, array, &out[i++])) {
            return false;
        }
    }
    return true;
}

bool sinewi_get_float(sinewi_reader *r, uint32_t object, const char *key, float *out) {
    uint32_t token = sinewi_member(r, object, key);
    return token == SINEWI_JSON_NONE || float_of(r, token, token, out);
}

bool sinewi_get_bool(sinewi_reader *r, uint32_t object, const char *key) {
    uint32_t token = sinewi_member(r, object, key);
    if (token != SINEWI_JSON_NONE && sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_WORD) {
        sinewi_note(r, SINEW_FINDING_SCHEMA, token, NULL, "%s is neither true nor false", key);
    }
    return token != SINEWI_JSON_NONE && sinewi_json_is_true(&r->json, token);
}

const char *sinewi_get_text(sinewi_reader *r, uint32_t object, const char *key) {
    uint32_t token = sinewi_member(r, object, key);
    if (token == SINEWI_JSON_NONE) {
        return "";
    }
    if (sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_STRING) {
        sinewi_note(r, SINEW_FINDING_SCHEMA, token, NULL, "%s is not a string", key);
        return "";
    }
    const char *text = sinewi_json_string(&r->json, token, r->arena, NULL);
    if (!text) {
        sinewi_refuse_memory(r);
        return "";
    }
    return text;
}

bool sinewi_list(sinewi_reader *r, uint32_t object, const char *key, uint32_t *array,
                 uint32_t *count) {
    *array = sinewi_member(r, object, key);
    *count = 0;
    if (*array == SINEWI_JSON_NONE) {
        return true;
    }
    if (sinewi_json_kind_of(&r->json, *array) != SINEWI_JSON_ARRAY) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, *array, NULL, "%s is not an array", key);
    }
    SINEWI_EACH(r, *array, token) {
        if (sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_OBJECT) {
            return sinewi_refuse(r, SINEW_FINDING_SCHEMA, *array, NULL,
                                 "%s is not an array of objects", key);
        }
    }
    *count = sinewi_json_size(&r->json, *array);
    return true;
}
