/* From bytes to a model that is checked. */
#include "fuzz.h"

#include "sinew/codec.h"

#include <stdarg.h>
#include <string.h>

uint8_t fuzz_take_u8(fuzz_input *input) {
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

uint16_t fuzz_take_u16(fuzz_input *input) {
    unsigned low = fuzz_take_u8(input);
    return (uint16_t)(low | (unsigned)fuzz_take_u8(input) << 8);
}

void fuzz_write(fuzz_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    size_t room = sizeof text->at - text->length;
    int written = vsnprintf(text->at + text->length, room, format, list);
    va_end(list);
    FUZZ_REQUIRE(written >= 0 && (size_t)written < room);
    text->length += (size_t)written;
}

static void put_u32(uint8_t *at, size_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

uint8_t *fuzz_make_glb(const fuzz_text *json, const uint8_t *binary, size_t binary_size,
                       size_t *size) {
    *size = 12 + 8 + json->length + 8 + binary_size;
    uint8_t *glb = malloc(*size);
    FUZZ_REQUIRE(glb);
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, *size);
    put_u32(glb + 12, json->length);
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + 20, json->at, json->length);
    uint8_t *chunk = glb + 20 + json->length;
    put_u32(chunk, binary_size);
    memcpy(chunk + 4, "BIN", 4);
    if (binary_size > 0) {
        memcpy(chunk + 8, binary, binary_size);
    }
    return glb;
}

/* ---- files ---- */

typedef struct file_server {
    fuzz_input content;
    size_t open;
} file_server;

/* What a path that reaches the host may look like: below the folder, whatever the uri. */
static void check_path(const char *path) {
    FUZZ_REQUIRE(strncmp(path, "folder/", 7) == 0);
    const char *part = path + 7;
    FUZZ_REQUIRE(*part && *part != '/' && *part != '\\');
    FUZZ_REQUIRE(!memchr(part, ':', strcspn(part, "/\\")));
    while (*part) {
        size_t length = strcspn(part, "/\\");
        FUZZ_REQUIRE(length != 2 || memcmp(part, "..", 2) != 0);
        part += length + (part[length] != '\0');
    }
}

static sinew_result serve(void *user, const char *path, const void **data, size_t *size) {
    file_server *server = user;
    check_path(path);
    if (server->content.size == 0) {
        return SINEW_ERROR_FILE;
    }
    uint8_t *copy = malloc(server->content.size);
    FUZZ_REQUIRE(copy);
    memcpy(copy, server->content.data, server->content.size);
    *data = copy;
    *size = server->content.size;
    server->open++;
    return SINEW_OK;
}

static void release(void *user, const void *data, size_t size) {
    file_server *server = user;
    FUZZ_REQUIRE(size == server->content.size && server->open > 0);
    server->open--;
    free((void *)(uintptr_t)data);
}

/* ---- decoders that make up what they decode, counts and all, from the bytes ---- */

static sinew_result stand_in_view(void *user, const sinew_packed_view *view, void *out,
                                  sinew_error *error) {
    (void)user;
    (void)error;
    if (view->size == 0) {
        return SINEW_ERROR_DATA;
    }
    for (size_t i = 0; i < view->count * view->stride; i++) {
        ((uint8_t *)out)[i] = ((const uint8_t *)view->data)[i % view->size];
    }
    return SINEW_OK;
}

static sinew_result stand_in_open(void *user, const void *data, size_t size,
                                  sinew_packed_mesh *mesh, sinew_error *error) {
    (void)user;
    fuzz_input bytes = {data, size};
    uint8_t first = fuzz_take_u8(&bytes);
    if (first & 1) { /* other counts than the file says */
        mesh->vertex_count = fuzz_take_u8(&bytes);
        mesh->index_count = fuzz_take_u8(&bytes);
    }
    if (first & 2) { /* the one that needs words of its own */
        error->result = SINEW_ERROR_UNSUPPORTED;
        snprintf(error->message, sizeof error->message, "unknown");
        return SINEW_ERROR_UNSUPPORTED;
    }
    mesh->handle = malloc(1);
    return mesh->handle ? SINEW_OK : SINEW_ERROR_MEMORY;
}

static sinew_result stand_in_attribute(void *user, const sinew_packed_mesh *mesh,
                                       const sinew_packed_attribute *attribute, void *out,
                                       sinew_error *error) {
    (void)user;
    (void)error;
    size_t component = attribute->component_type >= 5125   ? 4
                       : attribute->component_type >= 5122 ? 2
                                                           : 1;
    memset(out, (int)(attribute->id & 0x3F),
           (size_t)mesh->vertex_count * attribute->width * component);
    return attribute->id == 7 ? SINEW_ERROR_DATA : SINEW_OK;
}

