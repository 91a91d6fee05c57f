/* The outline of reading a file. */
#include "base/file.h"
#include "gltf/reader.h"

#include <string.h>

#define MOST_BYTES ((uint64_t)4 << 30)
#define FIRST_BYTES ((size_t)128 << 20) /* whatever the size of the files */
#define BYTES_PER_BYTE 64               /* of the files: packed data unpacks to a few times that */

static sinew_read_limits limits_with_defaults(const sinew_read_limits *given) {
    sinew_read_limits limits = *given;
    limits.bytes = limits.bytes ? limits.bytes : MOST_BYTES;
    limits.nodes = limits.nodes ? limits.nodes : 1000000;
    limits.joints = limits.joints ? limits.joints : 65536;
    limits.vertices = limits.vertices ? limits.vertices : 100000000;
    limits.json_depth = limits.json_depth ? limits.json_depth : 128;
    return limits;
}

static size_t as_size(uint64_t bytes) {
    return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

bool sinewi_charge_file(sinewi_reader *r, uint64_t bytes) {
    sinewi_budget *budget = &r->budget;
    size_t most = as_size(r->limits.bytes);
    if (!r->options->limits.bytes) {
        size_t grown = bytes > most / BYTES_PER_BYTE ? most : (size_t)bytes * BYTES_PER_BYTE;
        budget->limit = grown > most - budget->limit ? most : budget->limit + grown;
    }
    if (bytes > budget->limit - (budget->used < budget->limit ? budget->used : budget->limit)) {
        return false;
    }
    budget->used += (size_t)bytes;
    return true;
}

/* All three functions or none: blocks of one allocator must not reach another. */
static bool allocator_is_sound(const sinew_allocator *a, sinew_error *error) {
    if (!a->allocate == !a->resize && !a->allocate == !a->release) {
        return true;
    }
    sinewi_fail(error, SINEW_ERROR_ARGUMENT, "", "the allocator lacks a function");
    return false;
}

static bool begin(sinewi_reader *r, const sinew_read_options *options, sinew_error *error) {
    memset(r, 0, sizeof *r);
    r->options = options;
    r->error = error;
    r->limits = limits_with_defaults(&options->limits);
    r->budget.limit = options->limits.bytes ? as_size(options->limits.bytes) : FIRST_BYTES;
    r->owner = sinewi_owner_create(&options->allocator, &r->budget);
    sinewi_arena_init(&r->scratch, &options->allocator, &r->budget);
    r->arena = r->owner ? &r->owner->arena : &r->scratch; /* so that there always is one */
    r->model = r->owner ? sinewi_arena_take_zeroed(r->arena, 1, sizeof *r->model) : NULL;
    if (!r->model) {
        return sinewi_refuse_memory(r);
    }
    r->model->owner = r->owner;
    r->model->generator = "";
    r->model->default_scene = SINEW_NONE;
    return true;
}

/* Each part may add findings, also after the file was refused: the parts that stand on
 * sound ones go on, so that a sink names everything. */
static void read_parts(sinewi_reader *r) {
    bool data = sinewi_read_buffers(r) && sinewi_read_views(r) && sinewi_read_accessors(r);
    (void)(data && sinewi_read_materials(r) && sinewi_read_meshes(r) && sinewi_read_nodes(r) &&
           sinewi_read_skins(r) && !r->broken && sinewi_link_nodes(r) && sinewi_read_clips(r));
}

static sinew_model *finish(sinewi_reader *r) {
    sinewi_arena_free(&r->scratch);
    if (!r->refused && r->arena->out_of_memory) {
        sinewi_refuse_memory(r);
    }
    if (r->owner) {
        r->owner->arena.budget = NULL; /* it ends with the reader */
    }
    if (r->refused) {
        sinewi_owner_free(r->owner);
        return NULL;
    }
    r->model->byte_size = r->arena->used;
    return r->model;
}

static sinew_model *read_bytes(sinewi_reader *r, const void *data, size_t size, bool stays) {
    if (sinewi_read_container(r, data, size, stays)) {
        if (sinewi_read_root(r)) {
            read_parts(r);
        }
    }
    return finish(r);
}

static bool open_model(sinewi_reader *r, const char *path, const uint8_t **data, uint64_t *size) {
    r->folder = sinewi_arena_text(&r->scratch, path, sinewi_folder_length(path));
    if (!r->folder) {
        return sinewi_refuse_memory(r);
    }
    sinew_error why = {SINEW_OK, "", ""};
    if (!sinewi_open_kept(r, path, r->options->map_file, &why, data, size)) {
        sinew_code code =
            why.result == SINEW_ERROR_LIMIT ? SINEW_FINDING_LIMIT : SINEW_FINDING_FILE;
        return why.result == SINEW_OK || why.result == SINEW_ERROR_MEMORY
                   ? sinewi_refuse_memory(r)
                   : sinewi_refuse(r, code, SINEWI_JSON_NONE, NULL, "%s", why.message);
    }
    return true;
}

static const sinew_read_options no_options;

/* Whether a read may begin at all; false: error says why not. */
static bool is_ready(const sinew_read_options *options, sinew_error *error) {
    sinewi_error_clear(error);
    return sinewi_guards_sound(options->guard_begin, options->guard_end, error) &&
           allocator_is_sound(&options->allocator, error);
}

sinew_model *sinew_model_read(const char *path, const sinew_read_options *options,
                              sinew_error *error) {
    sinewi_reader r;
    options = options ? options : &no_options;
    if (!is_ready(options, error)) {
        return NULL;
    }
    if (!path) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, "", "no path was given");
        return NULL;
    }
    const uint8_t *data = NULL;
    uint64_t size = 0;
    if (!begin(&r, options, error) || !open_model(&r, path, &data, &size)) {
        return finish(&r);
    }
    return read_bytes(&r, data, (size_t)size, true);
}

sinew_model *sinew_model_read_memory(const void *data, size_t size,
                                     const sinew_read_options *options, sinew_error *error) {
    sinewi_reader r;
    options = options ? options : &no_options;
    if (!is_ready(options, error)) {
        return NULL;
    }
    if (!data && size > 0) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, "", "no data was given");
        return NULL;
    }
    if (!begin(&r, options, error)) {
        return finish(&r);
    }
    if (!sinewi_charge_file(&r, size)) {
        sinewi_refuse_limit(&r, SINEWI_JSON_NONE, NULL, "bytes", size, r.budget.limit);
        return finish(&r);
    }
    if (options->folder) {
        size_t length = strlen(options->folder);
        char *folder = sinewi_scratch(&r, length + 2, 1);
        if (!folder) {
            return finish(&r);
        }
        memcpy(folder, options->folder, length);
        if (length > 0 && folder[length - 1] != '/') {
            folder[length] = '/';
        }
        r.folder = folder;
    }
    return read_bytes(&r, data ? data : "", size, false);
}
