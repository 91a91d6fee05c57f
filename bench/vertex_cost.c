/* What a skinned vertex costs on the GPU, by storage of its palette, beside a program by
 * hand that does the same and the mesh without skin: bench/README.md.
 *
 *     bench-vertex_cost [--json] [--rounds N] [--draws N] [--storage WORD] */
#define _POSIX_C_SOURCE 200809L

#include "vertex_cost/vertex_cost.h"

#include "sinew/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SKIPPED 77
#define MAX_ROUNDS 1000

/* What takes turns in a round. */
enum {
    SINEW,
    HAND,
    UNSKINNED,
    SUBJECTS
};
static const char *const subject_words[SUBJECTS] = {"sinew", "hand", "unskinned"};

typedef struct settings {
    int rounds, draws;
    bool json;
    const char *storage; /* NULL: all */
} settings;

/* All of a process. */
typedef struct bench {
    settings set;
    sinew_offscreen *offscreen;
    GladGLContext gl;
    GLuint framebuffer, renderbuffer;
    sinew_gl *sinew;
    sinew_model *model;
    sinew_pose *pose;
} bench;

/* What a row is measured with. */
typedef struct subject {
    const bench *of;
    wish wanted;
    sinew_gl_model *on_gpu;
    GLuint program, unskinned;
    hand by_hand;
} subject;

typedef struct figures {
    double minimum[SUBJECTS], median[SUBJECTS]; /* ns a vertex */
} figures;

