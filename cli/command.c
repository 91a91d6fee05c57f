/* What the commands have in common: messages, choosing a clip, posing. */
#include "command.h"
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const command_storages[] = {"auto", "tbo3", "tbo4",    "uniform",
                                        "ubo",  "ssbo", "texture", NULL};
const char *const command_methods[] = {"lbs", "dqs", NULL};

void command_say(const char *format, ...) {
    char message[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    fflush(stdout); /* so that both streams keep their order on a terminal */
    fputs("sinew: ", stderr);
    text_print(stderr, message);
    fputc('\n', stderr);
}

const char *command_file_name(const char *file) {
    return strcmp(file, "-") == 0 ? "stdin" : file;
}

int command_tell_error(const char *file, const sinew_error *error) {
    const char *message = error->message[0] ? error->message : sinew_result_word(error->result);
    if (file && strstr(message, file)) { /* "cannot read FILE: ..." names it already */
        file = NULL;
    }
    command_say("%s%s%s%s%s", file ? command_file_name(file) : "", file ? ": " : "", error->place,
                error->place[0] ? ": " : "", message);
    bool machine = error->result == SINEW_ERROR_GL || error->result == SINEW_ERROR_MEMORY;
    return machine ? EXIT_MACHINE : EXIT_FILE;
}

int command_out_of_memory(void) {
    command_say("out of memory");
    return EXIT_MACHINE;
}

/* ---- clips ---- */

#define LISTED_CLIPS 20

static void list_clips(const sinew_model *model) {
    for (uint32_t i = 0; i < model->clip_count && i < LISTED_CLIPS; i++) {
        fprintf(stderr, "  %3u  ", (unsigned)i);
        text_quoted(stderr, model->clips[i].name, 0);
        fputc('\n', stderr);
    }
    if (model->clip_count > LISTED_CLIPS) {
        fprintf(stderr, "  ... and %u more; 'sinew info' lists them all\n",
                (unsigned)(model->clip_count - LISTED_CLIPS));
    }
}

static const char *nearest_clip(const sinew_model *model, const char *wish) {
    const char **names = calloc(model->clip_count ? model->clip_count : 1, sizeof *names);
    if (!names) {
        return NULL;
    }
    for (uint32_t i = 0; i < model->clip_count; i++) {
        names[i] = model->clips[i].name;
    }
    const char *near = args_nearest(wish, names, model->clip_count);
    free(names);
    return near;
}

static int tell_no_clip(const sinew_model *model, const char *file, const char *wish) {
    file = command_file_name(file);
    if (model->clip_count == 0) {
        command_say("%s: there is no clip '%s': the file has no animations", file, wish);
        return EXIT_WRONG_USE;
    }
    const char *near = nearest_clip(model, wish);
    if (near) {
        command_say("%s: there is no clip '%s'; did you mean '%s'? Its clips are", file, wish,
                    near);
    } else {
        command_say("%s: there is no clip '%s'; its clips are", file, wish);
    }
    list_clips(model);
    return EXIT_WRONG_USE;
}

bool command_read_index(const char *text, uint32_t count, uint32_t *index) {
    double number;
    if (text[strspn(text, "0123456789")] != '\0' || !args_number(text, &number) ||
        number >= (double)count) {
        return false;
    }
    *index = (uint32_t)number;
    return true;
}

int command_choose_clip(const sinew_model *model, const char *file, const char *wish,
                        uint32_t *clip) {
    *clip = SINEW_NONE;
    if (!wish) {
        return EXIT_DONE;
    }
    *clip = sinew_clip_find(model, wish);
    if (*clip != SINEW_NONE || command_read_index(wish, model->clip_count, clip) ||
        strcmp(wish, "none") == 0) {
        return EXIT_DONE;
    }
    return tell_no_clip(model, file, wish);
}

/* ---- poses ---- */

static int check_scene(const sinew_model *model, const char *file, uint32_t scene) {
    if (scene == SINEW_NONE || scene < model->scene_count) {
        return EXIT_DONE;
    }
    if (model->scene_count == 0) {
        command_say("%s: there is no scene %u: the file has none", command_file_name(file),
                    (unsigned)scene);
    } else {
        command_say("%s: there is no scene %u: the file has %u, counted from 0",
                    command_file_name(file), (unsigned)scene, (unsigned)model->scene_count);
    }
    return EXIT_WRONG_USE;
}

#define LISTED_NAMES 5

/* A node that a channel drives in its own file, and why it drives none here. */
static void print_lost(const sinew_clip_binding *binding, const sinew_channel *channel) {
    const char *name = binding->source->nodes[channel->node].name;
    if (!name[0]) {
        fprintf(stderr, "node %u (without a name)", (unsigned)channel->node);
        return;
    }
    text_quoted(stderr, name, 0);
    if (sinew_node_find(binding->target, name) != SINEW_NONE) {
        fputs(channel->path == SINEW_WEIGHTS ? " (with as many morph targets)"
                                             : " (without a sheared matrix)",
              stderr);
    }
}

/* The first few nodes that are not there, each once, and how many more. */
static void list_lost(const sinew_clip_binding *binding, bool *told) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < binding->clip->channel_count; i++) {
        const sinew_channel *channel = &binding->clip->channels[i];
        if (binding->nodes[i] != SINEW_NONE || told[channel->node]) {
            continue;
        }
        told[channel->node] = true;
        if (count++ < LISTED_NAMES) {
            fputs(count > 1 ? ", " : "", stderr);
            print_lost(binding, channel);
        }
    }
    if (count > LISTED_NAMES) {
        fprintf(stderr, " and %u more", (unsigned)(count - LISTED_NAMES));
    }
}

