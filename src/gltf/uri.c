/* Bytes behind a uri: base64 in the JSON, or a file below the model's folder.
 * RFC 3986 for percent-encoding, RFC 4648 for base64. */
#include "base/file.h"
#include "gltf/reader.h"

#include <string.h>

/* ---- base64 ---- */

static int base64_digit(unsigned char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static void fill_digits(int8_t digits[256]) {
    for (int c = 0; c < 256; c++) {
        digits[c] = (int8_t)base64_digit((unsigned char)c);
    }
}

/* Writes (length * 6) / 8 bytes; -1, or the place of the character that is none. */
static ptrdiff_t decode_base64(const char *text, size_t length, uint8_t *out) {
    int8_t digits[256];
    fill_digits(digits);
    size_t i = 0;
    for (; i + 4 <= length; i += 4) {
        int a = digits[(unsigned char)text[i]], b = digits[(unsigned char)text[i + 1]];
        int c = digits[(unsigned char)text[i + 2]], d = digits[(unsigned char)text[i + 3]];
        if ((a | b | c | d) < 0) {
            break; /* the slow loop below finds which */
        }
        *out++ = (uint8_t)(a << 2 | b >> 4);
        *out++ = (uint8_t)(b << 4 | c >> 2);
        *out++ = (uint8_t)(c << 6 | d);
    }
    uint32_t bits = 0;
    unsigned count = 0;
    for (; i < length; i++) {
        int digit = digits[(unsigned char)text[i]];
        if (digit < 0) {
            return (ptrdiff_t)i;
        }
        bits = (bits << 6 | (uint32_t)digit) & 0xFFFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            *out++ = (uint8_t)(bits >> count);
        }
    }
    return -1;
}

static bool read_data_uri(sinewi_reader *r, uint32_t token, const char *uri, size_t length,
                          const uint8_t **data, uint64_t *size) {
    const char *comma = memchr(uri, ',', length);
    size_t head = comma ? (size_t)(comma - uri) : 0;
    if (head < 7 || memcmp(comma - 7, ";base64", 7) != 0) {
        return sinewi_refuse(r, SINEW_FINDING_URI, token, NULL,
                             "a data URI without base64 cannot be read");
    }
    const char *text = comma + 1;
    size_t digits = length - head - 1;
    size_t padding = 0;
    while (padding < 2 && digits > 0 && text[digits - 1] == '=') {
        digits--;
        padding++;
    }
    if (digits % 4 == 1 || (padding > 0 && (digits + padding) % 4 != 0)) {
        return sinewi_refuse(r, SINEW_FINDING_BASE64, token, NULL, "base64 of impossible length");
    }
    uint8_t *out = sinewi_arena_take(r->arena, digits / 4 * 3 + 3, 1);
    if (!out) {
        return sinewi_refuse_memory(r);
    }
    ptrdiff_t odd = decode_base64(text, digits, out);
    if (odd >= 0) {
        return sinewi_refuse(r, SINEW_FINDING_BASE64, token, NULL,
                             "a character that is none of base64's");
    }
    *data = out;
    *size = digits / 4 * 3 + (digits % 4 ? digits % 4 - 1 : 0);
    return true;
}

/* ---- files ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false at a % without two digits, or a zero byte. */
static bool decode_percent(char *path) {
    char *out = path;
    for (const char *at = path; *at; at++) {
        if (*at != '%') {
            *out++ = *at;
            continue;
        }
        int high = hex_digit(at[1]);
        int low = high < 0 ? -1 : hex_digit(at[2]);
        if (low < 0 || (high == 0 && low == 0)) {
            return false;
        }
        *out++ = (char)(high << 4 | low);
        at += 2;
    }
    *out = '\0';
    return true;
}

/* A path that can only lead below the folder: relative, no scheme or drive, no "..". The
 * backslash separates on some systems, so it is one everywhere. */
static bool is_below(const char *path) {
    if (path[0] == '/' || path[0] == '\\' || path[0] == '\0') {
        return false;
    }
    size_t first = strcspn(path, "/\\");
    if (memchr(path, ':', first)) {
        return false;
    }
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            return false;
        }
        part += length;
        part += *part != '\0';
    }
    return true;
}

static void release_file(void *user, const void *data, size_t size) {
    (void)data;
    (void)size;
    sinewi_file_close(user);
}

bool sinewi_open_kept(sinewi_reader *r, const char *path, bool map, sinew_error *why,
                      const uint8_t **data, uint64_t *size) {
    sinewi_file *file = sinewi_arena_take(r->arena, 1, sizeof *file);
    const sinew_allocator *memory = map ? NULL : &r->arena->allocator;
    if (!file || sinewi_file_open(file, path, r->limits.bytes, memory, "", why) != SINEW_OK) {
        return false;
    }
    *data = file->data;
    *size = file->size;
    if (!sinewi_owner_attach(r->owner, release_file, file, file->data, file->size)) {
        return false;
    }
    if (!sinewi_charge_file(r, *size)) {
        sinewi_fail(why, SINEW_ERROR_LIMIT, "", "%s has %llu bytes, the limit on bytes is %zu",
                    path, (unsigned long long)*size, r->budget.limit);
        return false;
    }
    return true;
}

