/* What the commands have in common: messages, choosing a clip, posing. */
#include "command.h"
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

/* What a clip of another file drives that this model does not have, the first few. */
static void tell_unbound(const sinew_clip_binding *binding, const char *file) {
    enum {
        SHOWN = 5
    };
    uint32_t count = binding->clip->channel_count - binding->bound_count;
    if (count == 0) {
        return;
    }
    fprintf(stderr, "sinew: %s: %u of the %u channels of the clip drive nothing here, for want of",
            file, (unsigned)count, (unsigned)binding->clip->channel_count);
    const char *last = NULL;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < binding->clip->channel_count && shown < SHOWN; i++) {
        const char *name = binding->source->nodes[binding->clip->channels[i].node].name;
        if (binding->nodes[i] == SINEW_NONE && (!last || strcmp(name, last) != 0)) {
            fprintf(stderr, "%s '", shown ? "," : "");
            text_print(stderr, name);
            fputc('\'', stderr);
            last = name;
            shown++;
        }
    }
    fputs(shown == SHOWN ? " ...\n" : "\n", stderr);
}

static int sample_bound(const sinew_model *source, const common_options *common, sinew_pose *pose) {
    uint32_t clip;
    const char *wish = common->clip ? common->clip : "0";
    int status = command_choose_clip(source, common->clips, wish, &clip);
    if (status != EXIT_DONE || clip == SINEW_NONE) {
        return status;
    }
    sinew_clip_binding *binding = sinew_clip_bind(pose->model, source, clip, NULL);
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
static int sample_moment(const char *file, const common_options *common, sinew_pose *pose) {
    if (!common->clips) {
        uint32_t clip;
        int status = command_choose_clip(pose->model, file, common->clip, &clip);
        if (status == EXIT_DONE) {
            sinew_clip_sample(pose->model, clip, common->time, SINEW_CLAMP, pose);
        }
        return status;
    }
    sinew_model *source = command_read_model(common->clips, common, false);
    if (!source) {
        return EXIT_FILE;
    }
    int status = sample_bound(source, common, pose);
    sinew_model_free(source);
    return status;
}

sinew_pose *command_make_pose(const sinew_model *model, const char *file,
                              const common_options *common, int *status) {
    *status = check_scene(model, file, common->scene);
    if (*status != EXIT_DONE) {
        return NULL;
    }
    sinew_pose *pose = sinew_pose_create(model, NULL);
    if (!pose) {
        *status = command_out_of_memory();
        return NULL;
    }
    *status = sample_moment(file, common, pose);
    if (*status != EXIT_DONE) {
        sinew_pose_free(pose);
        return NULL;
    }
    sinew_pose_to_world(pose);
    return pose;
}
