/* The formats of `pose`, one file each. They print to a stream that the caller opened;
 * what fails there is seen when he closes it. */
#ifndef SINEW_CLI_POSE_FORMATS_H
#define SINEW_CLI_POSE_FORMATS_H

#include "posed.h"

#include <stdio.h>

/* The picture of a texture as a file of its own: ".png", ".jpg" or ".webp" by what its
 * bytes are; NULL when it is none of them, or is not there. */
const char *picture_ending(const sinew_image *image);

/* What is printed, and where it is from. */
typedef struct posed_scene {
    const sinew_pose *pose;
    const posed *mesh;
    uint32_t clip, scene; /* SINEW_NONE: none, not asked for */
    double time;
    const char *beside; /* the file that is written, NULL: a stream with nothing beside it */
} posed_scene;

/* JSON, as the tests' oracle prints it: docs/command.md describes the fields. */
int pose_write_json(const posed_scene *scene, FILE *out);

/* Wavefront OBJ; and, when that file is in its place, its materials (.mtl) and their
 * pictures beside it. */
int pose_write_obj(const posed_scene *scene, FILE *out);
int pose_write_obj_materials(const posed_scene *scene);

/* A static binary glTF 2.0. */
int pose_write_glb(const posed_scene *scene, FILE *out);

/* All return EXIT_DONE, or another status after telling on stderr what failed. */

#endif
