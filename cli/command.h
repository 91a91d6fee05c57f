/* What the commands have in common: exit statuses, reading a model, choosing a clip,
 * posing, and files that are written whole or not at all.
 *
 * Results go to stdout, messages to stderr, one a line: "sinew: FILE: /pointer: sentence".
 */
#ifndef SINEW_CLI_COMMAND_H
#define SINEW_CLI_COMMAND_H

#include "args.h"
#include "sinew/sinew.h"

#include <stdio.h>

/* Exit statuses (design.md section 6). */
enum {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1,  /* `check` only: findings of severity error */
    EXIT_WRONG_USE = 2, /* of the command line */
    EXIT_FILE = 3,      /* a file cannot be read or written, or exceeds a limit */
    EXIT_MACHINE = 4    /* no GL, no window, not enough of something */
};

/* The commands, each in cmd_NAME.c; main.c has the table. All of them are there in every
 * build: cmd_render.c without SINEW_HAVE_RENDER (a macro of CMake) keeps its row and
 * options, and its run says what the build lacks and returns EXIT_MACHINE. */
extern const command command_info;
extern const command command_pose;
extern const command command_render;

/* The words of --storage, in the order of sinew_gl_storage; NULL ends them. */
extern const char *const command_storages[];
/* The words of --method, in the order of sinew_skin_method. */
extern const char *const command_methods[];

/* Reads a model ("-": stdin) and prints its findings, the error when there is one, or
 * both. NULL: it was told on stderr, and the command returns EXIT_FILE. The caller frees
 * the model by sinew_model_free. */
sinew_model *command_read_model(const char *file, const common_options *common, bool load_images);

/* How a file is named in messages: itself, or "stdin" for "-". */
const char *command_file_name(const char *file);

/* The clip of --clip: a name, else an index, or "none". *clip is SINEW_NONE for none and
 * when --clip is absent. EXIT_WRONG_USE and a list of the clips when there is no such. */
int command_choose_clip(const sinew_model *model, const char *file, const char *wish,
                        uint32_t *clip);

/* A word of digits only as an index below count; false for anything else. */
bool command_read_index(const char *text, uint32_t count, uint32_t *index);

/* A pose of the model at --clip and --time (not looped), world matrices up to date, and
 * a check of --scene against the model; *clip is the number of the clip in the model, or in
 * the file of --clips. NULL: told on stderr, *status is what to return. The caller frees the
 * pose by sinew_pose_free. */
sinew_pose *command_make_pose(const sinew_model *model, const char *file,
                              const common_options *common, uint32_t *clip, int *status);

/* Says "sinew: FILE: PLACE: MESSAGE" and returns the exit status of the error:
 * EXIT_MACHINE for SINEW_ERROR_GL and SINEW_ERROR_MEMORY, else EXIT_FILE. A caller whose
 * limit is the GPU's returns EXIT_MACHINE itself. file may be NULL. */
int command_tell_error(const char *file, const sinew_error *error);

/* Says "sinew: MESSAGE" on stderr, a line. */
void command_say(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* Says so, and returns EXIT_MACHINE. */
int command_out_of_memory(void);

/* ---- output: stdout, or a file that is there whole or not at all ---- */

typedef struct output {
    FILE *stream;     /* write here */
    const char *path; /* NULL or "-": stdout */
    char *target;     /* what the finished file is renamed to, NULL: written in place */
    char *temporary;
} output;

/* false: told on stderr, return EXIT_FILE. */
bool output_open(output *out, const char *path);

/* Flushes, checks and puts the file in its place. Returns EXIT_DONE, also where the
 * reader of a pipe has gone away, or EXIT_FILE, told on stderr. */
int output_close(output *out);

/* Gives the output up: the file stays as it was. */
void output_abandon(output *out);

#endif
