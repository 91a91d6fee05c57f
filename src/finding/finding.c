#include "sinew/finding.h"

#include "base/memory.h"

#include <string.h>

static const sinew_code_info table[SINEW_CODE_COUNT] = {
#define ROW(name, word, severity, effect, mend) {word, severity, effect, mend},
    SINEW_FINDING_TABLE(ROW)
#undef ROW
};

/* The open struct comes first: a sinew_findings * is a sink *. */
typedef struct sink {
    sinew_findings open;
    sinewi_arena arena;
    sinew_finding *items;
    size_t capacity;
} sink;

const sinew_code_info *sinew_code_info_of(sinew_code code) {
    return (unsigned)code < SINEW_CODE_COUNT ? &table[code] : NULL;
}

const char *sinew_severity_word(sinew_severity severity) {
    switch (severity) {
    case SINEW_INFO: return "info";
    case SINEW_WARNING: return "warning";
    case SINEW_ERROR: return "error";
    }
    return "unknown";
}

sinew_findings *sinew_findings_create(const sinew_allocator *allocator) {
    sinew_allocator chosen = sinewi_allocator_or_default(allocator);
    sink *made = sinewi_allocate_zeroed(&chosen, 1, sizeof *made);
    if (!made) {
        return NULL;
    }
    sinewi_arena_init(&made->arena, &chosen, NULL);
    made->open.owner = made;
    return &made->open;
}

void sinew_findings_free(sinew_findings *findings) {
    if (!findings) {
        return;
    }
    sink *of = findings->owner;
    sinew_allocator allocator = of->arena.allocator;
    sinewi_release(&allocator, of->items, of->capacity * sizeof *of->items);
    sinewi_arena_free(&of->arena);
    sinewi_release(&allocator, of, sizeof *of);
}

static bool make_room(sink *of) {
    if (of->open.count < of->capacity) {
        return true;
    }
    size_t capacity = of->capacity ? 2 * of->capacity : 16;
    sinew_finding *items = sinewi_resize(&of->arena.allocator, of->items,
                                         of->capacity * sizeof *items, capacity * sizeof *items);
    if (!items) {
        return false;
    }
    of->items = items;
    of->capacity = capacity;
    of->open.items = items;
    return true;
}

sinew_finding *sinew_findings_add(sinew_findings *findings, sinew_code code, const char *pointer,
                                  const char *message) {
    const sinew_code_info *row = sinew_code_info_of(code);
    if (!findings || !row) {
        return NULL;
    }
    pointer = pointer ? pointer : "";
    message = message ? message : "";
    sink *of = findings->owner;
    findings->error_count += row->severity == SINEW_ERROR;
    findings->warning_count += row->severity == SINEW_WARNING;
    if (findings->count >= SINEW_FINDINGS_MOST || !make_room(of)) {
        findings->left_out++;
        return NULL;
    }
    const char *kept_pointer = sinewi_arena_text(&of->arena, pointer, strlen(pointer));
    const char *kept_message = sinewi_arena_text(&of->arena, message, strlen(message));
    if (!kept_pointer || !kept_message) {
        findings->left_out++;
        return NULL;
    }
    sinew_finding *finding = &of->items[findings->count++];
    memset(finding, 0, sizeof *finding);
    finding->code = code;
    finding->severity = row->severity;
    finding->pointer = kept_pointer;
    finding->message = kept_message;
    finding->count = 1;
    return finding;
}
