/* From bytes to a JSON index: GLB chunks or plain text (glTF 2.0, 4.4 and 3.3). */
#include "gltf/reader.h"

#include <string.h>

#define GLB_HEADER 12
#define CHUNK_HEADER 8
#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN 0x004E4942u

static uint32_t u32_at(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool broken_glb(sinewi_reader *r, const char *what) {
    return sinewi_refuse(r, SINEW_FINDING_GLB, SINEWI_JSON_NONE, NULL, "%s", what);
}

/* Finds both chunks and checks that all others stay inside. */
static bool split_glb(sinewi_reader *r, const uint8_t *data, size_t size, const char **text,
                      size_t *text_size) {
    if (size < GLB_HEADER) {
        return broken_glb(r, "the file ends inside the GLB header");
    }
    if (u32_at(data + 4) != 2) {
        return sinewi_refuse(r, SINEW_FINDING_VERSION, SINEWI_JSON_NONE, NULL,
                             "GLB container version %u, only 2 is glTF 2.0", u32_at(data + 4));
    }
    size_t length = u32_at(data + 8);
    if (length > size) {
        return sinewi_refuse(r, SINEW_FINDING_GLB, SINEWI_JSON_NONE, NULL,
                             "the GLB header says %zu bytes, the file has %zu", length, size);
    }
    uint32_t chunk = 0;
    for (size_t at = GLB_HEADER; at < length; chunk++) {
        if (length - at < CHUNK_HEADER) {
            return broken_glb(r, "the file ends inside the header of a chunk");
        }
        uint32_t chunk_size = u32_at(data + at), kind = u32_at(data + at + 4);
        at += CHUNK_HEADER;
        if (chunk_size > length - at) {
            return sinewi_refuse(r, SINEW_FINDING_GLB, SINEWI_JSON_NONE, NULL,
                                 "chunk %u says %u bytes, %zu are left", chunk, chunk_size,
                                 length - at);
        }
        if (chunk == 0 && kind != CHUNK_JSON) {
            return broken_glb(r, "the first chunk is not JSON");
        }
        if (chunk == 0) {
            *text = (const char *)data + at;
            *text_size = chunk_size;
        } else if (chunk == 1 && kind == CHUNK_BIN) {
            r->binary = data + at;
            r->binary_size = chunk_size;
        }
        at += chunk_size;
    }
    return chunk > 0 || broken_glb(r, "the GLB has no chunk");
}

static bool refuse_text(sinewi_reader *r, const char *text, size_t size,
                        const sinewi_json_report *report) {
    r->refused = r->broken = true;
    char pointer[64] = "";
    size_t key = report->member_end - report->member_start;
    bool plain = key > 0 && key + 2 <= sizeof pointer && /* nothing to escape */
                 !memchr(text + report->member_start, '/', key) &&
                 !memchr(text + report->member_start, '~', key) &&
                 !memchr(text + report->member_start, '\\', key);
    if (report->state == SINEWI_JSON_TOO_DEEP && plain) {
        pointer[0] = '/';
        memcpy(pointer + 1, text + report->member_start, key);
        pointer[key + 1] = '\0';
    }
    size_t line = 1;
    for (size_t i = 0; i < report->offset && i < size; i++) {
        line += text[i] == '\n';
    }
    bool deep = report->state == SINEWI_JSON_TOO_DEEP;
    sinew_error said = {SINEW_OK, "", ""};
    if (deep) {
        sinewi_fail(&said, SINEW_ERROR_LIMIT, pointer,
                    "JSON nested deeper than the limit on depth, %u (byte %zu)",
                    r->limits.json_depth, report->offset);
    } else {
        sinewi_fail(&said, SINEW_ERROR_DATA, pointer, "not JSON: %s (byte %zu, line %zu)",
                    report->fault, report->offset, line);
    }
    sinew_findings_add(r->options->findings, deep ? SINEW_FINDING_JSON_DEPTH : SINEW_FINDING_JSON,
                       pointer, said.message);
    sinewi_fail(r->error, said.result, pointer, "%s", said.message);
    return false;
}

static bool index_text(sinewi_reader *r, const char *text, size_t size) {
    if (size > INT32_MAX) { /* the tokens have 32 bits for a place */
        return sinewi_refuse_limit(r, SINEWI_JSON_NONE, NULL, "bytes of JSON", size, INT32_MAX);
    }
    if (size == 0) {
        return sinewi_refuse(r, SINEW_FINDING_JSON, SINEWI_JSON_NONE, NULL,
                             "not JSON: there is no text (byte 0)");
    }
    sinewi_json_report report =
        sinewi_json_read(&r->json, text, size, r->limits.json_depth, &r->scratch);
    if (report.state == SINEWI_JSON_NO_MEMORY) {
        return sinewi_refuse_memory(r);
    }
    return report.state == SINEWI_JSON_SOUND || refuse_text(r, text, size, &report);
}

bool sinewi_read_container(sinewi_reader *r, const void *data, size_t size, bool stays) {
    const char *text = data;
    size_t text_size = size;
    r->binary_stays = stays;
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) {
        if (!split_glb(r, data, size, &text, &text_size)) {
            return false;
        }
    }
    if (text_size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3; /* a byte order mark: glTF forbids it, and it does no harm */
        text_size -= 3;
    }
    return index_text(r, text, text_size);
}
