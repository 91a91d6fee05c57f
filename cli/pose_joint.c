/* `pose --joint`: the matrices of one joint, so that a reader can follow a vertex by hand
 * (docs/spaces.md). */
#include "cmd_pose.h"
#include "json.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One joint at one moment. Matrices are column-major. */
typedef struct joint_view {
    const sinew_pose *pose;
    uint32_t skin, slot, node;
    float local[16];        /* joint -> parent */
    float parent_world[16]; /* parent -> world; identity for a root */
    float world[16];        /* joint -> world */
    float inverse_bind[16]; /* bind -> joint */
    float joint_matrix[16]; /* bind -> world: the row of the palette */
} joint_view;

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* ---- the matrices ---- */

/* Whether the node has the turn and scale of the matrix of the file, not of a clip. */
static bool has_matrix(const joint_view *view) {
    const sinew_node *node = &view->pose->model->nodes[view->node];
    bool same = node->has_matrix;
    for (int i = 0; i < 12; i++) {
        same = same && view->local[i] == node->local_rest_matrix[i];
    }
    return same;
}

static bool joint_matrix(joint_view *view) {
    const sinew_model *model = view->pose->model;
    uint32_t count = model->skins[view->skin].joint_count;
    sinew_palette palette = {.matrices = malloc((size_t)count * 16 * sizeof(float)),
                             .capacity = count,
                             .layout = SINEW_PALETTE_4X4};
    bool done = palette.matrices &&
                sinew_palette_build(model, view->skin, view->pose, &palette) == SINEW_OK;
    if (done) {
        sinew_palette_matrix(&palette, view->slot, view->joint_matrix);
    }
    free(palette.matrices);
    return done;
}

static bool look(joint_view *view) {
    const sinew_model *model = view->pose->model;
    const sinew_skin *skin = &model->skins[view->skin];
    view->node = skin->joints[view->slot];
    const sinew_node *node = &model->nodes[view->node];
    const float *worlds = view->pose->world_matrices;
    sinew_pose_local_matrix(view->pose, view->node, view->local);
    memcpy(view->parent_world,
           node->parent == SINEW_NONE ? identity : worlds + (size_t)16 * node->parent,
           sizeof identity);
    memcpy(view->world, worlds + (size_t)16 * view->node, sizeof identity);
    memcpy(view->inverse_bind,
           skin->inverse_binds ? skin->inverse_binds + (size_t)16 * view->slot : identity,
           sizeof identity);
    return joint_matrix(view);
}

/* ---- for a reader ---- */

/* Six decimals read best. Numbers that would be nothing in them, or need more room, get
 * six significant digits; but what is nothing beside its neighbours is only rounding. */
static bool suits_decimals(const float *values, size_t count) {
    float largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    return largest == 0 || (largest > 1e-3f && largest < 1e5f);
}

static void print_number(FILE *out, float value, bool decimals) {
    if (decimals) {
        double rounded = fabsf(value) < 5e-7f ? 0 : (double)value; /* never -0.000000 */
        fprintf(out, "%12.6f", rounded);
    } else {
        fprintf(out, "%14.6g", value == 0 ? 0 : (double)value);
    }
}

/* group: how many values belong together; the smallest group decides the form. */
static void print_row(FILE *out, const char *name, const float *values, size_t count,
                      size_t group) {
    bool decimals = true;
    for (size_t i = 0; i < count; i += group) {
        decimals = suits_decimals(values + i, group) && decimals;
    }
    fprintf(out, "  %-12s", name);
    for (size_t i = 0; i < count; i++) {
        print_number(out, values[i], decimals);
    }
    fputc('\n', out);
}

static void print_matrix(FILE *out, const char *title, const char *spaces, const float m[16]) {
    fprintf(out, "\n%-40s%s\n", title, spaces);
    bool decimals = fabsf(m[12]) < 1e5f && fabsf(m[13]) < 1e5f && fabsf(m[14]) < 1e5f;
    for (int column = 0; column < 3; column++) {
        decimals = suits_decimals(m + 4 * column, 3) && decimals;
    }
    for (int row = 0; row < 4; row++) {
        fputs("  ", out);
        for (int column = 0; column < 4; column++) {
            print_number(out, m[4 * column + row], decimals);
        }
        fputc('\n', out);
    }
}

