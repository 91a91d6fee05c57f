/* What the files of bench-vertex_cost offer each other. */
#ifndef SINEW_BENCH_VERTEX_COST_H
#define SINEW_BENCH_VERTEX_COST_H

#include "sinew/gl.h"
#include "sinew/sinew.h"

#include <glad/gl.h>

#define VERTICES 3000
#define JOINTS 60

/* What is measured: a palette in a storage, a way to skin. */
typedef struct wish {
    sinew_gl_storage storage;
    sinew_skin_method method;
    bool approximate_normals;
} wish;

/* ---- model.c ---- */

/* One primitive of points with VERTICES vertices, positions and normals, four influences of
 * JOINTS joints that turn and scale unevenly, the last node. NULL: it cannot be read. */
sinew_model *model_create(sinew_error *error);

/* ---- programs.c ---- */

/* Compiles and links a vertex shader whose texts follow "#version 330 core"; with
 * `captured`, for program_capture. 0: the log went to stderr. */
GLuint program_build(const GladGLContext *gl, const char *const *texts, int count, bool captured);

/* The end of every vertex shader: skin() of the text before it gives position and normal,
 * and both go into gl_Position, inside the clip volume: clipping costs by itself. */
extern const char program_main[];

/* gl_Position of each vertex that `draw` draws with the current program. */
void program_capture(const GladGLContext *gl, void (*draw)(void *), void *user, float *out);

/* ---- hand.c ---- */

/* What one writes by hand for this model alone. */
typedef struct hand {
    GLuint program, vertex_array, vertices, palette, texture;
} hand;

bool hand_create(const GladGLContext *gl, const sinew_model *model, const sinew_pose *pose,
                 const wish *wanted, bool captured, hand *out);
void hand_free(const GladGLContext *gl, hand *made);
/* Binds what all its draws share. */
void hand_bind(const GladGLContext *gl, const hand *made, const wish *wanted);
void hand_draw(const GladGLContext *gl);

/* The same vertices by one matrix, the vertex array of a hand's. */
GLuint unskinned_create(const GladGLContext *gl);

#endif