static bool open_by_caller(sinewi_reader *r, const char *path, sinew_error *why,
                           const uint8_t **data, uint64_t *size) {
    static const uint8_t nothing[1] = {0};
    const sinew_file_access *access = &r->options->files;
    const void *bytes = NULL;
    size_t length = 0;
    sinew_result result = access->read(access->user, path, &bytes, &length);
    if (result != SINEW_OK) {
        sinewi_fail(why, result, "", "cannot read %s", path);
        return false;
    }
    *data = bytes ? bytes : nothing;
    *size = bytes ? length : 0;
    if (bytes && access->release &&
        !sinewi_owner_attach(r->owner, access->release, access->user, bytes, length)) {
        return false;
    }
    if (!sinewi_charge_file(r, *size)) {
        sinewi_fail(why, SINEW_ERROR_LIMIT, "", "%s has %zu bytes, the limit on bytes is %zu", path,
                    length, r->budget.limit);
        return false;
    }
    return true;
}

/* Files that were read, by their path: a file may name one as often as it likes. */
typedef struct sinewi_loaded {
    struct sinewi_loaded *next; /* of the same slot */
    const char *path;
    const uint8_t *data;
    uint64_t size;
} sinewi_loaded;

/* As many as there may be files. */
static uint32_t slot_count(const sinewi_reader *r) {
    return 1 + sinewi_json_size(&r->json, sinewi_member(r, r->root, "buffers")) +
           sinewi_json_size(&r->json, sinewi_member(r, r->root, "images"));
}

static sinewi_loaded **slot_of(sinewi_reader *r, const char *path) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = path; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    if (!r->loaded) {
        r->loaded_slots = slot_count(r);
        r->loaded = sinewi_scratch(r, r->loaded_slots, sizeof(sinewi_loaded *));
    }
    return r->loaded ? &r->loaded[hash % r->loaded_slots] : NULL;
}

static bool open_once(sinewi_reader *r, const char *path, sinew_error *why, const uint8_t **data,
                      uint64_t *size) {
    sinewi_loaded **slot = slot_of(r, path);
    if (!slot) {
        return false;
    }
    for (sinewi_loaded *known = *slot; known; known = known->next) {
        if (strcmp(known->path, path) == 0) {
            *data = known->data;
            *size = known->size;
            return true;
        }
    }
    bool opened = r->options->files.read
                      ? open_by_caller(r, path, why, data, size)
                      : sinewi_open_kept(r, path, r->options->map_file, why, data, size);
    sinewi_loaded *known = opened ? sinewi_scratch(r, 1, sizeof *known) : NULL;
    if (known) {
        *known = (sinewi_loaded){*slot, path, *data, *size};
        *slot = known;
    }
    return known != NULL;
}

static bool read_file(sinewi_reader *r, uint32_t token, char *uri, const uint8_t **data,
                      uint64_t *size) {
    /* As it stands first: "http:" may be percent-encoded into a file name, not out of it. */
    if (!is_below(uri) || !decode_percent(uri) || !is_below(uri)) {
        return sinewi_refuse(r, SINEW_FINDING_URI, token, NULL,
                             "not a relative path below the model's folder");
    }
    if (!r->folder) {
        return sinewi_refuse(
            r, SINEW_FINDING_URI, token, NULL,
            "an external file, but the model was read from memory without a folder");
    }
    size_t folder = strlen(r->folder), name = strlen(uri);
    char *path = sinewi_scratch(r, folder + name + 1, 1);
    if (!path) {
        return false;
    }
    memcpy(path, r->folder, folder);
    memcpy(path + folder, uri, name + 1);
    if (!r->options->files.read && !sinewi_file_is_inside(path, r->folder)) {
        return sinewi_refuse(r, SINEW_FINDING_URI, token, NULL,
                             "%s leads out of the model's folder", path);
    }
    sinew_error why = {SINEW_OK, "", ""};
    if (!open_once(r, path, &why, data, size)) {
        sinew_code code =
            why.result == SINEW_ERROR_LIMIT ? SINEW_FINDING_LIMIT : SINEW_FINDING_FILE;
        return why.result == SINEW_OK || why.result == SINEW_ERROR_MEMORY
                   ? sinewi_refuse_memory(r)
                   : sinewi_refuse(r, code, token, NULL, "%s", why.message);
    }
    return true;
}

/* Schemes are written in any case (RFC 3986, 3.1). */
static bool is_data(const char *uri, size_t length) {
    static const char scheme[] = "data:";
    for (size_t i = 0; i < 5; i++) {
        if (i >= length || (uri[i] | 0x20) != (scheme[i] | 0x20)) {
            return false;
        }
    }
    return true;
}

bool sinewi_read_uri(sinewi_reader *r, uint32_t token, const uint8_t **data, uint64_t *size) {
    if (sinewi_json_kind_of(&r->json, token) != SINEWI_JSON_STRING) {
        return sinewi_refuse(r, SINEW_FINDING_SCHEMA, token, NULL, "uri is not a string");
    }
    size_t length;
    const char *raw = sinewi_json_raw(&r->json, token, &length);
    if (is_data(raw, length) && !memchr(raw, '\\', length)) {
        return read_data_uri(r, token, raw, length, data, size);
    }
    char *text = sinewi_json_string(&r->json, token, &r->scratch, &length);
    if (!text) {
        return sinewi_refuse_memory(r);
    }
    if (is_data(text, length)) {
        return read_data_uri(r, token, text, length, data, size);
    }
    return read_file(r, token, text, data, size);
}