/* What a clip of another file drives and this model lacks, in one line. */
static void tell_unbound(const sinew_clip_binding *binding, const char *file) {
    uint32_t count = binding->clip->channel_count, lost = count - binding->bound_count;
    bool *told = calloc(binding->source->node_count + 1u, sizeof *told);
    if (lost > 0 && told) {
        fflush(stdout);
        text_print(stderr, command_file_name(file));
        if (binding->bound_count == 0) {
            fputs(": warning: nothing in the model moves by this clip, it lacks ", stderr);
        } else {
            fprintf(stderr,
                    ": warning: %u of the %u channels of the clip move nothing, the model lacks ",
                    (unsigned)lost, (unsigned)count);
        }
        list_lost(binding, told);
        fputc('\n', stderr);
    }
    free(told);
}

static int sample_bound(const sinew_model *source, const common_options *common, sinew_pose *pose,
                        uint32_t *clip) {
    const char *wish = common->clip ? common->clip : "0"; /* nobody names a file in vain */
    int status = command_choose_clip(source, common->clips, wish, clip);
    if (status != EXIT_DONE || *clip == SINEW_NONE) {
        return status;
    }
    sinew_clip_binding *binding = sinew_clip_bind(pose->model, source, *clip, NULL);
    if (!binding) {
        return command_out_of_memory();
    }
    sinew_clip_binding_sample(binding, common->time, SINEW_CLAMP, pose);
    if (!common->quiet) {
        tell_unbound(binding, common->clips);
    }
    sinew_clip_binding_free(binding);
    return EXIT_DONE;
}

/* The clip of --clip, of the model itself or of the file of --clips. */
static int sample_moment(const char *file, const common_options *common, sinew_pose *pose,
                         uint32_t *clip) {
    if (!common->clips) {
        int status = command_choose_clip(pose->model, file, common->clip, clip);
        if (status == EXIT_DONE) {
            sinew_clip_sample(pose->model, *clip, common->time, SINEW_CLAMP, pose);
        }
        return status;
    }
    sinew_model *source = command_read_model(common->clips, common, false);
    if (!source) {
        return EXIT_FILE;
    }
    int status = sample_bound(source, common, pose, clip);
    sinew_model_free(source);
    return status;
}

sinew_pose *command_make_pose(const sinew_model *model, const char *file,
                              const common_options *common, uint32_t *clip, int *status) {
    *status = check_scene(model, file, common->scene);
    if (*status != EXIT_DONE) {
        return NULL;
    }
    sinew_pose *pose = sinew_pose_create(model, NULL);
    if (!pose) {
        *status = command_out_of_memory();
        return NULL;
    }
    *status = sample_moment(file, common, pose, clip);
    if (*status != EXIT_DONE) {
        sinew_pose_free(pose);
        return NULL;
    }
    sinew_pose_to_world(pose);
    return pose;
}