static void print_heading(const joint_view *view, uint32_t clip, const common_options *common,
                          FILE *out) {
    const sinew_model *model = view->pose->model;
    const sinew_node *node = &model->nodes[view->node];
    fputs("joint ", out);
    text_quoted(out, node->name, 0);
    fprintf(out, "  node %u, slot %u of skin %u", (unsigned)view->node, (unsigned)view->slot,
            (unsigned)view->skin);
    if (model->skins[view->skin].name[0]) {
        fputc(' ', out);
        text_quoted(out, model->skins[view->skin].name, 0);
    }
    if (node->parent == SINEW_NONE) {
        fputs(", a root", out);
    } else {
        fputs(", below ", out);
        text_quoted(out, model->nodes[node->parent].name, 0);
        fprintf(out, " (node %u)", (unsigned)node->parent);
    }
    if (clip == SINEW_NONE) {
        fputs("\nat rest\n\n", out);
        return;
    }
    fprintf(out, "\nclip %u ", (unsigned)clip);
    if (common->clips) {
        fputs("of ", out);
        text_print(out, command_file_name(common->clips));
    } else {
        text_quoted(out, model->clips[clip].name, 0);
    }
    fprintf(out, " at %g s\n\n", common->time);
}

static void print_view(const joint_view *view, uint32_t clip, const common_options *common,
                       FILE *out) {
    const sinew_node *node = &view->pose->model->nodes[view->node];
    const sinew_transform *local = &view->pose->local[view->node];
    print_heading(view, clip, common, out);
    if (has_matrix(view)) {
        fputs("  the file gives this node a matrix\n", out);
    } else {
        print_row(out, "translation", local->translation, 3, 3);
        print_row(out, "rotation", local->rotation, 4, 4);
        print_row(out, "scale", local->scale, 3, 1);
    }
    print_matrix(out, has_matrix(view) ? "local" : "local = T * R * S", "joint -> parent",
                 view->local);
    if (node->parent != SINEW_NONE) {
        print_matrix(out, "parent's world", "parent -> world", view->parent_world);
    }
    print_matrix(out,
                 node->parent == SINEW_NONE ? "world = local" : "world = parent's world * local",
                 "joint -> world", view->world);
    print_matrix(out, "inverse bind", "bind -> joint", view->inverse_bind);
    print_matrix(out, "joint matrix = world * inverse bind", "bind -> world", view->joint_matrix);
}

/* ---- for a script ---- */

static void print_json_floats(FILE *out, const char *name, const float *values, size_t count) {
    fprintf(out, ",\n \"%s\": ", name);
    json_floats(out, values, count);
}

static void print_json_index(FILE *out, const char *name, uint32_t index) {
    if (index == SINEW_NONE) {
        fprintf(out, ", \"%s\": null", name);
    } else {
        fprintf(out, ", \"%s\": %u", name, (unsigned)index);
    }
}

static void print_json(const joint_view *view, uint32_t clip, double time, FILE *out) {
    const sinew_node *node = &view->pose->model->nodes[view->node];
    const sinew_transform *local = &view->pose->local[view->node];
    fputs("{\"joint\": ", out);
    json_string(out, node->name);
    fprintf(out, ", \"node\": %u, \"skin\": %u, \"slot\": %u", (unsigned)view->node,
            (unsigned)view->skin, (unsigned)view->slot);
    print_json_index(out, "parent", node->parent);
    print_json_index(out, "clip", clip);
    fputs(", \"time\": ", out);
    json_double(out, time);
    if (!has_matrix(view)) {
        print_json_floats(out, "translation", local->translation, 3);
        print_json_floats(out, "rotation", local->rotation, 4);
        print_json_floats(out, "scale", local->scale, 3);
    }
    print_json_floats(out, "local", view->local, 16);
    print_json_floats(out, "parent_world", view->parent_world, 16);
    print_json_floats(out, "world", view->world, 16);
    print_json_floats(out, "inverse_bind", view->inverse_bind, 16);
    print_json_floats(out, "joint_matrix", view->joint_matrix, 16);
    fputs("}\n", out);
}

/* ---- which joint ---- */

