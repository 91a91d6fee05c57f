/* The outline of reading a file. */
#include "base/file.h"
#include "gltf/reader.h"

#include <string.h>

static sinew_read_limits limits_with_defaults(const sinew_read_limits *given) {
    sinew_read_limits limits = *given;
    limits.bytes = limits.bytes ? limits.bytes : (uint64_t)4 << 30;
    limits.nodes = limits.nodes ? limits.nodes : 1000000;
    limits.joints = limits.joints ? limits.joints : 65536;
    limits.vertices = limits.vertices ? limits.vertices : 100000000;
    limits.json_depth = limits.json_depth ? limits.json_depth : 128;
    return limits;
}

static size_t as_size(uint64_t bytes) {
    return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

static bool begin(sinewi_reader *r, const sinew_read_options *options, sinew_error *error) {
    memset(r, 0, sizeof *r);
    r->options = options;
    r->error = error;
    r->limits = limits_with_defaults(&options->limits);
    r->owner = sinewi_owner_create(&options->allocator, as_size(r->limits.bytes));
    sinewi_arena_init(&r->scratch, &options->allocator, as_size(r->limits.bytes));
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
           sinewi_read_skins(r) && !r->refused && sinewi_link_nodes(r) && sinewi_read_clips(r));
}

static sinew_model *finish(sinewi_reader *r) {
    sinewi_arena_free(&r->scratch);
    if (!r->refused && r->arena->out_of_memory) {
        sinewi_refuse_memory(r);
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

static void release_file(void *user, const void *data, size_t size) {
    (void)data;
    (void)size;
    sinewi_file_close(user);
}

/* The model's file stays mapped as long as the model, which views it in place. */
static bool open_model(sinewi_reader *r, const char *path, const uint8_t **data, size_t *size) {
    size_t folder = sinewi_folder_length(path);
    r->folder = sinewi_arena_text(&r->scratch, path, folder);
    sinewi_file *file = sinewi_arena_take(r->arena, 1, sizeof *file);
    if (!r->folder || !file) {
        return sinewi_refuse_memory(r);
    }
    sinew_error why = {SINEW_OK, "", ""};
    if (sinewi_file_open(file, path, r->limits.bytes, "", &why) != SINEW_OK) {
        return sinewi_refuse(
            r, why.result == SINEW_ERROR_LIMIT ? SINEW_FINDING_LIMIT : SINEW_FINDING_FILE,
            SINEWI_JSON_NONE, NULL, "%s", why.message);
    }
    *data = file->data;
    *size = file->size;
    return sinewi_owner_attach(r->owner, release_file, file, file->data, file->size) ||
           sinewi_refuse_memory(r);
}

static const sinew_read_options no_options;

sinew_model *sinew_model_read(const char *path, const sinew_read_options *options,
                              sinew_error *error) {
    sinewi_reader r;
    options = options ? options : &no_options;
    sinewi_error_clear(error);
    if (!path || !sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, "", "no path was given");
        return NULL;
    }
    const uint8_t *data = NULL;
    size_t size = 0;
    if (!begin(&r, options, error) || !open_model(&r, path, &data, &size)) {
        return finish(&r);
    }
    return read_bytes(&r, data, size, true);
}

sinew_model *sinew_model_read_memory(const void *data, size_t size,
                                     const sinew_read_options *options, sinew_error *error) {
    sinewi_reader r;
    options = options ? options : &no_options;
    sinewi_error_clear(error);
    if (!sinewi_guards_sound(options->guard_begin, options->guard_end, error)) {
        return NULL;
    }
    if (!data && size > 0) {
        sinewi_fail(error, SINEW_ERROR_ARGUMENT, "", "no data was given");
        return NULL;
    }
    if (!begin(&r, options, error)) {
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
    return read_bytes(&r, data, size, false);
}