static bool complain(const char *what, const char *why) {
    fprintf(stderr, "bench-vertex_cost: %s: %s\n", what, why);
    return false;
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- a row's subjects ---- */

static void sinew_draw(void *user) {
    const subject *it = user;
    sinew_gl_item_draw(it->on_gpu, 0);
}

static void by_hand_draw(void *user) {
    const subject *it = user;
    hand_draw(&it->of->gl);
}

static void bind(const subject *it, int which) {
    const GladGLContext *gl = &it->of->gl;
    if (which == SINEW) {
        gl->UseProgram(it->program);
        sinew_gl_item_bind(it->on_gpu, 0, it->program, 0);
    } else {
        hand_bind(gl, &it->by_hand, &it->wanted);
    }
    if (which == UNSKINNED) {
        gl->UseProgram(it->unskinned);
    }
}

static GLuint build_sinew(const subject *it, bool captured) {
    static const char main_text[] = "layout(location = SINEW_LOCATION_POSITION) in vec3 position;\n"
                                    "layout(location = SINEW_LOCATION_NORMAL) in vec3 normal;\n"
                                    "void skin(out vec3 p, out vec3 n) {\n"
                                    "    p = sinew_position(position);\n"
                                    "    n = sinew_normal(normal);\n"
                                    "}\n";
    sinew_gl_skinning skinning = sinew_gl_item_skinning(it->on_gpu, 0);
    const char *chunk = sinew_gl_skinning_source(it->of->sinew, &skinning, NULL);
    const char *texts[] = {chunk, main_text, program_main};
    return chunk ? program_build(&it->of->gl, texts, 3, captured) : 0;
}

static bool subject_create(const bench *b, const wish *wanted, bool captured, subject *it) {
    sinew_error why;
    sinew_gl_model_options options = {.storage = wanted->storage,
                                      .method = wanted->method,
                                      .approximate_normals = wanted->approximate_normals};
    *it = (subject){.of = b, .wanted = *wanted};
    it->on_gpu = sinew_gl_model_create(b->sinew, b->model, &options, &why);
    if (!it->on_gpu || sinew_gl_model_update(it->on_gpu, b->pose, &why)) {
        return complain(sinew_gl_storage_word(wanted->storage), why.message);
    }
    it->program = build_sinew(it, captured);
    it->unskinned = unskinned_create(&b->gl);
    return hand_create(&b->gl, b->model, b->pose, wanted, captured, &it->by_hand) && it->program &&
           it->unskinned;
}

static void subject_free(subject *it) {
    const GladGLContext *gl = &it->of->gl;
    hand_free(gl, &it->by_hand);
    gl->DeleteProgram(it->program);
    gl->DeleteProgram(it->unskinned);
    sinew_gl_model_free(it->on_gpu);
}

/* Two programs that make different vertices are not worth a comparison. */
static bool same_vertices(const bench *b, const wish *wanted) {
    subject it;
    static float have[4 * VERTICES], want[4 * VERTICES];
    double gap = -1.0;
    if (subject_create(b, wanted, true, &it)) {
        bind(&it, SINEW);
        program_capture(&b->gl, sinew_draw, &it, have);
        bind(&it, HAND);
        program_capture(&b->gl, by_hand_draw, &it, want);
        gap = 0.0;
        for (int i = 0; i < 4 * VERTICES; i++) {
            double here = fabs((double)have[i] - (double)want[i]);
            gap = here <= gap ? gap : here; /* also what is not a number */
        }
    }
    subject_free(&it);
    return gap >= 0.0 && gap < 1e-5 ? true
                                    : complain(sinew_gl_storage_word(wanted->storage),
                                               "Sinew and the program by hand differ");
}

/* ---- time ---- */

static double time_once(const subject *it, int which) {
    const GladGLContext *gl = &it->of->gl;
    int draws = it->of->set.draws;
    bind(it, which);
    gl->Finish();
    double start = now_ns();
    for (int i = 0; i < draws; i++) {
        if (which == SINEW) {
            sinew_gl_item_draw(it->on_gpu, 0);
        } else {
            hand_draw(gl);
        }
    }
    gl->Finish();
    return (now_ns() - start) / ((double)draws * VERTICES);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The subjects take turns, so that a machine that is slow for a while is slow for all. */
static bool measure(const bench *b, const wish *wanted, figures *f) {
    subject it;
    static double times[SUBJECTS][MAX_ROUNDS];
    bool sound = same_vertices(b, wanted);
    sound = subject_create(b, wanted, false, &it) && sound;
    int rounds = sound ? b->set.rounds : 0;
    for (int r = -1; r < rounds; r++) { /* the first compiles, and is not counted */
        for (int s = 0; s < SUBJECTS && sound; s++) {
            times[s][r < 0 ? 0 : r] = time_once(&it, s);
        }
    }
    for (int s = 0; s < SUBJECTS && sound; s++) {
        qsort(times[s], (size_t)rounds, sizeof(double), compare);
        f->minimum[s] = times[s][0];
        f->median[s] = times[s][rounds / 2];
    }
    subject_free(&it);
    GLenum fault = b->gl.GetError();
    return sound && (fault == GL_NO_ERROR || complain("OpenGL", "an error while it drew"));
}

/* ---- what is printed ---- */

static const char *normals_word(const wish *wanted) {
    return wanted->approximate_normals ? "approximate" : "exact";
}

static void print_head(const bench *b) {
    if (b->set.json) {
        printf("{\"renderer\":\"%s\",\"vertices\":%d,\"joints\":%d,\"rounds\":%d,\"draws\":%d,"
               "\"rows\":[",
               sinew_gl_info_of(b->sinew)->renderer, VERTICES, JOINTS, b->set.rounds, b->set.draws);
        return;
    }
    printf("%-8s %-4s %-12s %9s %9s %9s %10s %11s %8s\n", "ns", "", "normals", "sinew", "hand",
           "unskinned", "sinew/hand", "sinew/unsk.", "median");
}

static void print_row(const wish *wanted, const figures *f) {
    const double *m = f->minimum;
    printf("%-8s %-4s %-12s %9.2f %9.2f %9.2f %10.3f %11.2f %8.3f\n",
           sinew_gl_storage_word(wanted->storage), wanted->method == SINEW_SKIN_DQS ? "dqs" : "lbs",
           normals_word(wanted), m[SINEW], m[HAND], m[UNSKINNED], m[SINEW] / m[HAND],
           m[SINEW] / m[UNSKINNED], f->median[SINEW] / f->median[HAND]);
    fflush(stdout);
}

static void print_json(const wish *wanted, const figures *f, bool first) {
    printf("%s\n  {\"storage\":\"%s\",\"method\":\"%s\",\"normals\":\"%s\"", first ? "" : ",",
           sinew_gl_storage_word(wanted->storage), wanted->method == SINEW_SKIN_DQS ? "dqs" : "lbs",
           normals_word(wanted));
    for (int s = 0; s < SUBJECTS; s++) {
        printf(",\"%s_ns\":%.4f,\"%s_median_ns\":%.4f", subject_words[s], f->minimum[s],
               subject_words[s], f->median[s]);
    }
    printf("}");
}

/* ---- the whole ---- */

static bool wanted_here(const bench *b, sinew_gl_storage storage) {
    return sinew_gl_storage_texels(b->sinew, storage) >= JOINTS * 4 &&
           (!b->set.storage || strcmp(b->set.storage, sinew_gl_storage_word(storage)) == 0);
}

static bool run_row(const bench *b, const wish *wanted, bool *first) {
    figures f = {{0.0}, {0.0}};
    if (!measure(b, wanted, &f)) {
        return false;
    }
    if (b->set.json) {
        print_json(wanted, &f, *first);
    } else {
        print_row(wanted, &f);
    }
    *first = false;
    return true;
}

static bool run(const bench *b) {
    bool sound = true, first = true;
    print_head(b);
    for (int kind = 0; kind < 4; kind++) {
        wish wanted = {.method = kind < 2 ? SINEW_SKIN_LBS : SINEW_SKIN_DQS,
                       .approximate_normals = kind % 2 == 1};
        int last = kind < 2 ? SINEW_GL_STORAGE_COUNT - 1 : SINEW_GL_STORAGE_TBO3;
        for (int s = SINEW_GL_STORAGE_TBO3; s <= last; s++) {
            wanted.storage = (sinew_gl_storage)s;
            sound = (!wanted_here(b, wanted.storage) || run_row(b, &wanted, &first)) && sound;
        }
    }
    printf(b->set.json ? "\n]}\n" : "");
    return sound;
}

/* A context without a surface draws into a framebuffer of ours, or not at all. */
static void make_target(bench *b) {
    GladGLContext *gl = &b->gl;
    gl->GenFramebuffers(1, &b->framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, b->framebuffer);
    gl->GenRenderbuffers(1, &b->renderbuffer);
    gl->BindRenderbuffer(GL_RENDERBUFFER, b->renderbuffer);
    gl->RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                b->renderbuffer);
    gl->Viewport(0, 0, 16, 16);
    gl->Enable(GL_RASTERIZER_DISCARD);
}

static GLADapiproc load(const char *name) {
    return (GLADapiproc)sinew_offscreen_loader(name);
}

static int open_all(bench *b) {
    sinew_error why;
    b->offscreen = sinew_offscreen_create(&why);
    if (!b->offscreen || !gladLoadGLContext(&b->gl, load)) {
        complain("skipped", b->offscreen ? "no functions of OpenGL" : why.message);
        return SKIPPED;
    }
    make_target(b);
    sinew_gl_options options = {.loader = sinew_offscreen_loader};
    b->sinew = sinew_gl_create(&options, &why);
    b->model = b->sinew ? model_create(&why) : NULL;
    if (!b->model) {
        complain("no model on the GPU", why.message);
        return 1;
    }
    b->pose = sinew_pose_create(b->model, NULL);
    sinew_pose_set_rest(b->pose);
    sinew_pose_to_world(b->pose);
    return 0;
}

static void close_all(bench *b) {
    sinew_pose_free(b->pose);
    sinew_model_free(b->model);
    sinew_gl_free(b->sinew);
    if (b->renderbuffer) {
        b->gl.DeleteFramebuffers(1, &b->framebuffer);
        b->gl.DeleteRenderbuffers(1, &b->renderbuffer);
    }
    sinew_offscreen_free(b->offscreen);
}

static bool read_settings(int argc, char **argv, settings *set) {
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--json") == 0) {
            set->json = true;
        } else if (more && strcmp(argv[i], "--rounds") == 0) {
            set->rounds = (int)strtol(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--draws") == 0) {
            set->draws = (int)strtol(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--storage") == 0) {
            set->storage = argv[++i];
        } else {
            return false;
        }
    }
    return set->rounds >= 1 && set->rounds <= MAX_ROUNDS && set->draws >= 1;
}

int main(int argc, char **argv) {
    bench b = {.set = {.rounds = 30, .draws = 200}};
    if (!read_settings(argc, argv, &b.set)) {
        fprintf(stderr, "usage: bench-vertex_cost [--json] [--rounds N] [--draws N] "
                        "[--storage WORD]\n");
        return 2;
    }
    int status = open_all(&b);
    if (status == 0) {
        status = run(&b) ? 0 : 1;
    }
    close_all(&b);
    return status;
}