/* Slot of a joint by its name, else by the number of its node. */
static uint32_t find_slot(const sinew_model *model, uint32_t skin, const char *wish) {
    uint32_t slot = sinew_joint_find(model, skin, wish);
    uint32_t node;
    if (slot == SINEW_NONE && command_read_index(wish, model->node_count, &node)) {
        for (uint32_t i = 0; i < model->skins[skin].joint_count; i++) {
            if (model->skins[skin].joints[i] == node) {
                return i;
            }
        }
    }
    return slot;
}

static bool find_joint(const sinew_model *model, const pose_options *options, joint_view *view) {
    bool one = options->skin != SINEW_NONE;
    uint32_t end = one ? options->skin + 1 : model->skin_count;
    for (uint32_t skin = one ? options->skin : 0; skin < end; skin++) {
        uint32_t slot = find_slot(model, skin, options->joint);
        if (slot != SINEW_NONE) {
            view->skin = skin;
            view->slot = slot;
            return true;
        }
    }
    return false;
}

#define LISTED_JOINTS 100
#define LIST_WIDTH 78

static void list_joints(const sinew_model *model, uint32_t skin) {
    const sinew_skin *from = &model->skins[skin];
    fprintf(stderr, "joints of skin %u:", (unsigned)skin);
    size_t column = LIST_WIDTH;
    for (uint32_t i = 0; i < from->joint_count && i < LISTED_JOINTS; i++) {
        char number[32]; /* --joint takes it where there is no name */
        snprintf(number, sizeof number, "%u", (unsigned)from->joints[i]);
        const char *name = model->nodes[from->joints[i]].name;
        name = name[0] ? name : number;
        size_t width = text_width(name) + 1;
        if (column + width > LIST_WIDTH) {
            fputs("\n ", stderr);
            column = 1;
        }
        fputc(' ', stderr);
        text_print(stderr, name);
        column += width;
    }
    if (from->joint_count > LISTED_JOINTS) {
        fprintf(stderr, "\n  ... and %u more", (unsigned)(from->joint_count - LISTED_JOINTS));
    }
    fputc('\n', stderr);
}

static const char *nearest_joint(const sinew_model *model, uint32_t skin, const char *wish) {
    const sinew_skin *from = &model->skins[skin];
    const char **names = calloc(from->joint_count + 1u, sizeof *names);
    for (uint32_t i = 0; names && i < from->joint_count; i++) {
        names[i] = model->nodes[from->joints[i]].name;
    }
    const char *near = names ? args_nearest(wish, names, from->joint_count) : NULL;
    free(names);
    return near;
}

static int tell_no_joint(const sinew_model *model, const char *file, const pose_options *options) {
    file = command_file_name(file);
    if (model->skin_count == 0) {
        command_say("%s: there is no joint '%s': the file has no skin", file, options->joint);
        return EXIT_WRONG_USE;
    }
    if (options->skin != SINEW_NONE && options->skin >= model->skin_count) {
        command_say("%s: there is no skin %u: the file has %u, counted from 0", file,
                    (unsigned)options->skin, (unsigned)model->skin_count);
        return EXIT_WRONG_USE;
    }
    uint32_t skin = options->skin == SINEW_NONE ? 0 : options->skin;
    const char *near = nearest_joint(model, skin, options->joint);
    if (near) {
        command_say("%s: there is no joint '%s'; did you mean '%s'?", file, options->joint, near);
    } else if (sinew_node_find(model, options->joint) != SINEW_NONE) {
        command_say("%s: '%s' is a node, but no joint of a skin", file, options->joint);
    } else {
        command_say("%s: there is no joint '%s'", file, options->joint);
    }
    list_joints(model, skin);
    return EXIT_WRONG_USE;
}

int pose_print_joint(const sinew_pose *pose, const char *file, uint32_t clip,
                     const pose_options *options, FILE *out) {
    joint_view view = {.pose = pose};
    bool skin_exists = options->skin == SINEW_NONE || options->skin < pose->model->skin_count;
    if (!skin_exists || !find_joint(pose->model, options, &view)) {
        return tell_no_joint(pose->model, file, options);
    }
    if (!look(&view)) {
        return command_out_of_memory();
    }
    if (options->json) {
        print_json(&view, clip, options->common.time, out);
    } else {
        print_view(&view, clip, &options->common, out);
    }
    return EXIT_DONE;
}