static sinew_result stand_in_indices(void *user, const sinew_packed_mesh *mesh, uint32_t *out,
                                     sinew_error *error) {
    (void)user;
    (void)error;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        out[i] = i;
    }
    return SINEW_OK;
}

static void stand_in_close(void *user, sinew_packed_mesh *mesh) {
    (void)user;
    free(mesh->handle);
}

/* ---- what comes out ---- */

static void check_findings(const sinew_findings *findings) {
    size_t errors = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const sinew_finding *finding = &findings->items[i];
        FUZZ_REQUIRE(sinew_code_info_of(finding->code));
        FUZZ_REQUIRE(finding->pointer[0] == '\0' || finding->pointer[0] == '/');
        FUZZ_REQUIRE(finding->message[0] && finding->count >= 1);
        FUZZ_REQUIRE(finding->example_count <= SINEW_FINDING_EXAMPLES);
        errors += finding->severity == SINEW_ERROR;
    }
    FUZZ_REQUIRE(findings->count <= SINEW_FINDINGS_MOST && findings->error_count >= errors);
}

static void check_error(const sinew_error *error, bool refused) {
    FUZZ_REQUIRE(refused == (error->result != SINEW_OK));
    FUZZ_REQUIRE(memchr(error->place, '\0', sizeof error->place));
    FUZZ_REQUIRE(memchr(error->message, '\0', sizeof error->message));
    FUZZ_REQUIRE(!refused || error->message[0]);
    FUZZ_REQUIRE(error->result != SINEW_ERROR_ARGUMENT);
}

/* ---- memory and limits: some inputs get little of both ---- */

typedef struct scarce {
    size_t left; /* allocations that succeed */
    size_t live; /* bytes */
} scarce;

static void *scarce_allocate(void *user, size_t size) {
    scarce *of = user;
    FUZZ_REQUIRE(size > 0);
    void *block = of->left > 0 ? malloc(size) : NULL;
    of->left -= block ? 1 : 0;
    of->live += block ? size : 0;
    return block;
}

static void scarce_release(void *user, void *block, size_t size) {
    scarce *of = user;
    FUZZ_REQUIRE(size <= of->live);
    of->live -= size;
    free(block);
}

static void *scarce_resize(void *user, void *block, size_t old_size, size_t new_size) {
    void *grown = scarce_allocate(user, new_size);
    if (grown && block) {
        memcpy(grown, block, old_size < new_size ? old_size : new_size);
        scarce_release(user, block, old_size);
    }
    return grown;
}

static const sinew_read_limits wide = {
    .bytes = 32u << 20, .nodes = 5000, .joints = 1000, .vertices = 100000, .json_depth = 64};
static const sinew_read_limits narrow = {
    .bytes = 64u << 10, .nodes = 6, .joints = 3, .vertices = 40, .json_depth = 8};

/* ---- reading ---- */

static file_server server; /* a model may hold its files until it is freed */
static scarce memory;      /* and its allocator */

/* How an input is read hangs on its size, so that it is read the same way again. */
static sinew_read_options options_for(const fuzz_reading *reading) {
    unsigned kind = (unsigned)(reading->size % 16);
    sinew_read_options options = {.limits = kind == 3 ? narrow : wide,
                                  .files = {serve, release, &server},
                                  .decoders = {NULL, stand_in_view, stand_in_open,
                                               stand_in_attribute, stand_in_indices, stand_in_close,
                                               NULL},
                                  .folder = "folder",
                                  .strict = kind == 7 || kind == 15,
                                  .load_images = true};
    server.content = reading->files;
    memory.left = kind == 5 ? reading->size / 16 % 24 : SIZE_MAX;
    options.allocator = (sinew_allocator){scarce_allocate, scarce_resize, scarce_release, &memory};
    if (reading->codecs) {
        options.decoders = (sinew_decoders){0};
        sinew_codec_fill(&options.decoders);
    }
    return options;
}

sinew_model *fuzz_read(const fuzz_reading *reading) {
    FUZZ_REQUIRE(server.open == 0 && memory.live == 0);
    sinew_read_options options = options_for(reading);
    options.findings = sinew_findings_create(NULL);
    FUZZ_REQUIRE(options.findings);
    sinew_error error;
    sinew_model *model = sinew_model_read_memory(reading->data, reading->size, &options, &error);
    check_error(&error, !model);
    check_findings(options.findings);
    FUZZ_REQUIRE(model || error.result == SINEW_ERROR_MEMORY || options.findings->error_count > 0);
    FUZZ_REQUIRE(error.result != SINEW_ERROR_MEMORY || memory.left == 0);
    FUZZ_REQUIRE(model || (server.open == 0 && memory.live == 0));
    sinew_findings_free(options.findings);
    if (model) {
        fuzz_check_model(model);
    }
    return model;
}
