/* What `info` says about a model: gathered once, printed for a reader or for a script. */
#ifndef SINEW_CLI_INFO_H
#define SINEW_CLI_INFO_H

#include "sinew/model.h"

#include <stdio.h>

typedef struct mesh_summary {
    uint64_t vertices, triangles;
    uint32_t influences; /* the most weights above 0 on one vertex; 0: no joints */
} mesh_summary;

typedef struct info {
    const sinew_model *model;
    const char *file;
    bool has_file_size;
    uint64_t file_size;   /* of the named file alone */
    mesh_summary *meshes; /* model->mesh_count */
    mesh_summary total;
    uint32_t mesh_nodes, joint_nodes; /* nodes with a mesh; nodes that are a joint */
    bool too_large;                   /* too many vertices in all instances to be measured */
    bool has_box;
    sinew_box box; /* of the skinned vertices at rest, default scene, metres */
} info;

void info_print_text(const info *of, FILE *out);
void info_print_json(const info *of, FILE *out);

#endif
