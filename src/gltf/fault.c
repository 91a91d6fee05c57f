/* How the reader says what is wrong. */
#include "gltf/reader.h"

#include <stdio.h>
#include <string.h>

#define POINTER_LENGTH 512
#define MESSAGE_LENGTH 400

static sinew_result result_of(sinew_code code) {
    switch (code) {
    case SINEW_FINDING_CODEC_UNSUPPORTED:
    case SINEW_FINDING_EXTENSION: return SINEW_ERROR_UNSUPPORTED;
    case SINEW_FINDING_LIMIT:
    case SINEW_FINDING_JSON_DEPTH: return SINEW_ERROR_LIMIT;
    case SINEW_FINDING_FILE: return SINEW_ERROR_FILE;
    default: return SINEW_ERROR_DATA;
    }
}

/* A pointer costs time, so it is only made where somebody will see it. */
static bool is_wanted(const sinewi_reader *r, bool refusing) {
    const sinew_findings *sink = r->options->findings;
    return (sink && sink->count < SINEW_FINDINGS_MOST) || (refusing && !r->refused && r->error);
}

static sinew_finding *say(sinewi_reader *r, bool refusing, sinew_code code, uint32_t token,
                          const char *name, const char *format, va_list arguments)
    SINEWI_PRINTF(6, 0);
static sinew_finding *say(sinewi_reader *r, bool refusing, sinew_code code, uint32_t token,
                          const char *name, const char *format, va_list arguments) {
    char pointer[POINTER_LENGTH] = "";
    char message[MESSAGE_LENGTH] = "";
    const sinew_code_info *row = sinew_code_info_of(code);
    /* Memory and limits are never mended: what was asked for is not there. */
    bool breaking = refusing && !(r->mending && code != SINEW_FINDING_LIMIT);
    refusing = breaking || (r->options->strict && row->severity == SINEW_ERROR);
    r->broken = r->broken || breaking;
    if (is_wanted(r, refusing)) {
        if (r->json.count > 0) {
            sinewi_json_pointer(&r->json, token, name, pointer, sizeof pointer);
        }
        vsnprintf(message, sizeof message, format, arguments);
        sinewi_text_tidy(pointer);
        sinewi_text_tidy(message);
    }
    sinew_finding *finding = sinew_findings_add(r->options->findings, code, pointer, message);
    if (refusing && !r->refused) {
        r->refused = true;
        sinewi_fail(r->error, result_of(code), pointer, "%s", message);
    }
    return finding;
}

sinew_finding *sinewi_note(sinewi_reader *r, sinew_code code, uint32_t token, const char *name,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sinew_finding *finding = say(r, false, code, token, name, format, arguments);
    va_end(arguments);
    return finding;
}

void sinewi_count(sinew_finding *finding, uint64_t count, const uint64_t *examples,
                  uint32_t example_count) {
    if (finding) {
        finding->count = count;
        finding->example_count = example_count;
        memcpy(finding->examples, examples, example_count * sizeof *examples);
    }
}

bool sinewi_refuse(sinewi_reader *r, sinew_code code, uint32_t token, const char *name,
                   const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(r, true, code, token, name, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_refuse_limit(sinewi_reader *r, uint32_t token, const char *name, const char *limit,
                         uint64_t asked, uint64_t allowed) {
    return sinewi_refuse(r, SINEW_FINDING_LIMIT, token, name, "%llu %s, the limit on %s is %llu",
                         (unsigned long long)asked, limit, limit, (unsigned long long)allowed);
}

bool sinewi_refuse_memory(sinewi_reader *r) {
    bool over_limit = r->arena->over_limit || r->scratch.over_limit;
    if (over_limit && !r->limit_told) {
        r->limit_told = true;
        return sinewi_refuse(r, SINEW_FINDING_LIMIT, r->root, NULL,
                             "reading needs more memory than the limit on bytes, %llu",
                             (unsigned long long)r->budget.limit);
    }
    r->broken = true;
    if (!r->refused) {
        r->refused = true;
        sinewi_fail(r->error, SINEW_ERROR_MEMORY, "", "out of memory");
    }
    return false;
}

void *sinewi_keep(sinewi_reader *r, size_t count, size_t size) {
    void *block = sinewi_arena_take_zeroed(r->arena, count, size);
    if (!block) {
        sinewi_refuse_memory(r);
    }
    return block;
}

void *sinewi_scratch(sinewi_reader *r, size_t count, size_t size) {
    void *block = sinewi_arena_take_zeroed(&r->scratch, count, size);
    if (!block) {
        sinewi_refuse_memory(r);
    }
    return block;
}
