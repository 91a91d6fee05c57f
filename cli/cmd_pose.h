/* What the files of `pose` share: its options, and `--joint`. */
#ifndef SINEW_CLI_CMD_POSE_H
#define SINEW_CLI_CMD_POSE_H

#include "command.h"
#include "posed.h"

enum {
    CONTEXT_GL,
    CONTEXT_GLES
};

typedef struct pose_options {
    common_options common;
    int format;  /* -1: not given; in the order of the table's choices */
    int path;    /* scalar, gpu */
    int method;  /* as sinew_skin_method counts them */
    int storage; /* -1: not given; else as sinew_gl_storage counts them */
    int context; /* -1: not given; gl, gles */
    const char *output;
    const char *joint;
    uint32_t skin; /* SINEW_NONE: not given */
    bool json;
    bool verify;
} pose_options;

/* `pose --joint`: prints the matrices of a joint. Returns an exit status. */
int pose_print_joint(const sinew_pose *pose, const char *file, uint32_t clip,
                     const pose_options *options, FILE *out);

/* `pose --verify`: prints how far the vertices of each storage are from `want`; `have` is
 * laid out like it and is written over. Returns an exit status. */
int pose_verify(const posed *want, posed *have, const sinew_pose *pose, const char *file,
                const pose_options *options, FILE *out);

#endif
