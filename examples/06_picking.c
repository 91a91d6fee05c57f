/* What is under the mouse: a ray through a pixel meets triangles skinned on the processor.
 *     06_picking MODEL [CLIP [SECONDS]] [--at X Y] [--size WIDTH HEIGHT]
 * Shown: bounds that put a camera before a pose and tell which meshes a ray can meet, skinning
 * of those alone, the joint that moves a vertex most. Left out: a window (X Y are pixels of a
 * view, from its upper left; else its middle), a tree of the triangles for many rays. */
#include "ray.h" /* its arguments, camera and triangles: nothing of skinning */

#include <sinew/sinew.h>

typedef struct hit {
    uint32_t node, primitive, vertex; /* node SINEW_NONE: nothing */
    float position[3];                /* of the vertex, in the world */
} hit;

/* Skins a primitive into the world; the vertex next to where the ray meets it, if it does. */
static void pick_primitive(sinew_skin_job *job, ray *along, hit *found, hit here) {
    uint32_t vertices = job->primitive->vertex_count;
    uint32_t count = 3 * sinew_primitive_triangles(job->primitive, NULL);
    uint32_t *triangles = malloc(((size_t)count + 1) * sizeof *triangles);
    job->positions = malloc(((size_t)vertices + 1) * 3 * sizeof(float));
    check(triangles && job->positions, "cannot skin", "no memory");
    sinew_primitive_triangles(job->primitive, triangles);
    check(!sinew_skin_vertices(job, 0, vertices), "cannot skin", "the job is not sound");
    for (uint32_t t = 0; t < count; t += 3) {
        const float *corners[3];
        for (int c = 0; c < 3; c++) {
            corners[c] = job->positions + (size_t)3 * triangles[t + c];
        }
        int corner = meets_triangle(along, corners);
        if (corner >= 0) {
            *found = here;
            found->vertex = triangles[t + corner];
            memcpy(found->position, corners[corner], sizeof found->position);
        }
    }
    free(job->positions);
    free(triangles);
}

/* Without a ray: the box of a node's mesh, into `all`. With one: what it meets of the mesh. */
static void visit(const sinew_pose *pose, uint32_t index, sinew_box *all, ray *along, hit *found) {
    const sinew_node *node = &pose->model->nodes[index];
    const sinew_mesh *mesh = &pose->model->meshes[node->mesh];
    const float *morphs = pose->weights + node->first_weight;
    uint32_t joints = node->skin == SINEW_NONE ? 1 : pose->model->skins[node->skin].joint_count;
    float world[12];
    sinew_palette rigid = {.matrices = world, .capacity = 1};
    sinew_palette palette = {malloc((size_t)joints * 12 * sizeof(float)), .capacity = joints};
    sinew_bounds *bounds = sinew_bounds_create(pose->model, index, NULL);
    check(palette.matrices && bounds, "cannot pick", "no memory");
    sinew_palette_build_rigid(pose->model, index, pose, &rigid);
    node->skin == SINEW_NONE ? sinew_palette_build_rigid(pose->model, index, pose, &palette)
                             : sinew_palette_build(pose->model, node->skin, pose, &palette);
    sinew_box box;
    bool any = sinew_bounds_of_palettes(bounds, &palette, &rigid, morphs, node->weight_count, &box);
    for (int i = 0; any && !along && i < 3; i++) {
        all->minimum[i] = fminf(all->minimum[i], box.minimum[i]);
        all->maximum[i] = fmaxf(all->maximum[i], box.maximum[i]);
    }
    for (uint32_t p = 0; any && along && p < mesh->primitive_count && meets_box(along, &box); p++) {
        const sinew_primitive *primitive = &mesh->primitives[p];
        bool skinned = node->skin != SINEW_NONE && primitive->influences_count > 0;
        sinew_skin_job job = {.primitive = primitive,
                              .influences =
                                  skinned ? &primitive->influences[node->influences_index] : NULL,
                              .palette = skinned ? &palette : &rigid,
                              .morph_weights = morphs,
                              .morph_weight_count = node->weight_count};
        pick_primitive(&job, along, found, (hit){.node = index, .primitive = p});
    }
    sinew_bounds_free(bounds);
    free(palette.matrices);
}

static void print_joint(const sinew_model *model, const hit *at) {
    const sinew_node *node = &model->nodes[at->node];
    const sinew_primitive *primitive = &model->meshes[node->mesh].primitives[at->primitive];
    if (node->skin == SINEW_NONE || !primitive->influences_count) {
        puts("joint none: it follows its node");
        return;
    }
    const sinew_influences *from = &primitive->influences[node->influences_index];
    uint32_t joint = 0;
    float most = 0;
    for (size_t i = (size_t)at->vertex * from->per_vertex, n = from->per_vertex; n > 0; n--, i++) {
        const void *all = from->weights;
        float w = from->weight_type == SINEW_F32  ? ((const float *)all)[i]
                  : from->weight_type == SINEW_U8 ? (float)((const uint8_t *)all)[i] / 255
                                                  : (float)((const uint16_t *)all)[i] / 65535;
        if (w > most) {
            most = w;
            joint = from->joint_type == SINEW_U8 ? ((const uint8_t *)from->joints)[i]
                                                 : ((const uint16_t *)from->joints)[i];
        }
    }
    printf("joint %u \"%s\", weight %.3f\n", joint,
           model->nodes[model->skins[node->skin].joints[joint]].name, (double)most);
}

int main(int argc, char **argv) {
    sinew_error why = {SINEW_OK, "", ""};
    arguments given = read_arguments(
        argc, argv, "06_picking MODEL [CLIP [SECONDS]] [--at X Y] [--size WIDTH HEIGHT]");
    sinew_model *model = sinew_model_read(given.words[0], NULL, &why);
    check(model != NULL, given.words[0], why.message);
    uint32_t clip = given.words[1] ? sinew_clip_find(model, given.words[1]) : SINEW_NONE;
    check(clip != SINEW_NONE || !given.words[1], given.words[1], "the model has no such clip");
    sinew_pose *pose = sinew_pose_create(model, NULL);
    uint32_t *nodes = malloc((model->node_count + 1) * sizeof *nodes);
    check(pose && nodes, given.words[0], "no memory");
    sinew_clip_sample(model, clip, given.seconds, SINEW_LOOP, pose);
    sinew_pose_to_world(pose);
    hit found = {.node = SINEW_NONE};
    sinew_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    ray along = {.nearest = INFINITY};
    uint32_t count = sinew_scene_nodes(model, SINEW_NONE, nodes);
    for (uint32_t i = 0; i < 2 * count; i++) {
        if (i == count) { /* the whole box is known */
            along = ray_through(&all, given.at, given.size);
        }
        if (model->nodes[nodes[i % count]].mesh != SINEW_NONE) {
            visit(pose, nodes[i % count], &all, i < count ? NULL : &along, &found);
        }
    }
    if (found.node == SINEW_NONE) {
        puts("nothing there");
    } else {
        printf("node %u \"%s\", primitive %u, vertex %u at %.6f %.6f %.6f\n", found.node,
               model->nodes[found.node].name, found.primitive, found.vertex,
               (double)found.position[0], (double)found.position[1], (double)found.position[2]);
        print_joint(model, &found);
        print_ray(&along);
    }
    free(nodes);
    sinew_pose_free(pose);
    sinew_model_free(model);
    return 0;
}
