/* `pose --path gpu`: the vertices that the shaders make, captured without a window. The
 * only file of this command that needs OpenGL; a build without it keeps the message. */
#include "command.h"
#include "posed.h"

#ifdef SINEW_HAVE_RENDER

#include "sinew/gl.h"
#include "sinew/render.h"

#include <stdlib.h>

struct posed_gpu {
    sinew_offscreen *offscreen;
    sinew_gl *gl;
    const sinew_pose *pose;
    uint32_t scene;
};

posed_gpu *posed_gpu_open(const sinew_pose *pose, uint32_t scene, bool es, sinew_error *error) {
    posed_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        *error = (sinew_error){SINEW_ERROR_MEMORY, "", "out of memory"};
        return NULL;
    }
    *gpu = (posed_gpu){.pose = pose, .scene = scene};
    sinew_gl_options options = {.loader = sinew_offscreen_loader, .check = true};
    gpu->offscreen = es ? sinew_offscreen_create_es(error) : sinew_offscreen_create(error);
    gpu->gl = gpu->offscreen ? sinew_gl_create(&options, error) : NULL;
    if (!gpu->gl) {
        posed_gpu_close(gpu);
        return NULL;
    }
    return gpu;
}

void posed_gpu_close(posed_gpu *gpu) {
    if (gpu) {
        sinew_gl_free(gpu->gl);
        sinew_offscreen_free(gpu->offscreen);
        free(gpu);
    }
}

const char *posed_gpu_renderer(const posed_gpu *gpu) {
    return sinew_gl_info_of(gpu->gl)->renderer;
}

/* The item of a primitive, from `from` on: both go through the scene in the same order. */
static uint32_t find_item(const sinew_gl_item *items, uint32_t count, uint32_t from, uint32_t node,
                          uint32_t primitive) {
    while (from < count && (items[from].node != node || items[from].primitive != primitive)) {
        from++;
    }
    return from;
}

static sinew_result capture_all(sinew_gl_model *on_gpu, posed *mesh, sinew_error *error) {
    uint32_t count = 0;
    uint32_t item = 0;
    const sinew_gl_item *items = sinew_gl_model_items(on_gpu, &count);
    for (uint32_t i = 0; i < mesh->instance_count; i++) {
        posed_instance *instance = &mesh->instances[i];
        for (uint32_t k = 0; k < instance->primitive_count; k++) {
            posed_primitive *primitive = &instance->primitives[k];
            item = find_item(items, count, item, instance->node, primitive->index);
            if (item == count) {
                *error = (sinew_error){SINEW_ERROR_GL, "", "a primitive is missing on the GPU"};
                return error->result;
            }
            sinew_result result = sinew_gl_item_capture(
                on_gpu, item, primitive->positions, primitive->normals, primitive->tangents, error);
            if (result != SINEW_OK) {
                return result;
            }
        }
    }
    return SINEW_OK;
}

sinew_result posed_gpu_fill(posed_gpu *gpu, posed *mesh, int storage, sinew_error *error) {
    if (storage > 0 && sinew_gl_storage_texels(gpu->gl, (sinew_gl_storage)storage) == 0) {
        *error = (sinew_error){SINEW_ERROR_UNSUPPORTED, "", "this context does not have it"};
        return error->result;
    }
    sinew_gl_model_options wish = {.scene_plus_one = gpu->scene == SINEW_NONE ? 0 : gpu->scene + 1,
                                   .storage = (sinew_gl_storage)(storage > 0 ? storage : 0),
                                   .method = mesh->method};
    sinew_gl_model *on_gpu = sinew_gl_model_create(gpu->gl, gpu->pose->model, &wish, error);
    sinew_result result = on_gpu ? sinew_gl_model_update(on_gpu, gpu->pose, error) : error->result;
    if (result == SINEW_OK) {
        result = capture_all(on_gpu, mesh, error);
    }
    sinew_gl_model_free(on_gpu);
    return result;
}

#else

posed_gpu *posed_gpu_open(const sinew_pose *pose, uint32_t scene, bool es, sinew_error *error) {
    (void)pose, (void)scene, (void)es;
    *error = (sinew_error){SINEW_ERROR_GL, "",
                           "--path gpu: this sinew was built without OpenGL; 'sinew pose' without "
                           "it needs none"};
    return NULL;
}

void posed_gpu_close(posed_gpu *gpu) {
    (void)gpu;
}

const char *posed_gpu_renderer(const posed_gpu *gpu) {
    (void)gpu;
    return "";
}

sinew_result posed_gpu_fill(posed_gpu *gpu, posed *mesh, int storage, sinew_error *error) {
    (void)gpu, (void)mesh, (void)storage, (void)error;
    return SINEW_ERROR_GL;
}

#endif
