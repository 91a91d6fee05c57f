/* The posed mesh: every vertex of every instance of a scene, in world space, made by
 * the CPU or by the GPU. What `pose` prints and `info` measures. */
#ifndef SINEW_CLI_POSED_H
#define SINEW_CLI_POSED_H

#include "sinew/pose.h"
#include "sinew/skin.h"

/* Whether an entry of influences has a weight above 0. */
bool influence_counts(const sinew_influences *influences, size_t entry);

/* A primitive that has POSITION. Arrays hold a row for each vertex of the file. */
typedef struct posed_primitive {
    const sinew_primitive *primitive;
    uint32_t index;   /* in its mesh */
    float *positions; /* 3 a vertex */
    float *normals;   /* 3, or NULL: the file has none */
    float *tangents;  /* 4, or NULL: the file has none, or no normals */
    bool mirrored;    /* all joints that it uses mirror: its winding appears turned */
} posed_primitive;

/* A node with a mesh. */
typedef struct posed_instance {
    uint32_t node;
    const float *palette; /* of its skin: 16 a joint, column-major; NULL: no skin */
    uint32_t joint_count;
    posed_primitive *primitives;
    uint32_t primitive_count;
} posed_instance;

typedef struct posed {
    posed_instance *instances; /* the scene depth first */
    uint32_t instance_count;
    float **palettes; /* of each skin of the model, NULL where no instance has it */
    uint32_t skin_count;
    sinew_skin_method method; /* LBS, unless it is set before the vertices are filled */
    uint64_t rows;            /* vertices and joints of all instances together */
    sinew_box box;            /* the exact box of all positions */
    bool has_vertices;
    uint64_t nonfinite; /* numbers beyond the range of floats, now 0 */
} posed;

typedef enum posed_result {
    POSED_DONE,
    POSED_TOO_LARGE,
    POSED_NO_MEMORY
} posed_result;

/* Lays out the instances of a scene (SINEW_NONE: the default), with palettes of the pose
 * and room for the vertices, as far as that is at most `most_rows`: a small file may show
 * a large mesh a million times. posed_free may be called in every case. */
posed_result posed_create(posed *out, const sinew_pose *pose, uint32_t scene, uint64_t most_rows);

/* Fills the vertices by the scalar skinner. */
bool posed_skin(posed *mesh, const sinew_pose *pose);

/* After the vertices are filled, by whichever path: makes them finite, finds the box. */
void posed_finish(posed *mesh);

void posed_free(posed *mesh);

/* The triangles of a posed primitive, wound so that its front looks outwards also where
 * the pose mirrors it. *count is 0 for points and lines. The caller frees them; NULL
 * with a count: out of memory. */
uint32_t *posed_triangles(const posed_primitive *primitive, bool turn_mirrored, uint32_t *count);

/* ---- on the GPU, without a window (pose_gpu.c) ---- */

typedef struct posed_gpu posed_gpu;

/* A context for poses like this one, of OpenGL ES where it is asked for. NULL: error says
 * why. */
posed_gpu *posed_gpu_open(const sinew_pose *pose, uint32_t scene, bool es, sinew_error *error);
void posed_gpu_close(posed_gpu *gpu);
const char *posed_gpu_renderer(const posed_gpu *gpu);

/* Fills the vertices by the shaders. storage: a sinew_gl_storage, below 0 the default.
 * SINEW_ERROR_UNSUPPORTED: the context does not have it; SINEW_ERROR_LIMIT: it does not hold
 * the palettes. */
sinew_result posed_gpu_fill(posed_gpu *gpu, posed *mesh, int storage, sinew_error *error);

#endif
