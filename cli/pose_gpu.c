/* `pose --path gpu`: the vertices that the shaders make, captured without a window. The
 * only file of this command that needs OpenGL; a build without it keeps the message. */
#include "command.h"
#include "posed.h"

#ifdef SINEW_HAVE_RENDER

#include "sinew/gl.h"
#include "sinew/render.h"

/* Everything of one capture, so that all of it is freed at one place. */
typedef struct capture {
    sinew_offscreen *offscreen;
    sinew_gl *gl;
    sinew_gl_model *on_gpu;
} capture;

static bool open_capture(capture *with, const sinew_pose *pose, uint32_t scene,
                         sinew_gl_storage storage, sinew_error *error) {
    with->offscreen = sinew_offscreen_create(error);
    if (!with->offscreen) {
        return false;
    }
    sinew_gl_options options = {
        .loader = sinew_offscreen_loader, .storage = storage, .check = true};
    with->gl = sinew_gl_create(&options, error);
    if (!with->gl) {
        return false;
    }
    sinew_gl_model_options wish = {.scene_plus_one = scene == SINEW_NONE ? 0 : scene + 1};
    with->on_gpu = sinew_gl_model_create(with->gl, pose->model, &wish, error);
    return with->on_gpu && sinew_gl_model_update(with->on_gpu, pose, error) == SINEW_OK;
}

static void close_capture(capture *with) {
    sinew_gl_model_free(with->on_gpu);
    sinew_gl_free(with->gl);
    sinew_offscreen_free(with->offscreen);
}

/* The item of a primitive, from `from` on: both go through the scene in the same order. */
static uint32_t find_item(const sinew_gl_item *items, uint32_t count, uint32_t from, uint32_t node,
                          uint32_t primitive) {
    while (from < count && (items[from].node != node || items[from].primitive != primitive)) {
        from++;
    }
    return from;
}

static sinew_result capture_all(capture *with, posed *mesh, sinew_error *error) {
    uint32_t count = 0;
    uint32_t item = 0;
    const sinew_gl_item *items = sinew_gl_model_items(with->on_gpu, &count);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        posed_instance *instance = &mesh->instances[i];
        for (uint32_t k = 0; k < instance->primitive_count; k++) {
            posed_primitive *primitive = &instance->primitives[k];
            item = find_item(items, count, item, instance->node, primitive->index);
            if (item == count) {
                *error = (sinew_error){SINEW_ERROR_GL, "", "a primitive is missing on the GPU"};
                return error->result;
            }
            sinew_result result =
                sinew_gl_item_capture(with->on_gpu, item, primitive->positions, primitive->normals,
                                      primitive->tangents, error);
            if (result != SINEW_OK) {
                return result;
            }
        }
    }
    return SINEW_OK;
}

int posed_capture(posed *mesh, const sinew_pose *pose, uint32_t scene, int storage,
                  const char *file) {
    static const sinew_gl_storage storages[] = {SINEW_GL_STORAGE_AUTO, SINEW_GL_STORAGE_TBO3,
                                                SINEW_GL_STORAGE_TBO4};
    capture with = {NULL, NULL, NULL};
    sinew_error error = {.result = SINEW_OK};
    bool done = open_capture(&with, pose, scene, storages[storage], &error) &&
                capture_all(&with, mesh, &error) == SINEW_OK;
    close_capture(&with);
    if (!done) {
        command_tell_error(error.result == SINEW_ERROR_GL ? NULL : file, &error);
        return EXIT_MACHINE;
    }
    return EXIT_DONE;
}

#else

int posed_capture(posed *mesh, const sinew_pose *pose, uint32_t scene, int storage,
                  const char *file) {
    (void)mesh, (void)pose, (void)scene, (void)storage, (void)file;
    command_say("--path gpu: this sinew was built without OpenGL; "
                "'sinew pose' without it needs none");
    return EXIT_MACHINE;
}

#endif
